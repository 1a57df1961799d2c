"""Real systems and constructed cases: the official scripts' numbers, and evalign's where the scripts refuse.

The files are found through EVALIGN_DATA; these tests are skipped without it.
"""

import re
from pathlib import Path

import pytest
from bench.perturb import perturb

import evalign
from oracles import dependencies, enhanced

TREEBANKS = ["English-EWT", "French-GSD", "Korean-GSD", "Chinese-GSD"]
OFFICIAL = [
    "Tokens",
    "Sentences",
    "Words",
    "UPOS",
    "XPOS",
    "UFeats",
    "AllTags",
    "Lemmas",
    "UAS",
    "LAS",
    "CLAS",
    "MLAS",
    "BLEX",
]
METRICS = [name.lower() for name in OFFICIAL]


def expected_counts(path):
    """Rows of a table of counts: (correct, gold, system, aligned or None) by metric."""
    rows = {}
    for line in path.read_text().splitlines()[2:]:
        name, *cells = (cell.strip() for cell in line.split("|"))
        rows[name.lower()] = tuple(int(cell) if cell else None for cell in cells)
    return rows


def counts_of(score):
    aligned = score["aligned"] if "aligned" in score.metric.fields else None
    return score.correct, score.gold, score.system, aligned


@pytest.mark.parametrize("treebank", TREEBANKS)
def test_all_counts_of_the_official_script(data, treebank):
    folder = data / "systems/udpipe"
    result = evalign.score(folder / f"{treebank}.gold.conllu", folder / f"{treebank}.conllu", metrics=METRICS)
    # There is no XPOS in French, and the script counts _ as right.
    missing = [name for name in METRICS if not result[name].available]
    assert missing == (["xpos"] if treebank == "French-GSD" else [])
    for name, wanted in expected_counts(folder / f"{treebank}.expected.conll18-c.txt").items():
        if name not in missing:
            assert counts_of(result[name])[:3] == wanted[:3], name
            assert name == "words" or counts_of(result[name])[3] == wanted[3], name


@pytest.mark.large
@pytest.mark.parametrize(
    ("treebank", "content", "wlas"),
    [
        ("English-EWT", (0.6335, 0.6339), 0.6559),
        ("French-GSD", (0.6499, 0.6523), 0.7155),
        ("Korean-GSD", (0.3715, 0.3257), 0.3826),
        ("Chinese-GSD", (0.2574, 0.2754), 0.2985),
    ],
)
def test_typological_metrics_with_weights_from_gold_itself(data, tmp_path, treebank, content, wlas):
    from evalign.cli import main

    folder = data / "systems/udpipe"
    gold, system = folder / f"{treebank}.gold.conllu", folder / f"{treebank}.conllu"
    weights = tmp_path / "weights.json"
    assert main(["typology", "weights", str(gold), "-o", str(weights), "-q"]) == 0
    result = evalign.score(gold, system, metrics=["content", "wlas"], weights=weights)
    assert (result["content"].precision, result["content"].recall) == pytest.approx(content, abs=5e-5)
    assert result["wlas"].recall == pytest.approx(wlas, abs=5e-5)


ALTERED = {
    "English-EWT.altered-lower": ["lower"],
    "English-EWT.altered-ptbquotes": [],
    "French-GSD.altered-nfd": [],
    "French-GSD.altered-accents-stripped": ["accents"],
    "Korean-GSD.altered-nfd": [],
}


@pytest.mark.slow
@pytest.mark.large
@pytest.mark.parametrize(("altered", "normalize"), ALTERED.items())
def test_altered_characters_change_no_row(data, altered, normalize):
    treebank = altered.partition(".")[0]
    gold, unaltered = (data / f"systems/udpipe/{treebank}{end}.conllu" for end in (".gold", ""))
    system = data / f"systems/udpipe-altered/{altered}.conllu"
    metrics = [*METRICS, "allfeats", "content", "function"]
    for options in ({"match": "place"}, {"normalize": normalize}):
        wanted = evalign.score(gold, unaltered, metrics=metrics, match=options.get("match", "default"))
        found = evalign.score(gold, system, metrics=metrics, **options)
        for name in metrics:
            assert counts_of(found[name]) == counts_of(wanted[name]), (name, options)


