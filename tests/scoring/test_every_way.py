"""The law: however a result is got, it is the same, in every digit, name and place."""

import pytest
from hypothesis import Phase, given, settings, strategies as st

from brokentrees import broken_pairs, write_pair
from evalign.engines.base import open_engine
from evalign.metrics.metric import MOST_PASSAGES
from evalign.scoring.request import MOST_UNITS
from ways import Case, check_every_way, run_process, working_in
from written import texts, write_pieces

pytestmark = pytest.mark.once

OPTIONS = {
    "match": ["place", "text"],
    "normalize": [("lower", "accents"), ("none",)],
    "exceptions": ["exceptions.tsv", "en"],
    "credit_exceptions": [True],
    "strict": [True],
    "strategy": ["printed"],
    "relations": ["v1", "v2"],
    "weights": ["weights.json"],
    "preset": ["evalb-collins", "document-parsing"],
    "empty": ["keep"],
    "punctuation": ["gold"],
    "feature_values": ["set"],
    "edges": ["all"],
    "collapse_empty_nodes": [True],
    "candidates": [".,"],
    "split_spaces": [True],
}
SOME = [(name, value) for name, values in OPTIONS.items() for value in values]
METRICS = [
    *[("default",), ("default", "boundaries", "bio"), ("default", "wlas")] * 2,
    ("all",), ("upos", "elas"), ("las", "lemmas", "tokens"), ("uas", "brackets", "tags"), ("sentences",), ("tokens", "pk"),
    ("content",),
]  # fmt: skip
SIZES = st.sampled_from([100, 400, 1500])
# Texts do not become shorter, however long one tries.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]


@st.composite
def cases(draw):
    """Draw texts, and what is asked of them."""
    options = dict(draw(st.lists(st.sampled_from(SOME), max_size=3)))
    if draw(st.booleans()):
        options["metrics"] = draw(st.sampled_from(METRICS))
    if "wlas" in options.get("metrics", ()):
        options["weights"] = "weights.json"
    if "split_spaces" in options:
        options.pop("strict", None)
    # Strict parts of several formats and of lines that differ: see the end.
    written = draw(texts(["plain", "conllu", "trees"], [0]) if "strict" in options else texts())
    if draw(st.integers(0, 2)) == 0:
        options["average"] = draw(st.sampled_from(["document", "document", "sentence"]))
    keeps_errors, by = draw(st.sampled_from([True, True, True, False])), ()
    if keeps_errors and options.get("average") != "document":  # else a command cannot split what it saves
        names = [name for name in ("genre", "speaker") if f"{name} =" in written[0]]
        by = draw(st.sampled_from([(), (), ("length",), tuple(names), ("length", *names), ("nothing",)]))
    return Case(
        written,
        options,
        by,
        window=draw(st.sampled_from([64, None, 300, None])),
        keeps_errors=keeps_errors,
        passages=draw(st.sampled_from([MOST_PASSAGES, MOST_PASSAGES, None, 3])),
        most_units=draw(st.sampled_from([MOST_UNITS, MOST_UNITS, MOST_UNITS, 4])),
    )


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory):
    """A current folder with the files that options name."""
    folder = tmp_path_factory.mktemp("ways")
    (folder / "exceptions.tsv").write_text("the\ta\nmat\trug\nsat\ts at\n", encoding="utf-8")
    (folder / "weights.json").write_text('{"schema": 1, "weights": {"nsubj": 0.25, "case": 0.1}}')
    with working_in(folder):
        yield


@settings(max_examples=150, phases=PHASES)
@given(cases(), SIZES)
def test_every_way_gives_the_same(case, size):
    check_every_way(case, [size])


@pytest.mark.slow
@settings(max_examples=2000, phases=PHASES)
@given(cases(), st.tuples(SIZES, SIZES))
def test_every_way_gives_the_same_in_many_cases(case, sizes):
    check_every_way(case, sizes)


@settings(max_examples=10)
@given(texts(families=["plain"]), st.sampled_from([{}, {"average": "document"}, {"metrics": ("all",)}]))
def test_with_a_raw_text_all_ways_but_parts_give_the_same(written, options):
    check_every_way(Case(written, options, raw=" ".join(written[0].split())), [150])


@pytest.fixture(scope="module")
def workers():
    with open_engine(2) as engine:
        yield engine


