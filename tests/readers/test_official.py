"""Input that the official scripts refuse is refused in their words.

All other input is read as they read it.
"""

import csv
import io
import sys
from unicodedata import category

import pytest
from hypothesis import given, settings, strategies as st

from evalign.errors import InputError, StrictError
from evalign.options import ScoreOptions
from evalign.readers.content import load
from evalign.readers.formats import read_source
from evalign.readers.official import canonical, check_official, official_tokens
from evalign.readers.official_errors import OfficialError, OfficialTokens, texts_differ
from evalign.text import SPACE_SEPARATORS, Text
from readers.conllu_text import row, sentence


def check(text):
    check_official(load(Text(text, "x.conllu")))


def outcome(text, dialect, **options):
    """What the script would raise and say, or None."""
    try:
        check_official(load(Text(text, "x.conllu")), dialect, **options)
    except OfficialError as error:
        return f"{error.raised}: {error.said}"
    return None


def edges(number, form, head, deps):
    return row(number, form, head)[:-4] + f"{deps}\t_\n"


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
    assert message.endswith("leave out `strict=` to score the file all the same")


WIDE = "".join(chr(0xFF10 + k) for k in (0, 1))
# What both scripts raise and say.
SAID = [
    ("UDError: The CoNLL-U file does not end with empty line", sentence("a")[:-1]),
    ("UDError: The CoNLL-U line does not contain 10 tab-separated columns at line 2: '# in \x1b{}'",
     row(1, "a", 0) + "# in \x1b{}\n\n"),
    ("UDError: The CoNLL-U line does not contain 10 tab-separated columns at line 1: '\ufeff# c'",
     "\ufeff# c\n" + sentence("a")),
    ("UDError: The CoNLL-U line does not contain 10 tab-separated columns at line 2: '2\tb'",
     row(1, "a", 0) + "2\tb\rc" + row(2, "b", 1) + "\n"),
    ("UDError: There is an empty FORM in the CoNLL-U file at line 2", "# c\r\n" + row(1, "\u3000", 0) + "\n"),
    ("UDError: Cannot parse multi-word token ID '-1-2' at line 1", row("-1-2", "a") + "\n"),
    ("UDError: Cannot parse word ID 'x' at line 1", row("x", "a", 0) + "\n"),
    ("UDError: Cannot parse word ID '\ufeff1' at line 1", "\ufeff" + sentence("a")),
    ("UDError: Incorrect word ID ' 5' for word 'ab', expected '1' at line 1", row(" 5", "a b", 0) + "\n"),
    ("UDError: Cannot parse HEAD '_' at line 1", row(1, "a", "_") + "\n"),
    ("UDError: HEAD cannot be negative at line 1", row(1, "a", -1) + "\n"),
    ("ValueError: invalid literal for int() with base 10: '_'", row("1-1", "a") + row(1, "a", "_") + "\n"),
    ("ValueError: invalid literal for int() with base 10: \"'\"", row("1-1", "a") + row(1, "a", "'") + "\n"),
]  # fmt: skip


@pytest.mark.issue(3)
@pytest.mark.parametrize("dialect", ["conll18", "udtools"])
@pytest.mark.parametrize(("said", "text"), SAID, ids=range(len(SAID)))
def test_both_scripts_say_the_same(said, text, dialect):
    assert outcome(text, dialect) == said


