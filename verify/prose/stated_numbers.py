"""The numbers of a sentence with what they are said to be: ε, a count, a label, or nothing that is named.

Nothing is passed over: a number that has no name is given without one, and one that is not read without its value.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.engines.printed_number import Printed
from stirred.verify.prose.phrases import (
    ABOUT,
    ASSIGNING,
    BEHIND,
    DENIALS,
    GIVING,
    LABELS,
    LINKS,
    LOWER,
    NAMES,
    NO_NOUNS,
    PRIVATE,
    SEPARATORS,
    SIGNS,
    STRICT,
    UPPER,
    clause_start,
    ends_sentence,
    sentence_bounds,
    starts,
)
from stirred.verify.prose.tokens import DASHES, Kind, Token, tokens
from stirred.verify.prose.written_numbers import WORDS, WrittenNumber, is_variable, number_at, plainly_written

COUNT, LABEL, FORMULA = "count", "label", "formula"
"""Names of numbers that count something, that are a year or stand behind "Theorem", or that are a part of a formula."""

BUDGETS = ("ε", "δ", "ρ", "μ", "γ", "α", "budget")
"""Names of what a budget is given by; "budget" where no letter is."""

_FAR = 14
_FIRST_YEAR, _LAST_YEAR = 1700, 2199


@dataclass(frozen=True)
class StatedNumber:
    """A number of a text, and what it is said to be.

    Attributes:
        name: a letter, "budget", a name of the caller's, COUNT, LABEL or FORMULA; "" where nothing names it.
        words: what stands there, from the name on.
        counted: what a count counts, in the singular.
        bound: "≤", "<" or "≥" where the words say so, else "".
        is_about: whether the words say that it is rounded.
        is_denied: whether its clause denies it.
        is_range: whether it is an end of a range.
    """

    name: str
    number: WrittenNumber
    words: str
    counted: str = ""
    bound: str = ""
    is_about: bool = False
    is_denied: bool = False
    is_range: bool = False


def plain_tokens(text: str) -> tuple[str, tuple[Token, ...]]:
    """The text in plain signs, and its tokens."""
    written = plainly_written(text)
    return written, tokens(written)


def stated_numbers(text: str, names: Collection[str] = ()) -> tuple[StatedNumber, ...]:
    """Every number of a text, in order.

    Args:
        text: of one or more sentences.
        names: further names, of parameters: a number behind one is that parameter's.

    >>> [(one.name, one.words) for one in stated_numbers("In 1940, epsilon is at most ln 3 for 3 records.")]
    [('label', '1940'), ('ε', 'epsilon is at most ln 3'), ('count', '3 records')]
    """
    written, found = plain_tokens(text)
    return tuple(_Reader(written, found, frozenset(names)).numbers())


def speaks_of_privacy(found: Sequence[Token]) -> bool:
    """Whether a word or letter of the tokens is about privacy."""
    return any(
        (token.kind is Kind.LETTER and token.text in BUDGETS) or token.text.startswith(PRIVATE) for token in found
    )


@dataclass(frozen=True)
class _Reader:
    text: str
    found: tuple[Token, ...]
    names: frozenset[str]

    def numbers(self) -> Iterator[StatedNumber]:
        index, before = 0, None
        while index < len(self.found):
            number = self._number(index)
            if number is None or self._is_power_of_letter(index):
                index += 1
                continue
            read = self._stated(number, before)
            index = number.last + 1
            if read is not None:
                yield read
                before = read

    def _number(self, index: int) -> WrittenNumber | None:
        """The number at a token; of "2-4%" the first is a percentage too, and "ninefold" is 9."""
        token = self.found[index]
        if token.kind is Kind.WORD and token.text.endswith("fold") and token.text[:-4].rstrip("-") in WORDS:
            value = Fraction(WORDS[token.text[:-4].rstrip("-")])
            return WrittenNumber(index, index, Enclosure(value, value), Printed(token.text, value), str(value))
        number = number_at(self.found, index)
        if number is None or number.last != index or number.printed is None or token.kind is not Kind.NUMBER:
            return number
        rest = [one.text for one in self.found[index + 1 : index + 4]]
        if len(rest) == 3 and rest[0] in (*DASHES, "to", "and") and rest[2] in ("%", "percent"):
            share = number.printed.value / 100
            return replace(
                number, value=Enclosure(share, share), printed=Printed(token.text, share), formula=str(share)
            )
        return number

    def _is_power_of_letter(self, index: int) -> bool:
        """Whether a number is the exponent of a letter, as in rho^2."""
        is_power = index > 1 and self.found[index - 1].text in ("^", "**") and self.found[index].kind is Kind.NUMBER
        return is_power and self.found[index - 2].kind is Kind.LETTER

    def _stated(self, number: WrittenNumber, before: StatedNumber | None) -> StatedNumber | None:
        first, last = number.first, number.last
        start, name = self._name_before(first)
        is_negative = first > 0 and self.found[first - 1].text in DASHES and self._is_sign(first - 1)
        is_tail = first > 0 and self.found[first - 1].text == "." and self.found[first].follows(self.found[first - 1])
        if is_negative or is_tail:  # ".5" is not 5
            number = replace(number, value=None, printed=None)
        if self._is_in_formula(first, last) and not self._multiplies_letter(last):
            return self._made(FORMULA if name not in BUDGETS else name, replace(number, value=None), start, last)
        if self._multiplies_letter(last):
            product = name if name in BUDGETS else self.found[last + 1].text
            return self._made(product, replace(number, value=None), start, last + 1)
        tuple_name = self._in_pair(first, last)
        if tuple_name:
            return self._made(tuple_name, number, first, last)
        if self.found[first].text.endswith("fold"):
            name = "γ"
        if name:
            return self._made(name, number, start, last)
        if self._is_label(first, last, number):
            is_named = first > 0 and self.found[first - 1].text.rstrip(".") in LABELS
            return self._made(LABEL, number, first - is_named, last)
        is_one = number.is_word and number.formula == "1"  # "one" is an article more often than a number
        behind, end = self._name_behind(last)
        if behind and not is_one:
            return self._made(behind, number, first, end)
        noun = 0 if is_one else self._noun(number)
        if noun:
            counted = self.found[noun].text
            made = self._made(COUNT, number, first, noun)
            return replace(made, counted=counted[:-1] if counted.endswith("s") else counted)
        if before is not None and before.name not in (COUNT, LABEL, FORMULA, "") and self._continues(before, first):
            made = self._made(self._continued_name(before, first), number, first, last)
            return replace(made, is_range=self._is_range(before, first), is_denied=made.is_denied or before.is_denied)
        if number.is_word:
            return None if number.formula in ("1", "1/2", "1/3", "1/4") else self._made(COUNT, number, first, last)
        return self._made("", number, first, last)

    def _made(self, name: str, number: WrittenNumber, first: int, last: int) -> StatedNumber:
        link = self.found[first : number.first]
        words = self.text[self.found[first].start : self.found[last].end]
        bound = "≤" if self._says(link, UPPER) else "≥" if self._says(link, LOWER) else ""
        if bound == "≤" and self._says(link, STRICT) and not self._says(link, ("≤",)):
            bound = "<"
        before = self.found[number.first - 1].text if number.first else ""
        return StatedNumber(
            name,
            number,
            " ".join(words.split()),
            bound=bound,
            is_about=self._says(link, ABOUT) or before in ABOUT,
            is_denied=self._is_denied(number.first, bound),
        )

    def _says(self, part: Sequence[Token], phrases: tuple[str, ...]) -> bool:
        return any(starts(part, index, phrases) > index for index in range(len(part)))

    def _is_denied(self, index: int, bound: str) -> bool:
        clause = self.found[clause_start(self.found, index) : index]
        denials: tuple[str, ...] = (
            DENIALS if not bound else tuple(word for word in DENIALS if word not in ("not", "never", "cannot"))
        )
        return any(token.text in denials or (token.text.endswith("n't") and not bound) for token in clause)

    def _is_sign(self, place: int) -> bool:
        """Whether a dash is a minus: glued to what follows, and not to what stands before."""
        dash, after = self.found[place], self.found[place + 1]
        if not after.follows(dash):
            return False
        return place == 0 or not dash.follows(self.found[place - 1]) or self.found[place - 1].text in SIGNS

    def _name_before(self, first: int) -> tuple[int, str]:
        """Where the name before a number begins, and the name; the number's own place and "" where none does."""
        place = first - 1
        while place >= max(0, first - _FAR):
            token = self.found[place]
            if token.text in ("2",) and place > 1 and self.found[place - 1].text == "^":
                place -= 2  # the square of rho^2
                continue
            if (
                token.text == ")"
                and place > 2
                and self.found[place - 2].text == "("
                and self.found[place - 3].text == "^"
            ):
                place -= 4  # the (b) of epsilon^(b)
                name = self._name_of(place) or (self.found[place].text if is_variable(self.found[place]) else "")
            else:
                name = self._name_of(place)
            if name:
                return place, self._power_of_e(place) or name
            is_apposed = token.text == "," and place > 0 and self._name_of(place - 1) in BUDGETS
            is_minus = token.text in DASHES and self._is_sign(place)
            is_link = is_apposed or is_minus or token.text in LINKS or token.text in SIGNS
            if not is_link or (token.text == "." and ends_sentence(self.found, place)):
                break
            place -= 1
        return first, ""

    def _name_of(self, place: int) -> str:
        token = self.found[place]
        if token.kind is Kind.LETTER:
            return token.text
        if token.kind is not Kind.WORD:
            return ""
        if token.text in self.names:
            return token.text
        if token.text in NAMES:
            return NAMES[token.text]
        return token.text if is_variable(token) and self._assigns(place + 1) else ""

    def _power_of_e(self, place: int) -> str:
        """γ where a name is the exponent of e."""
        before = [token.text for token in self.found[max(0, place - 2) : place]]
        return "γ" if before[-2:] in (["e", "^"], ["exp", "("]) else ""

    def _assigns(self, place: int) -> bool:
        return place < len(self.found) and self.found[place].text in ASSIGNING

    def _name_behind(self, last: int) -> tuple[str, int]:
        """The name behind a number ("0.01-DP", "0.01 is the privacy loss"), and where it ends."""
        place = last + 1
        while place < len(self.found) and place <= last + 6:
            name = self._name_of(place)
            if name and name not in ("p", "b"):
                is_next = name in BUDGETS and place + 1 < len(self.found) and self._assigns(place + 1)
                is_next = (
                    is_next and self.found[place + 1].text in ("=", "≈", "≤", "<", ":", "of") and place == last + 1
                )
                rest = [token.text for token in self.found[place : place + 3]]
                name = self._flavour(rest, name)
                return ("", last) if is_next else (name, place)
            if self.found[place].text not in BEHIND:
                return "", last
            place += 1
        return "", last

    def _flavour(self, rest: Sequence[str], name: str) -> str:
        """The letter of "-DP", which is ε, and of "-zCDP"."""
        first = rest[0]
        if first in ("dp", "ldp", "differential", "differentially", "private", "indistinguishable"):
            return "ε"
        return "γ" if first in ("times", "likely") else name

    def _in_pair(self, first: int, last: int) -> str:
        """ε or δ for a number of (ε, δ) = (4, 10^-5), (4, 10^-5)-DP or (ε, 10^-5)-DP; "" elsewhere."""
        texts = self.found
        if [token.text for token in texts[max(0, first - 3) : first]] == ["(", "ε", ","]:
            return "δ"
        if first > 0 and texts[first - 1].text == "(" and last + 2 < len(texts) and texts[last + 1].text == ",":
            second = number_at(texts, last + 2)
            if second is not None and second.last + 1 < len(texts) and texts[second.last + 1].text == ")":
                return "ε" if self._is_pair_of_privacy(first - 1, second.last + 1) else ""
        if last + 1 < len(texts) and texts[last + 1].text == ")" and first > 1 and texts[first - 1].text == ",":
            opened = next(
                (place for place in range(first - 2, max(-1, first - _FAR), -1) if texts[place].text == "("), None
            )
            if opened is not None:
                one = number_at(texts, opened + 1) if opened + 1 < first else None
                if one is not None and one.last == first - 2:
                    return "δ" if self._is_pair_of_privacy(opened, last + 1) else ""
        return ""

    def _is_pair_of_privacy(self, opened: int, closed: int) -> bool:
        behind, _ = self._name_behind(closed)
        before = [token.text for token in self.found[max(0, opened - 8) : opened]]
        return bool(behind) or ("ε" in before and "δ" in before)

    def _is_in_formula(self, first: int, last: int) -> bool:
        """Whether a number is joined with a letter that stands for another, as the 2 of 2·rho."""
        found = self.found
        after = found[last + 1 : last + 3]
        if after and is_variable(after[0]) and not self._assigns(last + 2):
            return after[0].kind is Kind.LETTER or after[0].text not in ("x",)
        if (
            len(after) > 1
            and after[0].text in ("*", "/", "+", "^")
            and (is_variable(after[1]) or after[1].text in ("ln", "sqrt", "("))
        ):
            return True
        if first > 1 and found[first - 1].text in ("*", "+", "/", "^", "**", "-", "−"):
            before = found[first - 2]
            return is_variable(before) or before.text == ")" or before.text in ("ln", "sqrt")
        return (
            first > 0
            and found[first - 1].text in ("(", "/")
            and first > 1
            and found[first - 2].text in ("ln", "sqrt", ")")
        )

    def _multiplies_letter(self, last: int) -> bool:
        """Whether a number stands before the letter of a budget and nothing else belongs to the two: 0.01 epsilon."""
        rest = self.found[last + 1 : last + 3]
        if not rest or rest[0].kind is not Kind.LETTER or rest[0].text not in BUDGETS or self._assigns(last + 2):
            return False
        return len(rest) == 1 or not (
            rest[1].text in ("*", "+", "/", "^", "(", "ln", "sqrt", "√") or is_variable(rest[1])
        )

    def _is_label(self, first: int, last: int, number: WrittenNumber) -> bool:
        token = self.found[first]
        before = self.found[first - 1] if first else None
        if before is not None and (before.text in LABELS or before.text.rstrip(".") in LABELS):
            return True
        if before is not None and before.text == "." and first > 1 and self.found[first - 2].text in LABELS:
            return True
        is_year = first == last and token.text.isdigit() and len(token.text) == 4
        return is_year and _FIRST_YEAR <= int(token.text) <= _LAST_YEAR and number.is_read

    def _noun(self, number: WrittenNumber) -> int:
        """The index of the noun that a whole number counts; 0 where there is none."""
        value = number.value
        if value is None or value.lower != value.upper or value.lower.denominator != 1:
            return 0
        for place in (number.last + 1, number.last + 2):
            if place >= len(self.found) or self.found[place].kind is not Kind.WORD:
                return 0
            text = self.found[place].text
            if text in NO_NOUNS or text.startswith(PRIVATE):
                return 0
            if text not in ("noisy", "distinct", "different", "random", "yes-or-no", "such"):
                return place
        return 0

    def _continues(self, before: StatedNumber, first: int) -> bool:
        """Whether only what joins numbers stands between the number before and this one."""
        between = self.found[before.number.last + 1 : first]
        return len(between) <= 4 and all(token.text in SEPARATORS for token in between)

    def _continued_name(self, before: StatedNumber, first: int) -> str:
        """The name of the number before, or in "epsilon at p = 5% is 19.36" that of the budget before it."""
        between = self.found[before.number.last + 1 : first]
        if before.name in BUDGETS or len(between) != 1 or between[0].text not in GIVING:
            return before.name
        begin, _ = sentence_bounds(self.found, first, ".!?")
        names = (self._name_of(place) for place in range(before.number.first - 1, begin - 1, -1))
        return next((name for name in names if name in BUDGETS), before.name)

    def _is_range(self, before: StatedNumber, first: int) -> bool:
        between = [token.text for token in self.found[before.number.last + 1 : first]]
        opening = [token.text for token in self.found[max(0, before.number.first - 4) : before.number.first]]
        return bool(between) and (between[0] in (*DASHES, "to") or ("between" in opening and between == ["and"]))
