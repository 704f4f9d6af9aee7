"""The names in a schema of records: what refers to a value refers to one that is there."""

from collections.abc import Iterable, Mapping, Sequence

from stirred.spec.arguments import InputError, check_known

TOTAL, DETAILED = "total", "detailed"

_Values = Mapping[str, Sequence[str]]


def check_names(
    attributes: _Values,
    recodes: Mapping[str, tuple[str, _Values]],
    rules: Iterable[tuple[str, _Values]],
    units: tuple[str, Iterable[str], Iterable[str]] | None = None,
    measured: tuple[str, Sequence[str], str, _Values] | None = None,
) -> None:
    """Refuse names that are used twice or not known.

    Args:
        attributes: the values of each.
        recodes: by name the attribute, and the values of each group.
        rules: the name of each, and by attribute its values.
        units: that are kept exactly: the attribute or recode, and the types with fewest and with most records.
        measured: the column of units that are measured, its types, an attribute, and by value of this the types.
    """
    columns = dict(attributes)
    if measured is not None:
        column, types, of, same = measured
        if column in attributes:
            raise InputError(f"units: attribute must be no attribute of a record; got {column!r}")
        columns[column] = types
        _check_values("units", column, [kind for group in same.values() for kind in group], columns)
        _check_values("units", of, list(same), attributes)
        if set(same) != set(attributes[of]):
            raise InputError(f"units: same must name each value of {of}; it names {', '.join(same)}")
    for name in (*columns, *recodes):
        if name in (TOTAL, DETAILED) or "*" in name or (name in columns and name in recodes):
            raise InputError(f"an attribute or recode must have a unique name without '*'; got {name!r}")
    for name, (of, groups) in recodes.items():
        _check_values(f"recode {name}", of, [value for group in groups.values() for value in group], columns)
    for name, where in rules:
        for attribute, values in where.items():
            _check_values(f"rule {name}", attribute, values, attributes)
    if units is not None:
        kinds = {**attributes, **{name: tuple(groups) for name, (_, groups) in recodes.items()}}
        for limited in units[1:]:
            _check_values("units", units[0], list(limited), kinds)


def _check_values(what: str, attribute: str, values: Sequence[str], kinds: _Values) -> None:
    check_known(f"{what}: unknown attribute {attribute!r}", attribute, kinds)
    for value in values:
        check_known(f"{what}: {attribute} has no value {value!r}", value, kinds[attribute])
    if len(set(values)) != len(values):
        raise InputError(f"{what}: must name each value of {attribute} at most once")
