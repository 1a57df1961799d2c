"""Error messages: what they suggest, when they list the valid names, and what they advise to install."""

import re
import tomllib
from pathlib import Path

import pytest

from evalign.errors import EXTRAS, CommandError, advise_install, find_nearest, suggest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = ["sentences", "tokens", "upos", "xpos", "las", "oov", "pk"]


def test_every_extra_is_known():
    assert EXTRAS.keys() == PROJECT["optional-dependencies"].keys()


@pytest.mark.parametrize("extra", EXTRAS)
def test_advice_names_the_packages_that_the_extra_installs(extra):
    requirements = [text.partition(";")[0] for text in PROJECT["optional-dependencies"][extra]]
    assert len(EXTRAS[extra]) == len(requirements)
    for package, requirement in zip(EXTRAS[extra], requirements, strict=True):
        assert package in (requirement, requirement.partition(">=")[0])


def test_versions_are_quoted_for_the_shell():
    assert advise_install("pandas") == "pip install pandas"
    assert advise_install("bitext") == 'pip install mwparserfromhell mwxml "tantivy>=0.26"'


@pytest.mark.parametrize("folder", ["src", "docs", "README.md", "CONTRIBUTING.md"])
def test_nothing_asks_to_install_evalign_from_a_package_index(folder):
    path = ROOT / folder
    files = [path] if path.is_file() else [*path.rglob("*.py"), *path.rglob("*.md")]
    assert files
    for file in files:
        assert not re.search(r"pip install [\"']?evalign", file.read_text(encoding="utf-8")), file


def test_the_page_on_installing_lists_every_extra_and_its_packages():
    page = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|(]*?) *(?:\(.*\) )?\|$", page, re.MULTILINE))
    for extra, packages in EXTRAS.items():
        assert rows[extra].split(", ") == [package.partition(">=")[0] for package in packages]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("tokenz", ["tokens"]),  # one letter replaced
        ("tokns", ["tokens"]),  # one dropped
        ("lsa", ["las"]),  # two swapped
        ("LAS", ["las"]),  # another case
        ("sent", ["sentences"]),  # the beginning
        ("lasso", ["las"]),  # more than the name
        ("pos", ["upos", "xpos"]),  # as near to both
        ("sentences-trained", []),  # something else about it
        ("foo", []),  # two of three letters replaced
        ("x", []),
        ("", []),
        ("t" * 100_000, []),
    ],
)
def test_only_what_is_near_is_suggested(name, near):
    assert find_nearest(name, NAMES) == near


def test_names_are_listed_only_where_none_is_near():
    near = str(CommandError("unknown", *suggest("tokenz", NAMES, "to list them")))
    assert near == 'unknown\n  did you mean "tokens"?'
    far = str(CommandError("unknown", *suggest("xyzzy", NAMES, "to list them")))
    assert far == "unknown\n  expected one of sentences, tokens, upos, xpos, las, oov, pk\n  to list them"


def test_what_is_expected_can_be_more_than_the_names():
    assert suggest("xyzzy", NAMES, expected="a metric, or a file") == ("a metric, or a file", "")
    assert suggest("tokenz", NAMES, expected="a metric, or a file") == ("", 'did you mean "tokens"?')


def test_a_suggestion_shows_control_characters():
    assert suggest("a\x1bbc", ["a\x1bbd"]) == ("", 'did you mean "a\\x1bbd"?')


def test_one_name_or_none_is_no_list():
    assert suggest("xyzzy", ["tokens"]) == ("tokens", "")
    assert suggest("xyzzy", []) == ("", "")
