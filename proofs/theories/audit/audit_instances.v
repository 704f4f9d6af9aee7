From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import real_field choice_tree exponential_bound.
From Stirred Require Import audited_claim.

(******************************************************************************)
(* Instances of the theorems on audited claims that have premises: one answer *)
(* that is flipped with probability 1/3, which needs epsilon = ln 2.          *)
(*                                                                            *)
(*   flipped t u == the tree that ends with t twice as often as with u        *)
(*   two_answers == the trees of the answers 0 and 1                          *)
(*   two_apart == the distance 1 between them                                 *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition flipped (t u : nat) : tree :=
  Choose [:: 2; 1]%num [:: Give t; Give u].
Definition two_answers : seq tree := [:: flipped 0 1; flipped 1 0].
Definition two_apart : input_distance := changed_places [:: [:: 0]; [:: 1]]%num.

Definition tree_lawE_instance := @tree_lawE 1 (flipped 0 1) ord0
  ltac:(by vm_compute) ltac:(by vm_compute).
Definition at_least_sound_instance :=
  @at_least_sound 4 (Exact (4, 5)%num) (1, 1)%num (2, 1)%num erefl.
Definition at_most_sound_instance :=
  @at_most_sound 4 (Exact (4, 5)%num) (1, 1)%num (3, 1)%num erefl.
Definition met_sound_instance (choice : choice_of_reals) :=
  @met_sound choice 4 1 two_answers [:: [:: 0; 1]] two_apart
    (Multiplicative (0, 1)%num) (Log (2, 1)%num 1%num)
    [:: ((1, 1), (2, 1))%num] erefl.
Definition exceeded_sound_instance (choice : choice_of_reals) :=
  @exceeded_sound choice 4 1 two_answers [:: [:: 0; 1]] two_apart
    TotalVariation (Exact (1, 4)%num) 0 0 1 [:: 0] (1, 1)%num erefl.
