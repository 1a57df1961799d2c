"""What becomes of altered text: untouched tokens and sentences that are lost, and absent ones that are credited.

    python -m bench.alterations --treebanks PUD --sizes 40,400 --kinds ocr,stubs -o after.json
    python -m bench.alterations --show after.json
    python -m bench.alterations --compare before.json after.json --markdown

Every treebank in EVALIGN_DATA/ud is altered in more than a hundred ways (`--list`), and what `evalign.score` says of
the copy is compared with what is known by construction. Sentences that occur twice are left out of the text first.
Another version of evalign is measured where PYTHONPATH names its source before this one's.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, final

from bench import alteration_tables as tables
from bench.construction import Sentences, Text, drop_repeated, expect, judge, system_sentences
from bench.kinds import KINDS, Kind, alter

# Sentences left out between a text and the strangers, if these come from the same treebank.
APART = 100
# Largest number of sentences taken from another text.
MOST_STRANGERS = 2000
# Seconds between two lines of progress, and between two copies of the results so far.
SHOW_EVERY = 2
WRITE_EVERY = 60
# Seconds after which a worker checks whether the process that started it still exists.
ORPHAN_AFTER = 5

Run = dict[str, Any]


class Job(NamedTuple):
    """A treebank, the number of its first sentences to use (0 for all), and a kind of alteration."""

    treebank: str
    size: int
    kind: str


def read_tokens(path: Path) -> list[list[str]]:
    """Return the sentences of a CoNLL-U file as tokens; multiword tokens are not split."""
    sentences: list[list[str]] = []
    tokens: list[str] = []
    covered = 0
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line:
            if tokens:
                sentences.append(tokens)
            tokens, covered = [], 0
        elif not line.startswith("#"):
            number, form, _ = line.split("\t", 2)
            if "." in number:
                continue
            if "-" in number:
                covered = int(number.split("-")[1])
            elif int(number) <= covered:
                continue
            tokens.append("".join(form.split()))
    return sentences


def read_treebanks(folder: Path) -> dict[str, list[list[str]]]:
    """Return the test sets of all treebanks in a folder by name (`English-PUD`).

    Repeated sentences are left out.
    """
    treebanks = {}
    for path in sorted(folder.glob("UD_*/*-test.conllu")):
        treebanks[path.parent.name.removeprefix("UD_")] = drop_repeated(read_tokens(path))
    return treebanks


@final
class Shelf:
    """Texts of any size, with sentences of other treebanks to insert."""

    def __init__(self, treebanks: Mapping[str, list[list[str]]]) -> None:
        self._treebanks = treebanks
        self._frequencies = {name: _frequencies(sentences) for name, sentences in treebanks.items()}

    def get(self, name: str, size: int) -> Text:
        """Return the first sentences of a treebank.

        Foreign text comes from treebanks that are no translation of it.
        """
        whole = self._treebanks[name]
        sentences = whole[: size or len(whole)]
        language, collection = name.split("-", 1)
        others = [other for other in self._treebanks if other != name]
        related = [other for other in others if other.split("-")[0] == language]
        strangers = [s for other in related for s in self._treebanks[other]] or whole[
            len(sentences) + APART :
        ]
        apart = [o for o in others if o.split("-")[0] != language and o.split("-", 1)[1] != collection]
        nearest = max(apart, key=lambda other: self._overlap(name, other), default="")
        foreign = self._treebanks[nearest] if nearest else []
        return Text(sentences, _without(strangers[:MOST_STRANGERS], sentences), foreign[:MOST_STRANGERS])

    def _overlap(self, a: str, b: str) -> float:
        x, y = self._frequencies[a], self._frequencies[b]
        return sum(min(share, y.get(c, 0)) for c, share in x.items())


def _frequencies(sentences: Sentences) -> dict[str, float]:
    counts = Counter("".join(token for sentence in sentences for token in sentence))
    return {c: n / counts.total() for c, n in counts.items()}


def _without(strangers: Sentences, sentences: Sentences) -> list[Sequence[str]]:
    excluded = {tuple(sentence) for sentence in sentences}
    return [sentence for sentence in strangers if tuple(sentence) not in excluded]


def measure(kind: Kind, text: Text, seed: str) -> dict[str, object] | None:
    """Alter a text, score it, and compare with what is expected; None if the kind changes nothing."""
    import evalign

    rows = alter(kind, text, seed)
    if rows is None:
        return None
    expectation = expect(text.sentences, rows)
    gold, system = [list(sentence) for sentence in text.sentences], system_sentences(rows)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = evalign.score(gold, system, metrics=["sentences", "tokens"])
    seconds = time.perf_counter() - start
    units = {name: _units(result, name, len(gold)) for name in ("sentences", "tokens")}
    sentences, tokens = result["sentences"], result["tokens"]
    return {
        "kept": round(expectation.kept, 4),
        "seconds": round(seconds, 3),
        "sentences": judge(
            units["sentences"],
            expectation.sentences,
            expectation.sentences_allowed,
            len(gold),
            sentences.system,
        )._asdict(),
        "tokens": judge(
            units["tokens"], expectation.tokens, expectation.tokens_allowed, tokens.gold, tokens.system
        )._asdict(),
    }


def describe(kind: Kind, treebank: str, size: int) -> dict[str, object]:
    """Return the columns of a row that describe its text."""
    return {
        "treebank": treebank,
        "size": size or "all",
        "kind": kind.name,
        "family": kind.family,
        "ordered": kind.is_ordered,
        "unrelated": kind.is_unrelated,
    }


def _units(result: object, metric: str, n_sentences: int) -> list[tuple[int, int]]:
    """Return the gold sentences and the correct count of a metric in every stretch.

    If there are no stretches, the whole text is one.
    """
    try:
        sizes = [int(row[1]) for row in result["sentences"].units]  # type: ignore[index]
        correct = [int(row[0]) for row in result[metric].units]  # type: ignore[index]
    except (AttributeError, TypeError):
        sizes, correct = [], []
    if sum(sizes) != n_sentences or len(sizes) != len(correct):
        return [(n_sentences, result[metric].correct)]  # type: ignore[index]
    return list(zip(sizes, correct, strict=True))


def _work(treebanks: Mapping[str, list[list[str]]], pipe: Connection) -> None:
    """Measure the jobs that come through a pipe until None comes."""
    shelf = Shelf(treebanks)
    # The treebanks stay in memory; freezing keeps the garbage collector from scanning them again and again.
    gc.freeze()
    texts: dict[tuple[str, int], Text] = {}
    # Modules loaded on first use are not to be timed.
    measure(KINDS["ocr-30"], Text([["a", "word", "."], ["another", "one", "."]]), "")
    parent = os.getppid()
    while True:
        while not pipe.poll(ORPHAN_AFTER):
            if os.getppid() != parent:
                return
        job = pipe.recv()
        if job is None:
            return
        where = job[:2]
        if where not in texts:
            texts = {where: shelf.get(*where)}
        try:
            pipe.send(measure(KINDS[job.kind], texts[where], f"{job.treebank} {job.size}"))
        except Exception as error:  # noqa: BLE001 - whatever a version of evalign raises is a row of the table
            pipe.send({"error": f"{type(error).__name__}: {error}"[:300]})


@dataclass
class _Worker:
    """A process with its current job and the job's deadline."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    job: Job | None = None
    deadline: float = 0.0


