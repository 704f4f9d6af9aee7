"""Random small claims at and around the boundary of their budgets, as the oracle's cases and as claim files."""

import random
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cmp_to_key

from quality.oracle import PRECISE, Case, Cumulant, events, hull

POINTS = ("0", "7", '"a"', "[]", "[0]", '[0, "a"]')
OUTPUTS = ('"a"', "1", "true", '"1"', '"true"', "[1]", "[true]", "0", "false", "[]")
OFFSETS = tuple(sign * Fraction(1, 10**k) for k in (1, 6, 30) for sign in (-1, 1))
MEASURES = ("multiplicative", "approximate_multiplicative", "total_variation", "tradeoff")


@dataclass(frozen=True)
class RandomClaim:
    """A claim with the oracle's case: data set i of the case is written as `points[i]`."""

    seed: int
    points: tuple[str, ...]
    case: Case
    kind: str
    value: object
    printed: str
    are_universes_listed: bool

    def text(self):
        case = self.case
        universes = [[self.points[i] for i in universe] for universe in case.universes]
        multiverse = f"universes = {_array(map(_array, universes))}" if self.are_universes_listed else "invariants = []"
        distances = [f'[{self.points[x]}, {self.points[y]}, "{d}"]' for (x, y), d in case.distances.items()]
        rows = [
            _array((point, _array(f'[{t}, "{m}"]' for t, m in law.items())))
            for point, law in zip(self.points, case.laws, strict=True)
        ]
        delta = f'delta = "{case.delta}"\n' if case.measure == "approximate_multiplicative" else ""
        return (
            f'[[claim]]\nid = "random.{self.seed}"\nstatement = "A random table."\n'
            f"[claim.domain]\ndata_sets = {_array(self.points)}\n[claim.multiverse]\n{multiverse}\n"
            f'[claim.input_premetric]\nname = "explicit"\nresolution = "record"\ndistances = {_array(distances)}\n'
            f'[claim.output_premetric]\nname = "{case.measure}"\n{delta}'
            f"[claim.budget]\n{self.kind} = {self.printed}\n"
            f'[claim.mechanism]\nname = "kernel"\nlaws = {_array(rows)}\n'
        )


def _array(parts):
    return f"[{', '.join(parts)}]"


def random_claim(seed, measure=None):
    """The claim of a seed: for D_NoR one in forty, unless the output premetric is given."""
    draw = random.Random(seed)  # noqa: S311 not for secrets
    measure = measure or ("normalized_renyi" if seed % 40 == 0 else MEASURES[seed % 4])
    size = draw.choice((2, 2, 3, 4)) if measure != "normalized_renyi" else draw.choice((2, 3))
    laws = _laws(draw, size)
    lengths = (1,) if measure == "tradeoff" else (1, 1, 2, Fraction(1, 2), Fraction(3, 2), 7)
    lengths += (0,) if draw.random() < 0.3 else ()  # a pair at distance 0 mostly needs an infinite budget
    distances = _distances(draw, size, [Fraction(d) for d in lengths])
    are_listed = draw.random() < 0.7
    subsets = [tuple(i for i in range(size) if mask >> i & 1) for mask in range(1 << size)]
    listed = dict.fromkeys(
        draw.choices(subsets, [1 + len(s) ** 3 for s in subsets], k=draw.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 3)))
    )
    universes = tuple(listed) if are_listed else (tuple(range(size)),)
    delta = _delta(draw, laws) if measure == "approximate_multiplicative" else Fraction(0)
    case = Case(universes, distances, laws, measure, delta)
    kind, value, printed = _budget(draw, case)
    return RandomClaim(seed, tuple(draw.sample(POINTS, size)), case, kind, value, printed, are_listed)


def _laws(draw, size):
    outputs = draw.sample(OUTPUTS, draw.randint(1, 4))
    weighty = draw.choice(((1, 1, 1, 2, 3, 5, 40, 10**6), (0, 0, 1, 1, 2, 3)))
    laws = []
    for _ in range(size):
        if laws and (chance := draw.random()) < 0.4:
            masses = list(draw.choice(laws).values())
            if chance > 0.2:  # else an equal law
                draw.shuffle(masses)
        else:
            weights = [draw.choice(weighty) for _ in outputs]
            weights[draw.randrange(len(outputs))] += 1
            masses = [Fraction(w, sum(weights)) for w in weights]
        laws.append(dict(zip(outputs, masses, strict=True)))
    return tuple(laws)


def _distances(draw, size, lengths):
    """Asymmetric more often than not; a pair that is not listed is at distance ∞."""
    listed = {(x, y): draw.choice(lengths) for x in range(size) for y in range(size) if x != y and draw.random() < 0.7}
    if draw.random() < 0.4:
        listed.update({(y, x): d for (x, y), d in listed.items()})
    return listed


def _delta(draw, laws):
    """Often the exact probability of an event, or the difference of two."""
    a, b = draw.choice(events(draw.choice(laws), draw.choice(laws)))
    return draw.choice([d for d in (Fraction(0), Fraction(1, 10), Fraction(1, 2), a, abs(a - b)) if d < 1])


