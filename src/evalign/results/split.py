"""A result split: by its units (documents, their genres and other fields), by gold sentences, or by labels.

Every part is a result: the same systems and settings, counts of its own. Its units are those that have something of it.
What was tolerated was tolerated in the whole text: the ledger of a part is that of the whole. Where no comment names the
genre of a document, its name may (`guess_genres`).
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from evalign.document import IntArray
from evalign.errors import CommandError, quote, suggest
from evalign.metrics import CountTable, Metric, label_metric
from evalign.metrics.errors import LENGTH, NO_VALUE, GroupedCounts, find_field, sort_names
from evalign.results.system_result import Evidence, NoEvidence, Score, SystemResult

# Genres as names of documents tell them: weblog-blogspot.com_healing, GUM_academic_art.

DOCUMENT_NAMES = "# newdoc id = NAME in gold"
_CUTS = re.compile(r"[-_/\\]")
_FOLDER = re.compile(r".*[/\\]", re.DOTALL)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
# A piece that each of more documents has as its own is no genre.
_FEW = 3


class Genres(NamedTuple):
    """A genre for each name, and how it was found."""

    names: Sequence[str]
    source: str


def guess_genres(names: Sequence[str]) -> Genres | None:
    """The first piece of the names in which they differ; None where they tell nothing.

    Pieces end at a hyphen, an underscore or a slash; the last one of a name is the document's own. The folder that all
    files are in is no part of their names.

    >>> guess_genres(["GUM_news_a", "GUM_news_b", "GUM_fiction_c"])
    Genres(names=['news', 'news', 'fiction'], source='names of documents: their second piece')
    """
    pieces = [_CUTS.split(name)[:-1] for name in without_folder(names)]
    for place in range(max(map(len, pieces), default=0)):
        values = [row[place] if place < len(row) and row[place] else NO_VALUE for row in pieces]
        genres = {genre for genre in values if genre != NO_VALUE}
        if len(set(values)) < 2:
            continue
        if len(genres) == len(names) > _FEW:
            return None
        ordinal = _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"
        return Genres(values, f"names of documents: their {ordinal} piece")
    return None


def without_folder(names: Sequence[str]) -> list[str]:
    """Names without the folder that all of them are in, if they are in one."""
    folders = {match[0] if (match := _FOLDER.match(name)) else "" for name in names}
    if len(folders) != 1:
        return list(names)
    size = len(folders.pop())
    return [name[size:] for name in names]


# What a result is split by, and its parts.

KEYWORDS = ("document", "genre", LENGTH, "frequency", "label")
# What `label` means, where files have more than one: the first they have.
LABEL_BREAKDOWNS = ("label", "relation", "tag", "xpos")
_REGEX = re.compile(r"[\\^$.|?*+()\[\]{}]")
# Of the fields there are, so many are named.
_MOST_NAMED = 12


class Whole(NamedTuple):
    """What a result is split from."""

    gold: str
    systems: Sequence[SystemResult]
    unit_kind: str
    unit_names: Sequence[str]
    unit_fields: Mapping[str, Sequence[str]]


class SplitPart(NamedTuple):
    """The systems in one part, and the units that have something of it."""

    systems: tuple[SystemResult, ...]
    unit_names: Sequence[str]
    units: Sequence[int]
    """Their numbers in the whole: names may be missing, or two units may have the same."""


class Split(NamedTuple):
    """Parts by name, in the order in which they are shown."""

    parts: Mapping[str, SplitPart]
    source: str
    """Where the names come from, in words."""
    warnings: tuple[str, ...]


class ByUnit(NamedTuple):
    """A name for every unit."""

    names: Sequence[str]
    source: str
    order: Sequence[str]


class BySentence(NamedTuple):
    """What gold sentences are grouped by."""

    key: str


class ByLabel(NamedTuple):
    """Which breakdown."""

    kind: str


Grouping: TypeAlias = ByUnit | BySentence | ByLabel


def split(result: Whole, by: str) -> Split:
    """A result in parts; raises `CommandError` where there is nothing to split it by."""
    grouping = find_grouping(result, by)
    if isinstance(grouping, ByUnit):
        return _split_units(result, by, grouping)
    if isinstance(grouping, BySentence):
        return _split_rows(result, by, lambda evidence: evidence.grouped(grouping.key), labels=False)
    return _split_rows(result, by, lambda evidence: evidence.breakdown_units(grouping.kind), labels=True)


def split_names(text: str) -> tuple[str, ...]:
    r"""Names as the command line has them, separated by commas that are not inside the brackets of an expression.

    >>> split_names(r"genre,length,^(\w{1,3})-")
    ('genre', 'length', '^(\\w{1,3})-')
    """
    names, depth = [""], 0
    for character in text:
        depth = max(0, depth + (character in "([{") - (character in ")]}"))
        if character == "," and not depth:
            names.append("")
        else:
            names[-1] += character
    return tuple(name.strip() for name in names if name.strip())


def find_grouping(result: Whole, by: str) -> Grouping:
    """What is meant: a keyword, a breakdown, a comment of documents or of sentences, or a regular expression."""
    from evalign.metrics.errors import BREAKDOWNS

    if any(system.pairing is not None for system in result.systems):
        message = f"by {quote(by)}: these are scores of pairs of sentences"
        raise CommandError(message, "a result of texts, which have documents and sentences")
    if by == "document":
        return _by_document(result)
    if by == LENGTH:
        return BySentence(LENGTH)
    if by == "label":
        return ByLabel(_find_labels(result))
    if by in BREAKDOWNS:
        return ByLabel(by)
    grouping = _by_field(result, by)
    if grouping is not None:
        return grouping
    if by == "genre":
        return _by_genre(result)
    if _REGEX.search(by):
        return _by_pattern(result, by)
    raise _unknown(result, by)


def _evidence(result: Whole) -> Evidence:
    """That of a system that did not fail: what gold says is the same in all of them."""
    return next((system.evidence for system in result.systems if not system.failure), NoEvidence())


def _document_names(result: Whole, wanted: str) -> Sequence[str]:
    """Names of the documents that units are, or are in; raises where there are none."""
    if "newdoc id" in result.unit_fields:
        return result.unit_fields["newdoc id"]
    if result.unit_kind not in ("document", "whole"):
        message = f"by {wanted}: {result.gold} has no documents, and there are no raw files"
        advice = f"one raw file for each document: `raw=FOLDER`; {_describe_fields(result)}"
        raise CommandError(message, DOCUMENT_NAMES, advice)
    return without_folder(result.unit_names)


def _by_document(result: Whole) -> ByUnit:
    names = _document_names(result, "document")
    if result.unit_kind != "sentence":
        names = _make_distinct(names)
    return ByUnit(names, "names of documents", list(dict.fromkeys(names)))


def _make_distinct(names: Sequence[str]) -> list[str]:
    """A name for each unit, also for one that has none or another's."""
    titles: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        title = name or f"document {number}"
        titles[title if title not in titles else f"{title} ({number})"] = None
    return list(titles)


