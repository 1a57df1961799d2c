"""What most tests of building begin with."""

import pytest

from bitextinputs import contents, write_inputs
from evalign.bitext.build import build_dataset


@pytest.fixture
def config(tmp_path):
    """The configuration of small inputs, which may be changed."""
    return write_inputs(tmp_path / "in")


@pytest.fixture
def folder(tmp_path):
    """Where to build."""
    return tmp_path / "out"


@pytest.fixture(scope="session")
def fixed(tmp_path_factory):
    """The same configuration, for tests that leave the inputs as they are."""
    return write_inputs(tmp_path_factory.mktemp("in"))


@pytest.fixture(scope="session")
def whole(fixed, tmp_path_factory):
    """The bytes of the data set of these, built without being stopped."""
    folder = tmp_path_factory.mktemp("whole")
    build_dataset(fixed, folder)
    return contents(folder)
