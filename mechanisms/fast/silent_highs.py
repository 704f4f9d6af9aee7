"""A model of HiGHS that writes nothing: standard output belongs to what a command finds."""

from collections.abc import Mapping
from functools import cache
from typing import Any

_SILENT = "output_flag"


@cache
def _silent_class() -> Any:
    """`highspy.Highs` without the banner that its constructor writes where it turns the callbacks on."""
    import highspy  # noqa: PLC0415 an optional dependency; `nearest_point` says so where it is missing

    def turned_on(model: Any) -> None:
        model.setOptionValue(_SILENT, False)
        highspy.Highs.enableCallbacks(model)

    return type("SilentHighs", (highspy.Highs,), {"enableCallbacks": turned_on})


def silent_model(options: Mapping[str, bool | int | float] | None = None) -> Any:
    """An empty model with these options.

    >>> silent_model({"threads": 1}).getNumCol()
    0
    """
    model = _silent_class()()
    for option, value in {_SILENT: False, **(options or {})}.items():
        model.setOptionValue(option, value)
    return model
