"""Audits from Python say what the command says of the same claim, by every block; malformed arguments get one line."""

import random
import time
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from claim_texts import SCHEMA, audited, replaced

import stirred
from stirred.mechanisms import identity
from stirred.spec import Enclosure, InputError, Loss, hamming_ordered, sharpen
from stirred.spec.blocks.input_premetric import Neighbors, Order, neighbor_premetric
from stirred.verify.evidence.verdict import Verdict

THREE = stirred.ordered_data_sets((0, 1), [3])


def majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
    return 2 * votes > len(answers)


def answer(data, source, *, flip=Fraction(1, 4)):
    return 1 - data if source.bernoulli(flip) else data


def of_majority(**claim):
    return stirred.audit(majority, **{"data_sets": THREE, "distance": "hamming_ordered", "flip": "1/4", **claim})


BITS = {"data_sets": (0, 1), "distance": "absolute_difference"}


def budget_of_majority(**claim):
    return stirred.smallest_budget(majority, **{"data_sets": THREE, "distance": "replace-one", "flip": "1/4", **claim})


CLAIM = replaced(
    SCHEMA,
    ('"no", "yes"', "0, 1"),
    ("records = 2", 'records = 3\norder = "ordered"'),
    ("hamming_unordered", "hamming_ordered"),
    ("voter", "record"),
    ("gamma = 2", 'epsilon = "EPSILON"'),
    ('name = "identity"', 'function = "coins:majority"\nparameters = { flip = "1/4" }'),
)


@pytest.mark.parametrize("epsilon", ["0.8", "0.7"])
def test_the_words_are_those_of_the_command(epsilon, tmp_path):
    code = (
        "def majority(answers, source, *, flip):\n    votes = sum(1 - a if source.bernoulli(flip) else a for (a,) in "
    )
    (tmp_path / "coins.py").write_text(f"{code}answers)\n    return 2 * votes > len(answers)\n")
    command = audited(tmp_path, CLAIM.replace("EPSILON", epsilon))

    def same(answers, source, *, flip):
        return majority(tuple(value for (value,) in answers), source, flip=flip)

    ours = stirred.audit(
        same,
        data_sets=stirred.ordered_data_sets(((0,), (1,)), [3]),
        distance="hamming_ordered",
        epsilon=epsilon,
        flip="1/4",
    )
    assert ours.verdict is command.verdict
    of_blocks = [one for one in command.answers if one.question != "words"]  # a claim in Python has no words of its own
    for one, other in zip(ours.record.answers, of_blocks, strict=True):
        assert (one.question, one.evidence.verdict) == (other.question, other.evidence.verdict)
        if one.question not in ("numbers", "complete"):
            assert one.evidence.detail == other.evidence.detail
    name = f"{same.__module__}:{same.__qualname__}"
    assert ours.scope.replace(name, "coins:majority").startswith(command.scope)
    if command.witness is not None:
        for key in ("x", "x_prime", "event", "law", "law_prime"):
            assert ours.witness[key] == command.witness[key]


BUDGETS = {
    "a decimal text that covers": ("0.8", Verdict.EXHAUSTED),
    "one that does not": ("0.788", Verdict.REFUTED),
    "the logarithm itself": ("ln(11/5)", Verdict.EXHAUSTED),
    "a smaller one": ("ln 2.19", Verdict.REFUTED),
    "half of a logarithm": ("1/2*ln(121/25)", Verdict.EXHAUSTED),
    "a multiple": ("2 ln(11/5)", Verdict.EXHAUSTED),
    "a smaller multiple": ("2 * ln 1.48", Verdict.REFUTED),
    "a root": ("ln(121/25)/2", Verdict.EXHAUSTED),
    "a smaller root": ("ln(120/25)/2", Verdict.REFUTED),
    "an integer": (1, Verdict.EXHAUSTED),
    "a fraction": (Fraction(3, 4), Verdict.REFUTED),
    "a loss": (Loss(Fraction(11, 5)), Verdict.EXHAUSTED),
    "a smaller loss with a root": (Loss(2, 3), Verdict.REFUTED),
    "infinite": ("infinite", Verdict.EXHAUSTED),
    "no loss": (stirred.INFINITE, Verdict.EXHAUSTED),
}


@pytest.mark.parametrize("name", BUDGETS)
def test_a_budget_is_exact(name):
    epsilon, verdict = BUDGETS[name]
    found = of_majority(epsilon=epsilon)
    assert found.verdict is verdict
    assert found.smallest == Loss(Fraction(11, 5))
    assert found.claimed.startswith("epsilon = ")


