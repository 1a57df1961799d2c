"""evalb written from its description, slow and plain: trees are lists, all pairs of brackets are compared.

A sentence gives `Counts` or raises `Unreadable`. Where evalb's own behaviour is undefined, so is this: a
superfluous closing bracket, for example, changes no other bracket here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SPACE = rb"[ \t\n\v\f\r]"
TEXT = rb"[^() \t\n\v\f\r]*"
BRACKET = re.compile(rb"\((%s)(?:(%s+)(%s))?" % (TEXT, SPACE, TEXT))


class Unreadable(Exception):
    """Raised for a line that is no tree.

    `is_many` is True if a bracket has more than two elements. `below` is as in `Tree`, up to the point of
    failure.
    """

    def __init__(self, is_many, below):
        self.is_many, self.below = is_many, below


class Tree(NamedTuple):
    leaves: list  # (tag, word)
    brackets: list  # (label, first leaf, end leaf or -1), in opening order
    depth: int  # opening less closing brackets
    below: int  # closing brackets read while the depth was below zero


class Counts(NamedTuple):
    length: int
    status: int
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def cut(text):
    """Cut `text` at its first zero byte, as a C string ends."""
    return text.partition(b"\0")[0]


def read_tree(line):
    leaves, brackets, stack = [], [], []
    depth = below = at = 0
    while at < len(line) and line[at] != 0:
        byte = line[at : at + 1]
        if byte == b"(":
            label, space, word = BRACKET.match(line, at).groups()
            end = at + 1 + len(label) + len(space or b"") + len(word or b"")
            if space and line[end : end + 1] == b")":
                leaves.append((cut(label), cut(word)))
                at = end + 1
                continue
            if word:
                raise Unreadable(line[end : end + 1] != b"(", below)
            stack.append(len(brackets))
            brackets.append((cut(label), len(leaves), -1))
            depth += 1
            at = end
        elif byte == b")":
            below += depth < 0
            depth -= 1
            if stack:
                label, first, _ = brackets[stack[-1]]
                brackets[stack.pop()] = (label, first, len(leaves))
            at += 1
        elif re.match(SPACE, byte):
            at += 1
        else:
            raise Unreadable(False, below)
    return Tree(leaves, brackets, depth, below)


def count(gold, test, parameters):
    """Return evalb's counts for two trees, and its message if the numbers or forms of their words differ.

    evalb's messages about unbalanced brackets are left out.
    """
    length = sum(tag not in parameters.delete_for_length for tag, _ in gold.leaves)
    trouble = any((tree.depth, tree.below) != (0, 0) for tree in (gold, test))
    copies = [[int(tag not in parameters.delete_labels) for tag, _ in tree.leaves] for tree in (gold, test)]
    if not any(copies[1]):
        return Counts(length, 2), b""
    back = [[0] * len(tree.leaves) for tree in (gold, test)]
    if sum(copies[0]) != sum(copies[1]):
        repair_quotes(gold, test, parameters, back)
        copies = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(copies, back, strict=True)]
    words = [
        [leaf for leaf, n in zip(tree.leaves, of, strict=True) for _ in range(n)]
        for tree, of in zip((gold, test), copies, strict=True)
    ]
    if len(words[0]) != len(words[1]):
        return Counts(length, 1), b"Length unmatch (%d|%d)" % (len(words[0]), len(words[1]))
    for (_, a), (_, b) in zip(*words, strict=True):
        if not are_equal(a, b, parameters.eq_words):
            return Counts(length, 1), b"Words unmatch (%s|%s)" % (a, b)
    spans = [kept_spans(*side, parameters) for side in zip((gold, test), copies, back, strict=True)]
    tags = sum(are_equal(a, b, parameters.eq_labels) for (a, _), (b, _) in zip(*words, strict=True))
    return Counts(
        length,
        int(trouble),
        match(*spans, parameters),
        *map(len, spans),
        sum(any(cross(a, b) for a in spans[0]) for b in spans[1]),
        len(words[0]),
        tags,
    ), b""


def are_equal(a, b, pairs):
    return a == b or (a, b) in pairs or (b, a) in pairs


def repair_quotes(gold, test, parameters, back):
    """Note in `back` how often each leaf is put back, as evalb repairs quotes deleted on one side only."""
    quotes = []
    for tree in (gold, test):
        place, marks = 0, []
        for k, (tag, word) in enumerate(tree.leaves):
            is_deleted = tag in parameters.delete_labels
            if tag in parameters.quote_labels and word in (b"'", b'"', b"/"):
                marks.append([place, tag, is_deleted, k])
            place += not is_deleted
        quotes.append(marks)
    for j, b in enumerate(quotes[1]):
        for i, a in enumerate(quotes[0]):
            if a[0] == b[0] and a[1] != b[1] and a[2] != b[2]:
                side, number = (0, i) if a[2] else (1, j)
                back[side][quotes[side][number][3]] += 1
                for quote in quotes[side][number:]:
                    quote[0] += 1
                break


def kept_spans(tree, copies, back, parameters):
    """Return label, start and end of each counted bracket."""
    spans = []
    for label, first, end in tree.brackets:
        span = sum(copies[:first]), sum(copies[:end]) if end >= 0 else sum(back[first:]) - 1
        label = re.match(rb"[^-=]*", label)[0]
        is_deleted = any(are_equal(label, other, parameters.eq_labels) for other in parameters.delete_labels)
        if span[0] != span[1] and not is_deleted:
            spans.append((label, *span))
    return spans


def match(gold, test, parameters):
    free, n = list(test), 0
    for a in gold:
        for b in free:
            is_same = not parameters.labeled or are_equal(a[0], b[0], parameters.eq_labels)
            if a[1:] == b[1:] and is_same:
                free.remove(b)
                n += 1
                break
    return n


def cross(a, b):
    return a[1] < b[1] < a[2] < b[2] or b[1] < a[1] < b[2] < a[2]