def _find_labels(result: Whole) -> str:
    kinds = {kind for system in result.systems for kind in system.evidence.breakdown_kinds()}
    kind = next((kind for kind in LABEL_BREAKDOWNS if kind in kinds), None)
    if kind is None:
        message = "by label: no system and gold both have labels"
        raise CommandError(message, "trees in brackets, stand-off spans, DEPREL, UPOS or XPOS on both sides")
    return kind


def _by_field(result: Whole, by: str) -> Grouping | None:
    """By a comment of gold: one that documents have, else one that sentences have."""
    key = find_field(result.unit_fields, by)
    if key is not None:
        names = [value or NO_VALUE for value in result.unit_fields[key]]
        return ByUnit(names, f"the comment {quote(key)} of gold's documents", sort_names(names))
    key = find_field(_evidence(result).grouped_fields(), by)
    return None if key is None else BySentence(key)


def _by_genre(result: Whole) -> ByUnit:
    names = _document_names(result, "genre")
    genres = guess_genres(names)
    if genres is None:
        shown = ", ".join(quote(name) for name in list(dict.fromkeys(names))[:3])
        message = f"by genre: {result.gold} has no comment genre or meta::genre, and names of documents do not tell: {shown}"
        expected = "names such as weblog-0001, or # genre = weblog below # newdoc"
        advice = r'say how names tell it, for example: `by="^([a-z]+)"`; ' + _describe_fields(result)
        raise CommandError(message, expected, advice)
    return ByUnit(genres.names, genres.source, sort_names(genres.names))


