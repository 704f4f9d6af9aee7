"""Certificates of random claims say what the auditor says; one that is altered is confirmed only if it is so.

A file of certificates that was altered in any place ends with a verdict or one line, within its limits.
"""

import copy
import json
import random
import time
from fractions import Fraction

import pytest
from quality.random_claims import MEASURES, random_claim

from stirred.spec import ApproximateMultiplicative, Law, Multiplicative, TotalVariation
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics.base import mass
from stirred.verify.audit.audit import audit
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.check import CertificateError, check
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.ledger.certificates import certified

NONE = (
    "an infinite budget claims nothing",
    "there is no certificate for trade-off functions",
    "the claim is undecided",
)
NONE += ("a refuted budget of zCDP has its witness alone", "no finite list of Renyi orders shows the budget")


def records(tmp_path, seeds, measure=None):
    file = tmp_path / "random.toml"
    file.write_text("\n".join(random_claim(seed, measure).text() for seed in seeds))
    return [audit(build_claim(claim), is_certified=True) for claim in read_claims([file])]


@pytest.mark.parametrize("measure", [*MEASURES, "normalized_renyi"])
def test_a_certificate_says_what_the_auditor_says(tmp_path, measure):
    certified = 0
    for record in records(tmp_path, range(24 if measure == "normalized_renyi" else 100), measure):
        if not record.certificates:
            assert record.uncertified.startswith(NONE)
            continue
        (certificate,) = json.loads(json.dumps(record.certificates))
        certified += 1
        word = "exceeded" if record.verdict is Verdict.REFUTED else "met"
        assert check(certificate)[-1].startswith(f"CONFIRMED: {word}: {measure}")
        if word == "exceeded":
            with pytest.raises(CertificateError):
                check({**certificate, "verdict": {"met": True}})
    assert (certified > 5) == (measure != "tradeoff")


def is_so(certificate):
    """What an altered certificate says, decided by the engines of the auditor from its laws."""
    laws = [Law({t: Fraction(p) for t, p in law["probabilities"] if Fraction(p)}) for law in certificate["laws"]]
    premetric, budget, verdict = (certificate[key] for key in ("output_premetric", "budget", "verdict"))
    delta = Fraction(premetric.get("delta", 0))
    kinds = {"multiplicative": Multiplicative(), "total_variation": TotalVariation()}
    measure = kinds.get(premetric["name"]) or ApproximateMultiplicative(delta)
    listed = {(i, j): Fraction(d) for i, j, d in certificate["distance"]["pairs"]}
    if not listed:
        return False  # of what compares nothing nothing is shown
    if "met" in verdict:
        return all(_is_at_most(measure.distance(laws[i], laws[j]), budget, listed[i, j]) for i, j in listed)
    i, j = verdict["exceeded"]
    ours, theirs = (mass(laws[place], verdict["event"]) for place in (i, j))
    d = min(listed[pair] for pair in ((i, j), (j, i)) if pair in listed)
    if premetric["name"] == "total_variation":
        return ours - theirs > Fraction(budget["epsilon"]) * d
    ratio = max((ours - delta) / theirs, Fraction(1)) if theirs else Fraction(1) if ours <= delta else None
    return not _is_at_most(Loss(ratio), budget, d)


def _is_at_most(distance, budget, d):
    if not isinstance(distance, Loss):
        return distance <= Fraction(budget["epsilon"]) * d
    if distance.is_infinite:
        return False
    if "gamma" in budget:
        return distance <= Loss(Fraction(budget["gamma"]), int(budget["root"])).times(d)
    return distance.epsilon(60).upper <= Fraction(budget["epsilon"]) * d


