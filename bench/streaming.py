"""One pair of files that grows: time, speed and peak memory of `evalign score --stream`, against memory where it fits.

    python -m bench.streaming [conllu] [plain] [--sizes 0.1,1,10] [--from GOLD SYSTEM] [--jobs 1,2]

Sizes are gigabytes of each file. Text is invented and repeated, or given files are; the lines of the CoNLL-U are equal,
those of the plain text differ in one character of a hundred. Memory is that of all processes together.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.measure import measure_all
from bench.shelf import Shelf, add_shelf, header, row

EVALIGN = [str(Path(sys.executable).parent / "evalign")]
PARTS = ("conllu", "plain")
# Number of words of the text that is repeated: 21 MB of CoNLL-U, 1.6 MB of plain text.
WORDS = {"conllu": 250_000, "noisy": 250_000}
GIGABYTE = 10**9


def conllu(shelf: Shelf, options: argparse.Namespace) -> None:
    """Measure on CoNLL-U of equal lines, or on the files that were given."""
    if options.given:
        sources = [Path(path) for path in options.given]
        title = " and ".join(path.name for path in sources)
        name = sources[0].stem + "-and-" + sources[1].stem + sources[0].suffix
    else:
        sources = _invented(shelf, "conllu")
        title, name = "invented CoNLL-U, equal lines", "invented.conllu"
    _grow(shelf, options, f"{title}, repeated", name, sources, options.sizes or [0.1, 1, 10])


def plain(shelf: Shelf, options: argparse.Namespace) -> None:
    """Measure on plain text whose lines differ."""
    title = "invented plain text, 1 % of characters wrong, repeated"
    _grow(
        shelf,
        options,
        title,
        "invented.txt",
        _invented(shelf, "noisy"),
        options.plain_sizes or [0.01, 0.1, 1],
    )


def _invented(shelf: Shelf, kind: str) -> list[Path]:
    words = WORDS[kind]
    names = [f"{words}.{side}.{kind}" for side in ("gold", "system")]
    return shelf.get(names, "bench.corpora", kind, words)


def _grow(
    shelf: Shelf,
    options: argparse.Namespace,
    title: str,
    name: str,
    sources: Sequence[Path],
    sizes: Sequence[float],
) -> None:
    print(f"\n{title}\n")
    header(
        "each file",
        "how",
        "time",
        "both files per second",
        "peak memory",
        "largest process",
        "in memory = 1",
        "printed",
    )
    for number, size in enumerate(sizes):
        times = max(1, round(size * GIGABYTE / sources[0].stat().st_size))
        pair = [
            shelf.repeat(source, f"{times}x{source.stat().st_size}.{side}.{name}", times)
            for side, source in zip(("gold", "system"), sources, strict=True)
        ]
        # In memory only at the smallest size, which surely fits.
        _compare(options, [str(path) for path in pair], in_memory=number == 0)
        shelf.remove(pair)


def _compare(options: argparse.Namespace, pair: list[str], *, in_memory: bool) -> None:
    """Measure all ways to score one pair of files."""
    window = ["--window", str(options.window)] if options.window else []
    command = [*EVALIGN, "score", *pair, "--quiet", *options.more]
    ways = {"in memory": [*command, *window]} if in_memory else {}
    ways |= {
        f"streaming, {jobs} job{'s' * (jobs > 1)}": [*command, "--stream", *window, "--jobs", str(jobs)]
        for jobs in options.jobs
    }
    first = None
    for name, each in ways.items():
        cost = measure_all(each)
        first = first or cost
        size = sum(Path(path).stat().st_size for path in pair)
        row(
            f"{Path(pair[0]).stat().st_size / GIGABYTE:.2g} GB",
            name,
            f"{cost.seconds:.1f} s",
            f"{size / 10**6 / cost.seconds:.0f} MB",
            f"{cost.megabytes:.0f} MB",
            f"{cost.largest:.0f} MB",
            f"{cost.seconds / first.seconds:.2f}, memory {cost.megabytes / first.megabytes:.2f}"
            if in_memory
            else "",
            "the same" if cost.printed == first.printed else "DIFFERS",
        )


def _numbers(text: str) -> list[float]:
    return [float(each) for each in text.split(",")]


def _jobs(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def main() -> None:
    """Run the parts named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.streaming",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument(
        "--from", dest="given", nargs=2, metavar=("GOLD", "SYSTEM"), help="repeat these files"
    )
    parser.add_argument(
        "--sizes", type=_numbers, help="of CoNLL-U, or of what is repeated (default 0.1,1,10)"
    )
    parser.add_argument("--plain-sizes", type=_numbers, help="of plain text (default 0.01,0.1,1)")
    parser.add_argument("--jobs", type=_jobs, default=[1, 2], help="numbers of processes (default 1,2)")
    parser.add_argument("--window", type=int, help="of the alignment, in characters (default: evalign's)")
    parser.add_argument("--more", nargs=argparse.REMAINDER, default=[], help="more options of evalign score")
    add_shelf(parser)
    options = parser.parse_args()
    if wrong := [part for part in options.parts if part not in PARTS]:
        parser.error(f"{wrong[0]}: expected one of {', '.join(PARTS)}")
    chosen = options.parts or (["conllu"] if options.given else PARTS)
    with Shelf(options.folder, keep=options.keep) as shelf:
        for part in chosen:
            {"conllu": conllu, "plain": plain}[part](shelf, options)


if __name__ == "__main__":
    main()
