"""Which path of `stirred swap` is the cheaper one, and what a record costs: whole processes on one machine.

    python tests/benchmarks/bench_swap_paths.py 1000000 10000000

prints for each number of records (100,000 strata, six columns, microdata), Parquet and CSV: processor seconds and
megabytes at most of reading and writing alone (pyarrow), of a swap in NumPy (in doubles, without its fibre's exact
law: the floor), of `stirred swap` in memory and in parts, and the ratio of each to the floor.
"""

import sys
import tempfile
from pathlib import Path

import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_tables import data, measured, swap

READ = """
import sys, numpy as np, pyarrow as pa, pyarrow.csv as csv, pyarrow.parquet as pq
source, target = sys.argv[1:]
def read():
    if source.endswith(".parquet"):
        return pq.read_table(source)
    return csv.read_csv(source, convert_options=csv.ConvertOptions(auto_dict_encode=True))
def write(table):
    pq.write_table(table, target) if source.endswith(".parquet") else csv.write_csv(table, target)
"""
COPY = READ + "write(read())\n"
FLOOR = (
    READ
    + """
table = read()
random = np.random.default_rng()
strata = np.zeros(len(table), dtype=np.int64)
for name in ("block", "size", "age"):
    strata = strata * 1001 + table[name].to_numpy()
chosen = np.flatnonzero(random.random(len(table)) < 0.1)
order = chosen[np.lexsort((random.random(len(chosen)), strata[chosen]))]
home = chosen[np.argsort(strata[chosen], kind="stable")]
county = table["county"].combine_chunks()
county = county if pa.types.is_dictionary(county.type) else county.dictionary_encode()
codes = county.indices.to_numpy().copy()
codes[home] = codes[order]
swapped = pa.DictionaryArray.from_arrays(pa.array(codes), county.dictionary)
write(table.set_column(table.schema.get_field_index("county"), "county", swapped))
"""
)


def main(numbers):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in numbers:
            for kind in ("parquet", "csv"):
                source, target = folder / f"m.{kind}", folder / f"o.{kind}"
                made = data(number, 1)
                pq.write_table(made, source) if kind == "parquet" else arrow_csv.write_csv(made, source)
                del made
                found = {"copy": measured(COPY, source, target), "floor": measured(FLOOR, source, target)}
                found["in memory"] = swap(source, "--memory", "all", "--microdata", target)
                found["in parts"] = swap(source, "--memory", "1GB", "--microdata", target)
                floor = found["floor"][0]
                words = [
                    f"{how} {used:.2f} s {used / floor:.2f} x {peak:.0f} MB" for how, (used, _, peak) in found.items()
                ]
                print(f"{number} {kind}: {'; '.join(words)}", flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]])
