"""What an audit is asked about: its files, those of folders, tables with their claims, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import AuditRecord, replaying
from stirred.verify.audit.records.record_kind import is_for_audit, record_kind
from stirred.verify.audit.records.swap_manifest import described_file, is_manifest, manifest_beside, read_manifest
from stirred.verify.audit.swapped.stated import StatedRun, SwapColumns, chosen_columns, needs_data
from stirred.verify.cli.commands.swap_report import effects_of
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import MAX_BYTES, read_bounded, read_table_file
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.provenance import without_folders
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.five_blocks import FiveBlocks
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.p_table_file import is_p_table

if TYPE_CHECKING:
    from stirred.verify.audit.swapped.found import FoundSwap
    from stirred.verify.products.swap.effects import EffectsReport
    from stirred.verify.products.swap.specification import SwapFacts


@dataclass(frozen=True)
class Task:
    """A claim or record to audit; a published record has no claim, and one with numbers only no blocks.

    Attributes:
        effects: of each pair of files, what the swap did, by a file of published tables and the files of persons.
    """

    name: str
    audit: Callable[[], AuditRecord]
    path: Path
    built: PrivacyClaim | None
    blocks: FiveBlocks | None
    effects: tuple[Callable[[str | None, Sequence[str] | None], EffectsReport | None], ...] = ()


def limited(seconds: int, name: str, task: Callable[[], AuditRecord]) -> AuditRecord:
    """The result of an audit, stopped when its time is up."""
    with time_limit(seconds, f"the audit of {name}"):
        return task()


_MAX_FILES = 1_000
_MAX_NAMED = 5


def expanded(files: Sequence[str], skipped: list[str]) -> list[str]:
    """The named files, and for a folder the claim files and records in it and in its folders, each once, in order.

    What else a folder has, by the extensions of claims and records, is added to `skipped`.
    """
    found: dict[Path, str] = {}
    for file in files:
        if "://" in file and not Path(file).exists():
            raise InputError(f"{file}: must be a file of this machine; nothing is fetched: download it first")
        if not file or not Path(file).is_dir():
            found.setdefault(real_path(file), file)
            continue
        chosen: list[str] = []
        others: list[str] = []
        for inside in _inside(Path(file)):
            if (is_chosen := is_for_audit(inside)) is not None:
                (chosen if is_chosen else others).append(str(inside))
        if not 0 < len(chosen) <= _MAX_FILES:
            raise InputError(f"{file}: must have 1 to {_MAX_FILES} claim files and records; it has {len(chosen)}")
        if others:
            more = f" and {len(others) - _MAX_NAMED} more" if len(others) > _MAX_NAMED else ""
            skipped.append(f"{file}: no claim files or records: {', '.join(others[:_MAX_NAMED])}{more}")
        for path in chosen:
            found.setdefault(real_path(path), path)
    return list(found.values())


def _inside(folder: Path) -> Iterator[Path]:
    """The files of a folder and then of the folders in it, none of them hidden, in order."""
    try:
        seen = [path for path in sorted(folder.iterdir()) if not path.name.startswith(".")]
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    yield from (path for path in seen if path.is_file())
    for path in seen:
        if path.is_dir() and not path.is_symlink():
            yield from _inside(path)


def readable(files: Sequence[str], failed: list[str]) -> list[str]:
    """The files that can be read; why the others cannot is added to `failed`: they hide no other result.

    One that has the name of an earlier claim or record cannot be read beside it.
    """
    found: list[str] = []
    seen: dict[str, str] = {}
    for file in files:
        try:
            names = _names(file)
        except InputError as error:
            failed.append(str(error))
            continue
        twice = [
            f"the name {name!r} is used twice; it is also in {seen[name]}: rename one" for name in names if name in seen
        ]
        if twice:
            failed.append(f"{file}: {twice[0]}")
            continue
        seen |= dict.fromkeys(names, file)
        found.append(file)
    return found


def _names(file: str) -> list[str]:
    if record_kind(Path(file)) is None:
        return [claim.id for claim in read_claims([file])]
    # readers of records are loaded for records only: they would slow down every other call
    from stirred.verify.audit.records.record_audit import read_record  # noqa: PLC0415

    return [read_record(Path(file)).id]


_SUFFIXES = (".csv", ".parquet", ".pq")


@dataclass(frozen=True)
class NamedFiles:
    """Claims, records and folders; tables, each with its manifest if it has one; and why others cannot be audited."""

    others: tuple[str, ...]
    tables: tuple[tuple[str, str | None], ...]
    failed: tuple[str, ...] = ()


def named_files(files: Sequence[str]) -> NamedFiles:
    """Tell tables of records, manifests and programs from claims and published records, such as p-tables.

    A manifest stands for the file that it describes.
    """
    others: list[str] = []
    tables: dict[str, str | None] = {}
    failed: list[str] = []
    for file in files:
        if is_manifest(file):
            try:
                tables[described_file(file)] = file
            except InputError as error:
                failed.append(str(error))
        elif _is_table(file) and not is_p_table(file):
            tables.setdefault(file, manifest_beside(file))
        elif file.endswith((".py", ".ipynb")):
            failed.append(_no_claim(file))
        else:
            others.append(file)
    return NamedFiles(tuple(others), tuple(tables.items()), tuple(failed))


def _is_table(file: str) -> bool:
    """Whether a file or folder that is there is a table, by its name, its manifest or what a folder has in it."""
    path = Path(file)
    if path.is_dir():
        has_claims = any(is_for_audit(inside) for inside in path.iterdir() if inside.is_file())
        return not has_claims and (manifest_beside(file) is not None or next(path.rglob("*.parquet"), None) is not None)
    return path.exists() and (path.suffix.lower() in _SUFFIXES or manifest_beside(file) is not None)


def _no_claim(file: str) -> str:
    return (
        f"{file}: is a program; audit reads claim files (TOML), published records and released tables: to audit a "
        f'function of it, write a claim with [mechanism] function = "{Path(file).stem}:FUNCTION" beside it (stirred '
        "init shows one)"
    )


@dataclass(frozen=True)
class _Table:
    """A released file, or without its path the records before a swap alone, with the claim and manifest about them."""

    path: str | None
    original: str | None
    columns: SwapColumns
    run: StatedRun | None
    built: PrivacyClaim | None
    persons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called while it runs."""
        return self.path or self.original or ""


