"""Intervals and paired tests: time per metric, against scipy's bootstrap, and growth of time and memory.

`python -m bench.resampling` runs this part alone. Times are processor time, the best of several runs, the counts in
memory, imports not included; the peak of memory is that of a process of its own, Python and the counts included.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from bench.measure import measure
from evalign.metrics.registry import METRICS
from evalign.results.ledger import Ledger
from evalign.results.result import Result
from evalign.results.system_result import NoEvidence, Score, SystemResult
from evalign.significance.assessment import assess
from evalign.significance.values import TESTS, Resampling

NAMES = ("tokens", "words", "upos", "xpos", "ufeats", "lemmas", "uas", "las", "clas", "mlas")
UNITS, RESAMPLES = 10_000, 1000


def make_result(n_units: int, n_systems: int, metrics: tuple[str, ...]) -> Result:
    """Return invented counts, different for each metric and system."""
    generator = np.random.default_rng(1)
    gold = generator.integers(5, 40, n_units)
    systems = []
    for number in range(n_systems):
        scores = {}
        for name in metrics:
            metric = METRICS[name]
            correct = generator.binomial(gold, 0.9 + number / 1000)
            counts = {"correct": correct, "gold": gold, "system": correct + generator.binomial(gold, 0.1),
                      "aligned": gold, "in_place": correct, "same_text": correct}  # fmt: skip
            scores[name] = Score(metric, np.stack([counts[field] for field in metric.fields], axis=1))
        ledger = Ledger(1, 0, 0, 0)
        systems.append(SystemResult(f"system {number}", scores, ledger, "", NoEvidence()))
    return Result("gold", tuple(systems), "document", [str(k) for k in range(n_units)])


def best(run: Callable[[], object], repeat: int = 9) -> float:
    """Return the processor time in seconds of the best of several runs.

    One thread does everything, so processor time hides no work.
    """
    times = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def per_metric() -> None:
    """Time one metric alone, and many together, which share the draws."""
    print(f"\nresampling: {RESAMPLES:,} resamples of {UNITS:,} units")
    for metrics, n_systems in ((("tokens",), 1), (NAMES, 1), (NAMES, 6)):
        result = make_result(UNITS, n_systems, metrics)
        for test in ("bootstrap", "randomization") if n_systems > 1 else ("intervals",):
            settings = Resampling(
                resamples=RESAMPLES, test="randomization" if test == "randomization" else "bootstrap"
            )
            seconds = best(lambda r=result, s=settings: assess(r, s))
            print(f"{len(metrics):3} metrics, {n_systems} systems, {test:14} {seconds * 1e3:7.0f} ms"
                  f"   {seconds * 1e3 / len(metrics):6.1f} ms per metric")  # fmt: skip


def many_systems() -> None:
    """Time all pairs of many systems, with 1,000 resamples per pair for each test."""
    print("\nall pairs of systems, 10 metrics, 300 units, 1,000 resamples of each test for each pair")
    for n_systems in (2, 6, 11):
        result = make_result(300, n_systems, NAMES)
        for test in TESTS:
            seconds = best(lambda r=result, t=test: assess(r, Resampling(test=t)), 1)
            print(f"{n_systems:3} systems, {test:14} {seconds:7.2f} s")


def against_scipy() -> None:
    """Time the interval of one F1 against scipy's vectorised bootstrap in batches of 100 resamples."""
    try:
        from scipy import stats
    except ModuleNotFoundError:
        print("scipy's bootstrap: left out, scipy is not installed")
        return
    result = make_result(UNITS, 1, ("tokens",))
    units = result["tokens"].units
    data = tuple(units[:, k].astype(float) for k in range(3))

    def f1(correct: np.ndarray, gold: np.ndarray, system: np.ndarray, axis: int = -1) -> np.ndarray:
        return 2 * correct.sum(axis=axis) / (gold.sum(axis=axis) + system.sum(axis=axis))

    def theirs() -> None:
        stats.bootstrap(
            data, f1, paired=True, n_resamples=RESAMPLES, method="percentile", vectorized=True, batch=100
        )

    own, other = best(lambda: assess(result)), best(theirs, 5)
    print(
        f"scipy.stats.bootstrap, one F1   {other * 1e3:7.0f} ms   evalign's three ratios take 1/{other / own:.1f} of it"
    )


def growth(sizes: list[int]) -> None:
    """Time one metric of two systems, with a paired test, as units grow."""
    print(f"\ngrowth: one metric, two systems, {RESAMPLES:,} resamples, paired bootstrap")
    print("     units       time   per million draws   peak memory")
    for size in sizes:
        result = make_result(size, 2, ("tokens",))
        seconds = best(lambda r=result: assess(r), 5)
        cost = measure([sys.executable, "-m", "bench.resampling", "--units", str(size)])
        print(
            f"{size:10,}  {seconds:7.3f} s  {seconds / size / RESAMPLES * 1e9:13.2f} ms  {cost.megabytes:9.0f} MB"
        )


def errors(runs: int = 1000) -> None:
    """Print how often two equally good systems differ at p < 0.05, and how often 95 % intervals miss 0."""
    print("\nequally good systems: share of runs with p < 0.05, and of intervals of the difference without 0")
    print("     units   bootstrap   randomization   interval")
    for n_units in (2, 5, 10, 20, 50, 100, 200):
        counts = np.zeros(3)
        for seed in range(runs):
            result = make_equals(seed, n_units)
            tests = [
                assess(result, Resampling(resamples=400, test=test)).against_first["tokens"][1]
                for test in ("bootstrap", "randomization")
            ]
            low, high = tests[0].interval
            counts += [tests[0].p < 0.05, tests[1].p < 0.05, not low <= 0 <= high]
        print(f"{n_units:10}   {counts[0] / runs:9.3f}   {counts[1] / runs:13.3f}   {counts[2] / runs:8.3f}")


def make_equals(seed: int, n_units: int) -> Result:
    """Return two systems that find 90 % of the spans of documents, some of which are harder than others."""
    generator = np.random.default_rng(seed)
    gold, ease = generator.integers(20, 200, n_units), generator.beta(18, 2, n_units)
    systems = []
    for number in range(2):
        right = np.clip(ease + generator.normal(0, 0.03, n_units), 0, 1)
        correct = generator.binomial(gold, right)
        predicted = correct + generator.binomial(gold, 1 - right)
        units = np.stack([correct, gold, predicted, correct, correct], axis=1)
        scores = {"tokens": Score(METRICS["tokens"], units)}
        systems.append(SystemResult(str(number), scores, Ledger(1, 0, 0, 0), "", NoEvidence()))
    return Result("gold", tuple(systems), "document", [str(k) for k in range(n_units)])


def run(*, quick: bool) -> None:
    """Run all parts."""
    per_metric()
    many_systems()
    against_scipy()
    growth([1000, 10_000] if quick else [1000, 10_000, 100_000])


def main() -> None:
    """Run all parts, or one size alone."""
    parser = argparse.ArgumentParser(prog="python -m bench.resampling", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the large sizes")
    parser.add_argument(
        "--errors", action="store_true", help="how often the tests are wrong, instead of times"
    )
    parser.add_argument("--units", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.units:
        assess(make_result(arguments.units, 2, ("tokens",)))
    elif arguments.errors:
        errors()
    else:
        run(quick=arguments.quick)


if __name__ == "__main__":
    main()
