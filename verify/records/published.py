"""Published totals: what the sources print as the zCDP budget ρ² of the 2020 Census products, and of their parts."""

from __future__ import annotations

from dataclasses import dataclass

from verify.engines.printed_number import Printed, parse_printed

__all__ = ["TOTALS", "PublishedTotal", "total_for_title"]


@dataclass(frozen=True)
class PublishedTotal:
    """A printed ρ² of a product.

    Attributes:
        product: a short name, unique.
        titles: what deployment records call the product; matched as whole phrases.
        rho_squared: ρ² as printed.
        source: document and number.
        epsilon: ε as printed beside it at δ = 10^-10, if any.
    """

    product: str
    titles: tuple[str, ...]
    rho_squared: Printed
    source: str
    epsilon: Printed | None = None


def _total(product: str, rho: str, source: str, *titles: str, epsilon: str | None = None) -> PublishedTotal:
    converted = None if epsilon is None else parse_printed("epsilon", epsilon)
    return PublishedTotal(product, titles, parse_printed("rho_squared", rho), source, converted)


TOTALS: tuple[PublishedTotal, ...] = (
    _total("PL person", "2.56", "article, Table 3", epsilon="17.90"),
    _total("PL household", "0.07", "article, Table 3", epsilon="2.70"),
    _total("PL", "2.63", "article, Theorem 2", "Disclosure Avoidance System for Redistricting Data"),
    _total("DHC person", "4.96", "article, Table 3", epsilon="26.34"),
    _total("DHC household", "7.70", "article, Table 3", epsilon="34.33"),
    _total(
        "PL and DHC",
        "15.29",
        "article, Theorem 2 and Table 3",
        "Disclosure Avoidance System for Demographic and Housing Data",
        epsilon="52.83",
    ),
    _total(
        "DDHC-A",
        "19.776",
        "article, Table 4",
        "Disclosure Avoidance System for Detailed Demographic and Housing Characteristics File A",
    ),
    _total(
        "DDHC-B",
        "17.79",
        "article, Table 4",
        "Disclosure Avoidance System for Detailed Demographic and Housing Characteristics File B",
    ),
    _total(
        "S-DHC",
        "2.515",
        "article, Table 4",
        "Disclosure Avoidance System for Supplemental Demographic and Housing Characteristics File",
    ),
)
"""In the order in which the article prints them."""


def total_for_title(title: str) -> PublishedTotal | None:
    """The published total of the product with exactly this title, or None."""
    return next((total for total in TOTALS if title in total.titles), None)
