"""What the size of a domain hides: a law that does not depend on the data yet, and a budget that grows with records."""

import re
from fractions import Fraction

import pytest

import stirred
from stirred import Source, ordered_data_sets
from stirred.verify.cli.main import main

ONE_LAW = "all compared data sets have the same law: on this domain the release does not depend on the data"
HALF = Fraction(1, 2)


def said(mechanism, data_sets, distance="hamming_ordered", **claim):
    found = stirred.audit(mechanism, data_sets=data_sets, distance=distance, **claim)
    remarks = [one.evidence.detail for one in found.record.answers if one.question == "size"]
    assert all(f"size: {one}" in str(found) for one in remarks)
    return found.verdict.name, "; ".join(remarks)


def over_ten(data, source: Source):
    return sum(data) > 10


def noisy_over_ten(data, source: Source):
    return int(sum(data) > 10) + source.discrete_laplace(HALF)


def constant(data, source: Source):
    return source.uniform(2)


def growing(data, source: Source):
    """Noise for one record, on a sum that each record moves by the number of all."""
    return source.clamp(sum(data) * len(data) + source.discrete_laplace(HALF), 0, 9)


def response(data, source: Source):
    return tuple(1 - bit if source.bernoulli(Fraction(1, 4)) else bit for bit in data)


@pytest.mark.parametrize("mechanism", [over_ten, noisy_over_ten, constant])
def test_one_law_on_all_data_sets_is_said_beside_a_budget_of_zero(mechanism):
    verdict, remark = said(mechanism, ordered_data_sets((0, 1), [4]), epsilon="1")
    assert verdict == "EXHAUSTED"
    assert remark.startswith(ONE_LAW)


def test_one_law_in_each_universe_is_one_law():
    verdict, remark = said(
        lambda data, source: sum(data), ordered_data_sets((0, 1), [2]), invariants=[sum], epsilon="1"
    )
    assert (verdict, remark[: len(ONE_LAW)]) == ("EXHAUSTED", ONE_LAW)


def test_a_law_that_depends_on_the_data_at_budget_zero_is_not_called_one():
    assert said(response, ordered_data_sets((0, 1), [2]), output="approximate", delta="0.9", epsilon="0")[1] == ""


@pytest.mark.parametrize(
    ("data_sets", "distance", "least", "most"),
    [
        (ordered_data_sets((0, 1), [3]), "hamming_ordered", "1.386 at 2 records", "2.079 at 3"),
        (ordered_data_sets((0, 1), [1, 2]), "unbounded", "0.6931 at 1 record", "2.079 at 2"),
        ([(0,), (1,), (0, 0), (1, 1), (0, 1)], "hamming_ordered", "0.6931 at 1 record", "1.386 at 2"),
    ],
)
def test_a_budget_that_grows_with_the_records_is_said(data_sets, distance, least, most):
    _, remark = said(growing, data_sets, distance)
    assert remark in ("", f"the smallest budget grows with the data, {least}, {most}: larger data sets may need more")
    assert remark or distance == "unbounded"


@pytest.mark.parametrize("output", ["kullback_leibler", "squared_hellinger", "gaussian"])
def test_one_that_is_no_loss_is_compared_too(output):
    asked = {"distance": "hamming_ordered", "output": output}
    _, remark = said(growing, ordered_data_sets((0, 1), [3]), **asked)
    least, most = (stirred.smallest_budget(growing, data_sets=ordered_data_sets((0, 1), [n]), **asked) for n in (2, 3))
    found = re.fullmatch(r"the smallest budget grows with the data, (.*) at 2 records, (.*) at 3: .*", remark)
    assert found is not None
    assert [round(float(Fraction(str(one).split("≈")[-1].split()[0])), 3) for one in (least, most)] == [
        round(float(one), 3) for one in found.groups()
    ]


def test_where_a_parameter_is_open_one_of_its_values_is_looked_at():
    def answers(data, source: Source, *, flip):
        return tuple(1 - data[0] if source.bernoulli(flip) else data[0] for _ in data)

    def over(data, source: Source, *, flip):
        return (sum(data) > 10) ^ source.bernoulli(flip)

    grows = said(answers, ordered_data_sets((0, 1), [3]), flip="symbol in [1/4, 1/3]")[1]
    assert grows.startswith("at flip = 9/32, the smallest budget grows with the data, 1.877 at 2 records, 2.815 at 3")
    for flip in ("symbol", "symbol in [1/4, 3/4]"):
        assert said(over, ordered_data_sets((0, 1), [4]), flip=flip)[1].endswith(
            f", {ONE_LAW}, and a budget of 0 says nothing about a larger domain"
        )


def refusing(data, source: Source):
    if len(data) < 3:
        raise ValueError("too few")
    return growing(data, source)


@pytest.mark.parametrize(
    ("mechanism", "data_sets"),
    [
        (response, ordered_data_sets((0, 1), [3])),
        (refusing, ordered_data_sets((0, 1), [3])),
        (growing, [(0, 1), (1, 1)]),
        (growing, ordered_data_sets((0, 1), [1])),
    ],
    ids=["it does not grow", "fewer are refused", "listed tuples", "one record"],
)
def test_else_nothing_is_said(mechanism, data_sets):
    assert said(mechanism, data_sets)[1] == ""


def test_an_exceeded_budget_needs_no_advice():
    assert said(growing, ordered_data_sets((0, 1), [3]), epsilon="1") == ("REFUTED", "")


CLAIM = """
id = "own.growing"
statement = "A claim."
domain = {{ schema = {{ v = [0, 1] }}, records = {records}, order = "{order}" }}
multiverse = {{ invariants = ["size"] }}
input_premetric = {{ name = "hamming_{order}", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ epsilon = "3" }}
mechanism = {{ function = "own:{name}" }}
"""

OWN = """
from fractions import Fraction

def growing(data, source):
    return source.clamp(sum(v for v, in data) * len(data) + source.discrete_laplace(Fraction(1, 2)), 0, 9)

def over_ten(data, source):
    return sum(v for v, in data) > 10
"""


@pytest.mark.parametrize("order", ["ordered", "unordered"])
@pytest.mark.parametrize(
    ("name", "text"),
    [("growing", "1.386 at 2 records, 2.079 at 3: larger data sets may need more"), ("over_ten", ONE_LAW)],
)
def test_claim_files_say_it_in_every_format(tmp_path, capsys, order, name, text):
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "claim.toml").write_text(CLAIM.format(records=3, order=order, name=name))
    assert main(["audit", str(tmp_path / "claim.toml")]) == 0
    assert text in capsys.readouterr().out
    assert main(["audit", str(tmp_path / "claim.toml"), "--format", "html"]) == 0
    assert text in capsys.readouterr().out
