"""Results split by document, genre, length, frequency, label, comment and expression.

Fresh, saved, on real data.
"""

import json
import pickle

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import CommandError
from evalign.metrics.registry import METRICS
from evalign.results.evidence import MOST_LABELLED_UNITS
from evalign.results.result import Result
from schema import validate
from strategies import FEWER, two_texts
from treebanks import treebank_pairs

pytestmark = pytest.mark.once

ALL = [name for name in METRICS if not METRICS[name].requires]


def sentence(words, *comments):
    """A sentence of words form/UPOS/HEAD/DEPREL with comments above it."""
    rows = []
    for number, word in enumerate(words.split(), 1):
        form, upos, head, deprel = (*word.split("/"), *["_"] * 3)[:4]
        rows.append("\t".join([str(number), form, form, upos, "_", "_", head, deprel, "_", "_"]))
    return "\n".join([*(f"# {comment}" for comment in comments), *rows, "", ""])


GOLD = "".join(
    [
        sentence(
            "a/X/0/root b/Y/1/obj", "newdoc id = blog-1", "meta::genre = blog", "year = 10", "speaker = A"
        ),
        sentence("c/X/0/root d/X/1/nsubj e/Y/1/obj f/X/1/obj g/X/1/obj h/X/1/obj", "speaker = B"),
        sentence("i/X/0/root", "newdoc id = news-1", "meta::genre = news", "year = 9", "speaker = A"),
        sentence("j/X/0/root k/Y/1/obj", "newdoc id = blog-2", "meta::genre = blog"),
    ]
)
SYSTEM = "".join(
    [
        sentence("a/X/0/root b/X/1/obj c/X/1/nsubj"),
        sentence("d/X/0/root e/Y/1/obj f/X/1/obj g/X/1/obj h/X/1/obj"),
        sentence("i/Z/0/root jk/X/1/obj"),
    ]
)


def make(gold=GOLD, system=SYSTEM, **options):
    return evalign.score(evalign.Text(gold, "gold.conllu"), evalign.Text(system, "system.conllu"), **options)


def again(result, tmp_path):
    return Result.load(_save(result, tmp_path))


def test_what_is_kept_is_as_the_schema_says(tmp_path):
    path = _save(make(by=["speaker"], metrics=ALL), tmp_path)
    validate(json.loads(path.read_text(encoding="utf-8")))


def counts(parts, metric, *fields):
    fields = fields or ("correct", "gold", "system")
    return {
        name: tuple(part[metric].counts[field] for field in fields) for name, part in parts.results.items()
    }


def assert_adds_up(parts, result):
    """The parts' counts add up to the whole's, for every system and metric that was not left out."""
    total = parts.micro()
    for number, system in enumerate(result.systems):
        for metric in parts.metrics:
            found = total.systems[number][metric].counts
            assert found == {name: system[metric].counts[name] for name in found}, (parts.by, metric)


def assert_same(one, other):
    assert (one.by, one.source, one.warnings, list(one.results)) == (
        other.by, other.source, other.warnings, list(other.results),
    )  # fmt: skip
    for name, part in one.results.items():
        assert list(part.unit_names) == list(other[name].unit_names)
        for mine, theirs in zip(part.systems, other[name].systems, strict=True):
            assert (mine.signature, mine.ledger) == (theirs.signature, theirs.ledger)
            assert list(mine.scores) == list(theirs.scores)
            for metric, score in mine.scores.items():
                twin = theirs[metric]
                assert score.units.tolist() == twin.units.tolist()
                assert (score.ratios, score.average, score.available) == (
                    twin.ratios,
                    twin.average,
                    twin.available,
                )


