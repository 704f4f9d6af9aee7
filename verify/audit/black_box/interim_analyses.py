"""Looks: one after another, with more draws each, an event is learned on some draws and tested on fresh ones.

Each look learns on draws of all pairs that are left, tests the best event of all on fresh draws, and leaves the better
pairs to the next look, fewer where draws are many. A look depends on the earlier ones by the pairs alone.

Looks are kept in a file, so that a run goes on where an earlier one stopped, and ends as that would have.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from stirred.mechanisms.source import RAISES
from stirred.spec.arguments import InputError
from stirred.spec.output_premetrics import NormalizedRenyi, OutputPremetric
from stirred.verify.audit.black_box.confidence import event_ends, looks_shares
from stirred.verify.audit.black_box.events import Event, Objective, learned_event
from stirred.verify.audit.black_box.outputs import SeenOutput, rounded_output, seen
from stirred.verify.audit.black_box.workers import Drawers
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.files.bounded_file import read_text

Places = tuple[int, int, Fraction]
"""A pair of data sets by their places, with their distance."""

_LEARNED = 20_000
"""The most draws of one data set that an event is learned from."""

_WORK = 128_000
"""The most draws, of all pairs together, that a look learns from; a look has two pairs at least."""

_BLOCK = 50_000

_CERTAINTY = 3
"""Standard errors by which events are compared on as many draws as they are tested on; fewer where those are more."""

_TINY = 1 / 10**12


@dataclass(frozen=True)
class Look:
    """An event that was tested.

    Attributes:
        number: of the look, from 0.
        x: the place of the data set under which the event was to be likely.
        x_prime: that of the other one.
        event: in words.
        inside: draws in the event under x.
        inside_prime: draws in it under x'.
        draws: under each of the two.
        error: with which the ends are wrong at most.
        p: P_x(E) is at least this.
        q: P_x'(E) is at most this.
        left: the pairs that the next look has.
    """

    number: int
    x: int
    x_prime: int
    event: str
    inside: int
    inside_prime: int
    draws: int
    error: Fraction
    p: Fraction
    q: Fraction
    left: tuple[Places, ...]

    def record(self) -> dict[str, Any]:
        """The look in plain JSON values."""
        texts = {name: str(getattr(self, name)) for name in ("error", "p", "q")}
        return {**vars(self), **texts, "left": [[x, y, str(d)] for x, y, d in self.left]}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Look:
        """The look of a record; its ends are computed again."""
        try:
            left = tuple((int(x), int(y), Fraction(d)) for x, y, d in record["left"])
            inside, inside_prime, draws = (record[name] for name in ("inside", "inside_prime", "draws"))
            error = Fraction(record["error"])
            given = {name: record[name] for name in ("number", "x", "x_prime", "event")}
        except (KeyError, TypeError, ValueError, ArithmeticError):
            raise InputError("a look must have the keys that an earlier run wrote; it has not") from None
        p, q = event_ends(inside, draws, inside_prime, draws, error)
        return cls(**given, inside=inside, inside_prime=inside_prime, draws=draws, error=error, p=p, q=q, left=left)


@dataclass(frozen=True)
class Plan:
    """How looks are taken.

    Attributes:
        measure: the output premetric.
        sizes: the draws of each look, under each data set.
        error: of all looks together.
        digits: to which numbers of outputs are rounded; None for as they are.
        progress: is told what is done, how far it is, and of how much.
    """

    measure: OutputPremetric
    sizes: Sequence[int]
    error: Fraction
    digits: int | None = None
    progress: Callable[[str, int, int], None] = lambda *_: None

    def seen(self, output: Any) -> SeenOutput:
        """An output as this run looks at it."""
        return seen(output if self.digits is None else rounded_output(output, self.digits))


def objective_of(measure: OutputPremetric, distance: Fraction) -> Objective:
    """What an event is worth as a lower bound of the budget: ln((p − δ)/q)/d, for zCDP the divergence, else p − q.

    It chooses an event, and decides nothing.
    """
    scale = distance.numerator / distance.denominator if distance else 1 / 10**6
    delta = measure.parameters.get("delta", Fraction(0))
    slack = delta.numerator / delta.denominator
    if isinstance(measure, NormalizedRenyi):
        return lambda p, q: _divergence(np.clip(p, _TINY, 1 - _TINY), np.clip(q, _TINY, 1 - _TINY)) / scale**2
    if measure.has_losses:
        return lambda p, q: np.log(np.maximum(p - slack, _TINY) / q) / scale
    return lambda p, q: (p - q) / scale


def _divergence(p: Any, q: Any) -> Any:
    """That of Kullback and Leibler between two coins, below 0 where the second is the larger."""
    return np.sign(p - q) * (p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)))


def looks(drawers: Drawers, pairs: Sequence[Places], plan: Plan, known: Sequence[Look] = ()) -> Iterator[Look]:
    """The looks, one after another; those that are known already come first.

    Args:
        drawers: who draws.
        pairs: where a leak is looked for.
        plan: how.
        known: looks of an earlier run with the same arguments.
    """
    shares = looks_shares(plan.error, len(plan.sizes))
    left = tuple(pairs)
    for number, (size, share) in enumerate(zip(plan.sizes, shares, strict=True)):
        look = known[number] if number < len(known) else _look(drawers, left, plan, (number, size), share)
        yield look
        left = look.left


def _look(drawers: Drawers, pairs: Sequence[Places], plan: Plan, wanted: tuple[int, int], error: Fraction) -> Look:
    number, size = wanted
    candidates = _learned(drawers, pairs, plan, (number, min(size, _LEARNED)))
    x, y, event = candidates[0]
    inside, inside_prime = (_inside(drawers, place, event, plan, wanted) for place in (x, y))
    p, q = event_ends(inside, size, inside_prime, size, error)
    most = _pairs_at(plan.sizes[number + 1]) if number + 1 < len(plan.sizes) else 1
    kept = list(dict.fromkeys(frozenset(one[:2]) for one in candidates))[:most]
    left = tuple(pair for pair in pairs if frozenset(pair[:2]) in kept)
    return Look(number, x, y, str(event), inside, inside_prime, size, error, p, q, left)


def _pairs_at(size: int) -> int:
    """How many pairs a look of so many draws begins with: a slight leak is not told apart on few draws."""
    return max(2, _WORK // (2 * min(size, _LEARNED)))


def _learned(
    drawers: Drawers, pairs: Sequence[Places], plan: Plan, wanted: tuple[int, int]
) -> list[tuple[int, int, Event]]:
    """The best event of each pair in each direction, the best first."""
    number, size = wanted
    certainty = _CERTAINTY * np.sqrt(min(size / plan.sizes[number], 1))
    places = list(dict.fromkeys(place for pair in pairs for place in pair[:2]))
    outputs = {}
    for done, place in enumerate(places):
        plan.progress(f"look {number + 1}, learning", done * size, len(places) * size)
        outputs[place] = [plan.seen(output) for output in drawers.draw(place, f"learn {number}", size)]
    values = (output.value for one in outputs.values() for output in one)
    if number == 0 and all(type(value) is str and value.startswith(RAISES) for value in values):
        raise InputError(f"the mechanism {outputs[places[0]][0].value}, on every data set and whatever it draws")
    found = []
    for x, y, distance in pairs:
        objective = objective_of(plan.measure, distance)
        for first, second in ((x, y), (y, x)):
            best = learned_event(outputs[first], outputs[second], objective, certainty=certainty)
            if best is not None:
                found.append((best[0], first, second, best[1]))
    found.sort(key=lambda one: one[0], reverse=True)
    return [(first, second, event) for _, first, second, event in found]


def _inside(drawers: Drawers, place: int, event: Event, plan: Plan, wanted: tuple[int, int]) -> int:
    """How many of so many fresh draws are in the event."""
    number, size = wanted
    inside = 0
    for block, begun in enumerate(range(0, size, _BLOCK)):
        plan.progress(f"look {number + 1}, testing", begun, size)
        outputs = drawers.draw(place, f"test {number}.{block}", min(_BLOCK, size - begun))
        inside += sum(plan.seen(output) in event for output in outputs)
    return inside


_PROBED = 64
"""Draws by which a run is known again."""

_FORMAT = "stirred sampled looks, 1"


def run_key(*parts: object) -> str:
    """A hash of all that the looks of a run depend on.

    >>> len(run_key("claim", 100))
    64
    """
    return hashlib.sha256(repr(parts).encode()).hexdigest()


class KeptLooks:
    """The looks of a run by the number of the claim's setting; written whole after each one.

    Args:
        path: the file; it need not exist.
        key: of the run.
    """

    def __init__(self, path: str, key: str) -> None:
        self._path, self._key = path, key
        self._found: dict[str, list[dict[str, Any]]] = {}
        self._probes: list[str] = []
        if Path(path).exists():
            self._found = self._read()

    def _read(self) -> dict[str, list[dict[str, Any]]]:
        try:
            kept = json.loads(read_text(Path(self._path)))
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or kept.get("format") != _FORMAT or not isinstance(kept.get("looks"), dict):
            raise InputError(f"{self._path} must be a file that --resume wrote; it is another one")
        if kept.get("key") != self._key:
            raise InputError(f"{self._path} was written by a run with another claim, seed, confidence or draws")
        self._probes = [str(one) for one in kept.get("probes", ())]
        looks: dict[str, list[dict[str, Any]]] = kept["looks"]
        return looks

    def check_fresh(self, drawers: Drawers) -> None:
        """Refuse to go on with a mechanism whose own generator begins with the same draws in every run.

        Its draws after an interruption would be those before it: none of them would be fresh.
        """
        if drawers.is_seeded:
            return
        probe = run_key(drawers.draw(0, f"probe {secrets.token_hex(8)}", _PROBED))
        if probe in self._probes:
            raise InputError(
                f"{self._path}: the mechanism's generator starts again in every run, so its draws would repeat: take "
                "the generator as a parameter"
            )
        self._probes.append(probe)

    def known(self, case: int) -> tuple[Look, ...]:
        """The looks of a setting."""
        try:
            return tuple(Look.of_record(record) for record in self._found.get(str(case), []))
        except InputError as error:
            raise InputError(f"{self._path}: {error}") from None

    def keep(self, case: int, looks: Sequence[Look]) -> None:
        """Write down the looks of a setting."""
        self._found[str(case)] = [look.record() for look in looks]
        kept = {"format": _FORMAT, "key": self._key, "looks": self._found, "probes": self._probes}
        write_whole(self._path, json.dumps(kept, indent=1) + "\n")
