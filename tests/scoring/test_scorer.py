"""Scores that grow with every update, and over several workers."""

import pickle

import pytest
from hypothesis import given, settings, strategies as st

import evalign
from evalign import CommandError, Scorer
from evalign.metrics.registry import METRICS
from evalign.scoring.scorer import MOST_KEPT_WARNINGS
from strategies import two_cuts, two_texts

pytestmark = pytest.mark.once

# Every example is several runs.
FEWER = settings(max_examples=settings.default.max_examples // 5)
NAMES = [name for name in METRICS if not METRICS[name].requires and {*METRICS[name].needs} <= {"sentences"}]


def counts(result):
    return [
        {name: score.units.tolist() for name, score in system.scores.items()} for system in result.systems
    ]


def update_all(scorer, pairs):
    for pair in pairs:
        scorer.update(pair.gold, pair.system)
    return scorer


def test_a_scorer_shows_the_options_that_are_not_usual():
    with pytest.raises(TypeError, match="unexpected keyword argument 'metric'"):
        Scorer(metric=["tokens"])
    assert repr(Scorer(metrics=["tokens"], match="default")) == "Scorer(metrics=('tokens',))"


@given(st.lists(two_cuts(), min_size=1, max_size=4))
@FEWER
def test_updates_are_the_documents_of_one_corpus(pairs):
    pairs = [pair for pair in pairs if pair.gold]
    if not pairs:
        return
    result = update_all(Scorer(metrics=NAMES), pairs).result()
    gold = {str(number): pair.gold for number, pair in enumerate(pairs, 1)}
    whole = evalign.score(gold, [sentence for pair in pairs for sentence in pair.system], metrics=NAMES)
    assert counts(result) == counts(whole)
    assert (result.unit_kind, result.unit_names) == (whole.unit_kind, list(whole.unit_names))
    assert result.signature == whole.signature
    assert result.ledger == whole.ledger
    assert result.warnings == whole.warnings


@given(st.lists(two_texts(), max_size=5), st.integers(0, 5))
@FEWER
def test_however_the_work_is_divided_the_sum_is_the_same(pairs, cut):
    if not pairs:
        return
    metrics = ["sentences", "tokens", "bio"]
    whole = update_all(Scorer(metrics=metrics), pairs).result()
    one, other = (update_all(Scorer(metrics=metrics), part) for part in (pairs[:cut], pairs[cut:]))
    total = (one + pickle.loads(pickle.dumps(other))).result()
    assert counts(total) == counts(whole)
    assert (total.ledger, total.signature, total.warnings) == (whole.ledger, whole.signature, whole.warnings)
    assert (len(one), len(other)) == (len(pairs[:cut]), len(pairs[cut:]))


@given(st.lists(two_texts(), min_size=1, max_size=4))
@FEWER
def test_ledgers_are_added_up(pairs):
    ledger = update_all(Scorer(metrics=["tokens"]), pairs).result().ledger
    ledgers = [evalign.score(pair.gold, pair.system).ledger for pair in pairs]
    for name in ("equal", "rewritten", "gold_only", "system_only", "reordered"):
        assert getattr(ledger, name) == sum(getattr(one, name) for one in ledgers)
    for name in {rule for one in ledgers for rule in one.rules}:
        rules = [one.rules[name] for one in ledgers if name in one.rules]
        assert ledger.rules[name].gold == sum(rule.gold for rule in rules)
        assert ledger.rules[name].system == sum(rule.system for rule in rules)
    for kind in {kind for one in ledgers for kind in one.blocks}:
        assert ledger.blocks[kind] == sum(one.blocks.get(kind, 0) for one in ledgers)


def test_documents_of_an_update_are_units_with_what_is_known_of_them(examples):
    scorer = Scorer()
    scorer.update([["a"]], [["a"]], name="first")
    scorer.update(examples / "gold.conllu", examples / "second.conllu")
    scorer.update({"x": [["b"]], "y": [["c"]]}, [["bc"]], name="last")
    scorer.update([["d"]], [["d"]])
    result = scorer.result()
    assert result.unit_names == ["first", "harbour", "kitchen", "last: x", "last: y", "6"]
    assert {len(score.units) for score in result.systems[0].scores.values()} == {6}
    whole = evalign.score(examples / "gold.conllu", examples / "second.conllu")
    assert result["las"].units[1:3].tolist() == whole["las"].units.tolist()
    assert {key: values[1:3] for key, values in result.unit_fields.items()} == {
        key: list(values) for key, values in whole.unit_fields.items()
    }


def test_a_metric_that_some_updates_lack_is_of_the_others(examples):
    scorer = Scorer()
    scorer.update([["a"]], [["a"]])
    scorer.update(examples / "gold.conllu", examples / "second.conllu")
    result = scorer.result()
    assert list(result.systems[0].scores)[:4] == ["sentences", "tokens", "words", "upos"]
    assert result["las"].f1 == evalign.score(examples / "gold.conllu", examples / "second.conllu")["las"].f1
    assert result.warnings[-1].startswith("1 of 2 updates are not in the scores of upos, xpos")


def test_names_of_systems():
    scorer = Scorer(metrics=["tokens"])
    scorer.update(evalign.Text("a\n", "g1"), evalign.Text("a\n", "s"), evalign.Text("a\n", "t1"))
    assert [system.name for system in scorer.result().systems] == ["s", "t1"]
    assert scorer.result().gold == "g1"
    scorer.update(evalign.Text("a\n", "g2"), evalign.Text("a\n", "s"), evalign.Text("a\n", "t2"))
    assert [system.name for system in scorer.result().systems] == ["s", "system 2"]
    assert scorer.result().gold == "gold"
    named = Scorer(metrics="tokens", names=["model"])
    named.update([["a"]], [["a"]])
    assert named.result().systems[0].name == "model"
    with pytest.raises(CommandError, match="systems: 2, names: 1"):
        Scorer(names=["model"]).update([["a"]], [["a"]], [["a"]])


def test_several_systems_are_the_same_in_every_update():
    scorer = Scorer(metrics=["tokens"])
    scorer.update([["a"]], [["a"]], [["b"]])
    with pytest.raises(CommandError, match="systems: 1, in the updates before: 2"):
        scorer.update([["a"]], [["a"]])
    other = Scorer(metrics=["tokens"])
    other.update([["a"]], [["a"]])
    with pytest.raises(CommandError, match="the same systems"):
        scorer + other


def test_an_update_that_fails_leaves_all_as_it_was():
    scorer = Scorer(metrics=["tokens"], strict=True)
    scorer.update([["a"]], [["a"]])
    with pytest.raises(evalign.StrictError):
        scorer.update([["a"]], [["b"]])
    assert len(scorer) == 1
    assert scorer.result()["tokens"].gold == 1


def test_averages_are_taken_of_the_units():
    pairs = [([["a", "b"]], [["a", "b"]]), ([["c", "d"], ["e"]], [["cd"], ["e"]])]
    for average, kind, n_units in (
        ("micro", "document", 2),
        ("document", "document", 2),
        ("sentence", "sentence", 3),
    ):
        scorer = Scorer(metrics=["tokens"], average=average)
        for gold, system in pairs:
            scorer.update(gold, system)
        result = scorer.result()
        gold = {"1": pairs[0][0], "2": pairs[1][0]}
        whole = evalign.score(gold, pairs[0][1] + pairs[1][1], metrics=["tokens"], average=average)
        assert (result.unit_kind, len(result.unit_names)) == (kind, n_units)
        assert result["tokens"].f1 == whole["tokens"].f1
        assert result.signature == whole.signature


def test_nothing_scored_is_no_result():
    scorer = Scorer()
    with pytest.raises(CommandError, match="nothing was scored yet"):
        scorer.result()
    scorer.update([["a"]], [["a"]])
    scorer.reset()
    assert len(scorer) == 0
    assert len(Scorer() + Scorer()) == 0


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"metrics": ["token"]}, "unknown metric"),
        ({"match": "x"}, 'unknown value "x" for match'),
        ({"vocabulary": "a b"}, "vocabulary is text"),
        ({"preset": "collins"}, "unknown preset"),
    ],
)
def test_wrong_options_are_named_at_once(options, found):
    with pytest.raises(CommandError, match=found):
        Scorer(**options)


