"""A table in the terminal, with a coach: what is asked, what is shown, what is kept. No rule is here."""
