"""Baselines that extract pairs, so that a new data set can be judged at once."""
