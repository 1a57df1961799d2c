"""The estimated time left of counted work: shown late enough, never negative, exact at even speed."""

import pytest
from hypothesis import given, strategies as st

from evalign.cli.progress import Pace, describe_stage, draw_stage
from evalign.progress import Step

pytestmark = pytest.mark.once

# No estimate before so many seconds; what is done in the first moment was done before.
LEAST_SECONDS = 5.0
MOMENT = 0.5


def work(durations, total=0, first=0):
    """A pace after steps which took so many seconds each, its estimate at the last one, and the time of it."""
    pace, now = Pace(), 100.0
    total = total or first + len(durations)
    left = pace.measure(Step("scoring", first, total), now)
    for done, seconds in enumerate(durations, first + 1):
        now += seconds
        left = pace.measure(Step("scoring", done, total), now)
    return pace, left, now


@given(
    seconds=st.floats(2.5, 1000),
    done=st.integers(2, 50),
    more=st.integers(1, 500),
    first=st.integers(0, 10**6),
)
def test_work_that_is_even_takes_as_long_as_it_takes(seconds, done, more, first):
    _, left, _ = work([seconds] * done, first + done + more, first)
    assert left == pytest.approx(more * seconds)


def test_results_that_come_at_once_were_kept_and_say_nothing_of_the_speed():
    kept = 300
    _, left, _ = work([MOMENT / kept / 2] * kept + [4, 4, 4], total=400)
    assert left == pytest.approx((400 - 303) * 4, rel=0.05)


@pytest.mark.parametrize(
    ("durations", "total"),
    [
        ([], 10),  # nothing is done yet
        ([LEAST_SECONDS * 2], 100),  # one step of many
        ([LEAST_SECONDS / 4] * 3, 10),  # a moment ago
        ([3] * 10, 10),  # nothing is left
    ],
)
def test_there_is_no_estimate_without_evidence(durations, total):
    assert work(durations, total)[1] is None


def test_one_large_step_is_evidence():
    assert work([LEAST_SECONDS * 2], 10)[1] == pytest.approx(9 * LEAST_SECONDS * 2)


def test_no_estimate_of_names_nor_of_a_total_nobody_knows():
    pace = Pace()
    assert pace.measure("reading gold", 50.0) is None
    for done in range(5):
        step = Step("reading", done * 10**6, 0, "bytes")
        assert pace.measure(step, 60.0 + done * 10) is None


@pytest.mark.parametrize(
    "other", [Step("counting", 0, 40), Step("counting", 5, 41), Step("counting", 5, 40, "bytes")]
)
def test_other_work_begins_anew(other):
    pace, left, now = work([3] * 5, total=40)
    assert left is not None
    assert pace.measure(other, now) is None
    assert pace.measure(other, now + 1000) is None


def test_names_and_stages_that_are_not_counted_change_nothing():
    pace, left, now = work([3] * 5, total=40)
    assert pace.measure("writing a page", now) is None
    assert pace.measure(Step("fr: reading gold", 5, 40), now) == left


def test_a_step_that_takes_long_makes_the_rest_longer():
    pace, left, now = work([3] * 5, total=40)
    looks = [pace.measure(Step("fr: counting", 5, 40), now + 3 * k) for k in range(60)]
    assert looks == sorted(looks)
    assert looks[0] == left < looks[-1]


times = st.lists(st.floats(0.0, 1000), max_size=40)


@given(times, st.integers(0, 5))
def test_what_is_left_is_positive_or_unknown(durations, more):
    _, left, _ = work(durations, len(durations) + more)
    assert left is None or 0 <= left < float("inf")


def left_in_words(seconds):
    """What is left, as a terminal has it."""
    return draw_stage(Step("scoring", 1, 4), 80, left=seconds).partition("1 / 4, ")[2]


@pytest.mark.parametrize(
    ("seconds", "told", "clock"),
    [
        (0.0, "about 1 s left", "about 0:01 left"),
        (9.4, "about 9 s left", "about 0:09 left"),
        (9.9, "about 10 s left", "about 0:10 left"),
        (42, "about 40 s left", "about 0:40 left"),
        (57.6, "about 1 min left", "about 1:00 left"),
        (85.5, "about 1 min left", "about 1:30 left"),
        (170, "about 3 min left", "about 2:50 left"),
        (599, "about 10 min left", "about 10:00 left"),
        (3590, "about 1 h left", "about 1:00:00 left"),
        (7300, "about 2 h left", "about 2:02:00 left"),
        (47.6 * 3600, "about 2 days left", "about 48:00:00 left"),
        (90 * 86400, "about 90 days left", "about 2160:00:00 left"),
    ],
)
def test_what_is_left_in_words_and_by_the_clock(seconds, told, clock):
    assert left_in_words(seconds) == told
    assert describe_stage("scoring", 0, seconds) == f"scoring, 0:00 so far, {clock}"


@given(st.floats(0, 10**7))
def test_an_estimate_is_told_within_a_third_of_itself(seconds):
    number, unit = left_in_words(seconds).split()[1:3]
    size = {"s": 1, "min": 60, "h": 3600, "days": 86400}[unit]
    assert int(number) * size == pytest.approx(seconds, rel=0.35, abs=1)
    assert int(number) > 0


def test_a_clock_has_hours_when_there_are_some():
    for seconds, clock in ((59.99, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00")):
        assert describe_stage("scoring", seconds) == f"scoring, {clock} so far"


@pytest.mark.parametrize(
    ("done", "total", "figures"),
    [
        (0, 999, "  0 / 999 bytes"),
        (0, 3_440_000, "0.0 / 3.4 MB"),
        (1_234_567_890, 10_000_000_000, " 1.2 / 10.0 GB"),
        (2 * 10**12, 3 * 10**12, "2.0 / 3.0 TB"),
        (1500, 0, "1.5 kB"),
        (2000, 1000, "1.0 / 1.0 kB"),  # a file that grows is no more than read
    ],
)
def test_bytes_are_told_in_the_unit_of_the_total(done, total, figures):
    assert draw_stage(Step("reading", done, total, "bytes"), 80).endswith(f"  {figures}")


def test_things_are_told_as_they_are():
    assert draw_stage(Step("scoring", 7, 1234), 80).endswith("]     7 / 1234")
    assert draw_stage(Step("scoring", 7, 0), 80) == "scoring  7"
    assert draw_stage(Step("scoring", 0, 0), 80) == "scoring"
