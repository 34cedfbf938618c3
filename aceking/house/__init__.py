"""A house that runs tables: its log, its store, its floor (docs/explanation/house.md)."""
