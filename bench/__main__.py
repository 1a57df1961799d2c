"""All benchmarks, each as a small table with ratios from this run.

python -m bench [--quick]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import Cost, measure

BIN = Path(sys.executable).parent
EVALIGN = [str(BIN / "evalign")]


def start_up() -> None:
    """evalign --version against starting Python."""
    python = measure([sys.executable, "-c", "pass"], 9)
    version = measure([*EVALIGN, "--version"], 9)
    print(f"start-up    evalign --version {version.seconds * 1e3:.0f} ms, python {python.seconds * 1e3:.0f} ms, "
          f"ratio {version.seconds / python.seconds:.1f}")  # fmt: skip


def against_udtools(folder: Path, sizes: list[int]) -> None:
    """The same files through evalign score and udtools' eval, start-up included."""
    print(
        "\nagainst udtools (CoNLL-U, start-up included)\n     words    evalign    udtools   faster   memory: evalign  udtools"
    )
    for size in sizes:
        gold, system = _pair(folder, size)
        _against(size, gold, system, 5 if size < 100_000 else 1)


def on_treebanks(folder: Path) -> None:
    """English-EWT and a real system's output for it, once and forty times, where EVALIGN_DATA has them."""
    source = Path(os.environ.get("EVALIGN_DATA", "")) / "systems/udpipe"
    if not (source / "English-EWT.conllu").is_file():
        print("\nEnglish-EWT against UDPipe: left out, EVALIGN_DATA is not set")
        return
    print("\nEnglish-EWT against UDPipe (start-up included)")
    print("    copies    evalign    udtools   faster   memory: evalign  udtools")
    for copies in (1, 40):
        pair = []
        for name in ("English-EWT.gold.conllu", "English-EWT.conllu"):
            path = folder / f"{copies}.{name}"
            with path.open("wb") as out:
                for _ in range(copies):
                    out.write((source / name).read_bytes())
            pair.append(str(path))
        _against(copies, *pair, repeat=5 if copies == 1 else 1)


def _against(size: int, gold: str, system: str, repeat: int) -> None:
    ours = measure([*EVALIGN, "score", gold, system], max(repeat, 2))
    theirs = measure([str(BIN / "udeval"), "--no-enhanced", gold, system], min(repeat, 2))
    print(f"{size:10,}  {ours.seconds:7.3f} s  {theirs.seconds:7.2f} s  {theirs.seconds / ours.seconds:6.0f}x"
          f"          {ours.megabytes:7.0f}  {theirs.megabytes:7.0f} MB")  # fmt: skip


def growth(folder: Path, sizes: list[int]) -> None:
    """evalign against itself as files grow: equal lines, CoNLL-U and plain text."""
    for kind in ("conllu", "plain"):
        print(
            f"\ngrowth, equal lines, {kind}\n     words       time   per million   peak memory   per input byte"
        )
        for size in sizes:
            gold, system = _pair(folder, size, kind)
            cost = measure([*EVALIGN, "score", gold, system], 3 if size < 1_000_000 else 1)
            _row(size, cost, Path(gold).stat().st_size + Path(system).stat().st_size)


def differing(folder: Path, sizes: list[int]) -> None:
    """Alignment of lines that differ in one character of a hundred."""
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
    """Run them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the large sizes")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start_up()
        on_treebanks(folder)
        against_udtools(folder, [25_000] if quick else [25_000, 1_000_000])
        growth(folder, [25_000, 250_000] if quick else [25_000, 250_000, 2_500_000])
        differing(folder, [100_000, 1_000_000] if quick else [100_000, 1_000_000, 10_000_000])


if __name__ == "__main__":
    main()
