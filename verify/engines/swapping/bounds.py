"""Certified budgets of the PSA for universes too large for their exact loss: they may depend on the margins.

Valid only because the margins are invariants: the budget is a function of the universe, not of the data in it. What
follows is proved in Coq, in the theories named; o = p/(1−p), and d(k) counts derangements.

All universes (`psa_sharp`). For b ≥ 4 the budget (7) can be sharpened to e^ε = max{√s_b/o, o} with s_b = d(b)/d(b−2) <
(b+1)². No function of b and p below √s_b/o will do: two tables that share two single records and no other cell need it.

Two categories (`insertion`, `exchange`, `two_categories`). If every stratum has at most two holding or at most two
swapping categories, and at most n records, then e^(2ε) = max{o², (n + ½)/o² + (n − 1)/o} is a budget: ½·ln n grows
where the printed one has ln n. A budget need only hold for one exchange of two records (`table_circuits`); there the
permutations behind an output fall into orbits, and in each the quotient of the two masses is at most e^(2ε).

One record (`single_record`). If one category holds a single record, the table says where that record is. It moves with
probability μ = p(1 − (1−p)^(n−1))/(1 − n·p·(1−p)^(n−1)), and then to each other place alike: from column s it comes to
s' ≠ s with probability μ·c_s'/(n−1), and is in s again with 1 − μ + μ(c_s − 1)/(n−1). So the loss is exact
(`single_record_loss`); at c_s = 1 it is ½·ln((n−1)(1−μ)/μ) ≈ ½·(ln n − ln o): for two categories no budget grows less
than ½·ln n.

Three categories on both sides (`three_categories`). The universe with row and column margins (n−2, 1, 1), n ≥ 4, has a
loss of at least ½·ln(n(n−1)) + ln(1−p) − ln 2 for all p in (0, 1): there the printed growth ln n is real.

Two large categories: the certificates of `verify.engines.swapping.moved_mass`, whatever their sizes are (in Coq
`checked_budget`: what is printed is a bound that its checker accepts), and of
`verify.engines.swapping.balanced_rows`, which are close to the largest exact loss where neither is small.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from fractions import Fraction

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec.arguments import Exact, InputError, integer, probability
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.flavors.permutation_swapping import Margins, finite_odds, odds, psa_budget
from stirred.verify.engines.swapping.balanced_rows import BalancedCertificate, balanced_certificate
from stirred.verify.engines.swapping.moved_mass import Certificate, concentrated_certificate

_EXACT_SIZE = 1_000
"""The largest stratum whose exact single-record loss is offered: its digits grow with n."""

_EXACT_DERANGEMENTS = 100
"""The largest stratum whose quotient of derangement numbers is kept exactly."""


@dataclass(frozen=True, eq=False)
class CertifiedBudget(Loss):
    """A budget that the PSA satisfies on one universe, with the reason.

    Attributes:
        reason: which of the bounds gives it.
        certificate: the integers that Coq checks, where it is one of the budgets of large strata.
    """

    reason: str = field(default="", kw_only=True)
    certificate: BalancedCertificate | Certificate | None = field(default=None, kw_only=True)

    __hash__ = Loss.__hash__


def sharpened_budget(largest_stratum: int, swap_rate: Exact) -> Loss:
    """½·ln max{d(b)/d(b−2)/o², o²}: a budget for every universe whose largest stratum has b ≥ 4 records, 0 < p < 1.

    The budget; for b > 100, d(b)/d(b−2) is replaced by (b−1)(b + 1/d(98)), which is no less.

    >>> sharpened_budget(6, Fraction(1, 2)) == Loss(Fraction(265, 9), 2)
    True
    """
    b, o = integer("largest_stratum", largest_stratum, minimum=4), finite_odds(swap_rate)
    if b <= _EXACT_DERANGEMENTS:
        step = Fraction(derangements(b), derangements(b - 2))
    else:
        step = (b - 1) * (b + Fraction(1, derangements(_EXACT_DERANGEMENTS - 2)))
    return Loss(max(step / (o * o), o * o), 2)


def two_category_budget(size: int, swap_rate: Exact) -> Loss:
    """½·ln max{o², (n + ½)/o² + (n − 1)/o}: a budget for every stratum of up to n records in two categories.

    The budget, exact; |ln o| for n = 2, `ZERO` for n < 2, `INFINITE` for p in {0, 1} and n ≥ 2.

    >>> two_category_budget(264_331, Fraction(1, 2)).epsilon().text(4)
    '6.589'
    """
    n, p = integer("size", size, minimum=0), probability("swap_rate", swap_rate)
    if n < 2:
        return ZERO
    if p in (0, 1):
        return INFINITE
    o = odds(p)
    if n == 2:
        return Loss(max(o, 1 / o))
    return Loss(max(o * o, (n + Fraction(1, 2)) / (o * o) + (n - 1) / o), 2)


def single_record_loss(columns: Sequence[int], swap_rate: Exact) -> Loss:
    """The exact loss of a universe where one row holds one record and one other row holds the rest.

    Several other rows that hold the rest give at least this loss.

    Two of the column margins c_s must be positive.

    ½·ln of the largest of q_s/r_s and r_s/q_s, where q_s = 1 − μ + μ(c_s−1)/(n−1) and r_s = μ·c_s/(n−1).

    >>> single_record_loss((1, 1), Fraction(3, 4)) == Loss(3)
    True
    """
    margins = [integer("columns: a margin", c, minimum=0) for c in columns]
    positive = [c for c in margins if c]
    if len(positive) < 2:
        raise InputError(f"columns must have at least two positive margins; got {tuple(columns)}")
    p = probability("swap_rate", swap_rate)
    if p in (0, 1):
        raise InputError(f"swap_rate must be between 0 and 1, exclusive, for a finite loss; got {swap_rate!r}")
    n = sum(positive)
    moves = p * (1 - (1 - p) ** (n - 1)) / (1 - n * p * (1 - p) ** (n - 1))
    worst = Fraction(1)
    for c in positive:
        stays, comes = 1 - moves + moves * Fraction(c - 1, n - 1), moves * Fraction(c, n - 1)
        worst = max(worst, stays / comes, comes / stays)
    return Loss(worst, 2)


def certified_two_category_budget(size: int, swap_rate: Exact) -> CertifiedBudget:
    """The best budget here for every stratum of up to n records in two holding or two swapping categories.

    >>> certified_two_category_budget(264_331, Fraction(1, 2)).epsilon().text(3)
    '6.25'
    """
    return min(_two_categories(integer("size", size, minimum=2), swap_rate))


def certified_budget(rows: Sequence[int], columns: Sequence[int], swap_rate: Exact) -> CertifiedBudget:
    """The best certified budget for one stratum with these margins: never more than the printed one.

    The budget with its `.reason`. For several strata take the largest: strata are independent.

    >>> certified_budget((1, 9), (5, 5), Fraction(1, 2)).reason
    'exact: one category holds one record'
    """
    finite_odds(swap_rate)
    p = probability("swap_rate", swap_rate)
    rows, columns = _positive(rows, columns)
    size = sum(rows)
    if len(rows) == 1 or len(columns) == 1:
        return CertifiedBudget(Fraction(1), reason="exact: the universe has one table")
    found = [_certified(psa_budget(size, p), "article, Theorem 1")]
    if size >= 4:
        found.append(_certified(sharpened_budget(size, p), "article, Theorem 1, sharpened"))
    for sides in ((rows, columns), (columns, rows)):
        if len(sides[0]) == 2:
            found += _two_categories(size, p)
            if 1 in sides[0] and size <= _EXACT_SIZE:
                found.append(_certified(single_record_loss(sides[1], p), "exact: one category holds one record"))
            if 1 not in sides[0] and (balanced := balanced_certificate(*sides[0], p)) is not None:
                found.append(_certified(Loss(balanced.quotient, 2), "two large categories", balanced))
    return min(found)


def certified_budget_of_strata(strata: Iterable[Margins], swap_rate: Exact) -> CertifiedBudget:
    """The best certified budget for a universe of several strata: the largest of theirs, since they are independent.

    >>> certified_budget_of_strata([((1, 9), (5, 5)), ((2,), (1, 1))], Fraction(1, 2)).reason
    'exact: one category holds one record'
    """
    p = probability("swap_rate", swap_rate)
    largest: CertifiedBudget | None = None
    for rows, columns in sorted(strata, key=lambda margins: -sum(margins[0])):
        size = sum(rows)
        if largest is None or (size > 1 and psa_budget(size, p) > largest):  # no stratum needs more than is printed
            found = certified_budget(rows, columns, p)
            largest = found if largest is None or found > largest else largest
    if largest is None:
        raise InputError("strata must be at least one; got none")
    return largest


def _positive(rows: Sequence[int], columns: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The positive margins; a category without records changes nothing."""
    for name, margins in (("rows", rows), ("columns", columns)):
        for margin in margins:
            integer(f"{name}: a margin", margin, minimum=0)
    if sum(rows) != sum(columns):
        raise InputError(f"rows and columns must have the same total; got {sum(rows)} and {sum(columns)}")
    if sum(rows) == 0:
        raise InputError("a stratum must have at least one record; got margins of total 0")
    return tuple(r for r in rows if r), tuple(c for c in columns if c)


