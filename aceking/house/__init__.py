"""The house that runs: its log, its store, its floor (docs/FLOOR.md)."""
