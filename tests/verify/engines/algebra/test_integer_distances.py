from fractions import Fraction
from itertools import product

import pytest

from stirred.spec import InputError, Law, Multiplicative, TotalVariation
from stirred.spec.output_premetrics import ApproximateMultiplicative, NormalizedRenyi
from stirred.verify.engines.algebra.corners import IntegerDistances, by_size

LAWS = [
    Law({t: Fraction(k, 6) for t, k in enumerate(counts)}) for counts in product(range(7), repeat=3) if sum(counts) == 6
]
MEASURES = [Multiplicative(), TotalVariation(), *(ApproximateMultiplicative(Fraction(1, n)) for n in (2, 6, 7, 10))]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_integers_agree_with_the_premetrics_on_all_pairs(measure):
    distances = IntegerDistances(LAWS, measure)
    for (i, p), (j, q) in product(enumerate(LAWS), repeat=2):
        assert distances.between(i, j) == measure.distance(p, q)


def test_keys_sort_as_the_premetric_compares():
    measure = Multiplicative()
    values = sorted({measure.distance(p, q) for p, q in product(LAWS, repeat=2)}, key=by_size)
    assert values == sorted(values)


def test_premetrics_without_exact_distances_are_refused():
    with pytest.raises(InputError, match="must have exact distances"):
        IntegerDistances(LAWS, NormalizedRenyi())
