r"""`evalign completion`: let a shell complete commands, options, names and files.

The script for a shell asks evalign at each Tab, with all words up to the cursor: `evalign completion bash
score --met` prints what the last of them could be. The first line of the answer says what follows: "words",
or "parts" after which no space belongs (`las=`), and "files" if names of files fit, too. Each further line is a
candidate, a tab, and its help. zsh and fish choose those that match the word at the cursor.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalign.cli.command import Command, Option
from evalign.cli.commands import COMMANDS, GROUPS, NAMES
from evalign.cli.run import load_command

# Matches the metavars whose values are files.
FILES = re.compile(r"FILE|DIR|GOLD|SYSTEM|RESULT|TREEBANK|TEST|JUDGEMENTS|\.json|\.html")
LONGEST_HELP = 72

# bash 3.2 and later; the package bash-completion is not needed. bash makes three words of --format=csv.
BASH = r"""
# bash completion for evalign, which it asks at each Tab; written by: evalign completion bash
_evalign() {
    local kind name current=${COMP_WORDS[COMP_CWORD]#=}
    COMPREPLY=()
    {
        read -r kind
        while IFS=$'\t' read -r name _; do COMPREPLY+=("$name"); done
    } < <(evalign completion bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # Where evalign has nothing to offer, bash completes names of files by itself.
    if [[ $kind == *files && ${#COMPREPLY[@]} -gt 0 ]]; then
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
    fi
    if [[ $kind == parts* ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -o bashdefault -F _evalign evalign
"""
# Loaded by compinit the function is called at once; read by `eval` it has to be registered.
ZSH = r"""
#compdef evalign
# zsh completion for evalign, which it asks at each Tab; written by: evalign completion zsh
_evalign() {
    local -a answer names space
    answer=("${(@f)$(evalign completion zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    names=(${answer[2,-1]/$'\t'/:})
    [[ $answer[1] == parts* ]] && space=(-S '')
    (( $#names )) && _describe value names "${space[@]}"
    if [[ $answer[1] == *files ]]; then
        [[ ${PREFIX%%=*} == */* ]] || compset -P 1 '*='
        _files
    fi
}
if [[ $funcstack[1] == _evalign ]]; then _evalign "$@"; else compdef _evalign evalign; fi
"""
FISH = r"""
# fish completion for evalign, which it asks at each Tab; written by: evalign completion fish
function __evalign_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    set -l answer (evalign completion fish $words "$current" 2>/dev/null)
    test (count $answer) -gt 0; or return
    set -l kind $answer[1]
    set -e answer[1]
    string join \n -- $answer
    if string match -q '*files' -- "$kind"
        set -l option (string match -r '^--[^=]*=' -- "$current")
        for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current"))
            echo "$option$path"
        end
    end
end
complete -c evalign -f -a '(__evalign_complete)'
"""
TOP_FLAGS = {"--help": "list the commands", "--version": "version, and whether the kernels are compiled"}
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


class Candidates(NamedTuple):
    """Candidates for the word at the cursor: words with their help, or files."""

    words: Mapping[str, str]
    files: bool = False
    are_parts: bool = False
    """True if something may follow without a space: `las=`, and names with commas between them."""


def find_candidates(words: Sequence[str]) -> Candidates:
    """Find what the last of `words`, a command line without its program, could be."""
    *before, current = words
    is_flag = current.startswith("-")
    if not before:
        return Candidates(TOP_FLAGS if is_flag else COMMANDS)
    commands = COMMANDS if before == ["help"] else GROUPS.get(" ".join(before))
    if commands and not is_flag:
        return Candidates(commands)
    options = _list_options(" ".join(before[: 2 if before[0] in GROUPS else 1]))
    start = current[: current.index("=") + 1] if is_flag and "=" in current else ""
    flag, value = start.rstrip("=") or before[-1], current.removeprefix(start)
    taking = [option for option in options if flag in option.name.split() and not option.is_positional]
    if taking and taking[0].takes_value and not (taking[0].nargs == "?" and value.startswith("-")):
        return _find_values(taking, value, start)
    if is_flag:
        flags = {flag: option.help for option in options for flag in option.name.split() if flag[0] == "-"}
        # Only the first clause of the help.
        clauses = {flag: re.split(r"; | \(", help)[0] for flag, help in flags.items()}
        return Candidates(
            {flag: textwrap.shorten(help, LONGEST_HELP, placeholder="…") for flag, help in clauses.items()}
        )
    return _find_values([option for option in options if option.is_positional], current)


def _list_options(name: str) -> Sequence[Option]:
    """List the options of the command that is typed as `name`; none if there is no such command."""
    if name == "evalb":  # has no parser: its help is all there is
        from evalign.cli.evalb import HELP

        lines = re.findall(r"^  (\S+)(?: ([A-Z]+))? +(.*)", HELP, re.MULTILINE)
        return [
            Option(word, help, metavar or (word if word.isalpha() else None)) for word, metavar, help in lines
        ]
    return load_command(name).all_options if name in NAMES else ()


def _find_values(options: Sequence[Option], current: str, start: str = "") -> Candidates:
    """Find what the value of one of `options` could be; `start` stands before it in the same word."""
    names = [name for option in options for name in (*(option.choices or ()), *(option.names or tuple)())]
    # Options with choices may be called like files, as --paired TEST.
    metavars = [option.metavar or "" for option in options if not option.choices]
    is_list = any(metavar.endswith(",...") for metavar in metavars)
    if is_list:
        first, comma, _ = current.rpartition(",")
        start += first + comma
        names = [name for name in names if name not in first.split(",")]
    return Candidates(
        dict.fromkeys((start + name for name in names), ""),
        files=any(map(FILES.search, metavars)),
        are_parts=is_list or any(name.endswith("=") for name in names),
    )


def _join_words(words: Sequence[str]) -> list[str]:
    """Join what bash makes three words of: --format = csv. An empty word is a new one."""
    joined: list[str] = []
    for word in words:
        if joined and word and (word == "=" or joined[-1].endswith("=")):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign completion`: print the script for a shell, or what the last of some words could be."""
    if not arguments.words:
        print(SCRIPTS[arguments.shell].strip())
        return 0
    is_bash = arguments.shell == "bash"
    words = _join_words(arguments.words) if is_bash else arguments.words
    candidates = find_candidates(words)
    print("parts" if candidates.are_parts else "words", "files" if candidates.files else "")
    # bash has its own word behind each =, and does not choose what matches it.
    start, skipped = (words[-1], words[-1].rfind("=") + 1) if is_bash else ("", 0)
    for word, help in candidates.words.items():
        if word.startswith(start) and word[skipped:]:
            print(f"{word[skipped:]}\t{help}".rstrip())
    return 0


COMPLETION = Command(
    "completion",
    (
        "evalign completion bash > ~/.local/share/bash-completion/completions/evalign",
        'evalign completion zsh > "${fpath[1]}/_evalign"',
        "evalign completion fish > ~/.config/fish/completions/evalign.fish",
    ),
    "Print a script for a shell: with it, Tab completes commands, options, metrics and files. The script asks evalign at "
    "each Tab.",
    (
        Option("shell", f"one of {', '.join(SCRIPTS)}", "SHELL", choices=tuple(SCRIPTS)),
        Option(
            "words",
            "words of a command line: print what the last could be, as the script asks",
            "WORD",
            nargs=argparse.REMAINDER,
        ),
    ),
    run,
    'To try it in the shell at hand: eval "$(evalign completion bash)".',
    reads_files=False,
)
