"""Zero-concentrated differential privacy: the normalized Rényi distance."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.base import Composition, RationalValued


@dataclass(frozen=True)
class NormalizedRenyi(RationalValued):
    """D_NoR(P, Q) = sup_{α>1} max{√D_α(P‖Q), √D_α(Q‖P)}/√α: zero-concentrated privacy; budgets are ρ² (rational).

    Its square has no closed form in general: it is enclosed, so that `distance` refuses laws that differ.

    Source: article, Appendix G.
    """

    name = "normalized_renyi"
    aliases = ("zcdp",)
    symbol = "D_NoR"
    caveat = "the bound is on Renyi divergences, which may be small where single outcomes reveal much"
    is_symmetric = True
    has_triangle_inequality = True
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = True
    is_exact = False
    budgets = ("rho_squared",)
    composition = Composition.ROOT_SUM_OF_SQUARES
    power = 2  # D_NoR ≤ ρ·d reads D_NoR² ≤ ρ²·d²

    def distance(self, p: Law[Any], q: Law[Any]) -> Fraction:
        """0 for equal laws; anything else needs a certified enclosure.

        Raises:
            InputError: the laws differ.
        """
        if p == q:
            return Fraction(0)
        raise InputError("D_NoR of different laws is not a closed form; ask for an enclosure instead")

    def add(self, *_: Any) -> NoReturn:
        """ρ adds along a path; its square, which is the budget here, is then no exact number.

        Raises:
            InputError: always.
        """
        raise InputError(f"output_premetric must have bounds that add as exact numbers; got {self.name!r}")

    def attaining_event(self, *_: Law[Any]) -> tuple[()]:
        """None: a divergence of some order shows D_NoR, not an event."""
        return ()

    def exceeding_event(self, *_: Any) -> None:
        """None: a divergence of some order exceeds the bound, not an event."""

    def event_form(self, *_: Any) -> None:
        """None: no one γ decides."""
