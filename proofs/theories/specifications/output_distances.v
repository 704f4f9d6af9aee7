From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure invariants invariant_multiverse.

(******************************************************************************)
(* Total variation, the approximate multiplicative distance, and hockey-stick *)
(* divergences of two laws: products, functions of the outcome, extraneous    *)
(* noise.                                                                     *)
(*                                                                            *)
(*   hockey_stick g P Q == E_g(P, Q), the sum of the P t - g * Q t above 0    *)
(*   slice A u == the t with (t, u) in A                                      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   tv_product, tv_postprocessing == premetrics.composition, for D_TV        *)
(*   approximate_product == premetrics.composition.approximate                *)
(*   approximate_smaller == approximate.smaller                               *)
(*   noise_invariance == noise.invariance                                     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Distances.

Variable R : realFieldType.
Implicit Types (T U : finType) (g h e f : R).

Definition hockey_stick T g (P Q : law R T) : R :=
  \sum_t Num.max 0 (P t - g * Q t).

Definition slice T U (A : {set T * U}) (u : U) : {set T} :=
  [set t | (t, u) \in A].

Lemma sum_prod T U (F : T * U -> R) :
  \sum_tu F tu = \sum_t \sum_u F (t, u).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

Lemma Pr_prod T U (P : law R T) (S : law R U) (A : {set T * U}) :
  Pr (prod_law P S) A = \sum_u S u * Pr P (slice A u).
Proof.
rewrite PrE sum_prod exchange_big; apply: eq_bigr => u _ /=.
rewrite PrE mulr_sumr; apply: eq_bigr => t _.
by rewrite prod_lawE inE (mulrC (P t)) -mulrA.
Qed.

Lemma Pr_prod_left T U (P : law R T) (S : law R U) (A : {set T}) :
  Pr (prod_law P S) (setX A setT) = Pr P A.
Proof.
rewrite Pr_prod -[RHS]mul1r -(law_sum1 S) mulr_suml; apply: eq_bigr => u _.
by congr (_ * Pr P _); apply/setP=> t; rewrite !inE andbT.
Qed.

(* Total variation                                                            *)

Lemma tv_half T (P Q : law R T) g :
  (tv P Q <= g) = (\sum_t `|P t - Q t| <= g * 2%:R).
Proof. by rewrite /tv ler_pdivr_mulr ?ltr0n. Qed.

Theorem tv_product T U (P Q : law R T) (P' Q' : law R U) :
  tv (prod_law P P') (prod_law Q Q') <= tv P Q + tv P' Q'.
Proof.
rewrite tv_half /tv -mulrDl mulfVK ?pnatr_eq0 // sum_prod.
have: \sum_t \sum_u (`|P t - Q t| * P' u + Q t * `|P' u - Q' u|) =
    \sum_t `|P t - Q t| + \sum_u `|P' u - Q' u|.
  under eq_bigr => t _.
    rewrite big_split /= -!mulr_sumr law_sum1 mulr1; over.
  by rewrite big_split /= -mulr_suml law_sum1 mul1r.
move=> <-; apply: ler_sum => t _; apply: ler_sum => u _; rewrite !prod_lawE.
have -> : P t * P' u - Q t * Q' u = (P t - Q t) * P' u + Q t * (P' u - Q' u).
  by rewrite mulrBl mulrBr addrA subrK.
apply: le_trans (ler_norm_add _ _) _; rewrite !normrM.
by rewrite (ger0_norm (law_ge0 P' u)) (ger0_norm (law_ge0 Q t)).
Qed.

Theorem tv_postprocessing T U (P Q : law R T) (K : T -> law R U) :
  tv (bind P K) (bind Q K) <= tv P Q.
Proof.
rewrite tv_half /tv mulfVK ?pnatr_eq0 //.
have -> : \sum_t `|P t - Q t| = \sum_u \sum_t `|P t - Q t| * K t u.
  rewrite exchange_big; apply: eq_bigr => t _.
  by rewrite -mulr_sumr law_sum1 mulr1.
apply: ler_sum => u _; rewrite !bindE -sumrB.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => t _.
by rewrite -mulrBl normrM (ger0_norm (law_ge0 (K t) u)).
Qed.

(* The approximate distance                                                   *)

Lemma approximate_sum T g e (P Q : law R T) (w : T -> R) :
  (forall A, Pr P A <= g * Pr Q A + e) -> (forall t, 0 <= w t <= 1) ->
  \sum_t P t * w t <= g * (\sum_t Q t * w t) + e.
Proof.
move=> le_PQ w01; pose A := [set t | 0 < P t - g * Q t].
rewrite addrC -ler_subl_addr mulr_sumr -sumrB.
have: \sum_(t in A) (P t - g * Q t) <= e.
  by rewrite sumrB -mulr_sumr ler_subl_addr addrC; apply: le_PQ.
apply: le_trans; rewrite (bigID (mem A)) /= -[X in _ <= X]addr0.
apply: ler_add.
  apply: ler_sum => t; rewrite inE => /ltW dt_ge0; rewrite mulrA -mulrBl.
  by rewrite ler_pimulr //; case/andP: (w01 t).
rewrite -oppr_ge0 -sumrN; apply: sumr_ge0 => t.
rewrite oppr_ge0 inE -leNgt => dt_le0; rewrite mulrA -mulrBl.
by rewrite mulr_le0_ge0 //; case/andP: (w01 t).
Qed.

Lemma approximate_half T U g h e f (P Q : law R T) (P' Q' : law R U) :
  0 <= g -> 0 <= h -> 0 <= e ->
  (forall A, Pr P A <= g * Pr Q A + e) ->
  (forall A, Pr P' A <= h * Pr Q' A + f) ->
  forall A, Pr (prod_law P P') A <= g * h * Pr (prod_law Q Q') A + (e + f).
Proof.
move=> g_ge0 h_ge0 e_ge0 le_PQ le_PQ' A; rewrite !Pr_prod.
pose w u := Num.min 1 (g * Pr Q (slice A u)).
have w01 u : 0 <= w u <= 1.
  by rewrite le_minr ler01 mulr_ge0 ?Pr_ge0 //= le_minl lexx.
have le_w u : Pr P (slice A u) <= w u + e.
  rewrite /w; case: (leP 1) => _; last exact: le_PQ.
  by apply: le_trans (Pr_le1 _ _) _; rewrite ler_addl.
apply: le_trans (_ : \sum_u P' u * w u + e <= _).
  rewrite -[X in _ + X]mul1r -(law_sum1 P') mulr_suml -big_split /=.
  by apply: ler_sum => u _; rewrite -mulrDr ler_wpmul2l ?law_ge0.
rewrite [e + f]addrC addrA ler_add2r.
apply: le_trans (approximate_sum le_PQ' w01) _; rewrite ler_add2r.
rewrite -mulrA mulrCA ler_wpmul2l // mulr_sumr; apply: ler_sum => u _.
by rewrite mulrCA ler_wpmul2l ?law_ge0 // /w le_minl lexx orbT.
Qed.

Theorem approximate_product T U g h e f (P Q : law R T) (P' Q' : law R U) :
  0 <= g -> 0 <= h -> 0 <= e ->
  approximate_le g e P Q -> approximate_le h f P' Q' ->
  approximate_le (g * h) (e + f) (prod_law P P') (prod_law Q Q').
Proof.
move=> g_ge0 h_ge0 e_ge0 le_PQ le_PQ' A.
by split; apply: approximate_half => // B; [have [] := le_PQ B
  | have [] := le_PQ' B | have [] := le_PQ B | have [] := le_PQ' B].
Qed.

Lemma mult_approximate T g e (P Q : law R T) :
  0 <= e -> mult_le g P Q -> approximate_le g e P Q.
Proof.
move=> e_ge0 le_PQ A; have [PQ QP] := le_PQ A.
by split; [apply: le_trans PQ _ | apply: le_trans QP _]; rewrite ler_addl.
Qed.

Theorem approximate_smaller T g e (P Q : law R T) :
  0 <= e -> mult_le g P Q ->
  approximate_le g e P Q /\
  (0 < e -> P <> Q -> exists2 h, 1 <= h < g & approximate_le h e P Q).
Proof.
move=> e_ge0 le_PQ; split=> [|e_gt0 neq_PQ]; first exact: mult_approximate.
have g_ge1 := mult_le_ge1 le_PQ.
have g_gt1 : 1 < g.
  rewrite lt_def g_ge1 andbT; apply/eqP=> g1; apply/neq_PQ/mult_le1.
  by rewrite -g1.
exists (Num.max 1 (g - e)).
  by rewrite le_maxr lexx lt_maxl g_gt1 gtr_addl oppr_lt0.
move=> A; have [PQ QP] := le_PQ A.
have le_h p : 0 <= p <= 1 -> g * p <= Num.max 1 (g - e) * p + e.
  case/andP=> p_ge0 p_le1; apply: le_trans (_ : (g - e) * p + e <= _).
    by rewrite mulrBl -addrA ler_addl addrC subr_ge0 ler_pimulr.
  by rewrite ler_add2r ler_wpmul2r // le_maxr lexx orbT.
by split; [apply: le_trans PQ _ | apply: le_trans QP _];
  apply: le_h; rewrite Pr_ge0 Pr_le1.
Qed.

(* Extraneous noise                                                           *)

Lemma noise_mult T U g (P Q : law R T) (S : law R U) :
  mult_le g (prod_law P S) (prod_law Q S) <-> mult_le g P Q.
Proof.
split=> le_PQ A; first by have := le_PQ (setX A setT); rewrite !Pr_prod_left.
rewrite !Pr_prod !mulr_sumr; split; apply: ler_sum => u _;
  by rewrite mulrCA ler_wpmul2l ?law_ge0 //; have [] := le_PQ (slice A u).
Qed.

Lemma noise_approximate T U g e (P Q : law R T) (S : law R U) :
  approximate_le g e (prod_law P S) (prod_law Q S) <-> approximate_le g e P Q.
Proof.
split=> le_PQ A; first by have := le_PQ (setX A setT); rewrite !Pr_prod_left.
rewrite !Pr_prod !mulr_sumr -[e]mul1r -(law_sum1 S) mulr_suml -!big_split /=.
split; apply: ler_sum => u _; rewrite mulrCA -mulrDr ler_wpmul2l ?law_ge0 //;
  by have [] := le_PQ (slice A u).
Qed.

Lemma noise_tv T U (P Q : law R T) (S : law R U) :
  tv (prod_law P S) (prod_law Q S) = tv P Q.
Proof.
rewrite /tv sum_prod; congr (_ / _); apply: eq_bigr => t _.
rewrite -[RHS]mulr1 -(law_sum1 S) mulr_sumr; apply: eq_bigr => u _.
by rewrite !prod_lawE -mulrBl normrM (ger0_norm (law_ge0 S u)).
Qed.

Lemma noise_hockey_stick T U g (P Q : law R T) (S : law R U) :
  hockey_stick g (prod_law P S) (prod_law Q S) = hockey_stick g P Q.
Proof.
rewrite /hockey_stick sum_prod; apply: eq_bigr => t _.
rewrite -[RHS]mulr1 -(law_sum1 S) mulr_sumr; apply: eq_bigr => u _.
by rewrite !prod_lawE mulrA -mulrBl maxr_pmull ?law_ge0 // mul0r.
Qed.

Theorem noise_invariance T U (P Q : law R T) (S : law R U) :
  [/\ forall g, mult_le g (prod_law P S) (prod_law Q S) <-> mult_le g P Q,
      forall g e, approximate_le g e (prod_law P S) (prod_law Q S) <->
        approximate_le g e P Q,
      tv (prod_law P S) (prod_law Q S) = tv P Q
    & forall g,
        hockey_stick g (prod_law P S) (prod_law Q S) = hockey_stick g P Q].
Proof.
split=> [g|g e||g]; first exact: noise_mult; first exact: noise_approximate.
  exact: noise_tv.
exact: noise_hockey_stick.
Qed.

End Distances.
