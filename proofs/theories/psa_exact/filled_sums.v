From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat derangement binomial_moments.
From Stirred Require Import three_categories.

(******************************************************************************)
(* Sums over the records that move of rows that fill a column each            *)
(*                                                                            *)
(* The M other records are free: a of one row and b of another one move, and  *)
(* e of the others. For the odds o, the sum over e of the masses is that of a *)
(* binomial, so that a and b have nearly geometric laws.                      *)
(*                                                                            *)
(*   step_rate o M == (1 + o) / (M + 1)                                       *)
(*   free_sum o M l == the masses of l + e moved records, summed over the     *)
(*            permutations of the M others that move e, and over e            *)
(*   moved_ways n a == how many permutations of n records move a of them      *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   free_sum_le == free_sum is at most 3 (1 + o)^M step_rate^l               *)
(*   free_sum_ge == free_sum o M 0 is at least half of (1 + o)^M              *)
(*   geometric_le == the sum of y^a (a + y) is at most 2 y / (1 - y)^2        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Definition moved_ways n a : nat := 'C(n, a) * der a.

Lemma moved_ways_le n a : moved_ways n a <= n ^ a.
Proof.
apply: (@leq_trans (n ^_ a)).
  by rewrite -bin_ffact leq_mul2l der_fact orbT.
elim: a => // a IH; rewrite ffactnSr expnSr leq_mul //.
exact: leq_subr.
Qed.

Lemma pow_fact_le M l : M.+1 ^ l * M`! <= (M + l)`!.
Proof.
elim: l => [|l IH]; first by rewrite expn0 mul1n addn0.
rewrite expnS -mulnA addnS factS leq_mul // ltnS leq_addr //.
Qed.

Lemma bin_shift M e l : e <= M ->
  'C(M, e) * e`! * (M + l)`! = 'C(M + l, e + l) * M`! * (e + l)`!.
Proof.
move=> le_e; have E := bin_fact le_e.
have le_el : e + l <= M + l by rewrite leq_add2r.
have := bin_fact le_el; rewrite subnDr => E2.
apply/eqP; rewrite -(eqn_pmul2r (fact_gt0 (M - e))); apply/eqP.
move: E E2; move: 'C(_, _) 'C(_, _) e`! (M - e)`! M`! (e + l)`! (M + l)`!.
by move=> c c' f g h f' h' <- <-; nia.
Qed.

Local Open Scope ring_scope.

Section Sums.

Variables (R : realFieldType) (o : R) (M : nat).
Hypothesis o_gt0 : 0 < o.

Let o_ge0 : 0 <= o. Proof. exact: ltW. Qed.
Let y_gt0 : 0 < 1 + o. Proof. by rewrite addr_gt0 ?ltr01. Qed.

Definition step_rate : R := (1 + o) / M.+1%:R.

Definition free_sum l : R :=
  \sum_(e < M.+1) (moved_ways M e)%:R * row_mass o (e + l).

Lemma row_mass_le k : row_mass o k <= 3%:R * (o ^+ k / k`!%:R).
Proof.
have f_gt0 : 0 < k`!%:R :> R by rewrite ltr0n fact_gt0.
have oX : 0 <= o ^+ k by rewrite exprn_ge0.
rewrite /row_mass; have [-> | k1] := eqVneq k 1%N.
  by rewrite der1 invr0 mulr0 !mulr_ge0 ?ler0n // invr_ge0 ler0n.
have d_gt0 : 0 < (der k)%:R :> R.
  by have := fact_der k1; rewrite ltr0n; case: (der k) => //; rewrite muln0
    leqNgt fact_gt0.
rewrite mulrCA ler_wpmul2l // ler_pdivl_mulr // mulrC ler_pdivr_mulr //.
by rewrite -natrM ler_nat fact_der.
Qed.

Lemma shifted_binomial_le l :
  \sum_(e < M.+1) o ^+ (e + l) *+ 'C(M + l, e + l) <= (1 + o) ^+ (M + l).
Proof.
have -> : \sum_(e < M.+1) o ^+ (e + l) *+ 'C(M + l, e + l) =
    \sum_(l <= k < (M + l).+1) o ^+ k *+ 'C(M + l, k).
  by rewrite -[X in index_iota X _]add0n big_addn -addSn addnK big_mkord.
rewrite -(binomial_sum o (M + l)) -(big_mkord xpredT
  (fun k => o ^+ k *+ 'C(M + l, k))) [leRHS](@big_cat_nat _ _ _ l) //=;
  last first.
  by rewrite leqW // leq_addl.
by rewrite ler_addr; apply: sumr_ge0 => k _; rewrite mulrn_wge0 // exprn_ge0.
Qed.

Lemma free_term_le e l : (e <= M)%N ->
  (moved_ways M e)%:R * row_mass o (e + l) <=
  3%:R * (M`!%:R / (M + l)`!%:R * (o ^+ (e + l) *+ 'C(M + l, e + l))).
Proof.
move=> le_e; have f_gt0 k : 0 < k`!%:R :> R by rewrite ltr0n fact_gt0.
apply: (le_trans (ler_wpmul2l (ler0n _ _) (row_mass_le _))).
rewrite mulrCA ler_wpmul2l ?ler0n //.
move: (exprn_ge0 (e + l) o_ge0); move: (o ^+ _) => oX oX_ge0.
rewrite -[oX *+ _]mulr_natr [leLHS]mulrCA [leRHS]mulrCA ler_wpmul2l //.
rewrite ler_pdivr_mulr // -[leRHS]mulrA mulrAC ler_pdivl_mulr // -!natrM.
rewrite ler_nat.
have E := bin_shift l le_e; rewrite /moved_ways.
rewrite [leqRHS](_ : _ = 'C(M + l, e + l) * M`! * (e + l)`!)%N; last by lia.
by rewrite -E !leq_mul2r leq_mul2l der_fact !orbT.
Qed.

Lemma free_sum_le l : free_sum l <= 3%:R * (1 + o) ^+ M * step_rate ^+ l.
Proof.
have q_ge0 : 0 <= M`!%:R / (M + l)`!%:R :> R by rewrite divr_ge0 ?ler0n.
apply: (@le_trans _ _ (3%:R * (M`!%:R / (M + l)`!%:R *
    \sum_(e < M.+1) o ^+ (e + l) *+ 'C(M + l, e + l)))).
  rewrite !mulr_sumr; apply: ler_sum => e _.
  by apply: free_term_le; rewrite -ltnS.
rewrite -[leRHS]mulrA ler_wpmul2l ?ler0n //.
apply: (le_trans (ler_wpmul2l q_ge0 (shifted_binomial_le l))).
rewrite exprD [leLHS]mulrCA ler_wpmul2l ?exprn_ge0 ?(ltW y_gt0) //.
rewrite /step_rate expr_div_n mulrC ler_wpmul2l ?exprn_ge0 ?(ltW y_gt0) //.
rewrite ler_pdivr_mulr ?ltr0n ?fact_gt0 // mulrC.
rewrite ler_pdivl_mulr ?exprn_gt0 ?ltr0n // mulrC -natrX -natrM ler_nat.
exact: pow_fact_le.
Qed.

Lemma free_sum_ge : (1 < M)%N -> (1 + o) ^+ M <= 2%:R * free_sum 0.
Proof.
move=> M_gt1; apply: (le_trans (binomial_without1 o_ge0 M_gt1)).
rewrite ler_wpmul2l ?ler0n // -binomial_sum_neq1 ?(ltnW M_gt1) //.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite big_mkcond; apply: eq_bigr => e _; rewrite addn0 /row_mass /moved_ways.
have [-> | e1] := eqVneq (e : nat) 1%N; first by rewrite der1 muln0 mul0r.
have d_neq0 : (der e)%:R != 0 :> R.
  have := fact_der e1; rewrite pnatr_eq0; case: (der e) => //.
  by rewrite muln0 leqNgt fact_gt0.
by rewrite natrM -mulrA [_ * (_ / _)]mulrC divfK // mulr_natl.
Qed.

End Sums.

(* A geometric sum                                                            *)
Lemma geometric_le (R : realFieldType) (y : R) (N : nat) : 0 <= y < 1 ->
  (1 - y) ^+ 2 * (\sum_(a < N) y ^+ a * (a%:R + y)) <= 2%:R * y.
Proof.
case/andP=> y_ge0 y_lt1.
have -> : (1 - y) ^+ 2 * (\sum_(a < N) y ^+ a * (a%:R + y)) =
    y * (2%:R - y) - y ^+ N * ((N%:R + y) * (1 - y) + y).
  elim: N => [|N IH]; first by rewrite big_ord0 mulr0 expr0; ring.
  rewrite big_ord_recr /= mulrDr IH [y ^+ N.+1]exprS -[N.+1]addn1 natrD.
  by ring.
have q_ge0 : 0 <= 1 - y by rewrite subr_ge0 ltW.
have rest_ge0 : 0 <= y ^+ N * ((N%:R + y) * (1 - y) + y).
  by rewrite mulr_ge0 ?exprn_ge0 // addr_ge0 // mulr_ge0 // addr_ge0 ?ler0n.
rewrite ler_subl_addr; apply: (@le_trans _ _ (2%:R * y)); last first.
  by rewrite ler_addl.
by rewrite mulrC ler_wpmul2r // ler_subl_addr ler_addl.
Qed.
