"""Evidence for dissertation, section A.4: the paths of d_r* follow the direction of the relation r."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from spec.input_premetric import InputPremetric, sharpen
from spec.law import Law
from verify.checks.appendix_a_sharpening import Sharpened, either_way, relations
from verify.engines.algebra.small_domains import LAWS, domain_of
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _inverse_ratio(p: Law[int], q: Law[int]) -> Fraction:
    """Min over t of Q(t)/P(t), which is e^-D for the one-sided max-divergence D(P||Q); 0 where it is oo."""
    return min(q.numeric(t) / p.numeric(t) for t in p)


_APART = {(i, j): _inverse_ratio(p, q) for (i, p), (j, q) in product(enumerate(LAWS), repeat=2)}


def _broken(d: InputPremetric, mechanism: tuple[int, ...]) -> tuple[int, int] | None:
    """Two data sets between which D(P_x||P_x') > d(x, x') ln 2."""
    for x, y in permutations(range(len(mechanism)), 2):
        distance = d(x, y)
        if distance is not None and _APART[mechanism[x], mechanism[y]] * 2 ** int(distance) < 1:
            return x, y
    return None


def _directed(distances: Sharpened) -> Evidence:
    """Whether M(d_r) = M(d_r*) on {X} for an asymmetric D_Pr with the triangle inequality, for all relations."""
    scope = (
        f"all relations on three data sets, {{X}}; max-divergence D(P||Q), eps = ln 2; mechanisms of {len(LAWS)} laws"
    )
    domain = domain_of(3)
    for d in relations(3, symmetric=False):
        star = distances(d, domain)
        for mechanism in product(range(len(LAWS)), repeat=3):
            plain, longer = _broken(d, mechanism), _broken(star, mechanism)
            if (plain is None) != (longer is None):
                x, y = plain or longer or (0, 0)
                length = int((star if plain is None else d)(x, y) or 0)
                related = [pair for pair in permutations(domain, 2) if d(*pair) is not None]
                note = (
                    f"r = {related}, P_u = {[dict(LAWS[i]) for i in mechanism]}: e^-D(P_x||P_x') at x = {x}, x' = {y}"
                )
                apart = _APART[mechanism[x], mechanism[y]]
                witness = formula_witness("apart * 2**length >= 1", apart=apart, length=length, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("sharpening.triangle", "group-privacy.triangle")
def directed() -> Evidence:
    """Along the direction of r."""
    return _directed(sharpen)


@refutes("sharpening.triangle", "paths along the edges either way")
@refutes("group-privacy.triangle", "steps from x' to x with x r x' too")
def undirected() -> Evidence:
    """The mutant whose paths may run against r."""
    return _directed(lambda d, domain: sharpen(either_way(d, domain), domain))