NODES = row("1-2", "ab") + row(1, "a", 0) + row("1.1", "x") + row(2, "b", 1) + "\n"
SAID_APART = [
    # conll18, udtools, text
    ("UDError: There are 0 roots in a sentence at line 1",
     "UDError: There is a sentence with 0 tokens (possibly a double blank line) at line 1", "\n"),
    ("UDError: There are 2 roots in a sentence at line 3",
     "UDError: There are multiple roots in the sentence that ends at 3", row(1, "a", 0) + row(2, "b", 0) + "\n"),
    ("UDError: There is a cycle in a sentence at line 2",
     "UDError: There is a cycle in the sentence that ends at line 2", row(1, "a", 1) + "\n"),
    ("UDError: HEAD '+2' points outside of the sentence at line 2",
     "UDError: HEAD '+2' points outside of the sentence that ends at line 2", row(1, "a", "+2") + "\n"),
    ("UDError: The CoNLL-U line does not contain 10 tab-separated columns: '# c'",
     "UDError: The CoNLL-U line does not contain 10 tab-separated columns at line 2: '# c'",
     row("1-2", "ab") + "# c\n\n"),
    ("UDError: The CoNLL-U line does not contain 10 tab-separated columns: ''",
     "UDError: The CoNLL-U file ends in an unfinished MWT at line 1", row("1-2", "ab") + "\n"),
    ("UDError: The CoNLL-U line does not contain 10 tab-separated columns: ''",
     "UDError: The CoNLL-U file ends in an unfinished MWT at line 2", row("1-2", "ab") + row(1, "a", 0)),
    ("UDError: Incorrect word ID '2' for word 'b', expected '3' at line 4", None, NODES),
    (None, "ValueError: not enough values to unpack (expected 2, got 1)", edges(1, "a", 0, "0:root|") + "\n"),
    (None, "ValueError: invalid literal for int() with base 10: 'x'", edges(1, "a", 0, "x:root") + "\n"),
    (None, "IndexError: list index out of range", edges(1, "a", 0, "2:nsubj") + "\n"),
    (None, "IndexError: list index out of range", edges(1, "a", 0, "-1:nsubj") + "\n"),
    (None, "IndexError: cannot fit 'int' into an index-sized integer",
     edges(1, "a", 0, f"{10**20}:nsubj") + "\n"),
    # The edges of a word come right after its heads, and before the heads of the next word.
    ("UDError: There is a cycle in a sentence at line 3", "IndexError: list index out of range",
     edges(1, "a", 0, "9:x") + row(2, "b", 2) + "\n"),
    ("UDError: There is a cycle in a sentence at line 3",
     "UDError: There is a cycle in the sentence that ends at line 3",
     row(1, "b", 1) + edges(2, "a", 0, "9:x") + "\n"),
]  # fmt: skip


@pytest.mark.issue(3)
@pytest.mark.parametrize(("conll18", "udtools", "text"), SAID_APART, ids=range(len(SAID_APART)))
def test_each_script_has_its_own_words(conll18, udtools, text):
    assert outcome(text, "conll18") == conll18
    assert outcome(text, "udtools") == udtools


@pytest.mark.issue(3)
def test_the_options_of_udtools_change_what_is_refused():
    two_roots = row(1, "a", 0) + row(2, "b", 0) + "\n"
    assert outcome(two_roots, "udtools", multiple_roots_okay=True) is None
    assert outcome(NODES, "udtools", no_empty_nodes=True) == (
        f"UDError: The collapsed CoNLL-U line still contains empty nodes at line 3: {row('1-2', 'ab')[:-1]}"
    )
    outside = row(1, "a", 0) + row("1.1", "x") + "\n"
    assert outcome(outside, "udtools", no_empty_nodes=True) == (
        f"UDError: The collapsed CoNLL-U line still contains empty nodes at line 2: {row('1.1', 'x')[:-1]}"
    )
    collapsed = edges(1, "a", 0, "0:root|0.1:x") + "\n"
    assert outcome(collapsed, "udtools") is None
    assert outcome(collapsed, "udtools", no_empty_nodes=True) == (
        "UDError: The collapsed CoNLL-U file still contains references to empty nodes at line 2: "
    )


def test_a_refusal_by_udtools_says_where_what_and_what_to_do():
    with pytest.raises(StrictError) as caught:
        check_official(load(Text(edges(1, "a", 0, "2:nsubj") + "\n", "x.conllu")), "udtools")
    assert str(caught.value) == (
        'x.conllu:2: the UD tools script refuses this: list index out of range: DEPS of word 1 has head "2"\n'
        "  expected a number from 0 to 1\n"
        "  evalign score reads the file all the same"
    )


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


