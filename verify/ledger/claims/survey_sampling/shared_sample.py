"""Several releases of one sample: what they lose together, beside the sum of their amplified budgets."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.blocks.input_premetric import hamming_unordered
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.surveys.worst_release import power_limit, worst_release
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, misprint, mutant, own, printed, state, theorem
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing, is_about
from stirred.verify.ledger.claims.survey_sampling.words import keeps_replaced, released, simple_laws
from stirred.verify.ledger.language_names import exp, ln

# several releases of one sample: what they lose together, and what adding their amplified budgets leaves out

both_released = lambda g, h: {s: g[s] * h[s] for s in g}

# two-sided geometric noise, the Laplace mechanism of counts: n records of a sample with a value
geometric_at = lambda t, n, gamma: (gamma - 1) / (gamma + 1) * gamma ** (-abs(t - n))
count_of = lambda s, k, a: sum(1 for unit, record in s if record[k] == a)
noisy_count = lambda p, k, a, t, gamma: sum(p[s] * geometric_at(t, count_of(s, k, a), gamma) for s in p)
two_noisy_counts = lambda p, t, u, beta, gamma: sum(
    p[s] * geometric_at(t, count_of(s, 0, "male"), beta) * geometric_at(u, count_of(s, 1, "high"), gamma) for s in p
)
total_loss = lambda f, epsilon: ln(1 + f * (exp(epsilon) - 1))

TENTH = Fraction(1, 10)
_EPSILON = {"f": "0.1", "e": "1", "d": "2"}


def _rows(**changed: str) -> tuple[PrintedRow, ...]:
    printed = {"first": "0.16", "second": "0.49", "sum": "0.65", "whole": "1.07", **changed}
    first, second = "ln(1 + f*(exp(e) - 1))", "ln(1 + f*(exp(d) - 1))"
    formulas = {
        "first": ("the loss of T_1'", first),
        "second": ("the loss of T_2'", second),
        "sum": ("the naive sum", f"{first} + {second}"),
        "whole": ("the loss of (T_1', T_2')", "ln(1 + f*(exp(e + d) - 1))"),
    }
    inputs = {"first": ("f", "e"), "second": ("f", "d")}
    return tuple(
        PrintedRow.of_texts(what, printed[name], formula, {k: _EPSILON[k] for k in inputs.get(name, ("f", "e", "d"))})
        for name, (what, formula) in formulas.items()
    )


_agree = lambda **changed: printed(_rows(**changed), "f = 0.1, epsilon = 1 and 2, compared at the printed precision")

state("survey.sampling.shared.numbers", "dissertation, section 6.5.2")(
    """Consider two pure epsilon-DP mechanisms T_1 and T_2 with privacy loss epsilon = 1 and epsilon = 2 … simple random
    sampling without replacement (SRSWOR) with sampling fraction f = n/N = 0.1. … These mechanisms have privacy loss
    0.16 and 0.49 respectively (by amplification by sampling results given in Theorem 6.4.1). A naive interpretation of
    the composition theorem implies that their composition (T_1', T_2') has privacy loss 0.65. … to get a privacy loss
    for the composition (T_1', T_2') of 1.07.""",
    _agree(),
    mutant("0.17", _agree(first="0.17")),
    mutant("0.66", _agree(sum="0.66")),
    mutant("1.06", _agree(whole="1.06")),
)


def people(size: int) -> Iterator[tuple[UnitData, UnitData]]:
    """A frame with one man of high income, or with a woman of low income in his place; the others are such women."""
    others = tuple((unit, ("female", "low")) for unit in range(2, size + 1))
    yield ((1, ("male", "high")), *others), ((1, ("female", "low")), *others)


two_counts = cases(
    "simple random samples of 1 of 10 and of 2 of 5; of males in the sample the count with noise at e^epsilon = 2 and "
    "3, of high incomes at 3 and 5; one man of high income is replaced by a woman of low income, as all others are",
    "p q beta gamma n N",
)(
    lambda: (
        (*simple_laws(frames, size), Fraction(beta), Fraction(gamma), size, frame_size)
        for (size, frame_size), beta, gamma in product(((1, 10), (2, 5)), (2, 3), (3, 5))
        for frames in people(frame_size)
    )
)

each = lambda n, N, beta, gamma: all_or_nothing(n / N, beta) * all_or_nothing(n / N, gamma)
lost_more_than_added = lambda p, q, beta, gamma, n, N: (
    two_noisy_counts(p, n, n, beta, gamma)
    > all_or_nothing(n / N, beta) * all_or_nothing(n / N, gamma) * two_noisy_counts(q, n, n, beta, gamma)
)
lost_more_of_two_samples = lambda p, q, beta, gamma, n, N: (
    noisy_count(p, 0, "male", n, beta) * noisy_count(p, 1, "high", n, gamma)
    > each(n, N, beta, gamma) * noisy_count(q, 0, "male", n, beta) * noisy_count(q, 1, "high", n, gamma)
)
lost_more_than_composed = lambda p, q, beta, gamma, n, N: (
    two_noisy_counts(p, n, n, beta, gamma)
    > all_or_nothing(n / N, beta * gamma) * two_noisy_counts(q, n, n, beta, gamma)
)

state("survey.sampling.shared.lost", "dissertation, section 6.5.2")(
    """This property is lost, however, in the context of privacy amplification through sampling as the following example
    illustrates: … T_1 is the Laplace mechanism for querying the number of males in the sample and T_2 is the Laplace
    mechanism for querying the number of people in the sample with incomes over $100,000.""",
    every(two_counts, lost_more_than_added),
    mutant("releases that do not share the sample", lost_more_of_two_samples),
    mutant("the composed budget, amplified", lost_more_than_composed),
    reading="""two releases of one sample lose more together than the sum of the losses that Theorem 6.4.1 gives them;
    the noise is geometric, the Laplace mechanism of counts with exact laws, at outputs no less than every count""",
)

own("survey.sampling.shared.lost.every-design", "dissertation, section 6.5.2")(
    """For every design with 0 < f < 1 and all epsilon_1, epsilon_2 > 0, some epsilon_1-DP and epsilon_2-DP releases of
    one sample lose more together than the sum of the losses that Theorem 6.4.1 gives them. That sum is less than what
    the theorem gives for epsilon_1 + epsilon_2.""",
    every(two_counts, lost_more_than_added),
    mutant("the composed budget, amplified", lost_more_than_composed),
    theorem("shared_sample.shared_composition_refuted", "shared_sample.amplified_product_lt", within="finite frames"),
)


def _frames(size: int) -> tuple[UnitData, UnitData]:
    rest = tuple((unit, "z") for unit in range(2, size + 1))
    return ((1, "a"), *rest), ((1, "b"), *rest)


_BUDGETS = ((Fraction(3, 2), Fraction(2)), (Fraction(2), Fraction(3)))

shared_worst = cases(
    "simple random samples of all sizes up to 4 units, a record replaced; e^epsilon_1 and e^epsilon_2 3/2 and 2, 2 and "
    "3; the worst release of the product of the two budgets, shared out between them",
    "p q g h beta gamma n N",
)(
    lambda: (
        (p, q, *parts, beta, gamma, size, frame_size)
        for distance in [hamming_unordered("unit")]
        for frame_size in range(1, 5)
        for size, (beta, gamma) in product(range(1, frame_size + 1), _BUDGETS)
        for p, q in [simple_laws(_frames(frame_size), size)]
        for parts in [_shared_out(worst_release(p, q, power_limit(beta * gamma, distance)).weights, beta, gamma)]
    )
)


def _shared_out(worst: Any, beta: Fraction, gamma: Fraction) -> tuple[Any, Any]:
    """beta^k and gamma^k for (beta·gamma)^k: a worst release has powers of its budget, up to one factor."""
    top, powers = max(worst.values()), {}
    for s, value in worst.items():
        k = 0
        while value * (beta * gamma) ** k < top:
            k += 1
        powers[s] = -k
    return {s: beta**k for s, k in powers.items()}, {s: gamma**k for s, k in powers.items()}


both_keep = lambda g, beta, h, gamma: keeps_replaced(g, beta) and keeps_replaced(h, gamma)
composed_attained = lambda p, q, g, h, beta, gamma, n, N: (
    keeps_replaced(g, beta)
    and keeps_replaced(h, gamma)
    and released(p, both_released(g, h)) == all_or_nothing(n / N, beta * gamma) * released(q, both_released(g, h))
)
not_amplified_at_all = lambda p, q, g, h, beta, gamma: (
    keeps_replaced(g, beta)
    and keeps_replaced(h, gamma)
    and released(p, both_released(g, h)) == beta * gamma * released(q, both_released(g, h))
)
amplified_budgets_added = lambda p, q, g, h, beta, gamma, n, N: (
    not (both_keep(g, beta, h, gamma))
    or released(p, both_released(g, h))
    <= all_or_nothing(n / N, beta) * all_or_nothing(n / N, gamma) * released(q, both_released(g, h))
)
correct = lambda p, q, g, h, beta, gamma, n, N: (
    not (both_keep(g, beta, h, gamma))
    or released(p, both_released(g, h)) <= all_or_nothing(n / N, beta * gamma) * released(q, both_released(g, h))
)
counts_attain_composed = lambda p, q, beta, gamma, n, N: (
    two_noisy_counts(p, n, n, beta, gamma)
    == all_or_nothing(n / N, beta * gamma) * two_noisy_counts(q, n, n, beta, gamma)
)

state("survey.sampling.shared.correct", "dissertation, section 6.5.2")(
    """However, the correct calculus would consider the composition (T_1, T_2) - which has privacy loss epsilon = 3
    - and then apply the amplification by sampling result to get a privacy loss for the composition (T_1', T_2') of
    1.07.""",
    every(shared_worst, correct),
    mutant("amplified budgets added", amplified_budgets_added),
    mutant("not amplified at all", not_amplified_at_all),
    every(shared_worst, composed_attained),
    every(two_counts, counts_attain_composed),
    theorem(
        "shared_sample.shared_srswor",
        "shared_sample.shared_sampled",
        "shared_sample.shared_fst",
        "shared_sample.shared_snd",
        "shared_sample.shared_attained",
        within="finite frames",
    ),
    reading="""(T_1', T_2') loses at most log(1 + f[e^(epsilon_1 + epsilon_2) - 1]), and two mechanisms attain it; see
    survey.sampling.shared.numbers for the numbers""",
)

# what several releases of one sample lose together, beside the sum of their amplified budgets

_FIGURE = cases("f = 0.1; epsilon = 1/2, 1, …, 5", "f epsilon")(lambda: ((TENTH, Fraction(k, 2)) for k in range(1, 11)))
equal_counts = cases(
    "simple random samples of 1 of 10; both with geometric noise at e^epsilon = 2, 3 and 5", "p q gamma n N"
)(lambda: ((*simple_laws(frames, 1), Fraction(gamma), 1, 10) for gamma in (2, 3, 5) for frames in people(10)))

lost_at_most_as_printed = lambda p, q, gamma, n, N: (
    two_noisy_counts(p, n, n, gamma, gamma) <= all_or_nothing(n / N, gamma) * two_noisy_counts(q, n, n, gamma, gamma)
)

state("survey.sampling.shared.figure", "dissertation, Figure 6.1")(
    """The true total privacy loss (in blue) is given by first composing T_1 and T_2 and then applying privacy
    amplification (Theorem 6.4.1): pl(T_1', T_2') = log(1 + f[exp(pl(T_1)) - 1]).""",
    every(equal_counts, lost_at_most_as_printed),
    reading="the formula as it stands, for T_1 and T_2 with pl(T_1) = pl(T_2)",
    grade=misprint(
        "pl(T_1, T_2) = 2 pl(T_1) for pl(T_1), as the words before the formula say and section 6.5.2 computes; as the "
        "text at hand has it, which may have lost ', T_2'"
    ),
)

lost_at_twice = lambda p, q, gamma, n, N: (
    two_noisy_counts(p, n, n, gamma, gamma) == all_or_nothing(n / N, gamma**2) * two_noisy_counts(q, n, n, gamma, gamma)
)
lost_at_thrice = lambda p, q, gamma, n, N: (
    two_noisy_counts(p, n, n, gamma, gamma) == all_or_nothing(n / N, gamma**3) * two_noisy_counts(q, n, n, gamma, gamma)
)
true_above_naive = lambda f, epsilon: total_loss(f, 2 * epsilon) > 2 * total_loss(f, epsilon)

own("survey.sampling.shared.figure.repaired", "dissertation, Figure 6.1")(
    """pl(T_1', T_2') = log(1 + f[exp(2 pl(T_1)) - 1]) where pl(T_1) = pl(T_2), for two counts with geometric noise; it
    is above the red line.""",
    every(equal_counts, lost_at_twice),
    mutant("3 pl(T_1)", lost_at_thrice),
    every(_FIGURE, true_above_naive, verdict=Verdict.ENCLOSED),
    mutant("above three times pl(T_1')", lambda f, epsilon: total_loss(f, 2 * epsilon) > 3 * total_loss(f, epsilon)),
    repairs="survey.sampling.shared.figure",
)

log_1_2_f = lambda p, q, gamma, n, N: (
    noisy_count(p, 0, "male", n, gamma) * noisy_count(p, 1, "high", n, gamma)
    == all_or_nothing(2 * n / N, gamma) * noisy_count(q, 0, "male", n, gamma) * noisy_count(q, 1, "high", n, gamma)
)
naive = lambda p, q, gamma, n, N: (
    noisy_count(p, 0, "male", n, gamma) * noisy_count(p, 1, "high", n, gamma)
    == all_or_nothing(n / N, gamma) ** 2 * noisy_count(q, 0, "male", n, gamma) * noisy_count(q, 1, "high", n, gamma)
)

state("survey.sampling.shared.naive", "dissertation, Figure 6.1")(
    """The naive calculation (in red) is given by the standard composition result of epsilon-DP which states that the
    privacy loss of (T_1', T_2') is the sum of privacy losses of T_1' and T_2'. That is, the red line is 2 log(1 +
    f[exp(pl(T_1)) - 1]), where pl(T_1) is the privacy loss of T_1.""",
    every(equal_counts, naive),
    mutant("log(1 + 2 f[…])", log_1_2_f),
    reading="pl(T_1') = pl(T_2') = log(1 + f[exp(pl(T_1)) - 1]), attained by counts with geometric noise",
)

_small = lambda largest: product((Fraction(1, 1000), Fraction(1, 100), TENTH), largest, largest)

_TENTHS = (Fraction(1, 100), Fraction(1, 20), TENTH)
small_budgets = cases("f = 1/1000, 1/100, 1/10; epsilon_1 and epsilon_2 = 1/100, 1/20, 1/10", "f d e")(
    lambda: _small(_TENTHS)
)
larger_budgets = cases("f = 1/1000, 1/100, 1/10; epsilon_1 and epsilon_2 = 1, 2", "f d e")(
    lambda: _small((Fraction(1), Fraction(2)))
)

about_added = lambda f, d, e: is_about(total_loss(f, d + e), total_loss(f, d) + total_loss(f, e), d + e)
about_proportional = lambda f, d, e: is_about(total_loss(f, d) + total_loss(f, e), f * (d + e), d + e)
added_within_a_fifth = lambda f, d, e: total_loss(f, d + e) <= (1 + 1 / 5) * (total_loss(f, d) + total_loss(f, e))

state("survey.sampling.shared.approximately", "dissertation, section 6.5.2")(
    """We note that for small sampling rates f and small values (<< 1) for both epsilon_1 and epsilon_2, the composition
    properties based on the amplified privacy guarantees would still hold approximately since these conditions would
    imply that the privacy loss of T_i' is approximately epsilon_i' ~ n/N epsilon_i, and thus epsilon_1' + epsilon_2' ~
    n/N epsilon_1 + n/N epsilon_2 = n/N (epsilon_1 + epsilon_2).""",
    every(small_budgets, about_added, verdict=Verdict.ENCLOSED),
    mutant("exactly", lambda f, d, e: total_loss(f, d + e) <= total_loss(f, d) + total_loss(f, e)),
    every(small_budgets, about_proportional, verdict=Verdict.ENCLOSED),
    mutant(
        "epsilon_1 and epsilon_2 of 1 and more, within a fifth",
        every(larger_budgets, added_within_a_fifth, verdict=Verdict.ENCLOSED),
    ),
    reading="up to a share epsilon_1 + epsilon_2, which is at most a fifth here",
)

gap = lambda f, e: total_loss(f, 2 * e) - 2 * total_loss(f, e)

gaps = cases("f = 1/100 and 1/10, epsilon = 1 and 3", "")(lambda: [()])

state("survey.sampling.shared.gap", "dissertation, section 6.5.2")(
    """However, for larger f or epsilon_i, the gap between the true privacy loss and the naive calculation can be
    substantial, as illustrated by Figure 6.1.""",
    every(
        cases("f = 0.1, epsilon = 1 and 3", "f epsilon")(lambda: ((TENTH, Fraction(e)) for e in (1, 3))),
        lambda f, epsilon: total_loss(f, 2 * epsilon) > 3 / 2 * 2 * total_loss(f, epsilon),
        verdict=Verdict.ENCLOSED,
    ),
    mutant("f = 9/10", cases("f = 0.9, epsilon = 1", "f epsilon")(lambda: [(Fraction(9, 10), Fraction(1))])),
    every(gaps, lambda: gap(1 / 100, 1) < gap(1 / 10, 1), verdict=Verdict.ENCLOSED),
    every(gaps, lambda: gap(1 / 10, 1) < gap(1 / 10, 3), verdict=Verdict.ENCLOSED),
    reading="""substantial is more than half of the naive loss: at f = 0.1 from epsilon = 1 on; it is larger at f = 0.1
    than at 0.01, and at epsilon = 3 than at 1 (at f = 1 it is 0: 'can')""",
)
