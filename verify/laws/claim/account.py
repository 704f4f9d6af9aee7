"""Accounts in claim files: releases with stated budgets, or claims that they refer to, converted and added.

Budgets add up where several mechanisms run on the same data, each with its own randomness, under one flavor. Claims are
compared as they are audited: the data sets, the universes, the input premetric by its name and unit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.spec.arguments import integer, nonnegative
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.budgets.accounts import Measure, NamedFlavor, Premetric, Reach, Release, compose, release, take_sample
from stirred.spec.budgets.composed import RULES, compose_at
from stirred.spec.budgets.conversions import (
    Rule,
    to_approximate,
    to_bounded,
    to_contributors,
    to_unbounded,
    to_unit,
    to_zero_concentrated,
    with_invariants,
)
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, OutputPremetric
from stirred.spec.surveys.amplification import DESIGNS, PARAMETERS, SIMPLE, SampleDesign
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.budget import ClaimedBudget, ClaimedConversion, claimed_conversion
from stirred.verify.laws.claim.budget_cover import claimed_epsilon
from stirred.verify.laws.claim.table import Block

UNORDERED: Mapping[str, str] = {
    "hamming_unordered": "bounded",
    "neighbors_replace_one_unordered": "bounded",
    "symmetric_difference": "unbounded",
    "neighbors_add_remove_unordered": "unbounded",
}
"""What an account calls the neighbours of an input premetric."""

_PREMETRICS: Mapping[str, Premetric] = {
    **{name: Premetric[word.upper()] for name, word in UNORDERED.items()},
    "hamming_ordered": Premetric.BOUNDED,
    "neighbors_replace_one_ordered": Premetric.BOUNDED,
    "deletion_distance": Premetric.UNBOUNDED,
    "neighbors_add_remove_ordered": Premetric.UNBOUNDED,
}
_FOR_NEIGHBORS = "neighbors_"


class NotAddedError(Exception):
    """Why the budget of a claim cannot be a part of a sum."""


@dataclass(frozen=True)
class PartClaim:
    """What an account takes from a claim.

    Attributes:
        domain: in words, what its records are made of included; empty where it is not stated.
        words: what else the claim says of its multiverse and its premetrics.
        premetric: the input premetric's name, where it has one.
        unit: its resolution.
        is_of_beliefs: whether its domain is what attackers believe.
    """

    id: str
    domain: str
    data: InputBlocks | None
    invariants: frozenset[str]
    words: tuple[str, ...]
    premetric: str | None
    unit: str | None
    measure: OutputPremetric | None
    budgets: Sequence[ClaimedBudget | None]
    is_of_beliefs: bool

    def release(self, name: str) -> Release:
        """The claim as a release; its budget holds for the pairs that its premetric compares."""
        if self.is_of_beliefs:
            raise NotAddedError("its domain is what attackers believe, and budgets for beliefs do not add up")
        if not self.domain or not self.unit:
            raise NotAddedError(f"its {'resolution' if self.domain else 'domain'} is not stated")
        if self.premetric is None or self.premetric not in _PREMETRICS:
            raise NotAddedError(f"its input premetric must be {', '.join(_PREMETRICS)}; it is {self.premetric}")
        measure, delta = _measure(self.measure)
        flavor = NamedFlavor(self.domain, self.invariants, _PREMETRICS[self.premetric], self.unit, measure)
        budget = self._budget()
        reach = Reach.NEIGHBORS if self.premetric.startswith(_FOR_NEIGHBORS) else Reach.ALL_PAIRS
        return replace(release(name, flavor, 0, delta), budget=budget, reach=reach, conditions=())

    def _budget(self) -> Enclosure:
        if len(self.budgets) != 1:
            raise NotAddedError(f"it has {counted(len(self.budgets), 'setting')}, each with a budget of its own")
        (budget,) = self.budgets
        if budget is None:
            raise NotAddedError("its budget is not stated in numbers")
        if budget.rho_squared is not None:
            return Enclosure(budget.rho_squared.value, budget.rho_squared.value)
        if budget.epsilon is None and (budget.loss is None or budget.loss.is_infinite):
            raise NotAddedError("its budget is infinite, and claims nothing")
        return claimed_epsilon(budget)


def _measure(measure: OutputPremetric | None) -> tuple[Measure, Fraction]:
    if isinstance(measure, Multiplicative):
        return Measure.PURE, Fraction(0)
    if isinstance(measure, NormalizedRenyi):
        return Measure.ZERO_CONCENTRATED, Fraction(0)
    if isinstance(measure, ApproximateMultiplicative) and measure.delta > 0:
        return Measure.APPROXIMATE, measure.delta
    name = "not stated" if measure is None else measure.described()
    raise NotAddedError(f"there is no rule here by which budgets of its output premetric add up: it is {name}")


def differences(one: PartClaim, other: PartClaim, premetrics: tuple[str | None, str | None]) -> Iterator[str]:
    """In what two claims differ that are of one flavor by name."""
    if premetrics[0] != premetrics[1]:
        yield f"input premetric ({premetrics[0]} against {premetrics[1]})"
    if (one.data is None) != (other.data is None):
        yield "domain (data sets that are listed against words)"
    elif one.data is not None and other.data is not None:
        if set(one.data.domain) != set(other.data.domain):
            sizes = [counted(len(claim.data.domain), "data set") for claim in (one, other) if claim.data is not None]
            yield f"domain ({' against '.join(sizes)}, not the same)"
        elif set(one.data.multiverse) != set(other.data.multiverse):
            yield "multiverse (other universes)"
    if one.words != other.words:
        both = ("; ".join(filter(None, words)) or "none" for words in (one.words, other.words))
        yield f"descriptions ({' against '.join(both)})"


_FLAVOR_KEYS = ("domain", "invariants", "neighbors", "unit", "holds_for")
_BUDGETS = ("rho_squared", "epsilon")
_NEIGHBORS = {"bounded": Premetric.BOUNDED, "unbounded": Premetric.UNBOUNDED}
_REACHES = {reach.value: reach for reach in Reach}
_MOST_TIMES = 10**4
_RULES = {"printed": Rule.PRINTED, "smallest": Rule.SMALLEST}
_CONVERSIONS: Mapping[str, tuple[str, ...]] = {
    "bounded": (),
    "unbounded": (),
    "unit": ("unit", "factor", "reason"),
    "contributors": ("duplicates",),
    "invariants": ("invariants",),
    "zero_concentrated": (),
    "approximate": ("delta", "rule"),
    "sampled": ("sample", "domain", "membership", "design", *PARAMETERS),
}
"""The keys of each conversion besides `to`."""


@dataclass(frozen=True)
class Account:
    """An account after validation: the releases have been converted and added.

    Attributes:
        parts: the releases, each after its conversions; those that cannot be added are left out.
        whole: all of them together; None where they cannot be added.
        covered: the names of what is derived from them, at no cost.
        total: the total as a budget, which has to cover the sum; None where it is only printed, or not stated.
        printed: the total as printed, compared with the sum at its printed precision.
        converted: ε and δ, with the rule that is said to give them.
        stated: the names of the releases whose budgets are stated, and nothing else.
        claims: the name of each release that refers to a claim, with the claim's id.
        premetric: the input premetric's name, where every part refers to a claim.
        is_composed: whether a rule composes them at a total δ: then a smaller total may be right, too.
        open: why the sum is not shown, besides: in what the claims differ, and what is not checked of them.
    """

    parts: tuple[Release, ...]
    whole: Release | None
    covered: tuple[str, ...]
    total: Printed | None
    printed: Printed | None
    converted: tuple[ClaimedConversion, Rule] | None
    stated: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]
    premetric: str | None
    open: tuple[str, ...]
    budgets: tuple[tuple[str, str, Printed], ...] = ()
    is_composed: bool = False


def referred_claims(block: Block) -> tuple[str, ...]:
    """The ids of the claims that the releases of an account refer to."""
    releases = block.given("releases", block.tables) or ()
    return tuple(dict.fromkeys(part.text("claim") for part in releases if "claim" in part))


def build_account(block: Block, claims: Mapping[str, PartClaim] | None = None) -> Account:
    """The account of a claim file."""
    block.only(("releases", "total", "printed", "converted", "post_processed", "composition", "delta", *_FLAVOR_KEYS))
    parts = _Parts(block, claims or {})
    for part in block.tables("releases"):
        parts.add(part)
    whole = parts.together()
    return Account(
        parts=tuple(parts.releases),
        whole=whole,
        covered=block.given("post_processed", block.names) or (),
        total=block.given("total", block.printed),
        printed=block.given("printed", block.printed),
        converted=_converted(block, whole) if "converted" in block else None,
        stated=tuple(parts.stated),
        claims=tuple((name, claim.id) for name, claim, _ in parts.claims),
        premetric=None if parts.stated or not parts.claims else parts.claims[0][2],
        open=tuple(parts.open),
        budgets=tuple(parts.budgets),
        is_composed="composition" in block,
    )


class _Parts:
    """The releases of an account as they are read, and why they may not be added."""

    def __init__(self, account: Block, claims: Mapping[str, PartClaim]) -> None:
        self._account, self._known = account, claims
        self.releases: list[Release] = []
        self.stated: list[str] = []
        self.claims: list[tuple[str, PartClaim, str | None]] = []
        self.open: list[str] = []
        self.budgets: list[tuple[str, str, Printed]] = []

    def add(self, part: Block) -> None:
        """Read one release."""
        if "claim" not in part:
            self.releases.append(_repeated(part, _release(part, self._account)))
            self.stated.append(self.releases[-1].name)
            self.budgets += [(key, part.text("name"), part.printed(key)) for key in _BUDGETS if key in part]
            return
        part.only(("name", "claim", "times", "conversions"))
        claim = self._known.get(part.text("claim"))
        if claim is None:
            raise part.refuse(
                "claim",
                "must be the id of a claim about a mechanism that is audited in the same run, and has no account of "
                f"its own; got {part.text('claim')!r}",
            )
        name = part.text("name") if "name" in part else claim.id
        premetric = claim.premetric
        try:
            current = claim.release(name)
        except NotAddedError as error:
            self.open.append(f"{name} refers to {claim.id}, which cannot be added: {error}")
        else:
            for conversion in part.given("conversions", part.tables) or ():
                current = _applied(conversion, current)
                premetric = self._converted_premetric(name, conversion.text("to"), premetric)
            self.releases.append(_repeated(part, current))
        self.claims.append((name, claim, premetric))

    def _converted_premetric(self, name: str, kind: str, premetric: str | None) -> str | None:
        """The input premetric's name after a conversion; one that takes something for granted is noted."""
        if kind in ("zero_concentrated", "approximate"):
            return premetric
        if kind == "bounded" and premetric == "symmetric_difference":
            return "hamming_unordered"
        self.open.append(f'of {name} the conversion to = "{kind}" is the file\'s, and nothing here checks it')
        return premetric

    def together(self) -> Release | None:
        """All releases together; None where claims among them are of different flavors."""
        if not self.claims:
            return self._composed()
        self._compare()
        if len(self.releases) < len(self.claims) + len(self.stated):
            return None
        first, *others = self.releases
        differing = [
            (part.name, found) for part in others if (found := self._flavor(first).differences(self._flavor(part)))
        ]
        self.open += [f"{name} differs from {first.name} in {'; '.join(found)}" for name, found in differing]
        if differing:
            return None
        return self._composed()

    def _flavor(self, part: Release) -> NamedFlavor:
        """The flavor, without the difference of pure and approximate privacy where a rule composes both."""
        is_pure = part.flavor.measure is Measure.PURE and "composition" in self._account
        return replace(part.flavor, measure=Measure.APPROXIMATE) if is_pure else part.flavor

    def _composed(self) -> Release:
        """The releases added up, or composed at a total δ by the rule that the account names."""
        account = self._account
        if "composition" not in account:
            if "delta" in account:
                raise account.refuse("delta", "belongs to composition")
            whole: Release = account.within("releases", lambda: compose("the account", *self.releases))
            return whole
        rule, delta = account.one_of("composition", tuple(RULES)), account.inside_unit("delta")
        at_delta: Release = account.within(
            "composition", lambda: compose_at("the account", rule, delta, *self.releases)
        )
        return at_delta

    def _compare(self) -> None:
        """Note in what the claims differ from each other, and from the flavor that the account states."""
        for name, claim, premetric in self.claims[1:]:
            first, one, other = self.claims[0]
            if found := list(differences(one, claim, (other, premetric))):
                self.open.append(f"{name} differs from {first} in {'; '.join(found)}")
        for name, claim, premetric in self.claims:
            said = {
                "domain": claim.domain,
                "unit": claim.unit,
                "neighbors": UNORDERED.get(premetric or "", f"those of {premetric}"),
                "invariants": sorted(claim.invariants),
                "holds_for": Reach.NEIGHBORS.value if (premetric or "").startswith("neighbors_") else None,
            }
            for key, own in said.items():
                if key in self._account and (stated := self._stated(key)) != own and own is not None:
                    self.open.append(f"{name} differs from the account in {key} ({own!r} against {stated!r})")

    def _stated(self, key: str) -> Any:
        if key == "invariants":
            return sorted(self._account.names(key))
        allowed = {"neighbors": tuple(_NEIGHBORS), "holds_for": tuple(_REACHES)}
        return self._account.one_of(key, allowed[key]) if key in allowed else self._account.text(key)


