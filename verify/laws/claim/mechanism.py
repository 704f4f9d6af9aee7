"""From a mechanism block to a function on data sets with its parameters; no mechanism is known by name here."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import CATALOGUE, CELL_KEY, FIBRE_NOISE, PAIRS, ROLES, TARGETED, Parameter
from stirred.mechanisms.generators.kinds import GENERATORS
from stirred.mechanisms.kernel import kernel
from stirred.mechanisms.noise.cell_key import TableSet
from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.pairwise.policy import SETTINGS
from stirred.mechanisms.swapping.targeted_swapping import targeted_swapping
from stirred.spec.arguments import InputError, integer, nonnegative, parse_exact, probability, suggestion
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.multiverse import Invariant
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.laws.law import Law
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.verify.engines.printed_number import Printed
from stirred.verify.laws.catalogue import LibraryFunction
from stirred.verify.laws.claim.domain import DomainKind, freeze, refuse_tables
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.foreign import RECORDS, TUPLES, AuditedFunction, ForeignFunction, Limits
from stirred.verify.laws.messages import NUMERICS
from stirred.verify.laws.p_table_file import read_p_table
from stirred.verify.laws.plain import plain_text


@dataclass(frozen=True)
class Kernel:
    """A table as a mechanism: P_x by data set x, of outputs as canonical texts, since true, 1 and "1" are three."""

    laws: Mapping[Any, Law[str]]

    def __call__(self, data: Any, source: Source) -> str:
        return kernel(data, source, laws=self.laws)


def build_kernel(block: Block, domain: FiniteDomain) -> Kernel:
    """The table laws = [[x, [[output, probability], …]], …], with exactly one row for each data set of the domain."""
    points = {_typed_text(block.where("laws"), point): point for point in domain}
    laws: dict[Any, Law[str]] = {}
    for index, row in enumerate(block.array("laws")):
        place = f"{block.where('laws')}[{index}]"
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
            raise InputError(f"{place} must be [data set, [[output, probability], ...]]; got {row!r}")
        text = _typed_text(place, row[0])
        if text not in points:
            raise InputError(f"{place}: the data set must be one of the domain; got {freeze(row[0])!r}")
        if points[text] in laws:
            raise InputError(f"{place}: each data set must have one law; {points[text]!r} has two")
        laws[points[text]] = _law(place, row[1])
    for point in domain:
        if point not in laws:
            raise InputError(
                f"{block.where('laws')} must have a law for every data set of the domain; {point!r} has none"
            )
    return Kernel(laws)


def _law(place: str, entries: list[Any]) -> Law[str]:
    mass: dict[str, Fraction] = {}
    for index, entry in enumerate(entries):
        where = f"{place}[1][{index}]"
        if not isinstance(entry, list) or len(entry) != 2:
            raise InputError(f"{where} must be [output, probability]; got {entry!r}")
        outcome = _typed_text(where, entry[0])
        if outcome in mass:
            raise InputError(f"{where}: each output must be listed once; {outcome} is listed twice")
        mass[outcome] = probability(where, Block(where, {"probability": entry[1]}).exact("probability"))
    if (total := sum(mass.values())) != 1:
        raise InputError(f"{place}: probabilities must sum to exactly 1; got {total}")
    return Law(mass)


def _typed_text(place: str, value: Any) -> str:
    """A text, integer, boolean or array of them as its canonical text, different for different values."""
    refuse_tables(place, freeze(value))
    try:
        return plain_text(freeze(value))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


_COUNT = "count"

FUNCTION_KEYS = ("function", "parameters", "symmetry", "generator", "numerics", "records")
"""Those of a mechanism that is the user's own function."""

PAIRS_OPTIONS = ("shorten-tiers", "every-partner")
"""Decisions of pairs of households beside the setting."""

RATE_BY_PLACE = "by place, at most "
"""What a targeted claim says before the largest of several swap rates."""


