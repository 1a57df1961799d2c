"""Programs for developers: generated pages, docstrings and pictures of the documentation.

Figures and snapshots.
"""
