"""Claim files for tests: a sound one, the same with parts replaced, and what the auditor says of a text."""

import json
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from stirred.spec import InputError
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import Evidence
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

CLAIMS = Path(__file__).parent / "claims"

SOUND = """\
id = "swap.small"
statement = "Swapping three households."
[domain]
margins = [{ rows = [2, 1], columns = [1, 2] }]
[multiverse]
invariants = ["swapping"]
[input_premetric]
name = "hamming_unordered"
resolution = "household"
[output_premetric]
name = "multiplicative"
[budget]
gamma = 4
[mechanism]
name = "permutation-swapping"
swap_rate = "1/2"
"""

SCHEMA = """\
id = "own"
statement = "A mechanism of my own."
[domain]
schema = { vote = ["no", "yes"] }
records = 2
[multiverse]
invariants = []
[input_premetric]
name = "hamming_unordered"
resolution = "voter"
[output_premetric]
name = "multiplicative"
[budget]
gamma = 2
[mechanism]
name = "identity"
"""


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """The text with each change made; every one must apply."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def changed(text: str, table: str) -> list[Any]:
    r"""The text after each of some changes with the message that it gets: `name: old => new & old => new ! message`.

    A case begins at the margin, and lines that are indented go on with it; without a name its changes are its name, and
    `\n` stands for a line break.
    """
    found = []
    for case in re.split(r"\n(?! )", dedent(table).strip("\n")):
        changes, _, message = " ".join(map(str.strip, case.splitlines())).partition(" ! ")
        named = re.fullmatch(r"([\w ,'-]+): (.*)", changes)
        name, changes = named.groups() if named else (changes, changes)
        pairs = [map(str.strip, change.replace(r"\n", "\0").split("=>")) for change in changes.split(" & ")]
        lines = [(old.replace("\0", "\n"), new.replace("\0", "\n")) for old, new in pairs]
        found.append(pytest.param(replaced(text, *lines), message, id=name))
    return found


def built(tmp_path: Path, text: str, limits: Limits | None = DEFAULT_LIMITS) -> PrivacyClaim:
    """The one claim of a text, in a file `claim.toml`."""
    file = tmp_path / "claim.toml"
    file.write_text(text, encoding="utf-8")
    (claim,) = read_claims([file])
    return build_claim(claim, limits)


def audited(tmp_path: Path, text: str) -> AuditRecord:
    record = audit(built(tmp_path, text))
    for answer in record.answers:
        if answer.evidence.witness is not None:
            replay(json.loads(json.dumps(answer.evidence.witness)))
    return record


def answer(record: AuditRecord, question: str) -> Evidence:
    return next(a.evidence for a in record.answers if a.question == question)


def build(tmp_path: Path, text: str, *, audited: bool = False) -> None:
    """Read and build the claims of a text, and audit them where that is asked for."""
    file = tmp_path / "claim.toml"
    file.write_text(text, encoding="utf-8")
    for claim in map(build_claim, read_claims([file])):
        if audited:
            audit(claim)


def refusal(tmp_path: Path, text: str) -> str:
    """The message that a text gets, after checking that it is one line and names the file."""
    with pytest.raises(InputError) as caught:
        build(tmp_path, text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{tmp_path / 'claim.toml'}:")
    return message.removeprefix(f"{tmp_path / 'claim.toml'}: ")


RENYI = """\
id = "noise"
statement = "Noise."
[domain]
data_sets = [0, 1]
[multiverse]
invariants = []
[input_premetric]
name = "absolute_difference"
resolution = "person"
[output_premetric]
name = "normalized_renyi"
[budget]
rho_squared = "0.5"
[mechanism]
name = "kernel"
laws = [[0, [["a", 1]]], [1, [["a", 1]]]]
"""

PSA = """\
id = "swap"
statement = "Swapping."
domain = { description = "all households" }
multiverse = { invariants = ["swapping"] }
input_premetric = { name = "hamming_unordered", resolution = "household" }
output_premetric = { name = "multiplicative" }
budget = { by = "psa.budget.theorem", printed = ["5.3423", "2.3979"] }
mechanism = { name = "permutation-swapping", largest_stratum = 10, swap_rate = ["0.05", "0.5"] }
"""
