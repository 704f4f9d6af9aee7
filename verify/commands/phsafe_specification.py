"""The specification of a PHSafe release from published files: five blocks, and the same as an account for an audit."""

from __future__ import annotations

from fractions import Fraction

import tomli_w

from stirred.mechanisms.phsafe.run_settings import NoiseLaw, RunSettings
from stirred.verify.claim.five_blocks import FiveBlocks, StatedBlock
from stirred.verify.commands.phsafe_settings import decimal
from stirred.verify.reports.lines import counted

__all__ = ["DERIVED", "claim_text", "specification"]

DERIVED = {"PH4": "PH5_num", "PH7": "PH8_num"}
"""What comes of a run's released counts, at no cost (PHSafe, section 3.2)."""

_DOMAIN = (
    "all units and persons in the published schema, whatever their combinations: one without a cell is counted "
    "nowhere, and a MAFID with no unit, no place or several of either is dropped"
)
_INVARIANT = "where each MAFID lies (geo)"
_UNIT = "person record"
_ROWS = "one row of persons and up to two rows of units added or removed"


def specification(settings: RunSettings) -> FiveBlocks:
    """The specification that PHSafe, Theorems 1 and 2 give a release with these settings."""
    pure = settings.noise is NoiseLaw.PURE
    return FiveBlocks(
        domain=StatedBlock(_DOMAIN),
        multiverse=StatedBlock(f"invariant, so not protected: {_INVARIANT}; nothing else is"),
        input_premetric=StatedBlock(f"d_SymDiff, resolution: {_UNIT} ({_ROWS})"),
        output_premetric=StatedBlock(
            "D_Mult (pure differential privacy)" if pure else "D_NoR (zero-concentrated differential privacy)"
        ),
        budget=StatedBlock(_budget(settings)),
    )


def _budget(settings: RunSettings) -> str:
    symbol = "epsilon" if settings.noise is NoiseLaw.PURE else "rho^2"
    if settings.total is None:
        return f"{symbol} = infinite: a level without noise releases exact counts"
    levels = sum(budget != 0 for table in settings.budgets.values() for budget in table.values())
    source = "PHSafe, Lemma 6" if settings.noise is NoiseLaw.PURE else "PHSafe, Theorems 1 and 2"
    bounded = "" if settings.noise is NoiseLaw.PURE else "; twice that for replaced records, Theorems 3 and 4"
    return f"{symbol} = {decimal(settings.total)} (the sum over {counted(levels, 'level')}; {source}{bounded})"


def claim_text(settings: RunSettings) -> str:
    """An account of the runs' budgets and their total, for `stirred audit`; the settings must have a finite total."""
    key = "epsilon" if settings.noise is NoiseLaw.PURE else "rho_squared"
    total = decimal(settings.total or Fraction(0))
    derived = [name for table, name in DERIVED.items() if table in settings.tables]
    account = {
        "domain": _DOMAIN,
        "invariants": [_INVARIANT],
        "neighbors": "unbounded",
        "unit": _UNIT,
        **({"post_processed": derived} if derived else {}),
        "total": total,
        "releases": [{"name": table, key: decimal(_spent(settings, table))} for table in settings.tables],
    }
    stated = f"The tables together satisfy {key} = {total} for one {_UNIT}: {_ROWS}."
    return tomli_w.dumps({"id": "run.phsafe", "statement": stated, "account": account})


def _spent(settings: RunSettings, table: str) -> Fraction:
    """The budget of all levels of a table."""
    return sum((budget or Fraction(0) for budget in settings.budgets[table].values()), Fraction(0))
