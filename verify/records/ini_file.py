"""Settings in the .ini form: sections of `key = value` (or `key: value`) lines, read literally.

Nothing is interpolated and nothing is included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from spec.arguments import InputError

__all__ = ["IniFile", "load_ini"]

_SECTION = re.compile(r"\[([^\[\]]+)\]")
_SETTING = re.compile(r"([^=:]*[^=:\s])\s*[=:]\s*(.*)")


@dataclass(frozen=True)
class IniFile:
    """A parsed file.

    Attributes:
        place: what the file is called in messages.
        values: value by (section, key); keys are as written.
        repeated: the (section, key) that stand more than once, all with the same value.
    """

    place: str
    values: Mapping[tuple[str, str], str]
    repeated: tuple[tuple[str, str], ...]

    def where(self, section: str, key: str) -> str:
        """The place of a key, for messages."""
        return f"{self.place}: [{section}] {key}"

    def get(self, section: str, key: str) -> str | None:
        """The value of a key, or None."""
        return self.values.get((section, key))

    def sections(self) -> tuple[str, ...]:
        """The sections that have keys, in order."""
        return tuple(dict.fromkeys(section for section, _ in self.values))


def load_ini(place: str, text: str) -> IniFile:
    r"""The settings of an .ini text. A line that starts with a blank continues the value above it.

    Raises:
        InputError: a line is neither a section, `key = value`, a comment nor a continuation, a key stands before the
            first section, or a key stands twice in one section with different values.

    >>> load_ini("x.ini", "[budget]\nglobal_scale = 1/2").get("budget", "global_scale")
    '1/2'
    """
    section: str | None = None
    values: dict[tuple[str, str], str] = {}
    repeated: list[tuple[str, str]] = []
    last: tuple[str, str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content.replace("\t", " ").isprintable():
            raise InputError(f"{place}: line {number}: must hold printable characters only; got {content[:60]!r}")
        if not content or content[0] in "#;":
            continue
        if line[0] in " \t" and last is not None:
            values[last] = f"{values[last]} {content}"
            continue
        if found := _SECTION.fullmatch(content):
            section, last = found[1].strip(), None
            continue
        setting = _SETTING.fullmatch(content)
        if setting is None or section is None:
            expected = "a [section]" if section is None else "'key = value'"
            raise InputError(f"{place}: line {number}: must be {expected}; got {content[:60]!r}")
        last, value = (section, setting[1]), setting[2]
        if last in values:
            if values[last] != value:
                raise InputError(
                    f"{place}: line {number}: [{section}] {setting[1]} stands twice, "
                    f"with {values[last]!r} and {value!r}"
                )
            repeated.append(last)
        values[last] = value
    if not values:
        raise InputError(f"{place}: must have sections with 'key = value' lines; it has none")
    return IniFile(place, values, tuple(repeated))
