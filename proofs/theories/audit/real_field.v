From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.

(******************************************************************************)
(* The real numbers of Coq's standard library as a real field, so that        *)
(* budgets such as ln 3 and premetrics with logarithms are values of the      *)
(* theory of specifications. A field of Mathematical Components comes with a  *)
(* choice function on its elements, which the axioms of the real numbers do   *)
(* not give; it is a parameter here, and no statement depends on it.          *)
(*                                                                            *)
(*   choice_of_reals == choice functions on the real numbers                  *)
(*      reals choice == the field of the real numbers                         *)
(*   realsP == its order is that of the standard library                      *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope R_scope.

Definition choice_of_reals : Type := Choice.mixin_of R.

Definition real_eqb (x y : R) : bool := Req_EM_T x y.
Definition real_leb (x y : R) : bool := Rle_dec x y.
Definition real_ltb (x y : R) : bool := Rlt_dec x y.

Lemma real_eqbP : Equality.axiom real_eqb.
Proof.
by move=> x y; rewrite /real_eqb; case: Req_EM_T => ? /=; constructor.
Qed.

Lemma real_lebP x y : reflect (x <= y) (real_leb x y).
Proof. by rewrite /real_leb; case: Rle_dec => ? /=; constructor. Qed.

Lemma real_ltbP x y : reflect (x < y) (real_ltb x y).
Proof. by rewrite /real_ltb; case: Rlt_dec => ? /=; constructor. Qed.

Section Field.

Variable choice : choice_of_reals.

Canonical real_eqType := EqType R (EqMixin real_eqbP).
Canonical real_choiceType := ChoiceType R choice.

Lemma real_addA : associative Rplus.
Proof. by move=> *; rewrite Rplus_assoc. Qed.

Lemma real_mulA : associative Rmult.
Proof. by move=> *; rewrite Rmult_assoc. Qed.

Lemma real_1n0 : 1 != 0 :> R.
Proof. by apply/eqP; apply: R1_neq_R0. Qed.

Canonical real_zmodType := ZmodType R
  (ZmodMixin real_addA Rplus_comm Rplus_0_l Rplus_opp_l).
Canonical real_ringType := RingType R
  (RingMixin real_mulA Rmult_1_l Rmult_1_r Rmult_plus_distr_r
     Rmult_plus_distr_l real_1n0).
Canonical real_comRingType := ComRingType R Rmult_comm.

Definition real_inv (x : R) : R := if x == 0 then 0 else / x.

Lemma real_mulV x : x != 0 -> real_inv x * x = 1.
Proof.
by move=> x_n0; rewrite /real_inv (negbTE x_n0) Rinv_l //; apply/eqP.
Qed.

Lemma real_inv0 : real_inv 0 = 0.
Proof. by rewrite /real_inv eqxx. Qed.

Definition real_unitRingMixin := FieldUnitMixin real_mulV real_inv0.
Canonical real_unitRingType := UnitRingType R real_unitRingMixin.
Canonical real_comUnitRingType := [comUnitRingType of R].

Lemma real_field_axiom : GRing.Field.mixin_of real_unitRingType.
Proof. by []. Qed.

Canonical real_idomainType :=
  IdomainType R (FieldIdomainMixin real_field_axiom).
Canonical real_fieldType := FieldType R real_field_axiom.

Lemma real_norm_add x y : real_leb (Rabs (x + y)) (Rabs x + Rabs y).
Proof. by apply/real_lebP; apply: Rabs_triang. Qed.

Lemma real_add_gt0 x y : real_ltb 0 x -> real_ltb 0 y -> real_ltb 0 (x + y).
Proof. by move=> /real_ltbP ? /real_ltbP ?; apply/real_ltbP; lra. Qed.

Lemma real_norm0 x : Rabs x = 0 -> x = 0.
Proof. by move=> x0; case: (Req_dec x 0) => // /Rabs_no_R0. Qed.

Lemma real_le_total x y :
  real_leb 0 x -> real_leb 0 y -> real_leb x y || real_leb y x.
Proof. by move=> _ _; do 2!case: real_lebP => //=; lra. Qed.

Lemma real_le_def x y : real_leb x y = (Rabs (y - x) == y - x).
Proof.
apply/real_lebP/eqP => [le_xy | eq_yx]; first by rewrite Rabs_pos_eq; lra.
by have := Rabs_pos (y - x); rewrite eq_yx; lra.
Qed.

Lemma real_lt_def x y : real_ltb x y = (y != x) && real_leb x y.
Proof.
by apply/real_ltbP/andP => [? | [/eqP ? /real_lebP ?]]; last lra;
  split; [apply/eqP | apply/real_lebP]; lra.
Qed.

Definition real_numMixin := NumMixin real_norm_add real_add_gt0 real_norm0
  real_le_total Rabs_mult real_le_def real_lt_def.
Canonical real_porderType := POrderType ring_display R real_numMixin.
Canonical real_numDomainType := NumDomainType R real_numMixin.
Canonical real_normedZmodType := NormedZmodType R R real_numMixin.
Canonical real_numFieldType := [numFieldType of R].

Lemma real_totalMixin : totalPOrderMixin real_porderType.
Proof.
move=> x y; change (real_leb x y || real_leb y x).
by do 2!case: real_lebP => //=; lra.
Qed.

Canonical real_latticeType := LatticeType R real_totalMixin.
Canonical real_distrLatticeType := DistrLatticeType R real_totalMixin.
Canonical real_orderType := OrderType R real_totalMixin.
Canonical real_realDomainType := [realDomainType of R].
Definition reals : realFieldType := [realFieldType of R].

Lemma realsP (x y : reals) : reflect (Rle x y) (x <= y)%R.
Proof. exact: real_lebP. Qed.

End Field.
