From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import privatised_data power.

(******************************************************************************)
(* What pure differential privacy says of tests of one model P0 of the data   *)
(* against another, P1, by the output: the size of the event A is its         *)
(* probability under bind P0 T, and its power that under bind P1 T.           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   models_near == the laws of the output under the two models are within    *)
(*            gamma^n, for n the largest distance of a data set of P0 to one  *)
(*            of P1 (the proof of dissertation Theorem 5.5.1)                 *)
(*   model_power_upper == dissertation Theorem 5.5.1                          *)
(*   model_power_interval, randomised_power_interval == dissertation          *)
(*            Corollary 5.5.2, for events and for randomised tests            *)
(*   iterated_power == sharper in a path metric: n steps of power_max         *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section ModelPower.

Variables (R : realFieldType) (X Y : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (n : nat) (P0 P1 : law R X).
Implicit Types (A : {set Y}).

Lemma mean_le (P : law R X) (f : X -> R) c :
  (forall x, x \in supp P -> f x <= c) -> \sum_x P x * f x <= c.
Proof.
move=> le_c; rewrite -[c]mul1r -(law_sum1 P) mulr_suml.
apply: ler_sum => x _; have [->|Px] := eqVneq (P x) 0; first by rewrite !mul0r.
by rewrite ler_wpmul2l ?law_ge0 // le_c // inE.
Qed.

Lemma mean_ge (P : law R X) (f : X -> R) c :
  (forall x, x \in supp P -> c <= f x) -> c <= \sum_x P x * f x.
Proof.
move=> ge_c; rewrite -ler_opp2 -sumrN.
rewrite (eq_bigr (fun x => P x * - f x)) => [|x _]; last by rewrite mulrN.
by apply: mean_le => x xP; rewrite ler_opp2 ge_c.
Qed.

Lemma means_le h (f : X -> R) :
  (forall x x', x \in supp P0 -> x' \in supp P1 -> f x <= h * f x') ->
  \sum_x P0 x * f x <= h * \sum_x P1 x * f x.
Proof.
move=> le_h; apply: mean_le => x xP0; rewrite mulr_sumr.
under eq_bigr => x' _ do rewrite mulrCA.
by apply: mean_ge => x' x'P1; apply: le_h.
Qed.

(* The two laws of the output are as near as the farthest data sets of the    *)
(* two models: no density ratio is above gamma^n.                             *)
Theorem models_near :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  mult_le (g ^+ n) (bind P0 T) (bind P1 T).
Proof.
move=> dpT eq_g g_ge1 near A; rewrite !Pr_bind.
have close x x' : x \in supp P0 -> x' \in supp P1 ->
    mult_le (g ^+ n) (T x) (T x').
  exact: within_near dpT eq_g g_ge1 near.
split.
  by apply: means_le => x x' xP x'P; have [] := close x x' xP x'P A.
apply: mean_le => x' x'P; rewrite mulr_sumr.
under eq_bigr => x _ do rewrite mulrCA.
by apply: mean_ge => x xP; have [] := close x x' xP x'P A.
Qed.

(* Dissertation Theorem 5.5.1: a test of level alpha has a power of at most   *)
(* gamma^n alpha, n bounding the distances between data sets of P0 and of P1. *)
Theorem model_power_upper A alpha :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  Pr (bind P0 T) A <= alpha -> Pr (bind P1 T) A <= g ^+ n * alpha.
Proof.
move=> dpT eq_g g_ge1 near size; have g_ge0 := le_trans ler01 g_ge1.
have [_ le_power] := models_near dpT eq_g g_ge1 near A.
by apply: le_trans le_power _; rewrite ler_wpmul2l ?exprn_ge0.
Qed.

(* Dissertation Corollary 5.5.2: a test of size alpha has a power between     *)
(* max(alpha / gamma^n, 1 - gamma^n (1 - alpha)) and                          *)
(* min(gamma^n alpha, 1 - (1 - alpha) / gamma^n).                             *)
Theorem model_power_interval A :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  power_min (g ^+ n) (Pr (bind P0 T) A) <= Pr (bind P1 T) A
    <= power_max (g ^+ n) (Pr (bind P0 T) A).
Proof.
move=> dpT eq_g g_ge1 near.
have gn_gt0 : 0 < g ^+ n by rewrite exprn_gt0 // (lt_le_trans ltr01).
exact: (mult_le_iff_power _ _ gn_gt0).1 (models_near dpT eq_g g_ge1 near) A.
Qed.

(* The same for a test that rejects an output t with probability K t true.    *)
Theorem randomised_power_interval (K : Y -> law R [finType of bool]) :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  let size := bind (bind P0 T) K true in
  power_min (g ^+ n) size <= bind (bind P1 T) K true
    <= power_max (g ^+ n) size.
Proof.
move=> dpT eq_g g_ge1 near /=.
have gn_gt0 : 0 < g ^+ n by rewrite exprn_gt0 // (lt_le_trans ltr01).
have near_tests := mult_postprocessing K (models_near dpT eq_g g_ge1 near).
have := (mult_le_iff_power _ _ gn_gt0).1 near_tests [set true].
by rewrite !Pr1.
Qed.

End ModelPower.

(* In a path metric each step costs gamma, and the bounds of the steps are    *)
(* applied one after the other.                                               *)
Section IteratedPower.

Variables (R : realFieldType) (X Y : finType) (r : rel X).
Variables (ds : X -> X -> option nat) (g : R) (T : X -> law R Y).

(* Sharper than dissertation Corollary 5.5.2 in a path metric (its Assumption *)
(* 5.3.3): the power of a test is at most n steps of power_max after its      *)
(* size; the lower bound is that of the test that rejects where it does not.  *)
Theorem iterated_power n P0 P1 A :
  1 <= g -> is_shortest_walk r ds ->
  pure_dp (everything X) ds (fun _ => Some g) T ->
  within (everything X tt) ds n (supp P0) (supp P1) ->
  let size := Pr (bind P0 T) A in
  1 - iter n (power_max g) (1 - size) <= Pr (bind P1 T) A
    <= iter n (power_max g) size.
Proof.
move=> g_ge1 short dpT near /=.
have upper B : Pr (bind P1 T) B <= iter n (power_max g) (Pr (bind P0 T) B).
  rewrite !Pr_bind; apply: mean_le => x' x'P.
  apply: le_trans (power_max_mixture P0 (fun x => Pr (T x) B) n g_ge1).
  apply: mean_ge => x xP; have [_ _] := near x x' xP x'P.
  case eq_m: (ds x x') => [m|] // mn.
  apply: le_trans (path_power B g_ge1 short dpT eq_m) _.
  by apply: iter_power_more; rewrite ?Pr_ge0 ?Pr_le1.
rewrite upper andbT ler_subl_addl -ler_subl_addr -!PrC; exact: upper.
Qed.

End IteratedPower.
