"""TopDown on data of real size: a state-like tree, one node with ever more cells, and the draws of its noise.

    python tests/benchmarks/bench_topdown.py [BLOCKS [CELLS]]

makes a population with segregated blocks from a fixed seed and prints

    BLOCKS (2,000) blocks x 20 cells in 4 levels, 1 and 2 processes    target: 60 s, 1 GB on two cores
    the same, rounded in two stages
    the children of one node, 10^3 to CELLS (10^5) cells, with the tie rule; the slope of the logarithms
                                                  target: 15 s at 10^5 cells, 5 min and 4 GB at 10^6
    draws of discrete Gaussian noise a second, beside opendp's          target: 5 times as many

and checks each result: constraints in integers, the same with one process and two.
"""

import math
import resource
import sys
import time
from fractions import Fraction

import numpy as np

from stirred.mechanisms.das.topdown import Design, EditConstraint, Geography, KeptTotal, QueryGroup, invariants
from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square, violated
from stirred.mechanisms.fast.inversion import discrete_gaussian
from stirred.mechanisms.fast.nearest_point import fast_nearest, rounded_point
from stirred.mechanisms.fast.topdown import Estimation, estimate
from stirred.mechanisms.fast.topdown_noise import keyed_measurements

PERSONS = [
    f"{kind} {age} {race}" for kind in ("housed", "quartered") for age in ("minor", "adult") for race in range(4)
]
UNITS = ["occupied", "vacant", "quarters", "other quarters"]
CELLS = {**dict.fromkeys(PERSONS, "person"), **dict.fromkeys(UNITS, "household")}


def row(chosen, entry=1):
    return tuple(entry * (cell in chosen) for cell in CELLS)


def design(blocks):
    """Four levels, the article's three invariants, and between 1 and 99 persons to every group quarters."""
    parents = {"nation": None} | {f"state {s}": "nation" for s in range(4)}
    parents |= {f"county {s}.{c}": f"state {s}" for s in range(4) for c in range(10)}
    parents |= {f"block {b}": f"county {b % 4}.{b // 4 % 10}" for b in range(blocks)}
    quartered = [cell for cell in PERSONS if cell.startswith("quartered")]
    groups = [[PERSONS]]
    groups += [[[cell for cell in PERSONS if cell.startswith(kind)] for kind in ("housed", "quartered")]]
    groups += [[[cell] for cell in PERSONS]]
    shares = (Fraction(1, 5), Fraction(1, 5), Fraction(3, 5))
    measured = [
        QueryGroup(str(len(rows)), "person", tuple(map(row, rows)), share)
        for rows, share in zip(groups, shares, strict=True)
    ]
    measured.append(QueryGroup("occupied", "household", (row(["occupied"]), row(["vacant"])), Fraction(1)))
    kept = (
        KeptTotal("population", 1, row(PERSONS)),
        KeptTotal("housing units", 3, row(["occupied", "vacant"])),
        *(KeptTotal(name, 3, row([name])) for name in UNITS[2:]),
    )
    facilities = row(UNITS[2:])
    edits = (
        EditConstraint("no empty quarters", tuple(q - p for p, q in zip(row(quartered), facilities, strict=True))),
        EditConstraint(
            "at most 99 to a quarters", tuple(p - 99 * q for p, q in zip(row(quartered), facilities, strict=True))
        ),
    )
    return Design(
        Geography(parents), CELLS, tuple(measured), kept, edits, (Fraction(1, 4),) * 4,
        {"person": Fraction(64, 25), "household": Fraction(7, 100)},
    )  # fmt: skip


def population(one, seed):
    """A histogram for every node; most persons of a block have one race."""
    random = np.random.default_rng(seed)
    found = {}
    for leaf in one.geography.leaves:
        races = random.dirichlet(np.full(4, 0.3))
        housed = [int(random.poisson(weight * race)) for weight in (10, 30) for race in races]
        quarters = int(random.random() < 0.1)
        quartered = [int(random.poisson(3 * quarters)) for _ in range(8)]
        quartered[0] += int(quarters and not sum(quartered))
        found[leaf] = (*housed, *quartered, int(random.poisson(15)), int(random.poisson(2)), quarters, 0)
    for level in reversed(one.geography.levels[:-1]):
        for node in level:
            found[node] = tuple(map(sum, zip(*(found[child] for child in one.geography.children(node)), strict=True)))
    return found


