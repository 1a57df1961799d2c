"""Agreement with human judgements (Callin, Table 4)."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from evalign import Text, load_saved, score_collection
from evalign.errors import CommandError, EvalignError, InputError
from evalign.metrics.relations import load_weights
from evalign.options import Weights
from evalign.typology.judgements import judge, judge_run, measure_agreement, read_judgements
from oracles import typology as oracle
from runs import write
from typology.samples import CAT, DOG, conllu, make_result, treebank


def rows(*lines):
    return Text("".join(line.replace(" ", "\t") + "\n" for line in lines), "j.tsv")


def test_preferences_may_be_written_in_several_ways():
    lines = [
        "s1 A B A",
        "s1 A B B",
        "s1 A B tie",
        "s1 A B =",
        "s1 x y x",
        "s1 x y y",
        "s1 A B 2.5",
        "s1 A B -1",
    ]
    found = [judgement.preference for judgement in read_judgements(rows(*lines))]
    assert found == [1, -1, 0, 0, 1, -1, 2.5, -1]


def test_names_of_systems_come_before_letters():
    assert read_judgements(rows("s1 B A B"))[0].preference == 1


def test_headings_and_empty_lines_are_skipped():
    found = read_judgements(rows("sentence first second preference", "", "s1 A B A"))
    assert [(j.sentence, str(j.place)) for j in found] == [("s1", "j.tsv:3")]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("s1 A B", "j.tsv:1: 3 columns"),
        ("s1 A A A", 'system "A" against itself'),
        ("s1 A B C", 'preference "C"'),
        ("s1 A B nan", 'preference "nan"'),
        ("s1 A B ", 'preference ""'),
        ("", "no judgement"),
    ],
)
def test_other_lines_are_refused(line, told):
    with pytest.raises(InputError) as error:
        read_judgements(rows(line))
    assert told in str(error.value)


def las(*correct):
    return {"las": [(n, 10, 10) for n in correct]}


def test_agreement_by_hand():
    result = make_result("g", {"one.conllu": las(9, 5, 1), "two.conllu": las(1, 5, 9)})
    agree = read_judgements(rows("s1 one two one", "s2 one two tie", "s3 one two two"))
    assert measure_agreement(agree, result).measures == (("las.f1", 1.0, 3),)
    # The same, the other way round.
    turned = read_judgements(rows("s1 two one one", "s2 two one tie", "s3 two one two"))
    assert measure_agreement(turned, result).measures == (("las.f1", 1.0, 3),)
    against = read_judgements(rows("s1 A B B", "s2 A B tie", "s3 A B A"))
    assert measure_agreement(against, result).measures == (("las.f1", -1.0, 3),)
    alike = read_judgements(rows("s1 A B A", "s2 A B A"))
    assert measure_agreement(alike, result).measures == (("las.f1", None, 2),)


def test_a_sentence_without_a_score_is_left_out():
    result = make_result("g", {"a": {"las": [(0, 0, 0), (1, 2, 2)]}, "b": {"las": [(1, 1, 1), (0, 2, 2)]}})
    found = measure_agreement(read_judgements(rows("s1 a b a", "s2 a b b")), result)
    assert found.measures == (("las.f1", None, 1),)
    assert found.judgements == 2


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("ABT")), min_size=1, max_size=9)
)
def test_it_is_what_the_oracle_says(sentences):
    result = make_result(
        "g", {"a": las(*(a for a, _, _ in sentences)), "b": las(*(b for _, b, _ in sentences))}
    )
    lines = [f"s{k} a b {'tie' if who == 'T' else who}" for k, (_, _, who) in enumerate(sentences, 1)]
    found = measure_agreement(read_judgements(rows(*lines)), result).measures[0].rho
    differences = [Fraction(a - b, 10) for a, b, _ in sentences]
    expected = oracle.preference_correlation(differences, [who for _, _, who in sentences])
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-9))


def test_equal_differences_get_one_rank():
    """By hand: three of four differences are a tenth, one is none; as floats 0.9 - 0.8 is less than 0.8 - 0.7."""
    result = make_result("g", {"a": las(9, 8, 3, 6, 7), "b": las(8, 7, 2, 5, 7)})
    judged = read_judgements(rows("s1 a b a", "s2 a b b", "s3 a b a", "s4 a b b", "s5 a b tie"))
    assert measure_agreement(judged, result).measures == (("las.f1", 0.0, 5),)


RELATIONS = ("nsubj", "obj", "det", "case")
# As they may be written: with few digits, with more than a float keeps apart by a sum, and in other ways.
written_weights = st.one_of(
    st.sampled_from(["0.1", "0.2", "0.3", "0.7", "0.10", "1", "0.5", "3e-1", "0.1234567894", "0.2469135788"]),
    st.integers(1, 10**12).map(lambda n: f"{n / 10**12:.12f}"),
)
made_sentences = st.lists(
    st.lists(st.tuples(*[st.sampled_from(RELATIONS)] * 3), min_size=1, max_size=4), min_size=2, max_size=6
)


@given(
    made_sentences, st.fixed_dictionaries({name: written_weights for name in (*RELATIONS, "root")}), st.data()
)
def test_weights_are_the_decimals_that_are_written(sentences, weights, data):
    """The first word is the root of each sentence, and all others hang on it: labels alone are wrong."""
    sides = []
    for k in range(3):
        made = [["root", *(words[k] for words in sentence)] for sentence in sentences]
        files = [[(f"w{n}", min(n, 1), label, "X") for n, label in enumerate(labels)] for labels in made]
        sides.append((made, treebank(*files, name=f"{'gab'[k]}.conllu")))
    values = [
        [
            oracle.weighted_f1(
                gold, labels, [one == two for one, two in zip(gold, labels, strict=True)], weights
            )
            for gold, labels in zip(sides[0][0], made, strict=True)
        ]
        for made, _ in sides[1:]
    ]
    who = [data.draw(st.sampled_from("ABT")) for _ in sentences]
    judged = rows(*(f"s{k} a b {'tie' if one == 'T' else one}" for k, one in enumerate(who, 1)))
    saved = {"schema": 1, "weights": "WEIGHTS"}
    text = json.dumps(saved).replace(
        '"WEIGHTS"', "{" + ", ".join(f'"{k}": {v}' for k, v in weights.items()) + "}"
    )
    found = judge(judged, *(file for _, file in sides), weights=load_weights(Text(text, "w.json")))
    expected = oracle.preference_correlation([a - b for a, b in zip(*values, strict=True)], who)
    rho = {agreement.measure: agreement.rho for agreement in found.measures}["wlas.f1"]
    assert rho == (expected if expected is None else pytest.approx(expected, abs=1e-9))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("s9 a b a", 'j.tsv:1: no sentence "s9" in gold'),
        ("s1 a c a", 'j.tsv:1: no system "c"'),
    ],
)
def test_what_is_not_there_is_told(line, told):
    result = make_result("g", {"x/a.conllu": las(1), "x/b.conllu": las(2)})
    with pytest.raises(InputError) as error:
        measure_agreement(read_judgements(rows(line)), result)
    assert told in str(error.value)


def test_systems_have_several_names():
    result = make_result("g", {"x/a.conllu": las(1), "y/a.conllu": las(2), "z/b.conllu": las(3)})
    for line in ("s1 x/a.conllu b A", "s1 A C A", "s1 b.conllu y/a.conllu A"):
        assert measure_agreement(read_judgements(rows(line)), result).judgements == 1
    with pytest.raises(InputError, match='no system "a"'):
        measure_agreement(read_judgements(rows("s1 a b b")), result)


def test_an_id_that_is_there_twice_is_refused():
    result = make_result("g", {"a": las(1, 2), "b": las(3, 4)})
    object.__setattr__(result, "unit_names", ["s1", "s1"])
    with pytest.raises(InputError, match='2 sentences "s1" in gold'):
        measure_agreement(read_judgements(rows("s1 a b a")), result)


# One label is wrong in the first sentence, one head in the second.
WRONG_DOG = [DOG[0], ("dog", 3, "obj", "NOUN"), *DOG[2:]]
WRONG_CAT = [("the", 3, "det", "DET"), *CAT[1:]]


def test_files_by_hand():
    gold = treebank(DOG, CAT, name="gold.conllu")
    one, two = treebank(WRONG_DOG, CAT, name="one.conllu"), treebank(DOG, WRONG_CAT, name="two.conllu")
    found = judge(rows("s1 one two two", "s2 one two one"), gold, one, two, weights=Weights({"det": 0.0}))
    by_name = {agreement.measure: (agreement.rho, agreement.judgements) for agreement in found.measures}
    # A wrong det is neither content nor of any weight: content and WLAS see a difference in the first sentence alone.
    assert by_name == {
        "content.precision": (1.0, 2),
        "content.recall": (1.0, 2),
        "las.f1": (1.0, 2),
        "wlas.f1": (1.0, 2),
    }
    assert found.systems == ("one.conllu", "two.conllu")
    assert "weights" in found.signature
    json.dumps(found.to_dict(), allow_nan=False)
    without = judge(rows("s1 A B B", "s2 A B A"), gold, one, two)
    assert [agreement.measure for agreement in without.measures] == [
        "content.precision",
        "content.recall",
        "las.f1",
    ]


def test_two_systems_are_needed():
    with pytest.raises(CommandError, match="at least two systems"):
        judge(rows("s1 A B A"), treebank(DOG), treebank(DOG))


@pytest.fixture
def run(tmp_path):
    """Two treebanks of two systems, as folders; sentences of both are called s1 and s2."""
    gold = write(tmp_path / "gold", en=conllu(DOG, CAT), fi=conllu(DOG, CAT))
    one = write(tmp_path / "one", en=conllu(WRONG_DOG, CAT), fi=conllu(DOG, WRONG_CAT))
    two = write(tmp_path / "two", en=conllu(DOG, WRONG_CAT), fi=conllu(WRONG_DOG, CAT))
    return gold, one, two


def rhos(found):
    return {
        name: {agreement.measure: agreement.rho for agreement in one.measures}["las.f1"]
        for name, one in found.treebanks.items()
    }


def test_folders_are_judged_treebank_by_treebank(run):
    judged = rows("en:s1 one two two", "en:s2 one two one", "fi:s1 A B B", "fi:s2 A B A")
    found = judge_run(judged, *run)
    assert rhos(found) == {"en": 1.0, "fi": -1.0}
    assert found.warnings == ()
    saved = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert saved["treebanks"]["fi"]["systems"] == ["one", "two"]
    alone = judge_run(rows("fi:s1 A B B", "fi:s2 A B A"), *run)
    assert rhos(alone) == {"fi": -1.0}
    assert alone.warnings == ("no judgement of en: it is left out",)


def test_judgements_may_be_a_folder(run, tmp_path):
    lines = "s1\tone\ttwo\ttwo\ns2\tone\ttwo\tone\n"
    judged = write(tmp_path / "judged", en__tsv=lines, fi__tsv=lines)
    assert rhos(judge_run(judged, *run)) == {"en": 1.0, "fi": -1.0}
    scored = score_collection(*run, metrics=["las", "content"], average="sentence")
    assert rhos(judge_run(judged, scored)) == {"en": 1.0, "fi": -1.0}
    with pytest.raises(InputError, match="no file is named as one of gold's"):
        judge_run(write(tmp_path / "other", de__tsv=lines), *run)


def test_a_run_that_was_scored_by_sentence_is_judged(run, tmp_path):
    judged = rows("en:s1 one two two", "en:s2 one two one", "fi:s1 A B B", "fi:s2 A B A")
    scored = score_collection(*run, metrics=["las"], average="sentence")
    scored.save(tmp_path / "run.json")
    found = judge_run(judged, load_saved(tmp_path / "run.json"))
    assert rhos(found) == {"en": 1.0, "fi": -1.0}
    assert [a.measure for a in found.treebanks["en"].measures] == ["las.f1"]
    with pytest.raises(CommandError, match="the scores of en are by stretch"):
        judge_run(judged, score_collection(*run, metrics=["las"]))


@pytest.mark.issue(18)
@pytest.mark.parametrize("broken", ["gold", "one"])
@pytest.mark.parametrize("is_scored", [False, True])
def test_a_broken_treebank_is_left_out_with_a_warning(run, tmp_path, broken, is_scored):
    write(tmp_path / broken, en="1\tx\n")
    inputs = (score_collection(*run, metrics=["las"], average="sentence"),) if is_scored else run
    found = judge_run(rows("en:s1 one two two", "fi:s1 A B B", "fi:s2 A B A"), *inputs)
    assert rhos(found) == {"fi": -1.0}
    assert found.warnings[0].startswith(f"one failed on en: {broken}/en.conllu:1: 2 columns")
    assert found.warnings[0].endswith(": en is left out")
    # Which sentences gold has is not known where it cannot be read.
    lost = "1 judgement left out, the first at j.tsv:1: no treebank that could be read has the sentence, en may have it"
    assert found.warnings[1:] == ((lost,) if broken == "gold" else ())
    lines = "s1\tone\ttwo\ttwo\ns2\tone\ttwo\tone\n"
    assert rhos(judge_run(write(tmp_path / "judged", en__tsv=lines, fi__tsv=lines), *inputs)) == {"fi": -1.0}
    with pytest.raises(EvalignError, match="could be scored: one failed on en"):
        judge_run(write(tmp_path / "broken", en__tsv=lines), *inputs)


@pytest.mark.issue(18)
def test_wlas_of_a_saved_run_is_a_fraction_with_its_weights(run, tmp_path):
    """By hand: the first sentence loses a little more than the second, the third nothing."""
    weights = Weights({"det": 0.1234567894, "nsubj": 0.1234567886})
    gold = write(tmp_path / "g", en=conllu(DOG, DOG, DOG))
    wrong = [[*DOG[:k], (DOG[k][0], DOG[k][1], "dep", DOG[k][3]), *DOG[k + 1 :]] for k in (0, 1)]
    one = write(tmp_path / "a", en=conllu(*wrong, DOG))
    two = write(tmp_path / "b", en=conllu(DOG, DOG, DOG))
    judged = rows("s1 A B 1", "s2 A B 2", "s3 A B 3")
    fresh = judge_run(judged, gold, one, two, weights=weights)
    scored = score_collection(
        gold, one, two, metrics=["las", "wlas"], weights=weights, average="sentence", evidence="keep"
    )
    scored.save(tmp_path / "run.json")
    saved = load_saved(tmp_path / "run.json")
    wlas = {
        name: found.treebanks["en"].measures[-1].rho
        for name, found in {
            "fresh": fresh,
            "saved": judge_run(judged, saved, weights=weights),
            "billionths": judge_run(judged, saved),
        }.items()
    }
    assert wlas["saved"] == wlas["fresh"] == 1.0
    # As billionths both weights are the same.
    assert wlas["billionths"] == pytest.approx(0.866, abs=1e-3)
    with pytest.raises(CommandError, match="other weights than those of the run"):
        judge_run(judged, saved, weights=Weights({"det": 0.2}))


def test_a_sentence_is_of_one_treebank(run):
    with pytest.raises(InputError) as error:
        judge_run(rows("s1 A B A"), *run)
    assert 'j.tsv:1: 2 treebanks have a sentence "s1": en and fi' in str(error.value)
    assert "en:s1" in str(error.value)
    for sentence in ("s9", "de:s1", "en:s9", ":s1"):
        with pytest.raises(InputError, match=f'no sentence "{sentence}" in any treebank'):
            judge_run(rows(f"{sentence} A B A"), *run)
    with pytest.raises(CommandError, match="at least two systems"):
        judge_run(rows("en:s1 A B A"), *run[:2])


def test_ids_of_one_treebank_need_no_name(tmp_path):
    text = conllu(DOG, CAT)
    gold, one, two = (
        write(tmp_path / name, en=text, fi=text.replace("= s", "= fi:s")) for name in ("gold", "one", "two")
    )
    found = judge_run(rows("s1 A B A", "fi:s2 A B A"), gold, one, two)
    assert {name: agreed.judgements for name, agreed in found.treebanks.items()} == {"en": 1, "fi": 1}
