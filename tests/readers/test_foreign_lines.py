"""Text files whose lines are not sentences are recognized: some are refused, some are read with a remark.

Plain text stays plain text, without a word.
"""

import re
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import InputError
from evalign.readers.chunks import ChunkReader, load_chunk
from evalign.readers.content import load
from evalign.readers.doctor import examine
from evalign.readers.formats import read_source, recognize
from evalign.text import Text

pytestmark = [pytest.mark.once, pytest.mark.issue(28)]

SENTENCES = [
    "The ferry left the harbour at noon .",
    "Nobody had told the crew , it seems .",
    "Rain fell on grey roofs and two boats .",
    "Did you see the bill ?",
] * 3
WORDS = [sentence.split() for sentence in SENTENCES]
ROWS = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\trained\train\tVERB\t_\t_\t0\troot\t_\t_\n\n"
TREES = "(S (NP (PRP It)) (VP (VBD rained)))\n(S (NP (NNP Rain)) (VP (VBD fell)))\n"


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def columns(separator, *tags):
    """One token per line, each with the tags in turn; a blank line behind each sentence."""
    return "\n".join(
        lines(separator.join([word, *(each[k % len(each)] for each in tags)]) for k, word in enumerate(words))
        for words in WORDS
    )


def tag(word):
    return "NOUN" if len(word) % 2 else "VERB"


