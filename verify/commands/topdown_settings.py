"""The settings that TopDown is run with: the published .ini form, with the shares of queries where the file has them.

    [budget]     global_scale (rho^2 = 1/scale^2), geolevel_budget_prop (from the top down), dp_mechanism, strategy
    [geodict]    geolevel_names (from the bottom up)
    [queries]    LEVEL = query: share, query: share, ...    where the strategy is not one of the published ones
    [constraints]  theInvariants.LEVEL and theConstraints.LEVEL: names of totals, unit counts and rules

Several files are read together: what the first one sets is not set by a later one. Nothing is included by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms.topdown.census_strategies import STRATEGIES
from mechanisms.topdown.design import Design, KeptTotal, QueryGroup, Tie, Weights
from mechanisms.topdown.geography import Geography
from mechanisms.topdown.schema import TOTAL, RecordSchema
from spec.arguments import InputError, parse_exact, suggestion
from verify.outside.bounded_file import read_text
from verify.records.ini_file import IniFile, load_ini

__all__ = ["TopDownSettings", "design_of", "read_settings"]

_MECHANISM = "discrete_gaussian_mechanism"
_INVARIANT, _CONSTRAINT = "theInvariants.", "theConstraints."
_UNITS = ("gqhh_vect", "gqhh_tot")
_LIMITS = ("hhgq_total_lb", "hhgq_total_ub")


@dataclass(frozen=True)
class TopDownSettings:
    """What the files say.

    Attributes:
        rho_squared: of all levels and queries together.
        levels: from the top down.
        shares: of each level.
        queries: by level, the share of each query.
        places: by level, where the shares of its queries stand.
        kept: the names of invariants, with their level and the place where each stands.
        rules: the names of other constraints, with the place where each stands.
    """

    rho_squared: Fraction
    levels: tuple[str, ...]
    shares: tuple[Fraction, ...]
    queries: Mapping[str, Mapping[str, Fraction]]
    places: Mapping[str, str]
    kept: tuple[tuple[str, str, str], ...]
    rules: tuple[tuple[str, str, str], ...]

    def place(self, level: str, query: str) -> str:
        """Where a query is named."""
        return f"{self.places[level]}: level {level}: {query}"


class _Files:
    """Several files of settings, of which the first one that sets a key is taken."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._files = [load_ini(path, read_text(path)) for path in paths]

    def holder(self, section: str, key: str) -> IniFile | None:
        return next((file for file in self._files if file.get(section, key) is not None), None)

    def required(self, section: str, key: str) -> tuple[str, str]:
        """The value of a key, and its place."""
        file = self.holder(section, key)
        if file is None:
            raise InputError(f"{', '.join(file.place for file in self._files)}: [{section}] {key}: missing key")
        return str(file.get(section, key)), file.where(section, key)

    def keys(self, section: str) -> list[str]:
        return list(dict.fromkeys(key for file in self._files for key in file.keys(section)))


def read_settings(paths: Sequence[str]) -> TopDownSettings:
    """The settings of .ini files.

    Raises:
        InputError: a key is missing, a number is not exact, shares do not sum to exactly 1, a level has no shares of
            queries or is not known; with file, key and level.
    """
    files = _Files(paths)
    scale_text, scale_place = files.required("budget", "global_scale")
    scale = parse_exact(scale_place, scale_text)
    if scale <= 0:
        raise InputError(f"{scale_place} must be positive; got {scale_text}")
    mechanism, place = files.required("budget", "dp_mechanism")
    if mechanism != _MECHANISM:
        raise InputError(f"{place} must be {_MECHANISM}; got {mechanism!r}")
    names, place = files.required("geodict", "geolevel_names")
    levels = tuple(name.strip() for name in names.split(","))[::-1]
    if len(set(levels)) != len(levels) or not all(levels):
        raise InputError(f"{place} must name every level once; got {names!r}")
    text, place = files.required("budget", "geolevel_budget_prop")
    shares = tuple(parse_exact(place, share.strip()) for share in text.split(","))
    if len(shares) != len(levels):
        raise InputError(f"{place} must have one share for each of {len(levels)} levels; got {len(shares)}")
    _check_sum(place, shares)
    queries, places = _queries(files, levels)
    constraints = files.keys("constraints")
    return TopDownSettings(
        1 / scale**2,
        levels,
        shares,
        queries,
        places,
        tuple(_named(files, constraints, _INVARIANT, levels)),
        tuple(_named(files, constraints, _CONSTRAINT, levels)),
    )


