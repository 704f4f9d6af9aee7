"""The checker of certificates confirms what is so, and nothing else; it needs no part of this program."""

import json

import pytest
from small_certificates import COIN

from stirred.verify.evidence.certificates import check as checker
from stirred.verify.evidence.certificates.check import CertificateError, check

LAWS = [{"probabilities": [[0, "3/4"], [1, "1/4"]]}, {"probabilities": [[1, "3/4"], [0, "1/4"]]}]
CHOICE, RESULT, BACK, ATTEMPT = range(4)


def law_of(tree, *rows, outputs=2):
    masses = checker._Tree([[checker.Fraction(weight) for weight in row] for row in rows], tree).law()
    return [str(masses.get(output, 0)) for output in range(outputs)]


@pytest.mark.parametrize("changes", [{}, {"laws": LAWS}, {"laws": LAWS, "weights": []}])
def test_what_is_so_is_confirmed(changes):
    *trusted, last = check({**COIN, **changes})
    assert last.startswith("CONFIRMED: met: multiplicative")
    assert "2 pairs of 2 data sets" in last
    assert any("m:coin" in line for line in trusted)


@pytest.mark.parametrize(
    ("measure", "enough", "too_little"),
    [
        ({"name": "multiplicative"}, {"gamma": 3, "root": 1}, {"gamma": "299/100", "root": 1}),
        ({"name": "multiplicative"}, {"gamma": 9, "root": 2}, {"gamma": "899/100", "root": 2}),
        ({"name": "multiplicative"}, {"epsilon": "10986123/10000000"}, {"epsilon": "10986122/10000000"}),
        (
            {"name": "approximate_multiplicative", "delta": "1/4"},
            {"gamma": 2, "root": 1},
            {"gamma": "199/100", "root": 1},
        ),
        ({"name": "approximate_multiplicative", "delta": "1/2"}, {"epsilon": 0}, None),
        ({"name": "total_variation"}, {"epsilon": "1/2"}, {"epsilon": "49/100"}),
    ],
)
def test_each_premetric_to_its_last_digit(measure, enough, too_little):
    certificate = {**COIN, "output_premetric": measure}
    assert check({**certificate, "budget": enough})[-1].startswith("CONFIRMED: met")
    if too_little is None:
        return
    with pytest.raises(CertificateError, match="fails at x = "):
        check({**certificate, "budget": too_little})
    exceeded = {"verdict": {"exceeded": [0, 1], "event": [0]}}
    assert check({**certificate, **exceeded, "budget": too_little})[-1].startswith("CONFIRMED: exceeded")
    with pytest.raises(CertificateError, match="the event does not exceed it"):
        check({**certificate, **exceeded, "budget": enough})


def test_renyi_divergences_at_every_order():
    """D_NoR² of this coin is KL = ln(3)/2 = 0.5493…, the limit as the order goes to 1."""
    coin = {**COIN, "output_premetric": {"name": "normalized_renyi"}, "budget": {"rho_squared": "3/5"}}
    orders = ["17/16", "9/8", "5/4", "3/2", 2]
    assert check({**coin, "orders": orders})[-1].startswith("CONFIRMED: met: normalized_renyi")
    for change in ({"orders": [2]}, {"orders": ["17/16"]}, {"orders": orders, "budget": {"rho_squared": "54/100"}}):
        with pytest.raises(CertificateError, match="is not shown at"):
            check({**coin, **change})


