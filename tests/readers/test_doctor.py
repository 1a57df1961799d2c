"""Examinations: facts, findings with severity and advice, and never an exception for an unreadable file."""

import gzip
import io

import pytest
from hypothesis import given, strategies as st

from evalign.readers.doctor import examine
from evalign.text import Text
from readers.conllu_text import row, sentence


def found(report, severity):
    return [str(finding) for finding in report.findings if finding.severity == severity]


def test_a_good_file_has_nothing_to_note():
    text = "# newdoc id = d\n# newpar\n# sent_id = 1\n# text = A b.\n" + sentence("A", "b", ".")
    report = examine(Text(text, "gold.conllu"))
    assert report.severity == "ok"
    assert found(report, "ok") == [
        "encoding ASCII",
        "normal form ASCII",
        "1 sent_id, each its own",
        "1 comments # text agree with the tokens",
    ]
    assert (report.name, report.format, report.error) == ("gold.conllu", "conllu", "")
    sizes = report.sizes
    assert (sizes.sentences, sizes.tokens, sizes.words, sizes.documents, sizes.paragraphs) == (1, 3, 3, 1, 1)
    assert (sizes.characters, sizes.heads, sizes.texts, sizes.sentence_ids) == (3, 3, 1, 1)


def test_sizes_of_words_and_nodes():
    text = (
        row("1-2", "zum", "_")
        + row(1, "zu", 3)
        + row(2, "dem", 3)
        + row("2.1", "_")
        + row(3, "Haus", 0)
        + "\n"
    )
    sizes = examine(Text(text)).sizes
    assert (sizes.tokens, sizes.words, sizes.multiword_tokens, sizes.empty_nodes, sizes.heads) == (
        2,
        3,
        1,
        1,
        3,
    )
    assert (sizes.longest_token, sizes.longest_sentence) == ("Haus", 2)


def test_plain_text_has_sizes_too():
    report = examine(Text("A b .\n\nC d e .\n"))
    assert (report.format, report.sizes.sentences, report.sizes.paragraphs, report.sizes.tokens) == (
        "plain",
        2,
        2,
        7,
    )
    assert report.severity == "ok"


def test_bytes_are_described(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("\ufeffé b\r\nc d\r\ne\n".encode(), mtime=0))
    stored = examine(path).stored
    assert (stored.size, stored.compression, stored.encoding, stored.bom) == (
        path.stat().st_size,
        "gzip",
        "UTF-8",
        True,
    )
    assert stored.line_ends == {"LF": 1, "CRLF": 2}
    assert "line ends of several kinds (1 LF, 2 CRLF)" in " ".join(found(examine(path), "warning"))
    assert found(examine(Text("a\r\n")), "note") == [
        "line ends are CRLF: evalign reads them as LF; other programs may not"
    ]
    assert "line ends are CR: " in " ".join(found(examine(Text("a\rb\r")), "warning"))


@pytest.mark.parametrize(
    ("text", "form"),
    [("abc", "ASCII"), ("字", "NFC"), ("café", "NFC"), ("cafe\u0301", "NFD"), ("café cafe\u0301", "mixed")],
)
def test_normal_forms(text, form):
    assert examine(Text(text + "\n")).characters.normal_form == form


def test_characters_that_nobody_sees_are_counted():
    characters = examine(Text("a\u00adb\u200b\u200b \x01 c\u00a0d\u2028e\n")).characters
    assert characters.formats == {"U+00AD SOFT HYPHEN": 1, "U+200B ZERO WIDTH SPACE": 2}
    assert characters.controls == {"U+0001": 1}
    assert characters.spaces == {"U+00A0 NO-BREAK SPACE": 1, "U+2028 LINE SEPARATOR": 1}


def test_text_that_was_decoded_wrongly_is_seen():
    assert "looks like UTF-8 read as Latin-1" in " ".join(found(examine(Text("cafÃ© .\n")), "warning"))
    assert "2 replacement characters" in " ".join(found(examine(Text("caf\ufffd \ufffd\n")), "warning"))
    assert found(examine(Text("São Â ã €\n")), "warning") == []


def test_ids_that_are_missing_or_repeated_have_places():
    text = "# sent_id = a\n" + sentence("A") + sentence("B") + "# sent_id = a\n" + sentence("C")
    warnings = found(examine(Text(text)), "warning")
    assert warnings[0].startswith("1 of 3 sentences without sent_id, at line 4")
    assert warnings[1].startswith('1 sent_id used more than once, at lines 2 ("a"), 7 ("a")')
    assert any(note.startswith("no sent_id") for note in found(examine(Text(sentence("A"))), "note"))


def test_texts_that_disagree_with_the_tokens_have_places():
    text = "# text = A b.\n" + sentence("A", "b.") + "# text = C d.\n" + sentence("C", ".")
    [warning] = found(examine(Text(text)), "warning")
    assert warning.startswith("1 of 2 comments # text differ from the tokens, at lines 5")


def test_what_reading_tolerates_is_a_warning():
    [warning] = found(examine(Text(sentence("A") + "\n", "a.conllu")), "warning")
    assert warning == "a.conllu:3: blank line with no sentence before it"


def test_what_the_official_script_refuses_is_noted():
    notes = found(examine(Text(row(1, "a", "_") + "\n")), "note")
    assert any("the CoNLL 2018 script refuses this: Cannot parse HEAD" in note for note in notes)


def test_raw_text_is_told_from_tokens():
    raw = "I came home. It was late.\nNobody was there.\nWhere were they?\n"
    assert any("is this raw text?" in warning for warning in found(examine(Text(raw)), "warning"))
    tokens = raw.replace(".", " .").replace("?", " ?")
    assert found(examine(Text(tokens)), "warning") == []


def test_an_empty_file_is_a_warning():
    report = examine(Text(""))
    assert report.error == ""
    assert any("no token in the file" in warning for warning in found(report, "warning"))


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"caf\xe9\n", "byte 3 (0xE9) is not UTF-8"),
        (b"\x89PNG\0", "binary data"),
        (gzip.compress(b"a b c d e f\n" * 100, mtime=0)[:-9], "gzip data that ends early"),
        (b"1\ta\t_\t_\n", "4 columns"),
    ],
)
def test_an_unreadable_file_has_an_error(data, part):
    report = examine(io.BytesIO(data))
    assert part in report.error
    assert report.severity == "error"
    assert part in " ".join(found(report, "error"))
    assert report.document is None
    assert report.stored.size == len(data)


def test_a_missing_file_has_an_error(tmp_path):
    report = examine(tmp_path / "none.txt")
    assert report.error.startswith(f"{tmp_path / 'none.txt'}: no such file")
    assert report.name == str(tmp_path / "none.txt")
    assert examine(tmp_path).severity == "error"


@given(
    st.one_of(st.binary(max_size=60), st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
)
def test_any_bytes_can_be_examined(data):
    report = examine(io.BytesIO(data))
    assert (report.document is None) == bool(report.error)
    str(report)
