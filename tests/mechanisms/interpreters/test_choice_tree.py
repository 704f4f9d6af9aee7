"""Two listings of what a program does, and the law that each gives; what was listed before changes neither."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.interpreters import run_lister
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, ChoiceFollower, follow
from stirred.mechanisms.interpreters.choice_path import ATTEMPT, CHOICE, KINDS, RESTART, RESULT
from stirred.mechanisms.interpreters.choice_runs import REJECT, Runs, has_cuts, run_masses
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree, tree_law, tree_masses
from stirred.mechanisms.interpreters.choice_weights import WeightRows
from stirred.mechanisms.interpreters.loop_masses import loop_masses
from stirred.mechanisms.interpreters.run_lister import RunLister, RunRows, list_runs
from stirred.spec import SYMBOL, InputError

COIN = (Fraction(1, 3), Fraction(2, 3))


@st.composite
def programs(draw: st.DrawFn, depth: int = 4):
    """Programs as nested instructions: choices, attempts with restarts, outputs."""
    kind = draw(st.sampled_from(["output", "choice", "attempt", "restart"])) if depth else "output"
    if kind == "output":
        return kind, draw(st.integers(0, 3))
    if kind == "restart":
        return kind, draw(st.integers(1, 3))
    if kind == "attempt":
        return kind, draw(programs(depth - 1)), draw(st.lists(programs(depth - 1), min_size=1, max_size=2))
    weights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3).filter(any))
    return kind, [Fraction(w, sum(weights)) for w in weights], [draw(programs(depth - 1)) for _ in weights]


def run(program, source):
    kind, *rest = program
    if kind == "output":
        return rest[0]
    if kind == "restart":
        # never with probability 1
        return source.restart() if source.uniform(1 + rest[0]) else 3
    if kind == "choice":
        return run(rest[1][source.choose(rest[0])], source)
    result = source.attempt(lambda inner: run(rest[0], inner))
    return run(rest[1][result % len(rest[1])], source)


@given(programs())
def test_both_listings_give_one_law(program):
    law = tree_law(follow(lambda source: run(program, source), ChoiceBudget(10**6)))
    assert run_masses(list_runs(lambda source: run(program, source), 10**6), lambda weight: weight) == dict(law)


NO_TREES = [[], [0], [0, 1], [0, 1, 1, 1], [3], [3, 1], [3, 2, 1], [4, 1, 1], [0, 1, 5], [1, 1], [2], [3, 5, 1]]


@pytest.mark.parametrize("nodes", NO_TREES)
def test_numbers_that_are_no_tree_are_refused(nodes):
    with pytest.raises(InputError):
        tree_law(ChoiceTree([COIN], ["a"], nodes))
    with pytest.raises(InputError):
        tree_law(ChoiceTree([COIN], ["a", "b", "c"], nodes))
    assert dict(tree_law(ChoiceTree([COIN], ["a", "b"], [0, 1, 5]))) == {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    # an attempt whose body restarts with 1/3
    assert dict(tree_law(ChoiceTree([COIN], ["a"], [3, 0, 2, 1, 1]))) == {"a": Fraction(1)}


@pytest.mark.parametrize("nodes", [[], [0], [0, 1], [0, 1, 1, 1], [3], [5, 1, 1], [0, 1, 6], [1, 1], [2], [0, 2, 2]])
def test_numbers_that_are_no_runs_are_refused(nodes):
    with pytest.raises(InputError):
        run_masses(Runs([COIN], ["a"], nodes), lambda weight: weight)
    # last outcome first: b has 2/3
    assert run_masses(Runs([COIN], ["b", "a"], [0, 1, 6]), lambda w: w) == {"b": Fraction(2, 3), "a": Fraction(1, 3)}


def test_a_sure_restart_is_refused_where_rounding_makes_it_more_than_sure():
    row = tuple(Fraction(weight, 24) for weight in (1, 7, 7, 1, 8))
    assert sum(map(float, reversed(row))) > 1
    with pytest.raises(InputError, match="restarts with probability 1"):
        run_masses(Runs([row], [], [0, *[REJECT] * 5]), float)


def test_a_run_is_cut_at_the_first_choice_before_which_it_is_too_improbable():
    told: list[list[Fraction]] = []

    def program(source: Any) -> None:
        reached: list[Fraction] = [Fraction(1)]
        told.append(reached)
        while True:
            taken = source.attempt(lambda inner: inner.bernoulli(Fraction(1, 3)))
            reached.append(reached[-1] * (Fraction(1, 3) if taken else Fraction(2, 3)))

    least = Fraction(1, 20)
    runs = list_runs(program, 10_000, least=least)
    assert has_cuts(runs.nodes)
    assert not runs.outputs
    assert all(reached[-1] < least <= reached[-2] for reached in told)
    assert sum(reached[-1] for reached in told) == 1


def test_a_choice_of_another_kind_where_one_was_made_before_is_noticed():
    kinds = iter([True, False, True, False])

    def program(source):
        return source.uniform(2) if next(kinds) else source.attempt(lambda inner: inner.uniform(2))

    with pytest.raises(InputError, match="two runs on the same choices differed"):
        follow(program, ChoiceBudget(10))


@pytest.mark.parametrize("listing", [lambda program: follow(program, ChoiceBudget(9)), lambda p: list_runs(p, 9)])
def test_other_weights_where_a_choice_was_made_before_are_noticed(listing):
    weights = iter([(Fraction(1, 2),) * 2, (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2),) * 2])
    with pytest.raises(InputError, match="two runs on the same choices differed"):
        listing(lambda source: source.choose(next(weights)))


@pytest.mark.parametrize("listing", [lambda program: follow(program, ChoiceBudget(9)), lambda p: list_runs(p, 99)])
def test_fewer_choices_than_before_are_noticed(listing):
    calls = iter(range(100))

    def program(source):
        return source.uniform(2) + source.uniform(2) if next(calls) == 0 else 0

    with pytest.raises(InputError, match="two runs on the same choices differed"):
        listing(program)


def tree(listing: Any, program: Callable[[Any], Any]) -> Any:
    return listing.follow(program, ChoiceBudget(10**4))


def runs(listing: Any, program: Callable[[Any], Any]) -> Any:
    return listing.list(program, 10**5)


LISTINGS = [
    (ChoiceFollower, tree, lambda program: follow(program, ChoiceBudget(10**4))),
    (RunLister, runs, lambda program: list_runs(program, 10**5)),
]


def parts(listed: Any) -> tuple[Any, ...]:
    return listed.weights, listed.outputs, list(listed.nodes)


class Watched:
    """A program that keeps what its runs were told."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.told: list[list[Any]] = []

    def __call__(self, source: Any) -> Any:
        told: list[Any] = []
        self.told.append(told)
        choose = source.choose

        class Telling:
            restart = source.restart
            uniform = source.uniform
            attempt = source.attempt

            @staticmethod
            def choose(weights: Any) -> int:
                told.append(choose(weights))
                return told[-1]

        return run(self.program, Telling())


