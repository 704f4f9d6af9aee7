From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat derangement binomial_moments.

(******************************************************************************)
(* The records of two rows that stay are near n / (2 + o) in each row         *)
(*                                                                            *)
(*   kept_sum o n1 n2 f == the sum of kept_mass u v f(u, v), u of n1 records  *)
(*            and v of n2 stay                                                *)
(*   next_rate o k == o (1 + o) / k, or o (1 + o) where k is 0                *)
(*   exchanged_mass o n1 n2 u v == the masses of x', summed over all          *)
(*            exchanges of a record of one row with one of the other          *)
(*   step_cost, excess_cost == constants of the bounds, which do not depend   *)
(*            on n1 and n2                                                    *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   kept_squares_le == the squares of the deviations with kept_mass          *)
(*   kept_sum_ge == all kept_mass is at least a share of the trinomial        *)
(*   exchanged_sum_le == the exchanged masses are at most e1 e2 / (2 + o)^2   *)
(*            times all kept_mass, but for t n^2 and a multiple of n, where   *)
(*            e1 = (2 + o) n1 - n and e2 = (2 + o) n2 - n                     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Concentration.

Variables (R : realFieldType) (o : R) (n1 n2 : nat).
Hypothesis o_gt0 : 0 < o.

Local Notation n := (n1 + n2)%N.
Local Notation G := (kept_mass o n1 n2).
Local Notation D := (2%:R + o).
Local Notation x := (deviation o n).

Let D_gt0 : 0 < D. Proof. by rewrite addr_gt0 ?ltr0n. Qed.
Let y_gt0 : 0 < 1 + o. Proof. by rewrite addr_gt0 ?ltr01. Qed.

Definition kept_sum (f : nat -> nat -> R) : R :=
  \sum_(u < n1.+1) \sum_(v < n2.+1) G u v * f u v.

Lemma kept_sumE f :
  kept_sum f = \sum_(u < n.+1) \sum_(v < n.+1) G u v * f u v.
Proof.
have out u v : ~~ ((u <= n1) && (v <= n2))%N -> G u v * f u v = 0.
  by move=> le; rewrite kept_mass_out ?mul0r.
rewrite /kept_sum (big_ord_widen n.+1 (fun u =>
  \sum_(v < n2.+1) G u v * f u v)).
  rewrite big_mkcond; apply: eq_bigr => u _; rewrite ltnS.
  case: leqP => [_ | lt_u]; last first.
    by rewrite big1 // => v _; rewrite out // leqNgt lt_u.
  rewrite (big_ord_widen n.+1 (fun v => G u v * f u v)) ?ltnS ?leq_addl //.
  rewrite big_mkcond; apply: eq_bigr => v _; rewrite ltnS.
  by case: leqP => // lt_v; rewrite out // negb_and -!ltnNge lt_v orbT.
by rewrite ltnS leq_addr.
Qed.

Lemma kept_sumD f h :
  kept_sum (fun u v => f u v + h u v) = kept_sum f + kept_sum h.
Proof.
rewrite -big_split; apply: eq_bigr => u _; rewrite -big_split.
by apply: eq_bigr => v _; rewrite mulrDr.
Qed.

Lemma kept_sumZ a f : kept_sum (fun u v => a * f u v) = a * kept_sum f.
Proof.
rewrite mulr_sumr; apply: eq_bigr => u _; rewrite mulr_sumr.
by apply: eq_bigr => v _; rewrite mulrCA.
Qed.

Local Notation squares := (fun u v => x u ^+ 2 + x v ^+ 2).
Local Notation spread := (n%:R * (1 + o) * D ^+ n).

Lemma kept_squares_le :
  n`!%:R * kept_sum squares <= 6%:R * ((n1`! * n2`!)%:R * spread).
Proof.
rewrite kept_sumE mulr_sumr.
apply: (@le_trans _ _ ((3 * (n1`! * n2`!))%:R * \sum_(u < n.+1)
    \sum_(v < n.+1) (trinomial o n u v * x u ^+ 2 +
      trinomial o n u v * x v ^+ 2))).
  rewrite mulr_sumr; apply: ler_sum => u _; rewrite !mulr_sumr.
  apply: ler_sum => v _; rewrite -mulrDr [leLHS]mulrA [leRHS]mulrA.
  rewrite ler_wpmul2r //.
    by rewrite addr_ge0 ?sqr_ge0.
  exact: kept_mass_le.
under eq_bigr do rewrite big_split.
rewrite big_split /= trinomial_square. rewrite trinomial_square' -mulr2n.
rewrite -[spread *+ 2]mulr_natl natrM mulrACA -natrM; exact: lexx.
Qed.

(* Half of the trinomial is where two records of each row or more move.       *)
Lemma kept_sum_ge (e1 e2 : R) : 0 < e1 -> 0 < e2 ->
    e1 <= D * n1.-1%:R - n%:R -> e2 <= D * n2.-1%:R - n%:R ->
    n%:R * (1 + o) * (e1 ^- 2 + e2 ^- 2) <= 2%:R^-1 ->
  (n1`! * n2`!)%:R * D ^+ n <= 18%:R * (n`!%:R * kept_sum (fun _ _ => 1)).
Proof.
move=> e1_gt0 e2_gt0 le1 le2 half.
have two_gt0 : 0 < 2%:R :> R by rewrite ltr0n.
rewrite -(ler_pmul2l (_ : 0 < 2%:R^-1)) ?invr_gt0 //.
have -> : 2%:R^-1 * (18%:R * (n`!%:R * kept_sum (fun _ _ => 1))) =
    (9 * n`!)%:R * kept_sum (fun _ _ => 1).
  have -> : 18%:R = 2%:R * 9%:R :> R by rewrite -natrM.
  by rewrite natrM -!mulrA mulKf // gt_eqF.
pose rest u v := 1 - (x u ^+ 2 * e1 ^- 2 + x v ^+ 2 * e2 ^- 2).
apply: (@le_trans _ _ ((n1`! * n2`!)%:R *
  \sum_(u < n.+1) \sum_(v < n.+1) trinomial o n u v * rest u v)).
  rewrite mulrCA ler_wpmul2l ?ler0n //.
  have -> : \sum_(u < n.+1) \sum_(v < n.+1) trinomial o n u v * rest u v =
      D ^+ n - (spread * e1 ^- 2 + spread * e2 ^- 2).
    rewrite -{1}(trinomial_square _ n) -(trinomial_square' _ n).
    rewrite -(trinomial_sum _ n) !mulr_suml -big_split -sumrB.
    apply: eq_bigr => u _; rewrite !mulr_suml -big_split -sumrB.
    apply: eq_bigr => v _ /=; rewrite /rest; move: (trinomial _ _ _ _) => t.
    by rewrite mulrBr mulr1 mulrDr; congr (_ - (_ + _)); rewrite mulrA.
  rewrite -mulrDr mulrAC -[X in X - _]mul1r -mulrBl ler_wpmul2r //.
    by rewrite exprn_ge0 // ltW.
  rewrite ler_subr_addl -ler_subr_addr; apply: (le_trans half).
  by rewrite ler_subr_addr -mulr2n -[_^-1 *+ 2]mulr_natr mulVf ?gt_eqF.
have far e m u : 0 < e -> e <= D * m.-1%:R - n%:R -> (m < u.+2)%N ->
    1 <= x u ^+ 2 * e ^- 2.
  move=> e_gt0 le_e lt_m; rewrite ler_pdivl_mulr ?exprn_gt0 // mul1r.
  have le_x : e <= x u.
    apply: (le_trans le_e); rewrite ler_add2r ler_wpmul2l ?(ltW D_gt0) //.
    by rewrite ler_nat; move: lt_m; clear; lia.
  by rewrite ler_sqr ?nnegrE ?(ltW e_gt0) // (le_trans (ltW e_gt0)).
have far_ge0 e u : 0 < e -> 0 <= x u ^+ 2 * e ^- 2.
  by move=> e_gt0; rewrite mulr_ge0 ?sqr_ge0 // invr_ge0 exprn_ge0 // ltW.
rewrite kept_sumE !mulr_sumr; apply: ler_sum => u _; rewrite !mulr_sumr.
apply: ler_sum => v _; rewrite mulr1.
have T_ge0 : 0 <= trinomial o n u v by apply: trinomial_ge0.
have G_ge0 : 0 <= G u v by apply: kept_mass_ge0.
have K_ge0 k : 0 <= k%:R * G u v by rewrite mulr_ge0 ?ler0n.
have out : rest u v <= 0 -> (n1`! * n2`!)%:R * (trinomial o n u v * rest u v) <=
    (9 * n`!)%:R * G u v.
  move=> le0; apply: le_trans (K_ge0 _).
  by rewrite mulr_ge0_le0 ?ler0n // mulr_ge0_le0.
have [lt_u | le_u] := ltnP n1 u.+2.
  by apply: out; rewrite subr_le0 ler_paddr ?far_ge0 // (far _ n1).
have [lt_v | le_v] := ltnP n2 v.+2.
  by apply: out; rewrite subr_le0 ler_paddl ?far_ge0 // (far _ n2).
apply: (le_trans _ (kept_mass_ge o_gt0 le_u le_v)).
rewrite ler_wpmul2l ?ler0n // ler_pimulr // ler_subl_addr ler_addl.
by rewrite addr_ge0 ?far_ge0.
Qed.

(* One or two more moved records                                              *)
Lemma row_mass_next k : (0 < k)%N -> k != 1%N ->
  k%:R * row_mass o k.+1 <= o * row_mass o k.
Proof.
case: k => // k _ k1; have dk : (0 < der k.+1)%N by rewrite der_gt0.
have dk1 : (0 < der k.+2)%N by rewrite der_gt0.
rewrite /row_mass [o ^+ k.+2]exprS mulrCA -mulrA ler_pmul2l //.
rewrite ler_pmul2l ?exprn_gt0 // ler_pdivr_mulr ?ltr0n //.
rewrite ler_pdivl_mull ?ltr0n // -natrM ler_nat derSS mulnC leq_mul2l.
by rewrite leq_addr orbT.
Qed.

Definition next_rate k : R := o * (1 + o) / (maxn k 1)%:R.

Lemma row_mass_next2 k : k != 1%N ->
  row_mass o k.+1 + row_mass o k.+2 <= next_rate k * row_mass o k.
Proof.
have [-> _ | k_gt0 k1] := posnP k.
  rewrite /next_rate /row_mass der0 der1 der2 invr0 mulr0 add0r !divr1 mulr1.
  by rewrite expr2 ler_pmul2l // ler_addr ler01.
rewrite /next_rate (maxn_idPl k_gt0) mulrAC ler_pdivl_mulr ?ltr0n //.
rewrite [leLHS]mulrC [k%:R * _]mulrDr [o * (1 + o)]mulrDr mulr1 [leRHS]mulrDl.
apply: ler_add.
  exact: row_mass_next.
rewrite -mulrA; apply: (@le_trans _ _ (o * (k%:R * row_mass o k.+1))).
  rewrite [leRHS]mulrCA ler_wpmul2l ?ler0n //.
  apply: le_trans (row_mass_next (ltn0Sn k) _); last first.
    by rewrite eqSS -lt0n.
  by rewrite ler_pemull ?row_mass_ge0 // ler1n.
by rewrite ler_pmul2l ?row_mass_next.
Qed.

Lemma next_rate_le u v (S := x u ^+ 2 + x v ^+ 2) :
    (0 < n)%N -> (u <= n1)%N -> (v <= n2)%N ->
  n%:R ^+ 2 * next_rate (n1 - u + (n2 - v)) <=
  2%:R * D * (1 + o) * n%:R + 8%:R * (1 + o) / o * S.
Proof.
move=> n_gt0 le_u le_v; set k := (n1 - u + (n2 - v))%N.
have nR_gt0 : 0 < n%:R :> R by rewrite ltr0n.
have S_ge0 : 0 <= S by rewrite addr_ge0 ?sqr_ge0.
have kE : D * k%:R = o * n%:R - x u - x v.
  have -> : k%:R = n%:R - u%:R - v%:R :> R.
    by rewrite /k natrD (natrB _ le_u) (natrB _ le_v) natrD; ring.
  by rewrite /deviation; ring.
have M_gt0 : 0 < (maxn k 1)%:R :> R by rewrite ltr0n leq_max orbT.
have rate_gt0 : 0 < o * (1 + o) by rewrite mulr_gt0.
have [near | far] := leP (o * n%:R) (2%:R * (D * k%:R)).
  rewrite ler_paddr //.
    by rewrite !mulr_ge0 ?ler0n ?invr_ge0 // ltW.
  rewrite /next_rate mulrA ler_pdivr_mulr //.
  have le_k : o * n%:R <= 2%:R * (D * (maxn k 1)%:R).
    apply: (le_trans near); rewrite !ler_pmul2l ?ltr0n //.
    by rewrite ler_nat leq_maxl.
  have c_ge0 : 0 <= n%:R * (1 + o) by rewrite mulr_ge0 ?ler0n // ltW.
  have := ler_wpmul2l c_ge0 le_k; move: (maxn k 1)%:R => M.
  by congr (_ <= _); ring.
have le_rate : next_rate k <= o * (1 + o).
  by rewrite ler_pdivr_mulr // ler_pemulr ?(ltW rate_gt0) // ler1n leq_maxr.
apply: (le_trans (ler_wpmul2l (sqr_ge0 _) le_rate)).
rewrite ler_paddl //; first by rewrite !mulr_ge0 ?ler0n // ltW.
have le_S : (o * n%:R) ^+ 2 <= 8%:R * S.
  have sum_gt : o * n%:R < 2%:R * (x u + x v).
    rewrite -subr_gt0 kE in far; rewrite -subr_gt0; move: far.
    by congr (_ < _); ring.
  have on_ge0 : 0 <= o * n%:R by rewrite mulr_ge0 ?ler0n // ltW.
  have le_sq : (o * n%:R) ^+ 2 <= (2%:R * (x u + x v)) ^+ 2.
    by rewrite ler_sqr ?nnegrE ?(ltW sum_gt) // (le_trans on_ge0) // ltW.
  apply: (le_trans le_sq); rewrite -subr_ge0.
  have := mulr_ge0 (ler0n R 4) (sqr_ge0 (x u - x v)).
  by congr (_ <= _); rewrite /S; ring.
have c_ge0 : 0 <= (1 + o) / o by rewrite divr_ge0 // ltW.
have := ler_wpmul2l c_ge0 le_S.
by congr (_ <= _); field; rewrite gt_eqF.
Qed.

(* The masses of x', summed over all exchanges of two records of the rows     *)
Definition exchanged_mass u v : R :=
  let k := (n1 - u + (n2 - v))%N in
  (row_count n1 u * row_count n2 v)%:R *
  (row_mass o k *+ ((n1 - u) * (n2 - v)) +
   row_mass o k.+1 *+ (u * (n2 - v) + (n1 - u) * v) +
   row_mass o k.+2 *+ (u * v)).

Lemma exchanged_le u v : (u <= n1)%N -> (v <= n2)%N ->
  exchanged_mass u v <= G u v * (((n1 - u) * (n2 - v))%:R +
    n%:R ^+ 2 * next_rate (n1 - u + (n2 - v))).
Proof.
move=> le_u le_v; rewrite /exchanged_mass /kept_mass.
set k := (n1 - u + (n2 - v))%N.
have [k1 | k1] := eqVneq k 1%N.
  have -> : (row_count n1 u * row_count n2 v = 0)%N.
    rewrite /row_count; move: k1; rewrite /k.
    by case: (n1 - u)%N (n2 - v)%N => [|[|?]] [|[|?]] //; rewrite der1 ?muln0.
  by rewrite !mul0r.
rewrite -mulrA ler_wpmul2l ?ler0n // mulrDr mulr_natr -addrA ler_add2l.
have le_n2 i : (i <= n ^ 2)%N -> forall k', 0 <= row_mass o k' ->
    row_mass o k' *+ i <= n%:R ^+ 2 * row_mass o k'.
  move=> le_i k' W_ge0; rewrite -[leLHS]mulr_natl ler_wpmul2r //.
  by rewrite -natrX ler_nat.
have W_ge0 k' := row_mass_ge0 o_gt0 k'.
have le1 : (u * (n2 - v) + (n1 - u) * v <= n ^ 2)%N.
  by move: le_u le_v; rewrite -mulnn; clear; nia.
have le2 : (u * v <= n ^ 2)%N by move: le_u le_v; rewrite -mulnn; clear; nia.
apply: (le_trans (ler_add (le_n2 _ le1 _ (W_ge0 _)) (le_n2 _ le2 _ (W_ge0 _)))).
rewrite -mulrDr mulrCA ler_wpmul2l ?sqr_ge0 // [leRHS]mulrC.
exact: row_mass_next2.
Qed.

Local Notation e1 := (D * n1%:R - n%:R).
Local Notation e2 := (D * n2%:R - n%:R).

(* D^2 a b is near e1 e2.                                                     *)
Lemma moved_pairs_le (t : R) u v (S := x u ^+ 2 + x v ^+ 2) :
    (0 < n)%N -> 0 < t -> (u <= n1)%N -> (v <= n2)%N ->
    0 <= e1 -> 0 <= e2 ->
  D ^+ 2 * ((n1 - u) * (n2 - v))%:R <=
  e1 * e2 + 2%:R * D * t * n%:R ^+ 2 + (D / t + 1) * S.
Proof.
move=> n_gt0 t_gt0 le_u le_v e1_ge0 e2_ge0.
have nR_gt0 : 0 < n%:R :> R by rewrite ltr0n.
have tn_gt0 : 0 < t * n%:R by rewrite mulr_gt0.
have le_e m : (m <= n)%N -> D * m%:R - n%:R <= D * n%:R.
  move=> le_m; rewrite ler_subl_addr ler_paddr ?ler0n //.
  by rewrite ler_pmul2l // ler_nat.
have low e w : 0 <= e -> e <= D * n%:R ->
    - (e * x w) <= D * t * n%:R ^+ 2 + D / t * x w ^+ 2.
  move=> e_ge0 le_en.
  have le_w : - x w <= t * n%:R + x w ^+ 2 / (t * n%:R).
    rewrite -(ler_pmul2r tn_gt0) mulrDl divfK ?gt_eqF // -subr_ge0.
    rewrite -(pmulr_rge0 _ (ltr0n R 2)).
    have := addr_ge0 (sqr_ge0 (t * n%:R + x w)) (addr_ge0 (sqr_ge0 (t * n%:R))
      (sqr_ge0 (x w))).
    by congr (_ <= _); ring.
  rewrite -mulrN; apply: (le_trans (ler_wpmul2l e_ge0 le_w)).
  have le_w_ge0 : 0 <= t * n%:R + x w ^+ 2 / (t * n%:R).
    by rewrite addr_ge0 ?divr_ge0 ?sqr_ge0 // ltW.
  apply: (le_trans (ler_wpmul2r le_w_ge0 le_en)); rewrite le_eqVlt.
  apply/orP; left; apply/eqP; field.
  by rewrite -natrD !gt_eqF.
have E : D ^+ 2 * ((n1 - u) * (n2 - v))%:R = (e1 - x u) * (e2 - x v).
  by rewrite natrM !natrB // /deviation; ring.
have le_xx : x u * x v <= S.
  rewrite -subr_ge0 -(pmulr_rge0 _ (ltr0n R 2)).
  have := addr_ge0 (sqr_ge0 (x u - x v)) (addr_ge0 (sqr_ge0 (x u))
    (sqr_ge0 (x v))).
  by congr (_ <= _); rewrite /S; ring.
have := ler_add (ler_add (low _ v e1_ge0 (le_e _ (leq_addr _ _)))
  (low _ u e2_ge0 (le_e _ (leq_addl _ _)))) le_xx.
by rewrite E -(ler_add2l (e1 * e2)) /S; congr (_ <= _); ring.
Qed.

Definition step_cost (t : R) : R :=
  D / t + 1 + D ^+ 2 * (8%:R * (1 + o) / o).

Definition excess_cost (t : R) : R :=
  D ^+ 2 * (2%:R * D * (1 + o)) + (6%:R * 18%:R) * (1 + o) * step_cost t.

Lemma kept_squares_mean :
    (n1`! * n2`!)%:R * D ^+ n <= 18%:R * (n`!%:R * kept_sum (fun _ _ => 1)) ->
  kept_sum squares <= (6%:R * 18%:R) * (1 + o) * n%:R * kept_sum (fun _ _ => 1).
Proof.
move=> half; have f_gt0 : 0 < n`!%:R :> R by rewrite ltr0n fact_gt0.
rewrite -(ler_pmul2l f_gt0); apply: (le_trans kept_squares_le).
have c_ge0 : 0 <= 6%:R * n%:R * (1 + o) by rewrite !mulr_ge0 ?ler0n // ltW.
have := ler_wpmul2l c_ge0 half.
move: (kept_sum _) (n1`! * n2`!)%:R (D ^+ n) n`!%:R n%:R => Z K P f m.
by congr (_ <= _); ring.
Qed.

Lemma exchanged_sum_le (t : R) : (0 < n)%N -> 0 < t -> 0 <= e1 -> 0 <= e2 ->
    (n1`! * n2`!)%:R * D ^+ n <= 18%:R * (n`!%:R * kept_sum (fun _ _ => 1)) ->
  D ^+ 2 * (\sum_(u < n1.+1) \sum_(v < n2.+1) exchanged_mass u v) <=
  (e1 * e2 + 2%:R * D * t * n%:R ^+ 2 + excess_cost t * n%:R) *
    kept_sum (fun _ _ => 1).
Proof.
move=> n_gt0 t_gt0 e1_ge0 e2_ge0 half; have mean := kept_squares_mean half.
have D2_ge0 : 0 <= D ^+ 2 by rewrite sqr_ge0.
have L_ge0 : 0 <= step_cost t.
  have D_ge0 := ltW D_gt0; have y_ge0 := ltW y_gt0.
  by rewrite !addr_ge0 ?mulr_ge0 ?ler0n ?invr_ge0 ?ler01 // ltW.
pose near := e1 * e2 + 2%:R * D * t * n%:R ^+ 2 +
  D ^+ 2 * (2%:R * D * (1 + o)) * n%:R.
apply: (@le_trans _ _ (kept_sum (fun u v =>
    near * 1 + step_cost t * (x u ^+ 2 + x v ^+ 2)))).
  rewrite mulr_sumr; apply: ler_sum => u _; rewrite mulr_sumr.
  apply: ler_sum => v _; have [le_u le_v] : (u <= n1)%N /\ (v <= n2)%N.
    by split; rewrite -ltnS.
  apply: (le_trans (ler_wpmul2l D2_ge0 (exchanged_le le_u le_v))).
  rewrite mulrCA ler_wpmul2l ?kept_mass_ge0 // [leLHS]mulrDr mulr1.
  have le1 := moved_pairs_le n_gt0 t_gt0 le_u le_v e1_ge0 e2_ge0.
  have le2 := ler_wpmul2l D2_ge0 (next_rate_le n_gt0 le_u le_v).
  apply: (le_trans (ler_add le1 le2)); rewrite le_eqVlt; apply/orP; left.
  by apply/eqP; rewrite /near /step_cost; ring.
rewrite kept_sumD !kept_sumZ.
apply: (le_trans (ler_add (lexx _) (ler_wpmul2l L_ge0 mean))).
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: (kept_sum _) => Z; rewrite /near /excess_cost; ring.
Qed.

End Concentration.
