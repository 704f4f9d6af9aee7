"""Modules of foreign code for tests: written beside a claim file, and what the auditor says of them."""

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest
from claim_texts import SCHEMA, built, replaced

from stirred.spec import InputError
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.foreign import ForeignFunction, Limits

PUBLISHES = "def f(data, source):\n    return tuple(sorted(data))\n"
"""A mechanism that publishes its data."""

VOTES = ((("no",), ("no",)), (("no",), ("yes",)), (("yes",), ("yes",)))
"""The unordered data sets of two votes."""


def written(folder: Path, text: str, name: str = "foreign") -> Path:
    """The folder, with a module of this text in it."""
    (folder / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    return folder


def function_of(body: str, names: dict[str, Any], parameters: str = "data, source") -> Any:
    """The function with this body, as if it were written in the module of these globals."""
    text = f"def f({parameters}):\n{indent(dedent(body), '    ')}"
    exec(compile(text, names["__file__"], "exec"), names)  # noqa: S102 a text of the tests
    return names.pop("f")


def laws(
    folder: Path,
    text: str,
    points: tuple[Any, ...] = VOTES,
    *,
    is_ordered: bool = True,
    limits: Limits | None = None,
    **parameters: Any,
) -> ForeignLaws:
    """The laws of the function `f` of a module of this text."""
    where = "claim.toml: mechanism.function"
    function = ForeignFunction(where, "foreign:f", written(folder, text), None, limits or Limits(seconds=60))
    return function.laws(points, parameters, is_ordered=is_ordered)


def claim_text(function: str = "foreign:f", *changes: tuple[str, str]) -> str:
    """A claim on two votes whose mechanism is this function."""
    return replaced(SCHEMA, ('name = "identity"', f'function = "{function}"'), *changes)


def audited_module(folder: Path, text: str, *changes: tuple[str, str]) -> AuditRecord:
    """The audit of a claim on two votes whose mechanism is the function `f` of a module of this text."""
    return audit(built(written(folder, text), claim_text("foreign:f", *changes)))


def refusal(folder: Path, text: str, **more: Any) -> str:
    """The message, one line, that the function `f` of a module of this text gets."""
    with pytest.raises(InputError) as caught:
        laws(folder, text, **more)
    message = str(caught.value)
    assert "\n" not in message
    return message
