From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat derangement psa_law psa_privacy.
From Stirred Require Import insertion two_category_budget descent concentration.
From Stirred Require Import home chains.

(******************************************************************************)
(* A certificate for the budget of two large rows                             *)
(*                                                                            *)
(* For odds on / od and two rows of m1 + 1 and m2 + 1 records:                *)
(*                                                                            *)
(*   balance == the constants of the argument: chains of span steps grow by   *)
(*            (growth + 1) / growth, spare is what the masses need (k0 in     *)
(*            chains.v), of each row at least least records move, and at most *)
(*            wide / narrow as many as of the other, but for the share        *)
(*            chained for each chain; that none of a row move has at most     *)
(*            edge times the mass of two                                      *)
(*   balances_row == what it asks of the chains in one row beside the other   *)
(*   kept_rate, lost == the cost where the chains lead to, and the share of   *)
(*            what they lead away from                                        *)
(*   led_away == a chain leads away from where a and b records move           *)
(*   balances q on od m1 m2 r == the certificate q shows that r bounds        *)
(*            P_x / P_x' where two records of the rows are exchanged          *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   good_point == where no chain leads away, at least least records of each  *)
(*            row move, and at most wide / narrow as many as of the other     *)
(*   excess_kept == there the excess of home.v is at most kept_rate times     *)
(*            (1 + a) (1 + b) w (a + b + 2)                                   *)
(*   excess_up, excess_up2 == what chains.v asks of the excess                *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Balance.

Variable R : realFieldType.

Record balance := Balance {
  growth : nat; span : nat; spare : nat; least : nat; wide : nat; narrow : nat;
  chained : R; edge : R }.

(* What is asked of the chains in a row of m1 beside a row of m2.             *)
Definition balances_row (q : balance) (on od m1 m2 : nat) : bool :=
  let: Balance E l k0 a0 s t delta rho := q in
  [&& (od * E.+1 * (2 * a0 + 3 * l + k0) + on * E * (a0 + l) <=
         on * E * m1)%N,
      (od * E.+1 * (a0 + m2 + 1 + 2 * l + k0) + (on + od) * E * (a0 + l) <=
         (on + od) * E * m1)%N,
      (t * (E.+1 * (m2 + 1 + l) + E * (a0 + l)) <=
         s * E.+1 * a0 + t * E * m1)%N,
      (2 * m1)%:R * E%:R ^+ l <= delta * E.+1%:R ^+ l &
      (2 * od ^ 2 * (m2 + k0 + 1) ^ 2)%:R <=
        rho * (on ^ 2 * (m1 * m1.-1))%:R].

Definition kept_rate (q : balance) (o : R) (m : nat) : R :=
  (1 + o) * ((wide q + narrow q) ^ 2)%:R / (o ^+ 2 * (wide q * narrow q)%:R) +
  m%:R / ((least q).+1 ^ 2)%:R.

Lemma kept_rate_ge0 q o m : 0 <= o -> 0 <= kept_rate q o m.
Proof.
move=> o_ge0; have o2_ge0 : 0 <= o ^+ 2 by apply: exprn_ge0.
by rewrite addr_ge0 ?divr_ge0 ?mulr_ge0 ?addr_ge0 ?ler0n ?ler01.
Qed.

(* The share of the permutations that are not good.                           *)
Definition lost (q : balance) : R := chained q *+ 4 * (1 + edge q) ^+ 2.

Definition balances (q : balance) (on od m1 m2 : nat) (r : R) : bool :=
  let o := on%:R / od%:R in
  [&& (0 < on)%N, (0 < od)%N, (on <= od * spare q)%N, (5 <= spare q)%N,
      (3 <= least q)%N, (on <= od * least q)%N, (0 < narrow q)%N,
      (narrow q * (least q + 2 * span q) <= wide q * least q)%N,
      0 <= edge q, lost q < 1, balances_row q on od m1 m2,
      balances_row q on od m2 m1, 1 <= r * (1 - lost q) &
      kept_rate q o (m1 + m2) <= (r - 1) * (1 - lost q)].

End Balance.

(* Where no chain leads away from the axis or from the larger row             *)
Lemma good_side on od E l k0 a0 s t m1 m2 a b :
    (0 < od)%N -> (0 < t)%N -> (0 < a0)%N ->
    (t * (a0 + 2 * l) <= s * a0)%N ->
    (od * E.+1 * (2 * a0 + 3 * l + k0) + on * E * (a0 + l) <= on * E * m1)%N ->
    (od * E.+1 * (a0 + m2 + 1 + 2 * l + k0) + (on + od) * E * (a0 + l) <=
       (on + od) * E * m1)%N ->
    (t * (E.+1 * (m2 + 1 + l) + E * (a0 + l)) <=
       s * E.+1 * a0 + t * E * m1)%N ->
    (0 < a <= b)%N -> ~~ near_axis on od E l k0 m1 a b ->
    ~~ far_off E l m1 m2 a b ->
  (a0 <= a)%N /\ (t * b <= s * a)%N.
Proof.
move=> od_gt0 t_gt0 a0_gt0 le_ts c1 c2 c3 /andP[a_gt0 le_ab].
rewrite /near_axis /far_off a_gt0 /= negb_and -!ltnNge => near far.
have le_st : (t <= s)%N.
  rewrite -(leq_pmul2r a0_gt0) (leq_trans _ le_ts) //.
  by rewrite leq_mul2l leq_addr orbT.
have le_a0 : (a0 <= a)%N.
  rewrite leqNgt; apply/negP => lt_a; case/orP: far => far.
    have : (od * E.+1 * (a + l + b + k0) <=
        od * E.+1 * (2 * a0 + 3 * l + k0))%N.
      by rewrite leq_mul2l; apply/orP; right; move: lt_a far; clear; lia.
    have : (on * E * (a + l) <= on * E * (a0 + l))%N.
      by rewrite leq_mul2l leq_add2r (ltnW lt_a) orbT.
    by move: near c1; clear; lia.
  have : (od * (E * m1 + E.+1 * b) <=
      od * (E.+1 * (m2 + 1 + l) + E * (a + l)))%N.
    by rewrite leq_mul2l (ltnW far) orbT.
  have : (od * E.+1 * a <= od * E.+1 * a0)%N.
    by rewrite leq_mul2l (ltnW lt_a) orbT.
  have : ((on + od) * E * a <= (on + od) * E * a0)%N.
    by rewrite leq_mul2l (ltnW lt_a) orbT.
  by move: near c2; clear; nia.
split=> //; case/orP: far => far.
  apply: (@leq_trans (t * (a + 2 * l))).
    by rewrite leq_mul2l (ltnW far) orbT.
  have le_2l : (t * (2 * l) <= (s - t) * a0)%N.
    by move: le_ts; rewrite mulnBl mulnDr; clear; lia.
  have : ((s - t) * a0 <= (s - t) * a)%N by rewrite leq_mul2l le_a0 orbT.
  have : (t * a <= s * a)%N by rewrite leq_mul2r le_st orbT.
  by rewrite mulnBl; move: le_2l; clear; nia.
have far' : (t * (E * m1 + E.+1 * b) <=
    t * (E.+1 * (m2 + 1 + l) + E * (a + l)))%N.
  by rewrite leq_mul2l (ltnW far) orbT.
have le_d : (t * E * (a - a0) <= s * E.+1 * (a - a0))%N.
  by rewrite leq_mul2r leq_mul // orbT.
rewrite -(leq_pmul2l (ltn0Sn E)); move: far' le_d c3.
have -> : a = (a - a0 + a0)%N by rewrite subnK.
rewrite addnK; move: (a - a0)%N (E.+1); clear; nia.
Qed.

(* What a certificate gives                                                   *)
Section Certified.

Variables (R : realFieldType) (q : balance R) (on od m1 m2 : nat) (r : R).
Hypothesis q_ok : balances q on od m1 m2 r.
Local Notation o := (on%:R / od%:R : R).

Lemma balancesC : balances q on od m2 m1 r.
Proof.
move: q_ok; rewrite /balances [(m2 + m1)%N]addnC.
case/and5P=> -> -> -> -> /and5P[-> -> -> -> /and5P[-> -> -> ->]].
by case/andP=> -> ->.
Qed.

Lemma balanced_odds :
  [/\ (0 < on)%N, (0 < od)%N, (5 <= spare q)%N & o <= (spare q)%:R].
Proof.
have /and5P[on_gt0 od_gt0 le_o spare_ge5 _] := q_ok; split=> //.
by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat mulnC.
Qed.

Lemma balanced_shape :
  [/\ (3 <= least q)%N, (0 < narrow q)%N & (narrow q <= wide q)%N].
Proof.
have /and5P[_ _ _ _ /and5P[least_ge3 _ narrow_gt0 le_wide _]] := q_ok.
split=> //; have least_gt0 : (0 < least q)%N by move: least_ge3; clear; lia.
rewrite -(leq_pmul2r least_gt0) (leq_trans _ le_wide) //.
by rewrite leq_mul2l leq_addr orbT.
Qed.

Lemma balanced_rate :
  [/\ 0 <= edge q, lost q < 1, 1 <= r * (1 - lost q) &
      kept_rate q o (m1 + m2) <= (r - 1) * (1 - lost q)].
Proof.
by have /and5P[_ _ _ _ /and5P[_ _ _ _ /and5P[? ? _ _ /andP[]]]] := q_ok.
Qed.

Lemma balanced_fall : o <= (least q)%:R.
Proof.
have [_ od_gt0 _ _] := balanced_odds.
have /and5P[_ _ _ _ /and5P[_ le_o _ _ _]] := q_ok.
by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat mulnC.
Qed.

Lemma balanced_chains :
  (2 * m1)%:R * (growth q)%:R ^+ span q <=
     chained q * (growth q).+1%:R ^+ span q /\
  (2 * od ^ 2 * (m2 + spare q + 1) ^ 2)%:R <=
     edge q * (on ^ 2 * (m1 * m1.-1))%:R.
Proof.
have /and5P[_ _ _ _ /and5P[_ _ _ _ /and5P[_ _ row _ _]]] := q_ok.
by move: row; case: (q) => E l k0 a0 s t delta rho /= /and5P[].
Qed.

Lemma balanced_size : (3 < m1 + m2)%N.
Proof.
suff half : (least q <= m1)%N /\ (least q <= m2)%N.
  by have [least_ge3 _ _] := balanced_shape; move: half least_ge3; clear; lia.
have row m m' : balances_row q on od m m' -> (least q <= m)%N.
  have [on_gt0 od_gt0 spare_ge5 _] := balanced_odds.
  case: (q) spare_ge5 => E l k0 a0 s t delta rho /= k0_ge5.
  case/and5P=> le_m _ _ _ _; have [E0 | E_gt0] := posnP E.
    by move: le_m; rewrite E0 !muln0 !mul0n addn0 leqn0 muln_eq0; lia.
  rewrite -(leq_pmul2l (_ : 0 < on * E)%N) ?muln_gt0 ?on_gt0 //.
  by move: le_m; clear; nia.
have /and5P[_ _ _ _ /and5P[_ _ _ _ /and5P[_ _ row1 row2 _]]] := q_ok.
by split; [apply: row row1 | apply: row row2].
Qed.

(* Where few records move, a chain leads away from the axis.                  *)
Lemma near_few a b : (0 < a <= least q)%N -> (a + b <= 2 * least q)%N ->
  near_axis on od (growth q) (span q) (spare q) m1 a b.
Proof.
have /and5P[_ _ _ _ /and5P[_ _ _ _ /and5P[_ _ row _ _]]] := q_ok.
move: row; case: (q) => E l k0 a0 s t delta rho /= /and5P[c1 _ _ _ _].
move=> /andP[a_gt0 le_a] le_k; rewrite /near_axis a_gt0 /=.
apply: leq_trans c1; apply: leq_add.
  by rewrite leq_mul2l; apply/orP; right; move: le_k; clear; lia.
by rewrite leq_mul2l leq_add2r le_a orbT.
Qed.

Lemma good_ordered a b : (0 < a <= b)%N ->
    ~~ near_axis on od (growth q) (span q) (spare q) m1 a b ->
    ~~ far_off (growth q) (span q) m1 m2 a b ->
  (least q <= a)%N /\ (narrow q * b <= wide q * a)%N.
Proof.
have [_ od_gt0 _ _] := balanced_odds.
have [least_ge3 narrow_gt0 _] := balanced_shape.
have /and5P[_ _ _ _ /and5P[_ _ _ le_wide /and5P[_ _ row _ _]]] := q_ok.
move: row least_ge3 narrow_gt0 le_wide.
case: (q) => E l k0 a0 s t delta rho /= /and5P[c1 c2 c3 _ _] a0_ge3 t_gt0 le_ts.
by apply: good_side => //; move: a0_ge3; clear; lia.
Qed.

End Certified.

(* Where no chain leads away from an axis or from a row that moves more.      *)
Definition led_away (R : realFieldType) (q : balance R) on od m1 m2 a b :=
  [|| near_axis on od (growth q) (span q) (spare q) m1 a b,
      near_axis on od (growth q) (span q) (spare q) m2 b a,
      far_off (growth q) (span q) m1 m2 a b |
      far_off (growth q) (span q) m2 m1 b a].

Lemma good_point (R : realFieldType) (q : balance R) on od m1 m2 r a b :
    balances q on od m1 m2 r -> (0 < a)%N -> (0 < b)%N ->
    ~~ led_away q on od m1 m2 a b ->
  [/\ (least q <= a)%N, (least q <= b)%N, (narrow q * b <= wide q * a)%N &
      (narrow q * a <= wide q * b)%N].
Proof.
move=> q_ok a_gt0 b_gt0 /norP[near /norP[near' /norP[far far']]].
have [_ narrow_gt0 le_wide] := balanced_shape q_ok.
have [le_ab | /ltnW le_ba] := leqP a b.
  have ab : (0 < a <= b)%N by rewrite a_gt0.
  have [le_a le_b] := good_ordered q_ok ab near far.
  by split=> //; [apply: leq_trans le_ab | apply: leq_mul].
