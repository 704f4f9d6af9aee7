"""What a mechanism may not draw on besides its data and its source.

That is other randomness, the clock, the environment, addresses, hashes, memory, files elsewhere and what the system
says of any file, threads and processes. All of it is refused before the user's module is imported, by replacing
functions of the standard library and of NumPy, and by an audit hook of the interpreter. It is no wall against code that
wants to get around it: the kernel's filter (`laws.sandbox.confinement`) keeps such code from doing harm, and two runs
in processes with different hash seeds, compared run by run, from hiding what it does at random.
"""

import builtins
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from stirred.verify.laws.sandbox.builtin_slots import replace_method
from stirred.verify.laws.sandbox.confinement import confine
from stirred.verify.laws.sandbox.own_code import PACKAGES, OwnParts, own_code
from stirred.verify.laws.sandbox.references import replace_names
from stirred.verify.laws.sandbox.refused import EVENTS, functions, refused, with_article
from stirred.verify.laws.sandbox.set_orders import SetOrders, has_stable_hash
from stirred.verify.laws.sandbox.unwritten import filled_numpy

_NAMING = ("importlib.resources", "linecache", "logging", "tokenize", "traceback", "warnings")
"""Modules that ask the system on their own account: to find, to log and to show what the user's code is."""

_OF_LIBRARIES = ("secrets.token_hex", "secrets.token_urlsafe", "uuid.uuid1", "uuid.uuid4", "ctypes.")
"""What libraries name their own things by, and call their compiled code with: no draw where a library asks."""

_SHOWING = {
    **dict.fromkeys(("threading.get_ident", "_thread.get_ident"), "get_ident"),
    "sys.getrefcount": "getrefcount",
    "os.get_terminal_size": "get_terminal_size",
    "datetime.datetime": "guess_datetime_format",
    "time.time": "read_low_memory",
}
"""What libraries ask to show a value, to warn, to guess a format or to time themselves, by what their code names."""

_OF_A_TIME = {"time.strftime": 2, "time.gmtime": 1, "time.localtime": 1, "time.ctime": 1, "time.asctime": 1}
"""Functions that read no clock where they are given the time, as the last of so many arguments."""

_ADDRESSED = (object, FunctionType, MethodType, GeneratorType)
"""Kinds whose text shows their address."""

_PROCESSES = (
    *("os.exec", "os.fork", "os.kill", "os.posix_spawn", "os.spawn", "os.system", "pty.", "socket.", "subprocess."),
)
"""What is refused to the user's code while it is imported, too."""

_OF_READING = (
    ("a generator's state", "stirred.mechanisms.reading.draws"),
    ("sys.settrace", "stirred.mechanisms.reading.refusal"),
)
"""It looks whether a module has set a seed, and that Python runs none of the code that is read."""

_HARMLESS = ("os.chdir", "os.putenv", "os.unsetenv")
_WATCHED = (*EVENTS, "open", "import")

for _name in ("datetime", "pickle", "resource", "threading", "time", "uuid"):  # so that a call finds them refused
    with suppress(ImportError):  # not on every system
        importlib.import_module(_name)


