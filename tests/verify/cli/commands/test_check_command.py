"""`stirred check` ends what asks for more than its limits in one line; `transcripts/check.txt` shows the rest.

`stirred check --claim` and `--ledger`: a certificate or Coq file that is another claim's is refused. `stirred verify
--certificates` writes a file for each claim that can leave one; `stirred check` confirms them. `stirred verify
--against`: a kept ledger that differs in any one row is noticed, and the row is named.
"""

import contextlib
import io
import json
import time

import pytest
from started import stirred

from stirred.verify.cli.commands import check as check_command
from stirred.verify.cli.commands.verify import KeptCertificates
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates import query
from stirred.verify.ledger.certificates import certified

DEAR = {
    "a power of a power": "((9**9999)**9999)**9999 > 1",
    "a factorial": "factorial(10**9) > 1",
    "a binomial coefficient": "comb(10**9, 5*10**8) > 1",
    "a range": "len(range(10**12)) > 1",
    "nested loops": "all(a + b + c >= 0 for a in range(9999) for b in range(9999) for c in range(9999))",
    "nested comprehensions": "len([[[0 for c in range(9999)] for b in range(9999)] for a in range(9999)]) > 1",
    "subsets": "len(subsets(range(60))) > 1",
    "permutations": "len(permutations(range(30))) > 1",
    "a text times a number": "len('a' * 10**10) > 1",
    "members of one hash": f"len({{i * {2**61 - 1} for i in range(100000)}}) > 1",
    "a word that branches": "f(900) > 1",
    "long fractions": "sum(1/(3**9000 + n) for n in range(9999)) > 1",
}


def of(says, **changed):
    one = {"says": says, "is": True, "scope": "all", "names": [], "cases": [[]]}
    head = {"format": "stirred sentences 1", "claim": "c", "statement": "s", "without": ["PROVED by a theorem"]}
    return {**head, "words": {"f(n)": "1 if n < 1 else f(n - 1) + f(n - 1)"}, "sentences": [one], **changed}


@pytest.mark.parametrize("says", DEAR.values(), ids=DEAR)
def test_what_is_too_dear_is_ended_in_one_line_with_status_two(says, tmp_path, capsys):
    file = tmp_path / "dear.json"
    file.write_text(json.dumps(of(says)))
    begun = time.monotonic()
    assert main(["check", "--seconds", "1", "--memory", "300MB", str(file)]) == 2
    assert time.monotonic() - begun < 20
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    _, _, why = err.partition("dear.json: not checked: ")
    limits = (
        "it takes more than 1 s; --seconds gives it more",
        "it takes more than 300 MB of memory; --memory gives it",
    )
    assert why.startswith(limits)


def test_the_files_after_it_are_checked(tmp_path, capsys):
    for name, says in (("a.json", DEAR["a factorial"]), ("b.json", "1 < 2"), ("c.json", "1 > 2")):
        (tmp_path / name).write_text(json.dumps(of(says)))
    assert main(["check", "--seconds", "1", *(str(tmp_path / name) for name in ("a.json", "b.json", "c.json"))]) == 2
    out = capsys.readouterr().out
    assert "b.json: CONFIRMED: true of one case: 1 < 2" in out
    assert "c.json: NOT CONFIRMED: '1 > 2' is false" in out


CLAIM = """\
id = "coin.flip"
statement = "Each person's answer satisfies gamma = 3."
domain = { schema = { answer = [0, 1] }, records = 2, order = "ordered" }
multiverse = { invariants = [] }
input_premetric = { name = "hamming_ordered", resolution = "person" }
output_premetric = { name = "multiplicative" }
budget = { gamma = "3" }
mechanism = { function = "mine:flipped" }
"""

