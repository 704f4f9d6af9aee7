"""Claims about counts of any size: `run cell-key --claim` writes one, and audit decides it by one record's δ."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.random_rounding import random_rounding
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.output_premetrics.variation import hockey_stick
from stirred.verify.cli.main import main

P_TABLE = "i;v;p_int_ub\n1;-1;0.25\n1;0;0.5\n1;1;1\n2;1;0.125\n2;-2;0.25\n2;0;1\n"
TABLE = '[[table]]\nname = "area"\nby = ["area"]\n'
VALUES = '[values]\narea = ["n", "s", "w"]\n'
RUN = ["run", "cell-key", "r.csv", "--tables", "t.toml", "--ptable", "p.csv", "--output", "o.csv", "--claim", "c.toml"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"r.csv": "area\nn\ns\nn\n", "p.csv": P_TABLE, "t.toml": TABLE + VALUES}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def changed(folder, *pairs, witness=None):
    text = (folder / "c.toml").read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (folder / "d.toml").write_text(text, encoding="utf-8")
    return main(["audit", "d.toml", *(() if witness is None else ("--witness", witness))])


def delta_by_hand(epsilon):
    """The largest of all neighbours up to count 5, event by event."""
    rows = {0: {0: 8}, 1: {-1: 2, 0: 2, 1: 4}, 2: {1: 1, -2: 1, 0: 6}}
    laws = [{n + change: Fraction(m, 8) for change, m in rows[min(n, 2)].items()} for n in range(6)]
    gamma = exponential(epsilon).upper
    pairs = [two for n in range(5) for two in ((laws[n], laws[n + 1]), (laws[n + 1], laws[n]))]
    return max(sum(max(p[t] - gamma * q.get(t, 0), 0) for t in p) for p, q in pairs)


@pytest.mark.parametrize("epsilon", ["0", "1/2", "1", "3"])
def test_a_written_claim_is_decided_and_no_smaller_delta_is(folder, capsys, epsilon):
    assert main([*RUN, "--epsilon", epsilon]) == 0
    assert main(["audit", "c.toml"]) == 0
    assert "c.release: DECIDED: " in capsys.readouterr().out
    delta = Fraction(re.search('delta = "(.*?)"', (folder / "c.toml").read_text(encoding="utf-8"))[1])
    assert 0 <= delta - delta_by_hand(Fraction(epsilon)) < Fraction(1, 10**11)
    smaller = (f'delta = "{delta}"', f'delta = "{delta - Fraction(1, 10**6)}"')
    assert changed(folder, smaller, witness="w.json") == 1
    assert "and that a cell can hold " in capsys.readouterr().out
    assert main(["replay", "w.json"]) == 1
    for multiverse in ('invariants = []\ndescription = "which cells are empty"', 'invariants = ["size"]'):
        assert changed(folder, smaller, ("invariants = []", multiverse)) == 3


def test_another_table_or_flavor_is_not_what_the_claim_is_of(folder, capsys):
    assert main(RUN) == 0
    assert changed(folder, ("neighbors_add_remove_unordered", "symmetric_difference")) == 3
    assert changed(folder, ("neighbors_add_remove_unordered", "hamming_unordered")) == 3
    assert "known only where the input premetric is neighbors_add_remove_unordered" in capsys.readouterr().out
    (folder / "p.csv").write_text(P_TABLE.replace("1;-1;0.25\n", ""), encoding="utf-8")
    assert main(["audit", "c.toml"]) == 1  # a count of 1 is never released as 0 now


@pytest.mark.parametrize(
    ("base", "delta", "status"),
    [(3, "1/3", 0), (3, "1/4", 1), (3, "0.333333", 1), (3, "1/2", 0), (5, "1/5", 0), (5, "3/16", 1), (1, "7/8", 1)],
)
def test_random_rounding_needs_one_in_its_base_at_every_epsilon(folder, capsys, base, delta, status):
    assert main(RUN) == 0
    rounding = (('name = "cell-key"\ntable = "p.csv"', f'name = "random-rounding"\nbase = {base}'),)
    assert changed(folder, *rounding, ("7/8", delta)) == status
    out = capsys.readouterr().out
    assert f"one record needs delta = {Fraction(1, base)} at every epsilon" in out
    assert f"c.release: {'REFUTED' if status else 'PROVED'}: " in out
    assert (f"a cell can hold 0 records and 1, or another multiple of {base} and one record" in out) == bool(status)


@pytest.mark.parametrize("base", range(1, 8))
def test_neighbours_need_one_in_their_base_where_one_is_a_multiple_of_it(base):
    """At every epsilon; others need less from epsilon = 0 on, and nothing from e^epsilon = 2 on."""
    laws = [exact_law(random_rounding, count, base=base) for count in range(3 * base + 2)]
    for count, (one, other) in enumerate(pairwise(laws)):
        deltas = [max(hockey_stick(one, other, gamma), hockey_stick(other, one, gamma)) for gamma in (1, 2, 100)]
        is_beside = 0 in (count % base, (count + 1) % base)
        assert deltas == [Fraction(1, base), *([Fraction(1, base)] * 2 if is_beside else [0, 0])]


@pytest.mark.parametrize(
    ("more", "files", "words"),
    [
        (["--epsilon", "-1"], {}, "--epsilon must be non-negative"),
        ([], {"t.toml": TABLE + TABLE.replace('"area"\nby', '"again"\nby') + VALUES}, "--claim requires one table"),
        ([], {"t.toml": TABLE}, "--claim requires all values of area under [values]"),
        (["--keys", "area"], {}, "the column of the keys must be in no table; got 'area'"),
        ([], {"r.csv": "area\nn\n\n,\n"}, "r.csv"),
        (["--claim", "sub/c.toml"], {}, "--claim must be in the folder of the p-table"),
        (["--claim", "p.csv"], {}, "must be different files"),
        (["--claim", "o.csv"], {}, "must be different files"),
        ([], {"p.csv": "i;v;p_int_ub\n0;0;1\n1;0;1\n"}, "at epsilon = 1 one count needs 1"),
    ],
)
def test_a_claim_that_cannot_be_is_refused_and_nothing_is_written(folder, capsys, more, files, words):
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert main([*RUN, *more]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert words in err
    assert not (folder / "o.csv").exists()
    assert main([*RUN[:-2], "--epsilon", "1"]) == 2
    assert capsys.readouterr().err == "stirred: --epsilon requires --claim\n"


def test_a_claim_in_a_file_of_any_name_can_be_audited(folder, capsys):
    (folder / "p.csv").write_text("i;v;p_int_ub\n0;0;0.75\n0;1;1\n1;-1;0.25\n1;0;0.75\n1;1;1\n", encoding="utf-8")
    for name, named in {"été 2026.toml": "ete-2026.release", "计.toml": "claim.release"}.items():
        assert main([*RUN[:-1], name, "--epsilon", "1/2", "--fresh"]) == 0
        assert re.search(r'delta = "0\.[0-9]{12}"', (folder / name).read_text(encoding="utf-8"))
        assert main(["audit", name]) == 0
        assert f"{named}: DECIDED" in capsys.readouterr().out
