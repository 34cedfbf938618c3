"""The objects that `aceking` exports: cards and hands, settled rounds, and a table to play at."""
