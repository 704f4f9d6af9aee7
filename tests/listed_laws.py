"""Laws as the two processes of a mechanism list them: one choice on each data set."""

from dataclasses import dataclass, replace

from stirred.verify.api.build import StatedClaim, built_claim
from stirred.verify.api.specification import Blocks
from stirred.verify.audit.audit import answered
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, exhaust
from stirred.verify.laws.agreed_laws import agreed_laws, finite_laws
from stirred.verify.laws.foreign import DEFAULT_LIMITS, AuditedFunction
from stirred.verify.laws.messages import in_one_symbol
from stirred.verify.laws.record_orders import rotated

CHOICE, RESULT, RUN_CHOICE, RUN_OUTPUT = 0, 1, 0, 1


def listed(laws, points, *, is_tree):
    """The answer of one process: `laws` maps data sets to {output: weight as a text}."""
    outputs = list(dict.fromkeys(t for law in laws.values() for t in law))
    rows = [list(laws[x].values()) for x in points]
    names = [[outputs.index(t) for t in laws[x]] for x in points]
    sizes = sorted({len(law) for law in laws.values()})
    shapes = [
        [4 * 0 + CHOICE, *(4 * n + RESULT for n in range(size))]
        if is_tree
        else [5 * 0 + RUN_CHOICE, *(5 * n + RUN_OUTPUT for n in reversed(range(size)))]
        for size in sizes
    ]
    trees = [[[place], names[place], sizes.index(len(laws[x]))] for place, x in enumerate(points)]
    return {"weights": rows, "outputs": outputs, "shapes": shapes, "trees": trees}


def agreed(laws):
    """What two processes that list these laws agree on."""
    points = list(laws)
    tree, runs = listed(laws, points, is_tree=True), listed(laws, rotated(points), is_tree=False)
    answers, symbol = in_one_symbol((tree, runs))
    found = agreed_laws("mechanism", points, [], answers, choices=1000, opened=symbol)
    return finite_laws("mechanism", found, symbol)


@dataclass(frozen=True, eq=False)
class Listed(AuditedFunction):
    """A mechanism of which nothing but its listed laws is known."""

    given: dict

    @property
    def identity(self):
        return id(self)

    def laws(self, points, parameters, *, is_ordered):
        del parameters, is_ordered
        return agreed({x: self.given[x] for x in points})


def audited(laws, distance=lambda x, y: int(x != y), **claim):
    """The audit of these laws' claim, as `stirred.audit` has it."""
    stated = StatedClaim(Blocks(data_sets=list(laws), distance=distance, **claim), {}, DEFAULT_LIMITS)
    built = built_claim(lambda data, source: data, stated)
    mechanism = replace(built.mechanism, function=Listed(laws))
    built = replace(built, mechanism=mechanism)
    (case,) = built.cases
    return answered(ClaimUnderAudit(built, ((case, exhaust(built, case)),)))
