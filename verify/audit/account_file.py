"""Accounts in claim files: releases under named flavors, their conversions, and the printed total beside their sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from spec.accounts import Measure, NamedFlavor, Premetric, Reach, Release, compose, post_process, release, take_sample
from spec.conversions import (
    Rule,
    to_approximate,
    to_bounded,
    to_contributors,
    to_unbounded,
    to_unit,
    to_zero_concentrated,
    with_invariants,
)
from spec.enclosure import Enclosure, decimal_text
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.audit.budget_cover import cover_evidence
from verify.audit.claim_budget import CONVERSION, ClaimedConversion, claimed_conversion
from verify.audit.claim_table import Block
from verify.audit.five_blocks import FiveBlocks, StatedBlock
from verify.engines.exact_text import exact_text, printed_exactly
from verify.engines.printed_number import Printed, compare
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness

__all__ = ["Account", "account_blocks", "account_budgets", "account_evidence", "account_steps", "build_account"]

_FLAVOR_KEYS = ("domain", "invariants", "neighbors", "unit", "holds_for")
_NEIGHBORS = {"bounded": Premetric.BOUNDED, "unbounded": Premetric.UNBOUNDED}
_REACHES = {reach.value: reach for reach in Reach}
_RULES = {"printed": Rule.PRINTED, "smallest": Rule.SMALLEST}
_CONVERSIONS: Mapping[str, tuple[str, ...]] = {
    "bounded": (),
    "unbounded": (),
    "unit": ("unit", "factor", "reason"),
    "contributors": ("duplicates",),
    "invariants": ("invariants",),
    "zero_concentrated": (),
    "approximate": ("delta", "rule"),
    "sampled": ("sample", "rate", "domain", "membership"),
}
"""The keys of each conversion besides `to`."""

_OUTPUT_PREMETRICS = {
    Measure.PURE: "D_Mult (pure differential privacy)",
    Measure.ZERO_CONCENTRATED: "D_NoR (zero-concentrated differential privacy)",
    Measure.APPROXIMATE: "D_Mult^delta (approximate differential privacy)",
}


@dataclass(frozen=True)
class Account:
    """An account after validation: the releases have been converted and added.

    Attributes:
        parts: the releases, each after its conversions.
        whole: all of them together.
        covered: what is derived from them and costs nothing, by name.
        total: the total as a budget, which has to cover the sum; None where it is only printed, or not stated.
        printed: the total as printed, compared with the sum at its printed precision.
        converted: ε and δ, with the rule that is said to give them.
    """

    parts: tuple[Release, ...]
    whole: Release
    covered: tuple[Release, ...]
    total: Printed | None
    printed: Printed | None
    converted: tuple[ClaimedConversion, Rule] | None


def build_account(block: Block) -> Account:
    """The account of a claim file.

    Raises:
        InputError: a key is unknown or malformed, a budget is negative or inexact, δ is outside (0, 1), a conversion
            does not apply or needs a budget for all pairs of a universe, or releases of different flavors are added;
            the message names the file and the key.
    """
    block.only(("releases", "total", "printed", "converted", "post_processed", *_FLAVOR_KEYS))
    parts = tuple(_release(part, block) for part in block.tables("releases"))
    whole: Release = block.within("releases", lambda: compose("the account", *parts))
    names = block.names("post_processed") if "post_processed" in block else ()
    covered = tuple(post_process(name, whole) for name in names)
    if "total" in block and "printed" in block:
        raise block.refuse("printed", "must not stand beside total: a total is compared as printed, and as a budget")
    total = block.printed("total") if "total" in block else None
    printed = block.printed("printed") if "printed" in block else total
    return Account(parts, whole, covered, total, printed, _converted(block, whole))


def _converted(block: Block, whole: Release) -> tuple[ClaimedConversion, Rule] | None:
    if "converted" not in block:
        return None
    if whole.flavor.measure is not Measure.ZERO_CONCENTRATED or whole.exact_budget is None:
        raise block.refuse("converted", "belongs to an exact rho^2")
    inner = block.table("converted").only(("epsilon", "printed", "delta", "rule"))
    return claimed_conversion(inner), _RULES[inner.one_of("rule", tuple(_RULES))]


def _release(part: Block, account: Block) -> Release:
    """One release, its flavor completed from the account's and its conversions applied in order."""
    part.only(("name", "rho_squared", "epsilon", "delta", "conversions", *_FLAVOR_KEYS))
    name = part.text("name")
    given = [key for key in ("rho_squared", "epsilon") if key in part]
    if len(given) != 1:
        raise part.refuse(
            "rho_squared", f"or epsilon must be given, one of them; got {' and '.join(given) or 'neither'}"
        )
    if "delta" in part and given[0] == "rho_squared":
        raise part.refuse("delta", "belongs to epsilon")
    measure = Measure.ZERO_CONCENTRATED if given[0] == "rho_squared" else Measure.PURE
    delta = _delta(part) if "delta" in part else Fraction(0)
    if "delta" in part:
        measure = Measure.APPROXIMATE
    key, amount = given[0], part.exact(given[0])
    if amount < 0:
        raise part.refuse(key, f"must be non-negative; got {part.values[key]}")
    current = release(name, _flavor(part, account, measure), amount, delta, reach=_reach(part, account))
    for conversion in part.tables("conversions") if "conversions" in part else ():
        current = _applied(conversion, current)
    return current


