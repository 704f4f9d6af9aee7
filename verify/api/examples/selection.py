"""Private selection: the option with the most votes."""

from fractions import Fraction

import stirred

BALLOTS = stirred.multisets(("tea", "juice", "water"), [2])
OPTIONS = ("tea", "juice", "water")


@stirred.satisfies(data_sets=BALLOTS, distance="hamming_unordered", epsilon="ln(12/5)")
def exponential_mechanism(ballots, source):
    """An option drawn with weight 2^votes.

    The general bound is ln 4, since one ballot moves every score by 1 at most; here less is enough.

    Source: McSherry, Talwar (2007).
    """
    weights = [2 ** ballots.count(option) for option in OPTIONS]
    return OPTIONS[source.choose([Fraction(weight, sum(weights)) for weight in weights])]


@stirred.satisfies(data_sets=BALLOTS, distance="hamming_unordered", epsilon="ln(40/11)")
def permute_and_flip(ballots, source):
    """The first option in a random order whose coin of bias 2^(votes − most) shows heads; ε ≤ ln 4 in general.

    Source: McKenna, Sheldon (2020), Algorithm 1.
    """
    votes = [ballots.count(option) for option in OPTIONS]
    for place in source.permutation(len(OPTIONS)):
        if source.bernoulli(Fraction(2 ** votes[place], 2 ** max(votes))):
            return OPTIONS[place]
    return None


@stirred.satisfies(data_sets=BALLOTS, distance="hamming_unordered", epsilon="ln 4")
def report_noisy_max(ballots, source):
    """The option with the most votes after clamped geometric noise; ties go to the first.

    The noise is finite: clamping each noisy count to 0, …, 2 is post-processing of unbounded noise.

    Source: Dwork, Roth (2014), section 3.3.
    """
    noisy = []
    for option in OPTIONS:
        count = ballots.count(option)
        ends = [Fraction(2, 3) * Fraction(1, 2) ** abs(output - count) for output in range(3)]
        noisy.append(source.choose([ends[0], ends[1] / 2, ends[2]]))
    return OPTIONS[noisy.index(max(noisy))]
