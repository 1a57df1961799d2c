"""Reports of small inputs, word for word, and laws for reports of any input."""

import json
import re

import pytest
from hypothesis import given

import evalign
from evalign.alignment.alignment import AsRead
from evalign.errors import Place
from evalign.metrics.errors.all_errors import count_kinds, find_mismatches
from evalign.metrics.errors.mismatches import Mismatch, group_mismatches
from evalign.options import ScoreOptions
from evalign.reports.blocks import render_blocks, render_blocks_jsonl, view_blocks
from evalign.reports.diff import fit_places, render_diff, take_excerpt
from evalign.reports.errors import RankedErrors, render_errors
from evalign.reports.scores import long_table, only_value, render_scores, scores_json
from evalign.results.ledger import Ledger, LedgerRule, describe_ledger
from evalign.scoring.count import compare_documents
from evalign.wording import percent, width_of
from strategies import two_texts

GOLD = evalign.Text("Soup for six\nChop two onions .\nYou can't rush it .\n", "gold.txt")
ONE = evalign.Text("Soup for six Chop two onions .\nYou can 't rush it .\n", "runs/one.txt")
TWO = evalign.Text("Soup for six\nChop two onions .\nYou ca n't rush it .\n", "runs/two.txt")
LONG = " ".join(f"w{k}" for k in range(120))


