"""An id is printed only where the ledger, or the audit of a claim file, gives this witness under it.

Every witness ends within a few seconds: what would take longer is refused before it is computed.
"""

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from claim_texts import SOUND, replaced
from started import ALONE

from stirred.verify.cli import main as cli
from stirred.verify.evidence.certificates.replay import WitnessError, main, renyi_sentence, replay
from stirred.verify.evidence.certificates.work import Work

ROOT = Path(__file__).parents[4]
FALSE = {"kind": "formula", "claimed": "1 == 2", "values": {}}
EXCEEDED = replaced(SOUND, ("gamma = 4", 'epsilon = "0.1"'))
STATEMENT = "Swapping three households."


def replayed(tmp_path, capsys, content, *claims):
    file = tmp_path / "w.json"
    file.write_text(json.dumps(content))
    capsys.readouterr()
    status = cli.main(["replay", str(file), *(part for claim in claims for part in ("--claim", str(claim)))])
    out, err = capsys.readouterr()
    return status, out, err.removeprefix(f"{file}: ")


@pytest.fixture
def claim(tmp_path):
    file = tmp_path / "claim.toml"
    file.write_text(EXCEEDED)
    return file


@pytest.fixture
def record(claim, tmp_path, capsys):
    target = tmp_path / "witness.json"
    assert cli.main(["audit", str(claim), "--witness", str(target)]) == 1
    (found,) = json.loads(target.read_text())
    return found


class TestLedger:
    def test_a_foreign_witness_under_a_proved_claim_is_refused(self, tmp_path, capsys):
        status, out, err = replayed(tmp_path, capsys, {"id": "psa.exact.all-rates", "witness": FALSE})
        assert (status, out, err) == (2, "", "psa.exact.all-rates: the ledger does not refute it\n")

    def test_a_foreign_witness_under_a_refuted_claim_is_refused(self, tmp_path, capsys):
        cli.main(["verify", "psa.swap-probability.printed", "--json"])
        (own,) = json.loads(capsys.readouterr().out)
        assert replayed(tmp_path, capsys, own)[1].startswith("psa.swap-probability.printed: REFUTED: ")
        for change, word in (({"witness": FALSE}, "witness"), ({"statement": "Another one."}, "statement")):
            status, out, err = replayed(tmp_path, capsys, {**own, **change})
            assert (status, out) == (2, "")
            assert err == f"psa.swap-probability.printed: its {word} must be that of the ledger\n"
        del own["statement"]
        assert replayed(tmp_path, capsys, own)[0] == 2

    @pytest.mark.parametrize("name", ["own.claim", "psa.exact.all-rates ", 3, None, ["psa.exact.all-rates"]])
    def test_an_id_that_is_not_the_ledgers_is_not_repeated(self, tmp_path, capsys, name):
        status, out, _ = replayed(tmp_path, capsys, {"id": name, "statement": "s", "witness": FALSE})
        assert (status, out) == (1, "witness 0: REFUTED: false: 1 == 2 (left 1, right 2)\n1 replayed\n")

    def test_nothing_is_printed_where_a_later_witness_is_refused(self, tmp_path, capsys):
        status, out, err = replayed(tmp_path, capsys, [FALSE, {"id": "psa.exact.all-rates", "witness": FALSE}])
        assert (status, out, err.count("\n")) == (2, "", 1)

    def test_a_key_that_stands_twice_is_refused(self, tmp_path, capsys):
        file = tmp_path / "w.json"
        file.write_text('{"kind": "formula", "claimed": "1 <= 2", "claimed": "1 == 2", "values": {}}')
        assert main([str(file)]) == 2
        assert "duplicate key 'claimed'" in capsys.readouterr().err

    def test_it_is_known_to_the_standard_library_alone(self, tmp_path):
        file = tmp_path / "w.json"
        file.write_text(json.dumps({"id": "psa.exact.all-rates", "witness": FALSE}))
        command = [sys.executable, "-S", "-m", "stirred.verify.evidence.certificates.replay", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=ALONE)
        assert (done.returncode, done.stderr) == (2, f"{file}: psa.exact.all-rates: the ledger does not refute it\n")


