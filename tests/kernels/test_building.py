"""Failing builds of the kernels, by `setup.py` in a small project of two kernels."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("Cython")
pytestmark = pytest.mark.slow

SETUP = Path(__file__).parent.parent.parent / "setup.py"
PROJECT = """
[project]
name = "evalign"
version = "1"
[tool.setuptools]
packages = ["evalign", "evalign.kernels"]
package-dir = { "" = "src" }
"""
KERNEL = "import cython\n\ndef first(items: cython.int[:]) -> cython.int:\n    return items[0]\n"


@pytest.fixture
def project(tmp_path):
    kernels = tmp_path / "src/evalign/kernels"
    kernels.mkdir(parents=True)
    for folder in (kernels.parent, kernels):
        (folder / "__init__.py").touch()
    for name in ("one_cy.py", "two_cy.py"):
        (kernels / name).write_text(KERNEL, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    shutil.copy(SETUP, tmp_path)
    return tmp_path


def build(project, **environment):
    """Build in place, and return how that ended and all compiled modules there are then."""
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=project,
        env={**os.environ, "EVALIGN_COMPILE": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, [path.name for path in project.rglob("*") if path.suffix in (".so", ".pyd")]


def test_nothing_is_said_where_nothing_is_compiled(project):
    done, compiled = build(project, EVALIGN_COMPILE="never")
    assert (done.returncode, compiled) == (0, [])
    assert "kernels" not in done.stderr


def refuse_second(project):
    """Make the second kernel one that Cython refuses; return nothing to set."""
    path = project / "src/evalign/kernels/two_cy.py"
    path.write_text(KERNEL.replace("return", "return nothing_of_this_name +"), encoding="utf-8")
    return {}


def break_compiler(_project):
    return {"CC": "false"}


def hide_cython(project):
    (project / "Cython.py").write_text("raise ModuleNotFoundError\n", encoding="utf-8")
    return {"PYTHONPATH": str(project)}


def age_cython(project):
    modules = {
        "__init__": "__version__ = '3.2.9'",
        "Build": "cythonize = None",
        "Compiler/__init__": "",
        "Compiler/Errors": "CompileError = None",
    }
    for name, text in modules.items():
        path = project / "Cython" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {"PYTHONPATH": str(project)}


FAILURES = [
    pytest.param(
        break_compiler,
        "",
        marks=pytest.mark.skipif(os.name == "nt", reason="CC is not read on Windows"),
    ),
    (refuse_second, "Cython refuses src"),
    (hide_cython, "Cython is not installed"),
    (age_cython, "Cython 3.2.9 is too old, 3.3 or later is needed"),
]


@pytest.mark.parametrize(("harm", "reason"), FAILURES)
def test_no_kernel_is_compiled_where_one_cannot_be(project, harm, reason):
    done, compiled = build(project, **harm(project))
    assert done.returncode == 0, done.stderr
    assert (
        done.stderr.count("compiling the kernels: half a minute on two cores; EVALIGN_COMPILE=never skips it")
        == 1
    )
    assert done.stderr.count(f"note: the kernels are not compiled: {reason}") == 1
    assert "EVALIGN_COMPILE=always makes this an error" in done.stderr
    assert compiled == []


@pytest.mark.parametrize(("harm", "reason"), FAILURES)
def test_a_kernel_that_cannot_be_compiled_is_an_error_on_demand(project, harm, reason):
    done, compiled = build(project, EVALIGN_COMPILE="always", **harm(project))
    assert done.returncode != 0
    assert reason in done.stderr
    assert compiled == []


# A compiler that fails for the second kernel alone, once the first is there.
COMPILER = """#!/bin/sh
case "$*" in *two_cy*)
  until ls build/lib*/evalign/kernels/one_cy*.so; do sleep 1; done
  exit 1
esac
exec cc "$@"
"""


@pytest.mark.skipif(os.name == "nt" or not shutil.which("cc"), reason="needs cc and a POSIX shell")
def test_what_was_compiled_before_the_failure_is_removed(project):
    compiler = project / "compiler"
    compiler.write_text(COMPILER, encoding="utf-8")
    compiler.chmod(0o755)
    done, compiled = build(project, CC=str(compiler))
    assert done.returncode == 0, done.stderr
    assert compiled == []
