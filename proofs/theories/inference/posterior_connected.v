From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import privatised_data prior_predictive posterior.

(******************************************************************************)
(* The printed bounds on a posterior under pure differential privacy, which   *)
(* compare it with the prior: they hold where the data sets of the models are *)
(* connected, and fail where they are not.                                    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   posterior_connected == dissertation Theorem 5.6.3 for connected models   *)
(*   posterior_connected_sharp == the same, sharper                           *)
(*   data_set_posterior == the same for an attacker's posterior on data sets  *)
(*   posterior_interval_refuted == dissertation Theorem 5.6.3 as printed      *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section Connected.

Variables (R : realFieldType) (X Y Theta : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (n : nat) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y).
Implicit Types (A : {set Theta}).

Lemma supp_given_sub (P : law R X) : supp_given P T t0 \subset supp P.
Proof. by apply/subsetP=> x; rewrite inE => /andP[]. Qed.

Lemma prior_given_supp A : prior_given pi M (supp (bind pi M)) A = Pr pi A.
Proof.
apply: (@prior_given_prior _ _ _ _ _ _ 1); last exact: oner_neq0.
move=> theta theta_pi; apply: Pr_supp; apply/subsetP=> x xM.
by rewrite supp_bind; apply/existsP; exists theta; rewrite theta_pi.
Qed.

(* Dissertation Theorem 5.6.3 where the data sets of the models are           *)
(* connected, and n bounds their distances: given any output of positive      *)
(* probability the posterior is within gamma^n of the prior.                  *)
Theorem posterior_connected A :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp (bind pi M)) (supp (bind pi M)) ->
  bind pi (fun theta => bind (M theta) T) t0 != 0 ->
  (g ^+ n)^-1 * Pr pi A
    <= posterior pi (fun theta => bind (M theta) T) t0 A <= g ^+ n * Pr pi A.
Proof.
move=> dpT eq_g g_ge1 near t0_n0; rewrite -prior_given_supp.
exact: posterior_interval dpT eq_g g_ge1 near (supp_given_sub _) t0_n0 A.
Qed.

(* Sharper: the odds change by a factor between gamma^-n and gamma^n, so that *)
(* a prior probability q becomes at least q / (q + gamma^n (1 - q)) and at    *)
(* most gamma^n q / (gamma^n q + (1 - q)).                                    *)
Theorem posterior_connected_sharp A :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp (bind pi M)) (supp (bind pi M)) ->
  bind pi (fun theta => bind (M theta) T) t0 != 0 ->
  let q := Pr pi A in
  q / (q + g ^+ n * (1 - q))
    <= posterior pi (fun theta => bind (M theta) T) t0 A
    <= g ^+ n * q / (g ^+ n * q + (1 - q)).
Proof.
move=> dpT eq_g g_ge1 near t0_n0; rewrite -prior_given_supp.
exact: posterior_sharp dpT eq_g g_ge1 near (supp_given_sub _) t0_n0 A.
Qed.

End Connected.

Section DataSets.

Variables (R : realFieldType) (X Y : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).

(* After dissertation Theorem 5.6.3: an attacker with a prior on the data     *)
(* sets, whose plausible ones are at distances of at most n; n = 1 where only *)
(* one record is unknown.                                                     *)
Theorem data_set_posterior n (pi : law R X) t0 (A : {set X}) :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp pi) (supp pi) -> bind pi T t0 != 0 ->
  let q := Pr pi A in
  q / (q + g ^+ n * (1 - q)) <= posterior pi T t0 A
    <= g ^+ n * q / (g ^+ n * q + (1 - q)).
Proof.
move=> dpT eq_g g_ge1; rewrite -{1 2}(bind_dirac pi) => near t0_n0.
have pointE : bind pi (fun x => bind (dirac x) T) = bind pi T.
  by apply: eq_bind => x; rewrite dirac_bind.
rewrite -pointE in t0_n0.
have := posterior_connected_sharp A dpT eq_g g_ge1 near t0_n0.
rewrite /posterior pointE.
by under eq_bigr => x _ do rewrite dirac_bind.
Qed.

End DataSets.

(* Dissertation Theorem 5.6.3 as printed: data sets of two sizes, which the   *)
(* output tells; one model is sure of the first size, the other gives it one  *)
(* half. Given that size only one data set is possible, so d_** is 0, but the *)
(* posterior of the first model is 2/3 and its prior 1/2.                     *)
Theorem posterior_interval_refuted (R : realFieldType) (g : R) :
  1 < g ->
  ~ (forall (X Y Theta : finType) (r : rel X) (d : X -> X -> option nat)
        (T : X -> law R Y) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y)
        (n : nat) (A : {set Theta}),
       symmetric r -> is_shortest_walk r d ->
       pure_dp (everything X) d (fun _ => Some g) T ->
       let S := supp_given (bind pi M) T t0 in
       within (everything X tt) d n S S ->
       bind pi (fun theta => bind (M theta) T) t0 != 0 ->
       posterior pi (fun theta => bind (M theta) T) t0 A <= g ^+ n * Pr pi A).
Proof.
move=> g_gt1 printed.
pose M (sure : bool) := if sure then dirac true else fair R.
have MT sure : bind (M sure) (@dirac R _) true = if sure then 1 else 2%:R^-1.
  by rewrite bind_dirac; case: sure; rewrite ?diracEl ?fairE.
have predictive : bind (fair R) (fun sure => bind (M sure) (@dirac R _)) true =
    3%:R / 4%:R.
  by rewrite bindE big_bool !MT !fairE /=; field; rewrite ?pnatr_eq0.
have := printed bool_finType bool_finType bool_finType (fun _ _ => false)
  unconnected (@dirac R _) (fair R) M true 0%N [set true] (fun _ _ => erefl)
  unconnected_shortest (@unconnected_pure R g).
rewrite /= predictive Pr1 fairE expr0 mul1r /posterior predictive big_set1.
rewrite MT fairE mulr1 => le_half; suff: (2%:R / 3%:R : R) <= 2%:R^-1.
  by rewrite ler_pdivr_mulr ?ltr0n // ler_pdivl_mull ?ltr0n // -!natrM ler_nat.
rewrite (_ : 2%:R / 3%:R = 2%:R^-1 / (3%:R / 4%:R)); last first.
  by field; rewrite ?pnatr_eq0.
apply: le_half; last by rewrite mulf_neq0 ?invr_eq0 ?pnatr_eq0.
move=> x x'; rewrite !inE !diracE !(eq_sym true) !pnatr_eq0 !eqb0 !negbK.
by move=> /andP[_ /eqP->] /andP[_ /eqP->].
Qed.
