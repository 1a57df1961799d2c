"""Scoring: the whole chain from inputs to a `Result`, for a text, a folder of treebanks or a training loop.

How the modules work together: `api` checks arguments and scores a whole text in memory. `run` scores a text
in parts, which `plan` cuts, `count` counts and `join` adds up. `collection_run` scores folders of treebanks,
`scorer` training loops. `gating`, `attribution`, `parsing_table` and `extraction` are separate commands built
on these.
"""
