"""Certificates: altered ones are refused, or still show the same; the checker needs the standard library alone."""

import copy
import hashlib
import json
import subprocess
import sys
import time
from fractions import Fraction

import pytest
from aligned_programs import PROGRAMS, ranges
from tiers import few

from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.alignment import AlignmentError, check
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

LISTED = ("svt_monotone", "svt", "smart_sum", "discrete_svt", "noisy_max", "total_and_each", "geometric_sum", "gap_svt")


def certificate_of(name):
    function, neighbors, epsilon, _, _ = PROGRAMS[name]
    claim = stated(name, of_function(function), neighbors, epsilon, ranges(function))
    return json.loads(json.dumps(proof_of(claim).certificate))


@pytest.fixture(scope="module")
def certificates():
    return {name: certificate_of(name) for name in LISTED}


def leaves(value, path=()):
    """All places in a certificate."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from leaves(inner, (*path, key))


def altered(certificate, path):
    """Certificates that differ at one place: another number or text, or nothing there."""
    for change in range(4):
        one = copy.deepcopy(certificate)
        holder = one
        for key in path[:-1]:
            holder = holder[key]
        value = holder[path[-1]]
        if change == 3 or isinstance(value, (dict, list)):
            del holder[path[-1]]
            yield one
            return
        try:
            number = Fraction(value)
        except ValueError:
            holder[path[-1]] = value + " "
            yield one
            continue
        new = (number + 1, number - 1, number / 2)[change]
        if new != number:
            holder[path[-1]] = str(new) if isinstance(value, str) else int(new)
            yield one


def said(certificate):
    """What it claims: the program as it is read, neighbours and budget."""
    return {key: certificate.get(key) for key in ("program", "neighbors", "budget")}


@pytest.mark.parametrize("name", few(LISTED, kept=4))
def test_altered_certificates_are_refused_or_show_the_same(certificates, name):
    original = certificates[name]
    (*_, confirmed) = check(original)
    refused, others = 0, []
    for path in leaves(original):
        if path[0] == "claim":
            continue
        for one in altered(original, path):
            try:
                (*_, line) = check(one)
            except AlignmentError:
                refused += 1
                continue
            if said(one) != said(original) or line != confirmed:
                others.append((path, line))
    for path, line in others:  # a larger budget, or another range of a parameter: shown as well, and said
        assert path[0] == "budget" or path[:2] in (("program", "ranges"), ("program", "modules")), (path, line)
        assert line != confirmed or path[:2] == ("program", "modules")
    assert refused > 20


def test_a_smaller_budget_is_refused(certificates):
    for name, one in certificates.items():
        smaller = copy.deepcopy(one)
        smaller["budget"] = [[str(Fraction(number) * Fraction(99, 100)), powers] for number, powers in one["budget"]]
        with pytest.raises(AlignmentError):
            check(smaller)
        assert check(one), name


@pytest.mark.parametrize(
    "symbol",
    ["exp 0)*0 - 1*(eps", "ln 1)*0 - eps*exp(0", "exp 1 ", "ln 2 # eps", "exp eps**999999", "exp (a + b)*(c + d)"],
)
def test_a_budget_is_what_it_reads_as(certificates, symbol):
    """What stands inside exp(...) is printed: eps + exp(0)*0 - 1*(eps) would be a claim of 0."""
    one = copy.deepcopy(certificates["svt"])
    one["budget"].append(["1", {symbol: 1}])
    with pytest.raises(AlignmentError, match=r"as it is written|no polynomial"):
        check(one)


@pytest.mark.parametrize("number", ["1e99999999", "-1e-99999999", 1.5, "0.5", "1_0", " 1", "٣"])
def test_numbers_are_fractions_of_integers(certificates, number):
    """1e99999999 would be written out."""
    for fields in ({"budget": [[number, {"parameter eps": 1}]]}, {"program": {"ranges": {"N": f"= {number}"}}}):
        one = copy.deepcopy(certificates["svt"])
        one["program"]["ranges"] |= fields.pop("program", {"ranges": {}})["ranges"]
        with pytest.raises(AlignmentError, match="no fraction of integers"):
            check(one | fields)


def test_a_source_too_deep_for_python_is_refused(certificates):
    one = copy.deepcopy(certificates["svt"])
    one["program"]["source"] += f"\n\ndef deep():\n    return {'-' * 50_000}1\n"
    one["program"]["sha256"] = hashlib.sha256(one["program"]["source"].encode()).hexdigest()
    with pytest.raises(AlignmentError, match=r"MemoryError|RecursionError"):
        check(one)


def test_other_neighbors_are_refused(certificates):
    for name in ("smart_sum", "total_and_each", "geometric_sum"):
        with pytest.raises(AlignmentError):
            check({**certificates[name], "neighbors": "each by 1"})


def test_both_directions_are_shown(certificates):
    """P_x <= e^c P_x' where all answers go up says nothing of where they go down."""
    for direction in ("up", "down"):
        one = copy.deepcopy(certificates["svt_monotone"])
        del one["alignments"][direction]
        with pytest.raises(AlignmentError, match="alignments must be of each direction"):
            check(one)


