"""Phrases in tokens: plain words, "stem*" for a word that begins so, and whether a clause denies them.

Among them are the words by which a sentence names its numbers, joins them and bounds them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from stirred.verify.prose.tokens import DASHES, Kind, Token, tokens

_CLAUSE_ENDS = (*".;!?,", "but", "whereas", "while")
_DENIALS = (
    *("not", "never", "no", "neither", "nor", "unlike", "without", "cannot", "false", "wrong", "incorrect"),
    *("instead of", "rather than"),
)
_MAX_CLAUSE = 40
_MAX_SENTENCE = 200


@cache
def _by_first_word(phrases: tuple[str, ...]) -> tuple[Mapping[str, tuple[tuple[str, ...], ...]], tuple[str, ...]]:
    """The words of phrases by their first word, as the tokens of a text have them, and the stems alone."""
    table: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in phrases:
        if not phrase.endswith("*"):
            words = tuple(token.text for token in tokens(phrase))
            table[words[0]] = (*table.get(words[0], ()), words)
    return table, tuple(phrase[:-1] for phrase in phrases if phrase.endswith("*"))


def starts(found: Sequence[Token], index: int, phrases: tuple[str, ...]) -> int:
    """Where the longest phrase that begins at a token ends; the index itself where none does."""
    if index >= len(found):
        return index
    table, stems = _by_first_word(phrases)
    word = found[index].text
    end = index + 1 if stems and word.startswith(stems) else index
    for words in table.get(word, ()):
        if tuple(token.text for token in found[index : index + len(words)]) == words:
            end = max(end, index + len(words))
    return end


def find(found: Sequence[Token], phrases: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where phrases stand that are not denied: the first token of each and the one after its last.

    >>> list(find(tokens("It is split, not divided"), ("split", "divided")))
    [(2, 3)]
    """
    for index in range(len(found)):
        end = starts(found, index, phrases)
        if end > index and not is_denied(found, index):
            yield index, end


def has(found: Sequence[Token], phrases: tuple[str, ...]) -> bool:
    """Whether one of the phrases stands in the tokens and is not denied."""
    return next(find(found, phrases), None) is not None


def mentions(found: Sequence[Token], phrases: tuple[str, ...]) -> bool:
    """Whether one of the phrases stands in the tokens, denied or not."""
    return any(starts(found, index, phrases) > index for index in range(len(found)))


def is_denied(found: Sequence[Token], index: int) -> bool:
    """Whether a word such as "not" or "unlike" stands before a token in its clause."""
    clause = found[clause_start(found, index) : index]
    return any(
        token.text.endswith("n't") or starts(clause, place, _DENIALS) > place for place, token in enumerate(clause)
    )


def clause_start(found: Sequence[Token], index: int) -> int:
    """Where the clause of a token begins, at most 40 tokens before it."""
    begin = index
    while begin > max(0, index - _MAX_CLAUSE) and found[begin - 1].text not in _CLAUSE_ENDS:
        begin -= 1
    return begin


def sentence_bounds(found: Sequence[Token], index: int, marks: str = ".;!?") -> tuple[int, int]:
    """The first token of a token's sentence and the one after its last, by the marks that end a sentence.

    A longer one ends 200 tokens away.
    """
    begin, end = index, index
    first, last = max(0, index - _MAX_SENTENCE), min(len(found), index + _MAX_SENTENCE)
    while begin > first and not ends_sentence(found, begin - 1, marks):
        begin -= 1
    while end < last and not ends_sentence(found, end, marks):
        end += 1
    return begin, end


def ends_sentence(found: Sequence[Token], index: int, marks: str = ".;!?") -> bool:
    """Whether a mark ends a sentence: not inside a number or name."""
    token = found[index]
    if token.text not in marks or token.kind is not Kind.MARK:
        return False
    return index + 1 == len(found) or not found[index + 1].follows(token) or found[index + 1].text in "\"')"


NAMES = {
    **dict.fromkeys(("privacy", "private", "privately", "dp", "ldp", "cdp", "loss", "losses"), "budget"),
    **dict.fromkeys(("budget", "plb", "budgets", "guarantee", "guarantees", "leakage", "leak"), "budget"),
    **dict.fromkeys(("leaks", "protection", "pld", "indistinguishable", "indistinguishability"), "budget"),
    **dict.fromkeys(("differential", "differentially", "privacy-loss", "worst-case", "disclosure"), "budget"),
    **dict.fromkeys(("confidentiality", "nat", "nats", "bits"), "budget"),
    **dict.fromkeys(("zcdp", "zero-concentrated", "concentrated"), "ρ"),
    **dict.fromkeys(("gdp",), "μ"),
    **dict.fromkeys(("gamma", "γ", "factor", "fold", "odds", "likely"), "γ"),
    **dict.fromkeys(("alpha", "α"), "α"),
    **dict.fromkeys(("probability", "rate", "rates"), "p"),
    **dict.fromkeys(("stratum", "strata"), "b"),
}
"""Words that name a number, and the letter or name that they stand for."""

