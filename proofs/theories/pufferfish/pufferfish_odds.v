From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure conjectures.

(******************************************************************************)
(* What Pufferfish says of an attacker's odds (dissertation section 5.8 and   *)
(* appendix C.5.9), on finite spaces, with gamma = e^epsilon; and, beside it, *)
(* laws as functions of seeds (C.5.6 to C.5.8).                               *)
(*                                                                            *)
(*   event_posterior M a t E == P_a(X in E | T = t)                           *)
(*   odds_ratio M a t E E' == the posterior odds of E against E' over their   *)
(*            prior odds; x / 0 = 0 makes it 0 where an odds has no value     *)
(*   odds_near g r == g^-1 <= r <= g, which no ratio 0 meets                  *)
(*   level_of Z z == the event that Z is z                                    *)
(*   level_pairs Z == the pairs of these events                               *)
(*   in_ratio_neighborhood g f h == the density ratio metric of f and h is at *)
(*            most ln g: they have the same null points, and the ratio of the *)
(*            ratios is at most g at any two others                           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   pufferfish_odds == (5.17) and Proposition 19                             *)
(*   pufferfish_density_ratio == Theorem 5.8.4, both directions, for a        *)
(*            partition into events                                           *)
(*   provision_seeds == (5.15), Proposition 18 on finite seeds                *)
(*   privatised_seeds == Proposition 17 on finite seeds                       *)
(*   no_loss_seeds_refuted == Proposition 15, III without II: the function of *)
(*            the seed may depend on the data set where its law does not      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Posterior.

Variables (R : realFieldType) (X T : finType) (M : X -> law R T).
Implicit Types (a : law R X) (E : {set X}) (t : T).

Definition event_posterior a t E : R :=
  (\sum_(x in E) a x * M x t) / provided M a t.

Definition odds_ratio a t E E' : R :=
  event_posterior a t E / event_posterior a t E' / (Pr a E / Pr a E').

Lemma event_joint_ge0 a t E : 0 <= \sum_(x in E) a x * M x t.
Proof. by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?law_ge0. Qed.

Lemma providedE a t E : 0 < Pr a E ->
  provided M (condP a E) t = (\sum_(x in E) a x * M x t) / Pr a E.
Proof.
move=> E_gt0; rewrite bindE mulr_suml [RHS]big_mkcond /=.
apply: eq_bigr => x _; rewrite condPE //.
by case: (x \in E); rewrite ?mulr1 ?mulr0 ?mul0r // mulrAC.
Qed.