def _claim(built: Sequence[PrivacyClaim], option: str) -> PrivacyClaim | None:
    """The one claim of permutation swapping to which the data belong; None where no claim is named."""
    found = [one for one in built if needs_data(one)]
    if len(found) == 1 or not built:
        return found[0] if found else None
    ids = ", ".join(one.id for one in found) or "none"
    raise InputError(
        f"{option}: must stand beside one claim of permutation swapping with a domain in words, as stirred swap writes "
        f"it; got {ids} (--data compares files of the PSA only)"
    )


def _tables(tables: Sequence[tuple[str, str | None]], original: str | None, built: PrivacyClaim | None) -> list[_Table]:
    """What is to be compared: each released file with its manifest and the claim."""
    if not tables:
        return [_Table(None, original, chosen_columns(built, None, str(original)), None, built)]
    found = []
    for path, manifest in tables:
        if manifest is None and built is None:
            if Path(path).is_file() and not Path(path).stat().st_size:
                raise InputError(f"{path}: must state a claim, or hold records; it is empty")
            raise InputError(
                f"{path}: is a table of records, and audit reads what is claimed of records (TOML files, published "
                f"records, manifests): name the claim of its swap, stirred audit CLAIM.toml --data ORIGINAL {path}, or "
                "keep the manifest that stirred swap writes beside its output"
            )
        run = None if manifest is None else _manifest(manifest)
        found.append(_Table(path, original, chosen_columns(built, run, path), run, built))
    return found


def _manifest(path: str) -> StatedRun:
    """The manifest, named as a reader elsewhere may name it."""
    return replace(read_manifest(path), path=without_folders(path, [path]))


def _name(table: _Table) -> str:
    """The id of what is said of a table that has no claim."""
    return Path(table.name).stem


def _record(table: _Table) -> AuditRecord:
    """The answers about one file; where there is no claim, its manifest is the statement."""
    from stirred.verify.audit.swapped.found import TiedSwap, find_swap  # noqa: PLC0415 slow to load, and an optional dependency
    from stirred.verify.audit.swapped.questions import swap_answers  # noqa: PLC0415
    from stirred.verify.products.swap.specification import specification  # noqa: PLC0415

    original, swapped = (None if path is None else read_table_file(path) for path in (table.original, table.path))
    persons = tuple(map(read_table_file, table.persons))
    found = find_swap(original, swapped, table.columns, table.run, (persons[0], persons[1]) if persons else None)
    facts = _facts(table, found)
    words = tuple(specification(one).multiverse for one in facts)
    tied = TiedSwap(table.built, table.run, found, _digest(table.built), words)
    run = table.run
    statement = audited = ""
    if run is not None:
        said = f"epsilon = {run.epsilon} (b = {run.largest_stratum}, p = {run.rate})"
        statement = f"The swap behind {without_folders(table.name, [table.name])} satisfies {said}."
        stated = [specification(one) for one in facts[:1]]
        blocks = (f" for each {run.resolution} (d_HamS), on {one.domain}; {one.multiverse}" for one in stated)
        audited = f"{statement[:-1]} in D_Mult{''.join(blocks)}"
    record = AuditRecord(_name(table), Path(table.name).name, statement, swap_answers(tied), data=_data(found))
    return replaying(replace(record, audited=audited))