def _by_pattern(result: Whole, by: str) -> ByUnit:
    """By what a regular expression finds in names: its first group, else all of it."""
    try:
        with warnings.catch_warnings():
            # Python warns of what a later version may read otherwise; that is for programmers.
            warnings.simplefilter("ignore", FutureWarning)
            pattern = re.compile(by)
    except (re.error, OverflowError, RecursionError) as error:
        message = f"by {quote(by)}: not a regular expression ({error})"
        raise CommandError(
            message, r"one such as ^(\w+)-, or the key of a comment", _describe_fields(result)
        ) from None
    documents = _document_names(result, quote(by))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        names = [text or NO_VALUE for text in search_names(by, tuple(documents))]
    if all(name == NO_VALUE for name in names):
        shown = ", ".join(quote(name) for name in list(dict.fromkeys(documents))[:3])
        message = f"by {quote(by)}: matches no name of a document: {shown}"
        raise CommandError(message, "an expression that is found in some of them", _describe_fields(result))
    part = "the first group of" if pattern.groups else "what is matched by"
    return ByUnit(names, f"names of documents: {part} {by}", sort_names(names))


def _unknown(result: Whole, by: str) -> CommandError:
    from evalign.metrics.errors import BREAKDOWNS

    keywords = list(dict.fromkeys((*KEYWORDS, *BREAKDOWNS)))
    fields = [*result.unit_fields, *_evidence(result).grouped_fields()]
    message = f"by {quote(by)}: gold's documents and sentences have no comment of this name"
    expected = (
        f"one of {', '.join(keywords)}, the key of a comment, or a regular expression for names of documents"
    )
    return CommandError(
        message, *suggest(by, [*keywords, *fields], _describe_fields(result), expected=expected)
    )


def _describe_fields(result: Whole) -> str:
    """The comments that gold has, a few of them."""
    fields = [*result.unit_fields, *_evidence(result).grouped_fields()]
    named = ", ".join(quote(key) for key in fields[:_MOST_NAMED])
    rest = f" and {len(fields) - _MOST_NAMED} more" if len(fields) > _MOST_NAMED else ""
    if fields:
        return f"comments to split by: {named}{rest}"
    # Comments of sentences are many, and only those asked for are kept.
    return "there are no comments to split by"


def _split_units(result: Whole, by: str, grouping: ByUnit) -> Split:
    """Parts of whole units."""
    numbers: dict[str, list[int]] = {name: [] for name in grouping.order}
    for unit, name in enumerate(grouping.names):
        numbers[name].append(unit)
    left_out = _find_windows(result)
    parts = {}
    for name, units in numbers.items():
        systems = [
            _part(system, by, name, {
                metric: Score(score.metric, score.units[units], score.average, score.available)
                for metric, score in system.scores.items()
                if metric not in left_out
            })
            for system in result.systems
        ]  # fmt: skip
        parts[name] = _make_part(result, systems, units)
    return Split(parts, grouping.source, _describe_left_out(by, left_out))