@pytest.mark.parametrize(("kind", "listed", "alone"), LISTINGS)
@given(st.lists(programs(), min_size=2, max_size=4))
def test_whatever_was_followed_before_a_program_is_run_and_listed_alike(kind, listed, alone, several):
    listing = kind()
    for program in [one for each in several for one in (each, each)]:
        guessed, fresh = Watched(program), Watched(program)
        assert parts(listed(listing, guessed)) == parts(alone(fresh))
        assert guessed.told[-len(fresh.told) :] == fresh.told
        if kind is ChoiceFollower:  # the other one begins anew where a guess fails
            assert len(guessed.told) == len(fresh.told)


def bits(depth: int, last: Fraction, *, longer: bool):
    def program(source: Any) -> Any:
        found = [source.bernoulli(Fraction(1, 3)) for _ in range(depth)]
        if found[-1]:
            found.append(source.bernoulli(last))
        return (*found, longer and source.attempt(lambda inner: inner.uniform(2)))

    return program


@pytest.mark.parametrize(("kind", "listed", "alone"), LISTINGS)
@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("last", [(Fraction(1, 3), False), (Fraction(1, 5), False), (Fraction(0), False), (1, True)])
def test_a_guess_that_fails_at_any_place_is_given_up(kind, listed, alone, depth, last):
    listing, first = kind(), bits(3, Fraction(1, 3), longer=False)
    for program in (first, bits(depth, last[0], longer=last[1]), first):
        assert parts(listed(listing, program)) == parts(alone(program))


