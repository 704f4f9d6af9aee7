"""SafeTab settings (JSON): one budget for each population-group level and geography, for the US and Puerto Rico."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from spec.arguments import InputError
from verify.auditing.claim_table import suggestion
from verify.records.exact_json import NumberText, json_number
from verify.records.published import TOTALS
from verify.records.setting import BudgetSetting, Run, neighbor_factors

__all__ = ["is_safetab", "safetab"]

_PREFIX = "privacy_budget_"
_PERSON = re.compile(r"privacy_budget_p_level_(?P<level>[0-9]+)_(?P<geography>[a-z_]+)")
_HOUSEHOLD = re.compile(r"privacy_budget_h_(?P<table>[a-z0-9]+)_level_(?P<level>[0-9]+)_(?P<geography>[a-z_]+)")
_STAGE = re.compile(r"privacy_budget_p_stage_1_fraction")
_TABLES = ("t3", "t4")
_GEOGRAPHIES = ("usa", "state", "county", "tract", "place", "aiannh", "pr_state", "pr_county", "pr_tract", "pr_place")
_SWITCHES = ("max_race_codes", "zero_suppression_chance", "allow_negative_counts", "run_us", "run_pr", "privacy_defn")
_MEASURES = {"zcdp": True, "puredp": False}


def is_safetab(content: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the budgets of a SafeTab setting."""
    return any(key.startswith((f"{_PREFIX}p_", f"{_PREFIX}h_")) for key in content)


def safetab(path: Path, content: Mapping[str, Any]) -> BudgetSetting:
    """The setting in a JSON object.

    Raises:
        InputError: a budget has an unknown table or geography, is no number or negative, both SafeTab-P and SafeTab-H
            budgets occur, the privacy definition is unknown, or a switch is of another type.
    """
    place = f"{path}:"
    letters = [letter for letter in "ph" if any(key.startswith(f"{_PREFIX}{letter}_") for key in content)]
    if len(letters) != 1:
        raise InputError(f"{place} {_PREFIX}*: must be of SafeTab-P or of SafeTab-H, not of both")
    letter = letters[0]
    is_zcdp = _measure(place, content)
    us: dict[str, Fraction] = {}
    puerto_rico: dict[str, Fraction] = {}
    for key, value in content.items():
        if not key.startswith(_PREFIX):
            continue
        where = f"{place} {key}"
        if _STAGE.fullmatch(key):
            if json_number(where, value) > 1:
                raise InputError(f"{where} must be between 0 and 1; got {value}")
            continue
        geography = _geography(where, key)
        (puerto_rico if geography.startswith("pr_") else us)[key] = json_number(where, value)
    product = "DDHC-A" if letter == "p" else "DDHC-B"
    # the published totals are of runs that spend budget on the nation
    is_us = any(budget > 0 for key, budget in us.items() if key.endswith("_usa"))
    published = next(total for total in TOTALS if total.product == product) if is_zcdp and is_us else None
    runs = []
    if us and _switch(place, content, "run_us"):
        runs.append(Run("US", us, published))
    if puerto_rico and _switch(place, content, "run_pr"):
        runs.append(Run("Puerto Rico", puerto_rico, None))
    if not runs:
        raise InputError(f"{place} run_us: must be true where there are budgets to run, or run_pr; got neither")
    return BudgetSetting(
        path,
        f"SafeTab-{letter.upper()}",
        is_zcdp,
        tuple(runs),
        {"output_premetric": f"privacy_defn = {content.get('privacy_defn', 'zcdp')}"},
        tuple(_unread(content)),
        neighbor_factors(is_zcdp=is_zcdp, two_cells_proved=False),
        {},
    )


def _measure(place: str, content: Mapping[str, Any]) -> bool:
    name = content.get("privacy_defn")
    if not isinstance(name, str) or name not in _MEASURES:
        raise InputError(f"{place} privacy_defn must be one of {sorted(_MEASURES)}; got {name!r}")
    return _MEASURES[name]


def _geography(where: str, key: str) -> str:
    """The geography of a budget key."""
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
        raise InputError(f"{place} {key} must be true or false; got {value!r}")
    return value


def _unread(content: Mapping[str, Any]) -> list[str]:
    found = [key for key in content if not key.startswith(_PREFIX) and key not in _SWITCHES]
    kept = [
        f"{key} = {content[key]}"
        for key in ("max_race_codes", "privacy_budget_p_stage_1_fraction", "zero_suppression_chance")
        if isinstance(content.get(key), NumberText)
    ]
    parts = [f"not part of the sum: {', '.join(kept)}"] if kept else []
    return [*parts, *(f"not read: {key}" for key in found)]
