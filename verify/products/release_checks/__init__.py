"""A TopDown release, checked again from its own files: no data, and no code of the program that made it.

records             the schema of the records, and by what a query counts them
folder              the files of a release, read
lower_bounds        what is kept below a node, as bounds of sums of its cells
question            which counts of siblings could have been released, and how far each is from what was measured
optimality_check    whether the released ones are nearest: prices that prove it, or counts that are nearer
stated              specification.toml, compared with what the other files determine
checked             all of this of one folder
"""
