"""Configurations: defaults, and messages about wrong ones."""

import pytest

from evalign.bitext.build.build import build_dataset
from evalign.bitext.build.config import read_config
from evalign.errors import InputError

LEAST = """\
pair = "fr-en"
documents.fr.path = "fr.tsv"
documents.en.path = ["en.tsv", "more.tsv"]
[[parallel]]
path = "pairs.tsv"
"""


@pytest.fixture
def read(tmp_path):
    """A function that reads a configuration from text."""

    def read(text):
        path = tmp_path / "config.toml"
        path.write_text(text, encoding="utf-8")
        return read_config(path)

    return read


def test_defaults_are_those_of_the_seed(read):
    config = read(LEAST)
    assert (config.seed, config.desync, config.shares) == (
        12345,
        "drop",
        {"sample": 2, "training": 49, "test": 49},
    )
    assert (config.planting.shortest_ratio, config.planting.longest_ratio) == (0.8, 1.2)
    french = config.languages[0]
    assert (french.shortest, french.longest, french.query, french.minimum_should_match) == (10, 20, 5, 70)
    assert (french.phrase_slop, french.pair_slop) == (5, 5)
    assert config.documents[1].path == ("en.tsv", "more.tsv")


def test_paths_begin_at_the_folder_of_the_file(read, tmp_path):
    assert read(LEAST).find("fr.tsv") == tmp_path / "fr.tsv"


def test_everything_can_be_set(read):
    config = read(
        'desync = "split"\nseed = 7\n'
        + LEAST
        + '[[parallel]]\nfirst = "a.fr"\nsecond = "a.en"\n'
        + "[links]\nsame_names = true\n[splits]\nsample = 0\ntraining = 1\ntest = 1\n"
        + "[planting]\ncandidates = 3\n[languages.fr]\nminimum_should_match = 20\n"
    )
    assert (config.desync, config.seed, config.shares) == ("split", 7, {"training": 1, "test": 1})
    assert config.parallel[1].paths == ("a.fr", "a.en")
    assert config.links.same_names == ("",)
    assert config.planting.candidates == 3
    assert config.languages[0].minimum_should_match == 20


def test_the_record_has_every_default(read):
    saved = read(LEAST).as_json()
    assert saved["seed"] == 12345
    assert saved["splits"] == {"sample": 2, "training": 49, "test": 49}
    assert saved["languages"]["fr"]["minimum_should_match"] == 70
    assert "le" in saved["languages"]["fr"]["stop_words"]
    assert saved["documents"]["en"] == {
        "language": "en", "path": ["en.tsv", "more.tsv"], "format": "auto", "genres": "",
    }  # fmt: skip


