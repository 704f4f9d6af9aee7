"""A claim file of a mechanism for every number of records: `records = "any"`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.alignment import VERTICES
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import claim_of, read_toml
from stirred.verify.laws.foreign import Limits
from stirred.verify.prove.found_function import FoundFunction, in_file
from stirred.verify.prove.refuting import Pair
from stirred.verify.prove.stated import EverySize, stated

_KEYS = ("id", "statement", "source", "records", "differ", "mechanism", "budget")


@dataclass(frozen=True)
class EverySizeClaim:
    """A claim file for every number of records.

    Attributes:
        stated: the claim.
        path: the file.
        mechanism: its mechanism block.
        place: the file of its function, and its name there.
        found: the function, as it was read.
    """

    stated: EverySize
    path: Path
    mechanism: Block
    place: tuple[Path, str]
    found: FoundFunction

    def require_unchanged(self) -> None:
        """Refuse an answer of a process that has imported the file where it does not read as before.

        Raises:
            InputError: it does not.
        """
        if in_file(*self.place) != self.found:
            raise InputError(f"{self.place[0]}: changed while its claim was tried; run stirred prove again")

    def on_pairs(self, asked: Sequence[Pair], setting: Mapping[str, Any], epsilon: str, limits: Limits) -> PrivacyClaim:
        """The claim on some pairs of data sets, for the exact engine: every pair is at distance 1."""
        points = list(dict.fromkeys(point for pair in asked for point in pair))
        kind = self.stated.program.generator[1]
        both = [(one, other) for pair in asked for one, other in (pair, pair[::-1])]
        values: dict[str, Any] = {
            "id": self.stated.name,
            "statement": f"epsilon = {epsilon} on pairs that {self.stated.neighbors}",
            "domain": {"data_sets": [list(one) for one in points]},
            "multiverse": {"invariants": []},
            "input_premetric": {
                "name": "explicit",
                "resolution": "answer",
                "distances": [[list(one), list(other), 1] for one, other in dict.fromkeys(both)],
            },
            "output_premetric": {"name": "multiplicative"},
            "budget": {"epsilon": epsilon},
            "mechanism": {
                "function": self.mechanism.values["function"],
                "parameters": {name: str(value) for name, value in setting.items()},
                **({"generator": kind} if kind else {}),
                **({"numerics": "real"} if kind == "numpy" else {}),
            },
        }
        return build_claim(claim_of(self.path, Block(f"{self.path}:", values)), limits)


def read_every_size(path: str, limits: Limits) -> EverySizeClaim:
    """The claim of a file; its function is read in the text of the Python file beside it, of which nothing is run.

    Raises:
        InputError: the file is malformed, or the function is not read.
    """
    file = Path(path)
    block = Block(f"{path}:", read_toml(file)).only(_KEYS)
    if block.text("records") != "any":
        raise block.refuse("records", 'must be "any"; for a number of records, say stirred audit')
    mechanism = block.table("mechanism").only(("function", "parameters", "generator"))
    differ = block.text("differ")
    if differ not in VERTICES:
        raise block.refuse("differ", f"must be one of {', '.join(VERTICES)}; got {differ!r}")
    ranges = mechanism.table("parameters").values if "parameters" in mechanism else {}
    generator = mechanism.text("generator") if "generator" in mechanism else limits.generator
    epsilon = block.table("budget").only(("epsilon",)).values.get("epsilon") if "budget" in block else None
    place = _place(file, mechanism, limits)
    found = in_file(*place)
    claim = stated(block.text("id"), found, differ, epsilon, ranges, generator=generator)
    return EverySizeClaim(claim, file, mechanism, place, found)


def _place(claim: Path, mechanism: Block, limits: Limits) -> tuple[Path, str]:
    """The file of a mechanism and its name there: the one that Python imports by this name, and no other."""
    reference = mechanism.text("function")
    module, _, name = reference.partition(":")
    place = claim.resolve().parent / module
    file = place.with_suffix(".py")
    is_plain = module.isidentifier() and not module.startswith("__") and module not in limits.imports
    if not is_plain or not file.is_file() or place.exists():
        raise mechanism.refuse("function", f"must be file:function, a file beside the claim file; got {reference!r}")
    return file, name