REFUSED = [
    # what, content, what the message says
    ("CoNLL-2003", columns(" ", ["NN", "VB"], ["B-NP", "O"], ["B-PER", "O", "I-PER"]), "tags, column 4 of 4"),
    (
        "a document's mark",
        "-DOCSTART- -X- O\n\n" + columns(" ", ["NN"], ["O", "S-GPE"]),
        "tags, column 3 of 3",
    ),
    ("BILOU", columns(" ", ["U-drug", "O", "B-dose", "L-dose"]), "tags"),
    ("tags between tabs", columns("\t", ["O", "B-Ort", "I-Ort"]), "tags"),
    ("tags without labels", columns("\t", ["O", "B", "I"]), "tags"),
    ("labels before tags", columns(" ", ["O", "PER-B", "PER-I"]), "tags"),
    ("nothing but O", columns(" ", ["O"]), "tags"),
    ("bare tags, none O", columns(" ", ["B", "M", "E", "S"]), "tags"),
    (
        "tags before words",
        lines(f"{t} {w}" for words in WORDS for t, w in zip(["B-PER", "O", "O"] * 4, words, strict=False)),
        "column 1 of 2",
    ),
    ("a header above tags", "word tag\n" + columns(" ", ["O", "B-PER"]), "tags, column 2 of 2"),
    ("three rows", "Ada B-PER\nmet O\nBob B-PER\n", "tags"),
    ("a tag here and there", columns("\t", ["O"] * 20 + ["-"]), "tags"),
    ("a few odd rows", columns(" ", ["O", "B-PER"]) + "a\nb c d\n", "tags"),
    ("words and tags", columns("\t", ["NN", "VB"]), "2 columns between tabs"),
    ("ids and text", lines(f"s{k}\t{text}" for k, text in enumerate(SENTENCES)), "2 columns between tabs"),
    ("source and target", lines(f"{text}\t{text[::-1]}" for text in SENTENCES), "2 columns between tabs"),
    ("empty cells", lines(["s0\tIt rained .\t1", "s1\t\t", "s2\t\t0"]), "3 columns between tabs"),
    (
        "a row that is longer",
        lines([f"{t}\t{t}" for t in SENTENCES] + ["a\tb\tc"]),
        "table: 12 lines with 2 columns",
    ),
    (
        "rows between tags",
        "<s>\n" + columns("\t", ["DT", "NN"], ["the", "cat"]).replace("\n\n", "\n</s>\n<s>\n"),
        "table",
    ),
    ("numbered rows in a fence", "So:\n```\n1\tIt\tPRON\n2\trained\tVERB\n3\t.\tPUNCT\n```\n", "table"),
    ("lists of Python", lines(map(repr, WORDS)), "Python"),
    ("tuples of Python", lines(repr(tuple(words)) for words in WORDS), "Python"),
    ("dictionaries of Python", lines(repr({"text": text, "n": 1}) for text in SENTENCES), "Python"),
    ("arrays of numpy", lines("[" + " ".join(map(repr, words)) + "]" for words in WORDS), "Python"),
    ("lists of numbers", lines(["[1, 2, 3]", "[4, 5]", "[6]"]), "Python"),
    ("numbers for keys", lines(repr({k: text}) for k, text in enumerate(SENTENCES)), "Python"),
    ("a list that is cut", repr([*WORDS, *WORDS])[:-30], "Python"),
    ("a value over lines", "[['It', 'rained'],\n ['Rain', 'fell']]\n", "Python"),
]
INSIDE = [
    # what, content, its kind, where it stands, the first other line
    ("an answer", "Sure! Here it is:\n\n```conllu\n" + ROWS + "```\nBye!\n", "CoNLL-U", "lines 4 to 5 of 8", 1),
    ("a sentence before", "The parse follows.\n\n" + ROWS, "CoNLL-U", "lines 3 to 4 of 4", 1),
    ("a header", "ID\tFORM\tLEMMA\tUPOS\tXPOS\tFEATS\tHEAD\tDEPREL\tDEPS\tMISC\n" + ROWS, "CoNLL-U", "lines 2 to 3 of 3", 1),
    ("tabs as Python writes them", "So:\n" + ROWS.replace("\t", r"\t"), "CoNLL-U", "lines 2 to 3 of 3", 1),
    ("a tree between quotes", "".join(f"`{tree}`\n" for tree in TREES.splitlines()), "trees", "lines 1 to 2 of 2", 1),
    ("one row", "Result:\n1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n", "CoNLL-U", "line 2 of 2", 1),
    ("spaces for tabs", "```\n" + ROWS.replace("\t", "  ") + "```\n", "CoNLL-U", "lines 2 to 3 of 5", 1),
    ("a table of Markdown", lines("| " + row.replace("\t", " | ") + " |" for row in ROWS.split("\n") if row), "CoNLL-U", "lines 1 to 2 of 2", 1),
    ("thoughts", "<think>hm</think>\n# sent_id = 1\n" + ROWS, "CoNLL-U", "lines 2 to 4 of 4", 1),
    ("trees in a fence", "Here is the tree:\n```\n" + TREES + "```\n", "trees", "lines 3 to 4 of 5", 1),
    ("a comment", "; made by hand\n" + TREES, "trees", "lines 2 to 3 of 3", 1),
    ("a tree over lines", "```\n(S\n  (NP (PRP It))\n  (VP (VBD rained)))\n```\n", "trees", "lines 2 to 4 of 5", 1),
    ("numbered trees", lines(f"{k}. {tree}" for k, tree in enumerate(TREES.splitlines())), "trees", "lines 1 to 2 of 2", 1),
]  # fmt: skip
READ = [
    # what, content, what the remark says
    ("tags", lines(f"<PER>{text[:3]}</PER>{text[3:]}" for text in SENTENCES), 'between tags, such as "<PER>'),
    ("tags in every fourth line", lines(["a b .", "c d .", "e f .", "<PER>Ada</PER> left ."] * 9), "between tags"),
    ("labels in Markdown", lines(f"[{text[:3]}](PER){text[3:]}" for text in SENTENCES), r"\[The\]\(PER\)"),
    ("line breaks", lines(f"{text}<br>" for text in SENTENCES), "have a tag"),
    ("marks of sentences", lines(f"<s> {text} </s>" for text in SENTENCES), "between tags"),
    ("labels in brackets", lines(f"{text} [GPE]" for text in SENTENCES), "label in brackets"),
    ("word_TAG", lines(" ".join(f"{w}_{tag(w)}" for w in words) for words in WORDS), "_NOUN|_VERB"),
    ("word/TAG", lines(" ".join(f"{w}/{tag(w)}" for w in words) for words in WORDS), "/NOUN|/VERB"),
    ("word/lemma/TAG", lines(" ".join(f"{w}/{w}/{tag(w)}" for w in words) for words in WORDS), "word/.../TAG"),
    ("TAG_word", lines(" ".join(f"{tag(w)}_{w}" for w in words) for words in WORDS), "NOUN_|VERB_"),
    ("bars", lines(" ".join(f"{w}|N|O" for w in words) for words in WORDS), r"The\|N\|O"),
    ("labels", lines(["B-PER O O", "O B-LOC I-LOC O"] * 5), "are labels"),
    ("parts of speech", lines(["DET NOUN VERB", "PRON VERB ADP PUNCT"] * 5), "are labels such as"),
    ("word#TAG", lines(" ".join(f"{w}#{tag(w)}" for w in words) for words in WORDS), "word#TAG"),
    ("word-TAG", lines(" ".join(f"{w}-{tag(w)}" for w in words) for words in WORDS), "word-TAG"),
    *((form, lines(f"{form} {text}" for text in SENTENCES), "have a label") for form in ("[PER Ada]", "[Ada]PER", "Ada[PER]", "[[Ada]]", "{{Ada}}", "Ada/PER")),
    *((form, lines(f"{form} {text}" for text in SENTENCES), "begin with a (number|letter)") for form in ("#1", "1)", "a)", "(b)", "①", "१.")),
    ("CSV without a header", lines(f"{k},{text}" for k, text in enumerate(SENTENCES)), "begin with a number"),
    ("empty values", lines([*SENTENCES, "[]", "<NA>"]), "2 of 14 lines are missing values"),
    ("bytes of Python", lines(f"b'{text}'" for text in SENTENCES), "are strings"),
    ("escaped line ends", r"\n".join(SENTENCES) + "\n", "where lines should end"),
    ("output of a model", "Output:\n" + lines(SENTENCES), "assistant"),
    ("aligned words", lines(["0-0 1-1 2-3", "0-0 1-2"] * 5), "numbers"),
    ("numbers", lines(f"{k}. {text}" for k, text in enumerate(SENTENCES)), "begin with a number"),
    ("numbers in brackets", lines(f"({k}) {text}" for k, text in enumerate(SENTENCES)), "begin with a number"),
    ("bullets", lines(f"- {text}" for text in SENTENCES), "bullet"),
    ("quotations of a mail", lines(f"> {text}" for text in SENTENCES), "bullet"),
    ("a table of Markdown", "| n | text |\n|---|---|\n" + lines(f"| {k} | {t} |" for k, t in enumerate(SENTENCES)), "bar"),
    ("times", lines(f"[00:{k:02}.50] {text}" for k, text in enumerate(SENTENCES)), "time"),
    ("dates", lines(f"2026-01-{k + 1:02} {text}" for k, text in enumerate(SENTENCES)), "time"),
    ("ids", lines(f"utt_{k:03} {text}" for k, text in enumerate(SENTENCES)), "utt_000"),
    ("ids behind", lines(f"{text} (spk-{k:03})" for k, text in enumerate(SENTENCES)), "end in an id"),
    ("CSV", "id,text,label\n" + lines(f"{k},{text},x" for k, text in enumerate(SENTENCES)), r"between commas \(CSV\)"),
    ("CSV of Excel", "id;text;label\n" + lines(f"{k};{text};x" for k, text in enumerate(SENTENCES)), r"semicolons \(CSV\)"),
    ("bars between cells", lines(f"d{k}|{text}" for k, text in enumerate(SENTENCES)), "cells"),
    ("YAML", lines(f"- id: {k}\n  text: {text}" for k, text in enumerate(SENTENCES)), "YAML"),
    ("a token a line", "\n".join(lines(words) for words in WORDS), "have one token"),
    ("a token and its tag a line", "\n".join(lines(f"{w} {tag(w)}" for w in words) for words in WORDS), "label of the token before"),
    ("times of words", lines(f"sw1 A {k}.00 0.30 {w}" for k, w in enumerate(WORDS[0])), "have 5 columns"),
    ("empty cells", lines(f"bc/x 0 {k} {w} NN - - * -" for k, w in enumerate(WORDS[0])), "have 9 columns"),
    ("labels of lines", lines(f"__label__a {text}" for text in SENTENCES), "begin with a label"),
    ("strings of Python", lines(map(repr, SENTENCES)), "are strings"),
    ("closing tags", "<DOC>\n<TEXT>\n" + lines(SENTENCES) + "</TEXT>\n</DOC>\n", "2 of 16 lines are closing tags"),
    ("calls", lines(["Token(text='It', pos='PRON')"] * 3), "objects"),
    ("missing values", lines(["None", *SENTENCES, "None", "None"]), "3 of 15 lines are missing values"),
    ("not a number", lines(["nan"] * 9), "missing values"),
    ("objects", lines(["<generator object cut at 0x7f01>"]), "objects"),
    ("colours", lines(f"\x1b[31m{text}\x1b[0m" for text in SENTENCES), "terminal"),
    ("thoughts", "<think>\nThe user wants this.\n</think>\n" + lines(SENTENCES), "thoughts"),
    ("marks of turns", lines(SENTENCES) + "<|im_end|>\n", "marks of a language model's turns"),
    ("a fence of tildes", "~~~\n" + lines(SENTENCES) + "~~~\n", "2 of 14 lines are code fences"),
    ("a fence", "```\n" + lines(SENTENCES) + "```\n", "fences"),
    ("an answer", "Here are the sentences:\n\n" + lines(SENTENCES), "assistant"),
    ("a conflict", lines([*SENTENCES, "<<<<<<< HEAD", "a b .", "=======", "a b !", ">>>>>>> mine"]), "conflict"),
    ("raw text", lines(text.replace(" .", ".").replace(" ?", "?") for text in SENTENCES), "raw text"),
    ("raw Chinese", lines(["今天天气很好，我们去公园。", "他不喜欢吃苹果。", "明天见！"] * 2), "raw text"),
]  # fmt: skip
PLAIN = [
    # what, content
    ("sentences", lines(SENTENCES)),
    ("tabs between some tokens", "a\tb c\nd e\tf g\n"),
    ("odd signs", "It was 5 <b 6 and/or so [1] .\n1984 was cold .\n- he said\n"),
    ("a heading", "# a heading\n(laughs) well\n"),
    ("one line with a number", "1984 was cold .\n"),
    ("one token", "cat\n"),
    ("brackets", "( He left ( late ) ) .\n((see above) and (below))\n"),
    ("a word in parentheses with quotes", '("No")\n'),
    ("words joined by underscores", lines(["Hà_Nội là thủ_đô của Việt_Nam .", "Tôi sống ở thành_phố ."] * 4)),
    ("a URL", lines(["see http://a.example/b/c for more .", "or http://d.example/e ."] * 4)),
    ("one-token sentences", lines(["Yes", "No", "Stop", "Well", "Ah", "Oh", "Hey"])),
    (
        "verses",
        lines(
            [
                "O come , all ye faithful ,",
                "O come ye , O come ye to Bethlehem ;",
                "O come , let us adore Him .",
            ]
        ),
    ),
    (
        "sentences of three tokens",
        "\n".join(lines([f"{w} slept ."]) for w in ("Ada", "Bob", "Eve", "Joe", "Zoe", "Max", "Kim")),
    ),
    (
        "sentences of two tokens",
        "\n".join(lines([f"{w} !"]) for w in ("Help", "Go", "Stop", "No", "Yes", "Ah", "Oh")),
    ),
    ("code", lines(["def f ( x ) :", "return x + 1", "print ( f ( 2 ) )", "if ( a [ 0 ] ) :"])),
    (
        "lines with a tab at an end",
        lines(f"\t{text}" for text in SENTENCES) + lines(f"{text}\t" for text in SENTENCES),
    ),
    ("years behind", lines(["He left (1999)", "She came (2001)", "They won (2003)"])),
    ("words behind in brackets", lines(["He left (again)", "She came (late)", "They won (twice)"])),
    ("Korean years", lines(["1928년 골프장이 들어섰다", "1929년 문을 닫았다", "1930년 다시 열었다"])),
    ("direct speech", lines(['" Yes , " he said .', "' No . '", '"Maybe"', '"Never"', '"Well then"'])),
    (
        "words of other formats",
        lines(["#begin document is a line of CoNLL-2012", "diff --git is a command", "WEBVTT it is not"]),
    ),
    ("Thai", lines(["วันนี้ อากาศ ดี มาก", "เรา ไป สวน", "เขา มา แล้ว"])),
    ("Arabic", lines(["ذهب الولد إلى المدرسة .", "قرأ الكتاب .", "نام الطفل ."])),
    ("no text", ""),
    ("blank lines", "\n \n\n"),
]


