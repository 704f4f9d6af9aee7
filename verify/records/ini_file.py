"""Settings in the .ini form: sections of `key = value` (or `key: value`) lines, read literally.

A key of [DEFAULT] stands in every other section that the file has, unless that section sets it itself. Nothing is
interpolated and nothing is included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from spec.arguments import InputError

__all__ = ["IniFile", "load_ini"]

_DEFAULT = "DEFAULT"
_SECTION = re.compile(r"\[([^\[\]]+)\]")
_SETTING = re.compile(r"([^=:]*[^=:\s])\s*[=:]\s*(.*)")


@dataclass(frozen=True)
class IniFile:
    """A parsed file.

    Attributes:
        place: what the file is called in messages.
        values: value by (section, key) as written.
        sections: the sections in order, those without keys among them.
        repeated: the (section, key) that stand more than once, all with the same value.
    """

    place: str
    values: Mapping[tuple[str, str], str]
    sections: tuple[str, ...]
    repeated: tuple[tuple[str, str], ...]

    def where(self, section: str, key: str) -> str:
        """The place of a key, for messages."""
        return f"{self.place}: [{self.holder(section, key)}] {key}"

    def holder(self, section: str, key: str) -> str:
        """The section that sets a key of this one: itself, or DEFAULT."""
        is_default = (section, key) not in self.values and section in self.sections and (_DEFAULT, key) in self.values
        return _DEFAULT if is_default else section

    def get(self, section: str, key: str) -> str | None:
        """The value of a key, or None."""
        return self.values.get((self.holder(section, key), key))

    def keys(self, section: str) -> tuple[str, ...]:
        """The keys of a section, those of DEFAULT last."""
        own = [key for holder, key in self.values if holder == section]
        given = [key for holder, key in self.values if holder == _DEFAULT and section in self.sections]
        return tuple(dict.fromkeys((*own, *given)))


def load_ini(place: str, text: str) -> IniFile:
    r"""The settings of an .ini text. A line that starts with a blank continues the value above it.

    Raises:
        InputError: a line is neither a section, `key = value`, a comment nor a continuation, a key stands before the
            first section, or a key stands twice in one section with different values.

    >>> load_ini("x.ini", "[budget]\nglobal_scale = 1/2").get("budget", "global_scale")
    '1/2'
    """
    section: str | None = None
    sections: dict[str, None] = {}
    written: dict[tuple[str, str], list[str]] = {}
    repeated: list[tuple[str, str]] = []
    last: tuple[str, str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content.replace("\t", " ").isprintable():
            raise InputError(f"{place}: line {number}: must hold printable characters only; got {content[:60]!r}")
        if not content or content[0] in "#;":
            continue
        if line[0] in " \t" and last is not None:
            written[last].append(content)
            continue
        if found := _SECTION.fullmatch(content):
            section, last = found[1].strip(), None
            sections[section] = None
            continue
        setting = _SETTING.fullmatch(content)
        if setting is None or section is None:
            expected = "a [section]" if section is None else "'key = value'"
            raise InputError(f"{place}: line {number}: must be {expected}; got {content[:60]!r}")
        last, value = (section, setting[1]), setting[2]
        if last in written:
            before = " ".join(written[last])
            if before != value:
                raise InputError(
                    f"{place}: line {number}: [{section}] {setting[1]} stands twice, with {before!r} and {value!r}"
                )
            repeated.append(last)
        written[last] = [value]
    if not written:
        raise InputError(f"{place}: must have sections with 'key = value' lines; it has none")
    values = {key: " ".join(lines) for key, lines in written.items()}
    return IniFile(place, values, tuple(sections), tuple(repeated))
