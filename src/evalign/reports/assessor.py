"""`Assessor`: resamples each result once for everything that shows it: the table, the saved file, the page.

`evalign score` always makes one, so this module imports the code for resampling only when it is needed.
"""

from __future__ import annotations

from dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from evalign.progress import Progress
    from evalign.reports.significance import Assessed, AssessedParts
    from evalign.results.result import Parts, Result
    from evalign.significance.values import Resampling


class Assessor:
    """Resamples results and parts, and caches the outcome.

    Intervals and, if the table needs them (`paired`) or there is a `page`, tests are all computed at once.
    `of` and `of_parts` reduce them to what was requested by `intervals`, `paired` and `all_pairs`; `all_of`
    and `all_of_parts` return everything, for the page.
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
        """Store the request; each resampling calls `make_resampling` and enters `progress`."""
        self._make_resampling, self._progress = make_resampling, progress
        self._intervals, self._paired, self._all_pairs = intervals, paired, all_pairs
        self._finds_tests = paired or page
        # By id, together with the object: keeping it alive prevents another from getting the same id.
        self._results: dict[int, tuple[Result, Assessed]] = {}
        self._parts: dict[tuple[int, Sequence[str]], tuple[Parts, AssessedParts]] = {}

    def of(self, result: Result) -> Assessed | None:
        """Return the requested intervals and tests of a result; None if none were requested."""
        if not self._intervals and not self._paired:
            return None
        assessed = self.all_of(result)
        if not self._paired:
            untested = replace(assessed.significance, against_first={}, matrix={})
            assessed = replace(assessed, significance=untested)
        return replace(assessed, intervals=self._intervals, paired=self._paired, all_pairs=self._all_pairs)

    def of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts | None:
        """Return the requested intervals and tests of all parts and averages; None if none were requested."""
        if not self._intervals and not self._paired:
            return None
        assessed = self.all_of_parts(parts, metrics)
        if not self._paired:
            untested = replace(assessed.significance, against_first={})
            alone = {
                name: replace(part, against_first={}, matrix={}) for name, part in assessed.parts.items()
            }
            assessed = replace(assessed, significance=untested, parts=alone)
        return replace(assessed, intervals=self._intervals, paired=self._paired and assessed.paired)

    def all_of(self, result: Result) -> Assessed:
        """Return everything resampled for a result; without tests if neither table nor page needs them."""
        from evalign.reports.significance import Assessed
        from evalign.significance.assessment import assess

        if id(result) not in self._results:
            paired = self._finds_tests
            with self._progress as progress:
                significance = assess(result, self._make_resampling(), paired=paired, progress=progress)
            self._results[id(result)] = result, Assessed(significance, intervals=True, paired=paired)
        return self._results[id(result)][1]

    def all_of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts:
        """Return everything resampled for all parts and for the averages, as `all_of` does."""
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
