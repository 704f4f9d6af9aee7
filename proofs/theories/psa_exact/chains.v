From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat.

(******************************************************************************)
(* Masses in the plane that grow along a row or along an antidiagonal         *)
(*                                                                            *)
(* C a b counts something of which a points of m1 and b points of m2 move,    *)
(* and M a b = C a b * X (a + b) is its mass. Where M grows by a factor of at *)
(* least (E+1)/E in each of the l steps that follow a point, the point has    *)
(* little mass. Odds are on / od.                                             *)
(*                                                                            *)
(*   near_axis on od E l k0 m1 a b == a > 0 is so small, given b, that M      *)
(*            grows along a, a+1, ..., a+l                                    *)
(*   far_off E l m1 m2 a b == a > 0 is so small, given a + b, that M grows    *)
(*            along (a, b), (a+1, b-1), ..., (a+l, b-l)                       *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   growth_le == the growth in l steps                                       *)
(*   near_sum_le, far_sum_le == these points have at most the share delta of  *)
(*            all mass, if 2 m1 (E/(E+1))^l <= delta                          *)
(*   zero_point_le == M 0 b <= rho M 2 b                                      *)
(*   border_sum_le == what lies on the axes, against what is bad off them     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition near_axis (on od E l k0 m1 a b : nat) : bool :=
  (0 < a)%N &&
  (od * E.+1 * (a + l + b + k0) + on * E * (a + l) <= on * E * m1)%N.

Definition far_off (E l m1 m2 a b : nat) : bool :=
  [&& (0 < a)%N, (a + 2 * l <= b)%N &
      (E.+1 * (m2 + 1 + l) + E * (a + l) <= E * m1 + E.+1 * b)%N].

Lemma growth_le (R : realFieldType) (V : nat -> R) (E l : nat) :
    (forall j, (j < l)%N -> E.+1%:R * V j <= E%:R * V j.+1) ->
  E.+1%:R ^+ l * V 0%N <= E%:R ^+ l * V l.
Proof.
elim: l => [|l IHl] step; first by rewrite !expr0.
rewrite ![_ ^+ l.+1]exprS -mulrA.
apply: (@le_trans _ _ (E.+1%:R * (E%:R ^+ l * V l))).
  by rewrite ler_wpmul2l ?ler0n // IHl // => j lt_j; rewrite step // ltnW.
rewrite mulrCA [E%:R * _]mulrC -[leRHS]mulrA.
by rewrite ler_wpmul2l ?exprn_ge0 ?ler0n // step.
Qed.

(* A shift that multiplies the mass by at least 1 / delta                     *)
Lemma shift_le (R : realFieldType) (M : nat -> nat -> R) (delta : R)
    (P : nat -> nat -> bool) (m1 m2 l l' : nat) :
    (forall a b, 0 <= M a b) -> 0 <= delta ->
    (forall a b, (a <= m1)%N -> (b <= m2)%N -> P a b ->
       [/\ (a + l <= m1)%N, (l' <= b)%N &
         M a b <= delta * M (a + l)%N (b - l')%N]) ->
  \sum_(a < m1.+1) \sum_(b < m2.+1 | P a b) M a b <=
  delta * \sum_(a < m1.+1) \sum_(b < m2.+1) M a b.
Proof.
move=> M_ge0 delta_ge0 shift.
rewrite pair_big_dep pair_big /= mulr_sumr.
pose A := [set q : 'I_m1.+1 * 'I_m2.+1 | P q.1 q.2].
pose h (q : 'I_m1.+1 * 'I_m2.+1) : 'I_m1.+1 * 'I_m2.+1 :=
  (inord (q.1 + l), inord (q.2 - l')).
have shiftA q : q \in A -> [/\ (q.1 + l <= m1)%N, (l' <= q.2)%N &
    M q.1 q.2 <= delta * M (q.1 + l)%N (q.2 - l')%N].
  by rewrite inE; apply: shift; rewrite -ltnS.
have h_inj : {in A &, injective h}.
  move=> [a b] [a' b'] /shiftA[/= lea leb _] /shiftA[/= lea' leb' _] [].
  move=> /(congr1 val) /=; rewrite !inordK ?ltnS // => /addIn ea.
  have le_b2 (d : 'I_m2.+1) : (d - l' < m2.+1)%N.
    by apply: leq_ltn_trans (ltn_ord d); apply: leq_subr.
  move=> /(congr1 val) /=; rewrite !inordK // => eb.
  congr pair; apply: val_inj => //=.
  by rewrite -(subnK leb) eb subnK.
rewrite (eq_bigl (fun q => q \in A)) => [|q]; last by rewrite inE.
apply: (@le_trans _ _ (\sum_(q in A) delta * M (h q).1 (h q).2)).
  apply: ler_sum => q /shiftA[lea leb]; rewrite !inordK ?ltnS //.
  by apply: leq_trans (leq_subr _ _) _; rewrite -ltnS.
rewrite -(big_imset (fun q : 'I_m1.+1 * 'I_m2.+1 => delta * M q.1 q.2) h_inj).
rewrite big_mkcond; apply: ler_sum => q _.
by case: ifP => // _; rewrite mulr_ge0.
Qed.

Section ChainPlane.

Variables (R : realFieldType) (C : nat -> nat -> R) (X : nat -> R).
Variables (on od E l k0 m1 m2 : nat) (delta : R).
Hypothesis C_ge0 : forall a b, 0 <= C a b.
Hypothesis X_ge0 : forall k, 0 <= X k.
Hypothesis od_gt0 : (0 < od)%N.

Let M a b := C a b * X (a + b).
Let M_ge0 a b : 0 <= M a b. Proof. exact: mulr_ge0. Qed.

Section Delta.

Hypothesis le_delta : (2 * m1)%:R * E%:R ^+ l <= delta * E.+1%:R ^+ l.

Let E1_gt0 : 0 < E.+1%:R ^+ l :> R. Proof. by rewrite exprn_gt0 ?ltr0n. Qed.

Let delta_ge0 : 0 <= delta.
Proof.
rewrite -(pmulr_lge0 _ E1_gt0); apply: le_trans le_delta.
by rewrite mulr_ge0 ?exprn_ge0 ?ler0n.
Qed.

(* l steps of growth beat a factor of 2 m1.                                   *)
Let chain_le x y : 0 <= y ->
  E.+1%:R ^+ l * x <= E%:R ^+ l * ((2 * m1)%:R * y) -> x <= delta * y.
Proof.
move=> y_ge0 le_xy; rewrite -(ler_pmul2l E1_gt0); apply: le_trans le_xy _.
by rewrite mulrA [E%:R ^+ l * _]mulrC [leRHS]mulrCA mulrA ler_wpmul2r.
Qed.

Section Rows.

Hypothesis X_up : forall k, (0 < k)%N -> (k < m1 + m2)%N ->
  on%:R * X k <= (od * (k + k0))%:R * X k.+1.
Hypothesis C_rise : forall a b,
  (a * (m1 - a))%:R * C a b <= a.+1%:R * C a.+1 b.

Lemma near_step a b : (0 < a)%N -> (b <= m2)%N ->
    (od * E.+1 * (a + b + k0) + on * E * a <= on * E * m1)%N ->
  E.+1%:R * (a%:R * M a b) <= E%:R * (a.+1%:R * M a.+1 b).
Proof.
move=> a_gt0 le_b le_rates.
have rates_gt0 : (0 < on * (m1 - a))%N.
  have pos : (0 < od * E.+1 * (a + b + k0))%N.
    by rewrite !muln_gt0 od_gt0 -addnA ltn_addr.
  have : (on * E * a < on * E * m1)%N.
    by apply: leq_trans le_rates; rewrite -addn1 addnC leq_add2r.
  by rewrite ltn_mul2l !muln_gt0 -andbA subn_gt0 => /and3P[-> _ ->].
have lt_a : (a < m1)%N by move: rates_gt0; rewrite muln_gt0 subn_gt0 => /andP[].
have X_le := X_up (k := a + b).
rewrite -(ler_pmul2l (_ : 0 < (on * (m1 - a))%:R)) ?ltr0n //.
apply: (@le_trans _ _ (E.+1%:R * ((a.+1%:R * C a.+1 b) *
    ((od * (a + b + k0))%:R * X (a + b).+1)))).
  rewrite (_ : (on * _)%:R * _ = E.+1%:R *
    ((a * (m1 - a))%:R * C a b * (on%:R * X (a + b)))); last first.
    by rewrite /M !natrM; ring.
  rewrite ler_wpmul2l ?ler0n // ler_pmul ?mulr_ge0 ?ler0n //.
  by rewrite X_le ?addn_gt0 ?a_gt0 // -addSn leq_add.
rewrite (_ : E.+1%:R * _ = (od * E.+1 * (a + b + k0))%:R *
  (a.+1%:R * M a.+1 b)); last by rewrite /M addSn !natrM; ring.
rewrite [leRHS]mulrA -natrM ler_wpmul2r ?mulr_ge0 ?ler0n // ler_nat.
rewrite [X in (_ <= X)%N]mulnAC mulnBr -(leq_add2r (on * E * a)) subnK //.
by rewrite leq_mul2l ltnW ?orbT.
Qed.

Lemma near_shift a b : (b <= m2)%N -> near_axis on od E l k0 m1 a b ->
  (a + l <= m1)%N /\ M a b <= delta * M (a + l)%N b.
Proof.
move=> le_b /andP[a_gt0 near_ab].
have le_al : (a + l <= m1)%N.
  have pos : (0 < od * E.+1 * (a + l + b + k0))%N.
    by rewrite !muln_gt0 od_gt0 -!addnA ltn_addr.
  have : (on * E * (a + l) < on * E * m1)%N.
    by apply: leq_trans near_ab; rewrite -addn1 addnC leq_add2r.
  by rewrite ltn_mul2l => /andP[_ /ltnW].
split=> //; apply: chain_le => //.
have := @growth_le _ (fun j => (a + j)%:R * M (a + j)%N b) E l.
rewrite addn0 => grow; apply: le_trans (le_trans _ (grow _)) _.
- rewrite ler_wpmul2l ?(ltW E1_gt0) // ler_pemull //.
  by rewrite -[X in X <= _]/(1%:R) ler_nat.
- move=> j lt_j; rewrite addnS near_step // ?addn_gt0 ?a_gt0 //.
  apply: leq_trans near_ab; rewrite leq_add ?leq_mul2l //.
    by apply/orP; right; rewrite !leq_add2r leq_add2l ltnW.
  by apply/orP; right; rewrite leq_add2l ltnW.
rewrite ler_wpmul2l ?exprn_ge0 ?ler0n // ler_wpmul2r ?ler0n // ler_nat.
by apply: leq_trans le_al _; rewrite leq_pmull.
Qed.

Lemma near_sum_le :
  \sum_(a < m1.+1) \sum_(b < m2.+1 | near_axis on od E l k0 m1 a b) M a b <=
  delta * \sum_(a < m1.+1) \sum_(b < m2.+1) M a b.
Proof.
apply: (shift_le (l := l) (l' := 0) M_ge0 delta_ge0) => a b _ le_b.
by rewrite subn0 => /(near_shift le_b)[].
Qed.

End Rows.

Section Diagonals.

Hypothesis C_transfer : forall a b, (a <= b.+1)%N ->
  (a * (m1 - a) * (b * b.+2))%:R * C a b.+2 <=
  (a.+1 * (m2 - b.+1) * b.+1 ^ 2)%:R * C a.+1 b.+1.

Let V a b : R := a%:R * (b%:R / b.-1%:R) * C a b.

Lemma far_step a b : (a <= b.+2)%N -> (b.+3 <= m2)%N ->
    (E.+1 * (m2 - b.+2) + E * a <= E * m1)%N ->
  E.+1%:R * V a b.+3 <= E%:R * V a.+1 b.+2.
Proof.
move=> le_ab le_b le_rates.
have lt_a : (a < m1)%N.
  have pos : (0 < E.+1 * (m2 - b.+2))%N by rewrite muln_gt0 subn_gt0.
  have : (E * a < E * m1)%N.
    by apply: leq_trans le_rates; rewrite -addn1 addnC leq_add2r.
  by rewrite ltn_mul2l => /andP[].
rewrite -(ler_pmul2l (_ : 0 < ((m1 - a) * (b.+1 * b.+2))%:R)); last first.
  by rewrite ltr0n muln_gt0 subn_gt0 lt_a.
have b1 : (b.+1%:R : R) != 0 by rewrite pnatr_eq0.
have b2 : (b.+2%:R : R) != 0 by rewrite pnatr_eq0.
apply: (@le_trans _ _ (E.+1%:R * ((a.+1 * (m2 - b.+2) * b.+2 ^ 2)%:R *
    C a.+1 b.+2))).
  rewrite (_ : ((m1 - a) * _)%:R * _ = E.+1%:R *
    ((a * (m1 - a) * (b.+1 * b.+3))%:R * C a b.+3)).
    by rewrite ler_wpmul2l ?ler0n // C_transfer.
  by rewrite /V /= !natrM; field; rewrite -(natrD _ 2) pnatr_eq0.
rewrite (_ : E.+1%:R * _ = (E.+1 * (m2 - b.+2))%:R *
  ((a.+1 * b.+2 ^ 2)%:R * C a.+1 b.+2)); last by rewrite !natrM; ring.
rewrite (_ : ((m1 - a) * _)%:R * _ = (E * (m1 - a))%:R *
  ((a.+1 * b.+2 ^ 2)%:R * C a.+1 b.+2)); last first.
  by rewrite /V /= !natrM; field; rewrite -(natrD _ 1) pnatr_eq0.
rewrite ler_wpmul2r ?mulr_ge0 ?ler0n // ler_nat.
rewrite [X in (_ <= X)%N]mulnBr -(leq_add2r (E * a)) subnK //.
by rewrite leq_mul2l ltnW ?orbT.
Qed.

Lemma far_shift a b : (b <= m2)%N -> far_off E l m1 m2 a b ->
  [/\ (a + l <= m1)%N, (l <= b)%N & M a b <= delta * M (a + l)%N (b - l)%N].
Proof.
move=> le_b /and3P[a_gt0 le_ab le_rates].
have le_lb : (l <= b)%N by move: le_ab; clear; lia.
have le_al : (a + l <= m1)%N.
  have : (E * (a + l) <= E * m1)%N.
    rewrite -(leq_add2l (E.+1 * b)) [X in (_ <= X)%N]addnC.
    apply: leq_trans le_rates; rewrite leq_add2r leq_mul2l /=.
    by rewrite -addnA (leq_trans le_b) ?leq_addr.
  rewrite leq_mul2l => /orP[/eqP E0 | //]; move: le_rates.
  by rewrite E0 !mul0n addn0 add0n !mul1n; move: le_b; clear; lia.
have m1_gt0 : (0 < m1)%N by apply: leq_trans le_al; rewrite ltn_addr.
split=> //; apply: chain_le => //; have [l0 | l_gt0] := posnP l.
  rewrite l0 !expr0 !mul1r addn0 subn0 ler_pemull //.
  by rewrite -[X in X <= _]/(1%:R) ler_nat muln_gt0.
have lt_lb : (l.+1 < b)%N by move: le_ab a_gt0 l_gt0; clear; lia.
have := @growth_le _ (fun j => V (a + j)%N (b - j)%N) E l.
rewrite addn0 subn0 => grow; rewrite /M -addnA subnKC // !mulrA.
apply: ler_wpmul2r => //; apply: le_trans (le_trans _ (grow _)) _.
- rewrite ler_wpmul2l ?(ltW E1_gt0) // /V ler_pemull // mulr_ege1 //.
    by rewrite -[X in X <= _]/(1%:R) ler_nat.
  have b1 : (0 < b.-1)%N by move: lt_lb; clear; lia.
  by rewrite ler_pdivl_mulr ?ltr0n // mul1r ler_nat leq_pred.
- move=> j lt_j; rewrite addnS.
  have [y yE] : exists y, (b - j)%N = y.+3.
    exists (b - j - 3)%N; move: le_ab a_gt0 lt_j; clear; lia.
  have -> : (b - j.+1)%N = y.+2 by rewrite subnS yE.
  rewrite yE far_step //.
  + by move: yE le_ab lt_j; clear; lia.
  + by rewrite -yE; apply: leq_trans (leq_subr _ _) le_b.
  rewrite -(leq_add2r (E.+1 * b)); apply: leq_trans le_rates.
  rewrite addnAC -mulnDr leq_add // leq_mul2l /=.
    by move: yE le_b lt_j; clear; lia.
  by rewrite leq_add2l ltnW ?orbT.
rewrite -mulrA ler_wpmul2l ?exprn_ge0 ?ler0n // /V ler_wpmul2r ?ler0n //.
rewrite mulnC natrM ler_pmul ?divr_ge0 ?ler0n ?ler_nat //.
have [y yE] : exists y, (b - l)%N = y.+2.
  exists (b - l - 2)%N; move: lt_lb; clear; lia.
rewrite yE /= ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
by clear; lia.
Qed.

Lemma far_sum_le :
  \sum_(a < m1.+1) \sum_(b < m2.+1 | far_off E l m1 m2 a b) M a b <=
  delta * \sum_(a < m1.+1) \sum_(b < m2.+1) M a b.
Proof.
by apply: (shift_le M_ge0 delta_ge0) => a b _; apply: far_shift.
Qed.

End Diagonals.

End Delta.

Section Zero.

Variable rho : R.
Hypothesis X_up2 : forall k, (k.+2 <= m1 + m2)%N ->
  (on ^ 2)%:R * X k <= (od ^ 2 * (k + k0 + 1) ^ 2)%:R * X k.+2.
Hypothesis C_zero : forall b,
  (m1 * m1.-1)%:R * C 0 b <= 2%:R * C 2%N b.
Hypothesis le_rho : (2 * od ^ 2 * (m2 + k0 + 1) ^ 2)%:R <=
  rho * (on ^ 2 * (m1 * m1.-1))%:R.

Let steps_gt0 : (0 < on ^ 2 * (m1 * m1.-1))%N.
Proof.
rewrite lt0n; apply: contraTneq le_rho => ->.
by rewrite mulr0 -ltNge ltr0n addn1; rewrite !muln_gt0 od_gt0.
Qed.

Lemma zero_bounds : 0 <= rho /\ (1 < m1)%N.
Proof.
split; last by move: steps_gt0; case: m1 => [|[|]] //; rewrite !muln0.
rewrite -(pmulr_lge0 _ (_ : 0 < (on ^ 2 * (m1 * m1.-1))%:R)) ?ltr0n //.
by apply: le_trans le_rho.
Qed.

Lemma zero_point_le b : (b <= m2)%N -> M 0 b <= rho * M 2 b.
Proof.
move=> le_b; have [rho_ge0 m1_gt1] := zero_bounds; rewrite /M add0n addSn add1n.
rewrite -(ler_pmul2l (_ : 0 < (on ^ 2 * (m1 * m1.-1))%:R)) ?ltr0n //.
apply: (@le_trans _ _ ((2%:R * C 2%N b) *
    ((od ^ 2 * (b + k0 + 1) ^ 2)%:R * X b.+2))).
  rewrite (_ : (on ^ 2 * _)%:R * _ = (m1 * m1.-1)%:R * C 0%N b *
    ((on ^ 2)%:R * X b)); last by rewrite !natrM; ring.
  by rewrite ler_pmul ?mulr_ge0 ?ler0n // X_up2 // -addn2 addnC leq_add.
rewrite (_ : _ * _ = (2 * od ^ 2 * (b + k0 + 1) ^ 2)%:R *
  (C 2%N b * X b.+2)); last by rewrite !natrM; ring.
rewrite [leRHS]mulrA [X in _ <= X * _]mulrC ler_wpmul2r ?mulr_ge0 ?ler0n //.
apply: le_trans le_rho; rewrite ler_nat leq_mul2l leq_exp2r //.
by rewrite !leq_add2r le_b orbT.
Qed.

End Zero.

End ChainPlane.

(* Points on the axes, against bad points off them                            *)
Lemma border_sum_le (R : realFieldType) (M : nat -> nat -> R) (rho rho' : R)
    (m1 m2 : nat) (bad : nat -> nat -> bool) :
    (forall a b, 0 <= M a b) -> 0 <= rho -> 0 <= rho' ->
    (1 < m1)%N -> (1 < m2)%N ->
    (forall b, (b <= m2)%N -> M 0%N b <= rho * M 2%N b) ->
    (forall a, (a <= m1)%N -> M a 0%N <= rho' * M a 2%N) ->
    (forall b, (0 < b <= m2)%N -> bad 2%N b) ->
    (forall a, (0 < a <= m1)%N -> bad a 2%N) ->
  \sum_(a < m1.+1)
    \sum_(b < m2.+1 | [|| a == 0%N :> nat, b == 0%N :> nat | bad a b])
      M a b <=
  (1 + rho) * (1 + rho') * \sum_(a < m1.+1)
    \sum_(b < m2.+1 | [&& (0 < a)%N, (0 < b)%N & bad a b]) M a b.
Proof.
move=> M_ge0 rho_ge0 rho'_ge0 m1_gt1 m2_gt1 zero_row zero_column bad_b bad_a.
set B := \sum_(a < _) \sum_(b < _ | _ && _) _.
have BE : B = \sum_(a < m1) \sum_(b < m2 | bad a.+1 b.+1) M a.+1 b.+1.
  rewrite /B big_ord_recl /= big_pred0_eq add0r; apply: eq_bigr => a _.
  by rewrite big_mkcond big_ord_recl /= add0r [RHS]big_mkcond.
have B_ge0 : 0 <= B by do 2!apply: sumr_ge0 => ? _.
have row2 : \sum_(b < m2) M 2%N b.+1 <= B.
  rewrite BE (bigD1 (Ordinal m1_gt1)) //=; apply: ler_paddr.
    by do 2!apply: sumr_ge0 => ? _.
  rewrite [leRHS]big_mkcond; apply: ler_sum => b _.
  by rewrite bad_b /=.
have column2 : \sum_(a < m1) M a.+1 2%N <= B.
  rewrite BE; apply: ler_sum => a _.
  rewrite (bigD1 (Ordinal m2_gt1)) /=; last by rewrite bad_a //=.
  by rewrite ler_addl; apply: sumr_ge0.
have row0 : \sum_(b < m2) M 0%N b.+1 <= rho * B.
  apply: (@le_trans _ _ (rho * \sum_(b < m2) M 2%N b.+1)); last first.
    by rewrite ler_wpmul2l.
  by rewrite mulr_sumr; apply: ler_sum => b _; apply: zero_row.
have column0 : \sum_(a < m1) M a.+1 0%N <= rho' * B.
  apply: (@le_trans _ _ (rho' * \sum_(a < m1) M a.+1 2%N)); last first.
    by rewrite ler_wpmul2l.
  by rewrite mulr_sumr; apply: ler_sum => a _; apply: zero_column.
have corner : M 0%N 0%N <= rho * rho' * B.
  apply: le_trans (zero_row 0%N _) _ => //; rewrite -mulrA ler_wpmul2l //.
  apply: le_trans (zero_column 2%N _) _ => //; rewrite ler_wpmul2l ?ler0n //.
  apply: le_trans row2; rewrite (bigD1 (Ordinal m2_gt1)) //=.
  by rewrite ler_addl; apply: sumr_ge0.
have -> : (1 + rho) * (1 + rho') * B = rho * rho' * B + rho * B +
  (rho' * B + B) by ring.
rewrite big_ord_recl /= big_ord_recl /=; apply: ler_add; first exact: ler_add.
rewrite [X in _ <= _ + X]BE (eq_bigr (fun a : 'I_m1 => M a.+1 0%N +
    \sum_(b < m2 | bad a.+1 b.+1) M a.+1 b.+1)) => [|a _].
  by rewrite big_split /= ler_add.
by rewrite big_mkcond big_ord_recl /= [in RHS]big_mkcond.
Qed.
