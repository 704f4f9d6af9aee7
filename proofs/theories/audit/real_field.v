From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import real_numbers.

(******************************************************************************)
(* The real numbers of Coq's standard library as a real field, so that        *)
(* budgets such as ln 3 and premetrics with logarithms are values of the      *)
(* theory of specifications. A field of Mathematical Components comes with a  *)
(* choice function on its elements, which the axioms of the real numbers do   *)
(* not give; it is a parameter here, and no statement depends on it.          *)
(* The structures are those of Mathematical Components 1.15; those of 2.3     *)
(* stand in mathcomp2/real_field.v, with the same names.                      *)
(*                                                                            *)
(*   choice_of_reals == choice functions on the real numbers                  *)
(*      reals choice == the field of the real numbers                         *)
(*   realsP == its order is that of the standard library                      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope R_scope.

Record choice_of_reals : Type := ChoiceOfReals {
  chosen_real : pred R -> nat -> option R;
  chosen_realP : forall P n x, chosen_real P n = Some x -> P x;
  chosen_real_exists :
    forall P : pred R, (exists x, P x) -> exists n, chosen_real P n;
  chosen_real_ext :
    forall P Q : pred R, P =1 Q -> chosen_real P =1 chosen_real Q
}.

Section Field.

Variable choice : choice_of_reals.

Canonical real_eqType := EqType R (EqMixin real_eqbP).
Canonical real_choiceType := ChoiceType R
  (Choice.Mixin (@chosen_realP choice) (@chosen_real_exists choice)
     (@chosen_real_ext choice)).

Canonical real_zmodType := ZmodType R
  (ZmodMixin real_addA Rplus_comm Rplus_0_l Rplus_opp_l).
Canonical real_ringType := RingType R
  (RingMixin real_mulA Rmult_1_l Rmult_1_r Rmult_plus_distr_r
     Rmult_plus_distr_l real_1n0).
Canonical real_comRingType := ComRingType R Rmult_comm.

Definition real_unitRingMixin := FieldUnitMixin real_mulV real_inv0.
Canonical real_unitRingType := UnitRingType R real_unitRingMixin.
Canonical real_comUnitRingType := [comUnitRingType of R].

Lemma real_field_axiom : GRing.Field.mixin_of real_unitRingType.
Proof. by []. Qed.

Canonical real_idomainType :=
  IdomainType R (FieldIdomainMixin real_field_axiom).
Canonical real_fieldType := FieldType R real_field_axiom.

Definition real_numMixin := NumMixin real_norm_add real_add_gt0 real_norm0
  (fun x y _ _ => real_le_total x y) Rabs_mult real_le_def real_lt_def.
Canonical real_porderType := POrderType ring_display R real_numMixin.
Canonical real_numDomainType := NumDomainType R real_numMixin.
Canonical real_normedZmodType := NormedZmodType R R real_numMixin.
Canonical real_numFieldType := [numFieldType of R].

Lemma real_totalMixin : totalPOrderMixin real_porderType.
Proof. exact: real_le_total. Qed.

Canonical real_latticeType := LatticeType R real_totalMixin.
Canonical real_distrLatticeType := DistrLatticeType R real_totalMixin.
Canonical real_orderType := OrderType R real_totalMixin.
Canonical real_realDomainType := [realDomainType of R].
Definition reals : realFieldType := [realFieldType of R].

Lemma realsP (x y : reals) : reflect (Rle x y) (x <= y)%R.
Proof. exact: real_lebP. Qed.

End Field.
