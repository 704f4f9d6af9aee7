"""Evidence for certified budgets of the article's demonstration: Massachusetts, 1940, two tenures in 14 counties."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from spec.loss import Loss
from verify.engines.number_table import PrintedRow, agree
from verify.engines.swapping.bounds import certified_two_category_budget
from verify.engines.swapping.moved_mass import balanced_budget
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _stated(found: Loss | None, stated: Fraction, scope: str) -> Evidence:
    """Whether a certified budget is below a stated number."""
    if found is None or found.gamma is None:
        return Evidence(Verdict.OPEN, scope, "no certificate closes")
    value = found.epsilon()
    if value.upper <= stated:
        return Evidence(Verdict.ENCLOSED, scope, f"eps = {value.text(5)}")
    witness = formula_witness(
        f"ln(gamma)/{found.distance} <= {stated.numerator}/{stated.denominator}", gamma=found.gamma
    )
    return Evidence(Verdict.REFUTED, scope, f"eps = {value.text(5)}", witness)


_CERTIFICATES = (
    "the certificate's arithmetic; that it bounds the loss is the proof in verify.engines.swapping.moved_mass"
)


def _households(shift: Fraction) -> Evidence:
    stated = {Fraction(1, 100): "8.64", Fraction(1, 20): "7.79", Fraction(1, 10): "7.38", Fraction(1, 2): "6.26"}
    found = [
        _stated(certified_two_category_budget(264_331, rate), Fraction(text) - shift, _CERTIFICATES)
        for rate, text in stated.items()
    ]
    weakest = min(found, key=lambda evidence: evidence.verdict)
    return Evidence(weakest.verdict, _CERTIFICATES, "; ".join(piece.detail for piece in found), weakest.witness)


@checks("psa.exact.massachusetts.households")
def households() -> Evidence:
    """The certified budgets at the article's b."""
    return _households(Fraction(0))


@refutes("psa.exact.massachusetts.households", "budgets lower by 1/2")
def households_lower() -> Evidence:
    """The mutant with lower budgets."""
    return _households(Fraction(1, 2))


@cache
def _dwellings() -> Loss | None:
    return balanced_budget(435_805, 708_619, Fraction(1, 2))


def _printed_budget(dwellings: str) -> Evidence:
    """(7) at as many dwellings as Table 1 counts."""
    row = PrintedRow("(7) at p = 50%", "13.95", "ln((b + 1)*(1 - p)/p)", {"b": dwellings, "p": "1/2"})
    return agree([row], f"b = {dwellings} at p = 50%")


def _both(stated: str, dwellings: str) -> Evidence:
    """The certified budget below a stated one, and the printed budget that it is compared with."""
    pieces = (_stated(_dwellings(), Fraction(stated), _CERTIFICATES), _printed_budget(dwellings))
    weakest = min(pieces, key=lambda evidence: evidence.verdict)
    scope = "; ".join(piece.scope for piece in pieces)
    return Evidence(weakest.verdict, scope, "; ".join(piece.detail for piece in pieces), weakest.witness)


@checks("psa.exact.massachusetts.dwellings")
def dwellings() -> Evidence:
    """The certified budget for the margins of Table 1, beside (7)."""
    return _both("1.66", "1144424")


@refutes("psa.exact.massachusetts.dwellings", "1.09 for 1.66")
def dwellings_lower() -> Evidence:
    """The mutant below ln 3."""
    return _both("1.09", "1144424")


@refutes("psa.exact.massachusetts.dwellings", "the 708,619 rented ones alone for (7)")
def dwellings_rented() -> Evidence:
    """The mutant with another b in (7)."""
    return _both("1.66", "708619")
