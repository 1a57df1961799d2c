"""Builds of data sets: complete, the same each time, and true to their promises."""

import json
import shutil

import pytest

from bitextinputs import CONFIG, contents, edit, write_inputs, write_table
from evalign.bitext.build.build import build_dataset
from evalign.bitext.dataset import open_dataset, read_provenance
from evalign.bitext.statistics.dataset_statistics import bitext_statistics
from evalign.errors import CommandError, InputError
from oracles.bitext_build import check_folder

pytestmark = pytest.mark.slow

LINKED = [(f"linked:{k}", f"linked:{k}") for k in range(4)]


def test_a_data_set_keeps_all_promises(config, folder):
    built = build_dataset(config, folder)
    counts = check_folder(folder, "fr-en", LINKED)
    assert sum(counts.values()) >= 10
    assert {split: sizes["gold"] for split, sizes in built.sizes.items()} == counts
    assert not built.was_finished
    assert not built.kept
    assert sorted(contents(folder)) == sorted(
        [
            *(f"fr-en.{split}.{end}" for split in ("sample", "training", "test") for end in ("fr", "en", "gold")),
            "dataset.json", "links.tsv", "provenance.tsv", "statistics.json",
        ]
    )  # fmt: skip


def test_linked_documents_are_in_different_splits_where_that_is_asked_for(config, folder):
    edit(config, "[documents.fr]", 'desync = "split"\n[documents.fr]')
    build_dataset(config, folder)
    check_folder(folder, "fr-en", LINKED, apart="split")
    documents = {
        (origin.id[:2], origin.document) for origin in read_provenance(folder) if "linked:" in origin.document
    }
    assert len(documents) == 2 * len(LINKED), "both stay"


def test_another_seed_gives_another_data_set(config, folder, tmp_path):
    build_dataset(config, folder)
    edit(config, "[documents.fr]", "seed = 1\n[documents.fr]")
    build_dataset(config, tmp_path / "again")
    assert contents(folder)["fr-en.training.fr"] != contents(tmp_path / "again")["fr-en.training.fr"]


def test_pieces_of_a_document_belong_together_wherever_they_are(config, folder, tmp_path):
    """The order of documents in the input is of no importance, that of their sentences is."""
    lines = (config.parent / "fr.tsv").read_text(encoding="utf-8").splitlines()
    # The first sentences of all documents, then the second ones, and so on.
    names = list(dict.fromkeys(line.partition("\t")[0] for line in lines))
    by_name = {name: [line for line in lines if line.startswith(f"{name}\t")] for name in names}
    woven = [each[k] for k in range(6) for each in by_name.values()]
    build_dataset(config, folder)
    (config.parent / "fr.tsv").write_text("\n".join(woven) + "\n", encoding="utf-8")
    build_dataset(config, tmp_path / "again")
    for name, data in contents(folder).items():
        if name.endswith((".fr", ".tsv")):
            assert contents(tmp_path / "again")[name] == data, name


