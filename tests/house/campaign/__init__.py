"""Real servers under load are killed at random moments, and the log is compared with what people were told."""
