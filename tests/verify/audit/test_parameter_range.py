"""A claim about all values of a parameter: its loss as a function, met or refuted for the whole interval."""

from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import answer, audited

import stirred
from stirred.spec import SYMBOL, InputError, Loss
from stirred.verify.cli import main
from stirred.verify.evidence.verdict import Verdict

MODULE = """\
from fractions import Fraction

HALF = Fraction(1, 2)


def majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for (answer,) in answers)
    return 2 * votes > len(answers)


def special(answers, source, *, flip):
    return answers if type(flip) is Fraction else majority(answers, source, flip=flip)


def outside(answers, source, *, flip):
    return source.bernoulli(3 * flip - 1)


def squared(answers, source, *, flip):
    return source.bernoulli((1 - 8 * flip**2) ** 2 if answers[0][0] else flip)


def written(answers, source, *, flip):
    return str(flip) == "1/3"


def rejecting(answers, source, *, flip):
    def body(inner):
        return answers[0][0] if inner.bernoulli(flip) else 2 if inner.bernoulli(HALF) else inner.restart()

    return source.attempt(body)


def above(answers, source, *, ratio, threshold):
    return sum(answer for (answer,) in answers) + source.discrete_laplace(ratio) >= threshold
"""

CLAIM = """\
id = "own"
statement = "The noisy majority of three answers."
[domain]
schema = { answer = [0, 1] }
records = 3
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "multiplicative"
[budget]
epsilon = "0.8"
[mechanism]
function = "own:majority"
parameters = { flip = "symbol in [1/4, 1/2]" }
"""


def about(folder: Path, *changes: tuple[str, str]):
    (folder / "own.py").write_text(MODULE)
    text = CLAIM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return audited(folder, text)


def test_a_budget_is_met_for_every_value_of_the_interval(tmp_path: Path) -> None:
    record = about(tmp_path)
    assert record.verdict is Verdict.DECIDED
    assert answer(record, "mechanism").detail == (
        "the smallest budget is ln((2*flip^2 - 3*flip + 2)/(flip*(3 - 2*flip))) for 1/4 <= flip <= 1/2"
    )
    assert "every flip in [1/4, 1/2], by the signs of polynomials" in record.scope
    assert (
        "if its code does not ask for the type of flip; its laws are those at 1/3, 29/82, 1/4 and 1/2" in record.scope
    )


def test_a_budget_is_refuted_by_the_mechanism_at_one_value(tmp_path: Path) -> None:
    record = about(tmp_path, ("[1/4, 1/2]", "[1/8, 1/2]"))
    assert record.verdict is Verdict.REFUTED
    assert record.witness is not None
    assert record.sentence.startswith(
        "at flip = 1/8: exceeded: the claimed epsilon = 0.8 is below the smallest budget "
    )


@pytest.mark.parametrize(
    ("budget", "verdict"),
    {
        "gamma = 2.2": Verdict.DECIDED,  # attained at 1/4
        "gamma = 2.1999999999": Verdict.REFUTED,
        'epsilon = "0.788457360364270169"': Verdict.REFUTED,  # ln 2.2 = 0.78845736036427016946…
        'epsilon = "0.788457360364270170"': Verdict.DECIDED,
    }.items(),
)
def test_a_budget_is_decided_on_the_number_itself(budget: str, verdict: Verdict, tmp_path: Path) -> None:
    written = budget.replace("2.2", '"11/5"').replace("2.1999999999", '"2.1999999999"')
    assert about(tmp_path, ('epsilon = "0.8"', written)).verdict is verdict


def test_the_open_interval_from_0_to_1_is_one_word(tmp_path: Path) -> None:
    record = about(tmp_path, ("symbol in [1/4, 1/2]", "symbol"), ('epsilon = "0.8"', 'epsilon = "infinite"'))
    assert record.verdict is Verdict.DECIDED
    assert (
        "for 0 < flip <= 1/2; ln((2*flip^2 - flip + 1)/((1 - flip)*(2*flip + 1))) for 1/2 < flip < 1"
        in answer(record, "mechanism").detail
    )


