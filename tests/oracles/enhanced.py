"""Enhanced dependencies, straight from the dependency rules, section 2.5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

from oracles.dependencies import ROOT, Comparison, Counts, Treebank, compare, sentences_of

OUTSIDE = -2


class Edge(NamedTuple):
    """The number of the head among all words, ROOT, or OUTSIDE the sentence; and the steps of the path."""

    head: int
    steps: tuple[str, ...]


def deps_of(deps: str) -> list[tuple[str, str]]:
    """Head and path of each edge, as they stand."""
    if deps == "_":
        return []
    return [(head, path) for head, _, path in (edge.partition(":") for edge in deps.split("|"))]


def edges_of(treebank: Treebank) -> list[list[Edge]]:
    """Per word its edges; those whose head is an empty node are dropped."""
    edges = []
    for sentence in treebank.sentences:
        for number in sentence:
            edges.append([])
            for head, path in deps_of(treebank.words[number].deps):
                if "." not in head:
                    edges[-1].append(Edge(find_head(int(head), sentence), tuple(path.split(">"))))
    return edges


def find_head(head: int, sentence: range) -> int:
    """The number among all words."""
    if head == 0:
        return ROOT
    return sentence[head - 1] if 0 < head <= len(sentence) else OUTSIDE


def cut(edge: Edge) -> Edge:
    """Each step of the path up to its first colon."""
    return edge._replace(steps=tuple(step.split(":")[0] for step in edge.steps))


def are_equal(comparison: Comparison, gold: Edge, system: Edge) -> bool:
    """Whether the heads are aligned or both the root, and all steps are equal. No head outside equals any."""
    if ROOT in (gold.head, system.head):
        return gold == system
    return comparison.gold_of.get(system.head) == gold.head and gold.steps == system.steps


def count_all_pairs(comparison: Comparison, gold: list[Edge], system: list[Edge]) -> int:
    """Every gold edge with every system edge: two on each side that are all equal count four times."""
    return sum(are_equal(comparison, mine, theirs) for mine in gold for theirs in system)


def count_one_to_one(comparison: Comparison, gold: list[Edge], system: list[Edge]) -> int:
    """The largest number of disjoint equal pairs.

    As alignment is one-to-one, equality puts the edges into classes, so taking any
    partner that is left loses nothing.
    """
    left = list(system)
    for mine in gold:
        partner = next((theirs for theirs in left if are_equal(comparison, mine, theirs)), None)
        if partner is not None:
            left.remove(partner)
    return len(system) - len(left)


def count(gold: Treebank, system: Treebank, count_pair: Callable[..., int]) -> dict[str, Counts]:
    """ELAS on the edges as they are, EULAS on cut ones."""
    comparison = compare(gold, system)
    gold_edges, system_edges = edges_of(gold), edges_of(system)
    correct: Counter[str] = Counter()
    for g, s in comparison.pairs:
        mine, theirs = gold_edges[g], system_edges[s]
        correct["ELAS"] += count_pair(comparison, mine, theirs)
        correct["EULAS"] += count_pair(comparison, [*map(cut, mine)], [*map(cut, theirs)])
    totals = sum(map(len, gold_edges)), sum(map(len, system_edges))
    return {name: (correct[name], *totals, None) for name in ("ELAS", "EULAS")}


def udtools_counts(gold: Treebank, system: Treebank) -> dict[str, Counts]:
    """As udtools counts; correct may be more than gold and system."""
    return count(gold, system, count_all_pairs)


def matched_counts(gold: Treebank, system: Treebank) -> dict[str, Counts]:
    """One-to-one: correct is never more than gold or system."""
    return count(gold, system, count_one_to_one)


def collapse(text: str) -> str:
    """CoNLL-U without empty nodes: each path through them between two real words has become one edge.

    The root 0 is an end of paths like a word. The label is the chain of relations
    from the head down to the word, joined by `>`. A path may begin where it ends,
    which gives a self-loop, but goes through no empty node twice. Equal edges from
    different paths all stay.
    """
    collapsed = ""
    for lines in sentences_of(text):
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        incoming = {row[0]: deps_of(row[8]) for row in rows if "." in row[0]}
        for row in rows:
            if "." not in row[0]:
                edges = chain(*(paths_to(*edge, incoming, ()) for edge in deps_of(row[8])))
                row[8] = "|".join(f"{head}:{path}" for head, path in edges) or "_"
                collapsed += "\t".join(row) + "\n"
        collapsed += "\n"
    return collapsed


def paths_to(
    head: str, path: str, incoming: dict[str, list[tuple[str, str]]], passed: tuple[str, ...]
) -> list[tuple[str, str]]:
    """Where a path comes from when it is followed up through empty nodes, and its chain of relations."""
    if "." not in head:
        return [(head, path)]
    if head in passed:
        return []
    paths = []
    for source, step in incoming.get(head, []):
        paths += paths_to(source, f"{step}>{path}", incoming, (*passed, head))
    return paths
