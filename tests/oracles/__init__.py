"""Slow, short reference implementations that tests compare the package with.

A document is a list of sentences, a sentence is a list of tokens, and a token is a string. Most modules here
import nothing but the standard library. `bits`, `skim` and `stretches` take folding, rewriting rules or the
set of white space from evalign; `bits` and `resampling` use numpy.
"""
