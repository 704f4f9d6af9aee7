"""Evidence for dissertation, sections A.3 and A.4.2: what d_X says of the multiverse, and the multiverse of d_X."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

from spec.input_premetric import Distance, InputPremetric
from spec.loss import INFINITE
from spec.multiverse import Multiverse, Universe, vacuous
from spec.order import common_refinement, hidden_invariants, inside_hidden_invariants, into_premetric
from spec.specification import Flavor, Specification
from verify.engines.algebra.small_comparisons import (
    CONSTANT_SCOPE,
    SCOPE,
    constant,
    same_mechanisms,
    small_specifications,
)
from verify.engines.algebra.small_domains import Table, domain_of, multiverses, premetric, premetric_tables
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Rewritten = Callable[[Specification], Specification]


def _rewrites(rewritten: Rewritten, *, varying: bool) -> Evidence:
    """Whether a rewritten specification always has the same mechanisms."""
    cases = ((one, rewritten(one.claim)) for one in small_specifications(varying=varying))
    return same_mechanisms(cases, SCOPE if varying else CONSTANT_SCOPE)


def _with(
    claim: Specification, budgets: Mapping[Universe, Any], distance: InputPremetric | None = None
) -> Specification:
    flavor = claim.flavor
    blocks = Flavor(flavor.domain, Multiverse(budgets), distance or flavor.input_premetric, flavor.output_premetric)
    return Specification(blocks, budgets)


def _around(claim: Specification, piece: Universe) -> list[Any]:
    """The budgets of the universes around a set."""
    return [budget for universe, budget in claim.budgets.items() if piece <= universe]


def _cut(claim: Specification, pieces: Multiverse, pick: Callable[[list[Any]], Any]) -> Specification:
    """The intersections of the universes with other sets; each has a budget picked among those around it."""
    met = common_refinement(claim.flavor.multiverse, pieces)
    return _with(claim, {piece: pick(_around(claim, piece)) for piece in met})


def _met(claim: Specification, pieces: Multiverse, pick: Callable[[list[Any]], Any]) -> Specification:
    """The intersections of the universes with other sets; each has a budget picked among those that give it."""
    budgets: dict[Universe, list[Any]] = {}
    for universe, budget in claim.budgets.items():
        for piece in pieces:
            if met := universe & piece:
                budgets.setdefault(met, []).append(budget)
    return _with(claim, {met: pick(given) for met, given in budgets.items()})


def _smallest(budgets: list[Any]) -> Any:
    return min(budgets, default=INFINITE)


@checks("multiverse.in-premetric", "multiverse.in-premetric.zero-diagonal")
def in_premetric() -> Evidence:
    """Proposition A.3.1 as printed."""
    return _rewrites(into_premetric, varying=False)


def _far_doubled(claim: Specification) -> Specification:
    flavor = claim.flavor

    def distance(x: Any, y: Any) -> Distance:
        d = flavor.input_premetric(x, y)
        return d if d is None or flavor.multiverse.compares(x, y) else 2 * d

    changed = InputPremetric("doubled", "unit", distance)
    return _with(claim, dict.fromkeys(vacuous(flavor.domain), constant(claim)), changed)


@refutes("multiverse.in-premetric", "2 d_X for oo where no universe holds both")
@refutes("multiverse.in-premetric.zero-diagonal", "2 d_X for oo where no universe holds both")
def in_premetric_doubled() -> Evidence:
    """The mutant with a larger but finite distance."""
    return _rewrites(_far_doubled, varying=False)


def _is_premetric(diagonal: Callable[[Multiverse, int], Distance]) -> Evidence:
    """Whether the premetric that a multiverse gives has distance 0 from every data set to itself."""
    scope = "all multiverses on one to three data sets"
    for size in range(1, 4):
        for multiverse in multiverses(domain_of(size)):
            for x in range(size):
                value = diagonal(multiverse, x)
                if value != 0:
                    shown = sorted(map(sorted, multiverse))
                    note = f"universes {shown}: 1/(1 + d(x, x)) at x = {x}, which is 0 at d = oo"
                    near = Fraction(0) if value is None else 1 / (1 + Fraction(value))
                    witness = formula_witness("near == 1", near=near, note=note)
                    return Evidence(Verdict.REFUTED, scope, f"universes {shown}, d({x}, {x}) = oo", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("multiverse.in-premetric.bare")
def bare_premetric() -> Evidence:
    """The display as printed: ∞ where no universe holds x and x'."""
    return _is_premetric(lambda multiverse, x: 0 if multiverse.compares(x, x) else None)


def _finite_pairs(claim: Specification) -> Multiverse:
    d, points = claim.flavor.input_premetric, claim.flavor.domain.points
    return Multiverse(dict.fromkeys(frozenset((x, y)) for x in points for y in points if d(x, y) is not None))


def _whole(claim: Specification) -> Specification:
    return _with(claim, dict.fromkeys(vacuous(claim.flavor.domain), constant(claim)))


