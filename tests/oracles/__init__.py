"""Slow, short reference implementations that the package is compared with.

A document is a list of sentences, a sentence a list of tokens, a token a string.
Nothing here imports the package or anything outside the standard library.
"""
