"""A claim about all values of a parameter: its loss as a function, met or refuted for the whole interval.

A parameter that is e^-q: budgets in nats met with equality, exceeded with a witness that replays.
"""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from claim_texts import answer, audited
from tiers import few

import stirred
from stirred.spec import SYMBOL, InputError, Loss
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.verify.cli.main import main
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
    assert record.sentence.startswith("at flip = 1/8: claimed epsilon = 0.8 < required ")


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
    "must treat all values of flip alike, apart from comparisons; at flip = 1/3 its law": [("majority", "special")],
    "for every value of the open parameter in [1/4, 1/2]; one is negative": [
        ("majority", "outside"),
    ],
    "between 0 and 1; one is negative at exp(-2)": [("majority", "outside"), ("symbol in [1/4, 1/2]", "exp(-2)")],
    "flip stands for all values in [1/4, 1/2]; combine it by + - * / **": [("majority", "written")],
    "one parameter at most may be left open; got rate and flip": [
        ('flip = "symbol', 'rate = "symbol", flip = "symbol'),
    ],
    "the output premetric must be 'multiplicative', or": [("multiplicative", "kullback_leibler")],
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


BITS = {"data_sets": [0, 1], "distance": "absolute_difference"}


def response(answer_, source, *, flip):
    return 1 - answer_ if source.bernoulli(flip) else answer_


def test_python_gives_the_loss_as_a_function() -> None:
    found = stirred.smallest_budget(response, **BITS, flip="symbol")
    assert str(found) == "ln((1 - flip)/flip) for 0 < flip <= 1/2; ln(flip/(1 - flip)) for 1/2 < flip < 1"
    assert found.at(Fraction(1, 4)) == Loss(3)


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    {
        "ln 3": Verdict.DECIDED,  # attained at 1/4
        "ln(2.9999999999)": Verdict.REFUTED,
        "1.098612288668109691": Verdict.REFUTED,  # ln 3 = 1.09861228866810969139…
        "1.098612288668109692": Verdict.DECIDED,
    }.items(),
)
def test_python_decides_a_budget_on_the_number_itself_for_all_values(epsilon: str, verdict: Verdict) -> None:
    assert stirred.audit(response, **BITS, epsilon=epsilon, flip="symbol in [1/4, 3/4]").verdict is verdict


def test_python_refuses_a_function_of_the_symbol() -> None:
    with pytest.raises(InputError, match="flip must be SYMBOL itself"):
        stirred.smallest_budget(response, **BITS, flip=SYMBOL / 2)


COUNTS = {"data_sets": range(4), "distance": "absolute_difference"}
SCORES = {
    "data_sets": list(product(range(3), repeat=2)),
    "distance": lambda x, y: max(abs(a - b) for a, b in zip(x, y, strict=True)),
}


def noisy_count(count, source, *, ratio):
    return source.clamp(count + source.discrete_laplace(ratio), 0, 3)


def exponential_mechanism(scores, source, *, x):
    weights = [x ** (2 - score) for score in scores]
    return source.choose([weight / sum(weights) for weight in weights])


def permute_and_flip(scores, source, *, q):
    """McKenna and Sheldon (2020), Algorithm 1, with q = e^(-epsilon/2): the largest score is accepted with q^0 = 1."""
    top = max(scores)
    for place in source.permutation(len(scores)):
        if source.bernoulli(q ** (top - scores[place])):
            return place
    return None


def leaking(count, source, *, ratio):
    return count if source.bernoulli(ratio) else 0


def fair(count, source, *, ratio):
    """A loss that does not depend on the ratio: ln 2."""
    return source.bernoulli(Fraction(1, 3)) if count else source.bernoulli(Fraction(2, 3))


