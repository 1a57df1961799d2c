"""Fixtures and hypothesis profiles for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from clusters import start_cluster
from evalign import __version__
from evalign.kernels import is_compiled

settings.register_profile("quick", deadline=None, derandomize=True, max_examples=10)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=45)
settings.register_profile("deep", deadline=None, max_examples=2000)
# For laws that have already been tried on the other form of the kernels.
settings.register_profile("again", deadline=None, derandomize=True, max_examples=5)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


TESTS = Path(__file__).parent
# Folders of tests whose outcome the form of the kernels cannot change, or which try both forms themselves.
ONCE = ("bitext", "engines", "kernels", "oracles", "reports", "results", "significance", "typology")


def pytest_itemcollected(item):
    """Mark all tests of these folders `once`."""
    if item.path.is_relative_to(TESTS) and item.path.relative_to(TESTS).parts[0] in ONCE:
        item.add_marker(pytest.mark.once)


def pytest_report_header():
    return f"evalign {__version__}, {'compiled' if is_compiled() else 'plain'} kernels"


@pytest.fixture(scope="session")
def data():
    """The folder of treebanks and system outputs that EVALIGN_DATA names; without it the test is skipped."""
    folder = os.environ.get("EVALIGN_DATA")
    if not folder:
        pytest.skip("EVALIGN_DATA is not set: no treebanks to test on")
    if not Path(folder).is_dir():
        pytest.skip(f"EVALIGN_DATA is {folder}: no such folder")
    return Path(folder)


@pytest.fixture(scope="module")
def cluster():
    """A client of a Dask cluster with two workers on this machine."""
    with start_cluster() as client:
        yield client


@pytest.fixture(scope="session")
def examples():
    """The folder of example files that the documentation uses."""
    return Path(__file__).parent.parent / "examples"
