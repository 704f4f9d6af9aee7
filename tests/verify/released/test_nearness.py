"""Whether counts are nearest, against every point of small questions; and bounds that are not above any of them."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from stirred.verify.released import nearness as module
from stirred.verify.released.nearness import Nearness, bound_by_prices, nearness
from stirred.verify.released.question import MeasuredSum, NearestQuestion

MOST = 4


def question_from(random, *, size=4, free=0):
    """A question of four counts up to 4 and its points, or nothing where it has none."""
    columns = range(size)
    rows = []
    for number in range(random.randint(1, 3)):
        chosen = [(column, 1) for column in columns if random.random() < 0.6]
        low = random.randint(0, 5)
        lower, upper = random.choice([(low, low), (None, low + 2), (low - 2, None), (low - 1, low + 1)])
        if chosen:
            rows.append((f"row {number}", tuple(chosen), lower, upper))
    if free:  # a sum below: the first two counts together are at most 3
        rows.append(("below", ((0, 1), (1, 1), (size, -1)), 0, 0))
        rows.append(("of below", ((size, 1),), 0, 3))
    forms = []
    for _ in range(random.randint(2, 6)):
        chosen = tuple(column for column in columns if random.random() < 0.5)
        if chosen:
            forms.append(MeasuredSum(chosen, random.randint(-3, 8), random.randint(1, 5)))
    whole = NearestQuestion(size + free, tuple(rows), tuple(forms), (0,) * size, (MOST,) * size)
    points = [
        point
        for point in product(range(MOST + 1), repeat=size)
        if whole.broken(point + (sum(point[:2]),) * free) is None
    ]
    return whole, points


def released(whole, point):
    return NearestQuestion(whole.columns, whole.rows, whole.forms, point, whole.most)


class TestNearness:
    @pytest.mark.parametrize("free", [0, 1], ids=["of counts", "with a sum below"])
    def test_every_answer_is_that_of_trying_all_points(self, free):
        random = Random(20)  # noqa: S311 repeatable
        found = {Nearness.NEAREST: 0, Nearness.NOT_NEAREST: 0}
        for _ in range(80):
            whole, points = question_from(random, free=free)
            if not points:
                continue
            best = min(map(whole.loss, points))
            nearest = next(point for point in points if whole.loss(point) == best)
            for point in (nearest, random.choice(points)):
                answer = nearness(released(whole, point))
                is_nearest = whole.loss(point) == best
                assert answer.known is (Nearness.NEAREST if is_nearest else Nearness.NOT_NEAREST)
                found[answer.known] += 1
                if not is_nearest:
                    assert answer.nearer in points
                    assert answer.loss == whole.loss(answer.nearer) < whole.loss(point)
        assert min(found.values()) >= 30

    def test_a_relaxed_solution_between_integers_is_split(self, monkeypatch):
        """Each two of three counts should sum to 1: with halves they do, with integers one pair does not.

        Of squares of two forms that cross in each count, the halves have loss 0 and integers at least 1.
        """
        pairs = ((0, 1), (1, 2), (0, 2))
        rows = (("odd", ((0, 1), (1, 1), (2, 1)), 1, 2),)
        question = NearestQuestion(3, rows, tuple(MeasuredSum(pair, 1, 3) for pair in pairs), (1, 0, 0), (2, 2, 2))
        assert question.released_loss == 3
        assert nearness(question).known is Nearness.NEAREST
        monkeypatch.setattr(module, "_MOST_PARTS", 1)
        assert nearness(question).known is Nearness.OPEN

    def test_prices_that_are_spoilt_prove_nothing(self, monkeypatch):
        question = NearestQuestion(1, (), (MeasuredSum((0,), 3, 1),), (2,), (9,))
        assert nearness(question).known is Nearness.NOT_NEAREST
        near = released(question, (3,))
        assert nearness(near).known is Nearness.NEAREST
        monkeypatch.setattr(module, "_rounded", lambda prices, denominator: [Fraction(50)] * len(prices))
        assert nearness(near).known is Nearness.OPEN


class TestBoundByPrices:
    def test_it_is_above_no_point_whatever_the_prices(self):
        random = Random(21)  # noqa: S311 repeatable
        compared = 0
        for _ in range(100):
            whole, points = question_from(random)
            sides = [(0, MOST)] * 4
            forms = [Fraction(random.randint(-20, 20), random.randint(1, 3)) for _ in whole.forms]
            rows = [Fraction(random.randint(-20, 20), random.randint(1, 3)) for _ in whole.rows]
            bound = bound_by_prices(whole, sides, forms, rows)
            if bound is not None and points:
                compared += 1
                assert bound <= min(map(whole.loss, points))
        assert compared >= 20

    def test_there_is_none_for_a_side_that_is_open(self):
        question = NearestQuestion(1, (("row", ((0, 1),), None, 3),), (MeasuredSum((0,), 3, 1),), (2,), (None,))
        assert bound_by_prices(question, [(0, 5)], [Fraction(0)], [Fraction(1)]) is None
        assert bound_by_prices(question, [(0, None)], [Fraction(-1)], [Fraction(0)]) is None


class TestHighs:
    def test_points_as_near_as_the_released_ones_keep_to_the_bounds(self):
        random = Random(22)  # noqa: S311 repeatable
        for _ in range(60):
            whole, points = question_from(random, free=1)
            if not points:
                continue
            question = NearestQuestion(5, whole.rows, whole.forms, random.choice(points), (None,) * 4)
            for point in points:
                if question.loss(point) <= question.released_loss:
                    highs = question.highs
                    whole_point = (*point, point[0] + point[1])
                    assert all(high is None or value <= high for value, high in zip(whole_point, highs, strict=True))
