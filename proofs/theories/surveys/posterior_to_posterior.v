From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure conjectures pufferfish_odds.

(******************************************************************************)
(* The posterior-to-posterior comparison of dissertation section 6.5.1, for a *)
(* finite prior, with gamma = e^epsilon. A data set is the record of the unit *)
(* in question and the rest.                                                  *)
(*                                                                            *)
(*   same_rest d == the data sets with the rest of d                          *)
(*   psample A d == a draw from the prior A given the rest of d: the record of*)
(*            the unit is drawn anew                                          *)
(*   counterfactual A M == the mechanism M on that draw                       *)
(*   record_is r == the event that the record of the unit is r                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psample_prior == the prior is that of the drawn data set too             *)
(*   posterior_ratio == (6.2): the ratio of the posteriors is the ratio of    *)
(*            the joint probabilities, for every event                        *)
(*   posterior_to_posterior == it lies between 1/g and g, where changing the  *)
(*            record changes no probability by more than the factor g         *)
(*   posterior_to_posterior_record == the same for a record r, as printed     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PosteriorToPosterior.

Variables (R : realFieldType) (V W T : finType).
Let data := [finType of V * W].
Variables (A : law R data) (M : data -> law R T) (g : R).
Implicit Types (d : data) (E : {set data}) (t : T).

Definition same_rest d : {set data} := [set d' | d'.2 == d.2].

Definition psample d : law R data := condP A (same_rest d).

Definition counterfactual d : law R T := bind (psample d) M.

Definition record_is (r : V) : {set data} := [set d | d.1 == r].

Lemma rest_gt0 d : A d != 0 -> 0 < Pr A (same_rest d).
Proof.
move=> Ad; rewrite lt_neqAle Pr_ge0 andbT eq_sym.
apply: contraNneq Ad => /eqP; rewrite Pr_eq0 => /forallP/(_ d).
by rewrite inE eqxx.
Qed.

Theorem psample_prior : bind A psample = A.
Proof.
apply: eq_law => d'; rewrite bindE.
have [A0|Ad'] := eqVneq (A d') 0.
  rewrite A0 big1 // => d _; have [->|/rest_gt0 rest] := eqVneq (A d) 0.
    by rewrite mul0r.
  by rewrite condPE // A0 !mul0r mulr0.
have rest := rest_gt0 Ad'.
transitivity (\sum_(d in same_rest d') A d * (A d' / Pr A (same_rest d'))).
  rewrite [RHS]big_mkcond; apply: eq_bigr => d _; rewrite inE.
  have [->|Ad] := eqVneq (A d) 0; first by rewrite !mul0r if_same.
  rewrite condPE ?rest_gt0 // inE eq_sym; case: ifP => [/eqP eq_d|].
    by rewrite mulr1 /same_rest eq_d.
  by rewrite mulr0 mul0r mulr0.
by rewrite -mulr_suml -/(Pr _ _) mulrC divfK // gt_eqF.
Qed.

Lemma counterfactual_provided t :
  provided counterfactual A t = provided M A t.
Proof. by rewrite /provided /counterfactual -bindA psample_prior. Qed.

Theorem posterior_ratio E t : provided M A t != 0 ->
  event_posterior M A t E / event_posterior counterfactual A t E =
    (\sum_(d in E) A d * M d t) /
    (\sum_(d in E) A d * \sum_d' psample d d' * M d' t).
Proof.
move=> m_n0; rewrite /event_posterior counterfactual_provided invf_div mulrA.
rewrite divfK //; congr (_ / _); apply: eq_bigr => d _.
by rewrite /counterfactual bindE.
Qed.

Hypothesis g_ge1 : 1 <= g.
Hypothesis near : forall r r' w, mult_le g (M (r, w)) (M (r', w)).

Lemma near_counterfactual d t : A d != 0 ->
  M d t <= g * counterfactual d t /\ counterfactual d t <= g * M d t.
Proof.
move=> Ad; rewrite /counterfactual bindE.
have near_d d' : psample d d' != 0 ->
    M d t <= g * M d' t /\ M d' t <= g * M d t.
  rewrite condPE ?rest_gt0 // inE; case: (eqVneq d'.2 d.2) => [|_]; last first.
    by rewrite mulr0 mul0r eqxx.
  case: d d' {Ad} => [r w] [r' w'] /= -> _.
  exact/(mult_leP g (M (r, w)) (M (r', w))).1.
have -> : M d t = \sum_d' psample d d' * M d t.
  by rewrite -mulr_suml law_sum1 mul1r.
rewrite !mulr_sumr; split; apply: ler_sum => d' _; rewrite mulrCA;
  (have [->|/near_d[le_d le_d']] := eqVneq (psample d d') 0;
     first by rewrite !mul0r);
  by rewrite ler_wpmul2l ?law_ge0.
Qed.

Theorem posterior_to_posterior E t :
  event_posterior counterfactual A t E != 0 ->
  odds_near g (event_posterior M A t E / event_posterior counterfactual A t E).
Proof.
have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
rewrite /event_posterior counterfactual_provided => post_n0.
have m_gt0 : 0 < provided M A t.
  rewrite lt_neqAle law_ge0 andbT eq_sym; apply: contraNneq post_n0 => ->.
  by rewrite invr0 mulr0.
set q := \sum_(d in E) _ in post_n0 *.
have q_gt0 : 0 < q.
  rewrite lt_neqAle event_joint_ge0 andbT eq_sym.
  by apply: contraNneq post_n0 => ->; rewrite mul0r.
rewrite invf_div mulrA divfK ?gt_eqF // /odds_near.
rewrite ler_pdivl_mulr // ler_pdivr_mulr // ler_pdivr_mull // !mulr_sumr.
by apply/andP; split; apply: ler_sum => d _; rewrite mulrCA;
  have [->|/near_counterfactual-/(_ t)[? ?]] := eqVneq (A d) 0;
  rewrite ?mul0r // ler_wpmul2l ?law_ge0.
Qed.

Theorem posterior_to_posterior_record r t :
  event_posterior counterfactual A t (record_is r) != 0 ->
  odds_near g (event_posterior M A t (record_is r) /
               event_posterior counterfactual A t (record_is r)).
Proof. exact: posterior_to_posterior. Qed.

End PosteriorToPosterior.
