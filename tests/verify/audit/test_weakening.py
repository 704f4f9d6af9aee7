"""Weakened claims: each way of lowering a budget without more noise is found on its worked example, and only there."""

import json
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, audited, replaced
from hypothesis import given
from hypothesis import strategies as st
from weakened_claims import BITS, COMPARED, EXAMPLES, LINE, LOOKALIKES, STEPS, claim, explicit, laws

from stirred.spec import Law
from stirred.verify.audit import weakening
from stirred.verify.audit.weakening import DETECTORS
from stirred.verify.audit.weakening.detector import MAX_EXAMINED
from stirred.verify.audit.weakening.outputs import merging
from stirred.verify.audit.weakening.samples import parts_of, share
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict


def text_of(named, which):
    """The text of a claim that is given by its name in the folder of comparisons, or as it stands."""
    return (COMPARED / f"{named}_{which}.toml").read_text() if "\n" not in named else named


def found_in(tmp_path, capsys, example):
    """What is found, by its detector, each with what it means: in an audit, or in a comparison where it has a pair."""
    shutil.copy(COMPARED / "mechanisms_compared.py", tmp_path)
    if "\n" in example.claimed and not example.honest:
        record = audited(tmp_path, example.claimed)
        lines = [one for one in record.answers if one.question in ("weakening", "meaning")]
        assert not any(one.decides for one in lines)
        pairs = list(zip(lines[::2], lines[1::2], strict=True))
        assert {(a.question, b.question) for a, b in pairs} <= {("weakening", "meaning")}
        return [(a.evidence.detail, b.evidence.detail) for a, b in pairs]
    files = []
    for name, text in (
        ("honest", text_of(example.honest or example.claimed, "honest")),
        ("claimed", text_of(example.claimed, "claimed")),
    ):
        files.append(tmp_path / f"{name}.toml")
        files[-1].write_text(text)
    if example.recording:
        (tmp_path / "recording.toml").write_text(example.recording)
        files += ["--recording", tmp_path / "recording.toml"]
    assert main(["compare", *map(str, files), "--json"]) in (0, 1)
    findings = json.loads(capsys.readouterr().out)
    details = {one["id"]: one["detail"] for one in findings}
    return [
        (detail, details[name.replace("weakening", "meaning")])
        for name, detail in details.items()
        if name.startswith("weakening.")
    ]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"{one.detector}, {len(one.claimed)}")
def test_a_worked_example_is_found_with_its_exact_losses_and_what_they_mean(tmp_path, capsys, example):
    found = [both for both in found_in(tmp_path, capsys, example) if both[0].startswith(f"{example.detector}: ")]
    ((sizes, meaning),) = found
    for words in example.found:
        assert words in sizes
    assert len(meaning) > len("(dissertation)")
    assert "\n" not in sizes + meaning


def test_every_detector_has_a_worked_example_and_a_module():
    assert {one.detector for one in EXAMPLES} == {detector.name for detector in DETECTORS}
    modules = {path.stem for path in Path(weakening.__file__).parent.glob("*.py")}
    used = {module.rpartition(".")[2] for detector in DETECTORS for module in (_home(detector),)}
    assert modules - used == {"__init__", "detector"}


def _home(detector):
    one, both = detector.in_claim.__module__, detector.in_pair.__module__
    return both if one.endswith(".detector") else one


@pytest.mark.parametrize(
    "text",
    [
        SOUND,
        replaced(SCHEMA, ('"identity"', '"constant"')),
        claim("bits", BITS, 'name = "randomized-response"\nflip_probability = "1/4"'),
        claim("line", '["a", "b", "c"]', STEPS, distances=LINE),
        # two parts that are drawn independently
        claim("pair", "[[0, 0], [0, 1], [1, 0], [1, 1]]", 'name = "randomized-response"\nflip_probability = "1/4"'),
    ],
)
def test_nothing_is_found_in_a_claim_that_compares_all_neighbours_under_pure_dp(tmp_path, text):
    assert not [one for one in audited(tmp_path, text).answers if one.question in ("weakening", "meaning")]


@pytest.mark.parametrize(("detector", "text"), LOOKALIKES, ids=lambda one: one if "\n" not in one else "")
def test_a_claim_that_only_looks_like_a_weakened_one_is_not_told_so(tmp_path, detector, text):
    found = [one.evidence.detail for one in audited(tmp_path, text).answers if one.question == "weakening"]
    assert [detail for detail in found if detail.startswith(f"{detector}: ")] == []


def test_no_line_of_a_detector_accuses_or_scores(tmp_path, capsys):
    for example in EXAMPLES:
        words = " ".join(" ".join(both) for both in found_in(tmp_path, capsys, example)).lower()
        assert not re.search(r"score|cheat|fraud|mislead|dishonest|unfair|manipulat|suspicious", words)


