"""A running house: one log, tables and meters, people, money, chance and the clock (docs/FLOOR.md)."""
