"""Intervals and tests, as the arguments ask for them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.progress import ProgressLine
from evalign.cli.shared_options import read_resampling
from evalign.errors import CommandError
from evalign.reports import Assessor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports import Assessed, AssessedParts
    from evalign.results import Parts, Result


class CommandAssessor(Assessor):
    """Finds what --confidence, --paired and a page (`page`) need, and shows how far that is."""

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
        """What is to be shown of a result; `CommandError` where one system is to be compared with others."""
        self._check(len(result.systems))
        return super().of(result)

    def of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts | None:
        """The same of every part and of the averages."""
        self._check(len(parts.systems))
        return super().of_parts(parts, metrics)

    def _check(self, systems: int) -> None:
        if self._is_paired and systems < 2:
            msg = "--paired with one system"
            raise CommandError(msg, "at least two to compare", "--confidence gives intervals of one")
