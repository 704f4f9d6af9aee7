from itertools import product

from spec.loss import INFINITE, Loss
from verify.checks import appendix_d as evidence_d
from verify.engines.algebra.small_domains import domain_of, multiverses


def test_a_universe_function_may_leave_out_its_own_argument(checked):
    detail = checked("invariants.plausibility").detail
    assert detail == "D(.) = {0: [], 1: [0]}, x = 1, x' = 0"


def test_the_smallest_false_necessity_has_two_data_sets(checked):
    assert checked("invariants.necessity").detail == "c = {0: 0, 1: 0}, universes [[0], [1]]"


def test_information_at_infinite_distance_is_free_on_two_data_sets(checked):
    detail = checked("invariants.additional-information").detail
    assert detail.endswith("[[0, 1]], d = {(0, 1): None, (1, 0): None}")


def test_less_than_the_invariants_is_not_equivalent_to_them_and_varies_nowhere(checked):
    assert checked("invariants.varies-within").detail.startswith("c = (0, 1, 2), laws")


def test_what_a_pair_can_ask_of_a_budget_is_one_of_four_upper_sets():
    cases = evidence_d._pair_cases()
    assert set(cases) == {frozenset(range(start, 4)) for start in range(4)}
    assert cases[frozenset({3})] == (Loss(2), 0)  # a positive loss at distance 0 needs the budget infinity
    assert INFINITE not in {value for value, _ in cases.values()}


def _budgeted(levels):
    return [
        dict(zip(multiverse, values, strict=True))
        for multiverse in multiverses(domain_of(2))
        for values in product(range(levels), repeat=len(multiverse))
    ]


def test_proposition_5_and_lemma_1_hold_for_whole_refinements_on_two_data_sets():
    """Brute force over all pairs of multiverses with budgets 0 < 1 < 2 = infinity, without reducing to one D'."""
    infinity = 2
    every = _budgeted(3)
    pair = frozenset({0, 1})
    tried = 0
    for coarse, fine in product(every, repeat=2):
        around = {u: [eps for other, eps in coarse.items() if u <= other] for u in fine}
        if not all(around.values()):
            continue
        within = all(eps <= min((e for u, e in fine.items() if u <= d), default=infinity) for d, eps in coarse.items())
        above = all(fine[u] >= min(around[u]) for u in fine)
        if within:
            assert above  # so each half of Proposition 5 is a case of Lemma 1
        if above:
            for needed in range(3):  # what the pair {0, 1} asks of its budgets
                if coarse.get(pair, infinity) >= needed:
                    assert fine.get(pair, infinity) >= needed
                    tried += 1
    assert tried > 1000
