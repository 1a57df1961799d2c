"""Intervals and tests for the page: whoever makes it may have found them already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evalign.progress import Progress
from evalign.reports.significance import Assessed, AssessedParts, assess_all
from evalign.results import Parts, Result
from evalign.significance import Resampling, assess


class Assessor(Protocol):
    """Finds everything that there is to find of a result, and of parts and their averages."""

    def all_of(self, result: Result) -> Assessed:
        """Intervals and tests of a result."""

    def all_of_parts(self, parts: Parts) -> AssessedParts:
        """Intervals and tests of all parts and of their averages."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """Resamples whenever it is asked."""

    resampling: Resampling
    progress: Progress

    def all_of(self, result: Result) -> Assessed:
        """Intervals and tests of a result."""
        found = assess(result, self.resampling, progress=self.progress)
        return Assessed(found, intervals=True, paired=True)

    def all_of_parts(self, parts: Parts) -> AssessedParts:
        """Intervals and tests of all parts and of their averages."""
        return assess_all(parts, self.resampling, intervals=True, paired=True, progress=self.progress)