def check(one, totals, found):
    geography = one.geography
    kept = invariants(one, found)
    assert kept == totals
    for node in geography.nodes:
        assert min(found[node]) >= 0
        if children := geography.children(node):
            assert found[node] == tuple(map(sum, zip(*(found[child] for child in children), strict=True)))
        else:
            for edit in one.edits:
                assert sum(a * n for a, n in zip(edit.row, found[node], strict=True)) <= edit.bound


def one_node(cells, seed):
    """Ten children of a node: cells, sums of ten cells, and the total of each child are measured; totals are kept."""
    random = np.random.default_rng(seed)
    each = cells // 10
    true = random.poisson(random.gamma(0.5, 4, (10, each)))
    squares, constraints = [], []
    for child in range(10):
        start = child * each
        variables = range(start, start + each)
        total = tuple((variable, 1) for variable in variables)
        constraints.append(Constraint(f"total {child}", total, int(true[child].sum()), int(true[child].sum())))
        tens = [total[first : first + 10] for first in range(0, each, 10)]
        forms = [((variable, 1),) for variable in variables] + tens
        noise = discrete_gaussian(9, len(forms), seed=seed + child).tolist()
        exact = [*true[child].tolist(), *(int(true[child][first : first + 10].sum()) for first in range(0, each, 10))]
        squares += [
            Square(form, int(value) + extra, 2 if len(form) > 1 else 3)
            for form, value, extra in zip(forms, exact, noise, strict=True)
        ]
    for cell in range(each):
        above = tuple((child * each + cell, 1) for child in range(10))
        constraints.append(Constraint(f"cell {cell}", above, int(true[:, cell].sum()), int(true[:, cell].sum())))
    return NearestPoint(10 * each, 10 * each, tuple(constraints), tuple(squares))


def tree(blocks):
    one = design(blocks)
    histograms = population(one, 1)
    measured, totals = keyed_measurements(one, histograms, bytes(32)), invariants(one, histograms)
    first = None
    for solver in (fast_nearest, rounded_point):
        for workers in (1, 2):
            begun = time.perf_counter()
            found = estimate(Estimation(one, measured, totals, (), solver), workers=workers)
            seconds = time.perf_counter() - begun
            check(one, totals, found)
            if workers == 1:
                first = found
            assert found == first
            memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
            print(
                f"{blocks} blocks x {len(CELLS)} cells, {solver.__name__}, {workers} processes: {seconds:.1f} s, "
                f"at most {memory // 1024} MB each",
                flush=True,
            )


def slope(most):
    times = []
    for cells in [10**power for power in range(3, 7) if 10**power <= most]:
        problem = one_node(cells, 5)
        begun = time.process_time()
        point = fast_nearest(problem)
        times.append((math.log(cells), math.log(time.process_time() - begun)))
        assert violated(problem, point) is None
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"one node, {cells} cells: {math.exp(times[-1][1]):.2f} s of a processor, at most {memory} MB", flush=True
        )
    steepness = (times[-1][1] - times[0][1]) / (times[-1][0] - times[0][0])
    print(f"    time grows as cells^{steepness:.2f}", flush=True)


def draws():
    for variance in (Fraction(4), Fraction(625)):
        begun = time.perf_counter()
        discrete_gaussian(variance, 10**6)
        ours = 10**6 / (time.perf_counter() - begun)
        line = f"discrete Gaussian, sigma^2 = {variance}: {ours:.3g} draws a second"
        try:
            import opendp.prelude as dp  # noqa: PLC0415
        except ImportError:
            print(f"{line}; opendp is not installed")
            continue
        dp.enable_features("contrib")
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
        add_noise = dp.m.make_gaussian(*space, scale=math.sqrt(variance))
        zeros = [0] * 10**5
        begun = time.perf_counter()
        add_noise(zeros)
        theirs = 10**5 / (time.perf_counter() - begun)
        print(f"{line}; opendp's {theirs:.3g}: {ours / theirs:.0f} times as many", flush=True)


if __name__ == "__main__":
    draws()
    tree(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
    slope(int(sys.argv[2]) if len(sys.argv) > 2 else 10**5)
