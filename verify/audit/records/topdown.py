"""TopDown settings (.ini): the noise scale, its split over geographic levels, and the invariants.

For neighbours that differ in one replaced record, a histogram changes by √2 in ℓ₂, so Gaussian noise of scale s on it
has ρ² = (√2)²/(2s²) = 1/s²; for one added or removed record it changes by 1, and ρ² is half of it. The file does not
say which neighbours are meant, so the first is a condition of every number; without a mechanism there is no number. A
file that names another one under INCLUDE is read alone: nothing is fetched.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES, DhcStrategy
from stirred.spec.arguments import InputError, parse_exact
from stirred.verify.audit.records.published import TOTALS, PublishedTotal
from stirred.verify.audit.records.setting import BudgetSetting, Run
from stirred.verify.evidence.files.ini_files import INCLUDE, IniFile
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.laws.published_settings import INVARIANTS, known_keys

NAME, FORM, KEYS = "TopDown setting", "ini", "[budget] global_scale or geolevel_budget_prop"

_PRODUCTS = {("PL94_2020_SCHEMA", "Person"): "PL person"}
"""The product by (schema, privacy table), where the published code names it."""

_RECORDS = {"person": ("persons", "DHC person"), "housing unit": ("housing units", "DHC household")}
"""What a strategy's budget is spent on, and its product, by its record."""

_BUDGET_KEYS = ("global_scale", "geolevel_budget_prop")
_MECHANISMS = ("discrete_gaussian_mechanism",)
_READ = {
    "budget": ("global_scale", "geolevel_budget_prop", "dp_mechanism", "privacy_framework", "strategy"),
    "schema": ("schema",),
    "geodict": ("geolevel_names",),
}
_FRAMEWORK = "zcdp"
_CONDITION = (
    "Gaussian noise of scale s on a histogram: (sqrt 2)^2/(2 s^2) for one replaced record, half of it for one added or "
    "removed"
)


_BY_STRATEGY = "the strategy's share of a query at a level is the rho^2 of its noise, for one replaced record"


def recognizes(content: Any) -> bool:
    """Whether it is an .ini file with a noise scale or a split over levels."""
    return isinstance(content, IniFile) and any(content.get("budget", key) is not None for key in _BUDGET_KEYS)


def read(path: Path, ini: IniFile) -> BudgetSetting:
    """The setting of an .ini file."""
    _refuse_misspelt(ini)
    scale, shares = ini.get("budget", "global_scale"), ini.get("budget", "geolevel_budget_prop")
    if scale is None and shares is None:
        sections = ", ".join(ini.sections)
        raise InputError(f"{path}: {KEYS}: missing key; without it this is no {NAME}; the sections are {sections}")
    named = _levels(ini)
    levels = _shares(ini, shares, named) if shares else {}
    mechanism = ini.get("budget", "dp_mechanism")
    total = 1 / _scale(ini, scale) ** 2 if scale and not _is_by_strategy(ini) else None
    runs: tuple[Run, ...] = ()
    if total is not None and mechanism in _MECHANISMS and _framework(ini) == _FRAMEWORK:
        is_split = sum(levels.values()) == 1 and all(share >= 0 for share in levels.values())
        budgets = {level: share * total for level, share in levels.items()} if is_split else {"global_scale": total}
        runs = (Run(_table(ini), budgets, _published(ini)),)
    strategy = _strategy(ini)
    if strategy is not None and mechanism in _MECHANISMS and _framework(ini) == _FRAMEWORK:
        what, product = _RECORDS[strategy.record]
        runs = (Run(f"{what}, for one replaced record", strategy.levels, _total_of(product)),)
    includes = tuple(value for (_, key), value in ini.values.items() if key.upper() == INCLUDE)
    return BudgetSetting(
        path,
        "TopDown",
        True,
        runs,
        _stated(ini),
        (*_unread(ini, includes), *_other_keys(ini)),
        (),
        levels,
        len(named) or len(levels),
        includes,
        condition=_CONDITION if strategy is None else _BY_STRATEGY,
    )


def _refuse_misspelt(ini: IniFile) -> None:
    """Refuse a key that means a known one: what it says would be in none of the answers."""
    # a level may be named in another file only
    stated = {key.partition(".")[2] for key in ini.keys("constraints")} | {""}
    list(known_keys([ini], _levels(ini) or sorted(stated)).unread(ini, is_complete=False))


def _is_by_strategy(ini: IniFile) -> bool:
    """Whether the levels are left empty: then the program's strategy has them, with their budgets."""
    return ini.get("geodict", "geolevel_names") == ""


def _strategy(ini: IniFile) -> DhcStrategy | None:
    """The published strategy that has the levels and their budgets; None where the file has them, or it is unknown."""
    return DHC_STRATEGIES.get(ini.get("budget", "strategy") or "") if _is_by_strategy(ini) else None


