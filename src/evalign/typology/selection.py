"""Select the treebanks to compare: with features, large enough, mostly projective, one for each language.

    evalign typology select ud-treebanks-v1.2/UD_*

Source: Callin, A typological perspective on evaluation for Universal Dependencies, section 3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from evalign._version import __version__
from evalign.errors import CommandError, quote, suggest
from evalign.typology.options import Criteria, sign
from evalign.typology.profiles import Profile, Profiles

_LANGUAGE = re.compile(r"UD_([^-]+)|([^_-]+)")

REASONS = ("features", "tokens", "nonprojective", "language")


class Choice(NamedTuple):
    """A treebank, and the reasons for leaving it out, if there are any."""

    profile: Profile
    language: str
    reasons: tuple[str, ...]
    """Members of REASONS; empty if the treebank is kept."""

    @property
    def is_kept(self) -> bool:
        """True if the treebank is selected."""
        return not self.reasons


@dataclass(frozen=True)
class Selection:
    """The decision on every treebank, in the order in which they were given."""

    choices: tuple[Choice, ...]
    criteria: Criteria
    warnings: tuple[str, ...] = ()
    """Treebanks that were selected although others of their language are equally large."""

    @property
    def kept(self) -> list[Profile]:
        """The selected treebanks."""
        return [choice.profile for choice in self.choices if choice.is_kept]

    @property
    def removed(self) -> dict[str, int]:
        """Number of treebanks left out, by the first reason of each."""
        first = [choice.reasons[0] for choice in self.choices if choice.reasons]
        return {reason: first.count(reason) for reason in REASONS if reason in first}

    @property
    def signature(self) -> str:
        """The criteria on one line, with the version of evalign."""
        return sign(vars(self.criteria))

    def to_dict(self) -> dict[str, object]:
        """Return the selection in the form that is saved as JSON."""
        treebanks = [
            {
                "name": profile.name,
                "path": profile.path,
                "language": language,
                "tokens": profile.tokens,
                "words": profile.words,
                "featured": profile.featured,
                "featured_share": profile.featured_share,
                "trees": profile.trees,
                "nonprojective": profile.nonprojective,
                "nonprojective_share": profile.nonprojective_share,
                "kept": not reasons,
                "reasons": list(reasons),
            }
            for profile, language, reasons in self.choices
        ]
        return {
            "schema": 1,
            "version": __version__,
            "kind": "selection",
            "criteria": dict(vars(self.criteria)),
            "treebanks": treebanks,
        }


def language_of(name: str) -> str:
    """Return the language in the name of a file or folder that is named as in Universal Dependencies.

    >>> [language_of(name) for name in ("en_ewt-ud-test", "UD_Old_Church_Slavonic-PROIEL", "b/fi-ud-train")]
    ['en', 'Old_Church_Slavonic', 'fi']
    """
    last = re.split(r"[/\\]", name)[-1]
    match = _LANGUAGE.match(last)
    return (match[1] or match[2]) if match else last


def select(
    profiles: Profiles,
    criteria: Criteria | None = None,
    *,
    prefer: Collection[str] = (),
    languages: Mapping[str, str] | None = None,
) -> Selection:
    """Apply `criteria` to treebanks, and keep one of each language unless the criteria say otherwise.

    If several treebanks of one language are valid, the one in `prefer` is kept (because it was corrected by
    hand, for instance), else the largest; among equally large ones the first, with a warning. `languages`
    gives the languages of treebanks by name, where the name does not show it.
    """
    criteria = criteria or Criteria()
    _check_names(profiles, {**dict.fromkeys(prefer, ""), **(languages or {})})
    languages = {treebank.name: language_of(treebank.name) for treebank in profiles.treebanks} | {
        **(languages or {})
    }
    reasons = {treebank.name: _reasons(treebank, criteria) for treebank in profiles.treebanks}
    warnings: list[str] = []
    if criteria.per_language == "largest":
        valid = [treebank for treebank in profiles.treebanks if not reasons[treebank.name]]
        for other, best in _duplicates(valid, languages, prefer):
            reasons[other.name] = ["language"]
            if (other.name in prefer, other.tokens) == (best.name in prefer, best.tokens):
                taken = f"{best.name} is taken, as it was given first"
                warnings.append(f"{other.name} has as many tokens as {best.name}: {taken}")
    choices = [
        Choice(treebank, languages[treebank.name], tuple(reasons[treebank.name]))
        for treebank in profiles.treebanks
    ]
    return Selection(tuple(choices), criteria, tuple(warnings))


def _reasons(treebank: Profile, criteria: Criteria) -> list[str]:
    # Fractions of the decimals as written: 0.05 means exactly 5 %, not the float nearest to it.
    least, most = (Fraction(str(x)) for x in (criteria.least_featured, criteria.most_nonprojective))
    has_features = treebank.featured > 0 and Fraction(treebank.featured, treebank.words) >= least
    failed = {
        "features": criteria.features == "needed" and not has_features,
        "tokens": treebank.tokens < criteria.least_tokens,
        # Without trees the share of non-projective ones is undefined, which fails the criterion.
        "nonprojective": not treebank.trees or Fraction(treebank.nonprojective, treebank.trees) >= most,
    }
    return [reason for reason, is_so in failed.items() if is_so]


def _duplicates(
    treebanks: Sequence[Profile], languages: Mapping[str, str], prefer: Collection[str]
) -> list[tuple[Profile, Profile]]:
    """Return pairs of a treebank and the better one of the same language.

    Better means preferred, then larger; of equals the first is the better one.
    """
    best: dict[str, Profile] = {}
    for treebank in treebanks:
        other = best.setdefault(languages[treebank.name], treebank)
        if (treebank.name in prefer, treebank.tokens) > (other.name in prefer, other.tokens):
            best[languages[treebank.name]] = treebank
    pairs = [(treebank, best[languages[treebank.name]]) for treebank in treebanks]
    return [(treebank, better) for treebank, better in pairs if treebank is not better]


def _check_names(profiles: Profiles, names: Mapping[str, str]) -> None:
    known_names = [treebank.name for treebank in profiles.treebanks]
    for name in names:
        if name not in known_names:
            message = f"no treebank is called {quote(name)}"
            raise CommandError(message, *suggest(name, known_names))