def _from_whole(pieces: Callable[[Specification], Multiverse]) -> Evidence:
    """Whether {𝒳} has the mechanisms of another multiverse, for constant budgets."""
    wholes = (one for one in small_specifications(varying=False) if len(one.claim.flavor.multiverse) == 1)
    cases = (
        (one, _with(one.claim, dict.fromkeys(pieces(one.claim), constant(one.claim))))
        for one in wholes
        if one.claim.flavor.domain.points in map(tuple, map(sorted, one.claim.flavor.multiverse))
    )
    return same_mechanisms(
        cases, "D_Mult, all mechanisms; {X} on two data sets with eps in {0, ln 2, oo}, on three with ln 2"
    )


@checks("multiverse.pairs")
def pairs() -> Evidence:
    """Proposition A.3.2, first display."""
    return _from_whole(_finite_pairs)


@refutes("multiverse.pairs", "0 < d_X(x, x') < oo")
def pairs_apart() -> Evidence:
    """The mutant without the pairs at distance 0."""

    def positive(claim: Specification) -> Multiverse:
        d = claim.flavor.input_premetric
        return Multiverse(
            pair for pair in _finite_pairs(claim) if any(d(x, y) not in (0, None) for x in pair for y in pair)
        )

    return _from_whole(positive)


@checks("multiverse.self-intersections")
def self_intersections() -> Evidence:
    """Proposition A.3.2, second display, with both D_0 and D in multiverse_0."""
    return _rewrites(lambda claim: _cut(claim, claim.flavor.multiverse, _smallest), varying=True)


@refutes("multiverse.self-intersections", "sup for inf")
def self_intersections_largest() -> Evidence:
    """The mutant with the largest budget around."""
    return _rewrites(lambda claim: _cut(claim, claim.flavor.multiverse, max), varying=True)


@checks("multiverse.pairs-inside")
def pairs_inside() -> Evidence:
    """Proposition A.3.2, second display, as its proof reads it."""
    return _rewrites(lambda claim: _cut(claim, _finite_pairs(claim), _smallest), varying=True)


@refutes("multiverse.pairs-inside", "sup for inf")
def pairs_inside_largest() -> Evidence:
    """The mutant with the largest budget around."""
    return _rewrites(lambda claim: _cut(claim, _finite_pairs(claim), max), varying=True)


@checks("multiverse.hidden-invariants")
def hidden() -> Evidence:
    """Proposition A.3.3, first display."""
    return _from_whole(lambda claim: hidden_invariants(claim.flavor.input_premetric, claim.flavor.domain))


@refutes("multiverse.hidden-invariants", "classes joined by distances below 1 for below oo")
def hidden_near() -> Evidence:
    """The mutant with smaller classes."""

    def near(claim: Specification) -> Multiverse:
        d = claim.flavor.input_premetric
        zero = InputPremetric("near", "unit", lambda x, y: 0 if d(x, y) == 0 else None)
        return hidden_invariants(zero, claim.flavor.domain)

    return _from_whole(near)


@checks("multiverse.hidden-inside")
def hidden_inside() -> Evidence:
    """Proposition A.3.3, second display, with the budget ε_D of some D_0 that gives D_0 ∩ D: the largest one."""
    return _rewrites(lambda claim: _met(claim, _classes(claim), max), varying=True)


def _classes(claim: Specification) -> Multiverse:
    return hidden_invariants(claim.flavor.input_premetric, claim.flavor.domain)


@checks("multiverse.hidden-inside.infimum")
def hidden_inside_infimum() -> Evidence:
    """With the infimum."""
    return _rewrites(inside_hidden_invariants, varying=True)


@refutes("multiverse.hidden-inside.infimum", "sup for inf")
def hidden_inside_largest() -> Evidence:
    """The mutant with the largest budget around."""
    return _rewrites(lambda claim: _cut(claim, _classes(claim), max), varying=True)


def _changes(claimed: Callable[[Multiverse, Multiverse], bool], *, exactly: bool, with_empty: bool = False) -> Evidence:
    """Whether multiverse_1 ≠ multiverse_0 follows from, or is equivalent to, a condition on (multiverse_0, classes)."""
    scope = "all multiverses on one to three data sets, all premetrics in {0, oo}"
    if not with_empty:
        scope = f"{scope}; the empty set is no universe"
    for size in range(1, 4):
        domain = domain_of(size)
        for table in premetric_tables(domain, (0, None)):
            classes = hidden_invariants(premetric(table), domain)
            for multiverse in multiverses(domain):
                if frozenset() in multiverse and not with_empty:
                    continue
                differs = set(common_refinement(multiverse, classes)) != set(multiverse)
                condition = claimed(multiverse, classes)
                if condition == differs or (differs and not exactly):
                    continue
                note = f"universes {sorted(map(sorted, multiverse))}, classes {sorted(map(sorted, classes))}"
                witness = formula_witness(
                    "differs == condition", differs=int(differs), condition=int(condition), note=note
                )
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _component_outside(multiverse: Multiverse, classes: Multiverse) -> bool:
    """Whether some universe has a connected component that is no universe."""
    return any(universe & one and (universe & one) not in multiverse for universe in multiverse for one in classes)


