"""Records that are copied when data are recorded: one contributor's change becomes a change of several records."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedPair, data_sets, shown
from stirred.verify.audit.weakening.units import stretched

__all__ = ["DONORS"]


def _copied(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the recorded data are farther apart than what was there to be recorded."""
    recording, honest, claimed = pair.claims.recording, pair.honest, pair.claimed_on_honest
    if recording is None or claimed is None:
        return
    factors = stretched(honest, claimed)
    if factors is None or factors[1] <= 1:
        return
    _, most, (x, y) = factors
    d, recorded = honest.flavor.input_premetric, claimed.flavor.input_premetric
    farther = sum((claimed.distance(a, b) or 0) > n for a, b, n in honest.compared if n is not None)
    own, before = pair.claimed.own_loss, honest.own_loss
    losses = "" if own is None or before is None else f"; it needs {shown(own)} as recorded, {shown(before)} before"
    yield Detection(
        f"{data_sets(x, y)} at the distance {d(x, y)} become {recording(x)} and {recording(y)} at the "
        f"distance {recorded(x, y)}; {farther} of {len(honest.compared)} compared pairs move apart, by "
        f"a factor of up to {most}{losses}",
        f"a change of one contributor's data changes several records, as where a missing record is copied from a "
        f"donor: a contributor may lose up to {most} times the budget of a record (dissertation, Proposition 2.4.15)",
    )


DONORS = Detector("copied records", in_pair=_copied)
