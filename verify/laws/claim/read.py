"""From a claim's text to the claim: its blocks as objects, validated before anything is audited."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import Invariant, Multiverse, induced
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.blocks.tables import count_tables
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric
from stirred.verify.engines.swapping.loss import MAX_TABLES
from stirred.verify.laws.claim.account import PartClaim, build_account
from stirred.verify.laws.claim.budget import ClaimedBudget, claimed_budgets
from stirred.verify.laws.claim.claim import Case, ClaimFile, PrivacyClaim, stratum_bound
from stirred.verify.laws.claim.domain import DomainKind, build_domain, freeze, invariant_functions, listed_universes
from stirred.verify.laws.claim.mechanism import ClaimedMechanism, build_mechanism, running
from stirred.verify.laws.claim.premetrics import (
    PUFFERFISH,
    build_pufferfish,
    check_beliefs,
    finite_metric,
    metric_names,
    output_premetric,
)
from stirred.verify.laws.claim.symmetry import build_symmetry
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import ClaimText
from stirred.verify.laws.foreign import DEFAULT_LIMITS, ForeignFunction, Limits


def build_claim(text: ClaimText, limits: Limits | None = DEFAULT_LIMITS) -> PrivacyClaim:
    """The claim that a text states.

    Args:
        text: what the file says.
        limits: under which the claim's code is run; None runs nothing, and skips the finite audit where invariants or
            distances are functions of the user's own.
    """
    blocks, own = text.blocks, partial(_own, text.directory, limits)
    allowed = DEFAULT_LIMITS if limits is None else limits
    kind = build_domain(blocks["domain"]) if "domain" in blocks else None
    mechanism = None if text.mechanism is None else build_mechanism(text.mechanism, kind, own, text.directory)
    measure = output_premetric(blocks["output_premetric"], own) if "output_premetric" in blocks else None
    settings: tuple[Mapping[str, Any], ...] = ({},) if mechanism is None else mechanism.settings
    budgets: tuple[ClaimedBudget | None, ...] = (None,) * len(settings)
    if "budget" in blocks:
        budgets = claimed_budgets(blocks["budget"], measure, mechanism, stratum_bound(kind, mechanism))
    cases = tuple(Case(setting, budget) for setting, budget in zip(settings, budgets, strict=True))
    invariants = _stated_invariants(blocks.get("multiverse"), kind)
    metric = metric_names(blocks.get("input_premetric"))
    check_beliefs(blocks, has_data_sets=kind is not None)
    if kind is not None and text.mechanism is not None and mechanism is not None:
        _check_swapped(text.mechanism, mechanism, kind, metric[1], budgets)
    margins = _swapping_margins(kind, mechanism, measure, metric, invariants)
    finite = _FiniteBlocks(blocks, mechanism, None if limits is None else own)
    data, pufferfish = None, None
    functions: Sequence[Invariant] | None = None
    if metric[0] == PUFFERFISH and kind is not None:
        pufferfish = build_pufferfish(blocks, kind.listed())
        if "invariants" in blocks.get("multiverse", ()):
            data, functions = pufferfish.blocks, ()
    elif margins is None and kind is not None and (functions := finite.invariants_on(kind)) is not None:
        data = finite.on(kind, functions, measure)
    if mechanism is not None and kind is not None and functions is not None:
        mechanism = running(mechanism, kind, functions, allowed)
    parts = {name: build_claim(part, limits) for name, part in text.parts.items()}
    account = None
    if text.account is not None:
        account = build_account(text.account, {name: _as_part(part) for name, part in parts.items()})
    symmetry = None
    if text.mechanism is not None and "symmetry" in text.mechanism and limits is not None:
        if kind is None or data is None:
            raise text.mechanism.refuse("symmetry", "belongs to a mechanism whose data sets are listed and compared")
        entries = freeze(text.mechanism.array("symmetry"))
        symmetry = build_symmetry(text.mechanism.where("symmetry"), entries, kind, data.domain)
    said = tuple(sorted((name, repr(block.values)) for name, block in blocks.items()))
    return PrivacyClaim(
        id=text.id,
        source=text.source,
        statement=text.statement,
        words={name: str(block.values.get("description", "")) for name, block in blocks.items()},
        limits=allowed,
        kind=kind,
        invariants=invariants,
        gives_universes=any(key in blocks.get("multiverse", ()) for key in ("invariants", "universes")),
        lists_universes="universes" in blocks.get("multiverse", ()),
        input_premetric=metric,
        output_premetric=measure,
        mechanism=mechanism,
        cases=cases,
        data=data,
        multiverse_on=finite.multiverse_on,
        premetric_on=finite.premetric_on,
        swapping_margins=margins,
        symmetry=symmetry,
        pufferfish=pufferfish,
        numbers=text.numbers,
        account=account,
        parts=parts,
        file=ClaimFile(text.path, text.table, (said, None if text.mechanism is None else text.mechanism.values)),
    )


def _own(
    directory: Path, limits: Limits | None, where: str, reference: str, generator: str | None = None
) -> ForeignFunction:
    """The user's function at a place; where code may run, its module lies where it is looked for."""
    function = ForeignFunction(where, reference, directory, generator, DEFAULT_LIMITS if limits is None else limits)
    if limits is not None:
        function.check_place()
    return function


