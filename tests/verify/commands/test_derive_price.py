import pytest

from stirred.verify.cli import main


def derived(capsys, *words):
    status = main(["derive", "price", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


BALANCED = ("--rows", "4", "4", "--columns", "4", "4", "--swap-rate", "1/2")


def test_the_floor_of_a_line_is_exact_and_its_mechanism_is_named(capsys):
    status, out, _ = derived(capsys, *BALANCED)
    assert status == 0
    lines = dict(line.partition(": ")[::2] for line in out.splitlines())
    assert lines["error"] == "the mean change of a cell, the mean over all tables"
    assert lines["floor of all mechanisms"].endswith("(exact): the clamped geometric mechanism has it")
    assert lines["fibre noise"].partition(" ")[0] == lines["floor of all mechanisms"].partition(" ")[0]
    assert float(lines["PSA"]) > float(lines["weighted mechanism"])
    assert "under d_HamS and D_Mult" in lines["one budget for all"]


@pytest.mark.parametrize("error", ["absolute", "squared", "changed"])
def test_the_worst_table_is_bracketed(capsys, error):
    status, out, _ = derived(capsys, *BALANCED, "--error", error, "--prior", "worst")
    assert status == 0
    assert "the worst table" in out
    assert "floor of all mechanisms: between " in out


def test_one_table_is_vacuous(capsys):
    status, out, _ = derived(capsys, "--rows", "2", "2", "--columns", "4", "--swap-rate", "1/2")
    assert (status, out.startswith("vacuous")) == (3, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (BALANCED[:-2], "price must come with --swap-rate; got none"),
        (("--rows", "4", "4", "--swap-rate", "1/2"), "price must come with --columns; got none"),
        ((*BALANCED[:-1], "1"), "--swap-rate must be between 0 and 1, exclusive, for a finite budget; got 1"),
        ((*BALANCED[:-1], "0"), "--swap-rate must be between 0 and 1, exclusive, for a finite budget; got 0"),
        ((*BALANCED, "--latex"), "price must come without --latex; got it"),
        ((*BALANCED, "--coq", "A.v"), "price must come without --coq; got A.v"),
        (
            ("--rows", "20", "20", "--columns", "15", "15", "10", "--swap-rate", "1/2"),
            "would take about",
        ),
    ],
)
def test_bad_words_are_one_line(capsys, words, message):
    status, out, err = derived(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize("option", [("--error", "squared"), ("--prior", "worst")])
def test_options_of_the_price_belong_to_no_other_derivation(capsys, option):
    assert main(["derive", "psa", *option]) == 2
    assert f"psa must come without {option[0]}; got {option[1]}" in capsys.readouterr().err
