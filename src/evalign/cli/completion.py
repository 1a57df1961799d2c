"""`evalign completion`: print a script that lets a shell complete commands, options, names and files.

What can be completed is read from the parsers of all commands, then written for bash, zsh or fish. The script
holds everything it needs: at each Tab the shell looks into it and starts no process.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.cli.commands import COMMANDS, GROUPS
from evalign.cli.parser import OPTIONAL, Parser
from evalign.cli.run import load_command

SHELLS = ("bash", "zsh", "fish")
# Matches the metavars whose values are files.
FILES = re.compile(r"FILE|DIR|GOLD|SYSTEM|RESULT|TREEBANK|TEST|JUDGEMENTS|\.json|\.html")
# Names that --by takes besides kinds of labels; it also takes any field and any pattern, which cannot be
# listed.
GROUPINGS = ("genre", "document", "length", "frequency", "label")
LONGEST_HELP = 72


def make_parser() -> Parser:
    """Make the argument parser of `evalign completion`."""
    parser = Parser(
        "completion",
        "evalign completion bash > ~/.local/share/bash-completion/completions/evalign\n"
        'evalign completion zsh > "${fpath[1]}/_evalign"\n'
        "evalign completion fish > ~/.config/fish/completions/evalign.fish",
        "Print a script for a shell: with it, Tab completes commands, options, metrics and files. "
        "Write it again after an update of evalign.",
        'To try it in the shell at hand: eval "$(evalign completion bash)".',
        reads_files=False,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign completion`: describe all commands, print the script for the shell."""
    render = {"bash": render_bash, "zsh": render_zsh, "fish": render_fish}[arguments.shell]
    sys.stdout.write(render(describe_commands()))
    return 0


# The commands with their options and arguments, read from their parsers.


class Values(NamedTuple):
    """Values that an option or argument takes: some names, files, or text that cannot be listed."""

    metavar: str
    names: tuple[str, ...] = ()
    is_list: bool = False
    """True if several names may be given with commas between them."""
    is_open: bool = False
    """True if names are only the first half of the value (`las=`), so that no space may follow them."""
    files: bool = False


class OptionShape(NamedTuple):
    """An option: its spellings, its help text and its values, if it takes any."""

    flags: tuple[str, ...]
    help: str
    values: Values | None = None
    is_optional: bool = False
    """True if the value may be left out."""
    is_repeated: bool = False


class CommandShape(NamedTuple):
    """What can be completed behind the name of a command: its options and positional arguments."""

    name: str
    """As it is typed, such as "score" or "typology profile"."""
    help: str
    options: tuple[OptionShape, ...] = ()
    arguments: tuple[Values, ...] = ()
    """Positional arguments. The last one stands for all that follow."""


def describe_commands() -> list[CommandShape]:
    """Describe every command with its options and arguments, in the order of the help.

    A group comes before its commands.
    """
    shapes = []
    for name, summary in COMMANDS.items():
        if name == "evalb":
            shapes.append(_describe_evalb(summary))
        elif name in GROUPS:
            inner = GROUPS[name]
            names = Values("COMMAND", tuple(inner))
            shapes.append(CommandShape(name, summary, (_help_option(),), (names,)))
            shapes += [_describe_command(f"{name} {each}", text) for each, text in inner.items()]
        else:
            shapes.append(_describe_command(name, summary))
    return shapes


def _describe_command(name: str, summary: str) -> CommandShape:
    """Describe a command from its parser."""
    parser = load_command(name).make_parser()
    names = _names_of(name)
    options, arguments = [], []
    for action in parser._actions:
        text = _describe_option(action, parser.prog)
        if action.option_strings:
            flags = tuple(action.option_strings)
            values = None if action.nargs == 0 else _read_values(action, names.get(flags[-1]))
            repeated = isinstance(action, argparse._AppendAction) or action.nargs == "+"
            optional = action.nargs == "?" or flags[-1] in OPTIONAL
            options.append(OptionShape(flags, text, values, optional, repeated))
        else:
            arguments.append(_read_values(action, names.get("")))
    return CommandShape(name, summary, tuple(options), tuple(arguments))


