"""Functions of arrays into which numbers that are drawn are put; conditions lie on the lines of the grid."""

import contextlib
import json
import operator
import statistics

import numpy as np
import pandas as pd


def filled(data):
    rng = np.random.default_rng()
    noisy = np.zeros(2)
    alias, view = noisy, noisy[1:]
    for place in range(2):
        noisy[place] = data[place] + rng.random()
    view += 1
    return (alias > 1.25).tolist(), view[0] < 2.5, noisy.shape, len(noisy)


def in_place(data):
    rng = np.random.default_rng()
    table = np.arange(4.0).reshape(2, 2)
    column = table[:, 0]
    column += rng.random(2)
    table *= 2
    return (table[1] > 5.0).tolist(), (column < 1).tolist(), (table.T[0] > 0.5).tolist()


def passed_on(data):
    rng = np.random.default_rng()

    def add(cells):
        cells[0] += rng.random()

    kept = {"a": np.ones(1), "b": [np.ones(2)]}
    add(kept["a"])
    add(kept["b"][0])
    return [bool(one > 1.5) for one in (kept["a"][0], kept["b"][0][0], kept["b"][0][1])]


def cast(data):
    rng = np.random.default_rng()
    whole = np.zeros(2, dtype=int)
    whole[0] = 4 * rng.random() - 2
    whole[1] = 1.75
    halves = np.array([3, 5])
    halves = halves + 4 * rng.random(2)
    return whole.tolist(), halves.astype(int), int(halves[0]) // 2, whole.sum()


def refused_by_numpy(data):
    rng = np.random.default_rng()
    counts = np.zeros(2, dtype=int)
    try:
        counts += rng.random(2)
    except TypeError as error:
        return type(error).__name__, rng.random() < 0.25
    return counts


def broadcast_fails(data):
    rng = np.random.default_rng()
    try:
        return np.zeros(3) + rng.random(2)
    except ValueError as error:
        return str(error)


def masks(data):
    rng = np.random.default_rng()
    noisy = rng.random(3)
    mask = np.array([True, False, True])
    noisy[mask] = 0.0
    noisy[noisy > 0.5] = 1
    chosen = noisy[[1, 0]]
    chosen[1] = 7
    return np.where(noisy == 1, 1, 0), noisy[mask], noisy[~mask] < 0.25, (noisy[0], chosen[1])


def reductions(data):
    rng = np.random.default_rng()
    noisy = np.array([[rng.random(), 5.0], [-3.0, 2.0]])
    return (
        (noisy.max(axis=0) > 0.5).tolist(),
        (np.min(noisy, axis=1) < 0.25).tolist(),
        noisy.argmax(axis=1),
        np.argmin(noisy),
        noisy.sum(axis=1)[0] < 5.5,
        (noisy.sum(axis=0, keepdims=True) > -2.5).tolist(),
        noisy.mean() < 1.125,
        (np.cumsum(noisy)[2:] < 2.5).tolist(),
        (noisy.cumsum(axis=0)[1] > -2.75).tolist(),
        np.median(noisy[0]) < 2.75,
        np.ptp(noisy[0]) > 4.5,
    )


def sorts(data):
    rng = np.random.default_rng()
    noisy = np.array([0.25, rng.random(), 0.75])
    order = noisy.argsort()
    noisy.sort()
    return order, (noisy < 0.5).tolist(), np.sort([0.5, rng.random()])[::-1][0] > 0.75


def lists(data):
    rng = np.random.default_rng()
    noisy = [0.25, rng.random(), 0.75]
    pairs = sorted(zip(noisy, "abc"), reverse=True)  # noqa: B905
    best = max(range(3), key=lambda place: noisy[place])
    ends = {"x": noisy[1], "y": 0.5}
    return (
        [name for _, name in pairs],
        best,
        noisy.index(min(noisy)),
        max(ends, key=ends.get),
        sorted(ends.items(), key=operator.itemgetter(1))[0][0],
        min(ends.values()) < 0.25,
        np.argmax(noisy),
        max(noisy, default=0) > 0.75,
        max(-np.inf, noisy[1]) < 0.5,
        (noisy[1], "b") < (0.5, "a"),
    )


