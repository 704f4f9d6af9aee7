"""From a claim to its five blocks: what the auditor works on, validated before anything is audited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

from stirred.mechanisms.catalogue import COMPOSITION, SWAPPING
from stirred.spec.arguments import InputError
from stirred.spec.input_premetric import InputPremetric
from stirred.spec.multiverse import Invariant, Multiverse
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric
from stirred.spec.permutation_swapping import Margins, largest_stratum
from stirred.spec.pufferfish import Pufferfish
from stirred.spec.specification import Flavor, InputBlocks
from stirred.spec.tables import count_tables
from stirred.verify.audit.account_file import Account, build_account
from stirred.verify.audit.account_parts import PartClaim
from stirred.verify.audit.claim_beliefs import PUFFERFISH, build_pufferfish, check_beliefs
from stirred.verify.audit.claim_budget import ClaimedBudget, claimed_budgets
from stirred.verify.audit.claim_domain import DomainKind, build_domain, build_multiverse, freeze, invariant_functions
from stirred.verify.audit.claim_file import AuditClaim
from stirred.verify.audit.claim_mechanism import ClaimedMechanism, LibraryMechanism, build_mechanism, runnable
from stirred.verify.audit.claim_premetric import finite_metric, function_metric, metric_names, output_premetric
from stirred.verify.audit.claim_symmetry import build_symmetry
from stirred.verify.audit.claim_table import Block
from stirred.verify.audit.own_premetric import OwnPremetric
from stirred.verify.engines.swapping.loss import MAX_TABLES
from stirred.verify.engines.symmetry import Symmetry
from stirred.verify.laws.foreign import DEFAULT_LIMITS, ForeignFunction, Limits, check_functions

__all__ = ["BuiltClaim", "Case", "build_claim", "check_distances", "with_listed_tables"]


@dataclass(frozen=True)
class Case:
    """One setting of the mechanism with the budget that is claimed for it: what is met, exceeded or undecided.

    A claim about several swap rates has a case for each, and every one of them decides.

    Attributes:
        setting: the mechanism's parameters, exact.
        budget: how much; None where it is not stated in numbers.
    """

    setting: Mapping[str, Any]
    budget: ClaimedBudget | None


@dataclass(frozen=True)
class BuiltClaim:
    """A claim with its blocks as objects; what the file does not state, or states in words only, is None.

    Attributes:
        claim: the file's text.
        kind: the finite domain.
        invariants: the names of the stated invariants, "swapping" among them for the swapping invariants.
        input_premetric: its name and resolution, each where stated.
        output_premetric: how change of output is measured.
        mechanism: what releases the data.
        cases: how much, for each setting of the mechanism; one where there is no mechanism.
        data: domain, multiverse and input premetric, where they are finite objects.
        program: the library's mechanism on these data sets; None where the claim names none, or the user's own.
        swapping_margins: the strata, where the claim is Theorem 1's on one universe: then strata are audited alone.
        account: releases, converted and added, where the claim has an account.
        symmetry: that the claim declares of the mechanism; it is checked once the laws are known.
        parts: the claims that the account refers to, by their ids.
        pufferfish: where the domain is the beliefs of attackers about data sets; `data` are its blocks then.
    """

    claim: AuditClaim
    kind: DomainKind | None
    invariants: tuple[Any, ...]
    input_premetric: tuple[str | None, str | None]
    output_premetric: OutputPremetric | None
    mechanism: ClaimedMechanism | None
    cases: tuple[Case, ...]
    data: InputBlocks | None
    program: LibraryMechanism | None
    swapping_margins: tuple[Margins, ...] | None
    account: Account | None = None
    symmetry: Symmetry | None = None
    pufferfish: Pufferfish | None = None
    parts: Mapping[str, BuiltClaim] = field(default_factory=dict)

    @property
    def flavor(self) -> Flavor | None:
        """The first four blocks, where all of them are finite objects."""
        if self.data is None or self.output_premetric is None:
            return None
        return Flavor(self.data.domain, self.data.multiverse, self.data.input_premetric, self.output_premetric)

    @property
    def is_ordered(self) -> bool:
        """Whether the order of a data set's records matters; if not, each stands for all of its orders."""
        return self.kind is None or self.kind.is_ordered or self.kind.variables is None

    @property
    def states_budget(self) -> bool:
        """Whether a budget is stated in numbers; it is for every case or for none."""
        return all(case.budget is not None for case in self.cases)

    @property
    def largest_stratum(self) -> int | None:
        """b: from the margins where they are given, else as stated."""
        return _largest_stratum(self.kind, self.mechanism)

    def check_code(self, limits: Limits) -> None:
        """Refuse a mechanism, or an output premetric, of the user's own that cannot be loaded.

        Raises:
            InputError: its module lies elsewhere, cannot be imported, or has no such function.
        """
        measure = self.output_premetric
        asked = (self.mechanism, measure if isinstance(measure, OwnPremetric) else None)
        functions = [one.function for one in asked if one is not None]
        check_functions([one for one in functions if isinstance(one, ForeignFunction)], limits)


