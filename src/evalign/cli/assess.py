"""Intervals and tests, as the arguments ask for them: each result is resampled once, whoever shows it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from evalign.cli.progress import ProgressLine
from evalign.cli.shared_options import read_resampling
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports import Assessed, AssessedParts
    from evalign.results import Parts, Result


class Assessor:
    """Resamples results and parts for the table, the saved file and the page.

    The page has intervals and tests in any case. If one is wanted everything is found at once, and the others show of it
    what was asked for.
    """

    def __init__(self, arguments: argparse.Namespace, *, page: bool = False) -> None:
        self.progress = ProgressLine(quiet=arguments.quiet)
        self._arguments = arguments
        self._intervals = arguments.confidence is not None
        self._paired = arguments.paired is not None
        self._all_pairs = getattr(arguments, "all_pairs", False)
        self._finds_tests = self._paired or page
        # By number of the object, and with it: what is gone could leave its number to another.
        self._results: dict[int, tuple[Result, Assessed]] = {}
        self._parts: dict[tuple[int, Sequence[str]], tuple[Parts, AssessedParts]] = {}

    def of(self, result: Result) -> Assessed | None:
        """What is to be shown of a result; None where nothing was asked for."""
        if not self._intervals and not self._paired:
            return None
        self._check(len(result.systems))
        found = self.all_of(result)
        if not self._paired:
            found = replace(found, found=replace(found.found, against_first={}, matrix={}))
        return replace(found, intervals=self._intervals, paired=self._paired, all_pairs=self._all_pairs)

    def of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts | None:
        """The same of every part and of the averages."""
        if not self._intervals and not self._paired:
            return None
        self._check(len(parts.systems))
        found = self.all_of_parts(parts, metrics)
        if not self._paired:
            alone = {name: replace(part, against_first={}, matrix={}) for name, part in found.parts.items()}
            found = replace(found, found=replace(found.found, against_first={}), parts=alone)
        return replace(found, intervals=self._intervals, paired=self._paired)

    def all_of(self, result: Result) -> Assessed:
        """Everything that resampling finds, as the page shows it; without tests where nobody wants any."""
        from evalign.reports import Assessed
        from evalign.significance import assess

        if id(result) not in self._results:
            used, paired = read_resampling(self._arguments), self._finds_tests
            with self.progress as progress:
                found = assess(result, used, paired=paired, progress=progress)
            self._results[id(result)] = result, Assessed(found, intervals=True, paired=paired)
        return self._results[id(result)][1]

    def all_of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts:
        """The same of every part and of the averages."""
        from evalign.reports import assess_all

        key = id(parts), tuple(metrics)
        if key not in self._parts:
            used, paired = read_resampling(self._arguments), self._finds_tests
            with self.progress as progress:
                found = assess_all(
                    parts, used, intervals=True, paired=paired, metrics=metrics, progress=progress
                )
            self._parts[key] = parts, found
        return self._parts[key][1]

    def _check(self, systems: int) -> None:
        if self._paired and systems < 2:
            msg = "--paired with one system"
            raise CommandError(msg, "at least two to compare", "--confidence gives intervals of one")
