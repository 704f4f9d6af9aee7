"""PHSafe settings (JSON): one budget for each table and population-group level, with truncation thresholds."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.mechanisms.fast.phsafe_settings import LEVELS, PUERTO_RICO, STATES
from stirred.spec.arguments import InputError, nearest, suggestion
from stirred.verify.audit.records.published import TOTALS
from stirred.verify.audit.records.setting import (
    BudgetSetting,
    Run,
    listed,
    neighbor_factors,
    not_misspelt,
)
from stirred.verify.evidence.files.exact_json import NumberText, json_number, json_shown
from stirred.verify.laws.published_settings import privacy_definition

NAME, FORM, KEYS = "PHSafe setting", "json", "privacy_budget"

_LEVEL = re.compile(r"(?P<geography>[a-z]+)_(?P<iterations>A-G|H,I|\*)")
_UNUSED = ("reader", "total_budget")
_KNOWN = ("privacy_budget", "tau", "state_filter", "privacy_defn", *_UNUSED)
_STATES = tuple(code for code in STATES if code != PUERTO_RICO)
"""The FIPS codes of the 50 states and the District of Columbia."""


def recognizes(content: Any) -> bool:
    """Whether it is a JSON object with the key of a PHSafe setting."""
    return isinstance(content, dict) and KEYS in content


def read(path: Path, content: Mapping[str, Any]) -> BudgetSetting:
    """The setting in a JSON object.

    A setting that spends budget on the nation, and filters no state out, is a run for the US; Puerto Rico's spends none
    there.

    Source: PHSafe, sections 2.4, 6.6 and Table 10.
    """
    place = f"{path}:"
    unknown = not_misspelt(place, (key for key in content if key not in _KNOWN), _KNOWN)
    name, is_zcdp = privacy_definition(place, content)
    budgets = _budgets(place, content["privacy_budget"])
    thresholds = _thresholds(place, content)
    states = _filter(place, content)
    national = [key for key, budget in budgets.items() if budget > 0 and key.split(".")[1].startswith("usa_")]
    contradictions = _contradictions(states, national)
    run = "US" if national and not contradictions else _areas(states, budgets)
    published = next(total for total in TOTALS if total.product == "S-DHC") if run == "US" and is_zcdp else None
    expected = [f"{table}.{level}" for table, levels in LEVELS.items() for level in levels]
    unread = [f"not part of the sum: truncation thresholds {thresholds}"] if thresholds else []
    unread += [f"not read: {key}" for key in (*unknown, *(key for key in _UNUSED if key in content))]
    if beyond := [key for key in budgets if key not in expected]:
        unread.append(f"not in PHSafe, Table 10: {listed(beyond)}")
    if not national:
        unread.append("no budget is spent on the nation, so this is not the run for the US (PHSafe, section 6.6)")
    return BudgetSetting(
        path,
        "PHSafe",
        is_zcdp,
        (Run(run, budgets, published),),
        {"output_premetric": f"privacy_defn = {name}"},
        tuple(unread),
        neighbor_factors(is_zcdp=is_zcdp, two_cells_proved=True),
        {},
        missing=_missing(expected, budgets),
        contradictions=contradictions,
    )


def _budgets(place: str, tables: Any) -> Mapping[str, Fraction]:
    if not isinstance(tables, dict):
        raise InputError(f"{place} privacy_budget must be a table of tables; got {json_shown(tables)}")
    budgets: dict[str, Fraction] = {}
    for table, levels in tables.items():
        where = f"{place} privacy_budget.{table}"
        _known_table(where, table)
        if not isinstance(levels, dict):
            raise InputError(f"{where} must be a table of budgets; got {json_shown(levels)}")
        if not levels:
            raise InputError(f"{where} must have budgets; it has none")
        for level, value in levels.items():
            near = nearest(level, LEVELS[table])
            if level not in LEVELS[table] and near is not None:
                raise InputError(f"{where}.{level}: unknown population-group level; did you mean {near!r}?")
            if _LEVEL.fullmatch(level) is None:
                raise InputError(f"{where}.{level}: unknown population-group level; must be GEOGRAPHY_ITERATIONS")
            budgets[f"{table}.{level}"] = json_number(f"{where}.{level}", value)
    if not budgets:
        raise InputError(f"{place} privacy_budget must have budgets; it has none")
    return budgets


def _missing(expected: list[str], budgets: Mapping[str, Fraction]) -> tuple[str, ...]:
    """The tables of PHSafe, Table 10 that have no budget, and the levels that tables lack."""
    set_tables = {key.split(".")[0] for key in budgets}
    tables = [f"table {table}" for table in LEVELS if table not in set_tables]
    return (*tables, *(key for key in expected if key not in budgets and key.split(".")[0] in set_tables))


def _filter(place: str, content: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The areas that the setting runs on by their FIPS codes, None where it does not say."""
    if "state_filter" not in content:
        return None
    states = content["state_filter"]
    if not isinstance(states, list):
        raise InputError(f"{place} state_filter must be an array of FIPS codes; got {json_shown(states)}")
    for index, code in enumerate(states):
        if not isinstance(code, str) or isinstance(code, NumberText) or code not in (*_STATES, PUERTO_RICO):
            raise InputError(
                f"{place} state_filter[{index}] must be the FIPS code of a state or of Puerto Rico as a text, such as "
                f"'01' or '72'; got {json_shown(code)}"
            )
    return tuple(states)


def _contradictions(states: tuple[str, ...] | None, national: list[str]) -> tuple[str, ...]:
    """How the filter and the budgets of the nation do not go together."""
    if states is None or not national:
        return ()
    spent = f"yet budget is spent on the nation: {listed(national, 2)}"
    if set(states) == {PUERTO_RICO}:
        return (f"state_filter names Puerto Rico only, {spent}",)
    absent = [code for code in _STATES if code not in states]
    if absent:
        return (f"state_filter leaves out {len(absent)} of {len(_STATES)} states ({listed(absent)}), {spent}",)
    if PUERTO_RICO in states:
        return (f"state_filter names Puerto Rico beside the states, {spent}",)
    return ()


def _areas(states: tuple[str, ...] | None, budgets: Mapping[str, Fraction]) -> str:
    """What a setting ran on that is not the run for the US: the one area it names, or where it spends budget."""
    spending = {key.split(".")[1].split("_")[0] for key, budget in budgets.items() if budget > 0}
    if states == (PUERTO_RICO,) and "usa" not in spending:
        return "Puerto Rico"
    return "/".join(sorted(spending)) or "nothing"


def _known_table(where: str, table: str) -> None:
    if table not in LEVELS:
        raise InputError(f"{where}: unknown table; {suggestion(table, tuple(LEVELS))}")


def _thresholds(place: str, content: Mapping[str, Any]) -> str:
    thresholds = content.get("tau", {})
    if not isinstance(thresholds, dict):
        raise InputError(f"{place} tau must be a table of thresholds; got {json_shown(thresholds)}")
    for table, value in thresholds.items():
        where = f"{place} tau.{table}"
        _known_table(where, table)
        if not isinstance(value, NumberText) or json_number(where, value).denominator != 1:
            raise InputError(f"{where} must be an integer; got {json_shown(value)}")
    return ", ".join(f"{table} {value}" for table, value in thresholds.items())
