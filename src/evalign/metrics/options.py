"""Options of metrics: each can move a number and is in the signature. Presets of trees and .prm files are among them.

`Comparison.options` has them all; `scoring` makes them of what was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.files import shorten_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.relations import Weights
    from evalign.readers import Source


# Which brackets and tags count, and which labels are the same: what evalb reads from a .prm file, and presets.
#
#     $ evalign score gold.mrg system.mrg --preset document-parsing
#     $ evalign score gold.mrg system.mrg --preset COLLINS.prm

# What treebanks call the bracket around a whole tree, which a parser cannot get wrong.
ROOT_LABELS = frozenset({"TOP", "ROOT", "S1", "VROOT", ""})
# The tag of an element that is not in the text: a trace, a dropped subject.
EMPTY = "-NONE-"
PUNCTUATION = frozenset({",", ":", "``", "''", "."})


class Scheme(NamedTuple):
    """What counts among brackets and tags. Without a .prm: all but the root, with full labels."""

    name: str = "default"
    delete: frozenset[str] = frozenset()
    """Tags whose words are left out, and labels whose brackets are, their children staying."""
    equal: tuple[tuple[str, str], ...] = ()
    """Labels that are the same; a chain of them makes one class."""
    quotes: frozenset[str] = frozenset()
    """Tags that quotes have: where one side alone deleted a quote, it is put back."""
    cut: bool = False
    """Whether labels of brackets end before their first - or =."""
    labelled: bool = True
    drops_root: bool = True
    """Whether an outermost TOP, ROOT, S1, VROOT or empty label is left out."""
    messages: tuple[str, ...] = ()
    """What was wrong with the file it is from, line by line."""
    match: Literal["default", "place"] = "default"
    """When spans are the same, where nothing else is asked for: by place alone, or as is usual."""

    def cut_label(self, label: str) -> str:
        """A bracket's label as it is compared.

        >>> Scheme(cut=True).cut_label("NP-SBJ=2")
        'NP'
        """
        return label.partition("-")[0].partition("=")[0] if self.cut else label

    def classes(self) -> dict[str, str]:
        """For each label that is the same as another, one that stands for all of them.

        >>> sorted(Scheme(equal=(("ADVP", "PRT"), ("PRT", "ADV"))).classes().items())
        [('ADV', 'ADVP'), ('ADVP', 'ADVP'), ('PRT', 'ADVP')]
        """
        groups: dict[str, set[str]] = {}
        for a, b in self.equal:
            joined = groups.get(a, {a}) | groups.get(b, {b})
            groups |= dict.fromkeys(joined, joined)
        # The one named first, so that tables show what the scheme says.
        order = [label for pair in self.equal for label in pair]
        return {label: min(group, key=order.index) for label, group in groups.items()}


DEFAULT_SCHEME = Scheme()
PRESETS: Mapping[str, Scheme] = {
    # What evalb is mostly run with: the choices of COLLINS.prm.
    "evalb-collins": Scheme(
        "evalb-collins",
        delete=PUNCTUATION | {"TOP", EMPTY},
        equal=(("ADVP", "PRT"),),
        cut=True,
        drops_root=False,
    ),
    # Dridan and Oepen 2013, section 4: punctuation counts. Their triples have positions and labels, and no text.
    "document-parsing": Scheme(
        "document-parsing",
        delete=frozenset({"TOP", EMPTY}),
        equal=(("ADVP", "PRT"),),
        cut=True,
        match="place",
    ),
}


def load_scheme(given: str | Source | Scheme | None) -> Scheme:
    """A scheme by its name or from a .prm file; the default one where nothing is given."""
    if given is None:
        return DEFAULT_SCHEME
    if isinstance(given, Scheme):
        return given
    if isinstance(given, str) and given in PRESETS:
        return PRESETS[given]
    if isinstance(given, str) and given != "-" and _is_no_path(given):
        raise _unknown(given)
    return read_scheme(given)


def _is_no_path(name: str) -> bool:
    """Whether neither the name nor a file of that name says that it is a path."""
    import os

    return not set(name) & {".", "/", "\\"} and not os.path.isfile(name)  # noqa: PTH113 - pathlib raises where a name is too long


def _unknown(name: str) -> CommandError:
    expected = f"one of {', '.join(PRESETS)}, or the path of a .prm file"
    advice = "a file without an ending needs its folder: ./NAME"
    return CommandError(f"unknown preset {quote(name)}", *suggest(name, PRESETS, advice, expected=expected))


def read_scheme(source: Source) -> Scheme:
    """The scheme of a .prm file. What it says of limits, messages and sentence lengths is evalb's alone."""
    from evalign.readers import check_parameters, load, read_parameters

    content = load(source)
    faults, is_known = check_parameters(content.data)
    if faults and not is_known:
        expected = "a parameter file of evalb's, with lines like DELETE_LABEL TOP"
        advice = f"evalign's own presets are {', '.join(PRESETS)}"
        raise InputError(Place(content.name, faults[0][0]), faults[0][1], expected, advice)
    [name] = shorten_paths([content.name])
    messages = [f"{name}:{lineno}: {problem}; expected {expected}" for lineno, problem, expected in faults]
    parameters, _ = read_parameters(content.data)
    if parameters.eq_words:
        messages.append(f"{name}: EQ_WORD has no effect: words are compared by place and text")

    def labels(given: tuple[bytes, ...]) -> frozenset[str]:
        return frozenset(label.decode("utf-8") for label in given)

    return Scheme(
        name,
        labels(parameters.delete_labels),
        tuple((a.decode("utf-8"), b.decode("utf-8")) for a, b in parameters.eq_labels),
        labels(parameters.quote_labels),
        cut=True,
        labelled=parameters.labeled,
        drops_root=False,
        messages=tuple(messages),
    )


# What else can be asked of metrics.

Match = Literal["default", "place", "text"]
FeatureValues = Literal["ordered", "set"]
EdgeMatch = Literal["once", "all"]
Punctuation = Literal["own", "gold"]
RelationLabels = Literal["auto", "v1", "v2"]

# Marks that may end a sentence (Palmer and Hearst 1997; Read et al. 2012).
CANDIDATES = ".?!…。！？"


# What a layer of stand-off spans is called where nothing is said.
SPANS = "spans"


class Options(NamedTuple):
    """What is asked of the metrics."""

    match: Match = "default"
    credit_exceptions: bool = False
    candidates: str = CANDIDATES
    vocabulary: frozenset[str] | None = None
    feature_values: FeatureValues = "ordered"
    """Whether Fem,Masc is another value than Masc,Fem, as in the CoNLL 2018 evaluation, or the same set."""
    edges: EdgeMatch = "once"
    """Whether an enhanced edge is matched once, or with every equal one, as in the UD tools."""
    relations: RelationLabels = "auto"
    """Version of the labels that content and function relations are told by."""
    weights: Weights | None = None
    scheme: Scheme = DEFAULT_SCHEME
    """Which brackets and tags of trees count, and which labels are the same."""
    punctuation: Punctuation = "own"
    """Whether a word that the scheme leaves out is told by its own tag, or by gold's where gold has the word."""
