"""Lists of checks of the ledger, each with its reason: the reason, indented, and under it a claim's id and which of its
checks, from 0.
"""

from functools import cache
from pathlib import Path


@cache
def listed_checks(name: str) -> dict[tuple[str, int], str]:
    """The reason of every check that a file of this folder lists."""
    found, reason = {}, ""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            reason = line.strip()
        elif line and not line.startswith("#"):
            claim_id, numbers = line.split(": ")
            found |= {(claim_id, int(number)): reason for number in numbers.split()}
    return found
