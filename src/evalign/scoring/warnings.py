"""Warnings on the files and columns that were scored, and two errors raised before anything is counted.

`make_warnings` is about files: remarks of readers, and texts that look like the wrong file. `warn_of_columns`
is about columns: wrong, missing, or counted as right although gold has no value. `summary.list_warnings`
calls both for every result.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from evalign.alignment.places import NOWHERE
from evalign.document import Document
from evalign.errors import InputError, Message, Place, Remark, StrictError, quote
from evalign.metrics.census import (
    COUNTED_EMPTY,
    Census,
    ColumnCensus,
    find_lacking_of_both,
    name_columns,
)
from evalign.metrics.metric import Metric
from evalign.metrics.registry import METRICS
from evalign.options import ScoreOptions
from evalign.readers.byte_stream import is_source
from evalign.readers.plain import UNTOKENIZED
from evalign.results.ledger import Ledger
from evalign.scoring.metric_choice import default_needs
from evalign.text import Text
from evalign.ud_labels import UNFILLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap
    from evalign.options import Weights


# Warnings about files, and about ledgers that suggest a wrong file.

# Tokens that are sampled to find out whether a raw text is another text.
MOST_SAMPLED = 1_000
# Tokens missing in a raw text whose places are named.
MOST_PLACES = 5


def make_warnings(
    gold: Census,
    systems: Sequence[tuple[Census, Ledger]],
    raw: RawMap | None = None,
    metrics: Sequence[Metric] = (),
) -> tuple[str, ...]:
    """List remarks of readers, and warn of systems and raw texts that look like another text than gold's.

    `systems` has the census and ledger of each system. If `metrics` are sentences alone, untokenized text is
    not remarked on.
    """
    documents = [gold, *(system for system, _ in systems)]
    remarks = [remark for document in documents for remark in document.remarks]
    if [metric.name for metric in metrics] == ["sentences"]:
        remarks = [remark for remark in remarks if remark.kind != UNTOKENIZED]
    # Lists of labels are named once, though their numbers differ from document to document.
    firsts = {remark.kind if remark.kind == "labels" else str(remark): remark for remark in reversed(remarks)}
    messages = list(dict.fromkeys(str(remark) for remark in remarks if remark in firsts.values()))
    for system, ledger in systems:
        if gold.n_tokens:
            messages += [f"{system.name}: {message}" for message in _warn_of(gold.name, system, ledger)]
    if raw is not None:
        messages += _warn_of_raw(raw.gold, raw)
        messages += map(str, raw.remarks)
    return tuple(messages)


def _warn_of_raw(gold: Document, raw: RawMap) -> Iterator[str]:
    """Warn of characters and tokens of gold that the raw text lacks, and ask if it is another text."""
    if gold.line == raw.raw.line:
        return
    missing, doubt = raw.n_missing, " (is it the right text?)" * _is_other_text(gold, raw)
    in_tokens = int(np.diff(gold.cuts)[raw.missing_tokens].sum())
    if missing > in_tokens or (missing and doubt):
        subject = f"{missing:,} of {len(gold.line):,} characters of {gold.name} are"
        is_one = raw.raw.joined is None
        yield (
            f"{raw.raw.name}: {subject} not in it" if is_one else f"raw texts: {subject} in none of them"
        ) + doubt
    if missing:
        yield from describe_missing(gold, raw)
    elif doubt:
        yield f"{raw.raw.name}: most tokens of {gold.name} are spelled differently in it{doubt}"


def describe_missing(document: Document, raw: RawMap) -> Iterator[str]:
    """Yield a warning of tokens without a character in the raw text, with the first places, if any."""
    tokens = raw.missing_tokens
    if len(tokens):
        where = f"{raw.raw.name} has no" if raw.raw.joined is None else "no raw text has a"
        message = f"{where} character of this token, so the token has no length there"
        places = tuple(document.place_of(token) for token in tokens[:MOST_PLACES].tolist())
        yield str(Remark("not-in-raw", message, len(tokens), places))


def _is_other_text(gold: Document, raw: RawMap) -> bool:
    """Return whether most tokens are missing in the raw text or written otherwise, case and accents aside.

    Of more than `MOST_SAMPLED` tokens an even sample is compared.
    """
    spans, files = raw.token_spans, raw.raw.files
    rows = np.flatnonzero(np.diff(gold.cuts) > 0)
    rows = rows[:: len(rows) // MOST_SAMPLED + 1]
    placed = rows[spans.starts[rows] != NOWHERE]
    starts, ends = (
        column[placed] + files.starts[spans.files[placed]] for column in (spans.starts, spans.ends)
    )
    pairs = zip(placed.tolist(), starts.tolist(), ends.tolist(), strict=True)
    same = sum(_bare(gold.token(row)) == _bare(raw.raw.text[start:end]) for row, start, end in pairs)
    return 2 * same < len(rows)


def _bare(text: str) -> str:
    """Return the letters and digits of `text` without case and accents; all of `text` if it has neither."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, decomposed)) or text


