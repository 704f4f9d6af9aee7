"""The Laplace mechanism on a multiverse: dissertation, Definition 6.4.2, Theorem 6.4.3 and its proof in Appendix D."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, hamming_unordered
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.engines.small_domains import premetric
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance

# U the universes, e their budgets, d the finite distances, q the query with values in R^k, b the scales
near_in = lambda U, d, x: {y for u in U if x in u for y in u if distance(d, x, y) < oo}
adjusted = lambda change, bound: 0 if change == 0 else (oo if bound == 0 else change / bound)
adjusted_on = lambda d, q, u, budget: max(
    [0] + [adjusted(norm_1(q[x], q[y]), budget * distance(d, x, y)) for x in u for y in u]
)
largest_inside = lambda U, e, d, q, s: max(
    [0] + [adjusted_on(d, q, u, budget) for u, budget in zip(U, e) if all(x in s for x in u)]
)
largest_of_pairs = lambda U, e, d, q, s: max(
    [0] + [adjusted_on(d, q, {x for x in u if x in s}, budget) for u, budget in zip(U, e)]
)
printed_scales = lambda U, e, d, q: {x: largest_inside(U, e, d, q, near_in(U, d, x)) for x in q}
pair_scales = lambda U, e, d, q: {x: largest_of_pairs(U, e, d, q, near_in(U, d, x)) for x in q}
inside_class = lambda U, e, d, q, c: {x: largest_inside(U, e, d, q, {y for y in q if c[y] == c[x]}) for x in q}
class_scales = lambda U, e, d, q, c: {x: largest_of_pairs(U, e, d, q, {y for y in q if c[y] == c[x]}) for x in q}

# D_Mult of q + b omega and r + c omega
laplace_loss = lambda q, b, r, c: 0 if q == r and b == c else (oo if b != c or b == 0 else norm_1(q, r) / b)
within_budgets = lambda U, e, d, q, b: (
    any(b[x] == oo for x in b)
    or all(
        laplace_loss(q[x], b[x], q[y], b[y]) <= budget * distance(d, x, y)
        for u, budget in zip(U, e)
        for x in u
        for y in u
    )
)
half_of = lambda b: {x: b[x] / 2 for x in b}
all_near = lambda U, d: all(distance(d, x, y) < oo for u in U for x in u for y in u)
is_disjoint = lambda U: all(x not in v for u in U for v in U if u != v for x in u)
share_class = lambda U, d, c: all(c[x] == c[y] for u in U for x in u for y in u if distance(d, x, y) < oo)
norm_1 = lambda x, y: sum(abs(a - b) for a, b in zip(x, y))

Case = tuple[
    tuple[frozenset[Any], ...],
    tuple[int, ...],
    Mapping[tuple[Any, Any], Distance],
    Mapping[Any, tuple[Fraction | int, ...]],
    Mapping[Any, int],
]
_EXPANSION = Fraction(3, 2)


def _case(
    universes: Sequence[frozenset[Any]], budgets: Sequence[int], query: Mapping[Any, Any], distances: Any
) -> Case:
    """A case, with the classes of implicitly comparable data sets numbered."""
    points = tuple(query)
    found = {pair: distances(*pair) for pair in product(points, repeat=2) if pair[0] != pair[1]}
    known = {pair: value for pair, value in found.items() if value is not None}
    found_classes = InputBlocks(FiniteDomain(points), Multiverse(universes), premetric(known)).components()
    classes = {point: [point in members for members in found_classes].index(True) for point in points}
    return tuple(universes), tuple(budgets), known, query, classes


def _of_samples(frames: Sequence[Mapping[str, int]], sizes: Sequence[int]) -> Case:
    """All samples of these sizes from each frame, with the Hamming distance and totals that N/n = 3/2 expands."""
    drawn = [
        {" and ".join(sample): sample for size in sizes for sample in combinations(frame, size)} for frame in frames
    ]
    samples = {name: sample for universe in drawn for name, sample in universe.items()}
    values = {unit: value for frame in frames for unit, value in frame.items()}
    totals = {name: (_EXPANSION * sum(values[unit] for unit in sample),) for name, sample in samples.items()}
    apart = hamming_unordered("person")
    return _case([frozenset(u) for u in drawn], [1] * len(frames), totals, lambda x, y: apart(samples[x], samples[y]))


_FIRST = {"Ann": 0, "Bea": 1, "Cy": 1}
_SECOND = {"Bea": 1, "Cy": 1, "Dan": 3}
_TWO_FRAMES = "samples of two from a frame of three, and from two frames that share two units"
_ANY_SIZE = "samples of any size from a frame of three"
_DISTANCES: tuple[Mapping[tuple[int, int], Distance], ...] = (
    {(0, 1): 1, (1, 0): 1, (0, 2): 2, (2, 0): 2, (1, 2): 1, (2, 1): 1},
    {(0, 1): 1, (1, 0): 1, (0, 2): 1, (2, 0): 1, (1, 2): 3, (2, 1): 3},
    {(0, 1): 1, (1, 0): 1},
    {(0, 1): 1, (1, 2): 2},
    {(0, 1): 1, (2, 1): 1, (1, 2): 4},
    {(0, 1): 0, (1, 0): 1, (1, 2): 1, (2, 1): 1},
    {(0, 1): 0, (1, 0): 0, (0, 2): 2, (2, 0): 2, (1, 2): 2, (2, 1): 2},
    {},
)
_SMALL = (
    "all multiverses on three data sets, eight premetrics with 0, oo and directions among them, budgets 1, or 0, 1, 2, "
    "… by universe, q in {(0, 0), (1, 0), (1, 2)}"
)

_VALUES = ((0, 0), (1, 0), (1, 2))

_small = lambda: (
    _case(universes, budgets, dict(enumerate((_VALUES[0], *values))), lambda x, y, d=distances: d.get((x, y)))
    for sets in [tuple(frozenset(chosen) for size in (2, 3) for chosen in combinations(range(3), size))]
    for multiverses in [chain.from_iterable(combinations(sets, size) for size in range(len(sets) + 1))]
    for universes, distances, values in product(multiverses, _DISTANCES, product(_VALUES, repeat=2))
    for budgets in dict.fromkeys(((1,) * len(universes), tuple(range(len(universes)))))
)


def _surveys() -> Iterator[Case]:
    yield _of_samples([_FIRST, _SECOND], [2])
    yield _of_samples([_FIRST], [0, 1, 2, 3])
    yield _of_samples([_FIRST], [2])


mechanisms = cases(f"{_TWO_FRAMES}; {_ANY_SIZE}; {_SMALL}", "U e d q c", lambda: chain(_surveys(), _small()))
one_frame_of_any_size = cases(_ANY_SIZE, "U e d q c", lambda: [_of_samples([_FIRST], [0, 1, 2, 3])])
two_frames = cases(_TWO_FRAMES, "U e d q c", lambda: [_of_samples([_FIRST, _SECOND], [2])])

_SUPPOSED = (
    "a scale oo leaves no mechanism, so that Delta < oo is supposed; D_Mult of two Laplace laws is "
    "||q - q'||_1/b with one scale b, oo with two"
)

state("survey.laplace.theorem", "dissertation, Theorem 6.4.3")(
    "The Laplace mechanism T_q,Lap satisfies eps_D-DP(X, D, d_X, D_Pr).",
    every(mechanisms, lambda U, e, d, q: within_budgets(U, e, d, q, printed_scales(U, e, d, q))),
    reading=f"with [d]_D and Delta_q as Definition 6.4.2 displays them; {_SUPPOSED}",
    grade=incomplete(
        "each universe must lie in one component: data sets of a universe that are at a finite distance must have one "
        "[d]_D, and that universe must lie inside it. Samples that two frames can give have two scales, samples of "
        "random size none (sup of the empty set is 0), and then D_Mult = oo; see section A.1.1 and Definition 6.2.8 "
        "for components and complete multiverses that would do"
    ),
    refuted_by=["laplace_discrete.laplace_printed_refuted"],
)

by_classes = lambda U, e, d, q, c: share_class(U, d, c) and within_budgets(U, e, d, q, class_scales(U, e, d, q, c))

own("survey.laplace.theorem.repaired", "dissertation, Theorem 6.4.3")(
    """Let [.] be classes such that data sets of one universe at a finite distance are in one class, such as the
    components of Definition A.1.1, and Delta_q([d]) the supremum over all D and all pairs of D in [d]. If it is finite,
    the Laplace mechanism satisfies eps_D-DP.""",
    every(mechanisms, by_classes),
    mutant(
        "universes inside the class for pairs in it",
        lambda U, e, d, q, c: within_budgets(U, e, d, q, inside_class(U, e, d, q, c)),
    ),
    mutant("comparable data sets for classes", lambda U, e, d, q: within_budgets(U, e, d, q, pair_scales(U, e, d, q))),
    mutant("half the scale", lambda U, e, d, q, c: within_budgets(U, e, d, q, half_of(class_scales(U, e, d, q, c)))),
    repairs="survey.laplace.theorem",
    reading=f"{_SUPPOSED}; the classes tried are the components",
)

private_if_complete_and_disjoint = lambda U, e, d, q: (
    not all_near(U, d) or not is_disjoint(U) or within_budgets(U, e, d, q, printed_scales(U, e, d, q))
)
private_if_complete = lambda U, e, d, q: not all_near(U, d) or within_budgets(U, e, d, q, printed_scales(U, e, d, q))

own("survey.laplace.complete-disjoint", "dissertation, Theorem 6.4.3")(
    "As it is printed, Theorem 6.4.3 holds for complete multiverses whose universes do not overlap.",
    every(mechanisms, private_if_complete_and_disjoint),
    mutant("overlapping universes", private_if_complete),
    mutant(
        "universes that are not complete",
        lambda U, e, d, q: not is_disjoint(U) or within_budgets(U, e, d, q, printed_scales(U, e, d, q)),
    ),
    repairs="survey.laplace.theorem",
    reading=_SUPPOSED,
)

released_exactly = lambda U, e, d, q: (
    all(printed_scales(U, e, d, q)[x] == 0 for x in q)
    and any(laplace_loss(q[x], 0, q[y], 0) == oo for x in q for y in q if distance(d, x, y) == 1)
)

own("survey.laplace.released-exactly", "dissertation, Definition 6.4.2")(
    """Where the sample size is random and d is the Hamming distance, no universe of samples from one frame lies in a
    component, Delta_q is 0, and the mechanism of Definition 6.4.2 releases the estimate itself: D_Mult = oo between
    samples at distance 1 whose estimates differ.""",
    every(one_frame_of_any_size, released_exactly),
    mutant("samples of two", every(two_frames, lambda U, e, d, q: all(printed_scales(U, e, d, q)[x] == 0 for x in q))),
)

one_component = lambda U, d: all(
    near_in(U, d, x) == near_in(U, d, y) for u in U for x in u for y in u if distance(d, x, y) < oo
)

state("survey.laplace.one-component", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    """Let D in D and d, d' in D. … where the first line follows by Proposition 38 of Bailie and Gong (2024), the second
    because [d]_D = [d']_D""",
    every(mechanisms, one_component),
    reading="of data sets at a finite distance, others being without a bound; [d]_D as Definition 6.4.2 displays it",
    grade=incomplete(
        "the universes must not overlap, or [d]_D be the component of Definition A.1.1: a sample that two frames can "
        "give is comparable to samples of both"
    ),
)

one_component_repaired = lambda U, d: (
    not all_near(U, d)
    or not is_disjoint(U)
    or all(near_in(U, d, x) == near_in(U, d, y) for u in U for x in u for y in u)
)

own("survey.laplace.one-component.repaired", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    """[d]_D = [d']_D for data sets of one universe at a finite distance, if the multiverse is complete and its
    universes do not overlap; as components of Definition A.1.1 they are always equal.""",
    every(mechanisms, one_component_repaired),
    mutant(
        "a multiverse that is only complete",
        lambda U, d: not all_near(U, d) or all(near_in(U, d, x) == near_in(U, d, y) for u in U for x in u for y in u),
    ),
    every(mechanisms, lambda U, d, c: share_class(U, d, c)),
    repairs="survey.laplace.one-component",
)
