"""An object of a library as a mechanism with its own claim, whichever library it is from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from stirred.spec.arguments import InputError

ADAPTERS: Mapping[str, str] = {"opendp": "opendp_measurement", "diffprivlib": "diffprivlib_mechanism"}
"""The module here that reads the objects of a library."""


@dataclass(frozen=True)
class LibraryObject:
    """A mechanism of a library, with what the library says of it.

    Attributes:
        title: the library with its version, and the mechanism.
        call: the mechanism, of a data set; it draws its own randomness.
        output: the output premetric, as `stirred.estimate` has it.
        budget: its keywords: epsilon with delta where that is above 0, or rho; texts of the exact decimals that the
            library prints.
        pairs: data sets at the input distance that the budget is for, where the object's domain and metric give some.
    """

    title: str
    call: Callable[[Any], Any]
    output: str
    budget: Mapping[str, str]
    pairs: tuple[tuple[Any, Any], ...] = ()


def library_object(candidate: object, d_in: Any = 1) -> LibraryObject | None:
    """The mechanism that an object of a known library is; None for anything else. No library is loaded.

    >>> library_object(len) is None
    True
    """
    root = (type(candidate).__module__ or "").partition(".")[0]
    if root not in ADAPTERS:
        return None
    read: Callable[[Any, Any], LibraryObject | None] = import_module(f"{__package__}.{ADAPTERS[root]}").read
    return read(candidate, d_in)


def version_of(distribution: str) -> str:
    """The installed version."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise InputError(f"{distribution} is not installed: pip install 'stirred[libraries]'") from None
