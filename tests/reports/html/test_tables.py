"""Tables of the page in a browser: their position, and sorting by their headings."""

from dataclasses import replace

import pytest

from evalign.results.result import Parts
from evalign.significance.values import Resampling
from pages import Watched, make_run, write_page

pytestmark = pytest.mark.slow
FEW = Resampling(resamples=50)


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    """A run of two parsers."""
    return make_run(tmp_path_factory.mktemp("parsers"))


@pytest.fixture(scope="module")
def address(parser, tmp_path_factory):
    return write_page(parser, tmp_path_factory.mktemp("page") / "report.html", resampling=FEW).as_uri()


@pytest.fixture
def page(browser, address):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    watched = Watched(page)
    page.goto(address)
    yield page
    assert watched.complaints == []
    page.close()


def read_column(table, column):
    """What the cells of a column say, from top to bottom: their number, if they have one."""
    return table.evaluate(
        """(table, column) => [...table.tBodies[0].rows].map((row) => {
          const cell = row.cells[column];
          return (cell.querySelector(".value, bdi") || cell).textContent.trim();
        })""",
        column,
    )


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
@pytest.mark.parametrize("systems", [1, 2])
def test_las_of_a_parser_is_on_the_first_screen(browser, parser, tmp_path, size, systems):
    result = parser if systems == 2 else replace(parser, systems=parser.systems[:1])
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(write_page(result, tmp_path / "report.html", resampling=FEW).as_uri())
    row = page.locator("table.scores tbody tr", has=page.get_by_text("LAS", exact=True)).first
    for cell in row.locator("th, td.number").all():
        box = cell.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.close()


def test_a_caption_is_not_cut_on_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 800})
    box = page.locator(".caption").first.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_filters_stand_in_a_row(page):
    """Fields that begin at the same height end there, too."""
    boxes = [
        control.bounding_box()
        for control in page.locator(".pv-field:visible select, .pv-field:visible input").all()
    ]
    assert len(boxes) > 3
    assert {round(box["height"]) for box in boxes} == {round(boxes[0]["height"])}


def test_a_head_sorts_both_ways_and_back(page):
    table = page.locator("table.scores").first
    head = table.locator("thead th").nth(1)
    before = read_column(table, 0)
    numbers = [float(value) for value in read_column(table, 1)]
    assert numbers != sorted(numbers, reverse=True)
    button = head.get_by_role("button")
    button.click()
    assert [float(value) for value in read_column(table, 1)] == sorted(numbers, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    button.focus()
    page.keyboard.press("Enter")
    assert [float(value) for value in read_column(table, 1)] == sorted(numbers)
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Space")
    assert read_column(table, 0) == before
    assert head.get_attribute("aria-sort") is None


def test_only_the_last_head_says_that_it_sorts(page):
    table = page.locator("table.scores").first
    heads = table.locator("thead th")
    heads.nth(1).get_by_role("button").click()
    heads.nth(0).get_by_role("button").click()
    assert [heads.nth(k).get_attribute("aria-sort") for k in range(2)] == ["ascending", None]
    names = read_column(table, 0)
    assert names == sorted(names, key=str.lower)


def test_what_has_no_number_is_last_and_numbers_are_no_text(page):
    table = page.locator("#overview details table").first
    table.evaluate(
        """(table) => {
          table.closest("details").open = true;
          const cells = [...table.tBodies[0].rows].map((row) => row.cells[2]);
          for (const cell of cells) cell.textContent = "-";
          ["9", "1,000", "failed", "−5", "85.20"].forEach((text, k) => (cells[k].textContent = text));
        }"""
    )
    button = table.locator("thead th").nth(2).get_by_role("button")
    button.click()
    assert read_column(table, 2)[:5] == ["1,000", "85.20", "9", "−5", "failed"]
    button.click()
    assert read_column(table, 2)[:5] == ["−5", "9", "85.20", "1,000", "failed"]
    button.click()
    assert read_column(table, 2)[:5] == ["9", "1,000", "failed", "−5", "85.20"]


def test_documents_are_sorted_by_their_heads(page):
    table = page.locator(".barcodes")
    page.locator(".documents .legend li").first.wait_for()
    heads = table.locator("thead th")
    heads.nth(2).get_by_role("button").click()
    errors = [int(value) for value in read_column(table, 2)]
    assert errors == sorted(errors, reverse=True)
    assert heads.nth(2).get_attribute("aria-sort") == "descending"
    heads.nth(0).get_by_role("button").click()
    names = read_column(table, 0)
    assert names == sorted(names)
    page.locator(".documents .controls select").last.select_option(label="order in the text")
    assert heads.nth(0).get_attribute("aria-sort") is None
    assert heads.nth(4).get_by_role("button").count() == 0


def test_averages_stay_below_and_links_stay_links(browser, parser, tmp_path):
    one = replace(parser, systems=parser.systems[:1])
    page = browser.new_page()
    watched = Watched(page)
    address = write_page(
        Parts("treebank", {"English": one, "French": one}), tmp_path / "parts.html", resampling=FEW
    )
    page.goto(address.as_uri())
    table = page.locator("#parts table")
    assert table.locator("thead a").all_inner_texts() == ["English", "French"]
    assert table.locator("thead a button, thead button a").count() == 0
    page.get_by_role("button", name="Sort by English").click()
    assert table.locator("th[aria-sort=descending]").count() == 1
    table.locator("thead a").nth(1).click()
    assert page.get_by_label("Which part of the run to show").input_value() == "1"
    assert watched.complaints == []
    page.close()