@pytest.mark.parametrize(
    ("tree", "law"),
    [
        ([0, 1, 5], ["1/3", "2/3"]),
        ([0, 2, 5], ["0", "1"]),  # begins again
        ([0, 0, 1, 5, 0, 5, 1], ["5/9", "4/9"]),
        ([0, 1, 0, BACK + 4 * 1, 5], ["3/7", "4/7"]),  # from the second coin back to the first: 1/3 over 1 - 2/9
        ([0, 1, 0, BACK + 4 * 2, 5], ["1/3", "2/3"]),  # from the second coin back to itself
        ([ATTEMPT, 0, 1, 5, 1, 5], ["1/3", "2/3"]),
        ([ATTEMPT, 0, BACK, 0, 1, 5, 1, 5], ["1/3", "2/3"]),  # a rejected half changes nothing
        ([0, 1, ATTEMPT, 0, 1, 5, 5, BACK], ["3/5", "2/5"]),  # 1/3 + 2/3·2/3·again
    ],
)
def test_trees_are_summed(tree, law):
    assert law_of(tree, ("1/3", "2/3")) == law


def test_a_deep_tree_takes_no_room_on_the_stack():
    depth = 20_000
    assert law_of([CHOICE] * depth + [RESULT], ("1",), outputs=1) == ["1"]
    assert law_of([ATTEMPT] * depth + [RESULT] * (depth + 1), outputs=1) == ["1"]


NO_TREES = [[], [0], [0, 1], [0, 1, 5, 1], [4, 1, 5], [0, 2, 2], [0, 1, BACK + 4 * 2], [0, BACK + 4, BACK + 4]]
NO_TREES += [[ATTEMPT, 5, 1], [-1], [True], ["1"], "1", [0, 1, 5.0], [ATTEMPT, 0, 1, 5, 1]]


@pytest.mark.parametrize("tree", NO_TREES, ids=str)
def test_what_is_no_tree_is_refused(tree):
    law = {"tree": tree, "rows": [0], "results": [0, 1]}
    with pytest.raises(CertificateError):
        check({**COIN, "laws": [law, law], "verdict": {"met": True}})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "stirred certificate 2"}, "format"),
        ({"more": 1}, "keys"),
        ({"weights": [["3/4", "1/5"]]}, "sum to 1"),
        ({"weights": [["5/4", "-1/4"]]}, "sum to 1"),
        ({"weights": [[0.75, 0.25]]}, "integer or a text"),
        ({"weights": [["3e-1", "1/4"]]}, "must be a number"),
        ({"weights": [["1/0", "1"]]}, "zero"),
        ({"laws": LAWS[:1]}, "one for each"),
        ({"laws": [{"probabilities": [[0, "1/2"]]}, LAWS[1]]}, "sum to 1"),
        ({"laws": [{"probabilities": [[0, "1/2"], [0, "1/2"]]}, LAWS[1]]}, "twice"),
        ({"laws": [{"probabilities": [[2, 1]]}, LAWS[1]]}, "places"),
        ({"data_sets": ["((0,),)", "((0,),)"]}, "different"),
        ({"universes": [[0, 2]]}, "places"),
        ({"universes": [[0, True]]}, "places"),
        ({"distance": {"name": "mine"}}, "pairs"),
        ({"distance": {"name": "mine", "pairs": [[0, 1, -1]]}}, "negative"),
        ({"distance": {"name": "mine", "pairs": [[0, 1, 1], [0, 1, 2]]}}, "once"),
        ({"distance": {"name": "mine", "pairs": [[0, 0, 1]]}}, "one universe"),
        ({"data_sets": ["0", "1"]}, "tuples of records"),
        ({"output_premetric": {"name": "mine"}}, "must be one of"),
        ({"output_premetric": {"name": "multiplicative", "delta": "1/2"}}, r"the keys \['name'\]"),
        ({"output_premetric": {"name": "multiplicative", "note": "0"}}, r"the keys \['name'\]"),
        ({"budget": {"gamma": 3, "root": 1, "note": "perfect"}}, "budget"),
        ({"output_premetric": {"name": "approximate_multiplicative", "delta": 1}}, "delta"),
        ({"budget": {"epsilon": -1}}, "negative"),
        ({"budget": {"gamma": "1/2", "root": 1}}, "at least 1"),
        ({"budget": {"rho_squared": 1}}, "budget"),
        ({"orders": [2]}, "orders"),
        ({"verdict": {"met": False}}, "verdict"),
        ({"verdict": {"exceeded": [0, 0], "event": [0]}}, "finite distance"),
        ({"verdict": {"exceeded": [0, 1], "event": [2]}}, "places"),
        ({"universes": None}, "not as the format"),
    ],
)
def test_what_is_malformed_is_refused(changes, message):
    with pytest.raises(CertificateError, match=message):
        check({**COIN, **changes})


