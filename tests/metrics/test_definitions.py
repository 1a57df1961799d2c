"""Every metric is defined, its worked example holds, and the data files hold together."""

import tomllib
from importlib import import_module
from itertools import product, zip_longest
from pathlib import Path
from string import Formatter

import pytest

import evalign
from evalign.errors import CommandError
from evalign.metrics.definitions.catalogue import find_definition, load_definitions, load_references
from evalign.metrics.registry import (
    DEFAULT_COLUMNS,
    DEFAULT_METRICS,
    DEFAULT_TREES,
    METRICS,
    METRICS_WITH_ERRORS,
    choose_metrics,
)
from evalign.options import OPTIONS, SIGNED, Weights
from evalign.reports.definitions import render_definition
from evalign.results.ledger import describe_ledger
from evalign.significance.inference import adjust_p_values
from metrics.comparisons import compare, count, make_brackets, make_trees

pytestmark = pytest.mark.once

DEFINITIONS = load_definitions()
METRIC_DEFINITIONS = [entry for name, entry in DEFINITIONS.items() if name in METRICS]
TERMS = [entry for name, entry in DEFINITIONS.items() if name not in METRICS]
FOLDER = Path(evalign.__file__).parent / "metrics" / "definitions"
CONTENT = tomllib.loads((FOLDER / "definitions.toml").read_text(encoding="utf-8"))


def test_every_metric_is_defined_in_the_order_of_the_registry():
    pairs = zip_longest(METRICS, CONTENT["metrics"])
    name = next((ours or other for ours, other in pairs if ours != other), "")
    assert not name, f"metrics/definitions/definitions.toml lacks or misplaces [metrics.{name}]"


def test_no_name_is_taken_twice():
    assert len(DEFINITIONS) == len(CONTENT["metrics"]) + len(CONTENT["terms"])


def inserted(field):
    """The names in the braces of a field of all definitions."""
    texts = [fields.get(field, "") for kind in ("metrics", "terms") for fields in CONTENT[kind].values()]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def test_every_formula_text_and_work_is_there_and_used():
    assert set(CONTENT) == {"formulas", "texts", "metrics", "terms"}
    assert inserted("formula") == set(CONTENT["formulas"])
    assert inserted("source") == set(load_references())
    entries = [*CONTENT["metrics"].values(), *CONTENT["terms"].values()]
    assert {entry["example"]["text"] for entry in entries if "example" in entry} == set(CONTENT["texts"])


@pytest.mark.parametrize("entry", DEFINITIONS.values(), ids=DEFINITIONS)
def test_no_text_has_a_brace_or_a_line_break_left(entry):
    texts = [text for text in (*entry, *entry.aliases) if isinstance(text, str)]
    assert not [text for text in texts if set(text) & set("{}\n") or text != text.strip()]


@pytest.mark.parametrize(
    "entry", [*METRIC_DEFINITIONS, *(entry for entry in TERMS if entry.example)], ids=lambda entry: entry.name
)
def test_the_worked_example_holds(entry):
    example = entry.example
    metric = example.metric or entry.name
    make = lambda side: [sentence.split() for sentence in side]
    if example.trees or example.brackets:
        make = make_trees if example.trees else make_brackets
    weights = None if example.weights is None else Weights(example.weights)
    options = {"vocabulary": frozenset(example.vocabulary), "weights": weights}
    comparison = compare(make(example.gold), make(example.system), **options)
    counts = count(metric, comparison)
    assert {field: counts[field] for field in example.counts} == example.counts
    ratios = METRICS[metric].ratios(counts)
    assert {name: ratios[name] for name in example.ratios} == pytest.approx(example.ratios)
    assert entry in TERMS or METRICS[metric].headline in example.ratios


@pytest.mark.parametrize("entry", [*METRIC_DEFINITIONS, *TERMS], ids=lambda entry: entry.name)
def test_a_definition_says_what_it_is(entry):
    assert entry.title
    assert entry.definition.endswith((".", "?"))
    if entry in METRIC_DEFINITIONS:
        assert entry.formula
        assert entry.source


@pytest.mark.parametrize("entry", METRIC_DEFINITIONS, ids=lambda entry: entry.name)
def test_ratios_are_undefined_where_there_is_nothing(entry):
    ratios = METRICS[entry.name].ratios(dict.fromkeys(METRICS[entry.name].fields, 0))
    assert set(ratios.values()) == {None}
    assert METRICS[entry.name].headline in ratios


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_an_entry_names_what_there_is(metric):
    module, _, function = metric.counter.partition(".")
    assert callable(getattr(import_module(f"evalign.metrics.{module}"), function))
    assert metric.written.lower() in ("", metric.name)
    assert metric.requires in ("", *OPTIONS)
    assert {*metric.signature} <= set(SIGNED), (
        "metrics/registry.py names a key that no option in options.py has"
    )
    assert {*metric.lower_is_better, *metric.numbers} <= set(metric.ratios(dict.fromkeys(metric.fields, 0)))


def test_groups_follow_from_the_entries():
    assert DEFAULT_METRICS == ("sentences", "tokens", "words")
    assert tuple(METRICS)[3:16] == DEFAULT_COLUMNS
    assert set(DEFAULT_TREES) <= set(METRICS)
    assert set(METRICS_WITH_ERRORS) == {name for name, metric in METRICS.items() if metric.kinds}


