"""What the claims on Pufferfish compute in words is what `spec` computes."""

from itertools import islice, permutations

from stirred.spec.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.certificates.language import holds
from stirred.verify.claims.pufferfish import words
from stirred.verify.ledger.failures import words_of

SAMPLE = list(islice(words.instantiations, 0, None, 23))


def law_of(belief, size):
    return tuple(belief.numeric(x) for x in range(size))


def test_the_steps_between_beliefs_are_those_of_the_specification():
    claimed = "belief_distance(belief_steps(D, S), b, c) == n"
    for attackers, pairs, kernel, _ in SAMPLE:
        found = words.instantiation(attackers, pairs)
        for one, other in permutations(found.beliefs, 2):
            b, c = (law_of(found.beliefs[name], len(kernel)) for name in (one, other))
            values = {"D": attackers, "S": pairs, "b": b, "c": c, "n": found.premetric(one, other)}
            assert holds(claimed, values, words_of(claimed))


def test_a_mechanism_keeps_the_smallest_budget_and_none_below():
    claimed = "keeps_pufferfish(D, S, M, gamma)"
    for attackers, pairs, kernel, _ in SAMPLE:
        smallest = words.smallest_gamma(attackers, pairs, kernel)
        if smallest is not None:
            for gamma in {smallest, (smallest + 1) / 2}:
                values = {"D": attackers, "S": pairs, "M": kernel, "gamma": gamma}
                assert holds(claimed, values, words_of(claimed)) == (gamma == smallest)


def test_the_distance_of_two_laws_in_words_is_that_of_the_output_premetric():
    claimed = "mult_of(p, q) == n"
    laws = words.kernel_laws(2, 3)
    for p, q in permutations(laws, 2):
        one, other = (Law(dict(enumerate(law))) for law in (p, q))
        values = {"p": p, "q": q, "n": Multiplicative().distance(one, other).gamma}
        assert holds(claimed, values, words_of(claimed))