@dataclass(frozen=True)
class ClaimedMechanism:
    """A mechanism as the claim names it.

    Attributes:
        name: one of the catalogue, or the user's "module:function".
        place: the file and key.
        function: what runs, the library's or the user's; None if nothing does.
        settings: the exact parameters of the claim: one setting for each swap rate.
        largest_stratum: for swapping, b if the file states it.
        swap_variables: for swapping, the variables of the schema by role; for a domain in words the columns of its
            files, with a "count" if a line stands for several records.
        resolution: for swapping, what one swapped record is.
        parts: for a composition, the budgets ρ² that add up.
        kernel: for a kernel, the table of its laws.
        bound: for targeted swapping, the program with the variables that it works on.
        command: a program and its arguments, which can only be sampled.
    """

    name: str
    place: str
    function: AuditedFunction | None = None
    settings: tuple[Mapping[str, Any], ...] = ({},)
    largest_stratum: int | None = None
    swap_variables: Mapping[str, tuple[str, ...]] | None = None
    resolution: str | None = None
    parts: tuple[tuple[str, Printed], ...] = ()
    kernel: Kernel | None = None
    bound: Callable[..., Any] | None = None
    command: tuple[str, ...] = ()

    def described(self, setting: Mapping[str, Any]) -> str:
        """The mechanism with the parameters of one setting."""
        parameters = ", ".join(
            f"{name} {'in' if isinstance(value, OpenParameter) and value.exponent is None else '='} {value}"
            for name, value in setting.items()
        )
        return f"{self.name}{' with ' + parameters if parameters else ''}"


def build_mechanism(
    block: Block,
    kind: DomainKind | None,
    own: Callable[[str, str, str | None], ForeignFunction],
    directory: Path = Path(),
) -> ClaimedMechanism:
    """The mechanism that the block names on a domain.

    `own` gives the user's function, by place, name and generator; files that the block names are in the directory.
    """
    if "function" in block:
        block.only(FUNCTION_KEYS)
        reference = block.text("function")
        parameters = _parameters(block.table("parameters")) if "parameters" in block else {}
        generator = block.one_of("generator", GENERATORS) if "generator" in block else None
        numerics = block.one_of("numerics", NUMERICS) if "numerics" in block else None
        function = own(block.where("function"), reference, generator)
        function = replace(function, numerics=numerics, records=_form_of_records(block, kind))
        return ClaimedMechanism(reference, block.place, function, (parameters,))
    if "command" in block:
        block.only(("command", "parameters"))
        parameters = _parameters(block.table("parameters")) if "parameters" in block else {}
        words = _command(block)
        return ClaimedMechanism(shlex.join(words), block.place, settings=(parameters,), command=words)
    if "name" not in block:
        raise InputError(f"{block.where('name')}: missing key; give name, function or command")
    name = block.one_of("name", tuple(CATALOGUE))
    kinds = CATALOGUE[name].parameters
    block.only(("name", *kinds, "symmetry"))
    if name == FIBRE_NOISE:
        setting = {"root": probability(block.where("root"), block.exact("root"))}
        return ClaimedMechanism(name, block.place, settings=(setting,), swap_variables=_roles_in_words(block, kind))
    if name in (PAIRS, TARGETED):
        return _unbounded(ClaimedMechanism(name, block.place), block, kind)
    if name == CELL_KEY:
        return ClaimedMechanism(name, block.place, settings=(_cell_key(block, kind, directory),))
    for parameter in kinds.values():
        if parameter in _BUILDERS:
            return _BUILDERS[parameter](ClaimedMechanism(name, block.place), block, kind)
    values = {key: _READERS[parameter](block, key) for key, parameter in kinds.items()}
    return ClaimedMechanism(name, block.place, settings=(values,))


def _form_of_records(block: Block, kind: DomainKind | None) -> str | None:
    """How records of one variable are handed to a function; None where records have several, or none."""
    is_single = kind is not None and kind.variables is not None and len(kind.variables) == 1
    if "records" not in block:
        return TUPLES if is_single else None
    if not is_single:
        raise block.refuse("records", "belongs to a domain whose schema has one variable")
    return block.one_of("records", RECORDS)


def _command(block: Block) -> tuple[str, ...]:
    words = block.array("command")
    if not words or not all(isinstance(word, str) and word.isprintable() for word in words) or not words[0]:
        raise block.refuse("command", f"must be an array of texts, a program and its arguments; got {words!r}")
    return tuple(words)


_READERS: Mapping[Parameter, Callable[[Block, str], Any]] = {
    Parameter.VALUE: lambda block, key: freeze(block.values.get(key, "constant")),
    Parameter.SIZE: lambda block, key: integer(block.where(key), block.required(key), minimum=1),
    Parameter.PROBABILITY: lambda block, key: probability(block.where(key), block.exact(key)),
}


