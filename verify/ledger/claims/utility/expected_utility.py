"""Expected utilities under pure DP: what sharing or answering changes at most, and the scale on which ε measures it."""

from fractions import Fraction
from itertools import permutations, product

from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, misprint, mutant, own, printed, state
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import exp

mean_utility = lambda u, p: sum(p[t] * u[t] for t in p)

_SECTION = "dissertation, section 1.2"
_LAWS = [law for law in laws_of(3, 6) if len(law) == 3]
_PAIRS = "p and q: all pairs of laws of three outcomes with denominator 6, each outcome possible; e^eps their smallest"

# the laws with and without i, the smallest e^ε that holds between them, and a utility of each outcome
_utilities = lambda words, *values: cases(
    f"{_PAIRS}; {words}",
    "p q gamma u",
    lambda: (
        (p, q, gamma, u)
        for p, q in permutations(_LAWS, 2)
        for gamma in [Multiplicative().distance(p, q).gamma]
        for u in product(values, repeat=3)
    ),
)
_NON_NEGATIVE = _utilities("all utilities of 0, 1, 5", 0, 1, 5)

bound = lambda u, p, gamma, q: mean_utility(u, p) <= gamma * mean_utility(u, q)

state("utility.guarantee", _SECTION, "dissertation, (1.1)")(
    """For any non-negative utility function u_i, differential privacy guarantees that E_{x ~ M(D)}[u_i(x)] <= e^eps
    E_{x ~ M(D')}[u_i(x)], where the left expectation is over the outputs x from the mechanism M, computed on the
    dataset D which includes i; and the right expectation is computed on the dataset D' which excludes i.""",
    every(_NON_NEGATIVE, bound),
    mutant("for any utility function", _utilities("all utilities of -1 and 1", -1, 1)),
    mutant("e^(eps/2)", lambda p, q, gamma, u: mean_utility(u, p) ** 2 <= gamma * mean_utility(u, q) ** 2),
    reading="pure eps-DP with D and D' neighbors, as where a record is added or removed",
)

_approximate = lambda *epsilons: cases(f"eps = {', '.join(epsilons)}", "epsilon", lambda: map(Fraction, epsilons))
_SMALL, _LARGE = _approximate("1/100", "1/10", "1/2", "1"), _approximate("2", "4", "12", "19")

state("utility.loss", _SECTION)(
    """As such, the expected loss of utility from i divulging their information is bounded by (e^eps - 1) E_{x ~
    M(D')}[u_i(x)] ~ eps E_{x ~ M(D')}[u_i(x)]. (The approximation holds for small eps only.)""",
    every(
        _NON_NEGATIVE,
        lambda p, q, gamma, u: abs(mean_utility(u, p) - mean_utility(u, q)) <= (gamma - 1) * mean_utility(u, q),
    ),
    mutant(
        "half of it",
        lambda p, q, gamma, u: abs(mean_utility(u, p) - mean_utility(u, q)) <= (gamma - 1) / 2 * mean_utility(u, q),
    ),
    every(_SMALL, lambda epsilon: exp(epsilon) - 1 - epsilon <= epsilon**2, verdict=Verdict.ENCLOSED),
    mutant("for large eps too", _LARGE),
    every(_LARGE, lambda epsilon: exp(epsilon) - 1 > 3 * epsilon, verdict=Verdict.ENCLOSED),
    reading="""the change of the expected utility, up or down. Approximately: up to a factor of 1 + eps for eps <= 1;
    from eps = 2 on e^eps - 1 is more than three times eps""",
)

_COSTS = cases(
    "e^eps = 1 + k/4 for k = 1 to 12, v = 1, 2, 5; the cost at eps",
    "gamma v cost",
    lambda: (
        (gamma, v, (gamma - 1) * v)
        for gamma, v in product([1 + Fraction(k, 4) for k in range(1, 13)], map(Fraction, (1, 2, 5)))
    ),
)

state("utility.logarithmic", _SECTION)(
    """The term 'budget' suggests that eps is a linear measure, like money. If you doubled your money, you could buy
    twice as many apples; in the same way, if the budget doubles, you would expect the cost of privacy to also double.
    This is not the case - eps measures privacy loss on a logarithmic scale, as evidenced by the cost function c(v_i,
    eps) = (e^eps - 1) v_i from (Ghosh and Roth, 2015).""",
    every(_COSTS, lambda gamma, v, cost: (gamma**2 - 1) * v > 2 * cost and cost == (gamma - 1) * v),
    mutant("this is the case", lambda gamma, v, cost: (gamma**2 - 1) * v == 2 * cost and cost == (gamma - 1) * v),
    reading="the cost at 2 eps is more than twice that at eps",
)

_less_one = lambda at, end: PrintedRow.of_texts(f"e^eps - 1, eps = {at}", end, "exp(eps) - 1", {"eps": at})
_linear = lambda twelve, nineteen: printed(
    [_less_one("12", twelve), _less_one("19", nineteen)], "eps = 12 and 19, at the printed precision"
)

state("utility.logarithmic.numbers.printed", _SECTION)(
    """For small eps < 1, this contention makes little difference, but increasing eps from 12 to 19 (as the US Census
    Bureau did) in fact results in an increase from 162,000 to 178,000,000 on a linear scale.""",
    _linear("162 thousand", "178 million"),
    reading="e^eps - 1 of the cost function before it, to three digits; 'little difference' for eps < 1: utility.loss",
    grade=misprint("e^12 - 1 = 162,754, which is 163,000 to three digits: cut off, not rounded"),
)

own("utility.logarithmic.numbers", _SECTION)(
    "Increasing eps from 12 to 19 increases e^eps - 1 from 163 thousand to 178 million.",
    _linear("163 thousand", "178 million"),
    mutant("179 million", _linear("163 thousand", "179 million")),
    repairs="utility.logarithmic.numbers.printed",
)

_in_base = lambda *numbers: printed(
    [
        PrintedRow.of_texts(f"eps in base {base}", text, "eps/ln(base)", {"eps": "19", "base": base})
        for base, text in (("1.1", "199"), ("1.01", "1909"), *numbers)
    ],
    "e^19 = base^number, to the whole number",
)

state("utility.bases", _SECTION)(
    """Since we want the likelihood ratio Pr(M(D) in S)/Pr(M(D') in S) to remain small unless eps is exceptionally
    large, using the bound 1.1^eps or 1.01^eps in place of e^eps will lead to more interpretable results: an eps of 19
    could then be more accurately expressed as 199 (with base 1.1) or 1909 (with base 1.01).""",
    _in_base(),
    mutant("base 1.2", _in_base(("1.2", "199"))),
)

state("utility.answers.factor", "dissertation, section 1.2", "dissertation, (1.1)")(
    """In fact, analogous to DP's privacy utility guarantee (equation 1.1), the expected impact to social utility from
    an individual not responding, is bounded below by a multiplicative factor of e^-eps.""",
    every(_NON_NEGATIVE, lambda p, q, gamma, u: mean_utility(u, p) / gamma <= mean_utility(u, q)),
    mutant(
        "by a factor of e^(-eps/2)", lambda p, q, gamma, u: mean_utility(u, p) ** 2 / gamma <= mean_utility(u, q) ** 2
    ),
    mutant("by no factor", lambda p, q, u: mean_utility(u, p) <= mean_utility(u, q)),
    reading="""a non-negative social utility u of what is released: expected without the individual, it is at least
    e^-eps times as large""",
)
