"""The published JSON of PHSafe as the settings of a run: exact budgets, and Infinity for no noise."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.mechanisms.das.phsafe.run_settings import NoiseLaw, RunSettings, check_states
from stirred.spec.arguments import InputError, suggestion
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.files.exact_json import NumberText, json_number, json_shown, load_json
from stirred.verify.laws.settings.privacy_definition import privacy_definition

_STATED_TOTAL = "total_budget"
"""A key that the published settings do not have: what all budgets are said to add up to."""

_NO_NOISE = "Infinity"
_KEYS = ("privacy_budget", "tau", "state_filter", "privacy_defn")
_UNUSED = ("reader",)
"""Keys of the published settings that decide nothing that is promised."""


def read_settings(path: str) -> tuple[RunSettings, tuple[str, ...]]:
    """The settings in a file, and its keys that are not used, sorted.

    Source: PHSafe, section 2.4 and Table 10; DAS_2020_SDHC_Production_Code, for the keys.
    """
    content = _content(path, _KEYS)
    _, is_zcdp = privacy_definition(f"{path}:", content)
    try:
        settings = RunSettings(
            {table: _budgets(table, levels) for table, levels in _table(content, "privacy_budget").items()},
            {table: _threshold(table, value) for table, value in _table(content, "tau").items()},
            _states(content["state_filter"]),
            NoiseLaw.ZCDP if is_zcdp else NoiseLaw.PURE,
        )
        if _STATED_TOTAL in content:
            check_total(settings, json_number(_STATED_TOTAL, content[_STATED_TOTAL]))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return settings, tuple(sorted(key for key in content if key in _UNUSED))


def read_states(path: str) -> tuple[str, ...]:
    """The states in a file of settings, which may lack all else, as a run without noise needs no more."""
    content = _content(path, ("state_filter",))
    try:
        states = _states(content["state_filter"])
        check_states(states)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return states


def _content(path: str, needed: Sequence[str]) -> Mapping[str, Any]:
    """The settings in a file, with these keys at least and no unknown one."""
    content = load_json(path, read_text(path), infinity=True)
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be a JSON object of settings; got {json_shown(content)}")
    known = (*_KEYS, _STATED_TOTAL, *_UNUSED)
    for key in content:
        if key not in known:
            raise InputError(f"{path}: {key}: unknown key; {suggestion(key, known)}")
    for key in needed:
        if key not in content:
            raise InputError(f"{path}: {key}: missing key; the settings must have {', '.join(needed)}")
    return content


def check_total(settings: RunSettings, stated: Fraction) -> None:
    """Refuse budgets that do not add up to a total."""
    if settings.total != stated:
        total = "Infinity" if settings.total is None else decimal(settings.total)
        raise InputError(f"{_STATED_TOTAL} must be the sum of all budgets, {total}; got {decimal(stated)}")


def decimal(number: Fraction) -> str:
    """The number as an exact decimal, or as a fraction where it has none of 60 digits.

    >>> decimal(Fraction("0.002619")), decimal(Fraction(1, 3))
    ('0.002619', '1/3')
    """
    text = decimal_text(number, 60)
    return text if Fraction(text) == number else str(number)


def _table(content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = content[key]
    if not isinstance(found, dict):
        raise InputError(f"{key} must be a table; got {json_shown(found)}")
    return found


def _budgets(table: str, levels: Any) -> dict[str, Fraction | None]:
    place = f"privacy_budget.{table}"
    if not isinstance(levels, dict):
        raise InputError(f"{place} must be a table of budgets; got {json_shown(levels)}")
    return {level: _budget(f"{place}.{level}", value) for level, value in levels.items()}


def _budget(place: str, value: Any) -> Fraction | None:
    if isinstance(value, NumberText) and value == _NO_NOISE:
        return None
    return json_number(place, value)


def _threshold(table: str, value: Any) -> int:
    number = json_number(f"tau.{table}", value)
    if number.denominator != 1:
        raise InputError(f"tau.{table} must be an integer; got {json_shown(value)}")
    return int(number)


def _states(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(one, str) and not isinstance(one, NumberText) for one in value
    ):
        raise InputError(
            f"state_filter must be an array of FIPS codes as texts, such as ['01']; got {json_shown(value)}"
        )
    return tuple(value)
