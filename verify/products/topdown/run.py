"""A TopDown run: noise is drawn, counts are estimated and checked, and the folder is written.

Nodes that are finished are kept line by line, so that a run that was interrupted goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from hmac import compare_digest
from importlib.util import find_spec
from json import dumps
from pathlib import Path
from types import TracebackType

import numpy as np

from stirred.mechanisms.das.topdown.algorithm import check_edits, invariants
from stirred.mechanisms.das.topdown.design import Counts, Design, form_values
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.mechanisms.das.topdown.siblings import Published, Totals
from stirred.mechanisms.fast.nearest_point import fast_nearest
from stirred.mechanisms.fast.random_words import KEY_BYTES, run_key
from stirred.mechanisms.fast.rounded_point import rounded_point
from stirred.mechanisms.fast.topdown import Estimation, estimate
from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.products.topdown.release import CheckedRun, TopDownRequest, write_release

Show = Callable[[str, int, int], None]
"""Told what is counted, with how many are done of how many."""

_TAG_BYTES = 16

_NEEDED = {"nearest": ("highspy", "ortools"), "rounded": ("highspy", "ortools", "clarabel", "scipy")}
"""The libraries of each estimate."""


class KeptNodes:
    """A file to which the counts of the children of a node are added as they are found.

    Every line has a tag that only the holder of the run's key can compute, so that what another run wrote, or what was
    changed since, is not taken for what this run found.

    Attributes:
        done: the counts of children that were found before, by parent.
    """

    def __init__(self, path: Path, design: Design, key: bytes, show: Show) -> None:
        self._path, self._key, self._cells, self._show = path, key, len(design.cells), show
        self._levels = [len(level) for level in design.geography.levels]
        self._found = [0] * len(self._levels)
        self.done: dict[str | None, dict[str, Counts]] = {}
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        self._whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[: self._whole].split(b"\n")[:-1], start=1):
            tag, _, kept = line.partition(b" ")
            if not compare_digest(tag, self._tag(kept)):
                raise InputError(
                    f"{path}: line {number}: must be as this run wrote it; remove the file, and its nodes are "
                    "estimated again from the same measurements"
                )
            level, parent, children = json.loads(kept)
            self.done[parent] = {node: self._counts(of) for node, of in children.items()}
            self._found[level] += len(children)

    def _tag(self, kept: bytes) -> bytes:
        return blake2b(kept, key=self._key, digest_size=_TAG_BYTES).hexdigest().encode()

    def __enter__(self) -> KeptNodes:
        self._file = self._path.open("ab")
        self._file.truncate(self._whole)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, level: int, parent: str | None, children: dict[str, Counts]) -> None:
        """Keep what was found."""
        sparse = {node: np.stack(nonzero(of), axis=1).tolist() for node, of in children.items()}
        kept = json.dumps([level, parent, sparse]).encode()
        self._file.write(self._tag(kept) + b" " + kept + b"\n")
        self._file.flush()
        self._found[level] += len(children)
        self._show(f"level {level}", self._found[level], self._levels[level])

    def _counts(self, pairs: list[tuple[int, int]]) -> Counts:
        return SparseCounts.from_pairs(self._cells, dict(pairs))


def run_topdown(one: CheckedRun, show: Show = lambda *_: None) -> int:
    """Measure, estimate and write; returns the number of records. `show` is told how far a level is."""
    request, design = one.request, one.design
    processes = request.workers or os.cpu_count() or 1
    found = _estimator(request)
    key = _key(one)
    facts = _facts(one, key)
    folder = RunFolder(request.work or f"{request.output}.parts", facts, key)
    histograms = design.summed(one.tables.histograms)
    totals = invariants(design, histograms)
    own = blake2b(dumps(facts, default=list).encode(), key=folder.key).digest()  # a seed may give other runs this key
    kept = KeptNodes(folder.path / "nodes.jsonl", design, own, show)
    measured = one.measured(folder.path, histograms, folder.key, processes)
    solver = fast_nearest if request.estimate == "nearest" else rounded_point
    estimation = Estimation(design, measured, totals, tuple(one.published), solver)
    with folder.gone_if_refused():  # the same noise cannot be fitted the next time either
        with kept:
            counts = found(estimation, done=kept.done, keep=kept.keep)
        _check(design, counts, totals, one.published)
    records = write_release(one, counts, measured, totals)
    folder.destroy()
    return records


def _estimator(request: TopDownRequest) -> Callable[..., Mapping[str, Counts]]:
    """What estimates the counts; what it needs is looked for before any noise is drawn."""
    for library in _NEEDED[request.estimate]:
        if find_spec(library) is None:
            raise InputError(f"--estimate {request.estimate} needs {library}: pip install {library}")
    if request.engine != "spark":
        return partial(estimate, workers=request.workers or os.cpu_count() or 1)
    from stirred.mechanisms.spark.session import spark_session  # noqa: PLC0415 an optional dependency
    from stirred.mechanisms.spark.topdown import estimate_on_spark  # noqa: PLC0415

    return partial(estimate_on_spark, spark_session(request.master))


def _key(one: CheckedRun) -> bytes:
    """The key of the noise; from the seed of the earlier release comes other noise than it had."""
    key = run_key(one.request.seed)
    if one.earlier is None:
        return key
    return blake2b(f"after {one.earlier.rho_squared}".encode(), key=key, digest_size=KEY_BYTES).digest()


def _facts(one: CheckedRun, key: bytes) -> dict[str, object]:
    """What a run depends on; of a seed its key's checksum."""
    request = one.request
    texts = [read_text(path) for path in (*request.settings, request.schema)]
    return {
        "settings": blake2b("\0".join(texts).encode(), digest_size=16).hexdigest(),
        "files": one.tables.fingerprint,
        "earlier": one.earlier.fingerprint if one.earlier else None,
        "options": [request.estimate, request.weights, request.ties],
        "seed": None if request.seed is None else blake2b(key, digest_size=8).hexdigest(),
    }


def _check(design: Design, counts: Mapping[str, Counts], totals: Totals, published: Sequence[Published]) -> None:
    """Refuse counts that do not meet every constraint in integers, wherever they come from."""
    again = design.summed({leaf: counts[leaf] for leaf in design.geography.leaves})
    if (
        any(nonzero(of)[1].min(initial=0) < 0 for of in counts.values())
        or again != dict(counts)
        or invariants(design, again) != totals
    ):
        raise InputError("the estimate violates non-negativity, additivity or the invariants")
    for level, nodes in enumerate(design.geography.levels):
        of_level = [one for one in published if one.aggregate.level == level]
        found = form_values([one.aggregate.row for one in of_level], [again[node] for node in nodes])
        wanted = np.array([one.values for one in of_level], dtype=np.int64).reshape(len(of_level), len(nodes)).T
        for place, number in np.argwhere(found != wanted).tolist():
            name, value = of_level[number].aggregate.name, wanted[place, number]
            raise InputError(f"{name} of {nodes[place]}: the estimate must have {value}; it has {found[place, number]}")
    check_edits(design, again)
