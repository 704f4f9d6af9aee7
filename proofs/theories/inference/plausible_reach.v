From mathcomp Require Import all_ssreflect.
From Stirred Require Import stability.

(******************************************************************************)
(* How far apart data sets of at most b records lie                           *)
(*                                                                            *)
(* Headline theorem, with its claim id                                        *)
(*   reach_symmetric   supports.reach.symmetric: at most 2 b in the symmetric *)
(*            difference, 2 b if both have b records and share none, and at   *)
(*            most b from the empty data set                                  *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Theorem reach_symmetric (B : eqType) b (s t : seq B) :
  size s <= b -> size t <= b ->
  [/\ symdiff s t <= 2 * b, symdiff [::] t <= b
    & size s = b -> size t = b -> ~~ has (mem s) t -> symdiff s t = 2 * b].
Proof.
move=> le_s le_t; split=> //.
  apply: leq_trans (@symdiff_le _ [::] s t s t _ _) _ => //.
  by rewrite mul2n -addnn leq_add.
move=> sb tb /hasPn none; have [u [c [d [s_uc t_ud ->]]]] := symdiff_split s t.
case: u s_uc t_ud => [|x u] s_uc t_ud.
  by rewrite -(perm_size s_uc) -(perm_size t_ud) sb tb mul2n addnn.
have x_t : x \in t by rewrite (perm_mem t_ud) mem_head.
by have := none x x_t; rewrite inE (perm_mem s_uc) mem_head.
Qed.

Definition reach_symmetric_instance :=
  @reach_symmetric bool_eqType 1 [:: true] [:: false] isT isT.
