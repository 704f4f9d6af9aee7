"""Mutation runs: one operator, constant or statement of an engine is changed at a time, and the area's tests must fail.

    PYTHONPATH=tests python -m quality.mutants RESULTS [--every N] [--listed] [MODULE ...]

appends one JSON line for each mutant to RESULTS and goes on where an earlier run stopped; `--every` takes a sample.
The tree is copied first; each mutant runs the tests of its area with -x in a forked process under limits of processor
time, Hypothesis derandomised, and first the tests that failed most often for the time they take. The survivors that
`surviving_mutants.txt` explains are passed over, unless `--listed`. (`mutmut` 3 leaves out decorated functions.)
"""

import argparse
import ast
import copy
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from quality.mutated_areas import AREAS, ROOT
from started import linked

SURVIVORS = Path(__file__).with_name("surviving_mutants.txt")

_TRIED = {"_GROWTHS", "_LOST", "_least", "_PARTS", "_SHORT", "_SMALLEST", "_UNIT", "_weights"}
"""What a search tries, and when it stops: another list finds other certificates, and what it accepts is tested."""

_LIMITS = {"DEFAULT_CHOICE_BUDGET", "MAX_TABLES", "_EXTRA_ORDER", "_rough_minutes", "_shapes"}
_LIMITING = ("_MAX_", "_MOST_", "_FEWEST_")
"""Limits of cost: beyond one the answer is a refusal or OPEN, or takes longer."""

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
}
_NAMES = {"max": "min", "min": "max", "any": "all", "all": "any"}
_UNTOUCHED = (ast.Raise, ast.JoinedStr, ast.arguments, ast.Import, ast.ImportFrom)
"""Messages, signatures and imports decide nothing."""

_EXCHANGEABLE = {"gcd", "lcm"}
"""Functions of two arguments in any order."""


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """The mutants of a module: a name, "function: line before => line after", and the changed source."""
    tree = ast.parse(source)
    before = [ast.unparse(statement) for statement in tree.body]
    seen: Counter[str] = Counter()
    for path, scope in list(_places(tree, (), "module")):
        named = _named(tree.body[path[1]]) or ""
        if named in _TRIED | _LIMITS or named.startswith(_LIMITING):
            continue
        node, parent, key = _at(tree, path), _at(tree, path[:-1]), path[-1]
        place = path[1]  # of the statement of the module; path[0] is its body
        for changed in _variants(node):
            _put(parent, key, ast.fix_missing_locations(changed))
            text = ast.unparse(tree.body[place])
            _put(parent, key, node)
            lines = zip(before[place].splitlines(), text.splitlines(), strict=False)
            pair = next(((a, b) for a, b in lines if a != b), None)
            if pair is None:
                continue  # the same program
            name = f"{scope}: {pair[0].strip()} => {pair[1].strip()}"
            seen[name] += 1
            whole = "\n".join((*before[:place], text, *before[place + 1 :]))
            yield name if seen[name] == 1 else f"{name} ({seen[name]})", whole


