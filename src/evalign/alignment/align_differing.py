"""Alignment of two documents whose lines differ; called by `align_documents`.

Both documents are normalised. If the lines are equal then, nothing else is done; otherwise characters are
aligned by their folded forms. An exception list comes last, and is applied only to what does not agree
without it (`rewriting`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from evalign.alignment.alignment import Alignment, PlacedDocument, RewrittenByList, count_equal_line
from evalign.alignment.character_alignment import EQUAL, CharacterPath, align_characters
from evalign.alignment.differences import count_as_read, count_differences
from evalign.alignment.fold import FoldedLine, fold_document
from evalign.alignment.normalize import Rule, apply_rules, normalize_keys, rewrite_exceptions
from evalign.alignment.places import count_equal_before, equal_places, place_characters, place_side
from evalign.document import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.rewriting import Rewrite


def align_differing(
    gold: Document,
    system: Document,
    rules: Sequence[Rule],
    exceptions: Mapping[str, str],
    *,
    window: int | None = None,
    swap: bool | None = None,
) -> Alignment:
    """Align two documents whose lines differ; `window` and `swap` are those of `align_characters`.

    The list `exceptions` is applied only to what does not agree without it.
    """
    sides = (_normalize(gold, rules), _normalize(system, rules))
    folds, path = None, None
    if sides[0].document.line != sides[1].document.line:
        folds = _fold(sides)
        path = align_characters(*folds, window=window, swap=swap)
    alignment = _place(sides, folds, path)
    if exceptions:
        alignment = _apply_exceptions(alignment, sides, folds, path, normalize_keys(exceptions, rules))
    return replace(alignment, rules=tuple(rule.name for rule in rules))


_Pair: TypeAlias = tuple[PlacedDocument, PlacedDocument]
_Folds: TypeAlias = tuple[FoldedLine, FoldedLine]


def normalize_document(document: Document, rules: Sequence[Rule]) -> Document:
    """Return a document with its tokens rewritten by `rules`, the form that is aligned where lines differ."""
    return apply_rules(document, rules)[0]


def _normalize(original: Document, rules: Sequence[Rule]) -> PlacedDocument:
    """Return a document as read and as normalised by `rules`, in positions on the line as its places."""
    document, uses = apply_rules(original, rules)
    return PlacedDocument(
        original, document, equal_places(document), rule_uses=uses, excepted=RewrittenByList()
    )


def _fold(sides: _Pair) -> _Folds:
    gold, system = (fold_document(side.document) for side in sides)
    return gold, system


def _apply_exceptions(
    before: Alignment,
    sides: _Pair,
    folds: _Folds | None,
    path: CharacterPath | None,
    listed: Mapping[str, str],
) -> Alignment:
    """Return `before` with listed tokens rewritten where that makes the two sides agree.

    Rewrites after which a sentence, token or word no longer agrees are dropped, and the rest is tried again.
    """
    from evalign.alignment.rewriting import find_costly, find_rewrites

    rewrites = find_rewrites(before, listed)
    while rewrites:
        after = _rewrite(before, sides, folds, path, rewrites)
        costly = find_costly(before, after, rewrites) if after is not None else set(range(len(rewrites)))
        if after is not None and not costly:
            return after
        rewrites = [one for number, one in enumerate(rewrites) if number not in costly]
    return before


def _rewrite(
    before: Alignment,
    sides: _Pair,
    folds: _Folds | None,
    path: CharacterPath | None,
    rewrites: Sequence[Rewrite],
) -> Alignment | None:
    """Return the alignment after `rewrites` of both sides; None if no path through both can be rebuilt."""
    from evalign.alignment.rewriting import Folds, rebuild_path

    texts: tuple[dict[int, str], dict[int, str]] = ({}, {})
    words: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for one in rewrites:
        for number in range(2):
            texts[number].update(one.tokens[number])
            words[number].update(one.words[number])
    gold, system = (
        replace(
            side,
            document=document,
            places=equal_places(document),
            rule_uses=(*side.rule_uses, *([use] if use else [])),
            excepted=excepted,
        )
        for side, (document, excepted, use) in (
            (side, rewrite_exceptions(side.document, *rewritten_texts))
            for side, *rewritten_texts in zip(sides, texts, words, strict=True)
        )
    )
    if folds is None or path is None or gold.document.line == system.document.line:
        return _place((gold, system), None, None)
    after = _fold((gold, system))
    changed = [one.groups for one in rewrites if any(one.tokens)]
    of_sides = []
    for side, fold, new, document, cuts in zip(
        sides, folds, after, (gold.document, system.document), (before.groups.gold, before.groups.system), strict=True
    ):  # fmt: skip
        rewritten = np.zeros(document.n_tokens, bool)
        for span in changed:
            rewritten[cuts[span.start] : cuts[span.stop]] = True
        of_sides.append(Folds(new, fold.cuts[side.document.cuts], new.cuts[document.cuts], rewritten))
    rebuilt = rebuild_path(path, of_sides[0], of_sides[1])
    return None if rebuilt is None else _place((gold, system), after, rebuilt)


def _place(sides: _Pair, folds: _Folds | None, path: CharacterPath | None) -> Alignment:
    """Build the alignment: places come from `path`, or are positions where the lines are equal."""
    gold, system = sides
    if folds is None or path is None:
        line = gold.document.line
        as_read = count_as_read(gold, system, np.arange(len(line)))
        return Alignment(gold, system, len(line), count_equal_line(line, as_read))
    placed = []
    for side, folded, lengths in zip(sides, folds, (path.gold, path.system), strict=True):
        characters = place_characters(lengths, path.places)
        placed.append(
            replace(
                side,
                places=place_side(side.document, folded.cuts, characters),
                characters=characters,
                folded_cuts=folded.cuts,
                equal_before=count_equal_before(lengths, path.kinds == EQUAL),
            )
        )
    tolerated, partners = count_differences(gold.document, system.document, *folds, path)
    tolerated = tolerated._replace(as_read=count_as_read(gold, system, partners))
    return Alignment(placed[0], placed[1], int(path.places.sum()), tolerated)
