"""Plausible originals: the data sets that may have led to the swapped one (article, Appendix B)."""

from fractions import Fraction

from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.verify.ledger import Cases, cases, every, state, theorem
from stirred.verify.ledger.claims.psa.cases import is_enough, kernels, of_one_stratum
from stirred.verify.ledger.claims.swapping.data_sets import CATEGORIES, universes
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import column_margins, same_law


def transposed(t):
    return [[row[j] for row in t] for j in range(len(t[0]))]


def _universes_at(rate: str) -> Cases:
    possible = ", where an output is possible iff it is at every p in (0, 1)" if rate != "0" else ""
    scope = f"every universe of one stratum with up to 5 records and four categories a side, p = {rate}{possible}"
    return kernels(scope, lambda: of_one_stratum(1, 5, 4), rate)


def several_originals(laws):
    return len(laws) == 1 or all(len({x for x in laws if get(laws[x], z, 0) > 0}) > 1 for z in laws)


def _exchanged_roles(rate: str, other: str) -> Cases:
    """The law from each table, and that from the transposed table, whose rows are the swapping categories."""
    scope = f"the PSA on one stratum with up to 4 records and four categories a side, p = {rate}"
    p, q = Fraction(rate), Fraction(other)
    return cases(scope if p == q else f"{scope} and {other}", "law turned")(
        lambda: ((psa_law(x, p), psa_law(tuple(zip(*x, strict=True)), q)) for tables in universes(4) for x in tables)
    )


def same_transposed(turned, law):
    return same_law(turned, {transposed(z): law[z] for z in law})


state(
    "swapping.either-way",
    *("article, Appendix B", "dissertation, section B.1"),
    printed="The idea behind data swapping is to hinder such joint inference by randomly permuting the records' "
    "quasi-identifiers while keeping the sensitive variables fixed (or visa versa).",
    reading="what is released, up to the order of records, has one law, whichever of the two the PSA permutes",
    checks=[every(_exchanged_roles("1/3", "1/3"), same_transposed)],
    mutants={"at another swap rate": every(_exchanged_roles("1/3", "1/2"), same_transposed)},
)

state(
    "swapping.plausible-originals.printed",
    *("article, Appendix B", "dissertation, section B.1"),
    printed="In this way, there are multiple plausible values for the original data set that are compatible with the "
    "swapped data set …",
    reading="for the PSA with 0 < p < 1, compatible: of nonzero probability; where swapping is not completely vacuous, "
    "as Theorem 3 says: the universe has several data sets",
    checks=[every(_universes_at("1/3"), several_originals)],
    mutants={"p = 0": every(_universes_at("0"), several_originals)},
)


def all_are_original(laws):
    return all(get(laws[x], z, 0) > 0 for x in laws for z in laws)


state(
    "swapping.plausible-originals",
    "article, Appendix B",
    claim="For 0 < p < 1 every data set of a universe of the swapping multiverse gives every other one, and itself, "
    "with nonzero probability under the PSA: the data sets compatible with the swapped one are the universe's.",
    checks=[
        every(_universes_at("1/3"), all_are_original),
        theorem("psa_privacy.psa_support", within=CATEGORIES),
    ],
    mutants={"p = 0": every(_universes_at("0"), all_are_original)},
)


_BUDGETS = kernels(
    "every universe of one stratum with up to 4 records and four categories a side, b > 0, p = 1/3",
    lambda: (u for u in of_one_stratum(2, 4, 4) if len(u[0][0]) + len(u[0][1]) > 2),
    "1/3",
)


def as_plausible(laws, sized, b, p):
    return is_enough(laws, (sized * b + 1) * (1 - p) / p)


state(
    "swapping.plausible-originals.bound",
    *("article, Appendix B", "dissertation, section B.1"),
    printed="In fact, Theorem 1 can be interpreted as a formalization of the above intuitive argument because it "
    "provides a bound on how plausible the true confidential data set is compared to other compatible data sets.",
    reading="how plausible x is beside x', after z was seen, is P_x(z)/P_x'(z) times what it was before",
    checks=[every(_BUDGETS, as_plausible, sized=1), theorem("psa_privacy.psa_pure_dp", within=CATEGORIES)],
    mutants={"1 for b + 1": every(_BUDGETS, as_plausible, sized=0)},
)


def v_match_for_v_hold_v_swap(laws):
    return len(laws) == 1 or all(len({column_margins(x) for x in laws if get(laws[x], z, 0) > 0}) > 1 for z in laws)


state(
    "swapping.uncertain-relation",
    *("article, Appendix B", "dissertation, section B.1"),
    printed="This bound ensures a degree of uncertainty in the relationship between V_Swap and V_Hold \\ V_Swap.",
    reading="V_Hold \\ V_Swap is V_Hold, as the two have no variable in common: for 0 < p < 1, where the universe has "
    "several data sets, several cross-classifications of V_Hold by V_Swap are compatible with each output. That of "
    "V_Match by V_Swap is an invariant, so the uncertainty is in V_Hold \\ V_Match, as section 3.2 writes",
    checks=[every(_universes_at("1/3"), several_originals)],
    mutants={"V_Match for V_Hold \\ V_Swap": every(_universes_at("1/3"), v_match_for_v_hold_v_swap)},
)
