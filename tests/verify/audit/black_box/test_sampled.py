"""Mechanisms are drawn from in other processes, as their signatures ask, and the same again for the same seed.

Looks refute sound mechanisms no more often than is said, and broken ones soon.
"""

import hashlib
import math
import random
import sys
import time
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.source import Source
from stirred.spec import InputError, Law
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, TotalVariation
from stirred.verify.audit.black_box.black_boxes import Called, Imported
from stirred.verify.audit.black_box.commands import Command
from stirred.verify.audit.black_box.confidence import event_ends, looks_shares, lower_end
from stirred.verify.audit.black_box.events import learned_event
from stirred.verify.audit.black_box.interim_analyses import Look, Plan, looks, objective_of
from stirred.verify.audit.black_box.outputs import plain_output, seen
from stirred.verify.audit.black_box.sampling import look_sizes
from stirred.verify.audit.black_box.workers import Drawers, OutOfTimeError
from stirred.verify.engines.inference.power import binomial_bounds

ERRORS = [Fraction(1, 2), Fraction(1, 20), Fraction(1, 10**6)]
shares = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=40)


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


@pytest.mark.parametrize(("k", "n"), [(1, 1), (1, 7), (3, 10), (10, 10), (40, 60)])
@pytest.mark.parametrize("error", ERRORS)
def test_the_lower_end_is_nearly_the_last_one_whose_exact_tail_is_small_enough(k, n, error):
    low = lower_end(k, n, error)
    assert tail(k, n, low) <= error
    farther = low + (Fraction(k, n) - low) / 1000
    assert tail(k, n, farther) > error or error == Fraction(1, 2)


@pytest.mark.parametrize(("k", "n"), [(3, 1000), (300, 1000), (999, 1000), (4_000, 10_000)])
def test_it_agrees_with_the_sum_of_the_tail(k, n):
    low, other = lower_end(k, n, ERRORS[2]), binomial_bounds(k, n, ERRORS[2])[0]
    assert low <= other + Fraction(1, 2**47)
    assert other - low <= (Fraction(k, n) - other) / 1000


def test_the_ends_of_an_event_fail_no_more_often_than_is_said():
    error, n, p, q = Fraction(1, 5), 9, Fraction(7, 10), Fraction(1, 5)
    wrong = Fraction(0)
    for k in range(n + 1):
        for m in range(n + 1):
            low, high = event_ends(k, n, m, n, error)
            if low > p or high < q:
                wrong += comb(n, k) * p**k * (1 - p) ** (n - k) * comb(n, m) * q**m * (1 - q) ** (n - m)
    assert 0 < wrong <= error


@given(st.tuples(shares, shares, shares, shares).map(sorted))
def test_laws_of_the_ends_are_nearer_to_each_other_than_those_of_the_event(ends):
    q_true, q, p, p_true = ends
    if q == p:
        return
    coin = {end: Law({1: end, 0: 1 - end}) for end in ends}
    for measure in (Multiplicative(), TotalVariation()):
        assert measure.at_most(measure.distance(coin[p], coin[q]), measure.distance(coin[p_true], coin[q_true]))


def test_the_shares_of_looks_add_up_to_the_error():
    for number in range(1, 8):
        assert sum(looks_shares(Fraction(1, 7), number)) == Fraction(1, 7)


def test_counts_and_errors_that_are_none_are_refused():
    for counts in (
        (2, 1, ERRORS[0]),
        (0, 0, ERRORS[0]),
        (1, 2, Fraction(1)),
        (1, 10**9, ERRORS[0]),
        (0, 1, Fraction(0)),
    ):
        with pytest.raises(InputError):
            lower_end(*counts)


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
    with pytest.raises(InputError, match="on the data set 10: TypeError"):
        outputs(Called(lambda data: None if data - 10 else len(data)), count=1)
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


PURE = objective_of(Multiplicative(), 1)


def draws(mechanism, data, seed, count=4_000):
    rng = np.random.default_rng(seed)
    return [seen(plain_output(mechanism(data, rng))) for _ in range(count)]


def ratio(mechanism, x, y):
    """The likelihood ratio, on fresh draws, of the event that is learned."""
    found = learned_event(draws(mechanism, x, 1), draws(mechanism, y, 2), PURE)
    inside, outside = (sum(one in found[1] for one in draws(mechanism, data, seed)) for data, seed in ((x, 3), (y, 4)))
    return inside / (outside + 1), str(found[1])


def test_of_few_values_the_likeliest_are_chosen():
    found, text = ratio(lambda data, rng: (data + rng.integers(3)) % 5, 0, 2)
    assert found > 100
    assert text == "the output is 0 or 1"


def test_a_threshold_is_found_in_continuous_outputs():
    found, text = ratio(lambda data, rng: round(data + rng.normal(), 6), 0, 3)
    assert found > 30
    assert text.startswith("number 0 is in (-oo, ")


def test_the_last_binary_digit_tells_textbook_laplace_noise_apart():
    found, text = ratio(lambda data, rng: data + rng.laplace(), 0, 1)
    assert found > 100
    assert "binary digit" in text


def test_a_shift_of_every_entry_is_found_in_a_vector():
    found, _ = ratio(lambda data, rng: (data + rng.normal(scale=4, size=12)).round(1), 0, 2)
    one, _ = ratio(lambda data, rng: (data + rng.normal(scale=4, size=1)).round(1), 0, 2)
    assert found > 2 * one > 2


