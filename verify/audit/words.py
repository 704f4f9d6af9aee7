"""Budgets in digits in the claimant's words beside those of the blocks: where the two differ, the claim stays open.

All other text is quoted and not checked: it neither supports a claim nor refutes one.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.budgets.accounts import Measure
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget, ClaimedConversion
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.statement_text import StatedNumber, stated_numbers

_LONGEST = 10_000
_LETTERS = {"epsilon": "ε", "eps": "ε", "rho2": "ρ", "rho": "ρ", "delta": "δ", "gamma": "γ", "mu": "μ"}
_MAY_BE = {"budget": ("ε", "ρ", "γ", "μ")}
_SCOPE = "budgets in digits in the statement and the descriptions"


@dataclass(frozen=True)
class Fact:
    """A number that the claim states as a budget.

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


@dataclass(frozen=True)
class ComparedWords:
    """Budgets in digits in the claimant's words.

    Attributes:
        differing: those that differ from the blocks or cannot be read: nothing holds above these.
    """

    compared: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    compared = compared_words(claim.built)
    if compared is None:
        return
    needed = "; ".join(dict.fromkeys(found.needed for _, found in claim.tried if found is not None))
    differs = bool(compared.differing)
    yield Answer("words", words_evidence(compared, needed), decides=differs, is_fact=not differs)


WORDS = AuditQuestion("words", _answers)


def compared_words(built: PrivacyClaim) -> ComparedWords | None:
    """The words of a claim beside its blocks; None for a claim made in Python, which has no words."""
    if built.file is None:
        return None
    named = built.id.replace("_", " ").replace("-", " ")
    resolution = built.input_premetric[1] or ""
    texts = {"statement": built.statement, "id": named, "source": built.source, "resolution": resolution}
    return words_of({**texts, **built.words}, facts_of(built))


def words_of(texts: Mapping[str, str], facts: Sequence[Fact]) -> ComparedWords:
    """The budgets that texts state in digits beside those of the claim.

    Args:
        texts: by what they are; agreement is told of the statement alone.
        facts: what the claim states.
    """
    read = [(where, one) for where, text in texts.items() for one in stated_numbers(text[:_LONGEST])]
    agreeing = {one: [fact for fact in facts if _is_of(fact, one) and _agrees(one, fact)] for _, one in read}
    is_stated = any(fact.is_main and fact.name != "δ" for found in agreeing.values() for fact in found)
    differing = [
        f"the {where} has more than {_LONGEST} characters and was not compared"
        for where, text in texts.items()
        if len(text) > _LONGEST
    ]
    compared = []
    for where, one in read:
        claimed = _difference(one, agreeing[one], facts, is_stated=is_stated)
        if claimed:
            differing.append(f"the {where} says {one.words!r}{claimed}")
        elif where == "statement" and agreeing[one]:
            same = (fact for fact in agreeing[one] if _agrees(replace(one, bound=""), fact))
            compared.append(f"{one.words!r} agrees with the {next(same, agreeing[one][0]).text}")
    return ComparedWords(() if differing else tuple(dict.fromkeys(compared)), tuple(dict.fromkeys(differing)))


def words_evidence(compared: ComparedWords, needed: str = "") -> Evidence:
    """OPEN: which budgets differ, and which were compared; no words support a claim.

    Args:
        compared: the words and the blocks.
        needed: the smallest budget of the mechanism, where it was computed.
    """
    said = list(compared.differing or compared.compared)
    if compared.differing and needed:
        said.append(f"required by the mechanism: {needed}")
    said.append("other text in the statement was not checked" if said else "the statement was not checked")
    return Evidence(Verdict.OPEN, _SCOPE, "; ".join(said))


def _difference(one: StatedNumber, agreeing: Sequence[Fact], facts: Sequence[Fact], *, is_stated: bool) -> str:
    """What the claim has instead of a number; empty where the two agree, or need not.

    Beside the claim's own budget another letter may be what it converts to, and one with a subscript a part of it.
    """
    if one.value is None:
        return ", which cannot be read as a number"
    own = list(dict.fromkeys(fact.text for fact in facts if fact.is_main and _is_of(fact, one)))
    if any(fact.is_main for fact in agreeing) or (agreeing and (not own or is_stated)):
        return ""
    is_mean = one.name in ("μ", "γ") and not one.words[0].isdigit()  # or a scale; "0.1-GDP" is a budget
    if (one.is_part or not own) and (is_stated or is_mean):
        return ""
    return f"; the claim has the {' or the '.join(own[:4])}" if own else "; the claim states no such number"


