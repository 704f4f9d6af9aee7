"""The reference: the public names of the packages, with docstrings, signatures and links to their code."""

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from griffe import Docstring, DocstringSectionKind, Parser
from markupsafe import Markup

from stirred.verify.cli.site.guide_pages import markdown
from stirred.verify.cli.site.page import Hit, SitePage
from stirred.verify.cli.site.source_pages import SourceFiles, highlighted
from stirred.verify.evidence.certificates.printable import printable

PACKAGES = (
    "stirred",
    "stirred.spec",
    "stirred.spec.output_premetrics",
    "stirred.spec.intervals",
    "stirred.spec.surveys",
    "stirred.mechanisms",
    "stirred.verify",
    "stirred.verify.ledger",
)
"""Packages with a page; a name that several export is on the first."""

_ROOT = Path(__file__).resolve().parents[3]
_TABLES = {
    DocstringSectionKind.parameters: "Arguments",
    DocstringSectionKind.attributes: "Attributes",
    DocstringSectionKind.raises: "Raises",
    DocstringSectionKind.returns: "Returns",
    DocstringSectionKind.yields: "Yields",
}


def reference_pages(sources: SourceFiles) -> Iterator[SitePage]:
    """A page for each package, and the list of all names."""
    home: dict[str, str] = {}
    listed = []
    for package in PACKAGES:
        module = import_module(package)
        path = f"reference/{package}.html"
        named = _public(module)
        here = [_described(name, value, sources) for name, value in named.items() if name not in home]
        elsewhere = [(name, home[name]) for name in named if name in home]
        home.update({one["name"]: path for one in here})
        hits = [Hit(package, "package", (module.__doc__ or "").partition("\n")[0])]
        hits += [Hit(one["name"], "reference", f"{package} {one['summary']}", one["name"]) for one in here]
        listed.append((package, path, here))
        parts = {"intro": sectioned(module.__doc__ or ""), "names": here, "elsewhere": elsewhere}
        yield SitePage(path, package, "reference.html", parts, hits)
    hit = Hit("The reference", "section", "API Python functions classes")
    yield SitePage("reference/index.html", "The reference", "references.html", {"packages": listed}, [hit])


def _public(module: ModuleType) -> Mapping[str, Any]:
    """What a package exports; without `__all__`, the public functions and classes of its modules."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return {name: getattr(module, name) for name in listed}
    inner = [import_module(one.name) for one in iter_modules(module.__path__, f"{module.__name__}.")]
    return {
        name: value
        for one in inner
        for name, value in vars(one).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == one.__name__
    }


def _described(name: str, value: Any, sources: SourceFiles) -> dict[str, Any]:
    described = inspect.isclass(value) or inspect.isfunction(value)
    text = inspect.getdoc(value) if described or inspect.ismodule(value) else ""
    methods = []
    if inspect.isclass(value):
        own = [(key, one) for key, one in vars(value).items() if not key.startswith("_")]
        for key, one in own:
            inner = one.fget if isinstance(one, property) else getattr(one, "__func__", one)
            if inspect.isfunction(inner) and inner.__doc__:
                shown = "" if isinstance(one, property) else _signature(key, inner)
                methods.append({"name": key, "signature": shown, "text": sectioned(inspect.getdoc(inner) or "")})
    file, line = _place(value)
    return {
        "name": name,
        "signature": _signature(name, value) if described else "",
        "summary": (text or "").partition("\n")[0],
        "text": sectioned(text or f"`{printable(repr(value))}`"),
        "methods": methods,
        "file": file,
        "line": line,
        "page": sources.page(file, line) if file else "",
    }


class _Annotation:
    """An annotation in the text of a signature, without quotes."""

    def __init__(self, text: object) -> None:
        self._text = text

    def __repr__(self) -> str:
        return str(self._text)


def _signature(name: str, value: Any) -> Markup:
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return highlighted(name, "python")
    empty = inspect.Signature.empty
    plain = [one.replace(annotation=_shown(one.annotation)) for one in found.parameters.values()]
    returned = empty if inspect.isclass(value) else _shown(found.return_annotation)
    return highlighted(f"{name}{found.replace(parameters=plain, return_annotation=returned)}", "python")


def _shown(annotation: Any) -> Any:
    return _Annotation(annotation) if isinstance(annotation, str) else annotation


def _place(value: Any) -> tuple[str, int]:
    try:
        file = Path(inspect.getsourcefile(value) or "").resolve()
        line = inspect.getsourcelines(value)[1]
    except (TypeError, OSError):
        return "", 0
    return (file.relative_to(_ROOT).as_posix(), max(line, 1)) if file.is_relative_to(_ROOT) else ("", 0)


def sectioned(text: str) -> list[tuple[str, Any]]:
    """The sections of a Google docstring: a title, and HTML or rows of a name and a text."""
    parts: list[tuple[str, Any]] = []
    for section in Docstring(text, parser=Parser.google).parse(warnings=False):
        value = section.value
        if section.kind is DocstringSectionKind.text:
            parts.append(("", _prose(value)))
        elif section.kind is DocstringSectionKind.examples:
            code = "\n\n".join(one for _, one in value)
            parts.append(("Examples", highlighted(code, "pycon")))
        elif section.kind in _TABLES:
            rows = [(getattr(one, "name", "") or str(one.annotation or ""), one.description) for one in value]
            parts.append((_TABLES[section.kind], rows))
        else:
            parts.append((section.title or "", _prose(str(getattr(value, "description", value)))))
    return parts


def _prose(text: str) -> Markup:
    return markdown(text, formulas=True)