class TestClaim:
    def test_without_the_file_the_inequality_is_named_and_no_claim(self, record, tmp_path, capsys):
        status, out, _ = replayed(tmp_path, capsys, record)
        assert status == 1
        assert out.startswith("witness 0: REFUTED: P_x(E) = ")
        assert "d = 2 by hamming_unordered, epsilon = 1/10" in out
        assert "swap.small" not in out

    def test_with_the_file_the_claim_is_named(self, record, claim, tmp_path, capsys):
        assert replayed(tmp_path, capsys, record, claim)[1].startswith("swap.small.budget: REFUTED: ")
        assert replayed(tmp_path, capsys, record["witness"], claim)[1].startswith("swap.small: REFUTED: ")

    def test_the_audits_json_is_bound_with_its_statement(self, claim, tmp_path, capsys):
        cli.main(["audit", str(claim), "--json"])
        (whole,) = json.loads(capsys.readouterr().out)
        assert replayed(tmp_path, capsys, whole, claim)[1].startswith("swap.small: REFUTED: ")
        status, out, err = replayed(tmp_path, capsys, {**whole, "statement": "Another one."}, claim)
        assert (status, out) == (2, "")
        assert err.startswith("swap.small: its statement must be that of the audit of ")

    @pytest.mark.parametrize(
        "change",
        [
            ('epsilon = "0.1"', 'epsilon = "0.11"', "another claim.budget.epsilon"),
            ('"household"', '"person"', "another claim.input_premetric.resolution"),
            ("three households", "3 households", "its statement must be|another claim.statement"),
            ('swap_rate = "1/2"', 'swap_rate = "1/3"', "another .*law"),
            ("rows = [2, 1]", "rows = [1, 2]", "another event, .*x"),
            ('id = "swap.small"', 'id = "swap.other"', "its id must be one of"),
            ('epsilon = "0.1"', "gamma = 4", "does not refute it"),
        ],
    )
    def test_the_witness_of_another_claim_is_refused(self, record, claim, capsys, change):
        old, new, message = change
        claim.write_text(replaced(EXCEEDED, (old, new)))
        status, out, err = replayed(claim.parent, capsys, record, claim)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert re.search(message, err)

    def test_what_is_recomputed_is_not_stated_beside_it(self, record):
        assert not {"distance", "gamma", "gamma_root", "delta"} & set(record["witness"])
        assert record["witness"]["claim"]["budget"] == {"epsilon": "1/10"}
        assert record["witness"]["claim"]["statement"] == STATEMENT


SECONDS = 20
"""Of processor time, on a slow machine; the limit is about four on an ordinary one."""


def tree(leaf, count, sign="+"):
    """So many leaves, added without deep nesting."""
    return leaf if count == 1 else f"({tree(leaf, count // 2, sign)}{sign}{tree(leaf, count - count // 2, sign)})"


def sentence(witness):
    """What replaying says, whether it confirms or refuses."""
    try:
        return replay(witness)
    except WitnessError as error:
        return str(error)


def formula(claimed, **values):
    return {"kind": "formula", "claimed": claimed, "values": values}


def loss(law, law_prime, event, p, q, **more):
    numbers = {"distance": "1", "gamma": "2", "gamma_root": 1, "delta": "0", **more}
    return {
        "kind": "loss",
        "law": law,
        "law_prime": law_prime,
        "event": event,
        "probability": p,
        "probability_prime": q,
        **numbers,
    }


ONE = [["a", "1"]]
HALVES = [["a", "1/2"], ["b", "1/2"]]

LEAVES = (
    "factorial(10000)",
    "comb(10000,5000)",
    "derangements(10000)",
    "x/y",
    "ln(3)",
    "ln(x)",
    "ln(2)**9999",
    "ln(1+exp(-1000))",
    "exp(-10**6)",
    "sqrt(7**9999)",
    "floor(exp(9))",
)

