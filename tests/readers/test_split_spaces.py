"""Tokens with inner spaces: cut at them on request, and written as they are."""

import json

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.cli import main
from evalign.readers.conllu import split_spaces

ROWS = [
    ("1", "de"),
    ("2", "1 000"),
    ("3-4", "a u x"),
    ("3", "à"),
    ("4", "les x"),
    ("5", "m\u00a0 ètres"),
    ("6", " ,"),
]
SENTENCE = "".join(f"{number}\t{form}\t_\tX\t_\t_\t_\t_\t_\t_\n" for number, form in ROWS) + "\n"


def conllu(sentences):
    """Sentences of (form, words inside) as CoNLL-U."""
    lines = []
    for sentence in sentences:
        number = 1
        for form, words in sentence:
            if words:
                lines.append((f"{number}-{number + len(words) - 1}", form))
            for word in words or [form]:
                lines.append((str(number), word))
                number += 1
        lines.append(None)
    rows = ["" if line is None else "\t".join([*line, *"________"]) for line in lines]
    return "\n".join(rows) + "\n"


FORMS = st.text("ab \u00a0", min_size=1, max_size=6).filter(lambda text: text.strip() and text != "_")
TOKENS = st.tuples(FORMS, st.one_of(st.just([]), st.lists(st.sampled_from("ab"), min_size=2, max_size=3)))
SENTENCES = st.lists(st.lists(TOKENS, min_size=1, max_size=4), min_size=1, max_size=3)


@given(SENTENCES)
def test_cut_tokens_are_those_of_plain_text(sentences):
    """Whoever writes the forms with spaces between them, and reads that as plain text, has the same tokens."""
    text = "".join(" ".join(form for form, _ in sentence) + "\n" for sentence in sentences)
    plain = evalign.read(evalign.Text(text), format="plain")
    cut = evalign.read(evalign.Text(conllu(sentences)), format="conllu", split_spaces=True)
    assert [*cut] == [[token for token in sentence if token] for sentence in plain]
    assert cut.line == plain.line
    # A token is named by its row, whatever it was cut into.
    assert len(cut.linenos) == cut.n_tokens


@given(SENTENCES)
def test_words_of_tokens_that_are_not_cut_stay(sentences):
    whole = evalign.read(evalign.Text(conllu(sentences)), format="conllu")
    cut = evalign.read(evalign.Text(conllu(sentences)), format="conllu", split_spaces=True)
    wanted = []
    for form, words in (token for sentence in sentences for token in sentence):
        pieces = [piece.replace("\u00a0", "") for piece in form.split(" ")]
        pieces = [piece for piece in pieces if piece]
        wanted += pieces if len(pieces) > 1 else words or pieces
    assert [cut.word(k) for k in range(cut.n_words)] == wanted
    assert cut.n_sentences == whole.n_sentences
    assert [cut.sentences[0], cut.sentences[-1]] == [0, cut.n_tokens]


@given(SENTENCES)
def test_tokens_are_written_as_they_stand(sentences):
    document = evalign.read(evalign.Text(conllu(sentences)), format="conllu")
    assert document.written_tokens() == [
        form.strip(" \u00a0") for sentence in sentences for form, _ in sentence
    ]


def test_a_token_with_spaces_by_hand():
    document = evalign.read(evalign.Text(SENTENCE), format="conllu", split_spaces=True)
    assert [*document] == [["de", "1", "000", "a", "u", "x", "m", "ètres", ","]]
    assert [document.word(k) for k in range(document.n_words)] == document.tokens()
    [remark] = [remark for remark in document.remarks if remark.kind == "split-spaces"]
    assert str(remark) == "<text>:2: token with a space in it, cut there (3 times, also at 3, 6)"


def test_gold_with_spaces_against_plain_text():
    gold, system = evalign.Text(SENTENCE, "g.conllu"), evalign.Text("de 1 000 a u x m ètres ,\n", "s.txt")
    asis = evalign.score(gold, system)
    assert (asis["tokens"].correct, asis["tokens"].gold) == (2, 5)
    cut = evalign.score(gold, system, split_spaces=True)
    assert (cut["sentences"].f1, cut["tokens"].f1, cut["words"].f1) == (1, 1, 1)
    assert "|spaces:split|" in f"{cut.signature}|"
    assert "spaces" not in asis.signature
    assert (
        cut.warnings[-1]
        == "tokens are cut at their spaces: metrics over tags, lemmas and heads are not available"
    )
    assert [*cut.systems[0].scores] == ["sentences", "tokens", "words"]


