"""Small data sets in files as a build writes them; their sentences use few words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalign.bitext.dataset import (
    NATIVE,
    PLANTED,
    PROVENANCE_FILE,
    PROVENANCE_HEADER,
    DataSet,
    SentenceOrigin,
    open_dataset,
)
from evalign.bitext.pairs import format_id

WORDS = {
    "fr": [
        "le",
        "la",
        "un",
        "une",
        "chat",
        "chien",
        "maison",
        "route",
        "mange",
        "voit",
        "porte",
        "grande",
        "petite",
        "avec",
        "pour",
        "dans",
        "sur",
        "vert",
        "bleu",
        "soupe",
    ],
    "en": [
        "the",
        "a",
        "one",
        "cat",
        "dog",
        "house",
        "road",
        "eats",
        "sees",
        "door",
        "large",
        "small",
        "with",
        "for",
        "in",
        "on",
        "green",
        "blue",
        "soup",
        "bread",
    ],
}
Pair = tuple[int, int]


@dataclass
class Split:
    """Sentences of both languages in the order of the text, and the pairs among them by indices from 0."""

    first: list[str]
    second: list[str]
    gold: list[Pair] | None = field(default_factory=list)
    """None if the split has no gold file."""


def make_sentence(language: str, rng: random.Random, length: int | None = None) -> str:
    """Return ten to twenty words with a capital and a full stop."""
    words = rng.choices(WORDS[language], k=length or rng.randint(10, 20))
    return " ".join([words[0].capitalize(), *words[1:]]) + "."


def make_split(size: int = 60, planted: int = 25, seed: int = 1, mark: str = "") -> Split:
    """Return random sentences; the planted ones begin with `mark`."""
    rng = random.Random(seed)
    sides = [[make_sentence(language, rng) for _ in range(size)] for language in ("fr", "en")]
    places = [sorted(rng.sample(range(size), planted)) for _ in sides]
    for side, chosen in zip(sides, places, strict=True):
        for place in chosen:
            side[place] = mark + side[place]
    return Split(*sides, [*zip(*places, strict=True)])


def write_split(folder: Path, split: str, content: Split, *, pair: str = "fr-en", start: int = 1) -> None:
    """Write the three files of a split, or two without gold; ids count from `start`."""
    for language, sentences in zip(pair.split("-"), (content.first, content.second), strict=True):
        lines = [f"{format_id(language, number)}\t{text}\n" for number, text in enumerate(sentences, start)]
        (folder / f"{pair}.{split}.{language}").write_text("".join(lines), encoding="utf-8", newline="\n")
    if content.gold is not None:
        one, two = pair.split("-")
        lines = [f"{format_id(one, start + a)}\t{format_id(two, start + b)}\n" for a, b in content.gold]
        (folder / f"{pair}.{split}.gold").write_text("".join(lines), encoding="utf-8", newline="\n")


def write_dataset(folder: Path, *, pair: str = "fr-en", **splits: Split) -> DataSet:
    """Write a folder with these splits; ids count through all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    start = 1
    for split, content in splits.items():
        write_split(folder, split, content, pair=pair, start=start)
        start += max(len(content.first), len(content.second))
    return open_dataset(folder, pair)


def write_provenance(dataset: DataSet, *, size: int = 10, pair_size: int = 5, named: bool = True) -> None:
    """Write a provenance table.

    Every `size` sentences are one document; every `pair_size` pairs come from one document of pairs.
    """
    lines = [PROVENANCE_HEADER]
    for language in (dataset.first, dataset.second):
        for split in dataset.splits:
            lines += _trace(dataset, split, language, size, pair_size, named=named)
    (dataset.folder / PROVENANCE_FILE).write_text(
        "".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n"
    )


def _trace(
    dataset: DataSet, split: str, language: str, size: int, pair_size: int, *, named: bool
) -> Sequence[str]:
    corpus, gold = dataset.corpus(split, language), dataset.gold(split)
    order = {
        int(number): k for k, number in enumerate(gold.first if language == dataset.first else gold.second)
    }
    rows = []
    for place, number in enumerate(corpus.numbers):
        which = order.get(number)
        document = f"{split} {place // size}"
        id = format_id(language, number)
        if which is None:
            rows.append(SentenceOrigin(id, split, NATIVE, document, "mono.tsv", str(place + 1)))
        else:
            pair_document = f"{split} pairs {which // pair_size}" if named else ""
            name = f"pair {which}"
            rows.append(SentenceOrigin(id, split, PLANTED, document, "pairs.tsv", name, pair_document))
    return ["\t".join(row) for row in rows]
