"""A text as items: every list item or paragraph with its label, its depth, its quantities and its equations."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from stirred.verify.laws.statement_text.equations import Equation, Expression, expressions
from stirred.verify.laws.statement_text.phrases import is_denied
from stirred.verify.laws.statement_text.quantities import Quantity, quantities
from stirred.verify.laws.statement_text.tokens import Token, plain, tokens

_BULLET = re.compile(r"^(\s*)(?:[-•*]|[0-9]{1,2}[.)])\s+")
_MAX_LABEL = 100
_MAX_SNIPPET = 80
_AROUND = 12


@dataclass(frozen=True)
class Item:
    """A list item or paragraph.

    Attributes:
        label: the words before its first colon, or "".
        text: the item on one line, as written.
        depth: its indentation.
    """

    label: str
    text: str
    depth: int

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the item."""
        return tokens(self.text)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Every letter with a number, in order, those with the form of an equation that are not read too."""
        return tuple(quantities(self.tokens))

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """Everything that has the form of an equation of numbers."""
        return tuple(expressions(self.tokens))

    def assignments(self) -> tuple[Quantity, ...]:
        """What the item says of letters by "=", in order."""
        return tuple(one for one in self.quantities if one.is_exact and one.number is not None)

    def equations(self) -> tuple[Equation, ...]:
        """The sums and products that the item works out."""
        return tuple(one.equation for one in self.expressions if one.equation is not None)

    def single(self, letter: str) -> Quantity | None:
        """The one number that the item gives a letter by "="; None where it gives none or several, read or not."""
        given = [one for one in self.quantities if one.letter == letter]
        return given[0] if len(given) == 1 and given[0].is_exact and given[0].number is not None else None

    def is_read(self, letter: str) -> bool:
        """Whether every number that the item gives a letter is read."""
        return all(one.number is not None for one in self.quantities if one.letter == letter)

    def unread(self) -> tuple[str, ...]:
        """What has the form of an equation and is not read, with the words around it, in order."""
        sums = {one.first: one for one in self.expressions}
        places = [(one.first, one.last) for one in self.expressions if one.equation is None]
        for one in self.quantities:
            # a sum that follows the letter is listed or read by itself
            if one.number is None and not any(place in sums for place in (one.last, one.last + 1)):
                places.append((one.first, one.last))
        return tuple(self.quote(first, last) for first, last in sorted(places))

    def quote(self, first: int, last: int) -> str:
        """The words from one token to another, with a few around them, as written."""
        start, end = self.tokens[first].start, self.tokens[last].end
        before, after = self.text[max(0, start - _AROUND) : start], self.text[end : end + _AROUND]
        if start > _AROUND:
            before = before[before.find(" ") + 1 :]
        if end + _AROUND < len(self.text):
            after = after[: max(after.rfind(" "), 0)]
        before = before.rpartition("; ")[2].rpartition(". ")[2]
        after = after.partition("; ")[0].partition(". ")[0].rstrip(".;")
        whole = plain(f"{before}{self.text[start:end]}{after}")
        return whole if len(whole) <= _MAX_SNIPPET else f"{whole[:_MAX_SNIPPET]}…"

    def read_numbers(self) -> frozenset[int]:
        """The indices of the numbers that a quantity or equation reads."""
        read = {one.last for one in self.quantities if one.number is not None}
        for one in self.expressions:
            if one.equation is not None:
                read |= set(range(one.first, one.last + 1))
        return frozenset(read)

    def is_denied(self, index: int) -> bool:
        """Whether the clause of a token denies it."""
        return is_denied(self.tokens, index)


def items(text: str) -> Iterator[Item]:
    r"""The items of a text: every bulleted or numbered line begins one, and so does every line that none precedes.

    >>> [item.label for item in items("- Total: a\n  - Part: b")]
    ['Total', 'Part']
    """
    current: list[str] = []
    depth = 0
    for line in text.splitlines():
        bullet, indentation = _BULLET.match(line), len(line) - len(line.lstrip())
        # a line further left than its bullet is a paragraph of its own
        if bullet or not line.strip() or (current and indentation < depth):
            if current:
                yield _item(current, depth)
            current = [line[bullet.end() :] if bullet else line] if line.strip() else []
            depth = indentation if current else 0
        else:
            current.append(line)
    if current:
        yield _item(current, depth)


def _item(lines: list[str], depth: int) -> Item:
    text = " ".join(" ".join(lines).split())
    head = text[: _MAX_LABEL + 1].partition(": ")
    is_label = bool(head[1]) or text[:_MAX_LABEL].endswith(":")
    label = head[0].rstrip(":").strip()
    return Item(label if is_label and "=" not in label else "", text, depth)
