"""The budgets that the blocks of a claim state, each under the letter by which its words may call it."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.budgets.accounts import Measure
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric
from stirred.verify.engines.printed_number import Printed
from stirred.verify.laws.claim.budget import ClaimedBudget, ClaimedConversion
from stirred.verify.laws.claim.claim import Case, PrivacyClaim

_LETTERS = {"epsilon": "ε", "eps": "ε", "rho2": "ρ", "rho": "ρ", "delta": "δ", "gamma": "γ", "mu": "μ"}


@dataclass(frozen=True)
class Fact:
    """A number that the claim states.

    Attributes:
        name: ε, δ, ρ (of ρ²), γ or μ; "" where it may be any of them.
        text: the number as the claim has it, with what it is.
        value: the number; None for an infinite budget.
        printed: the number as the claim prints it, where others may round to it.
        is_main: whether it is the claim's own, not that of a part, a conversion or a table of numbers.
    """

    name: str
    text: str
    value: Enclosure | None
    printed: Printed | None = None
    is_main: bool = True


def facts_of(built: PrivacyClaim) -> tuple[Fact, ...]:
    """What the blocks of a claim, its account and its printed numbers state as a budget."""
    facts = [fact for case in built.cases for fact in _case_facts(case, built.output_premetric)]
    facts += measure_facts(built.output_premetric)
    if built.mechanism is not None:
        facts += [_printed("ρ", f"the part {name}", part, is_main=False) for name, part in built.mechanism.parts]
    facts += _account_facts(built)
    for row in built.numbers:
        facts.append(_printed("", f"the printed {row.printed.text} ({row.what})", row.printed, is_main=False))
        facts += (
            _printed(_LETTERS[name], f"{name} = {number.text} ({row.what})", number, is_main=False)
            for name, number in row.inputs.items()
            if name in _LETTERS
        )
    return tuple(facts)


def _case_facts(case: Case, measure: OutputPremetric | None) -> Iterator[Fact]:
    if case.budget is not None:
        yield from budget_facts(case.budget, measure)
    yield from parameter_facts(case.setting)


def parameter_facts(parameters: Mapping[str, Any]) -> Iterator[Fact]:
    """The parameters of a mechanism that are called by the letter of a budget."""
    for name in (one for one in parameters if one in _LETTERS):
        with suppress(InputError):
            value = parse_exact(name, str(parameters[name]))
            yield _exact(_LETTERS[name], f"{name} = {value}", value, is_main=False)


def budget_facts(budget: ClaimedBudget, measure: OutputPremetric | None, *, what: str = "the budget") -> Iterator[Fact]:
    """The budget under every letter that may stand for it."""
    text = f"{what}, {budget.text}"
    if budget.rho_squared is not None:
        yield _printed("ρ", text, budget.rho_squared)
        if budget.converted is not None:
            yield from _conversion_facts(budget.converted)
    elif budget.mu is not None:
        yield _printed("μ", text, budget.mu)
    elif budget.loss is not None and budget.loss.gamma is None:
        yield from (Fact(name, text, None) for name in ("ε", "γ"))
    elif budget.loss is not None:
        loss = budget.loss
        epsilon, gamma = loss.epsilon(60), loss.gamma
        yield Fact("ε", text, epsilon)
        if gamma is not None and loss.distance == 1:
            yield _exact("γ", text, gamma)
        else:
            yield Fact("γ", text, Enclosure(exponential(epsilon.lower).lower, exponential(epsilon.upper).upper))
        if budget.printed is not None:
            yield _printed("ε", f"the printed budget, {budget.printed.text}", budget.printed)
    elif budget.epsilon is not None:
        yield _printed("ε", text, budget.epsilon)
        if measure is None or "gamma" in measure.budgets:
            yield Fact("γ", text, exponential(budget.epsilon.value, digits=40))


def measure_facts(measure: OutputPremetric | None) -> Iterator[Fact]:
    """δ: 0 for pure privacy, and that of an approximate one."""
    if measure is None:
        return
    delta = measure.parameters.get("delta")
    if delta is not None:
        yield _exact("δ", f"the delta of the output premetric, {delta}", Fraction(delta))
    elif isinstance(measure, Multiplicative):
        yield _exact("δ", "the delta of pure privacy, 0", Fraction(0))


def _account_facts(built: PrivacyClaim) -> Iterator[Fact]:
    account = built.account
    if account is None or account.whole is None:  # what cannot be added has no total
        return
    whole = account.whole
    letter = _letter(whole.flavor.measure)
    yield Fact(letter, f"the account's total, {whole.budget.text(10)}", whole.budget)
    for number in (account.total, account.printed):
        if number is not None:
            yield _printed(letter, f"the stated total, {number.text}", number)
    if letter == "ε":
        yield _exact("δ", f"the account's delta, {whole.delta}", whole.delta)
    if account.converted is not None:
        yield from _conversion_facts(account.converted[0])
    claims = dict(account.claims)
    for release in account.parts:
        if release.name in claims:
            yield Fact(letter, f"the budget of {release.name}", release.budget, is_main=False)
    for key, name, number in account.budgets:
        yield _printed(_LETTERS.get(key, "ρ"), f"{key} of {name}", number, is_main=False)


def _letter(measure: Measure) -> str:
    return "ρ" if measure is Measure.ZERO_CONCENTRATED else "ε"


def _conversion_facts(converted: ClaimedConversion) -> Iterator[Fact]:
    yield _printed("ε", f"the converted epsilon, {converted.printed.text}", converted.printed, is_main=False)
    yield _printed("δ", f"the conversion's delta, {converted.delta.text}", converted.delta, is_main=False)


def _exact(name: str, text: str, value: Fraction, *, is_main: bool = True) -> Fact:
    return Fact(name, text, Enclosure(value, value), is_main=is_main)


def _printed(name: str, text: str, number: Printed, *, is_main: bool = True) -> Fact:
    return Fact(name, text, Enclosure(number.value, number.value), number, is_main=is_main)
