"""Objects in memory: lists of tokens, offsets, objects of packages; and how they are recognised."""

import dataclasses
import itertools
import re
import sqlite3
import subprocess
import sys
from collections import Counter, UserDict, deque, namedtuple
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
import tokenizers
import udapi.core.document
from tokenizers import models, pre_tokenizers, processors, trainers

import evalign
from evalign import Offsets
from evalign.errors import CommandError
from evalign.readers.formats import read_source
from evalign.readers.live.objects import read_live
from evalign.readers.live.tokens import read_tokens
from samedocument import assert_same_document
from standins import CONLLU, NltkTree, SpacyDoc, make_spacy, make_stanza, of_package


def test_sentences_and_tokens_are_where_the_lists_say():
    document = read_tokens([["A", "b", "."], ("c", ".")])
    assert list(document) == [["A", "b", "."], ["c", "."]]
    assert (document.line, document.n_sentences, document.n_tokens, document.n_words) == ("Ab.c.", 2, 5, 5)
    assert str(document.place_of(3)) == "<tokens>:2"


@pytest.mark.parametrize("sentences", [[], (), [[]], [[], []], {}, iter([])])
def test_nothing_is_an_empty_document(sentences):
    document = read_source(sentences)
    assert (document.line, document.n_sentences, document.n_tokens) == ("", 0, 0)


def test_white_space_inside_a_token_is_not_on_the_line():
    document = read_tokens([["1 000", "a\u2028b", "c\u00a0"]])
    assert document.tokens() == ["1000", "ab", "c"]


def test_a_token_without_characters_is_remarked_on():
    document = read_tokens([["a"], ["", " ", "b"]])
    assert document.tokens() == ["a", "", "", "b"]
    assert [str(remark) for remark in document.remarks] == [
        "<tokens>:2: token of white space only: it has no characters (2 times)"
    ]


def test_strings_of_other_kinds_are_strings():
    assert read_tokens([np.array(["a", "b"])]).line == "ab"


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        (["A b .", "C ."], "sentence 1 is of type str"),
        ([["a"], None], "sentence 2 is of type NoneType"),
        ([["a"], [1]], "a token of sentence 2 is of type int"),
        ([[[["a"]]]], "a token of sentence 1 is of type list"),
        ([["a\ud800"]], "has a lone surrogate"),
        ([[b"a"]], "a token of sentence 1 is of type bytes"),
        ({"one": ["A b ."]}, "sentence 1 is of type str"),
    ],
)
def test_what_is_no_list_of_tokens_is_named(sentences, found):
    with pytest.raises(CommandError, match=found):
        read_source(sentences)


@pytest.mark.parametrize("source", [[["ab", "cd"]], make_stanza()], ids=["tokens", "stanza"])
def test_a_document_too_long_is_refused(source):
    with pytest.raises(CommandError, match="at most 3"):
        read_live(source, read_source, limit=3)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (3, "int is not an input"),
        (None, "NoneType is not an input"),
        (b"text", "bytes is not an input"),
        ([3], "a list of int is not an input"),
        ({"one": 3}, "int is not an input"),
        ({"one": "path"}, "str is not an input"),
        (of_package("spacy.language", "Language")(), "Language is not an input"),
        ([Offsets("a", []), [["a"]]], "object 2 is of type list"),
        ([["a"], make_stanza()], "object 2 is of type Document"),
    ],
)
def test_what_is_no_input_is_told_what_is(source, found):
    with pytest.raises(CommandError, match=found) as error:
        evalign.read(source)
    assert "spaCy Docs" in error.value.expected or "of one kind" in error.value.expected


def test_sentences_may_come_one_by_one_and_under_names():
    assert list(evalign.read(iter([["a"], ["b"]]))) == [["a"], ["b"]]
    document = evalign.read({"one": [["a"], ["b"]], "none": [], "two": [[], ["c"]]}, name="mine")
    assert list(document.documents.names) == ["one", "two"]
    assert document.documents.sentences.tolist() == [0, 2]
    assert document.name == "mine"
    assert document.linenos.tolist() == [1, 2, 4]


