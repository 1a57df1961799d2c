"""Confidence intervals and paired significance tests, computed from counts per unit.

`assess` resamples the units of a `Result`; `assess_parts` does so for averages over the parts of a run
(`Parts`). Reports, gates and the `bitext` package call them. No text is counted again: counts add up over
units, so the counts of a resample are a weighted sum of the rows of counts per unit.
"""
