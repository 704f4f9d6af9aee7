"""The engines find every planted fault, with the smallest witness, and replaying confirms it without the engine."""

import json
import subprocess
import sys
from fractions import Fraction
from itertools import product

import pytest
from started import ALONE
from truncated_geometric_claiming_a_tenth import (
    CLAIMED_BUDGET,
    claimed_specification,
    truncated_geometric_claiming_a_tenth,
)

from stirred.mechanisms import exact_law, identity, peeking_constant, permutation_swapping
from stirred.mechanisms.broken import disjoint_pairs, fixed_number_of_swaps
from stirred.mechanisms.broken.disjoint_pairs import claimed_specification as claimed_of_pairs
from stirred.mechanisms.broken.fixed_number_of_swaps import claimed_specification as claimed_of_fixed
from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.spec import (
    INFINITE,
    ApproximateMultiplicative,
    FiniteDomain,
    Flavor,
    Law,
    Loss,
    Multiplicative,
    Specification,
    TotalVariation,
    hamming_ordered,
    induced,
    largest_stratum,
    psa_budget,
    swapping_invariants,
)
from stirred.spec.blocks.input_premetric import stratified_hamming
from stirred.spec.numbers.enclosure import log
from stirred.verify.engines.exhaustive import check_specification, mechanism_laws, universe_losses, violations
from stirred.verify.engines.likelihood import approximate_law, check_against, check_ratio
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict

RATE = Fraction(1, 3)


def all_tables(size, records):
    """Every one-stratum data set of so many records over `size` holding and `size` swapping categories."""
    cells = [counts for counts in product(range(records + 1), repeat=size * size) if sum(counts) == records]
    return [(tuple(c[i * size : (i + 1) * size] for i in range(size)),) for c in cells]


def swapping_domain(size, largest):
    """All one-stratum data sets of up to `largest` records; every universe of them, small and large together."""
    points = tuple(point for records in range(largest + 1) for point in all_tables(size, records))
    return FiniteDomain(points, "one-stratum tables", lambda point: sum(map(sum, point[0])))


def claim(domain, budget):
    """The PSA's flavor on all universes, with a budget that is a function of the universe's margins."""
    flavor = Flavor(domain, induced(domain, swapping_invariants), stratified_hamming("record"), Multiplicative())
    return Specification.by_universe(flavor, lambda universe: budget(swapping_invariants(next(iter(universe)))))


def psa_claim(size, largest, rate):
    """The budget (7) of the PSA on all universes of up to `largest` records."""
    return claim(swapping_domain(size, largest), lambda margins: psa_budget(largest_stratum(margins), rate))


def binary(measure):
    """Two data sets of one answer each."""
    domain = FiniteDomain(((0,), (1,)))
    return Flavor(domain, induced(domain), hamming_ordered("answer"), measure)


def true_in_four_of_five(data, source):
    return data[0] if source.bernoulli(Fraction(4, 5)) else 1 - data[0]


def on_tables(mechanism):
    return lambda point, source, **parameters: mechanism(table_records(point[0]), source, **parameters)


def refute(mechanism, specification, **parameters):
    laws = mechanism_laws(mechanism, specification.flavor.domain, **parameters)
    evidence = check_specification(laws, specification, "the whole domain")
    assert evidence.verdict is Verdict.REFUTED
    return evidence


def replayed(tmp_path, witness):
    """The witness through `evidence.certificates.replay` in an interpreter that has the standard library only."""
    file = tmp_path / "witness.json"
    file.write_text(json.dumps(witness))
    return subprocess.run(
        [sys.executable, "-S", "-m", "stirred.verify.evidence.certificates.replay", str(file)],
        env=ALONE,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def assert_replays(tmp_path, witness):
    done = replayed(tmp_path, witness)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1] == "1 replayed"


def test_a_fixed_number_of_swaps_is_found_with_two_records(tmp_path):
    witness = refute(on_tables(fixed_number_of_swaps), psa_claim(2, 3, Fraction(1, 2)), swaps=1).witness
    # the only universe of two distinct records: one swap is certain, so the table itself is impossible
    assert (witness["x"], witness["x_prime"]) == ([[[0, 1], [1, 0]]], [[[1, 0], [0, 1]]])
    assert (witness["distance"], witness["probability"], witness["probability_prime"]) == ("2", "1", "0")
    assert_replays(tmp_path, witness)


