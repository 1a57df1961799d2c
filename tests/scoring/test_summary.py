"""Summaries of parts are those of the whole: metrics, availability, warnings, ledgers, signatures, counts."""

import pickle
import re

import numpy as np
import pytest
from evalign.scoring.summary import (
    count_tables,
    find_facts,
    join_facts,
    list_warnings,
    make_systems,
)
from hypothesis import assume, given, strategies as st

import evalign
from chunks import Chunks, bounds, chunked
from evalign.alignment.align import PartContext, align_documents
from evalign.metrics.comparison import Comparison
from evalign.metrics.registry import METRICS, choose_metrics
from evalign.options import ScoreOptions, Weights
from evalign.results.ledger import add_written
from evalign.results.system_result import NoEvidence
from evalign.scoring.ledger import LINES_DIFFERING, LINES_EQUAL, LINES_NORMALISED
from evalign.scoring.metric_choice import available_metrics, candidate_metrics, needs_whole, take_censuses
from evalign.scoring.request import resolve
from evalign.scoring.signature import describe_units
from evalign.scoring.units import find_units
from strategies import FEWER

pytestmark = pytest.mark.once

WEIGHTS = Weights({"nsubj": 0.5, "det": 0.25}, version="v1", name="weights.json")
ASKED = [
    (),
    (),
    ("default",),
    ("all",),
    ("upos", "elas"),
    ("las", "lemmas", "tokens"),
    ("uas", "brackets", "tags"),
    ("sentences",),
]


def align(sides, options, told=None):
    """Gold with each system, as a whole or as told of one."""
    gold, *systems = sides
    return [
        align_documents(
            gold,
            system,
            normalize=options.normalize,
            exceptions=options.exceptions.words,
            differing=differing,
        )
        for system, differing in zip(systems, told or [None] * len(systems), strict=True)
    ]


def agree(whole, parts):
    """Whether parts are aligned as they are in the whole."""
    if sum(part.n_places for part in parts) != whole.n_places:
        return False
    for side in ("gold", "system"):
        starts = []
        for part, before in zip(
            parts, np.cumsum([0, *(part.n_places for part in parts)]).tolist(), strict=False
        ):
            own = getattr(part, side).places.token_starts
            starts.append(np.where(own < 0, own, own + before))
        if not np.array_equal(np.concatenate(starts), getattr(whole, side).places.token_starts):
            return False
    return True


def count(sides, alignments, options):
    """A part as a worker counts it: how many units, their rows by system, and facts that went through a pickle."""
    gold, *systems = sides
    gold_census, censuses = take_censuses(options, gold, systems)
    metrics = candidate_metrics(options, gold_census, censuses)
    units = find_units(gold, alignments, options)
    comparisons = [Comparison(alignment, units, options) for alignment in alignments]
    tables = [
        count_tables(comparison, metrics, gold_census, census, is_part=True)
        for comparison, census in zip(comparisons, censuses, strict=True)
    ]
    facts = find_facts(gold_census, censuses, comparisons, differing=True)
    return len(units), tables, pickle.loads(pickle.dumps(facts))


def join_tables(parts):
    """Rows one below the other, by system and metric."""
    return [
        {name: np.concatenate([part[name] for part in same]) for name in same[0]}
        for same in zip(*parts, strict=True)
    ]


def score_parts(chunks, cuts, options):
    """All that a result says, made of parts; None where they are not aligned as in the whole."""
    reading = {"empty": options.empty}
    whole, parts = chunks.whole(**reading), chunks.parts(cuts, **reading)
    aligned = align(whole, options)
    told = [None if system.line == whole[0].line else PartContext() for system in whole[1:]]
    alignments = [align(part, options, told) for part in parts]
    if not all(agree(one, same) for one, *same in zip(aligned, *alignments, strict=True)):
        return None
    counted = [count(*each, options) for each in zip(parts, alignments, strict=True)]
    half = len(counted) // 2
    groups = [[facts for *_, facts in group] for group in (counted[:half], counted[half:]) if group]
    facts = join_facts([join_facts(group) for group in groups])
    metrics = available_metrics(options, *facts.documents)
    tables = join_tables([found for _, found, _ in counted])
    n_rows = sum(n_units for n_units, *_ in counted)
    kind = find_units(whole[0], aligned, options).kind
    said = describe_units(kind, n_rows), n_rows
    systems = make_systems(facts, tables, said, metrics, options, [NoEvidence()] * len(told))
    return systems, list_warnings(facts, [system.ledger for system in systems], metrics, options)