have ba : (0 < b <= a)%N by rewrite b_gt0.
have [le_b le_a] := good_ordered (balancesC q_ok) ba near' far'.
by split=> //; [apply: leq_trans le_ba | apply: leq_mul].
Qed.

(* The excess of home.v, for the masses of a stratum                          *)
Section Excess.

Variables (R : realFieldType) (p : R) (q : balance R) (on od m1 m2 : nat).
Variable r : R.
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : on%:R / od%:R = p / (1 - p).
Hypothesis q_ok : balances q on od m1 m2 r.
Local Notation o := (on%:R / od%:R : R).
Local Notation m := (m1 + m2)%N.
Local Notation w := (move_mass p m.+2).
Local Notation X := (home_excess w m).
Local Notation k0 := (spare q).

Let o_gt0 : 0 < o. Proof. by rewrite oE odds_gt0. Qed.
Let n_gt1 : (1 < m.+2)%N. Proof. by []. Qed.
Let w_ge0 k : 0 <= w k. Proof. by apply: move_mass_ge0; rewrite !ltW. Qed.

Lemma excess_ge0 k : 0 <= X k.
Proof. by rewrite !addr_ge0 // mulrn_wge0. Qed.

Lemma mass_one : w 1 = 0.
Proof. by rewrite /move_mass /= der1 mulr0 invr0 mulr0. Qed.

