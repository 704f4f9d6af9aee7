From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat extended specification sharpening.

(******************************************************************************)
(* The closure of a constraint matrix under symmetry and the triangle         *)
(* inequality.                                                                *)
(*                                                                            *)
(*   symmetrised C x x' == the smaller one of C x x' and C x' x               *)
(*                                                                            *)
(* Headline theorem                                                           *)
(*   symmetric_matrix_closure == where D has both properties, C says as much  *)
(*            as the closure of symmetrised C under shortest paths            *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Closure.

Variables (R : realFieldType) (X : eqType) (C : X -> X -> ext R).

Definition symmetrised (x x' : X) : ext R := mine (C x x') (C x' x).

Lemma below_symmetrised (L : Type) (D : premetric R L) (T : X -> L) :
  symmetric_dist D -> below C D T <-> below symmetrised D T.
Proof.
move=> symD; split=> le_T x x'; last first.
  by have := le_T x x'; rewrite le_mine => /andP[].
by rewrite le_mine le_T symD le_T.
Qed.

Theorem symmetric_matrix_closure (Cs : premetric R X) (L : Type)
    (D : premetric R L) (T : X -> L) :
  triangular D -> symmetric_dist D ->
  is_sharpening (of_matrix symmetrised) Cs -> below C D T <-> below Cs D T.
Proof.
move=> triD symD sharp; apply: iff_trans (below_symmetrised _ symD) _.
exact: matrix_closure triD sharp.
Qed.

End Closure.

(* On a single data set                                                       *)
Local Notation zero := (@of_matrix rat_realFieldType unit_eqType).

Lemma unit_sharpening C : is_sharpening (zero C) (zero C).
Proof.
apply: is_sharpeningP => [[] [] [] | [] []]; first by rewrite dist_refl le0e.
by exists [::]; rewrite ?dist_refl.
Qed.

Lemma unit_triangular C : triangular (zero C).
Proof. by move=> [] [] []; rewrite dist_refl le0e. Qed.

Lemma unit_symmetric C : symmetric_dist (zero C).
Proof. by move=> [] []. Qed.

Definition symmetric_matrix_closure_instance :=
  @symmetric_matrix_closure _ _ (fun _ _ => 1e) _ _ (zero (fun _ _ => 1e)) id
    (unit_triangular _) (unit_symmetric _) (unit_sharpening _).