def ids(rows):
    return [row[0] for row in rows]


def name_format(content, format="auto", name="a.txt"):
    return recognize(load(Text(content, name)), format)


@pytest.mark.parametrize(("content", "says"), [row[1:] for row in REFUSED], ids=ids(REFUSED))
def test_what_is_not_sentences_is_refused_unless_plain_text_is_named(content, says):
    with pytest.raises(InputError, match=says) as caught:
        name_format(content)
    assert '`system_format="plain"`' in str(caught.value)
    assert caught.value.place.lineno
    assert name_format(content, "plain") == ("plain", ())
    assert examine(Text(content)).severity == "error"
    with pytest.raises(InputError, match=says):
        ChunkReader(Text(content))


@pytest.mark.parametrize(("content", "kind", "where", "other"), [row[1:] for row in INSIDE], ids=ids(INSIDE))
def test_what_stands_inside_other_text_is_refused_without_advice_to_read_it_as_text(
    content, kind, where, other
):
    with pytest.raises(InputError) as caught:
        name_format(content)
    message = str(caught.value)
    assert f"{kind} in {where}; the first other line is {other}, " in message
    assert "plain" not in message
    assert name_format(content, "plain")[0] == "plain"


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CRLF", "CR"])
@pytest.mark.parametrize("content", [row[1] for row in REFUSED + INSIDE], ids=ids(REFUSED + INSIDE))
def test_line_ends_and_byte_order_marks_do_not_matter(content, end):
    with pytest.raises(InputError):
        name_format("\ufeff" + content.replace("\n", end))