(* One record fewer                                                           *)
Lemma mass_prev k : (0 < k < m.+2)%N ->
  2%:R * o * w k <= (2 * k + 3)%:R * w k.+1.
Proof.
move=> /andP[k_gt0 lt_kn]; have [->|k1] := eqVneq k 1%N.
  by rewrite mass_one mulr0 mulr_ge0 ?ler0n.
have k_gt1 : (1 < k)%N by rewrite ltn_neqAle eq_sym k1.
apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
- exact: ltnW.
- by rewrite eqSS -lt0n.
rewrite [leLHS](_ : _ = o ^+ k.+1 * (2 * der k.+1)%:R); last first.
  by rewrite natrM exprS; ring.
rewrite [leRHS](_ : _ = o ^+ k.+1 * ((2 * k + 3) * der k)%:R); last first.
  by rewrite natrM; ring.
by rewrite ler_wpmul2l ?exprn_ge0 ?(ltW o_gt0) // ler_nat der_next_le.
Qed.

Lemma excess_step k : (0 < k < m)%N -> o * X k <= (k + k0)%:R * X k.+1.
Proof.
move=> /andP[k_gt0 lt_km]; have [_ _ k0_ge5 le_o] := balanced_odds q_ok.
have w0 : 2%:R * o * w k <= (2 * k + 3)%:R * w k.+1.
  by apply: mass_prev; move: k_gt0 lt_km; clear; lia.