FLIPPED = """\
from fractions import Fraction


def flipped(answers, source):
    return tuple(1 - a if source.bernoulli(Fraction(1, 4)) else a for (a,) in answers)
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with a claim, its certificate and its Coq file."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "mine.py").write_text(FLIPPED)
    (folder / "claim.toml").write_text(CLAIM)
    done = stirred("audit", "claim.toml", "--certificate", "c.json", "--coq", "Claim.v", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


ALTERED = {
    "Proof.\n": "Admitted.\nTheorem other : True.\nProof.\n",
    "satisfies (universes": "True \\/ satisfies (universes",
    "(* claim.toml: SHA-256": "Axiom oops : False. (* claim.toml: SHA-256",
    "claim.toml: SHA-256": "*) Axiom oops : False. (* claim.toml: SHA-256",
    "Module Claim1.\n": "Module Claim1.\n(* 0: SHA-256 *)\n",
}


def test_a_coq_file_with_another_text_is_refused(kept):
    text = (kept / "Claim.v").read_text()
    names = [f"Altered{number}.v" for number in range(len(ALTERED))]
    for name, (old, new) in zip(names, ALTERED.items(), strict=True):
        assert old in text
        (kept / name).write_text(text.replace(old, new, 1))
    done = stirred("check", *names, "--claim", "claim.toml", cwd=kept)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split(":")[:2] for line in done.stdout.splitlines()] == [[n, " NOT OF THE CLAIMS"] for n in names]
    missing = stirred("check", "Missing.v", "--claim", "claim.toml", cwd=kept)
    assert (missing.returncode, missing.stderr) == (2, "Missing.v: cannot be read: No such file or directory\n")


def test_coqc_compiles_a_file_once_it_is_that_of_the_claims(kept, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(check_command, "require_coq", lambda: None)
    monkeypatch.setattr(check_command, "refused_by_coqc", lambda text, **_: asked.append(text))
    monkeypatch.chdir(kept)
    assert main(["check", "Claim.v", "--claim", "claim.toml", "--coqc"]) == 0
    assert capsys.readouterr().out.startswith("Claim.v: CONFIRMED: ")
    assert asked == [(kept / "Claim.v").read_text()]
    (kept / "Other.v").write_text(asked.pop().replace("Qed.", "Admitted."))
    assert main(["check", "Other.v", "--claim", "claim.toml", "--coqc"]) == 1
    assert asked == []
    monkeypatch.setattr(check_command, "refused_by_coqc", lambda text, **_: "coqc refuses it")
    assert main(["check", "Claim.v", "--claim", "claim.toml", "--coqc"]) == 1
    assert capsys.readouterr().out.endswith("Claim.v: NOT CONFIRMED: coqc refuses it\n")


def test_coqc_is_refused_without_claims_and_without_coq(kept, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(kept)
    assert main(["check", "Claim.v", "--coqc"]) == 2
    assert capsys.readouterr().err == "stirred: --coqc requires --claim\n"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["check", "Claim.v", "--claim", "claim.toml", "--coqc"]) == 2
    assert capsys.readouterr().err == "stirred: --coqc requires coqc, of Coq 8.16; proofs/install installs it\n"


def test_a_certificate_under_the_name_of_another_claim_of_the_ledger_is_refused(tmp_path, capsys):
    name = "derangements.recurrence.two-terms"
    assert main(["verify", name, "--certificates", str(tmp_path)]) == 0
    file = tmp_path / f"{name}.json"
    assert main(["check", str(file), "--ledger"]) == 0
    assert "compared: it is" in capsys.readouterr().out
    content = json.loads(file.read_text())
    true = [{**content["sentences"][0], "says": "True"}]
    for changed in (
        {"claim": "psa.theorem-1"},
        {"claim": "derangements.recurrence"},
        {"statement": "2 + 2 = 5"},
        {"sentences": true},
    ):
        file.write_text(json.dumps(content | changed))
        assert main(["check", str(file)]) == 0
        assert main(["check", str(file), "--ledger"]) == 1


def test_a_distance_that_is_known_by_name_has_no_pairs_of_its_own(kept, capsys):
    content = json.loads((kept / "c.json").read_text())
    assert content["distance"] == {"name": "hamming_ordered"}
    content["distance"]["pairs"] = [[0, 1, 1]]
    (kept / "named.json").write_text(json.dumps(content))
    assert main(["check", str(kept / "named.json")]) == 1
    assert "hamming_ordered is computed: it must have no pairs" in capsys.readouterr().out


IDS = ("domain.boundary-upstream", "phsafe.privacy.thresholds", "tradeoff.blackwell.standard", "invariants.nonvacuous")


def test_a_new_user_keeps_and_checks_certificates(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "tradeoff.blackwell.standard.json").write_text("of an earlier run")
    done = stirred("verify", *IDS, "--certificates", str(kept), cwd=tmp_path)
    assert done.returncode == 1  # invariants.nonvacuous is refuted
    plain = stirred("verify", *IDS, cwd=tmp_path)
    assert done.stdout == plain.stdout
    names = sorted(path.name for path in kept.iterdir())
    assert "domain.boundary-upstream.json" in names
    assert "phsafe.privacy.thresholds.query.json" in names
    assert "tradeoff.blackwell.standard.json" not in names
    assert "tradeoff.blackwell.standard: no certificate: ARGUED by " in done.stderr
    assert "waits for another solver" not in done.stderr  # cvc5 is installed with the tests
    assert f"certificates of {len(names)} claims" in done.stderr  # none of these leaves two files
    first = {path.name: path.read_bytes() for path in kept.iterdir()}
    stirred("verify", *IDS, "--certificates", str(kept), "--jobs", "1", cwd=tmp_path)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == first
    found = stirred("check", str(kept / "domain.boundary-upstream.json"), str(kept / "invariants.nonvacuous.json"))
    assert found.returncode == 0
    assert "invariants.nonvacuous.json: CONFIRMED: false of one case: " in found.stdout
    assert 'invariants.nonvacuous.json: not compared: {"claim": "invariants.nonvacuous", ' in found.stdout
    found = stirred("check", str(kept / "phsafe.privacy.thresholds.query.json"))
    assert found.returncode == 0
    assert "CONFIRMED: no values satisfy the " in found.stdout
    assert " assertions, by cvc5 for Python [" in found.stdout


def test_a_query_that_no_solver_answers_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(query, "SOLVERS", {})
    found = certified("phsafe.privacy.thresholds")
    KeptCertificates(str(tmp_path)).keep(found)
    assert "phsafe.privacy.thresholds: its query waits for another solver [" in capsys.readouterr().err
    assert (tmp_path / "phsafe.privacy.thresholds.query.json").read_text() == found.queries


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    done = stirred("verify", IDS[0], "--certificates", str(tmp_path / "file"), cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot be made a folder: File exists" in done.stderr
    assert done.stdout == ""


PREFIX = "derangements.r"  # a few claims that are checked at once


@pytest.fixture(scope="module")
def kept_rows():
    """The rows of the ledger under the prefix, as they were kept."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        main(["verify", PREFIX, "--json"])
    rows = json.loads(out.getvalue())
    assert len(rows) >= 3
    return rows


