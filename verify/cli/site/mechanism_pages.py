"""The pages of mechanisms: the catalogue, the examples with their budgets, larger programs, published specifications.

Each has its program, the five blocks of claims about it as questions, and the ledger's claims.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from latex2mathml.converter import convert
from markupsafe import Markup

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.verify.cli.site.entry import LedgerEntry
from stirred.verify.cli.site.ledger_pages import outcome_class, short_words
from stirred.verify.cli.site.page import Hit, SitePage
from stirred.verify.cli.site.reference_pages import sectioned
from stirred.verify.cli.site.source_pages import SourceFiles, highlighted
from stirred.verify.evidence.reports.report import Question
from stirred.verify.laws.claim.claim_numbers import PUBLISHED
from stirred.verify.laws.claim.five_blocks import five_blocks
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.ledger.documents import item_of


@dataclass(frozen=True)
class KnownLoss:
    """A smallest budget.

    Attributes:
        asked: the lines that compute it; empty if the mechanism carries the claim.
        language: of these lines.
        at: the parameters, in words.
        needed: the budget as these lines print it.
        latex: the same as LaTeX, if it has such a form.
    """

    asked: str
    language: str
    at: str
    needed: str
    latex: str


KnownLosses = Mapping[str, tuple[KnownLoss, ...]]
"""Losses by the name of the mechanism's page."""


def formula(latex: str) -> Markup:
    r"""A LaTeX formula as MathML, which carries its LaTeX.

    >>> "<mfrac>" in formula(r"\frac{1-p}{p}"), "\\frac{1-p}{p}</annotation>" in formula(r"\frac{1-p}{p}")
    (True, True)
    """
    drawn = convert(latex)
    start = drawn.index(">") + 1
    inner = drawn[start:].removesuffix("</math>")
    note = f'<annotation encoding="application/x-tex">{escape(latex, quote=False)}</annotation>'
    return Markup(f"<math><semantics>{inner}{note}</semantics></math>")  # noqa: S704 the library escapes what is no command


_ROOT = Path(__file__).resolve().parents[3]
_EXAMPLES = "stirred.verify.api.examples"
_CLAIMS = "stirred.verify.ledger.claims."
_PROGRAMS = {
    "stirred.mechanisms.das.topdown": ("topdown",),
    "stirred.mechanisms.das.phsafe": ("phsafe",),
    "stirred.mechanisms.das.safetab": ("safetab",),
    "stirred.mechanisms.swapping.pairwise": ("pairwise_swapping",),
    "stirred.mechanisms.swapping.variants": ("swapping_variants",),
    "stirred.mechanisms.surveys": ("survey_sampling", "survey_weights", "survey_privacy", "survey_settings"),
}
"""Packages of programs, each with the concepts whose claims are about it."""


def mechanism_pages(found: Sequence[LedgerEntry], sources: SourceFiles, losses: KnownLosses) -> Iterator[SitePage]:
    """A page for each mechanism, one for the published specifications, and the list."""
    named = [_catalogued(name, found, sources, losses) for name in CATALOGUE]
    pages = [(_is_wrong(one), _example(one, stated, sources, losses)) for one, stated in stated_examples()]
    examples, wrong = ([page for is_wrong, page in pages if is_wrong is asked] for asked in (False, True))
    programs = [_program(package, concepts, found, sources) for package, concepts in _PROGRAMS.items()]
    yield from (*named, *examples, *wrong, *programs)
    specifications = list(_published())
    hits = [Hit(one["id"], "specification", f"{one['source']} {one['statement']}", one["id"]) for one in specifications]
    yield SitePage(
        "mechanisms/published.html",
        "Published specifications as five questions",
        "specifications.html",
        {"specifications": specifications},
        [Hit("Published specifications", "section", "five blocks questions census"), *hits],
    )
    groups = [
        ("By name in a claim file", "", named),
        ("Examples with their exact budgets", "Each carries its claim, for stirred.check.", examples),
        ("Wrong on purpose", "Each exceeds its claim: stirred.check shows the pair.", wrong),
        ("Programs of larger releases", "", programs),
    ]
    hit = Hit("Mechanisms", "section", "catalogue program specification budget loss")
    yield SitePage("mechanisms/index.html", "The mechanisms", "mechanisms.html", {"groups": groups}, [hit])


def _page(name: str, parts: Mapping[str, Any], kind: str, words: str) -> SitePage:
    whole = {
        "specifications": [],
        "entries": [],
        "facts": [],
        "functions": [],
        "files": [],
        "about": "Claims about it",
        "losses": [],
        "formula": formula,
        "code": highlighted,
        "outcome": outcome_class,
        "short": short_words,
        **parts,
    }
    return SitePage(f"mechanisms/{name}.html", name, "mechanism.html", whole, [Hit(name, kind, words)])


