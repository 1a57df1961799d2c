"""The same work with one process and with two: time, and peak memory of all processes.

    python -m bench.scaling [pair] [small] [folder] [bitext] [--quick]

Commands that are compared take turns; the best run of each counts. Ratios are of the first row of each table.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.measure import measure_in_turn
from bench.shelf import Shelf, add_shelf, header, row

EVALIGN = [str(Path(sys.executable).parent / "evalign")]
WAYS = {"1 job": ["--jobs", "1"], "2 jobs": ["--jobs", "2"]}


def pair(shelf: Shelf, options: argparse.Namespace) -> None:
    """Measure one pair of files of ten million words."""
    words = 1_000_000 if options.quick else 10_000_000
    files = _pair(shelf, words)
    title = f"one pair of CoNLL-U, {words:,} words"
    command = [*EVALIGN, "score", *files, "-q"]
    _compare(title, {name: [*command, *way] for name, way in WAYS.items()}, options.repeat)


def small(shelf: Shelf, options: argparse.Namespace) -> None:
    """Measure one pair of the usual size of a test set, where start-up takes most of the time."""
    words = 25_000
    files = _pair(shelf, words)
    title = f"one pair of CoNLL-U, {words:,} words"
    ways = {"no option": [], "1 job": WAYS["1 job"], "2 jobs": WAYS["2 jobs"]}
    commands = {name: [*EVALIGN, "score", *files, "-q", *way] for name, way in ways.items()}
    _compare(title, commands, 3 * options.repeat)


def folder(shelf: Shelf, options: argparse.Namespace) -> None:
    """Measure a folder of treebanks of different sizes."""
    number, words = (40, 25_000) if options.quick else (40, 250_000)
    name = f"treebanks-{number}-{words}"
    [path] = shelf.get([name], "bench.making", "treebanks", name, number, words)
    title = f"{number} treebanks of {words // 10:,} to {words * 19 // 10:,} words"
    command = [*EVALIGN, "score", str(path / "gold"), str(path / "system"), "-q"]
    _compare(title, {name: [*command, *way] for name, way in WAYS.items()}, options.repeat)


def bitext(shelf: Shelf, options: argparse.Namespace) -> None:
    """Measure planting, which is most of a build, and mining."""
    sentences, pairs = (30_000, 12_000) if options.quick else (100_000, 50_000)
    name = f"build-{sentences}-{pairs}"
    [path] = shelf.get([name], "bench.making", "build", name, sentences, pairs)
    target = shelf.scratch("built")
    command = [*EVALIGN, "bitext", "build", str(path / "config.toml"), "-o", str(target), "-q"]
    title = f"building, {sentences:,} sentences, {pairs:,} pairs"
    _compare(title, {way: [*command, *how] for way, how in WAYS.items()}, options.repeat, target)

    each = 10_000 if options.quick else 30_000
    name = f"mine-{each}"
    [path] = shelf.get([name], "bench.making", "mine", name, each)
    lexicon, target = path / "lexicon.tsv", shelf.scratch("mined")
    command = [*EVALIGN, "bitext", "mine", str(path), "--lexicon", str(lexicon), "-o", str(target), "-q"]
    title = f"mining, {each:,} sentences of each language"
    _compare(title, {way: [*command, *how] for way, how in WAYS.items()}, options.repeat, target)


def _pair(shelf: Shelf, words: int) -> list[str]:
    names = [f"{words}.{side}.conllu" for side in ("gold", "system")]
    return [str(path) for path in shelf.get(names, "bench.corpora", "conllu", words)]


def _compare(title: str, commands: Mapping[str, list[str]], repeat: int, written: Path | None = None) -> None:
    """Print a table of commands that do the same work."""
    print(f"\n{title}; {os.cpu_count()} processors\n")
    header(
        "how",
        "time",
        "times as fast",
        "processor time",
        "peak memory",
        "memory",
        "largest process",
        "printed",
    )
    costs = measure_in_turn(commands, repeat, written)
    first = next(iter(costs.values()))
    for name, cost in costs.items():
        row(
            name,
            f"{cost.seconds:.2f} s",
            f"{first.seconds / cost.seconds:.2f}",
            f"{cost.processor:.2f} s",
            f"{cost.megabytes:.0f} MB",
            f"{cost.megabytes / first.megabytes:.2f}",
            f"{cost.largest:.0f} MB",
            "the same" if cost.printed == first.printed else "DIFFERS",
        )


PARTS = {"pair": pair, "small": small, "folder": folder, "bitext": bitext}


def main() -> None:
    """Run the parts named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scaling",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each command (default 3)")
    add_shelf(parser)
    options = parser.parse_args()
    if wrong := [part for part in options.parts if part not in PARTS]:
        parser.error(f"{wrong[0]}: expected one of {', '.join(PARTS)}")
    with Shelf(options.folder, keep=options.keep) as shelf:
        for part in options.parts or PARTS:
            PARTS[part](shelf, options)


if __name__ == "__main__":
    main()
