"""Fixtures for tests of building: a configuration, a target folder, a finished data set."""

import pytest

from bitextinputs import contents, write_inputs
from evalign.bitext.build.build import build_dataset


@pytest.fixture
def config(tmp_path):
    """The path of a configuration with small inputs, all of which a test may change."""
    return write_inputs(tmp_path / "in")


@pytest.fixture
def folder(tmp_path):
    """The folder to build in."""
    return tmp_path / "out"


@pytest.fixture(scope="session")
def fixed(tmp_path_factory):
    """The path of the same configuration, for tests that do not change the inputs."""
    return write_inputs(tmp_path_factory.mktemp("in"))


@pytest.fixture(scope="session")
def whole(fixed, tmp_path_factory):
    """The bytes of the data set built from `fixed` without being stopped."""
    folder = tmp_path_factory.mktemp("whole")
    build_dataset(fixed, folder)
    return contents(folder)
