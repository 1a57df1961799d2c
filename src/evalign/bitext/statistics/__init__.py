"""What is known of a data set: its counts, and how well its planted sentences are hidden."""
