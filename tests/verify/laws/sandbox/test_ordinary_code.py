"""Ordinary code of NumPy, pandas and the standard library draws nothing, and is not refused; what draws stays so."""

from pathlib import Path
from textwrap import indent

import pytest
from foreign_modules import laws, refusal

NUMPY = """
a = np.array([3, 1, 2, 2, 5]); x = a / 2.0; m = np.arange(9.0).reshape(3, 3) + np.eye(3)
"""
PANDAS = """
d = pd.DataFrame({"g": ["a", "b", "a", "b"], "h": [1, 2, 2, 1], "v": [1.0, 2.0, 3.5, 4.0]})
d["t"] = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-02-01", "2020-02-03"])
"""

ORDINARY = {
    "statistics of NumPy": (
        NUMPY,
        """
np.mean(a); a.mean(); m.mean(axis=1); np.var(a); a.var(); np.std(a); a.std(axis=0); np.average(a, weights=a)
np.median(a); np.percentile(a, 30); np.quantile(x, 0.3); np.histogram(a); np.histogram2d(x, x); np.histogramdd(m)
np.unique(a); np.unique(a, return_counts=True, return_inverse=True); np.bincount(a); np.digitize(x, [1, 2])
np.nanmean(x); np.nanmedian(x); np.nanstd(x); np.ptp(a); np.cov(m); np.corrcoef(m); np.cumsum(a); np.diff(a)
""",
    ),
    "arrays of NumPy": (
        NUMPY,
        """
np.linalg.inv(m); np.linalg.svd(m); np.linalg.eigh(m); np.linalg.solve(m, x[:3]); np.linalg.norm(m); np.kron(m, m)
np.linalg.lstsq(m, x[:3], rcond=None); np.cross([1, 2, 3], [3, 2, 1]); np.einsum("ij,jk->ik", m, m); m @ m
np.sort(a); np.argsort(a); np.lexsort((a, a)); np.partition(a, 2); np.searchsorted(np.sort(a), 2); np.argmax(a)
np.union1d(a, a); np.intersect1d(a, a); np.setdiff1d(a, a); np.isin(a, [1]); np.interp(1.5, [1, 2], [3, 4])
np.polyfit([1, 2, 3], [1, 2, 4], 1); np.roots([1, -3, 2]); np.polynomial.polynomial.polyfit([1, 2, 3], [1, 2, 4], 1)
np.fft.fft(a); np.fft.rfft(a); np.fft.fft2(m); np.fft.fftshift(a); np.convolve(a, a); np.gradient(x); np.unwrap(x)
np.ma.array([1, 2], mask=[0, 1]).mean(); np.ma.median(np.ma.array([1.0, 2])); np.char.add(["a"], ["b"]); str(a)
np.datetime64("2020-01-01") + np.timedelta64(3, "D"); np.busday_count("2020-01-01", "2020-02-01"); repr(m); f"{x}"
np.stack([a, a]); np.vstack([a, a]); np.roll(a, 1); np.rot90(m); np.moveaxis(m, 0, 1); np.expand_dims(m, 0)
np.insert(a, 1, 2); np.pad(a, 1); np.apply_along_axis(sum, 0, m); np.take_along_axis(m, np.argsort(m), 1)
np.vectorize(abs)(a); np.select([a > 1], [a]); np.add.reduceat(a, [0, 2]); np.nan_to_num(x); np.array2string(a)
""",
    ),
    "pandas": (
        PANDAS,
        """
d.groupby("g").size().reindex(["a", "b", "c"], fill_value=0); d.groupby("g")["v"].mean(); d.groupby("g").cumcount()
d.groupby("g").agg({"v": ["sum", "std"]}); d.groupby("g").describe(); d.groupby("g").transform("count"); d.describe()
d.merge(d, on="g"); pd.concat([d, d]); d.pivot_table(index="g", columns="h", values="v"); pd.crosstab(d.g, d.h)
d.melt(id_vars="g", value_vars=["v"]); d.set_index(["g", "h"]).v.unstack(); d.g.value_counts(); pd.cut(d.v, 2)
pd.qcut(d.v, 2); pd.get_dummies(d.g); d.to_dict("records"); d.to_csv(index=False); pd.read_csv(io.StringIO("a,b"))
d.query("v > 1"); d.assign(w=1); d.sort_values("v"); d.drop_duplicates(); d.set_index("t").resample("MS")["v"].sum()
d.v.rolling(2).mean(); d.v.shift(); d.v.pct_change(); d.v.median(); d.v.quantile(0.5); d.t.dt.strftime("%Y"); str(d)
d.apply(lambda r: r["v"], axis=1); d.g.str.upper(); pd.MultiIndex.from_product([[1], [2]]); d.v.interpolate()
""",
    ),
    "the standard library": (
        "",
        """
statistics.mean([1, 2]); statistics.stdev([1, 2]); statistics.quantiles([1, 2, 3]); statistics.NormalDist(0, 1).cdf(0)
collections.Counter("aab").most_common(); repr(collections.OrderedDict(a=1)); list(itertools.groupby([1, 1]))
math.comb(4, 2); decimal.Decimal(1) / 3; fractions.Fraction("0.1"); json.dumps({"a": [1]}); re.sub("a", "b", "a")
heapq.nsmallest(2, [3, 1]); fib(20); copy.deepcopy({"a": [1]}); repr(Point()); f"{Point()}"; str(Point())
hashlib.sha256(b"a").hexdigest(); datetime.date(2020, 1, 1).strftime("%d"); datetime.datetime(2020, 1, 1).isoformat()
datetime.datetime(2020, 1, 1).strftime("%Y-%m"); datetime.datetime.strptime("2020", "%Y"); calendar.month(2020, 1)
time.strftime("%Y", (2020, 1, 1, 0, 0, 0, 2, 1, 0)); time.gmtime(0); functools.reduce(max, [1]); sorted({"b", "a"})
logging.info("releasing"); logging.getLogger("release").warning("of %d", len(data)); spelled(1); spelled(True)
""",
    ),
}

