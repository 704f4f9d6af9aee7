"""What a mechanism may not draw on besides its data and its source.

That is other randomness, the clock, the environment, addresses, hashes, memory, files elsewhere and what the system
says of any file, threads and processes. All of it is refused before the user's module is imported, by replacing
functions of the standard library and of NumPy, and by an audit hook of the interpreter. It is no wall against code that
wants to get around it: the kernel's filter (`verify.outside.confinement`) keeps such code from doing harm, and two runs
in processes with different hash seeds, compared run by run, from hiding what it does at random.
"""

from __future__ import annotations

import builtins
import datetime
import gc
import importlib
import os
import pickle
import random
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType, FunctionType, GeneratorType, MethodType
from typing import Any

from stirred.verify.outside.builtin_slots import replace_method
from stirred.verify.outside.confinement import confine
from stirred.verify.outside.own_code import PACKAGES, own_code
from stirred.verify.outside.own_parts import OwnParts
from stirred.verify.outside.references import replace_references
from stirred.verify.outside.refused import refused, with_article
from stirred.verify.outside.refused_numpy import filled_numpy, generators, replaced_numpy
from stirred.verify.outside.set_orders import SetOrders, has_stable_hash

__all__ = ["Refusals", "refusing"]

_SYSTEM = (
    *("urandom", "getrandom", "times", "getpid", "getppid", "getloadavg", "uname", "clock_gettime", "clock_gettime_ns"),
    *("stat", "lstat", "fstat", "statvfs", "fstatvfs", "access", "readlink"),
    *("getcwd", "getcwdb", "cpu_count", "sched_getaffinity", "getlogin", "getuid", "geteuid", "getgid", "getegid"),
    *("getpgid", "getpgrp", "getsid", "getpriority", "isatty", "ttyname", "get_terminal_size", "sysconf"),
)
"""Functions of `os` whose answers the system makes, and which it asks without an event."""

_NAMING = ("importlib.resources", "linecache", "logging", "tokenize", "traceback", "warnings")
"""Modules that ask the system on their own account: to find, to log and to show what the user's code is."""

_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime", "clock_settime")
_DATES = ("localtime", "gmtime", "ctime", "asctime", "strftime", "sleep")

_FUNCTIONS: Mapping[str, Sequence[str]] = {
    "_random": ("Random",),
    "_thread": ("get_ident", "get_native_id"),
    "gc": ("get_count", "get_stats"),
    "importlib": ("reload",),
    "random": [name for name in random.__all__ if name not in ("Random", "SystemRandom")],
    "secrets": [name for name in secrets.__all__ if name not in ("SystemRandom", "compare_digest")],
    "uuid": ("uuid1", "uuid4", "getnode"),
    "_pickle": ("dump", "dumps"),
    "pickle": ("dump", "dumps"),
    "os": _SYSTEM,
    os.name: _SYSTEM,
    "time": (*_CLOCKS, *(f"{name}_ns" for name in _CLOCKS), *_DATES),
    "sys": ("getallocatedblocks", "getrefcount"),
    "threading": ("get_ident", "get_native_id"),
    "resource": ("getrusage",),
}
"""Functions by their modules, which are loaded here."""

for _name in _FUNCTIONS:
    with suppress(ImportError):  # not on every system
        importlib.import_module(_name)

_IF_LOADED: Mapping[str, Sequence[str]] = {
    "_ssl": ("RAND_bytes",),
    "ssl": ("RAND_bytes",),
    "_uuid": ("generate_time_safe",),
    "readline": ("read_history_file", "read_init_file"),
    "concurrent.futures.thread": ("ThreadPoolExecutor.__init__",),
    "concurrent.futures.process": ("ProcessPoolExecutor.__init__",),
    "multiprocessing.context": ("BaseContext.Pool", "BaseContext.Manager", "Process.start"),
    "tempfile": ("TemporaryDirectory.__init__", "_RandomNameSequence.__next__"),
}
"""Functions and methods of modules that only some programs load."""

_IDENTIFIERS = ("secrets.token_hex", "secrets.token_urlsafe", "uuid.uuid1", "uuid.uuid4")
"""What libraries name their own things by: no draw where it is a library that asks."""

_READING_ENVIRONMENT = {"environ", "environb", "getenv", "getenvb"}

_DRAWING = ("random", "getrandbits", "randbytes", "getstate")

_ADDRESSED = (object, FunctionType, MethodType, GeneratorType)
"""Kinds whose text shows their address."""

_FORBIDDEN = (
    *("ctypes.", "gc.get_", "os.", "pty.", "resource.", "shutil.", "signal.", "socket.", "sqlite3.", "subprocess."),
    "tempfile.",
    *("_thread.start_new_thread", "builtins.input", "sys.setprofile", "sys.settrace"),
)
"""What events of the interpreter's audit that are refused begin with; its documentation lists them."""

_PROCESSES = (
    *("os.exec", "os.fork", "os.kill", "os.posix_spawn", "os.spawn", "os.system", "pty.", "socket.", "subprocess."),
)
"""What is refused to the user's code while it is imported, too."""

