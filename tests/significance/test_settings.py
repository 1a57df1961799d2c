import subprocess
import sys

import pytest

from evalign import CommandError, Resampling


@pytest.mark.parametrize(
    ("settings", "found", "expected"),
    [
        ({"seed": -1}, "the seed -1", "a whole number from 0 on"),
        ({"seed": 1.5}, "the seed 1.5", "a whole number from 0 on"),
        ({"seed": True}, "the seed True", "a whole number from 0 on"),
        ({"resamples": 0}, "0 resamples", "a whole number from 1 on"),
        ({"resamples": 10.0}, "10.0 resamples", "a whole number from 1 on"),
        ({"confidence": 0}, "the confidence level 0", "a number between 0 and 1, as 0.95"),
        ({"confidence": 1.0}, "the confidence level 1.0", "a number between 0 and 1, as 0.95"),
        ({"confidence": 95}, "the confidence level 95", "a number between 0 and 1, as 0.95"),
        ({"confidence": float("nan")}, "the confidence level nan", "a number between 0 and 1, as 0.95"),
        ({"confidence": "0.9"}, "the confidence level '0.9'", "a number between 0 and 1, as 0.95"),
        ({"test": "t"}, "unknown test 't'", "one of randomization, bootstrap"),
    ],
)
def test_what_is_no_resampling(settings, found, expected):
    with pytest.raises(CommandError) as error:
        Resampling(**settings)
    assert (error.value.found, error.value.expected) == (found, expected)


def test_a_signature_says_all_that_could_move_a_number():
    settings = Resampling(7, 99, 0.999999999, "randomization")
    assert settings.describe(paired=False) == "seed:7|resamples:99|confidence:0.999999999"
    assert settings.describe(paired=True).endswith("|test:paired-randomization|correction:holm")


def test_a_very_large_seed_is_one():
    assert Resampling(seed=2**200).seed == 2**200


def test_settings_need_no_numpy():
    code = "import sys; from evalign.significance.values import Resampling, Interval; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
