"""What two processes of user code return, compared exactly: values of invariants, and laws of mechanisms.

The processes meet the data sets and the choices in different orders. Laws are summed here, from choice trees; on an
unordered domain the same data set is given in several orders of its records, and its law must be the same in all.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any

import flint

from stirred.mechanisms.interpreters.choice_runs import Runs, has_cuts
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.mechanisms.interpreters.loop_masses import has_loops
from stirred.mechanisms.source import RAISES, Weight, is_raised
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, real_roots
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.verify.engines.exponential_law import sign_at_power
from stirred.verify.engines.likelihood import CheckedLaws
from stirred.verify.engines.nearby_law import NearbyLaws, is_irrational
from stirred.verify.engines.real_noise.leaves import are_real, holds_real, parted
from stirred.verify.engines.released_noise import read_released
from stirred.verify.engines.sign_decision import decide_nonnegative
from stirred.verify.evidence.finding import EngineError
from stirred.verify.laws.integer_tails import UnlikeTails, aligned, are_combined, has_tails, is_mixed
from stirred.verify.laws.messages import NODES_PER_CHOICE, CutsError, check_uncut, read_nodes, read_texts, read_weights
from stirred.verify.laws.plain import several_kinds
from stirred.verify.laws.record_orders import orders_text, other_orders, rotated_back
from stirred.verify.laws.sandbox.answers import AnswerError


def refuse_partial(laws: Mapping[Any, Law[str]], place: str) -> None:
    """Refuse laws whose outcomes are numbers with densities."""
    if are_real(set().union(*laws.values())):
        raise untested_floats(place)


def untested_floats(place: str) -> InputError:
    """What refuses a mechanism whose output is such a float."""
    return InputError(
        f"{place}: an output is a float from a continuous draw, which has too many values to compare: audit it "
        "with --sampled, or round the output"
    )


_EFFECT = (
    "the mechanism must depend on its data and its source only, and an attempt must have no side effects: its laws in "
    "two processes differ"
)

_MOST_MISSING = Fraction(1, 2**8)
"""What the runs of a mechanism that are listed until they are improbable may leave of 1."""

_TOO_FEW = (
    "its loops have no end in sight, and there are too many runs to compute its law a second time: write a loop that "
    "waits for success as source.geometric(ratio), one that rejects as source.attempt(body), or end it sooner"
)

_SUMMED = (
    "loops without end summed in closed form, as runs that come to an equal state go on alike; the laws agree with "
    "all runs except improbable ones, of probability at most 2^-{} in all"
)

_SETS = "; it uses sets, and the order of a set of texts differs between processes: sort it"

_UNWATCHED = ", and that no order of a set, which this Python cannot refuse wholly, reaches its output"
_LIBRARIES = ", and that no library it calls leaks the order of a set"
_PUBLISHED = "; an output that is a set is published as its members in a fixed order"

_LISTED = ("weights", "outputs", "shapes", "trees")


def agreed_values(
    where: str, points: Sequence[Any], listings: tuple[Mapping[str, Any], Mapping[str, Any]], what: str
) -> tuple[str, ...]:
    """The values of a function that two processes agree on, as canonical texts.

    The listings are the answers of the two, on the data sets and on the data sets `rotated`.
    """
    try:
        ((one,), (other,)) = (listing["values"] for listing in listings)
        texts, again = read_texts(one), rotated_back(read_texts(other))
    except (KeyError, TypeError, ValueError) as error:
        raise malformed(where, error) from None
    if len(texts) != len(points) or len(again) != len(points):
        raise malformed(where)
    for point, value, second in zip(points, texts, again, strict=True):
        if value != second:
            raise InputError(
                f"{where}: on the data set {point!r}: {what} is not deterministic: two processes returned different "
                "values"
            )
    return texts


def values_in_all_orders(
    where: str, points: Sequence[Any], ask: Callable[[Sequence[Any]], Sequence[str]], *, is_ordered: bool
) -> dict[Any, str]:
    """An invariant's value on every data set; on an unordered domain it must be the same in several orders of each."""
    listed = [(point, point) for point in points]
    if not is_ordered:
        listed += [(points[place], other) for place, other in other_orders(points)]
    values: dict[Any, str] = {}
    for (point, given), value in zip(listed, ask([given for _, given in listed]), strict=True):
        if values.setdefault(point, value) != value:
            raise InputError(
                f"{where}: an invariant must not depend on the order of records in an unordered domain; the "
                f"data set {point!r} has {values[point]}, in the order {given!r} {value}"
            )
    return values