def _find_windows(result: Whole) -> dict[str, str]:
    """Metrics of whole documents that are in one unit all: gold names no documents, and units are raw files."""
    reason = "windows slide over all of gold, which names no documents itself"
    return {
        metric: reason
        for metric, score in result.systems[0].scores.items()
        if score.metric.reach == "document"
        and score.available
        and len(score.units) > 1
        and (result.unit_kind == "sentence" or not score.units[1:].any())
    }


class _Rows(NamedTuple):
    """The rows of one system, those of a group together."""

    grouped: GroupedCounts
    order: IntArray
    cuts: IntArray
    numbers: Mapping[str, int]

    def units_of(self, name: str) -> IntArray:
        """The units that have something of a group."""
        return self.grouped.units[self._rows(name)]

    def table(self, name: str, metric: str, units: IntArray) -> CountTable:
        """The rows of a group for some units, zeros where it has none."""
        counted = self.grouped.tables[metric]
        rows = self._rows(name)
        table = np.zeros((len(units), counted.shape[1]), np.int64)
        table[np.searchsorted(units, self.grouped.units[rows])] = counted[rows]
        return table

    def _rows(self, name: str) -> IntArray:
        if name not in self.numbers:
            return self.order[:0]
        number = self.numbers[name]
        return self.order[self.cuts[number] : self.cuts[number + 1]]


def _sort_rows(grouped: GroupedCounts) -> _Rows:
    order = np.argsort(grouped.groups, kind="stable")
    cuts = np.searchsorted(grouped.groups[order], np.arange(len(grouped.names) + 1))
    return _Rows(grouped, order, cuts, {name: number for number, name in enumerate(grouped.names)})


def _split_rows(result: Whole, by: str, find: Callable[[Evidence], GroupedCounts], *, labels: bool) -> Split:
    """Parts that units have a share of; of labels with the one metric that they add up to."""
    system_rows: list[_Rows | None] = []
    refusals: list[CommandError] = []
    for system in result.systems:
        try:
            system_rows.append(None if system.failure else _sort_rows(find(system.evidence)))
        except CommandError as error:
            refusals.append(error)
            system_rows.append(None)
    present_rows = [rows for rows in system_rows if rows is not None]
    if not present_rows:
        raise (
            refusals[0]
            if refusals
            else CommandError(f"by {by}: no system has scores", "one that did not fail")
        )
    names = list(dict.fromkeys(name for rows in present_rows for name in rows.grouped.names))
    parts = {}
    for name in names:
        units = np.unique(np.concatenate([rows.units_of(name) for rows in present_rows]))
        if not len(units):
            continue
        systems = [
            _part(system, by, name, _scores(system, rows or present_rows[0], name, units, labels=labels, counted=rows is not None))
            for system, rows in zip(result.systems, system_rows, strict=True)
        ]  # fmt: skip
        parts[name] = _make_part(result, systems, units.tolist())
    if not parts:
        message = f"by {by}: nothing to split, neither gold nor a system has any"
        raise CommandError(message, "at least one")
    first = present_rows[0].grouped
    return Split(parts, first.source, _describe_left_out(by, first.left_out))


def _scores(
    system: SystemResult, rows: _Rows, name: str, units: IntArray, *, labels: bool, counted: bool
) -> dict[str, Score]:
    """The scores of a part; not available where the system has none such, or failed."""
    metrics: Mapping[str, Metric]
    if labels:
        metrics = {metric: label_metric(metric) for metric in rows.grouped.tables}
    else:
        metrics = {m: score.metric for m, score in system.scores.items() if m not in rows.grouped.left_out}
    average = "micro" if labels else next((score.average for score in system.scores.values()), "micro")
    scores = {}
    for metric, entry in metrics.items():
        available = counted and metric in rows.grouped.tables
        table = (
            rows.table(name, metric, units)
            if available
            else np.zeros((len(units), len(entry.fields)), np.int64)
        )
        scores[metric] = Score(entry, table, average, available)
    return scores


