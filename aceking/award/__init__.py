"""What a table and a meter have in common about the progressive: the steps of one award, the courses after a fault."""
