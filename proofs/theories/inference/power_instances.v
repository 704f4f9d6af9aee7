From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import privatised_data power model_power power_attained.
From Stirred Require Import inference_instances.

(******************************************************************************)
(* Instances of the theorems on tests: one bit and its answer by randomised   *)
(* response with gamma = 2, and two bits at the Hamming distance.             *)
(*                                                                            *)
(*   silence x == the law of an answer that does not depend on the two bits   *)
(*   bits_apart == the number of bits that differ                             *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.

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
