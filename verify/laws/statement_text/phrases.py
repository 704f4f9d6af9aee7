"""Phrases in tokens: plain words, "stem*" for a word that begins so, and whether a clause denies them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from stirred.verify.laws.statement_text.tokens import Kind, Token, tokens

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
