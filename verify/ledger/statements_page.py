"""The English of `proofs/Statements.v`: above the theorems of a claim its first sentence; headings; where to begin."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from stirred.verify.ledger.book import claim, claim_ids, concept_of
from stirred.verify.proofs.checking.layout import ROOT, theories
from stirred.verify.proofs.checking.sources import split_sentences

_CARRYING = (
    "law",
    "mult_le",
    "pure_dp",
    "premetric",
    "satisfies",
    "epsilon_dp",
    "is_nor",
    "zcdp",
    "hamming",
    "largest_stratum",
    "psa",
)
"""The definitions that most statements are read through."""

_WIDTH = 120
_PIECES = re.compile(
    r"^(?:(?P<theorem>Theorem (?P<name>\w+)\s+\(\*\s+(?P<claim>\S+)(?:.|\n)*?\bQed\.)"
    r"|(?P<kept>(?:Open|Close) Scope .*|\(\* Part [12]\. .*)"
    r"|\(\* (?P<heading>The article|The dissertation|PHSafe|The swapping study|The price of swapping"
    r"|Bun and Steinke \(2016\)|Stats NZ|What stirred audit --coq and prove --coq rest on, and other readings)"
    r"(?:: .*)? \*\))$",
    re.M,
)
_BEGIN = r"^\(\* Begin with .*(?:\n   .*)*\n"


def worded(page: str) -> str:
    """The page with its English as the ledger and the theories have it now; what Coq reads stays as it is.

    Under a heading the theorems stand by concept, and those of one claim below its sentence.
    """
    head, part, rest = page.partition("(* Part 1.")
    lines = [re.sub(_BEGIN, "", head, flags=re.M).rstrip(), _begin()]
    heading, stated = "", []
    for piece in _PIECES.finditer(part + rest):
        if piece["theorem"]:
            stated.append((piece["claim"], piece["theorem"]))
            continue
        lines += _section(heading, stated)
        stated = []
        if piece["kept"]:
            lines += ["", piece["kept"]]
        heading = piece["heading"] or ""
    return "\n".join([*lines, *_section(heading, stated), ""])


def _section(heading: str, stated: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The theorems under a heading of the page, each with its first claim."""
    concepts = {name: concept_of(name).replace("_", " ") if name in claim_ids() else "" for name, _ in stated}
    order = list(dict.fromkeys(concepts.values()))
    by_concept = sorted(stated, key=lambda one: order.index(concepts[one[0]]))
    for concept, theorems in groupby(by_concept, key=lambda one: concepts[one[0]]):
        yield from ("", f"(* {heading}{f': {concept}' if concept else ''} *)")
        for name, group in groupby(theorems, key=lambda one: one[0]):
            yield ""
            if concept:
                yield _comment(first_sentence(name))
            yield from (text for _, text in group)


def first_sentence(claim_id: str) -> str:
    """The first sentence of a claim's words that says what holds, with those before it that say where."""
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z(…])", claim(claim_id).statement)
    settings = takewhile(re.compile(r"(Now )?(Assume|Consider|Fix|Let|Suppose|suppose)\b").match, sentences)
    return " ".join(sentences[: len(list(settings)) + 1])


def _comment(text: str) -> str:
    """A text in ASCII that no comment ends early, no string begins in, and no theorem seems to."""
    plain = text.replace("…", "...").replace("—", "-").replace('"', "'").replace("×", "x").replace("≤", "<=")
    safe = re.sub(r"\((?=\*)|\*(?=\))", r"\g<0> ", plain)
    return "\n".join(textwrap.wrap(f"(* {safe} *)", _WIDTH, subsequent_indent="   "))


def _begin() -> str:
    places = {
        name: f"{path.relative_to(ROOT)}:{each.line}"
        for path in theories(ROOT)
        for each in split_sentences(path)
        for name in re.findall(r"^(?:Definition|Record|Fixpoint|Inductive) (\w+)", each.text)
        if name in _CARRYING
    }
    return _comment(f"Begin with {'; '.join(f'{name}, {places[name]}' for name in _CARRYING)}.")
