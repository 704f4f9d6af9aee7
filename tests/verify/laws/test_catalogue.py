"""The laws of the library's mechanisms on many data sets: the same whoever computes them.

Laws of programs that draw for each record on its own: products of those of single records.

Laws of a program that only moves what records say are those of following it, in their order.
"""

from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from claim_texts import SCHEMA, audited, replaced
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.catalogue import CATALOGUE, Named, Parameter, answers
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, ChoiceFollower
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.swapping.permutation_counts import swapped_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec import SYMBOL
from stirred.spec.arguments import InputError
from stirred.verify.evidence.finding import EngineError
from stirred.verify.laws import catalogue as module
from stirred.verify.laws.catalogue import LibraryFunction, RecordProducts
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.moved_records import MovedRecords
from stirred.verify.laws.plain import PlainTexts, plain_text

POINTS = list(product((0, 1), repeat=5))
SETTING = {"flip_probability": Fraction(1, 4)}


def fails_on_ones(data, source):
    if all(data):
        raise ValueError("no zeros")
    return source.uniform(2)


def forgetful(data, source):
    """Other choices in its second computation: an attempt has an effect besides its result."""
    seen = []

    def body(inner):
        seen.append(inner.uniform(2))
        return 0

    source.attempt(body)
    return len(seen)


def counted_ones(answers, source):
    """No program that draws for each record on its own: what it says of one depends on the others."""
    return tuple([source.uniform(1 + sum(answers)) for _ in answers])


def listed(program, points=POINTS, jobs=1, setting=SETTING, choices=1_000, *, is_record_wise=False):
    limits = Limits(choices=choices, jobs=jobs)
    asked = LibraryFunction("claim.mechanism", program, tuple, limits, is_record_wise=is_record_wise)
    found = asked.laws(points, setting, is_ordered=True)
    return found.laws, found.assumed


def test_the_laws_are_those_of_each_data_set_alone():
    laws, said = listed(randomized_response)
    assert said == ""
    assert list(laws) == POINTS
    for point in POINTS:
        assert laws[point] == exact_law(randomized_response, point, **SETTING).push(plain_text)


@pytest.mark.parametrize("flip", [Fraction(0), Fraction(1, 4), Fraction(1)])
def test_products_over_records_are_the_laws_that_all_choices_give_in_the_same_order(flip):
    points = [(), *product((0, 1, True), repeat=2), *POINTS]  # True is another output than 1
    points = [point for place, point in enumerate(points) if point not in points[:place]]
    setting = {"flip_probability": flip}
    products, said = listed(randomized_response, points, setting=setting, is_record_wise=True)
    assert said == ""
    followed, _ = listed(randomized_response, points, setting=setting)
    for point in points:
        assert list(products[point].items()) == list(followed[point].items())


def test_products_over_records_are_said_where_not_all_laws_are_computed_a_second_time(monkeypatch):
    monkeypatch.setattr(module, "_MOST_COMPARED", 630)
    monkeypatch.setattr(module, "_LEAST_COMPARED", 1)
    _, said = listed(randomized_response, is_record_wise=True)
    compared = "8 of the laws, evenly spread, computed a second time to 60 digits"
    assert said == f"the laws are products of those of single records; {compared}"


def test_a_program_that_does_not_draw_for_each_record_on_its_own_has_no_products():
    with pytest.raises(EngineError, match="disagree"):
        listed(counted_ones, setting={}, is_record_wise=True)


def test_products_over_records_may_make_as_many_choices_as_following_them_all():
    for is_record_wise in (False, True):
        listed(randomized_response, choices=31, is_record_wise=is_record_wise)
        with pytest.raises(InputError, match="made more than 30 choices"):
            listed(randomized_response, choices=30, is_record_wise=is_record_wise)


def test_processes_that_share_the_work_give_the_same_laws_in_the_same_order(monkeypatch):
    alone, _ = listed(randomized_response)
    monkeypatch.setattr(module, "_PATIENCE", 0)
    monkeypatch.setattr(module, "_CHUNK", 0)
    shared, _ = listed(randomized_response, jobs=2)
    assert list(shared) == POINTS
    assert shared == alone


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_names_its_data_set(monkeypatch, jobs):
    monkeypatch.setattr(module, "_PATIENCE", 0)
    with pytest.raises(InputError, match=r"claim.mechanism: on the data set \(1, 1, 1, 1, 1\): .*ValueError: no zeros"):
        listed(fails_on_ones, jobs=jobs, setting={})
    with pytest.raises(InputError, match=r"on the data set \(0, 0, 0, 0, 0\): the mechanism made more than 3 choices"):
        listed(randomized_response, jobs=jobs, choices=3)


def test_a_program_that_cannot_be_sent_to_a_process_runs_here(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0)
    laws, _ = listed(lambda data, source: data, jobs=2, setting={})
    assert list(laws) == POINTS


def test_what_is_computed_a_second_time_is_said_where_it_is_not_all(monkeypatch):
    monkeypatch.setattr(module, "_MOST_COMPARED", 630)  # 63 nodes for each of 32 data sets
    monkeypatch.setattr(module, "_LEAST_COMPARED", 1)
    laws, said = listed(randomized_response)
    assert said == "8 of the laws, evenly spread, computed a second time to 60 digits"
    assert len(laws) == len(POINTS)


def test_the_second_computation_sees_an_attempt_with_an_effect():
    with pytest.raises((InputError, EngineError), match=r"claim\.mechanism: on the data set"):
        listed(forgetful, setting={})


def twice_asked(records, source):
    """Outputs that several runs give, with weights that the record decides."""
    return tuple([record and source.bernoulli(Fraction(1, 2)) + source.uniform(1 + record) for record in records])