def test_two_fixed_swaps_are_found_as_well(tmp_path):
    witness = refute(on_tables(fixed_number_of_swaps), psa_claim(2, 2, Fraction(1, 2)), swaps=2).witness
    assert_replays(tmp_path, witness)


def test_the_fixed_number_of_swaps_fails_its_own_claim_on_one_universe():
    specification = claimed_of_fixed([((1, 1), (1, 1))])
    refute(on_tables(fixed_number_of_swaps), specification, swaps=1)


def test_disjoint_pairs_are_found_with_three_distinct_records_and_not_with_two(tmp_path):
    small = psa_claim(3, 2, RATE)
    laws = mechanism_laws(on_tables(disjoint_pairs), small.flavor.domain, swap_rate=RATE)
    assert check_specification(laws, small, "two records").verdict is Verdict.EXHAUSTED

    # any finite budget: only an impossible output violates it
    specification = claim(swapping_domain(3, 3), lambda margins: Loss(Fraction(10**6)))
    witness = refute(on_tables(disjoint_pairs), specification, swap_rate=RATE).witness
    # three records that differ in both variables; x and x' are one exchange apart, and z is one exchange from x but a
    # cycle from x'
    assert witness["x"] == [[[0, 0, 1], [0, 1, 0], [1, 0, 0]]]
    assert witness["x_prime"] == [[[0, 0, 1], [1, 0, 0], [0, 1, 0]]]
    assert witness["event"] == [[[[0, 0, 0], 1], [[0, 1, 1], 1], [[0, 2, 2], 1]]]
    assert (witness["distance"], witness["probability"], witness["probability_prime"]) == ("2", "1/7", "0")
    assert_replays(tmp_path, witness)


def test_disjoint_pairs_fail_what_theorem_1_grants_to_permutations():
    specification = claimed_of_pairs([((1, 1, 1), (1, 1, 1))], RATE)
    refute(on_tables(disjoint_pairs), specification, swap_rate=RATE)
    laws = mechanism_laws(on_tables(disjoint_pairs), specification.flavor.domain, swap_rate=RATE)
    (universe,) = universe_losses(laws, specification.flavor)
    assert universe.budget == INFINITE


def test_permutation_swapping_itself_is_not_refuted():
    specification = psa_claim(2, 3, RATE)
    laws = mechanism_laws(on_tables(permutation_swapping), specification.flavor.domain, swap_rate=RATE)
    assert check_specification(laws, specification, "up to three records").verdict is Verdict.EXHAUSTED


def test_the_truncated_geometric_claim_of_a_tenth_is_found_at_counts_0_and_1(tmp_path):
    assert log(CLAIMED_BUDGET.gamma).lower > Fraction(1, 10)  # what is refuted is implied by the claim
    specification = claimed_specification()
    witness = refute(truncated_geometric_claiming_a_tenth, specification).witness
    assert (witness["x"], witness["x_prime"], witness["distance"], witness["event"]) == (0, 1, "1", [0])
    assert Fraction(witness["probability"]) / Fraction(witness["probability_prime"]) == Fraction(9, 8)
    assert_replays(tmp_path, witness)


def test_the_true_loss_of_the_truncated_geometric_mechanism_is_ln_9_8():
    laws = mechanism_laws(truncated_geometric_claiming_a_tenth, claimed_specification().flavor.domain)
    (universe,) = universe_losses(laws, claimed_specification().flavor)
    assert universe.budget == Loss(Fraction(9, 8))
    at_true_loss = Specification.constant(claimed_specification().flavor, Loss(Fraction(9, 8)))
    assert check_specification(laws, at_true_loss, "six counts").verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize("mechanism", [identity, peeking_constant])
def test_a_constant_chosen_by_looking_at_the_data_is_found(tmp_path, mechanism):
    domain = FiniteDomain(tuple(product((0, 1), repeat=2)))
    flavor = Flavor(domain, induced(domain), hamming_ordered("answer"), Multiplicative())
    witness = refute(mechanism, Specification.constant(flavor, Loss(Fraction(10**9)))).witness
    assert (witness["x"], witness["x_prime"], witness["distance"]) == ([0, 0], [0, 1], "1")
    assert_replays(tmp_path, witness)


