From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure invariants
  processing instances two_step normalized_renyi nor_metric unordered_distance
  household_records unit_mechanisms discrete_gaussian nearest_derangements.

(******************************************************************************)
(* Instances of the theorems on releases with two steps: two bits, of which   *)
(* the second is invariant and the first is not measured; and of those on     *)
(* kinds of records: mechanisms that release a point mass, two persons in two *)
(* units, one answer at one place.                                            *)
(*                                                                            *)
(*   same_bit == the universes of the second bit                              *)
(*   silent == the measurement that says nothing                              *)
(*   one_outcome z == the law that is sure of true                            *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.
Local Notation bits := [eqType of bool * bool].

Definition same_bit : bool * bool -> bool * bool -> Prop :=
  invariant_universe snd.
Lemma bit_constant (i x x' : bool * bool) :
  same_bit i x -> same_bit i x' -> x.2 = x'.2.
Proof. by move=> -> ->. Qed.

Definition silent (x : bool * bool) : law Q bool_finType := dirac true.
Lemma silent_satisfies : satisfies same_bit (constant_dist bits)
  (equal_laws bool_finType) (fun _ => 1e) silent.
Proof. by move=> i x x' _ _; rewrite dist_refl le0e. Qed.

Lemma equal_laws_processing : data_processing equal_laws.
Proof.
apply/postprocessing_iff_data_processing => X I U d.
exact/randomised_immune/equal_laws_immune.
Qed.
Lemma equal_laws_noise_processing : noise_processing equal_laws.
Proof. exact/randomised_iff_noise_processing/equal_laws_immune. Qed.

Definition measured_satisfies_instance :=
  @measured_satisfies Q equal_laws _ _ _ _ _ _ _ silent silent snd _ _
    bit_constant silent_satisfies silent_satisfies equal_laws_subadditive.
Definition two_step_satisfies_instance :=
  @two_step_satisfies Q equal_laws _ _ _ _ _ _ _ silent silent snd _ _
    bit_constant silent_satisfies silent_satisfies equal_laws_subadditive
    equal_laws_noise_processing _ (fun t => dirac t).
Definition two_runs_satisfies_instance :=
  @two_runs_satisfies Q equal_laws _ _ _ _ _ _ _ silent silent snd _ _
    bit_constant silent_satisfies silent_satisfies equal_laws_subadditive
    equal_laws_noise_processing _ _ silent _ (fun t => dirac t)
    silent_satisfies.

Lemma bit_kept :
  keeps id snd (fun x : bool * bool => dirac x.2 : law Q bool_finType).
Proof.
move=> x w; rewrite diracE; case: (w =P x.2) => [//|_].
by rewrite eqxx.
Qed.
Definition kept_infinite_instance :=
  @kept_infinite Q equal_laws _ _ (everything bits) (constant_dist bits) _ _ _ _
    _ (fun _ => 1e) tt (true, true) (true, false) equal_laws_processing
    (@apart_laws bool_finType) bit_kept I I isT ltac:(by []) isT.

(* Kinds of records                                                           *)
Local Open Scope nat_scope.

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
