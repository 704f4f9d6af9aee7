"""Laws of programs that draw for each record on its own: products of those of single records."""

from fractions import Fraction

import pytest

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.arguments import InputError
from stirred.verify.laws.catalogue import RecordProducts
from stirred.verify.laws.plain import plain_text


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


def test_the_mechanisms_that_are_said_to_draw_for_each_record_are_known():
    assert [name for name, named in CATALOGUE.items() if named.is_record_wise] == ["randomized-response"]
