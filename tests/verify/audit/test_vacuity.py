"""A claim that compares nothing is met nowhere: every way in says that it is vacuous, and leaves no evidence for it."""

import json
import re

import pytest
from claim_texts import SCHEMA, SOUND, audited, replaced

import stirred
from stirred.spec import InputError
from stirred.verify.cli.commands.survey import EXAMPLE
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict

VACUOUS = "vacuous, so every mechanism satisfies it"
NONE_APART = replaced(SCHEMA, ("gamma = 2", "gamma = 1"))
ALONE = "universes = [[[['no'], ['no']]], [[['no'], ['yes']]], [[['yes'], ['yes']]]]"
ONE = '[["no"], ["no"]]'
IN_WORDS = """\
id = "swap.words"
statement = "Nothing is lost."
[domain]
description = "all data sets"
[multiverse]
description = "counts"
invariants = ["swapping"]
[input_premetric]
name = "hamming_unordered"
resolution = "household"
[output_premetric]
name = "multiplicative"
[budget]
by = "psa.budget.theorem"
printed = "0"
[mechanism]
name = "permutation-swapping"
resolution = "household"
largest_stratum = 0
swap_rate = "1/2"
"""
CLAIMS = {
    "each data set alone": replaced(NONE_APART, ("invariants = []", ALONE)),
    "one data set": replaced(NONE_APART, ('schema = { vote = ["no", "yes"] }\nrecords = 2', f"data_sets = [{ONE}]")),
    "none listed": replaced(NONE_APART, ("invariants = []", "universes = []")),
    "at infinite distances": replaced(NONE_APART, ('"hamming_unordered"', '"explicit"\ndistances = []')),
    "all invariant": replaced(NONE_APART, ("invariants = []", 'invariants = [["vote"]]')),
    "any budget": replaced(SCHEMA, ("invariants = []", ALONE), ("gamma = 2", "gamma = 1000")),
    "no epsilon": replaced(SCHEMA, ("invariants = []", ALONE), ("gamma = 2", 'epsilon = "0"')),
    "one table": replaced(SOUND, ("rows = [2, 1], columns = [1, 2]", "rows = [3], columns = [1, 2]")),
    "no b": IN_WORDS,
}
RUNS = [name for name in CLAIMS if name not in ("one table", "no b")]
"""Those whose mechanism runs on listed data sets."""


@pytest.fixture
def claim(tmp_path):
    def write(name):
        path = tmp_path / "claim.toml"
        path.write_text(CLAIMS[name], encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("name", CLAIMS)
def test_an_audit_is_undecided_and_leaves_nothing(claim, tmp_path, capsys, name):
    evidence = tmp_path / "c.json", tmp_path / "Claim.v"
    for path in evidence:
        path.write_text("of an earlier run")
    options = ["--certificate", str(evidence[0]), "--coq", str(evidence[1])]
    assert main(["audit", claim(name), *options]) == 3
    out, err = capsys.readouterr()
    assert f"undecided: {VACUOUS}: " in out.splitlines()[-4]
    assert [path.exists() for path in evidence] == [False, False]
    assert "c.json: no certificate of " in err
    assert "Claim.v: no theorem on " in err
    assert err.count(VACUOUS) == 2


@pytest.mark.parametrize("form", ["--json", "--format=html", "--format=sarif", "--format=junit", "--format=github"])
def test_every_form_says_so(claim, capsys, form):
    assert main(["audit", claim("each data set alone"), form]) == 3
    assert VACUOUS in capsys.readouterr().out


@pytest.mark.parametrize("name", RUNS)
def test_a_comparison_with_itself_is_undecided(claim, capsys, name):
    path = claim(name)
    assert main(["compare", path, path]) == 3
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("compare.budget.")]
    assert [VACUOUS in line and ": OPEN: " in line for line in lines] == [True] * 3


@pytest.mark.parametrize("name", RUNS)
def test_no_loss_is_derived(claim, capsys, name):
    assert main(["derive", "mechanism", claim(name)]) == 3
    assert capsys.readouterr().out.startswith(f"own: {VACUOUS}: ")


