(******************************************************************************)
(* Permutation swapping satisfies pure differential privacy                   *)
(* (article, Theorem 1 and Appendix E)                                        *)
(*                                                                            *)
(* Definitions                                                                *)
(*   psa_budget b p == the budget (7) as gamma = e^eps, None for infinity;    *)
(*            the printed threshold on p is o^2 <= b + 1 for the odds o = p / *)
(*            (1 - p)                                                         *)
(*   printed_budget b p == the same, with the square roots of (7)             *)
(*   budget_le a c == the order of such budgets, with None on top             *)
(*   swap_rate o == the swap rate with odds o                                 *)
(*   mass_le p gamma b == a jump between permutations of one stratum of at    *)
(*            most b records that delta records separate costs at most gamma  *)
(*            ^+ delta                                                        *)
(*   jump_le b gamma o == the same without denominators                       *)
(*   bounded_data, hamming_or_oo, psa_bounded == the domain of all data sets  *)
(*            with at most N records, d_HamS and the PSA on it                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_pure_dp_printed == psa.budget.theorem: Theorem 1 with (7) as         *)
(*            printed, over a field with square roots                         *)
(*   psa_pure_dp, psa_pure_dp_sizes == psa.budget.theorem over every field,   *)
(*            for data sets of n records and of all sizes up to N             *)
(*   psa_privacy == the inequality for one pair of data sets                  *)
(*   psa_no_mixed_stratum == the branch b = 0: one law                        *)
(*   psa_budget_printed, psa_budget_threshold == the threshold of (7)         *)
(*   psa_budget_meet == the two branches agree where they overlap             *)
(*   psa_budget_max == (17)                                                   *)
(*   psa_eq_table == psa.reordering (Lemma 4)                                 *)
(*   moved_change == psa.sketch.moved-records (9)                             *)
(*   psa_budget_mono == psa.budget.monotone                                   *)
(*   psa_budget_min == psa.budget.minimum                                     *)
(*   psa_budget_two_rates == psa.budget.two-rates, for b > 0                  *)
(*   psa_budget_two_rates_refuted == it fails for b = 0                       *)
(*   psa_support == for 0 < p < 1 the PSA reaches exactly its universe        *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm action ssralg ssrnum
  ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* How far a permutation rho can change the number of moved records           *)