def test_the_averages_are_of_the_same_treebanks():
    treebanks = [{"correct": 90, "gold": 100, "system": 100}, {"correct": 5, "gold": 10, "system": 10}]
    shown = "has 90 right, F1 90.00; of 10 gold tokens of another it has 5 of 10 right, F1 50.00."
    metric = METRICS["tokens"]
    sums = {field: sum(row[field] for row in treebanks) for field in treebanks[0]}
    whole = dict.fromkeys(metric.fields, 0) | sums
    f1s = [metric.ratios(dict.fromkeys(metric.fields, 0) | row)["f1"] for row in treebanks]
    assert f1s == [0.9, 0.5]
    assert shown in DEFINITIONS["micro"].worked
    assert shown in DEFINITIONS["macro"].worked
    assert DEFINITIONS["micro"].worked.endswith(f"which is {100 * metric.ratios(whole)['f1']:.2f}.")
    assert DEFINITIONS["macro"].worked.endswith(f"which is {100 * sum(f1s) / 2:.2f}.")


def test_the_correction_of_the_example_is_the_one_of_tables():
    given = [0.010, 0.020, 0.040]
    before, after = (
        "{:.3f}, {:.3f} and {:.3f}".format(*values) for values in (given, adjust_p_values(given))
    )
    assert DEFINITIONS["holm"].worked == f"The p-values {before} of three tests become {after}."


def test_p_of_the_example_counts_all_exchanges():
    signs = list(product([1, -1], repeat=5))
    as_large = sum(abs(sum(each)) == 5 for each in signs)
    assert f"Of the {len(signs)} ways to exchange them {as_large} give" in DEFINITIONS["p-value"].worked
    assert f"= {as_large / len(signs):.4f}," in DEFINITIONS["p-value"].worked


def test_the_example_corpus_has_the_interval_and_the_gain(examples):
    corpus = examples / "corpus"
    files = [corpus / f"{name}.conllu" for name in ("gold", "baseline", "second")]
    result = evalign.score(*files, metrics=["las"])
    found = evalign.assess(result)
    baseline, second = (100 * system["las"].f1 for system in result.systems)
    low, high = (100 * end for end in found.interval(1, "las", "f1"))
    assert f"corpus of {found.n_units} documents" in DEFINITIONS["interval"].worked
    assert DEFINITIONS["interval"].worked.endswith(f"is {second:.2f}, its interval [{low:.2f}, {high:.2f}].")
    told = f"A baseline of {baseline:.2f} and a system of {second:.2f}: the gain is {second - baseline:+.2f}."
    assert DEFINITIONS["gain"].worked == told


def test_what_the_example_tolerates_is_tolerated():
    result = evalign.score([["an", "e-mail"]], [["an", "email"]], metrics=["tokens"])
    assert "tolerated: 1 character only in gold" in describe_ledger(result.systems[0].ledger)
    assert result["tokens"].correct == 1
    assert "1 character only in gold is tolerated" in DEFINITIONS["tolerated"].worked


WORDS = "f1 precision recall gain interval unit micro macro p-value holm tolerated baseline aligned gold system correct"


@pytest.mark.parametrize("name", [*WORDS.split(), "ledger", "signature"])
def test_words_of_tables_are_explained(name):
    entry = find_definition(name)
    shown = render_definition(find_definition(name.upper()))
    assert shown.startswith(f"{'F1' if name == 'f1' else entry.name}: ")
    assert entry.name in ("ledger", "signature", "aligned-accuracy") or "\n\nexample\n" in shown


@pytest.mark.parametrize(
    ("alias", "name"),
    [("p", "p-value"), ("Confidence Interval", "interval"), ("F-score", "f1"), ("micro average", "micro"),
     ("aligned accuracy", "aligned-accuracy"), ("ALIGNED_ACCURACY", "aligned-accuracy"), ("Holm's correction", "holm")],
)  # fmt: skip
def test_terms_are_found_by_other_names(alias, name):
    assert find_definition(alias).name == name


def test_no_alias_is_the_name_of_another():
    aliases = [alias for entry in DEFINITIONS.values() for alias in entry.aliases]
    assert len({*aliases, *DEFINITIONS}) == len(aliases) + len(DEFINITIONS)


def test_names_are_found_in_any_case():
    assert find_definition("BIO").name == "bio"


def test_an_unknown_name_gets_near_ones():
    with pytest.raises(CommandError, match='did you mean "boundaries"') as caught:
        find_definition("boundary")
    assert "sentences, tokens" not in str(caught.value)
    with pytest.raises(CommandError, match="one of sentences, tokens"):
        find_definition("xyzzy")


def test_layers_are_chosen_by_name():
    assert [metric.name for metric in choose_metrics(DEFAULT_METRICS)] == list(DEFAULT_METRICS)
    assert [metric.name for metric in choose_metrics(["pk", "tokens", "pk"])] == ["pk", "tokens"]


def test_all_is_everything_that_needs_nothing():
    assert [metric.name for metric in choose_metrics(["all"])] == [
        n for n in METRICS if n not in ("oov", "wlas")
    ]
    assert choose_metrics(["oov", "all"])[0].name == "oov"


def test_an_unknown_metric_gets_a_near_one_or_the_valid_ones():
    with pytest.raises(CommandError) as caught:
        choose_metrics(["token"])
    assert str(caught.value) == 'unknown metric "token"\n  did you mean "tokens"?'
    assert caught.value.exit_status == 2
    with pytest.raises(CommandError, match=r"one of sentences, .*boundaries-inner"):
        choose_metrics(["xyzzy"])


def test_no_metric_is_an_error():
    with pytest.raises(CommandError, match="no metric"):
        choose_metrics([])
