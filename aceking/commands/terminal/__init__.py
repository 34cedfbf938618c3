"""A table in the terminal with a coach: prompts, screen and saved sessions. The rules are in other packages."""
