"""Statistics of a data set: its counts, and how well its planted sentences are hidden.

A build calls `collect_statistics` as its last step; users and `evalign bitext stats` call `bitext_statistics`
on the folder of a data set.
"""