def _facts(table: _Table, found: FoundSwap) -> list[SwapFacts]:
    """What the specification of the swap depends on; where it is not known what is released, of records and a table."""
    from stirred.mechanisms.tables.roles import Roles  # noqa: PLC0415 slow to load, and an optional dependency
    from stirred.verify.products.swap.specification import SwapFacts  # noqa: PLC0415

    columns, run = table.columns, table.run
    roles = Roles(columns.matching, columns.holding, columns.swapping, count=columns.count)
    rates = [] if table.built is None else [case.setting["swap_rate"] for case in table.built.cases]
    rate = run.rate if run is not None else rates[0]
    mechanism = None if table.built is None else table.built.mechanism
    resolution = (None if mechanism is None else mechanism.resolution) or (None if run is None else run.resolution)
    both = () if found.scan is None else (True, False) if found.lines is None else (found.lines,)
    return [SwapFacts(roles, found.sizes(lines=one), rate, resolution or "record", one) for one in both]


def _digest(built: PrivacyClaim | None) -> str | None:
    if built is None or built.file is None:
        return None
    try:
        return sha256(read_bounded(built.file.path, MAX_BYTES)).hexdigest()
    except InputError:  # the file may be gone by now
        return None


def _data(found: FoundSwap) -> tuple[tuple[str, str], ...]:
    return tuple((one.path, one.sha256) for one in found.digests)


def with_tables(
    tasks: Sequence[Task],
    tables: Sequence[tuple[str, str | None]],
    original: str | None,
    seconds: int,
    failed: list[str],
    *,
    persons: Sequence[str],
) -> list[Task]:
    """The tasks with the tables: compared with the claim that they belong to, or with their manifests alone.

    Why tables cannot be compared is added to `failed`: then no claim is audited as if it had none.
    """
    if not tables and original is None:
        return list(tasks)
    try:
        claim = _claim([task.built for task in tasks if task.built is not None], original or tables[0][0])
        found = [replace(one, persons=tuple(persons)) for one in _tables(tables, original, claim)]
    except InputError as error:
        failed.append(str(error))
        return []
    records = [partial(limited, seconds, one.name, partial(_record, one)) for one in found]
    if claim is None:
        names = [task.name for task in tasks] + [_name(one) for one in found]
        if twice := [name for name in names if names.count(name) > 1]:
            failed.append(f"{found[-1].name}: the name {twice[0]!r} is used twice: audit one of the files alone")
            return list(tasks)
        alone = [
            Task(_name(one), run, Path(one.name), None, None, (partial(_effects, one),))
            for one, run in zip(found, records, strict=True)
        ]
        return [*tasks, *alone]
    effects = tuple(partial(_effects, one) for one in found)
    return [
        replace(task, audit=partial(_joined, task.audit, records), effects=effects) if task.built is claim else task
        for task in tasks
    ]


def _effects(table: _Table, tables: str | None, persons: Sequence[str] | None) -> EffectsReport | None:
    """What the swap did, where the records before and after it are given and have its columns."""
    from stirred.mechanisms.tables.roles import Roles  # noqa: PLC0415 slow to load, and an optional dependency

    if table.original is None or table.path is None:
        return None
    columns, run = table.columns, table.run
    roles = Roles(columns.matching, columns.holding, columns.swapping, count=columns.count)
    cases = () if table.built is None else table.built.cases
    rate = run.rate if run is not None else next((case.setting["swap_rate"] for case in cases), None)
    return effects_of((table.original, table.path), roles, rate, tables=tables, persons=persons)


def _joined(claim: Callable[[], AuditRecord], tables: Sequence[Callable[[], AuditRecord]]) -> AuditRecord:
    """The answers about a claim, and behind them those about its data, which decide it too."""
    record, others = claim(), [table() for table in tables]
    answers = tuple(answer for answer in record.answers if answer.question != "data")
    more = tuple(answer for one in others for answer in one.answers)
    data = dict.fromkeys(pair for one in others for pair in one.data)
    return replaying(replace(record, answers=(*answers, *more), data=tuple(data)))