def test_documents_from_two_files(config, folder):
    text = (config.parent / "fr.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (config.parent / "a.tsv").write_text("".join(text[:40]), encoding="utf-8")
    (config.parent / "b.tsv").write_text("".join(text[40:]), encoding="utf-8")
    edit(config, '"fr.tsv"', '["a.tsv", "b.tsv"]')
    build_dataset(config, folder)
    check_folder(folder, "fr-en", LINKED)
    sources = {(origin.id[:2], origin.source) for origin in read_provenance(folder) if not origin.is_planted}
    assert sources == {("fr", "a.tsv"), ("fr", "b.tsv"), ("en", "en.tsv")}


def test_provenance_leads_back_to_the_input(config, folder):
    build_dataset(config, folder)
    inputs = {}
    for line in (config.parent / "fr.tsv").read_text(encoding="utf-8").splitlines():
        name, text = line.split("\t")
        inputs.setdefault(name, []).append(text)
    pairs = dict(
        line.split("\t", 1) for line in (config.parent / "pairs.tsv").read_text("utf-8").splitlines()
    )
    texts = {}
    for split in ("sample", "training", "test"):
        corpus = open_dataset(folder).corpus(split, "fr")
        texts |= dict(zip(corpus.numbers, corpus.texts, strict=True))
    for origin in read_provenance(folder):
        if origin.id.startswith("fr"):
            text = texts[int(origin.id[3:])]
            if origin.is_planted:
                document, first, _ = pairs[origin.name].split("\t")
                assert (origin.pair_document, text) == (document, first)
            else:
                assert inputs[origin.document][int(origin.name) - 1] == text


def test_sentences_that_are_there_already_are_not_planted(config, folder):
    """One that is native, one that is planted already with another translation, one that is not translated."""
    rows = [line.split("\t") for line in (config.parent / "pairs.tsv").read_text("utf-8").splitlines()]
    native = next(
        line.split("\t")[1]
        for line in (config.parent / "fr.tsv").read_text("utf-8").splitlines()
        if line.startswith("fr:") and 10 <= len(line.split("\t")[1].split()) <= 20
    )
    more = [["n", "d", native, rows[0][3]], ["t", "d", rows[1][3], rows[1][3]]]
    more += [[f"a{k}", "d", row[2], rows[-k - 1][3]] for k, row in enumerate(rows[:20])]
    write_table(config.parent / "pairs.tsv", rows + more + rows)
    built = build_dataset(config, folder)
    check_folder(folder, "fr-en", LINKED)
    found = built.counts["plant"]["pairs"]
    assert found["untranslated"] >= 1
    assert found["known"] >= 20
    assert native not in {origin.name for origin in read_provenance(folder)}


def test_duplicates_and_lengths_are_counted(config, folder):
    path = config.parent / "fr.tsv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, *(line.replace("fr:", "again:") for line in lines)]), encoding="utf-8")
    built = build_dataset(config, folder)
    found = built.counts["filter"]["fr"]
    assert found["sentences"] == 2 * len(lines)
    assert found["duplicates"] == found["kept sentences"]
    assert found["sentences"] == sum(
        found[k] for k in ("too short", "too long", "duplicates", "kept sentences")
    )
    assert not any(origin.document.startswith("again:") for origin in read_provenance(folder)), (
        "the first stays"
    )


def test_typography_is_the_same_everywhere(config, folder):
    for name in ("fr.tsv", "pairs.tsv"):
        path = config.parent / name
        path.write_text(path.read_text("utf-8").replace("maison", "l’«\u00a0maison\u00a0»"), encoding="utf-8")
    built = build_dataset(config, folder)
    text = (folder / "fr-en.training.fr").read_text(encoding="utf-8")
    assert "«" not in text
    assert "’" not in text
    assert "maison" in text
    found = built.counts["merge"]["fr"]
    assert found["rewritten native"] > 0
    assert found["rewritten planted"] > 0


def test_the_record_says_what_it_was_built_from(config, folder):
    build_dataset(config, folder)
    saved = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    assert saved["pair"] == "fr-en"
    assert saved["config"]["planting"]["candidates"] == 10
    assert [each["path"] for each in saved["inputs"]] == ["fr.tsv", "en.tsv", "pairs.tsv"]
    assert set(saved["files"]) == set(contents(folder)) - {"dataset.json"}
    assert str(config.parent) not in json.dumps(saved), "no path of this machine"


def test_a_finished_data_set_is_left_alone(config, folder):
    build_dataset(config, folder)
    before = contents(folder)
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    built = build_dataset(config, folder)
    assert built.was_finished
    assert built.sizes["training"]["gold"] > 0
    assert contents(folder) == before
    assert times == {path: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_another_data_set_is_not_replaced_unless_that_is_asked_for(config, folder, tmp_path):
    build_dataset(config, folder)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    before = contents(folder)
    edit(config, "sample = 20", "sample = 0")
    with pytest.raises(CommandError, match="`overwrite=True`"):
        build_dataset(config, folder)
    assert contents(folder) == before
    build_dataset(config, folder, overwrite=True)
    build_dataset(config, tmp_path / "again")
    after = contents(folder)
    assert after.pop("notes.txt") == b"mine"
    assert after == contents(tmp_path / "again"), "nothing of the old one is left"


def test_changed_inputs_make_another_data_set(config, folder):
    build_dataset(config, folder)
    with (config.parent / "fr.tsv").open("a", encoding="utf-8") as file:
        file.write("fr:0\tune phrase de plus\n")
    with pytest.raises(CommandError, match="other inputs"):
        build_dataset(config, folder)


def test_files_that_were_changed_are_said(config, folder):
    build_dataset(config, folder)
    (folder / "fr-en.test.gold").write_text("", encoding="utf-8")
    with pytest.raises(CommandError, match=r"fr-en\.test\.gold changed or gone"):
        build_dataset(config, folder)
    built = build_dataset(config, folder, overwrite=True)
    assert built.sizes["test"]["gold"] > 0


def test_files_of_others_are_not_replaced(config, folder):
    folder.mkdir()
    (folder / "fr-en.test.gold").write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match=r"fr-en\.test\.gold, not made by this build"):
        build_dataset(config, folder)
    assert contents(folder) == {"fr-en.test.gold": b"mine"}


def test_an_empty_folder_may_be_there_and_new_ones_are_made(config, folder):
    folder.mkdir()
    build_dataset(config, folder)
    build_dataset(config, folder / "deep" / "below")
    assert (folder / "deep" / "below" / "dataset.json").exists()


def test_a_file_is_no_folder(config, folder):
    folder.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="no folder"):
        build_dataset(config, folder)
    assert folder.read_text(encoding="utf-8") == "mine"


