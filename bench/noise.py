"""Time and memory of scoring texts that differ: noise from 1 to 50 %, shuffled, doubled and unrelated text.

    python -m bench.noise --sizes 0.1,1 --kinds noise-10,unrelated --trees ../evalign-before .

Sizes are millions of characters. `--trees` names two checkouts, each with its kernels compiled; they take turns, and the
ratio is that of the second to the first. Each run is a process of its own: time is the processor's for `evalign.score` on lists of
tokens (sentences and tokens), memory the peak above what the process held before. How the texts are made stands in
`bench.noise_texts`; `equal` differs in one character and shows what everything but alignment takes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bench.noise_texts import KINDS, SOURCES
from bench.shelf import Shelf, add_shelf, header, row

ROOT = Path(__file__).parent.parent


class Run(NamedTuple):
    """Cost and result of scoring one pair; if it failed, `failure` gives the reason."""

    seconds: float = 0.0
    processor: float = 0.0
    n_bytes: int = 0
    n_characters: int = 0
    correct: int = 0
    failure: str = ""


def score_files(gold: str, system: str) -> Run:
    """Score two files in this process, which should be a fresh one."""
    import evalign

    texts = []
    for path in (gold, system):
        with Path(path).open(encoding="utf-8") as lines:
            texts.append([line.split() for line in lines])
    warnings.simplefilter("ignore")
    # Modules loaded and compiled on first use do not count.
    evalign.score([["a", "b"], ["c"]], [["a", "x"], ["c"]], metrics=["sentences", "tokens"])
    _reset_peak()
    before = _memory("VmRSS")
    start, processor = time.perf_counter(), time.process_time()
    result = evalign.score(*texts, metrics=["sentences", "tokens"])
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    peak = max(0, _memory("VmHWM") - before)
    n_characters = sum(len(token) for sentence in texts[0] for token in sentence)
    return Run(seconds, processor, peak, n_characters, int(result["tokens"].correct))


def _reset_peak() -> None:
    """Reset the recorded peak memory of the process (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def _memory(name: str) -> int:
    """Return a field of the process's status in bytes; the peak so far if there is no such file."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


def run_in(tree: Path, pair: list[Path], limit: float) -> Run:
    """Score two files with the evalign of a checkout, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(ROOT)])}
    command = [sys.executable, "-m", "bench.noise", "--score", *map(str, pair)]
    try:
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return Run(failure=f"over {limit:g} s")
    if done.returncode:
        return Run(failure=(done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:80])
    return Run(*json.loads(done.stdout))


def measure(trees: list[Path], pair: list[Path], options: argparse.Namespace) -> list[Run]:
    """Return the run with least processor time for each checkout; the checkouts take turns."""
    best: list[Run | None] = [None] * len(trees)
    for _ in range(options.repeat):
        for k, tree in enumerate(trees):
            quickest = best[k]
            if quickest is not None and quickest.failure:
                continue
            now = run_in(tree, pair, options.limit)
            if quickest is None or now.failure or now.processor < quickest.processor:
                best[k] = now
    return [each for each in best if each is not None]


def _cells(each: Run) -> list[str]:
    if each.failure:
        return [each.failure, "", "", ""]
    return [
        f"{each.processor:.2f} s",
        f"{each.processor / each.n_characters * 1e6:.2f} s",
        f"{each.n_bytes / each.n_characters:.0f}",
        f"{each.correct:,}",
    ]


def _ratios(runs: list[Run]) -> list[str]:
    if len(runs) < 2 or any(each.failure for each in runs):
        return ["", ""] if len(runs) > 1 else []
    first, second = runs
    return [f"{second.processor / first.processor:.2f}", f"{second.n_bytes / max(1, first.n_bytes):.2f}"]


def compare(shelf: Shelf, options: argparse.Namespace) -> list[dict[str, object]]:
    """Measure every script, size and kind; print each row as soon as it is measured."""
    trees = [Path(tree).resolve() for tree in options.trees]
    names = [""] if len(trees) == 1 else [" (1)", " (2)"]
    columns = [
        f"{what}{name}"
        for name in names
        for what in ("time", "per million", "bytes per character", "tokens correct")
    ]
    header(
        "script",
        "characters",
        "kind",
        *columns,
        *(("time, ratio", "memory, ratio") if len(trees) > 1 else ()),
    )
    rows: list[dict[str, object]] = []
    for script in options.scripts:
        for size in options.sizes:
            for kind in options.kinds:
                number = round(size * 1e6)
                files = [f"{script}-{kind}-{number}.{side}.txt" for side in ("gold", "system")]
                pair = shelf.get(files, "bench.noise_texts", script, kind, number)
                runs = measure(trees, pair, options)
                row(script, f"{number:,}", kind, *(c for each in runs for c in _cells(each)), *_ratios(runs))
                rows.append({"script": script, "characters": number, "kind": kind,
                             "runs": [each._asdict() for each in runs]})  # fmt: skip
                shelf.remove(pair)
    return rows


def _some_of(valid: Mapping[str, object]) -> Callable[[str], list[str]]:
    """Make a parser of comma-separated names."""

    def parse(text: str) -> list[str]:
        names = text.split(",")
        if wrong := [name for name in names if name not in valid]:
            raise argparse.ArgumentTypeError(f"{wrong[0]}: expected some of {','.join(valid)}")
        return names

    return parse


def _numbers(text: str) -> list[float]:
    return [float(each) for each in text.split(",")]


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.noise",
        description=__doc__,
        usage="python -m bench.noise --sizes 0.1,1 --trees ../evalign-before .",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--trees", nargs="+", default=[str(ROOT)], metavar="TREE", help="one checkout or two (default: this)"
    )
    parser.add_argument("--scripts", type=_some_of(SOURCES), default=["latin", "japanese"],
                        help=f"of {','.join(SOURCES)} (default latin,japanese)")  # fmt: skip
    parser.add_argument(
        "--sizes", type=_numbers, default=[0.1, 1, 10], help="millions of characters (default 0.1,1,10)"
    )
    parser.add_argument("--kinds", type=_some_of(KINDS), default=list(KINDS),
                        help=f"of {','.join(KINDS)} (default: all)")  # fmt: skip
    parser.add_argument("--repeat", type=int, default=1, help="runs of each, the quickest counts (default 1)")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one run (default 600)")
    parser.add_argument("-o", "--output", help="file for all rows, as JSON")
    parser.add_argument("--score", nargs=2, help=argparse.SUPPRESS)
    add_shelf(parser)
    options = parser.parse_args()
    if options.score:
        print(json.dumps(score_files(*options.score)))
        return
    if len(options.trees) > 2:
        parser.error("--trees: expected one checkout or two")
    with Shelf(options.folder, keep=options.keep) as shelf:
        rows = compare(shelf, options)
    if options.output:
        text = json.dumps({"trees": [Path(tree).name for tree in options.trees], "rows": rows}, indent=1)
        Path(options.output).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