def altered(certificate, draw, characters="0123456789/-"):
    """A certificate with one place altered: a number, an index, an entry, a text."""
    found = copy.deepcopy(certificate)
    places = [(holder, key) for holder, key in _places(found) if key not in ("claim", "statement", "mechanism")]
    holder, key = draw.choice(places)
    value = holder[key]
    if isinstance(value, list) and value:
        draw.choice((value.reverse, value.pop, lambda: value.append(copy.deepcopy(value[0]))))()
    elif isinstance(value, dict) and value:
        value.pop(draw.choice(sorted(value)))
    elif isinstance(value, bool) or value in ([], {}, None):
        holder[key] = draw.choice((0, None, "1"))
    elif isinstance(value, int):
        holder[key] = value + draw.choice((-1, 1))
    else:
        index = draw.randrange(len(value) + 1)
        holder[key] = value[:index] + draw.choice(characters) + value[index + draw.choice((0, 1)) :]
    return found


def _places(holder):
    for key, value in list(enumerate(holder)) if isinstance(holder, list) else list(holder.items()):
        yield holder, key
        if isinstance(value, (list, dict)):
            yield from _places(value)


def confirmed_wrongly(tmp_path, seeds, times):
    """The altered certificates that are confirmed although what they say is not so, and how many are refused."""
    draw = random.Random(len(seeds))  # noqa: S311 not for secrets
    wrong, refused = [], 0
    for record in records(tmp_path, seeds):
        for certificate in json.loads(json.dumps(record.certificates)):
            if certificate["output_premetric"]["name"] == "normalized_renyi":
                continue
            for _ in range(times):
                other = altered(certificate, draw)
                try:
                    check(other)
                except CertificateError:
                    refused += 1
                    continue
                if not is_so(other):
                    wrong.append(other)
    return wrong, refused


def test_an_altered_certificate_is_confirmed_only_if_it_is_so(tmp_path):
    wrong, refused = confirmed_wrongly(tmp_path, range(1, 31), 30)
    assert wrong == []
    assert refused > 300


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(10))
def test_a_hundred_thousand_altered_certificates(tmp_path, batch):
    wrong, refused = confirmed_wrongly(tmp_path, range(1_000 * batch + 1, 1_000 * batch + 201), 80)
    assert wrong == []
    assert refused > 5_000


def emptied(certificate, draw):
    """The certificate with nothing left to compare, in one of the ways in which that can be written."""
    alone = [[place] for place in range(len(certificate["data_sets"]))]
    changes = [
        {"universes": [], "distance": {**certificate["distance"], "pairs": []}},
        {"universes": draw.choice(([], [[]], alone, alone[:1])), "distance": {"name": "mine", "pairs": []}},
        {"distance": {**certificate["distance"], "pairs": []}},
    ]
    return {**copy.deepcopy(certificate), **draw.choice(changes), "verdict": {"met": True}}


def renamed(certificate, draw):
    """The certificate with other words in every place that nothing compares."""
    words = draw.sample(("perfectly private", "epsilon = 0", "hamming", "CONFIRMED: met", "x\n", "[all]"), 4)
    found = {**copy.deepcopy(certificate), "claim": words[0], "statement": words[1], "mechanism": words[2]}
    found["distance"]["name"] = words[3]
    return found


def checked_words(tmp_path, seeds, draw):
    """How many certificates were emptied and renamed; fails at the first that is confirmed by its words."""
    count = 0
    for record in records(tmp_path, seeds):
        for certificate in json.loads(json.dumps(record.certificates)):
            with pytest.raises(CertificateError, match="vacuous, so every mechanism satisfies it"):
                check(emptied(certificate, draw))
            other = renamed(certificate, draw)
            before, after = check(certificate), check(other)
            words = [other["claim"], other["statement"], other["mechanism"], other["distance"]["name"]]
            assert after[1:] == before[1:]
            assert [line.startswith("not compared: ") for line in after] == [True, False, False]
            assert json.loads(after[0].removeprefix("not compared: ").rpartition("; ")[0]) == dict(
                zip(("claim", "statement", "mechanism", "distances"), words, strict=True)
            )
            count += 1
    return count


def test_words_and_empty_universes_confirm_nothing(tmp_path):
    assert checked_words(tmp_path, range(1, 101), random.Random(1)) > 30  # noqa: S311 not for secrets


