"""A link: one meter, the tables that feed it, and the people who sign for it."""
