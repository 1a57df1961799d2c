"""Confidence intervals and significance tests for commands that print results."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.progress import ProgressLine
from evalign.cli.shared_options import read_resampling
from evalign.errors import CommandError
from evalign.reports.assessor import Assessor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.significance import Assessed, AssessedParts
    from evalign.results.result import Parts, Result


class CommandAssessor(Assessor):
    """`Assessor` set up by --confidence and --paired, which shows its progress.

    With `page` it also computes what the HTML page needs.
    """

    def __init__(self, arguments: argparse.Namespace, *, page: bool = False) -> None:
        self.progress = ProgressLine(quiet=arguments.quiet)
        self._is_paired = arguments.paired is not None
        super().__init__(
            lambda: read_resampling(arguments),
            self.progress,
            intervals=arguments.confidence is not None,
            paired=self._is_paired,
            all_pairs=getattr(arguments, "all_pairs", False),
            page=page,
        )

    def of(self, result: Result) -> Assessed | None:
        """Return the intervals and tests of `result`, or None if none are shown.

        Raises `CommandError` for --paired with one system.
        """
        self._check(len(result.systems))
        return super().of(result)

    def of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts | None:
        """Return the intervals and tests of every part and of the averages, or None if none are shown.

        `metrics` are those that the table shows; all by default. Raises `CommandError` for --paired with one
        system.
        """
        self._check(len(parts.systems))
        return super().of_parts(parts, metrics)

    def _check(self, systems: int) -> None:
        if self._is_paired and systems < 2:
            msg = "--paired with one system"
            raise CommandError(msg, "at least two to compare", "--confidence gives intervals of one")
