"""`stirred derive family`, `derive order`, and pictures of losses by an open parameter.

`stirred derive conversion`, and the curve of delta that `derive mechanism` shows.
"""

import time
from pathlib import Path

import pytest

from stirred.verify.cli.main import main

CLAIM = """\
id = "one.of.k"
statement = "One of k values."
domain = { data_sets = [0, 1, 2] }
multiverse = { invariants = [] }
input_premetric = { name = "absolute_difference", resolution = "person" }
output_premetric = { name = "multiplicative" }
budget = { epsilon = "9" }
mechanism = { name = "clamped-geometric", size = 3, ratio = "1/2" }
"""

OPEN = """\
id = "answers.each"
statement = "Each answer is randomized."
domain = { schema = { answer = [0, 1] }, records = 2, order = "ordered" }
multiverse = { invariants = [] }
input_premetric = { name = "hamming_ordered", resolution = "person" }
output_premetric = { name = "multiplicative" }
budget = { epsilon = "9" }
mechanism = { function = "flips:each", parameters = { flip = "symbol in [1/10, 1/2]" } }
"""

ORDER = ("order", "ln(b)", "ln(b + 1)")

FLIPS = """\
def each(answers, source, *, flip):
    return tuple((1 - a if source.bernoulli(flip) else a) for (a,) in answers)
"""


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM)
    (tmp_path / "flips.py").write_text(FLIPS)
    return path