@dataclass(frozen=True)
class ForeignLaws:
    """The laws of a foreign mechanism; its outputs are canonical texts.

    Attributes:
        assumed: what was compared, and what is assumed, in words for the scope.
        log_error: λ, where they are rational laws that stand for those, see `verify.engines.nearby_law`.
        are_enclosed: whether these are known between two rationals alone.
        tree: the choice tree of each, where the mechanism was followed; its outputs are those of the law.
        are_of_doubles: whether the mechanism computes with doubles, which miss what is meant by their digits.
        exponent: q, where the laws are rational functions of e^-q.
        numbers: in which numbers these are the mechanism's, "real numbers"; empty where it computes as it says.
        unlike: tails whose ratios differ, so that the laws are not finite; they are told apart by their ratios.
    """

    laws: dict[Any, Law[str]]
    assumed: str
    log_error: Fraction | None = None
    are_enclosed: bool = False
    tree: Callable[[Any], ChoiceTree] | None = None
    are_of_doubles: bool = False
    exponent: Fraction | None = None
    unlike: UnlikeTails | None = None
    numbers: str = ""

    @property
    def is_nearby(self) -> bool:
        """Whether they stand for laws that are only enclosed."""
        return self.log_error is not None

    @property
    def is_released(self) -> bool:
        """Whether some output holds unbounded noise."""
        return any(read_released(outcome) is not None for outcome in set().union(*self.laws.values()))

    def exact(self, where: str) -> dict[Any, Law[str]]:
        """The laws where they are exact and finite."""
        if self.exponent is not None:
            raise InputError(f"{where}: the laws are made of powers of e, and this needs rational ones")
        if self.is_nearby or self.is_released:
            raise InputError(
                f"{where}: released unbounded noise and discrete Gaussians have no finite exact law, which this needs: "
                "audit the claim itself, or clamp geometric noise"
            )
        return self.laws


def agreed_laws(
    where: str,
    points: Sequence[Any],
    extras: Sequence[tuple[int, Any]],
    listings: Sequence[Mapping[str, Any]],
    *,
    choices: int,
    opened: OpenParameter | None = None,
    more: Callable[[], Sequence[Mapping[str, Any]]] = tuple,
) -> ForeignLaws:
    """The laws that two listings of a mechanism agree on.

    Args:
        where: the place, for messages.
        points: the data sets.
        extras: other orders of the records, each with the place of its data set.
        listings: the answers of two processes: trees on the data sets and as many other orders as were tried, and runs
            on the data sets `rotated`.
        choices: how many a mechanism may make on one data set.
        opened: the values of the parameter that was left open; laws are then functions of it, and are not compared with
            independent values here.
        more: the runs again, in interpreters with other hashes; computed if the mechanism uses sets.
    """
    tree, runs = listings
    followed = _Listing(where, tree, choices * NODES_PER_CHOICE, opened)
    if not len(points) <= len(followed) <= len(points) + len(extras):
        raise malformed(where)
    has_sets = tree.get("sets") is True
    effect = f"{_EFFECT}{_SETS if has_sets else ''}"
    laws: dict[Any, Law[str]] = {}
    compared: list[Mapping[str, Any]] = []
    others = (runs, *(more() if has_sets else ()))
    _check_kinds(where, (tree, *others))
    for again in others:
        if any(all(again.get(part) == one.get(part) for part in _LISTED) for one in compared):
            continue
        compared.append(again)
        listed = _Listing(where, again, choices * NODES_PER_CHOICE, opened)
        if len(listed) != len(points):
            raise malformed(where)
        is_nearby = followed.is_irrational or listed.is_irrational
        checked: _ExactLaws | _NearbyLaws = _NearbyLaws() if is_nearby else _ExactLaws(followed.has_loops)
        for index, (point, other) in enumerate(zip(points, rotated_back(range(len(points))), strict=True)):
            laws[point] = _agreed(where, point, checked, followed.tree(index), listed.runs(other), effect=effect)
    tried = Counter[int]()
    for index, (owner, given) in enumerate(extras[: len(followed) - len(points)], start=len(points)):
        point = points[owner]
        tried[owner] += 1
        if checked.law(followed.tree(index)) != laws[point]:
            raise InputError(
                f"{where}: the mechanism must not depend on the order of records in an unordered domain; its "
                f"laws on {point!r} and on the same records in the order {given!r} differ: sort what it returns, or "
                'state order = "ordered"'
            )
    assumed = orders_text(points, tried, len(extras))
    if not all(one.get("watched") is True for one in listings):
        assumed += _UNWATCHED
    elif has_sets:
        assumed += _LIBRARIES
    if any(one.get("publishes_sets") is True for one in listings):
        assumed += _PUBLISHED
    if isinstance(checked, _ExactLaws) and checked.missing:
        assumed = f"{_SUMMED.format(math.floor(1 / checked.missing).bit_length() - 1)}; {assumed}"
    assumed += _raised_text(laws)
    place = {point: index for index, point in enumerate(points)}
    found = ForeignLaws(laws, assumed, tree=lambda point: followed.tree(place[point]))
    if isinstance(checked, _NearbyLaws):
        return replace(found, log_error=checked.log_error, are_enclosed=checked.are_enclosed)
    return found


