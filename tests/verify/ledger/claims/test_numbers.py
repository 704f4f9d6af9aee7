"""Printed numbers: one home, read alike by the ledger, the auditor and the readers of records; numbers of cases.

Formulas that this project claims hold of random cases outside those that the claims name.
"""

import random
from fractions import Fraction

import pytest

import stirred.verify.ledger.claims.pairwise_swapping.losses  # noqa: F401 its words are used here
from stirred.spec.arguments import InputError
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.surveys.amplification import Compared
from stirred.verify.audit.audit import audit
from stirred.verify.audit.records.published import TOTALS
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.engines.surveys.design_loss import distance_of_samples
from stirred.verify.engines.surveys.worst_release import power_limit, worst_release
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim_numbers import PUBLISHED, parts, published_claim, rows
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.ledger.book import claim
from stirred.verify.ledger.claims.inference.optimality import posterior
from stirred.verify.ledger.claims.numbers.tables import SCHEMES, TABLE_5, budget_of_swapping, table_5
from stirred.verify.ledger.claims.pairwise_swapping.losses import too_few, visits
from stirred.verify.ledger.claims.phsafe.table_10 import TABLE_10
from stirred.verify.ledger.claims.safetab.stages import BUDGETS, total
from stirred.verify.ledger.claims.survey_sampling import clusters, dependent_samples, words
from stirred.verify.ledger.claims.survey_sampling.clusters import of_regions
from stirred.verify.ledger.claims.survey_sampling.dependent_samples import by_overlap, mean_power
from stirred.verify.ledger.failures import says_so


class TestPublished:
    def test_a_claim_that_is_not_there_is_refused(self):
        with pytest.raises(InputError, match=r"must be the id of a published claim; got 'topdown.none'"):
            published_claim("topdown.none")

    def test_a_text_that_is_not_there_cannot_be_changed(self):
        with pytest.raises(InputError, match=r"changed must name texts of topdown.pl; got '2.57'"):
            published_claim("topdown.pl", {"2.57": "2.58"})

    def test_a_changed_row_leaves_the_file_as_it_is(self):
        assert rows("topdown.pl-person", {"17.90": "17.91"})[0].printed.text == "17.91"
        assert rows("topdown.pl-person")[0].printed.text == "17.90"

    def test_a_part_of_a_composition_can_be_changed(self):
        assert rows("topdown.pl", {"2.56": "2.65"})[0].formula == "7/100 + 53/20"

    def test_a_claim_without_a_composition_has_no_parts(self):
        assert parts("topdown.pl-person") == {}

    def test_the_auditor_refutes_the_rows_that_the_ledger_refutes(self, checked):
        pairs = {
            "numbers.decennial-2010.printed": "das-2010-as-psa",
            "numbers.two-rates.printed": "psa.rates-for-budget-3",
            "numbers.table-3.pl-household": "topdown.pl-household",
            "numbers.table-3.pl-person": "topdown.pl-person",
            "numbers.table-3.dhc-household": "topdown.dhc-household",
            "numbers.table-3.dhc-person": "topdown.dhc-person",
            "numbers.table-3.total": "topdown.total",
            "numbers.table-4.overall": "das-2020.total",
            "numbers.one-duplicate": "das-2020.one-duplicate",
            "numbers.table-5.largest-stratum.printed": "psa-2020.largest-strata",
            "numbers.table-4.psa-range": "psa-2020.range",
            "numbers.table-1": "massachusetts-1940.table-1",
            "numbers.phsafe.bounded": "phsafe.table-10",
            "numbers.slides.table": "slides.psa-2020",
        }
        for ledger, audited in pairs.items():
            record = audit(build_claim(published_claim(audited)))
            assert (checked(ledger).verdict is Verdict.REFUTED) == (record.verdict is Verdict.REFUTED), ledger

    def test_what_was_rounded_later_is_supported_by_both(self, checked):
        for row in ("pl-household", "pl-person", "dhc-person", "total"):
            audited = published_claim(f"topdown.{row}")
            assert audited.numbers[0].rounded == ("rho2",)
            numbers = [
                answer.evidence for answer in audit(build_claim(audited)).answers if answer.question == "numbers"
            ]
            assert all(evidence.verdict.is_settled_for for evidence in numbers)
            assert "rho2 may be any number that rounds to the printed one" in numbers[-1].scope
            assert checked(f"numbers.table-3.{row}").verdict is Verdict.ENCLOSED