have w1 : 2%:R * o * w k.+1 <= (2 * k.+1 + 3)%:R * w k.+2.
  by apply: mass_prev; move: k_gt0 lt_km; clear; lia.
have w2 : 2%:R * o * w k.+2 <= (2 * k.+2 + 3)%:R * w k.+3.
  by apply: mass_prev; move: k_gt0 lt_km; clear; lia.
have w3 : k.+2%:R * w k.+3 <= k0%:R * w k.+2.
  apply: le_trans (ler_wpmul2r (w_ge0 _) le_o).
  by apply: (mass_next p_gt0 p_lt1 oE n_gt1); move: lt_km; clear; lia.
rewrite -(ler_pmul2l (ltr0n R 2)) /home_excess.
rewrite [leLHS](_ : _ = 2%:R * o * w k + (2%:R * o * w k.+1) *+ k +
    (2%:R * o * w k.+2) *+ (m - k)); last by ring.
apply: (@le_trans _ _ ((2 * k + 3)%:R * w k.+1 +
    ((2 * k.+1 + 3)%:R * w k.+2) *+ k +
    ((2 * k.+2 + 3)%:R * w k.+3) *+ (m - k))).
  by do 2?apply: ler_add => //; apply: ler_wmuln2r.
rewrite [leRHS](_ : _ = w k.+1 *+ (2 * (k + k0)) +
    (w k.+2 *+ (2 * (k + k0) * k.+1) + w k.+3 *+ (2 * (k + k0) * (m - k.+1))));
  last by ring.
