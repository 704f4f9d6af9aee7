"""The committed files: every claim with what it means, rests on and unfolds to, and every definition behind the claims.

A claim is a ``Theorem``, or an ``Example`` whose name ends in ``_refuted``. Its block in ``statements.txt`` is
``Theorem <file>.<name>``, then

- ``assumptions:`` ``closed`` or the axioms;
- ``explicit:`` the digest of the statement as Coq prints it with nothing left implicit and every name with its file;
- ``meaning:`` the digest of that and of all that it unfolds to;
- ``instance:`` where the premises are met: the name of a checked instance, ``no premises``, or ``none``;
- ``unfolds to:`` our own definitions that the statement depends on, through any number of others;
- ``statement:`` the statement for reading, on indented lines.

``definitions.txt`` has a block for each object that a statement unfolds to, with the digest of how it is printed in
full and its body for reading (an opaque lemma has its statement); for each file the transparent constants that no
statement unfolds to, with their digests; and the notations, which the readable texts are written in.

``counts.txt`` holds what a program of the theories computes (`counts`).
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from checking.axioms import assumptions_of
from checking.coq import answers, flat, without_arguments
from checking.counts import counts_texts
from checking.instances import instances_of
from checking.layout import LIBRARY, ROOT, CheckError, files, full_name
from checking.objects import Object, Objects, digest
from checking.sources import imports, named, notations, over_algebra, over_reals

_CLAIM = r"(?:Theorem|Example(?= \w*_refuted\b))"
_ALGEBRA = "From mathcomp Require Import all_ssreflect all_fingroup all_algebra."
_REALS = "From Coq Require Import ZArith Reals ssreflect ssrfun ssrbool."
_SHOWN = 80


def claims() -> list[str]:
    """The titles of the claims, in the order of the files."""
    return [f"{path.stem}.{name}" for path in files() for name in named(path, _CLAIM)]


def committed_texts() -> Mapping[str, str]:
    """What the committed files must hold, by file name.

    Raises:
        CheckError: a claim is no object of its file, or rests on an axiom that ``axioms.txt`` does not allow there.
    """
    objects = Objects()
    stated = claims()
    for title in stated:
        if title not in {each.title for each in objects}:
            raise CheckError(f"{title}: is stated in the source, but the compiled theory has no such constant")
    assumptions = assumptions_of(stated)
    instances = instances_of(stated, objects)
    needed = {each for title in stated for each in objects.under(title)} - set(stated)
    readable = _readable([objects[title] for title in stated] + [each for each in objects if each.title in needed])
    statements = [_statement(objects, title, assumptions[title], instances[title], readable[title]) for title in stated]
    return {
        **counts_texts(),
        "definitions.txt": "\n".join(_definitions(objects, needed, readable)),
        "statements.txt": "\n".join(statements),
    }


def _statement(objects: Objects, title: str, assumptions: str, instance: str, readable: str) -> str:
    statement, behind = objects[title].explicit, objects.under(title)
    meaning = digest("\n".join([statement, *(f"{each}: {objects[each].explicit}" for each in behind)]))
    unfolds = f"unfolds to:\n{_wrap(' '.join(behind))}\n" if behind else ""
    return (
        f"Theorem {title}\nassumptions: {assumptions}\nexplicit: {digest(statement)}\nmeaning: {meaning}\n"
        f"instance: {instance}\n{unfolds}statement:\n{_wrap(readable)}\n"
    )


def _definitions(objects: Objects, needed: set[str], readable: Mapping[str, str]) -> Iterator[str]:
    for path in files():
        own = [each for each in objects if each.file == path.stem]
        for each in own:
            if each.title in needed:
                kind = each.kind if each.kind != "Parameter" else "Lemma"
                yield f"{kind} {each.title}\nexplicit: {digest(each.explicit)}\nbody:\n{_wrap(readable[each.title])}\n"
        others = [each for each in own if each.transparent and each.title not in needed]
        if others:
            lines = "\n".join(f"  {each.name} {digest(each.explicit)}" for each in others)
            yield f"In no statement {path.stem}\n{lines}\n"
        for notation in notations(path):
            yield f"Notation {path.stem}\n{_wrap(notation)}\n"


def _readable(shown: Sequence[Object]) -> Mapping[str, str]:
    """How Coq prints each object with the notations of its file; two files at a time."""
    groups = [[each for each in shown if each.file == path.stem] for path in files()]
    texts: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=2) as pool:
        for found in pool.map(_readable_in_file, [group for group in groups if group]):
            texts |= found
    return texts


def _readable_in_file(group: Sequence[Object]) -> dict[str, str]:
    path = next(path for path in files() if path.stem == group[0].file)
    libraries, scope = [_ALGEBRA], "ring_scope"
    if over_reals(path):
        libraries, scope = [_REALS, *([_ALGEBRA] if over_algebra(path) else [])], "R_scope"
    preamble = [*libraries, f"From {LIBRARY} Require Import {' '.join(imports(path))}.", f"Open Scope {scope}."]
    opaque = [each.kind == "Parameter" for each in group]
    queries = [
        f"{'Check @' if hidden else 'Print '}{full_name(each.title)}."
        for each, hidden in zip(group, opaque, strict=True)
    ]
    found = {}
    for each, hidden, printed in zip(group, opaque, answers(preamble, queries), strict=True):
        found[each.title] = flat(printed).split(" : ", 1)[1] if hidden else without_arguments(printed)
    return found


def _wrap(text: str) -> str:
    """Indent a text on lines of at most 100 characters."""
    return textwrap.fill(
        text, width=100, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def compare(texts: Mapping[str, str]) -> str:
    """Refuse a difference between the committed files and what Coq prints.

    Raises:
        CheckError: showing the difference.
    """
    differences = []
    for name, printed in texts.items():
        path = ROOT / name
        committed = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = difflib.unified_diff(
            committed.splitlines(), printed.splitlines(), name, "as printed by Coq", lineterm="", n=3
        )
        if committed != printed:
            shown = "\n".join(list(lines)[:_SHOWN])
            differences.append(f"{name} is not what Coq prints (make statements writes it anew)\n{shown}")
    if differences:
        raise CheckError("\n".join(differences))
    return f"statements: {' and '.join(texts)} as committed"
