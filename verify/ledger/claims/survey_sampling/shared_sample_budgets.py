"""What several releases of one sample lose together, beside the sum of their amplified budgets."""

from fractions import Fraction
from itertools import product

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, misprint, mutant, own, state
from stirred.verify.ledger.claims.survey_sampling.shared_sample import (
    TENTH,
    noisy_count,
    people,
    total_loss,
    two_noisy_counts,
)
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing, is_about
from stirred.verify.ledger.claims.survey_sampling.words import simple_laws

_FIGURE = cases("f = 0.1; epsilon = 1/2, 1, …, 5", "f epsilon", lambda: ((TENTH, Fraction(k, 2)) for k in range(1, 11)))
equal_counts = cases(
    "simple random samples of 1 of 10; both with geometric noise at e^epsilon = 2, 3 and 5",
    "p q gamma n N",
    lambda: ((*simple_laws(frames, 1), Fraction(gamma), 1, 10) for gamma in (2, 3, 5) for frames in people(10)),
)

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
small_budgets = cases(
    "f = 1/1000, 1/100, 1/10; epsilon_1 and epsilon_2 = 1/100, 1/20, 1/10", "f d e", lambda: _small(_TENTHS)
)
larger_budgets = cases(
    "f = 1/1000, 1/100, 1/10; epsilon_1 and epsilon_2 = 1, 2", "f d e", lambda: _small((Fraction(1), Fraction(2)))
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

gaps = cases("f = 1/100 and 1/10, epsilon = 1 and 3", "", lambda: [()])

state("survey.sampling.shared.gap", "dissertation, section 6.5.2")(
    """However, for larger f or epsilon_i, the gap between the true privacy loss and the naive calculation can be
    substantial, as illustrated by Figure 6.1.""",
    every(
        cases("f = 0.1, epsilon = 1 and 3", "f epsilon", lambda: ((TENTH, Fraction(e)) for e in (1, 3))),
        lambda f, epsilon: total_loss(f, 2 * epsilon) > 3 / 2 * 2 * total_loss(f, epsilon),
        verdict=Verdict.ENCLOSED,
    ),
    mutant("f = 9/10", cases("f = 0.9, epsilon = 1", "f epsilon", lambda: [(Fraction(9, 10), Fraction(1))])),
    every(gaps, lambda: gap(1 / 100, 1) < gap(1 / 10, 1), verdict=Verdict.ENCLOSED),
    every(gaps, lambda: gap(1 / 10, 1) < gap(1 / 10, 3), verdict=Verdict.ENCLOSED),
    reading="""substantial is more than half of the naive loss: at f = 0.1 from epsilon = 1 on; it is larger at f = 0.1
    than at 0.01, and at epsilon = 3 than at 1 (at f = 1 it is 0: 'can')""",
)
