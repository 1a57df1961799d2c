"""Figures of passages in a real browser: railway, arcs, brackets; odd, long and right-to-left text."""

import pytest

from shown import (
    BRACKETS,
    HEBREW,
    KINDS,
    MERGED,
    ODD,
    TREE,
    choose,
    error,
    passage,
)

pytestmark = pytest.mark.slow


def test_each_kind_has_a_shape_of_its_own(show):
    page = show([KINDS])
    kinds = ["split", "merge", "shifted", "missing", "inserted", "rewritten"]
    for kind in kinds:
        assert page.locator(f".pv-railway .pv-kind-{kind} > .pv-shade").count() == 1, kind
    looks = page.evaluate(
        """(kinds) => kinds.map((kind) => {
            const shade = document.querySelector(`.pv-railway .pv-kind-${kind} > .pv-shade`);
            const look = getComputedStyle(shade);
            const form = shade.getAttribute("d").replace(/[-\\d. ]+/g, "");
            return [form, look.fill.startsWith("url"), look.fill === "none", look.strokeDasharray].join();
        })""",
        kinds,
    )
    assert len(set(looks)) == len(kinds)


def test_the_railway_shows_equal_text_once_and_other_text_twice(show):
    page = show([MERGED, KINDS])
    texts = page.locator(".pv-row").nth(0).locator(".pv-railway text.pv-text").all_text_contents()
    assert texts == ["He", "cannot", "go", ".", "Why", "?"]
    assert page.locator(".pv-row").nth(0).locator("rect.pv-rail.pv-gold").count() == 7
    assert page.locator(".pv-row").nth(0).locator("rect.pv-rail.pv-system").count() == 6
    assert page.locator(".pv-row").nth(0).locator(".pv-end-gold").count() == 1
    assert page.locator(".pv-row").nth(0).locator(".pv-end-both").count() == 1
    assert "2 gold sentences : 1 system sentence" in page.locator(".pv-row").nth(0).inner_text()
    twice = page.locator(".pv-row").nth(1).locator(".pv-railway text.pv-text").all_text_contents()
    assert twice[:3] == ["a", "a1", "a2"]


def test_lines_are_broken_at_the_width_of_the_page(show):
    long = passage(
        [" ".join(["word"] * 60)],
        [" ".join(["word"] * 60)],
        [60],
        error("upos", "confused", labels=["A", "B"]),
    )
    page = show([long])
    height = page.locator(".pv-railway").bounding_box()["height"]
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_function(
        f"() => document.querySelector('.pv-railway').getBoundingClientRect().height > {height} + 50"
    )
    box = page.locator(".pv-railway").bounding_box()
    assert box["x"] + box["width"] <= 500


def test_arcs_of_both_sides_are_drawn_and_told_apart(show):
    page = show([TREE])
    assert page.locator(".pv-arcs path.pv-arc").count() == 4 + 3
    assert page.locator(".pv-arcs .pv-shared").count() == 2  # root, above and below
    assert page.locator(".pv-arcs .pv-label-only .pv-relation").all_text_contents() == ["punct", "dep"]
    assert page.locator(".pv-arcs .pv-only.pv-side-gold .pv-relation").all_text_contents() == ["case", "det"]
    dashes = "(arc) => getComputedStyle(arc).strokeDasharray"
    assert page.locator(".pv-only.pv-side-gold path.pv-arc").first.evaluate(dashes) == "none"
    assert page.locator(".pv-only.pv-side-system path.pv-arc").first.evaluate(dashes) != "none"
    assert page.locator(".pv-arcs .pv-tag").all_text_contents() == ["NOUN", "PROPN"]
    page.get_by_label("shared arcs").uncheck()
    assert page.locator(".pv-arcs path.pv-arc").count() == 5
    page.get_by_label("trees").uncheck()
    assert page.locator(".pv-arcs").count() == 0


