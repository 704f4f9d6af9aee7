"""What specification.toml says, compared with what the other files of a release determine.

The schema determines the domain and the resolution, the constraints the invariants, the variances of the noise the
budget. Its Δ² holds for one replaced record and zCDP, so both premetrics are determined. Anyone can write the words of
a claim: those that are not the sentences below are not compared, but for a budget in digits.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.spec.arguments import InputError, parse_exact, shown
from stirred.verify.laws.statement_text import stated_numbers
from stirred.verify.products.release_checks.folder import EARLIER, ReleasedFolder, UnconfirmedError
from stirred.verify.products.release_checks.records import RecordKinds

_FILE, _PART = "specification.toml", "earlier-release"
_INVARIANTS, _BUDGET, _PARTS = ("multiverse", "invariants"), ("budget", "rho_squared"), ("mechanism", "parts")
_DOMAIN = "domain", "description"
_DESCRIBED = ("multiverse", "input_premetric", "output_premetric", "budget")
_WORDS = (("id",), ("source",), ("statement",), *((block, "description") for block in _DESCRIBED))
_SHOWN = 80
_OF_EARLIER = "; of these, what the earlier release speaks of: "


def statement_of(rho_squared: Fraction) -> str:
    """The sentence that a release states."""
    return f"The release satisfies rho^2 = {rho_squared}."


def domain_of(record: str, columns: Sequence[str], rules: Sequence[str], earlier: str | None = None) -> str:
    """The data sets that a release speaks of; budgets of two releases add up on those that both speak of.

    The first column is that of the leaf; `earlier` is the domain of a release that this one depends on.
    """
    obeyed = f", and of units by type; that obey: {', '.join(rules)}" if rules else ""
    own = f"all data sets of {record} records with {', '.join(columns)}{obeyed}"
    return own if earlier in (None, own) else f"{own}{_OF_EARLIER}{earlier}"


def compared(release: ReleasedFolder) -> tuple[list[str], list[str], list[str]]:
    """What no file determines; the words of the claimant's own; and what is compared, block by block, and the same."""
    given, kinds = dict(_leaves(release.specification)), release.kinds
    stated, kept = given.pop(_INVARIANTS, None), set(_invariants(release))
    if not isinstance(stated, list) or not all(isinstance(one, str) for one in stated):
        raise InputError(f"{_FILE}: multiverse.invariants must be an array of texts")
    budget = _exact(_BUDGET, given.pop(_BUDGET, None))
    parts = {path[2]: _exact(path, given.pop(path)) for path in list(given) if path[:2] == _PARTS and len(path) == 3}
    earlier, others = _earlier(release, parts.pop(_PART, None)), [name for name in stated if name not in kept]
    for name in sorted(kept.difference(stated)):
        raise UnconfirmedError(f"{_FILE} does not name the invariant {name!r}")
    if others and not earlier:
        raise UnconfirmedError(f"the invariant {others[0]!r} of {_FILE} is not a constraint of the release")
    spent = _spent(release, budget, earlier, parts)
    domain = domain_of(kinds.unit, [kinds.leaf, *kinds.attributes], list(_rules(kinds)))
    before, whole = _plain(domain + _OF_EARLIER) + " ", _plain(given.get(_DOMAIN))
    of_earlier = whole.removeprefix(before) if earlier and whole.startswith(before) else ""
    expected = {
        _DOMAIN: before + of_earlier if of_earlier else domain,
        ("input_premetric", "name"): "hamming_unordered",
        ("input_premetric", "resolution"): kinds.unit,
        ("output_premetric", "name"): "normalized_renyi",
        ("mechanism", "name"): "composition",
    }
    for path, wanted in expected.items():
        if (found := _plain(given.pop(path, None))) != (own := _plain(wanted)):
            raise UnconfirmedError(f"{_FILE}: {'.'.join(path)} must be {_apart(own, found)}")
    words = list(_own_words(given, budget, {budget, spent, *parts.values(), earlier or budget}))
    if given:
        raise UnconfirmedError(f"{_FILE}: {'.'.join(min(given))} must not be there; no file of a release determines it")
    blocks, noise = "domain, invariants, resolution, premetrics and mechanism", f"{_FILE} has {budget}"
    unknown = []
    if earlier:
        blocks, noise = "resolution and premetrics", f"{noise}, {earlier} of it for the earlier release"
        unknown = [f"it spends at most rho^2 = {earlier}", "the totals that are reproduced are its"]
        unknown += [f"it keeps {', '.join(others)}"] if others else []
        unknown += [f"it speaks of {of_earlier!r}"] if of_earlier else []
    noise = f"for one replaced record (hamming_unordered, normalized_renyi); {noise}"
    return (
        [f"of the earlier release, that {one}" for one in unknown],
        words,
        [f"{_FILE} has the {blocks} of the other files", f"the noise spends at most rho^2 = {spent} {noise}"],
    )