_HARMLESS = ("os.chdir", "os.putenv", "os.unsetenv")


def refusing(folder: Path, *, is_loaded: bool = False) -> tuple[Refusals, dict[str, bool]]:
    """Confine this process, and refuse what is not the source's, from now on and for good.

    Args:
        folder: where the user's code is; files there, and those of modules, may be read.
        is_loaded: whether the user's code is loaded already.

    Returns:
        The refusals; and whether the system confines the process, and the order of sets is refused in every known way.
    """
    readable = [folder, *PACKAGES, *map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix))]
    readable += [Path(entry) for entry in sys.path if entry and Path(entry).is_dir()]
    is_confined = confine()
    refusals = Refusals(readable, own_code(folder))
    refusals.begin(is_loaded=is_loaded)
    return refusals, {"confined": is_confined, "watched": refusals.is_whole}


class Refusals:
    """Refuses what is not the source's, from `begin` on.

    Args:
        readable: folders whose files may be read: the claim's own, and those that modules are imported from.
        is_own: whether a source file is the user's own; `id` and `hash` of values that have no stable ones are refused
            to code from there alone.
    """

    def __init__(self, readable: Sequence[Path], is_own: Callable[[str], bool]) -> None:
        self._readable = tuple(f"{folder.resolve()}{os.sep}" for folder in readable)
        self._is_own = is_own
        self._sets = SetOrders(is_own)
        self._inside = False
        self._is_loading = True

    @property
    def is_whole(self) -> bool:
        """Whether the order of sets, too, is refused in every way that is known."""
        return self._sets.is_whole

    def _refusing(self, what: str, original: Callable[..., Any]) -> Callable[..., Any]:
        """The function, refused to all but this class, what shows code, and libraries that are being imported."""

        def called(*arguments: Any, **named: Any) -> Any:
            asks, is_free = sys._getframe(1), not what.startswith(_PROCESSES)
            if (
                self._inside
                or self._is_library(asks, is_free=is_free)
                or (what in _IDENTIFIERS and self._is_of_library(asks))
            ):
                return original(*arguments, **named)
            raise refused(what)

        called.__name__ = what.rpartition(".")[2]
        return called

    def _is_library(self, frame: FrameType | None, *, is_free: bool = True) -> bool:
        """Whether a caller asks for itself: this package, what shows code, or code that is being imported.

        Args:
            frame: the caller.
            is_free: whether what it asks for is free while the user's own code is imported.
        """
        if (self._is_loading and is_free) or (frame is not None and _module_of(frame).startswith(_NAMING)):
            return True
        is_standard = True  # so far nothing but the standard library has been met
        while frame is not None:
            file, module = frame.f_code.co_filename, _module_of(frame)
            if self._is_own(file):
                return False
            if file == "<frozen importlib._bootstrap>" or (
                is_standard and module.startswith(("stirred.verify.outside.", "stirred.verify.laws."))
            ):
                return True
            is_standard = is_standard and module.partition(".")[0] in sys.stdlib_module_names
            frame = frame.f_back
        return False

    def _is_of_library(self, frame: FrameType | None) -> bool:
        """Whether a library calls its own compiled code, as it may without Python's knowing, too."""
        while frame is not None and _module_of(frame).partition(".")[0] in sys.stdlib_module_names:
            frame = frame.f_back
        return frame is not None and not self._is_own(frame.f_code.co_filename)

    def begin(self, *, is_loaded: bool = False) -> None:
        """Refuse from now on; what is refused stays refused.

        Args:
            is_loaded: whether the user's code is loaded already, and may refer to what is refused by names of its own.
        """
        gc.unfreeze()  # what is frozen is not found by those that look for references
        replaced = [*self._replaced(_FUNCTIONS), *replaced_numpy(self._refusing)]
        self._refuse_methods()
        self._refuse_clocks()
        os.environ.pop("PYTHONHASHSEED", None)  # the one variable in which two processes differ
        self._refuse_environment()
        builtins.id = self._for_own_code("id", builtins.id, lambda _: False)
        builtins.hash = self._for_own_code("hash", builtins.hash, has_stable_hash)
        for kind in _ADDRESSED:
            replace_method(kind, "__repr__", self._for_own_code("repr", kind.__repr__, lambda _: False))
        replaced += self._sets.begin()
        if is_loaded:
            self._end_loading([*replaced, *generators()])
        sys.addaudithook(self._hook)
        self._parts = OwnParts()

    def loaded(self) -> None:
        """The code is imported, and its calls follow: generators of NumPy that it has made are refused from now on.

        Raises:
            InputError: it has replaced functions of this program.
        """
        self._parts.check_unchanged()
        has_generators = "numpy.random" in sys.modules  # those of `random` refuse by their class
        self._end_loading([*replaced_numpy(self._refusing), *generators()] if has_generators else [])

    def _end_loading(self, replaced: Sequence[tuple[Any, Any]]) -> None:
        """Refuse to the calls what was free before, also by the names that the code has for it."""
        self._is_loading = False
        pairs = [*replaced, *self._replaced(_IF_LOADED), *filled_numpy()]
        if pairs:
            _replace(pairs)

    def _replaced(self, names_by_module: Mapping[str, Sequence[str]]) -> Iterator[tuple[Any, Any]]:
        """Every function of some modules with what has taken its place, where they are loaded."""
        for module in names_by_module.keys() & sys.modules.keys():
            for name in names_by_module[module]:
                owner, _, last = name.rpartition(".")
                holder = getattr(sys.modules[module], owner, None) if owner else sys.modules[module]
                if callable(original := getattr(holder, last, None)):
                    setattr(holder, last, self._refusing(f"{module}.{owner or name}", original))
                    if not owner:  # whoever refers to a method does so by its class
                        yield original, getattr(holder, last)

    def _refuse_methods(self) -> None:
        for kind in (pickle.Pickler, pickle._Pickler):  # a pickle shows the order of sets, and which texts are one
            replace_method(kind, "dump", self._refusing("pickle.Pickler.dump", kind.dump))
        for name in _DRAWING:
            for generator in (random.Random, random.SystemRandom):
                setattr(generator, name, self._refusing(f"random.{generator.__name__}", getattr(generator, name)))

    def _refuse_clocks(self) -> None:
        """Have the classes themselves refuse: one that took their place would be of another size to compiled code."""
        for kind, reading in ((datetime.datetime, "now"), (datetime.datetime, "utcnow"), (datetime.date, "today")):
            original = vars(kind)[reading]

            def read(asked: type, *zone: Any, original: Any = original, **named: Any) -> Any:
                return original.__get__(None, asked)(*zone, **named)

            replace_method(kind, reading, classmethod(self._refusing(f"{kind.__name__}.{reading}", read)))

    def _refuse_environment(self) -> None:
        """Have the user's code not read the environment, of which libraries see what is the same in each audit."""
        kind = type(os.environ)
        for name in ("__getitem__", "__iter__", "__len__", "__repr__", "copy"):
            setattr(kind, name, self._read_environment(getattr(kind, name)))
        vars(sys.modules[os.name])["environ"] = {}

    def _read_environment(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def read(*arguments: Any) -> Any:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and _module_of(frame) in ("os", "collections.abc"):
                frame = frame.f_back
            if not self._is_loading and frame is not None and self._is_own(frame.f_code.co_filename):
                known = [name for name in frame.f_code.co_names if frame.f_globals.get(name) is os.environ]
                if known or not _READING_ENVIRONMENT.isdisjoint(frame.f_code.co_names):
                    raise refused("the environment")
            return original(*arguments)

        return read

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._inside:
            return
        self._inside = True
        try:
            if event.startswith(_FORBIDDEN) and event not in _HARMLESS:
                asks = sys._getframe(1)
                is_free = not event.startswith(_PROCESSES)
                if not (
                    self._is_library(asks, is_free=is_free)
                    or (event.startswith("ctypes.") and self._is_of_library(asks))
                ):
                    raise refused(event.replace("builtins.", ""))
            if event == "open":
                self._open(*arguments)
            if event == "import" and arguments[0] in ("numpy", "numpy.random") and not self._is_loading:
                importlib.import_module("numpy.random")
                _replace([*replaced_numpy(self._refusing), *filled_numpy(), *generators()])
        finally:
            self._inside = False

    def _open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int):
            raise refused("a file by its descriptor")
        name = os.path.realpath(os.fsdecode(path))
        writes = isinstance(mode, str) and set(mode) & set("wax+")
        if writes or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)):
            raise refused(f"writing {name!r}")
        if not name.startswith(self._readable) and not self._is_library(sys._getframe(2)):
            raise refused(f"reading {name!r}, which is not beside the code,")

    def _for_own_code(
        self, name: str, function: Callable[[Any], Any], is_stable: Callable[[Any], bool]
    ) -> Callable[[Any], Any]:
        def called(value: Any) -> Any:
            file = sys._getframe(1).f_code.co_filename
            if self._is_own(file) and not is_stable(value):
                raise refused(f"{name} of {with_article(type(value))}")
            return function(value)

        return called


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _replace(pairs: Sequence[tuple[Any, Any]]) -> None:
    """Put the second object of each pair in the place of the first, but in the libraries themselves."""

    def is_spared(holder: Any) -> bool:
        return isinstance(holder, FunctionType) and _is_spared(holder.__module__)

    replace_references(pairs, _libraries(pairs), is_spared)


def _is_spared(module: str | None) -> bool:
    """Whether a module is the standard library's, or ours."""
    return (module or "").partition(".")[0] in (*sys.stdlib_module_names, "stirred")


def _libraries(replaced: Sequence[tuple[Any, Any]]) -> list[Any]:
    """What keeps what it has: the names of the modules of the standard library, and the refusals themselves."""
    refusing = [one for _, one in replaced if isinstance(one, FunctionType)]
    cells = {id(cell): cell for function in refusing for cell in function.__closure__ or ()}
    modules = {id(vars(module)): vars(module) for name, module in list(sys.modules.items()) if _is_spared(name)}
    return [*modules.values(), *cells.values()]
