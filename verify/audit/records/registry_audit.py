"""The audit of a registry record: which blocks it leaves open or in prose, and whether its numbers and words agree."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from stirred.spec.arguments import nearest
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.records.published import TOTALS
from stirred.verify.audit.records.registry import DETAILS, FIELDS, LETTERS, PUBLISHED, RegistryRecord
from stirred.verify.audit.records.registry_fields import (
    compared_percentages,
    dated_by_name,
    published_total,
    registry_fields,
    registry_relations,
    values_in_prose,
)
from stirred.verify.audit.records.registry_numbers import (
    MAX_STATEMENTS,
    added,
    connected_numbers,
    fields_converted,
    is_ambiguous,
    may_meet,
    registry_numbers,
    stated_delta,
    statement_count,
)
from stirred.verify.audit.records.registry_words import (
    UNIT,
    UNIT_DETAILS,
    consistency,
    listed,
    named_units,
    unexplained_words,
)
from stirred.verify.audit.records.setting_audit import DELTA, both_conversions
from stirred.verify.engines.printed_number import Printed, compare
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.five_blocks import Stated
from stirred.verify.laws.statement_text.items import Item
from stirred.verify.laws.statement_text.phrases import find, has, mentions
from stirred.verify.laws.statement_text.quantities import (
    BUDGET,
    EACH,
    LOOSELY,
    NUMBER_WORDS,
    WHOLE,
    WHOLE_NOUNS,
    Quantity,
)
from stirred.verify.laws.statement_text.tokens import Kind, Token

_WORDS = "the words of the record"
_MAX_PARTS = 50
_SPLIT = ("split", "divided between", "divided among", "divided into", "sum of")
_COMPOSED = (*_SPLIT, *WHOLE, "composed", "divided", "allocated", "adds up", "sum")
"""What says of the number of an item that the items under it are its parts."""

_WHO_IS_SPLIT = (")", ",", "which", "that", "and", "it", "is", "was", "were", "has", "been", "being", "then", "the")
_WHAT_IS_SPLIT = ("the", "our", "its", "this", "of", "is", ":", ",", "(", *WHOLE, *WHOLE_NOUNS)
_SOME = ("including", "include", "includes", "among others", "such as", "for example", "for instance", "some of")
_SOME_SHORT = ("e.g.", "etc.", "etc")
_NOT_ADDED = ("disjoint", "parallel", "partition*", "advanced", "composition", "overlap*", "renyi", "rényi", "rdp")
"""What says that budgets of parts need not add up to that of the whole."""


def registry_parts(record: RegistryRecord) -> Iterator[Evidence]:
    """The sums of the details, then those of every other text."""
    main = record.main
    details = record.prose.get(DETAILS, ())
    is_added = False
    if main is not None:
        letter, stated = main
        split = next((index for index, item in enumerate(details) if _is_split(item, letter)), None)
        is_added = split is not None or len({item.depth for item in details if _part(item, letter)}) == 1
        if is_added:
            yield from _details(record, details, letter, stated, split)
    for key, found in record.prose.items():
        for index, head in enumerate(found):
            if not (key == DETAILS and is_added) and has(head.tokens, _COMPOSED):
                yield from _under(record, key, found, index)


def _details(
    record: RegistryRecord, found: Sequence[Item], letter: str, stated: Printed, split: int | None
) -> Iterator[Evidence]:
    """The labelled parts of the budget, added up beside the whole.

    Where an item says that a budget is split, its parts are the items directly under it, and they must add up to it.
    Elsewhere all labelled items are added beside the stated budget, and a difference contradicts nothing.
    """
    whole, doubt = stated, "the record does not say of one budget that they add up to it"
    if split is not None:
        head = found[split]
        whole = next(one.number for one in head.assignments() if one.letter == letter and one.number is not None)
        found = _directly_under(found, split)
        doubt = _doubt_of_parts(head, found, letter)
    parts = [(item.label, number) for item in found if (number := _part(item, letter)) is not None]
    if len(parts) > _MAX_PARTS:
        detail = f"{len(parts)} labelled numbers of {letter} are not added up; at most {_MAX_PARTS} are"
        yield Evidence(Verdict.OPEN, _WORDS, detail)
    elif len(parts) >= 2:
        yield _sum(letter, whole, parts, doubt, named_units(record))


def _under(record: RegistryRecord, key: str, found: Sequence[Item], index: int) -> Iterator[Evidence]:
    """The items under one that gives a letter a total, where each of them has one number of the letter."""
    head, nested = found[index], _directly_under(found, index)
    if not 2 <= len(nested) <= _MAX_PARTS:
        return
    for letter in "ερ":
        given = head.single(letter)
        numbers = [part.number for item in nested if (part := item.single(letter)) is not None]
        if given is None or given.number is None or len(numbers) < len(nested):
            continue
        parts = [(item.label or "part", number) for item, number in zip(nested, numbers, strict=True) if number]
        doubt = f"{key}: the words do not say that these are all of its parts ({head.quote(given.first, given.last)!r})"
        yield _sum(letter, given.number, parts, doubt, named_units(record))


def _part(item: Item, letter: str) -> Printed | None:
    """The one number that a labelled item gives a letter, unless its label calls it the whole."""
    label: Sequence[Token] = [token for token in item.tokens if token.end <= len(item.label)]
    given = item.single(letter)
    return given.number if given is not None and label and not mentions(label, WHOLE) else None


def _is_split(item: Item, letter: str) -> bool:
    """Whether an item says of the one number that it gives a letter that it is split."""
    given, found = item.single(letter), item.tokens
    words = next(find(found, _SPLIT), None)
    if given is None or words is None:
        return False
    start, end = words
    if given.last < start:
        return _says_who(item, given, start)
    return all(token.text in _WHAT_IS_SPLIT for token in found[end : given.first])


def _says_who(item: Item, given: Quantity, start: int) -> bool:
    """Whether nothing but its description stands between a number and the words that say that it is split."""
    others = [one for one in item.quantities if one.first > given.last and one.last < start]
    is_inside, depth = set[int](), 0
    for index in range(given.last + 1, start):
        depth += item.tokens[index].text == "("
        if depth > 0 or any(one.first - 1 <= index <= one.last for one in others):
            is_inside.add(index)
        depth -= item.tokens[index].text == ")" and depth > 0
    rest = [item.tokens[index].text for index in range(given.last + 1, start) if index not in is_inside]
    return all(word in _WHO_IS_SPLIT or word.endswith("ly") for word in rest)


def _directly_under(found: Sequence[Item], index: int) -> list[Item]:
    """The items nested under one, without those nested deeper."""
    nested: list[Item] = []
    for item in found[index + 1 :]:
        if item.depth <= found[index].depth:
            break
        nested.append(item)
    return [item for item in nested if item.depth == nested[0].depth]


def _doubt_of_parts(head: Item, nested: Sequence[Item], letter: str) -> str:
    """Why the items under a split budget need not add up to it; "" where nothing says so."""
    texts = [item.tokens for item in (head, *nested)]
    if any(mentions(text, (*_SOME, *_SOME_SHORT)) for text in texts):
        return "the record lists only some of the parts"
    if any(mentions(text, EACH) for text in texts):
        return "the text speaks of a period or share, so they need not be parts of one budget"
    if any(mentions(text, _NOT_ADDED) for text in texts):
        return "the text speaks of how the parts are composed, which need not be by addition"
    if any(mentions(text, LOOSELY) for text in texts):
        return "the text gives a number only loosely"
    if any(not item.label or item.single(letter) is None for item in nested):
        return "not every part has one label and one number"
    return ""


def _sum(
    letter: str, whole: Printed, parts: Sequence[tuple[str, Printed]], doubt: str, units: Sequence[str]
) -> Evidence:
    """The parts added up beside the whole."""
    numbers = [number for _, number in parts]
    total = added(numbers)
    formula = " + ".join(number.text.replace(",", "") for number in numbers)
    names = ", ".join(f"{label} {number.text}" for label, number in parts)
    evidence = compare(whole, Enclosure(total, total), formula, f"{letter} as the sum of its parts ({names})")
    is_equal = total == whole.value or (whole.may_be_rounded and evidence.verdict.is_settled_for)
    if is_equal and len(units) <= 1:
        return evidence
    note = _difference(whole.value - total)
    if all(number.value == whole.value for number in numbers):
        doubt = doubt or "every part has the whole budget, as parts with data of their own may have"
    agrees = ""
    if is_equal:
        named = listed(units)
        reason = (
            f"right as arithmetic, but several units are named ({named}) and no conversion of one budget to another"
        )
        agrees = "as arithmetic only"
    elif may_meet(whole, numbers):
        agrees = "within their rounding"
        reason = "they agree within the rounding of the parts"
    elif is_ambiguous(whole, numbers):
        reason = "they agree if ',' and '.' are not used as in English"
    elif doubt or evidence.witness is None:
        reason = f"{doubt}{note}"
    else:
        detail = f"{evidence.detail}, though the record says that it is split between them{note}"
        return Evidence(Verdict.REFUTED, evidence.scope, detail, evidence.witness)
    return Evidence(Verdict.OPEN, evidence.scope, f"{evidence.detail}; {reason}", agrees=agrees)


def _difference(difference: Fraction) -> str:
    """A published total that equals what is missing from a sum."""
    for total in TOTALS:
        if total.rho_squared.value == difference:
            return (
                f"; the difference is the published rho^2 of {total.product}, {total.rho_squared.text} ({total.source})"
            )
    return ""


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
