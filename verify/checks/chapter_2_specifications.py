"""Evidence for dissertation, sections 2.4.1 to 2.4.3: specifications, their order, universes and invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from spec.arguments import InputError
from spec.closure import closure
from spec.domain import FiniteDomain
from spec.law import Law, uniform_law
from spec.loss import INFINITE, ZERO, Loss
from spec.multiverse import Multiverse, Universe, induced
from spec.output_premetrics import Multiplicative, OutputPremetric, TotalVariation
from spec.specification import ConstraintMatrix, Flavor, Specification
from verify.checks import appendix_d, section_2, section_2_losses, section_2_propositions
from verify.engines.algebra.comparison import Answer, stronger
from verify.engines.algebra.small_comparisons import SCOPE, TABLES, Case, described, implications, small_specifications
from verify.engines.algebra.small_domains import (
    LAWS,
    SmallestBudgets,
    Table,
    domain_of,
    invariants,
    kernels,
    multiverses,
    premetric,
    premetric_tables,
    refused_witness,
    specification,
    universes,
)
from verify.engines.exhaustive import universe_losses, violations
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_PURE = Multiplicative()

checks("specification.satisfied")(section_2.definition)
refutes("specification.satisfied", "0 x oo = 0")(section_2.definition_zero_at_infinity)
checks("loss.smallest")(section_2_losses.loss_attained)
refutes("loss.smallest", "twice the loss")(section_2_losses.loss_attained_twice)
checks("invariants.free")(section_2_propositions.release_free)
refutes("invariants.free", "the multiverse {X}")(section_2_propositions.release_free_in_one_universe)
checks("invariants.costly")(section_2_propositions.release_infinite)
refutes("invariants.costly", "d_X(x, x') may be oo")(section_2_propositions.release_infinite_at_infinity)
checks("invariants.positive-loss")(section_2_propositions.positive_budget)
refutes("invariants.positive-loss", "D_Mult^(1/4)")(section_2_propositions.positive_budget_without_metric)
checks("refinement.infimum-within")(appendix_d.budget_within)
refutes("refinement.infimum-within", "eps_D <= 2 inf{eps'_D'}")(appendix_d.budget_within_twice)
checks("refinement.infimum-above")(appendix_d.budget_above)
refutes("refinement.infimum-above", "eps'_D' >= inf{eps_D}/2")(appendix_d.budget_above_half)
checks("refinement.infima-nearby")(appendix_d.fewer_constraints)
refutes("refinement.infima-nearby", "for delta = ln 2 only")(appendix_d.fewer_constraints_with_slack)
checks("refinement.loss-direction.reversed")(section_2_losses.loss_may_increase)
checks("refinement.loss-direction.reversed")(section_2_losses.loss_monotone)
refutes("refinement.loss-direction.reversed", "D' subset of D")(section_2_losses.loss_monotone_reversed)


def _five_blocks(allowed: Callable[[FiniteDomain, Multiverse, Mapping[Universe, Any]], bool]) -> Evidence:
    """Whether exactly the collections of subsets with a budget for each are accepted as a specification."""
    scope = "X = {0, 1}, all collections of at most two subsets of {0, 1, 2}, budgets for each of these collections"
    domain = domain_of(2)
    subsets = universes(domain_of(3))
    families = [Multiverse(chosen) for size in range(3) for chosen in combinations(subsets, size)]
    table: Table = dict.fromkeys(permutations(range(3), 2), 1)
    for multiverse, named in product(families, repeat=2):
        budgets = dict.fromkeys(named, ZERO)
        try:
            Specification(Flavor(domain, multiverse, premetric(table), _PURE), budgets)
            accepted = True
        except InputError:
            accepted = False
        if accepted != allowed(domain, multiverse, budgets):
            note = f"universes {sorted(map(sorted, multiverse))}, budgets for {sorted(map(sorted, named))}"
            witness = formula_witness("accepted == held", accepted=int(accepted), held=1 - int(accepted), note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _inside(domain: FiniteDomain, multiverse: Multiverse) -> bool:
    return all(point in domain for universe in multiverse for point in universe)


@checks("specification.five-blocks")
def five_blocks() -> Evidence:
    """Definitions 2.4.1 and 2.4.2."""
    return _five_blocks(lambda domain, m, budgets: _inside(domain, m) and set(budgets) == set(m))


@refutes("specification.five-blocks", "universes may leave the domain")
def five_blocks_anywhere() -> Evidence:
    """The mutant without D ⊂ X."""
    return _five_blocks(lambda _, m, budgets: set(budgets) == set(m))


def _pushforward(law_of: Callable[[tuple[int, ...]], Law[int]]) -> Evidence:
    """Whether the law of T(x, U) gives an event the probability of the seeds that lead into it."""
    scope = "all functions from a uniform seed of three values to three outcomes, all events"
    for images in product(range(3), repeat=3):
        law = law_of(images)
        for event in universes(domain_of(3)):
            seeds = Fraction(sum(image in event for image in images), 3)
            if law.event(lambda t, event=event: t in event) != seeds:  # type: ignore[misc]
                note = f"T(x, .) = {images}, S = {sorted(event)}"
                found = law.event(lambda t, event=event: t in event)  # type: ignore[misc]
                return Evidence(
                    Verdict.REFUTED, scope, note, formula_witness("law == seeds", law=found, seeds=seeds, note=note)
                )
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("mechanism.pushforward")
def pushforward() -> Evidence:
    """Definition 2.4.3 as `Law.push` computes it."""
    return _pushforward(lambda images: uniform_law((0, 1, 2)).push(images.__getitem__))


@refutes("mechanism.pushforward", "the uniform law on the possible outputs")
def pushforward_uniform() -> Evidence:
    """The mutant that forgets how many seeds lead to an output."""
    return _pushforward(lambda images: uniform_law(tuple(dict.fromkeys(images))))


def _same_domain(needed: Callable[[Universe, FiniteDomain], bool]) -> Evidence:
    """Whether laws for a set of data sets are accepted exactly where a condition holds."""
    scope = "X = {0, 1, 2}, laws for each subset of {0, 1, 2, 3}, all multiverses of at most three universes"
    domain = domain_of(3)
    small = [m for m in multiverses(domain) if len(m) <= 3]
    for chosen, multiverse in product(universes(domain_of(4)), small):
        flavor = Flavor(domain, multiverse, premetric(TABLES[0]), _PURE)
        try:
            universe_losses(dict.fromkeys(chosen, LAWS[0]), flavor)
            accepted = True
        except InputError:
            accepted = False
        if accepted != needed(chosen, domain):
            note = f"laws for {sorted(chosen)}, universes {sorted(map(sorted, multiverse))}"
            witness = formula_witness("accepted == held", accepted=int(accepted), held=1 - int(accepted), note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("mechanism.same-domain")
def same_domain() -> Evidence:
    """Remark 2.4.7."""
    return _same_domain(lambda chosen, domain: chosen == set(domain))


@refutes("mechanism.same-domain", "laws for two data sets are enough")
def almost_same_domain() -> Evidence:
    """The mutant with a smaller domain."""
    return _same_domain(lambda chosen, _: len(chosen) >= 2)


@refutes("mechanism.same-domain", "laws for all data sets of X are enough, whatever else there is")
def larger_domain() -> Evidence:
    """The mutant with a larger domain."""
    return _same_domain(lambda chosen, domain: chosen >= set(domain))


def _grid(measure: OutputPremetric) -> list[ConstraintMatrix]:
    """Symmetric and one-sided matrices on three data sets with entries from a small grid."""
    values: tuple[Any, ...] = (ZERO, Loss(Fraction(2)), Loss(Fraction(4)), INFINITE)
    if isinstance(measure, TotalVariation):
        values = (Fraction(0), Fraction(1, 3), Fraction(2, 3), None)
    pairs = ((0, 1), (1, 2), (2, 0))
    return [
        ConstraintMatrix(domain_of(3), measure, dict(zip(pairs, chosen, strict=True)))
        for chosen in product(values, repeat=3)
    ]


def _decides(reach: Callable[[ConstraintMatrix], ConstraintMatrix]) -> Evidence:
    """Whether reach(C) ≤ C' says exactly when no mechanism separates; separating mechanisms are built and checked."""
    scope = (
        "D_Mult with entries in {0, ln 2, ln 4, oo}, D_TV with entries in {0, 1/3, 2/3, oo}: every third matrix on "
        "three data sets with one bound for each pair against all of them; all mechanisms"
    )
    for measure in (_PURE, TotalVariation()):
        matrices = _grid(measure)
        for first in matrices[::3]:
            reached = reach(first)
            for second in matrices:
                claimed = all(measure.at_most(_cut(measure, reached(*pair)), second(*pair)) for pair in second.entries)
                found = stronger(first, second)
                if (found.answer is Answer.YES) == claimed and found.answer is not Answer.UNDECIDED:
                    continue
                shown = [{f"{x},{y}": str(m(x, y)) for x, y in m.entries} for m in (first, second)]
                note = f"{measure.name}: C = {shown[0]}, C' = {shown[1]}: {found.reason}"
                answer = int(found.answer is Answer.YES)
                witness = formula_witness("stronger == at_most", stronger=answer, at_most=int(claimed), note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _cut(measure: OutputPremetric, bound: Any) -> Any:
    return Fraction(1) if isinstance(measure, TotalVariation) and bound is None else bound


@checks("order.closure-decides")
def closure_decides() -> Evidence:
    """The closure against the mechanisms that `stronger` finds, or shows not to exist."""
    return _decides(closure)


@refutes("order.closure-decides", "the matrix itself for its closure")
def matrix_decides() -> Evidence:
    """The mutant that compares the stated bounds."""
    return _decides(lambda matrix: matrix)


def _inverse(loss: Loss) -> Fraction:
    """e^−loss as a number for a witness; 0 for ∞."""
    return Fraction(0) if loss.gamma is None else 1 / loss.gamma


def _smaller() -> Iterator[Case]:
    """Each small specification, with one universe replaced by each of its proper subsets that is no universe yet."""
    for listed in small_specifications():
        claim = listed.claim
        for universe, subset in product(claim.budgets, universes(claim.flavor.domain)):
            if subset < universe and subset not in claim.budgets:
                budgets = {subset if u == universe else u: budget for u, budget in claim.budgets.items()}
                flavor = claim.flavor
                blocks = Flavor(flavor.domain, Multiverse(budgets), flavor.input_premetric, flavor.output_premetric)
                yield listed, Specification(blocks, budgets)
        if len(claim.flavor.domain) > 2:
            return


@checks("universes.smaller-strictly")
def smaller_strictly() -> Evidence:
    """The sentence as printed."""
    for listed, cut in _smaller():
        if stronger(cut, listed.matrix).answer is Answer.YES:
            detail = f"{described(listed.claim)} and {described(cut)}: no mechanism of the second breaks the first"
            note = f"{detail}; e^-bound between 0 and 1 in each, implied bounds too, 0 for oo"
            old, new = (_inverse(closure(one.matrix())(0, 1)) for one in (listed.claim, cut))
            return Evidence(Verdict.REFUTED, SCOPE, detail, formula_witness("new < old", new=new, old=old, note=note))
    return Evidence(Verdict.EXHAUSTED, SCOPE)


@checks("universes.smaller-weakly")
def smaller_weakly() -> Evidence:
    """Old in new; and strictly iff the new closure exceeds the old matrix."""
    found = implications(_smaller(), _TWO_ONLY)
    if found.verdict is not Verdict.EXHAUSTED:
        return found
    for listed, cut in _smaller():
        closed = closure(cut.matrix())
        exceeds = any(not closed(x, y) <= bound for (x, y), bound in listed.matrix.entries.items() if x != y)
        if (stronger(cut, listed.matrix).answer is Answer.YES) == exceeds:
            note = f"{described(listed.claim)} and {described(cut)}"
            witness = formula_witness("strict == exceeds", strict=1 - int(exceeds), exceeds=int(exceeds), note=note)
            return Evidence(Verdict.REFUTED, _TWO_ONLY, note, witness)
    return found


_TWO_ONLY = "D_Mult, all mechanisms; all multiverses on two data sets, all budgets in {0, ln 2, oo}, five premetrics"


@refutes("universes.smaller-weakly", "replaced by a larger set")
def larger_weakly() -> Evidence:
    """The mutant with the sets exchanged."""
    cases = ((type(listed)(cut, cut.matrix()), listed.claim) for listed, cut in _smaller())
    return implications(cases, _TWO_ONLY)


def _positive_margins(tabulate: Callable[[Any], Any]) -> Evidence:
    """Whether tables share a universe iff they have the same margins."""
    scope = "all 2 x 2 and 1 x 3 tables of integers from 0 to 2 and from 1 to 3, all 2 x 3 tables of 0, 1 and of 1, 2"
    shapes = [(rows, columns, least) for rows, columns in ((2, 2), (1, 3), (2, 3)) for least in (0, 1)]
    for rows, columns, least in shapes:
        cells = product(range(least, least + (3 if rows * columns < 6 else 2)), repeat=rows * columns)
        tables = tuple(tuple(c[i * columns : (i + 1) * columns] for i in range(rows)) for c in cells)
        for universe in induced(FiniteDomain(tables), tabulate):
            margins = {(tuple(map(sum, x)), tuple(map(sum, zip(*x, strict=True)))) for x in universe}
            x = min(universe)
            same = sum((tuple(map(sum, y)), tuple(map(sum, zip(*y, strict=True)))) in margins for y in tables)
            if len(margins) > 1 or same != len(universe):
                note = f"x = {x}: data sets compared, and those with its margins"
                own = sum(tuple(map(sum, y)) == tuple(map(sum, x)) for y in universe)
                witness = formula_witness("margins == 1", margins=len(margins), own=own, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.margins.positive")
def positive_margins() -> Evidence:
    """Example 2.4.10, (2.5)."""
    return _positive_margins(lambda x: (*map(sum, zip(*x, strict=True)), *map(sum, x)))


@refutes("invariants.margins.positive", "the row margins alone")
def positive_row_margins() -> Evidence:
    """The mutant without the column margins."""
    return _positive_margins(lambda x: tuple(map(sum, x)))


def _unprotected(fits: Callable[[Mapping[int, int]], bool]) -> Evidence:
    """Whether every mechanism satisfies the PLB 0 on the multiverse induced by c."""
    scope = (
        "D_Mult, all invariants on three data sets, all mechanisms with 6 laws up to relabelling, d in {0, 1}, eps = 0"
    )
    domain = domain_of(3)
    for c in filter(fits, invariants(domain)):
        for table, kernel in product(premetric_tables(domain, (0, 1)), kernels(domain)):
            laws = {x: LAWS[i] for x, i in enumerate(kernel)}
            claim = specification(domain, dict.fromkeys(induced(domain, c.__getitem__), ZERO), table)
            broken = next(violations(laws, claim), None)
            if broken is not None:
                witness = refused_witness(laws[broken.first], laws[broken.second], ZERO, f"c = {dict(c)}")
                return Evidence(Verdict.REFUTED, scope, f"c = {dict(c)}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.singletons-unprotected")
def unprotected() -> Evidence:
    """Injective c."""
    return _unprotected(lambda c: len(set(c.values())) == len(c))


@refutes("invariants.singletons-unprotected", "two data sets may share their invariants")
def unprotected_almost() -> Evidence:
    """The mutant with a universe of two."""
    return _unprotected(lambda c: len(set(c.values())) == len(c) - 1)


@checks("refinement.loss-direction")
def loss_direction() -> Evidence:
    """The sentence as printed, with D' ⊂ D: is there a mechanism whose loss is strictly larger at such a D'?"""
    scope = "D_Mult, four data sets, all nested invariants, all mechanisms with 6 laws, d = 1; all D' subset of D"
    domain, needed = domain_of(4), SmallestBudgets(_PURE)
    table: Table = dict.fromkeys(permutations(range(4), 2), 1)
    largest, shown = ZERO, ""
    for coarse, fine in product(invariants(domain), repeat=2):
        finer, coarser = induced(domain, fine.__getitem__), induced(domain, coarse.__getitem__)
        if set(finer) == set(coarser) or not finer.refines(coarser):
            continue
        inside = [(one, other) for one, other in product(finer, coarser) if other <= one]
        for kernel, (larger, smaller) in product(kernels(domain), inside):
            after, before = (needed.of(one, kernel, table) for one in (smaller, larger))
            if after > before:
                return Evidence(Verdict.EXHAUSTED, scope, f"c = {dict(fine)}, c' = {dict(coarse)}")
            value = needed.values[after]
            if after == before and not value.is_infinite and value > largest:
                laws = [dict(LAWS[i]) for i in kernel]
                largest, shown = value, f"c = {dict(fine)}, c' = {dict(coarse)}, laws {laws}, D = {sorted(larger)}"
    detail = f"eps'_D' > eps_D for no mechanism: such a D' is D itself, as at {shown}"
    gamma = largest.gamma
    witness = formula_witness("after > before", after=gamma, before=gamma, note=f"{detail}; the largest finite e^eps")
    return Evidence(Verdict.REFUTED, scope, detail, witness)
