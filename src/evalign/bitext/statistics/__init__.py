"""What is known of a data set: its counts, and how well its planted sentences are hidden.

`collect_statistics` is for who builds a data set, `bitext_statistics` for who has one.
"""

from __future__ import annotations

from evalign.bitext.statistics.collected import collect_statistics
from evalign.bitext.statistics.comparability import Sources
from evalign.bitext.statistics.genres import GenreCounts
from evalign.bitext.statistics.opened import bitext_statistics, read_statistics
from evalign.bitext.statistics.review import read_reviewed, sample_review
from evalign.bitext.statistics.shapes import FILE, SCHEMA, PlantingCounts, Statistics

__all__ = [
    "FILE",
    "SCHEMA",
    "GenreCounts",
    "PlantingCounts",
    "Sources",
    "Statistics",
    "bitext_statistics",
    "collect_statistics",
    "read_reviewed",
    "read_statistics",
    "sample_review",
]
