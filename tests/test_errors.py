"""Advice that errors give: what to install."""

import re
import tomllib
from pathlib import Path

import pytest

from evalign.errors import EXTRAS, advise_install

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


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
