"""Readers for the inputs of a data set: documents, pairs of translations, links between documents.

A build reads all its inputs through this package, and the lexicon of the baseline reads pairs.
`read_documents`, `read_source_pairs` and `read_links` choose the reader that the format needs.
"""