@pytest.mark.parametrize("saved", [False, True])
def test_parts_by_comments_of_documents(tmp_path, saved):
    result = again(make(metrics=["tokens"]), tmp_path) if saved else make(metrics=["tokens"])
    assert dict(result.unit_fields) == {
        "meta::genre": ["blog", "news", "blog"],
        "year": ["10", "9", ""],
    }
    parts = result.split("genre")
    assert parts.source == 'the comment "meta::genre" of gold\'s documents'
    assert counts(parts, "tokens") == {"blog": (8, 10, 9), "news": (1, 1, 1)}
    assert [list(part.unit_names) for part in parts.results.values()] == [["blog-1", "blog-2"], ["news-1"]]
    assert parts["blog"]["tokens"].units.tolist() == result["tokens"].units[[0, 2]].tolist()
    assert parts["blog"].signature == result.signature + "|by:genre=blog"
    assert parts["blog"].ledger == result.ledger
    assert parts.whole is result
    assert parts.micro().ledger == result.ledger
    years = result.split("year")
    assert list(years.results) == ["9", "10", "(none)"]
    assert_adds_up(years, result)


def test_genres_by_names_where_no_comment_tells():
    gold = GOLD.replace("meta::genre", "meta::other")
    parts = make(gold).split("genre")
    assert parts.source == "names of documents: their first piece"
    assert list(parts.results) == ["blog", "news"]
    assert_adds_up(parts, parts.whole)


def test_genres_of_sentences():
    gold = GOLD.replace("meta::genre", "meta::other").replace("speaker = B", "genre = talk")
    parts = make(gold).split("genre")
    assert parts.source == 'the comment "genre" above gold\'s sentences'
    assert counts(parts, "tokens") == {"talk": (6, 6, 6), "(none)": (3, 5, 4)}


def test_every_document_is_a_part():
    result = make(metrics=ALL)
    parts = result.split("document")
    assert list(parts.results) == ["blog-1", "news-1", "blog-2"]
    assert [len(part.unit_names) for part in parts.results.values()] == [1, 1, 1]
    assert_adds_up(parts, result)


def test_documents_without_a_name_of_their_own():
    gold = GOLD.replace("newdoc id = blog-2", "newdoc").replace("newdoc id = news-1", "newdoc id = blog-1")
    assert list(make(gold).split("document").results) == ["blog-1", "blog-1 (2)", "document 3"]


@pytest.mark.parametrize("saved", [False, True])
def test_parts_by_length(tmp_path, saved):
    """By hand: the second sentence has six tokens; the system's first begins in the first and is wrong."""
    result = again(make(metrics=ALL), tmp_path) if saved else make(metrics=ALL)
    parts = result.split("length")
    assert parts.source == "gold sentences by number of tokens"
    assert counts(parts, "tokens") == {"1-5": (3, 5, 4), "6-10": (6, 6, 6)}
    assert counts(parts, "sentences") == {"1-5": (0, 3, 2), "6-10": (0, 1, 1)}
    assert [list(part.unit_names) for part in parts.results.values()] == [
        ["blog-1", "news-1", "blog-2"],
        ["blog-1"],
    ]
    assert set(result.systems[0].scores) - set(parts.metrics) == {
        "pk", "windowdiff", "pk-nltk", "windowdiff-nltk", "pk-segeval", "windowdiff-segeval", "edit-distance",
    }  # fmt: skip
    assert any("edit-distance: edits are found in blocks" in warning for warning in parts.warnings)
    assert not parts["1-5"]["brackets"].available
    assert_adds_up(parts, result)


def test_parts_by_comments_of_sentences_are_kept_when_asked_for(tmp_path):
    result = make(by=["speaker", "genre"])
    parts = result.split("speaker")
    assert counts(parts, "tokens") == {"A": (3, 3, 3), "B": (6, 6, 6), "(none)": (0, 2, 1)}
    assert_adds_up(parts, result)
    assert_same(parts, again(result, tmp_path).split("speaker"))
    with pytest.raises(
        CommandError, match="gold's documents and sentences have no comment of this name"
    ) as caught:
        again(make(), tmp_path).split("speaker")
    assert caught.value.advice == 'comments to split by: "meta::genre", "year"'