def test_only_scorers_of_the_same_options_are_added():
    with pytest.raises(CommandError, match="scorers of other options: metrics, strict"):
        Scorer(metrics=["tokens"]) + Scorer(metrics=["words"], strict=True)
    with pytest.raises(TypeError):
        Scorer() + 1
    with pytest.raises(TypeError):
        1 + Scorer()
    assert len(sum([Scorer(metrics="tokens"), Scorer(metrics=("tokens",))])) == 0


def test_files_among_the_options_are_read_once(tmp_path):
    weights, preset = tmp_path / "weights.json", tmp_path / "mine.prm"
    weights.write_text('{"schema": 1, "weights": {"punct": 0.1}}')
    preset.write_text("DELETE_LABEL TOP\n")
    with weights.open() as one, preset.open() as other:
        scorer = Scorer(weights=one, preset=other, vocabulary=["b", "a"])
    again = pickle.loads(pickle.dumps(scorer))
    assert len(scorer + again) == 0
    assert again.options.weights.values == {"punct": 0.1}


def test_what_a_scorer_keeps_does_not_grow_with_the_texts():
    sizes = []
    for length in (10, 1_000):
        scorer = Scorer(metrics=["tokens"])
        for _ in range(3):
            scorer.update([["a"] * length], [["a"] * length])
        sizes.append(len(pickle.dumps(scorer)))
    assert sizes[0] == pytest.approx(sizes[1], abs=30)