@pytest.mark.parametrize(
    ("seed", "formats", "rates", "more"),
    [
        (4, ["plain", "plain", "plain"], [0.1, 0.1, 0.1, 0.1], {"window": 300}),
        (
            30,
            ["plain", "plain"],
            [0.4, 1, 0.1, 0.4],
            {"window": 64, "options": {"normalize": ("lower", "accents")}},
        ),
        (
            2,
            ["conllu", "conllu"],
            [0.4, 1, 0.1, 0.4],
            {"window": 64, "options": {"normalize": ("lower", "accents")}},
        ),
        (3, ["conllu", "conllu"], [0, 0], {"keeps_errors": False}),
        (16, ["conllu", "conllu"], [0, 0, 0, 0], {"by": ("length", "genre")}),
        (5, ["conllu", "conllu", "plain"], [0, 0, 1], {"options": {"average": "document"}}),
        (6, ["conllu", "plain"], [0.4, 0], {"options": {"exceptions": "en"}}),
        (7, ["trees", "trees"], [0, 0, 0], {"options": {"preset": "evalb-collins"}}),
        (8, ["trees", "conllu", "plain"], [0, 0.02, 0], {"passages": 3}),
        (9, ["conllu", "conllu"], [0.1], {"options": {"metrics": ("all",), "weights": "weights.json"}}),
        (10, ["plain", "plain"], [0, 0.4], {"options": {"strict": True}}),
    ],
)
def test_processes_and_commands_give_the_same(seed, formats, rates, more, workers):
    check_every_way(Case(write_pieces(seed, formats, rates), **more), [150], engine=workers, run=run_process)


TREES = {"gold_format": "trees", "system_format": "trees"}


@settings(max_examples=20)
@given(broken_pairs(), st.sampled_from([7, 60, 300, 1500]))
def test_broken_trees_are_the_same_in_every_way(pair, size):
    check_every_way(Case(pair, TREES), [size])


@pytest.mark.slow
@settings(max_examples=500)
@given(broken_pairs(), st.sampled_from([7, 60, 300, 1500]))
def test_broken_trees_are_the_same_in_every_way_in_many_cases(pair, size):
    check_every_way(Case(pair, TREES), [size])


@pytest.mark.slow
@pytest.mark.issue(15)
@pytest.mark.parametrize("seed", [44, 75, 81, 103, 105, 208, 536])
def test_broken_trees_that_were_not_the_same(seed):
    """In failed parses, in a refusal, in the places and in the order of warnings."""
    check_every_way(Case(write_pair(seed), TREES), [7, 60, 300, 1500])


def test_an_empty_line_is_what_it_is_in_the_whole_file():
    """In parts of one tree it would be a failed parse or not, as the part has it."""
    gold = "(S (N a))\n" * 40
    for system in (
        "(S (N a))\n\n" * 40,
        "(S (N a))\n(S (N a))\n\n" * 20,
        "(S\n  (N a))\n" + "(S (N a))\n(S (N a))\n\n" * 20,
        "# one\n(S (N a))\n\n# two\n(S (N a))\n" * 20,
    ):
        check_every_way(Case((gold, system), TREES), [30])


ROW = "{}\t{}\t_\tX\t_\t_\t0\troot\t_\t_\n".format
MULTIWORD = "{}\t{}" + "\t_" * 8 + "\n"


def test_words_are_not_torn_from_words_before_a_cut():
    """A multiword token behind a boundary is compared with words before it that have no partner."""
    gold = ROW(1, "ab") + "\n" + MULTIWORD.format("1-1", "A") + ROW(1, "b") + "\n"
    system = ROW(1, "a") + ROW(2, "b") + "\n" + ROW(1, "A") + "\n"
    check_every_way(Case((gold * 50, system * 50)), [30, 200])


@pytest.mark.parametrize("is_gold", [True, False])
def test_words_written_apart(is_gold):
    joined = MULTIWORD.format("1-2", "du") + ROW(1, "de") + ROW(2, "le") + "{}\n"
    apart = ROW(1, "de") + ROW(2, "le") + "{}\n"
    sides = ["".join(side.format(ROW(3, f"prix{k}")) for k in range(24)) for side in (joined, apart)]
    check_every_way(Case(tuple(sides if is_gold else sides[::-1])), [1, 300, 2000])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("systems/udpipe/French-GSD.gold.conllu", "systems/udpipe/French-GSD.conllu"),
        ("systems/udpipe/Chinese-GSD.gold.conllu", "systems/udpipe/Chinese-GSD.conllu"),
        ("systems/udpipe/English-EWT.gold.conllu", "systems/udpipe-altered/English-EWT.altered-hyphens-dropped.conllu"),
        ("systems/udpipe/English-EWT.gold.conllu", "systems/udpipe-altered/English-EWT.altered-ptbquotes.conllu"),
        *(("constituency/gum/gold.mrg", f"constituency/gum/sys_{name}.mrg") for name in ("perturbed", "resegmented", "retokenised")),
    ],
)  # fmt: skip
def test_real_output_is_the_same_in_every_way(gold, system, data):
    written = tuple((data / name).read_text(encoding="utf-8") for name in (gold, system))
    check_every_way(Case(written), [20_000 if gold.endswith(".mrg") else 200_000])


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        (("a b\n", "a b\n"), {"split_spaces": True, "strict": True}),
        (("a b\n", "a b\n"), {"split_spaces": True, "metrics": ("upos", "tokens")}),
        (("a b\n" * 50, "c" * 100 + "\n"), {"strict": True}),
        (("(S (N a))\n", "a\n"), {"strict": True}),
        (("(S (N a))\n", ""), {}),
    ],
)
def test_parts_are_refused_what_the_whole_is_refused(texts, options):
    check_every_way(Case(texts, options), [10])
