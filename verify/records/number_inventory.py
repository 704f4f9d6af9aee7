"""Every number of a registry record's prose: read and compared, or listed as not read or without a counterpart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from stirred.verify.prose.quantities import BUDGET
from stirred.verify.prose.quantity_phrases import NUMBER_WORDS
from stirred.verify.prose.tokens import Kind, Token
from stirred.verify.records.registry import LETTERS, PUBLISHED, RegistryRecord
from stirred.verify.records.registry_numbers import MAX_STATEMENTS, connected_numbers, statement_count
from stirred.verify.records.registry_relations import compared_percentages, dated_by_name

__all__ = ["unread_numbers", "without_counterpart"]

_MAX_LISTED = 10
_MAX_NUMBERS = 400
_UNITS = frozenset(("%", "thousand", "million", "billion"))


def unread_numbers(record: RegistryRecord) -> Iterator[str]:
    """What the record states in numbers and the audit does not read, each with its place."""
    found = [f"{text!r} ({key})" for key, item in record.items() for text in item.unread()]
    yield from found[:_MAX_LISTED]
    if len(found) > _MAX_LISTED:
        yield f"{len(found) - _MAX_LISTED} more of this kind"
    statements = statement_count(record)
    if statements > MAX_STATEMENTS:
        yield f"{statements - MAX_STATEMENTS} more equations and conversions; at most {MAX_STATEMENTS} are recomputed"
    unread = _unread(record)
    listed, left = [], _MAX_NUMBERS
    for key, texts in unread.items():
        if left > 0:
            listed.append(f"{', '.join(texts[:left])} ({key})")
        left -= len(texts)
    if listed:
        yield f"the numbers {'; '.join(listed)}"
    if left < 0:
        yield f"{-left} more numbers"


def without_counterpart(record: RegistryRecord) -> Iterator[str]:
    """What is read and stands beside nothing that it could be compared with, each with its place."""
    fields = {LETTERS[name] for name in record.parameters}
    places = Counter(letter for letter, _ in _places(record))
    for key, item in record.items():
        connected = connected_numbers(item)
        for one in item.quantities:
            is_compared = one.letter in fields or (one.letter == BUDGET and record.main is not None)
            is_compared = is_compared or (one.letter not in "εδρ" and places[one.letter] > 1) or one.last in connected
            if one.number is not None and not is_compared:
                yield f"{one.letter}{one.subscript} = {one.number.text} ({key})"
    if published := record.text(PUBLISHED):
        yield f"{published} ({PUBLISHED}){' but for its year' if dated_by_name(record) else ''}"


def _places(record: RegistryRecord) -> set[tuple[str, str]]:
    """The letters that have numbers, with the key of every text that gives one."""
    return {(one.letter, key) for key, item in record.items() for one in item.quantities if one.number is not None}


def _is_glued(token: Token, after: Token) -> bool:
    """Whether a word such as the M of "135M" stands directly behind."""
    return after.kind is Kind.WORD and after.follows(token)


def _has_number(token: Token) -> bool:
    """Whether a token is a number, a number in words ("four") or a name with one in it ("L_2")."""
    is_word = token.kind is Kind.WORD and (token.text in NUMBER_WORDS or any(sign.isdigit() for sign in token.text))
    return is_word or token.kind in (Kind.NUMBER, Kind.DATE)


def _unread(record: RegistryRecord) -> dict[str, list[str]]:
    """The numbers that no quantity, equation or share reads, in digits, words and names, by the key of their text."""
    unread: dict[str, list[str]] = {}
    for key, item in record.items():
        if key == PUBLISHED:
            continue
        read = item.read_numbers() | set(compared_percentages(item))
        for index, token in enumerate(item.tokens):
            if _has_number(token) and index not in read:
                after = item.tokens[index + 1 : index + 2]
                is_unit = bool(after) and (after[0].text in _UNITS or _is_glued(token, after[0]))
                last = after[0] if is_unit else token
                unread.setdefault(key, []).append(item.text[token.start : last.end])
    return unread