@pytest.mark.parametrize("behind", ["Let me know!\n", "```\n", "<<<<<<< HEAD\n" + ROWS + "=======\n"])
@pytest.mark.parametrize("options", [{}, {"stream": 1024}], ids=str)
def test_other_lines_behind_conllu_are_named(behind, options):
    content = ROWS * 40 + behind
    for name in ("a.conllu", "a.txt"):
        with pytest.raises(InputError, match="CoNLL-U up to line 120; the first other line is 121") as caught:
            evalign.score(Text(ROWS), Text(content, name), **options)
        assert "plain" not in str(caught.value)
        assert ("merge conflict" in str(caught.value)) == behind.startswith("<")


def test_a_tree_file_by_its_name_is_read_as_before():
    document = read_source(Text("; made by hand\n" + TREES, "a.mrg"))
    assert document.format == "trees"
    assert document.n_sentences == 2


@pytest.mark.parametrize(("content", "says"), [row[1:] for row in READ], ids=ids(READ))
def test_what_is_scored_as_text_is_remarked_on_unless_plain_text_is_named(content, says):
    format, remarks = name_format(content)
    assert format == "plain"
    assert [remark for remark in remarks if re.search(says, str(remark))], list(map(str, remarks))
    assert len({remark.kind for remark in remarks}) == len(remarks)
    assert name_format(content, "plain") == ("plain", ())
    document = read_source(Text(content, "a.txt"))
    assert set(remarks) <= set(document.remarks)
    assert [finding for finding in examine(Text(content)).findings if re.search(says, finding.message)]


