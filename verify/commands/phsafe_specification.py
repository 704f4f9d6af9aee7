"""The specification of a PHSafe release from published files: five blocks, and the same as an account for an audit."""

from __future__ import annotations

import json
from fractions import Fraction

from stirred.mechanisms.phsafe.run_settings import NoiseLaw, RunSettings
from stirred.verify.audit.five_blocks import FiveBlocks, StatedBlock
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
    lines = [
        'id = "run.phsafe"',
        f'statement = "The tables together satisfy {key} = {total} for one {_UNIT}: {_ROWS}."',
        "",
        "[account]",
        f"domain = {json.dumps(_DOMAIN)}",
        f"invariants = [{json.dumps(_INVARIANT)}]",
        'neighbors = "unbounded"',
        f'unit = "{_UNIT}"',
        *([f"post_processed = {json.dumps(derived)}"] if derived else []),
        f'total = "{total}"',
    ]
    for table in settings.tables:
        spent = sum((budget or Fraction(0) for budget in settings.budgets[table].values()), Fraction(0))
        lines += ["", "[[account.releases]]", f'name = "{table}"', f'{key} = "{decimal(spent)}"']
    return "\n".join(lines) + "\n"
