From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure.

(******************************************************************************)
(* Intervals of measures: pure differential privacy says that the law of the  *)
(* output at one data set lies in an interval around its law at another.      *)
(* Measures on a finite set are given by their masses mu : Y -> R.            *)
(*                                                                            *)
(*   nonneg mu == no mass is negative, mu is a measure                        *)
(*   weight mu A == the measure \sum_(t in A) mu t of the event A             *)
(*   in_interval L U mu == L <= mu <= U on every event: mu lies in I(L, U)    *)
(*            (dissertation Definition 5.3.1)                                 *)
(*   is_density nu f mu == mu A is the integral of f over A by nu             *)
(*   dominated nu mu == mu << nu                                              *)
(*   between_densities l u f == l <= f <= u: f lies in I(l, u)                *)
(*   near_measures g mu nu == D_Mult(mu, nu) <= ln g; on laws it is mult_le   *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   in_interval_masses, density_bounded == dissertation Proposition 14       *)
(*   interval_iff_near, interval_near, near_interval == its Lemma 5.3.4       *)
(*   pure_dp_iff_intervals == its Theorem 5.3.5, I and III                    *)
(*   pure_dp_iff_densities == its Theorem 5.3.5, I and IV                     *)
(*   pure_dp_iff_neighbors == its Theorem 5.3.5, I and II: group privacy      *)
(*   pure_dp_neighbors == I implies II for every distance, but                *)
(*   neighbors_group_privacy_refuted == II does not imply I without           *)
(*            Assumption 5.3.3                                                *)
(*   zero_loss == dissertation Proposition 15, I and III                      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Measures.

Variables (R : realFieldType) (Y : finType).
Implicit Types (mu nu L U : Y -> R) (A : {set Y}) (a b g : R).

Definition nonneg mu : Prop := forall t, 0 <= mu t.

Definition weight mu A : R := \sum_(t in A) mu t.

Definition in_interval L U mu : Prop :=
  forall A, weight L A <= weight mu A <= weight U A.

Definition near_measures g mu nu : Prop :=
  forall A, weight mu A <= g * weight nu A /\ weight nu A <= g * weight mu A.

Lemma weight_scale a mu A : weight (fun t => a * mu t) A = a * weight mu A.
Proof. by rewrite /weight mulr_sumr. Qed.

Lemma weight_ge0 mu A : nonneg mu -> 0 <= weight mu A.
Proof. by move=> mu_ge0; apply: sumr_ge0. Qed.

(* On a finite set: a measure lies between L and                              *)
(* U on every event exactly if its masses lie between theirs.                 *)
Lemma in_interval_masses L U mu :
  in_interval L U mu <-> forall t, L t <= mu t <= U t.
Proof.
split=> [between t | between A]; first by have := between [set t];
  rewrite /weight !big_set1.
by apply/andP; split; apply: ler_sum => t _; have /andP[] := between t.
Qed.

(* Dissertation Proposition 14: intervals of measures that nu dominates are   *)
(* those of densities, here masses divided by those of nu.                    *)
Definition is_density nu f mu : Prop :=
  forall A, weight mu A = \sum_(t in A) f t * nu t.

Definition dominated nu mu : Prop :=
  forall A, weight nu A = 0 -> weight mu A = 0.

Definition between_densities (l u f : Y -> R) : Prop :=
  forall t, l t <= f t <= u t.

Theorem density_bounded nu L U :
  nonneg nu -> nonneg L -> (forall A, weight L A <= weight U A) ->
  dominated nu U ->
  exists l u, [/\ is_density nu l L, is_density nu u U,
    forall t, l t <= u t,
    forall mu, in_interval L U mu ->
      exists2 f, is_density nu f mu & between_densities l u f &
    forall f mu, is_density nu f mu -> between_densities l u f ->
      in_interval L U mu].
Proof.
move=> nu_ge0 L_ge0 le_LU domU.
have le_masses t : L t <= U t.
  by have := le_LU [set t]; rewrite /weight !big_set1.
have massP mu A : in_interval L U mu ->
    weight mu A = \sum_(t in A) mu t / nu t * nu t.
  move=> /in_interval_masses between; apply: eq_bigr => t _.
  have [nu0 | nu_n0] := eqVneq (nu t) 0; last by rewrite divfK.
  have := domU [set t]; rewrite /weight !big_set1 nu0 mulr0 => /(_ erefl) U0.
  apply/le_anti; have := between t; rewrite U0 => /andP[Lt ->].
  by rewrite (le_trans (L_ge0 t)).
have inL : in_interval L U L by move=> A; rewrite lexx le_LU.
have inU : in_interval L U U by move=> A; rewrite lexx le_LU.
have le_div a b t : a <= b -> a / nu t <= b / nu t.
  by move=> le_ab; rewrite ler_wpmul2r ?invr_ge0.
exists (fun t => L t / nu t), (fun t => U t / nu t); split.
- by move=> A; apply: massP.
- by move=> A; apply: massP.
- by move=> t; apply: le_div.
- move=> mu mu_in; exists (fun t => mu t / nu t) => [A | t]; first exact: massP.
  by have /in_interval_masses/(_ t)/andP[] := mu_in => *; rewrite !le_div.
move=> f mu fE f_in A; rewrite fE !massP //.
by apply/andP; split; apply: ler_sum => t _; rewrite ler_wpmul2r //;
  case/andP: (f_in t).
Qed.

(* Dissertation Lemma 5.3.4: nu lies between mu / g and g mu exactly if the   *)
(* multiplicative distance of mu and nu is at most ln g.                      *)
Theorem interval_iff_near g mu nu :
  0 < g ->
  in_interval (fun t => g^-1 * mu t) (fun t => g * mu t) nu <->
  near_measures g mu nu.
Proof.
move=> g_gt0; split=> between A; have := between A; rewrite !weight_scale.
  by rewrite ler_pdivr_mull // => /andP[].
by rewrite ler_pdivr_mull // => -[-> ->].
Qed.

(* Its first consequence: between a mu and b mu, with a <= 1 <= b, the        *)
(* distance is at most the larger of -ln a and ln b.                          *)
Theorem interval_near a b mu nu :
  0 < a -> nonneg mu -> nonneg nu ->
  in_interval (fun t => a * mu t) (fun t => b * mu t) nu ->
  near_measures (Num.max a^-1 b) mu nu.
Proof.
move=> a_gt0 mu_ge0 nu_ge0 between A; have := between A.
rewrite !weight_scale => /andP[le_a le_b]; split.
  apply: le_trans (_ : a^-1 * weight nu A <= _).
    by rewrite ler_pdivl_mull.
  by apply: ler_wpmul2r; rewrite ?weight_ge0 // le_maxr lexx.
apply: le_trans le_b (ler_wpmul2r (weight_ge0 A mu_ge0) _).
by rewrite le_maxr lexx orbT.
Qed.

(* Its second consequence: at a distance of at most the smaller of -ln a and  *)
(* ln b, nu lies between a mu and b mu.                                       *)
Theorem near_interval a b mu nu :
  0 < a -> nonneg mu -> nonneg nu -> near_measures (Num.min a^-1 b) mu nu ->
  in_interval (fun t => a * mu t) (fun t => b * mu t) nu.
Proof.
move=> a_gt0 mu_ge0 nu_ge0 near A; have [le_mu le_nu] := near A.
rewrite !weight_scale; apply/andP; split.
  rewrite -ler_pdivl_mull //.
  apply: le_trans le_mu (ler_wpmul2r (weight_ge0 A nu_ge0) _).
  by rewrite le_minl lexx.
apply: le_trans le_nu (ler_wpmul2r (weight_ge0 A mu_ge0) _).
by rewrite le_minl lexx orbT.
Qed.

(* A density of one measure gives one of every measure near it.               *)
Lemma near_density g mu nu (lambda p : Y -> R) :
  0 < g -> nonneg p -> (forall t, mu t = p t * lambda t) ->
  nonneg lambda -> 1 <= g -> near_measures g mu nu ->
  exists2 q, forall t, nu t = q t * lambda t &
             forall t, g^-1 * p t <= q t <= g * p t.
Proof.
move=> g_gt0 p_ge0 muE l_ge0 g_ge1 near.
exists (fun t => if lambda t == 0 then p t else nu t / lambda t) => t.
  case: eqP => [l0 | /eqP l_n0]; last by rewrite divfK.
  have [_] := near [set t]; rewrite /weight !big_set1 muE l0 !mulr0.
  have [+ _] := near [set t]; rewrite /weight !big_set1 muE l0 !mulr0.
  rewrite pmulr_rge0 // => nu_ge0 nu_le0.
  by apply/eqP; rewrite eq_le nu_le0.
case: eqP => [l0 | /eqP l_n0].
  by rewrite ler_pdivr_mull // !ler_pemull.
have l_gt0 : 0 < lambda t by rewrite lt_def l_n0 l_ge0.
have [] := near [set t]; rewrite /weight !big_set1 !muE => le_mu le_nu.
rewrite ler_pdivl_mulr // ler_pdivr_mulr // -!mulrA le_nu andbT.
by rewrite ler_pdivr_mull.
Qed.

End Measures.

Section PureIntervals.

Variables (R : realFieldType) (X I : Type) (Y : finType).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y).

