From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy.
From Stirred Require Import insertion exchange two_category_budget two_rows.
From Stirred Require Import taking_out concentration concentrated home chains.
From Stirred Require Import transfer balanced foreign.

(******************************************************************************)
(* The budget of two large rows, from a certificate                           *)
(*                                                                            *)
(* Where two records are exchanged between rows of which many records each    *)
(* move, the two data sets have almost the same law: the cost is bounded in   *)
(* the number of records.                                                     *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   bases_balanced == what home.v asks of the permutations that fix the two  *)
(*            records                                                         *)
(*   balanced_exchange == an exchange between two rows of certified sizes     *)
(*            costs at most r                                                 *)
(*   balanced_pure_dp == r <= gamma^2 gives pure DP, in the universes where   *)
(*            the sizes of the categories are certified                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* All bases                                                                  *)
Section Bases.

Variables (R : realFieldType) (p r : R) (q : balance R) (on od : nat).
Variables (T : finType) (D D' : {set T}) (Q : pred {perm T}).
Variable c : {perm T} -> R.
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : on%:R / od%:R = p / (1 - p).
Hypothesis q_ok : balances q on od #|D| #|D'| r.
Hypothesis rows : free_rows Q c D D'.

Let m := (#|D| + #|D'|)%N.
Let w := move_mass p m.+2.
Let C := count_at Q c D D'.
Let M a b := C a b * home_excess w m (a + b).
Let out a b := w (a + b).+2 *+ (a.+1 * b.+1).
Let bad := led_away q on od #|D| #|D'|.

Let row := free_left rows.
Let C_ge0 a b : 0 <= C a b. Proof. exact/count_at_ge0/free_ge0/row. Qed.
Let w_ge0 k : 0 <= w k. Proof. by apply: move_mass_ge0; rewrite !ltW. Qed.
Let X_ge0 k : 0 <= home_excess w m k. Proof. exact: excess_ge0. Qed.
Let X_up := excess_up p_gt0 p_lt1 oE q_ok.
Let X_up2 := excess_up2 p_gt0 p_lt1 oE q_ok.
Let M_ge0 a b : 0 <= M a b. Proof. exact: mulr_ge0. Qed.
Let out_ge0 a b : 0 <= out a b. Proof. exact: mulrn_wge0. Qed.

Let M_sum := \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1) M a b.
Let out_sum := \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1) C a b * out a b.

Let near := near_axis on od (growth q) (span q) (spare q).
Let far := far_off (growth q) (span q).
Let lead (P : nat -> nat -> bool) :=
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | P a b) M a b.

Lemma led_away_le :
  lead (fun a b => [&& 0 < a, 0 < b & bad a b]%N) <= chained q *+ 4 * M_sum.