CANONICAL = [
    # what is loose, what it means to conll18, and to udtools if that differs
    ("numbers that int reads", row("+1", "a", f" {WIDE[0]} ") + row("0_2", "b", "01") + "\n",
     row(1, "a", 0) + row(2, "b", 1) + "\n", None),
    ("a range with other numbers", row("7 - +8", "ab") + row(7, "a", 0) + row("z", "b", WIDE[1]) + "\n",
     row("1-2", "ab") + row(1, "a", 0) + row(2, "b", 1) + "\n", None),
    ("a range in a range", row("1-1", "a") + row("2-3", "a", 0) + row(2, "b", 1) + "\n",
     row("1-1", "a") + row(1, "a", 0) + row(2, "b", 1) + "\n", None),
    ("a range without words", row(1, "a", 0) + row("9-2", "b") + "\n",
     row(1, "a", 0) + row("2-1", "b") + "\n", None),
    ("a bare CR", "# c\r" + row(1, "a b", 0) + "\r", row(1, "a b", 0) + "\n", None),
    ("an empty node with two dots", row("0..1", "x") + sentence("a"), sentence("a"), None),
    ("a byte order mark before an empty node", "\ufeff" + row("0.1", "x") + sentence("a"), sentence("a"), None),
    ("an empty node in a range", row("1-2", "ab") + row(1, "a", 0) + row("1.x", "x", 1) + row(3, "b", 1) + "\n",
     row("1-2", "ab") + row(1, "a", 0) + row(2, "x", 1) + row(3, "b", 1) + "\n",
     row("1-2", "ab") + row(1, "a", 0) + row(2, "b", 1) + "\n"),
    ("heads in DEPS", row("01", "a", 0) + edges(2, "b", 1, "+1:x:y>z|1.1:u|x.y:v|-1:w|-0:r") + "\n",
     row(1, "a", 0) + edges(2, "b", 1, "+1:x:y>z|1.1:u|x.y:v|-1:w|-0:r") + "\n",
     row(1, "a", 0) + edges(2, "b", 1, "1:x:y>z|1.1:u|1:w|0:r") + "\n"),
    ("an empty DEPS", row("01", "a", 0) + edges(2, "b", 1, "") + "\n",
     row(1, "a", 0) + edges(2, "b", 1, "") + "\n", row(1, "a", 0) + edges(2, "b", 1, "_") + "\n"),
]  # fmt: skip


@pytest.mark.issue(3)
@pytest.mark.parametrize(("kind", "text", "conll18", "udtools"), CANONICAL, ids=[row[0] for row in CANONICAL])
def test_loose_input_is_written_in_plain_form(kind, text, conll18, udtools):
    content = load(Text(text))
    assert canonical(content, "conll18").decode() == conll18
    assert canonical(content, "udtools").decode() == (udtools or conll18)


@pytest.mark.parametrize("dialect", ["conll18", "udtools"])
def test_plain_input_stays_as_it_is(dialect):
    rows = row("1-2", "ab") + row(1, "a", 0) + row(2, "b", 1) + row("2.1", "x") + edges(3, "c", 600, "600:x")
    content = load(Text("# c\n" + rows + "".join(row(k, "w", 1) for k in range(4, 601)) + "\n# end"))
    assert canonical(content, dialect) is content.data


def test_what_is_refused_has_no_plain_form():
    with pytest.raises(OfficialError, match="cycle"):
        canonical(load(Text(row("+1", "a", 1) + "\n")), "conll18")
    both = row("+1", "a", 0) + row(2, "b", 0) + "\n"
    assert canonical(load(Text(both)), "udtools", multiple_roots_okay=True).decode() == both.replace("+", "")


