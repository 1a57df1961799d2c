"""Word pairs of two lines whose characters differ, by loops over words and groups of tokens.

Words with a place are paired as in `oracles.words`. Then each group of aligned tokens whose two sides have
different text is a stretch. Its words are paired by form if that makes more pairs and leaves no paired word
without a partner. Nothing is counted or looked up in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from evalign.alignment.fold import fold_character as fold
from oracles.words import Word, find_multiword_span, pair_inside

NOWHERE = -1
FURTHEST = 8

Pairs = dict[int, int]


class Token(NamedTuple):
    """A token with its text, the numbers of its words, its sentence, and its place."""

    text: str
    words: range
    sentence: int
    start: int
    end: int


class Side(NamedTuple):
    """One document; `forms` and `inner` have one entry per word."""

    tokens: Sequence[Token]
    forms: Sequence[str]
    inner: Sequence[bool]


class Row(NamedTuple):
    """Ranges of words on both sides; the ends are exclusive."""

    gold: int
    gold_end: int
    system: int
    system_end: int

    def swapped(self) -> Row:
        """Exchange gold and system."""
        return Row(self.system, self.system_end, self.gold, self.gold_end)


Group = tuple[range, range]
"""Indices of gold tokens and of system tokens."""


def pair_differing(
    gold: Side, system: Side, groups: Sequence[Group], key: Callable[[str], str] = str.lower
) -> tuple[Pairs, set[int]]:
    """Return system words by gold word, and the gold words that are paired by form.

    `key` maps a form to what is compared.
    """
    pairs, by_form, multiword = pair_placed(gold, system, key)
    groups = [group for group in groups if group[0] and group[1]]
    rows = [
        row
        for number in range(len(groups))
        for row in stretches_of(gold, system, groups, number, pairs, by_form)
    ]
    add_pairs(gold, system, join(rows, multiword), key, pairs, by_form)
    rows = [row for number in range(len(groups)) for row in reach(gold, system, groups, number, pairs)]
    taken = invert(pairs)
    mirrored = [(theirs, ours) for ours, theirs in groups]
    rows += [
        row.swapped() for number in range(len(groups)) for row in reach(system, gold, mirrored, number, taken)
    ]
    add_pairs(gold, system, join(rows, []), key, pairs, by_form)
    return pairs, by_form


def invert(pairs: Pairs) -> Pairs:
    """Return gold words by system word."""
    return {s: g for g, s in pairs.items()}


def pair_placed(gold: Side, system: Side, key: Callable[[str], str]) -> tuple[Pairs, set[int], list[Row]]:
    """Pair the words of tokens that have a place at both ends.

    Returns the pairs, the gold words of pairs made by form, and the stretches with multiword tokens that hold
    these pairs.
    """
    numbers, words = [], []
    for side in (gold, system):
        placed = [token for token in side.tokens if NOWHERE not in (token.start, token.end)]
        numbers.append([word for token in placed for word in token.words])
        words.append(
            [
                Word(token.start, token.end, key(side.forms[word]), side.inner[word])
                for token in placed
                for word in token.words
            ]
        )
    pairs: Pairs = {}
    by_form: set[int] = set()
    multiword = []
    g = s = 0
    while g < len(words[0]) and s < len(words[1]):
        ours, theirs = words[0][g], words[1][s]
        if ours.in_multiword or theirs.in_multiword:
            first_g, first_s, g, s = find_multiword_span(words[0], words[1], g, s)
            for i, j in pair_inside(words[0][first_g:g], words[1][first_s:s]):
                pairs[numbers[0][first_g + i]] = numbers[1][first_s + j]
                by_form.add(numbers[0][first_g + i])
            if first_g < g and first_s < s:
                ends = numbers[0][g - 1] + 1, numbers[1][s - 1] + 1
                multiword.append(Row(numbers[0][first_g], ends[0], numbers[1][first_s], ends[1]))
        elif (ours.start, ours.end) == (theirs.start, theirs.end):
            pairs[numbers[0][g]] = numbers[1][s]
            g, s = g + 1, s + 1
        elif ours.start <= theirs.start:
            g += 1
        else:
            s += 1
    return pairs, by_form, multiword


def stretches_of(
    gold: Side, system: Side, groups: Sequence[Group], number: int, pairs: Pairs, by_form: set[int]
) -> Iterator[Row]:
    """Yield the stretches of one group: extended by its lone tokens, divided at pairs by place."""
    ours, theirs = groups[number]
    excess = count_words(gold, ours) - count_words(system, theirs)
    lacking = min(count_words(system, theirs) - len(theirs), -excess)
    ours = with_lone(gold, [group[0] for group in groups], number, lacking)
    lacking = min(count_words(gold, groups[number][0]) - len(groups[number][0]), excess)
    theirs = with_lone(system, [group[1] for group in groups], number, lacking)
    if text_of(gold, ours) == text_of(system, theirs):
        return
    row = Row(*ends(gold, ours), *ends(system, theirs))
    for gold_word, system_word in sorted(pairs.items()):
        inside = row.gold <= gold_word < row.gold_end or row.system <= system_word < row.system_end
        if inside and gold_word not in by_form:
            yield from check(Row(row.gold, gold_word, row.system, system_word), pairs)
            row = Row(gold_word + 1, row.gold_end, system_word + 1, row.system_end)
    yield from check(row, pairs)


def check(row: Row, pairs: Pairs) -> Iterator[Row]:
    """Yield `row` if both sides have an unpaired word in it."""
    ours = [word for word in range(row.gold, row.gold_end) if word not in pairs]
    theirs = [word for word in range(row.system, row.system_end) if word not in pairs.values()]
    if ours and theirs:
        yield row


def with_lone(side: Side, groups: Sequence[range], number: int, wanted: int) -> range:
    """Extend a group by up to `wanted` lone tokens of the same sentence on each side.

    A lone token is in no group.
    """
    first, end = groups[number].start, groups[number].stop
    in_groups = {token for group in groups for token in group}
    for _ in range(wanted):
        if first > 0 and is_joined(side, first - 1, first) and first - 1 not in in_groups:
            first -= 1
        if end < len(side.tokens) and is_joined(side, end - 1, end) and end not in in_groups:
            end += 1
    return range(first, end)


def is_joined(side: Side, token: int, other: int) -> bool:
    """Return whether two tokens are in the same sentence."""
    return side.tokens[token].sentence == side.tokens[other].sentence


def count_words(side: Side, tokens: range) -> int:
    """Return the number of words in a range of tokens."""
    return sum(len(side.tokens[token].words) for token in tokens)


def ends(side: Side, tokens: range) -> tuple[int, int]:
    """Return the first word of a range of tokens, and the word behind its last one."""
    return side.tokens[tokens[0]].words.start, side.tokens[tokens[-1]].words.stop


def text_of(side: Side, tokens: range) -> str:
    """Return the folded text of a range of tokens."""
    return "".join(fold(character) for token in tokens for character in side.tokens[token].text)


def reach(side: Side, other: Side, groups: Sequence[Group], number: int, pairs: Pairs) -> Iterator[Row]:
    """Yield rows from a group to the nearest lone tokens of the other side.

    Only for a group with a multiword token and an unpaired word.
    """
    own = groups[number][0]
    wanted = count_words(side, own) - len(own)
    if not wanted or all(word in pairs for token in own for word in side.tokens[token].words):
        return
    in_groups = {token for group in groups for token in group[1]}
    for step in (-1, 1):
        last = number
        while 0 <= last < len(groups) and abs(last - number) <= FURTHEST:
            edge = groups[last][1].start - 1 if step < 0 else groups[last][1].stop
            if 0 <= edge < len(other.tokens) and edge not in in_groups:
                first, end = sorted((number, last))
                ours = range(groups[first][0].start, groups[end][0].stop)
                theirs = range(groups[first][1].start, groups[end][1].stop)
                for _ in range(wanted):
                    if step < 0 and theirs.start > 0 and theirs.start - 1 not in in_groups:
                        theirs = range(theirs.start - 1, theirs.stop)
                    if step > 0 and theirs.stop < len(other.tokens) and theirs.stop not in in_groups:
                        theirs = range(theirs.start, theirs.stop + 1)
                if is_joined(other, theirs[0], theirs[-1]):
                    yield Row(*ends(side, ours), *ends(other, theirs))
                break
            last += step


def join(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """Merge rows that share words, together with the rows among `others` that share words with them."""
    joined: list[Row] = []
    waiting = [(row, True) for row in rows] + [(row, False) for row in others]
    while waiting:
        row, wanted = waiting.pop()
        meeting = [one for one in waiting if meets(row, one[0])]
        if meeting:
            for one in meeting:
                waiting.remove(one)
            both = [row, *(one[0] for one in meeting)]
            whole = Row(
                min(one.gold for one in both),
                max(one.gold_end for one in both),
                min(one.system for one in both),
                max(one.system_end for one in both),
            )
            waiting.append((whole, wanted or any(one[1] for one in meeting)))
        elif wanted:
            joined.append(row)
    return sorted(joined)


def meets(row: Row, other: Row) -> bool:
    """Return whether two rows have a word in common, on either side."""
    return (row.gold < other.gold_end and other.gold < row.gold_end) or (
        row.system < other.system_end and other.system < row.system_end
    )


def add_pairs(
    gold: Side, system: Side, rows: Sequence[Row], key: Callable[[str], str], pairs: Pairs, by_form: set[int]
) -> None:
    """Pair the words of each row by form.

    The new pairs replace the old ones if there are more of them and no paired word loses its partner.
    """
    for row in rows:
        ours, theirs = range(row.gold, row.gold_end), range(row.system, row.system_end)
        old = {g: s for g, s in pairs.items() if g in ours or s in theirs}
        if any(g not in ours or s not in theirs for g, s in old.items()):
            continue
        inner = any(gold.inner[word] for word in ours) or any(system.inner[word] for word in theirs)
        spell = key if inner or key is not str.lower else str
        sides = [
            [Word(0, 0, spell(side.forms[word]), in_multiword=True) for word in words]
            for side, words in ((gold, ours), (system, theirs))
        ]
        new = {row.gold + i: row.system + j for i, j in pair_sides(*sides, inner=inner)}
        if len(new) > len(old) and old.keys() <= new.keys() and set(old.values()) <= set(new.values()):
            for word in old:
                del pairs[word]
            pairs.update(new)
            by_form.update(new)


def pair_sides(gold: list[Word], system: list[Word], *, inner: bool) -> list[tuple[int, int]]:
    """Return the longest common subsequence of forms.

    Without multiword tokens, the side whose forms sort first is read as gold, so that swapping the sides
    swaps the pairs.
    """
    # `pair_inside` compares in lower case; numbers instead of forms make it compare them exactly as given.
    texts: dict[str, str] = {}
    left, right = (
        [word._replace(form=texts.setdefault(word.form, str(len(texts)))) for word in words]
        for words in (gold, system)
    )
    if not inner and [word.form for word in system] < [word.form for word in gold]:
        return [(i, j) for j, i in pair_inside(right, left)]
    return pair_inside(left, right)