@dataclass(frozen=True)
class _FiniteBlocks:
    """Multiverse and input premetric of a text on finite domains; `own` loads a user's function, if any may run."""

    blocks: Mapping[str, Block]
    mechanism: ClaimedMechanism | None
    own: Callable[[str, str], ForeignFunction] | None

    @property
    def _are_stated(self) -> bool:
        multiverse, metric = (self.blocks.get(name, ()) for name in ("multiverse", "input_premetric"))
        has_metric = "name" in metric or ("function" in metric and self.own is not None)
        return has_metric and ("invariants" in multiverse or "universes" in multiverse)

    def invariants_on(self, kind: DomainKind) -> tuple[Invariant, ...] | None:
        """The invariants, none where universes are listed; None where a block is no finite object."""
        if not self._are_stated or "invariants" not in self.blocks["multiverse"]:
            return () if self._are_stated else None
        swap = None if self.mechanism is None else self.mechanism.swap_variables
        return invariant_functions(self.blocks["multiverse"], kind, swap, self.own)

    def on(self, kind: DomainKind, functions: Sequence[Invariant], measure: OutputPremetric | None) -> InputBlocks:
        """The three blocks, after checking that the budgets of the output premetric can be multiplied."""
        multiverse = self._multiverse(kind, functions)
        metric = self._metric(kind, multiverse)
        if measure is not None:
            check_distances(self.blocks["input_premetric"].place, multiverse, metric, measure)
        return InputBlocks(kind.listed(), multiverse, metric)

    def multiverse_on(self, kind: DomainKind) -> Multiverse | None:
        """The multiverse; None where a block is no finite object."""
        functions = self.invariants_on(kind)
        return None if functions is None else self._multiverse(kind, functions)

    def premetric_on(self, kind: DomainKind, multiverse: Multiverse) -> InputPremetric | None:
        """The input premetric; None where a block is no finite object."""
        return self._metric(kind, multiverse) if self._are_stated else None

    def _multiverse(self, kind: DomainKind, functions: Sequence[Invariant]) -> Multiverse:
        block = self.blocks["multiverse"]
        return listed_universes(block, kind.listed()) if "universes" in block else induced(kind.listed(), *functions)

    def _metric(self, kind: DomainKind, multiverse: Multiverse) -> InputPremetric:
        block, function = self.blocks["input_premetric"], None
        if "function" in block and self.own is not None:
            function = self.own(block.where("function"), block.text("function"))
        return finite_metric(block, kind, multiverse, function)


def _as_part(built: PrivacyClaim) -> PartClaim:
    """What an account takes from the claim."""
    kind, said = built.kind, {name: " ".join(text.split()) for name, text in built.words.items()}
    own = ""
    if built.data is not None:
        made = "" if kind is None or kind.variables is None else f" of {', '.join(kind.variables)}"
        own = f"{len(built.data.domain)} {built.data.domain.name}{made}"
    elif built.swapping_margins is not None:
        own = f"all data sets with the margins {built.swapping_margins}"
    invariants = {" x ".join(one) if isinstance(one, tuple) else str(one) for one in built.invariants}
    return PartClaim(
        built.id,
        "; ".join(filter(None, (said.get("domain", ""), own))),
        built.data,
        frozenset(invariants | ({"listed universes"} if built.lists_universes else set())),
        tuple(said.get(name, "") for name in ("multiverse", "input_premetric", "output_premetric")),
        *built.input_premetric,
        built.output_premetric,
        [case.budget for case in built.cases],
        is_of_beliefs=built.pufferfish is not None,
    )


def _check_swapped(
    block: Block,
    mechanism: ClaimedMechanism,
    kind: DomainKind,
    resolution: str | None,
    budgets: Sequence[ClaimedBudget | None],
) -> None:
    """Refuse a resolution or stratum size of a swap that would not be used on a finite domain."""
    swapped = mechanism.resolution
    if None not in (swapped, resolution) and swapped != resolution:
        raise block.refuse(
            "resolution", f"must be the input premetric's on a finite domain, {resolution!r}; got {swapped!r}"
        )
    is_formula = any(budget is not None and budget.is_formula for budget in budgets)
    if mechanism.largest_stratum is not None and kind.margins is None and not is_formula:
        raise block.refuse("largest_stratum", "belongs to a domain in words, to margins, or to a budget with by")


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
        raise block.refuse("universes", "cannot be combined with invariants, which give the universes")
    if "universes" in block and kind is None:
        raise block.refuse("universes", "requires a finite domain: margins, schema or data_sets")
    if "invariants" in block:
        entries: tuple[Any, ...] = freeze(block.array("invariants"))
        for index, (place, _) in enumerate(block.entries("invariants")):
            entry = entries[index]
            names = entry if isinstance(entry, tuple) and entry else (entry,)
            if not all(isinstance(name, str) and name.isprintable() for name in names):
                raise InputError(f"{place} must be a text or an array of texts; got {entry!r}")
            if len(set(names)) != len(names):
                raise InputError(f"{place} has duplicates; got {entry!r}")
            if entry in entries[:index]:
                raise InputError(f"{place} is a duplicate; got {entry!r}")
        return entries
    if "universes" not in block:
        block.text("description")
    return ()


def check_distances(place: str, multiverse: Multiverse, metric: InputPremetric, measure: OutputPremetric) -> None:
    """Refuse distances that an output premetric's budgets cannot be scaled by; a curve's allow few."""
    allowed = measure.distances
    if allowed is None or metric.is_local:
        return
    for universe in multiverse:
        for x, y in permutations(universe, 2):
            if metric(x, y) not in allowed:
                *names, last = ("infinity" if one is None else str(one) for one in allowed)
                raise InputError(
                    f"{place} must have the distances {', '.join(names)} and {last} only for the output premetric "
                    f"{measure.name!r}; got {metric(x, y)}"
                )