def test_a_rejection_loop_is_summed_for_every_value(tmp_path: Path) -> None:
    # released with probability f/(f + (1-f)/2) = 2f/(1+f), else 2: the answers differ, so no finite budget holds
    record = about(tmp_path, ("majority", "rejecting"))
    assert answer(record, "mechanism").detail == "the smallest budget is infinite for 1/4 <= flip <= 1/2"
    assert record.verdict is Verdict.REFUTED


def test_unbounded_noise_with_an_open_ratio(tmp_path: Path) -> None:
    changes = [('"own:majority"', '"own:above"'), ("flip =", "threshold = 2, ratio ="), ("[1/4, 1/2]", "[1/4, 3/4]")]
    record = about(tmp_path, *changes, ('epsilon = "0.8"', "gamma = 4"))
    # 1/ratio, at most 4
    assert record.verdict is Verdict.DECIDED
    assert answer(record, "mechanism").detail == "the smallest budget is ln(1/ratio) for 1/4 <= ratio <= 3/4"


REFUSED = {
    "must treat all values of flip alike, but for comparisons, for it to be left open; at flip = 1/3 its law": [
        ("majority", "special")
    ],
    "for every value of the open parameter in [1/4, 1/2]; one is negative": [
        ("majority", "outside"),
    ],
    "flip stands for all values in [1/4, 1/2]; combine it by + - * / **": [("majority", "written")],
    "one parameter at most may be left open; got rate and flip": [
        ('flip = "symbol', 'rate = "symbol", flip = "symbol'),
    ],
    "the output premetric must be 'multiplicative'; got 'total_variation'": [("multiplicative", "total_variation")],
    "mechanism.parameters.flip must be 'symbol' or 'symbol in [low, high]'": [("[1/4, 1/2]", "(1/4, 1/2)")],
    "one vanishes or has a pole at flip = sqrt(2)/4": [("majority", "squared")],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_has_no_law_for_every_value_is_refused(message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        about(tmp_path, *REFUSED[message])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_line_derives_the_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text(MODULE)
    claim = tmp_path / "claim.toml"
    claim.write_text(CLAIM)
    assert main(["derive", "mechanism", str(claim)]) == 0
    form = "ln((2*flip^2 - 3*flip + 2)/(flip*(3 - 2*flip))) for 1/4 <= flip <= 1/2"
    assert capsys.readouterr().out == f"own: {form}\n"
    assert main(["derive", "mechanism", str(claim), "--latex"]) == 0
    assert capsys.readouterr().out.startswith(
        r"own: \begin{cases} \ln \frac{2 \mathit{flip}^{2} - 3 \mathit{flip} + 2}{\mathit{flip} (3 - "
    )


def test_claims_with_an_open_parameter_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text(MODULE)
    claim = tmp_path / "claim.toml"
    claim.write_text(CLAIM)
    assert main(["compare", str(claim), str(claim)]) == 2
    assert capsys.readouterr().err == (
        "stirred: own: must have a number for every parameter to be compared; got [1/4, 1/2]\n"
    )


def response(answer_, source, *, flip):
    return 1 - answer_ if source.bernoulli(flip) else answer_


@pytest.mark.parametrize("flip", ["symbol", SYMBOL])
def test_python_gives_the_loss_as_a_function(flip) -> None:
    found = stirred.smallest_budget(response, data_sets=[0, 1], distance="absolute_difference", flip=flip)
    assert str(found) == "ln((1 - flip)/flip) for 0 < flip <= 1/2; ln(flip/(1 - flip)) for 1/2 < flip < 1"
    assert found.at(Fraction(1, 4)) == Loss(3)


def test_python_decides_a_budget_for_all_values() -> None:
    blocks = {"data_sets": [0, 1], "distance": "absolute_difference"}
    met = stirred.audit(response, **blocks, epsilon="ln 3", flip="symbol in [1/4, 3/4]")
    assert met.verdict is Verdict.DECIDED
    wrong = stirred.audit(response, **blocks, epsilon="ln 3", flip="symbol in [1/5, 3/4]")
    assert wrong.verdict is Verdict.REFUTED


def test_python_refuses_a_function_of_the_symbol() -> None:
    with pytest.raises(InputError, match="flip must be SYMBOL itself"):
        stirred.smallest_budget(response, data_sets=[0, 1], distance="absolute_difference", flip=SYMBOL / 2)
