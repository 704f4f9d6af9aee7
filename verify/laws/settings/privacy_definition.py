"""The privacy definition of a published setting of SafeTab or PHSafe."""

from collections.abc import Mapping
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.exact_json import json_shown

_DEFINITIONS = {"zcdp": True, "puredp": False}
"""Whether a privacy definition of SafeTab and PHSafe has budgets in ρ², by its name."""


def privacy_definition(place: str, content: Mapping[str, Any]) -> tuple[str, bool]:
    """The privacy definition of a SafeTab or PHSafe setting, and whether its budgets are ρ²."""
    expected = " or ".join(map(repr, _DEFINITIONS))
    if "privacy_defn" not in content:
        raise InputError(f"{place} privacy_defn: missing key; it must be {expected}")
    name = content["privacy_defn"]
    if not isinstance(name, str) or name not in _DEFINITIONS:
        raise InputError(f"{place} privacy_defn must be {expected}; got {json_shown(name)}")
    return name, _DEFINITIONS[name]