def _budget(draw, case):
    """(kind, value, text in the file): around the smallest budget, seldom anything else."""
    if case.measure == "tradeoff":
        curve = _curve(draw, case)
        return "curve", curve, _array(f'["{a}", "{f}"]' for a, f in curve)
    offset = draw.choice((Fraction(0), *OFFSETS))
    least = least_budget(case)
    if case.measure == "total_variation":
        value = least if least is None else max(Fraction(0), least + offset)
        value = draw.choice((value, value, value, value, Fraction(1, 3), None))
        return "epsilon", value, '"infinite"' if value is None else f'"{value}"'
    if case.measure == "normalized_renyi":
        value = Fraction(10) if least is None else _rounded(least * (1 + offset))
        return "rho_squared", value, f'"{_decimal_text(value)}"'
    if least is None:
        return draw.choice((("epsilon", None, '"infinite"'), ("gamma", Fraction(10**9), '"1000000000"')))
    if draw.random() < 0.5:
        value = max(Fraction(1), _gamma(*least) * (1 + offset))
        return "gamma", value, f'"{value}"'
    value = max(Fraction(0), _rounded(_epsilon(*least) + offset))
    return "epsilon", value, f'"{_decimal_text(value)}"'


def needed(case, x, y):
    """The smallest budget that one pair at a finite distance needs; None for ∞. Losses: (r, d) for ln(r)/d."""
    d, p, q = case.distance(x, y), case.laws[x], case.laws[y]
    if d == 0 or case.measure == "total_variation":
        most = max(abs(a - b) for a, b in events(p, q))
        if case.measure == "total_variation":
            return Fraction(0) if not most else None if not d else most / d
        is_needed = max(abs(a - b) for a, b in events(p, q)) > case.delta
        return None if is_needed else (Fraction(1), Fraction(1)) if case.measure != "normalized_renyi" else Fraction(0)
    if case.measure == "normalized_renyi":
        found = max_or_infinite([renyi_supremum(p, q), renyi_supremum(q, p)])
        return None if found is None else found / d**2
    ratio = Fraction(1)
    for one in (events(p, q), events(q, p)):
        for a, b in one:
            if a > case.delta and not b:
                return None
            if b:
                ratio = max(ratio, (a - case.delta) / b)
    return ratio, d


def least_budget(case):
    """The smallest budget for all universes."""
    found = [needed(case, x, y) for x, y in case.pairs() if (x, y) in case.distances]
    is_loss = case.measure in MEASURES[:2]
    nothing = (Fraction(1), Fraction(1)) if is_loss else Fraction(0)
    return max_or_infinite([nothing, *found], key=cmp_to_key(_compared_losses) if is_loss else None)


def max_or_infinite(numbers, key=None):
    return None if None in numbers else max(numbers, key=key)


def _compared_losses(one, other):
    """−1, 0 or 1 as ln(r)/d is below, at or above ln(s)/e: r^e against s^d."""
    (r, d), (s, e) = one, other
    left, right = r ** (e.numerator * d.denominator), s ** (d.numerator * e.denominator)
    return (left > right) - (left < right)


def renyi_supremum(p, q):
    """sup D_α(P‖Q)/α to about 35 digits, by golden section from a grid; None for ∞. Not certified: the oracle is."""
    if any(p[t] and not q.get(t) for t in p):
        return None
    if p == q:
        return Fraction(0)
    with localcontext(PRECISE, prec=45):
        k = Cumulant(p, q)
        grid = [Decimal(2) ** n for n in range(-12, 12)]
        value = lambda t: k(t) / (t * (1 + t))
        best = max(range(len(grid)), key=lambda i: value(grid[i]))
        low, high = (grid[best - 1] if best else Decimal(0)), grid[min(best + 1, len(grid) - 1)]
        shrink = (Decimal(5).sqrt() - 1) / 2
        for _ in range(85):
            left, right = high - shrink * (high - low), low + shrink * (high - low)
            low, high = (left, high) if value(left) < value(right) else (low, right)
        return Fraction(max(k.kl, value((low + high) / 2)))


def _gamma(ratio, d):
    """ratio^(1/d), exact where it is rational, else to 60 digits."""
    power = ratio**d.denominator
    with localcontext(PRECISE):
        root = (_number(power).ln() / d.numerator).exp()
    near = Fraction(root).limit_denominator(10**20)
    return near if near**d.numerator == power else _rounded(Fraction(root))


def _epsilon(ratio, d):
    with localcontext(PRECISE):
        return Fraction(_number(ratio).ln() / _number(d))


def _number(fraction):
    return Decimal(fraction.numerator) / fraction.denominator


def _rounded(number):
    return Fraction(round(number * 10**45), 10**45)


def _decimal_text(number):
    digits = f"{int(number * 10**45):046d}"
    return f"{digits[:-45]}.{digits[-45:]}".rstrip("0").rstrip(".")


def _curve(draw, case):
    """The upper hull of every compared pair's tests, or one pair's; lowered towards the diagonal, or raised."""
    pairs = [pair for pair in case.pairs() if case.distances.get(pair) == 1] or [(0, 1)]
    kept = pairs if draw.random() < 0.5 else [draw.choice(pairs)]
    curve = hull([point for x, y in kept for point in events(case.laws[x], case.laws[y])])
    offset = draw.choice((Fraction(0), *OFFSETS))
    towards = (lambda a: a) if offset < 0 else (lambda a: 1)
    return tuple((a, (1 - abs(offset)) * f + abs(offset) * towards(a)) for a, f in curve)
