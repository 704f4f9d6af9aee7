From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure
  measure_intervals privatised_data prior_predictive power_attained posterior
  posterior_attained power finite_change.

(******************************************************************************)
(* Instances of the theorems on the limits of inference: one bit and its      *)
(* answer by randomised response with gamma = 2, and for tests also two bits  *)
(* at the Hamming distance.                                                   *)
(*                                                                            *)
(*   answer x == the law of the answer to the bit x                           *)
(*   silence x == the law of an answer that does not depend on the two bits   *)
(*   bits_apart == the number of bits that differ                             *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.

(* One bit                                                                    *)
Definition third : Q := 3%:R^-1.
Lemma third_ends : 0 <= third <= 1. Proof. by []. Qed.
Lemma two_thirds_ends : 0 <= 1 - third <= 1. Proof. by []. Qed.
Definition answer (x : bool) : law Q bool_finType :=
  if x then bern (1 - third) two_thirds_ends else bern third third_ends.
Lemma answer_pure :
  pure_dp (everything bool) one_apart (fun _ => Some 2%:R) answer.
Proof.
by move=> i x x' _ _; apply/mult_leP=> t; case: x x' t => [] [] [];
  rewrite !bernE; vm_compute.
Qed.
Lemma answer_neq0 x : answer x true != 0.
Proof. by case: x; rewrite bernE. Qed.
Lemma near_all (S S' : {set bool}) :
  within (everything bool tt) one_apart 1 S S'.
Proof. by move=> x x' _ _; split=> //; case: x x' => [] []. Qed.
Arguments near_all : clear implicits.
Lemma seen_neq0 (Z : finType) (P : law Q Z) (L : Z -> law Q bool_finType) :
  (forall z, L z true != 0) -> bind P L true != 0.
Proof.
move=> L_n0; have [z Pz] := law_witness P; rewrite bindE psumr_eq0 => [|z' _].
  apply/allPn; exists z; first exact: mem_index_enum.
  by rewrite mulf_neq0.
by rewrite mulr_ge0 ?law_ge0.
Qed.
Definition model_seen_neq0 (b : bool) :=
  seen_neq0 (answer b) answer_neq0.
Lemma symmetric_other : symmetric other. Proof. by case=> [] []. Qed.

(* Intervals of measures                                                      *)
Definition ones (t : bool) : Q := 1.
Lemma ones_measure : nonneg ones. Proof. by []. Qed.
Lemma ones_between :
  in_interval (fun t => third * ones t) (fun t => 2%:R * ones t) ones.
Proof. by apply/in_interval_masses. Qed.
Lemma near_itself (R : realFieldType) (T : finType) (mu : T -> R) g :
  1 <= g -> nonneg mu -> near_measures g mu mu.
Proof.
by move=> g_ge1 mu_ge0 A; rewrite (ler_pemull (weight_ge0 A mu_ge0) g_ge1).
Qed.
Lemma ones_near : near_measures (Num.min third^-1 2%:R) ones ones.
Proof. exact: near_itself (isT : 1 <= Num.min third^-1 2%:R) ones_measure. Qed.
Definition interval_iff_near_instance :=
  @interval_iff_near Q bool_finType 2%:R ones ones isT.
Definition interval_near_instance :=
  @interval_near Q _ third 2%:R ones ones isT ones_measure ones_measure
    ones_between.
Definition near_interval_instance :=
  @near_interval Q _ third 2%:R ones ones isT ones_measure ones_measure
    ones_near.
Lemma two_gt0 (i : unit) (g : Q) : Some 2%:R = Some g -> 0 < g.
Proof. by case=> <-. Qed.
Lemma two_ge1 (i : unit) (g : Q) : Some 2%:R = Some g -> 1 <= g.
Proof. by case=> <-. Qed.
Definition pure_dp_iff_intervals_instance :=
  @pure_dp_iff_intervals Q _ _ _ (everything bool) one_apart
    (fun _ => Some 2%:R) answer two_gt0.
Definition pure_dp_iff_densities_instance :=
  @pure_dp_iff_densities Q _ _ _ (everything bool) one_apart
    (fun _ => Some 2%:R) answer two_ge1.
Definition zero_loss_instance :=
  @zero_loss Q _ _ _ (everything bool) unconnected (fun _ => Some 1) answer
    (fun _ => erefl).
Definition pure_dp_iff_neighbors_instance :=
  @pure_dp_iff_neighbors Q _ _ other one_apart 2%:R answer isT symmetric_other
    one_apart_shortest.
Definition density_bounded_instance :=
  @density_bounded Q [finType of bool] (fun _ => 1) (fun _ => 1) (fun _ => 1)
    (fun _ => ler01) (fun _ => ler01) (fun _ => lexx _) (fun _ => id).
Definition pure_dp_neighbors_instance :=
  @pure_dp_neighbors Q _ _ one_apart 2%:R answer answer_pure false true set0
    erefl.
Definition neighbors_group_privacy_refuted_instance :=
  @neighbors_group_privacy_refuted Q 2%:R isT.

(* The privatised data probability                                            *)
Lemma near_point (x : bool) :
  x \in setT -> within (everything bool tt) one_apart 1 setT [set x].
Proof. by move=> _; apply: near_all. Qed.
Lemma in_all (t : bool) : true \in [set: bool]. Proof. by rewrite inE. Qed.
Definition privatised_interval_instance :=
  @privatised_interval Q _ _ _ _ _ _ _ tt _ (fair Q) setT (fun _ => 1%N)
    (fun _ => true) setT answer_pure erefl isT near_point in_all.
Definition privatised_upper_instance :=
  @privatised_upper Q _ _ _ _ _ _ _ tt _ (fair Q) setT (fun _ => 1%N)
    (fun _ => true) setT answer_pure erefl isT near_point in_all.
Lemma true_given (P : law Q bool_finType) (t : bool) : P true != 0 ->
  true \in supp_given P answer true.
Proof. by rewrite !inE answer_neq0 andbT. Qed.
Lemma fair_true : fair Q true != 0. Proof. by rewrite fairE. Qed.
Definition privatised_lower_instance :=
  @privatised_lower Q _ _ _ _ _ _ _ tt _ (fair Q) 1 true (fun _ => 1%N)
    (fun _ => true) setT answer_pure erefl isT (near_all _ _)
    (seen_neq0 _ answer_neq0) (fun x _ => near_all _ _)
    (fun t => true_given t fair_true).
Definition privatised_lower_refuted_instance :=
  @privatised_lower_refuted Q 2%:R isT.
Definition prior_predictive_interval_instance :=
  @prior_predictive_interval Q _ _ _ _ _ _ _ _ tt _ (fair Q) answer setT
    (fun _ => 1%N) (fun _ => true) setT answer_pure erefl isT near_point in_all.
Definition prior_predictive_upper_instance :=
  @prior_predictive_upper Q _ _ _ _ _ _ _ _ tt _ (fair Q) answer setT
    (fun _ => 1%N) (fun _ => true) setT answer_pure erefl isT near_point in_all.
Definition prior_predictive_lower_instance :=
  @prior_predictive_lower Q _ _ _ _ _ _ _ _ tt _ (fair Q) answer 1 true
    (fun _ => 1%N) (fun _ => true) setT answer_pure erefl isT (near_all _ _)
    (seen_neq0 _ model_seen_neq0) (fun x _ => near_all _ _)
    (fun t => true_given t (seen_neq0 _ answer_neq0)).
Definition prior_predictive_lower_refuted_instance :=
  @prior_predictive_lower_refuted Q 2%:R isT.

(* Posteriors                                                                 *)
Lemma fair_supp (b : bool) : b \in supp (fair Q) -> Pr (answer b) setT = 1.
Proof. by move=> _; apply: PrT. Qed.
Definition prior_given_prior_instance :=
  @prior_given_prior Q _ _ (fair Q) answer setT 1 setT fair_supp isT.
Definition posterior_odds_instance :=
  @posterior_odds Q _ _ _ _ _ _ _ _ tt _ 1 (fair Q) answer setT true
    answer_pure erefl isT (near_all _ _) (subsetT _) [set true] [set false].
Definition posterior_interval_instance :=
  @posterior_interval Q _ _ _ _ _ _ _ _ tt _ 1 (fair Q) answer setT true
    answer_pure erefl isT (near_all _ _) (subsetT _)
    (seen_neq0 _ model_seen_neq0) [set true].
Definition posterior_sharp_instance :=
  @posterior_sharp Q _ _ _ _ _ _ _ _ tt _ 1 (fair Q) answer setT true
    answer_pure erefl isT (near_all _ _) (subsetT _)
    (seen_neq0 _ model_seen_neq0) [set true].
Definition posterior_connected_instance :=
  @posterior_connected Q _ _ _ _ _ _ _ _ tt _ 1 (fair Q) answer true
    [set true] answer_pure erefl isT (near_all _ _)
    (seen_neq0 _ model_seen_neq0).
Definition posterior_connected_sharp_instance :=
  @posterior_connected_sharp Q _ _ _ _ _ _ _ _ tt _ 1 (fair Q) answer true
    [set true] answer_pure erefl isT (near_all _ _)
    (seen_neq0 _ model_seen_neq0).
Definition data_set_posterior_instance :=
  @data_set_posterior Q _ _ _ _ _ _ _ tt _ 1 (fair Q) true [set true]
    answer_pure erefl isT (near_all _ _) (seen_neq0 _ answer_neq0).
Definition finite_change_iff_instance :=
  @finite_change_iff Q bool_finType bool_finType answer true.
Definition posterior_interval_refuted_instance :=
  @posterior_interval_refuted Q 2%:R isT.
Definition posterior_printed_approached_instance :=
  @posterior_printed_approached Q 2%:R third isT.
Definition odds_attained_instance :=
  @odds_attained Q _ _ _ 2%:R 1 false true isT symmetric_other
    one_apart_shortest erefl.
Definition posterior_sharp_attained_instance :=
  @posterior_sharp_attained Q _ _ _ 2%:R 1 false true isT symmetric_other
    one_apart_shortest erefl.
Lemma sure_gt0 : 0 < Pr (fair Q) setT. Proof. by rewrite PrT. Qed.
Definition posterior_connected_strict_instance :=
  @posterior_connected_strict Q _ _ _ _ _ _ _ _ tt _ 1 (fair Q) answer true
    setT answer_pure erefl isT isT (near_all _ _) (seen_neq0 _ model_seen_neq0)
    sure_gt0.
Definition privatised_bounds_approached_instance :=
  @privatised_bounds_approached Q _ _ _ 2%:R 1 false true isT symmetric_other
    one_apart_shortest erefl.

(* One bit                                                                    *)
Definition iterated_power_le_instance := @iterated_power_le Q 2%:R third 3 isT.
Definition iterated_power_small_instance :=
  @iterated_power_small Q 2%:R (12%:R^-1) 2 isT isT isT.
Definition iterated_power_lt_instance := @iterated_power_lt Q 2%:R isT.
Definition mult_le_iff_power_instance :=
  @mult_le_iff_power Q _ 2%:R (answer true) (answer false) isT.
Definition path_power_instance :=
  @path_power Q _ _ _ _ 2%:R answer 1 false true [set true] isT
    one_apart_shortest answer_pure erefl.
Definition models_near_instance :=
  @models_near Q _ _ _ _ _ _ _ tt _ 1 (answer true) (answer false) answer_pure
    erefl isT (near_all _ _).
Definition model_power_upper_instance :=
  @model_power_upper Q _ _ _ _ _ _ _ tt _ 1 (answer true) (answer false)
    [set true] 1 answer_pure erefl isT (near_all _ _) (Pr_le1 _ _).
Definition model_power_interval_instance :=
  @model_power_interval Q _ _ _ _ _ _ _ tt _ 1 (answer true) (answer false)
    [set true] answer_pure erefl isT (near_all _ _).
Definition randomised_power_interval_instance :=
  @randomised_power_interval Q _ _ _ _ _ _ _ tt _ 1 (answer true)
    (answer false) answer answer_pure erefl isT (near_all _ _).
Definition iterated_power_instance :=
  @iterated_power Q _ _ _ _ 2%:R answer 1 (answer true) (answer false)
    [set true] isT one_apart_shortest answer_pure (near_all _ _).
Definition roc_region_instance :=
  @roc_region Q 2%:R _ _ third_ends two_thirds_ends isT.
Definition ladder_pure_instance :=
  @ladder_pure Q _ _ _ 2%:R third isT third_ends false 1 symmetric_other
    one_apart_shortest.
Definition sharpest_power_attained_instance :=
  @sharpest_power_attained Q _ _ _ 2%:R false true 1 third isT symmetric_other
    one_apart_shortest erefl third_ends.
Definition printed_power_attained_instance :=
  @printed_power_attained Q _ _ _ 2%:R false true 0 third isT symmetric_other
    one_apart_shortest erefl isT isT.
Definition power_max_attained_instance :=
  @power_max_attained Q 2%:R third isT third_ends.

(* Two bits                                                                   *)
Definition bits_apart (x x' : bool * bool) : nat :=
  (x.1 != x'.1) + (x.2 != x'.2).
Definition one_bit (x x' : bool * bool) : bool := bits_apart x x' == 1%N.
Lemma bits_walk m x x' : walk one_bit m x x' -> (bits_apart x x' <= m)%N.
Proof.
elim: m x => [|m IHm] x /=; first by move=> ->; case: x' => [[] []].
case=> y /eqP xy /IHm; rewrite -ltnS => /(leq_trans _); apply.
by move: xy {IHm}; case: x y x' => [[] []] [[] []] [[] []].
Qed.
Lemma bits_shortest :
  is_shortest_walk one_bit (fun x x' => Some (bits_apart x x')).
Proof.
move=> x x'; split; last exact (fun m => @bits_walk m x x').
have step y y' : one_bit y y' -> walk one_bit 1 y y' by exists y'.
case: x x' => a b [a' b']; rewrite /bits_apart /=.
case: (eqVneq a a') => [->|na]; case: (eqVneq b b') => [->|nb] //=.
- by apply: step; rewrite /one_bit /bits_apart /= eqxx nb.
- by apply: step; rewrite /one_bit /bits_apart /= eqxx na.
exists (a', b); first by rewrite /one_bit /bits_apart /= eqxx na.
by apply: step; rewrite /one_bit /bits_apart /= eqxx nb.
Qed.
Lemma fifth_ends : 0 <= (5%:R^-1 : Q) <= 1. Proof. by []. Qed.
Definition silence (x : bool * bool) : law Q bool_finType :=
  bern 5%:R^-1 fifth_ends.
Lemma silence_pure : pure_dp (everything (bool * bool))
  (fun x x' => Some (bits_apart x x')) (fun _ => Some 2%:R) silence.
Proof.
by move=> i x x' _ _; apply: mult_le_refl; rewrite exprn_ege1.
Qed.
Lemma silence_size :
  Pr (silence (false, false)) [set true] = (1 + 2%:R ^+ 2)^-1.
Proof. by rewrite Pr1 bernE; apply/eqP. Qed.
Definition printed_power_unattained_instance :=
  @printed_power_unattained Q _ _ _ _ 2%:R silence (false, false) (true, true)
    [set true] isT bits_shortest silence_pure erefl silence_size.
