"""Scores of bracketed trees on the character line, computed slowly with spans and counters.

`count` gives evalign's counts for two tree files with equal lines. `evalb` gives evalb's counts for two
lines; it is written from a description of how evalb behaves. A preset is any object with the fields of
`evalign.options.Preset`.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate
from typing import NamedTuple

from oracles.spans import strip_white_space

ROOTS = {"TOP", "ROOT", "S1", "VROOT", ""}
EMPTY = "-NONE-"


class Tree(NamedTuple):
    """The words of a tree with their tags, and its brackets.

    A bracket is the index of its first word, the index behind its last one, its label, and whether it is
    outermost.
    """

    words: list[tuple[str, str]]
    brackets: list[tuple[int, int, str, bool]]


def read(text: str, *, empty: str = "drop") -> list[Tree]:
    """Return the trees of `text`, one per outermost bracket, in order.

    Brackets without words are left out.
    """
    stack: list[list] = [[]]
    for piece in re.findall(r"[()]|[^()\s]+", text):
        if piece == "(":
            stack.append([])
        elif piece == ")":
            node = stack.pop()
            stack[-1].append(node)
        else:
            stack[-1].append(piece)
    (roots,) = stack
    trees = [_flatten(root, empty) for root in roots]
    return [tree for tree in trees if tree.words]


def _flatten(root: list, empty: str) -> Tree:
    words: list[tuple[str, str]] = []
    brackets: list[list] = []

    def visit(node: list, is_outermost: bool) -> None:
        if len(node) == 2 and isinstance(node[1], str):
            tag, word = node
            if tag != EMPTY or empty == "keep":
                words.append(("" if tag == EMPTY else strip_white_space(word), tag))
            return
        has_label = bool(node) and isinstance(node[0], str)
        bracket = [len(words), 0, node[0] if has_label else "", is_outermost]
        brackets.append(bracket)
        for child in node[has_label:]:
            visit(child, False)
        bracket[1] = len(words)

    visit(root, True)
    return Tree(words, [tuple(bracket) for bracket in brackets if bracket[0] < bracket[1]])


def are_equal(a: str, b: str, pairs) -> bool:
    """Return whether a chain of `pairs` leads from one label to the other."""
    reached = {a}
    while True:
        more = {y for pair in pairs for x, y in (pair, pair[::-1]) if x in reached} - reached
        if not more:
            return b in reached
        reached |= more


def representative(label: str, pairs) -> str:
    """Return one fixed label for all labels that are equal to `label`."""
    labels = {label, *(x for pair in pairs for x in pair)}
    return min(x for x in labels if are_equal(label, x, pairs))


def cut(label: str, preset) -> str:
    """Return a bracket's label up to its first - or =, if the preset cuts labels."""
    return re.split("[-=]", label)[0] if preset.cut else label


class Placed(NamedTuple):
    """A document in positions of the line: spans of sentences, tokens with tags, and counted brackets."""

    line: str
    sentences: list[tuple[int, int]]
    counted: list[tuple[int, int]]
    """Each sentence from its first to its last counted word; the whole sentence if it has none."""
    tokens: list[tuple[int, int]]
    tags: list[tuple[int, int, str]]
    brackets: list[tuple[int, int, str]]