Proof.
have [_ od_gt0 _ _] := balanced_odds q_ok.
have [chain _] := balanced_chains q_ok.
have [chain' _] := balanced_chains (balancesC q_ok).
have le1 : lead (near #|D|) <= chained q * M_sum.
  exact: (near_le row X_ge0 od_gt0 chain X_up).
have le2 : lead (fun a b => near #|D'| b a) <= chained q * M_sum.
  exact: (near_column_le rows X_ge0 od_gt0 chain' X_up).
have le3 : lead (far #|D| #|D'|) <= chained q * M_sum.
  exact: (far_le rows X_ge0 chain).
have le4 : lead (fun a b => far #|D'| #|D| b a) <= chained q * M_sum.
  exact: (far_column_le rows X_ge0 chain').
rewrite mulrnAl; apply: le_trans (_ : lead (near #|D|) +
  lead (fun a b => near #|D'| b a) + lead (far #|D| #|D'|) +
  lead (fun a b => far #|D'| #|D| b a) <= _); last first.
  by rewrite 3!mulrS mulr1n !addrA !ler_add.
rewrite /lead -!big_split /=; apply: ler_sum => a _; rewrite big_mkcond.
rewrite [X in X + _ + _ + _]big_mkcond [X in _ + X + _ + _]big_mkcond.
rewrite [X in _ + _ + X + _]big_mkcond [X in _ + _ + _ + X]big_mkcond.
rewrite -!big_split /=; apply: ler_sum => b _; rewrite /bad /led_away.
rewrite -!mulrb -!mulrnDr; apply: ler_wpmuln2l => //.
rewrite -!/(near _ _ _) -!/(far _ _ _ _); case: (0 < a)%N (0 < b)%N => [] [] //.
by do 2!case: (near _ _ _); do 2!case: (far _ _ _ _).
Qed.

Lemma good_le :
  lead (fun a b => ~~ [|| a == 0, b == 0 | bad a b]%N) <=
  kept_rate q (on%:R / od%:R) m * out_sum.
Proof.
rewrite mulr_sumr; apply: ler_sum => a _; rewrite mulr_sumr big_mkcond.
have kept_ge0 : 0 <= kept_rate q (on%:R / od%:R) m.
  by rewrite kept_rate_ge0 // divr_ge0 ?ler0n.
apply: ler_sum => b _; case: ifP => [/norP[a0 /norP[b0 good]] | _]; last first.
  by rewrite !mulr_ge0.
have [le_m | lt_m] := leqP (a + b) m; last first.
  by rewrite /M /C count_out // !(mul0r, mulr0).
rewrite mulrCA ler_wpmul2l //.
by apply: (excess_kept p_gt0 p_lt1 oE q_ok); rewrite ?lt0n.
Qed.

Lemma bases_sum_balanced : M_sum <= (r - 1) * out_sum.
Proof.
have [edge_ge0 lost_lt1 _ le_kept] := balanced_rate q_ok.
have [a0_ge3 _ _] := balanced_shape q_ok.
have [_ od_gt0 _ _] := balanced_odds q_ok.
have [_ zero] := balanced_chains q_ok.
have [_ zero'] := balanced_chains (balancesC q_ok).
have bad2 b : (0 < b <= #|D'|)%N -> bad 2 b.
  case/andP=> b_gt0 _; apply: contraLR a0_ge3 => good; rewrite -ltnNge ltnS.
  by have [] := good_point q_ok _ b_gt0 good.
have bad2' a : (0 < a <= #|D|)%N -> bad a 2.
  case/andP=> a_gt0 _; apply: contraLR a0_ge3 => good; rewrite -ltnNge ltnS.
  by have [] := good_point q_ok a_gt0 _ good.
have border : lead (fun a b => [|| a == 0, b == 0 | bad a b]%N) <=
    (1 + edge q) * (1 + edge q) *
    lead (fun a b => [&& 0 < a, 0 < b & bad a b]%N).
  exact: (border_le row rows X_ge0 od_gt0 zero zero' X_up2).
have left_gt0 : 0 < 1 - lost q by rewrite subr_gt0.
rewrite -(ler_pmul2r left_gt0) mulrAC mulrBr mulr1 ler_subl_addr.
have out_sum_ge0 : 0 <= out_sum.
  by do 2!apply: sumr_ge0 => ? _; apply: mulr_ge0.
apply: le_trans (ler_add (ler_wpmul2r out_sum_ge0 le_kept) (lexx _)).
apply: (@le_trans _ _ (lead (fun a b => ~~ [|| a == 0, b == 0 | bad a b]%N) +
    lead (fun a b => [|| a == 0, b == 0 | bad a b]%N))).
  rewrite -big_split /=; apply: ler_sum => a _.
  rewrite (bigID (fun b : 'I__ => [|| val a == 0, val b == 0 | bad a b]%N)).
  by rewrite addrC.
apply: ler_add good_le _; apply: (le_trans border).
have edge2_ge0 : 0 <= (1 + edge q) * (1 + edge q).
  by rewrite mulr_ge0 ?addr_ge0 ?ler01.
apply: le_trans (ler_wpmul2l edge2_ge0 led_away_le) _.
by rewrite /lost -expr2 mulrA [M_sum * _]mulrC [_ ^+ 2 * _]mulrC.
Qed.

Lemma bases_balanced :
  \sum_(g | Q g) c g * home_excess w m (#|movers D g| + #|movers D' g|) <=
  (r - 1) * \sum_(g | Q g) c g * (w (#|movers D g| + #|movers D' g|).+2 *+
    (#|movers D g|.+1 * #|movers D' g|.+1)).
Proof.
rewrite (sum_counts Q c D D' (fun a b => home_excess w m (a + b))).
rewrite (sum_counts Q c D D' (fun a b => w (a + b).+2 *+ (a.+1 * b.+1))).
exact: bases_sum_balanced.
Qed.

End Bases.

(* One exchange inside a stratum of two rows                                  *)
Lemma balanced_exchange (R : realFieldType) (M : finType) (n : nat) (p : R)
    (p01 : 0 <= p <= 1) (on od : nat) (r : R) (fits : nat -> nat -> bool) :
    0 < p < 1 -> on%:R / od%:R = p / (1 - p) ->
    (forall k l, fits k l -> exists q, balances q on od k.-1 l.-1 r) ->
  exchange_cost p01 M n fits r.
Proof.
move=> /andP[p_gt0 p_lt1] oE fit H S x i j t mij hij two /fit[q q_ok].
have sizeE k : matching (x k) = matching (x i) ->
    (n_mh x (matching (x i)) (holding (x k))).-1 =
    #|[set v | mh (x v) == mh (x k)] :\ k|.
  move=> mk; rewrite n_mhE (cardsD1 k) inE mk !eqxx; apply: eq_card => v.
  by rewrite !inE xpair_eqE mk.
rewrite (sizeE i) // (sizeE j) // in q_ok.
have EE := card_bases mij hij two.
have [_ lost_lt1 _ le_kept] := balanced_rate q_ok.
have r_ge1 : 1 <= r.
  have left_gt0 : 0 < 1 - lost q by rewrite subr_gt0.
  rewrite -subr_ge0 -(pmulr_lge0 _ left_gt0); apply: le_trans le_kept.
  by rewrite kept_rate_ge0 // divr_ge0 ?ler0n.
have iA : i \in [set v | mh (x v) == mh (x i)] by rewrite inE.
have jB : j \in [set v | mh (x v) == mh (x j)] by rewrite inE.
have rows := rows_free p01 mij hij two t.
rewrite (psa_rows p01 mij hij two) (psa_exchange_rows p01 mij hij two).
rewrite (size_stratum mij hij two).
apply: (home_exchange_le iA jB rows _ r_ge1) => [k||].
- exact: move_mass_ge0.
- exact: (foreign_le p_gt0 p_lt1 oE q_ok iA jB rows).
rewrite (base_sum p x i j t (fun a b => home_excess _ _ (a + b))).
rewrite (base_sum p x i j t (fun a b => _ (a + b).+2 *+ (a.+1 * b.+1))).
rewrite EE; apply: (bases_balanced p_gt0 p_lt1 oE q_ok).
exact: bases_free.
Qed.

(* As a specification: one budget for the universes whose sizes have a        *)
(* certificate.                                                               *)
Theorem balanced_pure_dp (R : realFieldType) (M H S : finType) (n : nat)
    (p : R) (p01 : 0 <= p <= 1) (on od : nat) (r gamma : R)
    (fits : nat -> nat -> bool) :
    0 < p < 1 -> on%:R / od%:R = p / (1 - p) ->
    (forall k l, fits k l -> exists q, balances q on od k.-1 l.-1 r) ->
    r <= gamma ^+ 2 ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if sizes_fit fits x0 then Some gamma else None)
          (psa p p01).
Proof.
move=> p_in oE fit le_r; apply: sizes_fit_pure_dp.
by apply: exchange_cost_le le_r _; apply: balanced_exchange oE fit.
Qed.
