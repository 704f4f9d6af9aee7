From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat derangement.

(******************************************************************************)
(* How many records of two rows stay where they are, under a trinomial law    *)
(*                                                                            *)
(* n = n1 + n2 records, odds o; u records of the first row stay and v of the  *)
(* second one. Their means are near n / (2 + o).                              *)
(*                                                                            *)
(*   binomial y n f == the sum of C(n, i) y^(n - i) f(i)                      *)
(*   trinomial o n u v == C(n, u) C(n - u, v) o^(n - u - v)                   *)
(*   deviation o n u == (2 + o) u - n                                         *)
(*   row_count m u == the permutations of m points that fix u of them         *)
(*   row_mass o k == o^k / d(k), the mass of one that moves k, but for scale  *)
(*   kept_mass o n1 n2 u v == the mass of all that keep both rows and fix u   *)
(*            and v of their points                                           *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   trinomial_sum, trinomial_square == the masses add up to (2 + o)^n, and   *)
(*            the squares of the deviations to n (1 + o) as much              *)
(*   kept_mass_le, kept_mass_ge == kept_mass is n1! n2! / n! times the        *)
(*            trinomial, but for a factor of 3 above and of 9 below; the      *)
(*            latter where two or more records of each row move               *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition row_count (m u : nat) : nat := 'C(m, u) * der (m - u).

Section Moments.

Variable R : realFieldType.
Implicit Types (y : R) (f h : nat -> R).

Definition binomial y n f : R :=
  \sum_(i < n.+1) y ^+ (n - i) * f i *+ 'C(n, i).

Lemma binomialS y n f :
  binomial y n.+1 f = y * binomial y n f + binomial y n (f \o succn).
Proof.
rewrite /binomial big_ord_recl /= subn0 bin0 mulr1n.
rewrite (eq_bigr (fun i : 'I_n.+1 => y ^+ (n - i) * f i.+1 *+ 'C(n, i.+1) +
  y ^+ (n - i) * f i.+1 *+ 'C(n, i))) => [|i _]; last first.
  by rewrite subSS binS mulrnDr.
rewrite big_split /= addrA; congr (_ + _).
rewrite [in RHS]big_ord_recl big_ord_recr /= bin_small // mulr0n addr0.
rewrite subn0 bin0 mulr1n mulrDr mulrA -exprS; congr (_ + _).
rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrnAr mulrA -exprS.
by rewrite subnSK.
Qed.

Lemma eq_binomial y n f h : f =1 h -> binomial y n f = binomial y n h.
Proof. by move=> fh; apply: eq_bigr => i _; rewrite fh. Qed.

Lemma binomial1 y n : binomial y n (fun=> 1) = (1 + y) ^+ n.
Proof.
elim: n => [|n IHn].
  by rewrite /binomial big_ord_recl big_ord0 addr0 expr0 mul1r.
by rewrite binomialS IHn exprS mulrDl mul1r addrC.
Qed.

Lemma binomialD y n f h :
  binomial y n (fun i => f i + h i) = binomial y n f + binomial y n h.
Proof.
by rewrite -big_split; apply: eq_bigr => i _; rewrite mulrDr mulrnDl.
Qed.

Lemma binomialZ y n a f : binomial y n (fun i => a * f i) = a * binomial y n f.
Proof.
by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrCA mulrnAr.
Qed.

(* The variance                                                               *)
Lemma binomial_square y n :
  binomial y n (fun i => ((1 + y) * i%:R - n%:R) ^+ 2) =
  n%:R * y * (1 + y) ^+ n.
Proof.
elim: n => [|n IHn].
  rewrite /binomial big_ord_recl big_ord0 addr0 /= mulr0 subr0 expr0n.
  by rewrite mulr0 !mul0r.
pose e i : R := (1 + y) * i%:R - n%:R.
have zE i : ((1 + y) * i%:R - n.+1%:R) ^+ 2 = e i ^+ 2 + (1 * 1 + - 2%:R * e i).
  by rewrite /e mulrSr; ring.
have sE i : ((1 + y) * i.+1%:R - n.+1%:R) ^+ 2 =
    e i ^+ 2 + (y ^+ 2 * 1 + (2%:R * y) * e i).
  by rewrite /e !mulrSr; ring.
rewrite binomialS (eq_binomial _ _ zE) (eq_binomial _ _ sE) !binomialD.
rewrite !binomialZ binomial1 IHn [(1 + y) ^+ n.+1]exprS (mulrSr 1 n).
by move: (binomial y n e) ((1 + y) ^+ n) => b d; ring.
Qed.

End Moments.

Section Trinomial.

Variables (R : realFieldType) (o : R).
Implicit Types h : nat -> R.

Definition trinomial n u v : R :=
  ('C(n, u) * 'C(n - u, v))%:R * o ^+ (n - u - v).

Definition deviation n u : R := (2%:R + o) * u%:R - n%:R.

Lemma trinomialE n u v : (u + v <= n)%N ->
  (u`! * v`! * (n - u - v)`!)%:R * trinomial n u v = n`!%:R * o ^+ (n - u - v).
Proof.
move=> le_n; rewrite mulrA -natrM; congr (_%:R * _).
by rewrite -(@bin_fact n u) -?(@bin_fact (n - u) v); lia.
Qed.

Lemma trinomial_out n u v : (n < u + v)%N -> trinomial n u v = 0.
Proof.
move=> lt_n; rewrite /trinomial; have [le_u | lt_u] := leqP u n.
  by rewrite ['C(n - u, v)]bin_small ?muln0 ?mul0r //; lia.
by rewrite bin_small // mul0r.
Qed.

Lemma trinomialC n u v : trinomial n u v = trinomial n v u.
Proof.
have [le_n | lt_n] := leqP (u + v) n; last first.
  by rewrite !trinomial_out // addnC.
have le_n' : (v + u <= n)%N by rewrite addnC.
have nz : (u`! * v`! * (n - u - v)`!)%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n !muln_gt0 !fact_gt0.
apply: (mulfI nz); rewrite trinomialE //.
by rewrite [(u`! * _)%N]mulnC subnAC trinomialE.
Qed.

Lemma trinomial_row n u : (u <= n)%N ->
  \sum_(v < n.+1) trinomial n u v = (1 + o) ^+ (n - u) *+ 'C(n, u).
Proof.
move=> le_u; rewrite -binomial1 -mulr_natl /binomial.
rewrite [in RHS](big_ord_widen n.+1 (fun i => o ^+ (n - u - i) * 1 *+
  'C(n - u, i))) ?ltnS ?leq_subr // mulr_sumr big_mkcond /=.
rewrite [in RHS]big_mkcond; apply: eq_bigr => v _; rewrite ltnS.
case: leqP => [_ | lt_v]; last by rewrite trinomial_out //; lia.
by rewrite /trinomial natrM mulr1 -[o ^+ _ *+ _]mulr_natl mulrA.
Qed.

Lemma trinomial_marginal n h :
  \sum_(u < n.+1) \sum_(v < n.+1) trinomial n u v * h u =
  binomial (1 + o) n h.
Proof.
apply: eq_bigr => u _; rewrite -mulr_suml trinomial_row -1?ltnS //.
by rewrite mulrnAl.
Qed.

Lemma trinomial_marginal' n h :
  \sum_(u < n.+1) \sum_(v < n.+1) trinomial n u v * h v =
  binomial (1 + o) n h.
Proof.
rewrite exchange_big -trinomial_marginal; apply: eq_bigr => u _.
by apply: eq_bigr => v _; rewrite trinomialC.
Qed.

Let oE : 2%:R + o = 1 + (1 + o). Proof. by rewrite addrA. Qed.

Lemma trinomial_sum n :
  \sum_(u < n.+1) \sum_(v < n.+1) trinomial n u v = (2%:R + o) ^+ n.
Proof.
rewrite oE -binomial1 -trinomial_marginal; apply: eq_bigr => u _.
by apply: eq_bigr => v _; rewrite mulr1.
Qed.

Lemma trinomial_square n :
  \sum_(u < n.+1) \sum_(v < n.+1) trinomial n u v * deviation n u ^+ 2 =
  n%:R * (1 + o) * (2%:R + o) ^+ n.
Proof.
rewrite oE -binomial_square -[RHS]trinomial_marginal.
by apply: eq_bigr => u _; apply: eq_bigr => v _; rewrite /deviation oE.
Qed.

Lemma trinomial_square' n :
  \sum_(u < n.+1) \sum_(v < n.+1) trinomial n u v * deviation n v ^+ 2 =
  n%:R * (1 + o) * (2%:R + o) ^+ n.
Proof.
rewrite oE -binomial_square -[RHS]trinomial_marginal'.
by apply: eq_bigr => u _; apply: eq_bigr => v _; rewrite /deviation oE.
Qed.

Hypothesis o_gt0 : 0 < o.

Lemma trinomial_ge0 n u v : 0 <= trinomial n u v.
Proof. by rewrite mulr_ge0 ?ler0n ?exprn_ge0 // ltW. Qed.

Definition row_mass k : R := o ^+ k / (der k)%:R.

Lemma row_mass_ge0 k : 0 <= row_mass k.
Proof. by rewrite divr_ge0 ?ler0n ?exprn_ge0 // ltW. Qed.

(* d(k) is at least k! / 3, but for k = 1, and at most k!.                    *)
Lemma der_fact k : (der k <= k`!)%N.
Proof.
rewrite -sum_bin_der (bigD1 (Ordinal (ltnSn k))) //= binn mul1n.
exact: leq_addr.
Qed.

Lemma fact_der k : k != 1%N -> (k`! <= 3 * der k)%N.
Proof.
case: k => [|[|k _]]; rewrite ?der0 //.
have [] : (k.+2`! <= 3 * der k.+2)%N /\ (k.+3`! <= 3 * der k.+3)%N; last by [].
elim: k => [|k [IH2 IH3]]; first by rewrite der2 der3.
split=> //; rewrite derSS !factS.
by move: IH2 IH3; rewrite !factS; clear; nia.
Qed.

Variables n1 n2 : nat.
Let n := (n1 + n2)%N.

Definition kept_mass u v : R :=
  (row_count n1 u * row_count n2 v)%:R * row_mass (n1 - u + (n2 - v)).

Lemma kept_mass_ge0 u v : 0 <= kept_mass u v.
Proof. by rewrite mulr_ge0 ?ler0n ?row_mass_ge0. Qed.

Lemma kept_mass_out u v : ~~ ((u <= n1) && (v <= n2))%N -> kept_mass u v = 0.
Proof.
rewrite negb_and -!ltnNge /kept_mass /row_count => /orP[] lt.
  by rewrite ['C(n1, u)]bin_small // !mul0n mul0r.
by rewrite ['C(n2, v)]bin_small // mul0n muln0 mul0r.
Qed.

(* The permutations that fix u and v records, and the trinomial               *)
Lemma row_count_bounds u v (a := (n1 - u)%N) (b := (n2 - v)%N)
    (T := ('C(n, u) * 'C(n - u, v))%N)
    (N := (row_count n1 u * row_count n2 v)%N) : (u <= n1)%N -> (v <= n2)%N ->
  (n`! * N <= 3 * (n1`! * n2`!) * (T * der (a + b)))%N /\
  (a != 1 -> b != 1 ->
     n1`! * n2`! * (T * der (a + b)) <= 9 * n`! * N)%N.
Proof.
move=> le_u le_v; set c := ('C(n1, u) * 'C(n2, v))%N.
have NE : N = (c * (der a * der b))%N by rewrite /N /row_count mulnACA.
have E : (n`! * (c * (a`! * b`!)) = n1`! * n2`! * (T * (a + b)`!))%N.
  have uv_gt0 : (0 < u`! * v`!)%N by rewrite muln_gt0 !fact_gt0.
  apply/eqP; rewrite -(eqn_pmul2l uv_gt0); apply/eqP.
  have E1 := bin_fact le_u; have E2 := bin_fact le_v.
  have E3 : (T * (u`! * v`! * (a + b)`!) = n`!)%N.
    have le_un : (u <= n)%N by rewrite /n; move: le_u; clear; lia.
    have le_vn : (v <= n - u)%N by rewrite /n; move: le_u le_v; clear; lia.
    rewrite -(bin_fact le_un) -(bin_fact le_vn) /T.
    have -> : (n - u - v = a + b)%N.
      by rewrite /n /a /b; move: le_u le_v; clear; lia.
    by move: 'C(_, _) 'C(_, _) u`! v`! => *; lia.
  rewrite -E3 -E1 -E2 /c -/a -/b; clear.
  by move: 'C(_, _) 'C(_, _) T u`! v`! a`! b`! (a + b)`! => *; lia.
have le_ab : (der a * der b <= a`! * b`!)%N by rewrite leq_mul ?der_fact.
rewrite NE; split=> [|a1 b1].
  have [ab1 | ab1] := eqVneq (a + b)%N 1%N.
    have -> : (der a * der b = 0)%N.
      by case: (a) (b) ab1 => [|[|?]] [|[|?]] //; rewrite der1 ?muln0.
    by rewrite !muln0.
  apply: (@leq_trans (n`! * (c * (a`! * b`!)))); first by
    rewrite !leq_mul2l le_ab !orbT.
  have le3 := leq_mul (leqnn (n1`! * n2`! * T)) (fact_der ab1).
  by rewrite E; apply: leq_trans (leq_trans _ le3) _; apply: eq_leq; lia.
have le_k : (n1`! * n2`! * (T * der (a + b)) <= n`! * (c * (a`! * b`!)))%N.
  by rewrite E !leq_mul2l der_fact !orbT.
apply: (leq_trans le_k); have le9 := leq_mul (leqnn (n`! * c))
  (leq_mul (fact_der a1) (fact_der b1)).
by apply: leq_trans (leq_trans _ le9) _; apply: eq_leq; lia.
Qed.

Lemma kept_mass_le u v :
  n`!%:R * kept_mass u v <= (3 * (n1`! * n2`!))%:R * trinomial n u v.
Proof.
have [/andP[le_u le_v] | out] := boolP ((u <= n1) && (v <= n2))%N; last first.
  by rewrite kept_mass_out // mulr0 mulr_ge0 ?ler0n ?trinomial_ge0.
have [le_N _] := row_count_bounds le_u le_v; move: le_N.
rewrite /trinomial /kept_mass /row_mass.
have -> : (n - u - v = n1 - u + (n2 - v))%N.
  by rewrite /n; move: le_u le_v; clear; lia.
set k := (_ + _)%N; move: (_ * row_count _ _)%N ('C(n, u) * _)%N => N T le_N.
have [dk0 | dk_gt0] := posnP (der k).
  rewrite dk0 invr0 !mulr0 mulr_ge0 ?ler0n // mulr_ge0 ?ler0n //.
  by rewrite exprn_ge0 // ltW.
rewrite !mulrA -!natrM ler_pdivr_mulr ?ltr0n // mulrAC -natrM.
by rewrite ler_pmul2r ?exprn_gt0 // ler_nat -mulnA.
Qed.

Lemma kept_mass_ge u v : (u.+2 <= n1)%N -> (v.+2 <= n2)%N ->
  (n1`! * n2`!)%:R * trinomial n u v <= (9 * n`!)%:R * kept_mass u v.
Proof.
move=> lt_u lt_v; have [le_u le_v] := (ltnW (ltnW lt_u), ltnW (ltnW lt_v)).
have a1 : (n1 - u != 1)%N by move: lt_u; clear; lia.
have b1 : (n2 - v != 1)%N by move: lt_v; clear; lia.
have [_ /(_ a1 b1)] := row_count_bounds le_u le_v.
rewrite /trinomial /kept_mass /row_mass.
have -> : (n - u - v = n1 - u + (n2 - v))%N.
  by rewrite /n; move: le_u le_v; clear; lia.
have dk_gt0 : (0 < der (n1 - u + (n2 - v)))%N.
  by rewrite der_gt0; move: lt_u lt_v; clear; lia.
move: (_ + _)%N dk_gt0 => k dk_gt0.
move: (_ * row_count _ _)%N ('C(n, u) * _)%N => N T le_N.
rewrite !mulrA -!natrM ler_pdivl_mulr ?ltr0n // mulrAC -natrM.
by rewrite ler_pmul2r ?exprn_gt0 // ler_nat -mulnA.
Qed.

End Trinomial.
