From Coq Require Import Reals Lra ZArith.
From mathcomp Require Import all_ssreflect.
From Stirred Require Import derangement.

(******************************************************************************)
(* The number of derangements of k records is the integer nearest to k!/e.    *)
(*                                                                            *)
(*   reciprocal_fact i == 1/i!, whose alternating sum is 1/e                  *)
(*   partial k == the sum of (-1)^i / i! for i <= k                           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   der_nearest == derangements.nearest-integer                              *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope R_scope.

Definition reciprocal_fact (i : nat) : R := / INR (fact i).

Definition partial (k : nat) : R := sum_f_R0 (tg_alt reciprocal_fact) k.

Lemma fact_factorial k : fact k = k`!.
Proof. by elim: k => [|k IHk] //; rewrite factS -IHk. Qed.

Lemma INR_fact_gt0 k : 0 < INR (fact k).
Proof. exact: INR_fact_lt_0. Qed.

Lemma INR_factS k : INR (fact k.+1) = (INR k + 1) * INR (fact k).
Proof. by rewrite fact_simpl mult_INR S_INR. Qed.

Lemma reciprocal_factS k :
  INR (fact k) * reciprocal_fact k.+1 = / (INR k + 1).
Proof.
rewrite /reciprocal_fact INR_factS.
have fact_neq0 : INR (fact k) <> 0 := INR_fact_neq_0 k.
have k_ge0 := pos_INR k; field; lra.
Qed.

Lemma derS_real k : INR (der k.+1) = (INR k + 1) * INR (der k) + (-1) ^ k.+1.
Proof.
elim: k => [|k IHk]; first by rewrite !derE /=; lra.
rewrite derSS mult_INR plus_INR S_INR.
have -> : (INR k + 1) * (INR (der k.+1) + INR (der k)) =
    (INR k + 1) * INR (der k.+1) + (INR k + 1) * INR (der k) by ring.
have -> : (INR k + 1) * INR (der k) = INR (der k.+1) - (-1) ^ k.+1 by lra.
by rewrite -[(-1) ^ k.+2]/(-1 * (-1) ^ k.+1); ring.
Qed.

Lemma der_partial k : INR (der k) = INR (fact k) * partial k.
Proof.
elim: k => [|k IHk].
  by rewrite der0 /partial /tg_alt /reciprocal_fact /= Rinv_1; lra.
rewrite derS_real IHk /partial [sum_f_R0 _ k.+1]/= /tg_alt -/(tg_alt _).
rewrite Rmult_plus_distr_l -/(partial k) INR_factS Rmult_assoc; congr (_ + _).
rewrite -INR_factS /reciprocal_fact -Rmult_assoc (Rmult_comm (INR _)).
by rewrite Rmult_assoc Rinv_r ?Rmult_1_r //; apply: INR_fact_neq_0.
Qed.

Lemma reciprocal_fact_decreasing : Un_decreasing reciprocal_fact.
Proof.
move=> k; rewrite /reciprocal_fact; apply: Rinv_le_contravar.
  exact: INR_fact_gt0.
rewrite INR_factS; have k_ge0 := pos_INR k.
by have := Rmult_le_pos _ _ k_ge0 (Rlt_le _ _ (INR_fact_gt0 k)); lra.
Qed.

Lemma reciprocal_fact_cv : Un_cv reciprocal_fact 0.
Proof.
move=> eps eps_gt0; have [N cv_N] := cv_speed_pow_fact 1 eps eps_gt0.
exists N => n le_Nn; have := cv_N n le_Nn.
by rewrite pow1 /Rdiv Rmult_1_l.
Qed.

Lemma partial_cv : Un_cv partial (exp (-1)).
Proof.
move=> eps eps_gt0; have [N cv_N] := proj2_sig (exist_exp (-1)) eps eps_gt0.
exists N => n le_Nn; have := cv_N n le_Nn.
rewrite (PartSum.sum_eq _ (tg_alt reciprocal_fact)) // => i _.
by rewrite /tg_alt /reciprocal_fact Rmult_comm.
Qed.

Lemma partial_bounds N : partial (2 * N).+1 <= exp (-1) <= partial (2 * N).
Proof.
exact: alternated_series_ineq reciprocal_fact_decreasing reciprocal_fact_cv
  partial_cv.
Qed.

Lemma scaled_partialS k :
  INR (fact k) * partial k.+1 = INR (der k) + (-1) ^ k.+1 / (INR k + 1).
Proof.
rewrite /partial [sum_f_R0 _ k.+1]/= -/(partial k) Rmult_plus_distr_l.
rewrite -der_partial; congr (_ + _); rewrite /tg_alt /Rdiv -reciprocal_factS.
ring.
Qed.

Lemma sign_odd k : (-1) ^ k = if odd k then -1 else 1.
Proof. by elim: k => [|k /= ->] //; case: (odd k) => /=; lra. Qed.

Lemma der_near k :
  INR (der k) - / (INR k + 1) <= INR (fact k) * exp (-1) <=
  INR (der k) + / (INR k + 1).
Proof.
have scale a b : a <= b -> INR (fact k) * a <= INR (fact k) * b.
  by apply: Rmult_le_compat_l; apply: Rlt_le; apply: INR_fact_gt0.
have inv_ge0 : 0 < / (INR k + 1).
  by apply: Rinv_0_lt_compat; have := pos_INR k; lra.
have even_k := odd_double_half k; have at_k := scaled_partialS k.
rewrite sign_odd /= in at_k; case odd_k : (odd k) even_k at_k => /= even_k at_k.
  have eq_k : k = (2 * k./2).+1 by rewrite mul2n -[LHS]even_k.
  have eq_kS : k.+1 = (2 * k./2.+1)%N by rewrite {1}eq_k mulnS.
  have [/scale] := partial_bounds k./2; rewrite -eq_k -der_partial => lower _.
  have [_ /scale] := partial_bounds k./2.+1; rewrite -eq_kS at_k /Rdiv; lra.
have eq_k : k = (2 * k./2)%N by rewrite mul2n -[LHS]even_k.
have [/scale] := partial_bounds k./2; rewrite -eq_k at_k /Rdiv => lower.
by move=> /scale; rewrite -der_partial; lra.
Qed.

Theorem der_nearest k :
  (0 < k)%N -> Int_part (INR k`! / exp 1 + / 2) = Z.of_nat (der k).
