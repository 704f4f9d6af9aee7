From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law pure normalized_renyi nor_metric.
From Stirred Require Import unordered_distance household_records donor_records.
From Stirred Require Import bounded_chains unit_mechanisms discrete_gaussian.
From Stirred Require Import nearest_derangements.

(******************************************************************************)
(* Instances of the theorems on kinds of records: mechanisms that release a   *)
(* point mass, two persons in two units, one answer at one place.             *)
(*                                                                            *)
(*   one_outcome z == the law that is sure of true                            *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Notation bit := [finType of bool].

Definition der_nearest_instance := @der_nearest 3 isT.
Definition household_distances_instance :=
  @household_distances bit bit 1 [ffun=> (true, true)] [ffun=> (false, true)].
Definition household_distances_attained_instance :=
  @household_distances_attained bit bit true false true false isT isT.

Lemma count_constant (b t : bool) :
  record_count ([ffun=> b] : {ffun 'I_1 -> bool}) t = (b == t).
Proof.
rewrite /record_count (_ : [set i | _] = if b == t then setT else set0).
  by case: eqP => _; rewrite ?cards0 // cardsT card_ord.
by apply/setP => i; rewrite inE ffunE; case: eqP; rewrite inE.
Qed.
Lemma one_record_apart : Some (unordered_distance
  ([ffun=> true] : {ffun 'I_1 -> bool})
  ([ffun=> false] : {ffun 'I_1 -> bool})) = Some 1.
Proof.
by rewrite /unordered_distance (bigD1 true) // (bigD1 false) // big_pred0
  => [|[]] //; rewrite !count_constant.
Qed.
Definition unordered_chains_instance :=
  @unordered_chains bit 1 [ffun=> true] [ffun=> false] 0 one_record_apart.

Definition one_answer (i : unit) : unit := i.
Lemma one_place : duplicated one_answer 0.
Proof. by move=> i; apply: leq_trans (max_card _) _; rewrite card_unit. Qed.
Definition unit_bit (b : bool) : {ffun unit -> bool} := [ffun=> b].
Lemma only_tt k : (unit_bit true k != unit_bit false k) = (k == tt).
Proof. by rewrite !ffunE; case: k. Qed.

Definition donor_distance_instance :=
  @donor_distance _ _ _ _ 0 (unit_bit true) (unit_bit false) one_place.
Definition donor_distance_attained_instance :=
  @donor_distance_attained _ _ _ one_answer (unit_bit true) (unit_bit false) tt
    only_tt.

Lemma constant_pure :
  pure_dp (fun _ _ : _ => True)
    (fun z z' : {ffun unit -> bool} => Some (unordered_distance z z'))
    (fun _ : unit => Some (1 : rat_realFieldType)%R) (fun _ => fair _).
Proof. by move=> l x x' _ _; rewrite GRing.expr1n; apply: mult_le_refl. Qed.
Definition donor_pure_dp_instance :=
  @donor_pure_dp _ _ _ _ rat_realFieldType unit _ 0 (fun _ _ => True)
    (fun _ _ => True) (fun=> 1%R) _ one_place (fun _ _ _ => I)
    (fun=> Order.POrderTheory.lexx _) constant_pure.

Local Open Scope R_scope.

Definition one_outcome : unit -> R := fun _ => 1.
Lemma one_outcome_law : is_law one_outcome.
Proof. exact (@is_sum_unit one_outcome Rle_0_1). Qed.
Lemma one_outcome_zcdp X L (U : L -> X -> Prop) d :
  zcdp U d (fun=> Some 1) (fun _ : X => one_outcome).
Proof.
move=> l x x' _ _; case: (d x x') => [n|] //; exists 0.
  by apply/(nor_zero one_outcome_law one_outcome_law).
by rewrite Rmult_1_l; apply: pos_INR.
Qed.

Definition household_mechanism_instance :=
  @household_mechanism bit bit 1 unit unit (fun _ _ => True) (fun=> 1)
    (fun=> one_outcome) (fun=> Rle_0_1) (@one_outcome_zcdp _ _ _ _) tt
    [ffun=> (true, true)] [ffun=> (true, true)] Logic.I Logic.I.
Definition donor_zcdp_instance :=
  @donor_zcdp _ _ bit _ unit unit 0 (fun _ _ => True) (fun _ _ => True)
    (fun=> 1) (fun=> one_outcome) one_place (fun _ _ _ => I) (fun=> Rle_0_1)
    (@one_outcome_zcdp _ _ _ _).
Definition chains_zcdp_instance :=
  @chains_zcdp {ffun 'I_2 -> bool} unit _ 1 (fun=> one_outcome)
    (fun=> one_outcome_law) (@unordered_chains _ 2).
