(******************************************************************************)
(* Remarks on the Permutation Swapping Algorithm: the displayed steps of the  *)
(* proof of Theorem 1 and of article sections 3.5 and 3.6                     *)
(*                                                                            *)
(* Definitions                                                                *)
(*   perms_from_to x z == G_x->z, the permutations g with g(x) = z            *)
(*   coarsen c x == x with a coarser matching variable; what it loses becomes *)
(*            a holding variable                                              *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   permutation_ratio == psa.permutation-ratio (14)                          *)
(*   permutations_moved, moved_positions_refuted == psa.proof.bijection and,  *)
(*            with the order of composition that is printed, its failure      *)
(*   mass_ratio_maximum, mass_ratio_maximum_refuted == psa.proof.maximum and, *)
(*            for Delta = n - 1, the failure of psa.proof.maximum.printed     *)
(*   budget_forms == psa.proof.budget-forms (17)                              *)
(*   selected_at_least, selected_records_refuted ==                           *)
(*            psa.selected-records.at-least, psa.selected-records.printed     *)
(*   distance_ratio, distance_ratio_refuted == derangements.distance-ratio:   *)
(*            it holds for one stratum and fails for three                    *)
(*   coarser_matching, coarser_budget == psa.coarser-matching                 *)
(*   larger_stratum == psa.budget.larger-stratum, on the lower branch         *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy psa_sharp.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* Equation (14) in one stratum A.                                            *)
Theorem permutation_ratio (R : realFieldType) (T : finType) (A : {set T})
    (p : R) (p01 : 0 <= p <= 1) (g g' : {perm T}) :
  0 < p < 1 -> (1 < #|A|)%N -> perm_on A g -> perm_on A g' ->
  let o := p / (1 - p) in
  let k := #|[set i | g i != i]| in let k' := #|[set i | g' i != i]| in
  stratum_perm p p01 A g / stratum_perm p p01 A g' =
  o ^+ k / o ^+ k' * ((der k')%:R / (der k)%:R).
