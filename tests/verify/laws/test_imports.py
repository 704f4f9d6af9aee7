"""Importing a library is no draw: what it does while it is imported is its own, and what it computes may be used."""

from fractions import Fraction
from pathlib import Path

import pytest
from foreign_modules import laws, refusal

USED = {
    "pandas": "int(pandas.Series([row[0] == 'yes' for row in data]).sum())",
    "scipy.stats": "int(scipy.stats.binom.sf(0, 3, 0) + len(data))",
    "z3": "len(data) if z3.Solver().check() == z3.sat else 0",
    "sympy": "int(sympy.Rational(len(data)))",
    "matplotlib": "len(data)",
    "duckdb": "duckdb.sql('select 1 as a').fetchall()[0][0]",
    "pyarrow": "pyarrow.array([1, 2]).to_pylist()[0]",
}


@pytest.mark.parametrize("library", USED)
def test_a_module_that_imports_it_is_audited(tmp_path: Path, library: str) -> None:
    text = f"import {library}\ndef f(data, source):\n    return ({USED[library]}) + source.bernoulli(1, 2)\n"
    text = text.replace("source.bernoulli(1, 2)", "int(source.bernoulli(HALF))")
    found = laws(tmp_path, f"from fractions import Fraction\nHALF = Fraction(1, 2)\n{text}")
    for law in found.laws.values():
        assert sorted(law[output] for output in law.support) == [Fraction(1, 2)] * 2


DRAWS = {
    "a generator of its own": "import numpy as np\nRNG = np.random.default_rng()\n{}return int(RNG.integers(2))",
    "the global one": "import numpy as np\n{}return int(np.random.randint(2))",
    "a clock": "import datetime\n{}return datetime.datetime.now().microsecond",
    "a clock by its name": "from datetime import datetime\n{}return datetime.now().microsecond",
    "the clock of a class below": "import datetime\n{}return datetime.datetime.__mro__[0].utcnow().microsecond",
    "NumPy's clock": "import numpy as np\n{}return int(np.datetime64('now').astype('int64'))",
    "NumPy's day in an array": "import numpy as np\n{}return str(np.array(['today'], dtype='M8[D]')[0])",
    "random bytes of OpenSSL": "import ssl\n{}return ssl.RAND_bytes(1)[0]",
    "a state": "import random\n{}return random.Random().getstate()[1][0]",
    "an identifier": "import _uuid\n{}return _uuid.generate_time_safe()[0][0]",
    "a measure of the system": "import os\n{}return os.sysconf('SC_AVPHYS_PAGES')",
    "a database": "import sqlite3\n{}return sqlite3.connect(':memory:').execute('select random()').fetchone()[0]",
    "the day": "from datetime import date\n{}return date.today().day",
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_beside_the_source_is_refused_however_it_was_imported(tmp_path: Path, name: str) -> None:
    assert " is refused: a mechanism must depend on its data and its source only" in refusal(
        tmp_path, DRAWS[name].format("def f(data, source):\n    ")
    )
    text = "import pandas\n" + DRAWS[name].format("def f(data, source):\n    ")
    assert " is refused: " in refusal(tmp_path, text)
