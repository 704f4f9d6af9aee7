From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law unit_data coupling amplification.

(******************************************************************************)
(* The Horvitz-Thompson estimator (dissertation sections 6.2.4 and 6.4.3).    *)
(*                                                                            *)
(*   inclusion mu i == the probability that the design mu takes the unit i    *)
(*   expectation mu h == the mean of the estimator h under mu                 *)
(*   weighted w x S == the sum of w i * x i over the sample S                 *)
(*   horvitz_thompson mu x == the same with the design weights 1 / inclusion  *)
(*   two_phase mu response == the law of the responding sample: the design    *)
(*            draws a target sample, of which response draws who answers      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   weighted_mean == the mean of a weighted sum, for weights that are fixed  *)
(*   horvitz_thompson_unbiased == it is the total if every unit whose value is*)
(*            not 0 can be taken                                              *)
(*   unbiased_iff == the estimator is unbiased for every variable exactly if  *)
(*            every unit can be taken                                         *)
(*   unbiased_weights == no other fixed weights are unbiased                  *)
(*   expected_size == the inclusion probabilities add up to the mean size     *)
(*   two_phase_inclusion == p_inc = pi_i * p_i where whoever is sampled       *)
(*            answers with probability p_i, whatever the rest of the sample   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section HorvitzThompson.

Variables (R : realFieldType) (I : finType).
Implicit Types (mu : law R [finType of {set I}]) (x w : I -> R) (i : I).

Definition inclusion mu i : R := Pr mu (having i).

Definition expectation mu (h : {set I} -> R) : R := \sum_S mu S * h S.

Definition weighted w x (S : {set I}) : R := \sum_(i in S) w i * x i.

Definition horvitz_thompson mu x : {set I} -> R :=
  weighted (fun i => (inclusion mu i)^-1) x.

Theorem weighted_mean mu w x :
  expectation mu (weighted w x) = \sum_i inclusion mu i * (w i * x i).
Proof.
rewrite /expectation.
under eq_bigr => S _ do rewrite /weighted mulr_sumr big_mkcond.
rewrite exchange_big; apply: eq_bigr => i _.
rewrite /inclusion PrE mulr_suml; apply: eq_bigr => S _; rewrite inE.
by case: (i \in S); rewrite ?mulr1 ?mulr0 ?mul0r.
Qed.

Theorem horvitz_thompson_unbiased mu x :
  (forall i, x i != 0 -> inclusion mu i != 0) ->
  expectation mu (horvitz_thompson mu x) = \sum_i x i.
Proof.
move=> taken; rewrite weighted_mean; apply: eq_bigr => i _.
have [->|x_n0] := eqVneq (x i) 0; first by rewrite !mulr0.
by rewrite mulrA divff ?mul1r // taken.
Qed.

Lemma mean_at mu w i :
  expectation mu (weighted w (fun k => (k == i)%:R)) = inclusion mu i * w i.
Proof.
rewrite weighted_mean (bigD1 i) //= eqxx mulr1 big1 ?addr0 // => k /negbTE ->.
by rewrite !mulr0.
Qed.

Lemma total_at i : \sum_k (k == i)%:R = 1 :> R.
Proof. exact: dirac_sum1. Qed.

Theorem unbiased_weights mu w :
  (forall x, expectation mu (weighted w x) = \sum_i x i) <->
  (forall i, inclusion mu i * w i = 1).
Proof.
split=> [unbiased i|inv x]; first by rewrite -mean_at unbiased total_at.
by rewrite weighted_mean; apply: eq_bigr => i _; rewrite mulrA inv mul1r.
Qed.

Theorem unbiased_iff mu :
  (forall x, expectation mu (horvitz_thompson mu x) = \sum_i x i) <->
  (forall i, 0 < inclusion mu i).
Proof.
split=> [unbiased i|taken x]; last first.
  by apply: horvitz_thompson_unbiased => i _; rewrite gt_eqF.
rewrite lt_neqAle Pr_ge0 andbT eq_sym; apply/eqP=> p0.
have /unbiased_weights/(_ i)/eqP := unbiased.
by rewrite p0 mul0r eq_sym oner_eq0.
Qed.

Theorem expected_size mu :
  \sum_i inclusion mu i = expectation mu (fun S => #|S|%:R).
Proof.
have := weighted_mean mu (fun _ => 1) (fun _ => 1); rewrite mulr1.
under [X in _ = X -> _]eq_bigr do rewrite mulr1.
move=> <-; apply: eq_bigr => S _; congr (_ * _).
by rewrite /weighted mulr1 sumr_const.
Qed.

Definition two_phase mu (response : {set I} -> law R [finType of {set I}]) :
  law R [finType of {set I}] := bind mu response.

Theorem two_phase_inclusion mu response i (p : R) :
  (forall S : {set I}, i \in S -> inclusion (response S) i = p) ->
  (forall S : {set I}, i \notin S -> inclusion (response S) i = 0) ->
  inclusion (two_phase mu response) i = inclusion mu i * p.
Proof.
move=> answers absent; rewrite /inclusion Pr_bind PrE mulr_suml.
apply: eq_bigr => S _; rewrite inE -mulrA; congr (_ * _).
have [iS|iS] := boolP (i \in S); first by rewrite mul1r -(answers S).
by rewrite mul0r -(absent S).
Qed.

End HorvitzThompson.
