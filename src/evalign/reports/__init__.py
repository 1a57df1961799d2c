"""Reports: a result, an alignment or a list of errors to text."""
