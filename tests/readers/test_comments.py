"""Comments of CoNLL-U and what they say about sentences."""

import evalign

ROW = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def comments(*blocks):
    return evalign.read(evalign.Text("".join(block + ROW for block in blocks)), format="conllu").comments


def test_a_comment_is_of_the_sentence_it_stands_above():
    found = comments("# speaker = A\n", "", "# mood = low\n# speaker = B\n")
    assert list(found.keys) == ["speaker", "mood"]
    assert found.values("speaker") == {0: "A", 2: "B"}
    assert (found.values("mood"), found.values("nothing")) == ({2: "low"}, {})


def test_texts_ids_and_what_is_known_otherwise_are_no_fields():
    known = "# sent_id = 1\n# text = a\n#text=a\n# newdoc id = d\n# newpar id = p\n# newpar\n# newdoc\n"
    assert list(comments(f"# global.columns = ID FORM\n{known}# text_en = a\n").keys) == ["text_en"]


def test_attributes_of_documents_are_fields_by_their_own_name():
    assert comments("# newdoc genre = news\n").values("genre") == {0: "news"}
    assert comments("# meta::genre = news\n").values("meta::genre") == {0: "news"}


def test_comments_however_they_are_written():
    found = comments("#a=1\n#\t b  c =  x = y  \r\n# = nothing\n# no value\n", "# a = 2\n# a = 3\n")
    assert found.values("a") == {0: "1", 1: "3"}
    assert found.values("b  c") == {0: "x = y"}
    assert list(found.keys) == ["a", "b  c"]


def test_comments_behind_the_last_sentence_are_of_none():
    text = evalign.Text("# a = 1\n" + ROW + "# a = 2\n")
    assert evalign.read(text, format="conllu").comments.values("a") == {0: "1"}


def test_words_inside_tokens_and_empty_nodes_come_before_no_comment():
    rows = "0.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    text = evalign.Text(f"# k = 1\n{rows}# k = 2\n{rows}")
    assert evalign.read(text, format="conllu").comments.values("k") == {0: "1", 1: "2"}


def test_other_formats_have_no_comments():
    assert evalign.read([["a"]]).comments is None
    assert evalign.read(evalign.Text("# a = 1\n"), format="plain").comments is None