def test_runs_with_one_output_are_one_outcome():
    products = RecordProducts(twice_asked, 1_000)
    for records in [(2, 0, 1), (1, 1), (0,), (2, 2, 2)]:
        law = exact_law(twice_asked, records).push(plain_text)
        assert list(products.law(records).items()) == list(law.items())


def test_what_python_calls_equal_is_told_apart():
    def program(records, source):
        return tuple([record if source.bernoulli(Fraction(1, 3)) else True for record in records])

    products = RecordProducts(program, 1_000)
    assert dict(products.law((True,))) == {"(True,)": 1}
    assert dict(products.law((1,))) == {"(True,)": Fraction(2, 3), "(1,)": Fraction(1, 3)}


def test_a_failure_is_that_of_the_program():
    program = CATALOGUE["randomized-response"].program
    products = RecordProducts(lambda records, source: program(records, source, flip_probability=Fraction(1, 4)), 1_000)
    with pytest.raises(InputError, match="answers must be 0 or 1; got 2"):
        products.law((0, 2))


VALUES = {Parameter.PROBABILITY: Fraction(1, 4), Parameter.SIZE: 3}
RECORD_WISE = [name for name, row in CATALOGUE.items() if row.is_record_wise]


@pytest.mark.parametrize("name", RECORD_WISE)
def test_a_row_said_to_draw_for_each_record_has_the_products_of_single_records(name):
    row = CATALOGUE[name]
    program = partial(row.program, **{key: VALUES[kind] for key, kind in row.parameters.items()})
    products = RecordProducts(program, 1_000)
    for records in product(((0,), (1,)), repeat=3):
        assert products.law(row.read(records)) == exact_law(program, row.read(records)).push(plain_text)


def test_randomized_response_is_such_a_row():
    assert "randomized-response" in RECORD_WISE


def k_ary_response(answers, source, *, size, change_probability):
    """Each answer is kept, or replaced by one of the others: ln((1 - p)(k - 1)/p)."""
    return tuple(
        [
            (answer + 1 + source.uniform(size - 1)) % size if source.bernoulli(change_probability) else answer
            for answer in answers
        ]
    )


def test_a_row_is_all_that_a_claim_file_needs(tmp_path, monkeypatch):
    parameters = {"size": Parameter.SIZE, "change_probability": Parameter.PROBABILITY}
    row = Named(k_ary_response, "answers from 0", parameters, read=answers, is_record_wise=True)
    monkeypatch.setitem(CATALOGUE, "k-ary-response", row)
    claim = replaced(
        SCHEMA,
        ('"no", "yes"', "0, 1, 2"),
        ("records = 2", 'records = 2\norder = "ordered"'),
        ("hamming_unordered", "hamming_ordered"),
        ('name = "identity"', 'name = "k-ary-response"\nsize = 3\nchange_probability = "1/4"'),
    )
    (found,) = [one.evidence for one in audited(tmp_path, claim).answers if one.question == "mechanism"]
    assert found.detail.startswith("the smallest budget is ln(6) ")  # (3/4)·2/(1/4)


@pytest.mark.parametrize("data", [3, "01"])
def test_answers_are_read_from_tuples_alone(data):
    with pytest.raises(InputError, match="data set must be a tuple of answers"):
        CATALOGUE["randomized-response"].read(data)


RECORDS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("ab"), st.integers(0, 2)), max_size=5)


@given(records=RECORDS, rate=st.sampled_from([SYMBOL, Fraction(0), Fraction(1, 3), Fraction(1, 2)]))
def test_they_are_the_laws_of_following_every_choice(records, rate):
    program = partial(permutation_swapping, swap_rate=rate)
    followed = tree_law(ChoiceFollower(PlainTexts()).follow(partial(program, records), ChoiceBudget(10_000)))
    law = MovedRecords(program, 10_000, PlainTexts()).law(records)
    assert list(law) == list(followed)
    assert all(law[text] == followed[text] for text in followed)
    assert law == swapped_law(records, swap_rate=rate).push(PlainTexts())


def test_laws_that_moving_and_counting_do_not_agree_on_are_refused(monkeypatch):
    monkeypatch.setattr(module, "_MOST_COMPARED", 1)
    records = [tuple((0, row, column) for row, column in cells) for cells in product(product((0, 1), (0, 1)), repeat=3)]
    wrong = partial(swapped_law, swap_rate=Fraction(1, 3))
    for counted, is_refused in ((swapped_law, False), (lambda records, **_: wrong(records), True)):
        function = LibraryFunction("claim", permutation_swapping, counted=counted)
        with pytest.raises(EngineError, match="disagree") if is_refused else nullcontext():
            found = function.laws(records, {"swap_rate": Fraction(1, 2)}, is_ordered=True)
            assert found.assumed == (
                "the laws are images of that of records which all differ; "
                "16 of the laws, evenly spread, computed a second time to 60 digits"
            )


def test_a_permutation_counts_once_for_each_way_to_draw_it():
    moved = MovedRecords(partial(permutation_swapping, swap_rate=Fraction(1, 2)), 10_000, PlainTexts())
    law = moved.law([(0, 0, "a"), (0, 0, "b"), (0, 1, "a")])
    # w_0 = 1/5, w_2 = 1/5 for each exchange, w_3 = 1/10 for each cycle; "a" goes to both rows, but where "b" moves down
    assert sorted(law[text] for text in law) == [Fraction(3, 10), Fraction(7, 10)]


def test_too_many_choices_are_refused():
    moved = MovedRecords(partial(permutation_swapping, swap_rate=Fraction(1, 2)), 10, PlainTexts())
    with pytest.raises(InputError, match="choices"):
        moved.law([(0, 0, 0)] * 4)
