"""Scoring of systems that extract pairs: precision, recall and F1 over sets of id pairs."""
