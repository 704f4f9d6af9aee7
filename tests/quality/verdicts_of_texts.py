"""What the tests of claim-file texts share: the audit of a text, its answers, and an independent ln."""

import tempfile
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

from claim_texts import SCHEMA, SOUND, audited, replaced

from stirred.verify.audit.audit import AuditRecord
from stirred.verify.evidence.verdict import Verdict

WORDS = replaced(
    SOUND,
    ("margins = [{ rows = [2, 1], columns = [1, 2] }]", 'description = "all data sets of households"'),
    ('swap_rate = "1/2"', 'swap_rate = "1/20"\nlargest_stratum = 10'),
    ("gamma = 4", 'epsilon = "9"'),
)

LISTED = """\
id = "listed"
statement = "A listed premetric."
[domain]
data_sets = [[0], [1]]
[multiverse]
universes = [[[0], [1]]]
[input_premetric]
name = "explicit"
resolution = "person"
distances = [[[0], [1], 1], [[1], [0], 1]]
[output_premetric]
name = "multiplicative"
[budget]
gamma = 3
[mechanism]
name = "randomized-response"
flip_probability = "1/4"
"""

RENYI = replaced(
    SCHEMA,
    ('["no", "yes"]', "[0, 1]"),
    ('name = "multiplicative"', 'name = "normalized_renyi"'),
    ("gamma = 2", 'rho_squared = "3.016"'),
    ('name = "identity"', 'name = "constant"'),
)

ACCOUNT = """\
id = "account"
statement = "The two together."
[account]
domain = "all files"
invariants = []
neighbors = "bounded"
unit = "person"
total = "1"
[[account.releases]]
name = "a"
rho_squared = "2.56"
[[account.releases]]
name = "b"
rho_squared = "0.456"
"""


def record_of(text: str) -> AuditRecord:
    with tempfile.TemporaryDirectory() as folder:
        return audited(Path(folder), text)


def answers(record: AuditRecord, question: str) -> list[Verdict]:
    return [one.evidence.verdict for one in record.answers if one.question == question]


def as_decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def at_least_ln(number: Fraction, gamma: Fraction, distance: int = 1) -> bool:
    """Whether number ≥ ln(gamma)/distance, by Python's decimals to 90 digits; ln 1 = 0 is the only rational value."""
    if gamma == 1 or number == 0:
        return number > 0 or gamma == 1
    with localcontext() as context:
        context.prec = 90
        difference = as_decimal(number) * distance - as_decimal(gamma).ln()
        assert abs(difference) > Decimal("1e-80")
        return difference > 0
