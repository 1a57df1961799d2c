"""The documentation site: it has every page and every public name, and loads nothing from other servers.

`make docs` builds it and names its folder in EVALIGN_SITE; without that, tests of the built pages are
skipped.
"""

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import evalign

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
SITE = Path(os.environ["EVALIGN_SITE"]).resolve() if "EVALIGN_SITE" in os.environ else None
# Made when the site is built (tools/site.py).
GENERATED = {
    "changelog.md",
    "contributing.md",
    "reference/commands.md",
    "reference/metrics.md",
    "reference/terms.md",
}
built = pytest.mark.skipif(
    SITE is None, reason="EVALIGN_SITE is not set: `make docs` builds the site and tests it"
)


def nav():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    return re.findall(r": (\S+\.md)$", text, re.MULTILINE)


def test_every_page_is_listed_once():
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(nav()) == sorted({*pages, *GENERATED})


def test_every_public_name_is_in_the_reference():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = re.findall(r"^::: (\S+)$", text, re.MULTILINE)
    assert sorted(shown) == sorted(
        f"{home}.{name}"
        for home, names in evalign._MODULES.items()
        for name in names.split()
        if name != "__version__"
    )


@built
def test_examples_in_docstrings_become_code():
    from tools.docstrings import fence_doctests

    text = "Adds.\n\n>>> 1 + 1\n2\n\nAnd more:\n\n>>> 2\n2"
    assert fence_doctests(text) == (
        "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nAnd more:\n\n```pycon\n>>> 2\n2\n```"
    )
    assert fence_doctests("No example.") == "No example."


def test_pictures_are_small():
    for path in (ROOT / "docs" / "pictures").glob("*"):
        assert path.stat().st_size < 200_000, f"{path.name} is too large for a page"


class Links(HTMLParser):
    """Anchors of a page, its links, and what it loads."""

    def __init__(self, page):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors |= {found.get("id"), found.get("name")}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag in ("script", "img", "iframe", "source", "video", "audio") and found.get("src"):
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") not in ("canonical", "prev", "next", "alternate"):
            self.loaded.append(found["href"])


@pytest.fixture(scope="module")
def pages():
    return {path: Links(path) for path in SITE.rglob("*.html")}


@built
def test_nothing_is_loaded_from_elsewhere(pages):
    for path, page in pages.items():
        outside = [address for address in page.loaded if urlsplit(address).scheme or address.startswith("//")]
        assert not outside, f"{path.name} loads {outside}"
    for style in SITE.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", style.read_text(encoding="utf-8")), (
            style.name
        )


@built
def test_links_of_built_pages_lead_somewhere(pages):
    """Also those that only the built pages have: between the API's names, to metrics and commands."""
    for path, page in pages.items():
        if path.name == "404.html":  # its addresses begin at the root of a server
            continue
        for link in page.links:
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            there = (path.parent / unquote(address.path)).resolve() if address.path else path
            assert there.exists(), f"{path.name} links to {link}, which is not there"
            if address.fragment and there in pages and address.fragment != "__skip":
                wanted = unquote(address.fragment)
                assert wanted in pages[there].anchors, (
                    f"{path.name} links to {link}, a place that is not there"
                )


@built
def test_every_metric_has_a_place(pages):
    from evalign.metrics.definitions.catalogue import load_definitions
    from evalign.metrics.registry import METRICS

    metrics = pages[SITE / "reference" / "metrics.html"].anchors
    terms = pages[SITE / "reference" / "terms.html"].anchors
    assert {*METRICS} <= metrics
    assert {*load_definitions()} <= metrics | terms
