"""The mechanisms of the library as functions with laws, computed by several processes if that takes long."""

import itertools
import pickle
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.catalogue import as_it_is
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, ChoiceFollower, follow
from stirred.mechanisms.interpreters.choice_runs import Runs
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree, tree_law
from stirred.mechanisms.interpreters.run_lister import RunLister
from stirred.mechanisms.source import Source
from stirred.spec.laws.law import Law, Probability
from stirred.verify.engines.likelihood import MOST_NODES, CheckedLaws, contained
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.process_control.workload import part
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.foreign import DEFAULT_LIMITS, AuditedFunction, Limits
from stirred.verify.laws.plain import PlainTexts, plain_text


@dataclass(frozen=True)
class _Factor:
    """The law of the output for one record: the numbers of the answers, and of the row of their probabilities."""

    answers: tuple[int, ...]
    row: int


class RecordProducts:
    """The laws of a program that draws for each record independently: products of its laws on single records.

    Its output is the tuple of one entry per record. So its law on n records has n factors, and the program is followed
    on single records only; outputs come in the order in which following it on all records would meet them.

    Args:
        program: of a sequence of records and a source.
        choices: the most that it may make on one sequence.
    """

    def __init__(self, program: Callable[[Sequence[Any], Source], tuple[Any, ...]], choices: int) -> None:
        self._program = program
        self._choices = choices
        self._factors: dict[str, _Factor] = {}  # by the record's text: in Python True == 1
        self._numbers: dict[str, int] = {}
        self._answers: list[Any] = []
        self._rows: dict[tuple[Probability, ...], int] = {}
        self._masses: dict[tuple[int, ...], list[Probability]] = {}
        self._equal: dict[Probability, Probability] = {}
        self._texts: dict[tuple[int, int], dict[int, str]] = {}  # by how many records and answers there are

    def law(self, records: Sequence[Any]) -> Law[str]:
        """The law of the output's canonical text on some records."""
        factors = [self._factor(record) for record in records]
        masses = self._product([factor.row for factor in factors])
        codes, base = [0], len(self._answers)  # the numbers of the answers are an output's digits
        for factor in factors:
            codes = [code * base + number for code in codes for number in factor.answers]
        texts = self._texts.setdefault((len(factors), base), {})
        for code in itertools.filterfalse(texts.__contains__, codes):
            digits = [code // base**place % base for place in reversed(range(len(factors)))]
            texts[code] = plain_text(tuple(self._answers[digit] for digit in digits))
        return Law(dict(zip(map(texts.__getitem__, codes), masses, strict=True)))

    def _factor(self, record: Any) -> _Factor:
        name = plain_text(record)
        if name not in self._factors:
            law = tree_law(follow(partial(self._program, (record,)), ChoiceBudget(self._choices), _text_and_answer))
            row = self._rows.setdefault(law.probabilities, len(self._rows))
            self._factors[name] = _Factor(tuple(self._number(text, answer) for text, answer in law), row)
        return self._factors[name]

    def _number(self, text: str, answer: Any) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self._answers)
            self._answers.append(answer)
        return self._numbers[text]

    def _product(self, rows: Sequence[int]) -> list[Probability]:
        """The probabilities of all outputs, with one object for equal ones."""
        key = tuple(rows)
        if key not in self._masses:
            budget, factors = ChoiceBudget(self._choices), list(self._rows)
            masses: list[Probability] = [Fraction(1)]
            for row in key:
                budget.spend(len(masses))
                masses = [mass * factor for mass in masses for factor in factors[row]]
            self._masses[key] = [self._equal.setdefault(mass, mass) for mass in masses]
        return self._masses[key]


def _text_and_answer(output: tuple[Any, ...]) -> tuple[str, Any]:
    """The key of an answer on a single record, and the answer."""
    (answer,) = output
    return plain_text(answer), answer


_MOST_COMPARED = 100_000
"""Up to so many nodes of choice trees, all laws are computed a second time."""

_LEAST_COMPARED = 16
_PATIENCE = 2.0
"""Seconds of remaining work above which processes are worth starting."""

_CHUNK = 0.2
"""Seconds of work per task of a process."""

Listed = tuple[ChoiceTree, Runs | None]


@dataclass(frozen=True)
class LibraryFunction(AuditedFunction):
    """A program of the library and how it reads the data sets of a claim: see `mechanisms.catalogue.Named`.

    Attributes:
        where: the file and key that name it.
        gives_texts: whether its outputs are canonical texts already.
    """

    where: str
    program: Callable[..., Any]
    read: Callable[[Any], Any] = as_it_is
    limits: Limits = DEFAULT_LIMITS
    gives_texts: bool = False
    is_record_wise: bool = False
    counted: Callable[..., Law[Any]] | None = None

    def __call__(self, data: Any, source: Source, **parameters: Any) -> Any:
        return self.program(self.read(data), source, **parameters)

    @property
    def identity(self) -> Hashable:
        """The program and how it reads."""
        return self.program, self.read

    def laws(
        self,
        points: Sequence[Any],
        parameters: Mapping[str, Any],
        *,
        is_ordered: bool,  # noqa: ARG002 the library's programs treat records alike where their order is none
    ) -> ForeignLaws:
        listing = _Listing(self, parameters)
        (first,) = listing.all([(points[0], True)])
        stride = _stride(len(first[0].nodes), len(points))
        asked = [(point, place % stride == 0) for place, point in enumerate(points)]
        checked, laws = CheckedLaws(), dict[Any, Law[str]]()
        how = ""
        if self.is_record_wise:
            how, found = "the laws are products of those of single records; ", listing.products(asked)
        elif self.counted is not None and stride > 1:
            how, found = "the laws are images of that of records which all differ; ", listing.moved(asked, self.counted)
        else:
            found = listing.followed(asked, first, checked)
        with part("laws", len(points)) as done:
            for (point, _), (law, runs) in zip(asked, found, strict=True):
                laws[point] = law
                if runs is not None:
                    with self.contained(point):
                        checked.check(law, runs)
                done.advance()
        if stride == 1:
            return ForeignLaws(laws, "")
        said = f"{-(-len(points) // stride)} of the laws, evenly spread, computed a second time to 60 digits"
        return ForeignLaws(laws, f"{how}{said}")

    def contained(self, point: Any) -> Any:
        """A context in which errors name the data set."""
        return contained(f"{self.where}: on the data set {point!r}")


