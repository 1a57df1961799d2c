"""`evalign evalb`: evalb, with its numbers, its output, its messages and its exit status.

It bypasses the parser and the checks of the other commands, because starting Python alone takes as long as
evalb.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from evalign.readers.evalb_parameters import Parameters

HELP = """\
evalign evalb -p COLLINS.prm gold.mrg system.mrg

Print what evalb prints, byte for byte, with its messages and its exit
status, and without its limits of words, brackets and bytes.

usage: evalign evalb [-p FILE] [-d | -D] [-c N] [-e N] GOLD TEST

  GOLD        trees taken as right, one per line
  TEST        trees to be scored; line n goes with line n of GOLD
  -p FILE     parameter file: what is left out, what is taken as equal
  -c N        longest sentence of the second summary (default 40)
  -e N        end with error N + 2 (default 10)
  -d          print the words and brackets of each sentence, too
  -D          print each comparison of brackets, too
  -h          print the usage of evalb itself
  --help      print this

Options count in their order: a later one replaces what an earlier one or a
parameter file said. evalign score has the same numbers for lines that evalb
finds valid, and others where it refuses; docs/deviations.md has what differs.
"""
_MISSING = {
    "c": b"Missing argument: cut-off length for statistices\n",
    "e": b"Missing argument: number of error to kill\n",
    "p": b"Missing argument: parameter file\n",
}
_ARGUMENT_OF = {"c": "cutoff", "e": "max_error"}
# Bytes of output that are collected before they are written.
_LARGE = 1 << 20


class _EndError(Exception):
    """Raised to end the run with an exit status, after any message has been written."""

    def __init__(self, status: int = 1) -> None:
        self.status = status


class _UnwritableError(Exception):
    """Raised if standard output cannot be written; the text is the reason."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status; errors become messages on standard error."""
    if "--help" in arguments:
        from evalign.cli.streams import print_text

        return print_text(HELP)
    output, write_error = _Output(sys.stdout), _message_writer(sys.stderr)
    try:
        status = _run(arguments, output.write, write_error)
        output.flush()
    except _EndError as end:
        return end.status
    except MemoryError:
        write_error(b"evalign: not enough memory\n  score fewer sentences at once\n")
        return 1
    except KeyboardInterrupt:
        write_error(b"evalign: interrupted\n")
        return 130
    except _UnwritableError as error:
        from evalign.cli.streams import drop_output

        drop_output(sys.stdout)
        if isinstance(error.__cause__, BrokenPipeError):  # the reader went away (evalign evalb ... | head)
            return 0
        write_error(b"evalign: standard output cannot be written (%s)\n" % os.fsencode(str(error)))
        return 1
    return status


def _run(
    arguments: list[str], write: Callable[[bytes], object], write_error: Callable[[bytes], object]
) -> int:
    from evalign.compat.evalb.script import run_script

    parameters, files = _read_arguments(arguments, write_error)
    gold = _read(files, 0, b"gold", write_error)
    test = _read(files, 1, b"test", write_error)
    return run_script(gold, test, parameters, write, write_error)


def _read_arguments(
    arguments: list[str], write_error: Callable[[bytes], object]
) -> tuple[Parameters, list[str]]:
    """Read the options and the names of the files.

    As in evalb, options may stand anywhere, and their value follows directly or as the next word.
    """
    from evalign.readers.evalb_parameters import Parameters, read_number, read_parameters

    parameters, files = Parameters(), []
    words = iter(arguments)
    for word in words:
        option = word[1:2]
        if not word.startswith("-"):
            files.append(word)
        elif option in ("d", "D"):
            parameters = parameters.replace(debug=1 if option == "d" else 2)
        elif option in _MISSING:
            value = word[2:] or next(words, None)
            if value is None:
                write_error(_MISSING[option])
            if option == "p":
                parameters, messages = read_parameters(
                    _read_file(value or "", b"parameter", write_error), parameters
                )
                write_error(b"".join(b"%s\n" % message for message in messages))
            elif value is not None:
                parameters = parameters.replace(**{_ARGUMENT_OF[option]: read_number(os.fsencode(value))})
        elif option:  # a single hyphen has no meaning
            from evalign.compat.evalb.script import USAGE

            write_error(USAGE)
            raise _EndError(1 if option == "h" else 0)
    return parameters, files


def _read(files: list[str], k: int, kind: bytes, write_error: Callable[[bytes], object]) -> bytes:
    """Return the bytes of `files[k]`; `kind` (gold or test) names the file in messages.

    If there are too few `files`, write evalb's message and raise `_EndError`.
    """
    if k >= len(files):
        write_error(b"Can't open %s file ((null))\n" % kind)
        raise _EndError
    return _read_file(files[k], kind, write_error)


def _read_file(path: str, kind: bytes, write_error: Callable[[bytes], object]) -> bytes:
    """Return the bytes of a file. If it cannot be read, write evalb's message and raise `_EndError`."""
    from evalign.compat.evalb.scorer import LARGEST, read_file

    try:
        data = read_file(path)
    except (OSError, ValueError):
        write_error(b"Can't open %s file (%s)\n" % (kind, os.fsencode(path)))
        raise _EndError from None
    if len(data) > LARGEST:
        write_error(
            b"evalign: %s: 2 GiB or more\n  split the file, and GOLD and TEST alike\n" % os.fsencode(path)
        )
        raise _EndError
    return data


def _message_writer(stream: IO[str] | None) -> Callable[[bytes], object]:
    """Make a function that writes bytes to standard error.

    As in evalb, messages that cannot be written are lost, and the run goes on.
    """
    if stream is None:  # closed
        return lambda _text: None
    write = _writer(stream)

    def write_message(text: bytes) -> None:
        try:  # noqa: SIM105 - contextlib would be imported for it
            write(text)
        except OSError:
            pass

    return write_message


def _writer(stream: IO[str]) -> Callable[[bytes], object]:
    """Make a function that writes bytes to `stream`.

    Bytes are written as they are, except on a terminal, where control characters are shown and not obeyed.
    """
    buffer = getattr(stream, "buffer", None)
    if buffer is None or stream.isatty():
        from evalign.wording import printable_lines

        if buffer is not None:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[attr-defined]

        def write_text(text: bytes) -> None:
            stream.write(printable_lines(text.decode("utf-8", "backslashreplace")))

        return write_text

    def write_bytes(text: bytes) -> None:
        while text:  # an unbuffered stream may write only a part
            text = text[buffer.write(text) :]
        buffer.flush()

    return write_bytes


class _Output:
    """Standard output, written in large pieces.

    Because of this, messages come before the output if both go to the same file, as with evalb.
    """

    def __init__(self, stream: IO[str] | None) -> None:
        self.write_now = _writer(stream) if stream else None
        self.pieces: list[bytes] = []
        self.size = 0

    def write(self, text: bytes) -> None:
        self.pieces.append(text)
        self.size += len(text)
        if self.size > _LARGE:
            self.flush()

    def flush(self) -> None:
        if self.write_now is None:
            message = "it is closed"
            raise _UnwritableError(message)
        try:
            self.write_now(b"".join(self.pieces))
        except OSError as error:
            raise _UnwritableError(error.strerror or "") from error
        self.pieces.clear()
        self.size = 0
