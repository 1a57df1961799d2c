"""The words of trees, scattered over a file, put together on one line. Bytes in, bytes and integers out."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.string import memcpy


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def gather_words(
    data: bytes,
    starts: cython.int[::1],
    ends: cython.int[::1],
    line: cython.uchar[::1],
    cuts: cython.int[::1],
) -> None:
    """Write the words data[start:end], UTF-8, one behind the other into `line`, and where each begins into `cuts`.

    Cuts count characters; there is one more than there are words. `line` has room for all bytes of the words.
    """
    source: cython.p_const_uchar = data
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    size: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    characters: cython.int = 0
    for i in range(len(starts)):
        cuts[i] = characters
        size = ends[i] - starts[i]
        if cython.compiled:
            if size > 0:
                memcpy(cython.address(line[at]), source + starts[i], cython.cast(cython.size_t, size))
        else:
            # numpy takes bytes for a number, a bytearray for bytes.
            line[at : at + size] = bytearray(source[starts[i] : ends[i]])
        for k in range(at, at + size):
            # Every byte but those that go on with a character.
            characters += (line[k] & 0xC0) != 0x80
        at += size
    cuts[len(starts)] = characters
