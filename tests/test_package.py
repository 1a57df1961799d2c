"""The package as users get it: sdist and wheel, each installed in an environment of its own."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from evalign import __version__

ROOT = Path(__file__).parent.parent
NOT_COPIED = shutil.ignore_patterns(
    ".*", "build", "dist", "wheelhouse", "*.egg-info", "__pycache__", "*.so", "*.pyd", "*_cy.c"
)
GOLD = "An e-mail came .\nRead it .\n"
SYSTEM = "An email came .\nRead it .\n"

pytestmark = pytest.mark.slow


def run(*command, cwd, compile_kernels=""):
    environment = {**os.environ, "EVALIGN_COMPILE": compile_kernels}
    environment.pop("EVALIGN_KERNELS", None)
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind, tree, **options):
    """The one file that building a copy of the project gives."""
    target = tree.parent / kind
    run(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", target, cwd=tree, **options)
    [path] = target.iterdir()
    return path


def install(path, folder, **options):
    """An environment with the package in it, and numpy and the build tools of this one."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    run(
        python, "-m", "pip", "uninstall", "-q", "-y", "setuptools", cwd=folder
    )  # older Pythons bring an old one
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed")
    how = ("--editable", path) if path.is_dir() else (path,)
    run(python, "-m", "pip", "install", "-q", *offline, *how, cwd=folder, **options)
    where = run(python, "-c", "import evalign; print(evalign.__file__)", cwd=folder).strip()
    assert Path(where).is_relative_to(path if path.is_dir() else folder), "not the package that was installed"
    return python.parent / "evalign"


def check_program(evalign, folder, form):
    (folder / "gold.txt").write_text(GOLD, encoding="utf-8")
    (folder / "system.txt").write_text(SYSTEM, encoding="utf-8")
    version = run(evalign, "--version", cwd=folder)
    assert __version__ in version
    assert form in version
    assert "tokens" in run(evalign, "score", "gold.txt", "system.txt", cwd=folder)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the project without what was built in it."""
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("copy") / "project", ignore=NOT_COPIED))


@pytest.fixture(scope="module")
def sdist(tree):
    return build("sdist", tree)


@pytest.fixture(scope="module")
def wheel(tree):
    return build("wheel", tree, compile_kernels="always")


def test_sdist_has_all_that_a_checkout_has(sdist, tree):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("src", "tests", "examples", "docs", "bench"):
        for path in (tree / folder).rglob("*"):
            if path.is_file() and ".egg-info" not in str(path):
                assert path.relative_to(tree).as_posix() in names
    assert {"Makefile", "LICENSE", "requirements-dev.txt", "setup.py"} <= names
    assert not [name for name in names if name.endswith((".so", ".pyd", ".c"))]


def test_sdist_installs_and_runs_without_a_compiler(sdist, tmp_path):
    program = install(sdist, tmp_path / "environment", compile_kernels="never")
    check_program(program, tmp_path, "plain")


def test_wheel_has_each_kernel_in_both_forms(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    kernels = [path.stem for path in (ROOT / "src/evalign/kernels").glob("*_cy.py")]
    for kernel in kernels:
        assert f"evalign/kernels/{kernel}.py" in names
        assert [
            name for name in names if name.startswith(f"evalign/kernels/{kernel}.") and name[-3:] != ".py"
        ]
    assert [name for name in names if name.startswith("evalign/kernels/_memoryviews.")]
    assert "evalign/py.typed" in names
    assert not [name for name in names if not name.startswith(("evalign/", "evalign-"))]


@pytest.mark.skipif(sys.platform != "linux", reason="other compilers make files of other sizes")
def test_compiled_kernels_are_small(wheel):
    files = zipfile.ZipFile(wheel).infolist()
    assert sum(file.file_size for file in files if file.filename.endswith(".so")) < 4_000_000
    assert sum(file.file_size for file in files) < 10_000_000


def test_wheel_installs_and_runs_compiled(wheel, tmp_path):
    check_program(install(wheel, tmp_path / "environment"), tmp_path, "compiled")


@pytest.mark.issue(28)
def test_an_editable_install_has_bytecode_even_where_python_writes_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    copy = Path(shutil.copytree(ROOT, tmp_path / "copy", ignore=NOT_COPIED))
    program = install(copy, tmp_path / "environment", compile_kernels="never")
    modules = sorted((copy / "src/evalign").rglob("*.py"))
    assert modules
    for path in modules:
        assert Path(importlib.util.cache_from_source(str(path))).exists(), path
    check_program(program, tmp_path, "plain")
