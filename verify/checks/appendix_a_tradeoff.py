"""Evidence for dissertation, section A.6 and Theorem 2.5.5: trade-off functions and Blackwell's theorem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product

from spec.law import Law
from spec.law import product as independent
from spec.output_premetrics import Curve, Tradeoff, hockey_stick, total_variation, tradeoff_curve
from verify.engines.algebra.blackwell import PostProcessing, post_processing
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

Pair = tuple[Law[int], Law[int]]


def _grid(outcomes: int, parts: int) -> tuple[Law[int], ...]:
    """All laws on so many outcomes with probabilities in multiples of 1/parts."""
    kept = (counts for counts in product(range(parts + 1), repeat=outcomes) if sum(counts) == parts)
    return tuple(Law({t: Fraction(k, parts) for t, k in enumerate(counts)}) for counts in kept)


def _squared(laws: Sequence[Law[int]]) -> list[Pair]:
    return [(p, q) for p in laws for q in laws]


def power_at(curve: Curve, alpha: Fraction) -> Fraction:
    """The power of a curve at a level; a curve may start above the origin."""
    return curve[0][1] if alpha == 0 else Tradeoff.at(curve, alpha)


@cache
def _pairs() -> tuple[Pair, ...]:
    """All pairs of coins in quarters, and of laws on three outcomes in halves."""
    return (*_squared(_grid(2, 4)), *_squared(_grid(3, 2)))


_PAIRS = "all pairs of laws on two outcomes in quarters and on three in halves"


def _dual(p: Law[int], q: Law[int], alpha: Fraction) -> Fraction:
    """Min over γ of γα + E_γ(Q‖P): the power of the best test, by duality and without ordering any outcome."""
    ratios = {Fraction(0), *(q.numeric(t) / p.numeric(t) for t in p)}
    return min(gamma * alpha + hockey_stick(q, p, gamma) for gamma in ratios)


def _properties(curve_of: Callable[[Law[int], Law[int]], Curve]) -> Evidence:
    """Whether Tr is the supremum of the power, continuous, concave, non-decreasing and at least α."""
    scope = f"{_PAIRS}; all alpha in eighths and at the vertices"
    for p, q in _pairs():
        curve = curve_of(p, q)
        levels = sorted({Fraction(k, 8) for k in range(9)} | {alpha for alpha, _ in curve})
        powers = [power_at(curve, alpha) for alpha in levels]
        note = f"P = {dict(p)}, Q = {dict(q)}"
        for alpha, power in zip(levels, powers, strict=True):
            if (best := _dual(p, q, alpha)) != power:
                witness = formula_witness("power == best", power=power, best=best, alpha=alpha, note=note)
                return Evidence(Verdict.REFUTED, scope, f"{note}, alpha = {alpha}", witness)
            if power < alpha:
                return Evidence(
                    Verdict.REFUTED, scope, note, formula_witness("power >= alpha", power=power, alpha=alpha)
                )
        slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(zip(levels, powers, strict=True))]
        for first, second in pairwise([*slopes, Fraction(0)]):
            if first < second:
                witness = formula_witness("first >= second", first=first, second=second, note=f"{note}: slopes")
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("tradeoff.properties")
def properties() -> Evidence:
    """Definition A.6.1: the exact curve against the dual, then its shape (linear between vertices: continuous)."""
    return _properties(tradeoff_curve)


@refutes("tradeoff.properties", "deterministic tests only")
def properties_deterministic() -> Evidence:
    """The mutant whose power is constant up to the next vertex."""

    def steps(p: Law[int], q: Law[int]) -> Curve:
        curve = tradeoff_curve(p, q)
        middle = [(alpha, power) for alpha, power in curve if alpha < 1]
        shifted = [((a + b) / 2, f) for (a, f), (b, _) in pairwise([*middle, curve[-1]])]
        return tuple(sorted({*curve, *shifted}))

    return _properties(steps)


def _shapes(steps: int) -> list[tuple[Fraction, ...]]:
    """The values at 0, 1/steps, …, 1 of all concave non-decreasing functions to {0, 1/6, …, 1} that are at least α."""
    values = [Fraction(k, 6) for k in range(7)]
    found = []
    for chosen in combinations_with_replacement(values, steps + 1):
        rises = [g - f for f, g in pairwise(chosen)]
        if all(a >= b for a, b in pairwise(rises)) and all(f >= Fraction(k, steps) for k, f in enumerate(chosen)):
            found.append(chosen)
    return found


def _realised(place_free: Callable[[list[Fraction], Fraction], Mapping[int, Fraction]]) -> Evidence:
    """Whether each shape is the trade-off function of P uniform on the steps and Q rising as the shape does.

    The mass f(0) of Q, which is detected at level 0, goes where `place_free` puts it.
    """
    scope = "all such functions that are linear between 0, 1/3, 2/3 and 1, with values there in sixths"
    shapes = _shapes(3)
    for shape in shapes:
        rises = [g - f for f, g in pairwise(shape)]
        q = Law(place_free(rises, shape[0]))
        p = Law(dict.fromkeys(range(3), Fraction(1, 3)))
        curve = tradeoff_curve(p, q)
        for k, value in enumerate(shape):
            power = power_at(curve, Fraction(k, 3))
            if power != value:
                note = f"f at 0, 1/3, 2/3, 1 = {', '.join(map(str, shape))}"
                witness = formula_witness("power == value", power=power, value=value, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(shapes)} functions")


@checks("tradeoff.all-functions")
def all_functions() -> Evidence:
    """Q puts f(0) where P is 0."""
    return _realised(lambda rises, free: {**dict(enumerate(rises)), 3: free})


@refutes("tradeoff.all-functions", "laws of equal supports only")
def all_functions_supported() -> Evidence:
    """The mutant in which Q has no outcome of its own: the rest of its mass goes to the first outcome."""
    return _realised(lambda rises, free: dict(enumerate((rises[0] + free, *rises[1:]))))


def _dominates(first: Curve, second: Curve) -> bool:
    levels = {alpha for alpha, _ in (*first, *second)}
    return all(power_at(first, alpha) >= power_at(second, alpha) for alpha in levels)


def _agree(first: Curve, second: Curve) -> bool:
    return _dominates(first, second) and _dominates(second, first)


@cache
def _kernels() -> Mapping[tuple[Pair, Pair], bool]:
    """Whether a kernel takes one pair of laws to another, by linear programming; each kernel is re-checked."""
    coins = _squared(_grid(2, 3))
    triples = _squared(_grid(3, 2))[::3]
    cases = (*product(coins, coins), *product(triples, coins), *product(coins[::2], triples))
    return {(one, other): isinstance(post_processing(*one, *other), PostProcessing) for one, other in cases}


@cache
def _functions() -> Mapping[tuple[Pair, Pair], bool]:
    """Whether a function of the outcome takes one pair of laws to another."""
    maps = list(product(range(3), repeat=3))
    images = {
        (p, q): {(p.push(f.__getitem__), q.push(f.__getitem__)) for f in maps}
        for p, q in dict.fromkeys(one for one, _ in _kernels())
    }
    return {(one, other): other in images[one] for one, other in _kernels()}


_KERNELS = (
    "pairs of laws on two outcomes in thirds (all) and on three in halves (every third); kernels by exact programs"
)


def _blackwell(condition: Callable[[Pair, Pair], bool]) -> Evidence:
    """Whether a kernel exists exactly where a condition holds."""
    for (one, other), exists in _kernels().items():
        if condition(one, other) != exists:
            note = f"(P, Q) = {tuple(map(dict, one))}, (P', Q') = {tuple(map(dict, other))}"
            witness = formula_witness("kernel == held", kernel=int(exists), held=1 - int(exists), note=note)
            return Evidence(Verdict.REFUTED, _KERNELS, note, witness)
    return Evidence(
        Verdict.EXHAUSTED, _KERNELS, f"{len(_kernels())} pairs of pairs, {sum(_kernels().values())} kernels"
    )


@checks("tradeoff.blackwell")
def blackwell_anywhere() -> Evidence:
    """Theorem A.6.2 as printed: on spaces that are not standard there may be no kernel."""
    scope = "for laws on finite sets see the repaired claim"
    reason = (
        "on all measurable spaces: F' may be generated by the Borel sets of [0, 1] and a set of inner measure 0 and "
        "outer measure 1, and no finite witness shows what fails then"
    )
    return Evidence(Verdict.OPEN, scope, reason)


@checks("tradeoff.blackwell.finite")
def blackwell() -> Evidence:
    """Theorem A.6.2 for laws on finite sets."""
    return _blackwell(lambda one, other: _dominates(tradeoff_curve(*one), tradeoff_curve(*other)))


@refutes("tradeoff.blackwell.finite", "the larger total variation for the larger trade-off function")
def blackwell_by_variation() -> Evidence:
    """The mutant that compares one number."""
    return _blackwell(lambda one, other: total_variation(*one) >= total_variation(*other))


@cache
def _curves() -> tuple[tuple[Curve, Pair], ...]:
    """The different trade-off functions of coins in thirds, with a pair for each."""
    found: dict[Curve, Pair] = {}
    for pair in _squared(_grid(2, 3)):
        levels = [Fraction(k, 6) for k in range(7)]
        curve = tradeoff_curve(*pair)
        found.setdefault(tuple((alpha, power_at(curve, alpha)) for alpha in levels), pair)
    return tuple(found.items())


def _functionals(condition: Callable[[Sequence[int], Sequence[tuple[int, int]]], bool]) -> Evidence:
    """Whether λ₂∘Tr is a premetric, invariant to noise and immune to all kernels, iff λ has a property."""
    curves = _curves()
    size = len(curves)
    domination = [
        (i, j) for i, j in product(range(size), repeat=2) if i != j and _dominates(curves[i][0], curves[j][0])
    ]
    kernels = [(i, j) for i, j in product(range(size), repeat=2) if i != j and _kernels()[curves[i][1], curves[j][1]]]
    diagonal = next(i for i, (_, (p, q)) in enumerate(curves) if p == q)
    scope = (
        f"the {size} trade-off functions of coins in thirds, all lambda to {{0, 1}}, all kernels between them; noise "
        "of all coins in thirds"
    )
    noise_free = all(
        _agree(tradeoff_curve(independent(p, noise), independent(q, noise)), tradeoff_curve(p, q))
        for _, (p, q) in curves
        for noise in _grid(2, 3)
    )
    for values in product(range(2), repeat=size):
        shifted = [value - values[diagonal] for value in values]
        is_premetric = min(shifted) >= 0
        immune = is_premetric and noise_free and all(shifted[i] >= shifted[j] for i, j in kernels)
        if immune != condition(values, domination):
            note = f"lambda = {values}: 1 where lambda_2 o Tr is such a premetric, 1 where the property holds"
            witness = formula_witness("immune == held", immune=int(immune), held=1 - int(immune), note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{2**size} functions lambda")


def _monotone(values: Sequence[int], domination: Sequence[tuple[int, int]]) -> bool:
    return all(values[i] >= values[j] for i, j in domination)


@checks("tradeoff.premetrics")
def premetrics() -> Evidence:
    """Proposition A.6.3; a function of Tr is invariant to extraneous noise because Tr is."""
    return _functionals(_monotone)


@refutes("tradeoff.premetrics", "lambda is least at the diagonal, for lambda is non-decreasing")
def premetrics_least() -> Evidence:
    """The mutant with the weaker property."""
    return _functionals(lambda values, _: values[0] == min(values))


Measured = Callable[[Law[int], Law[int]], Fraction]

_COUNTED = "outcomes times D_TV"

_MEASURES: Mapping[str, Measured] = {
    "D_TV": total_variation,
    "E_2": lambda p, q: hockey_stick(p, q, 2),
    _COUNTED: lambda p, q: len({*p, *q}) * total_variation(p, q),
    "2 - D_TV of different laws": lambda p, q: Fraction(0) if p == q else 2 - total_variation(p, q),
    "D_TV (1 - D_TV)": lambda p, q: total_variation(p, q) * (1 - total_variation(p, q)),
}


def _values(name: str, claimed: str, one: Pair, other: Pair) -> Evidence:
    """The refutation of a comparison between the distances of two pairs of laws."""
    measured = _MEASURES[name]
    scope = f"{', '.join(_MEASURES)}; {_KERNELS}"
    shown = [f"({dict(p)}, {dict(q)})" for p, q in (one, other)]
    detail = f"{name} is {measured(*one)} at {shown[0]} and {measured(*other)} at {shown[1]}"
    return Evidence(Verdict.REFUTED, scope, detail, _value_witness(name, claimed, one, other, detail))


def _value_witness(name: str, claimed: str, one: Pair, other: Pair, note: str) -> Witness:
    """Two distances as numbers; the number of outcomes times D_TV is written out, with P(E) and Q(E) for P > Q on E."""
    if name != _COUNTED:
        value, value_prime = (_MEASURES[name](*pair) for pair in (one, other))
        return formula_witness(f"value {claimed} value_prime", value=value, value_prime=value_prime, note=note)
    numbers: dict[str, Fraction | int] = {}
    for prime, (p, q) in (("", one), ("_prime", other)):
        event = [t for t in p if p.numeric(t) > q.numeric(t)]
        numbers[f"outcomes{prime}"] = len({*p, *q})
        numbers[f"p{prime}"] = sum(map(p.numeric, event), Fraction(0))
        numbers[f"q{prime}"] = sum(map(q.numeric, event), Fraction(0))
    formula = f"outcomes*(p - q) {claimed} outcomes_prime*(p_prime - q_prime)"
    return formula_witness(formula, note=note, **numbers)


Reached = Mapping[tuple[Pair, Pair], bool]


def _first_increase(measured: Measured, related: Callable[[Pair, Pair], bool]) -> tuple[Pair, Pair] | None:
    """The first two pairs of laws that a relation joins and of which the second has the larger distance."""
    cases = (case for case in _kernels() if related(*case))
    return next(((one, other) for one, other in cases if measured(*one) < measured(*other)), None)


def _iff_function(condition: Callable[[Pair, Pair], bool], reached: Reached) -> Evidence:
    """Whether not to grow from a pair to those reached from it is monotony along a relation, premetric by premetric."""
    for name, measured in _MEASURES.items():
        grows = _first_increase(measured, lambda one, other: reached[one, other])
        breaks = _first_increase(measured, condition)
        if (grows is None) != (breaks is None):
            return _values(name, ">=", *(grows or breaks or ()))
    return Evidence(Verdict.EXHAUSTED, f"{', '.join(_MEASURES)}; {_KERNELS}")


def _by_tradeoff(one: Pair, other: Pair) -> bool:
    return _dominates(tradeoff_curve(*one), tradeoff_curve(*other))


def _by_variation(one: Pair, other: Pair) -> bool:
    return total_variation(*one) >= total_variation(*other)


@checks("post-processing.iff-tradeoff.functions")
def iff_tradeoff_functions() -> Evidence:
    """Theorem 2.5.5 by functions: D = λ∘Tr, λ non-decreasing, is D ≥ D' where Tr ≥ Tr'."""
    return _iff_function(_by_tradeoff, _functions())


@checks("post-processing.iff-tradeoff")
def iff_tradeoff() -> Evidence:
    """Theorem 2.5.5 by randomised functions on all measurable spaces, where Blackwell's theorem may fail."""
    scope = "for laws on finite sets see the claim for these"
    reason = (
        "on all measurable spaces: where Tr(P, Q) >= Tr(P', Q') without a kernel, a premetric that no randomised "
        "function increases need not be a non-decreasing function of Tr, and no finite witness shows it"
    )
    return Evidence(Verdict.OPEN, scope, reason)


