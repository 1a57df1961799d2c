"""Scoring: the whole chain from inputs to a `Result`, for a text, a folder of treebanks or a training loop.

How the modules work together: `api` and the command line make a `request`, and `run` walks it: `plan` cuts
long texts, `count` reads (`reading`), aligns and counts a part or the whole, `tally` adds up, `finish` makes
the result. `collection_run` scores folders of treebanks, `scorer` training loops, by the same walk. `gating`,
`attribution` and `extraction` are separate commands built on these.
"""