def finite_laws(where: str, found: ForeignLaws, exponential: OpenParameter | None) -> ForeignLaws:
    """The laws, in the symbol that they are functions of, with tails among other outcomes refined."""
    found = replace(found, exponent=None if exponential is None else exponential.exponent)
    is_needed = not are_real(set().union(*found.laws.values())) and (
        found.exponent is not None or found.is_nearby or is_mixed(found.laws) or are_combined(found.laws)
    )
    if not is_needed or not has_tails(found.laws):
        return found
    laws, unlike = aligned(found.laws, where)
    said = f"{found.assumed}; integers beyond those of all laws are one outcome, as their tails are the same"
    return replace(found, laws=laws, unlike=unlike, tree=None, assumed=said)


def _raised_text(laws: Mapping[Any, Law[str]]) -> str:
    """What the scope adds if the mechanism raises something."""
    outputs = set(filter(is_raised, set().union(*laws.values())))
    if not outputs:
        return ""
    raised = [(point, output) for point, law in laws.items() for output in law if output in outputs]
    (point, output), others = raised[0], len({one for one, _ in raised}) - 1
    more = f" and {others} other data set{'s' * (others > 1)}" if others else ""
    what = output[1:-1].removeprefix(RAISES)
    return (
        f"; exceptions are outcomes by class and text, so which data raise one is released: {what} on {point!r}{more}"
    )


def _check_kinds(where: str, answers: Sequence[Mapping[str, Any]]) -> None:
    """Refuse an output that is of several types on several data sets."""
    told = [answer.get("kinds", {}) for answer in answers]
    if not all(isinstance(one, dict) for one in told):
        raise malformed(where)
    found: dict[str, list[str]] = {}
    for answer, one in zip(answers, told, strict=True):
        for text in answer["outputs"]:
            if any(text in kinds for kinds in told) or holds_real(text):
                found.setdefault(parted(text)[0], []).extend(map(str, one.get(text, ("",))))
    for text, kinds in sorted(found.items()):
        if len(set(kinds)) > 1:
            raise InputError(f"{where}: {several_kinds(text, kinds)}")


class _ExactLaws(CheckedLaws):
    """Laws of rational probabilities; runs may be cut where trees have loops, and then leave `missing` of 1 at most."""

    def __init__(self, may_be_cut: Callable[[], bool]) -> None:
        super().__init__()
        self._may_be_cut = may_be_cut
        self.missing = Fraction(0)

    def agreed(self, tree: ChoiceTree, runs: Runs) -> Law[str] | None:
        """The law that both listings give; None where they differ."""
        law = self.law(tree)
        if has_cuts(runs.nodes):
            bounds = self.exact(runs)
            missing = 1 - sum(bounds.values(), Fraction(0))
            if missing > _MOST_MISSING or not self._may_be_cut():
                raise InputError(_TOO_FEW)
            self.missing = max(self.missing, missing)
            return law if all(bound <= law.numeric(output) for output, bound in bounds.items()) else None
        if dict(law.items()) != self.exact(runs):
            return None
        distinct = dict(zip(map(id, law.values()), law.values(), strict=True)).values()  # many outcomes share one
        known = chain(distinct, *runs.weights)
        if not any(isinstance(weight, RationalFunction) for weight in known):
            self.check(law, runs)
        return law


class _NearbyLaws(NearbyLaws):
    """Rational laws that stand for those of irrational probabilities."""

    def agreed(self, tree: ChoiceTree, runs: Runs) -> Law[str] | None:
        """The law that stands for what both listings give; None where they differ."""
        return self.law(tree, runs)


