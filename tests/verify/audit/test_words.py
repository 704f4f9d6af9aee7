"""Nothing holds above words that differ from the blocks, or above numbers of the budget that nothing compares.

The summary of a claim names what decides it; printed numbers stand beside it, counted as they agree.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import CLAIMS, PSA, RENYI, answer, audited, replaced

import stirred
from stirred.verify.audit.audit import AuditRecord
from stirred.verify.audit.question import Answer
from stirred.verify.audit.words import compared_words
from stirred.verify.cli.commands.init import FILES
from stirred.verify.cli.commands.survey import EXAMPLE
from stirred.verify.cli.main import main
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim_numbers import PUBLISHED
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

COIN = (CLAIMS / "coin.toml").read_text(encoding="utf-8")
FALSE = "The mechanism is perfectly private: epsilon = 0.01, delta = 0, for everybody."


def said(text, words):
    """A claim with other words for its statement."""
    first = text.index("statement = ")
    return f"{text[:first]}statement = {json.dumps(words)}{text[text.index(chr(10), first) :]}"


def words_of(tmp_path, text):
    file = tmp_path / "claim.toml"
    file.write_text(text, encoding="utf-8")
    return compared_words(build_claim(read_claims([file])[0], None))


class TestTheReproductions:
    def test_perfect_privacy_and_a_hundredth_beside_ln_3(self, tmp_path):
        assert audited(tmp_path, COIN).verdict is Verdict.EXHAUSTED
        record = audited(tmp_path, said(COIN, FALSE))
        assert record.verdict is Verdict.OPEN
        assert "the statement says 'epsilon = 0.01'; the claim has the budget gamma = 3" in record.sentence
        assert "required by the mechanism: ln(3)" in record.sentence

    def test_another_logarithm_beside_the_theorem(self, tmp_path):
        right = said(PSA, "epsilon = ln(209) and ln(11), b = 10, at p = 0.05 and 0.5.")
        assert audited(tmp_path, right).verdict.is_settled_for
        wrong = said(PSA, "The release satisfies epsilon = ln(20) ≈ 3.00 (b = 1927, p = 1/20).")
        record = audited(tmp_path, wrong)
        assert record.verdict is Verdict.OPEN
        assert "the statement says 'epsilon = ln(20)'; the claim has the budget" in answer(record, "words").detail

    def test_a_refutation_stays_one(self, tmp_path):
        assert audited(tmp_path, said(replaced(COIN, ("gamma = 3", "gamma = 2")), FALSE)).verdict is Verdict.REFUTED


APPROXIMATE = replaced(
    COIN,
    ('name = "multiplicative"', 'name = "approximate_multiplicative"\ndelta = "1e-6"'),
    ("gamma = 3", 'epsilon = "0.8"'),
)
ROUNDED_UP = replaced(APPROXIMATE, ('epsilon = "0.8"', 'epsilon = "1.1000001"'))
SAME = {
    "coin": (
        COIN,
        (
            *("A coin.", "epsilon = ln 3", "ε = log(3)", "epsilon = ln(9)/2", "e^epsilon = 3", "gamma = 3"),
            *("epsilon = 1.0986", "ε ≈ 1.1", "epsilon = 1.10", "epsilon is at most 2", "3-fold odds"),
            *("ε < 1.2", "epsilon = ln 3 ≈ 1.0986", "ε = 1.0–1.2", "ε ≥ 1", "ε ≤ 2", "epsilon between 1 and 1.2"),
            *("(ln 3, 0)-DP", "pure DP, delta = 0, with epsilon = ln 3", "In 1940 (Theorem 5), epsilon = ln 3."),
            *("Each of three answers is flipped with probability 1/4", "epsilon = ln 3 (see section 3.4, Table 2)"),
            *("The odds change at most threefold for each person.", "ε = ln((1-q)/q), ln 3", "epsilon is not 2"),
            *("ε = ln 3, the sum of ε_1 = 0.5 and ε_2 = 0.6", "Noise of μ = 0, γ_0 = 2, scale 3"),
            *("ε = ln 3, which is ρ = 0.7-zCDP", "2ε = 3", "δ = 1/n²", "version 1.2 of the 2020 Census"),
        ),
    ),
    "approximate": (
        APPROXIMATE,
        (
            *("ε = 0.8 and δ = 1e-6", "(0.8, 10^-6)-DP", "ε = 4/5, δ < 1/n", "ε ≤ 1", "ε between 0.7 and 0.9"),
            *("ε_i = 0.2 each, ε = 0.8 in total", "Δ = 1, ε = 0.8, b = Δ/ε = 1.25", "Theorem 3.2, version 1.2"),
            "with probability 0.05",
        ),
    ),
    "rounded up": (ROUNDED_UP, ("ε ≈ 1.1",)),
    "zcdp": (
        RENYI,
        (
            *("rho^2 = 0.5", "ρ² = 0.50", "0.5-zCDP", "rho_squared = 1/2", "rho = 0.5 zCDP", "ρ = √0.5"),
            "rho^2 = 0.5 (epsilon = 0.01 at delta = 1e-5)",
        ),
    ),
    "two settings": (
        PSA,
        ("p = 0.05, 0.5 give epsilon = 5.3423, 2.3979; b = 10", "epsilon = ln(209) and ln(11)", "epsilon = 2.3979"),
    ),
}
"""Statements whose numbers in digits are the claim's, round to them, or are a bound or something else."""

