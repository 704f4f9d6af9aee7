"""A TopDown release checked from its folder alone: what it keeps, what its noise spends, and that it is nearest."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from stirred.spec.arguments import InputError
from stirred.verify.products.release_checks.folder import (
    BOUNDS,
    ROUNDED,
    ReleasedAnswers,
    ReleasedFolder,
    UnconfirmedError,
    read_folder,
)
from stirred.verify.products.release_checks.lower_bounds import Below, limits
from stirred.verify.products.release_checks.optimality_check import Nearness, NearnessFound, nearness
from stirred.verify.products.release_checks.question import NearestQuestion, question_of
from stirred.verify.products.release_checks.stated import compared

CONFIRMED, REFUTED, UNREADABLE, OPEN = 0, 1, 2, 3
"""The exit status of what is found."""

_IS_NEAREST = {
    "the nearest non-negative integers in weighted least squares (article, Algorithm 2)": True,
    ROUNDED: False,
}
_IS_EQUAL = {"1/sigma^2 of the query's noise": False, "1": True}
_NOT_COMPARED = (
    "that the noise was drawn by the law that its variance names, that the totals that are kept are those of the "
    "data, which of several nearest counts was taken"
)
_OWN = ("program", "ties", "settings_not_used", "not_as_published", "randomness")
_SEEDED = (
    "OPEN: manifest.json does not say that the noise came from the operating system: whoever knows its seed can "
    "subtract it"
)
_SHOWN, _NAMED = 3, 20


def checked_release(folder: str) -> tuple[int, list[str]]:
    """The exit status and the lines that say what is confirmed of a release."""
    try:
        return _checked(_read(folder))
    except InputError as error:
        return UNREADABLE, [f"cannot be read: {error}"]
    except UnconfirmedError as error:
        return REFUTED, [f"NOT CONFIRMED: {error}"]


def _read(folder: str) -> ReleasedFolder:
    """The release in a folder; what a library says of bytes that are no text or number becomes one line."""
    try:
        return read_folder(folder)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise InputError(f"{folder}: must hold files of a release: {error}") from None


def _checked(release: ReleasedFolder) -> tuple[int, list[str]]:
    is_nearest = _known(_IS_NEAREST, "estimate", release.manifest["estimate"])
    is_equal = _known(_IS_EQUAL, "weights", release.manifest["weights"])
    nodes = [len(level) for level in release.tree.levels]
    if release.manifest.get("nodes") != nodes:
        raise UnconfirmedError(f"manifest.json: nodes must be {nodes}; they are {release.manifest.get('nodes')}")
    kept = _checked_totals(release) + _checked_homes(release)
    _check_stated(release)
    unknown, words, confirmed = compared(release)
    said = f"what manifest.json says of {', '.join(one for one in _OWN if one in release.manifest)}"
    lines = [
        f"not compared: {_NOT_COMPARED}, that one record is one {release.kinds.unit}, {said}",
        *([f"not compared: files that belong to no release: {_first(release.others)}"] if release.others else []),
        *(f"not compared: {one}" for one in (*unknown, *words)),
        *([] if is_nearest else ["not compared: how near the counts are: the release says that they are rounded"]),
        f"CONFIRMED: {_tables(release)} of the schema, at leaves of the tree, meet all of {kept} constraints",
        *(f"CONFIRMED: {sentence}" for sentence in confirmed),
    ]
    status, found = _checked_nearness(release, is_equal=is_equal) if is_nearest else (CONFIRMED, [])
    if release.manifest.get("randomness") != "operating system":
        return OPEN, [*lines, *found, _SEEDED]
    if words:
        return OPEN, [*lines, *found, "OPEN: whether words of specification.toml that are not compared promise more"]
    return status, [*lines, *found]


def _checked_nearness(release: ReleasedFolder, *, is_equal: bool) -> tuple[int, list[str]]:
    """The exit status and the lines that say of which siblings the counts are nearest."""
    if release.kinds.counted_units is not None:
        return OPEN, ["OPEN: whether other counts of records and units are nearer was not checked"]
    lines: list[str] = []
    below, open_ones = Below(release), []
    parents = [(0, None), *((level, node) for level, node in _parents(release))]
    for level, parent in parents:
        question = question_of(release, below, level, parent, equal=is_equal)
        found = nearness(question)
        if found.known is Nearness.NOT_NEAREST:
            raise UnconfirmedError(_nearer(release, level, parent, question, found))
        if found.known is Nearness.OPEN:
            open_ones.append(_group(parent))
    proved = len(parents) - len(open_ones)
    if proved:
        lines.append(
            f"CONFIRMED: the counts of {proved} of {len(parents)} groups of siblings are nearest: no other "
            "non-negative integers that sum to the parent's and meet the constraints, there and below, have smaller "
            "weighted squares"
        )
    if open_ones:
        shown = ", ".join(open_ones[:_SHOWN]) + (" and others" if len(open_ones) > _SHOWN else "")
        return OPEN, [*lines, f"OPEN: {shown}: it is not settled whether other counts are nearer"]
    return CONFIRMED, lines


def _known(words: Mapping[str, bool], key: str, value: str) -> bool:
    if value not in words:
        raise InputError(f"manifest.json: {key} must be one of {', '.join(map(repr, words))}; got {value!r}")
    return words[value]


def _parents(release: ReleasedFolder) -> Iterator[tuple[int, str]]:
    """Every node with children, with the level of these."""
    for level, nodes in enumerate(release.tree.levels[:-1], start=1):
        for node in nodes:
            yield level, node


def _checked_totals(release: ReleasedFolder) -> int:
    """How many numbers are kept, where the records keep them all."""
    compared = 0
    for one in release.kept:
        for node, values in one.values.items():
            sums: Counter[int] = Counter()
            for cell, count in release.counts[one.level][node].items():
                sums[int(one.answers[cell])] += count
            for answer, value in enumerate(values):
                if value is None:
                    continue
                compared += 1
                lower, upper = limits(one.sign, value)
                if (lower is not None and sums[answer] < lower) or (upper is not None and sums[answer] > upper):
                    raise UnconfirmedError(
                        f"{one.name} of {node}: the records must have {one.sign} {value}; they have {sums[answer]}"
                    )
    return compared


def _tables(release: ReleasedFolder) -> str:
    """How many records there are, and how many units."""
    units = f" and {release.manifest['units']['rows']} units" if release.kinds.counted_units is not None else ""
    return f"{release.manifest['file']['rows']} records{units}"


def _checked_homes(release: ReleasedFolder) -> int:
    """How many numbers of records are those of the units that they are, at each leaf."""
    kinds, units = release.kinds, release.kinds.counted_units
    if units is None:
        return 0
    at = list(kinds.attributes).index(units.of)
    for leaf in release.tree.levels[-1]:
        homes: Counter[str] = Counter()
        of_types: Counter[str] = Counter()
        for cell, count in release.counts[-1][leaf].items():
            values = kinds.values_of(cell)
            if cell < kinds.combinations:
                homes[values[at]] += count
            else:
                of_types[values[0]] += count
        for value, types in units.same.items():
            if homes[value] != (found := sum(of_types[one] for one in types)):
                raise UnconfirmedError(
                    f"{leaf} must have as many records that are {value} as units {', '.join(types)}; "
                    f"it has {homes[value]} and {found}"
                )
    return len(release.tree.levels[-1]) * len(units.same)


def _check_stated(release: ReleasedFolder) -> None:
    """Refuse constraints that are others than schema.toml states: what is no rule and no bound is kept exactly."""
    last, kinds = len(release.names) - 1, release.kinds
    at_leaves = {f"{rule}_con" for rule in kinds.rules}
    at_leaves |= {f"{kinds.units[0]}{bound}_con" for bound in BOUNDS} if kinds.units is not None else set()
    for kept in release.kept:
        if kept.level < last if kept.name in at_leaves else kept.sign != "=":
            raise UnconfirmedError(
                f"{kept.name} of {release.names[kept.level]} must be kept exactly, or be a rule or bound of schema.toml"
                f" at the leaves; it is {kept.sign}"
            )
    by_name = {one.name: one for one in release.kept if one.level == last}
    for name, (_, most) in kinds.rules.items():
        one = by_name.get(f"{name}_con")
        if one is None or any(values != [most] for values in one.values.values()) or one.sign == ">=":
            raise UnconfirmedError(f"{name}_con must be kept at every leaf, as schema.toml says; it is not")
    _check_units(release, by_name)


def _check_units(release: ReleasedFolder, by_name: Mapping[str, ReleasedAnswers]) -> None:
    """Refuse bounds that no units have, by what schema.toml says of the fewest and most records to a unit."""
    if release.kinds.units is None:
        return
    of, least, most = release.kinds.units
    lower, upper = (by_name.get(f"{of}{bound}_con") for bound in BOUNDS)
    if lower is None or upper is None or (lower.sign, upper.sign) != (">=", "<="):
        raise UnconfirmedError(f"{of} must be bounded at every leaf by its units, as schema.toml says; it is not")
    kinds = release.kinds.kinds_of(of)
    for leaf in release.tree.levels[-1]:
        for kind, low, high in zip(kinds, lower.values[leaf], upper.values[leaf], strict=True):
            fewest, largest = least.get(kind, 0), most.get(kind)
            if largest:
                units, rest = divmod(high or 0, largest)
                is_of_units = high is not None and rest == 0 and low == fewest * units
            else:  # no limit, or nobody at all: how many units there are is not to be seen
                is_of_units = high == largest and low is not None and (low % fewest == 0 if fewest else low == 0)
            if not is_of_units:
                raise UnconfirmedError(
                    f"{of} of {leaf}: {kind} must have the bounds of units with {fewest} to {largest} records; "
                    f"they are {low} to {high}"
                )


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + more


def _group(parent: str | None) -> str:
    return "the root" if parent is None else f"the children of {parent}"


def _nearer(
    release: ReleasedFolder, level: int, parent: str | None, question: NearestQuestion, found: NearnessFound
) -> str:
    """Other counts that are nearer, in words."""
    nodes = release.tree.levels[0] if parent is None else release.tree.children[parent]
    cells = range(release.kinds.size) if parent is None else sorted(release.counts[level - 1][parent])
    changed = []
    for place, (node, cell) in enumerate((node, cell) for node in nodes for cell in cells):
        if question.released[place] != found.nearer[place]:
            values = ", ".join(release.kinds.values_of(cell))
            changed.append(f"{node}, {values}: {found.nearer[place]} for {question.released[place]}")
    more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
    return (
        f"{_group(parent)} must have the nearest counts; others that meet every constraint have weighted squares "
        f"{found.loss} for {question.released_loss}: {'; '.join(changed[:_SHOWN])}{more}"
    )