def _check_sum(place: str, shares: Sequence[Fraction]) -> None:
    for share in shares:
        if share <= 0:
            raise InputError(f"{place}: shares must be positive; got {share}")
    if sum(shares) != 1:
        raise InputError(f"{place}: shares must sum to exactly 1; got {sum(shares)}")


def _queries(files: _Files, levels: Sequence[str]) -> tuple[Mapping[str, Mapping[str, Fraction]], Mapping[str, str]]:
    """The shares of queries by level, and where they stand."""
    own = files.keys("queries")
    if not own:
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
    for level in own:
        if level not in levels:
            raise InputError(f"{files.required('queries', level)[1]}: unknown level; {suggestion(level, levels)}")
    stated = {level: files.required("queries", level) for level in levels}
    return {level: _shares_of(*stated[level]) for level in levels}, {level: stated[level][1] for level in levels}


def _shares_of(text: str, place: str) -> Mapping[str, Fraction]:
    found: dict[str, Fraction] = {}
    for part in text.split(","):
        query, colon, share = part.rpartition(":")
        name = " * ".join(factor.strip() for factor in query.split("*"))
        if not colon or not name:
            raise InputError(f"{place} must be 'query: share, query: share, …'; got {part.strip()!r}")
        if name in found:
            raise InputError(f"{place} must name each query once; {name!r} stands twice")
        found[name] = parse_exact(f"{place}: {name}", share.strip())
    _check_sum(place, list(found.values()))
    return found


def _named(files: _Files, keys: Sequence[str], prefix: str, levels: Sequence[str]) -> list[tuple[str, str, str]]:
    found = []
    for key in keys:
        if key.startswith(prefix):
            text, place = files.required("constraints", key)
            level = key.removeprefix(prefix)
            if level not in levels:
                raise InputError(f"{place}: unknown level {level!r}; {suggestion(level, levels)}")
            found += [(name.strip(), level, place) for name in text.split(",")]
    return found


def design_of(
    settings: TopDownSettings, schema: RecordSchema, geography: Geography, *, place: str, weights: Weights, tie: Tie
) -> Design:
    """The design of a run.

    Raises:
        InputError: the geography has other levels, or a query, invariant or constraint is not known to the schema; with
            file, level and name.
    """
    if len(geography.levels) != len(settings.levels):
        raise InputError(
            f"{place} must have {len(settings.levels)} levels ({', '.join(settings.levels)}); "
            f"it has {len(geography.levels)}"
        )
    names = list(dict.fromkeys(query for level in settings.levels for query in settings.queries[level]))
    groups = []
    for name in names:
        level = next(level for level in settings.levels if name in settings.queries[level])
        rows = _within(settings.place(level, name), schema, name)
        shares = tuple(settings.queries[level].get(name, Fraction(0)) for level in settings.levels)
        groups.append(QueryGroup(name, schema.part, tuple(rows.values()), shares))
    return Design(
        geography,
        schema.cell_parts,
        tuple(groups),
        tuple(_kept(settings, schema)),
        schema.edits if _check_rules(settings, schema) else (),
        settings.shares,
        {schema.part: settings.rho_squared},
        weights,
        tie,
    )


def _within(place: str, schema: RecordSchema, query: str) -> Mapping[str, tuple[int, ...]]:
    try:
        return schema.rows(query)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _kept(settings: TopDownSettings, schema: RecordSchema) -> list[KeptTotal]:
    """The invariants; the counts of units, which are known exactly, at the last level in any case."""
    last = len(settings.levels) - 1
    found = [
        KeptTotal(f"units of type {kind} ({settings.levels[last]})", last, schema.unit_row(kind))
        for kind in schema.unit_types
    ]
    named = [*settings.kept, *((TOTAL, level, place) for name, level, place in settings.rules if name == TOTAL)]
    for name, level, place in named:
        if name in _UNITS:
            if schema.units is None:
                raise InputError(f"{place}: {name}: the schema must have [units]; it has none")
            continue  # at every level: they are sums over the leaves
        query = TOTAL if name == "tot" else name
        for value, row in _within(f"{place}: {name}", schema, query).items():
            label = value if len(value) else name
            found.append(KeptTotal(f"{label} ({level})", settings.levels.index(level), row))
    return found


def _check_rules(settings: TopDownSettings, schema: RecordSchema) -> bool:
    known = [rule.name for rule in schema.rules] + [TOTAL] + (list(_LIMITS) if schema.units is not None else [])
    for name, level, place in settings.rules:
        if name not in known:
            raise InputError(f"{place}: level {level}: unknown constraint {name!r}; {suggestion(name, known)}")
    return True
