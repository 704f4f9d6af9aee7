"""What a fixed frame leaves to compare: dissertation, section 7.4."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.surveys.designs import select, simple_random_sample, systematic_sample
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, mutant, own, some, state
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import multiplicative

# S: the samples that a design can draw from one frame, as tuples of units
sample_steps = lambda s, t: sum(1 for i in s if i not in t) if len(s) == len(t) else oo
closest_other = lambda S, s: min(sample_steps(s, t) for t in S if t != s)
has_a_neighbor = lambda S, s: any(sample_steps(s, t) == 1 for t in S)


def _samples(name: str) -> Iterator[tuple[tuple[int, ...], ...]]:
    for number in (4, 6, 8, 9):
        frame = unit_data(dict.fromkeys(range(number), 0))
        if name == "systematic":
            laws = [exact_law(systematic_sample, frame, step=step) for step in (2, 3) if number % step == 0]
        else:
            laws = [exact_law(simple_random_sample, frame, size=size) for size in (2, 3)]
        yield from (tuple(sorted(law)) for law in laws)


_SHOWN = "frames of 4, 6, 8 and 9 units: "
systematic = cases(f"{_SHOWN}systematic samples of every second or third unit", "S", lambda: _samples("systematic"))
simple = cases(f"{_SHOWN}simple random samples of two or three units", "S", lambda: _samples("simple"))
both_designs = cases(
    f"{_SHOWN}systematic and simple random samples",
    "S",
    lambda: (case for name in ("systematic", "simple") for case in _samples(name)),
)

state("survey.frame-invariance.constraints", "dissertation, section 7.4")(
    """On the other hand, fixing the frame will restrict the possible conterfactual input datasets to those which are
    consistent with the realized frame. Because this restriction will fix the survey weights, it might introduce strong
    constraints on the possible neighboring datasets, depending on the sampling design.""",
    some(both_designs, lambda S: all(not has_a_neighbor(S, s) for s in S)),
    mutant("simple random sampling", simple),
    some(both_designs, lambda S: all(has_a_neighbor(S, s) for s in S)),
    reading="""with some designs no two samples of a frame are neighbours, with others each sample has a neighbour; x_i
    is a function of the unit i""",
)

own("survey.frame-invariance.systematic", "dissertation, section 7.4")(
    """Under frame invariance no two systematic samples in a fixed order differ in fewer than all of their n >= 2
    records: with a premetric of neighbours nothing is compared, and with the Hamming distance the budget between any
    two samples is n epsilon.""",
    every(systematic, lambda S: all(closest_other(S, s) == len(s) for s in S)),
    mutant("simple random samples", simple),
    reading="N is a multiple of the step",
)

# whether the sample has a 1, by randomised response with odds gamma = e^epsilon
_whether_drawn = lambda sample, source, *, gamma: int(
    source.bernoulli(Fraction(gamma if any(value == 1 for _, value in sample) else 1, gamma + 1))
)
_from_frame = lambda frame, source, *, size, gamma: _whether_drawn(
    select(frame, simple_random_sample(frame, source, size=size)), source, gamma=gamma
)
levels = cases(
    "simple random samples of one to three of four or six units; whether the sample has a 1 is released by randomised "
    "response with odds 2 or 9; the laws for all samples of the frame with one 1, and for that frame and the one "
    "without",
    "n N gamma by_sample by_frame",
    lambda: (
        (size, number, gamma, by_sample, by_frame)
        for number, size, gamma in product((4, 6), (1, 2, 3), (2, 9))
        for frame, other in [(unit_data({**dict.fromkeys(range(number), 0), 0: own}) for own in (1, 0))]
        for samples in [sorted(exact_law(simple_random_sample, frame, size=size))]
        for by_sample in [tuple(exact_law(_whether_drawn, select(frame, units), gamma=gamma) for units in samples)]
        for by_frame in [tuple(exact_law(_from_frame, one, size=size, gamma=gamma) for one in (frame, other))]
    ),
)

greatest_ratio = lambda laws: max(multiplicative(p, q) for p in laws for q in laws)

state("survey.frame-invariance.amplification", "dissertation, section 7.4")(
    """First, fixing the frame implies that privacy amplification from sampling is no longer possible (we would need to
    have neighboring datasets at the frame level in order to achieve amplification).""",
    every(levels, lambda gamma, by_sample: greatest_ratio(by_sample) == gamma),
    mutant(
        "amplified although the frame is fixed",
        lambda n, N, gamma, by_sample: greatest_ratio(by_sample) <= 1 + n / N * (gamma - 1),
    ),
    mutant("not amplified between frames", lambda gamma, by_frame: greatest_ratio(by_frame) == gamma),
    every(levels, lambda n, N, gamma, by_frame: greatest_ratio(by_frame) == 1 + n / N * (gamma - 1)),
    reading="""as the sentences before have it: the frame is invariant 'as discussed in Figure 7.2c', where 'the
    mechanism takes as input the responding sample', so that neighbours 'can only differ at the sample level (or
    later)'. Between samples of one frame a mechanism may have its whole e^epsilon, where between two augmented frames,
    one answer changed and the sampling included, the same has 1 + (n/N)(e^epsilon - 1). Of a mechanism that starts at
    the augmented frame the sentence does not speak: it is amplified although the frame's own variables are fixed
    (recommendations.frame-level.fixed)""",
)
