"""What a comparison remembers: what is of its units is found again where those are others."""

import ast
import inspect
from functools import cached_property

from evalign.metrics import comparison
from evalign.metrics.comparison import Comparison


def attributes_read(function):
    """Names of what a method reads of itself."""
    return {
        node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }


def test_whatever_is_remembered_of_units_is_listed():
    """`with_units` copies what is remembered, but for this list; what is missing from it would be stale."""
    made = ast.parse(inspect.getsource(comparison))
    [body] = [node for node in made.body if isinstance(node, ast.ClassDef) and node.name == "Comparison"]
    reads = {node.name: attributes_read(node) for node in body.body if isinstance(node, ast.FunctionDef)}
    by_unit = {"units"}
    while more := {name for name, read in reads.items() if read & by_unit} - by_unit:
        by_unit |= more
    remembered = {name for name in by_unit if isinstance(getattr(Comparison, name, None), cached_property)}
    assert remembered == comparison._BY_UNIT
