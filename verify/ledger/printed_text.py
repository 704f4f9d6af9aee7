"""A printed text: its sentences, and which of them hold the words of a quotation in their order.

A document is a text of lines: a paragraph, a display, a heading or a row of a table stands on each. A sentence runs on
over displays and page ends, so that "it satisfies", a display and "where o = p/(1 - p)." are one. A row of a table is
a sentence of its own.

A quotation of the ledger gives formulas in plain text and leaves out parts with "…"; a document gives them as it was
converted. Each sentence of a quotation is therefore looked for by its words alone, formulas left out.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import accumulate, groupby, pairwise

_END = re.compile(r"[.!?][\"'”’)\]*]*(?=\s+[^\sa-z])")
_ENDS = re.compile(r"[.!?][\"'”’)\]*]*(?:\s*\\?tag\{[^}]*\})?[\s$]*$")
_SHORT = ("e.g.", "i.e.", "al.", "cf.", "vs.", "resp.", "Eq.", "Fig.", "Prop.", "Sec.", "Thm.", "App.", "Def.", "Dr.")
_INITIAL = re.compile(r"(?:^|[\s.(\[])[A-Z]\.$")
_FORMULA = re.compile(r"[\\=≤≥{}]")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{2,}(?:[’'][^\W\d_]+)?|\d[\d.,]*\d|\d")
_GREEK = re.compile("alpha|beta|gamma|delta|epsilon|eps|theta|pi|mu|nu|rho|sigma|tau|lambda")
_FEW = 3


@dataclass(frozen=True)
class PrintedSentence:
    """A sentence with its displays, blanks collapsed: the number-th, from 1, that begins on a line, from 1."""

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
        found += (word for word in _WORD.findall(token.lower().replace("’", "'")) if not _GREEK.fullmatch(word))
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


_LEAST = Fraction(3, 5)
"""The share of a quotation's words that a place must hold, and that of a sentence's words that must be quoted."""

_STRETCH = 6
"""How many words in a row that are not quoted leave a sentence not covered."""

_NEAR = 5


@dataclass(frozen=True)
class QuotedPlaces:
    """Where quotations stand.

    Attributes:
        places: by the quotation's name, the sentences that hold a part of it, by their position in the document.
        missing: the names of which no part was found.
        quoted: by the position of a sentence, the names whose quotations hold it, of those that are quoted whole.
    """

    places: Mapping[str, tuple[int, ...]]
    missing: tuple[str, ...]
    quoted: Mapping[int, tuple[str, ...]]


class PrintedText:
    """A document, ready for quotations to be looked for."""

    def __init__(self, printed: Sequence[PrintedSentence]) -> None:
        """Index the words of the sentences."""
        self._printed = printed
        self._words = [word for sentence in printed for word in sentence.words]
        self._starts = list(accumulate((len(sentence.words) for sentence in printed), initial=0))
        self._pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, pair in enumerate(pairwise(self._words)):
            self._pairs[pair].append(place)

    def find(self, quotations: Mapping[str, tuple[str, Iterable[tuple[int, int]]]]) -> QuotedPlaces:
        """Where the quotations stand.

        Args:
            quotations: by name, the words and the ranges of sentences, first and beyond the last, in which they are
                to be looked for, one for each place that prints them.
        """
        places: dict[str, set[int]] = {}
        seen: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        inside: dict[int, set[str]] = defaultdict(set)
        for name, (said, ranges) in quotations.items():
            for first, beyond in ranges:
                spans = [span for part in _parts(said) if (span := self._span(part, first, beyond))]
                for matched in spans:
                    for place in matched:
                        seen[self._sentence(place)][place].add(name)
                for one, other in zip(spans, spans[1:] or spans, strict=False):
                    lowest, highest = self._sentence(min(one)), self._sentence(max(other))
                    places.setdefault(name, set()).update((lowest, self._sentence(max(one))))
                    places[name].update((self._sentence(min(other)), highest))
                for one in spans:
                    for place in range(self._sentence(min(one)), self._sentence(max(one)) + 1):
                        inside[place].add(name)
        quoted = {}
        for place, sentence in enumerate(self._printed):
            names = sorted({name for there in seen[place].values() for name in there}) if place in seen else []
            if len(sentence.words) < _FEW:
                names = sorted(inside.get(place, ()))
            elif not self._is_whole(place, seen.get(place, {})):
                names = []
            if names:
                quoted[place] = tuple(names)
        kept = {name: tuple(sorted(found)) for name, found in places.items()}
        return QuotedPlaces(kept, tuple(name for name in quotations if name not in places), quoted)

    def _is_whole(self, sentence: int, matched: Collection[int]) -> bool:
        """Whether a sentence is quoted but for a few words: most of them, and no stretch left out."""
        places = range(self._starts[sentence], self._starts[sentence + 1])
        left_out = [
            sum(1 for _ in same) for quoted, same in groupby(place in matched for place in places) if not quoted
        ]
        return len(matched) >= _LEAST * len(places) and max(left_out, default=0) < _STRETCH

    def _sentence(self, word: int) -> int:
        return bisect_right(self._starts, word) - 1

    def _span(self, part: Sequence[str], first: int, beyond: int) -> tuple[int, ...]:
        """The places of the words of a part of a quotation, nothing where too few stand together."""
        low, high = self._starts[first], self._starts[beyond]
        votes: Counter[int] = Counter()
        for at, pair in enumerate(pairwise(part)):
            for place in self._pairs.get(pair, ()):
                if low <= place < high:
                    votes[(place - at) // len(part)] += 1
        best: tuple[int, ...] = ()
        for block, _ in votes.most_common(3):
            start = max(low, (block - 1) * len(part))
            window = self._words[start : min(high, (block + 3) * len(part) + 4)]
            found = tuple(start + place for place in _in_order(window, part))
            if len(found) > len(best):
                best = found
        return best if len(best) >= 2 and len(best) >= _LEAST * len(part) else ()


def _in_order(window: Sequence[str], part: Sequence[str]) -> list[int]:
    """The places in a window of the words of a part in their order, without words that stand alone and far off."""
    blocks = [one for one in SequenceMatcher(None, window, part, autojunk=False).get_matching_blocks() if one.size]
    firm = [one for one in blocks if one.size > 1]
    near = [
        one
        for one in blocks
        if one.size > 1
        or any(one.a - (block.a + block.size) >= -_NEAR and one.a - block.a <= _NEAR + block.size for block in firm)
    ]
    return [one.a + step for one in near for step in range(one.size)]


def _parts(said: str) -> list[tuple[str, ...]]:
    """The words of each sentence of a quotation, cut where it leaves words out."""
    pieces = (sentence.text for piece in said.split("…") for sentence in sentences(piece))
    return [part for part in map(words, pieces) if len(part) > 1]