@pytest.mark.parametrize("name", CLAIMS)
def test_nothing_is_learned_at_most(claim, capsys, name):
    assert main(["infer", claim(name)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert VACUOUS in err


@pytest.mark.parametrize("margins", [("3", "1 2"), ("1 2", "3"), ("1", "1"), ("3 0", "1 2")])
def test_one_table_has_no_budget(capsys, margins):
    rows, columns = (margin.split() for margin in margins)
    options = ["--rows", *rows, "--columns", *columns, "--swap-rate", "1/2"]
    assert main(["derive", "universe", *options]) == 3
    assert capsys.readouterr().out.splitlines()[-1].startswith(VACUOUS)


def survey(tmp_path, capsys, *changes, budget='epsilon = "0"'):
    path = tmp_path / "s.toml"
    path.write_text(replaced(EXAMPLE, *changes) + (f"\n[budget]\n{budget}\n" if budget else ""), encoding="utf-8")
    status = main(["survey", str(path)])
    return status, capsys.readouterr().out.splitlines()[-4]


PROCESSED = ('starts = "frame"', 'starts = "processed"')
SAMPLE = ('invariant = "nothing"', 'invariant = "sample"')
POPULATION = ('invariant = "nothing"', 'invariant = "population"')


@pytest.mark.parametrize("budget", ['epsilon = "0"', "gamma = 4", ""])
@pytest.mark.parametrize("changes", [(PROCESSED, SAMPLE), (POPULATION,)])
def test_a_survey_that_fixes_all_data_is_undecided(tmp_path, capsys, changes, budget):
    status, verdict = survey(tmp_path, capsys, *changes, budget=budget)
    assert status == 3
    assert verdict.startswith(f"town.jobs: OPEN: {VACUOUS}: ")


def test_a_survey_that_leaves_pairs_is_decided_as_before(tmp_path, capsys):
    processed = PROCESSED, ('invariant = "nothing"', 'invariant = "frame"')
    assert survey(tmp_path, capsys, *processed, budget="gamma = 2")[0] == 0
    assert survey(tmp_path, capsys, *processed)[0] == 1


def same(data, source):
    return data


@pytest.mark.parametrize(
    "blocks",
    [
        {"data_sets": [0], "distance": "absolute_difference"},
        {"data_sets": range(4), "distance": lambda x, y: None},
        {"data_sets": range(4), "distance": "absolute_difference", "invariants": [lambda x: x]},
    ],
    ids=["one data set", "infinite", "all invariant"],
)
@pytest.mark.parametrize("epsilon", ["0", "5"])
def test_python_says_so_too(blocks, epsilon):
    with pytest.raises(stirred.NotSatisfiedError, match=VACUOUS):
        stirred.assert_satisfies(same, epsilon=epsilon, **blocks)
    stated = stirred.satisfies(epsilon=epsilon, **blocks)(lambda data, source: data)
    with pytest.raises(stirred.NotSatisfiedError, match=VACUOUS):
        stirred.check(stated)
    with pytest.raises(InputError, match=VACUOUS):
        stirred.smallest_budget(same, **blocks)
    with pytest.raises(InputError, match=VACUOUS):
        stirred.privacy_curve(same, **blocks)


def test_of_several_claims_those_that_hold_have_certificates(tmp_path, capsys):
    one, other = replaced(SCHEMA, ("gamma = 2", 'epsilon = "infinite"')), CLAIMS["each data set alone"]
    refuted, missed = replaced(SCHEMA, ("own", "own.refuted")), replaced(other, ("own", "own.vacuous"))
    randomized = 'name = "randomized-response"\nflip_probability = "1/4"'
    schema = ('schema = { vote = ["no", "yes"] }', "schema = { vote = [0, 1] }\norder = 'ordered'")
    met = replaced(SCHEMA, ("own", "own.met"), schema, ("unordered", "ordered"), ('name = "identity"', randomized))
    met = replaced(met, ("gamma = 2", "gamma = 3"))
    wrong = '[[numbers]]\nwhat = "w"\nprinted = "3"\nformula = "1 + 1"\n'
    texts = [one, refuted, missed, met, replaced(met, ("own.met", "own.printed")) + wrong]
    paths = [tmp_path / f"{number}.toml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    assert main(["audit", *map(str, paths), "--certificate", str(tmp_path / "c.json")]) == 1
    err = capsys.readouterr().err
    found = json.loads((tmp_path / "c.json").read_text())
    assert [(one["claim"], sorted(one["verdict"])) for one in found] == [
        ("own.refuted", ["event", "exceeded"]),
        ("own.met", ["met"]),
    ]
    assert "no certificate of own.vacuous: the claim is undecided: vacuous" in err
    assert "no certificate of own.printed: the claim is refuted, although its budget is met: 0 of 1 printed" in err


ZEROS = """\
id = "swap.zeros"
statement = "epsilon = ln 6."
[domain]
schema = { size = [1], tract = [1, 2, 3], county = ["A", "B"] }
records = 3
excluded = [{ tract = 1, county = "B" }, { tract = 2, county = "A" }, { tract = 3, county = "A" }]
[multiverse]
invariants = ["swapping"]
[input_premetric]
name = "hamming_unordered"
resolution = "record"
[output_premetric]
name = "multiplicative"
[budget]
gamma = 6
[mechanism]
name = "permutation-swapping"
matching = ["size"]
holding = ["tract"]
swapping = ["county"]
swap_rate = "1/2"
"""


class TestStructuralZeros:
    def test_a_held_column_that_determines_the_swapped_one_leaves_universes_of_one_member(self, tmp_path):
        record = audited(tmp_path, ZEROS)
        assert record.verdict is Verdict.OPEN
        assert "vacuous, so every mechanism satisfies it: 10 universes, all of them trivial" in record.sentence

    @pytest.mark.parametrize(
        "zeros",
        ["excluded = []", 'excluded = [{ tract = 1, county = "B", size = 1 }]', ""],
    )
    def test_a_column_that_does_not_leaves_pairs(self, tmp_path, zeros):
        lines = [zeros if line.startswith("excluded") else line for line in ZEROS.splitlines()]
        assert audited(tmp_path, "\n".join(lines)).verdict is Verdict.EXHAUSTED

    @pytest.mark.parametrize(
        ("zeros", "message"),
        [
            ("[3]", "must be combinations such as { variable = value }; got 3"),
            ("[{}]", "must be combinations such as { variable = value }; got {}"),
            ("[{ town = 1 }]", "unknown variable 'town'"),
            ("[{ tract = 9 }]", "9 is not a value of 'tract' in the schema"),
            ("[{ size = 1 }]", "must leave at least one record"),
        ],
    )
    def test_others_are_refused_in_one_line(self, tmp_path, zeros, message):
        lines = [f"excluded = {zeros}" if line.startswith("excluded") else line for line in ZEROS.splitlines()]
        with pytest.raises(InputError, match=re.escape(message)):
            audited(tmp_path, "\n".join(lines))

    def test_they_belong_to_a_schema(self, tmp_path):
        lines = [line for line in ZEROS.splitlines() if not line.startswith(("schema", "records"))]
        with pytest.raises(InputError, match="belongs to a domain with a schema"):
            audited(tmp_path, "\n".join(lines))