def test_lists_of_tokens_are_cut_too():
    result = evalign.score([["de", "1 000"]], [["de", "1", "000"]], split_spaces=True, metrics=["tokens"])
    assert result["tokens"].f1 == 1
    document = evalign.read([["de", "1 000"]])
    assert document.written_tokens() == ["de", "1 000"]
    assert split_spaces(document).tokens() == ["de", "1", "000"]


def test_parts_of_a_file_are_cut_as_the_whole_is(tmp_path):
    gold = tmp_path / "gold.conllu"
    gold.write_text(SENTENCE * 400, encoding="utf-8")
    system = tmp_path / "system.txt"
    system.write_text("de 1 000 a u x m ètres ,\nde 1 000 a u x mètres ,\n" * 200, encoding="utf-8")
    whole = evalign.score(gold, system, split_spaces=True)
    parts = evalign.score(gold, system, split_spaces=True, stream=4096)
    assert parts.to_dict()["systems"][0]["scores"] == whole.to_dict()["systems"][0]["scores"]
    assert parts.warnings == whole.warnings
    assert whole["tokens"].correct == 400 * 7 + 200 * 2


def test_folders_are_cut_too(tmp_path):
    for folder, text in (("g", SENTENCE), ("s", "de 1 000 a u x m ètres ,\n")):
        (tmp_path / folder).mkdir()
        name = "a.conllu" if folder == "g" else "a.txt"
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    parts = evalign.score_collection(tmp_path / "g", tmp_path / "s", split_spaces=True)
    assert parts["a"]["tokens"].f1 == 1


@pytest.mark.parametrize("metric", ["upos", "lemmas", "las", "elas", "wlas", "content", "dependencies"])
def test_tags_lemmas_and_heads_are_refused(metric):
    options = {"weights": {"obj": 1.0}} if metric == "wlas" else {}
    with pytest.raises(
        evalign.CommandError, match=f"{metric} not available with `split_spaces=True`"
    ) as error:
        evalign.score([["a"]], [["a"]], metrics=[metric], split_spaces=True, **options)
    assert error.value.expected == "sentences, tokens, words and other metrics of segmentation"


def test_the_official_script_takes_such_a_token_as_one():
    with pytest.raises(evalign.CommandError, match="`split_spaces=True` with `strict=True`"):
        evalign.score([["a"]], [["a"]], split_spaces=True, strict=True)


def test_resegmented_tokens_are_written_as_they_stand(tmp_path, capsys):
    (tmp_path / "gold.txt").write_text("de 1 000\nm .\n", encoding="utf-8")
    rows = ["1\tde", "2\t1 000", "3\tm", "4\t."]
    text = "".join(f"{row}\t_\t_\t_\t_\t_\t_\t_\t_\n" for row in rows) + "\n"
    (tmp_path / "system.conllu").write_text(text, encoding="utf-8")
    files = [str(tmp_path / "gold.txt"), str(tmp_path / "system.conllu")]
    assert main(["align", *files, "--resegment"]) == 0
    assert capsys.readouterr().out == "de 1 000\nm .\n"
    assert main(["align", *files, "--resegment", "--format", "jsonl"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        ["de", "1 000"],
        ["m", "."],
    ]
    assert evalign.align(*files).resegment() == [["de", "1 000"], ["m", "."]]


def test_tokens_of_french_gsd_are_those_of_the_paper(data):
    """Jo et al. 2024, Table 2, FR: 9714 + 22 gold tokens in plain text, 9710 + 23 in CoNLL-U."""
    path = data / "ud/UD_French-GSD/fr_gsd-ud-test.conllu"
    assert evalign.read(path).n_tokens == 9710 + 23
    assert evalign.read(path, split_spaces=True).n_tokens == 9714 + 22


def test_trees_have_no_spaces_to_cut_and_keep_their_metrics():
    trees = evalign.Text("(S (NP (N a)) (V b))\n")
    result = evalign.score(trees, trees, split_spaces=True)
    assert "brackets" in result.systems[0].scores
    assert not any("cut at their spaces" in warning for warning in result.warnings)