def against(tmp_path, capsys, rows):
    file = tmp_path / "ledger.json"
    file.write_text(json.dumps(rows))
    status = main(["verify", PREFIX, "--json", "--against", str(file)])
    return status, capsys.readouterr().err


def test_the_same_rows_in_any_order_are_no_change(tmp_path, capsys, kept_rows):
    assert against(tmp_path, capsys, kept_rows[::-1]) == (0, "")


def test_rows_that_are_missing_removed_or_of_another_verdict_are_changes(tmp_path, capsys, kept_rows):
    missing, *rows = kept_rows
    was = "OPEN" if rows[-1]["verdict"] != "OPEN" else "PROVED"
    rows[-1] = {**rows[-1], "verdict": was}
    rows.insert(1, {**missing, "id": "derangements.removed"})
    status, err = against(tmp_path, capsys, rows)
    assert status == 1
    said = dict(line.split(": ", 1) for line in err.splitlines())
    assert said.keys() == {missing["id"], "derangements.removed", rows[-1]["id"]}
    assert was in said[rows[-1]["id"]]
    assert err.count("\n") == 3


def test_every_changed_row_is_named(tmp_path, capsys, kept_rows):
    rows = [{**row, "id": f"derangements.removed-{i}"} for i, row in enumerate(kept_rows)]
    status, err = against(tmp_path, capsys, rows)
    assert status == 1
    named = {line.partition(": ")[0] for line in err.splitlines()}
    assert named == {row["id"] for row in (*rows, *kept_rows)}