WITNESSES = {
    **{leaf: formula(f"{tree(leaf, 2000)} < 0", x="1e9000", y="3e8999") for leaf in LEAVES},
    "a product": formula(f"{tree('ln(2)**9999', 2000, '*')} < 0"),
    "powers of intervals": formula("(((ln(9)**9999)**9999)**9999)**9999 < 1"),
    "many names": formula("a0 < 0", **{f"a{i}": "1e9999" for i in range(3500)}),
    "digits": formula(f"{'9' * 43_000} < 1"),
    "parentheses": formula(f"{'(' * 5_000}1{')' * 5_000} < 0"),
    "a long law": loss([[i, "1e-9999"] for i in range(3000)], ONE, ["a"], "0", "1"),
    "many denominators": loss([[i, f"1/{10**12 + i}"] for i in range(1500)], ONE, ["a"], "0", "1"),
    "a long event": loss(ONE, [["b", "1"]], list(range(8000)), "1", "0"),
    "a huge power": loss(ONE, HALVES, ["a"], "1", "1/2", distance="1e9999", gamma=f"1.{'1' * 9999}"),
    "a power to be compared": loss(ONE, HALVES, ["a"], "1", "1/2", distance="124999/125000"),
    "a huge root": loss(ONE, HALVES, ["a"], "1", "1/2", gamma_root="9" * 4000),
    "long sequences": {
        **loss(ONE, [["b", "1"]], ["a"], "1", "0"),
        "x": [1, 2] * 5000,
        "x_prime": [2, 1] * 5000,
        "claim": {
            "input_premetric": {"name": "deletion_distance", "data": "records"},
            "output_premetric": {"name": "multiplicative"},
            "budget": {"epsilon": "1"},
        },
    },
    "a huge order": {
        "kind": "renyi",
        "law": HALVES,
        "law_prime": [["a", "1/3"], ["b", "2/3"]],
        "order": "1e9999",
        "bound": "1",
    },
}


@pytest.mark.parametrize("name", WITNESSES)
def test_an_expensive_witness_ends(name):
    assert len(json.dumps(WITNESSES[name])) < 70_000
    start = time.process_time()
    said = sentence(WITNESSES[name])
    assert "\n" not in said
    assert time.process_time() - start < SECONDS


def test_the_witnesses_of_one_file_share_the_limit(tmp_path, capsys):
    file = tmp_path / "w.json"
    file.write_text(json.dumps([formula("derangements(10000) < 0")] * 2000))
    start = time.process_time()
    assert main([str(file)]) == 2
    assert time.process_time() - start < SECONDS
    assert "too long to compute" in capsys.readouterr().err


def test_laws_with_many_outcomes_have_their_divergence_computed():
    law, prime = ([[i, f"{(i + k) % 2 * 2 + 1}/4000"] for i in range(2000)] for k in (0, 1))
    witness = {"kind": "renyi", "law": law, "law_prime": prime, "order": "3/2", "bound": "1/100"}
    assert renyi_sentence(witness, Work()).startswith("false at a = 3/2")


def random_formula(chance, depth):
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(["x", "y", "3", "0.7", "10000", "1e999", "12345678901234567890", "(1/3)"])
    inner = [random_formula(chance, depth - 1) for _ in range(2)]
    kind = chance.randrange(10)
    if kind < 5:
        return f"({inner[0]} {chance.choice('+-*/')} {inner[1]})"
    if kind < 7:
        return f"({inner[0]})**{chance.choice(['2', '7', '99', '9999', '-3', inner[1]])}"
    if kind == 7:
        return f"{chance.choice(['factorial', 'derangements'])}(floor({inner[0]}))"
    if kind == 8:
        return f"comb(9999, floor({inner[0]}))"
    return f"{chance.choice(['ln', 'exp', 'sqrt', 'floor', '-'])}({inner[0]})"


@pytest.mark.parametrize("seed", range(6))
def test_a_random_formula_ends_in_one_line(seed):
    chance = random.Random(seed)  # noqa: S311 a fixed seed
    for _ in range(40):
        claimed = (
            f"{random_formula(chance, 9)} {chance.choice(['<', '<=', '>', '>=', '=='])} {random_formula(chance, 4)}"
        )
        start = time.process_time()
        assert "\n" not in sentence(formula(claimed, x="1/7", y="1e3000"))
        assert time.process_time() - start < SECONDS, claimed
