"""What the recommendations rest on (dissertation, section 6.6), and designs that are free of charge."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.verify.ledger import Cases, cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.survey_settings.words import data_of, given_data, weighted_samples
from stirred.verify.ledger.words import hamming, multiplicative

# what the recommendations rest on: dissertation, section 6.6

# frames as tuples of (unit, size); weights are 1/(probability of inclusion) by unit
kept_weights = lambda weights, f, g: all(weights[f][i] == weights[g][i] for i in weights[f] if i in weights[g])
bounded_neighbors = lambda f, g: hamming(f, g) == 1
some_weight_moves = lambda weights: any(
    not kept_weights(weights, f, g) for f in weights for g in weights if bounded_neighbors(f, g)
)

# 1/pi_i of a simple random sample of two
_simple = lambda frame: {unit: Fraction(len(frame), 2) for unit, _ in frame}
# 1/pi_i of one draw with probability proportional to size
_proportional = lambda frame: {unit: Fraction(sum(size for _, size in frame), own) for unit, own in frame}

# by frame of two or three persons, with a size each: the design weights
_weights = lambda design, *, sizes=(1, 2): {
    frame: design(frame)
    for number in (2, 3)
    for persons in combinations("abc", number)
    for own in product(sizes, repeat=number)
    for frame in [tuple(zip(persons, own, strict=True))]
}

_FRAMES = "all frames of two or three of three persons, of size 1 or 2 each; bounded DP, nothing invariant; "
simple = cases(f"{_FRAMES}a simple random sample of two without replacement", "weights")(lambda: [_weights(_simple)])
proportional = cases(f"{_FRAMES}one draw with probability proportional to size", "weights")(
    lambda: [_weights(_proportional)]
)

own("recommendations.weights-not-fixed.sizes", "dissertation, section 6.6")(
    """At the frame level with nothing invariant, under bounded DP, the design weights change between some comparable
    frames where inclusion is proportional to a size that the frame has, and between none where the sample is a simple
    random one: then they may be treated as fixed in a frame-agnostic flavor too.""",
    every(proportional, lambda weights: some_weight_moves(weights)),
    mutant(
        "all sizes equal",
        cases(f"{proportional.scope}; all of size 1", "weights")(lambda: [_weights(_proportional, sizes=(1,))]),
    ),
    every(simple, lambda weights: not some_weight_moves(weights)),
)

weights_fixed = lambda weights, universes: all(kept_weights(weights, x, y) for u in universes for x in u for y in u)
loses_less = lambda laws, universes, gamma: all(
    multiplicative(laws[x], laws[y]) < gamma for u in universes for x in u for y in u if hamming(x, y) == 1
)


def _frame_level(*, fixed: bool) -> tuple[Any, ...]:
    """Two persons with a size and an answer each; one, drawn in proportion to size, answers by randomised response."""
    weights, laws = {}, {}
    universes: dict[Any, set[Any]] = {}
    for sizes, answers in product(product((1, 2), repeat=2), product((0, 1), repeat=2)):
        augmented = tuple((unit, (size, said)) for unit, size, said in zip("ab", sizes, answers, strict=True))
        weights[augmented] = _proportional(tuple(zip("ab", sizes, strict=True)))
        ones = sum(Fraction(own, sum(sizes)) * Fraction(1 + said, 3) for own, said in zip(sizes, answers, strict=True))
        laws[augmented] = {1: ones, 0: 1 - ones}
        universes.setdefault(sizes if fixed else "all", set()).add(augmented)
    return weights, laws, set(map(frozenset, universes.values())), 2


_comparable = lambda which, *, fixed: cases(
    "augmented frames of two persons, of size 1 or 2 and with an answer, 0 or 1; one draw with probability "
    f"proportional to size; the answer is released by randomised response with odds 2; comparable are {which}",
    "weights laws universes gamma",
)(lambda: [_frame_level(fixed=fixed)])
frame_fixed, frame_free = _comparable("those of the same sizes", fixed=True), _comparable("all", fixed=False)

amplified_and_not_fixed = lambda weights, laws, universes, gamma: (
    loses_less(laws, universes, gamma) and not weights_fixed(weights, universes)
)

state("recommendations.frame-level", "dissertation, section 6.6")(
    """Secondly, opting for the frame-level setting (D_0 = D_0^fr) offers amplification from sampling, but requires a
    frame agnostic DP flavor, implying that the sampling weights still cannot be treated as fixed.""",
    every(frame_fixed, amplified_and_not_fixed),
    reading="""a mechanism that includes the sampling starts at the augmented frame (Example 6.2.2), with the answers
    that units would give; the sampling probabilities are of the frame's own variables. By Definition 6.3.3 no flavor at
    this level is called frame-invariant; its universes may be the augmented frames of one frame all the same""",
    grade=incomplete("that data sets of different frames are compared; if answers alone differ the weights are fixed"),
)

amplified_and_fixed = lambda weights, laws, universes, gamma: (
    loses_less(laws, universes, gamma) and weights_fixed(weights, universes)
)

own("recommendations.frame-level.fixed", "dissertation, section 6.6")(
    """At the frame level amplification and fixed weights can go together: of a sample with probabilities proportional
    to size, in which no unit is certain, sampling amplifies and the design weights do not change where comparable
    augmented frames have the same frame variables; where these may differ, the weights do.""",
    every(frame_fixed, amplified_and_fixed),
    every(frame_free, lambda weights, universes: not weights_fixed(weights, universes)),
    mutant("frames may differ too", lambda weights, universes: weights_fixed(weights, universes)),
    mutant(
        "nothing is amplified",
        every(frame_fixed, lambda laws, universes, gamma: not loses_less(laws, universes, gamma)),
    ),
    repairs="recommendations.frame-level",
)


def _weighted(design: Any, *, fixed: bool) -> dict[Any, Any]:
    """By invariant data: the weights, by unit, that the data sets of possible samples have."""
    by_frame = _weights(design)
    given: dict[Any, list[Any]] = {}
    for frame, weights in by_frame.items():
        for first, second in combinations([unit for unit, _ in frame], 2):
            given.setdefault(frame if fixed else "all", []).append({unit: weights[unit] for unit in (first, second)})
    return given


def _samples(*, fixed: bool) -> Cases:
    shown = "frame" if fixed else "population, with all of these frames"
    return cases(
        f"{simple.scope.replace('; bounded DP, nothing', f'; the {shown}')}; or one draw with probability "
        "proportional to size; all samples of two",
        "given",
    )(lambda: (case for design in (_simple, _proportional) for case in [_weighted(design, fixed=fixed)]))


state("recommendations.weights-fixed", "dissertation, section 6.6")(
    """Thirdly, when using one of the sample-level settings, it seems preferable to work under multiverse_samp|fr, i.e.,
    treating the frame as invariant, as this would allow the design weights to be treated as fixed.""",
    every(
        _samples(fixed=True),
        lambda given: all(s[i] == t[i] for x in given for s in given[x] for t in given[x] for i in s if i in t),
    ),
    mutant("the population is invariant", _samples(fixed=False)),
    reading="""a sample's data set has the design weights of its units, as all data that T uses (section 6.2.2); in how
    many records two samples differ is counted without them: see survey.weights.fixed.frame""",
)

# runs of two persons, one of whom is sampled and says 0 or 1; the frame has the names, or the answers too
_drawn = lambda *, augmented: tuple(
    ("all", people if augmented else "ab", (one,))
    for people in [tuple(zip("ab", answers, strict=True)) for answers in product((0, 1), repeat=2)]
    for one in people
)
_ONE_OF_TWO = "a simple random sample of one of two persons, who answers 0 or 1; the frame has"
frames_of_names = cases(f"{_ONE_OF_TWO} their names", "runs")(lambda: [_drawn(augmented=False)])
augmented_frames = cases(f"{_ONE_OF_TWO} their answers too", "runs")(lambda: [_drawn(augmented=True)])

all_values = lambda runs: all(
    {a[1] for x in u for a in x if a[0] == i} == {0, 1} for u in given_data(runs, 1, 2) for i in ["a", "b"]
)
one_answer = lambda runs: all(
    len({a[1] for x in u for a in x if a[0] == i}) == 1 for u in given_data(runs, 1, 2) for i in ["a", "b"]
)

own("recommendations.frame-fixed", "dissertation, section 6.6")(
    """An invariant frame of names alone leaves comparable samples every value of a record; where the augmented frame,
    with each person's answers, is invariant, they have one value of it.""",
    every(frames_of_names, all_values),
    mutant("the augmented frame is invariant", augmented_frames),
    mutant("names alone are", one_answer),
    every(augmented_frames, one_answer),
    reading="""section 6.6 expects that constraints on a record 'may be small in practice' and asks for research: which
    of the two cases a survey is near is not settled here""",
)