Section Moves.

Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g h rho : {perm 'I_n}) (m : M).

Lemma moved_inV x rho m : moved_in x rho^-1 m = moved_in x rho m.
Proof.
apply: eq_card => i; rewrite !inE; congr (~~ _ && _).
by rewrite -(inj_eq (@perm_inj _ rho)) permKV eq_sym.
Qed.

Lemma moved_inM x g rho m :
  (moved_in x (g * rho) m <= moved_in x g m + moved_in x rho m)%N.
Proof.
apply: leq_trans (leq_card_setU _ _); apply: subset_leq_card.
apply/subsetP=> i; rewrite !inE permM => /andP[gi ->]; rewrite !andbT.
by have [gi1 | //] := eqVneq (g i) i; rewrite gi1 in gi.
Qed.

Lemma moved_in_restr x g m : preserves_strata x g ->
  moved_in x g m = moved (restr_perm (stratum x m) g).
Proof.
move=> xg; apply: eq_card => i; rewrite !inE restr_stratum // inE.
by case: (_ == m); rewrite ?andbT ?andbF ?eqxx.
Qed.

Lemma moved_in_neq1 x g m : preserves_strata x g -> moved_in x g m != 1%N.
Proof. by move=> xg; rewrite moved_in_restr // moved_neq1. Qed.

Lemma moved_in_le x g m : (moved_in x g m <= #|stratum x m|)%N.
Proof. by apply: subset_leq_card; apply: subsetIr. Qed.

Lemma moved_in_apply x g rho m :
  moved_in (apply_perm rho x) g m = moved_in x g m.
Proof. by rewrite /moved_in stratum_apply. Qed.

Lemma mixed_gt1 x m : mixed x m -> (1 < #|stratum x m|)%N.
Proof.
case/exists_inP=> i im /exists_inP[j jm xij]; apply/card_gt1P; exists i, j.
by split=> //; apply: contraNneq xij => ->.
Qed.

(* The case b = 1 is not possible.                                            *)
Lemma largest_stratum_le1 x :
  (largest_stratum x <= 1)%N -> largest_stratum x = 0%N.
Proof.
move=> le1; apply: big_pred0 => m; apply: contraTF le1 => mx; rewrite -ltnNge.
apply: leq_trans (mixed_gt1 mx) _; rewrite -n_mE /largest_stratum.
exact: (@leq_bigmax_cond _ (mixed x) (n_m x)).
Qed.

(* A shortest permutation from x to x' moves nothing where all records are    *)
(* equal.                                                                     *)
Lemma shortest_moves_mixed x rho m : preserves_strata x rho ->
  moved rho = hamming x (apply_perm rho x) -> ~~ mixed x m ->
  moved_in x rho m = 0%N.
Proof.
move=> /preserves_strataP xrho rhoE; apply: contraNeq; rewrite -lt0n.
case/card_gt0P=> i; rewrite !inE => /andP[rhoi im].
have diffE : differing x (apply_perm rho x) = moved_set rho.
  apply/eqP; rewrite eqEcard -[#|moved_set _|]/(moved rho) rhoE.
  rewrite hamming_le_differing andbT; apply/subsetP=> j; rewrite !inE.
  by apply: contra_neq => rhoj; rewrite ffunE rhoj recordK.
have : i \in differing x (apply_perm rho x) by rewrite diffE inE.
rewrite inE => xi; apply/exists_inP; exists i; rewrite ?inE //.
apply/exists_inP; exists (rho i); rewrite ?inE ?xrho //.
by apply: contraNneq xi => xi; rewrite ffunE -xi recordK.
Qed.

End Moves.

(* Lemma 4: the law depends on the table of the data set only.                *)
Section SameTable.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Implicit Types (x : dataset M H S n) (g rho : {perm 'I_n}) (m : M).

Lemma psa_perm_apply x rho g :
  psa_perm p p01 (apply_perm rho x) g = psa_perm p p01 x g.
Proof.
rewrite !psa_permE preserves_strata_apply; case: ifP => // _.
by apply: eq_bigr => m _; rewrite stratum_apply moved_in_apply.
Qed.

Lemma psa_perm_reorder x (pi : {perm 'I_n}) g :
  psa_perm p p01 (reorder pi x) g = psa_perm p p01 x (pi^-1 * g * pi)%g.
Proof.
rewrite !psa_permE preserves_strata_reorder; case: ifP => // _.
apply: eq_bigr => m _; congr move_mass.
  rewrite -(card_preimset (stratum x m) (@perm_inj _ pi)).
  by apply: eq_card => i; rewrite !inE ffunE.
rewrite /moved_in -[RHS](card_preimset _ (@perm_inj _ pi)).
by apply: eq_card => i; rewrite !inE ffunE !permM permK (inj_eq perm_inj).
Qed.

Theorem psa_eq_table x x' :
  table x = table x' -> psa p p01 x = psa p p01 x'.
Proof.
case/eq_table_reordering=> pi ->; apply: eq_law => t; rewrite !psaE.
have conj_inj : injective (fun g => pi^-1 * g * pi)%g.
  by move=> g h /mulIg/mulgI.
rewrite (reindex_inj conj_inj) /=; apply: eq_big => g; last first.
  by move=> _; apply/esym/psa_perm_reorder.
rewrite apply_perm_reorder -[t]/t; congr (_ == t); apply/eqP.
by rewrite eq_table_ord table_reorder.
Qed.

(* The probability of a table as a sum over one set of permutations.          *)
Lemma psa_applyE x rho t :
  psa p p01 (apply_perm rho x) t =
  \sum_(g : {perm 'I_n} | table_ord (apply_perm g x) == t)
     psa_perm p p01 x (g * rho^-1)%g.
Proof.
rewrite psaE (reindex_inj (mulIg rho^-1%g)) /=; apply: eq_big => g.
  by rewrite apply_permM mulgKV.
by rewrite psa_perm_apply.
Qed.

End SameTable.

(* From a bound on the masses to a bound on the tables                        *)
Lemma move_mass_ge0 (R : realFieldType) (p : R) n k :
  0 <= p <= 1 -> 0 <= move_mass p n k.
Proof.
move=> p01; rewrite /move_mass; case: leqP => [_|n_gt1]; first exact: ler01.
have := @one_selected_lt1 _ _ _ p01 [set: 'I_n].
rewrite cardsT card_ord => /(_ n_gt1)/ltW c_ge0.
case/andP: p01 => p_ge0 p_le1.
have q_ge0 : 0 <= 1 - p by rewrite subr_ge0.
by apply: divr_ge0; apply: mulr_ge0; rewrite ?exprn_ge0 ?ler0n.
Qed.

Section Reduction.

Variables (R : realFieldType) (p gamma : R) (b : nat).
Hypotheses (p01 : 0 <= p <= 1) (gamma_ge0 : 0 <= gamma).

(* In a stratum of at most b records, moving k or k' records where delta      *)
(* records separate the two permutations.                                     *)
Definition mass_le : Prop :=
  forall n k k' delta, (1 < n <= b)%N -> (k <= n)%N -> (k' <= n)%N ->
    k != 1%N -> k' != 1%N -> delta != 1%N ->
    (k <= k' + delta)%N -> (k' <= k + delta)%N ->
  move_mass p n k <= gamma ^+ delta * move_mass p n k'.

Hypothesis le_mass : mass_le.

Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g rho : {perm 'I_n}) (m : M).

Lemma psa_perm_le x g rho :
    (largest_stratum x <= b)%N -> preserves_strata x rho ->
    (forall m, ~~ mixed x m -> moved_in x rho m = 0%N) ->
  psa_perm p p01 x g <= gamma ^+ moved rho * psa_perm p p01 x (g * rho)%g.
Proof.
move=> leb xrho rho0; rewrite !psa_permE.
have -> : preserves_strata x (g * rho)%g = preserves_strata x g.
  apply/idP/idP => xg; last exact: preserves_strataM.
  by rewrite -(mulgK rho g) preserves_strataM ?preserves_strataV.
case: ifP => xg; last by rewrite mulr0.
rewrite (moved_sum x) expr_sum -big_split; apply: ler_prod => m _.
rewrite move_mass_ge0 //=; have [m_mixed | m_pure] := boolP (mixed x m).
  apply: le_mass; rewrite ?moved_in_le ?moved_in_neq1 ?preserves_strataM //.
  - rewrite -n_mE (leq_trans _ leb) ?leq_bigmax_cond // andbT n_mE.
    exact: mixed_gt1.
  - rewrite -[in X in (X <= _)%N](mulgK rho g) -(moved_inV x rho).
    exact: moved_inM.
  exact: moved_inM.
rewrite rho0 // expr0 mul1r (_ : moved_in x (g * rho)%g m = moved_in x g m) //.
have := moved_inM x (g * rho)%g rho^-1%g m; have := moved_inM x g rho m.
rewrite mulgK moved_inV rho0 // !addn0 => le1 le2.
by apply/eqP; rewrite eqn_leq le1.
Qed.

Lemma psa_mult_le x x' : (largest_stratum x <= b)%N ->
  same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
move=> leb /swap_path[rho [xrho rhoE tab]].
have rhoE' : moved rho = hamming x (apply_perm rho x).
  by rewrite rhoE; apply: hamming_table.
rewrite -(psa_eq_table p01 tab) -rhoE; apply/mult_leP => t.
have rho0 m := shortest_moves_mixed xrho rhoE' (m := m).
rewrite psa_applyE psaE !mulr_sumr; split; apply: ler_sum => g _.
  rewrite -(movedV rho); apply: psa_perm_le; rewrite ?preserves_strataV //.
  by move=> m /rho0; rewrite moved_inV.
by rewrite -{2}(mulgKV rho g); apply: psa_perm_le.
Qed.

End Reduction.

(* Bounding the ratio of two masses, equation (14)                            *)
Section Jumps.

Variables (R : realFieldType) (b : nat) (p gamma : R).
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).

Let o := p / (1 - p).
Let q_gt0 : 0 < 1 - p. Proof. by rewrite subr_gt0. Qed.
Let o_gt0 : 0 < o. Proof. by rewrite divr_gt0. Qed.
Let p01 : 0 <= p <= 1. Proof. by rewrite !ltW. Qed.

Lemma odds_gt0 : 0 < p / (1 - p). Proof. exact: o_gt0. Qed.

(* o^(k - k') d(k') / d(k) <= gamma^delta, without the divisions.             *)
Definition jump_le (odds : R) : Prop :=
  forall k k' delta, (k <= b)%N -> (k' <= b)%N ->
    k != 1%N -> k' != 1%N -> delta != 1%N ->
    (k <= k' + delta)%N -> (k' <= k + delta)%N ->
  (der k')%:R * odds ^+ k <= gamma ^+ delta * ((der k)%:R * odds ^+ k').

Lemma move_mass_odds n k : (1 < n)%N -> (k <= n)%N ->
  move_mass p n k =
  (1 - p) ^+ n / (1 - n%:R * p * (1 - p) ^+ n.-1) * (o ^+ k / (der k)%:R).
Proof.
move=> n_gt1 lekn; rewrite /move_mass leqNgt n_gt1 /= /o expr_div_n.
have -> : (1 - p) ^+ n = (1 - p) ^+ (n - k) * (1 - p) ^+ k.
  by rewrite -exprD subnK.
have: (1 - p) ^+ k != 0 by rewrite expf_neq0 // gt_eqF.
rewrite invfM; move: ((1 - p) ^+ k) ((1 - p) ^+ (n - k)) => v u v_neq0.
by move: (1 - n%:R * _ * _)^-1 (der k)%:R^-1 (p ^+ k) => ci Di a; field.
Qed.

Lemma jump_mass_le : jump_le o -> mass_le p gamma b.
Proof.
move=> le_jump n k k' delta /andP[n_gt1 lenb] lekn lek'n k1 k'1 d1 lek lek'.
rewrite !move_mass_odds // [X in _ <= X]mulrCA; apply: ler_wpmul2l.
  apply: divr_ge0; first by rewrite exprn_ge0 // ltW.
  have := @one_selected_lt1 _ _ _ p01 [set: 'I_n].
  by rewrite cardsT card_ord => /(_ n_gt1)/ltW.
rewrite ler_pdivr_mulr ?ltr0n ?der_gt0 //.
rewrite [leRHS](_ : _ = gamma ^+ delta * ((der k)%:R * o ^+ k') / (der k')%:R).
  rewrite ler_pdivl_mulr ?ltr0n ?der_gt0 // mulrC.
  by apply: le_jump; rewrite ?(leq_trans _ lenb).
by rewrite -!mulrA; congr (_ * _); rewrite mulrA mulrC.
Qed.

(* The proof of Theorem 1: both branches of (7) satisfy these two bounds.     *)
Lemma budget_jump_le : o <= gamma -> b.+1%:R <= gamma * o -> jump_le o.
Proof.
move=> le_o le_b k k' delta lekb lek'b k1 k'1 d1 lek lek'.
have g_gt0 : 0 < gamma := lt_le_trans o_gt0 le_o.
have [o0 g0] := (ltW o_gt0, ltW g_gt0).
have g_ge1 : 1 <= gamma.
  have go_ge1 : 1 <= gamma * o by apply: le_trans le_b; rewrite ler1n.
  have: 1 <= gamma ^+ 2.
    by rewrite expr2 (le_trans go_ge1) // ler_wpmul2l // ltW.
  by rewrite -[X in X <= _ -> _](expr1n _ 2) ler_pexpn2r ?nnegrE ?ler01 // ltW.
have o_ge0 i : 0 <= o ^+ i by rewrite exprn_ge0 // ltW.
have g_le i j : (i <= j)%N -> gamma ^+ i <= gamma ^+ j.
  by move=> leij; rewrite ler_weexpn2l.
have [lekk' | ltk'k] := leqP k k'; last first.
  rewrite (_ : _ * o ^+ k = o ^+ (k - k') * ((der k')%:R * o ^+ k'));
    last first.
    by rewrite mulrCA -exprD subnK // ltnW.
  apply: ler_pmul; rewrite ?mulr_ge0 ?ler0n //; last first.
    by rewrite ler_wpmul2r // ler_nat leq_der // ltnW.
  apply: (@le_trans _ _ (gamma ^+ (k - k'))); last by rewrite g_le // leq_subLR.
  by apply: ler_expn2r; rewrite ?nnegrE.
have le6 : (der k' <= b.+1 ^ (k' - k) * der k)%N.
  have := @der_ratio k' (k' - k) (leq_subr _ _); rewrite subKn // => le6.
  apply: leq_trans (le6 _) _.
    apply: contraNneq k1 => k'E; rewrite -(eqn_add2l (k' - k)) subnK //.
    by rewrite addn1 k'E.
  rewrite leq_mul2r; apply/orP; right.
  by case: (k' - k)%N => [|i]; rewrite ?expn0 // leq_exp2r.
apply: (@le_trans _ _ (b.+1%:R ^+ (k' - k) * (der k)%:R * o ^+ k)).
  by rewrite ler_wpmul2r // -natrX -natrM ler_nat.
rewrite -[in X in _ <= X](subnKC lekk') exprD.
rewrite [leRHS](_ : _ = gamma ^+ delta * o ^+ (k' - k) * (der k)%:R * o ^+ k).
  apply: ler_wpmul2r => //; apply: ler_wpmul2r; first exact: ler0n.
  apply: (@le_trans _ _ ((gamma * o) ^+ (k' - k))).
    by apply: ler_expn2r; rewrite ?nnegrE ?ler0n // mulr_ge0.
  by rewrite exprMn ler_wpmul2r // g_le // leq_subLR.
by rewrite -!mulrA; congr (_ * _); rewrite mulrA mulrC.
Qed.

End Jumps.

(* The budget of Theorem 1                                                    *)
Section Budget.

Variable R : realFieldType.
Implicit Types (b : nat) (p o gamma r : R).

Definition psa_budget b p : option R :=
  let o := p / (1 - p) in
  if b == 0%N then Some 1
  else if (p == 0) || (p == 1) then None
  else if o ^+ 2 <= b.+1%:R then Some (b.+1%:R / o)
  else Some o.

Lemma psa_budget_jump b p gamma : (0 < b)%N -> 0 <= p <= 1 ->
  psa_budget b p = Some gamma ->
  [/\ 0 < p, p < 1, p / (1 - p) <= gamma & b.+1%:R <= gamma * (p / (1 - p))].
Proof.
rewrite /psa_budget lt0n => /negbTE-> /andP[p_ge0 p_le1].
have [->|p_neq0] //= := eqVneq p 0; have [->|p_neq1] //= := eqVneq p 1.
have p_gt0 : 0 < p by rewrite lt_def p_neq0.
have p_lt1 : p < 1 by rewrite lt_neqAle p_neq1.
have o_gt0 := odds_gt0 p_gt0 p_lt1; set o := p / (1 - p) in o_gt0 *.
case: (leP (o ^+ 2)) => [le_o | lt_o] [<-]; split=> //.
- by rewrite ler_pdivl_mulr // -expr2.
- by rewrite divfK // gt_eqF.
by rewrite -expr2 ltW.
Qed.

(* (b+1)/o and o agree where o^2 = b + 1, so that both printed branches,      *)
(* which overlap there, give one budget.                                      *)
Theorem psa_budget_meet b p : (0 < b)%N -> 0 < p < 1 ->
  let o := p / (1 - p) in o ^+ 2 = b.+1%:R -> b.+1%:R / o = o.
Proof.
move=> _ /andP[p_gt0 p_lt1] o oE; have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1.
by rewrite -oE expr2 mulfK // gt_eqF.
Qed.

(* The printed threshold of (7), for r = sqrt(b + 1).                         *)
Theorem psa_budget_threshold b p r : 0 <= p < 1 -> 0 <= r ->
  r ^+ 2 = b.+1%:R ->
  (p <= r / (r + 1)) = ((p / (1 - p)) ^+ 2 <= b.+1%:R).
Proof.
case/andP=> p_ge0 p_lt1 r_ge0 <-; have q_gt0 : 0 < 1 - p by rewrite subr_gt0.
have o_ge0 : 0 <= p / (1 - p) by rewrite divr_ge0 // ltW.
have s_gt0 : 0 < r + 1 by rewrite ltr_paddl ?ltr01.
rewrite ler_pexpn2r ?nnegrE // ler_pdivl_mulr // ler_pdivr_mulr //.
by rewrite mulrDr mulr1 mulrBr mulr1 ler_subr_addr addrC [p * r]mulrC.
Qed.

(* Equation (17): one formula for the two middle branches.                    *)
Theorem psa_budget_max b p : (0 < b)%N -> 0 < p < 1 ->
  let o := p / (1 - p) in psa_budget b p = Some (Num.max o (b.+1%:R / o)).
Proof.
move=> b_gt0 /andP[p_gt0 p_lt1] o.
have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1.
rewrite /psa_budget -/o eqn0Ngt b_gt0 (gt_eqF p_gt0) (lt_eqF p_lt1) /=.
rewrite maxEle ler_pdivl_mulr // -expr2.
by case: ifP.
Qed.

(* The order of budgets: None is infinity.                                    *)
Definition budget_le (a c : option R) : bool :=
  match a, c with
  | Some x, Some y => x <= y
  | _, None => true
  | None, Some _ => false
  end.

(* A larger stratum never has a smaller budget; at a swap rate with o^2 >=    *)
(* b + 1 the budget does not grow with b, so the growth is not strict.        *)
Theorem psa_budget_mono b b' p : (b <= b')%N -> b != 1%N -> 0 <= p <= 1 ->
  budget_le (psa_budget b p) (psa_budget b' p).
Proof.
move=> lebb' b_neq1 /andP[p_ge0 p_le1].
have [b'0 | b'_neq0] := eqVneq b' 0%N.
  by move: lebb'; rewrite b'0 leqn0 => /eqP->; rewrite /psa_budget /= lexx.
have [p0 | p_neq0] := eqVneq p 0.
  rewrite [psa_budget b' p]/psa_budget (negbTE b'_neq0) p0 eqxx.
  by case: psa_budget.
have [p1 | p_neq1] := eqVneq p 1.
  rewrite [psa_budget b' p]/psa_budget (negbTE b'_neq0) p1 eqxx orbT.
  by case: psa_budget.
have p_in : 0 < p < 1 by rewrite !lt_def p_neq0 p_ge0 eq_sym p_neq1.
have /andP[p_gt0 p_lt1] := p_in; have o_gt0 := odds_gt0 p_gt0 p_lt1.
rewrite (@psa_budget_max b') ?lt0n //; have [-> | b_neq0] := eqVneq b 0%N.
  rewrite /psa_budget /= le_maxr; case: leP => //= lt_o1.
  by rewrite ler_pdivl_mulr // mul1r (le_trans (ltW lt_o1)) // ler1n.
rewrite psa_budget_max ?lt0n //= le_maxl !le_maxr lexx /=.
by rewrite ler_pmul2r ?invr_gt0 // ler_nat ltnS lebb' orbT.
Qed.

(* Section 3.6: the smallest budget of a given b, gamma^2 = b + 1.            *)
Theorem psa_budget_min b p gamma : (0 < b)%N -> 0 <= p <= 1 ->
  psa_budget b p = Some gamma ->
  b.+1%:R <= gamma ^+ 2 ?= iff ((p / (1 - p)) ^+ 2 == b.+1%:R).
Proof.
move=> b_gt0 p01 gE; have [p_gt0 p_lt1 le_o le_b] := psa_budget_jump b_gt0 p01
  gE.
have o_gt0 := odds_gt0 p_gt0 p_lt1; set o := p / (1 - p) in le_o le_b o_gt0 *.
have g_ge0 : 0 <= gamma := le_trans (ltW o_gt0) le_o.
split.
  by rewrite expr2 (le_trans le_b) // ler_wpmul2l.
apply/eqP/eqP => [gg | oo]; last first.
  move: gE; rewrite psa_budget_max ?p_gt0 // -/o psa_budget_meet ?p_gt0 //.
  by rewrite maxxx => -[<-].
have oE : o = gamma.
  apply/eqP; rewrite eq_le le_o /=; move: le_b; rewrite gg expr2.
  by rewrite ler_pmul2l // (lt_le_trans o_gt0 le_o).
by rewrite oE gg.
Qed.

(* Section 3.6: for every gamma with gamma^2 > b + 1 exactly two swap rates   *)
(* have that budget, with odds gamma and (b+1) / gamma.                       *)
Definition swap_rate o := o / (1 + o).

Lemma swap_rateK o : 0 < o -> swap_rate o / (1 - swap_rate o) = o.
Proof.
move=> o_gt0; have s_neq0 : 1 + o != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
by rewrite /swap_rate; field; rewrite s_neq0 /= addrK oner_neq0.
Qed.

Lemma swap_rate_in o : 0 < o -> 0 < swap_rate o < 1.
Proof.
move=> o_gt0; have s_gt0 : 0 < 1 + o by rewrite addr_gt0 ?ltr01.
by rewrite /swap_rate divr_gt0 //= ltr_pdivr_mulr // mul1r ltr_addr ltr01.
Qed.

Lemma odds_inj p o : 0 < o -> p < 1 -> (p / (1 - p) == o) = (p == swap_rate o).
Proof.
move=> o_gt0 p_lt1; have q_neq0 : 1 - p != 0 by rewrite subr_eq0 gt_eqF.
have s_neq0 : 1 + o != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
rewrite -(inj_eq (mulIf q_neq0)) divfK //.
rewrite -[in RHS](inj_eq (mulIf s_neq0)) divfK //.
by rewrite mulrBr mulr1 eq_sym subr_eq eq_sym mulrDr mulr1 [o * p]mulrC.
Qed.

Theorem psa_budget_two_rates b p gamma : (0 < b)%N -> 0 <= p <= 1 ->
  0 < gamma -> b.+1%:R < gamma ^+ 2 ->
  swap_rate gamma != swap_rate (b.+1%:R / gamma) /\
  (psa_budget b p = Some gamma <->
   p = swap_rate gamma \/ p = swap_rate (b.+1%:R / gamma)).
Proof.
move=> b_gt0 /andP[p_ge0 p_le1] g_gt0 g_gt; set u := b.+1%:R / gamma.
have b_gt : 0 < b.+1%:R :> R by rewrite ltr0n.
have u_gt0 : 0 < u by rewrite divr_gt0.
have lt_ug : u < gamma by rewrite ltr_pdivr_mulr // -expr2.
have uE : b.+1%:R = u * gamma by rewrite divfK // gt_eqF.
split.
  apply/negP=> /eqP e; move: lt_ug.
  by rewrite -(swap_rateK u_gt0) -e swap_rateK // ltxx.
split=> [bE | []->]; last 2 first.
- rewrite psa_budget_max ?swap_rate_in // swap_rateK // -/u.
  by rewrite maxEle leNgt lt_ug.
- rewrite psa_budget_max ?swap_rate_in // swap_rateK // uE.
  by rewrite mulrAC divff ?gt_eqF // mul1r maxEle ltW.
have [p_gt0 p_lt1 _ _] := psa_budget_jump b_gt0 (introT andP (conj p_ge0
  p_le1)) bE.
have o_gt0 := odds_gt0 p_gt0 p_lt1; move: bE.
rewrite psa_budget_max ?p_gt0 // maxEle.
case: ifP => _ [] oE; [right | left]; apply/eqP; rewrite -odds_inj ?oE //.
by rewrite eq_sym /u -oE invf_div mulrCA divff ?mulr1 // gt_eqF.
Qed.

End Budget.

(* Theorem 1                                                                  *)
Section Privacy.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Local Notation data := (dataset M H S n).
Implicit Types (x : data) (g rho : {perm 'I_n}).

(* The branch b = 0: the universe has one table, and the PSA one law.         *)
Theorem psa_no_mixed_stratum x x' :
  largest_stratum x = 0%N -> same_invariants x x' ->
  psa p p01 x = psa p p01 x'.
Proof.
move=> b0 xx'; apply/mult_le1;
  rewrite -[X in mult_le X](expr1n _ (hamming x x')).
apply: (@psa_mult_le _ _ _ 0); rewrite ?ler01 ?b0 //.
by move=> k ? ? ? /andP[]; case: k.
Qed.

Theorem psa_privacy x x' gamma :
  psa_budget (largest_stratum x) p = Some gamma -> same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
set b := largest_stratum x => bE xx'; have [b0 | b_gt0] := posnP b.
  rewrite (psa_no_mixed_stratum b0 xx'); move: bE; rewrite b0 /psa_budget /=.
  by case=> <-; rewrite expr1n; apply: mult_le_refl.
have [p_gt0 p_lt1 le_o le_b] := psa_budget_jump b_gt0 p01 bE.
have g_ge0 : 0 <= gamma := le_trans (ltW (odds_gt0 p_gt0 p_lt1)) le_o.
apply: (@psa_mult_le _ _ _ b) => //.
by apply: jump_mass_le => //; apply: budget_jump_le.
Qed.

(* The PSA satisfies eps_D-DP(X, D_cSwap, d_HamS, D_Mult), where D_cSwap has  *)
(* the universes {x : c_Swap(x) = c_Swap(x0)}, b is that of x0, and eps_D is  *)
(* given by (7), each budget as gamma = e^eps and None for infinity.          *)
Theorem psa_pure_dp :
  pure_dp (fun x0 x : data => same_invariants x0 x)
          (fun x x' : data => Some (hamming x x'))
          (fun x0 : data => psa_budget (largest_stratum x0) p)
          (psa p p01).
Proof.
move=> x0 x x' x0x x0x'; case E : psa_budget => [gamma|//].
apply: psa_privacy; first by rewrite -(largest_stratum_universe x0x).
by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
Qed.

(* Equation (9), for sigma' = sigma o rho where rho moves k records.          *)
Theorem moved_change g rho :
  (moved g - moved rho <= moved (g * rho)%g <= moved g + moved rho)%N.
Proof.
have moved_mul g1 g2 : (moved (g1 * g2)%g <= moved g1 + moved g2)%N.
  apply: leq_trans (leq_card_setU _ _); apply: subset_leq_card.
  apply/subsetP=> i; rewrite !inE permM.
  by have [-> | //] := eqVneq (g1 i) i.
rewrite moved_mul andbT leq_subLR -{1}(mulgK rho g) -(movedV rho) addnC.
exact: moved_mul.
Qed.

End Privacy.

(* The domain of all data sets with at most N records: data sets of different *)
(* sizes are at distance infinity, and lie in different universes.            *)
Section Sizes.

Variables (R : realFieldType) (M H S : finType) (N : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.

Definition bounded_data : Type := {n : 'I_N.+1 & dataset M H S n}.

Definition hamming_or_oo (x x' : bounded_data) : option nat :=
  if tag x == tag x'
  then Some (\sum_r (table (tagged x) r - table (tagged x') r))%N else None.

Definition widen_table (n : 'I_N.+1)
    (t : {ffun M * H * S -> 'I_n.+1}) : {ffun M * H * S -> 'I_N.+1} :=
  [ffun r => widen_ord (ltn_ord n) (t r)].

Definition psa_bounded (x : bounded_data) :
    law R [finType of {ffun M * H * S -> 'I_N.+1}] :=
  map_law (@widen_table (tag x)) (psa p p01 (tagged x)).

Theorem psa_pure_dp_sizes :
  pure_dp (fun x0 x : bounded_data => same_invariants (tagged x0) (tagged x))
          hamming_or_oo
          (fun x0 => psa_budget (largest_stratum (tagged x0)) p)
          psa_bounded.
Proof.
move=> [n0 x0] [n x] [n' x'] /= x0x x0x'; case E : psa_budget => [gamma|//].
have xx' : same_invariants x x'.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
have nn' : n = n' by apply: val_inj; apply: same_invariants_size xx'.
subst n'; rewrite /hamming_or_oo /= eqxx; apply: mult_map.
by apply: psa_privacy xx'; rewrite -(largest_stratum_universe x0x).
Qed.

End Sizes.

(* For 0 < p < 1 the PSA reaches exactly the tables of the universe.          *)
Section Support.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypotheses (p01 : 0 <= p <= 1) (p_gt0 : 0 < p) (p_lt1 : p < 1).
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}).

Lemma move_mass_gt0 k1 k : (k <= k1)%N -> k != 1%N -> 0 < move_mass p k1 k.
Proof.
move=> lek k_neq1; rewrite /move_mass; case: leqP => [_|k1_gt1];
  first exact: ltr01.
have := @one_selected_lt1 _ _ _ p01 [set: 'I_k1].
rewrite cardsT card_ord => /(_ k1_gt1) c_gt0.
have q_gt0 : 0 < 1 - p by rewrite subr_gt0.
by apply: divr_gt0; apply: mulr_gt0; rewrite ?exprn_gt0 ?ltr0n ?der_gt0.
Qed.

Lemma psa_perm_gt0 x g : (0 < psa_perm p p01 x g) = preserves_strata x g.
Proof.
rewrite psa_permE; case: ifP => [xg | _]; last by rewrite ltxx.
by rewrite prodr_gt0 // => m _;
  rewrite move_mass_gt0 ?moved_in_le ?moved_in_neq1.
Qed.

Theorem psa_support x x' :
  (0 < psa p p01 x (table_ord x')) = same_invariants x x'.
Proof.
apply/idP/idP => [| /swap_path[rho [xrho _ tab]]].
  rewrite psaE lt_def => /andP[/eqP psa_neq0 _].
  have [g /andP[/eqP tab xg] | no_g] := pickP (fun g : {perm 'I_n} =>
      (table_ord (apply_perm g x) == table_ord x') && preserves_strata x g).
    apply/universe_swaps; exists g => //; apply/eqP.
    by rewrite -eq_table_ord tab.
  case: psa_neq0; apply: big1 => g tab; rewrite psa_permE.
  by have := no_g g; rewrite tab /= => ->.
rewrite psaE (bigD1 rho) /=; last by rewrite eq_table_ord tab.
rewrite ltr_paddr ?psa_perm_gt0 //.
by apply: sumr_ge0 => g _; apply: law_ge0.
Qed.

End Support.

(* Section 3.6 speaks of two swap rates "for every b and every budget" above  *)
(* the smallest; for b = 0 the only budget is 0, at every swap rate.          *)
Theorem psa_budget_two_rates_refuted (R : realFieldType) (p gamma : R) :
  1 < gamma -> psa_budget 0 p <> Some gamma.
Proof. by move=> g_gt1 [g1]; rewrite -g1 ltxx in g_gt1. Qed.

(* Theorem 1 as printed, over a field with square roots.                      *)
Section Theorem1.

Variable R : rcfType.

(* Equation (7); the second and third line agree where they overlap.          *)
Definition printed_budget (b : nat) (p : R) : option R :=
  let o := p / (1 - p) in
  if b == 0%N then Some 1
  else if (0 < p) && (p <= Num.sqrt b.+1%:R / (Num.sqrt b.+1%:R + 1))
       then Some (b.+1%:R / o)
  else if (Num.sqrt b.+1%:R / (Num.sqrt b.+1%:R + 1) <= p) && (p < 1)
       then Some o
  else None.

Theorem psa_budget_printed b p :
  0 <= p <= 1 -> psa_budget b p = printed_budget b p.
Proof.
move=> /andP[p_ge0 p_le1]; rewrite /psa_budget /printed_budget.
have r_ge0 : 0 <= Num.sqrt b.+1%:R :> R := sqrtr_ge0 _.
set t := _ / (_ + 1); have t_lt1 : t < 1.
  by rewrite ltr_pdivr_mulr ?ltr_paddl ?ltr01 // mul1r ltr_addl ltr01.
have t_gt0 : 0 < t.
  by rewrite divr_gt0 ?ltr_paddl ?ltr01 // sqrtr_gt0 ltr0n.
case: eqP => // _; have [-> | p_neq0] := eqVneq p 0.
  by rewrite ltxx /= leNgt t_gt0.
have p_gt0 : 0 < p by rewrite lt_def p_neq0.
have [-> | p_neq1] := eqVneq p 1.
  by rewrite ltxx andbF (leNgt 1 t) t_lt1 andbF.
have p_lt1 : p < 1 by rewrite lt_neqAle p_neq1.
rewrite p_gt0 p_lt1 /= andbT.
rewrite -(@psa_budget_threshold _ b _ (Num.sqrt b.+1%:R)) ?sqr_sqrtr ?ler0n //.
  by rewrite -/t; case: leP => // /ltW->.
by rewrite p_ge0.
Qed.

(* X is any set of data sets of at most N records each.                       *)
Theorem psa_pure_dp_printed (M H S : finType) (N : nat) (p : R)
    (p01 : 0 <= p <= 1)
    (X : Type) (data : X -> bounded_data M H S N) :
  pure_dp (fun x0 x => same_invariants (tagged (data x0)) (tagged (data x)))
          (fun x x' => hamming_or_oo (data x) (data x'))
          (fun x0 => printed_budget (largest_stratum (tagged (data x0))) p)
          (fun x => psa_bounded p01 (data x)).
Proof.
move=> x0 x x' x0x x0x' /=; rewrite -(psa_budget_printed _ p01).
exact: (psa_pure_dp_sizes p01 x0x x0x').
Qed.

End Theorem1.
