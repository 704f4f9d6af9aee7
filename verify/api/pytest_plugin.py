"""The pytest plugin: claims on mechanisms are collected as tests, and audits in tests fail with their inequality.

@stirred.satisfies(…) on a mechanism    a test for each claim, in modules that pytest collects
stirred_audit                           a fixture: `stirred.assert_satisfies` that records the budget for JUnit
@pytest.mark.stirred_slow               skipped unless --stirred-slow or -m stirred_slow is given

The summary names claims that were stated but neither collected nor checked, without failing the run: of a test module
if all of its tests passed, of other modules if all tests did. A test that was deselected may check them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # nothing of ours is loaded before pytest knows where the packages under test are
    from stirred.verify.api.result import AuditResult

_SLOW = "stirred_slow"
_SEEN = pytest.StashKey[dict[str, set[Any]]]()
_LOOSE = (
    "stirred: the claims on {} were stated, and neither collected nor checked: {}: pytest collects functions of test "
    "modules and methods of classes named Test…, and stirred.check(…) checks others"
)
_MOST_NAMED = 10
_NO_TESTS = (".*", "__pycache__", "build", "dist", "node_modules", "venv")  # pytest leaves such folders alone


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare --stirred-slow."""
    parser.getgroup("stirred").addoption(
        "--stirred-slow", action="store_true", help="also run audits marked stirred_slow"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", f"{_SLOW}: a slow audit, skipped unless --stirred-slow is given")
    config.stash[_SEEN] = {name: set() for name in ("stated", "met", "files", "tests", "passed")}


@pytest.hookimpl(wrapper=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> Generator[None, Any, Any]:
    """Remember test modules that are ignored."""
    is_ignored = yield
    if is_ignored and not any(map(collection_path.match, _NO_TESTS)) and not (collection_path / "pyvenv.cfg").exists():
        files = collection_path.rglob("*.py") if collection_path.is_dir() else (collection_path,)
        if any(file.match(pattern) for file in files for pattern in config.getini("python_files")):
            config.stash[_SEEN]["tests"].add((str(collection_path), ""))
    return is_ignored


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """Remember the collected tests, and modules that fail or skip themselves."""
    report = yield
    tests = [one for one in report.result if isinstance(one, pytest.Item) and not isinstance(one, StirredItem)]
    found = {(str(one.path), one.nodeid) for one in tests} if report.passed else {(str(collector.path), "")}
    collector.config.stash[_SEEN]["tests"] |= found
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Remember the tests that passed."""
    report = yield
    if report.when == "call" and report.passed:
        item.config.stash[_SEEN]["passed"].add((str(item.path), item.nodeid))
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Remember what was stated and checked; an xdist worker sends it."""
    seen, stated = session.config.stash[_SEEN], sys.modules.get("stirred.verify.api.stated")
    if stated is not None:
        seen["stated"] |= stated.STATED
        seen["met"] |= stated.MET
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["stirred"] = {name: sorted(places) for name, places in seen.items()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive what an xdist worker has seen."""
    for name, places in getattr(node, "workeroutput", {}).get("stirred", {}).items():
        node.config.stash[_SEEN][name] |= set(map(tuple, places))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    """Name the claims that nothing collected or checked."""
    if exitstatus == pytest.ExitCode.INTERRUPTED or config.getoption("lf", False) or "::" in " ".join(config.args):
        return
    seen = config.stash[_SEEN]
    left = {(file,) for file, _ in seen["tests"] - seen["passed"]}
    is_all = config.args_source is not config.ArgsSource.ARGS and config.invocation_params.dir == config.rootpath
    loose: dict[str, str] = {}
    for file, line, name, budget in sorted(seen["stated"] - seen["met"]):
        path = Path(file)
        is_own = path.is_relative_to(config.rootpath) and "site-packages" not in path.parts
        if (file,) in seen["files"] - left or (is_all and not left and is_own):
            place = f"{path.relative_to(config.rootpath) if is_own else path}:{line} {name}"
            loose[place] = f"{loose[place]}; {budget}" if place in loose else f"{place} ({budget}"
    if loose:
        named = "), ".join(list(loose.values())[:_MOST_NAMED]) + ("), …" if len(loose) > _MOST_NAMED else ")")
        count = f"{len(loose)} mechanism{'s' if len(loose) > 1 else ''}"
        terminalreporter.write_line(_LOOSE.format(count, named), yellow=True)


def pytest_collection_modifyitems(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Skip slow audits unless they are asked for."""
    if config.getoption("--stirred-slow") or _SLOW in config.getoption("markexpr", ""):
        return
    skip = pytest.mark.skip(reason="a slow audit: run it with --stirred-slow")
    for item in items:
        if item.get_closest_marker(_SLOW) is not None:
            item.add_marker(skip)


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[StirredItem] | None:
    """A test for each claim on a mechanism."""
    from stirred.verify.api.stated import place_of, stated_claims  # noqa: PLC0415

    seen = collector.config.stash[_SEEN]
    seen["files"].add((str(collector.path),))
    inner = obj.__func__ if isinstance(obj, (staticmethod, classmethod)) else None
    claims = stated_claims(obj) or stated_claims(inner)
    if not claims:
        return None
    for stated in claims:
        seen["met"] |= place_of(obj, stated.budget)
    mechanism = getattr(collector.obj(), name) if isinstance(collector, pytest.Class) else obj
    named = [f"{name}[{_named(stated, number, len(claims))}]" for number, stated in enumerate(claims)]
    return [
        StirredItem.from_parent(collector, name=one, mechanism=mechanism, stated=stated)
        for one, stated in zip(named, claims, strict=True)
    ]


def _named(stated: Any, number: int, total: int) -> str:
    """The part of a test's name that identifies its claim."""
    claim = stated.claim
    budget = next((one for one in (claim.epsilon, claim.rho, claim.mu) if one is not None), "curve")
    return f"{budget}" if total == 1 else f"{number}-{budget}"


class StirredItem(pytest.Item):
    """One claim on a mechanism as a test."""

    def __init__(self, *, mechanism: Callable[..., Any], stated: Any, **more: Any) -> None:
        super().__init__(**more)
        self.obj = mechanism
        self._stated = stated
        self.own_markers.extend(getattr(mechanism, "pytestmark", ()))

    def runtest(self) -> None:
        """Check the claim, and record its budget for JUnit."""
        from stirred.verify.api.decorator import check_stated  # noqa: PLC0415

        found = check_stated(self.obj, self._stated)
        self.user_properties += _properties(found)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Pair, event and inequality, without our traceback."""
        from stirred.spec.arguments import InputError  # noqa: PLC0415

        if isinstance(excinfo.value, (AssertionError, InputError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file and the line of the mechanism."""
        try:
            file = inspect.getsourcefile(self.obj)
            line = inspect.getsourcelines(self.obj)[1] - 1
        except (OSError, TypeError):
            file, line = None, 0
        return Path(file) if file is not None else self.path, line, self.name


def _properties(found: AuditResult) -> list[tuple[str, object]]:
    return [
        ("stirred.claimed", found.claimed),
        ("stirred.needed", found.needed),
        ("stirred.verdict", found.verdict.name),
        ("stirred.scope", found.scope),
    ]


@pytest.fixture
def stirred_audit(request: pytest.FixtureRequest) -> Callable[..., AuditResult]:
    """`stirred.assert_satisfies`, which also records verdict, budget and scope as properties of the test."""
    from stirred.verify.api.audits import assert_satisfies  # noqa: PLC0415

    def audited(mechanism: Callable[..., Any], **claim: Any) -> AuditResult:
        __tracebackhide__ = True
        found = assert_satisfies(mechanism, **claim)
        request.node.user_properties += _properties(found)
        return found

    return audited