OTHER = {
    "coin": (
        COIN,
        (
            *("ε=0.01", "It is 0.01-DP.", "(0.1, 1e-5)-DP", "budget 0.01", "privacy loss 1/100", "epsilon of 0,01"),
            *(r"\(\varepsilon\) \leq 0.01", "e^ε = 1.01", "ε ∈ [0, 0.01]", "epsilon < 1", "epsilon is at most 1"),
            *("０．０１-DP", "ε = ln 2", "epsilon = 3", "epsilon = 1.09", "epsilon = 1.098", "0.01‑DP"),
            *("ε between 1.2 and 2", "ε ≥ 2", "In 1940, ε is 0.01 nats", "ε = 0.7–0.9", "0.01-GDP"),
            *("rho^2 = 0.1", "0.1-zCDP", "epsilon = ln 3 and delta = 1e-5", "gamma = 1.01", "epsilon = ln 3 / 100"),
            *("epsilon = 0.01 for most, ln 3 for the worst person", "epsilon = −ln 3", "ε = .01", "ε_0 = 1"),
            *("not only private: ε = 0.01", "No attacker learns more than ε = 0.01"),
            *("ε = 1.1 - 0.1", "ε = ln 3 - ln 2", "ε = 2 - 1", "a budget of 1.2 − 1.1", "epsilon: 1 - 2 + 1.5"),
        ),
    ),
    "approximate": (APPROXIMATE, ("δ = 1e-7", "ε < 0.8", "ε=0,8", "ε = 0.8000001", "ε of 1 is enough")),
    "rounded up": (ROUNDED_UP, ("ε = 1.1", "ε = 1.11")),
    "zcdp": (
        RENYI,
        (
            *("rho^2 = 0.05", "epsilon = 0.5", "a privacy loss of 0.4", "epsilon = 5.2 at delta = 1e-5"),
            "0.4-zCDP, so epsilon = 0.5",
        ),
    ),
    "two settings": (PSA, ("epsilon = 2.39", "epsilon = 5.3423, epsilon = 2")),
}
"""Statements whose numbers in digits are not the claim's, or cannot be read."""


@pytest.mark.parametrize(("text", "words"), [(text, one) for text, many in SAME.values() for one in many])
def test_the_claims_own_numbers_do_not_differ(tmp_path, text, words):
    assert not words_of(tmp_path, said(text, words)).differing


@pytest.mark.parametrize(("text", "words"), [(text, one) for text, many in OTHER.values() for one in many])
def test_other_numbers_leave_a_claim_undecided(tmp_path, text, words):
    assert words_of(tmp_path, said(text, words)).differing


