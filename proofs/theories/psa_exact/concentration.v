From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat derangement psa_law psa_privacy.
From Stirred Require Import insertion two_category_budget descent.

(******************************************************************************)
(* A certificate for the budget of large strata with two categories           *)
(*                                                                            *)
(* For odds o and strata of at most b records:                                *)
(*                                                                            *)
(*   certificate == the constants of the argument: the descent begins at      *)
(*            start, len steps suffice, few / parts and fewer / parts are the *)
(*            shares of the smaller row, alpha and beta the rates, ratio      *)
(*            their root, rest the share of each row's lopsided bases         *)
(*   certifies q b o r == the certificate q shows that r bounds P_x / P_x'    *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   orbit_kept == given certifies q b o r, the orbit of a base that is       *)
(*            lopsided to neither side costs at most r (1 - 2 rest)           *)
(*   orbit_fall == the mass of lopsided bases falls as descent.v asks, given  *)
(*            the double count of taking_out.v                                *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Certificate.

Variable R : realFieldType.

Record certificate := Certificate {
  start : nat; len : nat; few : nat; fewer : nat; parts : nat;
  alpha : R; beta : R; ratio : R; rest : R }.

(* A stratum of at most b records, odds o, and r >= P_x(z) / P_x'(z).         *)
Definition certifies (q : certificate) (b : nat) (o r : R) : bool :=
  let: Certificate s l d1 d2 d al be t delta := q in
  let most := ((d + d1) * (s + l))%:R / d%:R in
  let kept := r * (1 - delta *+ 2) in
  [&& (2 < s <= b)%N, (0 < d1 < d2)%N, (2 * d2 <= d)%N,
      (l * d1 <= s * (d2 - d1))%N, 0 <= al, 0 <= be, 0 < t < 1,
      al * t + be <= t ^+ 2, t ^+ l <= delta * (1 - t),
      0 <= delta, delta *+ 2 < 1,
      o * ((b - s) * d ^ 2)%:R <= al * ((d ^ 2 - d2 ^ 2) * s.+1)%:R,
      o ^+ 2 * (((b - s).+1 * (b - s)) * d ^ 2)%:R <=
        be * ((d ^ 2 - d2 ^ 2) * (s.+1 * s * s.-1))%:R,
      (most + 5%:R / 2%:R) / o ^+ 2 + (most + 1) / o <= kept,
      1 + (1 + o) * ((d + d1) ^ 2)%:R / (o ^+ 2 * (d * d1)%:R) <= kept,
      o ^+ 2 <= r & b%:R + 2%:R^-1 <= r * o].

End Certificate.

Lemma grow_le d d2 a x : (d2 <= d)%N -> (a <= x)%N -> (d * a <= d2 * x)%N ->
  ((d ^ 2 - d2 ^ 2) * (x * x.-1) <= d ^ 2 * ((x - a) * (a + x.-1)))%N.
Proof.
case: x a => [|x] [|a] le_d le_ax le_a; rewrite ?muln0 //.
  by rewrite subn0 add0n leq_mul2r leq_subr orbT.
have le2 : (d ^ 2 * (a.+1 * a) <= d2 ^ 2 * (x.+1 * x))%N.
  rewrite -!mulnn mulnACA [X in (_ <= X)%N]mulnACA.
  by apply: leq_mul => //; move: le_d le_a; clear; nia.
rewrite mulnBl leq_subLR /=; apply: leq_trans (leq_add le2 (leqnn _)).
by rewrite -mulnDr leq_mul2l; apply/orP; right; move: le_ax; clear; nia.
Qed.

Section Masses.

Variables (R : realFieldType) (p o r : R) (b n : nat) (q : certificate R).
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : o = p / (1 - p).
Hypotheses (n_gt1 : (1 < n)%N) (le_nb : (n <= b)%N).

Let o_gt0 : 0 < o. Proof. by rewrite oE odds_gt0. Qed.
Let o_ge0 : 0 <= o. Proof. exact: ltW. Qed.
Let o_neq0 : o != 0. Proof. by rewrite gt_eqF. Qed.
Let oX_ge0 i : 0 <= o ^+ i. Proof. by rewrite exprn_ge0. Qed.
Let w := move_mass p n.
Let w_ge0 k : 0 <= w k. Proof. by apply: move_mass_ge0; rewrite !ltW. Qed.

Lemma mass_next k : (1 < k < n)%N -> k%:R * w k.+1 <= o * w k.
Proof.
move=> /andP[k_gt1 lt_kn]; apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
- exact: ltnW.
- by rewrite eqSS -lt0n ltnW.
- by rewrite gtn_eqF.
rewrite -exprS mulrAC mulrC; apply: ler_wpmul2l => //.
by rewrite -natrM ler_nat der_next_ge.
Qed.

Local Notation orbit_in := (orbit_in w).
Local Notation orbit_out := (orbit_out w).

Lemma orbit_inE a c : orbit_in a c =
  w (a + c)%N + w (a + c).+1 *+ (a + c) + w (a + c).+2 *+ (a * c).
Proof.
by rewrite /orbit_in mulrnDl -mulrnA addrA mulrnDr addrA.
Qed.

Lemma orbit_outE a c : orbit_out a c = w (a + c).+2 *+ (1 + (a + c) + a * c).
Proof.
rewrite /orbit_out mulrnDl -mulrnA addrA -addrA.
by rewrite -!mulrnDr -mulrS -mulrnDr; congr (_ *+ _); lia.
Qed.

Lemma orbit_in_ge0 a c : 0 <= orbit_in a c.
Proof. by rewrite orbit_inE !addr_ge0 ?mulrn_wge0. Qed.
Lemma orbit_out_ge0 a c : 0 <= orbit_out a c.
Proof. by rewrite orbit_outE mulrn_wge0. Qed.

Lemma orbit_inC a c : orbit_in a c = orbit_in c a.
Proof. by rewrite !orbit_inE [(c + a)%N]addnC [(c * a)%N]mulnC. Qed.

(* One more record of the row where most move.                                *)
Lemma orbit_step a c : (1 < a + c)%N -> (a <= c)%N -> ((a + c).+3 <= n)%N ->
  (a + c)%:R * orbit_in a c.+1 <= o * orbit_in a c.
Proof.
move=> k_gt1 le_ac le_n; rewrite !orbit_inE !addnS.
have : (a + c <= c * 2)%N by rewrite muln2 -addnn leq_add2r.
move: (a + c)%N k_gt1 le_n => k k_gt1 le_n le_k.
rewrite !mulrDr; apply: ler_add; first apply: ler_add.
- by apply: mass_next; lia.
- rewrite !mulrnAr (_ : _ *+ k.+1 = (k.+1%:R * w k.+2) *+ k).
    by apply: ler_wmuln2r; apply: mass_next; lia.
  by rewrite !mulr_natl -!mulrnA mulnC.
rewrite !mulrnAr; apply: (@le_trans _ _ ((k.+2%:R * w k.+3) *+ (a * c))).
  rewrite !mulr_natl -!mulrnA; apply: ler_wpmuln2l => //.
  by rewrite !mulnA ![(_ * a)%N]mulnC -!mulnA leq_mul2l; apply/orP; right; lia.
by apply: ler_wmuln2r; apply: mass_next; lia.
Qed.

(* The two smaller masses of an orbit against the largest                     *)
Lemma orbit_lower k : (k != 1)%N -> (k.+2 <= n)%N ->
  w k + w k.+1 *+ k <=
  k.+1%:R * ((k%:R + 5%:R / 2%:R) / o ^+ 2 + k.+1%:R / o) * w k.+2.
Proof.
move=> k1 le_n; have o2_neq0 : o ^+ 2 != 0 by rewrite expf_neq0.
pose s0 : R := k.+1%:R * ((k%:R + 5%:R / 2%:R) / o ^+ 2).
pose s1 : R := k.+1%:R * (k.+1%:R / o).
have two : (2%:R : R) != 0 by rewrite pnatr_eq0.
have le0 : w k <= s0 * w k.+2.
  rewrite -[leLHS]mul1r; apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
    exact: ltnW (ltnW _).
  rewrite (_ : s0 * _ * _ = k.+1%:R * (k%:R + 5%:R / 2%:R) * o ^+ k *
    (der k)%:R); last first.
    by rewrite -addn2 exprD /s0; field.
  rewrite mul1r [leRHS]mulrAC [leRHS]mulrC ler_wpmul2l //.
  have [k0 | k_gt0] := posnP k.
    rewrite k0 der0 der2 mul1r mulr1 add0r ler_pdivl_mulr ?ltr0n // mul1r.
    by rewrite ler_nat.
  have k_gt1 : (1 < k)%N by rewrite ltn_neqAle eq_sym k1.
  rewrite -(ler_pmul2l (ltr0n R 2)) -natrM.
  apply: le_trans (_ : (k.+1 * (2 * k.+2 + 1) * der k)%:R <= _).
    by rewrite ler_nat der_next2_le.
  rewrite !natrM natrD natrM -[k.+2]addn2 natrD.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
rewrite mulrDr mulrDl ler_add //; have [k0 | k_gt0] := posnP k.
  by rewrite k0 mulr0n mulr_ge0 // mulr_ge0 ?ler0n // divr_ge0 ?ler0n.
have k_gt1 : (1 < k)%N by rewrite ltn_neqAle eq_sym k1.
rewrite -[w k.+1 *+ k]mulr_natl.
apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
- exact: ltnW.
- by rewrite eqSS -lt0n.
rewrite (_ : k.+1%:R * _ * _ * _ = k.+1%:R ^+ 2 * (der k.+1)%:R * o ^+ k.+1).
  rewrite mulrAC; apply: ler_wpmul2r => //.
  by rewrite -natrX -!natrM ler_nat der_next2_ge.
by rewrite exprS; field.
Qed.

(* The same where no row moves more than d / d1 times as many as the other    *)
Lemma orbit_lower_mixed d d1 a c : (0 < d)%N -> (0 < d1)%N ->
    (d1 * c <= d * a)%N -> (d1 * a <= d * c)%N ->
    (a + c != 1)%N -> ((a + c).+2 <= n)%N ->
  w (a + c)%N + w (a + c).+1 *+ (a + c) <=
  (1 + o) * ((d + d1) ^ 2)%:R / (o ^+ 2 * (d * d1)%:R) *
    (w (a + c).+2 *+ (1 + (a + c) + a * c)).
Proof.
move=> d_gt0 d1_gt0 le_c le_a k1 le_n; apply: (le_trans (orbit_lower k1 le_n)).
have mixed : (d * d1 * ((a + c).+1 * (2 * (a + c) + 5)) <=
    2 * ((d + d1) ^ 2 * (1 + (a + c) + a * c)))%N.
  have mixed : (d * d1 * (a + c) ^ 2 <= (d + d1) ^ 2 * (a * c))%N.
    by move: le_a le_c; clear; nia.
  have le4 : (4 * (d * d1) <= (d + d1) ^ 2)%N by rewrite nat_AGM2.
  have le4k : (4 * (d * d1) * (a + c) <= (d + d1) ^ 2 * (a + c))%N.
    by rewrite leq_mul2r le4 orbT.
  move: mixed le4 le4k; rewrite -mulnn; move: (a + c)%N => k.
  by move: (a * c)%N ((d + d1) ^ 2)%N (d * d1)%N; clear; nia.
move: (a + c)%N k1 le_n mixed => k k1 le_n.
set N := (1 + k + a * c)%N; set D := ((d + d1) ^ 2)%N => mixed.
have dd1_gt0 : 0 < (d * d1)%:R :> R by rewrite ltr0n muln_gt0 d_gt0.
rewrite -[w _ *+ N]mulr_natl mulrA ler_wpmul2r //.
have half_ge0 : 0 <= 5%:R / 2%:R :> R by rewrite divr_ge0 ?ler0n.
apply: (@le_trans _ _ (k.+1%:R * ((k%:R + 5%:R / 2%:R) * ((1 + o) / o ^+ 2)))).
  rewrite ler_wpmul2l ?ler0n // [(1 + o) / _]mulrDl [leRHS]mulrDr.
  rewrite mul1r ler_add2l.
  have -> : o / o ^+ 2 = o^-1 by rewrite expr2 invfM mulrA divff // mul1r.
  rewrite ler_wpmul2r ?invr_ge0 // -addn1 natrD ler_add2l.
  by rewrite ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
have -> : (1 + o) * D%:R / (o ^+ 2 * (d * d1)%:R) * N%:R =
    D%:R * N%:R / (d * d1)%:R * ((1 + o) / o ^+ 2).
  by field; rewrite ?pnatr_eq0 -?lt0n d1_gt0 d_gt0 ?o_neq0.
rewrite mulrA; apply: ler_wpmul2r; first by rewrite divr_ge0 ?addr_ge0 ?ler01.
rewrite ler_pdivl_mulr // -(ler_pmul2l (ltr0n R 2)).
rewrite (_ : 2%:R * _ = (d * d1 * (k.+1 * (2 * k + 5)))%:R); last first.
  by rewrite !natrM natrD natrM; field.
by rewrite -!natrM ler_nat.
Qed.

(* One more moved record, and two fewer                                       *)
Lemma mass_up k : b%:R + 2%:R^-1 <= r * o -> (0 < k)%N -> (k.+2 <= n)%N ->
  w k.+1 <= r * w k.+2.
Proof.
move=> le_b k_gt0 lek; rewrite -[leLHS]mul1r.
apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
- exact: ltnW.
- by rewrite eqSS -lt0n.
rewrite mul1r [leRHS](_ : _ = o ^+ k.+1 * (r * o * (der k.+1)%:R)); last first.
  by rewrite (exprSr o k.+1) mulrCA -!mulrA.
rewrite ler_wpmul2l //.
apply: (@le_trans _ _ ((b%:R + 2%:R^-1) * (der k.+1)%:R)); last first.
  by rewrite ler_wpmul2r ?ler0n.
rewrite -(ler_pmul2l (ltr0n R 2)) mulrA mulrDr divff ?pnatr_eq0 //.
rewrite -(natrM _ 2 b) -(natrD _ _ 1) -!natrM ler_nat.
by apply: der_next_bound => //; apply: leq_trans le_nb.
Qed.

Lemma mass_down k e : 1 <= r -> o ^+ 2 <= r ->
    (k.+2 <= n)%N -> (e <= 2)%N -> (k + e != 1)%N ->
  w k.+2 <= r * w (k + e)%N.
Proof.
move=> r_ge1 le_o lek le2 ke1.
have le_ke : (k + e <= k.+2)%N by rewrite -addn2 leq_add2l.
rewrite -[leLHS]mul1r; apply: (mass_scale p_gt0 p_lt1 oE n_gt1) => //.
  exact: leq_trans lek.
rewrite mul1r; have -> : k.+2 = (2 - e + (k + e))%N.
  by rewrite addnCA subnK // addn2.
rewrite exprD -!mulrA; apply: ler_pmul; rewrite ?mulr_ge0 ?ler0n //.
  case: e le2 {ke1 le_ke} => [|[|[|]]] // _; rewrite ?subSS ?subn0 ?expr1 //.
  have [o_ge1 | o_lt1] := leP 1 o; last exact: le_trans (ltW o_lt1) r_ge1.
  by apply: le_trans le_o; rewrite expr2 ler_pemulr.
by rewrite ler_wpmul2l // ler_nat leq_der // addnCA subnK // addn2.
Qed.

Hypothesis q_ok : certifies q b o r.

Let kept := r * (1 - rest q *+ 2).

Lemma kept_bounds :
  let most := ((parts q + few q) * (start q + len q))%:R / (parts q)%:R in
  [/\ (0 < few q)%N, (few q < parts q)%N,
      (most + 5%:R / 2%:R) / o ^+ 2 + (most + 1) / o <= kept,
      1 + (1 + o) * ((parts q + few q) ^ 2)%:R /
        (o ^+ 2 * (parts q * few q)%:R) <= kept & 1 <= kept].
Proof.
rewrite /kept; case: q q_ok => s l d1 d2 d al be t delta /=.
case/and5P=> _ /andP[d1_gt0 d12] d2d _ /and5P[_ _ _ _ /and5P[_ _ _ _]].
case/and5P=> _ le1 le2 _ _; have d1d : (d1 < d)%N.
  by move: d12 d2d; clear; lia.
split=> //; apply: le_trans le2; rewrite ler_addl.
by rewrite divr_ge0 ?mulr_ge0 ?addr_ge0 ?ler0n ?ler01.
Qed.

Lemma certified_rates :
  [/\ 1 <= r, o ^+ 2 <= r & b%:R + 2%:R^-1 <= r * o].
Proof.
have [_ _ _ _] := kept_bounds; rewrite /kept; move: q_ok.
case: q => s l d1 d2 d al be t delta /=.
case/and5P=> _ _ _ _ /and5P[_ _ _ _ /and5P[_ delta_ge0 delta_lt _]].
case/and5P=> _ _ _ le_o le_b kept_ge1; split=> //.
have left_gt0 : 0 < 1 - delta *+ 2 by rewrite subr_gt0.
have r_gt0 : 0 < r.
  by rewrite -(pmulr_lgt0 _ left_gt0) (lt_le_trans ltr01).
apply: (le_trans kept_ge1); rewrite ler_pimulr ?(ltW r_gt0) //.
by rewrite ler_subl_addr ler_addl mulrn_wge0.
Qed.

(* An orbit that is lopsided to neither side costs at most kept.              *)
Lemma orbit_kept a c : (a + c != 1)%N -> ((a + c).+2 <= n)%N ->
    ~~ lopsided (start q) (len q) (few q) (parts q) a c ->
    ~~ lopsided (start q) (len q) (few q) (parts q) c a ->
  orbit_in a c <= kept * orbit_out a c.
Proof.
have [] := kept_bounds; rewrite /lopsided; move: (start q + len q)%N => e.
move: (few q) (parts q) => d1 d d1_gt0 d1d le1 le2 ge1.
move=> k1 le_n near_a near_c; rewrite orbit_inE orbit_outE.
have d_gt0 : 0 < d%:R :> R by rewrite ltr0n; apply: leq_ltn_trans d1d.
have kept_ge0 : 0 <= kept := le_trans ler01 ge1.
have lower := orbit_lower k1 le_n.
set k := (a + c)%N in k1 le_n lower *; set W := w k.+2 in lower *.
have W_ge0 : 0 <= W by apply: w_ge0.
have o2_gt0 : 0 < o ^+ 2 by rewrite exprn_gt0.
have [le_k | lt_k] := leqP (d * k) ((d + d1) * e).
  rewrite [W *+ (1 + _ + _)]mulrnDr mulrDr.
  apply: ler_add; last first.
    by rewrite ler_pemull // mulrn_wge0.
  apply: (le_trans lower); rewrite -[W *+ _]mulr_natl mulrA.
  apply: ler_wpmul2r => //; rewrite mulrC ler_wpmul2r ?ler0n //.
  apply: le_trans le1.
  have le_most : k%:R <= ((d + d1) * e)%:R / d%:R :> R.
    by rewrite ler_pdivl_mulr // -natrM ler_nat mulnC.
  apply: ler_add; last first.
    by rewrite ler_wpmul2r ?invr_ge0 // -addn1 natrD ler_add2r.
  by rewrite ler_wpmul2r ?invr_ge0 // ler_add2r.
have [le_a le_c] : (d1 * c <= d * a)%N /\ (d1 * a <= d * c)%N.
  split; rewrite leqNgt; apply/negP=> lt_d.
    have : (c <= e)%N by move: near_a; rewrite lt_d andbT -leqNgt.
    by move: lt_d lt_k; rewrite /k; clear; nia.
  have : (a <= e)%N by move: near_c; rewrite lt_d andbT -leqNgt.
  by move: lt_d lt_k; rewrite /k; clear; nia.
set D := ((d + d1) ^ 2)%N in le2.
set N := (1 + k + a * c)%N; have le_N : (a * c <= N)%N by rewrite /N leq_addl.
apply: (@le_trans _ _ ((1 + (1 + o) * D%:R / (o ^+ 2 * (d * d1)%:R)) *
    (W *+ N))); last by rewrite ler_wpmul2r // mulrn_wge0.
rewrite mulrDl mul1r addrC; apply: ler_add; first exact: ler_wpmuln2l.
by apply: orbit_lower_mixed => //; apply: leq_ltn_trans d1d.
Qed.

(* Far from balance, one more record of the larger row is ever less likely.   *)
Lemma orbit_fall m a c (C0 C1 C2 : R) : (m <= b)%N ->
    (start q < c.+2)%N -> (parts q * a <= fewer q * c.+2)%N ->
    ((a + c).+4 <= n)%N -> 0 <= C0 -> 0 <= C1 ->
    (c.+2%:R - a%:R) * C2 <= C1 *+ (c.+1 * (m - c.+1)) +
       C0 *+ ((m - c) * (m - c).-1) ->
  C2 * orbit_in a c.+2 <= alpha q * (C1 * orbit_in a c.+1) +
    beta q * (C0 * orbit_in a c).
Proof.
case: q q_ok => s l d1 d2 d al be t delta /=.
case/and5P=> /andP[s_gt2 le_sb] /andP[_ d12] d2d _ /and5P[al_ge0 be_ge0 _ _].
case/and5P=> _ _ _ leA /and5P[leB _ _ _ _] le_mb lt_s le_a le_n C0_ge0 C1_ge0.
have d_gt0 : (0 < d)%N by move: d12 d2d; clear; lia.
have c_gt1 : (1 < c)%N by move: s_gt2 lt_s; clear; lia.
have le_ac : (a <= c)%N by move: le_a d2d c_gt1 d_gt0; clear; nia.
have s_gt0 : (0 < s)%N by move: s_gt2; clear; lia.
have mass1 : (a + c.+1)%:R * orbit_in a c.+2 <= o * orbit_in a c.+1.
  by apply: orbit_step; move: c_gt1 le_ac le_n; clear; lia.
have mass0 : (a + c)%:R * orbit_in a c.+1 <= o * orbit_in a c.
  by apply: orbit_step; move: c_gt1 le_ac le_n; clear; lia.
move: (orbit_in_ge0 a c.+2) (orbit_in_ge0 a c.+1) (orbit_in_ge0 a c).
move: mass1 mass0.
move: (orbit_in a c.+2) (orbit_in a c.+1) (orbit_in a c) => m2 m1 m0.
move=> mass1 mass0 m2_ge0 m1_ge0 m0_ge0.
rewrite -natrB; last by apply: leq_trans le_ac _; rewrite -addn2 leq_addr.
set D := (c.+2 - a)%N => count.
have grow : ((d ^ 2 - d2 ^ 2) * (c.+2 * c.+1) <= d ^ 2 * (D * (a + c.+1)))%N.
  rewrite -[(a + c.+1)%N]/(a + c.+2.-1)%N; apply: grow_le => //.
    by move: d12 d2d; clear; lia.
  by move: le_ac; clear; lia.
have D_gt0 : (0 < D)%N by rewrite subn_gt0; move: le_ac; clear; lia.
have d2_gt0 : 0 < (d ^ 2)%:R :> R by rewrite ltr0n expn_gt0 d_gt0.
have rateA : o * (c.+1 * (m - c.+1))%:R <= al * (D * (a + c.+1))%:R.
  rewrite -(ler_pmul2r d2_gt0) -!mulrA -!natrM.
  apply: (@le_trans _ _ (o * ((b - s) * d ^ 2)%:R * c.+1%:R)).
    rewrite -mulrA -natrM ler_wpmul2l // ler_nat.
    by move: le_mb le_sb lt_s; move: (d ^ 2)%N; clear; nia.
  apply: le_trans (ler_wpmul2r (ler0n _ _) leA) _.
  rewrite -mulrA -natrM ler_wpmul2l // ler_nat.
  rewrite [X in (_ <= X)%N]mulnC; apply: leq_trans grow.
  by move: lt_s; move: (d ^ 2 - d2 ^ 2)%N; clear; nia.
have rateB : o ^+ 2 * ((m - c) * (m - c).-1)%:R <=
    be * (D * (a + c.+1) * (a + c))%:R.
  rewrite -(ler_pmul2r d2_gt0) -[leLHS]mulrA -[leRHS]mulrA -!natrM.
  apply: (@le_trans _ _ (o ^+ 2 * ((b - s).+1 * (b - s) * d ^ 2)%:R)).
    rewrite ler_wpmul2l // ler_nat leq_mul2r; apply/orP; right.
    by apply: leq_mul; move: le_mb le_sb lt_s; clear; lia.
  apply: (le_trans leB); rewrite ler_wpmul2l // ler_nat.
  apply: (@leq_trans ((d ^ 2 - d2 ^ 2) * (c.+2 * c.+1) * c)%N).
    rewrite -[X in (_ <= X)%N]mulnA leq_mul2l; apply/orP; right.
    by rewrite !leq_mul //; move: lt_s; clear; lia.
  rewrite [X in (_ <= X)%N]mulnC [X in (_ <= X)%N]mulnA.
  by rewrite leq_mul ?leq_addl.
have k_gt0 : 0 < (a + c)%:R :> R.
  by rewrite ltr0n addn_gt0 orbC (ltnW c_gt1).
have k1_gt0 : 0 < (a + c.+1)%:R :> R by rewrite ltr0n addnS.
have DR_gt0 : 0 < D%:R :> R by rewrite ltr0n.
rewrite -(ler_pmul2l DR_gt0) [leLHS]mulrA.
apply: le_trans (ler_wpmul2r m2_ge0 count) _.
rewrite mulrDl mulrDr; apply: ler_add.
  rewrite -(ler_pmul2l k1_gt0) -[C1 *+ _]mulr_natr.
  rewrite [leLHS](_ : _ =
    C1 * ((c.+1 * (m - c.+1))%:R * ((a + c.+1)%:R * m2))); last by ring.
  rewrite [leRHS](_ : _ = C1 * (al * (D * (a + c.+1))%:R * m1)); last first.
    by rewrite natrM; ring.
  apply: ler_wpmul2l => //.
  apply: le_trans (ler_wpmul2l (ler0n _ _) mass1) _.
  by rewrite mulrA [_ * o]mulrC ler_wpmul2r.
have mass2 : (a + c)%:R * ((a + c.+1)%:R * m2) <= o ^+ 2 * m0.
  apply: le_trans (ler_wpmul2l (ltW k_gt0) mass1) _.
  by rewrite mulrCA expr2 -mulrA ler_wpmul2l.
rewrite -(ler_pmul2l k1_gt0) -(ler_pmul2l k_gt0) -[C0 *+ _]mulr_natr.
rewrite [leLHS](_ : _ = C0 * (((m - c) * (m - c).-1)%:R *
  ((a + c)%:R * ((a + c.+1)%:R * m2)))); last by ring.
rewrite [leRHS](_ : _ =
    C0 * (be * (D * (a + c.+1) * (a + c))%:R * m0)); last first.
  by rewrite !natrM; ring.
apply: ler_wpmul2l => //.
apply: le_trans (ler_wpmul2l (ler0n _ _) mass2) _.
by rewrite mulrA [_ * o ^+ 2]mulrC ler_wpmul2r.
Qed.

End Masses.