def test_stages_that_are_kept_serve_another_configuration(config, folder, tmp_path):
    build_dataset(config, folder, keep_stages=True)
    edit(config, "[splits]", "[planting]\ncandidates = 1\n[splits]")
    built = build_dataset(config, folder, overwrite=True, keep_stages=True)
    assert built.kept == ("read", "filter", "desynchronise", "split")
    shutil.rmtree(folder / ".build")
    build_dataset(config, tmp_path / "again")
    assert contents(folder) == contents(tmp_path / "again")


def test_stages_stay_until_a_build_is_to_remove_them(config, folder):
    build_dataset(config, folder, keep_stages=True)
    assert build_dataset(config, folder).was_finished
    assert (folder / ".build" / "01-read").exists()
    edit(config, "[splits]", "[planting]\ncandidates = 1\n[splits]")
    build_dataset(config, folder, overwrite=True)
    assert not (folder / ".build").exists()


def test_links_that_lead_nowhere_are_a_warning(config, folder):
    edit(config, '"linked:"', '"Linked:"')
    assert "[links]: none is between documents" in build_dataset(config, folder).warnings[0]


def test_what_becomes_of_pairs_is_in_the_statistics(config, folder):
    rows = [line.split("\t") for line in (config.parent / "pairs.tsv").read_text("utf-8").splitlines()]
    more = [["e", "d", "", "nothing"], ["f", "d", "rien", ""], ["t", "d", rows[1][3], rows[1][3]]]
    write_table(config.parent / "pairs.tsv", rows + more + rows)
    built = build_dataset(config, folder)
    saved = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    assert saved["stages"]["read"]["pairs"]["with an empty side"] == 2
    assert saved["stages"]["read"]["pairs"]["pairs"] == 2 * len(rows) + 1
    found = saved["planting"].values()
    assert sum(each["untranslated"] for each in found) == 1
    assert sum(each["known"] for each in found) == built.counts["plant"]["pairs"]["known"] > 0


NOT_PLANTED = [
    # why not, the sides of all pairs, what is advised
    ("too short", ("trop court", "too short"), "shortest and longest in"),
    ("not translated", ("deep river " * 6, "Deep river! " * 6), "are not translated"),
    ("not French", ("the same words of all " * 3, "the same words of all " * 3), "wrong language: 9"),
    ("unpaired", ('"mot ' + "mot " * 10, "word " * 11), "unpaired marks: 9"),
    ("not found", (f"aucun {'mot ' * 10}", f"no {'word ' * 10}"), "a lower minimum_should_match"),
]


@pytest.mark.parametrize(("why", "sides", "advised"), NOT_PLANTED, ids=[row[0] for row in NOT_PLANTED])
def test_what_is_advised_where_nothing_is_planted(config, folder, why, sides, advised):
    write_table(config.parent / "pairs.tsv", [(f"p{k}", "d", *sides) for k in range(9)])
    assert advised in build_dataset(config, folder).warnings[0]


