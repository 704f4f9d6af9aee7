From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import law swapping hamming pure psa_law psa_privacy
  exchange concentration concentrated certificate_check compat two_rows
  balanced balanced_budget balanced_check.

(******************************************************************************)
(* Budgets from certificates that a computation checks                        *)
(*                                                                            *)
(*   has_budget b on od r == with odds on / od and gamma^2 at least r the PSA *)
(*            is ln(gamma)-DP in each universe that has two categories on one *)
(*            side and strata of at most b records                            *)
(*   sizes_are a b k l == k and l are a and b, in either order                *)
(*   has_sizes_budget a b on od rn rd == with odds on / od and gamma^2 at     *)
(*            least rn / rd the PSA is ln(gamma)-DP in each universe whose    *)
(*            strata have two rows or two columns, of a and of b records      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   checked_pure_dp, checked_sizes_pure_dp == a certificate that passes the  *)
(*            check gives pure DP, by universe and by the sizes of two rows   *)
(*   households_budget == the four budgets of the 1940 households: half of    *)
(*            ln r is below 8.61, 7.75, 7.37 and 6.26 for the swap rates 1%,  *)
(*            5%, 10% and 50%                                                 *)
(*   dwellings_budget == the budget of the 435,805 and 708,619 dwellings of   *)
(*            Massachusetts in 1940, by tenure, for the swap rate 50%: half   *)
(*            of ln (rn / rd) is below 1.472                                  *)
(*   halves_budget == that of two rows of 500,000 records each, for 75%:      *)
(*            below 0.511                                                     *)
(*   sizes_are_met == there are such universes                                *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Budget.

Variables (R : realFieldType) (M H S : finType) (n : nat).
Local Notation num k := ((N.to_nat k)%:R : R).

Definition has_budget (b on od r : N) : Prop :=
  forall (p : R) (p01 : 0 <= p <= 1) (gamma : R), 0 < p < 1 ->
    p / (1 - p) = num on / num od -> num r <= gamma ^+ 2 ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 && (largest_stratum x0 <= N.to_nat b)%N
             then Some gamma else None)
          (psa p p01).

Theorem checked_pure_dp (c : numbers) :
  checks c -> rd c = 1%num -> has_budget (b_ c) (on c) (od c) (rn c).
Proof.
move=> c_ok rd1 p p01 gamma p_in oE le_r.
have := checks_sound R c_ok; rewrite -oE rd1 divr1 => q_ok.
exact: concentrated_pure_dp p_in q_ok le_r.
Qed.

Theorem households_budget :
  [/\ has_budget 264331 1 99 29665960, has_budget 264331 1 19 5358648,
      has_budget 264331 1 9 2496399 & has_budget 264331 1 1 270309].
Proof.
split.
- exact: (checked_pure_dp households_1_check (erefl _)).
- exact: (checked_pure_dp households_5_check (erefl _)).
- exact: (checked_pure_dp households_10_check (erefl _)).
exact: (checked_pure_dp households_50_check (erefl _)).
Qed.

End Budget.

Definition sizes_are (a b : N) (k l : nat) : bool :=
  (k == N.to_nat a) && (l == N.to_nat b) ||
  (k == N.to_nat b) && (l == N.to_nat a).

Section Budget.

Variables (R : realFieldType) (M H S : finType) (n : nat).
Local Notation num k := ((N.to_nat k)%:R : R).

Lemma sizes_are_certified (c : balance_numbers) k l : balance_checks c ->
    sizes_are (row1 c) (row2 c) k l ->
  exists q, balances q (N.to_nat (odds_n c)) (N.to_nat (odds_d c)) k.-1 l.-1
    (num (cost_n c) / num (cost_d c)).
Proof.
move=> c_ok; have q_ok := balance_checks_sound R c_ok.
case/orP=> /andP[/eqP-> /eqP->]; exists (balance_of R c) => //.
exact: balancesC.
Qed.

Definition has_sizes_budget (a b on od rn rd : N) : Prop :=
  forall (p : R) (p01 : 0 <= p <= 1) (gamma : R), 0 < p < 1 ->
    p / (1 - p) = num on / num od -> num rn / num rd <= gamma ^+ 2 ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if sizes_fit (sizes_are a b) x0 then Some gamma else None)
          (psa p p01).

Theorem checked_sizes_pure_dp (c : balance_numbers) : balance_checks c ->
  has_sizes_budget (row1 c) (row2 c) (odds_n c) (odds_d c) (cost_n c)
    (cost_d c).
Proof.
move=> c_ok p p01 gamma p_in oE le_r.
apply: balanced_pure_dp p_in (esym oE) _ le_r => k l.
exact: sizes_are_certified.
Qed.

Theorem dwellings_budget : has_sizes_budget 435805 708619 1 1 9487603 500000.
Proof. exact: (checked_sizes_pure_dp dwellings_50_check). Qed.

Theorem halves_budget : has_sizes_budget 500000 500000 3 1 1389089 500000.
Proof. exact: (checked_sizes_pure_dp halves_75_check). Qed.

End Budget.

(* There are such universes.                                                  *)
Local Notation one := [finType of unit].
Local Notation bit := [finType of bool].

Theorem sizes_are_met (a b : N) :
  exists x : dataset one bit bit (N.to_nat a + N.to_nat b), sizes_fit (sizes_are a b) x.
Proof.
set k := N.to_nat a; set l := N.to_nat b.
pose x : dataset one bit bit (k + l) :=
  [ffun i : 'I_(k + l) => (tt, (i < k)%N, odd i)].
have xE i : x i = (tt, (i < k)%N, odd i) by rewrite ffunE.
have [sizeT sizeF] : n_mh x tt true = k /\ n_mh x tt false = l.
  rewrite !n_mhE !cardsE -!sum1_card.
  split; rewrite big_mkcond big_split_ord /=.
    rewrite [X in (_ + X)%N]big1 => [|i _]; last first.
      by rewrite unfold_in xE /= ltnNge leq_addr.
    rewrite addn0 -[RHS](card_ord k) -sum1_card; apply: eq_bigr => i _.
    by rewrite unfold_in xE /= ltn_ord.
  rewrite big1 => [|i _]; last by rewrite unfold_in xE /= ltn_ord.
  rewrite -[RHS](card_ord l) -sum1_card; apply: eq_bigr => i _.
  by rewrite unfold_in xE /= ltnNge leq_addr.
exists x; apply/forallP=> -[]; apply/or4P; constructor 3.
rewrite (leq_trans (max_card _)) ?card_bool //.
apply/forallP=> -[]; apply/forallP=> -[]; rewrite ?eqxx //= ?sizeT ?sizeF.
  by rewrite /sizes_are !eqxx implybT.
by rewrite /sizes_are !eqxx orbT implybT.
Qed.
