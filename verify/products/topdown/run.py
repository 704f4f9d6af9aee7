"""A TopDown run: noise is drawn, counts are estimated and checked, and the folder is written."""

import os
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from json import dumps

import numpy as np

from stirred.mechanisms.das.topdown.algorithm import check_edits, invariants
from stirred.mechanisms.das.topdown.design import Counts, Design, form_values
from stirred.mechanisms.das.topdown.integers import nonzero
from stirred.mechanisms.das.topdown.nearest import InfeasibleError
from stirred.mechanisms.das.topdown.siblings import Published, Totals
from stirred.mechanisms.fast.nearest_point import fast_nearest, rounded_point
from stirred.mechanisms.fast.random_words import KEY_BYTES, run_key
from stirred.mechanisms.fast.topdown import Estimation, estimate
from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.products.topdown.kept_nodes import KeptNodes, Show
from stirred.verify.products.topdown.release import CheckedRun, write_release


def run_topdown(one: CheckedRun, show: Show = lambda *_: None) -> int:
    """Measure, estimate and write; returns the number of records. `show` is told how far a level is.

    Raises:
        InputError: a file cannot be used, or no counts meet the constraints.
    """
    request, design = one.request, one.design
    processes = request.workers or os.cpu_count() or 1
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
    try:
        with kept:
            if request.engine == "spark":
                from stirred.mechanisms.spark.session import spark_session  # noqa: PLC0415 an optional dependency
                from stirred.mechanisms.spark.topdown import estimate_on_spark  # noqa: PLC0415

                counts = estimate_on_spark(spark_session(request.master), estimation, done=kept.done, keep=kept.keep)
            else:
                counts = estimate(estimation, workers=processes, done=kept.done, keep=kept.keep)
    except InfeasibleError:
        folder.destroy()  # the same noise cannot be fitted the next time either
        raise
    _check(design, counts, totals, one.published)
    records = write_release(one, counts, measured, totals)
    folder.destroy()
    return records


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
        raise InputError("the estimate must be non-negative, sum up and keep the invariants; it does not")
    for level, nodes in enumerate(design.geography.levels):
        of_level = [one for one in published if one.aggregate.level == level]
        found = form_values([one.aggregate.row for one in of_level], [again[node] for node in nodes])
        wanted = np.array([one.values for one in of_level], dtype=np.int64).reshape(len(of_level), len(nodes)).T
        for place, number in np.argwhere(found != wanted).tolist():
            name, value = of_level[number].aggregate.name, wanted[place, number]
            raise InputError(f"{name} of {nodes[place]}: the estimate must have {value}; it has {found[place, number]}")
    check_edits(design, again)
