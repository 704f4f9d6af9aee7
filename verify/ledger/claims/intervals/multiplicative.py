"""D_Mult on measures: a metric, and by densities."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.measures import (
    MASSES,
    by_events,
    counting,
    density_in,
    either_quotient,
    events_of,
    finite_pairs,
    finite_triples,
    half_by_events,
    half_by_positive,
    is_zero,
    kept_outcomes,
    mutual,
    random_triples,
    tuples_of_measures,
    unbounded_pairs,
)
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import probability

mass_of_density = lambda f, m: 0 if f == 0 or m == 0 else f * m
integral_of = lambda f, mu: {t: mass_of_density(f[t], mu[t]) for t in mu}
is_sigma_finite = lambda mu: all(mu[t] < oo for t in mu)
essential_ratio = lambda f, g, tau: max(either_quotient(f[t], g[t]) for t in kept_outcomes(f, g, tau))
largest_density_ratio = lambda f, g, tau: max(f[t] / g[t] for t in kept_outcomes(f, g, tau))
by_density_ratios = lambda mu, nu, f, g, tau: (
    1 if is_zero(mu) and is_zero(nu) else essential_ratio(f, g, tau) if mutual(mu, nu) else oo
)

unbounded_triples = cases(
    "all triples of measures with masses 0, 1, 2, 4, oo on two outcomes, but for their names", "mu nu tau"
)(lambda: tuples_of_measures(2, (0, 1, 2, 4, None), 3))

is_triangular_at = lambda mu, nu, tau: by_events(mu, tau) <= by_events(mu, nu) * by_events(nu, tau)
symmetric_and_separating = lambda mu, nu: (
    by_events(mu, nu) == by_events(nu, mu) and (by_events(mu, nu) == 1) == (mu == nu)
)
symmetric_and_separating_totals = lambda mu, nu: (
    by_events(mu, nu) == by_events(nu, mu)
    and (by_events(mu, nu) == 1) == (probability(mu, set(mu)) == probability(nu, set(nu)))
)
is_ultrametric_at = lambda mu, nu, tau: by_events(mu, tau) <= max(by_events(mu, nu), by_events(nu, tau))

state("interval.multiplicative.metric", "dissertation, Lemma C.3.3")(
    "The multiplicative distance D_Mult is a metric on the collection of measures on (T, F).",
    every(unbounded_pairs, symmetric_and_separating),
    mutant("D = 0 where the totals agree", symmetric_and_separating_totals),
    every(unbounded_triples, is_triangular_at),
    mutant("the larger of two steps for their sum", is_ultrametric_at),
    every(random_triples, is_triangular_at),
    reading="a metric that may be oo (Definition C.3.1), of measures that need not be finite; 0/0 = oo/oo = 1",
)

last_line = lambda mu, nu, tau: by_events(mu, tau) * by_events(tau, nu) == by_events(mu, nu) * by_events(tau, nu)

state("interval.multiplicative.metric.last-line", "dissertation, Lemma C.3.3, the proof's last line")(
    "sup_S |ln mu(S) - ln tau(S)| + sup_S |ln tau(S) - ln nu(S)| = D_Mult(mu, nu) + D_Mult(tau, nu).",
    every(finite_triples, last_line),
    grade=misprint("D_Mult(mu, tau) for D_Mult(mu, nu): property 3 of Definition C.3.1 is what is proved"),
)

_PAIRS = "all pairs of measures with masses 0, 1, 2 on two outcomes"

# with values of the two densities where tau is 0, None for oo
_with_tau = lambda: (
    (mu, nu, tau, a, b)
    for mu, nu, tau in tuples_of_measures(2, (0, 1, 2), 3)
    if all(tau[t] or not (mu[t] or nu[t]) for t in tau)
    for a, b in ((0, 0), (5, 7), (0, 5), (None, 7))
)

dominated = cases(
    f"{_PAIRS}; every tau of these that dominates both; values 0, 5, 7, oo of the densities where tau is 0",
    "mu nu tau a b",
)(_with_tau)

by_ratios_in = lambda mu, nu, tau, a, b, essential: by_density_ratios(
    mu, nu, density_in(mu, tau, a), density_in(nu, tau, b), essential
)
by_supremum = lambda mu, nu, tau, a, b: by_events(mu, nu) == by_ratios_in(mu, nu, tau, a, b, counting(tau))
by_essential_ratio = lambda mu, nu, tau, a, b: (
    by_events(mu, nu) == max(1, essential_ratio(density_in(mu, tau, a), density_in(nu, tau, b), tau))
)

state("interval.multiplicative.densities", "dissertation, Proposition 10")(
    """Let mu, nu in Omega. Then D_Mult(mu, nu) = 0 if mu = nu = 0; ess sup over T^o of |ln f(t)/g(t)| else if mu, nu
    are mutually absolutely continuous; oo otherwise, where f and g are any densities of mu and nu respectively, with
    respect to any common dominating measure tau in Omega; T^o = {t in T | 0 < f(t), g(t) < oo}; and the essential
    supremum is with respect to tau.""",
    every(dominated, lambda mu, nu, tau, a, b: by_events(mu, nu) == by_ratios_in(mu, nu, tau, a, b, tau)),
    mutant("the supremum for the essential one", by_supremum),
    mutant("without mutual absolute continuity", by_essential_ratio),
    reading="finite spaces, on which sigma-finite measures are finite ones",
)

mutual_pairs = cases(
    f"{_PAIRS} that are not zero and mutually absolutely continuous; every tau as above", "mu nu tau a b"
)(
    lambda: (
        (mu, nu, tau, a, b)
        for mu, nu, tau, a, b in _with_tau()
        if any(mu.values()) and all((mu[t] > 0) == (nu[t] > 0) for t in mu)
    )
)

half_by_densities = lambda mu, tau, a, nu, b: largest_density_ratio(density_in(mu, tau, a), density_in(nu, tau, b), tau)

state("interval.multiplicative.half", "dissertation, Lemma C.5.2")(
    """Suppose that mu, nu in Omega are non-zero and mutually absolutely continuous and tau in Omega is a dominating
    measure. Let f and g be tau-densities of mu and nu respectively. Then sup over S of ln mu(S)/nu(S) = ess sup over
    T^o of ln f(t)/g(t).""",
    every(mutual_pairs, lambda mu, nu, tau, a, b: half_by_events(mu, nu) == half_by_densities(mu, tau, a, nu, b)),
    reading="""over all events, the empty one too, with 0/0 = 1 as in the definition of D_Mult, for which the lemma is
    stated (Proposition 10, whose proof sets it; the same gap as in interval.density-ratio.events)""",
    grade=incomplete(
        "mu(S) > 0: the empty event makes the left side at least 0, the right one is below 0 where mu < nu"
    ),
)

half_with_empty = lambda mu, nu, tau, a, b: half_by_events(mu, nu) == half_by_densities(mu, tau, a, nu, b)

own("interval.multiplicative.half.repaired", "dissertation, Lemma C.5.2")(
    """For non-zero, mutually absolutely continuous mu and nu with tau-densities f and g: sup of ln mu(S)/nu(S) over the
    S with 0 < mu(S) < oo = ess sup over T^o of ln f(t)/g(t).""",
    every(mutual_pairs, lambda mu, nu, tau, a, b: half_by_positive(mu, nu) == half_by_densities(mu, tau, a, nu, b)),
    mutant("0/0 = 1 at the empty event", half_with_empty),
    mutant("|ln| for ln", lambda mu, nu, tau, a, b: by_events(mu, nu) == half_by_densities(mu, tau, a, nu, b)),
    repairs="interval.multiplicative.half",
    reading="as the lemma's proof counts events",
)

density_bounded_by_other = lambda mu, nu, tau, a, b: all(
    density_in(mu, tau, a)[t] <= density_in(nu, tau, b)[t] * by_events(mu, nu) for t in tau if tau[t] > 0
)
densities_in_order = lambda mu, nu, tau, a, b: all(
    density_in(mu, tau, a)[t] <= density_in(nu, tau, b)[t] for t in tau if tau[t] > 0
)

state("interval.multiplicative.almost-everywhere", "dissertation, (C.11)")(
    "f(t) <= g(t) exp[D_Mult(mu_1, nu_1)], (C.11) for tau-a.e. t in T_1.",
    every(mutual_pairs, density_bounded_by_other),
    mutant("g for g exp[D_Mult]", densities_in_order),
)

one_sided_pairs = cases(
    "all pairs of non-zero measures with masses 0, 1, 2, 3 on three outcomes that are not mutually absolutely "
    "continuous, but for the outcomes' names",
    "mu nu",
)(
    lambda: (
        (mu, nu)
        for mu, nu in tuples_of_measures(3, MASSES, 2)
        if any(mu.values()) and any(nu.values()) and any((mu[t] > 0) != (nu[t] > 0) for t in mu)
    )
)

state("interval.multiplicative.singular", "dissertation, Lemma C.5.3")(
    """Let mu, nu in Omega be non-zero and not mutually absolutely continuous. Then sup over S of ln mu(S)/nu(S) = oo or
    sup over S of ln nu(S)/mu(S) = oo.""",
    every(one_sided_pairs, lambda mu, nu: half_by_events(mu, nu) == oo or half_by_events(nu, mu) == oo),
    mutant("and for or", lambda mu, nu: half_by_events(mu, nu) == oo and half_by_events(nu, mu) == oo),
    mutant("any two measures", finite_pairs),
)


@cases(
    "all measures with masses 0, 1, 2 and all densities with values 0, 1, oo on three outcomes, but for their names",
    "mu f",
)
def with_density() -> Iterator[tuple[Any, ...]]:
    seen = set()
    for masses in product((0, 1, 2), repeat=3):
        for values in product((0, 1, None), repeat=3):
            name = tuple(sorted(zip(masses, values, strict=True), key=repr))
            if name not in seen:
                seen.add(name)
                yield dict(enumerate(masses)), dict(enumerate(values))


finite_everywhere = lambda mu, f: is_sigma_finite(integral_of(f, mu)) == all(f[t] < oo for t in mu)

state("interval.sigma-finite", "dissertation, Lemma C.5.1")(
    """Suppose that mu in Omega. Let f be a mu-density of nu. Then nu is sigma-finite if and only if f is finite
    mu-almost everywhere.""",
    every(with_density, lambda mu, f: is_sigma_finite(integral_of(f, mu)) == all(f[t] < oo for t in mu if mu[t] > 0)),
    mutant("everywhere for almost everywhere", finite_everywhere),
    reading="""on finite spaces with all events: a measure is sigma-finite iff each outcome has a finite mass; oo * 0 =
    0""",
)

state("interval.sigma-finite.converse", "dissertation, Lemma C.5.1, its proof")(
    """(This direction requires that mu is sigma-finite - the case that mu = nu with f = 1 serves as a
    counterexample.)""",
    some(unbounded_pairs, lambda mu, nu: mu == nu and integral_of(counting(mu), mu) == nu and not is_sigma_finite(nu)),
    mutant("among sigma-finite measures", finite_pairs),
    reading="a measure that is not sigma-finite has the density 1 with respect to itself",
)

# of a density f of mu: finite and positive almost everywhere, nu-almost everywhere too or something else holds
almost_positive = lambda f, mu, nu, tau, otherwise: (
    all(f[t] < oo for t in tau if tau[t] > 0)
    and sum(mu[t] for t in mu if f[t] == 0) == 0
    and (sum(nu[t] for t in nu if f[t] == 0) == 0 or otherwise)
)
positive_for_any = lambda mu, nu, tau, a: almost_positive(density_in(mu, tau, a), mu, nu, tau, mu == nu)

state("interval.density.positive", "dissertation, Lemma C.5.2, its proof")(
    """We first need that (A) f, g < oo holds tau-almost everywhere and that (B) f, g > 0 holds mu- and nu-almost
    everywhere. … To prove (B), observe that mu(f = 0) = (the integral over {f = 0} of) f dtau = 0, and then nu(f = 0) =
    0 follows by absolute continuity.""",
    every(dominated, lambda mu, nu, tau, a: almost_positive(density_in(mu, tau, a), mu, nu, tau, not mutual(mu, nu))),
    mutant("without mutual absolute continuity", positive_for_any),
    reading="mu and nu mutually absolutely continuous, as in the lemma; the same of g",
)

levels_from = lambda mu, nu, tau, a, b: all(
    any(probability(mu, s) > c * probability(nu, s) for s in events_of(mu))
    == (sum(tau[t] for t in kept_outcomes(f, g, tau) if f[t] >= c * g[t]) > 0)
    for c in (1 / 4, 1 / 2, 1, 3 / 2, 2, 4)
    for f in [density_in(mu, tau, a)]
    for g in [density_in(nu, tau, b)]
)
levels_above = lambda mu, nu, tau, a, b: all(
    any(probability(mu, s) > c * probability(nu, s) for s in events_of(mu))
    == (sum(tau[t] for t in kept_outcomes(f, g, tau) if f[t] > c * g[t]) > 0)
    for c in (1 / 4, 1 / 2, 1, 3 / 2, 2, 4)
    for f in [density_in(mu, tau, a)]
    for g in [density_in(nu, tau, b)]
)

state("interval.multiplicative.half.levels", "dissertation, Lemma C.5.2, its proof")(
    """We need to prove the following result holds for all a in R: There exists S in F such that mu(S) > exp(a) nu(S) if
    and only if tau(E_a) > 0.""",
    every(mutual_pairs, levels_above),
    mutant("f(t) >= exp(a) g(t)", levels_from),
    reading="E_a = {t in T^o : f(t) > exp(a) g(t)}",
)

finite_below = lambda mu, nu: not (is_sigma_finite(nu) and all(mu[t] <= nu[t] for t in mu)) or is_sigma_finite(mu)
finite_below_somewhere = lambda mu, nu: (
    not (is_sigma_finite(nu) and any(mu[t] <= nu[t] for t in mu)) or is_sigma_finite(mu)
)

state("interval.sigma-finite.below", "dissertation, section 5.3, after Definition 5.3.1")(
    """In the vast majority of cases we encounter (and indeed all the practically meaningful ones), the upper measure U
    of an IoM I(L, U) is sigma-finite and hence I(L, U) subset Omega.""",
    every(unbounded_pairs, finite_below),
    mutant("a measure that is below U at one outcome", finite_below_somewhere),
    reading="what follows from what: measures below a sigma-finite one are sigma-finite; U is nu",
)
