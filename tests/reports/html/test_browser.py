"""The page in a real browser: no complaints, controls that work, files that can be saved."""

import json
import re
from collections import Counter
from xml.etree import ElementTree

import pytest

import evalign
from evalign.results.result import Parts, Result
from evalign.significance.values import Resampling
from pages import Watched, make_hostile, make_run, write_page

pytestmark = pytest.mark.slow
FEW = Resampling(resamples=50)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    return write_page(make_run(folder, n_documents=250), folder / "report.html", resampling=FEW).as_uri()


@pytest.fixture
def watched(browser, address):
    """The page, opened; whatever it complains of fails the test."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    found = Watched(page)
    page.goto(address)
    yield found
    assert found.complaints == []
    page.close()


def width(page):
    return page.evaluate("document.documentElement.scrollWidth")


def test_sections_are_shown_and_nothing_is_asked_of_anybody(watched):
    page = watched.page
    for section in ("overview", "passages", "documents", "labels", "losses", "tolerated", "method"):
        assert page.locator(f"#{section} h2").is_visible()
    assert page.locator("#passages-root").inner_text().strip()


@pytest.mark.parametrize("size", [360, 768, 1280, 1600])
def test_the_page_is_never_wider_than_its_window(watched, size):
    watched.page.set_viewport_size({"width": size, "height": 800})
    assert width(watched.page) <= size


def test_the_theme_can_be_switched(watched):
    page = watched.page
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Use dark colours").click()
    assert page.evaluate(ground) != light
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_role("button", name="Use light colours").click()
    assert page.evaluate(ground) == light


def test_dark_is_used_where_the_reader_asks_for_it_and_never_on_paper(browser, address):
    page = browser.new_page(color_scheme="dark")
    page.goto(address)
    dark = page.evaluate("getComputedStyle(document.body).color")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") != dark
    page.close()


def test_every_figure_can_be_saved_and_stands_alone(watched):
    page = watched.page
    buttons = page.locator("figure[data-save] button.save")
    assert buttons.count() == page.locator("figure[data-save]").count() > 3
    with page.expect_download() as waiting:
        buttons.first.click()
    text = waiting.value.path().read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in text
    assert "class=" not in text
    fills = {found.get("fill") for found in root.iter() if found.get("fill")}
    assert any(fill.startswith("rgb") for fill in fills)
    assert waiting.value.suggested_filename == "forest-sentences.svg"


def test_every_table_can_be_saved(watched):
    page = watched.page
    assert page.locator("table[data-save]").count() <= page.get_by_text("Save CSV", exact=True).count()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save scores as CSV").click()
    lines = waiting.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "system,metric,measure,value,low,high,gain,p,p_holm"
    assert any(re.fullmatch(r".*two\.conllu,tokens,f1,0\.\d+,0\.\d+,0\.\d+,.*", line) for line in lines)


def test_documents_are_saved_by_buttons_side_by_side(watched):
    buttons = watched.page.locator("#documents button.save")
    buttons.nth(1).wait_for()
    assert buttons.all_inner_texts() == ["Save CSV", "Save SVG"]
    boxes = [buttons.nth(k).bounding_box() for k in range(2)]
    assert boxes[0]["y"] == boxes[1]["y"]


def test_kinds_have_the_colours_of_passages_in_documents(watched):
    """Ticks of documents, and the chips of errors in passages."""
    colours = watched.page.evaluate(
        """() => ["split", "merge", "shifted", "missing", "inserted", "rewritten", "label", "head", "both", "crossing"].map((kind) => {
          const tick = document.createElementNS("http://www.w3.org/2000/svg", "path");
          tick.setAttribute("class", `tick tick-${kind}`);
          const chip = document.createElement("span");
          chip.className = `pv-kind-${kind}`;
          const colour = document.createElement("i");
          colour.style.color = "var(--kind)";
          chip.append(colour);
          document.getElementById("passages-root").append(tick, chip);
          return [kind, getComputedStyle(tick).stroke, getComputedStyle(colour).color];
        })"""
    )
    assert [kind for kind, tick, chip in colours if tick != chip] == []


def test_no_cell_of_a_saved_table_is_a_formula(watched):
    page = watched.page
    with page.expect_download() as waiting:
        page.evaluate(
            """evalign.saveCsv([["=1+1", "+x", "-5.25", "+3", "-3e", "@a", "\\tb", "\\rc", "say \\"a, b\\"", null]], "../a b")"""
        )
    assert waiting.value.suggested_filename == "a-b.csv"
    text = waiting.value.path().read_bytes().decode("utf-8-sig")
    assert text == '\'=1+1,\'+x,-5.25,+3,\'-3e,\'@a,\'\tb,"\'\rc","say ""a, b""",\r\n'


