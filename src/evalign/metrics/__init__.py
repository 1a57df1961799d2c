"""Metrics: what is counted of two aligned documents, and the options that decide how.

`scoring` and `bitext` count metrics, `results`, `reports` and `cli` look them up. `METRICS` has all of them
in the order in which they are listed; `definitions` says what each one means.
"""
