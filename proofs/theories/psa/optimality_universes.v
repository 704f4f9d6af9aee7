(******************************************************************************)
(* Universes in which the lower bounds of article, Appendix F, hold           *)
(*                                                                            *)
(*   class_data m hs ss c == the data set with one record (m, hs k, ss k) for *)
(*            every k in the list c: one stratum, in which the holding and    *)
(*            the swapping category determine each other                      *)
(*   pair_data m h h' s s' == the two records (m, h, s) and (m, h', s')       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   swap_rate0_universe == psa.no-swapping (existence)                       *)
(*   swap_rate1_universe == psa.full-swapping (existence)                     *)
(*   unit_margins_universe == psa.unit-margins (existence)                    *)
(*   unit_pair_universe == psa.unit-pair.exists                               *)
(*   two_records_universe == psa.two-records (existence)                      *)
(*   lower_bounds_universe == psa.optimality.lower-bounds (Theorem 3): (A),   *)
(*            (B) and (C) in one universe                                     *)
(*   trivial_universe_budget == psa.optimality.theorem: a universe with b =   *)
(*            0, where both budgets are zero                                  *)
(*   sharpened_attained == psa.exact.sharpened.attained: the same for any b   *)
(*            >= 4, with margins (k, k, 1, 1) or (k, k, 1, 1, 1), which       *)
(*            unit_pair_margin lists                                          *)
(*   lower_bound_every_size == psa.optimality.every-size, for any b >= 4: in  *)
(*            some universe with largest stratum b every budget g has d(b) <= *)
(*            g^2 o^2 d(b - 2), hence (b + 1) / o <= g (b + 1) / (b - 1)      *)
(*   lower_bound_distinct == with b categories or more there is one where     *)
(*            also o <= g, so that Theorem 1 gives the least budget where o^2 *)
(*            >= b + 1                                                        *)
(*   nearest_integer_refuted == derangements.nearest-integer.printed          *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify.
From Stirred Require Import compat law swapping hamming disjoint_swaps.
From Stirred Require Import derangement psa_law psa_privacy optimality.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Lemma leq_half a b : (2 * a <= b) = (a <= b./2).
Proof. lia. Qed.

Section ClassData.
Variables (M H S K : finType) (m : M) (hs : K -> H) (ss : K -> S).
Hypotheses (hs_inj : injective hs) (ss_inj : injective ss).
Implicit Types c : seq K.

Definition class_data c := dataset_of [seq (m, hs k, ss k) | k <- c].

Lemma class_dataP c i :
  exists2 k, k \in c & class_data c i = (m, hs k, ss k).
Proof.
rewrite ffunE; have /mapP[k ck kP] : tnth (in_tuple [seq (m, hs k, ss k)
  | k <- c]) i \in [seq (m, hs k, ss k) | k <- c] by apply: mem_tnth.
by exists k.
Qed.

Lemma class_n_m c : n_m (class_data c) m = size c.
Proof.
rewrite n_m_of count_map -(count_predT c).
by apply: eq_count => k /=; rewrite eqxx.
Qed.

Lemma class_n_mh c k : n_mh (class_data c) m (hs k) = count_mem k c.
Proof.
rewrite n_mh_of count_map.
by apply: eq_count => l /=; rewrite eqxx (inj_eq hs_inj).
Qed.

Lemma class_n_ms c k : n_ms (class_data c) m (ss k) = count_mem k c.
Proof.
rewrite n_ms_of count_map.
by apply: eq_count => l /=; rewrite eqxx (inj_eq ss_inj).
Qed.

Lemma class_n_mh_le c b h :
  (forall k, count_mem k c <= b) -> n_mh (class_data c) m h <= b.
Proof.
move=> le_b; have [k /eqP<-|none] := pickP (fun k => hs k == h).
  by rewrite class_n_mh.
rewrite n_mh_of count_map (eq_count (a2 := pred0)) ?count_pred0 // => k /=.
by rewrite none andbF.
Qed.

Lemma class_n_ms_le c b s :
  (forall k, count_mem k c <= b) -> n_ms (class_data c) m s <= b.
Proof.
move=> le_b; have [k /eqP<-|none] := pickP (fun k => ss k == s).
  by rewrite class_n_ms.
rewrite n_ms_of count_map (eq_count (a2 := pred0)) ?count_pred0 // => k /=.
by rewrite none andbF.
Qed.

Lemma class_stratum c i : i \in stratum (class_data c) m.
Proof. by rewrite inE; have [k _ ->] := class_dataP i. Qed.

Lemma class_determines c A : determines_on (class_data c) A.
Proof.
apply/forall_inP => i _; apply/forall_inP => j _; apply/implyP.
have [k _ ->] := class_dataP i; have [l _ ->] := class_dataP j.
by rewrite /swapping /holding /= => /eqP/ss_inj ->.
Qed.

Lemma class_unique c k : count_mem k c = 1 ->
  exists2 i, class_data c i = (m, hs k, ss k) & unique_in (class_data c) i.
Proof.
move=> one; have /n_mh_gt0P[i _ hi] : 0 < n_mh (class_data c) m (hs k).
  by rewrite class_n_mh one.
have xi : class_data c i = (m, hs k, ss k).
  have [l _ xi] := class_dataP i; rewrite xi in hi *.
  by rewrite (hs_inj hi).
by exists i => //; rewrite /unique_in xi class_n_mh class_n_ms one.
Qed.

Lemma class_largest c : 1 < size (undup c) ->
  largest_stratum (class_data c) = size c.
Proof.
move=> two; have n_mc := class_n_m c.
have mixed_m : mixed (class_data c) m.
  case def_c: (undup c) two => [|k [|l c']] // _.
  have := undup_uniq c; rewrite def_c /= inE negb_or.
  case/andP=> /andP[neq_kl _] _.
  apply: (@mixed_hs _ _ _ _ _ _ (hs k) (hs l)); rewrite ?(inj_eq hs_inj) //.
    by rewrite class_n_mh -has_count has_pred1 -mem_undup def_c inE eqxx.
  by rewrite class_n_mh -has_count has_pred1 -mem_undup def_c !inE eqxx orbT.
apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
  rewrite -n_mc /largest_stratum.
  exact: (@leq_bigmax_cond _ (mixed (class_data c)) (n_m (class_data c))).
apply/bigmax_leqP => m' _; rewrite -(size_map (fun k => (m, hs k, ss k)) c).
by rewrite n_mE (leq_trans (max_card _)) ?card_ord.
Qed.

End ClassData.

Section PairData.
Variables (M H S : finType) (m : M) (h h' : H) (s s' : S).
Hypotheses (neq_h : h != h') (neq_s : s != s').

Let hs b := if b then h else h'.
Let ss b := if b then s else s'.

Lemma hs_inj : injective hs.
Proof.
by move=> [] [] //= /eqP; rewrite 1?[h' == h]eq_sym (negPf neq_h).
Qed.

Lemma ss_inj : injective ss.
Proof.
by move=> [] [] //= /eqP; rewrite 1?[s' == s]eq_sym (negPf neq_s).
Qed.

Definition pair_data : dataset M H S 2 :=
  dataset_of [:: (m, h, s); (m, h', s')].

Lemma pair_n_m : n_m pair_data m = 2.
Proof. exact: (class_n_m m hs ss [:: true; false]). Qed.

Lemma pair_n_mh_le m' k : n_mh pair_data m' k <= 1.
Proof.
have [->|neq_m] := eqVneq m' m.
  by apply: (@class_n_mh_le _ _ _ _ m hs ss hs_inj [:: true; false]) => -[].
rewrite [n_mh _ _ _](n_mh_of [:: (m, h, s); (m, h', s')]) /= /matching /=.
by rewrite [m == _]eq_sym (negPf neq_m).
Qed.

Lemma pair_n_ms_le m' k : n_ms pair_data m' k <= 1.
Proof.
have [->|neq_m] := eqVneq m' m.
  by apply: (@class_n_ms_le _ _ _ _ m hs ss ss_inj [:: true; false]) => -[].
rewrite [n_ms _ _ _](n_ms_of [:: (m, h, s); (m, h', s')]) /= /matching /=.
by rewrite [m == _]eq_sym (negPf neq_m).
Qed.

Lemma pair_margins :
  [/\ n_mh pair_data m h = 1, n_mh pair_data m h' = 1,
      n_ms pair_data m s = 1 & n_ms pair_data m s' = 1].
Proof.
split.
- exact: (class_n_mh m ss hs_inj [:: true; false] true).
- exact: (class_n_mh m ss hs_inj [:: true; false] false).
- exact: (class_n_ms m hs ss_inj [:: true; false] true).
exact: (class_n_ms m hs ss_inj [:: true; false] false).
Qed.

Lemma pair_largest : largest_stratum pair_data = 2.
Proof. exact: (@class_largest _ _ _ _ m hs ss hs_inj [:: true; false]). Qed.

(* The existence halves of Propositions 7, 8 and 10.                          *)
Theorem swap_rate1_universe :
  exists h0 h0' s0 s0',
    [/\ h0 != h0', s0 != s0',
        n_mh pair_data m h0 = 1 /\ n_mh pair_data m h0' = 1
      & n_ms pair_data m s0 = 1 /\ n_ms pair_data m s0' = 1].
Proof. by exists h, h', s, s'; have [] := pair_margins. Qed.

Theorem unit_margins_universe :
  [/\ 2 <= n_m pair_data m, forall k, n_mh pair_data m k <= 1
    & forall k, n_ms pair_data m k <= 1].
Proof.
split=> [|k|k]; first by rewrite pair_n_m.
  exact: pair_n_mh_le.
exact: pair_n_ms_le.
Qed.

Theorem two_records_universe :
  largest_stratum pair_data = 2 /\ n_m pair_data m = 2 /\
  exists h1 h2 s1 s2,
    [/\ h1 != h2, s1 != s2,
        n_mh pair_data m h1 = 1 /\ n_mh pair_data m h2 = 1
      & n_ms pair_data m s1 = 1 /\ n_ms pair_data m s2 = 1].
Proof.
split; first exact: pair_largest.
split; first exact: pair_n_m.
by exists h, h', s, s'; have [] := pair_margins.
Qed.

(* The existence half of Proposition 6: the two records can be swapped.       *)
Theorem swap_rate0_universe :
  exists x x' : dataset M H S 2,
    [/\ same_invariants pair_data x, same_invariants pair_data x'
      & table x <> table x'].
Proof.
pose g : {perm 'I_2} := tperm ord0 ord_max.
have xg : preserves_strata pair_data g.
  have in_m l : matching (pair_data l) = m.
    have := @class_stratum _ _ _ _ m hs ss [:: true; false] l.
    by rewrite inE => /eqP.
  by apply/preserves_strataP => i; rewrite !in_m.
exists pair_data, (apply_perm g pair_data); split.
- exact: same_invariants_refl.
- exact: same_invariants_apply.
have [i xi ui] := @class_unique _ _ _ _ m hs ss hs_inj ss_inj [:: true; false]
  true erefl.
move=> eq_t; have := unique_fixed xg ui.
rewrite -eq_t => /(_ (table_gt0 _ _)).
rewrite /g; case: tpermP => [->|->|]; try by move/(congr1 val).
by case: (i) => [[|[|k]] lt_k2] // i0 i1 _; [case: i0 | case: i1];
  apply: val_inj.
Qed.

End PairData.

Lemma exists_inj (T : finType) b :
  b <= #|T| -> exists f : 'I_b -> T, injective f.
Proof.
move=> le_bT; exists (fun i => enum_val (widen_ord le_bT i)) => i j.
by move/enum_val_inj/(congr1 val) => /= eq_ij; apply: val_inj.
Qed.

(* The existence half of Proposition 9: six records, as printed.              *)
Theorem unit_pair_universe (M H S : finType) (m0 : M) :
  4 <= #|H| -> 4 <= #|S| ->
  exists n (x0 : dataset M H S n) (h1 h2 : H) (s1 s2 : S),
    [/\ bounded_18 x0 m0 /\ n_m x0 m0 = largest_stratum x0, h1 != h2, s1 != s2,
        n_mh x0 m0 h1 = 1 /\ n_mh x0 m0 h2 = 1
      & n_ms x0 m0 s1 = 1 /\ n_ms x0 m0 s2 = 1].
Proof.
move=> /exists_inj[hs hs_inj] /exists_inj[ss ss_inj].
pose k0 : 'I_4 := @Ordinal 4 0 isT; pose k1 : 'I_4 := @Ordinal 4 1 isT.
pose k2 : 'I_4 := @Ordinal 4 2 isT; pose k3 : 'I_4 := @Ordinal 4 3 isT.
pose c := [:: k0; k1; k2; k2; k3; k3].
have le2 k : count_mem k c <= 2 by case: k => [[|[|[|[|]]]]].
exists _, (class_data m0 hs ss c), (hs k0), (hs k1), (ss k0), (ss k1).
rewrite (inj_eq hs_inj) (inj_eq ss_inj) class_n_m class_largest //.
rewrite !class_n_mh // !class_n_ms //; split=> //; split=> //.
rewrite /bounded_18 class_n_m -[size c]/6.
apply/andP; split; apply/forallP => k.
  by rewrite (leq_mul2l 2 _ 3) ltnS class_n_mh_le.
by rewrite (leq_mul2l 2 _ 3) ltnS class_n_ms_le.
Qed.

Local Open Scope ring_scope.

Section Bounds.
Variables (R : realFieldType) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Local Notation o := (p / (1 - p)).

(* Theorem 3: all three bounds, in one universe with b = 2.                   *)
Theorem lower_bounds_universe (M H S : finType) (m : M) (h h' : H) (s s' : S) :
  h != h' -> s != s' ->
  exists n (x0 : dataset M H S n), let b := largest_stratum x0 in
    [/\ b = 2%N,
        p = 0 \/ p = 1 -> forall gamma, ~ satisfies_in p01 x0 gamma
      & 0 < p < 1 -> forall gamma, 1 <= gamma -> satisfies_in p01 x0 gamma ->
        o <= gamma /\
        (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R].
Proof.
move=> neq_h neq_s; exists 2%N, (pair_data m h h' s s').
have [oh1 oh2 os1 os2] := pair_margins m neq_h neq_s.
have n_m2 := pair_n_m m h h' s s'.
rewrite /= pair_largest //; split=> // [[p0|p1]|p_in] gamma.
- have [x [x' [inv_x inv_x' neq_t]]] := swap_rate0_universe m neq_h neq_s.
  exact: swap_rate0_no_budget p0 inv_x inv_x' neq_t.
- exact: swap_rate1_no_budget p1 neq_h neq_s oh1 oh2 os1 os2.
move=> gamma1 sat; split; last first.
  exact: two_records_bound p_in n_m2 neq_h neq_s oh1 oh2 os1 os2 gamma1 sat.
apply: (unit_margins_bound (m0 := m)) gamma1 sat; rewrite ?n_m2 // => k.
  exact: pair_n_mh_le.
exact: pair_n_ms_le.
Qed.

(* The bound of Proposition 9 in terms of b and the odds alone.               *)
Lemma odds_bound b gamma : 0 < p < 1 -> 1 <= gamma -> (3 < b)%N ->
  (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R ->
  b.+1%:R / o <= gamma * (b.+1%:R / b.-1%:R).
Proof.
case/andP=> p_gt0 p_lt1 gamma1; case: b => [|[|c]] //= c_gt1.
rewrite !subSS subn0 => bound.
have o_gt0 : 0 < o by rewrite divr_gt0 // subr_gt0.
have gamma_gt0 : 0 < gamma := lt_le_trans ltr01 gamma1.
have c1 : c != 1%N by case: c c_gt1 {bound} => [|[]].
have dc_gt0 : 0 < (der c)%:R :> R by rewrite ltr0n der_gt0.
have le_c : c.+1%:R <= gamma * o.
  have go_ge0 : 0 <= gamma * o by rewrite mulr_ge0 ?ltW.
  rewrite -ler_sqr ?nnegrE ?ler0n //.
  rewrite -(ler_pmul2r dc_gt0) exprMn; apply: le_trans bound.
  by rewrite -natrX -natrM ler_nat der_ratio2_ge.
rewrite [gamma * _]mulrCA; apply: ler_wpmul2l; first exact: ler0n.
by rewrite ler_pdivl_mulr ?ltr0n // mulrC ler_pdivr_mulr.
Qed.

(* Theorem 1's budget is o or (b + 1) / o, whichever is larger.               *)
Lemma budget_cases b g1 : (0 < b)%N -> 0 < p < 1 -> psa_budget b p = Some g1 ->
  (b.+1%:R <= o ^+ 2 /\ g1 = o) \/ (o ^+ 2 <= b.+1%:R /\ g1 = b.+1%:R / o).
Proof.
move=> b_gt0 p_in; rewrite psa_budget_max // => -[<-].
case/andP: p_in => p_gt0 p_lt1; have o_gt0 : 0 < o by apply: odds_gt0.
rewrite maxEle ler_pdivl_mulr // -expr2; case: ifP => [le_o|/negbT lt_o].
  by right.
by left; rewrite ltW // ltNge.
Qed.

End Bounds.

Section Classes.
Variables (M H S K : finType) (m : M) (hs : K -> H) (ss : K -> S).
Hypotheses (hs_inj : injective hs) (ss_inj : injective ss).

Lemma class_lower_bound (c : seq K) k1 k2 (R : realFieldType) (p : R)
    (p01 : 0 <= p <= 1) gamma :
  k1 != k2 -> count_mem k1 c = 1%N -> count_mem k2 c = 1%N ->
  (forall k, 2 * count_mem k c <= size c - 2)%N ->
  0 < p < 1 -> 1 <= gamma -> satisfies_in p01 (class_data m hs ss c) gamma ->
  (der (size c))%:R <=
    gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (size c - 2))%:R.
Proof.
move=> neq_k one1 one2 half p_in gamma1 sat.
have [i xi ui] := class_unique m hs_inj ss_inj one1.
have [j xj uj] := class_unique m hs_inj ss_inj one2.
have neq_ij : i != j.
  apply: contra_neq neq_k => eq_ij; apply: hs_inj.
  by move: xi; rewrite eq_ij xj => -[].
have := block_lower_bound p_in gamma1 sat (same_invariants_refl _)
  (class_stratum i) (class_stratum j) neq_ij ui uj
  (class_determines ss_inj _).
rewrite class_n_m; apply=> // h.
rewrite leq_half; apply: leq_trans (card_holding_le _ (subsetDl _ _)) _.
by apply: class_n_mh_le => // k; rewrite -leq_half.
Qed.

End Classes.

(* Margins (k, k, 1, 1) or (k, k, 1, 1, 1) on both sides, with b >= 4 records *)
(* in all: the bound of Proposition 9.                                        *)
Definition unit_pair_margin b : nat -> nat :=
  nth 1%N [:: 1; 1; b./2.-1; b./2.-1]%N.

Theorem sharpened_attained (M H S : finType) (m : M) b :
  (4 <= b)%N -> (4 + odd b <= #|H|)%N -> (4 + odd b <= #|S|)%N ->
  exists n (x0 : dataset M H S n) (hs : 'I_(4 + odd b) -> H)
    (ss : 'I_(4 + odd b) -> S),
    [/\ n = b /\ largest_stratum x0 = b, injective hs /\ injective ss,
        forall k, n_mh x0 m (hs k) = unit_pair_margin b k /\
          n_ms x0 m (ss k) = unit_pair_margin b k
      & forall (R : realFieldType) (p : R) (p01 : 0 <= p <= 1) gamma,
          0 < p < 1 -> 1 <= gamma -> satisfies_in p01 x0 gamma ->
          (der b)%:R <= gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (b - 2))%:R].
Proof.
rewrite /unit_pair_margin => b_gt3; have [k [k_gt0 kE bE]] : exists k,
    [/\ (0 < k)%N, k = b./2.-1 & b = (k.*2.+2 + odd b)%N].
  by exists b./2.-1; have := odd_double_half b; split; lia.
rewrite -kE; move: (odd b) bE => r bE.
move=> /exists_inj[hs hs_inj] /exists_inj[ss ss_inj].
pose k0 : 'I_(4 + r) := @Ordinal (4 + r) 0 isT.
pose k1 : 'I_(4 + r) := @Ordinal (4 + r) 1 isT.
pose k2 : 'I_(4 + r) := @Ordinal (4 + r) 2 isT.
pose k3 : 'I_(4 + r) := @Ordinal (4 + r) 3 isT.
pose k4 : 'I_(4 + r) := @ord_max (3 + r).
pose c := [:: k0, k1 & nseq k k2 ++ nseq k k3 ++ nseq r k4].
have size_c : size c = b by rewrite bE /= !size_cat !size_nseq; lia.
have countE l : count_mem l c =
    ((k0 == l) + (k1 == l) + (k2 == l) * k + (k3 == l) * k + (k4 == l) * r)%N.
  by rewrite /= !count_cat !count_nseq /= !addnA.
have half l : (2 * count_mem l c <= size c - 2)%N.
  rewrite countE size_c bE -!val_eqE /=; case: l => l /= _.
  by case: (r); move: l => [|[|[|[|[|l]]]]] /=; lia.
have one0 : count_mem k0 c = 1%N by rewrite countE -!val_eqE /=; case: (r).
have one1 : count_mem k1 c = 1%N by rewrite countE -!val_eqE /=; case: (r).
have margin l : count_mem l c = nth 1%N [:: 1; 1; k; k]%N l.
  rewrite countE -!val_eqE /=; case: l => l /=.
  by case: (r); move: l => [|[|[|[|[|l]]]]] //= _; lia.
exists _, (class_data m hs ss c), hs, ss; split=> // [|l|R p p01 gamma].
- split; first by rewrite size_map.
  rewrite class_largest //; apply: (@uniq_leq_size _ [:: k0; k1]) => // l.
  rewrite mem_undup !inE => /orP[]/eqP->.
    by rewrite eqxx.
  by rewrite eqxx orbT.
- by rewrite class_n_mh // class_n_ms // margin.
move=> p_in gamma1 sat; rewrite -size_c.
have := @class_lower_bound _ _ _ _ m hs ss hs_inj ss_inj c
  k0 k1 R p p01 gamma; exact.
Qed.

(* Theorem 4, repaired: any b >= 4. Four categories of either kind suffice    *)
(* if b is even, five if b is odd. Where Theorem 1 gives (b + 1) / o, it      *)
(* exceeds the least budget by at most ln ((b + 1) / (b - 1)).                *)
Theorem lower_bound_every_size (M H S : finType) (m : M) b :
  (4 <= b)%N -> (4 + odd b <= #|H|)%N -> (4 + odd b <= #|S|)%N ->
  exists n (x0 : dataset M H S n), largest_stratum x0 = b /\
    forall (R : realFieldType) (p : R) (p01 : 0 <= p <= 1) gamma,
    let o := p / (1 - p) in
    0 < p < 1 -> 1 <= gamma -> satisfies_in p01 x0 gamma ->
    (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R /\
    forall g1, psa_budget b p = Some g1 -> o ^+ 2 < b.+1%:R ->
      g1 <= gamma * (b.+1%:R / b.-1%:R).
Proof.
move=> b_gt3 le_H le_S; have [n [x0 [_ [_ [[_ size_b] _ _ bounds]]]]] :=
  sharpened_attained m b_gt3 le_H le_S.
exists n, x0; split=> // R p p01 gamma o p_in gamma1 sat.
have bound := bounds R p p01 gamma p_in gamma1 sat.
split=> // g1 g1E o_lt; have b_gt0 : (0 < b)%N by apply: leq_trans b_gt3.
have [[le_o _]|[_ ->]] := budget_cases b_gt0 p_in g1E.
  by have := le_lt_trans le_o o_lt; rewrite ltxx.
exact: odds_bound bound.
Qed.

(* Theorem 4, repaired: with b categories or more, b >= 4, there is a         *)
(* universe in which, moreover, Theorem 1 gives the least budget where it     *)
(* gives o.                                                                   *)
Theorem lower_bound_distinct (M H S : finType) (m : M) b :
  (4 <= b)%N -> (b <= #|H|)%N -> (b <= #|S|)%N ->
  exists n (x0 : dataset M H S n), largest_stratum x0 = b /\
    forall (R : realFieldType) (p : R) (p01 : 0 <= p <= 1) g1 gamma,
    let o := p / (1 - p) in
    0 < p < 1 -> 1 <= gamma -> satisfies_in p01 x0 gamma ->
    psa_budget b p = Some g1 ->
    [/\ (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R, o <= gamma
      & g1 <= if o ^+ 2 < b.+1%:R then gamma * (b.+1%:R / b.-1%:R) else gamma].
Proof.
move=> b_gt3 /exists_inj[hs hs_inj] /exists_inj[ss ss_inj].
pose c := enum 'I_b; have size_c : size c = b by rewrite size_enum_ord.
have countE l : count_mem l c = 1%N.
  by rewrite count_uniq_mem ?enum_uniq ?mem_enum.
exists _, (class_data m hs ss c); split.
  by rewrite class_largest // undup_id ?enum_uniq // size_c; lia.
move=> R p p01 g1 gamma o p_in gamma1 sat g1E; have b0 : (0 < b)%N by lia.
have bound : (der b)%:R <=
    gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (b - 2))%:R.
  have b1 : (1 < b)%N by lia.
  rewrite -[in X in _ <= X]size_c -[in X in X <= _]size_c.
  have := @class_lower_bound _ _ _ _ m hs ss hs_inj ss_inj c
    (Ordinal b0) (Ordinal b1) R p p01 gamma; apply; rewrite ?countE //.
  by move=> l; rewrite countE size_c; lia.
have le_o : o <= gamma.
  apply: (unit_margins_bound (m0 := m)) gamma1 sat => // [|k|k].
  - by rewrite class_n_m size_c; lia.
  - by apply: class_n_mh_le => // l; rewrite countE.
  by apply: class_n_ms_le => // l; rewrite countE.
split=> //; case: ltP => [o_lt|o_ge].
  have [[o_ge _]|[_ ->]] := budget_cases b0 p_in g1E.
    by have := le_lt_trans o_ge o_lt; rewrite ltxx.
  exact: odds_bound bound.
have [[_ ->] //|[o_le ->]] := budget_cases b0 p_in g1E.
have o_gt0 : 0 < o by case/andP: p_in => ? ?; apply: odds_gt0.
by rewrite ler_pdivr_mulr // (le_trans o_ge) // expr2 ler_wpmul2r // ltW.
Qed.

(* The identity d(k) = floor(k!/e + 1/2) of its proof fails at k = 0, where   *)
(* the right-hand side is 0: any number e > 2 has 0!/e + 1/2 < 1 = d(0).      *)
Example nearest_integer_refuted (R : realFieldType) (e : R) :
  2%:R < e -> (0`!)%:R / e + 2%:R^-1 < (der 0)%:R.
Proof.
move=> e_gt2; have two_gt0 : 0 < 2%:R :> R by rewrite ltr0n.
have e_gt0 : 0 < e := lt_trans two_gt0 e_gt2.
have half2 : 2%:R^-1 + 2%:R^-1 = 1 :> R.
  by rewrite [RHS]splitr !mul1r.
rewrite der0 fact0 [1%:R]mulr1n div1r -[X in _ < X]half2 ltr_add2r.
by rewrite ltf_pinv.
Qed.

(* Theorem 4 as printed asks for the existence of one universe. One with a    *)
(* single record has b = 0, and both budgets are zero.                        *)
Theorem trivial_universe_budget (R : realFieldType) (M H S : finType)
    (r : M * H * S) (p : R) (p01 : 0 <= p <= 1) :
  exists x0 : dataset M H S 1, largest_stratum x0 = 0%N /\
    satisfies_in p01 x0 1.
Proof.
exists [ffun=> r]; split.
  apply: big_pred0 => m; apply/negbTE/negP.
  by move=> /exists_inP[i _ /exists_inP[j _]]; rewrite !ffunE eqxx.
move=> x x' inv_x inv_x'.
have [rho _] := iffLR (universe_swaps x x')
  (same_invariants_trans (etrans (same_invariants_sym _ _) inv_x) inv_x').
have -> : rho = 1%g by apply/permP => i; rewrite !ord1.
rewrite apply_perm1 => eq_t.
have [g ->] := iffLR (eq_table_reordering x x') eq_t.
have -> : reorder g x = x by apply/ffunP => i; rewrite ffunE !ord1.
by apply/mult_leP => t; rewrite expr1n !mul1r.
Qed.