(* The posterior odds over the prior odds are the likelihood ratio.           *)
Lemma odds_ratioE a t E E' :
  0 < Pr a E -> 0 < Pr a E' -> provided M a t != 0 ->
  odds_ratio a t E E' =
    provided M (condP a E) t / provided M (condP a E') t.
Proof.
move=> E_gt0 E'_gt0 m_n0; rewrite !providedE // /odds_ratio /event_posterior.
set q := \sum_(x in E) _; set q' := \sum_(x in E') _.
have -> : q / provided M a t / (q' / provided M a t) = q / q'.
  by rewrite invf_div mulrA divfK.
by rewrite !invf_div !mulf_div; congr (_ / _); rewrite mulrC.
Qed.

Lemma event_joint_null a t E :
  provided M a t = 0 -> \sum_(x in E) a x * M x t = 0.
Proof.
rewrite bindE => /eqP; rewrite psumr_eq0 => [/allP m0|x _]; last first.
  by rewrite mulr_ge0 ?law_ge0.
by rewrite big1 // => x _; apply/eqP/m0/mem_index_enum.
Qed.

End Posterior.

Arguments event_posterior {R X T} M a t E.
Arguments odds_ratio {R X T} M a t E E'.

Definition odds_near (R : realFieldType) (g r : R) : bool := g^-1 <= r <= g.

Definition level_of (X W : finType) (Z : X -> W) (z : W) : {set X} :=
  Z @^-1: [set z].

Definition level_pairs (X W : finType) (Z : X -> W) (E E' : {set X}) : Prop :=
  exists z z', E = level_of Z z /\ E' = level_of Z z'.

Definition in_ratio_neighborhood (R : realFieldType) (W : finType) (g : R)
    (f h : W -> R) : Prop :=
  (forall z, (f z == 0) = (h z == 0)) /\
  forall z z', h z != 0 -> h z' != 0 -> f z / f z' / (h z / h z') <= g.

Section Odds.

Variables (R : realFieldType) (X T : finType).
Variables (D : law R X -> Prop) (S : {set X} -> {set X} -> Prop).
Variables (d : law R X -> law R X -> option nat) (g : R) (M : X -> law R T).
Hypothesis d_path : is_step_distance (competing D S) d.
Hypothesis g_ge1 : 1 <= g.

Let g_gt0 : 0 < g. Proof. exact: lt_le_trans ltr01 g_ge1. Qed.

Lemma odds_nearP (p q : R) : 0 <= p -> 0 <= q ->
  odds_near g (p / q) <-> [/\ 0 < q, p <= g * q & q <= g * p].
Proof.
move=> p_ge0 q_ge0; have [->|q_n0] := eqVneq q 0.
  rewrite /odds_near invr0 mulr0 invr_le0 leNgt g_gt0.
  by split=> // -[]; rewrite ltxx.
have q_gt0 : 0 < q by rewrite lt_neqAle eq_sym q_n0.
rewrite /odds_near ler_pdivl_mulr // ler_pdivr_mull // ler_pdivr_mulr //.
by split=> [/andP[low up] | [_ up low]]; [split | apply/andP; split].
Qed.

Theorem pufferfish_odds :
  pufferfish d g M <->
  forall a E E', D a -> S E E' -> 0 < Pr a E -> 0 < Pr a E' ->
    exists2 Ts : {set T},
      Pr (provided M (condP a E)) (~: Ts) = 0 /\
      Pr (provided M (condP a E')) (~: Ts) = 0 &
      forall t, t \in Ts -> odds_near g (odds_ratio M a t E E').
Proof.
apply: iff_trans (pufferfish_competing M d_path g_ge1) _.
split=> [le_M a E E' Da SE E_gt0 E'_gt0 | odds a E E' Da SE E_gt0 E'_gt0].
  have /mult_leP le_g := le_M _ _ _ Da SE E_gt0 E'_gt0.
  pose Ts := [set t | provided M (condP a E') t != 0].
  have null t : t \notin Ts ->
      provided M (condP a E) t = 0 /\ provided M (condP a E') t = 0.
    rewrite inE negbK => /eqP q0; split=> //; have [] := le_g t.
    by rewrite q0 mulr0 => le0 _; apply/eqP; rewrite eq_le le0 law_ge0.
  exists Ts.
    by split; rewrite /Pr big1 // => t; rewrite inE => /null[].
  move=> t; rewrite inE => q_n0; have [up low] := le_g t.
  have m_n0 : provided M a t != 0.
    apply: contraNneq q_n0 => m0.
    by rewrite providedE // event_joint_null // mul0r.
  rewrite odds_ratioE //; apply/odds_nearP; rewrite ?law_ge0 //.
  by split=> //; rewrite lt_neqAle eq_sym q_n0 law_ge0.
have [Ts [null null'] within_g] := odds _ _ _ Da SE E_gt0 E'_gt0.
apply/mult_leP => t; have [tTs|tTs] := boolP (t \in Ts); last first.
  have zero (P : law R T) : Pr P (~: Ts) = 0 -> P t = 0.
    move=> /eqP; rewrite Pr_eq0 => /forallP/(_ t).
    by rewrite inE tTs => /eqP.
  by rewrite (zero _ null) (zero _ null') mulr0.
have := within_g t tTs; have [m0|m_n0] := eqVneq (provided M a t) 0.
  by rewrite /odds_ratio /event_posterior m0 invr0 !mulr0 !mul0r /odds_near
             invr_le0 leNgt g_gt0.
rewrite odds_ratioE // => /odds_nearP[]; rewrite ?law_ge0 //.
Qed.

End Odds.

Section DensityRatio.

Variables (R : realFieldType) (X T W : finType) (Z : X -> W).
Variables (D : law R X -> Prop).
Variables (d : law R X -> law R X -> option nat) (g : R) (M : X -> law R T).
Hypothesis d_path : is_step_distance (competing D (level_pairs Z)) d.
Hypothesis g_ge1 : 1 <= g.

Let g_gt0 : 0 < g. Proof. exact: lt_le_trans ltr01 g_ge1. Qed.

Let joint (a : law R X) t z := \sum_(x in level_of Z z) a x * M x t.

Let joint_sum (a : law R X) t : \sum_z joint a t z = provided M a t.
Proof.
rewrite bindE (partition_big Z predT) //=.
by apply: eq_bigr => z _; apply: eq_bigl => x; rewrite !inE.
Qed.

Let Pr_eq0_joint (a : law R X) t z : Pr a (level_of Z z) = 0 -> joint a t z = 0.
Proof.
move=> /eqP; rewrite Pr_eq0 => /forallP a0; rewrite /joint big1 // => x xz.
by have := a0 x; rewrite xz => /eqP->; rewrite mul0r.
Qed.

Theorem pufferfish_density_ratio :
  pufferfish d g M <->
  forall a, D a -> forall t, 0 < provided M a t ->
    in_ratio_neighborhood g (fun z => event_posterior M a t (level_of Z z))
                            (fun z => Pr a (level_of Z z)).
Proof.
apply: iff_trans (pufferfish_competing M d_path g_ge1) _.
split=> [le_M a Da t m_gt0 | ratios a E E' Da [z [z' [-> ->]]] z_gt0 z'_gt0].
  have m_n0 : provided M a t != 0 by rewrite gt_eqF.
  have le_g z z' : Pr a (level_of Z z) != 0 -> Pr a (level_of Z z') != 0 ->
      joint a t z / Pr a (level_of Z z) <=
      g * (joint a t z' / Pr a (level_of Z z')).
    move=> z_n0 z'_n0.
    have z_gt0 : 0 < Pr a (level_of Z z).
      by rewrite lt_neqAle eq_sym z_n0 Pr_ge0.
    have z'_gt0 : 0 < Pr a (level_of Z z').
      by rewrite lt_neqAle eq_sym z'_n0 Pr_ge0.
    have lev : level_pairs Z (level_of Z z) (level_of Z z') by exists z, z'.
    have /mult_leP/(_ t)[] := le_M _ _ _ Da lev z_gt0 z'_gt0.
    by rewrite !providedE.
  have same z : (joint a t z == 0) = (Pr a (level_of Z z) == 0).
    apply/eqP/eqP => [joint0|]; last exact: Pr_eq0_joint.
    apply/eqP; apply: contraTT m_gt0 => z_n0.
    rewrite -joint_sum big1 ?ltxx // => z' _.
    have [|z'_n0] := eqVneq (Pr a (level_of Z z')) 0.
      exact: Pr_eq0_joint.
    have := le_g _ _ z'_n0 z_n0; rewrite joint0 mul0r mulr0.
    rewrite ler_pdivr_mulr ?mul0r; last first.
      by rewrite lt_neqAle eq_sym z'_n0 Pr_ge0.
    by move=> le0; apply/eqP; rewrite eq_le le0 event_joint_ge0.
  split=> [z | z z' z_n0 z'_n0].
    by rewrite /event_posterior mulf_eq0 invr_eq0 (negbTE m_n0) orbF same.
  have z_gt0 : 0 < Pr a (level_of Z z).
    by rewrite lt_neqAle eq_sym z_n0 Pr_ge0.
  have z'_gt0 : 0 < Pr a (level_of Z z').
    by rewrite lt_neqAle eq_sym z'_n0 Pr_ge0.
  rewrite -/(odds_ratio M a t _ _) odds_ratioE // !providedE //.
  rewrite ler_pdivr_mulr; first exact: le_g.
  rewrite divr_gt0 // lt_neqAle event_joint_ge0 andbT eq_sym.
  by rewrite -/(joint a t z') same.
apply/mult_leP => t.
have [m0|m_n0] := eqVneq (provided M a t) 0.
  by rewrite !providedE // !event_joint_null // !mul0r mulr0.
have m_gt0 : 0 < provided M a t by rewrite lt_neqAle eq_sym m_n0 law_ge0.
have [same le_g] := ratios a Da t m_gt0.
have joint_gt0 y : 0 < Pr a (level_of Z y) ->
    0 < provided M (condP a (level_of Z y)) t.
  move=> y_gt0; rewrite providedE // divr_gt0 // lt_neqAle event_joint_ge0.
  rewrite andbT eq_sym; have := same y.
  by rewrite /event_posterior mulf_eq0 invr_eq0 (negbTE m_n0) orbF => ->; rewrite gt_eqF.
have le_odds y y' : 0 < Pr a (level_of Z y) -> 0 < Pr a (level_of Z y') ->
    provided M (condP a (level_of Z y)) t <=
    g * provided M (condP a (level_of Z y')) t.
  move=> y_gt0 y'_gt0; have := le_g y y'; rewrite !gt_eqF // => /(_ isT isT).
  rewrite -/(odds_ratio M a t _ _) odds_ratioE //.
  by rewrite ler_pdivr_mulr // joint_gt0.
by split; apply: le_odds.
Qed.

End DensityRatio.

(* Laws as seeds                                                              *)

Section Seeds.

Variables (R : realFieldType) (X T U V : finType).
Variables (P : law R U) (Q : law R V) (M : X -> V -> T).

Theorem provision_seeds (G : U -> X) :
  map_law (fun uv => M (G uv.1) uv.2) (prod_law P Q) =
  provided (fun x => map_law (M x) Q) (map_law G P).
Proof.
apply: eq_law => t; rewrite /provided /map_law bindA !bindE.
transitivity (\sum_u \sum_v prod_law P Q (u, v) * dirac (M (G u) v) t).
  by rewrite pair_bigA; apply: eq_bigr => -[].
apply: eq_bigr => u _; rewrite dirac_bind bindE mulr_sumr.
by apply: eq_bigr => v _; rewrite prod_lawE mulrA.
Qed.

Theorem privatised_seeds (theta : law R X) :
  map_law (fun xv => M xv.1 xv.2) (prod_law theta Q) =
  provided (fun x => map_law (M x) Q) theta.
Proof.
apply: eq_law => t; rewrite /provided /map_law !bindE.
transitivity (\sum_x \sum_v prod_law theta Q (x, v) * dirac (M x v) t).
  by rewrite pair_bigA; apply: eq_bigr => -[].
apply: eq_bigr => x _; rewrite bindE mulr_sumr.
by apply: eq_bigr => v _; rewrite prod_lawE mulrA.
Qed.

End Seeds.

(* A law that is the same may come from another function of the seed.         *)

Theorem no_loss_seeds_refuted (R : realFieldType) :
  let U : law R [finType of bool] := uniform_on true setT in
  exists2 M : bool -> bool -> bool,
    forall x x', map_law (M x) U = map_law (M x') U &
    ~ exists M' : bool -> bool, forall x u, M x u = M' u.
Proof.
move=> U; exists addb; last first.
  by case=> M' eqM; have := eqM true true; rewrite -(eqM false true).
have map_U x : map_law (addb x) U = U.
  apply: eq_law => t; rewrite map_lawE.
  have -> : [set u | x (+) u == t] = [set x (+) t].
    by apply/setP=> u; rewrite !inE; case: x; case: u; case: t.
  by rewrite Pr1 !uniform_on_in ?inE.
by move=> x x'; rewrite !map_U.
Qed.
