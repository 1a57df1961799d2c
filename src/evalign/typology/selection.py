"""Which treebanks to compare: those with features, large enough, mostly projective, one for each language.

    evalign typology select ud-treebanks-v1.2/UD_*

Source: Callin, A typological perspective on evaluation for Universal Dependencies, section 3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypedDict

from evalign import __version__
from evalign.errors import CommandError, quote, suggest
from evalign.typology.profiles import Profile, Profiles

_LANGUAGE = re.compile(r"UD_([^-]+)|([^_-]+)")

Features = Literal["needed", "ignored"]
PerLanguage = Literal["largest", "all"]
REASONS = ("features", "tokens", "nonprojective", "language")


class Criteria(NamedTuple):
    """What a treebank must be like; the defaults are the paper's."""

    features: Features = "needed"
    least_tokens: int = 30_000
    most_nonprojective: float = 0.25
    """The share of non-projective trees must be less."""
    per_language: PerLanguage = "largest"


class Choice(NamedTuple):
    """A treebank, and why it was left out, if it was."""

    profile: Profile
    language: str
    reasons: tuple[str, ...]
    """Of REASONS."""

    @property
    def is_kept(self) -> bool:
        """Whether it is selected."""
        return not self.reasons


class SavedChoice(TypedDict):
    """A choice as JSON has it."""

    name: str
    path: str
    language: str
    tokens: int
    words: int
    featured: int
    trees: int
    nonprojective: int
    nonprojective_share: float | None
    kept: bool
    reasons: list[str]


class SavedSelection(TypedDict):
    """A selection as JSON has it."""

    schema: int
    version: str
    kind: str
    criteria: dict[str, str | int | float]
    treebanks: list[SavedChoice]


@dataclass(frozen=True)
class Selection:
    """All treebanks, in the order in which they were given."""

    choices: tuple[Choice, ...]
    criteria: Criteria

    @property
    def kept(self) -> list[Profile]:
        """The treebanks that are selected."""
        return [choice.profile for choice in self.choices if choice.is_kept]

    @property
    def removed(self) -> dict[str, int]:
        """How many were left out for each reason, the first of each."""
        first = [choice.reasons[0] for choice in self.choices if choice.reasons]
        return {reason: first.count(reason) for reason in REASONS if reason in first}

    @property
    def signature(self) -> str:
        """Which selection this is."""
        parts = {"evalign": __version__, **self.criteria._asdict()}
        return "|".join(f"{key.replace('_', '-')}:{value}" for key, value in parts.items())

    def to_dict(self) -> SavedSelection:
        """The selection as JSON has it."""
        treebanks = [
            SavedChoice(
                name=profile.name,
                path=profile.path,
                language=language,
                tokens=profile.tokens,
                words=profile.words,
                featured=profile.featured,
                trees=profile.trees,
                nonprojective=profile.nonprojective,
                nonprojective_share=profile.nonprojective_share,
                kept=not reasons,
                reasons=list(reasons),
            )
            for profile, language, reasons in self.choices
        ]
        return SavedSelection(
            schema=1,
            version=__version__,
            kind="selection",
            criteria=dict(self.criteria._asdict()),
            treebanks=treebanks,
        )


def language_of(name: str) -> str:
    """The language of a treebank by its name, as Universal Dependencies names files and folders.

    >>> [language_of(name) for name in ("en_ewt-ud-test", "UD_Old_Church_Slavonic-PROIEL", "b/fi-ud-train")]
    ['en', 'Old_Church_Slavonic', 'fi']
    """
    last = re.split(r"[/\\]", name)[-1]
    found = _LANGUAGE.match(last)
    return (found[1] or found[2]) if found else last


def select(
    profiles: Profiles,
    criteria: Criteria | None = None,
    *,
    prefer: Collection[str] = (),
    languages: Mapping[str, str] | None = None,
) -> Selection:
    """Select treebanks; of several of one language the one in `prefer` (corrected by hand), else the largest.

    `languages` has the language of a treebank by name, where its name does not tell.
    """
    criteria = criteria or Criteria()
    _check_names(profiles, {**dict.fromkeys(prefer, ""), **(languages or {})})
    languages = {treebank.name: language_of(treebank.name) for treebank in profiles.treebanks} | {
        **(languages or {})
    }
    reasons = {treebank.name: _reasons(treebank, criteria) for treebank in profiles.treebanks}
    if criteria.per_language == "largest":
        valid = [treebank for treebank in profiles.treebanks if not reasons[treebank.name]]
        for name in _duplicates(valid, languages, prefer):
            reasons[name] = ["language"]
    choices = [
        Choice(treebank, languages[treebank.name], tuple(reasons[treebank.name]))
        for treebank in profiles.treebanks
    ]
    return Selection(tuple(choices), criteria)


def _reasons(treebank: Profile, criteria: Criteria) -> list[str]:
    share = treebank.nonprojective_share
    failed = {
        "features": criteria.features == "needed" and not treebank.featured,
        "tokens": treebank.tokens < criteria.least_tokens,
        # Where nothing is a tree nothing is known to be projective.
        "nonprojective": share is None or share >= criteria.most_nonprojective,
    }
    return [reason for reason, is_so in failed.items() if is_so]


def _duplicates(
    treebanks: Sequence[Profile], languages: Mapping[str, str], prefer: Collection[str]
) -> list[str]:
    """Names of the treebanks of whose language there is a better one; of equals the first is best."""
    best: dict[str, Profile] = {}
    for treebank in treebanks:
        other = best.setdefault(languages[treebank.name], treebank)
        if (treebank.name in prefer, treebank.tokens) > (other.name in prefer, other.tokens):
            best[languages[treebank.name]] = treebank
    kept = {treebank.name for treebank in best.values()}
    return [treebank.name for treebank in treebanks if treebank.name not in kept]


def _check_names(profiles: Profiles, names: Mapping[str, str]) -> None:
    known = [treebank.name for treebank in profiles.treebanks]
    for name in names:
        if name not in known:
            message = f"no treebank is called {quote(name)}"
            raise CommandError(message, *suggest(name, known))
