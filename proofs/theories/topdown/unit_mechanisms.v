From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect.
From Stirred Require Import compat normalized_renyi two_step_zcdp unordered_distance.
From Stirred Require Import household_records donor_records.

(******************************************************************************)
(* zCDP mechanisms of one kind of records, measured in another kind.          *)
(*                                                                            *)
(* Headline theorems, with claim ids                                          *)
(*   household_mechanism == topdown.household-mechanism                       *)
(*   donor_zcdp == post-imputation.factor                                     *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope R_scope.

Theorem household_mechanism (U K : finType) (n : nat) (I Y : Type)
    (universe : I -> person_data U K n -> Prop) (rho : I -> R)
    (T : person_data U K n -> Y -> R) :
  (forall i, 0 <= rho i) ->
  zcdp universe
    (fun x x' =>
       Some (unordered_distance (household_record x) (household_record x')))
    (fun i => Some (rho i)) T ->
  zcdp universe (fun x x' => Some (unordered_distance x x'))
    (fun i => Some (2 * rho i)) T.
Proof.
move=> rho_ge0; apply: (rescaled_zcdp (k := 2)) => // i x x' _ _ _ [<-].
eexists; first by [].
rewrite -mult_INR; apply: le_INR; apply/leP.
by have [] := household_distances x x'.
Qed.

Theorem donor_zcdp (I J V : finType) (donor : J -> I) (L Y : Type) m
    (U : L -> {ffun I -> V} -> Prop) (W : L -> {ffun J -> V} -> Prop)
    (rho : L -> R) (T : {ffun J -> V} -> Y -> R) :
  duplicated donor m -> (forall l x, U l x -> W l (completed donor x)) ->
  (forall l, 0 <= rho l) ->
  zcdp W (fun z z' => Some (unordered_distance z z')) (fun l => Some (rho l))
    T ->
  zcdp U (fun x x' => Some (persons_apart x x'))
    (fun l => Some (INR m.+1 * rho l)) (fun x => T (completed donor x)).
Proof.
move=> few UW rho_ge0 sat.
apply: (@rescaled_zcdp _ _ U (fun x x' =>
  Some (unordered_distance (completed donor x) (completed donor x')))) => //.
  move=> l x x' _ _ _ [<-]; eexists; first by [].
  by rewrite -mult_INR; apply: le_INR; apply/leP; apply: donor_distance.
by move=> l x x' xU x'U; apply: sat; apply: UW.
Qed.