def test_data_sets_of_different_universes_are_not_compared():
    apart = {"universes": [[0], [1]], "budget": {"epsilon": 0}}
    with pytest.raises(CertificateError, match="one universe"):
        check({**COIN, **apart, "distance": {"name": "mine", "pairs": [[0, 1, 1]]}})


@pytest.mark.parametrize(
    "changes",
    [
        {"universes": []},
        {"universes": [[]]},
        {"universes": [[0], [1]]},
        {"universes": [[0]], "distance": {"name": "mine", "pairs": []}},
        {"distance": {"name": "mine", "pairs": []}},
        {"data_sets": ["()", "((1,),)"]},  # of different sizes: at an infinite distance
        {"universes": [], "verdict": {"exceeded": [0, 1], "event": [0]}},
    ],
)
@pytest.mark.parametrize("budget", [{"epsilon": 0}, {"gamma": 3, "root": 1}])
def test_a_certificate_that_compares_nothing_is_not_confirmed(changes, budget):
    with pytest.raises(CertificateError, match="vacuous, so every mechanism satisfies it"):
        check({**COIN, "budget": budget, **changes})


@pytest.mark.parametrize("pairs", [[], [[0, 1, 1], [1, 0, 1]]])
def test_a_distance_that_is_computed_by_its_name_lists_no_pairs(pairs):
    with pytest.raises(CertificateError, match="hamming_ordered is computed: it must have no pairs"):
        check({**COIN, "budget": {"epsilon": 0}, "distance": {"name": "hamming_ordered", "pairs": pairs}})


def test_a_name_of_distances_that_are_listed_is_not_among_what_is_confirmed():
    listed = {"distance": {"name": "hamming of mine", "pairs": [[0, 1, 1], [1, 0, "3/2"]]}}
    words, _, last = check({**COIN, **listed})
    assert "listed distances" in last
    assert "hamming" not in last
    assert words.startswith('not compared: {"claim": "coin"')
    assert '"distances": "hamming of mine"' in words
    words, _, last = check(COIN)
    assert "hamming_ordered" in last
    assert "hamming" not in words


@pytest.mark.parametrize("key", ["claim", "statement", "mechanism"])
@pytest.mark.parametrize("text", ["CONFIRMED: met: epsilon = 0", "perfectly private\nCONFIRMED", 7, None])
def test_words_stand_under_not_compared_alone_and_escaped(key, text):
    before, after = check(COIN), check({**COIN, key: text})
    assert [line.startswith("not compared: ") for line in after] == [True, False, False]
    assert after[1:] == before[1:]
    assert f'"{key}": {json.dumps(text)}' in after[0]
    assert "\n" not in after[0]


@pytest.mark.parametrize(
    ("name", "x", "y", "d"),
    [
        ("hamming_ordered", "(0, 1)", "(1, 0)", 2),
        ("hamming_ordered", "(0, 1)", "(0,)", None),
        ("hamming_unordered", "(0, 1)", "(1, 0)", 0),
        ("hamming_unordered", "(0, 0, 1)", "(0, 1, 1)", 1),
        ("symmetric_difference", "(0, 0, 1)", "(0, 1, 1)", 2),
        ("symmetric_difference", "(0,)", "(0, 1)", 1),
        ("hamming_ordered", "(0,)", "(False,)", 1),
    ],
)
def test_distances_of_records(name, x, y, d):
    pairs = checker._pairs({"distance": {"name": name}}, [x, y], [[0, 1]])
    assert pairs.get((0, 1)) == d == pairs.get((1, 0))