@pytest.mark.parametrize(("content", "says"), [row[1:] for row in READ], ids=ids(READ))
def test_parts_of_a_file_are_remarked_on_as_the_whole(content, says, tmp_path):
    # Behind 64 KiB of it, nothing else counts.
    path = tmp_path / "a.txt"
    text = content * (1 + 70_000 // len(content)) + "x y\n" * 50_000
    path.write_text(text, encoding="utf-8", newline="")
    whole = name_format(text, name=str(path))[1]
    with ChunkReader(path, chunk=5_000) as reader:
        reader.read_more()
        first, second = (reader.take_chunk(len(reader.sentence_ends) // 2) for _ in range(2))
    assert first.remarks == whole
    assert set(whole) <= set(load_chunk(first).remarks)
    assert second.remarks == ()


@pytest.mark.parametrize("content", [row[1] for row in PLAIN], ids=ids(PLAIN))
def test_plain_text_is_read_without_a_word(content):
    assert name_format(content) == ("plain", ())


def test_tokens_do_not_matter_where_only_sentences_are_scored():
    raw = Text(lines(text.replace(" .", ".") for text in SENTENCES), "a.txt")
    assert not evalign.score(raw, raw, metrics="sentences").warnings
    assert "raw text?" in evalign.score(raw, raw).warnings[0]


ROW_2009 = "{0}\tIt\tit\tit\tPRP\tPRP\t_\t_\t{1}\t{1}\tSBJ\tSBJ\t_\t_\n"
UNER = "# sent_id = 1\n1\tIt\tO\t-\tada\n2\tis\tO\t-\tada\n3\tRome\tB-LOC\t-\tada\n\n"


@pytest.mark.parametrize(
    ("content", "says", "never"),
    [
        (ROW_2009.format(1, 2) + ROW_2009.format(2, 0) + "\n", "CoNLL-2009", "cut -f"),
        (ROW_2009.format(1, 2).replace("\t_\t_\n", "\n") + "\n", "CoNLL-2009", "cut -f"),
        ("1\tIt" + 6 * "\t_" + 6 * "\t_" + "\n\n", "14 columns", "CoNLL-2009"),
        (ROWS.replace("\n\n", "\tX\n\n").replace("_\n2", "_\tX\n2"), "cut -f 1-10", "CoNLL-2009"),
        (UNER, "columns of tags, column 3 of 5", "fill an empty column"),
        ("# sent_id = 1\n1\tIt\tPRON\n2\trained\tVERB\n3\t.\tPUNCT\n\n", "3 columns between tabs", "fill"),
        (ROWS.replace("\tnsubj\t_\t_", "\tnsubj"), "fill an empty column", "other line"),
        (ROWS * 9 + "1\tIt\tit\n\n", "fill an empty column", "table"),
    ],
    ids=["CoNLL-2009", "CoNLL-2009 without predicates", "empty columns of CoNLL-U Plus", "CoNLL-U Plus", "tags", "three columns", "one broken row", "one broken row among many"],
)  # fmt: skip
def test_rows_of_other_formats_are_called_by_their_names(content, says, never):
    with pytest.raises(InputError) as caught:
        read_source(Text(content, "a.conllu"))
    assert says in str(caught.value)
    assert never not in str(caught.value)


@given(st.text(st.sampled_from("aB1 \t\n().|<>/_-:,;[]'\"\x1b"), max_size=200))
def test_no_text_makes_recognition_fail(content):
    try:
        name_format(content)
    except InputError as error:
        assert error.place.lineno <= content.count("\n") + 1  # noqa: PT017
    assert name_format(content, "plain")[0] == "plain"


@pytest.mark.large
def test_the_plain_text_of_treebanks_is_read_without_a_word(data):
    paths = sorted(data.glob("ud/*/*.conllu"))
    assert paths
    for path in paths:
        document = read_source(path)
        starts = document.sentences.tolist()[:2_000]
        texts = [" ".join(map(document.token, range(start, end))) for start, end in pairwise(starts)]
        assert name_format(lines(texts)) == ("plain", ()), path.name