def _composition(named: ClaimedMechanism, block: Block, _: DomainKind | None) -> ClaimedMechanism:
    parts = block.table("parts")
    if not parts.values:
        raise block.refuse("parts", "must have at least one budget; got none")
    budgets = tuple((part, parts.printed(part)) for part in parts.values)
    for part, budget in budgets:
        nonnegative(parts.where(part), budget.value)
    return replace(named, parts=budgets)


def _kernel(named: ClaimedMechanism, block: Block, kind: DomainKind | None) -> ClaimedMechanism:
    if kind is None:
        raise InputError(f"{block.place}: a kernel needs a finite domain: margins, schema or data_sets")
    return replace(named, kernel=build_kernel(block, kind.listed()))


def _cell_key(block: Block, kind: DomainKind | None, directory: Path) -> dict[str, Any]:
    """The p-table in a file beside the claim, and the tables that are released of records."""
    file = block.text("table")
    if file in (".", "..") or Path(file).name != file:
        raise block.refuse("table", f"must be the name of a file beside the claim; got {file!r}")
    setting: dict[str, Any] = {"table": block.within("table", lambda: read_p_table(directory / file))}
    if "queries" not in block:
        return setting
    if kind is None or kind.schema is None:
        raise block.refuse("queries", "belongs to a domain with a schema")
    queries = freeze(block.array("queries"))
    for place, names in zip((place for place, _ in block.entries("queries")), queries, strict=True):
        if not isinstance(names, tuple) or len(set(names)) != len(names):
            raise InputError(f"{place} must be an array of distinct variables; got {names!r}")
        for name in names:
            if name not in kind.schema:
                raise InputError(f"{place}: unknown variable {name!r}; {suggestion(str(name), tuple(kind.schema))}")
    return {**setting, "queries": TableSet(queries, tuple(kind.schema.items()))}


_NEARLY_A_NUMBER = re.compile(r"[+-]?[.,_\s/]*\d[\d.,_\s/]*%?(?:[eE][+-]?[\d_]+)?")


def _parameters(block: Block) -> dict[str, Any]:
    return {key: parameter_value(block.where(key), freeze(value)) for key, value in block.values.items()}


def parameter_value(place: str, value: Any) -> Any:
    """A user's parameter: a text that reads as a number is an exact `Fraction`, "symbol" a parameter left open.

    A text that is nearly a number is refused: "1,099" would reach the mechanism as a text.
    """
    if isinstance(value, RationalFunction):
        if value != SYMBOL:
            raise InputError(f"{place} must be SYMBOL itself to be left open; got a function of it, {value!r}")
        return OpenParameter()
    if not isinstance(value, str):
        return value
    if (opened := OpenParameter.read(place, value)) is not None:
        return opened
    try:
        return parse_exact(place, value)
    except InputError:
        if _NEARLY_A_NUMBER.fullmatch(value):
            raise
    return value


def _swapping(named: ClaimedMechanism, block: Block, kind: DomainKind | None) -> ClaimedMechanism:
    rates = tuple(probability(block.where("swap_rate"), printed.value) for printed in block.printed_list("swap_rate"))
    if len(set(rates)) != len(rates):
        raise block.refuse("swap_rate", f"must be distinct rates; got {', '.join(map(str, rates))}")
    largest: int | None = None
    if "largest_stratum" in block or kind is None:
        number = block.printed("largest_stratum").value
        if number.denominator != 1:
            raise block.refuse("largest_stratum", f"must be an integer; got {number}")
        largest = int(number)
        block.within("largest_stratum", lambda: psa_budget(largest, Fraction(1, 2)))
    variables: dict[str, tuple[str, ...]] | None = None
    if kind is None:
        variables = _columns(block)
    elif kind.variables is None:
        for role in (*ROLES, _COUNT):
            if role in block:
                raise block.refuse(
                    role, "belongs to a domain in words or with a schema, whose structural zeros are excluded = [...]"
                )
    else:
        if _COUNT in block:
            raise block.refuse(_COUNT, "belongs to a domain in words")
        variables = {role: block.names(role) if role in block else () for role in ROLES}
        _check_roles(block, variables, kind.variables)
    if kind is not None and kind.variables is None and kind.margins is None:
        raise InputError(
            f"{block.place}: swapping needs a domain with margins or a schema; it has listed data sets: "
            "records that cannot occur are excluded = [{ variable = value, … }] beside a schema"
        )
    resolution = block.text("resolution") if "resolution" in block else None
    return replace(
        named,
        settings=tuple({"swap_rate": rate} for rate in rates),
        largest_stratum=largest,
        swap_variables=variables,
        resolution=resolution,
    )


