From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming derangement pure.
From Stirred Require Import psa_law psa_privacy moved_counts balanced_limit.
From Stirred Require Import binomial_moments row_permutations kept_records.
From Stirred Require Import balanced_attained.

(******************************************************************************)
(* The limit of the budgets for two large rows is attained                    *)
(*                                                                            *)
(* Headline theorem                                                           *)
(*   limit_attained == gamma^2 below the limit is not enough in the universe  *)
(*            of one stratum with rows and columns of k s1 and k s2 records,  *)
(*            for all large k                                                 *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory GroupScope.

Local Open Scope ring_scope.

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
