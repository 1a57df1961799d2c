"""Enhanced dependencies: edges of graphs that both sides have (Bouma et al. 2020).

    $ evalign score gold.conllu system.conllu --metrics elas,eulas

An edge is right if the heads are partners, or both the root, and the labels are the same: with subtypes and lemmas
(elas), or without (eulas). An edge is matched once; the UD tools compare every edge of a word with every other, so
that an edge written twice counts four times (`--edges all`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from evalign.document import IntArray
from evalign.kernels.edges import EdgeColumns, count_matched
from evalign.metrics.comparison import Comparison, CountTable, sum_rows
from evalign.metrics.judgement import share
from evalign.metrics.layer import MATCHED, Layer
from evalign.ud_labels import cut_path


def count_edges(comparison: Comparison, simplify: Callable[[str], str] | None) -> CountTable:
    """Rows of `MATCHED`."""
    gold, system = comparison.judgement.gold.edges, comparison.judgement.system.edges
    paths = share(gold.paths, system.paths, simplify)
    by_place = comparison.options.match == "place"
    in_place, same = comparison.words_in_place, comparison.words_same
    gold_cuts, system_cuts = comparison.word_cuts

    columns = [
        EdgeColumns(side.cuts.data, side.heads.data, numbers.data)
        for side, numbers in ((gold, paths.gold), (system, paths.system))
    ]
    once = comparison.options.edges == "once"

    def count(partners: IntArray) -> IntArray:
        right = count_matched(columns[0], columns[1], np.ascontiguousarray(partners).data, once=once)
        return sum_rows(np.asarray(right), gold_cuts)

    counted = [count(partners) for partners in ((in_place, same) if in_place is not same else (same,))]
    totals = [np.diff(gold.cuts[gold_cuts]), np.diff(system.cuts[system_cuts])]
    return np.stack([counted[0 if by_place else -1], *totals, counted[0], counted[-1]], axis=1)


ELAS = Layer("elas", partial(count_edges, simplify=None), MATCHED, needs=("deps",))
EULAS = Layer("eulas", partial(count_edges, simplify=cut_path), MATCHED, needs=("deps",))