@pytest.mark.parametrize(("kind", "listed", "alone"), LISTINGS)
@pytest.mark.parametrize("change", range(1, 9))
def test_a_program_that_changes_is_told_by_the_same_run_behind_a_guess(kind, listed, alone, change):
    """From some run on, on the second data set, it makes one choice alone; where half of its runs are done it may."""

    def changing() -> Callable[[Any], Any]:
        calls = iter(range(100))
        return lambda source: tuple(source.uniform(2) for _ in range(3 if next(calls) < change else 1))

    def found(listing: Callable[[Any], Any]) -> Any:
        try:
            return parts(listing(changing()))
        except InputError as error:
            return str(error)

    listing = kind()
    listed(listing, lambda source: tuple(source.uniform(2) for _ in range(3)))
    behind = found(lambda program: listed(listing, program))
    if kind is ChoiceFollower:
        assert behind == found(alone)
    # what begins anew does so otherwise, also where half of the runs were done
    unnoticed = (4, 8) if kind is ChoiceFollower else (8,)
    assert ("two runs on the same choices differed" in behind) == (change not in unnoticed)


@pytest.mark.parametrize(("kind", "listed", "alone"), LISTINGS)
def test_a_guess_that_fails_behind_several_weights_keeps_them(kind, listed, alone):
    shares = [Fraction(1, n) for n in (3, 4, 5, 6)]

    def ending(last: Fraction) -> Callable[[Any], Any]:
        return lambda source: tuple(source.bernoulli(p) for p in (*shares, last))

    listing = kind()
    for last in (Fraction(1, 7), Fraction(1, 8), Fraction(1, 3)):
        assert parts(listed(listing, ending(last))) == parts(alone(ending(last)))


@pytest.mark.parametrize(("kind", "listed", "alone"), LISTINGS)
def test_weights_are_looked_at_on_the_first_data_set_alone(monkeypatch, kind, listed, alone):
    """Paths are kept, and guessed on each data set after that."""
    looked_at = []
    rows = WeightRows if kind is ChoiceFollower else RunRows
    row = rows.row
    monkeypatch.setattr(rows, "row", lambda self, *asked: looked_at.append(asked) or row(self, *asked))
    half, third = Fraction(1, 2), Fraction(1, 3)
    listing, counts = kind(), []
    for data in range(4):
        listed(listing, lambda source, data=data: (data, source.bernoulli(half), source.bernoulli(third)))
        counts.append(len(looked_at))
    assert counts[0] > 0
    assert counts == counts[:1] * 4


def calls_on(lister: RunLister, *depths: int) -> list[int]:
    """How often a program is called on one data set after another, where it tosses so many coins."""
    found = []
    for depth in depths:
        calls: list[int] = []
        lister.list(
            lambda source, calls=calls, depth=depth: calls.append(1) or [source.uniform(2) for _ in range(depth)], 99
        )
        found.append(len(calls))
    return found


def test_runs_are_played_again_until_three_data_sets_in_a_row_had_others():
    """Two or four runs are listed; one, the first that is another one, is played before where they are guessed."""
    assert calls_on(RunLister(tuple), 1, 2, 2, 1, 2, 2, 1) == [2, 5, 4, 3, 5, 4, 3]
    assert calls_on(RunLister(tuple), 1, 2, 1, 2, 1, 2, 2) == [2, 5, 3, 5, 2, 4, 4]
    assert calls_on(RunLister(tuple), 1, 2, 2, 1, 2, 1, 2, 2) == [2, 5, 4, 3, 5, 3, 4, 4]


