"""Discrete Gaussian noise for integer queries: the exact rational sampler of Canonne, Kamath and Steinke as a program.

No float takes part: every choice is a Bernoulli or uniform choice with rational probabilities. Each part is an attempt
of its own, so that an interpreter that follows choices can merge the paths to one outcome.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import floor, isqrt

from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError
from stirred.spec.laws.discrete_gaussian import gaussian_scale

_HALF = Fraction(1, 2)


def bernoulli_exp(source: Source, gamma: Fraction) -> bool:
    """True with probability e^−γ, for rational γ ≥ 0.

    For γ ≤ 1 the number K of the first failure among choices with probabilities γ/1, γ/2, … is odd with probability
    e^−γ; a larger γ is split into units.

    Source: Canonne, Kamath and Steinke (2020), Algorithm 1.
    """
    units, rest = divmod(gamma.numerator, gamma.denominator)
    for _ in range(units):
        if not source.attempt(_UNIT):
            return False
    return rest == 0 or source.attempt(partial(_first_failure_is_odd, gamma=Fraction(rest, gamma.denominator)))


def _first_failure_is_odd(source: Source, gamma: Fraction) -> bool:
    count = 1
    while source.bernoulli(Fraction(gamma.numerator, gamma.denominator * count)):
        count += 1
    return count % 2 == 1


_UNIT = partial(_first_failure_is_odd, gamma=Fraction(1))


def discrete_laplace(source: Source, scale: int | Fraction) -> int:
    """An int with probability proportional to e^(−|y|·s/t), for a rational scale t/s > 0.

    Source: Canonne, Kamath and Steinke (2020), Algorithm 2.
    """
    return source.attempt(partial(_laplace_attempt, scale=scale.numerator, parts=scale.denominator))


def _laplace_attempt(source: Source, scale: int, parts: int) -> int:
    remainder = source.uniform(scale)
    if not bernoulli_exp(source, Fraction(remainder, scale)):
        source.restart()
    magnitude = remainder
    while bernoulli_exp(source, Fraction(1)):
        magnitude += scale
    magnitude //= parts
    negative = source.bernoulli(_HALF)
    if negative and magnitude == 0:
        source.restart()
    return -magnitude if negative else magnitude


def _gaussian_attempt(source: Source, variance: Fraction) -> int:
    scale = isqrt(floor(variance)) + 1
    candidate = discrete_laplace(source, scale)
    if not bernoulli_exp(source, _rejection_exponent(abs(candidate), scale, variance)):
        source.restart()
    return candidate


@lru_cache(maxsize=4096)
def _rejection_exponent(magnitude: int, scale: int, variance: Fraction) -> Fraction:
    return (magnitude - variance / scale) ** 2 / (2 * variance)


def discrete_gaussian(sigma_squared: Exact) -> Callable[[int, Source], int]:
    """The program that adds N_ℤ(0, σ²) noise to an integer query: P(T(x) = t) ∝ e^(−(t−x)²/(2σ²)).

    It satisfies ρ²-zCDP with ρ² = m²/(2σ²) where the query changes by at most m (`spec.laws.discrete_gaussian`).

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.

    Returns:
        A mechanism `program(data, source)`; it refuses data that are no int, since a shift by a half has infinite loss.

    Source: Canonne, Kamath and Steinke (2020), Algorithm 3; article, Algorithm 2, lines 3 and 4.

    >>> from stirred.mechanisms.interpreters.sampling import sample
    >>> isinstance(sample(discrete_gaussian(4), 10, seed=1), int)
    True
    """
    variance = gaussian_scale(sigma_squared)

    def program(data: int, source: Source) -> int:
        _check_query(data)
        return data + source.attempt(partial(_gaussian_attempt, variance=variance))

    return program


def _check_query(data: object) -> None:
    if isinstance(data, bool) or not isinstance(data, int):
        raise InputError(f"data must be an int: a shift by anything else has infinite loss; got {data!r}")


def diagonal_discrete_gaussian(scales: Sequence[Exact]) -> Callable[[Sequence[int], Source], tuple[int, ...]]:
    """The program that adds independent N_ℤ(0, σ_i²) noise to the entries of a vector of integer queries.

    Args:
        scales: the σ_i², exact; the diagonal of Σ in the article's N_ℤ(0, Σ).

    Returns:
        A mechanism `program(data, source)`; it refuses data of another length, and entries that are no int.

    Source: article, Algorithm 2, lines 3 and 4.
    """
    programs = [discrete_gaussian(scale) for scale in scales]

    def program(data: Sequence[int], source: Source) -> tuple[int, ...]:
        if len(data) != len(programs):
            raise InputError(f"data must have one entry for each of the {len(programs)} scales; got {len(data)}")
        for entry in data:
            _check_query(entry)
        return tuple(one(entry, source) for one, entry in zip(programs, data, strict=True))

    return program