def _converted(block: Block, whole: Release | None) -> tuple[ClaimedConversion, Rule] | None:
    if whole is None:
        return None
    if whole.flavor.measure is not Measure.ZERO_CONCENTRATED or whole.exact_budget is None:
        raise block.refuse("converted", "belongs to an exact rho^2")
    inner = block.table("converted").only(("epsilon", "printed", "delta", "rule"))
    return claimed_conversion(inner), _RULES[inner.one_of("rule", tuple(_RULES))]


def _release(part: Block, account: Block) -> Release:
    """One release, its flavor completed from the account's and its conversions applied in order."""
    part.only(("name", "times", "rho_squared", "epsilon", "delta", "conversions", *_FLAVOR_KEYS))
    name = part.text("name")
    key = part.one_key(*_BUDGETS)
    if "delta" in part and key == "rho_squared":
        raise part.refuse("delta", "belongs to epsilon")
    delta = part.given("delta", part.inside_unit)
    measure = Measure.ZERO_CONCENTRATED if key == "rho_squared" else Measure.PURE
    if delta is not None:
        measure = Measure.APPROXIMATE
    amount = nonnegative(part.where(key), part.exact(key))
    current = release(name, _flavor(part, account, measure), amount, delta or Fraction(0), reach=_reach(part, account))
    for conversion in part.given("conversions", part.tables) or ():
        current = _applied(conversion, current)
    return current