@pytest.mark.parametrize("epsilon", few(["1", "0.3", "1/2", "7/5"], 2))
def test_geometric_noise_meets_the_epsilon_of_its_ratio_and_nothing_less(epsilon: str) -> None:
    met = stirred.audit(noisy_count, **COUNTS, epsilon=epsilon, ratio=f"exp(-{epsilon})")
    assert met.verdict is Verdict.ENCLOSED
    assert "≥ required ln(1/ratio) ≈ " in met.record.sentence
    less = Fraction(epsilon) - Fraction(1, 10**20)
    exceeded = stirred.audit(noisy_count, **COUNTS, epsilon=less, ratio=f"exp(-{epsilon})")
    assert exceeded.verdict is Verdict.REFUTED
    assert exceeded.witness["kind"] == "formula"  # replayed by the audit
    assert exceeded.witness["claimed"] == "1/exp(-q) <= exp(epsilon*d)"


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    {
        "ln(27/10)": Verdict.REFUTED,
        "ln(28/10)": Verdict.ENCLOSED,
        "ln(7)/2": Verdict.REFUTED,
        "ln(8)/2": Verdict.ENCLOSED,
    }.items(),
)
def test_a_logarithm_is_compared_with_a_loss_of_1(epsilon: str, verdict: Verdict) -> None:
    # e = 2.718…, e^2 = 7.389…
    assert (
        stirred.audit(
            noisy_count, **COUNTS, epsilon=epsilon.replace("27/10", "2.7").replace("28/10", "2.8"), ratio="exp(-1)"
        ).verdict
        is verdict
    )


def test_the_exponential_mechanism_at_epsilon_1() -> None:
    # ln((1 + x^2)/(2 x^2)) = ln((e^2 + 1)/2) = 1.43378…
    found = stirred.smallest_budget(exponential_mechanism, **SCORES, x="exp(-1)")
    assert found.text() == "1.43378"
    for epsilon, verdict in (("1.4337", Verdict.REFUTED), ("1.4338", Verdict.ENCLOSED)):
        assert stirred.audit(exponential_mechanism, **SCORES, epsilon=epsilon, x="exp(-1)").verdict is verdict


@pytest.mark.parametrize("epsilon", few([2, 1, Fraction(1, 3)]))
def test_permute_and_flip_as_published_needs_exactly_its_epsilon(epsilon: int) -> None:
    # the lower one of two scores d apart is released with q^d/2: from d = 2 to d = 0 that is 1/q^2 = e^epsilon
    q = f"exp(-{Fraction(epsilon, 2)})"
    found = stirred.audit(permute_and_flip, **SCORES, epsilon=epsilon, q=q)
    assert found.verdict is Verdict.ENCLOSED
    assert "≥ required ln(1/q^2) ≈ " in found.because
    less = epsilon - Fraction(1, 10**20)
    assert stirred.audit(permute_and_flip, **SCORES, epsilon=less, q=q).verdict is Verdict.REFUTED


def test_permute_and_flip_is_audited_for_every_base_at_once() -> None:
    found = stirred.smallest_budget(permute_and_flip, **SCORES, q=stirred.SYMBOL)
    assert str(found) == "ln(1/q^2) for 0 < q < 1"


def test_an_infinite_loss_is_refuted_by_an_impossible_outcome() -> None:
    found = stirred.audit(leaking, **COUNTS, epsilon="9", ratio="exp(-2)")
    assert found.verdict is Verdict.REFUTED
    assert found.smallest == stirred.INFINITE
    assert found.witness["claimed"] == "exp(-q) <= exp(epsilon*d)*0"
    assert stirred.audit(leaking, **COUNTS, epsilon="infinite", ratio="exp(-2)").verdict is Verdict.ENCLOSED


def test_a_loss_that_does_not_depend_on_the_parameter_is_compared_as_a_number() -> None:
    for epsilon, verdict in ((Loss(2), Verdict.ENCLOSED), (Loss(Fraction(199, 100)), Verdict.REFUTED)):
        found = stirred.audit(fair, **BITS, epsilon=epsilon, ratio="exp(-1)")
        assert found.verdict is verdict


def test_the_interval_around_the_value_is_narrow() -> None:
    found = OpenParameter.read("x", "exp(-1)")
    assert str(found) == "exp(-1)"
    assert 0 < found.high - found.low <= Fraction(2, 10**30)


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "exp(1)": r"ratio must be 'exp\(-q\)' with an exact number q > 0; got 'exp\(1\)'",
        "exp(-0)": "must be above 0 and at most 50; got 0",
        "exp(-51)": "must be above 0 and at most 50; got 51",
        "exp(-a)": "ratio must be an exact number",
    }.items(),
)
def test_a_malformed_exponential_is_refused(text: str, message: str) -> None:
    with pytest.raises(stirred.InputError, match=message):
        stirred.smallest_budget(noisy_count, **COUNTS, ratio=text)


def test_laws_that_differ_at_distance_0_are_left_open() -> None:
    blocks = {"data_sets": [0, 1], "distance": lambda x, y: 0}
    found = stirred.audit(noisy_count, **blocks, epsilon="9", ratio="exp(-1)")
    assert found.verdict is Verdict.OPEN
    assert "no finite budget is enough" in found.record.sentence
