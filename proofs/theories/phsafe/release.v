From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect zify.
From Stirred Require Import unordered_sum normalized_renyi nor_metric.
From Stirred Require Import discrete_gaussian two_step_zcdp stability joined.

(******************************************************************************)
(* PHSafe's releases: the counts of all runs and levels with their noise      *)
(*                                                                            *)
(* The counts are numbered; the level of a count, one of a run, has a budget, *)
(* a stability and the view whose rows are counted: joined persons or units.  *)
(*                                                                            *)
(*   sum_up f n == f 0 + ... + f (n - 1)                                      *)
(*   noise delta rho level k == delta^2 / (2 rho) of the level of k           *)
(*   counts view in_cell level b k == how many rows of the view of its level  *)
(*            are in the cell k                                               *)
(*                                                                            *)
(*   disjoint_cells level in_cell n == no row is in two of the first n cells  *)
(*            of one level                                                    *)
(*   level_change level a b j n == the squared change of level j from a to b  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   release_zcdp == phsafe.single-run: the levels of any runs, whose views   *)
(*            are as stable as their noise allows, need their sum             *)
(*   join_run_zcdp == phsafe.privacy.join (PHSafe, Theorem 1)                 *)
(*   units_run_zcdp == phsafe.privacy.units (PHSafe, Theorem 2)               *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope R_scope.

Fixpoint sum_up (f : nat -> R) (n : nat) : R :=
  match n with O => 0 | S k => sum_up f k + f k end.

Definition noise (delta : nat -> nat) (rho : nat -> R) (level : nat -> nat)
    (k : nat) : R :=
  INR (delta (level k)) ^ 2 / (2 * rho (level k)).

Lemma sum_up_le f g n : (forall k, f k <= g k) -> sum_up f n <= sum_up g n.
Proof. by move=> f_g; elim: n => [|n IHn] /=; [lra | have := f_g n; lra]. Qed.

Lemma sum_up_scale c f n : sum_up (fun k => c * f k) n = c * sum_up f n.
Proof. by elim: n => [|n IHn] /=; [ring | rewrite IHn; ring]. Qed.

Lemma sum_up_at (g : nat -> R) (j n : nat) : (j < n)%N ->
  sum_up (fun i => if j == i then g i else 0) n = g j.
Proof.
have before m : (m <= j)%N -> sum_up (fun i => if j == i then g i else 0) m = 0.
  by elim: m => //= m IHm m_j; rewrite IHm ?(ltnW m_j) // (gtn_eqF m_j); ring.
elim: n => // n IHn; rewrite ltnS leq_eqVlt => /orP[/eqP <- | j_n] /=.
  by rewrite before // eqxx; ring.
by rewrite IHn // (ltn_eqF j_n); ring.
Qed.

Lemma sum_up_add f g n :
  sum_up (fun k => f k + g k) n = sum_up f n + sum_up g n.
Proof. by elim: n => [|n IHn] /=; [ring | rewrite IHn; ring]. Qed.

Lemma sum_up_eq f g n : (forall k, f k = g k) -> sum_up f n = sum_up g n.
Proof. by move=> f_g; elim: n => //= n ->; rewrite f_g. Qed.

(* The squared change of level j                                              *)
Definition level_change (level : nat -> nat) (a b : nat -> nat) (j n : nat) :=
  (\sum_(k < n | level k == j) ((a k - b k) + (b k - a k)) ^ 2)%N.

Lemma level_changeS level a b (j n : nat) : level_change level a b j n.+1 =
  (level_change level a b j n +
   (if level n == j then ((a n - b n) + (b n - a n)) ^ 2 else 0))%N.
Proof. by rewrite /level_change big_mkcond big_ord_recr -big_mkcond. Qed.

Lemma squared_difference (a b : nat) :
  (IZR (Z.of_nat a) - IZR (Z.of_nat b)) ^ 2 = INR (((a - b) + (b - a)) ^ 2)%N.
Proof.
rewrite -!INR_IZR_INZ; have [a_b | b_a] := leqP a b.
  have -> : (((a - b) + (b - a)) ^ 2 = (b - a) * (b - a))%N.
    by rewrite mulnn; congr (_ ^ 2)%N; lia.
  by rewrite mult_INR (minus_INR _ _ (elimT leP a_b)); ring.
have -> : (((a - b) + (b - a)) ^ 2 = (a - b) * (a - b))%N.
  by rewrite mulnn; congr (_ ^ 2)%N; lia.
by rewrite mult_INR (minus_INR _ _ (elimT leP (ltnW b_a))); ring.
Qed.

Lemma squared_distanceS s2 a b n : squared_distance s2 a b n.+1 =
  squared_distance s2 a b n + (IZR (a n) - IZR (b n)) ^ 2 / (2 * s2 n).
Proof. by []. Qed.

Lemma squared_distance_levels delta rho level a b n levels :
  (forall j, 0 < rho j) -> (forall j, 0 < delta j)%N ->
  (forall k, level k < levels)%N ->
  squared_distance (noise delta rho level) (fun k => Z.of_nat (a k))
      (fun k => Z.of_nat (b k)) n =
    sum_up (fun j => rho j / INR (delta j) ^ 2 *
                     INR (level_change level a b j n)) levels.
Proof.
move=> rho_gt0 delta_gt0 level_lt; elim: n => [|n IHn].
  rewrite (@sum_up_eq _ (fun=> 0 * 0)) => [|j].
    by rewrite sum_up_scale /=; ring.
  by rewrite /level_change big_ord0 /=; ring.
rewrite squared_distanceS IHn squared_difference /noise.
rewrite -[X in _ + X](_ : rho (level n) / INR (delta (level n)) ^ 2 *
    INR ((a n - b n + (b n - a n)) ^ 2)%N = _); last first.
  have := rho_gt0 (level n).
  have := lt_0_INR _ (elimT ltP (delta_gt0 (level n))).
  by move=> ? ?; field; lra.
rewrite -(sum_up_at (fun j => rho j / INR (delta j) ^ 2 * INR _) (level_lt n)).
rewrite -sum_up_add; apply: sum_up_eq => j.
rewrite level_changeS; case: eqP => _; rewrite ?addn0 ?plus_INR; ring.
Qed.

Section Release.
Variables (B V : eqType) (view : nat -> seq B -> seq V).
Variables (level : nat -> nat) (in_cell : nat -> pred V).
Implicit Types (b : seq B) (s t u : seq V).

Definition counts b (k : nat) : nat := count (in_cell k) (view (level k) b).

(* A row is in one cell of a level at most                                    *)
Definition disjoint_cells (n : nat) :=
  forall j r, (\sum_(k < n | level k == j) in_cell k r <= 1)%N.

Lemma cells_le_rows (n j : nat) s : disjoint_cells n ->
  (\sum_(k < n | level k == j) count (in_cell k) s <= size s)%N.
Proof.
move=> disjoint; elim: s => [|r s IHs] /=; first by rewrite big1.
by rewrite big_split -add1n leq_add.
Qed.

Lemma sum_squares_le (I : finType) (P : pred I) (f : I -> nat) :
  (\sum_(i | P i) f i ^ 2 <= (\sum_(i | P i) f i) ^ 2)%N.
Proof.
rewrite -mulnn big_distrl; apply: leq_sum => i Pi /=.
by rewrite -mulnn leq_mul2l (bigD1 i) //= leq_addr orbT.
Qed.

Lemma level_change_le (n j : nat) s t : disjoint_cells n ->
  (level_change level (fun k => count (in_cell k) s)
     (fun k => count (in_cell k) t) j n <= symdiff s t ^ 2)%N.
Proof.
move=> disjoint; have [u [a [b [s_ua t_ub ->]]]] := symdiff_split s t.
apply: leq_trans (sum_squares_le _ _) _; rewrite leq_sqr.
apply: leq_trans (leq_add (cells_le_rows j a disjoint)
  (cells_le_rows j b disjoint)); rewrite -big_split; apply: leq_sum => k _ /=.
rewrite (permP s_ua) (permP t_ub) !count_cat; lia.
Qed.

Theorem release_zcdp (delta : nat -> nat) (rho : nat -> R) (levels n : nat) :
  (forall j, 0 < rho j) -> (forall j, 0 < delta j)%N ->
  (forall k, level k < levels)%N -> disjoint_cells n ->
  (forall j, stable (delta j) (view j)) ->
  zcdp (fun (_ : unit) (_ : seq B) => True) (fun b c => Some (symdiff b c))
    (fun=> Some (sqrt (sum_up rho levels)))
    (fun b => diagonal_gaussian (noise delta rho level)
       (fun k => Z.of_nat (counts b k)) (n := n)).
Proof.
move=> rho_gt0 delta_gt0 level_lt disjoint view_stable.
have delta_pos j := lt_0_INR _ (elimT ltP (delta_gt0 j)).
apply: diagonal_gaussian_zcdp => [k | _ | _ b c m _ _ [m_bc]].
- rewrite /noise; apply: Rdiv_lt_0_compat; first exact: pow_lt.
  by apply: Rmult_lt_0_compat => //; lra.
- exact: sqrt_pos.
have rho_sum_ge0 : 0 <= sum_up rho levels.
  by elim: levels {level_lt} => [|l IHl] /=; [lra | have := rho_gt0 l; lra].
rewrite pow2_sqrt // (squared_distance_levels _ _ _ rho_gt0 delta_gt0 level_lt).
rewrite Rmult_comm -sum_up_scale; apply: sum_up_le => j.
have moved : (level_change level (counts b) (counts c) j n <=
    (delta j * m) ^ 2)%N.
  apply: (@leq_trans (symdiff (view j b) (view j c) ^ 2)); last first.
    by rewrite leq_sqr -m_bc view_stable.
  apply: leq_trans (level_change_le j _ _ disjoint).
  rewrite /level_change leq_sum // => k /eqP level_k.
  by rewrite /counts level_k.
have := le_INR _ _ (elimT leP moved); rewrite -mulnn !mult_INR => moved_R.
have rho_j := rho_gt0 j; have delta_j := delta_pos j.
apply: (@Rle_trans _ (rho j / INR (delta j) ^ 2 *
  (INR (delta j) * INR m * (INR (delta j) * INR m)))).
  apply: Rmult_le_compat_l => //; apply: Rlt_le.
  by apply: Rdiv_lt_0_compat => //; exact: pow_lt.
by apply: Req_le; field; lra.
Qed.
End Release.

Section Runs.
Variables (B S U K : eqType) (key : S -> K) (key' : U -> K).
Variables (keys keys' : seq K) (le : rel S).
Hypotheses (keys_uniq : uniq keys) (keys'_uniq : uniq keys').
Hypotheses (le_total : total le) (le_trans : transitive le).
Hypothesis le_anti : antisymmetric le.
Variables (persons : seq B -> seq S) (units : seq B -> seq U).
Hypotheses (persons_stable : stable 1 persons) (units_stable : stable 2 units).
Variables (rho : nat -> R) (level : nat -> nat) (levels n : nat).
Hypothesis rho_gt0 : forall j, 0 < rho j.
Hypothesis level_lt : forall k, (level k < levels)%N.

(* A run's filters are part of what makes persons and units of base records   *)
Theorem join_run_zcdp tau (in_cell : nat -> pred (S * U)) :
  disjoint_cells level in_cell n ->
  zcdp (fun (_ : unit) (_ : seq B) => True) (fun b c => Some (symdiff b c))
    (fun=> Some (sqrt (sum_up rho levels)))
    (fun b => diagonal_gaussian (noise (fun=> 2 * tau + 2)%N rho level)
       (fun k => Z.of_nat (counts
          (fun _ x => truncate_and_join key key' keys keys' le tau (persons x)
             (units x)) level in_cell b k)) (n := n)).
Proof.
move=> disjoint; apply: release_zcdp => // [_ | _]; first by rewrite addn2.
exact: truncate_and_join_stable.
Qed.

Theorem units_run_zcdp (in_cell : nat -> pred U) :
  disjoint_cells level in_cell n ->
  zcdp (fun (_ : unit) (_ : seq B) => True) (fun b c => Some (symdiff b c))
    (fun=> Some (sqrt (sum_up rho levels)))
    (fun b => diagonal_gaussian (noise (fun=> 2)%N rho level)
       (fun k => Z.of_nat (counts (fun=> units) level in_cell b k)) (n := n)).
Proof. by move=> disjoint; apply: release_zcdp. Qed.
End Runs.
