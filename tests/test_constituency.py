"""Trees through the whole chain: real treebanks, evalb's own samples, and trees against CoNLL-U.

The files are found through EVALIGN_DATA; tests that need them are skipped without it.
"""

import json
import re
from functools import cache

import pytest

import evalign
from evalign.errors import InputError
from evalign.text import Text

TREE_METRICS = (
    "sentences", "tokens", "tags", "brackets", "brackets-unlabelled", "triples", "sentence-accuracy", "crossing",
    "complete-match",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(data):
    return data / "constituency"


@pytest.fixture(scope="module")
def gum(folder):
    """The scores of a system's output on GUM, by its name; each is counted once."""

    @cache
    def score(name, **options):
        return evalign.score(folder / "gum/gold.mrg", folder / f"gum/{name}.mrg", **options)

    return score


def counts(score):
    return score.correct, score.gold, score.system


# -- GUM: the counts are known by construction (README of the data)


def test_gold_against_itself_is_perfect(gum):
    result = gum("gold")
    assert tuple(result.systems[0].scores) == TREE_METRICS
    for name in TREE_METRICS[:6]:
        assert result[name].f1 == 1
    assert counts(result["brackets"]) == (5984, 5984, 5984)
    assert result["complete-match"].value == result["sentence-accuracy"].value == 1
    assert result["crossing"].value == 0


def test_other_tokens_move_no_constituent(gum):
    result = gum("sys_retokenised")
    assert counts(result["brackets"]) == counts(result["brackets-unlabelled"]) == (5984, 5984, 5984)
    assert counts(result["tokens"]) == (7355, 7455, 7415)
    assert counts(result["sentences"]) == (301, 301, 301)
    assert result["complete-match"].value == 1
    assert result["crossing"].value == 0
    # As many sentences as evalb drops have other tokens.
    assert result["sentence-accuracy"].correct == 301 - 43


def test_other_sentences_move_no_constituent(gum):
    result = gum("sys_resegmented")
    assert counts(result["brackets"]) == counts(result["brackets-unlabelled"]) == (5984, 5984, 5984)
    assert counts(result["tokens"]) == counts(result["tags"]) == (7455, 7455, 7455)
    assert counts(result["sentences"]) == (183, 301, 242)
    assert result["complete-match"].correct == 183
    assert result["sentence-accuracy"].value == 1


def read_evalb(text):
    """The rows of evalb's table: status, matched, gold, test, crossing, words, tags, by number of the sentence."""
    rows = {}
    for line in text.splitlines():
        cells = line.split()
        if len(cells) == 12 and re.fullmatch(r"\d+", cells[0]):
            rows[int(cells[0])] = tuple(map(int, (cells[2], *cells[5:11])))
    return rows


def sentence_rows(result):
    """The same from evalign, by number of the gold sentence."""
    brackets, crossing, tags = (result[name].units.tolist() for name in ("brackets", "crossing", "tags"))
    assert len(brackets) == len(crossing) == len(tags)
    return {
        number: (*b[:3], c[0], t[1], t[0])
        for number, (b, c, t) in enumerate(zip(brackets, crossing, tags, strict=True), 1)
    }


def test_every_sentence_that_evalb_scores_has_its_counts(gum, folder):
    expected = read_evalb((folder / "gum/evalb_perturbed.stdout").read_text())
    result = gum("sys_perturbed", preset=folder / "prm/collins_root.prm", average="sentence")
    found = sentence_rows(result)
    assert len(found) == len(expected) == 301
    valid = {number for number, row in expected.items() if row[0] == 0}
    assert len(valid) == 294
    assert {n: found[n] for n in valid} == {n: expected[n][1:] for n in valid}
    # The five failed parses are missed; the two sentences where a tag of punctuation is wrong are scored.
    skipped, errors = ({n for n, row in expected.items() if row[0] == status} for status in (2, 1))
    assert all(found[n][0] == found[n][2] == 0 < found[n][1] for n in skipped)
    assert len(skipped) == 5
    assert errors == {93, 215}
    assert all(0 < found[n][0] <= min(found[n][1:3]) for n in errors)
    totals = [sum(expected[n][k] for n in valid) for k in (1, 2, 3)]
    assert totals == [5678, 5866, 5890]
    assert all(ours > theirs for ours, theirs in zip(counts(result["brackets"]), totals, strict=True))


def test_punctuation_by_gold_tags_takes_the_place_of_an_error(gum, folder):
    options = {"preset": folder / "prm/collins_root.prm", "average": "sentence"}
    own = sentence_rows(gum("sys_perturbed", **options))
    gold = sentence_rows(gum("sys_perturbed", **options, punctuation="gold"))
    differing = {number for number in own if own[number] != gold[number]}
    assert differing == {93, 215}
    assert all(gold[number][0] >= own[number][0] for number in differing)


def test_failed_parses_are_told(gum):
    result = gum("sys_perturbed")
    assert counts(result["sentences"]) == (296, 301, 296)
    assert any("failed parse" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("output", "system"),
    [("evalb_retokenised", "sys_retokenised"), ("evalb_perturbed_newprm", "sys_perturbed")],
)
def test_other_outputs_of_evalb_on_gum(gum, folder, output, system):
    expected = read_evalb((folder / f"gum/{output}.stdout").read_text())
    prm = "new" if output.endswith("newprm") else "collins_root"
    found = sentence_rows(gum(system, preset=folder / f"prm/{prm}.prm", average="sentence"))
    valid = [number for number, row in expected.items() if row[0] == 0]
    assert len(valid) > 200
    assert {n: found[n] for n in valid} == {n: expected[n][1:] for n in valid}


# -- evalb's samples


def score_line(gold, system, preset):
    """Counts of a line as evalb has them. By place, since EQ_WORD makes words of other texts equal."""
    texts = Text(gold, "gold.mrg"), Text(system, "system.mrg")
    result = evalign.score(*texts, preset=preset, match="place", metrics=["brackets", "crossing", "tags"])
    crossing, tags = result["crossing"].counts["crossing"], result["tags"]
    return (*counts(result["brackets"]), crossing, tags.gold, tags.correct)


def test_evalb_sample(folder):
    sample = folder / "evalb-sample"
    expected = read_evalb((sample / "evalb.stdout").read_text())
    gold, system = ((sample / f"sample.{end}").read_text().split("\n") for end in ("gld", "tst"))
    valid = [number for number, row in expected.items() if row[0] == 0]
    assert len(valid) >= 15
    for number in valid:
        found = score_line(gold[number - 1], system[number - 1], sample / "sample.prm")
        assert found == expected[number][1:], number


def probe_lines(folder, tmp_path):
    """Lines of the probes that evalb scores: name, gold, test, .prm, evalb's counts."""
    for text in (folder / "evalb-probes/probes.jsonl").read_text(encoding="utf-8").splitlines():
        probe = json.loads(text)
        prm = tmp_path / f"{probe['name']}.prm"
        if probe["prm"]:
            prm.write_bytes((folder / probe["prm"]).read_bytes())
        else:
            prm.write_text(probe["prm_text"] or "", encoding="utf-8")
        for number, row in read_evalb(probe["stdout"]).items():
            if row[0] == 0:
                yield probe["name"], probe["gold"][number - 1], probe["test"][number - 1], prm, row[1:]


def test_evalb_probes(folder, tmp_path):
    lines = [*probe_lines(folder, tmp_path)]
    assert len(lines) >= 30
    differing = [row[0] for row in lines if score_line(*row[1:4]) != row[4]]
    # To evalign A is C where A is B and B is C.
    assert differing == ["eq_label_not_transitive"]


@pytest.mark.parametrize("prm", ["COLLINS", "new", "nk", "spmrl", "collins_root"])
def test_gold_against_itself_is_perfect_with_any_parameter_file(gum, folder, prm):
    result = gum("gold", preset=folder / f"prm/{prm}.prm")
    for name in TREE_METRICS[:6]:
        assert result[name].f1 == 1
    assert result["complete-match"].value == 1


# -- parameter files


PAIR = "(TOP (S (NP-SBJ (N a)) (ADVP (RB b)) (, ,)))\n", "(TOP (S (VP (N a)) (PRT (RB b)) (. ,)))\n"


@pytest.mark.parametrize(
    ("text", "brackets", "tags"),
    [
        ("# nothing\n", (2, 4, 4), (2, 3, 3)),
        ("DELETE_LABEL TOP\n", (1, 3, 3), (2, 3, 3)),
        ("DELETE_LABEL ,\n", (0, 4, 4), (2, 2, 3)),
        ("DELETE_LABEL ,\nDELETE_LABEL .\n", (2, 4, 4), (2, 2, 2)),
        ("EQ_LABEL ADVP PRT\n", (3, 4, 4), (2, 3, 3)),
        ("EQ_LABEL , .\n", (2, 4, 4), (3, 3, 3)),
        ("LABELED 0\n", (4, 4, 4), (2, 3, 3)),
        ("DEBUG 2\nMAX_ERROR 0\nCUTOFF_LEN 1\nDELETE_LABEL_FOR_LENGTH N\n", (2, 4, 4), (2, 3, 3)),
    ],
)
def test_what_a_parameter_file_says_has_effect(tmp_path, text, brackets, tags):
    path = tmp_path / "a.prm"
    path.write_text(text, encoding="utf-8")
    result = evalign.score(*map(Text, PAIR), preset=path)
    assert (counts(result["brackets"]), counts(result["tags"])) == (brackets, tags)


# -- trees against CoNLL-U


def conllu(*sentences):
    """CoNLL-U with forms and tags; a form with words in it is a multiword token."""
    text = ""
    for sentence in sentences:
        number = 1
        for form, *inner in sentence:
            words = inner if isinstance(inner[0], tuple) else [(form, inner[0])]
            if words is inner:
                text += f"{number}-{number + len(words) - 1}\t{form}" + "\t_" * 8 + "\n"
            for word, tag in words:
                text += f"{number}\t{word}\t_\tX\t{tag}\t_\t{number - 1}\tdep\t_\t_\n"
                number += 1
        text += "\n"
    return Text(text, "words.conllu")


TREES = Text(
    "(ROOT (S (NP (PRP They)) (VP (VBD did) (RB n't)) (. .)))\n(ROOT (NP (NN Trees) (. .)))\n", "trees.mrg"
)
WORDS = conllu(
    [("They", "PRP"), ("didn't", ("did", "VBD"), ("n't", "RB")), (".", ".")], [("Trees", "NNS"), (".", ".")]
)


def test_a_tree_file_is_scored_against_conllu():
    for gold, system, tokens in ((WORDS, TREES, (4, 5, 6)), (TREES, WORDS, (4, 6, 5))):
        result = evalign.score(gold, system)
        shown = result.systems[0].scores
        assert [name for name in shown if shown[name].available] == [
            "sentences", "tokens", "words", "tags", "sentence-accuracy",
        ]  # fmt: skip
        assert counts(result["sentences"]) == (2, 2, 2)
        assert counts(result["tokens"]) == tokens
        assert counts(result["words"]) == (6, 6, 6)
        assert counts(result["tags"]) == (5, 6, 6)


def test_a_scheme_leaves_out_words_of_conllu_too():
    for pair in ((WORDS, TREES), (TREES, WORDS)):
        result = evalign.score(*pair, preset="evalb-collins", metrics=["tags"])
        assert counts(result["tags"]) == (3, 4, 4)


def test_brackets_of_conllu_are_not_available():
    result = evalign.score(TREES, WORDS, metrics=["brackets", "tokens"])
    assert not result["brackets"].available
    assert result["tokens"].available


def test_sentences_may_differ_between_trees_and_conllu():
    joined = Text("(ROOT (S (NP (PRP They)) (VP (VBD did) (RB n't)) (. .)) (NP (NN Trees) (. .)))\n", "a.mrg")
    result = evalign.score(WORDS, joined)
    assert counts(result["sentences"]) == (0, 2, 1)
    assert counts(result["tags"]) == (5, 6, 6)


def test_trees_against_plain_text():
    result = evalign.score(TREES, [["They", "did", "n't", "."], ["Trees", "."]])
    assert [name for name in result.systems[0].scores if result[name].available] == [
        "sentences", "tokens", "sentence-accuracy",
    ]  # fmt: skip
    assert counts(result["tokens"]) == (6, 6, 6)


# -- files


def test_an_empty_file_against_trees(tmp_path):
    gold, system = tmp_path / "gold.mrg", tmp_path / "system.mrg"
    gold.write_text("(S (NP (N a)))\n", encoding="utf-8")
    system.write_text("", encoding="utf-8")
    result = evalign.score(gold, system)
    assert counts(result["brackets"]) == (0, 2, 0)
    assert (result["complete-match"].value, result["crossing"].value) == (0, 0)
    result = evalign.score(Text("", "gold.mrg"), system, gold_format="trees")
    assert counts(result["brackets"]) == (0, 0, 0)
    assert result["brackets"].f1 is result["complete-match"].value is None


def test_a_broken_tree_is_missed_and_told():
    gold = "(S (NP (N alpha)))\n(S (NP (N beta)))\n(S (NP (N gamma)))\n"
    system = gold.replace("beta)))", "beta))")
    result = evalign.score(Text(gold), Text(system))
    assert counts(result["brackets"]) == (4, 6, 4)
    assert any("a bracket is not closed" in warning for warning in result.warnings)
    with pytest.raises(InputError, match=":2: a bracket is not closed"):
        evalign.score(Text(gold), Text(system), strict=True)


def test_strict_scores_trees_on_equal_characters():
    gold, system = "(S (NP (N ab)))\n", "(S (NP (N a) (N b)))\n"
    assert counts(evalign.score(Text(gold), Text(system), strict=True)["brackets"]) == (2, 2, 2)
    with pytest.raises(evalign.StrictError):
        evalign.score(Text(gold), Text("(S (NP (N ac)))\n"), strict=True)
