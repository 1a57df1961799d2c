"""Profiles of treebanks."""

import gzip
import json
import math

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import CommandError, InputError
from evalign.typology.options import ProfileOptions
from evalign.typology.profiles import load_profiles, profile
from evalign.typology.treebanks import file_stem, name_apart
from oracles import dependencies, typology as oracle
from oracles.words import strip_separators
from treebanks import treebank_texts
from typology.samples import CAT, CROSSED, DOG, conllu, treebank


def one(*sentences, feats="_", **settings):
    return profile(treebank(*sentences, feats=feats), settings=ProfileOptions(**settings)).treebanks[0]


def test_sizes_and_shares_by_hand():
    found = one(DOG, CAT, CROSSED)
    assert (found.name, found.labels) == ("x", "v2")
    assert (found.sentences, found.tokens, found.words) == (3, 12, 12)
    # The the dog cat barks seen . a b c d
    assert found.types == 11
    assert (found.trees, found.nonprojective, found.nonprojective_share) == (3, 1, 1 / 3)
    # nsubj, root twice each; root and three nmod.
    assert found.share("content") == 8 / 12
    assert found.share("function") == 2 / 12
    assert found.featured == 0
    assert one(DOG, feats="Case=Nom").featured == 4


def test_shares_may_be_of_something_else():
    assert one(DOG, CAT, share_of="no-punct").share("function") == 2 / 6
    assert one(DOG, CAT, share_of="classes").share("content") == 4 / 6
    assert one([("a", 0, "punct", "X")], share_of="no-punct").share("content") is None


def test_entropy_by_hand():
    found = one(DOG, CAT)
    # Seven forms; "." twice is no surprise, two forms once each are one bit.
    assert found.relations["punct"] == (2, 1, 0.0)
    assert found.relations["nsubj"].entropy == pytest.approx(math.log(2) / math.log(7))
    assert found.relations["det"].types == 2
    assert set(found.relations) == {"det", "nsubj", "root", "punct"}


def test_case_may_be_ignored():
    found = one(DOG, CAT, case="lower")
    assert found.types == 6
    assert found.relations["det"] == (2, 1, 0.0)
    assert found.relations["nsubj"].entropy == pytest.approx(math.log(2) / math.log(6))


def test_the_bound_may_be_the_relation_s_own():
    found = one(DOG, CAT, vocabulary="relation")
    assert found.relations["nsubj"].entropy == pytest.approx(1)
    assert found.relations["punct"].entropy == 0


def test_a_treebank_of_one_form_has_no_entropy():
    assert one([("a", 0, "root", "X")]).relations["root"].entropy == 0


def test_sttr_by_hand():
    # Without "." : The dog | barks the | cat seen, and with chunks of 4 The dog barks the.
    assert one(DOG, CAT, chunk=2).sttr == 1
    assert one(DOG, DOG, chunk=3).richness == (1.0, 2)
    assert one(DOG, DOG, chunk=6).richness == (0.5, 1)
    assert one(DOG, DOG, chunk=4).richness == (3 / 4, 1)
    assert one(DOG, DOG, chunk=4, last_chunk="keep").richness == ((3 / 4 + 1) / 2, 2)
    assert one(DOG, DOG, chunk=7).richness == (None, 0)
    assert one(DOG, DOG, chunk=8, sttr_without="nothing").sttr == 0.5
    assert one(DOG, CAT, chunk=6, case="lower").sttr == 5 / 6


def test_sttr_leaves_out_the_relation_where_there_is_no_tag():
    rows = [(form, head, relation, "_") for form, head, relation, _ in DOG]
    found = profile(treebank(rows), settings=ProfileOptions(chunk=3))
    assert found.treebanks[0].sttr == 1
    assert "no word has a UPOS" in found.warnings[0]
    tagged = [("a", 0, "root", "PUNCT"), ("b", 1, "punct", "X")]
    assert one(tagged, chunk=1).richness.chunks == 1
    assert one(tagged, tagged, chunk=1, sttr_without="relation").sttr == 1


def test_words_are_looked_for_inside_multiword_tokens():
    text = (
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t3\tcase\t_\t_\n2\tle\t_\tDET\t_\t_\t3\tdet\t_\t_\n"
        "3\tdu\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = profile(evalign.Text(text, "x.conllu")).treebanks[0]
    assert (found.tokens, found.words, found.types) == (2, 3, 3)


def test_the_average_counts_what_is_missing():
    found = profile(treebank(DOG, CAT, name="a"), treebank(CROSSED, name="b"))
    entropy = found.treebanks[0].relations["nsubj"].entropy
    assert found.entropies["nsubj"] == pytest.approx((entropy + 0.5) / 2)
    assert list(found.entropies.values()) == sorted(found.entropies.values())
    other = profile(
        treebank(DOG, name="a"), treebank(CROSSED, name="b"), settings=ProfileOptions(missing=0.0)
    )
    assert other.entropies["punct"] == 0


def test_labels_of_version_1_have_its_classes():
    rows = [("not", 2, "neg", "PART"), ("go", 0, "root", "VERB"), ("it", 2, "dobj", "PRON")]
    found = profile(treebank(rows))
    assert found.treebanks[0].labels == "v1"
    assert found.treebanks[0].share("function") == 1 / 3
    assert found.signature.endswith("|relations:v1")
    assert one(rows, relations="v2").share("function") == 0
    mixed = profile(treebank(rows, name="a"), treebank(DOG, name="b"), treebank(DOG, name="c"))
    assert mixed.signature.endswith("|relations:v1+v2")
    assert "version 1 and 2 are mixed" in mixed.warnings[-1]
    assert mixed.class_of("neg") == "other"


def test_a_word_without_relation_is_in_the_vocabulary_alone():
    found = one([("a", 0, "root", "X"), ("b", 1, "_", "X"), ("c", 1, "_", "X")])
    assert found.types == 3
    assert set(found.relations) == {"root"}
    assert found.share("content") == 1


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (evalign.Text("plain text\n", "p.txt"), "p.txt: plain text, which has no trees"),
        (evalign.Text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "x.conllu"), "x.conllu: no word has a relation"),
        (evalign.Text("", "x.conllu"), "x.conllu: no word has a relation"),
    ],
)
def test_what_is_no_treebank_is_refused(source, told):
    with pytest.raises(InputError) as error:
        profile(source)
    assert told in str(error.value)


