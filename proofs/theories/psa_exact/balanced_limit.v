From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming pure psa_law
  psa_privacy.
From Stirred Require Import two_category_budget two_rows.
From Stirred Require Import balanced balanced_budget.

(******************************************************************************)
(* The limit of the certificates for two large rows                           *)
(*                                                                            *)
(* With odds o = on / od and c = (s1 + s2) / (2 + o), for s1 <= s2:           *)
(*                                                                            *)
(*   balanced_limit on od s1 s2 == 1 + (1 + o) c^2 / ((s1 - c) (s2 - c))      *)
(*   large_share on od s1 s2 == s1 is above c                                 *)
(*   in_shares s1 s2 k l == of k + l records each row has at least the share  *)
(*            s1 / (s1 + s2)                                                  *)
(*   large_in_shares s1 s2 N0 k l == they are at least N0, too                *)
(*   for_large P == P holds of all large numbers                              *)
(*   slack on od K A s t s1 s2 == chains that grow by (K + 1) / K leave at    *)
(*            least A records for each of their steps, and at most s / t as   *)
(*            many in one row as in the other, if there are s1 K and s2 K     *)
(*            records for each step                                           *)
(*   spans s1 s2 K l k == k is between s1 K l and s2 K (l + 1)                *)
(*   large_edge od k0 s2 == the edge of the certificates of large rows        *)
(*   above on od s1 s2 == (2 od + on) (s1 - c)                                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   balances_large == any r above the limit has certificates for all large   *)
(*            rows in these shares: it does not grow with the records         *)
(*   balanced_limit_pure_dp == the same as a specification: gamma^2 above the *)
(*            limit gives pure DP in all universes whose strata have two      *)
(*            large categories in these shares                                *)
(*   near_equal_pure_dp == gamma above (2 - p) / p = 1 + 2 / o gives it where *)
(*            the two are nearly equal                                        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* For all large numbers                                                      *)
Definition for_large (P : nat -> Prop) : Prop :=
  exists n0, forall n, (n0 <= n)%N -> P n.

Lemma for_large_and (P Q : nat -> Prop) :
  for_large P -> for_large Q -> for_large (fun n => P n /\ Q n).
Proof.
move=> [n0 H] [n1 H1]; exists (n0 + n1)%N => n le_n; split.
  by apply: H; apply: leq_trans le_n; apply: leq_addr.
by apply: H1; apply: leq_trans le_n; apply: leq_addl.
Qed.

Lemma for_large_impl (P Q : nat -> Prop) :
  (forall n, P n -> Q n) -> for_large P -> for_large Q.
Proof. by move=> PQ [n0 H]; exists n0 => n /H/PQ. Qed.

Lemma large_ge n0 : for_large (fun n => (n0 <= n)%N).
Proof. by exists n0. Qed.

Lemma for_large_div K (P : nat -> Prop) : (0 < K)%N ->
  for_large P -> for_large (fun n => P (n %/ K)%N).
Proof.
by move=> K_gt0 [n0 H]; exists (n0 * K)%N => n; rewrite -leq_divRL //; apply: H.
Qed.

(* A strict inequality of the coefficients is enough.                         *)
Lemma large_linear a b c : (a < c)%N ->
  for_large (fun n => (a * n + b <= c * n)%N).
Proof. by move=> lt_ac; exists b => n; move: lt_ac; clear; nia. Qed.

(* A power grows faster than its exponent.                                    *)
Lemma bernoulli K h : (K ^ h * (K + h) <= K * K.+1 ^ h)%N.
Proof.
elim: h => [|h IH]; first by rewrite !expn0 mul1n muln1 addn0.
rewrite !expnS [(K * (_ * _))%N]mulnCA; apply: leq_trans (leq_mul (leqnn _) IH).
move: (K ^ h)%N => x.
have -> : (K.+1 * (x * (K + h)) = K * x * (K + h.+1) + x * h)%N by lia.
exact: leq_addr.
Qed.

Lemma power_square K n :
  (K ^ n * n./2 ^ 2 <= K ^ 2 * K.+1 ^ n)%N.
Proof.
move: (n./2) (odd n : nat) (esym (odd_double_half n)) => h e ->.
rewrite -addnn !expnD.
have le_h : (K ^ h * h <= K * K.+1 ^ h)%N.
  by apply: leq_trans (bernoulli K h); rewrite leq_mul2l leq_addl orbT.
have le_e : (K ^ e <= K.+1 ^ e)%N by case: e => // e; rewrite leq_exp2r.
have := leq_mul le_e (leq_mul le_h le_h).
move: (K ^ e)%N (K.+1 ^ e)%N (K ^ h)%N (K.+1 ^ h)%N => x x' y y'; clear.
by congr (_ <= _)%N; rewrite -!mulnn; lia.
Qed.

(* Rows of between s1 K span and s2 K (span + 1) records: what is asked of    *)
(* the chains, in the coefficients of span                                    *)
Definition slack (on od K A s t s1 s2 : nat) : bool :=
  [&& (od * K.+1 * (2 * A + 3) + on * K * A.+1 < on * K * (s1 * K))%N,
      (od * K.+1 * (A + s2 * K + 2) + (on + od) * K * A.+1 <
         (on + od) * K * (s1 * K))%N &
      (t * (K.+1 * (s2 * K + 1) + K * A.+1) <
         s * K.+1 * A + t * K * (s1 * K))%N].

