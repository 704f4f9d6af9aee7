"""Equation (1) by brute force: all pairs of all universes, all events, exact. Standard library only, nothing of ours.

Slow and plain on purpose: what the auditor says of a claim is compared with this. For D_NoR, where no finite list of
orders is enough, K(t) = ln Σ P·(P/Q)^t is convex, so chords of K decide K(t) ≤ ρ²·t(1+t) on whole intervals of t.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

PRECISE = Context(prec=90, Emax=MAX_EMAX, Emin=MIN_EMIN)
SLACK = Decimal(10) ** -70  # K(t) is a sum of a few correctly rounded terms, so its error is far below this
CELLS = 3_000


@dataclass(frozen=True)
class Case:
    """Data sets are 0, 1, …; `distances` lists the finite ones of different data sets; outcomes are texts."""

    universes: tuple[tuple[int, ...], ...]
    distances: dict[tuple[int, int], Fraction]
    laws: tuple[dict[str, Fraction], ...]
    measure: str
    delta: Fraction = Fraction(0)

    def distance(self, x, y):
        return Fraction(0) if x == y else self.distances.get((x, y))

    def pairs(self):
        return {(x, y) for universe in self.universes for x in universe for y in universe if x != y}

    def compared(self):
        return {frozenset(pair) for pair in self.pairs() if pair in self.distances}


def events(p, q):
    """(P(E), Q(E)) for every event E; beyond 2^12 of them for those that decide."""
    if len({**p, **q}) > 12:
        return extreme_events(p, q)
    found = [(Fraction(0), Fraction(0))]
    for t in {**p, **q}:
        found += [(a + p.get(t, 0), b + q.get(t, 0)) for a, b in found]
    return found


def extreme_events(p, q):
    """Those with the largest, or the smallest, ratios P(t)/Q(t): of all with one P(E) none has a Q(E) beyond theirs."""
    shares = [(p.get(t, Fraction(0)), q.get(t, Fraction(0))) for t in {**p, **q} if p.get(t) or q.get(t)]
    shares.sort(key=lambda one: one[0] / (one[0] + one[1]))
    found = [(Fraction(0), Fraction(0))]
    for listed in (shares, shares[::-1]):
        a = b = Fraction(0)
        for first, second in listed:
            a, b = a + first, b + second
            found.append((a, b))
    return found


def holds(case, kind, value):
    """Whether D_Pr[P_x, P_x'] ≤ ε·d everywhere; `value` None is ∞. None where a D_NoR² agrees with its bound."""
    found = {_within(case, kind, value, x, y) for x, y in case.pairs()}
    return False if False in found else None if None in found else True


def _within(case, kind, value, x, y):
    d, p, q = case.distance(x, y), case.laws[x], case.laws[y]
    if d is None or value is None:  # 0·∞ = ∞ for both factors
        return True
    if kind == "rho_squared":
        both = {renyi_at_most(p, q, value * d * d), renyi_at_most(q, p, value * d * d)}
        return False if False in both else None if None in both else True
    if kind == "curve":
        return all(b <= power(value if d == 1 else ((0, 0), (1, 1)), a) for a, b in events(p, q))
    if case.measure == "total_variation":
        return all(abs(a - b) <= value * d for a, b in events(p, q))
    shifted = [(a - case.delta, b) for one in (events(p, q), events(q, p)) for a, b in one if a > case.delta]
    return not any(exceeds(a, b, kind, value, d) for a, b in shifted)


def exceeds(a, b, kind, value, d):
    """Whether a > e^(ε·d)·b, for a > 0 and ε = value or ln(value); e^ε is irrational for rational ε ≠ 0."""
    if b == 0 or a <= b or d == 0 or value == {"gamma": 1, "epsilon": 0}[kind]:
        return a > b
    if kind == "gamma":
        return a**d.denominator > value**d.numerator * b**d.denominator
    digits, gap = 30, None
    while gap is None or abs(gap) < Decimal(10) ** (8 - digits):
        digits *= 2
        at = Context(prec=digits)
        gap = at.subtract(*(at.ln(Decimal(n)) for n in (a / b).as_integer_ratio()))
        gap = at.subtract(gap, at.divide(*map(Decimal, (value * d).as_integer_ratio())))
    return gap > 0


def power(curve, level):
    """The value of a concave curve at a level: no randomised test of these levels passes it if no event does."""
    (a, f), (b, g) = next(one for one in pairwise(curve) if one[0][0] <= level <= one[1][0])
    return f + (g - f) * (level - a) / Fraction(b - a)


def hull(vertices):
    """The least concave curve above all (level, power): of events, the largest power of a test at each level."""
    kept = []
    for a, b in sorted(dict(sorted(vertices)).items()):
        while len(kept) > 1 and (kept[-1][1] - kept[-2][1]) * (a - kept[-1][0]) <= (b - kept[-1][1]) * (
            kept[-1][0] - kept[-2][0]
        ):
            kept.pop()
        kept.append((a, b))
    return tuple(kept)


class Cumulant:
    """K(t) = ln Σ P·(P/Q)^t, with K'(0) = KL(P‖Q) and the largest ln P/Q; P absolutely continuous with respect to Q."""

    def __init__(self, p, q):
        self.atoms = [(_decimal(p[t]), _decimal(p[t] / q[t]).ln()) for t in p if p[t]]
        self.kl = sum(m * loss for m, loss in self.atoms)
        self.largest = max(loss for _, loss in self.atoms)

    def __call__(self, t):
        return sum(m * (t * loss).exp() for m, loss in self.atoms).ln()


def _decimal(number):
    return Decimal(number.numerator) / number.denominator


def renyi_at_most(p, q, bound):
    """Whether D_α(P‖Q)/α ≤ bound for all α = 1 + t > 1; None where `CELLS` intervals do not decide it."""
    if any(p[t] and not q.get(t) for t in p):
        return False
    with localcontext(PRECISE):
        k, top = Cumulant(p, q), _decimal(bound)
        if p == q or k.kl > top + SLACK:
            return p == q
        cells = [(Decimal(0), k.largest / top)]  # beyond it K(t) ≤ t·max ln P/Q ≤ top·t(1+t)
        for _ in range(CELLS):
            if not cells:
                return True
            a, b = cells.pop()
            slope = (k(b) - (k(a) if a else 0)) / (b - a)
            least = min(max((slope - top) / (2 * top), a), b)  # where top·t(1+t) is least above the chord
            if slope <= top - SLACK if a == 0 else top * least * (1 + least) >= k(a) + slope * (least - a) + SLACK:
                continue
            middle = (a + b) / 2
            if b - a < SLACK:
                return None
            if k(middle) > top * middle * (1 + middle) + SLACK:
                return False
            cells += [(middle, b), (a, middle)]
    return None