def build_claim(claim: AuditClaim, limits: Limits | None = DEFAULT_LIMITS) -> BuiltClaim:
    """The claim's blocks.

    Args:
        claim: what the file says.
        limits: under which invariants that are functions of the user's own are run; None runs nothing, and leaves the
            finite audit out where it would need them.

    Raises:
        InputError: a block is malformed or does not fit another one; the message names the file and the key.
    """
    blocks = claim.blocks
    kind = build_domain(blocks["domain"]) if "domain" in blocks else None
    mechanism = None if claim.mechanism is None else build_mechanism(claim.mechanism, claim.directory, kind)
    if mechanism is not None and mechanism.function is not None and limits is not None:
        mechanism.function.check_place(limits.imports)
    measure = output_premetric(blocks["output_premetric"], claim.directory) if "output_premetric" in blocks else None
    if isinstance(measure, OwnPremetric) and limits is not None:
        measure.function.check_place(limits.imports)
    settings: tuple[Mapping[str, Any], ...] = ({},) if mechanism is None else mechanism.settings
    budgets: tuple[ClaimedBudget | None, ...] = (None,) * len(settings)
    if "budget" in blocks:
        budgets = claimed_budgets(blocks["budget"], measure, mechanism, _largest_stratum(kind, mechanism))
    cases = tuple(Case(setting, budget) for setting, budget in zip(settings, budgets, strict=True))
    invariants = _stated_invariants(blocks.get("multiverse"), kind)
    metric = metric_names(blocks.get("input_premetric"))
    check_beliefs(blocks, has_data_sets=kind is not None)
    if kind is not None and claim.mechanism is not None and mechanism is not None:
        _check_swapped(claim.mechanism, mechanism, kind, metric[1], budgets)
    margins = _swapping_margins(kind, mechanism, measure, metric, invariants)
    data, program, pufferfish = None, None, None
    if metric[0] == PUFFERFISH and kind is not None:
        pufferfish = build_pufferfish(blocks, kind.listed())
        if "invariants" in blocks.get("multiverse", ()):
            data, program = pufferfish.blocks, _program(mechanism, kind, ())
    elif margins is None and kind is not None:
        data, program = _finite(claim, kind, mechanism, measure, limits)
    parts = {name: build_claim(part, limits) for name, part in claim.parts.items()}
    account = None
    if claim.account is not None:
        account = build_account(claim.account, {name: _as_part(part) for name, part in parts.items()})
    symmetry = None
    if claim.mechanism is not None and "symmetry" in claim.mechanism and limits is not None:
        symmetry = _symmetry(claim.mechanism, kind, data)
    return BuiltClaim(
        claim,
        kind,
        invariants,
        metric,
        measure,
        mechanism,
        cases,
        data,
        program,
        margins,
        account,
        symmetry,
        pufferfish,
        parts,
    )


def _as_part(built: BuiltClaim) -> PartClaim:
    """What an account takes from the claim."""
    blocks, kind = built.claim.blocks, built.kind
    said = {name: " ".join(str(block.values.get("description", "")).split()) for name, block in blocks.items()}
    own = ""
    if built.data is not None:
        made = "" if kind is None or kind.variables is None else f" of {', '.join(kind.variables)}"
        own = f"{len(built.data.domain)} {built.data.domain.name}{made}"
    elif built.swapping_margins is not None:
        own = f"all data sets with the margins {built.swapping_margins}"
    invariants = {" x ".join(one) if isinstance(one, tuple) else str(one) for one in built.invariants}
    return PartClaim(
        built.claim.id,
        "; ".join(filter(None, (said.get("domain", ""), own))),
        built.data,
        frozenset(invariants | ({"listed universes"} if "universes" in blocks.get("multiverse", ()) else set())),
        tuple(said.get(name, "") for name in ("multiverse", "input_premetric", "output_premetric")),
        *built.input_premetric,
        built.output_premetric,
        [case.budget for case in built.cases],
        is_of_beliefs=built.pufferfish is not None,
    )


def with_listed_tables(built: BuiltClaim, limits: Limits, most: int) -> BuiltClaim:
    """The claim with its tables as data sets, where strata alone are audited and there are at most so many tables.

    Raises:
        InputError: a block is malformed.
    """
    if built.swapping_margins is None or built.kind is None or built.kind.size > most:
        return built
    data, program = _finite(built.claim, built.kind, built.mechanism, built.output_premetric, limits)
    return replace(built, data=data, program=program, swapping_margins=None)


def _symmetry(block: Block, kind: DomainKind | None, data: InputBlocks | None) -> Symmetry:
    if kind is None or data is None:
        raise block.refuse("symmetry", "belongs to a mechanism whose data sets are listed and compared")
    return build_symmetry(block.where("symmetry"), freeze(block.array("symmetry")), kind, data.domain)


def _check_swapped(
    block: Block,
    mechanism: ClaimedMechanism,
    kind: DomainKind,
    resolution: str | None,
    budgets: Sequence[ClaimedBudget | None],
) -> None:
    """Refuse what a claim says of swapped records beside a finite domain where it would not be used."""
    swapped = mechanism.resolution
    if None not in (swapped, resolution) and swapped != resolution:
        raise block.refuse(
            "resolution", f"must be the input premetric's on a finite domain, {resolution!r}; got {swapped!r}"
        )
    is_formula = any(budget is not None and budget.is_formula for budget in budgets)
    if mechanism.largest_stratum is not None and kind.margins is None and not is_formula:
        raise block.refuse("largest_stratum", "belongs to a domain in words, to margins, or to a budget with by")