def test_a_split_that_got_no_pair_is_a_warning(config, folder):
    edit(config, "sample = 20\ntraining = 40\ntest = 40", "sample = 1\ntraining = 1e9\ntest = 0")
    (warning,) = build_dataset(config, folder).warnings
    assert "no pair is planted in sample (offered: 0," in warning
    assert "give more pairs, or a larger share" in warning


def test_paths_with_tabs_are_written_with_spaces(config, folder):
    for old, new in (("fr.tsv", "a\tb.tsv"), ("pairs.tsv", "c\nd.tsv")):
        try:
            (config.parent / old).rename(config.parent / new)
        except OSError:
            pytest.skip("no such names here")
        edit(config, f'"{old}"', json.dumps(new))
    build_dataset(config, folder)
    check_folder(folder, "fr-en", LINKED)
    assert {origin.source for origin in read_provenance(folder)} == {"a b.tsv", "en.tsv", "c d.tsv"}


MANY = [(f"fr:{one}", f"en:{two}") for one in range(4) for two in range(4)]
CHAIN = [(f"fr:{k + step}", f"en:{k}") for k in range(6) for step in (0, 1)]
ODD = [("fr:0", "fr:0"), ("nowhere", "en:0"), ("linked:0", "linked:0"), ("linked:0", "linked:0")]


@pytest.mark.parametrize("links", [MANY, CHAIN, ODD], ids=["many with many", "a chain", "odd"])
@pytest.mark.parametrize(("desync", "apart"), [("drop", "data set"), ("split", "split")])
def test_however_documents_are_linked(config, folder, links, desync, apart):
    edit(config, 'same_names = ["linked:"]', 'path = "links.tsv"')
    edit(config, "[documents.fr]", f'desync = "{desync}"\n[documents.fr]')
    write_table(config.parent / "links.tsv", links)
    build_dataset(config, folder)
    check_folder(folder, "fr-en", links, apart=apart)


def test_no_place_found_is_a_warning(config, folder):
    rows = [(f"p{k}", "d", f"aucun {'mot ' * 10}commun", f"nothing {'word ' * 10}shared") for k in range(30)]
    write_table(config.parent / "pairs.tsv", rows)
    built = build_dataset(config, folder)
    assert "no pair is planted in sample, training, test" in built.warnings[0]
    assert check_folder(folder, "fr-en", LINKED) == {"sample": 0, "training": 0, "test": 0}


EMPTIED = [
    # what is empty, the file, its text, what is said
    ("nothing read", "fr.tsv", "", ["fr"]),
    ("all too short", "fr.tsv", "a\tun deux trois\nb\tquatre\n", ["no sentences of fr after the stage 'filter'", "too short: 2"]),
    ("one document for three splits", "en.tsv", None, ["no sample sentences of en after the stage 'split'", "sample = 0 makes no sample"]),
    ("no pair", "pairs.tsv", "", ["pair"]),
]  # fmt: skip


@pytest.mark.parametrize(("what", "name", "text", "told"), EMPTIED, ids=[row[0] for row in EMPTIED])
def test_an_empty_side_is_said_with_the_stage_that_emptied_it(config, folder, what, name, text, told):
    path = config.parent / name
    if text is None:
        text = "".join(f"only\t{line.split(chr(9))[1]}\n" for line in path.read_text("utf-8").splitlines())
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        build_dataset(config, folder)
    for part in told:
        assert part in str(raised.value)
    assert not (folder / "dataset.json").exists()


def test_the_split_that_is_empty_is_the_one_to_leave_out(config, folder):
    edit(config, "sample = 20", "sample = 0")
    path = config.parent / "en.tsv"
    lines = path.read_text("utf-8").splitlines()
    write_table(path, [("only", line.split("\t")[1]) for line in lines])
    told = r"(?s)no (training|test) sentences of en after the stage 'split'.*with \1 = 0 makes no \1"
    with pytest.raises(InputError, match=told):
        build_dataset(config, folder)


