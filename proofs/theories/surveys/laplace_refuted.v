From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law specification pure laplace_discrete.

(******************************************************************************)
(* Dissertation Theorem 6.4.3 as printed, in discrete form: where universes   *)
(* overlap, the scale of Definition 6.4.2 need not be constant on a universe. *)
(*                                                                            *)
(*   component U d x == the class [x] of Definition 6.4.2: the data sets that *)
(*            share a universe with x, at a finite distance                   *)
(*   bounds_within U d gamma q V a == the ratio a of neighbouring masses      *)
(*            bounds the loss by gamma ^+ d on every universe within V        *)
(*   is_scale U d gamma q x a == a is the least such ratio for V = [x]:       *)
(*            a = e^(-1 / Delta), with Delta the sensitivity of [x]           *)
(*   two_universes b, values, scales == the counterexample: three data sets,  *)
(*            None in both universes                                          *)
(*                                                                            *)
(* Headline theorem                                                           *)
(*   laplace_printed_refuted == Theorem 6.4.3 as printed                      *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section Scale.

Variables (R : realFieldType) (X I : Type) (U : I -> X -> Prop).
Variables (d : X -> X -> option nat) (gamma : I -> option R) (q : X -> int).

Definition component (x x' : X) : Prop :=
  (exists2 i, U i x & U i x') /\ d x x' <> None.

Definition bounds_within (V : X -> Prop) (a : R) : Prop :=
  forall i, subset (U i) V -> forall y y' g n, U i y -> U i y' ->
    gamma i = Some g -> d y y' = Some n -> a ^- `|q y - q y'|%N <= g ^+ n.

Definition is_scale (x : X) (a : R) : Prop :=
  [/\ 0 < a < 1, bounds_within (component x) a &
      forall b, 0 < b < 1 -> bounds_within (component x) b -> a <= b].

End Scale.

Local Notation Q := rat_realFieldType.

Definition two_universes (b : bool) (x : option bool) : Prop :=
  x = None \/ x = Some b.

Definition one_step (x x' : option bool) : option nat := Some (x != x' : nat).

Definition values (x : option bool) : int :=
  if x is Some b then if b then 2 else 1 else 0.

Definition scales (x : option bool) : Q :=
  if x is Some false then 4%:R^-1 else 2%:R^-1.

Definition four (b : bool) : option Q := Some 4%:R.

Lemma component_own b : subset (two_universes b)
  (component two_universes one_step (Some b)).
Proof. by move=> x xU; split=> //; exists b => //; right. Qed.

Lemma component_none b : subset (two_universes b)
  (component two_universes one_step None).
Proof. by move=> x xU; split=> //; exists b => //; left. Qed.

Lemma scales_scale x : is_scale two_universes one_step four values x (scales x).
Proof.
have root (b : Q) : 0 < b -> b ^- 2 <= 4%:R -> 2%:R^-1 <= b.
  move=> b_gt0; rewrite -[_^-1]mul1r ler_pdivr_mulr ?exprn_gt0 // => le1.
  rewrite leNgt; apply/negP=> b_lt; move: le1; rewrite leNgt.
  have -> : 1 = 4%:R * (2%:R^-1 ^+ 2) :> Q.
    by rewrite exprVn -natrX mulfV ?pnatr_eq0.
  by rewrite ltr_pmul2l // ltr_expn2r ?nnegrE ?(ltW b_gt0).
split; first by case: x => [[]|].
- move=> i sub y y' g n yU y'U [<-] [<-].
  have fits : x = Some false -> i = false.
    case: i sub {yU y'U} => // sub eq_x.
    have := sub (Some true) (or_intror erefl).
    by rewrite eq_x => -[[b [] // [<-] []]].
  have pair : scales x ^- `|values (Some i)|%N <= 4%:R.
    case: x fits {sub} => [[]|] fits; last by case: (i); vm_compute.
      by case: (i); vm_compute.
    by rewrite (fits erefl); vm_compute.
  case: yU y'U => -> [] ->; rewrite ?subrr ?subr0 ?sub0r ?abszN //.
  by rewrite eqxx.
move=> b /andP[b_gt0 _] bounds.
have at_pair c x' : x' = Some c -> subset (two_universes c)
    (component two_universes one_step x) ->
    b ^- `|values None - values x'|%N <= 4%:R.
  move=> -> sub; have := bounds c sub None (Some c) 4%:R 1%N.
  by rewrite expr1; apply=> //; [left | right].
case: x bounds at_pair => [[]|] _ at_pair.
- apply: root => //.
  exact: (at_pair true _ erefl (component_own (b := true))).
- have := at_pair false _ erefl (component_own (b := false)).
  have four_gt0 : 0 < (4%:R : Q) by vm_compute.
  rewrite /= expr1 -[_^-1]mul1r (ler_pdivr_mulr _ _ b_gt0).
  by rewrite -(ler_pdivr_mull _ _ four_gt0) mulr1 => le; exact: le.
apply: root => //.
exact: (at_pair true _ erefl (component_none (b := true))).
Qed.

Theorem laplace_printed_refuted :
  ~ (forall (X I : Type) (U : I -> X -> Prop) (d : X -> X -> option nat)
            (gamma : I -> option Q) (q : X -> int) (a : X -> Q),
       (forall x, is_scale U d gamma q x (a x)) ->
       masses_dp U d gamma (fun x => geometric (a x) (q x))).
Proof.
move=> printed.
have := printed _ _ _ _ _ _ _ scales_scale false (Some false) None.
move=> /(_ (or_intror erefl) (or_introl erefl)) near.
have quarter_half : 4%:R^-1 < (2%:R^-1 : Q).
  by rewrite ltf_pinv ?posrE ?ltr0n ?ltr_nat.
apply: (@scales_differ_refuted [archiFieldType of rat] _ _ 1 0 _ quarter_half).
- by vm_compute.
- by vm_compute.
by exists (4%:R ^+ 1); move: near; rewrite /scales /values.
Qed.
