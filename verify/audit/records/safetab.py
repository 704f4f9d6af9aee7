"""SafeTab settings (JSON): one budget for each population-group level and geography, for the US and Puerto Rico.

SafeTab-P's file states the share of each budget that stage 1 gets; stage 2 has what it leaves.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, suggestion
from stirred.verify.audit.records.published import TOTALS
from stirred.verify.audit.records.setting import (
    BudgetSetting,
    Run,
    listed,
    neighbor_factors,
    not_misspelt,
)
from stirred.verify.evidence.files.exact_json import NumberText, json_exact, json_number, json_shown
from stirred.verify.laws.published_settings import privacy_definition

NAME, FORM, KEYS = "SafeTab setting", "json", "privacy_budget_p_* or privacy_budget_h_*"

_PREFIX = "privacy_budget_"
_STAGE_1 = "privacy_budget_p_stage_1_fraction"
_STAGES = ("stage 1", "stage 2")
_PERSON = re.compile(r"privacy_budget_p_level_(?P<level>[0-9]+)_(?P<geography>[a-z_]+)")
_HOUSEHOLD = re.compile(r"privacy_budget_h_(?P<table>[a-z0-9]+)_level_(?P<level>[0-9]+)_(?P<geography>[a-z_]+)")
_TABLES = ("t3", "t4")
_LEVELS = ("1", "2")
_RUNS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "US": ("run_us", ("usa", "state", "county", "tract", "place", "aiannh")),
    "Puerto Rico": ("run_pr", ("pr_state", "pr_county", "pr_tract", "pr_place")),
}
"""The switch and the geographies of every run."""

_GEOGRAPHIES = tuple(geography for _, geographies in _RUNS.values() for geography in geographies)
_SWITCHES = ("max_race_codes", "zero_suppression_chance", "allow_negative_counts", "run_us", "run_pr", "privacy_defn")


def recognizes(content: Any) -> bool:
    """Whether it is a JSON object with the budgets of a SafeTab setting."""
    return isinstance(content, dict) and any(key.startswith((f"{_PREFIX}p_", f"{_PREFIX}h_")) for key in content)


def read(path: Path, content: Mapping[str, Any]) -> BudgetSetting:
    """The setting in a JSON object."""
    place = f"{path}:"
    letters = [letter for letter in "ph" if any(key.startswith(f"{_PREFIX}{letter}_") for key in content)]
    if len(letters) != 1:
        raise InputError(f"{place} {_PREFIX}*: must be of SafeTab-P or of SafeTab-H, not of both")
    letter = letters[0]
    unknown = _unknown(place, letter, content)
    name, is_zcdp = privacy_definition(place, content)
    budgets: dict[str, dict[str, Fraction]] = {run: {} for run in _RUNS}
    shares: dict[str, Fraction] = {}
    for key, value in content.items():
        if not key.startswith(_PREFIX):
            continue
        where = f"{place} {key}"
        if key == _STAGE_1:
            shares[_STAGES[0]] = json_exact(where, value)
            continue
        geography = _geography(where, key)
        run = next(run for run, (_, geographies) in _RUNS.items() if geography in geographies)
        budgets[run][key] = json_number(where, value)
    product = "DDHC-A" if letter == "p" else "DDHC-B"
    # the published totals are of runs that spend budget on the nation
    is_us = any(budget > 0 for key, budget in budgets["US"].items() if key.endswith("_usa"))
    published = next(total for total in TOTALS if total.product == product) if is_zcdp and is_us else None
    is_on = {run: _switch(place, content, switch) for run, (switch, _) in _RUNS.items()}
    runs = [
        Run(run, found, published if run == "US" else None) for run, found in budgets.items() if found and is_on[run]
    ]
    if not runs:
        raise InputError(f"{place} set run_us or run_pr to true: budgets are given but nothing runs")
    return BudgetSetting(
        path,
        f"SafeTab-{letter.upper()}",
        is_zcdp,
        tuple(runs),
        {"output_premetric": f"privacy_defn = {name}"},
        (*_unread(content, unknown), *_off(budgets, is_on), *_beyond(letter, budgets)),
        neighbor_factors(is_zcdp=is_zcdp, two_cells_proved=False),
        shares,
        rest=_STAGES[1] if shares else "",
        missing=tuple(_missing(letter, budgets, is_on)),
    )


def _expected(letter: str, run: str) -> list[str]:
    """The keys of a run in the published settings: two levels of every geography, for SafeTab-H in two tables."""
    tables = [""] if letter == "p" else [f"{table}_" for table in _TABLES]
    geographies = _RUNS[run][1]
    return [
        f"{_PREFIX}{letter}_{table}level_{level}_{geography}"
        for table in tables
        for geography in geographies
        for level in _LEVELS
    ]


def _missing(letter: str, budgets: Mapping[str, Mapping[str, Fraction]], is_on: Mapping[str, bool]) -> Iterator[str]:
    """The budgets of the runs that are on which the published settings have and this one does not."""
    for run, found in budgets.items():
        absent = [key for key in _expected(letter, run) if key not in found]
        if is_on[run] and not found:
            yield f"all budgets of the run {run}"
        elif is_on[run]:
            yield from absent


def _beyond(letter: str, budgets: Mapping[str, Mapping[str, Fraction]]) -> list[str]:
    beyond = [key for run, found in budgets.items() for key in found if key not in _expected(letter, run)]
    return [f"not in the published settings: {listed(beyond)}"] if beyond else []


def _off(budgets: Mapping[str, Mapping[str, Fraction]], is_on: Mapping[str, bool]) -> list[str]:
    return [
        f"{_RUNS[run][0]} is false: {len(found)} budgets of {run} belong to no run"
        for run, found in budgets.items()
        if found and not is_on[run]
    ]


def _geography(where: str, key: str) -> str:
    found = _PERSON.fullmatch(key) or _HOUSEHOLD.fullmatch(key)
    if found is None:
        raise InputError(
            f"{where}: unknown key; must be {_PREFIX}p_level_N_GEOGRAPHY or {_PREFIX}h_TABLE_level_N_GEOGRAPHY"
        )
    table = found.groupdict().get("table")
    if table is not None and table not in _TABLES:
        raise InputError(f"{where}: unknown table {table!r}; known: {', '.join(_TABLES)}")
    if found["geography"] not in _GEOGRAPHIES:
        raise InputError(
            f"{where}: unknown geography {found['geography']!r}; {suggestion(found['geography'], _GEOGRAPHIES)}"
        )
    return found["geography"]


def _switch(place: str, content: Mapping[str, Any], key: str) -> bool:
    value = content.get(key, True)
    if not isinstance(value, bool):
        raise InputError(f"{place} {key} must be true or false; got {json_shown(value)}")
    return value


def _unknown(place: str, letter: str, content: Mapping[str, Any]) -> list[str]:
    """The keys that are neither budgets nor switches."""
    known = [*_SWITCHES, _STAGE_1, *(key for run in _RUNS for key in _expected(letter, run))]
    return not_misspelt(place, (key for key in content if not key.startswith(_PREFIX) and key not in _SWITCHES), known)


def _unread(content: Mapping[str, Any], found: Sequence[str]) -> list[str]:
    kept = [
        f"{key} = {content[key]}"
        for key in ("max_race_codes", "zero_suppression_chance")
        if isinstance(content.get(key), NumberText)
    ]
    parts = [f"not part of the sum: {', '.join(kept)}"] if kept else []
    return [*parts, *(f"not read: {key}" for key in found)]
