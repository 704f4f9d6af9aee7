"""Doubles that were computed before the call: they stand for what their expressions mean, which are evaluated again.

So do those of modules, classes and defaults, in lists, dicts, arrays and objects of the program's own. What stands in
no such place, or is assigned twice, is known to lie near its double.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from stirred.mechanisms.reading.asked import GENERATOR, PYTHON, SECRETS, STATE
from stirred.mechanisms.reading.assignments import Assigned, assignment
from stirred.mechanisms.reading.draw_laws import TABLES
from stirred.mechanisms.reading.functions import Frame, Written, written
from stirred.mechanisms.reading.refusal import GENERATORS, PLAIN, DrawnBefore, Refusal, Reopened
from stirred.mechanisms.reading.shadows import Shadows

_DEEPEST = 4
_MOST = 256
_FLOATS = (float, np.floating)
_HOLDING = (list, tuple, dict)
_OTHERS = frozenset((FunctionType, BuiltinFunctionType, ModuleType, type))

_DRAWS = {name for kind in (GENERATOR, STATE, PYTHON, SECRETS) for name in TABLES[kind]} | {"rvs"}
_drawing: dict[ast.AST, bool] = {}
"""By expressions and functions: whether they draw."""

_known: dict[tuple[int, int], tuple[Any, list[tuple[Any, Any]]]] = {}
"""By the values of one process and what is assigned: what was found out of their parts."""


class Constants:
    """Says what the constants of a program stand for.

    Args:
        evaluated: the value of an expression in a frame, for which nothing is drawn.
        shadows: where it is noted.
        is_own: whether a file is the program's own.
    """

    def __init__(
        self, evaluated: Callable[[ast.expr, Frame], Any], shadows: Shadows, is_own: Callable[[str], bool]
    ) -> None:
        self._evaluated = evaluated
        self._shadows = shadows
        self._is_own = is_own

    def of_module(self, name: str, names: dict[str, Any], file: str) -> Any:
        """The value that a module has by a name."""
        value = names[name]
        if type(value) in GENERATORS or (type(value) not in _OTHERS and self._may_be_drawn(value)):
            assigned, frame = assignment(file, name), Frame({}, None, None, names, file)
            if type(value) in GENERATORS:
                return self._evaluated(assigned, frame) if isinstance(assigned, ast.Call) else value
            if self._is_unknown(value) or self._draws(assigned, names):
                self._note(value, assigned, frame, name)
        return value

    def of_attribute(self, holder: Any, name: str, value: Any) -> Any:
        """The value of an attribute, of a module or a class of the program's own."""
        if not self._may_be_drawn(value) and type(value) not in GENERATORS:
            return value
        if isinstance(holder, ModuleType):
            file = getattr(holder, "__file__", None) or ""
            return self.of_module(name, vars(holder), file) if self._is_own(file) else value
        kind = holder if isinstance(holder, type) else type(holder)
        owner = next((one for one in kind.__mro__ if vars(one).get(name) is value), None)
        module = sys.modules.get(getattr(owner, "__module__", ""))
        file = getattr(module, "__file__", None) or ""
        if owner is not None and module is not None and self._is_own(file):
            assigned = assignment(file, name, owner.__qualname__)
            if self._is_unknown(value) or self._draws(assigned, vars(module)):
                self._note(value, assigned, Frame({}, None, None, vars(module), file), name)
        return value

    def of_defaults(self, source: Written) -> Written:
        """A function, of whose defaults it is now known what they stand for."""
        given = source.node.args
        places = [*given.posonlyargs, *given.args][::-1]
        written = [
            *zip(places, given.defaults[::-1], strict=False),
            *zip(given.kwonlyargs, given.kw_defaults, strict=True),
        ]
        for parameter, node in written:
            value = source.defaults.get(parameter.arg)
            if self._is_unknown(value) or self._draws(node, source.module):
                self._note(value, node, Frame({}, None, source.outer, source.module, source.file), parameter.arg)
        return source

    def _draws(self, node: ast.AST | None, names: Mapping[str, Any]) -> bool:
        """Whether an expression, or a function of the program's that it calls, has a call by the name of a draw."""
        if node is not None and node not in _drawing:
            _drawing[node] = self._has_draws(node, names, ())
        return node is not None and _drawing[node]

    def _has_draws(self, node: ast.AST, names: Mapping[str, Any], inside: tuple[ast.AST, ...]) -> bool:
        calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)] if node not in inside else []
        texts = [ast.unparse(one.func) for one in calls]
        if any(text.rpartition(".")[2] in _DRAWS for text in texts):
            return True
        called = [names.get(text) for text in texts]
        functions = [part for one in called for part in (vars(one).values() if isinstance(one, type) else [one])]
        own = [one for one in functions if isinstance(one, FunctionType) and self._is_own(one.__code__.co_filename)]
        sources = [source for one in own if (source := written(one)) is not None]
        return any(self._has_draws(one.node, one.module, (*inside, node)) for one in sources)

    def _may_be_drawn(self, value: Any) -> bool:
        """Whether a value is a number, text, or holds some, or is an object of the program's own."""
        kind = type(value)
        is_own = kind not in PLAIN and self._is_own(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
        return kind in PLAIN or kind in _HOLDING or kind is np.ndarray or is_own

    def _is_unknown(self, value: Any, depth: int = _DEEPEST) -> bool:
        """Whether there are doubles in a value that stand for no decimals, and of which nothing is known."""
        shadows = self._shadows
        if shadows.are_doubles:
            return False
        if isinstance(value, _FLOATS):
            return not shadows.is_noted(value) and not shadows.is_written(float(value))
        if isinstance(value, np.ndarray):
            is_small = value.dtype.kind == "f" and value.size <= _MOST and not shadows.is_noted(value)
            return is_small and not all(map(shadows.is_written, value.ravel().tolist()))
        return depth > 0 and any(self._is_unknown(one, depth - 1) for one in self._members(value).values())

    def _members(self, value: Any) -> Mapping[Any, Any]:
        if isinstance(value, _HOLDING) and len(value) <= _MOST:
            return value if isinstance(value, dict) else dict(enumerate(value))
        is_own = self._is_own(getattr(sys.modules.get(type(value).__module__), "__file__", None) or "")
        return getattr(value, "__dict__", {}) if is_own else {}

    def _note(self, value: Any, assigned: Assigned | None, frame: Frame, name: str) -> None:
        key = id(value), id(assigned)
        if key not in _known:
            _known[key] = value, []
            try:
                again = self._again(assigned, frame, name)
            except (Reopened, DrawnBefore):
                raise
            except (Refusal, Exception):  # it stays as it is
                return
            _known[key][1].extend(self._pairs(value, again, _DEEPEST))
        for part, exact in _known[key][1]:
            self._shadows.note(part, exact)

    def _again(self, assigned: Assigned | None, frame: Frame, name: str) -> Any:
        if isinstance(assigned, ast.ImportFrom):
            first = next(one.name for one in assigned.names if (one.asname or one.name) == name)
            package = str(frame.module.get("__package__") or "").split(".")
            above = package[: len(package) - assigned.level + 1] if assigned.level else []
            module = sys.modules[".".join([*above, *([assigned.module] if assigned.module else [])])]
            return self.of_attribute(module, first, getattr(module, first))
        return None if assigned is None else self._evaluated(assigned, frame)

    def _pairs(self, value: Any, again: Any, depth: int) -> Iterator[tuple[Any, Any]]:
        """The doubles of a value, with what those of an equal one stand for."""
        if type(value) is not type(again) or not depth:
            return
        if isinstance(value, _FLOATS) and value == again:
            yield value, self._shadows.of(again)
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.array_equal(value, again):
            yield value, self._shadows.cells(again)
        elif not isinstance(value, np.ndarray):
            ours, theirs = self._members(value), self._members(again)
            for key in ours.keys() & theirs.keys():
                yield from self._pairs(ours[key], self.of_attribute(again, str(key), theirs[key]), depth - 1)
