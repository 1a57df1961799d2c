"""The units of a run in parts, and which of them are drawn together.

Units of a treebank are resampled within that treebank: it stays as large as it is. Where a result was taken apart
within its units, as by the length of sentences, a document has a share in several parts; it is then drawn for all of them
at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalign.result import Result
from evalign.result.parts import Parts
from evalign.result.scores import Score


@dataclass(frozen=True, slots=True)
class Stratum:
    """The units of one part, among those that are drawn together."""

    name: str
    result: Result
    rows: slice
    """Its rows among those of all parts."""
    places: npt.NDArray[np.intp]
    """Where its rows are among the units that are drawn."""
    n_units: int
    """How many units are drawn."""
    key: tuple[int, ...]
    """Parts with the same key are drawn together."""

    def spread(self, score: Score) -> Score:
        """A score of this part with a row for each unit that is drawn, zeros for those it has no share in."""
        table = np.zeros((self.n_units, len(score.layer.fields)), np.int64)
        table[self.places] = score.units
        return Score(score.layer, table, score.average, score.available)


def count_rows(result: Result) -> int:
    """How many units there are; gold without a sentence has one without a name."""
    return max((len(score.units) for score in result.systems[0].scores.values()), default=0)


def find_strata(parts: Parts) -> list[Stratum]:
    """All parts, with the units that are drawn for each."""
    sizes = [count_rows(result) for result in parts.results.values()]
    cuts = np.append(0, np.cumsum(sizes)).tolist()
    shared = _find_shared(parts, sizes)
    found = []
    for number, (name, result) in enumerate(parts.results.items()):
        rows = slice(cuts[number], cuts[number + 1])
        if shared is None or parts.whole is None:
            found.append(Stratum(name, result, rows, np.arange(sizes[number]), sizes[number], (number,)))
        else:
            found.append(Stratum(name, result, rows, shared[number], count_rows(parts.whole), ()))
    return found


def _find_shared(parts: Parts, sizes: Sequence[int]) -> list[npt.NDArray[np.intp]] | None:
    """Where the rows of each part are among the units of the whole, if a unit is in several parts; else None.

    Units are known by their names; where two have the same name, and so cannot be told apart, only by all being there.
    """
    if parts.whole is None:
        return None
    results, names = list(parts.results.values()), list(parts.whole.unit_names)
    if len(results) > 1 and all(list(result.unit_names) == names for result in results):
        return [np.arange(size) for size in sizes]
    numbers = {name: number for number, name in enumerate(names)}
    named = [name for result in results for name in result.unit_names]
    if len(numbers) < len(names) or len(set(named)) == len(named) or set(named) - set(numbers):
        return None
    return [np.array([numbers[name] for name in result.unit_names], np.intp) for result in results]