Proof.
move=> k_gt0; have [lower upper] := der_near k.
have inv_e : / exp 1 = exp (-1) by rewrite -exp_Ropp; congr exp; lra.
rewrite -fact_factorial /Rdiv inv_e.
suff [le_der lt_der] : INR (der k) - / 2 <= INR (fact k) * exp (-1) /\
    INR (fact k) * exp (-1) < INR (der k) + / 2.
  rewrite /Int_part -(tech_up _ (Z.of_nat (der k) + 1)); first last.
  - by rewrite plus_IZR -INR_IZR_INZ; lra.
  - by rewrite plus_IZR -INR_IZR_INZ; lra.
  exact: Z.add_simpl_r.
have [k1 | k_neq1] := eqVneq k 1%N.
  rewrite k1 !derE /= -inv_e Rmult_1_l.
  have e_gt2 : 2 < exp 1 by have := exp_ineq1 1 R1_neq_R0; lra.
  have [] : 0 < / exp 1 /\ / exp 1 < / 2; last by lra.
  split; first by apply: Rinv_0_lt_compat; lra.
  by apply: Rinv_lt_contravar; lra.
have k_ge2 : 2 <= INR k.
  by apply: (le_INR 2); apply/leP; case: (k) k_gt0 k_neq1 => [|[|]].
have : / (INR k + 1) < / 2 by apply: Rinv_lt_contravar; nra.
lra.
Qed.
