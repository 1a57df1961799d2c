"""What the CoNLL 2018 script refuses, `--strict` refuses."""

import csv
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalign.errors import InputError, StrictError
from evalign.readers import load, read_source
from evalign.readers.official import check_official
from evalign.text import Text
from readers.conllu_text import row, sentence


def check(text):
    check_official(load(Text(text, "x.conllu")))


REFUSED = [
    # what the script says, line number, text
    ("does not end with empty line", 1, sentence("a")[:-1]),
    ("does not end with empty line", 1, sentence("a")[:-2]),
    ("There are 0 roots in a sentence", 3, sentence("a") + "\n"),
    ("There are 0 roots in a sentence", 1, "\n" + sentence("a")),
    ("There are 0 roots in a sentence", 2, "# only a comment\n\n"),
    ("There are 0 roots in a sentence", 2, row("0.1", "x") + "\n"),
    ("There are 2 roots in a sentence", 3, row(1, "a", 0) + row(2, "b", 0) + "\n"),
    ("There is a cycle in a sentence", 2, row(1, "a", 1) + "\n"),
    ("There is a cycle in a sentence", 4, row(1, "a", 0) + row(2, "b", 3) + row(3, "c", 2) + "\n"),
    ('HEAD "2" points outside of the sentence', 2, row(1, "a", 2) + "\n"),
    ('HEAD "-1" points outside of the sentence', 3, row("1-1", "a") + row(1, "a", -1) + "\n"),
    ("HEAD cannot be negative", 1, row(1, "a", -1) + "\n"),
    ('Cannot parse HEAD "_"', 1, row(1, "a", "_") + "\n"),
    ('invalid literal for int() with base 10: "_"', 3, row("1-1", "a") + row(1, "a", "_") + "\n"),
    ('10 tab-separated columns: "\\ufeff# c"', 1, "\ufeff# c\n" + sentence("a")),
    ('Cannot parse word ID "\\ufeff1"', 1, "\ufeff" + sentence("a")),
    ("10 tab-separated columns", 2, row(1, "a", 0) + "# inside\n\n"),
    ("10 tab-separated columns", 1, row(1, "a b", 0).replace("\t", " ") + "\n"),
    ("10 tab-separated columns", 2, "# a\rb\n" + sentence("a")),
    ("10 tab-separated columns", 2, row("1-2", "ab") + "\n"),
    ("10 tab-separated columns", 1, row("1-2", "ab")),
    ("There is an empty FORM", 1, row(1, "", 0) + "\n"),
    ("There is an empty FORM", 1, row(1, "\u00a0\u3000 ", 0) + "\n"),
    ('Incorrect word ID "2" for word "a", expected 1', 1, row(2, "a", 0) + "\n"),
    ('Cannot parse word ID "x"', 1, row("x", "a", 0) + "\n"),
    ('Cannot parse multi-word token ID "1-2-3"', 1, row("1-2-3", "a") + "\n"),
    ('Incorrect word ID "2" for word "b", expected 3', 4,
     row("1-2", "ab") + row(1, "a", 0) + row("1.1", "x") + row(2, "b", 1) + "\n"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "lineno", "text"), REFUSED, ids=range(len(REFUSED)))
def test_what_the_script_refuses_is_refused_in_its_words(said, lineno, text):
    with pytest.raises(StrictError) as caught:
        check(text)
    message = str(caught.value)
    assert message.startswith(f"x.conllu:{lineno}: the CoNLL 2018 script refuses this: ")
    assert said in message
    assert "\n  expected " in message
    assert message.endswith("leave out --strict to score the file all the same")


ACCEPTED = {
    "nothing": "",
    "comments alone": "# a\n# b",
    "a sentence": sentence("a", "b"),
    "CRLF": sentence("a").replace("\n", "\r\n"),
    "CR": sentence("a").replace("\n", "\r"),
    "a space in a form": row(1, "1 000", 0) + "\n",
    "a form that is a line separator": row(1, "\u2028", 0) + "\n",
    "wrong numbers inside a multiword token": row("1-2", "ab") + row(8, "a", 2) + row("z", "b", 0) + "\n",
    "numbers that int reads": row("+1", "a", " ０ ") + row("0_2", "b", "+1") + "\n",
    "an empty node": row(1, "a", 0) + row("1.1", "_") + "\n",
    "an empty range": row("5-4", "x") + sentence("a"),
    "a root without its label": row(1, "a", 0, "dep") + "\n",
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_the_script_reads_is_not_refused(text):
    check(text)


def test_what_cannot_be_read_at_all_is_explained_even_when_strict():
    with pytest.raises(InputError, match="a comment inside a sentence") as caught:
        read_source(Text(row(1, "a", 0) + "# no\n\n"), strict=True)
    assert not isinstance(caught.value, StrictError)


def test_strict_says_nothing_of_plain_text():
    assert read_source(Text("A b .\n\n\nC"), strict=True).n_tokens == 4


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_long_chain_is_followed_in_linear_time(direction):
    size = 100_000
    assert size > sys.getrecursionlimit()
    root = 1 if direction < 0 else size
    rows = [row(k, "w", 0 if k == root else k + direction) for k in range(1, size + 1)]
    start = time.perf_counter()
    check("".join(rows) + "\n")
    assert time.perf_counter() - start < 10


def follows_to_root(heads):
    """Whether heads are a tree with one root: the slow way."""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen or not 0 <= heads[word - 1] <= len(heads):
                return False
            seen.add(word)
            word = heads[word - 1]
    return heads.count(0) == 1


@given(
    st.integers(1, 6).flatmap(lambda size: st.lists(st.integers(0, size + 1), min_size=size, max_size=size))
)
def test_trees_are_accepted_and_nothing_else(heads):
    text = "".join(row(k, "w", head) for k, head in enumerate(heads, 1)) + "\n"
    try:
        check(text)
    except StrictError:
        assert not follows_to_root(heads)
    else:
        assert follows_to_root(heads)


def official_outcomes(folder):
    with (folder / "official-outcomes.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {case: outcome for case, _, outcome, _ in rows[1:]}


def test_constructed_cases_end_as_the_script_ended(data):
    folder = data / "systems" / "ud-cases"
    outcomes = official_outcomes(folder)
    assert len(outcomes) == 43
    for case, outcome in outcomes.items():
        said = []
        for side in ("gold", "sys"):
            try:
                check_official(load(folder / f"{case}.{side}.conllu"))
            except StrictError as error:
                said.append((error.place.lineno, error.found))
        if not outcome.startswith("REFUSED") or "concatenation" in outcome:
            assert said == [], case
            continue
        [(lineno, found)] = said
        words, _, rest = outcome.partition(": ")[2].partition(" at line ")
        assert words.split("'")[0].strip() in found.replace(f":{lineno}", ""), case
        if rest:
            assert lineno == int(rest.partition(":")[0]), case


def test_strict_readings_differ_where_the_script_says_the_texts_differ(data):
    folder = data / "systems" / "ud-cases"
    for case, outcome in official_outcomes(folder).items():
        if outcome.startswith("REFUSED") and "concatenation" not in outcome:
            continue
        lines = [read_source(folder / f"{case}.{side}.conllu", strict=True).line for side in ("gold", "sys")]
        assert (lines[0] == lines[1]) == (not outcome.startswith("REFUSED")), case
