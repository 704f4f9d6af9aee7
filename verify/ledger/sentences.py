"""The sentences of a printed text: where each begins, what it says, and the words by which a quotation is known.

A document is a text of lines: a paragraph, a display, a heading or a row of a table stands on each. A sentence runs on
over displays and page ends, so that "it satisfies", a display and "where o = p/(1 - p)." are one. A row of a table is
a sentence of its own.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

_END = re.compile(r"[.!?][\"'”’)\]*]*(?=\s+[^\sa-z])")
_ENDS = re.compile(r"[.!?][\"'”’)\]*]*(?:\s*\\?tag\{[^}]*\})?[\s$]*$")
_SHORT = ("e.g.", "i.e.", "al.", "cf.", "vs.", "resp.", "Eq.", "Fig.", "Prop.", "Sec.", "Thm.", "App.", "Def.", "Dr.")
_INITIAL = re.compile(r"(?:^|[\s.(\[])[A-Z]\.$")
_FORMULA = re.compile(r"[\\=≤≥{}]")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{2,}(?:[’'][^\W\d_]+)?|\d[\d.,]*\d|\d")
_GREEK = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "eps",
    "theta",
    "pi",
    "mu",
    "nu",
    "rho",
    "sigma",
    "tau",
    "lambda",
}
_FEW = 3


@dataclass(frozen=True)
class PrintedSentence:
    """A sentence of a document.

    Attributes:
        line: the line of the document on which it begins, from 1.
        number: which of the sentences that begin on this line it is, from 1.
        text: the sentence with its displays, blanks collapsed.
    """

    line: int
    number: int
    text: str

    @property
    def place(self) -> str:
        """Its place as line.number."""
        return f"{self.line}.{self.number}"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words without formulas."""
        return words(self.text)


def digest_of(texts: list[str]) -> str:
    """Eight hexadecimal digits by which changed texts are found."""
    return sha256("\n".join(texts).encode()).hexdigest()[:8]


def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a text in small letters, without what is part of a formula.

    >>> words("For any x, d_HamS(x, g(x)) <= k_g; see Eq. (13) of the data-release.")
    ('for', 'any', 'see', 'eq', '13', 'of', 'the', 'data', 'release')
    """
    found: list[str] = []
    for token in text.split():
        if _COMMAND.search(token) or set("_^{}$=<>|") & set(token):
            continue
        found += (word for word in _WORD.findall(token.lower().replace("’", "'")) if word not in _GREEK)
    return tuple(found)


def sentences(text: str) -> tuple[PrintedSentence, ...]:
    r"""The sentences of a document in their order.

    >>> [(one.place, one.text) for one in sentences("A. It holds with\n\n x = 1,\n\nwhere b > 0. So does\nthis.")]
    [('1.1', 'A. It holds with x = 1, where b > 0.'), ('5.1', 'So does this.')]
    """
    found: list[PrintedSentence] = []
    open_text, open_line = "", 0
    starts: dict[int, int] = {}

    def close(line: int, said: str) -> None:
        said = " ".join(said.split())
        if said:
            starts[line] = starts.get(line, 0) + 1
            found.append(PrintedSentence(line, starts[line], said))

    for line, raw in enumerate(text.split("\n"), 1):
        said = raw.strip()
        if not said:
            continue
        if open_text and not _runs_on(open_text, said):
            close(open_line, open_text)
            open_text = ""
        first, *others = _pieces(said)
        open_text, open_line = (f"{open_text} {first}", open_line) if open_text else (first, line)
        for piece in others:
            close(open_line, open_text)
            open_text, open_line = piece, line
    close(open_line, open_text)
    return tuple(found)


def _pieces(line: str) -> list[str]:
    """A line cut after each end of a sentence."""
    pieces, start = [], 0
    for end in _END.finditer(line):
        before = line[start : end.end()]
        if before.rstrip("\"'”’)]*").endswith(_SHORT) or _INITIAL.search(before) or len(before) < _FEW:
            continue
        pieces.append(before)
        start = end.end()
    return [*pieces, line[start:]]


def _runs_on(before: str, line: str) -> bool:
    """Whether a line continues the sentence before it."""
    if _ENDS.search(before) or before.startswith("|") or line.startswith(("|", "•", "#")):
        return False
    return line[0].islower() or _is_display(line) or (_is_display(before) and before.endswith(","))


def _is_display(line: str) -> bool:
    """Whether a line is a formula with few words."""
    return bool(_FORMULA.search(line)) and len(words(line)) < 2 * _FEW and not line.startswith("|")
