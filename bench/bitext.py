"""Parallel sentences: building as sentences and as pairs grow, mining and scoring as these grow; time and peak memory.

`python -m bench.bitext [--quick]` runs this part alone. Text is invented: words by Zipf's law, and pairs that begin
as some sentence of each corpus does, so that the search finds places for them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.measure import measure

EVALIGN = [str(Path(sys.executable).parent / "evalign")]
LANGUAGES = ("fr", "en")
WORDS = 30_000
SENTENCES_OF_A_DOCUMENT = 20


class Inventor:
    """Invents sentences of two languages that have the same words under different names."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._weights = [1 / (rank + 10) for rank in range(WORDS)]

    def sentences(self, number: int, shortest: int = 10, longest: int = 20) -> list[list[int]]:
        """Return sentences as numbers of words."""
        lengths = [self._random.randint(shortest, longest) for _ in range(number)]
        words = iter(self._random.choices(range(WORDS), self._weights, k=sum(lengths)))
        return [[next(words) for _ in range(length)] for length in lengths]

    def pairs(self, number: int, corpora: list[list[list[int]]]) -> list[tuple[list[int], list[int]]]:
        """Return pairs whose sides begin like a sentence of their corpus and then go on independently."""
        invented = []
        for _ in range(number):
            first, second = (self._random.choice(corpus) for corpus in corpora)
            invented.append((first[:5] + second[5:], second[:5] + first[5:]))
        return invented


def spell(language: str, words: list[int]) -> str:
    """Return a sentence as text."""
    return " ".join(f"{language[0]}{word:x}" for word in words).capitalize() + "."


def write_inputs(folder: Path, n_sentences: int, n_pairs: int) -> Path:
    """Write corpora, pairs and the configuration for `evalign bitext build`.

    Return the configuration's path.
    """
    inventor = Inventor(n_sentences)
    corpora = [inventor.sentences(n_sentences // 2) for _ in LANGUAGES]
    for language, corpus in zip(LANGUAGES, corpora, strict=True):
        with (folder / f"{language}.tsv").open("w", encoding="utf-8", newline="\n") as file:
            for k, words in enumerate(corpus):
                file.write(f"{language}{k // SENTENCES_OF_A_DOCUMENT}\t{spell(language, words)}\n")
    with (folder / "pairs.tsv").open("w", encoding="utf-8", newline="\n") as file:
        for pair in inventor.pairs(n_pairs, corpora):
            file.write("\t".join(spell(*each) for each in zip(LANGUAGES, pair, strict=True)) + "\n")
    config = folder / "config.toml"
    documents = "".join(f'[documents.{language}]\npath = "{language}.tsv"\n' for language in LANGUAGES)
    config.write_text(f'pair = "fr-en"\n[[parallel]]\npath = "pairs.tsv"\n{documents}', encoding="utf-8")
    return config


def write_pairs(folder: Path, number: int) -> tuple[str, str]:
    """Write gold, and a system with scores: three of four of its pairs are correct."""
    gold, system = folder / f"{number}.gold", folder / f"{number}.tsv"
    with gold.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"fr-{k:09d}\ten-{number - k + 1:09d}\n" for k in range(1, number + 1))
    with system.open("w", encoding="utf-8", newline="\n") as file:
        for k in range(1, number + 1):
            other = number - k + (2 if k % 4 == 0 else 1)
            file.write(f"fr-{k:09d}\ten-{other:09d}\t{k * 7919 % 10_007 / 10_007:.4f}\n")
    return str(gold), str(system)


def building(sizes: list[tuple[int, int]], title: str) -> None:
    """Print time and memory of builds for each (sentences, pairs)."""
    print(f"\n{title}")
    print(" sentences      pairs   planted       time   per 100,000 sentences   peak memory")
    for n_sentences, n_pairs in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            # In a process of its own: the peak memory of a child includes what its parent holds.
            with ProcessPoolExecutor(1) as writer:
                config = writer.submit(write_inputs, folder, n_sentences, n_pairs).result()
            cost = measure([*EVALIGN, "bitext", "build", str(config), "-o", str(folder / "built"), "-q"])
            planted = sum(
                path.read_text(encoding="utf-8").count("\n") for path in (folder / "built").glob("*.gold")
            )
        print(f"{n_sentences:10,} {n_pairs:10,} {planted:9,} {cost.seconds:8.1f} s"
              f" {cost.seconds / n_sentences * 1e5:21.2f} s {cost.megabytes:11.0f} MB")  # fmt: skip


def write_mined(folder: Path, n_sentences: int) -> Path:
    """Write a split of a data set, and translations to learn a lexicon from."""
    inventor = Inventor(n_sentences)
    for language in LANGUAGES:
        with (folder / f"fr-en.test.{language}").open("w", encoding="utf-8", newline="\n") as file:
            for number, words in enumerate(inventor.sentences(n_sentences), 1):
                file.write(f"{language}-{number:09d}\t{spell(language, words)}\n")
    lexicon = folder / "lexicon.tsv"
    with lexicon.open("w", encoding="utf-8", newline="\n") as file:
        for words in inventor.sentences(20_000, 5, 10):
            file.write("\t".join(spell(language, words) for language in LANGUAGES) + "\n")
    return lexicon


def mining(sizes: list[int]) -> None:
    """Print time and memory of the lexical baseline for each number of sentences per language."""
    print("\nmining with a lexicon of 20,000 pairs")
    print(" sentences       time   per 1,000 sentences   peak memory")
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with ProcessPoolExecutor(1) as writer:
                lexicon = writer.submit(write_mined, folder, size).result()
            command = [
                "bitext",
                "mine",
                str(folder),
                "--lexicon",
                str(lexicon),
                "-o",
                str(folder / "mined"),
                "-q",
            ]
            cost = measure([*EVALIGN, *command])
        print(
            f"{size:10,} {cost.seconds:8.1f} s {cost.seconds / size * 1e3:19.2f} s {cost.megabytes:11.0f} MB"
        )


def scoring(sizes: list[int]) -> None:
    """Print time and memory of scoring files of pairs with scores."""
    print("\nscoring pairs with scores (start-up included)")
    print("     pairs       time   per million   peak memory")
    with tempfile.TemporaryDirectory() as name:
        for size in sizes:
            gold, system = write_pairs(Path(name), size)
            cost = measure([*EVALIGN, "bitext", "score", gold, system], 3)
            print(
                f"{size:10,} {cost.seconds:8.2f} s {cost.seconds / size * 1e6:11.2f} s {cost.megabytes:11.0f} MB"
            )


def run(*, quick: bool) -> None:
    """Run all parts."""
    sizes = [30_000, 100_000] if quick else [30_000, 100_000, 300_000]
    building([(size, 12_000) for size in sizes], "building, more and more sentences")
    few = 30_000
    pairs = [5_000, 50_000] if quick else [5_000, 50_000, 500_000]
    building([(few, number) for number in pairs], "building, more and more pairs to choose from")
    mining([3_000, 10_000] if quick else [3_000, 10_000, 30_000])
    scoring([10_000, 100_000] if quick else [10_000, 100_000, 1_000_000])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.bitext", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the large sizes")
    run(quick=parser.parse_args().quick)