@pytest.mark.parametrize("block", ["domain", "multiverse", "input_premetric", "output_premetric"])
@pytest.mark.parametrize("words", ["all, at epsilon = 0.01", "all; ε = 1_0", "a budget of 0.01"])
def test_another_budget_beside_a_block_is_told_with_its_place(tmp_path, block, words):
    text = replaced(COIN, (f"[{block}]\n", f'[{block}]\ndescription = "{words}"\n'))
    assert audited(tmp_path, text).verdict is Verdict.OPEN
    assert any(f"the {block} says " in said for said in words_of(tmp_path, text).differing)


@pytest.mark.parametrize("change", [('id = "', 'id = "epsilon-0.01.'), ("statement", 'source = "ε = 0.01"\nstatement')])
def test_an_id_or_a_source_is_no_other_budget(tmp_path, change):
    text = "\n".join(line for line in COIN.splitlines() if not line.startswith("source"))
    assert words_of(tmp_path, text.replace(*change, 1)).differing


class TestEveryWayIn:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "false.toml"
        path.write_text(said(COIN, FALSE), encoding="utf-8")
        return str(path)

    @pytest.mark.parametrize("form", ["text", "json", "html", "sarif", "github", "junit"])
    def test_every_format_tells_it_and_none_passes(self, capsys, file, form):
        assert main(["audit", file, "--format", form]) == 3
        shown = capsys.readouterr().out
        assert "epsilon = 0.01" in shown
        assert "the statement says" in shown

    def test_the_page_says_it_directly_under_the_words(self, capsys, file):
        main(["audit", file, "--format", "html"])
        page = capsys.readouterr().out
        own, quoted, words, block = (
            page.index(one)
            for one in ("satisfies gamma = 3 in D_Mult", "<blockquote>", "not checked:", "The claim as five questions")
        )
        assert own < quoted < words < page.index("the statement says", words) < block

    def test_show_tells_it_too(self, capsys, file):
        assert main(["show", file]) == 0
        assert "but the statement says 'epsilon = 0.01'; the claim has the budget gamma = 3" in capsys.readouterr().out

    def test_a_survey_asks_it(self, capsys, tmp_path):
        path = tmp_path / "survey.toml"
        for text, status in ((EXAMPLE, 0), (said(EXAMPLE, "epsilon = 0.01"), 3), (said(EXAMPLE, "epsilon = ln 3"), 0)):
            path.write_text(text, encoding="utf-8")
            assert main(["survey", str(path)]) == status
        shown = capsys.readouterr().out
        assert "town.jobs.words: NOTE: 'epsilon = ln 3' agrees with the exact loss" in shown
        assert "audited: a simple random sample of 2" in shown
        assert 'the claimant\'s words, not checked: "epsilon = ln 3"' in shown

    def test_a_claim_in_python_has_no_words_of_its_own(self):
        def epsilon_001(data, source):
            return source.bernoulli(Fraction(1, 2))

        found = stirred.audit(epsilon_001, data_sets=[0, 1], distance="absolute_difference", epsilon="0.5")
        assert found.verdict is Verdict.EXHAUSTED
        assert all(one.question != "words" for one in found.record.answers)


@pytest.mark.parametrize(
    "path", [*sorted(PUBLISHED.glob("*.toml")), *sorted(CLAIMS.rglob("*.toml"))], ids=lambda p: p.stem
)
def test_no_claim_of_the_repository_is_contradicted_by_its_words(path):
    for claim in read_claims([path]):
        assert compared_words(build_claim(claim, None)).differing == (), claim.id