Definition spans (s1 s2 K l k : nat) : bool :=
  (s1 * (K * l) <= k <= s2 * (K * l.+1))%N.

Definition large_edge (od k0 s2 : nat) : nat := 8 * (od * (2 * s2 + k0)) ^ 2.

(* s1 is above c = (s1 + s2) / (2 + o).                                       *)
Definition large_share (on od s1 s2 : nat) : bool :=
  (od * (s1 + s2) < s1 * (2 * od + on))%N.

Lemma large_share_gt0 on od s1 s2 : large_share on od s1 s2 -> (0 < s1)%N.
Proof. by rewrite /large_share; case: s1. Qed.

Lemma large_share_odds on od s1 s2 :
  (s1 <= s2)%N -> large_share on od s1 s2 -> (0 < on)%N.
Proof. by rewrite /large_share; case: on => // le_s; nia. Qed.

Lemma large_share_le on od s1 s2 :
  (s1 <= s2)%N -> large_share on od s1 s2 -> large_share on od s2 s1.
Proof. by rewrite /large_share; nia. Qed.

(* The share of the smaller row is at least s1 / (s1 + s2).                   *)
Definition in_shares (s1 s2 k l : nat) : bool :=
  ((s1 * l <= s2 * k) && (s1 * k <= s2 * l))%N.

Lemma in_shares_spans s1 s2 K k l : (0 < s1)%N -> (0 < K)%N ->
    in_shares s1 s2 k l ->
  spans s1 s2 K ((k + l) %/ (K * (s1 + s2))) k.
Proof.
move=> s1_gt0 K_gt0 /andP[le_l le_k].
have s_gt0 : (0 < s1 + s2)%N by rewrite addn_gt0 s1_gt0.
have D_gt0 : (0 < K * (s1 + s2))%N by rewrite muln_gt0 K_gt0.
have := leq_trunc_div (k + l) (K * (s1 + s2)).
have := ltnW (ltn_ceil (k + l) D_gt0).
move: (_ %/ _)%N => h up down; apply/andP; split.
  rewrite -(leq_pmul2r s_gt0); have := leq_mul (leqnn s1) down.
  by move: le_l; clear; lia.
rewrite -(leq_pmul2r s_gt0); have := leq_mul (leqnn s2) up.
by move: le_k; clear; lia.
Qed.

Definition large_in_shares (s1 s2 N0 k l : nat) : bool :=
  (N0 <= k + l)%N && in_shares s1 s2 k l.

Section Archimedean.

Variable R : archiFieldType.

Lemma nat_floor (x : R) : 0 <= x -> exists n, n%:R <= x < n.+1%:R.
Proof.
move=> x_ge0; have ex : exists n, x < n%:R.
  by exists (Num.bound x); apply: archi_boundP.
case: (ex_minnP ex) => -[|n] lt_n min_n.
  by move: (le_lt_trans x_ge0 lt_n); rewrite ltxx.
exists n; rewrite lt_n andbT leNgt; apply/negP => /min_n.
by rewrite ltnn.
Qed.

