"""A table of a claim file that knows its place: every value is read by key, and every refusal names file and key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from stirred.spec.arguments import InputError, nonnegative, parse_exact, suggestion
from stirred.verify.engines.printed_number import Printed, parse_printed

T = TypeVar("T")


@dataclass(frozen=True)
class Block:
    """A table of a claim file under its place, such as "claim.toml: domain"; its values are read by key."""

    place: str
    values: Mapping[str, Any]

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def where(self, key: str) -> str:
        """The place of a key, for messages."""
        shown = key if key.isprintable() else repr(key)
        return f"{self.place}.{shown}" if not self.place.endswith(":") else f"{self.place} {shown}"

    def only(self, allowed: Sequence[str]) -> Block:
        """This block, after refusing keys that are not among those allowed."""
        for key in self.values:
            if key not in allowed:
                raise InputError(f"{self.where(key)}: unknown key; {suggestion(key, allowed)}")
        return self

    def one_key(self, *keys: str) -> str:
        """The one of these keys that is given."""
        given = [key for key in keys if key in self.values]
        if len(given) != 1:
            place, needed = self.place.removesuffix(":"), ", ".join(keys)
            raise InputError(f"{place}: exactly one of {needed} must be given; got {' and '.join(given) or 'none'}")
        return given[0]

    def given(self, key: str, read: Callable[[str], T]) -> T | None:
        """What one of the readers below finds at a key; None where the key is missing."""
        return read(key) if key in self.values else None

    def required(self, key: str) -> Any:
        """The value of a key that must be there."""
        if key not in self.values:
            raise InputError(f"{self.where(key)}: missing key")
        return self.values[key]

    def read(self, key: str, reader: Callable[[str, Any], T]) -> T:
        """The value of a key as what a function of its place and its value reads."""
        return reader(self.where(key), self.required(key))

    def text(self, key: str) -> str:
        """The value of a key as a text that is not empty."""
        value = self.required(key)
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{self.where(key)} must be a non-empty text; got {value!r}")
        text = " ".join(value.split())
        if not text.isprintable():
            raise InputError(f"{self.where(key)} must be printable; got {value!r}")
        return text

    def array(self, key: str) -> list[Any]:
        """The value of a key as an array."""
        value = self.required(key)
        if not isinstance(value, list):
            raise InputError(f"{self.where(key)} must be an array; got {value!r}")
        return value

    def entries(self, key: str) -> Iterator[tuple[str, Any]]:
        """The entries of an array, each with its place."""
        return ((f"{self.where(key)}[{index}]", value) for index, value in enumerate(self.array(key)))

    def names(self, key: str) -> tuple[str, ...]:
        """The value of a key as an array of distinct texts."""
        value = self.array(key)
        if not all(isinstance(name, str) and name.strip() and name.isprintable() for name in value):
            raise InputError(f"{self.where(key)} must be an array of non-empty texts; got {value!r}")
        if len(set(value)) != len(value):
            raise InputError(f"{self.where(key)} has duplicates; got {value!r}")
        return tuple(value)

    def table(self, key: str) -> Block:
        """The value of a key as a table."""
        value = self.required(key)
        if not isinstance(value, dict):
            raise InputError(f"{self.where(key)} must be a table; got {value!r}")
        return Block(self.where(key), value)

    def tables(self, key: str) -> tuple[Block, ...]:
        """The value of a key as an array of tables."""
        blocks = []
        for place, value in self.entries(key):
            if not isinstance(value, dict):
                raise InputError(f"{place} must be a table; got {value!r}")
            blocks.append(Block(place, value))
        return tuple(blocks)

    def exact(self, key: str) -> Fraction:
        """The value of a key as an exact number."""
        return self.read(key, parse_exact)

    def positive(self, key: str) -> Fraction:
        """The value of a key as an exact number > 0."""
        number = self.exact(key)
        if number <= 0:
            raise self.refuse(key, f"must be positive; got {self.values[key]}")
        return number

    def inside_unit(self, key: str) -> Fraction:
        """The value of a key as an exact number in (0, 1)."""
        number = self.exact(key)
        if not 0 < number < 1:
            raise self.refuse(key, f"must be between 0 and 1, exclusive; got {self.values[key]}")
        return number

    def printed(self, key: str) -> Printed:
        """The value of a key as a printed number."""
        return self.read(key, parse_printed)

    def nonnegative(self, key: str) -> Printed:
        """The value of a key as a printed number ≥ 0."""
        number = self.printed(key)
        nonnegative(self.where(key), number.value)
        return number

    def printed_list(self, key: str) -> tuple[Printed, ...]:
        """The value of a key as one printed number, or an array of them."""
        value = self.required(key)
        if not isinstance(value, list):
            return (self.printed(key),)
        if not value:
            raise InputError(f"{self.where(key)} must have at least one number; got none")
        return tuple(parse_printed(place, item) for place, item in self.entries(key))

    def one_of(self, key: str, allowed: Sequence[str]) -> str:
        """The value of a key as one of the names allowed."""
        name = self.text(key)
        if name not in allowed:
            raise InputError(f"{self.where(key)}: unknown name {name!r}; {suggestion(name, allowed)}")
        return name

    def refuse(self, key: str, message: str) -> InputError:
        """An error at a key."""
        return InputError(f"{self.where(key)} {message}")

    def within(self, key: str, compute: Callable[[], T]) -> T:
        """The result of a computation whose `InputError` gets the place of a key in front."""
        try:
            return compute()
        except InputError as error:
            raise InputError(f"{self.where(key)}: {error}") from None