def joined(data):
    rng = np.random.default_rng()
    one, other = rng.random(2), np.zeros((2, 2))
    rows = np.vstack([one, other])
    rows[0, 0] = 9
    flat = np.concatenate([one, [2]])
    return (
        (rows[0] > 0.5).tolist(),
        (one > 0.25).tolist(),
        np.hstack([one, one])[3] < 0.5,
        np.stack([one, one], axis=1).shape,
        np.append([1.0], one)[1] < 0.75,
        flat[::-1][0],
        np.tile(one, 2)[2] > 0.5,
        (np.split(flat, 3)[1] < 0.5).tolist(),
        np.insert(one, 1, 0.5)[1],
        np.roll(one, 1)[0] < 0.25,
    )


def elementwise(data):
    rng = np.random.default_rng()
    noisy = 2 * rng.random(2) - 1
    return (
        (np.maximum(noisy, 0) > 0.5).tolist(),
        np.floor(2 * noisy).tolist(),
        np.ceil(2 * noisy + 1).astype(int),
        np.sign(noisy).tolist(),
        np.where(noisy > 0, np.abs(noisy), 2)[0] > 0.5,
        np.isnan(noisy),
        (np.clip(noisy, -0.5, None) < 0).tolist(),
        (-noisy < 0.5).tolist(),
        abs(noisy[0]) < 0.5,
        np.subtract(1, noisy)[0] > 1.5,
        np.full(2, noisy[0]).max() > 0.5,
    )


def clipped(data):
    rng = np.random.default_rng()
    noisy = np.asarray(data[:2]) + np.array([1.0, 0.5]) * (4 * rng.random(2) - 2)
    return np.clip(noisy, 0, 0).tolist(), np.clip(np.rint(noisy + 0.5), 0, 2).astype(int).tolist()


def typed(data):
    rng = np.random.default_rng()
    noisy = rng.random(2)
    one = noisy[0]
    return (
        isinstance(one, float),
        isinstance(one, np.floating),
        isinstance(one, int),
        isinstance(noisy, np.ndarray),
        isinstance(noisy.tolist()[0], np.float64),
        isinstance(noisy.sum().item(), np.float64),
        isinstance(noisy, list),
    )


def copies(data):
    rng = np.random.default_rng()
    made = np.zeros(2)
    copy, same, flat = made.copy(), np.asarray(made), made.reshape(2, 1).ravel()
    made[0] = 1 + rng.random()
    back = np.array(made)
    back[0] = 0
    return copy.tolist(), bool(same[0] > 1.5), bool(flat[0] > 1.75), back.tolist(), bool(made.flatten()[0] > 1.25)


def helpers(data):
    rng = np.random.default_rng()
    made = np.zeros(3)
    for place in (0, 0, 1):
        made[place] += 1
    rng.shuffle(made)
    made[2] += 4 * rng.random()
    if made[2] > 3:
        made.fill(2)
    else:
        made[[0]] = [5]
    return [int(one) for one in made]


def counted(data):
    rng = np.random.default_rng()
    counts = np.bincount(data, minlength=3).astype(float)
    counts += np.array([2.0, 4.0, 1.0]) * rng.random(3)
    counts[counts < 1] = 0
    return np.floor(counts).astype(int).tolist(), dict(zip("abc", counts >= 2))  # noqa: B905


