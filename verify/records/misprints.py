"""Large numbers of one thing that differ in one digit: one of them may be a misprint of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stirred.verify.prose.items import Item
from stirred.verify.prose.tokens import Kind, Token

__all__ = ["Misprint", "nearly_equal_numbers"]

_MIN_DIGITS = 5
_MIN_SIGNIFICANT = 4


class Misprint(NamedTuple):
    """A large number, what it counts, and its place."""

    digits: str
    noun: str
    text: str
    key: str
    quote: str


def nearly_equal_numbers(prose: Sequence[tuple[str, Item]]) -> Iterator[tuple[Misprint, Misprint]]:
    """Pairs of different integers of at least five digits that differ in one digit behind the first.

    Rounded numbers ("17,000") are no exact ones, and two numbers that count different things ("17,234 victims" and
    "17,334 perpetrators") are two numbers: neither makes a pair.
    """
    found = {one.digits + one.noun: one for key, item in prose for one in _large(key, item)}
    # numbers that differ in one digit share the text that has a gap there
    alike: dict[str, list[Misprint]] = {}
    for one in found.values():
        for gapped in _gapped(one.digits):
            alike.setdefault(gapped, []).append(one)
    seen: set[tuple[str, str]] = set()
    for group in alike.values():
        for first in group:
            for second in group:
                pair = (first.digits, second.digits)
                if first.digits < second.digits and _may_be_one_thing(first, second) and pair not in seen:
                    seen.add(pair)
                    yield first, second


def _may_be_one_thing(first: Misprint, second: Misprint) -> bool:
    return not first.noun or not second.noun or first.noun == second.noun


def _large(key: str, item: Item) -> Iterator[Misprint]:
    for index, token in enumerate(item.tokens):
        digits = token.text.replace(",", "")
        is_large = token.kind is Kind.NUMBER and digits.isdigit() and len(digits) >= _MIN_DIGITS
        if is_large and len(digits.rstrip("0")) >= _MIN_SIGNIFICANT and _stands_alone(item.tokens, index):
            yield Misprint(digits, _noun(item.tokens, index), token.text, key, item.quote(index, index))


def _stands_alone(found: Sequence[Token], index: int) -> bool:
    """Whether a number is no part of a name, a ratio or a range."""
    neighbours = (*found[max(0, index - 1) : index], *found[index + 1 : index + 2])
    return all(token.text not in ("/", "-", "–", "_") for token in neighbours)


def _noun(found: Sequence[Token], index: int) -> str:
    """The word that a number counts: the one behind it, unless a letter is before it."""
    is_assigned = index > 0 and found[index - 1].text == "="
    after = found[index + 1 : index + 2]
    return "" if is_assigned or not after or after[0].kind is not Kind.WORD else after[0].text.rstrip("s")


def _gapped(digits: str) -> Iterator[str]:
    return (f"{digits[:place]}_{digits[place + 1 :]}" for place in range(1, len(digits)))
