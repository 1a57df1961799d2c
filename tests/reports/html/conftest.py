"""Fixtures: a browser, and reports opened in it."""

import pytest

from pages import open_browser
from shown import make_report, opener


@pytest.fixture(scope="package")
def browser():
    with open_browser() as chromium:
        yield chromium


@pytest.fixture(scope="package")
def report():
    return make_report()


@pytest.fixture
def show(browser, report, tmp_path):
    """A function that opens a report with given passages; any complaint of the browser fails the test."""
    with opener(browser, report, tmp_path / "report.html") as open_report:
        yield open_report
