"""What "one record" can mean for PHSafe, whose two data frames are about the same people: four neighbour relations."""

from enum import Enum


class NeighborRelation(Enum):
    """Which data sets are neighbours.

    The first two are the paper's own: both data frames are functions of a base person dataframe (PHSafe, section 5), so
    the unit of a MAFID follows from its persons. In the others person_df and unit_df are two free data frames that
    change together, as the library declares that the paper names (PHSafe, section 6.2: one row of persons, two rows of
    units), and as the paper's proofs of stability use them.
    """

    PERSON_ADDED = "one person record is added or removed, and its unit follows"
    PERSON_REPLACED = "one person record is replaced, and the units follow"
    TABLES_ADDED = "one row of persons and up to two rows of units are added or removed, independently"
    TABLES_REPLACED = "one row of persons and up to two rows of units are replaced, independently"

    @property
    def is_bounded(self) -> bool:
        """Whether the number of person records stays: the paper's Theorems 3 and 4, not 1 and 2."""
        return self in (NeighborRelation.PERSON_REPLACED, NeighborRelation.TABLES_REPLACED)

    @property
    def units_follow(self) -> bool:
        """Whether both data frames are functions of one."""
        return self in (NeighborRelation.PERSON_ADDED, NeighborRelation.PERSON_REPLACED)