SIGNS = frozenset(
    (
        *('"', "'", "(", ")", "*", ".", ":", "<", "=", ">", "[", "]", "^", "|", "~", "→", "∈", "≃", "≅", "≈"),
        *("≤", "≥"),
    )
)
"""Marks that may stand between a name and its number."""

LINKS = frozenset(
    (
        *("a", "about", "above", "achieves", "almost", "amount", "amounts", "an", "approximately", "are"),
        *("around", "as", "at", "be", "been", "being", "below", "between", "bound", "bounded", "bounds", "by"),
        *("can", "change", "changes", "chosen", "claimed", "comes", "constant", "cost", "could", "did"),
        *("differential-privacy", "do", "does", "each", "either", "equal", "equaling", "equalling", "equals"),
        *("ever", "every", "exactly", "exceed", "exceeds", "fewer", "fixed", "from", "give", "given", "gives"),
        *("giving", "has", "have", "i.e.", "in", "is", "its", "just", "larger", "least", "less", "level"),
        *("may", "more", "most", "namely", "nearly", "never", "no", "nominal", "not", "of", "only", "our"),
        *("over", "overall", "parameter", "roughly", "satisfies", "satisfy", "set", "size", "smaller", "some"),
        *("squared", "stated", "sum", "sums", "than", "that", "the", "their", "to", "total", "under", "up"),
        *("value", "values", "was", "were", "will", "with", "within", "worth", "would"),
    )
)
"""Words that may stand between a name and its number."""

_JOINING = frozenset(
    (
        *("(", ",", "/", ":", ";", "<", "=", "about", "and", "approximately", "at", "e.g.", "either", "give"),
        *("gives", "i.e.", "is", "most", "namely", "or", "respectively", "roughly", "that", "to", "up"),
        *("yields", "~", "≈", "≤"),
    )
)

SEPARATORS = _JOINING | DASHES
"""What joins numbers that have one name."""

_AFTER = frozenset(
    (
        *("(", ")", "a", "an", "as", "being", "for", "in", "is", "its", "of", "our", "the", "total", "value"),
        *("was", "worth"),
    )
)

BEHIND = _AFTER | DASHES
"""What may stand between a number and a name behind it."""

UPPER = (
    *("≤", "<", "at most", "up to", "less than", "below", "under", "no more than", "not more than"),
    *("within", "bounded by"),
)
"""What makes a number an upper bound."""

STRICT = (*("<", "less than", "below", "under", "smaller than", "fewer than"),)
"""What makes it one that is not reached."""

LOWER = (*("≥", ">", "at least", "more than", "above", "over", "no less than", "larger than"),)
"""What makes a number a lower bound."""

ABOUT = (*("≈", "~", "about", "approximately", "roughly", "around", "nearly", "almost", "≃", "≅"),)
"""What says that a number is rounded."""

DENIALS = (
    *("not", "never", "cannot", "fails", "violates", "false", "wrong", "unlike", "instead", "rather"),
    *("neither", "nor"),
)
"""Words that may deny a number of their clause."""

_FURTHER = frozenset(
    (*("but", "for", "holds", "if", "on", "per", "suffices", "too", "when", "where", "which", "while"),)
)

NO_NOUNS = LINKS | SEPARATORS | _FURTHER
"""Words behind a number that it does not count."""

LABELS = frozenset(
    (
        *("algorithm", "appendix", "article", "chapter", "claim", "col", "column", "corollary", "definition"),
        *("eq", "equation", "example", "fig", "figure", "figures", "item", "lemma", "line", "no", "note", "nr"),
        *("page", "pages", "paragraph", "part", "proposition", "release", "remark", "row", "section"),
        *("sections", "series", "step", "table", "tables", "theorem", "theorems", "version", "§"),
    )
)
"""Words before a number that numbers something."""

PRIVATE = (
    *("priva", "dp", "zcdp", "ldp", "gdp", "epsilon", "budget", "leak", "disclos", "indistinguish"),
    *("protect", "guarant", "secre", "anonym", "plb", "confidential", "odds", "loss", "differential"),
    *("private", "risk", "lose"),
)
"""How words about privacy begin."""

ASSIGNING = (*("=", "is", "≈", "≤", "≥", "<", ">", "of", ":", "between"),)
"""What stands behind a letter that is given a number."""

GIVING = (*("is", "gives", "give", "yields", "has", "are"),)
"""What gives a budget its number behind another one's."""
