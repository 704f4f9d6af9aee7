"""What holds at the head of a loop in every pass: linear facts about public variables, with their multipliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.alignment import premises
from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import Place, is_fixed
from stirred.verify.evidence.finding import EngineError

_SOLVER_MS = 20_000
_ENOUGH = 10**6
_CONSTANTS = range(-2, 3)

Shown = tuple[Fraction, dict[str, str]]
"""The least value of a goal, and the multipliers of the premises that show it."""


def solved(solver: Any) -> bool:
    """Whether what a solver was given can hold.

    Raises:
        EngineError: it does not know, or not in time: nothing weaker is taken instead.
    """
    answer = str(solver.check())
    if answer == "unknown":
        raise EngineError(f"the linear program was not solved: {solver.reason_unknown()}")
    return answer == "sat"


def fraction_of(model: Any, variable: Any) -> Fraction:
    """The value of a variable in a model."""
    value = model.eval(variable, model_completion=True)
    return Fraction(value.as_string())


def least_value(known: Sequence[Polynomial], goal: Polynomial) -> Shown | None:
    """The largest number that a combination of what is >= 0 shows to be at most the goal; None where there is none.

    By the lemma of Farkas: goal = number + sum of λ_i known_i with λ_i >= 0, compared by coefficients.

    Raises:
        EngineError: the solver gives no answer.
    """
    import z3  # noqa: PLC0415 slow to import

    if goal.number is not None:
        return goal.number, {}
    names, used = set(goal.names), []
    for _ in known:  # those that share a name with the goal, or with what is used already
        used = [k for k, one in enumerate(known) if one.names & names]
        names = names.union(*(known[k].names for k in used))
    solver = z3.Optimize()
    solver.set("timeout", _SOLVER_MS)
    factors = {k: z3.Real(f"f{k}") for k in used}
    solver.add(*(one >= 0 for one in factors.values()))
    monomials = {monomial for one in (goal, *(known[k] for k in used)) for monomial in one.terms}
    for monomial in sorted(monomials - {()}):
        terms = [z3.RealVal(str(n)) * factors[k] for k in used if (n := known[k].terms.get(monomial))]
        solver.add(
            z3.Sum(terms) == z3.RealVal(str(goal.terms.get(monomial, 0)))
            if terms
            else z3.BoolVal(monomial not in goal.terms)
        )
    number = goal.terms.get((), Fraction(0))
    rest = z3.RealVal(str(number)) - z3.Sum(
        [z3.RealVal(str(n)) * factors[k] for k in used if (n := known[k].terms.get(()))]
    )
    solver.add(rest <= _ENOUGH)  # where what is known can't all hold, any number is shown
    solver.maximize(rest)
    if not solved(solver):
        return None
    model = solver.model()
    found = {k: fraction_of(model, one) for k, one in factors.items()}
    least = number - sum((known[k].terms.get((), Fraction(0)) * factor for k, factor in found.items()), Fraction(0))
    return least, {str(k): str(factor) for k, factor in found.items() if factor}


def head_facts(graph: Graph) -> dict[Place, list[Polynomial]]:
    """At each head the largest set of facts, among those that its decisions suggest, that all paths keep (Houdini).

    Raises:
        EngineError: the solver gives no answer.
    """
    facts = {place: _candidates(graph, place) for place in graph.states}
    changed = True
    while changed:
        changed = False
        for edge in graph.edges:
            if edge.target is None or not facts[edge.target]:
                continue
            known = premises(graph, edge, facts[edge.source] if edge.source is not None else [])
            into = graph.into(edge)
            for fact in list(facts[edge.target]):
                shown = least_value(known, fact.at(into))
                if shown is None or shown[0] < 0:
                    facts[edge.target].remove(fact)
                    changed = True
    return {place: _smallest(found) for place, found in facts.items()}


def _candidates(graph: Graph, place: Place) -> list[Polynomial]:
    state = graph.states[place]
    known = state.changing - state.infinite
    found: dict[Polynomial, None] = {}
    for edge in graph.edges:
        if edge.source != place:
            continue
        for one in edge.path.decisions:
            if is_fixed(one.value, *known) and one.value.names & known:
                found |= dict.fromkeys(sign * one.value + k for sign in (1, -1) for k in _CONSTANTS)
    return list(found)


def _smallest(facts: Sequence[Polynomial]) -> list[Polynomial]:
    """Of facts that differ by a number the strongest."""
    differences: Mapping[Polynomial, list[Fraction]] = {
        one: [number for other in facts if (number := (one - other).number) is not None] for one in facts
    }
    return [one for one in facts if all(number <= 0 for number in differences[one])]


def shown_facts(graph: Graph, edge: Edge, facts: Mapping[Place, list[Polynomial]]) -> list[dict[str, str]]:
    """The multipliers for each fact at the target of a path.

    Raises:
        EngineError: a fact is not shown after all.
    """
    if edge.target is None:
        return []
    known = premises(graph, edge, facts[edge.source] if edge.source is not None else [])
    found = []
    for fact in facts[edge.target]:
        shown = least_value(known, fact.at(graph.into(edge)))
        if shown is None or shown[0] < 0:
            raise EngineError(f"the fact {fact} >= 0 is not kept")
        found.append(shown[1])
    return found
