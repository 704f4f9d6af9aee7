"""Records of one variable are tuples, or their values where the claim says so: to what is read, run and sampled."""

import pytest
from claim_texts import SCHEMA, built, replaced

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.audit.sampled import Sampling, audit_sampled

ANSWERS = replaced(SCHEMA, ('["no", "yes"]', "[0, 1]"))

MODULE = """\
import numpy as np

def of_values(data, rng: np.random.Generator):
    return sum(data) if rng.random() < 0.75 else 1

def of_tuples(data, rng: np.random.Generator):
    return sum(x for x, in data) if rng.random() < 0.75 else 1

def of_values_by_source(data, source):
    return sum(data) if source.choose((1, 0)) == 0 else 1

def of_texts(data, rng: np.random.Generator):
    return {0: "no", 1: "yes"}[data[0]] if rng.random() < 0.75 else {}[data]

def of_orders(data, rng: np.random.Generator):
    return data[0] if rng.random() < 0.75 else 1
"""


def stated(folder, function, said="", text=ANSWERS):
    (folder / "forms.py").write_text(MODULE)
    return built(folder, replaced(text, ('name = "identity"', f'function = "forms:{function}"\n{said}')))


def laws(claim):
    found = claim.mechanism.function.laws(claim.data.domain.points, {}, is_ordered=False)
    return found.laws


def test_values_are_handed_over_where_the_claim_says_so(tmp_path):
    tuples = laws(stated(tmp_path, "of_tuples"))
    assert set(tuples) == {((0,), (0,)), ((0,), (1,)), ((1,), (1,))}
    assert laws(stated(tmp_path, "of_tuples", 'records = "tuples"')) == tuples
    assert laws(stated(tmp_path, "of_values", 'records = "values"')) == tuples


def test_other_orders_of_values_are_looked_at(tmp_path):
    with pytest.raises(InputError, match="order of records"):
        laws(stated(tmp_path, "of_orders", 'records = "values"'))


@pytest.mark.parametrize(
    ("function", "said", "told"),
    [
        ("of_values", "", 'a record is a tuple here, of one value: records = "values" in [mechanism] hands over'),
        ("of_values_by_source", "", 'records = "values" in [mechanism] hands over the value'),
        ("of_texts", "", "a record is a tuple here"),
        ("of_tuples", 'records = "values"', 'a record is its one value here: records = "values"'),
    ],
)
def test_a_function_that_fails_is_told_which_form_it_was_given(tmp_path, function, said, told):
    with pytest.raises(InputError) as error:
        audit(stated(tmp_path, function, said))
    assert "it raised " in str(error.value)
    assert told in str(error.value)


def test_nothing_is_said_of_records_of_several_variables(tmp_path):
    two = replaced(ANSWERS, ("{ vote = [0, 1] }", "{ vote = [0, 1], age = [0, 1] }"))
    with pytest.raises(InputError) as error:
        audit(stated(tmp_path, "of_values", text=two))
    assert "records =" not in str(error.value)


def test_draws_are_of_the_form_that_is_stated(tmp_path):
    claim = stated(tmp_path, "of_values", 'records = "values"')
    found = audit_sampled(claim, Sampling(draws=2_000, seed=1))
    assert found.record.verdict.name == "REFUTED"  # 2 has the probability 3/4 on two of the answers 1, else 0


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ((("records = 2", "records = 2\norder = 'ordered'"), ("[0, 1] }", "[0, 1], b = [0] }")), "one variable"),
        ((("schema = { vote = [0, 1] }\nrecords = 2", "data_sets = [[0], [1]]"),), "one variable"),
        ((('records = "values"', 'records = "value"'),), "unknown name 'value'; did you mean 'values'"),
    ],
)
def test_the_form_belongs_to_records_of_one_variable(tmp_path, changes, told):
    text = replaced(ANSWERS, ('name = "identity"', 'name = "identity"\nrecords = "values"'))
    with pytest.raises(InputError, match=f"mechanism.records.*{told}"):
        stated(tmp_path, "of_values", text=replaced(text, *changes))
