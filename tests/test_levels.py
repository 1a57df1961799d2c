"""The structure of the source: imports point down, files and functions stay small."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from types import FunctionType

import pytest

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
    "options",
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
def trees():
    """The syntax tree of every module, by its name."""
    return {module_name(path): ast.parse(path.read_bytes()) for path in sorted(SOURCE.rglob("*.py"))}


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


def test_private_names_stay_in_their_module():
    """Modules such as `_lazy` may be imported, names in them that begin with `_` may not."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evalign"):
                private = [alias.name for alias in node.names if alias.name.startswith("_")]
                inside = [
                    name
                    for name in private
                    if name != "__version__" and f"{node.module}.{name}" not in trees()
                ]
                assert inside == [], f"{module} imports {inside} from {node.module}"


# Where README and docs import from; every other module imports names from the modules that define them.
FACES = ("evalign", "evalign.compat.evalb", "evalign.reports.html", "evalign.typology")


def test_packages_have_no_names_of_their_own():
    for path in SOURCE.rglob("__init__.py"):
        module = module_name(path)
        if module not in (*FACES, "evalign.cli", "evalign.kernels"):
            assert len(trees()[module].body) == 1, f"{module} has more than a docstring"
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in FACES[1:]:
                names = [alias.name for alias in node.names if f"{node.module}.{alias.name}" not in trees()]
                assert names == [], f"{module} imports {names} from {node.module}, not from their modules"


def test_no_name_of_a_face_is_one_of_its_modules():
    for path in SOURCE.rglob("__init__.py"):
        package = import_module(module_name(path))
        modules = {each.stem for each in path.parent.glob("*.py")} | {
            each.name for each in path.parent.iterdir()
        }
        assert not modules & set(getattr(package, "__all__", ())), package


def test_every_function_and_class_of_a_face_and_its_members_say_what_they_are():
    silent = []
    for path in SOURCE.rglob("__init__.py"):
        package = import_module(module_name(path))
        for name in getattr(package, "__all__", ()):
            value = getattr(package, name)
            documented = {name: value} if isinstance(value, type) or hasattr(value, "__code__") else {}
            for member, found in vars(value).items() if isinstance(value, type) else ():
                if not member.startswith("_") and isinstance(found, FunctionType | property | classmethod):
                    documented[f"{name}.{member}"] = found
            # Dataclasses and named tuples without a docstring get one that is their signature.
            texts = {name: getdoc(each) or "" for name, each in documented.items()}
            silent += [each for each, text in texts.items() if not text or text.startswith(f"{name}(")]
    assert silent == []
