"""What a process of foreign code is asked, and what it answers: JSON with exact texts, checked by whoever reads it.

An answer (`laws.sandbox.answers`) holds no verdict and no object: just whether it was refused, canonical texts of
values, and choice trees with their weights as fractions.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.mechanisms.source import Weight, check_weights
from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import EnclosedShare, enclosed_share
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.numbers.open_parameter import LARGEST_EXPONENT, OpenParameter
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient, common_step
from stirred.verify.laws.sandbox.answers import AnswerError

TREE, RUNS = "tree", "runs"
"""The two ways to list what a program does: `interpreters.choice_tree` and `interpreters.choice_runs`."""

DOUBLES = "doubles"
"""What a process says where a double decided a draw."""

REAL, DOUBLE = NUMERICS = "real", "double"
"""The numbers that a claim about code may say that it speaks of."""

NODES_PER_CHOICE = 20
"""Nodes that a listing may have for each choice of the budget: runs inline what a tree follows once."""

_WEIGHT = re.compile(r"[0-9]{1,50000}(/[0-9]{1,50000})?")

_NO_WEIGHT = "its process sent a weight that is not a fraction"
_NO_CUT = "its process sent a value that is not a rational number in the interval of the open parameter"

_COEFFICIENTS = r"\((-?[0-9]{1,50000}(?: -?[0-9]{1,50000}){0,5000})\)"
_OPEN_WEIGHT = re.compile(f"{_COEFFICIENTS}/{_COEFFICIENTS}")


_TERMS = r"\(((?:-?[0-9]{1,99}(?:/[0-9]{1,99})?:-?[0-9]{1,5000}(?:/[0-9]{1,5000})? ?){0,500})\)"
_POWERS_OF_E = re.compile(f"e{_TERMS}/{_TERMS}")

_RATE = re.compile(r"(?<=geometric\()exp\(-([0-9]{1,99}(?:/[1-9][0-9]{0,99})?)\)(?=\))")
"""The ratio of a geometric tail that is a power of e: `3 + discrete_geometric(exp(-1/2))`."""

_HIGHEST = 5_000
"""The highest power of the one symbol."""

_RATE_DIGITS = 120


class CutsError(InputError):
    """Code that behaves at some values of an open parameter, its points, unlike at neighbouring ones."""

    def __init__(self, points: Sequence[Fraction]) -> None:
        self.points = tuple(points)
        super().__init__(f"the mechanism behaves differently at the values {', '.join(map(str, points))}")


def encoded(value: Any) -> Any:
    """A data set or a parameter as JSON."""
    if isinstance(value, (tuple, list)):
        return [encoded(part) for part in value]
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, OpenParameter):
        ends = [str(value.low), str(value.high)]
        return {"open": [*ends, value.is_closed, None if value.exponent is None else str(value.exponent)]}
    if isinstance(value, Mapping):
        return {"table": {key: encoded(part) for key, part in value.items()}}
    return value


def decoded(value: Any) -> Any:
    """What `encoded` encoded, with tuples for arrays."""
    if isinstance(value, list):
        return tuple(map(decoded, value))
    if isinstance(value, dict):
        if "fraction" in value:
            return Fraction(value["fraction"])
        if "open" in value:
            low, high, is_closed, exponent = value["open"]
            return OpenParameter(
                Fraction(low), Fraction(high), is_closed, None if exponent is None else Fraction(exponent)
            )
        return {key: decoded(part) for key, part in value["table"].items()}
    return value


def check_uncut(answer: Mapping[str, Any], opened: OpenParameter | None) -> None:
    """Refuse an answer that says where code tells values of the open parameter apart."""
    if "cuts" not in answer:
        return
    texts = read_texts(answer["cuts"])
    if opened is None or not texts or not all(map(_WEIGHT.fullmatch, texts)):
        raise AnswerError(_NO_CUT)
    points = sorted(set(map(Fraction, texts)))
    if not all(opened.low < point < opened.high or point in opened.ends for point in points):
        raise AnswerError(_NO_CUT)
    raise CutsError(points)


def read_texts(values: Any) -> tuple[str, ...]:
    """Canonical texts."""
    if not isinstance(values, list) or not all(isinstance(text, str) and text.isprintable() for text in values):
        raise AnswerError("its process sent a value that is not a text")
    return tuple(values)


def weight_text(weight: Weight) -> str:
    """A weight as a text: a fraction, two polynomials in an open parameter, a Gaussian's share, or an enclosure.

    >>> p = RationalFunction([0, 1])
    >>> weight_text(Fraction(1, 3)), weight_text((1 - p) / 2), weight_text(1 - p**0)
    ('1/3', '(1 -1)/(2)', '0')
    """
    if isinstance(weight, (GaussianShare, EnclosedShare)):
        return weight.text()
    if isinstance(weight, ExponentialQuotient):
        return f"e{_terms_text(weight.above)}/{_terms_text(weight.below)}"
    if not isinstance(weight, RationalFunction):
        return str(Fraction(int(weight.numerator), int(weight.denominator)))
    if weight.value is not None:
        return str(weight.value)
    above, below = weight.integer_parts()
    return f"({' '.join(map(str, above))})/({' '.join(map(str, below))})"


def _terms_text(terms: Mapping[Fraction, Fraction]) -> str:
    return f"({' '.join(f'{r}:{c}' for r, c in terms.items())})"


def _exponentials(text: str) -> ExponentialQuotient | None:
    found = _POWERS_OF_E.fullmatch(text)
    if found is None:
        return None
    above, below = (
        {Fraction(r): Fraction(c) for r, c in (one.split(":") for one in part.split())} for part in found.groups()
    )
    if not any(below.values()):
        raise AnswerError("its process sent a weight that is no fraction")
    return ExponentialQuotient(above, below)


def in_one_symbol(
    answers: Sequence[Mapping[str, Any]],
) -> tuple[list[Mapping[str, Any]], OpenParameter | None]:
    """Answers whose weights and tails are made of powers of e, in one number e^-q; and that number.

    Where other weights are enclosed, or a degree would be above `_HIGHEST`, these are enclosed too, and there is none.

    Raises:
        AnswerError: such a weight has not the form of one.
    """
    texts = {text for one in answers for row in one.get("weights", ()) for text in row if isinstance(text, str)}
    known = {text: found for text in texts if text.startswith("e(") and (found := _exponentials(text)) is not None}
    outputs = {text for one in answers for text in one.get("outputs", ()) if isinstance(text, str)}
    rates = {Fraction(rate) for text in outputs for rate in _RATE.findall(text)}
    if not known and not rates:
        return list(answers), None
    exponents = {r for one in known.values() for part in (one.above, one.below) for r in part} | rates
    step = common_step(exponents)
    step /= -(-step // LARGEST_EXPONENT)
    is_enclosed = (max(exponents) - min(exponents)) / step > _HIGHEST or any(map(_is_enclosed, texts))
    written, tails = dict[str, str](), dict[Fraction, str]()
    for text, one in known.items():
        written[text] = _enclosure_text(one) if is_enclosed else weight_text(one.in_symbol(step))
    for rate in rates:
        power = [0] * int(rate / step) + [1]
        tails[rate] = str(_rational(rate)) if is_enclosed else f"({power}, [1])"

    def rewritten(one: Mapping[str, Any]) -> Mapping[str, Any]:
        weights = [[written.get(text, text) for text in row] for row in one["weights"]]
        named = [_RATE.sub(lambda found: tails[Fraction(found[1])], text) for text in one["outputs"]] if rates else None
        return {**one, "weights": weights, **({} if named is None else {"outputs": named})}

    parameter = None if is_enclosed else OpenParameter.exponential(step)
    return list(map(rewritten, answers)), parameter


def in_the_same_symbol(
    answers: Sequence[Mapping[str, Any]], parameter: OpenParameter | None, more: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Further answers, in the number in which `in_one_symbol` has put the first ones.

    Raises:
        AnswerError: they are made of other powers of e.
    """
    found, same = in_one_symbol([*answers, *more])
    if same != parameter:
        raise AnswerError("its processes sent weights that are made of different powers of e")
    return found[len(answers) :]


