"""What code for NumPy and `random` calls on the way: `numpy.random.default_rng(rng)`, and functions of `math`.

`default_rng` gives the generator back that a mechanism was given, and refuses all else as before. Functions of `math`
demand a float that is drawn; in their places are those that follow one that is not.
"""

import importlib
import math
from typing import Any

from stirred.mechanisms.generators.math_steps import FollowedFunction, followed_math
from stirred.verify.outside.references import replace_names


def pass_generators(*, is_numpy: bool) -> None:
    """Have look-alikes and what they draw let through in this process, from now on.

    Args:
        is_numpy: whether the generator is NumPy's.
    """
    pairs: list[tuple[Any, Any]] = []
    if not isinstance(math.log, FollowedFunction):
        pairs += followed_math()
    if is_numpy:
        from stirred.mechanisms.generators.numpy_generator import passing  # noqa: PLC0415 NumPy, for its users alone

        asked = importlib.import_module("numpy.random").default_rng
        if asked.__module__ != passing.__module__:
            pairs.append((asked, passing(asked)))
    replace_names(pairs)
