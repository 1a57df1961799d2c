"""What an examination of a file finds: facts, and findings with a severity and advice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from evalign.document import Document

Severity: TypeAlias = Literal["ok", "note", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something seen in a file or in two: how bad it is, what it is, and what to do about it."""

    severity: Severity
    message: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.message}: {self.advice}" if self.advice else self.message


@dataclass(frozen=True, slots=True)
class Bytes:
    """What a file is before it is text."""

    size: int
    """Bytes as they are stored."""
    compression: str = ""
    """gzip, bzip2, xz, zstd, or nothing."""
    encoding: str = ""
    """ASCII or UTF-8; nothing where it is neither."""
    bom: bool = False
    line_ends: dict[str, int] = field(default_factory=dict)
    """How often each of LF, CRLF and CR ends a line."""


@dataclass(frozen=True, slots=True)
class Characters:
    """What stands in a text that the eye does not see. Keys are such as "U+00AD SOFT HYPHEN"."""

    normal_form: str = "ASCII"
    """ASCII, NFC, NFD, or mixed."""
    controls: dict[str, int] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)
    """Characters of category Cf."""
    spaces: dict[str, int] = field(default_factory=dict)
    """White space other than space, tab and line ends."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything a document has."""

    characters: int = 0
    tokens: int = 0
    words: int = 0
    sentences: int = 0
    paragraphs: int = 0
    documents: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    heads: int = 0
    sentence_ids: int = 0
    texts: int = 0
    longest_token: str = ""
    longest_sentence: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """All that is known of a file; one that cannot be read has an error and what was known up to there."""

    name: str
    stored: Bytes
    format: str = ""
    characters: Characters = field(default_factory=Characters)
    sizes: Sizes = field(default_factory=Sizes)
    findings: tuple[Finding, ...] = ()
    error: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def severity(self) -> Severity:
        """The worst of the findings."""
        order: tuple[Severity, ...] = ("error", "warning", "note")
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in order if severity in found), "ok")