def _two_categories(size: int, swap_rate: Exact) -> Iterator[CertifiedBudget]:
    yield _certified(two_category_budget(size, swap_rate), "two categories")
    found = concentrated_certificate(size, swap_rate)
    if found is not None:
        yield _certified(Loss(Fraction(found.rn, found.rd), 2), "two categories, few extreme permutations", found)


def _certified(
    loss: Loss, reason: str, certificate: BalancedCertificate | Certificate | None = None
) -> CertifiedBudget:
    if loss.gamma is None:
        raise InputError("swap_rate must be between 0 and 1, exclusive, for a finite budget")
    return CertifiedBudget(loss.gamma, loss.distance, reason=reason, certificate=certificate)


_FILE = """\
(* A budget of permutation swapping for one universe, from a certificate: coqc
   accepts this file only if the certificate holds and so the theorem. It needs
   the theories that come with stirred, compiled by make -C proofs:

     {command}

   With odds {on} / {od}, that is at the swap rate {rate}, and with gamma^2 at
   least {rn} / {rd}, permutation swapping is ln(gamma)-DP per unit of
   distance in each universe whose strata have two categories on one side,
   {which}. *)

From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import {theories}.

Import Order.Theory GRing.Theory Num.Theory.

Definition certificate :=
  ({constructor}
{numbers})%num.

Lemma accepted : {checker} certificate.
Proof. by vm_compute. Qed.

Theorem budget (R : realFieldType) (M H S : finType) (n : nat) :
  {statement}.
Proof. exact: ({proof}). Qed.

Print Assumptions budget.
"""


