"""Certificates of an exhaustive audit: what `evidence.certificates.check`, which knows nothing of us, can check again.

A certificate has the laws of every data set, from choice trees where the mechanism is the user's own, and the claim's
blocks. Every one is checked here before it is given away.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import NormalizedRenyi, OutputPremetric, RealValued, Tradeoff
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.exhaust.found import Exhaustion
from stirred.verify.audit.refutation import worst_pair
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.zcdp.order_cover import order_cover
from stirred.verify.evidence.certificates.check import DISTANCES, FORMAT, CertificateError, check
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.messages import weight_text
from stirred.verify.laws.plain import plain_text

Certificate = dict[str, Any]

_UNDECIDED = {
    "100000 times": "the independent checker takes no bound of more than 100000: state distances in a larger unit, and "
    "the budget for it",
    "is not shown": "the independent checker does not decide a bound that is just met",
}
"""What its refusals say where it knows no answer, and what that means for a claim."""


class NoCertificateError(Exception):
    """Why there is no certificate."""


def certificates(under: ClaimUnderAudit) -> tuple[Certificate, ...]:
    """A certificate for each setting of a claim's mechanism.

    Raises:
        NoCertificateError: there is none for a setting; the message says why.
        EngineError: a certificate is not confirmed.
    """
    if not under.tried:
        raise NoCertificateError("the claim is about numbers alone")
    found = tuple(_certificate(under.built, case, exhaustion) for case, exhaustion in under.tried)
    for one in found:
        try:
            check(one)
        except CertificateError as error:
            for refusal, meaning in _UNDECIDED.items():
                if refusal in str(error):
                    raise NoCertificateError(meaning) from None
            raise EngineError(f"{under.built.id}: its certificate is not confirmed: {error}") from None
    return found


def _certificate(built: PrivacyClaim, case: Case, exhaustion: Exhaustion | None) -> Certificate:
    if exhaustion is None or exhaustion.compared is None:
        raise NoCertificateError("no finite exact laws were listed and compared pair by pair")
    if case.budget is None:
        raise NoCertificateError("no budget is stated in numbers")
    comparison, verdict = exhaustion.compared, exhaustion.test(case.budget).verdict
    if verdict is Verdict.OPEN:
        raise NoCertificateError("the claim is undecided")
    flavor = comparison.flavor
    points = flavor.domain.points
    texts = [plain_text(point) for point in points]
    place = {point: index for index, point in enumerate(points)}
    outputs, rows, laws = _laws(comparison, exhaustion.trees)
    mechanism = built.mechanism
    found: Certificate = {
        "format": FORMAT,
        "claim": built.id,
        "statement": built.statement,
        "mechanism": "" if mechanism is None else mechanism.described(case.setting) or str(mechanism.name),
        "data_sets": texts,
        "universes": sorted(sorted(place[point] for point in universe) for universe in flavor.multiverse),
        "distance": _distance(comparison, texts),
        "output_premetric": _measure(flavor.output_premetric),
        "budget": _budget(case.budget),
        "outputs": outputs,
        "weights": rows,
        "laws": laws,
    }
    if verdict is Verdict.REFUTED:
        return {**found, "verdict": _exceeded(comparison, exhaustion, outputs)}
    if isinstance(flavor.output_premetric, NormalizedRenyi):
        found["orders"] = _orders(comparison, case.budget)
    return {**found, "verdict": {"met": True}}


def _laws(
    comparison: ComparedLaws, tree: Callable[[Any], ChoiceTree] | None
) -> tuple[list[str], list[list[str]], list[dict[str, Any]]]:
    """The outputs, the rows of weights, and the law of each data set."""
    outputs: dict[Any, int] = {}
    rows: dict[tuple[Any, ...], int] = {}
    laws: list[dict[str, Any]] = []
    for point in comparison.flavor.domain.points:
        if tree is None:
            law = comparison.laws[point]
            named = [[outputs.setdefault(t, len(outputs)), str(law.numeric(t))] for t in law]
            laws.append({"probabilities": named})
            continue
        followed = tree(point)
        numbers = [rows.setdefault(tuple(row), len(rows)) for row in followed.weights]
        results = [outputs.setdefault(t, len(outputs)) for t in followed.outputs]
        laws.append({"tree": list(followed.nodes), "rows": numbers, "results": results})
    return list(outputs), [[weight_text(weight) for weight in row] for row in rows], laws


def _orders(comparison: ComparedLaws, budget: ClaimedBudget) -> list[str]:
    rho_squared = Fraction(0) if budget.rho_squared is None else budget.rho_squared.value
    bounds: dict[tuple[Law[Any], Law[Any]], Fraction] = {}
    for universe in comparison.flavor.multiverse:
        for x, y in permutations(universe, 2):
            d = comparison.flavor.input_premetric(x, y)
            if d is not None:
                for p, q in permutations((comparison.laws[x], comparison.laws[y])):
                    bounds[p, q] = min(rho_squared * d * d, bounds.get((p, q), rho_squared * d * d))
    found = order_cover([(p, q, bound) for (p, q), bound in bounds.items()])
    if found is None:
        raise NoCertificateError("no finite list of Renyi orders shows the budget, as where it is just met")
    return [str(order) for order in found]


def _exceeded(comparison: ComparedLaws, exhaustion: Exhaustion, outputs: Sequence[str]) -> dict[str, Any]:
    """The pair that needs most, with the event that shows it."""
    flavor, pair = comparison.flavor, exhaustion.needing
    if pair is None or isinstance(flavor.output_premetric, NormalizedRenyi):
        raise NoCertificateError("a refuted budget of zCDP has its witness alone")
    worst = worst_pair(comparison.laws, flavor.output_premetric, pair, flavor.input_premetric)
    ends = [flavor.domain.index(worst.x), flavor.domain.index(worst.x_prime)]
    return {"exceeded": ends, "event": [outputs.index(str(t)) for t in worst.event]}


def _distance(comparison: ComparedLaws, texts: Sequence[str]) -> dict[str, Any]:
    """By name where the checker computes the same from the texts, else as a list."""
    flavor = comparison.flavor
    place = {point: index for index, point in enumerate(flavor.domain.points)}
    pairs: dict[tuple[int, int], Distance] = {}
    for universe in flavor.multiverse:
        for x, y in permutations(universe, 2):
            pairs[place[x], place[y]] = flavor.input_premetric(x, y)
    name = flavor.input_premetric.name
    if name in DISTANCES and _is_computed(name, texts, pairs):
        return {"name": name}
    listed = f"{name}, listed" if name in DISTANCES else name  # the checker computes what has one of its names
    return {"name": listed, "pairs": [[i, j, str(d)] for (i, j), d in sorted(pairs.items()) if d is not None]}


def _is_computed(name: str, texts: Sequence[str], pairs: Mapping[tuple[int, int], Distance]) -> bool:
    try:
        records = [ast.literal_eval(text) for text in texts]
    except (ValueError, SyntaxError):
        return False
    known = DISTANCES[name]
    return all(isinstance(one, tuple) for one in records) and all(
        known(records[i], records[j]) == d for (i, j), d in pairs.items()
    )


def _measure(measure: OutputPremetric) -> dict[str, str]:
    if isinstance(measure, Tradeoff):
        raise NoCertificateError("there is no certificate for trade-off functions")
    if isinstance(measure, RealValued):
        raise NoCertificateError(f"there is no certificate for the output premetric {measure.name!r}")
    return {"name": measure.name, **{key: str(value) for key, value in measure.parameters.items()}}


def _budget(budget: ClaimedBudget) -> dict[str, str]:
    if budget.rho_squared is not None:
        return {"rho_squared": str(budget.rho_squared.value)}
    if budget.epsilon is not None:
        return {"epsilon": str(budget.epsilon.value)}
    if budget.loss is None or budget.loss.gamma is None:
        raise NoCertificateError("an infinite budget claims nothing")
    return {"gamma": str(budget.loss.gamma), "root": str(budget.loss.distance)}
