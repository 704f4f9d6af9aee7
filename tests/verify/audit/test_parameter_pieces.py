"""A mechanism that compares its open parameter: the audit falls into pieces, or what tells values apart is refused."""

import random
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import audited
from noisy_comparisons import report_noisy_max

import stirred
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec import INFINITE, ZERO, InputError, Loss
from stirred.verify.evidence.verdict import Verdict

F = Fraction
QUARTER = F(1, 4)
BITS = {"data_sets": [0, 1], "distance": "absolute_difference"}
BETWEEN = "symbol in [1/20, 1/2]"


def response(bit, source, rate):
    return 1 - bit if source.bernoulli(rate) else bit


def smallest(mechanism, flip=BETWEEN):
    return stirred.smallest_budget(mechanism, **BITS, flip=flip)


CLAIM = """\
id = "q"
statement = "x"
domain = { schema = { a = [0, 1] }, records = 1, order = "ordered" }
multiverse = { invariants = [] }
input_premetric = { name = "hamming_ordered", resolution = "p" }
output_premetric = { name = "multiplicative" }
budget = { epsilon = "ln 19" }
mechanism = { function = "coded:table", parameters = { flip = "symbol in [1/20, 1/2]" } }
"""

CODE = """\
from fractions import Fraction as F

CALIBRATED = {F(1, 10): F(0)}


def table(data, source, *, flip):
    rate = CALIBRATED.get(flip, flip)
    return 1 - data[0][0] if source.bernoulli(rate) else data[0][0]


def listed(data, source, *, flip):
    rate = next((rate for value, rate in CALIBRATED.items() if value == flip), flip)
    return 1 - data[0][0] if source.bernoulli(rate) else data[0][0]


def gives(data, source, *, flip):
    return data if flip == F(1, 7) else 0
"""


def claimed(folder: Path, name: str, *changes: tuple[str, str]):
    (folder / "coded.py").write_text(CODE)
    text = CLAIM.replace(":table", f":{name}")
    for old, new in changes:
        text = text.replace(old, new)
    return audited(folder, text)


def test_a_table_of_calibrated_rates_is_refused_with_the_numeric_claim_as_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a dictionary, a set or a cache: compare it by == or <, or give it a number"):
        claimed(tmp_path, "table")


def test_one_calibrated_rate_is_found_by_its_own_piece(tmp_path: Path) -> None:
    record = claimed(tmp_path, "listed")  # its witness is replayed
    assert record.verdict is Verdict.REFUTED
    assert record.sentence.startswith("at flip = 1/10: claimed epsilon = ln(19) < required")


def test_data_that_are_released_at_one_value_are_found(tmp_path: Path) -> None:
    record = claimed(tmp_path, "gives", ("ln 19", "0"))
    assert record.verdict is Verdict.REFUTED
    assert record.sentence.startswith("at flip = 1/7: claimed ")
    met = claimed(tmp_path, "gives", ("ln 19", "0"), ("[1/20, 1/2]", "[1/5, 1/2]"))
    assert met.verdict is Verdict.DECIDED


def test_the_answer_names_the_pieces() -> None:
    def floored(bit, source, *, flip):
        return response(bit, source, max(flip, QUARTER))

    met = stirred.audit(floored, **BITS, epsilon="ln 3", flip=BETWEEN)
    assert met.verdict is Verdict.DECIDED
    found = met.smallest
    assert str(found) == (
        "ln(3) at flip = 1/20; ln(3) for 1/20 < flip < 1/4; ln(3) at flip = 1/4; "
        "ln((1 - flip)/flip) for 1/4 < flip < 1/2; 0 at flip = 1/2"
    )
    assert found._repr_latex_().count(r"\\") == 4
    assert (found.at(F(1, 10)), found.at(QUARTER), found.at(F(2, 5))) == (Loss(3), Loss(3), Loss(F(3, 2)))
    with pytest.raises(InputError, match="flip must be between 1/20 and 1/2, inclusive; got 3/4"):
        found.at(F(3, 4))
    pieces = "by the signs of polynomials in each piece of it: 1/20, (1/20, 1/4), 1/4, (1/4, 1/2), 1/2; "
    assert pieces in met.record.scope


