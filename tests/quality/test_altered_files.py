"""A file of certificates that was altered in any place ends with a verdict or one line, within its limits."""

import json
import random
import time

import pytest
from quality.test_altered_certificates import records

from stirred.verify.cli import main
from stirred.verify.ledger.certificates import certified

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


def altered(text, draw):
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
        other = altered(texts[number % len(texts)], draw)
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
    found = ends_of(tmp_path, random.Random(1), 150, capfd)  # noqa: S311 not for secrets
    assert min(found[1], found[2]) > 10


@pytest.mark.nightly
def test_other_altered_files_every_night(tmp_path, capfd, changing_seed):
    found = ends_of(tmp_path, random.Random(changing_seed), 1_000, capfd)  # noqa: S311 not for secrets
    assert min(found[1], found[2]) > 100
