"""Translate parameters in messages to flags of the command line.

Below `cli`, a message names an option as Python writes it, in backticks: `` `match="text"` ``, `` leave out
`strict` ``. The command line passes every message and definition through `write_flags` before it is printed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import partial
from typing import TypeVar, cast

# Calls, and parameters whose value differs from that of the option of the same name.
CALLS = {
    "baseline=old": "--baseline OLD.json",
    "engine=N": "--jobs",
    "evalign.assess(evalign.score(GOLD, OLD, NEW))": "evalign score GOLD OLD NEW --paired",
    "evalign.assess(evalign.score_pairs(GOLD, OLD, NEW))": "evalign bitext score GOLD OLD NEW --paired",
    "evalign.score_pairs(reviewed=FILE)": "evalign bitext score --reviewed",
    "evalign.bitext.scoring.render_review(samples)": "--review FILE",
    "evalign.bitext.statistics.sample_review(...)": "evalign bitext stats --review",
    "evalign.InputLimit(SIZE)": "--max-input SIZE",
    'gate(new, old, max_drop={"words": 0.1})': "--baseline old.json --max-drop words=0.1",
    "languages": "--language",
    "units": "--unit",
    "vocabulary=[...]": "--vocabulary FILE",
    'vocabulary=["one", "another"]': "give one word per line: --vocabulary FILE",
}
# Parameters whose flag has another name.
OTHER_FLAGS = {"engine": "--jobs", "units": "--unit"}
# Other parameters that messages and definitions name; their flag is the name with hyphens.
PARAMETERS = frozenset(
    "average baseline_system by candidates case chunk collapse_empty_nodes credit_exceptions edges encoder exceptions "
    "fail_over fail_under feature_values gold_format languages last_chunk layer lexicon match max_drop method metrics "
    "missing normalize overwrite pair part per preset raw recall_at relations root_heads share_of significant split "
    "split_spaces strategy stream strict sttr_without system_format training variance vocabulary weights window".split()
)

# Text in double quotes is data of the user and stays as it is.
_QUOTED_OR_CODE = re.compile(r'"[^"\n]*"|`([^`\n]+)`')
_PARAMETER = re.compile(r"([a-z_]+)(?:=(.+))?")
_PLAIN = re.compile(r"[\w.,:/=+-]+(?: or [\w.-]+)*")


def write_flags(text: str) -> str:
    """Replace the parameters and calls that `text` names in backticks by what to type on the command line.

    >>> write_flags('leave out `strict`, or: `gold_format="plain"`, `max_drop={"las": 0.1}`, `evalign.score(stream=True)`')
    'leave out --strict, or: --gold-format plain, --max-drop las=0.1, evalign score --stream'
    >>> write_flags('a line of "`strict`" and `code`')
    'a line of "`strict`" and `code`'
    """
    return _QUOTED_OR_CODE.sub(_write_code, text) if "`" in text else text


def write_flags_in(value: Value) -> Value:
    """Return `value` with flags in its messages: those of a result, an examination, a gate, a definition, or of several.

    Texts, and tuples, lists and mappings of them, are messages; of other values only `FIELDS` are looked at. What has no
    parameter in it is returned itself.
    """
    if isinstance(value, str):
        return cast("Value", write_flags(value))
    if isinstance(value, Mapping):
        items = {key: write_flags_in(each) for key, each in value.items()}
        return cast("Value", items) if any(items[key] is not value[key] for key in items) else value
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        parts = [write_flags_in(each) for each in value]
        is_new = any(new is not old for new, old in zip(parts, value, strict=True))
        return cast("Value", type(value)(parts)) if is_new else value
    fields = _list_fields(value)
    written = {name: write_flags_in(field) for name, field in fields.items()}
    new = {name: field for name, field in written.items() if field is not fields[name]}
    return _replace(value, new) if new else value


def _replace(value: Value, fields: Mapping[str, object]) -> Value:
    replace = getattr(value, "_replace", None) or partial(dataclasses.replace, value)
    return cast("Value", replace(**fields))


def _list_fields(value: object) -> dict[str, object]:
    """The fields of a dataclass or named tuple in which messages may stand."""
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
    else:
        names = list(getattr(value, "_fields", ()))
    return {name: getattr(value, name) for name in names if name in FIELDS}


def _write_code(match: re.Match[str]) -> str:
    """What stands on the command line for the code in backticks; other code, and text in quotes, as it is."""
    code = match[1]
    if code is None:
        return match[0]
    if code in OTHER_WORDS:
        return OTHER_WORDS[code]
    if code.startswith("evalign."):
        return _write_command(code) or match[0]
    parameter = _PARAMETER.fullmatch(code)
    if parameter is None or (parameter[1] not in PARAMETERS and parameter[1] not in OTHER_WORDS):
        return match[0]
    return _write_flag(parameter[1], parameter[2])


def _write_command(code: str) -> str:
    """A call of a function of evalign, and of `save` on what it returns, as a command; nothing for other code.

    >>> _write_command('evalign.score(GOLD, ..., average="sentence").save("run.json")')
    'evalign score GOLD ... --average sentence -o run.json'
    """
    import ast

    try:
        call = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    words: list[str] = []
    match call:
        case ast.Call(ast.Attribute(ast.Call() as inner, "save"), [ast.Constant(path)]):
            call, words = inner, ["-o", str(path)]
    match call:
        case ast.Call(ast.Attribute(ast.Name("evalign"), function), arguments, keywords) if (
            function in FUNCTIONS
        ):
            command, behind = FUNCTIONS[function]
            flags = [_write_flag(each.arg or "", ast.unparse(each.value)) for each in keywords]
            return (
                " ".join([command, *(_write_value(ast.unparse(each)) for each in arguments), *flags, *words])
                + behind
            )
    return ""


def _write_flag(name: str, code: str | None) -> str:
    """A parameter and the code of its value as a flag and what follows it."""
    flag = OTHER_WORDS.get(name) or f"--{name.replace('_', '-')}"
    return flag if code in (None, "True") else f"{flag} {_write_value(code)}"


def _write_value(code: str) -> str:
    """Write a Python value as the command line takes it.

    Placeholders such as FILE are no Python values and stay.
    """
    try:
        value = ast.literal_eval(code)
    except (ValueError, SyntaxError):
        placed = re.fullmatch(r'\{"([^"]+)": (\w+)\}', code)
        return f"{placed[1]}={placed[2]}" if placed else code
    if isinstance(value, dict):
        return ",".join(f"{name}={each}" for name, each in value.items())
    if value is ...:
        return "..."
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return text if _PLAIN.fullmatch(text) else f"'{text}'"
