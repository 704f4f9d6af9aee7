From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure invariant_multiverse.
From Stirred Require Import output_distances.

(******************************************************************************)
(* Instances of the theorems on distances of laws: a fair coin beside one     *)
(* with mass 1/4 at true, which are within gamma = 2.                         *)
(*                                                                            *)
(*   fair, unfair == the laws of the coins                                    *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.

Lemma quarter_ends : 0 <= (4%:R^-1 : Q) <= 1. Proof. by []. Qed.

Definition even_coin : law Q [finType of bool] := fair Q.
Definition uneven_coin : law Q [finType of bool] := bern 4%:R^-1 quarter_ends.

Lemma coins_within : mult_le 2%:R even_coin uneven_coin.
Proof.
apply/mult_leP => b; rewrite /even_coin /uneven_coin fairE bernE.
case: b; split; vm_compute; reflexivity.
Qed.

Lemma coins_approximate :
  approximate_le 2%:R 2%:R^-1 even_coin uneven_coin.
Proof. exact: mult_approximate coins_within. Qed.

Definition approximate_product_instance :=
  @approximate_product Q _ _ 2%:R 2%:R 2%:R^-1 2%:R^-1 _ _ _ _ isT isT isT
    coins_approximate coins_approximate.
Definition approximate_smaller_instance :=
  @approximate_smaller Q _ 2%:R 2%:R^-1 _ _ isT coins_within.
