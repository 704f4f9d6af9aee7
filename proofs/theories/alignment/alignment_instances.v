From Coq Require Import Reals ZArith List Lra Lia.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import real_field normalized_renyi integer_noise.
From Stirred Require Import noisy_programs aligned_loops pure_distance.

(******************************************************************************)
(* Instances of the theorems on alignment: a noisy count of any number of     *)
(* records, of which one is changed, added or removed; and which of any       *)
(* number of answers is first above a noisy threshold.                        *)
(*                                                                            *)
(*   noisy_count == the program of the count, with Laplace noise of rate 1    *)
(*   first_above == the program of the threshold, of rates 1 and 1            *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Import ListNotations.

Local Open Scope R_scope.

Definition unit_rate : posreal := mkposreal 1 Rlt_0_1.

(* The count                                                                  *)

Definition counted_record (o : option bool) : Z :=
  if o is Some true then 1 else 0.

Definition count_start : program (list event * Z) := Return ([], 0%Z).
Definition count_pass (s : Z) (r : bool) : program (list event * (Z + unit)) :=
  Return ([], inl (s + counted_record (Some r))%Z).
Definition count_last (s : Z) : program (list event * unit) :=
  drawing [Laplace unit_rate]
    (fun z => Return ([(0%nat, [IZR (s + nth 0 z 0%Z)])], tt)).
Definition noisy_count : list bool -> program (list event) :=
  on_list count_start count_pass count_last.

Definition count_inv (m : bool) (c : R) (s s' : Z) : Prop :=
  IZR (Z.abs (s' - s)) + IZR (if m then 1 else 0)%Z <= c.

Definition counts_near (near : bool -> option bool -> option bool -> bool ->
    Prop) : Prop := forall m o o' m', near m o o' m' ->
  (Z.abs (counted_record o' - counted_record o) + (if m' then 1 else 0) <=
   if m then 1 else 0)%Z.

Lemma count_certificate near : counts_near near ->
  aligned_certificate near count_start count_pass count_last count_inv true 1.
Proof.
move=> near_le; split=> [|m o o' m' c s s' oo' inv_s|m c s s' inv_s].
- by apply: ReturnAligns; split=> //; rewrite /count_inv /=; lra.
- have visitE t r : visit count_pass t r =
      Return ([], inl (t + counted_record r)%Z).
    by case: r => //=; rewrite Z.add_0_r.
  rewrite !visitE; apply: ReturnAligns; split=> //=; move: inv_s.
  rewrite /count_inv -!plus_IZR => inv_s; apply: Rle_trans inv_s.
  by apply: IZR_le; move: (near_le _ _ _ _ oo'); case: (m); case: (m'); lia.
apply: (aligns_paths (path := @path_of unit) (shift := fun _ => [(s - s')%Z])).
case=> [|z [|? ?]] //= _; split=> //; split=> /=.
  by congr [(_, [IZR _])]; lia.
move: inv_s; rewrite /count_inv /paid /= -Z.abs_opp Z.opp_sub_distr => inv_s.
have -> : (s - s')%Z = (- s' + s)%Z by lia.
by case: m inv_s; lra.
Qed.

Lemma counts_one : counts_near (one_changes (fun _ _ => True)).
Proof.
move=> m [r|] [r'|] m' //= [[-> ->] | [_ [-> ->]]]; first by case: m; lia.
by case: r r' => -[].
Qed.

Lemma counts_more : counts_near (@one_more bool).
Proof.
by move=> m [r|] [r'|] m' //= [-> ->]; [case: m; lia | case: r'].
Qed.

Lemma counts_fewer : counts_near (@one_fewer bool).
Proof. by move=> m o o' m' /counts_more; lia. Qed.

Definition mass_law_instance := @mass_law _ events_dec (noisy_count [true]).
Definition pure_distance_le_instance (choice : choice_of_reals) :=
  @pure_distance_le choice (list event)
    (output_law events_dec (noisy_count []))
    (output_law events_dec (noisy_count [true])).
Definition certified_dp_instance (choice : choice_of_reals) :=
  @certified_dp choice Z bool bool bool _ _ count_start count_pass count_last
    count_inv count_inv true true 1 _ (count_certificate counts_more)
    (count_certificate counts_fewer) (@more_pairs bool).
Definition changed_count (choice : choice_of_reals) :=
  @certified_dp choice Z bool bool bool _ _ count_start count_pass count_last
    count_inv count_inv true true 1 _ (count_certificate counts_one)
    (count_certificate counts_one)
    (fun rs rs' => @one_pairs bool _ _ rs rs' (fun _ _ => id)).

(* The threshold                                                              *)

Definition above_start : program (list event * Z) :=
  drawing [Laplace unit_rate] (fun z => Return ([(0%nat, [])], nth 0 z 0%Z)).
Definition above_step (s q : Z) (z : list Z) : list event * (Z + unit) :=
  on_test (Z_le_gt_dec s (q + nth 0 z 0%Z))
    ([(1%nat, [])], inr tt) ([(2%nat, [])], inl s).
Definition above_pass (s q : Z) : program (list event * (Z + unit)) :=
  drawing [Laplace unit_rate] (fun z => Return (above_step s q z)).
Definition above_last (s : Z) : program (list event * unit) :=
  Return ([(3%nat, [])], tt).
Definition first_above : list Z -> program (list event) :=
  on_list above_start above_pass above_last.

Definition above_inv (m : unit) (c : R) (s s' : Z) : Prop :=
  s' = (s + 1)%Z /\ 2 <= c.

Lemma above_certificate : aligned_certificate (each_changes (changes_by (-1) 1))
  above_start above_pass above_last above_inv tt 3.
Proof.
split=> [|m [q|] [q'|] m' c s s' //= qq' [-> c_ge2]|m c s s' [_ c_ge2]].
- apply: (aligns_paths (path := @path_of Z) (shift := fun _ => [1%Z])).
  case=> [|z [|? ?]] //= _; split=> //; split=> //.
  by split=> //=; lra.
- apply: (aligns_paths (path := @path_of (Z + unit))
    (shift := fun p => [(if p is 1%nat then q - q' + 1 else 0)%Z])).
  have [lo hi] := qq'; case=> [|z [|? ?]] //= _; rewrite /above_step /=.
  case: (Z_le_gt_dec s (q + z)) => test /=.
    case: Z_le_gt_dec => test' /=; last lia.
    split=> //; split=> //=; rewrite /paid; have [E|[E|E]] :
      (Z.abs (q - q' + 1) = 0 \/ Z.abs (q - q' + 1) = 1 \/
       Z.abs (q - q' + 1) = 2)%Z by lia.
    + by rewrite E; lra.
    + by rewrite E; lra.
    by rewrite E; lra.
  case: Z_le_gt_dec => test' /=; first lia.
  by split=> //; split=> //=; split=> //; lra.
by apply: ReturnAligns; split=> //; rewrite /paid; lra.
Qed.

Lemma changes_back q q' : changes_by (-1) 1 q q' -> changes_by (-1) 1 q' q.
Proof. by rewrite /changes_by; lia. Qed.

Definition first_above_dp (choice : choice_of_reals) :=
  @certified_dp choice Z Z unit unit _ _ above_start above_pass above_last
    above_inv above_inv tt tt 3 _ above_certificate above_certificate
    (fun rs rs' => @each_pairs Z _ _ rs rs' changes_back).
