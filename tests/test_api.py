"""The public API: the names that `import evalign` offers, and that a command needs no others."""

import inspect
import subprocess
import sys

import pytest

import evalign

pytestmark = pytest.mark.once

HOMES = {name: module for module, names in evalign._MODULES.items() for name in names.split()}


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_names_are_exported_sorted_and_have_a_home():
    assert sorted(evalign.__all__) == evalign.__all__
    assert set(evalign.__all__) == set(HOMES)
    assert set(evalign.__all__) <= set(dir(evalign))
    for name, home in HOMES.items():
        assert getattr(evalign, name) is getattr(sys.modules[home], name)


def test_a_name_there_is_not():
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        evalign.scores  # noqa: B018


@pytest.mark.parametrize("name", ["align", "gate", "read", "score"])
def test_functions_are_typed_and_take_options_by_keyword(name):
    function = getattr(evalign, name)
    parameters = inspect.signature(function).parameters.values()
    assert "return" in function.__annotations__
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in parameters)
    assert all(p.default is p.empty or p.kind is p.KEYWORD_ONLY or p.name == "baseline" for p in parameters)


def test_importing_costs_next_to_nothing():
    heavy = ("numpy", "argparse", "json", "re", "typing", "dataclasses")
    code = f"import sys; before = set(sys.modules); import evalign; new = set(sys.modules) - before; print([m for m in {heavy} if m in new])"
    assert python(code).strip() == "[]"


def test_names_stay_what_they_are_after_modules_are_imported():
    """`evalign.align` is a function, and the package of the same name must not take its place."""
    code = (
        "import evalign; evalign.score([['a']], [['a']]); import evalign.alignment.raw_map; import evalign.cli.run;"
        "print([name for name in evalign.__all__ if type(getattr(evalign, name)) is type(evalign)])"
    )
    assert python(code).strip() == "[]"


@pytest.mark.parametrize("name", ["Attribution", "Gate", "Parts", "Result", "Score", "Significance"])
def test_what_returns_a_dictionary_is_called_to_dict(name):
    assert inspect.isfunction(getattr(evalign, name).to_dict)
    assert not hasattr(getattr(evalign, name), "to_json")


def test_errors_are_one_family():
    assert issubclass(evalign.StrictError, evalign.InputError)
    assert issubclass(evalign.InputError, evalign.EvalignError)
    assert issubclass(evalign.CommandError, evalign.EvalignError)
    with pytest.raises(evalign.CommandError, match="no system to score"):
        evalign.score([["a"]])
    with pytest.raises(evalign.StrictError):
        evalign.score([["a"]], [["b"]], strict=True)
