"""The audit of a registry record: which blocks it leaves open or in prose, and whether its numbers and words agree."""

from collections import Counter
from collections.abc import Iterator

from stirred.spec.arguments import nearest
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.claim.five_blocks import Stated
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prose.quantities import BUDGET
from stirred.verify.prose.quantity_phrases import NUMBER_WORDS
from stirred.verify.prose.tokens import Kind, Token
from stirred.verify.records.registry import FIELDS, LETTERS, PUBLISHED, RegistryRecord
from stirred.verify.records.registry_fields import published_total, registry_fields, values_in_prose
from stirred.verify.records.registry_numbers import (
    MAX_STATEMENTS,
    connected_numbers,
    fields_converted,
    registry_numbers,
    stated_delta,
    statement_count,
)
from stirred.verify.records.registry_parts import registry_parts
from stirred.verify.records.registry_relations import compared_percentages, dated_by_name, registry_relations
from stirred.verify.records.registry_units import UNIT, UNIT_DETAILS, listed, unexplained_words
from stirred.verify.records.registry_words import consistency
from stirred.verify.records.setting_audit import DELTA, both_conversions

# Every number of a registry record's prose: read and compared, or listed as not read or without a counterpart.

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


_KEYS = (*FIELDS, *(f"{section}.{key}" for section, keys in FIELDS.items() for key in keys))
_COMPOSITION = "accounting.composition"


def _read(record: RegistryRecord) -> Iterator[Answer]:
    parts = [f"read as a registry record: {len(record.texts)} texts, {len(record.parameters)} privacy parameters"]
    parts += [f"not read: {name} = {text!r} is no number" for name, text in record.formulas.items()]
    for key in record.unknown:
        how = "read for its numbers only" if key in record.texts else "not read"
        near = nearest(key, _KEYS)
        meant = f" (did you mean {near}?)" if near is not None else ""
        parts.append(f"{how}: {key}, which the registry's schema does not have{meant}")
    parts += [f"not read: {words}" for words in unread_numbers(record)]
    alone = list(without_counterpart(record))
    if alone:
        parts.append(f"read, with nothing to compare it with: {', '.join(alone)}")
    if words := unexplained_words(record):
        parts.append(f"the unit {record.texts[UNIT].strip()!r}: {UNIT_DETAILS} has no {listed(words)}")
    parts += [f"{name} = {number.text} stands nowhere in the prose" for name, number in _nowhere(record)]
    scope = f"the record {record.path.name}"
    yield Answer("read", Evidence(Verdict.OPEN, scope, "; ".join(parts)), decides=False)


def _nowhere(record: RegistryRecord) -> Iterator[tuple[str, Printed]]:
    """The parameters whose letters the prose gives no number."""
    for name, number in record.parameters.items():
        if not values_in_prose(record, LETTERS[name]):
            yield name, number


def _complete(record: RegistryRecord) -> Iterator[Answer]:
    """Which blocks are stated exactly, in prose only, or not at all."""
    blocks = record.blocks
    named = {"not stated": Stated.NOT, "in prose only": Stated.IN_WORDS, "stated exactly": Stated.EXACTLY}
    parts = [f"{words}: {', '.join(found)}" for words, stated in named.items() if (found := blocks.named(stated))]
    yield Answer("complete", Evidence(Verdict.OPEN, "the five blocks of the record", "; ".join(parts)))


def _prose(record: RegistryRecord) -> Iterator[Answer]:
    """The numbers of the prose beside the parameters and each other."""
    yield from registry_fields(record)
    yield from registry_relations(record)


def _numbers(record: RegistryRecord) -> Iterator[Answer]:
    for evidence in registry_numbers(record):
        yield Answer("numbers", evidence)
    for evidence in fields_converted(record):
        yield Answer("numbers", evidence, decides=evidence.verdict.is_settled_for)
    for evidence in (*registry_parts(record), *published_total(record)):
        yield Answer("numbers", evidence)


def _conversion(record: RegistryRecord) -> Iterator[Answer]:
    rho = record.parameters.get("rho")
    if rho is not None:
        stated = stated_delta(record)
        evidence = both_conversions(rho.value, "", stated or DELTA, is_chosen=stated is None)
        yield Answer("conversion", evidence, decides=False)


def _outside(record: RegistryRecord) -> Iterator[Answer]:
    parts = ["that a mechanism satisfies the budget is not shown, and no prose was interpreted beyond its equations"]
    if record.says_something("dp_variant.unprotected_quantities"):
        parts.append("nothing is claimed about the unprotected quantities, which may be released exactly")
    if record.text("deployment_model.release_type") == "Many releases" and not record.says_something(_COMPOSITION):
        parts.append("there are many releases, and how their budgets add up is not stated")
    if record.formulas:
        parts.append("a parameter that is no number was not evaluated")
    parts.append("other releases from the same data add to the loss")
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the record", "; ".join(parts)), decides=False)


QUESTIONS = (
    AuditQuestion("read", _read),
    AuditQuestion("complete", _complete),
    AuditQuestion("prose", _prose),
    AuditQuestion("numbers", _numbers),
    AuditQuestion("consistent", consistency),
    AuditQuestion("conversion", _conversion),
    AuditQuestion("outside", _outside),
)
"""What is asked of a registry record, in this order."""
