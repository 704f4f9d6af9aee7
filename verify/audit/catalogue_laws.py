"""The laws of the catalogue's mechanisms on many data sets, by processes that share the work where it takes long."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from stirred.mechanisms.choice_follower import ChoiceBudget, ChoiceFollower
from stirred.mechanisms.choice_runs import Runs
from stirred.mechanisms.choice_tree import ChoiceTree
from stirred.mechanisms.run_lister import RunLister
from stirred.mechanisms.source import Source
from stirred.spec.law import Law
from stirred.verify.audit.record_products import RecordProducts
from stirred.verify.engines.containment import contained
from stirred.verify.engines.likelihood import MOST_NODES, CheckedLaws
from stirred.verify.engines.workload import Workload
from stirred.verify.laws.plain import PlainTexts
from stirred.verify.running.worker_pool import in_processes

__all__ = ["CatalogueProgram", "catalogue_laws"]

_MOST_COMPARED = 100_000
"""Nodes of choice trees whose data sets are all computed a second time, apart from rounding up."""

_LEAST_COMPARED = 16
_PATIENCE = 2.0
"""Seconds of work left over above which processes are worth starting."""

_CHUNK = 0.2
"""Seconds of work that a process is given at once."""

Listed = tuple[ChoiceTree, Runs | None]


@dataclass(frozen=True)
class CatalogueProgram:
    """A mechanism of the catalogue with its parameters.

    Attributes:
        program: a function of what is read, a source and the parameters.
        read: of a data set.
        setting: the parameters.
        place: the file and key that name it.
        choices: how many it may make on one data set.
        gives_texts: whether its outputs are canonical texts already.
        is_record_wise: whether it draws for each record that is read on its own, and its output is the tuple of these.
    """

    program: Callable[..., Any]
    read: Callable[[Any], Any]
    setting: Mapping[str, Any]
    place: str
    choices: int
    gives_texts: bool = False
    is_record_wise: bool = False

    def contained(self, point: Any) -> Any:
        """What is raised names the data set."""
        return contained(f"{self.place}: on the data set {point!r}")

    def listed(self, asked: Iterable[tuple[Any, bool]]) -> list[Listed]:
        """The choice trees on data sets; where that is asked for, their runs, listed a second way."""
        listing = _Listing(self)
        return [listing.listed(point, is_compared=is_compared) for point, is_compared in asked]


class _Listing:
    """Lists a program on one data set after another; equal outputs are one object, sent once between processes."""

    def __init__(self, program: CatalogueProgram) -> None:
        self._program = program
        key = dict[str, str]().setdefault
        texts: Callable[[Any], str] = (lambda output: key(output, output)) if program.gives_texts else PlainTexts()
        self._follower, self._lister = ChoiceFollower(texts), RunLister(texts)

    def listed(self, point: Any, *, is_compared: bool) -> Listed:
        """The choice tree on a data set; where that is asked for, its runs."""
        with self._program.contained(point):
            tree = self._follower.follow(self._run(point), ChoiceBudget(self._program.choices))
        return tree, self.runs(point) if is_compared else None

    def runs(self, point: Any) -> Runs:
        """The runs on a data set."""
        with self._program.contained(point):
            return self._lister.list(self._run(point), MOST_NODES)

    def _run(self, point: Any) -> Callable[[Source], Any]:
        return partial(self._program.program, self._program.read(point), **self._program.setting)


def catalogue_laws(
    program: CatalogueProgram, points: Sequence[Any], workload: Workload, *, jobs: int
) -> tuple[dict[Any, Law[str]], str]:
    """The law on every data set, and what of them was computed a second time, in words where that is not all.

    Raises:
        InputError: the mechanism fails on a data set.
        EngineError: an exact law disagrees with its independent value.
    """
    (first,) = program.listed([(points[0], True)])
    stride = _stride(len(first[0].nodes), len(points))
    asked = [(point, place % stride == 0) for place, point in enumerate(points)]
    checked, laws = CheckedLaws(), dict[Any, Law[str]]()
    found = _products(program, asked) if program.is_record_wise else _followed(program, asked, first, jobs, checked)
    with workload.part("laws", len(points)) as part:
        for (point, _), (law, runs) in zip(asked, found, strict=True):
            laws[point] = law
            if runs is not None:
                with program.contained(point):
                    checked.check(law, runs)
            part.advance()
    if stride == 1:
        return laws, ""
    said = f"{-(-len(points) // stride)} of the laws, evenly spread, computed a second time to 60 digits"
    return laws, f"the laws are products of those of single records; {said}" if program.is_record_wise else said


def _products(program: CatalogueProgram, asked: Iterable[tuple[Any, bool]]) -> Iterator[tuple[Law[str], Runs | None]]:
    """The laws of a program that draws for each record on its own, as products; where asked for, with all runs."""
    listing = _Listing(program)
    products = RecordProducts(partial(program.program, **program.setting), program.choices)
    for point, is_compared in asked:
        with program.contained(point):
            law = products.law(program.read(point))
        yield law, listing.runs(point) if is_compared else None


def _followed(
    program: CatalogueProgram, asked: Sequence[tuple[Any, bool]], first: Listed, jobs: int, checked: CheckedLaws
) -> Iterator[tuple[Law[str], Runs | None]]:
    """The laws of a program by following all of its choices; where asked for, with all runs."""
    texts: dict[str, str] = {}
    for (point, _), (tree, runs) in zip(asked, _all_listed(program, asked, first, jobs), strict=True):
        with program.contained(point):
            outputs = tuple(map(texts.setdefault, tree.outputs, tree.outputs))
            law = checked.law(ChoiceTree(tree.weights, outputs, tree.nodes))
        yield law, runs


def _stride(nodes: int, points: int) -> int:
    """Every how many data sets one is computed a second time."""
    most = max(_LEAST_COMPARED, _MOST_COMPARED // nodes)
    return max(1, -(-points // most))


def _all_listed(
    program: CatalogueProgram, asked: Sequence[tuple[Any, bool]], first: Listed, jobs: int
) -> Iterator[Listed]:
    """The listings of a program, one after another; here until it is known to take long, then in processes."""
    yield first
    listing = _Listing(program)
    begun, done = time.monotonic(), 1
    while done < len(asked):
        point, is_compared = asked[done]
        yield listing.listed(point, is_compared=is_compared)
        done += 1
        pace = (time.monotonic() - begun) / (done - 1)
        if jobs > 1 and pace * (len(asked) - done) > _PATIENCE and done > 2 and _can_be_sent(program):
            size = max(1, int(_CHUNK / pace))
            chunks = [asked[start : start + size] for start in range(done, len(asked), size)]
            for found in in_processes(program.listed, chunks, jobs=jobs):
                yield from found
            return


def _can_be_sent(program: CatalogueProgram) -> bool:
    try:
        pickle.dumps(program)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True
