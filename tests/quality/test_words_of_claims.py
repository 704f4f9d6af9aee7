"""A number put into the words of a right claim by chance: it does not pass unless it is the claim's own.

Each case is a claim, a sentence of one of the forms in which authors give a budget, and a number that is either the
claim's, spelt in some way, or another one. The oracle decides by the numbers alone, which it has drawn itself.
"""

import json
import random
import time
from fractions import Fraction

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, built, replaced
from hypothesis import given
from hypothesis import strategies as st
from quality.verdicts_of_texts import RENYI

from stirred.verify.audit.words import compared_words
from stirred.verify.laws.statement_text import stated_numbers

CLAIMS_WITH_NUMBERS = {
    "decimal": (replaced(SCHEMA, ("gamma = 2", 'epsilon = "0.8"')), "ε", Fraction(4, 5)),
    "exact": ((CLAIMS / "coin.toml").read_text(encoding="utf-8"), "γ", Fraction(3)),
    "swap": (SOUND, "γ", Fraction(4)),
    "zcdp": (RENYI, "ρ", Fraction("3.016")),
}
NAMED = {
    "ε": (
        *("epsilon = {}", "ε={}", "an epsilon of {}", r"\(\varepsilon\) is {}", "epsilon, which is {}", "epsilon: {}"),
        *("{}-DP", "{}-differential privacy", "({}, 0)-DP", "the privacy loss is {}"),
        *("a privacy budget of {}", "eps {}"),
    ),
    "ρ": ("rho^2 = {}", "ρ² = {}", "{}-zCDP", "rho_squared: {}", "a zCDP budget of {}", "ρ^2 is {}"),
    "γ": ("gamma = {}", "e^epsilon = {}", "exp(ε) = {}", "γ: {}"),
}
AROUND = (
    *("{}.", "The release satisfies {}.", "In 1940, {}, by Theorem 2.", "It is shown that {} for everybody."),
    *("Hence {}", "A table with noise: {}; see section 3.", "{} (Table 2)"),
)


def spelt(draw, number):
    """A number in digits: a decimal, a fraction, with an exponent, in full-width digits or with zeros behind."""
    decimal = f"{float(number):.10f}".rstrip("0").rstrip(".")
    if Fraction(decimal) != number:
        return str(number)
    forms = [decimal, str(number), f"{decimal}0" if "." in decimal else decimal]
    forms.append(decimal.translate({ord(str(d)): chr(0xFF10 + d) for d in range(10)}))
    if number < 1:
        digits, places = int(decimal[2:]), len(decimal) - 2
        forms += [f"{digits}e-{places}", f"{digits} × 10^-{places}", f"{digits}·10^{{-{places}}}"]
    return draw.choice(forms)


def other(draw, number):
    """A number that does not round to the claim's, nor the other way round."""
    while True:
        drawn = (Fraction(draw.randint(1, 99), 100), Fraction(draw.randint(1, 9999), 1000), number / 10, number * 10)
        found = draw.choice(drawn)
        if abs(found - number) > number / 5:
            return found


def case(seed):
    """A claim with words, and whether they may pass."""
    draw = random.Random(seed)  # noqa: S311 not for secrets
    text, letter, own = CLAIMS_WITH_NUMBERS[draw.choice(sorted(CLAIMS_WITH_NUMBERS))]
    is_own = draw.random() < 0.4
    number = own if is_own else other(draw, own)
    words = draw.choice(AROUND).format(draw.choice(NAMED[letter]).format(spelt(draw, number)))
    if not is_own and draw.random() < 0.3:  # beside the right number, too
        words = f"{draw.choice(NAMED[letter]).format(own)}. {words}"
    first = text.index("statement = ")
    last = text.index("\n", first)
    return f"{text[:first]}statement = {json.dumps(words)}{text[last:]}", words, is_own


def checked(folder, seeds):
    wrong = []
    for seed in seeds:
        text, words, is_own = case(seed)
        found = compared_words(built(folder, text, None))
        if bool(found.differing) is is_own:
            wrong.append((seed, words, found))
    return wrong


def test_a_number_in_the_words_passes_only_if_it_is_the_claims(tmp_path):
    assert checked(tmp_path, range(400)) == []


@pytest.mark.nightly
def test_other_numbers_in_the_words_pass_only_if_they_are_the_claims(tmp_path, changing_seed):
    start = 1000 + changing_seed * 20_000
    assert checked(tmp_path, range(start, start + 20_000)) == []


PIECES = (
    *("epsilon", "ε", "ln", "(", ")", "3", "0.01", "1/2", ",", ".", "e^", "-", "−", "%", "and", "of", "is", "=", "b"),
    *("budget", "^2", "percent", "^", "\\frac", "exp", "1e-5", "10⁻⁵", "million", "DP", "-DP", "δ", "*", "_", "≪"),
    *("\\", "to", "between", "5%", "["),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(("", " ")))
def test_every_text_is_read_to_its_end(pieces, joint):
    assert all(one.words and one.name for one in stated_numbers(joint.join(pieces)))


@given(st.text(max_size=60))
def test_any_text_is_read(text):
    stated_numbers(text)


@pytest.mark.parametrize(
    "piece", ["ε = ", "1+", "ln ", "(", "ε=1,", "2^", "budget of ", "ε = 1 * ", "0.", ",111", "ε′"]
)
def test_the_longest_text_is_read_in_time(piece):
    start = time.perf_counter()
    stated_numbers((piece * 10_000)[:10_000])
    assert time.perf_counter() - start < 5
