"""Where a mechanism begins: its random seed, and the data that it takes in after recording and before release."""

from fractions import Fraction
from itertools import product

from stirred.spec.laws.law import Law
from stirred.verify.ledger import argued, cases, every, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.specifications.words import keeps_on
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import hamming_ordered, multiplicative

state("mechanism.uniform-seed", "dissertation, section A.1")(
    """Theoretically this is sufficient for most purposes, since such U can generate countably many independent
    real-valued random variables of arbitrary distributions.""",
    argued(
        "all countable families of distributions on the real line",
        proof="""The binary digits of U are independent fair bits: outside the countably many dyadic numbers the
            first n of them are given on an interval of length 2^-n. A bijection of N x N with N deals them out to
            countably many infinite sequences. U_k, the number with the k-th sequence as its digits, is uniform, and
            U_1, U_2, … are independent, as functions of disjoint sets of independent bits. For a distribution function
            F_k let X_k = inf{t : F_k(t) >= U_k} where 0 < U_k < 1, and 0 elsewhere. F_k is increasing and continuous
            from the right, so X_k <= t iff U_k <= F_k(t), which has probability F_k(t). Each X_k is a Borel function of
            U, and they are independent because the U_k are.""",
    ),
    reading="U is uniform on [0, 1] with the Borel sets, and the variables are Borel functions of U",
)

filled_in = lambda w: tuple(w[0] if r == "?" else r for r in w)
deduplicated = lambda w: tuple(r for i, r in enumerate(w) if r not in w[:i])
hammings_ordered = lambda points: {(x, y): hamming_ordered(x, y) for x in points for y in points}
worst_clean = lambda laws: max(
    [multiplicative(laws[x], laws[y]) for x in laws for y in laws if hamming_ordered(x, y) == 1]
)
worst_raw = lambda laws, raw: max(
    [multiplicative(laws[filled_in(w)], laws[filled_in(v)]) for w in raw for v in raw if hamming_ordered(w, v) == 1]
)

# randomized response on each of two records, which tells the truth with probability 2/3; a person who answers, and one
# with such an answer, or with none, which is ?
_ANSWERS, _RECORDED = list(product((0, 1), repeat=2)), list(product((0, 1), (0, 1, "?")))
_RESPONSES = {
    x: Law({t: Fraction(2 ** sum(a == b for a, b in zip(x, t, strict=True)), 9) for t in _ANSWERS}) for x in _ANSWERS
}
with_missing = cases(
    "randomized response for two persons, the second one may be missing and is imputed from the first",
    "laws w v",
    lambda: product([_RESPONSES], _RECORDED, _RECORDED),
)
all_answering = cases(
    "randomized response for two persons who answer", "laws w v", lambda: product([_RESPONSES], _ANSWERS, _ANSWERS)
)

# The mechanism satisfies ln 2 for the clean data, and not for the data as they were recorded.
diluted = lambda w, v, laws: (
    hamming_ordered(w, v) == 1
    and multiplicative(laws[filled_in(w)], laws[filled_in(v)]) > 2
    and keeps_on("D_Mult", laws, hammings_ordered(laws), set(laws), (2, 1))
)

counted = cases(
    "the number of records of two persons after deduplication, under the Hamming distance of bounded DP",
    "w v",
    lambda: product(_ANSWERS, repeat=2),
)

nothing_is_deduplicated = lambda w, v: (
    hamming_ordered(w, v) == 1
    and hamming_ordered(tuple(w), tuple(v)) == oo
    and multiplicative({len(tuple(w)): 1 for i in (0,)}, {len(tuple(v)): 1 for i in (0,)}) == oo
)
boundary_upstream = lambda w, v: (
    hamming_ordered(w, v) == 1
    and hamming_ordered(deduplicated(w), deduplicated(v)) == oo
    and multiplicative({len(deduplicated(w)): 1 for i in (0,)}, {len(deduplicated(v)): 1 for i in (0,)}) == oo
)

state("domain.boundary-upstream", "dissertation, section 2.4.2")(
    """moving this boundary upstream – by re-categorizing data-recording steps as data-processing – can dilute, or even
    invalidate, the DP guarantee""",
    some(with_missing, diluted),
    mutant("nothing is missing", all_answering),
    some(counted, boundary_upstream),
    mutant("nothing is deduplicated", nothing_is_deduplicated),
    reading="""for one person's record at a time; the steps are the imputation and the deduplication that the section
    names""",
)

state("domain.no-guarantee-elsewhere", "dissertation, section 2.4.2")(
    """While the Lipschitz condition (2.3) holds for data at the recording-processing boundary whenever the data-release
    mechanism is DP, there is no guarantee that this condition holds for data elsewhere in the data life cycle. In fact,
    there are simple examples which illustrate that, without additional assumptions on the data life cycle, a DP
    mechanism does not ensure that the Lipschitz condition (2.3) holds for data upstream …: … neither will data which is
    upstream of steps that impact a query's sensitivity, such as data-dependent clipping … or imputation""",
    some(with_missing, diluted),
    mutant("nothing is missing", all_answering),
)

imputation = cases(
    "randomized response for two persons, the second one imputed from the first",
    "laws raw",
    lambda: [(_RESPONSES, _RECORDED)],
)
all_answer = cases("randomized response for two persons who answer", "laws raw", lambda: [(_RESPONSES, _ANSWERS)])

state("domain.downstream-weaker", "dissertation, section 2.4.2")(
    """That is to say, data downstream of these pre-processing steps will have weaker (or no) privacy guarantees than
    data upstream; or equivalently, moving these steps from the data-recording phase to the data-processing phase would
    require additional noise to be added in order to maintain the same level of privacy protection.""",
    every(imputation, lambda laws, raw: worst_clean(laws) > worst_raw(laws, raw)),
    reading="the losses of one mechanism, which takes in the data after the step, for the data after it and before it",
    grade=misprint("upstream and downstream are exchanged, as the second half of the sentence shows"),
)

own("domain.upstream-weaker", "dissertation, section 2.4.2")(
    "Data upstream of such a pre-processing step can have weaker privacy guarantees than data downstream of it.",
    every(imputation, lambda laws, raw: worst_clean(laws) < worst_raw(laws, raw)),
    mutant("nothing is missing", all_answer),
    repairs="domain.downstream-weaker",
)
