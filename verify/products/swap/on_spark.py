"""A swap on Spark: the same release, of records that a cluster holds."""

from importlib.metadata import version

from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.fast.swap_buckets import default_buckets
from stirred.mechanisms.spark.permutation_swapping import NEEDS_ID, check_types, quoted
from stirred.mechanisms.spark.record_files import read_records
from stirred.mechanisms.spark.release import MOST_RECORDS, release, survey
from stirred.mechanisms.spark.session import one_line_failures, spark_session
from stirred.mechanisms.tables.cells import StratumSizes
from stirred.mechanisms.tables.dependence import LOOKED_AT, dependences
from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.products.swap.request import SwapOutcome, SwapRequest, claim_id
from stirred.verify.products.swap.specification import SwapFacts, claim_text, specification

_ALONE = ("epsilon", "count", "certify", "memory", "work", "persons")
"""What one machine alone can be asked."""


def swap_on_spark(request: SwapRequest) -> SwapOutcome:
    """Swap on Spark, and write what is asked for."""
    for option in _ALONE:
        if getattr(request, option):
            raise InputError(f"--{option} cannot be combined with --engine spark")
    if request.swap_rate is None:
        raise InputError("--engine spark requires --swap-rate")
    if request.id is None:
        raise InputError(NEEDS_ID)  # before the cluster starts
    most = MOST_RECORDS if request.bucket_records is None else request.bucket_records
    key = run_key(request.seed)
    records = read_records(spark_session(request.master), request.file)
    roles = request.roles(records.columns)
    check_types(records, roles)
    found = survey(records, roles)
    buckets = request.buckets or default_buckets(int(found.records.sum()))
    found.check(roles, buckets=buckets, nulls=request.nulls == "category", most=most)
    sizes = StratumSizes(found.records, found.holding, found.swapping)
    lines = bool(request.microdata)
    names = [name for name in records.columns if lines or name in roles.columns]
    kept = [name for name in names if name not in (*roles.matching, *roles.swapping)]
    with one_line_failures("the records cannot be read"):
        first = records.select(*map(quoted, names)).limit(LOOKED_AT).toArrow()
    dependent = dependences(first, roles.matching, kept, roles.swapping)
    sizes = sizes.of_lines() if lines else sizes
    named = claim_id(request.id_prefix, request.claim, request.output, request.microdata, request.file)
    facts = SwapFacts(roles, sizes, request.swap_rate, request.resolution, lines, dependences=dependent, claim_id=named)
    said = specification(facts)
    claim = claim_text(facts) if request.claim else None
    if request.writes:
        request.refuse_release(facts)
        stated = {
            "program": f"stirred {version('stirred')}",
            "records": facts.records,
            "strata": facts.strata,
            "budget": facts.stated_budget,
            **request.stated(),
        }
        with ended_by_interrupt():
            release(
                records,
                roles,
                source=request.file,
                swap_rate=request.swap_rate,
                key=key,
                buckets=buckets,
                microdata=request.microdata,
                table=request.output,
                stated=stated,
            )
    if request.claim and claim is not None:
        write_whole(request.claim, claim)
    written = dict.fromkeys(path for path in (request.output, request.microdata) if path)
    return SwapOutcome(request, facts, said, written)
