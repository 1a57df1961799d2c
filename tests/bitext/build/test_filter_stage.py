"""Sentences and pairs that the filter drops, other than those that are too short, too long or repeated."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from bitextinputs import CONFIG, edit, write_inputs, write_table
from evalign.bitext.build.build import build_dataset
from evalign.bitext.build.split_stages import find_copies
from evalign.bitext.build.verify import verify_dataset
from evalign.bitext.dataset import open_dataset
from evalign.bitext.languages import find_language
from evalign.bitext.sentence_checks import find_chinese_script
from evalign.errors import InputError
from oracles.bitext_build import bare, check_folder

LINKED = [(f"linked:{k}", f"linked:{k}") for k in range(4)]
ENGLISH = "they were all in the house that was near the old river"
FRENCH = "ils étaient tous dans la maison qui était près de la rivière"


def read_rows(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def add_rows(config, name, rows):
    write_table(config.parent / name, read_rows(config.parent / name) + [list(row) for row in rows])


def texts_of(folder, language):
    dataset = open_dataset(folder)
    return {split: list(dataset.corpus(split, language).texts) for split in dataset.splits}


def shared(folder):
    first, second = texts_of(folder, "fr"), texts_of(folder, "en")
    return sum(len({*map(bare, first[split])} & {*map(bare, second[split])}) for split in first)


@pytest.fixture
def copied(config):
    """Every English sentence is in a French document too, shouted, with other numbers and marks."""
    edit(config, "[splits]", '[filter]\nwrong_language = "keep"\n[splits]')
    rows = [(name, f"{text} 12") for name, text in read_rows(config.parent / "en.tsv")]
    write_table(config.parent / "en.tsv", rows)
    copies = [(f"copy:{name}", text.upper().replace("12", "3.5!")) for name, text in rows]
    add_rows(config, "fr.tsv", copies)
    return config


def test_no_sentence_stands_on_both_sides_of_a_split(copied, folder):
    built = build_dataset(copied, folder)
    check_folder(folder, "fr-en", LINKED)
    assert shared(folder) == 0
    found = built.counts["split"]
    assert found["fr"]["identical on both sides"] == found["en"]["identical on both sides"] > 10
    before = built.counts["desynchronise"]
    for code in ("fr", "en"):
        counts = found[code]
        assert before[code]["kept sentences"] == sum(
            counts[kind] for kind in ("kept sentences", "left out sentences", "identical on both sides")
        )
        assert counts["kept sentences"] == sum(
            n for kind, n in counts.items() if kind.endswith(" sentences") and kind.split()[0] in built.sizes
        )
    saved = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    assert saved["stages"]["split"]["fr"]["identical on both sides"] == found["fr"]["identical on both sides"]


def test_copies_stay_where_that_is_asked_for(copied, folder):
    edit(copied, 'wrong_language = "keep"', 'wrong_language = "keep"\nidentical = "keep"')
    built = build_dataset(copied, folder)
    check_folder(folder, "fr-en", LINKED, filtered=False)
    assert shared(folder) > 10
    assert built.counts["split"]["fr"]["identical on both sides"] == 0


HASHES = st.lists(st.tuples(st.integers(0, 6), st.integers(-1, 2)), max_size=20)


@given(HASHES, HASHES)
def test_copies_are_those_that_the_other_side_of_the_split_has(first, second):
    sides = [
        (np.array([row[0] for row in rows], np.uint64), np.array([row[1] for row in rows], np.int64))
        for rows in (first, second)
    ]
    found = find_copies(*sides)
    for rows, others, copies in ((first, second, found[0]), (second, first, found[1])):
        assert copies.tolist() == [row[1] != -1 and row in others for row in rows]


def test_copies_of_planted_sentences_are_not_planted(config, folder):
    """Pairs whose English side, shouted, is a French native, or whose sides are the same but for case."""
    pairs = read_rows(config.parent / "pairs.tsv")
    edit(config, "[splits]", '[filter]\nwrong_language = "keep"\n[splits]')
    add_rows(config, "fr.tsv", [(f"fr:{k}", row[3].upper()) for k, row in enumerate(pairs[:30])])
    add_rows(config, "pairs.tsv", [("same", "d", row[3], row[3].upper()) for row in pairs[-3:]])
    built = build_dataset(config, folder)
    check_folder(folder, "fr-en", LINKED)
    assert built.counts["plant"]["pairs"]["known"] >= 20
    assert built.counts["plant"]["pairs"]["untranslated"] == 3


@pytest.mark.parametrize("kept", [False, True], ids=["drop", "keep"])
def test_sentences_in_the_wrong_language(config, folder, kept):
    add_rows(config, "fr.tsv", [("fr:0", ENGLISH), ("fr:1", f"{ENGLISH} today"), ("fr:2", FRENCH)])
    add_rows(config, "en.tsv", [("en:0", f"{FRENCH} hier")])
    add_rows(config, "pairs.tsv", [("w", "d", f"{ENGLISH} now", f"{ENGLISH} then")])
    if kept:
        edit(config, "[splits]", '[filter]\nwrong_language = "keep"\n[splits]')
    built = build_dataset(config, folder)
    found = built.counts["filter"]
    expected = (0, 0, 0) if kept else (2, 1, 1)
    assert tuple(found[of]["wrong language"] for of in ("fr", "en", "pairs")) == expected
    there = [text for texts in texts_of(folder, "fr").values() for text in texts]
    assert FRENCH in there
    assert (ENGLISH in there) is kept
    for code in ("fr", "en"):
        reasons = (
            "too short",
            "too long",
            "wrong language",
            "unpaired marks",
            "duplicates",
            "kept sentences",
        )
        assert found[code]["sentences"] == sum(found[code][reason] for reason in reasons)


@pytest.mark.parametrize("kept", [False, True], ids=["drop", "keep"])
def test_unpaired_quotes_and_brackets(config, folder, kept):
    add_rows(
        config, "fr.tsv", [("fr:0", f"« {FRENCH}"), ("fr:1", f"a) {FRENCH}"), ("fr:2", f"« {FRENCH} » (oui)")]
    )
    pairs = read_rows(config.parent / "pairs.tsv")
    write_table(
        config.parent / "pairs.tsv",
        [[a, b, c, f'"{d}' if k % 2 else d] for k, (a, b, c, d) in enumerate(pairs)],
    )
    if kept:
        edit(config, "[splits]", '[filter]\nunpaired = "keep"\n[splits]')
    built = build_dataset(config, folder)
    check_folder(folder, "fr-en", LINKED, filtered=not kept)
    found = built.counts["filter"]
    assert (found["fr"]["unpaired marks"], found["pairs"]["unpaired marks"]) == (
        (0, 0) if kept else (2, len(pairs) // 2)
    )
    assert any(text.startswith('"') for texts in texts_of(folder, "en").values() for text in texts) is kept


SCRIPTS = str.maketrans("欧议会过预离开港队赢国决赛园学桥馆灯", "歐議會過預離開港隊贏國決賽園學橋館燈")
REASON = {False: "traditional script", True: "simplified script"}


@pytest.fixture
def chinese(tmp_path):
    """Chinese documents in simplified script; of the pairs, every other one is in traditional script."""
    config = write_inputs(
        tmp_path / "in", config=CONFIG.replace("fr", "zh"), languages=("zh", "en"), pairs=120
    )
    path = config.parent / "pairs.tsv"
    rows = [
        [name, document, zh.translate(SCRIPTS) if k % 2 else zh, en]
        for k, (name, document, zh, en) in enumerate(read_rows(path))
    ]
    write_table(path, rows)
    return config


@pytest.mark.issue(28)
@pytest.mark.parametrize("is_traditional", [False, True], ids=["simplified", "traditional"])
def test_planted_sentences_are_in_the_script_of_the_documents(chinese, folder, is_traditional):
    if is_traditional:
        rows = read_rows(chinese.parent / "zh.tsv")
        write_table(chinese.parent / "zh.tsv", [(name, text.translate(SCRIPTS)) for name, text in rows])
    built = build_dataset(chinese, folder)
    counts, reason = built.counts["filter"], REASON[is_traditional]
    assert (counts["zh"][reason], counts["pairs"][reason]) == (0, 60)
    assert REASON[not is_traditional] not in {*counts["zh"], *counts["pairs"]}
    assert reason not in counts["en"]
    assert counts["pairs"]["fitting"] == 60
    assert built.counts["plant"]["pairs"]["planted"] > 10
    there = [text for texts in texts_of(folder, "zh").values() for text in texts]
    assert {find_chinese_script(text) for text in there} == {REASON[not is_traditional]}
    assert (
        reason
        in json.loads((folder / "statistics.json").read_text(encoding="utf-8"))["stages"]["filter"]["zh"]
    )


@pytest.mark.issue(28)
def test_sentences_of_both_scripts_can_be_kept(chinese, folder):
    edit(chinese, "[splits]", '[filter]\nscript = "keep"\n[splits]')
    built = build_dataset(chinese, folder)
    assert not {*REASON.values()} & {*built.counts["filter"]["zh"], *built.counts["filter"]["pairs"]}
    there = [text for texts in texts_of(folder, "zh").values() for text in texts]
    assert {find_chinese_script(text) for text in there} == {*REASON.values()}


@pytest.mark.issue(28)
@pytest.mark.parametrize(("n_traditional", "is_rare"), [(5, True), (6, False)])
def test_a_script_is_rare_if_one_native_in_twenty_has_it(chinese, folder, n_traditional, is_rare):
    tails = ["".join(each) for each in product("房河山林村市", repeat=4)]
    texts = [f"欧洲议会通过年度预算去年{tail}" for tail in tails[:100]]
    texts = [text.translate(SCRIPTS) if k < n_traditional else text for k, text in enumerate(texts)]
    # Repetitions and what is left out for its length do not count.
    texts += [texts[0]] * 20 + ["歐議會"] * 30
    write_table(chinese.parent / "zh.tsv", [(f"zh:{k % 10}", text) for k, text in enumerate(texts)])
    counts = build_dataset(chinese, folder).counts["filter"]
    assert counts["zh"].get("traditional script") == (n_traditional + 20 if is_rare else None)
    assert counts["zh"]["kept sentences"] == (95 if is_rare else 100)
    assert counts["pairs"].get("traditional script") == (60 if is_rare else None)
    reasons = ("too short", "too long", "wrong language", "unpaired marks", "duplicates", "kept sentences")
    assert (
        counts["zh"]["sentences"]
        == 150
        == sum(counts["zh"].get(reason, 0) for reason in (*reasons, *REASON.values()))
    )


@pytest.mark.issue(28)
def test_a_planted_sentence_in_another_script_breaks_a_promise(chinese, folder):
    edit(chinese, "[splits]", '[filter]\nscript = "keep"\n[splits]')
    build_dataset(chinese, folder)
    languages = {code: find_language(code) for code in ("zh", "en")}
    dataset = open_dataset(folder)
    assert all(check.holds for check in verify_dataset(dataset, languages))
    broken = [
        check
        for check in verify_dataset(dataset, languages, rare_scripts={"zh": "traditional script"})
        if not check.holds
    ]
    assert ["(traditional script)" in str(check) for check in broken] == [True]


def test_what_was_asked_of_sentences_is_on_record(config, folder):
    edit(config, "[splits]", "[filter]\nleast_foreign_words = 4\n[splits]")
    build_dataset(config, folder)
    saved = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    assert saved["config"]["filter"] == {
        "identical": "drop", "wrong_language": "drop", "unpaired": "drop", "script": "drop",
        "lists": "drop",
        "least_own_script": 0.25, "least_foreign_words": 4, "least_foreign_share": 0.75,
    }  # fmt: skip
    assert saved["config"]["languages"]["fr"]["scripts"] == ["Latin"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('identical = "yes"', 'filter.identical: "yes"'),
        ("wrong_language = true", "filter.wrong_language: true"),
        ('script = "simplified"', 'filter.script: "simplified"'),
        ("least_own_script = 25", "0.75 for 75 %"),
        ("least_foreign_words = 0", "a whole number from 1 to"),
        ("unpared = 1", "did you mean filter.unpaired?"),
    ],
)
def test_what_is_wrong_is_said(config, folder, line, told):
    edit(config, "[splits]", f"[filter]\n{line}\n[splits]")
    with pytest.raises(InputError) as raised:
        build_dataset(config, folder)
    assert told in str(raised.value)


def test_stages_are_kept_that_a_setting_does_not_touch(config, folder):
    edit(config, "[splits]", '[filter]\nidentical = "drop"\n[splits]')
    build_dataset(config, folder, keep_stages=True)
    edit(config, 'identical = "drop"', 'identical = "keep"')
    built = build_dataset(config, folder, overwrite=True, keep_stages=True)
    assert built.kept == ("read", "filter", "desynchronise")
    edit(config, 'identical = "keep"', 'unpaired = "keep"')
    assert build_dataset(config, folder, overwrite=True, keep_stages=True).kept == ("read",)