def _leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every value with the keys that lead to it; a table without any is one."""
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def _plain(value: Any) -> str:
    """A text as the reader of claims has it."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def _apart(own: str, found: str) -> str:
    """Two texts, where they differ."""
    same = next((place for place, (one, other) in enumerate(zip(own, found, strict=False)) if one != other), 0)
    first = max(same - _SHOWN // 4, 0)
    return "{!r}, by the other files; it is {!r}".format(*(f"{one[first:]:.{_SHOWN}}" for one in (own, found)))


def _exact(path: Sequence[str], value: Any) -> Fraction:
    if not isinstance(value, str):
        raise InputError(f"{_FILE}: {'.'.join(path)} must be an exact number in quotes; got {value!r}")
    return parse_exact(f"{_FILE}: {'.'.join(path)}", value)


def _earlier(release: ReleasedFolder, part: Fraction | None) -> Fraction:
    """ρ² of the release whose totals are reproduced, as specification.toml and manifest.json say; 0 without one."""
    names = [(release.names[one.level], one.name.removesuffix("_con")) for one in release.kept]
    names = [one for one in names if one[1].startswith(EARLIER) and one[1] not in release.kinds.rules]
    kept = {(level, name.removeprefix(EARLIER)) for level, name in names}
    said: Any = release.manifest.get("earlier")
    if part is None and said is None and not kept:
        return Fraction(0)
    try:
        named = {tuple(text.strip() for text in one.split("=", 1)) for one in said["reproduced"]}
        is_same = named == kept != set() and said == {"rho_squared": str(part), "reproduced": said["reproduced"]}
    except (AttributeError, LookupError, TypeError):
        is_same = False
    if part is None or part <= 0 or not is_same:
        raise UnconfirmedError(
            f"an earlier release must have a positive part {_PART} in {_FILE}, the same rho_squared in manifest.json, "
            f"and there the totals that constraints reproduce; they are {part}, {said!r} and {sorted(kept)}"
        )
    return part


def _spent(release: ReleasedFolder, budget: Fraction, earlier: Fraction, parts: Mapping[str, Fraction]) -> Fraction:
    """ρ² = Σ Δ²/(2σ²) of all queries, with Δ² = 2, where the specification has as much for each level and in all.

    A record is in one answer of a query at most, and counts 1 there. One that is replaced, its node included, leaves
    one answer and enters another one, at the same node or at two: squares of 1 and 1.
    """
    total, named = Fraction(0), {f"level-{level}" for level, _ in enumerate(release.names)}
    for level, name in enumerate(release.names):
        spent = sum((1 / one.variance for one in release.measured if one.level == level), Fraction(0))
        stated = parts.get(f"level-{level}", Fraction(0))
        if spent > stated:
            raise UnconfirmedError(f"{name}: the noise must spend at most rho^2 = {stated}; it spends {spent}")
        total += spent
    if wrong := sorted(parts.keys() - named):
        raise UnconfirmedError(f"{_FILE}: a part must be a level or the earlier release; got {wrong[0]!r}")
    if (whole := sum(parts.values(), earlier)) > budget:
        raise UnconfirmedError(f"{_FILE}: budget.rho_squared must be at least {whole}, as its parts; it is {budget}")
    if (said := release.manifest.get("rho_squared")) != (wanted := {release.kinds.unit: str(total)}):
        raise UnconfirmedError(f"manifest.json: rho_squared must be {wanted}, by the other files; it is {said}")
    return total


def _invariants(release: ReleasedFolder) -> Iterator[str]:
    """The names of what is kept exactly, and comes from no earlier release or rule."""
    for kind in release.kinds.kinds_of(release.kinds.units[0]) if release.kinds.units is not None else ():
        yield f"units of type {kind} ({release.names[-1]})"
    for one in release.kept:
        query = one.name.removesuffix("_con")
        if one.sign != "=" or query in release.kinds.rules or query.startswith(EARLIER):
            continue
        cells = np.unique(one.answers, return_index=True)[1]
        counted = [int(cell) for cell in cells if one.answers[cell] >= 0]
        for label in release.kinds.labels(query, counted):
            yield f"{label} ({release.names[one.level]})"


def _rules(kinds: RecordKinds) -> Iterator[str]:
    """What every data set obeys, in words, in the order of the schema."""
    yield from kinds.rules
    for value in kinds.counted_units.same if kinds.counted_units is not None else ():
        yield f"no more records than units that are {value}"
        yield f"no more units than records that are {value}"
    if kinds.units is not None:
        of, least, most = kinds.units
        for kind in kinds.groups[of][1] if of in kinds.groups else kinds.attributes[of]:
            if fewest := least.get(kind, 0):
                yield f"at least {fewest} in each unit of type {kind}"
            if kind in most:
                yield f"at most {most[kind]} in each unit of type {kind}"


def _own_words(given: dict[tuple[str, ...], Any], budget: Fraction, known: set[Fraction]) -> Iterator[str]:
    """The words that the program does not write, taken out of what is given."""
    own: dict[tuple[str, ...], str] = {("id",): "topdown.release", ("statement",): statement_of(budget)}
    for path in _WORDS:
        place, text = ".".join(path), given.pop(path, own.get(path))
        if text == own.get(path):
            continue
        if not isinstance(text, str):
            raise InputError(f"{_FILE}: {place} must be a text; got {text!r}")
        is_plain = not re.search(r"epsilon|ε", text)  # a budget of another letter
        named = [one for one in stated_numbers(text) if one.name == "ρ" or (is_plain and one.name == "budget")]
        for one in named if len(named) == 1 else ():  # of several, one may be a part, or of another file
            value, printed = one.value, one.printed
            if value is None or printed is None or "," in one.words or one.is_denied or one.bound == "≥":
                continue
            low, high = (0 if one.bound else value.lower - printed.half_unit), value.upper + printed.half_unit
            is_squared = one.name == "budget" or one.is_squared  # the letter may be ρ, too
            ends = [(low, high)] if is_squared else [(low, high), (max(low, 0) ** 2, high**2)]
            if not any(below <= rho <= above for rho in known for below, above in ends):
                raise UnconfirmedError(f"{_FILE}: {place} must name the budget {budget}; it says {one.words!r}")
        yield f"the words of {'the statement' if path == ('statement',) else place}: {shown(text)}"
