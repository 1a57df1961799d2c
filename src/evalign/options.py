"""The options of scoring: each is declared once, as a field of `ScoreOptions`.

The declaration has the type, the default, the choices, the help text of the command line, and how signatures
say what the option was. A new option is a field here, a key of `OptionKeywords`, and a keyword of
`evalign.score`; the rooms read it from the `ScoreOptions` that `scoring.request.resolve` makes of keywords,
such as metrics from `Comparison.options`. Every option can change a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from evalign.text import Source
from evalign.ud_labels import cut_relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

# Presets: which brackets and tags count, and which labels are the same. evalb reads them from .prm files.
#
#     evalign.score("gold.mrg", "system.mrg", preset="document-parsing")
#     evalign.score("gold.mrg", "system.mrg", preset="COLLINS.prm")

# Labels that treebanks give the bracket around a whole tree, which a parser cannot get wrong.
ROOT_LABELS = frozenset({"TOP", "ROOT", "S1", "VROOT", ""})
# The tag of an element that is not in the text: a trace, a dropped subject.
_EMPTY = "-NONE-"
_PUNCTUATION = frozenset({",", ":", "``", "''", "."})


class Preset(NamedTuple):
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
    """Problems of the .prm file the preset was read from, one for each line concerned."""
    match: Literal["default", "place"] = "default"
    """The value of the option `match` that applies if none is given."""

    def cut_label(self, label: str) -> str:
        """Return the label of a bracket as it is compared.

        >>> Preset(cut=True).cut_label("NP-SBJ=2")
        'NP'
        """
        return label.partition("-")[0].partition("=")[0] if self.cut else label

    def classes(self) -> dict[str, str]:
        """Map each label that counts the same as another to one label that represents the class.

        >>> sorted(Preset(equal=(("ADVP", "PRT"), ("PRT", "ADV"))).classes().items())
        [('ADV', 'ADVP'), ('ADVP', 'ADVP'), ('PRT', 'ADVP')]
        """
        groups: dict[str, set[str]] = {}
        for a, b in self.equal:
            joined = groups.get(a, {a}) | groups.get(b, {b})
            groups |= dict.fromkeys(joined, joined)
        # The label that the preset names first, so that tables show the label users expect.
        order = [label for pair in self.equal for label in pair]
        return {label: min(group, key=order.index) for label, group in groups.items()}


DEFAULT_PRESET = Preset()
PRESETS: Mapping[str, Preset] = {
    # The settings of COLLINS.prm, with which evalb is mostly run.
    "evalb-collins": Preset(
        "evalb-collins",
        delete=_PUNCTUATION | {"TOP", _EMPTY},
        equal=(("ADVP", "PRT"),),
        cut=True,
        drops_root=False,
    ),
    # Dridan and Oepen 2013, section 4: punctuation counts, and triples are compared by position and label,
    # not text.
    "document-parsing": Preset(
        "document-parsing",
        delete=frozenset({"TOP", _EMPTY}),
        equal=(("ADVP", "PRT"),),
        cut=True,
        match="place",
    ),
}


DEFAULT_WEIGHT = 0.5
"""The weight of a relation without one of its own: neither function nor content (Callin, section 4.2)."""


class Weights(NamedTuple):
    """The weight of each relation in WLAS, by relation without subtype."""

    values: Mapping[str, float]
    missing: float = DEFAULT_WEIGHT
    version: str = ""
    """Version of the labels that the weights were made from: "v1", "v2" or "v1+v2".

    Empty if the file does not say.
    """
    name: str = ""
    """The name of the file that the weights were read from."""

    def of(self, label: str) -> float:
        """Return the weight of a relation, whose subtype is ignored.

        >>> Weights({"nsubj": 0.67}).of("nsubj:pass"), Weights({"nsubj": 0.67}).of("case")
        (0.67, 0.5)
        """
        return self.values.get(cut_relation(label), self.missing)

    def exact(self, label: str) -> Fraction:
        """Return the weight as the decimal written in the file, not as the nearest binary number.

        >>> Weights({"nsubj": 0.67}).exact("nsubj")
        Fraction(67, 100)
        """
        from fractions import Fraction

        # str gives the fewest digits that read as the same float: those of the file, if it has no more than
        # 15.
        return Fraction(str(self.of(label)))

    @property
    def digest(self) -> str:
        """Eight characters of a hash that depends on the weights, not on how a file writes them."""
        import json
        from hashlib import sha256

        written = json.dumps([sorted(self.values.items()), self.missing])
        return sha256(written.encode()).hexdigest()[:8]


# The types of options.

Match = Literal["default", "place", "text"]
Strategy = Literal["places", "printed"]
Average = Literal["micro", "document", "sentence"]
FeatureValues = Literal["ordered", "set"]
EdgeMatch = Literal["once", "all"]
RelationLabels = Literal["auto", "v1", "v2"]
Empty = Literal["drop", "keep"]
Punctuation = Literal["own", "gold"]
PresetInput: TypeAlias = "Source | Preset | None"
WeightsInput: TypeAlias = "Source | Weights | Mapping[str, float] | None"

# Marks that may end a sentence (Palmer and Hearst 1997; Read et al. 2012).
CANDIDATES = ".?!…。！？"
# The default name of a layer of stand-off spans.
SPANS = "spans"
