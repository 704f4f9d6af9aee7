"""The roles of a table's columns in a swap."""

from collections.abc import Sequence
from dataclasses import dataclass

from stirred.spec.arguments import InputError

COUNT = "count"
"""The column of the released table that says how many records a cell holds."""


@dataclass(frozen=True)
class Roles:
    """The partition of a table's columns.

    Attributes:
        matching: V_Match; may be empty, and then there is one stratum.
        holding: V_Hold without V_Match.
        swapping: V_Swap.
        identifier: what the records are ordered by; the place in the input where there is none.
        count: how many records a line stands for; a line is one record where there is none.
        carried: the others, which stand in no table and stay with their record.
    """

    matching: tuple[str, ...]
    holding: tuple[str, ...]
    swapping: tuple[str, ...]
    identifier: str | None = None
    count: str | None = None
    carried: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The variables of the table, in the order of the output."""
        return (*self.matching, *self.holding, *self.swapping)


def assign_roles(
    place: str,
    names: Sequence[str],
    *,
    matching: Sequence[str],
    swapping: Sequence[str],
    holding: Sequence[str] | None = None,
    identifier: str | None = None,
    count: str | None = None,
) -> Roles:
    """The roles of the columns with these names; those without another one are held, unless it is said which are.

    >>> assign_roles("homes.csv", ["size", "tenure", "county"], matching=["size"], swapping=["county"]).holding
    ('tenure',)
    """
    for name in names:
        if not name.isprintable():
            raise InputError(f"{place}: line 1 must hold printable characters only; got the column {name!r}")
    if len(set(names)) != len(names):
        raise InputError(f"{place}: line 1 must name each column once; got {','.join(names)}")
    singles = [name for name in (identifier, count) if name is not None]
    named = [*matching, *swapping, *(holding or ()), *singles]
    for name in named:
        if name not in names:
            raise InputError(f"{place}: line 1 must have the column {name!r}; it has {', '.join(names)}")
        if named.count(name) > 1:
            raise InputError(f"the column {name!r} must have one role; it has two")
    if not swapping:
        raise InputError("--swap must name at least one column; got none")
    if COUNT in names and count != COUNT:
        raise InputError(f"{place}: line 1: the column 'count' must be renamed, or be --count: the output has its own")
    others = tuple(name for name in names if name not in named)
    held = others if holding is None else tuple(holding)
    if not held:
        raise InputError(
            f"{place}: must have a column besides {', '.join(named)}: without one, swapping changes nothing"
        )
    return Roles(tuple(matching), held, tuple(swapping), identifier, count, () if holding is None else others)