def _named(statement):
    """The name that a statement of a module gives."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return getattr(statement, "name", None)


def _put(parent, key, node):
    if isinstance(parent, list):
        parent[key] = node
    else:
        setattr(parent, key, node)


def _places(node, path, scope):
    """Every node that may be changed, by the fields that lead to it, with the function around it."""
    if isinstance(node, _UNTOUCHED) or _decides_nothing(node):
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        scope = node.name if scope == "module" else f"{scope}.{node.name}"
    if isinstance(node, list):
        parts = list(enumerate(node))
    else:
        if path and isinstance(path[-1], (str, int)):
            yield path, scope
        skipped = {"annotation", "returns", "decorator_list", "type_comment", "bases"}
        parts = [(name, value) for name, value in ast.iter_fields(node) if name not in skipped]
    for key, value in parts:
        if isinstance(value, (ast.AST, list)):
            yield from _places(value, (*path, key), scope)


def _decides_nothing(node):
    """Whether lengths are asserted to be equal (`strict` of `zip`), or a watcher is told of progress."""
    match node:
        case ast.keyword(arg="strict") | ast.Expr(value=ast.Call(func=ast.Attribute(attr="advance"))):
            return True
    return False


def _at(node, path):
    for key in path:
        node = node[key] if isinstance(node, list) else getattr(node, key)
    return node


def _variants(node: ast.AST) -> Iterator[ast.AST]:  # noqa: PLR0912 one case for each kind of node
    match node:
        case ast.Compare(ops=[*ops]):
            for i, op in enumerate(ops):
                for other in _COMPARISONS[type(op)]:
                    changed = copy.deepcopy(node)
                    changed.ops[i] = other()
                    yield changed
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.BinOp(op=op) if type(op) in _OPERATIONS:
            yield ast.BinOp(node.left, _OPERATIONS[type(op)](), node.right)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id=name)) if name in _NAMES:
            yield ast.Call(ast.Name(_NAMES[name]), node.args, node.keywords)
        case ast.Call(func=ast.Name(id=name), args=[_, _]) if name in _EXCHANGEABLE:
            return
        case ast.Call(args=[first, second], keywords=[]) if not isinstance(second, ast.Starred):
            yield ast.Call(node.func, [second, first], [])
        case ast.AugAssign(op=op) if type(op) in _OPERATIONS:
            yield ast.AugAssign(node.target, _OPERATIONS[type(op)](), node.value)
            yield ast.Pass()
        case ast.Expr(value=ast.Call()) | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.IfExp():
            yield node.body
            yield node.orelse


class Tree:
    """A copy of the repository in which one module at a time is changed."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "tree"
        self.order = Order(directory / "notes.jsonl")
        kept = shutil.ignore_patterns(".git", ".venv", ".hypothesis", "build", "__pycache__", "proofs", "*.egg-info")
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=kept)
        kept = shutil.ignore_patterns("*.vok", "*.vos", "*.glob", "*.aux")
        shutil.copytree(ROOT / "proofs", self.root / "proofs", ignore=kept)
        (self.root / "verify" / "proofs").symlink_to("../proofs")
        self.site = linked(self.root, directory / "site")

    def outcome(self, module: str, limit: int) -> dict[str, object]:
        """How the area's tests end, "passed", "failed" or "out of time", by which test and after which time."""
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            self._test(module, limit)
        while True:
            done, status, used = os.wait4(child, os.WNOHANG)
            if done:
                break
            if time.monotonic() - began > 10 * limit:  # it sleeps
                os.killpg(child, signal.SIGKILL)
            time.sleep(0.01)
        ended = "out of time" if os.WIFSIGNALED(status) else "failed" if os.WEXITSTATUS(status) else "passed"
        by = self.order.learn(failed=ended != "passed")
        return {"outcome": ended, "by": by, "seconds": round(used.ru_utime + used.ru_stime, 2)}

    def _test(self, module: str, limit: int) -> None:
        os.setsid()
        os.chdir(self.root)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        _ = [os.dup2(os.open(os.devnull, os.O_RDWR), descriptor) for descriptor in (0, 1, 2)]
        sys.path.insert(0, str(self.site))
        ours = tuple(f"{ROOT}/{folder}/" for folder in ("spec", "mechanisms", "verify", "tests", "stirred"))
        for name, loaded in list(sys.modules.items()):  # the run that asks has imported what is not changed
            if str(getattr(loaded, "__file__", "")).startswith(ours):
                del sys.modules[name]
        sys.dont_write_bytecode = True  # a mutant of the same second and size would be taken for another
        os.environ["CI"] = "1"
        _do_not_shrink()
        pytest = importlib.import_module("pytest")
        options = ["-q", "-x", "--assert=plain", "-p", "no:cacheprovider"]
        ended = int(pytest.main([*options, *AREAS[module]], plugins=[self.order]))
        imported = getattr(sys.modules.get(f"stirred.{module[:-3].replace('/', '.')}"), "__file__", "")
        # a mutant that cannot be imported fails; one that no test imports must not count as tested
        os._exit(ended if ended or Path(imported).resolve() == self.root / module else 1)


def _do_not_shrink() -> None:
    """Hypothesis stops at the first failure: nobody reads it. The profiles of `conftest.py` inherit this."""
    hypothesis = importlib.import_module("hypothesis")
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutants", phases=phases, report_multiple_bugs=False)
    hypothesis.settings.load_profile("mutants")


