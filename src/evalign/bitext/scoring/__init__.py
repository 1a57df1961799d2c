"""Scores of extracted pairs."""