@pytest.mark.slow
@pytest.mark.parametrize("treebank", TREEBANKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_perturbed_treebanks_are_counted_as_the_oracle_does(data, tmp_path, treebank, seed):
    text = (data / f"systems/udpipe/{treebank}.gold.conllu").read_text(encoding="utf-8")
    text = "\n\n".join(text.split("\n\n")[:400]) + "\n\n"
    other = perturb(text, 0.05, seed)
    (tmp_path / "gold.conllu").write_text(text, encoding="utf-8")
    (tmp_path / "system.conllu").write_text(other, encoding="utf-8")
    sides = [dependencies.read(side) for side in (text, other)]
    wanted = dependencies.official_counts(*map(dependencies.without_inner_spaces, sides))
    wanted |= enhanced.matched_counts(*sides)
    result = evalign.score(tmp_path / "gold.conllu", tmp_path / "system.conllu")
    assert 0.3 < result["las"].f1 < 1
    for name, score in result.systems[0].scores.items():
        official = {known.lower(): known for known in wanted}.get(name)
        if official:
            assert counts_of(score)[:3] == wanted[official][:3], name


def warned(text):
    return lambda result: any(re.search(text, warning) for warning in result.warnings)


def tolerated(**counts):
    def holds(result):
        ledger = result.ledger
        return all(getattr(ledger, name) == count for name, count in counts.items())

    return holds


def scores(**wanted):
    return lambda result: all(
        result[name].f1 is None if value is None else result[name].f1 == pytest.approx(value, abs=1e-4)
        for name, value in wanted.items()
    )


ALL = dict.fromkeys(["sentences", "tokens", "words", "upos", "lemmas", "uas", "las", "clas"], 1.0)


def all_but(**wanted):
    return scores(**{**ALL, **wanted})


# What `evalign score` does with each case: checks of the result, or what its refusal says.
CASES = {
    "01-nfd": [all_but(blex=1.0), lambda r: r.ledger.rules["nfc"].system == 2],
    "02-lowercase": [all_but(tokens=9 / 11, words=9 / 11, upos=9 / 11, lemmas=9 / 11, uas=9 / 11, las=9 / 11, clas=0.6)],
    "03-nbsp-in-form": [all_but()],
    "04-zwsp-in-form": [scores(sentences=1.0, tokens=10 / 11), tolerated(system_only=1)],
    "05-soft-hyphen-dropped": [scores(sentences=1.0, tokens=10 / 11), tolerated(gold_only=1)],
    "06-zwnj-dropped": [scores(sentences=1.0), tolerated(gold_only=1)],
    "07-quotes-normalised": [all_but(), lambda r: "quotes" in r.ledger.rules],
    "08-ellipsis": [all_but(), lambda r: "ellipsis" in r.ledger.rules],
    "09-hyphen-dropped": [scores(sentences=1.0, tokens=20 / 23), tolerated(gold_only=1)],
    "10-html-escape": [all_but(), lambda r: "xml" in r.ledger.rules],
    "11-nfkc-fullwidth": [scores(sentences=1.0), lambda r: r.ledger.rewritten > 0],
    "12-sys-truncated": [scores(sentences=2 / 3), warned("whole sentences missing: 1")],
    "13-sys-extra-sentence": [lambda r: r["tokens"].recall == 1.0, warned("extra: 1")],
    "14-sentence-order": [warned("sentences in another order"), lambda r: r["sentences"].f1 < 1],
    "15-two-roots": [all_but(uas=10 / 11, las=10 / 11, clas=0.8), warned(r":1: sentence with several roots")],
    "16-no-root-cycle": [all_but(uas=9 / 11, las=9 / 11, clas=0.6), warned(r"on a cycle of heads.*\(2 times, also at 5\)")],
    "17-cycle-with-root": [all_but(uas=9 / 11, las=9 / 11, clas=0.8), warned("on a cycle of heads")],
    "18-self-loop": [warned("on a cycle of heads"), lambda r: r["uas"].correct == 10],
    "19-head-out-of-range": [warned("HEAD beyond the sentence"), lambda r: r["uas"].correct == 10],
    "20-head-underscore": [all_but(uas=10 / 11, las=10 / 11), warned(":4: word without a HEAD")],
    "21-all-heads-underscore": [all_but(uas=None, las=None, clas=None), warned("no word has HEAD: uas, las")],
    "22-bad-id": r'22-bad-id.sys.conllu:4: ID is "5"\n  expected 4',
    "23-no-final-blank": [all_but(), warned("no empty line after the last sentence")],
    "24-double-blank": [all_but(), warned(":9: blank line with no sentence before it")],
    "25-crlf": [all_but(), warned("line ends are CRLF")],
    "26-bom": [all_but(), warned("byte order mark skipped")],
    "27-comment-inside": r":4: a comment inside a sentence\n  expected ten columns",
    "28-spaces-not-tabs": r":1: ten columns separated by spaces.*\n  expected ten columns separated by tabs\n  separate",
    "29-nbsp-only-form": [warned(":4: token of white space only")],
    "30-empty-node-in-mwt": [scores(words=1.0, las=1.0), warned("empty node among the words of a multiword token")],
    "31-mwt-bad-inner-id": [scores(words=1.0, las=1.0), warned("word number out of order inside a multiword token")],
    "32-mwt-head-underscore": [scores(words=1.0), warned("word without a HEAD")],
    "33-mwt-inner-space": [scores(tokens=1.0, words=1.0, las=1.0)],
    "34-mwt-vs-plain-different-forms": [scores(tokens=1.0, words=0.4, las=0.4)],
    "35-empty-system": [lambda r: [r[m].recall for m in ("tokens", "upos", "las")] == [0.0] * 3],
    "36-feat-order": [scores(ufeats=0.75, allfeats=0.75)],
    "37-feat-nonuniversal": [scores(ufeats=1.0), lambda r: r["allfeats"].f1 < 1],
    "38-gold-lemma-underscore": [scores(lemmas=1.0), warned("words: 1; whatever lemma a system gives there counts as right")],
    "39-deprel-case": [scores(las=0.75), warned('DEPREL "ROOT" differs from gold\'s "root" only in case')],
    "40-dup-deps": [scores(elas=1.0, eulas=1.0)],
    "41-deps-bad-head": [all_but(), warned(r":9: edge of DEPS from beyond the sentence")],
    "42-lone-CR": r":4: a carriage return inside a row",
    "43-u2028": [all_but()],
}  # fmt: skip


def test_every_case_has_a_row(data):
    assert {path.name.split(".")[0] for path in (data / "systems/ud-cases").glob("*.conllu")} == set(CASES)


@pytest.mark.parametrize("case", CASES)
def test_constructed_cases(data, case):
    gold, system = (data / f"systems/ud-cases/{case}.{side}.conllu" for side in ("gold", "sys"))
    wanted = CASES[case]
    if isinstance(wanted, str):
        with pytest.raises(evalign.InputError, match=wanted) as caught:
            evalign.score(gold, system)
        assert Path(caught.value.place.path).suffix == ".conllu"
        return
    result = evalign.score(gold, system)
    for number, holds in enumerate(wanted):
        assert holds(result), (number, result, result.warnings, result.ledger)