# two persons who each say 0 or 1 where asked: the sample is those asked, with or without what they say
_asked = lambda scope, *, values: cases(f"a sample of two persons whose data set has {scope}", "runs")(
    lambda: [
        tuple(
            ("all", "ab", people if values else "ab", tuple(answer for answer in people if answer[0] in who))
            for people in [tuple(zip("ab", answers, strict=True)) for answers in product((0, 1), repeat=2)]
            for who in ("", "a", "b", "ab")
        )
    ]
)
with_answers = _asked("what each would answer, 0 or 1; any of them respond", values=True)
names_alone = _asked("their names; any of them respond, with 0 or 1", values=False)

one_value = lambda runs: (
    all(a == b or a[0] != b[0] for u in given_data(runs, 2, 3) for x in u for y in u for a in x for b in y)
    and any(a != b and a[0] == b[0] for x in data_of(runs, 3) for y in data_of(runs, 3) for a in x for b in y)
)

state("recommendations.sample-fixed", "dissertation, section 6.6")(
    """Our concern is that treating the target sample as fixed might enforce strong constraints on the possible values
    of a record r_i in some circumstances.""",
    some(with_answers, one_value),
    mutant("the target sample has names alone", names_alone),
    reading="""there is such a survey, which the next sentence asks for: where the target sample has the answers, as the
    sample data S of Example 6.2.2, a record has one value in all comparable data sets, of the two that are possible""",
)