def test_scores_in_markdown_and_latex():
    result = evalign.score(GOLD, ONE, TWO, metrics=["sentences", "pk"])
    assert render_scores(result, "markdown") == (
        "|  |  | correct | gold | system | precision | recall | F1 | gain |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        "| sentences | one | 1 | 3 | 2 | 50.00 | 33.33 | 40.00 |  |\n"
        "|  | two | 3 | 3 | 3 | **100.00** | **100.00** | **100.00** | +60.00 |\n"
        "\n"
        "|  | measure | one | two |\n"
        "| --- | --- | ---: | ---: |\n"
        "| Pk | error rate | 20.00 | **0.00** |\n"
    )
    assert render_scores(evalign.score(GOLD, ONE, metrics=["tokens"]), "latex") == (
        "\\begin{tabular}{lrrrrrr}\n"
        "\\toprule\n"
        " & correct & gold & system & precision & recall & F1 \\\\\n"
        "\\midrule\n"
        "tokens & 11 & 12 & 13 & 84.62 & 91.67 & 88.00 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_undefined_is_a_dash_and_null():
    result = evalign.score([], [])
    assert percent(None) == "-"
    assert only_value(result.systems[0], "tokens") == "-"
    assert scores_json(result)["systems"][0]["scores"]["tokens"]["f1"] is None
    assert ["<tokens>", "tokens", "f1", ""] in long_table(result).rows


def test_a_system_without_a_score_gains_nothing():
    text = render_scores(evalign.score([], [], [["a"]], metrics=["tokens"]), columns=80)
    assert text.splitlines()[2:4] == [
        "  <tokens>        0     0       0          -       -     -",
        "  <tokens>        0     0       1       0.00       -  0.00     -",
    ]


def test_a_ledger_in_words():
    rules = {"quotes": LedgerRule(0, 2), "gold-only": LedgerRule(1), "nfc": LedgerRule(3, 1200)}
    changes = (("-", "", 1), ("x" * 60, "\x1b", 2))
    as_read = AsRead(identical=998, made_equal=1002, different=1)
    ledger = Ledger(1000, 0, 1, 3, rules, {"1:1": 1084, "2:1": 3}, changes, as_read=as_read)
    assert describe_ledger(ledger, 60) == [
        "text differs (998 characters identical, 1,002 made equal, 1 not; 3 more in the system)",
        "tolerated: quotes made equal (2 in system tokens),",
        "  1 character only in gold,",
        "  composed to NFC (3 in gold and 1,200 in system tokens)",
        'most frequent changes: "-" -> nothing 1x,',
        '  "xxxxxxxxxxxx…xxxxxxxxxxx" -> "\\x1b" 2x',
        "blocks: 1,084 of 1:1, 3 of 2:1",
    ]


def mismatch(gold, system, metric="sentences", **fields):
    values = {"kind": "merge", "gold_place": Place("g.txt", 1), "system_place": Place("s.txt", 2), "start": 0}
    return Mismatch(metric, gold=gold, system=system, before="", after="", **{**values, **fields})


def test_a_diff_of_tokens_has_the_same_context_on_both_lines():
    [head, gold, system, _, *_] = "".join(
        render_diff(
            [
                Mismatch("tokens", "split", ("can't",), ("can", "'t"), Place("g", 1), Place("s", 1), 0,
                         "one two three four five six", "seven eight nine ten eleven twelve"),
            ],
            columns=40,
        )
    ).split("\n")  # fmt: skip
    assert head == "tokens split  gold g:1  system s:1"
    assert gold == "  - …ur five six [can't] seven eight…"
    assert system == "  + …ur five six [can ¦ 't] seven eight…"


RED, GREEN, END = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def test_a_diff_paints_only_the_words_that_differ():
    errors = [mismatch(("Soup for six .", "Chop two"), ("Soup for sixty . Chop two",))]
    [_, gold, system, *_] = "".join(render_diff(errors, columns=80, color=True)).split("\n")
    assert gold == f"  {RED}-{END} Soup for {RED}six{END} . {RED}¦{END} Chop two"
    assert system == f"  {GREEN}+{END} Soup for {GREEN}sixty{END} . Chop two"


def test_a_token_that_one_side_lacks_is_painted_without_its_context():
    missing = Mismatch("tokens", "missing", ("six",), (), Place("g", 1), None, 0, "Soup for", "Chop two")
    [_, gold, *_] = "".join(render_diff([missing], columns=80, color=True)).split("\n")
    assert gold == f"  {RED}-{END} Soup for {RED}[six]{END} Chop two"


def test_colours_change_no_line_of_a_diff():
    wide = " ".join(f"w{k}" for k in range(60))
    errors = [mismatch((f"{wide} .", f"x{wide}"), (f"{wide} . x{wide} {'y' * 90}",))]
    painted = "".join(render_diff(errors, columns=40, color=True))
    assert re.sub(r"\x1b\[\d+m", "", painted) == "".join(render_diff(errors, columns=40))


def test_places_are_shortened_step_by_step():
    places = [("gold", "gold.conllu:41"), ("system", "out.txt:3")]
    assert fit_places(places, 40) == "gold gold.conllu:41  system out.txt:3"
    assert fit_places(places, 30) == "gold.conllu:41  out.txt:3"
    assert fit_places(places, 24) == "…d.conllu:41  out.txt:3"


def test_a_long_sentence_is_shown_around_the_boundary():
    excerpt = take_excerpt([f"{LONG} end .", f"Begin {LONG}"], [f"{LONG} end . Begin {LONG}"], 80)
    assert "end . ¦ Begin w0" in excerpt.gold
    assert "end . Begin w0" in excerpt.system
    assert max(width_of(excerpt.gold), width_of(excerpt.system)) <= 160
    assert (excerpt.shown, excerpt.boundaries) == (1, 1)
    assert excerpt.gold.startswith("…w")
    assert excerpt.gold.endswith("…")


def test_the_boundary_is_found_where_the_texts_differ():
    excerpt = take_excerpt([f"{LONG} e-mail .", f"Begin {LONG}"], [f"{LONG} email . Begin {LONG}"], 80)
    assert "email . Begin w0" in excerpt.system


def test_only_some_of_many_boundaries_are_shown():
    parts = [f"Part {k} {LONG}" for k in range(9)]
    excerpt = take_excerpt(parts, [" ".join(parts)], 80)
    assert (excerpt.shown, excerpt.boundaries) == (3, 8)
    [head, *lines] = "".join(
        render_diff([mismatch(tuple(parts), (" ".join(parts),))], columns=80)
    ).splitlines()
    assert head == "sentences merge, 3 of 8 boundaries  gold g.txt:1  system s.txt:2"
    assert max(map(width_of, lines)) <= 80


def test_long_sentences_without_a_boundary():
    lost = take_excerpt([LONG], [], 40)
    assert lost.system == ""
    assert width_of(lost.gold) <= 80
    other = take_excerpt([f"{LONG} a {LONG}"], [f"{LONG} b {LONG}"], 40)
    assert " a w0" in other.gold
    assert " b w0" in other.system


def ranked(gold, system, *metrics):
    comparison, _ = compare_documents(gold, system, ScoreOptions())
    return [
        RankedErrors(m, count_kinds(comparison, m), group_mismatches(find_mismatches(comparison, m)))
        for m in metrics
    ]


def test_errors_in_markdown_and_latex():
    found = ranked(GOLD, ONE, "sentences", "tokens")
    assert render_errors(found, "markdown") == (
        "| count | kind | trigger | first example | first place |\n"
        "| ---: | --- | --- | --- | --- |\n"
        "| 1 | merge | no end mark | Soup for six ¦ Chop two onions . | gold.txt:1 |\n"
        "\n"
        "| count | kind | written | first place |\n"
        "| ---: | --- | --- | --- |\n"
        "| 1 | split | can't -\\> can 't | gold.txt:3 |\n"
    )
    assert "1 & split & can\\textquotesingle{}t -\\textgreater{} can" in render_errors(found, "latex")


def test_boundaries_stand_under_each_other():
    gold = [["A", "."], ["B", "!"], ["Some", "more", "of", "it"], ["Then", "."]]
    system = [["A", ".", "B", "!"], ["Some", "more", "of", "it", "Then", "."]]
    lines = render_errors(ranked(gold, system, "sentences"), columns=80).splitlines()[3::2]
    assert lines == ["                   A . ¦ B !", "       Some more of it ¦ Then ."]


@pytest.mark.slow
@given(two_texts())
def test_blocks_have_all_of_both_sides(pair):
    comparison, _ = compare_documents(pair.gold, pair.system, ScoreOptions())
    blocks = list(view_blocks(comparison))
    for side in ("gold", "system"):
        assert [s for block in blocks for s in getattr(block, side)] == getattr(pair, side)
        for block in blocks:
            tokens = [token for sentence in getattr(block, side) for token in sentence]
            assert [token for group in block.groups for token in getattr(group, side)] == tokens


@given(two_texts())
def test_blocks_have_what_is_correct_as_often_as_it_is_counted(pair):
    comparison, _ = compare_documents(pair.gold, pair.system, ScoreOptions())
    blocks = list(view_blocks(comparison))
    result = evalign.score(pair.gold, pair.system, metrics=["sentences", "tokens"])
    assert sum(block.correct for block in blocks) <= result["sentences"].correct
    assert sum(group.correct for block in blocks for group in block.groups) <= result["tokens"].correct


@given(two_texts())
def test_every_report_of_anything_fits_and_is_safe(pair):
    comparison, _ = compare_documents(pair.gold, pair.system, ScoreOptions())
    metrics = ("sentences", "tokens", "words")
    errors = [error for metric in metrics for error in find_mismatches(comparison, metric)]
    reports = [
        "".join(render_blocks(view_blocks(comparison), 80)),
        "".join(render_diff(errors, columns=80)),
        render_errors(ranked(pair.gold, pair.system, *metrics), columns=80),
    ]
    for report in reports:
        assert all(line.isprintable() and width_of(line) <= 80 for line in report.split("\n"))
        assert all(line == line.rstrip() for line in report.split("\n"))
    assert all(json.loads(line) for line in render_blocks_jsonl(view_blocks(comparison)))
