From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law extended specification pure
  privatised_data.

(******************************************************************************)
(* The power of a test of one law against another, by its size: a test is the *)
(* event A on which it rejects, its size is the probability of A under the    *)
(* one law and its power that under the other. For tests of one model P0 of   *)
(* the data against another, P1, by the output of a pure mechanism T, they    *)
(* are the laws bind P0 T and bind P1 T.                                      *)
(*                                                                            *)
(*   power_max g a == min (g a) (1 - (1 - a) / g)                             *)
(*   power_min g a == max (a / g) (1 - g (1 - a))                             *)
(*   iter n (power_max g) a == the same, one step after the other             *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   mult_le_iff_power == two laws are within ln g exactly if every test has  *)
(*            its power between power_min and power_max of its size           *)
(*   path_power == in a path metric the power between two data sets at        *)
(*            distance n is at most n steps of power_max                      *)
(*   iterated_power_le == n steps of power_max g are never above the one of   *)
(*            g^n, that is the printed bound                                  *)
(*   iterated_power_small == they give g^n times a small size, but            *)
(*   iterated_power_lt == two steps are below the printed bound for some size *)
(*   printed_power_unattained == so no mechanism attains it there             *)
(*   models_near == the laws of the output under the two models are within    *)
(*            gamma^n, for n the largest distance of a data set of P0 to one  *)
(*            of P1 (the proof of dissertation Theorem 5.5.1)                 *)
(*   model_power_upper == dissertation Theorem 5.5.1                          *)
(*   model_power_interval, randomised_power_interval == dissertation          *)
(*            Corollary 5.5.2, for events and for randomised tests            *)
(*   iterated_power == sharper in a path metric: n steps of power_max         *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PowerBounds.

Variable R : realFieldType.
Implicit Types (g a b : R).

Definition power_max g a : R := Num.min (g * a) (1 - g^-1 * (1 - a)).

Definition power_min g a : R := Num.max (g^-1 * a) (1 - g * (1 - a)).

Lemma power_maxP g a b :
  (b <= power_max g a) = (b <= g * a) && (g^-1 * (1 - a) <= 1 - b).
Proof. by rewrite /power_max le_minr ler_subr_addr -ler_subr_addl. Qed.

Lemma power_minP g a b :
  (power_min g a <= b) = (g^-1 * a <= b) && (1 - b <= g * (1 - a)).
Proof. by rewrite /power_min le_maxl ler_subl_addl -ler_subl_addr. Qed.

Lemma power_max_ge g a : 1 <= g -> 0 <= a <= 1 -> a <= power_max g a.
Proof.
move=> g_ge1 /andP[a_ge0 a_le1]; rewrite power_maxP ler_pemull //=.
by rewrite ler_pimull ?subr_ge0 // invf_le1 // (lt_le_trans ltr01).
Qed.

Lemma power_max_le1 g a : 1 <= g -> 0 <= a <= 1 -> power_max g a <= 1.
Proof.
move=> g_ge1 /andP[a_ge0 a_le1]; rewrite le_minl; apply/orP; right.
by rewrite ler_subl_addr ler_addl mulr_ge0 ?subr_ge0 // invr_ge0
  (le_trans ler01).
Qed.

Lemma power_max_mono g a b :
  1 <= g -> a <= b -> power_max g a <= power_max g b.
Proof.
move=> g_ge1 le_ab; have g_ge0 : 0 <= g by apply: le_trans g_ge1.
rewrite power_maxP; apply/andP; split.
  by rewrite le_minl ler_wpmul2l.
rewrite ler_subr_addr -ler_subr_addl le_minl; apply/orP; right.
by rewrite ler_add2l ler_opp2 ler_wpmul2l ?invr_ge0 // ler_add2l ler_opp2.
Qed.

Lemma iter_power_bounds g a n :
  1 <= g -> 0 <= a <= 1 -> 0 <= iter n (power_max g) a <= 1.
Proof.
move=> g_ge1 a01; elim: n => //= n IHn; have /andP[ge0 le1] := IHn.
by rewrite power_max_le1 // (le_trans ge0) // power_max_ge.
Qed.

Lemma iter_power_mono g n a b :
  1 <= g -> a <= b -> iter n (power_max g) a <= iter n (power_max g) b.
Proof. by move=> g_ge1 le_ab; elim: n => //= n; apply: power_max_mono. Qed.

Lemma iter_power_more g a m n : 1 <= g -> 0 <= a <= 1 -> (m <= n)%N ->
  iter m (power_max g) a <= iter n (power_max g) a.
Proof.
move=> g_ge1 a01 /subnK <-; elim: (n - m)%N => //= k /le_trans; apply.
by rewrite power_max_ge ?iter_power_bounds.
Qed.

(* Concave: the power of a mixture is at least the mixture of the powers.     *)
Lemma power_max_mixture (X : finType) (P : law R X) g (a : X -> R) n :
  1 <= g ->
  \sum_x P x * iter n (power_max g) (a x) <=
    iter n (power_max g) (\sum_x P x * a x).
Proof.
move=> g_ge1; elim: n => //= n /(power_max_mono g_ge1)/(le_trans _); apply.
set b := iter n (power_max g); rewrite /power_max le_minr; apply/andP; split.
  rewrite mulr_sumr; apply: ler_sum => x _; rewrite mulrCA.
  by rewrite ler_wpmul2l ?law_ge0 // le_minl lexx.
have -> : 1 - g^-1 * (1 - \sum_x P x * b (a x)) =
    \sum_x P x * (1 - g^-1 * (1 - b (a x))).
  under [RHS]eq_bigr => x _.
    rewrite (_ : _ * _ = P x * (1 - g^-1) + g^-1 * (P x * b (a x))); last ring.
    over.
  rewrite big_split -mulr_suml -mulr_sumr law_sum1 /=; ring.
apply: ler_sum => x _.
by rewrite ler_wpmul2l ?law_ge0 // le_minl lexx orbT.
Qed.

(* The bound of dissertation Corollary 5.5.2 for n steps is never below the   *)
(* bounds of one step applied n times.                                        *)
Theorem iterated_power_le g a n :
  0 < g -> iter n (power_max g) a <= power_max (g ^+ n) a.
Proof.
move=> g_gt0; elim: n => [|n].
  by rewrite power_maxP /= expr0 invr1 !mul1r !lexx.
rewrite !power_maxP /= => /andP[le_g le_1g]; apply/andP; split.
  rewrite le_minl exprS -mulrA; apply/orP; left.
  by rewrite ler_wpmul2l // ltW.
rewrite exprS invfM -mulrA; apply: le_trans (ler_wpmul2l _ le_1g) _.
  by rewrite invr_ge0 ltW.
by rewrite ler_subr_addr -ler_subr_addl le_minl lexx orbT.
Qed.

(* For a small size they agree, and are gamma^n times the size.               *)
Theorem iterated_power_small g a n :
  1 <= g -> 0 <= a -> (g + 1) * g ^+ n * a <= 1 ->
  iter n.+1 (power_max g) a = g ^+ n.+1 * a.
Proof.
move=> g_ge1 a_ge0; have g_gt0 : 0 < g by apply: lt_le_trans g_ge1.
have one b : (g + 1) * b <= 1 -> power_max g b = g * b.
  move=> small; apply/min_idPl; rewrite ler_subr_addr -ler_subr_addl.
  rewrite ler_pdivr_mull // -subr_ge0.
  have -> : g * (1 - g * b) - (1 - b) = (g - 1) * (1 - (g + 1) * b) by ring.
  by rewrite mulr_ge0 ?subr_ge0.
elim: n => [|n IHn] small; first by rewrite /= one ?expr1 // -[g + 1]mulr1.
rewrite iterS IHn ?one ?mulrA -?exprS //.
have g_ge0 := ltW g_gt0.
apply: le_trans small; rewrite -!mulrA ler_wpmul2l ?addr_ge0 ?ler01 //.
by rewrite ler_wpmul2r // exprS ler_pemull ?exprn_ge0.
Qed.

(* For two steps and the size 1 / (1 + gamma^2) they do not agree.            *)
Theorem iterated_power_lt g :
  1 < g ->
  iter 2 (power_max g) (1 + g ^+ 2)^-1 < power_max (g ^+ 2) (1 + g ^+ 2)^-1.
Proof.
move=> g_gt1; set a := _^-1; have g_gt0 : 0 < g by apply: lt_trans g_gt1.
have s_gt0 : 0 < 1 + g ^+ 2 by rewrite addr_gt0 ?ltr01 ?exprn_gt0.
have s_n0 : 1 + g ^+ 2 != 0 by rewrite gt_eqF.
have g_n0 : g != 0 by rewrite gt_eqF.
have -> : power_max (g ^+ 2) a = 1 - a.
  have ga : g ^+ 2 * a = 1 - a by rewrite /a; field; rewrite ?s_n0.
  by rewrite /power_max ga -{2}ga mulKf ?expf_neq0 // minxx.
apply: le_lt_trans (_ : 1 - g^-1 * (1 - g * a) < _).
  rewrite /= [power_max g (power_max g a)]/power_max le_minl; apply/orP; right.
  rewrite ler_add2l ler_opp2 ler_wpmul2l ?invr_ge0 ?(ltW g_gt0) //.
  by rewrite ler_add2l ler_opp2 le_minl lexx.
rewrite -subr_gt0.
have -> : 1 - a - (1 - g^-1 * (1 - g * a)) = (g - 1) ^+ 2 / (g * (1 + g ^+ 2)).
  by rewrite /a; field; rewrite ?g_n0 ?s_n0.
by rewrite divr_gt0 ?exprn_gt0 ?mulr_gt0 ?subr_gt0.
Qed.

End PowerBounds.

Section Tests.

Variables (R : realFieldType) (Y : finType).

(* Two laws are within ln g of each other exactly if each test of one against *)
(* the other has a power between power_min and power_max of its size.         *)
Theorem mult_le_iff_power (g : R) (P Q : law R Y) :
  0 < g ->
  mult_le g P Q <->
  forall A, power_min g (Pr P A) <= Pr Q A <= power_max g (Pr P A).
Proof.
move=> g_gt0; split=> [near A | between A]; last first.
  have := between A; rewrite power_minP power_maxP ler_pdivr_mull //.
  by case/andP=> /andP[-> _] /andP[-> _].
rewrite power_minP power_maxP !ler_pdivr_mull // -!PrC.
by have [-> ->] := near A; have [-> ->] := near (~: A).
Qed.

End Tests.

(* In a path metric each step costs gamma, and the bounds of the steps are    *)
(* applied one after the other.                                               *)
Section Paths.

Variables (R : realFieldType) (X : eqType) (Y : finType) (r : rel X).
Variables (ds : X -> X -> option nat) (g : R) (T : X -> law R Y).

Lemma walk_power n x x' A :
  1 <= g -> (forall y y', r y y' -> mult_le g (T y) (T y')) ->
  walk r n x x' -> Pr (T x') A <= iter n (power_max g) (Pr (T x) A).
Proof.
move=> g_ge1 step; have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
elim: n x => [|n IHn] x /=; first by move=> ->.
case=> y xy /IHn/le_trans; apply; rewrite -iterS iterSr.
apply: iter_power_mono => //.
by have /andP[] := (mult_le_iff_power _ _ g_gt0).1 (step _ _ xy) A.
Qed.

(* Two data sets at distance n: the power of a test of one against the other  *)
(* is at most n steps of power_max after its size.                            *)
Theorem path_power n x x' A :
  1 <= g -> is_shortest_walk r ds ->
  pure_dp (everything X) ds (fun _ => Some g) T -> ds x x' = Some n ->
  Pr (T x') A <= iter n (power_max g) (Pr (T x) A).
Proof.
move=> g_ge1 short dpT eq_n; apply: walk_power => // [y y' yy'|]; last first.
  by have := short x x'; rewrite eq_n => -[].
have dp1 := (pure_sharpening T g_ge1 short).2 dpT.
have := dp1 tt y y' Logic.I Logic.I; rewrite /neighbor_distance yy'.
case: eqP => [->|_]; last by rewrite expr1.
by move=> _; apply: mult_le_refl.
Qed.

(* Two steps and the size 1 / (1 + gamma^2): no mechanism attains the printed *)
(* bound min(gamma^2 size, 1 - (1 - size) / gamma^2).                         *)
Theorem printed_power_unattained x x' A :
  1 < g -> is_shortest_walk r ds ->
  pure_dp (everything X) ds (fun _ => Some g) T -> ds x x' = Some 2%N ->
  Pr (T x) A = (1 + g ^+ 2)^-1 ->
  Pr (T x') A < power_max (g ^+ 2) (1 + g ^+ 2)^-1.
Proof.
move=> g_gt1 short dpT eq2 size.
apply: le_lt_trans (path_power A (ltW g_gt1) short dpT eq2) _.
by rewrite size; apply: iterated_power_lt.
Qed.

End Paths.

Section ModelPower.

Variables (R : realFieldType) (X Y : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (n : nat) (P0 P1 : law R X).
Implicit Types (A : {set Y}).

Lemma mean_le (P : law R X) (f : X -> R) c :
  (forall x, x \in supp P -> f x <= c) -> \sum_x P x * f x <= c.
Proof.
move=> le_c; rewrite -[c]mul1r -(law_sum1 P) mulr_suml.
apply: ler_sum => x _; have [->|Px] := eqVneq (P x) 0; first by rewrite !mul0r.
by rewrite ler_wpmul2l ?law_ge0 // le_c // inE.
Qed.

Lemma mean_ge (P : law R X) (f : X -> R) c :
  (forall x, x \in supp P -> c <= f x) -> c <= \sum_x P x * f x.
Proof.
move=> ge_c; rewrite -ler_opp2 -sumrN.
rewrite (eq_bigr (fun x => P x * - f x)) => [|x _]; last by rewrite mulrN.
by apply: mean_le => x xP; rewrite ler_opp2 ge_c.
Qed.

Lemma means_le h (f : X -> R) :
  (forall x x', x \in supp P0 -> x' \in supp P1 -> f x <= h * f x') ->
  \sum_x P0 x * f x <= h * \sum_x P1 x * f x.
Proof.
move=> le_h; apply: mean_le => x xP0; rewrite mulr_sumr.
under eq_bigr => x' _ do rewrite mulrCA.
by apply: mean_ge => x' x'P1; apply: le_h.
Qed.

(* The two laws of the output are as near as the farthest data sets of the    *)
(* two models: no density ratio is above gamma^n.                             *)
Theorem models_near :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  mult_le (g ^+ n) (bind P0 T) (bind P1 T).
Proof.
move=> dpT eq_g g_ge1 near A; rewrite !Pr_bind.
have close x x' : x \in supp P0 -> x' \in supp P1 ->
    mult_le (g ^+ n) (T x) (T x').
  exact: within_near dpT eq_g g_ge1 near.
split.
  by apply: means_le => x x' xP x'P; have [] := close x x' xP x'P A.
apply: mean_le => x' x'P; rewrite mulr_sumr.
under eq_bigr => x _ do rewrite mulrCA.
by apply: mean_ge => x xP; have [] := close x x' xP x'P A.
Qed.

(* Dissertation Theorem 5.5.1: a test of level alpha has a power of at most   *)
(* gamma^n alpha, n bounding the distances between data sets of P0 and of P1. *)
Theorem model_power_upper A alpha :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  Pr (bind P0 T) A <= alpha -> Pr (bind P1 T) A <= g ^+ n * alpha.
Proof.
move=> dpT eq_g g_ge1 near size; have g_ge0 := le_trans ler01 g_ge1.
have [_ le_power] := models_near dpT eq_g g_ge1 near A.
by apply: le_trans le_power _; rewrite ler_wpmul2l ?exprn_ge0.
Qed.

(* Dissertation Corollary 5.5.2: a test of size alpha has a power between     *)
(* max(alpha / gamma^n, 1 - gamma^n (1 - alpha)) and                          *)
(* min(gamma^n alpha, 1 - (1 - alpha) / gamma^n).                             *)
Theorem model_power_interval A :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  power_min (g ^+ n) (Pr (bind P0 T) A) <= Pr (bind P1 T) A
    <= power_max (g ^+ n) (Pr (bind P0 T) A).
Proof.
move=> dpT eq_g g_ge1 near.
have gn_gt0 : 0 < g ^+ n by rewrite exprn_gt0 // (lt_le_trans ltr01).
exact: (mult_le_iff_power _ _ gn_gt0).1 (models_near dpT eq_g g_ge1 near) A.
Qed.

(* The same for a test that rejects an output t with probability K t true.    *)
Theorem randomised_power_interval (K : Y -> law R [finType of bool]) :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp P0) (supp P1) ->
  let size := bind (bind P0 T) K true in
  power_min (g ^+ n) size <= bind (bind P1 T) K true
    <= power_max (g ^+ n) size.
Proof.
move=> dpT eq_g g_ge1 near /=.
have gn_gt0 : 0 < g ^+ n by rewrite exprn_gt0 // (lt_le_trans ltr01).
have near_tests := mult_postprocessing K (models_near dpT eq_g g_ge1 near).
have := (mult_le_iff_power _ _ gn_gt0).1 near_tests [set true].
by rewrite !Pr1.
Qed.

End ModelPower.

(* In a path metric each step costs gamma, and the bounds of the steps are    *)
(* applied one after the other.                                               *)
Section IteratedPower.

Variables (R : realFieldType) (X Y : finType) (r : rel X).
Variables (ds : X -> X -> option nat) (g : R) (T : X -> law R Y).

(* Sharper than dissertation Corollary 5.5.2 in a path metric (its Assumption *)
(* 5.3.3): the power of a test is at most n steps of power_max after its      *)
(* size; the lower bound is that of the test that rejects where it does not.  *)
Theorem iterated_power n P0 P1 A :
  1 <= g -> is_shortest_walk r ds ->
  pure_dp (everything X) ds (fun _ => Some g) T ->
  within (everything X tt) ds n (supp P0) (supp P1) ->
  let size := Pr (bind P0 T) A in
  1 - iter n (power_max g) (1 - size) <= Pr (bind P1 T) A
    <= iter n (power_max g) size.
Proof.
move=> g_ge1 short dpT near /=.
have upper B : Pr (bind P1 T) B <= iter n (power_max g) (Pr (bind P0 T) B).
  rewrite !Pr_bind; apply: mean_le => x' x'P.
  apply: le_trans (power_max_mixture P0 (fun x => Pr (T x) B) n g_ge1).
  apply: mean_ge => x xP; have [_ _] := near x x' xP x'P.
  case eq_m: (ds x x') => [m|] // mn.
  apply: le_trans (path_power B g_ge1 short dpT eq_m) _.
  by apply: iter_power_more; rewrite ?Pr_ge0 ?Pr_le1.
rewrite upper andbT ler_subl_addl -ler_subl_addr -!PrC; exact: upper.
Qed.

End IteratedPower.
