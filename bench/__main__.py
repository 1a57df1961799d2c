"""All benchmarks, each as a small table with ratios from this run.

python -m bench [--quick]

A copy of the CoNLL 2018 script is timed too where CONLL18_SCRIPT names it, and evalb where it is on PATH;
`python -m bench.evalb` is that part alone. What takes long or much room is run by itself: `python -m bench.streaming` for
files that memory does not hold, `python -m bench.scaling` for several processes and a cluster, `python -m bench.noise`
for texts that differ a little or altogether. What altered text costs in counts, not in time: `python -m bench.alterations`,
and `python -m bench.similar` where sentences resemble each other.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import bitext, evalb, resampling
from bench.measure import Cost, measure

BIN = Path(sys.executable).parent
EVALIGN = [str(BIN / "evalign")]
SCRIPT = os.environ.get("CONLL18_SCRIPT", "")


def start_up() -> None:
    """Time `evalign --version` against starting Python."""
    python = measure([sys.executable, "-c", "pass"], 9)
    version = measure([*EVALIGN, "--version"], 9)
    print(f"start-up    evalign --version {version.seconds * 1e3:.0f} ms, python {python.seconds * 1e3:.0f} ms, "
          f"ratio {version.seconds / python.seconds:.1f}")  # fmt: skip


def against_others(folder: Path, copies: list[int]) -> None:
    """Run all programs on English-EWT with 5 % of heads, labels and boundaries wrong.

    Left out if EVALIGN_DATA does not have the treebank.
    """
    source = Path(os.environ.get("EVALIGN_DATA", "")) / "systems/udpipe/English-EWT.gold.conllu"
    if not source.is_file():
        print("\nEnglish-EWT, perturbed: left out, EVALIGN_DATA is not set")
        return
    for number in copies:
        gold, system = folder / f"ewt-{number}.gold.conllu", folder / f"ewt-{number}.system.conllu"
        arguments = [str(source), "0.05", "11", str(number), str(gold), str(system)]
        subprocess.run([sys.executable, "-m", "bench.perturb", *arguments], check=True)
        _compare(f"English-EWT, 5 % wrong, {number} times", gold, system)


def on_invented_text(folder: Path, sizes: list[int]) -> None:
    """Run all programs on invented text, which needs no data."""
    for size in sizes:
        gold, system = map(Path, _pair(folder, size))
        _compare(f"invented text, {size:,} words", gold, system)


def _compare(title: str, gold: Path, system: Path) -> None:
    """Run every program on two files, start-up included; ratios are to the closest command of evalign."""
    is_small = gold.stat().st_size < 10_000_000
    ours = {
        name: measure([*EVALIGN, *options, str(gold), str(system)], 5 if is_small else 3)
        for name, options in {
            "evalign conll18 -v": ["conll18", "-v"],
            "evalign udeval -v": ["udeval", "-v"],
            "evalign score": ["score", "-q"],
        }.items()
    }
    theirs = {
        "udtools udeval -v": ("evalign udeval -v", [str(BIN / "udeval"), "-v", str(gold), str(system)]),
        "udtools, no DEPS": (
            "evalign conll18 -v", [str(BIN / "udeval"), "-v", "--no-enhanced", str(gold), str(system)],
        ),
        "udapi eval.Conll17": (
            "evalign conll18 -v",
            [str(BIN / "udapy"), "-q", "read.Conllu", "zone=system", f"files={system}",
             "read.Conllu", "zone=gold", f"files={gold}", "eval.Conll17", "gold_zone=gold"],
        ),
    }  # fmt: skip
    if SCRIPT:
        script = [sys.executable, SCRIPT, "-v", str(gold), str(system)]
        theirs["CoNLL 2018 script"] = ("evalign conll18 -v", script)
    print(f"\n{title} (start-up included)\n{'':24}time     peak memory")
    for name, cost in ours.items():
        print(f"{name:20} {cost.seconds:8.3f} s {cost.megabytes:8.0f} MB")
    for name, (counterpart, command) in theirs.items():
        cost = measure(command, 2 if is_small else 1)
        own = ours[counterpart]
        print(f"{name:20} {cost.seconds:8.2f} s {cost.megabytes:8.0f} MB   {counterpart} is "
              f"{cost.seconds / own.seconds:.0f} times as fast, memory 1/{cost.megabytes / own.megabytes:.1f}")  # fmt: skip
    floor = measure(
        [sys.executable, "-c", f"open({str(gold)!r}, 'rb').read(); open({str(system)!r}, 'rb').read()"], 3
    )
    print(
        f"{'reading the bytes':20} {floor.seconds:8.3f} s {floor.megabytes:8.0f} MB   (Python's start included)"
    )


def growth(folder: Path, sizes: list[int]) -> None:
    """Time evalign on growing files with equal lines, CoNLL-U and plain text."""
    for kind, command in (("conllu", "conll18"), ("conllu", "score"), ("plain", "score")):
        print(f"\ngrowth, evalign {command}, equal lines, {kind}")
        print("     words       time   per million   peak memory   per input byte")
        for size in sizes:
            gold, system = _pair(folder, size, kind)
            cost = measure([*EVALIGN, command, gold, system], 3 if size < 1_000_000 else 1)
            _row(size, cost, Path(gold).stat().st_size + Path(system).stat().st_size)


def differing(folder: Path, sizes: list[int]) -> None:
    """Time the alignment of lines that differ in one character of a hundred."""
    print("\ndiffering lines, 1 % noise, plain text")
    print("characters       time   per million   peak memory   per input byte")
    for size in sizes:
        gold, system = _pair(folder, size // 5, "noisy")
        characters = sum(len(token) for token in Path(gold).read_text(encoding="utf-8").split())
        cost = measure([*EVALIGN, "score", gold, system], 2 if size < 5_000_000 else 1)
        _row(characters, cost, Path(gold).stat().st_size + Path(system).stat().st_size)


def _row(size: int, cost: Cost, input_bytes: int) -> None:
    print(f"{size:10,}  {cost.seconds:7.3f} s  {cost.seconds / size * 1e6:9.3f} s  {cost.megabytes:9.0f} MB"
          f"  {cost.megabytes * 2**20 / input_bytes:9.1f}")  # fmt: skip


def _pair(folder: Path, size: int, kind: str = "conllu") -> tuple[str, str]:
    gold, system = folder / f"{size}.gold.{kind}", folder / f"{size}.system.{kind}"
    if not gold.exists():
        subprocess.run([sys.executable, "-m", "bench.corpora", str(folder), kind, str(size)], check=True)
    return str(gold), str(system)


def main() -> None:
    """Run all benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the large sizes")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start_up()
        against_others(folder, [1] if quick else [1, 40])
        on_invented_text(folder, [25_000] if quick else [25_000, 1_000_000])
        growth(folder, [25_000, 250_000] if quick else [25_000, 250_000, 2_500_000])
        differing(folder, [100_000, 1_000_000] if quick else [100_000, 1_000_000, 10_000_000])
        evalb.run(folder, quick=quick)
        resampling.run(quick=quick)
        bitext.run(quick=quick)


if __name__ == "__main__":
    main()
