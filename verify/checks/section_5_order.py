"""Evidence for article, section 5.3 and Remark 8: which of Table 5's budgets are larger than which, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from spec.permutation_swapping import psa_budget
from verify.checks.section_5 import RATES, TABLE_5
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _exceeds(scope: str, note: str, larger: tuple[int, str], smaller: tuple[int, str]) -> Evidence | None:
    """A refutation where the budget (7) at one (b, p) is not above that at another."""
    first, second = (psa_budget(b, Fraction(rate)) for b, rate in (larger, smaller))
    if first > second:
        return None
    if first.gamma is None or second.gamma is None:
        raise EngineError("(7) is finite for swap rates between 0 and 1")
    witness = formula_witness("larger > smaller", note=f"e^eps: {note}", larger=first.gamma, smaller=second.gamma)
    return Evidence(Verdict.REFUTED, scope, note, witness)


def _ordered(scope: str, pairs: Sequence[tuple[str, tuple[int, str], tuple[int, str]]]) -> Evidence:
    for note, larger, smaller in pairs:
        if (refutation := _exceeds(scope, note, larger, smaller)) is not None:
            return refutation
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(pairs)} comparisons of exact budgets")


def _nested(*, finer_is_smaller: bool) -> Evidence:
    pairs = []
    for (what, coarse, _), (finer, fine, _) in zip(TABLE_5[::2], TABLE_5[1::2], strict=True):
        order = (coarse, fine) if finer_is_smaller else (fine, coarse)
        pairs += [(f"{what} and {finer} at p = {rate}", (order[0], rate), (order[1], rate)) for rate in RATES]
    return _ordered("the three pairs of rows of Table 5 at both rates: exact budgets (7)", pairs)


@checks("numbers.table-5.nested")
def nested() -> Evidence:
    """Crossed with household size: smaller."""
    return _nested(finer_is_smaller=True)


@refutes("numbers.table-5.nested", "larger for smaller")
def nested_reversed() -> Evidence:
    """The mutant in the other direction."""
    return _nested(finer_is_smaller=False)


_COARSE, _FINE = TABLE_5[0][1], TABLE_5[-1][1]


def _coarse_against_fine(coarse_rate: str, fine_rate: str) -> Evidence:
    note = f"State at p = {coarse_rate} against Block group x household size at p = {fine_rate}"
    return _ordered("two entries of Table 5: exact budgets (7)", [(note, (_COARSE, coarse_rate), (_FINE, fine_rate))])


@checks("numbers.table-5.coarse-against-fine")
def coarse_against_fine() -> Evidence:
    """16.42 above 11.37."""
    return _coarse_against_fine("1/2", "1/20")


@refutes("numbers.table-5.coarse-against-fine", "p = 1/10^5 for 5%")
def coarse_against_fine_changed() -> Evidence:
    """The mutant with so few swaps that the fine scheme exceeds the coarse one."""
    return _coarse_against_fine("1/2", "1/100000")


def _ends(lowest: tuple[int, str], highest: tuple[int, str]) -> Evidence:
    entries = [(b, rate) for _, b, _ in TABLE_5 for rate in RATES]
    pairs = [(f"{entry} above {lowest}", entry, lowest) for entry in entries if entry != lowest]
    pairs += [(f"{highest} above {entry}", highest, entry) for entry in entries if entry != highest]
    return _ordered("all twelve entries of Table 5: exact budgets (7)", pairs)


@checks("numbers.table-5.ends")
def ends() -> Evidence:
    """High rate and fine strata low; low rate and coarse strata high."""
    return _ends((_FINE, "1/2"), (_COARSE, "1/20"))


@refutes("numbers.table-5.ends", "the rates exchanged")
def ends_exchanged() -> Evidence:
    """The mutant with exchanged rates."""
    return _ends((_FINE, "1/20"), (_COARSE, "1/2"))
