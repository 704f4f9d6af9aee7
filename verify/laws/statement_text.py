r"""The budgets that a text names in digits: "ε = 0.5", "an epsilon of 0.5", "a budget of 0.5", "0.5-DP".

A number is read exactly, or given without its value where its signs are odd. All other text is passed over. Letters
are read in every spelling (ε, \epsilon, "epsilon"), powers of ten too (10^{-10}, 10⁻¹⁰, 2 × 10^-9).
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stirred.spec.arguments import InputError
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.engines.printed_number import Printed, formula_value, parse_printed

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾"
_RAISED = f"[{_SUPERSCRIPTS}]+"
_PLAIN = str.maketrans(_SUPERSCRIPTS, "0123456789-+()")
_LOOK_ALIKES = str.maketrans("ɛє∊ℇℯ∕÷‐‒―﹣еорѕіӏԁ", "εεεεe//––––eopsild")
_FRACTION = r"\\[dt]?frac\s*\{\s*([0-9.]+)\s*\}\s*\{\s*([0-9.]+)\s*\}"

# the pieces of a text, and their one spelling

_GREEK = {"epsilon": "ε", "eps": "ε", "varepsilon": "ε", "ϵ": "ε", "delta": "δ", "rho": "ρ", "mu": "μ", "µ": "μ"}
_GREEK |= {"tau": "τ", "sigma": "σ"}
_COMMANDS = {"times": "*", "cdot": "*", "approx": "≈", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "lt": "<"}
_MARKS = {"×": "*", "·": "*", "<=": "≤", ">=": "≥", "’": "'", "“": '"', "”": '"', "∼": "~"}
_MINUS = "[-−–]"
_DIGITS = r"(?>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?:[eE][-+−]?[0-9]{1,3}(?!\w))?)"
_PIECES = rf"""(?x)
      (?P<address>https?://\S+|\b[\w.-]+\.(?:com|org|gov)/\S*)
    | (?P<date>(?<![\w-])[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?![\w-]))
    | (?P<power>(?<![\w.,])(?:(?P<scale>{_DIGITS})\s*(?:×|·|\*|\\+times\b|\\+cdot\b)\s*)?10\s?(?:
          \^\s?\{{?\s?{_MINUS}\s?(?P<raised>[0-9]{{1,3}})\s?\}}?(?!\w)
        | (?<=10){_MINUS}(?P<lost>[0-9]{{1,2}})(?![\w.,]\d|\w|\s?{_MINUS}\s?\d) ))
    | (?P<number>{_DIGITS})
    | (?P<letter>(?:\\+(?:var)?|(?<![\w\\]))(?i:epsilon|eps|delta|rho|tau|mu|sigma)(?![^\W_])|[εϵδρτμµσ])
      (?P<subscript>(?:_(?:\{{[^{{}}]{{0,20}}\}}|[^\W_]{{1,20}})|['′])*)
    | (?P<delimiter>\\+[()\[\]{{}},;!]|[${{}}]|\\+(?:left|right|prime|dprime|text|mathrm|quad)\b|\\+\s)
    | \\+(?P<command>[A-Za-z]+)
    | (?P<word>(?:e\.g|i\.e|etc|vs|U\.S)\.(?!\w)|[^\W\d_]\w*(?:['’-][^\W_]+)*)
    | (?P<mark>\*\*|==|<=|>=|\S)
    """

# a name, what may stand between it and its number, and the number

_DASH = "[-−–—]"
_NUMBER = r"(?:(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|(?<![\w′)])\.[0-9]+)(?:e[-+]?[0-9]+)?"
_FUNCTION = r"(?:ln|log|exp|sqrt|√)"
_INSIDE = rf"\( ?-?{_NUMBER}(?: ?(?:\*\*|[*/+^]) ?-?{_NUMBER}){{0,50}} ?\)"
_ATOM = rf"(?:(?:{_NUMBER} ?)?{_FUNCTION} ?(?:{_INSIDE}|{_NUMBER})|{_NUMBER})"
_FORMULA = rf"(?:{_DASH} ?)?{_ATOM}(?: ?(?:\*\*|[*/+^]) ?{_DASH}?{_ATOM}){{0,50}}"  # bounds the time
_VALUE = rf"(?P<value>{_FORMULA})(?P<unit> ?%| percent| thousand| million| billion)?"
_BOUNDS = {
    "≤": "≤|at most|up to|(?:no|not) more than|within|bounded by",
    "≥": "≥|>|at least|(?:no|not) less than|more than|above|over",
    "<": "<|less than|below|under",
}
_ABOUT = "[≈~≃≅]|about|approximately|roughly|around|nearly|almost"
_PLAINLY = "[=:]|, which|is|was|of|equals|equal to|set to|chosen as|to|at|exactly|only|just|a"
_LINK = rf"(?P<link>\)?(?: ?(?:{'|'.join(_BOUNDS.values())}|{_ABOUT}|{_PLAINLY})(?![a-z]))* ?\(?)"
_OPENING = r"(?P<opening> ?(?:between|from|∈ ?\[|in ?\[))?"
_NAME = r"(?P<e>\b(?:e ?\^|exp) ?\(? ?)?(?P<letter>[εδρμ]|γ|\bgamma\b)(?P<part>′?)(?P<square> ?\^ ?2|[ -]squared)?"
_NAMED = rf"(?:{_NAME}|\b(?P<budget>budget|privacy[ -]loss)){_LINK}{_OPENING} ?{_VALUE}"
_ODD = rf"{_NAME} ?(?P<sign>[^\w\s]) ?(?P<value>\S[^\s,;)]*)"
_FLAVORS = {"dp": "ε", "differential": "ε", "zcdp": "ρ", "gdp": "μ"}
_FLAVOR = rf"(?P<flavor>{'|'.join(_FLAVORS)})(?:ly)?\b"
_BEFORE_NAME = rf"(?<![\w.,/*^+]){_VALUE} ?{_DASH}{_FLAVOR}"
_PAIR = rf"\( ?(?P<epsilon>{_FORMULA}) ?, ?(?P<delta>{_FORMULA}) ?\)(?:[ -]{{1,3}}{_FLAVOR})?"
_LETTERS_OF_PAIR = r"\( ?ε ?, ?δ ?\)[^.;()]{0,40}$"
_DENIED = r"(?:\b(?:not|no|never|neither|nor|unlike|without|cannot)\b|n't\b)[^.;!?,]*$"

# what shows that a number is a part of a longer expression, or counts something

_FACTOR = rf"(?:[0-9]|(?:[0-9)]|\b\w) ?(?:\*\*|[*/+^]|{_DASH}) ?\(?|{_FUNCTION} ?\(?)$"
_LONGER = rf" ?(?:\*\*|[*/+^]) ?(?:\w\b|[(√]|{_FUNCTION})| ?[εδρμτσ](?!′?(?: ?\^ ?2)? ?[=≈≤<:])| ?{_FUNCTION}\b"
_GLUED = r"\w|[.,:]\w"
_CONTINUED = (
    rf" ?\)+ ?(?:\*\*|[*/+^×·]|{_DASH}) ?(?:[0-9(√]|{_FUNCTION})| ?\)*,? (?:minus|plus|times|divided by) [0-9(]"
)
_COUNTED = r" (?!(?:as|is|was)\b)[a-z-]+s(?![a-z-])"
_BASE = "log ?(?:2|10)"
_UNREAD = rf"{_NAME} ?(?:[=≤<]|is|equals) ?[( ]*(?P<value>(?:{_FUNCTION}|π|pi\b)[^\s;,.]*)"
_RANGE = rf"(?: ?{_DASH} ?| to ){_VALUE}"
_REST_OF_RANGE = rf"(?: and |, ?| to | ?{_DASH} ?){_VALUE}"
_YEAR = "(?:1[789]|2[01])[0-9]{2}"
_SIGNS = "=≈≤<≥>~≃≅∈+|"


@dataclass(frozen=True)
class StatedNumber:
    """A number that a text names as a budget.

    Attributes:
        name: ε, δ, ρ, μ, γ, or "budget" where no letter is given.
        words: what stands there, from the name on.
        value: the number, or both ends of a range; None where it is not read.
        printed: the number where it is plainly printed, so that others round to it.
        bound: "≤", "<" or "≥" where the number is one, else "".
        is_about: whether it is said to be rounded.
        is_denied: whether a word such as "not" stands before it in its clause.
        is_part: whether the letter has a subscript.
        is_squared: whether the letter is squared.
    """

    name: str
    words: str
    value: Enclosure | None
    printed: Printed | None = None
    bound: str = ""
    is_about: bool = False
    is_denied: bool = False
    is_part: bool = False
    is_squared: bool = False


def stated_numbers(text: str) -> tuple[StatedNumber, ...]:
    """Every number that a text names as a budget, in order.

    >>> [(one.name, one.words) for one in stated_numbers("In 1940, epsilon is at most ln 3, by Theorem 2; ρ² ≪ 1.")]
    [('ε', 'epsilon is at most ln 3'), ('ρ', 'ρ^2 ≪ 1')]
    """
    found = dict(_Reader(plainly_written(text)).numbers())
    return tuple(found[place] for place in sorted(found))


def read_number(text: str) -> Printed | None:
    r"""The number that a text is, without commas, a power of ten in any spelling; None where it is none.

    >>> read_number(r"$1 \times 10^{-10}$").text
    '1e-10'
    >>> read_number("1-8"), read_number("1,000")
    (None, None)
    """
    return None if "," in text else _read(_Reader(plainly_written(text)).line)[1]


def in_one_spelling(text: str) -> str:
    """The text on one line, its letters, signs and powers of ten each in one spelling."""
    return _Reader(plainly_written(text)).line


def plainly_written(text: str) -> str:
    r"""The text in plain signs: without LaTeX's fractions, superscripts, look-alikes and invisible characters.

    >>> plainly_written("ε²，½ of ０．０１，10⁻⁵, \\frac{1}{3}")
    'ε^2,1/2 of 0.01,10^-5, 1/3'
    """
    raised = re.sub(_RAISED, lambda found: "^" + found[0].translate(_PLAIN), re.sub(_FRACTION, r"\1/\2", text))
    return "".join(map(_sign, raised)).translate(_LOOK_ALIKES)


def _sign(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":
        return ""
    folded = unicodedata.normalize("NFKC", sign).replace("⁄", "/")
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return folded if len(folded) == 1 or "/" in folded else sign


def _spelt(piece: re.Match[str]) -> str:
    """A piece of a text in its one spelling."""
    text = piece[0]
    if text.startswith(("Δ", "\\Delta")):  # a sensitivity, not δ
        return "Δ"
    match piece.lastgroup:
        case "power":
            return f"{piece['scale'] or 1}e-{piece['raised'] or piece['lost']}".lower()
        case "number":
            return text.replace("−", "-").lower()
        case "subscript":
            name, below = piece["letter"].lstrip("\\").lower(), piece["subscript"]
            return _GREEK.get(name, name) + ("^2" if below == "_squared" else "′" if below else "")
        case "command":
            return _COMMANDS.get(piece["command"], piece["command"].lower())
        case "word":
            return text.lower().replace("’", "'")
    return _MARKS.get(text, text)


class _Reader:
    """A text, and all of it in one spelling on one line, on which patterns are looked for."""

    def __init__(self, written: str) -> None:
        self.written = written
        self.pieces = [piece for piece in re.finditer(_PIECES, written) if piece.lastgroup != "delimiter"]
        self.places, line, before = list[int](), list[str](), 0
        length = 0
        for piece in self.pieces:
            text = " " * (bool(line) and piece.start() > before)
            self.places.append(length + len(text))
            text += _spelt(piece)
            line.append(text)
            length, before = length + len(text), piece.end()
        self.line = "".join(line)

    def numbers(self) -> Iterator[tuple[int, StatedNumber]]:
        """Every number with the place of its name; of two at one place the later is the better one."""
        yield from self._oddly_written()
        for found in self._found(_PAIR, ("(",)):
            before = self.line[max(0, found.start() - 60) : found.start()]
            if _FLAVORS.get(found["flavor"]) == "ε" or re.search(_LETTERS_OF_PAIR, before):
                for name, key in (("ε", "epsilon"), ("δ", "delta")):
                    words = self._words(found.start(), found.end())
                    yield found.start(key), StatedNumber(name, words, *_read(found[key]))
        for found in self._found(_BEFORE_NAME, _FLAVORS):
            value, printed = _read(found["value"], found["unit"] or "")
            yield found.start(), self._made(_FLAVORS[found["flavor"]], found, value, printed, found.end())
        places = set()
        for found in re.finditer(_NAMED, self.line):
            places.add(found.start())
            yield from self._named(found)
        for found in self._found(_UNREAD, (*_FUNCTION.strip("(?:)").split("|"), "π", "pi")):
            is_number = re.search(r"[^\W\d_]", re.sub(f"{_FUNCTION}|π|pi", "", found["value"])) is None
            if is_number and found.start() not in places:
                yield found.start(), StatedNumber(found["letter"], self._words(found.start(), found.end()), None)

    def _found(self, pattern: str, needed: Iterable[str]) -> Iterator[re.Match[str]]:
        """Where a pattern matches that needs one of some texts: most are made for few lines, at some cost."""
        return re.finditer(pattern, self.line) if any(one in self.line for one in needed) else iter(())

    def _oddly_written(self) -> Iterator[tuple[int, StatedNumber]]:
        """Names with a sign or a number that is not read."""
        signs = [one for one in self.line if unicodedata.category(one) == "Sm" and one not in _SIGNS]
        numerals = [one for one in self.line if one.isnumeric() and not one.isdecimal()]
        for found in self._found(_ODD, (*signs, *numerals)):
            sign, value = found["sign"], found["value"]
            is_odd = unicodedata.category(sign) == "Sm" and sign not in _SIGNS and re.match(_VALUE, value)
            is_foreign = unicodedata.category(sign) == "Sm" and unicodedata.numeric(value[0], None) is not None
            if is_odd or (is_foreign and not value[0].isdecimal()):
                end = found.start("value") + len(value.rstrip(".:"))
                yield found.start(), StatedNumber(found["letter"], self._words(found.start(), end), None)

    def _named(self, found: re.Match[str]) -> Iterator[tuple[int, StatedNumber]]:
        """A name with its number, unless the number is a part of an expression, or counts something."""
        rest, link = self.line[found.end() :], found["link"].strip()
        before = self.line[max(0, found.start() - 8) : found.start()]
        is_other = found["budget"] and not link.strip(") (") and found["value"].isdecimal()
        is_other = is_other or (found["square"] and found["letter"] != "ρ")
        is_other = is_other or (link.endswith("(") and re.match(" ?,", rest))  # (ε, δ) = (1, 0)
        if is_other or re.search(_FACTOR, before) or re.match(_LONGER, rest):
            return
        is_whole = found["value"].isdecimal() and not set(link) & set(_SIGNS)
        counted = re.match(_COUNTED, rest)
        is_counted = counted and (found["budget"] or link in ("of", "") or counted[0] == " times")
        if is_whole and ((is_counted and not found["unit"]) or re.fullmatch(_YEAR, found["value"])):
            return
        value, printed = _read(found["value"], found["unit"] or "")
        if found["letter"] == "δ" and value is not None and value.lower >= 1:
            return  # no probability: "Delta = 1" is a sensitivity
        further = re.match(_REST_OF_RANGE if found["opening"] else _RANGE, rest)
        end = found.end() + (further.end() if further else 0)
        if re.match(_CONTINUED, self.line[end:]) or (
            re.fullmatch(_BASE, found["value"]) and re.match(r" ?[(0-9]", self.line[end:])
        ):
            value = printed = None
        elif re.match(_GLUED, self.line[end:]):
            value, end = None, end + len(re.split(r"[\s;)]", self.line[end:])[0].rstrip(".,:"))
        elif further is not None:
            value, printed = self._range(found, further, end), None
        name = "γ" if found["e"] or found["letter"] == "gamma" else found["letter"] or "budget"
        yield found.start(), self._made(name, found, value, printed, end)

    def _range(self, found: re.Match[str], further: re.Match[str], end: int) -> Enclosure | None:
        """Both ends of a range; None for what is none, such as "2 - 1"."""
        low = _read(found["value"], found["unit"] or further["unit"] or "")[0]
        high = _read(further["value"], further["unit"] or found["unit"] or "")[0]
        is_longer = "+" in further["value"] or re.match(_RANGE, self.line[end:]) or re.match(_LONGER, self.line[end:])
        if low is None or high is None or is_longer or not 0 <= low.lower <= low.upper < high.lower:
            return None
        return Enclosure(low.lower, high.upper)

    def _made(
        self, name: str, found: re.Match[str], value: Enclosure | None, printed: Printed | None, end: int
    ) -> StatedNumber:
        parts = found.groupdict(default="")
        link = parts.get("link", "")
        return StatedNumber(
            name,
            self._words(found.start(), end),
            value,
            printed,
            next((sign for sign, words in _BOUNDS.items() if re.search(words, link)), ""),
            is_about=bool(re.search(_ABOUT, link)),
            is_denied=bool(re.search(_DENIED, self.line[max(0, found.start() - 200) : found.start()])),
            is_part=bool(parts.get("part")),
            is_squared=bool(parts.get("square")),
        )

    def _words(self, start: int, end: int) -> str:
        """What is written where the line has a part."""
        first, last = (self.pieces[bisect_right(self.places, at) - 1] for at in (start, max(start, end - 1)))
        return " ".join(self.written[first.start() : last.end()].split())


def _read(text: str, unit: str = "") -> tuple[Enclosure | None, Printed | None]:
    """The value of a number or formula, and the number where it is plainly printed; None where it is not read."""
    plain = re.sub(_DASH, "-", text).replace(",", "").replace(" ", "")
    plain = re.sub(r"(?<![0-9])\.", "0.", plain)
    unit = unit.strip().replace("percent", "%")
    try:
        printed = parse_printed("number", f"{plain}{unit if unit in ('', '%') else f' {unit}'}")
    except InputError:
        formula = re.sub(rf"(?<=[0-9)])(?={_FUNCTION})", "*", plain).replace("√", "sqrt").replace("log", "ln")
        formula = re.sub(rf"({_FUNCTION})({_NUMBER})", r"\1(\2)", formula).replace("^", "**")
        try:
            return (None if unit else formula_value("number", formula, {})), None
        except InputError:
            return None, None
    return Enclosure(printed.value, printed.value), printed
