"""Agreement with people: correlation between human preferences and differences of sentence scores.

    evalign typology judge judgements.tsv gold.conllu a.conllu b.conllu
    evalign typology judge judgements.tsv gold_folder a_folder b_folder
    evalign typology judge judgements.tsv run.json

Each judgement prefers one of two systems on one sentence. Spearman's rho is computed between the preferences
and the differences of the two systems' scores on the sentences. Source: Callin, A typological perspective on
evaluation for Universal Dependencies, Table 4, after Plank et al. 2015, Do dependency parsing metrics
correlate with human judgments?
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import PurePath
from typing import NamedTuple

from evalign._version import __version__
from evalign.errors import CommandError, InputError, Message, Place, quote, suggest
from evalign.files import list_files
from evalign.metrics.metric import LABEL_FIELDS
from evalign.options import Weights
from evalign.progress import Progress, no_progress
from evalign.readers.content import load
from evalign.readers.folder_limit import Folder
from evalign.results.result import Parts, Result
from evalign.results.signatures import split_signature
from evalign.results.system_result import SystemResult
from evalign.scoring.api import score
from evalign.scoring.collection import match_files, match_folders, show_names
from evalign.scoring.collection_run import score_collection
from evalign.scoring.reading import Input
from evalign.text import Source
from evalign.typology.correlation import correlate_ranks
from evalign.typology.treebanks import file_stem, is_folder
from evalign.wording import counted, tell_left_out

# METRIC.RATIO, in the order of Table 4.
MEASURES = ("content.precision", "content.recall", "las.f1", "wlas.f1")
_METRICS = ("content", "las", "wlas")
_COLUMNS = "four columns, separated by tabs: sentence id, system A, system B, preference"
_PREFERENCES = "A, B, tie, the name of a system, or a number: how much better A is"
_WORDS = {"a": 1.0, "b": -1.0, "tie": 0.0, "=": 0.0, "equal": 0.0, "none": 0.0}


class Judgement(NamedTuple):
    """A preference for one of two systems on one sentence."""

    sentence: str
    first: str
    second: str
    preference: float
    """Positive if the first system is better, negative if the second is, 0 for a tie."""
    place: Place


class Agreement(NamedTuple):
    """Agreement of one measure with the judgements."""

    measure: str
    rho: float | None
    """Spearman's rho; None where it is undefined."""
    judgements: int
    """Number of judgements used: those on sentences where the measure is defined for both systems."""


@dataclass(frozen=True)
class RunAgreements:
    """Agreement of each measure with the judgements, by treebank (Table 4)."""

    treebanks: Mapping[str, Agreements]
    warnings: tuple[str, ...] = ()
    """Treebanks that were left out, and warnings of the others."""

    def to_dict(self) -> dict[str, object]:
        """Return the agreements in the form that is saved as JSON."""
        saved = {name: agreements.to_dict() for name, agreements in self.treebanks.items()}
        return {"schema": 1, "version": __version__, "kind": "agreements", "treebanks": saved}


