"""Numbers in prose: assignments such as "ρ = 2.56" and sums such as "0.11 * 2 + 0.22 = 0.44", item by item.

Only what has the form of an equation is read, and only where the words around it show where it begins and ends: the
tail of a longer expression, "1,8" and "2 ln 3" are listed as not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from spec.arguments import InputError
from verify.engines.printed_number import Printed, parse_printed

__all__ = [
    "Assignment",
    "Equation",
    "Item",
    "is_denied",
    "items",
    "nearly_equal_numbers",
    "other_reading",
    "plain_letters",
    "prose_number",
]

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LATEX = (
    (re.compile(r"\\{1,2}[()\[\]]|\$"), " "),
    (re.compile(r"\\(?:var)?epsilon\b|\bepsilon\b"), "ε"),
    (re.compile(r"\\delta\b|\bdelta\b"), "δ"),
    (re.compile(r"\\rho\b|\brho\b"), "ρ"),
    (re.compile(r"\\(?:times|cdot)\b|×|·"), "*"),
    (re.compile(r"(?<![\d.,])10\s*\^\s*\{?\s*[-−]\s*(\d{1,3})\s*\}?(?!\d)"), r"1e-\1"),
)
_POWER = re.compile(r"(?<![\d.,])10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})")
_SCALED = re.compile(r"(?<![\w.,^*+/-])(\d+(?:\.\d+)?)\s*\*\s*1e-(\d{1,3})\b")
_MAX_TERMS = 50
_CONTEXT = 40
_CLAUSE = 200
_MAX_SNIPPET = 80
# atomic, so that "0.11 * 2" is not read as 0
_NUMBER = r"(?>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)"
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_JOINED = r"(?:[,;.]|,?\sand)\s"
# a whole chain of operators at once, so that a long one without "=" is passed over only once
_SUM = re.compile(rf"((?>{_NUMBER}(?:\s?[*+/]\s?{_NUMBER})+))(?:\s?=\s?({_NUMBER}))?")
_DATE = re.compile(r"\d\s?/\s?\d+\s?/")
# what shows that an expression begins here
_BEFORE_SUM = re.compile(
    rf"(?:^|(?:(?<![\w^*+/–−-])\(|(?<![<>!])=)\s?|(?:(?<![\d\s]):|;|(?<!\d),)\s|=\s?{_NUMBER}{_JOINED}"
    r"|(?i:\b(?:so|thus|hence|therefore|then|is|are|was|were|equals?|gives?|giving|as|because|since|namely"
    r"|i\.e\.|e\.g\.),?\s))\Z"
)
# what shows that the number after "=" is all that it is said to equal
_AFTER_SUM = re.compile(
    rf"\s?\Z|\s?[;:)\]](?!\w)|\s?\.(?!\w)|[\"'”’]|\s?,\s(?!\d)|{_JOINED}(?={_NUMBER}\s?[*+/])|\s\((?!\d)|\s[—–]\s(?!\d)"
    r"|\sand\s(?!\d|(?:an?|one|half)\s)|(?i:\s(?:for|per|in|at|as|so|which|where|when|because|since|with|by|is|was|are"
    r"|if|but|while|on|each|total|overall|during|over|under)\b)(?!\s\d)"
)
_LETTER = re.compile(rf"([εδρ])\s?=\s?({_NUMBER})?")
# what makes a letter a part of a longer expression
_BEFORE_LETTER = re.compile(
    r"(?:\w|[*+/^√\\]\s?|\d\s?[–−-]?\s|[–−-]|%\sof\s"
    r"|(?i:\b(?:ln|log|exp|sqrt|twice|half|double|root|third|quarter|percent|times|plus|minus)(?:\sof)?(?:\sthe)?\s))\Z"
)
# what makes a number only the start of what stands after "=": more of it, an operator, a unit, or a second number
_AFTER_LETTER = re.compile(
    r"[\w^%*/!(√\\°]|\s?[*+/^±√\\%]|\s?[–−-]\s?\d|[,;]\s?\d|\s\d|[.:]\d|\s(?:to|or|and)\s(?:\d|(?:an?|one|half)\b)"
    r"|,?\s(?:to|or)\s|\s?(?:ln|log|exp|sqrt)\b|\s[b-zB-Z]\b|\s?\(\s?(?:ln|log|exp|sqrt)\b"
    r"|\s(?:percent|hundred|thousand|million|billion|times|plus|minus|divided|multiplied|squared|cubed)\b"
)
_LABEL = re.compile(r"\s*-?\s*([^:=]{1,100}):(?:\s|$)")
_BULLET = re.compile(r"^(\s*)-\s+")
_LARGE = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])(?!\.\d)|(?<![\d.,/_-])\d{5,}(?![\d,_/-])(?!\.\d)")
_PAUSE = re.compile(r"[;.](?:\s|\Z)")
_CLAUSE_END = re.compile(r"[.;!?,](?=\s)|\b(?:but|whereas|while)\b")
_DENIAL = re.compile(
    r"(?i)\b(?:not|never|no|neither|nor|unlike|without|cannot|false|wrong|incorrect|instead of|rather than)\b|n['’]t\b"
)


@dataclass(frozen=True)
class Assignment:
    """A letter and the number that a text gives it: ε, δ, or ρ (the article's ρ²).

    Attributes:
        letter: the letter.
        number: the number.
        start: where the letter stands in the item.
        end: where the number ends in the item.
    """

    letter: str
    number: Printed
    start: int
    end: int


@dataclass(frozen=True)
class Equation:
    """An expression of numbers and the number that it is said to equal.

    Attributes:
        written: the expression as it stands in the text.
        printed: the number.
    """

    written: str
    printed: Printed

    @property
    def expression(self) -> str:
        """The expression without the commas of its thousands."""
        return self.written.replace(",", "")

    def other_reading(self) -> Equation | None:
        """The same with "." for thousands and "," for decimals; None where a number cannot be read so."""
        parts = re.split(rf"({_NUMBER})", self.written)
        numbers = [other_reading(part) for part in (*parts[1::2], self.printed.text)]
        if any(number is None for number in numbers):
            return None
        *terms, printed = (number for number in numbers if number is not None)
        parts[1::2] = [term.text for term in terms]
        return Equation("".join(parts), printed)


@dataclass(frozen=True)
class Item:
    """A list item or paragraph.

    Attributes:
        label: the words before its first colon, or "".
        text: the item with letters for LaTeX and on one line.
        depth: its indentation.
    """

    label: str
    text: str
    depth: int

    def assignments(self) -> tuple[Assignment, ...]:
        """What the item says of ε, δ and ρ, in order."""
        return tuple(
            Assignment(found[1], number, found.start(), found.end())
            for found, number in self._letters
            if number is not None
        )

    def equations(self) -> tuple[Equation, ...]:
        """The sums and products that the item works out."""
        return tuple(equation for _, equation in self._sums if equation is not None)

    def single(self, letter: str) -> Assignment | None:
        """The one number that the item gives a letter; None where it gives none or several, read or not."""
        if sum(found[1] == letter for found, _ in self._letters) != 1:
            return None
        return next((assignment for assignment in self.assignments() if assignment.letter == letter), None)

    def is_read(self, letter: str) -> bool:
        """Whether every number that the item gives a letter is read."""
        return all(number is not None for found, number in self._letters if found[1] == letter)

    def unread(self) -> tuple[str, ...]:
        """What looks like an assignment or a sum and is not read, with the words around it, in order."""
        begun = {found.start() for found, _ in self._sums}
        places = {found.span() for found, equation in self._sums if equation is None}
        for found, number in self._letters:
            # a sum that follows the letter is listed or read by itself
            if number is None and (found.end() if found[2] is None else found.start(2)) not in begun:
                places.add(found.span())
        return tuple(self._snippet(start, end) for start, end in sorted(places))

    @cached_property
    def _letters(self) -> tuple[tuple[re.Match[str], Printed | None], ...]:
        read = []
        for found in _LETTER.finditer(self.text):
            begins = not _BEFORE_LETTER.search(self.text, max(0, found.start() - _CONTEXT), found.start())
            ends = found[2] is not None and not _AFTER_LETTER.match(self.text, found.end())
            read.append((found, _read(found[2]) if begins and ends else None))
        return tuple(read)

    @cached_property
    def _sums(self) -> tuple[tuple[re.Match[str], Equation | None], ...]:
        found = (match for match in _SUM.finditer(self.text) if match[2] is not None)
        return tuple((match, self._equation(match)) for match in found)

    def _equation(self, found: re.Match[str]) -> Equation | None:
        start = found.start()
        terms = len(re.findall(r"[*+/]", found[1])) + 1
        if terms > _MAX_TERMS or _DATE.search(found[1]) or not _AFTER_SUM.match(self.text, found.end()):
            return None
        begins = _BEFORE_SUM.search(self.text, max(0, start - _CONTEXT), start) and not is_denied(self.text, start)
        printed = _read(found[2]) if begins else None
        return None if printed is None else Equation(" ".join(found[1].split()), printed)

    def _snippet(self, start: int, end: int) -> str:
        before, after = self.text[max(0, start - 12) : start], self.text[end : end + 12]
        if start > 12:
            before = before[before.find(" ") + 1 :]
        if end + 12 < len(self.text):
            after = after[: max(after.rfind(" "), 0)]
        before, after = _PAUSE.split(before)[-1], _PAUSE.split(after)[0]
        whole = f"{before}{self.text[start:end]}{after}".strip()
        return whole if len(whole) <= _MAX_SNIPPET else f"{whole[:_MAX_SNIPPET]}…"


def prose_number(name: str, text: str) -> Printed:
    """The number that English prose prints: `parse_printed`, with commas between thousands.

    Raises:
        InputError: the text is no such number.

    >>> prose_number("b", "13,475,623").value
    Fraction(13475623, 1)
    """
    thousands = _THOUSANDS.match(text)
    plain = thousands[0].replace(",", "") + text[thousands.end() :] if thousands else text
    return replace(parse_printed(name, plain), text=text)


def _read(text: str) -> Printed | None:
    try:
        return prose_number("number", text)
    except InputError:
        return None


def other_reading(text: str) -> Printed | None:
    """The number with "." for thousands and "," for decimals; None where the text cannot be read so.

    >>> other_reading("1.100").value
    Fraction(1100, 1)
    >>> other_reading("0.125") is None
    True
    """
    swapped = text.translate({ord("."): ",", ord(","): "."})
    return _read(swapped) if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", swapped) else None


def plain_letters(text: str) -> str:
    r"""The text with ε, δ, ρ and * for their LaTeX, and powers of ten as exponents.

    >>> plain_letters(r"\delta = 2 \times 10^{-10}")
    'δ = 2e-10'
    """
    for pattern, letter in _LATEX:
        text = pattern.sub(letter, text)
    text = _POWER.sub(lambda found: f"1e-{found[1].translate(_SUPERSCRIPTS)}", text)
    return _SCALED.sub(r"\1e-\2", text)


def is_denied(text: str, start: int) -> bool:
    """Whether a word such as "not" or "unlike" stands in the clause before a place of a text.

    >>> is_denied("It is not split", 10), is_denied("Unlike theirs, it is split", 21)
    (True, False)
    """
    clause = _CLAUSE_END.split(text[max(0, start - _CLAUSE) : start])[-1]
    return _DENIAL.search(clause) is not None


def items(text: str) -> Iterator[Item]:
    r"""The items of a text: every "- " line begins one, and so does every line that no bullet precedes.

    >>> [item.label for item in items("- Total: a\n  - Part: b")]
    ['Total', 'Part']
    """
    current: list[str] = []
    depth = 0
    for line in plain_letters(text).splitlines():
        bullet = _BULLET.match(line)
        if bullet or not line.strip():
            if current:
                yield _item(current, depth)
            current, depth = ([line[bullet.end() :]], len(bullet[1])) if bullet else ([], 0)
        else:
            current.append(line)
    if current:
        yield _item(current, depth)


def _item(lines: list[str], depth: int) -> Item:
    text = " ".join(" ".join(lines).split())
    label = _LABEL.match(text)
    return Item(label[1].strip() if label else "", text, depth)


def nearly_equal_numbers(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of different integers of five or more digits that differ in one digit only: one may be a misprint.

    >>> list(nearly_equal_numbers(["k = 65,546 functions", "65,536 rows"]))
    [('65,536', '65,546')]
    """
    found = sorted({match[0] for text in texts for match in _LARGE.finditer(text)})
    # numbers that differ in one digit share the text that has a gap there: at most ten digits, each written in two ways
    alike: dict[str, list[str]] = {}
    for number in found:
        for gapped in _gapped(number):
            alike.setdefault(gapped, []).append(number)
    for first in found:
        digits = first.replace(",", "")
        near = chain.from_iterable(alike[gapped] for gapped in _gapped(first))
        yield from (
            (first, second) for second in sorted(set(near)) if second > first and second.replace(",", "") != digits
        )


def _gapped(number: str) -> Iterator[str]:
    digits = number.replace(",", "")
    return (f"{digits[:place]}_{digits[place + 1 :]}" for place in range(len(digits)))
