"""Errors of a comparison: found, grouped, placed in the text, counted by label, and charged to stages.

`scoring` asks for them and keeps some in saved results; `reports` shows them.
"""
