"""How a budget gets smaller without more noise: all detectors, in the order of the blocks.

Source: dissertation, section 4.3; article, sections 5.4 and 6.
"""

from collections.abc import Iterator

from stirred.verify.audit.weakening.detector import MAX_EXAMINED, Detection, Detector, ExaminedClaim, ExaminedPair
from stirred.verify.audit.weakening.inputs import COVERAGE, DOMAIN, DONORS, HIDDEN, RESCALED, SHATTERED, UNITS
from stirred.verify.audit.weakening.outputs import CONSTANT, DETERMINED, EVENTS, ONE_UNIVERSE, PREMETRIC
from stirred.verify.audit.weakening.samples import SAMPLING, SHARED
from stirred.verify.laws.claim.account import Account

DETECTORS: tuple[Detector, ...] = (
    DOMAIN,
    DONORS,
    SHATTERED,
    COVERAGE,
    ONE_UNIVERSE,
    DETERMINED,
    UNITS,
    HIDDEN,
    RESCALED,
    PREMETRIC,
    EVENTS,
    CONSTANT,
    SAMPLING,
    SHARED,
)
"""Each looks for one way in which a budget gets smaller without more noise."""


def in_claim(claim: ExaminedClaim) -> Iterator[tuple[Detector, Detection]]:
    """What one claim shows; nothing is looked for on more than `MAX_EXAMINED` data sets."""
    if len(claim.flavor.domain) <= MAX_EXAMINED:
        yield from ((detector, found) for detector in DETECTORS for found in detector.in_claim(claim))


def in_account(account: Account) -> Iterator[tuple[Detector, Detection]]:
    """What an account of releases shows."""
    yield from ((detector, found) for detector in DETECTORS for found in detector.in_account(account))


def in_pair(pair: ExaminedPair) -> Iterator[tuple[Detector, Detection]]:
    """What two claims show beside each other; likewise."""
    if max(len(side.domain) for side in pair.claims.sides.values()) <= MAX_EXAMINED:
        yield from ((detector, found) for detector in DETECTORS for found in detector.in_pair(pair))
