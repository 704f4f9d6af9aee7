"""Published totals: what the sources print as the zCDP budget ρ² of the 2020 Census products, and of their parts."""

from dataclasses import dataclass

from stirred.verify.engines.printed_number import Printed, parse_printed
from stirred.verify.laws.claim.claim_numbers import parts, rows


@dataclass(frozen=True)
class PublishedTotal:
    """A printed ρ² of a product.

    Attributes:
        titles: what deployment records call the product; matched as whole phrases.
        rho_squared: ρ² as printed.
        epsilon: ε as printed beside it at δ = 10^-10, if any.
    """

    product: str
    titles: tuple[str, ...]
    rho_squared: Printed
    source: str
    epsilon: Printed | None = None


def _converted(product: str, claim_id: str, source: str, *titles: str) -> PublishedTotal:
    """A ρ² that is printed beside the ε that it converts to."""
    row = next(one for one in rows(claim_id) if "rho2" in one.inputs)
    return PublishedTotal(product, titles, row.inputs["rho2"], source, row.printed)


def _part(product: str, name: str, *titles: str) -> PublishedTotal:
    """A ρ² that is printed as a part of the whole system's."""
    rho = parse_printed("rho_squared", parts("das-2020.total")[name])
    return PublishedTotal(product, titles, rho, "article, Table 4")


TOTALS: tuple[PublishedTotal, ...] = (
    _converted("PL person", "topdown.pl-person", "article, Table 3"),
    _converted("PL household", "topdown.pl-household", "article, Table 3"),
    PublishedTotal(
        "PL",
        ("Disclosure Avoidance System for Redistricting Data",),
        rows("topdown.pl")[0].printed,
        "article, Theorem 2",
    ),
    _converted("DHC person", "topdown.dhc-person", "article, Table 3"),
    _converted("DHC household", "topdown.dhc-household", "article, Table 3"),
    _converted(
        "PL and DHC",
        "topdown.total",
        "article, Theorem 2 and Table 3",
        "Disclosure Avoidance System for Demographic and Housing Data",
    ),
    _part(
        "DDHC-A",
        "SafeTab-P",
        "Disclosure Avoidance System for Detailed Demographic and Housing Characteristics File A",
    ),
    _part(
        "DDHC-B",
        "SafeTab-H",
        "Disclosure Avoidance System for Detailed Demographic and Housing Characteristics File B",
    ),
    _part(
        "S-DHC",
        "PHSafe",
        "Disclosure Avoidance System for Supplemental Demographic and Housing Characteristics File",
    ),
)
"""In the order in which the article prints them."""


def total_for_title(title: str) -> PublishedTotal | None:
    """The published total of the product with exactly this title, or None."""
    return next((total for total in TOTALS if title in total.titles), None)