def test_forms_lose_the_spaces_of_unicode():
    assert set(SPACE_SEPARATORS) == {chr(k) for k in range(sys.maxunicode + 1) if category(chr(k)) == "Zs"}


def tokens(name, *forms):
    return OfficialTokens(name, forms, range(2, len(forms) + 2))


FIRST = "The concatenation of tokens in gold file and in system file differ!\n"


@pytest.mark.issue(3)
def test_texts_that_differ_are_told_in_the_words_of_the_scripts():
    gold = tokens("g", *"abcdefghijkl", "mX", *"nop", "q" * 30)
    system = tokens("s", "ab", *"cdefghijkl", "mYn", "o")
    last = f"First 20 differing characters in gold file: 'Xnop{'q' * 16}' and system file: 'Yno'"
    assert texts_differ(gold, system, "conll18").said == FIRST + last
    told = (
        "File 'g':\n"
        "  Token no. 12 on line no. 13 is the last one with all characters reproduced in the other file.\n"
        "  The previous 10 tokens are 'c d e f g h i j k l'.\n"
        f"  The next 5 tokens are 'mX n o p {'q' * 30}'.\n"
        "File 's':\n"
        "  Token no. 11 on line no. 12 is the last one with all characters reproduced in the other file.\n"
        "  The previous 10 tokens are 'c d e f g h i j k l'.\n"
        "  The next 2 tokens are 'mYn o'.\n"
    )
    assert texts_differ(gold, system, "udtools").said == FIRST + told + last
    assert texts_differ(gold, gold, "udtools") is None


@pytest.mark.issue(3)
def test_texts_that_differ_from_the_start_or_at_the_end_are_told_so():
    last = "First 20 differing characters in gold file: 'ab' and system file: ''"
    error = texts_differ(tokens("g", "ab"), tokens("s"), "udtools")
    assert error.said == f"{FIRST}The error occurs right at the beginning of the two files.\n{last}"
    assert str(error.place) == "s"
    error = texts_differ(tokens("g", "ab"), tokens("s", "a", "c"), "udtools")
    assert error.said.startswith(
        f"{FIRST}The error occurs right at the beginning of the two files.\nFile 's':\n  Token no. 1 on line no. 2 is"
    )
    assert str(error).startswith("s:3: the UD tools script refuses this: The concatenation of tokens")


def test_tokens_are_those_of_the_script_at_their_lines():
    text = (
        "# c\n"
        + row("5-6", "a b")
        + row(1, "a", 0)
        + row(2, "b", 1)
        + row("2.1", "x")
        + row(3, "c", 1)
        + "\n"
    )
    assert official_tokens(load(Text(text, "x")), "udtools") == OfficialTokens("x", ["ab", "c"], [2, 6])


def test_what_cannot_be_read_at_all_is_explained_even_when_strict():
    with pytest.raises(InputError, match="a comment inside a sentence") as caught:
        read_source(Text(row(1, "a", 0) + "# no\n\n"), options=ScoreOptions(strict=True))
    assert not isinstance(caught.value, StrictError)


def test_strict_says_nothing_of_plain_text():
    assert read_source(Text("A b .\n\n\nC"), options=ScoreOptions(strict=True)).n_tokens == 4


@pytest.mark.slow
@pytest.mark.parametrize("direction", [-1, 1])
def test_a_long_chain_is_followed_in_linear_time(direction):
    size = 100_000
    assert size > sys.getrecursionlimit()
    root = 1 if direction < 0 else size
    rows = [row(k, "w", 0 if k == root else k + direction) for k in range(1, size + 1)]
    check("".join(rows) + "\n")


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


