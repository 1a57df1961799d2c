"""How the source hangs together, in figures: `make house`.

    python -m tools.house            # this checkout
    python -m tools.house ../other

Modules, lines, classes, imports past a face, names used twice; and what `evalign score` enters on the example files:
modules, functions, how deep calls go. The figures say whether a newcomer has less to read than before; none is a goal.
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
# Modules of kernels are its face; those of compat are public, so that tests ask them as users do.
OPEN = ("kernels",)
OPEN_TO_TESTS = (*OPEN, "compat")

RUNS = {
    "score G S": ("score", "examples/gold.conllu", "examples/second.conllu"),
    "score --stream -o": (
        "score", "examples/gold.conllu", "examples/second.conllu", "--stream", "-o", "{scratch}/run.json",
    ),
    "score DIR DIR": ("score", "examples/shared-task/gold", "examples/shared-task/alpha"),
}  # fmt: skip

# Counts, in a process of its own, the functions of evalign that a command calls and how deep.
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
    """The modules below `src/evalign` of a checkout, parsed."""

    def __init__(self, root: Path) -> None:
        """Parse all of them."""
        self.root = root
        self.package = root / "src" / "evalign"
        self.trees = {path: ast.parse(path.read_bytes()) for path in sorted(self.package.rglob("*.py"))}

    def past_faces(self) -> list[Import]:
        """Imports from inside another package, where its face should be asked."""
        return [
            imported
            for path, tree in self.trees.items()
            for imported in self._imports(path, tree)
            if imported.module.split(".")[1] not in (self._room(path), *OPEN)
        ]

    def past_faces_in_tests(self) -> list[Import]:
        """The same in tests; those of kernels and of the wiring may look inside."""
        paths = [path for path in (self.root / "tests").rglob("*.py") if "kernels" not in path.parts]
        return [
            imported
            for path in sorted(paths)
            if path.name != "test_levels.py"
            for imported in self._imports(path, ast.parse(path.read_bytes()))
            if imported.module.split(".")[1] not in OPEN_TO_TESTS
        ]

    def repeated_classes(self) -> list[str]:
        """Public class names that several modules have."""
        names = Counter(
            node.name
            for tree in self.trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        )
        return sorted(name for name, times in names.items() if times > 1)

    def count_classes(self) -> int:
        """All classes."""
        return sum(isinstance(node, ast.ClassDef) for tree in self.trees.values() for node in ast.walk(tree))

    def count_lines(self) -> list[int]:
        """Lines by module."""
        return [len(path.read_text(encoding="utf-8").splitlines()) for path in self.trees]

    def _room(self, path: Path) -> str:
        parts = path.relative_to(self.package).with_suffix("").parts
        return parts[0] if len(parts) > 1 else ""

    def _imports(self, path: Path, tree: ast.Module) -> Iterator[Import]:
        """Names that come from a module inside a package, not from the package."""
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
    """Modules and functions that a command enters, and the depth of its calls."""
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
    """Print the figures of a checkout."""
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
