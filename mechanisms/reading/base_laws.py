"""stub"""

from enum import Enum


class BaseLaw(Enum):
    UNIFORM, EXPONENTIAL, LAPLACE, NORMAL, GUMBEL, LOGISTIC = range(6)
