"""The user's own mechanism: loading `module:function`, and running it so that it cannot break or hang its auditor."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import os
import signal
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from mechanisms.exact_law import exact_law
from spec.arguments import InputError
from spec.law import Law
from spec.multiverse import Invariant
from verify.auditing.claim_table import suggestion
from verify.containment import contained
from verify.likelihood import approximate_law, check_against
from verify.printable import one_line

__all__ = [
    "DEFAULT_CHOICES",
    "DEFAULT_SECONDS",
    "Mechanism",
    "guarded_invariant",
    "guarded_laws",
    "load_function",
    "time_limit",
]

DEFAULT_CHOICES = 1_000_000
"""Choices that a mechanism may make on one data set."""

DEFAULT_SECONDS = 60
"""Seconds that the audit of one claim may take."""

_INSISTENCE = 5
"""Interruptions, half a second apart, that code may swallow before the process ends."""

Mechanism = Callable[..., Any]


class _OutOfTime(BaseException):  # a signal that `except Exception` must not catch
    pass


@contextlib.contextmanager
def time_limit(seconds: int, what: str) -> Iterator[None]:
    """Run the body for at most so many seconds of wall-clock time.

    Works in the main thread of systems with interval timers, and has no effect elsewhere. Code that swallows the
    interruption five times is ended with the whole process, at exit status 2; one that never returns from a single
    built-in operation cannot be interrupted.

    Args:
        seconds: the limit.
        what: what is running, for the message.

    Raises:
        InputError: the time is up.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    message = f"{what} took more than {seconds} s: it may loop for ever; use a smaller domain or raise --seconds"
    interruptions = 0

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the signature of a handler
        nonlocal interruptions
        interruptions += 1
        if interruptions > _INSISTENCE:
            os.write(2, f"stirred: {one_line(message)}\n".encode())
            os._exit(2)
        raise _OutOfTime

    handler = signal.signal(signal.SIGALRM, interrupt)
    before = signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _OutOfTime:
        raise InputError(message) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if before[0]:
            signal.setitimer(signal.ITIMER_REAL, *before)


def load_function(where: str, reference: str, directory: Path) -> Mechanism:
    """The function that "module:function" names; a module beside the claim file is found first.

    Raises:
        InputError: the text has another form, the module cannot be imported, or it has no such function.
    """
    module_name, _, function_name = reference.partition(":")
    if not function_name.isidentifier() or not all(part.isidentifier() for part in module_name.split(".")):
        raise InputError(f"{where} must be 'module:function'; got {reference!r}")
    with contained(f"{where}: importing {module_name!r}"):
        module = _import(module_name, directory)
    if not hasattr(module, function_name):
        known = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
        raise InputError(f"{where}: {module_name!r} has no {function_name!r}; {suggestion(function_name, known)}")
    function = getattr(module, function_name)
    if not callable(function):
        raise InputError(f"{where}: {reference!r} must be a function; got {type(function).__name__}")
    for is_of_kind, kind in ((inspect.iscoroutinefunction, "coroutine"), (inspect.isgeneratorfunction, "generator")):
        if is_of_kind(function):
            raise InputError(f"{where}: {reference!r} must be a function that returns its output; got a {kind}")
    return function  # type: ignore[no-any-return]


def _import(name: str, directory: Path) -> ModuleType:
    """A module; one beside the claim file is known under a name of its own, so that directories do not collide."""
    file = directory / f"{name}.py"
    sys.path[:0] = [str(directory), str(Path.cwd())]
    try:
        if not file.is_file():
            return importlib.import_module(name)
        own = f"claimed_{hashlib.sha256(str(file).encode()).hexdigest()[:16]}_{name}"
        if own in sys.modules:
            return sys.modules[own]
        spec = importlib.util.spec_from_file_location(own, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        sys.modules[own] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[own]
            raise
        return module
    finally:
        del sys.path[:2]


def guarded_invariant(where: str, function: Mechanism) -> Invariant:
    """The user's invariant c as a function of the data set that refuses with one line where it fails.

    Called on a data set, it raises `InputError` where the user's function raises, returns None or returns something
    unhashable, or returns two values for one data set.
    """

    def invariant(point: Any) -> Hashable:
        with contained(f"{where}: on the data set {point!r}"):
            value, again = function(point), function(point)
            if value is None:
                raise InputError("an invariant must return a value; it returned None")
            if not isinstance(value, Hashable):
                raise InputError(f"an invariant must return a hashable value; got {value!r}")
            hash(value)
            if value != again:
                raise InputError("an invariant must depend on its data only; two calls gave different values")
        return value

    return invariant


def guarded_laws(
    where: str, mechanism: Mechanism, domain: Iterable[Any], *, choices: int = DEFAULT_CHOICES, **parameters: Any
) -> dict[Any, Law[Any]]:
    """The exact law of a mechanism on every data set of a domain, each compared with its independent value.

    Args:
        where: the file and key, for messages.
        mechanism: a function `mechanism(data, source, **parameters)`.
        domain: its inputs.
        choices: how many choices it may make on one data set.
        **parameters: its other arguments.

    Raises:
        InputError: on some data set the mechanism raises, returns no output, a law or an unhashable output, uses
            inexact weights or weights that do not sum to 1, exceeds its choices, or is random beyond its source.
        EngineError: an exact law disagrees with its independent value.
    """
    laws: dict[Any, Law[Any]] = {}
    for point in domain:
        with contained(f"{where}: on the data set {point!r}"):
            law = exact_law(mechanism, point, choice_budget=choices, **parameters)
            for outcome in law:
                if outcome is None:
                    raise InputError("the mechanism must return an output; it returned None")
                if isinstance(outcome, Law):
                    raise InputError("the mechanism must return one output drawn through its source; it returned a law")
            try:
                check_against(law, approximate_law(mechanism, point, **parameters), "law")
            except Exception:
                if exact_law(mechanism, point, choice_budget=choices, **parameters) == law:
                    raise
                raise InputError(
                    "the mechanism must depend on its data and its source only; two runs gave different laws"
                ) from None
            laws[point] = law
    return laws
