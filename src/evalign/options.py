"""The options of scoring: each is declared once, as a field of `ScoreOptions`.

The declaration has the type, the default, the choices, the help text of the command line, and how signatures
say what the option was. `evalign.typology.options` and `evalign.bitext.scoring.options` declare theirs in the
same way. A new option is a field here, a key of `OptionKeywords`, and a keyword of `evalign.score`; the rooms
read it from the `ScoreOptions` that `scoring.request.resolve` makes of keywords, such as metrics from
`Comparison.options`. Every option can change a number. What belongs to one run (raw texts, `by`, `window`,
`stream`, `engine`) is in `scoring.request`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, cast, get_args

from evalign.errors import CommandError, Message, check_flag, check_type, option, quote, suggest
from evalign.text import Source
from evalign.ud_labels import cut_relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

    from _typeshed import DataclassInstance

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


# Lists of exceptions: tokens and what they stand for.


class ExceptionList(str):
    """The name of a list of exceptions, a language or a path, with what it lists once it was read."""

    words: Mapping[str, str] = {}
    """What is written, and what it stands for."""

    @classmethod
    def of(cls, name: str, words: Mapping[str, str]) -> ExceptionList:
        """Return the name of a list that has `words`."""
        listed = cls(name)
        listed.words = words
        return listed


# The options.

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


def declare(help: str, reader: str = "", *, default: object, **more: object) -> Any:  # noqa: ANN401 - of any type
    """Declare an option, a field of a frozen dataclass, with its text in the help of the command line.

    `reader` says who reads an option of `score`: "reading" (of files), "aligning", "metrics" or "keeping" (of rows and scores).
    `more` may have `choices`, a Literal, or `least`, for a number. For an option that signatures show it has `signature`, the key there;
    `about`, what `evalign signature` says that the key is, if not the help; `written`, how False and True are
    written, an empty text if they are not; and `usual`, the written value that is not worth showing in the
    short signature, if not the default.
    """
    if "choices" in more:
        more["choices"] = get_args(more["choices"])
    return field(default=default, metadata={"help": help, "reader": reader, **more})


def check_options(options: DataclassInstance) -> None:
    """Raise `CommandError` for a value of another type than the default, below the least, or not among the choices."""
    for declared in fields(options):
        name, value, default = declared.name, getattr(options, declared.name), declared.default
        choices = declared.metadata.get("choices", ())
        if isinstance(default, bool):
            check_flag(value, name)
        elif isinstance(default, str):
            check_type(value, str, f"`{name}=`", f"one of {', '.join(choices)}" if choices else "text")
        elif isinstance(default, (int, float)):
            # Python counts bools as integers.
            kinds = () if isinstance(value, bool) else (int, type(default))
            check_type(value, kinds, f"`{name}=`", "a number")
            least = declared.metadata.get("least", value)
            if value < least:
                message = f"{name} is {value}"
                raise CommandError(message, f"a number from {least} up")
        if choices:
            check_choice(name, value, choices)


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raise `CommandError` if the option called `name` has a `value` that is not among the choices."""
    if value not in choices:
        message = f"unknown value {quote(value)} for {name}"
        raise CommandError(message, *suggest(value, choices))


