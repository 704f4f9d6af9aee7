"""A swap on this machine: in memory, or in parts on disk."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from errno import ENOENT
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.tables.dependence import Dependence, dependences, first_records
from stirred.mechanisms.tables.manifest import manifest_text, swapped_facts
from stirred.mechanisms.tables.persons import CarriedPersons, read_persons
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.redistribution import SwapRun
from stirred.mechanisms.tables.roles import Roles
from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.mechanisms.tables.streaming import MOST_BUCKETS, PartsRun, Progress
from stirred.mechanisms.tables.swapping import swap_file
from stirred.mechanisms.tables.writing import WholeFiles
from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.products.swap.request import SwapOutcome, SwapRequest, claim_id
from stirred.verify.products.swap.specification import SwapFacts, claim_text, specification

_MANY = 4_000_000
"""From so many records of Parquet parts are the cheaper path (tests/benchmarks/bench_files.py); of CSV never."""


def swap_here(request: SwapRequest, show: Progress = lambda *_: None) -> SwapOutcome:
    """Swap, and write what is asked for, whole or not at all; `show` is told how far it is."""
    file = read_table_file(request.file)
    roles = request.roles(file.schema.names)
    _check_targets(request, file)
    rate, epsilon = (request.swap_rate, request.epsilon) if request.writes else (None, None)
    how = SwapRun(rate, run_key(request.seed), request.buckets, request.nulls == "category", epsilon)
    with ended_by_interrupt():
        if request.memory == "all" or (request.memory is None and not _is_cheaper_in_parts(request, file)):
            in_memory = swap_file(file, roles, how, microdata=request.microdata is not None)
            return _release(request, file, in_memory, nullcontext())
        if not request.writes or request.count:
            raise InputError("--memory requires --output or --microdata, and cannot be combined with --count")
        work = request.work or f"{request.output or request.microdata}.parts"
        folder = RunFolder(work, _run_facts(request, file, roles, how), how.key)
        parts = PartsRun(file, roles, how, folder, request.microdata is not None, show)
        done = _release(request, file, parts.swapped(request.memory), folder.gone_if_refused())
        folder.destroy()
        return done


def _check_targets(request: SwapRequest, file: TableFile) -> None:
    """Refuse to write over the records, two outputs in one file, and what is not a regular file."""
    inputs = {real_path(name) for name in (request.file, *file.files, *filter(None, [request.persons]))}
    named: dict[Path, str] = {}
    tables = [
        (f"--{option}", getattr(request, option.replace("-", "_")))
        for option in ("output", "microdata", "persons-output")
    ]
    beside = [(f"{option}'s manifest", path and f"{path}.manifest.json") for option, path in tables]
    for option, path in (*tables, ("--claim", request.claim), *beside):
        if path is None:
            continue
        target = real_path(path)
        if target in inputs or any(one in target.parents for one in inputs):
            raise InputError(f"{option} must not be the file of records; got {path}")
        if target in named:
            raise InputError(f"{named[target]} and {option} must be different files; got {path}")
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise InputError(f"{path}: cannot be written: it must be a regular file")
        if not target.parent.is_dir():
            raise InputError(f"{path}: cannot be written: {os.strerror(ENOENT)}")
        named[target] = option


def _is_cheaper_in_parts(request: SwapRequest, file: TableFile) -> bool:
    """Whether the records are better read in parts; the records that come out are the same."""
    if request.persons is not None:
        return False
    few = request.buckets is None or request.buckets <= MOST_BUCKETS
    return request.writes and not request.count and few and not file.is_csv and file.lines >= _MANY


def _run_facts(request: SwapRequest, file: TableFile, roles: Roles, how: SwapRun) -> dict[str, object]:
    """What a run in parts depends on; of a seed its key's checksum."""
    return {
        "files": file.fingerprint,
        "roles": asdict(roles),
        **request.setting(),
        "nulls": request.nulls,
        "buckets": how.buckets,
        "microdata": request.microdata is not None,
        "seed": None if request.seed is None else blake2b(how.key, digest_size=8).hexdigest(),
    }


def _dependences(
    file: TableFile, roles: Roles, persons: CarriedPersons | None, *, lines: bool
) -> tuple[Dependence, ...]:
    """The columns that go with what is swapped, among those that stay with their record in what is released."""
    more = filter(None, (*roles.carried, roles.identifier)) if lines else ()
    kept = (*roles.holding, *more)
    table = first_records(file, [*roles.matching, *kept, *roles.swapping, *filter(None, [roles.count])])
    if persons is not None:
        table = persons.beside(table, roles.swapping)
        kept = (*kept, *table.column_names[len(kept) + len(roles.matching) + len(roles.swapping) :])
    return dependences(table, roles.matching, kept, roles.swapping, roles.count, lines=lines)


def _persons(request: SwapRequest, file: TableFile, swapped: Any) -> CarriedPersons:
    """The persons of the households that were swapped."""
    by = str(request.by)
    ids = swapped.others[by].combine_chunks()
    return read_persons(read_table_file(str(request.persons)), by, file, {by: ids, **swapped.values(before=True)})


def _release(request: SwapRequest, file: TableFile, swapped: Any, refused: AbstractContextManager[None]) -> SwapOutcome:
    """Write what is asked for, whole or not at all; the context is that of what may be refused."""
    lines, rate, epsilon = bool(request.microdata), request.swap_rate, request.epsilon
    sizes = swapped.sizes.of_lines() if lines else swapped.sizes
    margins = swapped.margins() if request.certify else None
    with refused:
        persons = None if request.persons is None else _persons(request, file, swapped)
        found = _dependences(file, swapped.roles, persons, lines=lines)
        named = claim_id(request.id_prefix, request.claim, request.output, request.microdata, request.file)
        about = (request.unit, lines, margins, epsilon, found, named, request.persons is not None)
        facts = SwapFacts(swapped.roles, sizes, rate, *about)
        request.refuse_release(facts)
        claim = claim_text(facts) if request.claim else None
    said = specification(facts)
    mechanism = "permutation swapping" if epsilon is None else "fibre noise"
    stated = {} if claim is None else {"claim": {"sha256": sha256(claim.encode()).hexdigest()}}
    how = {**swapped_facts(swapped), "budget": facts.stated_budget, **request.stated(), **stated}
    cells: dict[str, int | None] = {}
    moved = 0
    with WholeFiles() as files:
        for path, make in ((request.output, swapped.saturated), (request.microdata, swapped.microdata)):
            if path is not None:
                written = files.table(path, *make())
                files.text(f"{path}.manifest.json", manifest_text(written, file, mechanism, how))
                cells[path] = written.rows if path == request.output else None
        if persons is not None and request.persons_output:
            carried = files.table(request.persons_output, persons.file.schema, [persons.moved(swapped.values())])
            beside = {"by": request.by, "households": Path(str(request.microdata)).name, **request.stated()}
            text = manifest_text(carried, persons.file, f"{mechanism} of households, persons carried along", beside)
            files.text(f"{request.persons_output}.manifest.json", text)
            moved = carried.rows
        if request.claim and claim is not None:
            files.text(request.claim, claim)
    return SwapOutcome(request, facts, said, cells, swapped.identifying(), moved)
