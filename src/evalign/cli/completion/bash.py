"""Completion in bash, from 3.2 on: without the package bash-completion, with it if it is there."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.cli.completion.model import Completed, Option, Values, top_level
from evalign.cli.subcommands import GROUPS

HEAD = """\
# bash completion for evalign, written by: evalign completion bash
# Where it adds nothing, bash completes file names.

_evalign_words() {
    COMPREPLY+=( $(compgen -W "$1" -- "$current") )
}

# The last name of a list with commas; those before it stay, and are not offered again.
_evalign_list() {
    local before= name IFS=$' \\t\\n'
    case $current in *,*) before=${current%,*}, ;; esac
    for name in $1; do
        case ",$before" in *",$name,"*) continue ;; esac
        case $name in "${current#"$before"}"*) COMPREPLY+=( "$before$name" ) ;; esac
    done
    compopt -o nospace 2>/dev/null
}

_evalign_open() {
    _evalign_words "$1"
    compopt -o nospace 2>/dev/null
}

_evalign_files() {
    local IFS=$'\\n'
    COMPREPLY+=( $(compgen -f -- "$current") )
    compopt -o filenames 2>/dev/null
}

_evalign() {
    local IFS=$' \\t\\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} options= arguments=
    COMPREPLY=()
    # bash makes three words of --format=csv.
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        _evalign_words '@commands@ --help --version'
        return
    fi
    case $command in
        @several@) if [ "$COMP_CWORD" -gt 2 ]; then command="$command ${COMP_WORDS[2]}"; fi ;;
    esac
    case $command in
"""
TAIL = """\
        help)
            arguments='@commands@'
            ;;
    esac
    case $current in
        -*) _evalign_words "$options" ;;
        *) _evalign_words "$arguments" ;;
    esac
}

complete -o default -o bashdefault -F _evalign evalign
"""


def render(commands: Sequence[Completed]) -> str:
    """The script for these commands."""
    listed = " ".join(name for name, _ in top_level(list(commands)))
    parts = [
        HEAD.replace("@commands@", listed).replace("@several@", "|".join(GROUPS)),
        *map(_case, commands),
        TAIL.replace("@commands@", listed),
    ]
    return "".join(parts)


def _case(command: Completed) -> str:
    flags = " ".join(flag for option in command.options for flag in option.flags)
    names = " ".join(name for values in command.arguments for name in values.names)
    lines = [f"        '{command.name}')", f"            options='{flags}'"]
    if names:
        lines.append(f"            arguments='{names}'")
    follow = [line for option in command.options for line in _after(option)]
    if follow:
        lines += ["            case $previous in", *follow, "            esac"]
    return "\n".join([*lines, "            ;;"]) + "\n"


def _after(option: Option) -> list[str]:
    """What follows an option."""
    if option.values is None:
        return []
    found = [*_offers(option.values), "return"]
    pattern = "|".join(option.flags)
    if option.is_optional:
        # It may be over already: what begins with a hyphen is the next option.
        return [f"                {pattern}) case $current in -*) ;; *) {'; '.join(found)} ;; esac ;;"]
    return [f"                {pattern}) {'; '.join(found)} ;;"]


def _offers(values: Values) -> list[str]:
    names = " ".join(values.names)
    how = "_evalign_list" if values.is_list else "_evalign_open" if values.is_open else "_evalign_words"
    offers = [f"{how} '{names}'"] if names else []
    return [*offers, "_evalign_files"] if names and values.files else offers
