From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy.
From Stirred Require Import insertion exchange two_category_budget two_rows.
From Stirred Require Import taking_out descent concentration.

(******************************************************************************)
(* The budget of a universe with two categories, from a certificate           *)
(*                                                                            *)
(* Half of the budget of two_categories.v, in essence: where one record is    *)
(* exchanged, the cost of an orbit is large only if few records of one row    *)
(* and many of the other move; and such orbits have little mass once more     *)
(* than p n (1 + something) records of a row of n move.                       *)
(*                                                                            *)
(*   count_at D D' a b == the sum of c over the permutations of Q that move a *)
(*            points of D and b of D'                                         *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   concentrated_privacy == certifies q b o r and r <= gamma^2 give          *)
(*            gamma^d_HamS, for data sets of two categories and at most b     *)
(*            records in each stratum                                         *)
(*   concentrated_pure_dp == the same as a specification                      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* Permutations by how many points of two rows they move                      *)
Section Counts.

Variables (R : realFieldType) (T : finType) (Q : pred {perm T}).
Variable c : {perm T} -> R.
Implicit Types (g : {perm T}) (D : {set T}).

Definition count_at D D' a b :=
  moving D' (fun g => Q g && (#|movers D g| == a)) c b.

Lemma count_atC D D' a b : count_at D D' a b = count_at D' D b a.
Proof. by apply: eq_bigl => g; rewrite andbAC. Qed.

Lemma count_at_ge0 D D' a b : (forall g, 0 <= c g) -> 0 <= count_at D D' a b.
Proof. by move=> c_ge0; apply: moving_ge0. Qed.

Lemma sum_counts D D' (F : nat -> nat -> R) :
  \sum_(g | Q g) c g * F #|movers D g| #|movers D' g| =
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1) count_at D D' a b * F a b.
Proof.
have lt_movers E g : (#|movers E g| < #|E|.+1)%N.
  by rewrite ltnS subset_leq_card //; apply/subsetP=> v /setIdP[].
rewrite (partition_big (fun g => Ordinal (lt_movers D g)) predT) //=.
apply: eq_bigr => a _.
rewrite (partition_big (fun g => Ordinal (lt_movers D' g)) predT) //=.
apply: eq_bigr => b _; rewrite mulr_suml; apply: eq_big => [g|g].
  by rewrite -!val_eqE.
by rewrite -!val_eqE /= => /andP[/andP[_ /eqP->] /eqP->].
Qed.

Lemma count_fall D D' a b : free_rows Q c D D' ->
  (b.+2%:R - a%:R) * count_at D D' a b.+2 <=
  count_at D D' a b.+1 *+ (b.+1 * (#|D'| - b.+1)) +
  count_at D D' a b *+ ((#|D'| - b) * (#|D'| - b).-1).
Proof.
move=> rows; have row := free_right rows; apply: double_count => //
  [g v u vD uD | g v u /andP[Qg _] | g | g /andP[Qg /eqP<-]].
- rewrite (free_pred row) //; congr (_ && (#|pred_of_set _| == _)).
  apply/setP=> l; rewrite !inE permM; have [lD | //] := boolP (l \in D).
  by rewrite tpermD //; apply: contraTneq lD => <-; apply: (free_notin row).
- exact: (free_mass row Qg).
- exact: (free_ge0 row).
apply: movers_le => v vD' _; apply: (free_from rows Qg).
by rewrite inE vD' orbT.
Qed.

End Counts.

(* No permutation moves more than there are.                                  *)
Lemma count_out (R : realFieldType) (T : finType) (Q : pred {perm T})
    (c : {perm T} -> R) (D D' : {set T}) a k :
  (#|D| + #|D'| < a + k)%N -> count_at Q c D D' a k = 0.
Proof.
move=> lt_ak; have [lt_k | le_k] := ltnP #|D'| k; first exact: moving_big.
rewrite count_atC; apply: moving_big.
by move: lt_ak le_k; clear; lia.
Qed.

(* What a certificate asks of the descent                                     *)
Lemma certified (R : realFieldType) (q : certificate R) b o r :
  certifies q b o r -> [/\ 0 <= alpha q, 0 <= beta q, 0 < ratio q, ratio q < 1 &
  alpha q * ratio q + beta q <= ratio q ^+ 2] /\
  [/\ ratio q ^+ len q <= rest q * (1 - ratio q), (0 < start q)%N,
   (few q < fewer q)%N, (len q * few q <= start q * (fewer q - few q))%N &
   rest q *+ 2 < 1].
Proof.
case: q => s l d1 d2 d al be t delta /=.
case/and5P=> /andP[s_gt2 _] /andP[_ d12] d2d le_len.
case/and5P=> al_ge0 be_ge0 /andP[t_gt0 t_lt1] le_t.
case/and5P=> le_delta _ delta_lt _ _; split; split=> //.
exact: leq_ltn_trans s_gt2.
Qed.

Section Bases.

Variables (R : realFieldType) (p o r : R) (b n : nat) (q : certificate R).
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : o = p / (1 - p).
Hypotheses (n_gt1 : (1 < n)%N) (le_nb : (n <= b)%N).
Hypothesis q_ok : certifies q b o r.

Let inner := orbit_in (move_mass p n).
Let inner_ge0 a k : 0 <= inner a k. Proof. exact: orbit_in_ge0. Qed.
Let lopsided := descent.lopsided (start q) (len q) (few q) (parts q).

(* Bases that are lopsided to one side                                        *)
Section Row.

Variables (T : finType) (D D' : {set T}) (Q : pred {perm T}).
Variable c : {perm T} -> R.
Hypotheses (rows : free_rows Q c D D') (nE : n = (#|D| + #|D'|).+2).

Let C := count_at Q c D D'.
Let C_ge0 a k : 0 <= C a k.
Proof. exact/count_at_ge0/free_ge0/free_left/rows. Qed.

Lemma lopsided_row_le :
  \sum_(a < #|D|.+1) \sum_(k < #|D'|.+1 | lopsided a k) C a k * inner a k <=
  rest q * \sum_(a < #|D|.+1) \sum_(k < #|D'|.+1) C a k * inner a k.
Proof.
have [[al_ge0 be_ge0 t_gt0 t_lt1 le_t]
  [le_delta s_gt0 d12 le_len _]] := certified q_ok.
apply: (lopsided_le (M := fun a k => C a k * inner a k) (d2 := fewer q) _ al_ge0
  be_ge0 t_gt0 t_lt1) => // [a k | a k lt_k le_a]; first exact: mulr_ge0.
have rhs_ge0 : 0 <= alpha q * (C a k.+1 * inner a k.+1) +
    beta q * (C a k * inner a k) by rewrite addr_ge0 // !mulr_ge0.
have [le_n | lt_n] := leqP (a + k.+2).+2 n; last first.
  by rewrite /C count_out ?mul0r //; move: lt_n; rewrite nE !ltnS.
apply: (orbit_fall p_gt0 p_lt1 oE n_gt1 le_nb q_ok (m := #|D'|)) => //.
- by move: le_nb; rewrite nE; clear; lia.
- by move: le_n; clear; lia.
exact: count_fall.
Qed.

End Row.

(* All bases                                                                  *)
Variables (T : finType) (D D' : {set T}) (Q : pred {perm T}).
Variable c : {perm T} -> R.
Hypotheses (rows : free_rows Q c D D') (nE : n = (#|D| + #|D'|).+2).
Hypothesis Q_moved : forall g, Q g -> (#|movers D g| + #|movers D' g| != 1)%N.

Let C := count_at Q c D D'.
Let C_ge0 a k : 0 <= C a k.
Proof. exact/count_at_ge0/free_ge0/free_left/rows. Qed.
Let outer := orbit_out (move_mass p n).
Let outer_ge0 a k : 0 <= outer a k. Proof. exact: orbit_out_ge0. Qed.

Lemma count_one a k : (a + k == 1)%N -> C a k = 0.
Proof.
move=> /eqP ak1; apply: big_pred0 => g; apply/negP.
move=> /andP[/andP[/Q_moved/eqP Qg /eqP ga] /eqP gk].
by apply: Qg; rewrite ga gk.
Qed.

Let inner_sum := \sum_(a < #|D|.+1) \sum_(k < #|D'|.+1) C a k * inner a k.
Let outer_sum := \sum_(a < #|D|.+1) \sum_(k < #|D'|.+1) C a k * outer a k.

Lemma lopsided_column_le :
  \sum_(a < #|D|.+1) \sum_(k < #|D'|.+1 | lopsided k a) C a k * inner a k <=
  rest q * inner_sum.
Proof.
have nE' : n = (#|D'| + #|D|).+2 by rewrite addnC.
have := lopsided_row_le (free_rowsC rows) nE'; congr (_ <= _ * _).
  rewrite (eq_bigr (fun k : 'I__ => \sum_(a < #|D|.+1)
    if lopsided k a then C a k * inner a k else 0)) => [|k _].
    rewrite exchange_big; apply: eq_bigr => a _.
    by rewrite [in RHS]big_mkcond.
  rewrite big_mkcond; apply: eq_bigr => a _.
  by rewrite /C count_atC /inner orbit_inC.
rewrite /inner_sum exchange_big; apply: eq_bigr => a _; apply: eq_bigr => k _.
by rewrite /C count_atC /inner orbit_inC.
Qed.

(* Where a base is near to both rows its orbit costs kept.                    *)
Lemma point_le a k : C a k * inner a k <=
  r * (1 - rest q *+ 2) * (C a k * outer a k) +
  (if lopsided a k then C a k * inner a k else 0) +
  (if lopsided k a then C a k * inner a k else 0).
Proof.
have CM_ge0 : 0 <= C a k * inner a k by apply: mulr_ge0.
have [_ _ _ _ kept_ge1] := kept_bounds p_gt0 p_lt1 oE q_ok.
have kept_ge0 := le_trans ler01 kept_ge1.
have CM'_ge0 : 0 <= r * (1 - rest q *+ 2) * (C a k * outer a k).
  by rewrite mulr_ge0 // mulr_ge0.
case: ifPn => [_|near_a].
  by case: ifP; rewrite ?addr0 ?ler_addr ?addr_ge0.
case: ifPn => [_|near_k]; first by rewrite addr0 ler_addr.
rewrite !addr0 mulrCA; have [ak1 | ak1] := boolP (a + k == 1)%N.
  by rewrite (count_one ak1) !mul0r.
have [le_n | lt_n] := leqP (a + k).+2 n; last first.
  by rewrite /C count_out ?mul0r //; move: lt_n; rewrite nE !ltnS.
rewrite ler_wpmul2l //.
exact: (orbit_kept p_gt0 p_lt1 oE n_gt1 le_nb q_ok).
Qed.

Lemma bases_sum_le : inner_sum <= r * outer_sum.
Proof.
have [_ [_ _ _ _ rest_lt]] := certified q_ok.
pose kept := r * (1 - rest q *+ 2).
have : inner_sum <= kept * outer_sum + rest q * inner_sum +
    rest q * inner_sum.
  apply: le_trans (ler_add (ler_add (lexx _) (lopsided_row_le rows nE))
    lopsided_column_le).
  rewrite mulr_sumr -!big_split /=; apply: ler_sum => a _.
  rewrite mulr_sumr [X in _ <= _ + X + _]big_mkcond.
  rewrite [X in _ <= _ + X]big_mkcond /= -!big_split /=.
  by apply: ler_sum => k _; apply: point_le.
have left_gt0 : 0 < 1 - rest q *+ 2 by rewrite subr_gt0.
move=> le_sum; rewrite -(ler_pmul2r left_gt0) [leRHS]mulrAC.
rewrite mulrBr mulr1 ler_subl_addr mulrnAr mulr2n addrA.
by rewrite ![inner_sum * _]mulrC.
Qed.

Lemma bases_concentrated :
  \sum_(g | Q g) c g * inner #|movers D g| #|movers D' g| <=
  r * \sum_(g | Q g) c g * outer #|movers D g| #|movers D' g|.
Proof. by rewrite !sum_counts; apply: bases_sum_le. Qed.

End Bases.

(* One exchange inside a stratum of two rows                                  *)
Lemma concentrated_exchange (R : realFieldType) (M : finType) (n b : nat)
    (p : R) (p01 : 0 <= p <= 1) (r : R) (q : certificate R) :
  0 < p < 1 -> certifies q b (p / (1 - p)) r ->
  exchange_cost p01 M n (sizes_le b) r.
Proof.
move=> /andP[p_gt0 p_lt1] q_ok H S x i j t mij hij two.
rewrite /sizes_le -(size_rows mij hij two) => le_nb.
have sE := size_stratum mij hij two.
have N_gt1 : (1 < #|stratum x (matching (x i))|)%N by rewrite sE.
have oE : p / (1 - p) = p / (1 - p) by [].
have [r_ge1 le_o le_b] := certified_rates p_gt0 p_lt1 oE q_ok.
apply: two_row_le => // [k /andP[k_gt0 lek]|k e lek le2 ke1|{}t].
- apply: (mass_up p_gt0 p_lt1 oE N_gt1 le_nb le_b) => //.
  by rewrite sE !ltnS.
- apply: (mass_down p_gt0 p_lt1 oE N_gt1 r_ge1 le_o) => //.
  by rewrite sE !ltnS.
have EE := card_bases mij hij two.
rewrite (base_sum p x i j t (orbit_in _)) (base_sum p x i j t (orbit_out _)).
apply: (bases_concentrated p_gt0 p_lt1 oE N_gt1 le_nb q_ok) => //.
- exact: bases_free.
- by rewrite sE EE.
by move=> g; apply: base_moved.
Qed.

(* The privacy of whole universes                                             *)
Lemma concentrated_privacy (R : realFieldType) (M H S : finType) (n b : nat)
    (p : R) (p01 : 0 <= p <= 1) (r gamma : R) (q : certificate R)
    (x x' : dataset M H S n) :
    0 < p < 1 -> two_categories x -> (largest_stratum x <= b)%N ->
    certifies q b (p / (1 - p)) r -> r <= gamma ^+ 2 -> same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
move=> p_in two le_xb q_ok le_r.
apply: exchange_cost_privacy (sizes_le_fit two le_xb) _.
by apply: exchange_cost_le le_r _; apply: concentrated_exchange q_ok.
Qed.

(* As a specification: one budget for the universes that have two categories  *)
(* and at most b records in each stratum.                                     *)
Lemma concentrated_pure_dp (R : realFieldType) (M H S : finType) (n b : nat)
    (p : R) (p01 : 0 <= p <= 1) (r gamma : R) (q : certificate R) :
    0 < p < 1 -> certifies q b (p / (1 - p)) r -> r <= gamma ^+ 2 ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 && (largest_stratum x0 <= b)%N
             then Some gamma else None)
          (psa p p01).
Proof.
move=> p_in q_ok le_r x0 x x' x0x x0x'; case: ifP => // /andP[two le_xb].
have xx' : same_invariants x x'.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
rewrite (same_two_categories x0x) in two.
rewrite (largest_stratum_universe x0x) in le_xb.
exact: concentrated_privacy p_in two le_xb q_ok le_r xx'.
Qed.
