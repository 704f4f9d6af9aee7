"""A function of pandas that aims at a false verdict, by itself: each audit loads what its module imports."""

import numpy as np
import pandas as pd
from quality.hostile_functions import NONE, needs


@needs(NONE)
def column_of_floats(data, rng: np.random.Generator):
    table = pd.DataFrame({"n": data[0] * 0.7 + rng.laplace(scale=0.001, size=1)})
    return int(table.round()["n"].iloc[0])
