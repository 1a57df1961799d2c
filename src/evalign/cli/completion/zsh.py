"""Completion in zsh, by its `_arguments`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evalign.cli.completion.model import Completed, Option, Values, top_level
from evalign.cli.subcommands import GROUPS

HEAD = """\
#compdef evalign
# zsh completion for evalign, written by: evalign completion zsh

_evalign() {
    local curcontext=$curcontext state line
    typeset -A opt_args
    _arguments -C '1:command:->command' '*::argument:->argument' && return
    case $state in
        command)
            local -a commands=(
@commands@
            )
            _describe command commands
            ;;
        argument)
            local command=$words[1]
            if [[ $command == (@several@) ]] && (( CURRENT > 2 )); then
                command="$command $words[2]"
                shift words
                (( CURRENT-- ))
            fi
            case $command in
"""
TAIL = """\
            esac
            ;;
    esac
}

# Loaded by compinit it is called at once; read by `eval` it has to be made known.
if [[ $funcstack[1] == _evalign ]]; then
    _evalign "$@"
else
    compdef _evalign evalign
fi
"""


def render(commands: Sequence[Completed]) -> str:
    """The script for these commands."""
    named = [f"{name}:{summary}" for name, summary in top_level(list(commands))]
    listed = "\n".join(f"                {_quote(name)}" for name in named)
    return "".join(
        [
            HEAD.replace("@commands@", listed).replace("@several@", "|".join(GROUPS)),
            *map(_case, commands),
            TAIL,
        ]
    )


def _case(command: Completed) -> str:
    specs = [_option(option) for option in command.options]
    last = len(command.arguments) - 1
    for number, values in enumerate(command.arguments):
        where = "*" if number == last else str(number + 1)
        specs.append(_quote(f"{where}:{_plain(values.metavar)}:{_action(values)}"))
    lines = " \\\n".join(f"                        {spec}" for spec in specs)
    return f"                '{command.name}')\n                    _arguments \\\n{lines}\n                    ;;\n"


def _option(option: Option) -> str:
    value = ""
    if option.values is not None:
        colon = "::" if option.is_optional else ":"
        value = f"{colon}{_plain(option.values.metavar)}:{_action(option.values)}"
    told = f"[{_plain(option.help)}]{value}"
    if option.is_repeated:
        return " ".join(_quote(f"*{flag}{told}") for flag in option.flags)
    if len(option.flags) == 1:
        return _quote(option.flags[0] + told)
    return f"'({' '.join(option.flags)})'{{{','.join(option.flags)}}}{_quote(told)}"


def _action(values: Values) -> str:
    names = " ".join(values.names)
    if names and values.files:
        return f"{{compadd - {names}; _files}}"
    if values.is_list:
        return f"_sequence compadd - {names}"
    if values.is_open:
        return f'{{compadd -S "" - {names}}}'
    if names:
        return f"({names})"
    return "_files" if values.files else " "


def _plain(text: str) -> str:
    """Text without what `_arguments` would take for its own."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
