"""What `make` would do, by its dry runs; it names the same Python version as the project."""

import ast
import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

needs_make = pytest.mark.skipif(
    os.name == "nt" or not shutil.which("make"), reason="there is no make, or its paths have backslashes"
)


def dry_run(*arguments):
    """The commands that make would run; what a make that runs the tests was given does not count."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", "-n", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout


@needs_make
def test_the_demo_needs_neither_the_locked_packages_nor_a_compiler(tmp_path):
    commands = dry_run("-B", "demo", f"VENV={tmp_path / 'none'}")
    assert "build/demo" in commands
    assert "seconds" in commands
    assert "EVALIGN_COMPILE=never" in commands
    assert "requirements-dev.txt" not in commands
    assert "build_ext" not in commands
    assert str(tmp_path) not in commands


@needs_make
def test_the_demo_uses_the_whole_environment_where_there_is_one(tmp_path):
    for stamp in (".environment", ".installed", ".ready"):
        (tmp_path / stamp).touch()
    commands = dry_run("demo", f"VENV={tmp_path}")
    assert re.search(rf"^{re.escape(str(tmp_path))}/\w+/evalign score ", commands, re.MULTILINE)
    assert "build/demo" not in commands


@needs_make
@pytest.mark.parametrize(("target", "compiles"), [("check", False), ("test", True)])
def test_only_what_runs_kernels_compiles_them(tmp_path, target, compiles):
    commands = dry_run("-B", target, f"VENV={tmp_path / 'none'}")
    assert "minutes" in commands
    assert ("build_ext" in commands) == compiles


@pytest.mark.issue(28)
def test_no_test_limits_the_process_that_writes_the_log_of_the_tests():
    """With `make test > log` a limit on sizes of files would hold for the log."""
    calls = [
        path.name
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setrlimit")
    ]
    assert not calls


def test_the_oldest_python_is_the_same_everywhere():
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    versions = [
        text.rpartition(" ")[2]
        for text in PROJECT["project"]["classifiers"]
        if text.startswith("Programming Language :: Python :: 3.")
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert versions[0] == oldest
    assert [build.strip("cp-*") for build in PROJECT["tool"]["cibuildwheel"]["build"]] == [
        version.replace(".", "") for version in versions
    ]
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    assert f"--python-version {oldest} " in makefile
    assert f"({oldest.replace('.', ', ')})" in makefile
    workflow = ROOT / ".github/workflows/ci.yml"
    if workflow.exists():  # a source distribution has none
        assert f"python: {json.dumps(versions)}" in workflow.read_text(encoding="utf-8")
    for page in ("CONTRIBUTING.md", "docs/installing.md", "docs/first-steps.md"):
        assert f"Python {oldest} or later" in (ROOT / page).read_text(encoding="utf-8")
