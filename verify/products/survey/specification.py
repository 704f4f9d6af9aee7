"""The specification of noisy weighted totals: five blocks, the same as an account for an audit, and amplification."""

from fractions import Fraction

import tomli_w

from stirred.spec.arguments import InputError
from stirred.spec.budgets.sampling import amplified
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.claim.five_blocks import FiveBlocks, StatedBlock
from stirred.verify.products.survey.settings import ReleaseSettings
from stirred.verify.reports.lines import counted

_PREMETRIC = "a unit with its record is replaced by another, the others keep their order"


def specification(settings: ReleaseSettings, records: int) -> FiveBlocks:
    """What the noise gives to a release of so many records, whatever they are."""
    kept = f"weights count as at most {settings.largest}, values as within their bounds"
    cells = f", in {counted(settings.count, 'cell')}" if settings.cells else ""
    shares = " + ".join(str(total.epsilon) for total in settings.totals)
    return FiveBlocks(
        domain=StatedBlock(
            f"all samples of {records} units in an order of the units, each record with its weight{cells}; {kept}"
        ),
        multiverse=StatedBlock(
            "nothing is invariant but the number of records; weights are part of the records, and no frame is protected"
        ),
        input_premetric=StatedBlock(f"d_HamS, resolution: {settings.resolution} ({_PREMETRIC})"),
        output_premetric=StatedBlock("D_Mult (pure differential privacy)"),
        budget=StatedBlock(f"epsilon = {settings.epsilon} ({shares}; calibration costs nothing: it follows the noise)"),
    )


def amplified_line(path: str, settings: ReleaseSettings, records: int, weights: tuple[float, float]) -> str:
    """What may be claimed for the frame of a simple random sample, or why nothing may be.

    Args:
        path: of the settings, for the message.
        settings: what is released.
        records: how many the sample has.
        weights: the smallest and the largest weight in the sample.

    Raises:
        InputError: the sample has another size than the settings say.
    """
    if settings.sizes is None:
        return "amplification: none is claimed: the file states no design"
    size, frame = settings.sizes
    if size != records:
        raise InputError(f"{path}: design.size must be the number of records, {records}; got {size}")
    weight = Fraction(frame, size)
    if weight > settings.largest:
        return (
            f"amplification: none is claimed: a simple random sample's weights are {weight}, above the largest that "
            f"counts, {settings.largest}"
        )
    if set(weights) != {frame / size}:
        return (
            f"amplification: none is claimed: a simple random sample's weights are {weight} for all, and the sample "
            "has others"
        )
    found = amplified(Enclosure(settings.epsilon, settings.epsilon), Fraction(size, frame))
    return (
        f"amplification: epsilon <= {found.text()} for records of the frame, if it stays secret who is in the sample, "
        f"weights are {weight} for all samples as for this one, and it is a simple random sample (dissertation, "
        "Theorem 6.4.1)"
    )


def claim_text(settings: ReleaseSettings, records: int) -> str:
    """An account of the budgets of all totals, for `stirred audit`."""
    blocks = specification(settings, records)
    stated = f"The totals together satisfy epsilon = {settings.epsilon} for one {settings.resolution}."
    account = {
        "domain": blocks.domain.text,
        "invariants": ["the number of records"],
        "neighbors": "bounded",
        "unit": settings.resolution,
        "total": str(settings.epsilon),
        "releases": [{"name": total.name, "epsilon": str(total.epsilon)} for total in settings.totals],
    }
    return tomli_w.dumps({"id": settings.id, "statement": stated, "account": account})