def malformed(where: str, error: Exception | None = None) -> InputError:
    """The error for an answer that is not one."""
    if isinstance(error, AnswerError):
        return InputError(f"{where}: {error}")
    return InputError(f"{where}: its process wrote something else than its answer")


class _Listing:
    """The trees of one answer, checked as they are read."""

    def __init__(self, where: str, answer: Mapping[str, Any], most: int, opened: OpenParameter | None) -> None:
        self._where = where
        check_uncut(answer, opened)
        try:
            self._weights = read_weights(answer["weights"])
            self._outputs = read_texts(answer["outputs"])
            self._trees, shapes = answer["trees"], answer["shapes"]
            if not isinstance(shapes, list) or not isinstance(self._trees, list):
                raise malformed(where)
            if len(set(self._outputs)) != len(self._outputs):
                raise malformed(where)
            self._shapes = [read_nodes(nodes, most) for nodes in shapes]
        except (KeyError, InputError) as error:
            raise malformed(where, error) from None
        open_weights = {weight for row in self._weights for weight in row if isinstance(weight, RationalFunction)}
        for weight in open_weights:
            _check_open_weight(where, weight, opened)
        if opened is not None and opened.exponent is None:
            _check_possible(open_weights, opened)

    def __len__(self) -> int:
        return len(self._trees)

    @property
    def is_irrational(self) -> bool:
        """Whether some choice is weighed by what is only enclosed."""
        return is_irrational(self._weights)

    def has_loops(self) -> bool:
        """Whether some path goes back to an earlier choice."""
        return any(map(has_loops, self._shapes))

    def tree(self, index: int) -> ChoiceTree:
        return ChoiceTree(*self._parts(index))

    def runs(self, index: int) -> Runs:
        return Runs(*self._parts(index))

    def _parts(self, index: int) -> tuple[list[tuple[Weight, ...]], list[str], tuple[int, ...]]:
        try:
            rows, names, shape = self._trees[index]
            for places in (rows, names, [shape]):
                if set(map(type, places)) - {int} or min(places, default=0) < 0:
                    raise malformed(self._where)
            weights, outputs = [self._weights[row] for row in rows], [self._outputs[name] for name in names]
            return weights, outputs, self._shapes[shape]
        except (IndexError, TypeError, ValueError) as error:
            raise malformed(self._where, error) from None


def _agreed(
    where: str, point: Any, checked: _ExactLaws | _NearbyLaws, tree: ChoiceTree, runs: Runs, *, effect: str
) -> Law[str]:
    """The law that both listings give."""
    place = f"{where}: on the data set {point!r}"
    try:
        law = checked.agreed(tree, runs)
    except (InputError, EngineError) as error:
        raise type(error)(f"{place}: {error}") from None
    if law is None:
        raise InputError(f"{place}: {effect}")
    return law


def _check_possible(weights: Collection[RationalFunction], opened: OpenParameter) -> None:
    """Refuse weights of which one is 0 at some rational values only: what is possible there is something else."""
    low, high = AlgebraicNumber.of(opened.low), AlgebraicNumber.of(opened.high)
    cuts: set[Fraction] = set()
    for above, _ in (weight.integer_parts() for weight in weights):
        cuts |= {root.rational for root in real_roots(above, low, high) if root.rational is not None}
        cuts |= {end for end in opened.ends if not flint.fmpz_poly(list(above))(flint.fmpq(*end.as_integer_ratio()))}
    if cuts:
        raise CutsError(sorted(cuts))


def _check_open_weight(where: str, weight: RationalFunction, opened: OpenParameter | None) -> None:
    """Refuse a weight that is negative somewhere, or a function of a parameter that was not left open."""
    if opened is None:
        raise InputError(f"{where}: the weights of a mechanism must be numbers; got one with an open parameter")
    if opened.exponent is not None:
        if sign_at_power(weight, opened.exponent) < 0:
            raise InputError(f"{where}: a weight of a choice must be between 0 and 1; one is negative at {opened}")
        return
    above, below = (flint.fmpz_poly(list(part)) for part in weight.integer_parts())
    product = tuple(int(c) for c in (above * below).coeffs())
    found = decide_nonnegative(product or (0,), opened.low, opened.high)
    if isinstance(found, Fraction):
        raise InputError(
            f"{where}: a weight of a choice must be between 0 and 1 for every value of the open parameter in {opened}; "
            f"one is negative at {found}"
        )
