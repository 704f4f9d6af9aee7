From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping hamming pure psa_law.
From Stirred Require Import balanced_attained balanced_instances lower_halves.

(******************************************************************************)
(* Instances of the theorems of lower_halves, at the swap rate 1/2            *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.

(* Rows of two records and of one: the budget of Theorem 1 for three.         *)
Lemma two_and_one : pure_dp (fun _ : unit => two_by_two (n1 := 2) (n2 := 1))
  (fun x x' => Some (hamming x x'))
  (fun=> Some (Num.max (even_rate / (1 - even_rate))
                       (4%:R / (even_rate / (1 - even_rate)))))
  (psa even_rate even_rate_ends).
Proof.
move=> _ x x' xP x'P; apply: theorem_1_enough => //; apply/same_invariantsP.
by split=> -[] k; have [hE sE] := xP k; have [hE' sE'] := x'P k;
  rewrite ?hE ?hE' ?sE ?sE'.
Qed.

Definition short_row_loss_instance :=
  @short_row_loss Q even_rate even_rate_ends 2 1 _ even_rate_in isT isT isT
    two_and_one.
Definition many_categories_instance :=
  @many_categories Q even_rate even_rate_ends 5 1 even_rate_in isT isT.
