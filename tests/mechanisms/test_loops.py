"""Loops without end and with finitely many states: their exact laws, and what must not be taken for one."""

import functools
from fractions import Fraction

import pytest
from refusals import check_refused, each

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_runs import has_cuts, run_masses
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.interpreters.loop_masses import has_loops
from stirred.mechanisms.interpreters.program_state import ProgramStates
from stirred.mechanisms.interpreters.run_lister import list_runs
from stirred.spec import InputError

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
COIN = (Fraction(1, 3), Fraction(2, 3))


def tree(program, budget=5_000):
    return follow(functools.partial(program), ChoiceBudget(budget), states=ProgramStates([HALF, QUARTER]))


def plain(source):
    while source.bernoulli(HALF):
        pass
    return source.bernoulli(QUARTER)


def parity(source):
    n = 0
    while source.bernoulli(QUARTER):
        n = 1 - n
    return n


def counted_to_two(source):
    n = 0
    while source.bernoulli(HALF):
        n = min(n + 1, 2)
    return n


def selection(source):
    best = 0
    while True:
        best = max(best, int(source.bernoulli(QUARTER)))
        if source.bernoulli(HALF):
            return best


def nested(source):
    # the inner loop gives 1 with 1/5; the outer one stops with 1/2
    n = 0
    while source.bernoulli(HALF):
        while source.bernoulli(QUARTER):
            n = 1 - n
    return n


def one_after_the_other(source):
    n = 0
    while source.bernoulli(QUARTER):
        n = 1 - n
    while source.bernoulli(HALF):
        n = 1 - n
    return n


def flips(source):
    n = 0
    while source.bernoulli(QUARTER):
        n = 1 - n
    return n


def in_a_function(source):
    return flips(source)


def in_an_attempt(source):
    def body(inner):
        n = 0
        while inner.bernoulli(QUARTER):
            n = 1 - n
        return inner.restart() if inner.bernoulli(HALF) else n

    return source.attempt(body)


def three_ways(source):
    while True:
        way = source.choose((HALF, QUARTER, QUARTER))
        if way:
            return way


# by hand: E is the event that the number of rounds is even
LAWS = [
    (plain, {False: Fraction(3, 4), True: QUARTER}),
    (parity, {0: Fraction(4, 5), 1: Fraction(1, 5)}),  # (3/4)/(1 − 1/16)
    (counted_to_two, {0: HALF, 1: QUARTER, 2: QUARTER}),
    (selection, {0: Fraction(3, 5), 1: Fraction(2, 5)}),  # Σ (3/8)^k, k > 0
    # E(−1)^n = Σ ½ (½·3/5)^k = 5/7, as the inner loop has E(−1)^n = 3/5
    (nested, {0: Fraction(6, 7), 1: Fraction(1, 7)}),
    (one_after_the_other, {0: Fraction(3, 5), 1: Fraction(2, 5)}),  # E(−1)^n = 3/5 · 1/3
    (in_a_function, {0: Fraction(4, 5), 1: Fraction(1, 5)}),
    (in_an_attempt, {0: Fraction(4, 5), 1: Fraction(1, 5)}),
    (three_ways, {1: HALF, 2: HALF}),
]


@pytest.mark.parametrize(("program", "law"), LAWS, ids=lambda one: getattr(one, "__name__", ""))
def test_the_law_of_a_loop_is_the_sum_of_its_series(program, law):
    found = tree(program)
    assert has_loops(found.nodes)
    assert dict(tree_law(found)) == law


@pytest.mark.parametrize(("program", "law"), LAWS, ids=lambda one: getattr(one, "__name__", ""))
def test_runs_that_are_cut_give_lower_bounds(program, law):
    runs = list_runs(program, 10_000, least=Fraction(1, 2**12))
    bounds = run_masses(runs, lambda weight: weight)
    assert has_cuts(runs.nodes)
    assert all(0 <= law[output] - bound < Fraction(1, 2**6) for output, bound in bounds.items())
    assert bounds.keys() == law.keys()


def in_a_for_loop(source):
    n = 0
    for _ in [0] * 60:
        if source.bernoulli(HALF):
            return n
    return 2


def with_an_operand(source):
    rounds = iter([0] * 60)
    while True:
        # the iterator is a variable
        if next(rounds, 1) + source.bernoulli(HALF):
            return next(rounds, 1)


def on_the_stack(source):
    # 60 equal calls, each with an operand that is kept
    return sum([source.bernoulli(HALF) for _ in [0] * 8])


def drawn(source, rounds):
    while next(rounds, None) is not None:
        if source.bernoulli(HALF):
            return 1
    return 0


def of_a_generator(source):
    def rounds():
        for _ in [0] * 60:
            yield source.bernoulli(HALF)

    for stops in rounds():
        if stops:
            return 1
    return 0


