"""Reader for translation memories (TMX 1.4 of the Localization Industry Standards Association, and earlier).

The parser is expat itself, because it reports line numbers and keeps nothing of what it has read. A file that
declares entities is refused, so no entity is ever loaded from elsewhere or grows beyond the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from xml.parsers.expat import ExpatError, ParserCreate

from evalign.bitext.inputs.source import Skipped, SourcePair, clean_text, no_skipped
from evalign.errors import InputError, Place, quote, show_name
from evalign.progress import Progress, no_progress
from evalign.readers.line_reader import MAX_LINE_BYTES, open_binary

_PIECE = 1 << 16
# Elements inside a segment that hold codes of a format, not text. <hi> is not among them: it marks text.
_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})
_MOST_LANGUAGES = 10


class _Units:
    """State of the parser: the pairs completed so far, and the translation unit that is being read."""

    def __init__(self, name: str, languages: tuple[str, str], skipped: Skipped, longest: int) -> None:
        self._longest = longest
        self.pairs: list[SourcePair] = []
        self.languages: dict[str, None] = {}
        """Languages of the file in order of appearance, at most `_MOST_LANGUAGES` of them."""
        self.n_units = self.n_matched = 0
        self._name, self._skipped = name, skipped
        self._wanted = tuple(_normal(language) for language in languages)
        self._is_root_known = False
        self._tu, self._lineno = "", 0
        self._language = ""
        self._texts: dict[str, str] = {}
        self._segment: list[str] | None = None
        self._length = self._depth = 0
        self.parser = ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.SkippedEntityHandler = self._refuse_unknown

    def parse(self, data: bytes, *, is_last: bool) -> InputError | None:
        """Parse more of the file. Returns the error if the file is damaged or refused, else None."""
        try:
            self.parser.Parse(data, is_last)
        except ExpatError as error:
            problem = f"XML that ends early or is damaged ({error})"
            return InputError(Place(self._name, error.lineno), problem, "a whole TMX file")
        except (
            LookupError,
            ValueError,
        ) as error:  # an unsupported multi-byte encoding, or an unknown one
            return InputError(self._place(), f"XML that is not read: {error}", "text in UTF-8 or UTF-16")
        except InputError as error:
            return error
        return None

    def _place(self) -> Place:
        return Place(self._name, self.parser.CurrentLineNumber)

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self._is_root_known:
            self._is_root_known = True
            if tag.lower() != "tmx":
                raise InputError(
                    self._place(), f"XML of <{quote(tag, 30)[1:-1]}>", "a translation memory: <tmx>"
                )
        if tag in _CODES and self._segment is not None:
            self._depth += 1
        elif tag == "tu":
            self._tu = clean_text(attributes.get("tuid", ""))
            self._lineno = self.parser.CurrentLineNumber
            self._texts = {}
        elif tag == "tuv":
            self._language = _normal(attributes.get("xml:lang") or attributes.get("lang") or "")
        elif tag == "seg":
            self._segment, self._length, self._depth = [], 0, 0

    def _characters(self, text: str) -> None:
        if self._segment is None or self._depth:
            return
        self._segment.append(text)
        self._length += len(text)
        if self._length > self._longest:
            raise InputError(
                self._place(), f"a segment of more than {self._longest:,} characters", "a sentence"
            )

    def _end(self, tag: str) -> None:
        if tag in _CODES and self._segment is not None:
            self._depth -= 1
        elif tag == "seg" and self._segment is not None:
            self._texts.setdefault(self._language, clean_text("".join(self._segment)))
            self._segment = None
            if len(self.languages) < _MOST_LANGUAGES:
                self.languages[self._language] = None
        elif tag == "tu":
            self._finish()

    def _finish(self) -> None:
        self.n_units += 1
        first, second = (self._choose(wanted) for wanted in self._wanted)
        if first is None or second is None:
            return
        self.n_matched += 1
        if first and second:
            self.pairs.append(SourcePair(self._tu or str(self._lineno), "", first, second))
        elif first or second:
            self._skipped(Place(self._name, self._lineno))

    def _choose(self, wanted: str) -> str | None:
        """Return the text in the language `wanted`, else in its first regional variety, else None."""
        varieties = (text for language, text in self._texts.items() if language.startswith(f"{wanted}-"))
        return self._texts.get(wanted, next(varieties, None))

    def _refuse_entity(self, entity: str, *_declared: object) -> None:
        problem = f"a declaration of the entity {quote(entity)}"
        raise InputError(self._place(), problem, "a file without declarations of entities")

    def _refuse_unknown(self, entity: str, _is_parameter: object) -> None:
        if not _is_parameter:
            expected = "&amp; &lt; &gt; &quot; &apos; or a number such as &#160;"
            raise InputError(self._place(), f"the entity {quote(f'&{entity};')}", expected)


def _normal(language: str) -> str:
    return language.strip().lower().replace("_", "-")


def read_tmx(
    path: str | os.PathLike[str],
    languages: tuple[str, str],
    *,
    skipped: Skipped = no_skipped,
    progress: Progress = no_progress,
    piece: int = _PIECE,
    longest: int = MAX_LINE_BYTES,
) -> Iterator[SourcePair]:
    """Yield the pairs of a translation memory, named by the id of their unit or by its line number.

    Languages are compared without case, and a regional variety matches its language: fr-FR is fr. Units that
    lack one of the languages are left out; raises `InputError` if all units do. A pair with one empty side is
    left out, and `skipped` is called with its place. `piece` is how many bytes are parsed at a time,
    `longest` how many characters a segment may have.
    """
    name = show_name(path)
    units = _Units(name, languages, skipped, longest)
    with open_binary(path, progress) as file:
        is_more = True
        while is_more:
            data = file.read(piece)
            is_more = bool(data)
            refusal = units.parse(data, is_last=not is_more)
            # Pairs completed before an error are yielded first, so that the size of pieces makes no
            # difference.
            yield from units.pairs
            units.pairs.clear()
            if refusal:
                raise refusal
    if units.n_units and not units.n_matched:
        problem = f"no unit in {languages[0]} and {languages[1]}"
        has = ", ".join(language or "none" for language in units.languages)
        raise InputError(Place(name), problem, "units in both languages", f"its languages are {has}")
