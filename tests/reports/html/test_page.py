"""The page: one self-contained file that loads nothing from elsewhere, whatever the result."""

import json
import re
from contextlib import nullcontext
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import evalign
from evalign.metrics.errors.mismatches import ErrorGroup
from evalign.metrics.metric import MOST_PASSAGES
from evalign.reports.assessor import Assessor
from evalign.reports.html.breakdowns import make_parts_section
from evalign.reports.html.documents import MOST_PIECES, find_pieces, rate_pieces
from evalign.reports.html.figures import RankedMetric, rank_systems
from evalign.reports.html.labels import MOST_LABELS, make_confusion_table
from evalign.reports.html.markup import embed, shorten_units
from evalign.reports.html.overview import describe_p, make_overview
from evalign.reports.html.page import render_report
from evalign.reports.verdict import AssessedScores
from evalign.results.result import Parts, Result
from evalign.significance.values import Resampling
from pages import ASSETS, HOSTILE, assets_in, make_hostile, make_run, policy_hash, write_run

SECTIONS = ("overview", "passages", "documents", "labels", "losses", "tolerated", "method")
# Elements without an end.
VOID = {"meta", "br", "wbr", "img", "input", "link", "hr"}
FEW = Resampling(resamples=50)


class Outline(HTMLParser):
    """What a page is made of: elements, attributes, text; raises where elements do not nest."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.attributes, self.text, self.scripts = [], [], [], [], [], []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        self.ids += [value for key, value in attrs if key == "id"]
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "script":
            self.scripts.append((self.open[-1][1], data))
        elif self.open and self.open[-1][0] != "style":
            self.text.append(data)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def page(result):
    return render_report(result, resampling=FEW)


@pytest.fixture(scope="module")
def outline(page):
    return Outline(page)


def test_every_section_is_there_once(outline):
    for section in SECTIONS:
        assert outline.ids.count(section) == 1
    assert len(outline.ids) == len(set(outline.ids))
    assert "passages-root" in outline.ids


def test_nothing_comes_from_elsewhere(page, outline):
    assert len(page) > 20_000
    for tag, key, value in outline.attributes:
        assert key not in ("src", "srcset", "action", "style"), (tag, key)
        assert not key.startswith("on")
        if key in ("href", "xlink:href"):
            assert value.startswith("#")
    assert not {"link", "iframe", "object", "embed", "img", "form"} & set(outline.tags)
    for pattern in (r"\bfetch\(", "@import", r"url\((?!#)", "XMLHttpRequest", "WebSocket", "sendBeacon"):
        assert not re.search(pattern, page), pattern


def test_the_policy_allows_what_is_there_and_nothing_else(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert scripts
    assert styles
    for text in (*scripts, *styles):
        assert policy_hash(text) in policy


def test_a_saved_result_gives_the_same_page(result, page, tmp_path):
    result.save(tmp_path / "run.json")
    assert render_report(Result.load(tmp_path / "run.json"), resampling=FEW) == page


def test_the_overview_has_every_score_as_the_table_has_it(result, outline):
    shown = set(outline.text)
    for system in result.systems:
        for score in system.scores.values():
            assert "-" if score.value is None else f"{100 * score.value:.2f}" in shown
    assert any("50 resamples of 6 documents, seed 12345" in text for text in outline.text)


def test_every_script_in_the_folder_is_in_the_page(page):
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert assets_in(scripts) == {path.name for path in ASSETS.glob("*.js")}
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert assets_in(styles) == {path.name for path in ASSETS.glob("*.css")} - {"pairs.css"}


def test_data_for_scripts_is_json(outline):
    found = {}
    for attributes, text in outline.scripts:
        if attributes.get("type") == "application/json":
            found[attributes.get("id") or attributes["class"]] = json.loads(text)
    assert found["run"]["runs"][0]["systems"][0]["name"].endswith("one.conllu")
    assert found["run"]["runs"][0]["unit"]["fields"]["genre"][:2] == ["news", "mail"]
    assert {"total", "kept", "list"} <= set(found["passages"])
    assert "marks" in found["marks"]


@pytest.mark.parametrize("text", [*HOSTILE, "\u2028\u2029", "\ud800", "\x00\x7f\x9f", "<!--", "-->"])
def test_embedded_json_says_what_it_said(text):
    found = embed({text: [text]})
    assert not re.search("[<>&\u2028\u2029]", found)
    found.encode("utf-8")
    assert json.loads(found) == {text: [text]}


def test_hostile_text_is_text(tmp_path):
    page = render_report(make_hostile(tmp_path), resampling=FEW)
    outline = Outline(page)
    assert "<script>alert" not in page
    assert len([1 for attributes, _ in outline.scripts if not attributes]) == page.count("<script>")
    assert any("<script>alert(1)</script>" in text for text in outline.text)
    assert any("{{7*7}}" in text for text in outline.text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", page)


def test_a_result_saved_before_there_were_pages_says_what_is_missing(result, tmp_path):
    result.save(tmp_path / "run.json")
    saved = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    for system in saved["systems"]:
        for key in ("passages", "marks", "losses"):
            system.pop(key, None)
    for key in ("starts", "length", "fields"):
        saved["unit"].pop(key, None)
    (tmp_path / "old.json").write_text(json.dumps(saved), encoding="utf-8")
    page = render_report(Result.load(tmp_path / "old.json"), resampling=FEW)
    assert "No passages were kept." in page
    assert "Where the errors are is not known." in page
    assert "There is no loss by stage." in page
    assert page.count("score again") >= 2


def test_one_system_has_its_metrics_in_rows(result):
    page = render_report(replace(result, systems=result.systems[:1]), resampling=FEW)
    assert 'class="scores by-metric"' in page
    assert '<th scope="col" class="meaning">what it is</th>' in page
    assert 'class="ranks"' not in page
    assert "baseline</small>" not in page


def test_one_document_has_no_intervals_and_is_cut_into_pieces(tmp_path):
    gold, system, _other = write_run(tmp_path, n_documents=1)
    result = evalign.score(gold, system)
    rows = find_pieces(result)
    assert len(rows) > 5
    assert sum(row.length for row in rows) == result.length
    page = render_report(result, resampling=FEW)
    assert "There are no intervals and no tests" in page
    both = render_report(evalign.score(gold, system, _other), resampling=FEW)
    for told in (page, both):
        for word in ("with intervals", 'class="interval"', "▲"):
            assert word not in told.partition("<script>")[0]
    assert "in percent, with gains over <bdi>" in both
    assert "Whether that is chance was not tested<" in both
    assert "errors per 100 characters" in page


def test_many_small_stretches_become_rows_of_whole_units(tmp_path):
    (tmp_path / "gold.txt").write_text("a b .\n" * 200, encoding="utf-8")
    (tmp_path / "system.txt").write_text("a b .\n" * 100 + "ab .\n" * 100, encoding="utf-8")
    result = evalign.score(tmp_path / "gold.txt", tmp_path / "system.txt")
    rows = find_pieces(result)
    assert len(rows) == MOST_PIECES
    rates = rate_pieces(result, 0, "tokens", rows, {})
    assert rates[0] == 0
    assert rates[-1] == 60


def test_a_perfect_system_is_said_to_be_one(tmp_path):
    gold, *_others = write_run(tmp_path)
    page = render_report(evalign.score(gold, gold), resampling=FEW)
    assert "Where the errors are is not known." in page
    assert "No label was taken for another." in page


def test_parts_have_an_overview_and_a_run_each(result, tmp_path):
    other = make_run(tmp_path, n_documents=3)
    page = render_report(Parts("treebank", {"en": result, "<b>fr</b>": other}), resampling=FEW)
    outline = Outline(page)
    assert "2 systems on 2 treebanks" in page
    assert {"macro average", "micro average", "en", "<b>fr</b>"} <= set(outline.text)
    assert "<b>fr" not in page
    assert page.count('<div class="run"') == 2 * len(SECTIONS) - 2


def assessor():
    return Assessor(lambda: FEW, nullcontext(print))


def summary_of(result, first, adjusted=None):
    """The first sentences of a page, had tests against the first system, and of other pairs, found this p."""
    adjusted = first if adjusted is None else adjusted
    found = assessor().all_of(result).significance
    matrix = {
        metric: tuple(
            tuple(pair and pair._replace(adjusted=adjusted) for pair in line) for line in found.matrix[metric]
        )
        for metric in found.matrix
    }
    first = {
        metric: tuple(each and each._replace(adjusted=first) for each in found.against_first[metric])
        for metric in found.against_first
    }
    found = replace(found, matrix=matrix, against_first=first)
    return make_overview(AssessedScores(result, found, [f"s{k}" for k in range(len(result.systems))])).summary


def test_the_summary_claims_no_more_than_the_tests_say(result):
    first, second = (replace(system, scores={"sentences": system["sentences"]}) for system in result.systems)
    two, three = replace(result, systems=(first, second)), replace(result, systems=(first, second, first))
    ahead = "s1 is ahead in sentences"
    assert summary_of(two, 0.001) == [ahead]
    assert summary_of(two, 0.4) == [ahead, "Not beyond chance: in sentences against s0"]
    assert summary_of(three, 0.4) == [ahead, "Not beyond chance: in sentences against all others"]
    # That it is better than the baseline is what the table says.
    assert summary_of(three, 0.001, 0.4) == [ahead, "Not beyond chance: in sentences against s2"]
    assert summary_of(three, 0.4, 0.001) == [ahead, "Not beyond chance: in sentences against s0"]
    turned = replace(result, systems=(second, first))
    assert summary_of(turned, 0.001) == ["s0 is ahead in sentences"]
    assert summary_of(replace(result, systems=(first,)), 0.4) == []


def test_p_has_the_decimals_that_a_terminal_shows():
    assert describe_p(1 / 1001) == "p = 0.0010"
    assert describe_p(0.00001) == "p < 0.0001"


def test_a_result_has_the_tables_of_its_splits(result):
    page = render_report(result, resampling=FEW, splits=[result.split("length"), result.split("^([a-z])")])
    assert re.findall(r"<h3>By <bdi>(.*?)</bdi></h3>", page) == ["genre", "length", "^([a-z])"]


def test_a_result_taken_apart_is_one_run_with_a_breakdown(result):
    page = render_report(result.split("document"), resampling=FEW)
    assert re.findall(r"<h3>By <bdi>(.*?)</bdi></h3>", page) == ["genre", "document"]
    assert "news-000" in page


def test_few_units_are_warned_of_and_the_test_is_named(page, outline):
    assert any("6 units are few" in text for text in outline.text)
    assert "p is by approximate randomization, adjusted by Holm" in page
    assert "bootstrap" not in page


def test_the_bootstrap_is_named_where_it_was_asked_for(result):
    page = render_report(result, resampling=Resampling(resamples=20, test="bootstrap"))
    assert "p is by paired bootstrap" in page


def test_a_metric_without_intervals_says_why(tmp_path):
    (tmp_path / "gold.txt").write_text("a b .\n" * 30, encoding="utf-8")
    (tmp_path / "system.txt").write_text("a b . a b .\n" + "a b .\n" * 28, encoding="utf-8")
    result = evalign.score(tmp_path / "gold.txt", tmp_path / "system.txt", metrics=["tokens", "pk"])
    assert "There are none of Pk: " in render_report(result, resampling=FEW)


def test_units_that_are_paths_are_shown_without_what_they_share(result):
    names = [f"/data/gum/GUM_news_{k}.txt" for k in range(len(result.unit_names))]
    page = render_report(replace(result, unit_names=names, unit_fields={}), resampling=FEW)
    assert "/data/gum" not in page
    assert '"names":["0","1","2"' in page
    assert shorten_units(["a/x.txt", "b/x.txt"]) == ["a/x", "b/x"]
    assert shorten_units(["/one/x.txt", "b"]) == ["/one/x.txt", "b"]
    assert shorten_units([]) == []


def test_a_system_called_baseline_is_not_called_so_twice(result):
    first, second = result.systems
    renamed = replace(
        result, systems=(replace(first, name="run/baseline.txt"), replace(second, name="run/b.txt"))
    )
    page = render_report(renamed, resampling=FEW)
    assert "with intervals and gains over the baseline</p>" in page
    assert "<small>baseline</small>" not in page


def test_metrics_are_written_as_the_field_writes_them(outline):
    shown = {text.strip() for text in outline.text}
    assert {"LAS", "UPOS", "MLAS"} <= shown
    assert not {"las", "upos", "mlas"} & shown


def test_metrics_are_in_rows_where_they_outnumber_the_systems(result):
    page = render_report(result, resampling=FEW)
    assert '<table class="scores by-metric"' in page
    few = [replace(system, scores=dict(list(system.scores.items())[:1])) for system in result.systems]
    page = render_report(replace(result, systems=few), resampling=FEW)
    assert '<table class="scores" ' in page
    assert '<table class="scores by-metric" aria' not in page


@pytest.mark.parametrize(("values", "change"), [([(1, 2), (3, 4)], False), ([(1, 2), (4, 3)], True)])
def test_ranks_are_drawn_where_they_change(values, change):
    places = rank_systems([RankedMetric("a", some) for some in values])
    assert any(place != places[0] for place in places) is change


def test_ranks_that_are_the_same_in_all_metrics_are_not_drawn(result):
    first, second = result.systems
    assert 'class="ranks"' in render_report(result, resampling=FEW)
    same = replace(result, systems=(first, replace(second, scores=first.scores)))
    assert 'class="ranks"' not in render_report(same, resampling=FEW)


def test_words_of_the_page_are_those_that_people_use(result, page):
    text = page.partition('<script type="application/json" id="run">')[0]
    assert '<h2 id="labels-title">Confusion matrix</h2>' in text
    assert "<h3>Differences</h3>" in text
    assert "\uff3c" not in page
    assert ">error rate</th>" in text
    alone = render_report(replace(result, systems=result.systems[:1]), resampling=FEW)
    assert "<h3>Confidence intervals</h3>" in alone
    # What intervals are from is said once.
    assert text.count("50 resamples of 6 documents") == 1


def test_a_given_title_stands_above_what_the_page_is_of(result):
    page = render_report(result, resampling=FEW, title="Parsers")
    assert "<h1><bdi>Parsers</bdi></h1>" in page
    assert '<p class="lead"><bdi>2 systems against gold.conllu</bdi></p>' in page


def test_a_number_of_which_no_example_was_kept_opens_nothing(result):
    groups = [ErrorGroup("confused", "", ("N",), (other,), 2, (), 9) for other in ("V", "X")]
    table = make_confusion_table("upos", groups, {("N", "V")})
    cells = {(cell.gold, cell.system): cell.has_examples for line in table.lines for cell in line.cells}
    assert cells == {("N", "V"): True, ("N", "X"): False}
    page = render_report(result, resampling=FEW, passages=0)
    assert '<button type="button" class="example"' not in page
    assert "opens its examples" not in page


def test_as_many_passages_as_are_asked_for(result):
    kept = [
        json.loads(text)
        for attributes, text in Outline(render_report(result, resampling=FEW, passages=2)).scripts
        if attributes.get("class") == "passages"
    ]
    assert [found["kept"] for found in kept] == [2, 2]


def test_long_work_is_told_of(result):
    told = []
    render_report(result, resampling=FEW, progress=told.append)
    assert "resampling tokens" in told
    assert f"passages of {result.systems[1].name}" in told


def break_down(parts):
    return make_parts_section(parts, assessor().all_of_parts(parts))


def with_failure(result, failures="skip"):
    """A run of two treebanks on one of which the second system failed."""
    parts = {}
    for name, reason in (("en", ""), ("fr", "no file has its name")):
        second = replace(result.systems[1], failure=reason)
        if reason:
            scores = {
                metric: replace(score, available=False) for metric, score in result.systems[1].scores.items()
            }
            second = replace(second, scores=scores)
        parts[name] = replace(result, systems=(result.systems[0], second))
    return Parts("treebank", parts, failures=failures)


def test_treebanks_say_who_failed_why_and_what_averages_are_of(result):
    found = break_down(with_failure(result))
    second = result.systems[1].name
    assert found.failures == [f"{second} failed on fr: no file has its name."]
    assert "Where a system failed on a part, for the averages it is left out." in found.notes
    assert f"{second}: averages are of 1 of 2 treebanks." in found.notes
    assert any("tests: against the first system" in note.lower() for note in found.notes)
    assert not any("**" in note for note in found.notes)
    (table,) = [table for table in found.tables if table.metric == "sentences"]
    assert [line.cells[1].value for line in table.lines[:2]] == ["100.00", "failed"]
    assert [line.units for line in table.lines] == ["6", "6", "", "12"]
    assert [bool(line.cells[1].p) for line in table.lines] == [True, False, True, False]
    page = render_report(with_failure(result), resampling=FEW)
    assert "failed on fr: no file has its name." in page
    assert "averages are of 1 of 2 treebanks" in page


def test_failures_that_count_are_shown_with_what_they_count_as(result):
    found = break_down(with_failure(result, "zero"))
    (table,) = [table for table in found.tables if table.metric == "sentences"]
    assert (table.lines[1].cells[1].value, table.lines[1].cells[1].interval) == ("failed", "counts as 0.00")
    assert (table.lines[2].cells[1].value, table.lines[2].cells[1].gain) == ("50.00", "+50.00")
    assert any("counts as 0, or as 1 where less is better" in note for note in found.notes)


def test_one_system_has_no_tests_in_its_parts(result):
    found = break_down(replace(result, systems=result.systems[:1]).split("document"))
    assert len(found.tables) == 1
    assert not found.is_tested
    assert not any("test" in note.lower() for note in found.notes)


def test_no_average_is_best_where_systems_were_averaged_over_other_parts(result, tmp_path):
    failed = replace(result.systems[1], failure="no such file")
    parts = {"en": result, "fr": replace(result, systems=(result.systems[0], failed))}
    for table in break_down(Parts("treebank", parts)).tables:
        assert not any(cell.best for line in table.lines if line.is_average for cell in line.cells)
    parts = {"en": result, "fr": result}
    for table in break_down(Parts("treebank", parts)).tables:
        best = [any(cell.best for cell in line.cells) for line in table.lines]
        assert best == [best[0]] * 4


def test_a_failed_system_is_named(result):
    failed = replace(result.systems[1], failure="no such file <x>")
    page = render_report(replace(result, systems=(result.systems[0], failed)), resampling=FEW)
    assert "failed.</strong>" in page
    assert "no such file &lt;x&gt;" in page


def test_a_title_is_text(result):
    assert "<h1><bdi>&lt;i&gt;</bdi></h1>" in render_report(result, resampling=FEW, title="<i>")


def test_rare_labels_are_put_together():
    groups = [ErrorGroup("confused", "", (f"L{k:02}",), ("X",), 100 - k, (), 200) for k in range(40)]
    table = make_confusion_table("upos", groups)
    assert len(table.lines) == MOST_LABELS
    assert table.lines[-1].label == "others"
    assert table.n_labels == 41
    assert table.total == sum(100 - k for k in range(40))
    assert table.lines[0].share == "50.0%"
    assert make_confusion_table("upos", []) is None


@pytest.mark.issue(15)
def test_the_page_says_how_low_p_can_be(outline):
    """Six documents: two of 64 exchanges give as much as there is."""
    assert any("p cannot be below " in text for text in outline.text)


@pytest.mark.slow
def test_a_parser_on_a_large_treebank_has_a_page_and_a_file_of_few_bytes(data, tmp_path):
    """With examples of every metric and kind of error that there is."""
    folder = data / "systems/udpipe"
    result = evalign.score(folder / "English-EWT.gold.conllu", folder / "English-EWT.conllu")
    page = render_report(result, resampling=FEW)
    assert len(page.encode()) < 2_000_000
    result.save(tmp_path / "run.json")
    assert (tmp_path / "run.json").stat().st_size < 3_000_000
    system = result.systems[0]
    passages = system.evidence.passages([*system.scores], MOST_PASSAGES)
    assert (passages["total"], 200 <= passages["kept"] <= MOST_PASSAGES) == (1514, True)
    kept = {(error["metric"], error["kind"]) for passage in passages["list"] for error in passage["errors"]}
    located = {metric for metric, _ in kept}
    assert kept == {(metric, kind) for metric in located for kind in system.evidence.kinds(metric)}
