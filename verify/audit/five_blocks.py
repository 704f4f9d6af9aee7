"""A specification as a person reads it: its five blocks, each under the question that it answers."""

from __future__ import annotations

from dataclasses import dataclass

from spec.multiverse import Multiverse
from verify.certificates.printable import one_line
from verify.reports.lines import counted
from verify.reports.report import Question

__all__ = ["NOT_STATED", "FiveBlocks", "universes_text"]

NOT_STATED = "not stated"
"""What a block says that its source leaves out."""

_QUESTIONS = (
    ("domain", "who is eligible for protection?"),
    ("multiverse", "where does the protection extend to?"),
    ("input premetric", "what is the granularity?"),
    ("output premetric", "how is change of output measured?"),
    ("budget", "how much?"),
)


@dataclass(frozen=True)
class FiveBlocks:
    """The five blocks in words.

    Source: article, section 2.2; dissertation, Definitions 2.4.1 and 2.4.2.
    """

    domain: str
    multiverse: str
    input_premetric: str
    output_premetric: str
    budget: str

    def text(self) -> str:
        """One line for each block.

        >>> print(FiveBlocks("a", "b", "c", "d", "e").text().splitlines()[0])
        domain            (who is eligible for protection?)       a
        """
        return "\n".join(
            f"{one.block:<17} {'(' + one.question + ')':<39} {one_line(one.answer)}" for one in self.questions()
        )

    def questions(self) -> tuple[Question, ...]:
        """Each block with its question and its answer."""
        parts = (self.domain, self.multiverse, self.input_premetric, self.output_premetric, self.budget)
        return tuple(Question(name, question, part) for (name, question), part in zip(_QUESTIONS, parts, strict=True))


def universes_text(multiverse: Multiverse) -> str:
    """How many universes there are, of how many data sets.

    >>> universes_text(Multiverse(({1, 2}, {3})))
    '2 universes of 1 to 2 data sets, 1 singleton'
    """
    sizes = [len(universe) for universe in multiverse]
    if not sizes:
        return "no universe"
    span = counted(max(sizes), "data set")
    if min(sizes) < max(sizes):
        span = f"{min(sizes)} to {span}"
    return f"{counted(len(sizes), 'universe')} of {span}, {counted(multiverse.singletons(), 'singleton')}"
