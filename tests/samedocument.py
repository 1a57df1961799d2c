"""Assert that two documents are equal apart from their names and places."""


def labels(column):
    return [column.labels[number] for number in column.ids]


def assert_same_document(document, expected):
    assert list(document) == list(expected)
    words = [[side.word(k) for k in range(side.n_words)] for side in (document, expected)]
    assert words[0] == words[1]
    ours, theirs = document.columns, expected.columns
    for name in ("lemma", "upos", "xpos", "feats", "deprel"):
        assert labels(getattr(ours, name)) == labels(getattr(theirs, name)), name
    assert ours.parents.tolist() == theirs.parents.tolist()
    assert ours.edges.cuts.tolist() == theirs.edges.cuts.tolist()
    assert ours.edges.heads.tolist() == theirs.edges.heads.tolist()
    assert labels(ours.edges.paths) == labels(theirs.edges.paths)
    assert list(document.sentence_ids) == list(expected.sentence_ids)
    assert list(document.documents.names) == list(expected.documents.names)
    assert document.documents.sentences.tolist() == expected.documents.sentences.tolist()
