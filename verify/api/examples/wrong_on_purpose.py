"""A mechanism that is wrong on purpose: its claim is exceeded, and `stirred` shows the pair that needs more."""

from fractions import Fraction

import stirred


@stirred.satisfies(data_sets=stirred.ordered_data_sets((0, 1), [2]), distance="replace-one", epsilon="ln 2")
def histogram_wrong_on_purpose(answers, source):
    """Both counts of a histogram, each with geometric noise of ratio 1/2, claimed to cost ln 2.

    Whoever changes an answer changes both counts: ln 4 is needed.
    """
    noisy = []
    for answer in (0, 1):
        count = answers.count(answer)
        ends = [Fraction(2, 3) * Fraction(1, 2) ** abs(output - count) for output in range(3)]
        noisy.append(source.choose([ends[0], ends[1] / 2, ends[2]]))
    return tuple(noisy)