@pytest.mark.parametrize("name", ["coin", "geometric"])
def test_nothing_is_found_in_the_published_examples(name, tmp_path):
    record = audited(tmp_path, (CLAIMS / f"{name}.toml").read_text())
    assert not [one.evidence.detail for one in record.answers if one.question == "weakening"]


def test_nothing_is_found_between_a_claim_and_itself(tmp_path, capsys):
    for text in (text_of("delta", "claimed"), text_of("invariant", "claimed"), text_of("unit", "claimed")):
        shutil.copy(COMPARED / "mechanisms_compared.py", tmp_path)
        paths = [tmp_path / "one.toml", tmp_path / "other.toml"]
        for path in paths:
            path.write_text(text)
        main(["compare", *map(str, paths), "--json"])
        assert not [one for one in json.loads(capsys.readouterr().out) if one["id"].startswith("weakening")]


def test_an_honest_claim_beside_a_weaker_one_shows_nothing(tmp_path, capsys):
    for name in ("delta", "invariant", "unit"):
        shutil.copy(COMPARED / "mechanisms_compared.py", tmp_path)
        paths = [tmp_path / "one.toml", tmp_path / "other.toml"]
        for path, which in zip(paths, ("claimed", "honest"), strict=True):
            path.write_text(text_of(name, which))
        main(["compare", *map(str, paths), "--json"])
        assert not [one["detail"] for one in json.loads(capsys.readouterr().out) if one["id"].startswith("weakening")]


def test_findings_decide_neither_a_verdict_nor_the_exit_status(tmp_path, capsys):
    text = claim(
        "scaled", '["a", "b"]', laws(a="y 3/4, n 1/4", b="y 1/4, n 3/4"), distances=explicit(('"a"', '"b"', 9))
    )
    record = audited(tmp_path, text)
    assert record.verdict is Verdict.EXHAUSTED
    for name in ("one", "other"):
        (tmp_path / f"{name}.toml").write_text(text if name == "other" else text.replace(", 9]", ", 1]"))
    assert main(["compare", str(tmp_path / "one.toml"), str(tmp_path / "other.toml")]) == 0
    printed = capsys.readouterr().out
    assert "compare.weakening.rescaled-distances: NOTE: " in printed
    assert "compare.meaning.rescaled-distances: NOTE: " in printed


def test_a_domain_that_is_too_large_is_said_not_to_be_looked_at(tmp_path):
    count = MAX_EXAMINED + 1
    text = claim(
        "many",
        f"[{', '.join(map(str, range(count)))}]",
        'name = "constant"',
        distances='name = "absolute_difference"',
    )
    (line,) = (one for one in audited(tmp_path, text).answers if one.question == "weakening")
    assert line.evidence.verdict is Verdict.OPEN
    assert not line.decides
    assert line.evidence.detail == f"not searched: {count} data sets; at most {MAX_EXAMINED} are searched"


PROBABILITIES = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)


def law(weights):
    return Law({t: Fraction(weight, sum(weights)) for t, weight in enumerate(weights)})


@given(st.lists(PROBABILITIES, min_size=1, max_size=3), st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_outcomes_that_are_put_together_are_found(fine, names):
    joined = [(law(weights), law(weights).push(lambda t: names[t])) for weights in fine]
    function = merging(joined)
    assert function is not None
    for first, second in joined:
        assert first.push(lambda t: function[t]) == second


@given(st.lists(st.tuples(PROBABILITIES, PROBABILITIES), min_size=1, max_size=3))
def test_a_function_of_outcomes_is_never_made_up(weights):
    joined = [(law(first), law(second)) for first, second in weights]
    function = merging(joined)
    if function is not None:
        assert all(first.push(lambda t: function[t]) == second for first, second in joined)


@given(PROBABILITIES, PROBABILITIES, PROBABILITIES, st.fractions(0, 1, max_denominator=9))
def test_the_share_of_a_mixture_is_found(first, second, rest, chance):
    p, p_prime, r = law(first), law(second), law(rest)

    def mixed(one):
        return Law({t: chance * one.numeric(t) + (1 - chance) * r.numeric(t) for t in range(4)})

    expected = chance if 0 < chance < 1 and p != p_prime else None
    assert share((p, mixed(p)), (p_prime, mixed(p_prime))) == expected


@given(st.lists(st.tuples(PROBABILITIES, PROBABILITIES), min_size=1, max_size=3))
def test_the_parts_of_independent_parts_are_these(weights):
    tables = {}
    for x, (first, second) in enumerate(weights):
        p, q = law(first), law(second)
        tables[x] = Law({repr((a, b)): p.numeric(a) * q.numeric(b) for a in p for b in q})
    parts = parts_of(tables)
    assert parts is not None
    for k in (0, 1):
        assert all(parts[k][x] == law(weights[x][k]).push(repr) for x in tables)