@final
class Pool:
    """Worker processes that measure; a worker that takes too long is killed and replaced."""

    def __init__(self, treebanks: Mapping[str, list[list[str]]], jobs: int, limit: float) -> None:
        self._treebanks, self._limit = treebanks, limit
        self._workers = [self._start() for _ in range(jobs)]

    def _start(self) -> _Worker:
        here, there = multiprocessing.Pipe()
        process = multiprocessing.Process(target=_work, args=(self._treebanks, there), daemon=True)
        process.start()
        there.close()
        return _Worker(process, here)

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, dict[str, object] | None]]:
        """Yield all jobs with their results, in the order in which they end."""
        waiting = list(reversed(jobs))
        while True:
            for worker in self._workers:
                if worker.job is None and waiting:
                    worker.job = waiting.pop()
                    worker.deadline = time.monotonic() + self._limit
                    worker.pipe.send(worker.job)
            busy = [worker for worker in self._workers if worker.job is not None]
            if not busy:
                break
            remaining = min(worker.deadline for worker in busy) - time.monotonic()
            ready = wait([worker.pipe for worker in busy], max(0.0, remaining))
            for worker in busy:
                if worker.pipe in ready or time.monotonic() >= worker.deadline:
                    job, outcome = worker.job, self._receive(worker)
                    assert job is not None
                    yield job, outcome
        for worker in self._workers:
            worker.pipe.send(None)
            worker.process.join()

    def _receive(self, worker: _Worker) -> dict[str, object] | None:
        if worker.pipe.poll():
            try:
                outcome = worker.pipe.recv()
            except EOFError:
                outcome = {"error": "the process ended"}
            else:
                worker.job = None
                return outcome
        else:
            outcome = {"error": f"not done in {self._limit:g} s"}
        worker.process.kill()
        worker.process.join()
        self._workers[self._workers.index(worker)] = self._start()
        return outcome


