"""Functions of this process run in copies of it: what is not their data and source is refused, nothing comes back."""

# ruff: noqa: S311 what is refused is no cryptography

import functools
import gc
import importlib
import math
import os
import random
import re
import resource
import secrets
import shutil
import sys
import threading
import time
import uuid
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import random as imported_by_name
from time import perf_counter as imported_clock
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.random import normal as imported_normal

from stirred.spec import InputError, multisets
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.verify.evidence.process_control.workload import Workload, watching, working
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.sandbox.forked import Forked
from stirred.verify.laws.sandbox.process import collected

POINTS = ((0,), (1,), (0, 1))
SEEDED = random.Random(5)
BOUND = SEEDED.getrandbits
GENERATOR = np.random.default_rng(5)
LEGACY = np.random.RandomState(5)
BIT_GENERATOR = np.random.PCG64(5)
DRAWS = GENERATOR.random
LEGACY_DRAWS = [LEGACY.rand]
TABLE = {"draw": random.randint, "clocks": [time.monotonic]}
NESTED = ((random.random,),)
PARTIAL = functools.partial(random.uniform, 0, 1)
CALLS = []


def laws(function, *, points=POINTS, limits=None, is_ordered=True, **parameters):
    asked = LocalFunction("mechanism", function, limits=limits or Limits())
    return asked.laws(points, parameters, is_ordered=is_ordered)


