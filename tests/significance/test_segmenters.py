"""Real data: six segmenters on the English Web Treebank."""

import pytest

import evalign
from evalign.significance.assessment import assess
from evalign.significance.parts import assess_parts
from evalign.significance.values import Resampling


@pytest.fixture(scope="module")
def result(data):
    folder = data / "systems" / "segmenters"
    gold = data / "systems" / "udpipe" / "English-EWT.gold.conllu"
    outputs = sorted(
        set(folder.glob("English-EWT.*.txt")) - {folder / f"English-EWT.{own}.txt" for own in ("gold", "raw")}
    )
    if not outputs or not gold.is_file():
        pytest.skip("EVALIGN_DATA has no systems/segmenters")
    assert len(outputs) == 6
    return evalign.score(gold, *outputs, metrics=["sentences", "tokens"])


@pytest.mark.slow
def test_the_six_segmenters(result):
    bootstrap, randomization = (
        assess(result, Resampling(test=test)) for test in ("bootstrap", "randomization")
    )
    assert bootstrap.n_units == len(result.unit_names) > 100
    for k, system in enumerate(result.systems):
        for metric, score in system.scores.items():
            for name, value in score.ratios.items():
                low, high = bootstrap.interval(k, metric, name)
                assert low < value < high
                assert high - low < 0.1
    assert bootstrap.intervals == randomization.intervals
    for metric, found in bootstrap.matrix.items():
        for i, row in enumerate(found):
            for j, one in enumerate(row):
                if i == j:
                    continue
                other = randomization.matrix[metric][i][j]
                assert one[:2] == other[:2]
                assert abs(one.p - other.p) < 0.1
                assert one.p <= one.adjusted <= 1
                # What lies well off 0 is significant, what holds 0 in the middle is not.
                low, high = one.interval
                width = high - low
                if low > width or high < -width:
                    assert one.p == 1 / (1 + bootstrap.test_resamples) < 0.001
                elif low < -width / 4 and high > width / 4:
                    assert one.p > 0.05
    # Escaping as Moses does moves no sentence boundary.
    names = [system.name for system in result.systems]
    plain, escaped = (
        next(k for k, name in enumerate(names) if name.endswith(end)) for end in ("moses.txt", "escaped.txt")
    )
    assert bootstrap.matrix["sentences"][plain][escaped].p == 1


@pytest.mark.slow
def test_parts_within_documents_and_the_whole_have_the_same_micro_average(result):
    parts = result.split("length")
    assert len(parts) > 1
    assert assess_parts(parts).micro == assess(result).intervals


@pytest.mark.slow
def test_genres_have_intervals_about_their_averages(result):
    parts = result.split("genre")
    found = assess_parts(parts)
    assert found.n_units == len(result.unit_names)
    for k in range(len(result.systems)):
        low, high = found.macro[k]["tokens"]["f1"]
        assert low < parts.macro(k, "tokens")["f1"] < high