def test_strict_readings_differ_where_the_script_says_the_texts_differ(data):
    folder = data / "systems" / "ud-cases"
    with (folder / "official-outcomes.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for case, _, outcome, *_ in rows[1:]:
        if outcome.startswith("REFUSED") and "concatenation" not in outcome:
            continue
        lines = [
            read_source(folder / f"{case}.{side}.conllu", options=ScoreOptions(strict=True)).line
            for side in ("gold", "sys")
        ]
        assert (lines[0] == lines[1]) == (not outcome.startswith("REFUSED")), case


# A document with all that the scripts look at, and what may become of its columns.
ROWS = [
    "# c", row("1-2", "ab"), edges(1, "a", 2, "0:root|2:x"), row("1.1", "x"), edges(2, "b", 0, "1.1:y"), row(3, "c", 2), "",
    "# d", edges(1, "d e", 0, "-1:x"), row("2-3", "f"), row(2, "f", "+1"), edges(3, "g", 2, "3:z"), "",
]  # fmt: skip
NUMBERS = [
    "_", "", "0", "1", "2", "3", "9", "-1", "+1", " 2", "1_0", WIDE[1], "²", "x", ".", "1.1", "0.x", "1-2", "3-2", "2-2",
    "1-9", "-", "#", "{}", "'", "9" * 99,
]  # fmt: skip
VALUES = {
    0: NUMBERS,
    1: ["", "\u3000", "\u2028", "a\rb", "a b"],
    6: NUMBERS,
    8: [
        "",
        "0:x",
        "4:x",
        "-2:x",
        "-9:x",
        "x:y",
        "+1:x",
        "0:x|1.1:x",
        "x.y:z",
        ":",
        "|",
        "x",
        "9" * 99 + ":x",
    ],
}
LINES = ["", " ", "#", "# c\rd", "\t" * 9, row("1.1", "e"), row("3-2", "e"), row("1-1", "e"), row(1, "e", 0)]


@st.composite
def broken_documents(draw):
    rows = [text.removesuffix("\n").split("\t") for text in ROWS]
    full = [columns for columns in rows if len(columns) == 10]
    for columns in draw(st.lists(st.sampled_from(full), max_size=3)):
        column = draw(st.sampled_from([0, 1, 6, 6, 8, 8]))
        columns[column] = draw(st.sampled_from(VALUES[column]))
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(rows)))
        rows[at : at + draw(st.integers(0, 1))] = [
            draw(st.sampled_from(LINES)).removesuffix("\n").split("\t")
        ]
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    text = "".join("\t".join(columns) + end for columns in rows)
    return draw(st.sampled_from([*[""] * 9, "\ufeff"])) + text[: draw(st.sampled_from([*[None] * 9, -1, -9]))]


@pytest.fixture(scope="module")
def udeval():
    return pytest.importorskip("udtools.udeval")


def load_with_udtools(udeval, data, options):
    """What udtools makes of a file: its words and tokens, or how it ends."""
    try:
        ud = udeval.load_conllu(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"), "x", options)
    except (udeval.UDError, ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}", None
    numbers = {id(word): k for k, word in enumerate(ud.words, 1)}  # None and 0 stay what they are
    words = [
        (word.span.start, word.is_multiword, word.columns[1:6], word.columns[7], numbers.get(id(word.parent)))
        for word in ud.words
    ]
    deps = [(numbers.get(id(head), head), path) for word in ud.words for head, path in word.columns[8]]
    return None, (ud.characters, [(span.start, span.end) for span in ud.tokens + ud.sentences], words, deps)


@pytest.mark.issue(3)
@settings(max_examples=150)
@given(broken_documents(), st.booleans(), st.booleans())
def test_udtools_refuses_and_reads_the_same(udeval, text, multiple_roots_okay, no_empty_nodes):
    options = {"multiple_roots_okay": multiple_roots_okay, "no_empty_nodes": no_empty_nodes}
    refused, read = load_with_udtools(udeval, text.encode(), options)
    assert outcome(text, "udtools", **options) == refused
    if read:
        plain = canonical(load(Text(text)), "udtools", **options)
        assert load_with_udtools(udeval, plain, options) == (None, read)