def test_warnings_are_kept_up_to_a_number():
    scorer = Scorer(metrics=["tokens"])
    for number in range(MOST_KEPT_WARNINGS + 5):
        scorer.update([["a", " "]], evalign.Text("a", f"s{number}"))
    warnings = scorer.result().warnings
    assert len(warnings) == MOST_KEPT_WARNINGS + 1
    assert warnings[0] == "<tokens>:1: token of white space only: it has no characters"
    assert warnings[-1] == "warnings of other updates: 6"
    assert (scorer + scorer).result().warnings[:-1] == warnings[:-1]


def test_errors_are_not_kept_and_a_result_says_so(tmp_path):
    scorer = Scorer(metrics=["tokens", "upos"])
    scorer.update([["a", "b"]], [["ab"]])
    result = scorer.result()
    for ask in (result.errors, result.error_groups):
        with pytest.raises(CommandError, match="errors of tokens: this result keeps only counts"):
            ask("tokens")
    with pytest.raises(CommandError, match="breakdown by tag: this result keeps only counts"):
        result.breakdown("tag")
    result.save(tmp_path / "run.json")
    assert counts(evalign.Result.load(tmp_path / "run.json")) == counts(result)


def test_a_result_does_not_change_with_later_updates():
    gold = evalign.Text("# newdoc id = d{0}\n# genre = g{0}\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    scorer = Scorer(metrics=["tokens"], gold_format="conllu")
    for number in range(3):
        text = evalign.Text(gold.text.format(number))
        scorer.update(text, [["a"]])
        if number == 0:
            first = scorer.result()
    assert first.unit_fields == {"genre": ["g0"]}
    assert scorer.result().unit_fields == {"genre": ["g0", "g1", "g2"]}
    scorer.result().unit_fields["genre"].append("more")
    assert len(scorer.result().unit_fields["genre"]) == 3


def test_a_result_of_a_scorer_can_be_resampled_and_split(examples):
    scorer = Scorer(metrics=["tokens"])
    for _ in range(3):
        scorer.update(examples / "gold.conllu", examples / "second.conllu")
    result = scorer.result()
    assert evalign.assess(result, evalign.Resampling(resamples=20)).n_units == 6
    assert len(result.split("document")) == 6
