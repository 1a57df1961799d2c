"""Passages for the tests of the passages view, and a way to open reports of them."""

from contextlib import contextmanager

import evalign
from evalign.reports.html.markup import embed
from evalign.reports.html.page import render_report
from pages import Watched

UNIT = {
    "kind": "document",
    "names": ["letters", "news"],
    "starts": [0, 100],
    "length": 200,
    "fields": {"genre": ["private", "public"]},
}


def passage(gold, system, groups, *errors, **more):
    """Return a passage as it is saved in a report."""
    return {
        "unit": 0,
        "start": 0,
        "gold_place": "gold.txt:1",
        "system_place": "system.txt:1",
        "gold": gold,
        "system": system,
        "groups": groups,
        "errors": list(errors),
        **more,
    }


def error(metric, kind, gold=(0, 1), system=(0, 1), **more):
    """Return an error as it is saved in a passage."""
    return {"metric": metric, "kind": kind, "gold": list(gold), "system": list(system), **more}


MERGED = passage(
    ["He can not go .", "Why ?"],
    ["He cannot go . Why ?"],
    [1, [2, 1], 4],
    error("sentences", "merge", (0, 7), (0, 6), trigger="end mark"),
    error("tokens", "merge", (1, 3), (1, 2)),
)
SPLIT = passage(
    ["I saw Dr. Who ."],
    ["I saw Dr .", "Who ."],
    [2, [1, 2], 2],
    error("sentences", "split", (0, 5), (0, 6), trigger="abbreviation"),
    error("tokens", "split", (2, 3), (2, 4)),
    unit=1,
)
# By hand: "du" is two words in gold and one in the system's output. Of gold's arcs, root and punct are
# shared; case and det are not, because their words lack a partner. Of the system's three arcs, only case is
# not shared.
TREE = passage(
    ["du pain ."],
    ["du pain ."],
    [3],
    error("las", "label", (3, 4), (2, 3), labels=["punct", "dep"]),
    words={
        "gold": ["de", "le", "pain", "."],
        "system": ["du", "pain", "."],
        "gold_tokens": [0, 0, 1, 2],
        "system_tokens": [0, 1, 2],
        "pairs": [-1, -1, 1, 2],
    },
    tree={
        "gold_heads": [2, 2, -1, 2],
        "system_heads": [1, -1, 1],
        "gold_relations": ["case", "det", "root", "punct"],
        "system_relations": ["case", "root", "dep"],
        "gold_tags": ["ADP", "DET", "NOUN", "PUNCT"],
        "system_tags": ["ADP", "PROPN", "PUNCT"],
    },
)
BRACKETS = passage(
    ["the cat sat down"],
    ["the cat sat down"],
    [4],
    error("brackets", "crossing", (0, 2), (1, 3), labels=["NP", "XP"]),
    brackets={
        "gold": [[0, 4, "S", "right"], [0, 2, "NP", "wrong"], [2, 4, "VP", "right"], [2, 4, "VP", "wrong"]],
        "system": [[0, 4, "S", "right"], [1, 3, "XP", "crossing"], [2, 3, "VP", "wrong"]],
    },
)
KINDS = passage(
    ["a b c d e f g"],
    ["a1 a2 bc dx ex yf h"],
    [[1, 2], [2, 1], [2, 3], [1, 0], [0, 1], [1, 1]],
    error("tokens", "split"),
)
ODD = passage(
    [
        "<script>boom()</script> <img/src=x/onerror=boom()> a\x00b x\u202ey z\u200bz e\u0301e\u0308 👩\u200d👩\u200d👧 end"
    ],
    [
        "<script>boom()</script> <img/src=x/onerror=boom()> a\x00b x\u202ey z\u200b z e\u0301 e\u0308 👩\u200d👩\u200d👧 end"
    ],
    [4, [1, 2], [1, 2], 2],
    error("tokens", "split", (4, 5), (4, 6)),
)
HEBREW = passage(["שלום עולם ."], ["שלום עו לם ."], [1, [1, 2], 1], error("tokens", "split", (1, 2), (1, 3)))
ALL = [MERGED, SPLIT, TREE, BRACKETS, KINDS, ODD, HEBREW]


def make_report():
    """Return a report of two small systems, into which tests put passages."""
    texts = ("It is . He is .", "It is. He is .", "It is . He is")
    return render_report(evalign.score(*map(evalign.Text, texts)))


@contextmanager
def opener(browser, report, path):
    """Yield a function that opens a report with given passages.

    Any complaint of the browser fails the test.
    """
    opened = []

    def show(passages, *, total=None, unit=UNIT, second="", width=1200):
        page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        opened.append(Watched(page))
        text = put_passages(report, passages, total or len(passages), unit, second)
        path.write_text(text, encoding="utf-8")
        page.goto(path.as_uri())
        return page

    yield show
    for watched in opened:
        watched.page.context.close()
        assert watched.complaints == []


def put_passages(report, passages, total, unit, second):
    """Replace the passages of a report.

    `passages` becomes the first system's list; `second` is the data of the other system.
    """
    systems = [
        {"name": "one.txt", "short": "one", "failure": ""},
        {"name": "two.txt", "short": "two", "failure": ""},
    ]
    facts = {"version": "0", "runs": [{"name": "", "gold": "gold.txt", "systems": systems, "unit": unit}]}
    kept = {"total": total, "kept": len(passages), "list": passages}
    blocks = {
        'id="run"': embed(facts),
        'class="passages" data-run="0" data-system="0"': embed(kept),
        'class="passages" data-run="0" data-system="1"': second or embed({**kept, "list": passages[:1]}),
    }
    for attributes, data in blocks.items():
        before, start, rest = report.partition(f'<script type="application/json" {attributes}>')
        assert start
        report = f"{before}{start}{data}</script>{rest.partition('</script>')[2]}"
    return report


def choose(page, name, value):
    """Choose an option in the list with this name."""
    page.locator(".pv-field", has=page.get_by_text(name, exact=True)).locator("select").select_option(value)


def count(page):
    """Return the text of the page that says how many passages there are."""
    return page.locator(".pv-count").inner_text()


def settle(page):
    """Wait until the page has searched for what was typed and has drawn the result."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
