From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law pure.

(******************************************************************************)
(* The closure of a constraint matrix decides between specifications that     *)
(* bound D_Mult, by numbers e^eps, or D_TV. A bound is a number or None, oo.  *)
(*                                                                            *)
(*   bound_le a b == the order of bounds, with None on top                    *)
(*   either_way C x y == the smaller one of C x y and C y x                   *)
(*   path_bound op e C x p == the bounds either way along the path from x     *)
(*            through p, under op : R -> R -> R with unit e                   *)
(*   closure op e C == the closure of C under symmetry and the triangle       *)
(*            inequality: the smallest path_bound along a path of fewer than  *)
(*            #|X| steps                                                      *)
(*   is_closure op e C Cs == Cs x y is the smallest one along any path        *)
(*   tv_le e P Q == D_TV (P, Q) <= e                                          *)
(*   tv_below C T == D_TV (T x, T x') <= C x x' for all x, x'                 *)
(*   capped a == the smaller one of a and 1                                   *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   mult_closure_decides, tv_closure_decides == order.closure-decides        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.

Variable R : realFieldType.

Definition bound_le (a b : option R) : bool :=
  match a, b with
  | _, None => true
  | None, Some _ => false
  | Some x, Some y => x <= y
  end.

Definition either_way (X : Type) (C : X -> X -> option R) (x y : X) :
  option R := if bound_le (C x y) (C y x) then C x y else C y x.

Fixpoint path_bound (X : Type) (op : R -> R -> R) (e : R)
    (C : X -> X -> option R) (x : X) (p : seq X) : option R :=
  if p is y :: q then
    if either_way C x y is Some a then
      if path_bound op e C y q is Some b then Some (op a b) else None
    else None
  else Some e.

Definition short_paths (X : finType) : seq (seq X) :=
  [seq tval t | n <- iota 0 #|X|, t <- enum {: n.-tuple X}].

Definition is_closure (X : Type) (op : R -> R -> R) (e : R)
    (C Cs : X -> X -> option R) : Prop :=
  forall x x',
    (forall p, last x p = x' -> bound_le (Cs x x') (path_bound op e C x p)) /\
    (exists2 p, last x p = x' & Cs x x' = path_bound op e C x p).

Definition bound_min (a b : option R) : option R :=
  if bound_le a b then a else b.

Definition closure (X : finType) (op : R -> R -> R) (e : R)
    (C : X -> X -> option R) (x y : X) : option R :=
  foldr bound_min None
    [seq path_bound op e C x p | p <- [seq p <- short_paths X | last x p == y]].

Definition capped (a : option R) : R :=
  if a is Some x then Num.min x 1 else 1.

Definition tv_le (e : R) (Y : finType) (P Q : law R Y) : Prop :=
  forall A : {set Y}, Pr P A - Pr Q A <= e /\ Pr Q A - Pr P A <= e.

Definition tv_below (X : Type) (Y : finType) (C : X -> X -> option R)
    (T : X -> law R Y) : Prop :=
  forall x x', if C x x' is Some e then tv_le e (T x) (T x') else True.

Lemma either_wayP (X : Type) (C : X -> X -> option R) x y :
  [/\ bound_le (either_way C x y) (C x y), bound_le (either_way C x y) (C y x)
    & either_way C x y = C x y \/ either_way C x y = C y x].
Proof.
have refl a : bound_le a a by case: a => /=.
rewrite /either_way; case: ifPn => [le_xy | /negP ge_xy].
  by split=> //; left.
split=> //; last by right.
case: (C x y) (C y x) ge_xy => [a|] [b|] //= ge_xy.
by case/orP: (le_total a b).
Qed.

(* What closes a matrix: op is a sum or a product of numbers above the unit.  *)
Section Closure.

Variables (X : Type) (op : R -> R -> R) (e : R) (C Cs : X -> X -> option R).
Hypothesis opA : forall a b c, op a (op b c) = op (op a b) c.
Hypotheses (op1 : forall a, op e a = a) (op1r : forall a, op a e = a).
Hypothesis op_ge : forall a b, e <= a -> e <= b -> e <= op a b.
Hypothesis op_le : forall a b c, e <= a -> b <= c -> op a b <= op a c.
Hypothesis C_ge : forall x y a, C x y = Some a -> e <= a.
Hypothesis closed : is_closure op e C Cs.

Lemma either_way_ge x y a : either_way C x y = Some a -> e <= a.
Proof. by have [_ _ [-> | ->]] := either_wayP C x y; apply: C_ge. Qed.

Lemma path_bound_ge x p a : path_bound op e C x p = Some a -> e <= a.
Proof.
elim: p x a => [|y p IHp] x a /=; first by case=> <-.
case E: either_way => [b|//]; case F: path_bound => [c|//] [<-].
by apply: op_ge; [apply: either_way_ge E | apply: IHp F].
Qed.

Lemma closure_ge x y a : Cs x y = Some a -> e <= a.
Proof. by have [_ [p _ ->]] := closed x y; apply: path_bound_ge. Qed.

Lemma closure_refl x : Cs x x = Some e.
Proof.
have [low [p _ eq_p]] := closed x x; have := low [::] erefl; rewrite /=.
case E: (Cs x x) => [a|//] /= le_a; congr Some; apply/eqP.
by rewrite eq_le le_a (closure_ge E).
Qed.

Lemma path_bound_rcons x p y : path_bound op e C x (rcons p y) =
  if path_bound op e C x p is Some a then
    if either_way C (last x p) y is Some b then Some (op a b) else None
  else None.
Proof.
elim: p x => [|z p IHp] x /=.
  by case: either_way => // a; rewrite op1 op1r.
rewrite IHp; case: either_way => // a; case: path_bound => // b.
by case: either_way => // c; rewrite opA.
Qed.

(* A step lengthens a bound by at most its own, in both directions.           *)
Lemma closure_step x y z c : C y z = Some c \/ C z y = Some c ->
  forall a, Cs x y = Some a -> exists2 b, Cs x z = Some b & b <= op a c.
Proof.
move=> yz a xy; have [_ [p last_p eq_p]] := closed x y.
have [low _] := closed x z; have := low (rcons p z); rewrite last_rcons.
move/(_ erefl); rewrite path_bound_rcons -eq_p xy last_p.
have [le_yz le_zy _] := either_wayP C y z.
have: bound_le (either_way C y z) (Some c) by case: yz => <-.
case: either_way => [d|//] /= le_d; case: (Cs x z) => [b|//] /= le_b.
exists b => //; apply: le_trans le_b _.
by apply: op_le => //; apply: closure_ge xy.
Qed.

(* What holds along steps, and composes, holds along the closure.             *)
Lemma closure_holds (near : R -> X -> X -> Prop) :
  (forall x, near e x x) -> (forall a x y, near a x y -> near a y x) ->
  (forall a b x y z, near a x y -> near b y z -> near (op a b) x z) ->
  (forall x y, if C x y is Some a then near a x y else True) ->
  forall x y a, Cs x y = Some a -> near a x y.
Proof.
move=> refl sym tri steps x y a; have [_ [p <- ->]] := closed x y.
elim: p x a => [|z p IHp] x a /=; first by case=> <-.
case E: either_way => [b|//]; case F: path_bound => [c|//] [<-].
apply: tri (IHp z c F); have [_ _ [way | way]] := either_wayP C x z.
  by have := steps x z; rewrite -way E.
by have := steps z x; rewrite -way E => /sym.
Qed.

End Closure.

(* On a finite domain it is the smallest bound along a path without loops.    *)
Section Finite.

Variables (X : finType) (op : R -> R -> R) (e : R) (C : X -> X -> option R).
Hypothesis op_incr : forall a b, e <= a -> e <= b -> b <= op a b.
Hypothesis op_ge : forall a b, e <= a -> e <= b -> e <= op a b.
Hypothesis op_le : forall a b c, e <= a -> b <= c -> op a b <= op a c.
Hypothesis C_ge : forall x y a, C x y = Some a -> e <= a.
Local Notation bound := (path_bound op e C).

Lemma bound_le_refl (a : option R) : bound_le a a.
Proof. by case: a => /=. Qed.

Lemma bound_le_trans (a b c : option R) :
  bound_le a b -> bound_le b c -> bound_le a c.
Proof. by case: a b c => [x|] [y|] [z|] //=; apply: le_trans. Qed.

Lemma suffix_bound z y q : z \in y :: q -> uniq (y :: q) ->
  exists2 r, last z r = last y q &
    uniq (z :: r) /\ bound_le (bound z r) (bound y q).
Proof.
elim: q y => [|w q IHq] y.
  rewrite inE => /eqP-> _.
  by exists [::] => //; split=> //; apply: bound_le_refl.
rewrite inE => /orP[/eqP-> uniq_q | z_q /andP[_ uniq_q]].
  by exists (w :: q) => //; split=> //; apply: bound_le_refl.
have [r last_r [uniq_r le_r]] := IHq w z_q uniq_q.
exists r => //; split=> //; apply: bound_le_trans le_r _ => /=.
case E: either_way => [a|]; case F: (bound w q) => [b|] //=.
by apply: op_incr; [apply: either_way_ge E | apply: path_bound_ge F].
Qed.

Lemma simple_path x p : exists2 q, last x q = last x p &
  uniq (x :: q) /\ bound_le (bound x q) (bound x p).
Proof.
elim: p x => [|y p IHp] x.
  by exists [::] => //; split=> //; apply: bound_le_refl.
have [q last_q [uniq_q le_q]] := IHp y.
have le_p : bound_le (bound x (y :: q)) (bound x (y :: p)).
  rewrite /=; case E: either_way => [a|//].
  move: le_q; case: (bound y q) => [b|]; case: (bound y p) => [c|] //=.
  by apply: op_le; apply: either_way_ge E.
have [x_q | x_q] := boolP (x \in y :: q); last first.
  by exists (y :: q) => //=; rewrite x_q.
have [r last_r [uniq_r le_r]] := suffix_bound x_q uniq_q.
exists r; first by rewrite last_r last_q.
split=> //; apply: bound_le_trans le_p; apply: bound_le_trans le_r _ => /=.
case E: either_way => [a|]; case F: (bound y q) => [b|] //=.
by apply: op_incr; [apply: either_way_ge E | apply: path_bound_ge F].
Qed.

Lemma foldr_bound_min (s : seq (option R)) :
  (forall b, b \in s -> bound_le (foldr bound_min None s) b) /\
  (foldr bound_min None s \in None :: s).
Proof.
elim: s => [|a s [IHle IHin]] //=; rewrite {1 3}/bound_min.
case: ifPn => [le_a | /negP ge_a].
  split=> [b|]; last by rewrite !inE eqxx orbT.
  by rewrite inE => /orP[/eqP->|/IHle]; [apply: bound_le_refl
    | apply: bound_le_trans].
split=> [b|]; last first.
  by move: IHin; rewrite !inE => /orP[->|->]; rewrite ?orbT.
rewrite inE => /orP[/eqP->|/IHle] //.
move: ge_a; case: (foldr _ _ _) => [c|]; case: a => [d|] //= ge_a.
by case/orP: (le_total c d).
Qed.

Lemma closureP : is_closure op e C (closure op e C).
Proof.
move=> x y; rewrite /closure; set s := [seq _ | p <- _].
have [low attained] := foldr_bound_min s.
set m := foldr _ _ _ in low attained *.
have le_m p : last x p = y -> bound_le m (bound x p).
  move=> last_p; have [q last_q [uniq_q le_q]] := simple_path x p.
  apply: bound_le_trans le_q; apply: low; apply/mapP; exists q => //.
  rewrite mem_filter last_q last_p eqxx /=.
  apply/allpairsPdep; exists (size q), (in_tuple q).
  rewrite mem_iota mem_enum; split=> //=; rewrite add0n.
  by rewrite -[_.+1]/(size (x :: q)) -(card_uniqP uniq_q) max_card.
split=> //; move: attained; rewrite inE => /orP[/eqP m_oo | /mapP[p p_s m_p]].
  exists [:: y] => //; have := le_m [:: y] erefl.
  by rewrite m_oo; case: (bound x [:: y]).
by exists p; move: p_s; rewrite // mem_filter => /andP[/eqP].
Qed.

End Finite.

(* Coins                                                                      *)

Lemma bern_near (c p q : R) p01 q01 : 1 <= c -> p <= 2%:R^-1 -> q <= 2%:R^-1 ->
  p <= c * q -> q <= c * p -> mult_le c (bern p p01) (bern q q01).
Proof.
move=> c_ge1.
suff half (u v : R) : 0 <= u -> 0 <= v -> u <= 2%:R^-1 -> v <= 2%:R^-1 ->
    u <= c * v -> v <= c * u -> 1 - u <= c * (1 - v).
  move=> p_le q_le le_p le_q; apply/mult_leP=> b; rewrite !bernE.
  have [/andP[p_ge0 _] /andP[q_ge0 _]] := (p01, q01).
  by case: b => //; split; apply: half.
move=> u_ge0 v_ge0 u_le v_le le_u le_v.
have two : 2%:R^-1 + 2%:R^-1 = 1 :> R by field; rewrite ?pnatr_eq0.
have v1_ge0 : 0 <= 1 - v.
  rewrite subr_ge0 (le_trans v_le) // -[X in _ <= X]two.
  by rewrite ler_addl invr_ge0 ler0n.
have [le_vu | lt_uv] := leP v u.
  apply: le_trans (ler_pemull v1_ge0 c_ge1).
  by rewrite ler_add2l ler_opp2.
have u_gt0 : 0 < u.
  rewrite lt_def u_ge0 andbT; apply: contraTneq lt_uv => u0.
  by move: le_v; rewrite u0 mulr0 -leNgt.
rewrite -(ler_pmul2l u_gt0); apply: le_trans (_ : v * (1 - v) <= _).
  rewrite -subr_ge0 (_ : _ - _ = (v - u) * (1 - (u + v))); last by ring.
  rewrite mulr_ge0 ?subr_ge0 ?(ltW lt_uv) // -[X in _ <= X]two.
  exact: ler_add.
by rewrite mulrA [u * c]mulrC ler_wpmul2r.
Qed.

Lemma mult_below_closure X (C Cs : X -> X -> option R) Y (T : X -> law R Y) :
  (forall x y a, C x y = Some a -> 1 <= a) -> is_closure *%R 1 C Cs ->
  pure_below C T -> pure_below Cs T.
Proof.
move=> C_ge closed le_T x y; case E: (Cs x y) => [a|//].
apply: (closure_holds closed (near := fun a x y => mult_le a (T x) (T y)))
  E => // [z | b z z' | b c z z' z''].
- exact: mult_le_refl.
- exact: mult_le_sym.
exact: mult_le_triangle.
Qed.

Theorem mult_closure_decides (X : finType) (C C' : X -> X -> option R) :
  (forall x y a, C x y = Some a -> 1 <= a) ->
  (forall Y (T : X -> law R Y), pure_below C T -> pure_below C' T) <->
  (forall x y, bound_le (closure *%R 1 C x y) (C' x y)).
Proof.
move=> C_ge; set Cs := closure _ _ _.
have op_incr (a b : R) : 1 <= a -> 1 <= b -> b <= a * b.
  by move=> a_ge1 b_ge1; rewrite ler_pemull // (le_trans ler01).
have op_ge (a b : R) : 1 <= a -> 1 <= b -> 1 <= a * b.
  by move=> a_ge1 b_ge1; apply: le_trans b_ge1 (op_incr a b a_ge1 b_ge1).
have op_le (a b c : R) : 1 <= a -> b <= c -> a * b <= a * c.
  by move=> a_ge1; apply: ler_wpmul2l; apply: le_trans ler01 a_ge1.
have closed : is_closure *%R 1 C Cs := closureP op_incr op_ge op_le C_ge.
split=> [stronger x y | le_Cs Y T].
  have Cs_ge := closure_ge op_ge C_ge closed.
  have step := closure_step (@mulrA R) (@mul1r R) (@mulr1 R) op_ge op_le C_ge
    closed (x := x).
  have half_ge0 : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
  pose mass z : R := if Cs x z is Some a then 2%:R^-1 / a else 0.
  have mass_ge0 z : 0 <= mass z.
    rewrite /mass; case E: (Cs x z) => [a|//].
    by rewrite divr_ge0 // (le_trans ler01 (Cs_ge _ _ _ E)).
  have mass_le z : mass z <= 2%:R^-1.
    rewrite /mass; case E: (Cs x z) => [a|//].
    by rewrite ler_pimulr // invf_le1 ?(Cs_ge _ _ _ E) //
      (lt_le_trans ltr01 (Cs_ge _ _ _ E)).
  have mass01 z : 0 <= mass z <= 1.
    rewrite mass_ge0 (le_trans (mass_le z)) // invf_le1 ?ltr0n //.
    by rewrite (ler_nat R 1 2).
  pose coin z := bern (mass z) (mass01 z).
  have mass_step z z' c : C z z' = Some c \/ C z' z = Some c ->
      mass z <= c * mass z'.
    move=> zz'; have c_ge1 : 1 <= c by case: zz'; apply: C_ge.
    have c_ge0 := le_trans ler01 c_ge1.
    rewrite {1}/mass; case E: (Cs x z) => [a|]; last by rewrite mulr_ge0.
    have [b eq_b le_b] := step z z' c zz' a E; rewrite /mass eq_b.
    have a_gt0 := lt_le_trans ltr01 (Cs_ge _ _ _ E).
    have b_gt0 := lt_le_trans ltr01 (Cs_ge _ _ _ eq_b).
    rewrite ler_pdivr_mulr // mulrCA -mulrA ler_pemulr //.
    by rewrite mulrAC ler_pdivl_mulr // mul1r mulrC.
  have below : pure_below C coin.
    move=> z z'; case E: (C z z') => [c|//].
    by apply: bern_near (C_ge _ _ _ E) (mass_le z) (mass_le z') _ _;
      apply: mass_step; [left | right].
  have := stronger _ coin below x y; case E: (C' x y) => [c|]; last first.
    by case: (Cs x y).
  move=> /mult_leP/(_ true)[]; rewrite !bernE.
  have -> : mass x = 2%:R^-1.
    by rewrite /mass (closure_refl op_ge C_ge closed) divr1.
  have half_gt0 : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
  rewrite /mass; case F: (Cs x y) => [a|]; last first.
    by rewrite mulr0 leNgt half_gt0.
  have a_gt0 := lt_le_trans ltr01 (Cs_ge _ _ _ F).
  by rewrite mulrCA ler_pmulr // ler_pdivl_mulr // mul1r.
move=> /(mult_below_closure C_ge closed) below x y.
have := below x y; have := le_Cs x y.
case: (C' x y) => [c|//]; case: (Cs x y) => [a|//] /=.
exact: mult_le_weaken.
Qed.

Lemma tv_le_one Y (P Q : law R Y) : tv_le 1 P Q.
Proof.
by move=> A; rewrite !ler_subl_addr; split;
  rewrite ler_paddr ?Pr_ge0 // Pr_le1.
Qed.

Lemma bern_tv (e p q : R) p01 q01 : p - q <= e -> q - p <= e ->
  tv_le e (bern p p01) (bern q q01).
Proof.
move=> le_pq le_qp.
have e_ge0 : 0 <= e.
  by have [le | /ltW le] := leP p q;
    [apply: le_trans le_qp | apply: le_trans le_pq]; rewrite subr_ge0.
have PrE' (u : R) u01 A : Pr (bern u u01) A =
    (true \in A)%:R * u + (false \in A)%:R * (1 - u).
  rewrite PrE big_bool !bernE mulrC; congr (_ + _); exact: mulrC.
have other (u v : R) : 1 - u - (1 - v) = v - u by ring.
move=> A; rewrite !PrE'; case: (true \in A); case: (false \in A);
  rewrite ?(mul1r, mul0r, addr0, add0r).
- by rewrite ![_ + (1 - _)]addrC !subrK subrr.
- by [].
- by rewrite !other.
by rewrite oppr0.
Qed.

Theorem tv_closure_decides (X : finType) (C C' : X -> X -> option R) :
  (forall x y a, C x y = Some a -> 0 <= a) ->
  (forall Y (T : X -> law R Y), tv_below C T -> tv_below C' T) <->
  (forall x y, capped (closure +%R 0 C x y) <= capped (C' x y)).
Proof.
move=> C_ge; set Cs := closure _ _ _.
have op_incr (a b : R) : 0 <= a -> 0 <= b -> b <= a + b by rewrite ler_addr.
have op_ge (a b : R) : 0 <= a -> 0 <= b -> 0 <= a + b by apply: addr_ge0.
have op_le (a b c : R) : 0 <= a -> b <= c -> a + b <= a + c.
  by rewrite ler_add2l.
have closed : is_closure +%R 0 C Cs := closureP op_incr op_ge op_le C_ge.
split=> [stronger x y | le_Cs Y T below x y].
  have Cs_ge := closure_ge op_ge C_ge closed.
  have step := closure_step (@addrA R) (@add0r R) (@addr0 R) op_ge op_le C_ge
    closed (x := x).
  pose mass z := capped (Cs x z).
  have mass01 z : 0 <= mass z <= 1.
    rewrite /mass; case E: (Cs x z) => [a|] /=; last by rewrite ler01 lexx.
    by rewrite le_minr le_minl (Cs_ge _ _ _ E) ler01 lexx orbT.
  pose coin z := bern (mass z) (mass01 z).
  have mass_step z z' c : C z z' = Some c \/ C z' z = Some c ->
      mass z' - mass z <= c.
    move=> zz'; have c_ge0 : 0 <= c by case: zz'; apply: C_ge.
    have /andP[_ le1] := mass01 z'; rewrite ler_subl_addr {2}/mass.
    case E: (Cs x z) => [a|] /=; last by rewrite ler_paddl.
    have [b eq_b le_b] := step z z' c zz' a E.
    have [le_a | lt_a] := leP a 1; last by rewrite ler_paddl.
    by rewrite /mass eq_b /= le_minl addrC le_b.
  have below : tv_below C coin.
    move=> z z'; case E: (C z z') => [c|//].
    by apply: bern_tv; apply: mass_step; [right | left].
  have := stronger _ coin below x y; case E: (C' x y) => [c|]; last first.
    by have /andP[] := mass01 y.
  move=> /(_ [set true])[_]; rewrite !Pr1 !bernE.
  have -> : mass x = 0.
    rewrite /mass (closure_refl op_ge C_ge closed) /=.
    by apply/eqP; rewrite eq_le le_minl le_minr lexx ler01.
  rewrite subr0 -/(mass y) /= le_minr => ->.
  by have /andP[] := mass01 y.
have near : tv_le (capped (Cs x y)) (T x) (T y).
  case E: (Cs x y) => [a|] /=; last exact: tv_le_one.
  have [_ | _] := leP a 1; last exact: tv_le_one.
  apply: (closure_holds closed
    (near := fun a x y => tv_le a (T x) (T y))) E => //
    [z A | b z z' le_b A | b c z z' z'' le_b le_c A].
  - by rewrite subrr.
  - by have [] := le_b A.
  have [b1 b2] := le_b A; have [c1 c2] := le_c A.
  split; first by have := ler_add b1 c1; rewrite addrA subrK.
  by have := ler_add c2 b2; rewrite addrA subrK [c + b]addrC.
have := le_Cs x y; case: (C' x y) => [c|//] /=.
rewrite le_minr => /andP[le_c _].
by move=> A; have [l1 l2] := near A; split; apply: le_trans le_c.
Qed.

End Bounds.

(* Two data sets with the bound 0                                             *)
Lemma constant_ge (R : realFieldType) (e : R) (x y : bool) a :
  Some e = Some a -> e <= a.
Proof. by case=> <-. Qed.

Definition mult_closure_decides_instance :=
  @mult_closure_decides rat_realFieldType bool_finType _ (fun _ _ => None)
    (@constant_ge _ 1).
Definition tv_closure_decides_instance :=
  @tv_closure_decides rat_realFieldType bool_finType _ (fun _ _ => None)
    (@constant_ge _ 0).
