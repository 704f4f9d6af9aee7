"""The claims: every numbered statement and printed number that the ledger answers for, as printed.

One module for each part of the sources; each has a tuple `CLAIMS`. Ids are unique over all of them.
"""

from importlib import import_module
from pkgutil import iter_modules

from spec.arguments import InputError
from spec.claims.claim import Claim

__all__ = ["CLAIMS", "Claim", "claim"]


def _collect() -> tuple[Claim, ...]:
    found: list[Claim] = []
    for module in iter_modules(__path__):
        if module.name != "claim":
            found += import_module(f"{__name__}.{module.name}").CLAIMS
    ids = [one.id for one in found]
    for one in found:
        if ids.count(one.id) > 1:
            raise InputError(f"claim ids must be unique; {one.id} is used twice")
        if one.repairs is not None and one.repairs not in ids:
            raise InputError(f"{one.id} repairs {one.repairs!r}, which is no claim")
    return tuple(found)


CLAIMS: tuple[Claim, ...] = _collect()
"""All claims, part by part."""


def claim(claim_id: str) -> Claim:
    """The claim with this id.

    Raises:
        InputError: there is none.
    """
    for one in CLAIMS:
        if one.id == claim_id:
            return one
    raise InputError(f"no claim has the id {claim_id!r}")
