"""What a person should be warned of: remarks on files, ledgers that look as if a file were the wrong one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np

from evalign.alignment import NOWHERE
from evalign.document import Document
from evalign.errors import InputError, Place, Remark, StrictError, quote
from evalign.metrics import Census
from evalign.readers import is_source
from evalign.results import Ledger
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment import RawMap

# Tokens that are looked at to find out whether a raw text is another one.
MOST_SAMPLED = 1_000
# Tokens that are named which a raw text lacks.
MOST_PLACES = 5


def make_warnings(
    gold: Census, systems: Sequence[tuple[Census, Ledger]], raw: RawMap | None = None
) -> tuple[str, ...]:
    """Remarks on the files, and ledgers that look as if a file were the wrong one."""
    documents = [gold, *(system for system, _ in systems)]
    messages = list(dict.fromkeys(str(remark) for document in documents for remark in document.remarks))
    for system, ledger in systems:
        if gold.n_tokens:
            messages += [f"{system.name}: {message}" for message in _warn_of(gold.name, system, ledger)]
    if raw is not None:
        messages += _warn_of_raw(raw.gold, raw)
        messages += map(str, raw.remarks)
    return tuple(messages)


def _warn_of_raw(gold: Document, raw: RawMap) -> Iterator[str]:
    """What the raw text lacks, and whether it looks like another text."""
    if gold.line == raw.raw.line:
        return
    missing, doubt = raw.n_missing, " (is it the right text?)" * _is_other_text(gold, raw)
    in_tokens = int(np.diff(gold.cuts)[raw.missing_tokens].sum())
    if missing > in_tokens or (missing and doubt):
        one, several = f"{raw.raw.name}: {{}} not in it", "raw texts: {} in none of them"
        told = f"{missing:,} of {len(gold.line):,} characters of {gold.name} are"
        yield (one if raw.raw.joined is None else several).format(told) + doubt
    if missing:
        yield from describe_missing(gold, raw)
    elif doubt:
        yield f"{raw.raw.name}: most tokens of {gold.name} are written otherwise in it{doubt}"


def describe_missing(document: Document, raw: RawMap) -> Iterator[str]:
    """The tokens that the raw text has no character of, and where they are."""
    tokens = raw.missing_tokens
    if len(tokens):
        where = f"{raw.raw.name} has no" if raw.raw.joined is None else "no raw text has a"
        message = f"{where} character of this token, which has no length there"
        places = tuple(document.place_of(token) for token in tokens[:MOST_PLACES].tolist())
        yield str(Remark("not-in-raw", message, len(tokens), places))


def _is_other_text(gold: Document, raw: RawMap) -> bool:
    """Whether most tokens, of many a sample, are not in the raw text as they are written, case and accents aside."""
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
    """Letters alone, without case and accents; of what has none, all of it."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, decomposed)) or text


def _warn_of(gold: str, system: Census, ledger: Ledger) -> Iterator[str]:
    """What makes a system look like the output for another text, or for parts of this one."""
    if 2 * ledger.found < ledger.gold_characters:
        nothing = "no token, and so " if not system.n_tokens else ""
        yield (
            f"{nothing}only {ledger.found:,} of {ledger.gold_characters:,} gold characters were found "
            "(is it an output for this text?)"
        )
    if ledger.reordered:
        yield (
            f"sentences in another order than in {gold}: {ledger.reordered:,}; "
            "each counts as missed and spurious (was the output sorted or shuffled?)"
        )
    missing, extra = (_alone(ledger, side) for side in (0, 1))
    if missing or extra:
        yield f"whole sentences missing: {missing:,}, extra: {extra:,}, against {gold}"


def _alone(ledger: Ledger, side: int) -> int:
    """Sentences in blocks that the other side has nothing in."""
    sizes = [(tuple(map(int, kind.split(":"))), count) for kind, count in ledger.blocks.items()]
    return sum(size[side] * count for size, count in sizes if not size[1 - side])


def check_gold(source: object, name: str, line: str | int, format: str) -> None:
    """Raise `InputError` for a gold file without a character: `line` is its line, or how long that is.

    What is in memory may be empty, and so may a file that was said to be plain text.
    """
    if line or format == "plain" or isinstance(source, Text) or not is_source(source):
        return
    raise InputError(
        Place(name),
        "empty: gold has no token",
        "gold to score against",
        "is this the right file? To score against nothing all the same: --gold-format plain (Python: gold_format)",
    )


def refuse_differing(gold: Document, system: Document) -> StrictError:
    """What the CoNLL 2018 script says of texts that differ, with the place."""
    most = min(len(gold.line), len(system.line))
    at = next((k for k in range(most) if gold.line[k] != system.line[k]), most)
    token = min(int(np.searchsorted(system.cuts, at, side="right")) - 1, system.n_tokens - 1)
    place = system.place_of(token) if system.n_tokens else Place(system.name)
    return StrictError(
        place,
        "the concatenation of tokens in gold file and in system file differ: "
        f"first 20 differing characters {quote(gold.line[at : at + 20])} in gold, {quote(system.line[at : at + 20])} here",
        "the same characters, white space aside",
        "leave out --strict to align what differs",
    )