def _largest_stratum(kind: DomainKind | None, mechanism: ClaimedMechanism | None) -> int | None:
    if kind is not None and kind.margins is not None:
        return largest_stratum(kind.margins)
    return None if mechanism is None else mechanism.largest_stratum


def _swapping_margins(
    kind: DomainKind | None,
    mechanism: ClaimedMechanism | None,
    measure: OutputPremetric | None,
    metric: tuple[str | None, str | None],
    invariants: tuple[Any, ...],
) -> tuple[Margins, ...] | None:
    fits = (
        kind is not None
        and mechanism is not None
        and mechanism.name == SWAPPING
        and measure == Multiplicative()
        and metric[0] == "hamming_unordered"
        and invariants == ("swapping",)
    )
    if not fits or kind is None or kind.margins is None:
        return None
    for index, (rows, columns) in enumerate(kind.margins):
        if (size := count_tables(rows, columns)) > MAX_TABLES:
            raise InputError(
                f"{kind.place}[{index}]: must have at most {MAX_TABLES} tables to be audited; it has {size}: "
                "use smaller margins"
            )
    return kind.margins


def _stated_invariants(block: Block | None, kind: DomainKind | None) -> tuple[Any, ...]:
    if block is None:
        return ()
    if "invariants" in block and "universes" in block:
        raise block.refuse("universes", "must not stand beside invariants: invariants give the universes")
    if "universes" in block and kind is None:
        raise block.refuse("universes", "must come with a finite domain: margins, schema or data_sets")
    if "invariants" in block:
        entries: tuple[Any, ...] = freeze(block.array("invariants"))
        for index, entry in enumerate(entries):
            names = entry if isinstance(entry, tuple) and entry else (entry,)
            if not all(isinstance(name, str) and name.isprintable() for name in names):
                raise InputError(
                    f"{block.where('invariants')}[{index}] must be a text or an array of texts; got {entry!r}"
                )
            if entry in entries[:index] or len(set(names)) != len(names):
                raise InputError(f"{block.where('invariants')}[{index}] must not name anything twice; got {entry!r}")
        return entries
    if "universes" not in block:
        block.text("description")
    return ()


def _finite(
    claim: AuditClaim,
    kind: DomainKind,
    mechanism: ClaimedMechanism | None,
    measure: OutputPremetric | None,
    limits: Limits | None,
) -> tuple[InputBlocks | None, LibraryMechanism | None]:
    """The blocks that an exhaustive audit lists, and the library's mechanism on them, where they are finite objects."""
    blocks = claim.blocks
    metric_block = blocks.get("input_premetric", Block("", {}))
    if "multiverse" not in blocks or ("name" not in metric_block and "function" not in metric_block):
        return None, None
    if "function" in metric_block and limits is None:
        return None, None
    multiverse_block = blocks["multiverse"]
    if "invariants" not in multiverse_block and "universes" not in multiverse_block:
        return None, None
    swap = None if mechanism is None else mechanism.swap_variables
    functions: tuple[Invariant, ...] = ()
    if "invariants" in multiverse_block:
        found = invariant_functions(multiverse_block, kind, swap, claim.directory, limits)
        if found is None:
            return None, None
        functions = found
    domain = kind.listed()
    multiverse = build_multiverse(multiverse_block, domain, functions)
    if "function" in metric_block and limits is not None:
        is_ordered = kind.is_ordered or kind.variables is None
        metric = function_metric(metric_block, (domain, multiverse), claim.directory, limits, is_ordered=is_ordered)
    else:
        metric = finite_metric(metric_block, kind, domain)
    if measure is not None and measure.distances is not None and not metric.is_local:
        check_distances(metric_block.place, multiverse, metric, measure)
    return InputBlocks(domain, multiverse, metric), _program(mechanism, kind, functions)


def _program(
    mechanism: ClaimedMechanism | None, kind: DomainKind, functions: Sequence[Invariant]
) -> LibraryMechanism | None:
    """The library's mechanism on the data sets; None where the claim names none, the user's own, or a composition."""
    if mechanism is None or mechanism.function is not None or mechanism.command or mechanism.name == COMPOSITION:
        return None
    return runnable(mechanism, kind, functions)


def check_distances(place: str, multiverse: Multiverse, metric: InputPremetric, measure: OutputPremetric) -> None:
    """Refuse a distance by which the budgets of an output premetric cannot be multiplied, as a curve's by most."""
    allowed = measure.distances or ()
    for universe in multiverse:
        for x, y in permutations(universe, 2):
            if metric(x, y) not in allowed:
                *names, last = ("infinity" if one is None else str(one) for one in allowed)
                raise InputError(
                    f"{place} must have the distances {', '.join(names)} and {last} only for the output premetric "
                    f"{measure.name!r}; got {metric(x, y)}"
                )
