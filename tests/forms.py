"""Kernel modules in plain and in compiled form, for tests that run on both."""

from importlib import import_module

import pytest

from evalign.kernels import load_plain
from evalign.kernels.buffers import ints


def both_forms(name):
    """Return a fixture that is a kernel module in both forms, one after the other.

    spans = both_forms("match_cy")


    def test_count_equal(spans): ...
    """
    return pytest.fixture(scope="module", params=IMPLEMENTATIONS(name))(lambda request: request.param)


def IMPLEMENTATIONS(name):
    """Return both forms of a kernel module as values for `pytest.mark.parametrize`.

    The compiled form is skipped, visibly, if it is not in use.
    """
    in_use = import_module(f"evalign.kernels.{name}")
    missing = pytest.mark.skipif(not in_use.is_compiled(), reason=f"{name} is not in use compiled")
    return [
        pytest.param(load_plain(name), id="plain"),
        pytest.param(in_use, id="compiled", marks=missing),
    ]


def column(values):
    """Return integers as kernels take them, in a plain buffer."""
    room = ints(len(values))
    for k, value in enumerate(values):
        room[k] = value
    return room