def test_a_refutation_is_checked_by_hand():
    found = of_majority(epsilon="0.7")
    assert found.because == (
        "claimed epsilon = 0.7 < required ln(11/5) ≈ 0.788457; "
        "x = (0, 0, 1), x' = (0, 0, 0), d = 1, E = {True}: "
        "P[E | x] = 11/32 > e^0.7 * 5/32 = e^0.7 * P[E | x'] (0.34375 > 0.314649)"
    )
    assert found.pair == "x = (0, 0, 1), x' = (0, 0, 0)"
    assert f"by {found.pair}" in found.needed
    assert str(found).splitlines()[0].startswith("REFUTED: ")


def test_delta_makes_it_approximate():
    assert budget_of_majority(output="approximate", delta="1/100") == Loss(
        (Fraction(11, 32) - Fraction(1, 100)) / Fraction(5, 32)
    )
    refuted = of_majority(epsilon="0.7", delta=Fraction(1, 100), distance="replace-one")
    assert refuted.verdict is Verdict.REFUTED
    assert "> e^0.7 * 5/32 + 1/100 = e^0.7 * P[E | x'] + 1/100 (" in refuted.because


def test_total_variation_is_a_fraction():
    assert budget_of_majority(output="total-variation") == Fraction(21, 32) - Fraction(11, 32)
    found = of_majority(epsilon="1/10", output="total_variation")
    assert "E = {False}: P[E | x] = 21/32 > 11/32 + 1/10 = P[E | x'] + epsilon (0.65625 > 0.44375)" in found.because


def test_zero_concentrated_budgets_are_enclosed():
    enclosed = stirred.smallest_budget(answer, **BITS, output="zcdp")
    assert isinstance(enclosed, Enclosure)
    assert enclosed.lower < enclosed.upper
    for rho, verdict in ((enclosed.upper, Verdict.ENCLOSED), (enclosed.lower / 2, Verdict.REFUTED)):
        found = stirred.audit(answer, **BITS, output="zcdp", rho=rho)
        assert found.verdict is verdict
        assert found.needed == "rho ≈ 0.549306"


def test_an_enclosed_budget_has_the_name_of_its_kind():
    def exponential(scores, source, *, ratio):
        weights = [ratio ** (1 - score) for score in scores]
        return source.choose([weight / sum(weights) for weight in weights])

    claim = {"data_sets": [(0, 1), (1, 0)], "distance": lambda x, y: int(x != y), "ratio": "exp(-1)"}
    found = stirred.audit(exponential, epsilon=1, **claim)
    assert found.needed.startswith("ln(1/ratio) ≈ 1 with ratio = exp(-1), by x = ")
    assert "hashes of texts" not in found.scope
    rho = stirred.audit(answer, **BITS, output="zcdp", rho=1)
    assert rho.needed.startswith("rho ≈ 0.5493")


def test_trade_off_functions_have_curves():
    claim = {**BITS, "output": "tradeoff"}
    curve = stirred.smallest_budget(answer, **claim)
    assert curve == ((0, 0), (Fraction(1, 4), Fraction(3, 4)), (1, 1))
    assert stirred.audit(answer, curve=curve, **claim).verdict is Verdict.EXHAUSTED
    assert stirred.audit(answer, curve=[[0, 0], [1, 1]], **claim).verdict is Verdict.REFUTED


def test_infinite_losses_are_told():
    found = stirred.audit(identity, **BITS, epsilon=100)
    assert found.smallest == stirred.INFINITE
    assert found.because.endswith("E = {0}: P[E | x] = 1 > e^100 * 0 = e^100 * P[E | x'] (1 > 0)")


@pytest.mark.parametrize("flip", ["1/2", "symbol", "symbol in [1/4, 1/2]", "exp(-1)"])
def test_an_infinite_loss_is_the_same_whatever_is_open(flip):
    def leaking(data, source, *, flip):
        return data if source.bernoulli(flip) else 0

    claim = {**BITS, "flip": flip}
    assert stirred.smallest_budget(leaking, **claim) is stirred.INFINITE
    found = stirred.audit(leaking, **claim)
    assert found.smallest is stirred.INFINITE
    assert repr(found).endswith(", needed infinite>")


def test_curves_that_cross_are_not_called_infinite():
    def leaking(data, source):
        return data if source.bernoulli(Fraction(1, 2)) else 0

    claim = {**BITS, "output": "tradeoff"}
    found = stirred.audit(leaking, **claim)
    assert found.smallest is None
    assert not repr(found).endswith("infinite>")
    assert found.needed == "the curves of two pairs cross, so no curve is the smallest budget"


