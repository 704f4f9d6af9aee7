From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law posterior.

(******************************************************************************)
(* When D_Mult is finite: two laws on a finite set, or the posterior and the  *)
(* prior of a Bayesian whose models are the data sets.                        *)
(*                                                                            *)
(*   finite_change pi L t == D_Mult of the posterior given t and the prior pi *)
(*            is finite                                                       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   finite_change_iff == dissertation Remark 5.6.4, repaired: under a        *)
(*            uniform prior it is finite at every release iff D_Mult of any   *)
(*            two laws of the mechanism is                                    *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition finite_change (R : realFieldType) (Theta Y : finType)
    (pi : law R Theta) (L : Theta -> law R Y) (t : Y) : Prop :=
  exists g, forall A, posterior pi L t A <= g * Pr pi A /\
    Pr pi A <= g * posterior pi L t A.

Section Finite.

Variable R : realFieldType.

(* Two measures are within a factor iff they have the same support.           *)
Lemma finite_ratio (T : finType) (f h : T -> R) :
  (forall t, 0 <= f t) -> (forall t, 0 <= h t) ->
  (exists g : R, forall A : {set T},
     \sum_(t in A) f t <= g * (\sum_(t in A) h t) /\
     \sum_(t in A) h t <= g * (\sum_(t in A) f t)) <->
  (forall t, (f t == 0) = (h t == 0)).
Proof.
move=> f_ge0 h_ge0; split=> [[g near] t | same].
  have := near [set t]; rewrite !big_set1 => -[le_f le_h].
  apply/eqP/eqP => [f0 | h0]; apply/eqP.
    by rewrite eq_le h_ge0 andbT; move: le_h; rewrite f0 mulr0.
  by rewrite eq_le f_ge0 andbT; move: le_f; rewrite h0 mulr0.
pose r t := f t / h t + h t / f t.
have r_ge0 t : 0 <= r t by rewrite addr_ge0 ?divr_ge0.
have le_r t : r t <= \sum_u r u.
  by rewrite (bigD1 t) //= ler_addl sumr_ge0.
exists (\sum_t r t) => A; rewrite !mulr_sumr.
split; apply: ler_sum => t _.
  have [h0 | h_n0] := eqVneq (h t) 0.
    by have := same t; rewrite h0 eqxx mulr0 => /eqP->.
  apply: le_trans (ler_wpmul2r (h_ge0 t) (le_r t)).
  by rewrite /r mulrDl divfK // ler_addl mulr_ge0 ?divr_ge0.
have [f0 | f_n0] := eqVneq (f t) 0.
  by have := same t; rewrite f0 eqxx mulr0 => /esym/eqP->.
apply: le_trans (ler_wpmul2r (f_ge0 t) (le_r t)).
by rewrite /r mulrDl divfK // ler_addr mulr_ge0 ?divr_ge0.
Qed.

Theorem finite_change_iff (X Y : finType) (T : X -> law R Y) (x0 : X) :
  let pi := uniform_on x0 setT in
  (forall x x', exists g, mult_le g (T x) (T x')) <->
  (forall t, bind pi T t != 0 ->
     finite_change pi (fun x => bind (dirac x) T) t).
Proof.
move=> pi; have X_n0 : [set: X] != set0 by apply/set0Pn; exists x0.
have pi_gt0 x : 0 < pi x.
  by rewrite uniform_on_in ?inE // invr_gt0 ltr0n card_gt0.
have pairs x x' := finite_ratio (law_ge0 (T x)) (law_ge0 (T x')).
have changes t : finite_change pi (fun x => bind (dirac x) T) t <->
    forall x, (pi x * T x t / bind pi T t == 0) = (pi x == 0).
  apply: iff_trans (finite_ratio _ (law_ge0 pi)) => [|x]; last first.
    by rewrite divr_ge0 ?mulr_ge0 ?law_ge0.
  have postE A : posterior pi (fun x => bind (dirac x) T) t A =
      \sum_(x in A) pi x * T x t / bind pi T t.
    rewrite /posterior mulr_suml (eq_bind _ (fun x => dirac_bind x T)).
    by apply: eq_bigr => x _; rewrite dirac_bind.
  by split=> -[g near]; exists g => A; have := near A; rewrite postE.
split=> [near t t_n0 | all_finite x x'].
  apply/changes => x; rewrite (gt_eqF (pi_gt0 x)).
  rewrite !mulf_eq0 invr_eq0 (negbTE t_n0) (gt_eqF (pi_gt0 x)) orbF /=.
  apply: contraNF t_n0 => /eqP x0t; rewrite bindE big1 // => x' _.
  have := (pairs x x').1 (near x x') t; rewrite x0t eqxx => /esym/eqP->.
  exact: mulr0.
apply/pairs => t; have [no_t | t_n0] := eqVneq (bind pi T t) 0.
  have zero z : T z t == 0.
    move/eqP: no_t; rewrite bindE psumr_eq0 => [/allP/(_ z)|z' _]; last first.
      by rewrite mulr_ge0 ?law_ge0.
    by rewrite mem_index_enum mulf_eq0 (gt_eqF (pi_gt0 z)) => /(_ isT).
  by rewrite !zero.
have some z : (T z t == 0) = false.
  have := (changes t).1 (all_finite t t_n0) z.
  rewrite (gt_eqF (pi_gt0 z)) !mulf_eq0 (gt_eqF (pi_gt0 z)) invr_eq0.
  by rewrite (negbTE t_n0) orbF.
by rewrite !some.
Qed.

End Finite.
