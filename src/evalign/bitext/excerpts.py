"""Excerpts of a data set for people to read: planted sentences among those around them, in both languages.

As in Figure 1 of Zweigenbaum, Sharoff and Rapp (2018). `bitext_excerpts` is the one entry point.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict

from evalign.bitext.dataset import (
    NATIVE,
    PLANTED,
    PROVENANCE_FILE,
    Corpus,
    DataSet,
    SentenceOrigin,
    open_dataset,
    read_gold,
    read_provenance,
)
from evalign.bitext.pairs import EXPECTED_ID, format_id, parse_id
from evalign.bitext.sampling import SEED, draw
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.progress import Progress, no_progress

PAIRS_SHOWN, CONTEXT = 5, 2
"""How many pairs are shown if no id is named, and how many sentences before and after each."""


class ExcerptLine(TypedDict):
    """A sentence in an excerpt."""

    id: str
    text: str
    kind: str | None
    """Either native or planted; null if the split has no gold."""


class ExcerptSide(TypedDict):
    """A sentence in one language and the lines around it in its document.

    Without a provenance table, `document` and all fields behind it are null, and `lines` may be of several
    documents.
    """

    language: str
    id: str
    lines: list[ExcerptLine]
    document: str | None
    """The document that all of `lines` are from."""
    source: str | None
    """The input that the sentence was read from."""
    name: str | None
    """Native: position of the sentence in its document as it was read. Planted: name of its pair."""
    pair_document: str | None
    """Planted: the document that the pair comes from."""
    after: str | None
    """Planted: id of the sentence that the search found for it, which it stands behind."""
    similarity: str | None
    """Planted: search score of that sentence."""


class PairExcerpt(TypedDict):
    """A gold pair with the sentences around it, or a sentence that is in no pair with those around it."""

    split: str
    sides: list[ExcerptSide]
    """Both languages for a pair, one for a sentence that is in no pair."""


def bitext_excerpts(
    folder: str | os.PathLike[str],
    *ids: str,
    pair: str = "",
    split: str = "",
    number: int = PAIRS_SHOWN,
    context: int = CONTEXT,
    seed: int = SEED,
    progress: Progress = no_progress,
) -> list[PairExcerpt]:
    """Return planted pairs of a data set with the sentences around them, in both languages.

    `ids` name sentences of either language, planted or not. Without `ids`, `number` pairs are drawn at random
    by `seed`, from one `split` or from all. Each sentence comes with `context` sentences before and behind
    it, without those of other documents where a provenance table says where documents end. `pair` chooses a
    data set if the folder has several.
    """
    if context < 0 or number < 1:
        message = f"context of {context} sentences, {number} pairs"
        raise CommandError(message, "a context from 0 up, and one pair or more")
    dataset = open_dataset(folder, pair)
    if split and split not in dataset.splits:
        message = f"no split {quote(split)} in {os.fspath(folder)}"
        raise CommandError(message, *suggest(split, dataset.splits))
    wanted = _parse_ids(dataset, ids)
    splits = [_Split(dataset, name) for name in ([split] if split else dataset.splits)]
    chosen = (
        _find_named(dataset, splits, wanted, progress) if ids else _draw_pairs(dataset, splits, number, seed)
    )
    excerpts = [
        PairExcerpt(split=home.name, sides=[_cut_side(home, id, context) for id in pair_ids])
        for home, pair_ids in chosen
    ]
    progress("looking where sentences come from")
    return _add_origins(dataset, excerpts)


class _Split:
    """The corpora and the gold pairs of a split; each corpus is read when it is first asked for."""

    def __init__(self, dataset: DataSet, name: str) -> None:
        self.name = name
        self.languages = dataset.first, dataset.second
        self._dataset = dataset
        gold = read_gold(dataset, name)
        self.pairs = None if gold is None else [gold.ids(k) for k in range(len(gold))]
        self.planted = {id for both in self.pairs or () for id in both}
        self._corpora: dict[str, Corpus] = {}

    def corpus(self, language: str) -> Corpus:
        """Return the corpus of a language."""
        if language not in self._corpora:
            self._corpora[language] = self._dataset.corpus(self.name, language)
        return self._corpora[language]

    def has(self, id: str) -> bool:
        """Return whether the sentence is in the split."""
        language, number = _split_id(id)
        return number in self.corpus(language).places


def _split_id(id: str) -> tuple[str, int]:
    parsed = parse_id(id)
    return parsed or ("", 0)


def _parse_ids(dataset: DataSet, ids: Sequence[str]) -> list[str]:
    """Return `ids` without repetitions; raise `CommandError` for one that cannot be of the data set."""
    for id in ids:
        language, _ = _split_id(id)
        if not language:
            message = f"id {quote(id)}"
            raise CommandError(message, EXPECTED_ID)
        if language not in (dataset.first, dataset.second):
            message = f"id {quote(id)}"
            raise CommandError(message, f"an id of {dataset.first} or {dataset.second}")
    return list(dict.fromkeys(ids))


def _draw_pairs(
    dataset: DataSet, splits: Sequence[_Split], number: int, seed: int
) -> list[tuple[_Split, tuple[str, ...]]]:
    """Draw `number` gold pairs by `seed`; return them in the order of the splits, then of the ids."""
    place = Place(str(dataset.folder))
    if all(split.pairs is None for split in splits):
        named = ", ".join(split.name for split in splits)
        raise InputError(place, f"no gold of {named}", "a file that says which sentences are planted")
    pairs = [(split, ids) for split in splits for ids in split.pairs or ()]
    if not pairs:
        raise InputError(place, "no pair is planted", "gold with at least one pair")
    drawn = sorted(range(len(pairs)), key=lambda k: draw(seed, "show", pairs[k][0].name, *pairs[k][1]))
    return [pairs[k] for k in sorted(drawn[:number])]


def _find_named(
    dataset: DataSet, splits: Sequence[_Split], ids: Sequence[str], progress: Progress
) -> list[tuple[_Split, tuple[str, ...]]]:
    """Return the pairs that contain any of `ids`, each once, in the order of `ids`.

    An id that is in no pair is returned alone. Each comes with its split.
    """
    homes: dict[tuple[str, tuple[str, ...]], _Split] = {}
    partners: dict[str, list[tuple[_Split, tuple[str, ...]]]] = {}
    for split in splits:
        for pair in split.pairs or ():
            for id in pair:
                partners.setdefault(id, []).append((split, pair))
    for id in ids:
        progress(f"looking for {id}")
        if id in partners:
            homes.update({(split.name, pair): split for split, pair in partners[id]})
            continue
        home = next((split for split in splits if split.has(id)), None)
        if home is None:
            where = " or ".join(split.name for split in splits)
            raise InputError(
                Place(str(dataset.folder)), f"no sentence {id} in {where}", "an id of the corpora"
            )
        homes[home.name, (id,)] = home
    return [(split, named) for (_, named), split in homes.items()]


def _cut_side(split: _Split, id: str, context: int) -> ExcerptSide:
    language, number = _split_id(id)
    corpus = split.corpus(language)
    if number not in corpus.places:
        raise InputError(Place(corpus.name), f"no sentence {id}, which gold names", "every id of gold")
    middle = corpus.places[number]
    lines = []
    for k in range(max(0, middle - context), min(len(corpus), middle + context + 1)):
        line_id = format_id(language, corpus.numbers[k])
        kind = None if split.pairs is None else PLANTED if line_id in split.planted else NATIVE
        lines.append(ExcerptLine(id=line_id, text=corpus.texts[k], kind=kind))
    return ExcerptSide(
        language=language,
        id=id,
        lines=lines,
        document=None,
        source=None,
        name=None,
        pair_document=None,
        after=None,
        similarity=None,
    )


def _add_origins(dataset: DataSet, excerpts: Sequence[PairExcerpt]) -> list[PairExcerpt]:
    """Fill in where sentences come from, and remove lines of other documents.

    Does nothing if the data set has no provenance table.
    """
    if not (dataset.folder / PROVENANCE_FILE).is_file():
        return list(excerpts)
    wanted = {line["id"] for excerpt in excerpts for side in excerpt["sides"] for line in side["lines"]}
    origins = {origin.id: origin for origin in read_provenance(dataset.folder) if origin.id in wanted}
    return [
        PairExcerpt(split=excerpt["split"], sides=[_trace(side, origins) for side in excerpt["sides"]])
        for excerpt in excerpts
    ]


def _trace(side: ExcerptSide, origins: Mapping[str, SentenceOrigin]) -> ExcerptSide:
    origin = origins.get(side["id"])
    if origin is None:
        return side
    documents = [origins[line["id"]].document if line["id"] in origins else None for line in side["lines"]]
    middle = [line["id"] for line in side["lines"]].index(side["id"])
    start, end = middle, middle + 1
    while start and documents[start - 1] == origin.document:
        start -= 1
    while end < len(documents) and documents[end] == origin.document:
        end += 1
    return ExcerptSide(
        language=side["language"],
        id=side["id"],
        lines=side["lines"][start:end],
        document=origin.document,
        source=origin.source,
        name=origin.name,
        pair_document=origin.pair_document or None,
        after=origin.after or None,
        similarity=origin.similarity or None,
    )
