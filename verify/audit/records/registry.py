"""Records of the OpenDP Deployments Registry (YAML): validated, with each of the five blocks and every number found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from stirred.spec.arguments import InputError
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.laws.claim.five_blocks import FiveBlocks, Stated, StatedBlock, not_stated
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.statement_text import StatedNumber, read_number, stated_numbers

NAME, FORM, KEYS = "registry record", "yaml", "url_slug and deployment"

EXPECTED: Mapping[str, Sequence[str]] = {
    "Pure DP": ("epsilon",),
    "Approximate DP": ("epsilon", "delta"),
    "Zero-concentrated DP": ("rho",),
}
"""The parameters of a variant."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "basic": (
        "name",
        "data_curators",
        "intended_use",
        "data_product_type",
        "data_product_region",
        "description",
        "publication_date",
        "data_product_sector",
    ),
    "dp_variant": ("variant_name", "data_domain", "unprotected_quantities"),
    "privacy_loss": ("privacy_unit", "privacy_unit_details", "privacy_parameters", "privacy_parameters_details"),
    "deployment_model": (
        "model_name",
        "model_name_details",
        "actors",
        "release_type",
        "release_type_details",
        "data_source_type",
        "data_source_type_details",
        "access_type",
        "access_type_details",
    ),
    "accounting": ("post_processing", "composition"),
    "implementation": ("preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"),
    "administrative": ("sources", "notes", "registry_authors"),
}
"""The sections of a deployment and their keys, as the registry's schema has them."""

DETAILS = "privacy_loss.privacy_parameters_details"
"""The key of the text that explains the privacy parameters."""

PUBLISHED = "basic.publication_date"
"""The key of the date."""

LETTERS: Mapping[str, str] = {"rho": "ρ", "epsilon": "ε", "delta": "δ"}
"""The letter of every privacy parameter."""

LONGEST = 100_000
"""Characters of a text in which numbers are looked for."""

_WIDTH = 160
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_UNAVAILABLE = re.compile(
    r"(?i)\b(?:no|not|none|unspecified|unknown)\b.{0,40}\b(?:available|mentioned|described|provided|disclosed|specified)\b"
    r"|\b(?:unspecified|unknown)\b|^[\s-]*(?:n/?a|none)[\s.]*$"
)


@dataclass(frozen=True)
class RegistryRecord:
    """A record as its file states it.

    Attributes:
        texts: every text of the deployment's sections by its dotted key, in order.
        parameters: epsilon, delta and rho as printed, those that are numbers.
        formulas: the parameters that are texts but no numbers.
        unknown: dotted keys that the schema does not have.
    """

    path: Path
    slug: str
    title: str
    texts: Mapping[str, str]
    parameters: Mapping[str, Printed]
    formulas: Mapping[str, str]
    unknown: tuple[str, ...]

    @property
    def id(self) -> str:
        """The name that the record is reported under."""
        return self.slug

    def text(self, key: str) -> str | None:
        """The text at a dotted key, None where there is none."""
        return self.texts.get(key)

    @property
    def main(self) -> tuple[str, Printed] | None:
        """The letter and the number of the stated budget; None where none is stated as a number."""
        names = [name for name in ("rho", "epsilon") if name in self.parameters]
        return (LETTERS[names[0]], self.parameters[names[0]]) if names else None

    @cached_property
    def numbers(self) -> tuple[tuple[str, StatedNumber], ...]:
        """The numbers in digits that the texts give ε, δ or ρ, each with its key; sources aside."""
        texts = ((key, text[:LONGEST]) for key, text in self.texts.items() if key != "administrative.sources")
        return tuple((key, one) for key, text in texts for one in stated_numbers(text))

    def says_something(self, key: str) -> bool:
        """Whether a short text at this key says more than that nothing is known."""
        text = self.texts.get(key)
        return text is not None and not (len(text) < 120 and _UNAVAILABLE.search(text))

    @property
    def statement(self) -> str:
        """The product with its stated parameters."""
        return f"{self.title}: {self._numbers() or 'no number stated'}"

    @property
    def blocks(self) -> FiveBlocks:
        """The five blocks; nothing is checked."""
        return FiveBlocks(
            domain=self._prose("dp_variant.data_domain"),
            multiverse=self._prose("dp_variant.unprotected_quantities"),
            input_premetric=self._prose("privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"),
            output_premetric=self._variant(),
            budget=self._budget(),
        )

    def beside(self, _: Sequence[RegistryRecord], /) -> RegistryRecord:
        """The record itself: no other record says anything of it."""
        return self

    def _prose(self, *keys: str) -> StatedBlock:
        """What the texts at some keys say, cut short."""
        said = [key for key in keys if self.says_something(key)]
        if not said:
            return not_stated(_one_line(self.text(keys[0]) or ""))
        absent = [key.rsplit(".", 1)[-1] for key in keys if key not in said]
        text = " / ".join(_one_line(self.texts[key]) for key in said)
        return StatedBlock(f"in prose: {shortened(text, _WIDTH)}", Stated.IN_WORDS, f"no {absent[0]}" if absent else "")

    def _variant(self) -> StatedBlock:
        """The name of the variant, exact where the record has all that it needs."""
        variant = self.text("dp_variant.variant_name")
        if variant is None:
            return not_stated()
        is_exact = variant in EXPECTED and ("delta" not in EXPECTED[variant] or "delta" in self.parameters)
        return StatedBlock(variant, Stated.EXACTLY if is_exact else Stated.IN_WORDS, variant)

    def _budget(self) -> StatedBlock:
        formulas = ", ".join(f"{name} = {text!r}" for name, text in self.formulas.items())
        parts = [self._numbers(), f"not read as a number: {formulas}" if formulas else ""]
        text = "; ".join(part for part in parts if part)
        if losses := self._numbers(without="delta"):
            return StatedBlock(text, Stated.EXACTLY, losses)
        if formulas:
            return StatedBlock(text, Stated.IN_WORDS)
        return StatedBlock(text or Stated.NOT.value, Stated.NOT)

    def _numbers(self, without: str = "") -> str:
        return ", ".join(f"{name} = {number.text}" for name, number in self.parameters.items() if name != without)