def say(systems, warnings, *, by_row):
    """What is compared: all but evidence; where rows are of other units, their sums."""
    return list(warnings), [
        (
            system.name,
            system.signature if by_row else re.sub(r"unit:[^|]*", "", system.signature),
            [
                (name, score.available, (score.units if by_row else score.units.sum(axis=0)).tolist())
                for name, score in system.scores.items()
            ],
            system.ledger,
            [list(part.items()) for part in (system.ledger.rules, system.ledger.blocks)],
        )
        for system in systems
    ]


def check(chunks, cuts, asked, given, *, by_row=True):
    """Whether parts are aligned as in the whole; if so, they say the same."""
    options = resolve(metrics=asked, **given)
    gold, *systems = chunks.whole(empty=options.empty)
    candidates = candidate_metrics(options, *take_censuses(options, gold, systems))
    if needs_whole(candidates, options):
        asked = tuple(metric.name for metric in candidates if not needs_whole([metric], options))
        options = resolve(metrics=asked, **given)
    found = score_parts(chunks, cuts, options)
    if found is None:
        return False
    whole = evalign.score(gold, *systems, metrics=asked, **given)
    assert say(*found, by_row=by_row) == say(whole.systems, whole.warnings, by_row=by_row)
    return True


@pytest.fixture(scope="module")
def exceptions(tmp_path_factory):
    """A list of exceptions that are in the texts."""
    path = tmp_path_factory.mktemp("lists") / "exceptions.tsv"
    path.write_text("ab\tb\nba\taé\nc\ta\n", encoding="utf-8")
    return str(path)


@st.composite
def options(draw, exceptions):
    return {
        "match": draw(st.sampled_from(["default", "place", "text"])),
        "normalize": draw(st.sampled_from([(), (), ("lower", "accents"), ("none",)])),
        "exceptions": draw(st.sampled_from(["", exceptions])),
        "credit_exceptions": draw(st.booleans()),
        "relations": draw(st.sampled_from(["auto", "v1"])),
        "weights": draw(st.sampled_from([None, WEIGHTS])),
        "empty": draw(st.sampled_from(["drop", "keep"])),
        "preset": draw(st.sampled_from([None, "evalb-collins"])),
    }


@given(data=st.data())
def test_parts_of_equal_lines_say_what_the_whole_says(data, exceptions):
    chunks = data.draw(chunked(documents=False))
    assume(
        check(
            chunks,
            data.draw(bounds(chunks)),
            data.draw(st.sampled_from(ASKED)),
            data.draw(options(exceptions)),
        )
    )


@given(data=st.data())
def test_parts_of_differing_lines_say_what_the_whole_says(data, exceptions):
    chunks = data.draw(chunked(differing=True, documents=False))
    assume(
        check(
            chunks,
            data.draw(bounds(chunks)),
            data.draw(st.sampled_from(ASKED)),
            data.draw(options(exceptions)),
        )
    )


@FEWER
@given(data=st.data())
def test_parts_of_gold_with_documents_say_what_the_whole_says(data, exceptions):
    chunks = data.draw(chunked(differing=data.draw(st.booleans())))
    asked, told = data.draw(st.sampled_from(ASKED)), data.draw(options(exceptions))
    assume(check(chunks, data.draw(bounds(chunks)), asked, told, by_row=False))


CONLLU = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_\n"


def sentence(*words):
    """CoNLL-U of words that are form/LEMMA/UPOS/HEAD/DEPREL."""
    return "".join(CONLLU.format(k, *word.split("/")) for k, word in enumerate(words, 1)) + "\n"


def say_both(chunks, asked=(), **options):
    """What parts that are chunks say, and that the whole says the same."""
    assert check(chunks, range(chunks.n + 1), asked, options)
    gold, *systems = chunks.whole()
    return evalign.score(gold, *systems, metrics=asked, **options)


def conllu(*sides):
    return Chunks(("conllu",) * len(sides), tuple(map(tuple, sides)))


def test_a_column_that_one_part_fills_is_scored_in_all():
    gold = [sentence("a/_/_/_/_"), sentence("b/b/NOUN/0/root")]
    result = say_both(conllu(gold, gold))
    assert [result[name].counts["gold"] for name in ("upos", "las")] == [2, 2]


