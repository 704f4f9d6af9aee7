From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law extended specification pure invariants.
From Stirred Require Import processing instances two_step.

(******************************************************************************)
(* Instances of the theorems on releases with two steps: two bits, of which   *)
(* the second is invariant and the first is not measured.                     *)
(*                                                                            *)
(*   same_bit == the universes of the second bit                           *)
(*   silent == the measurement that says nothing                              *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
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
