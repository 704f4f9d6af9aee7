"""`stirred derive mechanism`, `family` and `order`: losses of claims, formulas for every size, and inequalities."""

import argparse
import sys
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.certificates.printable import printable
from stirred.verify.commands.limits import parse_seconds
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.reports.lines import HOLDS, UNDECIDED, exit_status
from stirred.verify.running.time_limit import time_limit


def derive_mechanism(arguments: argparse.Namespace) -> int:
    """Print the exact loss of each claim's mechanism, at each of its settings."""
    if not arguments.files:
        raise InputError("mechanism must come with claim files; got none")
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.claim.claim import claim_vacuity  # noqa: PLC0415
    from stirred.verify.claim.read import build_claim  # noqa: PLC0415 only this derivation audits
    from stirred.verify.claim.text import read_claims  # noqa: PLC0415
    from stirred.verify.engines.comparison import ComparedLaws  # noqa: PLC0415
    from stirred.verify.engines.loss_function import LossFunction  # noqa: PLC0415
    from stirred.verify.engines.smallest_delta import delta_curves  # noqa: PLC0415
    from stirred.verify.engines.split_loss import SplitLossFunction  # noqa: PLC0415

    limits = replace(DEFAULT_LIMITS, seconds=parse_seconds(arguments))
    lines, curves, functions, status = [], [], [], HOLDS
    for claim in read_claims([Path(file) for file in arguments.files]):
        with time_limit(limits.seconds, f"the loss of {claim.id}"):
            built = build_claim(claim, limits)
            for case in built.cases:
                found = exhaust(built, case)
                if found is None:
                    raise InputError(f"{claim.id}: a loss needs a mechanism on finite blocks, and an output premetric")
                if (vacuity := claim_vacuity(built)).is_vacuous:
                    lines.append(f"{printable(f'{claim.id}: {vacuity}')}\n")
                    status = UNDECIDED
                    continue
                needed = found.smallest
                is_function = isinstance(needed, (LossFunction, SplitLossFunction))
                if is_function:
                    functions.append((needed.symbol, getattr(needed, "parts", (needed,))))
                text = _as_latex(needed) if arguments.latex else found.needed
                lines.append(f"{printable(f'{claim.id}: {text}')}\n")
                if isinstance(built.output_premetric, ApproximateMultiplicative) and found.laws and built.flavor:
                    curve = delta_curves(ComparedLaws(found.laws, built.flavor))
                    curves.append((claim.id, curve.by_distance))
                    shown = curve.lines(is_latex=arguments.latex)
                    lines += [f"{printable(f'{claim.id}: {line}')}\n" for line in shown]
    if arguments.plot is not None:
        _plot(arguments.plot, curves, functions)
        lines.append(f"{printable(arguments.plot)}: written\n")
    sys.stdout.write("".join(lines))
    return status


def _as_latex(needed: Any) -> str:
    """A smallest budget as LaTeX, where it has a form of its own; else in words."""
    if hasattr(needed, "latex"):
        return str(needed.latex())
    return str(needed.to_latex()) if hasattr(needed, "to_latex") else str(needed)


def _plot(path: str, curves: Sequence[tuple[str, Any]], functions: Sequence[tuple[str, Any]]) -> None:
    """Draw the curves of claims of approximate privacy, or the one loss by an open parameter."""
    from stirred.verify.engines.delta_picture import draw_deltas  # noqa: PLC0415 an optional dependency
    from stirred.verify.engines.loss_cases import draw_loss  # noqa: PLC0415
    from stirred.verify.studies.picture import write_picture  # noqa: PLC0415

    if not curves and len(functions) != 1:
        raise InputError(
            "--plot must come with claims of approximate_multiplicative, or with one whose parameter is 'symbol'; got "
            f"{'none' if not functions else len(functions)}"
        )
    write_picture("--plot", path, partial(draw_deltas, curves) if curves else partial(draw_loss, *functions[0]))