@pytest.mark.parametrize("saved", [False, True])
def test_parts_by_an_expression(tmp_path, saved):
    result = again(make(), tmp_path) if saved else make()
    parts = result.split(r"^\w+-(\d)")
    assert (list(parts.results), parts.source) == (
        ["1", "2"],
        r"names of documents: the first group of ^\w+-(\d)",
    )
    assert list(result.split("^b.o").results) == ["blo", "(none)"]
    assert "|by:blog%7Cnews=blog" in result.split("blog|news")["blog"].signature


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize(
    ("by", "found", "told"),
    [
        ("speeker", "have no comment of this name", 'did you mean "speaker"?'),
        ("zzzz", "have no comment of this name", 'comments to split by: "meta::genre", "year", "speaker"'),
        ("(", "not a regular expression", "comments to split by"),
        ("^q+", 'matches no name of a document: "blog-1", "news-1", "blog-2"', "comments to split by"),
        ("label", "no system and gold both have labels", ""),
    ],
)
def test_what_a_result_cannot_be_split_by(tmp_path, saved, by, found, told):
    system = "a b c\nd e f g h\ni jk\n"
    result = make(system=system, system_format="plain", by=["speaker"])
    result = again(result, tmp_path) if saved else result
    with pytest.raises(CommandError) as caught:
        result.split(by)
    assert found in caught.value.found
    assert told in caught.value.advice
    if not saved:
        with pytest.raises(CommandError):
            make(system=system, system_format="plain", by=[by])


def test_gold_without_documents():
    gold, system = [["a"], ["b", "c"]], [["a"], ["bc"]]
    result = evalign.score(gold, system)
    for by in ("document", "genre", "^x"):
        with pytest.raises(CommandError, match="has no documents, and there are no raw files"):
            result.split(by)
    assert_adds_up(result.split("length"), result)
    assert_adds_up(result.split("frequency"), result)
    with pytest.raises(CommandError, match="has no sentence to group"):
        evalign.score([], system).split("length")
    with pytest.raises(CommandError, match="places are not known"):
        evalign.score(gold, system, strategy="printed").split("length")


def test_names_that_tell_no_genre():
    gold = GOLD.replace("meta::genre = ", "").replace("blog-", "b").replace("news-", "n")
    with pytest.raises(CommandError) as caught:
        make(gold).split("genre")
    assert 'names of documents do not tell: "b1", "n1", "b2"' in caught.value.found
    assert '`by="^([a-z]+)"`' in caught.value.advice


@pytest.mark.parametrize("saved", [False, True])
def test_parts_by_label(tmp_path, saved):
    """By hand: gold's nsubj is on the other head; Y is right once; jk has no partner."""
    result = again(make(), tmp_path) if saved else make()
    relations = result.split("relation")
    assert (relations.source, relations.metrics) == ("relations without their subtypes", ["las"])
    assert list(relations.results) == list(result.breakdown("relation"))
    assert counts(relations, "las") == {
        label: (row.correct, row.gold, row.system) for label, row in result.breakdown("relation").items()
    }
    assert_same(result.split("label"), result.split("label"))
    assert counts(result.split("label"), "las") == counts(relations, "las")
    tags = result.split("tag")
    assert counts(tags, "upos")["Y"] == (1, 3, 1)
    assert list(tags["Z"].unit_names) == ["news-1"]
    assert tags["Y"]["upos"].f1 == 0.5
    assert counts(result.split("frequency"), "tokens") == {"0": (0, 0, 1), "1": (9, 11, 9)}
    assert tags["Y"].signature.endswith("|by:tag=Y")


def test_labels_of_trees_and_of_spans():
    trees = evalign.Text("(TOP (S (NP (NN a)) (VP (VB b))))\n")
    assert evalign.score(trees, trees).split("label").metrics == ["brackets"]
    assert evalign.score(trees, trees).split("xpos").metrics == ["tags"]
    table, raw = evalign.Text("0\t1\tperson\n2\t3\tplace\n", "t.tsv"), evalign.Text("a b", "r.txt")
    result = evalign.score(table, table, raw=raw, layer="entities")
    parts = result.split("label")
    assert (parts.metrics, list(parts.results)) == (["entities"], ["person", "place"])
    with pytest.raises(CommandError, match="is a stand-off table, without sentences to group"):
        result.split("length")


