"""Options: one declaration that functions, their types, the help of commands and signatures follow."""

import argparse
import ast
import inspect
from dataclasses import MISSING, dataclass, fields
from pathlib import Path

import pytest

import evalign
from evalign import typology
from evalign.bitext.scoring.options import PairOptions
from evalign.cli.run import load_command
from evalign.cli.score import SCORE
from evalign.cli.shared_options import declared_option
from evalign.errors import CommandError
from evalign.metrics.registry import METRICS
from evalign.options import (
    OPTIONS,
    PRESETS,
    SIGNED,
    ExceptionList,
    OptionKeywords,
    Preset,
    ScoreOptions,
    check_options,
    declare,
)
from evalign.scoring.request import resolve
from evalign.typology.options import Criteria, ProfileOptions

pytestmark = pytest.mark.once

SOURCE = Path(evalign.__file__).parent
OF_ONE_RUN = {
    "gold", "systems", "raw", "by", "names", "engine", "stream", "window", "evidence", "passages", "progress",
}  # fmt: skip
# The rooms where the readers of an option are.
ROOMS = {
    "reading": ("readers", "scoring"),
    "aligning": ("scoring",),
    "metrics": ("metrics", "scoring"),
    "keeping": ("scoring",),
}
# Keys that `sign` and `_list_keys` in scoring/finish.py write for other reasons than a metric.
SIGNED_ANYWAY = {
    "mode", "normalize", "exceptions", "match", "strategy", "average", "spaces", "feature-values",
    "preset", "empty", "punctuation",
}  # fmt: skip
# What is read instead of the option itself.
PROPERTIES = {"match": "match_by", "candidates": "marks", "preset": "bracket_rules"}


def test_score_and_its_types_have_the_options_that_are_declared():
    keywords = inspect.signature(evalign.score).parameters
    typed = set(OptionKeywords.__annotations__)
    assert typed == set(OPTIONS), "options.py: OptionKeywords has other options than ScoreOptions"
    own = set(keywords) - OF_ONE_RUN
    assert own == set(OPTIONS), "scoring/api.py: `score` has other options than ScoreOptions in options.py"
    defaults = {name: keywords[name].default for name in OPTIONS}
    assert defaults == vars(ScoreOptions()), "scoring/api.py: `score` has other defaults than options.py"
    assert MISSING not in vars(ScoreOptions()).values(), "options.py: an option has no default"


@pytest.mark.parametrize("function", [evalign.read, evalign.align, evalign.attribute])
def test_other_functions_have_the_defaults_of_score(function):
    keywords = inspect.signature(function).parameters
    shared = {name: each.default for name, each in keywords.items() if name in OPTIONS}
    assert shared == {name: OPTIONS[name].default for name in shared} != {}


def test_every_option_is_a_flag_with_its_help():
    actions = {action.dest: action for action in SCORE.make_parser()._actions}
    for name, declared in OPTIONS.items():
        action = actions[name]
        assert action.option_strings == ["--" + name.replace("_", "-")]
        assert action.help.startswith(declared.metadata["help"])
        assert "choices" not in declared.metadata or action.choices == declared.metadata["choices"]


def flags_of(command):
    actions = load_command(command).make_parser()._actions
    return {"examples" if each.dest == "review_size" else each.dest: each for each in actions}


@pytest.mark.parametrize(
    ("options", "command"),
    [(ProfileOptions, "typology study"), (Criteria, "typology select"), (PairOptions, "bitext score")],
)
def test_every_option_of_another_command_is_a_flag_with_its_help(options, command):
    flags = flags_of(command)
    for declared in fields(options):
        if declared.name == "seed":  # the flag is that of resampling
            assert not declared.metadata
            continue
        flag, choices = flags[declared.name], declared.metadata.get("choices")
        assert (flag.help % (), flag.choices) == (declared.metadata["help"], choices)
        assert flag.default == declared.default or (flag.default is None and not choices)
        if isinstance(declared.default, (int, float)):
            assert f"(default {declared.default}" in flag.help


@pytest.mark.parametrize(
    ("function", "command", "options"),
    [
        (evalign.score_pairs, "bitext score", PairOptions),
        (typology.study, "typology study", ProfileOptions),
        (typology.compare, "typology compare", ProfileOptions),
        (typology.find_cascades, "typology cascades", ProfileOptions),
        (typology.find_run_cascades, "typology cascades", ProfileOptions),
    ],
)
def test_functions_have_the_defaults_of_options_and_commands(function, command, options):
    flags = flags_of(command)
    keywords = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    for declared in fields(options):
        assert keywords.get(declared.name, declared.default) == declared.default
    shared = keywords.keys() & flags.keys() - {"gold", "system", "systems"}
    assert shared
    for name in shared:
        assert flags[name].default in (keywords[name], None)
    assert options is not PairOptions or keywords.keys() >= {declared.name for declared in fields(options)}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_read_where_it_says(name):
    reader, attribute = OPTIONS[name].metadata["reader"], PROPERTIES.get(name, name)
    assert reader in ROOMS, f'options.py: {name} is read by "{reader}", which is none of {", ".join(ROOMS)}'
    files = [path for room in ROOMS[reader] for path in (SOURCE / room).rglob("*.py")]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_bytes()))]
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    assert attribute in read, f"nothing in {' and '.join(ROOMS[reader])} reads the option {name}"


