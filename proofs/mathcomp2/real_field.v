From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import real_numbers.

(******************************************************************************)
(* The real numbers of Coq's standard library as a real field, so that        *)
(* budgets such as ln 3 and premetrics with logarithms are values of the      *)
(* theory of specifications. A field of Mathematical Components comes with a  *)
(* choice function on its elements, which the axioms of the real numbers do   *)
(* not give; it is a parameter here, and no statement depends on it.          *)
(* The structures are those of Mathematical Components 2.3; this file takes   *)
(* the place of theories/audit/real_field.v where that is installed.          *)
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

Record choice_of_reals : Type := ChoiceOfReals {
  chosen_real : pred R -> nat -> option R;
  chosen_realP : forall P n x, chosen_real P n = Some x -> P x;
  chosen_real_exists :
    forall P : pred R, (exists x, P x) -> exists n, chosen_real P n;
  chosen_real_ext :
    forall P Q : pred R, P =1 Q -> chosen_real P =1 chosen_real Q
}.

Lemma real_gt_def x y : real_ltb y x = ~~ real_eqb y x && real_leb y x.
Proof.
by rewrite real_lt_def; congr (~~ _ && _); apply/real_eqbP/real_eqbP => ->.
Qed.

Lemma real_divV x : ~~ real_eqb x 0 -> x * real_inv x = 1.
Proof. by move=> x_n0; rewrite Rmult_comm real_mulV. Qed.

Lemma real_unit x y : y * x = 1 /\ x * y = 1 -> ~~ real_eqb x 0.
Proof. by case=> yx _; apply/real_eqbP => x0; rewrite x0 in yx; lra. Qed.

Lemma real_inv_out : {in [predC [pred x | ~~ real_eqb x 0]], real_inv =1 id}.
Proof. by move=> x; rewrite !inE negbK => /real_eqbP ->; exact: real_inv0. Qed.

Lemma real_integral x y : x * y = 0 -> real_eqb x 0 || real_eqb y 0.
Proof.
by move=> /Rmult_integral[] xy0; apply/orP; [left | right]; apply/real_eqbP.
Qed.

Lemma real_normMn x n :
  Rabs (iterop n Rplus x 0) = iterop n Rplus (Rabs x) 0.
Proof.
have sumE y m : iterop m Rplus y 0 = INR m * y.
  elim: m => [|m IH]; first by rewrite Rmult_0_l.
  rewrite S_INR Rmult_plus_distr_r -IH Rmult_1_l.
  by case: m {IH} => /= [|m]; lra.
by rewrite !sumE Rabs_mult Rabs_pos_eq //; apply: pos_INR.
Qed.

Lemma real_le_refl : reflexive real_leb.
Proof. by move=> x; apply/real_lebP/Rle_refl. Qed.

Lemma real_le_anti : antisymmetric real_leb.
Proof. by move=> x y /andP[/real_lebP ? /real_lebP ?]; lra. Qed.

Lemma real_le_trans : transitive real_leb.
Proof. by move=> y x z /real_lebP ? /real_lebP ?; apply/real_lebP; lra. Qed.

Lemma real_le_min x y z : real_leb x (Rmin y z) = real_leb x y && real_leb x z.
Proof.
by rewrite /Rmin; case: Rle_dec => ? /=; do ![case: real_lebP => //=]; lra.
Qed.

Lemma real_ge_max x y z : real_leb (Rmax x y) z = real_leb x z && real_leb y z.
Proof.
by rewrite /Rmax; case: Rle_dec => ? /=; do ![case: real_lebP => //=]; lra.
Qed.

Lemma real_min_max : left_distributive Rmin Rmax.
Proof.
move=> x y z; rewrite /Rmin /Rmax; case: (Rle_dec x y) => ? /=;
  case: (Rle_dec x z) => ? /=; case: (Rle_dec y z) => ? /=;
  by do ?[case: Rle_dec => ? /=]; lra.
Qed.

Lemma real_max_min : left_distributive Rmax Rmin.
Proof.
move=> x y z; rewrite /Rmin /Rmax; case: (Rle_dec x y) => ? /=;
  case: (Rle_dec x z) => ? /=; case: (Rle_dec y z) => ? /=;
  by do ?[case: Rle_dec => ? /=]; lra.
Qed.

Definition reals (c : choice_of_reals) : realFieldType :=
  let a := @GRing.isNmodule.Axioms_ R R0 Rplus real_addA Rplus_comm
    Rplus_0_l in
  let h := @hasChoice.Axioms_ R (chosen_real c) (@chosen_realP c)
    (@chosen_real_exists c) (@chosen_real_ext c) in
  let e := @hasDecEq.Axioms_ R real_eqb real_eqbP in
  let o := @Order.isDuallyPOrder.Axioms_ ring_display R e real_leb real_ltb
    real_lt_def real_gt_def real_le_refl real_le_refl real_le_anti
    (fun x y yx => real_le_anti (etrans (andbC _ _) yx)) real_le_trans
    (fun y x z xy yz => real_le_trans yz xy) in
  let i := @Order.POrder_isMeetSemilattice.Axioms_ ring_display R h e o Rmin
    real_le_min in
  let s := @Order.POrder_isJoinSemilattice.Axioms_ ring_display R h e o Rmax
    real_ge_max in
  let d := @Order.Lattice_isDistributive.Axioms_ ring_display R h e o i s
    real_min_max real_max_min in
  let t := @Order.DistrLattice_isTotal.Axioms_ ring_display R h e o i s d
    real_le_total in
  let r := @GRing.Nmodule_isSemiRing.Axioms_ R a h e R1 Rmult real_mulA
    Rmult_1_l Rmult_1_r Rmult_plus_distr_r Rmult_plus_distr_l Rmult_0_l
    Rmult_0_r real_1n0 in
  let k := @GRing.SemiRing_hasCommutativeMul.Axioms_ R a h e r Rmult_comm in
  let z := @GRing.Nmodule_isZmodule.Axioms_ R a h e Ropp Rplus_opp_l in
  let v := @GRing.Ring_hasMulInverse.Axioms_ R a h e r z
    (fun x => ~~ real_eqb x 0) real_inv real_mulV real_divV real_unit
    real_inv_out in
  let f := @GRing.UnitRing_isField.Axioms_ R a h e r z v (fun x => id) in
  let g := @GRing.ComUnitRing_isIntegral.Axioms_ R a h e r k z v
    real_integral in
  let p := @Num.POrderedZmodule.Pack R
    (@Num.POrderedZmodule.Class R a h e o z) in
  let n := @Num.Zmodule_isNormed.Axioms_ p R a h e z Rabs real_norm_add
    real_norm0 real_normMn Rabs_Ropp in
  let m := @Num.isNumRing.Axioms_ R a h e o r z n real_add_gt0
    (fun x y _ _ => real_le_total x y) Rabs_mult real_le_def in
  @Num.RealField.Pack R (@Num.RealField.Class R a h e o i s d t r k z v f g n
    m).

Lemma realsP choice (x y : reals choice) : reflect (Rle x y) (x <= y)%R.
Proof. exact: real_lebP. Qed.