def _delta(block: Block) -> Fraction:
    delta = block.exact("delta")
    if not 0 < delta < 1:
        raise block.refuse("delta", f"must be between 0 and 1, exclusive; got {block.values['delta']}")
    return delta


def _reach(part: Block, account: Block) -> Reach:
    holder = part if "holds_for" in part else account
    return _REACHES[holder.one_of("holds_for", tuple(_REACHES))] if "holds_for" in holder else Reach.NEIGHBORS


def _flavor(part: Block, account: Block, measure: Measure) -> NamedFlavor:
    def holder(key: str) -> Block:
        return part if key in part else account

    neighbors = holder("neighbors").one_of("neighbors", tuple(_NEIGHBORS))
    return NamedFlavor(
        holder("domain").text("domain"),
        frozenset(holder("invariants").names("invariants")),
        _NEIGHBORS[neighbors],
        holder("unit").text("unit"),
        measure,
    )


def _applied(block: Block, source: Release) -> Release:
    """A release after one conversion."""
    kind = block.one_of("to", tuple(_CONVERSIONS))
    block.only(("to", *_CONVERSIONS[kind]))
    convert = _conversion(kind, block)
    result: Release = block.within("to", lambda: convert(source))
    return result


def _conversion(kind: str, block: Block) -> Callable[[Release], Release]:
    """The conversion that a block asks for, its other keys read."""
    match kind:
        case "bounded":
            return to_bounded
        case "unbounded":
            return to_unbounded
        case "unit":
            return partial(to_unit, unit=block.text("unit"), factor=_factor(block), reason=block.text("reason"))
        case "contributors":
            return partial(to_contributors, duplicates=block.required("duplicates"))
        case "invariants":
            return partial(with_invariants, names=block.names("invariants"))
        case "zero_concentrated":
            return to_zero_concentrated
        case "sampled":
            sample, rate, domain = block.text("sample"), block.exact("rate"), block.text("domain")
            is_secret = "membership" not in block or block.one_of("membership", ("secret", "known")) == "secret"
            return partial(take_sample, sample=sample, rate=rate, domain=domain, is_secret=is_secret)
    return partial(to_approximate, delta=_delta(block), rule=_RULES[block.one_of("rule", tuple(_RULES))])


def _factor(block: Block) -> Fraction:
    factor = block.exact("factor")
    if factor <= 0:
        raise block.refuse("factor", f"must be positive; got {block.values['factor']}")
    return factor


def _reach_words(whole: Release) -> str:
    if whole.reach is Reach.ALL_PAIRS:
        return "a budget for the metric at every distance"
    return "a budget for neighbours only"


def _scope(whole: Release) -> str:
    """The one flavor, and what the steps take for granted."""
    words = f"one flavor: {whole.flavor.premetric.name.lower()} neighbours, unit {whole.flavor.unit}"
    taken = f"; as the file states, not checked: {'; '.join(whole.conditions)}" if whole.conditions else ""
    return f"{words}; {_reach_words(whole)}{taken}"


def account_blocks(account: Account) -> FiveBlocks:
    """The flavor of the whole account and its budget, in words."""
    whole, flavor = account.whole, account.whole.flavor
    invariants = ", ".join(sorted(flavor.invariants))
    return FiveBlocks(
        domain=StatedBlock(flavor.domain),
        multiverse=StatedBlock(f"invariant: {invariants}" if invariants else "one universe: nothing is invariant"),
        input_premetric=StatedBlock(f"{flavor.premetric.value}; resolution: {flavor.unit}; {_reach_words(whole)}"),
        output_premetric=StatedBlock(_OUTPUT_PREMETRICS[flavor.measure]),
        budget=StatedBlock(f"{_budget_text(whole)}; {whole.steps[-1]}"),
    )


def _budget_text(whole: Release) -> str:
    exact = whole.exact_budget
    shown = whole.budget.text(10) if exact is None else decimal_text(exact, 10)
    delta = f" with delta = {exact_text(whole.delta)}" if whole.delta else ""
    return f"{whole.flavor.measure.value} = {shown}{delta}"


