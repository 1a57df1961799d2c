"""Readers: turn files, URLs, text and objects of NLP packages into `Document`s.

Names are loaded on first use, because the compatible commands read without documents and numpy, and `evalb`
without the checks of the others.
"""
