"""Results: their content, and saving and loading."""

import json
import os
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given

import evalign
from evalign.errors import CommandError, InputError
from evalign.metrics.errors.breakdowns import BREAKDOWNS
from evalign.metrics.registry import METRICS, METRICS_WITH_ERRORS
from evalign.results.evidence import MOST_EVIDENCE
from evalign.results.result import Result
from evalign.results.system_result import Score
from schema import SCHEMA, validate
from strategies import FEWER, two_texts
from treebanks import Texts, broken_pairs

GOLD = [["A", "b", "."], ["c", "d"], ["e"]]
ONE = [["A", "b", ".", "c"], ["d"], ["e"]]
TWO = [["Ab", "."], ["c", "d"], ["f"]]
ALL = [name for name in METRICS if not METRICS[name].requires]


@pytest.fixture
def result(examples):
    return evalign.score(
        examples / "gold.conllu", examples / "system.txt", examples / "second.conllu", metrics=["all"]
    )


@pytest.mark.issue(28)
@pytest.mark.parametrize("metrics", ["tokens", "tokens,sentences", "tokens,sentences,words"])
def test_a_result_is_a_dictionary_of_scores_too(metrics):
    result = evalign.score(GOLD, ONE, TWO, metrics=metrics)
    names = metrics.split(",")
    for value, system in ((result, result.systems[0]), *zip(result, result, strict=True)):
        assert dict(value) == {**value} == {name: system[name] for name in names}
        assert (list(value.keys()), list(value.values()), list(value.items())) == (
            names, list(system), list(dict(value).items()),
        )  # fmt: skip
    assert [system.name for system in result] == [system.name for system in result.systems]
    assert [score.name for score in result.systems[1]] == names


@pytest.mark.issue(28)
def test_arguments_of_other_types_are_refused():
    result = evalign.score({"one": GOLD, "two": GOLD}, [*ONE, *ONE])
    parts = result.split("document")
    for call, problem in (
        (lambda: result[0], "a name is of type int"),
        (lambda: result.errors(None), "a name is of type NoneType"),
        (lambda: result.error_groups("tokens", examples="3"), "`examples=` is of type str"),
        (lambda: result.breakdown(["tag"]), "a kind of breakdown is of type list"),
        (lambda: result.split(1), "`by=` is of type int"),
        (lambda: result.to_dict(per=1), "`per=` is of type int"),
        (lambda: result.to_dict(whole="no"), "`whole=` is of type str"),
        (lambda: result.save(1), "a file is of type int"),
        (lambda: Result.load(None), "a file is of type NoneType"),
        (lambda: parts[0], "a document is of type int"),
        (lambda: parts.failed(1), "no system has this number"),
        (lambda: parts.macro("one", "tokens"), "`system=` is of type str"),
    ):
        with pytest.raises(CommandError, match=problem):
            call()
    for saved in (None, {}, {"schema": 1}, result.to_dict(), parts.to_dict(), []):
        with pytest.raises(InputError, match="<dict>"):
            Result.from_dict(saved)
    assert list(result.to_dict(per="frequency")["systems"][0]["breakdowns"]) == ["frequency"]


def assert_same(one, other):
    assert (one.gold, one.unit_kind, list(one.unit_names), one.warnings) == (
        other.gold, other.unit_kind, list(other.unit_names), other.warnings,
    )  # fmt: skip
    for left, right in zip(one.systems, other.systems, strict=True):
        assert (left.name, left.signature, left.ledger) == (right.name, right.signature, right.ledger)
        assert list(left.scores) == list(right.scores)
        for name in left.scores:
            assert np.array_equal(left[name].units, right[name].units)
            assert left[name].ratios == right[name].ratios
        for metric in METRICS_WITH_ERRORS:
            if metric in left.scores and left[metric].available:
                assert left.evidence.kinds(metric) == right.evidence.kinds(metric)
                assert left.errors(metric)[:MOST_EVIDENCE] == right.errors(metric)
                if len(right.errors(metric)) == sum(left.evidence.kinds(metric).values()):
                    assert left.error_groups(metric) == right.error_groups(metric)
        assert list(left.evidence.breakdown_kinds()) == list(right.evidence.breakdown_kinds())
        for kind in left.evidence.breakdown_kinds():
            assert list(left.breakdown(kind).items()) == list(right.breakdown(kind).items())
    assert one.to_dict(whole=True) == other.to_dict(whole=True)


