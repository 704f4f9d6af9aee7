"""How claims are checked: engines, evidence, the ledger, the auditor, and the command line.

Here stand the verdicts and what every engine shares; beside them `swapping`, `zcdp` and `algebra` (engines),
`checks` (the ledger's evidence, in the order of the sources), `auditing` and `records` (claim files and published
records), `commands`. Reading order: `verdict`, `evidence`, `exhaustive`, `swapping.loss`, `ledger`, `auditing.audit`,
`cli`. Names below are loaded on first use, so that replaying a witness needs nothing but the standard library.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Evidence": "verify.evidence",
    "Verdict": "verify.verdict",
    "check_specification": "verify.exhaustive",
    "mechanism_laws": "verify.exhaustive",
    "normalized_renyi_squared": "verify.zcdp.normalized_renyi",
    "universe_loss": "verify.swapping.loss",
    "universe_losses": "verify.exhaustive",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 the names are loaded lazily


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'verify' has no attribute {name!r}")
