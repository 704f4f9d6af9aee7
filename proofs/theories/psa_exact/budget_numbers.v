From Coq Require Import Reals Lra NArith.
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping hamming pure psa_law
  psa_privacy.
From Stirred Require Import exponential psa_exponential exchange two_rows.
From Stirred Require Import checked_budget.
From Stirred Require Import choice_tree exponential_bound.

(******************************************************************************)
(* The budgets of checked_budget.v as decimal numbers in nats, beside those   *)
(* of (7): e^x is enclosed by exponential_bound.v.                            *)
(*                                                                            *)
(*   budget_below f u p e == at the swap rate p the PSA satisfies a budget    *)
(*            below e in each universe whose data sets are in u               *)
(*   rounds_to e c == e is finite and less than 1/200 from c                  *)
(*   below_printed f u b p e c == budget_below f u p e, where (7) for strata  *)
(*            of at most b records rounds to c                                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   households_below == 8.61, 7.75, 7.37 and 6.26 for the 1940 households,   *)
(*            at 1%, 5%, 10% and 50%, beside 17.08, 15.43, 14.68 and 12.48    *)
(*   dwellings_below == 1.472 for the 1940 dwellings at 50%, beside 13.95     *)
(*   halves_below == 0.511 for two rows of 500,000 records at 75%, beside     *)
(*            12.72                                                           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope R_scope.

Local Notation realN := exponential_bound.realN.

(* Logarithms of fractions: e^low < g < e^high, by computation                *)

Definition bits : nat := 24.

Definition ln_is_between (g low high : fraction) : bool :=
  [&& N.ltb 1 g.1, N.ltb 0 g.2,
      at_most bits (Exact low) (1, 1)%num (N.pred g.1, g.2) &
      at_least bits (Exact high) (1, 1)%num (N.succ g.1, g.2)].

Lemma realF1 : realF (1, 1)%num = 1.
Proof. by rewrite realFE //= realN1; field. Qed.

Lemma ln_ratio (x y z : R) : 0 < x -> 0 < y -> 0 < z ->
  ln x - ln (y / z) = ln (x * z / y).
Proof.
move=> x_gt0 y_gt0 z_gt0; have := Rinv_0_lt_compat y y_gt0.
have := Rinv_0_lt_compat z z_gt0 => z_pos y_pos.
have xz_gt0 : 0 < x * z by apply: Rmult_lt_0_compat.
by rewrite /Rdiv !ln_mult ?ln_Rinv //; lra.
Qed.

Lemma realF_succ m k : N.ltb 0 k -> realF (m, k) < realF (N.succ m, k).
Proof.
move=> k_gt0; have k_pos := realN_gt0 k_gt0; rewrite !realFE //=.
apply: Rmult_lt_compat_r; first exact: Rinv_0_lt_compat.
by rewrite -N.add_1_r realND realN1; lra.
Qed.

Lemma ln_between g low high : ln_is_between g low high ->
  [/\ 0 < realF g & realF low < ln (realF g) < realF high].
Proof.
case: g => m k /and4P[m_gt1 k_gt0 /at_most_sound + /at_least_sound] /=.
rewrite realF1 !Rmult_1_r /= => le_low le_high.
have lt_low : exp (realF low) < realF (m, k).
  apply: Rle_lt_trans le_low _; have := realF_succ (N.pred m) k_gt0.
  by rewrite N.succ_pred // => m0; rewrite m0 in m_gt1.
have lt_high := Rlt_le_trans _ _ _ (realF_succ m k_gt0) le_high.
have g_gt0 := Rlt_trans _ _ _ (exp_pos _) lt_low.
split=> //; rewrite -{1}[realF low]ln_exp -{1}[realF high]ln_exp.
by split; apply: ln_increasing => //; apply: exp_pos.
Qed.

(* What the check of a certificate gives, with gamma a fraction above sqrt r  *)

Section Numbers.

Variables (F : realFieldType) (f : F -> R).
Hypothesis f_embeds : embedding f.
Variables (M H S : finType) (n : nat).
Implicit Types (u : pred (dataset M H S n)) (p : F).

Definition in_field (g : fraction) : F :=
  ((N.to_nat g.1)%:R / (N.to_nat g.2)%:R)%R.

Definition budget_below u p (e : R) : Prop :=
  exists2 eps, eps < e & forall p01 : (0 <= p <= 1)%R,
    epsilon_dp f (fun x0 x : dataset M H S n => same_invariants x0 x)
      (fun x x' : dataset M H S n => Some (hamming x x'))
      (fun x0 => if u x0 then Some eps else None) (psa p p01).

