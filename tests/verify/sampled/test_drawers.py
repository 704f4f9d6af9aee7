"""Mechanisms are drawn from in other processes, as their signatures ask, and the same again for the same seed."""

import random
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from stirred.mechanisms.source import Source
from stirred.spec import InputError
from stirred.verify.sampled.boxes import Called, Imported
from stirred.verify.sampled.commands import Command
from stirred.verify.sampled.workers import Drawers, OutOfTimeError

PROGRAM = """\
import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["data"] == ["bad"]:
        print(json.dumps({"error": "no such data"}), flush=True)
    else:
        drawn = random.Random(asked["seed"]).random() < asked["parameters"]["share"]
        print(json.dumps({"output": [drawn, asked["data"]]}), flush=True)
"""


def by_numpy(data, rng):
    return data + rng.normal()


def by_random(data, rng: random.Random):
    return data + rng.random()


def by_source(data, source: Source, *, share):
    return source.bernoulli(share) + data


def by_itself(data):
    return data + np.random.normal() + random.random()  # noqa: S311 as users write it


def outputs(box, *, count=600, jobs=1, seed=5, points=(0, 10), seconds=30):
    with Drawers(box, points, seed=seed, jobs=jobs, deadline=time.monotonic() + seconds) as drawers:
        return [drawers.draw(place, "test", count) for place in range(len(points))]


@pytest.mark.parametrize("function", [by_numpy, by_random, by_itself, lambda data, rng=None: data])
def test_draws_are_the_same_for_a_seed_whatever_the_number_of_processes(function):
    first = outputs(Called(function))
    assert first == outputs(Called(function), jobs=3)
    assert all(len(one) == 600 for one in first)
    assert min(first[1]) - max(first[0]) > 0
    if function is by_numpy:
        assert first != outputs(Called(function), seed=6)
        assert len(set(first[0])) == 600


def test_a_source_is_given_where_one_is_asked_for():
    (drawn,) = outputs(Called(by_source, {"share": Fraction(1, 4)}), points=(3,))
    assert set(drawn) == {3, 4}
    assert 100 < drawn.count(4) < 200


def test_what_is_bound_already_is_no_generator():
    assert outputs(Called(lambda data, share: data + share, {"share": Fraction(1, 2)}), count=2) == [
        [0.5] * 2,
        [10.5] * 2,
    ]


def test_a_function_of_a_file_is_imported_where_it_is_drawn_from(tmp_path):
    (tmp_path / "elsewhere.py").write_text("import ctypes, time\nSTATE = [0]\ndef noisy(data, rng):\n    return data\n")
    assert outputs(Imported("claim", "elsewhere:noisy", tmp_path, {}), count=3) == [[0] * 3, [10] * 3]
    assert "elsewhere" not in sys.modules
    with pytest.raises(InputError, match="has no function 'other'"):
        outputs(Imported("claim", "elsewhere:other", tmp_path, {}))
    with pytest.raises(InputError, match="cannot be imported: ModuleNotFoundError"):
        outputs(Imported("claim", "nowhere:noisy", tmp_path, {}))


def test_a_command_answers_line_by_line(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    box = Command("claim", (sys.executable, "program.py"), tmp_path, {"share": 1})
    first = outputs(box, points=([0], ["a", (1, 2)]))
    assert first[1][0] == (True, ("a", (1, 2)))
    assert first == outputs(box, points=([0], ["a", (1, 2)]))
    with pytest.raises(InputError, match="the program answers: no such data"):
        outputs(box, points=(["bad"],))


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("print('hello', flush=True)\nimport sys\nsys.stdin.read()", "an answer must be one line"),
        ("raise SystemExit(3)", "ended before it had answered, with status 3"),
    ],
)
def test_a_program_that_does_not_answer_is_refused(tmp_path, program, message):
    (tmp_path / "program.py").write_text(program)
    with pytest.raises(InputError, match=message):
        outputs(Command("claim", (sys.executable, "program.py"), tmp_path, {}))


def test_a_program_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="cannot be started: No such file"):
        outputs(Command("claim", ("no-such-program",), Path.cwd(), {}))


def test_what_a_mechanism_raises_is_said_with_its_data_set():
    with pytest.raises(InputError, match="on the data set 10: ZeroDivisionError"):
        outputs(Called(lambda data: 1 // (data - 10)), count=1)
    with pytest.raises(InputError, match="an output must be made of numbers"):
        outputs(Called(lambda data: object()), count=1)
    with pytest.raises(InputError, match="ended by itself"):
        outputs(Called(lambda data: __import__("os")._exit(3)), count=1)


def test_a_mechanism_that_never_ends_is_ended():
    begun = time.monotonic()
    with pytest.raises(OutOfTimeError):
        outputs(Called(lambda data: time.sleep(60)), seconds=1)
    assert time.monotonic() - begun < 10


def test_what_a_mechanism_prints_and_changes_stays_there(capfd):
    kept = []

    def loud(data):
        print("loud")
        kept.append(data)
        return len(kept)

    assert outputs(Called(loud), count=2) == [[1, 2], [3, 4]]
    assert kept == []
    assert capfd.readouterr().out == ""