def derived(capsys, *words):
    status = main(["derive", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_an_inequality_is_decided_refuted_or_left_open(capsys):
    status, out, _ = derived(capsys, *ORDER, "--whole", "b")
    assert (status, out.partition(":")[0]) == (0, "DECIDED")
    status, out, _ = derived(capsys, "order", "ln(b)", "ln(b + 1)/2", "--whole", "b", "--where", "b >= 4")
    assert status == 1
    assert out.startswith("REFUTED: log(b) <= log(b + 1)/2 for all b > 0 integer, b >= 4: at b = ")
    status, out, _ = derived(capsys, "order", "2*p", "p", "--where", "p < 1", "p > 2")
    assert status == 3
    assert out.endswith("vacuous: no values satisfy p < 1, p > 2\n")
    status, out, _ = derived(capsys, "order", "exp(epsilon)", "2")
    assert (status, out.partition(":")[0]) == (3, "OPEN")


def test_an_answer_is_a_table_for_a_paper(capsys):
    status, out, _ = derived(capsys, *ORDER, "--latex")
    assert status == 0
    assert out.startswith(r"\begin{tabular}")


def test_a_family_has_its_formula_by_a_key_of_the_claim(capsys, claim, tmp_path):
    words = ("family", claim, "--vary", "mechanism.size", "--sizes", 3, 4, 5, "--beyond", 6, 7)
    status, out, err = derived(capsys, *words, "--plot", tmp_path / "family.svg")
    assert (status, err) == (0, "")
    assert out.startswith("log(2): EXHAUSTED: rational, guessed from 3 sizes, tested at 2 others [size = 3, 4, 5; ")
    assert "<svg" in (tmp_path / "family.svg").read_text()


def test_a_family_keeps_the_parameter_that_is_left_open(capsys, claim):
    claim.write_text(OPEN)
    words = ("family", claim, "--vary", "domain.records", "--sizes", 1, 2, 3, "--beyond", 4)
    status, out, err = derived(capsys, *words)
    assert (status, err) == (0, "")
    assert out.startswith("log((1 - flip)/flip): EXHAUSTED"), out
    assert derived(capsys, *words, "--latex")[1].startswith(r"\begin{tabular}")


def test_a_loss_by_its_parameter_is_drawn(capsys, claim, tmp_path):
    claim.write_text(OPEN)
    picture = tmp_path / "loss.svg"
    status, out, err = derived(capsys, "mechanism", claim, "--plot", picture)
    assert (status, err) == (0, "")
    assert out.endswith("loss.svg: written\n")
    assert "the smallest budget" in picture.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("order", "p"), "order must come with two formulas; got 1"),
        (("order", "p", "p.q"), "a formula must be made of numbers, names"),
        ((*ORDER, "--sizes", "1"), "order must come without --sizes; got [1]"),
        ((*ORDER, "--plot", "x.svg"), "order must come without --plot; got x.svg"),
        (("psa", "--whole", "b"), "psa must come without --whole; got ['b']"),
        (("family",), "family must come with one claim file; got 0"),
        (("family", "c.toml"), "family must come with --vary; got none"),
        (("family", "c.toml", "--where", "p < 1"), "family must come without --where; got ['p < 1']"),
    ],
)
def test_what_is_missing_or_means_nothing_is_one_line(capsys, words, said):
    status, out, err = derived(capsys, *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"stirred: {said}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("key", ["mechanism.sise", "mechanism.size.x", "size", "mechanism"])
def test_a_key_that_is_not_there_is_refused(capsys, claim, key):
    status, _, err = derived(capsys, "family", claim, "--vary", key, "--sizes", 3, 4, 5, "--beyond", 6)
    assert status == 2
    assert err.count("\n") == 1


def test_a_number_is_not_drawn(capsys, claim):
    status, out, err = derived(capsys, "mechanism", claim, "--plot", "x.svg")
    assert (status, out) == (2, "")
    assert err.startswith("stirred: --plot must come with claims of approximate_multiplicative, or with one whose")


NOISY = """\
id = "noise.count"
statement = "A noisy count."
domain = { data_sets = [0, 1, 2] }
multiverse = { invariants = [] }
input_premetric = { name = "absolute_difference", resolution = "person" }
output_premetric = { name = "approximate_multiplicative", delta = "1/10" }
budget = { epsilon = "1" }
mechanism = { name = "clamped-geometric", size = 3, ratio = "1/2" }
"""


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(["derive", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--rho 0.1 --delta 1e-10", "epsilon ≈ 3.134854259 at delta = 1/10000000000 by rho + 2*sqrt(rho*ln(1/delta))"),
        ("--rho 0.1 --delta 1e-10", "epsilon ≈ 2.881828009 at delta = 1/10000000000 by the smallest over all Renyi"),
        ("--rho 1/8 --order 4", "epsilon = 0.5 at Renyi order 4 by alpha*rho\n"),
        ("--mu 1 --at-epsilon 1", "rho = 0.5 by mu^2/2\ndelta ≈ 0.1269367375 at epsilon = 1 by"),
        ("--epsilon 1 --level 0.05", "power ≈ 0.1359140914 at level = 1/20 by"),
        ("--epsilon 1 --order 10 --delta 1e-6", "epsilon ≈ 2.173853425 at delta = 1/1000000 by one order"),
    ],
)
def test_conversions_are_printed_with_their_rule(capsys, arguments, said):
    status, out, err = run(capsys, "conversion", *arguments.split())
    assert (status, err) == (0, "")
    assert said in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("conversion", "exactly one of rho, mu and epsilon must be given: the budget that is converted"),
        ("conversion --rho 1", "delta, order or level must be given: where another budget is asked for"),
        ("conversion --rho 1 --latex --delta 1/2", "conversion must come without --latex; got it"),
        ("psa --mu 1", "psa must come without --mu; got 1"),
        ("mechanism c.toml --level 1/2", "mechanism must come without --level; got 1/2"),
    ],
)
def test_options_that_mean_nothing_are_refused(capsys, arguments, said):
    assert run(capsys, *arguments.split()) == (2, "", f"stirred: {said}\n")


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    file = tmp_path / "claim.toml"
    file.write_text(NOISY, encoding="utf-8")
    return file


def test_the_curve_of_delta_stands_under_the_loss(capsys, noisy):
    status, out, _ = run(capsys, "mechanism", str(noisy))
    assert status == 0
    assert out.splitlines() == [
        "noise.count: ln(17/5)/2 ≈ 0.611888, by x = 0, x' = 2",
        "noise.count: delta = (2 - e^epsilon)/3 for 1 <= e^epsilon <= 2",
        "noise.count: delta = 0 for e^epsilon >= 2",
        "noise.count: delta = (4 - e^(2*epsilon))/6 for 1 <= e^(2*epsilon) <= 4 (d = 2)",
        "noise.count: delta = 0 for e^(2*epsilon) >= 4 (d = 2)",
    ]