def test_systems_that_lack_what_another_has(tmp_path):
    plain = evalign.Text("a b c\nd e f g h\ni jk\n", "plain.txt")
    gold = evalign.Text(GOLD, "gold.conllu")
    for first in (True, False):
        full = evalign.Text(SYSTEM, "system.conllu")
        result = evalign.score(gold, *((plain, full) if first else (full, plain)))
        lacking, having = (0, 1) if first else (1, 0)
        for found in (result, again(result, tmp_path)):
            part = found.split("relation")["obj"]
            assert not part.systems[lacking]["las"].available
            assert part.systems[having]["las"].gold == 6
            assert len(part.systems[lacking]["las"].units) == len(part.unit_names)


def test_units_of_a_part_are_those_of_all_systems():
    gold = evalign.Text(GOLD, "gold.conllu")
    other = evalign.Text(SYSTEM.replace("h\th\tX", "h\th\tZ"), "other.conllu")
    part = evalign.score(gold, evalign.Text(SYSTEM, "one.conllu"), other).split("tag")["Z"]
    assert list(part.unit_names) == ["blog-1", "news-1"]
    assert [system["upos"].units.tolist() for system in part.systems] == [
        [[0, 0, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, 1]],
    ]  # fmt: skip


@pytest.mark.parametrize("average", ["document", "sentence"])
def test_parts_of_averages(tmp_path, average):
    result = make(average=average, metrics=["tokens", "pk"])
    genres = result.split("genre")
    assert genres["news"]["tokens"].f1 == 1.0
    assert_same(genres, again(result, tmp_path).split("genre"))
    assert list(result.split("document").results) == ["blog-1", "news-1", "blog-2"]
    if average == "document":
        assert genres["blog"]["tokens"].f1 == pytest.approx((1.0 + 0) / 2)
        with pytest.raises(CommandError, match='by length with `average="document"`'):
            result.split("length")
    else:
        # The mean over the three sentences of one, two and two tokens.
        assert result.split("length")["1-5"]["tokens"].recall == pytest.approx((1 + 1 + 0) / 3)
        assert "pk" not in genres.metrics


