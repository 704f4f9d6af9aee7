From Coq Require Import ZArith Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Checking Require Import restates inhabitants. From Stirred Require Import statements_need.

(**********************************************************************************************************************)
(* The theorems that claims of the ledger rest on, restated in full; read this file and the definitions it names.     *)
(* After a theorem's name stand the claims that cite it. `restates t` closes a statement only if it is that of t and  *)
(* whatever it asks can be met; `restates t by i`, or `restates by i`, if the instance i, which is t applied to       *)
(* values, leaves nothing to ask (checking/restates.v). Part 1 rests on no axiom, part 2 on those of Coq's real       *)
(* numbers. `make check` holds both to what Coq prints, and the definitions behind the statements to the digest below *)
(* (`make definitions` shows both). Below, X is a set of data sets, U a family of universes, d an input premetric, D  *)
(* an output premetric, eps a budget, gamma its exponential, T a mechanism, c invariants, law R Y the laws on Y with  *)
(* masses in R; M, H, S are matching, holding and swapping categories, n records, p a swap rate, psa the Permutation  *)
(* Swapping Algorithm, b the largest stratum, der the derangements; pi a prior, M then a model, t an output.          *)
(* definitions: 9837750631b94557f8d66455fc2bc78f9b324092600a06007878138991e841de                                      *)
(**********************************************************************************************************************)
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Implicit Types (R F : realFieldType) (X I L : Type) (J M H S T V Y Z W Theta : finType) (n k m b : nat).
(* Begin with law, theories/law.v:42; mult_le, theories/law.v:262; pure_dp, theories/specifications/pure.v:49;
   premetric, theories/specifications/extended.v:342; satisfies, theories/specifications/specification.v:75; epsilon_dp,
   theories/specifications/exponential.v:46; is_nor, theories/zcdp/normalized_renyi.v:47; zcdp,
   theories/zcdp/normalized_renyi.v:59; hamming, theories/swaps/swapping.v:111; largest_stratum,
   theories/swaps/swapping.v:85; psa, theories/psa/psa_law.v:387. *)

(* Part 1. Without axioms                                                                                             *)

Open Scope ring_scope.

(* The article: invariants *)

(* Fix a domain X and some invariants c : X -> R^k. For any d_X and D_Pr, the mechanism T(x) = c(x) that releases the
   invariants exactly satisfies eps_D-DP(X, D_c, d_X, D_Pr) with PLB eps_D = 0 for all D in D_c. *)
Theorem invariants_free (* invariants.release-free *) : forall R X L d (D : premetric R L) (Y : Type) (c : X -> Y)
  point, satisfies (invariant_universe c) d D (fun=> 0e) (fun x => point (c x)). restates invariants_free. Qed.

(* This result also holds if D-multiverse is any multiverse with c constant within every universe D in D-multiverse
   (i.e., if c(x) = c(x') for all x, x' in D and all D in D-multiverse). *)
Theorem invariants_free_within (* invariants.release-free.any-multiverse *) : forall R X L d (D : premetric R L) (I Y :
  Type) (U : I -> X -> Prop) (c : X -> Y) point, (forall i x x', U i x -> U i x' -> c x = c x') -> satisfies U d D
  (fun=> 0e) (fun x => point (c x)). restates invariants_free_within by invariants_free_within_instance. Qed.

(* Suppose that a data release mechanism T varies within some universe D_0 in D-multiverse in the sense that there
   exists x, x' in D_0 with d_X(x, x') < oo but P(T(x, U) in .) != P(T(x', U) in .). When D_Pr is a metric, T satisfies
   eps_D-DP(X, D-multiverse, d_X, D_Pr) only if eps_D_0 > 0. *)
Theorem varying_costs (* invariants.zero-budget *) : forall R X L (d : premetric R X) D I (U : I -> X -> Prop) eps (T :
  X -> L) i x x', is_metric D -> U i x -> U i x' -> d x x' != oo -> T x <> T x' -> satisfies U d D eps T -> eps i != 0e.
  restates varying_costs by varying_costs_instance. Qed.

(* Now suppose D_Pr(P, Q) = oo whenever the total variation distance between P and Q is one. ... Let D-multiverse be a
   multiverse such that there exists some universe D_0 in D-multiverse and some x, x' in D_0 with d_X(x, x') < oo and
   c(x) != c(x'). *)
Theorem invariants_cost_points (* invariants.release-infinite invariants.costly invariants.costly.separated
  invariants.necessity invariants.necessary *) : forall R X I (d : premetric R X) L (Y : eqType) D (point : Y -> L) c (U
  : I -> X -> Prop) eps i x x', far_points D point -> U i x -> U i x' -> d x x' != oo -> c x <> c x' -> eps i != oo -> ~
  satisfies U d D eps (fun x0 => point (c x0)). restates invariants_cost_points by invariants_cost_points_instance. Qed.
Theorem invariants_cost (* invariants.release-infinite invariants.costly invariants.costly.separated
  invariants.necessity invariants.necessary *) : forall R X I (d : premetric R X) Y D (c : X -> Y) (U : I -> X -> Prop)
  eps i x x', far D -> U i x -> U i x' -> d x x' != oo -> c x <> c x' -> eps i != oo -> ~ satisfies U d D eps (fun x0 =>
  dirac (c x0)). restates invariants_cost by invariants_cost_instance. Qed.

(* Where the multiverse is a partition, the budget eps_D(x) of the universe of the realised data x can be reported
   without additional protection loss: T(x) = eps_D(x) satisfies the PLB 0. *)
Theorem budgets_at_free (* invariants.budget-reported budget.realised-released *) : forall R X I U (d : premetric R X)
  (eps : I -> ext R) (L Y : Type) D (point : Y -> L) told, (forall x x', (forall a, budgets_at U eps x a <-> budgets_at
  U eps x' a) -> told x = told x') -> (forall i j x, U i x -> U j x -> i = j) -> satisfies U d D (fun=> 0e) (fun x =>
  point (told x)). restates budgets_at_free by budgets_at_free_instance. Qed.

(* these two approaches - incorporating invariants via d_X or via D-multiverse - have the same result: Both ensure that
   the DP condition (Equation 1) only bounds the 'distance' between the distributions P(T(x, U) in .) and P(T(x', U) in
   .) when the two counterfactual data sets x and x' agree on the invariants *)
Theorem invariants_in_premetric (* invariants.two-encodings *) : forall R X L (Y : eqType) (c : X -> Y) (d : premetric R
  X) D (T : X -> L) e, satisfies (invariant_universe c) d D (fun=> e) T <-> satisfies (everything X)
  (invariant_premetric c d) D (fun=> e) T. restates invariants_in_premetric. Qed.

(* The data universe function therefore induces a partition of X indexed by the image of the invariant function c,
   splitting X into universes of mutually plausible data sets that share the same values for the invariants. *)
Theorem universes_partition (* invariants.partition *) : forall (X Y : Type) (c : X -> Y), (forall x, invariant_universe
  c x x) /\ (forall x x' y, invariant_universe c x y -> invariant_universe c x' y -> same (invariant_universe c x)
  (invariant_universe c x')). restates universes_partition. Qed.

(* Adding invariants reduces the quality of a DP flavor, because it refines the multiverse from D'-multiverse to
   D-multiverse *)
Theorem adding_refines (* invariants.adding-refines *) : forall (X Y : Type) (c : X -> Y) (Z : Type) (f : Y -> Z),
  refines (invariant_universe c) (invariant_universe (f \o c)). restates adding_refines. Qed.

(* an inequality invariant is of the form f(x) <= 0 for some function f : X -> R. *)
Theorem inequality_invariant (* invariants.inequality *) : forall X R (f : X -> R) x x', invariant_universe (fun x0 => f
  x0 <= 0) x x' <-> (f x' <= 0 <-> f x <= 0). restates inequality_invariant. Qed.

(* in the extreme example where c is an injective function so that the universes D are singletons, the entire data set
   can be published, and hence there is no actual protection afforded by the DP specification eps_D-DP(X, D_c, d_X,
   D_Pr) even though in such cases eps_D can be set to zero *)
Theorem injective_free (* invariants.injective invariants.singletons-unprotected *) : forall R (X L Y : Type) (c : X ->
  Y) (d : premetric R X) D (T : X -> L), injective c -> satisfies (invariant_universe c) d D (fun=> 0e) T. restates
  injective_free by injective_free_instance. Qed.

(* Because the Hamming distance between two data sets is infinite whenever they have a different number of records,
   these formulations only require the DP condition to hold for data sets of the same size. *)
Theorem size_invariant (* invariants.bounded invariants.bounded-size *) : forall R X L (Y : eqType) (size : X -> Y) (d :
  premetric R X) (D : premetric R L), (forall x x', size x <> size x' -> d x x' = oo) -> equivalent (invariant_universe
  size) d D. restates size_invariant by size_invariant_instance. Qed.

(* For invariants c and the same PLB eps everywhere, the invariant-induced multiverse and {X} are satisfied by the same
   mechanisms at every eps iff d_X(x, x') = oo whenever c(x) and c(x') differ, provided that D_Pr is not 0 between all
   laws. *)
Theorem equivalent_iff (* invariants.nonvacuous.comparable *) : forall R X L (Y : eqType) (c : X -> Y) d (D : premetric
  R L) (P Q : L), D P Q <> 0e -> equivalent (invariant_universe c) d D <-> (forall x x', c x <> c x' -> d x x' = oo).
  restates equivalent_iff by equivalent_iff_instance. Qed.

(* Under D_Mult (and under D_TV) a mechanism satisfies the PLB 0 on a multiverse iff its law is constant on every class
   of implicitly comparable data sets, those joined by pairs of a common universe at finite distance. *)
Theorem zero_budget_iff (* invariants.additional-information.components *) : forall R X L I (U : I -> X -> Prop) (d :
  premetric R X) D (T : X -> L), separated D -> satisfies U d D (fun=> 0e) T <-> component_function U d T. restates
  zero_budget_iff by zero_budget_iff_instance. Qed.

(* With finite distances, a mechanism varies within a universe of the invariant-induced multiverse iff its law is not a
   function of c. *)
Theorem varies_nowhere_iff (* invariants.varies-within.function *) : forall (X L Y : Type) (c : X -> Y) (T : X -> L),
  varies_nowhere (invariant_universe c) T <-> (forall x x', c x = c x' -> T x = T x'). restates varies_nowhere_iff. Qed.

(* Under D_Mult and finite distances, T(x) = c(x) satisfies some finite PLB on a multiverse iff the multiverse is a
   refinement of the one induced by c. *)
Theorem finite_budget_iff (* invariants.necessity.refinement *) : forall R X L I (Y : eqType) (U : I -> X -> Prop) (c :
  X -> Y) (d : premetric R X) (D : premetric R L) point, far_points D point -> (forall x x', d x x' <> oo) -> (forall i,
  exists x, U i x) -> (exists2 eps, forall i, eps i <> oo & satisfies U d D eps (fun x => point (c x))) <-> refines U
  (invariant_universe c). restates finite_budget_iff by finite_budget_iff_instance. Qed.

(* If x is in D(x) for every x, then under D_Mult, a finite PLB and finite distances no output of a mechanism that
   satisfies the specification is possible under x' and impossible under x, for any x' in D(x). *)
Theorem plausible (* invariants.plausibility.own-universe *) : forall R Y X (U : X -> X -> Prop) d gamma (T : X -> law R
  Y), (forall x, U x x) -> (forall x, gamma x <> None) -> (forall x x', d x x' <> None) -> pure_dp U d gamma T -> forall
  x x' y, U x x' -> T x y = 0 <-> T x' y = 0. restates plausible by plausible_instance. Qed.

(* a nonvacuous multiverse D-multiverse - as happens whenever there are invariants ... (By 'nonvacuous multiverse,' we
   mean one that is not equivalent to the multiverse D-multiverse = {X}.) *)
Theorem nonvacuous_refuted (* invariants.nonvacuous *) : forall R, ~ (forall X L (Y : eqType) (c : X -> Y) (d :
  premetric R X) (D : premetric R L) x x', is_metric D -> c x <> c x' -> ~ equivalent (invariant_universe c) d D).
  restates nonvacuous_refuted. Qed.

(* The following result demonstrates that the invariant-induced multiverse does not allow for the release of additional
   information, above and beyond the information contained in the invariants, without incurring some loss of protection.
   *)
Theorem zero_budget_refuted (* invariants.additional-information invariants.sufficient *) : forall R, ~ (forall (X L Y :
  Type) (c : X -> Y) (d : premetric R X) (D : premetric R L) (T : X -> L), is_metric D -> ~ (forall x x', c x = c x' ->
  T x = T x') -> ~ satisfies (invariant_universe c) d D (fun=> 0e) T). restates zero_budget_refuted. Qed.

(* A mechanism T varies within a universe D_0 in D_c whenever it includes information that is not logically equivalent
   to the invariants c. *)
Theorem varies_refuted (* invariants.varies-within *) : ~ (forall (X L Y : Type) (c : X -> Y) (T : X -> L), ~ (forall x
  x', T x = T x') -> ~ (forall x x', T x = T x' <-> c x = c x') -> ~ varies_nowhere (invariant_universe c) T). restates
  varies_refuted. Qed.

(* The resulting DP specification would then ensure that every x' in D(x) is plausible if x is also plausible - that is,
   an attacker would not be able to distinguish with certainty the true confidential data set to be x' and not x, for
   any x' in D(x). *)
Theorem plausible_refuted (* invariants.plausibility *) : forall R, ~ (forall X Y (U : X -> X -> Prop) (d : X -> X ->
  option nat) (g : X -> option R) (T : X -> law R Y), (forall x, g x <> None) -> (forall x x', d x x' <> None) ->
  pure_dp U d g T -> forall x x' y, U x x' -> T x y = 0 <-> T x' y = 0). restates plausible_refuted. Qed.

(* The two ways differ where the PLB differs between universes: there are invariants c, d_X and a PLB on the invariant-
   induced multiverse such that no PLB on {X}, with d_X set to oo whenever x and x' disagree on c, is satisfied by the
   same mechanisms. *)
Theorem two_encodings_differ (* invariants.two-encodings.varying-budget *) : forall R, exists X L (c : X -> bool) (d :
  premetric R X) (D : premetric R L) (eps : X -> ext R), (forall x x', c x = c x' -> eps x = eps x') /\ (forall e, ~
  (forall T : X -> L, satisfies (invariant_universe c) d D eps T <-> satisfies (everything X) (invariant_premetric c d)
  D (fun=> e) T)). restates two_encodings_differ. Qed.

(* The article: pairwise swapping *)

(* With permutations of independently selected households in place of pairs, 0 < p < 1, the loss is finite on every
   universe, whatever its size: at most the budget of article, Theorem 1. *)
Theorem psa_pure_dp (* pairwise.ladder.last psa.budget.theorem swapping.plausible-originals.bound *) : forall R M H S0 n
  (p : R) p01, pure_dp (fun x0 x => same_invariants x0 x) (fun x x' : dataset M H S0 n => Some (hamming x x')) (fun x0 :
  dataset M H S0 n => psa_budget (largest_stratum x0) p) (psa p p01). restates psa_pure_dp by psa_pure_dp_instance. Qed.
Theorem psa_pure_dp_sizes (* pairwise.ladder.last psa.budget.theorem *) : forall R M H S0 N (p : R) (p01 : 0 <= p <= 1),
  pure_dp (fun x0 x => same_invariants (tagged x0) (tagged x)) (hamming_or_oo (N:=N)) (fun x0 : bounded_data M H S0 N =>
  psa_budget (largest_stratum (tagged x0)) p) (psa_bounded p01). restates by psa_pure_dp_sizes_instance. Qed.
Theorem psa_pure_dp_printed (* pairwise.ladder.last psa.budget.theorem psa.budget.sketch *) : forall (R : rcfType) M H
  S0 N (p : R) (p01 : 0 <= p <= 1) X (data : X -> bounded_data M H S0 N), pure_dp (fun x0 x => same_invariants (tagged
  (data x0)) (tagged (data x))) (fun x x' => hamming_or_oo (data x) (data x')) (fun x0 => printed_budget
  (largest_stratum (tagged (data x0))) p) (fun x => psa_bounded p01 (data x)). restates psa_pure_dp_printed by
  psa_pure_dp_printed_instance. Qed.

(* 2010-style swapping, under every policy, leaves n_mh. *)
Theorem exchange_pairs_invariants (* pairwise.invariants *) : forall M H S n (x : dataset M H S n) s, of_one_key x s ->
  (forall (m : M) (h : H), n_mh (exchange_pairs x s) m h = n_mh x m h) /\ (forall (m : M) (b : S), n_ms (exchange_pairs
  x s) m b = n_ms x m b). restates exchange_pairs_invariants by exchange_pairs_invariants_instance. Qed.

(* The article: census *)

(* For 0 < p < 1, removing totals n_mh. or n_m.s from the PSA's DP specification of data sets of n records results in an
   infinite PLB iff some two of them agree on the totals that are left and not on those removed, as where all the n_mh.
   are removed and a stratum has at least two holding categories, or all the n_m.s are and it has at least two swapping
   categories; the PLB stays as it was otherwise. *)
Theorem psa_fewer (* psa.one-invariant-less *) : forall R M H S n (p : R) p01, 0 < p < 1 -> forall (A : {set M * H}) (B
  : {set M * S}), let dp U gamma := pure_dp U (fun x x' : dataset M H S n => Some (hamming x x')) gamma (psa p p01) in
  let open x0 := exists2 x, same_totals A B x0 x & ~~ same_invariants x0 x in [/\ forall x0, (forall gamma, dp
  (same_totals A B) gamma -> gamma x0 = None) <-> open x0, (0 < n)%N -> A = set0 -> M -> S -> (1 < #|H|)%N -> exists x0,
  open x0, (0 < n)%N -> B = set0 -> M -> H -> (1 < #|S|)%N -> exists x0, open x0 & (forall x0, ~ open x0) -> forall
  gamma, dp (same_totals A B) gamma <-> dp (@same_invariants M H S n n) gamma]. restates by psa_fewer_instance. Qed.

(* Where every person-record names its housing unit, and a household-record is its housing unit with its person-records
   and nothing else: over data sets with the same number of persons and the same housing units (vacant ones among them),
   d_HamS^hh <= 2 d_HamS^p and d_HamS^p <= b d_HamS^hh, where b bounds the persons of a household, with both factors
   attained; and d_HamS^hh <= d_HamS^p where every unit keeps its number of persons. *)
Theorem household_distances (* units.household-person topdown.household-mechanism *) : forall (U K : finType) n (x x' :
  person_data U K n), [/\ (unordered_distance (household_record x) (household_record x') <= 2 * unordered_distance x
  x')%N, forall b, (forall u, (household_size x u <= b)%N) -> (unordered_distance x x' <= b * unordered_distance
  (household_record x) (household_record x'))%N & (forall u, household_size x u = household_size x' u) ->
  (unordered_distance (household_record x) (household_record x') <= unordered_distance x x')%N]. restates
  household_distances by household_distances_instance. Qed.
Theorem household_distances_attained (* units.household-person topdown.household-mechanism *) : forall (U K : finType)
  (u v : U) (k l : K), u != v -> k != l -> (exists x x' : person_data U K 1, unordered_distance x x' = 1%N /\
  unordered_distance (household_record x) (household_record x') = 2%N) /\ (forall b, (0 < b)%N -> exists x x' :
  person_data U K b, [/\ forall w, (household_size x w <= b)%N /\ (household_size x' w <= b)%N, unordered_distance x x'
  = b & unordered_distance (household_record x) (household_record x') = 1%N]). restates by
  household_distances_attained_instance. Qed.

(* Where data sets of X_CEF at d_HamS^hh = k are the ends of a chain of k + 1 data sets of X_CEF, each a neighbor of the
   next, as where X_CEF is all data sets of possible household-records, a mechanism satisfies (X_CEF, {X_CEF},
   d_r_bs^hh, D_NoR) with budget rho iff it satisfies (X_CEF, {X_CEF}, d_HamS^hh, D_NoR) with it. *)
Theorem unordered_chains (* topdown.bounded-flavors.chains *) : forall T n, has_chains (fun x x' : {ffun 'I_n -> T} =>
  Some (unordered_distance x x')). restates unordered_chains by unordered_chains_instance. Qed.

(* From post-imputation persons to persons with one record each, which imputation duplicates at most m times, the PLB
   (eps or rho) is inflated by 1 + m, where a change of a person's answers changes their record and its duplicates only:
   the record itself counts too (one duplicate doubles rho). *)
Theorem donor_distance (* post-imputation.factor *) : forall (I J : finType) V (donor : J -> I) m (x x' : {ffun I ->
  V}), duplicated donor m -> (unordered_distance (completed donor x) (completed donor x') <= m.+1 * persons_apart x
  x')%N. restates donor_distance by donor_distance_instance. Qed.
Theorem donor_distance_attained (* post-imputation.factor *) : forall (I J : finType) V (donor : J -> I) (x x' : {ffun I
  -> V}) i, (forall l, (x l != x' l) = (l == i)) -> unordered_distance (completed donor x) (completed donor x') = #|[set
  j | donor j == i]|. restates donor_distance_attained by donor_distance_attained_instance. Qed.
Theorem donor_pure_dp (* post-imputation.factor *) : forall (I J : finType) V (donor : J -> I) R L Y m (U : L -> {ffun I
  -> V} -> Prop) (W : L -> {ffun J -> V} -> Prop) (g : L -> R) (T : {ffun J -> V} -> law R Y), duplicated donor m ->
  (forall l x, U l x -> W l (completed donor x)) -> (forall l, 1 <= g l) -> pure_dp W (fun z z' => Some
  (unordered_distance z z')) (fun l => Some (g l)) T -> pure_dp U (fun x x' => Some (persons_apart x x')) (fun l => Some
  (g l ^+ m.+1)) (fun x => T (completed donor x)). restates donor_pure_dp by donor_pure_dp_instance. Qed.

(* The article: premetrics *)

(* D_Mult is a metric on the space of a.e. equal random variables (over the same probability space T). *)
Theorem mult_metric_variables_refuted (* multiplicative.metric.random-variables *) : forall R, ~ (forall (O Y : finType)
  (P : law R O) (V W : O -> Y), mult_le 1 (map_law V P) (map_law W P) <-> (forall o, P o != 0 -> V o = W o)). restates
  mult_metric_variables_refuted. Qed.

(* The article: psa *)

(* (That is, eps_D^(inf) is the pointwise infimum over all ... eps_D satisfied by the PSA.) Then eps_D^(inf) is the
   smallest budget under which the PSA satisfies the DP flavor (X_x, D_cSwap, d_HamS^r, D_Mult). *)
Theorem loss_smallest (* psa.optimality.infimum loss.smallest *) : forall R X L (d : premetric R X) D (T : X -> L) I (U
  : I -> X -> Prop) l, (forall i, is_inf (losses d D T U i) (l i)) -> satisfies U d D l T /\ (forall eps, satisfies U d
  D eps T -> forall i, l i <=e eps i). restates loss_smallest by loss_smallest_instance. Qed.

(* Since n_m.. is an invariant, n_m..^x = n_m..^x' for all x and x' in the same universe. *)
Theorem largest_stratum_universe (* psa.budget.universe-function *) : forall M H S n n' (x : dataset M H S n) (x' :
  dataset M H S n'), same_invariants x x' -> largest_stratum x = largest_stratum x'. restates largest_stratum_universe
  by largest_stratum_universe_instance. Qed.

(* The records that Algorithm 1 selects from a stratum of n >= 2 records, again as long as it selects exactly one, have
   the law of one selection conditioned on not being one record; no other law Q is the law of a selection that is
   replaced by a draw from Q where it is one record. *)
Theorem reselect_loop (* psa.selection.repeated *) : forall R T (p : R) (p01 : 0 <= p <= 1) (A : {set T}) Q, (1 <
  #|A|)%N -> Q = bind (select p01 A) (fun B : {set T} => if #|B| == 1%N then Q else dirac B) <-> Q = reselect p01 A.
  restates reselect_loop by reselect_loop_instance. Qed.

(* Hence, we sample g with probability [d(k_g)]^-1 and therefore, P_x(sigma = g) = p^k_g (1-p)^(n-k_g) / ([1 -
   P_x(exactly 1 record selected)] d(k_g)). *)
Theorem stratum_perm_mass (* psa.permutation-law *) : forall R T (p : R) p01 (A : {set T}) g, (1 < #|A|)%N -> perm_on A
  g -> let n := #|A| in let k := #|[set i | g i != i]| in stratum_perm p p01 A g = p ^+ k * (1 - p) ^+ (n - k) / ((1 -
  n%:R * p * (1 - p) ^+ n.-1) * (der k)%:R). restates stratum_perm_mass by stratum_perm_mass_instance. Qed.

(* For n >= 2 the probability that a record of a stratum of n records is selected and deranged is p * (1 - (1-p)^(n-1))
   / (1 - n p (1-p)^(n-1)): the selection is conditioned on not being a single record. *)
Theorem Pr_swapped (* psa.swap-probability.exact psa.swap-probability.constant *) : forall R T (p : R) p01 (A : {set T})
  (i : T), (1 < #|A|)%N -> i \in A -> Pr (stratum_perm p p01 A) [set g : {perm T} | g i != i] = p * (1 - (1 - p) ^+
  #|A|.-1) / (1 - #|A|%:R * p * (1 - p) ^+ #|A|.-1). restates Pr_swapped by Pr_swapped_instance. Qed.
Theorem Pr_swapped_repaired (* psa.swap-probability.exact *) : forall R T (p : R) p01 (A : {set T}) (i : T), (1 <
  #|A|)%N -> i \in A -> Pr (stratum_perm p p01 A) [set g : {perm T} | g i != i] = printed_swap_probability p #|A| / (1 -
  #|A|%:R * p * (1 - p) ^+ #|A|.-1). restates Pr_swapped_repaired by Pr_swapped_repaired_instance. Qed.

(* Hence, the probability that a record with matching category m is swapped is p sum_{j=1}^{n_m.. - 1} C(n_m.. - 1, j)
   p^j (1-p)^(n_m.. - 1 - j). *)
Theorem Pr_swapped_gt_printed (* psa.swap-probability.printed *) : forall R T (p : R) p01 (A : {set T}) (i : T), 0 < p <
  1 -> (1 < #|A|)%N -> i \in A -> printed_swap_probability p #|A| < Pr (stratum_perm p p01 A) [set g : {perm T} | g i !=
  i]. restates Pr_swapped_gt_printed by Pr_swapped_gt_printed_instance. Qed.

(* For n >= 2 the probability that a record of a stratum of n records is swapped exceeds p by p (1-p)^(n-1) (np - 1)/(1
   - n p (1-p)^(n-1)): it is above p iff np > 1, for 0 < p < 1. *)
Theorem Pr_swapped_error (* psa.swap-probability.error *) : forall R T (p : R) p01 (A : {set T}) (i : T), (1 < #|A|)%N
  -> i \in A -> Pr (stratum_perm p p01 A) [set g : {perm T} | g i != i] - p = p * (1 - p) ^+ #|A|.-1 * (#|A|%:R * p - 1)
  / (1 - #|A|%:R * p * (1 - p) ^+ #|A|.-1). restates Pr_swapped_error by Pr_swapped_error_instance. Qed.

(* Hence, the probability that a record with matching category m is swapped is p sum_{j=1}^{n_m.. - 1} C(n_m.. - 1, j)
   p^j (1-p)^(n_m.. - 1 - j). *)
Theorem printed_swap_probability_refuted (* psa.swap-probability.printed *) : forall R, exists (p : R) (p01 : 0 <= p <=
  1), Pr (stratum_perm p p01 [set: 'I_2]) [set g : 'S_2 | g ord0 != ord0] <> printed_swap_probability p 2. restates
  printed_swap_probability_refuted. Qed.

(* In the PSA the probability of a household being swapped is a function of p and of the number of households in its
   stratum alone, and swaps in different strata are independent. *)
Theorem psa_perm_independent (* psa.swap-probability.constant *) : forall R M H S n (p : R) p01 (x : dataset M H S n) g,
  preserves_strata x g -> psa_perm p p01 x g = \prod_m stratum_perm p p01 (stratum x m) (restr_perm (stratum x m) g).
  restates psa_perm_independent by psa_perm_independent_instance. Qed.

(* Hence, we sample g with probability [d(k_g)]^-1 and therefore, P_x(sigma = g) = p^k_g (1-p)^(n-k_g) / ([1 -
   P_x(exactly 1 record selected)] d(k_g)). *)
Theorem psa_perm_mass (* psa.permutation-law psa.selected-records.at-least *) : forall R M H S0 n (p : R) p01 (x :
  dataset M H S0 n) g, preserves_strata x g -> psa_perm p p01 x g = \prod_(m | (1 < #|stratum x m|)%N) (let n_m :=
  #|stratum x m| in let k := moved_in x g m in p ^+ k * (1 - p) ^+ (n_m - k) / ((1 - n_m%:R * p * (1 - p) ^+ n_m.-1) *
  (der k)%:R)). restates psa_perm_mass by psa_perm_mass_instance. Qed.

(* If x and x' differ only by reordering of rows (i.e., d_HamS^r(x, x') = 0), then D_Mult[P_x(C(Z) in .), P_x'(C(Z) in
   .)] = 0. *)
Theorem psa_eq_table (* psa.reordering *) : forall R M H S0 n (p : R) p01 (x x' : dataset M H S0 n), table x = table x'
  -> psa p p01 x = psa p p01 x'. restates psa_eq_table by psa_eq_table_instance. Qed.

(* For b > 0 and 0 < p < 1, p <= sqrt(b+1)/(sqrt(b+1)+1) if and only if o^2 <= b + 1; where both are equal, the two
   forms ln(b+1) - ln o and ln o of (7), which both apply, agree. *)
Theorem psa_budget_meet (* psa.budget.threshold *) : forall R b (p : R), (0 < b)%N -> 0 < p < 1 -> let o := p / (1 - p)
  in o ^+ 2 = b.+1%:R -> b.+1%:R / o = o. restates psa_budget_meet by psa_budget_meet_instance. Qed.
Theorem psa_budget_threshold (* psa.budget.threshold *) : forall R b (p r : R), 0 <= p < 1 -> 0 <= r -> r ^+ 2 = b.+1%:R
  -> (p <= r / (r + 1)) = ((p / (1 - p)) ^+ 2 <= b.+1%:R). restates by psa_budget_threshold_instance. Qed.

(* ... the monotonic increase of eps_D with b ... *)
Theorem psa_budget_mono (* psa.budget.monotone *) : forall R b b' (p : R), (b <= b')%N -> b != 1%N -> 0 <= p <= 1 ->
  budget_le (psa_budget b p) (psa_budget b' p). restates psa_budget_mono by psa_budget_mono_instance. Qed.

(* ... for each b, there exists a smallest eps, call it eps^(b) ... The minimum budget eps^(b) = ln(b+1)/2 is achieved
   by the swap rate p^(b) = sqrt(b+1)/(sqrt(b+1)+1). *)
Theorem psa_budget_min (* psa.budget.minimum *) : forall R b (p gamma : R), (0 < b)%N -> 0 <= p <= 1 -> psa_budget b p =
  Some gamma -> b.+1%:R <= gamma ^+ 2 ?= iff ((p / (1 - p)) ^+ 2 == b.+1%:R). restates by psa_budget_min_instance. Qed.

(* ... for every b and every budget eps > eps^(b), two different swap rates can achieve that budget eps ... *)
Theorem psa_budget_two_rates (* psa.budget.two-rates *) : forall R b (p g : R), (0 < b)%N -> 0 <= p <= 1 -> 0 < g ->
  b.+1%:R < g ^+ 2 -> swap_rate g != swap_rate (b.+1%:R / g) /\ (psa_budget b p = Some g <-> p = swap_rate g \/ p =
  swap_rate (b.+1%:R / g)). restates psa_budget_two_rates by psa_budget_two_rates_instance. Qed.

(* Suppose that the PSA (Algorithm 1) permutes records at resolution r. Then it satisfies eps_D-DP(X, D_cSwap, d_HamS^r,
   D_Mult) with eps_D = 0 if b = 0; ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if
   sqrt(b+1)/(sqrt(b+1)+1) <= p < 1 and b > 0; infinity if p in {0, 1} and b > 0, where o = p/(1-p). *)
Theorem psa_no_mixed_stratum (* psa.budget.theorem *) : forall R M H S0 n (p : R) p01 (x x' : dataset M H S0 n),
  largest_stratum x = 0%N -> same_invariants x x' -> psa p p01 x = psa p p01 x'. restates psa_no_mixed_stratum by
  psa_no_mixed_stratum_instance. Qed.

(* Hence, if k_sigma is the number of records deranged by sigma, we have k_sigma - k <= k_sigma' <= k_sigma + k. *)
Theorem moved_change (* psa.sketch.moved-records *) : forall n (g rho : 'S_n), (moved g - moved rho <= moved (g * rho)
  <= moved g + moved rho)%N. restates moved_change. Qed.

(* At b = 0 no swap rate has a budget (7) of eps > 0: that two rates achieve every eps > eps^(b) needs b > 0. *)
Theorem psa_budget_two_rates_refuted (* psa.budget.two-rates.none *) : forall R (p gamma : R), 1 < gamma -> psa_budget 0
  p <> Some gamma. restates psa_budget_two_rates_refuted by psa_budget_two_rates_refuted_instance. Qed.

(* ... (17) simplifies to eps_D = ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if
   sqrt(b+1)/(sqrt(b+1)+1) < p < 1 and b > 0. *)
Theorem psa_budget_printed (* psa.proof.budget-forms *) : forall (R : rcfType) b (p : R), 0 <= p <= 1 -> psa_budget b p
  = printed_budget b p. restates psa_budget_printed by psa_budget_printed_instance. Qed.

(* This ratio r is upper bounded by (b+1)^d_HamS(x, x'), which means eps must be at least ln(b+1) - ln p + ln(1-p). *)
Theorem printed_budget_not_smallest (* psa.budget.necessary.printed psa.exact.printed-smallest *) : forall R, [/\
  psa_budget 2 (2^-1 : R) = Some 3, 1 < 3 :> R & forall M H S0 n (x x' : dataset M H S0 n), largest_stratum x = 2%N ->
  same_invariants x x' -> mult_le ((1 : R) ^+ hamming x x') (psa 2^-1 (half01 R) x) (psa 2^-1 (half01 R) x')]. restates
  printed_budget_not_smallest. Qed.

(* Suppose that 0 < p < 1 and |H|, |S| >= 2. Then there exists D_0 ... and m0 ... such that n_m0 >= 2 and n_m0h, n_m0s
   in {0, 1} for all h ... and s ... . *)
Theorem unit_margins_bound (* psa.unit-margins *) : forall R M H S0 (p : R) (p01 : 0 <= p <= 1) n (x0 : dataset M H S0
  n) (m0 : M) (gamma : R), 0 < p < 1 -> (1 < n_m x0 m0)%N -> (forall h, (n_mh x0 m0 h <= 1)%N) -> (forall s, (n_ms x0 m0
  s <= 1)%N) -> 1 <= gamma -> satisfies_in p01 x0 gamma -> p / (1 - p) <= gamma. restates unit_margins_bound by
  unit_margins_bound_instance. Qed.

(* Suppose p = 0 and |H|, |S| >= 2. Then there exists D_0 ... such that C(x) != C(x') for some x, x' in D_0. *)
Theorem swap_rate0_no_budget (* psa.no-swapping *) : forall R M H S (p : R) (p01 : 0 <= p <= 1) n (x0 x x' : dataset M H
  S n) (gamma : R), p = 0 -> same_invariants x0 x -> same_invariants x0 x' -> table x <> table x' -> ~ satisfies_in p01
  x0 gamma. restates swap_rate0_no_budget by swap_rate0_no_budget_instance. Qed.

(* Suppose p = 1 and |H|, |S| >= 2. Then there exists D_0 ... with n_m0h0 = n_m0h0' = n_m0s0 = n_m0s0' = 1 for some m0
   ..., h0 != h0' ..., and s0 != s0' ... . *)
Theorem swap_rate1_no_budget (* psa.full-swapping *) : forall R M H S0 (p : R) (p01 : 0 <= p <= 1) n (x0 : dataset M H
  S0 n) (m0 : M) (h0 h0' : H) s0 s0' (gamma : R), p = 1 -> h0 != h0' -> s0 != s0' -> n_mh x0 m0 h0 = 1%N -> n_mh x0 m0
  h0' = 1%N -> n_ms x0 m0 s0 = 1%N -> n_ms x0 m0 s0' = 1%N -> ~ satisfies_in p01 x0 gamma. restates swap_rate1_no_budget
  by swap_rate1_no_budget_instance. Qed.

(* For p = 1, any D_0 as in Proposition 7, and x in D_0 with the records (m0, h0, s0) and (m0, h0', s0'):
   P_x(C(sigma(x)) = C(x)) = 0 but P_x'(C(sigma(x')) = C(x)) > 0 for some x' in D_0. *)
Theorem swap_rate1_leaves_table (* psa.full-swapping.some-input *) : forall R M H S0 (p : R) p01 n (x : dataset M H S0
  n) i, p = 1 -> unique_in x i -> (1 < n_m x (matching (x i)))%N -> psa p p01 x (table_ord x) = 0 /\ (exists2 x',
  same_invariants x x' & 0 < psa p p01 x' (table_ord x)). restates by swap_rate1_leaves_table_instance. Qed.

(* eps_D_0 >= 0.5 ln[d(n_m0)/d(n_m0 - 2)] - ln o for 0 < p < 1 and any D_0 with (19) such that the margins of stratum m0
   without h1, h2, s1 and s2 have two tables with no occupied cell in common. *)
Theorem unit_pair_bound_distinct (* psa.unit-pair *) : forall R M H S0 (p : R) (p01 : 0 <= p <= 1) n (x0 : dataset M H
  S0 n) (m0 : M) (h1 h2 : H) s1 s2 (gamma : R), 0 < p < 1 -> bounded_18 x0 m0 -> h1 != h2 -> s1 != s2 -> n_mh x0 m0 h1 =
  1%N -> n_mh x0 m0 h2 = 1%N -> n_ms x0 m0 s1 = 1%N -> n_ms x0 m0 s2 = 1%N -> (forall s, (n_ms x0 m0 s <= 1)%N) -> 1 <=
  gamma -> satisfies_in p01 x0 gamma -> (der (n_m x0 m0))%:R <= gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (n_m x0 m0 -
  2))%:R. restates unit_pair_bound_distinct by unit_pair_bound_distinct_instance. Qed.
Theorem unit_pair_bound (* psa.unit-pair *) : forall R M H S0 (p : R) (p01 : 0 <= p <= 1) n (x0 : dataset M H S0 n) (m0
  : M) (h1 h2 : H) s1 s2, h1 != h2 -> s1 != s2 -> n_mh x0 m0 h1 = 1%N -> n_mh x0 m0 h2 = 1%N -> n_ms x0 m0 s1 = 1%N ->
  n_ms x0 m0 s2 = 1%N -> forall t t' gamma, 0 < p < 1 -> rest_table x0 m0 h1 h2 s1 s2 t -> rest_table x0 m0 h1 h2 s1 s2
  t' -> (forall h s, t h s = 0%N \/ t' h s = 0%N) -> 1 <= gamma -> satisfies_in p01 x0 gamma -> (der (n_m x0 m0))%:R <=
  gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (n_m x0 m0 - 2))%:R. restates unit_pair_bound by unit_pair_bound_instance. Qed.

(* Suppose that 0 < p <= 0.5 and |H|, |S| >= 2. Then there exists D_0 ... such that b = 2 and n_m0h1 = n_m0h2 = n_m0s1 =
   n_m0s2 = 1, for some m0 ... with n_m0 = b and some h1 != h2 and s1 != s2. *)
Theorem two_records_bound (* psa.two-records *) : forall R M H S (p : R) (p01 : 0 <= p <= 1) n (x : dataset M H S n) (m
  : M) (h1 h2 : H) s1 s2 (gamma : R), 0 < p < 1 -> n_m x m = 2%N -> h1 != h2 -> s1 != s2 -> n_mh x m h1 = 1%N -> n_mh x
  m h2 = 1%N -> n_ms x m s1 = 1%N -> n_ms x m s2 = 1%N -> 1 <= gamma -> satisfies_in p01 x gamma -> (der 2)%:R <= gamma
  ^+ 2 * (p / (1 - p)) ^+ 2 * (der (2 - 2))%:R. restates two_records_bound by two_records_bound_instance. Qed.

(* (That is, eps_D^(inf) is the pointwise infimum over all ... eps_D satisfied by the PSA.) Then eps_D^(inf) is the
   smallest budget under which the PSA satisfies the DP flavor (X_x, D_cSwap, d_HamS^r, D_Mult). *)
Theorem least_budget_attained (* psa.optimality.infimum *) : forall R M H S (p : R) (p01 : 0 <= p <= 1) n (x0 : dataset
  M H S n) (gamma : R), 0 <= gamma -> (forall gamma', gamma < gamma' -> satisfies_in p01 x0 gamma') -> satisfies_in p01
  x0 gamma. restates least_budget_attained by least_budget_attained_instance. Qed.

(* Suppose p = 1 and |H|, |S| >= 2. Then there exists D_0 ... with n_m0h0 = n_m0h0' = n_m0s0 = n_m0s0' = 1 for some m0
   ..., h0 != h0' ..., and s0 != s0' ... . *)
Theorem swap_rate1_universe (* psa.full-swapping *) : forall M H S0 (m : M) (h h' : H) (s s' : S0), h != h' -> s != s'
  -> exists h0 h0' s0 s0', [/\ h0 != h0', s0 != s0', n_mh (pair_data m h h' s s') m h0 = 1%N /\ n_mh (pair_data m h h' s
  s') m h0' = 1%N & n_ms (pair_data m h h' s s') m s0 = 1%N /\ n_ms (pair_data m h h' s s') m s0' = 1%N]. restates
  swap_rate1_universe by swap_rate1_universe_instance. Qed.

(* Suppose that 0 < p < 1 and |H|, |S| >= 2. Then there exists D_0 ... and m0 ... such that n_m0 >= 2 and n_m0h, n_m0s
   in {0, 1} for all h ... and s ... . *)
Theorem unit_margins_universe (* psa.unit-margins *) : forall M H S0 (m : M) (h h' : H) s s', h != h' -> s != s' -> [/\
  (1 < n_m (pair_data m h h' s s') m)%N, forall k : H, (n_mh (pair_data m h h' s s') m k <= 1)%N & forall k : S0, (n_ms
  (pair_data m h h' s s') m k <= 1)%N]. restates unit_margins_universe by unit_margins_universe_instance. Qed.

(* Suppose that 0 < p <= 0.5 and |H|, |S| >= 2. Then there exists D_0 ... such that b = 2 and n_m0h1 = n_m0h2 = n_m0s1 =
   n_m0s2 = 1, for some m0 ... with n_m0 = b and some h1 != h2 and s1 != s2. *)
Theorem two_records_universe (* psa.two-records *) : forall M H S0 (m : M) (h h' : H) (s s' : S0), h != h' -> s != s' ->
  largest_stratum (pair_data m h h' s s') = 2%N /\ n_m (pair_data m h h' s s') m = 2%N /\ (exists h1 h2 s1 s2, [/\ h1 !=
  h2, s1 != s2, n_mh (pair_data m h h' s s') m h1 = 1%N /\ n_mh (pair_data m h h' s s') m h2 = 1%N & n_ms (pair_data m h
  h' s s') m s1 = 1%N /\ n_ms (pair_data m h h' s s') m s2 = 1%N]). restates by two_records_universe_instance. Qed.

(* Suppose p = 0 and |H|, |S| >= 2. Then there exists D_0 ... such that C(x) != C(x') for some x, x' in D_0. *)
Theorem swap_rate0_universe (* psa.no-swapping *) : forall M H S0 (m : M) (h h' : H) s s', h != h' -> s != s' -> exists
  x x' : dataset M H S0 2, [/\ same_invariants (pair_data m h h' s s') x, same_invariants (pair_data m h h' s s') x' &
  table x <> table x']. restates swap_rate0_universe by swap_rate0_universe_instance. Qed.

(* Suppose that ... |H|, |S| >= 4. Then there exists D_0 ... that has the following properties: (18) ... and ... (19)
   ... . *)
Theorem unit_pair_universe (* psa.unit-pair.exists *) : forall M H S0 (m0 : M), (3 < #|H|)%N -> (3 < #|S0|)%N -> exists
  n (x0 : dataset M H S0 n) (h1 h2 : H) (s1 s2 : S0), [/\ bounded_18 x0 m0 /\ n_m x0 m0 = largest_stratum x0, h1 != h2,
  s1 != s2, n_mh x0 m0 h1 = 1%N /\ n_mh x0 m0 h2 = 1%N & n_ms x0 m0 s1 = 1%N /\ n_ms x0 m0 s2 = 1%N]. restates
  unit_pair_universe by unit_pair_universe_instance. Qed.

(* Assume that |H|, |S| >= 2 ... . Suppose that the PSA satisfies eps_D-DP(X_x, D_cSwap, d_HamS^r, D_Mult). Then: (A) If
   p in {0, 1}, then there exists a universe D_0 ... such that eps_D0 = infinity. *)
Theorem lower_bounds_universe (* psa.optimality.lower-bounds *) : forall R (p : R) (p01 : 0 <= p
  <= 1) M H S0, M -> forall (h h' : H) (s s' : S0), h != h' -> s != s' -> exists n (x0 : dataset M H S0 n), let b :=
  largest_stratum x0 in [/\ b = 2%N, p = 0 \/ p = 1 -> forall gamma, ~ satisfies_in p01 x0 gamma & 0 < p < 1 -> forall
  gamma, 1 <= gamma -> satisfies_in p01 x0 gamma -> p / (1 - p) <= gamma /\ (der b)%:R <= gamma ^+ 2 * (p / (1 - p)) ^+
  2 * (der (b - 2))%:R]. restates lower_bounds_universe by lower_bounds_universe_instance. Qed.

(* With |H|, |S| >= 4 for even b and >= 5 for odd b, for every b >= 4 there exists a universe whose largest stratum has
   b records such that, for 0 < p < 1, eps^(inf) >= 0.5 ln[d(b)/d(b-2)] - ln o, and eps^(1) - eps^(inf) <= ln((b + 1)/(b
   - 1)) where o^2 < b + 1. *)
Theorem lower_bound_every_size (* psa.optimality.every-size.lower-bound psa.optimality.arbitrarily-close psa.optimality.weak-form *)
  : forall M H S0, M -> forall b, (3 < b)%N -> (4 + odd b <= #|H|)%N -> (4 + odd b <= #|S0|)%N -> exists n (x0 : dataset
  M H S0 n), largest_stratum x0 = b /\ (forall R (p : R) (p01 : 0 <= p <= 1) (gamma : R), let o := p / (1 - p) in 0 < p
  < 1 -> 1 <= gamma -> satisfies_in p01 x0 gamma -> (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R /\ (forall g1,
  psa_budget b p = Some g1 -> o ^+ 2 < b.+1%:R -> g1 <= gamma * (b.+1%:R / b.-1%:R))). restates lower_bound_every_size
  by lower_bound_every_size_instance. Qed.

(* Comparing these lower bounds to the ... eps_D^(1) given in Theorem 1 shows that eps_D^(1) is optimal in the weak
   sense that there exists universes D_0 for which eps_D0^(1) is arbitrarily close to the best possible budget
   eps_D0^(inf). *)
Theorem lower_bound_distinct (* psa.optimality.arbitrarily-close psa.optimality.weak-form *) : forall M H S0, M ->
  forall b, (3 < b)%N -> (b <= #|H|)%N -> (b <= #|S0|)%N -> exists n (x0 : dataset M H S0 n), largest_stratum x0 = b /\
  (forall R p (p01 : 0 <= p <= 1) (g1 gamma : R), let o := p / (1 - p) in 0 < p < 1 -> 1 <= gamma -> satisfies_in p01 x0
  gamma -> psa_budget b p = Some g1 -> [/\ (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R, o <= gamma & g1 <= (if
  o ^+ 2 < b.+1%:R then gamma * (b.+1%:R / b.-1%:R) else gamma)]). restates by lower_bound_distinct_instance. Qed.

(* The universe of one record has b = 0, and the budget 0 is enough there for every p. *)
Theorem trivial_universe_budget (* psa.optimality.theorem.trivial-universe *) : forall R M H S0, M * H * S0 -> forall (p : R) (p01 : 0 <=
  p <= 1), exists x0 : dataset M H S0 1, largest_stratum x0 = 0%N /\ satisfies_in p01 x0 1. restates
  trivial_universe_budget by trivial_universe_budget_instance. Qed.

(* P_x(sigma = g) / P_x'(sigma = g') = o^delta d(k_g - delta) / d(k_g), where o = p/(1-p) and delta = k_g - k_g'. *)
Theorem permutation_ratio (* psa.permutation-ratio *) : forall R T (A : {set T}) (p : R) p01 g g', 0 < p < 1 -> (1 <
  #|A|)%N -> perm_on A g -> perm_on A g' -> let o := p / (1 - p) in let k := #|[set i | g i != i]| in let k' := #|[set i
  | g' i != i]| in stratum_perm p p01 A g / stratum_perm p p01 A g' = o ^+ k / o ^+ k' * ((der k')%:R / (der k)%:R).
  restates permutation_ratio by permutation_ratio_instance. Qed.

(* There is a bijection between G_x->z and G_x'->z given by g |-> g o rho. *)
Theorem permutations_moved (* psa.proof.bijection.printed psa.proof.bijection *) : forall M H S n x' rho (z : dataset M
  H S n), [set (g * rho)%g | g in perms_from_to (apply_perm rho x') z] = perms_from_to x' z. restates
  permutations_moved. Qed.

(* As maps of positions the bijection between G_x->z and G_x'->z is g |-> rho o g, i |-> rho(g(i)); i |-> g(rho(i)) is
   none. *)
Theorem moved_positions_refuted (* psa.proof.bijection *) : exists (x' z : dataset unit [finType of 'I_3] [finType of
  'I_3] 3) (rho g : 'S_3), g \in perms_from_to (apply_perm rho x') z /\ (rho * g)%g \notin perms_from_to x' z. restates
  moved_positions_refuted. Qed.

(* For 0 < p <= 0.5 and Delta_m != n_m - 1, the right hand side of (14) is at most o^-Delta_m d(n_m)/d(n_m - Delta_m)
   over all realizable k_g and k_g' with |k_g - k_g'| <= Delta_m. *)
Theorem mass_ratio_maximum (* psa.proof.maximum *) : forall R n k k' delta (o : R), 0 < o <= 1 -> n != 1%N -> k != 1%N
  -> k' != 1%N -> delta.+1 != n -> (delta <= n)%N -> (k <= n)%N -> (k' <= n)%N -> (k' <= k + delta)%N -> o ^+ k / o ^+
  k' * ((der k')%:R / (der k)%:R) <= o ^- delta * ((der n)%:R / (der (n - delta))%:R). restates mass_ratio_maximum by
  mass_ratio_maximum_instance. Qed.

(* Since d(k) is nondecreasing (except at k = 1, which is not realizable by g or g') and (1-p)/p >= 1, the right hand
   side of (14) is maximized when k_g'm = n_m and k_gm = n_m - Delta_m (i.e., delta = -Delta_m) ... *)
Theorem mass_ratio_maximum_refuted (* psa.proof.maximum.printed *) : forall n, (1 < n)%N -> ~ (exists g : 'S_n, moved g
  = (n - n.-1)%N). restates mass_ratio_maximum_refuted by mass_ratio_maximum_refuted_instance. Qed.

(* Given x, for the output z the PSA deranges at least d_HamS(x, z) records, and a permutation that gives z has a
   probability that depends only on how many records it moves in each stratum: with k_m of the n_m records of stratum m,
   the product over the strata of p^k_m (1-p)^(n_m-k_m) / ((1 - n_m p (1-p)^(n_m-1)) d(k_m)). *)
Theorem selected_at_least (* psa.selected-records.at-least *) : forall M H S n (x z : dataset M H S n) g, table
  (apply_perm g x) = table z -> (hamming x z <= moved g)%N. restates by selected_at_least_instance. Qed.

(* ... the PSA selects d_HamS(x, z) records and then samples derangements of size d_HamS(x, z) uniformly at random. *)
Theorem selected_records_refuted (* psa.selected-records.printed *) : forall R (p : R) p01, 0 < p < 1 -> exists (x :
  dataset unit unit unit 2) (g : 'S_2), [/\ 0 < psa_perm p p01 x g, hamming x (apply_perm g x) = 0%N & moved g = 2%N].
  restates selected_records_refuted by selected_records_refuted_instance. Qed.

(* ... (17) simplifies to eps_D = ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if
   sqrt(b+1)/(sqrt(b+1)+1) < p < 1 and b > 0. *)
Theorem budget_forms (* psa.proof.budget-forms *) : forall R b (p : R), (0 < b)%N -> 0 < p < 1 -> let o := p / (1 - p)
  in psa_budget b p = Some (if p <= 2^-1 then b.+1%:R / o else Num.max o (b.+1%:R / o)). restates budget_forms by
  budget_forms_instance. Qed.

(* ... for a larger b, a higher p is needed to achieve the same eps. *)
Theorem larger_stratum (* psa.budget.larger-stratum.printed *) : forall R b b' (gamma : R), (b < b')%N -> 0 < gamma ->
  swap_rate (b.+1%:R / gamma) < swap_rate (b'.+1%:R / gamma). restates larger_stratum by larger_stratum_instance. Qed.

(* ... which - as we use a coarser swap key - is an upper bound for the actual b of the 2010 Census. *)
Theorem coarser_matching (* psa.coarser-matching psa.coarser-matching.smaller.printed psa.swap-key.conservative *) :
  forall M M' H S n (c : M -> M') (x : dataset M H S n), (largest_stratum x <= largest_stratum (coarsen c x))%N.
  restates coarser_matching. Qed.

(* By excluding a matching variable, the PSA from Section 3.5 has fewer invariants and its ... budget ... eps is a
   conservative estimate, compared to a PSA implementation that mirrored ... the 2010 DAS matching variables. *)
Theorem coarser_invariants (* psa.swap-key.conservative *) : forall M M' H S (c : M -> M') n n' (x : dataset M H S n)
  (x' : dataset M H S n'), same_invariants x x' -> same_invariants (coarsen c x) (coarsen c x'). restates
  coarser_invariants. Qed.

(* ... which - as we use a coarser swap key - is an upper bound for the actual b of the 2010 Census. *)
Theorem coarser_budget (* psa.coarser-matching psa.coarser-matching.smaller.printed psa.swap-key.conservative *) :
  forall M M' H S n (c : M -> M') R (x : dataset M H S n) (p : R), 0 <= p <= 1 -> budget_le (psa_budget (largest_stratum
  x) p) (psa_budget (largest_stratum (coarsen c x)) p). restates coarser_budget by coarser_budget_instance. Qed.

(* Suppose that 0 < p < 1 and |H|, |S| >= 4. Then there exists D_0 ... that has the following properties: (18) max_h
   n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1, for some m0 ... with n_m0 = b, and there exists h1 != h2 ... and s1 !=
   s2 ... such that (19) n_m0h1 = n_m0h2 = n_m0s1 = n_m0s2 = 1. *)
Theorem unit_pair_bound_refuted (* psa.unit-pair.printed *) : exists n (x0 : dataset unit 'I_4 'I_5 n) (h1 h2 : 'I_4)
  (s1 s2 : 'I_5), [/\ bounded_18 x0 tt /\ n_m x0 tt = largest_stratum x0, h1 != h2, s1 != s2, n_mh x0 tt h1 = 1%N /\
  n_mh x0 tt h2 = 1%N & n_ms x0 tt s1 = 1%N /\ n_ms x0 tt s2 = 1%N] /\ (forall R, exists (p : R) (p01 : 0 <= p <= 1)
  (gamma : R), [/\ 0 < p < 1, 1 <= gamma, satisfies_in p01 x0 gamma & gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (n_m x0 tt
  - 2))%:R < (der (n_m x0 tt))%:R]). restates unit_pair_bound_refuted. Qed.

(* Part of the suboptimality arises from the fact that eps_D^(1) is a function only of p and b. *)
Theorem budget_beyond_largest_stratum (* psa.optimality.not-tight *) : forall R, exists n (x0 : dataset unit 'I_4 'I_5
  n) n' (x1 : dataset unit 'I_4 'I_5 n') (p : R) (p01 : 0 <= p <= 1) (gamma : R), [/\ largest_stratum x0 =
  largest_stratum x1, 0 < p < 1, 1 <= gamma, satisfies_in p01 x0 gamma & ~ satisfies_in p01 x1 gamma]. restates
  budget_beyond_largest_stratum. Qed.

(* Since no records can be fixed by sigma when p = 1, we have ... P_x(C(sigma(x)) = C(x)) = 0 but P_x(C(sigma(x')) =
   C(x)) > 0. *)
Theorem swap_rate1_leaves_table_refuted (* psa.full-swapping.proof-step *) : forall R (p01 : (0 : R) <= 1 <= 1), exists
  (x : dataset unit 'I_3 'I_3 3) (i j : 'I_3), let x' := apply_perm (tperm i j) x in [/\ i != j, unique_in x i,
  unique_in x j, psa 1 p01 x (table_ord x) = 0 & psa 1 p01 x' (table_ord x) = 0]. restates
  swap_rate1_leaves_table_refuted by swap_rate1_leaves_table_refuted_instance. Qed.

(* Hence, we sample g with probability [d(k_g)]^-1 and therefore, P_x(sigma = g) = p^k_g (1-p)^(n-k_g) / ([1 -
   P_x(exactly 1 record selected)] d(k_g)). *)
Theorem psa_moved_counts (* psa.permutation-law *) : forall h c n R (p : R) p01 (x z : dataset unit [finType of 'I_h]
  [finType of 'I_c] n), (1 < n)%N -> psa p p01 x (table_ord z) = \sum_(k < n.+1) (nth 0%N (moved_counts (record_list x)
  (record_list z)) k)%:R * move_weight p n k. restates psa_moved_counts by psa_moved_counts_instance. Qed.

(* The article: psa exact *)

(* For all p in (0, 1) at once, with o = p/(1-p): in one stratum of b >= 2 records, P_x(z) <= max{(b+1)/o, o}^d(x, x') *
   P_x'(z) for all x, x', z of the universe. *)
Theorem psa_budget_max (* psa.exact.all-rates *) : forall R b (p : R), (0 < b)%N -> 0 < p < 1 -> let o := p / (1 - p) in
  psa_budget b p = Some (Num.max o (b.+1%:R / o)). restates psa_budget_max by psa_budget_max_instance. Qed.
Theorem psa_privacy (* psa.exact.all-rates *) : forall R M H S0 n (p : R) p01 (x x' : dataset M H S0 n) (gamma : R),
  psa_budget (largest_stratum x) p = Some gamma -> same_invariants x x' -> mult_le (gamma ^+ hamming x x') (psa p p01 x)
  (psa p p01 x'). restates psa_privacy by psa_privacy_instance. Qed.

(* For b >= 4 and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is a budget of the PSA in every universe with
   largest stratum b, where d(k) counts derangements; it is never above the printed max{(b+1)/o, o}. *)
Theorem sharp_le_psa_budget (* psa.exact.sharpened *) : forall R b (p g : R), (1 < b)%N -> 0 <= p <= 1 -> psa_budget b p
  = Some g -> sharp_budget b (p / (1 - p)) g. restates sharp_le_psa_budget by sharp_le_psa_budget_instance. Qed.

(* For b = 2 and for b >= 4, and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is the smallest budget of the PSA,
   over all universes with largest stratum b of all domains, that depends on b and p alone. *)
Theorem psa_sharp (* psa.exact.sharpened.smallest psa.exact.sharpened.three psa.exact.sharpened.monotone
  psa.exact.sharpened.minimum psa.exact.sharpened.two-rates psa.exact.sharpened.at-least psa.exact.printed-smallest *) :
  forall R b (p gamma : R) p01, (1 < b)%N -> 0 < p < 1 -> 0 <= gamma -> (forall M H S0 n (x x' : dataset M H S0 n),
  largest_stratum x = b -> same_invariants x x' -> mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x')) <->
  sharp_budget b (p / (1 - p)) gamma. restates psa_sharp by psa_sharp_instance. Qed.

(* At every p in (0, 1) the smallest budget of the PSA that depends on b and p alone does not decrease with b, for b >=
   2. *)
Theorem sharp_budget_mono (* psa.exact.sharpened.monotone *) : forall R b b' (o gamma : R), 0 < o -> 0 <= gamma -> (1 <
  b)%N -> (b <= b')%N -> sharp_budget b' o gamma -> sharp_budget b o gamma. restates by sharp_budget_mono_instance. Qed.

(* The smallest budget of the PSA that depends on b and p alone is at least (1/4) ln(d(b)/d(b-2)) at every p in (0, 1),
   for b = 2 and b >= 4, and at least (1/3) ln 2 for b = 3. *)
Theorem sharp_budget_min (* psa.exact.sharpened.minimum *) : forall R b (o gamma : R), 0 < o -> (1 < b)%N ->
  sharp_budget b o gamma -> if b == 3%N then 2 <= gamma ^+ 3 else (der b)%:R <= gamma ^+ 4 * (der (b - 2))%:R. restates
  sharp_budget_min by sharp_budget_min_instance. Qed.

(* For b = 2 and b >= 4 the smallest budget of the PSA that depends on b and p alone is the same at odds o and o' =
   sqrt(d(b)/d(b-2))/o. *)
Theorem sharp_budget_dual (* psa.exact.sharpened.two-rates *) : forall R b (o o' gamma : R), 0 < o -> 0 < o' -> 0 <=
  gamma -> (1 < b)%N -> b != 3%N -> (o * o') ^+ 2 * (der (b - 2))%:R = (der b)%:R -> sharp_budget b o gamma =
  sharp_budget b o' gamma. restates sharp_budget_dual by sharp_budget_dual_instance. Qed.

(* For b >= 4 and p in (0, 1) a budget of the PSA that depends on b and p alone is at least ln o and at least ln(b-1) -
   ln o. *)
Theorem sharp_budget_bounds (* psa.exact.sharpened.at-least *) : forall R b (o gamma : R), 0 < o -> (3 < b)%N ->
  sharp_budget b o gamma -> o <= gamma /\ b.-1%:R <= gamma * o. restates by sharp_budget_bounds_instance. Qed.

(* For every b >= 4 there is a universe with largest stratum b in which the PSA's smallest budget has e^eps >=
   sqrt(d(b)/d(b-2))/o for all p in (0, 1), namely that with margins (m, m, 1, 1) or (m, m, 1, 1, 1) on both sides. *)
Theorem sharpened_attained (* psa.exact.sharpened.attained *) : forall M H S (m : M) b, (3 < b)%N -> (4 + odd b <=
  #|H|)%N -> (4 + odd b <= #|S|)%N -> exists n (x0 : dataset M H S n) (hs : 'I_(4 + odd b) -> H) (ss : 'I_(4 + odd b) ->
  S), [/\ n = b /\ largest_stratum x0 = b, injective hs /\ injective ss, forall j, n_mh x0 m (hs j) = unit_pair_margin b
  j /\ n_ms x0 m (ss j) = unit_pair_margin b j & forall R (p : R) (p01 : 0 <= p <= 1) gamma, 0 < p < 1 -> 1 <= gamma ->
  satisfies_in p01 x0 gamma -> (der b)%:R <= gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (b - 2))%:R]. restates
  sharpened_attained by sharpened_attained_instance. Qed.

(* For b >= 2 and 0 < p < 1 the printed budget (7) is the smallest one that depends on b and p alone if and only if b +
   1 <= o^2, that is p >= sqrt(b+1)/(sqrt(b+1)+1). *)
Theorem psa_budget_sharp_iff (* psa.exact.printed-smallest *) : forall R b (p gamma : R), (1 < b)%N -> 0 <= p <= 1 ->
  psa_budget b p = Some gamma -> (forall gamma', sharp_budget b (p / (1 - p)) gamma' -> gamma <= gamma') <-> b.+1%:R <=
  (p / (1 - p)) ^+ 2. restates psa_budget_sharp_iff by psa_budget_sharp_iff_instance. Qed.

(* For b >= 2 and all p in (0, 1), e^eps = max{b/o, o} is a budget of the PSA in every universe with largest stratum b:
   b for the printed b + 1. *)
Theorem psa_privacy_improved (* psa.exact.improved *) : forall R M H S0 n (p : R) p01 (x x' : dataset M H S0 n), 0 < p <
  1 -> (1 < largest_stratum x)%N -> same_invariants x x' -> let o := p / (1 - p) in mult_le (Num.max o ((largest_stratum
  x)%:R / o) ^+ hamming x x') (psa p p01 x) (psa p p01 x'). restates by psa_privacy_improved_instance. Qed.

(* At p = 0 and at p = 1 no finite eps is a budget of the PSA in the universe of b >= 2 records that share no category.
   *)
Theorem psa_degenerate_infinite (* psa.exact.degenerate *) : forall R b (p gamma : R) (p01 : 0 <= p <= 1), (1 < b)%N ->
  p \in [:: 0; 1] -> 0 <= gamma -> ~ suffices_distinct b gamma p01. restates by psa_degenerate_infinite_instance. Qed.

(* For b >= 4 and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is a budget of the PSA in every universe with
   largest stratum b, where d(k) counts derangements; it is never above the printed max{(b+1)/o, o}. *)
Theorem psa_sharp_pure_dp (* psa.exact.sharpened *) : forall R M H S0 n (p : R) p01 budget, 0 < p < 1 -> budget 0%N = 1
  -> (forall b, (1 < b)%N -> sharp_budget b (p / (1 - p)) (budget b)) -> pure_dp (fun x0 x => same_invariants x0 x) (fun
  x x' : dataset M H S0 n => Some (hamming x x')) (fun x0 : dataset M H S0 n => Some (budget (largest_stratum x0))) (psa
  p p01). restates psa_sharp_pure_dp by psa_sharp_pure_dp_instance. Qed.
Theorem sharp_budget_sqrt (* psa.exact.sharpened psa.exact.sharpened.smallest *) : forall (R : rcfType) b (o gamma : R),
  0 < o -> 0 <= gamma -> (1 < b)%N -> b != 3%N -> sharp_budget b o gamma = (Num.max o (Num.sqrt ((der b)%:R / (der (b -
  2))%:R) / o) <= gamma). restates sharp_budget_sqrt by sharp_budget_sqrt_instance. Qed.

(* If a universe of one stratum of n >= 3 records has two holding categories or two swapping categories, then for all p
   in (0, 1) eps = (1/2) ln max{o^2, (n+1/2)/o^2 + (n-1)/o} is a budget of the PSA: (1/2) ln n where the printed one has
   ln n. *)
Theorem two_category_le_psa_budget (* psa.exact.two-categories *) : forall R b (p gamma : R), (0 < b)%N -> 0 <= p <= 1
  -> psa_budget b p = Some gamma -> two_category_budget b (p / (1 - p)) gamma. restates two_category_le_psa_budget by
  two_category_le_psa_budget_instance. Qed.
Theorem two_category_privacy (* psa.exact.two-categories *) : forall R M H S0 n (p : R) p01 b (gamma : R) (x x' :
  dataset M H S0 n), 0 < p < 1 -> two_categories x -> (largest_stratum x <= b)%N -> two_category_budget b (p / (1 - p))
  gamma -> same_invariants x x' -> mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x'). restates
  two_category_privacy by two_category_privacy_instance. Qed.
Theorem two_category_type_privacy (* psa.exact.two-categories psa.exact.threshold *) : forall R M H S0 n (p : R) p01 b
  (gamma : R) (x x' : dataset M H S0 n), 0 < p < 1 -> (#|H| <= 2)%N || (#|S0| <= 2)%N -> (largest_stratum x <= b)%N ->
  same_invariants x x' -> (p / (1 - p)) ^+ 2 <= gamma ^+ 2 -> (b%:R + 2^-1) / (p / (1 - p)) ^+ 2 + (b%:R - 1) / (p / (1
  - p)) <= gamma ^+ 2 -> mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x'). restates by
  two_category_type_privacy_instance. Qed.
Theorem two_category_pure_dp (* psa.exact.two-categories *) : forall R M H S0 n (p : R) p01 budget, 0 < p < 1 -> (forall
  b, (1 < b)%N -> two_category_budget b (p / (1 - p)) (budget b)) -> pure_dp (fun x0 x => same_invariants x0 x) (fun x
  x' : dataset M H S0 n => Some (hamming x x')) (fun x0 : dataset M H S0 n => if two_categories x0 then Some (budget
  (largest_stratum x0)) else None) (psa p p01). restates two_category_pure_dp by two_category_pure_dp_instance. Qed.
Theorem two_category_sqrt (* psa.exact.two-categories *) : forall (R : rcfType) M H S0 n (p : R) p01, 0 < p < 1 -> (#|H|
  <= 2)%N || (#|S0| <= 2)%N -> let o := p / (1 - p) in pure_dp (fun x0 x => same_invariants x0 x) (fun x x' : dataset M
  H S0 n => Some (hamming x x')) (fun x0 : dataset M H S0 n => let b := largest_stratum x0 in Some (Num.sqrt (Num.max (o
  ^+ 2) ((b%:R + 2^-1) / o ^+ 2 + (b%:R - 1) / o)))) (psa p p01). restates two_category_sqrt by
  two_category_sqrt_instance. Qed.

(* In a universe of one stratum of n >= 2 records, let one holding category hold one record and one other the rest, and
   let at least two swapping categories hold records: c_s > 0 of them in s. *)
Theorem single_record_law (* psa.exact.single-record *) : forall M H S0 n (x : dataset M H S0 n) (m : M) (h h' : H) i (k
  : 'S_n) R (p : R) p01, (1 < n)%N -> single_row x m h h' -> holding (x i) = h -> let s := swapping (x (k i)) in psa p
  p01 x (table_ord (apply_perm k x)) = (if swapping (x i) == s then stay_mass p n (n_ms x m s) else come_mass p n (n_ms
  x m s)). restates single_record_law by single_record_law_instance. Qed.
Theorem single_record_budgets (* psa.exact.single-record *) : forall R M H S0 n (p : R) (p01 : 0 <= p <= 1), (1 < n)%N
  -> forall (x0 : dataset M H S0 n) (m : M) (h h' : H), single_row x0 m h h' -> (exists s s', [/\ s != s', (0 < n_ms x0
  m s)%N & (0 < n_ms x0 m s')%N]) -> forall gamma, satisfies_in p01 x0 gamma <-> (forall s, (0 < n_ms x0 m s)%N ->
  stay_mass p n (n_ms x0 m s) <= gamma ^+ 2 * come_mass p n (n_ms x0 m s) /\ come_mass p n (n_ms x0 m s) <= gamma ^+ 2 *
  stay_mass p n (n_ms x0 m s)). restates single_record_budgets by single_record_budgets_instance. Qed.
Theorem single_record_loss (* psa.exact.single-record *) : forall R M H S0 n (p : R) (p01 : 0 <= p <= 1), (1 < n)%N ->
  forall (x0 : dataset M H S0 n) (m : M) (h h' : H), single_row x0 m h h' -> (exists s s', [/\ s != s', (0 < n_ms x0 m
  s)%N & (0 < n_ms x0 m s')%N]) -> forall gamma, 0 < p < 1 -> satisfies_in p01 x0 gamma <-> (forall s, (0 < n_ms x0 m
  s)%N -> Num.max (stay_mass p n (n_ms x0 m s) / come_mass p n (n_ms x0 m s)) (come_mass p n (n_ms x0 m s) / stay_mass p
  n (n_ms x0 m s)) <= gamma ^+ 2). restates single_record_loss by single_record_loss_instance. Qed.

(* In every universe of one stratum and for every swap rate, the smallest budget of the PSA is the largest (ln P_x(z) -
   ln P_x'(z))/d_HamS(x, x') over the x, x' that one circuit separates: x' arises from x by passing on the swapping
   categories of l records with different holding and different swapping categories in a circle, 2 <= l <= min(|H|, |S|)
   (the largest of none is 0, and no z counts where both probabilities are 0). *)
Theorem circuit_chains (* psa.exact.circuits *) : forall M H S n (x x' : dataset M H S n), same_invariants x x' ->
  exists cs : seq (seq 'I_n), [/\ circuit_chain x cs, table (pass_all x cs) = table x' & sumn [seq size c | c <- cs] =
  hamming x x']. restates circuit_chains by circuit_chains_instance. Qed.
Theorem circuit_changes (* psa.exact.circuits *) : forall M H S0 n (x : dataset M H S0 n) c, circuit x c -> [/\ (1 <
  size c <= minn #|H| #|S0|)%N, same_invariants x (pass_on c x) & hamming x (pass_on c x) = size c]. restates
  circuit_changes by circuit_changes_instance. Qed.
Theorem circuits_decide (* psa.exact.circuits *) : forall R M H S Y n (T : dataset M H S n -> law R Y), (forall x x',
  table x = table x' -> T x = T x') -> forall (x0 : dataset M H S n) (gamma : R), (forall x x', same_invariants x0 x ->
  same_invariants x0 x' -> mult_le (gamma ^+ hamming x x') (T x) (T x')) <-> (forall x c, same_invariants x0 x ->
  circuit x c -> mult_le (gamma ^+ size c) (T x) (T (pass_on c x))). restates circuits_decide. Qed.
Theorem psa_circuits (* psa.exact.circuits *) : forall R M H S0 n (x0 : dataset M H S0 n) (p gamma : R) p01,
  satisfies_in p01 x0 gamma <-> (forall (x : dataset M H S0 n) (c : seq 'I_n) z, same_invariants x0 x -> circuit x c ->
  psa p p01 x z <= gamma ^+ size c * psa p p01 (pass_on c x) z). restates psa_circuits by psa_circuits_instance. Qed.

(* In the universe with row and column margins (n-2, 1, 1), n >= 4, the loss of the PSA is at least (1/2) ln(n(n-1)) +
   ln(1-p) - ln 2 for all p in (0, 1): three categories on both sides suffice for the printed growth ln n. *)
Theorem three_categories (* psa.exact.three-categories *) : forall R M H S0 n (x0 : dataset M H S0 n) (m : M) h h1 h2 s
  s1 s2 (p gamma : R) (p01 : 0 <= p <= 1), (3 < n)%N -> 0 < p < 1 -> margins_n11 x0 m h h1 h2 s s1 s2 -> satisfies_in
  p01 x0 gamma -> (n * n.-1)%:R * (1 - p) ^+ 2 / 4 <= gamma ^+ 2. restates by three_categories_instance. Qed.
Theorem three_categories_universe (* psa.exact.three-categories *) : forall M H S0 (m : M) n, (1 < n)%N -> (2 < #|H|)%N
  -> (2 < #|S0|)%N -> exists (x0 : dataset M H S0 n) (h h1 h2 : H) (s s1 s2 : S0), margins_n11 x0 m h h1 h2 s s1 s2.
  restates three_categories_universe by three_categories_universe_instance. Qed.

(* In a universe of one stratum of n >= 2 records whose data sets differ in at most D records, e^eps = (1 + eta)(D +
   1)/o is a budget of the PSA where o <= 1 and n!^2 o <= eta: for small rates D takes the place of b. *)
Theorem small_odds_budget (* psa.exact.small-odds *) : forall R H S0 n (p : R) (p01 : 0 <= p <= 1), 0 < p < 1 -> (1 <
  n)%N -> forall D eta, p / (1 - p) <= 1 -> 0 < eta -> n`!%:R ^+ 2 * (p / (1 - p)) <= eta -> forall x0 : dataset unit H
  S0 n, (forall x x' : dataset unit H S0 n, same_invariants x0 x -> same_invariants x0 x' -> (hamming x x' <= D)%N) ->
  satisfies_in p01 x0 ((1 + eta) * (D.+1%:R / (p / (1 - p)))). restates by small_odds_budget_instance. Qed.

(* In every universe with two categories and strata of up to b = 264,331 households, as of two tenures, the PSA
   satisfies budgets below 8.61, 7.75, 7.37 and 6.26 at p = 1%, 5%, 10% and 50%, where (7) gives 17.08, 15.43, 14.68 and
   12.48. *)
Theorem checked_pure_dp (* psa.exact.massachusetts.households *) : forall R M H S n c, checks c -> rd c = 1%num ->
  has_budget R M H S n (b_ c) (on c) (od c) (rn c). restates checked_pure_dp by checked_pure_dp_instance. Qed.
Theorem households_budget (* psa.exact.massachusetts.households *) : forall R M H S n, [/\ has_budget R M H S n 264331 1
  99 29665960, has_budget R M H S n 264331 1 19 5358648, has_budget R M H S n 264331 1 9 2496399 & has_budget R M H S n
  264331 1 1 270309]. restates households_budget. Qed.

(* If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the PSA at p = 50% satisfies a
   budget below 1.472, whatever the counties' totals; (7) gives 13.95. *)
Theorem balanced_pure_dp (* psa.exact.massachusetts.dwellings psa.exact.two-large psa.exact.limit *) : forall R M H S0 n
  (p : R) p01 on od (r gamma : R) (fits : nat -> nat -> bool), 0 < p < 1 -> on%:R / od%:R = p / (1 - p) -> (forall k l,
  fits k l -> exists q, balances q on od k.-1 l.-1 r) -> r <= gamma ^+ 2 -> pure_dp (fun x0 x => same_invariants x0 x)
  (fun x x' : dataset M H S0 n => Some (hamming x x')) (fun x0 : dataset M H S0 n => if sizes_fit fits x0 then Some
  gamma else None) (psa p p01). restates balanced_pure_dp by balanced_pure_dp_instance. Qed.
Theorem checked_sizes_pure_dp (* psa.exact.massachusetts.dwellings psa.exact.two-large *) : forall R M H S n c,
  balance_checks c -> has_sizes_budget R M H S n (row1 c) (row2 c) (odds_n c) (odds_d c) (cost_n c) (cost_d c). restates
  checked_sizes_pure_dp by checked_sizes_pure_dp_instance. Qed.
Theorem dwellings_budget (* psa.exact.massachusetts.dwellings *) : forall R M H S n, has_sizes_budget R M H S n 435805
  708619 1 1 9487603 500000. restates dwellings_budget. Qed.

(* In every universe of one stratum with two holding categories of 500,000 records each the PSA at p = 75% satisfies a
   budget below 0.511; (7) gives 12.72. *)
Theorem halves_budget (* psa.exact.two-large *) : forall R M H S n, has_sizes_budget R M H S n 500000 500000 3 1 1389089
  500000. restates halves_budget. Qed.

(* If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the PSA at p = 50% satisfies a
   budget below 1.472, whatever the counties' totals; (7) gives 13.95. *)
Theorem sizes_are_met (* psa.exact.massachusetts.dwellings *) : forall a b : BinNums.N, exists x : dataset unit_finType
  bool_finType bool_finType (N.to_nat a + N.to_nat b), sizes_fit (sizes_are a b) x. restates sizes_are_met. Qed.

(* Fix rational p in (0, 1) and n1, n2 above c = n/(2+o), where n = n1 + n2 and o = p/(1-p). Each eps > (1/2)
   ln(n1*n2/((n1-c)*(n2-c))) has an N such that eps is a budget of the PSA in every universe in which each stratum has N
   or more records, in two holding or in two swapping categories whose sizes have a quotient between n1/n2 and n2/n1. *)
Theorem balances_large (* psa.exact.limit *) : forall (R : archiFieldType) on od s1 s2 r, (0 < od)%N -> (s1 <= s2)%N ->
  large_share on od s1 s2 -> balanced_limit R on od s1 s2 < r -> exists N0, forall k l, (N0 <= k + l)%N -> in_shares s1
  s2 k l -> exists q, balances q on od k.-1 l.-1 r. restates balances_large by balances_large_instance. Qed.
Theorem balanced_limit_pure_dp (* psa.exact.limit psa.exact.threshold *) : forall (R : archiFieldType) (p : R) p01 on od
  s1 s2 gamma, 0 < p < 1 -> on%:R / od%:R = p / (1 - p) -> (s1 <= s2)%N -> large_share on od s1 s2 -> balanced_limit R
  on od s1 s2 < gamma ^+ 2 -> exists N0, forall M H S0 n, pure_dp (fun x0 x => same_invariants x0 x) (fun x x' : dataset
  M H S0 n => Some (hamming x x')) (fun x0 : dataset M H S0 n => if sizes_fit (large_in_shares s1 s2 N0) x0 then Some
  gamma else None) (psa p p01). restates balanced_limit_pure_dp by balanced_limit_pure_dp_instance. Qed.
Theorem near_equal_pure_dp (* psa.exact.limit *) : forall (R : archiFieldType) (p : R) p01 on od gamma, 0 < p < 1 ->
  on%:R / od%:R = p / (1 - p) -> (2 - p) / p < gamma -> exists s N0, forall M H S0 n, pure_dp (fun x0 x =>
  same_invariants x0 x) (fun x x' : dataset M H S0 n => Some (hamming x x')) (fun x0 : dataset M H S0 n => if sizes_fit
  (large_in_shares s s.+1 N0) x0 then Some gamma else None) (psa p p01). restates by near_equal_pure_dp_instance. Qed.

(* No smaller eps than in psa.exact.limit will do: fix p in (0, 1), and n1, n2 above c = n/(2+o), where n = n1 + n2 and
   o = p/(1-p). *)
Theorem limit_attained (* psa.exact.limit.attained *) : forall (R : archiFieldType) (p : R) p01 s1 s2 gamma, let c :=
  (s1 + s2)%:R / (2 + p / (1 - p)) in 0 < p < 1 -> c < s1%:R -> c < s2%:R -> gamma ^+ 2 < (s1 * s2)%:R / ((s1%:R - c) *
  (s2%:R - c)) -> exists k0, forall k, (k0 <= k)%N -> ~ pure_dp (fun _ : unit => @two_by_two (k * s1) (k * s2)) (fun x
  x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01). restates limit_attained by limit_attained_instance. Qed.

(* Fix p in (0, 1). In the universe of one stratum with two rows and two columns of n1 >= 2 and n2 >= 1 records, where
   n2 < c = (1-p)(n1+1), each budget eps of the PSA has e^(2 eps) >= (c-n2)^2/(12(c+1)). *)
Theorem short_row_loss (* psa.exact.threshold *) : forall R (p : R) (p01 : 0 <= p <= 1) n1 n2 (gamma : R), let c := (1 -
  p) * n1.+1%:R in 0 < p < 1 -> (1 < n1)%N -> (0 < n2)%N -> n2%:R < c -> pure_dp (fun _ : unit => @two_by_two n1 n2)
  (fun x x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01) -> (c - n2%:R) ^+ 2 <= 12%:R * (c + 1) * gamma ^+ 2.
  restates by short_row_loss_instance. Qed.

(* Let 0 < p < 1, o = p/(1-p), c = (1-p)(H-2) > 1 and m >= 1. In the universe of one stratum with H holding and H
   swapping categories of m of the n = H*m records each, max{o, (n+1)/o} is enough as e^eps for the PSA, and each budget
   has e^eps >= (c-1)^2*m/(5c): the loss is ln n + O(1) as n grows, as in (7). *)
Theorem many_categories (* psa.exact.many-categories *) : forall R (p : R) (p01 : 0 <= p <= 1) (H m : nat), let o := p /
  (1 - p) in let c := (1 - p) * (H%:R - 2) in 0 < p < 1 -> 1 < c -> (0 < m)%N -> let budget gamma := pure_dp (fun _ :
  unit => @equal_categories H m) (fun x x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01) in budget (Num.max o
  ((H * m).+1%:R / o)) /\ (forall gamma, 0 <= gamma -> budget gamma -> (c - 1) ^+ 2 * m%:R <= 5%:R * (c * gamma)).
  restates by many_categories_instance. Qed.

(* The article: specifications *)

(* On a finite domain a mechanism satisfies a specification iff D_Pr[P_x, P_x'] <= C(x, x') for all x, x', where C(x,
   x') = min{eps_D d_X(x, x') : D in the multiverse, x, x' in D} and the minimum of nothing is oo. *)
Theorem normal_form (* specification.normal-form refinement.in-premetric *) : forall R X L I U (eps : I -> ext R) d D C
  (T : X -> L), is_constraint_matrix U d eps C -> satisfies U d D eps T <-> below C D T. restates normal_form by
  normal_form_instance. Qed.
Theorem normal_form_finite (* specification.normal-form refinement.in-premetric *) : forall R X L (I : finType) (U : I
  -> pred X) (d : premetric R X) D eps (T : X -> L), satisfies (fun x x0 => U x x0) d D eps T <-> below
  (constraint_matrix U d eps) D T. restates normal_form_finite. Qed.
Theorem constraint_matrix_attained (* specification.normal-form *) : forall R X (I : finType) (U : I -> pred X) (d :
  premetric R X) eps x x', (exists i, [/\ U i x, U i x' & constraint_matrix U d eps x x' = eps i *e d x x']) \/
  constraint_matrix U d eps x x' = oo. restates constraint_matrix_attained. Qed.

(* A larger budget allows for mechanisms with less intense protection; whereas a small budget corresponds to requiring a
   higher intensity of privacy protection. *)
Theorem fewer_constraints (* specification.larger-budget refinement.fewer-constraints *) : forall R X L I I' U U' d D
  eps eps' (T : X -> L), (forall (i' : I') (s : nneg R), 0 < nneg_val s -> exists2 i : I, subset (U' i') (U i) & eps i
  <=e eps' i' +e Some s) -> satisfies U d D eps T -> satisfies U' d D eps' T. restates fewer_constraints by
  fewer_constraints_instance. Qed.

(* On a finite domain a mechanism satisfies a specification iff D_Pr[P_x, P_x'] <= C(x, x') for all x, x', where C(x,
   x') = min{eps_D d_X(x, x') : D in the multiverse, x, x' in D} and the minimum of nothing is oo. *)
Theorem pure_normal_form (* specification.normal-form *) : forall R X I Y (U : I -> X -> Prop) d gamma C (T : X -> law R
  Y), is_pure_matrix U d gamma C -> pure_dp U d gamma T <-> pure_below C T. restates by pure_normal_form_instance. Qed.

(* Suppose that D'-multiverse is refinement of D-multiverse. Then, for all PLBs eps'_D' : D'-multiverse -> [0, oo], any
   mechanism that satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr) also satisfies eps'_D'-DP(X, D'-multiverse, d_X, D_Pr),
   whenever eps_D <= inf{eps'_D' : D' in D'-multiverse with D' subset of D}. *)
Theorem refinement_within (* refinement.budget-within topdown.two-steps.printed *) : forall R X L I I' (U : I -> X ->
  Prop) U' d D eps (eps' : I' -> ext R) (T : X -> L), refines U' U -> (forall i, exists2 m, is_inf (budgets_within U U'
  eps' i) m & eps i <=e m) -> satisfies U d D eps T -> satisfies U' d D eps' T. restates refinement_within by
  refinement_within_instance. Qed.

(* Furthermore, for all PLBs eps_D : D-multiverse -> [0, oo], any mechanism that satisfies eps_D-DP(X, D-multiverse,
   d_X, D_Pr) also satisfies eps'_D'-DP(X, D'-multiverse, d_X, D_Pr), whenever eps'_D' >= inf{eps_D : D in D-multiverse
   with D' subset of D}. *)
Theorem refinement_above (* refinement.budget-above *) : forall R X L I I' (U : I -> X -> Prop) U' d D eps (eps' : I' ->
  ext R) (T : X -> L), refines U' U -> (forall i', exists2 m, is_inf (budgets_above U U' eps i') m & m <=e eps' i') ->
  satisfies U d D eps T -> satisfies U' d D eps' T. restates by refinement_above_instance. Qed.

(* Suppose that D-multiverse is refinement of D'-multiverse - that is, for all D in D-multiverse, there exists some D'
   in D'-multiverse such that D subset of D'. Define the protection loss of a data release mechanism T under the flavor
   (X, D-multiverse, d_X, D_Pr) as L_D = inf{eps_D : T satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr)}. *)
Theorem loss_refinement (* refinement.loss-monotone refinement.loss-direction.reversed *) : forall R X L (d : premetric
  R X) D (T : X -> L) (I : eqType) I' U U' (i : I) (i' : I') l l', refines U U' -> is_inf (losses d D T U i) l -> is_inf
  (losses d D T U' i') l' -> subset (U i) (U' i') -> l <=e l'. restates by loss_refinement_instance. Qed.

(* Suppose the second set of invariants are nested within the first; that is, c is strictly more constraining than c'.
   ... Then Proposition 3 below proves that T's protection loss under D_c' cannot be smaller and may be strictly larger
   than its loss under D_c. *)
Theorem loss_may_increase (* refinement.loss-may-increase refinement.loss-direction.reversed *) : forall R, exists X L
  (d : premetric R X) (D : premetric R L) (T : X -> L) (c : X -> bool) (c' : X -> unit) (f : bool -> unit) (x : X) (l l'
  : ext R), [/\ forall x0, c' x0 = f (c x0), is_inf (losses d D T (invariant_universe c) x) l, is_inf (losses d D T
  (invariant_universe c') x) l' & l <=e l' /\ l <> l']. restates loss_may_increase. Qed.

(* For laws on a finite set, D_Mult and D_Mult^delta (0 <= delta < 1) are infinite whenever the total variation distance
   is one. *)
Theorem mult_far (* output-premetrics.infinite-when-disjoint *) : forall R Y (g : R) (P Q : law R Y), tv P Q = 1 -> ~
  mult_le g P Q. restates mult_far by mult_far_instance. Qed.
Theorem approximate_far (* output-premetrics.infinite-when-disjoint *) : forall R Y (g e : R) (P Q : law R Y), e < 1 ->
  tv P Q = 1 -> ~ approximate_le g e P Q. restates approximate_far by approximate_far_instance. Qed.

(* The article: swapping *)

(* d(k) = k! * sum_{j=0}^{k} (-1)^j / j! is the number of derangements of size k, for k >= 0. *)
Theorem card_deranges (* derangements.definition *) : forall T (A : {set T}), #|deranges A| = der #|A|. restates
  card_deranges. Qed.

(* d(k) = (k - 1)(d(k - 1) + d(k - 2)) for k >= 2. *)
Theorem derSS (* derangements.recurrence.two-terms *) : forall k, der k.+2 = (k.+1 * (der k.+1 + der k))%N. restates
  derSS. Qed.

(* The k! permutations of k things are counted by which j of them move: sum_{j=0}^{k} C(k, j) d(j) = k!. *)
Theorem sum_bin_der (* derangements.all-permutations *) : forall n, (\sum_(k < n.+1) 'C(n, k) * der k)%N = n`!. restates
  sum_bin_der. Qed.

(* d(k) = k d(k-1) + (-1)^k for k >= 0. *)
Theorem der_rS (* derangements.recurrence *) : forall k, (der k)%:Z = k%:Z * (der k.-1)%:Z + (-1) ^+ k. restates der_rS.
  Qed.

(* d(k) = k! * sum_{j=0}^{k} (-1)^j / j! is the number of derangements of size k, for k >= 0. *)
Theorem der_formula (* derangements.definition *) : forall (F : numFieldType) k, (der k)%:R = k`!%:R * (\sum_(j < k.+1)
  (-1) ^+ j / j`!%:R) :> F. restates der_formula. Qed.

(* d(k) is nondecreasing (except at k = 1). *)
Theorem leq_der (* derangements.nondecreasing *) : forall j k, (j <= k)%N -> j != 1%N -> k != 1%N -> (der j <= der k)%N.
  restates leq_der by leq_der_instance. Qed.

(* The exceptions are needed: d(k) <= (k+1)^a d(k-a) fails at a = k - 1 for every k >= 2, and d(0) > d(1). *)
Theorem leq_der_refuted (* derangements.exceptions *) : ~~ (der 0 <= der 1)%N. restates leq_der_refuted. Qed.

(* For any k in N and any a in N satisfying 0 <= a <= k and a != k-1, d(k)/d(k-a) <= (k+1)^a, where d(k) is the number
   of derangements of k elements. *)
Theorem der_ratio (* derangements.ratio-bound *) : forall k a, (a <= k)%N -> a.+1 != k -> (der k <= k.+1 ^ a * der (k -
  a))%N. restates der_ratio by der_ratio_instance. Qed.

(* The exceptions are needed: d(k) <= (k+1)^a d(k-a) fails at a = k - 1 for every k >= 2, and d(0) > d(1). *)
Theorem der_ratio_refuted (* derangements.exceptions *) : forall k, (1 < k)%N -> ~~ (der k <= k.+1 ^ k.-1 * der (k -
  k.-1))%N. restates der_ratio_refuted by der_ratio_refuted_instance. Qed.

(* ... where the first line follows by Proposition 9 and the second line by the identity d(k) = floor(k!/e + 1/2). *)
Theorem nearest_integer_refuted (* derangements.nearest-integer.printed *) : forall R (e : R), 2 < e -> 0`!%:R / e +
  2^-1 < (der 0)%:R. restates nearest_integer_refuted by nearest_integer_refuted_instance. Qed.

(* The ratio r of the number of derangements of size d_HamS(x, z) to the number of derangements of size d_HamS(x', z) is
   upper bounded by (b+1)^d_HamS(x, x'), for x, x' and z in one universe. *)
Theorem distance_ratio_refuted (* derangements.distance-ratio.printed *) : exists M H S0 n (x x' z : dataset M H S0 n),
  [/\ same_invariants x x', same_invariants x z & ((largest_stratum x).+1 ^ hamming x x' * der (hamming x' z) < der
  (hamming x z))%N]. restates distance_ratio_refuted. Qed.

(* If all records are in one stratum, the ratio of the number of derangements of size d_HamS(x, z) to that of size
   d_HamS(x', z) is at most (b+1)^d_HamS(x, x'), for x, x' and z in one universe. *)
Theorem distance_ratio (* derangements.distance-ratio *) : forall M H S0 n (x x' z : dataset M H S0 n), same_invariants
  x x' -> same_invariants x z -> largest_stratum x = n -> (der (hamming x z) <= (largest_stratum x).+1 ^ hamming x x' *
  der (hamming x' z))%N. restates distance_ratio by distance_ratio_instance. Qed.

(* Data sets agree on c_Swap iff a permutation inside the matching strata leads from one to a reordering of the other: a
   universe of the swapping multiverse is what swapping can reach. *)
Theorem same_invariants_size (* swapping.invariants.complete swapping.invariants.size *) : forall M H S n n' (x :
  dataset M H S n) (x' : dataset M H S n'), same_invariants x x' -> n = n'. restates same_invariants_size by
  same_invariants_size_instance. Qed.

(* Swapping always preserves the one-dimensional marginals: n_m.., n_.h. and n_..s ... *)
Theorem one_dimensional_margins (* swapping.invariants.one-dimensional *) : forall M H S n n' (x : dataset M H S n) (x'
  : dataset M H S n'), same_invariants x x' -> [/\ forall m : M, n_m x m = n_m x' m, forall h, n_h x h = n_h x' h &
  forall s, n_s x s = n_s x' s]. restates one_dimensional_margins by one_dimensional_margins_instance. Qed.

(* Suppose that V_Hold \ V_Match and V_Swap are nonempty. ... But swapping does keep n_m.s = sum_h n_mhs and n_mh. =
   sum_s n_mhs invariant. *)
Theorem swap_preserves_invariants (* swapping.invariants.margins swapping.invariants.one-dimensional *) : forall M H S n
  (x : dataset M H S n) g, preserves_strata x g -> (forall (m : M) (h : H), n_mh (apply_perm g x) m h = n_mh x m h) /\
  (forall (m : M) (s : S), n_ms (apply_perm g x) m s = n_ms x m s). restates by swap_preserves_invariants_instance. Qed.

(* In general, interior cell counts n_mhs are not preserved under swapping and neither are the margins n_.hs = sum_m
   n_mhs. *)
Theorem swap_may_change_cells_and_third_margin (* swapping.invariants.not-preserved *) : exists (x : dataset unit bool
  bool 2) g, [/\ preserves_strata x g, table x (tt, true, true) = 1%N, table (apply_perm g x) (tt, true, true) = 0%N,
  n_hs x true true = 1%N & n_hs (apply_perm g x) true true = 0%N]. restates swap_may_change_cells_and_third_margin. Qed.

(* This contingency table C(Z) fully determines Z up to reordering of the rows of Z. *)
Theorem eq_table_reordering (* swapping.table-determines *) : forall M H S n (x x' : dataset M H S n), table x = table
  x' <-> (exists g, x' = reorder g x). restates eq_table_reordering. Qed.

(* For any x and any permutation g, d_HamS(x, g(x)) <= k_g, where k_g is the number of records that are deranged by g.
   *)
Theorem hamming_apply_perm (* swapping.moved-records *) : forall M H S n g (x : dataset M H S n), (hamming x (apply_perm
  g x) <= moved g)%N. restates hamming_apply_perm. Qed.

(* Fix some data universe D in D_cSwap and some x, x' in D with d_HamS(x, x') = Delta. Then there exists a permutation
   rho that fixes exactly n - Delta records such that C(rho(x)) = C(x'). *)
Theorem swap_path (* swapping.permutation-exists *) : forall M H S n (x x' : dataset M H S n), same_invariants x x' ->
  exists rho, [/\ preserves_strata x rho, moved rho = hamming x x' & table (apply_perm rho x) = table x']. restates
  swap_path by swap_path_instance. Qed.

(* Data sets agree on c_Swap iff a permutation inside the matching strata leads from one to a reordering of the other: a
   universe of the swapping multiverse is what swapping can reach. *)
Theorem universe_swaps (* swapping.invariants.complete *) : forall M H S n (x x' : dataset M H S n), same_invariants x
  x' <-> (exists2 rho, preserves_strata x rho & table (apply_perm rho x) = table x'). restates universe_swaps. Qed.

(* d_HamS(x, x') = 1 implies that x, x' are not in the same data universe. *)
Theorem no_neighbors (* swapping.no-distance-one *) : forall M H S0 n (x x' : dataset M H S0 n), same_invariants x x' ->
  hamming x x' != 1%N. restates no_neighbors by no_neighbors_instance. Qed.

(* For 0 < p < 1 every data set of a universe of the swapping multiverse gives every other one, and itself, with nonzero
   probability under the PSA: the data sets compatible with the swapped one are the universe's. *)
Theorem psa_support (* swapping.plausible-originals *) : forall R M H S0 n (p : R) p01, 0 < p -> p < 1 -> forall x x' :
  dataset M H S0 n, (0 < psa p p01 x (table_ord x')) = same_invariants x x'. restates by psa_support_instance. Qed.

(* x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = n_m0 exist only if max_h n_m0h <= n_m0/2 and
   max_s n_m0s <= n_m0/2. *)
Theorem disjoint_swap_necessary (* swapping.disjoint-tables.only-if *) : forall M H S0 n (x z : dataset M H S0 n) (m :
  M), same_invariants x z -> hamming_in x z m = n_m x m -> (forall h, (2 * n_mh x m h <= n_m x m)%N) /\ (forall s, (2 *
  n_ms x m s <= n_m x m)%N). restates disjoint_swap_necessary by disjoint_swap_necessary_instance. Qed.

(* Suppose that n_m0s <= 1 for every s. Then x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = n_m0
   exist if and only if max_h n_m0h <= n_m0/2. *)
Theorem disjoint_swap_sufficient (* swapping.disjoint-tables.own-values *) : forall M H S0 n (x : dataset M H S0 n) (m :
  M), determines_on x (stratum x m) -> (forall h, (2 * n_mh x m h <= n_m x m)%N) -> exists g, [/\ preserves_strata x g,
  moved_set g = stratum x m & hamming_in x (apply_perm g x) m = n_m x m]. restates disjoint_swap_sufficient by
  disjoint_swap_sufficient_instance. Qed.
Theorem disjoint_swap_iff (* swapping.disjoint-tables.own-values *) : forall M H S0 n (x : dataset M H S0 n) (m : M),
  (forall s, (n_ms x m s <= 1)%N) -> (exists g, [/\ preserves_strata x g, moved_set g = stratum x m & hamming_in x
  (apply_perm g x) m = n_m x m]) <-> (forall h, (2 * n_mh x m h <= n_m x m)%N). restates disjoint_swap_iff by
  disjoint_swap_iff_instance. Qed.

(* Suppose that D_0 in D_cSwap satisfies Equation 18. Then there exists x in D_0 and a derangement g of x_m0 such that
   d_HamS(x_m0, g(x_m0)) = b. *)
Theorem disjoint_swap_sufficient_refuted (* swapping.disjoint-tables.printed *) : exists n (x0 : dataset unit 'I_3 'I_3
  n), [/\ n_m x0 tt = largest_stratum x0, bounded_18 x0 tt & ~ (exists (x : dataset unit 'I_3 'I_3 n) (g : 'S_n), [/\
  same_invariants x0 x, preserves_strata x g, moved_set g = stratum x tt & hamming_in x (apply_perm g x) tt = n_m x0
  tt])]. restates disjoint_swap_sufficient_refuted. Qed.

(* (In fact, such an x and g exist if and only if D_0 satisfies Equation 18.) *)
Theorem disjoint_swap_necessary_refuted (* swapping.disjoint-tables.only-if.printed *) : exists n (x0 : dataset unit
  bool bool n), [/\ n_m x0 tt = largest_stratum x0, ~~ bounded_18 x0 tt & exists (x : dataset unit bool bool n) (g :
  'S_n), [/\ same_invariants x0 x, preserves_strata x g, moved_set g = stratum x tt & hamming_in x (apply_perm g x) tt =
  n_m x0 tt]]. restates disjoint_swap_necessary_refuted. Qed.

(* l_1(x, x') = 2 d_HamS(x, x') if |x| = |x'|. *)
Theorem l1_tables_hamming (* hamming.half-l1 hamming.alignment *) : forall M H S0 n (x x' : dataset M H S0 n), l1_tables
  x x' = (2 * hamming x x')%N. restates l1_tables_hamming. Qed.

(* That is, d_HamS^r(x, x') denotes the number of records that differ between data sets x and x' (ignoring the ordering
   of the records in x and x'): d_HamS^r(x, x') = 1/2 |x (-) x'| if |x| = |x'|, oo otherwise, where (-) is the symmetric
   multiset difference ... *)
Theorem hamming_alignment (* hamming.alignment *) : forall M H S n (x x' : dataset M H S n), (forall g, (hamming x x' <=
  #|differing x (reorder g x')|)%N) /\ (exists g, hamming x x' = #|differing x (reorder g x')|). restates
  hamming_alignment. Qed.

(* The article: topdown *)

(* The same holds with eps_p + eps_hh under every output premetric that is subadditive over independent outcomes and
   that no processing makes larger; with eps + eps_p + eps_hh where the second step may use an earlier release too,
   which satisfies eps. *)
Theorem measured_satisfies (* topdown.two-steps.any-premetric *) : forall R D X I (U : I -> X -> Prop) (d : premetric R
  X) (Y Z C : finType) T_p T_hh c eps_p eps_hh, (forall i x x', U i x -> U i x' -> c x = c x') -> satisfies U d (D Y)
  eps_p T_p -> satisfies U d (D Z) eps_hh T_hh -> subadditive D -> satisfies U d (D [finType of Y * Z * C]) (fun i =>
  eps_p i +e eps_hh i) (drawn T_p T_hh c). restates measured_satisfies by measured_satisfies_instance. Qed.
Theorem two_step_satisfies (* topdown.two-steps.any-premetric *) : forall R D X I (U : I -> X -> Prop) (d : premetric R
  X) (Y Z C : finType) T_p T_hh (c : X -> C) eps_p eps_hh, (forall i x x', U i x -> U i x' -> c x = c x') -> satisfies U
  d (D Y) eps_p T_p -> satisfies U d (D Z) eps_hh T_hh -> subadditive D -> noise_processing D -> forall W K, satisfies U
  d (D W) (fun i => eps_p i +e eps_hh i) (fun x => bind (drawn T_p T_hh c x) K). restates two_step_satisfies by
  two_step_satisfies_instance. Qed.
Theorem two_runs_satisfies (* topdown.two-steps.any-premetric *) : forall R D X I (U : I -> X -> Prop) d (Y Z C :
  finType) T_p T_hh c eps_p eps_hh, (forall i x x', U i x -> U i x' -> c x = c x') -> satisfies U d (D Y) eps_p T_p ->
  satisfies U d (D Z) eps_hh T_hh -> subadditive D -> noise_processing D -> forall V W (M : X -> law R V) (eps : I ->
  ext R) (K : V * (Y * Z * C) -> law R W), satisfies U d (D V) eps M -> satisfies U d (D W) (fun i => eps i +e (eps_p i
  +e eps_hh i)) (fun x => bind (prod_law (M x) (drawn T_p T_hh c x)) K). restates by two_runs_satisfies_instance. Qed.

(* A release that tells some totals satisfies no specification with output premetric D_NoR whose budget is finite on a
   universe where two data sets at finite distance differ in them; nor with any other output premetric that no
   processing makes larger and that is oo between laws without a common outcome. *)
Theorem kept_infinite (* topdown.kept-total *) : forall R D X I (U : I -> X -> Prop) (d : premetric R X) (W C : finType)
  (t : W -> C) c (M : X -> law R W) eps i x x', data_processing D -> far (D C) -> keeps t c M -> U i x -> U i x' -> d x
  x' != oo -> c x <> c x' -> eps i != oo -> ~ satisfies U d (D W) eps M. restates by kept_infinite_instance. Qed.

(* The dissertation: zcdp *)

(* For D_Mult and D_TV, D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q') and, for every function f of the outcome,
   D_Pr(P, Q) >= D_Pr(f(P), f(Q)). *)
Theorem tv_product (* premetrics.composition *) : forall R Y Z (P Q : law R Y) (P' Q' : law R Z), tv (prod_law P P')
  (prod_law Q Q') <= tv P Q + tv P' Q'. restates tv_product. Qed.
Theorem tv_postprocessing (* premetrics.composition *) : forall R Y Z (P Q : law R Y) (K : Y -> law R Z), tv (bind P K)
  (bind Q K) <= tv P Q. restates tv_postprocessing. Qed.

(* D_Mult^(delta + delta')(P x P', Q x Q') <= D_Mult^delta(P, Q) + D_Mult^delta'(P', Q'). *)
Theorem approximate_product (* premetrics.composition.approximate *) : forall R Y Z (g h e f : R) (P Q : law R Y) (P' Q'
  : law R Z), 0 <= g -> 0 <= h -> 0 <= e -> approximate_le g e P Q -> approximate_le h f P' Q' -> approximate_le (g * h)
  (e + f) (prod_law P P') (prod_law Q Q'). restates approximate_product by approximate_product_instance. Qed.

(* For delta > 0, D_MULT^delta(P, Q) < D_MULT(P, Q) where P and Q differ and D_MULT(P, Q) is finite, on finitely many
   outcomes; D_MULT^delta is never larger than D_MULT. *)
Theorem approximate_smaller (* approximate.smaller *) : forall R Y (g e : R) (P Q : law R Y), 0 <= e -> mult_le g P Q ->
  approximate_le g e P Q /\ (0 < e -> P <> Q -> exists2 h, 1 <= h < g & approximate_le h e P Q). restates
  approximate_smaller by approximate_smaller_instance. Qed.

(* The dissertation: processing *)

(* D_Mult, D_Mult^delta, D_TV and every E_gamma are invariant to extraneous noise: D_Pr(P_1 x Q, P_2 x Q) = D_Pr(P_1,
   P_2). *)
Theorem noise_invariance (* noise.invariance *) : forall R Y Z (P Q : law R Y) (S : law R Z), [/\ forall g, mult_le g
  (prod_law P S) (prod_law Q S) <-> mult_le g P Q, forall g e, approximate_le g e (prod_law P S) (prod_law Q S) <->
  approximate_le g e P Q, tv (prod_law P S) (prod_law Q S) = tv P Q & forall g, hockey_stick g (prod_law P S) (prod_law
  Q S) = hockey_stick g P Q]. restates noise_invariance. Qed.

(* It is straightforward to verify that D_Pr = D_Mult satisfies (2.11) and (2.10). *)
Theorem mult_postprocessing (* post-processing.multiplicative pufferfish.tests.overlapping premetrics.composition *) :
  forall R T U (g : R) P Q (K : T -> law R U), mult_le g P Q -> mult_le g (bind P K) (bind Q K). restates by
  mult_postprocessing_instance. Qed.
Theorem mult_product (* post-processing.multiplicative premetrics.composition *) : forall R T U (g h : R) (P Q : law R
  T) (P' Q' : law R U), mult_le g P Q -> mult_le h P' Q' -> mult_le (g * h) (prod_law P P') (prod_law Q Q'). restates
  mult_product by mult_product_instance. Qed.

(* Every flavor (X, multiverse, d_X, D_Mult) of laws on finite sets is immune to kernels: kappa o P_x satisfies the
   budgets that P_x satisfies. *)
Theorem pure_postprocessing (* post-processing.pure-flavors *) : forall R X I Y Z (U : I -> X -> Prop) d gamma (T : X ->
  law R Y) (K : Y -> law R Z), pure_dp U d gamma T -> pure_dp U d gamma (fun x => bind (T x) K). restates
  pure_postprocessing by pure_postprocessing_instance. Qed.

(* For a probability premetric D_Pr on laws on finite sets all of whose subsets are measurable, the flavor is immune to
   post-processing for all X, multiverses and d_X iff D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)] for all P, Q and all functions
   f. *)
Theorem postprocessing_iff_data_processing (* post-processing.iff-data-processing.finite *) : forall R D, (forall X I (U
  : I -> X -> Prop) (d : premetric R X), immune D U d) <-> data_processing D. restates
  postprocessing_iff_data_processing. Qed.

(* Suppose that D_Pr is invariant to extraneous noise. Then a DP flavor (X, multiverse, d_X, D_Pr) is immune to
   randomised post-processing if and only if (X, multiverse, d_X, D_Pr) is immune to non-randomised post-processing. *)
Theorem randomised_iff_immune (* post-processing.randomised-noise *) : forall R D X I (U : I -> X -> Prop) (d :
  premetric R X), noise_invariant D -> immune_randomised D U d <-> immune D U d. restates randomised_iff_immune by
  randomised_iff_immune_instance. Qed.

(* Every kernel on finite sets is a function of the outcome and an independent seed, so a flavor that is immune to
   randomised post-processing is immune to kernels: kappa o P_x satisfies what P_x does. *)
Theorem kernel_as_seed (* post-processing.randomised-kernel *) : forall R Y Z (K : Y -> law R Z) P, map_law (draw
  (Z:=Z)) (prod_law P (seed K)) = bind P K. restates kernel_as_seed. Qed.
Theorem immune_kernel (* post-processing.randomised-kernel *) : forall R D Y Z K X I (U : I -> X -> Prop) d eps (T : X
  -> law R Y), immune_randomised D U d -> satisfies U d (D Y) eps T -> satisfies U d (D Z) eps (fun x => bind (T x) K).
  restates immune_kernel by immune_kernel_instance. Qed.

(* D_Mult of two releases is at most the sum of their losses even if the second is chosen by the output of the first: if
   D_Mult(P, Q) <= a and D_Mult(K(t), K'(t)) <= b for all t, the joint laws are within a + b. *)
Theorem mult_adaptive (* composition.adaptive *) : forall R T U (g h : R) P Q (K K' : T -> law R U), mult_le g P Q ->
  (forall t, mult_le h (K t) (K' t)) -> mult_le (g * h) (joint_kernel P K) (joint_kernel Q K'). restates mult_adaptive
  by mult_adaptive_instance. Qed.
Theorem pure_adaptive (* composition.adaptive *) : forall R X I Y Z (U : I -> X -> Prop) d gamma gamma' (T : X -> law R
  Y) (K : Y -> X -> law R Z), pure_dp U d gamma T -> (forall y, pure_dp U d gamma' (K y)) -> pure_dp U d (fun i => mulo
  (gamma i) (gamma' i)) (fun x => joint_kernel (T x) (K^~ x)). restates pure_adaptive by pure_adaptive_instance. Qed.

(* If T_1 and T_2 satisfy eps_D and eps'_D in one flavor (X, multiverse, d_X, D_Mult) of laws on finite sets, and their
   seeds are independent, (T_1, T_2) satisfies eps_D + eps'_D. *)
Theorem pure_composition (* composition.pure-flavors *) : forall R X I Y Z (U : I -> X -> Prop) d gamma gamma' (T : X ->
  law R Y) (T' : X -> law R Z), pure_dp U d gamma T -> pure_dp U d gamma' T' -> pure_dp U d (fun i => mulo (gamma i)
  (gamma' i)) (fun x => prod_law (T x) (T' x)). restates pure_composition by pure_composition_instance. Qed.

(* If D_Pr satisfies (2.10), T_1 and T_2 satisfy the constraint matrices C and C' of two specifications on one domain,
   and their seeds are independent, (T_1, T_2) satisfies C + C'; under D_Mult, if the two share d_X, it satisfies the
   sum of two budgets on the intersection of their universes. *)
Theorem pure_below_composition (* composition.different-flavors.sum *) : forall R X Y Z C C' (T : X -> law R Y) (T' : X
  -> law R Z), pure_below C T -> pure_below C' T' -> pure_below (fun x x' => mulo (C x x') (C' x x')) (fun x => prod_law
  (T x) (T' x)). restates pure_below_composition by pure_below_composition_instance. Qed.
Theorem pure_composition_different (* composition.different-flavors.sum *) : forall R (X I J : Type) Y Z (U : I -> X ->
  Prop) (V : J -> X -> Prop) d d' gamma gamma' (T : X -> law R Y) (T' : X -> law R Z), pure_dp U d gamma T -> pure_dp V
  d' gamma' T' -> forall i j x x' g g' n n', U i x -> U i x' -> V j x -> V j x' -> gamma i = Some g -> gamma' j = Some
  g' -> d x x' = Some n -> d' x x' = Some n' -> mult_le (g ^+ n * g' ^+ n') (prod_law (T x) (T' x)) (prod_law (T x') (T'
  x')). restates pure_composition_different by pure_composition_different_instance. Qed.
Theorem pure_composition_multiverses (* composition.different-flavors.sum *) : forall R (X I J : Type) Y Z (U : I -> X
  -> Prop) (V : J -> X -> Prop) d gamma gamma' (T : X -> law R Y) (T' : X -> law R Z), pure_dp U d gamma T -> pure_dp V
  d gamma' T' -> pure_dp (fun ij x => U ij.1 x /\ V ij.2 x) d (fun ij => mulo (gamma ij.1) (gamma' ij.2)) (fun x =>
  prod_law (T x) (T' x)). restates pure_composition_multiverses by pure_composition_multiverses_instance. Qed.

(* Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is closed under linear, fresh self-
   composition for all choices of X, multiverse and d_X if and only if, for all P, Q in P_(Omega, F) and all P', Q' in
   P_(Omega', F'), D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q'). *)
Theorem composition_iff_subadditive (* composition.iff-subadditive *) : forall R D, (forall X I (U : I -> X -> Prop) (d
  : premetric R X), closed_composition D U d) <-> subadditive D. restates composition_iff_subadditive. Qed.

(* If D_Pr satisfies (2.10), T_1 and T_2 satisfy the constraint matrices C and C' of two specifications on one domain,
   and their seeds are independent, (T_1, T_2) satisfies C + C'; under D_Mult, if the two share d_X, it satisfies the
   sum of two budgets on the intersection of their universes. *)
Theorem composition_different (* composition.different-flavors.sum *) : forall R D X Y Z C C' (T : X -> law R Y) (T' : X
  -> law R Z), subadditive D -> below C (D Y) T -> below C' (D Z) T' -> below (fun x x' => C x x' +e C' x x') (D
  [finType of Y * Z]) (fun x => prod_law (T x) (T' x)). restates by composition_different_instance. Qed.

(* Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is immune to randomised post-processing
   for all X, multiverse and d_X if and only if D_Pr(P_1, P_2) >= D_Pr(f_*(P_1 x Q), f_*(P_2 x Q)), (A.5) for all P_1,
   P_2 in P_(Omega, F), all Q in P_(Omega', F') and all measurable f : Omega_1 x Omega_2 -> T. *)
Theorem randomised_iff_noise_processing (* noise.one-inequality *) : forall R D, (forall X I (U : I -> X -> Prop) (d :
  premetric R X), immune_randomised D U d) <-> noise_processing D. restates randomised_iff_noise_processing. Qed.

(* Fix a probability premetric D_Pr. Suppose that, for all X, multiverse and d_X, the DP flavor (X, multiverse, d_X,
   D_Pr) is immune to randomised post-processing. Then D_Pr is invariant to extraneous noise. *)
Theorem randomised_noise_invariant (* noise.from-randomised *) : forall R D, (forall X I (U : I -> X -> Prop) (d :
  premetric R X), immune_randomised D U d) -> noise_invariant D. restates by randomised_noise_invariant_instance. Qed.

(* The dissertation: inference *)

(* The constant exp(epsilon d_** ) of (5.12) cannot be smaller for all M, P_theta and pi, epsilon being the smallest
   constant of (5.2): with prior probabilities that go to 0 the factor comes as near to it as one likes. *)
Theorem posterior_printed_approached (* optimal.constants.all-priors *) : forall R (h c : R), 1 <= h -> (c < h ->
  exists2 q, 0 < q < 1 & c * q < h * q / (h * q + (1 - q))) /\ (h^-1 < c -> exists2 q, 0 < q < 1 & q / (q + h * (1 - q))
  < c * q). restates posterior_printed_approached by posterior_printed_approached_instance. Qed.
Theorem posterior_sharp_attained (* optimal.constants.all-priors posterior.odds *) : forall R (X : finType) r ds (g : R)
  n (x0 x1 : X), 1 <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n -> exists T : X -> law R [finType
  of bool], pure_dp (everything X) ds (fun=> Some g) T /\ (forall pi, let after := [eta posterior pi (fun b : [finType
  of bool] => bind (dirac (pick x0 x1 b)) T) true] in let q := Pr pi [set true] in let q' := Pr pi [set false] in after
  [set true] = g ^+ n * q / (g ^+ n * q + (1 - q)) /\ after [set false] = q' / (q' + g ^+ n * (1 - q'))). restates
  posterior_sharp_attained by posterior_sharp_attained_instance. Qed.

(* In every path metric and for every two data sets at distance d some mechanism is, under models of both of them, as
   near to both bounds of Theorem 5.4.1 as one likes. *)
Theorem privatised_bounds_approached (* optimal.density.path.approached *) : forall R (X : finType) r ds (g : R) n (x0 x1 : X), 1
  <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n -> exists T : X -> law R [finType of bool], pure_dp
  (everything X) ds (fun=> Some g) T /\ (forall eta, 0 < eta -> exists P P', [/\ supp P = [set x0; x1], supp P' = [set
  x0; x1], g ^+ n * T x0 true < bind P T true + eta & bind P' T true < g ^- n * T x1 true + eta]). restates
  privatised_bounds_approached by privatised_bounds_approached_instance. Qed.

(* Under the premises of Theorem 5.6.2, P(X in supp(x | t_0)) l(t) <= p(t) <= u(t) on T_0. *)
Theorem prior_predictive_support (* predicted.density.repaired *) : forall R (X Y Theta : finType) (T : X -> law R Y) pi
  (M : Theta -> law R X) (t : Y), supp_given (bind pi M) T t = \bigcup_(theta in supp pi) supp_given (M theta) T t.
  restates prior_predictive_support. Qed.
Theorem prior_predictive_interval (* predicted.density.repaired *) : forall R (X Y Theta : finType) I U d gamma (T : X
  -> law R Y) (i : I) (g : R) pi (M : Theta -> law R X) (S : {set X}) e xs (B : {set Y}), pure_dp U d gamma T -> gamma i
  = Some g -> 1 <= g -> (forall x, x \in S -> within (U i) d (e x) S [set x]) -> (forall t, xs t \in S) -> let
  predictive := bind pi (fun theta => bind (M theta) T) in let T0 := covered (bind pi M) T S in Pr (bind pi M) S *
  (\sum_(t in B) g ^- e (xs t) * T (xs t) t) <= Pr predictive B /\ Pr predictive (B :&: T0) <= Pr (bind pi M) S *
  (\sum_(t in B :&: T0) g ^+ e (xs t) * T (xs t) t). restates by prior_predictive_interval_instance. Qed.
Theorem prior_predictive_upper (* predicted.density.repaired *) : forall R (X Y Theta : finType) I U d gamma (T : X ->
  law R Y) (i : I) (g : R) pi (M : Theta -> law R X) (S : {set X}) e xs B, pure_dp U d gamma T -> gamma i = Some g -> 1
  <= g -> (forall x, x \in S -> within (U i) d (e x) S [set x]) -> (forall t, xs t \in S) -> let T0 := covered (bind pi
  M) T S in Pr (bind pi (fun theta => bind (M theta) T)) (B :&: T0) <= \sum_(t in B :&: T0) g ^+ e (xs t) * T (xs t) t.
  restates prior_predictive_upper by prior_predictive_upper_instance. Qed.
Theorem prior_predictive_lower (* predicted.density.repaired *) : forall R (X Y Theta : finType) I U d gamma (T : X ->
  law R Y) (i : I) (g : R) pi (M : Theta -> law R X) n (t0 : Y) e xs (B : {set Y}), pure_dp U d gamma T -> gamma i =
  Some g -> 1 <= g -> within (U i) d n (supp (bind pi M)) (supp (bind pi M)) -> let predictive := bind pi (fun theta =>
  bind (M theta) T) in predictive t0 != 0 -> let S := supp_given (bind pi M) T t0 in (forall x, x \in S -> within (U i)
  d (e x) S [set x]) -> (forall t, xs t \in S) -> \sum_(t in B) g ^- e (xs t) * T (xs t) t <= Pr predictive B. restates
  prior_predictive_lower by prior_predictive_lower_instance. Qed.

(* Let M be an epsilon-DP mechanism. Define T_0 = {t in T | supp(x | t) subset supp(x | t_0)}. *)
Theorem prior_predictive_lower_refuted (* predicted.density *) : forall R (g : R), 1 < g -> ~ (forall (X Y Theta :
  finType) (r : rel X) (d : X -> X -> option nat) (T : X -> law R Y) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y)
  (e : X -> nat) (xs : Y -> X) (B : {set Y}), symmetric r -> is_shortest_walk r d -> pure_dp (everything X) d (fun=>
  Some g) T -> let S := supp_given (bind pi M) T t0 in let T0 := covered (bind pi M) T S in (forall x, x \in S -> within
  (everything X tt) d (e x) S [set x]) -> (forall t, xs t \in S) -> \sum_(t in B :&: T0) g ^- e (xs t) * T (xs t) t <=
  Pr (bind pi (fun theta => bind (M theta) T)) (B :&: T0)). restates by prior_predictive_lower_refuted_instance. Qed.

(* For every prior on two data sets the posterior is within e^(alpha epsilon) of it at every release, or every test's
   power within (5.10) for alpha epsilon, only if D_Mult(P_x, P_x') <= alpha epsilon: with bounds whose exponent is
   proportional to epsilon, d_DIST must have alpha d_DIST >= D_Mult. *)
Theorem mult_le_iff_power (* posterior.unique.constant testing.characterises *) : forall R Y (g : R) P Q, 0 < g ->
  mult_le g P Q <-> (forall A : {set Y}, power_min g (Pr P A) <= Pr Q A <= power_max g (Pr P A)). restates
  mult_le_iff_power by mult_le_iff_power_instance. Qed.
Theorem posterior_within_iff (* posterior.unique.constant *) : forall R Y (g : R) (P Q : law R Y), 1 <= g ->
  posterior_within g P Q <-> mult_le g P Q. restates posterior_within_iff by posterior_within_iff_instance. Qed.

(* On a finite T: D_Mult(P_x, P_x') < oo for all x, x' if and only if D_Mult of posterior and prior is finite at every
   release, under a uniform prior on point masses. *)
Theorem finite_change_iff (* posterior.necessary.repaired *) : forall R (X : finType) Y (T : X -> law R Y) x0, let pi :=
  uniform_on x0 [set: X] in (forall x x', exists g, mult_le g (T x) (T x')) <-> (forall t, bind pi T t != 0 ->
  finite_change pi (fun x => bind (dirac x) T) t). restates by finite_change_iff_instance. Qed.

(* pi(theta | t) proportional to pi(theta) p(t | theta), where p(t | theta) can in turn be derived from the convolution
   of the data model P_theta and the privacy mechanism P_x according to (5.6). *)
Theorem posterior_joint (* posterior.bayes *) : forall R Theta Y (pi : law R Theta) (L : Theta -> law R Y) t A,
  posterior pi L t A = Pr (joint_kernel pi L) (setX A [set t]) / Pr (joint_kernel pi L) (setX [set: Theta] [set t]).
  restates posterior_joint. Qed.

(* For the symmetric difference d_* is at most 2b, and it is 2b between two data sets of b records that share none; from
   x_* = the empty data set it is at most b. *)
Theorem reach_symmetric (* supports.reach.symmetric *) : forall (B : eqType) b (s t : seq B), (size s <= b)%N -> (size t
  <= b)%N -> [/\ (symdiff s t <= 2 * b)%N, (symdiff [::] t <= b)%N & size s = b -> size t = b -> ~~ has (mem s) t ->
  symdiff s t = (2 * b)%N]. restates by reach_symmetric_instance. Qed.

(* For the Hamming distance, of ordered or of unordered records, connected data sets have one size and are at most as
   many records apart: d_* <= b; so too where t has as many records as x, and d_* <= |t_0|. *)
Theorem reach_hamming (* supports.reach.hamming *) : forall (B : finType) d (S : seq B -> Prop), d = @places_apart B \/
  d = @records_apart B -> ((forall x x', S x -> S x' -> d x x' <> None) -> (forall x x', S x -> S x' -> size x = size
  x') /\ (forall b, (forall x, S x -> (size x <= b)%N) -> reaches d S b)) /\ (forall (Y : Type) (t0 : seq Y), (forall x,
  S x -> size x = size t0) -> reaches d S (size t0)). restates by reach_hamming_instance. Qed.

(* Under Assumption 5.6.1, pi(theta in S | t_0) in pi(theta in S | X in supp(x | t_0)) exp(+- epsilon d_** ): relative
   to what the release determines of the data. *)
Theorem prior_given_prior (* posterior.interval.repaired *) : forall R Theta (X : finType) pi (M : Theta -> law R X) (S
  : {set X}) (c : R) A, (forall theta, theta \in supp pi -> Pr (M theta) S = c) -> c != 0 -> prior_given pi M S A = Pr
  pi A. restates prior_given_prior by prior_given_prior_instance. Qed.

(* Under Assumption 5.6.1 the posterior odds of S are the odds given X in supp(x | t_0), times a factor in exp(+-
   epsilon d_** ). *)
Theorem posterior_odds (* posterior.odds *) : forall R (X Y Theta : finType) I U d gamma (T : X -> law R Y) (i : I) (g :
  R) n pi (M : Theta -> law R X) (S : {set X}) (t0 : Y), pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U
  i) d n S S -> supp_given (bind pi M) T t0 \subset S -> forall A B : {set Theta}, posterior pi (fun theta => bind (M
  theta) T) t0 A * prior_given pi M S B <= g ^+ n * (posterior pi (fun theta => bind (M theta) T) t0 B * prior_given pi
  M S A). restates posterior_odds by posterior_odds_instance. Qed.

(* Under Assumption 5.6.1, pi(theta in S | t_0) in pi(theta in S | X in supp(x | t_0)) exp(+- epsilon d_** ): relative
   to what the release determines of the data. *)
Theorem posterior_interval (* posterior.interval.repaired *) : forall R (X Y Theta : finType) I U d gamma (T : X -> law
  R Y) (i : I) (g : R) n pi (M : Theta -> law R X) (S : {set X}) (t0 : Y), pure_dp U d gamma T -> gamma i = Some g -> 1
  <= g -> within (U i) d n S S -> supp_given (bind pi M) T t0 \subset S -> bind pi (fun theta => bind (M theta) T) t0 !=
  0 -> forall A : {set Theta}, g ^- n * prior_given pi M S A <= posterior pi (fun theta => bind (M theta) T) t0 A <= g
  ^+ n * prior_given pi M S A. restates posterior_interval by posterior_interval_instance. Qed.

(* Under Assumption 5.6.1 the posterior odds of S are the odds given X in supp(x | t_0), times a factor in exp(+-
   epsilon d_** ). *)
Theorem posterior_sharp (* posterior.odds *) : forall R (X Y Theta : finType) I U d gamma (T : X -> law R Y) (i : I) (g
  : R) n pi (M : Theta -> law R X) (S : {set X}) (t0 : Y), pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within
  (U i) d n S S -> supp_given (bind pi M) T t0 \subset S -> bind pi (fun theta => bind (M theta) T) t0 != 0 -> forall A
  : {set Theta}, let q := prior_given pi M S A in q / (q + g ^+ n * (1 - q)) <= posterior pi (fun theta => bind (M
  theta) T) t0 A <= g ^+ n * q / (g ^+ n * q + (1 - q)). restates posterior_sharp by posterior_sharp_instance. Qed.

(* Under Assumption 5.6.1, pi(theta in S | t_0) in pi(theta in S | X in supp(x | t_0)) exp(+- epsilon d_** ): relative
   to what the release determines of the data. *)
Theorem posterior_connected (* posterior.interval.repaired *) : forall R (X : finType) Y Theta I U d gamma (T : X -> law
  R Y) (i : I) g n pi (M : Theta -> law R X) (t0 : Y) A, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U
  i) d n (supp (bind pi M)) (supp (bind pi M)) -> bind pi (fun theta => bind (M theta) T) t0 != 0 -> g ^- n * Pr pi A <=
  posterior pi (fun theta => bind (M theta) T) t0 A <= g ^+ n * Pr pi A. restates by posterior_connected_instance. Qed.

(* Under Assumption 5.6.1 the posterior odds of S are the odds given X in supp(x | t_0), times a factor in exp(+-
   epsilon d_** ). *)
Theorem posterior_connected_sharp (* posterior.odds *) : forall R (X Y Theta : finType) I U d gamma (T : X -> law R Y)
  (i : I) (g : R) n pi (M : Theta -> law R X) (t0 : Y) A, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U
  i) d n (supp (bind pi M)) (supp (bind pi M)) -> bind pi (fun theta => bind (M theta) T) t0 != 0 -> let q := Pr pi A in
  q / (q + g ^+ n * (1 - q)) <= posterior pi (fun theta => bind (M theta) T) t0 A <= g ^+ n * q / (g ^+ n * q + (1 -
  q)). restates posterior_connected_sharp by posterior_connected_sharp_instance. Qed.

(* By fixing some x in X and setting pi(X_-i = x_-i) = 1, we get d_** = 1 and thereby rederive the result from Gong and
   Meng (2020). *)
Theorem data_set_posterior (* posterior.record *) : forall R (X Y : finType) I U d gamma (T : X -> law R Y) (i : I) (g :
  R) n pi (t0 : Y) A, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U i) d n (supp pi) (supp pi) -> bind
  pi T t0 != 0 -> let q := Pr pi A in q / (q + g ^+ n * (1 - q)) <= posterior pi T t0 A <= g ^+ n * q / (g ^+ n * q + (1
  - q)). restates data_set_posterior by data_set_posterior_instance. Qed.

(* Suppose that an epsilon-DP mechanism M outputs the realisation t_0. The analyst's posterior probability given t_0
   satisfies pi(theta in S | t_0) in pi(theta in S) exp(+- epsilon d_** ), for all S in F, where d_** = sup over x, x'
   in supp(x | t_0) of d(x, x'). *)
Theorem posterior_interval_refuted (* posterior.interval *) : forall R g, 1 < g -> ~ (forall (X Y Theta : finType) (r :
  rel X) (d : X -> X -> option nat) (T : X -> law R Y) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y) n (A : {set
  Theta}), symmetric r -> is_shortest_walk r d -> pure_dp (everything X) d (fun=> Some g) T -> let S := supp_given (bind
  pi M) T t0 in within (everything X tt) d n S S -> bind pi (fun theta => bind (M theta) T) t0 != 0 -> posterior pi (fun
  theta => bind (M theta) T) t0 A <= g ^+ n * Pr pi A). restates by posterior_interval_refuted_instance. Qed.

(* Under Assumption 5.6.1 the posterior odds of S are the odds given X in supp(x | t_0), times a factor in exp(+-
   epsilon d_** ). *)
Theorem odds_attained (* posterior.odds *) : forall R (X : finType) r ds (g : R) n (x y : X), 1 <= g -> symmetric r ->
  is_shortest_walk r ds -> ds x y = Some n -> exists T : X -> law R [finType of bool], [/\ pure_dp (everything X) ds
  (fun=> Some g) T, 0 < T x true & T y true = g ^+ n * T x true]. restates odds_attained by odds_attained_instance. Qed.

(* Despite their width, these bounds are optimal whenever epsilon is the smallest constant satisfying the Lipschitz
   condition (5.2). *)
Theorem posterior_connected_strict (* optimal.constants posterior.odds *) : forall R (X Y Theta : finType) I U d gamma
  (T : X -> law R Y) (i : I) (g : R) n pi (M : Theta -> law R X) (t0 : Y) A, pure_dp U d gamma T -> gamma i = Some g ->
  1 <= g -> 1 < g ^+ n -> within (U i) d n (supp (bind pi M)) (supp (bind pi M)) -> bind pi (fun theta => bind (M theta)
  T) t0 != 0 -> 0 < Pr pi A -> g ^- n * Pr pi A < posterior pi (fun theta => bind (M theta) T) t0 A < g ^+ n * Pr pi A.
  restates posterior_connected_strict by posterior_connected_strict_instance. Qed.

(* Under the premises of Theorem 5.4.1, P_theta(supp(x | t_0, theta)) l(t) <= p(t | theta) <= u(t) on T_0; where
   P_theta(supp(x | t_0, theta)) = 1 these are the printed bounds. *)
Theorem privatised_interval (* privatised.density.repaired privatised.density.wider *) : forall R (X Y : finType) I U d
  gamma (T : X -> law R Y) (i : I) (g : R) P (S : {set X}) e xs (B : {set Y}), pure_dp U d gamma T -> gamma i = Some g
  -> 1 <= g -> (forall x, x \in S -> within (U i) d (e x) S [set x]) -> (forall t, xs t \in S) -> Pr P S * (\sum_(t in
  B) g ^- e (xs t) * T (xs t) t) <= Pr (bind P T) B /\ Pr (bind P T) (B :&: covered P T S) <= Pr P S * (\sum_(t in B :&:
  covered P T S) g ^+ e (xs t) * T (xs t) t). restates by privatised_interval_instance. Qed.
Theorem privatised_upper (* privatised.density.repaired privatised.density.wider *) : forall R (X : finType) Y I U d
  gamma (T : X -> law R Y) (i : I) g P (S : {set X}) e xs B, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  (forall x, x \in S -> within (U i) d (e x) S [set x]) -> (forall t, xs t \in S) -> Pr (bind P T) (B :&: covered P T S)
  <= \sum_(t in B :&: covered P T S) g ^+ e (xs t) * T (xs t) t. restates by privatised_upper_instance. Qed.
Theorem privatised_lower (* privatised.density.repaired *) : forall R (X Y : finType) I U d gamma (T : X -> law R Y) (i
  : I) (g : R) P n (t0 : Y) e xs (B : {set Y}), pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U i) d n
  (supp P) (supp P) -> bind P T t0 != 0 -> let S := supp_given P T t0 in (forall x, x \in S -> within (U i) d (e x) S
  [set x]) -> (forall t, xs t \in S) -> \sum_(t in B) g ^- e (xs t) * T (xs t) t <= Pr (bind P T) B. restates
  privatised_lower by privatised_lower_instance. Qed.

(* Let M be an epsilon-DP mechanism. Fix some t_0 in T and suppose that supp(x | t_0, theta) is d-connected. Define T_0
   = {t in T | supp(x | t, theta) subset supp(x | t_0, theta)}. *)
Theorem privatised_lower_refuted (* privatised.density *) : forall R (g : R), 1 < g -> ~ (forall (X Y : finType) r (d :
  X -> X -> option nat) (T : X -> law R Y) (P : law R X) (t0 : Y) (e : X -> nat) (xs : Y -> X) (B : {set Y}), symmetric
  r -> is_shortest_walk r d -> pure_dp (everything X) d (fun=> Some g) T -> let S := supp_given P T t0 in (forall x, x
  \in S -> within (everything X tt) d (e x) S [set x]) -> (forall t, xs t \in S) -> \sum_(t in B :&: covered P T S) g ^-
  e (xs t) * T (xs t) t <= Pr (bind P T) (B :&: covered P T S)). restates by privatised_lower_refuted_instance. Qed.

(* With f(a) = min(e^epsilon a, 1 - e^(-epsilon) (1 - a)), the largest power of a level-alpha test of x against x' at
   distance d in a path metric is f applied d times to alpha. *)
Theorem iterated_power_le (* testing.sharpest.iterated *) : forall R (g a : R) n, 0 < g -> iter n (power_max g) a <= power_max (g
  ^+ n) a. restates iterated_power_le by iterated_power_le_instance. Qed.
Theorem iterated_power_small (* testing.sharpest.iterated *) : forall R (g a : R) n, 1 <= g -> 0 <= a -> (g + 1) * g ^+ n * a <=
  1 -> iter n.+1 (power_max g) a = g ^+ n.+1 * a. restates iterated_power_small by iterated_power_small_instance. Qed.
Theorem iterated_power_lt (* testing.sharpest.iterated *) : forall R (g : R), 1 < g -> iter 2 (power_max g) (1 + g ^+ 2)^-1 <
  power_max (g ^+ 2) (1 + g ^+ 2)^-1. restates iterated_power_lt by iterated_power_lt_instance. Qed.
Theorem path_power (* testing.sharpest.iterated *) : forall R (X : eqType) Y r ds (g : R) (T : X -> law R Y) n x x' A, 1 <= g ->
  is_shortest_walk r ds -> pure_dp (everything X) ds (fun=> Some g) T -> ds x x' = Some n -> Pr (T x') A <= iter n
  (power_max g) (Pr (T x) A). restates path_power by path_power_instance. Qed.
Theorem printed_power_unattained (* testing.sharpest.iterated *) : forall R (X : eqType) Y r ds g (T : X -> law R Y) x x' A, 1 <
  g -> is_shortest_walk r ds -> pure_dp (everything X) ds (fun=> Some g) T -> ds x x' = Some 2%N -> Pr (T x) A = (1 + g
  ^+ 2)^-1 -> Pr (T x') A < power_max (g ^+ 2) (1 + g ^+ 2)^-1. restates by printed_power_unattained_instance. Qed.

(* Two laws are within epsilon of each other, D_Mult(P, Q) <= epsilon, if and only if every test of one against the
   other has its power within (5.10), d_** = 1, at its size. *)
Theorem roc_region (* testing.characterises *) : forall R (g a b : R) a01 b01, 1 <= g -> mult_le g (bern a a01) (bern b
  b01) <-> power_min g a <= b <= power_max g a. restates roc_region by roc_region_instance. Qed.

(* With f(a) = min(e^epsilon a, 1 - e^(-epsilon) (1 - a)), the largest power of a level-alpha test of x against x' at
   distance d in a path metric is f applied d times to alpha. *)
Theorem ladder_pure (* testing.sharpest.iterated *) : forall R (X : eqType) r ds (g p : R) (g_ge1 : 1 <= g) (p01 : 0 <= p <= 1)
  (x0 : X) n, symmetric r -> is_shortest_walk r ds -> pure_dp (everything X) ds (fun=> Some g) (ladder ds g_ge1 p01 x0
  n). restates ladder_pure by ladder_pure_instance. Qed.
Theorem sharpest_power_attained (* testing.sharpest.iterated *) : forall R (X : eqType) r ds (g : R) (x0 x1 : X) n (size : R), 1
  <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n -> 0 <= size <= 1 -> exists T : X -> law R [finType
  of bool], [/\ pure_dp (everything X) ds (fun=> Some g) T, Pr (T x0) [set true] = size & Pr (T x1) [set true] = iter n
  (power_max g) size]. restates sharpest_power_attained by sharpest_power_attained_instance. Qed.
Theorem printed_power_attained (* testing.sharpest.iterated *) : forall R (X : eqType) r ds (g : R) (x0 x1 : X) n (size : R), 1
  <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n.+1 -> 0 <= size -> (g + 1) * g ^+ n * size <= 1 ->
  exists T : X -> law R [finType of bool], [/\ pure_dp (everything X) ds (fun=> Some g) T, Pr (T x0) [set true] = size &
  Pr (T x1) [set true] = g ^+ n.+1 * size]. restates printed_power_attained by printed_power_attained_instance. Qed.
Theorem power_max_attained (* testing.sharpest.iterated *) : forall R (g size : R), 1 <= g -> 0 <= size <= 1 -> exists T : bool
  -> law R [finType of bool], [/\ pure_dp (everything bool) one_apart (fun=> Some g) T, Pr (T false) [set true] = size &
  Pr (T true) [set true] = power_max g size]. restates power_max_attained by power_max_attained_instance. Qed.

(* Consider testing H_0: theta = theta_0 versus H_1: theta = theta_1 for some theta_0 != theta_1 in Theta. Let S_i =
   supp(P_theta_i) and suppose that S_0 union S_1 is d-connected. In the private setting where the observed data T is
   the output of an epsilon-DP mechanism, the power of any level-alpha test is bounded above by alpha exp(d_** epsilon)
   where d_** = sup over x in S_0, x' in S_1 of d(x, x'). *)
Theorem models_near (* testing.level *) : forall R (X Y : finType) I U d gamma (T : X -> law R Y) (i : I) (g : R) n P0
  P1, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U i) d n (supp P0) (supp P1) -> mult_le (g ^+ n)
  (bind P0 T) (bind P1 T). restates models_near by models_near_instance. Qed.
Theorem model_power_upper (* testing.level *) : forall R (X Y : finType) I U d gamma (T : X -> law R Y) (i : I) (g : R)
  n P0 P1 A (alpha : R), pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U i) d n (supp P0) (supp P1) -> Pr
  (bind P0 T) A <= alpha -> Pr (bind P1 T) A <= g ^+ n * alpha. restates by model_power_upper_instance. Qed.

(* Under the set-up of Theorem 5.5.1, the power 1 - beta of any size-alpha test is bounded by the inequalities:
   max(alpha e^(-d_** epsilon), 1 - e^(d_** epsilon) [1 - alpha]) <= 1 - beta <= min(alpha e^(d_** epsilon), 1 -
   e^(-d_** epsilon) [1 - alpha]). *)
Theorem model_power_interval (* testing.size *) : forall R (X Y : finType) I U d gamma (T : X -> law R Y) (i : I) (g :
  R) n P0 P1 A, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U i) d n (supp P0) (supp P1) -> power_min
  (g ^+ n) (Pr (bind P0 T) A) <= Pr (bind P1 T) A <= power_max (g ^+ n) (Pr (bind P0 T) A). restates
  model_power_interval by model_power_interval_instance. Qed.
Theorem randomised_power_interval (* testing.size *) : forall R (X Y : finType) I U d gamma (T : X -> law R Y) (i : I)
  (g : R) n P0 P1 K, pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> within (U i) d n (supp P0) (supp P1) -> let
  size := bind (bind P0 T) K true in power_min (g ^+ n) size <= bind (bind P1 T) K true <= power_max (g ^+ n) size.
  restates randomised_power_interval by randomised_power_interval_instance. Qed.

(* With f(a) = min(e^epsilon a, 1 - e^(-epsilon) (1 - a)), the largest power of a level-alpha test of x against x' at
   distance d in a path metric is f applied d times to alpha. *)
Theorem iterated_power (* testing.sharpest.iterated *) : forall R (X Y : finType) r ds (g : R) (T : X -> law R Y) n P0 P1 A, 1 <=
  g -> is_shortest_walk r ds -> pure_dp (everything X) ds (fun=> Some g) T -> within (everything X tt) ds n (supp P0)
  (supp P1) -> let size := Pr (bind P0 T) A in 1 - iter n (power_max g) (1 - size) <= Pr (bind P1 T) A <= iter n
  (power_max g) size. restates iterated_power by iterated_power_instance. Qed.

(* The dissertation: intervals *)

(* For any mu, nu in Omega and eps > 0, we have nu in I(e^-eps mu, e^eps mu) if and only if D_Mult(mu, nu) <= eps. *)
Theorem interval_iff_near (* interval.ball *) : forall R Y (g : R) (m n : Y -> R), 0 < g -> in_interval (fun t => g^-1 *
  m t) (fun t => g * m t) n <-> near_measures g m n. restates interval_iff_near by interval_iff_near_instance. Qed.

(* Given L, U, nu in Omega with L <= U and U << nu, there exists some nu-densities l <= u such that (a) Every mu in I(L,
   U) has a nu-density f which is in the density bounded class I(l, u); and (b) The measure mu(S) = integral over S of f
   dnu given by any density f in I(l, u) is in the interval of measure I(L, U). *)
Theorem density_bounded (* interval.density-bounded *) : forall R Y (nu L U : Y -> R), nonneg nu -> nonneg L -> (forall
  A, weight L A <= weight U A) -> dominated nu U -> exists l u, [/\ is_density nu l L, is_density nu u U, forall t, l t
  <= u t, forall mu, in_interval L U mu -> exists2 f, is_density nu f mu & between_densities l u f & forall f mu,
  is_density nu f mu -> between_densities l u f -> in_interval L U mu]. restates by density_bounded_instance. Qed.

(* for any mu, nu in Omega and 0 < a <= 1 <= b < oo, 1. nu in I(a mu, b mu) implies D_Mult(mu, nu) <= max(-ln a, ln b);
   and 2. *)
Theorem interval_near (* interval.ball.skewed *) : forall R Y (a b : R) (mu nu : Y -> R), 0 < a -> nonneg mu -> nonneg
  nu -> in_interval (fun t => a * mu t) (fun t => b * mu t) nu -> near_measures (Num.max a^-1 b) mu nu. restates
  interval_near by interval_near_instance. Qed.
Theorem near_interval (* interval.ball.skewed *) : forall R Y (a b : R) (mu nu : Y -> R), 0 < a -> nonneg mu -> nonneg
  nu -> near_measures (Num.min a^-1 b) mu nu -> in_interval (fun t => a * mu t) (fun t => b * mu t) nu. restates
  near_interval by near_interval_instance. Qed.

(* For 0 <= eps < oo, the following statements are equivalent given Assumption 5.3.3: I M is eps-differentially private.
   *)
Theorem pure_dp_iff_intervals (* interval.theorem *) : forall R X I Y (U : I -> X -> Prop) d gamma (T : X -> law R Y),
  (forall i g, gamma i = Some g -> 0 < g) -> pure_dp U d gamma T <-> (forall i x x' g n, U i x -> U i x' -> gamma i =
  Some g -> d x x' = Some n -> in_interval (fun t => g ^- n * T x t) (fun t => g ^+ n * T x t) (T x')). restates
  pure_dp_iff_intervals by pure_dp_iff_intervals_instance. Qed.
Theorem pure_dp_iff_densities (* interval.theorem *) : forall R X I Y (U : I -> X -> Prop) d gamma (T : X -> law R Y),
  (forall i g, gamma i = Some g -> 1 <= g) -> pure_dp U d gamma T <-> (forall i x x' g n, U i x -> U i x' -> gamma i =
  Some g -> d x x' = Some n -> forall lambda p, nonneg lambda -> nonneg p -> (forall t, T x t = p t * lambda t) ->
  exists2 q, forall t, T x' t = q t * lambda t & forall t, g ^- n * p t <= q t <= g ^+ n * p t). restates
  pure_dp_iff_densities by pure_dp_iff_densities_instance. Qed.
Theorem pure_dp_iff_neighbors (* interval.theorem *) : forall R (X : eqType) Y r ds (g : R) (T : X -> law R Y), 1 <= g
  -> symmetric r -> is_shortest_walk r ds -> pure_dp (everything X) ds (fun=> Some g) T <-> (forall x x' A, ds x x' =
  Some 1%N -> Pr (T x') A <= g * Pr (T x) A). restates pure_dp_iff_neighbors by pure_dp_iff_neighbors_instance. Qed.

(* Without Assumption 5.3.3, group privacy is not implied by II. [...] Without Assumption 5.3.3 (which almost always
   holds in practice, such as for d = d_Ham or d_Delta), our definition of eps-DP would be more stringent than the
   standard formulation. *)
Theorem pure_dp_neighbors (* interval.theorem.group-privacy *) : forall R X Y d (g : R) (T : X -> law R Y), pure_dp
  (everything X) d (fun=> Some g) T -> forall x x' A, d x x' = Some 1%N -> Pr (T x') A <= g * Pr (T x) A. restates
  pure_dp_neighbors by pure_dp_neighbors_instance. Qed.
Theorem neighbors_group_privacy_refuted (* interval.theorem.group-privacy *) : forall R (g : R), 1 <= g -> ~ (forall (X
  Y : finType) (d : X -> X -> option nat) (T : X -> law R Y), (forall x x', d x x' = d x' x) -> (forall x x', d x x' =
  Some 0%N <-> x = x') -> (forall x x' A, d x x' = Some 1%N -> Pr (T x') A <= g * Pr (T x) A) -> pure_dp (everything X)
  d (fun=> Some g) T). restates neighbors_group_privacy_refuted by neighbors_group_privacy_refuted_instance. Qed.

(* The dissertation: multiverse *)

(* Suppose that D_Pr(P, Q) = oo whenever d_TV(P, Q) = 1. Then, for any (non-random) data-release mechanism f : X -> T,
   the following statements are equivalent: (A) f satisfies eps_D-DP(X, multiverse, d_X, D_Pr) with finite budget eps_D
   < oo; and (B) f is a function of [x]. *)
Theorem finite_budget_iff_component_points (* components.functions-free components.functions-free.separating *) : forall
  R X I (U : I -> X -> Prop) (d : premetric R X) L (Y : eqType) D (point : Y -> L) f, far_points D point -> ((exists2
  eps, forall i, eps i <> oo & satisfies U d D eps (fun x => point (f x))) <-> component_function U d f) /\
  (component_function U d f -> satisfies U d D (fun=> 0e) (fun x => point (f x))). restates
  finite_budget_iff_component_points by finite_budget_iff_component_points_instance. Qed.
Theorem finite_budget_iff_component (* components.functions-free components.functions-free.separating *) : forall R X I
  (U : I -> X -> Prop) (d : premetric R X) Y D (f : X -> Y), far D -> ((exists2 eps, forall i, eps i <> oo & satisfies U
  d D eps (fun x => dirac (f x))) <-> component_function U d f) /\ (component_function U d f -> satisfies U d D (fun=>
  0e) (fun x => dirac (f x))). restates finite_budget_iff_component by finite_budget_iff_component_instance. Qed.

(* Given a DP specification eps_D-DP(X, multiverse, d_X, D_Pr), M(X, multiverse, d_X, D_Pr, eps_D) = M(X, multiverse_i,
   d_X, D_Pr, eps_D), for i = 1 ... where multiverse_1 = {D n [x] : D in multiverse, x in X}. *)
Theorem component_meets (* components.meets *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D (T : X -> L)
  eps, satisfies U d D eps T <-> satisfies (component_meet U d) d D (eps \o fst) T. restates component_meets. Qed.

(* The same with the budget eps'_D' = inf{eps_D : D in multiverse with D' subset of D} of Propositions A.3.2 and A.3.3
   on multiverse_1. *)
Theorem component_meets_inf (* components.meets.infimum *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D
  (T : X -> L) eps eps', (forall p, is_inf (budgets_above U (component_meet U d) eps p) (eps' p)) -> satisfies U d D eps
  T <-> satisfies (component_meet U d) d D eps' T. restates component_meets_inf by component_meets_inf_instance. Qed.

(* The same with the budget inf{eps_D : x, x' in D} at {x, x'}, which is oo where no universe holds both. *)
Theorem connected_pairs_inf (* components.pairs.infimum *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D
  (T : X -> L) eps eps', (forall p, is_inf (budgets_above U (connected_pairs U d) eps p) (eps' p)) -> satisfies U d D
  eps T <-> satisfies (connected_pairs U d) d D eps' T. restates by connected_pairs_inf_instance. Qed.

(* Given a DP specification eps_D-DP(X, multiverse, d_X, D_Pr), M(X, multiverse, d_X, D_Pr, eps_D) = M(X, multiverse_i,
   d_X, D_Pr, eps_D), for i = ... 2 where ... multiverse_2 = {{x, x'} : x, x' in X with x' in [x]}. *)
Theorem connected_pairs_refuted (* components.pairs *) : forall R, ~ (forall X L I (U : I -> X -> Prop) (d : premetric R
  X) (D : premetric R L) (T : X -> L) (e : ext R), satisfies U d D (fun=> e) T <-> satisfies (connected_pairs U d) d D
  (fun=> e) T). restates connected_pairs_refuted. Qed.

(* For any DP specification eps_D-DP(X, multiverse, d_X, D_Pr), the (non-random) data-release mechanism b(x) = {eps_D :
   D in multiverse such that x' in D for some x' in [x]}, satisfies eps'_D-DP(X, multiverse, d_X, D_Pr) with eps'_D = 0.
   *)
Theorem budgets_of_free (* budget.set-released *) : forall R X I (U : I -> X -> Prop) (d : premetric R X) eps (L Y :
  Type) D (point : Y -> L) told, (forall x x', (forall a, budgets_of U d eps x a <-> budgets_of U d eps x' a) -> told x
  = told x') -> satisfies U d D (fun=> 0e) (fun x => point (told x)). restates by budgets_of_free_instance. Qed.

(* For example, the data-release mechanism b'(x) = {eps_D : D in multiverse such that x in D}, has infinite privacy loss
   unless b(x) = b'(x) for all x in X. *)
Theorem budgets_at_iff (* budget.own-universes *) : forall R X I (U : I -> X -> Prop) (d : premetric R X) eps L (Y :
  eqType) D (point : Y -> L) told, far_points D point -> (forall x x', told x = told x' <-> (forall a, budgets_at U eps
  x a <-> budgets_at U eps x' a)) -> (exists2 eps', forall i, eps' i <> oo & satisfies U d D eps' (fun x => point (told
  x))) <-> (forall x a, budgets_of U d eps x a <-> budgets_at U eps x a). restates by budgets_at_iff_instance. Qed.

(* However, b(x) has cardinality at most one, and hence b(x) = b'(x), for all x in X if ... I) D n D' = empty for all
   distinct universes D, D' in multiverse *)
Theorem budgets_disjoint (* budget.disjoint-universes *) : forall R X I (U : I -> X -> Prop) d eps (x : X), (forall i j
  x0, U i x0 -> U j x0 -> i = j) -> (forall a, budgets_of U d eps x a <-> budgets_at U eps x a) /\ (forall a b : ext R,
  budgets_of U d eps x a -> budgets_of U d eps x b -> a = b). restates by budgets_disjoint_instance. Qed.

(* However, b(x) has cardinality at most one, and hence b(x) = b'(x), for all x in X if ... II) for all distinct x, x'
   in X, if d_X(x, x') or d_X(x', x) is finite, then x and x' cannot both be in two different universes. *)
Theorem budgets_pairs_refuted (* budget.pairs-in-two-universes *) : forall R, ~ (forall X I (U : I -> X -> Prop) (d :
  premetric R X) (eps : I -> ext R), (forall x x', x <> x' -> d x x' <> oo \/ d x' x <> oo -> forall i j, U i x -> U i
  x' -> U j x -> U j x' -> i = j) -> forall (x : X) (a b : ext R), budgets_of U d eps x a -> budgets_of U d eps x b -> a
  = b). restates budgets_pairs_refuted. Qed.

(* Given a DP flavor (X, multiverse, d_X, D_Pr), define d'_X(x, x') = 0 if x = x', d_X(x, x') else if there exists D in
   multiverse such that x, x' in D, oo otherwise. *)
Theorem multiverse_in_premetric (* multiverse.in-premetric multiverse.in-premetric.bare *) : forall R X L I (U : I -> X
  -> Prop) (d : premetric R X) D (T : X -> L) (d' : premetric R X) e, (forall x x', x <> x' -> together U x x' -> d' x
  x' = d x x') -> (forall x x', x <> x' -> ~ together U x x' -> d' x x' = oo) -> satisfies U d D (fun=> e) T <->
  satisfies (everything X) d' D (fun=> e) T. restates multiverse_in_premetric by multiverse_in_premetric_instance. Qed.

(* A vacuous multiverse (for all distinct x, x' with d_X(x, x') < oo or d_X(x', x) < oo there exists a universe with x,
   x' in it) has the same mechanisms as {X}, for a budget that is one number. *)
Theorem vacuous_multiverse (* multiverse.vacuous *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D (T : X
  -> L) e, (forall x x', x <> x' -> d x x' <> oo \/ d x' x <> oo -> together U x x') -> satisfies U d D (fun=> e) T <->
  satisfies (everything X) d D (fun=> e) T. restates vacuous_multiverse by vacuous_multiverse_instance. Qed.

(* For example, suppose there exists x_1, x_2, x_3 in X such that 1) d_X(x_1, x_3) = d_X(x_1, x_2) + d_X(x_2, x_3) < oo;
   2) x_1 and x_2 are in some universe D in multiverse_1; 3) x_2 and x_3 are in another universe D' in multiverse_1; ...
   Then D_Pr(P_x_1, P_x_3) <= max(eps'_D, eps'_D') d_X(x_1, x_3) is an implicit Lipschitz condition ... (assuming D_Pr
   satisfies the triangle inequality). *)
Theorem implicit_condition (* multiverse.implicit-condition *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X)
  D (T : X -> L) eps i j (x y z : X), triangular D -> d x z = d x y +e d y z -> U i x -> U i y -> U j y -> U j z ->
  satisfies U d D eps T -> forall e, eps i <=e e -> eps j <=e e -> D (T x) (T z) <=e e *e d x z. restates
  implicit_condition by implicit_condition_instance. Qed.

(* (Assuming d_X satisfies the triangle inequality) if the universes in multiverse do not overlap, then there are no
   implicit Lipschitz conditions (like (A.1)) hidden in a DP specification eps_D-DP(X, multiverse, d_X, D_Pr). *)
Theorem disjoint_no_implicit (* multiverse.disjoint-no-implicit *) : forall R X I (U : I -> X -> Prop) (d : premetric R
  X) eps C, (forall i j x, U i x -> U j x -> i = j) -> triangular d -> is_constraint_matrix U d eps C -> forall x y z, C
  x z <=e C x y +e C y z. restates disjoint_no_implicit by disjoint_no_implicit_instance. Qed.

(* Given a premetric d_X, define multiverse = {{x, x'} : x, x' in X such that d_X(x, x') < oo}. *)
Theorem near_pairs_suffice (* multiverse.pairs *) : forall R X L (d : premetric R X) D (T : X -> L) e, satisfies
  (everything X) d D (fun=> e) T <-> satisfies (near_pairs d) d D (fun=> e) T. restates near_pairs_suffice. Qed.

(* More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps'_D'), for any multiverse_0
   and any budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D in
   multiverse_0 such that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with D' subset of D}. *)
Theorem meets_self (* multiverse.self-intersections *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D (T :
  X -> L) eps eps', (forall p, is_inf (budgets_above U (meets U U) eps p) (eps' p)) -> satisfies U d D eps T <->
  satisfies (meets U U) d D eps' T. restates meets_self by meets_self_instance. Qed.

(* The above proposition shows that we can always restrict the DP specification to universes of pairs of protection
   objects. *)
Theorem meets_near_pairs (* multiverse.pairs-inside *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D (T :
  X -> L) eps eps', (forall p : meets_index U (near_pairs d), is_inf (budgets_above U (meets U (near_pairs d)) eps p)
  (eps' p)) -> satisfies U d D eps T <-> satisfies (meets U (near_pairs d)) d D eps' T. restates meets_near_pairs by
  meets_near_pairs_instance. Qed.

(* Given a premetric d_X, define the relation ~ by x ~ x' if d_X(x, x') < oo. *)
Theorem linked_classes (* multiverse.hidden-invariants *) : forall R X L (d : premetric R X) D (T : X -> L) e, satisfies
  (everything X) d D (fun=> e) T <-> satisfies (linked d) d D (fun=> e) T. restates linked_classes. Qed.

(* More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps_D), for any multiverse_0 and
   budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D in multiverse_c such
   that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with D' subset of D}. *)
Theorem meets_linked (* multiverse.hidden-inside *) : forall R X L I (U : I -> X -> Prop) (d : premetric R X) D (T : X
  -> L) eps eps', (forall p : meets_index U (linked d), is_inf (budgets_above U (meets U (linked d)) eps p) (eps' p)) ->
  satisfies U d D eps T <-> satisfies (meets U (linked d)) d D eps' T. restates by meets_linked_instance. Qed.

(* Moreover, suppose that there exists some D_0 in multiverse_0 such that one of the connected components of the graph
   (D_0, ~_cl) is not in multiverse_0. *)
Theorem meets_linked_changes (* multiverse.hidden-changes *) : forall R X I (U : I -> X -> Prop) (d : premetric R X),
  (exists i x, U i x /\ (forall j, ~ same (U j) (meet (U i) (linked d x)))) -> ~ same_multiverse (meets U (linked d)) U.
  restates meets_linked_changes by meets_linked_changes_instance. Qed.

(* The budget on D_0 n D must be eps'_D' there: with that of some D_0 that gives D_0 n D, such as the largest one, a
   mechanism may satisfy the second specification and not the first. *)
Theorem meets_linked_budget_refuted (* multiverse.hidden-inside.infimum *) : forall R, ~ (forall X L I (U : I -> X ->
  Prop) (d : premetric R X) (D : premetric R L) (T : X -> L) eps (eps' : meets_index U (linked d) -> ext R), (forall p :
  meets_index U (linked d), exists i x, same (meets U (linked d) p) (meet (U i) (linked d x)) /\ eps' p = eps i) ->
  satisfies U d D eps T <-> satisfies (meets U (linked d)) d D eps' T). restates meets_linked_budget_refuted. Qed.

(* Therefore, multiverse_1 != multiverse_0 iff there exists D_0 in multiverse_0 such that one of its connected
   components is not in multiverse_0 (assuming that the empty set is not in multiverse_0). *)
Theorem meets_linked_changes_iff_refuted (* multiverse.hidden-changes-iff *) : forall R, ~ (forall X I (U : I -> X ->
  Prop) (d : premetric R X), (forall i, exists x, U i x) -> ~ same_multiverse (meets U (linked d)) U -> exists i x, U i
  x /\ (forall j, ~ same (U j) (meet (U i) (linked d x)))). restates meets_linked_changes_iff_refuted. Qed.

(* d_X^multiverse as displayed, without a case for x = x', need not be a premetric: it is oo from x to itself where no
   universe holds x. *)
Theorem no_universe_premetric_refuted (* multiverse.in-premetric.zero-diagonal *) : forall R, ~ (forall X I (U : I -> X
  -> Prop) (d : premetric R X) (f : X -> X -> ext R), (forall x x', together U x x' -> f x x' = d x x') -> (forall x x',
  ~ together U x x' -> f x x' = oo) -> forall x, f x x = 0e). restates no_universe_premetric_refuted. Qed.

(* The dissertation: premetrics *)

(* Fix a domain X and let d_X, d'_X be two input premetrics satisfying l d_X <= d'_X <= u d_X for some constants 0 < l
   <= u <= oo. Then M(X, multiverse, d_X, D_Pr, eps_D) is a subset of M(X, multiverse, d'_X, D_Pr, eps_D / l), and M(X,
   multiverse, d'_X, D_Pr, eps_D) is a subset of M(X, multiverse, d_X, D_Pr, u eps_D). *)
Theorem rescale_lower (* premetric.rescaling *) : forall R X L I (U : I -> X -> Prop) D eps (T : X -> L) (d d' :
  premetric R X) l u, l != 0e -> l <=e u -> (forall x x', l *e d x x' <=e d' x x' /\ d' x x' <=e u *e d x x') ->
  satisfies U d D eps T -> satisfies U d' D (fun i => dive (eps i) l) T. restates by rescale_lower_instance. Qed.
Theorem rescale_upper (* premetric.rescaling *) : forall R X L I (U : I -> X -> Prop) D eps (T : X -> L) (d d' :
  premetric R X) l u, l != 0e -> l <=e u -> (forall x x', l *e d x x' <=e d' x x' /\ d' x x' <=e u *e d x x') ->
  satisfies U d' D eps T -> satisfies U d D (fun i => u *e eps i) T. restates by rescale_upper_instance. Qed.

(* Proposition 2.4.15 holds too with 0 x oo = 0 in l d_X and u d_X alone. *)
Theorem rescale_lower_usual (* premetric.rescaling.usual-product *) : forall R X L I (U : I -> X -> Prop) D eps (T : X
  -> L) (d d' : premetric R X) l u, l != 0e -> l <=e u -> (forall x x', mulu l (d x x') <=e d' x x' /\ d' x x' <=e mulu
  u (d x x')) -> satisfies U d D eps T -> satisfies U d' D (fun i => dive (eps i) l) T. restates rescale_lower_usual by
  rescale_lower_usual_instance. Qed.
Theorem rescale_upper_usual (* premetric.rescaling.usual-product *) : forall R X L I (U : I -> X -> Prop) D eps (T : X
  -> L) (d d' : premetric R X) l u, l != 0e -> l <=e u -> (forall x x', mulu l (d x x') <=e d' x x' /\ d' x x' <=e mulu
  u (d x x')) -> satisfies U d' D eps T -> satisfies U d D (fun i => u *e eps i) T. restates rescale_upper_usual by
  rescale_upper_usual_instance. Qed.

(* A specification with lower granularity is stronger: If d_X <= d'_X, then eps_D-DP(X, multiverse, d_X, D_Pr) is a
   stricter condition than eps_D-DP(X, multiverse, d'_X, D_Pr). *)
Theorem finer_premetric_stronger (* premetric.finer-stronger *) : forall R X L I (U : I -> X -> Prop) D eps (T : X -> L)
  (d d' : premetric R X), (forall x x', d x x' <=e d' x x') -> satisfies U d D eps T -> satisfies U d' D eps T. restates
  finer_premetric_stronger by finer_premetric_stronger_instance. Qed.

(* many of the premetrics used in DP are metrics - such as the multiplicative distance adopted in the original
   formulation of DP *)
Theorem mult_metric (* premetric.multiplicative-metric *) : forall R T, [/\ forall (g : R) (P Q : law R T), mult_le g P
  Q <-> mult_le g Q P, forall P Q : law R T, mult_le 1 P Q <-> P = Q, forall P Q : law R T, (forall g, 1 < g -> mult_le
  g P Q) <-> P = Q & forall (g h : R) (P Q S : law R T), mult_le g P Q -> mult_le h Q S -> mult_le (g * h) P S].
  restates mult_metric. Qed.

(* A direct encoding of many common DP formulations in the literature - including the original Definition 2.3.1 of Dwork
   et al. *)
Theorem pure_dp_satisfies (* pure.indistinguishability *) : forall R X I Y U d (dx : premetric R X) (D : premetric R
  (law R Y)) E eps (T : X -> law R Y), (forall P Q e, D P Q <=e Some e <-> mult_le (E (nneg_val e)) P Q) -> (forall e n,
  E (nneg_val e * n%:R) = E e ^+ n) -> (forall x x', dx x x' = match d x x' with | Some n => natx n | None => oo end) ->
  satisfies U dx D eps T <-> pure_dp U d (fun i : I => omap E (omap val (eps i))) T. restates pure_dp_satisfies by
  pure_dp_satisfies_instance. Qed.

(* The dissertation: pufferfish *)

(* Let M be a data-release mechanism. ... The following statements are equivalent: I M satisfies epsilon-DP with epsilon
   = 0. *)
Theorem zero_loss (* pufferfish.no-loss *) : forall R X I Y (U : I -> X -> Prop) d gamma (T : X -> law R Y), (forall i,
  gamma i = Some 1) -> pure_dp U d gamma T <-> (forall i x x', U i x -> U i x' -> d x x' <> None -> T x = T x').
  restates zero_loss by zero_loss_instance. Qed.

(* Therefore, for all theta* in D and all (E, E') in S (with P_theta*(X in . | X in E) and P_theta*(X in . | X in E')
   both well-defined), the data-generating probabilities theta*|_E and theta*|_E' are adjacent in the graph G_D,S and
   hence D_Mult(P(T in . | theta*, X in E), P(T in . | theta*, X in E')) <= epsilon. *)
Theorem pufferfish_competing (* pufferfish.adjacent pufferfish.conjectures *) : forall R (X : finType) T (D : law R X ->
  Prop) (S : {set X} -> {set X} -> Prop) d (g : R) (M : X -> law R T), is_step_distance (competing D S) d -> 1 <= g ->
  pufferfish d g M <-> competing_within D S g M. restates pufferfish_competing by pufferfish_competing_instance. Qed.

(* I M satisfies epsilon-PufferFish(D, S). *)
Theorem pufferfish_interval (* pufferfish.intervals *) : forall R (X : finType) T (d : law R X -> law R X -> option nat)
  g (M : X -> law R T), 1 <= g -> pufferfish d g M <-> (forall theta theta' n, d theta theta' = Some n -> near_belief (g
  ^+ n) (provided M theta) (provided M theta')). restates pufferfish_interval by pufferfish_interval_instance. Qed.

(* I M satisfies epsilon-PufferFish(D, S). *)
Theorem pufferfish_density (* pufferfish.densities *) : forall R (X : finType) T (d : law R X -> law R X -> option nat)
  (g : R) (M : X -> law R T), 1 <= g -> pufferfish d g M <-> (forall theta nu p, (forall t, 0 <= nu t) -> has_density nu
  (provided M theta) p -> forall theta' n, d theta theta' = Some n -> exists2 q, has_density nu (provided M theta') q &
  forall t, g ^- n * p t <= q t <= g ^+ n * p t). restates pufferfish_density by pufferfish_density_instance. Qed.

(* More generally, whenever theta is plausible (i.e. when p(t | theta) > 0) then all d_D,S-connected theta' in [theta]
   are also plausible (regardless of the choice of dominating measure nu). *)
Theorem pufferfish_plausible (* pufferfish.plausible *) : forall R (X : finType) T (d : law R X -> law R X -> option
  nat) (g : R) (M : X -> law R T), 1 <= g -> forall theta theta' n, pufferfish d g M -> d theta theta' = Some n ->
  forall t, 0 < provided M theta t -> 0 < provided M theta' t. restates by pufferfish_plausible_instance. Qed.

(* A data-release mechanism M satisfies epsilon-PufferFish(D, S) if and only if, for all theta_0 != theta_1 in Theta,
   the power 1 - beta of all size-alpha tests of H_0: theta = theta_0 versus H_1: theta = theta_1, is bounded by the
   inequalities: max(alpha/phi, 1 - [1 - alpha] phi) <= 1 - beta <= min(alpha phi, 1 - [1 - alpha]/phi), where phi =
   exp[epsilon d_D,S(theta_0, theta_1)]. *)
Theorem pufferfish_tests (* pufferfish.tests pufferfish.level *) : forall R (X : finType) T (d : law R X -> law R X ->
  option nat) (g : R) (M : X -> law R T), 1 <= g -> pufferfish d g M <-> (forall theta0 theta1 n, theta0 <> theta1 -> d
  theta0 theta1 = Some n -> forall phi, is_test phi -> test_bounds (g ^+ n) (rejects (provided M theta0) phi) (rejects
  (provided M theta1) phi)). restates pufferfish_tests by pufferfish_tests_instance. Qed.

(* Fix a data-generating process G. Let M be a data-release mechanism. Then M satisfies epsilon-PufferFish(D, S) if and
   only if e^(-epsilon) <= [P_theta*(X in E | T = t) / P_theta*(X in E' | T = t)] / [P_theta*(X in E) / P_theta*(X in
   E')] <= e^epsilon, for all theta* in D, all (E, E') in S, and all t in T_*, where T_*^c is a null set under P(T in .
   | theta*, X in E) and under P(T in . | theta*, X in E'). *)
Theorem pufferfish_odds (* pufferfish.odds *) : forall R (X : finType) T (D : law R X -> Prop) (S : {set X} -> {set X}
  -> Prop) d (g : R) (M : X -> law R T), is_step_distance (competing D S) d -> 1 <= g -> pufferfish d g M <-> (forall a
  E E', D a -> S E E' -> 0 < Pr a E -> 0 < Pr a E' -> exists2 Ts : {set T}, Pr (provided M (condP a E)) (~: Ts) = 0 /\
  Pr (provided M (condP a E')) (~: Ts) = 0 & forall t, t \in Ts -> odds_near g (odds_ratio M a t E E')). restates
  pufferfish_odds by pufferfish_odds_instance. Qed.

(* Fix some theta* in D. Let S_X be a partition of X such that P_theta*(X in E), for E in S_X, is given by a density
   p_theta*(Z = z_E) of some marginalisation Z of X. Define S = S_X x S_X. *)
Theorem pufferfish_density_ratio (* pufferfish.neighborhood pufferfish.neighborhood.converse-repaired
  pufferfish.single-data-sets *) : forall R (X T W : finType) (Z : X -> W) D d (g : R) (M : X -> law R T),
  is_step_distance (competing D (level_pairs Z)) d -> 1 <= g -> pufferfish d g M <-> (forall a, D a -> forall t, 0 <
  provided M a t -> in_ratio_neighborhood g (fun z => event_posterior M a t (level_of Z z)) (fun z => Pr a (level_of Z
  z))). restates pufferfish_density_ratio by pufferfish_density_ratio_instance. Qed.

(* Let M_G be a data-provision procedure. The probability on M_G's output T is given by P(T in S | theta) = lambda({u_1,
   u_2 in [0, 1] : M_G(theta, u_1, u_2) in S}) = integral over [0,1]^2 of 1_(M_G(theta, u_1, u_2) in S) d(u_1, u_2) =
   integral over X of P_x(S) dP_theta(x). *)
Theorem provision_seeds (* pufferfish.provision *) : forall R (X T U V : finType) (P : law R U) Q (M : X -> V -> T) G,
  map_law (fun uv => M (G uv.1) uv.2) (prod_law P Q) = provided (fun x => map_law (M x) Q) (map_law G P). restates
  provision_seeds. Qed.

(* Let M be a data-release mechanism. Then the privatised data probability is given by: P(T in S | theta) = integral
   over X of P_x(S) dP_theta(x), = integral over X x [0, 1] of 1_(M(x, u) in S) d(P_theta x lambda)(x, u) ... Moreover,
   P(T in . | theta) is a well defined probability on (T, F), for every theta in Theta. *)
Theorem privatised_seeds (* pufferfish.privatised-data *) : forall R (X T V : finType) (Q : law R V) (M : X -> V -> T)
  theta, map_law (fun xv => M xv.1 xv.2) (prod_law theta Q) = provided (fun x => map_law (M x) Q) theta. restates
  privatised_seeds. Qed.

(* II M is a function of x only through its connected component [x]. *)
Theorem no_loss_seeds_refuted (* pufferfish.no-loss.seeds *) : forall R, let U := @uniform_on R _ true [set:
  bool_finType] in exists2 M, forall x x', map_law (M x) U = map_law (M x') U & ~ (exists M' : bool -> bool, forall x u
  : bool, M x u = M' u). restates no_loss_seeds_refuted. Qed.

(* Indeed, suppose that X = R^n for a fixed n and let S = union over i of {E(r, i) : r in R}^2. *)
Theorem changed_records_walk (* pufferfish.independent-records *) : forall I V : finType, is_shortest_walk
  (@record_changed I V) (@changed_records I V). restates changed_records_walk. Qed.
Theorem pufferfish_independent_records (* pufferfish.independent-records *) : forall R (I V T : finType) (g : R) (M :
  [finType of {ffun I -> V}] -> law R T), 1 <= g -> competing_within (independent_records (V:=V)) (record_pairs (V:=V))
  g M <-> pure_dp (everything [finType of {ffun I -> V}]) (changed_records (V:=V)) (fun=> Some g) M. restates
  pufferfish_independent_records by pufferfish_independent_records_instance. Qed.

(* The dissertation: sharpening *)

(* If D_Pr satisfies the triangle inequality, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps), whether D_Pr is a
   metric or not, where d_r* is the length of a shortest path along the direction of r; for a symmetric r a path may go
   either way. *)
Theorem pure_sharpening (* sharpening.triangle *) : forall R (X : eqType) Y r ds (g : R) (T : X -> law R Y), 1 <= g ->
  is_shortest_walk r ds -> pure_dp (everything X) (neighbor_distance r) (fun=> Some g) T <-> pure_dp (everything X) ds
  (fun=> Some g) T. restates pure_sharpening by pure_sharpening_instance. Qed.

(* For every D_Pr, with or without the triangle inequality, M(X, {X}, d_X*, D_Pr, eps) is a subset of M(X, {X}, d_X,
   D_Pr, eps), where d_X* is the sharpening of d_X. *)
Theorem sharpening_stronger (* sharpening.stronger *) : forall R X L (d ds : premetric R X) D e (T : X -> L),
  is_sharpening d ds -> satisfies (everything X) ds D (fun=> e) T -> satisfies (everything X) d D (fun=> e) T. restates
  sharpening_stronger by sharpening_stronger_instance. Qed.

(* If D_Pr satisfies the triangle inequality, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps), whether D_Pr is a
   metric or not, where d_r* is the length of a shortest path along the direction of r; for a symmetric r a path may go
   either way. *)
Theorem sharpening_triangular (* sharpening.triangle *) : forall R X L (d ds : premetric R X) D e (T : X -> L),
  triangular D -> is_sharpening d ds -> satisfies (everything X) d D (fun=> e) T <-> satisfies (everything X) ds D
  (fun=> e) T. restates sharpening_triangular by sharpening_triangular_instance. Qed.

(* M(X, {X}, d_X, D_Pr, eps) = M(X, {X}, d_X*, D_Pr, eps) for all X, d_X and eps iff D_Pr satisfies the triangle
   inequality; for all d_X = d_r iff D_Pr(P_0, P_n) <= n eps whenever D_Pr(P_m, P_m+1) <= eps for all m < n. *)
Theorem sharpening_iff_triangular (* sharpening.iff-triangular *) : forall R L D, (forall X (d ds : premetric R X) (e :
  ext R) (T : X -> L), is_sharpening d ds -> satisfies (everything X) d D (fun=> e) T <-> satisfies (everything X) ds D
  (fun=> e) T) <-> triangular D. restates sharpening_iff_triangular. Qed.
Theorem neighbor_sharpening_iff (* sharpening.iff-triangular *) : forall R L D, (forall (X : eqType) (r : rel X) (ds :
  premetric R X) (e : ext R) (T : X -> L), is_sharpening (neighbor_premetric R r) ds -> satisfies (everything X)
  (neighbor_premetric R r) D (fun=> e) T <-> satisfies (everything X) ds D (fun=> e) T) <-> (forall P e n, (forall m, D
  (P m) (P m.+1) <=e e) -> D (P 0%N) (P n) <=e e *e natx n). restates neighbor_sharpening_iff. Qed.

(* Without assumptions, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps) for all X, r and eps does not make D_Pr a
   metric: it holds for D_Pr = 0, and for a symmetric D_Pr that is 0 between equal laws only and does not satisfy the
   triangle inequality. *)
Theorem sharpening_metric_refuted (* sharpening.iff-metric.unassumed *) : forall R, ~ (forall L D, (forall (X : eqType)
  (r : rel X) (ds : premetric R X) (e : ext R) (T : X -> L), is_sharpening (neighbor_premetric R r) ds -> satisfies
  (everything X) (neighbor_premetric R r) D (fun=> e) T <-> satisfies (everything X) ds D (fun=> e) T) -> is_metric D).
  restates sharpening_metric_refuted. Qed.
Theorem sharpening_triangle_refuted (* sharpening.iff-metric.unassumed *) : forall R, exists L D, [/\ symmetric_dist D,
  separated D, forall (X : eqType) (r : rel X) (ds : premetric R X) (e : ext R) (T : X -> L), is_sharpening
  (neighbor_premetric R r) ds -> satisfies (everything X) (neighbor_premetric R r) D (fun=> e) T <-> satisfies
  (everything X) ds D (fun=> e) T & ~ triangular D]. restates sharpening_triangle_refuted. Qed.

(* If D_Pr satisfies the triangle inequality, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps), whether D_Pr is a
   metric or not, where d_r* is the length of a shortest path along the direction of r; for a symmetric r a path may go
   either way. *)
Theorem shortest_walk_sharpening (* sharpening.triangle *) : forall R (X : eqType) r dw (ds : premetric R X),
  is_shortest_walk r dw -> (forall x x', ds x x' = shortest R (dw x x')) -> is_sharpening (neighbor_premetric R r) ds.
  restates shortest_walk_sharpening by shortest_walk_sharpening_instance. Qed.

(* We can see that the factor 2 corresponds to k = 2, and the above derivation is easily replicated with general k in N.
   *)
Theorem pure_group_privacy (* group-privacy.chain *) : forall R X Y (r : X -> X -> Prop) (g : R) (T : X -> law R Y),
  (forall x x', r x x' -> mult_le g (T x) (T x')) -> forall n x x', walk r n x x' -> mult_le (g ^+ n) (T x) (T x').
  restates pure_group_privacy by pure_group_privacy_instance. Qed.

(* If D_Pr satisfies the triangle inequality, D_Pr(P_x, P_x') <= eps whenever x r x' is equivalent to D_Pr(P_x, P_x') <=
   n eps for all x, x' that n steps join, each from an x to an x' with x r x', whether D_Pr is a metric or not. *)
Theorem group_privacy (* group-privacy.triangle *) : forall R (X : eqType) (r : rel X) L (D : premetric R L) e (T : X ->
  L), triangular D -> (forall x x', r x x' -> D (T x) (T x') <=e e) <-> (forall n x x', walk (fun x0 x1 => r x0 x1) n x
  x' -> D (T x) (T x') <=e e *e natx n). restates group_privacy by group_privacy_instance. Qed.

(* For a symmetric D_Pr a relation r of neighbors and the relation x r x' or x' r x have the same mechanisms: M(X, {X},
   d_r, D_Pr, eps) does not depend on the direction of r. *)
Theorem symmetric_neighbors (* neighbors.either-way *) : forall R (X : eqType) r L D e (T : X -> L), symmetric_dist D ->
  satisfies (everything X) (neighbor_premetric R r) D (fun=> e) T <-> satisfies (everything X) (neighbor_premetric R
  (fun x x' => r x x' || r x' x)) D (fun=> e) T. restates symmetric_neighbors by symmetric_neighbors_instance. Qed.

(* The dissertation: specifications *)

(* To resolve the edge case where eps_D = 0 but d_X(x, x') = oo, we define 0 x oo = oo. *)
Theorem infinite_asks_nothing (* specification.zero-times-infinity *) : forall R X L I (d : premetric R X) (D :
  premetric R L) eps (T : X -> L) (i : I) x x', d x x' = oo \/ eps i = oo -> D (T x) (T x') <=e eps i *e d x x'.
  restates infinite_asks_nothing by infinite_asks_nothing_instance. Qed.

(* The operation of refining the data multiverse is mathematically equivalent to redefining d_X *)
Theorem matrix_specification (* refinement.in-premetric *) : forall R (X : eqType) L C (D : premetric R L) (T : X -> L),
  satisfies (everything X) (of_matrix C) D (fun=> 1e) T <-> below C D T. restates matrix_specification. Qed.

(* Suppose that D-multiverse and D'-multiverse are nested in the sense that, for all D' in D'-multiverse, there exists
   some D in D-multiverse such that D' subset of D. ... Then, for all privacy loss budgets eps'_D' : D'-multiverse ->
   [0, oo], we have M(X, D-multiverse, d_X, D_Pr, eps_D) subset of M(X, D'-multiverse, d_X, D_Pr, eps'_D'), where eps_D
   = inf{eps'_D' : D' in D'-multiverse with D' subset of D} is the budget under D-multiverse. *)
Theorem refinement_inf_within (* refinement.infimum-within *) : forall R X L I I' (U : I -> X -> Prop) U' d D eps (eps'
  : I' -> ext R) (T : X -> L), refines U' U -> (forall i, is_inf (budgets_within U U' eps' i) (eps i)) -> satisfies U d
  D eps T -> satisfies U' d D eps' T. restates by refinement_inf_within_instance. Qed.

(* Further, (2.7) holds for all privacy loss budgets eps_D : D-multiverse -> [0, oo] when eps'_D' = inf{eps_D : D in
   D-multiverse with D' subset of D} is the budget under D'-multiverse. *)
Theorem refinement_inf_above (* refinement.infimum-above *) : forall R X L I I' (U : I -> X -> Prop) U' d D eps (eps' :
  I' -> ext R) (T : X -> L), refines U' U -> (forall i', is_inf (budgets_above U U' eps i') (eps' i')) -> satisfies U d
  D eps T -> satisfies U' d D eps' T. restates refinement_inf_above by refinement_inf_above_instance. Qed.

(* Over all output premetrics one constraint matrix is stronger than another one iff it is at most the other one at all
   pairs of different data sets; for one D_Pr so if each entry is attained by a mechanism. *)
Theorem tight_matrix_iff_stronger (* order.matrix-decides *) : forall R X L (C C' : X -> X -> ext R) D, (forall x x',
  exists2 T, below C D T & D (T x) (T x') = C x x') -> (forall T : X -> L, below C D T -> below C' D T) <-> (forall x
  x', C x x' <=e C' x x'). restates tight_matrix_iff_stronger by tight_matrix_iff_stronger_instance. Qed.

(* For D_Mult and for D_TV one specification is stronger than another one on the same finite domain (every mechanism of
   it is one of the other) iff the closure of its constraint matrix under symmetry and the triangle inequality is at
   most the other's matrix; for D_TV all bounds are cut at 1. *)
Theorem mult_closure_decides (* order.closure-decides *) : forall R (X : finType) (C C' : X -> X -> option R), (forall x
  y a, C x y = Some a -> 1 <= a) -> (forall Y (T : X -> law R Y), pure_below C T -> pure_below C' T) <-> (forall x y,
  bound_le (closure *%R 1 C x y) (C' x y)). restates by mult_closure_decides_instance. Qed.
Theorem tv_closure_decides (* order.closure-decides *) : forall R (X : finType) (C C' : X -> X -> option R), (forall x y
  a, C x y = Some a -> 0 <= a) -> (forall Y (T : X -> law R Y), tv_below C T -> tv_below C' T) <-> (forall x y, capped
  (closure +%R 0 C x y) <= capped (C' x y)). restates by tv_closure_decides_instance. Qed.

(* Over all output premetrics one constraint matrix is stronger than another one iff it is at most the other one at all
   pairs of different data sets; for one D_Pr so if each entry is attained by a mechanism. *)
Theorem smaller_matrix_iff_stronger (* order.matrix-decides *) : forall R (X : eqType) C C', (forall L (D : premetric R
  L) (T : X -> L), below C D T -> below C' D T) <-> (forall x x', x != x' -> C x x' <=e C' x x'). restates
  smaller_matrix_iff_stronger. Qed.

(* For one D_Pr a stronger constraint matrix need not be the smaller one where its entries are not attained: if D_Pr is
   1 between different laws, all mechanisms satisfy a bound of 2 and a bound of 1. *)
Theorem stronger_smaller_matrix_refuted (* order.matrix-decides.attained *) : ~ (forall C C', (forall T : bool -> bool,
  below C discrete T -> below C' discrete T) -> forall x x', C x x' <=e C' x x'). restates
  stronger_smaller_matrix_refuted. Qed.

(* Where D_Pr has the triangle inequality, the same mechanisms satisfy a constraint matrix and its closure under it;
   where D_Pr is symmetric too, its closure under both. *)
Theorem matrix_closure (* order.closure-same *) : forall R (X : eqType) L C (Cs : premetric R X) D (T : X -> L),
  triangular D -> is_sharpening (of_matrix C) Cs -> below C D T <-> below Cs D T. restates matrix_closure by
  matrix_closure_instance. Qed.
Theorem symmetric_matrix_closure (* order.closure-same *) : forall R (X : eqType) C (Cs : premetric R X) L D (T : X ->
  L), triangular D -> symmetric_dist D -> is_sharpening (of_matrix (symmetrised C)) Cs -> below C D T <-> below Cs D T.
  restates symmetric_matrix_closure by symmetric_matrix_closure_instance. Qed.

(* The dissertation: survey sampling *)

(* Where sample sizes of strata are fixed and a record changes within its stratum, stratified simple random sampling
   gives every (epsilon, delta)-DP release of the sample the budget log(1 + n_h/N_h [e^epsilon - 1]) and n_h/N_h delta,
   as does every design under which the unit is exchangeable with the others of its stratum. *)
Theorem coupled_amplified (* survey.sampling.fixed-strata.bound *) : forall R S Y mu A (K K' : S -> law R Y) (g e : R) c, 1 <=
  g -> is_coupling mu A c -> (forall s, s \notin A -> K s = K' s) -> (forall s, s \in A -> approximate_le g e (K s) (K'
  s)) -> (forall s t, s \in A -> t \notin A -> c s t != 0 -> approximate_le g e (K s) (K t) /\ approximate_le g e (K' s)
  (K t)) -> approximate_le (amplified (Pr mu A) g) (Pr mu A * e) (bind mu K) (bind mu K'). restates coupled_amplified by
  coupled_amplified_instance. Qed.
Theorem exchange_inclusion (* survey.sampling.fixed-strata.bound *) : forall R (I : finType) (mu : law R [finType of {set I}])
  (B : {set I}) i n, i \in B -> (forall S : [finType of {set I}], mu S != 0 -> #|S :&: B| = n) -> (forall (k : I) (S :
  {set I}), k \in B -> mu (swap_units i k S) = mu S) -> Pr mu (having i) = n%:R / #|B|%:R. restates exchange_inclusion
  by exchange_inclusion_instance. Qed.
Theorem exchange_amplified (* survey.sampling.fixed-strata.bound *) : forall R J (mu : law R [finType of {set J}]) (B : {set
  J}) i n, i \in B -> (forall S : [finType of {set J}], mu S != 0 -> #|S :&: B| = n) -> (forall (k : J) (S : {set J}), k
  \in B -> mu (swap_units i k S) = mu S) -> forall (V : Type) Y (T : data J V -> law R Y) (g e : R) (f f' : data J V) (j
  : J) (v : V), 1 <= g -> bounded_dp g e T -> replaced i j v f f' -> B \subset recorded f -> (forall S : [finType of
  {set J}], mu S != 0 -> S \subset recorded f) -> approximate_le (amplified (n%:R / #|B|%:R) g) (n%:R / #|B|%:R * e)
  (sampled mu T f) (sampled (map_law (swap_units i j) mu) T f'). restates by exchange_amplified_instance. Qed.

(* Let C be a sampling scheme that uniformly randomly samples n values out of N possible values without replacement.
   Given an (epsilon, delta)-bounded differentially private mechanism M, we have that M o C is (epsilon',
   delta')-bounded differentially private for epsilon' = log(1 + n/N [e^epsilon - 1]) and delta' = n/N delta. *)
Theorem srswor_amplified (* survey.sampling.theorem *) : forall R (I : finType) (V : Type) Y (T : data I V -> law R Y)
  (g e : R) (i j : I) (v : V) f f', 1 <= g -> bounded_dp g e T -> replaced i j v f f' -> forall n, (n <= #|recorded
  f|)%N -> approximate_le (amplified (n%:R / #|recorded f|%:R) g) (n%:R / #|recorded f|%:R * e) (sampled (srswor f n) T
  f) (sampled (srswor f' n) T f'). restates srswor_amplified by srswor_amplified_instance. Qed.

(* Where sample sizes of strata are fixed and a record changes within its stratum, stratified simple random sampling
   gives every (epsilon, delta)-DP release of the sample the budget log(1 + n_h/N_h [e^epsilon - 1]) and n_h/N_h delta,
   as does every design under which the unit is exchangeable with the others of its stratum. *)
Theorem stratified_amplified (* survey.sampling.fixed-strata.bound *) : forall R (I : finType) (V : Type) Y (T : data I V ->
  law R Y) (g e : R) (i j : I) (v : V) f f', 1 <= g -> bounded_dp g e T -> replaced i j v f f' -> forall H (h : I -> H)
  (size : H -> nat), h j = h i -> [exists S, in_strata h size f S] -> let share := (size (h i))%:R / #|recorded f :&:
  stratum_units h (h i)|%:R in approximate_le (amplified share g) (share * e) (sampled (stratified h size f) T f)
  (sampled (stratified h size f') T f'). restates by stratified_amplified_instance. Qed.

(* Let C be a sampling scheme that uniformly randomly samples n values out of N possible values without replacement.
   Given an (epsilon, delta)-bounded differentially private mechanism M, we have that M o C is (epsilon',
   delta')-bounded differentially private for epsilon' = log(1 + n/N [e^epsilon - 1]) and delta' = n/N delta. *)
Theorem srswor_pure (* survey.sampling.theorem *) : forall R (I : finType) (V : Type) Y (T : data I V -> law R Y) (g :
  R), 1 <= g -> (forall i j v f f', replaced i j v f f' -> mult_le g (T f) (T f')) -> forall i j v f f' n, replaced i j
  v f f' -> (n <= #|recorded f|)%N -> mult_le (amplified (n%:R / #|recorded f|%:R) g) (sampled (srswor f n) T f)
  (sampled (srswor f' n) T f'). restates srswor_pure by srswor_pure_instance. Qed.
Theorem srswor_multiset_amplified (* survey.sampling.theorem *) : forall R (I V Y : finType) (T : {ffun V -> nat} -> law
  R Y) (g e : R), 1 <= g -> (forall (v w : V) (m m' : {ffun V -> nat}), one_moved v w m m' -> approximate_le g e (T m)
  (T m')) -> forall i j v (f f' : data I V) n, replaced i j v f f' -> (n <= #|recorded f|)%N -> approximate_le
  (amplified (n%:R / #|recorded f|%:R) g) (n%:R / #|recorded f|%:R * e) (sampled (srswor f n) (fun s => T (record_counts
  s)) f) (sampled (srswor f' n) (fun s => T (record_counts s)) f'). restates by srswor_multiset_amplified_instance. Qed.

(* For every sampling design no smaller epsilon' would do in Theorem 6.4.1: some epsilon-DP release of the sample
   attains it between two frames that differ in one record. *)
Theorem amplification_attained (* survey.sampling.theorem.sharp.pure *) : forall R (I : finType) (g : R) mu i, 1 <= g ->
  exists (T : data I bool -> law R [finType of bool]) (f f' : data I bool), [/\ forall z z', mult_le g (T z) (T z'),
  recorded f = [set: I], replaced i i true f f' & forall g', mult_le g' (sampled mu T f) (sampled mu T f') -> amplified
  (Pr mu (having i)) g <= g']. restates amplification_attained by amplification_attained_instance. Qed.

(* Where the mechanism on samples is private only between samples of the same units, simple random sampling amplifies
   nothing: some release tells the units, and the smallest epsilon' is epsilon. *)
Theorem labelled_not_amplified (* survey.sampling.same-units *) : forall R (I : finType) (g : R) mu i, 1 <= g -> 0 < Pr
  mu (having i) -> exists (T : data I bool -> law R [finType of option bool]) (f f' : data I bool), [/\ labelled_dp g 0
  T, recorded f = [set: I], replaced i i true f f' & forall g', mult_le g' (sampled mu T f) (sampled mu T f') -> g <=
  g']. restates labelled_not_amplified by labelled_not_amplified_instance. Qed.

(* Where a unit is added or removed, a Poisson sample gives every (epsilon, delta)-DP release of the sample the budget
   log(1 + f [e^epsilon - 1]) and f delta, f the rate of the unit, or the largest rate. *)
Theorem poisson_added (* survey.sampling.independent.bound *) : forall R (I : finType) (V : Type) (rate : I -> V -> R) rate01
  i (v : V) f f', added i v f f' -> poisson rate01 f' = bind (poisson rate01 f) (fun S : {set I} => bind (bern (rate i
  v) (rate01 i v)) (fun b : bool => dirac (if b then i |: S else S))). restates by poisson_added_instance. Qed.
Theorem poisson_amplified (* survey.sampling.independent.bound *) : forall R (I : finType) (V : Type) rate (rate01 : forall i
  v, 0 <= rate i v <= 1) i (v : V) f f', added i v f f' -> forall Y (T : data I V -> law R Y) (g e : R), 1 <= g ->
  unbounded_dp g e T -> approximate_le (amplified (rate i v) g) (rate i v * e) (sampled (poisson rate01 f) T f) (sampled
  (poisson rate01 f') T f'). restates poisson_amplified by poisson_amplified_instance. Qed.
Theorem poisson_inclusion (* survey.sampling.independent.bound *) : forall R (I : finType) (V : Type) (rate : I -> V -> R)
  (rate01 : forall i v, 0 <= rate i v <= 1) (f : data I V) i (v : V), f i = Some v -> Pr (poisson rate01 f) (having i) =
  rate i v. restates poisson_inclusion by poisson_inclusion_instance. Qed.
Theorem poisson_unbounded_dp (* survey.sampling.independent.bound *) : forall R (I : finType) (V : Type) rate (rate01 : forall
  i v, 0 <= rate i v <= 1) Y (T : data I V -> law R Y) (g e p : R), 1 <= g -> (forall i v, rate i v <= p) ->
  unbounded_dp g e T -> unbounded_dp (amplified p g) (p * e) (fun f => sampled (poisson rate01 f) T f). restates
  poisson_unbounded_dp by poisson_unbounded_dp_instance. Qed.

(* However, the correct calculus would consider the composition (T_1, T_2) - which has privacy loss epsilon = 3 - and
   then apply the amplification by sampling result to get a privacy loss for the composition (T_1', T_2') of 1.07. *)
Theorem shared_sampled (* survey.sampling.shared.correct *) : forall R (I : finType) (V : Type) Y Z (T1 : data I V ->
  law R Y) (T2 : data I V -> law R Z) mu f, shared T1 T2 mu f = sampled mu (fun z => prod_law (T1 z) (T2 z)) f. restates
  shared_sampled. Qed.
Theorem shared_fst (* survey.sampling.shared.correct *) : forall R (I : finType) (V : Type) Y Z (T1 : data I V -> law R
  Y) (T2 : data I V -> law R Z) mu f, map_law fst (shared T1 T2 mu f) = sampled mu T1 f. restates shared_fst. Qed.
Theorem shared_snd (* survey.sampling.shared.correct *) : forall R (I : finType) (V : Type) Y Z (T1 : data I V -> law R
  Y) (T2 : data I V -> law R Z) mu f, map_law snd (shared T1 T2 mu f) = sampled mu T2 f. restates shared_snd. Qed.
Theorem shared_srswor (* survey.sampling.shared.correct *) : forall R (I : finType) (V : Type) Y Z (T1 : data I V -> law
  R Y) (T2 : data I V -> law R Z) (g1 g2 : R) (i j : I) (v : V) f f' n, 1 <= g1 -> 1 <= g2 -> bounded_dp g1 0 T1 ->
  bounded_dp g2 0 T2 -> replaced i j v f f' -> (n <= #|recorded f|)%N -> mult_le (amplified (n%:R / #|recorded f|%:R)
  (g1 * g2)) (shared T1 T2 (srswor f n) f) (shared T1 T2 (srswor f' n) f'). restates by shared_srswor_instance. Qed.

(* The source of this apparent contradiction is the composition theorem's implicit assumption that the seeds omega_1'
   and omega_2' of T_1' and T_2' are independent. *)
Theorem fresh_composition (* survey.sampling.dependent.same *) : forall R (I : finType) (V : Type) Y Z (T1 : data I V ->
  law R Y) (T2 : data I V -> law R Z) (p1 p2 g1 g2 : R) mu mu' nu nu' f f', mult_le (amplified p1 g1) (sampled mu T1 f)
  (sampled mu' T1 f') -> mult_le (amplified p2 g2) (sampled nu T2 f) (sampled nu' T2 f') -> mult_le (amplified p1 g1 *
  amplified p2 g2) (prod_law (sampled mu T1 f) (sampled nu T2 f)) (prod_law (sampled mu' T1 f') (sampled nu' T2 f')).
  restates fresh_composition by fresh_composition_instance. Qed.

(* For every design with 0 < f < 1 and all epsilon_1, epsilon_2 > 0, some epsilon_1-DP and epsilon_2-DP releases of one
   sample lose more together than the sum of the losses that Theorem 6.4.1 gives them. *)
Theorem amplified_product_lt (* survey.sampling.shared.lost.every-design *) : forall R (p a b : R), 0 < p < 1 -> 1 < a -> 1 < b ->
  amplified p a * amplified p b < amplified p (a * b). restates by amplified_product_lt_instance. Qed.

(* However, the correct calculus would consider the composition (T_1, T_2) - which has privacy loss epsilon = 3 - and
   then apply the amplification by sampling result to get a privacy loss for the composition (T_1', T_2') of 1.07. *)
Theorem shared_attained (* survey.sampling.shared.correct *) : forall R J (g1 g2 : R) mu i, 1 <= g1 -> 1 <= g2 -> exists
  (T1 T2 : data J bool -> law R [finType of bool]) (f f' : data J bool), [/\ forall z z', mult_le g1 (T1 z) (T1 z') /\
  mult_le g2 (T2 z) (T2 z'), recorded f = [set: J], replaced i i true f f' & forall g', mult_le g' (shared T1 T2 mu f)
  (shared T1 T2 mu f') -> amplified (Pr mu (having i)) (g1 * g2) <= g']. restates by shared_attained_instance. Qed.

(* The source of this apparent contradiction is the composition theorem's implicit assumption that the seeds omega_1'
   and omega_2' of T_1' and T_2' are independent. *)
Theorem shared_composition_refuted (* survey.sampling.dependent.same survey.sampling.shared.lost.every-design *) : forall R (I :
  finType) (g1 g2 : R) mu i, 0 < Pr mu (having i) < 1 -> 1 < g1 -> 1 < g2 -> ~ (forall (T1 T2 : data I bool -> law R
  [finType of bool]) (f f' : data I bool), (forall z z', mult_le g1 (T1 z) (T1 z')) -> (forall z z', mult_le g2 (T2 z)
  (T2 z')) -> replaced i i true f f' -> mult_le (amplified (Pr mu (having i)) g1 * amplified (Pr mu (having i)) g2)
  (shared T1 T2 mu f) (shared T1 T2 mu f')). restates by shared_composition_refuted_instance. Qed.

(* The dissertation: survey weights *)

(* To obtain unbiased estimates, each observation needs to be weighted by the inverse of its probability of selection.
   *)
Theorem weighted_mean (* survey.estimate.expansion *) : forall R (I : finType) mu (w x : I -> R), expectation mu
  (weighted w x) = \sum_i inclusion mu i * (w i * x i). restates weighted_mean. Qed.
Theorem horvitz_thompson_unbiased (* survey.estimate.expansion *) : forall R (I : finType) mu (x : I -> R), (forall i, x
  i != 0 -> inclusion mu i != 0) -> expectation mu (horvitz_thompson mu x) = \sum_i x i. restates
  horvitz_thompson_unbiased by horvitz_thompson_unbiased_instance. Qed.
Theorem unbiased_weights (* survey.estimate.expansion *) : forall R (I : finType) mu (w : I -> R), (forall x,
  expectation mu (weighted w x) = \sum_i x i) <-> (forall i, inclusion mu i * w i = 1). restates unbiased_weights. Qed.
Theorem unbiased_iff (* survey.estimate.expansion *) : forall R (I : finType) (P : law R [finType of {set I}]), (forall
  x, expectation P (horvitz_thompson P x) = \sum_i x i) <-> (forall i, 0 < inclusion P i). restates unbiased_iff. Qed.
Theorem expected_size (* survey.estimate.expansion *) : forall R (I : finType) (mu : law R [finType of {set I}]), \sum_i
  inclusion mu i = expectation mu (fun S : {set I} => #|S|%:R). restates expected_size. Qed.

(* If on each universe the noise is geometric with one ratio a, and a^-|q(d) - q(d')| is at most e^(eps_D d(d, d')) for
   its data sets, the mechanism that releases q, whose values are integers, satisfies eps_D-DP. *)
Theorem geometric_window (* survey.laplace.discrete *) : forall R (a : R) (k : int) n, 0 <= a -> geometric a k k +
  \sum_(j < n) (geometric a k (k + j.+1%:Z) + geometric a k (k - j.+1%:Z)) = 1 - 2 * a ^+ n.+1 / (1 + a). restates
  geometric_window by geometric_window_instance. Qed.
Theorem laplace_discrete (* survey.laplace.discrete *) : forall R J X I (U : I -> X -> Prop) d (gamma : I -> option R) a
  (q : X -> {ffun J -> int}), (forall x, 0 < a x < 1) -> (forall i x x', U i x -> U i x' -> a x = a x') -> (forall i x
  x' g n, U i x -> U i x' -> gamma i = Some g -> d x x' = Some n -> a x ^- l1 (q x) (q x') <= g ^+ n) -> masses_dp U d
  gamma (fun x => geometric_vector (a x) (q x)). restates by laplace_discrete_instance. Qed.
Theorem clamped_geometric_dp (* survey.laplace.discrete *) : forall R X I (U : I -> X -> Prop) d (gamma : I -> option R)
  m a (q : X -> 'I_m.+2) (a01 : forall x, 0 < a x < 1), (forall i x x', U i x -> U i x' -> a x = a x') -> (forall i x x'
  g n, U i x -> U i x' -> gamma i = Some g -> d x x' = Some n -> a x ^- `|q x - q x'| <= g ^+ n) -> pure_dp U d gamma
  (fun x => clamped m (a01 x) (q x)). restates clamped_geometric_dp by clamped_geometric_dp_instance. Qed.

(* Geometric noise of two ratios has D_Mult = oo: no budget bounds the change of a probability far out. *)
Theorem scales_differ_refuted (* survey.laplace.discrete.two-ratios *) : forall (R : archiFieldType) (a b : R) k k', 0 <
  a -> a < b -> b < 1 -> ~ (exists g, masses_near g (geometric a k) (geometric b k')). restates scales_differ_refuted by
  scales_differ_refuted_instance. Qed.

(* The Laplace mechanism T_q,Lap satisfies eps_D-DP(X, D, d_X, D_Pr). *)
Theorem laplace_printed_refuted (* survey.laplace.theorem *) : ~ (forall X I (U : I -> X -> Prop) (d : X -> X -> option
  nat) (gamma : I -> option rat_realFieldType) (q : X -> int) (a : X -> rat_realFieldType), (forall x, is_scale U d
  gamma q x (a x)) -> masses_dp U d gamma (fun x => geometric (a x) (q x))). restates laplace_printed_refuted. Qed.

(* The dissertation: survey privacy *)

(* As shown in Kifer et al. *)
Theorem psample_prior (* survey.posteriors.identity *) : forall R V W (A : law R [finType of V * W]), bind A (psample A)
  = A. restates psample_prior. Qed.
Theorem posterior_ratio (* survey.posteriors.identity *) : forall R V W T A (M : [finType of V * W] -> law R T) E (t :
  T), provided M A t != 0 -> event_posterior M A t E / event_posterior (counterfactual A M) A t E = (\sum_(d in E) A d *
  M d t) / (\sum_(d in E) A d * (\sum_d' psample A d d' * M d' t)). restates by posterior_ratio_instance. Qed.

(* For epsilon-DP, e^-epsilon <= P_{d^- u {r}}(T = t) / P_{d^- u {r'}}(T = t) <= e^epsilon, and hence the ratio of
   posteriors (6.2) is bounded between e^-epsilon and e^epsilon, for all possible values r of D_i (see Theorem 7.1 in
   Kifer et al. *)
Theorem posterior_to_posterior (* survey.posteriors.interval *) : forall R V W T A (M : [finType of V * W] -> law R T)
  (g : R), 1 <= g -> (forall r r' w, mult_le g (M (r, w)) (M (r', w))) -> forall E t, event_posterior (counterfactual A
  M) A t E != 0 -> odds_near g (event_posterior M A t E / event_posterior (counterfactual A M) A t E). restates
  posterior_to_posterior by posterior_to_posterior_instance. Qed.
Theorem posterior_to_posterior_record (* survey.posteriors.interval *) : forall R V W T A (M : [finType of V * W] -> law
  R T) (g : R), 1 <= g -> (forall r r' w, mult_le g (M (r, w)) (M (r', w))) -> forall r t, event_posterior
  (counterfactual A M) A t (record_is W r) != 0 -> odds_near g (event_posterior M A t (record_is W r) / event_posterior
  (counterfactual A M) A t (record_is W r)). restates by posterior_to_posterior_record_instance. Qed.

(* The dissertation: survey settings *)

(* Coarsening is reflexive and transitive. *)
Theorem coarsening_refl (* completion.coarsening *) : forall X I (U : I -> X -> Prop), refines U U. restates
  coarsening_refl. Qed.
Theorem coarsening_trans (* completion.coarsening *) : forall (X I J K : Type) (U : I -> X -> Prop) (V : J -> X -> Prop)
  (W : K -> X -> Prop), refines U V -> refines V W -> refines U W. restates by coarsening_trans_instance. Qed.
Theorem coarsening_antisym_refuted (* completion.coarsening *) : ~ (forall (X I J : Type) (U : I -> X -> Prop) (V : J ->
  X -> Prop), refines U V -> refines V U -> same_multiverse U V). restates coarsening_antisym_refuted. Qed.

(* Let (D_0, multiverse, d_D_0, D_Pr) be a DP flavor where d_D_0 is a metric. Then, the completion of the multiverse is
   complete *)
Theorem completion_complete (* completion.complete *) : forall R X I (U : I -> X -> Prop) (d : premetric R X),
  symmetric_dist d -> triangular d -> complete d (completion U d). restates by completion_complete_instance. Qed.

(* Let (D_0, multiverse, d_D_0, D_Pr) be a DP flavor where d_D_0 is a metric. Then ... for all budgets eps_D :
   multiverse -> R^>=0, M(D_0, completion, d_D_0, D_Pr, eps_D') = M(D_0, multiverse, d_D_0, D_Pr, eps_D), where eps_D' =
   inf{eps_D : D in multiverse s.t. *)
Theorem completion_budgets (* completion.mechanisms *) : forall R X L I U (d : premetric R X) D (T : X -> L) eps,
  satisfies U d D eps T <-> satisfies (completion U d) d D (fun p => eps ((@sval) (I * X) (fun p0 => U p0.1 p0.2) p).1)
  T. restates completion_budgets. Qed.
Theorem completion_inf (* completion.mechanisms completion.mechanisms.premetric *) : forall R X L I (U : I -> X -> Prop)
  (d : premetric R X) D (T : X -> L) eps eps', (forall p, is_inf (budgets_above U (completion U d) eps p) (eps' p)) ->
  satisfies U d D eps T <-> satisfies (completion U d) d D eps' T. restates by completion_inf_instance. Qed.

(* Let (D_0, multiverse, d_D_0, D_Pr) be a DP flavor where d_D_0 is a metric. Then, the completion of the multiverse is
   complete *)
Theorem completion_complete_refuted (* completion.complete *) : forall R, ~ (forall X I (U : I -> X -> Prop) (d :
  premetric R X), complete d (completion U d)). restates completion_complete_refuted. Qed.

(* Where the frame is invariant, releasing what is made from the frame alone, such as the sampling design with its
   weights, beside the output adds nothing to the budget. *)
Theorem design_free (* settings.free-design.invariant *) : forall R (F : Type) D X I (Y C : finType) (U : I -> X -> Prop) d (r : F
  -> X -> Prop) eps (T : X -> law R Y) design, subadditive D -> (forall f x x', r f x -> r f x' -> design x = design x')
  -> invariant_at U d r -> satisfies U d (D Y) eps T -> satisfies U d (D [finType of Y * C]) eps (fun x => prod_law (T
  x) (dirac (design x))). restates design_free by design_free_instance. Qed.

(* we identify ten settings (which together exhaust the potential options for where the DP mechanism starts and which
   phases are taken as invariant): one setting for population-level flavors; two for frame-level flavors; three for
   sample-level flavors; and four for responding-sample-level flavors ... Moreover, the data custodian must necessarily
   choose a setting - they cannot implement DP without first deciding (perhaps implicitly) where the DP mechanism starts
   and which pre-processing steps are taken as invariant. *)
Theorem ten_settings (* settings.ten *) : [seq count closed_earlier (patterns n) | n <- iota 0 4] = [:: 1%N; 2%N; 3%N;
  4%N] /\ (\sum_(n < 4) count closed_earlier (patterns n))%N = 10%N. restates ten_settings. Qed.
Theorem settings_are_patterns (* settings.ten *) : forall R n s, let is_setting how := exists (v : survey n) I U (d :
  premetric R (collected v)), how v I U d s in (is_setting (@setting R n) <-> s \in patterns n /\ closed_earlier s) /\
  (is_setting (@setting_by_pairs R n) <-> s \in patterns n /\ closed_earlier s). restates settings_are_patterns. Qed.

(* invariance at one level implies invariance at previous data pipeline phases *)
Theorem earlier_invariance (* invariance.earlier-phases *) : forall R (P F X I : Type) (U : I -> X -> Prop) (d :
  premetric R X) (r : P -> F -> Prop) s, (forall f, exists p, r p f) -> invariant_at U d s -> invariant_at U d (through
  r s). restates earlier_invariance by earlier_invariance_instance. Qed.

(* Population-invariance means that comparable frames (or samples or responding samples) must be from the same pseudo-
   population. *)
Theorem invariance_compares (* invariance.comparable *) : forall R (F : Type) (X : eqType) I (U : I -> X -> Prop) (d :
  premetric R X) (r : F -> X -> Prop) x x', invariant_at U d r -> comparable U d x x' -> shares_source r x x'. restates
  invariance_compares by invariance_compares_instance. Qed.

(* Where the data sets of a phase give equal or disjoint sets of data sets, a flavor is invariant at it iff any two
   comparable data sets are from the same one. *)
Theorem invariance_iff_compares (* invariance.one-source *) : forall R (F : Type) (X : eqType) I (U : I -> X -> Prop) (d
  : premetric R X) (r : F -> X -> Prop), (forall x, exists f, r f x) -> (forall f g x, r f x -> r g x -> f = g) ->
  invariant_at U d r <-> (forall x x', comparable U d x x' -> shares_source r x x'). restates invariance_iff_compares by
  invariance_iff_compares_instance. Qed.

(* invariance at one level implies invariance at previous data pipeline phases *)
Theorem earlier_invariance_needs_source (* invariance.earlier-phases *) : forall R, ~ (forall (P F X I : Type) (U : I ->
  X -> Prop) (d : premetric R X) (r : P -> F -> Prop) (s : F -> X -> Prop), invariant_at U d s -> invariant_at U d
  (through r s)). restates earlier_invariance_needs_source. Qed.

(* Frame-agnosticism implies that there are two comparable samples which are drawn from different frames. *)
Theorem agnostic_refuted (* invariance.agnostic invariance.pairs-alone *) : forall R, ~ (forall (F : Type) (X : eqType)
  I (U : I -> X -> Prop) (d : premetric R X) (r : F -> X -> Prop), (forall x, exists f, r f x) -> ~ invariant_at U d r
  -> exists x x', comparable U d x x' /\ ~ shares_source r x x'). restates agnostic_refuted. Qed.

(* Note that the response probabilities can be used to compute the final probability to be included in the sample:
   p_i^(inc) = pi_i p_i^R. *)
Theorem two_phase_inclusion (* survey-weights.inclusion *) : forall R (I : finType) mu response i (p : R), (forall S :
  {set I}, i \in S -> inclusion (response S) i = p) -> (forall S : {set I}, i \notin S -> inclusion (response S) i = 0)
  -> inclusion (two_phase mu response) i = inclusion mu i * p. restates by two_phase_inclusion_instance. Qed.

(* PHSafe: phsafe *)

(* Let T : X -> Y be a b-stable transformation and G : Y -> Z be a c-stable transformation. Then G o T : X -> Z is a bc-
   stable transformation. *)
Theorem stable_comp (* phsafe.stability.composition *) : forall (S T U : eqType) b c (f : seq S -> seq T) (g : seq T ->
  seq U), stable b f -> stable c g -> stable (b * c) (g \o f). restates stable_comp by stable_comp_instance. Qed.

(* Because filter transformations have a stability of one, the privacy analysis from Section 5 is unchanged. *)
Theorem filter_stable (* phsafe.filter.stable *) : forall (S0 : eqType) (p : pred S0), stable 1 (filter p). restates
  filter_stable. Qed.

(* g_i A 1-stable mapping of records to the population group in P_i to which the record belongs. f A 1-stable mapping of
   records to a set of table basis cells. *)
Theorem map_stable (* phsafe.mappings.stable *) : forall (S0 T : eqType) (f : S0 -> T), stable 1 (map f). restates
  map_stable. Qed.

(* For the person dataframe, the truncation method in line 11 takes the first tau records of each household according to
   a predefined ordering over the universe of records. *)
Theorem truncated_stable (* phsafe.truncation.stable *) : forall (S0 K : eqType) (key : S0 -> K) keys le, uniq keys ->
  ssrbool.total le -> transitive le -> antisymmetric le -> forall n, stable 2 (truncated key keys le n). restates
  truncated_stable by truncated_stable_instance. Qed.

(* For the unit dataframe, the truncation method in line 18 drops all records with non-unique MAFIDs. *)
Theorem unique_stable (* phsafe.units.unique.stable *) : forall (S0 K : eqType) (key : S0 -> K) keys, uniq keys ->
  stable 1 (unique key keys). restates unique_stable by unique_stable_instance. Qed.

(* The total stability of the view, J, is bounded by the MAFID multiplicity of the person dataframe times the stability
   of the unit dataframe plus the MAFID multiplicity of the unit dataframe times the stability of the person dataframe.
   *)
Theorem join_stable (* phsafe.join.stability *) : forall (S U K : eqType) (key : S -> K) (key' : U -> K) m n s t u v,
  at_most_per_key key m s -> at_most_per_key key' n v -> (symdiff (join key key' s u) (join key key' t v) <= m * symdiff
  u v + n * symdiff s t)%N. restates join_stable by join_stable_instance. Qed.

(* Algorithm 3 is a (2 tau + 2)-stable transformation. *)
Theorem truncate_and_join_stable (* phsafe.stability.truncate-and-join *) : forall (S0 U K : eqType) (key : S0 -> K)
  key' keys keys' le, uniq keys -> uniq keys' -> ssrbool.total le -> transitive le -> antisymmetric le -> forall (B :
  eqType) n persons (units : seq B -> seq U), stable 1 persons -> stable 2 units -> stable (2 * n + 2) (fun b : seq B =>
  truncate_and_join key key' keys keys' le n (persons b) (units b)). restates by truncate_and_join_stable_instance. Qed.

(* Where the unit follows from the persons of its MAFID, Algorithm 3 is 2 tau-stable between neighbours. *)
Theorem households_stable (* phsafe.stability.truncate-and-join.sharp *) : forall (S0 U K : eqType) (key : S0 -> K) keys
  le, uniq keys -> ssrbool.total le -> transitive le -> antisymmetric le -> forall n (unit_of : seq S0 -> U), (forall s
  t, perm_eq s t -> unit_of s = unit_of t) -> stable (2 * n) (by_key key keys (household le n unit_of)). restates
  households_stable by households_stable_instance. Qed.

(* Where units follow from the persons of their MAFID by any function, the largest squared L2 change of a level of
   Algorithm 1 by one person added or removed is 2 tau^2, for every tau. *)
Theorem person_added_sensitivity (* phsafe.sensitivity.person-added *) : forall tau, largest (fun n => exists (a :
  table_run) (f : unit_mapping a) s t, (symdiff s t <= 1)%N /\ n = squared_change (person_counts f tau s) (person_counts
  f tau t)) (2 * tau ^ 2)%N. restates person_added_sensitivity. Qed.

(* Where units follow from the persons of their MAFID by any function, the largest squared L2 change of a level of
   Algorithm 1 by one person record replaced is 8 tau^2, for every tau. *)
Theorem person_replaced_sensitivity (* phsafe.sensitivity.person-replaced *) : forall tau, largest (fun n => exists (a :
  table_run) (f : unit_mapping a) s t, [/\ (symdiff s t <= 2)%N, size s = size t & n = squared_change (person_counts f
  tau s) (person_counts f tau t)]) (8 * tau ^ 2)%N. restates person_replaced_sensitivity. Qed.

(* Where one row of persons and two rows of units with unique MAFIDs are added or removed freely, the largest squared L2
   change of a level of Algorithm 1 is 4 tau^2 + 4 tau + 2, for every tau >= 1. *)
Theorem tables_added_sensitivity (* phsafe.sensitivity.tables-added *) : forall tau, (0 < tau)%N -> largest (fun n =>
  exists (a : table_run) (s t : seq (person a)) u v, [/\ one_each u, one_each v, (symdiff s t <= 1)%N, (symdiff u v <=
  2)%N & n = squared_change (row_counts tau s u) (row_counts tau t v)]) (4 * tau ^ 2 + 4 * tau + 2)%N. restates
  tables_added_sensitivity. Qed.

(* Where one row of persons and two rows of units with unique MAFIDs are replaced freely, the largest squared L2 change
   of a level of Algorithm 1 is 8 (tau + 1)^2, for every tau >= 1. *)
Theorem tables_replaced_sensitivity (* phsafe.sensitivity.tables-replaced *) : forall tau, (0 < tau)%N -> largest (fun n
  => exists (a : table_run) (s t : seq (person a)) u v, [/\ one_each u /\ one_each v, size s = size t /\ size u = size
  v, (symdiff s t <= 2)%N, (symdiff u v <= 4)%N & n = squared_change (row_counts tau s u) (row_counts tau t v)]) (8 *
  (tau + 1) ^ 2)%N. restates tables_replaced_sensitivity. Qed.

(* The swapping study: pairwise swapping *)

(* 2010-style swapping, whatever k, coins, tiers and rate, satisfies the PSA's flavor with no finite budget on a
   universe with a key whose households are all in one tract and not all alike there, in more than one block. *)
Theorem one_tract_released (* pairwise.ladder.first *) : forall M H S n (T : eqType) (tract : S -> T) x (s : seq ('I_n *
  'I_n)) (m : M) (h : H) (b : S), across tract x s -> one_tract tract x m -> table (exchange_pairs x s) (m, h, b) =
  table x (m, h, b). restates one_tract_released by one_tract_released_instance. Qed.
Theorem one_tract_no_budget (* pairwise.ladder.first *) : forall R M H S0 n (T : eqType) (tract : S0 -> T) (L : dataset
  M H S0 n -> law R [finType of {ffun M * H * S0 -> 'I_n.+1}]) x x' (m : M) (h : H) (b : S0) (g : R), (forall y z, L y z
  != 0 -> exists2 s : seq ('I_n * 'I_n), across tract y s & z = table_ord (exchange_pairs y s)) -> one_tract tract x m
  -> one_tract tract x' m -> table x (m, h, b) != table x' (m, h, b) -> ~ mult_le g (L x) (L x'). restates
  one_tract_no_budget by one_tract_no_budget_instance. Qed.

(* The price of swapping: price *)

(* Let d be a metric on finitely many points, and weights w >= 0 have sum_z w(z)*e^(-eps*d(x, z)) = 1 for all x. Then
   P_x(z) = w(z)*e^(-eps*d(x, z)) is a mechanism with the budget eps, and no mechanism with this budget leaves the point
   unchanged, over a uniform prior, with a larger probability. *)
Theorem weighted_release (* price.weighting *) : forall R T (K : T -> T -> R) w, (forall x y, 0 <= K x y) -> (forall x
  y, K x y = K y x) -> (forall x, K x x = 1) -> (forall x y z, K x y * K y z <= K x z) -> weighting K w -> exists2 Q : T
  -> law R T, forall x z, Q x z = w z * K x z & kernel_le K Q /\ forall P : T -> law R T, kernel_le K P -> \sum_x P x x
  <= \sum_x Q x x. restates weighted_release by weighted_release_instance. Qed.

(* In one stratum of n >= 2 records, with any categories and for all p, the mean of a cell of the PSA's output is x_hs -
   mu*n/(n-1)*(x_hs - x_h.*x_.s/n), where x_hs is that cell of the input, x_h. and x_.s its margins, and mu the
   probability that a record moves, p*(1-(1-p)^(n-1))/(1-n*p*(1-p)^(n-1)): the PSA draws each table towards
   independence. *)
Theorem mean_table (* price.bias *) : forall R M H S0 n (p : R) (p01 : 0 <= p <= 1), (1 < n)%N -> forall (x : dataset M
  H S0 n) (m : M) h s, (forall l, matching (x l) = m) -> \sum_t psa p p01 x t * (t (m, h, s))%:R = (table x (m, h,
  s))%:R - swap_mass p n * n%:R / n.-1%:R * ((table x (m, h, s))%:R - (n_mh x m h)%:R * (n_ms x m s)%:R / n%:R).
  restates mean_table by mean_table_instance. Qed.

(* In the universe with margins (m, m) on both sides, n = 2*m, and over a uniform prior on its m + 1 tables, the mean
   change of a cell by the PSA is at least mu*n/(n-1)*n/8, mu being the probability that a record moves; this is at
   least p*n/8 if n*p >= 1. *)
Theorem half_rate (* price.all-tables *) : forall R (p : R) n, 0 < p < 1 -> (1 < n)%N -> 1 <= n%:R * p -> p <= swap_mass
  p n * n%:R / n.-1%:R. restates half_rate by half_rate_instance. Qed.
Theorem uniform_change (* price.all-tables *) : forall R M H S0 m (p : R) (p01 : 0 <= p <= 1) (X : 'I_m.+1 -> dataset M
  H S0 (2 * m)) u h s, (0 < m)%N -> (forall (k : 'I_m.+1) l, matching (X k l) = u) -> (forall k : 'I_m.+1, table (X k)
  (u, h, s) = k) -> (forall k : 'I_m.+1, n_mh (X k) u h = m) -> (forall k : 'I_m.+1, n_ms (X k) u s = m) -> swap_mass p
  (2 * m) * (2 * m)%:R / (2 * m).-1%:R * (m%:R / 4%:R) <= (\sum_k \sum_t psa p p01 (X k) t * `|(t (u, h, s))%:R - k%:R|)
  / m.+1%:R. restates uniform_change by uniform_change_instance. Qed.

(* On the points 0, ..., n+1 with the distance 2*|i - j| the geometric mechanism with ratio alpha, clamped at both ends,
   has the loss (1/2)*ln(1/alpha), for every n and every alpha in (0, 1). *)
Theorem clamped_geometric (* price.fibre.line price.floor.changed *) : forall R (a g : R) n, 0 < a -> a < 1 -> 0 < g ->
  g ^+ 2 * a = 1 -> exists2 G : 'I_n.+2 -> law R [finType of 'I_n.+2], forall i j, G i j = line_weight a n j * a ^+
  steps i j & [/\ pure_dp (fun (_ : unit) (_ : 'I_n.+2) => True) (fun i j : 'I_n.+2 => Some (2 * steps i j)%N) (fun=>
  Some g) G, G ord0 ord0 = g ^+ 2 * G (lift ord0 ord0) ord0 & forall P : 'I_n.+2 -> law R [finType of 'I_n.+2], (forall
  i j z : 'I_n.+2, P i z <= g ^+ (2 * steps i j) * P j z) -> \sum_i P i i <= \sum_i G i i]. restates clamped_geometric
  by clamped_geometric_instance. Qed.

(* On a line of N >= 2 tables (two rows, two columns) and over a uniform prior no mechanism with the same invariants and
   budget (1/2)*ln(1/alpha) has a smaller mean error c(|z - x|) than the clamped geometric mechanism, if c(0) = 0, c
   does not decrease, and alpha*(c(1) - c(0)) + ... + alpha^m*(c(m) - c(m-1)) <= c(1) for every m: for every N so for
   the probability of a change at every alpha, for the mean change of a cell at alpha <= 1/2, for its mean square at
   alpha <= 1/3. *)
Theorem line_floor (* price.floor.lines *) : forall R (a g : R) n c (G P : 'I_n.+2 -> law R [finType of 'I_n.+2]), 0 < a ->
  a < 1 -> 0 < g -> g ^+ 2 * a = 1 -> (forall i j, G i j = line_weight a n j * a ^+ steps i j) -> (forall i j z :
  'I_n.+2, P i z <= g ^+ (2 * steps i j) * P j z) -> c 0%N = 0 -> (forall k, c k <= c k.+1) -> (forall m, \sum_(k < m) a
  ^+ k.+1 * (c k.+1 - c k) <= c 1%N) -> line_error c G <= line_error c P. restates line_floor by line_floor_instance.
  Qed.
Theorem line_floor_errors (* price.floor.lines *) : forall R (a g : R) n (G P : 'I_n.+2 -> law R [finType of 'I_n.+2]), 0
  < a -> a < 1 -> 0 < g -> g ^+ 2 * a = 1 -> (forall i j, G i j = line_weight a n j * a ^+ steps i j) -> (forall i j z :
  'I_n.+2, P i z <= g ^+ (2 * steps i j) * P j z) -> [/\ line_error (fun k => (k != 0%N)%:R) G <= line_error (fun k => (k
  != 0%N)%:R) P, 2%:R * a <= 1 -> line_error (fun k => k%:R) G <= line_error (fun k => k%:R) P & 3%:R * a <= 1 ->
  line_error (fun k => k%:R ^+ 2) G <= line_error (fun k => k%:R ^+ 2) P]. restates line_floor_errors by
  line_floor_errors_instance. Qed.

(* Fibre noise with ratio alpha, on a universe of one stratum, has the budget kappa*ln(1/alpha): kappa = 1/2 for two
   rows and two columns, 1 if only one side has two, 2 otherwise. *)
Theorem fibre_noise_private (* price.fibre.budget *) : forall R K (m n : 'I_K -> nat) (r g : R) (low high : noise_ranges
  K) (x y : noise_tables m n) z d, 0 < r < 1 -> g * r ^+ 2 = 1 -> (forall i, same_margins (x i) (y i)) -> (forall i,
  size (z i) = size (free_cells (x i))) -> (\sum_i table_change (x i) (y i) = 2 * d)%N -> fibre_noise r low high x z <=
  g ^+ d * fibre_noise r low high y z. restates fibre_noise_private by fibre_noise_private_instance. Qed.

(* What stirred audit --coq and prove --coq rest on, and other readings *)

Theorem induced_universes_refuted (* another-reading *) : forall R, ~ (forall X L I (Y : eqType) (U : I -> X -> Prop) (c
  : X -> Y) (d : premetric R X) (D : premetric R L) (point : Y -> L) (eps : I -> ext R), far_points D point -> (forall x
  x', d x x' <> oo) -> (forall i, exists x, U i x) -> (forall x, exists i, U i x) -> (forall i, eps i <> oo) ->
  satisfies U d D eps (fun x => point (c x)) -> same_multiverse U (invariant_universe c)). restates
  induced_universes_refuted. Qed.

Theorem tree_lawE (* audit *) : forall n (T : tree) t, (weighed T).1 <> BinNums.N0 -> total (masses n T) <> BinNums.N0
  -> tree_law n T t = ratN (nth BinNums.N0 (masses n T) t) / ratN (total (masses n T)). restates tree_lawE by
  tree_lawE_instance. Qed.

(* Stats NZ: office tables *)

(* Rounded at random to base b, counts n <= n' have the total variation (n' - n)/b if no multiple of b lies strictly
   between them, max(m - n, n' - m)/b if one, m, does, and 1 if more do. *)
Theorem rounding_variation (* rounding.variation *) : forall R b m n n', (n <= n')%N -> (n' <= m * b.+1)%N -> tv (rounding
  b m n : law R _) (rounding b m n') = (rounded_apart b n n')%:R / b.+1%:R. restates rounding_variation. Qed.

(* Random rounding to base b satisfies (0, 1/b) for one record added or removed; and at no epsilon a delta below 1/b is
   enough between a multiple of b and the next count. *)
Theorem rounding_record (* rounding.one-record *) : forall R b m n, (n < m * b.+1)%N -> tv (rounding b m n : law R _)
  (rounding b m n.+1) = b.+1%:R^-1. restates rounding_record. Qed.
Theorem rounding_least (* rounding.one-record *) : forall R b m q (g : R), (q <= m)%N -> b.+1%:R^-1 <= hockey_stick g
  (rounding b m (q * b.+1).+1) (rounding b m (q * b.+1)). restates rounding_least. Qed.

Close Scope ring_scope.

(* Part 2. On the axioms of the classical real numbers                                                                *)

Open Scope R_scope.

(* The article: phsafe *)

(* Let T : X -> Y be a b-stable transformation. Let M : Y -> Z be a rho-zCDP mechanism. Then M o T : X -> Z is a b^2
   rho-zCDP mechanism. *)
Theorem nor_chain (* phsafe.stability.mechanism phsafe.bounded.factor zcdp.group-privacy *) : forall (T : Type) (P : nat
  -> T -> R) (rho : R) n, (forall k, is_law (P k)) -> (forall k, (k < n)%coq_nat -> exists2 r, is_nor (P k) (P (S k)) r
  & r <= rho) -> exists2 r, is_nor (P 0%nat) (P n) r & r <= INR n * rho. restates nor_chain by nor_chain_instance. Qed.

(* Let q : X -> R^n. Let s be such that ||q(x) - q(x')||_2 <= s for all neighboring x, x'. Let Delta > 0. Then
   VectorDiscreteGaussian(q(x), rho, Delta) from Algorithm 5 satisfies s^2 rho/Delta^2-zCDP as a function of x. *)
Theorem shifted_gaussian_infinite (* phsafe.gaussian.printed gaussian.shifted *) : forall s2 t alpha : R, 0 < s2 ->
  frac_part t <> 0 -> ~ (exists d, is_renyi alpha (shifted_gaussian s2 t) (shifted_gaussian s2 0) d). restates
  shifted_gaussian_infinite by shifted_gaussian_infinite_instance. Qed.

(* Lemma 3 holds for q : X -> Z^n: sigma^2 = Delta^2/(2 rho) makes the loss of a pair exactly ||q(x) - q(x')||^2
   rho/Delta^2. *)
Theorem diagonal_gaussian_nor (* phsafe.gaussian.vector gaussian.diagonal *) : forall s2 (a b : nat -> Z) n, (forall k,
  0 < s2 k) -> is_nor (diagonal_gaussian s2 a (n:=n)) (diagonal_gaussian s2 b (n:=n)) (sqrt (squared_distance s2 a b
  n)). restates diagonal_gaussian_nor by diagonal_gaussian_nor_instance. Qed.

(* The article: psa *)

(* Suppose that the PSA (Algorithm 1) permutes records at resolution r. Then it satisfies eps_D-DP(X, D_cSwap, d_HamS^r,
   D_Mult) with eps_D = 0 if b = 0; ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if
   sqrt(b+1)/(sqrt(b+1)+1) <= p < 1 and b > 0; infinity if p in {0, 1} and b > 0, where o = p/(1-p). *)
Theorem psa_budget_exponential (* psa.budget.theorem *) : forall F (f : F -> R), embedding f -> forall b p, (0 <= p <=
  1)%R -> exponential f (psa_budget b p) (epsilon_budget b (f p)). restates by psa_budget_exponential_instance. Qed.
Theorem psa_epsilon_dp (* psa.budget.theorem *) : forall F f, embedding f -> forall M H S0 (N : nat) (p : F) (p01 : (0
  <= p <= 1)%R) X (data : X -> bounded_data M H S0 N), epsilon_dp f (fun x0 x => same_invariants (tagged (data x0))
  (tagged (data x))) (fun x x' => hamming_or_oo (data x) (data x')) (fun x0 => epsilon_budget (largest_stratum (tagged
  (data x0))) (f p)) (fun x => psa_bounded p01 (data x)). restates by psa_epsilon_dp_instance. Qed.

(* The article: psa exact *)

(* In every universe with two categories and strata of up to b = 264,331 households, as of two tenures, the PSA
   satisfies budgets below 8.61, 7.75, 7.37 and 6.26 at p = 1%, 5%, 10% and 50%, where (7) gives 17.08, 15.43, 14.68 and
   12.48. *)
Theorem households_below (* psa.exact.massachusetts.households *) : forall F (f : F -> R) M H S n, embedding f -> let
  in_two (x0 : dataset M H S n) := two_categories x0 && (largest_stratum x0 <= N.to_nat 264331)%N in let b := N.to_nat
  264331 in [/\ below_printed f in_two b 100%:R^-1%R (861 / 100) (1708 / 100), below_printed f in_two b 20%:R^-1%R (775
  / 100) (1543 / 100), below_printed f in_two b 10%:R^-1%R (737 / 100) (1468 / 100) & below_printed f in_two b 2%:R^-1%R
  (626 / 100) (1248 / 100)]. restates households_below by households_below_instance. Qed.

(* If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the PSA at p = 50% satisfies a
   budget below 1.472, whatever the counties' totals; (7) gives 13.95. *)
Theorem dwellings_below (* psa.exact.massachusetts.dwellings *) : forall F (f : F -> R) M H S n, embedding f ->
  below_printed f (fun x0 : dataset M H S n => sizes_fit (sizes_are 435805 708619) x0) (N.to_nat 1144424) 2%:R^-1%R
  (1472 / 1000) (1395 / 100). restates dwellings_below by dwellings_below_instance. Qed.

(* In every universe of one stratum with two holding categories of 500,000 records each the PSA at p = 75% satisfies a
   budget below 0.511; (7) gives 12.72. *)
Theorem halves_below (* psa.exact.two-large *) : forall F (f : F -> R) M H S n, embedding f -> below_printed f (fun x0 :
  dataset M H S n => sizes_fit (sizes_are 500000 500000) x0) (N.to_nat 1000000) (3%:R / 4%:R)%R (511 / 1000) (1272 /
  100). restates halves_below by halves_below_instance. Qed.

(* The article: topdown *)

(* If T_p and T_hh have independent noise and satisfy rho_p-DP and rho_hh-DP in one flavor (X, multiverse, d_X, D_NoR)
   whose universes agree on c, and the second step is a function, random or not, of T_p, T_hh and c alone, then both
   steps together satisfy rho-DP in it with rho^2 = rho_p^2 + rho_hh^2. *)
Theorem measured_zcdp (* topdown.two-steps *) : forall X I (U : I -> X -> Prop) d (Y Z C : Type) (T_p : X -> Y -> R)
  (T_hh : X -> Z -> R) c rho_p rho_hh, (forall t u : Y, {t = u} + {t <> u}) -> (forall t u : Z, {t = u} + {t <> u}) ->
  forall decC : forall a b : C, {a = b} + {a <> b}, (forall x, is_law (T_p x)) -> (forall x, is_law (T_hh x)) -> (forall
  i, 0 <= rho_p i) -> (forall i, 0 <= rho_hh i) -> (forall i x x', U i x -> U i x' -> c x = c x') -> zcdp U d (fun i =>
  Some (rho_p i)) T_p -> zcdp U d (fun i => Some (rho_hh i)) T_hh -> zcdp U d (fun i => Some (sqrt (rho_p i ^ 2 + rho_hh
  i ^ 2))) (measured decC T_p T_hh c). restates measured_zcdp by measured_zcdp_instance. Qed.

(* T satisfies DP(X_CEF, {X_CEF}, d^p_HAM, D_nor) with budget rho_TDA ... TDA satisfies DP(X_CEF, D_cTDA, d^p_HAM,
   D_nor) with budget rho_TDA. *)
Theorem two_step_zcdp (* topdown.two-steps.printed topdown.two-steps *) : forall X I (U : I -> X -> Prop) d (Y Z C :
  Type) T_p T_hh c rho_p rho_hh, (forall t u : Y, {t = u} + {t <> u}) -> (forall t u : Z, {t = u} + {t <> u}) -> forall
  decC : forall a b : C, {a = b} + {a <> b}, (forall x, is_law (T_p x)) -> (forall x, is_law (T_hh x)) -> (forall i, 0
  <= rho_p i) -> (forall i, 0 <= rho_hh i) -> (forall i x x', U i x -> U i x' -> c x = c x') -> zcdp U d (fun i => Some
  (rho_p i)) T_p -> zcdp U d (fun i => Some (rho_hh i)) T_hh -> forall (W : Type) (K : Y * Z * C -> W -> R) (M : X -> W
  -> R), (forall t, is_law (K t)) -> (forall x, is_mixture (measured decC T_p T_hh c x) K (M x)) -> zcdp U d (fun i =>
  Some (sqrt (rho_p i ^ 2 + rho_hh i ^ 2))) M. restates two_step_zcdp by two_step_zcdp_instance. Qed.

(* Everything that both runs release together (measurements, estimates, what is tabulated from them) has the sum of
   their four rho^2, as Table 4 says for 'PL & DHC': rho^2 + rho_p^2 + rho_hh^2 for a first release with rho and a
   second run that uses it. *)
Theorem two_runs_zcdp (* topdown.two-runs.budget *) : forall X I (U : I -> X -> Prop) d (Y Z C : Type) T_p T_hh c rho_p
  rho_hh, (forall t u : Y, {t = u} + {t <> u}) -> (forall t u : Z, {t = u} + {t <> u}) -> forall decC : forall a b : C,
  {a = b} + {a <> b}, (forall x, is_law (T_p x)) -> (forall x, is_law (T_hh x)) -> (forall i, 0 <= rho_p i) -> (forall
  i, 0 <= rho_hh i) -> (forall i x x', U i x -> U i x' -> c x = c x') -> zcdp U d (fun i => Some (rho_p i)) T_p -> zcdp
  U d (fun i => Some (rho_hh i)) T_hh -> forall (V W : Type) (M : X -> V -> R) (rho : I -> R) (K : V * (Y * Z * C) -> W
  -> R) (M' : X -> W -> R), (forall t u : V, {t = u} + {t <> u}) -> (forall x, is_law (M x)) -> (forall i, 0 <= rho i)
  -> zcdp U d (fun i => Some (rho i)) M -> (forall t : V * (Y * Z * C), is_law (K t)) -> (forall x, is_mixture (joint (M
  x) (measured decC T_p T_hh c x)) K (M' x)) -> zcdp U d (fun i => Some (sqrt (rho i ^ 2 + rho_p i ^ 2 + rho_hh i ^ 2)))
  M'. restates two_runs_zcdp by two_runs_zcdp_instance. Qed.

(* A release that tells some totals satisfies no specification with output premetric D_NoR whose budget is finite on a
   universe where two data sets at finite distance differ in them; nor with any other output premetric that no
   processing makes larger and that is oo between laws without a common outcome. *)
Theorem kept_unbounded (* topdown.kept-total *) : forall X I (U : I -> X -> Prop) d (W C : Type) (t : W -> C) c (M : X
  -> W -> R) rho i x x', is_law (M x) -> (forall y w, M y w <> 0 -> t w = c y) -> U i x -> U i x' -> d x x' <> None -> c
  x <> c x' -> rho i <> None -> ~ zcdp U d rho M. restates kept_unbounded by kept_unbounded_instance. Qed.

(* If T_p satisfies rho_p-DP under d_HamS^p, T_hh satisfies rho_hh-DP under d_HamS^hh with d_HamS^hh <= k d_HamS^p in
   every universe, the universes agree on c, and the second step is a function, random or not, of T_p, T_hh and c alone,
   then both steps together satisfy rho-DP under d_HamS^p with rho^2 = rho_p^2 + k^2 rho_hh^2. *)
Theorem rescaled_zcdp (* topdown.two-steps.two-units *) : forall X I (U : I -> X -> Prop) d (Y : Type) d' k rho (T : X
  -> Y -> R), (forall i, 0 <= rho i) -> (forall i x x' n', U i x -> U i x' -> d' x x' = Some n' -> exists2 n, d x x' =
  Some n & INR n <= INR k * INR n') -> zcdp U d (fun i => Some (rho i)) T -> zcdp U d' (fun i => Some (INR k * rho i))
  T. restates rescaled_zcdp by rescaled_zcdp_instance. Qed.

(* If T_p and T_hh have independent noise and satisfy rho_p-DP and rho_hh-DP in one flavor (X, multiverse, d_X, D_NoR)
   whose universes agree on c, and the second step is a function, random or not, of T_p, T_hh and c alone, then both
   steps together satisfy rho-DP in it with rho^2 = rho_p^2 + rho_hh^2. *)
Theorem diagonal_gaussian_zcdp (* topdown.two-steps *) : forall X I (U : I -> X -> Prop) d q s2 n rho, (forall k, 0 < s2
  k) -> (forall i, 0 <= rho i) -> (forall i x x' m, U i x -> U i x' -> d x x' = Some m -> squared_distance s2 (q x) (q
  x') n <= rho i ^ 2 * INR m ^ 2) -> zcdp U d (fun i => Some (rho i)) (fun x => diagonal_gaussian s2 (q x) (n:=n)).
  restates diagonal_gaussian_zcdp by diagonal_gaussian_zcdp_instance. Qed.
Theorem topdown_zcdp (* topdown.two-steps *) : forall X I (U : I -> X -> Prop) d (C W : Type) (c : X -> C) decC q_p q_hh
  s2_p s2_hh n_p n_hh rho_p rho_hh K (M : X -> W -> R), (forall i x x', U i x -> U i x' -> c x = c x') -> (forall k, 0 <
  s2_p k) -> (forall k, 0 < s2_hh k) -> (forall i, 0 <= rho_p i) -> (forall i, 0 <= rho_hh i) -> (forall i x x' m, U i x
  -> U i x' -> d x x' = Some m -> squared_distance s2_p (q_p x) (q_p x') n_p <= rho_p i ^ 2 * INR m ^ 2) -> (forall i x
  x' m, U i x -> U i x' -> d x x' = Some m -> squared_distance s2_hh (q_hh x) (q_hh x') n_hh <= rho_hh i ^ 2 * INR m ^
  2) -> (forall t, is_law (K t)) -> (forall x, is_mixture (measured decC (fun y => diagonal_gaussian s2_p (q_p y)
  (n:=n_p)) (fun y => diagonal_gaussian s2_hh (q_hh y) (n:=n_hh)) c x) K (M x)) -> zcdp U d (fun i => Some (sqrt (rho_p
  i ^ 2 + rho_hh i ^ 2))) M. restates topdown_zcdp by topdown_zcdp_instance. Qed.

(* If T_p satisfies rho_p-DP under d_HamS^p, T_hh satisfies rho_hh-DP under d_HamS^hh with d_HamS^hh <= k d_HamS^p in
   every universe, the universes agree on c, and the second step is a function, random or not, of T_p, T_hh and c alone,
   then both steps together satisfy rho-DP under d_HamS^p with rho^2 = rho_p^2 + k^2 rho_hh^2. *)
Theorem two_units_zcdp (* topdown.two-steps.two-units *) : forall (X I Y Z C W : Type) (U : I -> X -> Prop) d_p d_hh k
  (T_p : X -> Y -> R) (T_hh : X -> Z -> R) (c : X -> C) rho_p rho_hh decC K (M : X -> W -> R), (forall t u : Y, {t = u}
  + {t <> u}) -> (forall t u : Z, {t = u} + {t <> u}) -> (forall x, is_law (T_p x)) -> (forall x, is_law (T_hh x)) ->
  (forall i, 0 <= rho_p i) -> (forall i, 0 <= rho_hh i) -> (forall i x x', U i x -> U i x' -> c x = c x') -> (forall i x
  x' n', U i x -> U i x' -> d_p x x' = Some n' -> exists2 n, d_hh x x' = Some n & INR n <= INR k * INR n') -> zcdp U d_p
  (fun i => Some (rho_p i)) T_p -> zcdp U d_hh (fun i => Some (rho_hh i)) T_hh -> (forall t, is_law (K t)) -> (forall x,
  is_mixture (measured decC T_p T_hh c x) K (M x)) -> zcdp U d_p (fun i => Some (sqrt (rho_p i ^ 2 + INR k ^ 2 * rho_hh
  i ^ 2))) M. restates two_units_zcdp by two_units_zcdp_instance. Qed.

(* The article: swapping *)

(* d(k) = floor(k!/e + 1/2) for every k >= 1. *)
Theorem der_nearest (* derangements.nearest-integer *) : forall k, (0 < k)%N -> Int_part (INR k`! / exp 1 + / 2) =
  Z.of_nat (der k). restates der_nearest by der_nearest_instance. Qed.

(* The article: census *)

(* Where every person-record names its housing unit, and a household-record is its housing unit with its person-records
   and nothing else: over data sets with the same number of persons and the same housing units (vacant ones among them),
   d_HamS^hh <= 2 d_HamS^p, so a mechanism with budget rho under d_HamS^hh has budget 2 rho (4 rho^2) under d_HamS^p;
   moving one person attains the factor. *)
Theorem household_mechanism (* topdown.household-mechanism *) : forall (U K : finType) n (I Y : Type) universe (rho : I
  -> R) (T : person_data U K n -> Y -> R), (forall i, 0 <= rho i) -> zcdp universe (fun x x' => Some (unordered_distance
  (household_record x) (household_record x'))) (fun i => Some (rho i)) T -> zcdp universe (fun x x' => Some
  (unordered_distance x x')) (fun i => Some (2 * rho i)) T. restates by household_mechanism_instance. Qed.

(* From post-imputation persons to persons with one record each, which imputation duplicates at most m times, the PLB
   (eps or rho) is inflated by 1 + m, where a change of a person's answers changes their record and its duplicates only:
   the record itself counts too (one duplicate doubles rho). *)
Theorem donor_zcdp (* post-imputation.factor *) : forall (I J V : finType) (donor : J -> I) (L Y : Type) m (U : L ->
  {ffun I -> V} -> Prop) (W : L -> {ffun J -> V} -> Prop) (rho : L -> R) (T : {ffun J -> V} -> Y -> R), duplicated donor
  m -> (forall l x, U l x -> W l (completed donor x)) -> (forall l, 0 <= rho l) -> zcdp W (fun z z' => Some
  (unordered_distance z z')) (fun l => Some (rho l)) T -> zcdp U (fun x x' => Some (persons_apart x x')) (fun l => Some
  (INR m.+1 * rho l)) (fun x => T (completed donor x)). restates donor_zcdp by donor_zcdp_instance. Qed.

(* Where data sets of X_CEF at d_HamS^hh = k are the ends of a chain of k + 1 data sets of X_CEF, each a neighbor of the
   next, as where X_CEF is all data sets of possible household-records, a mechanism satisfies (X_CEF, {X_CEF},
   d_r_bs^hh, D_NoR) with budget rho iff it satisfies (X_CEF, {X_CEF}, d_HamS^hh, D_NoR) with it. *)
Theorem chains_zcdp (* topdown.bounded-flavors.chains *) : forall (X Y : Type) (d : X -> X -> option nat) (rho : R) (T :
  X -> Y -> R), (forall x, is_law (T x)) -> has_chains d -> zcdp (everything X) (neighbors_only d) (fun=> Some rho) T
  <-> zcdp (everything X) d (fun=> Some rho) T. restates chains_zcdp by chains_zcdp_instance. Qed.

(* The article: zcdp *)

(* The standard formulation of zCDP, as originally given in Bun and Steinke (2016), uses the square of the normalized
   Renyi metric as its output premetric. *)
Theorem nor_le_iff (* zcdp.standard-parametrization zcdp.standard-parametrization.distances *) : forall (T : Type) (P Q
  : T -> R) (rho : R), 0 <= rho -> nor_le P Q (rho ^ 2) <-> (exists2 r, is_nor P Q r & r <= rho). restates nor_le_iff by
  nor_le_iff_instance. Qed.

(* Note that we reparameterize rho so that D_NoR is a metric. *)
Theorem nor_triangle (* zcdp.metric *) : forall (T : Type) (P Q S : T -> R) (a b : R), is_law P -> is_law Q -> is_law S
  -> is_nor P Q a -> is_nor Q S b -> exists2 c, is_nor P S c & c <= a + b. restates by nor_triangle_instance. Qed.
Theorem nor_symmetric (* zcdp.metric *) : forall (T : Type) (P Q : T -> R) (rho : R), is_nor P Q rho -> is_nor Q P rho.
  restates nor_symmetric by nor_symmetric_instance. Qed.
Theorem nor_zero (* zcdp.metric *) : forall (T : Type) (P Q : T -> R), is_law P -> is_law Q -> is_nor P Q 0 <-> (forall
  t, P t = Q t). restates nor_zero by nor_zero_instance. Qed.

(* For laws with finitely many outcomes D_NoR(P, Q) = oo iff D_Mult(P, Q) = oo, so that P and Q with D_NoR(P, Q) small
   but D_Mult(P, Q) = oo have infinitely many outcomes. *)
Theorem finite_together (* zcdp.finite-laws *) : forall (T : Type) (P Q : T -> R), is_law P -> is_law Q -> let
  nor_finite := exists rho, is_nor P Q rho in let mult_finite := exists epsilon, pure_le epsilon P Q in let listed s :=
  forall t, P t <> 0 \/ Q t <> 0 -> List.In t s in (forall s, listed s -> nor_finite <-> mult_finite) /\ (nor_finite ->
  ~ mult_finite -> ~ (exists s, listed s)). restates by finite_together_instance. Qed.

(* ... following the USCB, we use the formula from Bun and Steinke (2016), eps = rho^2 + 2 rho sqrt(-ln delta), to
   convert from a zCDP budget rho^2 to an approximate DP budget (eps, delta). *)
Theorem nor_approximate (* zcdp.to-approximate *) : forall (T : Type) (P Q : T -> R) (rho delta : R), is_law P -> is_law
  Q -> is_nor P Q rho -> 0 < delta < 1 -> approximate_exp_le (rho ^ 2 + 2 * rho * sqrt (- ln delta)) delta P Q. restates
  nor_approximate by nor_approximate_instance. Qed.
Theorem zcdp_approximate (* zcdp.to-approximate *) : forall (X I Y : Type) U d rho (T : X -> Y -> R) (i : I) x x' n (r
  delta : R), (forall x0, is_law (T x0)) -> zcdp U d rho T -> U i x -> U i x' -> rho i = Some r -> d x x' = Some n -> 0
  < delta < 1 -> approximate_exp_le ((r * INR n) ^ 2 + 2 * (r * INR n) * sqrt (- ln delta)) delta (T x) (T x'). restates
  zcdp_approximate by zcdp_approximate_instance. Qed.

(* f(c) = sum over x in Z of exp(-(x-c)^2/(2 sigma^2)) is largest where c is an integer. *)
Theorem gauss_sum_max (* gaussian.sum-maximal *) : forall s2 c : R, 0 < s2 -> gauss_sum s2 c <= gauss_sum s2 0. restates
  gauss_sum_max by gauss_sum_max_instance. Qed.

(* For every sigma^2 > 0 and every real c the probabilities exp(-(x-c)^2/(2 sigma^2))/f(c) of N_Z(c, sigma^2) sum to 1
   over the integers x, where f(c) is finite: it is a law. *)
Theorem discrete_gaussian_law (* gaussian.law *) : forall s2 c : R, 0 < s2 -> is_law (discrete_gaussian s2 c). restates
  discrete_gaussian_law by discrete_gaussian_law_instance. Qed.

(* For integers m and n and every real a > 1, D_a(N_Z(m, sigma^2)||N_Z(n, sigma^2)) = a (m-n)^2/(2 sigma^2) + ln(f(a m +
   (1-a) n)/f(0))/(a-1). *)
Theorem discrete_gaussian_renyi (* gaussian.real-orders *) : forall (s2 : R) (a b : Z) (alpha : R), 0 < s2 -> 1 < alpha
  -> is_renyi alpha (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b)) (alpha * ((IZR a - IZR b) ^ 2 / (2 *
  s2)) + ln (gauss_sum s2 (alpha * IZR a + (1 - alpha) * IZR b) / gauss_sum s2 0) / (alpha - 1)). restates
  discrete_gaussian_renyi by discrete_gaussian_renyi_instance. Qed.

(* For integers m and a > 1, D_a(N_Z(m, sigma^2)||N_Z(0, sigma^2)) = a m^2/(2 sigma^2). *)
Theorem discrete_gaussian_renyi_integer (* gaussian.renyi-integer *) : forall (s2 : R) (a b n : Z), 0 < s2 -> Z.lt 1 n
  -> is_renyi (IZR n) (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b)) (IZR n * ((IZR a - IZR b) ^ 2 / (2 *
  s2))). restates discrete_gaussian_renyi_integer by discrete_gaussian_renyi_integer_instance. Qed.

(* For every integer m, D_NoR(N_Z(m, sigma^2), N_Z(0, sigma^2))^2 = m^2/(2 sigma^2): D_a <= a m^2/(2 sigma^2) for all
   real a > 1, with equality at a = 2. *)
Theorem discrete_gaussian_renyi_le (* gaussian.zcdp *) : forall (s2 : R) (a b : Z) (alpha : R), 0 < s2 -> 1 < alpha ->
  exists2 d, is_renyi alpha (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b)) d & d <= alpha * ((IZR a - IZR
  b) ^ 2 / (2 * s2)). restates discrete_gaussian_renyi_le by discrete_gaussian_renyi_le_instance. Qed.
Theorem discrete_gaussian_nor (* gaussian.zcdp *) : forall (s2 : R) (a b : Z), 0 < s2 -> is_nor (discrete_gaussian s2
  (IZR a)) (discrete_gaussian s2 (IZR b)) (sqrt ((IZR a - IZR b) ^ 2 / (2 * s2))). restates discrete_gaussian_nor by
  discrete_gaussian_nor_instance. Qed.
Theorem discrete_gaussian_zcdp (* gaussian.zcdp *) : forall X I (U : I -> X -> Prop) d q D (s2 : R), 0 < s2 -> (forall i
  x x' n, U i x -> U i x' -> d x x' = Some n -> Z.le (Z.abs (q x - q x')) (Z.of_nat D * Z.of_nat n)) -> zcdp U d (fun=>
  Some (INR D / sqrt (2 * s2))) (fun x => discrete_gaussian s2 (IZR (q x))). restates discrete_gaussian_zcdp by
  discrete_gaussian_zcdp_instance. Qed.

(* D_a(P||Q) >= 0 for all a > 1 and all laws P and Q. *)
Theorem renyi_ge0 (* renyi.nonnegative *) : forall (T : Type) (alpha : R) (P Q : T -> R) (d : R), 1 < alpha -> is_law P
  -> is_law Q -> is_renyi alpha P Q d -> 0 <= d. restates renyi_ge0 by renyi_ge0_instance. Qed.

(* For all a > 1 Renyi divergences of independent pairs add up: D_a(P x P'||Q x Q') = D_a(P||Q) + D_a(P'||Q'). *)
Theorem renyi_joint (* renyi.independent *) : forall (T T' : Type) (alpha : R) (P Q : T -> R) (P' Q' : T' -> R) (d d' :
  R), (forall t u : T, {t = u} + {t <> u}) -> (forall t u : T', {t = u} + {t <> u}) -> 1 < alpha -> is_law P -> is_law Q
  -> is_law P' -> is_law Q' -> is_renyi alpha P Q d -> is_renyi alpha P' Q' d' -> is_renyi alpha (joint P P') (joint Q
  Q') (d + d'). restates renyi_joint by renyi_joint_instance. Qed.

(* For all a > 1 and every kernel kappa from outcomes to outcomes, D_a(kappa o P||kappa o Q) <= D_a(P||Q). *)
Theorem renyi_processing (* renyi.processing *) : forall (T U : Type) (K : T -> U -> R), (forall t, is_law (K t)) ->
  forall alpha P Q P' Q' d, 1 < alpha -> is_law P -> is_law Q -> is_mixture P K P' -> is_mixture Q K Q' -> is_renyi
  alpha P Q d -> exists2 d', is_renyi alpha P' Q' d' & d' <= d. restates by renyi_processing_instance. Qed.

(* For all a > 1 and k > 1, D_a(P||R) <= ka/(ka-1) D_b(P||Q) + D_ka(Q||R) with b = (ka-1)/(k-1): the triangle inequality
   that Renyi divergences have at the price of larger orders. *)
Theorem renyi_triangle (* renyi.weak-triangle *) : forall (T : Type) (P Q S : T -> R), is_law P -> is_law Q -> is_law S
  -> forall alpha k d e : R, 1 < alpha -> 1 < k -> is_renyi ((k * alpha - 1) / (k - 1)) P Q d -> is_renyi (k * alpha) Q
  S e -> exists2 f, is_renyi alpha P S f & f <= k * alpha / (k * alpha - 1) * d + e. restates renyi_triangle by
  renyi_triangle_instance. Qed.

(* The dissertation: phsafe *)

(* (Sequential composition of zCDP [4]) Let M_1 : X -> Y and M_2 : X -> Z be mechanisms satisfying rho_1-zCDP and
   rho_2-zCDP respectively. *)
Theorem zcdp_composition (* phsafe.composition zcdp.composition *) : forall (X I Y Y' : Type) (U : I -> X -> Prop) d rho
  rho' (T : X -> Y -> R) (T' : X -> Y' -> R), (forall t u : Y, {t = u} + {t <> u}) -> (forall t u : Y', {t = u} + {t <>
  u}) -> (forall x, is_law (T x)) -> (forall x, is_law (T' x)) -> (forall i, 0 <= rho i) -> (forall i, 0 <= rho' i) ->
  zcdp U d (fun i => Some (rho i)) T -> zcdp U d (fun i => Some (rho' i)) T' -> zcdp U d (fun i => Some (sqrt (rho i ^ 2
  + rho' i ^ 2))) (fun x => joint (T x) (T' x)). restates zcdp_composition by zcdp_composition_instance. Qed.

(* (Postprocessing for zCDP [4]) Let M : X -> Y and f : Y -> Z be randomized algorithms. *)
Theorem zcdp_processing (* phsafe.postprocessing zcdp.post-processing *) : forall (X I T U : Type) (universe : I -> X ->
  Prop) d rho K (M : X -> T -> R) (M' : X -> U -> R), (forall t, is_law (K t)) -> (forall x, is_law (M x)) -> (forall x,
  is_mixture (M x) K (M' x)) -> zcdp universe d rho M -> zcdp universe d rho M'. restates zcdp_processing by
  zcdp_processing_instance. Qed.

(* The dissertation: premetrics *)

(* A direct encoding of many common DP formulations in the literature - including the original Definition 2.3.1 of Dwork
   et al. *)
Theorem pure_dp_exponential (* pure.indistinguishability *) : forall F f, embedding f -> forall X I Y U (d : X -> X ->
  option nat) (gamma : I -> option F) (eps : I -> option R) (T : X -> law F Y), (forall i, exponential f (gamma i) (eps
  i)) -> epsilon_dp f U d eps T <-> pure_dp U d gamma T. restates by pure_dp_exponential_instance. Qed.

(* The dissertation: zcdp *)

(* The DP flavor (X, D, d_X, D_NoR) is also ... closed under fresh self-composition. *)
Theorem nor_joint (* zcdp.composition *) : forall (T T' : Type) (P Q : T -> R) (P' Q' : T' -> R) r2 r2', (forall t u :
  T, {t = u} + {t <> u}) -> (forall t u : T', {t = u} + {t <> u}) -> is_law P -> is_law Q -> is_law P' -> is_law Q' ->
  nor_le P Q r2 -> nor_le P' Q' r2' -> nor_le (joint P P') (joint Q Q') (r2 + r2'). restates by nor_joint_instance. Qed.

(* The DP flavor (X, D, d_X, D_NoR) is also immune to post-processing ... *)
Theorem nor_processing (* zcdp.post-processing *) : forall (T U : Type) (K : T -> U -> R), (forall t, is_law (K t)) ->
  forall P Q P' Q' rho, is_law P -> is_law Q -> is_mixture P K P' -> is_mixture Q K Q' -> is_nor P Q rho -> exists2
  rho', is_nor P' Q' rho' & rho' <= rho. restates nor_processing by nor_processing_instance. Qed.

(* PHSafe: phsafe *)

(* All tables in one run satisfy zCDP with the sum of the budgets rho of their levels. *)
Theorem release_zcdp (* phsafe.single-run.zcdp *) : forall (B V : eqType) (view : nat -> seq B -> seq V) level in_cell delta
  rho levels n, (forall j, 0 < rho j) -> (forall j, (0 < delta j)%N) -> (forall k, (level k < levels)%N) ->
  disjoint_cells level in_cell n -> (forall j, stable (delta j) (view j)) -> zcdp (everything (seq B)) (fun s t => Some
  (symdiff s t)) (fun=> Some (sqrt (sum_up rho levels))) (fun b : seq B => diagonal_gaussian (noise delta rho level)
  (fun k => Z.of_nat (counts view level in_cell b k)) (n:=n)). restates release_zcdp by release_zcdp_instance. Qed.

(* Algorithm 1 satisfies rho = sum_{i in [1, omega]} rho_i-zCDP, where omega is the number of population group levels.
   *)
Theorem join_run_zcdp (* phsafe.privacy.join *) : forall (B S U K : eqType) (key : S -> K) key' keys keys' le, uniq keys
  -> uniq keys' -> ssrbool.total le -> transitive le -> antisymmetric le -> forall persons units, stable 1 persons ->
  stable 2 units -> forall rho level levels n, (forall j, 0 < rho j) -> (forall k, (level k < levels)%N) -> forall (tau
  : nat) (in_cell : nat -> pred (S * U)), disjoint_cells level in_cell n -> zcdp (everything (seq B)) (fun b c : seq B
  => Some (symdiff b c)) (fun=> Some (sqrt (sum_up rho levels))) (fun b : seq B => diagonal_gaussian (noise (fun=> (2 *
  tau + 2)%N) rho level) (fun k => Z.of_nat (counts (fun=> (fun x => truncate_and_join key key' keys keys' le tau
  (persons x) (units x))) level in_cell b k)) (n:=n)). restates by join_run_zcdp_instance. Qed.

(* Algorithm 2 is rho = sum_{i in [1, omega]} rho_i-zCDP, where omega is the number of population group levels. *)
Theorem units_run_zcdp (* phsafe.privacy.units *) : forall (B U : eqType) units, stable 2 units -> forall rho level
  levels n, (forall j, 0 < rho j) -> (forall k, (level k < levels)%N) -> forall in_cell : nat -> pred U, disjoint_cells
  level in_cell n -> zcdp (everything (seq B)) (fun b c : seq B => Some (symdiff b c)) (fun=> Some (sqrt (sum_up rho
  levels))) (fun b : seq B => diagonal_gaussian (noise (fun=> 2%N) rho level) (fun k => Z.of_nat (counts (fun=> units)
  level in_cell b k)) (n:=n)). restates units_run_zcdp by units_run_zcdp_instance. Qed.

(* Bun and Steinke (2016): zcdp *)

(* eps-DP implies zCDP with rho^2 = eps^2/2: D_NoR(P, Q)^2 <= D_Mult(P, Q)^2/2. *)
Theorem pure_nor (* zcdp.from-pure *) : forall (T : Type) (P Q : T -> R) (epsilon : R), is_law P -> is_law Q -> 0 <=
  epsilon -> pure_le epsilon P Q -> nor_le P Q (epsilon ^ 2 / 2). restates pure_nor by pure_nor_instance. Qed.

(* What stirred audit --coq and prove --coq rest on, and other readings *)

Theorem mass_law (* prove *) : forall (Y : Type) (dec : forall y y' : Y, {y = y'} + {y <> y'}) (p : program Y), is_law
  (mass dec p). restates mass_law by mass_law_instance. Qed.
Theorem pure_distance_le (* prove *) : forall choice (T : Type) (P Q : law_on T) (e : nneg (reals choice)),
  pure_distance choice T P Q <=e Some e <-> pure_le (nneg_val e : R) (sval P) (sval Q). restates pure_distance_le by
  pure_distance_le_instance. Qed.
Theorem certified_dp (* prove *) : forall choice (S D M M' : Type) near near' start pass last inv inv' (m : M) (m' :
  M') (eps : R) (neighbors : list D -> list D -> Prop), aligned_certificate (S:=S) near start pass last inv m eps ->
  aligned_certificate near' start pass last inv' m' eps -> (forall rs rs' : list D, neighbors rs rs' -> paired near m
  rs rs' /\ paired near' m' rs' rs) -> satisfies (everything (list D)) (neighbors_apart choice neighbors)
  (pure_distance choice (list event)) (fun=> positive_part choice eps) (fun rs => output_law events_dec (on_list start
  pass last rs)). restates certified_dp by certified_dp_instance. Qed.

Theorem at_least_sound (* audit *) : forall k (b : budget) d g, at_least k b d g -> realF g <= exp (epsilon b * realF
  d). restates at_least_sound by at_least_sound_instance. Qed.
Theorem at_most_sound (* audit *) : forall k (b : budget) d g, at_most k b d g -> exp (epsilon b * realF d) <= realF g.
  restates at_most_sound by at_most_sound_instance. Qed.
Theorem multiplicative_le (* audit *) : forall choice Y delta P Q e, event_distance.multiplicative choice delta P Q <=e
  Some e <-> (forall A : {set Y}, of_rat (Pr P A) <= exp (nneg_val e : R) * of_rat (Pr Q A) + of_rat (nneg_val delta) /\
  of_rat (Pr Q A) <= exp (nneg_val e : R) * of_rat (Pr P A) + of_rat (nneg_val delta)). restates multiplicative_le. Qed.
Theorem multiplicative_log (* audit *) : forall choice Y (P Q : law rat_realFieldType Y) e,
  event_distance.multiplicative choice (NNeg (Order.POrderTheory.lexx 0%R)) P Q <=e Some e <-> log_ratio_le of_rat
  (nneg_val e : R) P Q. restates multiplicative_log. Qed.
Theorem total_variation_le (* audit *) : forall choice Y P Q e, total_variation choice P Q <=e Some e <-> (forall A :
  {set Y}, of_rat (Pr P A) - of_rat (Pr Q A) <= (nneg_val e : R) /\ of_rat (Pr Q A) - of_rat (Pr P A) <= (nneg_val e :
  R)). restates total_variation_le. Qed.
Theorem met_sound (* audit *) : forall choice k n ts us d (m : measure) (b : budget) bounds, met k n ts us d m b bounds
  -> audited choice n ts us d m b. restates met_sound by met_sound_instance. Qed.
Theorem exceeded_sound (* audit *) : forall choice k n ts us d (m : measure) (b : budget) i x x' event g, exceeded k n
  ts us d m b i x x' event g -> ~ audited choice n ts us d m b. restates exceeded_sound by exceeded_sound_instance. Qed.
