"""Files of weights."""

import json

import pytest

import evalign
from evalign.errors import InputError
from evalign.metrics.relations import load_weights
from evalign.options import Weights
from evalign.typology.profiles import make_weights, profile, save_weights
from typology.samples import CAT, DOG, treebank


def write(folder, value):
    path = folder / "weights.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_what_was_saved_is_loaded(tmp_path):
    profiles = profile(treebank(DOG, CAT, name="a.conllu"), treebank(DOG, name="b.conllu"))
    save_weights(profiles, tmp_path / "w.json")
    weights = load_weights(tmp_path / "w.json")
    made = make_weights(profiles)
    assert (weights.values, weights.missing, weights.version) == (made.values, 0.5, "v2")
    assert weights.digest == made.digest
    saved = json.loads((tmp_path / "w.json").read_text(encoding="utf-8"))
    assert saved["schema"] == 1
    assert saved["version"] == evalign.__version__
    assert saved["options"] == {"case": "keep", "vocabulary": "treebank", "missing": 0.5}
    assert [t["name"] for t in saved["treebanks"]] == ["a", "b"]
    assert list(tmp_path.iterdir()) == [tmp_path / "w.json"]


def test_a_file_by_hand_needs_little(tmp_path):
    weights = load_weights(write(tmp_path, {"schema": 1, "weights": {"nsubj": 1, "det": 0}}))
    assert (weights.of("nsubj:pass"), weights.of("det"), weights.of("obj")) == (1.0, 0.0, 0.5)


def test_the_digest_is_of_what_the_weights_are():
    weights = Weights({"a": 0.5, "b": 0.25}, name="x.json")
    assert weights.digest == Weights({"b": 0.25, "a": 0.5}, name="y.json").digest
    assert weights.digest != Weights({"a": 0.5, "b": 0.25}, 0.4).digest
    assert weights.digest != Weights({"a": 0.5}).digest


@pytest.mark.parametrize(
    ("saved", "told"),
    [
        ("", "not JSON"),
        ("{\n'", "weights.json:2: not JSON"),
        ("[" * 100_000, "not JSON"),
        ([], 'JSON without "weights"'),
        ({"schema": 1, "weights": [1]}, 'JSON without "weights"'),
        ({"weights": {}}, 'schema "null"'),
        ({"schema": 2, "weights": {}}, 'schema "2"'),
        ({"schema": 1, "weights": {"nmod:poss": 0.5}}, 'a weight for "nmod:poss"'),
        ({"schema": 1, "weights": {"nmod": "much"}}, 'the weight of "nmod"'),
        ({"schema": 1, "weights": {"nmod": -0.1}}, "a number from 0 to 1"),
        ({"schema": 1, "weights": {"nmod": 1.5}}, "only their proportions count"),
        ({"schema": 1, "weights": {"nmod": True}}, 'is "true"'),
        ('{"schema": 1, "weights": {"nmod": NaN}}', 'is "NaN"'),
        ({"schema": 1, "weights": {}, "missing": None}, 'the weight of "missing"'),
    ],
)  # fmt: skip
def test_other_files_are_refused(tmp_path, saved, told):
    with pytest.raises(InputError) as error:
        load_weights(write(tmp_path, saved))
    assert told in str(error.value)
    assert str(tmp_path / "weights.json") in str(error.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_weights(tmp_path / "none.json")
