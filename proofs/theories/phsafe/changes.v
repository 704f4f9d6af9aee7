(******************************************************************************)
(* How far one record moves the counts of a level, for any number of cells    *)
(*                                                                            *)
(* v and w are the counts that come and go, those of a household's joined     *)
(* rows before and after.                                                     *)
(*                                                                            *)
(*       squared_change v w == the squared L2 change of the counts            *)
(*                                                                            *)
(* Headline results, with claim ids                                           *)
(*   person_added_change       phsafe.sensitivity.person-added                *)
(*   person_replaced_change    phsafe.sensitivity.person-replaced             *)
(*   tables_added_change       phsafe.sensitivity.tables-added                *)
(*   tables_replaced_change    phsafe.sensitivity.tables-replaced             *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect zify.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Changes.
Variable I : finType.
Implicit Types (v w : I -> nat) (a b tau : nat).

Definition squared_change v w := \sum_i ((v i - w i) + (w i - v i)) ^ 2.

Lemma squares_le v a : \sum_i v i <= a -> \sum_i v i ^ 2 <= a ^ 2.
Proof.
move=> v_a; apply: (@leq_trans (\sum_i v i * a)); last first.
  by rewrite -big_distrl /= -mulnn leq_mul2r v_a orbT.
apply: leq_sum => i _; rewrite -mulnn leq_mul2l; apply/orP; right.
by apply: leq_trans v_a; rewrite (bigD1 i) //= leq_addr.
Qed.

Lemma squared_change_le v w a b :
  \sum_i v i <= a -> \sum_i w i <= b -> squared_change v w <= a ^ 2 + b ^ 2.
Proof.
move=> v_a w_b.
apply: leq_trans (leq_add (squares_le v_a) (squares_le w_b)).
rewrite -big_split; apply: leq_sum => i _ /=.
case: (leqP (v i) (w i)) => [v_w | w_v].
  apply: leq_trans (leq_addl _ _); rewrite leq_sqr; lia.
by apply: leq_trans (leq_addr _ _); rewrite leq_sqr; lia.
Qed.

Theorem person_added_change tau v w :
  \sum_i v i <= tau -> \sum_i w i <= tau -> squared_change v w <= 2 * tau ^ 2.
Proof. by move=> v_tau w_tau; rewrite mul2n -addnn squared_change_le. Qed.

Theorem person_replaced_change tau v w :
    \sum_i v i <= 2 * tau -> \sum_i w i <= 2 * tau ->
  squared_change v w <= 8 * tau ^ 2.
Proof.
move=> v_tau w_tau; apply: leq_trans (squared_change_le v_tau w_tau) _.
by rewrite !expnMn -mulnDl.
Qed.

(* Of the rows that come and go one each is a person's, 2 tau in all a unit's *)
Theorem tables_added_change tau v w a b :
    \sum_i v i <= a -> \sum_i w i <= b ->
    0 < a -> 0 < b -> a + b <= 2 * tau + 2 ->
  squared_change v w <= 4 * tau ^ 2 + 4 * tau + 2.
Proof.
move=> v_a w_b a_gt0 b_gt0 ab_tau.
by apply: leq_trans (squared_change_le v_a w_b) _; nia.
Qed.

Theorem tables_replaced_change tau v w :
    \sum_i v i <= 2 * tau + 2 -> \sum_i w i <= 2 * tau + 2 ->
  squared_change v w <= 2 * (2 * tau + 2) ^ 2.
Proof. by move=> v_tau w_tau; rewrite mul2n -addnn squared_change_le. Qed.
End Changes.