class TestTables:
    def test_the_words_of_table_5_hold_its_numbers(self):
        words = claim("numbers.table-5").statement
        assert all(f"{entry.b:,}" in words for entry in TABLE_5)
        assert all(row.printed.text in words for row in table_5())

    def test_table_5_has_two_rates_for_each_scheme(self):
        assert [entry.scheme for entry in TABLE_5[::2]] == list(SCHEMES)
        assert {entry.p for entry in TABLE_5} == {Fraction(1, 20), Fraction(1, 2)}

    def test_the_words_of_the_slides_table_hold_its_numbers(self):
        words = claim("numbers.slides.table").statement
        assert all(f"{row.inputs['b'].text} " in words and row.printed.text in words for row in rows("slides.psa-2020"))

    def test_the_totals_of_records_are_those_of_the_claims(self):
        found = {total.product: (total.rho_squared.text, total.epsilon and total.epsilon.text) for total in TOTALS}
        assert found["PL person"] == ("2.56", "17.90")
        assert (found["PL"], found["DDHC-A"]) == (("2.63", None), ("19.776", None))

    def test_no_published_number_is_repeated_in_the_modules_that_read_it(self):
        texts = {path.name: path.read_text(encoding="utf-8") for path in PUBLISHED.parent.glob("records/*.py")}
        assert not [name for name, text in texts.items() if "17.90" in text or "52.83" in text]

    @pytest.mark.parametrize(("b", "p"), [(0, "1/2"), (2, "1/3"), (8, "3/4"), (8, "4/5"), (10**6, "1/2")])
    def test_the_word_for_the_budget_of_swapping_is_the_formula(self, b, p):
        gamma = psa_budget(b, Fraction(p))
        claimed = lambda b, p, k, gamma: budget_of_swapping(b, p) ** k == gamma
        values = {"b": b, "p": Fraction(p), "gamma": gamma.gamma, "k": gamma.distance}
        assert says_so(claimed, **values)


def test_the_published_noise_scale_explains_both_printed_numbers_of_pl_person(checked):
    assert parse_printed("rho", "2.56").value == round((Fraction(542) / 339) ** 2, 2)
    assert "17.90018455" in checked("sources.pl-conversions").detail


def test_the_range_of_2010_is_that_of_its_ends_as_rounded(checked):
    assert checked("numbers.decennial-2010.printed").verdict is Verdict.ENCLOSED
    *_, printed = checked("numbers.decennial-2010.printed").mutants
    assert printed.evidence.witness["case"]["p"] == {"number": "1/50"}


@pytest.mark.parametrize(
    ("claim_id", "cases"),
    [
        # 5 kinds; households of up to 3 persons, one of them added: (1 + 5 + 15 + 35) * 5, for three thresholds
        ("phsafe.stability.truncate-and-join", 3 * 56 * 5),
        ("phsafe.stability.truncate-and-join.sharp", 3 * 56 * 5),
        # n = 2: 3 sets, one universe; n = 3: 63 sets, four universes; n = 4: 31 unions of cycle types, nine universes
        ("psa.variants.transitive.printed", 3 + 4 * 63 + 9 * 31),
    ],
)
def test_a_claim_is_checked_on_as_many_cases_as_there_are(claim_id, cases, checked):
    (exhausted,) = (one for one in checked(claim_id).supporting if one.verdict is Verdict.EXHAUSTED)
    assert f"{cases} cases" in exhausted.detail


def test_table_10_has_46_rows_and_every_run_its_levels():
    assert len(TABLE_10) == 46
    assert {row.table for row in TABLE_10 if row.tau is None} == {"PH1_denom", "PH5_denom", "PH8_denom"}
    assert [row.target for row in TABLE_10 if row.level == "state_A-G"] == [68, 68, 20, 68, 68, 68, 68]


def test_the_budgets_of_the_settings_of_safetab_by_hand():
    # level 1 has 0 in AIANNH areas
    assert total("p") == 5 * Fraction("0.008") + 2 * Fraction("2.134") + 4 * Fraction("0.159")
    assert total("p", is_us=False) == 4 * Fraction("0.008") + Fraction("2.134") + 3 * Fraction("0.159")
    of_a_table = 5 * Fraction("0.006915") + 2 * Fraction("1.9208") + 4 * Fraction("0.142869")
    assert total("h") == 2 * of_a_table == Fraction("8.895302")
    assert [len(BUDGETS[letter]) for letter in "ph"] == [20, 40]