def choose(names: Sequence[str], wanted: str, families: Mapping[str, str] | None = None) -> list[str]:
    """Return the names that contain one of the wanted parts or belong to a wanted family.

    All if none is wanted.
    """
    parts = [part for part in wanted.split(",") if part]
    families = families or {}
    matches = [n for n in names if not parts or any(p in n or p == families.get(n) for p in parts)]
    if not matches:
        sys.exit(f"nothing is called {wanted}: expected parts of {', '.join(names)}")
    return matches


def run(options: argparse.Namespace) -> Run:
    """Measure what the options ask for, small texts first; write the results so far now and then."""
    treebanks = read_treebanks(Path(os.environ.get("EVALIGN_DATA", ""), "ud"))
    if not treebanks:
        sys.exit("no treebanks: expected EVALIGN_DATA to name a folder with ud/UD_*/*-test.conllu")
    families = {name: kind.family for name, kind in KINDS.items()}
    jobs = [
        Job(treebank, 0 if size == "all" else int(size), kind)
        for size in options.sizes.split(",")
        for treebank in choose(list(treebanks), options.treebanks)
        if size == "all" or int(size) < len(treebanks[treebank])
        for kind in choose(list(KINDS), options.kinds, families)
    ]
    record: Run = {"seconds": 0.0, "limit": options.limit, **_version(), "rows": []}
    if options.resume and Path(options.output).exists():
        record = json.loads(Path(options.output).read_text(encoding="utf-8"))
        done = {(each["treebank"], each["size"], each["kind"]) for each in record["rows"]}
        jobs = [job for job in jobs if (job.treebank, job.size or "all", job.kind) not in done]
    before, start = record["seconds"], time.monotonic()
    shown = written = start
    for number, (job, outcome) in enumerate(Pool(treebanks, options.jobs, options.limit).run(jobs), 1):
        if outcome is not None:
            record["rows"].append({**describe(KINDS[job.kind], job.treebank, job.size), **outcome})
        now = time.monotonic()
        record["seconds"] = round(before + now - start, 1)
        if now - shown > SHOW_EVERY or number == len(jobs):
            shown = now
            text = f"{number:,} of {len(jobs):,}, {now - start:.0f} s, {job.treebank} {job.size or 'all'}"
            print(f"\r{text:60}", end="", file=sys.stderr, flush=True)
        if now - written > WRITE_EVERY:
            written = now
            write(record, options.output)
    print(file=sys.stderr)
    order = {name: number for number, name in enumerate(KINDS)}
    record["rows"].sort(key=lambda each: (each["treebank"], str(each["size"]), order[each["kind"]]))
    write(record, options.output)
    return record


def write(record: Run, path: str) -> None:
    """Write a run as JSON with one row per line; do nothing if `path` is empty."""
    if path:
        start = json.dumps({name: value for name, value in record.items() if name != "rows"})[:-1]
        lines = ",\n".join(json.dumps(each) for each in record["rows"])
        new = Path(path + ".new")
        new.write_text(f'{start}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        new.replace(path)


def _version() -> dict[str, object]:
    import evalign
    from evalign.kernels import is_compiled

    return {"evalign": evalign.__version__, "compiled": is_compiled()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.alterations",
        description=__doc__,
        usage="python -m bench.alterations --sizes 40,400 --kinds ocr,stubs -o after.json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--treebanks", default="", help="parts of their names, with commas (default: all)")
    parser.add_argument("--kinds", default="", help="families or parts of names, with commas (default: all)")
    parser.add_argument("--sizes", default="40,400,all", help="numbers of sentences (default 40,400,all)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one text (default 120)")
    parser.add_argument("-o", "--output", default="", help="file for all rows, as JSON")
    parser.add_argument("--resume", action="store_true", help="go on with what is in the file already")
    parser.add_argument("--list", action="store_true", help="print the kinds and stop")
    parser.add_argument("--show", metavar="JSON", help="print the tables of a run that was kept")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"), help="print two runs side by side")
    parser.add_argument("--by", choices=("kind", "family"), default="kind", help="rows of the comparison")
    parser.add_argument("--markdown", action="store_true", help="print the comparison as Markdown")
    return parser


def main() -> None:
    """Run the action that the command line asks for."""
    options = _parser().parse_args()
    if options.list:
        for name, kind in KINDS.items():
            print(f"{kind.family:12} {name}{'' if kind.is_ordered else '  (other order)'}")
    elif options.compare:
        before, after = (json.loads(Path(path).read_text(encoding="utf-8")) for path in options.compare)
        tables.print_comparison(before, after, by=options.by, markdown=options.markdown)
    elif options.show:
        tables.print_summary(json.loads(Path(options.show).read_text(encoding="utf-8")))
    else:
        tables.print_summary(run(options))


if __name__ == "__main__":
    main()
