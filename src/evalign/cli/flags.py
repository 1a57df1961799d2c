"""Translate the Python code that messages name into what to type on the command line.

Messages below `cli` name a parameter with its equals sign, in backticks: `` `match="text"` ``, `` leave out `strict=` ``,
or a call: `` `evalign.score(stream=True)` ``. The command line writes flags and commands in their place: in every
message to standard error (`cli.output`), and by `write_flags_in` in each value that a command gets from the other
packages before it prints, saves or draws it.
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
# Code that is not translated by its names: its exact text -> what the command line says.
OTHER_WORDS = {
    "baseline=old": "--baseline OLD.json",
    "engine=": "--jobs",
    "engine=N": "--jobs",
    "engine=ADDRESS": "--cluster",
    "evalign.InputLimit(SIZE)": "--max-input SIZE",
    "evalign.assess(evalign.score(GOLD, OLD, NEW))": "evalign score GOLD OLD NEW --paired",
    "evalign.assess(evalign.score_pairs(GOLD, OLD, NEW))": "evalign bitext score GOLD OLD NEW --paired",
    "evalign.bitext.scoring.render_review(samples)": "--review FILE",
    "evalign.bitext.statistics.sample_review(...)": "evalign bitext stats --review",
    "evalign.score": "evalign score",
    "evalign.score(weights=FILE)": "evalign score --weights",
    "evalign.score_pairs(reviewed=FILE)": "evalign bitext score --reviewed",
    'evalign.gate(new, old, max_drop={"words": 0.1})': "--baseline old.json --max-drop words=0.1",
    "evalign.typology.profile(...)": "evalign typology profile TREEBANK... -o profile.json",
    "evalign.typology.save_weights(...)": "evalign typology weights TREEBANK... -o weights.json",
    "evalign.reports.html.render_report(result)": "--report",
    "result.save(...)": "-o",
    "result.to_dict()": "--format json",
    "vocabulary=[...]": "--vocabulary FILE",
    'vocabulary=["one", "another"]': "give one word per line: --vocabulary FILE",
}
# Parameters whose flag is not their name with hyphens.
OTHER_FLAGS = {"languages": "--language", "units": "--unit"}
# The parameters that messages and definitions name.
PARAMETERS = {
    *OTHER_FLAGS, "average", "baseline_system", "by", "candidates", "case", "chunk", "collapse_empty_nodes",
    "credit_exceptions", "edges", "encoder", "fail_over", "fail_under", "failures", "feature_values",
    "gold_format", "last_chunk", "layer", "lexicon", "match", "max_drop", "metrics", "missing", "normalize",
    "overwrite", "pair", "part", "prefer", "raw", "recall_at", "relations", "root_heads", "share_of",
    "significant", "split", "split_spaces", "strategy", "stream", "strict", "sttr_without", "system_format",
    "training", "variance", "vocabulary", "weights", "window",
}  # fmt: skip
# Fields without messages that may be large: they are not searched.
UNSEARCHED = {"evidence", "ledger", "scores", "unit_fields", "unit_names", "unit_starts", "units"}

_CODE = re.compile(
    "`("
    + "|".join(map(re.escape, sorted(OTHER_WORDS, key=len, reverse=True)))
    + rf"|(?:{'|'.join(sorted(PARAMETERS, key=len, reverse=True))})=[^`\n]*"
    + rf"|evalign\.(?:{'|'.join(FUNCTIONS)})\([^`\n]*\)"
    + r'|breakdown\("[\w-]+"\)'
    + ")`"
)
_PLAIN = re.compile(r"[\w.,:/=+-]+(?: or [\w.-]+)*")


def write_flags(text: str) -> str:
    """Replace the parameters and calls that `text` names in backticks by what to type on the command line.

    >>> write_flags('leave out `strict=`, or: `gold_format="plain"`, `max_drop={"las": 0.1}`, `evalign.score(stream=True)`')
    'leave out --strict, or: --gold-format plain, --max-drop las=0.1, evalign score --stream'
    >>> write_flags('the token "`strict`", and `code`')
    'the token "`strict`", and `code`'
    """
    return _CODE.sub(_write_code, text) if "`" in text else text


def write_option(braces: str) -> str:
    """Write what a definition has in braces as it is typed.

    >>> write_option("match=place"), write_option("share_of"), write_option("result.save(...)|-o")
    ('--match place', '--share-of', '-o')
    """
    code, bar, command = braces.partition("|")
    name, _, value = code.partition("=")
    return command if bar else f"--{name.replace('_', '-')} {value}".rstrip()


def write_flags_in(value: Value) -> Value:
    """Return a copy of `value` whose messages name flags; `value` itself if no message names a parameter.

    Every string counts as a message: in tuples, lists and mappings, and in the fields of dataclasses and named tuples,
    except those in `UNSEARCHED`.
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
    """The fields of a dataclass or named tuple that are searched; none for any other value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
    else:
        names = list(getattr(value, "_fields", ()))
    return {name: getattr(value, name) for name in names if name not in UNSEARCHED}


def _write_code(match: re.Match[str]) -> str:
    """Translate a match of `_CODE`; a call that is no valid Python stays as it is."""
    code = match[1]
    if code in OTHER_WORDS:
        return OTHER_WORDS[code]
    if code.startswith("evalign."):
        return _write_command(code) or match[0]
    if code.startswith("breakdown("):
        return f"--per {code[11:-2]}"
    name, _, value = code.partition("=")
    return _write_flag(name, value)


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
            given = [_write_value(ast.unparse(each)) for each in arguments]
            flags = [_write_flag(each.arg or "", ast.unparse(each.value)) for each in keywords]
            return " ".join([command, *given, *flags, *words]) + behind
    return ""


def _write_flag(name: str, code: str) -> str:
    """Write parameter `name` as a flag, followed by its value, whose Python code is `code`; "" and True add nothing."""
    flag = OTHER_FLAGS.get(name) or f"--{name.replace('_', '-')}"
    return flag if code in ("", "True") else f"{flag} {_write_value(code)}"


def _write_value(code: str) -> str:
    """Write the Python value `code` as the command line takes it; placeholders such as FILE stay as they are."""
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
