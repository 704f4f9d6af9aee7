From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification.

(******************************************************************************)
(* Pure differential privacy: the output premetric is the multiplicative      *)
(* distance D_Mult, a budget is gamma = e^epsilon, and a bound epsilon * n is *)
(* gamma ^+ n.                                                                *)
(*                                                                            *)
(*   pure_dp U d gamma T == T satisfies ln gamma-DP(X, U, d, D_Mult): for all *)
(*            universes U i and all x, x' in U i,                             *)
(*            D_Mult(T x, T x') <= ln (gamma i) * d x x'; here                *)
(*            d : X -> X -> option nat and gamma : I -> option R, and None is *)
(*            infinity on either side, which asks for nothing                 *)
(*   pure_below C T == D_Mult(T x, T x') <= ln (C x x') for all x, x', where  *)
(*            C : X -> X -> option R: the normal form                         *)
(*   is_pure_matrix U d gamma C == C is the normal form of these blocks       *)
(*   mulo a b == the product in option R, None absorbs                        *)
(*   joint_kernel P K == the law of an output of P and of one of K at it      *)
(*   neighbor_distance r == d_r of (A.2), as a natural number or None         *)
(*   is_shortest_walk r ds == ds is the length of a shortest walk             *)
(*   walk r n x x' == there are n steps of the relation r from x to x'        *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   pure_dp_satisfies == pure_dp is satisfaction of the specification whose  *)
(*            output premetric is D_Mult, with gamma = e^epsilon              *)
(*   mult_metric == D_Mult is a metric on laws (article Lemma 3, repaired)    *)
(*   mult_metric_variables_refuted == it is not one on a.e. equal random      *)
(*            variables (article Lemma 3, as printed)                         *)
(*   mult_postprocessing, pure_postprocessing == by a randomised map          *)
(*   mult_product, pure_composition == fresh composition                      *)
(*   mult_adaptive, pure_adaptive == the second mechanism sees the output of  *)
(*            the first                                                       *)
(*   pure_composition_different == of two specifications on one domain        *)
(*   pure_below_composition, pure_composition_multiverses == the same as      *)
(*            matrices, and as a specification whose universes intersect      *)
(*   pure_normal_form == pure_dp is being below the matrix                    *)
(*   pure_sharpening == M(d_r) = M(its sharpening) for D_Mult                 *)
(*   pure_group_privacy == neighbours within gamma, n steps within gamma ^+ n *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Fixpoint walk (X : Type) (r : X -> X -> Prop) (n : nat) (x x' : X) : Prop :=
  if n is m.+1 then exists2 y, r x y & walk r m y x' else x = x'.

Definition pure_dp (R : realFieldType) (X I : Type) (Y : finType)
    (U : I -> X -> Prop) (d : X -> X -> option nat) (gamma : I -> option R)
    (T : X -> law R Y) : Prop :=
  forall i x x', U i x -> U i x' ->
    match gamma i, d x x' with
    | Some g, Some n => mult_le (g ^+ n) (T x) (T x')
    | _, _ => True
    end.

Definition pure_below (R : realFieldType) (X : Type) (Y : finType)
    (C : X -> X -> option R) (T : X -> law R Y) : Prop :=
  forall x x', if C x x' is Some g then mult_le g (T x) (T x') else True.

Definition mulo (R : realFieldType) (a b : option R) : option R :=
  if a is Some x then if b is Some y then Some (x * y) else None else None.

Arguments mulo {R} a b.

Section MultiplicativeDistance.

Variable R : realFieldType.
Implicit Types (T U : finType) (g h : R).

Lemma mult_le_refl T g (P : law R T) : 1 <= g -> mult_le g P P.
Proof. by move=> g_ge1 A; rewrite ler_pemull ?Pr_ge0. Qed.

Lemma mult_le_sym T g (P Q : law R T) : mult_le g P Q -> mult_le g Q P.
Proof. by move=> le_PQ A; have [] := le_PQ A. Qed.

Lemma mult_le_weaken T g h (P Q : law R T) :
  g <= h -> mult_le g P Q -> mult_le h P Q.
Proof.
move=> le_gh le_PQ A; have [lePQ leQP] := le_PQ A.
by split; [apply: le_trans lePQ _ | apply: le_trans leQP _];
  apply: ler_wpmul2r; rewrite ?Pr_ge0.
Qed.

(* Two laws at any distance: gamma is at least 1.                             *)
Lemma mult_le_ge1 T g (P Q : law R T) : mult_le g P Q -> 1 <= g.
Proof. by move=> /(_ setT)[]; rewrite !PrT mulr1. Qed.

Lemma mult_le_triangle T g h (P Q S : law R T) :
  mult_le g P Q -> mult_le h Q S -> mult_le (g * h) P S.
Proof.
move=> le_PQ le_QS A; have [PQ QP] := le_PQ A; have [QS SQ] := le_QS A.
have g_ge0 : 0 <= g := le_trans ler01 (mult_le_ge1 le_PQ).
have h_ge0 : 0 <= h := le_trans ler01 (mult_le_ge1 le_QS).
split; first by apply: le_trans PQ _; rewrite -mulrA ler_wpmul2l.
by apply: le_trans SQ _; rewrite (mulrC g) -mulrA ler_wpmul2l.
Qed.

Lemma mult_le1 T (P Q : law R T) : mult_le 1 P Q <-> P = Q.
Proof.
split=> [/mult_leP le_PQ | ->]; last exact: mult_le_refl.
by apply: le_law_eq => t; have [] := le_PQ t; rewrite !mul1r.
Qed.

(* The distance is 0 as an infimum: every gamma > 1 bounds it.                *)
Lemma mult_le_inf T (P Q : law R T) :
  (forall g, 1 < g -> mult_le g P Q) <-> P = Q.
Proof.
split=> [le_PQ | -> g /ltW]; last exact: mult_le_refl.
apply: le_law_eq => t; rewrite leNgt; apply/negP=> lt_QP.
have [Qt0 | Qt_n0] := eqVneq (Q t) 0.
  have /mult_leP/(_ t)[] : mult_le 2%:R P Q by apply: le_PQ; rewrite ltr1n.
  by rewrite Qt0 mulr0 leNgt -{1}Qt0 lt_QP.
have Qt_gt0 : 0 < Q t by rewrite lt_def Qt_n0 law_ge0.
have mid_gt1 : 1 < (P t / Q t + 1) / 2%:R.
  rewrite ltr_pdivl_mulr ?ltr0n // mul1r [2%:R]/(1 + 1) ltr_add2r.
  by rewrite ltr_pdivl_mulr // mul1r.
have /mult_leP/(_ t)[+ _] := le_PQ _ mid_gt1.
rewrite -ler_pdivr_mulr // ler_pdivl_mulr ?ltr0n // mulr_natr mulr2n ler_add2l.
by rewrite ler_pdivr_mulr // mul1r leNgt lt_QP.
Qed.

Theorem mult_metric T :
  [/\ forall g (P Q : law R T), mult_le g P Q <-> mult_le g Q P,
      forall P Q : law R T, mult_le 1 P Q <-> P = Q,
      forall P Q : law R T, (forall g, 1 < g -> mult_le g P Q) <-> P = Q &
      forall g h (P Q S : law R T),
        mult_le g P Q -> mult_le h Q S -> mult_le (g * h) P S].
Proof.
split.
- by move=> g P Q; split; apply: mult_le_sym.
- exact: mult_le1.
- exact: mult_le_inf.
- by move=> g h P Q S; apply: mult_le_triangle.
Qed.

Theorem mult_postprocessing T U g (P Q : law R T) (K : T -> law R U) :
  mult_le g P Q -> mult_le g (bind P K) (bind Q K).
Proof.
move=> /mult_leP le_PQ A; rewrite !Pr_bind !mulr_sumr.
by split; apply: ler_sum => t _; have [PQ QP] := le_PQ t;
  rewrite mulrA ler_wpmul2r ?Pr_ge0.
Qed.

Lemma mult_map T U g (P Q : law R T) (f : T -> U) :
  mult_le g P Q -> mult_le g (map_law f P) (map_law f Q).
Proof. exact: mult_postprocessing. Qed.

(* Mixtures with the same weights: the distance is quasi-convex.              *)
Lemma mult_mixture T U g (P : law R T) (K K' : T -> law R U) :
  (forall t, mult_le g (K t) (K' t)) -> mult_le g (bind P K) (bind P K').
Proof.
move=> le_K A; rewrite !Pr_bind !mulr_sumr.
by split; apply: ler_sum => t _; have [KK' K'K] := le_K t A;
  rewrite mulrCA ler_wpmul2l ?law_ge0.
Qed.

Lemma mult_bind T U g h (P Q : law R T) (K K' : T -> law R U) :
  mult_le g P Q -> (forall t, mult_le h (K t) (K' t)) ->
  mult_le (g * h) (bind P K) (bind Q K').
Proof.
move=> le_PQ le_K; apply: mult_le_triangle (mult_mixture Q le_K).
exact: mult_postprocessing.
Qed.

(* The law of an output and of a second one that depends on the first.        *)
Definition joint_kernel T U (P : law R T) (K : T -> law R U) :
  law R [finType of T * U] := bind P (fun t => map_law (pair t) (K t)).

Theorem mult_adaptive T U g h (P Q : law R T) (K K' : T -> law R U) :
  mult_le g P Q -> (forall t, mult_le h (K t) (K' t)) ->
  mult_le (g * h) (joint_kernel P K) (joint_kernel Q K').
Proof. by move=> le_PQ le_K; apply: mult_bind => // t; apply: mult_map. Qed.

Lemma prod_joint T U (P : law R T) (Q : law R U) :
  prod_law P Q = joint_kernel P (fun _ => Q).
Proof.
apply: eq_law => -[t u]; rewrite prod_lawE bindE (bigD1 t) //= big1 ?addr0.
  by rewrite map_law_inj // => u1 u2 [].
move=> t' t'_t; rewrite map_lawE (_ : [set _ | _] = set0) ?Pr0 ?mulr0 //.
by apply/setP=> u'; rewrite !inE xpair_eqE (negbTE t'_t).
Qed.

Theorem mult_product T U g h (P Q : law R T) (P' Q' : law R U) :
  mult_le g P Q -> mult_le h P' Q' ->
  mult_le (g * h) (prod_law P P') (prod_law Q Q').
Proof. by move=> le_P le_Q; rewrite !prod_joint; apply: mult_adaptive. Qed.

End MultiplicativeDistance.

(* Article Lemma 3 as printed: X and its complement, a fair coin, have one    *)
(* law, but they are nowhere equal.                                           *)
Section SameLaw.

Variable R : realFieldType.

Lemma half_bounds : 0 <= (2%:R^-1 : R) <= 1.
Proof. by rewrite invr_ge0 ler0n invf_le1 ?ler1n ?ltr0n. Qed.

Definition fair : law R [finType of bool] := bern 2%:R^-1 half_bounds.

Lemma fairE b : fair b = 2%:R^-1.
Proof.
rewrite bernE; case: b => //; apply/eqP; rewrite subr_eq -mulr2n.
by rewrite -(mulr_natr 2%:R^-1) mulVf // pnatr_eq0.
Qed.

Theorem mult_metric_variables_refuted :
  ~ (forall (O Y : finType) (P : law R O) (V W : O -> Y),
       mult_le 1 (map_law V P) (map_law W P) <->
       (forall o, P o != 0 -> V o = W o)).
Proof.
move=> /(_ _ _ fair id negb)[metric _].
suffices/metric/(_ true) : mult_le 1 (map_law id fair) (map_law negb fair).
  by rewrite fairE invr_eq0 pnatr_eq0 => /(_ isT).
apply/mult_le1/law_eqP=> b; rewrite map_law_id fairE.
by rewrite -{1}[b]negbK (map_law_inj _ _ negb_inj) fairE.
Qed.

End SameLaw.

(* Specifications                                                             *)
Section PureSpecifications.

Variables (R : realFieldType) (X : Type).
Implicit Types (Y Z : finType) (d : X -> X -> option nat).

Theorem pure_postprocessing I Y Z (U : I -> X -> Prop) d
    (gamma : I -> option R) (T : X -> law R Y) (K : Y -> law R Z) :
  pure_dp U d gamma T -> pure_dp U d gamma (fun x => bind (T x) K).
Proof.
move=> dpT i x x' xU x'U; have := dpT i x x' xU x'U.
by case: (gamma i) (d x x') => [g|] [n|] //; apply: mult_postprocessing.
Qed.

Theorem pure_adaptive I Y Z (U : I -> X -> Prop) d
    (gamma gamma' : I -> option R) (T : X -> law R Y)
    (K : Y -> X -> law R Z) :
  pure_dp U d gamma T -> (forall y, pure_dp U d gamma' (K y)) ->
  pure_dp U d (fun i => mulo (gamma i) (gamma' i))
    (fun x => joint_kernel (T x) (fun y => K y x)).
Proof.
move=> dpT dpK i x x' xU x'U; have := dpT i x x' xU x'U.
have := fun y => dpK y i x x' xU x'U.
case: (gamma i) (gamma' i) (d x x') => [g|] [g'|] [n|] //= le_K le_T.
by rewrite exprMn; apply: mult_adaptive.
Qed.

Theorem pure_composition I Y Z (U : I -> X -> Prop) d
    (gamma gamma' : I -> option R) (T : X -> law R Y) (T' : X -> law R Z) :
  pure_dp U d gamma T -> pure_dp U d gamma' T' ->
  pure_dp U d (fun i => mulo (gamma i) (gamma' i))
    (fun x => prod_law (T x) (T' x)).
Proof.
move=> dpT dpT' i x x' xU x'U; rewrite !prod_joint.
by apply: (pure_adaptive (K := fun _ => T')) xU x'U.
Qed.

(* Two different specifications on one domain: their matrices multiply.       *)
Theorem pure_below_composition Y Z (C C' : X -> X -> option R)
    (T : X -> law R Y) (T' : X -> law R Z) :
  pure_below C T -> pure_below C' T' ->
  pure_below (fun x x' => mulo (C x x') (C' x x'))
    (fun x => prod_law (T x) (T' x)).
Proof.
move=> le_T le_T' x x'; have := le_T x x'; have := le_T' x x'.
by case: (C x x') (C' x x') => [g|] [g'|] //= ? ?; apply: mult_product.
Qed.

(* In terms of the blocks: the universes intersect, and a pair of data sets   *)
(* loses the sum of what it loses under each specification.                   *)
Theorem pure_composition_different I J Y Z (U : I -> X -> Prop)
    (V : J -> X -> Prop) d d' (gamma : I -> option R) (gamma' : J -> option R)
    (T : X -> law R Y) (T' : X -> law R Z) :
  pure_dp U d gamma T -> pure_dp V d' gamma' T' ->
  forall i j x x' g g' n n', U i x -> U i x' -> V j x -> V j x' ->
    gamma i = Some g -> gamma' j = Some g' -> d x x' = Some n ->
    d' x x' = Some n' ->
  mult_le (g ^+ n * g' ^+ n')
    (prod_law (T x) (T' x)) (prod_law (T x') (T' x')).
Proof.
move=> dpT dpT' i j x x' g g' n n' xU x'U xV x'V eq_g eq_g' eq_n eq_n'.
have := dpT i x x' xU x'U; have := dpT' j x x' xV x'V.
by rewrite eq_g eq_g' eq_n eq_n' => ? ?; apply: mult_product.
Qed.

Theorem pure_composition_multiverses I J Y Z (U : I -> X -> Prop)
    (V : J -> X -> Prop) d (gamma : I -> option R) (gamma' : J -> option R)
    (T : X -> law R Y) (T' : X -> law R Z) :
  pure_dp U d gamma T -> pure_dp V d gamma' T' ->
  pure_dp (fun ij x => U ij.1 x /\ V ij.2 x) d
    (fun ij => mulo (gamma ij.1) (gamma' ij.2))
    (fun x => prod_law (T x) (T' x)).
Proof.
move=> dpT dpT' [i j] x x' [xU xV] [x'U x'V] /=.
have := pure_composition_different dpT dpT' xU x'U xV x'V.
case: (gamma i) (gamma' j) (d x x') => [g|] [g'|] [n|] //= /(_ g g' n n).
by rewrite exprMn; apply.
Qed.

(* For the D_Mult of (2.9) and the exponential E, whose values satisfy the two*)
(* premises, satisfaction in the general sense is pure_dp.                    *)
Theorem pure_dp_satisfies I Y (U : I -> X -> Prop) d (dx : premetric R X)
    (D : premetric R (law R Y)) (E : R -> R) (eps : I -> ext R)
    (T : X -> law R Y) :
  (forall P Q (e : nneg R), D P Q <=e Some e <-> mult_le (E e) P Q) ->
  (forall (e : nneg R) n, E (nneg_val e * n%:R) = E e ^+ n) ->
  (forall x x', dx x x' = if d x x' is Some n then natx n else oo) ->
  satisfies U dx D eps T <-> pure_dp U d (fun i => omap E (omap val (eps i))) T.
Proof.
move=> D_Mult expE dxE; split=> sat i x x' xU x'U.
  have := sat i x x' xU x'U; rewrite dxE.
  case: (eps i) (d x x') => [e|] [n|] //= le_D; rewrite -expE.
  exact/(D_Mult _ _ (mulx e (NNeg (ler0n R n)))).
have := sat i x x' xU x'U; rewrite dxE.
case: (eps i) (d x x') => [e|] [n|] //= le_T; try exact: leoo.
by apply/D_Mult; rewrite /= expE.
Qed.

(* Normal form: C x x' is the least gamma i ^+ d x x' over the universes with *)
(* x and x', and None if there is none.                                       *)
Definition is_pure_matrix I (U : I -> X -> Prop) d (gamma : I -> option R)
    (C : X -> X -> option R) : Prop :=
  forall x x',
    let bound b := exists i g n, [/\ U i x, U i x', gamma i = Some g,
                                     d x x' = Some n & b = g ^+ n] in
    if C x x' is Some c then bound c /\ forall b, bound b -> c <= b
    else forall b, ~ bound b.

Theorem pure_normal_form I Y (U : I -> X -> Prop) d (gamma : I -> option R)
    (C : X -> X -> option R) (T : X -> law R Y) :
  is_pure_matrix U d gamma C -> pure_dp U d gamma T <-> pure_below C T.
Proof.
move=> matC; split=> [dpT x x' | le_T i x x' xU x'U].
  have := matC x x'; case: (C x x') => [c|] // [[i [g [n]]]].
  by case=> xU x'U eq_g eq_n -> _; have := dpT i x x' xU x'U; rewrite eq_g eq_n.
case eq_g: (gamma i) => [g|] //; case eq_n: (d x x') => [n|] //.
have := matC x x'; have := le_T x x'.
have bound_n : exists i g' n', [/\ U i x, U i x', gamma i = Some g',
    d x x' = Some n' & g ^+ n = g' ^+ n'] by exists i, g, n.
case: (C x x') => [c|] le_c; last by case/(_ _ bound_n).
by case=> _ /(_ _ bound_n) /mult_le_weaken; apply.
Qed.

(* Group privacy: D_Mult along a walk over neighbours.                        *)
Theorem pure_group_privacy Y (r : X -> X -> Prop) (g : R) (T : X -> law R Y) :
  (forall x x', r x x' -> mult_le g (T x) (T x')) ->
  forall n x x', walk r n x x' -> mult_le (g ^+ n) (T x) (T x').
Proof.
move=> le_r; elim=> [|n IHn] x x' /=.
  by move=> ->; rewrite expr0; apply: mult_le_refl.
case=> y xy walk_y; rewrite exprS.
by apply: mult_le_triangle (le_r _ _ xy) (IHn _ _ walk_y).
Qed.

End PureSpecifications.

Arguments is_pure_matrix {R X I} U d gamma C.

(* The sharpening theorem for D_Mult: to bound each pair of neighbours by     *)
(* gamma is to bound each pair by gamma to the length of a shortest walk.     *)
Section PureSharpening.

Variables (R : realFieldType) (X : eqType) (Y : finType) (r : rel X).
Implicit Types (T : X -> law R Y).

Definition neighbor_distance (x x' : X) : option nat :=
  if x == x' then Some 0%N else if r x x' then Some 1%N else None.

Definition is_shortest_walk (ds : X -> X -> option nat) : Prop :=
  forall x x',
    if ds x x' is Some n then
      walk r n x x' /\ forall m, walk r m x x' -> (n <= m)%N
    else forall m, ~ walk r m x x'.

Theorem pure_sharpening (ds : X -> X -> option nat) (g : R) T :
  1 <= g -> is_shortest_walk ds ->
  pure_dp (everything X) neighbor_distance (fun _ => Some g) T
  <->
  pure_dp (everything X) ds (fun _ => Some g) T.
Proof.
move=> g_ge1 short; split=> dpT i x x' xU x'U.
  have := short x x'; case: (ds x x') => [n|] // [walk_n _].
  apply: pure_group_privacy walk_n => y y' yy'.
  have := dpT tt y y' Logic.I Logic.I; rewrite /neighbor_distance yy'.
  by case: eqVneq => [-> _|_]; [apply: mult_le_refl | rewrite expr1].
rewrite /neighbor_distance; case: eqVneq => [->|x_x'].
  by rewrite expr0; apply: mult_le_refl.
case: ifP => // xx'; have := dpT i x x' xU x'U; have := short x x'.
have walk1 : walk r 1 x x' by exists x'.
case: (ds x x') => [n|]; last by move=> /(_ 1%N).
case=> _ /(_ _ walk1) n_le1 /mult_le_weaken; apply.
by rewrite ler_weexpn2l.
Qed.

End PureSharpening.

Arguments neighbor_distance {X} r x x'.
Arguments is_shortest_walk {X} r ds.
