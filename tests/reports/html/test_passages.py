"""The passages of the report in a real browser: filters, keys, saving, printing, and very many passages."""

import csv
import io
from xml.etree import ElementTree

import pytest

import evalign
from evalign.reports.html.page import render_report
from pages import Watched
from shown import (
    ALL,
    MERGED,
    SPLIT,
    TREE,
    choose,
    count,
    error,
    passage,
    settle,
)

pytestmark = pytest.mark.slow


def test_passages_of_a_real_result_are_drawn(browser, examples, tmp_path):
    result = evalign.score(examples / "gold.conllu", examples / "second.conllu")
    page = browser.new_page()
    watched = Watched(page)
    (tmp_path / "report.html").write_text(render_report(result), encoding="utf-8")
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator(".pv-row").count() > 0
    assert page.locator(".pv-railway").count() == page.locator(".pv-row").count()
    assert page.locator(".pv-arcs path.pv-arc").count() > 10
    page.close()
    assert watched.complaints == []


def test_the_count_says_how_many_are_shown_kept_and_there(show):
    page = show(ALL, total=30)
    assert count(page).startswith("7 passages (chosen over the kinds of errors from 30), ")
    assert page.locator(".pv-count").get_attribute("aria-live") == "polite"
    assert count(show(ALL)) == "7 passages, 9 errors"


def test_filters_narrow_the_list_together(show):
    page = show(ALL)
    choose(page, "metric", "sentences")
    assert count(page).startswith("2 of 7")
    choose(page, "kind of error", "split")
    assert count(page).startswith("1 of 7")
    assert page.locator(".pv-row").inner_text().startswith("1:2")
    page.get_by_role("button", name="Clear", exact=True).click()
    assert count(page).startswith("7 passages")
    choose(page, "trigger", "end mark")
    assert count(page).startswith("1 of 7")
    page.get_by_role("button", name="Clear", exact=True).click()
    choose(page, "metric", "las")
    choose(page, "gold → system", '["punct","dep"]')
    assert count(page).startswith("1 of 7")


def test_an_error_has_to_have_everything_at_once(show):
    """A passage with a merged sentence and a split token has no split sentence."""
    both = passage(
        ["a b", "c"],
        ["a b1 b2 c"],
        [1, [1, 2], 1],
        error("sentences", "merge"),
        error("tokens", "split", (1, 2), (1, 3)),
    )
    page = show([both, SPLIT])
    choose(page, "metric", "sentences")
    choose(page, "kind of error", "split")
    assert count(page).startswith("1 of 2")


def test_tokens_are_filtered_by_what_they_say(show):
    page = show(ALL)
    choose(page, "metric", "tokens")
    choose(page, "gold → system", '["can not","cannot"]')
    assert count(page).startswith("1 of 7")


def test_documents_and_their_fields_filter(show):
    page = show(ALL)
    choose(page, "genre", "public")
    assert count(page).startswith("1 of 7")
    choose(page, "genre", "")
    page.get_by_label("document", exact=True).fill("lett")
    settle(page)
    assert count(page).startswith("6 of 7")


def test_text_is_part_of_a_passage_or_a_pattern(show):
    page = show(ALL)
    text = page.get_by_label("text", exact=True)
    for query, found in [("CANNOT", 1), ("/can ?not/", 1), ("/^I .* who/", 1), ("nowhere", 0)]:
        text.fill(query)
        settle(page)
        assert count(page).startswith(f"{found} of 7")
    text.fill("")
    settle(page)
    text.fill("/(/")
    settle(page)
    assert "not one" in page.locator(".pv-problem").inner_text()
    assert count(page).startswith("7 passages")


def test_data_of_a_system_is_read_when_it_is_chosen(show):
    """Data of the second system that cannot be read does no harm until it is asked for."""
    page = show(ALL, second="no JSON")
    assert count(page).startswith("7 passages")
    page = show(ALL)
    choose(page, "system", "1")
    assert count(page).startswith("1 passage ")


def test_the_rest_of_the_page_can_open_passages(show):
    page = show(ALL)
    assert (
        page.evaluate(
            "() => evalign.passages.open({run: 0, system: 0, metric: 'las', gold: 'punct', predicted: 'dep'})"
        )
        == 1
    )
    assert page.evaluate("() => document.activeElement.classList.contains('pv-row')")
    assert page.evaluate("() => evalign.passages.open({unit: 1})") == 1
    assert page.get_by_label("document", exact=True).input_value() == "news"
    assert page.evaluate("() => evalign.passages.open({units: [0, 2]})") == 7
    assert page.evaluate("() => evalign.passages.open({metric: 'upos'})") == 0
    assert page.locator(".pv-empty").is_visible()


