"""Tables of refusals: a module's rows of (call, message), and the one test that they need."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from stirred.spec import InputError


def each(call: Callable[[Any], Any], values: Sequence[Any], message: str) -> list[Any]:
    """Rows of a table: one call with each of some values, and one message."""
    shown = (re.sub(r" at 0x[0-9a-f]+", "", getattr(value, "__name__", repr(value))) for value in values)
    return [
        pytest.param(partial(call, value), message, id=f"{message}-{one}")
        for value, one in zip(values, shown, strict=True)
    ]


def check_refused(call: Callable[[], Any], message: str) -> None:
    """The call is refused in one line that matches the message."""
    with pytest.raises(InputError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)
