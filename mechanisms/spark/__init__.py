"""Array implementations on Apache Spark, for data that no one machine holds; each is the local one, group by group.

What swapping costs, by tests/benchmarks/bench_spark_swapping.py: Parquet to Parquet with six columns, a stratum for
each 1000 records, 16 buckets, p = 1/10, microdata and table written and the invariants checked, on two shared cores
(`local[2]`, Java 17; seconds are those of processors, of all processes together; memory is the largest resident sum).

    records   processor s   shuffled MB   Java MB   Python MB
        10^4          19.9           0.7       835         498    a new session: nearly all is starting and compiling
        10^5          21.8           5.5       893         516    a new session
        10^6          23.5          61.9      1316         554    the same session
        10^7         133.1         613.4      2705         824    after 10^4 in a new session

Shuffled bytes grow by 61 for each record, and processor time by 12 s for each million from 10^6 to 10^7. So 3·10^8
records are on paper an hour of processors and 18 GB shuffled. A worker's memory follows the largest bucket, not the
records: about 2^20 of them with the default number of buckets, unless one stratum is larger.
"""
