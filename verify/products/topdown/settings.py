"""The settings that TopDown is run with: the published .ini form, with the shares of queries where the file has them.

    [budget]     global_scale (rho^2 = 1/scale^2), geolevel_budget_prop (from the top down), dp_mechanism, strategy
    [geodict]    geolevel_names (from the bottom up)
    [queries]    LEVEL = query: share, query: share, ...    where the strategy is not one of the published ones
    [constraints]  theInvariants.LEVEL and theConstraints.LEVEL: names of totals, unit counts and rules

Several files are read together: what the first one sets is not set by a later one. Nothing is included by itself. A key
that is neither read nor known to decide nothing is refused, and the others are named as not used.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from stirred.mechanisms.das.topdown.design import Design, KeptTotal, QueryGroup, Tie, Weights
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.schema import RecordSchema
from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES, STRATEGIES, DhcStrategy
from stirred.spec.arguments import InputError, nearest, parse_exact, suggestion
from stirred.spec.record_names import TOTAL
from stirred.verify.evidence.files.ini_files import IniFiles
from stirred.verify.laws.settings.topdown_keys import CONSTRAINTS, INVARIANTS, known_keys, variables

_NO = ("False", "false", "FALSE", "off", "Off", "no", "No", "0")
_ENGINE = "programs.engine.topdown_engine.TopdownEngine"
_ONE_WAY: Mapping[tuple[str, str], tuple[Sequence[str], str]] = {
    ("budget", "privacy_framework"): (("zcdp",), "zcdp: budgets are rho^2 of zCDP"),
    ("budget", "dp_mechanism"): (("discrete_gaussian_mechanism",), "discrete_gaussian_mechanism"),
    ("budget", "epsilon_budget_total"): (("",), "empty: the total is rho^2 = 1/global_scale^2"),
    ("budget", "zero_error_geolevels"): (("",), "empty: every level is measured with noise"),
    ("budget", "only_dyadic_rationals"): (_NO, "False: shares are exact fractions"),
    ("engine", "engine"): ((_ENGINE,), _ENGINE),
    ("engine", "postprocess_only"): (_NO, "False: noise is drawn"),
    ("engine", "aian_sum_constraints"): (_NO, "False: no sum over several nodes is kept"),
}
"""By section and key: the values that are implemented, and how a message says it."""

_SPINES = ("opt_spine", "aian_spine", "non_aian_spine")
_SCHEMAS: Mapping[str, Sequence[str]] = {
    "PL94_2020_SCHEMA": ("hhgq", "votingage", "hispanic", "cenrace"),
    "DHCP_SCHEMA": ("relgq", "sex", "age", "hispanic", "cenrace"),
    "DHCH_SCHEMA_TEN_3LEV": ("sex", "hhage", "hisp", "race", "elderly", "hhtenshort_3lev", "hhtype_dhch"),
}
"""The attributes of the published schemas."""


class StatedRecords(NamedTuple):
    """What a key says of the records.

    Attributes:
        attributes: the names that each attribute may have in the schema file, in any order.
        sizes: how many values an attribute has, by one of its names, with the place that says so.
    """

    place: str
    attributes: tuple[tuple[str, ...], ...]
    sizes: tuple[tuple[tuple[str, ...], int, str], ...] = ()

    def check(self, schema: RecordSchema) -> None:
        """Refuse a schema file of other records."""
        own = tuple(schema.attributes)
        matched = [[name for name in names if name in own] for names in self.attributes]
        found = {name for names in matched for name in names[:1]}
        if not all(matched) or found != set(own) or len(matched) != len(own):
            said = ", ".join(names[-1] for names in self.attributes)
            raise InputError(f"{self.place}: the schema must have the attributes {said}; it has {', '.join(own)}")
        for names, size, place in self.sizes:
            attribute = next(name for name in names if name in own)
            if len(schema.attributes[attribute]) != size:
                raise InputError(
                    f"{place}: {attribute} must have {size} values; the schema has {len(schema.attributes[attribute])}"
                )


def check_implemented(files: IniFiles, levels: Sequence[str]) -> None:
    """Refuse what this program does not do, by name and value."""
    for (section, key), (values, words) in _ONE_WAY.items():
        found = files.get(section, key)
        if found is not None and found[0] not in values:
            raise InputError(f"{found[1]} must be {words}; got {found[0]!r}")
    for key, level in (("geo_toplevel", levels[0]), ("geo_bottomlevel", levels[-1])):
        found = files.get("geodict", key)
        if found is not None and found[0] not in ("", level):
            raise InputError(f"{found[1]} must be empty or {level}, of geolevel_names; got {found[0]!r}")
    spine = files.get("geodict", "spine")
    if spine is not None and spine[0] not in _SPINES:
        raise InputError(f"{spine[1]}: unknown spine {spine[0]!r}; {suggestion(spine[0], _SPINES)}")


def stated_records(files: IniFiles) -> tuple[StatedRecords, ...]:
    """What the settings say of the records."""
    found = []
    if (schema := files.get("schema", "schema")) is not None:
        name, place = schema
        if name not in _SCHEMAS:
            raise InputError(f"{place}: unknown schema {name!r}; {suggestion(name, tuple(_SCHEMAS))}")
        found.append(StatedRecords(place, tuple((one,) for one in _SCHEMAS[name])))
    table = files.get("reader", "privacy_table")
    if table is None:
        return tuple(found)
    _, place = files.required("reader", f"{table[0]}.histogram")
    sources, sizes = [], []
    for name in variables(files.files):
        source = files.get("reader", name)
        names = (name,) if source is None else (name, source[0])
        sources.append(names)
        if (legal := files.get("reader", f"{name}.legal")) is not None:
            sizes.append((names, _size(*legal), legal[1]))
    return (*found, StatedRecords(place, tuple(sources), tuple(sizes)))


def _size(text: str, place: str) -> int:
    codes = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text)
    if codes is None or int(codes[1]) > int(codes[2]):
        raise InputError(f"{place} must be the codes FIRST-LAST, such as 0-7; got {text!r}")
    return int(codes[2]) - int(codes[1]) + 1


T = TypeVar("T")

_TOTAL, _UNITS = "tot", ("gqhh_vect", "gqhh_tot")
"""Names of invariants that are no queries; counts of units are, where these are measured."""

_HOMES = "h1"
_EARLIER = {"pl94": "hhgq * votingage * hispanic * cenrace", _HOMES: _HOMES}
"""Constraints that a total of an earlier release is kept, with the query that it is a total of."""

_QUARTERS, _OWNED = "gq_vect", "owned"
"""Constraints on measured units: an invariant keeps those of each type of group quarters, and each record is a unit."""

_TOP = "US"
"""The level that strategies of a part of the country have not."""

_OF_LEVELS = ("global_scale", "geolevel_budget_prop")

_ALIKE = Fraction(4, 5)
"""How like one of these a name must be that is taken for its misspelling."""
_Queries = tuple[Mapping[str, Mapping[str, Fraction]], Mapping[str, str]]
_LEAST, _MOST = "hhgq_total_lb", "hhgq_total_ub"


@dataclass(frozen=True)
class TopDownSettings:
    """What the files say.

    Attributes:
        queries: by level, the share of each query.
        places: by level, where the shares of its queries stand.
        kept: the names of invariants, with their level and the place where each stands.
        rules: the names of other constraints, with their level and the place where each stands.
        unused: the keys that are not used, sorted.
    """

    rho_squared: Fraction
    levels: tuple[str, ...]
    shares: tuple[Fraction, ...]
    queries: Mapping[str, Mapping[str, Fraction]]
    places: Mapping[str, str]
    kept: tuple[tuple[str, str, str], ...]
    rules: tuple[tuple[str, str, str], ...]
    records: tuple[StatedRecords, ...]
    unused: tuple[str, ...]

    def kept_queries(self, schema: RecordSchema) -> tuple[tuple[str, str, str, str], ...]:
        """The invariants that are queries: the name of each, the query, its level and the place where it stands.

        Counts of units that are not measured are none: they are kept at every level, as sums over the leaves.
        """
        of_units = _UNITS if schema.measured_units is None else ()
        named = [*self.kept, *((TOTAL, level, place) for name, level, place in self.rules if name == TOTAL)]
        return tuple(
            (name, TOTAL if name == _TOTAL else name, level, place)
            for name, level, place in named
            if name not in of_units
        )

    def place(self, level: str, query: str) -> str:
        """Where a query is named."""
        return f"{self.places[level]}: level {level}: {query}"


def read_settings(paths: Sequence[str]) -> TopDownSettings:
    """The settings of .ini files."""
    files = IniFiles(paths)
    names = files.get("geodict", "geolevel_names")
    strategy = _strategy_of_levels(files)
    levels = tuple(name.strip() for name in names[0].split(","))[::-1] if names else ()
    levels = levels if strategy is None else tuple(strategy.levels)
    if names and strategy is None and (len({level.lower() for level in levels}) != len(levels) or not all(levels)):
        raise InputError(f"{names[1]} must name every level once; got {names[0]!r}")
    above = () if strategy is None or _TOP in levels else (_TOP,)
    unused = files.unused(known_keys(files.files, (*levels, *above)))
    files.required("geodict", "geolevel_names")
    for key in ("dp_mechanism", *(_OF_LEVELS if strategy is None else ())):
        files.required("budget", key)
    check_implemented(files, levels)
    (queries, places), other = _queries(files, levels) if strategy is None else _of_strategy(files, strategy)
    rho_squared = _rho_squared(files) if strategy is None else sum(strategy.levels.values(), Fraction(0))
    shares = tuple(of / rho_squared for of in strategy.levels.values()) if strategy is not None else ()
    rules = _named(files, CONSTRAINTS, levels)
    kept, replaced = _without_replaced(_named(files, INVARIANTS, levels), rules)
    return TopDownSettings(
        rho_squared,
        levels,
        shares or _level_shares(files, levels),
        queries,
        places,
        kept,
        rules,
        stated_records(files),
        tuple(sorted((*unused, *other, *replaced, *_of_no_level(files, above)), key=str.lower)),
    )


def _of_no_level(files: IniFiles, above: Sequence[str]) -> list[str]:
    """What stands for a level that the strategy has not, as in the settings of Puerto Rico for the nation."""
    keys = [f"{prefix}{level}" for level in above for prefix in (INVARIANTS, CONSTRAINTS)]
    return [f"[constraints] {key}: the strategy has no such level" for key in keys if files.get("constraints", key)]


def _without_replaced(
    kept: tuple[tuple[str, str, str], ...], rules: tuple[tuple[str, str, str], ...]
) -> tuple[tuple[tuple[str, str, str], ...], list[str]]:
    """The invariants without a total that an earlier release has in its place, and what is to be said of that."""
    homes = {level for name, level, _ in rules if name == _HOMES}
    replaced = [one for one in kept if one[0] == _TOTAL and one[1] in homes]
    said = [f"[constraints] {INVARIANTS}{level} {name}: {_HOMES} of the earlier release" for name, level, _ in replaced]
    return tuple(one for one in kept if one not in replaced), said


def _strategy_of_levels(files: IniFiles) -> DhcStrategy | None:
    """The published strategy that has the levels and their budgets, where the settings leave the levels empty."""
    names, strategy = files.get("geodict", "geolevel_names"), files.get("budget", "strategy")
    is_empty = names is not None and not names[0].strip()
    return DHC_STRATEGIES.get(strategy[0]) if is_empty and strategy is not None else None


def _of_strategy(files: IniFiles, strategy: DhcStrategy) -> tuple[_Queries, tuple[str, ...]]:
    """The shares of queries of such a strategy, and the keys whose place it takes."""
    name, place = files.required("budget", "strategy")
    queries = {
        level: {query: share / strategy.levels[level] for query, share in of_level.items()}
        for level, of_level in strategy.rho_squared.items()
    }
    others = [f"[budget] {key}: {name} has the budget of each level" for key in _OF_LEVELS if files.get("budget", key)]
    return (queries, dict.fromkeys(queries, f"{place}: {name}")), tuple(others)


def _rho_squared(files: IniFiles) -> Fraction:
    text, place = files.required("budget", "global_scale")
    scale = parse_exact(place, text)
    if scale <= 0:
        raise InputError(f"{place} must be positive; got {text}")
    return 1 / scale**2


def _level_shares(files: IniFiles, levels: Sequence[str]) -> tuple[Fraction, ...]:
    text, place = files.required("budget", "geolevel_budget_prop")
    shares = tuple(parse_exact(place, share.strip()) for share in text.split(","))
    if len(shares) != len(levels):
        raise InputError(f"{place} must have one share for each of {len(levels)} levels; got {len(shares)}")
    _check_sum(place, shares)
    return shares


def _check_sum(place: str, shares: Sequence[Fraction]) -> None:
    for share in shares:
        if share <= 0:
            raise InputError(f"{place}: shares must be positive; got {share}")
    if sum(shares) != 1:
        raise InputError(f"{place}: shares must sum to exactly 1; got {sum(shares)}")


def _queries(files: IniFiles, levels: Sequence[str]) -> tuple[_Queries, tuple[str, ...]]:
    """The shares of queries by level with the places where they stand, and which of two sources is not used."""
    strategy = files.holder("budget", "strategy")
    by_level = {level: holder for level in levels if (holder := files.holder("queries", level)) is not None}
    if not by_level:
        return _published(files, levels), ()
    first = min(by_level.values(), key=files.files.index)
    if strategy is first:
        place = strategy.where("budget", "strategy")
        raise InputError(f"{place} must not stand beside [queries]: both give the shares of queries")
    if strategy is not None and files.files.index(strategy) < files.files.index(first):
        why = f"{strategy.place} sets a strategy"
        return _published(files, levels), tuple(
            f"[queries] {key} of {one.place}: {why}" for key, one in by_level.items()
        )
    stated = {level: files.required("queries", level) for level in levels}
    found = {level: _shares_of(*stated[level]) for level in levels}
    other = () if strategy is None else (f"[budget] strategy of {strategy.place}: {first.place} sets [queries]",)
    return (found, {level: stated[level][1] for level in levels}), other


def _published(files: IniFiles, levels: Sequence[str]) -> _Queries:
    name, place = files.required("budget", "strategy")
    if name not in STRATEGIES:
        raise InputError(
            f"{place} must be a published strategy, or [queries] must give the shares; {name!r}: "
            f"{suggestion(name, [*STRATEGIES])}"
        )
    found = STRATEGIES[name]
    for level in levels:
        if level not in found:
            raise InputError(f"{place}: {name} has no level {level!r}; {suggestion(level, [*found])}")
    return {level: found[level] for level in levels}, dict.fromkeys(levels, f"{place}: {name}")


def _shares_of(text: str, place: str) -> Mapping[str, Fraction]:
    found: dict[str, Fraction] = {}
    for part in text.split(","):
        query, colon, share = part.rpartition(":")
        name = " * ".join(factor.strip() for factor in query.split("*"))
        if not colon or not name:
            raise InputError(f"{place} must be 'query: share, query: share, …'; got {part.strip()!r}")
        if name in found:
            raise InputError(f"{place} duplicate query {name!r}")
        found[name] = parse_exact(f"{place}: {name}", share.strip())
    _check_sum(place, list(found.values()))
    return found


def _named(files: IniFiles, prefix: str, levels: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    """Every name of a kind of constraints, with its level and place."""
    found = []
    for level in levels:
        stated = files.get("constraints", f"{prefix}{level}")
        if stated is None:
            continue
        text, place = stated
        names = [name.strip() for name in text.split(",")]
        if not all(names) or len(set(names)) < len(names):
            raise InputError(f"{place} must have names with commas between them, each once; got {text!r}")
        found += [(name, level, place) for name in names]
    return tuple(found)


def design_of(
    settings: TopDownSettings,
    schema: RecordSchema,
    geography: Geography,
    *,
    place: str,
    weights: Weights,
    tie: Tie,
    reproduced: Sequence[str] = (),
) -> Design:
    """The design of a run; `reproduced` are the totals of an earlier release that it has too, as LEVEL=QUERY."""
    if len(geography.levels) != len(settings.levels):
        raise InputError(
            f"{place} must have {len(settings.levels)} levels ({', '.join(settings.levels)}); "
            f"it has {len(geography.levels)}"
        )
    for stated in settings.records:
        stated.check(schema)
    names = list(dict.fromkeys(query for level in settings.levels for query in settings.queries[level]))
    groups = []
    for name in names:
        level = next(level for level in settings.levels if name in settings.queries[level])
        rows = _within(settings.place(level, name), schema.marginal, name)
        shares = tuple(settings.queries[level].get(name, Fraction(0)) for level in settings.levels)
        groups.append(QueryGroup(name, schema.part, rows, shares))
    return Design(
        geography,
        schema.cell_parts,
        tuple(groups),
        tuple(_kept(settings, schema)),
        schema.edits if _check_rules(settings, schema, reproduced) else (),
        settings.shares,
        {schema.part: settings.rho_squared},
        weights,
        tie,
    )


def _within(place: str, rows: Callable[[str], T], query: str, others: Sequence[str] = ()) -> T:
    """The rows of a query; where it is none, what may be meant, also of the other names that may stand here."""
    try:
        return rows(query)
    except InputError as error:
        if (near := nearest(query, others, likeness=_ALIKE)) is not None:
            raise InputError(f"{place}: unknown query {query!r}; did you mean {near!r}?") from None
        raise InputError(f"{place}: {error}") from None


def _kept(settings: TopDownSettings, schema: RecordSchema) -> list[KeptTotal]:
    """The invariants; the counts of units, which are known exactly, at the last level in any case."""
    last = len(settings.levels) - 1
    found = [
        KeptTotal(f"units of type {kind} ({settings.levels[last]})", last, schema.unit_row(kind))
        for kind in (schema.unit_types if schema.units is not None else ())
    ]
    for name, _, place in settings.kept:
        if name in _UNITS and not schema.unit_types:
            raise InputError(f"{place}: {name}: the schema has no [units]")
    for name, query, level, place in settings.kept_queries(schema):
        for value, row in _within(f"{place}: {name}", schema.rows, query, (_TOTAL, *_UNITS)).items():
            label = value if len(value) else name
            found.append(KeptTotal(f"{label} ({level})", settings.levels.index(level), row))
    return found


def _check_rules(settings: TopDownSettings, schema: RecordSchema, reproduced: Sequence[str]) -> bool:
    limits = {} if schema.units is None else {_LEAST: schema.units.least, _MOST: schema.units.most}
    of_units = () if schema.measured_units is None else (_QUARTERS, _OWNED)
    known = [rule.name for rule in schema.rules] + [TOTAL, *limits, *_EARLIER, *of_units]
    kept = {"".join(one.split()).lower() for one in reproduced}
    for name, level, place in settings.rules:
        if name in _EARLIER and "".join(f"{settings.levels[-1]}={_EARLIER[name]}".split()).lower() not in kept:
            raise InputError(
                f"{place}: level {level}: {name} requires --earlier and "
                f"--reproduce '{settings.levels[-1]}={_EARLIER[name]}'"
            )
        if name == _QUARTERS and not any(kept == _UNITS[0] for kept, *_ in settings.kept):
            raise InputError(f"{place}: level {level}: {name} requires the invariant {_UNITS[0]}")
        if name not in known and not any(rule.name.startswith(f"{name}_") for rule in schema.rules):
            raise InputError(f"{place}: level {level}: unknown constraint {name!r}; {suggestion(name, known)}")
        if name in limits and not limits[name]:
            key = "least" if name == _LEAST else "most"
            raise InputError(f"{place}: level {level}: {name}: the schema has no units.{key}")
    return True
