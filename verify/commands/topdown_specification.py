"""The specification of a TopDown release: five blocks, and the same as a claim file."""

from __future__ import annotations

import json
from fractions import Fraction

from mechanisms.topdown.design import Design
from spec.arguments import InputError
from verify.audit.five_blocks import FiveBlocks, StatedBlock
from verify.commands.topdown_schema import SchemaFile

__all__ = ["claim_text", "specification"]


def _budget(design: Design, schema: SchemaFile) -> Fraction:
    """ρ², recomputed from the noise scales that were used."""
    part = schema.schema.part
    if design.spent(part) != design.rho_squared[part]:
        raise InputError(f"the noise must spend {design.rho_squared[part]}; it spends {design.spent(part)}")
    return design.rho_squared[part]


def specification(design: Design, schema: SchemaFile) -> FiveBlocks:
    """The specification that article, Theorem 2 gives a run with this design."""
    record = schema.schema.part
    columns = ", ".join([schema.geography, *schema.schema.attributes])
    rules = [edit.name for edit in design.edits]
    kept = [one.name for one in design.invariants]
    levels = ", ".join(str(share) for share in design.level_shares)
    return FiveBlocks(
        domain=StatedBlock(
            f"all data sets of {record} records with {columns}"
            + (f", and of units by type; that obey: {', '.join(rules)}" if rules else "")
        ),
        multiverse=StatedBlock(
            "invariant, so released exactly and not protected: the tree of nodes"
            + "".join(f"; {name}" for name in kept)
        ),
        input_premetric=StatedBlock(f"d_HamS, resolution: {record} (one record replaced, its node included)"),
        output_premetric=StatedBlock("D_NoR (zero-concentrated differential privacy)"),
        budget=StatedBlock(
            f"rho^2 = {_budget(design, schema)} by noise on every query, {levels} of it by level from the top; "
            "article, Theorem 2"
        ),
    )


def claim_text(design: Design, schema: SchemaFile) -> str:
    """A claim file that says the same for `stirred audit`."""
    budget, blocks = _budget(design, schema), specification(design, schema)
    by_level = {f"level-{level}": str(budget * of_level) for level, of_level in enumerate(design.level_shares)}
    entries: list[tuple[str, list[tuple[str, object]]]] = [
        ("", [("id", "topdown.release"), ("statement", f"The release satisfies rho^2 = {budget}.")]),
        ("domain", [("description", blocks.domain.text)]),
        ("multiverse", [("invariants", [one.name for one in design.invariants])]),
        ("input_premetric", [("name", "hamming_unordered"), ("resolution", schema.schema.part)]),
        ("output_premetric", [("name", "normalized_renyi")]),
        ("budget", [("rho_squared", str(budget))]),
        ("mechanism", [("name", "composition")]),
    ]
    lines = []
    for table, pairs in entries:
        lines += ([f"\n[{table}]"] if table else []) + [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs
        ]
    parts = ", ".join(f"{name} = {json.dumps(value)}" for name, value in by_level.items())
    return "\n".join([*lines, f"parts = {{ {parts} }}"]) + "\n"
