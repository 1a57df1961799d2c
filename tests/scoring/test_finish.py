"""What only the whole of a text can tell is told of parts as of the whole."""

import pytest

from evalign import Text, score
from evalign.metrics.registry import METRICS, choose_metrics
from evalign.options import ScoreOptions, Weights
from evalign.results.ledger import add_written
from evalign.scoring.metric_choice import needs_whole
from sameresult import assert_same

pytestmark = pytest.mark.once

WEIGHTS = Weights({"nsubj": 0.5, "det": 0.25}, version="v1", name="weights.json")

CONLLU = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_\n"


def sentence(*words):
    """CoNLL-U of words that are form/LEMMA/UPOS/HEAD/DEPREL."""
    return "".join(CONLLU.format(k, *word.split("/")) for k, word in enumerate(words, 1)) + "\n"


def say_both(gold, system, metrics=(), **options):
    """What sentences read one by one say, and that the whole says the same."""
    texts = [Text("".join(side), name) for side, name in ((gold, "gold"), (system, "system"))]
    result = score(*texts, metrics=metrics, **options)
    assert_same(score(*texts, metrics=metrics, stream=1, **options), result)
    return result


def test_a_column_that_one_part_fills_is_scored_in_all():
    gold = [sentence("a/_/_/_/_"), sentence("b/b/NOUN/0/root")]
    result = say_both(gold, gold)
    assert [result[name].counts["gold"] for name in ("upos", "las")] == [2, 2]


def test_a_label_that_gold_has_in_another_part_is_not_warned_of():
    gold = [sentence("a/a/NOUN/0/root"), sentence("b/b/Noun/0/root"), sentence("c/c/X/0/root")]
    system = [sentence("a/a/Noun/0/root"), sentence("b/b/NOUN/0/root"), sentence("c/c/x/0/Root")]
    warnings = say_both(gold, system).warnings
    assert [warning.partition(":5: ")[2].partition(" differs")[0] for warning in warnings] == [
        'UPOS "x"', 'DEPREL "Root"',
    ]  # fmt: skip


def test_only_the_first_lines_of_all_parts_are_named():
    gold = [sentence("a/a/NOUN/0/root", "b/b/NOUN/1/det") for _ in range(4)]
    system = [
        sentence("a/a/_/0/root", "b/b/NOUN/1/det"),
        *(sentence("a/a/_/0/root", "b/b/_/9/det") for _ in range(3)),
    ]
    warnings = say_both(gold, system).warnings
    assert [warning for warning in warnings if "UPOS" in warning] == [
        "system:1: UPOS is _, and wrong (7 times, also at 4, 5, 7, 8, ...)"
    ]
    assert [warning for warning in warnings if "HEAD" in warning] == [
        "system:5: HEAD beyond the sentence: the attachment is wrong (3 times, also at 8, 11)"
    ]


def test_the_version_of_relations_is_that_of_all_parts():
    gold = [sentence("a/a/NOUN/0/obj"), sentence("b/b/NOUN/0/dobj", "c/c/NOUN/0/neg")]
    result = say_both(gold, gold, ("las", "wlas"), weights=WEIGHTS)
    assert "relations:v1" in result.systems[0].signature


def test_sentences_that_moved_to_another_part_are_reordered():
    texts = ["abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "fedcbazyxwvutsrqponmlkjihg"]
    moved = "aquitedifferentsentence\n"
    gold = [moved + texts[0] + "\n", texts[1] + "\n", texts[2] + "\n"]
    system = [texts[0] + "\n", texts[1] + "\n" + moved, texts[2] + "\n"]
    assert say_both(gold, system, window=2000).ledger.reordered == 1


@pytest.mark.parametrize(
    ("gold", "system", "said"),
    [
        ("a\nb\n", "a\nb\n", "lines:equal|normalize:not-needed|alignment:not-needed"),
        (
            "“\nb\n",
            '"\nb\n',
            "lines:differ|normalize:nfc+xml+brackets+slashes+quotes+ellipsis|alignment:not-needed",
        ),
        ("“\nb\n", '"\nc\n', "lines:differ|normalize:nfc+xml+brackets+slashes+quotes+ellipsis|alignment:3"),
    ],
)
def test_lines_are_told_by_the_part_that_differs_most(gold, system, said):
    assert said in say_both(gold, system).signature


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
