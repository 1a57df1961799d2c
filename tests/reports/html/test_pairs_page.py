"""The page of extracted pairs: its own sections and no others, and text that never becomes markup."""

import re
from dataclasses import replace

import pytest

from bitext.datasets import Split, write_dataset
from bitext.scoring.pairfiles import pair_file
from evalign import score
from evalign.bitext.scoring.pair_scores import score_pairs
from evalign.reports.html.page import render_report
from evalign.results.result import Parts, Result
from evalign.significance.values import Resampling
from pages import HOSTILE, HOSTILE_NAMES, Watched, assets_in, policy_hash
from reports.html.test_page import Outline

FEW = Resampling(resamples=20)
GOLD = [(k, k) for k in range(1, 20)]
ONE = [(k, k + (k % 4 == 0), 1 - k / 50) for k in range(1, 18)] + [(3, 3, 0.1)]
TWO = [(k, k + (k % 3 == 0)) for k in range(1, 15)]
SECTIONS = ("overview", "precision-recall", "pairs", "tolerated", "method")
OTHERS = ("passages", "documents", "labels", "losses", "passages-root")
ATTACK = "</script><b>bold</b><script>alert(1)</script>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Corpora whose sentences want to be markup."""
    folder = tmp_path_factory.mktemp("set")
    french = [f"Phrase {k} {HOSTILE[k % len(HOSTILE)]}" for k in range(1, 31)]
    english = [f"{ATTACK} sentence {k}" for k in range(1, 31)]
    write_dataset(folder, test=Split(french, english, []))
    return folder


@pytest.fixture(scope="module")
def result(folder):
    training = [pair_file(GOLD, "t.gold"), pair_file(ONE, "t.tsv")]
    file = pair_file(ONE, "runs/one.tsv")
    return score_pairs(pair_file(GOLD, "gold.tsv"), file, training=training, corpora=folder)


@pytest.fixture(scope="module")
def several():
    files = [pair_file(ONE, "one.tsv"), pair_file(TWO, "two.tsv"), pair_file([], "none.tsv")]
    return score_pairs(pair_file(GOLD, "gold.tsv"), *files, recall_at=[1])


@pytest.fixture(scope="module")
def page(result):
    return render_report(result, resampling=FEW)


@pytest.fixture(scope="module")
def outline(page):
    return Outline(page)


def links(outline):
    return [value for tag, key, value in outline.attributes if (tag, key) == ("a", "href")]


def test_sections_are_those_of_pairs_and_no_others(outline):
    assert [id for id in outline.ids if id in SECTIONS] == list(SECTIONS)
    assert not {*OTHERS} & {*outline.ids}
    assert [link for link in links(outline) if link[1:] in (*SECTIONS, *OTHERS)] == [
        f"#{s}" for s in SECTIONS
    ]
    assert len(outline.ids) == len(set(outline.ids))


def test_nothing_is_said_of_characters_or_passages(outline):
    said = " ".join(outline.text)
    for word in ("passage", "Passage", "characters", "document", "words were not"):
        assert word not in said


def test_thresholds_are_in_the_table_as_the_terminal_has_them(result, outline):
    pairing = result.systems[0].pairing
    shown = set(outline.text)
    assert {"average precision", "trained threshold", "F1 on training", "oracle threshold"} <= shown
    assert f"{100 * pairing['average_precision']:.2f}" in shown
    assert f"{pairing['trained']['threshold']:.6g}" in shown
    assert any("this is the number to report." in text for text in shown)
    assert any("a bound, no result of a system." in text for text in shown)


def test_false_and_missed_pairs_have_ids_score_sentences_and_languages(result, outline):
    shown = set(outline.text)
    false = result.systems[0].pairing["false"]
    assert false
    for pair in false:
        assert {pair["first"], pair["second"], f"{pair['score']:.6g}"} <= shown
        assert pair["second_text"] in shown
    said = {value for tag, key, value in outline.attributes if (tag, key) == ("p", "lang")}
    assert said == {"fr", "en"}
    assert "False pairs" in shown
    assert "Missed pairs" in shown


def test_text_of_the_inputs_is_never_markup(page, outline):
    assert "b" not in outline.tags
    assert ATTACK not in page
    assert any(ATTACK in text for text in outline.text)
    for attributes, text in outline.scripts:
        assert "alert" not in text or attributes.get("type") == "application/json"


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_of_files_are_never_markup(result, name):
    hostile = replace(
        result,
        gold=name,
        systems=(replace(result.systems[0], name=name), replace(result.systems[0], name=f"{name}{ATTACK}")),
        warnings=(name,),
    )
    found = Outline(render_report(hostile, resampling=FEW))
    assert "b" not in found.tags
    assert len(found.tags) == len(Outline(render_report(_tame(hostile), resampling=FEW)).tags)


