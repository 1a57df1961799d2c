"""Scoring in parts: gold and systems of any size, in bounded memory, in one process, several, or on a cluster.

    cut (parts.cutting) -> count each part (parts.counting) -> join what was counted (parts.joining)

The result is the same as that of scoring the whole at once.
"""
