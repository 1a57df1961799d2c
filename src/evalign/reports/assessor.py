"""Intervals and tests of results, found once for whoever shows them: the table, the saved file, the page.

`evalign score` makes an `Assessor` in any case, so nothing of resampling is loaded before somebody asks for it.
"""

from __future__ import annotations

from dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from evalign.progress import Progress
    from evalign.reports.significance import Assessed, AssessedParts
    from evalign.results import Parts, Result
    from evalign.significance import Resampling


class Assessor:
    """Resamples results and parts, and keeps what was found.

    Everything is found at once, as the page shows it; tables and saved files show of it what was asked for: `intervals`,
    `paired` tests, and those of `all_pairs`. Nothing is tested unless they are `paired`, or there is a `page`.
    """

    def __init__(
        self,
        make_resampling: Callable[[], Resampling],
        progress: AbstractContextManager[Progress],
        *,
        intervals: bool = True,
        paired: bool = True,
        all_pairs: bool = False,
        page: bool = False,
    ) -> None:
        """Take note of what is asked for; `make_resampling` is called, and `progress` entered, for each resampling."""
        self._make_resampling, self._progress = make_resampling, progress
        self._intervals, self._paired, self._all_pairs = intervals, paired, all_pairs
        self._finds_tests = paired or page
        # By number of the object, and with it: what is gone could leave its number to another.
        self._results: dict[int, tuple[Result, Assessed]] = {}
        self._parts: dict[tuple[int, Sequence[str]], tuple[Parts, AssessedParts]] = {}

    def of(self, result: Result) -> Assessed | None:
        """What is to be shown of a result; None where nothing was asked for."""
        if not self._intervals and not self._paired:
            return None
        assessed = self.all_of(result)
        if not self._paired:
            untested = replace(assessed.significance, against_first={}, matrix={})
            assessed = replace(assessed, significance=untested)
        return replace(assessed, intervals=self._intervals, paired=self._paired, all_pairs=self._all_pairs)

    def of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts | None:
        """What is to be shown of every part and of the averages; None where nothing was asked for."""
        if not self._intervals and not self._paired:
            return None
        assessed = self.all_of_parts(parts, metrics)
        if not self._paired:
            untested = replace(assessed.significance, against_first={})
            alone = {
                name: replace(part, against_first={}, matrix={}) for name, part in assessed.parts.items()
            }
            assessed = replace(assessed, significance=untested, parts=alone)
        return replace(assessed, intervals=self._intervals, paired=self._paired)

    def all_of(self, result: Result) -> Assessed:
        """Everything that resampling finds of a result, as the page shows it; without tests where nobody wants any."""
        from evalign.reports.significance import Assessed
        from evalign.significance import assess

        if id(result) not in self._results:
            paired = self._finds_tests
            with self._progress as progress:
                significance = assess(result, self._make_resampling(), paired=paired, progress=progress)
            self._results[id(result)] = result, Assessed(significance, intervals=True, paired=paired)
        return self._results[id(result)][1]

    def all_of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts:
        """Everything that resampling finds of every part and of the averages."""
        from evalign.reports.significance import assess_all

        key = id(parts), tuple(metrics)
        if key not in self._parts:
            paired = self._finds_tests
            with self._progress as progress:
                assessed = assess_all(
                    parts,
                    self._make_resampling(),
                    intervals=True,
                    paired=paired,
                    metrics=metrics,
                    progress=progress,
                )
            self._parts[key] = parts, assessed
        return self._parts[key][1]
