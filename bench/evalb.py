"""`evalign evalb` against evalb, if it is on PATH, else against its own plain form.

Growth of `evalb` and `score`.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.measure import measure
from bench.trees import PARAMETERS

EVALIGN = str(Path(sys.executable).parent / "evalign")
# Size in bytes of a large file; 48,000 sentences of GUM are 18 MB.
LARGE = 35_000_000


def pair(folder: Path, n: int) -> list[str]:
    """Return the arguments for files of `n` sentences; make the files if needed."""
    gold, system, said = folder / f"{n}.gold.mrg", folder / f"{n}.system.mrg", folder / "evalb.prm"
    if not gold.exists():
        subprocess.run([sys.executable, "-m", "bench.trees", str(folder), str(n)], check=True)
        said.write_text(PARAMETERS, encoding="utf-8")
    return ["-p", str(said), str(gold), str(system)]


def alternate(commands: dict[str, list[str]], repeat: int) -> dict[str, float]:
    """Return the median time of each command.

    The commands take turns, so that all meet the same conditions.
    """
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def against_evalb(folder: Path, sizes: list[int]) -> None:
    """Time the whole command, start-up included, on a test set and on twenty times as much."""
    print("\nevalb: whole command, start-up included, median")
    other = shutil.which("evalb")
    for n in sizes:
        arguments = pair(folder, n)
        commands = {"evalign evalb": [EVALIGN, "evalb", *arguments]}
        if other:
            commands["evalb"] = [other, *arguments]
        else:
            commands["plain form"] = ["env", "EVALIGN_KERNELS=plain", *commands["evalign evalb"]]
        medians = alternate(commands, (21 if n < 10_000 else 5) if other else 1)
        ours = medians.pop("evalign evalb")
        [(name, theirs)] = medians.items()
        print(f"{n:8,} sentences   evalign evalb {ours:7.3f} s   {name} {theirs:7.3f} s   "
              f"evalign takes {ours / theirs:.2f} of its time")  # fmt: skip


def growth(folder: Path, sizes: list[int], command: str) -> None:
    """Print time and memory of a command on trees as files grow."""
    print(f"\ngrowth, evalign {command}\n sentences       time   per million   peak memory   per input byte")
    for n in sizes:
        arguments = pair(folder, n)
        size = sum(Path(path).stat().st_size for path in arguments[2:])
        asked = [command, *arguments] if command == "evalb" else [command, "-q", *arguments[2:]]
        cost = measure([EVALIGN, *asked], 3)
        print(f"{n:10,}  {cost.seconds:7.3f} s  {cost.seconds / n * 1e6:9.2f} s  {cost.megabytes:9.0f} MB"
              f"  {cost.megabytes * 2**20 / size:9.1f}   ({size / 1e6:.0f} MB)")  # fmt: skip


def scanning(folder: Path) -> None:
    """Time the scanner alone on a tree file of 35 MB; `evalign score` uses the same scanner."""
    code = (
        "import sys, time; from evalign.kernels.tree_scan_cy import LabelTable, TreeScanner;"
        "data = open(sys.argv[1], 'rb').read(); data = data * (int(sys.argv[2]) // len(data) + 1);"
        "best = 9e9\n"
        "for _ in range(5):\n"
        "    scanner = TreeScanner(data, LabelTable(), data.count(b'('), lenient=True); start = time.perf_counter()\n"
        "    assert scanner.scan(0, len(data)) == 0; best = min(best, time.perf_counter() - start)\n"
        "print(f'scanning trees alone: {len(data) / 1e6:.0f} MB, {scanner.n_nodes:,} nodes, {best:.3f} s')"
    )
    gold = pair(folder, 2_400)[2]
    done = subprocess.run(
        [sys.executable, "-c", code, gold, str(LARGE)], capture_output=True, text=True, check=True
    )
    print(f"\n{done.stdout.strip()}")


def run(folder: Path, *, quick: bool) -> None:
    """Run all parts."""
    against_evalb(folder, [2_400] if quick else [2_400, 48_000])
    for command in ("evalb", "score"):
        growth(folder, [2_400, 24_000] if quick else [2_400, 24_000, 90_000], command)
    scanning(folder)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        run(Path(name), quick="--quick" in sys.argv)
