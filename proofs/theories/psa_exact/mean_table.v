(******************************************************************************)
(* The mean of the PSA's output: it draws tables towards independence         *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   mean_table == price.bias: in one stratum of n records, the mean of a     *)
(*            cell is a - mu n/(n-1) (a - r c/n), where a is the cell of the  *)
(*            input with the totals r and c of its row and column, and mu the *)
(*            probability that a record moves                                 *)
(*   uniform_change == price.all-tables: where r = c = m and n = 2 m, the     *)
(*            mean change of the cell is at least mu n/(n-1) m/4 over data    *)
(*            sets with the cells 0, ..., m                                   *)
(*   half_rate == price.all-tables: mu n/(n-1) is at least p if n p >= 1      *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming pure.
From Stirred Require Import psa_law psa_privacy optimality single_record.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mean.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypotheses (p01 : 0 <= p <= 1) (n_gt1 : (1 < n)%N).
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}) (F : nat -> R).

(* A mean over tables is one over permutations.                               *)
Lemma sum_psa x r F :
  \sum_t psa p p01 x t * F (t r) =
  \sum_g psa_perm p p01 x g * F (table (apply_perm g x) r).
Proof.
rewrite [RHS](partition_big (fun g => table_ord (apply_perm g x)) xpredT) //=.
apply: eq_bigr => t _; rewrite psaE big_distrl /=.
by apply: eq_bigr => g /eqP <-; rewrite table_ordE.
Qed.

Lemma cell_permuted x m h s g : (forall l, matching (x l) = m) ->
  (table (apply_perm g x) (m, h, s))%:R =
  \sum_(i | holding (x i) == h) (swapping (x (g i)) == s)%:R :> R.
Proof.
move=> xm; rewrite ffunE -sum1_card natr_sum big_mkcond /=.
rewrite [RHS]big_mkcond /=; apply: eq_bigr => i _.
rewrite inE eq_record ffunE /= !xm eqxx /=.
by case: (holding (x i) == h); case: (swapping (x (g i)) == s).
Qed.

Lemma mean_by_records x m h s : (forall l, matching (x l) = m) ->
  \sum_t psa p p01 x t * (t (m, h, s))%:R =
  \sum_(i | holding (x i) == h)
    (if swapping (x i) == s then stay_mass p n (n_ms x m s)
     else come_mass p n (n_ms x m s)).
Proof.
move=> xm; rewrite (sum_psa x _ (fun a => a%:R)).
transitivity (\sum_g \sum_(i | holding (x i) == h)
    psa_perm p p01 x g * (swapping (x (g i)) == s)%:R).
  by apply: eq_bigr => g _; rewrite cell_permuted // big_distrr.
rewrite exchange_big /=; apply: eq_bigr => i _.
rewrite -(gets_mass p01 n_gt1 i xm) [RHS]big_mkcond /=; apply: eq_bigr => g _.
by case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

Lemma mean_form (mu a b c d l : R) : l != 0 -> l - 1 != 0 ->
  d * a = (c - 1) * a ->
  (1 - mu + mu * d / (l - 1)) * a + mu * c / (l - 1) * b =
  a - mu * l / (l - 1) * (a - (a + b) * c / l).
Proof.
move=> l0 l1 da; transitivity ((1 - mu) * a + mu * (d * a) / (l - 1) +
  mu * c / (l - 1) * b); first by field.
by rewrite da; field; rewrite l0.
Qed.

Theorem mean_table x m h s : (forall l, matching (x l) = m) ->
  \sum_t psa p p01 x t * (t (m, h, s))%:R =
  (table x (m, h, s))%:R - swap_mass p n * n%:R / n.-1%:R *
    ((table x (m, h, s))%:R - (n_mh x m h)%:R * (n_ms x m s)%:R / n%:R).
Proof.
move=> xm; rewrite mean_by_records //.
pose A := [pred i | (holding (x i) == h) && (swapping (x i) == s)].
pose B := [pred i | (holding (x i) == h) && (swapping (x i) != s)].
have aE : table (x : dataset M H S n) (m, h, s) = #|A|.
  by rewrite ffunE; apply: eq_card => i; rewrite !inE eq_record xm eqxx.