def test_a_loss_that_is_exceeded_inside_a_piece_is_refuted_there() -> None:
    def stepped(bit, source, *, flip):
        return response(bit, source, flip / 2 if flip < QUARTER else flip)

    found = stirred.audit(stepped, **BITS, epsilon="ln 7", flip="symbol in [1/5, 1/2]")
    assert found.verdict is Verdict.REFUTED
    assert found.record.sentence.startswith("at flip = 1/5: claimed ")


def test_an_irrational_value_is_named_with_the_way_round_it() -> None:
    def mechanism(bit, source, *, flip):
        return bit if flip * flip > F(1, 8) else response(bit, source, flip)

    with pytest.raises(InputError, match=r"it equals at sqrt\(2\)/4: narrow it to one side of that"):
        smallest(mechanism)
    assert smallest(mechanism, "symbol in [1/20, 7/20]").at(F(7, 20)) == Loss(F(13, 7))


def test_an_output_that_names_the_parameter_is_refused() -> None:
    with pytest.raises(InputError, match="a parameter that is left open cannot be a part of it; give the parameter a"):
        smallest(lambda bit, source, *, flip: (bit, flip))


def test_too_many_pieces_are_refused() -> None:
    def mechanism(bit, source, *, flip):
        return bit if any(flip == F(place, 100) for place in range(10, 30)) else response(bit, source, flip)

    message = r"more than 20 pieces of \[1/20, 1/2\] apart, at flip = 1/10, 11/100, 3/25, 13/100, 7/50, …: "
    with pytest.raises(InputError, match=message):
        smallest(mechanism)


def test_a_division_by_zero_at_one_value_is_told_with_the_value() -> None:
    def mechanism(bit, source, *, flip):
        return response(bit, source, (flip - QUARTER) / (flip - QUARTER) * flip)

    with pytest.raises(InputError, match=r"ZeroDivisionError: .* \(at flip = 1/4\)"):
        smallest(mechanism)
    assert smallest(mechanism, "symbol in [1/3, 1/2]").at(F(1, 3)) == Loss(2)


def test_a_comparison_behind_another_one_is_followed_in_its_piece() -> None:
    def mechanism(bit, source, *, flip):
        if flip < QUARTER and flip > F(1, 10) and 7 * flip == 1:
            return bit
        return response(bit, source, flip)

    found = smallest(mechanism)
    assert (found.at(F(1, 7)), found.at(F(1, 9))) == (INFINITE, Loss(8))


def test_values_at_which_something_is_impossible_are_pieces() -> None:
    found = stirred.audit(
        lambda b, source, *, flip: response(b, source, flip), **BITS, epsilon="ln 9", flip="symbol in [0, 1/2]"
    )
    assert str(found.smallest) == "infinite at flip = 0; ln((1 - flip)/flip) for 0 < flip < 1/2; 0 at flip = 1/2"
    assert found.record.sentence.startswith("at flip = 0: claimed ")


def test_a_loop_that_never_ends_at_one_value_is_refused() -> None:
    def waiting(bit, source, *, flip):
        return source.attempt(lambda inner: 0 if inner.bernoulli((4 * flip - 1) ** 2) else inner.restart())

    with pytest.raises(InputError, match=r"never finishes.* \(at flip = 1/4\)"):
        smallest(waiting)
    assert smallest(waiting, "symbol in [1/3, 1/2]").at(F(1, 3)) == ZERO


def test_noise_whose_ratio_leaves_its_range_is_refused_there() -> None:
    def noisy(bit, source, *, flip):
        return bit + source.discrete_laplace(2 * flip) >= 1

    with pytest.raises(InputError, match=r"ratio must be between 0 and 1, exclusive; .* \(at flip = 1/2"):
        smallest(noisy, "symbol in [1/20, 3/4]")
    assert smallest(noisy, "symbol in [1/20, 1/4]").at(QUARTER) == Loss(2)


def test_programs_of_the_library_take_an_open_parameter() -> None:
    def swapped(data, source, *, flip):
        return permutation_swapping(((0, data, 0), (0, 1 - data, 1)), source, swap_rate=flip)

    def largest(bit, source, *, flip):
        return report_noisy_max((bit, 1 - bit), source, ratio=flip)

    for mechanism in (swapped, largest):
        assert smallest(mechanism).at(QUARTER) == smallest(mechanism, "1/4")


