"""What settings may say of that which `stirred run topdown` does in one way only; another value is refused.

The settings also describe the records: the published schema by name, and the variables of the histogram with their
codes. The schema file says the same of the records that are read, so both must agree.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stirred.mechanisms.das.topdown.schema import RecordSchema
from stirred.spec.arguments import InputError, suggestion
from stirred.verify.evidence.files.ini_keys import IniFiles
from stirred.verify.laws.published_settings import variables

_NO = ("False", "false", "FALSE", "off", "Off", "no", "No", "0")
_ENGINE = "programs.engine.topdown_engine.TopdownEngine"
_ONE_WAY: Mapping[tuple[str, str], tuple[Sequence[str], str]] = {
    ("budget", "privacy_framework"): (("zcdp",), "zcdp: budgets are rho^2 of zCDP"),
    ("budget", "dp_mechanism"): (("discrete_gaussian_mechanism",), "discrete_gaussian_mechanism"),
    ("budget", "epsilon_budget_total"): (("",), "empty: the total is rho^2 = 1/global_scale^2"),
    ("budget", "zero_error_geolevels"): (("",), "empty: every level is measured with noise"),
    ("budget", "only_dyadic_rationals"): (_NO, "False: shares are exact fractions"),
    ("engine", "engine"): ((_ENGINE,), _ENGINE),
    ("engine", "postprocess_only"): (_NO, "False: noise is drawn"),
    ("engine", "aian_sum_constraints"): (_NO, "False: no sum over several nodes is kept"),
}
"""By section and key: the values that are implemented, and how a message says it."""

_SPINES = ("opt_spine", "aian_spine", "non_aian_spine")
_SCHEMAS: Mapping[str, Sequence[str]] = {
    "PL94_2020_SCHEMA": ("hhgq", "votingage", "hispanic", "cenrace"),
    "DHCP_SCHEMA": ("relgq", "sex", "age", "hispanic", "cenrace"),
    "DHCH_SCHEMA_TEN_3LEV": ("sex", "hhage", "hisp", "race", "elderly", "hhtenshort_3lev", "hhtype_dhch"),
}
"""The attributes of the published schemas."""


class StatedRecords(NamedTuple):
    """What a key says of the records.

    Attributes:
        place: of the key.
        attributes: the names that each attribute may have in the schema file, in any order.
        sizes: how many values an attribute has, by one of its names, with the place that says so.
    """

    place: str
    attributes: tuple[tuple[str, ...], ...]
    sizes: tuple[tuple[tuple[str, ...], int, str], ...] = ()

    def check(self, schema: RecordSchema) -> None:
        """Refuse a schema file of other records.

        Raises:
            InputError: it has not the same attributes, or another number of values.
        """
        own = tuple(schema.attributes)
        matched = [[name for name in names if name in own] for names in self.attributes]
        found = {name for names in matched for name in names[:1]}
        if not all(matched) or found != set(own) or len(matched) != len(own):
            said = ", ".join(names[-1] for names in self.attributes)
            raise InputError(f"{self.place}: the schema must have the attributes {said}; it has {', '.join(own)}")
        for names, size, place in self.sizes:
            attribute = next(name for name in names if name in own)
            if len(schema.attributes[attribute]) != size:
                raise InputError(
                    f"{place}: {attribute} must have {size} values; the schema has {len(schema.attributes[attribute])}"
                )


def check_implemented(files: IniFiles, levels: Sequence[str]) -> None:
    """Refuse what this program does not do, by name and value.

    Args:
        files: the settings.
        levels: from the top down.

    Raises:
        InputError: a key has a value that is not implemented, or that is not known.
    """
    for (section, key), (values, words) in _ONE_WAY.items():
        found = files.get(section, key)
        if found is not None and found[0] not in values:
            raise InputError(f"{found[1]} must be {words}; got {found[0]!r}")
    for key, level in (("geo_toplevel", levels[0]), ("geo_bottomlevel", levels[-1])):
        found = files.get("geodict", key)
        if found is not None and found[0] not in ("", level):
            raise InputError(f"{found[1]} must be empty or {level}, of geolevel_names; got {found[0]!r}")
    spine = files.get("geodict", "spine")
    if spine is not None and spine[0] not in _SPINES:
        raise InputError(f"{spine[1]}: unknown spine {spine[0]!r}; {suggestion(spine[0], _SPINES)}")


def stated_records(files: IniFiles) -> tuple[StatedRecords, ...]:
    """What the settings say of the records.

    Raises:
        InputError: the schema is not known, the protected table is none of the tables, or has no codes FIRST-LAST.
    """
    found = []
    if (schema := files.get("schema", "schema")) is not None:
        name, place = schema
        if name not in _SCHEMAS:
            raise InputError(f"{place}: unknown schema {name!r}; {suggestion(name, tuple(_SCHEMAS))}")
        found.append(StatedRecords(place, tuple((one,) for one in _SCHEMAS[name])))
    table = files.get("reader", "privacy_table")
    if table is None:
        return tuple(found)
    _, place = files.required("reader", f"{table[0]}.histogram")
    sources, sizes = [], []
    for name in variables(files.files):
        source = files.get("reader", name)
        names = (name,) if source is None else (name, source[0])
        sources.append(names)
        if (legal := files.get("reader", f"{name}.legal")) is not None:
            sizes.append((names, _size(*legal), legal[1]))
    return (*found, StatedRecords(place, tuple(sources), tuple(sizes)))


def _size(text: str, place: str) -> int:
    codes = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text)
    if codes is None or int(codes[1]) > int(codes[2]):
        raise InputError(f"{place} must be the codes FIRST-LAST, such as 0-7; got {text!r}")
    return int(codes[2]) - int(codes[1]) + 1