@checks("post-processing.iff-tradeoff.randomised")
def iff_tradeoff_randomised() -> Evidence:
    """Theorem 2.5.5 by kernels."""
    return _iff_function(_by_tradeoff, _kernels())


@refutes("post-processing.iff-tradeoff.randomised", "a non-decreasing function of D_TV for one of Tr")
def iff_variation() -> Evidence:
    """The mutant with one number for the whole curve."""
    return _iff_function(_by_variation, _kernels())


def _function_of(same: Callable[[Pair, Pair], bool], reached: Reached) -> Evidence:
    """Whether premetrics that do not grow to the pairs reached are equal where `same` says so."""
    for name, measured in _MEASURES.items():
        if _first_increase(measured, lambda one, other: reached[one, other]) is not None:
            continue
        for one, other in _kernels():
            if same(one, other) and measured(*one) != measured(*other):
                return _values(name, "==", one, other)
    return Evidence(Verdict.EXHAUSTED, f"{', '.join(_MEASURES)}; {_KERNELS}")


def _same_tradeoff(one: Pair, other: Pair) -> bool:
    return _agree(tradeoff_curve(*one), tradeoff_curve(*other))


@checks("post-processing.function-of-tradeoff")
def function_of_tradeoff() -> Evidence:
    """The sentence as printed, for functions."""
    return _function_of(_same_tradeoff, _functions())


@checks("post-processing.function-of-tradeoff.randomised")
def function_of_tradeoff_randomised() -> Evidence:
    """For kernels."""
    return _function_of(_same_tradeoff, _kernels())


@refutes("post-processing.function-of-tradeoff.randomised", "a function of D_TV for one of Tr")
def function_of_variation() -> Evidence:
    """The mutant with one number for the whole curve."""
    return _function_of(lambda one, other: total_variation(*one) == total_variation(*other), _kernels())
