"""Claim files for tests: a sound one, and the same with parts replaced."""

from __future__ import annotations

from pathlib import Path

CLAIMS = Path(__file__).parent / "claims"

SOUND = """\
id = "swap.small"
statement = "Swapping three households with p = 1/2 satisfies epsilon = ln 4."
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
statement = "A mechanism of my own satisfies epsilon = ln 2."
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