@dataclass(frozen=True)
class ScoreOptions:
    """The options of `score`, checked. Files that they name were read; None stands for the usual value."""

    metrics: tuple[str, ...] = declare(
        "what to score; all for everything, default,NAME for more (default: sentences, tokens, words, and the tags, "
        "lemmas and trees that the files have)",
        "keeping",
        default=(),
    )
    match: Match = declare(
        "default: sentences and brackets by place, if a third of the text is shared, tokens and words by place and text; "
        "place: all by place; text: all by place and text",
        "metrics",
        default="default",
        choices=Match,
        signature="match",
        about="what makes spans equal",
    )
    normalize: tuple[str, ...] = declare(
        "add lower, accents, format or width; no-NAME leaves out one of nfc, xml, brackets, slashes, quotes, ellipsis; "
        "none leaves out all",
        "aligning",
        default=(),
        signature="normalize",
        about="made equal before comparing",
    )
    exceptions: ExceptionList = declare(
        "rewrite contractions: en, or a file of your own",
        "aligning",
        default=ExceptionList(),
        signature="exceptions",
        usual="none",
        about="list of exceptions",
    )
    credit_exceptions: bool = declare("count tokens the exception list rewrote", "metrics", default=False)
    strict: bool = declare(
        "refuse what the CoNLL 2018 script refuses",
        "reading",
        default=False,
        signature="mode",
        written=("aligned", "strict"),
        usual="",
        about="mode",
    )
    strategy: Strategy = declare(
        "printed: Algorithm 1 as Jo et al. 2024 print it, for comparison",
        "keeping",
        default="places",
        choices=Strategy,
        signature="strategy",
        about="how sentences are aligned",
    )
    average: Average = declare(
        "sum counts first (micro), or average over gold documents or gold sentences",
        "keeping",
        default="micro",
        choices=Average,
        signature="average",
        about="average",
    )
    gold_format: str = declare(
        "format of gold, where its content does not show it", "reading", default="auto"
    )
    system_format: str = declare("format of the systems", "reading", default="auto")
    candidates: str = declare(
        "marks that may end a sentence (disambiguation)",
        "metrics",
        default="",
        signature="candidates",
        usual=CANDIDATES,
        about="marks that may end a sentence",
    )
    vocabulary: tuple[str, ...] | None = declare(
        "known words, one per line, for the metric oov",
        "metrics",
        default=None,
        signature="vocabulary",
        about="fingerprint of the known words",
    )
    feature_values: FeatureValues = declare(
        "set: Gender=Fem,Masc is the same as Gender=Masc,Fem",
        "metrics",
        default="ordered",
        choices=FeatureValues,
        signature="feature-values",
        about="values of features",
    )
    edges: EdgeMatch = declare(
        "all: compare every enhanced edge with every other, as the UD tools do, which may exceed 100",
        "metrics",
        default="once",
        choices=EdgeMatch,
        signature="edges",
        about="enhanced edges",
    )
    collapse_empty_nodes: bool = declare(
        "replace paths through empty nodes by edges",
        "reading",
        default=False,
        signature="empty-nodes",
        written=("dropped", "collapsed"),
        about="empty nodes of enhanced graphs",
    )
    relations: RelationLabels = declare(
        "version of UD that says which relations are content and function relations (default: the version of gold's labels)",
        "metrics",
        default="auto",
        choices=RelationLabels,
        signature="relations",
        usual="v2",
        about="version of UD for relations",
    )
    weights: Weights | None = declare(
        "what relations weigh in wlas (evalign typology weights)",
        "metrics",
        default=None,
        signature="weights",
        about="weights of relations",
    )
    layer: str = declare(
        "what the spans of stand-off tables are called (default: spans)", "keeping", default=""
    )
    preset: Preset | None = declare(
        "which brackets and tags count: document-parsing, evalb-collins, or a .prm file of evalb's "
        "(default: all but the root, with full labels)",
        "metrics",
        default=None,
        signature="preset",
        usual="default",
        about="which brackets count",
    )
    empty: Empty = declare(
        "keep: empty elements, tagged -NONE-, are tokens without characters",
        "reading",
        default="drop",
        choices=Empty,
        signature="empty",
        about="empty elements",
    )
    punctuation: Punctuation = declare(
        "gold: gold's tag says of both sides whether the preset leaves a word out",
        "metrics",
        default="own",
        choices=Punctuation,
        signature="punctuation",
        about="who says what is punctuation",
    )
    split_spaces: bool = declare(
        "cut tokens of CoNLL-U at their spaces, as plain text has them (1 000 is two tokens); tags, lemmas and heads are "
        "then not available",
        "reading",
        default=False,
        signature="spaces",
        written=("", "split"),
        about="spaces",
    )

    def __post_init__(self) -> None:
        """Check types and choices; raise `CommandError` for a value that no text can be scored with."""
        check_options(self)
        if self.strategy == "printed" and self.match != "default":
            message = option("match", self.match) + Message(" with {strategy=printed}")
            raise CommandError(
                message, "one of the two", "the printed algorithm compares texts and knows no places"
            )
        if self.split_spaces and self.strict:
            message = Message("{split_spaces=True} with {strict=True}")
            raise CommandError(
                message, "one of the two", "the CoNLL 2018 script takes a token with spaces as one"
            )

    @property
    def match_by(self) -> Match:
        """What makes spans equal: `match`, or what the preset says if that is "default"."""
        return self.bracket_rules.match if self.match == "default" else self.match

    @property
    def marks(self) -> str:
        """The characters that may end a sentence."""
        return self.candidates or CANDIDATES

    @property
    def bracket_rules(self) -> Preset:
        """The rules by which brackets and tags of trees count."""
        return self.preset or DEFAULT_PRESET

    @property
    def by_default(self) -> bool:
        """True if the documents decide which metrics are scored: none is named, or `all` or `default` is."""
        return not self.metrics or not {"all", "default"}.isdisjoint(self.metrics)


OPTIONS: Mapping[str, Field[Any]] = {each.name: each for each in fields(ScoreOptions)}
DEFAULT_OPTIONS = ScoreOptions()
SIGNED: Mapping[str, Field[Any]] = {
    each.metadata["signature"]: each for each in OPTIONS.values() if "signature" in each.metadata
}
"""The options that signatures show, by their keys there."""


class OptionKeywords(TypedDict, total=False):
    """The options as keyword arguments of `score`, `score_collection` and `Scorer`, before they are checked."""

    metrics: Sequence[str]
    match: Match
    normalize: Sequence[str]
    exceptions: str
    credit_exceptions: bool
    strict: bool
    strategy: Strategy
    average: Average
    gold_format: str
    system_format: str
    candidates: str
    vocabulary: Sequence[str] | None
    feature_values: FeatureValues
    edges: EdgeMatch
    collapse_empty_nodes: bool
    relations: RelationLabels
    weights: WeightsInput
    layer: str
    preset: PresetInput
    empty: Empty
    punctuation: Punctuation
    split_spaces: bool


def pick_options(given: Mapping[str, object]) -> OptionKeywords:
    """Return those of `given`, such as the arguments of a function by name, that are options."""
    return cast("OptionKeywords", {name: value for name, value in given.items() if name in OPTIONS})