def test_sentences_that_are_no_trees_are_told():
    found = profile(treebank(DOG, [("a", 2, "x", "X"), ("b", 1, "x", "X")]))
    assert found.treebanks[0].nonprojective_share == 0
    assert (found.treebanks[0].trees, found.treebanks[0].sentences) == (1, 2)
    assert "1 of 2 sentences is not a tree" in found.warnings[-1]


def test_a_folder_is_one_treebank(tmp_path):
    folder = tmp_path / "UD_Klingon-X"
    folder.mkdir()
    (folder / "b.conllu").write_text(conllu(CAT), encoding="utf-8")
    (folder / "a.conllu.gz").write_bytes(gzip.compress(conllu(DOG).encode()))
    (folder / "README.txt").write_text("no treebank", encoding="utf-8")
    whole = profile(folder).treebanks[0]
    assert whole.name == "UD_Klingon-X"
    joined = one(DOG, CAT)
    assert (whole.words, whole.types, whole.relations) == (joined.words, joined.types, joined.relations)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="a folder without a file"):
        profile(tmp_path / "empty")


def test_names_are_those_of_files_without_ending(tmp_path):
    assert [file_stem(name) for name in ("a/b.conllu", "b.conllu.gz", ".hidden", "<stdin>", "a/", "x.y.json")] == [
        "b", "b", ".hidden", "<stdin>", "a", "x.y",
    ]  # fmt: skip
    assert name_apart(["x/a.conllu", "y/a.conllu", "b.conllu"]) == ["x/a", "y/a", "b"]


def test_what_was_written_is_loaded(tmp_path):
    found = profile(
        treebank(DOG, CAT, name="a"), treebank(CROSSED, name="b"), settings=ProfileOptions(chunk=2)
    )
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(found.to_dict(), allow_nan=False), encoding="utf-8")
    loaded = load_profiles(path)
    assert loaded.to_dict() == found.to_dict()
    assert loaded.settings == found.settings


@pytest.mark.parametrize(
    "saved",
    ["", "[]", "{}", '{"kind": "profiles", "schema": 1}', '{"kind": "weights", "schema": 1}',
     '{"kind": "profiles", "schema": 1, "settings": {"case": "upper"}, "treebanks": []}',
     '{"kind": "profiles", "schema": 1, "settings": {}, "treebanks": [{}]}',
     '{"kind": "profiles", "schema": 1, "settings": {"x": 1}, "treebanks": []}'],
)  # fmt: skip
def test_other_files_are_no_profiles(tmp_path, saved):
    path = tmp_path / "p.json"
    path.write_text(saved, encoding="utf-8")
    with pytest.raises(InputError, match=r"make one: `evalign\.typology\.profile"):
        load_profiles(path)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"case": "upper"}, 'unknown value "upper" for case'),
        ({"chunk": 0}, "chunks of 0 words"),
        ({"chunk": 0.5}, "`chunk=` is of type float"),
        ({"missing": 2}, "a missing relation counts 2"),
        ({"missing": math.nan}, "a missing relation counts nan"),
        ({"missing": "much"}, "`missing=` is of type str"),
        ({"share_of": "x"}, 'unknown value "x" for share_of'),
    ],
)
def test_wrong_settings_are_refused(settings, words):
    with pytest.raises(CommandError, match=words):
        ProfileOptions(**settings)


def test_no_treebank_is_refused():
    with pytest.raises(CommandError, match="no treebank"):
        profile()


def test_correlations_need_two_treebanks():
    assert set(profile(treebank(DOG)).correlations.values()) == {None}
    two = profile(treebank(DOG, CAT, name="a"), treebank(CROSSED, name="b"))
    assert two.correlations["content,function"] == -1
    assert two.correlations["content,sttr"] is None


def plain(text):
    """A treebank of the oracle's without separators in its forms: they are not on the line."""
    read = dependencies.read(text)
    return read._replace(words=[word._replace(form=strip_separators(word.form)) for word in read.words])


@given(st.lists(treebank_texts(10).filter(bool), min_size=1, max_size=2), st.integers(1, 4))
def test_profiles_are_what_the_oracle_says(texts, chunk):
    sources = [evalign.Text(text, f"{k}.conllu") for k, text in enumerate(texts)]
    found = profile(*sources, settings=ProfileOptions(chunk=chunk))
    oracles = [plain(text) for text in texts]
    for ours, theirs in zip(found.treebanks, oracles, strict=True):
        entropies = {name: relation.entropy for name, relation in ours.relations.items()}
        assert entropies == pytest.approx(oracle.wde(theirs), abs=1e-12)
        assert ours.sttr == pytest.approx(oracle.sttr(theirs, chunk))
        version = oracle.version_of(theirs)
        assert ours.labels == version
        for name, share in oracle.shares(theirs, version).items():
            assert ours.share(name) == pytest.approx(share)
        assert (ours.nonprojective, ours.sentences) == oracle.nonprojective_trees(theirs)
    assert found.entropies == pytest.approx(oracle.averaged_wde(oracles), abs=1e-12)