@pytest.mark.parametrize("opened", ["exp(-1)", "symbol in [1/4, 1/2]"])
def test_a_choice_of_probability_0_or_1_beside_an_open_parameter(opened: str) -> None:
    def certain(data, source, *, flip):
        sure = [source.bernoulli(flip**0), source.bernoulli(1 - flip**0), source.bernoulli(flip / flip)]
        return *sure, source.choose([flip - flip, flip, 1 - flip, 0])

    found = stirred.audit(certain, **BITS, epsilon=0, flip=opened)
    assert found.verdict in (Verdict.DECIDED, Verdict.ENCLOSED)


def test_a_power_of_e_is_compared_exactly() -> None:
    below, above = F("0.3678794411714423215955237"), F("0.3678794411714423215955238")  # e^-1 = …237701614…

    def mechanism(bit, source, *, flip):
        certain = below < flip < above and flip not in {QUARTER, below} and flip != above and flip**2 < flip
        return response(bit, source, flip) if certain and {flip: 1}[flip + 0] else bit

    assert smallest(mechanism, "exp(-1)").text() == "0.541325"  # ln((1 - 1/e)/(1/e)) = ln(e - 1)


PARTS = {
    "==": lambda a, b: lambda flip: flip == a,
    "in": lambda a, b: lambda flip: flip in (a, b),
    "<": lambda a, b: lambda flip: flip < a,
    ">=": lambda a, b: lambda flip: b >= flip,
    "between": lambda a, b: lambda flip: min(a, b) <= flip < max(a, b),
    "product": lambda a, b: lambda flip: (flip - a) * (flip - b) > 0,
    "quotient": lambda a, b: lambda flip: flip / (1 - flip) <= a / (1 - a),
    "nearer": lambda a, b: lambda flip: abs(flip - a) < abs(flip - b),
    "ranked": lambda a, b: lambda flip: sorted([a, flip, b])[1] == flip,
}


def loss_by_numbers(program, value: Fraction) -> Loss:
    """The loss at one value, by the two laws themselves."""
    laws = [exact_law(program, bit, flip=value) for bit in (0, 1)]
    ratios = [p[t] / q[t] if q[t] else None for p, q in (laws, laws[::-1]) for t in p]
    return INFINITE if None in ratios else Loss(max(ratio for ratio in ratios if ratio is not None))


def check_against_numbers(cases: random.Random, values: int) -> None:
    """A random program with two random branches on its parameter, open and at values, among them its constants."""
    low, high = sorted(cases.sample([F(n, 24) for n in range(1, 24)], 2))
    constants = [low + (high - low) * F(cases.randrange(7), 6) for _ in range(4)]
    first, second = (PARTS[cases.choice(list(PARTS))](*constants[i : i + 2]) for i in (0, 2))
    rates = [cases.choice([lambda p: p, lambda p: p * p, lambda p: 1 - p, lambda p: F(1, 3)]) for _ in range(3)]

    def program(bit, source, *, flip):
        if first(flip):
            return response(bit, source, rates[0](flip))
        return response(bit, source, rates[1](flip)) if second(flip) else (0, source.bernoulli(rates[2](flip)))

    opened = f"symbol in [{low}, {high}]"
    found = smallest(program, opened)
    tried = [*constants, low, high, *(low + (high - low) * F(cases.randrange(1000), 999) for _ in range(values))]
    losses = {value: loss_by_numbers(program, value) for value in tried}
    for value, loss in losses.items():
        assert found.at(value) == loss, (str(found), value)
    largest = max(losses.values())
    below = 10**6 if largest.gamma is None else largest.gamma - (largest.gamma - 1) / 2
    if below < 1 or largest == ZERO:
        return
    audit = stirred.audit(program, **BITS, epsilon=Loss(below), flip=opened)
    assert audit.verdict is Verdict.REFUTED, (str(found), below)


def test_a_random_branch_on_the_parameter_against_numbers() -> None:
    check_against_numbers(random.Random(1), 50)  # noqa: S311 not for secrets


@pytest.mark.nightly
@pytest.mark.parametrize("case", range(20))
def test_random_branches_on_the_parameter_against_numbers(case: int, changing_seed: int) -> None:
    check_against_numbers(random.Random(f"{changing_seed} {case}"), 50)  # noqa: S311 not for secrets
