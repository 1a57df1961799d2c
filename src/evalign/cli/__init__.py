"""The command line of evalign, with one module for each command or group of commands.

`evalign` starts in `enter`, tests call `main`. Nothing is imported before the command is known, so that
scoring small files feels instant.
"""

from __future__ import annotations

import sys

HELP = """\
evalign score gold.conllu system.txt

Scores sentences, tokens, words, tags, lemmas, dependencies and constituents
of any text-processing pipeline, whatever its segmentation.

commands
{commands}

  evalign COMMAND --help     says more
  evalign --version          version, and whether the kernels are compiled

exit status: 0 done, 1 the input is wrong, is refused, or lacks what was asked
for, 2 the command is wrong, 3 a gate has failed
"""


def main(argv: list[str] | None = None) -> int:
    """Run the command line `argv` (default: the arguments of the process) and return its exit status."""
    if sys.stdout is None or sys.stderr is None:
        from evalign.cli.streams import replace_closed

        replace_closed()
    arguments = sys.argv[1:] if argv is None else argv
    command = arguments[0] if arguments else "--help"
    if command == "help" and len(arguments) > 1:
        command, arguments = arguments[1], ["help", "--help"]
    if command == "evalb":  # before any other import: its speed is compared with that of a C program
        from evalign.cli import evalb

        return evalb.main(arguments[1:])
    if command in ("--version", "-V"):
        from evalign._version import __version__
        from evalign.cli.streams import print_text
        from evalign.kernels import is_compiled

        kernels = "compiled" if is_compiled() else "plain"
        return print_text(f"evalign {__version__} ({kernels} kernels)\n")
    if command in ("--help", "-h", "help"):
        from evalign.cli.commands import COMMANDS
        from evalign.cli.streams import print_text

        width = max(map(len, COMMANDS))
        listed = "\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
        return print_text(HELP.format(commands=listed)) or (0 if arguments else 2)
    from evalign.cli.run import run_command

    return run_command(command, arguments[1:])


def enter() -> None:
    """Run the command line with the arguments of this process, then end the process with its exit status.

    Standard output and standard error are flushed, and the process ends at once: the operating system frees
    all memory. Garbage collection is switched off and Python's own shutdown, which is slow once numpy is
    loaded, is skipped.
    """
    import gc
    import os

    gc.disable()
    status = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # closed, or its reader is gone
            status = status or 1
    os._exit(status)
