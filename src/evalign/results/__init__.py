"""Results of scoring: scores, ledgers and errors per system, and how to save, load, split and average them.

`scoring` makes results; `significance`, `reports` and users read them. Nothing here opens a document.
"""