@pytest.mark.parametrize(("most", "calls"), [(3, [3, 3]), (2, [3, 2])])
def test_no_more_places_are_kept_than_may_be(monkeypatch, most, calls):
    """Three runs of one choice, then two; where those are kept, one of them is played before."""
    monkeypatch.setattr(run_lister, "_MOST_PLACES", most)
    lister = RunLister()
    found = []
    for extra in (0, 1):
        seen: list[int] = []
        lister.list(lambda source, seen=seen, extra=extra: seen.append(1) or source.uniform(3 - extra), 99)
        found.append(len(seen))
    assert found == calls


def tossed(number: int, weights: Any = (Fraction(1, 2), Fraction(1, 2))) -> Callable[[Any], Any]:
    return lambda source: tuple(source.choose(weights) for _ in range(number))


def test_a_run_is_as_long_as_may_be_and_no_longer():
    with pytest.raises(InputError, match="more than 1000 choices; write a loop"):
        list_runs(tossed(1001), 10**5)
    with pytest.raises(InputError, match="the runs of the mechanism have more than 5000"):
        list_runs(tossed(1000), 5000)
    assert len(list_runs(tossed(1500, (1,)), 1501).nodes) == 1501
    with pytest.raises(InputError, match="the runs of the mechanism have more than 9"):
        list_runs(tossed(9, (1,)), 9)
    with pytest.raises(InputError, match="one run of the mechanism made more than 9"):
        list_runs(tossed(10, (1,)), 9)
    with pytest.raises(InputError, match="one run of the mechanism made more than 9"):
        list_runs(lambda source: [source.attempt(lambda _: 0) for _ in range(6)], 9)


def test_a_run_is_cut_below_what_is_least_and_not_at_it():
    assert not has_cuts(list_runs(tossed(3), 99, least=Fraction(1, 4)).nodes)
    assert has_cuts(list_runs(tossed(3), 99, least=Fraction(1001, 4000)).nodes)


def test_weights_are_recognised_by_their_object_and_by_their_numbers():
    shares = [Fraction(1, n) for n in range(2, 7)]
    checked: list[Any] = []

    def given(p: Fraction) -> tuple[Fraction, Fraction]:
        checked.append(p)
        return 1 - p, p

    rows = RunRows()
    first = [rows.row(p, given) for p in shares for _ in range(2)][::2]
    assert [rows.row(p, given) for p in shares] == first
    assert [rows.row(Fraction(1, n), given) for n in range(2, 7)] == first
    assert checked == shares
    assert [one.number for one in first] == [0, 1, 2, 3, 4]
    assert [one.asked for one in first] == shares
    halves = [Fraction(1, 2), Fraction(1, 2)]
    assert rows.row(halves, tuple).asked is run_lister.ANY
    assert rows.row(tuple(halves), tuple).number == 0
    halves[:] = 0, 1
    assert rows.row(halves, tuple).possible == (1,)
    checked.clear()
    for kind in (tuple, list, tuple, list):
        rows.row(kind([1, Fraction(0)]), lambda weights: checked.append(weights) or weights)
    assert checked == [(1, 0), [1, 0]]
    with pytest.raises(InputError, match="weight 0"):
        rows.row((0.5, Fraction(1, 2)), tuple)


@pytest.mark.parametrize(("kind", "listed", "alone"), LISTINGS)
def test_a_guess_counts_as_choices(kind, listed, alone):
    def program(source: Any) -> Any:
        return source.uniform(2) + source.uniform(2)

    listing = kind()
    listed(listing, program)
    with pytest.raises(InputError, match="more than 2 choices"):
        listing.follow(program, ChoiceBudget(2)) if kind is ChoiceFollower else listing.list(program, 2)


def test_one_tree_and_nothing_after_it_has_masses():
    with pytest.raises(InputError, match="exactly one tree"):
        tree_masses([], [RESULT, KINDS + RESULT])


def grown(draw, depth, results):
    """The nodes of a random tree over weights 0 to 3 of two outcomes each, with attempts, rejections and results."""
    kind = draw.random()
    if depth == 0 or kind < 0.1:
        return [KINDS * results.setdefault(draw.randrange(6), len(results)) + RESULT]
    if kind < 0.2:
        return [ATTEMPT, CHOICE, RESTART, RESULT, *grown(draw, depth - 1, results)]
    return [KINDS * draw.randrange(4) + CHOICE, *(one for _ in range(2) for one in grown(draw, depth - 1, results))]