def _is_of(fact: Fact, stated: StatedNumber) -> bool:
    return not fact.name or fact.name in _MAY_BE.get(stated.name, (stated.name,))


def _agrees(stated: StatedNumber, fact: Fact) -> bool:
    """Whether a number of the words is a fact's: the same, one that it rounds to, or a bound that it keeps.

    ρ of zero-concentrated privacy is written ρ² here, and ρ elsewhere: a letter that is not squared may be either.
    """
    value, printed, own = stated.value, stated.printed, fact.value
    if value is None or own is None:
        return False
    if stated.name == "ρ" and not stated.is_squared and value.lower >= 0:
        half = printed.half_unit if printed is not None and printed.may_be_rounded else Fraction(0)
        if max(value.lower - half, Fraction(0)) ** 2 <= own.lower and own.upper <= (value.upper + half) ** 2:
            return True
    if stated.bound and fact.name and _keeps(own, stated.bound, value):
        return True
    if stated.bound == "<":
        return False
    if value.lower <= own.upper and own.lower <= value.upper:
        return True
    if printed is None:  # a formula, and a number that was printed for it
        return fact.printed is not None and fact.printed.may_be_rounded and fact.printed.agrees_with(value) is True
    is_rounded = printed.may_be_rounded or (stated.is_about and printed.half_unit > 0)
    if not is_rounded or printed.agrees_with(own) is not True:
        return False
    return own.lower < own.upper or stated.is_about or stated.bound == "≥" or value.lower >= own.upper


def _keeps(own: Enclosure, bound: str, value: Enclosure) -> bool:
    if bound == "≥":
        return value.upper <= own.lower
    return own.upper <= value.lower if bound == "≤" else own.upper < value.lower


def facts_of(built: PrivacyClaim) -> tuple[Fact, ...]:
    """What the blocks of a claim, its account and its printed numbers state as a budget."""
    facts = [fact for case in built.cases for fact in _case_facts(case, built.output_premetric)]
    facts += measure_facts(built.output_premetric)
    if built.mechanism is not None:
        facts += [_printed("ρ", f"part {name}", part, is_main=False) for name, part in built.mechanism.parts]
    facts += _account_facts(built)
    for row in built.numbers:
        facts.append(_printed("", f"printed number {row.printed.text} ({row.what})", row.printed, is_main=False))
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


def budget_facts(budget: ClaimedBudget, measure: OutputPremetric | None, *, what: str = "budget") -> Iterator[Fact]:
    """The budget under every letter that may stand for it."""
    text = f"{what} {budget.text}"
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
            yield _printed("ε", f"printed budget {budget.printed.text}", budget.printed)
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
        yield _exact("δ", f"output premetric's delta = {delta}", Fraction(delta))
    elif isinstance(measure, Multiplicative):
        yield _exact("δ", "delta = 0 of pure privacy", Fraction(0))


def _account_facts(built: PrivacyClaim) -> Iterator[Fact]:
    account = built.account
    if account is None or account.whole is None:  # what cannot be added has no total
        return
    whole = account.whole
    letter = _letter(whole.flavor.measure)
    yield Fact(letter, f"account's total {whole.budget.text(10)}", whole.budget)
    for number in (account.total, account.printed):
        if number is not None:
            yield _printed(letter, f"stated total {number.text}", number)
    if letter == "ε":
        yield _exact("δ", f"account's delta = {whole.delta}", whole.delta)
    if account.converted is not None:
        yield from _conversion_facts(account.converted[0])
    claims = dict(account.claims)
    for release in account.parts:
        if release.name in claims:
            yield Fact(letter, f"budget of {release.name}", release.budget, is_main=False)
    for key, name, number in account.budgets:
        yield _printed(_LETTERS.get(key, "ρ"), f"{key} of {name}", number, is_main=False)


def _letter(measure: Measure) -> str:
    return "ρ" if measure is Measure.ZERO_CONCENTRATED else "ε"


def _conversion_facts(converted: ClaimedConversion) -> Iterator[Fact]:
    yield _printed("ε", f"converted epsilon = {converted.printed.text}", converted.printed, is_main=False)
    yield _printed("δ", f"conversion's delta = {converted.delta.text}", converted.delta, is_main=False)


def _exact(name: str, text: str, value: Fraction, *, is_main: bool = True) -> Fact:
    return Fact(name, text, Enclosure(value, value), is_main=is_main)


def _printed(name: str, text: str, number: Printed, *, is_main: bool = True) -> Fact:
    return Fact(name, text, Enclosure(number.value, number.value), number, is_main=is_main)