class TextNumber(NamedTuple):
    """A number that the text at a key of the record gives a letter."""

    key: str
    number: Printed


def numbers_in_text(record: RegistryRecord, letter: str) -> list[TextNumber]:
    """The numbers in digits that the text gives a letter; one without a letter may be the budget's."""
    is_budget = record.main is not None and record.main[0] == letter
    return [
        TextNumber(key, one.printed)
        for key, one in record.numbers
        if (one.name == letter or (is_budget and one.name == "budget")) and one.printed is not None
    ]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def recognizes(content: Any) -> bool:
    """Whether it is a mapping with the keys of a deployment record."""
    return isinstance(content, dict) and {"url_slug", "deployment"} <= set(content)


def read(path: Path, content: Any) -> RegistryRecord:
    """The record of a YAML file."""
    place = str(path)
    if not isinstance(content, dict):
        raise InputError(
            f"{place}: must be a deployment record, a mapping with url_slug and deployment; got a list or text"
        )
    root = Block(f"{place}:", content)
    for key in ("url_slug", "deployment"):
        if key not in root:
            has = ", ".join(list(content)[:6])
            raise InputError(f"{root.where(key)}: missing key; a deployment record must have it; the file has {has}")
    slug = root.text("url_slug")
    if not _SLUG.fullmatch(slug):
        raise InputError(
            f"{root.where('url_slug')} must be letters, digits, '.', '-' and '_', at most 200; got {slug!r}"
        )
    deployment = root.table("deployment")
    title = deployment.table("basic").text("name")
    unknown = [key for key in content if key not in ("url_slug", "status", "tier", "deployment")]
    texts = dict(_texts(deployment, unknown))
    parameters, formulas = _parameters(deployment, unknown)
    return RegistryRecord(path, slug, title, texts, parameters, formulas, tuple(unknown))


def _texts(deployment: Block, unknown: list[str]) -> Iterator[tuple[str, str]]:
    for section, fields in deployment.values.items():
        if section not in FIELDS:
            unknown.append(section)
            continue
        if fields is None:
            continue
        if not isinstance(fields, dict):
            raise deployment.refuse(section, f"must be a table; got {_shown(fields)}")
        for key, value in fields.items():
            name = f"{section}.{key}"
            if key not in FIELDS[section]:
                unknown.append(name)
            if isinstance(value, str) and value.strip():
                yield name, value
            elif isinstance(value, list) and all(isinstance(entry, str) for entry in value):
                yield name, "; ".join(value)
            elif value not in (None, "") and key != "privacy_parameters" and name not in unknown:
                unknown.append(name)


def _shown(value: Any) -> str:
    return "a list" if isinstance(value, list) else repr(value)


def _parameters(deployment: Block, unknown: list[str]) -> tuple[dict[str, Printed], dict[str, str]]:
    values = deployment.values.get("privacy_loss") or {}
    parameters: dict[str, Printed] = {}
    formulas: dict[str, str] = {}
    if values.get("privacy_parameters") is None:
        return parameters, formulas
    block = deployment.table("privacy_loss").table("privacy_parameters")
    for key, value in block.values.items():
        if key not in ("epsilon", "delta", "rho"):
            unknown.append(f"privacy_loss.privacy_parameters.{key}")
        elif value is None:
            continue
        elif not isinstance(value, str):
            raise block.refuse(key, f"must be a number; got {_shown(value)}")
        else:
            _parameter(block, key, " ".join(value.split()), parameters, formulas)
    return parameters, formulas


def _parameter(block: Block, key: str, value: str, parameters: dict[str, Printed], formulas: dict[str, str]) -> None:
    """One privacy parameter: a number in its range, or for δ a text."""
    number = read_number(value)
    if number is None:
        # the schema lets delta be a text; a range such as "1-8" is then a text for the others too
        if value.lower().lstrip("+-.") in ("inf", "infinity", "nan"):
            raise block.refuse(key, f"must be a finite number; got {value!r}")
        formulas[key] = value
        return
    if number.value < 0:
        raise block.refuse(key, f"must be non-negative; got {value}")
    if key == "delta" and not 0 <= number.value < 1:
        raise block.refuse(key, f"must be at least 0 and below 1; got {value}")
    parameters[key] = number
