"""Settings in the .ini form: sections of `key = value` (or `key: value`) lines, read literally.

A key of [DEFAULT] stands in every other section that the file has, unless that section sets it itself. Letters of a
key may be large or small, as for the parser of the published code; those of a section may not. Nothing is interpolated
and nothing is included.

Every key is read, named as not used, or refused with the nearest known one. Of several files that are read together
the first one that sets a key counts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from stirred.spec.arguments import InputError, nearest
from stirred.verify.evidence.files.bounded_file import read_text

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
        raise InputError(f"{place}: has no sections with 'key = value' lines")
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
                f"{place}: line {number}: [{section}] {key} is set twice, to {values[first]!r} and {value!r}"
            )
        if not is_first:
            repeated.append(first)
    return values, tuple(repeated)


INCLUDE = "INCLUDE"
"""The key that names another file; nothing is included by itself."""

_NEAR, _ALIKE = Fraction(3, 5), Fraction(4, 5)
"""How like a name another one must be that is taken for its misspelling; for the latter, where any name may stand."""

_MOST_SHOWN = 16
"""How many known keys a message lists."""


@dataclass(frozen=True)
class KnownKeys:
    """The keys of one kind of settings, by section.

    Attributes:
        read: those that decide what is promised.
        unused: those that decide nothing that is promised, and are not read.
        free: sections of which nothing is read, whatever their keys.
    """

    read: Mapping[str, Sequence[str]]
    unused: Mapping[str, Sequence[str]]
    free: Sequence[str] = ()

    @cached_property
    def _read(self) -> Mapping[str, Sequence[str]]:
        """The sections that have a key that is read, by the key in small letters."""
        found: dict[str, list[str]] = {}
        for section, keys in self.read.items():
            for key in keys:
                found.setdefault(key.lower(), []).append(section)
        return found

    @cached_property
    def _unused(self) -> frozenset[tuple[str, str]]:
        return frozenset((section, key.lower()) for section, keys in self.unused.items() for key in keys)

    @cached_property
    def _named(self) -> re.Pattern[str]:
        """A key of several words that is read, as the start of another line that was drawn into a value."""
        names = "|".join(re.escape(key) for key in self._read if "_" in key or "." in key)
        return re.compile(rf"(?i)(?<![\w.])(?:{names})\s*[=:]")

    @cached_property
    def _sections(self) -> Sequence[str]:
        return list(dict.fromkeys((*self.read, *self.unused, *self.free, DEFAULT)))

    def is_read(self, ini: IniFile, section: str, key: str) -> bool:
        """Whether a key is read where it stands; one of DEFAULT, in whichever section takes it from there."""
        sections = self._read.get(key.lower(), ())
        return any(holder == section or ini.holder(holder, key) == section for holder in sections)

    def unread(self, ini: IniFile, *, is_complete: bool) -> Iterator[tuple[str, str]]:
        """The (section, key) that are not read, in order.

        Where the known keys are not all that there are (`is_complete`), a key that is like none of them is not read.
        """
        for section in ini.sections:
            if section not in self._sections:
                self._refuse_section(ini, section, is_complete=is_complete)
        for (section, key), value in ini.values.items():
            if self.is_read(ini, section, key):
                continue
            if key.lower() != INCLUDE.lower() and not self._is_unused(section, key):
                self._refuse_key(ini, section, key, is_complete=is_complete and section not in self.free)
            if drawn := self._named.search(value):
                raise InputError(
                    f"{ini.where(section, key)}: its value must not hold another key; it holds {drawn[0]!r}"
                )
            yield section, key

    def _is_unused(self, section: str, key: str) -> bool:
        if section == DEFAULT:
            return any((holder, key.lower()) in self._unused for holder in self.unused)
        return (section, key.lower()) in self._unused

    def _refuse_section(self, ini: IniFile, section: str, *, is_complete: bool) -> None:
        near = nearest(section, self._sections, likeness=_NEAR if is_complete else _ALIKE)
        if near is not None:
            raise InputError(f"{ini.place}: [{section}]: unknown section; did you mean [{near}]?")
        if is_complete:
            known = ", ".join(f"[{one}]" for one in self.read)
            raise InputError(f"{ini.place}: [{section}]: unknown section; those that are read are {known}")

    def _refuse_key(self, ini: IniFile, section: str, key: str, *, is_complete: bool) -> None:
        """Refuse a key that stands in the wrong section, is nearly a known one, or is none of the known ones."""
        place = ini.where(section, key)
        if section != DEFAULT and (elsewhere := self._read.get(key.lower())):
            raise InputError(f"{place}: belongs to [{elsewhere[0]}]; it is not read in [{section}]")
        if elsewhere := self._read.get(key.lower()):
            raise InputError(f"{place}: is read in [{elsewhere[0]}], which this file has not; write it there")
        here = [one for keys in (self.read, self.unused) for one in keys.get(section, ())]
        if is_complete and (near := nearest(key, here)) is not None:
            raise InputError(f"{place}: unknown key; did you mean {near!r}?")
        decisive = [one for keys in self.read.values() for one in keys]
        if (near := nearest(key, [*decisive, INCLUDE], likeness=_ALIKE)) is not None:
            raise InputError(f"{place}: unknown key; did you mean {self._full(near)}?")
        if is_complete:
            known = f"known: {', '.join(here)}" if len(here) <= _MOST_SHOWN else "no published setting has one like it"
            raise InputError(f"{place}: unknown key; {known}")

    def _full(self, key: str) -> str:
        return " or ".join(f"[{section}] {key}" for section in self._read.get(key.lower(), ())) or repr(key)


class IniFiles:
    """Files of settings.

    Args:
        paths: the first one that sets a key counts.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.files = tuple(load_ini(path, read_text(path)) for path in paths)

    def holder(self, section: str, key: str) -> IniFile | None:
        """The file that sets a key."""
        return next((file for file in self.files if file.get(section, key) is not None), None)

    def get(self, section: str, key: str) -> tuple[str, str] | None:
        """The value of a key and its place, or None."""
        file = self.holder(section, key)
        if file is None:
            return None
        text, place = str(file.get(section, key)), file.where(section, key)
        if "#" in text or ";" in text:
            raise InputError(f"{place}: must have no comment behind its value: a comment has a line of its own")
        return text, place

    def required(self, section: str, key: str) -> tuple[str, str]:
        """The value of a key, and its place."""
        found = self.get(section, key)
        if found is None:
            raise InputError(f"{', '.join(file.place for file in self.files)}: [{section}] {key}: missing key")
        return found

    def unused(self, known: KnownKeys) -> tuple[str, ...]:
        """Every key that is not read, and every one that an earlier file sets otherwise, sorted."""
        return tuple(sorted(set(self._unused(known)), key=str.lower))

    def _unused(self, known: KnownKeys) -> Iterator[str]:
        for index, file in enumerate(self.files):
            unread = set(known.unread(file, is_complete=True))
            yield from (f"[{section}] {key}" for section, key in unread)
            for (section, key), value in file.values.items():
                earlier = [one for one in self.files[:index] if one.get(section, key) not in (None, value)]
                if earlier and (section, key) not in unread:
                    yield f"[{section}] {key} of {file.place}: {earlier[0].place} sets it"