def test_a_label_that_gold_has_in_another_part_is_not_warned_of():
    gold = [sentence("a/a/NOUN/0/root"), sentence("b/b/Noun/0/root"), sentence("c/c/X/0/root")]
    system = [sentence("a/a/Noun/0/root"), sentence("b/b/NOUN/0/root"), sentence("c/c/x/0/Root")]
    warnings = say_both(conllu(gold, system)).warnings
    assert [warning.partition(":5: ")[2].partition(" differs")[0] for warning in warnings] == [
        'UPOS "x"', 'DEPREL "Root"',
    ]  # fmt: skip


def test_only_the_first_lines_of_all_parts_are_named():
    gold = [sentence("a/a/NOUN/0/root", "b/b/NOUN/1/det") for _ in range(4)]
    system = [
        sentence("a/a/_/0/root", "b/b/NOUN/1/det"),
        *(sentence("a/a/_/0/root", "b/b/_/9/det") for _ in range(3)),
    ]
    warnings = say_both(conllu(gold, system)).warnings
    assert [warning for warning in warnings if "UPOS" in warning] == [
        "system1:1: UPOS is _, and wrong (7 times, also at 4, 5, 7, 8, ...)"
    ]
    assert [warning for warning in warnings if "HEAD" in warning] == [
        "system1:5: HEAD beyond the sentence: the attachment is wrong (3 times, also at 8, 11)"
    ]


def test_the_version_of_relations_is_that_of_all_parts():
    gold = [sentence("a/a/NOUN/0/obj"), sentence("b/b/NOUN/0/dobj", "c/c/NOUN/0/neg")]
    result = say_both(conllu(gold, gold), ("las", "wlas"), weights=WEIGHTS)
    assert "relations:v1" in result.systems[0].signature


def test_sentences_that_moved_to_another_part_are_reordered():
    texts = ["abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "fedcbazyxwvutsrqponmlkjihg"]
    moved = "aquitedifferentsentence\n"
    gold = [moved + texts[0] + "\n", texts[1] + "\n", texts[2] + "\n"]
    system = [texts[0] + "\n", texts[1] + "\n" + moved, texts[2] + "\n"]
    chunks = Chunks(("plain", "plain"), (tuple(gold), tuple(system)))
    assert say_both(chunks).systems[0].ledger.reordered == 1


def test_lines_are_told_by_the_part_that_differs_most():
    options = ScoreOptions()

    def lines(gold, system):
        chunks = Chunks(("plain", "plain"), (gold, system))
        parts = chunks.parts(range(chunks.n + 1))
        counted = [count(part, align(part, options, [PartContext()]), options) for part in parts]
        return join_facts([facts for *_, facts in counted]).systems[0].ledger.lines

    assert lines(("a\n", "b\n"), ("a\n", "b\n")) == LINES_EQUAL
    assert lines(("“\n", "b\n"), ('"\n', "b\n")) == LINES_NORMALISED
    assert lines(("“\n", "b\n"), ('"\n', "c\n")) == LINES_DIFFERING


def test_pairs_that_were_written_stay_in_the_order_in_which_they_appear():
    assert list(add_written([{("a", "b"): 1, ("c", "d"): 2}, {("e", "f"): 2, ("a", "b"): 1}]).items()) == [
        (("a", "b"), 2), (("c", "d"), 2), (("e", "f"), 2),
    ]  # fmt: skip


def test_of_very_many_pairs_the_rarest_are_forgotten():
    parts = [{("a", "x"): 1, ("b", "x"): 5, ("c", "x"): 4}, {("d", "x"): 3, ("e", "x"): 1}]
    assert add_written(parts, limit=2) == {("b", "x"): 5, ("c", "x"): 4}


def test_reasons_are_given_for_what_needs_the_whole():
    options = ScoreOptions()
    assert needs_whole(choose_metrics(["sentences", "las", "wlas", "boundaries", "bio"]), options) == []
    reasons = needs_whole(
        choose_metrics(["pk", "boundaries-inner", "content", "tokens"]), options, has_raw=True
    )
    assert [reason.split()[0] for reason in reasons] == ["the", "pk", "boundaries-inner", "content"]
    known = ScoreOptions(relations="v2")
    assert needs_whole(choose_metrics(["content", "function"]), known) == []
    assert needs_whole((), ScoreOptions(strategy="printed"))
    assert needs_whole((), ScoreOptions(average="sentence"))


def test_every_metric_either_adds_up_or_says_that_it_does_not():
    options = ScoreOptions()
    refused = [name for name, metric in METRICS.items() if needs_whole([metric], options)]
    assert refused == [
        "content", "function", "boundaries-inner", "token-boundaries", "pk", "windowdiff", "pk-nltk", "windowdiff-nltk",
        "pk-segeval", "windowdiff-segeval",
    ]  # fmt: skip