def _repeated(part: Block, once: Release) -> Release:
    """The release as often as the file says."""
    if "times" not in part:
        return once
    times = integer(part.where("times"), part.required("times"), minimum=1)
    most = 1 if once.sampled is not None else _MOST_TIMES
    if times > most:
        raise part.refuse(
            "times", f"must be at most {most}{' for a release of a sample' if most == 1 else ''}; got {times}"
        )
    return replace(once, times=times)


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
            return partial(
                to_unit, unit=block.text("unit"), factor=block.positive("factor"), reason=block.text("reason")
            )
        case "contributors":
            return partial(to_contributors, duplicates=block.required("duplicates"))
        case "invariants":
            return partial(with_invariants, names=block.names("invariants"))
        case "zero_concentrated":
            return to_zero_concentrated
        case "sampled":
            sample, domain = block.text("sample"), block.text("domain")
            is_secret = "membership" not in block or block.one_of("membership", ("secret", "known")) == "secret"
            return partial(take_sample, sample=sample, drawn=_drawn(block), domain=domain, is_secret=is_secret)
    return partial(to_approximate, delta=block.inside_unit("delta"), rule=_RULES[block.one_of("rule", tuple(_RULES))])


def _drawn(block: Block) -> SampleDesign:
    design = block.one_of("design", DESIGNS) if "design" in block else SIMPLE
    given = [key for key in PARAMETERS if key in block]
    numbers = ((key, block.exact(key)) for key in given or ["rate"])
    return SampleDesign(design, tuple((key, int(one) if one.denominator == 1 else one) for key, one in numbers))