(* Dissertation Theorem 5.3.5, I and III, in every universe: a mechanism      *)
(* satisfies ln gamma-DP exactly if the law of its output at a data set at    *)
(* distance n from x lies between gamma^-n P_x and gamma^n P_x.               *)
Theorem pure_dp_iff_intervals :
  (forall i g, gamma i = Some g -> 0 < g) ->
  pure_dp U d gamma T <->
  forall i x x' g n, U i x -> U i x' -> gamma i = Some g -> d x x' = Some n ->
    in_interval (fun t => (g ^+ n)^-1 * T x t) (fun t => g ^+ n * T x t)
      (T x').
Proof.
move=> gamma_gt0; split=> [dpT i x x' g n xU x'U eq_g eq_n | between i x x'].
  apply/interval_iff_near; first by rewrite exprn_gt0 ?(gamma_gt0 _ _ eq_g).
  by have := dpT i x x' xU x'U; rewrite eq_g eq_n.
move=> xU x'U; case eq_g: (gamma i) => [g|] //; case eq_n: (d x x') => [n|] //.
have := between _ _ _ _ _ xU x'U eq_g eq_n.
by move/interval_iff_near; apply; rewrite exprn_gt0 ?(gamma_gt0 _ _ eq_g).
Qed.

(* Dissertation Theorem 5.3.5, I and IV, in every universe: exactly if a      *)
(* density of P_x, for any measure, gives one of every P_x' at distance n     *)
(* that lies between gamma^-n and gamma^n times it at every output.           *)
Theorem pure_dp_iff_densities :
  (forall i g, gamma i = Some g -> 1 <= g) ->
  pure_dp U d gamma T <->
  forall i x x' g n, U i x -> U i x' -> gamma i = Some g -> d x x' = Some n ->
    forall lambda p : Y -> R, nonneg lambda -> nonneg p ->
    (forall t, T x t = p t * lambda t) ->
    exists2 q, forall t, T x' t = q t * lambda t &
               forall t, (g ^+ n)^-1 * p t <= q t <= g ^+ n * p t.
Proof.
move=> gamma_ge1.
have gamma_gt0 i g : gamma i = Some g -> 0 < g.
  by move/gamma_ge1; apply: lt_le_trans.
split=> [dpT i x x' g n xU x'U eq_g eq_n lambda p l_ge0 p_ge0 pE | dens].
  apply: near_density (pE) l_ge0 _ _ => //.
  - by rewrite exprn_gt0 ?(gamma_gt0 _ _ eq_g).
  - by rewrite exprn_ege1 ?(gamma_ge1 _ _ eq_g).
  by have := dpT i x x' xU x'U; rewrite eq_g eq_n.
apply/(pure_dp_iff_intervals gamma_gt0) => i x x' g n xU x'U eq_g eq_n.
have [|||q qE between] := dens _ _ _ _ _ xU x'U eq_g eq_n (T x) (fun _ => 1).
- exact: law_ge0.
- by move=> t; apply: ler01.
- by move=> t; rewrite mul1r.
apply/in_interval_masses => t; rewrite qE; have /andP[] := between t.
rewrite !mulr1 => le_q q_le.
by rewrite !ler_wpmul2r ?law_ge0.
Qed.

(* Dissertation Proposition 15, I and III: the loss is 0 exactly if connected *)
(* data sets have one law.                                                    *)
Theorem zero_loss :
  (forall i, gamma i = Some 1) ->
  pure_dp U d gamma T <->
  forall i x x', U i x -> U i x' -> d x x' <> None -> T x = T x'.
Proof.
move=> gamma1; split=> [dpT i x x' xU x'U | same_law i x x' xU x'U].
  have := dpT i x x' xU x'U; rewrite gamma1; case: (d x x') => [n|] //.
  by rewrite expr1n => /mult_le1.
have := same_law i x x' xU x'U; rewrite gamma1; case: (d x x') => [n|] // eqT.
by rewrite expr1n; apply/mult_le1/eqT.
Qed.

End PureIntervals.

Section PathMetric.

Variables (R : realFieldType) (X : eqType) (Y : finType) (r : rel X).

(* Dissertation Theorem 5.3.5, I and II: under Assumption 5.3.3, to bound the *)
(* probabilities of every event by gamma at distance 1 is to bound them by    *)
(* gamma^n at every distance n.                                               *)
Theorem pure_dp_iff_neighbors ds (g : R) (T : X -> law R Y) :
  1 <= g -> symmetric r -> is_shortest_walk r ds ->
  pure_dp (everything X) ds (fun _ => Some g) T <->
  forall x x' A, ds x x' = Some 1%N -> Pr (T x') A <= g * Pr (T x) A.
Proof.
move=> g_ge1 symr short; split=> [dpT x x' A eq1 | le_r i x x' _ _].
  have := dpT tt x x' Logic.I Logic.I; rewrite eq1 expr1.
  by move=> /(_ A)[].
have le1 y y' A : r y y' -> Pr (T y') A <= g * Pr (T y) A.
  move=> yy'; have walk1 : walk r 1 y y' by exists y'.
  have := short y y'; have := le_r y y' A.
  case: (ds y y') => [[|[|n]]|] /=; last by move=> _ /(_ 1%N).
  - by move=> _ [-> _]; rewrite ler_pemull ?Pr_ge0.
  - by move=> /(_ erefl).
  by move=> _ [_ /(_ _ walk1)].
have := short x x'; case: (ds x x') => [n|] // [walk_n _].
apply: pure_group_privacy walk_n => y y' yy' A.
by split; apply: le1 => //; rewrite symr.
Qed.

End PathMetric.

(* After dissertation Theorem 5.3.5: its I implies its II for every distance. *)
Theorem pure_dp_neighbors (R : realFieldType) (X : Type) (Y : finType)
    (d : X -> X -> option nat) (g : R) (T : X -> law R Y) :
  pure_dp (everything X) d (fun _ => Some g) T ->
  forall x x' A, d x x' = Some 1%N -> Pr (T x') A <= g * Pr (T x) A.
Proof.
move=> dpT x x' A d1; have := dpT tt x x' Logic.I Logic.I.
by rewrite d1 expr1 => /(_ A)[].
Qed.

(* After dissertation Theorem 5.3.5: without Assumption 5.3.3 its II does not *)
(* give group privacy; two data sets at distance 2, and none between them.    *)
Theorem neighbors_group_privacy_refuted (R : realFieldType) (g : R) :
  1 <= g ->
  ~ (forall (X Y : finType) (d : X -> X -> option nat) (T : X -> law R Y),
       (forall x x', d x x' = d x' x) ->
       (forall x x', d x x' = Some 0%N <-> x = x') ->
       (forall x x' A, d x x' = Some 1%N -> Pr (T x') A <= g * Pr (T x) A) ->
       pure_dp (everything X) d (fun _ => Some g) T).
Proof.
move=> g_ge1 group.
pose d (x x' : bool) := Some (if x == x' then 0%N else 2%N).
have dpT : pure_dp (everything bool) d (fun _ => Some g) (@dirac R _).
  apply: group => [x x' | x x' | x x' A]; rewrite /d.
  - by rewrite eq_sym.
  - by split=> [|->]; rewrite ?eqxx //; case: eqP.
  by case: eqP.
have /mult_leP/(_ true)[+ _] := dpT tt true false Logic.I Logic.I.
by rewrite !diracE mulr0 ler10.
Qed.
