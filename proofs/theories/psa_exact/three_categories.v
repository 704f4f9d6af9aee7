(******************************************************************************)
(* Three categories on both sides: the printed growth ln n of the budget is   *)
(* real                                                                       *)
(*                                                                            *)
(* Definition                                                                 *)
(*   margins_n11 x m h h1 h2 s s1 s2 == the holding categories h, h1, h2 are  *)
(*            different and have n - 2, 1 and 1 records in the stratum m, and *)
(*            so do the swapping categories s, s1, s2; as n is the number of  *)
(*            all records, there is no other stratum and no other category    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   three_categories == psa.exact.three-categories: in the universe of one   *)
(*            stratum with row and column margins (n-2, 1, 1), n >= 4, every  *)
(*            budget gamma of the PSA has n (n-1) (1-p)^2 / 4 <= gamma^2      *)
(*   three_categories_universe == psa.exact.three-categories: there is such a *)
(*            universe for every n                                            *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import psa_law psa_privacy optimality optimality_universes.
From Stirred Require Import single_record.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

(* d(k+2) is at least half of (k+1) (k+2) d(k).                               *)
Lemma der_ratio2_half k :
  k != 1 -> k.+2 * k.+1 * der k <= 2 * der k.+2.
Proof.
by move=> /der_ratio2_ge; rewrite expnS expn1; nia.
Qed.

Lemma bin_shift2 m k : 'C(m.+2, k.+2) * (k.+2 * k.+1) = m.+2 * m.+1 * 'C(m, k).
Proof.
have := mul_bin_diag m.+2 k.+1; have := mul_bin_diag m.+1 k.
by rewrite /=; nia.
Qed.

Local Open Scope ring_scope.

(* A sum over the subsets of A that depends on their sizes only.              *)
Lemma sum_subsets (R : ringType) (T : finType) (A : {set T})
    (F : nat -> R) :
  \sum_(B : {set T} | B \subset A) F #|B| =
  \sum_(k < #|A|.+1) F k *+ 'C(#|A|, k).
Proof.
rewrite (partition_big (fun B : {set T} => inord #|B| : 'I_#|A|.+1) xpredT) //=.
apply: eq_bigr => k _; rewrite -cards_draws -sumr_const.
apply: eq_big => [B | B /andP[sBA /eqP <-]]; last first.
  by rewrite inordK // ltnS subset_leq_card.
rewrite inE; case: (boolP (B \subset A)) => //= sBA.
by rewrite -val_eqE /= inordK // ltnS subset_leq_card.
Qed.

(* A sum over the permutations that move points of A only, which depends on   *)
(* the number of moved points.                                                *)
Lemma sum_perm_on (R : ringType) (T : finType) (A : {set T})
    (F : nat -> R) :
  \sum_(g : {perm T} | perm_on A g) F #|[set i | g i != i]| =
  \sum_(k < #|A|.+1) (F k *+ der k) *+ 'C(#|A|, k).
Proof.
rewrite -(sum_subsets A (fun k => F k *+ der k)).
rewrite (partition_big (fun g : {perm T} => [set i | g i != i])
  (fun B : {set T} => B \subset A)) /= => [|g gA]; last first.
  by apply/subsetP => i; rewrite inE => /(subsetP gA).
apply: eq_bigr => B sBA; rewrite -card_deranges -sumr_const.
apply: eq_big => [g | g /andP[_ /eqP ->] //].
rewrite inE; case: eqP => [eB|]; rewrite ?andbF // andbT.
by apply/subsetP => i gi; apply: (subsetP sBA); rewrite -eB inE.
Qed.

Section Sums.

Variables (R : realFieldType) (o : R).
Hypothesis o_ge0 : 0 <= o.
Implicit Types m k : nat.

Lemma binomial_sum m : \sum_(k < m.+1) o ^+ k *+ 'C(m, k) = (1 + o) ^+ m.
Proof.
by rewrite exprDn; apply: eq_bigr => k _; rewrite expr1n mul1r.
Qed.

Lemma bernoulli2 m : 1 + m%:R * o + 'C(m, 2)%:R * o ^+ 2 <= (1 + o) ^+ m.
Proof.
elim: m => [|m IHm]; first by rewrite expr0 bin0n !mul0r !addr0.
rewrite [leRHS]exprSr; apply: le_trans (ler_wpmul2r (addr_ge0 ler01 o_ge0) IHm).
rewrite binS bin1 natrD -[m.+1]addn1 natrD; move: m%:R 'C(m, 2)%:R
  (ler0n R 'C(m, 2)) => a c c_ge0.
rewrite [leRHS](_ : _ = 1 + (a + 1) * o + (c + a) * o ^+ 2 + c * o ^+ 3).
  by rewrite ler_addl mulr_ge0 ?exprn_ge0.
by ring.
Qed.

(* Without its linear term, the binomial sum is at least half of itself.      *)
Lemma binomial_without1 m : (1 < m)%N ->
  (1 + o) ^+ m <= 2%:R * ((1 + o) ^+ m - m%:R * o).
Proof.
move=> m_gt1; suff le2 : 2%:R * (m%:R * o) <= (1 + o) ^+ m.
  rewrite mulrBr (mulr_natl (_ ^+ _) 2) (mulr2n (_ ^+ _)) -addrA.
  by rewrite ler_addl subr_ge0.
apply: le_trans (bernoulli2 m).
have le_m : (m%:R ^+ 2 <= 4%:R * 'C(m, 2)%:R :> R).
  rewrite -natrX -natrM ler_nat; have := mul_bin_diag m 1.
  by rewrite bin1 expnS expn1; nia.
rewrite -(@ler_pmul2l _ 4%:R) ?ltr0n //.
apply: (@le_trans _ _ (4%:R + 4%:R * (m%:R * o) + m%:R ^+ 2 * o ^+ 2)).
  rewrite -subr_ge0 [leRHS](_ : _ = (m%:R * o - 2%:R) ^+ 2) ?sqr_ge0 //.
  by ring.
by rewrite !mulrDr mulr1 ler_add2l [leRHS]mulrA ler_wpmul2r ?exprn_ge0.
Qed.

Lemma binomial_sum_neq1 m : (0 < m)%N ->
  \sum_(k < m.+1 | k != 1%N :> nat) o ^+ k *+ 'C(m, k) =
  (1 + o) ^+ m - m%:R * o.
Proof.
move=> m_gt0; rewrite -binomial_sum; have lt1 : (1 < m.+1)%N by [].
rewrite [in RHS](bigD1 (Ordinal lt1)) //= bin1 expr1 mulr_natl.
rewrite [RHS]addrC addrA addNr add0r.
by apply: eq_bigl => k; rewrite -val_eqE.
Qed.

Lemma shifted_sum_le m :
  (m.+2 * m.+1)%:R * (\sum_(k < m.+1 | k != 1%N :> nat)
     (o ^+ k.+2 * ((der k)%:R / (der k.+2)%:R)) *+ 'C(m, k)) <=
  2%:R * (1 + o) ^+ m.+2.
Proof.
rewrite -binomial_sum big_mkcond 2!big_ord_recl /= addrA !mulrDr.
apply: ler_paddl.
  by rewrite addr_ge0 ?mulr_ge0 ?ler0n ?mulrn_wge0 ?exprn_ge0.
rewrite !mulr_sumr; apply: ler_sum => k _; rewrite /bump !add1n.
have oX := exprn_ge0 k.+2 o_ge0; case: ifP => k1; last first.
  by rewrite mulr0 mulr_ge0 ?ler0n ?mulrn_wge0.
have d2_gt0 : 0 < (der k.+2)%:R :> R by rewrite ltr0n der_gt0.
rewrite -[X in _ * X <= _]mulr_natr -[X in _ <= _ * X]mulr_natr.
rewrite [leRHS]mulrCA -!(mulrA (o ^+ _)) [leLHS]mulrCA ler_wpmul2l //.
rewrite mulrAC mulrA ler_pdivr_mulr //.
rewrite -!natrM ler_nat.
have := bin_shift2 m k; have := der_ratio2_half k1.
by nia.
Qed.

End Sums.
(* The two probabilities of z = x: the tables x and x' share all but the two  *)
(* single records.                                                            *)
Definition margins_n11 (M H S : finType) n (x : dataset M H S n) m h h1 h2
    s s1 s2 : Prop :=
  [/\ uniq [:: h; h1; h2], uniq [:: s; s1; s2],
      [/\ n_mh x m h = n - 2, n_mh x m h1 = 1 & n_mh x m h2 = 1]%N
    & [/\ n_ms x m s = n - 2, n_ms x m s1 = 1 & n_ms x m s2 = 1]%N].

Section Margins.

Variables (M H S : finType) (b : nat).
Local Notation n := b.+2.
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}).

Section Singles.

Variables (x : dataset M H S n) (m : M) (h h1 h2 : H) (s s1 s2 : S).
Variables i j : 'I_n.
Hypotheses (mar : margins_n11 x m h h1 h2 s s1 s2) (neq_ij : i != j).
Hypotheses (xi : x i = (m, h1, s1)) (xj : x j = (m, h2, s2)).

Local Notation others := (~: [set i; j]).

Lemma card_others : #|others| = b.
Proof.
by have := cardsC [set i; j]; rewrite cards2 neq_ij card_ord => -[].
Qed.

Lemma other_record l : l \in others -> x l = (m, h, s).
Proof.
move=> lo; case: mar; rewrite /= !subSS subn0 !inE !andbT !negb_or =>
  /andP[/andP[hh1 hh2] _].
case/andP=> /andP[ss1 ss2] _ [nh _ _] [ns _ _].
have setE (P : pred 'I_n) : #|[set k | P k]| = b -> ~~ P i -> ~~ P j -> P l.
  move=> cardP Pi Pj; have : [set k | P k] == others.
    rewrite eqEcard cardP card_others leqnn andbT.
    apply/subsetP => k; rewrite !inE.
    by apply: contraL => /orP[]/eqP->.
  by move/eqP => PE; move: lo; rewrite -PE inE.
have /andP[/eqP lm /eqP lh] : (matching (x l) == m) && (holding (x l) == h).
  apply: (setE (fun k => (matching (x k) == m) && (holding (x k) == h))).
  - by rewrite -n_mhE.
  - by rewrite xi /holding /= [_ == h]eq_sym (negPf hh1) andbF.
  by rewrite xj /holding /= [_ == h]eq_sym (negPf hh2) andbF.
have /andP[_ /eqP ls] : (matching (x l) == m) && (swapping (x l) == s).
  apply: (setE (fun k => (matching (x k) == m) && (swapping (x k) == s))).
  - by rewrite -n_msE.
  - by rewrite xi /swapping /= [_ == s]eq_sym (negPf ss1) andbF.
  by rewrite xj /swapping /= [_ == s]eq_sym (negPf ss2) andbF.
by rewrite -(recordK (x l)) lm lh ls.
Qed.

Lemma others_stratum l : matching (x l) = m.
Proof.
have [->|li] := eqVneq l i; first by rewrite xi.
have [->|lj] := eqVneq l j; first by rewrite xj.
by rewrite other_record // !inE negb_or li.
Qed.

Lemma single_unique : unique_in x i /\ unique_in x j.
Proof.
by case: mar => _ _ [_ oh1 oh2] [_ os1 os2];
  rewrite /unique_in xi xj /matching /holding /swapping /= oh1 oh2 os1 os2.
Qed.

(* The permutations behind x -> x fix the two singles.                        *)
Lemma same_table_perm g :
  (table_ord (apply_perm g x) == table_ord x) = perm_on others g.
Proof.
rewrite eq_table_ord; have [ui uj] := single_unique.
have xg := preserves_all others_stratum g.
apply/eqP/idP => [tab | g_on].
  apply/subsetP => l; rewrite !inE; apply: contra => /orP[]/eqP ->; apply/eqP.
    by apply: unique_fixed xg ui _; rewrite tab table_gt0.
  by apply: unique_fixed xg uj _; rewrite tab table_gt0.
congr table; apply/ffunP => l; rewrite ffunE.
have [lo|lo] := boolP (l \in others); last first.
  by rewrite (out_perm g_on lo) recordK.
by rewrite !other_record // perm_closed.
Qed.

(* Exchanging the two singles.                                                *)
Lemma hamming_exchange : hamming x (apply_perm (tperm i j) x) = 2%N.
Proof.
set x' := apply_perm _ x; have inv_x' : same_invariants x x'.
  exact: same_invariants_apply (preserves_all others_stratum _).
have le2 : (hamming x x' <= 2)%N.
  apply: leq_trans (hamming_apply_perm _ _) _.
  apply: (@leq_trans #|[set i; j]|); last by rewrite cards2; case: (i != j).
  apply: subset_leq_card; apply/subsetP => l; rewrite !inE.
  by case: tpermP => [->|->|]; rewrite ?eqxx ?orbT.
have neq0 : hamming x x' != 0%N.
  rewrite hamming_eq0 eq_sym -eq_table_ord same_table_perm; apply/negP.
  by move=> /subsetP/(_ i); rewrite !inE tpermL eqxx eq_sym neq_ij => /(_ isT).
by have := no_neighbors inv_x'; lia.
Qed.

Section Masses.

Variables (R : realFieldType) (p : R).
Hypothesis p01 : 0 <= p <= 1.

Lemma moved_exchange g :
  perm_on others g -> moved (g * tperm i j)%g = (moved g).+2.
Proof.
move=> g_on; have full := one_stratum others_stratum.
have fixed l : l \in [set i; j] -> g l = l.
  by move=> lij; rewrite (out_perm g_on) // inE lij.
have xg := preserves_all others_stratum g.
have := @moved_in_tperm_fixed _ _ _ _ x g i j m xg.
rewrite /moved_in full !setIT -!/(moved _) => -> //; rewrite ?inE //.
  by rewrite fixed ?set21.
by rewrite fixed ?set22.
Qed.

Lemma psa_stay :
  psa p p01 x (table_ord x) =
  \sum_(k < b.+1) (move_mass p n k *+ der k) *+ 'C(b, k).
Proof.
rewrite psaE (eq_bigl _ _ same_table_perm).
have := sum_perm_on others (move_mass p n); rewrite card_others => <-.
by apply: eq_bigr => g _; rewrite (psa_perm_moved p01 others_stratum).
Qed.

Lemma psa_exchange :
  psa p p01 (apply_perm (tperm i j) x) (table_ord x) =
  \sum_(k < b.+1) (move_mass p n k.+2 *+ der k) *+ 'C(b, k).
Proof.
rewrite psa_applyE (eq_bigl _ _ same_table_perm).
have := sum_perm_on others (fun k => move_mass p n k.+2).
rewrite card_others => <-; apply: eq_bigr => g g_on.
by rewrite (psa_perm_moved p01 others_stratum) tpermV moved_exchange.
Qed.

Lemma exchange_bound gamma : 0 < p < 1 -> (1 < b)%N -> 0 <= gamma ->
  psa p p01 x (table_ord x) <=
    gamma * psa p p01 (apply_perm (tperm i j) x) (table_ord x) ->
  (n * n.-1)%:R * (1 - p) ^+ 2 <= 4%:R * gamma.
Proof.
case/andP=> p_gt0 p_lt1 b_gt1 gamma_ge0; set o := p / (1 - p).
have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1; have o_ge0 := ltW o_gt0.
have [c c_gt0 massE] : exists2 c : R, 0 < c & forall k, (k <= n)%N ->
    move_mass p n k = c * (o ^+ k / (der k)%:R).
  eexists; last by move=> k lek; apply: move_mass_odds.
  apply: divr_gt0; first by rewrite exprn_gt0 // subr_gt0.
  exact: reselection_gt0.
have q_neq0 : 1 - p != 0 by rewrite subr_eq0 eq_sym lt_eqF.
have qo1 : (1 - p) * (1 + o) = 1.
  by rewrite mulrDr mulr1 [_ * o]mulrC divfK // subrK.
clearbody o.
rewrite psa_stay psa_exchange.
have -> : \sum_(k < b.+1) (move_mass p n k *+ der k) *+ 'C(b, k) =
    c * ((1 + o) ^+ b - b%:R * o).
  rewrite -binomial_sum_neq1 ?(ltnW b_gt1) // mulr_sumr [RHS]big_mkcond /=.
  apply: eq_bigr => k _; rewrite massE; last by rewrite ltnW // leqW.
  have [->|k1] := eqVneq (k : nat) 1%N; first by rewrite der1 mulr0n mul0rn.
  rewrite -[X in X *+ 'C(_, _)]mulr_natr -mulrA divfK ?mulrnAr //.
  by rewrite pnatr_eq0 -lt0n der_gt0.
have -> : \sum_(k < b.+1) (move_mass p n k.+2 *+ der k) *+ 'C(b, k) =
    c * \sum_(k < b.+1 | k != 1%N :> nat)
      (o ^+ k.+2 * ((der k)%:R / (der k.+2)%:R)) *+ 'C(b, k).
  rewrite mulr_sumr [RHS]big_mkcond /=.
  apply: eq_bigr => k _; rewrite massE; last by rewrite !ltnS -ltnS.
  have [->|k1] := eqVneq (k : nat) 1%N; first by rewrite der1 mulr0n mul0rn.
  rewrite /= mulrnAr; congr (_ *+ _).
  by rewrite -[LHS]mulr_natr -!mulrA [_^-1 * _]mulrC.
rewrite mulrCA ler_pmul2l // => le_gamma.
have o1_gt0 : 0 < 1 + o by rewrite addr_gt0 ?ltr01.
have nn_ge0 : 0 <= (n * n.-1)%:R :> R := ler0n _ _.
have le2 := ler_wpmul2l gamma_ge0 (shifted_sum_le o_ge0 b).
have := ler_wpmul2l nn_ge0 (binomial_without1 o_ge0 b_gt1).
rewrite mulrCA => /le_trans le1.
have /le1{le1} := ler_wpmul2l (ler0n R 2) (ler_wpmul2l nn_ge0 le_gamma).
rewrite [_ * (gamma * _)]mulrCA => le1.
have {le1 le2 le_gamma} := le_trans le1 (ler_wpmul2l (ler0n R 2) le2).
have -> : 2%:R * (gamma * (2%:R * (1 + o) ^+ b.+2)) =
    4%:R * gamma * (1 + o) ^+ 2 * (1 + o) ^+ b by rewrite !exprS; ring.
rewrite ler_pmul2r ?exprn_gt0 // => /(ler_wpmul2r (sqr_ge0 (1 - p))).
by rewrite -[leRHS]mulrA -exprMn [_ * (1 - p)]mulrC qo1 expr1n mulr1.
Qed.

End Masses.
End Singles.
End Margins.

(* With gamma = e^epsilon: epsilon is at least ln (n (n-1)) / 2 + ln (1-p) -  *)
(* ln 2, whatever the swap rate p in (0, 1).                                  *)
Theorem three_categories (R : realFieldType) (M H S : finType) n
    (x0 : dataset M H S n) m h h1 h2 s s1 s2 (p gamma : R)
    (p01 : 0 <= p <= 1) :
  (4 <= n)%N -> 0 < p < 1 -> margins_n11 x0 m h h1 h2 s s1 s2 ->
  satisfies_in p01 x0 gamma ->
  (n * n.-1)%:R * (1 - p) ^+ 2 / 4%:R <= gamma ^+ 2.
Proof.
case: n x0 => [|[|b]] // x0 n_ge4 p_in mar sat.
case: (mar) => /= + + [_ oh1 oh2] [_ os1 os2].
rewrite !inE !andbT => /andP[_ neq_h] /andP[_ neq_s].
have [||||x [i [j [inv_x xi xj neq_ij]]]] := place_pair (x0 := x0) (m := m)
  neq_h neq_s; rewrite ?oh1 ?oh2 ?os1 ?os2 //.
have mar_x : margins_n11 x m h h1 h2 s s1 s2.
  by rewrite /margins_n11 -!(same_n_mh inv_x) -!(same_n_ms inv_x).
have xg := preserves_all (others_stratum mar_x neq_ij xi xj) (tperm i j).
have inv_x' := same_invariants_trans inv_x (same_invariants_apply xg).
have [+ _] := iffLR (mult_leP _ _ _) (sat _ _ inv_x inv_x') (table_ord x).
rewrite (hamming_exchange mar_x neq_ij xi xj) => le_gamma.
rewrite ler_pdivr_mulr ?ltr0n // [leRHS]mulrC.
exact: (exchange_bound mar_x neq_ij xi xj p_in n_ge4 (sqr_ge0 gamma) le_gamma).
Qed.

(* There is such a universe for every n >= 2, if there are three holding and  *)
(* three swapping categories.                                                 *)
Theorem three_categories_universe (M H S : finType) (m : M) n :
  (2 <= n)%N -> (3 <= #|H|)%N -> (3 <= #|S|)%N ->
  exists (x0 : dataset M H S n) h h1 h2 s s1 s2,
    margins_n11 x0 m h h1 h2 s s1 s2.
Proof.
case: n => [|[|b]] // _ /exists_inj[hs hs_inj] /exists_inj[ss ss_inj].
pose k0 : 'I_3 := @Ordinal 3 0 isT; pose k1 : 'I_3 := @Ordinal 3 1 isT.
pose k2 : 'I_3 := @Ordinal 3 2 isT; pose c := [:: k1, k2 & nseq b k0].
have size_c : size c = b.+2 by rewrite /= size_nseq.
have countE l : count_mem l c = ((k1 == l) + (k2 == l) + (k0 == l) * b)%N.
  by rewrite /= count_nseq addnA.
have : exists x0 : dataset M H S (size [seq (m, hs k, ss k) | k <- c]),
    margins_n11 x0 m (hs k0) (hs k1) (hs k2) (ss k0) (ss k1) (ss k2).
  exists (class_data m hs ss c).
  rewrite /margins_n11 !class_n_mh // !class_n_ms // !countE size_map size_c.
  by rewrite /= !inE !(inj_eq hs_inj) !(inj_eq ss_inj) !subSS subn0 mul1n.
rewrite size_map size_c => -[x0 mar].
by exists x0, (hs k0), (hs k1), (hs k2), (ss k0), (ss k1), (ss k2).
Qed.
