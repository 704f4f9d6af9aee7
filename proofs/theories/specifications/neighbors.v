From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import extended specification sharpening pure compat.

(******************************************************************************)
(* Neighbours: the two readings of the sharpening of d_r in dissertation      *)
(* Definition A.4.1 agree, the length of a shortest walk over the relation r  *)
(* and the infimum of the lengths of paths for the premetric d_r; and what a  *)
(* symmetric output premetric makes symmetric, of r and of any matrix.        *)
(*                                                                            *)
(*   shortest n == the extended value of a length n : option nat              *)
(*   symmetrised C x x' == the smaller one of C x x' and C x' x               *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   shortest_walk_sharpening == the two readings agree                       *)
(*   symmetric_neighbors == for a symmetric D the relation r may be made      *)
(*            symmetric: a walk over r may then take its steps backwards      *)
(*   group_privacy == for a triangular D, to bound neighbours by e is to      *)
(*            bound data sets that are n steps apart by e * n                 *)
(*   symmetric_matrix_closure == for a symmetric and triangular D, C says as  *)
(*            much as the closure of symmetrised C under shortest paths       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition shortest (R : realFieldType) (n : option nat) : ext R :=
  if n is Some m then natx m else oo.

Section Neighbors.

Variables (R : realFieldType) (X : eqType) (r : rel X).

Lemma path_walk x q : path r x q -> walk r (size q) x (last x q).
Proof. by elim: q x => //= y q IHq x /andP[xy /IHq]; exists y. Qed.

Lemma walk_path n x x' :
  walk r n x x' -> exists2 p, last x p = x' &
    length (neighbor_premetric R r) x p <=e natx n.
Proof.
elim: n x => [|n IHn] x /=; first by move=> ->; exists [::]; rewrite ?leexx.
case=> y xy /IHn[p last_p le_p]; exists (y :: p) => //.
rewrite length_cons -[n.+1]/(1 + n)%N natxD; apply: lee_add le_p.
rewrite [dist _ _ _]/= /off_diagonal xy.
by case: (eqVneq x y) => _; rewrite ?le0e ?leexx.
Qed.

Theorem shortest_walk_sharpening (dw : X -> X -> option nat)
    (ds : premetric R X) :
  is_shortest_walk r dw -> (forall x x', ds x x' = shortest R (dw x x')) ->
  is_sharpening (neighbor_premetric R r) ds.
Proof.
move=> short dsE x x'; rewrite dsE; have short_xx' := short x x'.
split=> [_ [p <- ->] | b low_b].
  have [-> | len_fin] := eqVneq (length (neighbor_premetric R r) x p) oo.
    exact: leoo.
  have [q /andP[/path_walk walk_q /eqP last_q]] := neighbor_path len_fin.
  apply: lee_trans; rewrite last_q in walk_q; have := short x (last x p).
  case: (dw x (last x p)) => [n|] /=; last by case/(_ _ walk_q).
  by case=> _ /(_ _ walk_q); rewrite ler_nat.
case: (dw x x') short_xx' => [n|_]; last exact: leoo.
case=> /walk_path[p last_p le_p] _.
by apply: lee_trans le_p; apply: low_b; exists p.
Qed.

Theorem symmetric_neighbors (L : Type) (D : premetric R L) (e : ext R)
    (T : X -> L) :
  symmetric_dist D ->
  satisfies (everything X) (neighbor_premetric R r) D (fun _ => e) T <->
  satisfies (everything X)
    (neighbor_premetric R (fun x x' => r x x' || r x' x)) D (fun _ => e) T.
Proof.
move=> symD; apply: iff_trans (neighbor_walk _ _ _ _) _.
apply: iff_sym; apply: iff_trans (neighbor_walk _ _ _ _) _.
split=> le_r x x' => [xx' | /orP[|]]; first by apply: le_r; rewrite xx'.
  exact: le_r.
by rewrite symD; apply: le_r.
Qed.

Theorem group_privacy (L : Type) (D : premetric R L) (e : ext R) (T : X -> L) :
  triangular D ->
  (forall x x', r x x' -> D (T x) (T x') <=e e) <->
  (forall n x x', walk r n x x' -> D (T x) (T x') <=e e *e natx n).
Proof.
move=> triD; split=> [le_r | le_walk x x' xx']; last first.
  by rewrite -[e]mule1; apply: le_walk; exists x'.
elim=> [|n IHn] x x' /=; first by move=> ->; rewrite dist_refl le0e.
case=> y xy /IHn le_y; apply: lee_trans (triD _ (T y) _) _.
rewrite -[n.+1]/(1 + n)%N natxD mule_addr mule1.
exact: lee_add (le_r _ _ xy) le_y.
Qed.

End Neighbors.

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
