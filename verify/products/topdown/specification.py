"""The specification of a TopDown release: five blocks, and the same as a claim file."""

from fractions import Fraction

from stirred.mechanisms.das.topdown.design import Design
from stirred.spec.arguments import InputError
from stirred.verify.products.release_checks.stated import domain_of, statement_of
from stirred.verify.products.specification import BlocksClaim, Distance, ReleaseSpecification, StatedMeasure
from stirred.verify.products.topdown.earlier import EarlierRelease
from stirred.verify.products.topdown.files import SchemaFile


def _budget(design: Design, schema: SchemaFile) -> Fraction:
    """ρ², recomputed from the noise scales that were used."""
    part = schema.schema.part
    if design.spent(part) != design.rho_squared[part]:
        raise InputError(f"the noise must spend {design.rho_squared[part]}; it spends {design.spent(part)}")
    return design.rho_squared[part]


def _kept(design: Design, earlier: EarlierRelease | None) -> list[str]:
    """The invariants of the run, and those of what it depends on."""
    return list(dict.fromkeys([*(one.name for one in design.invariants), *(earlier.invariants if earlier else ())]))


def _whole(design: Design, schema: SchemaFile, earlier: EarlierRelease | None) -> Fraction:
    """ρ² of the run together with what it depends on."""
    return _budget(design, schema) + (earlier.rho_squared if earlier else 0)


def specification(design: Design, schema: SchemaFile, earlier: EarlierRelease | None = None) -> ReleaseSpecification:
    """The specification that article, Theorem 2 gives a run with this design, and the release that it reproduces."""
    own, whole = _budget(design, schema), _whole(design, schema, earlier)
    levels = ", ".join(str(share) for share in design.level_shares)
    split = f"by noise on every query, {levels} of it by level from the top"
    budget = f"rho^2 = {own} {split}; article, Theorem 2"
    spent = {f"level-{level}": str(own * of_level) for level, of_level in enumerate(design.level_shares)}
    if earlier is not None:
        budget = (
            f"rho^2 = {whole}: {own} {split}, and {earlier.rho_squared} of the earlier release "
            "whose totals are reproduced; article, Theorem 2 and Appendix H"
        )
        spent["earlier-release"] = str(earlier.rho_squared)
    kept = _kept(design, earlier)
    return ReleaseSpecification(
        id="topdown.release",
        statement=statement_of(whole),
        domain=domain_of(
            schema.schema.part,
            [schema.geography, *schema.schema.attributes],
            [edit.name for edit in design.edits],
            earlier.domain if earlier else None,
        ),
        multiverse="invariant, so released exactly and not protected: the tree of nodes"
        + "".join(f"; {name}" for name in kept),
        distance=Distance.REPLACED,
        resolution=schema.schema.part,
        measure=StatedMeasure.CONCENTRATED,
        budget=budget,
        claim=BlocksClaim({"invariants": kept}, {"rho_squared": str(whole)}, {"name": "composition", "parts": spent}),
        note="one record replaced, its node included",
    )
