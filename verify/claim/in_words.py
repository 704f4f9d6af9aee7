"""A claim as its five blocks in words, each with the form in which its file states it."""

from __future__ import annotations

from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.claim.five_blocks import FiveBlocks, Stated, StatedBlock, not_stated, universes_text

__all__ = ["five_blocks"]


def five_blocks(built: PrivacyClaim) -> FiveBlocks:
    """The five blocks; one that the file leaves out is "not stated", and a description is words only."""
    measure = built.output_premetric
    return FiveBlocks(
        domain=_stated(built, "domain", _domain(built)),
        multiverse=_stated(built, "multiverse", _multiverse(built), is_exact=built.gives_universes),
        input_premetric=_with_resolution(built, _stated(built, "input_premetric", built.input_premetric[0])),
        output_premetric=_stated(built, "output_premetric", None if measure is None else measure.described()),
        budget=_stated(built, "budget", _budgets(built) if built.states_budget else None),
    )


def _stated(built: PrivacyClaim, block: str, text: str | None, *, is_exact: bool = False) -> StatedBlock:
    """A block under a text of its own, which says it exactly, or under the description in the file."""
    if block not in built.words:
        return not_stated()
    described = built.words[block]
    stated = Stated.EXACTLY if is_exact or text is not None else Stated.IN_WORDS
    if text is not None and described:
        text = f"{text}; in the claim's words, which are not checked: {described}"
    return StatedBlock(text or described or "stated in part", stated)


def _with_resolution(built: PrivacyClaim, block: StatedBlock) -> StatedBlock:
    resolution = built.input_premetric[1]
    return block if resolution is None else StatedBlock(f"{block.text}, resolution: {resolution}", block.stated)


def _domain(built: PrivacyClaim) -> str | None:
    if built.data is not None:
        return f"{len(built.data.domain)} {built.data.domain.name}"
    if built.swapping_margins is not None:
        return f"all data sets with the margins (rows, columns) {'; '.join(map(str, built.swapping_margins))}"
    return None if built.kind is None else f"{built.kind.size_text} data sets"


def _multiverse(built: PrivacyClaim) -> str | None:
    names = f"invariant: {', '.join(map(str, built.invariants))}" if built.invariants else ""
    if built.data is not None:
        return f"{universes_text(built.data.multiverse)}{names and '; '}{names}"
    return names or None


def _budgets(built: PrivacyClaim) -> str:
    """The budget; where there are several settings, that of each."""
    texts = []
    for case in built.cases:
        at = "".join(f" at {name} = {value}" for name, value in case.setting.items()) if len(built.cases) > 1 else ""
        texts.append(("" if case.budget is None else _budget(case.budget)) + at)
    return "; ".join(texts)


def _budget(budget: ClaimedBudget) -> str:
    if budget.loss is not None and not budget.is_formula:
        return "epsilon = infinity" if budget.loss.is_infinite else f"epsilon = ln({budget.loss.gamma})"
    printed = budget.printed if budget.epsilon is None else None
    return f"{budget.text}{'' if printed is None else f', printed {printed.text}'}"