def _tame(result):
    systems = [replace(system, name=f"system{k}") for k, system in enumerate(result.systems)]
    return replace(result, gold="gold", systems=tuple(systems), warnings=("said",))


def test_languages_with_a_subtag_are_written_as_pages_do():
    languages = ("zh_hant", "en")
    files = pair_file(GOLD, "gold", languages), pair_file([(1, 2)], "one", languages)
    made = score_pairs(*files)
    example = {**made.systems[0].pairing["false"][0], "first_text": "甲", "second_text": "a"}
    pairing = {**made.systems[0].pairing, "false": [example]}
    shown = render_report(replace(made, systems=(replace(made.systems[0], pairing=pairing),)), resampling=FEW)
    assert '<p lang="zh-hant" dir="auto">甲</p>' in shown


def test_without_corpora_the_page_says_how_to_have_sentences(several):
    said = " ".join(Outline(render_report(several, resampling=FEW)).text)
    assert "Their sentences are not known" in said
    assert "all pairs, without scores" in said


def test_perfect_pairs_have_nothing_to_show():
    made = score_pairs(pair_file(GOLD, "gold"), pair_file(GOLD, "one"))
    said = " ".join(Outline(render_report(made, resampling=FEW)).text)
    assert "Their sentences are not known" not in said
    assert "each id in one pair, each pair once" in said


def test_what_was_tolerated_is_told_of_pairs(outline):
    shown = set(outline.text)
    assert "lines that say again what was said; each pair counts once, with its best score" in shown
    assert "one.tsv:18" in shown


def test_the_method_is_told_in_words(outline):
    shown = set(outline.text)
    for word in (
        "languages of the pairs",
        "what is compared",
        "pairs of ids, as sets",
        "come and go together",
        "19 foreign ids",
        "parallel sentences extracted from corpora of two languages",
    ):
        assert word in shown, word
    assert any(text.endswith(", the best on the training split") for text in shown)


def test_units_of_several_ids_are_told_in_words(result):
    signature = result.signature.replace("foreign-id(19)", "foreign-id(100000)x3")
    merged = replace(result, systems=(replace(result.systems[0], signature=signature),))
    shown = set(Outline(render_report(merged, resampling=FEW)).text)
    assert "100,000 units of 3 neighbouring foreign ids" in shown


def test_the_policy_allows_the_scripts_and_styles_that_are_there(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert assets_in(scripts) == {"save.js", "address.js", "page.js", "tables.js"}
    assert assets_in(styles) == {"style.css", "pairs.css"}
    for text in (*scripts, *styles):
        assert policy_hash(text) in policy


def test_a_saved_result_gives_the_same_page(result, page, tmp_path):
    result.save(tmp_path / "run.json")
    assert render_report(Result.load(tmp_path / "run.json"), resampling=FEW) == page


def test_parts_that_are_of_pairs_are_shown_one_by_one(several):
    made = Parts("pair", {"fr-en": several, "de-en": several})
    outline = Outline(render_report(made, resampling=FEW))
    assert [id for id in outline.ids if id in SECTIONS] == list(SECTIONS)
    assert len(outline.ids) == len(set(outline.ids))


def test_systems_of_one_name_have_their_own_lists(result):
    twice = replace(result, systems=result.systems * 2)
    found = Outline(render_report(twice, resampling=FEW))
    keys = [value for tag, key, value in found.attributes if (tag, key) == ("table", "data-rows")]
    assert len(keys) == len(set(keys)) == 5


def test_pages_of_texts_have_none_of_this(examples):
    made = render_report(score(examples / "gold.conllu", examples / "system.txt"), resampling=FEW)
    outline = Outline(made)
    assert not {"precision-recall", "pairs"} & {*outline.ids}
    assert "fig-curve" not in made


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 400, 768, 1280, 1600])
def test_a_browser_has_nothing_to_complain_of(browser, result, several, tmp_path, width):
    for made in (result, several):
        path = tmp_path / "page.html"
        path.write_text(render_report(made, resampling=FEW), encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 900})
        watched = Watched(page)
        page.goto(path.as_uri())
        for section in SECTIONS:
            assert page.locator(f"#{section} h2").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("svg.curve").is_visible()
        assert watched.complaints == []
        page.close()


@pytest.mark.slow
def test_a_list_of_pairs_is_saved_with_all_its_columns(browser, result, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(render_report(result, resampling=FEW), encoding="utf-8")
    page = browser.new_page(accept_downloads=True)
    page.goto(path.as_uri())
    with page.expect_download() as waiting:
        page.locator("button[aria-label^='Save false-']").click()
    lines = waiting.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "first,second,score,first sentence,second sentence"
    assert lines[1].startswith("fr-000000004,en-000000005,0.92,")
    page.close()