def test_what_init_writes_is_not(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (claim,) = read_claims([Path(tmp_path / "majority.toml")])
    words = compared_words(build_claim(claim, None))
    assert words.differing == ()
    assert words.compared == ("'epsilon = 0.8' agrees with the budget epsilon = 0.8",)


SWAPPED = """\
id = "swap"
statement = "Swapping."
domain = { description = "all households" }
input_premetric = { name = "hamming_unordered", resolution = "household" }
output_premetric = { name = "multiplicative" }
budget = { by = "psa.budget.theorem", printed = ["5.3423", "2.3979"] }
mechanism = { name = "permutation-swapping", largest_stratum = 10, swap_rate = ["0.05", "0.5"] }
[multiverse]
invariants = ["swapping"]
description = "released exactly: counts of size x tenure; 28 strata here, of which 3 are wholly determined"
"""


def test_a_theorem_is_named_before_printed_numbers(tmp_path):
    record = audited(tmp_path, SWAPPED)
    assert record.verdict is Verdict.ENCLOSED
    assert record.sentence.startswith("psa.budget.theorem: (7) is a budget of permutation swapping; claimed ")
    assert record.sentence.endswith(", and so at the other setting; 2 of 2 printed numbers agree")
    assert "psa_pure_dp" in record.scope


def test_an_exhaustive_check_is_named_with_its_scope(tmp_path):
    text = (CLAIMS / "coin.toml").read_text(encoding="utf-8")
    numbers = '[[numbers]]\nwhat = "three"\nprinted = "3"\nformula = "1 + 2"\n'
    record = audited(tmp_path, f"{text}{numbers}")
    assert record.sentence.startswith("claimed epsilon = ln(3) ≥ required ln(3)")
    assert record.sentence.endswith("; 1 of 1 printed number agrees")
    assert record.scope.startswith("every pair in 1 universe")


def test_numbers_alone_are_counted(tmp_path):
    numbers = '[[numbers]]\nwhat = "{}"\nprinted = "{}"\nformula = "1 + 2"\n'
    text = f'id = "n"\nstatement = "s"\n{numbers.format("a", 3)}{numbers.format("b", 3)}'
    assert audited(tmp_path, text).sentence == "2 of 2 printed numbers agree"


def test_numbers_that_agree_in_another_way_are_counted_apart():
    def one(verdict, agrees=""):
        return Answer("numbers", Evidence(verdict, "scope", "detail", agrees=agrees))

    right, other, open_ = one(Verdict.EXHAUSTED), one(Verdict.OPEN, "by another conversion"), one(Verdict.OPEN)
    answers = (right, other, other, one(Verdict.OPEN, "as arithmetic only"), open_)
    sentence = AuditRecord("id", "source", "statement", answers).sentence
    assert sentence.startswith(
        "1 of 5 printed numbers agrees, 2 more by another conversion, 1 more as arithmetic only; undecided: "
    )


@pytest.mark.parametrize("command", [["audit"], ["show"], ["audit", "--format", "html"], ["show", "--json"]])
def test_what_a_swap_releases_exactly_is_shown(capsys, tmp_path, command):
    path = tmp_path / "swap.toml"
    path.write_text(SWAPPED, encoding="utf-8")
    assert main([command[0], str(path), *command[1:]]) == 0
    assert "28 strata here, of which 3 are wholly determined" in capsys.readouterr().out


ONE = replaced(COIN, ("gamma = 3", 'epsilon = "2"')).replace("ln 3", "2")
"""Its budget is 2, and ln(3) is needed: the mechanism meets it."""

NEVER_READ = (
    *("ε is one-half", "half of the usual loss of 2", "Epsilon gleich null Komma eins", "隐私预算为〇点五"),
    *("The output is at most 1.1 times as likely", "The probability of any output changes by at most 1%"),
    *("Any test at level 5 % has power at most 6 %", "The advantage of any attacker is at most 0.01"),
    *("Datenschutzbudget 0,5", "隐私预算为 0.5", "プライバシー予算は0.5", "a tenth of what was spent before, 2"),
    *("Nobody can tell you from your neighbour.", "An attacker wins 51 of 100 games", "odds of 21 to 20 at worst"),
    *("Between 0% and 10% of households were swapped", "It is twice as strong as the norm of 2"),
    *("The Bayes factor is below 1.05", "As good as no release at all", "the usual 2, divided by twenty"),
)
"""Sentences beside a budget of 2 that promise less, or something else, in phrases."""

DIFFERING = (
    *("ε ≪ 1", "ε = 1_0", "ε = 五", "еpsilon = 0.1", "ε ≲ 2", "ρ^2 ≪ 1", "epsilon = 2O", "ε = 2x10", "ε = ½"),
    *("ｅｐｓｉｌｏｎ ＝ ０．１", "ερsilon; ε = 0.2", "ε → 0", "eps:0.1", "ε = 80 %", "ε = 2_000"),
)
"""Sentences beside a budget of 2 that state another one in digits or signs, or one that is not read."""


class TestTheClaimantsWords:
    @pytest.mark.parametrize("words", NEVER_READ)
    def test_a_promise_in_phrases_supports_nothing(self, tmp_path, words):
        found = words_of(tmp_path, said(ONE, words))
        assert found.compared == ()
        record = audited(tmp_path, said(ONE, words))
        (one,) = (one for one in record.answers if one.question == "words")
        assert one.evidence.verdict is Verdict.OPEN
        assert one.is_fact or one.decides
        assert "not checked" in one.evidence.detail
        assert record.words == f'"{words}"'
        assert words not in record.audited

    @pytest.mark.parametrize("words", DIFFERING)
    def test_digits_that_differ_or_are_not_read_are_a_finding(self, tmp_path, words):
        found = words_of(tmp_path, said(ONE, words))
        assert found.differing
        assert found.compared == ()
        assert audited(tmp_path, said(ONE, words)).verdict is Verdict.OPEN

    def test_a_share_of_households_is_no_delta(self, tmp_path):
        text = replaced(ONE, ('name = "multiplicative"', 'name = "approximate_multiplicative"\ndelta = "7/100"'))
        for words in (
            "Between 7% and 10% of households were swapped",
            "Of the homes 0.07 were moved",
            "7 percent moved",
        ):
            assert words_of(tmp_path, said(text, words)).compared == ()
        named = words_of(tmp_path, said(text, "epsilon = 2 and delta = 7% hold"))
        assert named.compared == (
            "'epsilon = 2' agrees with the budget epsilon = 2",
            "'delta = 7%' agrees with the output premetric's delta = 7/100",
        )

    @pytest.mark.parametrize("form", ["text", "terminal", "json", "html", "junit"])
    def test_every_format_has_the_own_sentence_and_calls_the_words_unchecked(self, capsys, tmp_path, form):
        path = tmp_path / "claim.toml"
        path.write_text(said(ONE, "The output is at most 1.1 times as likely."), encoding="utf-8")
        options = ["--color", "always"] if form == "terminal" else ["--format", form]
        assert main(["audit", str(path), *options]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        own = shown.index("satisfies epsilon = 2 in D_Mult for each person")
        assert "not checked" in shown
        if form != "json":
            assert own < shown.index("1.1 times as likely", own)
            assert shown.count("1.1 times as likely") == 1
            assert own < shown.rindex("words, not checked", 0, shown.index("1.1 times as likely"))

    def test_words_are_never_why_a_claim_holds(self, tmp_path):
        record = audited(tmp_path, said(ONE, "epsilon = 2"))
        assert record.verdict is Verdict.EXHAUSTED
        (one,) = (one for one in record.answers if one.question == "words")
        assert not one.decides
        assert not one.evidence.verdict.is_settled_for

    @pytest.mark.parametrize(
        ("block", "words"),
        [
            ("domain", "all people of Utopia"),
            *(("input_premetric", words) for words in ("For every family.", "one record for each business")),
            *(("multiverse", words) for words in ("There are no invariants", "every count is kept")),
        ],
    )
    def test_descriptions_beside_exact_blocks_are_unchecked_too(self, tmp_path, block, words):
        text = replaced(ONE, (f"[{block}]\n", f'[{block}]\ndescription = "{words}"\n'))
        record = audited(tmp_path, text)
        assert record.verdict is Verdict.EXHAUSTED
        assert record.words.endswith(f'{block.replace("_", " ")}: "{words}"')
        assert words not in record.audited
        assert "other text in the statement was not checked" in answer(record, "words").detail

    def test_the_blocks_stand_above_a_description_that_denies_them(self, tmp_path):
        text = PSA.replace('["swapping"]', '["swapping"], description = "no invariants"')
        record = audited(tmp_path, text)
        assert record.verdict.is_settled_for
        assert record.words.endswith('multiverse: "no invariants"')
        assert "no invariants" not in record.audited
