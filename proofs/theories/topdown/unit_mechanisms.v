From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Stirred Require Import compat normalized_renyi two_step_zcdp
  unordered_distance household_records unordered_sum nor_metric pure.

(******************************************************************************)
(* zCDP from one distance to another: for mechanisms of one kind of records,  *)
(* measured in another kind, and for all pairs of data sets from a budget for *)
(* neighbours, where data sets at distance k are the ends of a chain of k     *)
(* neighbours.                                                                *)
(*                                                                            *)
(*   neighbors_only d == d up to 1, and infinity beyond                       *)
(*   has_chains d == data sets at distance k > 0 are the ends of a walk of k  *)
(*            steps between data sets at distance 1                           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   household_mechanism == topdown.household-mechanism                       *)
(*   donor_zcdp == post-imputation.factor                                     *)
(*   chains_zcdp, unordered_chains == topdown.bounded-flavors.chains          *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
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

Section Chains.

Variables (X Y : Type) (d : X -> X -> option nat).

Definition neighbors_only (x x' : X) : option nat :=
  if d x x' is Some n then if (n <= 1)%N then Some n else None else None.

Definition has_chains : Prop :=
  forall x x' k, d x x' = Some k.+1 ->
    walk (fun y y' => d y y' = Some 1%N) k.+1 x x'.

Theorem chains_zcdp (rho : R) (T : X -> Y -> R) :
  (forall x, is_law (T x)) -> has_chains ->
  zcdp (fun (_ : unit) (_ : X) => True) neighbors_only (fun=> Some rho) T <->
  zcdp (fun (_ : unit) (_ : X) => True) d (fun=> Some rho) T.
Proof.
move=> lawT chains; split=> sat i x x' xU x'U; last first.
  have := sat i x x' xU x'U; rewrite /neighbors_only.
  by case: (d x x') => [n|] //; case: (n <= 1)%N.
case d_n : (d x x') => [[|k]|] //.
  by have := sat i x x' xU x'U; rewrite /neighbors_only d_n.
have near y y' : d y y' = Some 1%N ->
    exists2 r, is_nor (T y) (T y') r & r <= rho.
  move=> d1; have := sat i y y' I I; rewrite /neighbors_only d1 /=.
  by rewrite Rmult_1_r.
have far n y y' : walk (fun z z' => d z z' = Some 1%N) n y y' ->
    exists2 r, is_nor (T y) (T y') r & r <= rho * INR n.
  elim: n y => [|n IHn] y.
    move=> /= ->; exists 0; first exact/(nor_zero (lawT _) (lawT _)).
    by rewrite Rmult_0_r; apply: Rle_refl.
  case=> z /near[r nor_r le_r] /IHn[s nor_s le_s].
  have [c nor_c le_c] := nor_triangle (lawT _) (lawT _) (lawT _) nor_r nor_s.
  by exists c => //; rewrite S_INR Rmult_plus_distr_l Rmult_1_r; lra.
exact: far (chains _ _ _ d_n).
Qed.

End Chains.

Theorem unordered_chains (T : finType) (n : nat) :
  has_chains
    (fun x x' : {ffun 'I_n -> T} => Some (unordered_distance x x')).
Proof.
move=> x x' k [dist_k]; elim: k x dist_k => [|k IHk] x dist_k.
  by exists x'; rewrite ?dist_k.
have [z dist_xz dist_zx'] := unordered_step dist_k.
by exists z; [rewrite dist_xz | apply: IHk].
Qed.
