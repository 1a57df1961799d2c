"""Building a data set from documents of two languages and known translations, which are planted in them.

`build_dataset` runs the eight stages of a build and writes the data set to a folder; `verify_dataset` checks
a finished data set.
"""
