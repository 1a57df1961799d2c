"""What makes the documentation: pages that are generated, docstrings, pictures."""
