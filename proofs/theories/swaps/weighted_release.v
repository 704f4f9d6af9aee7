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
(*   line_error c P == \sum_i \sum_z c |i - z| * P i z                        *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   weighted_release == price.weighting: w z * K x z is a mechanism with     *)
(*            the budget, and no mechanism with it has a larger sum of the    *)
(*            probabilities that nothing changes                              *)
(*   clamped_geometric == price.fibre.line, price.floor.changed: on a line    *)
(*            it is the clamped geometric mechanism, for every length; its    *)
(*            budget, which is attained, and its optimality                   *)
(*   line_floor, line_floor_errors == price.floor.lines: no mechanism with    *)
(*            its budget has a smaller line_error, for errors that rise       *)
(*            slowly enough; three of them                                    *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
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

(* No mechanism with the budget has a smaller error, summed over the line. *)

Definition line_error (R : realFieldType) n (c : nat -> R)
    (P : 'I_n.+2 -> law R [finType of 'I_n.+2]) : R :=
  \sum_(i < n.+2) \sum_(z < n.+2) c (steps i z) * P i z.

Section Floor.

Variables (R : realFieldType) (a : R) (n : nat) (c : nat -> R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Hypotheses (c0 : c 0%N = 0) (c_le : forall k, c k <= c k.+1).
Hypothesis c_rise : forall m, \sum_(k < m) a ^+ k.+1 * (c k.+1 - c k) <= c 1%N.

Let a_ge0 : 0 <= a.
Proof. exact: ltW. Qed.

Lemma co_a2_gt0 : 0 < 1 - a ^+ 2.
Proof. by rewrite subr_gt0 exprn_ilt1 // a_ge0. Qed.

(* The weighed errors of up to m steps to one side. *)
Definition side (m : nat) : R := \sum_(k < m.+1) a ^+ k * c k.

Lemma sideS m : side m.+1 = side m + a ^+ m.+1 * c m.+1.
Proof. by rewrite /side big_ord_recr. Qed.

Lemma side_rise m :
  side m.+1 - a * side m = \sum_(k < m.+1) a ^+ k.+1 * (c k.+1 - c k).
Proof.
elim: m => [|m IHm].
  by rewrite /side !big_ord_recr !big_ord0 /= c0; ring.
by rewrite big_ord_recr /= -IHm !sideS !exprS; ring.
Qed.

Lemma rise_ge m : a * c 1%N <= side m.+1 - a * side m.
Proof.
rewrite side_rise big_ord_recl /= c0 subr0 expr1 ler_addl.
apply: sumr_ge0 => k _; apply: mulr_ge0; first exact: exprn_ge0.
by rewrite subr_ge0.
Qed.

Lemma rise_le m : side m.+1 - a * side m <= c 1%N.
Proof. by rewrite side_rise. Qed.

Lemma c_mono i j : (i <= j)%N -> c i <= c j.
Proof.
elim: j => [|j IHj]; first by rewrite leqn0 => /eqP ->.
by rewrite leq_eqVlt => /predU1P[-> //|/IHj/le_trans]; apply.
Qed.

(* Multipliers: those of the points' laws add up to the least error. *)
Definition both (x : nat) : R := side x + side (n.+1 - x).

Definition tail_weight (x : nat) : R :=
  if x == 0%N then (1 - a ^+ 2) * both 0%N else
  if (x <= n.+1)%N then both x - a * both x.-1 else 0.

Definition point_floor (x : nat) : R :=
  (tail_weight x - a * tail_weight x.+1) / (1 - a ^+ 2).

Lemma both_rev x : (x <= n.+1)%N -> both (n.+1 - x) = both x.
Proof. by move=> x_le; rewrite /both subKn // addrC. Qed.

Lemma point_floor_rev x : (x <= n.+1)%N ->
  point_floor (n.+1 - x) = point_floor x.
Proof.
move=> x_le; rewrite /point_floor; congr (_ / _).
have bothN : both n.+1 = both 0%N by rewrite -[both 0%N]both_rev // subn0.
have both1 : both n = both 1%N by rewrite -[both 1%N]both_rev // subn1.
have [-> | x_neq0] := eqVneq x 0%N.
  by rewrite subn0 /tail_weight /= ltnn leqnn bothN both1; ring.
have [-> | x_neqn] := eqVneq x n.+1.
  by rewrite subnn /tail_weight /= ltnn leqnn bothN both1; ring.
rewrite /tail_weight; have -> : (n.+1 - x == 0)%N = false by lia.
rewrite (negPf x_neq0) leq_subr x_le /=.
have -> : (n.+1 - x < n.+1)%N by lia.
have -> : (x < n.+1)%N by lia.
have -> : ((n.+1 - x).-1 = n.+1 - x.+1)%N by lia.
have -> : ((n.+1 - x).+1 = n.+1 - x.-1)%N by lia.
rewrite !both_rev; [ring | lia | lia | lia].
Qed.

Lemma sum_point_floor x : (x <= n.+1)%N ->
  \sum_(i < (n.+1 - x).+1) a ^+ i * point_floor (x + i) =
  tail_weight x / (1 - a ^+ 2).
Proof.
move=> x_le; have -> : (n.+1 - x).+1 = (n.+2 - x)%N by lia.
have D0 : 1 - a ^+ 2 != 0 by exact/lt0r_neq0/co_a2_gt0.
rewrite -(big_mkord xpredT (fun i => a ^+ i * point_floor (x + i))).
rewrite (eq_bigr (fun i =>
  - (a ^+ i.+1 * tail_weight (x + i.+1)) / (1 - a ^+ 2) -
  (- (a ^+ i * tail_weight (x + i)) / (1 - a ^+ 2)))); last first.
  by move=> i _; rewrite /point_floor addnS [a ^+ i.+1]exprS; field.
rewrite (telescope_sumr
  (fun i => - (a ^+ i * tail_weight (x + i)) / (1 - a ^+ 2))) //.
have -> : (x + (n.+2 - x) = n.+2)%N by lia.
have -> : tail_weight n.+2 = 0 by rewrite /tail_weight /= ltnn.
by rewrite addn0 expr0; field.
Qed.

Lemma tail_ge0 z j : (0 < j)%N -> (z + j <= n.+1)%N ->
  0 <= \sum_(i < (n.+1 - (z + j)).+1)
         a ^+ i * (c (j + i) - point_floor (z + j + i)).
Proof.
move=> j_gt0 zj_le.
under eq_bigr do rewrite mulrBr.
rewrite sumrB sum_point_floor // subr_ge0 ler_pdivr_mulr ?co_a2_gt0 //.
set x := (z + j)%N in zj_le *; have x_gt0 : (0 < x)%N by rewrite /x; lia.
rewrite -(ler_pmul2l a_gt0).
apply: (@le_trans _ _ (side (n.+1 - x).+1 * (1 - a ^+ 2))); last first.
  rewrite mulrA ler_pmul2r ?co_a2_gt0 // /side big_ord_recl c0 mulr0 add0r.
  rewrite mulr_sumr; apply: ler_sum => i _; rewrite lift0 exprS mulrA.
  apply: ler_wpmul2l; last by apply: c_mono; lia.
  by apply: mulr_ge0; [ | exact: exprn_ge0].
rewrite /tail_weight; have -> : (x == 0)%N = false by lia.
rewrite zj_le /both; case: x x_gt0 zj_le => // x _ zj_le /=.
have -> : (n.+1 - x = (n.+1 - x.+1).+1)%N by lia.
have := rise_ge (n.+1 - x.+1); have := rise_le x.
rewrite -(ler_pmul2l a_gt0) => le_c c_le_rise.
have := le_trans le_c c_le_rise; rewrite -subr_ge0 => d_ge0.
rewrite -subr_ge0; apply: le_trans d_ge0 _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* One side of a column of a private mechanism, outwards from an output. *)
Lemma outwards (w m : nat -> R) k :
  (forall i, (i < k)%N -> a * m i <= m i.+1) ->
  (forall j, (0 < j <= k)%N ->
    0 <= \sum_(i < (k - j).+1) a ^+ i * w (j + i)%N) ->
  m 0%N * (\sum_(i < k.+1) a ^+ i * w i) <= \sum_(i < k.+1) w i * m i.
Proof.
elim: k w m => [|k IHk] w m m_le w_ge.
  by rewrite !big_ord_recl !big_ord0 /= !addr0 expr0 mul1r mulrC.
rewrite big_ord_recl [X in _ <= X]big_ord_recl expr0 mul1r mulrDr mulrC.
rewrite ler_add2l.
have := IHk (fun i => w i.+1) (fun i => m i.+1).
move=> /(_ (fun i i_lt => m_le i.+1 i_lt)) IH.
apply: le_trans (IH _) => [|j /andP[j_gt0 j_le]]; last first.
  by apply: (w_ge j.+1); lia.
have -> : \sum_(i < k.+1) a ^+ lift ord0 i * w (lift ord0 i) =
    a * \sum_(i < k.+1) a ^+ i * w i.+1.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite lift0 exprS mulrA.
rewrite mulrA [m 0%N * a]mulrC; apply: ler_wpmul2r; last exact: m_le.
by have := w_ge 1%N; rewrite subn1 /=; apply.
Qed.

Lemma sum_split (F : nat -> R) z : (z <= n.+1)%N ->
  \sum_(i < n.+2) F i =
  \sum_(i < z.+1) F (z - i)%N + \sum_(i < (n.+1 - z).+1) F (z + i)%N - F z.
Proof.
move=> z_le; rewrite [X in _ = _ + X - _]big_ord_recl addn0.
have -> (u v w : R) : u + (v + w) - v = u + w by ring.
rewrite -(big_mkord xpredT F) (@big_cat_nat _ _ _ z.+1) //=.
rewrite big_nat_rev /= add0n big_mkord; congr (_ + _).
rewrite -{1}[z.+1]add0n big_addn big_mkord.
have -> : (n.+2 - z.+1 = n.+1 - z)%N by lia.
by apply: eq_bigr => i _; congr F; rewrite /= /bump; lia.
Qed.

Lemma column_eq0 z : (z <= n.+1)%N ->
  \sum_(i < n.+2) a ^+ steps i z * (c (steps i z) - point_floor i) = 0.
Proof.
move=> z_le; pose F i := a ^+ steps i z * (c (steps i z) - point_floor i).
rewrite (sum_split F z_le) /F /steps subnn addn0 expr0 c0.
have D0 : 1 - a ^+ 2 != 0 by exact/lt0r_neq0/co_a2_gt0.
have right : \sum_(i < (n.+1 - z).+1) F (z + i)%N =
    side (n.+1 - z) - tail_weight z / (1 - a ^+ 2).
  rewrite -sum_point_floor // -sumrB; apply: eq_bigr => i _.
  rewrite /F; have -> : steps (z + i) z = i by rewrite /steps; lia.
  by rewrite mulrBr.
have left : \sum_(i < z.+1) F (z - i)%N =
    side z - tail_weight (n.+1 - z) / (1 - a ^+ 2).
  rewrite -sum_point_floor ?leq_subr // subKn // -sumrB; apply: eq_bigr => i _.
  have i_le : (i <= z)%N by case: i.
  rewrite /F; have -> : steps (z - i) z = i by rewrite /steps; lia.
  rewrite mulrBr -[point_floor (_ - i)]point_floor_rev; last by lia.
  by have -> : (n.+1 - (z - i) = n.+1 - z + i)%N by lia.
move: right left; rewrite /F /steps => -> ->.
rewrite /point_floor.
have -> : side z - tail_weight (n.+1 - z) / (1 - a ^+ 2) +
    (side (n.+1 - z) - tail_weight z / (1 - a ^+ 2)) -
    1 * (0 - (tail_weight z - a * tail_weight z.+1) / (1 - a ^+ 2)) =
    both z - (tail_weight (n.+1 - z) + a * tail_weight z.+1) / (1 - a ^+ 2).
  by rewrite /both; field.
rewrite /tail_weight.
have [-> | z_neq] := eqVneq z n.+1.
  by rewrite subnn /= ltnn -[both 0%N]both_rev // subn0; field.
have -> : (n.+1 - z == 0)%N = false by lia.
have -> : (z < n.+1)%N by lia.
rewrite leq_subr /=.
have -> : ((n.+1 - z).-1 = n.+1 - z.+1)%N by lia.
by rewrite !both_rev //; [field | lia].
Qed.

Lemma column_ge0 (m : nat -> R) z : (z <= n.+1)%N ->
  (forall i, (i < n.+1)%N -> a * m i <= m i.+1 /\ a * m i.+1 <= m i) ->
  0 <= \sum_(i < n.+2) (c (steps i z) - point_floor i) * m i.
Proof.
move=> z_le m_le; pose w i := c (steps i z) - point_floor i.
rewrite (sum_split (fun i => w i * m i) z_le).
have := column_eq0 z_le.
rewrite (sum_split (fun i => a ^+ steps i z * w i) z_le) => sum0.
have steps_r i : steps (z + i) z = i by rewrite /steps; lia.
have steps_l i : (i <= z)%N -> steps (z - i) z = i by rewrite /steps; lia.
have right := @outwards (fun i => w (z + i)%N) (fun i => m (z + i)%N)
  (n.+1 - z).
have left := @outwards (fun i => w (z - i)%N) (fun i => m (z - i)%N) z.
move: right left; rewrite subn0 addn0 => right left.
have {}right : m z * (\sum_(i < (n.+1 - z).+1) a ^+ i * w (z + i)%N) <=
    \sum_(i < (n.+1 - z).+1) w (z + i)%N * m (z + i)%N.
  apply: right => [i i_lt | j /andP[j_gt0 j_le]].
    by rewrite addnS; apply (m_le (z + i)%N); lia.
  have zj : (z + j <= n.+1)%N by lia.
  have := tail_ge0 j_gt0 zj.
  have -> : (n.+1 - z - j = n.+1 - (z + j))%N by lia.
  move=> /le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => i _; rewrite /w addnA -addnA steps_r.
have {}left : m z * (\sum_(i < z.+1) a ^+ i * w (z - i)%N) <=
    \sum_(i < z.+1) w (z - i)%N * m (z - i)%N.
  apply: left => [i i_lt | j /andP[j_gt0 j_le]].
    have -> : (z - i = (z - i.+1).+1)%N by lia.
    by apply (m_le (z - i.+1)%N); lia.
  have zj : (n.+1 - z + j <= n.+1)%N by lia.
  have := tail_ge0 j_gt0 zj.
  have -> : (n.+1 - (n.+1 - z + j) = z - j)%N by lia.
  move=> /le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  apply: eq_bigr => i _; have i_le : (i <= z - j)%N by case: i.
  rewrite /w steps_l; last by lia.
  rewrite -[point_floor (z - _)]point_floor_rev; last by lia.
  by have -> : (n.+1 - (z - (j + i)) = n.+1 - z + j + i)%N by lia.
have outer k (f : nat -> nat) : (forall i, (i < k)%N -> steps (f i) z = i) ->
    \sum_(i < k) a ^+ steps (f i) z * w (f i) = \sum_(i < k) a ^+ i * w (f i).
  by move=> fE; apply: eq_bigr => i _; rewrite fE.
move: sum0; rewrite (outer _ (fun i => z - i)%N) => [|i i_lt]; last first.
  by apply: steps_l; lia.
rewrite (outer _ (fun i => z + i)%N) => [|i _]; last exact: steps_r.
have -> : steps z z = 0%N by rewrite /steps subnn.
rewrite expr0 mul1r => /(congr1 (fun s => m z * s)); rewrite mulr0 => sum0.
rewrite -[X in X <= _]sum0 mulrBr mulrDr [w z * m z]mulrC ler_sub //.
exact: ler_add.
Qed.

Lemma floor_le (P : 'I_n.+2 -> law R [finType of 'I_n.+2]) :
  (forall i j z : 'I_n.+2, steps i j = 1%N -> a * P i z <= P j z) ->
  \sum_(i < n.+2) point_floor i <= line_error c P.
Proof.
move=> P_le; rewrite -subr_ge0 /line_error.
have -> : \sum_(i < n.+2) point_floor i =
    \sum_(i < n.+2) \sum_(z < n.+2) point_floor i * P i z.
  by apply: eq_bigr => i _; rewrite -mulr_sumr law_sum1 mulr1.
rewrite -sumrB; under eq_bigr do rewrite -sumrB.
rewrite exchange_big; apply: sumr_ge0 => z _ /=.
have z_le : (z <= n.+1)%N by rewrite -ltnS.
have := @column_ge0 (fun i => P (inord i) z) z z_le.
have -> : \sum_(i < n.+2) (c (steps i z) - point_floor i) * P (inord i) z =
    \sum_(i < n.+2) (c (steps i z) * P i z - point_floor i * P i z).
  by apply: eq_bigr => i _; rewrite inord_val mulrBl.
apply=> i i_lt; split; apply: P_le; rewrite !inordK //; rewrite /steps; lia.
Qed.

Lemma floor_attained (G : 'I_n.+2 -> law R [finType of 'I_n.+2]) :
  (forall i j, G i j = line_weight a n j * a ^+ steps i j) ->
  line_error c G = \sum_(i < n.+2) point_floor i.
Proof.
move=> GE; apply/eqP; rewrite -subr_eq0 /line_error.
have -> : \sum_(i < n.+2) point_floor i =
    \sum_(i < n.+2) \sum_(z < n.+2) point_floor i * G i z.
  by apply: eq_bigr => i _; rewrite -mulr_sumr law_sum1 mulr1.
rewrite -sumrB; under eq_bigr do rewrite -sumrB.
rewrite exchange_big /= big1 // => z _.
have z_le : (z <= n.+1)%N by rewrite -ltnS.
have := column_eq0 z_le => /(congr1 (fun s => line_weight a n z * s)).
rewrite mulr0 mulr_sumr => {2}<-; apply: eq_bigr => i _.
by rewrite GE; ring.
Qed.

End Floor.

Theorem line_floor (R : realFieldType) (a g : R) (n : nat) (c : nat -> R)
    (G P : 'I_n.+2 -> law R [finType of 'I_n.+2]) :
  0 < a -> a < 1 -> 0 < g -> g ^+ 2 * a = 1 ->
  (forall i j, G i j = line_weight a n j * a ^+ steps i j) ->
  (forall i j z : 'I_n.+2, P i z <= g ^+ (2 * steps i j) * P j z) ->
  c 0%N = 0 -> (forall k, c k <= c k.+1) ->
  (forall m, \sum_(k < m) a ^+ k.+1 * (c k.+1 - c k) <= c 1%N) ->
  line_error c G <= line_error c P.
Proof.
move=> a_gt0 a_lt1 g_gt0 ga1 GE P_le c0 c_le c_rise.
rewrite (@floor_attained _ a n c) //.
apply: (@floor_le _ a n c) => // i j z ij1.
have := P_le i j z; rewrite ij1 muln1 => /(ler_wpmul2l (ltW a_gt0)).
by rewrite mulrA [a * g ^+ 2]mulrC ga1 mul1r.
Qed.

Lemma change_mono (R : realFieldType) k :
  (k != 0%N)%:R <= (k.+1 != 0%N)%:R :> R.
Proof. by case: k => [|k] /=; rewrite ?ler01 ?lexx. Qed.

Lemma change_rise (R : realFieldType) (a : R) m : a < 1 ->
  \sum_(k < m) a ^+ k.+1 * ((k.+1 != 0%N)%:R - ((k : nat) != 0%N)%:R) <= 1.
Proof.
move=> a_lt1; case: m => [|m]; first by rewrite big_ord0 ler01.
rewrite big_ord_recl big1 /= => [|k _]; last by rewrite subrr mulr0.
by rewrite addr0 subr0 mulr1 expr1 ltW.
Qed.

Theorem line_floor_errors (R : realFieldType) (a g : R) (n : nat)
    (G P : 'I_n.+2 -> law R [finType of 'I_n.+2]) :
  0 < a -> a < 1 -> 0 < g -> g ^+ 2 * a = 1 ->
  (forall i j, G i j = line_weight a n j * a ^+ steps i j) ->
  (forall i j z : 'I_n.+2, P i z <= g ^+ (2 * steps i j) * P j z) ->
  [/\ line_error (fun k => (k != 0%N)%:R) G <=
      line_error (fun k => (k != 0%N)%:R) P,
    2%:R * a <= 1 ->
      line_error (fun k => k%:R) G <= line_error (fun k => k%:R) P &
    3%:R * a <= 1 ->
      line_error (fun k => k%:R ^+ 2) G <= line_error (fun k => k%:R ^+ 2) P].
Proof.
move=> a_gt0 a_lt1 g_gt0 ga1 GE P_le.
have floor c := @line_floor R a g n c G P a_gt0 a_lt1 g_gt0 ga1 GE P_le.
have a_ge0 : 0 <= a by apply: ltW.
split=> [|a_le|a_le]; apply: floor => [||]; rewrite ?expr0n //.
- exact: change_mono.
- by move=> m; apply: (change_rise m a_lt1).
- by move=> k; rewrite ler_nat.
- move=> m; suff : \sum_(k < m) a ^+ k.+1 * (k.+1%:R - k%:R) + a ^+ m <= 1.
    by apply: le_trans; rewrite ler_addl exprn_ge0.
  elim: m => [|m]; first by rewrite big_ord0 add0r.
  apply: le_trans; rewrite big_ord_recr /= -addrA ler_add2l -addn1 natrD.
  have -> : a ^+ (m + 1) * (m%:R + 1 - m%:R) + a ^+ (m + 1) =
    a ^+ m * (2%:R * a) by rewrite addn1 exprS; ring.
  by rewrite ler_pimulr ?exprn_ge0.
- by move=> k; rewrite -!natrX ler_nat; nia.
- move=> m; suff : \sum_(k < m) a ^+ k.+1 * (k.+1%:R ^+ 2 - k%:R ^+ 2) +
      a ^+ m * m.+1%:R <= 1.
    rewrite expr1n; apply: le_trans; rewrite ler_addl.
    by rewrite mulr_ge0 ?exprn_ge0 ?ler0n.
  elim: m => [|m]; first by rewrite big_ord0 add0r expr0 mul1r.
  apply: le_trans; rewrite big_ord_recr /= -addrA ler_add2l.
  have -> : a ^+ m.+1 * (m.+1%:R ^+ 2 - m%:R ^+ 2) + a ^+ m.+1 * m.+2%:R =
    a ^+ m * m.+1%:R * (3%:R * a).
    by rewrite exprS -[m.+2]addn2 -addn1 !natrD; ring.
  by rewrite ler_pimulr ?mulr_ge0 ?exprn_ge0 ?ler0n.
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

Definition quarter_law := weighted_law quarters_ge0 quarters_weighting.

Lemma constant_le (i j z : points) :
  dirac (ord0 : points) z <= (2%:R : rat) ^+ (2 * steps i j) * dirac ord0 z.
Proof. by rewrite ler_pemull ?law_ge0 ?exprn_ege1. Qed.

Definition line_floor_errors_instance :=
  @line_floor_errors _ quarter 2%:R 0 quarter_law (fun _ => dirac ord0)
    isT isT isT two_quarter (weightedE _ _) constant_le.

Definition line_floor_instance :=
  @line_floor _ quarter 2%:R 0 (fun k => (k != 0%N)%:R) quarter_law
    (fun _ => dirac ord0) isT isT isT two_quarter (weightedE _ _) constant_le
    erefl (change_mono _) (fun m => @change_rise _ quarter m isT).