_BEFORE = """
import calendar, collections, copy, dataclasses, datetime, decimal, fractions, functools, hashlib, heapq, io, itertools
import json, logging, math, re, statistics, time
import numpy as np
import pandas as pd

logging.basicConfig(level=logging.INFO)

@functools.singledispatch
def spelled(x):
    return str(x)

@spelled.register
def _(x: int):
    return x

@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@dataclasses.dataclass
class Point:
    x: int = 1

def f(data, source):
"""


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_code_is_not_refused(tmp_path: Path, name: str) -> None:
    before, lines = ORDINARY[name]
    found = laws(tmp_path, f"{_BEFORE}{indent(before + lines, '    ')}    return len(data)\n")
    assert {tuple(law) for law in found.laws.values()} == {("2",)}


STILL_REFUSED = (
    *("threading.get_ident()", "threading.current_thread().name", "np.vectorize(threading.get_ident)()"),
    *("pd.Series([0]).map(lambda _: threading.get_ident())", "sys.getrefcount(data)", "shutil.get_terminal_size()"),
    *("time.gmtime()", "time.gmtime(None)", "time.localtime(None)", "time.strftime('%Y')", "time.asctime()"),
    *("datetime.date.today()", "datetime.datetime.now()", "np.random.rand()", "np.random.default_rng(1)"),
    *("np.random.get_bit_generator()", "np.random.mtrand.rand()", "random.random()", "secrets.token_hex()"),
    *("os.urandom(1)", "uuid.uuid4()", "time.time()", "hash('a')", "id(data)", "os.getpid()", "os.times()"),
)


@pytest.mark.parametrize("asked", STILL_REFUSED)
def test_what_the_users_own_code_asks_for_stays_refused(tmp_path: Path, asked: str) -> None:
    modules = "datetime, os, random, secrets, shutil, sys, threading, time, uuid"
    modules += ", numpy as np" * ("np." in asked) + ", pandas as pd" * ("pd." in asked)
    assert "is refused" in refusal(tmp_path, f"import {modules}\ndef f(data, source):\n    {asked}\n    return 0\n")
