"""Parallel sentences: build a data set, score systems that extract pairs, mine pairs as a baseline.

The method is that of Zweigenbaum, Sharoff and Rapp (2018) for the BUCC shared tasks: translations that are
known are hidden ("planted") in monolingual corpora of two languages, and systems have to find them.
"""