def derive_family(arguments: argparse.Namespace) -> int:
    """Print the smallest budget of a claim's mechanism as a formula of one size in it; returns the exit status."""
    if len(arguments.files) != 1:
        raise InputError(f"family must come with one claim file; got {len(arguments.files)}")
    for option in ("vary", "sizes", "beyond"):
        if getattr(arguments, option) is None:
            raise InputError(f"family must come with --{option}; got none")
    from stirred.verify.claim.text import read_toml  # noqa: PLC0415
    from stirred.verify.formulas.closed_forms import closed_form  # noqa: PLC0415

    path = Path(arguments.files[0])
    data, name = read_toml(path), arguments.vary.rpartition(".")[2]
    varied = partial(_needed, path, data, arguments.vary.split("."), parse_seconds(arguments))
    symbol = _open_name(data)
    if symbol == name:
        raise InputError(f"--vary must name another key than the parameter that is left open; got {arguments.vary!r}")
    found = closed_form(
        lambda **size: varied(size[name]), {name: arguments.sizes}, {name: arguments.beyond}, symbol=symbol
    )
    lines = [found.to_latex() if arguments.latex else printable(str(found))]
    if arguments.plot is not None:
        from stirred.verify.studies.picture import write_picture  # noqa: PLC0415 an optional dependency

        write_picture("--plot", arguments.plot, found.draw)
        lines.append(f"{printable(arguments.plot)}: written")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return exit_status([found.verdict])


def _open_name(data: Any) -> str:
    """The name of the mechanism's parameter that is left open; "p" where none is."""
    mechanism = data.get("mechanism", {}) if isinstance(data.get("mechanism", {}), dict) else {}
    given = {**mechanism, **mechanism["parameters"]} if isinstance(mechanism.get("parameters"), dict) else mechanism
    return next((key for key, value in given.items() if isinstance(value, str) and value.startswith("symbol")), "p")


def _needed(path: Path, data: Any, keys: list[str], seconds: int, size: int) -> Any:
    """The smallest budget of the claim with a size in place of a number at a key."""
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.claim.claim import claim_vacuity  # noqa: PLC0415
    from stirred.verify.claim.read import build_claim  # noqa: PLC0415
    from stirred.verify.claim.table import Block  # noqa: PLC0415
    from stirred.verify.claim.text import claim_of  # noqa: PLC0415

    changed = deepcopy(data)
    place = changed
    for key in keys[:-1]:
        place = place.get(key) if isinstance(place, dict) else None
    if not isinstance(place, dict) or keys[-1] not in place:
        raise InputError(f"--vary must name a key of {path}; got {'.'.join(keys)!r}")
    place[keys[-1]] = str(size) if isinstance(place[keys[-1]], str) else size
    limits = replace(DEFAULT_LIMITS, seconds=seconds)
    with time_limit(seconds, f"the loss at size {size}"):
        built = build_claim(claim_of(path, Block(f"{path}:", changed)), limits)
        if len(built.cases) != 1:
            raise InputError(f"{path}: must have one setting of its parameters; got {len(built.cases)}")
        found = exhaust(built, built.cases[0])
    if found is None:
        raise InputError(f"{path}: a loss needs a mechanism on finite blocks, and an output premetric")
    if (vacuity := claim_vacuity(built)).is_vacuous:
        raise InputError(f"{path}: at size {size}: {vacuity}")
    return found.smallest


def derive_order(arguments: argparse.Namespace) -> int:
    """Print whether one formula is at most another for all values of their symbols; returns the exit status."""
    if len(arguments.files) != 2:
        raise InputError(f"order must come with two formulas; got {len(arguments.files)}")
    from stirred.verify.formulas.order import at_most  # noqa: PLC0415
    from stirred.verify.formulas.read_formula import read_formula, read_inequality  # noqa: PLC0415

    whole = arguments.whole or ()
    left, right = (read_formula(text, whole) for text in arguments.files)
    found = at_most(left, right, [read_inequality(text, whole) for text in arguments.where or ()])
    sys.stdout.write(f"{found.to_latex() if arguments.latex else printable(str(found))}\n")
    return exit_status([found.verdict])
