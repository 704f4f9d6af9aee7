"""Two sets of blocks for one mechanism, compared as `stirred compare` compares two claim files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.api.build import StatedClaim, built_claim, merged_parameters
from stirred.verify.api.result import budget_row
from stirred.verify.api.specification import Blocks
from stirred.verify.audit.block_comparison import ComparedFinding
from stirred.verify.audit.block_comparison import compare as compare_claims
from stirred.verify.audit.compared_claims import ComparedClaims
from stirred.verify.engines.algebra.corners import Corner, corner_losses
from stirred.verify.evidence.pictures.rendering import GREYS, Picture, picture_of
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.lines import finding_line, witness_line
from stirred.verify.evidence.reports.report import verdict_row
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.plain import plain_text

_TITLE = "smallest budget, by blocks: H honest, C claimed"


@dataclass(frozen=True)
class ComparedBlocks(ShownTable):
    """The exact loss of one mechanism under every mixture of two sets of blocks.

    Attributes:
        corners: by four letters, H (honest) or C (claimed) for domain, multiverse, input and output premetric: the
            smallest budget there, with the pair that needs it. Blocks that do not differ are not mixed.
        differing: the blocks in which the two differ.
        findings: everything that `stirred compare` prints, in order.
    """

    corners: Mapping[str, Corner]
    differing: tuple[str, ...]
    findings: tuple[ComparedFinding, ...] = field(repr=False)

    @property
    def verdict(self) -> Verdict:
        """REFUTED if a stated budget is below the exact loss under either side's blocks, else the weakest verdict."""
        return min(one.evidence.verdict for one in self.findings if one.decides)

    def __str__(self) -> str:
        """The lines of `stirred compare`."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for one in self.findings:
            finding = one.finding
            yield finding_line(finding.name, finding.word, finding.sentence, finding.scope)
            if finding.witness is not None:
                yield witness_line(finding.witness)

    _title = _TITLE

    def _rows(self) -> list[TableRow]:
        corners = [
            budget_row(name, corner.budget) if corner.is_defined else TableRow(name, "undefined")
            for name, corner in self.corners.items()
        ]
        return [verdict_row(self.verdict, "are the stated budgets met under both sides' blocks?"), *corners]

    def plot(self) -> Picture:
        """The smallest budget at each corner, as a bar if it is finite.

        Raises:
            InputError: matplotlib is not installed, or no budget is a finite loss.
        """
        finite = {name: corner.budget for name, corner in self.corners.items() if corner.is_defined}
        heights = {name: budget for name, budget in finite.items() if isinstance(budget, Loss) and budget < INFINITE}
        if not heights:
            raise InputError("a comparison must have finite losses to be drawn; it has none")

        def draw(figure: Any) -> None:
            figure.set_size_inches(7, 4)
            axes = figure.subplots()
            axes.bar(list(heights), [float(one) for one in heights.values()], color=GREYS[2])
            axes.set(xlabel="blocks", ylabel="ε", ylim=(0, None))
            axes.set_title(_TITLE, fontsize="medium")

        return picture_of(_TITLE, draw)


def compare(
    mechanism: Callable[..., Any],
    *,
    honest: Blocks | Mapping[str, Any],
    claimed: Blocks | Mapping[str, Any],
    recording: Callable[[Any], Any] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> ComparedBlocks:
    """The exact loss under every mixture of two sets of blocks, and which block lowers the budget.

    Args:
        mechanism: a function of a data set, a source and its parameters.
        honest: a `Blocks`, or its keywords as a mapping.
        claimed: the same; its data sets are among the honest ones, unless `recording` maps those to them.
        recording: the map from the honest data sets to the claimed ones.
        limits: choices per data set, and seconds.
        parameters: the mechanism's parameters by name, needed for names that this function takes, such as limits.
        **named: its other parameters.

    Raises:
        InputError: an argument is malformed, or the two cannot be compared exactly.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> blocks = {"data_sets": (0, 1), "distance": "absolute_difference", "epsilon": "ln 3"}
    >>> twice = {**blocks, "distance": lambda x, y: 2 * abs(x - y)}
    >>> found = compare(answer, honest=blocks, claimed=twice, flip="1/4")
    >>> [(name, str(corner.budget)) for name, corner in found.corners.items()]
    [('HHHH', 'ln(3) ≈ 1.09861'), ('HHCH', 'ln(3)/2 ≈ 0.549306')]
    """
    setting = merged_parameters(parameters, named)
    with time_limit(limits.seconds, "the comparison"):
        one, other = (given if isinstance(given, Blocks) else Blocks(**given) for given in (honest, claimed))
        first, second = (built_claim(mechanism, StatedClaim(claim, setting, limits)) for claim in (one, other))

        images = None
        if recording is not None and first.kind is not None:
            images = _images(recording, first.kind.listed(), second.kind.listed() if second.kind else (), limits)
        claims = ComparedClaims.of(first, second, images)
        corners = corner_losses(claims.sides, claims.measures, claims.differing)
        return ComparedBlocks(corners, claims.differing, tuple(compare_claims(claims, corners)))


def _images(
    recording: Callable[[Any], Any], honest: Iterable[Any], claimed: Iterable[Any], limits: Limits
) -> dict[Any, Any]:
    by_text = {plain_text(point): point for point in claimed}
    texts = LocalFunction("recording", recording, limits=limits).values(
        tuple(honest), is_ordered=True, what="a recording map"
    )
    for point, text in texts.items():
        if text not in by_text:
            raise InputError(f"recording must map to the claimed data sets; it maps {point!r} to {text}")
    return {point: by_text[text] for point, text in texts.items()}
