"""The units that a registry record names as "person-level", and their words beside the text that explains them."""

from collections.abc import Sequence

from stirred.verify.prose.phrases import is_denied
from stirred.verify.prose.quantities import PERIODS
from stirred.verify.prose.tokens import tokens
from stirred.verify.records.registry import RegistryRecord

UNIT, UNIT_DETAILS = "privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"
_LEVEL = "-level"
_NO_UNITS = ("high", "low", "top", "multi", "single")
_UNEXPLAINED = ("level", "levels", "and", "or", "per", "a", "the", "for")
_MAX_LISTED = 10


def listed(names: Sequence[str], most: int = _MAX_LISTED) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def named_units(record: RegistryRecord) -> tuple[str, ...]:
    """The units that the record names, sorted."""
    return tuple(sorted(units_at(record, UNIT) | units_at(record, UNIT_DETAILS)))


def units_at(record: RegistryRecord, key: str) -> frozenset[str]:
    """The units that the text at a key names."""
    found = tokens(record.text(key) or "")
    return frozenset(
        unit
        for index, token in enumerate(found)
        if token.text.endswith(_LEVEL)
        and (unit := token.text.removesuffix(_LEVEL)).split("-")[0] not in _NO_UNITS
        and not is_denied(found, index)
    )


def unexplained_words(record: RegistryRecord) -> list[str]:
    """The words of the unit, such as "user" and "day", that stand nowhere in the text that explains it."""
    explained = _words(record, UNIT_DETAILS)
    unit = _words(record, UNIT).items()
    return [written for word, written in unit if word not in explained and written not in _UNEXPLAINED]


def other_periods(record: RegistryRecord) -> tuple[list[str], list[str]] | None:
    """The periods of the unit and those of the text that explains it, where they have none in common."""
    unit, explained = (sorted(set(_words(record, key)) & set(PERIODS.values())) for key in (UNIT, UNIT_DETAILS))
    return (unit, explained) if unit and explained and not set(unit) & set(explained) else None


def _words(record: RegistryRecord, key: str) -> dict[str, str]:
    """The words of a text as written, by their singular, or by the period that they name."""
    found = [part for token in tokens(record.text(key) or "") for part in token.text.split("-") if part[:1].isalpha()]
    return {PERIODS.get(word, _singular(word)): word for word in found}


def _singular(word: str) -> str:
    """The word without the ending of the plural or of the genitive.

    >>> [_singular(word) for word in ("users", "user's", "business", "businesses")]
    ['user', 'user', 'business', 'business']
    """
    word = word.removesuffix("'s").removesuffix("'")
    return word.removesuffix("es") if word.endswith("sses") else word if word.endswith("ss") else word.removesuffix("s")
