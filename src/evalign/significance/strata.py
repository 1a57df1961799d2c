"""The units of a run in parts, and which of them are drawn together.

Units of a treebank are resampled within that treebank: it stays as large as it is. Where a result was taken apart
within its units, as by the length of sentences, a document has a share in several parts; it is then drawn for all of them
at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalign.results import Parts, Result, Score


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
    return result.systems[0].n_rows


def find_strata(parts: Parts) -> list[Stratum]:
    """All parts that have units, with the units that are drawn for each; gold that could not be read has none."""
    sizes = [count_rows(result) for result in parts.results.values()]
    cuts = np.append(0, np.cumsum(sizes)).tolist()
    together = share_units(parts)
    found = []
    for number, (name, result) in enumerate(parts.results.items()):
        rows, size = slice(cuts[number], cuts[number + 1]), sizes[number]
        if together and parts.whole is not None:
            places = np.asarray(parts.units[name], np.intp)
            found.append(Stratum(name, result, rows, places, count_rows(parts.whole), ()))
        elif size:
            found.append(Stratum(name, result, rows, np.arange(size), size, (number,)))
    return found


def share_units(parts: Parts) -> bool:
    """Whether a unit of the whole is in several parts."""
    units = [unit for numbers in parts.units.values() for unit in numbers]
    return len(set(units)) < len(units)
