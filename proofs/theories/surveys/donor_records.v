From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law pure unordered_distance.

(******************************************************************************)
(* Recorded data in which each place has the answer of one person: their own  *)
(* record, and its duplicates where an answer was imputed.                    *)
(*                                                                            *)
(*   completed donor x == the records: place j has the answer of donor j      *)
(*   persons_apart x x' == number of persons whose answers differ             *)
(*   duplicated m donor == each person's answer is at 1 + m places at most    *)
(*                                                                            *)
(* Headline theorems, with claim id                                           *)
(*   donor_distance, donor_distance_attained, donor_pure_dp ==                *)
(*            post-imputation.factor                                          *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Donors.

Variables (I J V : finType) (donor : J -> I).
Implicit Types (x : {ffun I -> V}) (m : nat).

Definition completed x : {ffun J -> V} := [ffun j => x (donor j)].

Definition persons_apart x x' : nat := #|[set i | x i != x' i]|.

Definition duplicated m : Prop :=
  forall i, #|[set j | donor j == i]| <= m.+1.

Theorem donor_distance m x x' : duplicated m ->
  unordered_distance (completed x) (completed x') <= m.+1 * persons_apart x x'.
Proof.
move=> few; apply: leq_trans (unordered_le_places _ _) _.
rewrite -sum1_card (partition_big donor (mem [set i | x i != x' i])) /=.
  rewrite mulnC /persons_apart -sum_nat_const; apply: leq_sum => i _.
  rewrite sum1_card; apply: leq_trans (few i); apply: subset_leq_card.
  by apply/subsetP => j; rewrite !inE => /andP[].
by move=> j; rewrite !inE !ffunE.
Qed.

Theorem donor_distance_attained x x' i :
  (forall k, (x k != x' k) = (k == i)) ->
  unordered_distance (completed x) (completed x') = #|[set j | donor j == i]|.
Proof.
move=> only_i; have same k : k != i -> x k = x' k.
  by move=> k_i; apply/eqP; rewrite -[_ == _]negbK only_i.
have neq_i : x i != x' i by rewrite only_i.
rewrite /unordered_distance (bigD1 (x i)) //= big1 ?addn0 => [|t t_x].
  rewrite /record_count -(cardsID [set j | donor j == i]).
  rewrite (_ : _ :&: _ = [set j | donor j == i]).
    rewrite (_ : _ :\: _ = [set j | completed x' j == x i]) ?addnK //.
    apply/setP => j; rewrite !inE !ffunE.
    have [->|j_i] /= := eqVneq (donor j) i; last by rewrite same.
    by rewrite eq_sym (negPf neq_i).
  apply/setP => j; rewrite !inE !ffunE.
  by have [->|] := eqVneq (donor j) i; rewrite ?eqxx ?andbF.
apply/eqP; rewrite subn_eq0; apply: subset_leq_card; apply/subsetP => j.
rewrite !inE !ffunE => /eqP xt; rewrite -same ?xt //.
by apply: contraNneq t_x => <-; rewrite xt.
Qed.

Theorem donor_pure_dp (R : realFieldType) (L : Type) (Y : finType) m
    (U : L -> {ffun I -> V} -> Prop) (W : L -> {ffun J -> V} -> Prop)
    (g : L -> R) (T : {ffun J -> V} -> law R Y) :
  duplicated m -> (forall l x, U l x -> W l (completed x)) ->
  (forall l, 1 <= g l)%R ->
  pure_dp W (fun z z' => Some (unordered_distance z z')) (fun l => Some (g l))
    T ->
  pure_dp U (fun x x' => Some (persons_apart x x'))
    (fun l => Some (g l ^+ m.+1)%R) (fun x => T (completed x)).
Proof.
move=> few UW g_ge1 dpT l x x' xU x'U.
apply: mult_le_weaken (dpT l _ _ (UW _ _ xU) (UW _ _ x'U)).
by rewrite -GRing.exprM ler_weexpn2l // donor_distance.
Qed.

End Donors.