class Refusals:
    """Confines this process, and refuses what is not the source's, from now on and for good.

    Args:
        folder: where the user's code is; files there, and those of modules, may be read. `id` and `hash` of values that
            have no stable ones are refused to the user's own code alone.
        is_loaded: whether the user's code is loaded already, and may refer to what is refused by names of its own.

    Attributes:
        said: whether the system confines the process, and the order of sets is refused in every known way.
    """

    def __init__(self, folder: Path, *, is_loaded: bool = False) -> None:
        readable = [folder, *PACKAGES, *map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix))]
        readable += [Path(entry) for entry in sys.path if entry and Path(entry).is_dir()]
        self._readable = tuple(f"{one.resolve()}{os.sep}" for one in readable)
        self._is_own = own_code(folder)
        self._inside = False
        self._unwatched = set(_HARMLESS)
        self._watched: dict[str, bool] = {}
        self._is_loading = True
        is_confined = confine()
        self._replaced_first = list(self._replaced())
        os.environ.pop("PYTHONHASHSEED", None)  # the one variable in which two processes differ
        for name in ("__getitem__", "__iter__", "__len__", "__repr__", "copy"):
            setattr(type(os.environ), name, self._read_environment(getattr(type(os.environ), name)))
        vars(sys.modules[os.name])["environ"] = {}
        plain = {"id": builtins.id, "hash": builtins.hash}
        builtins.id = self._for_own_code("id", builtins.id, lambda _: False)
        builtins.hash = self._for_own_code("hash", builtins.hash, has_stable_hash)
        for kind in _ADDRESSED:
            replace_method(kind, "__repr__", self._for_own_code("repr", kind.__repr__, lambda _: False))
        sets = SetOrders(self._is_own)
        of_sets = sets.begin()
        plain.update((original.__name__, original) for original, _ in of_sets)
        for module in _arithmetic():  # which asks at every step, and never on behalf of the user's code
            vars(module).update(plain)
        if is_loaded:
            self._end_loading(of_sets)
        sys.addaudithook(self._hook)
        self._parts = OwnParts()
        self.said = {"confined": is_confined, "watched": sets.is_whole}

    def loaded(self) -> None:
        """The code is imported, and its calls follow, to which what was free before is refused.

        Raises:
            InputError: it has replaced functions of this program.
        """
        self._parts.check_unchanged()
        self._end_loading()

    def _end_loading(self, of_sets: Sequence[tuple[Any, Any]] = ()) -> None:
        """Refuse to the calls also what was loaded since, and by the names that the code has for it."""
        self._is_loading = False
        replaced = [*self._replaced_first, *of_sets, *self._replaced(), *filled_numpy(self._is_own)]
        replace_names(replaced, _is_spared)

    def _replaced(self) -> Iterator[tuple[Any, Any]]:
        """Every function of the loaded modules that is refused, with what has taken its place now."""
        for what, holder, name in functions():
            original = vars(holder)[name] if name in vars(holder) else getattr(holder, name)
            function = getattr(original, "__func__", getattr(original, "fget", original))
            if getattr(function, "__module__", None) == __name__:
                continue  # it is refused already
            if not isinstance(holder, type):
                setattr(holder, name, self._refusing(what, original))
                yield original, getattr(holder, name)
            else:  # whoever refers to a method does so by its class, which is changed itself: compiled code knows it
                replace_method(holder, name, self._refused_part(what, original))

    def _refused_part(self, what: str, original: Any) -> Any:
        """What takes the place of a method, of one of a class, or of an attribute."""
        if "classmethod" in type(original).__name__:
            return classmethod(
                self._refusing(what, lambda kind, *given, **more: original.__get__(None, kind)(*given, **more))
            )
        if callable(original):
            return self._refusing(what, original)
        return property(self._refusing(what, original.__get__))

    def _refusing(self, what: str, original: Callable[..., Any]) -> Callable[..., Any]:
        """The function, refused to all but those that are free to ask."""

        def called(*arguments: Any, **named: Any) -> Any:
            is_told = arguments[_OF_A_TIME.get(what, sys.maxsize) - 1 :] not in ((), (None,))
            if self._inside or is_told or self._is_free(what, sys._getframe(1)):
                return original(*arguments, **named)
            raise refused(what)

        called.__name__ = what.rpartition(".")[2]
        vars(called)["original"] = original  # by which arguments are checked
        return called

    def _is_free(self, what: str, frame: FrameType | None) -> bool:
        """Whether a caller may ask: this package, what shows code, code that is being imported, some of libraries."""
        if frame is not None and (what, _module_of(frame)) in _OF_READING:
            return True
        if self._is_loading and not what.startswith(_PROCESSES):
            return True
        asking = frame
        while asking is not None and _module_of(asking) == "threading":  # which answers for who asks it
            asking = asking.f_back
        if asking is not None and _module_of(asking).startswith(_NAMING):
            return True
        is_standard = True  # so far nothing but the standard library has been met
        while frame is not None:
            file, module = frame.f_code.co_filename, _module_of(frame)
            if self._is_own(file):
                return False
            if file == "<frozen importlib._bootstrap>" or (
                is_standard and module.startswith(("stirred.verify.laws.sandbox.", "stirred.verify.laws."))
            ):
                return True
            is_standard = is_standard and module.partition(".")[0] in sys.stdlib_module_names
            if not is_standard and what.startswith(_OF_LIBRARIES):
                return True
            is_showing = not is_standard or module in ("dataclasses", "reprlib")
            if is_showing and _SHOWING.get(what) in frame.f_code.co_names:
                return True
            frame = frame.f_back
        return False

    def _read_environment(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """The method, refused where the user's code reads the environment, of which libraries see what is always so."""

        def read(*arguments: Any) -> Any:
            frame = sys._getframe(1)
            while _module_of(frame) in ("os", "collections.abc") and frame.f_back is not None:
                frame = frame.f_back
            if not self._is_loading and self._is_own(frame.f_code.co_filename):
                names = frame.f_code.co_names  # compiled code of libraries, too, asks from here
                known = {name for name in names if frame.f_globals.get(name) is os.environ}
                if known or not {"environ", "environb", "getenv", "getenvb"}.isdisjoint(names):
                    raise refused("the environment")
            return original(*arguments)

        return read

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in self._unwatched or self._inside:
            return
        if event not in self._watched:
            if not event.startswith(_WATCHED):
                self._unwatched.add(event)  # `id` raises one, and whoever looks at a frame
                return
            self._watched[event] = event.startswith(EVENTS)
        self._inside = True
        try:
            if self._watched[event] and not self._is_free(event, sys._getframe(1)):
                raise refused(event)
            if event == "open":
                self._open(*arguments)
            if event == "import" and arguments[0] in ("numpy", "numpy.random") and not self._is_loading:
                importlib.import_module("numpy.random")
                self._end_loading()
        finally:
            self._inside = False

    def _open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int):
            raise refused("a file by its descriptor")
        name = os.path.realpath(os.fsdecode(path))
        writes = isinstance(mode, str) and set(mode) & set("wax+")
        if writes or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)):
            raise refused(f"writing {name!r}")
        if not name.startswith(self._readable) and not self._is_free("reading", sys._getframe(2)):
            raise refused(f"reading {name!r}, which is not beside the code,")

    def _for_own_code(
        self, name: str, function: Callable[[Any], Any], is_stable: Callable[[Any], bool]
    ) -> Callable[[Any], Any]:
        def called(value: Any) -> Any:
            if self._is_own(sys._getframe(1).f_code.co_filename) and not is_stable(value):
                raise refused(f"{name} of {with_article(type(value))}")
            return function(value)

        called.__module__, called.__name__ = "builtins", name
        return called


def _arithmetic() -> list[ModuleType]:
    """What computes laws: the modules of this program that are loaded, and the standard library's fractions."""
    return [module for name, module in sys.modules.items() if name.startswith("stirred.") or name == "fractions"]


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_spared(module: str) -> bool:
    """Whether a module is the standard library's, or ours: these keep what they have."""
    package = module.partition(".")[0]
    return package == "stirred" or package in sys.stdlib_module_names
