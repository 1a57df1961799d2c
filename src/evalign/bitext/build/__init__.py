"""Building a data set, stage by stage."""