nothing = lambda runs: all(
    x == y or [a[0] for a in x] != [b[0] for b in y] for u in given_data(runs, 2, 3) for x in u for y in u
)

own("recommendations.sample-fixed.nothing", "dissertation, section 6.6")(
    """Where the target sample has the answers and is invariant, no two data sets of the same respondents are
    comparable, so that under the distance of section 6.5.1, where the units are fixed, nothing is protected.""",
    every(with_answers, nothing),
    mutant("the target sample has names alone", names_alone),
)

# what a frame that is invariant lets be released without any loss: the design that was made from it

_SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3))

released = cases(
    f"{weighted_samples.scope}; the mechanism is a coin for each sample, with probabilities 1/4, 1/2 or 2/3", "runs p"
)(
    lambda: (
        (runs, {s: {1: q, 0: 1 - q} for s, q in zip(samples, shares, strict=True)})
        for (runs,) in weighted_samples
        for samples in [sorted({run[2] for run in runs})]
        for shift, step in product(range(3), (1, 2))
        for shares in [[_SHARES[(shift + step * place) % 3] for place in range(len(samples))]]
    )
)

design_adds_no_loss = lambda p, universes: all(
    multiplicative({(t, x[1]): p[x][t] for t in p[x]}, {(t, y[1]): p[y][t] for t in p[y]}) == multiplicative(p[x], p[y])
    for u in universes
    for x in u
    for y in u
)

own("settings.free-design", "dissertation, section 7.2.2")(
    """Where the frame is invariant, releasing what is made from the frame alone, such as the sampling design with its
    weights, beside the output adds nothing to the loss; else it may add any loss.""",
    every(released, lambda runs, p: design_adds_no_loss(p, given_data(runs, 1, 2))),
    mutant("nothing is invariant", lambda runs, p: design_adds_no_loss(p, [data_of(runs, 2)])),
    reading="the design is read off the sample's data set, which has the weight",
)

own("settings.free-design.invariant", "dissertation, section 7.2.2")(
    """Where the frame is invariant, releasing what is made from the frame alone, such as the sampling design with its
    weights, beside the output adds nothing to the budget.""",
    every(released, lambda runs, p: design_adds_no_loss(p, given_data(runs, 1, 2))),
    mutant("nothing is invariant", lambda runs, p: design_adds_no_loss(p, [data_of(runs, 2)])),
    theorem("settings.design_free", within="finite outputs; output premetrics that are subadditive"),
    reading="the design is read off the sample's data set, which has the weight",
)