class TestDistances:
    @pytest.mark.parametrize("name", ["add-remove", "add_remove", "neighbors_add_remove_unordered"])
    def test_neighbours_of_a_multiset_are_unordered(self, name):
        domain = stirred.multisets(("a",), [0, 1])
        assert stirred.smallest_budget(lambda data, source: len(data), data_sets=domain, distance=name).is_infinite

    def test_those_of_ordered_data_sets_are_ordered(self):
        swapped = [(0, 1), (1, 0)]  # two places differ: no neighbours
        with pytest.raises(InputError, match="vacuous, so every mechanism satisfies it"):
            stirred.smallest_budget(identity, data_sets=swapped, distance="replace-one")

    def test_a_function_is_a_distance(self):
        twice = {"data_sets": (0, 1), "distance": lambda x, y: 2 * abs(x - y)}
        assert stirred.smallest_budget(answer, **twice) == Loss(3, 2)
        found = stirred.audit(answer, epsilon="1/2", **twice)
        assert found.verdict is Verdict.REFUTED
        assert "x = 0, x' = 1, d = 2, E = {0}" in found.because

    def test_none_is_infinity(self):
        with pytest.raises(InputError, match="vacuous, so every mechanism satisfies it"):
            stirred.smallest_budget(answer, data_sets=(0, 1), distance=lambda x, y: 0 if x == y else None)
        near = lambda x, y: abs(x - y) if x + y == 1 or x == y else None
        some = stirred.smallest_budget(answer, data_sets=(0, 1, 2), distance=near)
        assert some == Loss(3)

    def test_a_premetric_is_a_distance_too(self):
        neighbours = neighbor_premetric(Neighbors.REPLACE_ONE, Order.ORDERED, "household")
        found = of_majority(distance=sharpen(neighbours, THREE), epsilon="0.8")
        assert found.smallest == of_majority(distance=hamming_ordered("household")).smallest
        assert "neighbors_replace_one_ordered*" in found.scope
        assert "household" in found.blocks.input_premetric.text

    def test_one_that_draws_at_random_is_refused(self):
        def at_random(x, y):
            return 1 + int(random.random())  # noqa: S311 it is never drawn

        with pytest.raises(InputError, match=r"distance: on the data set \(0, 0\): random.random is refused"):
            stirred.smallest_budget(answer, data_sets=(0, 1), distance=at_random)


class TestInvariants:
    def test_functions_and_names_shrink_universes(self):
        found = of_majority(epsilon="0", invariants=["size", sum])
        assert found.verdict is Verdict.EXHAUSTED
        assert "4 universes" in found.scope
        assert "sum" in found.blocks.multiverse.text

    def test_one_that_draws_is_refused(self):
        with pytest.raises(InputError, match=r"invariants\[0\]: .* time.time is refused"):
            of_majority(invariants=[lambda data: int(time.time())])

    def test_on_tables_swapping_is_a_name(self):
        tables = stirred.tables_with_margins([((1, 1), (1, 1))])
        found = stirred.smallest_budget(
            identity, data_sets=tables, distance="hamming_unordered", invariants=["swapping", "size"]
        )
        assert found.is_infinite


def test_unordered_data_sets_are_tried_in_their_orders():
    domain = stirred.multisets((0, 1), [2])
    found = stirred.audit(lambda data, source: sum(data), data_sets=domain, distance="replace-one", epsilon="infinite")
    assert "each data set in all orders of its records" in found.scope
    with pytest.raises(InputError, match="must not depend on the order of records"):
        stirred.audit(lambda data, source: data[0], data_sets=domain, distance="replace-one")


def test_nothing_compared_is_not_shown():
    with pytest.raises(stirred.NotSatisfiedError, match=r"is not shown to satisfy .*\n.*vacuous"):
        stirred.assert_satisfies(answer, data_sets=(0,), distance="absolute_difference", epsilon=0)