def test_all_documents_linked_leaves_one_side_empty(tmp_path, folder):
    config = write_inputs(tmp_path / "one", documents=0, linked=1)
    with pytest.raises(InputError, match="after the stage 'desynchronise'"):
        build_dataset(config, folder)


def test_a_missing_input_is_said_before_anything_is_made(config, folder):
    edit(config, "pairs.tsv", "pair.tsv")
    with pytest.raises(InputError, match="no such file") as raised:
        build_dataset(config, folder)
    assert "pairs.tsv?" in str(raised.value)
    assert not folder.exists()


def test_a_data_set_that_breaks_a_promise_is_not_finished(config, folder):
    def damage(step):
        if step == "statistics: begins":
            (corpus,) = folder.glob(".build/07-write/fr-en.test.fr")
            lines = corpus.read_text(encoding="utf-8").splitlines(keepends=True)
            id, text = lines[0].split("\t")
            corpus.write_text("".join([f"{id}\t{text.strip()} {text}", *lines[1:]]), encoding="utf-8")

    with pytest.raises(InputError, match=r"1 of \d+ do not hold \(fr-\d+\)"):
        build_dataset(config, folder, progress=damage)
    assert not (folder / "dataset.json").exists()


def test_links_in_a_table(config, folder):
    edit(config, 'same_names = ["linked:"]', 'path = "links.tsv"')
    links = [("fr:0", "en:3"), ("fr:0", "en:4"), ("fr:1", "en:4"), ("fr:2", "nowhere")]
    write_table(config.parent / "links.tsv", links)
    build_dataset(config, folder)
    check_folder(folder, "fr-en", links)


def test_genres_come_from_a_table(config, folder):
    edit(config, 'path = "fr.tsv"', 'path = "fr.tsv"\ngenres = "genres.tsv"')
    write_table(config.parent / "genres.tsv", [("fr:0", "news"), ("fr:1", "news"), ("unknown", "law")])
    build_dataset(config, folder)
    saved = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    assert {row["genre"]: row["documents"] for row in saved["genres"]["fr"]}["news"] == 2


def test_a_document_has_one_genre_wherever_a_piece_of_it_says_so(config, folder):
    path = config.parent / "fr.tsv"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    late = [(*row, "news") for row in rows if row[0] == "fr:0"]
    write_table(path, [*late[:1], *rows[6:12], late[1][:2], *rows[12:], ("fr:1", "Une de plus.", "law")])
    build_dataset(config, folder)
    saved = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    found = {row["genre"]: row["documents"] for row in saved["genres"]["fr"]}
    assert (found["news"], found["law"]) == (1, 1)
    write_table(path, [*late, *rows[6:], ("fr:0", "Une de plus.", "law")])
    with pytest.raises(InputError, match='document "fr:0" of genres "news" and "law"'):
        build_dataset(config, folder, overwrite=True)


def test_chinese_is_counted_in_characters(tmp_path, folder):
    config = write_inputs(tmp_path / "zh", config=CONFIG.replace("fr", "zh"), languages=("zh", "en"))
    build_dataset(config, folder)
    from oracles.bitext_build import Limits

    counts = check_folder(folder, "zh-en", LINKED, {"zh": Limits(15, 40, in_words=False)})
    assert sum(counts.values()) > 0


def test_splits_of_any_name(config, folder):
    edit(
        config,
        "sample = 20\ntraining = 40\ntest = 40",
        "sample = 0\ntraining = 40\ntest = 30\ndevelopment = 25\nblind-2 = 20",
    )
    built = build_dataset(config, folder)
    names = ["training", "test", "blind-2", "development"]
    assert list(built.sizes) == list(open_dataset(folder).splits) == names
    check_folder(folder, "fr-en", LINKED, splits=names)
    assert {origin.split for origin in read_provenance(folder)} == set(names)
    saved = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    assert list(saved["splits"]) == list(saved["planting"]) == names
    assert (
        json.loads((folder / "dataset.json").read_text(encoding="utf-8"))["config"]["splits"]["development"]
        == 25
    )
    assert sum(sizes["gold"] for sizes in built.sizes.values()) == built.counts["plant"]["pairs"]["planted"]


def test_a_split_beside_the_usual_ones(config, folder):
    edit(config, "sample = 20\ntraining = 40\ntest = 40", "development = 5")
    built = build_dataset(config, folder)
    assert list(built.sizes) == ["sample", "training", "test", "development"]