def test_where_an_output_ends_is_seen_in_its_shape():
    def until(data, rng):
        return [None] * int(rng.geometric(data)) + [round(rng.normal(), 6)]

    found, text = ratio(until, 0.9, 0.2)
    assert found > 3
    assert "shape (None, '#')" in text


def test_what_stands_where_is_seen_in_a_vector_with_gaps():
    def answers(data, rng):
        return [True if rng.random() < share else None for share in data]

    x, y = [0.6] * 6 + [0.4] * 6, [0.4] * 6 + [0.6] * 6
    assert ratio(answers, x, y)[0] > 3


def test_what_cannot_be_told_apart_is_not():
    found, _ = ratio(lambda data, rng: int(rng.integers(100)), 0, 1)
    assert 0.5 < found < 2


def test_outputs_of_libraries_are_plain_values():
    values = [np.float32(1.5), np.array([[1, 2]]), {"b": (1,), "a": {2, 1}}, np.True_, b"x", float("nan"), float("inf")]
    assert plain_output(values) == (1.5, ((1, 2),), (("a", (1, 2)), ("b", (1,))), True, b"x", "nan", float("inf"))
    assert all(math.isfinite(number) for number in seen(plain_output(values)).numbers)


def test_an_event_is_the_same_for_the_same_draws():
    def shuffled(data, rng):
        return tuple(rng.permutation(data).tolist())

    texts = {ratio(shuffled, (1, 2, 3, 4), (4, 4, 2, 1))[1] for _ in range(2)}
    assert len(texts) == 1


ERROR = Fraction(1, 10)


class Coins:
    """Draws of coins of several entries, without a process."""

    def __init__(self, seed, *rates):
        self.seed, self.rates = seed, rates

    def draw(self, place, purpose, count):
        digest = hashlib.sha256(f"{self.seed} {place} {purpose}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8]))
        return [tuple(row) for row in (rng.random((count, 2)) < self.rates[place]).tolist()]


def refuted(look, gamma):
    return look.q < look.p and (not look.q or Loss(look.p / look.q) > Loss(gamma))


def test_sound_mechanisms_are_refuted_no_more_often_than_is_said():
    # both entries are coins of 3/4 and 1/4, so that the loss is exactly ln 9
    runs, false, above = 120, 0, 0
    for seed in range(runs):
        taken = list(looks(Coins(seed, 0.75, 0.25), [(0, 1, 1)], Plan(Multiplicative(), (200, 400), ERROR)))
        false += any(refuted(look, 9) for look in taken)
        above += any(look.inside > 9 * look.inside_prime for look in taken)
    chance = 1 - sum(comb(runs, k) * ERROR**k * (1 - ERROR) ** (runs - k) for k in range(false))
    assert chance > Fraction(1, 1000)
    assert above > runs // 3  # the rates themselves would refute every other one


def test_a_broken_one_is_refuted_at_the_first_look():
    look = next(looks(Coins(1, 0.9, 0.1), [(0, 1, 1)], Plan(Multiplicative(), (500, 2_000), Fraction(1, 10**6))))
    assert refuted(look, 9)
    assert "True, True" in look.event or "False, False" in look.event


def test_the_pair_that_leaks_is_kept():
    rates = [0.5] * 7 + [0.8]
    pairs = [(place, other, 1) for place in range(8) for other in range(place)]
    first, second = looks(Coins(3, *rates), pairs, Plan(Multiplicative(), (500, 8_000), ERROR))
    assert 7 in (first.x, first.x_prime)
    assert len(first.left) == 8
    assert (second.x, second.x_prime) in {(x, y) for x, y, _ in first.left} | {(y, x) for x, y, _ in first.left}


def test_a_slight_leak_is_found_among_many_pairs():
    rates = [0.5] * 5 + [0.55]
    pairs = [(place, other, 1) for place in range(6) for other in range(place)]
    *_, last = looks(Coins(4, *rates), pairs, Plan(Multiplicative(), look_sizes(30_000), ERROR))
    assert 5 in (last.x, last.x_prime)
    assert last.p > last.q


@pytest.mark.parametrize("measure", [ApproximateMultiplicative(Fraction(1, 100)), NormalizedRenyi(), TotalVariation()])
def test_every_premetric_has_an_event(measure):
    (look,) = looks(Coins(1, 0.8, 0.2), [(0, 1, 2)], Plan(measure, (2_000,), ERROR))
    assert look.p - look.q > Fraction(2, 5)


def test_a_look_is_the_same_from_its_record():
    (look,) = looks(Coins(1, 0.8, 0.2), [(0, 1, Fraction(1, 2))], Plan(Multiplicative(), (500,), ERROR))
    assert Look.of_record(look.record()) == look
    with pytest.raises(InputError, match="an earlier run"):
        Look.of_record({**look.record(), "error": "much"})


def test_looks_grow_up_to_the_draws_that_are_allowed():
    assert look_sizes(10) == (10,)
    assert all(sum(look_sizes(draws)[:-1]) < draws for draws in (10, 999, 1_001, 5_000, 10**6))
    with pytest.raises(InputError, match="at most"):
        look_sizes(10**9)