@pytest.mark.nightly
def test_words_and_empty_universes_confirm_nothing_every_night(tmp_path, changing_seed):
    first = 1_000_000 * changing_seed + 50_000
    draw = random.Random(changing_seed)  # noqa: S311 not for secrets
    batches = (range(start, start + 100) for start in range(first, first + 2_000, 100))  # in files that may be read
    assert sum(checked_words(tmp_path, batch, draw) for batch in batches) > 600


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(5))
def test_other_altered_certificates_every_night(tmp_path, changing_seed, batch):
    first = 1_000_000 * changing_seed + 100_000 + 1_000 * batch
    wrong, refused = confirmed_wrongly(tmp_path, range(first, first + 200), 60)
    assert wrong == []
    assert refused > 3_000


# whole files of certificates

CLAIMS = (
    "derangements.recurrence.two-terms",
    "domain.boundary-upstream",
    "invariants.nonvacuous",
    "numbers.table-4.overall-epsilon",
    "phsafe.privacy.thresholds",
    "phsafe.sensitivity.tables-added",
    "phsafe.table-10.formula",
    "renyi.finite-where-multiplicative-infinite",
)

SECONDS, MEMORY = 3, "500MB"
DEAR = ("10**9999", "range(10**9)", "factorial(10**8)", "subsets(range(60))", "9" * 3_000, "(x for x in x)", "**" * 9)
PIECES = ("(", ")", "[", "]", "{", "}", '"', "\\", ",", ":", "0", "9", "-", "/", "*", "e9", "null", "\ud800", "\0", "é")


def certificates(tmp_path):
    """A dozen texts: sentences, queries with and without a sum, laws."""
    for claim_id in CLAIMS:
        found = certified(claim_id)
        yield from filter(None, (found.text, found.queries))
    yield from (json.dumps(one) for record in records(tmp_path, range(8)) for one in record.certificates)


def altered_text(text, draw):
    """The text with a piece of it taken out, doubled or replaced; or something dear put where a number was."""
    place = draw.randrange(len(text))
    end = min(len(text), place + draw.choice((0, 1, 2, 20)))
    kind = draw.randrange(4)
    if kind == 0:
        return text[:place] + text[end:]
    if kind == 1:
        return text[:end] + text[place:end] * draw.choice((1, 2, 1_000)) + text[end:]
    if kind == 2:
        return text[:place] + draw.choice(PIECES) + text[end:]
    digits = [index for index, character in enumerate(text) if character.isdigit()]
    place = draw.choice(digits)
    return text[:place] + draw.choice(DEAR) + text[place + 1 :]


def ends_of(tmp_path, draw, times, capfd):
    """How often altered files end with each status; fails where one does not end as it should."""
    texts, statuses, file = list(certificates(tmp_path)), {0: 0, 1: 0, 2: 0}, tmp_path / "altered.json"
    assert len(texts) >= 12
    capfd.readouterr()
    for number in range(times):
        other = altered_text(texts[number % len(texts)], draw)
        file.write_bytes(other.encode("utf-8", "surrogatepass"))
        begun = time.monotonic()
        status = main(["check", "--seconds", str(SECONDS), "--memory", MEMORY, str(file)])
        assert time.monotonic() - begun < 10 * SECONDS, other
        statuses[status] += 1
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err, other
        assert len(err.splitlines()) == (status == 2), other
        if status:
            assert len((out + err).splitlines()) == 1, other
            assert ("NOT CONFIRMED: " in out) == (status == 1), other
        else:
            assert "CONFIRMED: " in out.splitlines()[-1], other
    return statuses


def test_an_altered_file_ends_within_its_limits_in_one_line(tmp_path, capfd):
    found = ends_of(tmp_path, random.Random(1), 50, capfd)  # noqa: S311 not for secrets
    assert min(found[1], found[2]) > 3


@pytest.mark.nightly
def test_other_altered_files_every_night(tmp_path, capfd, changing_seed):
    found = ends_of(tmp_path, random.Random(changing_seed), 1_000, capfd)  # noqa: S311 not for secrets
    assert min(found[1], found[2]) > 100
