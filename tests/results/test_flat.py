"""Results as dictionaries for loggers, and their systems, metrics and parts one by one."""

import pytest

import evalign


@pytest.fixture(scope="module")
def result(examples):
    gold, systems = examples / "gold.conllu", (examples / "second.conllu", examples / "system.txt")
    return evalign.score(gold, *systems, metrics=["tokens", "las", "edit-distance"])


@pytest.fixture(scope="module")
def one(examples):
    return evalign.score(examples / "gold.conllu", examples / "second.conllu", metrics=["tokens", "las"])


def test_one_system_is_flat_without_its_name(one):
    flat = one.flat()
    assert flat["tokens/f1"] == one["tokens"].f1
    assert flat["tokens/correct"] == 80
    assert flat["las/aligned_accuracy"] == one["las"].aligned_accuracy
    assert {key.split("/")[0] for key in flat} == {"tokens", "las"}
    assert all(type(value) is float for value in flat.values())
    assert flat == one.systems[0].flat()


def test_several_systems_are_flat_with_their_names(result):
    flat = result.flat()
    for system in result:
        for key, value in system.flat().items():
            assert flat[f"{system.name}/{key}"] == value
    assert flat["system.txt/tokens/f1"] == result.systems[1]["tokens"].f1
    assert len(flat) == sum(len(system.flat()) for system in result)


def test_what_is_undefined_or_not_available_is_not_in_a_flat_result(result):
    assert not [key for key in result.systems[1].flat() if key.startswith("las/")]
    empty = evalign.score([], [], metrics=["tokens"]).flat()
    assert empty["tokens/gold"] == 0
    assert "tokens/f1" not in empty


def test_systems_of_the_same_name_are_numbered_in_a_flat_result():
    result = evalign.score([["a", "."]], [["a", "."]], [["a."]], metrics=["tokens"])
    flat = result.flat()
    assert (flat["<tokens>/tokens/f1"], flat["<tokens> (2)/tokens/f1"]) == (1.0, 0.0)


def test_parts_are_flat_with_the_names_of_part_and_system(one, result):
    flat = result.split("document").flat()
    assert flat["harbour/second.conllu/tokens/gold"] + flat["kitchen/second.conllu/tokens/gold"] == 83
    assert (
        one.split("document").flat()["harbour/second.conllu/las/f1"] == flat["harbour/second.conllu/las/f1"]
    )


@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_failure_is_in_flat_parts_as_averages_count_it(examples, failures):
    folder = examples / "shared-task"
    parts = evalign.score_collection(
        folder / "gold", folder / "alpha", folder / "beta", failures=failures, metrics=["las"]
    )
    flat = parts.flat()
    assert flat["en_kitchen/beta/las/f1"] == parts["en_kitchen"].systems[1]["las"].f1
    assert flat.get("fr_garden/beta/las/f1") == (0.0 if failures == "zero" else None)
    assert "fr_garden/beta/las/gold" not in flat
    for part in parts:
        for number, name in enumerate(parts.systems):
            assert flat.get(f"{part}/{name}/las/f1") == parts.counted(part, number, "las")["f1"]


def test_a_flat_result_of_pairs_has_what_is_no_score(tmp_path):
    gold = evalign.Text("fr-000000001\ten-000000001\n")
    system = evalign.Text("fr-000000001\ten-000000001\t0.9\n")
    assert evalign.score_pairs(gold, system).flat()["pairs/average_precision"] == 1.0


def test_iterating_a_result_gives_systems_and_a_system_its_scores(result):
    assert list(result) == list(result.systems)
    assert len(result) == 2
    assert [score.name for score in result.systems[0]] == ["tokens", "las", "edit-distance"]
    assert [score.f1 for system in result for score in system if score.name == "tokens"] == [
        system["tokens"].f1 for system in result.systems
    ]


def test_iterating_parts_gives_their_names(result):
    parts = result.split("document")
    assert list(parts) == ["harbour", "kitchen"]
    assert "harbour" in parts
    assert "garden" not in parts
    assert [parts[name]["tokens"].gold for name in parts] == [41, 42]


def test_metrics_are_found_in_any_case(result):
    system = result.systems[0]
    assert result["LAS"] is result["las"]
    assert "LAS" in system
    assert "Edit-Distance" in system
    assert "upos" not in system
    assert "LAS" in result
    assert "upos" not in result
    assert system["las"] in system
    assert system in result
    assert result.errors("LAS") == result.errors("las")
    assert result.error_groups("Tokens") == result.error_groups("tokens")
    assert system.gives("LAS")
    assert not result.systems[1].gives("LAS")


def test_metrics_of_parts_are_found_in_any_case(result):
    parts = result.split("document")
    assert parts.score("harbour", 0, "LAS") is parts["harbour"]["las"]
    assert parts.score("harbour", 0, "upos") is None
    assert parts.macro(0, "LAS") == parts.macro(0, "las")
    assert parts.covered(0, "LAS") == ["harbour", "kitchen"]
    assert parts.counted("harbour", 0, "LAS") == parts.counted("harbour", 0, "las")
    assert parts.fails("harbour", 0, "LAS") == parts.fails("harbour", 0, "las")


def test_a_metric_that_was_not_scored_is_said_as_it_was_written(result):
    with pytest.raises(evalign.CommandError, match='"UPOS" was not scored'):
        result["UPOS"]
    with pytest.raises(evalign.CommandError, match='errors of "pk" are not kept'):
        result.errors("pk")