def _warn_of(gold: str, system: Census, ledger: Ledger) -> Iterator[str]:
    """Warn if a system looks like the output for another text, for parts of this one, or in another order."""
    if 2 * ledger.characters_found < ledger.gold_characters:
        nothing = "no token, and so " if not system.n_tokens else ""
        yield (
            f"{nothing}only {ledger.characters_found:,} of {ledger.gold_characters:,} gold characters were found "
            "(is it an output for this text?)"
        )
    if ledger.reordered:
        yield (
            f"sentences in another order than in {gold}: {ledger.reordered:,}; "
            "each counts as missed and spurious (was the output sorted or shuffled?)"
        )
    missing, extra = (_count_one_sided(ledger, side) for side in (0, 1))
    if missing or extra:
        yield f"whole sentences missing: {missing:,}, extra: {extra:,}, against {gold}"


def _count_one_sided(ledger: Ledger, side: int) -> int:
    """Count the sentences of one side (0 gold, 1 system) in blocks where the other side has no sentence."""
    sizes = [(tuple(map(int, kind.split(":"))), count) for kind, count in ledger.blocks.items()]
    return sum(size[side] * count for size, count in sizes if not size[1 - side])


def check_gold(source: object, name: str, line: str | int, format: str) -> None:
    """Raise `InputError` for a gold file without a character; `line` is the document's line, or its length.

    An object in memory may be empty, and so may a file whose format was given as plain text.
    """
    if line or format == "plain" or isinstance(source, Text) or not is_source(source):
        return
    raise InputError(
        Place(name),
        "empty: gold has no token",
        "gold to score against",
        Message("is this the right file? To score against nothing all the same: {gold_format=plain}"),
    )


def refuse_differing(gold: Document, system: Document) -> StrictError:
    """Make the error for texts that differ in strict mode, in the words of the CoNLL 2018 script."""
    most = min(len(gold.line), len(system.line))
    at = next((k for k in range(most) if gold.line[k] != system.line[k]), most)
    token = min(int(np.searchsorted(system.cuts, at, side="right")) - 1, system.n_tokens - 1)
    place = system.place_of(token) if system.n_tokens else Place(system.name)
    return StrictError(
        place,
        "the concatenation of tokens in gold file and in system file differ: "
        f"first 20 differing characters {quote(gold.line[at : at + 20])} in gold, {quote(system.line[at : at + 20])} here",
        "the same characters, white space aside",
        Message("leave out {strict} to align what differs"),
    )


# Columns, scored or not, that are wrong, missing, or counted as right although gold has no value.

# The end of a warning of metrics that lack a column.
NOT_AVAILABLE = " not available"
# How to add sentence boundaries to an object in memory, by the format it is read in: a spaCy Doc, or offsets.
_ADD_BOUNDARIES = {
    "conllu": 'nlp.add_pipe("sentencizer") adds them',
    "plain": "evalign.Offsets(text, tokens, [(start, end), ...]) has them",
}
# Metrics that can do without the system's sentence boundaries, and need those of gold.
ONE_SENTENCE = ("sentence-accuracy", "edit-distance")


