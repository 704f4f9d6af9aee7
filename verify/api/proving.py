"""A budget for every number of records, of a function of this process."""

import functools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.api.audits import audit_of
from stirred.verify.api.build import StatedClaim
from stirred.verify.api.result import budget_text
from stirred.verify.api.specification import Blocks
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits
from stirred.verify.prove.answer import ProveResult, answer
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.refuting import Ask, Pair, PairAnswer
from stirred.verify.prove.stated import stated


def prove(
    mechanism: Callable[..., Any],
    *,
    neighbors: str,
    epsilon: object = None,
    parameters: Mapping[str, Any] | None = None,
    generator: str | None = None,
    refute: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> ProveResult:
    """Whether a mechanism satisfies a budget in D_Mult for lists of every length, and all values of its parameters.

    The function is read in the text of its file; only a refutation runs it. Its noise is aligned: for each path the
    second run takes the same path to the same output with noise that is shifted, and the sum of |shift|/scale is at
    most the budget. Shifts, what variables are apart, and what loops may still spend are found by one linear program,
    and checked again without it.

    This process is the caller's own: names mean what the file's text says, whatever else has been done to the function,
    to its module, to NumPy or to this library here. `stirred prove` answers in a process that imports nothing of it.

    Args:
        mechanism: a function of a list of numbers, a generator and parameters.
        neighbors: "each by 1" (every answer may change, by at most 1), "one by 1" (one answer), "sum of changes 1",
            or "all up or all down" (each by at most 1, all in one direction; both directions are shown).
        epsilon: a polynomial of the parameters, such as "eps" or "2*N*eps"; None to be told the least.
        parameters: their ranges, "real", "positive" or "whole >= 1", or values. Those of which nothing is said are
            positive where a budget or the scale of noise has them, else any real number.
        generator: "numpy" or "source", where the annotation does not say it.
        refute: whether to look for a refutation where nothing is proved.
        limits: of each question to the exact engine.

    Returns:
        A result with `verdict`: DECIDED, in real numbers (in integers for discrete noise); REFUTED with a `witness`; or
        OPEN. `budget` is the least that alignment shows.

    Raises:
        InputError: an argument is malformed, or the function is not read: by line.

    >>> def noisy(answers, rng, *, eps):
    ...     return [one + rng.laplace(scale=2 / eps) for one in answers]
    >>> prove(noisy, neighbors="one by 1", epsilon="eps").budget
    '1/2*eps'
    """
    claim = stated(
        mechanism.__qualname__ if hasattr(mechanism, "__qualname__") else repr(mechanism),
        of_function(mechanism),
        neighbors,
        epsilon,
        parameters or {},
        generator=generator,
    )
    ask = asked_of(mechanism, claim.program.generator[1] or None, limits)
    return answer(claim, ask if refute else None, limits.seconds)


def proved(**claim: Any) -> Callable[[Callable[..., Callable[..., Any]]], Callable[..., None]]:
    """A test of pytest out of one that returns a mechanism: the claim about it has to be decided.

    Args:
        claim: neighbors, epsilon and the other arguments of `prove`.

    Raises:
        AssertionError: from the test, the report of a claim that is refuted or open.

    >>> def noisy(answers, rng, *, eps):
    ...     return [one + rng.laplace(scale=2 / eps) for one in answers]
    >>> @proved(neighbors="one by 1", epsilon="eps/4", refute=False)
    ... def test_noisy():
    ...     return noisy
    >>> test_noisy()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: OPEN  noisy
      claimed    epsilon = 1/4*eps, for lists of any length, one answer changing by at most 1...
    """

    def mark(test: Callable[..., Callable[..., Any]]) -> Callable[..., None]:
        @functools.wraps(test)
        def proves(*arguments: Any, **named: Any) -> None:
            __tracebackhide__ = True
            found = prove(test(*arguments, **named), **claim)
            if found.verdict is not Verdict.DECIDED:
                raise AssertionError(str(found))

        return proves

    return mark


def asked_of(mechanism: Callable[..., Any], generator: str | None, limits: Limits) -> Ask:
    """The exact engine, asked of a mechanism on pairs of data sets."""
    numerics = "real" if generator == "numpy" else None

    def ask(asked: Sequence[Pair], setting: Mapping[str, Any], claimed: str) -> PairAnswer:
        points = tuple(dict.fromkeys(point for pair in asked for point in pair))
        budget = claimed if claimed.startswith("ln") else Fraction(claimed)

        def distance(one: Any, other: Any) -> int | None:
            return 0 if one == other else 1 if (one, other) in asked or (other, one) in asked else None

        blocks = Blocks(data_sets=points, distance=distance, epsilon=budget, generator=generator, numerics=numerics)
        found = audit_of(mechanism, StatedClaim(blocks, setting, limits))
        return PairAnswer(found.verdict, budget_text(found.smallest), found.because, found.witness)

    return ask
