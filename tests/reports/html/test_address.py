"""The address of the page describes the current view, and opening it shows that view again."""

import pytest

from evalign.results.result import Parts
from evalign.significance.values import Resampling
from pages import Watched, make_run, write_page
from shown import choose, count, settle

pytestmark = pytest.mark.slow
FEW = Resampling(resamples=50)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    return write_page(make_run(folder), folder / "report.html", resampling=FEW).as_uri()


@pytest.fixture
def visit(browser, address):
    """A function that opens the page at an address in a new window; whatever it complains of fails the test."""
    opened = []

    def visit(hash="", of=address):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        opened.append(Watched(page))
        page.goto(of + hash)
        return page

    yield visit
    for watched in opened:
        watched.page.close()
        assert watched.complaints == []


def hash_of(page):
    return page.evaluate("location.hash")


def chosen(page, name):
    """What is chosen in a filter of the passages."""
    return page.locator(".pv-field", has=page.get_by_text(name, exact=True)).locator("select").input_value()


def wait_for_hash(page, part):
    page.wait_for_function("(part) => location.hash.includes(part)", arg=part)


def wait_for_count(page, text):
    page.wait_for_function("(text) => document.querySelector('.pv-count').innerText === text", arg=text)


def test_the_address_says_what_is_chosen_and_opening_it_shows_that_again(visit):
    page = visit()
    assert hash_of(page) == ""
    choose(page, "system", "1")
    choose(page, "metric", "las")
    choose(page, "kind of error", "head")
    assert hash_of(page) == "#passages?system=two&metric=las&kind=head"
    page.keyboard.press("j")
    page.keyboard.press("j")
    wait_for_hash(page, "passage=")
    again = visit(hash_of(page))
    assert count(again) == count(page)
    assert [chosen(again, name) for name in ("system", "metric", "kind of error")] == ["1", "las", "head"]
    where = "document.activeElement.closest('.pv-row').dataset.at"
    assert again.evaluate(where) == page.evaluate(where) == "1"
    assert again.locator("#passages h2").bounding_box()["y"] < 900


def test_text_and_labels_are_in_the_address(visit):
    page = visit()
    page.locator("#labels button.example:visible").first.click()
    wait_for_hash(page, "predicted=")
    again = visit(hash_of(page))
    assert count(again) == count(page)
    page.get_by_label("text", exact=True).fill("a & <b>#?")
    wait_for_hash(page, "text=")
    again = visit(hash_of(page))
    assert again.get_by_label("text", exact=True).input_value() == "a & <b>#?"
    assert count(again).startswith("0 of ")


def test_back_and_forward_lead_through_what_was_looked_at(visit):
    page = visit()
    everything = count(page)
    choose(page, "metric", "las")
    filtered = count(page)
    assert filtered != everything
    page.get_by_role("link", name="Documents").click()
    page.wait_for_function("() => location.hash.startsWith('#documents')")
    page.go_back()
    page.wait_for_function("() => location.hash === '#passages?system=one&metric=las'")
    wait_for_count(page, filtered)
    page.go_back()
    page.wait_for_function("() => location.hash === ''")
    wait_for_count(page, everything)
    assert chosen(page, "metric") == ""
    page.go_forward()
    page.wait_for_function("() => location.hash !== ''")
    wait_for_count(page, filtered)


def test_what_waits_to_be_written_is_dropped_by_someone_who_goes_elsewhere(visit):
    page = visit()
    page.get_by_label("text", exact=True).fill("word")
    # What is typed is taken up with the next frame.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    # As going back does, in the moment before the page hears of it.
    page.evaluate("history.replaceState(null, '', '#documents')")
    page.wait_for_timeout(1000)
    assert hash_of(page) == "#documents"


def test_moving_through_passages_is_one_step_back(visit):
    page = visit("#documents?system=two")
    for _ in range(3):
        page.keyboard.press("j")
    wait_for_hash(page, "passage=")
    page.go_back()
    page.wait_for_function("() => location.hash === '#documents?system=two'")


def test_panels_and_documents_are_restored(visit):
    page = visit("#labels?metric=las&system=two")
    selects = page.locator("#labels .controls select")
    assert [selects.nth(k).evaluate("select => select.selectedOptions[0].text") for k in range(2)] == [
        "LAS",
        "two",
    ]
    page = visit("#documents?system=two&metric=tokens")
    page.wait_for_function(
        "() => document.querySelector('.documents .chosen').textContent.includes('two, tokens')"
    )
    page.locator(".documents .controls select").nth(1).select_option(label="LAS")
    assert hash_of(page) == "#documents?system=two&metric=las"


@pytest.mark.parametrize(
    "hash",
    [
        "#nothing",
        "#?",
        "#passages?",
        "#passages?metric=nothing&kind=__proto__&units=9-x&passage=-1&system=nobody",
        "#documents?metric=toString&system=nobody",
        "#labels?metric=constructor",
        "#passages?%E0%A4%A",
        "#<img src=x onerror=alert(1)>",
        "#run?system=two",
        f"#passages?text={'a' * 5000}",
    ],
)
def test_a_broken_address_is_ignored(visit, hash):
    page = visit(hash)
    page.locator(".documents .legend li").first.wait_for()
    whole = visit()
    assert count(page) == count(whole)
    assert page.locator("main img").count() == 0


def test_nothing_of_an_address_becomes_an_element(visit):
    page = visit("#passages?metric=las&gold=%3Cimg%20src%3Dx%3E&predicted=%3Cb%3E&unit=%3Ci%3E&text=%3Cu%3E")
    settle(page)
    assert count(page).startswith("0 of ")
    assert page.locator("#passages-root :is(img, b, i, u)").count() == 0
    assert page.get_by_label("text", exact=True).input_value() == "<u>"


def test_the_address_has_the_part_of_a_run(visit, tmp_path):
    results = {}
    for name in ("English", "French"):
        (tmp_path / name).mkdir()
        results[name] = make_run(tmp_path / name)
    of = write_page(Parts("treebank", results), tmp_path / "parts.html", resampling=FEW).as_uri()
    page = visit(of=of)
    part = page.get_by_label("Which part of the run to show")
    part.select_option(label="French")
    assert hash_of(page) == "#overview?run=French"
    choose(page, "metric", "las")
    assert hash_of(page) == "#passages?run=French&system=one&metric=las"
    again = visit(hash_of(page), of=of)
    assert again.get_by_label("Which part of the run to show").input_value() == "1"
    assert count(again) == count(page)
    page.go_back()
    page.go_back()
    page.wait_for_function("() => document.querySelector('.bar-tools select').value === '0'")
