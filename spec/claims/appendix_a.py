"""Dissertation, sections A.1 to A.4 and Lemma A.7.1: comparable data sets, budgets, premetrics and multiverses."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "components.relation",
        "dissertation, Definition A.1.1",
        "x, x' are comparable if x != x', d_X(x, x') < oo or d_X(x', x) < oo, and some universe holds both. "
        "Comparability is a symmetric relation; the connected components [x] of its graph are the classes of "
        "implicitly comparable data sets.",
    ),
    Claim(
        "sigma-algebra.trivial",
        "dissertation, section A.1",
        "If F_T^[x] is the trivial sigma-algebra, D_Pr(P_x, P_x') = 0 for all x, x' in [x]: perfect privacy, "
        "regardless of the mechanism. (Encoded: a law on a finite sigma-algebra is its law on the atoms.)",
    ),
    Claim(
        "sigma-algebra.coarser",
        "dissertation, section A.1",
        "One can coarsen F_T^[x] to reduce D_Pr(P_x, P_x'). (Encoded: for D_Mult, D_Mult^(1/4) and D_TV a coarser "
        "sigma-algebra never increases it.)",
    ),
    Claim(
        "sigma-algebra.induced",
        "dissertation, Definition A.1.4",
        "F_T^x = {S : {u : T(x, u) in S} in F_U} is the largest sigma-algebra such that T(x, .) is measurable, and "
        "the intersection over [x] is the largest such that T(x', .) is measurable for all x' in [x]; a smaller F_U "
        "gives a smaller one.",
    ),
    Claim(
        "sigma-algebra.borel",
        "dissertation, section A.1",
        "If U is uniform on [0, 1] with its Borel sets and T(x', .) is continuous for all x' in [x] and surjective for "
        "some x' in [x], then F_T^(T,[x]) is the Borel sigma-algebra on T. (Encoded: T is a topological space, and "
        "nothing else is asked of it.)",
    ),
    Claim(
        "sigma-algebra.borel.finite",
        "stirred, repairing dissertation, section A.1",
        "The same for a finite T in which any two points are told apart by some open set (a T_0 space): F_T^(T,[x]) "
        "and the Borel sigma-algebra are all subsets.",
        repairs="sigma-algebra.borel",
    ),
    Claim(
        "sigma-algebra.borel.hausdorff",
        "stirred, on dissertation, section A.1",
        "The same for every Hausdorff space T, with U uniform on [0, 1] with its Borel sets.",
    ),
    Claim(
        "mechanism.uniform-seed",
        "dissertation, section A.1",
        "A seed U that is uniform on [0, 1] can generate countably many independent real-valued random variables of "
        "arbitrary distributions.",
    ),
    Claim(
        "components.functions-free",
        "dissertation, Proposition A.2.1",
        "Suppose D_Pr(P, Q) = oo whenever d_TV(P, Q) = 1. For any non-random mechanism f : X -> T, f satisfies the "
        "specification with a finite budget iff f is a function of [x]; then f has zero privacy loss. (Encoded with "
        "Definition A.1.2: a mechanism may have any sigma-algebra on T.)",
    ),
    Claim(
        "components.functions-free.separating",
        "stirred, repairing dissertation, Proposition A.2.1",
        "The same for any non-random f with sigma-algebras F_T^[x] that separate the values of f on [x], as the "
        "induced ones of Definition A.1.4 do.",
        repairs="components.functions-free",
    ),
    Claim(
        "budget.set-released",
        "dissertation, Corollary A.2.2",
        "The mechanism b(x) = {eps_D : D such that x' in D for some x' in [x]} satisfies the specification with "
        "budget 0.",
    ),
    Claim(
        "budget.function-released",
        "dissertation, section A.2",
        "The function eps_D can always be released without privacy loss, since the constant mechanism x -> eps_D is "
        "trivially a function of [x].",
    ),
    Claim(
        "budget.most-specific",
        "dissertation, section A.2",
        "Under the assumption of Proposition A.2.1, the data custodian cannot be more specific about the budgets "
        "associated to x than b(x) without adding some noise. (Encoded: a non-random f with b'(x) subset of f(x) "
        "subset of b(x) for all x, where b'(x) = {eps_D : D such that x in D}, has infinite privacy loss unless f = "
        "b; all subsets of the values of f are measurable.)",
    ),
    Claim(
        "budget.own-universes",
        "dissertation, section A.2",
        "Under the assumption of Proposition A.2.1, b'(x) = {eps_D : D such that x in D} has infinite privacy loss "
        "unless b(x) = b'(x) for all x. (Encoded: all subsets of the values of b' are measurable.)",
    ),
    Claim(
        "budget.pairs-in-two-universes",
        "dissertation, section A.2, condition II",
        "b(x) has cardinality at most one, and hence b(x) = b'(x), for all x, if for all distinct x, x' with d_X(x, "
        "x') or d_X(x', x) finite, x and x' are not both in two different universes.",
    ),
    Claim(
        "budget.disjoint-universes",
        "dissertation, section A.2, condition I, repairing condition II",
        "b(x) has cardinality at most one, and b(x) = b'(x), for all x, if distinct universes are disjoint.",
        repairs="budget.pairs-in-two-universes",
    ),
    Claim(
        "multiverse.in-premetric",
        "dissertation, Proposition A.3.1",
        "Let d'_X(x, x') = 0 if x = x', else d_X(x, x') if some universe holds both, else oo. For any constant budget "
        "M(X, multiverse, d_X, D_Pr, eps) = M(X, {X}, d'_X, D_Pr, eps).",
    ),
    Claim(
        "multiverse.pairs",
        "dissertation, Proposition A.3.2, first display",
        "For the multiverse of the sets {x, x'} with d_X(x, x') < oo and any constant budget, M(X, {X}, d_X, D_Pr, "
        "eps) = M(X, multiverse, d_X, D_Pr, eps).",
    ),
    Claim(
        "multiverse.self-intersections",
        "dissertation, Proposition A.3.2, second display as printed",
        "M(X, multiverse_0, d_X, D_Pr, eps) = M(X, multiverse_1, d_X, D_Pr, eps') for any multiverse_0 and budget, "
        "where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D in multiverse_0, not empty} and eps'_D' = inf{eps_D : "
        "D in multiverse_0, D' subset of D}.",
    ),
    Claim(
        "multiverse.pairs-inside",
        "dissertation, Proposition A.3.2, second display as proved",
        "The same with D among the sets {x, x'} with d_X(x, x') < oo: a specification can always be restricted to "
        "universes of at most two data sets.",
    ),
    Claim(
        "multiverse.implicit-condition",
        "dissertation, (A.1)",
        "Suppose d_X(x1, x3) = d_X(x1, x2) + d_X(x2, x3) < oo, x1, x2 in D and x2, x3 in D'. Then D_Pr(P_x1, P_x3) <= "
        "max(eps_D, eps_D') d_X(x1, x3), assuming D_Pr satisfies the triangle inequality.",
    ),
    Claim(
        "multiverse.disjoint-no-implicit",
        "dissertation, section A.3",
        "Assuming d_X satisfies the triangle inequality, if the universes do not overlap, then there are no implicit "
        "Lipschitz conditions hidden in the specification. (Encoded for D_Mult: every bound of (2.3) is attained by a "
        "mechanism of the specification.)",
    ),
    Claim(
        "multiverse.disjoint-no-implicit.symmetric",
        "stirred, repairing dissertation, section A.3",
        "If d_X is symmetric and satisfies the triangle inequality and the universes do not overlap, then under D_Mult "
        "the constraint matrix is its own closure: every bound of (2.3) is attained.",
        repairs="multiverse.disjoint-no-implicit",
    ),
    Claim(
        "multiverse.hidden-invariants",
        "dissertation, Proposition A.3.3, first display",
        "Let c(x) = [x] be the class of x under the symmetric and transitive closure of d_X(x, x') < oo. For all "
        "constant budgets M(X, {X}, d_X, D_Pr, eps) = M(X, D_c-multiverse, d_X, D_Pr, eps).",
    ),
    Claim(
        "multiverse.hidden-inside",
        "dissertation, Proposition A.3.3, second display as printed",
        "M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps_D) for any multiverse_0 and budget "
        "eps on it, where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D in D_c-multiverse, not empty} and "
        "eps'_D' = inf{eps_D : D in multiverse_0, D' subset of D}. (Encoded: the display's second eps_D is read "
        "literally, as the budget of some D_0 that gives D_0 n D, not as the eps' that the sentence defines.)",
    ),
    Claim(
        "multiverse.hidden-inside.infimum",
        "dissertation, Proposition A.3.3, second display as proved",
        "The same with the eps'_D' that the sentence defines as the budget on multiverse_1.",
        repairs="multiverse.hidden-inside",
    ),
    Claim(
        "multiverse.hidden-changes",
        "dissertation, Proposition A.3.3, last part",
        "If for some D_0 in multiverse_0 one of the connected components of D_0 is not in multiverse_0, then "
        "multiverse_1 != multiverse_0.",
    ),
    Claim(
        "multiverse.hidden-changes-iff",
        "dissertation, section A.7, end of the proof of Proposition A.3.3",
        "multiverse_1 != multiverse_0 iff there exists D_0 in multiverse_0 such that one of its connected components "
        "is not in multiverse_0 (assuming that the empty set is not in multiverse_0).",
    ),
    Claim(
        "multiverse.hidden-changes-iff.within",
        "stirred, repairing dissertation, proof of Proposition A.3.3",
        "If the empty set is not in multiverse_0, multiverse_1 != multiverse_0 iff some D_0 meets two classes of d_X.",
        repairs="multiverse.hidden-changes-iff",
    ),
    Claim(
        "multiverse.hidden-unrestricted",
        "dissertation, section A.3, end",
        "If x, x' are not in the same universe of the multiverse of d_X's invariants, eps-DP(X, {X}, d_X, D_Pr) places "
        "no restrictions on D_Pr(P_x, P_x'), explicitly or implicitly.",
    ),
    Claim(
        "components.partitioned",
        "dissertation, section A.4",
        "Reducing the set of implicitly-comparable data sets is equivalent to partitioning the universes into finer "
        "universes. (Encoded for a constant budget: to set d_X = oo between the classes of a partition of X leaves "
        "the same mechanisms as to cut every universe along the partition.)",
    ),
    Claim(
        "neighbors.unordered-stronger",
        "dissertation, section A.4",
        "A flavor for unordered data sets is stronger than the corresponding one for ordered data sets, bounded and "
        "unbounded (by Proposition 2.4.15: neighbors as tuples are neighbors as multisets).",
    ),
    Claim(
        "neighbors.local",
        "dissertation, section A.4",
        "The other direction does not hold: randomized response satisfies the ordered bounded specification with a "
        "finite budget, but not the unordered one for any finite budget (X holds data sets of all sizes). (Encoded: "
        "its unordered loss on n records is n times the ordered one, for odd n.)",
    ),
    Claim(
        "sharpening.metric",
        "dissertation, section A.4 with Definition A.4.1",
        "A premetric d_r built from a relation r can be sharpened to a metric d_r*, the length of a shortest path in "
        "the graph with edges {(x, x') : x r x'}. (Encoded for directed paths, as for a premetric in the same "
        "definition: a path follows the direction of r.)",
    ),
    Claim(
        "sharpening.metric.undirected",
        "dissertation, section A.4 with Definition A.4.1",
        "The same where a path may go along an edge either way: d_r* is a metric with values in [0, oo] for every "
        "relation r.",
    ),
    Claim(
        "sharpening.metric.symmetric",
        "stirred, repairing dissertation, section A.4",
        "For a symmetric relation r, d_r* is a metric with values in [0, oo].",
        repairs="sharpening.metric",
    ),
    Claim(
        "sharpening.four-metrics",
        "dissertation, section A.4, A1 to B2",
        "For X a subset of the union of all R^n, the sharpenings of the four neighbor relations on X are the Hamming "
        "distances on unordered and on ordered data sets, the symmetric difference, and the fewest deletions min{|I| "
        "+ |J| : x_-I = x'_-J}.",
    ),
    Claim(
        "sharpening.four-metrics.all-sizes",
        "stirred, repairing dissertation, section A.4",
        "The same for X all data sets of at most n records over R.",
        repairs="sharpening.four-metrics",
    ),
    Claim(
        "sharpening.iff-metric",
        "dissertation, section A.4",
        "Under mild assumptions (which are not stated), M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps) if and "
        "only if D_Pr is a metric.",
    ),
    Claim(
        "sharpening.iff-metric.unassumed",
        "dissertation, section A.4, without its assumptions",
        "M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps) (for all X and r, and no other assumption) if and "
        "only if D_Pr is a metric.",
    ),
    Claim(
        "sharpening.triangle",
        "stirred, repairing dissertation, section A.4",
        "If D_Pr satisfies the triangle inequality, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps), whether "
        "D_Pr is a metric or not. (Here d_r* is the length of a shortest path along the direction of r; for a "
        "symmetric r a path may go either way.)",
        repairs="sharpening.iff-metric.unassumed",
    ),
    Claim(
        "sharpening.triangle.approximate",
        "stirred, on dissertation, section A.4",
        "For D_Mult^delta with 0 < delta < 1, which does not satisfy the triangle inequality, M(X, {X}, d_r, D_Pr, "
        "eps) and M(X, {X}, d_r*, D_Pr, eps) differ for some X, r and eps. (Encoded for delta = 1/8, 1/4, 1/2.)",
    ),
    Claim(
        "group-privacy.iff-metric",
        "dissertation, section A.4",
        "Another corollary of this result (that of section A.4, under its mild assumptions, which are not stated) is "
        "that group privacy with linear decrease in privacy loss is equivalent to D_Pr being a metric.",
    ),
    Claim(
        "group-privacy.triangle",
        "stirred, repairing dissertation, section A.4",
        "If D_Pr satisfies the triangle inequality, D_Pr(P_x, P_x') <= eps whenever x r x' is equivalent to "
        "D_Pr(P_x, P_x') <= n eps for all x, x' that n steps join, each from an x to an x' with x r x', whether D_Pr "
        "is a metric or not.",
        repairs="group-privacy.iff-metric",
    ),
    Claim(
        "multiverse.in-premetric.bare",
        "dissertation, section A.4, before Proposition A.4.2",
        "d_X^multiverse(x, x') = d_X(x, x') if some universe holds x and x', oo otherwise, is a choice of input "
        "premetric that encodes the multiverse for a constant budget.",
    ),
    Claim(
        "multiverse.in-premetric.zero-diagonal",
        "stirred, repairing dissertation, section A.4",
        "With 0 for x = x' it is a premetric, and encodes the multiverse for a constant budget.",
        repairs="multiverse.in-premetric.bare",
    ),
    Claim(
        "components.meets",
        "dissertation, Proposition A.4.2, i = 1",
        "M(X, multiverse, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps_D) where multiverse_1 = {D n [x]}. "
        "(Encoded: eps at D n [x] is the budget of some D that gives it.)",
    ),
    Claim(
        "components.meets.smallest",
        "stirred, repairing dissertation, Proposition A.4.2, i = 1",
        "The same where D n [x] has the budget of every D that gives it, and so the smallest of these.",
        repairs="components.meets",
    ),
    Claim(
        "components.meets.infimum",
        "stirred, repairing dissertation, Proposition A.4.2, i = 1",
        "The same with eps'_D' = inf{eps_D : D in the multiverse, D' subset of D} as the budget on multiverse_1.",
        repairs="components.meets",
    ),
    Claim(
        "components.pairs",
        "dissertation, Proposition A.4.2, i = 2",
        "M(X, multiverse, d_X, D_Pr, eps) = M(X, multiverse_2, d_X, D_Pr, eps) where multiverse_2 = {{x, x'} : x' in "
        "[x]}. (Encoded for a constant budget.)",
    ),
    Claim(
        "components.pairs.infimum",
        "stirred, repairing dissertation, Proposition A.4.2, i = 2",
        "The same with the budget inf{eps_D : x, x' in D} at {x, x'}, which is oo where no universe holds both.",
        repairs="components.pairs",
    ),
    Claim(
        "components.unconnected",
        "dissertation, section A.4, after Proposition A.4.2",
        "multiverse_1 = {D n [x]} is non-totally-vacuous (some distinct x, x' share no universe) whenever there are "
        "unconnected data sets: d_X*(x, x') = oo or d_X*(x', x) = oo.",
    ),
    Claim(
        "components.unconnected.both-ways",
        "stirred, repairing dissertation, section A.4",
        "multiverse_1 is non-totally-vacuous whenever x' is not in [x] for some x and x'.",
        repairs="components.unconnected",
    ),
    Claim(
        "components.unconnected.equivalent",
        "dissertation, section A.4, before Proposition A.4.2",
        "Having unconnected protection objects is equivalent to employing a non-totally-vacuous multiverse. (Encoded: "
        "the premetric d_X^multiverse, 0 on the diagonal, that encodes a multiverse for a d_X that is finite "
        "everywhere leaves some x, x' unconnected iff the multiverse is non-totally-vacuous.)",
    ),
    Claim(
        "components.unconnected.equivalent.classes",
        "stirred, repairing dissertation, section A.4",
        "For a d_X that is finite everywhere, d_X^multiverse with 0 on the diagonal leaves some x, x' unconnected iff "
        "the universes do not join all data sets, that is, iff the partition into the classes [x] is "
        "non-totally-vacuous.",
        repairs="components.unconnected.equivalent",
    ),
    Claim(
        "neighbors.bounded-size",
        "dissertation, section A.4, end",
        "In bounded DP with the multiverse {X}, X a subset of the union of all R^n, [x] is all data sets with the "
        "same number of records as x.",
    ),
    Claim(
        "neighbors.bounded-size.all-sizes",
        "stirred, repairing dissertation, section A.4, end",
        "The same for X all data sets of at most n records over R.",
        repairs="neighbors.bounded-size",
    ),
    Claim(
        "refinement.infima-nearby",
        "dissertation, Lemma A.7.1",
        "Suppose that for all D' in D'-multiverse and all delta > 0 there exists D with D' subset of D and eps_D <= "
        "eps'_D' + delta. Then every mechanism that satisfies the first specification satisfies the second.",
    ),
)