WRONG = [
    # what is wrong, the text, what the message has in it
    ("no TOML", LEAST + "seed 3\n", ["config.toml:6: not TOML"]),
    ("an unknown key", "sed = 3\n" + LEAST, ['unknown key "sed"', "did you mean seed?"]),
    ("an unknown key in a table", LEAST + "[planting]\nlongest = 2\n", ['"planting.longest"', "planting.longest_ratio?"]),
    ("an unknown key of a parallel input", LEAST + 'colums = ["first"]\n', ['"parallel[1].colums"', "columns?"]),
    ("a split that may be a usual one", LEAST + "[splits]\ntrain = 2\n", ['split "train" beside training', "training = 0 leaves it out"]),
    ("documents of another language", LEAST + '[documents.de]\npath = "x"\n', ['"documents.de"', "one of fr, en"]),
    ("settings of another language", LEAST + "[languages.de]\nquery = 3\n", ['"languages.de"']),
    ("an unknown setting of a language", LEAST + "[languages.fr]\nquerry = 3\n", ["querry", "query"]),
    ("a wrong setting of a language", LEAST + '[languages.fr]\nquery = "x"\n', ["query"]),
    ("no pair", LEAST.replace('pair = "fr-en"', ""), ['no "pair"']),
    ("a pair of one", LEAST.replace("fr-en", "fr"), ['pair: "fr"']),
    ("a pair of the same", LEAST.replace("fr-en", "en-en"), ["two languages"]),
    ("a code that is none", LEAST.replace("fr-en", "FR-en"), ['pair: "FR-en"']),
    ("a language without settings", LEAST.replace("fr", "xx"), ["xx", "[languages.xx]"]),
    ("no documents", LEAST.replace("documents.fr", "#"), ['no "documents.fr"']),
    ("no path", LEAST.replace("documents.fr.path", "documents.fr.format"), ["documents.fr.path: missing"]),
    ("an empty list of paths", LEAST.replace('["en.tsv", "more.tsv"]', "[]"), ["documents.en.path: nothing in it"]),
    ("a path twice", LEAST.replace("more", "en"), ["a path twice"]),
    ("no pairs", LEAST.split("[[")[0], ['no "parallel"']),
    ("one table of pairs", LEAST.replace("[[parallel]]", "[parallel]"), ["write [[parallel]]"]),
    ("one side of two files", LEAST.replace('path = "pairs.tsv"', 'first = "a"'), ["parallel[1]: first"]),
    ("one file and two", LEAST + 'first = "a"\nsecond = "b"\n', ["path, or first and second"]),
    ("an empty table of pairs", LEAST.replace('path = "pairs.tsv"', ""), ["nothing in it"]),
    ("a format for one file", LEAST + 'format = "moses"\n', ["first and second"]),
    ("a format that is none", LEAST + 'format = "tmxx"\n', ['did you mean "tmx"?']),
    ("a word for a number", 'seed = "one"\n' + LEAST, ['seed: "one"', "a whole number"]),
    ("a truth for a number", "seed = true\n" + LEAST, ["seed: true"]),
    ("a share below nothing", LEAST + "[splits]\ntest = -1\n", ["splits.test"]),
    ("a share that is no number", LEAST + "[splits]\ntest = nan\n", ["splits.test"]),
    ("a share that is no end of digits", LEAST + f"[splits]\ntest = {'9' * 400}\n", ["splits.test: a number too large"]),
    ("shares that cannot be added", LEAST + "[splits]\ntest = 1e308\n", ["splits.test: 1e+308", "from 0 to 1000000000"]),
    ("a seed whose digits cannot be shown", f"seed = 0x{'f' * 9000}\n" + LEAST, ["seed: a number too large"]),
    ("more hits than memory has room for", LEAST + "[planting]\ncandidates = 4294967296\n", ["candidates: 4294967296", "to 10000"]),
    ("a number for a string", LEAST.replace('"fr-en"', "3"), ["pair: 3", "a string"]),
    ("one file for both languages", LEAST.replace("fr.tsv", "en.tsv"), ['path of both languages: "en.tsv"']),
    ("no share at all", LEAST + "[splits]\nsample = 0\ntest = 0\ntraining = 0\n", ["all are 0"]),
    ("ratios that exclude each other", LEAST + "[planting]\nshortest_ratio = 2\n", ["longest_ratio, 1.2"]),
    ("a number for a table", "splits = 3\n" + LEAST, ["a table: [splits]"]),
    ("a list with a number", LEAST.replace('"en.tsv", "more.tsv"', '"en.tsv", 3'), ["a list of strings"]),
    ("desync that is none", 'desync = "dorp"\n' + LEAST, ['did you mean "drop"?']),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "text", "told"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_said_with_the_file(read, wrong, text, told):
    with pytest.raises(InputError) as raised:
        read(text)
    message = str(raised.value)
    assert "config.toml" in message
    for part in told:
        assert part in message


def test_a_config_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_config(tmp_path / "none.toml")


def test_a_config_nested_too_deeply(read):
    with pytest.raises(InputError, match="not TOML"):
        read("x = " + "[" * 100_000)


@pytest.mark.issue(15)
@pytest.mark.parametrize("outside", ["../x", "/etc/passwd", "link.tsv", "https://h/x", "file:///etc/passwd"])
@pytest.mark.parametrize(
    "text",
    [
        LEAST.replace("fr.tsv", "X"),
        LEAST.replace("more.tsv", "X"),
        LEAST.replace("pairs.tsv", "X"),
        LEAST.replace('path = "pairs.tsv"', 'first = "X"\nsecond = "b"'),
        LEAST.replace('path = "pairs.tsv"', 'first = "a"\nsecond = "X"'),
        LEAST.replace("[[", 'documents.en.genres = "X"\n[[', 1),
        LEAST + '[links]\npath = "X"\n',
        LEAST + '[languages.fr]\nstop_words = "X"\n',
    ],
)
def test_a_configuration_can_be_kept_to_a_folder(tmp_path, text, outside):
    (tmp_path / "link.tsv").symlink_to("/etc/passwd")
    path = tmp_path / "config.toml"
    path.write_text(text.replace("X", outside), encoding="utf-8")
    with pytest.raises(InputError, match="outside") as caught:
        read_config(path, stay_below=tmp_path)
    assert caught.value.place.path == str(path)
    path.write_text(text.replace("X", "c.tsv"), encoding="utf-8")
    (tmp_path / "c.tsv").write_text("le\n", encoding="utf-8")
    assert read_config(path, stay_below=tmp_path).pair == "fr-en"


@pytest.mark.issue(15)
def test_a_configuration_that_was_read_before_is_kept_to_a_folder_too(read, tmp_path):
    with pytest.raises(InputError, match="outside"):
        build_dataset(read(LEAST.replace("fr.tsv", "../fr.tsv")), tmp_path / "out", stay_below=tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_split_like_a_usual_one_is_taken_where_both_are_named(read):
    found = read(LEAST + "[splits]\ntrain = 2\ntraining = 0\nsample = 0\n")
    assert found.splits == (("test", 49.0), ("train", 2.0))
