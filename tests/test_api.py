"""The public API: the names that `import evalign` offers, and that a command needs no others."""

import inspect
import subprocess
import sys

import pytest

import evalign

pytestmark = pytest.mark.once

GOLD = "Soup for six\nChop two onions .\nYou can't rush it .\n"
SYSTEM = "Soup for six Chop two onions .\nYou can 't rush it .\n"

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


def public_members(value):
    if not inspect.isclass(value):
        return
    for name, member in vars(value).items():
        if not name.startswith("_") and (
            inspect.isfunction(member) or isinstance(member, (property, classmethod))
        ):
            yield name, member


@pytest.mark.parametrize("name", HOMES)
def test_everything_public_is_documented(name):
    value = getattr(evalign, name)
    assert inspect.getdoc(value)
    for member_name, member in public_members(value):
        assert inspect.getdoc(member), f"{name}.{member_name} has no docstring"


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


def test_asking_for_the_version_needs_no_numpy():
    code = "import sys; from evalign.cli import main; main(['--version']); print('numpy' in sys.modules, 'argparse' in sys.modules)"
    assert python(code).splitlines()[1] == "False False"


def test_names_stay_what_they_are_after_modules_are_imported():
    """`evalign.align` is a function, and the package of the same name must not take its place."""
    code = (
        "import evalign; evalign.score([['a']], [['a']]); import evalign.alignment.raw_map; import evalign.cli.run;"
        "print([name for name in evalign.__all__ if type(getattr(evalign, name)) is type(evalign)])"
    )
    assert python(code).strip() == "[]"


@pytest.fixture
def texts():
    return evalign.Text(GOLD, "gold.txt"), evalign.Text(SYSTEM, "one.txt")


def test_score_has_every_option_of_the_command():
    from evalign.cli.run import load_command

    shown = {
        "help",
        "format",
        "output",
        "quiet",
        "fail_on_failure",
        "fail_on_warning",
        "only",
        "per",
        "gold",
        "systems",
        "report",
        "passages",
        "layout",
    }
    # Functions and arguments of their own: `assess`, `score_collection`, `InputLimit`.
    shown |= {
        "confidence",
        "paired",
        "all_pairs",
        "resamples",
        "seed",
        "manifest",
        "failures",
        "keep",
        "stay_below",
    }
    shown |= {"max_input"}
    # Both are what `engine` may be.
    shown |= {"jobs", "cluster"}
    options = {action.dest for action in load_command("score").make_parser()._actions} - shown
    assert options <= set(inspect.signature(evalign.score).parameters)


def test_align_has_every_option_that_moves_an_alignment():
    from evalign.scoring.api import align

    wanted = {"normalize", "exceptions", "strict", "gold_format", "system_format"}
    assert wanted <= set(inspect.signature(align).parameters)


def test_what_score_prints_can_be_had(texts):
    result = evalign.score(*texts)
    assert result["tokens"].f1 == 0.88
    assert result.ledger.equal == 39
    assert result.signature.startswith(f"evalign:{evalign.__version__}|")
    assert result.to_dict()["systems"][0]["scores"]["tokens"]["f1"] == 0.88


@pytest.mark.parametrize("name", ["Attribution", "Gate", "Parts", "Result", "Score", "Significance"])
def test_what_returns_a_dictionary_is_called_to_dict(name):
    assert inspect.isfunction(getattr(evalign, name).to_dict)
    assert not hasattr(getattr(evalign, name), "to_json")


def test_a_result_comes_back_from_its_dictionary(texts):
    saved = evalign.score(*texts).to_dict(whole=True)
    assert evalign.Result.from_dict(saved).to_dict(whole=True) == saved


def test_what_align_prints_can_be_had():
    code = (
        "import evalign; alignment = evalign.align([['a', 'b'], ['c']], [['a', 'bc']]);"
        "print([(list(g), list(s)) for g, s in alignment.blocks], alignment.project(1, 2))"
    )
    assert python(code).strip() == "[([0, 1], [0])] (1, 2)"


def test_errors_are_one_family():
    assert issubclass(evalign.StrictError, evalign.InputError)
    assert issubclass(evalign.InputError, evalign.EvalignError)
    assert issubclass(evalign.CommandError, evalign.EvalignError)
    with pytest.raises(evalign.CommandError, match="no system to score"):
        evalign.score([["a"]])
    with pytest.raises(evalign.StrictError):
        evalign.score([["a"]], [["b"]], strict=True)


def test_what_gate_says_can_be_had(texts):
    result = evalign.score(*texts)
    assert evalign.gate(result, result, max_drop={"tokens": 0}, fail_under={"tokens.f1": 88}).passed
    assert not evalign.gate(result, fail_under={"tokens": 88.1})
