"""What several topics compare: small universes with the PSA's laws, and the law of the permutation that it draws.

A universe is the margins (rows, columns) of each of its strata; a data set in it is a table for each stratum.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec.blocks.tables import Table, contingency_tables
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum
from stirred.spec.laws.law import Law
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.verify.ledger import Cases, Check, cases, query
from stirred.verify.ledger.engines.budget_sweep import one_stratum, several_strata
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import likelihood_ratio, table_distance

CATEGORIES = "finitely many categories"
"""What the theorems on the PSA ask of the domain."""

SECTION_3_3 = ("article, section 3.3", "dissertation, section 3.2.3")
SECTION_3_6 = ("article, section 3.6", "dissertation, section 3.5.1")
THEOREM_4 = ("article, Theorem 4", "dissertation, Theorem B.4.2")
AFTER_THEOREM_4 = ("article, Appendix F (after Theorem 4)", "dissertation, section B.4 (after Theorem B.4.2)")
INTUITION = "slides, Intuition of the proof that Permutation Swapping is DP"
Universe = tuple[Margins, ...]
Laws = Mapping[Table, Law[Any]]

# a table and a data set, which is a tuple of tables; b of Theorem 1 and e^eps of (7)
is_mixed = lambda t: sum(1 for row in t for n in row if n > 0) > 1
largest_mixed = lambda x: max([0] + [sum(sum(row) for row in t) for t in x if is_mixed(t)])
psa_budget = lambda b, p: 1 if b == 0 else (oo if p in (0, 1) else budget_by_odds(b, p / (1 - p)))
budget_by_odds = lambda b, o: (b + 1) / o if o**2 <= b + 1 else o

# what each pair of a universe's tables needs; whether a budget ln(gamma) is needed, or is enough, or none is;
# whether no pair needs more than some pair needs in another universe
needs = lambda laws: [(likelihood_ratio(laws[x], laws[y]), table_distance(x, y)) for x in laws for y in laws if x != y]
needed = lambda laws, gamma: any(ratio >= gamma**d for ratio, d in needs(laws))
is_enough = lambda laws, gamma: all(
    likelihood_ratio(laws[x], laws[y]) <= gamma ** table_distance(x, y) for x in laws for y in laws
)
unbounded = lambda laws: any(ratio == oo for ratio, d in needs(laws))
no_more = lambda laws, others, share: all(
    any(r ** (share * e) <= s**d for s, e in known) for known in [needs(others)] for r, d in needs(laws)
)

# a law of permutations: the probability that record i is swapped, that i and j both are
swapped = lambda law, i: sum(law[g] for g in law if g[i] != i)
both_swapped = lambda law, i, j: sum(law[g] for g in law if g[i] != i and g[j] != j)

# polynomials by their coefficients, lowest degree first, and what shows that one is not negative; on a cell the
# polynomial at a + t, or (1 + t)**d*p((b + a*t)/(1 + t)): where no coefficient is negative, p is not from a to b
times = lambda p, q: [
    sum(p[i] * q[k - i] for i in range(len(p)) if 0 <= k - i < len(q)) for k in range(len(p) + len(q) - 1)
]
shifted = lambda p, a: [sum(p[k] * comb(k, i) * a ** (k - i) for k in range(i, len(p))) for i in range(len(p))]
reversed_of = lambda p: [p[len(p) - 1 - i] for i in range(len(p))]
stretched = lambda p, c: [p[i] * c**i for i in range(len(p))]
on_cell = lambda p, a, b: shifted(p, a) if b == oo else shifted(reversed_of(stretched(shifted(p, a), b - a)), 1)
is_nonnegative = lambda p, c, square, rest, cells: (
    c > 0
    and times(times([c], times(square, square)), rest) == p
    and all(a >= 0 for i in range(len(cells) - 1) for a in on_cell(rest, cells[i], cells[i + 1]))
)
is_nonnegative_to_1 = lambda p, c, square, rest, cells: (
    cells[0] == 0 and cells[len(cells) - 1] == 1 and is_nonnegative(p, c, square, rest, cells)
)


def changed_query(form: tuple[str, str], claimed: str, note: str, *change: str) -> Check:
    """A query with one piece of it replaced by another one, for a mutant."""
    old, new = change
    return query(*form, claimed=claimed, note=note, changes=[(old, new)])


def appendix(letter: str, place: str, thesis: str) -> tuple[str, str]:
    """A place in the article's Appendix E or F, and that in the dissertation's section B.3 or B.4."""
    return f"article, Appendix {letter} ({place})", f"dissertation, section B.{'EF'.index(letter) + 3} ({thesis})"


def of_one_stratum(first: int, last: int, categories: int) -> Iterator[Universe]:
    """The universes of one stratum with so many records, up to the names of categories."""
    return ((margins,) for n in range(first, last + 1) for margins in one_stratum(n, categories))


def of_two_strata(categories: int) -> Iterator[Universe]:
    """The universes of two strata with up to 3 records each."""
    return (u for sizes in combinations_with_replacement((1, 2, 3), 2) for u in several_strata(sizes, categories))


@cache
def kernel(margins: Margins, rate: Fraction) -> Laws:
    """P_x for every table x of a universe of one stratum."""
    return {x: psa_law(x, rate) for x in contingency_tables(*margins)}


def kernels(scope: str, universes: Callable[[], Iterable[Universe]], rates: str) -> Cases:
    """The laws of all tables of universes of one stratum at such swap rates p, with b."""
    at_rates = lambda: product(universes(), map(Fraction, rates.split()))
    return cases(scope, "b p laws")(lambda: ((largest_stratum(u), p, kernel(*u, p)) for u, p in at_rates()))


@cache
def permutation_law(*sizes: int) -> Mapping[tuple[int, ...], Any]:
    """The program's law of the permutation of strata of so many different records: functions of p."""
    positions: list[Any] = [(m, i) for m, n in enumerate(sizes) for i in range(n)]
    law = exact_law(permutation_swapping, tuple((m, i, i) for m, i in positions), swap_rate=SYMBOL)
    return {tuple(positions.index((m, s)) for (m, _, s), _ in sorted(output)): q for output, q in law.items()}


def enough_rates(sizes: Sequence[int]) -> Iterator[tuple[Fraction, Mapping[tuple[int, ...], Fraction]]]:
    """So many swap rates that two quotients of polynomials of degree n in p are equal if they are at these; the laws.

    n is the number of all records: the quotients agree everywhere if they do at 2n + 1 points. The first rate is 1/2.
    """
    points = 2 * sum(sizes) + 1
    for i in sorted(range(1, points + 1), key=lambda i: abs(2 * i - points - 1)):
        rate = Fraction(i, points + 1)
        law = permutation_law(*sizes)
        yield rate, {g: q(rate) if isinstance(q, RationalFunction) else q for g, q in law.items()}
