"""What privacy is worth: expected utilities under pure DP, the scale of epsilon, and the game of answering a survey."""

from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, printed, state
from stirred.verify.ledger.claims.numbers.tables import compared
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import exp

# expected utilities under pure DP: what sharing or answering changes at most, and the scale on which ε measures it

mean_utility = lambda u, p: sum(p[t] * u[t] for t in p)

_SECTION = "dissertation, section 1.2"
_LAWS = [law for law in laws_of(3, 6) if len(law) == 3]
_PAIRS = "p and q: all pairs of laws of three outcomes with denominator 6, each outcome possible; e^eps their smallest"

# the laws with and without i, the smallest e^ε that holds between them, and a utility of each outcome
_utilities = lambda words, *values: cases(f"{_PAIRS}; {words}", "p q gamma u")(
    lambda: (
        (p, q, gamma, u)
        for p, q in permutations(_LAWS, 2)
        for gamma in [Multiplicative().distance(p, q).gamma]
        for u in product(values, repeat=3)
    )
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

_approximate = lambda *epsilons: cases(f"eps = {', '.join(epsilons)}", "epsilon")(lambda: map(Fraction, epsilons))
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

_COSTS = cases("e^eps = 1 + k/4 for k = 1 to 12, v = 1, 2, 5; the cost at eps", "gamma v cost")(
    lambda: (
        (gamma, v, (gamma - 1) * v)
        for gamma, v in product([1 + Fraction(k, 4) for k in range(1, 13)], map(Fraction, (1, 2, 5)))
    )
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

# the game of answering a survey under DP: what each individual gains by not answering, and what all lose by it

# of n individuals so many answer; each other one lowers the utility of 100 by a factor of 99/100
social_utility = lambda n, answers: 0 if answers == 0 else 100 * (99 / 100) ** (n - answers)
gain = lambda n, others: social_utility(n, others) - (social_utility(n, others + 1) - 50)

# all others answer; who answers keeps factor*privacy, who does not leaves factor*utility
gain_beside = lambda utility, privacy, factor, burden: (
    (factor * utility + privacy) - (utility + factor * privacy - burden)
)

# each individual's payoff where all answer, less that where no one does
lost_by_all = lambda utility, privacy, factor, burden: (utility + factor * privacy - burden) - privacy

_FOOTNOTE = "dissertation, section 1.2, footnote 34"
_MOST = 120

_games = lambda first: ((n, others) for n in range(2, _MOST + 1) for others in range(first, n))

_GAMES = cases(f"2 to {_MOST} individuals, of whom any number of others answer", "n others")(lambda: _games(0))
_ANSWERED = cases(f"2 to {_MOST} individuals, of whom at least one other answers", "n others")(lambda: _games(1))
_FACTOR = Fraction(99, 100)
_formula = partial(compared, cost=50, worth=100, factor=_FACTOR)

state("utility.dilemma.dominating.printed", _SECTION)(
    """As an example, suppose that the survey has a utility of $100 for each individual if everyone responds and,
    following the requirements of DP, decreases by a multiplicative factor of e^-eps = 99/100 for each person that does
    not respond; except that if no-one responds then the social utility is obviously $0. Assume that the privacy and
    response burden costs are $50 for each individual. The relative payoff for not responding compared to responding is
    at least $50 - $100 x e^-eps = $49 > 0; hence not responding is the dominating strategy for all individuals,
    regardless of the behaviour of other individuals.""",
    every(_GAMES, lambda n, others: gain(n, others) > 0),
    _formula("the printed formula", lambda cost, worth, factor: cost - worth * factor == 49),
    reading="the payoff is the survey's utility, less $50 for who responds; in dominance the others may do anything",
    grade=incomplete(
        "that there are at least 70 individuals: of fewer, one beside whom no one responds gains by responding, as $0 "
        "is the utility otherwise. The formula, whose value would be -$49, has e^-eps for 1 - e^-eps"
    ),
)

_sizes = lambda least: cases(
    f"2 to {_MOST} individuals, no other answers; whether there are at least {least}", "n pays"
)(lambda: ((n, n >= least) for n in range(2, _MOST + 1)))
is_least_gain = lambda n, others, amount: gain(n, others) >= amount and (others < n - 1 or gain(n, others) == amount)

own("utility.dilemma.dominating", _SECTION)(
    """In the example the relative payoff for not responding is at least $50 - $100 (1 - e^-eps) = $49 where another
    responds, and is $49 where all others do. Where no other responds it is positive from 70 individuals on: then, and
    with no fewer, not responding is dominating.""",
    _formula("the formula", lambda cost, worth, factor: cost - worth * (1 - factor) == 49),
    every(_ANSWERED, lambda n, others: is_least_gain(n, others, 49)),
    mutant("at least $50", lambda n, others: is_least_gain(n, others, 50)),
    every(_sizes(70), lambda n, pays: (gain(n, 0) > 0) == pays),
    mutant("from 69 individuals on", _sizes(69)),
    repairs="utility.dilemma.dominating.printed",
)

state("utility.dilemma.worse-off", _SECTION)(
    """However if all individuals respond, they receive a payoff of $100 - $50 = $50; whereas if no one responds, they
    all receive $0. … Thus, DP suffers from the prisoners dilemma: it encourages behaviour that will leave everyone
    worse off.""",
    every(
        cases(f"2 to {_MOST} individuals; the payoffs where all respond and where no one does", "n all_ no_one")(
            lambda: ((n, 50, 0) for n in range(2, _MOST + 1))
        ),
        lambda n, all_, no_one: social_utility(n, n) - 50 == all_ and social_utility(n, 0) == no_one and all_ > no_one,
    ),
    mutant(
        "better off",
        lambda n, all_, no_one: social_utility(n, n) - 50 == all_ and social_utility(n, 0) == no_one and all_ < no_one,
    ),
    reading="the behaviour that it encourages is utility.dilemma.dominating",
)

_SHOWN: dict[str, Any] = {"utility": 100, "privacy": 50, "factor": _FACTOR}
_AT = "U_0 = 100, P_0 = 50 and e^-eps = 99/100"

state("utility.dilemma.privacy.printed", _FOOTNOTE)(
    """One may argue that - following the principles of DP - an individual's privacy utility only decreases by a factor
    of e^-eps if she does respond. As such, the relative payoff for not responding compared to responding should be ($50
    - $100) e^-eps = -$0.5 < 0 and individuals should respond!""",
    compared(_AT, lambda utility, privacy, factor: (privacy - utility) * factor == -1 / 2, **_SHOWN),
    reading="(50 - 100) e^-eps = -0.5 at the example's e^-eps = 99/100",
    grade=misprint("the value -$0.5 is (50 - 100) (1 - e^-eps); the printed formula's is -$49.5"),
)

_WORTHS = (100, 50, 20, 0)
_GRID = [(u, p, Fraction(k, 8)) for u, p, k in product(_WORTHS, _WORTHS, range(1, 9))]
_VALUED = cases("U_0 and P_0 of 0, 20, 50, 100, e^-eps = k/8 for k = 1, …, 8; the gain", "utility privacy factor net")(
    lambda: ((u, p, f, (p - u) * (1 - f)) for u, p, f in _GRID)
)

own("utility.dilemma.privacy", _FOOTNOTE)(
    """Where all others respond, social utility decreases by a factor of e^-eps if she does not respond and privacy
    utility by the same if she does, the relative payoff for not responding is (P_0 - U_0) (1 - e^-eps): ($50 - $100) (1
    - e^-eps) = -$0.5 in the example.""",
    compared(_AT, lambda utility, privacy, factor: gain_beside(utility, privacy, factor, 0) == -1 / 2, **_SHOWN),
    every(_VALUED, lambda utility, privacy, factor, net: gain_beside(utility, privacy, factor, 0) == net),
    mutant("twice that", lambda utility, privacy, factor, net: gain_beside(utility, privacy, factor, 0) == 2 * net),
    repairs="utility.dilemma.privacy.printed",
)

# where U_0 - P_0 is at least so much
_worths = lambda relation, least: cases(
    f"{relation} of 0, 20, 50, 100, e^-eps = k/8 for k = 1, …, 7", "utility privacy factor"
)(lambda: ((u, p, f) for u, p, f in _GRID if u - p >= least and f < 1))

state("utility.dilemma.never", _FOOTNOTE)(
    """Moreover, in any survey worth conducting, the baseline utility U_0 (in this case $100) should be greater the
    baseline privacy cost P_0 (in this case $50); so the relative payoff for not responding will always be negative -
    that is, the prisoner's dilemma can never hold in any realistic setting.""",
    every(_worths("P_0 < U_0", 1), lambda utility, privacy, factor: gain_beside(utility, privacy, factor, 0) < 0),
    mutant("whether or not U_0 is greater", _worths("U_0 and P_0", -100)),
    reading="of the payoffs of the sentence before it, with eps > 0; the next sentence says what they leave out",
)

_BURDENS = cases(
    "P_0 < U_0 of 0, 20, 50, 100, e^-eps = k/8 for k = 1, …, 8, a burden of 0, 5, …, 150",
    "utility privacy factor burden",
)(lambda: ((u, p, f, burden) for u, p, f in _GRID if p < u for burden in range(0, 151, 5)))

dilemma = lambda utility, privacy, factor, burden: (
    gain_beside(utility, privacy, factor, burden) > 0 and lost_by_all(utility, privacy, factor, burden) > 0
)
_bounded = lambda lowest: cases(
    f"{_BURDENS.scope}; whether it is between the bounds", "utility privacy factor burden between"
)(lambda: ((u, p, f, burden, lowest(f) * (u - p) < burden < u - (1 - f) * p) for u, p, f, burden in _BURDENS))

state("utility.dilemma.burden.printed", _FOOTNOTE)(
    """However, this ignores the role of respondent burden. The prisoner's dilemma still holds if the respondent burden
    is a significant cost - more specifically if it is greater than e^-eps (U_0 - P_0).""",
    every(
        _BURDENS,
        lambda utility, privacy, factor, burden: (
            burden <= factor * (utility - privacy) or dilemma(utility, privacy, factor, burden)
        ),
    ),
    reading="a dilemma is that not responding pays for each although all lose where no one responds",
    grade=incomplete(
        "that the burden is not so large that all gain where no one responds. And e^-eps stands for 1 - e^-eps, as in "
        "the footnote's -$0.5: the printed bound does where e^-eps >= 1/2, not below"
    ),
)

own("utility.dilemma.burden", _FOOTNOTE)(
    """With a respondent burden B, not responding pays where all others respond, and all lose where no one does, if and
    only if (1 - e^-eps) (U_0 - P_0) < B < U_0 - (1 - e^-eps) P_0.""",
    every(
        _bounded(lambda factor: 1 - factor),
        lambda utility, privacy, factor, burden, between: dilemma(utility, privacy, factor, burden) == between,
    ),
    mutant("e^-eps (U_0 - P_0) as printed", _bounded(lambda factor: factor)),
    repairs="utility.dilemma.burden.printed",
)
