"""Small files in the published schema of PHSafe, and settings in the published form."""

from synthetic_households import HEADERS

from stirred.mechanisms.fast.phsafe_settings import LEVELS

TAUS = {"PH1_num": 5, "PH2": 5, "PH3": 5, "PH4": 5, "PH6": 5, "PH7": 5}
TABLES = [*LEVELS, "PH5_num", "PH8_num"]
PERSONS = """\
RTYPE,MAFID,QAGE,CENHISP,CENRACE,RELSHIP
3,100000001,44,1,01,20
3,100000001,45,2,02,23
3,100000001,5,2,08,26
3,100000002,30,1,04,20
5,100000003,81,1,01,37
3,100000004,20,1,01,20
3,100000005,20,1,01,20
"""
UNITS = """\
RTYPE,MAFID,FINAL_POP,NPF,HHSPAN,HHRACE,TEN,HHT,HHT2,CPLT
2,100000001,3,3,1,01,1,1,01,2
2,100000002,1,0,1,04,4,6,05,5
4,100000003,1,0,0,00,0,0,00,0
2,100000004,1,0,1,01,3,4,09,5
2,100000004,1,0,1,01,3,4,09,5
2,100000006,0,0,0,00,0,0,00,0
"""
GEO = "".join(
    f"{row}\n"
    for row in (
        ",".join(HEADERS["geo"]),
        "2,100000001,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000002,44,055,450200,4069,1,1,1,99999,9999",
        "4,100000003,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000004,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000005,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000006,29,055,450200,4069,1,1,1,99999,9999",
    )
)


def settings(budget=float("inf"), **changes):
    return {
        "privacy_budget": {table: dict.fromkeys(levels, budget) for table, levels in LEVELS.items()},
        "tau": dict(TAUS),
        "state_filter": ["44", "29"],
        "reader": "csv",
        "privacy_defn": "zcdp",
        **changes,
    }
