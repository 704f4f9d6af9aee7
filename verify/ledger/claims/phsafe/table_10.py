"""PHSafe's Table 10 and the published settings as data.

The losses stand in `laws/claim/published/phsafe.toml`, the settings in the files that the Census Bureau published.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from stirred.mechanisms.das.phsafe import Settings
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.laws.claim.claim_numbers import rows

LEVELS = ("usa_*", "usa_A-G", "usa_H,I", "state_*", "state_A-G", "state_H,I")
"""The population group levels in the order of Table 10, by their names in the settings."""

THRESHOLDS: Mapping[str, int] = {"PH1_num": 10, "PH2": 10, "PH3": 6, "PH4": 10, "PH6": 6, "PH7": 10}
"""The truncation thresholds; the tables without one have "NA"."""

_TARGETS: Mapping[str, int] = {"usa": 500, "state_*": 200, "state_A-G": 68, "state_H,I": 200}
_TARGET_OF_CHILDREN = 20
"""The MOE target of PH3 in (State, A-G), the only one that is another table's other one."""

_UNATTRIBUTED = ("usa_*", "state_*")
_TWO = len(_UNATTRIBUTED)
_FOLDER = Path(__file__).resolve().parent
_MAX_BYTES = 100_000


class Table10Row(NamedTuple):
    """A row of Table 10; tau is None where it has "NA"."""

    table: str
    level: str
    tau: int | None
    target: int
    unbounded: Printed
    bounded: Printed

    @property
    def delta(self) -> int:
        """Δ: 2τ + 2 in Algorithm 1, line 17; 2 in Algorithm 2, line 12."""
        return 2 if self.tau is None else 2 * self.tau + 2

    @property
    def sigma_squared(self) -> Fraction:
        """σ² = Δ²/(2ρ) (Algorithm 5, line 5)."""
        return self.delta**2 / (2 * self.unbounded.value)


_target = lambda table, level: (
    _TARGET_OF_CHILDREN
    if (table, level) == ("PH3", "state_A-G")
    else _TARGETS["usa" if level.startswith("usa") else level]
)


def _listed() -> tuple[Table10Row, ...]:
    by_table: dict[str, list[tuple[Printed, Printed]]] = {}
    for row in rows("phsafe.table-10"):
        by_table.setdefault(row.what.split(" ")[0], []).append((row.inputs["unbounded"], row.printed))
    return tuple(
        Table10Row(table, level, THRESHOLDS.get(table), _target(table, level), *loss)
        for table, losses in by_table.items()
        for level, loss in zip(LEVELS if len(losses) > _TWO else _UNATTRIBUTED, losses, strict=True)
    )


TABLE_10 = _listed()
"""The 46 rows in printed order."""


def published_setting(name: str) -> Mapping[str, Any]:
    """A published setting, its numbers exact: "phsafe_us" or "phsafe_pr"."""
    path = _FOLDER / f"{name}.json"
    found: Mapping[str, Any] = json.loads(read_text(path, _MAX_BYTES), parse_float=Fraction)
    return found


UNITED_STATES, PUERTO_RICO = published_setting("phsafe_us"), published_setting("phsafe_pr")
RELEASE = Settings(UNITED_STATES["privacy_budget"], UNITED_STATES["tau"], tuple(UNITED_STATES["state_filter"]))
"""The release for the United States."""