def products(data):
    rng = np.random.default_rng()
    noisy = rng.random(2)
    weights = np.array([[1.0, 0.0], [0.0, 2.0]])
    return (
        ((weights @ noisy) < 0.5).tolist(),
        noisy @ [0, 4] > 1,
        np.dot(noisy, np.array([2, 0])) < 1.5,
        (np.outer([1, 2], noisy)[1] > 1).tolist(),
        (noisy[:, None] * np.ones((1, 2)) < 0.25).tolist(),
        (noisy / np.array([2, 4]) < 0.125).tolist(),
        (noisy // 0.25)[0],
    )


def whiles(data):
    rng = np.random.default_rng()
    left, total = 2, 0
    while left > 0 and (draw := rng.random()) < 0.75:
        total += int(draw > 0.25)
        left -= 1
    return total, left, not 0 < left < 2, 0.25 < rng.random() < 0.5


def negatives(data):
    rng = np.random.default_rng()
    noise = int(np.floor(4 * rng.random())) - 2
    return (
        noise // 3,
        noise % 3,
        divmod(noise, -3),
        -noise // 2,
        round(noise / 2),
        int(noise / 2),
        noise >> 1,
        noise & 3,
    )


LISTED = (
    *(filled, in_place, passed_on, cast, refused_by_numpy, broadcast_fails, masks, reductions, sorts, lists),
    *(joined, elementwise, clipped, typed, copies, helpers, counted, products, whiles, negatives),
)


def kind(_):
    rng = np.random.default_rng()
    return type(rng.laplace()) is float


def dtype(_):
    rng = np.random.default_rng()
    return rng.laplace(size=2).dtype == float


def text(_):
    rng = np.random.default_rng()
    with contextlib.suppress(BaseException):
        return json.dumps([float(rng.laplace())])


def swallowed(_):
    rng = np.random.default_rng()
    with contextlib.suppress(Exception):
        return statistics.mean(one for one in [rng.laplace()])


def narrow(_):
    rng = np.random.default_rng()
    return rng.laplace(size=2).astype(np.float32)[0] > 0


def objects(_):
    rng = np.random.default_rng()
    return np.array([rng.laplace()], dtype=object)[0] > 0


def summed(_):
    rng = np.random.default_rng()
    return np.einsum("i,i->", rng.laplace(size=2), [1, 1]) > 0


def equal(_):
    rng = np.random.default_rng()
    return (rng.laplace(size=2) == rng.laplace(size=2)).any()


def tied(_):
    rng = np.random.default_rng()
    noisy = [0.0, 0.0, rng.laplace()]
    return np.argsort(noisy)


def memory(_):
    rng = np.random.default_rng()
    made = np.zeros(2)
    seen = memoryview(made)
    made[0] = 5 + abs(rng.laplace())
    return seen[0] > 1


def shared(_):
    rng = np.random.default_rng()
    made = np.zeros(2)
    series = pd.Series(made)
    made[0] = 5 + abs(rng.laplace())
    return series[0] > 1


def viewed(_):
    rng = np.random.default_rng()
    made = np.zeros(2)
    made.view()[0] = 5 + abs(rng.laplace())
    return made[0] > 1


def series_in_place(_):
    rng = np.random.default_rng()
    counts = pd.Series([1.0, 2.0])
    counts += rng.laplace(size=2)
    return counts[0] > 1


def frame(_):
    rng = np.random.default_rng()
    counts = pd.DataFrame({"a": [1.0, 2.0]})
    counts["a"] = rng.laplace(size=2)
    return counts["a"][0] > 1


def released(_):
    rng = np.random.default_rng()
    return pd.Series([1, 2]) + rng.laplace(size=2)


NOT_READ = "of a number that is drawn is not read: compute it before the draw, or use --sampled"
REFUSED = {
    kind: f"type {NOT_READ}",
    dtype: ".dtype of an array with numbers that are drawn is not read",
    text: f"json.dumps {NOT_READ}",
    swallowed: "statistics.mean of numbers that are drawn is not read",
    narrow: "a number that is drawn as float32 is not read",
    objects: "a number that is drawn as object_ is not read",
    summed: f"np.einsum {NOT_READ}",
    equal: "a number that is drawn is asked whether it equals another: real numbers never do, doubles can",
    tied: "equal numbers are sorted with numbers that are drawn",
    memory: "memoryview is given an array into which numbers that are drawn are put: give it a copy",
    shared: "a series of an array into which numbers that are drawn are put is not read",
    viewed: "a view of an array into which numbers that are drawn are put is not read here",
    series_in_place: "a series is changed in place by numbers that are drawn: make a new one",
    frame: "a number that is drawn is put into DataFrame: only lists and dicts hold one",
    released: "Series with numbers that are drawn is released: return numbers, lists, tuples, dicts or arrays",
}