def refusal(function, **more):
    with pytest.raises(InputError) as caught:
        laws(function, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class Holder:
    """Keeps generators where a class and an object keep things."""

    __slots__ = ("clock",)
    shared: ClassVar[Any] = SEEDED

    def __init__(self) -> None:
        self.clock = time.time


HOLDER = Holder()


@dataclass(frozen=True)
class Frozen:
    """Lets nobody set what it has."""

    clock: Any = time.time


FROZEN = Frozen()


def with_default(data, source, draw=random.random):
    return int(draw() > 2)


def closing_over():
    draw = imported_by_name

    def mechanism(data, source):
        return int(draw() > 2)

    return mechanism


HIDDEN = {
    "a module": lambda data, source: int(random.random() > 2),
    "a name": lambda data, source: int(imported_by_name() > 2),
    "a default": with_default,
    "a closure": closing_over(),
    "a seeded generator": lambda data, source: int(SEEDED.random() > 2),
    "its choice": lambda data, source: SEEDED.choice((0,)),
    "a bound method": lambda data, source: BOUND(1) & 0,
    "a class attribute": lambda data, source: int(Holder.shared.random() > 2),
    "a slot": lambda data, source: int(HOLDER.clock() < 0),
    "a dictionary": lambda data, source: TABLE["draw"](0, 0),
    "a list": lambda data, source: int(TABLE["clocks"][0]() < 0),
    "a tuple in a tuple": lambda data, source: int(NESTED[0][0]() > 2),
    "a partial": lambda data, source: int(PARTIAL() > 2),
    "a generator of NumPy": lambda data, source: int(GENERATOR.random() > 2),
    "an older one": lambda data, source: int(LEGACY.rand() > 2),
    "its bits": lambda data, source: int(BIT_GENERATOR.random_raw() < 0),
    "their state": lambda data, source: GENERATOR.bit_generator.state["state"]["state"] & 0,
    "a bound method of NumPy": lambda data, source: int(DRAWS() > 2),
    "one in a list": lambda data, source: int(LEGACY_DRAWS[0]() > 2),
    "a seed's sequence": lambda data, source: int(np.random.SeedSequence(5).generate_state(1)[0] < 0),
    "a frozen object": lambda data, source: int(FROZEN.clock() < 0),
    "a function of numpy.random": lambda data, source: int(np.random.normal() > 99),
    "its name": lambda data, source: int(imported_normal() > 99),
    "a new generator": lambda data, source: int(np.random.default_rng(1).random() > 2),
    "a new Random": lambda data, source: int(random.Random(1).random() > 2),
    "os.urandom": lambda data, source: len(os.urandom(1)),
    "secrets": lambda data, source: secrets.randbelow(1),
    "uuid": lambda data, source: uuid.uuid4().int & 0,
    "the time": lambda data, source: int(time.time() < 0),
    "a clock by name": lambda data, source: int(imported_clock() < 0),
    "the date": lambda data, source: int(datetime.now().year < 0),  # noqa: DTZ005
    "the process id": lambda data, source: os.getpid() * 0,
    "an address": lambda data, source: id(data) * 0,
    "the hash of a text": lambda data, source: hash("a") * 0,
    "a thread": lambda data, source: threading.Thread(target=print).start(),
    "a variable of the environment": lambda data, source: os.environ["HOME"],
    "one that may be missing": lambda data, source: os.environ.get("FLIP", ""),
    "getenv": lambda data, source: os.getenv("FLIP") is None,
    "whether one is there": lambda data, source: "FLIP" in os.environ,
    "all of them": lambda data, source: len(dict(os.environ)),
    "a file's times": lambda data, source: os.stat(__file__).st_ctime_ns % 2,  # noqa: PTH116
    "those of a path": lambda data, source: Path(__file__).stat().st_mtime_ns % 2,
    "the time of its change": lambda data, source: int(os.path.getmtime(__file__)) % 2,  # noqa: PTH204
    "whether a file is there": lambda data, source: Path("/etc/hostname").exists(),
    "the files of a folder": lambda data, source: len(list(Path(__file__).parent.iterdir())),
    "the current folder": lambda data, source: str(Path.cwd()),
    "free space": lambda data, source: shutil.disk_usage("/").free % 2,
    "a descriptor": lambda data, source: os.fstat(0).st_ino % 2,
    "time used": lambda data, source: int(resource.getrusage(resource.RUSAGE_SELF).ru_utime),
    "memory in use": lambda data, source: sys.getallocatedblocks() % 2,
    "references": lambda data, source: sys.getrefcount(data),
    "a file": lambda data, source: len(open("/etc/hostname").read()),  # noqa: PTH123, SIM115
    "writing": lambda data, source: open("/tmp/written", "w"),  # noqa: PTH123, SIM115, S108
    "another process": lambda data, source: os.system("true"),  # noqa: S605
    "a fork": lambda data, source: os.fork(),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_not_the_source_is_refused(name):
    message = refusal(HIDDEN[name])
    assert message.startswith("mechanism: on the data set (0,): ")
    assert "is refused: a mechanism must depend on its data and its source only" in message


def test_generators_are_not_looked_for_among_all_objects(monkeypatch):
    """A million objects of a notebook would cost half a second at each audit."""

    def looked(*_):
        raise AssertionError

    for name in ("get_objects", "get_referrers"):
        monkeypatch.setattr(gc, name, looked)
    for name in ("a generator of NumPy", "a bound method of NumPy", "a bound method"):
        assert "take the generator as a parameter: def f(data, rng: np.random.Generator)" in refusal(HIDDEN[name])


def test_a_module_of_the_users_in_another_folder_is_looked_into(monkeypatch, tmp_path):
    lines = "from random import random", "TABLE = {'draw': random}", "CALLS = []"
    (tmp_path / "kept_elsewhere.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("kept_elsewhere")
    assert "random.random is refused" in refusal(lambda data, source: int(module.TABLE["draw"]() > 2))
    assert "it modifies 'CALLS'" in refusal(lambda data, source: module.CALLS.append(1) or 0)


def test_a_refusal_that_is_caught_is_one():
    def catches(data, source):
        try:
            return int(random.random() > 2)
        except Exception:
            return 0

    message = refusal(catches)
    assert message.startswith("mechanism: on the data set (0,): random.random is refused")
    assert "test_forked.py, line " in message


def test_nothing_is_refused_here_afterwards():
    refusal(HIDDEN["a name"])
    assert 0 <= imported_by_name() < 1
    assert SEEDED.random() < 1
    assert GENERATOR.random() < 1
    assert time.time() > 0
    assert "HOME" in os.environ
    assert Path(__file__).exists()
    assert datetime.now().year > 2000  # noqa: DTZ005
    assert len({id(HOLDER), id(TABLE)}) == 2
    assert HOLDER.clock is time.time


def test_closures_parameters_and_objects_run():
    class Mechanism:
        def __init__(self, shift):
            self.shift = shift

        def __call__(self, data, source, *, scale):
            return self.shift + scale * source.uniform(2)

        def method(self, data, source):
            return self.shift

    shifted = Mechanism(3)
    assert laws(shifted, scale=2).laws[(0,)].support == ("3", "5")
    assert laws(shifted.method).laws[(0,)].support == ("3",)
    assert laws(functools.partial(shifted, scale=4)).laws[(0,)].support == ("3", "7")
    assert LocalFunction("mechanism", shifted).name.endswith(
        ":test_closures_parameters_and_objects_run.<locals>.Mechanism"
    )


def test_libraries_may_be_imported_and_numpy_computes():
    def mechanism(data, source):
        import colorsys  # noqa: PLC0415

        return int(np.sum(np.array(data))) + int(colorsys.rgb_to_hsv(0, 0, 0)[2]) + math.floor(source.uniform(2))

    assert laws(mechanism).laws[(1,)].support == ("1", "2")


class Elsewhere:
    """A class as some libraries have it, whose module is a property of its objects."""

    __module__ = property(lambda self: "elsewhere")


def test_a_class_without_the_name_of_its_module_is_no_obstacle():
    assert isinstance(Elsewhere.__module__, property)
    assert laws(lambda data, source: source.uniform(2)).laws[(1,)].support == ("0", "1")


def test_what_is_printed_goes_to_stderr_and_what_is_raised_into_one_line(capfd):
    laws(lambda data, source: print("a word") or 0)
    captured = capfd.readouterr()
    assert captured.err.count("a word") == len(POINTS)
    assert captured.out == ""

    def raises(data, source):
        raise ValueError("two\nlines")

    assert "it raised ValueError: two" in refusal(raises)


@pytest.mark.parametrize("ends", [os._exit, os.abort])
def test_ending_the_process_is_no_law(ends):
    assert "its process" in refusal(lambda data, source: ends(*(() if ends is os.abort else (0,))))


def children():
    """The child processes of this one, those that ended and were not waited for included."""
    return {child for listed in Path("/proc/self/task").glob("*/children") for child in listed.read_text().split()}


def test_one_that_never_ends_is_stopped():
    def loops(data, source):
        while True:
            pass

    begun, before = time.monotonic(), children()
    assert "took more than 1 s" in refusal(loops, limits=Limits(seconds=1))
    assert time.monotonic() - begun < 10
    assert children() <= before


def test_a_formula_where_a_number_is_needed_is_told_what_it_is():
    message = refusal(lambda data, source, *, base: source.bernoulli(Fraction(base)), base=OpenParameter())
    assert "base stands for all values in (0, 1); combine it by + - * / ** with exact numbers only" in message
    message = refusal(lambda data, source, *, base: data[base], base=OpenParameter())
    assert message.endswith("; base stands for a formula: combine it by + - * / ** with exact numbers only")
    assert "formula" not in refusal(lambda data, source, *, base: data + base, base=1)


def test_what_a_collection_of_garbage_calls_is_not_the_functions():
    asked = [lambda phase, info: time.perf_counter()]
    gc.callbacks.extend(asked)
    try:
        assert laws(lambda data, source: gc.collect() * 0).laws[(0,)].support == ("0",)
    finally:
        gc.callbacks.remove(asked[0])


def test_a_refusal_waits_for_no_other_run():
    def refused(_):
        raise InputError("the first")

    def endless(_):
        while True:
            pass

    begun = [functools.partial(Forked, task, Path.cwd(), 20) for task in (refused, endless)]
    with pytest.raises(InputError, match="the first"):
        collected(begun, seconds=20, what="two tasks")


def test_invariants_are_values_of_the_data_only():
    function = LocalFunction("invariants[0]", lambda data: (len(data), sum(data)))
    assert function.values(POINTS, is_ordered=True)[(0, 1)] == "(2, 1)"


@pytest.mark.parametrize(
    ("invariant", "points", "message"),
    [
        (lambda data: None, POINTS, "must return a value; it returned None"),
        (lambda data: data[0], multisets((0, 1), [2]).points, "must not depend on the order of records"),
        (lambda data: CALLS.append(1) or len(CALLS), POINTS, "is not deterministic"),
    ],
)
def test_other_invariants_are_refused(invariant, points, message):
    with pytest.raises(InputError, match=message):
        LocalFunction("invariants[0]", invariant).values(points, is_ordered=points is POINTS)


def told_while_it_runs(function, points):
    told = []
    with watching(lambda *where: told.append(where)):
        LocalFunction("mechanism", function).laws(points, {}, is_ordered=False)
    return told


def test_whoever_watches_is_told_how_many_data_sets_are_done():
    points = tuple(product(range(3), repeat=2))
    told = told_while_it_runs(lambda data, source: (sum(data), source.bernoulli(Fraction(1, 2))), points)
    assert (told[0], told[-1]) == (("laws", 0, 9), ("laws", 9, 9))
    assert all(before[1] < after[1] for before, after in pairwise(told))


def test_counts_beyond_the_data_sets_are_not_believed():
    def task(done):
        for _ in range(1_000):
            done()
        return {"values": []}

    told = []
    with watching(lambda *where: told.append(where)), Workload().part("laws", 9) as part:
        begun = [functools.partial(Forked, task, Path.cwd(), 60) for _ in range(2)]
        collected(begun, seconds=60, what="mechanism", part=part)
    assert told[-1] == ("laws", 9, 9)


def test_what_would_take_too_long_is_refused_while_it_runs():
    def late(data, source):
        return data, sum(range(2_000_000)) > 0 and source.bernoulli(Fraction(1, 2))

    points = tuple(product(range(20), repeat=3))
    message = r"the audit would take about \d+ s, more than 20 s: laws, (\d+) of 8000 done"
    with pytest.raises(InputError, match=message) as refused, working("the audit", 20):
        told_while_it_runs(late, points)
    assert int(re.search(message, str(refused.value))[1]) < 2000  # however fast the machine is: the rest is not awaited


def test_a_process_with_many_open_files_has_its_functions_audited():
    """As the kernel of a notebook: a copy of it may open files of its own beside those that it has already."""

    def flipped(data, source):
        return len(data) % 2 if source.bernoulli(Fraction(1, 4)) else 0

    ends = [os.pipe() for _ in range(64)]
    try:
        assert laws(flipped)
    finally:
        for end in (end for pair in ends for end in pair):
            os.close(end)
