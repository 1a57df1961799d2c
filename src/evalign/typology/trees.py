"""Trees with arcs that cross."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.document import ROOT, IntArray


def find_trees(parents: IntArray, cuts: IntArray) -> npt.NDArray[np.bool_]:
    """Per sentence whether it is a tree: every word has a head or is a root. A sentence without words is none."""
    trees: npt.NDArray[np.bool_] = _count(parents >= ROOT, cuts) == np.maximum(np.diff(cuts), 1)
    return trees


def find_nonprojective(parents: IntArray, cuts: IntArray) -> npt.NDArray[np.bool_]:
    """Per sentence whether it is a tree with at least one non-projective arc.

    An arc is non-projective if a word between head and dependent is not under the head. A tree has such an arc if
    and only if some arc has a word inside whose own head is outside (a root's head is outside of everything): from
    a word inside, the way up passes such a word or ends at the head. So the least and the greatest head of what
    lies inside say it all. They are found for all arcs of up to twice a length at once, so time grows with the
    number of words and the logarithm of the longest arc.
    """
    dependents = np.flatnonzero(parents >= 0)
    heads = parents[dependents]
    first, last = np.minimum(dependents, heads) + 1, np.maximum(dependents, heads)
    inside = last - first
    crossed = np.zeros(len(parents), bool)
    # least[k] and greatest[k] are of the heads of words k up to k + reach.
    least, greatest, reach = parents, parents, 1
    while (inside >= reach).any():
        chosen = np.flatnonzero((inside >= reach) & (inside < 2 * reach))
        start, end = first[chosen], last[chosen]
        low = np.minimum(least[start], least[end - reach])
        high = np.maximum(greatest[start], greatest[end - reach])
        crossed[dependents[chosen]] = (low < start - 1) | (high > end)
        least = np.minimum(least[:-reach], least[reach:])
        greatest = np.maximum(greatest[:-reach], greatest[reach:])
        reach *= 2
    return find_trees(parents, cuts) & (_count(crossed, cuts) > 0)


def _count(mask: npt.NDArray[np.bool_], cuts: IntArray) -> IntArray:
    """How many are true in each sentence."""
    total = np.zeros(len(mask) + 1, np.int64)
    np.cumsum(mask, out=total[1:])
    counts: IntArray = np.diff(total[cuts])
    return counts
