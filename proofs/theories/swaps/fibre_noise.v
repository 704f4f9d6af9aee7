From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat.

(******************************************************************************)
(* Fibre noise: two-sided geometric noise on the cells of tables with given   *)
(* margins, each cell clamped to a range that depends on the cells released   *)
(* before it. Its loss for every size, every number of categories and every   *)
(* number of strata.                                                          *)
(*                                                                            *)
(*   noise_tail a k == P(X >= k) for two-sided geometric X of ratio a         *)
(*   cell_mass a low high x z == P(x + X clamped to low, ..., high is z)      *)
(*   cells_mass a low high x z == the probability of the outputs z from the   *)
(*            counts x, cell by cell; ranges are functions of what is         *)
(*            released before                                                 *)
(*   free_cells x == the cells of x but those of the last row and column      *)
(*   same_margins x y == tables with the same row and column sums             *)
(*   table_change x y == \sum |x i j - y i j|, twice the distance d_HamS      *)
(*   fore i == i among one category more                                      *)
(*   noise_power m n == 4 for two rows and two columns, 2 if one side has     *)
(*            two, else 1: the ratio is e^(-epsilon/2) to this power          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   fibre_noise_private == price.fibre.budget: for r = e^(-epsilon/2) the    *)
(*            loss is at most epsilon for each unit of d_HamS                 *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cell.

Variables (R : realFieldType) (a : R).

Definition noise_tail (k : int) : R :=
  if 0 < k then a ^+ absz k / (1 + a)
  else 1 - a ^+ absz (1 - k)%R / (1 + a).

Definition cell_mass (low high x z : int) : R :=
  if high <= low then (z == low)%:R
  else if z == low then 1 - noise_tail (low + 1 - x)
  else if z == high then noise_tail (high - x)
  else if low < z < high then (1 - a) / (1 + a) * a ^+ absz (z - x)%R else 0.

Hypothesis a01 : 0 < a < 1.

Let a_gt0 : 0 < a. Proof. by case/andP: a01. Qed.
Let a_ge0 : 0 <= a. Proof. exact: ltW. Qed.
Let a_lt1 : a < 1. Proof. by case/andP: a01. Qed.
Let a_le1 : a <= 1. Proof. exact: ltW. Qed.
Let b_gt0 : 0 < 1 + a.
Proof. by apply: addr_gt0; first exact: ltr01. Qed.

Lemma noise_tail_sym k : noise_tail (1 - k) = 1 - noise_tail k.
Proof.
rewrite /noise_tail; case: (ltrP 0 k) => k_gt0.
  have -> : (0 < 1 - k) = false by lia.
  by have -> : absz (1 - (1 - k))%R = absz k by lia.
have -> : 0 < 1 - k by lia.
by rewrite opprB addrCA subrr addr0.
Qed.

Let b_neq0 : 1 + a != 0. Proof. exact: lt0r_neq0. Qed.

Lemma noise_tail_near k : a * noise_tail k <= noise_tail (k + 1).
Proof.
rewrite /noise_tail; case: (ltrP 0 k) => k_gt0.
  have -> : 0 < k + 1 by lia.
  have -> : absz (k + 1)%R = (absz k).+1 by lia.
  by rewrite exprS mulrA.
case: (ltrP 0 (k + 1)) => k1_gt0.
  have -> : k = 0 by lia.
  rewrite /= expr1 le_eqVlt; apply/orP; left; apply/eqP.
  by field; exact: b_neq0.
have [n ->] : exists n : nat, k = - n.+1%:Z by exists (absz k).-1; lia.
have -> : absz (1 - - n.+1%:Z)%R = n.+2 by lia.
have -> : absz (1 - (- n.+1%:Z + 1))%R = n.+1 by lia.
rewrite -subr_ge0.
have -> : 1 - a ^+ n.+1 / (1 + a) - a * (1 - a ^+ n.+2 / (1 + a))
  = (1 - a) * (1 - a ^+ n.+1).
  by rewrite [a ^+ n.+2]exprS; field; exact: b_neq0.
by apply: mulr_ge0; rewrite subr_ge0 // exprn_ile1.
Qed.

Lemma noise_tail_mono k : noise_tail (k + 1) <= noise_tail k.
Proof.
rewrite -subr_ge0 -(opprK (noise_tail (k + 1))) opprK /noise_tail.
case: (ltrP 0 k) => k_gt0.
  have -> : 0 < k + 1 by lia.
  have -> : absz (k + 1)%R = (absz k).+1 by lia.
  rewrite -mulrBl divr_ge0 ?(ltW b_gt0) // exprS -{1}[a ^+ _]mul1r -mulrBl.
  by rewrite mulr_ge0 ?exprn_ge0 // subr_ge0.
case: (ltrP 0 (k + 1)) => k1_gt0.
  have -> : k = 0 by lia.
  rewrite /= expr1.
  have -> : 1 - a / (1 + a) - a / (1 + a) = (1 - a) / (1 + a).
    by field; exact: b_neq0.
  by rewrite divr_ge0 ?(ltW b_gt0) // subr_ge0.
have [n ->] : exists n : nat, k = - n.+1%:Z by exists (absz k).-1; lia.
have -> : absz (1 - - n.+1%:Z)%R = n.+2 by lia.
have -> : absz (1 - (- n.+1%:Z + 1))%R = n.+1 by lia.
have -> : 1 - a ^+ n.+2 / (1 + a) - (1 - a ^+ n.+1 / (1 + a))
  = a ^+ n.+1 * (1 - a) / (1 + a).
  by rewrite [a ^+ n.+2]exprS; field; exact: b_neq0.
by rewrite divr_ge0 ?(ltW b_gt0) // mulr_ge0 ?exprn_ge0 // subr_ge0.
Qed.

Lemma noise_tail_ge0 k : 0 <= noise_tail k.
Proof.
rewrite /noise_tail; case: ifP => _.
  by rewrite divr_ge0 ?exprn_ge0 // ltW.
rewrite subr_ge0 ler_pdivr_mulr // mul1r.
apply: le_trans (_ : 1 <= _); first exact: exprn_ile1.
by rewrite ler_addl.
Qed.

(* A function of the count whose steps lose at most a. *)
Definition near_steps (f : int -> R) :=
  forall x, a * f x <= f (x + 1) /\ a * f (x + 1) <= f x.

Lemma near_far f x y : near_steps f -> a ^+ absz (x - y)%R * f x <= f y.
Proof.
move=> near; have [n yE] : exists n : nat, absz (x - y)%R = n by eexists.
elim: n x y yE => [|n IH] x y yE.
  have -> : y = x by lia.
  by rewrite subrr expr0 mul1r.
have [higher|lower] : (y = x + n.+1%:Z) \/ (y = x - n.+1%:Z) by lia.
  have stepE : absz ((x + 1) - y)%R = n by lia.
  rewrite yE exprSr -mulrA; apply: le_trans (IH _ _ stepE).
  by rewrite stepE ler_wpmul2l ?exprn_ge0 //; case: (near x).
have stepE : absz ((x - 1) - y)%R = n by lia.
rewrite yE exprSr -mulrA; apply: le_trans (IH _ _ stepE).
rewrite stepE ler_wpmul2l ?exprn_ge0 //; case: (near (x - 1)) => _.
by rewrite subrK.
Qed.

Lemma cell_mass_near low high z :
  near_steps (fun x => cell_mass low high x z).
Proof.
move=> x; rewrite /cell_mass; case: ifP => _.
  by split; rewrite ler_pimull ?ler0n.
case: ifP => _.
  rewrite -!noise_tail_sym.
  have -> : 1 - (low + 1 - (x + 1)) = 1 - (low + 1 - x) + 1 by lia.
  set k := 1 - _; split; first exact: noise_tail_near.
  apply: le_trans (noise_tail_mono _).
  by rewrite ler_pimull ?noise_tail_ge0.
case: ifP => _.
  have -> : high - x = high - (x + 1) + 1 by lia.
  set k := high - _; split; last exact: noise_tail_near.
  apply: le_trans (noise_tail_mono _).
  by rewrite ler_pimull ?noise_tail_ge0.
case: ifP => _; last by rewrite mulr0.
have c_ge0 : 0 <= (1 - a) / (1 + a).
  by rewrite divr_ge0 ?(ltW b_gt0) // subr_ge0.
rewrite ![a * (_ * _)]mulrCA -!exprS.
by split; apply: ler_wpmul2l => //; apply: ler_wiexpn2l => //; lia.
Qed.

Lemma cell_mass_ge0 low high x z : 0 <= cell_mass low high x z.
Proof.
rewrite /cell_mass; do 2 (case: ifP => _; first by rewrite ?ler0n //;
  rewrite -noise_tail_sym noise_tail_ge0).
case: ifP => _; first exact: noise_tail_ge0.
case: ifP => _ //; rewrite mulr_ge0 ?exprn_ge0 // divr_ge0 ?(ltW b_gt0) //.
by rewrite subr_ge0.
Qed.

Definition cells_mass (low high : seq int -> int) (x z : seq int) : R :=
  \prod_(i < size z)
    cell_mass (low (take i z)) (high (take i z)) (nth 0 x i) (nth 0 z i).

Definition cells_change n (x y : seq int) : nat :=
  (\sum_(i < n) `|(nth 0%R x i - nth 0%R y i)%R|)%N.

Lemma cells_near low high x y z :
  a ^+ cells_change (size z) x y * cells_mass low high x z
    <= cells_mass low high y z.
Proof.
rewrite /cells_change expr_sum -big_split /=; apply: ler_prod => i _.
rewrite mulr_ge0 ?exprn_ge0 ?cell_mass_ge0 //=.
exact: (near_far _ _ (cell_mass_near _ _ _)).
Qed.

Lemma cells_mass_ge0 low high x z : 0 <= cells_mass low high x z.
Proof. by apply: prodr_ge0 => i _; apply: cell_mass_ge0. Qed.

End Cell.

Lemma absz_sum1 k (F : 'I_k -> int) :
  k = 1%N -> absz (\sum_i F i) = (\sum_i absz (F i))%N.
Proof. by move=> k1; subst k; rewrite !big_ord_recl !big_ord0 addr0 addn0. Qed.

Section Tables.

Variables m n : nat.
Implicit Types x y : 'I_m.+1 -> 'I_n.+1 -> int.

Definition fore k (i : 'I_k) : 'I_k.+1 := widen_ord (leqnSn k) i.

Definition free_cells x : seq int :=
  [seq x (fore p.1) (fore p.2) | p <- enum (setX [set: 'I_m] [set: 'I_n])].

Definition same_margins x y : Prop :=
  (forall i, \sum_j x i j = \sum_j y i j) /\
  (forall j, \sum_i x i j = \sum_i y i j).

Definition table_change x y : nat :=
  (\sum_i \sum_j `|(x i j - y i j)%R|)%N.

Definition noise_power : nat :=
  (if (m == 1) && (n == 1) then 4
   else if (m == 1) || (n == 1) then 2 else 1)%N.

Definition free_change x y : nat :=
  (\sum_(i < m) \sum_(j < n)
     absz (x (fore i) (fore j) - y (fore i) (fore j))%R)%N.

Lemma free_cellsE x y :
  cells_change (size (free_cells x)) (free_cells x) (free_cells y)
    = free_change x y.
Proof.
rewrite /free_change pair_big /cells_change /free_cells size_map.
set s := enum _.
transitivity (\sum_(p <- s)
  absz (x (fore p.1) (fore p.2) - y (fore p.1) (fore p.2))%R)%N; last first.
  by rewrite /s big_enum_cond; apply: eq_bigl => p; rewrite !inE.
rewrite -(big_mkord xpredT (fun i => absz
  (nth 0 [seq x (fore p.1) (fore p.2) | p <- s] i
   - nth 0 [seq y (fore p.1) (fore p.2) | p <- s] i)%R)).
case: s => [|p0 s]; first by rewrite big_nil big_mkord big_ord0.
rewrite [RHS](big_nth p0); apply: eq_big_nat => i /andP[_ i_lt].
by rewrite !(nth_map p0).
Qed.

Section Change.

Variables x y : 'I_m.+1 -> 'I_n.+1 -> int.
Hypothesis margins : same_margins x y.

Let e i j : int := x i j - y i j.

Let rows i : \sum_j e i j = 0.
Proof. by case: margins => xy _; rewrite sumrB xy subrr. Qed.

Let columns j : \sum_i e i j = 0.
Proof. by case: margins => _ xy; rewrite sumrB xy subrr. Qed.

Lemma change_rows : table_change x y =
  (\sum_(i < m) \sum_j absz (e (fore i) j) + \sum_j absz (e ord_max j))%N.
Proof. by rewrite /table_change big_ord_recr. Qed.

Lemma free_le_change : (free_change x y <= table_change x y)%N.
Proof.
rewrite change_rows; apply: leq_trans (leq_addr _ _).
by apply: leq_sum => i _; rewrite [X in (_ <= X)%N]big_ord_recr leq_addr.
Qed.

Lemma row_double i : n = 1%N ->
  (\sum_j absz (e i j) = 2 * \sum_(j < n) absz (e i (fore j)))%N.
Proof.
move=> n1; rewrite big_ord_recr mul2n -addnn /=; congr (_ + _)%N.
rewrite -absz_sum1 //; have /eqP := rows i.
rewrite big_ord_recr /= addrC addr_eq0 => /eqP ->.
by rewrite abszN.
Qed.

Lemma column_double j : m = 1%N ->
  (\sum_i absz (e i j) = 2 * \sum_(i < m) absz (e (fore i) j))%N.
Proof.
move=> m1; rewrite big_ord_recr mul2n -addnn /=; congr (_ + _)%N.
rewrite -absz_sum1 //; have /eqP := columns j.
rewrite big_ord_recr /= addrC addr_eq0 => /eqP ->.
by rewrite abszN.
Qed.

Lemma free_le_columns : n = 1%N -> (2 * free_change x y <= table_change x y)%N.
Proof.
move=> n1; rewrite change_rows; apply: leq_trans (leq_addr _ _).
by rewrite big_distrr /=; apply: leq_sum => i _; rewrite row_double.
Qed.

Lemma free_le_rows : m = 1%N -> (2 * free_change x y <= table_change x y)%N.
Proof.
move=> m1; rewrite /free_change /table_change exchange_big /=.
rewrite [X in (_ <= X)%N]exchange_big big_ord_recr /=.
apply: leq_trans (leq_addr _ _); rewrite big_distrr /=.
by apply: leq_sum => j _; rewrite column_double.
Qed.

Lemma free_le_both :
  m = 1%N -> n = 1%N -> (4 * free_change x y <= table_change x y)%N.
Proof.
move=> m1 n1; have -> : table_change x y =
    (2 * \sum_i \sum_(j < n) absz (e i (fore j)))%N.
  by rewrite big_distrr; apply: eq_bigr => i _; rewrite row_double.
rewrite -[4%N]/(2 * 2)%N -mulnA leq_mul2l /= /free_change.
rewrite [X in (2 * X <= _)%N]exchange_big [X in (_ <= X)%N]exchange_big /=.
rewrite big_distrr /=; apply: leq_sum => j _.
by rewrite column_double.
Qed.

Lemma free_le_power :
  (noise_power * free_change x y <= table_change x y)%N.
Proof.
rewrite /noise_power; case: eqP => m1; case: eqP => n1 //=.
- exact: free_le_both.
- exact: free_le_rows.
- exact: free_le_columns.
- by rewrite mul1n free_le_change.
Qed.

End Change.

End Tables.

Section Strata.

Variables (R : realFieldType) (K : nat) (m n : 'I_K -> nat).

Definition noise_tables := forall k, 'I_(m k).+1 -> 'I_(n k).+1 -> int.
Definition noise_ranges := forall k : 'I_K, seq int -> int.

Implicit Types x y : noise_tables.

(* The probability of the outputs z k of the free cells of each stratum k. *)
Definition fibre_noise (r : R) (low high : noise_ranges) x
    (z : 'I_K -> seq int) : R :=
  \prod_k cells_mass (r ^+ noise_power (m k) (n k)) (low k) (high k)
    (free_cells (x k)) (z k).

Theorem fibre_noise_private (r g : R) (low high : noise_ranges) x y z d :
  0 < r < 1 -> g * r ^+ 2 = 1 ->
  (forall k, same_margins (x k) (y k)) ->
  (forall k, size (z k) = size (free_cells (x k))) ->
  (\sum_k table_change (x k) (y k) = 2 * d)%N ->
  fibre_noise r low high x z <= g ^+ d * fibre_noise r low high y z.
Proof.
move=> r01 g_r margins sizes dE; have /andP[r_gt0 r_lt1] := r01.
have g_gt0 : 0 < g.
  by rewrite -(pmulr_lgt0 _ (exprn_gt0 2 r_gt0)) g_r ltr01.
have powerE : g ^+ d * r ^+ (2 * d) = 1 by rewrite exprM -exprMn g_r expr1n.
rewrite -[X in X <= _]mul1r -powerE -mulrA.
apply: ler_wpmul2l; first by rewrite exprn_ge0 // ltW.
rewrite /fibre_noise -dE expr_sum -big_split /=.
apply: ler_prod => k _.
set a := r ^+ noise_power _ _; have a01 : 0 < a < 1.
  apply/andP; split; first exact: exprn_gt0.
  rewrite /a exprn_ilt1 ?(ltW r_gt0) //.
  by rewrite /noise_power; case: ifP => _ //; case: ifP.
have r_ge0 : 0 <= r ^+ table_change (x k) (y k) by rewrite exprn_ge0 // ltW.
rewrite mulr_ge0 ?cells_mass_ge0 //=.
apply: le_trans (cells_near a01 (low k) (high k) (free_cells (x k)) _ _).
apply: ler_wpmul2r; first exact: cells_mass_ge0.
rewrite sizes free_cellsE /a -exprM.
apply: ler_wiexpn2l; [exact: ltW | exact: ltW |].
exact: (free_le_power (margins k)).
Qed.

End Strata.

(* An instance: one stratum of two records, exchanged. *)

Definition square_noise (swapped : bool) : noise_tables (fun _ : 'I_1 => 1%N)
    (fun _ => 1%N) :=
  fun _ i j => ((i == j) (+) swapped)%:R.

Definition no_range : noise_ranges 1 := fun _ _ => 0.
Definition ones_range : noise_ranges 1 := fun _ _ => 1.

Lemma square_noise_margins k :
  same_margins (@square_noise false k) (@square_noise true k).
Proof.
by split=> i; rewrite !big_ord_recl !big_ord0; case: i => [[|[|//]] i_lt].
Qed.

Lemma square_noise_change :
  (\sum_k table_change (@square_noise false k) (@square_noise true k) = 2 * 2)%N.
Proof. by rewrite /table_change !big_ord_recl !big_ord0. Qed.

Definition no_change (k : 'I_1) := free_cells (@square_noise false k).

Lemma four_half : 4%:R * 2%:R^-1 ^+ 2 = 1 :> rat_realFieldType.
Proof. exact/eqP. Qed.

Definition fibre_noise_private_instance :=
  @fibre_noise_private rat_realFieldType _ _ _ 2%:R^-1 4%:R no_range ones_range
    (@square_noise false) (@square_noise true) no_change 2 isT four_half
    square_noise_margins (fun=> erefl) square_noise_change.
