"""Quantities: the number that a text gives a letter, by phrases of three tables that are read as one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stirred.verify.engines.printed_number import Printed
from stirred.verify.laws.statement_text.phrases import ends_sentence, is_denied, starts
from stirred.verify.laws.statement_text.tokens import DASHES, Kind, Token

EXACT_LINKS = ("=",)
"""What states the number exactly."""

LINKS = (
    *("=", ":", "of", "is", "was", "are", "were", "be", "equals", "equal to", "is equal to", "set to", "is set to"),
    *("chosen as", "was chosen as", "is chosen as", "set as", "is set as", "was set as", "chosen to be", "set to be"),
    *("was set to", "set at", "remains", "at", "to", "being", "≈", "~", "<", "≤", "below", "is below"),
)
"""What gives a letter a number."""

NOUNS = (
    *("value", "budget", "parameter", "privacy", "loss", "privacy-loss", "total", "overall", "cost", "guarantee", ")"),
    *("dp", "zcdp", "gdp", "differential", "-"),
)
"""What may stand between a letter and its link."""

LOOSE = (
    *("about", "approximately", "roughly", "around", "nearly", "almost", "up to", "at most", "at least", "less than"),
    *("more than", "exactly", "just", "only", "a", "an", "at"),
)
"""What may stand between a link and its number."""

CARRIED = ("to", "to about", "to approximately", "remains at", "and remains at", "increases to", "decreases to")
"""What gives the letter of a sentence a second number."""

BUDGETS = (
    *("privacy loss", "privacy-loss", "privacy budget", "privacy-loss budget", "privacy loss budget"),
    *("privacy consumption", "budget"),
)
"""What names a budget without its letter."""

BY_NAME = {"dp": "ε", "differential": "ε", "differentially": "ε", "zcdp": "ρ", "gdp": "μ"}
"""The letter of a number before "-DP"."""

WHOLE = ("global", "overall", "total", "whole", "entire")
"""What calls a budget the whole one."""

WHOLE_NOUNS = ("privacy", "loss", "privacy-loss", "budget", "cost", "guarantee", "parameter", "value", ")", "-")
"""What may stand between such a word and the letter."""

PERIODS = {
    **dict.fromkeys(("hour", "hours", "hourly"), "hour"),
    **dict.fromkeys(("day", "days", "daily"), "day"),
    **dict.fromkeys(("week", "weeks", "weekly"), "week"),
    **dict.fromkeys(("month", "months", "monthly"), "month"),
    **dict.fromkeys(("quarter", "quarters", "quarterly"), "quarter"),
    **dict.fromkeys(("year", "years", "yearly", "annual", "annually"), "year"),
}
"""Words for a period, and the period."""

CONTINUATIONS = (
    *("for", "per", "in", "at", "as", "so", "which", "where", "when", "because", "since", "with", "by", "is", "was"),
    *("are", "if", "but", "while", "on", "each", "total", "overall", "during", "over", "under"),
)
"""Words that show that the number before them is all that is said, and counts nothing."""

MATHEMATICS = (
    *("ln", "log", "exp", "sqrt", "twice", "half", "double", "root", "third", "quarter", "percent", "times", "plus"),
    "minus",
)
"""Words that make a letter or number a part of an expression."""

EACH = (
    *("each", "per", "every", "hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually"),
    *("half", "twice", "remaining", "rest"),
)
"""Words that may make a number one of a period or of a share."""

LOOSELY = (
    *("about", "approximately", "roughly", "around", "nearly", "almost", "up to", "at most", "at least", "less than"),
    *("more than", "below", "above", "maximum", "minimum", "if", "would", "could", "may", "might", "previous"),
    *("previously", "initial", "initially", "original", "originally", "earlier", "former", "formerly", "planned"),
    *("proposed", "until", "~", "≈", "≤", "≥", "<", ">"),
)
"""Words that keep a number from being the one in force."""

NUMBER_WORDS = {
    word: count
    for count, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2)
}
"""The counts that are written as words."""


BUDGET = "budget"
"""The letter of a budget that is given without one."""

_MAX_GAP = 8
_MAX_CARRIED = 60
_OPERATORS = frozenset("*+/^±√%°") | {"**"}
_UNIT_WORDS = frozenset(
    ("percent", "hundred", "thousand", "million", "billion", "divided", "multiplied", "squared", "cubed")
)
_FRACTIONS = ("half", "third", "quarter")
_LOST = frozenset("δ")


@dataclass(frozen=True)
class Quantity:
    """A letter and the number that a text gives it: ε, δ, ρ (the article's ρ²), another letter, or a named quantity.

    Attributes:
        letter: the letter, or "budget".
        subscript: what stands below it.
        number: the number; None where it has one that is not read.
        first: the index of the letter's token.
        last: the index of the number's token, or where the reading stopped.
        is_exact: whether "=" stands between the two.
        period: "day" in "4 per day", or "".
    """

    letter: str
    subscript: str
    number: Printed | None
    first: int
    last: int
    is_exact: bool
    period: str = ""


def quantities(found: Sequence[Token]) -> Iterator[Quantity]:
    """Every quantity of a text, in order; one with None for a number has the form of an equation and is not read."""
    index = 0
    while index < len(found):
        read = _pair(found, index) or _before_name(found, index) or _letter(found, index) or _budget(found, index)
        if not read:
            index += 1
            continue
        yield from read
        last = max(quantity.last for quantity in read)
        index = last + 1
        if read[-1].number is not None:
            yield from _carried(found, read[-1])


def begins(found: Sequence[Token], index: int) -> bool:
    """Whether a letter is not a part of a longer expression that begins before it."""
    if index == 0:
        return True
    before, token = found[index - 1], found[index]
    earlier = found[index - 2] if index > 1 else None
    if before.kind is Kind.NUMBER or before.text in _OPERATORS or (before.kind is Kind.WORD and token.follows(before)):
        return False
    if before.text in DASHES:
        return earlier is None or not (token.follows(before) or earlier.kind is Kind.NUMBER)
    place = index - 1
    while place > 0 and found[place].text in ("of", "the"):
        place -= 1
    return not (found[place].text in MATHEMATICS or (place < index - 1 and found[place].text == "%"))


def ends(found: Sequence[Token], index: int) -> bool:
    """Whether a number is all that stands there: no more of it, no operator, unit or second number follows."""
    number, rest = found[index], found[index + 1 : index + 4]
    if not rest:
        return True
    after, second = rest[0], (rest[1] if len(rest) > 1 else None)
    if after.kind is Kind.NUMBER or after.text in _OPERATORS or after.text in MATHEMATICS or after.text in _UNIT_WORDS:
        return False
    if after.kind in (Kind.WORD, Kind.LETTER):
        is_unit = len(after.text) == 1 and after.text.isalpha() and after.text != "a"
        return not (after.follows(number) or is_unit or after.text == "or" or _chooses(rest))
    if second is None:
        return not (after.text == "!" and after.follows(number))
    if after.text in DASHES:
        return second.kind is not Kind.NUMBER
    if after.text in (",", ";") and (second.kind is Kind.NUMBER or (after.text == "," and second.text in ("to", "or"))):
        return False
    if after.text in (".", ":") and after.follows(number) and second.follows(after) and second.kind is Kind.NUMBER:
        return False
    if after.text == "(":
        return not (after.follows(number) or second.text in ("ln", "log", "exp", "sqrt", "√"))
    return not (after.text in ("!", "\\") and after.follows(number))


def _chooses(rest: Sequence[Token]) -> bool:
    """Whether "and 2", "and one" or "and a half" follows."""
    if rest[0].text not in ("to", "or", "and") or len(rest) == 1:
        return False
    is_part = rest[1].text == "a" and len(rest) > 2 and rest[2].text in _FRACTIONS
    is_more = rest[0].text == "to" and rest[1].text in ("the", "a", "an")
    return is_part or is_more or rest[1].kind is Kind.NUMBER or rest[1].text in ("one", *NUMBER_WORDS, *_FRACTIONS)


def _letter(found: Sequence[Token], index: int) -> tuple[Quantity, ...]:
    """A letter, its link and its number."""
    token = found[index]
    if token.kind is not Kind.LETTER:
        return ()
    link = index + 1
    while link < len(found) and link - index <= _MAX_GAP and found[link].text in NOUNS:
        link += 1
    return _linked(found, index, link, token.text, token.subscript)


def _budget(found: Sequence[Token], index: int) -> tuple[Quantity, ...]:
    """A budget without its letter, its link and its number."""
    link = starts(found, index, BUDGETS)
    if link == index:
        return ()
    read = _linked(found, index, link, BUDGET, "")
    if not read or read[0].number is None:
        return ()
    after = found[read[0].last + 1 : read[0].last + 2]
    # "a budget of 5 queries" counts them
    counts = bool(after) and after[0].kind is Kind.WORD and after[0].text not in (*CONTINUATIONS, "and", *PERIODS)
    return () if counts else read


def _linked(found: Sequence[Token], index: int, link: int, letter: str, subscript: str) -> tuple[Quantity, ...]:
    """What stands behind a letter and its nouns."""
    exact = starts(found, link, EXACT_LINKS)
    place = max(exact, starts(found, link, LINKS))
    if place == link:
        return ()
    is_exact = exact > link
    while place < len(found) and (after := starts(found, place, LOOSE)) > place:
        place, is_exact = after, False
    if place == len(found) or found[place].kind is not Kind.NUMBER:
        return (Quantity(letter, subscript, None, index, link, is_exact=True),) if is_exact else ()
    token = found[place]
    is_whole = begins(found, index) and ends(found, place) and (not token.is_lost_power or letter in _LOST)
    if not is_whole and not is_exact:
        return ()
    number = token.number if is_whole and not is_denied(found, index) else None
    if number is None and not is_exact:
        return ()
    return (Quantity(letter, subscript, number, index, place, is_exact, _period(found, place)),)


def _pair(found: Sequence[Token], index: int) -> tuple[Quantity, ...]:
    """(ε, δ) = (4, 10^-5), or (4, 10^-5)-DP."""
    if _shape(found, index, "(L,L)"):
        place = index + 5
        while place < len(found) and starts(found, place, (*LINKS, *NOUNS)) > place:
            place = starts(found, place, (*LINKS, *NOUNS))
        letters = (found[index + 1], found[index + 3])
        if place == index + 5 or not _shape(found, place, "(N,N)"):
            return ()
        return tuple(
            Quantity(letter.text, letter.subscript, found[at].number, index, at, is_exact=False)
            for letter, at in zip(letters, (place + 1, place + 3), strict=True)
        )
    if _shape(found, index, "(N,N)") and _name(found, index + 5) == "ε":
        return tuple(
            Quantity(letter, "", found[at].number, index, at, is_exact=False, period=_period(found, index + 6))
            for letter, at in (("ε", index + 1), ("δ", index + 3))
        )
    return ()


def _before_name(found: Sequence[Token], index: int) -> tuple[Quantity, ...]:
    """0.5-zCDP."""
    token, letter = found[index], _name(found, index + 1)
    if token.kind is not Kind.NUMBER or not letter or (index and found[index - 1].text in (",", "=")):
        return ()
    return (Quantity(letter, "", token.number, index, index, is_exact=False),)


def _name(found: Sequence[Token], index: int) -> str:
    """The letter of the budget that "-DP" and the like name at a token, or ""."""
    if index + 1 >= len(found) or found[index].text not in DASHES:
        return ""
    return BY_NAME.get(found[index + 1].text, "")


def _shape(found: Sequence[Token], index: int, shape: str) -> bool:
    """Whether tokens have a shape such as "(N,N)": N for a number, L for a letter."""
    kinds = {"N": Kind.NUMBER, "L": Kind.LETTER}
    part = found[index : index + len(shape)]
    return len(part) == len(shape) and all(
        token.kind is kinds[sign] if sign in kinds else token.text == sign
        for token, sign in zip(part, shape, strict=True)
    )


def _carried(found: Sequence[Token], first: Quantity) -> Iterator[Quantity]:
    """Further numbers that the sentence gives the letter of a quantity, up to the next letter."""
    place, end = first.last + 1, min(len(found), first.last + _MAX_CARRIED)
    while place < end and found[place].kind is not Kind.LETTER and not ends_sentence(found, place):
        link = starts(found, place, CARRIED)
        if place < link < end:
            while (after := starts(found, link, LOOSE)) > link:
                link = after
            token = found[link] if link < end else found[place]
            if token.kind is Kind.NUMBER and token.number is not None and "." in token.text and ends(found, link):
                yield Quantity(first.letter, "", token.number, first.first, link, is_exact=False)
                place = link
        place += 1


def _period(found: Sequence[Token], place: int) -> str:
    """The period that the words behind a number name: "per day", "daily"."""
    rest = found[place + 1 : place + 8]
    for index, token in enumerate(rest):
        if token.text in (".", ";", ",", "(", ")") or token.kind is Kind.NUMBER:
            break
        for part in token.text.split("-"):
            is_named = part.endswith("ly") or (index and rest[index - 1].text in ("per", "each", "every", "a"))
            if part in PERIODS and is_named:
                return PERIODS[part]
    return ""
