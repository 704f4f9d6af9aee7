"""Plausible originals: the data sets that may have led to the swapped one (article, Appendix B)."""

from fractions import Fraction

from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.verify.ledger import cases, every, mutant, own, state, theorem
from stirred.verify.ledger.claims.psa.cases import is_enough, kernels, of_one_stratum
from stirred.verify.ledger.claims.swapping.data_sets import CATEGORIES, universes
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import column_margins, same_law

transposed = lambda t: [[row[j] for row in t] for j in range(len(t[0]))]
_SCOPE = "every universe of one stratum with up to 5 records and four categories a side, p ="
_POSSIBLE = "where an output is possible iff it is at every p in (0, 1)"
_universes = kernels(f"{_SCOPE} 1/3, {_POSSIBLE}", lambda: of_one_stratum(1, 5, 4), "1/3")
_not_swapped = kernels(f"{_SCOPE} 0", lambda: of_one_stratum(1, 5, 4), "0")

several_originals = lambda laws: (
    len(laws) == 1 or all(len({x for x in laws if get(laws[x], z, 0) > 0}) > 1 for z in laws)
)

# the law from each table, and that from the transposed table, whose rows are the swapping categories
_exchanged_roles = lambda rates, p, q: cases(
    f"the PSA on one stratum with up to 4 records and four categories a side, p = {rates}",
    "law turned",
    lambda: ((psa_law(x, p), psa_law(tuple(zip(*x, strict=True)), q)) for tables in universes(4) for x in tables),
)
same_transposed = lambda turned, law: same_law(turned, {transposed(z): law[z] for z in law})

state("swapping.either-way", "article, Appendix B", "dissertation, section B.1")(
    """The idea behind data swapping is to hinder such joint inference by randomly permuting the records'
    quasi-identifiers while keeping the sensitive variables fixed (or visa versa).""",
    every(_exchanged_roles("1/3", Fraction(1, 3), Fraction(1, 3)), same_transposed),
    mutant("at another swap rate", _exchanged_roles("1/3 and 1/2", Fraction(1, 3), Fraction(1, 2))),
    reading="what is released, up to the order of records, has one law, whichever of the two the PSA permutes",
)

state("swapping.plausible-originals.printed", "article, Appendix B", "dissertation, section B.1")(
    """In this way, there are multiple plausible values for the original data set that are compatible with the swapped
    data set …""",
    every(_universes, several_originals),
    mutant("p = 0", _not_swapped),
    reading="""for the PSA with 0 < p < 1, compatible: of nonzero probability; where swapping is not completely vacuous,
    as Theorem 3 says: the universe has several data sets""",
)

all_are_original = lambda laws: all(get(laws[x], z, 0) > 0 for x in laws for z in laws)

own("swapping.plausible-originals", "article, Appendix B")(
    """For 0 < p < 1 every data set of a universe of the swapping multiverse gives every other one, and itself, with
    nonzero probability under the PSA: the data sets compatible with the swapped one are the universe's.""",
    every(_universes, all_are_original),
    mutant("p = 0", _not_swapped),
    theorem("psa_privacy.psa_support", within=CATEGORIES),
)

_BUDGETS = kernels(
    "every universe of one stratum with up to 4 records and four categories a side, b > 0, p = 1/3",
    lambda: (u for u in of_one_stratum(2, 4, 4) if len(u[0][0]) + len(u[0][1]) > 2),
    "1/3",
)

as_plausible = lambda laws, sized, b, p: is_enough(laws, (sized * b + 1) * (1 - p) / p)

state("swapping.plausible-originals.bound", "article, Appendix B", "dissertation, section B.1")(
    """In fact, Theorem 1 can be interpreted as a formalization of the above intuitive argument because it provides a
    bound on how plausible the true confidential data set is compared to other compatible data sets.""",
    every(_BUDGETS, as_plausible, sized=1),
    mutant("1 for b + 1", {"sized": 0}),
    theorem("psa_privacy.psa_pure_dp", within=CATEGORIES),
    reading="how plausible x is beside x', after z was seen, is P_x(z)/P_x'(z) times what it was before",
)

state("swapping.uncertain-relation", "article, Appendix B", "dissertation, section B.1")(
    "This bound ensures a degree of uncertainty in the relationship between V_Swap and V_Hold \\ V_Swap.",
    every(_universes, several_originals),
    mutant(
        "V_Match for V_Hold \\ V_Swap",
        lambda laws: (
            len(laws) == 1 or all(len({column_margins(x) for x in laws if get(laws[x], z, 0) > 0}) > 1 for z in laws)
        ),
    ),
    reading="V_Hold \\ V_Swap is V_Hold, as the two have no variable in common: for 0 < p < 1, where the universe has "
    "several data sets, several cross-classifications of V_Hold by V_Swap are compatible with each output. That of "
    "V_Match by V_Swap is an invariant, so the uncertainty is in V_Hold \\ V_Match, as section 3.2 writes",
)
