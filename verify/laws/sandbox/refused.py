"""What is refused, and what to write instead: raised, and remembered, since code can catch it and go another way."""

import os
import random
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stirred.spec.arguments import InputError

REFUSED: list[InputError] = []
"""What was refused in this process so far."""


def _name(module: str, name: str) -> str:
    """How a function is called in messages: a method by its class."""
    return f"{module}.{name.rpartition('.')[0] or name}"


@dataclass(frozen=True)
class Refusable:
    """A kind of things that the law of a mechanism would silently depend on.

    Attributes:
        kind: in words, as the guide lists it.
        remedy: what to write instead.
        functions: by their modules; methods with their classes.
        events: what events of the interpreter's audit begin with; its documentation lists them.
        words: what else of this kind begins with.
    """

    kind: str
    remedy: str
    functions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def beginnings(self) -> tuple[str, ...]:
        """What names of this kind begin with; the first kind that fits is a name's."""
        named = (_name(module, name) for module, names in self.functions.items() for name in names)
        return *named, *self.events, *self.words


_DRAWING = ("random", "getrandbits", "randbytes", "getstate")
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime", "clock_settime")
_DATES = ("localtime", "gmtime", "ctime", "asctime", "strftime", "sleep")

_OF_CONNECTIONS = (
    *(f"Connection.{name}" for name in ("__call__", "cursor", "execute", "executemany", "executescript", "iterdump")),
    *(f"Cursor.{name}" for name in ("__next__", "execute", "executemany", "executescript")),
    *(f"Cursor.{name}" for name in ("fetchall", "fetchmany", "fetchone")),
)
"""Connections that were made before answer with the time, at random, and by what was asked before."""

RANDOMNESS = Refusable(
    "other randomness",
    "take the generator as a parameter: def f(data, rng: np.random.Generator)",
    {
        "_random": ("Random",),
        "random": (
            *(name for name in random.__all__ if name not in ("Random", "SystemRandom")),
            *(f"{kind}.{name}" for kind in ("Random", "SystemRandom") for name in _DRAWING),
        ),
        "secrets": [name for name in secrets.__all__ if name not in ("SystemRandom", "compare_digest")],
        "uuid": ("uuid1", "uuid4", "getnode"),
        "_uuid": ("generate_time_safe",),
        "os": ("urandom", "getrandom"),
        "ssl": ("RAND_bytes",),
        "_ssl": ("RAND_bytes",),
    },
    words=("numpy.random", "a generator's "),
)