def test_masses_are_the_fractions_that_fractions_give():
    sizes = set()
    for seed in range(40):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        shares = [Fraction(draw.randint(1, 9), draw.randint(10, 10**6)) for _ in range(4)]
        weights, results = [(share, 1 - share) for share in shares], {}
        nodes = grown(draw, 6, results)
        found = tree_masses(weights, nodes)
        assert found == tree_masses(weights, nodes, lambda weight: weight)
        assert {type(mass) for mass in found} == {Fraction}
        assert sum(found) == 1
        sizes.add(len(found))
    assert max(sizes) > 3


def test_masses_are_numbers_of_the_kind_that_is_asked_for():
    share = SYMBOL
    weights = [COIN, (share, 1 - share)]
    nodes = [CHOICE, RESULT, KINDS + CHOICE, KINDS + RESULT, 2 * KINDS + RESULT]
    assert tree_masses(weights, nodes) == [Fraction(1, 3), Fraction(2, 3) * share, Fraction(2, 3) * (1 - share)]
    again = [CHOICE, RESULT, CHOICE, KINDS + RESULT, 2 * KINDS + RESTART]  # to the second choice
    assert tree_masses([COIN], again) == [Fraction(1, 3), Fraction(2, 3)]
    for tree in ([CHOICE, RESULT, KINDS + RESULT], again):
        assert {type(mass) for mass in tree_masses([COIN], tree)} == {Fraction}
        assert {type(mass) for mass in tree_masses([COIN], tree, float)} == {float}


def test_an_attempt_inside_another_must_be_of_its_source():
    def program(source):
        return source.attempt(lambda inner: source.attempt(lambda other: other.uniform(2)))

    with pytest.raises(InputError, match="must draw from the source that it is given"):
        follow(program, ChoiceBudget(10))


def test_as_many_choices_are_followed_as_the_budget_has():
    assert len(follow(lambda source: source.uniform(2), ChoiceBudget(1)).outputs) == 2
    with pytest.raises(InputError, match="more than 0 choices"):
        follow(lambda source: source.uniform(2), ChoiceBudget(0))


@pytest.mark.parametrize(
    "nodes",
    [
        [0, RESULT, 2 * KINDS + RESTART],
        [ATTEMPT, 0, RESULT, 2 * KINDS + RESTART, RESULT],
        [0, RESULT, KINDS + RESTART, RESULT],
        [0, KINDS + RESTART, KINDS + RESTART],
        [0, KINDS + RESTART],
        [0, KINDS + RESTART, KINDS + RESULT],
        [0, KINDS + RESTART, KINDS],
    ],
)
def test_numbers_that_are_no_tree_with_loops_are_refused(nodes):
    with pytest.raises(InputError):
        tree_law(ChoiceTree([COIN], ["a", "b"], nodes))


def test_weights_that_a_tree_with_loops_does_not_have_are_refused():
    for weights in ([], [(0, 0)]):
        with pytest.raises(InputError, match="must name weights"):
            loop_masses(weights, [CHOICE, RESULT, KINDS + RESTART], Fraction)


@pytest.mark.parametrize(
    ("back", "masses"), [(1, ("6/19", "4/19", "9/19")), (2, ("2/5", "4/15", "1/3")), (3, ("2/9", "4/9", "1/3"))]
)
def test_an_attempt_counts_as_one_choice_of_a_path(back, masses):
    """A coin gives c or leads to an attempt, this gives a or leads to a coin, and that gives b or goes back."""
    attempt = [ATTEMPT, CHOICE, RESULT, KINDS + RESULT]
    nodes = [CHOICE, 2 * KINDS + RESULT, *attempt, RESULT, CHOICE, KINDS + RESULT, back * KINDS + RESTART]
    assert loop_masses([COIN], nodes, Fraction) == list(map(Fraction, masses))
