"""Exception lists: those shipped by language, and a user's file."""

import pytest

from evalign.alignment.normalize import load_exceptions, shipped_languages
from evalign.errors import CommandError, InputError


def written(tmp_path, text):
    path = tmp_path / "list.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_english_contractions_are_shipped():
    assert "en" in shipped_languages()
    english = load_exceptions("en")
    expected = {
        "ca": "can", "wo": "will", "sha": "shall", "n't": "not", "n’t": "not", "'ll": "will", "’ll": "will",
        "'re": "are", "'ve": "have", "'m": "am", "gon": "going", "na": "to",
    }  # fmt: skip
    assert expected.items() <= english.items()


@pytest.mark.parametrize("language", shipped_languages())
def test_shipped_lists_are_of_use(language):
    for key, value in load_exceptions(language).items():
        assert key == key.lower()
        assert key != value
        assert value.isalpha()


def test_every_apostrophe_has_its_typographic_twin():
    english = load_exceptions("en")
    for key, value in english.items():
        if "'" in key:
            assert english[key.replace("'", "’")] == value


def test_a_file_of_ones_own(tmp_path):
    path = written(tmp_path, "# mine\n\nbzgl.\tbezüglich\nz.B.\tzum Beispiel\r\nbzgl.\tbezüglich\n")
    assert load_exceptions(str(path)) == {"bzgl.": "bezüglich", "z.B.": "zumBeispiel"}


def test_an_empty_file_lists_nothing(tmp_path):
    assert load_exceptions(str(written(tmp_path, ""))) == {}


@pytest.mark.parametrize(
    ("text", "lineno", "found"),
    [
        ("a\tb\nca can\n", 2, '1 column, "ca can"\n  expected two columns separated by a tab'),
        ("a\tb\tc\n", 1, "3 columns"),
        ("a\tb\nc\t\n", 2, "an empty column"),
        ("\tb\n", 1, "an empty column"),
        ("a\tb\n#\na\tc\n", 3, '"a" stands for "c", and at line 1 for "b"'),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path, text, lineno, found):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load_exceptions(str(path))
    assert str(caught.value).startswith(f"{path}:{lineno}: {found}")


@pytest.mark.parametrize("language", ["xx", "german", "de-AT"])
def test_an_unknown_language_lists_those_there_are(language):
    with pytest.raises(CommandError, match=f'no exception list for "{language}"\n  expected en, or the path'):
        load_exceptions(language)


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_exceptions(str(tmp_path / "none.tsv"))


def test_a_file_may_have_a_bare_name(tmp_path, monkeypatch):
    (tmp_path / "mine").write_text("a\tb\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_exceptions("mine") == {"a": "b"}
