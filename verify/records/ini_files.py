"""Several .ini files of settings that are read together: of each key the first file that sets it counts."""

from collections.abc import Iterator, Sequence

from stirred.spec.arguments import InputError
from stirred.verify.files.bounded_file import read_text
from stirred.verify.records.ini_file import IniFile, load_ini
from stirred.verify.records.ini_keys import KnownKeys


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
        """The value of a key and its place, or None.

        Raises:
            InputError: a comment stands behind the value.
        """
        file = self.holder(section, key)
        if file is None:
            return None
        text, place = str(file.get(section, key)), file.where(section, key)
        if "#" in text or ";" in text:
            raise InputError(f"{place}: must have no comment behind its value: a comment has a line of its own")
        return text, place

    def required(self, section: str, key: str) -> tuple[str, str]:
        """The value of a key, and its place.

        Raises:
            InputError: no file has it, or a comment stands behind it.
        """
        found = self.get(section, key)
        if found is None:
            raise InputError(f"{', '.join(file.place for file in self.files)}: [{section}] {key}: missing key")
        return found

    def unused(self, known: KnownKeys) -> tuple[str, ...]:
        """Every key that is not read, and every one that an earlier file sets otherwise, sorted.

        Raises:
            InputError: a key is refused.
        """
        return tuple(sorted(set(self._unused(known)), key=str.lower))

    def _unused(self, known: KnownKeys) -> Iterator[str]:
        for index, file in enumerate(self.files):
            unread = set(known.unread(file, is_complete=True))
            yield from (f"[{section}] {key}" for section, key in unread)
            for (section, key), value in file.values.items():
                earlier = [one for one in self.files[:index] if one.get(section, key) not in (None, value)]
                if earlier and (section, key) not in unread:
                    yield f"[{section}] {key} of {file.place}: {earlier[0].place} sets it"
