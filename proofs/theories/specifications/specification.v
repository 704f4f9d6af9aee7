From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat extended.

(******************************************************************************)
(* Differential-privacy specifications over an arbitrary domain, and their    *)
(* normal form: one matrix of bounds on the output distances.                 *)
(*                                                                            *)
(* The five blocks of a specification (article section 2.2):                  *)
(*         X : Type == the domain                                             *)
(*    U : I -> X -> Prop == the multiverse, a family of universes U i         *)
(*    d : premetric R X == the input premetric                                *)
(*    D : premetric R L == the output premetric, on any type L of laws        *)
(*    eps : I -> ext R == the protection-loss budget of each universe         *)
(* A mechanism is a function T : X -> L from data sets to laws.               *)
(*                                                                            *)
(*    satisfies U d D eps T == T satisfies eps-DP(X, U, d, D): for all i and  *)
(*                     all x, x' in U i, D (T x) (T x') <= eps i * d x x',    *)
(*                     where 0 * oo = oo (article Definition 1)               *)
(*    everything X == the multiverse whose one universe is the domain         *)
(*    subset u v, same u v == inclusion and equality of universes             *)
(*    refines U' U == every universe of U' lies in a universe of U            *)
(*    same_multiverse U V == U and V have the same universes                  *)
(*    is_constraint_matrix U d eps C == C x x' is the infimum of              *)
(*                     eps i * d x x' over the universes with x and x'        *)
(*    constraint_matrix U d eps == that infimum for a finite family of        *)
(*                     decidable universes: a minimum, oo if there is none    *)
(*    below C D T == D (T x) (T x') <= C x x' for all x, x'                   *)
(*    of_matrix C == the premetric with the entries of C off the diagonal     *)
(*    budgets_above U U' eps i' == the budgets of the U i around U' i'        *)
(*    budgets_within U U' eps' i == the budgets of the U' i' within U i       *)
(*    losses d D T U i == the values at i of the budgets that T satisfies     *)
(*    mulu a b == the product with 0 * oo = 0                                 *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   normal_form, normal_form_finite == satisfies is being below the matrix   *)
(*   smaller_matrix_stronger == a smaller matrix is a stronger specification  *)
(*   stronger_smaller_matrix_refuted == the converse fails for one output     *)
(*            premetric                                                       *)
(*   smaller_matrix_iff_stronger == it holds over all output premetrics, and  *)
(*   tight_matrix_iff_stronger == for a matrix whose entries are attained     *)
(*   matrix_specification == every matrix is that of a specification          *)
(*   fewer_constraints == article Lemma 1 (dissertation Lemma A.7.1)          *)
(*   refinement_within, refinement_above == article Proposition 5             *)
(*   refinement_inf_within, refinement_inf_above == dissertation Proposition  *)
(*            2.4.13, both halves                                             *)
(*   loss_smallest == the loss is attained (dissertation Definition 2.4.5)    *)
(*   loss_refinement == article Proposition 3                                 *)
(*   rescale_lower, rescale_upper == dissertation Proposition 2.4.15          *)
(*   rescale_lower_usual, rescale_upper_usual == the same, 0 * oo = 0 in its  *)
(*            premises                                                        *)
(*   finer_premetric_stronger == after it: d <= d' is stronger                *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition subset (X : Type) (u v : X -> Prop) : Prop := forall x, u x -> v x.

Definition same (X : Type) (u v : X -> Prop) : Prop := forall x, u x <-> v x.

Definition everything (X : Type) : unit -> X -> Prop := fun _ _ => True.

Arguments everything : clear implicits.

Definition refines (X I' I : Type) (U' : I' -> X -> Prop) (U : I -> X -> Prop) :
  Prop := forall i', exists i, subset (U' i') (U i).

Definition same_multiverse (X I J : Type) (U : I -> X -> Prop)
  (V : J -> X -> Prop) : Prop :=
  (forall i, exists j, same (U i) (V j)) /\
  (forall j, exists i, same (U i) (V j)).

Definition satisfies (R : realFieldType) (X L I : Type) (U : I -> X -> Prop)
    (d : premetric R X) (D : premetric R L) (eps : I -> ext R) (T : X -> L) :
  Prop :=
  forall i x x', U i x -> U i x' -> D (T x) (T x') <=e eps i *e d x x'.

Definition below (R : realFieldType) (X L : Type) (C : X -> X -> ext R)
    (D : premetric R L) (T : X -> L) : Prop :=
  forall x x', D (T x) (T x') <=e C x x'.

Definition constraints (R : realFieldType) (X I : Type) (U : I -> X -> Prop)
    (d : premetric R X) (eps : I -> ext R) (x x' : X) : ext R -> Prop :=
  fun a => exists i, [/\ U i x, U i x' & a = eps i *e d x x'].

Definition is_constraint_matrix (R : realFieldType) (X I : Type)
    (U : I -> X -> Prop) (d : premetric R X) (eps : I -> ext R)
    (C : X -> X -> ext R) : Prop :=
  forall x x', is_inf (constraints U d eps x x') (C x x').

Definition constraint_matrix (R : realFieldType) (X : Type) (I : finType)
    (U : I -> pred X) (d : premetric R X) (eps : I -> ext R) (x x' : X) :
  ext R := \big[mine/oo]_(i | U i x && U i x') (eps i *e d x x').

Arguments constraint_matrix {R X I} U d eps x x'.

Section Specification.

Variables (R : realFieldType) (X L : Type).
Implicit Types (d : premetric R X) (D : premetric R L) (T : X -> L).
Implicit Types (C : X -> X -> ext R).

Section NormalForm.

Variables (I : Type) (U : I -> X -> Prop) (eps : I -> ext R).

Theorem normal_form d D C T :
  is_constraint_matrix U d eps C -> (satisfies U d D eps T <-> below C D T).
Proof.
move=> infC; split=> [sat x x' | leC i x x' xU x'U].
  have [_ great] := infC x x'; apply: great => a [i [xU x'U ->]].
  exact: sat xU x'U.
have [low _] := infC x x'; apply: lee_trans (leC x x') _.
by apply: low; exists i.
Qed.

End NormalForm.

Lemma constraint_matrixP (I : finType) (U : I -> pred X) d (eps : I -> ext R) :
  is_constraint_matrix U d eps (constraint_matrix U d eps).
Proof.
move=> x x'; have [low great] := is_inf_bigmin (fun i => U i x && U i x')
  (fun i => eps i *e d x x').
split=> [a [i [xU x'U ->]] | b low_b].
  by apply: low; exists i; rewrite ?xU.
by apply: great => _ [i /andP[xU x'U] ->]; apply: low_b; exists i.
Qed.

Theorem normal_form_finite (I : finType) (U : I -> pred X) d D
    (eps : I -> ext R) T :
  satisfies U d D eps T <-> below (constraint_matrix U d eps) D T.
Proof. exact: normal_form (constraint_matrixP U d eps). Qed.

Theorem constraint_matrix_attained (I : finType) (U : I -> pred X) d
    (eps : I -> ext R) x x' :
  (exists i, [/\ U i x, U i x' &
                 constraint_matrix U d eps x x' = eps i *e d x x'])
  \/ constraint_matrix U d eps x x' = oo.
Proof.
rewrite /constraint_matrix.
have [->|[i /andP[xU x'U] ->]] := bigmin_attained (fun i => U i x && U i x')
  (fun i => eps i *e d x x'); first by right.
by left; exists i.
Qed.

Lemma smaller_matrix_stronger C C' D T :
  (forall x x', C x x' <=e C' x x') -> below C D T -> below C' D T.
Proof. by move=> leC le_T x x'; apply: lee_trans (le_T x x') (leC x x'). Qed.

(* Where every entry of C is attained by a mechanism below C, a specification *)
(* is stronger exactly if its matrix is smaller.                              *)
Theorem tight_matrix_iff_stronger C C' D :
  (forall x x', exists2 T, below C D T & D (T x) (T x') = C x x') ->
  (forall T, below C D T -> below C' D T) <->
  (forall x x', C x x' <=e C' x x').
Proof.
move=> tight; split=> [stronger x x' | leC T].
  by have [T le_T <-] := tight x x'; apply: stronger.
exact: smaller_matrix_stronger.
Qed.

End Specification.

(* The premetric that a matrix gives off its diagonal.                        *)
Section OfMatrix.

Variables (R : realFieldType) (X : eqType).

Definition off_diagonal (C : X -> X -> ext R) (x x' : X) : ext R :=
  if x == x' then 0e else C x x'.

Lemma off_diagonal_refl (C : X -> X -> ext R) x : off_diagonal C x x = 0e.
Proof. by rewrite /off_diagonal eqxx. Qed.

Definition of_matrix (C : X -> X -> ext R) : premetric R X :=
  Premetric (off_diagonal_refl C).

Theorem matrix_specification (L : Type) (C : X -> X -> ext R)
    (D : premetric R L) (T : X -> L) :
  satisfies (everything X) (of_matrix C) D (fun _ => 1e) T
  <-> below C D T.
Proof.
split=> [sat x x' | le_T _ x x' _ _]; last first.
  rewrite mul1e /= /off_diagonal; case: eqVneq => [->|_]; last exact: le_T.
  by rewrite dist_refl le0e.
have:= sat tt x x' Logic.I Logic.I; rewrite mul1e /= /off_diagonal.
by case: eqVneq => [->|//] _; rewrite dist_refl le0e.
Qed.

Theorem smaller_matrix_iff_stronger (C C' : X -> X -> ext R) :
  (forall (L : Type) (D : premetric R L) (T : X -> L),
     below C D T -> below C' D T) <->
  (forall x x', x != x' -> C x x' <=e C' x x').
Proof.
split=> [stronger x x' x_x' | leC L D T le_T x x']; last first.
  have [-> | x_x'] := eqVneq x x'; first by rewrite dist_refl le0e.
  exact: lee_trans (le_T x x') (leC x x' x_x').
have le_id : below C (of_matrix C) id.
  by move=> y y' /=; rewrite /off_diagonal; case: eqP; rewrite ?le0e ?leexx.
have /= := stronger X (of_matrix C) id le_id x x'.
by rewrite /off_diagonal (negbTE x_x').
Qed.

End OfMatrix.

Arguments of_matrix {R X} C.

(* Two matrices with the same mechanisms need not be comparable: with a       *)
(* symmetric output premetric an entry and its mirror image act together.     *)
Section Converse.

Definition skew (a b : nat) (x x' : bool) : ext rat_realFieldType :=
  if x == x' then 0e else if x then natx a else natx b.

Definition discrete : premetric rat_realFieldType bool :=
  of_matrix (fun _ _ => 1e).

Theorem stronger_smaller_matrix_refuted :
  ~ (forall C C' : bool -> bool -> ext rat_realFieldType,
       (forall T : bool -> bool, below C discrete T -> below C' discrete T) ->
       forall x x', C x x' <=e C' x x').
Proof.
move=> /(_ (skew 1 2) (skew 1 1)) smaller.
suffices/smaller/(_ false true) : forall T : bool -> bool,
  below (skew 1 2) discrete T -> below (skew 1 1) discrete T by [].
move=> T _ x x'; rewrite /= /off_diagonal.
case: (eqVneq (T x) (T x')) => [_|]; first exact: le0e.
by case: x x' => [] [] //; rewrite eqxx.
Qed.

End Converse.

(* Comparisons between two multiverses.                                       *)
Section Comparison.

Variables (R : realFieldType) (X L I I' : Type).
Variables (U : I -> X -> Prop) (U' : I' -> X -> Prop).
Implicit Types (d : premetric R X) (D : premetric R L) (T : X -> L).

(* Article Lemma 1, dissertation Lemma A.7.1.                                 *)
Theorem fewer_constraints d D (eps : I -> ext R) (eps' : I' -> ext R) T :
  (forall i' (s : nneg R), 0 < nneg_val s ->
     exists2 i, subset (U' i') (U i) & eps i <=e eps' i' +e Some s) ->
  satisfies U d D eps T -> satisfies U' d D eps' T.
Proof.
move=> near sat i' x x' xU' x'U'; apply: le_slack_mul => s s_gt0.
have [i sub le_eps] := near i' s s_gt0.
apply: lee_trans (sat i x x' (sub _ xU') (sub _ x'U')) _.
exact: lee_mul2r.
Qed.

(* The budgets of the universes of U that contain a universe of U', and those *)
(* of the universes of U' that a universe of U contains.                      *)
Definition budgets_above (eps : I -> ext R) i' : ext R -> Prop :=
  fun a => exists2 i, subset (U' i') (U i) & a = eps i.

Definition budgets_within (eps' : I' -> ext R) i : ext R -> Prop :=
  fun a => exists2 i', subset (U' i') (U i) & a = eps' i'.

(* Article Proposition 5, first half: U' refines U.                           *)
Theorem refinement_within d D (eps : I -> ext R) (eps' : I' -> ext R) T :
  refines U' U ->
  (forall i, exists2 m, is_inf (budgets_within eps' i) m & eps i <=e m) ->
  satisfies U d D eps T -> satisfies U' d D eps' T.
Proof.
move=> refU le_eps sat i' x x' xU' x'U'.
have [i sub] := refU i'; have [m [low _] le_m] := le_eps i.
apply: lee_trans (sat i x x' (sub _ xU') (sub _ x'U')) _; apply: lee_mul2r.
by apply: lee_trans le_m _; apply: low; exists i'.
Qed.

(* Article Proposition 5, second half.                                        *)
Theorem refinement_above d D (eps : I -> ext R) (eps' : I' -> ext R) T :
  refines U' U ->
  (forall i', exists2 m, is_inf (budgets_above eps i') m & m <=e eps' i') ->
  satisfies U d D eps T -> satisfies U' d D eps' T.
Proof.
move=> _ le_eps sat i' x x' xU' x'U'.
have [m inf_m le_m] := le_eps i'; apply: lee_trans (lee_mul2r _ le_m).
apply: (le_inf_mul inf_m) => _ [i sub ->].
exact: sat i x x' (sub _ xU') (sub _ x'U').
Qed.

(* Dissertation Proposition 2.4.13: the same with the infima for budgets.     *)
Theorem refinement_inf_within d D (eps : I -> ext R) (eps' : I' -> ext R) T :
  refines U' U ->
  (forall i, is_inf (budgets_within eps' i) (eps i)) ->
  satisfies U d D eps T -> satisfies U' d D eps' T.
Proof.
move=> refU inf_eps; apply: refinement_within => // i.
by exists (eps i); rewrite ?leexx.
Qed.

Theorem refinement_inf_above d D (eps : I -> ext R) (eps' : I' -> ext R) T :
  refines U' U ->
  (forall i', is_inf (budgets_above eps i') (eps' i')) ->
  satisfies U d D eps T -> satisfies U' d D eps' T.
Proof.
move=> refU inf_eps; apply: refinement_above => // i'.
by exists (eps' i'); rewrite ?leexx.
Qed.

(* Two multiverses with the same mechanisms: U' refines U, any two data sets  *)
(* of a universe of U at finite distance share a universe of U' inside it, and*)
(* a universe of U' carries the infimum of the budgets around it.             *)
Lemma refine_cover d D (eps : I -> ext R) (eps' : I' -> ext R) T :
  refines U' U ->
  (forall i x x', U i x -> U i x' -> d x x' != oo ->
     ~ ~ exists i', [/\ subset (U' i') (U i), U' i' x & U' i' x']) ->
  (forall i', is_inf (budgets_above eps i') (eps' i')) ->
  satisfies U d D eps T <-> satisfies U' d D eps' T.
Proof.
move=> refU cover inf_eps; split; first exact: refinement_inf_above.
move=> sat i x x' xU x'U.
have [-> | d_fin] := eqVneq (d x x') oo; first by rewrite mule_oo leoo.
apply: lee_stable => not_le; apply: (cover i x x') => // -[i' [sub xU' x'U']].
apply: not_le; apply: lee_trans (sat i' x x' xU' x'U') (lee_mul2r _ _).
by have [low _] := inf_eps i'; apply: low; exists i.
Qed.

End Comparison.

Arguments budgets_above {R X I I'} U U' eps i' a.
Arguments budgets_within {R X I I'} U U' eps' i a.

(* The protection loss of a mechanism and nested invariants.                  *)
Section Loss.

Variables (R : realFieldType) (X L : Type).
Variables (d : premetric R X) (D : premetric R L) (T : X -> L).

(* The values at universe i of the budgets that T satisfies; the loss is      *)
(* their infimum.                                                             *)
Definition losses (I : Type) (U : I -> X -> Prop) (i : I) : ext R -> Prop :=
  fun a => exists2 eps : I -> ext R, satisfies U d D eps T & eps i = a.

(* The losses are a budget that T satisfies, and the smallest (Definition     *)
(* 2.4.5 of the dissertation).                                                *)
Theorem loss_smallest (I : Type) (U : I -> X -> Prop) (l : I -> ext R) :
  (forall i, is_inf (losses U i) (l i)) ->
  satisfies U d D l T /\
  forall eps : I -> ext R, satisfies U d D eps T -> forall i, l i <=e eps i.
Proof.
move=> inf_l; split=> [i x x' xU x'U | eps sat i].
  by apply: le_inf_mul (inf_l i) _ => _ [eps sat <-]; apply: sat.
by have [low _] := inf_l i; apply: low; exists eps.
Qed.

(* Article Proposition 3: U refines U'.                                       *)
Theorem loss_refinement (I : eqType) (I' : Type) (U : I -> X -> Prop)
    (U' : I' -> X -> Prop) (i : I) (i' : I') (l l' : ext R) :
  refines U U' ->
  is_inf (losses U i) l -> is_inf (losses U' i') l' ->
  subset (U i) (U' i') -> l <=e l'.
Proof.
move=> _ inf_l inf_l' sub; apply: (is_inf_le _ inf_l inf_l') => a [eps' sat <-].
exists (fun j => if j == i then eps' i' else oo); last by rewrite eqxx.
move=> j x x' xU x'U; have [eq_ij | _] := eqVneq j i; last exact: leoo.
by rewrite eq_ij in xU x'U; apply: sat; apply: sub.
Qed.

End Loss.

(* Rescaling the input premetric.                                             *)
Section Rescale.

Variables (R : realFieldType) (X L I : Type) (U : I -> X -> Prop).
Variables (D : premetric R L) (eps : I -> ext R) (T : X -> L).
Variables (d d' : premetric R X) (l u : ext R).

(* Dissertation Proposition 2.4.15, both inclusions.                          *)
Theorem rescale_lower :
  l != 0e -> l <=e u ->
  (forall x x', l *e d x x' <=e d' x x' /\ d' x x' <=e u *e d x x') ->
  satisfies U d D eps T -> satisfies U d' D (fun i => dive (eps i) l) T.
Proof.
move=> l_n0 _ le_d sat i x x' xU x'U.
have [l_oo | l_fin] := eqVneq l oo.
  have [] := le_d x x; rewrite l_oo oo_mule dist_refl.
  by [].
apply: lee_trans (sat i x x' xU x'U) _.
rewrite -[X in X *e d x x' <=e _](muleVK _ l_n0 l_fin) -muleA.
by apply: lee_mul2l; case: (le_d x x').
Qed.

Theorem rescale_upper :
  l != 0e -> l <=e u ->
  (forall x x', l *e d x x' <=e d' x x' /\ d' x x' <=e u *e d x x') ->
  satisfies U d' D eps T -> satisfies U d D (fun i => u *e eps i) T.
Proof.
move=> _ _ le_d sat i x x' xU x'U.
apply: lee_trans (sat i x x' xU x'U) _; rewrite (muleC u) -muleA.
by apply: lee_mul2l; case: (le_d x x').
Qed.

(* The same where 0 * oo = 0 in the two bounds on d'.                         *)
Definition mulu (a b : ext R) : ext R :=
  if (a == 0e) || (b == 0e) then 0e else a *e b.

Lemma mulu_le a b : mulu a b <=e a *e b.
Proof. by rewrite /mulu; case: ifP => _; rewrite ?le0e ?leexx. Qed.

Theorem rescale_lower_usual :
  l != 0e -> l <=e u ->
  (forall x x', mulu l (d x x') <=e d' x x' /\ d' x x' <=e mulu u (d x x')) ->
  satisfies U d D eps T -> satisfies U d' D (fun i => dive (eps i) l) T.
Proof.
move=> l_n0 _ le_d sat i x x' xU x'U.
have := sat i x x' xU x'U; have [] := le_d x x'.
rewrite /mulu (negbTE l_n0) /=; have [-> _ _ | d_n0 le_d' _ le_D] := eqVneq.
  have [-> _ | eps_fin] := eqVneq (eps i) oo.
    by rewrite /dive !oo_mule leoo.
  by rewrite mule0 // => /lee0 ->; apply: le0e.
have [l_oo | l_fin] := eqVneq l oo.
  by move: le_d'; rewrite l_oo oo_mule => /oole ->; rewrite mule_oo leoo.
apply: lee_trans le_D _.
rewrite -[X in X *e d x x' <=e _](muleVK _ l_n0 l_fin) -muleA.
exact: lee_mul2l.
Qed.

Theorem rescale_upper_usual :
  l != 0e -> l <=e u ->
  (forall x x', mulu l (d x x') <=e d' x x' /\ d' x x' <=e mulu u (d x x')) ->
  satisfies U d' D eps T -> satisfies U d D (fun i => u *e eps i) T.
Proof.
move=> _ _ le_d sat i x x' xU x'U.
apply: lee_trans (sat i x x' xU x'U) _; rewrite (muleC u) -muleA.
apply: lee_mul2l; have [_ le_d'] := le_d x x'.
exact: lee_trans le_d' (mulu_le _ _).
Qed.

Theorem finer_premetric_stronger :
  (forall x x', d x x' <=e d' x x') ->
  satisfies U d D eps T -> satisfies U d' D eps T.
Proof.
move=> le_d sat i x x' xU x'U.
exact: lee_trans (sat i x x' xU x'U) (lee_mul2l _ (le_d x x')).
Qed.

End Rescale.

Arguments mulu {R} a b.