class _Listing:
    """Lists a program on one data set after another, with one object for equal outputs, sent once to a process."""

    def __init__(self, function: LibraryFunction, parameters: Mapping[str, Any]) -> None:
        self._function, self._parameters = function, parameters
        key = dict[str, str]().setdefault
        texts: Callable[[Any], str] = (lambda output: key(output, output)) if function.gives_texts else PlainTexts()
        self._texts = texts
        self._follower, self._lister = ChoiceFollower(texts), RunLister(texts)

    def all(self, asked: Iterable[tuple[Any, bool]]) -> list[Listed]:
        """The choice trees on data sets, with their runs, listed a second way, where they are compared."""
        return [self._listed(point, is_compared=is_compared) for point, is_compared in asked]

    def _listed(self, point: Any, *, is_compared: bool) -> Listed:
        with self._function.contained(point):
            tree = self._follower.follow(self._run(point), ChoiceBudget(self._function.limits.choices))
        return tree, self._runs(point) if is_compared else None

    def _runs(self, point: Any) -> Runs:
        with self._function.contained(point):
            return self._lister.list(self._run(point), MOST_NODES)

    def _run(self, point: Any) -> Callable[[Source], Any]:
        return partial(self._function.program, self._function.read(point), **self._parameters)

    def products(self, asked: Iterable[tuple[Any, bool]]) -> Iterator[tuple[Law[str], Runs | None]]:
        """The laws of a program that draws for each record independently, with all runs where they are compared."""
        function = self._function
        products = RecordProducts(partial(function.program, **self._parameters), function.limits.choices)
        for point, is_compared in asked:
            with function.contained(point):
                law = products.law(function.read(point))
            yield law, self._runs(point) if is_compared else None

    def moved(
        self, asked: Iterable[tuple[Any, bool]], counted: Callable[..., Law[Any]]
    ) -> Iterator[tuple[Law[str], None]]:
        """The laws of a program that only permutes swapping values; some are compared with those in closed form."""
        from stirred.verify.laws.moved_records import MovedRecords  # noqa: PLC0415 arrays, which small claims do without

        function = self._function
        moved = MovedRecords(partial(function.program, **self._parameters), function.limits.choices, self._texts)
        for point, is_compared in asked:
            with function.contained(point):
                records = function.read(point)
                law = moved.law(records)
                if is_compared and law != counted(records, **self._parameters).push(self._texts):
                    raise EngineError("the law by its images and that by counting permutations disagree")
            yield law, None

    def followed(
        self, asked: Sequence[tuple[Any, bool]], first: Listed, checked: CheckedLaws
    ) -> Iterator[tuple[Law[str], Runs | None]]:
        """The laws of a program by following all choices, with all runs where they are compared."""
        texts: dict[str, str] = {}
        for (point, _), (tree, runs) in zip(asked, self._shared(asked, first), strict=True):
            with self._function.contained(point):
                outputs = tuple(map(texts.setdefault, tree.outputs, tree.outputs))
                law = checked.law(ChoiceTree(tree.weights, outputs, tree.nodes))
            yield law, runs

    def _shared(self, asked: Sequence[tuple[Any, bool]], first: Listed) -> Iterator[Listed]:
        """The listings, one after another; in processes once they are known to take long."""
        yield first
        begun, done, jobs = time.monotonic(), 1, self._function.limits.jobs
        while done < len(asked):
            point, is_compared = asked[done]
            yield self._listed(point, is_compared=is_compared)
            done += 1
            pace = (time.monotonic() - begun) / (done - 1)
            can_be_sent = jobs > 1 and pace * (len(asked) - done) > _PATIENCE and done > 2
            if can_be_sent and _can_be_sent(self._function, self._parameters):
                from stirred.verify.evidence.process_control.worker_pool import (  # noqa: PLC0415 most claims need none
                    in_processes,
                )

                size = max(1, int(_CHUNK / pace))
                chunks = [asked[start : start + size] for start in range(done, len(asked), size)]
                listed = partial(_list_all, self._function, self._parameters)
                for found in in_processes(listed, chunks, jobs=jobs):
                    yield from found
                return


def _list_all(
    function: LibraryFunction, parameters: Mapping[str, Any], asked: Iterable[tuple[Any, bool]]
) -> list[Listed]:
    return _Listing(function, parameters).all(asked)


def _stride(nodes: int, points: int) -> int:
    """One in so many data sets is computed a second time."""
    most = max(_LEAST_COMPARED, _MOST_COMPARED // nodes)
    return max(1, -(-points // most))


def _can_be_sent(function: LibraryFunction, parameters: Mapping[str, Any]) -> bool:
    try:
        pickle.dumps((function, parameters))
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True
