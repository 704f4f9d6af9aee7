"""Where a document prints a quotation: the sentences that hold its words in their order.

A quotation of the ledger gives formulas in plain text and leaves out parts with "…"; a document gives them as it was
converted. Each sentence of a quotation is therefore looked for by its words alone, formulas left out.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import accumulate, groupby, pairwise

from stirred.verify.ledger.sentences import PrintedSentence, sentences, words

_LEAST = Fraction(3, 5)
"""The share of a quotation's words that a place must hold, and that of a sentence's words that must be quoted."""

_STRETCH = 6
"""How many words in a row that are not quoted leave a sentence not covered."""

_FEW = 3
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