def _unbounded(named: ClaimedMechanism, block: Block, kind: DomainKind | None) -> ClaimedMechanism:
    """Pairs of households, or targeted swapping, by the columns of a domain in words or the variables of a schema."""
    if named.name == PAIRS:
        if kind is not None:
            raise InputError(f"{block.place}: pairs of households need a domain in words: no block has a place in it")
        return replace(named, settings=(_pairs_setting(block),), swap_variables=_roles_in_words(block, kind))
    setting = _targeted_setting(block, kind)
    profiles = freeze(block.array("similar"))
    for place, profile in zip((place for place, _ in block.entries("similar")), profiles, strict=True):
        if not isinstance(profile, tuple) or not all(isinstance(one, str) for one in profile):
            raise InputError(f"{place} must be an array of variables; got {profile!r}")
    risk = _header_names(block, "risk") if "risk_column" not in block else ()
    columns = {"hierarchy": _header_names(block, "hierarchy"), "risk": risk}
    for role, least in (("hierarchy", columns["hierarchy"]), ("similar", profiles)):
        if not least:
            raise block.refuse(role, "must have at least one; got none")
    if kind is None:
        moved, held = (_header_names(block, role) if role in block else () for role in ("carry", "holding"))
        common = tuple(name for name in profiles[0] if all(name in profile for profile in profiles))
        roles = {"matching": common, "holding": held, "swapping": (*columns["hierarchy"], *moved)}
        if risk:
            setting = {"risk": " x ".join(risk), **setting}
        return replace(named, settings=(setting,), swap_variables=roles)
    for role in ("carry", "holding"):
        if role in block:
            raise block.refuse(role, "belongs to a domain in words")
    if kind.variables is None:
        raise InputError(f"{block.place}: targeted swapping needs a domain with a schema, or in words")
    places = {role: _numbers(block.where(role), names, kind.variables) for role, names in columns.items()}
    similar = [_numbers(block.where("similar"), profile, kind.variables) for profile in profiles]
    program = partial(targeted_swapping, similar=similar, hierarchy=places["hierarchy"], risk=places["risk"])
    return replace(named, settings=(setting,), bound=program)


def _pairs_setting(block: Block) -> dict[str, Any]:
    """The swap rate of pairs, and where they are stated the names of the map, the flags and the policy."""
    setting: dict[str, Any] = {}
    if "geography" in block:
        setting["geography"] = block.text("geography")
    if "flags" in block:
        setting["flags"] = " x ".join(_header_names(block, "flags")) or "none"
    if "setting" in block:
        setting["setting"] = block.one_of("setting", tuple(SETTINGS))
    if "options" in block:
        if not set(options := _header_names(block, "options")) <= {*PAIRS_OPTIONS}:
            raise block.refuse("options", f"must be among {', '.join(PAIRS_OPTIONS)}; got {', '.join(options)}")
        setting["options"] = " and ".join(options) or "none"
    return {**setting, "swap_rate": _rate(block)}


def _targeted_setting(block: Block, kind: DomainKind | None) -> dict[str, Any]:
    """Who is at risk, by the number of those alike or by a column, and the swap rate, which may differ by place."""
    if block.one_key("k_anonymity", "risk_column") == "k_anonymity":
        if "risk_above" in block:
            raise block.refuse("risk_above", "requires risk_column")
        k = integer(block.where("k_anonymity"), block.required("k_anonymity"), minimum=0)
        setting: dict[str, Any] = {"k_anonymity": k}
    else:
        if kind is not None:
            raise block.refuse("risk_column", "belongs to a domain in words")
        if "risk" in block:
            raise block.refuse("risk", "cannot be combined with risk_column")
        above = nonnegative(block.where("risk_above"), block.exact("risk_above"))
        setting = {"risk_column": block.text("risk_column"), "risk_above": above}
    stated = block.required("swap_rate")
    if not (isinstance(stated, str) and stated.startswith(RATE_BY_PLACE)):
        return {**setting, "swap_rate": _rate(block)}
    if kind is not None:
        raise block.refuse("swap_rate", f"must be one number, where the domain is not in words; got {stated!r}")
    place = block.where("swap_rate")
    most = probability(place, parse_exact(place, stated.removeprefix(RATE_BY_PLACE)))
    return {**setting, "swap_rate": f"{RATE_BY_PLACE}{most}"}


