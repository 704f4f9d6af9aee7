"""Outcomes with geometric tails, refined until laws are finite: every integer of all laws, then what lies beyond.

A real draw that is rounded gives outcomes without end: beyond some integer K they are K + G, P(G = j) = (1 − α)·α^j.
The laws of several data sets have tails that begin at several K, with integers of their own inside others' tails. Each
tail is split, P(K + j) = p·(1 − α)·α^j, up to one common end beyond every integer and every tail's beginning of all
laws. From there on, where all tails in one place have one α, the law given the tail is the same: the tail is one
outcome and nothing is lost, for every output premetric that is immune to post-processing. Two-sided noise is a mixture
of two tails. Several integers of one outcome are refined one by one.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law, Probability
from stirred.verify.engines.real_noise.parts import check_combinations
from stirred.verify.engines.released_noise import read_released

_RISING, _FALLING, _BOTH = "discrete_geometric", "discrete_reflected_geometric", "discrete_laplace"
_SLOT = "\0"  # which no text of an expression has
_MOST = 200_000
"""Outcomes of all laws, after refinement."""


@dataclass(frozen=True)
class Tail:
    """K + G, or K − G.

    Attributes:
        sign: 1 or −1.
        ratio: α as a text, "1/2" or "([0, 1], [1])", a function of the open parameter.
    """

    start: int
    sign: int
    ratio: str

    def __str__(self) -> str:
        return f"{self.start} or {'more' if self.sign > 0 else 'less'}"


Place = int | Tail


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
    outcomes: set[str] = set().union(*laws.values())
    return any(f" + {kind}(" in text for text in outcomes for kind in (_RISING, _FALLING, _BOTH))


def is_mixed(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether some law has a tail among other outcomes."""
    return has_tails(laws) and any(len(law) > 1 and has_tails({0: law}) for law in laws.values())


def are_combined(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether some outcome is told by the numbers that it is made of."""
    return any("'combinations [" in text for law in laws.values() for text in law)


def aligned(laws: Mapping[Any, Law[str]], place: str) -> tuple[dict[Any, Law[str]], UnlikeTails | None]:
    """Finite laws with the same divergences, unless tails in one place have several ratios.

    >>> half, two = {"0 + discrete_geometric(1/2)": 1}, {"1 + discrete_geometric(1/2)": 1}
    >>> aligned({"x": Law(half), "y": Law(two)}, "here")[0]["x"]
    Law({'0': Fraction(1, 2), '1 or more': Fraction(1, 2)})
    """
    parsed = {text: list(_parsed(text, place)) for text in dict.fromkeys(t for law in laws.values() for t in law)}
    check_combinations({one.skeleton for parts in parsed.values() for one, _ in parts}, place)
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
    """Takes integers, and integers plus noise, out of an expression."""

    def __init__(self) -> None:
        self.found: list[int | tuple[int, str, str]] = []

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        call = node.right
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            (ratio,) = call.args
            self.found.append((ast.literal_eval(node.left), call.func.id, ast.unparse(ratio)))
            return ast.Name(_SLOT)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        inner = node.operand
        if isinstance(node.op, ast.USub) and isinstance(inner, ast.Constant) and type(inner.value) is int:
            self.found.append(-inner.value)
            return ast.Name(_SLOT)
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not int:
            return node
        self.found.append(node.value)
        return ast.Name(_SLOT)


def _parsed(text: str, place: str) -> Iterator[tuple[_Outcome, Probability]]:
    """The outcomes that a text is a mixture of, with their shares: two-sided noise is one of two tails."""
    reader = _Skeleton()
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield _Outcome(text, ()), Fraction(1)
        return
    skeleton = ast.unparse(reader.visit(tree))
    parts = [[(one, Fraction(1))] if isinstance(one, int) else list(_sides(*one, place)) for one in reader.found]
    for chosen in product(*parts):
        share: Probability = Fraction(1)
        for _, factor in chosen:
            share = share * factor
        yield _Outcome(skeleton, tuple(one for one, _ in chosen)), share


def _sides(integer: int, kind: str, ratio: str, place: str) -> Iterator[tuple[Place, Probability]]:
    if kind in (_RISING, _FALLING):
        yield Tail(integer, 1 if kind == _RISING else -1, ratio), Fraction(1)
    elif kind == _BOTH:
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
                start = part.start if isinstance(part, Tail) else part
                is_own = isinstance(part, Tail) and part.sign == sign
                least = start if is_own else start + sign  # the other direction's tail has its integers here
                known = ends.setdefault((one.skeleton, index, sign), least)
                ends[one.skeleton, index, sign] = max(known, least) if sign > 0 else min(known, least)
    return ends


def _refined(one: _Outcome, ends: Mapping[tuple[str, int, int], int]) -> Iterator[tuple[_Outcome, Probability]]:
    """The integers of the tails of an outcome, and tails from the common ends on, with their shares."""
    parts: list[list[tuple[Place, Probability]]] = []
    for index, part in enumerate(one.places):
        if not isinstance(part, Tail):
            parts.append([(part, Fraction(1))])
            continue
        end, alpha = ends[one.skeleton, index, part.sign], _number(part.ratio)
        steps = abs(end - part.start)
        if steps > _MOST:
            raise InputError(f"integers with tails must be at most {_MOST}; there are more")
        power: Probability = Fraction(1)
        split: list[tuple[Place, Probability]] = []
        for j in range(steps):
            split.append((part.start + part.sign * j, power * (1 - alpha)))
            power = power * alpha
        parts.append([*split, (Tail(end, part.sign, part.ratio), power)])
    for chosen in product(*parts):
        share: Probability = Fraction(1)
        for _, factor in chosen:
            share = share * factor
        yield _Outcome(one.skeleton, tuple(place for place, _ in chosen)), share


def _text(one: _Outcome) -> str:
    pieces = one.skeleton.split(_SLOT)
    return "".join(piece + str(place) for piece, place in zip(pieces, (*one.places, ""), strict=True))
