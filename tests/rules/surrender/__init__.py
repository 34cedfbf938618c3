"""The five pieces of surrender, and what is tried with them."""