def test_windows_over_all_of_gold_are_no_part_of_a_raw_file(tmp_path):
    for name, text in (("GUM_news_x", "a b."), ("GUM_talk_y", "c d.")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    trees = evalign.Text("(S (A a) (A b) (A .))\n(S (A c) (A d) (A .))\n")
    result = evalign.score(trees, trees, raw=tmp_path, metrics=["tokens", "pk"])
    parts = result.split("genre")
    assert (list(parts.results), parts.metrics) == (["news", "talk"], ["tokens"])
    assert parts.warnings == (
        "not counted by genre: pk: windows slide over all of gold, which names no documents itself",
    )
    assert list(result.split("document").results) == ["GUM_news_x.txt", "GUM_talk_y.txt"]


def test_labels_of_many_units_are_not_kept(tmp_path):
    row = sentence("a/X/0/root")
    gold = "".join(f"# newdoc id = d{k}\n{row}" for k in range(MOST_LABELLED_UNITS + 1))
    result = make(gold, gold, metrics=["upos"])
    assert result.split("tag")["X"]["upos"].gold == MOST_LABELLED_UNITS + 1
    saved = Result.load(_save(result, tmp_path))
    assert saved.breakdown("tag")["X"].gold == MOST_LABELLED_UNITS + 1
    with pytest.raises(CommandError, match="breakdown by tag was not kept unit by unit"):
        saved.split("tag")


def _save(result, tmp_path):
    result.save(tmp_path / "run.json")
    return tmp_path / "run.json"


def test_results_saved_before_there_were_parts_say_what_is_missing(tmp_path):
    path = _save(make(metrics=["tokens", "las"]), tmp_path)
    saved = json.loads(path.read_text(encoding="utf-8"))
    del saved["unit"]["fields"]
    for system in saved["systems"]:
        del system["groups"], system["breakdown_units"]
    path.write_text(json.dumps(saved), encoding="utf-8")
    validate(saved)
    old = Result.load(path)
    assert list(old.split("genre").results) == ["blog", "news"]  # names tell it
    for by, told in (
        ("length", "were not kept"),
        ("relation", "was not kept"),
        ("year", "have no comment of this name"),
    ):
        with pytest.raises(CommandError, match=told):
            old.split(by)


def test_a_part_is_an_ordinary_result(tmp_path):
    part = make().split("relation")["obj"]
    loaded = again(part, tmp_path)
    assert loaded["las"].counts == part["las"].counts
    for each in (part, loaded):
        with pytest.raises(CommandError, match="errors of tokens: this result keeps only counts"):
            each.errors("tokens")
    with pytest.raises(CommandError, match="a part of a result"):
        part.split("length")


def test_fields_are_few_and_short():
    more = "".join(f"# k{k} = {k}\n" for k in range(60))
    gold = f"# newdoc id = d\n# long = {'x' * 101}\n{more}{sentence('a')}"
    fields = make(gold, sentence("a")).unit_fields
    assert len(fields) == 49
    assert "long" not in fields


def test_fields_are_sent_elsewhere_without_the_text():
    fields = make().unit_fields
    assert pickle.loads(pickle.dumps(fields)) == dict(fields)


@st.composite
def documents_of(draw, text):
    """CoNLL-U with documents, speakers and groups put in at will."""
    blocks = [block for block in text.split("\n\n") if block]
    found = []
    for number, block in enumerate(blocks):
        newdoc = draw(st.sampled_from(["", "", f"# newdoc id = x-{number}\n"]))
        speaker = draw(st.sampled_from(["", "# who = A\n", "# who = B\n"]))
        found.append(newdoc + speaker + block + "\n\n")
    return "".join(found)


@FEWER
@given(data=st.data())
def test_parts_add_up_and_come_back(data, tmp_path_factory):
    pair = data.draw(treebank_pairs())
    gold = data.draw(documents_of(pair.gold))
    by = ["who"] * ("# who" in gold and "\n\n# who" in gold)
    formats = {"gold_format": "conllu", "system_format": "conllu"}
    result = make(gold, pair.system, metrics=ALL, by=by, **formats)
    wanted = ["relation", "tag", "xpos", "frequency", "length", *by]
    wanted += ["document"] * (result.unit_kind == "document")
    saved = again(result, tmp_path_factory.mktemp("saved"))
    for by in wanted:
        try:
            parts = result.split(by)
        except CommandError:
            continue
        assert_adds_up(parts, result)
        assert_same(parts, saved.split(by))


@FEWER
@given(two_texts())
def test_lengths_of_any_texts_add_up(pair):
    result = evalign.score(pair.gold, pair.system, metrics=ALL)
    if pair.gold:
        assert_adds_up(result.split("length"), result)


def segmenters(data):
    found = sorted((data / "systems" / "segmenters").glob("English-EWT.*.txt"))
    return [path for path in found if path.name.split(".")[1] not in ("gold", "raw")]


@pytest.mark.large
def test_segmenters_by_genre(data):
    gold = data / "ud" / "UD_English-EWT" / "en_ewt-ud-test.conllu"
    result = evalign.score(gold, *segmenters(data), metrics=ALL)
    genres = result.split("genre")
    assert {name: len(part.unit_names) for name, part in genres.results.items()} == {
        "answers": 69, "email": 23, "newsgroup": 26, "reviews": 184, "weblog": 14,
    }  # fmt: skip
    for by in ("genre", "length", "frequency"):
        assert_adds_up(result.split(by), result)


def test_trees_by_genre_of_their_raw_files(data):
    folder = data / "constituency" / "gum"
    result = evalign.score(folder / "gold.mrg", folder / "sys_resegmented.mrg", raw=folder)
    genres = result.split("genre")
    assert {name: len(part.unit_names) for name, part in genres.results.items()} == {
        "academic": 2, "court": 1, "interview": 2, "news": 3,
    }  # fmt: skip
    for by in ("genre", "length", "label", "xpos"):
        assert_adds_up(result.split(by), result)
