From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import power.

(******************************************************************************)
(* Which powers pure differential privacy allows: for every size there is a   *)
(* mechanism and a test with the largest power.                               *)
(*                                                                            *)
(*   step_to ds x0 n y == the distance from x0 to y, at most n                *)
(*   ladder ds g_ge1 p01 x0 n == the mechanism whose output is true with      *)
(*            probability p at x0, and at y with the largest power that       *)
(*            step_to ds x0 n y steps give this size                          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   roc_region == two laws on bool are within ln g exactly if the power is   *)
(*            between power_min and power_max of the size: every pair of a    *)
(*            size and a power that one step allows is attained               *)
(*   ladder_pure == the ladder satisfies the specification                    *)
(*   sharpest_power_attained == for every size, a path metric, two data sets  *)
(*            at distance n: a mechanism and a test attain the iterated bound *)
(*   power_max_attained == for one step that is the printed bound             *)
(*   printed_power_attained == for n steps and a small size too               *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Region.

Variable R : realFieldType.
Implicit Types (a b g : R).

(* The region of dissertation Corollary 5.5.2 for one step: a size a and a    *)
(* power b in it are those of the test of two laws on bool, a for true under  *)
(* the one and b under the other.                                             *)
Theorem roc_region g a b (a01 : 0 <= a <= 1) (b01 : 0 <= b <= 1) :
  1 <= g ->
  mult_le g (bern a a01) (bern b b01) <->
  power_min g a <= b <= power_max g a.
Proof.
move=> g_ge1; have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
rewrite power_minP power_maxP !ler_pdivr_mull //; split.
  move=> /mult_leP near; have [] := near true; have [] := near false.
  by rewrite !bernE => -> -> -> ->.
case/andP=> /andP[ab ba'] /andP[ba ab']; apply/mult_leP=> -[].
  by rewrite !bernE.
by rewrite !bernE.
Qed.

Lemma bern_step g a b (a01 : 0 <= a <= 1) (b01 : 0 <= b <= 1) :
  1 <= g -> b = power_max g a -> mult_le g (bern a a01) (bern b b01).
Proof.
move=> g_ge1 bE; apply/roc_region => //; rewrite bE lexx andbT.
have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
have le_ab := power_max_ge g_ge1 a01; case/andP: a01 => a_ge0 a_le1.
rewrite power_minP ler_pdivr_mull //; apply/andP; split.
  by rewrite (le_trans le_ab) // ler_pemull // (le_trans a_ge0).
apply: le_trans (_ : 1 - a <= _); first by rewrite ler_add2l ler_opp2.
by rewrite ler_pemull ?subr_ge0.
Qed.

End Region.

Section Ladder.

Variables (R : realFieldType) (X : eqType) (r : rel X).
Variables (ds : X -> X -> option nat) (g p : R).
Hypotheses (g_ge1 : 1 <= g) (p01 : 0 <= p <= 1).

Definition step_to x0 n y : nat := if ds x0 y is Some m then minn m n else n.

Definition ladder x0 n y : law R [finType of bool] :=
  bern (iter (step_to x0 n y) (power_max g) p)
       (iter_power_bounds (step_to x0 n y) g_ge1 p01).

Lemma walk_last m x y z : walk r m x y -> r y z -> walk r m.+1 x z.
Proof.
elim: m x => [|m IHm] x /=; first by move=> -> yz; exists z.
by case=> w xw wy yz; exists w => //; apply: IHm.
Qed.

Lemma step_near x0 n y y' : symmetric r -> is_shortest_walk r ds -> r y y' ->
  (step_to x0 n y' <= (step_to x0 n y).+1)%N.
Proof.
move=> symr short yy'; rewrite /step_to.
have := short x0 y; have := short x0 y'.
case: (ds x0 y') => [m'|] s'; case: (ds x0 y) => [m|] s.
- have [[_ least] [walk_m _]] := (s', s).
  have := least _ (walk_last walk_m yy').
  by rewrite -minnSS leq_min geq_min => ->; rewrite geq_min leqnSn orbT.
- by apply: leq_trans (geq_minr _ _) _.
- by have [walk_m _] := s; case: (s' _ (walk_last walk_m yy')).
by [].
Qed.

Lemma ladder_near x0 n y y' : symmetric r -> is_shortest_walk r ds -> r y y' ->
  mult_le g (ladder x0 n y) (ladder x0 n y').
Proof.
move=> symr short yy'; have := step_near x0 n symr short yy'.
rewrite symr in yy'; have := step_near x0 n symr short yy'.
rewrite /ladder; move: (step_to x0 n y) (step_to x0 n y') => k k'.
rewrite leq_eqVlt => /predU1P[-> _ | lt_kk'].
  exact/mult_le_sym/bern_step.
rewrite leq_eqVlt => /predU1P[-> | lt_k'k]; first exact: bern_step.
have -> : k = k' by apply/eqP; rewrite eqn_leq -ltnS lt_kk' -ltnS lt_k'k.
apply: mult_le_refl; exact: g_ge1.
Qed.

(* The mechanism satisfies the specification of the path metric: neighbours   *)
(* differ by at most one step of power_max.                                   *)
Theorem ladder_pure x0 n : symmetric r -> is_shortest_walk r ds ->
  pure_dp (everything X) ds (fun _ => Some g) (ladder x0 n).
Proof.
move=> symr short i x x' _ _; have := short x x'.
case: (ds x x') => [m|] // [walk_m _].
apply: pure_group_privacy walk_m => y y'; exact: ladder_near.
Qed.

End Ladder.

Section Attained.

Variables (R : realFieldType) (X : eqType) (r : rel X).
Variables (ds : X -> X -> option nat) (g : R).
Implicit Types (T : X -> law R [finType of bool]).

(* The largest power of dissertation section 5.9 in a path metric: between    *)
(* two data sets at distance n there is, for every size, a mechanism that     *)
(* satisfies the specification and a test of that size whose power is n steps *)
(* of power_max.                                                              *)
Theorem sharpest_power_attained x0 x1 n size :
  1 <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n ->
  0 <= size <= 1 ->
  exists T, [/\ pure_dp (everything X) ds (fun _ => Some g) T,
    Pr (T x0) [set true] = size &
    Pr (T x1) [set true] = iter n (power_max g) size].
Proof.
move=> g_ge1 symr short eq_n size01; exists (ladder ds g_ge1 size01 x0 n).
split; first exact: ladder_pure.
  have d0 : ds x0 x0 = Some 0%N.
    have := short x0 x0; case: (ds x0 x0) => [m|] /=.
      by case=> _ /(_ 0%N erefl); rewrite leqn0 => /eqP->.
    by move=> /(_ 0%N)/(_ erefl).
  by rewrite Pr1 bernE /step_to d0 min0n.
by rewrite Pr1 bernE /step_to eq_n minnn.
Qed.

(* Dissertation section 5.9: for a small size that is gamma^n times the size. *)
Theorem printed_power_attained x0 x1 n size :
  1 <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n.+1 ->
  0 <= size -> (g + 1) * g ^+ n * size <= 1 ->
  exists T, [/\ pure_dp (everything X) ds (fun _ => Some g) T,
    Pr (T x0) [set true] = size & Pr (T x1) [set true] = g ^+ n.+1 * size].
Proof.
move=> g_ge1 symr short eq_n size_ge0 small.
have gn_ge1 : 1 <= g ^+ n by rewrite exprn_ege1.
rewrite -iterated_power_small //; apply: sharpest_power_attained => //.
rewrite size_ge0; apply: le_trans small; rewrite ler_pemull //.
apply: le_trans gn_ge1 _; rewrite ler_pemull ?exprn_ge0 ?(le_trans ler01) //.
by rewrite ler_addr (le_trans ler01).
Qed.

End Attained.

(* Two neighbouring data sets.                                                *)
Section OneStep.

Variable R : realFieldType.

Definition other (x x' : bool) : bool := x != x'.

Definition one_apart (x x' : bool) : option nat := Some (nat_of_bool (x != x')).

Lemma one_apart_shortest : is_shortest_walk other one_apart.
Proof.
move=> x x'; rewrite /one_apart; case: (x =P x') => [->|/eqP ne].
  by split.
by split=> [|[|m] //= eq]; [exists x' | rewrite eq eqxx in ne].
Qed.

(* Dissertation Corollary 5.5.2 at distance 1: its upper bound is attained    *)
(* for every size.                                                            *)
Theorem power_max_attained (g size : R) :
  1 <= g -> 0 <= size <= 1 ->
  exists T : bool -> law R [finType of bool],
    [/\ pure_dp (everything bool) one_apart (fun _ => Some g) T,
        Pr (T false) [set true] = size &
        Pr (T true) [set true] = power_max g size].
Proof.
move=> g_ge1 size01.
have symr : symmetric other by case=> [] [].
exact: (sharpest_power_attained (n := 1) g_ge1 symr one_apart_shortest).
Qed.

End OneStep.
