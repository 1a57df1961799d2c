"""A result from parts equals that of the whole, in every digit, name and place, but for the context of errors."""

import pickle

import pytest
from hypothesis import given, settings, strategies as st

from evalign import Text, score
from evalign.options import ScoreOptions
from evalign.scoring.request import Execution, ScoreRequest
from evalign.scoring.run import run
from sameresult import assert_same
from written import pairs

pytestmark = pytest.mark.once


def score_in_parts(gold, *systems, chunk, **options):
    return score(gold, *systems, stream=chunk, **options)


def check_pair(pair, chunk, window=None):
    texts = [Text(text, name) for text, name in zip(pair[1:], ("gold", "system"), strict=True)]
    together = score(*texts, window=window)
    assert_same(score_in_parts(*texts, chunk=chunk, window=window), together)
    assert pickle.loads(pickle.dumps(together)).to_dict(whole=True) == together.to_dict(whole=True)


CHUNKS = st.sampled_from([1, 150, 500, 2000])
WINDOWS = st.sampled_from([64, 300, 2000])
FEW = settings(max_examples=8)
MORE = settings(max_examples=40)
MANY = settings(max_examples=120)


@MORE
@given(pairs(most=25), CHUNKS)
def test_parts_and_the_whole_are_saved_the_same(pair, chunk):
    check_pair(pair, chunk)


@MORE
@given(pairs(formats=("conllu", "plain"), most=25), CHUNKS, WINDOWS)
def test_the_size_of_parts_changes_nothing_whatever_the_window(pair, chunk, window):
    check_pair(pair, chunk, window)


@pytest.mark.slow
@MANY
@given(pairs(), CHUNKS, st.one_of(st.none(), WINDOWS))
def test_parts_and_the_whole_are_the_same_in_many_cases(pair, chunk, window):
    check_pair(pair, chunk, window)


@FEW
@given(pairs(rates=(0.0,), most=25), pairs(rates=(0.05,), most=25), CHUNKS)
def test_several_systems_of_which_some_have_other_lines(pair, other, chunk):
    _, gold, system = pair
    texts = Text(gold, "gold"), Text(system, "first"), Text(gold, "second"), Text(other[1], "third")
    assert_same(score_in_parts(*texts, chunk=chunk, window=100_000), score(*texts))


@FEW
@given(pairs(formats=("conllu", "plain"), most=25), CHUNKS)
def test_stretches_are_merged_as_in_the_whole(pair, chunk):
    texts = tuple(Text(text, name) for text, name in zip(pair[1:], ("gold", "system"), strict=True))
    request = ScoreRequest(texts, ScoreOptions(), most_units=4)
    parts, whole = (run(request, Execution(stream=size)) for size in (chunk, False))
    assert_same(parts, whole)


@pytest.mark.parametrize("chunk", [30, 200])
def test_words_are_not_torn_from_words_before_a_cut(chunk):
    """A multiword token behind a boundary is compared with words before it that have no partner."""
    row = "{}\t{}\t_\tX\t_\t_\t0\troot\t_\t_\n".format
    gold = row(1, "ab") + "\n1-1\tA" + "\t_" * 8 + "\n" + row(1, "b") + "\n"
    system = row(1, "a") + row(2, "b") + "\n" + row(1, "A") + "\n"
    check_pair(("conllu", gold * 50, system * 50), chunk)


@pytest.mark.parametrize("chunk", [1, 300, 2000])
@pytest.mark.parametrize("is_gold", [True, False])
def test_words_written_apart(chunk, is_gold):
    sentences = [
        "le prix {} pain {} .",
        "{} jour au lendemain , rien {} tout ne change ici .",
        "on part {} .",
    ]
    whole, apart = [], []
    for number in range(24):
        forms = f"{number} {sentences[number % 3]} fin".replace("{}", "du" if number % 4 else "x").split()
        for text, has_ranges in ((whole, True), (apart, False)):
            rows, n = [], 0
            for form in forms:
                words = ["de", "le"] if form == "du" else [form]
                if has_ranges and len(words) > 1:
                    rows.append(f"{n + 1}-{n + 2}\t{form}" + "\t_" * 8)
                for word in words:
                    n += 1
                    rows.append(f"{n}\t{word}\t{word}\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_")
            text.append("\n".join(rows) + "\n\n")
    texts = ["".join(text) for text in ((whole, apart) if is_gold else (apart, whole))]
    check_pair(("conllu", *texts), chunk)
    result = score(*(Text(text) for text in texts))
    assert [result[name].f1 for name in ("words", "las", "mlas", "blex")] == [1.0] * 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["French-GSD", "English-EWT", "Chinese-GSD"])
def test_real_output_with_equal_lines(name, data):
    files = data / f"systems/udpipe/{name}.gold.conllu", data / f"systems/udpipe/{name}.conllu"
    assert_same(score_in_parts(*files, chunk=200_000), score(*files))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hyphens-dropped", "ptbquotes"])
def test_real_output_with_other_lines(name, data):
    gold = data / "systems/udpipe/English-EWT.gold.conllu"
    system = data / f"systems/udpipe-altered/English-EWT.altered-{name}.conllu"
    assert_same(score_in_parts(gold, system, chunk=200_000), score(gold, system))


@pytest.mark.parametrize("name", ["perturbed", "resegmented", "retokenised"])
def test_trees(name, data):
    files = data / "constituency/gum/gold.mrg", data / f"constituency/gum/sys_{name}.mrg"
    assert_same(score_in_parts(*files, chunk=20_000), score(*files))