def test_ranges_are_of_the_parameters(certificates):
    for ranges_ in ({"eps": "positive"}, {"T": "real", "N": "whole >= 1", "eps": "positive", "M": "positive"}):
        one = copy.deepcopy(certificates["svt"])
        one["program"]["ranges"] = ranges_
        with pytest.raises(AlignmentError, match="ranges must be of the parameters"):
            check(one)


def test_the_function_is_named(certificates):
    assert "CONFIRMED: svt has epsilon = eps " in check(certificates["svt"])[-1]


@pytest.mark.parametrize("names", [{}, {"len": "builtins.max"}, {"len": "shadows.len"}, {"len": "= 1"}])
def test_what_names_mean_is_said(certificates, names):
    one = copy.deepcopy(certificates["svt"])
    one["program"]["names"] = names
    with pytest.raises(AlignmentError):
        check(one)


def test_a_shadowed_builtin_is_refused(certificates):
    one = copy.deepcopy(certificates["svt"])
    one["program"]["source"] += "\n\ndef len(q):\n    return 0\n"
    one["program"]["sha256"] = hashlib.sha256(one["program"]["source"].encode()).hexdigest()
    with pytest.raises(AlignmentError, match="len has two meanings"):
        check(one)


@pytest.mark.parametrize("symbol", ["record ", "draw 0", "held nothing", "opaque 1"])
def test_facts_are_of_the_head(certificates, symbol):
    """A fact about one pass's record says nothing of the next one's."""
    one = copy.deepcopy(certificates["svt"])
    (head,) = one["alignments"]["any"]["heads"].values()
    head["facts"].append([["1", {symbol: 1}]])
    for edge in one["alignments"]["any"]["edges"].values():
        edge["facts"].append({})
    with pytest.raises(AlignmentError, match="facts must be of what variables hold there"):
        check(one)


def test_another_source_is_refused(certificates):
    one = copy.deepcopy(certificates["svt"])
    one["program"]["source"] = one["program"]["source"].replace("4 * N / eps", "2 * N / eps")
    with pytest.raises(AlignmentError, match="sha256"):
        check(one)


def test_the_standard_library_is_enough_and_quick(certificates, tmp_path):
    file = tmp_path / "all.json"
    file.write_text(json.dumps(list(certificates.values())))
    code = (
        "import sys\n"
        "from stirred.verify.evidence.certificates.alignment import main\n"
        f"status = main([{str(file)!r}])\n"
        "assert not {'z3', 'numpy', 'sympy', 'flint'} & set(sys.modules)\n"
        "sys.exit(status)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.count("CONFIRMED") == len(certificates)
    for one in certificates.values():
        begun = time.process_time_ns()
        check(one)
        assert time.process_time_ns() - begun < 200_000_000


def test_stirred_check_reads_them(certificates, tmp_path, capsys):
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(certificates["svt"]))
    wrong.write_text(json.dumps({**certificates["svt"], "budget": []}))
    assert main(["check", str(right)]) == 0
    assert main(["check", str(wrong)]) == 1
    assert "NOT CONFIRMED: path 'start '" in capsys.readouterr().out