def test_panels_are_chosen_by_metric_and_system(watched):
    page = watched.page
    panels = page.locator("#labels details.panel")
    assert panels.count() == 4
    shown = [panels.nth(k).is_visible() for k in range(4)]
    assert sum(shown) == 1
    page.locator("#labels .controls select").first.select_option(label="LAS")
    page.locator("#labels .controls select").nth(1).select_option(label="two")
    visible = [panels.nth(k).get_attribute("data-metric") for k in range(4) if panels.nth(k).is_visible()]
    assert visible == ["las"]


def test_a_number_of_confusions_opens_its_passages(watched):
    page = watched.page
    cell = page.locator("#labels button.example:visible").first
    cell.click()
    page.wait_for_function("document.activeElement.closest('#passages') !== null")


def test_documents_are_drawn_for_what_is_chosen(watched):
    page = watched.page
    rows = page.locator(".barcodes tbody tr:not(.genre)")
    assert rows.count() == 200
    page.locator(".documents .more").click()
    assert rows.count() == 250
    selects = page.locator(".documents .controls select")
    selects.nth(1).select_option(label="tokens")
    selects.nth(0).select_option(label="two")
    assert "two, tokens" in page.locator(".documents .chosen").inner_text()
    assert page.locator(".barcodes path.tick-split").count() > 0
    selects.last.select_option(label="order in the text")
    assert rows.first.inner_text().startswith("news-000")
    rows.first.locator("button").click()
    page.wait_for_function("document.activeElement.closest('#passages') !== null")


