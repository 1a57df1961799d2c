"""Completion in fish."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.cli.completion.model import Completed, Option, Values, top_level

HEAD = """\
# fish completion for evalign, written by: evalign completion fish

function __evalign_is -d 'Whether the line is one of this command'
    set -l words (commandline -opc)
    test (count $words) -gt (count $argv); or return 1
    for number in (seq (count $argv))
        test "$words[$(math $number + 1)]" = "$argv[$number]"; or return 1
    end
end

function __evalign_starts -d 'Whether there is no command yet'
    test (count (commandline -opc)) -eq 1
end

function __evalign_list -d 'Names after what a list with commas has already'
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*,')
    for name in $argv
        string match -q "*,$name,*" -- ",$before"; or echo "$before$name"
    end
end

complete -c evalign -f
complete -c evalign -n __evalign_starts -s V -l version -d 'version, and whether the kernels are compiled'
complete -c evalign -n __evalign_starts -s h -l help -d 'list the commands'
"""


def render(commands: Sequence[Completed]) -> str:
    """The script for these commands."""
    lines = [
        f"complete -c evalign -n __evalign_starts -a {name} -d {_quote(summary)}"
        for name, summary in top_level(list(commands))
    ]
    for command in commands:
        condition = f"complete -c evalign -n '__evalign_is {command.name}'"
        lines += [f"{condition} {_option(option)}" for option in command.options]
        if any(values.files for values in command.arguments):
            lines.append(f"{condition} -F")
        names = [name for values in command.arguments for name in values.names]
        if names:
            lines.append(f"{condition} -a {_quote(' '.join(names))}")
    return HEAD + "\n".join(lines) + "\n"


def _option(option: Option) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    return " ".join(filter(None, (flags, _value(option.values), f"-d {_quote(option.help)}")))


def _value(values: Values | None) -> str:
    if values is None:
        return ""
    files = "-r -F" if values.files else "-x"
    if not values.names:
        return files
    names = " ".join(values.names)
    return f"{files} -a {_quote(f'(__evalign_list {names})' if values.is_list else names)}"


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
