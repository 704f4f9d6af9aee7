"""The files of an audit: those that are named, those of the folders that are named, and why some cannot be audited."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.claim.text import read_claims
from stirred.verify.files.real_path import real_path
from stirred.verify.records.record_kind import is_for_audit, record_kind

_MAX_FILES = 1_000
_MAX_NAMED = 5


def expanded(files: Sequence[str], skipped: list[str]) -> list[str]:
    """The named files, and for a folder the claim files and records in it and in its folders, each once, in order.

    Args:
        files: files and folders.
        skipped: where it is added what a folder has besides, by the extensions of claims and records.

    Raises:
        InputError: a folder cannot be read, has no claim file or record, or more than 1000.
    """
    found: dict[Path, str] = {}
    for file in files:
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
        twice = [f"the name {name!r} is used twice; it is also in {seen[name]}" for name in names if name in seen]
        if twice:
            failed.append(f"{file}: {twice[0]}")
            continue
        seen |= dict.fromkeys(names, file)
        found.append(file)
    return found


def _names(file: str) -> list[str]:
    """The names of the claims or of the record in a file."""
    if record_kind(Path(file)) is None:
        return [claim.id for claim in read_claims([file])]
    # readers of records are loaded for records only: they would slow down every other call
    from stirred.verify.records.record_audit import read_record  # noqa: PLC0415

    return [read_record(Path(file)).id]
