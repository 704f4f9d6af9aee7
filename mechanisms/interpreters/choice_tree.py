"""The choice tree of a mechanism on one data set: every random choice that it can make, followed to its outputs.

A tree is plain data, so that whoever follows a program and whoever sums its law need not be the same process. Its nodes
stand in preorder, each as one integer 4·value + kind:

- CHOICE: value is the index of its weights; the subtrees of its outcomes of positive weight follow in order;
- RESULT: value is the index of the output, or inside an attempt the number of its result; a leaf;
- RESTART: the present attempt, or the whole program, goes on as from its choice number `value` on the present path, an
  attempt counted as one choice, or begins again where value is 0; a leaf;
- ATTEMPT: the tree of its body follows, then one subtree for each distinct result of the body, in order of number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint

from stirred.mechanisms.interpreters.choice_path import ATTEMPT, CHOICE, KINDS, NEVER_FINISHES, NO_TREE, RESTART, RESULT
from stirred.mechanisms.interpreters.loop_masses import loop_masses
from stirred.mechanisms.source import Weight
from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import EnclosedShare
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient

__all__ = ["ATTEMPT", "CHOICE", "RESTART", "RESULT", "ChoiceTree", "exact_weight", "tree_law", "tree_masses"]


@dataclass(frozen=True)
class ChoiceTree:
    """Every choice that a program can make, and where each leads.

    Attributes:
        weights: the distinct weights of choices; each sums to 1.
        outputs: the distinct outputs, in the order in which they are met.
        nodes: the nodes in preorder, each 4·value + kind.
    """

    weights: Sequence[tuple[Weight, ...]]
    outputs: Sequence[Any]
    nodes: Sequence[int]


@dataclass(slots=True)
class _Inner:
    """A node whose subtrees are being summed: the probabilities with which the ones still to come are reached."""

    reached: list[Any]  # last first


@dataclass(slots=True)
class _Body:
    """An attempt whose body is being summed: the masses of its results, and that of its restarts."""

    reached: Any
    number: Callable[[Fraction], Any]
    masses: dict[int, Any] = field(default_factory=dict)
    rejected: Any = None

    def results(self) -> list[Any]:
        """The probabilities of the results, conditioned on not restarting."""
        if not self.masses:
            raise InputError(NEVER_FINISHES)
        if sorted(self.masses) != list(range(len(self.masses))):
            raise InputError("the results of an attempt must be numbered from 0 on")
        kept = self.number(Fraction(1)) - (self.number(Fraction(0)) if self.rejected is None else self.rejected)
        return [self.masses[number] / kept for number in range(len(self.masses))]


def tree_law(tree: ChoiceTree, masses: Sequence[Probability] | None = None) -> Law[Any]:
    """The law of a tree's output.

    Args:
        masses: what `tree_masses` gives, where it is known.

    >>> coin = (Fraction(1, 3), Fraction(2, 3))
    >>> tree_law(ChoiceTree([coin], ["heads"], [0, RESTART, RESULT]))
    Law({'heads': Fraction(1, 1)})
    """
    masses = tree_masses(tree.weights, tree.nodes) if masses is None else masses
    if len(tree.outputs) != len(masses):
        raise InputError(NO_TREE)
    return Law(dict(zip(tree.outputs, masses, strict=True)))


def exact_weight(weight: Weight) -> Probability:
    """A weight that is an exact probability."""
    if isinstance(weight, ExponentialQuotient):
        raise InputError("the probabilities are made of powers of e: an audit compares them, an exact law has none")
    if isinstance(weight, EnclosedShare):
        raise InputError("the probabilities are enclosed: an audit compares them, an exact law has none")
    if isinstance(weight, GaussianShare):
        raise InputError(
            "the probabilities of a discrete Gaussian are not rational: an audit encloses them, an exact law has none"
        )
    return weight


def tree_masses(
    weights: Sequence[tuple[Weight, ...]], tree: Sequence[int], number: Callable[[Any], Any] = exact_weight
) -> list[Any]:
    """The probabilities of a tree's outputs: every path's weight, and loops in closed form.

    The results of an attempt have the law of its body conditioned on not restarting: masses divided by 1 − P(restart).

    Args:
        number: turns weights and fractions into the numbers that are computed with; by default they stay exact.
    """
    if number is exact_weight and all(type(weight) in (Fraction, int) for row in weights for weight in row):
        # a product of these takes a tenth of the time of one of fractions
        return [Fraction(int(mass.p), int(mass.q)) for mass in _masses(weights, tree, _quotient)]
    return _masses(weights, tree, number)


def _quotient(weight: Fraction | int) -> flint.fmpq:
    return flint.fmpq(weight.numerator, weight.denominator)


def _masses(weights: Sequence[tuple[Weight, ...]], tree: Sequence[int], number: Callable[[Any], Any]) -> list[Any]:
    rows = [[number(weight) for weight in reversed(row) if weight] for row in weights]
    whole = _Body(number(Fraction(1)), number)
    bodies, stack = [whole], list[_Inner | _Body]()
    reached = whole.reached
    nodes = iter(tree)
    try:
        for node in nodes:
            value, kind = divmod(node, KINDS)
            if kind == CHOICE:
                stack.append(_Inner([reached * weight for weight in rows[value]]))
            elif kind == ATTEMPT:
                body = _Body(reached, number)
                bodies.append(body)
                stack.append(body)
                reached = whole.reached
                continue
            elif kind == RESULT:
                masses = bodies[-1].masses
                masses[value] = masses[value] + reached if value in masses else reached
            elif value:
                return loop_masses(weights, tree, number)
            else:
                body = bodies[-1]
                body.rejected = reached if body.rejected is None else body.rejected + reached
            # on to the next subtree that is still to come
            while stack:
                top = stack[-1]
                if isinstance(top, _Body):
                    bodies.pop()
                    stack[-1] = top = _Inner([top.reached * mass for mass in reversed(top.results())])
                if top.reached:
                    reached = top.reached.pop()
                    break
                stack.pop()
            else:
                break
        if stack or next(nodes, None) is not None:
            raise InputError("the nodes of a choice tree must be exactly one tree")
        return whole.results()
    except IndexError:
        raise InputError(NO_TREE) from None
