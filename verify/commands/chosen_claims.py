"""Which claims a command line asks for: by id, by where they are printed, by grade, by words."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from stirred.spec.arguments import InputError
from stirred.verify.ledger.claim import GRADES, Claim
from stirred.verify.ledger.documents import DOCUMENTS, item_of

__all__ = ["add_choices", "chosen_claims", "narrowing"]


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The ids and places, and the options that narrow them."""
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help='a claim id, the beginning of ids, or a place such as "article, Theorem 1"'
    )
    parser.add_argument("--source", metavar="PLACE", help=f"those of a document ({', '.join(DOCUMENTS)}) or its item")
    parser.add_argument("--refuted", action="store_true", help="those that are stated as refuted")
    parser.add_argument("--grade", choices=tuple(GRADES), help="those that are refuted so")
    parser.add_argument("--search", metavar="WORDS", help="those whose id, words, source, reading or grade have these")


def chosen_claims(arguments: argparse.Namespace) -> list[str]:
    """The ids of the claims that are asked for, in the ledger's order where no id is given.

    Raises:
        InputError: an id or a place is that of no claim, or no claim is left.
    """
    from stirred.verify.ledger.book import claims  # noqa: PLC0415 other subcommands do not need the claims

    chosen = _by_id(arguments.ids)
    if not narrowing(arguments):
        return chosen
    left = [one.id for one in claims(chosen) if all(_wanted(one, arguments))]
    if not left:
        raise InputError(f"some claim must be asked for; none is chosen by {shlex.join(narrowing(arguments))}")
    return left


def narrowing(arguments: argparse.Namespace) -> list[str]:
    """The options that narrow the choice, as they are typed."""
    found = []
    for name in ("source", "grade", "search"):
        if getattr(arguments, name) is not None:
            found += [f"--{name}", getattr(arguments, name)]
    return [*found, *(["--refuted"] if arguments.refuted else [])]


def _wanted(one: Claim, arguments: argparse.Namespace) -> Iterator[bool]:
    """Whether a claim is what each option asks for."""
    yield arguments.source is None or _is_printed_at(one, arguments.source)
    yield not arguments.refuted or one.grade is not None
    yield arguments.grade is None or (one.grade is not None and one.grade.word == arguments.grade)
    yield arguments.search is None or _has(one, arguments.search)


def _by_id(asked: Sequence[str]) -> list[str]:
    """The claims whose id begins so, or that are printed there."""
    from stirred.verify.ledger.book import claim_ids, claims  # noqa: PLC0415

    if not asked:
        return list(claim_ids())
    chosen: list[str] = []
    for text in asked:
        found = [name for name in claim_ids() if name.startswith(text)]
        if not found and text.partition(",")[0] in DOCUMENTS:
            found = [one.id for one in claims() if _is_printed_at(one, text)]
            if not found:
                raise InputError(
                    f"no claim is of {text!r}; see stirred verify --list --source {text.partition(',')[0]!r}"
                )
        if not found:
            near = get_close_matches(text, claim_ids(), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; see stirred verify --list"
            raise InputError(f"no claim id begins with {text!r}{hint}")
        chosen += [name for name in found if name not in chosen]
    return chosen


def _is_printed_at(one: Claim, place: str) -> bool:
    """Whether a source of a claim is this document or item, or a place in it."""
    is_whole = place in DOCUMENTS or ", ".join(item_of(place) or ()) == place
    return any(
        source == place or (is_whole and source.startswith((f"{place},", f"{place} "))) for source in one.sources
    )


def _has(one: Claim, words: str) -> bool:
    """Whether these words stand one after the other in what is said of a claim, whatever their case."""
    grade = one.grade.reason if one.grade else ""
    said = " ".join((one.id, one.source, one.statement, one.reading, grade)).casefold()
    return " ".join(words.split()).casefold() in " ".join(said.split())
