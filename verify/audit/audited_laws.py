"""The laws that an audit is about: of the library's mechanisms computed here, of the user's own asked for outside."""

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
from stirred.spec.arguments import InputError
from stirred.spec.law import Law
from stirred.verify.audit.claim_blocks import BuiltClaim
from stirred.verify.audit.claim_mechanism import ClaimedMechanism, LibraryMechanism
from stirred.verify.audit.partial_laws import refuse_partial
from stirred.verify.engines.containment import contained
from stirred.verify.engines.likelihood import MOST_NODES, CheckedLaws
from stirred.verify.engines.workload import UNLIMITED, Workload
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.plain import PlainTexts
from stirred.verify.reports.lines import counted
from stirred.verify.running.worker_pool import in_processes

__all__ = ["CatalogueProgram", "audited_laws", "catalogue_laws", "claimed_laws"]

# The laws of the catalogue's mechanisms on many data sets, by processes that share the work where it takes long.

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
    """

    program: Callable[..., Any]
    read: Callable[[Any], Any]
    setting: Mapping[str, Any]
    place: str
    choices: int
    gives_texts: bool

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
        program = self._program
        with program.contained(point):
            run = partial(program.program, program.read(point), **program.setting)
            tree = self._follower.follow(run, ChoiceBudget(program.choices))
            return tree, self._lister.list(run, MOST_NODES) if is_compared else None


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
    texts: dict[str, str] = {}
    with workload.part("laws", len(points)) as part:
        for (point, _), (tree, runs) in zip(asked, _all_listed(program, asked, first, jobs), strict=True):
            with program.contained(point):
                outputs = tuple(map(texts.setdefault, tree.outputs, tree.outputs))
                laws[point] = checked.law(ChoiceTree(tree.weights, outputs, tree.nodes))
                if runs is not None:
                    checked.check(laws[point], runs)
            part.advance()
    compared = -(-len(points) // stride)
    return laws, "" if stride == 1 else f"{compared} of the laws, evenly spread, computed a second time to 60 digits"


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


def claimed_laws(
    built: BuiltClaim,
    setting: Mapping[str, Any],
    limits: Limits,
    workload: Workload = UNLIMITED,
    *,
    may_be_partial: bool = False,
) -> ForeignLaws:
    """The laws that the flavor of a claim compares: of every data set, or of every belief under Pufferfish.

    Args:
        built: the claim.
        setting: the parameters of its mechanism.
        limits: under which it runs.
        workload: is told how far the work is, and limits it.
        may_be_partial: whether an outcome may stand for floats that are not told apart.

    Raises:
        InputError: as `audited_laws`; or beliefs would mix laws that are not exact and finite.
        EngineError: as `audited_laws`.
    """
    mechanism, data = built.mechanism, built.data
    if mechanism is None or data is None or built.kind is None:
        raise TypeError("the laws of a claim need its mechanism and its data sets")
    points = tuple(data.domain) if built.pufferfish is None else tuple(built.kind.listed())
    found = audited_laws(
        mechanism, setting, built.program, points, limits, is_ordered=built.is_ordered, workload=workload
    )
    if not may_be_partial or built.pufferfish is not None:
        refuse_partial(found.laws, mechanism.place)
    if built.pufferfish is None:
        return found
    if found.is_nearby or found.is_released:
        raise InputError(
            f"{mechanism.place}: beliefs mix the laws of data sets, which must be exact and finite; unbounded noise "
            "that is released, and a discrete Gaussian, have none: clamp geometric noise"
        )
    laws = built.pufferfish.provided(found.laws)
    mixed = f"the law of a belief is the mixture of those of {counted(len(points), 'data set')}"
    return ForeignLaws(laws, "; ".join(part for part in (mixed, found.assumed) if part))


def audited_laws(
    mechanism: ClaimedMechanism,
    setting: Mapping[str, Any],
    program: LibraryMechanism | None,
    points: Sequence[Any],
    limits: Limits,
    *,
    is_ordered: bool,
    workload: Workload = UNLIMITED,
) -> ForeignLaws:
    """The exact law of a claim's mechanism on data sets, each compared with its independent value.

    Outputs are canonical texts, so that no two that can be told apart are one.

    Args:
        mechanism: as the claim names it.
        setting: its parameters.
        program: the library's, as it reads the data sets; None for the user's own.
        points: the data sets.
        limits: under which it runs.
        is_ordered: whether the order of a data set's records matters.
        workload: is told how far the work is, and limits it.

    Raises:
        InputError: the mechanism fails on a data set, or its law there depends on more than the data set.
        EngineError: an exact law disagrees with its independent value.
    """
    if mechanism.function is not None:
        return mechanism.function.laws(points, setting, limits, is_ordered=is_ordered, workload=workload)
    if program is None:
        raise TypeError("a mechanism of the library must come with its program")
    gives_texts = mechanism.kernel is not None
    library = CatalogueProgram(program.program, program.read, setting, mechanism.place, limits.choices, gives_texts)
    laws, compared = catalogue_laws(library, points, workload, jobs=limits.jobs)
    return ForeignLaws(laws, compared)