Definition rounds_to (e : option R) (c : R) : Prop :=
  if e is Some eps then Rabs (eps - c) < 1 / 200 else False.

Definition below_printed u (b : nat) p (e c : R) : Prop :=
  budget_below u p e /\ rounds_to (epsilon_budget b (f p)) c.

Lemma INR_to_nat m : INR (N.to_nat m) = realN m.
Proof.
rewrite realN_INR; congr INR; elim/N.peano_ind: m => [|m IHm] //.
by rewrite N2Nat.inj_succ IHm -N.add_1_l nat_of_add_bin.
Qed.

Lemma to_nat_gt0 k : N.ltb 0 k -> (0 < N.to_nat k)%N.
Proof. by case: k => // k _; apply/ssrnat.ltP/Pos2Nat.is_pos. Qed.

Lemma in_fieldE g : N.ltb 0 g.2 -> f (in_field g) = realF g.
Proof.
move=> g_gt0; rewrite realFE // embed_div // ?gt_eqF ?ltr0n ?to_nat_gt0 //.
by rewrite !embed_nat // !INR_to_nat.
Qed.

Lemma gamma_below u p (g low high : fraction) (e : R) :
    ln_is_between g low high -> realF high = e ->
    (forall p01 : (0 <= p <= 1)%R,
       pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
         (fun x x' : dataset M H S n => Some (hamming x x'))
         (fun x0 => if u x0 then Some (in_field g) else None) (psa p p01)) ->
  budget_below u p e.
Proof.
move=> g_ok <- dp; have [g_gt0 [_ lt_e]] := ln_between g_ok.
exists (ln (realF g)) => // p01.
have expE (x0 : dataset M H S n) : exponential f
    (if u x0 then Some (in_field g) else None)
    (if u x0 then Some (ln (realF g)) else None).
  case: (u x0) => //=; rewrite exp_ln // in_fieldE //.
  by case/and4P: g_ok.
exact/(pure_dp_exponential f_embeds _ _ _ expE)/dp.
Qed.

Definition rate (on od : nat) : F := (on%:R / (on + od)%:R)%R.

Lemma rate_in on od : (0 < on)%N -> (0 < od)%N ->
  (0 < rate on od < 1)%R /\ (rate on od / (1 - rate on od) = on%:R / od%:R)%R.
Proof.
move=> on_gt0 od_gt0; have sum_gt0 : (0 < (on + od)%:R :> F)%R.
  by rewrite ltr0n addn_gt0 on_gt0.
have -> : (1 - rate on od = od%:R / (on + od)%:R)%R.
  apply: (mulIf (lt0r_neq0 sum_gt0)).
  by rewrite mulrBl mul1r !divfK ?lt0r_neq0 // natrD addrAC subrr add0r.
rewrite /rate; split.
  rewrite (divr_gt0 _ sum_gt0) ?ltr0n //= ltr_pdivr_mulr // mul1r ltr_nat.
  by rewrite -addn1 leq_add2l.
by rewrite invfM invrK mulrACA mulVf ?mulr1 // lt0r_neq0.
Qed.

Lemma seven_rounds (b on od : N) (low high : fraction) (c : R) :
    N.ltb 0 b -> N.ltb 0 on -> N.ltb 0 od ->
    N.leb (on * on) (N.succ b * od * od) ->
    ln_is_between (N.succ b * od, on)%num low high ->
    c - 1 / 200 <= realF low -> realF high <= c + 1 / 200 ->
  rounds_to (epsilon_budget (N.to_nat b)
    (f (rate (N.to_nat on) (N.to_nat od)))) c.
Proof.
move=> b_gt0 on_gt0 od_gt0 le_odds g_ok le_low le_high.
have [/andP[p_gt0 p_lt1] oE] := rate_in (to_nat_gt0 on_gt0) (to_nat_gt0 od_gt0).
have n_pos := realN_gt0 on_gt0; have d_pos := realN_gt0 od_gt0.
move: (rate _ _) p_gt0 p_lt1 oE => p p_gt0 p_lt1 oE.
have fp_gt0 : 0 < f p by rewrite -(embed0 f_embeds); apply/embed_lt.
have fp_lt1 : f p < 1 by rewrite -(embed1 f_embeds); apply/embed_lt.
have {}oE : f p / (1 - f p) = realN on / realN od.
  have := congr1 f oE; have := to_nat_gt0 od_gt0; rewrite -(ltr0n F) => od_pos.
  rewrite !embed_div ?gt_eqF ?subr_gt0 // embedB // embed1 //.
  by rewrite !embed_nat // !INR_to_nat.
