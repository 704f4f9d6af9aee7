"""Outcomes with geometric tails, refined until laws are finite: every integer of all laws, then what lies beyond.

A real draw that is rounded gives outcomes without end: beyond some integer K they are K + G, P(G = j) = (1 − α)·α^j.
The laws of several data sets have tails that begin at several K, with integers of their own inside others' tails. Each
tail is split, P(K + j) = p·(1 − α)·α^j, up to one common end beyond every integer and every tail's beginning of all
laws. From there on, where all tails in one place have one α, the law given the tail is the same: the tail is one
outcome and nothing is lost, for every output premetric that is immune to post-processing. Two-sided noise is a mixture
of two tails. Several integers of one outcome are refined one by one. A tail of K + s·G has steps of s: K + s·(j + G)
begins at one of s integers beyond the common end, and is an outcome for each.

A number that is rounded to n decimals is `decimal(n, K + discrete_geometric(√α))`, in units of its last one, and may be
−0.0: of the step around 0 the half that is farther from where its tail begins has √α/(1 + √α). One that
may not is `whole(n, K + discrete_geometric(α))`.
"""

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law, Probability
from stirred.verify.engines.real_noise.parts import check_combinations
from stirred.verify.engines.released_noise import read_released

_RISING, _FALLING, _BOTH = "discrete_geometric", "discrete_reflected_geometric", "discrete_laplace"
_SLOT = re.compile("\0(\\d*)\0")  # which no text of an expression has; with the decimals of what stands there
_DECIMAL = re.compile(r"\b(?:decimal|whole)\((\d+), ")
_NOISE = re.compile(rf" \+ (\d+\*)?(?:{_RISING}|{_FALLING}|{_BOTH})\(")
_FLOAT = "float "
_NEGATIVE_ZERO = "-0.0"
_MOST = 200_000
"""Outcomes of all laws, after refinement."""


@dataclass(frozen=True)
class Tail:
    """K + G, or K − G.

    Attributes:
        sign: 1 or −1.
        ratio: α as a text, "1/2" or "([0, 1], [1])", a function of the open parameter; √α of decimals.
        is_decimal: whether it counts the last decimals of a number.
        step: s of K + s·G.
    """

    start: int
    sign: int
    ratio: str
    is_decimal: bool = False
    step: int = 1

    @property
    def roots(self) -> tuple[Probability, Probability]:
        """√α of decimals, and α."""
        root = _number(self.ratio)
        return root, root * root if self.is_decimal else root


Place = int | str | Tail
"""−0.0 is a text."""


@dataclass(frozen=True)
class _Outcome:
    """An outcome as what stands around its integers, and these."""

    skeleton: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class UnlikeTails:
    """Tails in one place with several ratios: no refinement makes the laws finite.

    Attributes:
        sentence: which, in words.
        ratios: α by the name of an outcome that has one tail.
        places: the outcome's name without α.
    """

    sentence: str
    ratios: Mapping[str, Probability]
    places: Mapping[str, str]


