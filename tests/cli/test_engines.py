"""--jobs and --cluster: what they take, and which engine is meant."""

import pytest

from evalign.cli.engines import add_engine, engine_of
from evalign.cli.parser import Parser
from evalign.engines import ProcessEngine, SerialEngine, count_cores
from evalign.errors import CommandError

pytestmark = pytest.mark.once


@pytest.fixture
def parser():
    parser = Parser("test", "evalign test", "Test.")
    add_engine(parser)
    return parser


def test_without_options_it_is_this_process(parser):
    with engine_of(parser.parse_args([])) as engine:
        assert isinstance(engine, SerialEngine)


def test_jobs_are_processes(parser):
    with engine_of(parser.parse_args(["--jobs", "2"])) as engine:
        assert isinstance(engine, ProcessEngine)
        assert engine.n_workers == 2


def test_auto_is_one_for_each_core(parser):
    assert parser.parse_args(["--jobs", "auto"]).jobs == count_cores()


@pytest.mark.parametrize("number", ["0", "-1", "two", "", "²", "1025", "9" * 5000])
def test_wrong_numbers_of_jobs(parser, number, capsys):
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--jobs", number])
    assert ended.value.code == 2
    assert "is not a number from 1 to 1024 or auto" in capsys.readouterr().err


def test_jobs_and_a_cluster_are_not_to_be_had_together(parser):
    with pytest.raises(CommandError, match="--jobs together with --cluster"):
        engine_of(parser.parse_args(["--jobs", "2", "--cluster", "local:2"]))


def test_a_wrong_address_is_refused_before_anything_is_done(parser):
    with pytest.raises(CommandError, match='a cluster "here", which is not an address'):
        engine_of(parser.parse_args(["--cluster", "here"]))


def test_the_help_says_both(parser):
    assert {"--jobs N", "--cluster ADDRESS"} <= {part.strip() for part in parser.format_help().split("  ")}