REFUSED = {
    "a float": (
        {"epsilon": 0.8},
        "epsilon must be exact; got the float 0.8: write the text '0.8', a Fraction, or 'ln 3'",
    ),
    "a float as delta": ({"delta": 0.1}, "delta must be exact; got the float 0.1"),
    "a float as a parameter": ({"flip": 0.25}, "flip must be exact; got the float 0.25: write the text '0.25'"),
    "a nearly number": ({"flip": "1,099"}, "flip must be an exact number"),
    "a comma": ({"epsilon": "0,8"}, "epsilon must be an exact number such as '1/20' or '0.05'; got '0,8': write '0.8'"),
    "a boolean": ({"epsilon": True}, "epsilon must be an integer or a fraction; got True"),
    "below zero": ({"epsilon": -1}, "epsilon must be non-negative; got -1"),
    "a logarithm below zero": ({"epsilon": "ln 1/2"}, "epsilon must be the logarithm of a number of at least 1"),
    "beyond all": ({"epsilon": 10**6}, "epsilon must be at most 10000, or 'infinite'"),
    "rho of pure privacy": ({"rho": 1}, "rho is no budget for the output premetric 'multiplicative'; give epsilon"),
    "epsilon of zcdp": (
        {"output": "zcdp", "epsilon": 1},
        "epsilon is no budget for the output premetric 'normalized_renyi'",
    ),
    "a logarithm of variation": (
        {"output": "total-variation", "epsilon": "ln 2"},
        "epsilon must be a number for the output premetric 'total_variation'",
    ),
    "an unknown output": ({"output": "puer"}, "did you mean 'pure'?"),
    "delta of zcdp": ({"output": "zcdp", "delta": "1/2"}, "delta belongs to the output 'approximate'"),
    "no delta": ({"output": "approximate"}, "delta must be given"),
    "an unknown distance": ({"distance": "hamming_orderd"}, "did you mean 'hamming_ordered'?"),
    "explicit": ({"distance": "explicit"}, "give the function"),
    "pufferfish": ({"distance": "pufferfish"}, "state it in a claim file"),
    "no distance": ({"distance": 3}, "distance must be a name or a function of two data sets; got 3"),
    "of integers": ({"data_sets": range(2)}, "'hamming_ordered' needs data sets that are arrays; these are integers"),
    "no data sets": ({"data_sets": []}, "a domain must have at least one data set"),
    "a text": ({"data_sets": "001"}, "data_sets must be a finite list of data sets"),
    "a number": ({"data_sets": 3}, "data_sets must be a finite list of data sets"),
    "one twice": ({"data_sets": [[0, 1], (0, 1)]}, "(0, 1) is listed twice"),
    "a set inside": ({"data_sets": [(0, frozenset((1,)))]}, "a data set must not have sets in it"),
    "invariants alone": ({"invariants": sum}, "invariants must be a list of functions and names"),
    "an unknown invariant": ({"invariants": ["counts"]}, "invariants[0] must be a function or a name; got 'counts'"),
    "swapping without tables": ({"invariants": ["swapping"]}, "invariants[0] must be a function or a name"),
    "an unknown parameter": ({"flop": 1}, "it raised TypeError: majority() got an unexpected keyword argument 'flop'"),
    "distances of a curve": (
        {"output": "tradeoff", "curve": [[0, 0], [1, 1]]},
        "must have the distances 0, 1 and infinity",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_malformed_argument_is_one_line(name):
    claim, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        of_majority(**claim)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_mechanism_is_refused():
    def generator(data, source):
        yield data

    for mechanism, message in ((3, "must be a function; got int"), (generator, "got a generator")):
        with pytest.raises(InputError, match=message):
            stirred.smallest_budget(mechanism, **BITS)


def test_an_assertion_needs_a_budget():
    with pytest.raises(InputError, match="epsilon must be given"):
        stirred.assert_satisfies(answer, **BITS)
    with pytest.raises(InputError, match="epsilon must be given"):
        stirred.satisfies(**BITS)


def test_claims_stand_on_a_mechanism_that_is_unchanged():
    marked = stirred.satisfies(**BITS, epsilon="ln 3")(answer)
    try:
        assert marked is answer
        assert [found.smallest for found in stirred.check(answer)] == [Loss(3)]
    finally:
        del answer.__stirred_claims__
    with pytest.raises(InputError, match="mechanism must carry a claim"):
        stirred.check(answer)
    with pytest.raises(InputError, match="must be a function to carry a claim"):
        stirred.satisfies(**BITS, epsilon=1)(len)


def test_a_result_has_no_truth_value():
    found = of_majority(epsilon="0.7")
    assert repr(found) == (
        f"<AuditResult REFUTED: {__name__}:majority with flip = 1/4, claimed epsilon = 0.7, needed ln(11/5) ≈ 0.788457>"
    )
    with pytest.raises(TypeError, match="ask whether it holds"):
        assert found


def test_the_names_of_the_facade_are_there():
    for name in stirred.__all__:
        assert getattr(stirred, name) is not None
    assert dir(stirred) == sorted(stirred.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = stirred.nothing


def test_no_module_takes_the_place_of_a_name():
    """Importing a module of a package puts it there under its own name."""
    modules = {path.stem for path in Path(stirred.__file__).parent.iterdir()}
    assert modules & set(stirred.__all__) == set()
    assert isinstance(stirred.explore, ModuleType)