@pytest.mark.parametrize("name", ["Test", '"a.b"', "gold", "pairs", "fr", '""', "é", '"a/b"', "x" * 41])
def test_names_that_no_split_may_have(config, folder, name):
    edit(config, "sample = 20", f"{name} = 20" if name != "é" else '"é" = 20')
    with pytest.raises(InputError, match=f'split "{name.strip(chr(34))[:20]}'):
        build_dataset(config, folder)


def test_few_pairs_are_a_warning(config, folder):
    """Every pair but two begins with words that no document has."""
    rows = [line.split("\t") for line in (config.parent / "pairs.tsv").read_text("utf-8").splitlines()]
    strange = [
        [f"s{k}", "d", f"aucun mot ne{k} va {'là ' * 8}", f"no word{k} fits {'here ' * 8}"] for k in range(90)
    ]
    edit(config, "sample = 20\ntraining = 40\ntest = 40", "sample = 0\ntraining = 0\ntest = 1")
    write_table(config.parent / "pairs.tsv", [*rows[:5], *strange])
    built = build_dataset(config, folder)
    (warning,) = built.warnings
    assert 0 < built.sizes["test"]["gold"] <= 5
    assert warning.startswith(f"few pairs are planted in test: {built.sizes['test']['gold']} (offered: 95,")
    assert "a lower minimum_should_match" in warning


def test_a_small_split_that_plants_as_usual_is_no_warning(config, folder):
    assert not build_dataset(config, folder).warnings


def build_statistics(config, folder, **options):
    build_dataset(config, folder, **options)
    return bitext_statistics(folder)


@pytest.mark.issue(28)
def test_whole_texts_are_compared(config, folder):
    """Also sentences that are no part of the data set: those that are left out, and pairs that are not planted."""
    before = build_statistics(config, folder)["comparability"]["fr"]
    assert before["whole_texts"] is True
    pairs = (config.parent / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert before["parallel_documents"] == len({line.split("\t")[1] for line in pairs})
    native = (config.parent / "fr.tsv").read_text(encoding="utf-8").splitlines()
    names = list(dict.fromkeys(line.split("\t")[0] for line in native))
    # Too short for the data set, but part of the text. Pieces of a document may be anywhere.
    more = [f"{name}\tmot{name} mot{name}" for name in names]
    (config.parent / "fr.tsv").write_text("\n".join(more + native) + "\n", encoding="utf-8")
    short = [f"s{k}\td0\tmot{name} mot{name}\tword" for k, name in enumerate(names)]
    (config.parent / "pairs.tsv").write_text("\n".join(pairs + short) + "\n", encoding="utf-8")
    found = build_statistics(config, folder, overwrite=True)["comparability"]["fr"]
    assert {key: found[key] for key in ("parallel_documents", "native_documents")} == {
        key: before[key] for key in ("parallel_documents", "native_documents")
    }
    assert found["parallel"]["p90"] > before["parallel"]["p90"]


@pytest.mark.issue(28)
def test_pairs_of_two_inputs_are_of_different_documents(config, folder):
    """Both inputs number their documents from 0."""
    copy = (config.parent / "pairs.tsv").read_text(encoding="utf-8")
    (config.parent / "more.tsv").write_text(copy, encoding="utf-8")
    one = build_statistics(config, folder)["comparability"]["en"]
    edit(config, "[links]", '[[parallel]]\npath = "more.tsv"\n\n[links]')
    two = build_statistics(config, folder, overwrite=True)["comparability"]["en"]
    assert two["parallel_documents"] == 2 * one["parallel_documents"]


@pytest.mark.issue(28)
def test_pairs_without_documents_cannot_be_compared(config, folder):
    rows = [
        line.split("\t") for line in (config.parent / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    ]
    (config.parent / "pairs.tsv").write_text(
        "".join(f"{row[2]}\t{row[3]}\n" for row in rows), encoding="utf-8"
    )
    found = build_statistics(config, folder)["comparability"]["fr"]
    assert (found["parallel_documents"], found["without_document"], found["parallel"]) == (0, len(rows), None)
