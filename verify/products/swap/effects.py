"""What a swap did to a file, in tables for a reader who decides: it shows figures, and no verdict rests on them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from stirred.mechanisms.tables.dependence import Dependence
from stirred.mechanisms.tables.swap_effects import CellCounts, Names, Numbers, SwapEffects, Uniques
from stirred.verify.engines.swapping.moved_number import MovedNumber
from stirred.verify.evidence.reports.figures_page import FigureBar, Figures

_MOST_ROWS, _MOST_BARS = 20, 12
_CLASSES = (1, 10, 100, 1_000, 10_000, 100_000)


@dataclass(frozen=True)
class EffectsReport:
    """The figures of a swap.

    Attributes:
        lead: what a reader should know first.
    """

    lead: tuple[str, ...]
    figures: tuple[Figures, ...]


def effects_report(
    effects: SwapEffects,
    rate: Fraction | None,
    tables: Mapping[str, Names],
    found: tuple[Dependence, ...] = (),
) -> EffectsReport:
    """The report of what was counted.

    Args:
        rate: p, where the PSA drew the swap: what moved is compared with its law.
        tables: the published tables, by their names.
        found: the columns that determine what is swapped, or nearly.
    """
    return _Report(effects, rate, tables, found).report()


def with_persons(report: EffectsReport, persons: SwapEffects, tables: Mapping[str, Names]) -> EffectsReport:
    """The report of a swap of households, and the same of the persons who were carried along."""
    more = _Report(persons, None, tables, None).report()
    lead = (*report.lead, *(f"of the persons, {one}" for one in more.lead))
    titled = (replace(one, title=f"Persons: {one.title[0].lower()}{one.title[1:]}") for one in more.figures)
    return EffectsReport(lead, (*report.figures, *titled))


@dataclass(frozen=True)
class _Report:
    effects: SwapEffects
    rate: Fraction | None
    tables: Mapping[str, Names]
    found: tuple[Dependence, ...] | None

    def report(self) -> EffectsReport:
        strata = [] if self.found is None else [self._strata()]
        figures = [*strata, self._groups(), self._uniques(), self._errors(), self._sizes(), self._together()]
        return EffectsReport(tuple(self._lead()), tuple(one for one in figures if one.rows))

    @property
    def area(self) -> str:
        return " x ".join(self.effects.roles.swapping)

    def _lead(self) -> Iterator[str]:
        effects, moved = self.effects, self.effects.all_moved
        least = "" if effects.is_exact else "by the counts, at least "
        share = _share(moved, effects.records)
        said = f"{least}{moved:,} of {effects.records:,} records ({share}) have another {self.area}"
        if self.rate is not None:
            low, high = (law := self.law).range
            mean = effects.expected(self.rate, effects.roles.matching).sum()
            said += (
                f"; by the law of the PSA at p = {self.rate} {mean:,.0f} on average, and {low:,} to {high:,} with "
                f"probability at least 1 - 10^-9 ({'its quantiles' if law.is_law else 'bounds of its tails'})"
            )
        yield said
        whole = (*effects.roles.matching, *effects.roles.holding, *effects.roles.swapping)
        if (alone := effects.uniques.get(whole)) is not None and alone.after:
            yield (
                f"{alone.after:,} records are shown alone with their values in an area: in "
                f"{_share(alone.same, alone.after)} of these cells there was one record before, too{_stayed(alone)}"
            )
        yield from (one.sentence for one in self.found or ())
        if self.found == ():
            yield f"no one or two columns that stay with their record were found to determine {self.area}"

    @property
    def law(self) -> MovedNumber:
        """The law of how many records move."""
        strata = self.effects.tables[(*self.effects.roles.matching, *self.effects.roles.swapping)]
        counts = strata.before[order := np.lexsort((strata.before, strata.rests))]
        some, rests = counts > 0, strata.rests[order]
        parts = np.split(counts[some], np.flatnonzero(np.diff(rests[some])) + 1)
        return MovedNumber(Counter(tuple(one.tolist()) for one in parts), self.rate or Fraction(0))

    def _expected(self, columns: Names) -> Sequence[float] | None:
        return None if self.rate is None else self.effects.expected(self.rate, columns).tolist()

    @property
    def _moved_header(self) -> tuple[str, ...]:
        moved = "moved" if self.effects.is_exact else "moved, at least"
        return ("records", moved, "share") if self.rate is None else ("records", moved, "share", "expected")

    def _moved_row(self, records: int, moved: int, expected: float | None) -> tuple[str, ...]:
        row = (f"{records:,}", f"{moved:,}", _share(moved, records))
        return row if expected is None else (*row, f"{expected:,.1f} ({_share(expected, records)})")

    def _strata(self) -> Figures:
        """Who moved, by the size of the stratum."""
        effects = self.effects
        strata = effects.tables[(*effects.roles.matching, *effects.roles.swapping)]
        sizes = np.bincount(strata.rests, strata.before).astype(np.int64)
        moved, expected = effects.moved[effects.roles.matching], self._expected(effects.roles.matching)
        classes = _classes(sizes)
        rows, bars = [], []
        for place in sorted(set(classes.tolist())):
            inside = classes == place
            number = None if expected is None else np.array(expected)[inside].sum()
            records, left = int(sizes[inside].sum()), int(moved[inside].sum())
            rows.append((_class(place), f"{int(inside.sum()):,}", *self._moved_row(records, left, number)))
            bars.append(_bar(_class(place), left, records, number))
        key = " x ".join(effects.roles.matching) or "all records"
        return Figures(
            f"How many moved, by size of the stratum ({key})",
            "Records of a stratum trade places with each other alone; of a stratum of one record nothing can move.",
            ("records of the stratum", "strata", *self._moved_header),
            tuple(rows),
            tuple(bars),
            self._axis,
        )

    @property
    def _axis(self) -> str:
        mark = "" if self.rate is None else "; red mark: the mean by the law of the PSA"
        return f"share of the records that have another {self.area}{mark}"

    def _groups(self) -> Figures:
        """Who moved, and who is counted in another area, by the values of each column that stays."""
        effects = self.effects
        rows: list[tuple[str, ...]] = []
        bars: list[FigureBar] = []
        for name in (*effects.roles.holding, *effects.roles.matching):
            counts = effects.tables[(name, *effects.roles.swapping)]
            sizes = np.bincount(counts.rests, counts.before).astype(np.int64)
            wrong = np.bincount(counts.rests, abs(counts.before - counts.after)) / 2
            moved, expected, words = effects.moved[(name,)], self._expected((name,)), effects.codes.names(name)
            for place in np.argsort(-sizes, kind="stable")[:_MOST_ROWS].tolist():
                number = None if expected is None else expected[place]
                records, left = int(sizes[place]), int(moved[place])
                label = f"{name} {words[place]}"
                rows.append((label, *self._moved_row(records, left, number), _share(wrong[place], records)))
                if len(bars) < _MOST_BARS:
                    bars.append(_bar(label, left, records, number))
        return Figures(
            "How many moved, by group",
            f"The last column is the share of the group that a table of it by {self.area} counts in another "
            f"{self.area}: those who leave and those who come cancel out. At most {_MOST_ROWS} values of each column, "
            "the largest first.",
            ("group", *self._moved_header, f"counted in another {self.area}"),
            tuple(rows),
            tuple(bars),
            self._axis,
        )

    def _uniques(self) -> Figures:
        """Who is alone in a table of areas and other columns, before and after."""
        shown = list(self.effects.uniques.items())[:_MOST_ROWS]
        exact = self.effects.is_exact
        return Figures(
            "Who is alone: cells of one record",
            "Whoever sees a cell of one record in the release may think that it shows somebody. It is true where there "
            "was one record before, too"
            + (", which need not be the same record: it may have moved, and a like one come." if exact else "."),
            ("table", "before", *(("of them moved",) if exact else ()), "not in the release", "in the release", "true")
            + (("record did not move",) if exact else ())
            + ("were several", "were none"),
            tuple((self._named(query), *_unique_row(one, is_exact=exact)) for query, one in shown),
        )

    def _named(self, query: Names) -> str:
        names = [name for name, columns in self.tables.items() if columns == query]
        said = " x ".join(query) or "all records"
        return f"{names[0]} ({said})" if names else said

    def _published(self) -> Iterator[tuple[Names, CellCounts]]:
        """The published tables; where none is named, each column that stays by area."""
        roles = self.effects.roles
        queries = tuple(self.tables.values()) or tuple(
            (name, *roles.swapping) for name in (*roles.matching, *roles.holding)
        )
        yield from ((query, self.effects.tables[query]) for query in dict.fromkeys(queries))

    def _errors(self) -> Figures:
        """How wrong each table is."""
        rows = []
        for query, counts in self._published():
            error = abs(counts.before - counts.after)
            wrong, some = int(error.sum()), counts.before > 0
            relative = error[some] / counts.before[some]
            rows.append(
                (
                    self._named(query),
                    *(f"{len(error):,}", f"{int((error > 0).sum()):,}", f"{error.sum() / max(len(error), 1):.3g}"),
                    *(f"{int(error.max(initial=0)):,}", f"{100 * relative.mean() if len(relative) else 0:.3g}%"),
                    _share(wrong / 2, self.effects.records),
                )
            )
        return Figures(
            "How wrong the tables are",
            "An error is the difference of a count in the release from that before; a count is wrong by chance alone, "
            "and another draw gives other errors. Cells are those with a record before or in the release, and of the "
            "relative error those with one before.",
            ("table", "cells", "changed", "mean error", "largest", "mean relative error", "records in another cell"),
            tuple(rows),
        )

    def _sizes(self) -> Figures:
        """How wrong the tables are in small areas and in large ones."""
        rows: list[tuple[str, ...]] = []
        bars: list[FigureBar] = []
        for query, counts in self._published():
            if not counts.area or not counts.rest:
                continue
            total = np.bincount(counts.areas, counts.before).astype(np.int64)
            wrong = np.bincount(counts.areas, abs(counts.before - counts.after), len(total)) / 2
            classes = _classes(total)
            for place in sorted(set(classes[total > 0].tolist())):
                inside = (classes == place) & (total > 0)
                records = int(total[inside].sum())
                rows.append(
                    (
                        self._named(query),
                        *(
                            _class(place),
                            f"{int(inside.sum()):,}",
                            f"{records:,}",
                            _share(wrong[inside].sum(), records),
                        ),
                    )
                )
                if len(bars) < _MOST_BARS:
                    bars.append(FigureBar(f"{self._named(query)}: {_class(place)}", wrong[inside].sum() / records))
        return Figures(
            "How wrong the tables are, by size of the area",
            f"The share of an area's records that its row of the table shows in another cell; areas are values of "
            f"{self.area}.",
            ("table", "records of the area", "areas", "records", "in another cell"),
            tuple(rows),
            tuple(bars),
            "share of the records of areas of this size that are in another cell",
        )

    def _together(self) -> Figures:
        """How much columns and areas go together."""
        names = {"V": "Cramér's V", "eta": "correlation ratio"}
        rows = tuple(
            (
                one.column,
                "outside" if one.is_outside else "held",
                names[one.measure],
                *(f"{value:.4f}" for value in (one.before, one.after)),
            )
            for one in self.effects.associations
        )
        missing = self.effects.not_compared
        more = f" Not compared, with very many values: {', '.join(missing)}." if missing else ""
        return Figures(
            f"What goes together with {self.area}",
            "From 0, nothing, to 1, one determines the other. A swap weakens what is between areas and columns that "
            f"stay; columns outside the swap stay with their record, and are not tabulated with it.{more}",
            ("column", "role", "measure", "before", "after"),
            rows,
        )


def _unique_row(one: Uniques, *, is_exact: bool) -> tuple[str, ...]:
    moved = (f"{one.moved or 0:,} ({_share(one.moved or 0, one.before)})",) if is_exact else ()
    stayed = (_share(one.stayed or 0, one.after),) if is_exact else ()
    none = one.after - one.same - one.others
    return (
        *(f"{one.before:,}", *moved, f"{one.gone:,}", f"{one.after:,}", _share(one.same, one.after)),
        *(*stayed, f"{one.others:,}", f"{none:,}"),
    )


def _stayed(alone: Uniques) -> str:
    if alone.stayed is None:
        return ""
    return f"; {_share(alone.stayed, alone.after)} of these records did not move"


def _bar(label: str, moved: int, records: int, expected: float | None) -> FigureBar:
    whole = max(records, 1)
    return FigureBar(label, moved / whole, None if expected is None else expected / whole)


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.3g}%" if whole else "-"


def _classes(sizes: Numbers) -> Numbers:
    """The class of each size, by powers of ten."""
    return np.searchsorted(np.array(_CLASSES), sizes, side="right")


def _class(place: int) -> str:
    """What sizes a class has.

    >>> _class(1), _class(3), _class(6)
    ('1 to 9', '100 to 999', '100,000 and more')
    """
    if not place:
        return "0"
    low = _CLASSES[place - 1]
    return f"{low:,} and more" if place == len(_CLASSES) else f"{low:,} to {_CLASSES[place] - 1:,}"
