"""Settings in the .ini form: sections of `key = value` (or `key: value`) lines, read literally.

A key of [DEFAULT] stands in every other section that the file has, unless that section sets it itself. Letters of a
key may be large or small, as for the parser of the published code; those of a section may not. Nothing is interpolated
and nothing is included.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from stirred.spec.arguments import InputError

DEFAULT = "DEFAULT"
"""The section whose keys stand in every other one."""

_MOST_LINES = 2_000
_SECTION = re.compile(r"\[([^\[\]]+)\]")
_ASSIGNED = re.compile(r"[A-Za-z_][\w.]*\s*=")
_SETTING = re.compile(r"([^=:]*[^=:\s])\s*[=:]\s*(.*)")


@dataclass(frozen=True)
class IniFile:
    """A parsed file.

    Attributes:
        place: what the file is called in messages.
        values: value by (section, key) as written.
        repeated: the (section, key) that stand more than once, all with the same value.
        sections: the sections in order, those without keys among them.
    """

    place: str
    values: Mapping[tuple[str, str], str]
    repeated: tuple[tuple[str, str], ...]
    sections: tuple[str, ...]

    @cached_property
    def _spelled(self) -> Mapping[tuple[str, str], tuple[str, str]]:
        """The section and key as they are written, by the section and the key in small letters."""
        return {(section, key.lower()): (section, key) for section, key in self.values}

    def where(self, section: str, key: str) -> str:
        """The place of a key as the file spells it, for messages."""
        holder = self.holder(section, key)
        return f"{self.place}: [{holder}] {self._spelled.get((holder, key.lower()), (holder, key))[1]}"

    def holder(self, section: str, key: str) -> str:
        """The section that sets a key of this one: itself, or DEFAULT."""
        is_own = (section, key.lower()) in self._spelled
        is_default = not is_own and section in self.sections and (DEFAULT, key.lower()) in self._spelled
        return DEFAULT if is_default else section

    def get(self, section: str, key: str) -> str | None:
        """The value of a key, or None."""
        spelled = self._spelled.get((self.holder(section, key), key.lower()))
        return None if spelled is None else self.values[spelled]

    def keys(self, section: str) -> tuple[str, ...]:
        """The keys of a section, those of DEFAULT last."""
        own = [key for holder, key in self.values if holder == section]
        set_here = {key.lower() for key in own}
        given = [key for holder, key in self.values if holder == DEFAULT and section in self.sections]
        return (*own, *(key for key in given if key.lower() not in set_here))


def load_ini(place: str, text: str) -> IniFile:
    r"""The settings of an .ini text. A line that starts with a blank continues the value above it.

    Raises:
        InputError: a line is neither a section, `key = value`, a comment nor a continuation, a continuation is itself a
            section or `key = value`, a key stands before the first section, or a key stands twice in one section with
            different values.

    >>> load_ini("x.ini", "[budget]\nglobal_scale = 1/2").get("budget", "global_scale")
    '1/2'
    """
    section: str | None = None
    sections: dict[str, None] = {}
    written: list[tuple[int, tuple[str, str], list[str]]] = []
    last: tuple[str, list[str]] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        content, at = line.strip(), f"{place}: line {number}:"
        if not content.replace("\t", " ").isprintable():
            raise InputError(f"{at} must hold printable characters only; got {content[:60]!r}")
        if not content or content[0] in "#;":
            continue
        if line[0] in " \t" and last is not None:
            if _SECTION.fullmatch(content) or _ASSIGNED.match(content):
                raise InputError(
                    f"{at} begins with a blank, so it would continue the value of {last[0]}; "
                    f"take the blank away; got {content[:60]!r}"
                )
            last[1].append(content)
        elif found := _SECTION.fullmatch(content):
            section, last = found[1].strip(), None
            sections[section] = None
        else:
            setting = _SETTING.fullmatch(content)
            if setting is None or section is None:
                expected = "a [section]" if section is None else "'key = value'"
                raise InputError(f"{at} must be {expected}; got {content[:60]!r}")
            last = (setting[1], [setting[2]])
            written.append((number, (section, last[0]), last[1]))
    if (count := len(written) + len(sections)) > _MOST_LINES:
        raise InputError(f"{place}: must have at most {_MOST_LINES} keys and sections; it has {count}")
    if not written:
        raise InputError(f"{place}: must have sections with 'key = value' lines; it has none")
    return IniFile(place, *_values(place, written), tuple(sections))


def _values(
    place: str, written: Sequence[tuple[int, tuple[str, str], Sequence[str]]]
) -> tuple[Mapping[tuple[str, str], str], tuple[tuple[str, str], ...]]:
    """The value of each key as it is spelled first, and the keys that stand more than once."""
    values: dict[tuple[str, str], str] = {}
    spelled: dict[tuple[str, str], tuple[str, str]] = {}
    repeated: list[tuple[str, str]] = []
    for number, (section, key), parts in written:
        is_first = (section, key.lower()) not in spelled
        first, value = spelled.setdefault((section, key.lower()), (section, key)), " ".join(parts)
        if values.setdefault(first, value) != value:
            raise InputError(
                f"{place}: line {number}: [{section}] {key} stands twice, with {values[first]!r} and {value!r}"
            )
        if not is_first:
            repeated.append(first)
    return values, tuple(repeated)
