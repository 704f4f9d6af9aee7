From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law pure.

(******************************************************************************)
(* Pure differential privacy with epsilon a real number: exp and ln of Coq's  *)
(* standard library, for laws whose probabilities lie in a field F inside the *)
(* reals. F is any real field with an embedding in R; the rational numbers,   *)
(* in which every program computes, are one.                                  *)
(*                                                                            *)
(*   embedding f == f : F -> R keeps 1, sums, products and the order          *)
(*   of_int m, of_rat q == the integer m and the rational q as real numbers   *)
(*   log_ratio_le f e P Q == D_Mult(P, Q) <= e as (2.9) prints it: for every  *)
(*            event A, P(A) and Q(A) are both 0, or neither is and            *)
(*            |ln (P(A) / Q(A))| <= e                                         *)
(*   epsilon_dp f U d eps T == T satisfies eps-DP(X, U, d, D_Mult): for all   *)
(*            universes U i and all x, x' in U i,                             *)
(*            D_Mult(T x, T x') <= eps i * d x x'; here                       *)
(*            d : X -> X -> option nat and eps : I -> option R, and None is   *)
(*            infinity on either side, which asks for nothing                 *)
(*   exponential f g e == the budget g is e^e: f g = exp e, or both are oo    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   pure_dp_exponential == pure.indistinguishability: epsilon_dp is pure_dp  *)
(*            with gamma = e^eps                                              *)
(*   log_ratio_mult == log_ratio_le f e is mult_le g for f g = exp e          *)
(*   of_rat_embedding == the rational numbers lie in the reals                *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope R_scope.

Definition embedding (F : realFieldType) (f : F -> R) : Prop :=
  [/\ f 1%R = 1, forall x y, f (x + y)%R = f x + f y,
      forall x y, f (x * y)%R = f x * f y &
      forall x y, (x <= y)%R -> f x <= f y].

Definition log_ratio_le (F : realFieldType) (f : F -> R) (T : finType) (e : R)
    (P Q : law F T) : Prop :=
  forall A : {set T}, (f (Pr P A) = 0 /\ f (Pr Q A) = 0) \/
    [/\ f (Pr P A) <> 0, f (Pr Q A) <> 0 &
        Rabs (ln (f (Pr P A) / f (Pr Q A))) <= e].

Definition epsilon_dp (F : realFieldType) (f : F -> R) (X I : Type)
    (Y : finType) (U : I -> X -> Prop) (d : X -> X -> option nat)
    (eps : I -> option R) (T : X -> law F Y) : Prop :=
  forall i x x', U i x -> U i x' ->
    match eps i, d x x' with
    | Some e, Some n => log_ratio_le f (e * INR n) (T x) (T x')
    | _, _ => True
    end.

Definition exponential (F : realFieldType) (f : F -> R) (g : option F)
    (e : option R) : Prop :=
  match g, e with
  | Some g, Some e => f g = exp e
  | None, None => True
  | _, _ => False
  end.

(* Ratios of real numbers                                                     *)

Lemma abs_ln_ratio (a b e : R) : 0 < a -> 0 < b ->
  Rabs (ln (a / b)) <= e <-> a <= exp e * b /\ b <= exp e * a.
Proof.
move=> a_gt0 b_gt0.
have lnE : ln (a / b) = ln a - ln b.
  by rewrite /Rdiv ln_mult ?ln_Rinv //; apply: Rinv_0_lt_compat.
have le_ln u v : 0 < u -> 0 < v -> u <= exp e * v <-> ln u <= e + ln v.
  move=> u_gt0 v_gt0; have := exp_pos e => exp_gt0.
  rewrite -{2}[e]ln_exp -ln_mult //.
  have ev_gt0 : 0 < exp e * v by apply: Rmult_lt_0_compat.
  split=> [[lt_uv | ->] | [lt_uv | eq_uv]].
  - by left; apply: ln_increasing.
  - by right.
  - by left; apply: ln_lt_inv.
  - by right; apply: ln_inv.
rewrite lnE !le_ln //; split=> [le_e | [le_a le_b]].
  by have := Rle_abs (ln a - ln b); have := Rle_abs (- (ln a - ln b));
    rewrite Rabs_Ropp; lra.
by apply: Rabs_le; lra.
Qed.

(* Embeddings                                                                 *)

Section Embedding.

Variables (F : realFieldType) (f : F -> R).
Hypothesis f_embeds : embedding f.
Implicit Types x y g : F.

Lemma embed1 : f 1%R = 1. Proof. by case: f_embeds. Qed.

Lemma embedD x y : f (x + y)%R = f x + f y. Proof. by case: f_embeds. Qed.

Lemma embedM x y : f (x * y)%R = f x * f y. Proof. by case: f_embeds. Qed.

Lemma embed0 : f 0%R = 0.
Proof. by have := embedD 0%R 0%R; rewrite addr0; lra. Qed.

Lemma embedB x y : f (x - y)%R = f x - f y.
Proof. by have := embedD (x - y)%R y; rewrite subrK; lra. Qed.

Lemma embed_neq0 x : x != 0%R -> f x <> 0.
Proof.
move=> x_neq0 fx0; have := embedM x x^-1%R; rewrite divff // embed1 fx0; lra.
Qed.

Lemma embed_le x y : (x <= y)%R <-> f x <= f y.
Proof.
split=> [|le_f]; first by case: f_embeds => _ _ _; apply.
rewrite leNgt; apply/negP => lt_yx.
have [_ _ _ /(_ _ _ (ltW lt_yx)) ge_f] := f_embeds.
have := @embed_neq0 (x - y)%R; rewrite subr_eq0 gt_eqF // => /(_ isT).
by rewrite embedB; lra.
Qed.

Lemma embed_lt x y : (x < y)%R <-> f x < f y.
Proof.
rewrite ltNge; split=> [/negP le_yx | lt_f].
  by apply: Rnot_le_lt => /embed_le.
by apply/negP => /embed_le; lra.
Qed.

Lemma embed_div x y : y != 0%R -> f (x / y)%R = f x / f y.
Proof.
move=> y_neq0; have fy_neq0 := embed_neq0 y_neq0.
by have := embedM (x / y)%R y; rewrite divfK // => ->; field.
Qed.

Lemma embed_nat n : f n%:R%R = INR n.
Proof.
elim: n => [|n IHn]; first exact: embed0.
by rewrite mulrSr embedD IHn embed1 S_INR.
Qed.

Lemma embed_exp g e n : f g = exp e -> f (g ^+ n)%R = exp (e * INR n).
Proof.
move=> gE; elim: n => [|n IHn]; first by rewrite expr0 embed1 Rmult_0_r exp_0.
rewrite exprSr embedM IHn gE -exp_plus S_INR; congr exp; ring.
Qed.

Lemma log_ratio_mult (T : finType) g e (P Q : law F T) : f g = exp e ->
  log_ratio_le f e P Q <-> mult_le g P Q.
Proof.
move=> gE.
have mult_event A : (Pr P A <= g * Pr Q A)%R /\ (Pr Q A <= g * Pr P A)%R <->
    f (Pr P A) <= exp e * f (Pr Q A) /\ f (Pr Q A) <= exp e * f (Pr P A).
  by rewrite !embed_le !embedM gE.
have f_ge0 S A : 0 <= f (Pr (S : law F T) A).
  by rewrite -embed0; apply/embed_le/Pr_ge0.
split=> le_PQ A; have := le_PQ A; rewrite mult_event;
  have := f_ge0 P A; have := f_ge0 Q A; have e_gt0 := exp_pos e.
  move=> b_ge0 a_ge0 [[-> ->] | [a_neq0 b_neq0]]; first lra.
  by rewrite abs_ln_ratio //; lra.
set a := f (Pr P A); set b := f (Pr Q A) => b_ge0 a_ge0 [le_ab le_ba].
have [a0 | a_neq0] := Req_EM_T a 0.
  by left; split=> //; move: le_ba; rewrite a0 Rmult_0_r; lra.
have b_neq0 : b <> 0 by move=> b0; move: le_ab; rewrite b0 Rmult_0_r; lra.
by right; split=> //; apply/abs_ln_ratio; lra.
Qed.

Theorem pure_dp_exponential (X I : Type) (Y : finType) (U : I -> X -> Prop)
    (d : X -> X -> option nat) (gamma : I -> option F) (eps : I -> option R)
    (T : X -> law F Y) :
  (forall i, exponential f (gamma i) (eps i)) ->
  epsilon_dp f U d eps T <-> pure_dp U d gamma T.
Proof.
move=> expE; split=> dp i x x' xU x'U; have := dp i x x' xU x'U;
  have := expE i; rewrite /exponential;
  case: (gamma i) (eps i) (d x x') => [g|] [e|] [n|] //= gE.
  by rewrite (log_ratio_mult _ _ (embed_exp n gE)).
by rewrite -(log_ratio_mult _ _ (embed_exp n gE)).
Qed.

End Embedding.

(* The rational numbers                                                       *)

Definition of_int (m : int) : R :=
  match m with Posz n => INR n | Negz n => - INR n.+1 end.

Definition of_rat (q : rat) : R := of_int (numq q) / of_int (denq q).

Lemma of_int_sub (m n : nat) : of_int (m%:Z - n%:Z)%R = INR m - INR n.
Proof.
have sub k l : of_int ((l + k)%:Z - l%:Z)%R = INR k.
  by rewrite PoszD addrAC subrr add0r.
have neg k : of_int (- k%:Z)%R = - INR k by case: k => //=; lra.
have [le_nm | /ltnW le_mn] := leqP n m.
  by rewrite -(subnKC le_nm) sub plus_INR; lra.
rewrite -(subnKC le_mn) PoszD opprD addNKr neg plus_INR; lra.
Qed.

Lemma int_difference (m : int) : exists k l : nat, m = (k%:Z - l%:Z)%R.
Proof.
case: m => n; first by exists n, 0%N; rewrite subr0.
by exists 0%N, n.+1; rewrite sub0r NegzE.
Qed.

Lemma of_intD (m n : int) : of_int (m + n)%R = of_int m + of_int n.
Proof.
have [k [l ->]] := int_difference m; have [k' [l' ->]] := int_difference n.
rewrite addrACA -opprD -!PoszD !of_int_sub !plus_INR; lra.
Qed.

Lemma of_intM (m n : int) : of_int (m * n)%R = of_int m * of_int n.
Proof.
have [k [l ->]] := int_difference m; have [k' [l' ->]] := int_difference n.
rewrite mulrBl !mulrBr opprB addrACA -opprD -!PoszM -!PoszD !of_int_sub.
rewrite !plus_INR !mult_INR; lra.
Qed.

Lemma of_int_ge0 (m : int) : (0 <= m)%R -> 0 <= of_int m.
Proof. by case: m => // n _; apply: pos_INR. Qed.

Lemma of_int_gt0 (m : int) : (0 < m)%R -> 0 < of_int m.
Proof. by case: m => // n n_gt0; apply/lt_0_INR/ssrnat.ltP. Qed.

Lemma of_denq_gt0 q : 0 < of_int (denq q).
Proof. exact/of_int_gt0/denq_gt0. Qed.

Lemma of_ratE (q : rat) (m n : int) : (0 < n)%R -> (q * n%:~R = m%:~R)%R ->
  of_rat q = of_int m / of_int n.
Proof.
move=> n_gt0 qn; have d_gt0 := of_denq_gt0 q.
have n_pos := of_int_gt0 n_gt0.
have /(congr1 of_int) : (numq q * n = m * denq q)%R.
  apply: (@intr_inj rat_numDomainType).
  by rewrite !intrM numqE -qn mulrAC.
rewrite !of_intM /of_rat => eq_of.
apply: (Rmult_eq_reg_r (of_int (denq q) * of_int n)); last first.
  by apply: Rgt_not_eq; apply: Rmult_gt_0_compat.
by field_simplify; lra.
Qed.

Lemma of_rat_embedding : embedding of_rat.
Proof.
have den_neq0 q : of_int (denq q) <> 0 by have := of_denq_gt0 q; lra.
have gt0 x y : (0 < denq x * denq y)%R by rewrite mulr_gt0 ?denq_gt0.
have D x y : of_rat (x + y)%R = of_rat x + of_rat y.
  rewrite (@of_ratE _ (numq x * denq y + numq y * denq x)%R _ (gt0 x y)).
    by rewrite of_intD !of_intM /of_rat; field; split; apply: den_neq0.
  rewrite intrD !intrM !numqE mulrDl mulrA; congr (_ + _)%R.
  by rewrite (mulrC (denq x)%:~R%R) mulrA.
have M x y : of_rat (x * y)%R = of_rat x * of_rat y.
  rewrite (@of_ratE _ (numq x * numq y)%R _ (gt0 x y)).
    by rewrite !of_intM /of_rat; field; split; apply: den_neq0.
  by rewrite !intrM !numqE mulrACA.
split=> //; first by rewrite /of_rat /= ; field.
move=> x y le_xy; suff : 0 <= of_rat (y - x)%R.
  by have := D (y - x)%R x; rewrite subrK; lra.
apply: Rmult_le_pos; last by apply/Rlt_le/Rinv_0_lt_compat/of_denq_gt0.
by apply: of_int_ge0; rewrite numq_ge0 subr_ge0.
Qed.
