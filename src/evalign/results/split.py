"""A result split by its units (documents, their genres and other fields), by gold sentences, or by labels.

Every part is a result of the same systems and options with counts of its own. Its units are those with a
share in the part. Its ledger is that of the whole text, because what was tolerated is not counted by part. If
no comment gives the genre of documents, it is guessed from their names (`guess_genres`). `Result.split` calls
`split`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import numpy as np

from evalign.document import IntArray
from evalign.errors import CommandError, Message, SplitError, quote, suggest
from evalign.metrics.comparison import CountTable
from evalign.metrics.errors.sentence_groups import (
    LENGTH,
    NO_VALUE,
    GroupedCounts,
    find_field,
    order_groups,
    sort_names,
)
from evalign.metrics.metric import LABEL_FIELDS, Metric, label_metric
from evalign.results.system_result import Evidence, NoEvidence, Score, SystemResult

# Genres guessed from names of documents: weblog-blogspot.com_healing, GUM_academic_art.

DOCUMENT_NAMES = "# newdoc id = NAME in gold"
_CUTS = re.compile(r"[-_/\\]")
_FOLDER = re.compile(r".*[/\\]", re.DOTALL)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
# With more documents than this, a piece that is different in each is no genre.
_FEW = 3


class Genres(NamedTuple):
    """A genre for each name, and how the genres were found."""

    names: Sequence[str]
    source: str


def guess_genres(names: Sequence[str]) -> Genres | None:
    """Guess genres from names of documents: the first piece in which names differ; None if there is none.

    Pieces end at a hyphen, an underscore or a slash. The last piece of a name is taken to be unique to the
    document. A folder that all files are in is not part of the names.

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
    """Strip from `names` the folder that all of them are in, if they share one."""
    folders = {match[0] if (match := _FOLDER.match(name)) else "" for name in names}
    if len(folders) != 1:
        return list(names)
    size = len(folders.pop())
    return [name[size:] for name in names]


# What a result is split by, and its parts.

KEYWORDS = ("document", "genre", LENGTH, "frequency", "label")
# Breakdowns that `label` may stand for: the first one that the files have.
LABEL_BREAKDOWNS = ("label", "relation", "tag", "xpos")
_REGEX = re.compile(r"[\\^$.|?*+()\[\]{}]")
# Counts of a metric that are the same for every system.
GOLD_FIELDS = ("gold", "weight_gold", "in_gold", "out_gold")
# Most fields named in a message.
_MOST_NAMED = 12


class Whole(NamedTuple):
    """The result to be split."""

    gold: str
    systems: Sequence[SystemResult]
    unit_kind: str
    unit_names: Sequence[str]
    unit_fields: Mapping[str, Sequence[str]]


class SplitPart(NamedTuple):
    """The systems in one part, and the units that have a share in it."""

    systems: tuple[SystemResult, ...]
    unit_names: Sequence[str]
    units: Sequence[int]
    """Numbers of the units in the whole, as names may be missing or not unique."""


class Split(NamedTuple):
    """The parts by name, in the order in which they are shown."""

    parts: Mapping[str, SplitPart]
    source: str
    """Where the names come from, in words."""
    warnings: tuple[str, ...]


class ByUnit(NamedTuple):
    """Grouping of units: the name of the part that each unit belongs to."""

    names: Sequence[str]
    source: str
    order: Sequence[str]


class BySentence(NamedTuple):
    """Grouping of gold sentences by length or by a comment."""

    key: str


class ByLabel(NamedTuple):
    """Grouping of labels: a kind of breakdown."""

    kind: str


Grouping: TypeAlias = ByUnit | BySentence | ByLabel


def split(result: Whole, by: str) -> Split:
    """Split a result into parts; raise `CommandError` if it cannot be split by `by`."""
    grouping = find_grouping(result, by)
    if isinstance(grouping, ByUnit):
        return _split_units(result, by, grouping)
    return _split_rows(result, by, _find_counts(result, by, grouping), labels=isinstance(grouping, ByLabel))