def test_errors_that_are_marked_together_are_all_counted(browser, tmp_path):
    """Without scripts and with them: a mark may stand for several errors, as it does in a saved result of many."""
    (tmp_path / "gold.txt").write_text("a b c .\n" * 300, encoding="utf-8")
    (tmp_path / "system.txt").write_text("ab c .\n" * 300, encoding="utf-8")
    result = evalign.score(tmp_path / "gold.txt", tmp_path / "system.txt", metrics=["tokens"])
    result.save(tmp_path / "run.json")
    saved = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    marks = saved["systems"][0]["marks"]["tokens"]
    # 1,200 characters: in every 64 of them 16 errors.
    slots = Counter(place // 64 for place in marks["merge"])
    marks["merge"] = [[64 * slot, count] for slot, count in slots.items()]
    assert marks["merge"][:2] == [[0, 16], [64, 16]]
    (tmp_path / "run.json").write_text(json.dumps(saved), encoding="utf-8")
    result = Result.load(tmp_path / "run.json")
    address = write_page(result, tmp_path / "report.html", resampling=FEW).as_uri()
    for scripts in (False, True):
        page = browser.new_page(java_script_enabled=scripts)
        found = Watched(page)
        page.goto(address)
        if scripts:
            page.locator(".documents .legend li").wait_for()
            assert page.locator(".documents .legend").inner_text() == "merge 300"
        counts = page.locator(".barcodes tbody td.number:nth-of-type(2)").all_inner_texts()
        assert sum(map(int, counts)) == 300
        assert max(map(int, counts)) == 16
        assert page.locator(".barcodes path.tick-merge").count() == 19
        assert found.complaints == []
        page.close()


def test_a_row_of_several_stretches_opens_them_all(browser, tmp_path):
    (tmp_path / "gold.txt").write_text("a b c .\n" * 300, encoding="utf-8")
    (tmp_path / "system.txt").write_text("ab c .\n" * 300, encoding="utf-8")
    result = evalign.score(tmp_path / "gold.txt", tmp_path / "system.txt")
    page = browser.new_page()
    found = Watched(page)
    page.goto(write_page(result, tmp_path / "report.html", resampling=FEW).as_uri())
    page.locator(".documents .controls select").last.select_option(label="order in the text")
    page.locator(".barcodes button.open").nth(1).click()
    page.wait_for_function("document.activeElement.closest('#passages') !== null")
    assert "only unit 9 to 15" in page.locator(".pv-count").inner_text()
    assert page.locator(".pv-count").inner_text().startswith("7 of 300 passages")
    assert found.complaints == []
    page.close()


def test_keys_are_told_in_a_dialog(watched):
    page = watched.page
    dialog = page.get_by_role("dialog", name="Keys")
    page.keyboard.press("?")
    assert dialog.is_visible()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    page.get_by_role("button", name="Keys").click()
    dialog.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()
    page.get_by_label("text", exact=True).press("?")
    assert not dialog.is_visible()
    assert page.get_by_label("text", exact=True).input_value() == "?"


def test_a_bracket_that_one_side_lacks_opens_its_passages(browser, examples, tmp_path):
    result = evalign.score(examples / "gold.mrg", examples / "system.mrg")
    page = browser.new_page()
    found = Watched(page)
    page.goto(write_page(result, tmp_path / "report.html", resampling=FEW).as_uri())
    page.locator("#labels .controls select").first.select_option(label="brackets")
    for side in ("gold", "predicted"):
        cells = page.locator(f'#labels button.example[data-metric="brackets"][data-{side}=""]:visible')
        for k in range(cells.count()):
            number = int(cells.nth(k).inner_text())
            cells.nth(k).click()
            assert f", {number} error" in page.locator(".pv-count").inner_text()
        assert cells.count()
    assert found.complaints == []
    page.close()


def test_barcodes_can_be_saved(watched):
    page = watched.page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the barcodes").click()
    root = ElementTree.fromstring(waiting.value.path().read_text(encoding="utf-8"))
    assert len(list(root.iter("{http://www.w3.org/2000/svg}text"))) == 400
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save documents as CSV").click()
    assert len(waiting.value.path().read_text(encoding="utf-8-sig").splitlines()) == 251


def test_the_keyboard_reaches_the_report_at_once(watched):
    page = watched.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none"


def test_everything_is_open_on_paper_and_closed_again(watched):
    page = watched.page
    closed = "document.querySelectorAll('details:not([open])').length"
    before = page.evaluate(closed)
    assert before > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(closed) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(closed) == before
    page.emulate_media(media="print")
    assert not page.locator("header.bar").is_visible()
    assert not page.locator("button.save").first.is_visible()
    assert page.pdf().startswith(b"%PDF")


def test_without_scripts_numbers_documents_and_labels_are_there(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("table.scores").first.is_visible()
    assert page.locator("svg.forest").first.is_visible()
    assert page.locator(".barcodes tbody tr").count() == 200
    assert page.locator("table.heat").first.is_visible()
    assert page.get_by_text("Passages are drawn by a script").is_visible()
    context.close()


def test_hostile_text_is_shown_as_text(browser, tmp_path):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    found = Watched(page)
    page.goto(write_page(make_hostile(tmp_path), tmp_path / "hostile.html", resampling=FEW).as_uri())
    text = page.locator("main").inner_text()
    for shown in ("<script>alert(1)</script>", "]]></script>", "{{7*7}}", "עברית", "👩‍👩‍👧", "␇"):
        assert shown in text
    for button in page.locator("button.example:visible").all()[:3]:
        button.click()
    page.locator(".documents .controls select").last.select_option(index=1)
    page.locator(".barcodes button.open").first.click()
    assert width(page) <= 1280
    with page.expect_download() as waiting:
        page.locator("figure[data-save] button.save").first.click()
    ElementTree.fromstring(waiting.value.path().read_text(encoding="utf-8"))
    assert found.complaints == []


def test_of_several_treebanks_one_is_shown(browser, tmp_path):
    results = {}
    for name in ("English", "French"):
        (tmp_path / name).mkdir()
        results[name] = make_run(tmp_path / name)
    page = browser.new_page()
    found = Watched(page)
    page.goto(write_page(Parts("treebank", results), tmp_path / "parts.html", resampling=FEW).as_uri())
    runs = page.locator("#overview .run")
    assert [runs.nth(k).is_visible() for k in range(2)] == [True, False]
    page.get_by_label("Which part of the run to show").select_option(label="French")
    assert [runs.nth(k).is_visible() for k in range(2)] == [False, True]
    page.get_by_role("link", name="English").click()
    assert [runs.nth(k).is_visible() for k in range(2)] == [True, False]
    assert found.complaints == []
