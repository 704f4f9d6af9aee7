"""The keys of TopDown's settings: those that decide what is promised, and those of the published files that do not.

Source: U.S. Census Bureau, DAS_2020_Redistricting_Production_Code and DAS_2020_DHC_Production_Code, configs/production
and the modules that read them (works of the United States government). Not used are what steers that program's machine
and logs, its optimizer, which works on noisy counts alone, and its spine: the tree of a run here comes with the data.
"""

import re
from collections.abc import Sequence

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.ini_files import IniFile, KnownKeys

INVARIANTS, CONSTRAINTS = "theInvariants.", "theConstraints."
"""The keys of [constraints] begin with these, before the name of a level."""

_MOST_NAMES = 100
_FREE = (
    "ENVIRONMENT",
    "alert",
    "checkpoint",
    "error_metrics",
    "experiment",
    "gurobi",
    "logging",
    "monitoring",
    "setup",
    "stats",
    "takedown",
    "validator",
    "writer",
)

_READ = {
    "budget": (
        "global_scale",
        "geolevel_budget_prop",
        "dp_mechanism",
        "privacy_framework",
        "strategy",
        "epsilon_budget_total",
        "zero_error_geolevels",
        "only_dyadic_rationals",
    ),
    "geodict": ("geolevel_names", "geo_toplevel", "geo_bottomlevel"),
    "schema": ("schema",),
    "engine": ("engine", "postprocess_only", "aian_sum_constraints"),
}

_UNUSED = {
    "budget": ("query_ordering", "print_per_attr_epsilons", "approx_dp_delta"),
    "constraints": ("minimalSchema", "failsafe_schema"),
    "geodict": (
        "aian_areas",
        "aian_ranges_path",
        "bypass_cutoff",
        "entity_threshold",
        "fanout_cutoff",
        "geo_path",
        "geocode_length",
        "geolevel_leng",
        "ignore_gqs_in_block_groups",
        "prim_spine",
        "redefine_counties",
        "spine",
        "spine.re",
        "spine.required",
        "strong_mcd_states",
        "target_das_aian_areas",
        "target_orig_block_groups",
        "target_school_dists",
        "use_prim_crosswalk",
    ),
    "engine": (
        "check_budget",
        "delete_raw",
        "geolevel_num_part",
        "noisy_measurements_postfix",
        "numEnginePartitions",
        "optimization_start_from_level",
        "part_size_noisy",
        "part_size_optimized",
        "part_size_optimized_block",
        "pool_measurements",
        "reload_noisy",
        "repartition_optimized_node_rdd_evenly",
        "return_all_levels",
        "save_noisy",
        "save_optimized",
        "saved_noisy_app_id",
        "skip_persists_in_engine",
        "spark",
    ),
}

_OF_READER = (
    "tables",
    "constraint_tables",
    "numReaderPartitions",
    "grfc_path",
    "reader",
    "readerPartitionLen",
    "delimiter",
    "header",
    "validate_input_data_constraints",
)
_OF_TABLES = ("class", "generated_module", "generated_table", "recoder", "recode_variables", "geography", "path")

_OF_VARIABLES = ("histogram", "recode_variables")
"""The keys of a table whose values name variables."""


def known_keys(files: Sequence[IniFile], levels: Sequence[str]) -> KnownKeys:
    """The keys that some files can have, read together.

    Args:
        files: their [reader] names the tables and variables of which it has keys.
        levels: of geography.

    Raises:
        InputError: there are more levels, tables or variables than settings can mean.
    """
    if len(levels) > _MOST_NAMES:
        raise InputError(f"{files[0].place}: must have at most {_MOST_NAMES} levels; it names {len(levels)}")
    tables, read_variables = names_of(files, "tables"), variables(files)
    others = [name for table in tables for key in _OF_VARIABLES for name in names_of(files, f"{table}.{key}")]
    read = {
        **_READ,
        "queries": tuple(levels),
        "constraints": tuple(f"{prefix}{level}" for prefix in (INVARIANTS, CONSTRAINTS) for level in levels),
        "reader": (
            "privacy_table",
            *(f"{table}.histogram" for table in names_of(files, "privacy_table")),
            *(f"{name}{key}" for name in read_variables for key in ("", ".legal")),
        ),
    }
    unused = {
        **_UNUSED,
        "gurobi": tuple(f"threads_{level}" for level in levels),
        "reader": (
            *_OF_READER,
            *(f"{table}.{key}" for table in tables for key in (*_OF_TABLES, "histogram")),
            *(f"{name}{key}" for name in (*read_variables, *others) for key in ("", ".legal", ".type")),
        ),
    }
    return KnownKeys(read, unused, _FREE)


def variables(files: Sequence[IniFile]) -> tuple[str, ...]:
    """The variables of the histogram that is protected, where the files state one."""
    return tuple(name for table in names_of(files, "privacy_table") for name in names_of(files, f"{table}.histogram"))


def names_of(files: Sequence[IniFile], key: str) -> tuple[str, ...]:
    """The words of a value under [reader], of the first file that has it."""
    file = next((file for file in files if file.get("reader", key) is not None), None)
    text = "" if file is None else str(file.get("reader", key)).strip()
    found = tuple(dict.fromkeys(re.split(r"[\s,]+", text))) if text else ()
    if file is not None and len(found) > _MOST_NAMES:
        raise InputError(f"{file.where('reader', key)} must have at most {_MOST_NAMES} names; it has {len(found)}")
    return found
