From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping pure exponential psa_privacy.

(******************************************************************************)
(* Theorem 1 with epsilon a real number, for exp, ln and square roots of      *)
(* Coq's standard library (article, Theorem 1)                                *)
(*                                                                            *)
(* Definitions                                                                *)
(*   epsilon_budget b p == the budget (7) as printed: 0 for b = 0,            *)
(*            ln (b+1) - ln o for 0 < p <= sqrt (b+1) / (sqrt (b+1) + 1),     *)
(*            ln o from there to p < 1, and None, which is infinity, for p in *)
(*            {0, 1}, with the odds o = p / (1 - p)                           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_epsilon_dp == psa.budget.theorem: Theorem 1, for every swap rate in  *)
(*            a field inside the reals                                        *)
(*   psa_budget_exponential == the budget as gamma is e^epsilon for (7)       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope R_scope.

Definition epsilon_budget (b : nat) (p : R) : option R :=
  let o := p / (1 - p) in
  let t := sqrt (INR b + 1) / (sqrt (INR b + 1) + 1) in
  if b == 0%N then Some 0
  else if Rlt_dec 0 p then
    if Rle_dec p t then Some (ln (INR b + 1) - ln o)
    else if Rlt_dec p 1 then Some (ln o) else None
  else None.

Section RealBudget.

Variables (F : realFieldType) (f : F -> R).
Hypothesis f_embeds : embedding f.

(* The printed threshold on p, as one on the odds.                            *)
Lemma threshold_odds (p c : R) : 0 < p < 1 -> 0 < c ->
  p <= sqrt c / (sqrt c + 1) <-> p / (1 - p) <= c / (p / (1 - p)).
Proof.
move=> [p_gt0 p_lt1] c_gt0; set r := sqrt c.
have r_gt0 : 0 < r by apply: sqrt_lt_R0.
have cE : c = r * r by rewrite sqrt_sqrt; lra.
have o_gt0 : 0 < p / (1 - p) by apply: Rdiv_lt_0_compat; lra.
set o := p / (1 - p) in o_gt0 *.
have pE : p = o / (o + 1) by rewrite /o; field; lra.
have -> : (p <= r / (r + 1)) <-> o <= r.
  rewrite pE; split=> [le_p | le_o].
    apply: Rnot_lt_le => lt_ro.
    have : r / (r + 1) < o / (o + 1); last lra.
    apply: (Rmult_lt_reg_r ((r + 1) * (o + 1))); first nra.
    by field_simplify; lra.
  apply: (Rmult_le_reg_r ((r + 1) * (o + 1))); first nra.
  by field_simplify; lra.
split=> [le_or | le_oc].
  apply: (Rmult_le_reg_r o) => //; rewrite /Rdiv Rmult_assoc Rinv_l; last lra.
  by nra.
have : o * o <= c.
  have : o * o <= c / o * o by apply: Rmult_le_compat_r; lra.
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
by rewrite cE => le_sq; apply: Rnot_lt_le => lt_ro; nra.
Qed.

Theorem psa_budget_exponential (b : nat) (p : F) : (0 <= p <= 1)%R ->
  exponential f (psa_budget b p) (epsilon_budget b (f p)).
Proof.
move=> /andP[p_ge0 p_le1]; rewrite /epsilon_budget.
have fp_ge0 : 0 <= f p by rewrite -(embed0 f_embeds); apply/embed_le.
have b1_gt0 : 0 < INR b + 1 by have := pos_INR b; lra.
set r := sqrt _; have r_gt0 : 0 < r by apply: sqrt_lt_R0.
have [b0 | b_neq0] := eqVneq b 0%N.
  by rewrite /psa_budget b0 /= (embed1 f_embeds) exp_0.
have t_lt1 : r / (r + 1) < 1.
  by apply: (Rmult_lt_reg_r (r + 1)); first lra; field_simplify; lra.
have [p0 | p_neq0] := eqVneq p 0%R.
  rewrite p0 (embed0 f_embeds); case: Rlt_dec => /= [|_]; first lra.
  by rewrite /psa_budget (negbTE b_neq0) eqxx.
have [p1 | p_neq1] := eqVneq p 1%R.
  rewrite p1 (embed1 f_embeds); case: Rlt_dec => /= [_|]; last lra.
  case: Rle_dec => /= [|_]; first lra; case: Rlt_dec => /= [|_]; first lra.
  by rewrite /psa_budget (negbTE b_neq0) eqxx orbT.
have p_gt0 : (0 < p)%R by rewrite lt_def p_neq0.
have p_lt1 : (p < 1)%R by rewrite lt_neqAle p_neq1.
have fp_gt0 : 0 < f p by rewrite -(embed0 f_embeds); apply/embed_lt.
have fp_lt1 : f p < 1 by rewrite -(embed1 f_embeds); apply/embed_lt.
case: Rlt_dec => //= _; rewrite psa_budget_max ?lt0n ?p_gt0 //=.
have o_neq0 : (p / (1 - p) != 0)%R by rewrite gt_eqF // divr_gt0 ?subr_gt0.
have oE : f (p / (1 - p))%R = f p / (1 - f p).
  by rewrite embed_div // ?subr_eq0 1?eq_sym // embedB // embed1.
have cE : f (b.+1%:R / (p / (1 - p)))%R = (INR b + 1) / (f p / (1 - f p)).
  by rewrite embed_div // oE embed_nat // S_INR.
have o_gt0 : 0 < f p / (1 - f p) by apply: Rdiv_lt_0_compat; lra.
have exp_low : exp (ln (INR b + 1) - ln (f p / (1 - f p))) =
    (INR b + 1) / (f p / (1 - f p)).
  by rewrite /Rminus exp_plus exp_Ropp !exp_ln.
case: leP => [/(embed_le f_embeds) | /(embed_lt f_embeds)]; rewrite oE cE.
  by rewrite -threshold_odds // => le_t; case: Rle_dec.
move=> lt_co; case: Rle_dec => /= [/threshold_odds|_]; first lra.
by case: Rlt_dec => //= _; rewrite exp_ln.
Qed.

(* X is any set of data sets of at most N records each.                       *)
Theorem psa_epsilon_dp (M H S : finType) (N : nat) (p : F)
    (p01 : (0 <= p <= 1)%R) (X : Type) (data : X -> bounded_data M H S N) :
  epsilon_dp f
    (fun x0 x => same_invariants (tagged (data x0)) (tagged (data x)))
    (fun x x' => hamming_or_oo (data x) (data x'))
    (fun x0 => epsilon_budget (largest_stratum (tagged (data x0))) (f p))
    (fun x => psa_bounded p01 (data x)).
Proof.
apply/(pure_dp_exponential f_embeds _ _ _ (fun x0 =>
  psa_budget_exponential (largest_stratum (tagged (data x0))) p01)).
by move=> x0 x x' x0x x0x'; apply: (psa_pure_dp_sizes p01 x0x x0x').
Qed.

End RealBudget.

(* Rational swap rates, as a program has them                                 *)

Lemma rat_half01 : (0 <= (2%:R^-1 : rat_realFieldType) <= 1)%R.
Proof. by []. Qed.

Definition psa_budget_exponential_instance :=
  @psa_budget_exponential _ _ of_rat_embedding 3 _ rat_half01.

Definition psa_epsilon_dp_instance :=
  @psa_epsilon_dp _ _ of_rat_embedding unit_finType bool_finType bool_finType 2
    _ rat_half01 _ id.

Definition pure_dp_exponential_instance :=
  @pure_dp_exponential _ _ of_rat_embedding
    (bounded_data unit_finType bool_finType bool_finType 2) unit _
    (fun _ _ => True) (@hamming_or_oo _ _ _ 2) (fun _ => psa_budget 3 2%:R^-1)
    (fun _ => epsilon_budget 3 (of_rat 2%:R^-1))
    (psa_bounded rat_half01) (fun _ => psa_budget_exponential_instance).