def place(text: str, preset, *, empty: str = "drop") -> Placed:
    """Place everything that `preset` counts in a text of trees on the line."""
    line = ""
    placed = Placed(line, [], [], [], [], [])
    for tree in read(text, empty=empty):
        ends = [*accumulate((len(word) for word, _ in tree.words), initial=len(line))]
        line += "".join(word for word, _ in tree.words)
        placed.sentences.append((ends[0], ends[-1]))
        # An empty token at the start of a sentence must not coincide with the end of the sentence before.
        behind = [end + (end == ends[0]) / 2 for end in ends]
        placed.tokens.extend((ends[k], behind[k + 1]) for k in range(len(tree.words)))
        kept = [k for k, (_, tag) in enumerate(tree.words) if tag not in preset.delete]
        inner = (ends[kept[0]], ends[kept[-1] + 1]) if kept else (ends[0], ends[-1])
        placed.counted.append(inner)
        for k in kept:
            placed.tags.append((ends[k], behind[k + 1], representative(tree.words[k][1], preset.equal)))
        for first, last, label, is_outermost in tree.brackets:
            inside = [k for k in kept if first <= k < last]
            short = cut(label, preset)
            is_deleted = any(are_equal(short, other, preset.equal) for other in preset.delete)
            is_root = preset.drops_root and is_outermost and label in ROOTS
            if inside and not is_deleted and not is_root:
                shown = representative(short, preset.equal)
                placed.brackets.append((ends[inside[0]], behind[inside[-1] + 1], shown))
    return placed._replace(line=line)


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two spans overlap and neither contains the other."""
    (a, b), (c, d) = one, other
    return a < c < b < d or c < a < d < b


def count(gold_text: str, system_text: str, preset, *, empty: str = "drop") -> dict[str, tuple[int, ...]]:
    """Return counts by metric, named and ordered as in evalign.

    Metrics of spans have correct, gold and system.
    """
    gold, system = place(gold_text, preset, empty=empty), place(system_text, preset, empty=empty)
    assert gold.line == system.line

    def common(mine, theirs):
        return (Counter(mine) & Counter(theirs)).total(), len(mine), len(theirs)

    unlabelled = [[bracket[:2] for bracket in side.brackets] for side in (gold, system)]
    spans = {
        "sentences": common(gold.sentences, system.sentences),
        "tokens": common(gold.tokens, system.tokens),
        "tags": common(gold.tags, system.tags),
        "brackets": common(gold.brackets, system.brackets) if preset.labelled else common(*unlabelled),
    }
    triples = tuple(map(sum, zip(*spans.values(), strict=True)))
    crossing = [mine[0] for mine in unlabelled[1] if any(crosses(mine, other) for other in unlabelled[0])]
    per_sentence = [sum(a <= start < b for start in crossing) for a, b in gold.sentences]
    complete = 0
    for a, b in gold.counted:
        if (a, b) in system.counted:
            mine, theirs = (
                Counter(x if preset.labelled else x[:2] for x in side.brackets if a <= x[0] and x[1] <= b)
                for side in (gold, system)
            )
            complete += mine == theirs
    return {
        **spans,
        "brackets-unlabelled": common(*unlabelled),
        "triples": triples,
        "crossing": (
            len(crossing),
            len(system.brackets),
            len(gold.sentences),
            per_sentence.count(0),
            sum(n <= 2 for n in per_sentence),
        ),
        "complete-match": (complete, len(gold.sentences)),
    }


class Evalb(NamedTuple):
    """Counts of one line as evalb gives them."""

    matched: int
    gold: int
    test: int
    crossing: int
    words: int
    tags: int

    @property
    def is_complete(self) -> bool:
        return self.matched == self.gold == self.test


def evalb(gold_line: str, test_line: str, preset) -> Evalb | None:
    """Return evalb's counts of one line, or None if evalb reports an error or has nothing to score.

    EQ_WORD and QUOTE_LABEL are not supported.
    """
    sides = [_evalb_side(line, preset) for line in (gold_line, test_line)]
    (gold_words, gold_brackets), (test_words, test_brackets) = sides
    if not test_words or [word for word, _ in gold_words] != [word for word, _ in test_words]:
        return None

    def equal(a: str, b: str) -> bool:
        return a == b or any({a, b} == set(pair) for pair in preset.equal)

    free = list(test_brackets)
    matched = 0
    for first, last, label in gold_brackets:
        for other in free:
            if other[:2] == (first, last) and (not preset.labelled or equal(label, other[2])):
                free.remove(other)
                matched += 1
                break
    crossing = sum(any(crosses(t[:2], g[:2]) for g in gold_brackets) for t in test_brackets)
    tags = sum(equal(g[1], t[1]) for g, t in zip(gold_words, test_words, strict=True))
    return Evalb(matched, len(gold_brackets), len(test_brackets), crossing, len(gold_words), tags)


def _evalb_side(line: str, preset):
    """Return the kept words, and the brackets over the indices of these words."""

    def is_deleted(label: str) -> bool:
        return label in preset.delete or any(
            {label, other} == set(pair) for pair in preset.equal for other in preset.delete
        )

    words, brackets = [], []
    for tree in read(line, empty="keep"):
        kept = [k for k, (_, tag) in enumerate(tree.words) if tag not in preset.delete]
        for first, last, label, _ in tree.brackets:
            inside = [len(words) + n for n, k in enumerate(kept) if first <= k < last]
            short = re.split("[-=]", label)[0]
            if inside and not is_deleted(short):
                brackets.append((inside[0], inside[-1] + 1, short))
        words += [tree.words[k] for k in kept]
    return words, brackets


def kept_words(line: str, preset) -> list[int]:
    """Return the indices of the counted words of a line, among all words that are in the text."""
    words = [tag for tree in read(line) for _, tag in tree.words]
    return [k for k, tag in enumerate(words) if tag not in preset.delete]
