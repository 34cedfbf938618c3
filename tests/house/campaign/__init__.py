"""Real servers under load, killed at random moments, and held against what anybody was told and shown."""