def ratio(p, q, g):
    return sum(Fraction(p[w]) * g[w] for w in p) / sum(Fraction(q[w]) * g[w] for w in q)


DESIGNS = {
    "disjoint, 1 of 5": (5, dependent_samples._sharing(1, 0)),
    "sharing one, 2 of 3": (3, dependent_samples._sharing(2, 1)),
    "sharing two, 3 of 4": (4, dependent_samples._sharing(3, 2)),
    "halves of 4": (4, dependent_samples._sharing(2, 0)),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_two_samples_lose_the_largest_corner(design):
    size, coordination = DESIGNS[design]
    chance = random.Random(design)  # noqa: S311 cases, not secrets
    p, q = (coordination(((1, record), *((unit, "z") for unit in range(2, size + 1)))) for record in "ab")
    for _ in range(3):
        beta, gamma = (1 + Fraction(chance.randint(1, 40), chance.randint(1, 12)) for _ in range(2))
        g = worst_release(p, q, dependent_samples._jointly(beta, gamma)).weights
        claimed = lambda y, p, beta, gamma: y == by_overlap(p, beta, gamma) and y >= mean_power(p, beta, gamma)
        assert says_so(claimed, y=ratio(p, q, g), p=p, beta=beta, gamma=gamma)


@pytest.mark.parametrize("eighties", [3, 14, 25])
def test_half_of_tier_3_is_just_what_is_needed_at_other_sizes(eighties):
    third, wanted = 10 * eighties, 3 * eighties
    assert says_so(lambda third, wanted: 2 / 5 < too_few(third, 3 / 10, wanted) < 1 / 2, third=third, wanted=wanted)


@pytest.mark.parametrize("left", [5, 12, 33])
def test_lower_probabilities_of_tier_3_mean_more_visits_at_other_sizes(left):
    chance = random.Random(left)  # noqa: S311 cases, not secrets
    third = 2 * left + chance.randint(left, 3 * left)
    claimed = lambda third, left: visits(third, 3 / 10, left) > visits(third, 6 / 10, left)
    assert says_so(claimed, third=third, left=left)


def lost_by_regions(number, step, size, gamma):
    design = clusters._systematic(step, clusters._by_region(size))
    p, q = words.laws_of(design, clusters.in_clusters(1, number))
    return ratio(p, q, worst_release(p, q, power_limit(gamma, distance_of_samples(Compared.REPLACED))).weights)


@pytest.mark.parametrize(("number", "step", "size"), [(8, 2, 2), (8, 4, 4), (6, 6, 2), (10, 5, 1), (9, 3, 1)])
def test_other_lists_of_regions_that_divide_the_step_lose_what_the_formula_says(number, step, size):
    gamma = 1 + Fraction(random.Random(number * step).randint(1, 40), 12)  # noqa: S311 cases, not secrets
    case = {"k": step, "n": number // step, "r": size, "gamma": gamma}
    lost = lost_by_regions(number, step, size, gamma)
    assert says_so(lambda k, n, r, gamma, x: of_regions(k, n, r, gamma) == x, x=lost, **case)
    if size == step:
        assert lost == 1 + (gamma - 1) / step


@pytest.mark.parametrize(("number", "step", "size"), [(8, 4, 3), (10, 5, 2), (6, 3, 4), (6, 2, 5), (9, 3, 2)])
def test_other_lists_of_regions_of_any_size_lose_at_most_what_the_bound_says(number, step, size):
    gamma = 1 + Fraction(random.Random(number + size).randint(1, 40), 12)  # noqa: S311 cases, not secrets
    most = -(-size // step)
    assert lost_by_regions(number, step, size, gamma) <= 1 + Fraction(most, size) * (gamma - 1)


def test_the_posterior_of_an_atom_is_below_the_bound_of_theorem_5_6_3_at_other_priors():
    chance = random.Random(563)  # noqa: S311 cases, not secrets
    for _ in range(20):
        w, g = Fraction(chance.randint(1, 99), 100), 1 + Fraction(chance.randint(1, 30), 10)
        n, more = chance.randint(1, 9), chance.randint(0, 9)
        case = {"w": w, "g": g, "n": n, "t": n + more}
        assert says_so(lambda t, g, w, n: posterior(t, g, w, n) == w * g**n / (1 - w + w * g**n), **case)
        assert says_so(lambda t, g, w, n: posterior(t, g, w, n) < w * g**n, **case)
