"""The refutation of a claimed budget at the pair that needs most: a line to check by hand, and its witness.

Both name the same x and x', in the direction in which the event E is likelier under x. The claim's own part of a
witness is what replaying needs to recompute the refuted bound from the data sets.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from stirred.spec.blocks.input_premetric import Distance, InputPremetric, neighbor_premetric
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import OutputPremetric
from stirred.spec.output_premetrics.base import mass
from stirred.verify.evidence.certificates.exact_number import shown_number
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.evidence.witness import Witness, event_witness, jsonable
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.domain import freeze
from stirred.verify.laws.claim.premetrics import PUFFERFISH

_LONGEST_EVENT = 120
_LONGEST_NUMBER = 60
_DIGITS = (6, 12, 24, 48)


@dataclass(frozen=True)
class WorstPair:
    """The pair of data sets that needs the largest budget, with an event that shows it.

    Attributes:
        x: the data set under which the event is likelier.
        distance: the smaller of d(x, x') and d(x', x): with a symmetric output premetric it binds.
        event: E, where the distance of the two laws is attained.
        measure: the output premetric, one of losses or the total variation distance.
    """

    x: Any
    x_prime: Any
    laws: tuple[Law[Any], Law[Any]]
    distance: Fraction
    event: tuple[Hashable, ...]
    measure: OutputPremetric

    def sentence(self, bound: Any, budget: ClaimedBudget) -> str:
        """P[E | x] > e^(ε·d)·P[E | x'] + δ in exact numbers, with decimals that are rounded towards each other.

        The bound is the claimed budget, or a larger one of finitely many digits that is refuted too.
        """
        p, q = (mass(law, self.event) for law in self.laws)
        most, allowed, symbols = self._allowed(bound, budget, q)
        shown = shortened(", ".join(map(str, self.event)), _LONGEST_EVENT)
        place = f"x = {self.x}, x' = {self.x_prime}, d = {_exact(self.distance)}, E = {{{shown}}}"
        return f"{place}: P[E | x] = {_exact(p)} > {allowed} = {symbols}{'' if most is None else _apart(p, most)}"

    def _allowed(self, bound: Any, budget: ClaimedBudget, q: Fraction) -> tuple[Fraction | None, str, str]:
        """The most that P[E | x] may be: a number no smaller, None where it is huge; in numbers; in symbols."""
        is_unit = self.distance == 1
        if not isinstance(bound, Loss):
            slack = bound * self.distance
            return q + slack, f"{_exact(q)} + {_exact(slack)}", f"P[E | x'] + epsilon{'' if is_unit else ' * d'}"
        delta = self.measure.parameters.get("delta", Fraction(0))
        rest = f" + {delta}" if delta else ""
        factor = _factor(budget)
        exponent = _exact(self.distance)
        power = factor if is_unit else f"({factor})^{exponent if exponent.isdigit() else f'({exponent})'}"
        ends = bound.times(self.distance).ratio(_DIGITS[-1]) if q else Enclosure(q, q)
        most = None if ends is None else ends.upper * q + delta
        return most, f"{power} * {_exact(q)}{rest}", f"{power} * P[E | x']{rest}"

    def witness(self, bound: Any, **more: Any) -> Witness:
        """The same as `verify.evidence.certificates.replay` re-checks it."""
        claimed = bound if isinstance(bound, Loss) else ZERO
        is_loss = isinstance(bound, Loss)
        delta = self.measure.parameters.get("delta", Fraction(0)) if is_loss else bound * self.distance
        named = {"x": self.x, "x_prime": self.x_prime, **more}
        return event_witness(self.laws, self.event, distance=self.distance, claimed=claimed, delta=delta, **named)


def worst_pair(
    laws: Mapping[Any, Law[Any]],
    measure: OutputPremetric,
    pair: tuple[Any, Any],
    premetric: Callable[[Any, Any], Distance],
) -> WorstPair:
    """The pair with the event that attains the distance of its laws."""
    x, y = pair
    distances = [d for d in (premetric(x, y), premetric(y, x)) if d is not None]
    event = measure.attaining_event(laws[x], laws[y])
    if mass(laws[x], event) < mass(laws[y], event):
        x, y = y, x
    return WorstPair(x, y, (laws[x], laws[y]), Fraction(min(distances)), event, measure)


def neighbors_only(worst: WorstPair, premetric: InputPremetric) -> str:
    """How to state (ε, δ) of neighbours alone, as it is defined classically, where a pair farther apart refutes it.

    Returns:
        A clause; empty where the pair is at a distance of at most 1, δ is 0, or neighbours alone are claimed.

    Source: Dwork and Roth (2014), Definition 2.4.
    """
    if not worst.measure.parameters.get("delta") or worst.distance <= 1 or premetric.is_local:
        return ""
    relation = premetric.relation
    if relation is None:
        remedy = "a distance that is infinite for all other pairs"
    else:
        remedy = f"the distance {neighbor_premetric(relation.neighbors, relation.order, premetric.resolution).name!r}"
    return f"; classically (epsilon, delta) is about neighbours only: {remedy} says so"


def _factor(budget: ClaimedBudget) -> str:
    """e^ε as the claim has it."""
    if budget.loss is not None:
        gamma, root = budget.loss.gamma, budget.loss.distance
        return f"{gamma}" if root == 1 else f"({gamma})^(1/{root})"
    if budget.epsilon is None:
        raise EngineError(f"a budget that an event refutes must be an epsilon; got {budget.text}")
    text = budget.epsilon.text
    return f"e^{text}" if text.replace(".", "").isdigit() else f"e^({text})"


def _exact(number: Fraction) -> str:
    return shown_number(number, _LONGEST_NUMBER)


def _apart(p: Fraction, most: Fraction) -> str:
    """Both numbers as decimals, the first rounded down and the second up, where few digits tell them apart."""
    for digits in _DIGITS:
        down, up = (_rounded(one, digits, mode) for one, mode in ((p, ROUND_FLOOR), (most, ROUND_CEILING)))
        if down > up:
            return f" ({down} > {up})"
    return ""


def _rounded(number: Fraction, digits: int, mode: str) -> Decimal:
    context = Context(prec=digits, rounding=mode)
    return context.divide(Decimal(number.numerator), Decimal(number.denominator))


_BOUND_DIGITS = 50
_UNIT = 10**40

_RECOMPUTED = ("distance", "gamma", "gamma_root", "delta", "bound")
"""What an engine's witness states and a claim's recomputes."""


def with_stated_claim(evidence: Evidence, name: str, statement: str) -> Evidence:
    """The evidence whose witness names the claim that it refutes; one that carries more of the claim stays."""
    if evidence.witness is None or "claim" in evidence.witness:
        return evidence
    return replace(evidence, witness={**evidence.witness, "claim": {"id": name, "statement": statement}})


def with_claim(evidence: Evidence, built: PrivacyClaim, budget: ClaimedBudget | None) -> Evidence:
    """The evidence whose witness carries the claim that it refutes; one of laws its premetrics and budget too.

    The distance and the bound that the engine wrote down are left out: they are recomputed from x, x' and the claim.
    """
    stated = with_stated_claim(evidence, built.id, built.statement)
    if stated.witness is None or stated.witness["kind"] == "formula":
        return stated
    if built.output_premetric is None or budget is None:
        raise EngineError(f"{built.id}: laws refute a claim without an output premetric or a budget")
    output: dict[str, Any] = {"name": built.output_premetric.name}
    output |= {key: str(value) for key, value in built.output_premetric.parameters.items()}
    kept = {key: value for key, value in stated.witness.items() if key not in _RECOMPUTED}
    if built.swapping_margins is not None:
        kept |= {"x": [kept["x"]], "x_prime": [kept["x_prime"]]}  # one stratum, as a data set of its own
    claim = {
        **kept["claim"],
        "input_premetric": _input_premetric(built, kept),
        "output_premetric": output,
        "budget": _budget(budget),
    }
    return replace(stated, witness={**kept, "claim": claim})


def _input_premetric(built: PrivacyClaim, witness: Witness) -> dict[str, Any]:
    """The premetric by name with its kind of data; of an explicit one, or one of beliefs, the distances of the pair."""
    name, resolution = built.input_premetric
    is_tables = built.kind is not None and built.kind.margins is not None
    kind = "strata" if is_tables else "integers" if isinstance(witness["x"], int) else "records"
    found: dict[str, Any] = {"name": name, "resolution": resolution, "data": kind}
    if (name in ("explicit", PUFFERFISH) or ":" in str(name)) and built.data is not None:
        found["name"] = "explicit"
        x, y = witness["x"], witness["x_prime"]
        both = ((a, b, built.data.input_premetric(freeze(a), freeze(b))) for a, b in ((x, y), (y, x)))
        found["distances"] = [[jsonable(a), jsonable(b), str(d)] for a, b, d in both if d is not None]
    return found


def _budget(budget: ClaimedBudget) -> dict[str, Any]:
    """The budget as one exact number, or as a curve."""
    if budget.curve is not None:
        return {"curve": [[str(level), str(power)] for level, power in budget.curve]}
    if budget.rho_squared is not None:
        return {"rho_squared": str(budget.rho_squared.value)}
    if budget.epsilon is not None:
        return {"epsilon": str(budget.epsilon.value)}
    if budget.loss is None or budget.loss.gamma is None:
        raise EngineError(f"a budget that is refuted must be a finite number; it is {budget.text}")
    if budget.loss.distance != 1:  # no rational; whoever exceeds more than it exceeds it
        return {"epsilon": str(Fraction(ceil(budget.loss.epsilon(_BOUND_DIGITS).upper * _UNIT), _UNIT))}
    return {"gamma": str(budget.loss.gamma)}