move: (w_ge0 k.+1) (w_ge0 k.+2) (w_ge0 k.+3) w3.
move: (w k.+1) (w k.+2) (w k.+3) => x1 x2 x3 x1_ge0 x2_ge0 x3_ge0.
rewrite !mulr_natl -!mulrnA => w3; rewrite -addrA.
have le_l x (i j : nat) : 0 <= x -> (i <= j)%N -> x *+ i <= x *+ j :> R.
  by move=> x_ge0 le_ij; apply: ler_wpmuln2l.
apply: ler_add; first by apply: le_l => //; move: k0_ge5; clear; lia.
apply: (@le_trans _ _ (x2 *+ ((2 * k.+1 + 3) * k) +
    (x3 *+ (2 * (k + k0) * (m - k.+1)) + x3 *+ k.+2 *+ 3))).
  rewrite ler_add2l -mulrnA -mulrnDr; apply: le_l => //.
  have -> : (m - k = (m - k.+1).+1)%N by move: lt_km; clear; lia.
  by move: (m - k.+1)%N k0_ge5 k_gt0; clear; nia.
rewrite addrCA [leRHS]addrC ler_add2l.
apply: (@le_trans _ _ (x2 *+ ((2 * k.+1 + 3) * k) + x2 *+ k0 *+ 3)).
  by rewrite ler_add2l; apply: ler_wmuln2r.
by rewrite -mulrnA -mulrnDr; apply: le_l => //; move: k0_ge5 k_gt0; clear; nia.
Qed.

(* No record, where two would move                                            *)
Lemma excess_start : o ^+ 2 * X 0 <= (k0.+1 ^ 2)%:R * X 2.
Proof.
have m_gt3 := balanced_size q_ok; have [_ _ k0_ge5 _] := balanced_odds q_ok.
have w0 : o ^+ 2 * w 0 <= w 2.
  rewrite -[leRHS]mul1r; apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
  by rewrite expr0 mul1r mulr1 der0 der2.
have w2 : 2%:R * o * w 2 <= 7%:R * w 3.
  by apply: mass_prev; move: m_gt3; clear; lia.
have w3 : 2%:R * o * w 3 <= 9%:R * w 4.
  by apply: mass_prev; move: m_gt3; clear; lia.
have le_w4 : 4%:R * (o ^+ 2 * w 2) <= 63%:R * w 4.
  apply: (@le_trans _ _ (7%:R * (2%:R * o * w 3))); last first.
    by apply: le_trans (ler_wpmul2l (ler0n _ 7) w3) _; rewrite mulrA -natrM.
  have o2_ge0 : 0 <= 2%:R * o by rewrite mulr_ge0 ?ler0n // ltW.
  have := ler_wpmul2l o2_ge0 w2; congr (_ <= _); ring.
rewrite -(ler_pmul2l (ltr0n R 4)) /home_excess mulr0n addr0 subn0.
rewrite [leLHS](_ : _ = 4%:R * (o ^+ 2 * w 0) + 4%:R * (o ^+ 2 * w 2) *+ m);
  last by ring.
