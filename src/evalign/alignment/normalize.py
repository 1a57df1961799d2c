"""Rules that make notation equal, token by token, where two lines differ; and exception lists.

A rule rewrites characters from another notation: a composed accent, a Penn Treebank quote, bracket or slash,
an XML escape. It sees one token at a time, so it never joins or splits tokens, and every use is counted with
its place. `align_differing` applies both.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evalign.alignment.alignment import MOST_PLACES, RewrittenByList, RuleUse
from evalign.alignment.fold import code_points
from evalign.document import Document, distinct
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.readers.content import Content, load
from evalign.text import without_space


class Rule(NamedTuple):
    """A named normalisation of tokens.

    `trigger` returns the positions on a line where `rewrite` may change something. Text without such a
    position never changes, so most tokens need not be looked at.
    """

    name: str
    summary: str
    trigger: Callable[[str], Iterable[int]]
    rewrite: Callable[[str], str]


def _match_starts(pattern: str) -> Callable[[str], Iterable[int]]:
    """Make a trigger that returns where `pattern` matches."""
    compiled = re.compile(pattern)
    return lambda line: (match.start() for match in compiled.finditer(line))


def _make_replacer(table: Mapping[str, str]) -> Callable[[str], str]:
    """Make a function that replaces each key of `table` by its value in one pass, longest keys first."""
    pattern = re.compile("|".join(re.escape(key) for key in sorted(table, key=lambda key: -len(key))))
    return lambda text: pattern.sub(lambda match: table[match[0]], text)


def _changed_characters(rewrite: Callable[[str], str]) -> Callable[[str], Iterable[int]]:
    """Make a trigger that returns the positions of the characters that `rewrite` would change."""

    def trigger(line: str) -> Iterable[int]:
        changed = {c for c in set(line) if rewrite(c) != c}
        if not changed:
            return ()
        return np.flatnonzero(np.isin(code_points(line), [ord(c) for c in changed])).tolist()

    return trigger


def _character_rule(name: str, summary: str, rewrite: Callable[[str], str]) -> Rule:
    """Make a rule that rewrites each character by itself."""
    cached = lru_cache(maxsize=None)(rewrite)
    return Rule(name, summary, _changed_characters(cached), lambda text: "".join(map(cached, text)))


def _not_composed(line: str) -> Iterable[int]:
    if unicodedata.is_normalized("NFC", line):
        return ()
    return (match.start() for match in re.finditer(r"[^\x00-\u02ff]", line))


def _narrow(character: str) -> str:
    kind = unicodedata.decomposition(character)
    return unicodedata.normalize("NFKC", character) if kind.startswith(("<wide>", "<narrow>")) else character


def _bare(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    kept = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", kept)


def _visible(character: str) -> str:
    return "" if unicodedata.category(character) == "Cf" else character


# Penn Treebank conventions: Treebank tokenization (tok.sed) and the bracket escapes of the .mrg files.
QUOTES = {
    "``": '"', "''": '"', "“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'", "`": "'",
}  # fmt: skip
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
SLASHES = {r"\/": "/", r"\*": "*"}
# What the Moses tokenizer writes unless it is called with -no-escape.
XML = {
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'",
    "&#124;": "|", "&#91;": "[", "&#93;": "]", "&#39;": "'", "&#34;": '"',
}  # fmt: skip

NOTATION = (
    Rule(
        "nfc", "canonical composition (Unicode NFC)", _not_composed, lambda t: unicodedata.normalize("NFC", t)
    ),
    Rule("xml", "XML escapes as the Moses tokenizer writes them", _match_starts("&"), _make_replacer(XML)),
    Rule(
        "brackets",
        "Penn Treebank bracket escapes such as -LRB-",
        _match_starts("-(?=[LR][RSC]B-)"),
        _make_replacer(BRACKETS),
    ),
    Rule(
        "slashes", r"Penn Treebank escapes \/ and \*", _match_starts(r"\\(?=[/*])"), _make_replacer(SLASHES)
    ),
    Rule(
        "quotes",
        "Penn Treebank and typographic quotes",
        _match_starts("[`“”„‟‘’‚‛]|'(?=')"),
        _make_replacer(QUOTES),
    ),
    Rule("ellipsis", "one character for three dots", _match_starts("…"), lambda t: t.replace("…", "...")),
)
ON_REQUEST = (
    _character_rule("width", "full-width and half-width variants", _narrow),
    _character_rule("lower", "lower case", str.lower),
    _character_rule("accents", "no accents: marks removed", _bare),
    _character_rule("format", "no format characters (category Cf): zero-width space, soft hyphen", _visible),
)
RULES = {rule.name: rule for rule in (*NOTATION, *ON_REQUEST)}


def choose_rules(wanted: Iterable[str]) -> tuple[Rule, ...]:
    """Return the notation rules and those named in `wanted`, in the order in which they are applied.

    `none` drops all rules chosen before it, `no-NAME` leaves one out.
    """
    names = [rule.name for rule in NOTATION]
    for name in wanted:
        if name == "none":
            names = []
        elif name.removeprefix("no-") in names and name.startswith("no-"):
            names.remove(name.removeprefix("no-"))
        elif name in RULES:
            names.append(name)
        elif not (name.startswith("no-") and name.removeprefix("no-") in RULES):
            msg = f"unknown normalisation {quote(name)}"
            names = ["none", *RULES, *(f"no-{rule.name}" for rule in NOTATION)]
            raise CommandError(
                msg, *suggest(name, names, expected=f"one of {', '.join(RULES)}, no-NAME or none")
            )
    return tuple(rule for rule in RULES.values() if rule.name in names)


def apply_rules(document: Document, rules: Iterable[Rule]) -> tuple[Document, tuple[RuleUse, ...]]:
    """Rewrite the tokens of a document, and its words inside multiword tokens, by each rule in turn.

    Returns the new document and a `RuleUse` for each rule that changed something.
    """
    rule_uses = []
    for rule in rules:
        positions = np.fromiter(rule.trigger(document.line), np.int64)
        texts: dict[int, str] = {}
        if len(positions):
            hit = distinct(np.searchsorted(document.cuts, positions, side="right") - 1)
            for token in hit.tolist():
                before = document.token(token)
                after = rule.rewrite(before)
                if after != before:
                    texts[token] = after
        inner = _rewritten_forms(document, rule.rewrite)
        if texts or inner:
            rule_uses.append(_note_use(rule.name, document, texts, inner))
        document = document.retokenized(texts, _forms(document, inner))
    return document, tuple(rule_uses)


def _rewritten_forms(document: Document, rewrite: Callable[[str], str]) -> dict[int, str]:
    """Return the new forms of words inside multiword tokens that `rewrite` changes, by word."""
    if document.words is None:
        return {}
    rows = zip(np.flatnonzero(document.words.multiword).tolist(), document.words.forms, strict=True)
    return {word: after for word, form in rows if (after := rewrite(form)) != form}


def _forms(document: Document, inner: Mapping[int, str]) -> list[str] | None:
    """Return the forms of all words inside multiword tokens, some of them rewritten.

    `inner` maps indices of words in the document to their new forms. Returns None if it is empty.
    """
    if document.words is None or not inner:
        return None
    forms = list(document.words.forms)
    for word, form in inner.items():
        forms[int(document.words.ranks[word])] = form
    return forms


def _note_use(rule: str, document: Document, texts: Mapping[int, str], inner: Mapping[int, str]) -> RuleUse:
    """Count the use of a rule on tokens and on words inside multiword tokens together."""
    tokens = sorted({*texts, *map(document.word_token, inner)})[:MOST_PLACES]
    return RuleUse(rule, len(texts) + len(inner), tuple(map(document.place_of, tokens)))


def rewrite_exceptions(
    document: Document, tokens: Mapping[int, str], words: Mapping[int, str]
) -> tuple[Document, RewrittenByList, RuleUse | None]:
    """Rewrite tokens, and words inside multiword tokens, to what an exception list has for them.

    Returns the new document, the indices of what was rewritten, and the use of the list (None if nothing was
    rewritten). A document has no separate form for the word of a plain token, so the form to pair it by goes
    into `RewrittenByList.plain`.
    """
    if not tokens and not words:
        return document, RewrittenByList(), None
    use = _note_use("exceptions", document, tokens, words)
    own = document.words
    inner = {word: form for word, form in words.items() if own is not None and own.multiword[word]}
    plain = tuple((word, form) for word, form in words.items() if word not in inner)
    excepted = RewrittenByList(frozenset(tokens), frozenset(words), plain)
    return document.retokenized(dict(tokens), _forms(document, inner)), excepted, use


def normalize_keys(exceptions: Mapping[str, str], rules: Iterable[Rule]) -> dict[str, str]:
    """Return an exception list with its keys rewritten by `rules`, so that they match normalised tokens."""
    keys = dict(exceptions)
    for rule in rules:
        keys = {rule.rewrite(key): value for key, value in keys.items()}
    return keys


def lookup_exception(token: str, exceptions: Mapping[str, str]) -> str | None:
    """Return what a token stands for, or None if it is not listed.

    A token that is not listed as written is looked up in lower case. If it begins with a capital, so does the
    result.
    """
    meant = exceptions.get(token, exceptions.get(token.lower()))
    if meant is None:
        return None
    return meant[:1].upper() + meant[1:] if token[:1].isupper() else meant


# Exception lists: tokens that stand for other words, such as "n't" for "not".
#
# A list is a file of two columns separated by a tab: what is written, and what it stands for. Empty lines and
# lines that begin with "#" are ignored. Lists for some languages are shipped; they make texts comparable and
# are used only on request.

_FOLDER = Path(__file__).parent
_PREFIX = "exceptions_"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,8})?|[A-Za-z]+")


def shipped_languages() -> list[str]:
    """Return the languages for which evalign has an exception list."""
    return sorted(path.stem.removeprefix(_PREFIX) for path in _FOLDER.glob(f"{_PREFIX}*.tsv"))


def load_exceptions(name_or_path: str) -> dict[str, str]:
    """Load the exception list of a language, or one from a file: a mapping of tokens to what they stand for.

    >>> load_exceptions("en")["n't"]
    'not'
    """
    shipped = shipped_languages()
    if name_or_path in shipped:
        return _read(load(_FOLDER / f"{_PREFIX}{name_or_path}.tsv"))
    if _LANGUAGE.fullmatch(name_or_path) and not os.path.exists(name_or_path):  # noqa: PTH110
        problem = f'no exception list for "{name_or_path}"'
        advice = "a list of your own has two columns separated by a tab: what is written, what it stands for"
        raise CommandError(problem, f"{', '.join(shipped)}, or the path of a file", advice)
    return _read(load(name_or_path))


def _read(content: Content) -> dict[str, str]:
    exceptions: dict[str, str] = {}
    linenos: dict[str, int] = {}
    for lineno, text in enumerate(content.data.decode("utf-8").split("\n"), 1):
        if not text.strip() or text.startswith("#"):
            continue
        written, meant = _split(Place(content.name, lineno), text)
        if exceptions.setdefault(written, meant) != meant:
            raise InputError(
                Place(content.name, lineno),
                f"{quote(written)} stands for {quote(meant)}, and at line {linenos[written]} "
                f"for {quote(exceptions[written])}",
                "one meaning for each token",
                "keep the one that fits your text",
            )
        linenos.setdefault(written, lineno)
    return exceptions


def _split(place: Place, text: str) -> tuple[str, str]:
    """Split a line of a list into what is written and what that stands for, both without white space."""
    columns = [without_space(column) for column in text.split("\t")]
    if len(columns) == 2 and all(columns):
        return columns[0], columns[1]
    if len(columns) == 2:
        problem = "an empty column"
    else:
        problem = f"{len(columns)} {'column' if len(columns) == 1 else 'columns'}, {quote(text)}"
    expected = "two columns separated by a tab: what is written, what it stands for"
    advice = "put a tab for the space between the two" if len(text.split()) == 2 else ""
    raise InputError(place, problem, expected, advice)