@pytest.mark.parametrize("name", [name for name in OPTIONS if "choices" in OPTIONS[name].metadata])
def test_only_choices_are_taken(name):
    for value in OPTIONS[name].metadata["choices"]:
        assert getattr(resolve(**{name: value}), name) == value
    with pytest.raises(CommandError, match=f'unknown value "nothing" for {name}'):
        resolve(**{name: "nothing"})
    with pytest.raises(CommandError, match=f"`{name}=` is of type int"):
        evalign.score([["a"]], [["a"]], **{name: 3})


@pytest.mark.parametrize(
    "name", [name for name in OPTIONS if isinstance(OPTIONS[name].default, (bool, int, str))]
)
def test_a_value_of_another_type_is_refused(name):
    with pytest.raises(CommandError, match=f"`{name}=` is of type float"):
        evalign.score([["a"]], [["a"]], **{name: 0.5})
    with pytest.raises(CommandError, match=f"`{name}=` is of type float"):
        evalign.Scorer(**{name: 0.5})


@dataclass(frozen=True)
class Numbers:
    """Options that are numbers; `score` has none."""

    long: int = declare("from how many characters on a token is long", default=8, least=1)
    part: float = declare("a share", default=0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"long": 0.5}, "`long=` is of type float\n  expected a number"),
        ({"long": True}, "`long=` is of type bool\n  expected a number"),
        ({"part": True}, "`part=` is of type bool\n  expected a number"),
        ({"part": "1"}, "`part=` is of type str\n  expected a number"),
        ({"long": 0}, "long is 0\n  expected a number from 1 up"),
    ],
)
def test_a_number_is_of_its_type_and_not_below_the_least(options, message):
    with pytest.raises(CommandError) as error:
        check_options(Numbers(**options))
    assert str(error.value) == message
    check_options(Numbers(long=1, part=1))


@pytest.mark.parametrize("text", ["0", "-1", "eight", "0.5"])
def test_a_flag_says_in_words_from_where_its_number_counts(text):
    read = declared_option(Numbers, "long").type
    assert read("1") == 1
    with pytest.raises(argparse.ArgumentTypeError, match=f"'{text}' is not a number from 1 up"):
        read(text)


def test_an_option_that_does_not_exist_is_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'metric'"):
        resolve(metric=["tokens"])


def test_checked_options_may_be_given_again():
    options = resolve(
        exceptions="en", preset="evalb-collins", vocabulary=["b", "a", "b"], weights={"det": 0.5}
    )
    assert options.vocabulary == ("a", "b")
    assert options.exceptions.words["n't"] == "not"
    assert resolve(**vars(options)) == options


def test_a_preset_says_what_makes_spans_equal_unless_it_is_said():
    assert resolve().match_by == "default"
    assert resolve(preset="document-parsing").match_by == "place"
    assert resolve(preset="document-parsing", match="text").match_by == "text"
    assert ScoreOptions(preset=PRESETS["evalb-collins"]).bracket_rules.cut
    assert ScoreOptions().bracket_rules == Preset()


def test_a_list_of_exceptions_is_its_name():
    assert ScoreOptions().exceptions == ""
    assert repr(ExceptionList.of("en", {"n't": "not"})) == "'en'"


def test_keys_of_signatures_are_of_one_option_each():
    assert len(SIGNED) == len([name for name in OPTIONS if "signature" in OPTIONS[name].metadata])


@pytest.mark.parametrize("key", SIGNED)
def test_every_key_is_in_a_signature(key):
    named = {key for metric in METRICS.values() for key in metric.signature}
    assert key in SIGNED_ANYWAY | named, (
        f"no signature has {key}: name it in metrics/registry.py, `signature` of each metric that reads the option"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"vocabulary": 5}, "vocabulary"),
        ({"vocabulary": ["a", 1]}, "vocabulary"),
        ({"vocabulary": [["a"]]}, "vocabulary"),
        ({"vocabulary": b"abc"}, "vocabulary"),
        ({"metrics": "wlas", "weights": {1: 0.5}}, "weights"),
        ({"strict": 2}, "strict"),
    ],
)
def test_values_of_another_type_are_refused(options, words):
    with pytest.raises(CommandError, match=words):
        evalign.score([["a"]], [["a"]], **options)


def test_an_option_there_is_not_is_named_alone():
    with pytest.raises(TypeError, match=r"^unexpected keyword argument 'foo'$"):
        evalign.Scorer(foo=1)