class Counter:
    def __init__(self):
        self.rounds = 0


def in_an_attribute(source):
    counter = Counter()
    while counter.rounds < 60:
        counter.rounds += 1
        if source.bernoulli(HALF):
            return 1
    return 0


def in_a_closure(source):
    rounds = 0

    def more():
        nonlocal rounds
        rounds += 1
        return rounds < 60

    while more():
        if source.bernoulli(HALF):
            return 1
    return 0


def by_the_library(source):
    def key(_):
        return source.bernoulli(HALF)

    return any(map(key, range(60)))


def flip(source, _):
    return source.bernoulli(HALF)


def called_by_the_library(source):
    # reduce calls a function of the module with equal arguments each time
    return functools.reduce(lambda found, _: flip(source, None) and found, [0] * 8, 1)


class StopError(Exception):
    pass


def step(source, _):
    if source.bernoulli(HALF):
        raise StopError
    return source


def counted_by_the_library(source):
    try:
        functools.reduce(step, (0,) * 60, source)
    except StopError:
        return 1
    return 0


def on_the_source(source):
    source.rounds = 0
    while source.rounds < 60:
        source.rounds += 1
        if source.bernoulli(HALF):
            return 1
    return 0


def in_a_with_block(source):
    with _Rounds() as _:
        for _ in [0] * 60:
            if source.bernoulli(HALF):
                return 1
    return 0


class _Rounds:
    def __enter__(self):
        return 0

    def __exit__(self, *_):
        return None


def aliased(source):
    one, other = [0], [0]
    if source.bernoulli(HALF):
        other = one
    while source.bernoulli(HALF):
        pass
    one[0] = 1
    return other[0]


HIDDEN = [in_a_for_loop, with_an_operand, on_the_stack, of_a_generator, in_an_attribute, in_a_closure, by_the_library]
HIDDEN += [
    called_by_the_library,
    counted_by_the_library,
    on_the_source,
    in_a_with_block,
    lambda source: drawn(source, iter([0] * 60)),
]


@pytest.mark.parametrize("program", HIDDEN)
def test_choices_with_hidden_state_are_not_merged(program):
    found = tree(program)
    assert not has_loops(found.nodes)
    assert found.nodes == follow(program, ChoiceBudget(5_000)).nodes


def test_lists_are_told_apart_by_which_are_one():
    assert dict(tree_law(tree(aliased))) == {0: HALF, 1: HALF}

    def swapped(source):
        one, other = [0], [0]
        same = False
        while source.bernoulli(HALF):
            other, same = (list(one), False) if same else (one, True)
        one[0] = 1
        return other[0]

    assert dict(tree_law(tree(swapped))) == {0: Fraction(2, 3), 1: Fraction(1, 3)}

    def unmarked(source):
        one, other = [0], [0]
        while source.bernoulli(HALF):
            other = list(one) if other is one else one
        one[0] = 1
        return other[0]

    assert dict(tree_law(tree(unmarked))) == {0: Fraction(2, 3), 1: Fraction(1, 3)}


def test_equal_numbers_of_different_kinds_are_different_states():
    def program(source):
        n = None
        while source.bernoulli(HALF):
            n = False if n is None else 0
        return type(n).__name__

    assert dict(tree_law(tree(program))) == {"NoneType": HALF, "bool": QUARTER, "int": QUARTER}


SCRATCH = []


def with_scratch(source):
    try:
        while len(SCRATCH) < 60:
            SCRATCH.append(0)
            if source.bernoulli(HALF):
                return 1
        return 0
    finally:
        SCRATCH.clear()


def test_a_program_has_no_state_while_what_it_names_is_changed():
    states = ProgramStates([SCRATCH], lambda: not SCRATCH)
    assert not has_loops(follow(with_scratch, ChoiceBudget(5_000), states=states).nodes)


def counting(source):
    n = 0
    while source.bernoulli(HALF):
        n += 1
    return min(n, 3)


def for_ever(source):
    while True:
        source.bernoulli(HALF)


def perhaps_for_ever(source):
    if source.bernoulli(HALF):
        return 0
    while source.bernoulli(Fraction(1)):
        source.uniform(2)
    return 1


def test_a_program_that_goes_on_after_it_has_come_to_a_known_state_is_refused():
    def program(source):
        try:
            while source.bernoulli(HALF):
                pass
        except Exception:
            return 2
        return 0

    with pytest.raises(InputError, match="must not catch"):
        tree(program)
    with pytest.raises(InputError, match="must not catch"):
        list_runs(program, 10_000, least=Fraction(1, 2**12))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tree(counting), "unbounded"),
        *each(lambda program: tree_law(tree(program)), [for_ever, perhaps_for_ever], "never finishes"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
