From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law pure.

(******************************************************************************)
(* The release of a point of a finite metric space by a weighting of it: the  *)
(* mechanism with the least chance of a change, and its instance on a line,   *)
(* which is the geometric mechanism clamped at both ends. Tables of two rows  *)
(* and two columns with given margins are such a line, neighbours at d_HamS 2.*)
(*                                                                            *)
(*      steps i j == |i - j| for natural numbers                              *)
(*   kernel_le K P == P x z * K y x <= P y z for all x, y, z: the budget      *)
(*            epsilon of P : T -> law R T, where K x y = e^(-epsilon d(x, y)) *)
(*   weighting K w == 0 <= w and \sum_z w z * K x z = 1 for all x             *)
(*   line_weight a n j == the weighting of 0, ..., n+1: 1 / (1 + a) at the    *)
(*            ends, (1 - a) / (1 + a) between them                            *)
(*                                                                            *)
(* Headline theorems, with claim ids                                          *)
(*   weighted_release == price.weighting: w z * K x z is a mechanism with     *)
(*            the budget, and no mechanism with it has a larger sum of the    *)
(*            probabilities that nothing changes                              *)
(*   clamped_geometric == price.fibre.line, price.floor.changed: on a line    *)
(*            it is the clamped geometric mechanism, for every length; its    *)
(*            budget, which is attained, and its optimality                   *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Definition kernel_le (R : realFieldType) (T : finType) (K : T -> T -> R)
    (P : T -> law R T) : Prop :=
  forall x y z, P x z * K y x <= P y z.

Definition weighting (R : realFieldType) (T : finType) (K : T -> T -> R)
    (w : T -> R) : Prop :=
  (forall z, 0 <= w z) /\ forall x, \sum_z w z * K x z = 1.

Section Weighted.

Variables (R : realFieldType) (T : finType) (K : T -> T -> R) (w : T -> R).

Hypothesis K_ge0 : forall x y, 0 <= K x y.
Hypothesis K_sym : forall x y, K x y = K y x.
Hypothesis K_refl : forall x, K x x = 1.
Hypothesis K_triangle : forall x y z, K x y * K y z <= K x z.
Hypothesis w_weighting : weighting K w.

Lemma weighted_ge0 x z : 0 <= w z * K x z.
Proof. by apply: mulr_ge0 => //; case: w_weighting. Qed.

Lemma weighted_sum1 x : \sum_z w z * K x z = 1.
Proof. by case: w_weighting. Qed.

Definition weighted_law x : law R T :=
  @mk_law R T (fun z => w z * K x z) (weighted_ge0 x) (weighted_sum1 x).

Lemma weightedE x z : weighted_law x z = w z * K x z.
Proof. exact: mk_lawE. Qed.

Lemma weighted_kernel_le : kernel_le K weighted_law.
Proof.
move=> x y z; rewrite !weightedE -mulrA [K x z * _]mulrC.
by apply: ler_wpmul2l; [case: w_weighting | apply: K_triangle].
Qed.

Lemma weighted_optimal P : kernel_le K P ->
  \sum_x P x x <= \sum_x weighted_law x x.
Proof.
move=> P_le.
have -> : \sum_x weighted_law x x = \sum_x w x * \sum_z P x z.
  by apply: eq_bigr => x _; rewrite weightedE K_refl law_sum1.
rewrite -[X in X <= _]mulr1.
have -> : (\sum_x P x x) * 1 = \sum_z \sum_x w x * (P z z * K x z).
  rewrite mulr1; apply: eq_bigr => z _.
  rewrite -[LHS]mulr1 -(weighted_sum1 z) mulr_sumr.
  by apply: eq_bigr => x _; rewrite (K_sym z x); ring.
rewrite exchange_big; apply: ler_sum => x _ /=.
rewrite mulr_sumr; apply: ler_sum => z _.
by apply: ler_wpmul2l; [case: w_weighting | apply: P_le].
Qed.

End Weighted.

Theorem weighted_release (R : realFieldType) (T : finType) (K : T -> T -> R)
    (w : T -> R) :
  (forall x y, 0 <= K x y) -> (forall x y, K x y = K y x) ->
  (forall x, K x x = 1) -> (forall x y z, K x y * K y z <= K x z) ->
  weighting K w ->
  exists2 Q : T -> law R T, forall x z, Q x z = w z * K x z &
    kernel_le K Q /\
    forall P : T -> law R T, kernel_le K P -> \sum_x P x x <= \sum_x Q x x.
Proof.
move=> K_ge0 K_sym K_refl K_triangle w_weighting.
pose Q := weighted_law K_ge0 w_weighting.
apply: (ex_intro2 _ _ Q) => [x z|]; first exact: weightedE.
split; first exact: weighted_kernel_le.
by move=> P; apply: weighted_optimal.
Qed.

Definition steps (i j : nat) : nat := (i - j + (j - i))%N.

Definition line_weight (R : realFieldType) (a : R) (n j : nat) : R :=
  (if (j == 0%N) || (j == n.+1) then 1 else 1 - a) / (1 + a).

Section Line.

Variables (R : realFieldType) (a : R) (n : nat).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

Lemma one_plus_neq0 : 1 + a != 0.
Proof. by apply: lt0r_neq0; apply: addr_gt0 => //; apply: ltr01. Qed.

(* The probability of an output below j, from i. *)
Definition mass_below (i j : nat) : R :=
  if j == 0%N then 0 else if j == n.+2 then 1 else
  if (j <= i)%N then a ^+ (i - j).+1 / (1 + a) else 1 - a ^+ (j - i) / (1 + a).

Lemma mass_below_step i j : (i < n.+2)%N -> (j < n.+2)%N ->
  line_weight a n j * a ^+ steps i j = mass_below i j.+1 - mass_below i j.
Proof.
move=> i_lt j_lt; rewrite /line_weight /mass_below /steps /= eqSS.
have a1 : 1 + a != 0 by exact: one_plus_neq0.
have -> : (j == n.+2) = false by lia.
have [-> | j_neq] := eqVneq j n.+1.
  rewrite orbT /=; case: ifP => i_gt.
    have -> : i = n.+1 by lia.
    by rewrite subnn addn0 expr0 expr1; field.
  have -> : (i - n.+1 + (n.+1 - i) = n.+1 - i)%N by lia.
  by field.
rewrite orbF; have [-> | j_gt] := eqVneq j 0%N.
  rewrite subr0; case: ifP => i_gt.
    have -> : ((i - 1).+1 = i - 0 + (0 - i))%N by lia.
    by field.
  have -> : i = 0%N by lia.
  by rewrite !subn0 expr0 expr1; field.
case: ifP => j_lti.
  have -> : (j <= i)%N by lia.
  have -> : (i - j + (j - i) = (i - j.+1).+1)%N by lia.
  have -> : (i - j = (i - j.+1).+1)%N by lia.
  by rewrite !exprS; field.
case: ifP => j_lei.
  have -> : j = i by lia.
  by rewrite subnn subSnn addn0 expr0 !expr1; field.
have -> : (i - j + (j - i) = j - i)%N by lia.
have -> : (j.+1 - i = (j - i).+1)%N by lia.
by rewrite exprS; field.
Qed.

Lemma line_sum1 (i : 'I_n.+2) :
  \sum_(j < n.+2) line_weight a n j * a ^+ steps i j = 1.
Proof.
rewrite (eq_bigr
  (fun j : 'I_n.+2 => mass_below i j.+1 - mass_below i j)); last first.
  by move=> j _; apply: mass_below_step.
rewrite -(big_mkord xpredT (fun j => mass_below i j.+1 - mass_below i j)).
by rewrite telescope_sumr // /mass_below /= ?eqSS ?eqxx subr0.
Qed.

Lemma line_weighting :
  weighting (fun i j : 'I_n.+2 => a ^+ steps i j) (line_weight a n).
Proof.
split=> [j | i]; last exact: line_sum1.
apply: divr_ge0; last by apply: addr_ge0; [apply: ler01 | apply: ltW].
by case: ifP => _; [apply: ler01 | rewrite subr_ge0 ltW].
Qed.

End Line.

Lemma stepsC i j : steps i j = steps j i.
Proof. by rewrite /steps addnC. Qed.

Lemma steps_triangle (R : realFieldType) (a : R) i j k : 0 <= a -> a <= 1 ->
  a ^+ steps i j * a ^+ steps j k <= a ^+ steps i k.
Proof.
move=> a_ge0 a_le1; rewrite -exprD.
by apply: ler_wiexpn2l => //; rewrite /steps; lia.
Qed.

Theorem clamped_geometric (R : realFieldType) (a g : R) (n : nat) :
  0 < a -> a < 1 -> 0 < g -> g ^+ 2 * a = 1 ->
  exists2 G : 'I_n.+2 -> law R [finType of 'I_n.+2],
    forall i j, G i j = line_weight a n j * a ^+ steps i j &
    [/\ pure_dp (fun (_ : unit) (_ : 'I_n.+2) => True)
          (fun i j : 'I_n.+2 => Some (2 * steps i j)%N) (fun _ => Some g) G,
        G ord0 ord0 = g ^+ 2 * G (lift ord0 ord0) ord0 &
        forall P : 'I_n.+2 -> law R [finType of 'I_n.+2],
          (forall i j z : 'I_n.+2, P i z <= g ^+ (2 * steps i j) * P j z) ->
          \sum_i P i i <= \sum_i G i i].
Proof.
move=> a_gt0 a_lt1 g_gt0 ga1.
have a_ge0 : 0 <= a by apply: ltW.
have gX k : g ^+ (2 * k) * a ^+ k = 1 by rewrite exprM -exprMn ga1 expr1n.
have [|||| G GE [G_le G_best]] := @weighted_release R [finType of 'I_n.+2]
  (fun i j => a ^+ steps i j) (line_weight a n) _ _ _ _
  (line_weighting n a_gt0 a_lt1).
- by move=> i j; apply: exprn_ge0.
- by move=> i j; rewrite stepsC.
- by move=> i; rewrite /steps subnn expr0.
- by move=> i j k; apply: steps_triangle => //; apply: ltW.
have leX (u v : R) k : (u * a ^+ k <= v) = (u <= g ^+ (2 * k) * v).
  have gk_gt0 : 0 < g ^+ (2 * k) by apply: exprn_gt0.
  by rewrite -(ler_pmul2l gk_gt0) mulrCA gX mulr1.
apply: (ex_intro2 _ _ G) => //; split.
- move=> [] i j _ _ /=; apply/mult_leP => z; rewrite -!leX.
  by split; [rewrite stepsC; apply: G_le | apply: G_le].
- by rewrite !GE /steps /= expr0 expr1 mulr1 mulrCA ga1 mulr1.
- move=> P P_le; apply: G_best => i j z.
  by rewrite leX stepsC; apply: P_le.
Qed.

(* Instances: a quarter, on lines of two and of three points. *)

Definition quarter : rat := 4%:R^-1.
Definition points : finType := [finType of 'I_2].
Definition quarters (i j : points) : rat := quarter ^+ steps i j.

Lemma quarters_ge0 i j : 0 <= quarters i j.
Proof. exact: exprn_ge0. Qed.

Lemma quartersC i j : quarters i j = quarters j i.
Proof. by rewrite /quarters stepsC. Qed.

Lemma quarters_refl i : quarters i i = 1.
Proof. by rewrite /quarters /steps subnn expr0. Qed.

Lemma quarters_triangle i j k : quarters i j * quarters j k <= quarters i k.
Proof. exact: steps_triangle. Qed.

Lemma quarters_weighting : weighting quarters (line_weight quarter 0).
Proof. exact: line_weighting. Qed.

Definition weighted_release_instance := @weighted_release _ points quarters
  (line_weight quarter 0) quarters_ge0 quartersC quarters_refl quarters_triangle
  quarters_weighting.

Lemma two_quarter : 2%:R ^+ 2 * quarter = 1.
Proof. by []. Qed.

Definition clamped_geometric_instance :=
  @clamped_geometric _ quarter 2%:R 1 isT isT isT two_quarter.