@pytest.mark.parametrize(("gamma", "root"), [(Fraction(2), 1), (Fraction(3), 2), (Fraction(1), 1)])
def test_a_false_approximate_claim_is_found_also_with_irrational_gamma(tmp_path, gamma, root):
    flavor = binary(ApproximateMultiplicative(Fraction(1, 10)))
    # 4/5 - 1/10 = 7/10 exceeds gamma/5 for every gamma < 7/2
    assert_replays(tmp_path, refute(true_in_four_of_five, Specification.constant(flavor, Loss(gamma, root))).witness)
    laws = mechanism_laws(true_in_four_of_five, flavor.domain)
    (universe,) = universe_losses(laws, flavor)
    assert universe.budget == Loss(Fraction(7, 2))
    assert universe.event == (0,)


def test_a_false_total_variation_claim_is_found(tmp_path):
    evidence = refute(true_in_four_of_five, Specification.constant(binary(TotalVariation()), Fraction(1, 2)))
    assert "3/5" in evidence.detail
    assert (evidence.witness["kind"], evidence.witness["probability"]) == ("loss", "4/5")
    assert_replays(tmp_path, evidence.witness)


def test_the_smallest_witness_has_the_fewest_records_then_the_smallest_distance_then_comes_first():
    domain = swapping_domain(2, 3)
    specification = claim(domain, lambda margins: Loss(Fraction(1)))
    laws = mechanism_laws(on_tables(permutation_swapping), domain, swap_rate=RATE)
    found = list(violations(laws, specification))
    keys = [(domain.count_records(v.first), v.distance, domain.index(v.first), domain.index(v.second)) for v in found]
    assert keys == sorted(keys)
    assert domain.count_records(found[0].first) == 2 < domain.count_records(found[-1].first) == 3


class TestTheEnginesThemselves:
    """Each cross-check is tried once against a fault of its own."""

    def test_a_wrong_exact_law_is_an_engine_failure(self):
        records = table_records(((1, 1), (0, 1)))
        law = exact_law(permutation_swapping, records, swap_rate=RATE)
        first, second = law.support[:2]
        shift = Fraction(1, 10**40)
        wrong = Law({**law, first: law[first] + shift, second: law[second] - shift})
        value = approximate_law(permutation_swapping, records, swap_rate=RATE)
        check_against(law, value, "law")
        with pytest.raises(EngineError, match="disagree"):
            check_against(wrong, value, "law")

    def test_a_wrong_law_interpreter_is_noticed_while_laws_are_collected(self, monkeypatch):
        monkeypatch.setattr("stirred.verify.engines.exhaustive.exact_law", lambda _, point, **__: Law({point: 1}))
        with pytest.raises(EngineError, match="on the data set 0: law: the exact probability"):
            mechanism_laws(lambda data, source: source.uniform(2), FiniteDomain((0, 1)))

    def test_an_attempt_with_side_effects_is_noticed(self):
        def mechanism(data, source):
            total = 0

            def body(inner):
                nonlocal total
                total += inner.uniform(2)

            source.attempt(body)
            return total

        with pytest.raises(EngineError, match="disagree"):
            mechanism_laws(mechanism, FiniteDomain((0,)))

    def test_a_wrong_loss_is_an_engine_failure(self):
        check_ratio(Fraction(9), Fraction(8), Loss(Fraction(9, 8)), "loss")
        for p, q, loss in [
            (Fraction(9), Fraction(8), Loss(Fraction(9, 8), 2)),
            (Fraction(9), Fraction(8), INFINITE),
            (Fraction(0), Fraction(8), Loss(Fraction(9))),
            (Fraction(0), Fraction(0), INFINITE),
        ]:
            with pytest.raises(EngineError, match="disagree"):
                check_ratio(p, q, loss, "loss")

    def test_wrong_counting_is_noticed_by_the_universe_loss(self, monkeypatch):
        monkeypatch.setattr(
            "stirred.verify.engines.swapping.loss.check_ratio", lambda *a: check_ratio(a[0] + 1, *a[1:])
        )
        with pytest.raises(EngineError, match="disagree"):
            universe_loss((1, 1), (1, 1), RATE)

    def test_a_witness_that_was_tampered_with_does_not_replay(self, tmp_path):
        specification = claimed_specification()
        witness = dict(refute(truncated_geometric_claiming_a_tenth, specification).witness)
        for key, value in [("probability", "1/2"), ("gamma", "9/8"), ("event", [1]), ("gamma", "1/2"), ("delta", "-1")]:
            done = replayed(tmp_path, {**witness, key: value})
            assert done.returncode == 2
            assert done.stdout == ""
            assert done.stderr.count("\n") == 1
