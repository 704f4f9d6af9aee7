"""`stirred prove`: its output, its exit status and its refusals, and `stirred.prove`."""

import json

import pytest

import stirred
from stirred.verify.audit.audit import audit
from stirred.verify.cli.main import main

SOURCE = """\
import numpy as np

SCALE = 2


def noisy(answers, rng: np.random.Generator, *, eps):
    return [one + rng.laplace(scale=SCALE / eps) for one in answers]


def sorted_first(answers, rng: np.random.Generator, *, eps):
    return sorted(answers)[0] + rng.laplace(scale=1 / eps)


def too_little(answers, rng: np.random.Generator, *, eps):
    return sum(answers) + rng.laplace(scale=1 / (2 * eps))
"""
CLAIM = 'id = "a.b"\nrecords = "any"\ndiffer = "one by 1"\n'


@pytest.fixture
def claim(tmp_path):
    (tmp_path / "noisy.py").write_text(SOURCE)

    def written(name, budget="eps", text=CLAIM):
        file = tmp_path / f"{name}.toml"
        file.write_text(f'{text}mechanism = {{ function = "noisy:{name}" }}\nbudget = {{ epsilon = "{budget}" }}\n')
        return str(file)

    return written


def test_a_decided_claim(claim, tmp_path, capsys):
    kept = tmp_path / "kept.json"
    assert main(["prove", claim("noisy", "eps/2"), "--certificate", str(kept)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "DECIDED (every size, real numbers)  a.b",
        "  claimed    epsilon = 1/2*eps, for lists of any length, one answer changing by at most 1",
        "  because    line 7: noise moves by -dq, at most 1/2*eps",
        "  because    line 7: at most (1/2*eps)*(changes to come) is still to be spent, in each pass",
        "  needs      1/2*eps; eps > 0",
        "  trusted    the reading of the source, the checker, that draws have the laws of their names,",
        "             that numbers neither round nor overflow",
    ]
    assert main(["check", str(kept)]) == 0
    assert json.loads(kept.read_text())[0]["claim"] == "a.b"


def test_an_open_claim_names_the_least_budget(claim, capsys):
    assert main(["prove", claim("noisy", "eps/4"), "--no-refute"]) == 3
    assert "provable   1/2*eps: the least budget by alignment of noise; eps > 0" in capsys.readouterr().out


def test_a_refuted_claim(claim, capsys):
    assert main(["prove", claim("too_little")]) == 1
    out = capsys.readouterr().out
    assert out.startswith("REFUTED  a.b\n")
    assert "needed     by number of records: 2 at 1, 2 at 2, 2 at 3" in out


def test_a_file_that_changes_meanwhile_refutes_nothing(claim, tmp_path, capsys, monkeypatch):
    def changed(*asked):
        (tmp_path / "noisy.py").write_text(SOURCE.replace("SCALE = 2", "SCALE = 1"))
        return audit(*asked)

    monkeypatch.setattr("stirred.verify.cli.commands.prove.audit", changed)
    assert main(["prove", claim("noisy", "eps/4")]) != 1
    assert "changed while its claim was tried" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "budget", "text", "said"),
    [
        ("sorted_first", "eps", CLAIM, "a.b: line 11: a call of sorted"),
        ("missing", "eps", CLAIM, "noisy.py: has no function 'missing'"),
        ("noisy", "epsilon", CLAIM, "has no parameter 'epsilon'"),
        ("noisy", "1/(1+eps)", CLAIM, "epsilon must be a polynomial of the parameters"),
        ("noisy", "eps", CLAIM.replace("any", "3"), 'records must be "any"'),
        ("noisy", "eps", CLAIM.replace("one by 1", "two by 1"), "differ must be one of each by 1, one by 1"),
        ("noisy", "eps", CLAIM + 'domain = "all"\n', "domain: unknown key"),
    ],
)
def test_refusals_are_one_line(claim, capsys, name, budget, text, said):  # noqa: PLR0917 a table
    assert main(["prove", claim(name, budget, text)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_from_python():
    def noisy(answers, rng, *, eps, bound=3):
        return [one + rng.laplace(scale=bound / eps) for one in answers if True]

    with pytest.raises(stirred.InputError, match="a comprehension has one `for`, and no `if`"):
        stirred.prove(noisy, neighbors="one by 1")

    def noisy_sum(answers, rng, *, eps, bound):
        return sum(answers) + rng.laplace(scale=bound / eps)

    found = stirred.prove(noisy_sum, neighbors="one by 1", parameters={"bound": "2"})
    assert (found.verdict, found.budget) == (stirred.Verdict.DECIDED, "1/2*eps")
    assert repr(found).endswith("by alignment 1/2*eps>")
    with pytest.raises(TypeError):
        bool(found)
    assert stirred.prove(noisy_sum, neighbors="one by 1").budget == "eps/bound"
    with pytest.raises(stirred.InputError, match="neighbors must be one of"):
        stirred.prove(noisy_sum, neighbors="add one")


def test_as_a_test():
    def noisy_sum(answers, rng, *, eps):
        return sum(answers) + rng.laplace(scale=1 / eps)

    @stirred.proved(neighbors="one by 1", epsilon="eps")
    def test_of_a_mechanism(mechanism):
        return mechanism

    assert test_of_a_mechanism.__name__ == "test_of_a_mechanism"
    assert test_of_a_mechanism(noisy_sum) is None
    with pytest.raises(AssertionError, match=r"^OPEN  (.|\n)*provable   eps: the least budget"):
        stirred.proved(neighbors="one by 1", epsilon="eps/2", refute=False)(lambda: noisy_sum)()
