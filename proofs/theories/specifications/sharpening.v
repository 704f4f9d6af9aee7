From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat extended specification.

(******************************************************************************)
(* The sharpening of an input premetric: the length of a shortest path        *)
(* (dissertation Definition A.4.1), and when it leaves a specification as it  *)
(* is. The output premetric is general.                                       *)
(*                                                                            *)
(*   length d x p == the sum of d along the path that starts at x and goes    *)
(*             through the elements of p : seq X                              *)
(*   is_sharpening d ds == ds x x' is the infimum of the lengths of the paths *)
(*             from x to x'                                                   *)
(*   neighbor_premetric r == d_r of (A.2): 0 on the diagonal, 1 between       *)
(*             neighbours, oo elsewhere                                       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   sharpening_stronger == M(ds) is inside M(d), for every output premetric  *)
(*   sharpening_triangular == M(d) = M(ds) if D is triangular                 *)
(*   sharpening_iff_triangular == over all domains and all weighted d, if and *)
(*            only if D is triangular                                         *)
(*   matrix_closure == the same for the matrix of a specification             *)
(*   neighbor_sharpening_iff == over all domains and all neighbour relations, *)
(*            if and only if D along n steps is at most n times the largest   *)
(*   sharpening_metric_refuted == "only if D is a metric", as printed, fails: *)
(*            D = 0 is no metric, yet M(d_r) = M(its sharpening)              *)
(*   sharpening_triangle_refuted == it fails even for a symmetric D that      *)
(*            separates the laws                                              *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Fixpoint length (R : realFieldType) (X : Type) (d : premetric R X) (x : X)
    (p : seq X) : ext R :=
  if p is y :: q then d x y +e length d y q else 0e.

Definition is_sharpening (R : realFieldType) (X : Type)
    (d ds : premetric R X) : Prop :=
  forall x x',
    is_inf (fun a => exists2 p, last x p = x' & a = length d x p) (ds x x').

Definition neighbor_premetric (R : realFieldType) (X : eqType) (r : rel X) :
  premetric R X := of_matrix (fun x x' => if r x x' then 1e else oo).

Arguments neighbor_premetric R {X} r.

Section Sharpening.

Variables (R : realFieldType) (X L : Type) (d ds : premetric R X).
Variables (D : premetric R L) (e : ext R) (T : X -> L).

Lemma sharpening_le x x' : is_sharpening d ds -> ds x x' <=e d x x'.
Proof.
move=> sharp; have [low _] := sharp x x'; apply: low.
by exists [:: x'] => //=; rewrite adde0.
Qed.

Theorem sharpening_stronger :
  is_sharpening d ds ->
  satisfies (everything X) ds D (fun _ => e) T ->
  satisfies (everything X) d D (fun _ => e) T.
Proof.
by move=> sharp; apply: finer_premetric_stronger => x x'; apply: sharpening_le.
Qed.

Lemma satisfies_path x p :
  triangular D -> satisfies (everything X) d D (fun _ => e) T ->
  D (T x) (T (last x p)) <=e e *e length d x p.
Proof.
move=> triD sat; elim: p x => [|y p IHp] x /=; first by rewrite dist_refl le0e.
apply: lee_trans (triD _ (T y) _) _; rewrite mule_addr.
by apply: lee_add (IHp y); apply: (sat tt).
Qed.

Theorem sharpening_triangular :
  triangular D -> is_sharpening d ds ->
  satisfies (everything X) d D (fun _ => e) T <->
  satisfies (everything X) ds D (fun _ => e) T.
Proof.
move=> triD sharp; split; last exact: sharpening_stronger.
move=> sat _ x x' _ _; rewrite muleC; apply: le_inf_mul (sharp x x') _.
by move=> _ [p <- ->]; rewrite muleC; apply: satisfies_path.
Qed.

(* A way to recognise the sharpening.                                         *)
Lemma is_sharpeningP :
  (forall x y z, ds x z <=e d x y +e ds y z) ->
  (forall x y, exists2 p, last x p = y & ds x y = length d x p) ->
  is_sharpening d ds.
Proof.
move=> low attained x x'; split=> [_ [p <- ->] | b low_b].
  elim: p x => [|y p IHp] x /=; first by rewrite dist_refl leexx.
  by apply: lee_trans (low x y _) (lee_add (leexx _) (IHp y)).
by have [p eq_p ->] := attained x x'; apply: low_b; exists p.
Qed.

End Sharpening.

(* For a triangular D a specification says as much as the closure of its      *)
(* matrix under shortest paths.                                               *)
Theorem matrix_closure (R : realFieldType) (X : eqType) (L : Type)
    (C : X -> X -> ext R) (Cs : premetric R X) (D : premetric R L)
    (T : X -> L) :
  triangular D -> is_sharpening (of_matrix C) Cs ->
  below C D T <-> below Cs D T.
Proof.
move=> triD sharp; apply: iff_trans (iff_sym (matrix_specification _ _ _)) _.
apply: iff_trans (sharpening_triangular _ _ triD sharp) _.
split=> [sat x x' | le_T i x x' _ _]; last by rewrite mul1e.
by have := sat tt x x' Logic.I Logic.I; rewrite mul1e.
Qed.

(* Over all domains and weighted premetrics: exactly the triangle inequality. *)
Section Characterization.

Variables (R : realFieldType) (L : Type) (D : premetric R L).

Section ThreePoints.

Variables a b : ext R.

Definition two_steps (x x' : 'I_3) : ext R :=
  if (x == 0%N :> nat) && (x' == 1%N :> nat) then a
  else if (x == 1%N :> nat) && (x' == 2%N :> nat) then b else oo.

Definition two_steps_closed (x x' : 'I_3) : ext R :=
  if (x == 0%N :> nat) && (x' == 2%N :> nat) then a +e b else two_steps x x'.

Lemma two_steps_sharpening :
  is_sharpening (of_matrix two_steps) (of_matrix two_steps_closed).
Proof.
pose mid : 'I_3 := inord 1.
apply: is_sharpeningP => [x y z | x y] /=; rewrite /off_diagonal.
  have [<- | x_y] := eqVneq x y; first by rewrite add0e leexx.
  have [-> | x_z] := eqVneq x z; first exact: le0e.
  have [<- | y_z] := eqVneq y z.
    rewrite adde0 /two_steps_closed.
    case: ifP => [/andP[/eqP x0 /eqP y2] | _]; last exact: leexx.
    by rewrite /two_steps x0 y2 leoo.
  rewrite /two_steps_closed /two_steps.
  case: x y z x_y x_z y_z => [[|[|[|//]]] ?] [[|[|[|//]]] ?] [[|[|[|//]]] ?];
    by rewrite -?val_eqE //= ?leexx ?leoo ?adde_oo.
have [<- | x_y] := eqVneq x y; first by exists [::].
have [/andP[/eqP x0 /eqP y2] | not02] :=
    boolP ((x == 0%N :> nat) && (y == 2%N :> nat)).
  exists [:: mid; y] => //=; rewrite /off_diagonal adde0 /two_steps_closed.
  by rewrite /two_steps -!val_eqE /= x0 y2 inordK.
exists [:: y] => //=; rewrite /off_diagonal adde0 (negbTE x_y).
by rewrite /two_steps_closed (negbTE not02).
Qed.

End ThreePoints.

Theorem sharpening_iff_triangular :
  (forall (X : Type) (d ds : premetric R X) (e : ext R) (T : X -> L),
     is_sharpening d ds ->
     satisfies (everything X) d D (fun _ => e) T <->
     satisfies (everything X) ds D (fun _ => e) T) <->
  triangular D.
Proof.
split=> [sharpen P Q S | triD X d ds e T]; last exact: sharpening_triangular.
pose T (x : 'I_3) := nth P [:: P; Q; S] x.
have := sharpen _ _ _ 1e T (two_steps_sharpening (D P Q) (D Q S)).
case=> + _; have sat : satisfies (everything 'I_3)
    (of_matrix (two_steps (D P Q) (D Q S))) D (fun _ => 1e) T.
  move=> _ x x' _ _; rewrite mul1e /= /off_diagonal.
  have [-> | _] := eqVneq x x'; first by rewrite dist_refl le0e.
  rewrite /two_steps /T; case: x x' => [[|[|[|//]]] ?] [[|[|[|//]]] ?] //=;
    by rewrite ?leoo ?leexx.
move=> /(_ sat tt (inord 0) (inord 2) Logic.I Logic.I); rewrite mul1e /=.
by rewrite /off_diagonal -val_eqE /two_steps_closed /T /= !inordK.
Qed.

(* Over all domains and neighbour relations: a weaker inequality.             *)
Definition line (x x' : nat) : bool := x' == x.+1.

Definition line_distance (x x' : nat) : ext R :=
  if (x <= x')%N then natx (x' - x) else oo.

Lemma line_distance_refl x : line_distance x x = 0e.
Proof. by rewrite /line_distance leqnn subnn. Qed.

Lemma line_sharpening :
  is_sharpening (neighbor_premetric R line) (Premetric line_distance_refl).
Proof.
apply: is_sharpeningP => [x y z | x y] /=; rewrite /off_diagonal.
  have [<- | x_y] := eqVneq x y; first by rewrite add0e leexx.
  rewrite /line; have [-> | _] := eqVneq y x.+1; last exact: leoo.
  rewrite /line_distance; case: (leqP x.+1 z) => [lt_xz | _].
    rewrite (ltnW lt_xz) -natxD addnC addn1 -subSn // subSS.
    exact: leexx.
  by rewrite adde_oo leoo.
rewrite /line_distance; case: leqP => [le_xy | lt_yx]; last first.
  exists [:: y] => //=; rewrite /off_diagonal gtn_eqF // /line adde0.
  by rewrite ltn_eqF // ltnW.
have path_line n z : last z (iota z.+1 n) = (z + n)%N /\
    natx n = length (neighbor_premetric R line) z (iota z.+1 n).
  elim: n z => [|n IHn] z /=; first by rewrite addn0.
  have [-> <-] := IHn z.+1; rewrite /off_diagonal ltn_eqF // /line eqxx.
  by rewrite addnS addSn -natxD.
have [last_p len_p] := path_line (y - x)%N x.
by exists (iota x.+1 (y - x)); rewrite ?last_p ?subnKC.
Qed.

Lemma neighbor_walk (X : eqType) (r : rel X) (e : ext R) (T : X -> L) :
  satisfies (everything X) (neighbor_premetric R r) D (fun _ => e) T <->
  forall x x', r x x' -> D (T x) (T x') <=e e.
Proof.
split=> [sat x x' xx' | le_r _ x x' _ _ /=].
  have := sat tt x x' Logic.I Logic.I; rewrite /= /off_diagonal xx'.
  by case: eqVneq => [-> _|_]; rewrite ?dist_refl ?le0e ?mule1.
rewrite /off_diagonal; case: eqVneq => [->|_]; first by rewrite dist_refl le0e.
by case: ifP => [/le_r|_]; rewrite ?mule1 // mule_oo leoo.
Qed.

Lemma adde_neqoo (a b : ext R) : a +e b != oo -> a != oo /\ b != oo.
Proof. by case: a b => [a|] [b|]. Qed.

Lemma length_cons (X : Type) (d : premetric R X) x y p :
  length d x (y :: p) = d x y +e length d y p.
Proof. by []. Qed.

(* A path of finite length makes as many steps between neighbours.            *)
Lemma neighbor_path (X : eqType) (r : rel X) x p :
  length (neighbor_premetric R r) x p != oo ->
  exists2 q, path r x q && (last x q == last x p) &
             natx (size q) <=e length (neighbor_premetric R r) x p.
Proof.
elim: p x => [|y p IHp] x; first by exists [::]; rewrite ?eqxx ?leexx.
rewrite length_cons => /adde_neqoo[]; rewrite [dist _ _ _]/= /off_diagonal.
have [-> _ /IHp[q r_q le_q] | x_y] := eqVneq x y.
  by exists q; rewrite ?add0e.
case: ifP => // xy _ /IHp[q /andP[r_q last_q] le_q].
exists (y :: q); first by rewrite /= xy r_q last_q.
by rewrite -[size _]/(1 + size q)%N natxD; apply: lee_add le_q; apply: leexx.
Qed.

Theorem neighbor_sharpening_iff :
  (forall (X : eqType) (r : rel X) (ds : premetric R X) (e : ext R)
          (T : X -> L),
     is_sharpening (neighbor_premetric R r) ds ->
     satisfies (everything X) (neighbor_premetric R r) D (fun _ => e) T <->
     satisfies (everything X) ds D (fun _ => e) T) <->
  (forall (P : nat -> L) (e : ext R) n,
     (forall m, D (P m) (P m.+1) <=e e) -> D (P 0%N) (P n) <=e e *e natx n).
Proof.
split=> [sharpen P e n le_P | chain X r ds e T sharp].
  have := sharpen _ _ _ e P line_sharpening; case=> + _.
  have sat : satisfies (everything nat) (neighbor_premetric R line) D
      (fun _ => e) P.
    by apply/neighbor_walk => x _ /eqP ->; apply: le_P.
  move=> /(_ sat tt 0%N n Logic.I Logic.I) /=.
  by rewrite /line_distance leq0n subn0.
split; last exact: sharpening_stronger.
move=> /neighbor_walk le_r _ x x' _ _; rewrite muleC.
apply: le_inf_mul (sharp x x') _ => _ [p <- ->]; rewrite muleC.
have [-> | len_fin] := eqVneq (length (neighbor_premetric R r) x p) oo.
  by rewrite mule_oo leoo.
have [q /andP[/(pathP (last x p)) r_q /eqP last_q] le_q] :=
  neighbor_path len_fin.
apply: lee_trans (lee_mul2l e le_q); pose w := nth (last x p) (x :: q).
have w_end m : (size q <= m)%N -> w m = last x p.
  rewrite leq_eqVlt => /orP[/eqP<-|lt_m]; last by rewrite /w nth_default.
  by rewrite /w -last_nth.
have := chain (T \o w) e (size q); rewrite /= (w_end (size q)) //; apply=> m.
have [lt_m | le_m] := ltnP m (size q); first exact: le_r (r_q m lt_m).
by rewrite !w_end ?dist_refl ?le0e // ltnW.
Qed.

End Characterization.

(* "Only if D is a metric" (after Definition A.4.1) asks for too much.        *)
Section NotAMetric.

Variable R : realFieldType.

Definition zero_distance : premetric R bool :=
  of_matrix (fun _ _ => 0e).

Theorem sharpening_metric_refuted :
  ~ (forall (L : Type) (D : premetric R L),
       (forall (X : eqType) (r : rel X) (ds : premetric R X) (e : ext R)
               (T : X -> L),
          is_sharpening (neighbor_premetric R r) ds ->
          satisfies (everything X) (neighbor_premetric R r) D (fun _ => e) T <->
          satisfies (everything X) ds D (fun _ => e) T) ->
       is_metric D).
Proof.
have zero b b' : zero_distance b b' = 0e by rewrite /= /off_diagonal if_same.
move=> /(_ _ zero_distance) metric; have: is_metric zero_distance.
  apply: metric => X r ds e T _.
  by split=> _ i x x' _ _; rewrite zero le0e.
by case=> _ sep _; have := sep true false (zero true false).
Qed.

(* Three laws at distances 1, 2 and 4.                                        *)
Definition one_two_four (P Q : 'I_3) : ext R :=
  match (P + Q)%N with 1 => 1e | 2 => natx 4 | _ => natx 2 end.

Definition one_two_four_distance : premetric R [eqType of 'I_3] :=
  of_matrix one_two_four.

Lemma one_two_four_le4 P Q : one_two_four_distance P Q <=e natx 4.
Proof.
rewrite /= /off_diagonal; case: eqVneq => [_|_]; first exact: le0e.
rewrite /one_two_four; case: (P + Q)%N => [|[|[|k]]] /=;
  by rewrite ler_nat.
Qed.

Lemma one_two_four_ge1 P Q :
  ~~ (1e <=e one_two_four_distance P Q) -> P = Q.
Proof.
rewrite [dist _ _ _]/= /off_diagonal; case: eqVneq => // _.
by rewrite /one_two_four; case: (P + Q)%N => [|[|[|k]]] /=; rewrite ler_nat.
Qed.

Lemma one_two_four_ge2 (P Q : 'I_3) :
  ~~ (natx 2 <=e one_two_four_distance P Q) ->
  (P == 2%N :> nat) = (Q == 2%N :> nat).
Proof.
rewrite [dist _ _ _]/= /off_diagonal; case: (eqVneq P Q) => [->//|].
rewrite /one_two_four -val_eqE.
by case: P Q => [[|[|[|//]]] ?] [[|[|[|//]]] ?] //=; rewrite ler_nat.
Qed.

Lemma one_two_four_le1 (P Q : 'I_3) :
  (P == 2%N :> nat) = (Q == 2%N :> nat) ->
  one_two_four_distance P Q <=e 1e.
Proof.
rewrite [dist _ _ _]/= /off_diagonal.
case: (eqVneq P Q) => [_ _|]; first exact: le0e.
rewrite /one_two_four -val_eqE.
by case: P Q => [[|[|[|//]]] ?] [[|[|[|//]]] ?] //= _ _; rewrite lexx.
Qed.

Lemma one_two_four_chain (P : nat -> 'I_3) (e : ext R) n :
  (forall m, one_two_four_distance (P m) (P m.+1) <=e e) ->
  one_two_four_distance (P 0%N) (P n) <=e e *e natx n.
Proof.
move=> le_P; case: n => [|n]; first by rewrite dist_refl le0e.
have [le2e | not_le2e] := boolP (natx 2 <=e e).
  case: n => [|n]; first by rewrite mule1.
  apply: lee_trans (one_two_four_le4 _ _) _.
  apply: (@lee_trans _ (natx 2 *e natx 2)).
    by rewrite /= -natrM lexx.
  apply: lee_trans (lee_mul2r _ le2e) (lee_mul2l _ _).
  by rewrite lee_nat.
have same2 m : (P 0%N == 2%N :> nat) = (P m == 2%N :> nat).
  elim: m => // m ->; apply: one_two_four_ge2.
  by apply: contra not_le2e => /lee_trans; apply.
have [le1e | not_le1e] := boolP (1e <=e e).
  apply: lee_trans (one_two_four_le1 (same2 n.+1)) _; rewrite -[1e]mule1.
  apply: lee_trans (lee_mul2r _ le1e) (lee_mul2l _ _).
  by rewrite lee_nat.
suffices <- : P 0%N = P n.+1 by rewrite dist_refl le0e.
elim: n.+1 => // m ->; apply: one_two_four_ge1.
by apply: contra not_le1e => /lee_trans; apply.
Qed.

Theorem sharpening_triangle_refuted :
  exists (L : Type) (D : premetric R L),
    [/\ symmetric_dist D, separated D,
        (forall (X : eqType) (r : rel X) (ds : premetric R X) (e : ext R)
                (T : X -> L),
           is_sharpening (neighbor_premetric R r) ds ->
           satisfies (everything X) (neighbor_premetric R r) D (fun _ => e) T
           <-> satisfies (everything X) ds D (fun _ => e) T) &
        ~ triangular D].
Proof.
exists [eqType of 'I_3], one_two_four_distance; split.
- by move=> P Q; rewrite /= /off_diagonal eq_sym /one_two_four addnC.
- move=> P Q dist0; apply: one_two_four_ge1; rewrite dist0 lee_nat.
  by [].
- by apply/neighbor_sharpening_iff => P e n; apply: one_two_four_chain.
move=> /(_ (inord 0) (inord 1) (inord 2)).
rewrite /= /off_diagonal -!val_eqE /= /one_two_four /= !inordK //=.
by rewrite -natrD ler_nat.
Qed.

End NotAMetric.