REFUSABLE = (
    RANDOMNESS,
    Refusable(
        "clocks",
        "give the time as a parameter",
        {
            "time": (*_CLOCKS, *(f"{name}_ns" for name in _CLOCKS), *_DATES),
            "os": ("times", "clock_gettime", "clock_gettime_ns"),
            "datetime": ("datetime.now", "datetime.utcnow", "date.today"),
        },
        words=("numpy.datetime64", "datetime.", "date."),
    ),
    Refusable("the order of sets", "iterate over sorted(…)", words=("the order of a set",)),
    Refusable(
        "addresses and hashes",
        "compare the values themselves",
        {
            "pickle": ("dump", "dumps", "Pickler.dump", "_Pickler.dump"),
            "_pickle": ("dump", "dumps"),
            "sys": ("getallocatedblocks", "getrefcount"),
        },
        words=("id of", "hash of", "repr of"),
    ),
    Refusable(
        "threads and other processes",
        "compute it in the call itself",
        {
            "_thread": ("get_ident", "get_native_id"),
            "threading": ("get_ident", "get_native_id"),
            "concurrent.futures.thread": ("ThreadPoolExecutor.__init__",),
            "concurrent.futures.process": ("ProcessPoolExecutor.__init__",),
            "multiprocessing.context": ("BaseContext.Pool", "BaseContext.Manager", "Process.start"),
        },
        (
            *("_thread.start_new_thread", "os.exec", "os.fork", "os.kill", "os.posix_spawn", "os.spawn", "os.system"),
            *("pty.", "signal.", "subprocess."),
        ),
    ),
    Refusable("the network", "read it before, and give it as a parameter", events=("socket.",)),
    Refusable(
        "writing files",
        "return what is to be released",
        {"tempfile": ("TemporaryDirectory.__init__", "_RandomNameSequence.__next__")},
        ("tempfile.", "shutil.", "os.mkdir"),
        ("writing ",),
    ),
    Refusable(
        "reading files",
        "read it while the module is imported, or keep the file beside the code",
        {
            "os": ("stat", "lstat", "fstat", "statvfs", "fstatvfs", "access", "readlink"),
            "readline": ("read_history_file", "read_init_file"),
            **dict.fromkeys(("sqlite3", "_sqlite3"), _OF_CONNECTIONS),
        },
        ("sqlite3.", "os.listdir", "os.scandir"),
        ("reading ", "a file"),
    ),
    Refusable("the person at the keyboard", "give it as a parameter", events=("builtins.input",)),
    Refusable(
        "the system and its environment",
        "give it as a parameter",
        {
            "os": (
                *("getpid", "getppid", "getpgid", "getpgrp", "getsid", "getuid", "geteuid", "getgid", "getegid"),
                *("getcwd", "getcwdb", "cpu_count", "sched_getaffinity", "getlogin", "getpriority", "getloadavg"),
                *("isatty", "ttyname", "get_terminal_size", "sysconf", "uname"),
            ),
            "gc": ("get_count", "get_stats"),
            "importlib": ("reload",),
            "resource": ("getrusage",),
        },
        ("ctypes.", "gc.get_", "os.", "resource.", "sys.setprofile", "sys.settrace"),
        ("the environment",),
    ),
)

EVENTS = tuple(event for one in REFUSABLE for event in one.events)


def functions() -> Iterator[tuple[str, Any, str]]:
    """Functions that are refused, of the modules that are loaded: what each is called, who holds it, by which name.

    Of numpy.random these are its own functions, not what it imports, and what its classes have: generators that exist
    already refuse by those.
    """
    for one in REFUSABLE:
        for module, names in one.functions.items():
            for loaded in (module, os.name) if module == "os" else (module,):
                for name in names if loaded in sys.modules else ():
                    owner, _, last = name.rpartition(".")
                    holder = getattr(sys.modules[loaded], owner, None) if owner else sys.modules[loaded]
                    if callable(getattr(holder, last, None)):
                        yield _name(module, name), holder, last
    for module in [name for name in sys.modules if f"{name}.".startswith("numpy.random.")]:
        for name, value in list(vars(sys.modules[module]).items()):
            if isinstance(value, type):
                parts = vars(value) if str(value.__module__).startswith("numpy.random.") else {}
                named = [part for part, one in parts.items() if part[:2] != "__" and hasattr(one, "__get__")]
                yield from ((f"a generator's {part}", value, part) for part in named)
            elif callable(value) and f"{getattr(value, '__module__', None) or module}.".startswith("numpy.random."):
                yield f"{module}.{name}", sys.modules[module], name


def refused(what: str) -> InputError:
    """The refusal to be raised, with what to write instead."""
    remedy = next((f"; {one.remedy}" for one in REFUSABLE if what.startswith(one.beginnings)), "")
    REFUSED.append(InputError(f"{what} is refused: a mechanism must depend on its data and its source only{remedy}"))
    return REFUSED[-1]


def never(what: str) -> Callable[..., Any]:
    """What takes the place of a function that nobody may call."""

    def called(*_: Any, **__: Any) -> Any:
        raise refused(what)

    return called


def with_article(kind: type) -> str:
    """The name of a kind as messages say it: "an int"."""
    return f"{'an' if kind.__name__[:1].lower() in 'aeiou' else 'a'} {kind.__name__}"