def test_keys_lead_through_the_passages(show):
    page = show(ALL)
    focused = "() => document.activeElement.dataset.at"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "0"
    for key, at in [
        ("j", "1"),
        ("ArrowDown", "2"),
        ("k", "1"),
        ("ArrowUp", "0"),
        ("k", "0"),
        ("End", "6"),
        ("Home", "0"),
    ]:
        page.keyboard.press(key)
        assert page.evaluate(focused) == at, key
    assert page.locator('.pv-row[tabindex="0"]').count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('.pv-row').dataset.at") == "0"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert page.locator(".pv-details").count() == 1
    assert page.evaluate(focused) == "0"
    page.keyboard.press("Escape")
    assert page.locator(".pv-details").count() == 0
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.placeholder") == "text or /pattern/"
    page.keyboard.type("jk/")
    settle(page)
    assert count(page).startswith("0 of 7")
    page.keyboard.press("Escape")
    assert count(page).startswith("7 passages")
    page.keyboard.press("j")
    assert page.get_by_label("text", exact=True).input_value() == ""
    assert page.evaluate(focused) == "1"


def test_filters_stay_where_nothing_is_found(show):
    page = show(ALL)
    kinds = page.get_by_label("kind of error", exact=True)
    text = page.get_by_label("text", exact=True)
    text.fill("nowhere")
    settle(page)
    assert count(page).startswith("0 of 7")
    assert kinds.is_visible()
    assert page.get_by_label("metric", exact=True).is_visible()
    text.fill("")
    settle(page)
    choose(page, "metric", "las")
    text.fill("nowhere")
    settle(page)
    assert kinds.is_visible()
    assert page.get_by_label("trigger", exact=True).count() == 1
    assert not page.get_by_label("trigger", exact=True).is_visible()
    text.press("Escape")
    assert count(page).startswith("1 of 7")
    assert not page.evaluate("() => document.activeElement.matches('input')")


def test_the_list_tells_a_screen_reader_where_one_is(show):
    page = show(ALL)
    assert page.get_by_role("feed", name="Passages with errors").count() == 1
    row = page.get_by_role("article").nth(1)
    assert (row.get_attribute("aria-posinset"), row.get_attribute("aria-setsize")) == ("2", "7")
    assert "1 gold to 2 system sentences" in row.get_attribute("aria-label")
    assert "cannot" in page.locator(".pv-railway").first.get_attribute("aria-label")


def test_errors_are_saved_as_csv_and_figures_as_svg(show):
    page = show([MERGED, TREE])
    choose(page, "metric", "tokens")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save errors as CSV").click()
    rows = list(csv.reader(io.StringIO(download.value.path().read_text("utf-8-sig"))))
    assert rows[0][:3] == ["document", "gold place", "system place"]
    assert [row[3:5] + row[8:] for row in rows[1:]] == [["tokens", "merge", "can not", "cannot"]]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the railway as SVG").first.click()
    saved = ElementTree.parse(download.value.path()).getroot()
    assert saved.tag == "{http://www.w3.org/2000/svg}svg"
    assert "cannot" in "".join(saved.itertext())


def test_paper_gets_the_first_fifty(show):
    page = show([SPLIT] * 70)
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".pv-printed .pv-row").count() == 50
    assert "20 more passages" in page.locator(".pv-printed").text_content()
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator(".pv-printed .pv-row").count() == 0


def test_fifty_thousand_passages_keep_the_page_small(show):
    n = 50_000
    many = [
        passage(
            [f"passage {k} can not fail"],
            [f"passage {k} cannot fail"],
            [2, [2, 1], 1],
            error("tokens", "merge", (2, 4), (2, 3)),
            error("upos", "confused", labels=["NOUN", "VERB" if k % 10 else "ADJ"]),
            unit=k % 2,
        )
        for k in range(n)
    ]
    page = show(many)
    nodes = "() => document.querySelectorAll('#passages-root *').length"
    assert count(page).startswith("50,000 passages,")
    assert page.locator(".pv-row").count() < 60
    assert page.evaluate(nodes) < 6000
    page.keyboard.press("j")
    page.keyboard.press("End")
    assert page.evaluate("() => document.activeElement.dataset.at") == str(n - 1)
    assert "49999" in page.locator(".pv-row:focus .pv-railway").text_content()
    assert page.evaluate(nodes) < 6000
    page.locator(".pv-list").evaluate("(list) => { list.scrollTop = list.scrollHeight / 2; }")
    settle(page)
    seen = page.locator(".pv-row").evaluate_all("(rows) => rows.map((row) => Number(row.dataset.at))")
    assert seen[:-1] == sorted(seen[:-1])
    assert any(abs(at - n / 2) < n / 20 for at in seen)
    page.get_by_label("text", exact=True).fill("passage 43210 can")
    settle(page)
    assert count(page).startswith("1 of 50,000")
    assert "43210" in page.locator(".pv-railway").text_content()
    page.get_by_label("text", exact=True).fill("")
    settle(page)
    choose(page, "metric", "upos")
    choose(page, "gold → system", '["NOUN","ADJ"]')
    assert count(page).startswith("5,000 of 50,000")
    assert page.evaluate(nodes) < 6000
