"""Hold the Coq proofs to what is committed beside them.

``check.py check`` goes through five stages and stops at the first that fails:

1. source: no command that admits a statement or switches a kernel check off;
2. build: every file of ``theories/`` compiles;
3. definitions: every definition and notation reads as in ``definitions.txt``;
4. statements: every claim (a ``Theorem``, or an ``Example`` whose name ends in
   ``_refuted``) reads as in ``statements.txt`` and rests on the axioms named there,
   each of which ``axioms.txt`` allows in that file;
5. kernel: ``coqchk`` re-checks every file, library included, and finds no unchecked
   construction and no axiom that ``axioms.txt`` does not allow in that file.

``check.py statements`` writes the two files of stages 3 and 4 anew.

A line of ``axioms.txt`` is ``<axiom>: <file> <file> ...``; a file that no line names has no
axioms, in itself and in all that it imports.

A block of ``statements.txt`` is ``Theorem <file>.<name>``, then ``assumptions: closed``
or the axioms, then ``explicit:`` and the SHA-256 digest of the statement as Coq prints it with
nothing left implicit, then ``statement:`` and the statement on indented lines; a blank line ends it.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent
THEORIES = ROOT / "theories"
LIBRARY = "Stirred"
WARNINGS = "-notation-overridden,-ambiguous-paths"
PRINTING = """\
Set Printing Width 10000.
Set Printing Depth 10000.
Unset Printing Implicit Defensive.
"""
ALGEBRA = "From mathcomp Require Import all_ssreflect all_fingroup all_algebra."
REALS = "From Coq Require Import ZArith Reals ssreflect ssrfun ssrbool."
EXPLICIT = "Set Printing All. {query} Unset Printing All."

FORBIDDEN = {
    "admits a statement": r"\b(Admitted|admit|give_up|Admit)\b",
    "states an axiom": r"^(Axioms?|Parameters?|Conjectures?|Primitive|Declare\s+Module)\b",
    "switches a check off": (
        r"\b(Unset\s+\w+\s+Checking|bypass_check"
        r"|Set\s+(Type\s+In\s+Type|Impredicative\s+Set))\b"
    ),
    "reaches outside the proofs": (
        r"^(Declare\s+ML\s+Module|Load|Add\s+(Rec\s+)?(LoadPath|ML\s+Path)|Redirect|Drop|Cd)\b"
    ),
}
FORBIDDEN_OPTIONS = r"type-in-type|impredicative-set|-bt\b|-load|-compat|-noinit"
ASSUMPTION_OUTSIDE_SECTION = r"^(Hypothesis|Hypotheses|Variables?|Context)\b"
ATTRIBUTES = r"^(#\[[^\]]*\]\s*|(Local|Global|Polymorphic|Program|Time|Timeout\s+\d+|Fail)\s+)*"
DEFINING = r"(?:Definition|Fixpoint|CoFixpoint|Inductive|CoInductive|Variant|Record|Structure|Class)"
# The kernel's own machine integers and floats, which a tactic of the library loads: coqchk lists
# them among the axioms. Stage 4 shows that no claim rests on one.
PRIMITIVES = r"Coq\.(Numbers\.Cyclic\.Int63\.PrimInt63|Floats\.PrimFloat)\."
UNCHECKED = (
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)


class CheckError(Exception):
    """A stage does not hold; the message says what is wrong and where."""


@dataclass(frozen=True)
class Sentence:
    """One Coq sentence without comments, and where it stands."""

    line: int
    text: str
    sections: int
    modules: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """A claim or a definition: its file, its name there, and what Coq prints."""

    file: str
    name: str
    sentence: str

    @property
    def title(self) -> str:
        """The name as it is written in the committed files."""
        return f"{self.file}.{self.name}"


def without_comments(source: str) -> str:
    """Blank every comment and every string, keeping line breaks."""
    kept: list[str] = []
    depth = 0
    quoted = False
    at = 0
    while at < len(source):
        pair = source[at : at + 2]
        if not quoted and pair == "(*":
            depth += 1
            kept.append("  ")
            at += 2
            continue
        if not quoted and depth and pair == "*)":
            depth -= 1
            kept.append("  ")
            at += 2
            continue
        char = source[at]
        if char == '"':
            quoted = not quoted
        kept.append(char if char == "\n" or not depth else " ")
        at += 1
    if depth:
        raise CheckError("a comment is not closed")
    return "".join(kept)


def split_sentences(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a Coq file with their section and module depth."""
    source = without_comments(path.read_text(encoding="utf-8"))
    opened: list[tuple[str, str]] = []
    start = 0
    quoted = False
    for at, char in enumerate(source):
        if char == '"':
            quoted = not quoted
        ends = char == "." and not quoted and source[at + 1 : at + 2].strip() == "" and source[at - 1 : at] != "."
        if not ends:
            continue
        raw = source[start : at + 1]
        line = source.count("\n", 0, start + len(raw) - len(raw.lstrip())) + 1
        text = re.sub(r"^([-+*{}]\s*)+", "", " ".join(raw.split()))
        start = at + 1
        if closing := re.match(r"End (\w+)\.", text):
            if not opened or opened.pop()[1] != closing[1]:
                raise CheckError(f"{path.name}:{line}: End {closing[1]} closes nothing")
        yield Sentence(
            line,
            text,
            sum(kind == "Section" for kind, _ in opened),
            tuple(name for kind, name in opened if kind == "Module"),
        )
        if opening := re.match(r"(Section|Module)(?: Type| Export| Import)? (\w+)[^=]*\.$", text):
            opened.append((opening[1], opening[2]))