def _part(system: SystemResult, by: str, name: str, scores: Mapping[str, Score]) -> SystemResult:
    """A system in one part: its signature says which."""
    label = f"{by}={name}".replace("|", "%7C")  # which parts signatures from one another
    signature = f"{system.signature}|by:{label}"
    return SystemResult(system.name, scores, system.ledger, signature, NoEvidence(), system.failure)


def _make_part(whole: Whole, systems: Sequence[SystemResult], units: Sequence[int]) -> SplitPart:
    names = whole.unit_names
    return SplitPart(tuple(systems), [names[unit] for unit in units if unit < len(names)], units)


def _describe_left_out(by: str, left_out: Mapping[str, str]) -> tuple[str, ...]:
    reasons: dict[str, list[str]] = {}
    for metric, reason in left_out.items():
        reasons.setdefault(reason, []).append(metric)
    return tuple(
        f"not counted by {by}: {', '.join(metrics)}: {reason}" for reason, metrics in reasons.items()
    )


# A user's regular expression looked for in many names, with a limit of time: some take longer than anyone can wait.
#
# Python cannot stop a search that has begun, so another process makes it, which can be ended: in any thread, and on every
# system. Expressions that cannot take long are searched for here.

# Seconds for all names, and names for each second more.
LIMIT = 10.0
NAMES_PER_SECOND = 50_000
# Characters of a name up to which an expression with one repetition is searched for here.
_LONGEST_NAME = 1000
_REPEATS = "*+?{|"
_SEARCH = """
import json, re, sys, warnings
warnings.simplefilter("ignore")
pattern, names = json.load(sys.stdin)
pattern = re.compile(pattern)
group = 1 if pattern.groups else 0
for name in names:
    match = pattern.search(name)
    print(json.dumps(match and match[group]), flush=True)
"""


@lru_cache(maxsize=4)
def search_names(pattern: str, names: tuple[str, ...], *, limit: float = LIMIT) -> list[str | None]:
    """What an expression, which is valid, finds in each name: its first group, else all of it; None where nothing.

    Raises `CommandError` where that takes longer than `limit` seconds, and one more for each `NAMES_PER_SECOND`.
    """
    if _is_quick(pattern, names) or getattr(sys, "frozen", False) or not sys.executable:
        return _search_here(pattern, names)
    # Nothing else here needs these.
    import json
    import subprocess

    limit += len(names) / NAMES_PER_SECOND
    distinct = list(dict.fromkeys(names))
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([pattern, distinct]).encode("ascii"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            check=True,
        )
    except subprocess.TimeoutExpired as late:
        n_found = (late.stdout or b"").count(b"\n")
        raise _too_slow(pattern, distinct[min(n_found, len(distinct) - 1)], limit) from None
    except (OSError, subprocess.CalledProcessError):  # no process can be had here
        return _search_here(pattern, names)
    matches = dict(zip(distinct, map(json.loads, done.stdout.splitlines()), strict=True))
    return [matches[name] for name in names]


def _is_quick(pattern: str, names: Sequence[str]) -> bool:
    """Whether at most one repetition or choice is in it, in names that are not too long: it then takes few steps."""
    return sum(map(pattern.count, _REPEATS)) <= 1 and max(map(len, names), default=0) <= _LONGEST_NAME


def _search_here(pattern: str, names: Sequence[str]) -> list[str | None]:
    import re

    compiled = re.compile(pattern)
    matches = [compiled.search(name) for name in names]
    return [match and match[1 if compiled.groups else 0] for match in matches]


def _too_slow(pattern: str, name: str, limit: float) -> CommandError:
    message = f"by {quote(pattern)}: not done after {limit:.0f} seconds, at the name {quote(name)}"
    advice = "a repetition within another, such as (a+)+, can take forever: write (a+) instead"
    return CommandError(message, "a regular expression that is quick to search for", advice)