def _describe_option(action: argparse.Action, prog: str) -> str:
    """Shorten the help of an option to its first clause, in at most `LONGEST_HELP` characters."""
    whole = (action.help or "") % {**vars(action), "prog": prog}
    return textwrap.shorten(re.split(r"; | \(", whole)[0], LONGEST_HELP, placeholder="…")


def _read_values(action: argparse.Action, names: Values | None) -> Values:
    metavar = str(action.metavar or action.dest.upper())
    if action.choices is not None:
        return Values(metavar, tuple(map(str, action.choices)))
    files = bool(FILES.search(metavar))
    return names._replace(metavar=metavar, files=files) if names else Values(metavar, files=files)


def _names_of(command: str) -> Mapping[str, Values]:
    """List the names that the options of `command` take, by option.

    The names of its positional argument have the key "".
    """
    from evalign.alignment.normalize import RULES
    from evalign.metrics.definitions.catalogue import load_definitions
    from evalign.metrics.errors.breakdowns import BREAKDOWNS
    from evalign.metrics.metric import KINDS
    from evalign.metrics.registry import METRICS, METRICS_WITH_ERRORS
    from evalign.options import PRESETS

    metrics = tuple(METRICS)
    scored = METRICS_WITH_ERRORS if command in ("diff", "errors") else (*metrics, "default", "all")
    limits = Values("", tuple(f"{name}=" for name in metrics), is_open=True)
    named = {
        "--metrics": Values("", scored, is_list=True),
        "--only": Values("", metrics),
        "--per": Values("", tuple(BREAKDOWNS), is_list=True),
        "--by": Values("", tuple(dict.fromkeys((*GROUPINGS, *BREAKDOWNS))), is_list=True),
        "--kind": Values("", KINDS, is_list=True),
        "--normalize": Values("", (*RULES, *(f"no-{name}" for name in RULES), "none"), is_list=True),
        "--exceptions": Values("", ("en",)),
        "--preset": Values("", tuple(PRESETS)),
        "--max-drop": limits,
        "--fail-under": limits,
        "--fail-over": limits,
    }
    if command == "explain":
        named[""] = Values("", tuple(load_definitions()))
    if command == "cite":
        named[""] = Values("", metrics)
    return named


def _help_option() -> OptionShape:
    return OptionShape(("-h", "--help"), "show this help message and exit")


def _describe_evalb(summary: str) -> CommandShape:
    """Describe evalb, the one command without a parser."""
    file = Values("FILE", files=True)
    options = (
        OptionShape(("-p",), "parameter file", file),
        OptionShape(("-c",), "longest sentence of the second summary", Values("N")),
        OptionShape(("-e",), "number of errors to end at", Values("N")),
        OptionShape(("-d",), "print the words and brackets of each sentence, too"),
        OptionShape(("-D",), "print each comparison of brackets, too"),
        OptionShape(("-h",), "print the usage of evalb itself"),
        OptionShape(("--help",), "print what the command does"),
    )
    return CommandShape(
        "evalb", summary, options, (file._replace(metavar="GOLD"), file._replace(metavar="TEST"))
    )


def top_level(commands: list[CommandShape]) -> Iterator[tuple[str, str]]:
    """Yield names and summaries of the commands that are typed first, without those inside groups."""
    return ((command.name, command.help) for command in commands if " " not in command.name)


# bash 3.2 and later; the package bash-completion is not needed.
BASH_HEAD = """\
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
BASH_TAIL = """\
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


def render_bash(commands: Sequence[CommandShape]) -> str:
    """Render the completion script for bash."""
    listed = " ".join(name for name, _ in top_level(list(commands)))
    parts = [
        BASH_HEAD.replace("@commands@", listed).replace("@several@", "|".join(GROUPS)),
        *map(_bash_case, commands),
        BASH_TAIL.replace("@commands@", listed),
    ]
    return "".join(parts)


def _bash_case(command: CommandShape) -> str:
    flags = " ".join(flag for option in command.options for flag in option.flags)
    names = " ".join(name for values in command.arguments for name in values.names)
    lines = [f"        '{command.name}')", f"            options='{flags}'"]
    if names:
        lines.append(f"            arguments='{names}'")
    follow = [line for option in command.options for line in _bash_after(option)]
    if follow:
        lines += ["            case $previous in", *follow, "            esac"]
    return "\n".join([*lines, "            ;;"]) + "\n"


