From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.

(******************************************************************************)
(* The laws of the real numbers of Coq's standard library with decisions as   *)
(* booleans, as real_field.v needs them.                                      *)
(*                                                                            *)
(*   real_eqb, real_leb, real_ltb == the decisions; real_inv 0 == 0           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope R_scope.

Definition real_eqb (x y : R) : bool := Req_EM_T x y.
Definition real_leb (x y : R) : bool := Rle_dec x y.
Definition real_ltb (x y : R) : bool := Rlt_dec x y.
Definition real_inv (x : R) : R := if real_eqb x 0 then 0 else / x.

Lemma real_eqbP : Equality.axiom real_eqb.
Proof.
by move=> x y; rewrite /real_eqb; case: Req_EM_T => ? /=; constructor.
Qed.

Lemma real_lebP x y : reflect (x <= y) (real_leb x y).
Proof. by rewrite /real_leb; case: Rle_dec => ? /=; constructor. Qed.

Lemma real_ltbP x y : reflect (x < y) (real_ltb x y).
Proof. by rewrite /real_ltb; case: Rlt_dec => ? /=; constructor. Qed.

Lemma real_addA : associative Rplus.
Proof. by move=> *; rewrite Rplus_assoc. Qed.

Lemma real_mulA : associative Rmult.
Proof. by move=> *; rewrite Rmult_assoc. Qed.

Lemma real_1n0 : ~~ real_eqb 1 0.
Proof. by apply/real_eqbP; apply: R1_neq_R0. Qed.

Lemma real_mulV x : ~~ real_eqb x 0 -> real_inv x * x = 1.
Proof.
by move=> x_n0; rewrite /real_inv (negbTE x_n0) Rinv_l //; apply/real_eqbP.
Qed.

Lemma real_inv0 : real_inv 0 = 0.
Proof. by rewrite /real_inv; case: real_eqbP. Qed.

Lemma real_norm_add x y : real_leb (Rabs (x + y)) (Rabs x + Rabs y).
Proof. by apply/real_lebP; apply: Rabs_triang. Qed.

Lemma real_add_gt0 x y : real_ltb 0 x -> real_ltb 0 y -> real_ltb 0 (x + y).
Proof. by move=> /real_ltbP ? /real_ltbP ?; apply/real_ltbP; lra. Qed.

Lemma real_norm0 x : Rabs x = 0 -> x = 0.
Proof. by move=> x0; case: (Req_dec x 0) => // /Rabs_no_R0. Qed.

Lemma real_le_total x y : real_leb x y || real_leb y x.
Proof. by do 2!case: real_lebP => //=; lra. Qed.

Lemma real_le_def x y : real_leb x y = real_eqb (Rabs (y - x)) (y - x).
Proof.
apply/real_lebP/real_eqbP => [le_xy | eq_yx]; first by rewrite Rabs_pos_eq; lra.
by have := Rabs_pos (y - x); rewrite eq_yx; lra.
Qed.

Lemma real_lt_def x y : real_ltb x y = ~~ real_eqb y x && real_leb x y.
Proof.
by apply/real_ltbP/andP => [? | [/real_eqbP ? /real_lebP ?]]; last lra;
  split; [apply/real_eqbP | apply/real_lebP]; lra.
Qed.
