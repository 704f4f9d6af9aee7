"""TopDown settings (.ini): the noise scale, its split over geographic levels, and the invariants.

For neighbours that differ in one replaced record, a histogram changes by √2 in ℓ₂, so Gaussian noise of scale s on it
has ρ² = (√2)²/(2s²) = 1/s². A file that names another one under INCLUDE is read alone: nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from spec.arguments import InputError, parse_exact
from verify.bounded_file import read_text
from verify.records.ini_file import IniFile, load_ini
from verify.records.published import TOTALS, PublishedTotal
from verify.records.setting import BudgetSetting, Run

__all__ = ["read_topdown"]

_PRODUCTS = {("PL94_2020_SCHEMA", "Person"): "PL person"}
"""The product by (schema, privacy table), where the published code names it."""

_MECHANISMS = ("discrete_gaussian_mechanism",)


def read_topdown(path: Path) -> BudgetSetting:
    """The setting of an .ini file.

    Raises:
        InputError: the file cannot be read, is no .ini, has neither a noise scale nor a split over levels under
            [budget], a number is not exact or not positive, the shares do not sum to one, or there are not as many
            shares as levels; the message names the file and the key.
    """
    ini = load_ini(str(path), read_text(path))
    scale, shares = ini.get("budget", "global_scale"), ini.get("budget", "geolevel_budget_prop")
    if scale is None and shares is None:
        sections = ", ".join(ini.sections())
        raise InputError(
            f"{path}: [budget] global_scale or geolevel_budget_prop: missing key; without it this is no TopDown "
            f"setting; the sections are {sections}"
        )
    levels = _shares(ini, shares) if shares is not None else {}
    mechanism = ini.get("budget", "dp_mechanism")
    is_known = mechanism is None or mechanism in _MECHANISMS
    runs: tuple[Run, ...] = ()
    if scale is not None and is_known:
        total = _rho_squared(ini, scale)
        budgets = {f"{level}": share * total for level, share in levels.items()} or {"global_scale": total}
        runs = (Run("persons" if ini.get("reader", "privacy_table") == "Person" else "all", budgets, _published(ini)),)
    includes = tuple(value for (_, key), value in ini.values.items() if key == "INCLUDE")
    unread = tuple(_unread(ini, includes, is_known))
    return BudgetSetting(path, "TopDown", True, runs, _stated(ini), unread, (), levels, includes)


def _positive(ini: IniFile, key: str, text: str) -> Fraction:
    where = ini.where("budget", key)
    number = parse_exact(where, text)
    if number <= 0:
        raise InputError(f"{where} must be positive; got {text}")
    return number


def _rho_squared(ini: IniFile, text: str) -> Fraction:
    scale = _positive(ini, "global_scale", text)
    return 1 / scale**2


def _shares(ini: IniFile, text: str) -> Mapping[str, Fraction]:
    """The share of every geographic level, from the top down."""
    where = ini.where("budget", "geolevel_budget_prop")
    parts = [part.strip() for part in text.split(",")]
    shares = [_positive(ini, "geolevel_budget_prop", part) for part in parts]
    if sum(shares) != 1:
        raise InputError(f"{where} must have fractions that sum to 1; they sum to {sum(shares)}")
    names = ini.get("geodict", "geolevel_names")
    if names is None:
        return {f"level {index}": share for index, share in enumerate(shares, start=1)}
    levels = [name.strip() for name in names.split(",")][::-1]
    if len(levels) != len(shares) or len(set(levels)) != len(levels):
        raise InputError(f"{where} must have one fraction for each of the {len(levels)} levels; got {len(shares)}")
    return dict(zip(levels, shares, strict=True))


def _published(ini: IniFile) -> PublishedTotal | None:
    product = _PRODUCTS.get((ini.get("schema", "schema") or "", ini.get("reader", "privacy_table") or ""))
    return next((total for total in TOTALS if total.product == product), None)


def _stated(ini: IniFile) -> Mapping[str, str]:
    stated = {}
    invariants = [
        f"{key.removeprefix('theInvariants.')}: {value}"
        for (section, key), value in ini.values.items()
        if section == "constraints" and key.startswith("theInvariants.")
    ]
    if invariants:
        stated["multiverse"] = f"invariants by level: {'; '.join(invariants)}"
    table, histogram = ini.get("reader", "privacy_table"), None
    if table is not None:
        histogram = ini.get("reader", f"{table}.histogram")
        stated["input_premetric"] = f"records of the table {table}; neighbours are not stated"
    if histogram is not None:
        stated["domain"] = f"histograms of {histogram}"
    if mechanism := ini.get("budget", "dp_mechanism"):
        stated["output_premetric"] = f"dp_mechanism = {mechanism}"
    return stated


def _unread(ini: IniFile, includes: tuple[str, ...], is_known: bool) -> list[str]:
    unread = []
    if not is_known:
        unread.append(
            f"not read: dp_mechanism = {ini.get('budget', 'dp_mechanism')}, whose scale has no known meaning here"
        )
    unread += [f"INCLUDE {name} is not followed; what it sets is not known here" for name in includes]
    if strategy := ini.get("budget", "strategy"):
        unread.append(f"the split over queries is in the program's strategy {strategy}")
    if ini.get("budget", "global_scale") is None:
        unread.append("no global_scale in this file, so only shares are known")
    unread += [f"[{section}] {key} stands twice with one value" for section, key in dict.fromkeys(ini.repeated)]
    return unread
