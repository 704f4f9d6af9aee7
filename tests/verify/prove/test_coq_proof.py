"""`stirred prove --coq`: certificates of integer noise as theorems that `coqc` accepts, and no false one."""

import copy
import hashlib
import json
import resource

import pytest
from tiers import few

from stirred.verify.audit.coqc import refused_by_coqc
from stirred.verify.cli.commands import coq_theorems
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prove.coq_program import NotInCoqError
from stirred.verify.prove.coq_proof import CoqProof, coq_file
from stirred.verify.prove.found_function import in_file
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

SOURCE = '''\
import numpy as np


def sparse_vector(q, source, *, T, N, r, s):
    """The marks (* and *) and "quotes" end no comment of Coq, é is none of its letters."""
    out = []
    limit = T + source.discrete_laplace(r)
    count = 0
    for x in q:
        above = x + source.discrete_laplace(s) >= limit
        out.append(above)
        if above:
            count += 1
            if count == N:
                break
    return out


def first_above(q, source, *, T, r, s):
    limit = T + source.discrete_laplace(r)
    for i, x in enumerate(q):
        noisy = x + source.discrete_laplace(s)
        if noisy > limit:
            return i, noisy + source.discrete_laplace(s)
    return None


def shared_budget(q, source, *, N, eps):
    limit, count, out = source.discrete_laplace(np.exp(-eps / 2)), 0, []
    for x in q:
        if x + source.discrete_laplace(np.exp(-eps / (4 * N))) >= limit:
            out.append(x + source.discrete_laplace(np.exp(-eps / N)))
            count += 1
            if count >= N:
                return out
    return out


def doubled_sum(q, source, *, r):
    return 2 * sum(q) + source.geometric(r) - source.geometric(r)


def noisy_list(q, source, *, eps):
    return [x + source.discrete_laplace(np.exp(-eps)) for x in q]


def half(q, source):
    total = 0
    for x in q:
        total += x
    return total + source.discrete_laplace(0.5)


def real(q, rng, *, eps):
    return sum(q) + rng.laplace(scale=1 / eps)


def twice(q, source, *, r):
    return sum(q) + source.discrete_laplace(r), sum(q) + source.discrete_laplace(r)


def noisy_index(q, source, *, r):
    noisy = [x + source.discrete_laplace(r) for x in q]
    return noisy.index(max(noisy))


def coin(q, source, *, r):
    return sum(q) + source.discrete_laplace(r) + source.bernoulli(0.5)
'''
SHOWN = {
    "sparse_vector": ("each by 1", "2*N*ln(1/s) + ln(1/r)", {"N": "whole >= 1"}),
    "doubled_sum": ("one by 1", "2*ln(1/r)", {}),
    "sparse_vector up or down": ("all up or all down", "N*ln(1/s) + ln(1/r)", {"N": "whole >= 1"}),
    "shared_budget": ("each by 1", "2*eps", {"N": "whole >= 1"}),
    "first_above": ("each by 1", None, {}),
    "noisy_list": ("sum of changes 1", "eps", {}),
    "half": ("one by 1", "ln(2)", {}),
}


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    file = tmp_path_factory.mktemp("coq") / "queries.py"
    file.write_text(SOURCE, encoding="utf-8")

    def found(name, neighbors, epsilon, ranges):
        claim = stated("a.b *) Axiom", in_file(file, name.split()[0]), neighbors, epsilon, ranges)
        return proof_of(claim, explains=False)

    return found


def refused(certificate):
    return refused_by_coqc(coq_file([CoqProof(certificate).module()]), seconds=300, memory=4 << 30)


def used_by_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("name", few(list(SHOWN), kept=2))
def test_coqc_accepts_the_theorem_in_five_seconds_of_the_processor(proof, name):
    certificate = proof(name, *SHOWN[name]).certificate
    before = used_by_children()
    assert refused(certificate) is None
    assert used_by_children() - before < 5


def edge(name, place):
    return ("alignments", "any", "edges", name, "shifts", "draw 0", place)


FALSE = {
    "early exit not paid": ("break", "pass"),
    "answer moved by too little": (edge("9.4 TTF", "-1"), "1"),
    "threshold's scale another one": ("T + source.discrete_laplace(r)", "T + source.discrete_laplace(s)"),
    "budget too small": (("budget", 0, 0), "999/1000"),
    "threshold not moved": (edge("start ", "0"), "0"),
    "answer below moved unpaid": (edge("9.4 TF", "0"), "1"),
    "threshold said to be equal": (("alignments", "any", "heads", "9.4", "distances", "held limit"), "0"),
    "nothing kept for later answers": (("alignments", "any", "heads", "9.4", "potential", "facts"), []),
    "no answer allowed": (("program", "ranges", "N"), "whole >= 0"),
}


@pytest.mark.parametrize("name", few(list(FALSE), kept=3))
def test_coqc_refuses_false_certificates(proof, name):
    place, new = FALSE[name]
    one = copy.deepcopy(json.loads(json.dumps(proof("sparse_vector", *SHOWN["sparse_vector"]).certificate)))
    if isinstance(place, str):
        assert one["program"]["source"].count(place) == 1
        one["program"]["source"] = one["program"]["source"].replace(place, new)
        one["program"]["sha256"] = hashlib.sha256(one["program"]["source"].encode()).hexdigest()
    else:
        holder = one
        for key in place[:-1]:
            holder = holder[key]
        assert holder[place[-1]] != new
        holder[place[-1]] = new
    assert refused(one).startswith("coqc refuses it")


@pytest.mark.parametrize(
    ("name", "epsilon", "why"),
    [
        ("real", "eps", "it draws laplace noise"),
        ("twice", "2*ln(1/r)", "it has 2 loops"),
        ("noisy_index", "2*ln(1/r)", "the rule of released index"),
        ("coin", "ln(1/r)", "it draws shared noise"),
    ],
)
def test_what_is_not_in_coq_is_said(proof, name, epsilon, why):
    with pytest.raises(NotInCoqError, match=why):
        CoqProof(proof(name, "one by 1", epsilon, {}).certificate)


ANSWERS = [(None, None, "PROVED"), (None, "coqc refuses it", "DECIDED"), ("coqc, of Coq 8.16", "not asked", "DECIDED")]


@pytest.mark.parametrize("said_by_coq", ANSWERS)
def test_a_claim_is_proved_only_where_coqc_accepts_it(tmp_path, capsys, monkeypatch, said_by_coq):
    missing, why, verdict = said_by_coq
    (tmp_path / "queries.py").write_text(SOURCE, encoding="utf-8")
    claim, file = tmp_path / "a.toml", tmp_path / "A.v"
    claim.write_text(
        'id = "a.b"\nrecords = "any"\ndiffer = "one by 1"\nmechanism = { function = "queries:doubled_sum" }\n'
        'budget = { epsilon = "2*ln(1/r)" }\n'
    )
    monkeypatch.setattr(coq_theorems, "missing_for_coq", lambda: missing)
    monkeypatch.setattr(coq_theorems, "refused_by_coqc", lambda text, **_: why)
    assert main(["prove", str(claim), "--coq", str(file)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"{verdict} (every size, integers)  a.b\n")
    assert ("the translation from Python, Coq" in said.out) == (verdict == Verdict.PROVED.name)
    assert len(said.err.splitlines()) == 1
    assert file.exists() == (why != "coqc refuses it")
    if file.exists():
        assert main(["check", str(file), "--claim", str(claim)]) == 0
        file.write_text(file.read_text().replace("Qed.", "Admitted.", 1))
        assert main(["check", str(file), "--claim", str(claim)]) == 1
