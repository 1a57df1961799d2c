"""What was asked of a run, and the line that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from evalign._version import __version__
from evalign.errors import CommandError, quote, suggest
from evalign.metrics import (
    CANDIDATES,
    DEFAULT_SCHEME,
    PRESETS,
    Census,
    Comparison,
    EdgeMatch,
    FeatureValues,
    Layer,
    LiveCensus,
    Match,
    Options,
    Punctuation,
    RelationLabels,
    Scheme,
    Units,
    load_scheme,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Weights
    from evalign.readers import Empty, Source

    WeightsInput: TypeAlias = Source | Weights | Mapping[str, float] | None
    SchemeInput: TypeAlias = Source | Scheme | None

Strategy = Literal["places", "printed"]
Average = Literal["micro", "document", "sentence"]
# Metrics that look at the version of UD that relations are of.
VERSIONED = frozenset({"content", "function", "wlas"})


class Reading(TypedDict):
    """What `read` is told of every file."""

    strict: bool
    collapse_empty_nodes: bool
    empty: Empty
    split_spaces: bool


class Settings(NamedTuple):
    """What was asked of a run, apart from what each layer needs."""

    metrics: tuple[Layer, ...]
    by_default: bool
    """Whether what is scored was left to the documents: no metric was named, or `all` or `default` among them."""
    normalize: tuple[str, ...]
    exceptions: str
    strict: bool
    strategy: Strategy
    average: Average
    collapse_empty_nodes: bool
    empty: Empty
    """What becomes of empty elements of trees."""
    options: Options
    by: tuple[str, ...] = ()
    """What the result will be split by."""
    split_spaces: bool = False
    """Whether tokens are cut at their spaces."""
    raw: str = ""
    """A fingerprint of the raw text that gold and systems are compared on; nothing where there is none."""

    @property
    def reading(self) -> Reading:
        """How files are read."""
        return Reading(
            strict=self.strict,
            collapse_empty_nodes=self.collapse_empty_nodes,
            empty=self.empty,
            split_spaces=self.split_spaces,
        )


def check_choices(**given: str) -> None:
    """Raise `CommandError` for an option whose value is not one of its choices."""
    known = {
        "match": ("default", "place", "text"),
        "strategy": ("places", "printed"),
        "average": ("micro", "document", "sentence"),
        "feature_values": ("ordered", "set"),
        "edges": ("once", "all"),
        "relations": ("auto", "v1", "v2"),
        "empty": ("drop", "keep"),
        "punctuation": ("own", "gold"),
    }
    for name, value in given.items():
        if value not in known[name]:
            msg = f"unknown value {quote(value)} for {name}"
            raise CommandError(msg, *suggest(value, known[name]))
    if given.get("strategy") == "printed" and given["match"] != "default":
        message = f"--match {given['match']} with --strategy printed"
        raise CommandError(
            message, "one of the two", "the printed algorithm compares texts and knows no places"
        )


def list_names(given: Sequence[str]) -> tuple[str, ...]:
    """Names given as a list, or as the command line has them: "sentences,tokens".

    >>> list_names("sentences,tokens"), list_names(["words"])
    (('sentences', 'tokens'), ('words',))
    """
    return tuple(given.split(",")) if isinstance(given, str) else tuple(given)


def make_options(
    match: Match,
    credit_exceptions: bool,  # noqa: FBT001
    candidates: str,
    vocabulary: Sequence[str] | None,
    feature_values: FeatureValues,
    edges: EdgeMatch,
    relations: RelationLabels,
    weights: WeightsInput,
    preset: SchemeInput,
    punctuation: Punctuation,
) -> Options:
    """What is asked of the layers, checked."""
    check_choices(
        match=match,
        feature_values=feature_values,
        edges=edges,
        relations=relations,
        punctuation=punctuation,
    )
    known, marks = _vocabulary(vocabulary), candidates or CANDIDATES
    scheme = load_scheme(preset)
    return Options(
        choose_match(match, scheme),
        credit_exceptions,
        marks,
        known,
        feature_values,
        edges,
        relations,
        _weights(weights),
        scheme,
        punctuation,
    )


def choose_match(match: Match, scheme: Scheme) -> Match:
    """When spans are the same: what was asked for, else what the scheme says."""
    return scheme.match if match == "default" else match


def _vocabulary(words: Sequence[str] | None) -> frozenset[str] | None:
    if isinstance(words, str):
        message = "vocabulary is text"
        raise CommandError(message, "a list of words", "words = text.split()")
    return None if words is None else frozenset(words)


def _weights(given: WeightsInput) -> Weights | None:
    if given is None:
        return None
    from evalign.metrics import Weights, check_weights, load_weights

    if isinstance(given, Weights):
        return check_weights(given)
    return check_weights(Weights(given)) if isinstance(given, Mapping) else load_weights(given)


def make_signature(comparison: Comparison, units: Units, settings: Settings) -> str:
    """The signature of one comparison."""
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    compared = Compared(
        LiveCensus(gold), LiveCensus(system), gold.line == system.line, comparison.alignment.lines_equal
    )
    return sign(compared, describe_units(units.kind, len(units), units.merged), settings)


class Compared(NamedTuple):
    """What a signature says of two texts."""

    gold: Census
    system: Census
    lines_equal: bool
    """Whether they have the same characters."""
    places_equal: bool
    """Whether they have them at least once notation is normalised."""


def describe_units(kind: str, n: int, merged: int = 1) -> str:
    """What counts were kept by.

    >>> describe_units("stretch", 1200, 2)
    'stretch(1200)x2'
    """
    return f"{kind}({n})" + (f"x{merged}" if merged > 1 else "")


def sign(compared: Compared, units: str, settings: Settings) -> str:
    """Everything that could move a number, on one line."""
    options, equal = settings.options, compared.lines_equal
    parts = {
        "evalign": __version__,
        "mode": "strict" if settings.strict else "aligned",
        "lines": "equal" if equal else "differ",
        "normalize": "not-needed" if equal else _describe_rules(settings),
        "alignment": "not-needed" if compared.places_equal else _describe_alignment(),
        "exceptions": _describe_exceptions(settings),
        "match": options.match,
        "strategy": settings.strategy,
        "average": settings.average,
        "unit": units,
    }
    if settings.split_spaces:
        parts["spaces"] = "split"
    if settings.raw:
        parts["raw"] = settings.raw
    names = {layer.name for layer in settings.metrics}
    if "disambiguation" in names:
        parts["candidates"] = options.candidates
    if "oov" in names and options.vocabulary is not None:
        parts["vocabulary"] = fingerprint("\n".join(sorted(options.vocabulary)))
    parts |= _describe_columns(compared, settings, names)
    parts |= _describe_trees(compared, settings)
    # A bar would part a name of a file, or the marks that may end a sentence.
    return "|".join(f"{key}:{value.replace('|', '%7C')}" for key, value in parts.items())


def _describe_columns(compared: Compared, settings: Settings, names: set[str]) -> dict[str, str]:
    """What moves the numbers of tags, trees and graphs."""
    options = settings.options
    parts: dict[str, str] = {}
    if any(layer.needs for layer in settings.metrics):  # a breakdown by feature may be asked of any of them
        parts["feature-values"] = options.feature_values
    if names & {"elas", "eulas"}:
        parts["edges"] = options.edges
        parts["empty-nodes"] = "collapsed" if settings.collapse_empty_nodes else "dropped"
    if names & VERSIONED and compared.gold.has_columns and compared.system.has_columns:
        parts["relations"] = compared.gold.version if options.relations == "auto" else options.relations
    if "wlas" in names and options.weights is not None:
        made_of = f",{options.weights.version}" if options.weights.version else ""
        parts["weights"] = f"{_name_file(options.weights.name)}({options.weights.digest}{made_of})"
    return parts


def _describe_trees(compared: Compared, settings: Settings) -> dict[str, str]:
    """What moves the numbers of brackets and their tags."""
    options = settings.options
    if not compared.gold.has_trees and not compared.system.has_trees:
        return {}
    parts = {"preset": _describe_scheme(options.scheme), "empty": settings.empty}
    if options.scheme.delete:
        parts["punctuation"] = options.punctuation
    return parts


def _describe_scheme(scheme: Scheme) -> str:
    """The name of a preset; that of a file with a fingerprint of what is in it."""
    if scheme in (DEFAULT_SCHEME, *PRESETS.values()):
        return scheme.name
    said = (sorted(scheme.delete), sorted(scheme.equal), sorted(scheme.quotes), scheme.cut, scheme.labelled)
    return f"{_name_file(scheme.name)}({fingerprint(repr(said))})"


def _describe_rules(settings: Settings) -> str:
    from evalign.alignment import choose_rules

    return "+".join(rule.name for rule in choose_rules(settings.normalize)) or "none"


def _describe_alignment() -> str:
    from evalign.alignment import MODEL

    return MODEL


def _describe_exceptions(settings: Settings) -> str:
    """The name of the list with a fingerprint of what is in it: a file of the same name may say something else."""
    if not settings.exceptions:
        return "none"
    from evalign.alignment import load_exceptions

    listed = sorted(load_exceptions(settings.exceptions).items())
    credited = "+credited" if settings.options.credit_exceptions else ""
    return f"{_name_file(settings.exceptions)}({fingerprint(str(listed))}){credited}"


def _name_file(path: str) -> str:
    """A file of options as a signature names it, without the folders it is in."""
    from evalign.files import shorten_paths

    [name] = shorten_paths([path])
    return name


def fingerprint(text: str) -> str:
    """A few characters that tell one text from another."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