def _rate(block: Block) -> Fraction:
    return probability(block.where("swap_rate"), block.exact("swap_rate"))


def _roles_in_words(block: Block, kind: DomainKind | None) -> dict[str, tuple[str, ...]] | None:
    """The columns of a domain in words by their role; None if none is named."""
    if kind is None:
        return _columns(block)
    for role in ROLES:
        if role in block:
            raise block.refuse(role, "belongs to a domain in words")
    return None


def _numbers(place: str, names: Sequence[str], variables: Sequence[str]) -> tuple[int, ...]:
    for name in names:
        if name not in variables:
            raise InputError(f"{place}: unknown variable {name!r}; {suggestion(name, variables)}")
    return tuple(variables.index(name) for name in names)


_BUILDERS: Mapping[Parameter, Callable[[ClaimedMechanism, Block, DomainKind | None], ClaimedMechanism]] = {
    Parameter.VARIABLES: _swapping,
    Parameter.BUDGETS: _composition,
    Parameter.LAWS: _kernel,
}
"""Readers for mechanisms with a parameter of such a kind, which depends on other parameters or on the domain."""


def _columns(block: Block) -> dict[str, tuple[str, ...]] | None:
    """The columns of the records of a domain in words, by their role; None if none is named."""
    if not any(role in block for role in (*ROLES, _COUNT)):
        return None
    found = {role: _header_names(block, role) if role in block else () for role in ROLES}
    if _COUNT in block:
        found[_COUNT] = (block.text(_COUNT),)
    for role in ("holding", "swapping"):
        if not found[role]:
            raise block.refuse(
                role, "must name at least one column, where the columns of the records are named; got none"
            )
    named = [name for names in found.values() for name in names]
    for name in named:
        if named.count(name) > 1:
            raise InputError(f"{block.place}: each column must have one role; {name!r} has two")
    return found


def _header_names(block: Block, key: str) -> tuple[str, ...]:
    names = block.array(key)
    if not all(isinstance(name, str) and name.isprintable() for name in names):
        raise block.refuse(key, f"must be an array of texts; got {names!r}")
    return tuple(names)


def _check_roles(block: Block, roles: Mapping[str, Sequence[str]], variables: Sequence[str]) -> None:
    named = [name for role in roles.values() for name in role]
    for role, names in roles.items():
        for name in names:
            if name not in variables:
                raise InputError(f"{block.where(role)}: unknown variable {name!r}; {suggestion(name, variables)}")
    for name in variables:
        if named.count(name) != 1:
            raise InputError(
                f"{block.place}: each variable must have one role of matching, holding, swapping; {name!r} has "
                f"{named.count(name)}"
            )
    for role in ("holding", "swapping"):
        if not roles[role]:
            raise block.refuse(role, "must name at least one variable; got none")


def running(
    mechanism: ClaimedMechanism, kind: DomainKind, invariants: Sequence[Invariant], limits: Limits
) -> ClaimedMechanism:
    """The mechanism with its program on data sets of the domain; unchanged if it has none or is the user's."""
    row = CATALOGUE.get(mechanism.name)
    if row is None or row.program is None or mechanism.function is not None or mechanism.command:
        return mechanism
    program: Callable[..., Any] = mechanism.kernel or mechanism.bound or row.program
    if row.takes_invariants:
        program = partial(program, invariants=lambda point: tuple(c(point) for c in invariants))
    function = LibraryFunction(
        mechanism.place,
        program,
        row.read if row.read_roles is None else row.read_roles(mechanism.swap_variables, kind.variables),
        limits,
        gives_texts=mechanism.kernel is not None,
        is_record_wise=row.is_record_wise,
        counted=row.counted,
    )
    return replace(mechanism, function=function)
