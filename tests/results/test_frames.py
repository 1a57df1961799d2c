"""Results as data frames."""

import sys

import pytest

import evalign

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def result(examples):
    gold, systems = examples / "gold.conllu", (examples / "second.conllu", examples / "system.txt")
    return evalign.score(gold, *systems, metrics=["tokens", "las", "edit-distance"])


def test_a_row_for_each_number(result):
    frame = result.to_dataframe()
    assert list(frame.columns) == ["system", "metric", "measure", "value"]
    assert not frame.duplicated(["system", "metric", "measure"]).any()
    found = frame.set_index(["system", "metric", "measure"])["value"]
    for system in result.systems:
        for name, score in system.scores.items():
            for measure, value in {**score.counts, **score.ratios}.items():
                shown = found[system.name, name, measure]
                assert pd.isna(shown) if value is None or not score.available else shown == value
    second = frame[(frame["system"] == result.systems[1].name) & (frame["metric"] == "las")]
    assert second["value"].isna().all()


def test_units_add_up(result):
    frame = result.to_dataframe(units=True)
    assert next(iter(frame.columns)) == "unit"
    assert list(frame["unit"].unique()) == ["harbour", "kitchen"]
    counts = frame[frame["measure"].isin(["correct", "gold", "system"]) & (frame["metric"] == "tokens")]
    sums = counts.groupby(["system", "measure"])["value"].sum()
    for system in result.systems:
        assert sums[system.name].to_dict() == {
            name: count
            for name, count in system["tokens"].counts.items()
            if name in ("correct", "gold", "system")
        }


def test_what_is_known_of_units_is_in_columns():
    gold = evalign.Text(
        "# newdoc id = a\n# genre = news\n# metric = x\n1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        "# newdoc id = b\n# genre = talk\n1\tB\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    frame = evalign.score(gold, [["A"], ["B"]], metrics=["tokens"]).to_dataframe(units=True)
    assert list(frame.columns) == ["unit", "genre", "metric_", "system", "metric", "measure", "value"]
    assert frame.groupby("unit")["genre"].first().to_dict() == {"a": "news", "b": "talk"}


def test_parts_are_a_column_of_their_name(result):
    parts = result.split("document")
    frame = parts.to_dataframe()
    assert list(frame.columns) == ["document", "system", "metric", "measure", "value"]
    assert list(frame.index) == list(range(len(frame)))
    row = frame.query("document == 'kitchen' and metric == 'tokens' and measure == 'f1'").iloc[0]
    assert row["value"] == parts["kitchen"]["tokens"].f1
    assert "unit" in parts.to_dataframe(units=True).columns


def test_nothing_to_judge():
    frame = evalign.score([], []).to_dataframe(units=True)
    assert set(frame["measure"]) >= {"correct", "f1"}
    assert frame[frame["measure"] == "f1"]["value"].isna().all()


def test_without_pandas(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    for ask in (result.to_dataframe, result.split("document").to_dataframe):
        with pytest.raises(evalign.CommandError, match="pandas is not installed") as error:
            ask()
        assert error.value.advice == "pip install pandas"