def _is_enclosed(text: str) -> bool:
    return text.startswith(("enclosed ", "gaussian "))


def _enclosure_text(one: ExponentialQuotient) -> str:
    share = enclosed_share(one)
    if share is None:
        raise AnswerError("its process sent a weight that is not between 0 and 1")
    return share.text()


def _rational(rate: Fraction) -> Fraction:
    """A rational that stands for e^−rate, as the laws that are enclosed are rational too."""
    return exponential(-rate, digits=_RATE_DIGITS).lower


def _weight(text: str) -> Weight:
    if _WEIGHT.fullmatch(text):
        return Fraction(text)
    if (share := GaussianShare.read(text) or EnclosedShare.read(text)) is not None:
        return share
    found = _OPEN_WEIGHT.fullmatch(text)
    if found is None:
        raise AnswerError(_NO_WEIGHT)
    above, below = ([int(part) for part in group.split()] for group in found.groups())
    if not any(below):
        raise AnswerError(_NO_WEIGHT)
    return RationalFunction(above, below)


def read_weights(rows: Any) -> tuple[tuple[Weight, ...], ...]:
    """The weights of choices; each row sums to 1, and only functions of an open parameter may be negative."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise AnswerError("its process sent weights that are not lists")
    return tuple(map(_row, rows))


def _row(texts: Sequence[Any]) -> tuple[Weight, ...]:
    if not all(isinstance(text, str) for text in texts):
        raise AnswerError(_NO_WEIGHT)
    known = {text: _weight(text) for text in set(texts)}
    row = tuple(known[text] for text in texts)
    check_weights(row)
    return row


def read_nodes(values: Any, most: int) -> tuple[int, ...]:
    """The nodes of a tree: at most `most` nonnegative integers."""
    if not isinstance(values, list) or not values or not all(type(node) is int and node >= 0 for node in values):
        raise AnswerError("its process sent a tree that is not a list of integers")
    if len(values) > most:
        raise AnswerError(f"its process sent a tree of more than {most} nodes")
    return tuple(values)
