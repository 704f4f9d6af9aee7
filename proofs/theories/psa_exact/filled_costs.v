From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat zmodp.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law derangement swapping psa_law psa_privacy.
From Stirred Require Import binomial_moments row_permutations moved_counts.
From Stirred Require Import filled_sums filled_rows.

(******************************************************************************)
(* What a budget costs where rows fill a column each and others are free      *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   two_rows_cost == exchanges of two rows of n1 and n2 records ask for      *)
(*            (1 - n1 t)^2 (1 - n2 t)^2 <= 24 (gamma t)^2                     *)
(*   one_row_cost == exchanges of a row of n2 records with the others ask for *)
(*            (1 - n2 t)^2 <= 12 gamma^2 t (1 + t)                            *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section Costs.

Variables (R : realFieldType) (p : R) (H S : finType) (n : nat).
Variables (x : dataset unit H S n) (A B : {set 'I_n}) (gamma : R).
Variable E : {set {ffun unit * H * S -> 'I_n.+1}}.
Hypothesis p01 : 0 <= p <= 1.
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1) (n_gt1 : (1 < n)%N).
Hypothesis dAB : [disjoint A & B].
Hypothesis E_keeps : forall g,
  (table_ord (apply_perm g x) \in E) = keeps_rows A B g.
Implicit Types (g : {perm 'I_n}) (C : {set 'I_n}).

Local Notation D := (~: (A :|: B)).
Local Notation M := #|D|.
Local Notation n1 := #|A|.
Local Notation n2 := #|B|.
Variables (o t Y : R).
Hypotheses (oE : o = p / (1 - p)) (tE : t = step_rate o M).
Hypothesis YE : Y = (1 + o) ^+ M.
Let o_gt0 : 0 < o. Proof. by rewrite oE odds_gt0. Qed.
Let y_gt0 : 0 < 1 + o. Proof. by rewrite addr_gt0 ?ltr01. Qed.
Let t_gt0 : 0 < t. Proof. by rewrite tE divr_gt0 ?ltr0n. Qed.
Let t_ge0 : 0 <= t. Proof. exact: ltW. Qed.
Let Y_gt0 : 0 < Y. Proof. by rewrite YE exprn_gt0. Qed.
Local Notation w := (row_mass o).
Let w_ge0 k : 0 <= w k. Proof. exact: row_mass_ge0. Qed.

Definition exchange_near C C' : Prop := forall i j, i \in C -> j \in C' ->
  mult_le (gamma ^+ 2) (psa p p01 x) (psa p p01 (apply_perm (tperm i j) x)).

Lemma near_cost C C' : exchange_near C C' ->
  (#|C| * #|C'|)%:R * (\sum_(g | keeps_rows A B g) w (moved g)) <=
  gamma ^+ 2 * (\sum_(g | keeps_rows A B g)
    \sum_(i in C) \sum_(j in C') w (moved (g * tperm i j)%g)).
Proof.
move=> dp.
have [c c_gt0 massE] : exists2 c : R, 0 < c &
    forall g, move_mass p n (moved g) = c * w (moved g).
  exists ((1 - p) ^+ n / (1 - n%:R * p * (1 - p) ^+ n.-1)); last first.
    move=> g; rewrite move_mass_odds ?oE //.
    by rewrite -[X in (_ <= X)%N](card_ord n) max_card.
  rewrite divr_gt0 ?exprn_gt0 ?subr_gt0 //.
  have := @one_selected_lt1 _ _ _ p01 [set: 'I_n].
  by rewrite cardsT card_ord subr_gt0; apply.
have PrE (rho : {perm 'I_n}) : Pr (psa p p01 (apply_perm rho x)) E =
    c * \sum_(g | keeps_rows A B g) w (moved (g * rho^-1)%g).
  rewrite Pr_psa_apply (eq_bigl _ _ E_keeps) mulr_sumr.
  by apply: eq_bigr => g _; apply: massE.
have stayE : Pr (psa p p01 x) E = c * \sum_(g | keeps_rows A B g) w (moved g).
  rewrite -{1}[x]apply_perm1 PrE; congr (_ * _); apply: eq_bigr => g _.
  by rewrite invg1 mulg1.
have sumE (d : R) : \sum_(i in C) \sum_(j in C') d = (#|C| * #|C'|)%:R * d.
  by rewrite !sumr_const -mulrnA mulnC mulr_natl.
rewrite -(ler_pmul2l c_gt0) mulrCA -stayE -sumE [leRHS]mulrCA.
rewrite [X in _ <= _ * (c * X)](_ : _ = \sum_(i in C) \sum_(j in C')
    \sum_(g | keeps_rows A B g) w (moved (g * tperm i j)%g)); last first.
  by rewrite exchange_big; apply: eq_bigr => i _; rewrite exchange_big.
rewrite !mulr_sumr; apply: ler_sum => i iC; rewrite !mulr_sumr.
apply: ler_sum => j jC; have [+ _] := dp i j iC jC E.
by rewrite PrE tpermV.
Qed.

Lemma stay_ge : (1 < M)%N ->
  Y <= 2%:R * (\sum_(g | keeps_rows A B g) w (moved g)).
Proof.
move=> M_gt1; rewrite YE; apply: (le_trans (free_sum_ge o_gt0 M_gt1)).
rewrite ler_wpmul2l ?ler0n //.
have -> : free_sum o M 0 = \sum_(g | perm_on D g) w (moved g).
  rewrite (perm_on_ways D w); apply: eq_bigr => e _.
  by rewrite addn0.
rewrite [leRHS](bigID (perm_on D)) /= ler_paddr //.
  by apply: sumr_ge0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => g.
case: (boolP (perm_on D g)) => gD; rewrite ?andbF // andbT.
have fixed v : v \in A :|: B -> g v = v.
  by move=> vAB; rewrite (out_perm gD) // inE vAB.
have keep (X : {set 'I_n}) : X \subset A :|: B -> keeps_row X g.
  move=> XAB; apply/forallP=> v; apply/eqP.
  have gXX u : u \in X -> g u = u by move=> uX; rewrite fixed ?(subsetP XAB).
  apply/idP/idP => [gvX | vX]; last by rewrite gXX.
  by rewrite -(perm_inj (gXX _ gvX)).
by rewrite /keeps_rows !keep ?subsetUl ?subsetUr.
Qed.

(* The sum over e                                                             *)
Lemma free_le l : free_sum o M l <= 3%:R * Y * t ^+ l.
Proof. by rewrite YE tE free_sum_le. Qed.

Lemma others_le l (f0 f1 f2 : nat) : 
  \sum_(e < M.+1) (moved_ways M e)%:R *
    (w (e + l)%N *+ f0 + w (e + l).+1 *+ f1 + w (e + l).+2 *+ f2) <=
  3%:R * Y * t ^+ l * (f0%:R + f1%:R * t + f2%:R * t ^+ 2).
Proof.
have -> : \sum_(e < M.+1) (moved_ways M e)%:R *
    (w (e + l)%N *+ f0 + w (e + l).+1 *+ f1 + w (e + l).+2 *+ f2) =
    f0%:R * free_sum o M l + f1%:R * free_sum o M l.+1 +
    f2%:R * free_sum o M l.+2.
  rewrite !mulr_sumr -!big_split; apply: eq_bigr => e _ /=.
  rewrite !addnS; move: (w _) (w _) (w _) => w0 w1 w2.
  rewrite -[w0 *+ _]mulr_natl -[w1 *+ _]mulr_natl -[w2 *+ _]mulr_natl.
  by ring.
have le k (f : nat) : f%:R * free_sum o M k <= f%:R * (3%:R * Y * t ^+ k).
  by rewrite ler_wpmul2l ?ler0n ?free_le.
apply: (le_trans (ler_add (ler_add (le _ _) (le _ _)) (le _ _))).
rewrite !exprS expr0; move: (t ^+ l) Y => u y.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma ways_le (m a : nat) (c s : R) : 0 <= c -> s <= t ^+ a * c ->
  (moved_ways m a)%:R * s <= (m%:R * t) ^+ a * c.
Proof.
move=> c_ge0 le_s; apply: (le_trans (ler_wpmul2l (ler0n _ _) le_s)).
rewrite exprMn mulrA ler_wpmul2r // ler_wpmul2r ?exprn_ge0 //.
by rewrite -natrX ler_nat moved_ways_le.
Qed.

Local Notation series m N := (\sum_(a < N) (m * t) ^+ a * (a%:R + m * t)).

Lemma term_ge0 (m a : nat) : 0 <= a%:R + m%:R * t.
Proof. by rewrite addr_ge0 ?mulr_ge0 ?ler0n. Qed.

Lemma series_ge0 m : 0 <= series m%:R m.+1.
Proof.
apply: sumr_ge0 => b _; apply: mulr_ge0; last exact: term_ge0.
by rewrite exprn_ge0 // mulr_ge0 ?ler0n.
Qed.

Lemma two_rows_sum_le :
  \sum_(g | keeps_rows A B g)
    \sum_(i in A) \sum_(j in B) w (moved (g * tperm i j)%g) <=
  3%:R * Y * (series n1%:R n1.+1 * series n2%:R n2.+1).
Proof.
pose F a b e := w (e + (a + b))%N *+ (a * b) +
  w (e + (a + b)).+1 *+ (n1 * b + a * n2) + w (e + (a + b)).+2 *+ (n1 * n2).
apply: (@le_trans _ _ (\sum_(g | keeps_rows A B g)
    F (moved_of A g) (moved_of B g) (moved_of D g))).
  apply: ler_sum => g gK; have /andP[gA gB] := gK.
  apply: (le_trans (row_exchanges_le w_ge0 gA gB dAB)).
  by rewrite (moved_rows dAB) /F [(moved_of D g + _)%N]addnC.
have F_ge0 a b e : 0 <= F a b e by rewrite /F !addr_ge0 // mulrn_wge0.
apply: (le_trans (@keeps_rows_sum_le _ _ A B _ F_ge0)).
have Y3_ge0 : 0 <= 3%:R * Y by rewrite mulr_ge0 ?ler0n // ltW.
rewrite mulrCA mulr_suml; apply: ler_sum => a _; rewrite -mulrA.
apply: ways_le.
  apply: mulr_ge0; first exact: term_ge0.
  apply: mulr_ge0 => //; exact: series_ge0.
rewrite !mulr_sumr; apply: ler_sum => b _.
rewrite [leRHS](_ : _ = (n2%:R * t) ^+ b * (t ^+ a * ((a%:R + n1%:R * t) *
  (3%:R * Y * (b%:R + n2%:R * t))))); last by ring.
apply: ways_le.
  apply: mulr_ge0; first exact: exprn_ge0.
  apply: mulr_ge0; first exact: term_ge0.
  apply: mulr_ge0 => //; exact: term_ge0.
apply: (le_trans (others_le _ _ _ _)); rewrite exprD natrD !natrM.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: (t ^+ a) (t ^+ b) => u v; ring.
Qed.

Lemma two_rows_cost : (0 < n1)%N -> (0 < n2)%N -> (1 < M)%N ->
    n1%:R * t < 1 -> n2%:R * t < 1 -> exchange_near A B ->
  (1 - n1%:R * t) ^+ 2 * (1 - n2%:R * t) ^+ 2 <= 24%:R * (gamma * t) ^+ 2.
Proof.
move=> n1_gt0 n2_gt0 M_gt1 lt1 lt2 dp.
have [n1R n2R] : 0 < n1%:R :> R /\ 0 < n2%:R :> R by rewrite !ltr0n.
have le1 : (1 - n1%:R * t) ^+ 2 * series n1%:R n1.+1 <= 2%:R * (n1%:R * t).
  by apply: geometric_le; rewrite lt1 mulr_ge0 ?ler0n.
have le2 : (1 - n2%:R * t) ^+ 2 * series n2%:R n2.+1 <= 2%:R * (n2%:R * t).
  by apply: geometric_le; rewrite lt2 mulr_ge0 ?ler0n.
have := ler_wpmul2l (sqr_ge0 gamma) two_rows_sum_le.
move/(le_trans (near_cost dp)); move: (stay_ge M_gt1).
move: (series _ _) (series _ _) (series_ge0 n1) (series_ge0 n2) le1 le2.
move: (\sum_(_ | _) _) => Z s2 s1 s1_ge0 s2_ge0 le1 le2 leZ cost.
have n12_ge0 : 0 <= (n1 * n2)%:R :> R by rewrite ler0n.
have le_s : (n1 * n2)%:R * Y <= 6%:R * (gamma ^+ 2 * (Y * (s1 * s2))).
  apply: (le_trans (ler_wpmul2l n12_ge0 leZ)); rewrite mulrCA.
  apply: (le_trans (ler_wpmul2l (ler0n _ 2) cost)); rewrite le_eqVlt.
  by apply/orP; left; apply/eqP; ring.
have {}le_s : (n1 * n2)%:R <= 6%:R * gamma ^+ 2 * (s1 * s2).
  rewrite -(ler_pmul2r Y_gt0); apply: (le_trans le_s); rewrite le_eqVlt.
  by apply/orP; left; apply/eqP; ring.
rewrite -(ler_pmul2l n1R) -(ler_pmul2l n2R).
pose q1 := (1 - n1%:R * t) ^+ 2; pose q2 := (1 - n2%:R * t) ^+ 2.
apply: (@le_trans _ _ (6%:R * gamma ^+ 2 * ((q1 * s1) * (q2 * s2)))).
  have q_ge0 : 0 <= q1 * q2 by rewrite mulr_ge0 ?sqr_ge0.
  have := ler_wpmul2r q_ge0 le_s; rewrite natrM.
  by congr (_ <= _); rewrite /q1 /q2; ring.
have g_ge0 : 0 <= 6%:R * gamma ^+ 2 by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have le12 : (q1 * s1) * (q2 * s2) <= 2%:R * (n1%:R * t) * (2%:R * (n2%:R * t)).
  by apply: (ler_pmul _ _ le1 le2); rewrite mulr_ge0 // sqr_ge0.
apply: (le_trans (ler_wpmul2l g_ge0 le12)); rewrite le_eqVlt.
by apply/orP; left; apply/eqP; ring.
Qed.

Lemma one_row_sum_le : n1 = 0%N ->
  \sum_(g | keeps_rows A B g)
    \sum_(i in D) \sum_(j in B) w (moved (g * tperm i j)%g) <=
  3%:R * Y * (M%:R * (1 + t) * series n2%:R n2.+1).
Proof.
move=> A0; have dDB : [disjoint D & B].
  by rewrite disjoint_sym disjoints_subset setCK subsetUr.
have le_mul k c d : (c <= d)%N -> w k *+ c <= w k *+ d.
  by move=> le_cd; rewrite -(subnK le_cd) mulrnDr ler_addr mulrn_wge0.
pose F a b e := w (e + (a + b))%N *+ (M * b) +
  w (e + (a + b)).+1 *+ (M * (b + n2)) + w (e + (a + b)).+2 *+ (M * n2).
apply: (@le_trans _ _ (\sum_(g | keeps_rows A B g)
    F (moved_of A g) (moved_of B g) (moved_of D g))).
  apply: ler_sum => g gK; have /andP[_ gB] := gK.
  apply: (le_trans (row_exchanges_le w_ge0 (keeps_rest gK) gB dDB)).
  have le_e := moved_of_le D g.
  rewrite (moved_rows dAB) /F [(moved_of D g + _)%N]addnC mulnDr.
  by rewrite !ler_add // le_mul ?leq_add ?leq_mul.
have F_ge0 a b e : 0 <= F a b e by rewrite /F !addr_ge0 // mulrn_wge0.
apply: (le_trans (@keeps_rows_sum_le _ _ A B _ F_ge0)).
have Y3_ge0 : 0 <= 3%:R * Y by rewrite mulr_ge0 ?ler0n // ltW.
have ways0 : moved_ways 0 0 = 1%N by rewrite /moved_ways bin0 der0.
rewrite A0 big_ord1 ways0 mul1r.
have t1_ge0 : 0 <= 1 + t by rewrite addr_ge0 ?ler01.
rewrite !mulr_sumr; apply: ler_sum => b _.
rewrite [M%:R * _ * _]mulrCA [leRHS]mulrCA.
apply: ways_le.
  apply: mulr_ge0 => //; apply: mulr_ge0; last exact: term_ge0.
  by apply: mulr_ge0; rewrite ?ler0n.
apply: (le_trans (others_le _ _ _ _)); rewrite !natrM natrD add0n.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: (t ^+ b) => v; ring.
Qed.

Lemma one_row_cost : n1 = 0%N -> (0 < n2)%N -> (1 < M)%N ->
    n2%:R * t < 1 -> exchange_near D B ->
  (1 - n2%:R * t) ^+ 2 <= 12%:R * gamma ^+ 2 * (t * (1 + t)).
Proof.
move=> A0 n2_gt0 M_gt1 lt2 dp.
have [n2R MR] : 0 < n2%:R :> R /\ 0 < M%:R :> R by rewrite !ltr0n n2_gt0 ltnW.
have t1_ge0 : 0 <= 1 + t by rewrite addr_ge0 ?ler01.
have le2 : (1 - n2%:R * t) ^+ 2 * series n2%:R n2.+1 <= 2%:R * (n2%:R * t).
  by apply: geometric_le; rewrite lt2 mulr_ge0 ?ler0n.
have := ler_wpmul2l (sqr_ge0 gamma) (one_row_sum_le A0).
move/(le_trans (near_cost dp)); move: (stay_ge M_gt1).
move: (series _ _) (series_ge0 n2) le2.
move: (\sum_(_ | _) _) => Z s2 s2_ge0 le2 leZ cost.
have M2_ge0 : 0 <= (M * n2)%:R :> R by rewrite ler0n.
have le_s : (M * n2)%:R * Y <=
    6%:R * (gamma ^+ 2 * (Y * (M%:R * (1 + t) * s2))).
  apply: (le_trans (ler_wpmul2l M2_ge0 leZ)); rewrite mulrCA.
  apply: (le_trans (ler_wpmul2l (ler0n _ 2) cost)); rewrite le_eqVlt.
  by apply/orP; left; apply/eqP; ring.
have {}le_s : n2%:R <= 6%:R * gamma ^+ 2 * (1 + t) * s2.
  rewrite -(ler_pmul2r Y_gt0) -(ler_pmul2l MR).
  have := le_s; rewrite natrM; congr (_ <= _); ring.
rewrite -(ler_pmul2l n2R); pose q2 := (1 - n2%:R * t) ^+ 2.
apply: (@le_trans _ _ (6%:R * gamma ^+ 2 * (1 + t) * (q2 * s2))).
  have := ler_wpmul2r (sqr_ge0 (1 - n2%:R * t)) le_s.
  by congr (_ <= _); rewrite /q2; ring.
have g_ge0 : 0 <= 6%:R * gamma ^+ 2 * (1 + t).
  by rewrite mulr_ge0 // mulr_ge0 ?ler0n ?sqr_ge0.
apply: (le_trans (ler_wpmul2l g_ge0 le2)); rewrite le_eqVlt.
by apply/orP; left; apply/eqP; ring.
Qed.

End Costs.
