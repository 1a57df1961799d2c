"""Every way to a result, and what is the same in all of them.

A `Case` is one call: texts and options. `check_every_way` writes the texts to files, gets the result of the
whole text in memory, and compares with it what every other way gives. The differences that are allowed are
in this module and nowhere else.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commands import Done
from evalign import Scorer, load_saved, score_collection
from evalign.alignment.alignment import MOST_PLACES
from evalign.cli import main
from evalign.cli.output import spell_flags
from evalign.errors import EvalignError, spell_with
from evalign.files import write_json
from evalign.metrics.metric import MOST_PASSAGES
from evalign.results.evidence import error_json
from evalign.scoring.request import MOST_UNITS, Execution, make_request, resolve
from evalign.scoring.run import run
from evalign.scoring.scorer import MOST_KEPT_WARNINGS

# True: errors that were kept of parts may lack the words of context beyond a cut; and where there are more
# errors or passages than are kept, parts may keep other ones. False: they are those of the whole.
CUTS_MAY_SHOW = True

FOLDERS = ("gold", "one", "two")
RAW = "raw/text.raw"
EVIDENCE = ("evidence", "breakdowns", "groups", "breakdown_units", "passages", "marks", "losses")


@dataclass(frozen=True)
class Case:
    """One call: the texts of gold and of the systems, and what is asked."""

    texts: tuple[str, ...] = field(repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    raw: str = ""
    window: int | None = None
    keeps_errors: bool = True
    passages: int | None = MOST_PASSAGES
    most_units: int = MOST_UNITS

    def _repr_pretty_(self, printer, _cycle):
        """Have Hypothesis show a case without its texts, which are long."""
        printer.text(repr(self))

    @property
    def files(self):
        """The paths of gold and of the systems."""
        return [f"{folder}/text.txt" for folder in FOLDERS[: len(self.texts)]]

    @property
    def raw_file(self):
        """The path of the raw text; None if there is none."""
        return RAW if self.raw else None

    @property
    def needs_whole(self):
        """True if something is asked that is refused of parts."""
        names, options = {*self.options.get("metrics", ())}, self.options
        return bool(
            self.raw
            or options.get("average") == "sentence"
            or options.get("strategy") == "printed"
            or names & {"all", "pk"}
            or ("content" in names and "relations" not in options)
        )


# The ways. Each gives a result, or what is saved of it; what is refused is an error.


def score(case, *, window=None, **execution):
    """Score in memory, or as `execution` says."""
    request = make_request(
        case.files,
        resolve(**case.options),
        raw=case.raw_file,
        by=case.by,
        window=window,
        has_evidence=case.keeps_errors,
        passages=case.passages,
    )
    return run(request._replace(most_units=case.most_units), Execution(**execution))


def score_folder(case):
    """Score folders of one treebank; a system that failed is an error, as it is for a file."""
    kept = {"evidence": "keep" if case.keeps_errors else "drop", "passages": case.passages}
    raw = "raw" if case.raw else None
    parts = score_collection(*map(os.path.dirname, case.files), raw=raw, **kept, **case.options)
    [result] = parts.results.values()
    for system in result.systems:
        if system.failure:
            raise EvalignError(system.failure)
    return result


def update_scorer(case):
    """Update a scorer once."""
    scorer = Scorer(**case.options)
    scorer.update(*case.files, raw=case.raw_file)
    return scorer.result()


def run_here(arguments):
    """Run a command in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        status = main(arguments)
    return Done(status, *(stream.buffer.getvalue().decode() for stream in streams))


def run_process(arguments):
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "evalign", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def score_by_command(case, run, **execution):
    """Score by the command line, which saves the result if errors are kept and else prints it."""
    saved = Path("run.json")
    saved.unlink(missing_ok=True)
    given, flags = {**case.options, **execution, "by": case.by, "raw": case.raw_file}, []
    given |= (
        {"output": saved, "passages": case.passages or "all"} if case.keeps_errors else {"format": "json"}
    )
    for name, value in given.items():
        if value:
            text = ",".join(value) if isinstance(value, tuple) else str(value)
            flags += ["--" + name.replace("_", "-"), *([] if value is True else [text])]
    done = run(["score", *case.files, *flags])
    # A command that refuses nothing may fail in the end, as no system has a metric that was named.
    if not (saved.exists() or done.out):
        raise EvalignError(done.err.rpartition("evalign: ")[2].strip())
    return json.loads(saved.read_text("utf-8") if case.keeps_errors else done.out)


def read_back(saved):
    """Read what is saved of a result back from a file."""
    write_json("saved.json", saved)
    return load_saved("saved.json")


# What is the same.


