"""A progressive meter: its value, the tables that feed it, its awards, and the people who sign for them."""
