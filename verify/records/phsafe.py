"""PHSafe settings (JSON): one budget for each table and population-group level, with truncation thresholds."""

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

__all__ = ["TABLES", "is_phsafe", "phsafe"]

TABLES = ("PH1_num", "PH1_denom", "PH2", "PH3", "PH4", "PH5_denom", "PH6", "PH7", "PH8_denom")
"""The tables that spend budget; the numerators of PH5 and PH8 are post-processing."""

_LEVEL = re.compile(r"(?P<geography>[a-z]+)_(?P<iterations>A-G|H,I|\*)")
_KNOWN = ("privacy_budget", "tau", "state_filter", "reader", "privacy_defn")
_MEASURES = {"zcdp": True, "puredp": False}
_PUERTO_RICO = "72"


def is_phsafe(content: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the budgets of a PHSafe setting."""
    return isinstance(content.get("privacy_budget"), dict)


def phsafe(path: Path, content: Mapping[str, Any]) -> BudgetSetting:
    """The setting in a JSON object.

    A setting that spends budget on the nation is a run for the US; Puerto Rico's spends none there.

    Raises:
        InputError: a table or a population-group level is unknown, a budget or threshold is no number or negative, a
            table has no budgets, or the privacy definition is unknown.

    Source: PHSafe, sections 2.4, 6.6 and Table 10.
    """
    place = f"{path}:"
    name = content.get("privacy_defn")
    if not isinstance(name, str) or name not in _MEASURES:
        raise InputError(f"{place} privacy_defn must be one of {sorted(_MEASURES)}; got {name!r}")
    is_zcdp = _MEASURES[name]
    budgets: dict[str, Fraction] = {}
    for table, levels in content["privacy_budget"].items():
        where = f"{place} privacy_budget.{table}"
        _known_table(where, table)
        if not isinstance(levels, dict) or not levels:
            raise InputError(f"{where} must be a table of budgets; got {levels!r}")
        for level, value in levels.items():
            found = _LEVEL.fullmatch(level)
            if found is None:
                raise InputError(f"{where}.{level}: unknown population-group level; must be GEOGRAPHY_ITERATIONS")
            budgets[f"{table}.{level}"] = json_number(f"{where}.{level}", value)
    if not budgets:
        raise InputError(f"{place} privacy_budget must have budgets; it has none")
    thresholds = _thresholds(place, content)
    run = _run(content, budgets)
    is_us = run == "US"
    published = next(total for total in TOTALS if total.product == "S-DHC") if is_us and is_zcdp else None
    unread = [f"not part of the sum: truncation thresholds {thresholds}"] if thresholds else []
    unread += [f"not read: {key}" for key in content if key not in _KNOWN]
    if not is_us:
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
    )


def _run(content: Mapping[str, Any], budgets: Mapping[str, Fraction]) -> str:
    """What the setting ran on: the geographies on which it spends budget, or the one area that it names."""
    spending = {key.split(".")[1].split("_")[0] for key, budget in budgets.items() if budget > 0}
    if "usa" in spending:
        return "US"
    return "Puerto Rico" if content.get("state_filter") == [_PUERTO_RICO] else "/".join(sorted(spending)) or "nothing"


def _known_table(where: str, table: str) -> None:
    if table not in TABLES:
        raise InputError(f"{where}: unknown table; {suggestion(table, TABLES)}")


def _thresholds(place: str, content: Mapping[str, Any]) -> str:
    thresholds = content.get("tau", {})
    if not isinstance(thresholds, dict):
        raise InputError(f"{place} tau must be a table of thresholds; got {thresholds!r}")
    for table, value in thresholds.items():
        where = f"{place} tau.{table}"
        _known_table(where, table)
        if not isinstance(value, NumberText) or json_number(where, value).denominator != 1:
            raise InputError(f"{where} must be an integer; got {value!r}")
    return ", ".join(f"{table} {value}" for table, value in thresholds.items())