def test_a_name_is_what_tables_and_messages_say():
    assert evalign.read(evalign.Text("a b\n"), name="mine").name == "mine"
    assert evalign.read(evalign.read([["a"]]), name="mine").name == "mine"
    document = evalign.read(make_spacy(["a", "b"], [1, 0], ["x", "x"]), name="mine")
    assert str(document.columns.tree_remarks[0]).startswith("mine:1: ")


def test_no_package_is_imported_to_recognise_an_object():
    code = (
        "import sys, evalign; evalign.read([['a']]); evalign.read(evalign.Offsets('a', [(0, 1)]))\n"
        "try: evalign.read(object())\nexcept evalign.CommandError: pass\n"
        "print([m for m in ('spacy', 'stanza', 'nltk', 'udapi', 'tokenizers', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# Rows of tables, sets, and lists of documents

Row = namedtuple("Row", "id words")


@dataclasses.dataclass
class Record:
    text: str

    def __iter__(self):
        return iter([self.text])


def make_sqlite_row():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    return connection.execute("select 1 as id, 'a b' as text").fetchone()


ROWS = [
    # what is no list of tokens, its type, what to write instead
    ({"id": 1, "tokens": ["a", "b"]}, "dict", '[row["tokens"] for row in rows]'),
    ({"text": "a b"}, "dict", '[row["text"].split() for row in rows]'),
    ({}, "dict", '[row["COLUMN"] for row in rows]'),
    (Counter("ab"), "Counter", '[row["COLUMN"] for row in rows]'),
    (UserDict(Words=["a"]), "UserDict", '[row["Words"] for row in rows]'),
    (MappingProxyType({"tokens": ["a"]}), "mappingproxy", '[row["tokens"] for row in rows]'),
    ({"a", "b"}, "set", "a set has no order"),
    (frozenset("ab"), "frozenset", "a set has no order"),
    ({"a": 1}.keys(), "dict_keys", "a set has no order"),
    ({"a": "b"}.items(), "dict_items", "a set has no order"),
    (Row("1", ["a"]), "Row", "[row.words for row in rows]"),
    (Record("a b"), "Record", "[row.text.split() for row in rows]"),
    (np.array([("a", "b")], [("id", "U1"), ("form", "U1")])[0], "void", '[row["form"] for row in rows]'),
    (pd.Series({"id": "x", "text": "a b"}), "Series", '[row["text"] for row in rows]'),
    (make_sqlite_row(), "Row", '[row["text"] for row in rows]'),
    (b"ab", "bytes", "evalign.Text"),
    (bytearray(b"ab"), "bytearray", "evalign.Text"),
    (np.array("a"), "ndarray", ""),
]


@pytest.mark.issue(28)
@pytest.mark.parametrize(("row", "kind", "instead"), ROWS, ids=[str(number) for number in range(len(ROWS))])
def test_a_row_of_a_table_is_no_sentence(row, kind, instead):
    tokens = [["a", "b"]]
    calls = (
        lambda: evalign.read([["a"], row]),
        lambda: evalign.score([["a"], row], tokens),
        lambda: evalign.score(tokens, iter([["a"], row])),
        lambda: evalign.align(tokens, ([["a"], row][number] for number in range(2))),
        lambda: evalign.Scorer().update(tokens, [["a"], row]),
        lambda: evalign.read({"harbour": [["a"], row]}),
    )
    for call in calls:
        with pytest.raises(CommandError, match=f"sentence 2 is of type {kind}") as error:
            call()
        assert instead in str(error.value)


@pytest.mark.issue(28)
@pytest.mark.parametrize(
    ("source", "problem", "instead"),
    [
        ({"tokens": [["a"]], "ner_tags": [["O"]]}, 'dict with the key "tokens"', 'tokens: data["tokens"]'),
        ({"id": "7", "Words": ["a", "b"]}, 'dict with the key "Words"', 'tokens: [data["Words"]]'),
        ({"text": "a b", "label": 1}, 'dict with the key "text"', '[data["text"].split()]'),
        (UserDict(tokens=[["a"]]), 'UserDict with the key "tokens"', 'data["tokens"]'),
        (pd.DataFrame({"tokens": [["a"]]}), "DataFrame is not an input", 'data["tokens"]'),
        (np.array([("a",)], [("form", "U1")]), "ndarray is not an input", 'data["form"]'),
        ({("a", "b")}, "set is not an input", "no order"),
        ({("a", "b"): 1}.keys(), "dict_keys is not an input", "no order"),
        ({"one": {("a", "b")}}, 'document "one": set is not an input', "no order"),
        ({"one": {"tokens": [["a"]]}}, 'document "one": dict is not an input', 'data["tokens"]'),
        ({"train": [{"tokens": ["a"]}]}, "sentence 1 is of type dict", '[row["tokens"] for row in rows]'),
        ([[["a"]], {"tokens": ["b"]}], "document 2: dict is not an input", 'data["tokens"]'),
        ([[["a"]], ["b"]], "sentence 2 is of type str", ""),
        ([["a"], [["b"]]], "a token of sentence 2 is of type list", ""),
        ([[("a", "DET"), ("b", "NOUN")]], "a token of sentence 1 is of type tuple", "for token, tag in"),
        ([[{"id": 1, "text": "a"}]], "a token of sentence 1 is of type dict", '[[token["text"] for token in'),
        (np.array("a"), "ndarray is not an input", ""),
        (itertools.count(), "a list of int is not an input", ""),
        ([Record], "a list of type is not an input", ""),
    ],
)
def test_a_table_or_a_set_is_no_text(source, problem, instead):
    with pytest.raises(CommandError, match=re.escape(problem)) as error:
        evalign.read(source)
    assert instead in str(error.value)


@pytest.mark.issue(28)
def test_a_document_with_columns_is_not_read_as_a_list_of_its_tokens():
    document, plain = evalign.read(evalign.Text(CONLLU)), evalign.read([["a"], ["b"]])
    for source in ({"one": document}, [document, document]):
        with pytest.raises(CommandError, match="Document"):
            evalign.read(source)
    assert list(evalign.read([plain, plain]).documents.names) == ["1", "2"]


@pytest.mark.issue(28)
@pytest.mark.parametrize(
    "documents",
    [
        [[["a", "b"], ["c"]], [["d"]]],
        [[], [["a", "b"], ["c"]], [["d"]]],
        iter([iter([["a", "b"], ["c"]]), iter([["d"]])]),
        ([["a", "b"], ["c"]], ([each] for each in "d")),
        deque([deque([deque("ab"), deque("c")]), deque([deque("d")])]),
        {"x": [["a", "b"], ["c"]], "y": [["d"]]}.values(),
        pd.Series([[["a", "b"], ["c"]], [["d"]]], index=["x", "y"]),
    ],
    ids=range(7),
)
def test_lists_of_lists_of_sentences_are_documents(documents):
    document = evalign.read(documents)
    assert list(document) == [["a", "b"], ["c"], ["d"]]
    assert document.documents.sentences.tolist() == [0, 2]
    assert [int(name) for name in document.documents.names] in ([1, 2], [2, 3])


@pytest.mark.issue(28)
def test_documents_may_be_lists_of_objects_that_are_sentences():
    tree = NltkTree("S", [NltkTree("NN", ["a"])])
    assert evalign.read([[tree, tree], [tree]]).documents.sentences.tolist() == [0, 2]
    sentences = make_stanza("1\tC\t_\t_\t_\t_\t_\t_\t_\t_\n\n").sentences
    assert list(evalign.read([sentences, sentences]).documents.names) == ["1", "2"]
    array = np.array([[["a", "b"], ["c", "d"]], [["e", "f"], ["g", "h"]]])
    assert evalign.score([["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]], array)["tokens"].f1 == 1


LABELS = [
    # sentences, warning or part of it
    ([["O", "B-PER", "I-PER"]] * 3, 'labels such as "B-PER"'),
    ([["O", "O", "O"]], '3 of 3 tokens are labels such as "O"'),
    ([["O", "O", "PER"]], '2 of 3 tokens are labels such as "O"'),
    ([["U-LOC", "S_LOC"]], '2 of 2 tokens are labels such as "U-LOC"'),
    ([["PROPN", "VERB", "PUNCT"]], "3 of 3 tokens are labels"),
    ([["NNP", "VBD", "NNP", "."]], '3 of 4 tokens are labels such as "NNP"'),
    ([["Ada", "PROPN"], ["met", "VERB"], [".", "PUNCT"]], "3 of 6 tokens are the label of the token before"),
    ([["O", "Romeo", "!"]], ""),
    ([["NN", "is", "a", "tag", "and", "so", "is", "VB", "."]], ""),
    ([["X"]], ""),
    ([["X", "is", "X"]], ""),
    ([["A", "B", "C"]], ""),
    ([["B-52", "bombers"]], ""),
    ([["TO", "BE", "OR", "NOT"]], ""),
    ([], ""),
]


@pytest.mark.issue(28)
@pytest.mark.parametrize(("sentences", "warning"), LABELS, ids=range(len(LABELS)))
def test_lists_of_labels_are_warned_of_once(sentences, warning):
    for result in (
        evalign.score([["a"]], sentences),
        evalign.score(sentences, [*sentences, []]),
    ):
        warnings = [each for each in result.warnings if "label" in each]
        assert len(warnings) == bool(warning)
        assert warning in "".join(warnings)
    assert list(evalign.read(sentences)) == sentences  # a warning changes nothing


# Offsets


@pytest.mark.issue(28)
def test_metrics_of_sentences_need_sentence_boundaries():
    text, tokens = "Ada met. Bob left.", [(0, 3), (4, 8), (9, 12), (13, 18)]
    sentences = [["Ada", "met."], ["Bob", "left."]]
    without, whole = Offsets(text, tokens), Offsets(text, tokens, [(0, 8), (9, 18)])
    advice = "evalign.Offsets(text, tokens, [(start, end), ...]) has them"
    for sides in ((without, sentences), (sentences, without), (without, without), (sentences, [without])):
        result = evalign.score(*sides)
        assert list(result.systems[0].scores) == ["tokens", "words"]
        assert result.warnings == (
            f"<offsets>: sentence boundaries are missing ({advice}): sentences not available",
        )
        with pytest.raises(CommandError, match="no word of <offsets> has a sentence boundary"):
            result.errors("sentences")
    assert evalign.score(sentences, whole)["sentences"].f1 == 1
    assert evalign.score([["Ada"]], Offsets("Ada", [(0, 3)]))["sentences"].f1 == 1  # there can be only one
    result = evalign.score(sentences, whole, without, metrics="sentences,pk,bio,tokens,sentence-accuracy")
    assert [system["sentences"].f1 for system in result] == [1, None]
    assert [system["pk"].value for system in result] == [0, None]
    assert result.systems[1]["sentence-accuracy"].value == 1
    assert "sentences, pk, bio not available" in " ".join(result.warnings)
    only = evalign.score(without, sentences, metrics="tokens,sentence-accuracy")
    assert only.warnings == (
        "<offsets>: without sentence boundaries it is one sentence for sentence-accuracy",
    )
    assert not evalign.score(without, sentences, metrics="tokens").warnings


def test_tokens_are_the_characters_that_offsets_span():
    text = "Not so. \n Fine."
    spans = [(0, 0), (0, 3), (3, 6), (6, 7), (7, 10), (10, 14), (14, 15), (0, 0)]
    document = evalign.read(Offsets(text, spans, [(0, 7), (8, 15)], "mine"))
    assert list(document) == [["Not", "so", "."], ["Fine", "."]]
    assert (document.name, document.remarks) == ("mine", ())


def test_a_token_is_in_the_sentence_that_its_first_character_is_in():
    # The white space before it is not on the line, so a token may begin before its sentence does.
    assert list(evalign.read(Offsets("a. b", [(0, 2), (2, 4)], [(0, 2), (3, 4)]))) == [["a."], ["b"]]
    assert list(evalign.read(Offsets("a.b", [(0, 1), (1, 3)], [(0, 2), (2, 3)]))) == [["a", ".b"]]
    assert list(evalign.read(Offsets("ab", [(0, 1), (1, 2)], [(1, 2)]))) == [["a", "b"]]


def test_a_character_in_several_tokens_is_in_the_first():
    document = evalign.read(Offsets("é!", [(0, 1), (0, 1), (0, 2)]))
    assert document.tokens() == ["é", "!"]
    assert [str(remark) for remark in document.remarks] == [
        "<offsets>:1: token inside a character that an earlier one has: left out"
    ]


def test_characters_in_no_token_are_remarked_on():
    document = evalign.read([Offsets("ab", [(0, 2)]), Offsets("abc d", [(1, 2)])])
    assert document.tokens() == ["ab", "b"]
    assert [str(remark) for remark in document.remarks] == [
        "<offsets>:2: character of the text that is in no token (3 times)"
    ]


@pytest.mark.parametrize(
    ("offsets", "found"),
    [
        (Offsets("ab", [(0, 3)]), "token 1 is from 0 to 3, in a text of 2 characters"),
        (Offsets("ab", [(1, 0)]), "token 1 is from 1 to 0"),
        (Offsets("ab", [(-1, 0)]), "token 1 is from -1 to 0"),
        (Offsets("ab", [(0, 0), (1, 2), (0, 1)]), "token 3 begins at 0, after one that begins at 1"),
        (Offsets("ab", [(0, 2)], [(0, 9)]), "sentence 1 is from 0 to 9"),
        (Offsets("\ud800", [(0, 1)]), "lone surrogate"),
    ],
)
def test_offsets_of_another_text_are_refused(offsets, found):
    with pytest.raises(CommandError, match=found):
        evalign.read(offsets)


def test_offsets_show_what_they_are():
    assert repr(Offsets("a", [(0, 1)])) == "Offsets('a', [(0, 1)], None, '<offsets>')"


@pytest.fixture(scope="module")
def byte_tokenizer():
    """A tokenizer of bytes, as GPT-2 has it: spaces are in the tokens, and of rare characters every byte is one."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )  # fmt: skip
    tokenizer.train_from_iterator(["the cat sat on the mat", "the dog"], trainer)
    special = [("<s>", 0), ("</s>", 1)]
    tokenizer.post_processor = processors.Sequence(
        [
            processors.ByteLevel(trim_offsets=False),
            processors.TemplateProcessing(single="<s> $A </s>", special_tokens=special),
        ]
    )
    return tokenizer


def test_a_text_with_its_encoding(byte_tokenizer):
    text = "the cat\n\n sat 😀"
    document = evalign.read((text, byte_tokenizer.encode(text)))
    assert list(document) == [["the", "cat", "sat", "😀"]]
    assert [remark.times for remark in document.remarks] == [3]
    result = evalign.score([["the", "cat", "sat", "😀"]], (text, byte_tokenizer.encode(text)))
    assert (result["tokens"].f1, result.systems[0].name) == (1.0, "<offsets>")


def test_texts_with_encodings_are_documents(byte_tokenizer):
    pairs = [(text, byte_tokenizer.encode(text)) for text in ("the cat", "", "the dog")]
    document = evalign.read(pairs)
    assert list(document) == [["the", "cat"], ["the", "dog"]]
    assert list(document.documents.names) == ["1", "3"]
    named = evalign.read({"cat": pairs[0], "dog": Offsets("the dog", pairs[2][1].offsets)})
    assert list(named.documents.names) == ["cat", "dog"]


# Packages


@pytest.mark.parametrize("collapse", [False, True])
def test_stanza_is_read_as_the_same_conllu(collapse):
    expected = evalign.read(evalign.Text(CONLLU), collapse_empty_nodes=collapse)
    document = evalign.read(make_stanza(), collapse_empty_nodes=collapse)
    assert_same_document(document, expected)
    assert (document.name, str(document.place_of(1)), str(document.place_of(2))) == (
        "<stanza Document>", "<stanza Document>:1", "<stanza Document>:2",
    )  # fmt: skip
    assert document.columns.linenos.tolist() == [1, 1, 1, 2, 2]


def test_documents_that_name_themselves_keep_their_names():
    unnamed = make_stanza("1\tC\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    document = evalign.read([unnamed, make_stanza(), unnamed])
    assert list(document.documents.names) == ["1", "harbour", "3"]
    assert document.documents.sentences.tolist() == [0, 1, 3]
    result = evalign.score([unnamed, make_stanza(), unnamed], document, metrics=["words"])
    assert (result.unit_kind, list(result.unit_names)) == ("document", ["1", "harbour", "3"])


def test_sentences_of_a_document_are_no_documents():
    document = evalign.read(make_stanza().sentences[1:])
    assert (list(document), len(document.documents)) == ([["Oui", "."]], 0)
    named = evalign.read({"one": make_stanza().sentences[1:], "two": make_stanza().sentences[1:]})
    assert list(named.documents.names) == ["one", "two"]


def test_words_of_stanza_without_analysis():
    document = make_stanza()
    for sentence in document.sentences:
        del sentence.comments, sentence.empty_words
        for token in sentence.tokens:
            for word in token.words:
                word.lemma = word.upos = word.xpos = word.feats = word.head = word.deprel = word.deps = None
    read = evalign.read(document)
    assert (read.tokens(), read.n_words) == (["du", "port", "Oui", "."], 5)
    assert not read.columns.upos.is_filled
    result = evalign.score(evalign.Text(CONLLU), document)
    assert (result["words"].f1, result["las"].available) == (1.0, False)


@pytest.mark.slow
def test_udapi_is_read_as_the_same_conllu():
    document = udapi.core.document.Document()
    document.from_conllu_string(CONLLU)
    for collapse in (False, True):
        expected = evalign.read(evalign.Text(CONLLU), collapse_empty_nodes=collapse)
        assert_same_document(evalign.read(document, collapse_empty_nodes=collapse), expected)
    trees = evalign.read(list(document.trees))
    assert (trees.name, list(trees.documents.names)) == ("<udapi trees>", ["harbour"])


def test_a_tree_of_udapi_without_words_is_no_sentence():
    document = udapi.core.document.Document()
    document.from_conllu_string(CONLLU)
    document.create_bundle().create_tree()
    assert evalign.read(document).n_sentences == 2


COLUMNS = {
    "lemma_": ["I", "\n", "see", "she", "."],
    "pos_": ["PRON", "SPACE", "VERB", "PRON", "PUNCT"],
    "tag_": ["PRP", "_SP", "VBD", "PRP", "."],
    "morph": ["Number=Sing", "", "Tense=Past", "", ""],
}
SEEN = """\
1\tI\tI\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
3\ther\tshe\tPRON\tPRP\t_\t1\tobj\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def test_spacy_is_read_as_conllu_without_white_space():
    # "her" hangs on the line end, and that on "I".
    doc = make_spacy(
        ["I", "\n", "saw", "her", "."], [2, 0, 2, 1, 2], ["nsubj", "dep", "ROOT", "obj", "punct"], **COLUMNS
    )
    assert_same_document(evalign.read(doc), evalign.read(evalign.Text(SEEN)))


@pytest.mark.parametrize(
    ("heads", "deps", "parents"),
    [
        ([0, 0, 0, 0, 0], ["ROOT", "dep", "", "dep", "dep"], [-1, -2, 0, 0]),
        ([1, 1, 1, 1, 1], ["dep", "ROOT", "dep", "dep", "dep"], [-1, -1, -1, -1]),
        ([1, 1, 1, 1, 1], ["dep", "", "dep", "dep", "dep"], [-2, -2, -2, -2]),
    ],
    ids=["without a head", "on white space at the root", "on white space without a head"],
)
def test_heads_of_spacy(heads, deps, parents):
    doc = make_spacy(["I", " ", "saw", "her", "."], heads, deps)
    assert evalign.read(doc).columns.parents.tolist() == parents


def test_a_head_in_another_sentence_of_spacy_is_none():
    doc = make_spacy(["a", "b"], [0, 0], ["ROOT", "x"], starts=[1])
    document = evalign.read(doc)
    assert (list(document), document.columns.parents.tolist()) == ([["a"], ["b"]], [-1, -2])


def test_a_doc_is_one_sentence_until_a_pipeline_says_otherwise():
    document = evalign.read(
        [make_spacy(["a", "b"]), make_spacy([]), make_spacy(["c", "d", "\n"], starts=[1, 2])]
    )
    assert list(document) == [["a", "b"], ["c"], ["d"]]
    assert (document.name, list(document.documents.names)) == ("<spaCy Docs>", ["1", "3"])
    # An empty Doc is an empty sentence: numbers count what was given.
    assert document.columns.linenos.tolist() == [1, 1, 3, 4]
    assert issubclass(type(make_spacy([])), SpacyDoc)


def test_an_error_of_a_live_object_names_its_sentence():
    doc = make_spacy(["a", "b", "c"], [0, 2, 1], ["ROOT", "x", "x"], starts=[1])
    with pytest.raises(evalign.StrictError, match=r"^<spaCy Doc>:2: "):
        evalign.read(doc, strict=True)


def test_columns_cannot_be_broken_by_what_tokens_say():
    doc = make_spacy(["a\tb", "c\nd", "\x1f", "e\u2028f"], lemma_=["x\ty", "\r", "", "_"])
    document = evalign.read(doc)
    assert document.tokens() == ["ab", "cd", "\x1f", "ef"]
    with pytest.raises(CommandError, match="lone surrogate"):
        evalign.read(make_spacy(["a\ud800"]))


def test_trees_of_nltk_are_read_as_brackets():
    tree = NltkTree(
        "S", [NltkTree("NP", [("(", "-LRB-"), NltkTree("NN", ["a cat"])]), NltkTree("-NONE-", ["*"])]
    )
    document = evalign.read(tree)
    assert (document.tokens(), list(document.trees.labels.labels)) == (["-LRB-", "acat"], ["S", "NP"])
    assert list(document.columns.xpos.labels) == ["-LRB-", "NN"]
    assert evalign.read(tree, empty="keep").n_tokens == 3
    several = evalign.read({"one": [tree], "two": [tree, NltkTree("S", []), tree]})
    assert (list(several.documents.names), several.documents.sentences.tolist()) == (["one", "two"], [0, 1])
    assert several.linenos.tolist() == [1, 1, 2, 2, 4, 4]
    assert evalign.score([tree], tree)["brackets"].f1 == 1.0


def test_a_deep_tree_of_nltk_is_read():
    tree = NltkTree("NN", ["a"])
    for _ in range(5_000):
        tree = NltkTree("S", [tree])
    assert len(evalign.read(tree).trees) == 5_000


def test_a_path_and_an_object_go_together(tmp_path):
    (tmp_path / "gold.conllu").write_text(CONLLU, encoding="utf-8")
    result = evalign.score(tmp_path / "gold.conllu", make_stanza(), [["du", "port"], ["Oui", "."]])
    assert [system["tokens"].f1 for system in result.systems] == [1.0, 1.0]
    assert [system.name for system in result.systems] == ["<stanza Document>", "<tokens>"]
    assert evalign.align(make_stanza(), [["du", "port", "Oui", "."]]).blocks.sizes() == {"2:1": 1}
    assert evalign.attribute(make_stanza(), make_stanza()).f1 == 1.0
    assert len(evalign.triples(make_stanza())) > 0


@pytest.mark.issue(28)
def test_a_warning_says_that_most_tokens_have_spaces_in_them():
    texts = ["Ada met Bob in Rome.", "He left the town.", "Then it rained all day."]
    rows = [[text] for text in texts]
    (warning,) = evalign.score(rows, rows).warnings
    assert '3 of 3 tokens have spaces in them, such as "Ada met Bob in Rome.": is this raw text?' in warning
    assert not evalign.score(rows, rows, metrics="sentences").warnings
    for sentences in (
        [["Hà Nội", "là", "thủ đô", "của", "Việt Nam", "."]],
        [["New York"]],
        [text.split() for text in texts],
    ):
        assert not evalign.score(sentences, sentences).warnings