def warn_of_columns(
    gold: Census,
    systems: Sequence[Census],
    metrics: Sequence[Metric],
    options: ScoreOptions,
    *,
    has_raw: bool = False,
) -> list[str]:
    """List warnings about columns, each once.

    If the documents decided which metrics to score (`options.by_default`), columns that were not scored are
    checked too.
    """
    needed = {name: None for metric in metrics for name in metric.needs if name != "sentences"}
    messages = list(_warn_of_sentences(gold, systems, metrics, options))
    if not has_raw:
        messages += _warn_of_order(gold, systems, default_needs() if options.by_default else list(needed))
    if options.by_default and options.strategy == "places":
        messages += _warn_of_unscored(gold, systems, strict=options.strict)
        needed |= {"deps": None} if any(system.has_columns for system in systems) else {}
    for document in (gold, *systems):
        counted = (
            _find_counted(document, systems if document is gold else [gold], needed) if options.strict else []
        )
        messages += _warn_of_document(document, needed, metrics, counted)
    if gold.has_columns:
        names = {metric.name for metric in metrics}
        is_counted = options.strict and "lemma" in _find_counted(gold, systems, needed)
        if {"lemmas", "blex"} & names and (is_counted or gold.has("lemma")):
            messages += _warn_of_lemmas(gold.name, gold.columns["lemma"])
        if options.weights is not None and "wlas" in names:
            messages += _warn_of_weights(options.weights, gold.version)
        for system in systems:
            if system.has_columns:
                messages += _warn_of_labels(gold, system, needed)
    return list(dict.fromkeys(messages))


def _warn_of_sentences(
    gold: Census, systems: Sequence[Census], metrics: Sequence[Metric], options: ScoreOptions
) -> Iterator[str]:
    """Warn of documents without sentence boundaries: metrics that are left out, or take all as one sentence."""
    names = [metric.name for metric in metrics if "sentences" in metric.needs]
    names = names or ["sentences"] * options.by_default
    by_sentence = [metric.name for metric in metrics if metric.name in ONE_SENTENCE]
    by_sentence += ["averages over sentences"] * (options.average == "sentence")
    for document in (gold, *systems):
        if document.has_sentences:
            continue
        if names:
            missing = f"sentence boundaries are missing ({_ADD_BOUNDARIES[document.format]})"
            yield f"{document.name}: {missing}: {', '.join(names)}{NOT_AVAILABLE}"
        if by_sentence and document is gold:
            yield f"{document.name}: without sentence boundaries it is one sentence for {', '.join(by_sentence)}"


def _warn_of_order(gold: Census, systems: Sequence[Census], columns: Sequence[str]) -> Iterator[str]:
    """Warn if gold has nothing in any of `columns` and a system has annotation, as the files may be swapped.

    Without columns there is no warning: whoever names only metrics of segmentation may have plain gold on
    purpose.
    """
    if not columns or not gold.n_words or gold.has_spans or _list_annotation(gold, columns):
        return
    for system in systems:
        if annotation := _list_annotation(system, columns):
            yield (
                f"{gold.name}: taken as gold, and has no annotation; {system.name} has {name_columns(annotation)} "
                "(are they swapped? gold comes first)"
            )
            return


def _list_annotation(document: Census, columns: Sequence[str]) -> list[str]:
    """List which of `columns` a document fills, or "trees".

    FEATS is left out: it counts as filled even if it is empty, so it is no sign of annotation.
    """
    if not document.n_words:
        return []
    if document.has_trees:
        return ["trees"]
    labelled = ("lemma", "upos", "xpos", "head", "deprel", "deps")
    return [name for name in columns if name in labelled and document.has(name)]


def _warn_of_unscored(gold: Census, systems: Sequence[Census], *, strict: bool) -> Iterator[str]:
    """Warn of columns that a system fills and gold does not, and of CoNLL-U without tags for gold trees."""
    # A document without words lacks no column, but does not show that it has one either.
    systems = [system for system in systems if system.n_words]
    if gold.has_columns and gold.n_words:
        lacking = gold.find_lacking(default_needs())
        lacking = [name for name in lacking if any(system.has(name) for system in systems)]
        if strict:
            lacking = [name for name in lacking if name not in COUNTED_EMPTY]
        if lacking:
            yield f"{gold.name}: no word has {name_columns(lacking, 'or')}, so it is not scored for any system"
    for system in systems if gold.has_trees and gold.n_words else ():
        if system.has_columns and not system.has("xpos"):
            yield f"{system.name}: no word has XPOS, so tags are not scored"


