"""`stirred swap --engine spark`: the same release, of records that a cluster holds."""

import argparse
import sys
from fractions import Fraction
from importlib.metadata import version

from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.fast.swap_buckets import default_buckets
from stirred.mechanisms.spark.permutation_swapping import check_types, quoted
from stirred.mechanisms.spark.record_files import read_records
from stirred.mechanisms.spark.release import MOST_RECORDS, release, survey
from stirred.mechanisms.spark.session import one_line_failures, spark_session
from stirred.mechanisms.tables.cells import StratumSizes
from stirred.mechanisms.tables.dependence import LOOKED_AT, dependences
from stirred.mechanisms.tables.roles import assign_roles
from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.products.swap.specification import (
    SwapFacts,
    claim_text,
    how_of,
    refuse_release,
    specification,
    warnings,
)

_ALONE = ("count", "certify", "memory", "work")
"""Options that one machine alone has."""


def run_on_spark(arguments: argparse.Namespace, rate: Fraction) -> int:
    """Swap on Spark, write and print the specification; returns the exit status.

    Raises:
        InputError: an option, a column or a value cannot be used.
        ClusterError: Spark fails.
    """
    for option in _ALONE:
        if getattr(arguments, option):
            raise InputError(f"--{option} must stand without --engine spark")
    most = MOST_RECORDS if arguments.bucket_records is None else arguments.bucket_records
    positive_integer("--bucket-records", most)
    key = run_key(arguments.seed)
    session = spark_session(arguments.master)
    records = read_records(session, arguments.file)
    roles = assign_roles(
        arguments.file,
        records.columns,
        matching=arguments.match,
        swapping=arguments.swap,
        holding=arguments.hold,
        identifier=arguments.id,
    )
    check_types(records, roles)
    found = survey(records, roles)
    buckets = arguments.buckets or default_buckets(int(found.records.sum()))
    found.check(roles, buckets=buckets, nulls=arguments.nulls == "category", most=most)
    sizes = StratumSizes(found.records, found.holding, found.swapping)
    lines = bool(arguments.microdata)
    names = [name for name in records.columns if lines or name in roles.columns]
    kept = [name for name in names if name not in (*roles.matching, *roles.swapping)]
    with one_line_failures("the records cannot be read"):
        first = records.select(*map(quoted, names)).limit(LOOKED_AT).toArrow()
    dependent = dependences(first, roles.matching, kept, roles.swapping)
    sizes = sizes.of_lines() if lines else sizes
    facts = SwapFacts(roles, sizes, rate, arguments.resolution, lines, dependences=dependent)
    blocks = specification(facts)
    claim = claim_text(facts) if arguments.claim else None
    targets = [path for path in (arguments.output, arguments.microdata) if path]
    if targets:
        refuse_release(arguments, facts)
        stated = {
            "program": f"stirred {version('stirred')}",
            "records": facts.records,
            "strata": facts.strata,
            "budget": facts.stated_budget,
            **how_of(arguments, (rate, None)),
        }
        with ended_by_interrupt():
            release(
                records,
                roles,
                source=arguments.file,
                swap_rate=rate,
                key=key,
                buckets=buckets,
                microdata=arguments.microdata,
                table=arguments.output,
                stated=stated,
            )
    if claim is not None:
        write_whole(arguments.claim, claim)
    written = [f"{printable(path)}: {facts.records} records\n" for path in targets]
    sys.stdout.write("".join(written) + blocks.text() + "\n")
    if written and arguments.seed is not None:
        sys.stderr.write("stirred: swapped with a seed: whoever knows it can undo the swap\n")
    sys.stderr.write("".join(f"stirred: {one_line(warning)}\n" for warning in warnings(facts, [])))
    return facts.status
