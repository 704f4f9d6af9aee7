"""The Laplace mechanism on a multiverse, its proof, densities and scale, and geometric noise."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.geometric import discrete_laplace_mechanism
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, hamming_unordered
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, mutant, own, query, state, theorem
from stirred.verify.ledger.engines.small_domains import premetric
from stirred.verify.ledger.language_names import ln, oo
from stirred.verify.ledger.words import distance, multiplicative

# the Laplace mechanism on a multiverse: dissertation, Definition 6.4.2, Theorem 6.4.3 and its proof in Appendix D

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


mechanisms = cases(f"{_TWO_FRAMES}; {_ANY_SIZE}; {_SMALL}", "U e d q c")(lambda: chain(_surveys(), _small()))
one_frame_of_any_size = cases(_ANY_SIZE, "U e d q c")(lambda: [_of_samples([_FIRST], [0, 1, 2, 3])])
two_frames = cases(_TWO_FRAMES, "U e d q c")(lambda: [_of_samples([_FIRST, _SECOND], [2])])

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

# densities of the Laplace mechanism, and its scale: dissertation, Appendix D and section 7.1

_RANGE = 4

discrete_laws = cases(
    "discrete Laplace noise of ratio 1/a = e^(-1/b) = 1/2 or 1/3 on integers 0, …, 4, clamped to 0, …, 4", "p r q s a"
)(
    lambda: (
        (
            (p, r, q, s, 1 / ratio)
            for ratio, q, s in product((Fraction(1, 2), Fraction(1, 3)), range(_RANGE + 1), range(_RANGE + 1))
            for p, r in [
                (
                    exact_law(discrete_laplace_mechanism, value, query=int, ratio=ratio, low=0, high=_RANGE)
                    for value in (q, s)
                )
            ]
        )
    )
)

state("survey.laplace.density-ratio", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    """D_Mult(P_d, P_d') = sup over t in R of |ln f_x(t)/f_x'(t)| = sup over t in R of |(||t - q(d')||_1 - ||t -
    q(d)||_1)/Delta_q([x]_D)| <= eps d(d, d'), where the first line follows by Proposition 38 of Bailie and Gong (2024),
    the second because [d]_D = [d']_D and the third by the reverse triangle inequality.""",
    query("survey.laplace.density-ratio", "all real q, q', t in R^2, and one scale b"),
    every(discrete_laws, lambda p, r, q, s, a: multiplicative(p, r) == a ** abs(q - s)),
    mutant("half of b eps d", lambda p, r, q, s, a: multiplicative(p, r) ** 2 <= a ** abs(q - s)),
    mutant("a loss that does not grow", lambda p, r, a: multiplicative(p, r) <= a),
    reading="""two misprints: t is in R^k, and f_x is the density f_d of d, [x]_D its [d]_D; the third line, with one
    scale b = Delta_q > 0 for d and d', so that b eps d(d, d') >= ||q(d) - q(d')||_1: real vectors with k = 2, and
    integers with the discrete law, where the supremum is attained""",
)


@cases(
    "centres q, r in {-1, 0, 2}, scales b < c in {1/2, 1, 3, 10}, M in {1, 10, 1000}; t as far out as M asks",
    "q r b c M t",
)
def two_scales() -> Iterator[tuple[Any, ...]]:
    scales = (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10))
    for (q, r), (b, c), bound in product(product((-1, 0, 2), repeat=2), combinations(scales, 2), (1, 10, 1000)):
        # ln(f/f') = ln(c/b) - |t - q|/b + |t - r|/c, where ln(c/b) < c/b and |t - r| <= |t - q| + |q - r|
        yield q, r, b, c, bound, q + (bound + c / b + abs(q - r) / c) / (1 / b - 1 / c)


ratio_exceeds = lambda q, r, b, c, M, t: abs(ln(c / b) - abs(t - q) / b + abs(t - r) / c) > M

own("survey.laplace.two-scales", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    "Laplace laws with different scales have D_Mult = oo: for every M some t has |ln f(t)/f'(t)| > M.",
    every(two_scales, ratio_exceeds, verdict=Verdict.ENCLOSED),
    mutant("one scale", lambda q, r, b, M, t: abs(abs(t - r) / b - abs(t - q) / b) > M),
    reading="f(t) = exp(-|t - q|/b)/(2b), f'(t) = exp(-|t - r|/c)/(2c)",
)

# f: a statistic of two records, 0 or 1 each
one_replaced = lambda x: [(1 - x[0], x[1]), (x[0], 1 - x[1])]
changed_most = lambda f: max(norm_1(f[x], f[y]) for x in f for y in one_replaced(x))
loss_at_scale = lambda f, b: max(laplace_loss(f[x], b, f[y], b) for x in f for y in one_replaced(x))

statistics = cases(
    "all statistics with values in {0, 1, 3, 7} of two records, 0 or 1 each; epsilon 1/2, 1 and 2", "f epsilon"
)(
    lambda: (
        ({pair: (value,) for pair, value in zip(pairs, values, strict=True)}, epsilon)
        for pairs in [tuple(product((0, 1), repeat=2))]
        for values, epsilon in product(product((0, 1, 3, 7), repeat=4), (Fraction(1, 2), Fraction(1), Fraction(2)))
    )
)

by_smallest_change = lambda f, epsilon: (
    loss_at_scale(f, min(norm_1(f[x], f[y]) for x in f for y in one_replaced(x)) / epsilon) <= epsilon
)

state("survey.laplace.scale", "dissertation, section 7.1")(
    """… the Laplace mechanism, which, for any univariate statistic f, ensures epsilon-DP by adding a random draw from a
    Laplace distribution centered at zero with scale parameter b = Delta f/epsilon. The parameter Delta f is the
    sensitivity of f measured as the maximum absolute distance (the L_1 norm) of the statistic computed over two
    neighboring datasets""",
    every(statistics, lambda f, epsilon: loss_at_scale(f, changed_most(f) / epsilon) <= epsilon),
    mutant("b = Delta f/(2 epsilon)", lambda f, epsilon: loss_at_scale(f, changed_most(f) / (2 * epsilon)) <= epsilon),
    mutant("the smallest change for the largest", by_smallest_change),
    reading="neighbours by replacing one record, as the section has it",
)

ratios = cases(
    "discrete Laplace noise of e^(-1/b) = 1/8, …, 7/8, each but the last beside the next; k = 1, …, 6", "p r k"
)(
    lambda: (
        (*(_tails(Fraction(n, 8)) for n in (eighths, eighths + 1)), k)
        for eighths, k in product(range(1, 7), range(1, 7))
    )
)


def _tails(ratio: Fraction) -> tuple[Fraction, ...]:
    """The chances that the noise is at least 0, 1, …, 6 in absolute value, from its law clamped to -6, …, 6."""
    law = exact_law(discrete_laplace_mechanism, 0, query=int, ratio=ratio, low=-6, high=6)
    return tuple(sum((law.numeric(n) for n in law if abs(n) >= k), Fraction(0)) for k in range(7))


state("survey.laplace.more-noise", "dissertation, section 7.1")(
    """With this mechanism, the dependence on the two parameters is obvious: More noise is added for outputs with higher
    sensitivity and smaller values of epsilon.""",
    every(ratios, lambda p, r, k: p[k] < r[k]),
    mutant("twice as likely", lambda p, r, k: 2 * p[k] < r[k]),
    reading="with a larger b = Delta f/epsilon noise of k or more is likelier, for every k; of discrete noise",
)

# the Laplace mechanism's discrete form: geometric noise on statistics that are integers

GeometricCase = tuple[Fraction, int, int, tuple[int, ...]]

noisy = cases(
    "ratios a of 1/4, 1/2 and 4/5 of the noise; statistics -3 to 3 of two data sets; releases -8 to 8", "a x y released"
)(
    lambda: (
        (a, x, y, tuple(range(-8, 9)))
        for a, x, y in product((Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)), range(-3, 4), range(-3, 4))
    )
)

geometric_ratio_within = lambda a, x, y, released, change: all(
    (1 - a) / (1 + a) * a ** abs(t - x) <= a ** -abs(change) * (1 - a) / (1 + a) * a ** abs(t - y) for t in released
)
a_distance_less = lambda a, x, y, released: geometric_ratio_within(a, x, y, released, max(0, abs(x - y) - 1))

own("survey.laplace.discrete", "dissertation, Theorem 6.4.3")(
    """If on each universe the noise is geometric with one ratio a, and a^-|q(d) - q(d')| is at most e^(eps_D d(d, d'))
    for its data sets, the mechanism that releases q, whose values are integers, satisfies eps_D-DP.""",
    every(noisy, lambda a, x, y, released: geometric_ratio_within(a, x, y, released, x - y)),
    mutant("a distance less", a_distance_less),
    theorem(
        "laplace_discrete.laplace_discrete",
        "laplace_discrete.clamped_geometric_dp",
        "laplace_discrete.geometric_window",
        within="finite domains; vectors of integers",
    ),
    reading="the discrete form of the theorem, with one scale on each universe",
)


@cases("ratios a < b of 1/4, 1/2, 3/5 and 4/5; M = 2, 100 and 10^6; releases up to 100 away", "a b M")
def two_ratios() -> Iterator[tuple[Fraction, Fraction, int]]:
    ratios = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 5), Fraction(4, 5))
    return ((a, b, M) for a, b, M in product(ratios, ratios, (2, 100, 10**6)) if a < b)


geometric_ratio_exceeds = lambda b, M, a: any(
    (1 - b) / (1 + b) * b**t > M * (1 - a) / (1 + a) * a**t for t in range(101)
)

own("survey.laplace.discrete.two-ratios", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    "Geometric noise of two ratios has D_Mult = oo: no budget bounds the change of a probability far out.",
    every(two_ratios, lambda a, b, M: geometric_ratio_exceeds(b, M, a)),
    mutant("one ratio", lambda b, M: geometric_ratio_exceeds(b, M, b)),
    theorem("laplace_discrete.scales_differ_refuted", within="Archimedean fields"),
)
