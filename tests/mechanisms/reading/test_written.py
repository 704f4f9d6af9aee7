"""What is read is what is written: exact laws by hand, and every refusal by its line."""

import ast
from fractions import Fraction

import pytest
from quality import drawing_functions as written
from quality.read_laws import law_of, powers

from stirred.mechanisms.reading.functions import bound_names
from stirred.spec.arguments import InputError

THIRD, QUARTER, HALF = Fraction(1, 3), Fraction(1, 4), Fraction(1, 2)


def law(name, data, **parameters):
    """The law of a function of `drawing_functions`, by what it returns or raises."""
    return law_of(written, name, data, **parameters)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("thirds", [0, 1], {"True": THIRD, "False": 2 * THIRD}),
        ("mean", [0], {"True": 2 * THIRD, "False": THIRD}),
        ("shares", [0, 1], {"0": THIRD, "1": THIRD, "2": THIRD}),
        ("percent", [], {"True": Fraction(1, 10), "False": Fraction(9, 10)}),
        ("in_place", [], {"True": QUARTER, "False": 3 * QUARTER}),
        ("from_logarithm", [], {"True": 3 * QUARTER, "False": QUARTER}),
        ("renamed", [], {"'a'": THIRD, "'b'": 2 * THIRD}),
        ("secret", [], {"0": QUARTER, "1": HALF, "2": QUARTER}),
        ("subsample", [1, 5], {"[1]": HALF, "[5]": HALF}),
        ("shuffled", (1, 5), {"[1, 5]": HALF, "[5, 1]": HALF}),
        ("rejects", [7, 8], {"7": HALF, "ValueError('again', 1)": HALF}),
        ("keyed", [1, 2], {"[1, 2]": 3 * QUARTER, "[2, 1]": QUARTER}),
        ("closure", [1, 1], {"0": QUARTER, "1": HALF, "2": QUARTER}),
        ("partial", [], {"0": QUARTER, "1": HALF, "2": QUARTER}),
        ("tidy", [], {"['ZeroDivisionError', 'end']": HALF, "[10, 'end']": HALF}),
        ("logistic", [], {"True": powers({0: 1}, {0: 1, 2: 1}), "False": powers({2: 1}, {0: 1, 2: 1})}),
        ("alias", [], {"1": QUARTER, "0": 3 * QUARTER}),
        ("property_of_its_own", [], {"True": HALF, "False": HALF}),
        ("class_is_no_scope", [], {"True": QUARTER, "False": 3 * QUARTER}),
        ("of_a_million", [], {"0": QUARTER, "1": HALF, "2": QUARTER}),
        ("of_32_bits", [], {"np.True_": 3 * QUARTER, "np.False_": QUARTER}),
        ("one_of_a_million", [], {"True": Fraction(1, 10**6), "False": 1 - Fraction(1, 10**6)}),
        ("runs_on", [], {"True": 3 * QUARTER, "False": QUARTER}),
        ("made_before", [], {"True": HALF, "False": HALF}),
        ("constant", [], {"True": powers({1.5: 1}, {0: 1, 1.5: 1}), "False": powers({0: 1}, {0: 1, 1.5: 1})}),
        ("softmax", [0, 1], {"0": powers({0: 1}, {0: 1, HALF: 1}), "1": powers({HALF: 1}, {0: 1, HALF: 1})}),
    ],
)
def test_a_law_is_the_one_by_hand(name, data, expected):
    assert law(name, data) == expected


def test_roundings_of_a_uniform_number_are_its_steps():
    found = law("rounded", [])
    assert {key[1] for key in found} == set("0123")
    middle = [weight for key, weight in found.items() if key.endswith(", 0)")]
    assert middle == [Fraction(1, 8)] * 4
    assert sum(found.values()) == 1


def test_a_parameter_is_the_number_that_is_given():
    assert law("given", [], share=THIRD) == {"True": THIRD, "False": 2 * THIRD}


def test_objects_of_the_program_draw():
    found = law("objects", [])
    assert sorted(found.values()) == [Fraction(1, 8), Fraction(1, 8), Fraction(3, 8), Fraction(3, 8)]


DOUBLES = "is given doubles that differ from the real numbers that they stand for, and is not read"
REFUSED = {
    "unranked": "doubles and real numbers differ here: 0.30000000000000004 and 0.3 stand for 3/10 and 3/10",
    "counted": f"set {DOUBLES}",
    "shown": f"str {DOUBLES}",
    "looks": "hasattr of a function is not read",
    "reseeds": "random.seed fixes what is drawn: the release is then a function of the data; draw from a generator "
    "without a seed",
    "of_a_set": "the order of a set is another one in each process: iterate over sorted(…)",
    "cancels": "a number that is drawn is compared with 0.0, which is no exact number",
    "underflows": "sum is given doubles that differ from the real numbers that they stand for, and is not read",
    "tenths": "doubles and real numbers differ here: 0.30000000000000004 and 0.3 stand for 3/10 and 3/10",
    "truncated": "doubles and real numbers differ here: 28.999999999999996 stand for 29",
    "equal": "a number that is drawn is asked whether it equals another: real numbers never do, doubles can",
    "kind": "type of a number that is drawn is not read: compute it before the draw, or use --sampled",
    "text": "a number that is drawn becomes text: clamp it first, or return the number",
    "caught": ".is_integer of a number that is drawn",
    "hidden": "str of a number that is drawn is not read: compute it before the draw, or use --sampled",
    "seeded": "np.random.default_rng fixes what is drawn: the release is then a function of the data; draw from a "
    "generator without a seed",
    "reseeded": "random.seed fixes what is drawn: the release is then a function of the data; draw from a generator "
    "without a seed",
    "wide": "mod of an integer or a rounded number that has 1000000 values is not read: clamp it first",
    "keeps": "KEPT is a name of the module, which keeps what one call leaves for the next",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_by_its_line(name):
    with pytest.raises(InputError) as refusal:
        law(name, [0, 1])
    line, _, said = str(refusal.value).partition(": ")
    code = getattr(written, name).__code__
    assert line.startswith("drawing_functions.py, line ")
    last = max(number for *_, number in code.co_lines() if number)
    assert code.co_firstlineno <= int(line.rpartition(" ")[2]) <= last
    assert said == REFUSED[name]


def test_what_the_heads_of_inner_functions_and_classes_assign_is_local():
    text = "def f():\n def g(x=(y := 1)):\n  w = 1\n class A(B, k=(v := 2)):\n  u = 1\n return lambda t=(s := 3): t\n"
    (code,) = (one for one in compile(text, "f", "exec").co_consts if hasattr(one, "co_varnames"))
    assert bound_names(ast.parse(text).body[0]).local == {*code.co_varnames} == {"g", "y", "A", "v", "s"}
