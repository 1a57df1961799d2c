"""Kernel modules in plain and in compiled form, for tests that run on both."""

from importlib import import_module

import pytest

from evalign.kernels import load_plain


def IMPLEMENTATIONS(name):
    """Return both forms of a kernel module as values for `pytest.mark.parametrize`.

        @pytest.mark.parametrize("spans", IMPLEMENTATIONS("match_cy"))
        def test_count_equal(spans): ...

    The compiled form is skipped, visibly, if it is not in use.
    """
    in_use = import_module(f"evalign.kernels.{name}")
    missing = pytest.mark.skipif(not in_use.is_compiled(), reason=f"{name} is not in use compiled")
    return [
        pytest.param(load_plain(name), id="plain"),
        pytest.param(in_use, id="compiled", marks=missing),
    ]
