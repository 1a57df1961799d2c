"""Texts whose sentences resemble each other, with some missing or said twice: which are lost, or taken for others.

    python -m bench.similar --sizes 20,60,300

A row is a form and a size. Its text is made by filling the form in with numbers; of the copy 1, 3 or 8 sentences are
missing or said twice, at the start, in the middle, at the end. Every sentence is known by its number: *lost* has no
partner, *wrong* has the partner of another one. The largest numbers over all copies are shown; two a place are to be
expected. Another version of evalign is measured where PYTHONPATH names its source before this one's.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Iterator, Sequence

from bench.shelf import header, row

Sentence = list[str]

_NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal", "Ina", "Jon"]
_PLANTS = ["alder", "beech", "clover", "dill", "elder", "fern", "gorse", "hazel", "ivy", "juniper"]


def _draw(number: int, most: int) -> int:
    return zlib.crc32(str(number).encode()) % most


FORMS: dict[str, Callable[[int], str]] = {
    "weather": lambda k: f"At station {k + 1} the wind in the eastern harbour reached {k * 37 % 29} knots .",
    "trains": lambda k: f"Train number {k} arrived from the coast at {k * 7} in the evening .",
    "law": lambda k: (
        f"( {k + 1} ) Whoever breaks section {_draw(k, 90) + 1} of this law must pay "
        f"a fine of level {_draw(k + 3, 5) + 1} ."
    ),
    "log": lambda k: f"2031-07-{k // 24 % 28 + 1:02} {k % 24:02}:{_draw(k, 60):02} WARN job {_draw(k, 100_000)} took {_draw(k + 3, 900)} ms",
    "list": lambda k: f"{k + 1} . {_PLANTS[_draw(k, 10)]} tea for {_NAMES[_draw(k + 7, 10)]} : {_draw(k, 30) + 3} crowns",
    "code": lambda k: f"def get_{_PLANTS[_draw(k, 10)]}_{k} ( self ) : return self . {_PLANTS[_draw(k + 2, 10)]} [ {_draw(k, 9)} ]",
}  # fmt: skip


def fill_in(name: str, size: int) -> list[Sentence]:
    """Return the first `size` sentences of a form."""
    return [FORMS[name](number).split() for number in range(size)]


def copies(size: int) -> Iterator[list[int]]:
    """Yield the copies of a text of `size` sentences, as numbers of its sentences."""
    numbers = list(range(size))
    for count in (1, 3, 8):
        for place in (0, size // 3, size - count):
            yield numbers[:place] + numbers[place + count :]
            yield numbers[: place + count] + numbers[place:]


def judge(gold: Sequence[Sentence], copy: Sequence[int]) -> tuple[int, int]:
    """Return how many gold sentences that are in a copy are lost, and how many have another one's partner."""
    import evalign

    pairs = [int(number) for number in evalign.align(gold, [gold[k] for k in copy]).sentence_pairs]
    lost = sum(pairs[k] < 0 for k in set(copy))
    return lost, sum(number >= 0 and copy[number] != k for k, number in enumerate(pairs))


def main() -> None:
    """Print a row for each form and size."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.similar", description=__doc__.split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--sizes", default="20,60,300", help="numbers of sentences (default 20,60,300)")
    options = parser.parse_args()
    header("form", "sentences", "copies", "lost, most", "wrong, most", "lost, all", "wrong, all")
    for name in FORMS:
        for size in map(int, options.sizes.split(",")):
            gold = fill_in(name, size)
            found = [judge(gold, copy) for copy in copies(size)]
            lost, wrong = zip(*found, strict=True)
            row(name, size, len(found), max(lost), max(wrong), sum(lost), sum(wrong))


if __name__ == "__main__":
    main()
