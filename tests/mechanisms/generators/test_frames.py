"""No number that is not drawn stands in a series or frame of pandas, whose dtype would tell it from NumPy's."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from stirred.mechanisms.generators.adapted import AdaptedMechanism
from stirred.mechanisms.generators.frames import watch_frames, watch_json
from stirred.mechanisms.generators.sized import followed_arrays
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.arguments import InputError


def law(function, data=0):
    made = AdaptedMechanism(function, {}, [0, 1], "numpy")
    return exact_law(lambda point, source: made.program(point)(source), data)


class Encoder(json.JSONEncoder):
    def default(self, one):
        return 0


@pytest.fixture(autouse=True)
def watched():
    """NumPy's functions and the libraries as the process of a mechanism has them."""
    kept = {name: getattr(np, name) for name in ("array", "asarray")}
    made = dict(followed_arrays())
    for name, original in kept.items():
        setattr(np, name, made[original])
    watch_json()
    watch_frames()
    yield
    for name, original in kept.items():
        setattr(np, name, original)


ENTERED = {
    "a list": lambda r: pd.Series([n + r.laplace() for n in (1, 2)]),
    "a record": lambda r: pd.DataFrame([{"n": r.laplace()}]),
    "a column": lambda r: pd.DataFrame({"n": [1, 2]}).assign(n=[r.laplace(), 1.0]),
    "apply": lambda r: pd.Series([1, 2]).apply(lambda n: n + r.laplace()),
    "map": lambda r: pd.Series([1, 2]).map(lambda n: n + r.integers(0, 2**20)),
    "rows": lambda r: pd.DataFrame({"n": [1, 2]}).apply(lambda row: row["n"] + r.laplace(), axis=1),
    "groups": lambda r: pd.DataFrame({"g": [1, 2], "n": 1}).groupby("g")["n"].agg(lambda n: n.sum() + r.laplace()),
    "an index": lambda r: pd.Index([r.laplace(), 1.0]),
    "an array": lambda r: pd.Series(r.laplace(size=2)),
    "a sum": lambda r: pd.Series([1.0, 2.0]) + r.laplace(size=2),
    "an unbounded draw": lambda r: pd.Series([r.geometric(0.5), 1]),
    "an array of unbounded draws": lambda r: np.array([r.geometric(0.5), 1]),
    "its class": lambda r: pd.api.types.is_float(r.laplace()),
    "JSON": lambda r: json.dumps([r.laplace()], default=lambda one: 0),
    "JSON of a record": lambda r: json.dumps({"n": {"m": (r.random(), 1)}}, default=int),
    "JSON by a class": lambda r: json.dumps([r.geometric(0.5)], cls=Encoder),
}


@pytest.mark.parametrize("how", ENTERED)
def test_a_number_that_is_not_drawn_does_not_enter(how):
    def caught(data, rng):
        try:
            numbers = ENTERED[how](rng)
        except ValueError:
            return 0
        return data * int(getattr(numbers, "dtype", "") == "object")

    with pytest.raises(InputError, match=r"of numbers that are not drawn is not followed|unbounded: clamp it"):
        law(caught)


def test_drawn_numbers_and_other_objects_enter():
    def counted(data, rng: np.random.Generator):
        frame = pd.DataFrame({"name": ["a", None], "n": [data, int(rng.integers(0, 2))]})
        assert json.loads(json.dumps({"n": [1, int(rng.integers(0, 2))]}))["n"][0] == 1
        return int(frame.groupby("name")["n"].sum().iloc[0]) + int(rng.random() < 0.5)

    assert dict(law(counted)) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
