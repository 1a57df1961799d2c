"""Figures about the structure of the source: `make house` prints them.

    python -m tools.house            # this checkout
    python -m tools.house ../other

They count modules, lines, classes, imports past a face, and class names used twice; and, for `evalign score`
on the example files, the modules and functions entered and the depth of calls. The figures tell whether a
newcomer has less to read than before. None of them is a goal.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
FEW_LINES = 60
# The modules of `kernels` are its face. Those of `compat` are public, so tests import them as users do.
OPEN = ("kernels",)
OPEN_TO_TESTS = (*OPEN, "compat")

RUNS = {
    "score G S": ("score", "examples/gold.conllu", "examples/second.conllu"),
    "score --stream -o": (
        "score", "examples/gold.conllu", "examples/second.conllu", "--stream", "-o", "{scratch}/run.json",
    ),
    "score DIR DIR": ("score", "examples/shared-task/gold", "examples/shared-task/alpha"),
}  # fmt: skip

# Counts the functions of evalign that a command calls, and the depth of calls; runs in a process of its own.
TRACE = """
import json, os, sys
root, *arguments = sys.argv[1:]
source = os.path.join(root, "src", "evalign") + os.sep
functions, depth, deepest = set(), 0, 0
def trace(frame, event, argument):
    global depth, deepest
    if event in ("call", "return") and frame.f_code.co_filename.startswith(source):
        if event == "return":
            depth -= 1
        else:
            depth += 1
            deepest = max(deepest, depth)
            functions.add((frame.f_code.co_filename, frame.f_code.co_firstlineno, frame.f_code.co_name))
sys.argv = ["evalign", *arguments]
from evalign.cli import main
sys.stdout = sys.stderr = open(os.devnull, "w")
sys.setprofile(trace)
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
named = {each for each in functions if each[2] != "<module>" and not each[2].startswith("<")}
modules = {path for path, *_ in named}
print(json.dumps([len(modules), len(named), deepest]), file=sys.__stdout__)
"""


class Import(NamedTuple):
    """A name that a file imports from a module of evalign."""

    path: Path
    lineno: int
    module: str
    name: str


class Source:
    """The parsed modules below `src/evalign` of a checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.package = root / "src" / "evalign"
        self.trees = {path: ast.parse(path.read_bytes()) for path in sorted(self.package.rglob("*.py"))}

    def past_faces(self) -> list[Import]:
        """Return the imports from a module inside another package that bypass the package's face."""
        return [
            imported
            for path, tree in self.trees.items()
            for imported in self._imports(path, tree)
            if imported.module.split(".")[1] not in (self._room(path), *OPEN)
        ]

    def past_faces_in_tests(self) -> list[Import]:
        """Return the imports in tests that bypass a face.

        Tests of the kernels and `test_levels.py`, which tests the structure itself, may bypass faces.
        """
        paths = [path for path in (self.root / "tests").rglob("*.py") if "kernels" not in path.parts]
        return [
            imported
            for path in sorted(paths)
            if path.name != "test_levels.py"
            for imported in self._imports(path, ast.parse(path.read_bytes()))
            if imported.module.split(".")[1] not in OPEN_TO_TESTS
        ]

    def repeated_classes(self) -> list[str]:
        """Return the public class names that several modules define."""
        names = Counter(
            node.name
            for tree in self.trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        )
        return sorted(name for name, times in names.items() if times > 1)

    def count_classes(self) -> int:
        """Count all classes."""
        return sum(isinstance(node, ast.ClassDef) for tree in self.trees.values() for node in ast.walk(tree))

    def count_lines(self) -> list[int]:
        """Return the number of lines of each module."""
        return [len(path.read_text(encoding="utf-8").splitlines()) for path in self.trees]

    def _room(self, path: Path) -> str:
        parts = path.relative_to(self.package).with_suffix("").parts
        return parts[0] if len(parts) > 1 else ""

    def _imports(self, path: Path, tree: ast.Module) -> Iterator[Import]:
        """Yield the names imported from a module inside a package rather than from the package."""
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("evalign."):
                continue
            assert node.module
            parts = node.module.split(".")[1:]
            is_module = len(parts) > 1 and not self.package.joinpath(*parts).is_dir()
            for alias in node.names:
                if is_module or self.package.joinpath(*parts, f"{alias.name}.py").exists():
                    yield Import(path.relative_to(self.root), node.lineno, node.module, alias.name)


def trace_run(root: Path, arguments: tuple[str, ...]) -> tuple[int, int, int]:
    """Return the numbers of modules and functions that a command enters, and the depth of its calls."""
    with tempfile.TemporaryDirectory() as scratch:
        given = [argument.format(scratch=scratch) for argument in arguments]
        environment = {
            "PYTHONPATH": str(root / "src"),
            "COLUMNS": "80",
            "PATH": "",
            "EVALIGN_KERNELS": "plain",
        }
        done = subprocess.run(
            [sys.executable, "-c", TRACE, str(root), *given],
            cwd=root, env=environment, capture_output=True, check=True, encoding="utf-8",
        )  # fmt: skip
    modules, functions, depth = json.loads(done.stdout)
    return modules, functions, depth


def main() -> None:
    """Print the figures of the checkout named as argument, or of this one."""
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT.resolve()
    source = Source(root)
    lines = source.count_lines()
    print(
        f"modules                      {len(lines):>7,}  ({sum(n < FEW_LINES for n in lines)} below {FEW_LINES} lines)"
    )
    print(f"lines                        {sum(lines):>7,}")
    print(f"classes                      {source.count_classes():>7,}")
    print(f"class names used twice       {len(source.repeated_classes()):>7,}")
    print(f"imports past a face          {len(source.past_faces()):>7,}")
    print(f"  in tests                   {len(source.past_faces_in_tests()):>7,}")
    for name, arguments in RUNS.items():
        modules, functions, depth = trace_run(root, arguments)
        print(f"{name:<18} enters {modules} modules, {functions} functions; calls are {depth} deep")


if __name__ == "__main__":
    main()