def check_every_way(case, sizes, *, engine=None, run=run_here):
    """Check that every way to the result of `case` gives what scoring the whole in memory gives.

    Parts have about as many bytes of each file as `sizes` say, and are counted by `engine`; commands are run
    by `run`. Returns what the whole gives: what is saved of it, or why it is refused.
    """
    for path, text in [*zip(case.files, case.texts, strict=True), (RAW, case.raw)]:
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(text.encode())

    def save(result):
        return result.to_dict(whole=True, passages=case.passages)

    def attempt(way, *arguments, **options):
        try:
            outcome = way(*arguments, **options)
        except EvalignError as error:
            return error.on_one_line
        return outcome if isinstance(outcome, dict) else save(outcome)

    try:
        result = score(case)
    except EvalignError as error:
        result, whole = None, error.on_one_line
    else:
        whole = save(result)
        check_equal(save(read_back(whole)), whole)
        check_equal(save(pickle.loads(pickle.dumps(result))), whole)
    windowed = {"window": case.window}
    in_parts = [attempt(score, case, stream=size, engine=engine, **windowed) for size in sizes]
    if case.most_units == MOST_UNITS:  # which commands, folders and a `Scorer` cannot change
        printed = whole if result is None or case.keeps_errors else result.to_dict()
        check_equal(attempt(score_by_command, case, run), printed)
        if case.keeps_errors or case.needs_whole:
            in_parts.append(attempt(score_by_command, case, run, stream=True, **windowed))
        if not case.by:  # which folders and a `Scorer` do not take
            check_folder(case, attempt(score_folder, case), whole)
            check_equal(list_sums(attempt(update_scorer, case)), list_sums(whole))
    if case.needs_whole:
        assert len({*in_parts}) == 1
        assert in_parts[0] == whole or in_parts[0].startswith("--stream: ")
        return whole
    if case.window:
        try:
            other = score(case, **windowed)
        except EvalignError as error:  # perhaps a system has no text in common with gold within the window
            result, whole = None, error.on_one_line
        else:
            if "|window:" in other.systems[0].signature:  # searches ended at it, whatever the parts
                result, whole = other, save(other)
            in_parts.append(save(other))
    for parts in in_parts:
        check_parts(case, parts, whole, result)
    return whole


def check_equal(one, other):
    """Check that values are equal, with their keys in the same order."""
    assert one == other
    assert json.dumps(one) == json.dumps(other)


def check_counts(counts, whole):
    """Check a result that keeps no errors, and with them not what comments say of documents."""
    assert not any(system.pop(key, None) for system in counts["systems"] for key in EVIDENCE)
    unit = {key: value for key, value in whole["unit"].items() if key != "fields"}
    systems = [{key: one[key] for key in one if key not in EVIDENCE} for one in whole["systems"]]
    check_equal(counts, {**whole, "unit": unit, "systems": systems})


def check_folder(case, folder, whole):
    """Check a folder of one treebank, in which systems are called as their folders are.

    Where all of them fail, the reason is part of a longer message.
    """
    if isinstance(whole, str):
        assert whole in folder
        return
    systems = [{**one, "name": name} for one, name in zip(whole["systems"], FOLDERS[1:], strict=False)]
    (check_equal if case.keeps_errors else check_counts)(folder, {**whole, "systems": systems})


def list_sums(saved):
    """Return what a `Scorer` has of a text.

    It keeps units only if they are documents or sentences, so that those of all updates can be joined, and
    has other names for them. It keeps few warnings, and of both sides together as many places of a rule as
    a result keeps of each.
    """
    if isinstance(saved, str):
        return saved
    is_one = saved["unit"]["kind"] not in ("document", "sentence")
    systems = [
        {
            "name": system["name"],
            "scores": system["scores"],
            "ledger": json.loads(json.dumps(system["ledger"]), object_hook=cut_places),
            "signature": re.sub(r"\|unit:[^|]*", "", system["signature"]),
            "rows": {
                name: [add_up(units["rows"])] if is_one and units["available"] else units["rows"]
                for name, units in system["units"].items()
            },
        }
        for system in saved["systems"]
    ]
    return {"systems": systems, "warnings": saved["warnings"][:MOST_KEPT_WARNINGS]}


def cut_places(saved):
    """Return an object of JSON with as many places as one side of a rule has at most."""
    return {**saved, "places": saved["places"][:MOST_PLACES]} if "places" in saved else saved


def add_up(rows):
    """Return the sum of rows of numbers."""
    return [sum(column) for column in zip(*rows, strict=True)]


def check_parts(case, parts, whole, result):
    """Check what is saved of a result in parts; `result` is the whole one, which has all errors."""
    assert isinstance(parts, str) == isinstance(whole, str), (parts, whole)
    if isinstance(whole, str):
        # Advice may differ: parts have no comments of sentences but those that were asked for. And they look
        # only in the end whether gold has any text.
        assert parts.partition("; ")[0] == whole.partition("; ")[0] or ": empty: gold has no token" in whole
    elif not case.keeps_errors:
        check_counts(parts, whole)
    elif not CUTS_MAY_SHOW:
        check_equal(parts, whole)
    else:
        ours, theirs = json.loads(json.dumps([parts, whole]))
        for system, one, other in zip(result.systems, ours["systems"], theirs["systems"], strict=True):
            check_examples(one, other, system)
        check_equal(ours, theirs)


def check_examples(ours, theirs, system):
    """Take the errors and passages out of what is saved; check that ours are among those of the whole."""
    for metric, each in theirs["evidence"].items():
        errors = each.pop("errors")
        if each["kept"] < each["total"]:
            errors = [error_json(error) for error in system.errors(metric)]
        check_among(ours["evidence"][metric].pop("errors"), errors)
    if "passages" in theirs:
        passages = theirs["passages"].pop("list")
        if theirs["passages"]["kept"] < theirs["passages"]["total"]:
            passages = system.evidence.passages([*filter(system.gives, system.scores)])["list"]
        check_among(ours["passages"].pop("list"), passages)


def check_among(ours, theirs):
    """Check that examples are among others, in the same order."""
    following = iter(theirs)
    for one in ours:
        assert any(is_same_example(one, other) for other in following), one


def is_same_example(one, other):
    """Return whether an error or passage is another one; it may lack the far ends of that one's context."""
    bare = {"before": "", "after": ""}
    return (
        other.get("before", "").endswith(one.get("before", ""))
        and other.get("after", "").startswith(one.get("after", ""))
        and {**one, **bare} == {**other, **bare}
    )


@contextmanager
def working_in(folder):
    """Have `folder` as the current one, and messages that name flags as the command line does."""
    before = spell_with(spell_flags)
    try:
        with chdir(folder):
            yield
    finally:
        spell_with(before)