def has_tails(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether some outcome has a geometric tail."""
    return any(map(_NOISE.search, set().union(*laws.values())))


def is_mixed(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether some law has a tail among other outcomes, or one with steps."""
    told = [(len(law), found[1]) for law in laws.values() for text in law if (found := _NOISE.search(text))]
    return any(count > 1 or step for count, step in told)


def are_combined(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether some outcome is told by the numbers that it is made of."""
    return any("'combinations [" in text for law in laws.values() for text in law)


def aligned(laws: Mapping[Any, Law[str]], place: str) -> tuple[dict[Any, Law[str]], UnlikeTails | None]:
    """Finite laws with the same divergences, unless tails in one place have several ratios.

    >>> half, two = {"0 + discrete_geometric(1/2)": 1}, {"1 + discrete_geometric(1/2)": 1}
    >>> aligned({"x": Law(half), "y": Law(two)}, "here")[0]["x"]
    Law({'0': Fraction(1, 2), '1 or more': Fraction(1, 2)})
    """
    texts = dict.fromkeys(text for law in laws.values() for text in law)
    digits = {int(one) for text in texts for one in _DECIMAL.findall(text)}
    if len(digits) > 1:
        raise InputError(f"{place}: numbers with tails must be rounded to one number of decimals")
    parsed = {text: list(_parsed(text, place, *digits)) for text in texts}
    check_combinations({one.skeleton for parts in parsed.values() for one, _ in parts}, place)
    _check_steps([one for parts in parsed.values() for one, _ in parts], place)
    names = {one: text for text, parts in parsed.items() for one, _ in parts if not _tails(one)}
    ends = _ends([one for parts in parsed.values() for one, _ in parts])
    found: dict[Any, dict[_Outcome, Probability]] = {}
    count = 0
    for point, law in laws.items():
        masses = found[point] = {}
        for text, mass in law.items():
            for one, share in parsed[text]:
                for refined, part in _refined(one, ends):
                    masses[refined] = masses.get(refined, Fraction(0)) + mass * share * part
        count += len(masses)
        if count > _MOST:
            raise InputError(f"{place}: integers with tails must be at most {_MOST} in all; there are more")
    ratios: dict[str, set[tuple[str, ...]]] = {}
    for one in (one for masses in found.values() for one in masses):
        if tails := _tails(one):
            ratios.setdefault(_text(one), set()).add(tuple(tail.ratio for tail in tails))
    unlike = {name for name, several in ratios.items() if len(several) > 1}

    def name_of(one: _Outcome) -> str:
        name = names.get(one) or _text(one)
        kinds = ", ".join(tail.ratio for tail in _tails(one))
        return f"{name} of ratio {kinds}" if name in unlike else name

    named = {x: Law({name_of(one): mass for one, mass in masses.items()}) for x, masses in found.items()}
    if not unlike:
        return named, None
    first = min(unlike)
    sentence = f"the scale of the noise depends on the data, or on other draws: beyond {first} it has several ratios"
    alone = [one for masses in found.values() for one in masses if _text(one) in unlike and len(_tails(one)) == 1]
    numbers = {name_of(one): _number(_tails(one)[0].ratio) for one in alone}
    return named, UnlikeTails(sentence, numbers, {name_of(one): _text(one) for one in alone})


def _tails(one: _Outcome) -> list[Tail]:
    return [part for part in one.places if isinstance(part, Tail)]


class _Skeleton(ast.NodeTransformer):
    """Takes integers, and integers plus noise, out of an expression; and numbers with so many decimals."""

    def __init__(self, digits: int | None) -> None:
        self.found: list[int | str | tuple[int, str, str, bool, int]] = []
        self._digits = digits

    def _slot(self, found: Any, *digits: int | None) -> ast.AST:
        self.found.append(found)
        return ast.Name(f"\0{''.join(map(str, digits))}\0")

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not isinstance(node.func, ast.Name) or node.func.id not in ("decimal", "whole"):
            return self.generic_visit(node)
        return self._tail(node.args[1], self._digits, is_decimal=node.func.id == "decimal")

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        noise = node.right.right if isinstance(node.right, ast.BinOp) else node.right
        is_tail = isinstance(noise, ast.Call) and isinstance(noise.func, ast.Name)
        return self._tail(node) if is_tail else self.generic_visit(node)

    def _tail(self, node: Any, *digits: int | None, is_decimal: bool = False) -> ast.AST:
        is_stepped = isinstance(node.right, ast.BinOp)
        noise, step = (node.right.right, ast.literal_eval(node.right.left)) if is_stepped else (node.right, 1)
        told = ast.literal_eval(node.left), noise.func.id, ast.unparse(*noise.args), is_decimal, step
        return self._slot(told, *digits)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        inner = node.operand
        if isinstance(node.op, ast.USub) and isinstance(inner, ast.Constant) and type(inner.value) is int:
            return self._slot(-inner.value)
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int:
            return self._slot(node.value)
        if self._digits is not None and isinstance(node.value, str) and node.value.startswith(_FLOAT):
            shown = node.value.removeprefix(_FLOAT)
            units = Fraction(shown) * 10**self._digits if math.isfinite(float(shown)) else Fraction(1, 2)
            if units.denominator == 1:
                return self._slot(shown if shown == _NEGATIVE_ZERO else int(units), self._digits)
        return node


def _parsed(text: str, place: str, digits: int | None = None) -> Iterator[tuple[_Outcome, Probability]]:
    """The outcomes that a text is a mixture of, with their shares: two-sided noise is one of two tails."""
    reader = _Skeleton(digits)
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield _Outcome(text, ()), Fraction(1)
        return
    skeleton = ast.unparse(reader.visit(tree))
    parts = [list(_sides(one, place)) if isinstance(one, tuple) else [(one, Fraction(1))] for one in reader.found]
    for chosen in product(*parts):
        share: Probability = Fraction(1)
        for _, factor in chosen:
            share = share * factor
        yield _Outcome(skeleton, tuple(one for one, _ in chosen)), share


def _sides(told: tuple[int, str, str, bool, int], place: str) -> Iterator[tuple[Place, Probability]]:
    integer, kind, ratio, is_decimal, step = told
    if kind in (_RISING, _FALLING):
        yield Tail(integer, 1 if kind == _RISING else -1, ratio, is_decimal, step), Fraction(1)
    elif kind == _BOTH and step == 1:
        alpha = _number(ratio)
        yield Tail(integer, 1, ratio), 1 / (1 + alpha)
        yield Tail(integer - 1, -1, ratio), alpha / (1 + alpha)
    else:
        raise InputError(f"{place}: unbounded: noise {kind} that is released must be the only random choice")


def _number(ratio: str) -> Probability:
    noise = read_released(f"0 + {_RISING}({ratio})")
    if noise is None:
        raise InputError(f"the ratio of a tail must be a number; got {ratio!r}")
    return noise.noises[0].ratio


def _ends(outcomes: list[_Outcome]) -> dict[tuple[str, int, int], int]:
    """Where the tails of each place and direction begin: beyond every integer and every tail's beginning."""
    ends: dict[tuple[str, int, int], int] = {}
    for one in outcomes:
        for index, part in enumerate(one.places):
            for sign in (1, -1):
                start = part.start if isinstance(part, Tail) else 0 if isinstance(part, str) else part
                is_own = isinstance(part, Tail) and part.sign == sign
                least = start if is_own else start + sign  # the other direction's tail has its integers here
                known = ends.setdefault((one.skeleton, index, sign), least)
                ends[one.skeleton, index, sign] = max(known, least) if sign > 0 else min(known, least)
    return ends


def _check_steps(outcomes: list[_Outcome], place: str) -> None:
    """Refuse tails in one place and direction that have several steps: they have integers in common."""
    steps: dict[tuple[str, int, int], int] = {}
    for one in outcomes:
        for index, part in enumerate(one.places):
            if isinstance(part, Tail) and steps.setdefault((one.skeleton, index, part.sign), part.step) != part.step:
                raise InputError(f"{place}: integers without bound are released in several steps: clamp them")


def _refined(one: _Outcome, ends: Mapping[tuple[str, int, int], int]) -> Iterator[tuple[_Outcome, Probability]]:
    """The integers of the tails of an outcome, and tails from the common ends on, with their shares."""
    parts: list[list[tuple[Place, Probability]]] = []
    for index, part in enumerate(one.places):
        if not isinstance(part, Tail):
            parts.append([(part, Fraction(1))])
            continue
        end, (root, alpha) = ends[one.skeleton, index, part.sign], part.roots
        values = range(part.start, end, part.sign * part.step)
        if len(values) > _MOST:
            raise InputError(f"integers with tails must be at most {_MOST}; there are more")
        power: Probability = Fraction(1)
        split: list[tuple[Place, Probability]] = []
        for value in values:
            shares: list[tuple[Place, Probability]] = [(value, Fraction(1))]
            if part.is_decimal and not value:
                halves: list[Place] = [_NEGATIVE_ZERO, 0]
                shares = [*zip(halves[:: part.sign], (1 / (1 + root), root / (1 + root)), strict=True)]
            split += [(one, power * (1 - alpha) * share) for one, share in shares]
            power = power * alpha
        first = part.start + len(values) * part.sign * part.step
        parts.append([*split, (replace(part, start=first), power)])
    for chosen in product(*parts):
        share: Probability = Fraction(1)
        for _, factor in chosen:
            share = share * factor
        yield _Outcome(one.skeleton, tuple(place for place, _ in chosen)), share


def _text(one: _Outcome) -> str:
    pieces = _SLOT.split(one.skeleton)
    shown = [_shown(place, digits) for place, digits in zip(one.places, pieces[1::2], strict=True)]
    return "".join(piece + place for piece, place in zip(pieces[::2], (*shown, ""), strict=True))


def _shown(place: Place, digits: str) -> str:
    if isinstance(place, Tail):
        number = _shown(place.start, digits).strip("'")
        text = f"{number} or {'more' if place.sign > 0 else 'less'}"
        text += f" in steps of {place.step}" if place.step > 1 else ""
        return repr(text) if digits else text
    if not digits:
        return str(place)
    return repr(f"{_FLOAT}{place if isinstance(place, str) else float(Fraction(place, 10 ** int(digits)))!r}")
