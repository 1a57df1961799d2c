"""Plots of a study."""

import re
import sys

import pytest

from evalign.errors import CommandError
from evalign.typology.comparison import compare
from evalign.typology.options import ProfileOptions
from evalign.typology.profiles import Profiles
from evalign.typology.treebanks import TypeTokenRatio
from typology.samples import make_profile, make_result

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture
def plots():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from evalign.reports import plots

    return plots


def profiles(size):
    names = [f"UD_A_very_long_name_of_a_language-Treebank{k}" if k % 2 else f"xx_{k}" for k in range(size)]
    return Profiles(
        tuple(
            make_profile(name, richness=TypeTokenRatio(None if k == 1 else 0.4 + k / 100, 1))
            for k, name in enumerate(names)
        ),
        ProfileOptions(),
    )


def comparison(size, **metrics):
    scores = metrics or {"las": (80, 100, 100), "wlas": (70, 100, 100), "content": (60, 100, 90)}
    return compare(
        *(
            make_result(f"t{k}", {"s": {m: [(c - k, *rest)] for m, (c, *rest) in scores.items()}})
            for k in range(size)
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 40])
def test_few_and_many_treebanks_are_drawn(plots, size):
    assert plots.plot_profiles(profiles(size), "svg").startswith(STARTS["svg"])
    assert plots.plot_comparison(comparison(size), "svg").startswith(STARTS["svg"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", STARTS)
def test_pictures_are_the_same_each_time(plots, kind):
    for draw, value, figure in (
        (plots.plot_profiles, profiles(2), "3"),
        (plots.plot_comparison, comparison(2), "5"),
    ):
        picture = draw(value, kind, [figure])
        assert picture.startswith(STARTS[kind])
        assert draw(value, kind, [figure]) == picture


@pytest.mark.slow
def test_some_figures_may_be_asked_for(plots):
    whole, part = plots.plot_profiles(profiles(3), "svg"), plots.plot_profiles(profiles(3), "svg", ["3"])
    heights = [float(re.search(rb'height="([\d.]+)pt"', picture)[1]) for picture in (whole, part)]
    assert heights[0] > heights[1]


def test_what_was_not_scored_is_not_drawn(plots):
    assert plots.plot_comparison(comparison(3, las=(50, 100, 100))).startswith(STARTS["png"])
    assert plots.plot_comparison(comparison(3, function=(50, 100, 100))).startswith(STARTS["png"])


def test_names_are_text_and_no_formula(plots):
    odd = Profiles((make_profile(r"$\frac{x"), make_profile("日本\x1b[31m_^&")), ProfileOptions())
    assert plots.plot_profiles(odd, "svg").startswith(STARTS["svg"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", STARTS)
def test_commands_write_pictures(plots, typology, folder, results, kind):
    done = typology("profile", "en_a-ud-test.conllu", "--plot", f"p.{kind}")
    assert (done.status, done.err) == (0, "")
    assert typology("compare", *results, "--plot", f"c.{kind}", "--figure", "5").status == 0
    for name in ("p", "c"):
        assert (folder / f"{name}.{kind}").read_bytes().startswith(STARTS[kind])
    assert not list(folder.glob(".*"))


def test_without_matplotlib_nothing_is_begun(typology, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = typology("profile", "en_a-ud-test.conllu", "--plot", "p.png")
    assert (done.status, done.out) == (2, "")
    assert "pip install matplotlib" in done.err
    assert not (folder / "p.png").exists()
    from evalign.reports.plots import plot_profiles

    with pytest.raises(CommandError, match="matplotlib"):
        plot_profiles(profiles(1))
