"""Which axioms a claim rests on, as ``Print Assumptions`` says, and which ``axioms.txt`` allows.

A line of ``axioms.txt`` is ``<axiom>: <file> <file> ...``; a file that no line names has no axioms, in itself and in
all that it imports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from checking.coq import answers_by_full_names
from checking.layout import ROOT, CheckError, files, full_name

_CLOSED = "Closed under the global context"


def axiom_lines() -> dict[str, set[str]]:
    """The axioms that ``axioms.txt`` names, each with the files that may rest on it."""
    stems = {path.stem for path in files()}
    allowed: dict[str, set[str]] = {}
    for line in (ROOT / "axioms.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        axiom, _, listed = line.partition(":")
        if not listed.split() or not stems.issuperset(listed.split()):
            raise CheckError(f"axioms.txt: a line must be an axiom, a colon, and files of theories/; got {line!r}")
        allowed[axiom.strip()] = set(listed.split())
    return allowed


def allowed_axioms(stem: str) -> frozenset[str]:
    """The axioms that a file may rest on."""
    return frozenset(axiom for axiom, stems in axiom_lines().items() if stem in stems)


def assumptions_of(titles: Sequence[str]) -> Mapping[str, str]:
    """``closed`` or the axioms of each claim.

    Coq goes through the whole proof for each question, so it is asked about all claims of the files without axioms
    together; only if the answer is not ``closed`` about each.

    Raises:
        CheckError: a claim rests on an axiom that its file may not use.
    """
    free = [title for title in titles if not _allowed(title)]
    (together,) = _asked([free])
    closed = set() if together else set(free)
    rest = [title for title in titles if title not in closed]
    found = dict.fromkeys(closed, "closed")
    for title, axioms in zip(rest, _asked([[title] for title in rest]), strict=True):
        for axiom in axioms:
            if axiom not in _allowed(title):
                raise CheckError(f"{title} rests on {axiom}, which axioms.txt does not allow")
        found[title] = ", ".join(axioms) or "closed"
    return found


def _allowed(title: str) -> frozenset[str]:
    return allowed_axioms(title.partition(".")[0])


def _asked(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """The axioms of each group of claims; two sessions of Coq at a time."""
    halves = [groups[0::2], groups[1::2]]
    with ThreadPoolExecutor(max_workers=2) as pool:
        even, odd = pool.map(_asked_in_one_session, halves)
    return [(even, odd)[at % 2][at // 2] for at in range(len(groups))]


def _asked_in_one_session(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    if not groups:
        return []
    queries = []
    for at, group in enumerate(groups):
        together = "".join(f"let _ := @{full_name(title)} in " for title in group)
        queries.append(f"Definition asked_{at} := {together}Coq.Init.Datatypes.tt. Print Assumptions asked_{at}.")
    return [_axioms_in(answer) for answer in answers_by_full_names(queries)]


def _axioms_in(answer: str) -> list[str]:
    if answer.strip() == _CLOSED:
        return []
    title, _, listed = answer.partition("\n")
    names = re.findall(r"^([A-Za-z_][\w.']*)\s+:\s", listed, flags=re.M)
    if title != "Axioms:" or not names:
        raise CheckError(f"the answer of Print Assumptions is not understood: {answer}")
    return names
