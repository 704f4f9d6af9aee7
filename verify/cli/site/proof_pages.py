"""The pages of the proofs: each theorem in words beside Coq, what it depends on, and who cites it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from stirred.verify.cli.site.coq_files import CoqFile, CoqItem, behind, coq_files, theorem_anchor, theorem_place
from stirred.verify.cli.site.entry import LedgerEntry
from stirred.verify.cli.site.ledger_pages import outcome_class
from stirred.verify.cli.site.page import Hit, SitePage
from stirred.verify.cli.site.source_pages import SourceFiles, highlighted
from stirred.verify.evidence.theorems import STATEMENTS, Theorem, theorems

# A layered dependency graph as SVG, from left to right: arrows lead from what is used to what uses it.

_LETTER, _HEIGHT, _GAP, _BETWEEN, _EDGE = 7, 24, 10, 70, 8


@dataclass(frozen=True)
class Node:
    """A box of a drawing: its text, its style class, and its link."""

    name: str
    look: str
    address: str


def reduced(edges: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """The transitive reduction of the edges, by each node to those that it uses.

    >>> reduced({"a": [], "b": ["a"], "c": ["a", "b"]})["c"]
    {'b'}
    """
    below: dict[str, set[str]] = {}

    def reach(name: str) -> set[str]:
        if name not in below:
            below[name] = set()  # a circle ends here
            found = {other for other in edges.get(name, ()) if other != name}
            below[name] = found.union(*map(reach, found))
        return below[name]

    return {
        name: {one for one in used if one != name and not any(one in reach(other) for other in used if other != one)}
        for name, used in edges.items()
    }


def drawing(nodes: Sequence[Node], edges: Mapping[str, Collection[str]], caption: str) -> Markup:
    """The nodes in layers, each to the right of all that it uses; the caption is for screen readers."""
    known = {node.name: node for node in nodes}
    used = reduced({name: [one for one in edges.get(name, ()) if one in known] for name in known})
    layers = _layers(used)
    places: dict[str, tuple[int, int, int]] = {}
    left = height = _EDGE
    for layer in layers:
        width = max(_LETTER * len(name) for name in layer) + 2 * _GAP
        for row, name in enumerate(layer):
            top = _EDGE + row * (_HEIGHT + _GAP)
            places[name] = (left, top, _LETTER * len(name) + 2 * _GAP)
            height = max(height, top + _HEIGHT + _EDGE)
        left += width + _BETWEEN
    lines = [_arrow(places[one], places[name]) for name, below in used.items() for one in sorted(below)]
    boxes = [_box(known[name], place) for name, place in places.items()]
    width = max(left - _BETWEEN + _EDGE, 2 * _EDGE)
    return Markup(
        '<svg class="layers" role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>'
    ).format(caption, width, height, width, height, Markup("").join([*lines, *boxes]))


def _layers(used: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The names by the longest chain below them, each layer ordered by the median row of what it uses."""
    depth: dict[str, int] = {}

    def deep(name: str) -> int:
        if name not in depth:
            depth[name] = 0
            depth[name] = 1 + max(map(deep, used[name]), default=-1)
        return depth[name]

    layers: list[list[str]] = [[] for _ in range(1 + max(map(deep, used), default=-1))]
    for name in used:
        layers[depth[name]].append(name)
    row: dict[str, int] = {}
    for layer in layers:
        layer.sort(key=lambda name: (_middle([row[one] for one in used[name]]), name))
        row.update({name: place for place, name in enumerate(layer)})
    return layers


