"""How often places are found for real translations: NTREX and PUD in the documents of the shared data."""

import gzip

import pytest

from evalign.bitext.languages import count_units, find_language, index_terms
from evalign.bitext.search.query import make_query
from evalign.bitext.search.tantivy_engine import TantivyEngine

SHARES = [
    # language, minimum should match, least and greatest share of sentences that find some place
    ("fr", 70, 0.45, 0.55),
    ("de", 70, 0.3, 0.4),
    # On bigrams of characters 70 % is nearly never reached, as the spec says; PUD is in traditional script, the
    # documents in simplified, so that a third of the sentences has little to find.
    ("zh", 70, 0.0, 0.02),
    ("zh", 20, 0.55, 0.65),
    ("zh", 0, 0.8, 1.0),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "percent", "least", "most"), SHARES, ids=[f"{row[0]} {row[1]}" for row in SHARES]
)
def test_the_share_of_sentences_that_find_a_place(data, code, percent, least, most):
    folder = data / "bitext"
    if not folder.is_dir():
        pytest.skip("EVALIGN_DATA has no folder bitext")
    language = find_language(code, {"minimum_should_match": percent})
    lines = gzip.decompress((folder / "mono" / f"{code}.tsv.gz").read_bytes()).decode("utf-8").splitlines()
    sentences = [line.split("\t", 1)[1] for line in lines]
    index = TantivyEngine().index(
        index_terms(language, each) for each in sentences if language.fits(count_units(language, each))
    )
    rows = [
        line.split("\t")
        for source in ("ntrex", "pud")
        for line in (folder / "parallel" / f"{source}.{code}-en.tsv").read_text(encoding="utf-8").splitlines()
    ]
    queries = [make_query(language, row[2]) for row in rows if language.fits(count_units(language, row[2]))]
    assert len(queries) > 1000
    share = sum(bool(query and index.search(query, 1)) for query in queries) / len(queries)
    assert least < share < most
