"""Results to make pages of, and a browser that opens the pages."""

import base64
import hashlib
import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import evalign
import evalign.reports.html
from evalign.reports.html.page import render_report

ASSETS = Path(evalign.reports.html.__file__).parent

HOSTILE = (
    "<script>alert(1)</script>",
    "]]></script><script>alert(2)</script>",
    '"onmouseover="alert(3)',
    "{{7*7}}{%raw%}",
    "=HYPERLINK(1)",
    "עברית",
    "👩‍👩‍👧",
    "e\N{COMBINING ACUTE ACCENT}\N{COMBINING CEDILLA}",
    "&lt;b&gt;",
)
# White space and control characters cannot occur in a token, but they can in a name.
HOSTILE_NAMES = (*HOSTILE, "a\u2028b", "\u202eabc", "bell\x07 tab\t", "\N{COMBINING ACUTE ACCENT}", "x" * 300)


def policy_hash(text):
    """Return the hash by which a content security policy allows a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def assets_in(texts):
    """Return the names of the package's scripts and style sheets that are among `texts`."""
    files = {
        f"\n{path.read_text(encoding='utf-8')}": path.name for path in ASSETS.iterdir() if path.is_file()
    }
    return {files[text] for text in texts}


def sentence(words, tags, heads, relations):
    """Return a sentence in CoNLL-U."""
    rows = zip(words, tags, heads, relations, strict=True)
    return "".join(
        f"{k}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"
        for k, (word, tag, head, relation) in enumerate(rows, 1)
    )


def document(name, sentences):
    """Return a document in CoNLL-U."""
    return f"# newdoc id = {name}\n" + "\n".join(sentences) + "\n"


def chain(words, tag="NOUN", relation="dep"):
    """Return a sentence in which every word depends on the one before."""
    size = len(words)
    return sentence(words, [tag] * size, range(size), ["root", *[relation] * (size - 1)])


def write_run(folder, n_documents=6):
    """Write gold and two systems with errors in sentences, tokens, tags, relations and heads.

    Return the paths.
    """
    gold, one, two = [], [], []
    for k in range(n_documents):
        name = f"{('news', 'mail')[k % 2]}-{k:03}"
        first, second = ["The", "dogs", "can't", "run", "."], ["They", "sleep", "."]
        gold.append(document(name, [chain(first), chain(second, "VERB")]))
        one.append(document(name, [chain(first + second, "NOUN" if k % 3 else "PROPN", "obj")]))
        split = ["The", "dogs", "ca", "n't", "run", "."]
        two.append(document(name, [chain(split), chain(second, "VERB" if k % 2 else "AUX")]))
    for stem, texts in (("gold", gold), ("one", one), ("two", two)):
        (folder / f"{stem}.conllu").write_text("".join(texts), encoding="utf-8")
    return [folder / f"{stem}.conllu" for stem in ("gold", "one", "two")]


def make_run(folder, **options):
    """Return the result of scoring `write_run`'s files."""
    return evalign.score(*write_run(folder, **options))


def make_hostile(folder):
    """Return a result whose names, labels and tokens all try to break out of the page."""
    gold, system = [], []
    for k, name in enumerate(HOSTILE_NAMES):
        words = [HOSTILE[k % len(HOSTILE)], "and", HOSTILE[(k + 1) % len(HOSTILE)], "."]
        shown = "".join(c for c in name if c.isprintable())
        gold.append(document(f"{shown}-{k}", [chain(words, HOSTILE[k % 4], HOSTILE[k % 3])]))
        system.append(document(f"{shown}-{k}", [chain(words[:2], HOSTILE[(k + 1) % 4]), chain(words[2:])]))
    for stem, texts in (("gold", gold), ("system", system)):
        (folder / f"{stem}.conllu").write_text("".join(texts), encoding="utf-8")
    paths = [folder / "gold.conllu", *[folder / "system.conllu"] * 3]
    result = evalign.score(*paths)
    names = (HOSTILE_NAMES[0], HOSTILE_NAMES[9] + HOSTILE_NAMES[5], HOSTILE_NAMES[11])
    systems = tuple(
        replace(
            system, name=name, ledger=system.ledger._replace(substitutions=((HOSTILE[0], HOSTILE[1], 3),))
        )
        for system, name in zip(result.systems, names, strict=True)
    )
    units = [f"{name}{k}" for k, name in enumerate(HOSTILE_NAMES)]
    return replace(
        result,
        gold=HOSTILE[1],
        systems=systems,
        unit_names=units,
        warnings=(HOSTILE[0], HOSTILE[2], HOSTILE[3]),
    )


def write_page(result, path, **options):
    """Write the page of a result to `path`."""
    path.write_text(render_report(result, **options), encoding="utf-8")
    return path


class Watched:
    """A browser page that records its complaints: console messages, errors, dialogs and requests."""

    def __init__(self, page):
        self.page, self.complaints = page, []
        page.on("console", lambda message: self._note(message.type, message.text, "error", "warning"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", self._dismiss)
        page.on("request", self._look)

    def _note(self, kind, text, *bad):
        if kind in bad:
            self.complaints.append(f"{kind}: {text}")

    def _dismiss(self, dialog):
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _look(self, request):
        if not request.url.startswith(("file:", "blob:")):
            self.complaints.append(f"request: {request.url}")


@contextmanager
def open_browser():
    """Open chromium, driven by playwright; the test is skipped if either is missing."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no chromium to look at the page with")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()