def _middle(rows: Sequence[int]) -> int:
    return sorted(rows)[len(rows) // 2] if rows else 0


def _arrow(start: tuple[int, int, int], end: tuple[int, int, int]) -> Markup:
    x, y = start[0] + start[2], start[1] + _HEIGHT // 2
    to_x, to_y = end[0], end[1] + _HEIGHT // 2
    bend = (to_x - x) // 2
    return Markup('<path d="M{} {}C{} {} {} {} {} {}"/>').format(x, y, x + bend, y, to_x - bend, to_y, to_x, to_y)


def _box(node: Node, place: tuple[int, int, int]) -> Markup:
    return Markup(
        '<a href="{}"><rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="5"/><text x="{}" y="{}">{}</text></a>'
    ).format(node.address, node.look, place[0], place[1], place[2], _HEIGHT, place[0] + _GAP, place[1] + 16, node.name)


_STATEMENTS = "proofs/statements.html"
_MOST_NODES = 70
_LOOKS = {"closed": "closed", "classical reals": "classical", "": "plain"}


def proof_pages(found: Sequence[LedgerEntry], sources: SourceFiles) -> Iterator[SitePage]:
    """The index, the list of all theorems, and a page for each file."""
    by_id = {one.id: one for one in found}
    files = coq_files()
    users: dict[str, list[CoqFile]] = {}
    for file in files.values():
        for name in file.requires:
            users.setdefault(name, []).append(file)
    for file in files.values():
        yield _file_page(file, by_id, users.get(file.stem, []), sources)
        if file.is_compiled:
            yield from (_unfolded_page(item, by_id) for item in file.headlines)
    shown = [_theorem(one, by_id) for one in theorems().values()]
    hits = [Hit("All theorems", "section", "theorem statement Coq assumptions axioms")]
    if not files:
        hits += [_hit(one, by_id) for one in theorems().values()]
    yield SitePage(_STATEMENTS, "All theorems", "statements.html", {"theorems": shown, "files": files}, hits)
    yield _index(files, sources)


def _hit(one: Theorem, by_id: Mapping[str, LedgerEntry]) -> Hit:
    words = [*one.claims, one.assumptions, *(by_id[name].claim.statement for name in one.claims if name in by_id)]
    return Hit(one.name, "theorem", " ".join(words), one.name, "PROVED")


def _index(files: Mapping[str, CoqFile], sources: SourceFiles) -> SitePage:
    folders: dict[str, list[CoqFile]] = {}
    for file in files.values():
        folders.setdefault(file.folder, []).append(file)
    nodes = [Node(one.stem, _LOOKS[one.assumptions], one.path.removeprefix("proofs/")) for one in files.values()]
    picture = drawing(nodes, {one.stem: one.requires for one in files.values()}, "dependencies of the Coq files")
    parts = {
        "folders": folders,
        "picture": picture if files else "",
        "number": len(theorems()),
        "classical": sum(one.assumptions != "closed" for one in theorems().values()),
        "statements": sources.page("proofs/Statements.v") if STATEMENTS.parent.name == "proofs" else "",
    }
    hit = Hit("The proofs", "section", "Coq theorem axioms assumptions dependency graph")
    return SitePage("proofs/index.html", "The proofs", "proofs.html", parts, [hit])


def _theorem(one: Theorem, by_id: Mapping[str, LedgerEntry]) -> Mapping[str, Any]:
    return {
        "name": one.name,
        "assumptions": one.assumptions,
        "statement": highlighted(f"Theorem {one.name} :\n  {one.statement}.", "coq"),
        "claims": [(name, by_id.get(name)) for name in one.claims],
        "place": theorem_place(one.name),
    }


def _file_page(
    file: CoqFile, by_id: Mapping[str, LedgerEntry], users: Sequence[CoqFile], sources: SourceFiles
) -> SitePage:
    home = {item.name: one for one in coq_files().values() for item in one.items}
    headlines = [
        {
            **_theorem(theorems()[item.name], by_id),
            "item": item,
            "unfolded": _unfolded(item.name) if file.is_compiled else "",
            "rests": [(name, home[name]) for name in sorted(item.uses) if name in home],
        }
        for item in file.headlines
    ]
    parts = {
        "file": file,
        "requires": [coq_files()[name] for name in file.requires],
        "users": users,
        "headlines": headlines,
        "source": sources.page(file.place),
        "picture": _picture(file, home) if file.is_compiled and file.items else "",
        "outcome": outcome_class,
    }
    hits = [Hit(f"{file.stem}.v", "Coq file", file.header)]
    hits += [_hit(theorems()[item.name], by_id) for item in file.headlines]
    for item in file.items:
        sources.page(file.place, item.line)
    defined = [item for item in file.items if item.is_definition]
    hits += [Hit(item.name, "Coq definition", file.stem, f"d-{item.name}") for item in defined]
    return SitePage(file.path, f"{file.stem}.v", "coq_file.html", parts, hits)


def _unfolded_page(item: CoqItem, by_id: Mapping[str, LedgerEntry]) -> SitePage:
    """A theorem with all definitions that its statement is read through."""
    definitions = [(home, one, highlighted(one.text, "coq")) for home, one in behind(item.name)]
    parts = {**_theorem(theorems()[item.name], by_id), "definitions": definitions, "outcome": outcome_class}
    return SitePage(_unfolded(item.name), f"{item.name}, unfolded", "unfolded.html", parts)


def _unfolded(name: str) -> str:
    return f"proofs/unfolded/{name}.html"


def _picture(file: CoqFile, home: Mapping[str, CoqFile]) -> Any:
    """The dependencies of the file's theorems, through its lemmas, on its definitions and other files' theorems."""
    items = {item.name: item for item in file.items}

    def shows(name: str) -> bool:
        if name in items:
            return items[name].is_definition or items[name].is_headline
        return name in theorems()

    def reached(item: CoqItem, seen: set[str]) -> set[str]:
        out = set()
        for name in item.uses - seen:
            seen.add(name)
            if shows(name):
                out.add(name)
            elif name in items:
                out |= reached(items[name], seen)
        return out

    edges = {item.name: reached(item, {item.name}) for item in file.items if shows(item.name)}
    names = dict.fromkeys([*edges, *(name for used in edges.values() for name in sorted(used))])
    if not file.headlines or len(names) > _MOST_NODES:
        names = {name: None for name in names if name in theorems()}
    if not names:
        return ""
    up = "../" * file.path.count("/")
    nodes = [
        Node(
            name,
            _LOOKS[theorems()[name].assumptions] if name in theorems() else "definition",
            f"{'' if name in items else up + home[name].path}#{theorem_anchor(name)}",
        )
        for name in names
        if name in home
    ]
    return drawing(nodes, edges, f"dependencies of the theorems of {file.stem}.v")
