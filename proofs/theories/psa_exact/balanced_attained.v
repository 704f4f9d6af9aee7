From mathcomp Require Import all_ssreflect fingroup perm all_algebra.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming derangement pure
  psa_law psa_privacy moved_counts binomial_moments row_permutations
  kept_records balanced_limit.

(******************************************************************************)
(* The limit of the budgets for two large rows is attained, by two rows that  *)
(* fill a column each, and an exchange of two of their records                *)
(*                                                                            *)
(*   diagonal n1 n2 == the data set of one stratum in which n1 records have   *)
(*            holding and swapping category true, and n2 have false           *)
(*   two_by_two z == z is in its universe: one stratum, rows and columns of   *)
(*            n1 and n2 records                                               *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_diagonal, psa_exchanged == the probability of the table of diagonal, *)
(*            under diagonal and summed over all exchanges of two records     *)
(*   diagonal_cost == what a budget of this universe says of both             *)
(*   limit_attained == gamma^2 below the limit is not enough in the universe  *)
(*            of one stratum with rows and columns of k s1 and k s2 records,  *)
(*            for all large k                                                 *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section Diagonal.

Variables (R : realFieldType) (p : R) (n1 n2 : nat).
Hypothesis p01 : 0 <= p <= 1.

Local Notation n := (n1 + n2)%N.
Implicit Types (g : {perm 'I_n}) (h : bool).

(* The records of each row fill a column of their own.                        *)
Definition diagonal : dataset unit bool bool n :=
  [ffun v : 'I_n => (tt, (v < n1)%N, (v < n1)%N)].

Let A : {set 'I_n} := [set v : 'I_n | (v < n1)%N].
Local Notation x := diagonal.

Let xE v : x v = (tt, v \in A, v \in A). Proof. by rewrite ffunE inE. Qed.

Lemma card_row : #|A| = n1 /\ #|~: A| = n2.
Proof.
have AE : #|A| = n1.
  rewrite -sum1_card big_mkcond big_split_ord /= [X in (_ + X)%N]big1.
    rewrite addn0 (eq_bigr (fun=> 1%N)) => [|v _]; last first.
      by rewrite inE /= ltn_ord.
    by rewrite sum_nat_const card_ord muln1.
  by move=> v _; rewrite inE /= ltnNge leq_addr.
by split=> //; apply/eqP; rewrite -(eqn_add2l #|A|) cardsC card_ord AE.
Qed.

Lemma diagonal_kept g :
  (table_ord (apply_perm g x) == table_ord x) = keeps_row A g.
Proof.
have yE v : apply_perm g x v = (tt, v \in A, g v \in A).
  by rewrite ffunE !xE.
rewrite eq_table_ord; apply/eqP/forallP => [/ffunP eq_t v | gA]; last first.
  congr table; apply/ffunP=> v; rewrite yE xE.
  by rewrite (eqP (gA v)).
have E0 : #|[set w | x w == (tt, v \in A, ~~ (v \in A))]| = 0%N.
  apply: eq_card0 => w; apply: negbTE; rewrite in_set xE !xpair_eqE /=.
  by case: (w \in A) (v \in A) => -[].
have /eqP := eq_t (tt, v \in A, ~~ (v \in A)); rewrite !ffunE E0 cards_eq0.
move=> /eqP/setP/(_ v); rewrite in_set in_set0 yE !xpair_eqE /= eqxx /=.
by case: (g v \in A) (v \in A) => -[].
Qed.

Lemma moved_kept g :
  moved g = (#|A| - #|still A g| + (#|~: A| - #|still (~: A) g|))%N.
Proof.
have sub (B : {set 'I_n}) : (#|B| - #|still B g| = #|moved_set g :&: B|)%N.
  rewrite -cardsDS ?still_sub //; apply: eq_card => v; rewrite !inE.
  by case: (v \in B); rewrite ?andbF ?andbT.
by rewrite !sub /moved -[LHS](cardsID A); congr (_ + _)%N; rewrite setDE.
Qed.

Hypotheses (n_gt1 : (1 < n)%N) (p_gt0 : 0 < p) (p_lt1 : p < 1).

Let o := p / (1 - p).
Let scale : R := (1 - p) ^+ n / (1 - n%:R * p * (1 - p) ^+ n.-1).

Lemma scale_gt0 : 0 < scale.
Proof.
rewrite divr_gt0 ?exprn_gt0 ?subr_gt0 //.
have := @one_selected_lt1 _ _ _ p01 [set: 'I_n].
by rewrite cardsT card_ord subr_gt0; apply.
Qed.

Lemma move_massE k : (k <= n)%N -> move_mass p n k = scale * row_mass o k.
Proof.
move=> le_k; rewrite /move_mass leqNgt n_gt1 /= /scale /row_mass /o.
have qk_neq0 : (1 - p) ^+ k != 0 by rewrite expf_neq0 ?subr_eq0 ?gt_eqF.
have -> : (1 - p) ^+ n = (1 - p) ^+ (n - k) * (1 - p) ^+ k.
  by rewrite -exprD subnK.
rewrite expr_div_n invfM; move: ((1 - p) ^+ k) qk_neq0 => u u_neq0.
move: ((1 - p) ^+ (n - k)) (_ - _)^-1 (der k)%:R^-1 (p ^+ k) => w c d e.
by field.
Qed.

Lemma psa_diagonal : psa p p01 x (table_ord x) =
  scale * kept_sum o n1 n2 (fun _ _ => 1).
Proof.
have [AE BE] := card_row.
rewrite psaE (eq_bigl _ _ diagonal_kept).
pose F u v := move_mass p n (n1 - u + (n2 - v)).
rewrite (eq_bigr (fun g => F #|still A g| #|still (~: A) g|)) => [|g gA].
  rewrite (keeps_row_sum A F) AE BE mulr_sumr; apply: eq_bigr => u _.
  rewrite mulr_sumr; apply: eq_bigr => v _; rewrite /F move_massE; last by lia.
  by rewrite /kept_mass mulr1 mulrCA.
by rewrite unit_psa_perm moved_kept AE BE.
Qed.

Lemma sum_exchanges (w : nat -> R) g : keeps_row A g ->
  \sum_(i in A) \sum_(j in ~: A) w (moved (g * tperm i j)%g) =
  let u := #|still A g| in let v := #|still (~: A) g| in
  let k := moved g in
  w k *+ ((n1 - u) * (n2 - v)) + w k.+1 *+ (u * (n2 - v) + (n1 - u) * v) +
  w k.+2 *+ (u * v).
Proof.
move=> gA /=; have [AE BE] := card_row; set k := moved g.
have fixedE (B : {set 'I_n}) (F : bool -> R) :
    \sum_(i in B) F (g i == i) =
    F true *+ #|still B g| + F false *+ (#|B| - #|still B g|).
  rewrite (bigID (fun i => g i == i)) /=; congr (_ + _).
    rewrite (eq_bigr (fun=> F true)) => [|i /andP[_ ->] //].
    by rewrite sumr_const; congr (_ *+ _); apply: eq_card => i; rewrite !inE.
  rewrite (eq_bigr (fun=> F false)) => [|i /andP[_ /negbTE->] //].
  rewrite sumr_const -cardsDS ?still_sub //; congr (_ *+ _).
  apply: eq_card => i; rewrite [LHS]unfold_in [in RHS]inE [in RHS]inE.
  by case: (i \in B); rewrite /= ?andbT.
rewrite (eq_bigr (fun i => w (k + (g i == i) + true)%N *+ #|still (~: A) g| +
    w (k + (g i == i) + false)%N *+ (#|~: A| - #|still (~: A) g|)))
    => [|i iA].
  rewrite (fixedE A (fun b => w (k + b + true)%N *+ #|still (~: A) g| +
    w (k + b + false)%N *+ (#|~: A| - #|still (~: A) g|))) AE BE /= !addn0.
  rewrite !addn1.
  move: #|still A g| #|still (~: A) g| (w k) (w k.+1) (w k.+2) => u v w0 w1 w2.
  by rewrite !mulrnDl !mulrnDr -!mulrnA ![(_ * u)%N]mulnC; ring.
rewrite -(fixedE (~: A) (fun b => w (k + (g i == i) + b)%N)).
by apply: eq_bigr => j jA; rewrite (@moved_exchanged _ A) // -in_setC.
Qed.

Lemma psa_exchanged :
  \sum_(i in A) \sum_(j in ~: A)
     psa p p01 (apply_perm (tperm i j) x) (table_ord x) =
  scale * \sum_(u < n1.+1) \sum_(v < n2.+1) exchanged_mass o n1 n2 u v.
Proof.
have [AE BE] := card_row.
have psaE i j : i \in A -> j \in ~: A ->
    psa p p01 (apply_perm (tperm i j) x) (table_ord x) =
    \sum_(g | keeps_row A g) move_mass p n (moved (g * tperm i j)%g).
  move=> iA jA; rewrite psa_applyE tpermV (eq_bigl _ _ diagonal_kept).
  by apply: eq_bigr => g _; rewrite unit_psa_perm.
rewrite (eq_bigr (fun i => \sum_(j in ~: A) \sum_(g | keeps_row A g)
    move_mass p n (moved (g * tperm i j)%g))) => [|i iA]; last first.
  by apply: eq_bigr => j; apply: psaE.
rewrite (eq_bigr (fun i => \sum_(g | keeps_row A g) \sum_(j in ~: A)
    move_mass p n (moved (g * tperm i j)%g))) => [|i iA]; last first.
  by rewrite exchange_big.
rewrite exchange_big /=.
pose F u v := let k := (n1 - u + (n2 - v))%N in
  move_mass p n k *+ ((n1 - u) * (n2 - v)) +
  move_mass p n k.+1 *+ (u * (n2 - v) + (n1 - u) * v) +
  move_mass p n k.+2 *+ (u * v).
rewrite (eq_bigr (fun g => F #|still A g| #|still (~: A) g|)) => [|g gA].
  rewrite (keeps_row_sum A F) AE BE mulr_sumr; apply: eq_bigr => u _.
  rewrite mulr_sumr; apply: eq_bigr => v _; rewrite /exchanged_mass mulrCA.
  congr (_ * _); rewrite /F !mulrDr.
  have le_u : (u <= n1)%N by rewrite -ltnS.
  have le_v : (v <= n2)%N by rewrite -ltnS.
  have massE k m : (0 < m -> k <= n)%N ->
      move_mass p n k *+ m = scale * (row_mass o k *+ m).
    case: m => [|m] le_k; first by rewrite !mulr0n mulr0.
    by rewrite (move_massE (le_k isT)) mulrnAr.
  by congr (_ + _ + _); apply: massE; move: le_u le_v; clear; nia.
by rewrite (sum_exchanges _ gA) /F /= moved_kept AE BE.
Qed.

Lemma hamming_exchanged i j : i \in A -> j \notin A ->
  hamming x (apply_perm (tperm i j) x) = 2%N.
Proof.
move=> iA jA; have ij : i != j by apply: contraNneq jA => <-.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  have c2 : #|[set i; j]| = 2%N by rewrite cards2 ij.
  apply: leq_trans (hamming_apply_perm _ _) _; rewrite -c2.
  apply: subset_leq_card; apply/subsetP=> v; rewrite !inE.
  by case: tpermP => [->|->|]; rewrite ?eqxx ?orbT.
have x'E v : apply_perm (tperm i j) x v = (tt, v \in A, tperm i j v \in A).
  by rewrite ffunE !xE.
have lost b : (0 < table x (tt, b, b) -
    table (apply_perm (tperm i j) x) (tt, b, b))%N.
  rewrite subn_gt0 !ffunE; apply/proper_card/properP; split.
    apply/subsetP=> v; rewrite !in_set x'E xE !xpair_eqE /=.
    by move=> /andP[/eqP-> _]; rewrite eqxx.
  exists (if b then i else j); rewrite in_set ?x'E ?xE !xpair_eqE /=.
    by case: b; rewrite ?iA ?(negbTE jA).
  by case: b; rewrite ?tpermL ?tpermR ?iA ?(negbTE jA) ?andbF.
rewrite /hamming (bigD1 (tt, true, true)) //= (bigD1 (tt, false, false)) //=.
by have := lost true; have := lost false; move: (_ - _)%N (_ - _)%N; lia.
Qed.

(* The universe of one stratum whose rows and columns have n1 and n2 records  *)
Definition two_by_two (z : dataset unit bool bool n) : Prop :=
  forall b, n_mh z tt b = (if b then n1 else n2) /\
            n_ms z tt b = (if b then n1 else n2).

Lemma diagonal_two_by_two : two_by_two x.
Proof.
have [AE BE] := card_row; move=> b; rewrite n_mhE n_msE.
have sizeE (f : 'I_n -> bool) : (forall v, f v = (v \in A)) ->
    #|[set v | (matching (x v) == tt) && (f v == b)]| = if b then n1 else n2.
  move=> fE; case: b; [rewrite -[RHS]AE | rewrite -[RHS]BE];
      apply: eq_card => v.
    by rewrite in_set fE xE eqxx eqb_id.
  by rewrite in_set fE xE eqxx eqbF_neg in_setC.
by split; apply: sizeE => v; rewrite xE.
Qed.

Lemma diagonal_cost gamma :
    pure_dp (fun _ : unit => two_by_two) (fun z z' => Some (hamming z z'))
      (fun=> Some gamma) (psa p p01) ->
  (n1 * n2)%:R * kept_sum o n1 n2 (fun _ _ => 1) <=
  gamma ^+ 2 * \sum_(u < n1.+1) \sum_(v < n2.+1) exchanged_mass o n1 n2 u v.
Proof.
move=> dp; have [AE BE] := card_row.
have le i j : i \in A -> j \in ~: A -> psa p p01 x (table_ord x) <=
    gamma ^+ 2 * psa p p01 (apply_perm (tperm i j) x) (table_ord x).
  rewrite in_setC => iA jA; set x' := apply_perm _ x.
  have x'_in : two_by_two x'.
    have xt : preserves_strata x (tperm i j).
      by apply/preserves_strataP=> v; rewrite !xE.
    move=> b; have [hE sE] := diagonal_two_by_two b.
    by rewrite n_mh_apply n_ms_apply.
  have := dp tt x x' diagonal_two_by_two x'_in.
  by rewrite hamming_exchanged // => /mult_leP/(_ (table_ord x))[].
rewrite -(ler_pmul2l scale_gt0) mulrCA -psa_diagonal mulrCA -psa_exchanged.
have sumE (c d : R) : \sum_(i in A) \sum_(j in ~: A) c * d =
    (n1 * n2)%:R * (c * d).
  by rewrite !sumr_const AE BE -mulrnA mulnC mulr_natl.
rewrite -[psa _ _ _ _]mul1r -sumE mulr_sumr; apply: ler_sum => i iA.
by rewrite mulr_sumr; apply: ler_sum => j jA; rewrite mul1r le.
Qed.

End Diagonal.

Section Limit.

Variable R : archiFieldType.

(* Where n1 and n2 are k times s1 and s2, for large k                         *)
Lemma large_half (o : R) s1 s2 (D := 2%:R + o) (s := (s1 + s2)%N)
    (e1 := D * s1%:R - s%:R) (e2 := D * s2%:R - s%:R) :
    0 < o -> 0 < e1 -> 0 < e2 ->
  for_large (fun k => ((k * s1)`! * (k * s2)`!)%:R * D ^+ (k * s1 + k * s2) <=
    18%:R * ((k * s1 + k * s2)`!%:R *
      kept_sum o (k * s1) (k * s2) (fun _ _ => 1))).
Proof.
move=> o_gt0 e1_gt0 e2_gt0; have D_gt0 : 0 < D by rewrite addr_gt0 ?ltr0n.
have two_gt0 : 0 < 2%:R :> R by rewrite ltr0n.
have L1 := large_scale (2%:R * D) e1_gt0.
have L2 := large_scale (2%:R * D) e2_gt0.
have L3 := large_scale (8%:R * s%:R * (1 + o) * (e1 ^- 2 + e2 ^- 2)) ltr01.
apply: for_large_impl (for_large_and L1 (for_large_and L2 (for_large_and L3
  (large_ge 1)))) => k [le1 [le2 [le3 k_gt0]]].
have k_pos : 0 < k%:R :> R by rewrite ltr0n.
have side e m : 2%:R * D <= e * k%:R -> e = D * m%:R - s%:R ->
    e / 2%:R * k%:R <= D * (k * m).-1%:R - (k * s1 + k * s2)%:R.
  move=> le_e eE; have le_m : k%:R * m%:R - 1 <= (k * m).-1%:R :> R.
    rewrite -natrM; case: (k * m)%N => [|l].
      by rewrite sub0r oppr_le0 ler01.
    by rewrite mulrSr addrK.
  apply: le_trans (ler_add (ler_wpmul2l (ltW D_gt0) le_m) (lexx _)).
  rewrite -mulnDr natrM -/s -(ler_pmul2r two_gt0) -subr_ge0.
  rewrite -[leLHS](mulr0 k%:R).
  have := le_e; rewrite -subr_ge0 eE; congr (_ <= _); first by rewrite mulr0.
  by rewrite !natrD; field.
pose f1 := e1 / 2%:R * k%:R; pose f2 := e2 / 2%:R * k%:R.
have [f1_gt0 f2_gt0] : 0 < f1 /\ 0 < f2.
  by rewrite /f1 /f2 !mulr_gt0 ?invr_gt0.
apply: (kept_sum_ge o_gt0 f1_gt0 f2_gt0); try exact: side.
rewrite -mulnDr natrM -/s.
have -> : k%:R * s%:R * (1 + o) * (f1 ^- 2 + f2 ^- 2) =
    8%:R * s%:R * (1 + o) * (e1 ^- 2 + e2 ^- 2) / k%:R * 2%:R^-1.
  by rewrite /f1 /f2; field; rewrite !gt_eqF.
rewrite ler_pimull ?invr_ge0 ?ler0n // ler_pdivr_mulr // mul1r.
Qed.

(* No smaller gamma will do.                                                  *)
Theorem limit_attained (p : R) (p01 : 0 <= p <= 1) (s1 s2 : nat) (gamma : R)
    (c := (s1 + s2)%:R / (2%:R + p / (1 - p))) :
    0 < p < 1 -> c < s1%:R -> c < s2%:R ->
    gamma ^+ 2 < (s1 * s2)%:R / ((s1%:R - c) * (s2%:R - c)) ->
  exists k0, forall k, (k0 <= k)%N ->
    ~ pure_dp (fun _ : unit => two_by_two (n1 := k * s1) (n2 := k * s2))
        (fun x x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01).
Proof.
move=> /andP[p_gt0 p_lt1]; rewrite /c.
have o_gt0 : 0 < p / (1 - p) by rewrite divr_gt0 ?subr_gt0.
set o := p / (1 - p) in o_gt0 *; set D := 2%:R + o; set s := (s1 + s2)%N.
have D_gt0 : 0 < D by rewrite addr_gt0 ?ltr0n.
pose e1 := D * s1%:R - s%:R; pose e2 := D * s2%:R - s%:R.
rewrite !ltr_pdivr_mulr // ![_ * D]mulrC -[_ < _]subr_gt0.
rewrite -[X in _ -> is_true X -> _]subr_gt0 -/e1 -/e2 => e1_gt0 e2_gt0.
have -> : (s1 * s2)%:R / ((s1%:R - s%:R / D) * (s2%:R - s%:R / D)) =
    D ^+ 2 * (s1 * s2)%:R / (e1 * e2).
  have E i : D * i - s%:R != 0 -> i - s%:R / D = (D * i - s%:R) / D.
    by move=> _; field; rewrite gt_eqF.
  rewrite !E ?gt_eqF // -/e1 -/e2; field.
  by rewrite !gt_eqF.
rewrite ltr_pdivl_mulr ?mulr_gt0 // -subr_gt0; set gap := _ - _ => gap_gt0.
have s_gt0 : (0 < s)%N.
  rewrite lt0n; apply: contraTneq e1_gt0 => s0; rewrite /e1 s0 subr0.
  by move/eqP: s0; rewrite addn_eq0 => /andP[/eqP-> _]; rewrite mulr0 ltxx.
have sR_gt0 : 0 < s%:R :> R by rewrite ltr0n.
have g_gt0 : 0 < gamma ^+ 2 + 1 by rewrite ltr_paddl ?sqr_ge0 ?ltr01.
pose t := gap / (4%:R * D * s%:R ^+ 2 * (gamma ^+ 2 + 1)).
have t_gt0 : 0 < t.
  rewrite divr_gt0 //; apply: mulr_gt0 g_gt0.
  by rewrite mulr_gt0 ?exprn_gt0 // mulr_gt0 ?ltr0n.
have half_gt0 : 0 < gap / 2%:R by rewrite divr_gt0 ?ltr0n.
have L1 := large_half o_gt0 e1_gt0 e2_gt0.
have L2 := large_square (gamma ^+ 2 * excess_cost o t * s%:R) half_gt0 (lexx 0).
have [k0 large] := for_large_and L1 (for_large_and L2 (large_ge 2)).
exists k0 => k /large[half [square k_gt1]] dp.
have k_gt0 : 0 < k%:R :> R by rewrite ltr0n ltnW.
have n_gt1 : (1 < k * s1 + k * s2)%N.
  by rewrite -mulnDr (leq_trans k_gt1) // leq_pmulr.
have cost := diagonal_cost n_gt1 p_gt0 p_lt1 dp; rewrite -/o in cost.
have eE m : D * (k * m)%:R - (k * s1 + k * s2)%:R = k%:R * (D * m%:R - s%:R).
  by rewrite -mulnDr -/s !natrM; ring.
have e1_ge0 : 0 <= D * (k * s1)%:R - (k * s1 + k * s2)%:R.
  by rewrite eE mulr_ge0 // ltW.
have e2_ge0 : 0 <= D * (k * s2)%:R - (k * s1 + k * s2)%:R.
  by rewrite eE mulr_ge0 // ltW.
have sum := exchanged_sum_le o_gt0 (ltnW n_gt1) t_gt0 e1_ge0 e2_ge0 half.
rewrite !eE -mulnDr -/s -/e1 -/e2 in sum.
have Z_gt0 : 0 < kept_sum o (k * s1) (k * s2) (fun _ _ => 1).
  have f_gt0 i : 0 < i`!%:R :> R by rewrite ltr0n fact_gt0.
  rewrite -(pmulr_rgt0 _ (f_gt0 (k * s1 + k * s2)%N)).
  rewrite -(pmulr_rgt0 _ (ltr0n R 18)); apply: lt_le_trans half.
  by rewrite natrM !mulr_gt0 ?exprn_gt0.
have D2_gt0 : 0 < D ^+ 2 by rewrite exprn_gt0.
have := ler_wpmul2l (sqr_ge0 gamma) sum; rewrite [leLHS]mulrCA.
move/(le_trans (ler_wpmul2l (ltW D2_gt0) cost)).
rewrite [leLHS]mulrA [leRHS]mulrA ler_pmul2r // leNgt => /negP[].
rewrite -subr_gt0.
have le_t : gamma ^+ 2 * (2%:R * D * t * s%:R ^+ 2) <= gap / 2%:R.
  have -> : gamma ^+ 2 * (2%:R * D * t * s%:R ^+ 2) =
      gap / 2%:R * (gamma ^+ 2 / (gamma ^+ 2 + 1)).
    by rewrite /t; field; rewrite !gt_eqF.
  rewrite ler_pimulr ?(ltW half_gt0) // ler_pdivr_mulr // mul1r.
  by rewrite ler_addl ler01.
have k2_gt0 : 0 < k%:R ^+ 2 :> R by rewrite exprn_gt0.
have le_t2 := ler_wpmul2r (ltW k2_gt0) le_t.
have := square; rewrite -(ltr_add2l (gap / 2%:R * k%:R ^+ 2)).
move/(le_lt_trans (ler_add le_t2 (lexx _))); rewrite -subr_gt0.
by rewrite /gap !natrM; congr (_ < _); rewrite /D; field.
Qed.

End Limit.
