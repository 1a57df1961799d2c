"""The options of metrics, and the presets and .prm files that say which brackets and tags of trees count.

`scoring` makes `Options` from the arguments of `evalign.score`; metrics read them from `Comparison.options`.
Every option can change a number, so each is part of the signature.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, NamedTuple

from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.files import shorten_paths
from evalign.metrics.relations import Weights
from evalign.readers.byte_stream import Source
from evalign.readers.content import load

# Schemes: which brackets and tags count, and which labels are the same. evalb reads them from .prm files.
#
#     evalign.score("gold.mrg", "system.mrg", preset="document-parsing")
#     evalign.score("gold.mrg", "system.mrg", preset="COLLINS.prm")

# Labels that treebanks give the bracket around a whole tree, which a parser cannot get wrong.
ROOT_LABELS = frozenset({"TOP", "ROOT", "S1", "VROOT", ""})
# The tag of an element that is not in the text: a trace, a dropped subject.
EMPTY = "-NONE-"
PUNCTUATION = frozenset({",", ":", "``", "''", "."})


class Scheme(NamedTuple):
    """The rules by which brackets and tags of trees count.

    By default all brackets but the root count, with full labels.
    """

    name: str = "default"
    delete: frozenset[str] = frozenset()
    """Tags whose words do not count, and labels whose brackets do not; the children of such brackets do."""
    equal: tuple[tuple[str, str], ...] = ()
    """Pairs of labels that count as the same; pairs that share a label make one class."""
    quotes: frozenset[str] = frozenset()
    """Tags of quotes. A quote that only one side deletes counts on both sides."""
    cut: bool = False
    """True if labels of brackets are cut before their first - or =."""
    labelled: bool = True
    drops_root: bool = True
    """Whether an outermost bracket labelled TOP, ROOT, S1, VROOT or nothing does not count."""
    messages: tuple[str, ...] = ()
    """Problems of the .prm file the scheme was read from, one for each line concerned."""
    match: Literal["default", "place"] = "default"
    """The value of the option `match` that applies if none is given."""

    def cut_label(self, label: str) -> str:
        """Return the label of a bracket as it is compared.

        >>> Scheme(cut=True).cut_label("NP-SBJ=2")
        'NP'
        """
        return label.partition("-")[0].partition("=")[0] if self.cut else label

    def classes(self) -> dict[str, str]:
        """Map each label that counts the same as another to one label that represents the class.

        >>> sorted(Scheme(equal=(("ADVP", "PRT"), ("PRT", "ADV"))).classes().items())
        [('ADV', 'ADVP'), ('ADVP', 'ADVP'), ('PRT', 'ADVP')]
        """
        groups: dict[str, set[str]] = {}
        for a, b in self.equal:
            joined = groups.get(a, {a}) | groups.get(b, {b})
            groups |= dict.fromkeys(joined, joined)
        # The label that the scheme names first, so that tables show the label users expect.
        order = [label for pair in self.equal for label in pair]
        return {label: min(group, key=order.index) for label, group in groups.items()}


DEFAULT_SCHEME = Scheme()
PRESETS: Mapping[str, Scheme] = {
    # The settings of COLLINS.prm, with which evalb is mostly run.
    "evalb-collins": Scheme(
        "evalb-collins",
        delete=PUNCTUATION | {"TOP", EMPTY},
        equal=(("ADVP", "PRT"),),
        cut=True,
        drops_root=False,
    ),
    # Dridan and Oepen 2013, section 4: punctuation counts, and triples are compared by position and label,
    # not text.
    "document-parsing": Scheme(
        "document-parsing",
        delete=frozenset({"TOP", EMPTY}),
        equal=(("ADVP", "PRT"),),
        cut=True,
        match="place",
    ),
}


def load_scheme(given: str | Source | Scheme | None) -> Scheme:
    """Return the scheme that `given` names: a preset or the path of a .prm file; the default scheme for None.

    A scheme is returned unchanged. Raises `CommandError` for an unknown name.
    """
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
    """Return whether `name` neither looks like a path nor names an existing file."""
    return not set(name) & {".", "/", "\\"} and not os.path.isfile(name)  # noqa: PTH113 - pathlib raises where a name is too long


def _unknown(name: str) -> CommandError:
    expected = f"one of {', '.join(PRESETS)}, or the path of a .prm file"
    advice = "a file without an ending needs its folder: ./NAME"
    return CommandError(f"unknown preset {quote(name)}", *suggest(name, PRESETS, advice, expected=expected))


def read_scheme(source: Source) -> Scheme:
    """Read the scheme of a .prm file; raises `InputError` if `source` is no such file.

    Its settings for limits, messages and sentence lengths concern only `evalign evalb` and are ignored here.
    """
    from evalign.readers.evalb_parameters import check_parameters, read_parameters

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


# The other options of metrics.

Match = Literal["default", "place", "text"]
FeatureValues = Literal["ordered", "set"]
EdgeMatch = Literal["once", "all"]
Punctuation = Literal["own", "gold"]
RelationLabels = Literal["auto", "v1", "v2"]

# Marks that may end a sentence (Palmer and Hearst 1997; Read et al. 2012).
CANDIDATES = ".?!…。！？"


# The default name of a layer of stand-off spans.
SPANS = "spans"


class Options(NamedTuple):
    """The options that decide how metrics count."""

    match: Match = "default"
    credit_exceptions: bool = False
    candidates: str = CANDIDATES
    vocabulary: frozenset[str] | None = None
    feature_values: FeatureValues = "ordered"
    """Whether Fem,Masc and Masc,Fem are different values ("ordered") or the same ("set").

    The CoNLL 2018 evaluation takes them as different.
    """
    edges: EdgeMatch = "once"
    """Whether an enhanced edge is matched once, or ("all") with every equal edge, as in the UD tools."""
    relations: RelationLabels = "auto"
    """The version of UD that decides which relations are content and which are function relations."""
    weights: Weights | None = None
    scheme: Scheme = DEFAULT_SCHEME
    """The rules by which brackets and tags of trees count."""
    punctuation: Punctuation = "own"
    """Whose tag decides whether a system word counts: its own, or ("gold") that of its gold word if any."""
