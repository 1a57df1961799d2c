"""Pictures of reports for the documentation: `make pictures` takes them with chromium, driven by playwright.

They show only the examples of this repository. Each picture is a section of a page, at twice the size at
which it is shown and with few colours, so that it stays sharp and small.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "pictures"
CORPUS = "examples/corpus"
SYSTEMS = [f"{CORPUS}/{name}.conllu" for name in ("baseline", "second", "third")]
# Arguments of `evalign score` for each report.
REPORTS = {
    "corpus": [f"{CORPUS}/gold.conllu", *SYSTEMS, "--metrics", "sentences,tokens,words,upos,las,mlas"],
    "trees": ["examples/gold.mrg", "examples/system.mrg", "--preset", "document-parsing"],
}
COLORS = 255
MARGIN = 24
MOST_BYTES = 200_000


class Shot(NamedTuple):
    """A picture: its report and section, a script to run before it is taken, and its largest height."""

    name: str
    report: str
    section: str
    script: str = ""
    height: int = 900
    scheme: str = "light"


def open_passages(**filters: object) -> str:
    """Return the script that a click on a cell or a bar runs: it opens the passages with these errors."""
    return f"window.evalign.passages.open({filters!r})"


def choose(section: str, number: int, option: str) -> str:
    """Return a script that chooses `option` in the list with this `number` in `section`."""
    element = f"document.querySelectorAll('{section} select')[{number}]"
    return (
        f"(() => {{ const list = {element}; "
        f"list.selectedIndex = [...list.options].findIndex(each => each.text.startsWith('{option}')); "
        "list.dispatchEvent(new Event('change', {bubbles: true})) })()"
    )


# Turns trees off; other pictures show them.
WITHOUT_TREES = (
    "[...document.querySelectorAll('#passages label')]"
    ".find(label => label.textContent.trim() === 'trees').querySelector('input').click()"
)
SHOTS = (
    Shot("report", "corpus", "body", height=860),
    Shot("dark", "corpus", "body", height=860, scheme="dark"),
    Shot("overview", "corpus", "#overview", height=1600),
    Shot(
        "railway",
        "corpus",
        "#passages",
        f"{open_passages(run=0, system=0, metric='sentences')}; {WITHOUT_TREES}",
    ),
    Shot("arcs", "corpus", "#passages", open_passages(run=0, system=0, metric="las")),
    Shot("documents", "corpus", "#documents"),
    Shot("labels", "corpus", "#labels", choose("#labels", 0, "LAS")),
    Shot("losses", "corpus", "#losses"),
    Shot("tolerated", "corpus", "#tolerated", choose("#tolerated", 0, "third")),
    Shot("icicles", "trees", "#passages", open_passages(run=0, system=0, metric="brackets")),
)


def main() -> int:
    """Score, make the reports and take the pictures: those named as arguments, or all."""
    chosen = [shot for shot in SHOTS if not sys.argv[1:] or shot.name in sys.argv[1:]]
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        for name in dict.fromkeys(shot.report for shot in chosen):
            write_report(name, Path(folder))
        for shot in chosen:
            size = take(browser, shot, Path(folder) / f"{shot.report}.html")
            sys.stdout.write(f"docs/pictures/{shot.name}.png  {size:,} bytes\n")
        browser.close()
    return 0


def write_report(name: str, folder: Path) -> None:
    """Score and make the page of a report, with the commands that a user has."""
    saved, page = folder / f"{name}.json", folder / f"{name}.html"
    evalign = [sys.executable, "-m", "evalign"]
    subprocess.run(
        [*evalign, "score", *REPORTS[name], "-o", saved, "--quiet"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    subprocess.run([*evalign, "report", saved, "-o", page, "--quiet"], cwd=ROOT, check=True)


def take(browser: Browser, shot: Shot, report: Path) -> int:
    """Take one picture; return its size in bytes."""
    page = browser.new_page(
        viewport={"width": 1200, "height": shot.height},
        device_scale_factor=1.5,
        color_scheme="dark" if shot.scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(report.as_uri())
    if shot.script:
        page.evaluate(shot.script)
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(clip(page, shot)))
    page.close()
    path = TARGET / f"{shot.name}.png"
    for colors in (COLORS, 96, 48):
        picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size < MOST_BYTES:
            break
    return path.stat().st_size


def clip(page: Page, shot: Shot) -> bytes:
    """Return a screenshot of the section from its heading on, with a margin, at most `shot.height` high.

    The bar at the top of the page is left out.
    """
    if shot.section == "body":
        return page.screenshot()
    page.evaluate("document.querySelector('header.bar').style.display = 'none'")
    section, heading = page.locator(shot.section), page.locator(f"{shot.section} h2").first
    box, first = section.bounding_box(), heading.bounding_box()
    if box is None or first is None:
        message = f"{shot.name}: the report has no {shot.section}"
        raise SystemExit(message)
    above = first["y"] - MARGIN - box["y"]
    area = {
        "x": box["x"] - MARGIN,
        "y": page.evaluate("window.scrollY") + box["y"] + above,
        "width": box["width"] + 2 * MARGIN,
        "height": min(box["height"] - above + MARGIN, shot.height),
    }
    return page.screenshot(full_page=True, clip=area)


if __name__ == "__main__":
    sys.exit(main())
