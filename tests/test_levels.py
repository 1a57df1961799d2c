"""The structure of the source: imports point down, files and functions stay small."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from tools.house import Source

pytestmark = pytest.mark.once

SOURCE = Path(__file__).parent.parent / "src" / "evalign"
LEVELS = (
    "_version",
    "_lazy",
    "errors",
    "files",
    "wording",
    "table",
    "progress",
    "text",
    "ud_labels",
    "document",
    "kernels",
    "readers",
    "alignment",
    "metrics",
    "results",
    "significance",
    "engines",
    "scoring",
    "typology",
    "bitext",
    "reports",
    "compat",
    "cli",
)
# The same inside of bitext: its own modules, then its sub-packages; neighbours in a row do not know each other.
BITEXT_LEVELS = (("",), ("inputs", "search", "scoring"), ("statistics", "mining"), ("build",))
# Docstrings aside.
MOST_LINES_OF_A_MODULE = 1000
MOST_LINES_OF_A_FUNCTION = 80

# These join everything: the public names, and `python -m evalign`.
JOINTS = ("evalign", "evalign.__main__")


def module_name(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def house():
    return Source(SOURCE.parent.parent)


@cache
def trees():
    """The syntax tree of every module, by its name."""
    return {module_name(path): tree for path, tree in house().trees.items()}


def package_imports():
    """All pairs of an evalign module and an evalign module that it imports, at its top or in a function."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{module}:{node.lineno}: a relative import"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                if name.split(".")[0] == "evalign":
                    yield module, name if name in trees() else name.rpartition(".")[0] or name


def level(module):
    part = module.split(".")[1]
    assert part in LEVELS, f"{module} has no level: LEVELS names none called {part}"
    return LEVELS.index(part)


def test_every_module_has_a_level():
    for module in trees():
        assert module in JOINTS or level(module) >= 0


def test_imports_point_downwards():
    for module, imported in package_imports():
        if module in JOINTS or imported == "evalign":
            continue
        assert level(imported) <= level(module), f"{module} imports {imported}, above it"


def bitext_level(module):
    part = module.split(".")[2] if module.count(".") > 1 else ""
    part = part if (SOURCE / "bitext" / part).is_dir() else ""
    return part, next(level for level, parts in enumerate(BITEXT_LEVELS) if part in parts)


def test_imports_inside_bitext_point_downwards():
    for module, imported in package_imports():
        if module.startswith("evalign.bitext.") and imported.startswith("evalign.bitext."):
            (part, level), (other, other_level) = bitext_level(module), bitext_level(imported)
            assert part == other or level > other_level, f"{module} imports {imported}, which is not below it"


def test_only_the_version_comes_from_the_package_itself():
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "evalign" and module not in JOINTS:
                names = {alias.name for alias in node.names if f"evalign.{alias.name}" not in trees()}
                assert names <= {"__version__"}, f"{module} imports {names} from evalign, which is above it"


def test_no_module_imports_itself_through_others():
    graph = {module: set() for module in trees()}
    for module, imported in package_imports():
        if module not in JOINTS and imported not in JOINTS and imported != module:
            graph[module].add(imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def docstring_lines(node):
    """How many lines the docstrings in a part of the source take: a good explanation makes nothing too long."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = (
        each.body[0] for each in ast.walk(node) if isinstance(each, documented) and ast.get_docstring(each)
    )
    return sum(each.end_lineno - each.lineno + 1 for each in first)


def test_no_module_is_too_long():
    for path in SOURCE.rglob("*.py"):
        module = module_name(path)
        lines = len(path.read_bytes().splitlines()) - docstring_lines(trees()[module])
        assert lines <= MOST_LINES_OF_A_MODULE, f"{module} has {lines} lines"


def test_no_function_is_too_long():
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1 - docstring_lines(node)
                assert lines <= MOST_LINES_OF_A_FUNCTION, f"{module}.{node.name} has {lines} lines"


def test_other_packages_are_asked_through_their_faces():
    found = [f"{path}:{lineno}: {name} of {module}" for path, lineno, module, name in house().past_faces()]
    assert found == []


# It sets limits that no option of the command line sets.
LOOK_INSIDE = ("cli/test_spread.py",)


def test_tests_ask_packages_through_their_faces():
    found = [
        f"{path}:{lineno}: {name} of {module}"
        for path, lineno, module, name in house().past_faces_in_tests()
        if not path.as_posix().endswith(LOOK_INSIDE)
    ]
    assert found == []


def test_no_name_of_a_face_is_one_of_its_modules():
    for path in SOURCE.rglob("__init__.py"):
        package = import_module(module_name(path))
        modules = {each.stem for each in path.parent.glob("*.py")} | {
            each.name for each in path.parent.iterdir()
        }
        assert not modules & set(getattr(package, "__all__", ())), package


def test_every_name_of_a_face_is_there():
    for path in SOURCE.rglob("__init__.py"):
        package = import_module(module_name(path))
        for name in getattr(package, "__all__", ()):
            assert hasattr(package, name)


def test_every_function_and_class_of_a_face_says_what_it_is():
    silent = []
    for path in SOURCE.rglob("__init__.py"):
        package = import_module(module_name(path))
        for name in getattr(package, "__all__", ()):
            value = getattr(package, name)
            if isinstance(value, type) or (callable(value) and hasattr(value, "__code__")):
                # Dataclasses and named tuples without a docstring get one that is their signature.
                text = value.__doc__ or ""
                if not text or text.startswith(f"{value.__name__}("):
                    silent.append(f"{package.__name__}.{name}")
    assert silent == []


# Names that would say nothing of what they hold; `found` is what an error has found, beside what it expected.
EMPTY_NAMES = {"found", "told", "made", "known"}
FIELDS_OF_ERRORS = {"errors", "readers.official_errors", "readers.standoff"}


def test_names_say_what_they_hold():
    empty = []
    for module, tree in trees().items():
        allowed = {"found"} if module.removeprefix("evalign.") in FIELDS_OF_ERRORS else set()
        for node in ast.walk(tree):
            name = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.ClassDef: "name"}.get(
                type(node)
            )
            is_bound = name and not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
            if is_bound and getattr(node, name) in EMPTY_NAMES - allowed:
                empty.append(f"{module}:{node.lineno}: {getattr(node, name)}")
    # The key of a saved file.
    assert [each for each in empty if not each.startswith("evalign.bitext.statistics.schema:")] == []
