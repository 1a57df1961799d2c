"""Benchmarks.

They print ratios from one run, since times alone depend on the machine. `make bench` runs them.
"""
