"""The stand-in for `cython` has no effect, as intended."""

import pytest

from evalign.kernels import _cython as cython


def test_decorators_give_back_the_function():
    def function():
        return 1

    for decorate in (
        cython.cfunc,
        cython.inline,
        cython.nogil,
        cython.exceptval(-1, check=False),
        cython.exceptval(check=False),
        cython.boundscheck(False),
        cython.locals(i=cython.int, keys=cython.longlong[:]),
        cython.returns(cython.Py_ssize_t),
    ):
        assert decorate(function) is function


def test_values_are_themselves():
    assert cython.declare(cython.int, 3) == 3
    assert cython.declare(cython.int) is None
    assert cython.cast(cython.uchar, 300) == 300
    assert cython.compiled is False


def test_types_can_be_subscripted():
    assert repr(cython.int[:, ::1]) == "cython.int"
    assert cython.declare(cython.longlong[8]) is None


def test_blocks_are_entered():
    with cython.nogil, cython.boundscheck(False):
        pass


def test_names_of_the_language_stay_missing():
    with pytest.raises(AttributeError, match="__wrapped__"):
        _ = cython.__wrapped__
