"""Losses by stage: each missed or spurious item is charged to the first stage that failed for it.

Both sides have the same characters. A tree is a label and either a word or a list of trees; the outermost
bracket of each tree is not counted.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

from oracles.dependencies import ROOT, Comparison, Treebank, token_spans

STAGES = ("failed parses", "sentences", "tokens", "tags", "structure")
Span = tuple[int, int]
Tree = tuple[str, "str | list[Tree]"]


class Spans(NamedTuple):
    """The content of a file of trees, as spans of characters."""

    sentences: list[Span]
    tags: dict[Span, str]
    brackets: list[tuple[int, int, str]]


def spans_of(trees: list[Tree]) -> Spans:
    """Return all spans of some trees."""
    spans = Spans([], {}, [])
    end = 0
    for _, children in trees:
        start = end
        for child in children:
            end = add_spans(child, end, spans)
        spans.sentences.append((start, end))
    return spans


def add_spans(tree: Tree, start: int, spans: Spans) -> int:
    """Add the spans of one tree that begins at `start`; return where it ends."""
    label, content = tree
    end = start
    if isinstance(content, str):
        end += len(content)
        spans.tags[start, end] = label
        return end
    for child in content:
        end = add_spans(child, end, spans)
    spans.brackets.append((start, end, label))
    return end


def charge_brackets(gold: list[Tree], system: list[Tree]) -> tuple[Counter[str], Counter[str]]:
    """Count missed and spurious brackets by stage."""
    sides = spans_of(gold), spans_of(system)
    missed = Counter(sides[0].brackets) - Counter(sides[1].brackets)
    spurious = Counter(sides[1].brackets) - Counter(sides[0].brackets)
    return (
        Counter(bracket_stage(item, *sides) for item in missed.elements()),
        Counter(bracket_stage(item, *sides[::-1]) for item in spurious.elements()),
    )


def bracket_stage(bracket: tuple[int, int, str], here: Spans, there: Spans) -> str:
    """Return the first stage that failed for a bracket that the other side lacks."""
    start, end, _ = bracket
    (sentence,) = [span for span in here.sentences if span[0] <= start and end <= span[1]]
    if not any(a < sentence[1] and sentence[0] < b for a, b in there.sentences):
        return "failed parses"
    if sentence not in there.sentences:
        return "sentences"
    inside = [span for span in here.tags if start <= span[0] and span[1] <= end]
    if any(span not in there.tags for span in inside):
        return "tokens"
    return "tags" if any(here.tags[span] != there.tags[span] for span in inside) else "structure"


def charge_arcs(compared: Comparison, column: str) -> tuple[Counter[str], Counter[str]]:
    """Count missed and spurious arcs by stage.

    `column` is the one whose values are compared as tags; if it is empty, no tag counts as wrong.
    """
    gold, system = compared.gold, compared.system
    right = {
        (g, s)
        for g, s in compared.pairs
        if compared.are_heads_equal(g, s) and compared.are_labels_equal(g, s)
    }
    partners = dict(compared.pairs), {s: g for g, s in compared.pairs}
    correct = {g for g, _ in right}, {s for _, s in right}
    sides = (gold, compared.gold_parents), (system, compared.system_parents)
    counted = []
    for k in range(2):
        (here, parents), (there, _) = sides[k], sides[1 - k]
        counted.append(
            Counter(
                arc_stage(word, here, there, parents, partners[k], column)
                for word in range(len(here.words))
                if word not in correct[k]
            )
        )
    return counted[0], counted[1]


def arc_stage(
    word: int,
    here: Treebank,
    there: Treebank,
    parents: list[int | None],
    partners: dict[int, int],
    column: str,
) -> str:
    """Return the first stage that failed for the arc of a word."""
    (number,) = [k for k, sentence in enumerate(here.sentences) if word in sentence]
    others = [(tokens[0][0], tokens[-1][1]) for tokens in token_spans(there)]
    tokens = token_spans(here)[number]
    if not any(a < tokens[-1][1] and tokens[0][0] < b for a, b in others):
        return "failed parses"
    if (tokens[0][0], tokens[-1][1]) not in others:
        return "sentences"
    ends = [end for end in (word, parents[word]) if end is not None and end != ROOT]
    if any(end not in partners for end in ends):
        return "tokens"
    if column and any(
        getattr(here.words[end], column) != getattr(there.words[partners[end]], column) for end in ends
    ):
        return "tags"
    return "structure"


def unanalysed(gold: list[Tree], system: list[Tree]) -> int:
    """Count gold sentences without a character on the other side; with equal characters there are none."""
    there = set(chain.from_iterable(range(*span) for span in spans_of(system).sentences))
    return sum(not there & set(range(*span)) for span in spans_of(gold).sentences)
