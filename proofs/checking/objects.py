"""What the kernel holds of each theory, and which of our own objects the statements unfold to.

The list comes from the compiled theories (``Print Module``), not from their text: a constant is there however it was
made, as a definition, a lemma closed by ``Defined``, an instance, or a field. Each is printed with nothing left
implicit and every name with its file, so that the text stays the same only if the meaning does.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .coq import answers, flat, without_arguments
from .layout import LIBRARY, STATEMENTS, CheckError, module_of, theories
from .sources import split_sentences
from .statements import restated

_TRANSPARENT = "Definition"
_OPAQUE = "Parameter"
_INDUCTIVE = ("Inductive", "Variant", "Record", "CoInductive")
EXPLICIT = "Set Printing All. {query} Unset Printing All."


@dataclass(frozen=True)
class Object:
    """A constant or an inductive type: its file and name, together its title; its kind; how Coq prints it in full.

    An opaque constant is printed by its type, for nothing else of it can be used.
    """

    title: str
    file: str
    name: str
    kind: str
    explicit: str


def check_meaning(copy: Path) -> str:
    """Hold the statements, and all that they are read through, to the digest in the page.

    Raises:
        CheckError: with the digest of the definitions as they are.
    """
    page = copy / "checking" / STATEMENTS
    behind = Behind(copy, page)
    committed = re.findall(r"^\(\* definitions: ([0-9a-f]{64}) +\*\)$", page.read_text(encoding="ascii"), flags=re.M)
    if committed != [behind.digest]:
        raise CheckError(
            f"{STATEMENTS}: a statement, or a definition behind one, is not what it was; its digest: {behind.digest}"
        )
    found = f"{len(behind.titles)} definitions and {len(behind.notations)} notations"
    return f"meaning: {found} behind the statements, as committed"


def shown_definitions(root: Path) -> str:
    """A line for each definition and notation behind the statements, with the file that it stands in; their digest."""
    behind = Behind(root, root / STATEMENTS)
    places = {path.stem: path.relative_to(root) for path in theories(root)}
    lines = [f"{places[each.partition('.')[0]]}: {each.partition('.')[2]}" for each in behind.titles]
    return "\n".join([*lines, *behind.notations, f"definitions: {behind.digest}"])


def _listed(root: Path) -> list[tuple[str, str, str]]:
    """File, kind and name of every object, in the order of the files."""
    files = theories(root)
    printed = answers(root, [f"Set Short Module Printing. Print Module {module_of(root, path)}." for path in files])
    found = []
    for stem, text in zip((path.stem for path in files), printed, strict=True):
        words = text.split()
        if words[:4] != ["Module", stem, ":=", "Struct"] or words[-1] != "End" or len(words) % 2 == 0:
            raise CheckError(f"{stem}.v: the list of its objects is not understood: {flat(text)[:200]}")
        for kind, name in zip(words[4:-1:2], words[5:-1:2], strict=True):
            if kind not in (_TRANSPARENT, _OPAQUE, *_INDUCTIVE):
                raise CheckError(f"{stem}.v: {kind} {name}: is neither a constant nor an inductive type")
            found.append((stem, kind, name))
    return found


def _refuse_shared_names(listed: list[tuple[str, str, str]]) -> None:
    """Refuse a name of two theories: the one imported last would stand for the other."""
    homes: dict[str, list[str]] = {}
    for stem, _, name in listed:
        homes.setdefault(name, []).append(f"{stem}.v")
    shared = [f"{name}: {' and '.join(stems)} both define it; rename one" for name, stems in homes.items() if stems[1:]]
    if shared:
        raise CheckError("\n".join(shared))


def _refuse_shared_files(root: Path) -> None:
    """Refuse a theory with the name of a file of the libraries: their objects would be named alike."""
    (loaded,) = answers(root, ["Print Libraries."])
    ours = {module_of(root, path): path.stem for path in theories(root)}
    for library in set(re.findall(r"^\s+([\w.]+)$", loaded, flags=re.M)) - set(ours):
        if (name := library.rsplit(".", 1)[-1]) in ours.values():
            raise CheckError(f"{name}.v: has the name of a file of the libraries, {library}")


class Objects:
    """Every constant and inductive type of the theories, by title and in the order of the files.

    Raises:
        CheckError: two theories define one name, or Coq's answer is not understood.
    """

    def __init__(self, root: Path) -> None:
        listed = _listed(root)
        _refuse_shared_names(listed)
        _refuse_shared_files(root)
        modules = {path.stem: module_of(root, path) for path in theories(root)}
        queries = [
            EXPLICIT.format(query=f"{'Check @' if kind == _OPAQUE else 'Print '}{modules[stem]}.{name}.")
            for stem, kind, name in listed
        ]
        self._stems = tuple(modules)
        self.by_title: dict[str, Object] = {}
        for (stem, kind, name), printed in zip(listed, answers(root, queries), strict=True):
            title = f"{stem}.{name}"
            self.by_title[title] = Object(title, stem, name, kind, without_arguments(printed))
        self._uses = {each.title: self._named(each.explicit) for each in self.by_title.values()}

    def _named(self, printed: str) -> set[str]:
        """The titles of our objects that a printed term names, in full or in short; a constructor is its type."""
        stems = "|".join(self._stems)
        found = set()
        for title in set(re.findall(rf"(?<![\w.'])(?:{LIBRARY}\.)?(?:[a-z]\w*\.)?((?:{stems})\.[\w']+)", printed)):
            found.add(title if title in self.by_title else self._type_of(title))
        return found

    def _type_of(self, constructor: str) -> str:
        file, _, name = constructor.partition(".")
        types = [
            each.title
            for each in self.by_title.values()
            if each.file == file
            and each.kind in _INDUCTIVE
            and re.search(rf"(?<![\w.']){re.escape(name)} (?:\{{|:)", each.explicit)
        ]
        if len(types) != 1:
            raise CheckError(f"{constructor}: is neither an object nor a constructor of one type of {file}.v")
        return types[0]

    def behind(self, names: Sequence[str]) -> list[str]:
        """The titles of our objects that theorems of these names depend on, through any number of others, sorted."""
        stated = {each.title for each in self.by_title.values() if each.name in names}
        reached: set[str] = set()
        waiting = set().union(*(self._uses[title] for title in stated))
        while waiting:
            reached |= waiting
            waiting = set().union(*(self._uses[each] for each in waiting)) - reached
        return sorted(reached - stated)


class Behind:
    """What the theorems of a page are read through: the definitions below them, and the notations of the theories.

    Attributes:
        titles: of our objects that the theorems depend on.
        notations: those of the theories that the page can import, as they are written.
        digest: the SHA-256 digest of these, and of the theorems and their parts, as Coq prints them in full.
    """

    def __init__(self, root: Path, page: Path) -> None:
        objects = Objects(root)
        parts = {one.name: one.part for one in restated(page)}
        self.titles = objects.behind([*parts])
        self.notations = [
            f"{path.relative_to(root)}: {each.text}"
            for path in theories(root)
            for each in split_sentences(path)
            if each.text.startswith("Notation ")
        ]
        restating = [each for each in objects.by_title.values() if each.name in parts]
        stated = [f"part {parts[each.name]}: {each.title}: {each.explicit}" for each in restating]
        defined = [f"{title}: {objects.by_title[title].explicit}" for title in self.titles]
        text = "\n".join([*sorted(stated), *defined, *self.notations])
        self.digest = hashlib.sha256(text.encode()).hexdigest()
