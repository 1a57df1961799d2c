"""Samples of bounded size."""

from hypothesis import given, strategies as st

from evalign.bitext.sampling import BoundedSample, draw

names = st.lists(st.text("abcd", max_size=3), max_size=40)


def fill(names, most):
    sample = BoundedSample[list[int]](most, 7, "x")
    for place, name in enumerate(names):
        kept = sample.add(name, list)
        if kept is not None:
            kept.append(place)
    return sample


@given(names, st.integers(0, 6))
def test_a_sample_has_all_of_the_names_of_smallest_draw(names, most):
    expected = sorted(set(names), key=lambda name: draw(7, "x", name))[:most]
    places = {name: [k for k, other in enumerate(names) if other == name] for name in names}
    assert fill(names, most).items() == [(name, places[name]) for name in expected]


def test_seeds_differ():
    drawn = set()
    for seed in range(4):
        sample = BoundedSample[str](5, seed)
        for name in "abcdefghijklmnop":
            sample.add(name, str)
        drawn.add("".join(name for name, _ in sample.items()))
    assert len(drawn) == 4