have bE : INR (N.to_nat b) + 1 = realN (N.succ b).
  by rewrite INR_to_nat -N.add_1_r realND realN1.
have b_pos : 0 < realN (N.succ b) by apply/realN_gt0/N.ltb_lt/N.lt_0_succ.
have [_ lt_ln] := ln_between g_ok; clear g_ok.
rewrite /epsilon_budget; case: eqP => [b0 | _].
  by have := to_nat_gt0 b_gt0; rewrite b0.
rewrite bE; clear bE; move: (N.succ b) b_pos le_odds lt_ln => c1 c1_pos le_odds.
move=> [lt_low lt_high]; case: Rlt_dec => //= _; rewrite oE.
case: Rle_dec => [_ | []] /=.
  have -> : ln (realN c1) - ln (realN on / realN od) =
      ln (realF (c1 * od, on)%num).
    by rewrite ln_ratio // realFE //= realNM.
  by apply: Rabs_def1; lra.
apply/threshold_odds => //; rewrite oE.
have := realN_le le_odds; rewrite !realNM => le_sq.
apply: (Rmult_le_reg_r (realN on * realN od)); first exact: Rmult_lt_0_compat.
have -> : realN on / realN od * (realN on * realN od) = realN on * realN on.
  by field; lra.
apply: Rle_trans le_sq _; right; field; lra.
Qed.

Definition has_square (u : pred (dataset M H S n)) (on od rn rd : N) : Prop :=
  forall (p : F) (p01 : (0 <= p <= 1)%R) (gamma : F), (0 < p < 1)%R ->
    (p / (1 - p) = (N.to_nat on)%:R / (N.to_nat od)%:R)%R ->
    ((N.to_nat rn)%:R / (N.to_nat rd)%:R <= gamma ^+ 2)%R ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
    (fun x x' : dataset M H S n => Some (hamming x x'))
    (fun x0 => if u x0 then Some gamma else None) (psa p p01).

Lemma square_le (rn rd : N) (g : fraction) : N.ltb 0 rd -> N.ltb 0 g.2 ->
    N.leb (rn * (g.2 * g.2)) (g.1 * g.1 * rd) ->
  ((N.to_nat rn)%:R / (N.to_nat rd)%:R <= in_field g ^+ 2)%R.
Proof.
case: g => m k rd_gt0 k_gt0 /realN_le; cbn [fst snd] in *; rewrite !realNM.
have rd_pos := realN_gt0 rd_gt0; have k_pos := realN_gt0 k_gt0 => le_r.
apply/(embed_le f_embeds); rewrite expr2 embedM // in_fieldE // realFE //.
rewrite embed_div ?pnatr_eq0 -?lt0n ?to_nat_gt0 // !embed_nat // !INR_to_nat.
have pos : 0 < realN rd * (realN k * realN k).
  by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat.
apply: (Rmult_le_reg_r _ _ _ pos); cbn [fst snd].
have -> : realN rn / realN rd * (realN rd * (realN k * realN k)) =
    realN rn * (realN k * realN k) by field; lra.
apply: Rle_trans le_r _; right; field; lra.
Qed.

(* What is left to compute, where gamma is g and (7) rounds to c / 100        *)
Definition number_checks (b on od rn rd : N) (g e : fraction) (c : N) : bool :=
  [&& N.ltb 0 b, N.ltb 0 on, N.ltb 0 od, N.ltb 0 rd,
      N.leb (rn * (g.2 * g.2)) (g.1 * g.1 * rd),
      ln_is_between g (0, 1)%num e, N.leb (on * on) (N.succ b * od * od) &
      ln_is_between (N.succ b * od, on)%num (10 * N.pred c + 5, 1000)%num
        (10 * c + 5, 1000)%num].

Lemma realN_IZR m : realN m = IZR (Z.of_N m).
Proof. by rewrite -INR_to_nat INR_IZR_INZ N_nat_Z. Qed.

Lemma realF_IZR m k : N.ltb 0 k ->
  realF (m, k) = IZR (Z.of_N m) / IZR (Z.of_N k).
Proof. by move=> k_gt0; rewrite realFE // !realN_IZR. Qed.

Lemma numbers_hold u b on od rn rd g m k c p :
    p = rate (N.to_nat on) (N.to_nat od) -> has_square u on od rn rd ->
    N.ltb 0 k -> N.ltb 0 c ->
    number_checks b on od rn rd g (m, k) c ->
  below_printed u (N.to_nat b) p
    (IZR (Z.of_N m) / IZR (Z.of_N k)) (IZR (Z.of_N c) / 100).
