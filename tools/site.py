"""Pages that mkdocs generates when it builds the site (a hook of mkdocs).

They are every metric and term as `evalign explain` defines it, every command as its help describes it, and
the changelog and the contributors' guide, which are outside `docs/`.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from evalign.cli import main
from evalign.cli.commands import COMMANDS, GROUPS
from evalign.cli.output import spell_flags
from evalign.errors import spell_with
from evalign.metrics.definitions.catalogue import Definition, load_definitions
from evalign.metrics.registry import METRICS
from evalign.reports.definitions import render_definition

ROOT = Path(__file__).parent.parent
OUTSIDE = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the generated pages to `files`; called by mkdocs."""
    spell_with(spell_flags)  # definitions name options as `evalign explain` does
    for uri, name in OUTSIDE.items():
        # On the site these pages are in the same folder as the pages that they link to.
        content = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, uri, content=content))
    definitions = load_definitions()
    terms = [entry for name, entry in definitions.items() if name not in METRICS]
    for uri, content in (
        ("reference/metrics.md", _definitions("Every metric", [definitions[name] for name in METRICS])),
        ("reference/terms.md", _definitions("Terms", terms)),
        ("reference/commands.md", _commands()),
    ):
        files.append(File.generated(config, uri, content=content))
    return files


def _definitions(title: str, definitions: Iterable[Definition]) -> str:
    """Return a page of definitions in Markdown: the output of `evalign explain` as paragraphs."""
    parts = [f"# {title}", "`evalign explain NAME` prints the same."]
    for definition in definitions:
        parts += [f"## {definition.name}", f"**{definition.title}.** {_plain(definition.definition)}"]
        for label, text in (
            ("Formula", definition.formula),
            ("Source", definition.source),
            ("Note", definition.notes),
        ):
            if text:
                parts.append(f"{label}: {f'`{text}`' if label == 'Formula' else _plain(text)}")
        if definition.example or definition.worked:
            # The example is the last paragraph of the output on a terminal.
            shown = render_definition(definition, columns=100).rpartition("\n\nexample\n")[2]
            parts.append(f"```text\n{shown.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Escape everything in `text` that Markdown would interpret."""
    for mark in "\\`*_{}[]<>#|":
        text = text.replace(mark, f"\\{mark}")
    return text


def _commands() -> str:
    os.environ["COLUMNS"] = "96"
    parts = ["# Every command", "What `evalign COMMAND --help` says."]
    for name, summary in COMMANDS.items():
        parts += [f"## evalign {name}", f"{summary[0].upper()}{summary[1:]}.", _help(name)]
        if name in GROUPS:
            for inner, description in GROUPS[name].items():
                parts += [
                    f"### evalign {name} {inner}",
                    f"{description[0].upper()}{description[1:]}.",
                    _help(name, inner),
                ]
    return "\n\n".join(parts) + "\n"


def _help(*command: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main([*command, "--help"])
    return f"```text\n{printed.getvalue().rstrip()}\n```"
