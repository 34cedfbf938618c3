"""What a table and a meter share about the progressive: the steps of an award, and the courses after a fault."""
