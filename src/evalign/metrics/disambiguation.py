"""Whether marks that may end a sentence do (Palmer and Hearst 1997; Read et al. 2012).

    $ evalign score gold.conllu system.txt --metrics disambiguation

Every candidate mark of the gold text is judged, inside a token too: does a sentence end right after it?
Marks are those of the text as it was read, so that their number is the same for every system. A mark that
the system lost is none of its sentence ends. Ends without a mark are not judged here; `boundaries` counts
them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.alignment import NOWHERE, Side, code_points
from evalign.document import IntArray
from evalign.metrics.boundaries import mark_places
from evalign.metrics.comparison import Comparison, CountTable, count_rows
from evalign.metrics.counts import ratio
from evalign.metrics.layer import Layer


def count_disambiguation(comparison: Comparison) -> CountTable:
    """Marks that both sides, the system alone, gold alone or neither take for a sentence end."""
    comparison = comparison.on_lines
    side = comparison.alignment.gold
    document = side.original
    wanted = np.zeros(0x110000, bool)
    wanted[[ord(mark) for mark in comparison.options.candidates]] = True
    marks = np.flatnonzero(wanted[code_points(document.line)]).astype(np.int32)
    tokens = np.searchsorted(document.cuts, marks, side="right") - 1
    gold = mark_places(len(document.line), document.sentence_cuts[1:])[marks + 1]
    ends = comparison.alignment.system.places.sentence_ends
    there = mark_places(comparison.alignment.n_places, ends)
    system = there[_places_behind(side, _normalised(side, marks, tokens.astype(np.int32)))]
    cuts = np.searchsorted(tokens, np.append(comparison.units.tokens, document.n_tokens)).astype(np.int32)
    kinds = (gold & system, ~gold & system, gold & ~system, ~gold & ~system)
    return np.stack([count_rows(kind, cuts) for kind in kinds], axis=1)


def _normalised(side: Side, marks: IntArray, tokens: IntArray) -> IntArray:
    """Where characters of the line as read are on the normalised line; -1 for one that was rewritten away."""
    before, after = side.original, side.document
    if before is after:
        return marks
    behind = before.cuts[tokens + 1] - marks
    found = after.cuts[tokens + 1] - behind
    lengths = np.diff(before.cuts), np.diff(after.cuts)
    # The last character of a token stays its last, whatever it has become.
    moved = (lengths[0] != lengths[1])[tokens] & (behind > 1)
    found[(lengths[1] == 0)[tokens]] = -1
    for row in np.flatnonzero(moved).tolist():
        token = int(tokens[row])
        old, new, offset = before.token(token), after.token(token), int(marks[row] - before.cuts[token])
        if old[: offset + 1] == new[: offset + 1]:
            found[row] = after.cuts[token] + offset
        elif not new.endswith(old[offset:]):
            found[row] = -1
    return found


def _places_behind(side: Side, positions: IntArray) -> IntArray:
    """The place right after each of these characters; NOWHERE for -1 and for one that is not shared."""
    if side.characters is None or side.folded_cuts is None:
        return np.where(positions < 0, NOWHERE, positions + 1).astype(np.int32)
    starts, ends = side.folded_cuts[positions], side.folded_cuts[positions + 1]
    places = np.append(side.characters.places, NOWHERE)[ends - 1]
    free = np.append(side.characters.may_end, False)[ends - 1]
    known = (positions >= 0) & (ends > starts) & (places != NOWHERE) & free
    return np.where(known, places + 1, NOWHERE).astype(np.int32)


def disambiguation_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Accuracy and error rate over candidate marks."""
    right = counts["both"] + counts["neither"]
    wrong = counts["system_only"] + counts["gold_only"]
    return {"accuracy": ratio(right, right + wrong), "error_rate": ratio(wrong, right + wrong)}


DISAMBIGUATION = Layer(
    "disambiguation",
    count_disambiguation,
    ("both", "system_only", "gold_only", "neither"),
    disambiguation_ratios,
    "accuracy",
    lower_is_better=("error_rate",),
)
