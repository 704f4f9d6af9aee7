"""Randomized response: each binary answer is flipped independently (Warner 1965)."""

from collections.abc import Sequence

from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Probability


def randomized_response(
    answers: Sequence[int], source: Source, *, flip_probability: Probability | int
) -> tuple[int, ...]:
    """Each answer in {0, 1}, flipped independently with probability p_RR.

    It satisfies ε = |ln(p/(1−p))| per record under the ordered Hamming distance, and the same ε at 1 − p.

    Source: article, section 3.6; dissertation, Example 5.2.3.
    """
    for answer in answers:
        if answer not in (0, 1):
            raise InputError(f"answers must be 0 or 1; got {answer!r}")
    return tuple([1 - answer if source.bernoulli(flip_probability) else answer for answer in answers])
