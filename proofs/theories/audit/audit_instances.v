From Coq Require Import BinNat Reals ClassicalEpsilon FunctionalExtensionality.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import real_field choice_tree exponential_bound
  audited_claim.

(******************************************************************************)
(* Instances of the theorems on audited claims that have premises: one answer *)
(* that is flipped with probability 1/3, which needs epsilon = ln 2; and a    *)
(* choice function on the real numbers, by Hilbert's epsilon, so that the     *)
(* parameter of real_field.v can be met. Only instances use it, with one      *)
(* axiom more than the theorems, constructive_indefinite_description.         *)
(*                                                                            *)
(*   epsilon_choice == the choice function                                    *)
(*   flipped t u == the tree that ends with t twice as often as with u        *)
(*   two_answers == the trees of the answers 0 and 1                          *)
(*   two_apart == the distance 1 between them                                 *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
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

Definition chosen (P : pred R) (n : nat) : option R :=
  if excluded_middle_informative (exists x, P x) is left ex
  then Some (proj1_sig (constructive_indefinite_description _ ex)) else None.

Lemma chosenP P n x : chosen P n = Some x -> P x.
Proof.
rewrite /chosen; case: excluded_middle_informative => // ex [<-].
exact: (proj2_sig (constructive_indefinite_description _ ex)).
Qed.

Lemma chosen_exists (P : pred R) : (exists x, P x) -> exists n, chosen P n.
Proof.
by move=> ex; exists 0; rewrite /chosen; case: excluded_middle_informative.
Qed.

Lemma chosen_ext (P Q : pred R) : P =1 Q -> chosen P =1 chosen Q.
Proof. by move=> /functional_extensionality ->. Qed.

Definition epsilon_choice : choice_of_reals :=
  ChoiceOfReals chosenP chosen_exists chosen_ext.
