"""`stirred derive family`, `derive order`, and pictures of losses by an open parameter."""

from pathlib import Path

import pytest

from stirred.verify.cli import main

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