def _meets_two(multiverse: Multiverse, classes: Multiverse) -> bool:
    return any(sum(bool(universe & one) for one in classes) > 1 for universe in multiverse)


@checks("multiverse.hidden-changes")
def hidden_changes() -> Evidence:
    """Proposition A.3.3, last part."""
    return _changes(_component_outside, exactly=False, with_empty=True)


@refutes("multiverse.hidden-changes", "some class of d_X is no universe")
def hidden_changes_by_class() -> Evidence:
    """The mutant that looks at the classes themselves."""
    return _changes(lambda multiverse, classes: any(one not in multiverse for one in classes), exactly=False)


@checks("multiverse.hidden-changes-iff")
def hidden_changes_iff() -> Evidence:
    """The equivalence at the end of the proof."""
    return _changes(_component_outside, exactly=True)


@checks("multiverse.hidden-changes-iff.within")
def hidden_changes_iff_within() -> Evidence:
    """With the right condition."""
    return _changes(_meets_two, exactly=True)


@refutes("multiverse.hidden-changes-iff.within", "the empty set may be a universe")
def hidden_changes_with_empty() -> Evidence:
    """The mutant without the assumption."""
    return _changes(_meets_two, exactly=True, with_empty=True)


def _component_classes(claim: Specification) -> Multiverse:
    return Multiverse(claim.flavor.components())


@checks("components.meets")
def meets() -> Evidence:
    """Proposition A.4.2, i = 1, with the budget ε_D of some D that gives D ∩ [x]: the largest one."""
    return _rewrites(lambda claim: _met(claim, _component_classes(claim), max), varying=True)


@checks("components.meets.smallest")
def meets_smallest() -> Evidence:
    """With the smallest budget of a D that gives it."""
    return _rewrites(lambda claim: _met(claim, _component_classes(claim), _smallest), varying=True)


@refutes("components.meets.smallest", "the budget of the last D that gives it, for the smallest")
def meets_last() -> Evidence:
    """The mutant that picks one of the budgets."""
    return _rewrites(lambda claim: _met(claim, _component_classes(claim), lambda given: given[-1]), varying=True)


@checks("components.meets.infimum")
def meets_infimum() -> Evidence:
    """With the infimum of the budgets around."""
    return _rewrites(lambda claim: _cut(claim, _component_classes(claim), _smallest), varying=True)


@refutes("components.meets.infimum", "sup for inf")
def meets_largest() -> Evidence:
    """The mutant with the largest budget around."""
    return _rewrites(lambda claim: _cut(claim, _component_classes(claim), max), varying=True)


def _component_pairs(claim: Specification) -> Multiverse:
    return Multiverse(dict.fromkeys(frozenset((x, y)) for one in claim.flavor.components() for x in one for y in one))


@checks("components.pairs")
def component_pairs() -> Evidence:
    """Proposition A.4.2, i = 2, with a constant budget."""
    return _rewrites(lambda claim: _with(claim, dict.fromkeys(_component_pairs(claim), constant(claim))), varying=False)


@checks("components.pairs.infimum")
def component_pairs_infimum() -> Evidence:
    """With the infimum, ∞ for pairs without a universe."""
    return _rewrites(
        lambda claim: _with(claim, {pair: _smallest(_around(claim, pair)) for pair in _component_pairs(claim)}),
        varying=True,
    )


@refutes("components.pairs.infimum", "the largest budget around")
def component_pairs_largest() -> Evidence:
    """The mutant with the supremum."""
    return _rewrites(
        lambda claim: _with(
            claim, {pair: max(_around(claim, pair), default=INFINITE) for pair in _component_pairs(claim)}
        ),
        varying=True,
    )


def _vacuous(fits: Callable[[Multiverse, Table], bool]) -> Evidence:
    """Whether a multiverse of a kind has the mechanisms of {𝒳}, for every constant budget."""
    cases = ((one, _whole(one.claim)) for one in small_specifications(varying=False) if fits(*_blocks(one.claim)))
    return same_mechanisms(cases, CONSTANT_SCOPE)


def _blocks(claim: Specification) -> tuple[Multiverse, Table]:
    flavor = claim.flavor
    return flavor.multiverse, {pair: flavor.input_premetric(*pair) for pair in permutations(flavor.domain, 2)}


@checks("multiverse.vacuous")
def vacuous_multiverse() -> Evidence:
    """The definition in section 2.4.3, and what it is for."""
    return _vacuous(lambda m, table: all(m.compares(x, y) for (x, y), d in table.items() if d is not None))


@refutes("multiverse.vacuous", "0 < d_X(x, x') < oo for d_X(x, x') < oo")
def vacuous_but_for_zero() -> Evidence:
    """The mutant that forgets the pairs at distance 0."""
    return _vacuous(lambda m, table: all(m.compares(x, y) for (x, y), d in table.items() if d))