def _bash_after(option: OptionShape) -> list[str]:
    """Render the `case` branch that completes the value of `option`; an empty list if it takes no value."""
    if option.values is None:
        return []
    steps = [*_bash_offers(option.values), "return"]
    pattern = "|".join(option.flags)
    if option.is_optional:
        # The value may be left out: a word with a hyphen is the next option.
        return [f"                {pattern}) case $current in -*) ;; *) {'; '.join(steps)} ;; esac ;;"]
    return [f"                {pattern}) {'; '.join(steps)} ;;"]


def _bash_offers(values: Values) -> list[str]:
    names = " ".join(values.names)
    how = "_evalign_list" if values.is_list else "_evalign_open" if values.is_open else "_evalign_words"
    offers = [f"{how} '{names}'"] if names else []
    return [*offers, "_evalign_files"] if names and values.files else offers


# zsh, by means of its function `_arguments`.
ZSH_HEAD = """\
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
ZSH_TAIL = """\
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


def render_zsh(commands: Sequence[CommandShape]) -> str:
    """Render the completion script for zsh."""
    named = [f"{name}:{summary}" for name, summary in top_level(list(commands))]
    listed = "\n".join(f"                {_zsh_quote(name)}" for name in named)
    return "".join(
        [
            ZSH_HEAD.replace("@commands@", listed).replace("@several@", "|".join(GROUPS)),
            *map(_zsh_case, commands),
            ZSH_TAIL,
        ]
    )


def _zsh_case(command: CommandShape) -> str:
    specs = [_zsh_option(option) for option in command.options]
    last = len(command.arguments) - 1
    for number, values in enumerate(command.arguments):
        where = "*" if number == last else str(number + 1)
        specs.append(_zsh_quote(f"{where}:{_zsh_plain(values.metavar)}:{_zsh_action(values)}"))
    lines = " \\\n".join(f"                        {spec}" for spec in specs)
    return f"                '{command.name}')\n                    _arguments \\\n{lines}\n                    ;;\n"


def _zsh_option(option: OptionShape) -> str:
    value = ""
    if option.values is not None:
        colon = "::" if option.is_optional else ":"
        value = f"{colon}{_zsh_plain(option.values.metavar)}:{_zsh_action(option.values)}"
    text = f"[{_zsh_plain(option.help)}]{value}"
    if option.is_repeated:
        return " ".join(_zsh_quote(f"*{flag}{text}") for flag in option.flags)
    if len(option.flags) == 1:
        return _zsh_quote(option.flags[0] + text)
    return f"'({' '.join(option.flags)})'{{{','.join(option.flags)}}}{_zsh_quote(text)}"


def _zsh_action(values: Values) -> str:
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


def _zsh_plain(text: str) -> str:
    """Escape the characters that are special to the zsh function `_arguments`."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def _zsh_quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# fish.
FISH_HEAD = """\
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


def render_fish(commands: Sequence[CommandShape]) -> str:
    """Render the completion script for fish."""
    lines = [
        f"complete -c evalign -n __evalign_starts -a {name} -d {_fish_quote(summary)}"
        for name, summary in top_level(list(commands))
    ]
    for command in commands:
        condition = f"complete -c evalign -n '__evalign_is {command.name}'"
        lines += [f"{condition} {_fish_option(option)}" for option in command.options]
        if any(values.files for values in command.arguments):
            lines.append(f"{condition} -F")
        names = [name for values in command.arguments for name in values.names]
        if names:
            lines.append(f"{condition} -a {_fish_quote(' '.join(names))}")
    return FISH_HEAD + "\n".join(lines) + "\n"


def _fish_option(option: OptionShape) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    return " ".join(filter(None, (flags, _fish_value(option.values), f"-d {_fish_quote(option.help)}")))


def _fish_value(values: Values | None) -> str:
    if values is None:
        return ""
    files = "-r -F" if values.files else "-x"
    if not values.names:
        return files
    names = " ".join(values.names)
    return f"{files} -a {_fish_quote(f'(__evalign_list {names})' if values.is_list else names)}"


def _fish_quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