class Order:
    """Which tests run first: those that failed most often for the time that they take.

    It is a plugin of pytest in each process; the notes there, a line where a test starts and one where it passes, are
    what it learns from.
    """

    def __init__(self, notes: Path) -> None:
        self.notes = notes
        self.seconds: dict[str, float] = {}
        self.failures: Counter[str] = Counter()

    def learn(self, *, failed: bool) -> str | None:
        """Take over what one process noted; the test that failed or came to no end, if one began."""
        lines = [json.loads(line) for line in self.notes.read_text().splitlines()] if self.notes.exists() else []
        self.notes.unlink(missing_ok=True)
        for test, seconds in lines:
            if seconds is not None:
                self.seconds.setdefault(test, seconds)
        if not failed or not lines or lines[-1][1] is not None:
            return None
        self.failures[lines[-1][0]] += 1
        return lines[-1][0]

    def pytest_collection_modifyitems(self, items: list) -> None:
        items.sort(key=lambda item: (0.05 + self.seconds.get(item.nodeid, 0)) / (0.1 + self.failures[item.nodeid]))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note the start, and end the process where a test takes much longer than where nothing is changed."""
        self.began = time.process_time()
        self._note(nodeid, None)
        signal.setitimer(signal.ITIMER_PROF, 5 * self.seconds[nodeid] + 2 if nodeid in self.seconds else 0)

    def pytest_runtest_logreport(self, report) -> None:
        if report.when == "call" and report.passed:
            self._note(report.nodeid, time.process_time() - self.began)

    def _note(self, test: str, seconds: float | None) -> None:
        with self.notes.open("a") as file:
            file.write(json.dumps((test, seconds)) + "\n")


def survivors(
    module: str, results: Path | None = None, every: int = 1, first: int = 0, passed_over: Iterable[str] = ()
) -> list[str]:
    """The mutants of a module that its tests do not notice, but for some, out of every so many from the first.

    Raises:
        RuntimeError: the tests fail on the module as it is.
    """
    source = (ROOT / module).read_text()
    key = hashlib.sha256(source.encode()).hexdigest()[:12]
    known = _known(results, key) | dict.fromkeys(passed_over, "")
    found = []
    with tempfile.TemporaryDirectory() as directory:
        tree = Tree(Path(directory))
        unchanged = tree.outcome(module, 3600)
        if unchanged["outcome"] != "passed":
            raise RuntimeError(f"the tests of {module} fail before anything is changed: {unchanged}")
        limit = int(3 * unchanged["seconds"]) + 10
        for name, text in islice(mutants(source), first, None, every):
            if name not in known:
                (tree.root / module).write_text(text)
                outcome = tree.outcome(module, limit)
                known[name] = outcome["outcome"]
                _write(results, {"module": module, "source": key, "mutant": name, **outcome})
            if known[name] == "passed":
                found.append(name)
    return found


def _known(results: Path | None, key: str) -> dict[str, str]:
    if results is None or not results.exists():
        return {}
    lines = map(json.loads, results.read_text().splitlines())
    # survivors are tried again: the tests may have become better
    return {line["mutant"]: line["outcome"] for line in lines if line["source"] == key and line["outcome"] != "passed"}


def _write(results: Path | None, line: dict[str, object]) -> None:
    if results is not None:
        with results.open("a") as file:
            print(json.dumps(line), file=file)


def explained() -> dict[str, dict[str, str]]:
    """The survivors that are listed, by module, each with its explanation: a line, and one indented under it."""
    listed: dict[str, dict[str, str]] = {module: {} for module in AREAS}
    lines = [line for line in SURVIVORS.read_text().splitlines() if line and not line.startswith("#")]
    for name, reason in zip(lines[::2], lines[1::2], strict=True):
        module, _, mutant = name.partition(": ")
        listed[module][mutant] = reason.strip()
    return listed


def main() -> None:
    """Run the mutants of the named modules, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=lambda text: Path(text).resolve(), metavar="RESULTS")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--listed", action="store_true")
    arguments = parser.parse_intermixed_args()
    _ = [importlib.import_module(name) for name in ("pytest", "hypothesis.strategies", "flint", "mpmath")]  # once
    listed = explained()
    for module in arguments.modules or AREAS:
        passed_over = () if arguments.listed else listed[module]
        found = survivors(module, arguments.results, arguments.every, passed_over=passed_over)
        unexplained = [name for name in found if name not in listed[module]]
        sys.stdout.write(f"{module}: {len(unexplained)} survivors without an explanation\n")
        print(*(f"    {name}\n" for name in unexplained), sep="", end="", flush=True)


if __name__ == "__main__":
    main()
