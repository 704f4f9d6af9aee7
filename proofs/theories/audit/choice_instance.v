From Coq Require Import Reals ClassicalEpsilon FunctionalExtensionality.
From mathcomp Require Import all_ssreflect.
From Stirred Require Import real_field.

(******************************************************************************)
(* A choice function on the real numbers, by Hilbert's epsilon: the parameter *)
(* of real_field.v can be met. Only instances use it, with one axiom more     *)
(* than the theorems, constructive_indefinite_description.                    *)
(*                                                                            *)
(*   epsilon_choice == the choice function                                    *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

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
