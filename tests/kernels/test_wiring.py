"""Kernels are found and built, and exist in both forms."""

import importlib.util
import os
import subprocess
import sys
import tomllib
from concurrent.futures import BrokenExecutor
from importlib import import_module
from pathlib import Path

import pytest

import evalign.kernels
from forms import IMPLEMENTATIONS

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "src" / "evalign" / "kernels"
NAMES = sorted(path.stem for path in FOLDER.glob("*_cy.py"))
FORMS = [form for name in NAMES for form in IMPLEMENTATIONS(name)]


def python(code, **environment):
    """What a fresh Python prints."""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


@pytest.fixture
def setup_script(monkeypatch):
    """setup.py as a module: it calls setup() only when run."""
    pytest.importorskip("setuptools")
    monkeypatch.delenv("EVALIGN_COMPILE", raising=False)
    spec = importlib.util.spec_from_file_location("evalign_setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_setup_builds_every_kernel_on_disk(setup_script):
    assert [extension.name for extension in setup_script.extensions()] == [
        setup_script.SHARED,
        *(f"evalign.kernels.{name}" for name in NAMES),
    ]
    assert NAMES


def test_the_oldest_cython_is_the_one_that_is_installed_for_the_build(setup_script):
    oldest = ".".join(map(str, setup_script.OLDEST_CYTHON))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"Cython>={oldest}" in project["build-system"]["requires"]
    assert f"Cython>={oldest}" in (ROOT / "requirements-dev.in").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("choice", "optional"), [("", True), ("always", False)])
def test_a_failed_build_is_an_error_only_when_demanded(setup_script, monkeypatch, choice, optional):
    monkeypatch.setenv("EVALIGN_COMPILE", choice)
    assert {extension.optional for extension in setup_script.extensions()} == {optional}


def test_the_build_can_be_forbidden(setup_script, monkeypatch):
    monkeypatch.setenv("EVALIGN_COMPILE", "never")
    assert setup_script.extensions() == []


def test_a_choice_that_does_not_exist_is_named(setup_script, monkeypatch):
    monkeypatch.setenv("EVALIGN_COMPILE", "sometimes")
    with pytest.raises(SystemExit, match='"sometimes"\n  expected always, never, or nothing at all'):
        setup_script.extensions()


@pytest.mark.parametrize("error", [OSError, ImportError, BrokenExecutor])
def test_kernels_are_translated_one_by_one_where_no_process_can_be_started(setup_script, monkeypatch, error):
    def cythonize(extensions, nthreads=0, **_options):
        if nthreads:
            raise error
        return [setup_script.Extension(each.name, [f"build/{each.name}.c"]) for each in extensions]

    monkeypatch.setattr("multiprocessing.get_start_method", lambda: "fork")
    monkeypatch.setattr(pytest.importorskip("Cython.Build"), "cythonize", cythonize)
    kernels = setup_script.extensions()
    setup_script.translate(kernels)
    assert [kernel.sources for kernel in kernels] == [[f"build/{kernel.name}.c"] for kernel in kernels]


@pytest.mark.parametrize("form", FORMS)
def test_each_form_says_which_it_is(form, request):
    assert form.is_compiled() == request.node.callspec.id.startswith("compiled")


def public_names(module):
    own = (
        key for key, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__
    )
    return {name for name in own if not name.startswith("_")}


@pytest.mark.parametrize("name", NAMES)
def test_the_compiled_form_offers_nothing_else(name):
    in_use, plain = import_module(f"evalign.kernels.{name}"), evalign.kernels.load_plain(name)
    assert {"is_compiled"} < public_names(in_use) <= public_names(plain)


@pytest.mark.parametrize("name", NAMES)
def test_the_compiled_form_is_as_new_as_its_source(name):
    in_use = import_module(f"evalign.kernels.{name}")
    if not in_use.is_compiled() or not (FOLDER / Path(in_use.__file__).name).is_file():
        pytest.skip(f"{name} is not compiled in place")
    newest = (FOLDER / f"{name}.py").stat().st_mtime
    assert Path(in_use.__file__).stat().st_mtime >= newest, "changed since it was compiled: run `make setup`"


def test_kernels_are_compiled_all_or_none():
    forms = {name: import_module(f"evalign.kernels.{name}").is_compiled() for name in NAMES}
    assert set(forms.values()) == {evalign.kernels.is_compiled()}, forms


def test_the_plain_form_is_loaded_once_and_under_its_own_name():
    plain = evalign.kernels.load_plain("match_cy")
    assert plain is evalign.kernels.load_plain("match_cy")
    assert plain.__name__ == "evalign.kernels.plain.match_cy"
    assert plain.__file__.endswith("match_cy.py")


def test_a_kernel_that_does_not_exist_is_named():
    with pytest.raises(ModuleNotFoundError, match="no kernel module nothing_cy"):
        evalign.kernels.load_plain("nothing_cy")


def test_a_variable_asks_for_the_plain_form():
    code = "from evalign.kernels import is_compiled, match_cy; print(is_compiled(), match_cy.__file__[-11:])"
    assert python(code, EVALIGN_KERNELS="plain") == "False match_cy.py"


def test_plain_kernels_load_without_cython():
    code = f"""
import sys
sys.modules["cython"] = None
from importlib import import_module
for name in {NAMES}:
    print(import_module("evalign.kernels." + name).is_compiled())
"""
    assert set(python(code, EVALIGN_KERNELS="plain").split()) == {"False"}


def test_asking_which_form_is_in_use_imports_no_numpy():
    code = "import sys; from evalign.kernels import is_compiled; is_compiled(); print('numpy' in sys.modules)"
    assert python(code) == "False"
