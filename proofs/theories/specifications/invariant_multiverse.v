From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification invariants.
From Stirred Require Import multiverse pure.

(******************************************************************************)
(* The multiverse that invariants induce: what article sections 2.2 to 2.4    *)
(* say about it beside the numbered propositions.                             *)
(*                                                                            *)
(*   equivalent U d D == U and the domain as one universe are satisfied by    *)
(*            the same mechanisms, at every budget that is one number         *)
(*   varies_nowhere U T == the law of T is constant in every universe         *)
(*   approximate_le g e P Q == P A <= g * Q A + e and Q A <= g * P A + e for  *)
(*            every event A: D_Mult^e(P, Q) <= ln g                           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   universes_partition, adding_refines, inequality_invariant, injective_free*)
(*            == invariants.partition, .adding-refines, .inequality,          *)
(*            .injective                                                      *)
(*   size_invariant == invariants.bounded                                     *)
(*   two_encodings_differ == invariants.two-encodings.varying-budget          *)
(*   nonvacuous_refuted, equivalent_iff == invariants.nonvacuous and its      *)
(*            repair, invariants.nonvacuous.comparable                        *)
(*   plausible_refuted, plausible == invariants.plausibility and its repair   *)
(*   mult_far, approximate_far == output-premetrics.infinite-when-disjoint    *)
(*   induced_universes_refuted, finite_budget_iff == invariants.necessity and *)
(*            its repair                                                      *)
(*   zero_budget_refuted, zero_budget_iff ==                                  *)
(*            invariants.additional-information and its repair                *)
(*   varies_refuted, varies_nowhere_iff == invariants.varies-within and its   *)
(*            repair                                                          *)
(*   loss_may_increase == refinement.loss-may-increase                        *)
(*   infinite_asks_nothing == specification.zero-times-infinity               *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Partition.

Variables (X Y : Type) (c : X -> Y).

Theorem universes_partition :
  (forall x, invariant_universe c x x) /\
  (forall x x' y, invariant_universe c x y -> invariant_universe c x' y ->
     same (invariant_universe c x) (invariant_universe c x')).
Proof.
split=> // x x' y; rewrite /invariant_universe => eq_x eq_x' z.
by rewrite -eq_x -eq_x'.
Qed.

Theorem adding_refines (Z : Type) (f : Y -> Z) :
  refines (invariant_universe c) (invariant_universe (f \o c)).
Proof. by move=> x; exists x => x'; rewrite /invariant_universe => /= ->. Qed.

Theorem inequality_invariant (R : realFieldType) (f : X -> R) x x' :
  invariant_universe (fun x => f x <= 0) x x' <-> (f x' <= 0 <-> f x <= 0).
Proof.
rewrite /invariant_universe; split=> [-> // | [imp imp']].
by apply/idP/idP; [apply: imp | apply: imp'].
Qed.

End Partition.

Section Encodings.

Variables (R : realFieldType) (X L : Type).
Implicit Types (d : premetric R X) (D : premetric R L).

Definition equivalent (I : Type) (U : I -> X -> Prop) d D : Prop :=
  forall (e : ext R) (T : X -> L),
    satisfies U d D (fun _ => e) T <->
    satisfies (everything X) d D (fun _ => e) T.

Theorem infinite_asks_nothing (I : Type) d D (eps : I -> ext R) (T : X -> L)
    i x x' :
  d x x' = oo \/ eps i = oo -> D (T x) (T x') <=e eps i *e d x x'.
Proof. by case=> ->; rewrite ?mule_oo ?oo_mule leoo. Qed.

Theorem injective_free (Y : Type) (c : X -> Y) d D (T : X -> L) :
  injective c -> satisfies (invariant_universe c) d D (fun _ => 0e) T.
Proof.
by move=> c_inj i x x' xU x'U; rewrite (c_inj x x') ?dist_refl ?le0e // xU x'U.
Qed.

Theorem size_invariant (Y : eqType) (size : X -> Y) d D :
  (forall x x', size x <> size x' -> d x x' = oo) ->
  equivalent (invariant_universe size) d D.
Proof.
move=> apart e T; apply: multiverse_in_premetric => // x x' _ not_together.
by apply: apart => eq_size; apply: not_together; exists x'.
Qed.

Theorem equivalent_iff (Y : eqType) (c : X -> Y) d D (P Q : L) :
  D P Q <> 0e ->
  equivalent (invariant_universe c) d D <->
  (forall x x', c x <> c x' -> d x x' = oo).
Proof.
move=> PQ; split=> [equiv x x' /eqP c_x | ]; last exact: size_invariant.
pose T y := if c y == c x then P else Q.
have /equiv sat : satisfies (invariant_universe c) d D (fun _ => 0e) T.
  by move=> i y y' yU y'U; rewrite /T yU y'U dist_refl le0e.
apply/eqP/negPn/negP=> d_fin; apply: PQ.
have := sat tt x x' Logic.I Logic.I; rewrite /T eqxx eq_sym (negbTE c_x).
by rewrite mul0e // => /lee0.
Qed.

(* Separated laws: at budget 0 a mechanism may say what the component says.   *)
Theorem zero_budget_iff (I : Type) (U : I -> X -> Prop) d D (T : X -> L) :
  separated D ->
  satisfies U d D (fun _ => 0e) T <-> component_function U d T.
Proof.
move=> sepD; split=> [sat x x' | T_comp]; last first.
  exact: (component_function_free D id).
elim=> // y z _ -> [_ [d_fin|d_fin] [i yU zU]].
  have := sat i y z yU zU; rewrite mul0e; last exact/eqP.
  by move=> /lee0; apply: sepD.
have := sat i z y zU yU; rewrite mul0e; last exact/eqP.
by move=> /lee0/sepD.
Qed.

Definition varies_nowhere (I : Type) (U : I -> X -> Prop) (T : X -> L) : Prop :=
  forall i x x', U i x -> U i x' -> T x = T x'.

Theorem varies_nowhere_iff (Y : Type) (c : X -> Y) (T : X -> L) :
  varies_nowhere (invariant_universe c) T <->
  (forall x x', c x = c x' -> T x = T x').
Proof.
split=> [nowhere x x' c_x | T_c i x x' xU x'U]; first exact: (nowhere x').
by apply: T_c; rewrite xU x'U.
Qed.

Theorem finite_budget_iff (I : Type) (Y : eqType) (U : I -> X -> Prop)
    (c : X -> Y) d D (point : Y -> L) :
  far_points D point -> (forall x x', d x x' <> oo) ->
  (forall i, exists x, U i x) ->
  (exists2 eps : I -> ext R, forall i, eps i <> oo &
     satisfies U d D eps (fun x => point (c x))) <->
  refines U (invariant_universe c).
Proof.
move=> farD d_fin nonempty; split=> [[eps eps_fin sat] i | refU].
  have [x xU] := nonempty i; exists x => x' x'U; apply/eqP/negPn/negP=> c_x.
  apply: (invariants_cost_points farD x'U xU _ _ _ sat); try exact/eqP.
exists (fun _ => 0e) => //; apply: invariants_free_within => i x x' xU x'U.
by have [y sub] := refU i; rewrite (sub _ xU) (sub _ x'U).
Qed.

End Encodings.

(* Two laws with no outcome in common.                                        *)
Section Far.

Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q : law R Y).

Definition approximate_le (g e : R) P Q : Prop :=
  forall A : {set Y}, Pr P A <= g * Pr Q A + e /\ Pr Q A <= g * Pr P A + e.

Lemma tv1_disjoint P Q y : tv P Q = 1 -> P y != 0 -> Q y = 0.
Proof.
move=> tv1 Py; pose m t := Num.min (P t) (Q t).
have m_ge0 t : 0 <= m t by rewrite /m le_minr !law_ge0.
have distE t : `|P t - Q t| = P t + Q t - m t *+ 2.
  rewrite /m; case: (leP (P t) (Q t)) => [le_PQ | lt_QP].
    rewrite distrC ger0_norm ?subr_ge0 // mulr2n opprD [RHS]addrAC addrA.
    by rewrite subrr add0r [RHS]addrC.
  rewrite ger0_norm ?subr_ge0 ?ltW // mulr2n opprD addrA.
  by rewrite addrK.
have: \sum_t m t = 0.
  move: tv1; rewrite /tv (eq_bigr _ (fun t _ => distE t)) sumrB big_split /=.
  rewrite !law_sum1 sumrMnl -mulr2n -mulrnBl -[X in X / _]mulr_natr mulfK.
    by move=> /(canRL (subKr _)); rewrite subrr.
  by rewrite pnatr_eq0.
move=> /eqP; rewrite psumr_eq0 // => /allP/(_ y (mem_index_enum _)) /= /eqP.
rewrite /m; case: (leP (P y) (Q y)) => // _ Py0.
by rewrite Py0 eqxx in Py.
Qed.

Theorem mult_far g P Q : tv P Q = 1 -> ~ mult_le g P Q.
Proof.
move=> tv1 /mult_leP le_PQ; have [y Py] := law_witness P.
have [+ _] := le_PQ y; rewrite (tv1_disjoint tv1 Py) mulr0 => Py_le0.
by move: Py; rewrite eq_le Py_le0 law_ge0.
Qed.

Theorem approximate_far g e P Q :
  e < 1 -> tv P Q = 1 -> ~ approximate_le g e P Q.
Proof.
move=> e_lt1 tv1 /(_ [set y | P y != 0])[+ _].
have -> : Pr Q [set y | P y != 0] = 0.
  by apply: big1 => y; rewrite inE; apply: tv1_disjoint.
have -> : Pr P [set y | P y != 0] = 1.
  rewrite -(law_sum1 P) /Pr (bigID (fun y => P y != 0) predT) /=.
  rewrite [X in _ = _ + X]big1 ?addr0 => [|y /negPn/eqP] //.
  by apply: eq_bigl => y; rewrite inE.
by rewrite mulr0 add0r leNgt e_lt1.
Qed.

(* Within a universe no output of a pure mechanism gives a data set away.     *)
Theorem plausible (X : Type) (U : X -> X -> Prop) (d : X -> X -> option nat)
    (gamma : X -> option R) (T : X -> law R Y) :
  (forall x, U x x) -> (forall x, gamma x <> None) ->
  (forall x x', d x x' <> None) -> pure_dp U d gamma T ->
  forall x x' y, U x x' -> T x y = 0 <-> T x' y = 0.
Proof.
move=> own gamma_fin d_fin dpT x x' y x'U.
have := dpT x x x' (own x) x'U; case: (gamma x) (gamma_fin x) => // g _.
case: (d x x') (d_fin x x') => // n _ /mult_leP/(_ y)[le_x le_x'].
split=> [x0 | x'0]; apply/eqP; rewrite eq_le law_ge0 andbT.
  by rewrite x0 mulr0 in le_x'.
by rewrite x'0 mulr0 in le_x.
Qed.

End Far.

(* Counterexamples on two and three points.                                   *)
Section Counterexamples.

Variable R : realFieldType.

Definition unit_distance (X : eqType) : premetric R X :=
  of_matrix (fun _ _ => 1e).

Definition no_distance (X : eqType) : premetric R X :=
  of_matrix (fun _ _ => oo).

Lemma no_distance_satisfies (X : eqType) (L I : Type) (U : I -> X -> Prop)
    (D : premetric R L) (eps : I -> ext R) (T : X -> L) :
  satisfies U (no_distance X) D eps T.
Proof.
move=> i x x' _ _; rewrite [dist _ x x']/= /off_diagonal.
by case: (eqVneq x x') => [->|_]; rewrite ?mule_oo ?leoo ?dist_refl ?le0e.
Qed.

Lemma unit_distance_metric (X : eqType) : is_metric (unit_distance X).
Proof.
split=> [x y | x y | x y z]; rewrite /= /off_diagonal.
- by rewrite eq_sym.
- by case: eqP => // _ [/eqP]; rewrite eqr_nat.
case: (eqVneq x z) => [_|x_z]; first exact: le0e.
have [<- | _] := eqVneq x y; first by rewrite (negbTE x_z) add0e leexx.
by case: (y == z); rewrite ?adde0 ?leexx // -natxD lee_nat.
Qed.

Theorem nonvacuous_refuted :
  ~ (forall (X L : Type) (Y : eqType) (c : X -> Y) (d : premetric R X)
            (D : premetric R L) (x x' : X),
       is_metric D -> c x <> c x' -> ~ equivalent (invariant_universe c) d D).
Proof.
move=> /(_ _ _ _ id (no_distance bool_eqType) (unit_distance bool_eqType)).
move=> /(_ true false) nonvacuous.
case: nonvacuous => // [|e T]; first exact: unit_distance_metric.
by split=> _; apply: no_distance_satisfies.
Qed.

Theorem zero_budget_refuted :
  ~ (forall (X L Y : Type) (c : X -> Y) (d : premetric R X)
            (D : premetric R L) (T : X -> L),
       is_metric D -> ~ (forall x x', c x = c x' -> T x = T x') ->
       ~ satisfies (invariant_universe c) d D (fun _ => 0e) T).
Proof.
move=> /(_ bool bool unit (fun _ => tt) (no_distance _) (unit_distance _) id).
case; first exact: unit_distance_metric.
  by move=> /(_ true false erefl).
exact: no_distance_satisfies.
Qed.

Theorem induced_universes_refuted :
  ~ (forall (X L I : Type) (Y : eqType) (U : I -> X -> Prop) (c : X -> Y)
            (d : premetric R X) (D : premetric R L) (point : Y -> L)
            (eps : I -> ext R),
       far_points D point -> (forall x x', d x x' <> oo) ->
       (forall i, exists x, U i x) -> (forall x, exists i, U i x) ->
       (forall i, eps i <> oo) ->
       satisfies U d D eps (fun x => point (c x)) ->
       same_multiverse U (invariant_universe c)).
Proof.
move=> /(_ bool unit bool _ (fun i x => x = i) (fun _ => tt)).
move=> /(_ (unit_distance bool_eqType) (no_distance unit_eqType) id).
move=> /(_ (fun _ => 0e)) induced; case: induced.
- by case=> [] [].
- by move=> x x'; rewrite /= /off_diagonal; case: eqP.
- by move=> i; exists i.
- by move=> x; exists x.
- by [].
- by move=> i x x' _ _; rewrite dist_refl le0e.
by move=> /(_ true)[x /(_ false)[_ /(_ erefl)]].
Qed.

Theorem varies_refuted :
  ~ (forall (X L Y : Type) (c : X -> Y) (T : X -> L),
       ~ (forall x x', T x = T x') ->
       ~ (forall x x', T x = T x' <-> c x = c x') ->
       ~ varies_nowhere (invariant_universe c) T).
Proof.
move=> /(_ _ _ _ (id : option bool -> option bool) isSome) varies.
apply: varies => [const | equiv | i x x' -> ->] //.
  by have := const None (Some true).
by have [+ _] := equiv (Some true) (Some false); move=> /(_ erefl).
Qed.

Theorem plausible_refuted :
  ~ (forall (X : Type) (Y : finType) (U : X -> X -> Prop)
            (d : X -> X -> option nat) (gamma : X -> option R)
            (T : X -> law R Y),
       (forall x, gamma x <> None) -> (forall x x', d x x' <> None) ->
       pure_dp U d gamma T ->
       forall x x' y, U x x' -> T x y = 0 <-> T x' y = 0).
Proof.
move=> /(_ bool bool_finType (fun x x' => x' = negb x)).
move=> /(_ (fun _ _ => Some 0%N) (fun _ => Some 1) dirac) plausible.
have [] // := plausible _ _ _ true false true erefl.
  by move=> i x x' -> ->; apply: mult_le_refl.
rewrite !diracE eqxx /= => _ /(_ erefl)/eqP.
by rewrite oner_eq0.
Qed.

(* The invariant separates the two data sets; without it the loss is 1.       *)
Theorem loss_may_increase :
  exists (X L : Type) (d : premetric R X) (D : premetric R L) (T : X -> L)
         (c : X -> bool) (c' : X -> unit) (f : bool -> unit) (x : X)
         (l l' : ext R),
    [/\ forall x, c' x = f (c x),
        is_inf (losses d D T (invariant_universe c) x) l,
        is_inf (losses d D T (invariant_universe c') x) l' &
        l <=e l' /\ l <> l'].
Proof.
exists bool, bool, (unit_distance bool_eqType), (unit_distance bool_eqType), id.
exists id, (fun _ => tt), (fun _ => tt), true, 0e, 1e; split=> //.
- split=> [a _ | b low]; first exact: le0e.
  apply: low; exists (fun _ => 0e) => //.
  exact: (injective_free (c := id)).
- split=> [a [eps sat <-] | b low].
    by have := sat true true false erefl erefl; rewrite mule1.
  apply: low; exists (fun _ => 1e) => // i x x' _ _.
  by rewrite mul1e leexx.
by split=> [|[/eqP]]; rewrite ?le0e // eqr_nat.
Qed.

(* Budgets 1 and 2 on two universes are no single budget.                     *)
Theorem two_encodings_differ :
  exists (X L : Type) (c : X -> bool) (d : premetric R X) (D : premetric R L)
         (eps : X -> ext R),
    (forall x x', c x = c x' -> eps x = eps x') /\
    forall e : ext R,
      ~ (forall T : X -> L,
           satisfies (invariant_universe c) d D eps T <->
           satisfies (everything X) (invariant_premetric c d) D (fun _ => e) T).
Proof.
pose eps (x : bool * bool) : ext R := if x.1 then natx 2 else 1e.
exists (bool * bool)%type, 'I_3, fst, (unit_distance _), (gap_distance R), eps.
split=> [x x' eq_c | e same_T]; first by rewrite /eps eq_c.
pose T (b : bool) (x : bool * bool) : 'I_3 :=
  inord (if (x.1 == b) && x.2 then 2 else 0)%N.
have gapT b x x' : gap_distance R (T b x) (T b x') <=e natx 2.
  rewrite [dist _ _ _]/= /gap lee_nat /T.
  by do 2![case: ifP => _]; rewrite !inordK.
have gap_far b : gap_distance R (T b (b, true)) (T b (b, false)) = natx 2.
  by rewrite [dist _ _ _]/= /gap /T /= eqxx !inordK.
have unit1 b : unit_distance _ (b, true) (b, false) = 1e.
  by rewrite [dist _ _ _]/= /off_diagonal xpair_eqE andbF.
have sat_true : satisfies (invariant_universe fst) (unit_distance _)
    (gap_distance R) eps (T true).
  move=> i x x' xU x'U; rewrite [dist (unit_distance _) x x']/= /off_diagonal.
  case: (eqVneq x x') => [-> | _]; first by rewrite dist_refl le0e.
  rewrite mule1 /eps; case: ifP => i1; first exact: gapT.
  by rewrite /T xU x'U i1 dist_refl le0e.
have le2e : natx 2 <=e e.
  have := (same_T (T true)).1 sat_true tt (true, true) (true, false).
  rewrite gap_far [dist (invariant_premetric _ _) _ _]/= /apart_unless_equal.
  by rewrite eqxx unit1 mule1; apply.
have sat_false : satisfies (everything _) (invariant_premetric fst
    (unit_distance _)) (gap_distance R) (fun _ => e) (T false).
  move=> _ x x' _ _; rewrite [dist (invariant_premetric _ _) _ _]/=.
  rewrite /apart_unless_equal; case: ifP => _; last by rewrite mule_oo leoo.
  rewrite [dist (unit_distance _) x x']/= /off_diagonal.
  case: (eqVneq x x') => [-> | _]; first by rewrite dist_refl le0e.
  by rewrite mule1; apply: lee_trans (gapT _ _ _) le2e.
have := (same_T (T false)).2 sat_false (false, true) (false, true).
move=> /(_ (false, false) erefl erefl).
by rewrite gap_far unit1 mule1 /eps lee_nat.
Qed.

End Counterexamples.