def test_it_is_drawn_and_written_as_latex(capsys, noisy, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "delta.svg"
    status, out, _ = run(capsys, "mechanism", str(noisy), "--plot", str(picture), "--latex")
    assert status == 0
    assert r"\frac{2 - \gamma}{3} & 1 \le \gamma \le 2 \\ 0 & \gamma \ge 2" in out
    assert out.endswith(f"{picture}: written\n")
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_a_claim_without_delta_has_no_curve_to_draw(capsys, noisy, tmp_path):
    pure = NOISY.replace('"approximate_multiplicative", delta = "1/10"', '"multiplicative"')
    noisy.write_text(pure, encoding="utf-8")
    status, out, err = run(capsys, "mechanism", str(noisy), "--plot", str(tmp_path / "delta.svg"))
    assert (status, out) == (2, "")
    assert err.startswith("stirred: --plot must come with claims of approximate_multiplicative, or with one whose")
    assert err.endswith("; got none\n")
    assert not (tmp_path / "delta.svg").exists()


@pytest.mark.parametrize("mu", ["1e300", "1e50", "1e-300"])
@pytest.mark.parametrize("at", ["--at-epsilon 1", "--at-epsilon 1e300", "--delta 1/100", "--level 1/20"])
def test_budgets_of_any_size_are_converted_within_seconds(capsys, mu, at):
    start = time.process_time()
    status, out, err = run(capsys, "conversion", "--mu", mu, *at.split())
    assert (status, err) == (0, "")
    assert "rho = 5E" in out
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("mu", "rho"),
    [("1e300", "5E+599"), ("1e999", "5E+1997"), ("9e999", "4.05E+1999"), ("1e-999", "5E-1999"), ("3e-300", "4.5E-600")],
)
def test_a_budget_of_any_size_alone_is_half_its_square_in_one_short_line(capsys, mu, rho):
    start = time.process_time()
    assert run(capsys, "conversion", "--mu", mu) == (0, f"rho = {rho} by mu^2/2\n", "")
    assert time.process_time() - start < 10


def test_a_budget_beyond_the_longest_number_is_refused_in_one_line(capsys):
    status, out, err = run(capsys, "conversion", "--mu", "1e1000000")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert len(err) < 200


def derived_price(capsys, *words):
    status = main(["derive", "price", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


BALANCED = ("--rows", "4", "4", "--columns", "4", "4", "--swap-rate", "1/2")


def test_the_floor_of_a_line_is_exact_and_its_mechanism_is_named(capsys):
    status, out, _ = derived_price(capsys, *BALANCED)
    assert status == 0
    lines = dict(line.partition(": ")[::2] for line in out.splitlines())
    assert lines["error"] == "the mean change of a cell, the mean over all tables"
    assert lines["floor of all mechanisms"].endswith("(exact): the clamped geometric mechanism has it")
    assert lines["fibre noise"].partition(" ")[0] == lines["floor of all mechanisms"].partition(" ")[0]
    assert float(lines["PSA"]) > float(lines["weighted mechanism"])
    assert "under d_HamS and D_Mult" in lines["one budget for all"]


@pytest.mark.parametrize("error", ["absolute", "squared", "changed"])
def test_the_worst_table_is_bracketed(capsys, error):
    status, out, _ = derived_price(capsys, *BALANCED, "--error", error, "--prior", "worst")
    assert status == 0
    assert "the worst table" in out
    assert "floor of all mechanisms: between " in out


def test_one_table_is_vacuous(capsys):
    status, out, _ = derived_price(capsys, "--rows", "2", "2", "--columns", "4", "--swap-rate", "1/2")
    assert (status, out.startswith("vacuous")) == (3, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (BALANCED[:-2], "price must come with --swap-rate; got none"),
        (("--rows", "4", "4", "--swap-rate", "1/2"), "price must come with --columns; got none"),
        ((*BALANCED[:-1], "1"), "--swap-rate must be between 0 and 1, exclusive, for a finite budget; got 1"),
        ((*BALANCED[:-1], "0"), "--swap-rate must be between 0 and 1, exclusive, for a finite budget; got 0"),
        ((*BALANCED, "--latex"), "price must come without --latex; got it"),
        ((*BALANCED, "--coq", "A.v"), "price must come without --coq; got A.v"),
        (
            ("--rows", "20", "20", "--columns", "15", "15", "10", "--swap-rate", "1/2"),
            "would take about",
        ),
    ],
)
def test_bad_words_are_one_line(capsys, words, message):
    status, out, err = derived_price(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize("option", [("--error", "squared"), ("--prior", "worst")])
def test_options_of_the_price_belong_to_no_other_derivation(capsys, option):
    assert main(["derive", "psa", *option]) == 2
    assert f"psa must come without {option[0]}; got {option[1]}" in capsys.readouterr().err
