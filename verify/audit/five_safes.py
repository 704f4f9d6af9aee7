"""The Five Safes as the context of a specification: which of them its blocks speak about, and what no block says."""

from __future__ import annotations

from dataclasses import dataclass

from stirred.verify.audit.five_blocks import FiveBlocks, Stated, StatedBlock
from stirred.verify.reports.lines import shortened
from stirred.verify.reports.report import Safe

__all__ = ["five_safes"]

_LONGEST = 160


@dataclass(frozen=True)
class _Dimension:
    name: str
    question: str
    blocks: tuple[str, ...]
    silent: str


_DIMENSIONS = (
    _Dimension(
        "people",
        "who gets the data or the outputs, and how were they vetted?",
        (),
        "who they are; limits on outputs may guide how much they are vetted, and measure nothing of it",
    ),
    _Dimension(
        "projects",
        "is the use appropriate, ethical and lawful?",
        (),
        "what the use is; a budget may be divided among projects, whatever each of them is for",
    ),
    _Dimension(
        "settings",
        "how secure is the place, physical or virtual, where data are accessed and shared?",
        (),
        "where data are kept and shared; it is the same in any place, and with the mechanism public",
    ),
    _Dimension(
        "data",
        "what is in the data that could be disclosed, and of whom?",
        ("domain", "multiverse", "input_premetric"),
        "what the data are about: those of patients and of shoppers are treated alike where they have the same form",
    ),
    _Dimension(
        "outputs",
        "what may the outputs disclose?",
        ("output_premetric", "budget"),
        "how sensitive it is what an output may disclose",
    ),
)
"""Section 8.4: the blocks say what and who are protected, which is of the data; how and how much, of the outputs."""


def five_safes(blocks: FiveBlocks) -> tuple[Safe, ...]:
    """Each of the Five Safes with what the blocks of a specification say of it, and what no block does; never a score.

    Source: dissertation, section 8.4 (Claim 2, Remarks 8.4.2 and 8.4.3); the dimensions, section 8.2.
    """
    return tuple(
        Safe(one.name, one.question, _said(blocks, one), tuple(_words(blocks, name) for name in one.blocks), one.silent)
        for one in _DIMENSIONS
    )


def _said(blocks: FiveBlocks, dimension: _Dimension) -> bool:
    return any(blocks.by_name[name].stated is not Stated.NOT for name in dimension.blocks)


def _words(blocks: FiveBlocks, name: str) -> str:
    block: StatedBlock = blocks.by_name[name]
    how = f" ({block.stated.value})" if block.stated is Stated.IN_WORDS else ""
    return f"{name.replace('_', ' ')}: {shortened(block.text, _LONGEST)}{how}"
