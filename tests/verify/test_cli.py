"""The command line as a whole: one line and exit status 2 for what is not foreseen."""

import sys

import pytest

from verify import cli


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "stirred: engine failure: MemoryError: \n"),
        (RecursionError("too deep"), "stirred: engine failure: RecursionError: too deep\n"),
        (KeyboardInterrupt(), "stirred: interrupted\n"),
    ],
)
def test_what_is_not_foreseen_is_a_failure_and_no_refutation(monkeypatch, capsys, error, line):
    def fail(arguments):
        raise error

    monkeypatch.setattr("verify.commands.replay.run", fail)
    assert cli.main(["replay", "x.json"]) == 2
    assert capsys.readouterr().err.replace(": \n", ":\n") == line.replace(": \n", ":\n")


def test_exact_numbers_of_many_digits_can_be_printed(monkeypatch, capsys):
    before = sys.get_int_max_str_digits()
    try:
        cli.main(["derive", "psa", "--largest-stratum", "10", "--swap-rate", "1/2"])
        assert len(str(10**50_000)) == 50_001
    finally:
        sys.set_int_max_str_digits(before)
