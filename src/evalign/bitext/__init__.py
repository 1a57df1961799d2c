"""Parallel sentences: build a data set, score systems that extract pairs, mine as a baseline.

After Zweigenbaum, Sharoff and Rapp 2018, who hid known translations in corpora of two languages for the BUCC shared tasks.
"""
