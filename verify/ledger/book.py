"""The claims by id: which module states which is read from the modules' text, so that one id loads one module."""

import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.claim import Check, Claim
from stirred.verify.ledger.statement import STATED

_CLAIMS = Path(__file__).resolve().parent / "claims"
_STATES = re.compile(r'^(?:state|own)\(\s*"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class StatedAt:
    """The module, by its dotted name, and the line, from 1, that state a claim."""

    module: str
    line: int

    @property
    def file(self) -> str:
        """The module's file, from the root of the repository."""
        return f"{self.module.removeprefix('stirred.').replace('.', '/')}.py"


@cache
def _entries() -> Mapping[str, StatedAt]:
    """Where each claim is stated, concept by concept."""
    found: dict[str, StatedAt] = {}
    for path in sorted(_CLAIMS.rglob("*.py")):
        module = ".".join(("stirred", "verify", "ledger", "claims", *path.relative_to(_CLAIMS).with_suffix("").parts))
        text = path.read_text(encoding="utf-8")
        for stated in _STATES.finditer(text):
            here = StatedAt(module, text.count("\n", 0, stated.start()) + 1)
            if stated[1] in found:
                first = found[stated[1]]
                raise EngineError(
                    f"{here.file}, line {here.line}: {stated[1]} is already stated in {first.file}, line {first.line}"
                )
            found[stated[1]] = here
    return found


def claim_ids() -> tuple[str, ...]:
    """The ids of all claims, concept by concept."""
    return tuple(_entries())


def entry(claim_id: str) -> StatedAt:
    """Where the claim with this id is stated."""
    if claim_id not in _entries():
        raise InputError(f"no claim has the id {claim_id!r}")
    return _entries()[claim_id]


def claim(claim_id: str) -> Claim:
    """The claim with this id."""
    stated = entry(claim_id)
    try:
        import_module(stated.module)
    except OSError:
        raise
    except Exception as error:
        raise EngineError(mistake(error)) from error
    if unseen := [known for known in STATED if known not in _entries()]:
        raise EngineError(
            f"{stated.file}: {unseen[0]} must begin a line, with its id in double quotes after state( or own("
        )
    if claim_id not in STATED:
        raise EngineError(f"{stated.file}, line {stated.line}: {claim_id} must be called with its words and checks")
    return STATED[claim_id]


def mistake(error: Exception, claim_id: str = "") -> str:
    """What is wrong, after the last line of the claims that led to it; else after the line that states the claim."""
    stated = _entries().get(claim_id)
    if isinstance(error, SyntaxError) and error.filename:
        lines = [(Path(error.filename).resolve(), error.lineno or 1)]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [(Path(one.filename).resolve(), one.lineno or 1) for one in frames]
    led = [f"{path.relative_to(_CLAIMS.parents[2])}, line {line}" for path, line in lines if _CLAIMS in path.parents]
    own_line = f"{stated.file}, line {stated.line}" if stated else ""
    where = led[-1] if led else own_line
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    what = said if isinstance(error, EngineError) else f"{type(error).__name__}: {said}"
    if led and what.startswith(f"{led[-1].partition(',')[0]}, line "):
        return what  # the sentence has its own line
    return ": ".join(filter(None, (where, claim_id, *getattr(error, "__notes__", ()), what)))


def claims(chosen: Sequence[str] | None = None) -> tuple[Claim, ...]:
    """The claims with these ids, or all."""
    return tuple(map(claim, claim_ids() if chosen is None else chosen))


def concept_of(claim_id: str) -> str:
    """The folder of `verify.claims` whose modules state the claim."""
    return entry(claim_id).module.split(".")[4]


def place(claim_id: str, check: Check) -> str:
    """Where a check of a claim is written, as file::name: its own place, or the claim's entry."""
    if check.place:
        return check.place
    return f"{entry(claim_id).file}::{claim_id}"
