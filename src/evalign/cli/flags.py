"""Translate the parameters that messages name into flags of the command line.

Messages below `cli` name an option as Python writes it, in backticks: `` `match="text"` ``,
`` leave out `strict` ``. Everything that a command writes to standard error goes through `write_flags`.
Values that carry messages into output or files, such as the warnings of a result or the findings of the
doctor, go through `write_flags_in`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import partial
from typing import TypeVar, cast

Value = TypeVar("Value")

# Function -> the command that does the same, and what has to follow its arguments.
FUNCTIONS = {
    "mine_pairs": ("evalign bitext mine", ""),
    "read_manifest": ("evalign score --manifest", ""),
    "score": ("evalign score", ""),
    "score_pairs": ("evalign bitext score", ""),
    "triples": ("evalign triples", " --format tsv"),
}
# Code that is not translated by name: its exact text -> what the command line says.
OTHER_WORDS = {
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
# The parameters that messages and definitions name. Each flag is the name with hyphens.
PARAMETERS = {
    "average", "baseline_system", "by", "candidates", "case", "chunk", "collapse_empty_nodes",
    "credit_exceptions", "edges", "encoder", "fail_over", "fail_under", "failures",
    "feature_values", "gold_format", "last_chunk", "layer", "lexicon", "match", "max_drop",
    "metrics", "missing", "normalize", "overwrite", "pair", "part", "per", "prefer", "raw",
    "recall_at", "relations", "root_heads", "share_of", "significant", "split", "split_spaces",
    "strategy", "stream", "strict", "sttr_without", "system_format", "training", "variance",
    "vocabulary", "weights", "window",
}  # fmt: skip
# Fields of dataclasses and named tuples that hold messages, or values with messages in them.
FIELDS = (
    "advice", "definition", "error", "failure", "failures", "findings", "left_out", "message", "notes", "results",
    "systems", "warnings", "whole", "worked",
)  # fmt: skip

# Text in double quotes is quoted from an input: it stays as it is, whatever it contains.
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
    """Return a copy of `value` whose messages name flags; `value` itself if no message names a parameter.

    Every string is treated as a message. In tuples, lists and mappings every item is searched; in dataclasses
    and named tuples only the fields in `FIELDS`, so that data such as token texts are never changed.
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
    """Return the fields of `value` that may hold messages, by name.

    Empty if `value` is neither a dataclass nor a named tuple.
    """
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
    else:
        names = list(getattr(value, "_fields", ()))
    return {name: getattr(value, name) for name in names if name in FIELDS}


def _write_code(match: re.Match[str]) -> str:
    """Translate a match of `_QUOTED_OR_CODE`; quoted text and unknown code stay as they are."""
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
    """Translate a call of one of `FUNCTIONS`, perhaps followed by `.save(...)`; return "" for any other code.

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
    """Write parameter `name` as a flag, followed by its value; `code` is the Python code of the value.

    None and True add nothing to the flag.
    """
    flag = OTHER_WORDS.get(name) or f"--{name.replace('_', '-')}"
    return flag if code in (None, "True") else f"{flag} {_write_value(code)}"


def _write_value(code: str) -> str:
    """Write the Python value `code` as on the command line; placeholders such as FILE stay as they are."""
    import ast

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