def _catalogued(name: str, found: Sequence[LedgerEntry], sources: SourceFiles, losses: KnownLosses) -> SitePage:
    one = CATALOGUE[name]
    facts = [("takes", one.takes)] + [(key, what.value) for key, what in one.parameters.items()]
    parts: dict[str, Any] = {"text": [], "facts": facts, "losses": losses.get(name, ())}
    summary = one.takes
    if one.program is not None:
        parts["functions"] = [_function(one.program, sources)]
        parts["about"] = "Claims of modules that run it"
        parts["entries"] = _running(one.program, found, sources)
        summary = (inspect.getdoc(one.program) or "").partition("\n")[0]
    parts["specifications"] = [spec for spec in _published() if spec["mechanism"] == name]
    return _page(name, {**parts, "summary": summary}, "mechanism", f"{summary} {' '.join(one.parameters)}")


def _running(program: Callable[..., Any], found: Sequence[LedgerEntry], sources: SourceFiles) -> list[LedgerEntry]:
    """The claims whose modules import a program, or take their cases from a module of the ledger that does."""
    wanted = (program.__module__, program.__name__)

    @cache
    def runs(file: str) -> bool:
        return wanted in sources.imports(file)

    @cache
    def has_cases(file: str) -> bool:
        homes = {home for home, _ in sources.imports(file) if home.startswith(_CLAIMS)}
        return any(runs(f"{home.removeprefix('stirred.').replace('.', '/')}.py") for home in homes)

    return [one for one in found if runs(one.stated.file) or has_cases(one.stated.file)]


def _function(function: Callable[..., Any], sources: SourceFiles) -> Mapping[str, Any]:
    lines, first = inspect.getsourcelines(function)
    file = Path(inspect.getsourcefile(function) or "").resolve().relative_to(_ROOT).as_posix()
    return {
        "name": function.__name__,
        "text": sectioned(inspect.getdoc(function) or ""),
        "code": sources.piece(file, (first, first + len(lines) - 1)),
        "file": file,
        "line": first,
        "page": sources.page(file, first),
    }


def stated_examples() -> Iterator[tuple[Callable[..., Any], Sequence[Any]]]:
    """The examples, with the claims that they carry."""
    package = import_module(_EXAMPLES)
    for module in iter_modules(package.__path__, f"{_EXAMPLES}."):
        for value in vars(import_module(module.name)).values():
            if inspect.isfunction(value) and value.__module__ == module.name and (stated := _stated(value)):
                yield value, stated


def _is_wrong(function: Callable[..., Any]) -> bool:
    return function.__module__.endswith("wrong_on_purpose")


def _stated(function: Callable[..., Any]) -> Sequence[Any]:
    stated: Sequence[Any] = import_module("stirred.verify.api.stated").stated_claims(function)
    return stated


def setting_words(stated: Any) -> str:
    """The parameters of a claim, in words."""
    return ", ".join(f"{key} = {value}" for key, value in stated.parameters.items())


def _example(
    function: Callable[..., Any], stated: Sequence[Any], sources: SourceFiles, losses: KnownLosses
) -> SitePage:
    specifications = []
    for one in stated:
        setting = setting_words(one)
        name = f"claimed{f' at {setting}' if setting else ''}"
        specifications.append({"id": name, "source": "", "questions": one.claim.stated.questions()})
    summary = (inspect.getdoc(function) or "").partition("\n")[0]
    parts = {
        "functions": [_function(function, sources)],
        "text": [],
        "specifications": specifications,
        "losses": losses.get(function.__name__, ()),
    }
    return _page(function.__name__, {**parts, "summary": summary}, "example", summary)


def _program(package: str, concepts: Sequence[str], found: Sequence[LedgerEntry], sources: SourceFiles) -> SitePage:
    module = import_module(package)
    name = package.rpartition(".")[2].replace("_", "-")
    folder = Path(inspect.getsourcefile(module) or "").resolve().parent
    files = [path.relative_to(_ROOT).as_posix() for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
    parts = {
        "text": sectioned(inspect.getdoc(module) or ""),
        "entries": [one for one in found if one.concept in concepts],
        "files": [(file, sources.page(file)) for file in files],
    }
    summary = (inspect.getdoc(module) or "").partition("\n")[0]
    return _page(name, {**parts, "summary": summary}, "mechanism", summary)


@cache
def _published() -> tuple[Mapping[str, Any], ...]:
    """The published claims that state a specification."""
    found = []
    for claim in read_claims(sorted(PUBLISHED.glob("*.toml"))):
        if claim.is_about_numbers_only:
            continue
        questions: tuple[Question, ...] = five_blocks(build_claim(claim, limits=None)).questions()
        item = item_of(claim.source)
        mechanism = claim.mechanism.values.get("name", "") if claim.mechanism is not None else ""
        found.append(
            {
                "id": claim.id,
                "source": claim.source,
                "statement": claim.statement,
                "questions": questions,
                "item": item,
                "mechanism": mechanism,
            }
        )
    return tuple(found)
