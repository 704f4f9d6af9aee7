"""Every key, section and name in a text of settings, and its misspellings."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

__all__ = ["Place", "misspelt", "misspelt_once", "places"]

KEYS: Mapping[str, str] = {
    "ini": r"(?m)^([A-Za-z][\w.]*)(?=[ \t]*[=:])|^\[([^\]\n]+)\]$",
    "toml": r'(?m)(?:^|[{,])[ \t]*"?([A-Za-z_][\w-]*)"?(?=[ \t]*=)|^\[+([\w.-]+)\]+',
    "json": r'"([^"\n]+)"(?=\s*:)',
    "yaml": r"(?m)^[ ]*([a-z_]+)(?=:)",
}
"""What the keys and sections of each form look like."""

NAMES: Mapping[str, str] = {
    "ini": r"(?<=[=,:*])[ \t]*([A-Za-z_]\w*)(?=[ \t]*(?:$|[,:*\n]))",
    "toml": r'(?:[=\[,][ \t]*)"([A-Za-z][\w-]*)"',
    "json": r'(?:[:\[,]\s*)"([A-Za-z]\w*)"(?!\s*:)',
    "yaml": r"(?!)",
}
"""What a value that is a name looks like."""


class Place(NamedTuple):
    """A word of a text."""

    start: int
    word: str

    def put(self, text: str, word: str) -> str:
        """The text with another word here."""
        return text[: self.start] + word + text[self.start + len(self.word) :]


def places(form: str, text: str, *, of_keys: bool) -> list[Place]:
    """The keys and sections of a text without its comments, or the names among its values."""
    bare = re.sub(r"#[^\n]*", lambda found: " " * len(found[0]), text) if form in ("ini", "toml") else text
    found = []
    for match in re.finditer((KEYS if of_keys else NAMES)[form], bare):
        group = next(number for number, word in enumerate(match.groups(), start=1) if word is not None)
        parts = match[group].split(".") if form == "toml" else [match[group]]
        start = match.start(group)
        for part in parts:
            found.append(Place(start, part))
            start += len(part) + 1
    return found


def misspelt(word: str) -> Iterator[str]:
    """The word with a letter dropped, doubled or swapped, in other case, as another number, with another mark."""
    middle = len(word) // 2
    found = [
        word[:middle] + word[middle + 1 :],
        word[1:],
        word[:middle] + word[middle] + word[middle:],
        word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :] if middle else word,
        word.upper(),
        word.capitalize(),
        word.removesuffix("s") if word.endswith("s") else word + "s",
        word.replace("s.", ".") if "s." in word else word.replace(".", "s."),
        word.replace(".", ""),
        word.replace("_", "-"),
        word.replace("_", ""),
        word.replace("-", "_"),
    ]
    yield from (one for one in dict.fromkeys(found) if one and one != word)


def misspelt_once(word: str, random: Random) -> str:
    """A random misspelling: one to two letters dropped, doubled, swapped, changed or in the other case."""
    letters = list(word)
    for _ in range(random.randint(1, 2)):
        place = random.randrange(len(letters))
        match random.randrange(5):
            case 0 if len(letters) > 1:
                del letters[place]
            case 1:
                letters.insert(place, letters[place])
            case 2 if place:
                letters[place - 1 : place + 1] = letters[place - 1 : place + 1][::-1]
            case 3:
                letters[place] = random.choice("abcdefghijklmnopqrstuvwxyz_")
            case _:
                letters[place] = letters[place].swapcase()
    return "".join(letters)
