"""Figures about the size of the source: `make house` prints them.

    python -m tools.house            # this checkout
    python -m tools.house ../other

Code lines leave out docstrings, comments and blank lines, and tokens leave out the same, so that longer lines do
not lower them. Source in other languages, tools and tests are counted beside it. For three runs of `evalign score`
on the example files it counts the classes of evalign whose values are made, and the functions that are entered.
The figures tell whether a newcomer has less to read than before. None of them is a goal.
"""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
LONG_LINE = 110
NO_SOURCE = (".py", ".pyc", ".so", ".pyd", ".c", ".typed", "")
LAYOUT = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
)  # fmt: skip
RUNS = {
    "score G S": ("gold.conllu", "system.txt"),
    "score G S --stream -o": ("gold.conllu", "second.conllu", "--stream", "-o", "run.json"),
    "score DIR DIR": ("shared-task/gold", "shared-task/alpha", "shared-task/beta"),
}

# Runs a command and prints how many classes it made values of, functions it entered, and modules these are in.
# A named tuple is made by its `__new__`, which knows its class as `_cls`; other values by `__init__`.
TRACE = """
import os, sys
classes, functions = set(), set()
def trace(frame, event, argument):
    if event != "call":
        return
    code, module = frame.f_code, frame.f_globals.get("__name__", "")
    is_ours = module.startswith("evalign") and not module.startswith("evalign.kernels")
    is_function = code.co_flags & 1 and not code.co_name.startswith("<") and "evalign" in code.co_filename
    if is_ours and is_function:
        functions.add((module, code.co_qualname))
    value = None
    if code.co_filename == "<string>" and module.startswith("namedtuple_"):
        value = frame.f_locals.get("_cls")
    elif code.co_name == "__init__" and "self" in frame.f_locals:
        value = type(frame.f_locals["self"])
    if value and value.__module__.startswith("evalign") and not value.__module__.startswith("evalign.kernels"):
        classes.add(value)
from evalign.cli import main
sys.stdout = sys.stderr = open(os.devnull, "w")
sys.setprofile(trace)
try:
    status = main(sys.argv[1:])
finally:
    sys.setprofile(None)
print(len(classes), len(functions), len({module for module, _ in functions}), file=sys.__stdout__)
sys.exit(status)
"""


def count_tokens(path: Path) -> dict[str, list[int]]:
    """Return the tokens that begin on each code line of a module, by the text of the line."""
    source = path.read_text(encoding="utf-8")
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                docstrings.update(range(first.lineno, (first.end_lineno or 0) + 1))
    tokens: Counter[int] = Counter()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            # A text over several lines begins on its first one, and is code on the others too.
            tokens.update(
                {line: int(line == token.start[0]) for line in range(token.start[0], token.end[0] + 1)}
            )
    lines: dict[str, list[int]] = {}
    texts = source.split("\n")
    for number, count in tokens.items():
        if number not in docstrings:
            lines.setdefault(texts[number - 1], []).append(count)
    return lines


def count_code(paths: Iterable[Path]) -> tuple[int, int, int]:
    """Return the numbers of code lines, of tokens on them, and of code lines over LONG_LINE characters."""
    totals = [0, 0, 0]
    for path in paths:
        for text, counts in count_tokens(path).items():
            totals[0] += len(counts)
            totals[1] += sum(counts)
            totals[2] += len(counts) * (len(text) > LONG_LINE)
    return totals[0], totals[1], totals[2]


def count_lines(paths: Iterable[Path]) -> int:
    """Return the number of lines of all files."""
    return sum(path.read_bytes().count(b"\n") for path in paths)


def trace_run(root: Path, words: tuple[str, ...]) -> str:
    """Return how many classes, functions and modules `evalign score` meets with the example files."""
    examples = (root / "examples").resolve()
    given = [str(examples / word) if (examples / word).exists() else word for word in words]
    plain = {"PYTHONPATH": str((root / "src").resolve()), "EVALIGN_KERNELS": "plain", "COLUMNS": "80"}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [sys.executable, "-c", TRACE, "score", *given],
            cwd=scratch, env={**os.environ, **plain}, capture_output=True, check=True, encoding="utf-8",
        )  # fmt: skip
    classes, functions, modules = done.stdout.split()
    return f"{classes} types, {functions} functions in {modules} modules"


def main() -> None:
    """Print the figures of the checkout named as argument, or of this one."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    package = root / "src" / "evalign"
    modules = sorted(package.rglob("*.py"))
    lines, tokens, long_lines = count_code(modules)
    others: Counter[str] = Counter()
    for path in package.rglob("*"):
        if path.is_file() and path.suffix not in NO_SOURCE:
            others[path.suffix.lstrip(".")] += count_lines([path])
    beside = [path for part in ("tools", "bench") for path in (root / part).rglob("*.py")]
    figures = {
        "modules": len(modules),
        "code lines": lines,
        "tokens": tokens,
        f"lines over {LONG_LINE}": long_lines,
        "other source": ", ".join(f"{ending} {count}" for ending, count in sorted(others.items())),
        "tools, bench": count_code(beside)[0],
        "test lines": count_lines((root / "tests").rglob("*.py")),
        **{name: trace_run(root, words) for name, words in RUNS.items()},
    }
    for name, figure in figures.items():
        print(f"{name:22} {figure}")


if __name__ == "__main__":
    main()
