"""The options --jobs and --cluster: valid values, and the engine that is chosen."""

import pytest

from evalign.cli.run import load_command
from evalign.cli.shared_options import engine_of
from evalign.engines.base import SerialEngine, count_cores
from evalign.engines.processes import ProcessEngine
from evalign.errors import CommandError

pytestmark = pytest.mark.once


def read(*options):
    """Arguments of a command that works on engines."""
    return load_command("bitext build").make_parser().parse_args(["config.toml", "-o", "fr-en", *options])


def test_without_options_it_is_this_process():
    with engine_of(read()) as engine:
        assert isinstance(engine, SerialEngine)


def test_jobs_are_processes():
    with engine_of(read("--jobs", "2")) as engine:
        assert isinstance(engine, ProcessEngine)
        assert engine.n_workers == 2


def test_auto_is_one_for_each_core():
    assert read("--jobs", "auto").jobs == count_cores()


@pytest.mark.parametrize("number", ["0", "-1", "two", "", "²", "1025", "9" * 5000])
def test_wrong_numbers_of_jobs(number, capsys):
    with pytest.raises(SystemExit) as ended:
        read("--jobs", number)
    assert ended.value.code == 2
    assert "is not a number from 1 to 1024 or auto" in capsys.readouterr().err


def test_jobs_and_a_cluster_are_not_to_be_had_together():
    with pytest.raises(CommandError, match="--jobs together with --cluster"):
        engine_of(read("--jobs", "2", "--cluster", "tcp://host:1"))


def test_a_wrong_address_is_refused_before_anything_is_done():
    with pytest.raises(CommandError, match='a cluster "here", which is not an address'):
        engine_of(read("--cluster", "here"))
