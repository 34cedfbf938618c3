"""The casino stud poker family, run, priced and proved from the written rule books of real houses."""