have rE : n_mh x m h = (#|A| + #|B|)%N.
  rewrite n_mhE -(cardID [pred i | swapping (x i) == s]).
  by congr (_ + _)%N; apply: eq_card => i; rewrite !inE xm eqxx andbC.
have le_ac : (#|A| <= n_ms x m s)%N.
  by rewrite -aE /n_ms (bigD1 h) //= leq_addr.
rewrite rE aE; move: (n_ms x m s) le_ac => c le_ac.
transitivity (stay_mass p n c * #|A|%:R + come_mass p n c * #|B|%:R).
  rewrite (bigID (fun i => swapping (x i) == s)) /=; congr (_ + _).
    rewrite mulr_natr -sumr_const; apply: eq_bigr => i /andP[_ ->] //.
  rewrite mulr_natr -sumr_const; apply: eq_bigr => i /andP[_].
  by move/negPf->.
move: #|A| #|B| le_ac => a b le_ac; rewrite natrD /stay_mass /come_mass.
have n1 : n.-1%:R = n%:R - 1 :> R by rewrite -subn1 natrB // ltnW.
rewrite n1; apply: mean_form.
- by rewrite pnatr_eq0 -lt0n ltnW.
- by rewrite -n1 pnatr_eq0 -lt0n -ltnS prednK // ltnW.
have [->|a_gt0] := posnP a; first by rewrite !mulr0.
by rewrite -subn1 natrB // (leq_trans a_gt0).
Qed.

End Mean.

(* A line of tables: the cell is 0, ..., m, with m records in its row and     *)
(* column.                                                                    *)
Section Line.

Variable R : realFieldType.

(* The sum of the distances |2 k - m|, k = 0, ..., m                          *)
Lemma sum_distances m :
  (m.+1 * m <= 2 * \sum_(k < m.+1) (2 * k - m + (m - 2 * k)))%N.
Proof.
have [l lm] := ubnP m; elim: l => // l IHl in m lm *.
case: m lm => [|[|m]] lm; first by [].
  by rewrite 2!big_ord_recl big_ord0.
have {IHl} := IHl m (ltnW lm).
rewrite [in X in _ -> X]big_ord_recl [in X in _ -> X]big_ord_recr /=.
rewrite [X in _ -> (_ <= 2 * (_ + (X + _)))%N](_ : _ =
  \sum_(k < m.+1) (2 * k - m + (m - 2 * k)))%N; last first.
  by apply: eq_bigr => k _; rewrite /bump /=; lia.
by set t := (\sum_(k < _) _)%N; rewrite /bump /=; nia.
Qed.

Theorem uniform_change (M H S : finType) (m : nat) (p : R)
    (p01 : 0 <= p <= 1) (X : 'I_m.+1 -> dataset M H S (2 * m)) u h s :
  (0 < m)%N -> (forall k l, matching (X k l) = u) ->
  (forall k, table (X k) (u, h, s) = k) ->
  (forall k, n_mh (X k) u h = m) -> (forall k, n_ms (X k) u s = m) ->
  swap_mass p (2 * m) * (2 * m)%:R / (2 * m).-1%:R * (m%:R / 4%:R) <=
  (\sum_k \sum_t psa p p01 (X k) t * `|(t (u, h, s))%:R - k%:R|) / m.+1%:R.
Proof.
move=> m_gt0 Xu Xk Xh Xs; have n_gt1 : (1 < 2 * m)%N by lia.
set w := _ / (2 * m).-1%:R.
have m_neq0 : m%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have step (k : 'I_m.+1) : w * (`|(2 * k)%:R - m%:R| / 2%:R) <=
    \sum_t psa p p01 (X k) t * `|(t (u, h, s))%:R - k%:R|.
  apply: le_trans (_ : _ <= `|\sum_t psa p p01 (X k) t *
      ((t (u, h, s))%:R - k%:R)|) _; last first.
    apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => t _.
    by rewrite normrM (ger0_norm (law_ge0 _ _)).
  rewrite (eq_bigr (fun t => psa p p01 (X k) t * (t (u, h, s))%:R -
    psa p p01 (X k) t * k%:R)) => [|t _]; last by rewrite mulrBr.
  rewrite sumrB -mulr_suml law_sum1 mul1r (mean_table p01 n_gt1 h s (Xu k)).
  rewrite Xk Xh Xs -/w addrAC subrr add0r normrN normrM.
  rewrite (_ : _ - _ = ((2 * k)%:R - m%:R) / 2%:R); last first.
    by rewrite !natrM; field.
  have -> (v : R) : `|v / 2%:R| = `|v| / 2%:R.
    by rewrite normrM (@ger0_norm _ 2%:R^-1) ?invr_ge0 ?ler0n.
  by rewrite ler_wpmul2r ?ler_norm // divr_ge0 ?ler0n.
have i : 'I_(2 * m) by exists 0%N; rewrite muln_gt0.
have w_ge0 : 0 <= w.
  rewrite divr_ge0 ?ler0n // mulr_ge0 ?ler0n //.
  by rewrite -(Pr_moves p01 n_gt1 i (Xu ord0)) Pr_ge0.
rewrite ler_pdivl_mulr ?ltr0n //.
apply: le_trans (ler_sum _ (fun k _ => step k)).
rewrite -mulr_sumr -mulrA ler_wpmul2l // -mulr_suml.
have -> : \sum_(k < m.+1) `|(2 * k)%:R - m%:R| =
    (\sum_(k < m.+1) (2 * k - m + (m - 2 * k)))%N%:R :> R.
  rewrite natr_sum; apply: eq_bigr => k _; have [le_m|lt_m] := leqP m (2 * k).
    by rewrite -natrB // ger0_norm ?ler0n // (eqP le_m) addn0.
  rewrite distrC -natrB; last exact: ltnW.
  by rewrite ger0_norm ?ler0n // (eqP (ltnW lt_m)).
have := sum_distances m; move: (\sum_(k < _) _)%N => a; rewrite -(ler_nat R).
rewrite !natrM => ma; rewrite -subr_ge0.
rewrite (_ : _ - _ = (2%:R * a%:R - m.+1%:R * m%:R) / 4%:R); last by field.
by rewrite divr_ge0 ?ler0n // subr_ge0.
Qed.

End Line.

(* At least p if one record is expected to be selected                        *)
Theorem half_rate (R : realFieldType) (p : R) n : 0 < p < 1 -> (1 < n)%N ->
  1 <= n%:R * p -> p <= swap_mass p n * n%:R / n.-1%:R.
Proof.
move=> /andP[p_gt0 p_lt1] n_gt1 np; have n1_gt0 : (0 < n.-1)%N by lia.
have den_gt0 : 0 < 1 - n%:R * p * (1 - p) ^+ n.-1.
  by apply: reselection_gt0 => //; rewrite !ltW.
have mu_ge : p <= swap_mass p n.
  rewrite ler_pdivl_mulr // ler_pmul2l // ler_sub //.
  by rewrite ler_pemull // exprn_ge0 // subr_ge0 ltW.
rewrite ler_pdivl_mulr ?ltr0n //.
by apply: ler_pmul; rewrite ?ler0n ?(ltW p_gt0) ?ler_nat ?leq_pred.
Qed.