def _find_counted(document: Census, others: Sequence[Census], needed: Collection[str]) -> list[str]:
    """List columns that `document` leaves empty, one of `others` fills, and strict mode counts."""
    return [
        name
        for name in document.find_lacking(needed)
        if any(not any(find_lacking_of_both(document, each, [name], strict=True)) for each in others)
    ]


def _warn_of_document(
    document: Census, needed: Collection[str], metrics: Sequence[Metric], counted: Sequence[str]
) -> Iterator[str]:
    """Warn of bad trees and graphs, metrics that lack a column, and empty columns counted as `_`."""
    if document.has_columns and "head" in needed and document.has("head"):
        yield from map(str, document.columns["head"].remarks)
    if document.has_columns and "deps" in needed:
        yield from map(str, document.columns["deps"].remarks)
    if counted:
        judged = [metric.name for metric in metrics if any(name in counted for name in metric.needs)]
        rule = f"{', '.join(judged)} counted as the CoNLL 2018 script counts _"
        yield f"{document.name}: no word has {name_columns(counted, 'or')}: {rule}"
    lacking = [name for name in document.find_lacking(needed) if name not in counted]
    hit = [metric.name for metric in metrics if any(name in lacking for name in metric.needs)]
    if hit:
        missing = [name for name in lacking if any(name in METRICS[each].needs for each in hit)]
        yield f"{document.name}: no word has {name_columns(missing, 'or')}: {', '.join(hit)}{NOT_AVAILABLE}"


def find_reasons(warnings: Iterable[str], metrics: Collection[str]) -> list[str]:
    """Return the reasons why some of `metrics` are not available, taken from the warnings of a result.

    A reason reads "system.txt: no word has HEAD or DEPREL".
    """
    reasons = []
    for warning in warnings:
        reason, _, hit = warning.removesuffix(NOT_AVAILABLE).rpartition(": ")
        if warning.endswith(NOT_AVAILABLE) and not set(hit.split(", ")).isdisjoint(metrics):
            reasons.append(reason)
    return list(dict.fromkeys(reasons))


def _warn_of_lemmas(name: str, lemmas: ColumnCensus) -> Iterator[str]:
    """Warn of gold lemmas that are `_`: whatever a system has for these words counts as right."""
    if UNFILLED in lemmas.times:
        count = f"{lemmas.times[UNFILLED]:,}"
        yield f"{name}: LEMMA is _ for words: {count}; whatever lemma a system gives there counts as right"


def _warn_of_weights(weights: Weights, version: str) -> Iterator[str]:
    """Warn of weights for the relations of another version of UD than gold has."""
    if weights.version and version not in weights.version:
        yield (
            f"{weights.name}: weights of UD {weights.version} relations, and gold's are of {version}: "
            f"a relation without a weight weighs {weights.missing}"
        )


def _warn_of_labels(gold: Census, system: Census, needed: Collection[str]) -> Iterator[str]:
    """Warn of labels that are all wrong for a trivial reason.

    They are `_` where gold has labels, or gold's label in other case.
    """
    for column in ("upos", "xpos", "lemma", "deprel"):
        if column not in needed:
            continue
        ours, theirs = gold.columns[column], system.columns[column]
        if UNFILLED in theirs.times and theirs.is_filled:
            yield _write_remark(system.name, f"{name_columns([column])} is _, and wrong", theirs, UNFILLED)
        if column in ("upos", "deprel"):
            gold_labels = {label.casefold(): label for label in ours.times}
            for label in sorted(each for each in theirs.times if each.casefold() in gold_labels):
                gold_label = quote(gold_labels[label.casefold()])
                message = (
                    f"{name_columns([column])} {quote(label)} differs from gold's {gold_label} only in case"
                )
                yield _write_remark(system.name, f"{message}, and is wrong", theirs, label)


def _write_remark(name: str, message: str, column: ColumnCensus, label: str) -> str:
    """Write a remark on the words that have `label`, with their number and first places."""
    places = tuple(Place(name, lineno) for lineno in column.linenos[label])
    return str(Remark("label", message, column.times[label], places))
