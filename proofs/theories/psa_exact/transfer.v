From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat insertion taking_out concentrated chains.

(******************************************************************************)
(* More double counts: the points of two rows that move                       *)
(*                                                                            *)
(* D and D' are two rows whose points may take each other's place, as in      *)
(* taking_out.v, and C a b = count_at Q c D D' a b. Taking records out of     *)
(* cycles relates C at neighbouring points; from one row to the other it does *)
(* so by way of the points of D whose predecessor is not in D: as many as     *)
(* those of D' whose predecessor is in D, and unchanged inside rows.          *)
(*                                                                            *)
(*   foreign D g == the points of D whose predecessor is not in D             *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   count_rise == a (|D| - a) C a b <= (a+1) C (a+1) b                       *)
(*   count_zero == |D| (|D| - 1) C 0 b <= 2 C 2 b                             *)
(*   count_transfer == a (|D| - a) b (b+2) C a (b+2) <=                       *)
(*            (a+1) (|D'| - b - 1) (b+1)^2 C (a+1) (b+1) for a <= b + 1       *)
(*   near_le, far_le, near_column_le, far_column_le == the points where C     *)
(*            grows have little mass (chains.v), in both orders of the rows   *)
(*   zero_le, zero_column_le, border_le == the points on the axes have not    *)
(*            much more than others                                           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section Foreign.

Variable T : finType.
Implicit Types (D : {set T}) (g : {perm T}).

Definition foreign D g := [set v in D | (g^-1)%g v \notin D].

Lemma foreign_tperm D g v u : (v \in D) = (u \in D) ->
  foreign D (tperm v u * g)%g = foreign D g.
Proof.
move=> same; apply/setP=> l; rewrite !inE invMg tpermV permM.
by case: tpermP => [->|->|//]; rewrite same.
Qed.

Lemma foreign_movers D g : foreign D g \subset movers D g.
Proof.
apply/subsetP=> v; rewrite !inE => /andP[vD]; rewrite vD.
by apply: contraNneq => gv; rewrite -{1}gv permK.
Qed.

Lemma foreign_removable D g :
  (#|[set v in D | removable D v g]| + #|foreign D g| <= #|movers D g|)%N.
Proof.
rewrite -(cardsID (foreign D g) (movers D g)) addnC; apply: leq_add.
  by rewrite (setIidPr (foreign_movers D g)).
apply: subset_leq_card; apply/subsetP=> v; rewrite !inE => /andP[vD rv].
have /andP[-> _] := rv; rewrite vD andbF /=.
by apply: contraTneq rv => gv; rewrite fixed_not_removable.
Qed.

Lemma swapped_movers D g :
  (#|[set v in D | swapped D v g]| <= #|movers D g|)%N.
Proof.
apply: subset_leq_card; apply/subsetP=> v; rewrite !inE => /andP[->].
by case/andP.
Qed.

(* As many points leave a row as enter it.                                    *)
Lemma foreign_from D D' g : (forall v, v \in D' -> v \notin D) ->
    (forall v, v \in D :|: D' -> (g^-1)%g v \in D :|: D') ->
  (#|foreign D' g| <= #|foreign D g|)%N.
Proof.
move=> DD0 from_rows.
have leave : #|[set u in D | g u \notin D]| = #|foreign D g|.
  have inner : #|[set u in D | g u \in D]| =
      #|[set v in D | (g^-1)%g v \in D]|.
    rewrite -(card_imset _ (@perm_inj _ g)); apply: eq_card => v.
    rewrite [RHS]inE; apply/imsetP/andP => [[u /setIdP[uD guD] ->] | [vD uD]].
      by rewrite permK.
    by exists ((g^-1)%g v); rewrite ?permKV // inE uD permKV.
  have split2 (p : pred T) :
      (#|[set v in D | p v]| + #|[set v in D | ~~ p v]| = #|D|)%N.
    rewrite -(cardsID [set v | p v] D); congr (_ + _)%N; apply: eq_card => v.
      by rewrite !inE.
    by rewrite !inE andbC.
  apply/eqP; rewrite -(eqn_add2l #|[set u in D | g u \in D]|) split2 inner.
  by rewrite split2.
rewrite -leave -(card_imset _ (@perm_inj _ g^-1)); apply: subset_leq_card.
apply/subsetP=> _ /imsetP[v /setIdP[vD' gvD'] ->]; rewrite inE permKV.
have := from_rows v; rewrite !inE vD' orbT (negbTE gvD') orbF.
by move=> -> //; apply: DD0.
Qed.

End Foreign.

(* One row                                                                    *)
Section Moving.

Variables (R : realFieldType) (T : finType) (D : {set T}).
Variables (Q : pred {perm T}) (c : {perm T} -> R).
Hypothesis c_ge0 : forall g, 0 <= c g.
Hypothesis Q_D : forall (g : {perm T}) v u, v \in D -> u \in D ->
  Q (tperm v u * g)%g = Q g.
Hypothesis c_D : forall g v u, Q g -> v \in D -> u \in D ->
  c (tperm v u * g)%g = c g.

Lemma moving_rise f b : (forall g, Q g -> (f <= #|foreign D g|)%N) ->
  (b * (#|D| - b))%:R * moving D Q c b <=
  (b.+1%:R - f%:R) * moving D Q c b.+1.
Proof.
move=> le_f; rewrite mulr_natl -(removable_moving Q_D c_D) mulr_sumr.
apply: ler_sum => g /andP[Qg /eqP gb]; rewrite -[leLHS]mulr_natl.
rewrite ler_wpmul2r // ler_subr_addr -natrD ler_nat -gb.
by apply: leq_trans (foreign_removable D g); rewrite leq_add2l le_f.
Qed.

Lemma moving_zero :
  (#|D| * #|D|.-1)%:R * moving D Q c 0%N <= 2%:R * moving D Q c 2%N.
Proof.
have := swapped_moving Q_D c_D 0%N; rewrite subn0 mulr_natl => <-.
rewrite mulr_sumr; apply: ler_sum => g /andP[_ /eqP gb].
by rewrite -[leLHS]mulr_natl ler_wpmul2r // ler_nat -gb swapped_movers.
Qed.

End Moving.

Lemma movers_other (T : finType) (D D' : {set T}) (g : {perm T}) v u :
    (forall l, l \in D' -> l \notin D) -> v \in D -> u \in D ->
  movers D' (tperm v u * g)%g = movers D' g.
Proof.
move=> DD0 vD uD; apply/setP=> l; rewrite !inE permM.
have [lD' | //] := boolP (l \in D'); have /negP lD := DD0 l lD'.
by rewrite tpermD //; apply/eqP=> e; apply: lD; rewrite -e.
Qed.

(* Two rows                                                                   *)
Section TwoRows.

Variables (R : realFieldType) (T : finType) (D D' : {set T}).
Variables (Q : pred {perm T}) (c : {perm T} -> R).
Hypothesis row : free_row Q c D D'.

Let notD v : v \in D' -> v \notin D.
Proof. by apply: contraL => /(free_notin row). Qed.

Let at_b b g := Q g && (#|movers D' g| == b).

Let at_D b (g : {perm T}) v u : v \in D -> u \in D ->
  at_b b (tperm v u * g)%g = at_b b g.
Proof.
by move=> vD uD; rewrite /at_b (free_pred row) // (movers_other _ notD).
Qed.

Let c_at b g v u : at_b b g -> v \in D -> u \in D ->
  c (tperm v u * g)%g = c g.
Proof. by move=> /andP[Qg _]; apply: (free_mass row Qg). Qed.

Lemma count_rise_foreign f a b :
    (forall g, Q g -> (f <= #|foreign D g|)%N) ->
  (a * (#|D| - a))%:R * count_at Q c D D' a b <=
  (a.+1%:R - f%:R) * count_at Q c D D' a.+1 b.
Proof.
move=> le_f; rewrite !(count_atC _ _ D).
apply: (moving_rise (free_ge0 row) (@at_D b) (@c_at b)) => g.
by case/andP=> /le_f.
Qed.

Lemma count_rise a b :
  (a * (#|D| - a))%:R * count_at Q c D D' a b <=
  a.+1%:R * count_at Q c D D' a.+1 b.
Proof. by rewrite -[a.+1%:R]subr0; apply: (@count_rise_foreign 0). Qed.

Lemma count_zero b :
  (#|D| * #|D|.-1)%:R * count_at Q c D D' 0%N b <=
  2%:R * count_at Q c D D' 2%N b.
Proof.
rewrite !(count_atC _ _ D).
exact: (moving_zero (free_ge0 row) (@at_D b) (@c_at b)).
Qed.

End TwoRows.

(* From one row to the other                                                  *)
Section Transfer.

Variables (R : realFieldType) (T : finType) (D D' : {set T}).
Variables (Q : pred {perm T}) (c : {perm T} -> R).
Hypothesis rows : free_rows Q c D D'.

Let row := free_left rows.
Let row' := free_right rows.
Let notD v := @free_notin _ _ Q c D' D v row'.
Let notD' v := @free_notin _ _ Q c D D' v row.

Section OneForeign.

Variable f : nat.
Let Qf g := Q g && (#|foreign D g| == f).
Let Cf := count_at Qf c D D'.

Let c_ge0 := free_ge0 row.
Let Cf_ge0 a b : 0 <= Cf a b. Proof. exact: count_at_ge0. Qed.

Let rowf : free_row Qf c D D'.
Proof.
split=> // [|g v u vD uD | g v u /andP[Qg _]]; first exact: (free_disjoint row).
  by rewrite /Qf (free_pred row) // foreign_tperm // vD.
exact: (free_mass row Qg).
Qed.

Let rowf' : free_row Qf c D' D.
Proof.
split=> // [|g v u vD uD | g v u /andP[Qg _]]; first exact: (free_disjoint row').
  rewrite /Qf (free_pred row') // foreign_tperm //.
  by rewrite !(negbTE (notD _)).
exact: (free_mass row' Qg).
Qed.

Lemma foreign_rise a b : (a * (#|D| - a))%:R * Cf a b <=
  (a.+1%:R - f%:R) * Cf a.+1 b.
Proof.
apply: (count_rise_foreign rowf) => g.
by case/andP=> _ /eqP->.
Qed.

Lemma foreign_rise_other a b : (b * (#|D'| - b))%:R * Cf a b <=
  b.+1%:R * Cf a b.+1.
Proof.
by rewrite /Cf !(count_atC _ _ D); apply: (count_rise rowf').
Qed.

(* The movers of D' that are neither removable nor in 2-cycles come from D.   *)
Lemma foreign_fall a b :
  (b.+2%:R - f%:R) * Cf a b.+2 <=
  Cf a b.+1 *+ (b.+1 * (#|D'| - b.+1)) +
  Cf a b *+ ((#|D'| - b) * (#|D'| - b).-1).
Proof.
apply: double_count => //
  [g v u vD uD | g v u /andP[Qg _] | g /andP[/andP[Qg /eqP<-] _]].
- by rewrite (free_pred rowf') // (movers_other _ notD').
- exact: (free_mass rowf' Qg).
have := foreign_from notD (fun v => free_from rows Qg).
rewrite -(leq_add2l (#|[set v in D' | removable D' v g]| +
  #|[set v in D' | swapped D' v g]|)); apply: leq_trans.
set S1 := [set v in D' | removable D' v g].
set S2 := [set v in D' | swapped D' v g].
apply: (@leq_trans #|S1 :|: S2 :|: foreign D' g|); last first.
  apply: leq_trans (leq_card_setU _ _) _.
  by rewrite leq_add2r leq_card_setU.
apply: subset_leq_card; apply/subsetP=> v /setIdP[vD gv].
rewrite !inE vD /= /removable /swapped gv.
by case: (_ \in D') => //=; case: eqP.
Qed.

Lemma foreign_fall_once a b :
  b%:R * ((b.+2%:R - f%:R) * Cf a b.+2) <=
  (b.+1 ^ 2 * (#|D'| - b.+1))%:R * Cf a b.+1.
Proof.
apply: le_trans (ler_wpmul2l (ler0n _ b) (foreign_fall a b)) _.
have := ler_wpmul2l (ler0n _ (#|D'| - b.+1)) (foreign_rise_other a b).
rewrite subnS; move: (Cf a b) (Cf a b.+1) => x y le_xy.
rewrite -(mulr_natl x) -(mulr_natl y).
rewrite mulrDr [X in _ + X](_ : _ = (#|D'| - b).-1%:R *
  ((b * (#|D'| - b))%:R * x)); last by rewrite !natrM; ring.
rewrite (_ : (b.+1 ^ 2 * _)%:R * y = b%:R * ((b.+1 * (#|D'| - b).-1)%:R * y) +
  (#|D'| - b).-1%:R * (b.+1%:R * y)); first by rewrite ler_add2l.
by rewrite !natrM; ring.
Qed.

Lemma foreign_transfer a b : (a <= b.+1)%N ->
  (a * (#|D| - a) * (b * b.+2))%:R * Cf a b.+2 <=
  (a.+1 * (#|D'| - b.+1) * b.+1 ^ 2)%:R * Cf a.+1 b.+1.
Proof.
move=> le_ab; have [lt_f | le_f] := ltnP a f.
  rewrite [Cf a _]big_pred0 ?mulr0 ?mulr_ge0 ?ler0n // => g; apply/negP.
  move=> /andP[/andP[/andP[_ /eqP gf] /eqP ga] _]; move: lt_f.
  by rewrite -gf -ga ltnNge subset_leq_card // foreign_movers.
have sE : (b.+2 - f)%:R = b.+2%:R - f%:R :> R.
  by rewrite natrB // (leq_trans le_f) // ltnW.
have rE : (a.+1 - f)%:R = a.+1%:R - f%:R :> R by rewrite natrB // ltnW.
have fall := foreign_fall_once a b; have rise := foreign_rise a b.+1.
rewrite -sE in fall; rewrite -rE in rise.
have s_gt0 : 0 < (b.+2 - f)%:R :> R.
  by rewrite ltr0n subn_gt0 ltnS (leq_trans le_f).
rewrite -(ler_pmul2l s_gt0).
apply: (@le_trans _ _ ((a * (#|D| - a) * b.+2)%:R *
    ((b.+1 ^ 2 * (#|D'| - b.+1))%:R * Cf a b.+1))).
  apply: le_trans (ler_wpmul2l (ler0n _ _) fall).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite !natrM; ring.
apply: (@le_trans _ _ ((b.+2 * (b.+1 ^ 2 * (#|D'| - b.+1)))%:R *
    ((a.+1 - f)%:R * Cf a.+1 b.+1))).
  apply: le_trans (ler_wpmul2l (ler0n _ _) rise).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite !natrM; ring.
pose K := (b.+1 ^ 2 * (#|D'| - b.+1))%:R * Cf a.+1 b.+1.
rewrite (_ : _ * (_ * Cf _ _) = (b.+2 * (a.+1 - f))%:R * K); last first.
  by rewrite /K !natrM; ring.
rewrite [leRHS](_ : _ = (a.+1 * (b.+2 - f))%:R * K); last first.
  by rewrite /K !natrM; ring.
rewrite ler_wpmul2r ?mulr_ge0 ?ler0n // ler_nat !mulnBr mulnC leq_sub2l //.
by rewrite leq_mul2r ltnS le_ab orbT.
Qed.

End OneForeign.

Lemma count_transfer a b : (a <= b.+1)%N ->
  (a * (#|D| - a) * (b * b.+2))%:R * count_at Q c D D' a b.+2 <=
  (a.+1 * (#|D'| - b.+1) * b.+1 ^ 2)%:R * count_at Q c D D' a.+1 b.+1.
Proof.
move=> le_ab.
have lt_foreign g : (#|foreign D g| < #|D|.+1)%N.
  by rewrite ltnS subset_leq_card //; apply/subsetP=> v /setIdP[].
have countE a' b' : count_at Q c D D' a' b' = \sum_(f < #|D|.+1)
    count_at (fun g => Q g && (#|foreign D g| == f)) c D D' a' b'.
  rewrite {1}/count_at /moving.
  rewrite (partition_big (fun g => Ordinal (lt_foreign g)) predT) //=.
  apply: eq_bigr => f _; apply: eq_bigl => g; rewrite -val_eqE /=.
  by rewrite -!andbA; do !bool_congr.
rewrite !countE !mulr_sumr; apply: ler_sum => f _.
exact: foreign_transfer.
Qed.

End Transfer.

(* Points with little mass                                                    *)
Section LittleMass.

Variables (R : realFieldType) (T : finType) (D D' : {set T}).
Variables (Q : pred {perm T}) (c : {perm T} -> R).
Hypotheses (row : free_row Q c D D') (rows : free_rows Q c D D').

Variables (X : nat -> R) (on od E l k0 : nat) (delta : R).
Hypothesis X_ge0 : forall k, 0 <= X k.
Hypothesis od_gt0 : (0 < od)%N.

Let C := count_at Q c D D'.
Let C' := count_at Q c D' D.
Let M (a b : nat) := C a b * X (a + b)%N.
Let total := \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1) M a b.

Let C_ge0 a b : 0 <= C a b.
Proof. exact/count_at_ge0/free_ge0/free_left/rows. Qed.
Let C'_ge0 a b : 0 <= C' a b.
Proof. exact/count_at_ge0/free_ge0/free_left/rows. Qed.
Let M_ge0 a b : 0 <= M a b. Proof. exact: mulr_ge0. Qed.

(* The same sum, with the rows exchanged                                      *)
Let exchanged (P : nat -> nat -> bool) :
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | P b a) M a b =
  \sum_(b < #|D'|.+1) \sum_(a < #|D|.+1 | P b a) C' b a * X (b + a).
Proof.
under eq_bigr do rewrite big_mkcond; rewrite exchange_big /=.
apply: eq_bigr => b _; rewrite -big_mkcond; apply: eq_bigr => a _.
by rewrite /M /C (count_atC _ _ D) addnC.
Qed.

Section Delta.

Hypothesis le_delta : (2 * #|D|)%:R * E%:R ^+ l <= delta * E.+1%:R ^+ l.
Hypothesis le_delta' : (2 * #|D'|)%:R * E%:R ^+ l <= delta * E.+1%:R ^+ l.
Hypothesis X_up : forall k, (0 < k)%N -> (k < #|D| + #|D'|)%N ->
  on%:R * X k <= (od * (k + k0))%:R * X k.+1.

Lemma near_le :
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | near_axis on od E l k0 #|D| a b)
     M a b <= delta * total.
Proof.
apply: (near_sum_le _ X_ge0 od_gt0 le_delta X_up) => a b.
  exact/count_at_ge0/free_ge0/row.
exact: (count_rise row).
Qed.

Lemma far_le :
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | far_off E l #|D| #|D'| a b)
     M a b <= delta * total.
Proof.
apply: (far_sum_le C_ge0 X_ge0 le_delta) => a b.
exact: (count_transfer rows).
Qed.

Lemma near_column_le :
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | near_axis on od E l k0 #|D'| b a)
     M a b <= delta * total.
Proof.
rewrite /total (exchanged (near_axis on od E l k0 #|D'|)).
rewrite (exchanged (fun _ _ => true)).
apply: (near_sum_le C'_ge0 X_ge0 od_gt0 le_delta') => [k | b a].
  by rewrite addnC; apply: X_up.
exact: (count_rise (free_right rows)).
Qed.

Lemma far_column_le :
  \sum_(a < #|D|.+1) \sum_(b < #|D'|.+1 | far_off E l #|D'| #|D| b a)
     M a b <= delta * total.
Proof.
rewrite /total (exchanged (far_off E l #|D'| #|D|)).
rewrite (exchanged (fun _ _ => true)).
apply: (far_sum_le C'_ge0 X_ge0 le_delta') => b a.
exact: (count_transfer (free_rowsC rows)).
Qed.

End Delta.

Section Zero.

Variables rho rho' : R.
Hypothesis le_rho : (2 * od ^ 2 * (#|D'| + k0 + 1) ^ 2)%:R <=
  rho * (on ^ 2 * (#|D| * #|D|.-1))%:R.
Hypothesis le_rho' : (2 * od ^ 2 * (#|D| + k0 + 1) ^ 2)%:R <=
  rho' * (on ^ 2 * (#|D'| * #|D'|.-1))%:R.
Hypothesis X_up2 : forall k, (k.+2 <= #|D| + #|D'|)%N ->
  (on ^ 2)%:R * X k <= (od ^ 2 * (k + k0 + 1) ^ 2)%:R * X k.+2.

Lemma zero_le b : (b <= #|D'|)%N -> M 0%N b <= rho * M 2%N b.
Proof.
have row_ge0 a b' : 0 <= C a b' by apply/count_at_ge0/free_ge0/row.
apply: (zero_point_le row_ge0 X_ge0 od_gt0 X_up2) => // {}b.
exact: (count_zero row).
Qed.

Lemma zero_column_le a : (a <= #|D|)%N -> M a 0%N <= rho' * M a 2%N.
Proof.
rewrite /M /C !(count_atC _ _ D) [(a + 0)%N]addnC [(a + 2)%N]addnC.
apply: (zero_point_le C'_ge0 X_ge0 od_gt0 _ _ le_rho') => [k | {}a].
  by rewrite addnC; apply: X_up2.
exact: (count_zero (free_right rows)).
Qed.

Lemma border_le (bad : nat -> nat -> bool) :
    (forall b, (0 < b <= #|D'|)%N -> bad 2%N b) ->
    (forall a, (0 < a <= #|D|)%N -> bad a 2%N) ->
  \sum_(a < #|D|.+1)
    \sum_(b < #|D'|.+1 | [|| a == 0%N :> nat, b == 0%N :> nat | bad a b])
      M a b <=
  (1 + rho) * (1 + rho') * \sum_(a < #|D|.+1)
    \sum_(b < #|D'|.+1 | [&& (0 < a)%N, (0 < b)%N & bad a b]) M a b.
Proof.
have [rho_ge0 D_gt1] := zero_bounds od_gt0 le_rho.
have [rho'_ge0 D'_gt1] := zero_bounds od_gt0 le_rho'.
apply: border_sum_le => // [b|a]; [exact: zero_le | exact: zero_column_le].
Qed.

End Zero.

End LittleMass.
