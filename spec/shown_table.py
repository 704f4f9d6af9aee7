"""How values show themselves in notebooks and papers: formulas as LaTeX; two-column tables as HTML, Markdown, LaTeX."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class TableRow:
    """A named value, with the question that it answers.

    Attributes:
        value: in words, short.
        question: what it answers.
        exact: the exact value where `value` is shorter; a reader of HTML opens it.
        latex: the value as LaTeX without the dollar signs, where it is a formula.
        latex_name: the name likewise.
        colors: of the writing and of what is behind it, where the value is a verdict.
    """

    name: str
    value: str
    question: str = ""
    exact: str = ""
    latex: str = ""
    latex_name: str = ""
    colors: tuple[str, str] | None = None


class ShownFormula(ABC):
    """A number or function that shows itself: `str` is its text, `to_latex` its formula without dollar signs."""

    __slots__ = ()

    @abstractmethod
    def to_latex(self) -> str:
        """The value as LaTeX."""

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"


class ShownTable:
    """What shows itself as a table: it has a title and rows."""

    __slots__ = ()

    @property
    def _title(self) -> str:
        raise NotImplementedError

    def _rows(self) -> list[TableRow]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return as_html(self._title, self._rows())

    def _repr_markdown_(self) -> str:
        return as_markdown(self._title, self._rows())

    def to_latex(self) -> str:
        """The table for a paper, with booktabs."""
        return as_booktabs(self._title, self._rows())


def _painted(text: str, colors: tuple[str, str] | None, mark: str) -> str:
    """A text that is markup already, in these colours; bold where colours are not shown."""
    if colors is None:
        return text
    writing, behind = colors
    return f'<span style="color:{writing};background:{behind};padding:0 .4em">{mark.format(text)}</span>'


def as_html(title: str, rows: Sequence[TableRow]) -> str:
    """The table as HTML, every text escaped.

    >>> as_html("a < b", [TableRow("x", "1")])
    '<table><caption>a &lt; b</caption><tr><th scope="row">x</th><td>1</td></tr></table>'
    >>> "<summary>≈ 0.3</summary>exactly 1/3" in as_html("", [TableRow("x", "≈ 0.3", exact="exactly 1/3")])
    True
    """
    lines = [f"<table><caption>{escape(title)}</caption>"]
    for row in rows:
        question = f"<br><small>{escape(row.question)}</small>" if row.question else ""
        value = _painted(escape(row.value), row.colors, "<strong>{}</strong>")
        if row.exact:
            value = f"<details><summary>{value}</summary>{escape(row.exact)}</details>"
        lines.append(f'<tr><th scope="row">{escape(row.name)}{question}</th><td>{value}</td></tr>')
    return "".join([*lines, "</table>"])


def as_markdown(title: str, rows: Sequence[TableRow]) -> str:
    r"""The table as Markdown; what would be markup is escaped.

    >>> print(as_markdown("t", [TableRow("x", "a|b")]))
    | t | |
    |---|---|
    | x | a\|b |
    """
    lines = [f"| {_cell(title)} | |", "|---|---|"]
    for row in rows:
        question = f" ({row.question})" if row.question else ""
        lines.append(f"| {_cell(row.name + question)} | {_painted(_cell(row.value), row.colors, '**{}**')} |")
    return "\n".join(lines)


def as_booktabs(title: str, rows: Sequence[TableRow]) -> str:
    r"""The table as LaTeX, for a paper that loads the package booktabs; what would be markup is escaped.

    >>> print(as_booktabs("a_b", [TableRow("loss", "ln(3)", latex=r"\ln 3"), TableRow("share", "5 %")]))
    \begin{tabular}{ll}
    \toprule
    \multicolumn{2}{l}{a\_b} \\
    \midrule
    loss & $\ln 3$ \\
    share & 5 \% \\
    \bottomrule
    \end{tabular}
    """
    parts = [((row.latex_name, row.name), (row.latex, row.value)) for row in rows]
    body = [" & ".join(f"${latex}$" if latex else latex_text(text) for latex, text in both) for both in parts]
    head = [rf"\multicolumn{{2}}{{l}}{{{latex_text(title)}}} \\", r"\midrule"]
    lines = [r"\begin{tabular}{ll}", r"\toprule", *head, *(rf"{line} \\" for line in body)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


_LATEX = {
    "\\": r"\textbackslash{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "≈": r"$\approx$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "∞": r"$\infty$",
    "ε": r"$\varepsilon$",
    "δ": r"$\delta$",
    "ρ": r"$\rho$",
    "γ": r"$\gamma$",
}


def latex_text(text: str) -> str:
    r"""A text in which nothing is a command of LaTeX.

    >>> latex_text("50 % of x_1 ≈ 3")
    '50 \\% of x\\_1 $\\approx$ 3'
    """
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def _cell(text: str) -> str:
    for mark in "\\|*_`<":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())
