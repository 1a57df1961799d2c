"""Every metric is defined, and its worked example holds."""

import pytest

from evalign.errors import CommandError
from evalign.layers import DEFAULT_LAYERS, LAYERS, choose_layers
from evalign.layers.definitions import DEFINITIONS, METRICS, TERMS, find_definition
from evalign.layers.weights import Weights
from layers.comparisons import compare, count, make_brackets, make_trees


def test_every_metric_is_defined_in_the_order_of_the_layers():
    assert [entry.name for entry in METRICS] == list(LAYERS)


def test_no_name_is_taken_twice():
    assert len(DEFINITIONS) == len(METRICS) + len(TERMS)


@pytest.mark.parametrize("entry", METRICS, ids=lambda entry: entry.name)
def test_the_worked_example_holds(entry):
    example = entry.example
    make = lambda side: [sentence.split() for sentence in side]
    if example.trees or example.brackets:
        make = make_trees if example.trees else make_brackets
    weights = None if example.weights is None else Weights(example.weights)
    options = {"vocabulary": frozenset(example.vocabulary), "weights": weights}
    comparison = compare(make(example.gold), make(example.system), **options)
    counts = count(entry.name, comparison)
    assert {field: counts[field] for field in example.counts} == example.counts
    ratios = LAYERS[entry.name].ratios(counts)
    assert {name: ratios[name] for name in example.ratios} == pytest.approx(example.ratios)
    assert LAYERS[entry.name].headline in example.ratios


@pytest.mark.parametrize("entry", [*METRICS, *TERMS], ids=lambda entry: entry.name)
def test_a_definition_says_what_it_is(entry):
    assert entry.title
    assert entry.definition.endswith((".", "?"))
    if entry in METRICS:
        assert entry.formula
        assert entry.source


@pytest.mark.parametrize("entry", METRICS, ids=lambda entry: entry.name)
def test_ratios_are_undefined_where_there_is_nothing(entry):
    ratios = LAYERS[entry.name].ratios(dict.fromkeys(LAYERS[entry.name].fields, 0))
    assert set(ratios.values()) == {None}
    assert LAYERS[entry.name].headline in ratios


def test_names_are_found_in_any_case():
    assert find_definition("BIO").name == "bio"


def test_an_unknown_name_gets_near_ones():
    with pytest.raises(CommandError, match='did you mean "boundaries"') as caught:
        find_definition("boundary")
    assert "sentences, tokens" not in str(caught.value)
    with pytest.raises(CommandError, match="one of sentences, tokens"):
        find_definition("xyzzy")


def test_layers_are_chosen_by_name():
    assert [layer.name for layer in choose_layers(DEFAULT_LAYERS)] == list(DEFAULT_LAYERS)
    assert [layer.name for layer in choose_layers(["pk", "tokens", "pk"])] == ["pk", "tokens"]


def test_all_is_everything_that_needs_nothing():
    assert [layer.name for layer in choose_layers(["all"])] == [n for n in LAYERS if n not in ("oov", "wlas")]
    assert choose_layers(["oov", "all"])[0].name == "oov"


def test_an_unknown_metric_gets_a_near_one_or_the_valid_ones():
    with pytest.raises(CommandError) as caught:
        choose_layers(["token"])
    assert str(caught.value) == 'unknown metric "token"\n  did you mean "tokens"?'
    assert caught.value.exit_status == 2
    with pytest.raises(CommandError, match=r"one of sentences, .*boundaries-inner"):
        choose_layers(["xyzzy"])


def test_no_metric_is_an_error():
    with pytest.raises(CommandError, match="no metric"):
        choose_layers([])