@dataclass(frozen=True)
class Agreements:
    """Agreement of each measure with the judgements on one treebank."""

    gold: str
    systems: tuple[str, ...]
    signature: str
    judgements: int
    measures: tuple[Agreement, ...]
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the agreements in the form that is saved as JSON."""
        return {
            "schema": 1,
            "version": __version__,
            "kind": "agreements",
            "gold": self.gold,
            "systems": list(self.systems),
            "signature": self.signature,
            "judgements": self.judgements,
            "agreements": [agreement._asdict() for agreement in self.measures],
        }


def read_judgements(source: Source) -> list[Judgement]:
    r"""Read judgements from a file with four columns: sentence id, system A, system B, preference.

    A first line of headings is skipped. Raises `InputError` for a line that is no judgement, and if there is
    none.

    >>> import evalign
    >>> row = read_judgements(evalign.Text("sentence\tA\tB\tpreference\nn-1\tmalt\tmate\tmate\n"))[0]
    >>> row.sentence, row.preference
    ('n-1', -1.0)
    """
    content = load(source)
    judgements: list[Judgement] = []
    for lineno, line in enumerate(content.data.decode("utf-8").split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or (not judgements and cells[-1].lower() == "preference"):
            continue
        place = Place(content.name, lineno)
        if len(cells) != 4:
            raise InputError(place, f"{len(cells)} columns, {quote(line)}", _COLUMNS)
        sentence, first, second, preference = cells
        if first == second:
            raise InputError(place, f"system {quote(first)} against itself", "two systems")
        judgements.append(Judgement(sentence, first, second, _preference(place, cells, preference), place))
    if not judgements:
        raise InputError(Place(content.name), "no judgement", _COLUMNS)
    return judgements


def _preference(place: Place, cells: Sequence[str], written: str) -> float:
    for names in ([written, *cells[1:3]], [PurePath(name).stem for name in (written, *cells[1:3])]):
        if names[0] in names[1:]:
            return 1.0 if names[0] == names[1] else -1.0
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(place, f"preference {quote(written)}", _PREFERENCES)
    return number


def judge(
    judgements: Source | list[Judgement],
    gold: Input,
    *systems: Input,
    weights: Weights | None = None,
    names: Sequence[str] = (),
) -> Agreements:
    """Score two or more systems by sentence, and measure how well the scores agree with judgements.

    The measures are content precision and recall, LAS F1 and, if `weights` are given, WLAS F1. Judgements
    refer to the systems by their `names` if these are given, else by their files.
    """
    if len(systems) < 2:
        message = f"judgements of {len(systems)} system"
        raise CommandError(message, "gold and at least two systems")
    if not isinstance(judgements, list):
        judgements = read_judgements(judgements)
    metrics = _METRICS if weights else _METRICS[:2]
    result = score(gold, *systems, metrics=metrics, average="sentence", weights=weights, names=names)
    return measure_agreement(judgements, result, weights)


def judge_run(
    judgements: Source | Folder | list[Judgement],
    gold: Folder | Result | Parts,
    *systems: Folder,
    weights: Weights | None = None,
    names: Sequence[str] = (),
    progress: Progress = no_progress,
) -> RunAgreements:
    """Measure agreement with judgements treebank by treebank.

    `gold` and `systems` are folders whose files match by name, or `gold` is a result that was scored with an
    average over sentences. With the `weights` it was scored with, WLAS of a result is as exact as that of
    folders.

    Judgements are one file for all treebanks, or a folder with a file for each, named like the gold files. In
    a single file a sentence whose id occurs in several treebanks is written `TREEBANK:ID`. Treebanks without
    judgements and those that a system failed on are left out; it is an error if none is left.
    """
    if isinstance(gold, (Result, Parts)):
        results = gold.results if isinstance(gold, Parts) else {file_stem(gold.gold): gold}
        _check_results(results, weights)
        rows = _read_rows(judgements, {name: name for name in results})
        return _judge_results(rows, results, weights, gold.warnings if isinstance(gold, Parts) else ())
    if len(systems) < 2:
        message = f"judgements of {len(systems)} system"
        raise CommandError(message, "folders of gold and of at least two systems")
    collection = match_folders(gold, *systems, names=names)
    paths = {os.path.relpath(str(t.gold), gold).replace(os.sep, "/"): t.name for t in collection.treebanks}
    rows = _read_rows(judgements, paths)
    left_out = []
    if isinstance(rows, dict):
        chosen = tuple(treebank for treebank in collection.treebanks if treebank.name in rows)
        left_out = [_tell_unjudged(name) for name in paths.values() if name not in rows]
        collection = replace(collection, treebanks=chosen)
    scored = score_collection(
        collection,
        metrics=_METRICS if weights else _METRICS[:2],
        average="sentence",
        weights=weights,
        evidence="keep" if weights else "drop",
        passages=0,
        progress=progress,
    )
    return _judge_results(rows, scored.results, weights, (*scored.warnings, *left_out))


def _check_results(results: Mapping[str, Result], weights: Weights | None) -> None:
    """Raise `CommandError` unless all results have scores by sentence of two or more systems."""
    for name, result in results.items():
        has_failed = any(system.failure for system in result.systems)
        if result.unit_kind != "sentence" and not has_failed:
            message = f"the scores of {name} are by {result.unit_kind}"
            again = Message(
                '{evalign.score(..., average="sentence").save("run.json")'
                "|evalign score ... <average> sentence -o run.json}"
            )
            raise CommandError(message, "scores by sentence", again)
        if len(result.systems) < 2:
            message = f"judgements of {len(result.systems)} system"
            raise CommandError(message, "a run of at least two systems")
        if weights and not has_failed:
            _check_weights(result, weights)


def _check_weights(result: Result, weights: Weights) -> None:
    """Raise `CommandError` if a result was not scored with these weights."""
    for system in result.systems:
        used = split_signature(system.signature).get("weights", "")
        if "wlas" not in system.scores or f"({weights.digest}" not in used:
            message = f"other weights than those of the run ({used or 'it has no WLAS'})"
            raise CommandError(message, "the weights that it was scored with, or none")


def _judge_results(
    rows: list[Judgement] | dict[str, list[Judgement]],
    results: Mapping[str, Result],
    weights: Weights | None,
    warnings: Sequence[str],
) -> RunAgreements:
    """Measure agreement on each treebank that has judgements and that no system failed on."""
    # By reason, the first system with it: unreadable gold fails all systems for one reason.
    failed = {
        name: {one.failure: one.name for one in reversed(result.systems) if one.failure}
        for name, result in results.items()
    }
    messages = [*warnings]
    for name, reasons in failed.items():
        messages += [tell_left_out(system, name, reason) for reason, system in reasons.items()]
    if not isinstance(rows, dict):
        # A treebank whose gold was not read has no sentences.
        ids = {
            name: result.unit_names if result.unit_kind == "sentence" else ()
            for name, result in results.items()
        }
        rows, lost = _sort_judgements(rows, ids)
        messages += lost
    agreements = {
        name: measure_agreement(rows[name], result, weights)
        for name, result in results.items()
        if name in rows and not failed[name]
    }
    if not agreements:
        message = f"no treebank that was judged could be scored: {messages[-1]}"
        raise CommandError(message, "judgements of treebanks that no system failed on")
    messages += [_tell_unjudged(name) for name in results if name not in rows and not failed[name]]
    messages += [warning for agreement in agreements.values() for warning in agreement.warnings]
    return RunAgreements(agreements, tuple(messages))


def _tell_unjudged(treebank: str) -> str:
    return f"no judgement of {treebank}: it is left out"


def _read_rows(
    judgements: Source | Folder | list[Judgement], names: Mapping[str, str]
) -> list[Judgement] | dict[str, list[Judgement]]:
    """Read the judgements of a file as a list, those of a folder as a mapping from treebank to list.

    `names` maps paths of gold files, relative to their folder, to the names of their treebanks.
    """
    if isinstance(judgements, list):
        return judgements
    if not is_folder(judgements):
        return read_judgements(judgements)
    matched = match_files(list(names), list_files(judgements), judgements)
    if not matched:
        problem = "no file is named as one of gold's"
        raise InputError(Place(os.fspath(judgements)), problem, "files of judgements, one for each treebank")
    return {names[path]: read_judgements(os.path.join(judgements, file)) for path, file in matched.items()}  # noqa: PTH118


def _sort_judgements(
    rows: Sequence[Judgement], sentences: Mapping[str, Sequence[str]]
) -> tuple[dict[str, list[Judgement]], list[str]]:
    """Assign each judgement in `rows` to the treebank that contains its sentence.

    `sentences` has the ids by treebank; it is empty for a treebank that could not be read. A judgement whose
    sentence is in no treebank, or in several, raises `InputError`; but where an unread treebank may have it,
    the judgement is left out. Returns the judgements by treebank, and a warning about those left out.
    """
    owners: dict[str, list[str]] = {}
    for name, ids in sentences.items():
        for sentence in dict.fromkeys(ids):
            owners.setdefault(sentence, []).append(name)
    unread = [name for name, ids in sentences.items() if not ids]
    by_treebank: dict[str, list[Judgement]] = {}
    lost = []
    for row in rows:
        having = owners.get(row.sentence, [])
        if len(having) == 1:
            by_treebank.setdefault(having[0], []).append(row)
            continue
        # TREEBANK:ID: both may contain colons, so every cut is tried.
        cuts = [k for k, character in enumerate(row.sentence) if character == ":"]
        named = [k for k in cuts if row.sentence[:k] in owners.get(row.sentence[k + 1 :], ())]
        if len(named) == 1:
            name, sentence = row.sentence[: named[0]], row.sentence[named[0] + 1 :]
            by_treebank.setdefault(name, []).append(row._replace(sentence=sentence))
        elif unread and not having:
            lost.append(row)
        else:
            raise _no_sentence(row, having, owners)
    if not lost:
        return by_treebank, []
    message = f"{counted(len(lost), 'judgement')} left out, the first at {lost[0].place}"
    return by_treebank, [
        f"{message}: no treebank that could be read has the sentence, {show_names(unread, 'or')} may have it"
    ]


def _no_sentence(row: Judgement, having: Sequence[str], sentences: Collection[str]) -> InputError:
    if having:
        said = f"{len(having)} treebanks have a sentence {quote(row.sentence)}: {show_names(having)}"
        advice = "or give a folder with a file of judgements for each treebank"
        return InputError(row.place, said, f"{having[0]}:{row.sentence} for that of {having[0]}", advice)
    said = f"no sentence {quote(row.sentence)} in any treebank"
    return InputError(row.place, said, *suggest(row.sentence, sentences, expected="a sent_id of a gold file"))


def measure_agreement(
    judgements: Sequence[Judgement], result: Result, weights: Weights | None = None
) -> Agreements:
    """Measure how well scores by sentence agree with judgements, for the measures that all systems have.

    The units of `result` must be sentences. With `weights`, WLAS is computed from them again; this needs the
    errors of a result that was just scored, not of a saved one.
    """
    rows = _find_sentences(judgements, result)
    systems = _find_systems([system.name for system in result.systems])
    pairs = [
        (_system(judgement, judgement.first, systems), _system(judgement, judgement.second, systems))
        for judgement in judgements
    ]
    names = tuple(system.name for system in result.systems)
    agreements = []
    for measure in MEASURES:
        if any(measure.partition(".")[0] not in system.scores for system in result.systems):
            continue
        values = [_measure_sentences(system, measure, rows, weights) for system in result.systems]
        differences, preferences = [], []
        for judgement, row, (a, b) in zip(judgements, rows, pairs, strict=True):
            left, right = values[a][row], values[b][row]
            if left is not None and right is not None:
                differences.append(left - right)
                preferences.append(judgement.preference)
        rho = correlate_ranks(differences, preferences)
        agreements.append(Agreement(measure, rho, len(differences)))
    return Agreements(
        result.gold, names, result.signature, len(judgements), tuple(agreements), result.warnings
    )


def _measure_sentences(
    system: SystemResult, measure: str, rows: Collection[int], weights: Weights | None
) -> dict[int, Fraction | None]:
    """Return a measure of one system by sentence, for the sentences that are numbered `rows`.

    Values are exact fractions, so that equal differences get equal ranks. Rows of WLAS count in billionths,
    rounded; with `weights`, the counts are computed again from the relations of the words and the exact
    weights.
    """
    name, _, part = measure.partition(".")
    score = system[name]
    counts: Mapping[int, Sequence[int | Fraction]] = {row: score.units[row].tolist() for row in rows}
    if name == "wlas" and weights is not None and score.available:
        weighed = _weigh_sentences(system, weights)
        counts = {row: weighed.get(row, [Fraction(0)] * len(score.metric.fields)) for row in rows}
    return {
        row: score.metric.fractions(dict(zip(score.metric.fields, counts[row], strict=True)))[part]
        for row in counts
    }


def _weigh_sentences(system: SystemResult, weights: Weights) -> dict[int, list[Fraction]]:
    """Sum, by sentence, the exact weights of the words that are correct, of gold's words and of the system's.

    The fourth sum, of aligned words, stays 0.
    """
    grouped = system.evidence.breakdown_units("relation")
    of_relation = [weights.exact(name) for name in grouped.names]
    [table] = grouped.tables.values()
    sums_by_row: dict[int, list[Fraction]] = {}
    for row, group, counts in zip(
        grouped.units.tolist(), grouped.groups.tolist(), table.tolist(), strict=True
    ):
        sums = sums_by_row.setdefault(row, [Fraction(0)] * (len(LABEL_FIELDS) + 1))
        for k, count in enumerate(counts):
            sums[k] += count * of_relation[group]
    return sums_by_row


def _find_sentences(judgements: Sequence[Judgement], result: Result) -> list[int]:
    """Return the unit of each judgement's sentence; raises `InputError` if it is missing or ambiguous."""
    names = list(result.unit_names)
    times = Counter(names)
    rows = {name: row for row, name in enumerate(names)}
    for judgement in judgements:
        name = judgement.sentence
        if name not in rows:
            expected = f"a sent_id of {result.gold}, or the number of a sentence where it has none"
            problem = f"no sentence {quote(name)} in gold"
            raise InputError(judgement.place, problem, *suggest(name, names, expected=expected))
        if times[name] > 1:
            problem = f"{times[name]} sentences {quote(name)} in gold"
            raise InputError(judgement.place, problem, "ids that are there once")
    return [rows[judgement.sentence] for judgement in judgements]


def _find_systems(paths: Sequence[str]) -> Mapping[str, int]:
    """Map every name a judgement may use for a system to the system's number.

    Names are the path, the file name with or without ending, and a letter (A for the first); those that two
    systems share are left out.
    """
    letters = [chr(ord("A") + k) for k in range(len(paths))]
    files = [re.split(r"[/\\]", path)[-1] for path in paths]
    numbers: dict[str, int] = {}
    # From the weakest kind of name to the strongest, which wins.
    for names in (letters, [file_stem(path) for path in paths], files, paths):
        numbers |= {name: k for k, name in enumerate(names) if list(names).count(name) == 1}
    return numbers


def _system(judgement: Judgement, name: str, systems: Mapping[str, int]) -> int:
    if name in systems:
        return systems[name]
    candidates = sorted(systems, key=lambda key: (systems[key], key))
    raise InputError(judgement.place, f"no system {quote(name)}", *suggest(name, candidates))