def files() -> list[Path]:
    """The theories, by name."""
    return sorted(THEORIES.glob("*.v"))


def scan(path: Path) -> None:
    """Refuse a sentence that admits, assumes, or unchecks."""
    for sentence in split_sentences(path):
        bare = re.sub(r'"[^"]*"', '""', sentence.text)
        bare_command = re.sub(ATTRIBUTES, "", bare)
        where = f"{path.name}:{sentence.line}: {sentence.text[:60]}"
        for reason, pattern in FORBIDDEN.items():
            if re.search(pattern, bare_command) or re.search(pattern, bare):
                raise CheckError(f"{where}: {reason}")
        if not sentence.sections and re.match(ASSUMPTION_OUTSIDE_SECTION, bare_command):
            raise CheckError(f"{where}: is an axiom, for it stands outside a section")


def scan_sources() -> str:
    """Stage 1."""
    for path in files():
        scan(path)
    options = (ROOT / "_CoqProject").read_text(encoding="utf-8")
    if found := re.search(FORBIDDEN_OPTIONS, options):
        raise CheckError(f"_CoqProject: {found[0]} switches a check off")
    return f"source: {len(files())} files, nothing admitted or unchecked"


def build() -> str:
    """Stage 2."""
    done = subprocess.run(["make", "-s", "all"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise CheckError(f"the build fails\n{done.stdout}{done.stderr}")
    return f"build: {len(files())} files compiled"


def items(path: Path, pattern: str) -> list[Item]:
    """The named items of a file whose command matches ``pattern``."""
    found = []
    for sentence in split_sentences(path):
        bare = re.sub(ATTRIBUTES, "", sentence.text)
        if match := re.match(pattern, bare):
            name = ".".join((*sentence.modules, match[1]))
            found.append(Item(path.stem, name, bare))
    return found


def claims(path: Path) -> list[Item]:
    """The theorems of a file, and its refutations."""
    return items(path, r"(?:Theorem|Example(?= \w*_refuted\b)) ([\w']+)")


def definitions(path: Path) -> list[Item]:
    """The definitions of a file."""
    return items(path, rf"{DEFINING} ([\w']+)")


def notations(path: Path) -> list[str]:
    """The notations of a file, as they stand there."""
    commands = (re.sub(ATTRIBUTES, "", sentence.text) for sentence in split_sentences(path))
    return [command for command in commands if re.match(r"(Notation|Infix|Coercion)\b", command)]


def imports(path: Path) -> list[str]:
    """The theories that a file imports, in its order, and the file itself."""
    names: list[str] = []
    for sentence in split_sentences(path):
        if match := re.match(rf"From {LIBRARY} Require (?:Import|Export) (.*)\.$", sentence.text):
            names += match[1].split()
    return [*names, path.stem]


def over_reals(path: Path) -> bool:
    """Whether a file is about the real numbers of Coq's standard library."""
    return any(re.match(r"From Coq Require Import Reals\b", sentence.text) for sentence in split_sentences(path))


def ask(path: Path, queries: list[str]) -> list[str]:
    """What Coq answers to each query, with the file and what it imports imported."""
    library, scope = (REALS, "R_scope") if over_reals(path) else (ALGEBRA, "ring_scope")
    needed = f"From {LIBRARY} Require Import {' '.join(imports(path))}."
    script = [library, PRINTING, needed, f"Open Scope {scope}."]
    for query in queries:
        script += ['Goal True. idtac "@@". Abort.', query]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "ask.v"
        file.write_text("\n".join(script) + "\n", encoding="utf-8")
        done = subprocess.run(
            ["coqc", "-w", WARNINGS, "-Q", str(THEORIES), LIBRARY, str(file)],
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise CheckError(f"{path.name}: Coq refuses a query\n{done.stdout[-500:]}{done.stderr}")
    return done.stdout.split("@@\n")[1:]


def flat(text: str) -> str:
    """A printed term on one line."""
    return " ".join(text.split())


def wrap(text: str) -> str:
    """Indent a printed term on lines of at most 100 characters."""
    return textwrap.fill(
        text,
        width=100,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def axioms_of(answer: str) -> list[str]:
    """The axioms in an answer to ``Print Assumptions``."""
    if answer.strip() == "Closed under the global context":
        return []
    title, _, listed = answer.partition("\n")
    names = re.findall(r"^([A-Za-z_][\w.']*)\s+:\s", listed, flags=re.M)
    if title != "Axioms:" or not names:
        raise CheckError(f"the answer of Print Assumptions is not understood: {answer}")
    return names


def digest(text: str) -> str:
    """The SHA-256 digest of what Coq prints."""
    return hashlib.sha256(text.encode()).hexdigest()


def statements_of(path: Path) -> list[str]:
    """One block for each claim, in the order of the file."""
    found = claims(path)
    queries = []
    for item in found:
        full = f"{LIBRARY}.{item.title}"
        check = f"Check @{full}."
        queries += [check, EXPLICIT.format(query=check), f"Print Assumptions {full}."]
    answers = ask(path, queries) if found else []
    allowed = allowed_axioms(path.stem)
    blocks = []
    for item, shown, explicit, rests in zip(found, answers[::3], answers[1::3], answers[2::3], strict=True):
        axioms = axioms_of(rests)
        for axiom in axioms:
            if axiom not in allowed:
                raise CheckError(f"{item.title} rests on {axiom}, which axioms.txt does not allow")
        statement = flat(shown).split(" : ", 1)[1]
        blocks.append(
            f"Theorem {item.title}\nassumptions: {', '.join(axioms) or 'closed'}\n"
            f"explicit: {digest(flat(explicit))}\nstatement:\n{wrap(statement)}\n"
        )
    return blocks


def definitions_of(path: Path) -> list[str]:
    """One block for each definition and then for each notation, in the order of the file."""
    found = definitions(path)
    queries = []
    for item in found:
        show = f"Print {LIBRARY}.{item.title}."
        queries += [show, EXPLICIT.format(query=show)]
    answers = ask(path, queries) if found else []
    blocks = []
    for item, shown, explicit in zip(found, answers[::2], answers[1::2], strict=True):
        body = re.split(r" Arguments? ", flat(shown), maxsplit=1)[0]
        blocks.append(f"Definition {item.title}\nexplicit: {digest(flat(explicit))}\nbody:\n{wrap(body)}\n")
    return blocks + [f"Notation {path.stem}\n{wrap(notation)}\n" for notation in notations(path)]


def blocks_of(printer: Callable[[Path], list[str]]) -> list[str]:
    """The blocks of all files, by file; two files at a time."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(chain.from_iterable(pool.map(printer, files())))


def axiom_lines() -> dict[str, set[str]]:
    """The axioms that ``axioms.txt`` names, each with the files that may rest on it."""
    stems = {path.stem for path in files()}
    allowed: dict[str, set[str]] = {}
    for line in (ROOT / "axioms.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        axiom, _, named = line.partition(":")
        if not named.split() or not stems.issuperset(named.split()):
            raise CheckError(f"axioms.txt: a line must be an axiom, a colon, and files of theories/: {line}")
        allowed[axiom.strip()] = set(named.split())
    return allowed


def allowed_axioms(stem: str) -> frozenset[str]:
    """The axioms that a file may rest on."""
    return frozenset(axiom for axiom, stems in axiom_lines().items() if stem in stems)


def compare(name: str, blocks: list[str]) -> None:
    """Refuse a difference between the committed file and the blocks."""
    path = ROOT / name
    committed = path.read_text(encoding="utf-8") if path.exists() else ""
    printed = "\n".join(blocks)
    if committed != printed:
        difference = difflib.unified_diff(
            committed.splitlines(), printed.splitlines(), name, "as printed by Coq", lineterm="", n=3
        )
        shown = "\n".join(list(difference)[:80])
        raise CheckError(f"{name} is not what Coq prints (make statements writes it anew)\n{shown}")


def check_definitions() -> str:
    """Stage 3."""
    blocks = blocks_of(definitions_of)
    compare("definitions.txt", blocks)
    return f"definitions: {len(blocks)} as committed"


def check_statements() -> str:
    """Stage 4."""
    blocks = blocks_of(statements_of)
    compare("statements.txt", blocks)
    return f"statements: {len(blocks)} as committed"


def context_summary(output: str) -> dict[str, list[str]]:
    """The entries of ``coqchk``'s context summary, each with what it lists."""
    if "CONTEXT SUMMARY" not in output:
        raise CheckError(f"coqchk gives no context summary\n{output[-1000:]}")
    entries: dict[str, list[str]] = {}
    for entry in re.split(r"^\* ", output.split("CONTEXT SUMMARY", 1)[1], flags=re.M)[1:]:
        title, _, rest = entry.partition(":")
        names = rest.split("\n") if title != "Theory" else [rest]
        entries[title.strip()] = [name.strip() for name in names if name.strip() and name.strip() != "<none>"]
    return entries


def shortest(full: str, allowed: frozenset[str]) -> str:
    """An axiom as ``axioms.txt`` names it; ``coqchk`` writes the whole path before the name."""
    return next((name for name in allowed if full.endswith(f".{name}")), full)


def check_together(stems: list[str], allowed: frozenset[str]) -> None:
    """Refuse files that ``coqchk`` refuses, or whose axioms are not the allowed ones."""
    modules = [f"{LIBRARY}.{stem}" for stem in stems]
    done = subprocess.run(
        ["coqchk", "-silent", "-o", "-Q", str(THEORIES), LIBRARY, *modules],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CheckError(f"coqchk fails\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    summary = context_summary(done.stdout + done.stderr)
    for title in UNCHECKED:
        if summary.get(title) != []:
            raise CheckError(f"coqchk: {title}: {summary.get(title)}")
    if summary.get("Theory") != ["Set is predicative"]:
        raise CheckError(f"coqchk: Theory: {summary.get('Theory')}")
    if "Axioms" not in summary:
        raise CheckError("coqchk lists no axioms, not even that there are none")
    axioms = sorted(shortest(name, allowed) for name in summary["Axioms"] if not re.match(PRIMITIVES, name))
    if axioms != sorted(allowed):
        raise CheckError(f"coqchk: Axioms: {axioms}, but axioms.txt has {sorted(allowed)} for {', '.join(stems)}")


def check_kernel() -> str:
    """Stage 5: files with the same axioms together, so that a file without axioms is seen to have none."""
    groups: dict[frozenset[str], list[str]] = {}
    for path in files():
        groups.setdefault(allowed_axioms(path.stem), []).append(path.stem)
    for allowed, stems in groups.items():
        check_together(stems, allowed)
    free = len(groups.get(frozenset(), []))
    return f"kernel: coqchk accepts {len(files())} files and their libraries, {free} of them without axioms"


def run_check() -> None:
    """All stages, one line for each."""
    for stage in (scan_sources, build, check_definitions, check_statements, check_kernel):
        print(stage(), flush=True)
    count = sum(len(claims(path)) for path in files())
    print(f"proofs: {count} theorems, {len(axiom_lines())} axioms")


def write_statements() -> None:
    """Write the committed files anew."""
    print(scan_sources())
    print(build())
    for name, blocks in (
        ("definitions.txt", blocks_of(definitions_of)),
        ("statements.txt", blocks_of(statements_of)),
    ):
        (ROOT / name).write_text("\n".join(blocks), encoding="utf-8")
        print(f"{name}: {len(blocks)} blocks written")


def main(arguments: list[str]) -> int:
    """Run one command; exit status 1 says that a stage does not hold, 2 that the call is wrong."""
    commands = {"check": run_check, "statements": write_statements}
    if len(arguments) != 1 or arguments[0] not in commands:
        print("usage: check.py check | statements", file=sys.stderr)
        return 2
    try:
        commands[arguments[0]]()
    except CheckError as error:
        print(f"proofs: refused: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