def test_labels_of_arcs_do_not_lie_on_each_other(show):
    n = 40  # a chain, an arc over all of it, and everything else on the first word
    heads = [-1, *(0 if k % 3 else k - 1 for k in range(1, n))]
    words = [f"w{k}" for k in range(n)]
    relations = ["root", *("nsubj:pass" if k % 2 else "obl" for k in range(1, n))]
    flat = passage(
        [" ".join(words)],
        [" ".join(words)],
        [n],
        error("las", "head"),
        words={
            "gold": words,
            "system": words,
            "gold_tokens": [*range(n)],
            "system_tokens": [*range(n)],
            "pairs": [*range(n)],
        },
        tree={
            "gold_heads": heads,
            "system_heads": heads,
            "gold_relations": relations,
            "system_relations": relations,
        },
    )
    page = show([flat])
    boxes = page.locator(".pv-arcs .pv-relation").evaluate_all(
        "(texts) => texts.map((text) => { const b = text.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; })"
    )
    assert len(boxes) == 2 * n
    for k, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[k + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom - 4 <= other[1] or other[3] - 4 <= top
            assert apart, (boxes[k], other)


def test_heads_outside_the_passage_are_stubs(show):
    outside = passage(
        ["a b"],
        ["a b"],
        [2],
        error("las", "head"),
        words={
            "gold": ["a", "b"],
            "system": ["a", "b"],
            "gold_tokens": [0, 1],
            "system_tokens": [0, 1],
            "pairs": [0, 1],
        },
        tree={
            "gold_heads": [-3, -2],
            "system_heads": [-1, 0],
            "gold_relations": ["obj", ""],
            "system_relations": ["root", "obj"],
        },
    )
    page = show([outside])
    assert page.locator(".pv-arcs path.pv-stub").count() == 1
    assert page.locator(".pv-arcs path.pv-root").count() == 1
    assert page.locator(".pv-arcs path.pv-arc").count() == 3


def test_brackets_stand_on_both_sides_of_the_text_and_crossing_ones_are_marked(show):
    page = show([BRACKETS])
    assert page.locator(".pv-icicle rect.pv-box").count() == 4 + 3
    crossing = page.locator(".pv-icicle .pv-crossing.pv-constituent")
    assert crossing.count() == 1
    assert crossing.locator("text").text_content() == "✕ XP"
    assert crossing.locator("rect.pv-box").evaluate("(box) => getComputedStyle(box).fill").startswith("url(")
    text = page.locator(".pv-icicle text.pv-text").first.bounding_box()
    for box in page.locator(".pv-icicle .pv-side-gold rect.pv-box").all():
        assert box.bounding_box()["y"] + box.bounding_box()["height"] <= text["y"] + 4
    for box in page.locator(".pv-icicle .pv-side-system rect.pv-box").all():
        assert box.bounding_box()["y"] >= text["y"] + text["height"] - 6
    # One over the other, not one on the other: brackets over the same tokens.
    chain = [box.bounding_box()["y"] for box in page.locator(".pv-icicle .pv-side-gold rect.pv-box").all()][
        2:
    ]
    assert chain[0] < chain[1]


def test_odd_text_is_shown_as_text(show):
    page = show([ODD])
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    shown = page.locator(".pv-railway text.pv-text").all_text_contents()
    assert shown[:2] == ["<script>boom()</script>", "<img/src=x/onerror=boom()>"]
    assert shown[2:5] == ["a␀b", "x•RLO•y", "z•ZWSP•z"]
    assert shown[5:] == ["e\u0301e\u0308", "👩\u200d👩\u200d👧", "end"]
    assert page.locator("#passages-root script, #passages-root img").count() == 0
    assert "\u202e" not in page.locator("#passages-root").inner_text()


def test_a_text_from_right_to_left_begins_at_the_right(show):
    page = show([HEBREW])
    boxes = [text.bounding_box() for text in page.locator(".pv-railway text.pv-text").all()]
    assert [box["x"] for box in boxes] == sorted((box["x"] for box in boxes), reverse=True)
    assert page.locator(".pv-railway text.pv-text").first.get_attribute("direction") == "rtl"
    # The first part of a word that was split is its right part.
    first, second = (
        rail.bounding_box()["x"] for rail in page.locator(".pv-kind-split .pv-rail.pv-system").all()
    )
    assert first > second


def test_long_tokens_and_long_passages_are_cut_and_open(show):
    token = "x" * 10_000
    words = [f"w{k}" for k in range(2000)]
    system = [*words[:900], "w", "900", *words[901:]]
    page = show(
        [
            passage(
                [f"{token} end"], [f"{token} ende"], [1, [1, 1]], error("tokens", "rewritten", (1, 2), (1, 2))
            ),
            passage(
                [" ".join(words)],
                [" ".join(system)],
                [900, [1, 2], 1099],
                error("tokens", "split", (900, 901), (900, 902)),
            ),
        ]
    )
    shown = page.locator(".pv-railway text.pv-text").first.text_content()
    assert len(shown) < 200
    assert "…" in shown
    row = page.locator(".pv-row").nth(1)
    gaps = row.locator(".pv-gap-text")
    assert gaps.all_text_contents() == ["… 886 tokens …", "… 1,085 tokens …"]
    row.locator(".pv-gap").first.click()
    assert row.locator(".pv-gap-text").first.text_content() == "… 586 tokens …"


def test_what_a_filter_asks_for_is_written_below_its_token(show):
    tagged = passage(
        ["a b"], ["a b"], [2], error("upos", "confused", (1, 2), (1, 2), labels=["NOUN", "VERB"])
    )
    page = show([tagged])
    assert page.locator(".pv-note").count() == 0
    choose(page, "metric", "upos")
    assert page.locator(".pv-note").all_text_contents() == ["NOUN → VERB"]
