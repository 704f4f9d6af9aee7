"""What the scope of an audit says of the generator that a mechanism draws from."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from stirred.mechanisms.generators.kinds import NUMPY, PYTHON
from stirred.mechanisms.generators.undrawn import MONOTONE
from stirred.spec.arguments import InputError
from stirred.verify.laws.agreed_laws import ForeignLaws

_FLOATS = "whose random() is uniform on k/2^53, and what is computed of it follows {} and this machine's floats"
_KINDS = {
    NUMPY: "a numpy.random.Generator, " + _FLOATS.format("the code of NumPy"),
    PYTHON: "a random.Random, " + _FLOATS.format("the code of Python"),
}
_WORDS = {
    "floats": "floats are outputs by all their digits",
    "tested": "of a float with too many values a few are told apart, which can refute and never show",
    "raises": "what the code raises at a single draw is an output",
    "scalars": "scalars of NumPy and of Python with one value are one output",
    "rounded": "fractions are given as the nearest floats",
    MONOTONE: "log, exp, powers and their like are taken as monotone, which is tested beside each change alone",
}
_DOCUMENTED = ("binomial", "binomialvariate", "geometric", "hypergeometric", "multinomial")


def with_generator(where: str, found: ForeignLaws, answer: Mapping[str, Any]) -> ForeignLaws:
    """The laws, with what was drawn from in their scope.

    Args:
        where: the place, for messages.
        found: the laws.
        answer: the process's, whose "generator" names the kind of generator, and what is to be said of it.

    Raises:
        InputError: it names something else.
    """
    told = answer.get("generator", [])
    if not isinstance(told, list) or not all(isinstance(word, str) for word in told):
        raise InputError(f"{where}: its process wrote something else than its answer")
    if not told:
        return found
    kind, *words = told
    if kind not in _KINDS or set(words) - {*_WORDS, *_DOCUMENTED}:
        raise InputError(f"{where}: its process wrote something else than its answer")
    said = [_KINDS[kind], *(_WORDS[word] for word in words if word in _WORDS)]
    if documented := [word for word in words if word in _DOCUMENTED]:
        said.append(f"{', '.join(documented)} by the documented law, which its algorithm approximates")
    return replace(found, assumed="; ".join([*said, found.assumed]))
