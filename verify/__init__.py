"""How claims are checked. A room imports those below it in this list, `mechanisms` and `spec`; only `cli` lies loose.

    facade          what users import as `stirred`, and pytest's plugin
    cli, commands   what a person types, one module for each command
    records         published records and settings, read and audited
    claims          what the sources say, by concept: each claim with its property, cases, mutants and theorems;
                    beside them the items of each document and the published numbers as claim files
    studies         what mechanisms do to statistics, on data: draws that are kept, a table, pictures
    audit           claim files and mechanisms of users
    ledger          how a claim is stated and run (found by its text, in any module of claims), and the generated pages
    reports         what was found, in one form, and the formats it is shown in: lines, terminal, JSON, CI, a page
    outside         files, processes, signals, and code that is not ours
    prose           sentences as tokens, numbers and phrases, for whoever compares words with numbers
    engines         how statements are decided
    evidence        what was found: verdict, evidence, witness
    certificates    re-checking witnesses with nothing but the standard library

Names below are loaded on first use, so that replaying a witness loads nothing else.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Evidence": "verify.evidence.finding",
    "Verdict": "verify.evidence.verdict",
    "check_specification": "verify.engines.exhaustive",
    "mechanism_laws": "verify.engines.exhaustive",
    "normalized_renyi_squared": "verify.engines.zcdp.normalized_renyi",
    "power_bounds": "verify.engines.inference.power",
    "sharpest_power": "verify.engines.inference.power",
    "universe_loss": "verify.engines.swapping.loss",
    "universe_losses": "verify.engines.exhaustive",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 the names are loaded lazily


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'verify' has no attribute {name!r}")