def _framework(ini: IniFile) -> str:
    """The privacy framework; that of the mechanisms that are read where the file states none."""
    return (ini.get("budget", "privacy_framework") or _FRAMEWORK).lower()


def _table(ini: IniFile) -> str:
    """What the budget is spent on, and for which neighbours."""
    table = ini.get("reader", "privacy_table")
    records = "persons" if table == "Person" else f"the table {table}" if table else "all records"
    return f"{records}, for one replaced record"


def _scale(ini: IniFile, text: str) -> Fraction:
    where = ini.where("budget", "global_scale")
    number = parse_exact(where, text)
    if number <= 0:
        raise InputError(f"{where} must be positive; got {text}")
    return number


def _levels(ini: IniFile) -> list[str]:
    """The geographic levels, from the top down."""
    names = ini.get("geodict", "geolevel_names")
    return [] if not names else [name.strip() for name in names.split(",")][::-1]


def _shares(ini: IniFile, text: str, levels: Sequence[str]) -> Mapping[str, Fraction]:
    """The share of every geographic level, from the top down; by their places where each level has not one."""
    where = ini.where("budget", "geolevel_budget_prop")
    shares = [parse_exact(where, part.strip()) for part in text.split(",")]
    are_named = len(levels) == len(shares) == len(set(levels))
    names = levels if are_named else [f"level {index}" for index, _ in enumerate(shares, start=1)]
    return dict(zip(names, shares, strict=True))


def _published(ini: IniFile) -> PublishedTotal | None:
    product = _PRODUCTS.get((ini.get("schema", "schema") or "", ini.get("reader", "privacy_table") or ""))
    return None if product is None else _total_of(product)


def _total_of(product: str) -> PublishedTotal | None:
    return next((total for total in TOTALS if total.product == product), None)


def _stated(ini: IniFile) -> Mapping[str, str]:
    stated = {}
    invariants = [
        f"{key[len(INVARIANTS) :]}: {ini.get('constraints', key)}"
        for key in ini.keys("constraints")
        if key.lower().startswith(INVARIANTS.lower())
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


def _unread(ini: IniFile, includes: tuple[str, ...]) -> list[str]:
    unread = []
    scale, mechanism = ini.get("budget", "global_scale"), ini.get("budget", "dp_mechanism")
    if mechanism is not None and mechanism not in _MECHANISMS:
        unread.append(f"not read: dp_mechanism = {mechanism}, whose scale has no known meaning here")
    elif mechanism is None and scale:
        holder = ini.holder("budget", "global_scale")
        unread.append(
            f"[{holder}] global_scale = {scale} gives no budget: dp_mechanism, whose scale it is, is not stated"
        )
    if _framework(ini) != _FRAMEWORK:
        unread.append(
            f"not read: privacy_framework = {_framework(ini)}, under which the scale has no known meaning here"
        )
    unread += [f"INCLUDE {name} is not followed; what it sets is not known here" for name in includes]
    if (strategy := ini.get("budget", "strategy")) and _strategy(ini) is None:
        unread.append(f"the split over queries is in the program's strategy {strategy}")
    if _is_by_strategy(ini):
        unread.append("geolevel_names is empty: levels and budgets are the strategy's, not global_scale and its split")
    elif not scale:
        unread.append("no global_scale in this file, so only shares are known")
    unread += [f"[{section}] {key} stands twice with one value" for section, key in dict.fromkeys(ini.repeated)]
    return unread


def _other_keys(ini: IniFile) -> list[str]:
    """What is not read: keys of [budget] and [constraints] with their values, and how many other sections have."""
    others: dict[str, int] = {}
    unread = []
    for (section, key), value in ini.values.items():
        if _is_read(ini, section, key):
            continue
        if section in ("budget", "constraints"):
            unread.append(f"not read: [budget] {key} = {shortened(value, 60)}")
        else:
            others[section] = others.get(section, 0) + 1
    if others:
        counted = ", ".join(f"[{section}] {count}" for section, count in others.items())
        unread.append(f"not read: keys of other sections ({counted})")
    return unread


def _is_read(ini: IniFile, section: str, key: str) -> bool:
    """Whether a key is read where it stands; one of DEFAULT, in whichever section takes it from there."""
    table = ini.get("reader", "privacy_table")
    read = {**_READ, "reader": ("privacy_table", f"{table}.histogram".lower())}
    takers = [name for name in (*read, "constraints") if name == section or ini.holder(name, key) == section]
    small = key.lower()
    return key.upper() == INCLUDE or any(
        small in read.get(name, ()) or (name == "constraints" and small.startswith(INVARIANTS.lower()))
        for name in takers
    )