Lemma large_scale (a g : R) : 0 < g -> for_large (fun n => a <= g * n%:R).
Proof.
move=> g_gt0; exists (Num.bound (`|a| / g)) => n le_n.
have q_ge0 : 0 <= `|a| / g by rewrite divr_ge0 ?normr_ge0 ?ltW.
rewrite (le_trans (ler_norm a)) // mulrC -ler_pdivr_mulr //.
apply: (le_trans (ltW (archi_boundP q_ge0))).
by rewrite ler_nat.
Qed.

Lemma large_square (b c g : R) : 0 < g -> 0 <= c ->
  for_large (fun n => b * n%:R + c < g * n%:R ^+ 2).
Proof.
move=> g_gt0 c_ge0; have [n0 H] := large_scale (b + c + 1) g_gt0.
exists n0.+1 => n lt_n; have n_gt0 : (0 < n)%N by apply: leq_trans lt_n.
have le_c : c <= c * n%:R by rewrite ler_pemulr // ler1n.
have n_pos : 0 < n%:R :> R by rewrite ltr0n.
have := ler_wpmul2r (ltW n_pos) (H n (ltnW lt_n)).
rewrite -mulrA -expr2; apply: lt_le_trans.
rewrite !mulrDl mul1r -addrA ltr_add2l.
by rewrite (le_lt_trans le_c) // ltr_addl.
Qed.

Lemma large_power K c (delta : R) : (0 < K)%N -> 0 < delta ->
  for_large (fun n => (c * n.+1)%:R * K%:R ^+ n <= delta * K.+1%:R ^+ n).
Proof.
move=> K_gt0 delta_gt0.
have [h0 H] := large_scale (4 * c * K ^ 2)%:R delta_gt0.
exists (h0.+1).*2 => n le_n; set h := n./2.
have lt_h : (h0 < h)%N by have := half_leq le_n; rewrite doubleK.
have K2_gt0 : 0 < (K ^ 2)%:R :> R by rewrite ltr0n expn_gt0 K_gt0.
rewrite -(ler_pmul2l K2_gt0) [leRHS]mulrCA -!natrX -!natrM.
apply: (@le_trans _ _ (delta * (K ^ n * h ^ 2)%:R)); last first.
  by rewrite ler_wpmul2l ?(ltW delta_gt0) // ler_nat power_square.
apply: (@le_trans _ _ ((4 * c * K ^ 2)%:R * (K ^ n * h)%:R)).
  rewrite -natrM ler_nat.
  have le_h : (n.+1 <= 4 * h)%N by rewrite /h; move: lt_h; rewrite /h; lia.
  by move: le_h; move: (K ^ n)%N (K ^ 2)%N; clear; nia.
rewrite [(h ^ 2)%N]expnS expn1 mulnCA [(h * _)%:R]natrM mulrA.
by rewrite ler_wpmul2r // H // ltnW.
Qed.

Lemma balances_row_large (on od K A k0 s t s1 s2 : nat) (delta : R) :
    (0 < on)%N -> (0 < K)%N -> (0 < s1)%N -> slack on od K A s t s1 s2 ->
    0 < delta ->
  for_large (fun l => forall k1 k2, spans s1 s2 K l k1 -> spans s1 s2 K l k2 ->
    balances_row (Balance K l k0 (A * l) s t delta (large_edge od k0 s2)%:R)
      on od k1.-1 k2.-1).
Proof.
move=> on_gt0 K_gt0 s1_gt0 /and3P[g1 g2 g3] delta_gt0.
have L1 := large_linear (od * K.+1 * k0 + on * K) g1.
have L2 := large_linear
  (od * K.+1 * (s2 * K + 1 + k0) + (on + od) * K) g2.
have L3 := large_linear (t * K.+1 * (s2 * K + 1) + t * K) g3.
have L4 := large_power (2 * s2 * K) K_gt0 delta_gt0.
have := for_large_and (for_large_and L1 L2)
  (for_large_and L3 (for_large_and L4 (large_ge 4))).
apply: for_large_impl => l [[c1 c2] [c3 [c4 l_ge4]]] k1 k2.
move=> /andP[le_k1 ge_k1] /andP[le_k2 ge_k2].
have le_l : (4 <= s1 * (K * l))%N.
  by rewrite (leq_trans l_ge4) // mulnA leq_pmull // muln_gt0 s1_gt0.
have k1_ge4 := leq_trans le_l le_k1; have k2_ge4 := leq_trans le_l le_k2.
have ge_k2' : (k2 <= 2 * s2 * k1)%N.
  apply: leq_trans ge_k2 _; rewrite mulnAC mulnC leq_mul2r; apply/orP; right.
  apply: (@leq_trans (2 * (K * l))).
    by move: l_ge4; clear; nia.
  by rewrite leq_mul2l (leq_trans _ le_k1) ?orbT // leq_pmull.
case: k1 k1_ge4 le_k1 ge_k1 ge_k2' => // m1 m1_ge3 le1 ge1 ge2'.
case: k2 k2_ge4 le_k2 ge_k2 ge2' => // m2 m2_ge3 _ ge2 ge2'.
rewrite -![_.+1.-1]/(_); apply/and5P; split.
- have := leq_mul (leqnn (on * K)) le1; move: c1; clear; nia.
- have := leq_mul (leqnn ((on + od) * K)) le1.
  have := leq_mul (leqnn (od * K.+1)) ge2; move: c2; clear; nia.
- have := leq_mul (leqnn (t * K)) le1.
  have := leq_mul (leqnn (t * K.+1)) ge2; move: c3; clear; nia.
- apply: le_trans c4; rewrite ler_wpmul2r ?exprn_ge0 // ler_nat.
  by move: ge1; clear; nia.
rewrite -natrM ler_nat /large_edge.
have le_m2 : (m2 + k0 + 1 <= (2 * s2 + k0) * m1.+1)%N.
  by move: ge2' m1_ge3; clear; nia.
have le_m1 : (m1.+1 ^ 2 <= 4 * (m1 * m1.-1))%N.
  by move: m1_ge3; rewrite -mulnn; clear; nia.
apply: (@leq_trans (2 * od ^ 2 * ((2 * s2 + k0) ^ 2 * m1.+1 ^ 2))).
  by rewrite -expnMn leq_mul2l leq_sqr le_m2 orbT.
apply: (@leq_trans (2 * od ^ 2 * ((2 * s2 + k0) ^ 2 * (4 * (m1 * m1.-1))))).
  by do 2!apply: leq_mul => //.
apply: (@leq_trans (8 * (od * (2 * s2 + k0)) ^ 2 * (m1 * m1.-1))).
  by rewrite expnMn; move: (2 * s2 + k0)%N (m1 * m1.-1)%N; clear; lia.
by rewrite leq_mul2l leq_pmull ?orbT // expn_gt0 on_gt0.
Qed.

(* With A about alpha K, the strict inequalities of the limit are enough.     *)
Lemma slack_large (on od s t s1 s2 : nat) (alpha : R) :
    (t < s)%N ->
    (2 * od + on)%:R * alpha < (on * s1)%:R ->
    (2 * od + on)%:R * alpha + (od * s2)%:R < ((on + od) * s1)%:R ->
    t%:R * (alpha + s2%:R) < s%:R * alpha + (t * s1)%:R ->
  for_large (fun K => forall A, A%:R <= alpha * K%:R < A.+1%:R ->
    slack on od K A s t s1 s2).
Proof.
move=> lt_ts g1 g2 g3; move: g1; rewrite -subr_gt0 => g1.
move: g2; rewrite -subr_gt0 => g2; move: g3; rewrite -subr_gt0 => g3.
have c1 : 0 <= (3 * od)%:R :> R by apply: ler0n.
have c2 : 0 <= (2 * od)%:R :> R by apply: ler0n.
have c3 : 0 <= (s + t)%:R :> R by apply: ler0n.
have L1 := large_square ((2 * od)%:R * alpha + (3 * od + on)%:R) g1 c1.
have L2 := large_square
  (od%:R * (2%:R + alpha + s2%:R) + (on + od)%:R) g2 c2.
have L3 := large_square (s%:R + (t * (s2 + 1))%:R - s%:R * alpha) g3 c3.
apply: for_large_impl (for_large_and L1 (for_large_and L2 L3)).
move=> K [l1 [l2 l3]] A /andP[]; rewrite -subr_ge0 => le_A.
rewrite -subr_gt0 => /ltW ge_A.
move: l1; rewrite -subr_gt0 => l1; move: l2; rewrite -subr_gt0 => l2.
move: l3; rewrite -subr_gt0 => l3.
apply/and3P; split; rewrite -(ltr_nat R) -subr_gt0.
- have := ltr_paddr (mulr_ge0 (ler0n R (2 * od * K.+1 + on * K)) le_A) l1.
  by congr (_ < _); ring.
- have := ltr_paddr (mulr_ge0 (ler0n R (od * K.+1 + (on + od) * K)) le_A) l2.
  by congr (_ < _); ring.
have le_tK : (t * K <= s * K.+1)%N by apply: leq_mul => //; apply: ltnW.
have := ltr_paddr (mulr_ge0 (ler0n R (s * K.+1 - t * K)) ge_A) l3.
by rewrite natrB //; congr (_ < _); ring.
Qed.

(* A quotient just above e2 / e1                                              *)
Lemma ratio_above (e1 e2 k x : R) : 0 < e1 -> e1 <= e2 -> 0 < k ->
    k * (e1 + e2) ^+ 2 / (e1 * e2) < x ->
  exists s t : nat, [/\ (0 < t < s)%N, e2 * t%:R < e1 * s%:R &
    k * ((s + t) ^ 2)%:R / (s * t)%:R < x].
Proof.
move=> e1_gt0 le_e k_gt0; rewrite -subr_gt0; set gap := x - _ => gap_gt0.
have e2_gt0 := lt_le_trans e1_gt0 le_e.
have [t /(_ _ (leqnn _))] := large_scale (k + 1) gap_gt0.
move=> le_t; have lt_k : k < gap * t%:R.
  by apply: lt_le_trans le_t; rewrite ltr_addl ltr01.
have t_gt0 : (0 < t)%N.
  rewrite -(ltr0n R) -(pmulr_rgt0 _ gap_gt0); exact: lt_trans k_gt0 lt_k.
have tR_gt0 : 0 < t%:R :> R by rewrite ltr0n.
have q_ge0 : 0 <= e2 / e1 * t%:R by rewrite !mulr_ge0 ?invr_ge0 // ltW.
have [n /andP[le_n lt_n]] := nat_floor q_ge0.
have e2s : e2 * t%:R < e1 * n.+1%:R.
  by move: lt_n; rewrite mulrAC ltr_pdivr_mulr // mulrC [n.+1%:R * _]mulrC.
have lt_ts : (t < n.+1)%N.
  rewrite -(ltr_nat R) -(ltr_pmul2l e1_gt0); apply: le_lt_trans e2s.
  by rewrite ler_wpmul2r // ltW.
exists n.+1, t; split=> //; first by rewrite t_gt0.
have s_gt0 : 0 < n.+1%:R :> R by rewrite ltr0n.
have nz : [/\ e1 != 0, e2 != 0, t%:R != 0 :> R & n.+1%:R != 0 :> R].
  by split; rewrite gt_eqF.
have [nz1 nz2 nz3 nz4] := nz.
have le1 : n.+1%:R / t%:R <= e2 / e1 + t%:R^-1.
  rewrite ler_pdivr_mulr // mulrDl mulVf // -addn1 natrD ler_add2r.
  exact: le_n.
have le2 : t%:R / n.+1%:R <= e1 / e2.
  by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // [_ * e2]mulrC ltW.
rewrite (_ : _ / _ = k * (n.+1%:R / t%:R + t%:R / n.+1%:R + 2%:R)); last first.
  by rewrite natrX natrD natrM; field; rewrite nz3 andbT -(natrD R 1) add1n.
apply: (@le_lt_trans _ _
    (k * (e2 / e1 + t%:R^-1 + e1 / e2 + 2%:R))).
  by rewrite ler_pmul2l // ler_add2r ler_add.
rewrite -subr_gt0.
rewrite (_ : _ - _ = (gap * t%:R - k) / t%:R); last first.
  by rewrite /gap; field; rewrite ?nz1 ?nz2 ?nz3.
by rewrite divr_gt0 // subr_gt0.
Qed.

(* (2 od + on) (s1 - c), for c = (s1 + s2) / (2 + on / od)                    *)
Definition above (on od s1 s2 : nat) : R :=
  ((on + od) * s1)%:R - (od * s2)%:R.

Lemma constants_exist (on od s1 s2 : nat) (k x : R) :
    (0 < od)%N -> (s1 <= s2)%N -> 0 < k -> 0 < above on od s1 s2 ->
    k * (above on od s1 s2 + above on od s2 s1) ^+ 2 /
      (above on od s1 s2 * above on od s2 s1) < x ->
  exists K A s t, [/\ (0 < K)%N, (0 < A)%N, (0 < t)%N, (t * (A + 2) <= s * A)%N
    & slack on od K A s t s1 s2 /\ k * ((s + t) ^ 2)%:R / (s * t)%:R < x].
Proof.
move=> od_gt0 le_s k_gt0; set e1 := above on od s1 s2.
set e2 := above on od s2 s1 => e1_gt0.
have dE : (s2 - s1)%:R = s2%:R - s1%:R :> R by apply: natrB.
have le_e : e1 <= e2.
  rewrite -subr_ge0 (_ : _ - _ = ((2 * od + on) * (s2 - s1))%:R) ?ler0n //.
  by rewrite [(_ * (_ - _))%:R]natrM dE /e1 /e2 /above; ring.
case/(ratio_above e1_gt0 le_e k_gt0) => s [t [/andP[t_gt0 lt_ts] lt_e lt_x]].
have tE : (s - t)%:R = s%:R - t%:R :> R by apply/natrB/ltnW.
have q_gt0 : 0 < (2 * od + on)%:R :> R.
  by rewrite ltr0n addn_gt0 muln_gt0 od_gt0.
have d_gt0 : 0 < (s - t)%:R :> R by rewrite ltr0n subn_gt0.
pose low : R := (t * (s2 - s1))%:R / (s - t)%:R.
have low_ge0 : 0 <= low by rewrite divr_ge0 ?ler0n.
have lt_low : low < e1 / (2 * od + on)%:R.
  rewrite ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr // -subr_gt0.
  rewrite (_ : _ - _ = e1 * s%:R - e2 * t%:R) ?subr_gt0 //.
  rewrite [(t * (_ - _))%:R]natrM dE tE /e1 /e2 /above; ring.
have [lt_alpha alpha_lt] := midf_lt lt_low.
move: lt_alpha alpha_lt; set alpha := _ / 2%:R => lt_alpha alpha_lt.
have alpha_gt0 := le_lt_trans low_ge0 lt_alpha.
have lt_e1 : (2 * od + on)%:R * alpha < e1.
  by rewrite mulrC -ltr_pdivl_mulr.
have lt_d : 0 < alpha * (s - t)%:R - (t * (s2 - s1))%:R.
  by rewrite subr_gt0 -ltr_pdivr_mulr.
have le1 : e1 <= (on * s1)%:R.
  rewrite -subr_ge0 (_ : _ - _ = (od * (s2 - s1))%:R) ?ler0n //.
  by rewrite [(_ * (_ - _))%:R]natrM dE /e1 /above; ring.
have L1 : for_large (fun K => forall A, A%:R <= alpha * K%:R < A.+1%:R ->
    slack on od K A s t s1 s2).
  apply: slack_large lt_ts _ _ _; first exact: lt_le_trans le1.
    by rewrite -ltr_subr_addr.
  move: lt_d; rewrite -[X in _ -> is_true X]subr_gt0.
  by rewrite [(t * _)%:R]natrM dE tE; congr (_ < _); ring.
have L2 := large_scale (2 * t + 1)%:R alpha_gt0.
have [n0 /(_ n0.+1 (leqnSn _)) [H1 H2]] := for_large_and L1 L2.
have aK_ge0 : 0 <= alpha * n0.+1%:R by rewrite mulr_ge0 ?ler0n // ltW.
have [A A_ok] := nat_floor aK_ge0; have /andP[_ lt_A] := A_ok.
have le_A : (2 * t < A)%N.
  by have := le_lt_trans H2 lt_A; rewrite ltr_nat addn1 ltnS.
exists n0.+1, A, s, t; split=> //; last by split=> //; apply: H1.
  by apply: leq_trans le_A.
by move: le_A lt_ts; clear; nia.
Qed.

Lemma large_kept (K A s1 s2 : nat) (eta : R) : (0 < A)%N -> 0 < eta ->
  for_large (fun l => forall k1 k2, spans s1 s2 K l k1 -> spans s1 s2 K l k2 ->
    (k1.-1 + k2.-1)%:R / ((A * l).+1 ^ 2)%:R <= eta).
Proof.
move=> A_gt0 eta_gt0.
apply: for_large_impl (large_scale (2 * s2 * K)%:R eta_gt0).
move=> l le_l k1 k2 /andP[_ le_k1] /andP[_ le_k2].
have le_A : (l < (A * l).+1)%N by rewrite ltnS leq_pmull.
rewrite ler_pdivr_mulr ?ltr0n ?expn_gt0 //.
apply: (@le_trans _ _ ((2 * s2 * K)%:R * (A * l).+1%:R)).
  rewrite -natrM ler_nat; apply: (@leq_trans (2 * s2 * K * l.+1)).
    apply: (@leq_trans (k1 + k2)); first by rewrite leq_add ?leq_pred.
    by move: le_k1 le_k2; clear; lia.
  by rewrite leq_mul2l le_A orbT.
rewrite expnS expn1 [(_.+1 * _)%:R]natrM mulrA ler_wpmul2r ?ler0n //.
apply: le_trans le_l _; rewrite ler_wpmul2l ?(ltW eta_gt0) // ler_nat.
exact: ltnW.
Qed.

(* What the certificates of large rows in the shares s1 : s2 tend to.         *)
Definition balanced_limit (on od s1 s2 : nat) : R :=
  let o := on%:R / od%:R in
  let c := (s1 + s2)%:R / (2%:R + o) in
  1 + (1 + o) * c ^+ 2 / ((s1%:R - c) * (s2%:R - c)).

Lemma above_gt0 on od s1 s2 : large_share on od s1 s2 -> 0 < above on od s1 s2.
Proof.
rewrite /large_share /above subr_gt0 ltr_nat; clear; lia.
Qed.

Lemma balanced_limitE on od s1 s2 : (0 < on)%N -> (0 < od)%N ->
    large_share on od s1 s2 -> large_share on od s2 s1 ->
  balanced_limit on od s1 s2 = 1 + (1 + on%:R / od%:R) / (on%:R / od%:R) ^+ 2 *
    (above on od s1 s2 + above on od s2 s1) ^+ 2 /
    (above on od s1 s2 * above on od s2 s1).
Proof.
move=> on_gt0 od_gt0 /above_gt0 e1_gt0 /above_gt0 e2_gt0.
have on_neq0 : on%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have od_neq0 : od%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have q_neq0 : (2 * od + on)%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n addn_gt0 on_gt0 orbT.
have cE : (s1 + s2)%:R / (2%:R + on%:R / od%:R) =
    (od * (s1 + s2))%:R / (2 * od + on)%:R :> R.
  rewrite natrM natrD; field; rewrite od_neq0 andbT.
  by rewrite -natrM -natrD.
have E1 : s1%:R - (od * (s1 + s2))%:R / (2 * od + on)%:R =
    above on od s1 s2 / (2 * od + on)%:R.
  by rewrite /above; field; rewrite -natrM -natrD.
have E2 : s2%:R - (od * (s1 + s2))%:R / (2 * od + on)%:R =
    above on od s2 s1 / (2 * od + on)%:R.
  by rewrite /above; field; rewrite -natrM -natrD.
rewrite /balanced_limit cE E1 E2; congr (1 + _).
have -> : above on od s1 s2 + above on od s2 s1 = (on * (s1 + s2))%:R.
  by rewrite /above; ring.
move: e1_gt0 e2_gt0 q_neq0 => /gt_eqF e1_neq0 /gt_eqF e2_neq0.
rewrite [(od * _)%:R]natrM [(on * _)%:R]natrM.
move: (above on od s1 s2) (above on od s2 s1) e1_neq0 e2_neq0 => e1 e2.
move: (2 * od + on)%:R (s1 + s2)%:R => q s e1_neq0 e2_neq0 q_neq0.
by field; rewrite on_neq0 od_neq0 q_neq0 e1_neq0 e2_neq0.
Qed.

(* The bound of P_x / P_x' does not grow with the sizes.                      *)
Theorem balances_large (on od s1 s2 : nat) (r : R) :
    (0 < od)%N -> (s1 <= s2)%N -> large_share on od s1 s2 ->
    balanced_limit on od s1 s2 < r ->
  exists N0, forall k l, (N0 <= k + l)%N -> in_shares s1 s2 k l ->
    exists q, balances q on od k.-1 l.-1 r.
Proof.
move=> od_gt0 le_s share; have share' := large_share_le le_s share.
have on_gt0 := large_share_odds le_s share.
have s1_gt0 := large_share_gt0 share; have s2_gt0 := large_share_gt0 share'.
have o_gt0 : 0 < on%:R / od%:R :> R by rewrite divr_gt0 ?ltr0n.
rewrite balanced_limitE // -ltr_subr_addl; move: o_gt0.
set o := on%:R / od%:R; set k := _ / o ^+ 2 => o_gt0.
have k_gt0 : 0 < k by rewrite divr_gt0 ?exprn_gt0 ?addr_gt0 ?ltr01.
case/(constants_exist od_gt0 le_s k_gt0 (above_gt0 share)).
move=> K [A [s [t [K_gt0 A_gt0 t_gt0 le_A [slacks]]]]].
have s_gt0 : (0 < s)%N by move: le_A t_gt0 A_gt0; clear; nia.
set f := k * _ / _ => lt_f.
have f_ge0 : 0 <= f.
  by rewrite /f divr_ge0 ?ler0n // mulr_ge0 ?ler0n // (ltW k_gt0).
pose eta := (r - 1 - f) / 2%:R.
have eta_gt0 : 0 < eta by rewrite divr_gt0 ?subr_gt0 ?ltr0n.
have eta2 : r - 1 = f + eta + eta by rewrite /eta; field.
have r_ge : 1 + eta <= r.
  by rewrite -ler_subr_addl eta2 ler_addr addr_ge0 // ltW.
have r_gt0 : 0 < r.
  by apply: lt_le_trans r_ge; rewrite addr_gt0 ?ltr01.
pose eps := eta / r.
have eps_gt0 : 0 < eps by rewrite divr_gt0.
have epsE : r * eps = eta by rewrite /eps mulrCA divff ?mulr1 ?gt_eqF.
pose k0 := (5 + on)%N; pose rho := large_edge od k0 s2.
have rho_gt0 : 0 < 1 + rho%:R :> R by rewrite ltr_paddr ?ltr01 ?ler0n.
pose delta : R := eps / (4%:R * (1 + rho%:R) ^+ 2).
have delta_gt0 : 0 < delta.
  by rewrite /delta divr_gt0 // mulr_gt0 ?ltr0n ?exprn_gt0.
have L1 := balances_row_large k0 on_gt0 K_gt0 s1_gt0 slacks delta_gt0.
have L2 := large_kept K s1 s2 A_gt0 eta_gt0.
have D_gt0 : (0 < K * (s1 + s2))%N by rewrite muln_gt0 K_gt0 addn_gt0 s1_gt0.
have [N0 large] := for_large_div D_gt0
  (for_large_and L1 (for_large_and L2 (large_ge (3 + on)))).
exists N0 => k1 k2 /large [row [le_kept le_l]] shares.
have sp1 := in_shares_spans s1_gt0 K_gt0 shares.
rewrite /in_shares andbC in shares.
have sp2 := in_shares_spans s1_gt0 K_gt0 shares.
rewrite [(k2 + k1)%N]addnC in sp2.
move: ((k1 + k2) %/ _)%N sp1 sp2 row le_kept le_l => l sp1 sp2.
move=> row /(_ _ _ sp1 sp2) le_kept le_l.
have row1 := row _ _ sp1 sp2; have row2 := row _ _ sp2 sp1.
set q := Balance K l k0 (A * l) s t delta rho%:R; exists q.
have lostE : lost q = eps.
  by rewrite /lost /= /delta; field; rewrite gt_eqF.
have le_lost : 1 <= r * (1 - lost q).
  by rewrite lostE mulrBr mulr1 epsE ler_subr_addr.
have lost_lt1 : lost q < 1.
  rewrite lostE ltr_pdivr_mulr // mul1r (lt_le_trans _ r_ge) //.
  by rewrite ltr_addr ltr01.
have le_rate : kept_rate q o (k1.-1 + k2.-1) <=
    (r - 1) * (1 - lost q).
  rewrite lostE mulrBr mulr1 mulrBl epsE mul1r opprB addrA.
  rewrite eta2 addrAC addrK ler_paddr ?(ltW eps_gt0) //.
  rewrite /kept_rate ler_add //= /f /k le_eqVlt; apply/orP; left; apply/eqP.
  by field; rewrite !pnatr_eq0 -!lt0n t_gt0 s_gt0 gt_eqF.
have least_ge : (3 + on <= A * l)%N.
  by rewrite (leq_trans le_l) // leq_pmull.
apply/and5P; split=> //; first by rewrite /= /k0; move: od_gt0; clear; nia.
apply/and5P; split; first exact: leq_trans (leq_addr _ _) least_ge.
- by rewrite (leq_trans _ (leq_pmull _ od_gt0)) // (leq_trans _ least_ge) //
    leq_addl.
- by [].
- by have := leq_mul le_A (leqnn l); rewrite -!mulnA mulnDl.
by apply/and5P; split=> //; rewrite ?ler0n ?le_lost.
Qed.

(* As a specification                                                         *)
Theorem balanced_limit_pure_dp (p : R) (p01 : 0 <= p <= 1)
    (on od s1 s2 : nat) (gamma : R) :
    0 < p < 1 -> on%:R / od%:R = p / (1 - p) ->
    (s1 <= s2)%N -> large_share on od s1 s2 ->
    balanced_limit on od s1 s2 < gamma ^+ 2 ->
  exists N0, forall (M H S : finType) (n : nat),
    pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
            (fun x x' : dataset M H S n => Some (hamming x x'))
            (fun x0 : dataset M H S n =>
               if sizes_fit (large_in_shares s1 s2 N0) x0
               then Some gamma else None)
            (psa p p01).
Proof.
move=> p_in oE le_s share lt_gamma; have /andP[p_gt0 p_lt1] := p_in.
have od_gt0 : (0 < od)%N.
  rewrite lt0n; apply: contraTneq (odds_gt0 p_gt0 p_lt1) => od0.
  by rewrite -oE od0 invr0 mulr0 ltxx.
have [N0 large] := balances_large od_gt0 le_s share lt_gamma.
exists N0 => M H S n; apply: (balanced_pure_dp _ p_in oE _ (lexx _)) => k l.
by case/andP; apply: large.
Qed.

Lemma equal_limit (on od : nat) : (0 < on)%N -> (0 < od)%N ->
  balanced_limit on od 1 1 = (1 + 2%:R / (on%:R / od%:R)) ^+ 2.
Proof.
move=> on_gt0 od_gt0; rewrite balanced_limitE /large_share //; try by lia.
have on_neq0 : on%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have od_neq0 : od%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
by rewrite /above; field; rewrite od_neq0 on_neq0.
Qed.

(* Nearly equal shares come close to it.                                      *)
Lemma near_equal_limit (on od : nat) (x : R) : (0 < on)%N -> (0 < od)%N ->
    balanced_limit on od 1 1 < x ->
  for_large (fun s => large_share on od s s.+1 /\
    balanced_limit on od s s.+1 < x).
Proof.
move=> on_gt0 od_gt0; have share : large_share on od 1 1.
  by rewrite /large_share; lia.
have o_gt0 : 0 < on%:R / od%:R :> R by rewrite divr_gt0 ?ltr0n.
rewrite balanced_limitE // -ltr_subr_addl.
set k := _ / _ ^+ 2; set y := x - 1 => lt_y.
have k_gt0 : 0 < k by rewrite divr_gt0 ?exprn_gt0 ?addr_gt0 ?ltr01.
have gap_gt0 : 0 < y - 4%:R * k.
  have on_neq0 : on%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
  have aboveE : above on od 1 1 = on%:R by rewrite /above; ring.
  rewrite subr_gt0; move: lt_y; rewrite aboveE; congr (_ < _).
  by field.
have y_gt0 : 0 < y.
  by rewrite -(subrK (4%:R * k) y) addr_gt0 // mulr_gt0 // ltr0n.
pose g := (y - 4%:R * k) * (on ^ 2)%:R.
have g_gt0 : 0 < g by rewrite mulr_gt0 // ltr0n expn_gt0 on_gt0.
pose c := k * (on ^ 2)%:R + y * (od * (on + od))%:R.
have c_ge0 : 0 <= c by rewrite addr_ge0 // mulr_ge0 ?ler0n // ltW.
apply: for_large_impl (for_large_and (large_square (- g) g_gt0 c_ge0)
  (large_ge od.+1)) => s [lt_c lt_s].
have share1 : large_share on od s s.+1.
  by rewrite /large_share; move: lt_s on_gt0; clear; nia.
have share2 := large_share_le (leqnSn s) share1.
split=> //; rewrite balanced_limitE // -ltr_subr_addl -/k -/y.
rewrite ltr_pdivr_mulr ?mulr_gt0 ?above_gt0 //; move: lt_c.
rewrite -subr_gt0 -[X in _ -> is_true X]subr_gt0.
by rewrite /above /g /c; congr (_ < _); ring.
Qed.

(* Two rows of nearly the same size: e^epsilon above 1 + 2 (1 - p) / p        *)
Theorem near_equal_pure_dp (p : R) (p01 : 0 <= p <= 1) (on od : nat)
    (gamma : R) :
    0 < p < 1 -> on%:R / od%:R = p / (1 - p) -> (2%:R - p) / p < gamma ->
  exists s N0, forall (M H S : finType) (n : nat),
    pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
            (fun x x' : dataset M H S n => Some (hamming x x'))
            (fun x0 : dataset M H S n =>
               if sizes_fit (large_in_shares s s.+1 N0) x0
               then Some gamma else None)
            (psa p p01).
Proof.
move=> p_in oE lt_gamma; have /andP[p_gt0 p_lt1] := p_in.
have o_gt0 : 0 < on%:R / od%:R :> R by rewrite oE odds_gt0.
have on_gt0 : (0 < on)%N.
  by rewrite lt0n; apply: contraTneq o_gt0 => ->; rewrite mul0r ltxx.
have od_gt0 : (0 < od)%N.
  by rewrite lt0n; apply: contraTneq o_gt0 => ->; rewrite invr0 mulr0 ltxx.
have limitE : balanced_limit on od 1 1 = ((2%:R - p) / p) ^+ 2.
  rewrite equal_limit // oE; congr (_ ^+ 2).
  by field; rewrite gt_eqF // gt_eqF // subr_gt0.
have lt_limit : balanced_limit on od 1 1 < gamma ^+ 2.
  have low_ge0 : 0 <= (2%:R - p) / p.
    rewrite divr_ge0 ?(ltW p_gt0) // subr_ge0 (le_trans (ltW p_lt1)) //.
    by rewrite ler1n.
  by rewrite limitE ltr_sqr ?nnegrE // (le_trans low_ge0) // ltW.
have [s /(_ s (leqnn s))[share lt_s]] :=
  near_equal_limit on_gt0 od_gt0 lt_limit.
have [N0 H] := balanced_limit_pure_dp p01 p_in oE (leqnSn s) share lt_s.
by exists s, N0.
Qed.

End Archimedean.