def coq_budget(certificate: BalancedCertificate | Certificate, command: str) -> str:
    """A Coq file whose theorem is a certified budget of the PSA for one universe, from a certificate that Coq checks.

    The statement is over `psa` and `pure_dp` of the theories; the checkers of certificates are proved sound there
    (`checked_budget.checked_pure_dp`, `checked_budget.checked_sizes_pure_dp`).
    """
    if isinstance(certificate, BalancedCertificate):
        numbers = certificate.numbers
        first, second, on, od, *_, rn, rd = numbers
        parts = {
            "which": f"of {first} and {second} records",
            "theories": "balanced_check checked_budget",
            "constructor": "BalanceNumbers",
            "checker": "balance_checks",
            "statement": f"has_sizes_budget R M H S n {first} {second} {on} {od} {rn} {rd}",
            "proof": "checked_sizes_pure_dp accepted",
        }
    else:
        numbers = astuple(certificate)
        largest, on, od, *_, rn, rd = numbers
        parts = {
            "which": f"and at most {largest} records",
            "theories": "certificate_check checked_budget",
            "constructor": "Numbers",
            "checker": "checks",
            "statement": f"has_budget R M H S n {largest} {on} {od} {rn}",
            "proof": "checked_pure_dp accepted erefl",
        }
    parts |= {"command": command, "rate": f"{on}/{on + od}", "numbers": _wrapped(numbers)}
    return _FILE.format(**parts, on=on, od=od, rn=rn, rd=rd)


def _wrapped(numbers: tuple[int, ...]) -> str:
    return textwrap.indent(textwrap.fill(" ".join(map(str, numbers)), 72), "    ")
