"""Only distances that two data sets of one universe have are asked about, and tests between them are drawn whole."""

from fractions import Fraction

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims
from stirred.verify.engines.inference.power import sharpest_power
from stirred.verify.learn.attained import attained_distances
from stirred.verify.learn.inference import infer
from stirred.verify.learn.learned import Asked

TEXT = """
id = "a.claim"
statement = "Something is met."
domain = {domain}
multiverse = {{ {multiverse} }}
input_premetric = {{ name = "{metric}", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ gamma = 2 }}
"""

BITS = '{{ schema = {{ a = [0, 1] }}, records = {records}, order = "ordered" }}'
LETTERS = '{{ schema = {{ a = ["r", "s", "t", "u"] }}, records = {records} }}'
VOID = "invariants = []"
COUNTS = 'invariants = [["a"]]'


def claim(tmp_path, domain, multiverse, metric):
    path = tmp_path / "claim.toml"
    path.write_text(TEXT.format(domain=domain, multiverse=multiverse, metric=metric))
    return build_claim(read_claims([path])[0])


def asked(built, *distances):
    return infer(built, built.cases[0], Asked(distances=distances))


def listed(inference):
    return tuple(int(one.name[6:]) for one in inference.limits if one.name.startswith("power."))


@pytest.mark.parametrize(
    ("domain", "multiverse", "metric", "distances"),
    [
        # few data sets are compared, many are measured: both list what there is
        (BITS.format(records=3), VOID, "hamming_ordered", (1, 2, 3)),
        (BITS.format(records=9), VOID, "hamming_ordered", (1, 2, 3)),
        (BITS.format(records=3), COUNTS, "hamming_ordered", (2,)),
        (BITS.format(records=9), COUNTS, "hamming_ordered", (2, 4, 6)),
        (LETTERS.format(records=10), VOID, "symmetric_difference", (2, 4, 6)),
        (LETTERS.format(records="[9, 11]"), VOID, "symmetric_difference", (2, 4, 6)),
        (LETTERS.format(records="[9, 10]"), VOID, "symmetric_difference", (1, 2, 3)),
        (LETTERS.format(records=12), VOID, "neighbors_replace_one_unordered", (1,)),
        ("{ data_sets = [0, 3, 10] }", VOID, "absolute_difference", (3, 7, 10)),
        ("{ margins = [{ rows = [30, 30, 1], columns = [20, 40, 1] }] }", VOID, "hamming_unordered", (2, 3, 4)),
        ("{ margins = [{ rows = [600, 300], columns = [450, 450] }] }", VOID, "hamming_unordered", (2, 4, 6)),
    ],
)
def test_the_least_attained_distances_are_listed(tmp_path, domain, multiverse, metric, distances):
    built = claim(tmp_path, domain, multiverse, metric)
    assert listed(asked(built))[:3] == distances


def test_a_distance_that_no_two_data_sets_have_is_refused_with_those_that_there_are(tmp_path):
    built = claim(tmp_path, BITS.format(records=3), COUNTS, "hamming_ordered")
    assert attained_distances(built).seen == (2,)
    for distance in (1, 3, 4):
        with pytest.raises(InputError, match=f"that of two data sets of one universe, one of 2; got {distance}$"):
            asked(built, distance)
    assert listed(asked(built, 2)) == (2,)


def test_what_is_in_words_only_is_said_to_be_unknown(tmp_path):
    built = claim(
        tmp_path, '{ description = "all records" }', 'description = "their number is kept"', "hamming_unordered"
    )
    inference = asked(built)
    assert listed(inference) == (1, 2, 3)
    assert inference.notes[-1].endswith("whether two of them are at these distances is not known")


@pytest.mark.parametrize(
    ("domain", "metric", "distance", "step"),
    [
        # 10 records of 4 kinds: 286 multisets, and with one number of records a step changes the difference by 2
        (LETTERS.format(records=10), "symmetric_difference", 4, None),
        (LETTERS.format(records="[9, 10]"), "symmetric_difference", 4, 1),
        (LETTERS.format(records=10), "hamming_unordered", 4, 1),
        (BITS.format(records=9), "hamming_ordered", 4, 1),
    ],
)
def test_steps_are_counted_only_where_data_sets_stand_between(tmp_path, domain, metric, distance, step):
    limits = {one.name: one for one in asked(claim(tmp_path, domain, VOID, metric), distance).limits}
    power = limits[f"power.{distance}"]
    expected = power.printed[1] if step is None else sharpest_power(Fraction(1, 20), 2, distance)
    assert power.sharpest[1] == expected
