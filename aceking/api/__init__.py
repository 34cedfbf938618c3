"""What a programmer imports from `aceking`: cards and hands, a round settled, a table to play at."""
