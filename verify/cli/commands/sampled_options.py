"""The options of an audit by draws."""

import argparse

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.audit import AuditRecord
from stirred.verify.audit.black_box.sampling import CONFIDENCE, DRAWS, Sampling
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.foreign import Limits

_OPTIONS = ("draws", "confidence", "seed", "digits", "resume")
_NOT_SAMPLED = ("certificate", "coq", "data", "against")


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """Declare --sampled and its options."""
    parser.add_argument(
        "--sampled",
        action="store_true",
        help="draw from the mechanism, which runs unconfined, instead of computing its laws: REFUTED but for a stated "
        "probability, or undecided; never met",
    )
    parser.add_argument(
        "--draws",
        type=int,
        metavar="N",
        help=f"with --sampled: draws of the last look, under each of two data sets (default {DRAWS})",
    )
    parser.add_argument(
        "--confidence", metavar="C", help=f"with --sampled: of a refutation (default {decimal_text(CONFIDENCE, 12)})"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="with --sampled: of all draws (default: a new one)")
    parser.add_argument(
        "--digits",
        type=int,
        metavar="N",
        help="with --sampled: round numbers of outputs to N significant digits first, to ignore floating-point noise",
    )
    parser.add_argument("--resume", metavar="FILE", help="with --sampled: keep the looks in FILE, and go on from there")


def chosen_sampling(arguments: argparse.Namespace, allowed: Limits) -> Sampling | None:
    """How claims are to be sampled; None where they are not.

    Raises:
        InputError: an option stands without --sampled, is out of range, or belongs to exact audits.
    """
    if not arguments.sampled:
        for name in _OPTIONS:
            if getattr(arguments, name) is not None:
                raise InputError(f"--{name} must come with --sampled")
        return None
    for name in _NOT_SAMPLED:
        if getattr(arguments, name) is not None:
            raise InputError(f"--sampled must come without --{name}: draws prove nothing that it could hold")
    if not arguments.files:
        raise InputError("--sampled must come with claim files")
    if arguments.resume is not None and arguments.seed is None:
        raise InputError("--resume must come with --seed, so that the same draws go on")
    confidence = CONFIDENCE
    if arguments.confidence is not None:
        confidence = probability("--confidence", parse_exact("--confidence", arguments.confidence))
    try:
        return Sampling(
            draws=DRAWS if arguments.draws is None else arguments.draws,
            confidence=confidence,
            seed=arguments.seed,
            seconds=allowed.seconds,
            jobs=allowed.jobs,
            resume=arguments.resume,
            digits=arguments.digits,
            generator=allowed.generator,
        )
    except InputError as error:
        raise InputError(f"--{error}") from None


def sampled_record(built: PrivacyClaim, sampling: Sampling) -> AuditRecord:
    """The answers about a claim whose mechanism is sampled."""
    from stirred.verify.audit.sampled import audit_sampled  # noqa: PLC0415 it loads NumPy, which no other audit needs

    return audit_sampled(built, sampling).record
