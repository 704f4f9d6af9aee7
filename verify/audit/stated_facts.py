"""The numbers that the blocks of a claim state, each under the names by which its words may call it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.budgets.accounts import Measure
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.ball import ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose, exponential
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric
from stirred.verify.claim.budget import ClaimedBudget, ClaimedConversion
from stirred.verify.claim.claim import Case, PrivacyClaim
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed
from stirred.verify.prose.stated_numbers import BUDGETS, speaks_of_privacy
from stirred.verify.prose.tokens import tokens

_LETTERS = {"epsilon": "ε", "eps": "ε", "rho2": "ρ", "rho": "ρ", "delta": "δ", "swap_rate": "p", "largest_stratum": "b"}
_MOST_DATA_SETS = 1000


@dataclass(frozen=True)
class Fact:
    """A number that the claim states.

    Attributes:
        name: ε, δ, ρ (of ρ²), γ, b, p, or a parameter's own name.
        text: the number as the claim has it, with what it is.
        value: the number; None for an infinite budget.
        loss: the same where it is an exact loss.
        printed: the number as the claim prints it, where others may round to it.
        is_main: whether it is the claim's own, not that of a part, a conversion or a table of numbers.
        setting: which setting of the mechanism it is of; None where it is of all.
    """

    name: str
    text: str
    value: Enclosure | None
    loss: Loss | None = None
    printed: Printed | None = None
    is_main: bool = True
    setting: int | None = None


@dataclass(frozen=True)
class StatedFacts:
    """What a claim's words are compared with.

    Attributes:
        facts: its numbers.
        counts: how many records or data sets a data set or the domain has; none where they are not known.
        parameters: the names of the mechanism's parameters.
        measure: the output premetric, where it is stated.
        premetric: the name of the input premetric, where it is stated.
        resolution: what one unit of distance is, where it is stated.
        has_budget: whether a budget is stated in numbers.
    """

    facts: tuple[Fact, ...]
    counts: frozenset[int] = frozenset()
    parameters: frozenset[str] = frozenset()
    measure: OutputPremetric | None = None
    premetric: str | None = None
    resolution: str | None = None
    has_budget: bool = True

    @property
    def settings(self) -> tuple[int, ...]:
        """The settings of the mechanism that have numbers of their own."""
        return tuple(sorted({fact.setting for fact in self.facts if fact.setting is not None}))


def facts_of(built: PrivacyClaim) -> StatedFacts:
    """What the blocks of a claim, its parameters, its account and its printed numbers state."""
    several = len(built.cases) > 1
    facts = [
        fact
        for place, case in enumerate(built.cases)
        for fact in (
            *_case_facts(case, place if several else None, built.output_premetric),
            *_parameters(case, place if several else None),
        )
    ]
    facts += _measure_facts(built.output_premetric)
    if built.largest_stratum is not None:
        facts.append(_exact("b", f"the largest stratum, {built.largest_stratum}", Fraction(built.largest_stratum)))
    if built.mechanism is not None:
        facts += [_printed("ρ", f"the part {name}", part, is_main=False) for name, part in built.mechanism.parts]
    facts += _account_facts(built)
    facts += _values(built)
    has_budget = built.account is not None or any(case.budget is not None for case in built.cases)
    for row in built.numbers:
        facts += _row_facts(row, is_for_budgets=not has_budget or speaks_of_privacy(tokens(row.what)))
    parameters = {name for case in built.cases for name in case.setting}
    name, resolution = built.input_premetric
    if built.account is not None and built.account.whole is not None and resolution is None:
        resolution = built.account.whole.flavor.unit
    return StatedFacts(
        tuple(facts), _counts(built), frozenset(parameters), built.output_premetric, name, resolution, has_budget
    )


def budget_facts(
    budget: ClaimedBudget, measure: OutputPremetric | None, setting: int | None = None, *, what: str = "the budget"
) -> Iterator[Fact]:
    """The budget under every letter that may stand for it."""
    text = f"{what}, {budget.text}"
    if budget.rho_squared is not None:
        yield _printed("ρ", text, budget.rho_squared, setting=setting)
        if budget.converted is not None:
            yield from _conversion_facts(budget.converted)
    elif budget.mu is not None:
        yield _printed("μ", text, budget.mu, setting=setting)
    elif budget.loss is not None and budget.loss.gamma is None:
        yield from (Fact(name, text, None, setting=setting) for name in ("ε", "γ"))
    elif budget.loss is not None:
        loss = budget.loss
        yield Fact("ε", text, loss.epsilon(60), loss, setting=setting)
        yield Fact("γ", text, _gamma(loss), setting=setting)
        if budget.printed is not None:
            yield _printed("ε", f"the printed budget, {budget.printed.text}", budget.printed, setting=setting)
    elif budget.epsilon is not None:
        yield _printed("ε", text, budget.epsilon, setting=setting)
        if measure is None or "gamma" in measure.budgets:
            yield Fact("γ", text, exponential(budget.epsilon.value, digits=40), setting=setting)


def pure_facts(
    budget: Iterable[Fact], tables: Iterable[Mapping[str, Any]], records: int, premetric: InputPremetric
) -> StatedFacts:
    """The facts of a release under pure privacy whose mechanism and stages are tables of a file.

    Args:
        budget: from `budget_facts`.
        tables: their numbers are parameters.
        records: how many there are.
        premetric: how data sets are compared.
    """
    listed = tuple(tables)
    numbers = [(key, number) for table in listed for key, value in table.items() for number in _numbers_in(value)]
    facts = [_exact(_LETTERS.get(key, key), f"{key} = {number}", number) for key, number in numbers]
    names = frozenset(key for key, _ in numbers)
    return StatedFacts(
        (*budget, *_measure_facts(Multiplicative()), *facts),
        frozenset((records,)),
        names,
        Multiplicative(),
        premetric.name,
        premetric.resolution,
    )


def _numbers_in(value: Any) -> Iterator[Fraction]:
    """The numbers of a value of a file, in texts and arrays too."""
    if isinstance(value, str):
        with suppress(InputError):
            yield parse_exact("number", value)
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers_in(part)
    else:
        yield from _numbers(value)


def _gamma(loss: Loss) -> Enclosure | None:
    gamma = loss.gamma
    if gamma is None:
        return None
    if loss.distance == 1:
        return Enclosure(gamma, gamma)

    def root() -> flint.arb:
        return (ball_of(gamma).log() / loss.distance).exp()

    return enclose(root, digits=40)


def _case_facts(case: Case, setting: int | None, measure: OutputPremetric | None) -> Iterator[Fact]:
    if case.budget is not None:
        yield from budget_facts(case.budget, measure, setting)


def _measure_facts(measure: OutputPremetric | None) -> Iterator[Fact]:
    """δ: 0 for pure privacy, and that of an approximate one."""
    if measure is None:
        return
    delta = measure.parameters.get("delta")
    if delta is not None:
        yield _exact("δ", f"the delta of the output premetric, {delta}", Fraction(delta))
    elif isinstance(measure, Multiplicative):
        yield _exact("δ", "the delta of pure privacy, 0", Fraction(0))


def _parameters(case: Case, setting: int | None) -> Iterator[Fact]:
    for name, value in case.setting.items():
        for number in _numbers(value):
            yield _exact(_LETTERS.get(name, name), f"{name} = {value}", number, setting=setting)
        if isinstance(value, OpenParameter) and value.exponent is not None:
            yield Fact(name, f"{name} = {value}", exponential(-value.exponent), setting=setting)


def _values(built: PrivacyClaim) -> Iterator[Fact]:
    """The values that records of the domain have; no budget is called by their name."""
    schema = None if built.kind is None else built.kind.schema
    for number in {one for values in (schema or {}).values() for one in _numbers(values)}:
        yield _exact("value", f"{number}, a value of the domain", number)
    if built.data is not None and len(built.data.domain) <= _MOST_DATA_SETS:
        for number in {one for point in built.data.domain for one in _numbers(point)}:
            yield _exact("value", f"{number}, a value of the data sets", number)


def _numbers(value: Any) -> Iterator[Fraction]:
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        yield Fraction(value)


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


def _row_facts(row: PrintedRow, *, is_for_budgets: bool) -> Iterator[Fact]:
    """A printed number under every letter, since it is compared with its formula, and the inputs of the formula."""
    text = f"the printed {row.printed.text} ({row.what})"
    for name in (*(BUDGETS if is_for_budgets else ()), "p", "b", ""):
        yield _printed(name, text, row.printed, is_main=False)
    for name, number in row.inputs.items():
        yield _printed(_LETTERS.get(name, name), f"{name} = {number.text} ({row.what})", number, is_main=False)


def _counts(built: PrivacyClaim) -> frozenset[int]:
    if built.kind is None:
        return frozenset()
    found = set(built.kind.lengths)
    if built.kind.margins is not None:
        sizes = [sum(rows) for rows, _ in built.kind.margins]
        found |= {*sizes, sum(sizes), len(sizes)}
    if built.data is not None and len(built.data.domain) <= _MOST_DATA_SETS:
        found |= {len(point) for point in built.data.domain if isinstance(point, tuple)}
    return frozenset(found)


def _exact(name: str, text: str, value: Fraction, *, setting: int | None = None) -> Fact:
    return Fact(name, text, Enclosure(value, value), printed=Printed(str(value), value), setting=setting)


def _printed(name: str, text: str, number: Printed, *, is_main: bool = True, setting: int | None = None) -> Fact:
    value = Enclosure(number.value, number.value)
    return Fact(name, text, value, printed=number, is_main=is_main, setting=setting)
