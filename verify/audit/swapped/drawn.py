"""Whether the PSA can have drawn a released file at the claimed rate: by the number of records that moved."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from stirred.verify.audit.question import Answer
from stirred.verify.audit.swapped.found import TiedSwap
from stirred.verify.audit.swapped.manifest_words import contradicted
from stirred.verify.engines.swapping.moved_number import LEVEL, MovedNumber
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict

_SHOWN = 5
"""Values that are named."""

_LEAST = 30
"""Probabilities are printed down to 10^-30."""


def drawn(tied: TiedSwap) -> Iterator[Answer]:
    """Did the PSA draw the file at the claimed rate? No file can show it; the number that moved can refute it."""
    found, run = tied.found, tied.run
    if found.swapped is None or not found.fits:
        return
    cases = () if tied.built is None else tied.built.cases
    rates = [run.rate] if run is not None else [case.setting["swap_rate"] for case in cases]
    at = f"p = {' or '.join(map(str, rates))}"
    laws = [] if found.scan is None else [MovedNumber(found.scan.compositions(0), rate) for rate in rates]
    moved = _moved(tied)
    if moved and (refuted := _refuted(tied, laws, moved, f"a swap at {at}")) is not None:
        yield Answer("drawn", refuted)
        return
    detail = f"assumed: drawn by the PSA at {at}, which no file can show"
    if run is None:
        detail += f"; {found.name} has no manifest to tie it to a run"
    if moved:
        detail += f"; {moved}" + (f", and {_expected('such a swap', laws[0])}" if found.moved is not None else "")
    yield Answer("drawn", Evidence(Verdict.OPEN, tied.scope, detail))


def _refuted(tied: TiedSwap, laws: Sequence[MovedNumber], said: str, swap: str) -> Evidence | None:
    """REFUTED where what moved, or the strata that did not, have a probability below the level at every rate."""
    found, moved = tied.found, tied.found.moved
    if moved is not None:
        bound = max(law.tail(moved) for law in laws)
        few = "few" if moved < laws[0].range[1] else "many"
        detail = f"{said}; {_expected(swap, laws[0])}; the probability of so {few} is"
    else:
        least = found.least_moved or 0
        bound = max(law.tail(least, at_least=True) for law in laws)
        detail = f"{said}; {swap} moves that many with probability"
        if bound > LEVEL / 2 and found.scan is not None:
            halves = list(found.scan.halves())
            bound = max(law.unchanged_tail(halves) for law in laws)
            kept = f"{sum(same for _, same in halves)} of {len(halves)} strata that a swap can change have all counts"
            detail = f"{kept} as before; {swap} keeps that many with probability"
    if bound > LEVEL / 2:
        return None
    places = min(((bound.denominator // max(bound.numerator, 1)).bit_length() - 1) * 30102 // 100_000, _LEAST)
    scope = f"sampled, at level 10^-9 for the whole file, both sides and all strata together; {tied.scope}"
    said = f"SAMPLED: {detail} at most 10^-{places}"
    least, greatest = laws[0].range
    if moved is not None and moved < least:
        return contradicted("moved >= least", said, scope, moved=moved, least=least)
    if moved is not None and moved > greatest:
        return contradicted("moved <= greatest", said, scope, moved=moved, greatest=greatest)
    numbers = {"level": LEVEL / 2, "probability": Fraction(1, 10**places)}
    return contradicted("level <= probability", said, scope, **numbers)


def _expected(swap: str, law: MovedNumber) -> str:
    low, high = law.range
    return f"{swap} moves {low} to {high} with probability at least 1 - 10^-9"


def _moved(tied: TiedSwap) -> str:
    found, pairs = tied.found, tied.found.pairs
    of, least = f"of {counted(found.records, 'record')} have another {tied.swapping} than before", found.least_moved
    if found.moved is not None and pairs is not None:
        named = ", ".join(f"{count} from {value}" for value, count in pairs.left.most_common(_SHOWN))
        more = f" and {len(pairs.left) - _SHOWN} other values" if len(pairs.left) > _SHOWN else ""
        which = f": {named}{more}" if pairs.moved else ", so that the file is the input itself"
        return f"{pairs.moved} {of}{which}"
    return "" if least is None else f"by the counts at least {least} {of}"