Proof.
move=> -> budget k_gt0 c_gt0.
case/and5P=> b_gt0 on_gt0 od_gt0 rd_gt0 /and4P[le_r g_ok le_o c_ok].
split.
  apply: (gamma_below g_ok) => [|p01]; first exact: realF_IZR.
  have [p_in oE] := rate_in (to_nat_gt0 on_gt0) (to_nat_gt0 od_gt0).
  apply: budget p_in oE _; apply: square_le le_r => //.
  by case/and4P: g_ok.
have cE : realN c = realN (N.pred c) + 1.
  rewrite -realN1 -realND N.add_1_r N.succ_pred // => c0.
  by rewrite c0 in c_gt0.
apply: seven_rounds c_ok _ _ => //; rewrite realF_IZR // -!realN_IZR.
  by rewrite realND realNM cE !realN_IZR /=; lra.
by rewrite realND realNM !realN_IZR /=; lra.
Qed.

End Numbers.

Section Printed.

Variables (F : realFieldType) (f : F -> R) (M H S : finType) (n : nat).

Local Notation below := (@below_printed F f M H S n).

Theorem households_below : embedding f ->
  let in_two x0 :=
    two_categories x0 && (largest_stratum x0 <= N.to_nat 264331)%N in
  let b := N.to_nat 264331 in
  [/\ below in_two b 100%:R^-1 (861 / 100) (1708 / 100),
      below in_two b 20%:R^-1 (775 / 100) (1543 / 100),
      below in_two b 10%:R^-1 (737 / 100) (1468 / 100) &
      below in_two b 2%:R^-1 (626 / 100) (1248 / 100)].
Proof.
move=> f_embeds in_two b; have [h1 h5 h10 h50] := households_budget F M H S n.
have square od r : has_budget F M H S n 264331 1 od r ->
    has_square F in_two 1 od r 1.
  move=> budget p p01 gamma p_in oE; rewrite divr1; exact: budget p_in oE.
split.
- apply: (numbers_hold f_embeds _ (square _ _ h1) (b := 264331)
    (g := (5447, 1)%num) (m := 861) (k := 100) (c := 1708)) => [|//|//|].
    by rewrite /rate div1r.
  by vm_compute.
- apply: (numbers_hold f_embeds _ (square _ _ h5) (b := 264331)
    (g := (2315, 1)%num) (m := 775) (k := 100) (c := 1543)) => [|//|//|].
    by rewrite /rate div1r.
  by vm_compute.
- apply: (numbers_hold f_embeds _ (square _ _ h10) (b := 264331)
    (g := (1580, 1)%num) (m := 737) (k := 100) (c := 1468)) => [|//|//|].
    by rewrite /rate div1r.
  by vm_compute.
apply: (numbers_hold f_embeds _ (square _ _ h50) (b := 264331)
  (g := (520, 1)%num) (m := 626) (k := 100) (c := 1248)) => [|//|//|].
  by rewrite /rate div1r.
by vm_compute.
Qed.

Theorem dwellings_below : embedding f ->
  below (fun x0 => sizes_fit (sizes_are 435805 708619) x0)
    (N.to_nat 1144424) 2%:R^-1 (1472 / 1000) (1395 / 100).
Proof.
move=> f_embeds; apply: (numbers_hold f_embeds _ (@dwellings_budget F M H S n)
  (b := 1144424) (g := (43571, 10000)%num) (m := 1472) (k := 1000)
  (c := 1395)) => [|//|//|].
  by rewrite /rate div1r.
by vm_compute.
Qed.

Theorem halves_below : embedding f ->
  below (fun x0 => sizes_fit (sizes_are 500000 500000) x0)
    (N.to_nat 1000000) (3%:R / 4%:R)%R (511 / 1000) (1272 / 100).
Proof.
move=> f_embeds; apply: (numbers_hold f_embeds _ (@halves_budget F M H S n)
  (b := 1000000) (g := (16668, 10000)%num) (m := 511) (k := 1000)
  (c := 1272)) => [//|//|//|].
by vm_compute.
Qed.

End Printed.

Local Notation bit := bool_finType.

Definition households_below_instance :=
  @households_below _ _ bit bit bit 2 of_rat_embedding.

Definition dwellings_below_instance :=
  @dwellings_below _ _ bit bit bit 2 of_rat_embedding.

Definition halves_below_instance :=
  @halves_below _ _ bit bit bit 2 of_rat_embedding.