def test_results_of_trees_are_as_the_schema_says_and_come_back(examples, tmp_path):
    result = evalign.score(examples / "gold.mrg", examples / "system.mrg", raw=examples / "trees.txt")
    validate(result.to_dict(whole=True))
    validate(result.to_dict(per=["label", "xpos"]))
    result.save(tmp_path / "run.json")
    assert_same(result, Result.load(tmp_path / "run.json"))


def test_a_saved_result_comes_back(result, tmp_path):
    result.save(tmp_path / "run.json")
    assert_same(result, Result.load(tmp_path / "run.json"))
    assert_same(result, Result.from_dict(result.to_dict(whole=True)))


@FEWER
@given(pair=two_texts())
def test_any_saved_result_comes_back(pair, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "run.json"
    result = evalign.score(pair.gold, pair.system, metrics=ALL)
    result.save(path)
    again = Result.load(path)
    assert_same(result, again)
    again.save(path)
    assert_same(again, Result.load(path))
    validate(result.to_dict(whole=True))


def score_treebanks(pair, **options):
    texts = [evalign.Text(text) for text in (pair.gold, pair.system)]
    return evalign.score(*texts, gold_format="conllu", system_format="conllu", **options)


@FEWER
@given(pair=broken_pairs())
def test_saved_confusions_and_breakdowns_come_back(pair, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "run.json"
    result = score_treebanks(pair)
    result.save(path)
    assert_same(result, Result.load(path))
    validate(result.to_dict(whole=True))
    validate(result.to_dict(per=list(BREAKDOWNS)))


def test_cells_are_counted_whole_though_few_errors_are_kept(tmp_path):
    line = "1\ta\ta\t{}\t_\t_\t0\troot\t_\t_\n\n"
    gold = line.format("X") * 300 + line.format("Y") * 100
    result = score_treebanks(Texts(gold, line.format("Z") * 400), metrics=["upos"])
    result.save(tmp_path / "run.json")
    again = Result.load(tmp_path / "run.json")
    assert len(again.errors("upos")) == MOST_EVIDENCE
    cells = [
        (group.gold, group.system, group.count, group.gold_words) for group in again.error_groups("upos")
    ]
    assert cells == [(("X",), ("Z",), 300, 300), (("Y",), ("Z",), 100, 100)]
    assert [len(group.examples) for group in again.error_groups("upos")] == [3, 0]
    assert [len(group.examples) for group in result.error_groups("upos", examples=1)] == [1, 1]


@pytest.mark.parametrize("saved", [False, True])
def test_breakdowns_of_what_there_is_not(tmp_path, saved):
    result = evalign.score(GOLD, ONE)
    result.save(tmp_path / "run.json")
    result = Result.load(tmp_path / "run.json") if saved else result
    with pytest.raises(CommandError, match='unknown breakdown "relatio"') as caught:
        result.breakdown("relatio")
    assert caught.value.advice == 'did you mean "relation"?'
    with pytest.raises(CommandError, match="breakdown by relation not available") as caught:
        result.systems[0].breakdown("relation")
    assert caught.value.expected == "HEAD and DEPREL in gold and system"
    assert "breakdowns" not in result.to_dict()
    assert result.to_dict(per=["relation"])["systems"][0]["breakdowns"] == {}


@pytest.mark.parametrize("saved", [False, True])
def test_errors_of_what_was_not_available(tmp_path, saved):
    result = evalign.score(GOLD, ONE, metrics=["tokens", "las"])
    assert not result["las"].available
    result.save(tmp_path / "run.json")
    result = Result.load(tmp_path / "run.json") if saved else result
    for look in (result.errors, result.error_groups):
        with pytest.raises(
            CommandError, match='no errors of "las"' if saved else "errors of las not available"
        ):
            look("las")


def test_the_printed_strategy_has_no_breakdowns():
    result = evalign.score(GOLD, ONE, strategy="printed")
    with pytest.raises(CommandError, match="words were not paired"):
        result.breakdown("tag")
    assert result.to_dict(whole=True)["systems"][0]["breakdowns"] == {}


def score_printed():
    return evalign.score(GOLD, ONE, strategy="printed")


def score_update_by_update():
    scorer = evalign.Scorer()
    scorer.update(GOLD, ONE)
    return scorer.result()


@pytest.mark.parametrize("make", [score_printed, score_update_by_update])
def test_where_errors_are_not_known_nobody_says_that_there_are_none(make, tmp_path):
    result = make()
    saved = result.to_dict(whole=True)
    assert "evidence" not in saved["systems"][0]
    validate(saved)
    result.save(tmp_path / "run.json")
    again = Result.load(tmp_path / "run.json")
    assert again.to_dict(whole=True) == saved
    for each in (result, again):
        for ask in (each.errors, each.error_groups):
            with pytest.raises(CommandError, match="errors of tokens: this result keeps only counts"):
                ask("tokens")
        with pytest.raises(CommandError, match='errors of "pk" are not kept'):
            each.errors("pk")


def test_a_report_of_a_result_without_errors(examples, tmp_path):
    pytest.importorskip("jinja2")
    from evalign.reports.html.page import render_report

    scorer = evalign.Scorer()
    scorer.update(examples / "gold.conllu", examples / "second.conllu")
    for result in (score_printed(), scorer.result()):
        result.save(tmp_path / "run.json")
        page = render_report(evalign.load_saved(tmp_path / "run.json"))
        assert "No passages were kept." in page
        assert "No label was taken for another." not in page
        assert "There is no loss by stage." not in page


def test_a_breakdown_that_an_older_file_lacks_was_not_kept(tmp_path):
    saved = evalign.score(GOLD, ONE).to_dict(whole=True)
    for system in saved["systems"]:
        del system["groups"], system["breakdown_units"], system["breakdowns"]["frequency"]
    path = tmp_path / "run.json"
    path.write_text(json.dumps(saved), encoding="utf-8")
    for ask in (Result.load(path).breakdown, Result.load(path).split):
        with pytest.raises(
            CommandError, match="breakdown by frequency was not kept in this result"
        ) as caught:
            ask("frequency")
        assert caught.value.expected == "a result saved by this version of evalign"


@pytest.mark.parametrize("whole", [False, True])
def test_results_hold_to_the_schema(result, whole):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validate(json.loads(json.dumps(result.to_dict(whole=whole), allow_nan=False)))


@pytest.mark.parametrize("average", ["micro", "document", "sentence"])
@pytest.mark.parametrize(("gold", "system"), [(GOLD, ONE), ([], []), (GOLD, []), ([], GOLD)])
def test_results_of_every_average_hold_to_the_schema(gold, system, average):
    result = evalign.score(gold, system, metrics=ALL, average=average)
    validate(result.to_dict(whole=True))
    validate(result.to_dict())


def test_the_schema_refuses_what_it_does_not_know(result):
    saved = json.loads(json.dumps(result.to_dict()))
    saved["systems"][0]["ledger"]["more"] = 1
    with pytest.raises(jsonschema.ValidationError):
        validate(saved)


def test_the_short_form_has_what_the_documentation_says(result):
    [first, second] = result.to_dict()["systems"]
    assert list(first) == ["name", "scores", "ledger", "signature"]
    counts = ["correct", "gold", "system", "false_positives", "false_negatives"]
    assert list(second["scores"]["tokens"]) == [*counts, "precision", "recall", "f1"]
    assert {"in_place", "same_text"} <= set(first["scores"]["tokens"])


def test_evidence_is_capped_and_says_so():
    result = evalign.score(
        [[f"a{k}b"] for k in range(300)], [[f"a{k}", "b"] for k in range(300)], metrics=["tokens"]
    )
    evidence = result.to_dict(whole=True)["systems"][0]["evidence"]["tokens"]
    assert (evidence["total"], evidence["kept"], evidence["kinds"]) == (300, MOST_EVIDENCE, {"split": 300})
    assert len(evidence["errors"]) == MOST_EVIDENCE


@pytest.mark.parametrize("step", ["write_bytes", "replace"])
def test_a_file_is_written_whole_or_not_at_all(result, tmp_path, monkeypatch, step):
    path = tmp_path / "run.json"
    path.write_text("before", encoding="utf-8")
    write = Path.write_bytes

    def fail(self, data=b"", *_, **options):
        if step == "write_bytes":
            write(self, data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, step, fail)
    with pytest.raises(InputError, match="No space left on device"):
        result.save(path)
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.skipif(os.name == "nt", reason="links and devices of POSIX")
def test_a_link_is_followed_and_a_device_is_not_replaced(result, tmp_path):
    there, link = tmp_path / "there.json", tmp_path / "link.json"
    there.write_text("before", encoding="utf-8")
    link.symlink_to(there)
    result.save(link)
    assert link.is_symlink()
    assert Result.load(there)["tokens"].counts == result["tokens"].counts
    result.save("/dev/null")
    assert not Path("/dev/null").is_file()


def test_a_name_that_is_no_text_is_saved_escaped(tmp_path):
    evalign.score(evalign.Text("a", "\udcff"), evalign.Text("a")).save(tmp_path / "run.json")
    assert Result.load(tmp_path / "run.json").gold == "\udcff"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.json"]


def test_a_file_that_cannot_be_written(result, tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        result.save(tmp_path / "nowhere" / "run.json")


def test_a_score_is_the_sum_of_its_units():
    score = evalign.score(GOLD, ONE)["tokens"]
    assert score.units.sum(axis=0).tolist() == list(score.counts.values())
    assert (score.correct, score.gold, score.system) == (6, 6, 6)
    assert (score["correct"], score["f1"], score.value, score.name) == (6, 1.0, 1.0, "tokens")


@FEWER
@given(two_texts())
def test_units_sum_to_totals(pair):
    whole = evalign.score(pair.gold, pair.system, metrics=ALL)
    for average in ("document", "sentence"):
        parts = evalign.score(pair.gold, pair.system, metrics=ALL, average=average)
        for name in ("sentences", "tokens", "words", "boundaries", "token-boundaries", "bio"):
            assert parts[name].counts == whole[name].counts, name
            assert len(parts[name].units) == len(parts.unit_names) or not pair.gold


def test_averages_are_means_over_units_that_can_be_judged():
    metric = METRICS["tokens"]
    rows = np.array([[1, 2, 1, 1, 1], [3, 4, 6, 3, 3], [0, 0, 0, 0, 0], [0, 0, 2, 0, 0]], np.int64)
    micro = Score(metric, rows)
    assert micro.ratios == {"precision": 4 / 9, "recall": 4 / 6, "f1": 8 / 15}
    for average in ("document", "sentence"):
        macro = Score(metric, rows, average)
        assert macro.counts == micro.counts
        assert macro.precision == (1 + 0.5 + 0) / 3
        assert macro.recall == (0.5 + 0.75) / 2
        assert macro.f1 == pytest.approx((2 / 3 + 0.6 + 0) / 3)
    assert Score(metric, rows[:0], "document").f1 is None


def test_a_part_or_metric_there_is_not():
    result = evalign.score(GOLD, ONE)
    with pytest.raises(CommandError, match='tokens has no "f2"'):
        result["tokens"]["f2"]
    with pytest.raises(CommandError, match='"pk" was not scored'):
        result["pk"]
    with pytest.raises(CommandError, match='errors of "pk" are not kept'):
        result.errors("pk")


def test_units_are_shared_by_all_systems():
    alone = [evalign.score(GOLD, system, metrics=["tokens"]) for system in (ONE, TWO)]
    both = evalign.score(GOLD, ONE, TWO, metrics=["tokens"])
    assert [list(result.unit_names) for result in alone] == [
        ["from sentence 1", "from sentence 3"],
        ["from sentence 1", "from sentence 2", "from sentence 3"],
    ]
    assert list(both.unit_names) == ["from sentence 1", "from sentence 3"]
    for system, result in zip(both.systems, alone, strict=True):
        assert len(system["tokens"].units) == 2
        assert system["tokens"].counts == result["tokens"].counts
    gold = [system["tokens"].units[:, 1].tolist() for system in both.systems]
    assert gold == [[5, 1], [5, 1]]


def test_gold_documents_are_units(examples):
    result = evalign.score(examples / "gold.conllu", examples / "system.txt", examples / "second.conllu")
    assert (result.unit_kind, list(result.unit_names)) == ("document", ["harbour", "kitchen"])
    assert "|unit:document(2)" in result.signature


def test_a_result_speaks_of_its_first_system():
    result = evalign.score(GOLD, ONE, TWO)
    assert result["tokens"].f1 == result.systems[0]["tokens"].f1
    assert result.ledger is result.systems[0].ledger
    assert result.errors("sentences") == result.systems[0].errors("sentences")