apply: (@le_trans _ _ (w 2 *+ 4 + w 4 *+ (63 * m))).
  apply: ler_add; first by rewrite mulr_natl; apply: ler_wmuln2r.
  by rewrite mulrnA; apply: ler_wmuln2r; rewrite -[w 4 *+ _]mulr_natl.
rewrite [leRHS](_ : _ = w 2 *+ (4 * k0.+1 ^ 2) +
    w 4 *+ (4 * k0.+1 ^ 2 * (m - 2)) + w 3 *+ (8 * k0.+1 ^ 2)); last first.
  by rewrite mulnA; ring.
rewrite ler_paddr ?mulrn_wge0 //; apply: ler_add; apply: ler_wpmuln2l => //.
  by move: k0_ge5; clear; nia.
have : (36 <= k0.+1 ^ 2)%N by move: k0_ge5; clear; nia.
by move: (k0.+1 ^ 2)%N m_gt3; move: m; clear; nia.
Qed.

Lemma excess_step2 k : (k.+2 <= m)%N ->
  o ^+ 2 * X k <= ((k + k0 + 1) ^ 2)%:R * X k.+2.
Proof.
move=> le_km; have [-> | k_gt0] := posnP k; first by rewrite addn1 excess_start.
have lt_k : (0 < k < m)%N by rewrite k_gt0 ltnW.
have lt_k1 : (0 < k.+1 < m)%N by [].
rewrite expr2 -mulrA.
apply: le_trans (ler_wpmul2l (ltW o_gt0) (excess_step lt_k)) _.
rewrite mulrCA; apply: le_trans (ler_wpmul2l (ler0n _ _) (excess_step lt_k1)) _.
rewrite mulrA -natrM ler_wpmul2r ?excess_ge0 // ler_nat.
by clear; nia.
Qed.

(* The same in whole numbers                                                  *)
Lemma excess_up k : (0 < k)%N -> (k < m)%N ->
  on%:R * X k <= (od * (k + k0))%:R * X k.+1.
Proof.
move=> k_gt0 lt_km; have lt_k : (0 < k < m)%N by rewrite k_gt0.
have [_ od_gt0 _ _] := balanced_odds q_ok.
have od_neq0 : od%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
rewrite natrM -mulrA; have := ler_wpmul2l (ler0n _ od) (excess_step lt_k).
by rewrite [od%:R * (o * _)]mulrA [od%:R * o]mulrC divfK.
Qed.

Lemma excess_up2 k : (k.+2 <= m)%N ->
  (on ^ 2)%:R * X k <= (od ^ 2 * (k + k0 + 1) ^ 2)%:R * X k.+2.
Proof.
move=> le_km; have [_ od_gt0 _ _] := balanced_odds q_ok.
have od_neq0 : od%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
rewrite natrM -mulrA.
have := ler_wpmul2l (ler0n _ (od ^ 2)) (excess_step2 le_km).
rewrite [_%:R * (_ * X k)]mulrA; congr (_ * _ <= _).
by rewrite !natrX; field.
Qed.

(* The excess where neither row moves much more than the other.               *)
Lemma excess_kept a b : (0 < a)%N -> (0 < b)%N -> (a + b <= m)%N ->
    ~~ led_away q on od m1 m2 a b ->
  X (a + b) <= kept_rate q o m * (w (a + b).+2 *+ (a.+1 * b.+1)).
Proof.
move=> a_gt0 b_gt0 le_m good.
have [le_a le_b le_sb le_sa] := good_point q_ok a_gt0 b_gt0 good.
have [a0_ge3 narrow_gt0 le_wide] := balanced_shape q_ok.
have wide_gt0 := leq_trans narrow_gt0 le_wide.
rewrite /home_excess /kept_rate mulrDl; apply: ler_add.
  have -> : (a.+1 * b.+1 = 1 + (a + b) + a * b)%N by clear; lia.
  apply: (orbit_lower_mixed p_gt0 p_lt1 oE n_gt1) => //.
  by move: a_gt0 b_gt0; clear; lia.
rewrite -[leLHS]mulr_natl -[_ *+ (a.+1 * _)]mulr_natl mulrA.
rewrite ler_wpmul2r // mulrAC ler_pdivl_mulr ?ltr0n ?expn_gt0 //.
rewrite -!natrM ler_nat; apply: leq_mul; first exact: leq_subr.
by rewrite -mulnn; apply: leq_mul; rewrite ltnS.
Qed.

End Excess.
