"""Large texts that differ, to time alignment on.

    python -m bench.noise_texts FOLDER SCRIPT KIND CHARACTERS

This writes SCRIPT-KIND-CHARACTERS.gold.txt and .system.txt, a sentence per line. The gold text repeats a
treebank in rounds until it is long enough. Each round takes the sentences in another order and replaces one
token of four by another one of the treebank, so that hardly any sentence is repeated unchanged. If
EVALIGN_DATA is not set, the text is invented.
"""

from __future__ import annotations

import os
import random
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

from bench.alterations import read_tokens
from bench.changes import mark
from bench.corpora import sentences
from bench.similar import fill_in

# The treebank that the text comes from, and one that is unrelated to it.
SOURCES = {
    "latin": ("English-EWT", "English-PUD"),
    "japanese": ("Japanese-GSD", "Japanese-PUD"),
    "han": ("Chinese-PUD", "Japanese-GSD"),
    "korean": ("Korean-GSD", "Korean-PUD"),
    "cyrillic": ("Russian-PUD", "English-EWT"),
}
# First character and number of characters of the scripts of invented text that is not in Latin letters.
_INVENTED = {
    "Japanese": (0x4E00, 3000),
    "Chinese": (0x4E00, 3000),
    "Korean": (0xAC00, 11172),
    "Russian": (0x0430, 32),
}
# In each round one token of this many is replaced.
REPLACED = 4

Text = list[list[str]]


def read_source(name: str, seed: int) -> Text:
    """Return a treebank's test set, or invented text in its script."""
    folder = Path(os.environ.get("EVALIGN_DATA", ""), "ud", f"UD_{name}")
    if paths := sorted(folder.glob("*-test.conllu")):
        return read_tokens(paths[0])
    text = sentences(20_000, seed)
    first, number = _INVENTED.get(name.split("-")[0], (0, 0))
    if not first:
        return text
    return [[_transcribe(token, first, number) for token in sentence] for sentence in text]


def _transcribe(token: str, first: int, number: int) -> str:
    """Write a token in another script: each half becomes one of `number` characters from `first` on."""
    halves = token[: len(token) // 2], token[len(token) // 2 :]
    return "".join(chr(first + zlib.crc32(half.encode()) % number) for half in halves if half)


def grow(source: Text, n_characters: int, rng: random.Random) -> Text:
    """Return a text of about `n_characters` from a shorter one."""
    tokens = [token for sentence in source for token in sentence]
    grown: Text = []
    size = 0
    while True:
        for sentence in rng.sample(source, len(source)):
            changed = [rng.choice(tokens) if rng.random() * REPLACED < 1 else token for token in sentence]
            grown.append(changed)
            size += sum(map(len, changed))
            if size >= n_characters:
                return grown


def add_noise(rate: float) -> Callable[[Text, random.Random], Text]:
    """Make a function that replaces, drops and adds characters at a rate, a third each."""

    def make(text: Text, rng: random.Random) -> Text:
        letters = "".join(token for sentence in text[:2000] for token in sentence)
        spoiled = []
        for sentence in text:
            tokens = [_spoil(token, rate, letters, rng) for token in sentence]
            spoiled.append([token for token in tokens if token] or ["x"])
        return spoiled

    return make


def _spoil(token: str, rate: float, letters: str, rng: random.Random) -> str:
    characters = []
    for c in token:
        draw = rng.random() / rate * 3
        if draw < 1:
            characters.append(rng.choice(letters))
        elif draw < 2:
            continue
        elif draw < 3:
            characters += (c, rng.choice(letters))
        else:
            characters.append(c)
    return "".join(characters)


def add_marks(size: int) -> Callable[[Text, random.Random], Text]:
    """Make a function that puts a mark of `size` characters behind every token."""
    change = mark(size)
    return lambda text, rng: [[str(change(token, rng)) for token in sentence] for sentence in text]


KINDS: dict[str, Callable[[Text, random.Random], Text]] = {
    "equal": lambda text, _: [[*text[0], "x"], *text[1:]],
    "noise-1": add_noise(0.01),
    "noise-10": add_noise(0.1),
    "noise-30": add_noise(0.3),
    "noise-50": add_noise(0.5),
    "shuffled": lambda text, rng: rng.sample(text, len(text)),
    "doubled": lambda text, _: [sentence for sentence in text for _ in range(2)],
    "unrelated": lambda text, _: text,
    "marks-8": add_marks(8),
    "marks-16": add_marks(16),
    "similar": lambda text, _: [sentence for number, sentence in enumerate(text) if number % 100],
}


def make_pair(script: str, kind: str, n_characters: int) -> tuple[Text, Text]:
    """Return gold and system for a script, a kind and a size."""
    own, other = SOURCES[script]
    if kind == "similar":
        sizes = [sum(map(len, sentence)) for sentence in fill_in("log", 100)]
        text = fill_in("log", 100 * n_characters // sum(sizes))
        return text, KINDS[kind](text, random.Random(3))
    text = grow(read_source(own, 1), n_characters, random.Random(1))
    if kind == "unrelated":
        return text, grow(read_source(other, 2), n_characters, random.Random(2))
    return text, KINDS[kind](text, random.Random(3))


def main() -> None:
    """Write both files."""
    folder, script, kind, size = sys.argv[1:]
    for side, text in zip(("gold", "system"), make_pair(script, kind, int(size)), strict=True):
        path = Path(folder, f"{script}-{kind}-{size}.{side}.txt")
        path.write_text("".join(" ".join(s) + "\n" for s in text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
