"""Documents of spaCy, NLTK and stanza, made by the packages themselves.

`test_live.py` has the other packages.

Stanza needs torch, which is not in the development environment: install both to run the tests of stanza.
"""

import pytest

import evalign
from samedocument import assert_same_document
from standins import CONLLU

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def spacy():
    return pytest.importorskip("spacy")


@pytest.fixture(scope="module")
def nltk():
    return pytest.importorskip("nltk")


@pytest.fixture(scope="module")
def stanza():
    return pytest.importorskip("stanza.utils.conll").CoNLL


@pytest.mark.issue(28)
def test_a_blank_pipeline_gives_tokens_and_no_sentences(spacy):
    doc = spacy.blank("en")("Hello  world.\n\n How are you?")
    document = evalign.read(doc)
    assert list(document) == [["Hello", "world", ".", "How", "are", "you", "?"]]
    gold = evalign.Text("Hello world .\nHow are you ?\n")
    for result in (evalign.score(gold, doc), evalign.score(doc, gold)):
        assert (result["tokens"].f1, list(result.systems[0].scores)) == (1, ["tokens", "words"])
        [warning] = (each for each in result.warnings if "sentence boundaries" in each)
        assert warning == (
            '<spaCy Doc>: sentence boundaries are missing (nlp.add_pipe("sentencizer") adds them): '
            "sentences not available"
        )


@pytest.mark.issue(28)
def test_sentence_boundaries_of_some_tokens_only(spacy):
    nlp = spacy.blank("en")
    doc = nlp("It is. Is it? No.")
    doc[1].is_sent_start = False
    assert not evalign.read(doc).has_sentences
    doc[3].is_sent_start = True
    assert list(evalign.read(doc)) == [["It", "is", "."], ["Is", "it", "?", "No", "."]]
    assert evalign.read(doc).has_sentences
    assert not evalign.read([doc, nlp("No one.")]).has_sentences
    assert evalign.read([doc, nlp("No"), nlp("")]).has_sentences
    unmarked = nlp("It is. No.")
    assert not evalign.read(unmarked[0:5]).has_sentences
    assert evalign.read([unmarked[0:3], unmarked[3:5]]).has_sentences  # each is given as a sentence
    hooked = nlp("It is. No.")
    hooked.user_hooks["sents"] = lambda doc: iter([doc[0:3], doc[3:5]])
    assert (evalign.read(hooked).n_sentences, evalign.read(hooked).has_sentences) == (2, True)
    nlp.add_pipe("sentencizer")
    assert evalign.read(nlp("It is one sentence.")).has_sentences


@pytest.mark.issue(28)
def test_entities_that_are_not_scored_are_mentioned_once(spacy):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PER", "pattern": "Ada"}])
    docs = [nlp("Ada met Bob."), nlp("Ada met Ada.")]
    for sides in ((docs, docs[:1]), (docs, [["Ada", "met"]]), ([["Ada", "met"]], docs[1], docs)):
        assert [each for each in evalign.score(*sides).warnings if "ents" in each] == [
            "entities (doc.ents) are not scored"
        ]
    assert not evalign.read(nlp("Bob left.")).remarks


def test_sentences_of_a_pipeline_and_a_stream_of_docs(spacy):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    document = evalign.read(nlp.pipe(["It is. \n\n Is it?", "", " \n ", "No."]))
    assert list(document) == [["It", "is", "."], ["Is", "it", "?"], ["No", "."]]
    assert (list(document.documents.names), document.documents.sentences.tolist()) == (["1", "4"], [0, 2])


def make_doc(spacy):
    """As the test of the stand-in has it."""
    return spacy.tokens.Doc(
        spacy.blank("en").vocab,
        words=["I", "\n", "saw", "her", "."],
        spaces=[False, False, True, False, False],
        lemmas=["I", "\n", "see", "she", "."],
        pos=["PRON", "SPACE", "VERB", "PRON", "PUNCT"],
        tags=["PRP", "_SP", "VBD", "PRP", "."],
        morphs=["Number=Sing", "", "Tense=Past", "", ""],
        heads=[2, 0, 2, 1, 2],
        deps=["nsubj", "dep", "ROOT", "obj", "punct"],
    )


EXPECTED = """\
1\tI\tI\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
3\ther\tshe\tPRON\tPRP\t_\t1\tobj\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def test_what_a_doc_says_of_its_tokens(spacy):
    expected = evalign.read(evalign.Text(EXPECTED))
    doc = make_doc(spacy)
    assert_same_document(evalign.read(doc), expected)
    assert_same_document(evalign.read(doc[0:5]), expected)
    assert_same_document(evalign.read(list(doc.sents)), expected)


@pytest.mark.parametrize("words", [[], ["a"], ["a", "b"]])
def test_small_docs(spacy, words):
    vocab = spacy.blank("en").vocab
    assert list(evalign.read(spacy.tokens.Doc(vocab, words=words))) == [words] * bool(words)
    starts = [True, False][: len(words)]
    assert list(evalign.read(spacy.tokens.Doc(vocab, words=words, sent_starts=starts))) == [words] * bool(
        words
    )


def test_columns_that_were_not_set_are_not_there(spacy):
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, words=["a", "b"], pos=["DET", ""])
    columns = evalign.read(doc).columns
    assert list(columns.upos.labels) == ["DET", "_"]
    assert not columns.xpos.is_filled
    assert not columns.lemma.is_filled
    assert columns.parents.tolist() == [-2, -2]


def test_trees_of_a_treebank_without_a_root(nltk):
    text = "( (S (NP-SBJ (PRP We) (-LRB- -LRB-)) (VP (VBP go) (NP (-NONE- *)))))"
    tree = nltk.Tree.fromstring(text)
    expected = evalign.read(evalign.Text(text))
    for given in (tree, [tree], nltk.ParentedTree.convert(tree), nltk.ImmutableTree.convert(tree)):
        document = evalign.read(given)
        assert list(document) == list(expected)
        assert list(document.trees.labels.labels) == list(expected.trees.labels.labels)
        assert evalign.score(evalign.Text(text), given)["brackets"].f1 == 1.0


def test_what_a_chunker_gives(nltk):
    chunks = nltk.RegexpParser("NP: {<DT><NN>}").parse([("the", "DT"), ("cat", "NN"), ("sat", "VBD")])
    document = evalign.read(chunks)
    assert (document.tokens(), list(document.trees.labels.labels)) == (["the", "cat", "sat"], ["S", "NP"])


@pytest.mark.parametrize("collapse", [False, True])
def test_stanza_is_read_as_the_same_conllu(stanza, collapse):
    document = stanza.conll2doc(input_str=CONLLU, ignore_gapping=False)
    expected = evalign.read(evalign.Text(CONLLU), collapse_empty_nodes=collapse)
    assert_same_document(evalign.read(document, collapse_empty_nodes=collapse), expected)
    assert evalign.score(evalign.Text(CONLLU), document, metrics=["all"])["elas"].f1 == 1.0