def account_steps(account: Account) -> Evidence:
    """The total with every conversion and sum that led to it."""
    whole = account.whole
    steps = "; ".join(whole.steps)
    covered = (
        f"; derived from it at no cost: {', '.join(one.name for one in account.covered)}" if account.covered else ""
    )
    detail = f"{_budget_text(whole)}, by these steps: {steps}{covered}"
    if whole.is_vacuous:
        vacuous = "vacuous: at a fixed number of records no two data sets are unbounded neighbours"
        return Evidence(Verdict.OPEN, _scope(whole), f"{vacuous}; {detail}")
    verdict = Verdict.ENCLOSED if whole.exact_budget is None else Verdict.EXHAUSTED
    return Evidence(verdict, _scope(whole), detail)


def account_evidence(account: Account) -> Iterator[Evidence]:
    """The printed numbers beside the account's, at their printed precision."""
    yield from _under_conditions(account, _number_evidence(account))


def account_budgets(account: Account) -> Iterator[Evidence]:
    """Whether the total and the ε that are claimed as budgets cover what the account comes to."""
    yield from _under_conditions(account, _budget_evidence(account))


def _under_conditions(account: Account, found: Iterator[Evidence]) -> Iterator[Evidence]:
    for evidence in found:
        taken = f"{evidence.scope}; {_scope(account.whole)}" if account.whole.conditions else evidence.scope
        yield replace(evidence, scope=taken)


def _number_evidence(account: Account) -> Iterator[Evidence]:
    whole, exact = account.whole, account.whole.exact_budget
    what = "total of the account"
    if account.printed is not None and exact is not None:
        total = printed_exactly(exact)
        yield compare(account.printed, whole.budget, "total", what, total=total)
    elif account.printed is not None:
        detail = f"{what}: printed {account.printed.text}, recomputed {whole.budget.text(10)}"
        yield _enclosed(account.printed, whole.budget, "the enclosure of the total", detail)
    if account.converted is not None and exact is not None:
        yield _converted_evidence(account.converted, exact)


def _budget_evidence(account: Account) -> Iterator[Evidence]:
    whole, exact = account.whole, account.whole.exact_budget
    if account.total is not None:
        yield cover_evidence(account.total, whole.budget, "the total of the account", "the total, as a number")
    if account.converted is None or exact is None:
        return
    converted, rule = account.converted
    if converted.epsilon is not None:
        convert = zcdp_to_approximate if rule is Rule.PRINTED else smallest_zcdp_to_approximate
        what = f"epsilon at delta = {converted.delta.text} by the {rule.name.lower()} conversion"
        yield cover_evidence(converted.epsilon, convert(exact, converted.delta.value), what, "epsilon, as a number")


def _converted_evidence(conversion: tuple[ClaimedConversion, Rule], rho_squared: Fraction) -> Evidence:
    """The printed ε beside the rule that is said to give it, with the other rule's value."""
    converted, rule = conversion
    printed, delta = converted.printed, converted.delta
    by_formula = zcdp_to_approximate(rho_squared, delta.value)
    smallest = smallest_zcdp_to_approximate(rho_squared, delta.value)
    what = f"epsilon at delta = {delta.text}"
    both = f"printed formula {by_formula.text(8)}, smallest over all Renyi orders {smallest.text(8)}"
    if rule is Rule.PRINTED:
        rho2 = printed_exactly(rho_squared)
        evidence = compare(printed, by_formula, CONVERSION, what, rho2=rho2, delta=delta)
        return replace(evidence, detail=f"{evidence.detail}; side by side: {both}")
    scope = "the smallest conversion over all Renyi orders, at the exact rho^2"
    return _enclosed(printed, smallest, scope, f"{what}: printed {printed.text}; {both}")


def _enclosed(printed: Printed, value: Enclosure, scope: str, detail: str) -> Evidence:
    """A printed number beside an enclosure that no formula gives; a refutation's witness has the enclosure's end."""
    agrees = printed.agrees_with(value)
    if agrees is None:
        return Evidence(Verdict.OPEN, scope, f"{detail}; the enclosure does not decide it")
    if agrees:
        return Evidence(Verdict.ENCLOSED, scope, detail)
    is_above = value.lower > printed.value
    claimed = "end <= printed + half_unit" if is_above else "end >= printed - half_unit"
    end = value.lower if is_above else value.upper
    note = f"a certified {'lower' if is_above else 'upper'} bound of the value"
    witness = formula_witness(claimed, note=note, end=end, printed=printed.value, half_unit=printed.half_unit)
    return Evidence(Verdict.REFUTED, scope, detail, witness)