Proof.
case/andP=> p_gt0 p_lt1 A_gt1 gA g'A o k k'.
have le_card (h : {perm T}) : perm_on A h -> (#|[set i | h i != i]| <= #|A|)%N.
  by move=> hA; apply/subset_leq_card/subsetP=> i; rewrite inE => /(subsetP hA).
rewrite !stratum_permE gA g'A !move_mass_odds ?le_card // -/o -/k -/k'.
rewrite -mulf_div divff ?mul1r; last first.
  apply: mulf_neq0; first by rewrite expf_neq0 // gt_eqF // subr_gt0.
  by rewrite invr_eq0 gt_eqF // one_selected_lt1.
by rewrite invf_div -!mulrA; congr (_ * _); rewrite mulrC -mulrA mulrCA.
Qed.

(* The bijection between the permutations from x to z and those from x' to z. *)
Section Bijection.

Variables (M H S : finType) (n : nat).
Implicit Types (x z : dataset M H S n) (g rho : {perm 'I_n}).

Definition perms_from_to x z : {set {perm 'I_n}} :=
  [set g : {perm 'I_n} | apply_perm g x == z].

(* First g, then rho: in the notation of permutations as functions, rho o g.  *)
Theorem permutations_moved x' rho z :
  [set (g * rho)%g | g in perms_from_to (apply_perm rho x') z] =
  perms_from_to x' z.
Proof.
apply/setP=> h; rewrite inE; apply/imsetP/eqP => [[g] | hz].
  by rewrite inE => /eqP <- ->; rewrite apply_permM.
exists (h * rho^-1)%g; last by rewrite mulgKV.
by rewrite inE apply_permM mulgKV hz.
Qed.

End Bijection.

(* As printed, first rho and then g: it fails for three different records.    *)
Theorem moved_positions_refuted :
  exists (x' z : dataset [finType of unit] [finType of 'I_3] [finType of 'I_3]
    3)
         (rho g : {perm 'I_3}),
    g \in perms_from_to (apply_perm rho x') z /\
    (rho * g)%g \notin perms_from_to x' z.
Proof.
pose i0 : 'I_3 := ord0; pose i1 : 'I_3 := inord 1; pose i2 : 'I_3 := inord 2.
pose g := tperm i0 i1; pose rho := tperm i1 i2.
exists (all_distinct 3), (apply_perm (g * rho) (all_distinct 3)), rho, g.
rewrite !inE apply_permM eqxx; split=> //.
apply/negP=> /eqP/(congr1 (fun y => table_ord y)) /eqP.
rewrite table_distinct_inj => /eqP/permP/(_ i0); rewrite !permM.
have [n01 n02 n12] : [/\ i0 != i1, i0 != i2 & i1 != i2].
  by rewrite -!val_eqE /= !inordK.
have -> : rho i0 = i0 by rewrite tpermD // eq_sym.
by rewrite /g tpermL /rho tpermL => e; rewrite e eqxx in n12.
Qed.

(* The step before (15)                                                       *)
Section Maximum.

Lemma der_maximum (n k k' delta : nat) : n != 1%N -> k != 1%N -> k' != 1%N ->
    delta.+1 != n -> (delta <= n)%N -> (k <= n)%N -> (k' <= n)%N ->
    (k' <= k + delta)%N ->
  (der k' * der (n - delta) <= der n * der k)%N.
Proof.
move=> n1 k1 k'1 dn led lekn lek'n lek'.
have m1 : (n - delta)%N != 1%N.
  by apply: contraNneq dn => m1; rewrite -(subnK led) m1 add1n.
have le_der_m : (der (n - delta) <= der n)%N by rewrite leq_der // leq_subr.
have [lek'k | ltkk'] := leqP k' k.
  by rewrite [leqRHS]mulnC leq_mul // leq_der.
have [le_kd | lt_kd] := leqP (k + delta)%N n; last first.
  rewrite leq_mul //; first exact: leq_der.
  by rewrite leq_der // leq_subLR addnC ltnW.
have kd1 : (k + delta)%N != 1%N.
  apply: contraNneq k'1 => kd; rewrite kd in lek'.
  by rewrite eqn_leq lek' (leq_trans _ ltkk').
apply: leq_trans (_ : _ <= der (k + delta) * der (n - delta))%N _.
  by rewrite leq_mul2r leq_der ?orbT.
by have := @der_gap k (n - delta) delta; rewrite subnK // => -> //;
  rewrite leq_subRL // addnC.
Qed.

Variable R : realFieldType.

(* Repaired: delta <> n - 1, and "at most" instead of "maximized when".       *)
Theorem mass_ratio_maximum (n k k' delta : nat) (o : R) : 0 < o <= 1 ->
    n != 1%N -> k != 1%N -> k' != 1%N ->
    delta.+1 != n -> (delta <= n)%N -> (k <= n)%N -> (k' <= n)%N ->
    (k' <= k + delta)%N ->
  o ^+ k / o ^+ k' * ((der k')%:R / (der k)%:R) <=
  (o ^+ delta)^-1 * ((der n)%:R / (der (n - delta))%:R).
Proof.
move=> /andP[o_gt0 o_le1] n1 k1 k'1 dn led lekn lek'n lek'.
have m1 : (n - delta)%N != 1%N.
  by apply: contraNneq dn => m1; rewrite -(subnK led) m1 add1n.
have le_der := der_maximum n1 k1 k'1 dn led lekn lek'n lek'.
have oX i : 0 < o ^+ i by rewrite exprn_gt0.
apply: ler_pmul; rewrite ?divr_ge0 ?ler0n ?(ltW (oX _)) //.
  rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr // -exprD.
  by apply: ler_wiexpn2l => //; apply: ltW.
rewrite ler_pdivr_mulr ?ltr0n ?der_gt0 // mulrAC ler_pdivl_mulr ?ltr0n ?der_gt0
  //.
by rewrite -!natrM ler_nat.
Qed.

(* As printed it fails for delta = n - 1: nothing moves exactly one record.   *)
Theorem mass_ratio_maximum_refuted n : (1 < n)%N ->
  ~ exists g : {perm 'I_n}, moved g = (n - n.-1)%N.
Proof.
case: n => // n _ [g]; rewrite subSnn => g1.
by have := moved_neq1 g; rewrite g1.
Qed.

End Maximum.

(* Section 3.6: the records that are selected                                 *)
Theorem selected_at_least (M H S : finType) n (x z : dataset M H S n)
    (g : {perm 'I_n}) :
  table (apply_perm g x) = table z -> (hamming x z <= moved g)%N.
Proof.
by move=> tab; rewrite -(hamming_table (erefl (table x)) tab)
  hamming_apply_perm.
Qed.

(* As printed, exactly d_HamS(x, z) records: two equal records are selected   *)
(* and exchanged with positive probability, and the table stays.              *)
Theorem selected_records_refuted (R : realFieldType) (p : R)
    (p01 : 0 <= p <= 1) : 0 < p < 1 ->
  exists (x : dataset [finType of unit] [finType of unit] [finType of unit] 2)
         (g : {perm 'I_2}),
    [/\ 0 < psa_perm p p01 x g, hamming x (apply_perm g x) = 0%N
      & moved g = 2%N].
Proof.
case/andP=> p_gt0 p_lt1; exists [ffun => (tt, tt, tt)], (tperm ord0 ord_max).
split; last by rewrite /moved moved_tperm // cards2.
  by rewrite psa_perm_gt0 //; apply/preserves_strataP=> i; rewrite !ffunE.
by apply/eqP; rewrite hamming_eq0; apply/eqP; congr table; apply/ffunP=> i;
  rewrite !ffunE.
Qed.

(* Equation (17): the first form, split at p = 1/2.                           *)
Theorem budget_forms (R : realFieldType) b (p : R) : (0 < b)%N -> 0 < p < 1 ->
  let o := p / (1 - p) in
  psa_budget b p =
  Some (if p <= 2%:R^-1 then b.+1%:R / o else Num.max o (b.+1%:R / o)).
Proof.
move=> b_gt0 p_in o; rewrite psa_budget_max //; congr Some.
case/andP: p_in => p_gt0 p_lt1; have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1.
case: ifP => // p_le; apply/max_idPr; rewrite ler_pdivl_mulr // -expr2.
have o_le1 : o <= 1.
  rewrite ler_pdivr_mulr ?subr_gt0 // mul1r ler_subr_addr -mulr2n -mulr_natr.
  by rewrite -ler_pdivl_mulr ?ltr0n // mul1r.
by rewrite (le_trans (exprn_ile1 _ (ltW o_gt0) o_le1)) // ler1n.
Qed.

(* Section 3.6: for a larger b the same budget needs a higher swap rate on    *)
(* the lower branch; on the upper branch the rate does not depend on b.       *)
Theorem larger_stratum (R : realFieldType) b b' (gamma : R) :
  (b < b')%N -> 0 < gamma ->
  swap_rate (b.+1%:R / gamma) < swap_rate (b'.+1%:R / gamma).
Proof.
move=> ltbb' g_gt0; set u := _ / _; set v := _ / _.
have u_gt0 : 0 < u by rewrite divr_gt0 ?ltr0n.
have lt_uv : u < v by rewrite ltr_pmul2r ?invr_gt0 // ltr_nat ltnS.
have v_gt0 := lt_trans u_gt0 lt_uv.
rewrite /swap_rate ltr_pdivr_mulr ?addr_gt0 ?ltr01 // mulrAC.
rewrite ltr_pdivl_mulr ?addr_gt0 ?ltr01 // !mulrDr !mulr1 [v * u]mulrC.
by rewrite ltr_add2r.
Qed.

(* Section 3.5: a coarser swap key turns matching into holding variables.     *)
Section Coarser.

Variables (M M' H S : finType) (n : nat) (c : M -> M').
Implicit Type x : dataset M H S n.

Definition coarsen x : dataset M' [finType of M * H] S n :=
  [ffun i => (c (matching (x i)), (matching (x i), holding (x i)),
              swapping (x i))].

Theorem coarser_matching x :
  (largest_stratum x <= largest_stratum (coarsen x))%N.
Proof.
apply/bigmax_leqP => m /exists_inP[i im /exists_inP[j jm xij]].
have im' : i \in stratum (coarsen x) (c m).
  by move: im; rewrite !inE ffunE => /eqP <-.
have jm' : j \in stratum (coarsen x) (c m).
  by move: jm; rewrite !inE ffunE => /eqP <-.
apply: (@leq_trans (n_m (coarsen x) (c m))).
  rewrite !n_mE subset_leq_card //; apply/subsetP=> k.
  by rewrite !inE ffunE => /eqP <-.
apply: (@leq_bigmax_cond _ (mixed (coarsen x)) (n_m (coarsen x))).
apply/exists_inP; exists i => //; apply/exists_inP; exists j => //.
apply: contraNneq xij; rewrite !ffunE => -[_ em eh es].
by rewrite -(recordK (x i)) -(recordK (x j)) em eh es.
Qed.

Theorem coarser_budget (R : realFieldType) x (p : R) : 0 <= p <= 1 ->
  budget_le (psa_budget (largest_stratum x) p)
            (psa_budget (largest_stratum (coarsen x)) p).
Proof.
move=> p01; apply: psa_budget_mono => //; first exact: coarser_matching.
by apply/eqP=> b1; have := @largest_stratum_le1 _ _ _ _ x;
  rewrite b1 => /(_ isT).
Qed.

Lemma n_mh_coarsen x m' m h :
  n_mh (coarsen x) m' (m, h) = if c m == m' then n_mh x m h else 0%N.
Proof.
rewrite n_mhE; case: eqP => [cm | cm].
  rewrite n_mhE; apply: eq_card => i; rewrite !inE ffunE /= xpair_eqE.
  by case: (matching (x i) =P m) => [->|]; rewrite ?cm ?eqxx ?andbF.
apply/eqP; rewrite cards_eq0; apply/eqP/setP => i; rewrite !inE ffunE /=.
by rewrite xpair_eqE; case: (matching (x i) =P m) => [->|];
  rewrite ?andbF //; case: eqP.
Qed.

Lemma n_ms_coarsen x m' s :
  n_ms (coarsen x) m' s = (\sum_(m | c m == m') n_ms x m s)%N.
Proof.
rewrite n_msE (card_fibers (fun i => matching (x i))) [RHS]big_mkcond /=.
apply: eq_bigr => m _; case: eqP => [cm | cm].
  rewrite n_msE; apply: eq_card => i; rewrite !inE ffunE /=.
  by case: (matching (x i) =P m) => [->|]; rewrite ?cm ?eqxx ?andbF ?andbT.
apply/eqP; rewrite cards_eq0; apply/eqP/setP => i; rewrite !inE ffunE /=.
by case: (matching (x i) =P m) => [->|]; rewrite ?andbF //; case: eqP.
Qed.

End Coarser.

(* What the coarser key keeps invariant follows from what the finer one does. *)
Theorem coarser_invariants (M M' H S : finType) (c : M -> M') n n'
    (x : dataset M H S n) (x' : dataset M H S n') :
  same_invariants x x' -> same_invariants (coarsen c x) (coarsen c x').
Proof.
case/same_invariantsP=> same_mh same_ms; apply/same_invariantsP.
split=> [m' [m h] | m' s]; first by rewrite !n_mh_coarsen same_mh.
by rewrite !n_ms_coarsen; apply: eq_bigr => m _.
Qed.

(* Section 3.6: the ratio of derangement numbers at the distances             *)
Lemma hamming_injective (M H S : finType) n (x : dataset M H S n)
    (rho : {perm 'I_n}) :
  injective (fun i => holding (x i)) -> injective (fun i => swapping (x i)) ->
  hamming x (apply_perm rho x) = moved rho.
Proof.
move=> injh injs; apply/eqP; rewrite eqn_leq hamming_apply_perm /=.
have [g <-] := exists_alignment x (apply_perm rho x).
apply: subset_leq_card; apply/subsetP=> i; rewrite !inE [reorder _ _ _]ffunE.
apply: contraNneq => xi; apply/eqP; apply: injs => /=.
have gi : i = g i by apply: injh; rewrite /= xi holding_apply.
by rewrite xi -gi swapping_apply.
Qed.

(* The printed bound (b+1)^d_HamS(x, x') fails for three strata of two        *)
(* different records: b = 2, d_HamS(x, z) = 6, d_HamS(x', z) = 4,             *)
(* d_HamS(x, x') = 2, but d(6) / d(4) = 265/9 > 9.                            *)
Section ThreePairs.

Local Open Scope nat_scope.

Let at6 (s : seq nat) (i : 'I_6) : 'I_6 := inord (nth 0 s i).
Let partner := at6 [:: 1; 0; 3; 2; 5; 4].
Let first_pair := at6 [:: 1; 0; 2; 3; 4; 5].
Let last_pairs := at6 [:: 0; 1; 3; 2; 5; 4].
Let pair_of (i : 'I_6) : 'I_3 := inord (nth 0 [:: 0; 0; 1; 1; 2; 2] i).

Let val_at6 s (i : 'I_6) : all (ltn^~ 6) s -> size s = 6 ->
  at6 s i = nth 0 s i :> nat.
Proof.
move=> /all_nthP lts ss; rewrite inordK //.
by apply: (lts 0); rewrite ss.
Qed.

Let partnerK : involutive partner.
Proof.
move=> i; apply: val_inj; rewrite /partner /= !val_at6 //.
by case: i => [[|[|[|[|[|[|]]]]]]].
Qed.

Let first_pairK : involutive first_pair.
Proof.
move=> i; apply: val_inj; rewrite /first_pair /= !val_at6 //.
by case: i => [[|[|[|[|[|[|]]]]]]].
Qed.

Let last_pairsK : involutive last_pairs.
Proof.
move=> i; apply: val_inj; rewrite /last_pairs /= !val_at6 //.
by case: i => [[|[|[|[|[|[|]]]]]]].
Qed.

Let G := perm (can_inj partnerK).
Let F := perm (can_inj first_pairK).
Let L := perm (can_inj last_pairsK).

Let GE : (L * F)%g = G.
Proof.
apply/permP=> i; rewrite permM !permE; apply: val_inj.
rewrite /first_pair /last_pairs /partner /= !val_at6 //.
by case: i => [[|[|[|[|[|[|]]]]]]].
Qed.

Let movedE s (sK : involutive (at6 s)) : all (ltn^~ 6) s -> size s = 6 ->
  moved (perm (can_inj sK)) = count (fun i => nth 0 s i != i) (iota 0 6).
Proof.
move=> lts ss; rewrite /moved /moved_set -sum1dep_card big_mkcond /=.
by rewrite !big_ord_recl big_ord0 !permE -!val_eqE /= !val_at6 //=.
Qed.

Let x : dataset [finType of 'I_3] [finType of 'I_6] [finType of 'I_6] 6 :=
  [ffun i => (pair_of i, i, i)].

Let pairs_preserved s (sK : involutive (at6 s)) :
  all (ltn^~ 6) s -> size s = 6 ->
  (forall i : 'I_6, nth 0 [:: 0; 0; 1; 1; 2; 2] (nth 0 s i) =
                    nth 0 [:: 0; 0; 1; 1; 2; 2] i) ->
  preserves_strata x (perm (can_inj sK)).
Proof.
move=> lts ss eq_s; apply/preserves_strataP=> i.
by rewrite !ffunE /matching /= permE /pair_of val_at6 // eq_s.
Qed.

Let stratum_size m : n_m x m = 2.
Proof.
rewrite n_mE /stratum -sum1dep_card big_mkcond !big_ord_recl big_ord0 !ffunE.
rewrite /matching /= /pair_of /= -!val_eqE /= !inordK //.
by case: m => [[|[|[|]]]].
Qed.

Theorem distance_ratio_refuted :
  exists (M H S : finType) n (x x' z : dataset M H S n),
    [/\ same_invariants x x', same_invariants x z &
        (largest_stratum x).+1 ^ hamming x x' * der (hamming x' z) <
        der (hamming x z)].
Proof.
have injh : injective (fun i => holding (x i)).
  by move=> i j; rewrite /= !ffunE.
have injs : injective (fun i => swapping (x i)).
  by move=> i j; rewrite /= !ffunE.
exists [finType of 'I_3], [finType of 'I_6], [finType of 'I_6], 6.
exists x, (apply_perm F x), (apply_perm G x); split.
- apply: same_invariants_apply; apply: pairs_preserved => //.
  by case=> [[|[|[|[|[|[|]]]]]]].
- apply: same_invariants_apply; apply: pairs_preserved => //.
  by case=> [[|[|[|[|[|[|]]]]]]].
have b2 : largest_stratum x <= 2.
  by apply/bigmax_leqP => m _; rewrite stratum_size.
rewrite -GE -apply_permM !hamming_injective //; last 2 first.
- by move=> i j; rewrite /= !holding_apply; apply: injh.
- move=> i j; rewrite /= !swapping_apply => /injs; exact: perm_inj.
have -> : hamming x (apply_perm L (apply_perm F x)) = 6.
  by rewrite apply_permM GE hamming_injective // movedE.
rewrite !movedE //= !derE /=.
apply: leq_ltn_trans (_ : 3 ^ 2 * 9 < _) => //.
by rewrite leq_mul2r leq_exp2r // ltnS b2.
Qed.

End ThreePairs.

(* Repaired: the bound holds where one stratum holds all records.             *)
Theorem distance_ratio (M H S : finType) n (x x' z : dataset M H S n) :
  same_invariants x x' -> same_invariants x z -> largest_stratum x = n ->
  (der (hamming x z) <=
   (largest_stratum x).+1 ^ hamming x x' * der (hamming x' z))%N.
Proof.
move=> xx' xz ->; set h := hamming x z; set h' := hamming x' z.
have h1 : h != 1%N := no_neighbors xz.
have h'1 : h' != 1%N.
  apply: no_neighbors; apply: same_invariants_trans xz.
  by rewrite same_invariants_sym.
have le_h : (h <= h' + hamming x x')%N by rewrite addnC hamming_triangle.
have [le_hh' | lt_h'h] := leqP h h'.
  by rewrite (leq_trans (leq_der le_hh' h1 h'1)) // leq_pmull // expn_gt0.
have := @der_ratio h (h - h') (leq_subr _ _); rewrite subKn ?(ltnW lt_h'h) //.
rewrite (_ : (h - h').+1 != h) => [/(_ isT) le6 |]; last first.
  apply: contraNneq h'1 => e; rewrite -(eqn_add2l (h - h')) subnK ?addn1 ?e //.
  exact: ltnW.
apply: leq_trans le6 _; rewrite leq_mul2r; apply/orP; right.
apply: (@leq_trans (n.+1 ^ (h - h'))); last by rewrite leq_pexp2l // leq_subLR.
by rewrite leq_exp2r ?subn_gt0 // ltnS hamming_le_n.
Qed.
