"""The options of the commands `evalign typology` and of the functions behind them, declared as those of `score`.

A declaration has the type, the default, the choices and the help text of the command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from evalign._version import __version__
from evalign.errors import CommandError
from evalign.options import DEFAULT_WEIGHT, RelationLabels, check_options, declare

Case = Literal["keep", "lower"]
Vocabulary = Literal["treebank", "relation"]
LastChunk = Literal["drop", "keep"]
SttrWithout = Literal["upos", "relation", "nothing"]
ShareOf = Literal["all", "no-punct", "classes"]
Features = Literal["needed", "ignored"]
PerLanguage = Literal["largest", "all"]
RootHeads = Literal["wrong", "left-out", "right"]
Variance = Literal["population", "sample"]


@dataclass(frozen=True)
class ProfileOptions:
    """Options for what the paper leaves open; docs/typology.md gives the reasons for the defaults."""

    case: Case = declare(
        "whether forms that differ in case are different words (default: they are)",
        default="keep",
        choices=Case,
    )
    """"keep" counts forms that differ only in case as different words; "lower" does not."""
    vocabulary: Vocabulary = declare(
        "WDE: whose distinct forms bound the entropy (default: all of the treebank)",
        default="treebank",
        choices=Vocabulary,
    )
    """Whether a relation's entropy is normalized by the distinct forms of the treebank or by its own."""
    missing: float = declare(
        "averaged WDE: the value of a relation that a treebank does not have (default 0.5)",
        default=DEFAULT_WEIGHT,
    )
    """The entropy assumed, when averaging, for a relation that does not occur in a treebank."""
    chunk: int = declare("STTR: words per chunk (default 1000)", default=1000)
    """Words per chunk of STTR."""
    last_chunk: LastChunk = declare(
        "STTR: whether a last chunk that is not full counts (default: it does not)",
        default="drop",
        choices=LastChunk,
    )
    """Whether a last chunk of fewer than `chunk` words is kept or dropped."""
    sttr_without: SttrWithout = declare(
        "STTR: leave out words whose UPOS is PUNCT, whose relation is punct, or none (default upos)",
        default="upos",
        choices=SttrWithout,
    )
    """Which words STTR ignores: those whose UPOS is PUNCT, those whose relation is punct, or none."""
    share_of: ShareOf = declare(
        "shares: of all relations, of all but punct, of content and function (default all)",
        default="all",
        choices=ShareOf,
    )
    """The total for shares of content and function: all relations, all but punct, or the two classes."""
    relations: RelationLabels = declare(
        "classes of UD version 1 or 2 (default: of the version that the labels show)",
        default="auto",
        choices=RelationLabels,
    )
    """Whose relation classes to use: those of UD 1, of UD 2, or of the version the labels suggest."""

    def __post_init__(self) -> None:
        """Check types, choices and bounds; raise `CommandError` for a value that is not allowed."""
        check_options(self)
        if self.chunk < 1:
            message = f"chunks of {self.chunk} words"
            raise CommandError(message, "1 word or more")
        if not 0 <= self.missing <= 1:
            message = f"a missing relation counts {self.missing}"
            raise CommandError(message, "a number from 0 to 1")

    def signature(self, versions: Iterable[str] = ()) -> str:
        """Return all options that could change a number, on one line.

        `versions` are the UD versions whose classes were used; without them the option `relations` is shown
        as it is.

        >>> ProfileOptions(case="lower").signature(["v2"])
        'evalign:...|case:lower|vocabulary:treebank|missing:0.5|chunk:1000|last-chunk:drop|sttr-without:upos|share-of:all|relations:v2'
        """
        return sign({**vars(self), "relations": "+".join(sorted(set(versions))) or self.relations})


@dataclass(frozen=True)
class Criteria:
    """Conditions that a treebank must meet to be selected.

    The defaults are those of the paper, except `least_featured`, which the paper does not mention.
    """

    features: Features = declare(
        "whether words must have features (default needed)", default="needed", choices=Features
    )
    least_tokens: int = declare("at least N tokens (default 30000)", default=30_000)
    """Least number of tokens."""
    most_nonprojective: float = declare(
        "less than this share of non-projective trees (default 0.25)", default=0.25
    )
    """The share of non-projective trees must be below this limit."""
    per_language: PerLanguage = declare(
        "of each language only the largest, or all (default largest)", default="largest", choices=PerLanguage
    )
    """Whether to keep only the largest treebank of each language."""
    # Even a treebank without annotated morphology has features on a few words, such as foreign words and
    # numerals: in the test sets of UD 2.10 on 0.7 to 2.0 % of the words (Korean-GSD, Japanese). Where
    # morphology is annotated, at least 12 % have features, even in Chinese, which has very little morphology.
    # The limit lies between the two.
    least_featured: float = declare(
        "at least this share of words with features (default 0.05: of treebanks without morphology up to 2 % have "
        "some, of others 12 % and more; 0: any word)",
        default=0.05,
    )
    """Least share of words with features; at least one such word is needed. Unused with `features` "ignored".
    """

    def __post_init__(self) -> None:
        """Check types, choices and shares; raise `CommandError` for a value that is not allowed."""
        check_options(self)
        for name in ("least_featured", "most_nonprojective"):
            share = getattr(self, name)
            if not 0 <= share <= 1:
                message = f"{name} is {share}"
                raise CommandError(message, "a share from 0 to 1")


def sign(options: Mapping[str, object]) -> str:
    """Return the version of evalign and `options` on one line, as signatures write them."""
    parts = {"evalign": __version__, **options}
    return "|".join(f"{name.replace('_', '-')}:{value}" for name, value in parts.items())
