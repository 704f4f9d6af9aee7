"""The table of the variants' losses: the PSA's column, the infinite lines, and the command that prints it."""

from fractions import Fraction

import pytest

from stirred.spec.law import Law
from stirred.spec.loss import Loss
from stirred.verify.cli import main
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.variant_loss import loss_of_laws
from stirred.verify.engines.swapping.variant_table import variant_rows

ROWS = list(variant_rows())


def losses(name):
    return {(row.universe, row.swap_rate): row.found.loss for row in ROWS if row.variant.startswith(name)}


def test_the_psa_column_is_the_exact_loss_of_the_universe():
    for row in ROWS:
        if "any" in row.universe or row.variant.startswith("matching"):
            assert row.psa.loss.is_infinite
        else:
            margins = [tuple(map(int, side.strip("()").split(","))) for side in row.universe.split(" x ")]
            assert row.psa.loss == universe_loss(*margins, row.swap_rate)


def test_infinite_lines_are_those_with_too_few_moves_or_too_wide_a_universe():
    infinite = {(row.variant.split()[0], row.universe) for row in ROWS if row.found.loss.is_infinite}
    assert infinite == {
        ("at", "(1, 1, 1) x (1, 1, 1)"),
        ("at", "(2, 2) x (2, 2)"),
        ("exactly", "(1, 1) x (1, 1)"),
        ("exactly", "(1, 1, 1) x (1, 1, 1)"),
        ("exactly", "(2, 2) x (2, 2)"),
        ("disjoint", "(1, 1, 1) x (1, 1, 1)"),
        ("the", "(1, 1) x any"),
    }


def test_noise_before_the_swap_costs_what_randomized_response_costs():
    # Two categories, replaced with probability 1/2: the true value has probability 3/4 and the other one 1/4.
    assert set(losses("noise before").values()) == {Loss(3)}


def test_records_beside_imputed_ones_swap_as_two_records_do():
    # P(stay)/P(swap) = (1−p)²/p² over the distance 2 of the only two tables
    assert losses("first row")[("(1, 1, 1) x (1, 1, 1)", Fraction(1, 20))] == Loss(19)


def test_a_difference_at_distance_zero_needs_an_infinite_budget_and_at_infinity_none():
    laws = {"a": Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), "b": Law({0: Fraction(1, 4), 1: Fraction(3, 4)})}
    assert loss_of_laws(laws, lambda *_: 0).loss.is_infinite
    assert loss_of_laws(laws, lambda *_: None).loss.is_zero
    assert loss_of_laws(laws, lambda *_: 1).loss == Loss(2)


def test_the_command_prints_each_line_and_a_witness_under_an_infinite_loss(capsys):
    assert main(["derive", "variants"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert sum("witness: x = " in line for line in lines) == sum(row.found.loss.is_infinite for row in ROWS)
    assert len([line for line in lines if not line.startswith("    ")]) == len(ROWS) + 1


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--swap-rate", "1/2"], "variants must come without --swap-rate; got 1/2"),
        (["--latex"], "variants must come without --latex; got it"),
    ],
)
def test_options_of_the_psa_are_refused(capsys, option, message):
    assert main(["derive", "variants", *option]) == 2
    assert capsys.readouterr().err == f"stirred: {message}\n"