def split_names(text: str) -> tuple[str, ...]:
    r"""Split a list of names at commas, except inside the brackets of regular expressions.

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
    """Find what `by` means: keyword, breakdown, comment of documents or sentences, or regular expression.

    Raises `CommandError` if it means nothing for this result.
    """
    from evalign.metrics.errors.breakdowns import BREAKDOWNS

    if any(system.pairing is not None for system in result.systems):
        message = f"by {quote(by)}: these are scores of pairs of sentences"
        raise CommandError(message, "a result of texts, which have documents and sentences")
    if by == "document":
        return _by_document(result)
    if by == LENGTH:
        return BySentence(LENGTH)
    if by == "label":
        return ByLabel(_check_labels(result.systems))
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
    """Return the evidence of the first system that did not fail; what gold says is the same in all."""
    return next((system.evidence for system in result.systems if not system.failure), NoEvidence())


def _document_names(result: Whole, wanted: str) -> Sequence[str]:
    """Return, for each unit, the name of its document; raise `CommandError` if there are no documents."""
    if "newdoc id" in result.unit_fields:
        return result.unit_fields["newdoc id"]
    if result.unit_kind not in ("document", "whole"):
        message = f"by {wanted}: {result.gold} has no documents, and there are no raw files"
        advice = Message("one raw file for each document: {raw=FOLDER}; ") + _describe_fields(result)
        raise CommandError(message, DOCUMENT_NAMES, advice)
    return without_folder(result.unit_names)


def _by_document(result: Whole) -> ByUnit:
    names = _document_names(result, "document")
    if result.unit_kind != "sentence":
        names = _make_distinct(names)
    return ByUnit(names, "names of documents", list(dict.fromkeys(names)))


def _make_distinct(names: Sequence[str]) -> list[str]:
    """Make the names of units unique: number those that are missing or repeated."""
    titles: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        title = name or f"document {number}"
        titles[title if title not in titles else f"{title} ({number})"] = None
    return list(titles)


def find_labels(systems: Sequence[SystemResult]) -> str | None:
    """Return the breakdown that `label` stands for: the first that any system has, None if there is none."""
    kinds = {kind for system in systems for kind in system.evidence.breakdown_kinds()}
    return next((kind for kind in LABEL_BREAKDOWNS if kind in kinds), None)


def _check_labels(systems: Sequence[SystemResult]) -> str:
    kind = find_labels(systems)
    if kind is None:
        message = "by label: no system and gold both have labels"
        raise CommandError(message, "trees in brackets, stand-off spans, DEPREL, UPOS or XPOS on both sides")
    return kind


def _by_field(result: Whole, by: str) -> Grouping | None:
    """Group by a comment of gold: one of documents, else one of sentences; None if there is none."""
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
        advice = Message("say how names tell it, for example: {by=^([a-z]+)}; ") + _describe_fields(result)
        raise CommandError(message, expected, advice)
    return ByUnit(genres.names, genres.source, sort_names(genres.names))


def _by_pattern(result: Whole, by: str) -> ByUnit:
    """Group by what a regular expression finds in names: its first group, else the whole match."""
    try:
        with warnings.catch_warnings():
            # Python warns of syntax that later versions may read differently; that is of no use here.
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
    from evalign.metrics.errors.breakdowns import BREAKDOWNS

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
    """Describe the comments of gold that a result can be split by, a few of them by name."""
    fields = [*result.unit_fields, *_evidence(result).grouped_fields()]
    named = ", ".join(quote(key) for key in fields[:_MOST_NAMED])
    rest = f" and {len(fields) - _MOST_NAMED} more" if len(fields) > _MOST_NAMED else ""
    if fields:
        return f"comments to split by: {named}{rest}"
    # There may be many kinds of comments above sentences, and only those asked for are kept.
    return "there are no comments to split by"


def _split_units(result: Whole, by: str, grouping: ByUnit) -> Split:
    """Split into parts that consist of whole units."""
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
    """Find metrics whose windows slide over all of gold, as it names no documents.

    Their counts cannot be split by units (raw files or sentences). Returns the reason by metric.
    """
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
    """The group counts of one system, with rows of the same group next to each other in `order`."""

    grouped: GroupedCounts
    order: IntArray
    cuts: IntArray
    numbers: Mapping[str, int]

    def units_of(self, name: str) -> IntArray:
        """Return the units that have counts of group `name`."""
        return self.grouped.units[self._rows(name)]

    def table(self, name: str, metric: str, units: IntArray) -> CountTable:
        """Return the counts of group `name` for `units`, a row for each, zeros where it has none."""
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


def _find_counts(result: Whole, by: str, grouping: BySentence | ByLabel) -> list[GroupedCounts | None]:
    """Return the counts of each system by group, None for a system without any; `CommandError` if none has."""
    if isinstance(grouping, BySentence) and any(
        score.average == "document" for system in result.systems for score in system
    ):
        message = f"sentences by {grouping.key} with " + Message("{average=document}")
        advice = Message("leave out {average}: counts of all sentences of a part are added up")
        raise CommandError(message, Message("{average=micro} or {average=sentence}"), advice)
    [name] = grouping
    found: list[GroupedCounts | None] = []
    refusals: list[CommandError] = []
    for system in result.systems:
        find = (
            system.evidence.grouped if isinstance(grouping, BySentence) else system.evidence.breakdown_units
        )
        try:
            found.append(None if system.failure else find(name))
        except CommandError as error:
            refusals.append(error)
            found.append(None)
    if not any(found):
        raise (
            refusals[0]
            if refusals
            else CommandError(f"by {by}: no system has scores", "one that did not fail")
        )
    return found


def _split_rows(result: Whole, by: str, counts: Sequence[GroupedCounts | None], *, labels: bool) -> Split:
    """Split into parts that units have shares of; if `labels`, each part has a single metric, of labels."""
    system_rows = [None if each is None else _sort_rows(each) for each in counts]
    present_rows = [rows for rows in system_rows if rows is not None]
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
    """Return the scores of a part; not available if the system lacks the counts or failed."""
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
    """Return the result of a system on one part; its signature names the part."""
    label = f"{by}={name}".replace("|", "%7C")  # "|" separates the parts of a signature
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


# Several texts, each split by itself: groups of the same name are added up.


def split_texts(whole: Whole, texts: Mapping[str, Whole], by: str) -> Split:
    """Split every text by itself, and add up the groups of the same name; `whole` are all texts together.

    A text without the groups is all in the group `NO_VALUE`. Raises `CommandError` if that is so of all.
    """
    from evalign.metrics.errors.breakdowns import BREAKDOWNS

    by = _check_labels(whole.systems) if by == "label" else by
    labels = by in BREAKDOWNS
    grouped: dict[str, Sequence[GroupedCounts | None]] = {}
    refusals = []
    for name, text in texts.items():
        try:
            grouped[name] = _group(text, by)
        except SplitError:
            raise
        except CommandError as error:
            refusals.append(error)
    if not grouped:
        raise refusals[0]
    firsts = [next(filter(None, systems)) for systems in grouped.values()]
    left_out = {name: why for first in firsts for name, why in first.left_out.items()}
    fields = {score.name: score.metric.fields for score in whole.systems[0] if score.name not in left_out}
    if labels:
        fields = {name: LABEL_FIELDS for first in firsts for name in first.tables}
    joined = []
    for number, system in enumerate(whole.systems):
        shares = [
            _share(text.systems[number], grouped.get(name), number, fields) for name, text in texts.items()
        ]
        # A metric without counts in the whole, or in the groups of one text, is not available.
        known = {
            name: columns
            for name, columns in fields.items()
            if labels
            or (system[name].available and not any(share and share.left_out.get(name) for share in shares))
        }
        joined.append(_join(shares, [text.systems[0].n_rows for text in texts.values()], known, left_out))
    parts, _, warnings = _split_rows(whole, by, joined, labels=labels)
    sources = dict.fromkeys(first.source for first in firsts)
    lacking = [
        name for name, text in texts.items() if name not in grouped and any(map(_counts, text.systems))
    ]
    if lacking:
        more = f" and {len(lacking) - _MOST_NAMED} more" * (len(lacking) > _MOST_NAMED)
        sources[f"{NO_VALUE}: all of {', '.join(lacking[:_MOST_NAMED])}{more}"] = None
    names = order_groups(by, parts, lambda name: _count_gold(parts[name].systems))
    return Split({name: parts[name] for name in names}, "; ".join(sources), warnings)


def _counts(system: SystemResult) -> bool:
    return any(score.available for score in system)


def _count_gold(systems: Sequence[SystemResult]) -> int:
    return max((score.gold for system in systems for score in system if score.available), default=0)


def _group(text: Whole, by: str) -> Sequence[GroupedCounts | None]:
    """Return the counts of each system by group; raise `CommandError` if the text cannot be split by `by`."""
    grouping = find_grouping(text, by)
    if not isinstance(grouping, ByUnit):
        return _find_counts(text, by, grouping)
    numbers = {name: number for number, name in enumerate(grouping.order)}
    groups = np.array([numbers[name] for name in grouping.names], np.int64)
    units, shown = np.arange(len(groups)), (grouping.source, _find_windows(text))
    # Gold without a sentence has a row of counts, and no unit that could be in a group.
    tables = [{each.name: each.units[units] for each in system if each.available} for system in text.systems]
    return [GroupedCounts(grouping.order, units, groups, each, *shown) for each in tables]


def _share(
    system: SystemResult,
    groups: Sequence[GroupedCounts | None] | None,
    number: int,
    fields: Mapping[str, Sequence[str]],
) -> GroupedCounts | None:
    """Return the counts of a system on one text by group; None if nothing of it counts.

    Without `groups` the text is all in the group `NO_VALUE`. Where only this system has no counts by group,
    and failures count, they are those that gold has in other systems, unless a metric counts something else.
    """
    tables = {}
    if groups is None:
        units = np.arange(system.n_rows)
        for score in filter(attrgetter("available"), system):
            columns = [score.metric.fields.index(name) for name in fields.get(score.name, ())]
            tables[score.name] = score.units[:, columns]
        return GroupedCounts((NO_VALUE,), units, np.zeros_like(units), tables) if _counts(system) else None
    if groups[number] is not None or not system.missed:
        return groups[number]
    first = next(filter(None, groups))
    lost = {}
    for name, table in first.tables.items():
        own = system.scores.get(name)
        if own is not None and own.units[:, ~np.isin(own.metric.fields, GOLD_FIELDS)].any():
            lost[name] = "what a failure counts is not known by group"
        elif name in fields:
            tables[name] = table * np.isin(fields[name], GOLD_FIELDS)
    return replace(first, tables=tables, left_out=lost)


def _join(
    shares: Sequence[GroupedCounts | None],
    sizes: Sequence[int],
    fields: Mapping[str, Sequence[str]],
    left_out: Mapping[str, str],
) -> GroupedCounts | None:
    """Join the counts of texts with `sizes` units each; a text may lack some of the metrics."""
    starts = np.cumsum([0, *sizes])
    there = [(start, share) for start, share in zip(starts, shares, strict=False) if share is not None]
    if not there:
        return None
    numbers: dict[str, int] = {}
    units, groups = [], []
    tables: dict[str, list[CountTable]] = {name: [] for name in fields}
    for start, share in there:
        own = [numbers.setdefault(name, len(numbers)) for name in share.names]
        units.append(start + share.units)
        groups.append(np.array(own, np.int64)[share.groups])
        for name, columns in fields.items():
            shape = len(share.units), len(columns)
            tables[name].append(share.tables.get(name, np.zeros(shape, np.int64)).reshape(shape))
    added = {name: np.concatenate(each) for name, each in tables.items()}
    return GroupedCounts([*numbers], np.concatenate(units), np.concatenate(groups), added, "", left_out)


# Search of many names for a user's regular expression, with a time limit: some expressions take forever.
#
# Python cannot stop a search that has begun, so the search runs in another process, which can be killed from
# any thread and on every system. Expressions that cannot take long are searched for in this process.

# Seconds for a search, and the number of names that adds one more second.
LIMIT = 10.0
NAMES_PER_SECOND = 50_000
# Longest name, in characters, that is searched in this process for an expression with one repetition.
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
    """Search each name for a valid expression; return its first group, else its match, or None.

    Raises `CommandError` if that takes longer than `limit` seconds plus one for each `NAMES_PER_SECOND`
    names.
    """
    if _is_quick(pattern, names) or getattr(sys, "frozen", False) or not sys.executable:
        return _search_here(pattern, names)
    # Imported here, as nothing else in this module needs them.

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
    except (OSError, subprocess.CalledProcessError):  # no process can be started here
        return _search_here(pattern, names)
    matches = dict(zip(distinct, map(json.loads, done.stdout.splitlines()), strict=True))
    return [matches[name] for name in names]


def _is_quick(pattern: str, names: Sequence[str]) -> bool:
    """Return whether a search takes few steps: at most one repetition or choice, and no long names."""
    return sum(map(pattern.count, _REPEATS)) <= 1 and max(map(len, names), default=0) <= _LONGEST_NAME


def _search_here(pattern: str, names: Sequence[str]) -> list[str | None]:

    compiled = re.compile(pattern)
    matches = [compiled.search(name) for name in names]
    return [match and match[1 if compiled.groups else 0] for match in matches]


def _too_slow(pattern: str, name: str, limit: float) -> CommandError:
    message = f"by {quote(pattern)}: not done after {limit:.0f} seconds, at the name {quote(name)}"
    advice = "a repetition within another, such as (a+)+, can take forever: write (a+) instead"
    return SplitError(message, "a regular expression that is quick to search for", advice)
