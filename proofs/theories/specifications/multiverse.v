From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import extended specification invariants.

(******************************************************************************)
(* The input premetric can carry the multiverse, and the multiverse what the  *)
(* input premetric keeps apart (dissertation Appendices A.3 and A.4).         *)
(*                                                                            *)
(*   together U x x' == a universe holds both                                 *)
(*   pair_universe p == the universe {p.1, p.2}                               *)
(*   near_pairs d, connected_pairs U d == the pairs at a finite distance, and *)
(*            those in one component: families of universes                   *)
(*   component_meet U d == the family of the meets of a universe with a       *)
(*            component                                                       *)
(*   invariant_premetric c d == d, and oo where the invariants c differ       *)
(*   meet u v == the universe of the points of both u and v                   *)
(*   meets U V == the family of the non-empty meets of a universe of U with   *)
(*            one of V                                                        *)
(*   linked d x == the class [x] of the symmetric and transitive closure of   *)
(*            the relation d x x' < oo: the multiverse D_c of A.3.3           *)
(*   budgets_above U V eps j == the budgets of the universes of U around V j  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   multiverse_in_premetric == dissertation Proposition A.3.1                *)
(*   vacuous_multiverse == where any two data sets at a finite distance share *)
(*            a universe, the multiverse may be left out                      *)
(*   invariants_in_premetric == invariants through d or through the multiverse*)
(*            are the same (article section 2.2)                              *)
(*   implicit_condition == (A.1): universes that overlap imply more           *)
(*   disjoint_no_implicit == universes that do not overlap, and a triangular  *)
(*            d, imply no more (after (A.1))                                  *)
(*   near_pairs_suffice == Proposition A.3.2, constant budget                 *)
(*   meets_self == Proposition A.3.2, "more generally", as printed            *)
(*   meets_near_pairs == the same with D in place of D_0, as its proof has it *)
(*   linked_classes == Proposition A.3.3, constant budget                     *)
(*   meets_linked == Proposition A.3.3, "more generally", with the infimum    *)
(*   meets_linked_budget_refuted == the same with the budget of D_0           *)
(*   meets_linked_changes == Proposition A.3.3, the last part                 *)
(*   meets_linked_changes_iff_refuted == the converse that its proof states   *)
(*   component_meets, component_meets_inf == Proposition A.4.2, i = 1         *)
(*   connected_pairs_refuted == Proposition A.4.2, i = 2, constant budget     *)
(*   connected_pairs_inf == Proposition A.4.2, i = 2, with the infimum        *)
(*   no_universe_premetric_refuted == the last premetric of Appendix A.4 is   *)
(*            no premetric where a data set lies in no universe               *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition pair_universe (X : Type) (p : X * X) : X -> Prop :=
  fun x => x = p.1 \/ x = p.2.

Definition meet (X : Type) (u v : X -> Prop) : X -> Prop :=
  fun x => u x /\ v x.

Definition meets_index (X I J : Type) (U : I -> X -> Prop)
    (V : J -> X -> Prop) : Type :=
  {p : I * J | exists x, meet (U p.1) (V p.2) x}.

Definition meets (X I J : Type) (U : I -> X -> Prop) (V : J -> X -> Prop) :
  meets_index U V -> X -> Prop :=
  fun p => meet (U (sval p).1) (V (sval p).2).

Arguments meets {X I J} U V p x.

Section Premetric.

Variables (R : realFieldType) (X : Type) (d : premetric R X).

Definition near_index : Type := {p : X * X | d p.1 p.2 != oo}.

Definition near_pairs (p : near_index) : X -> Prop := pair_universe (sval p).

Inductive linked (x : X) : X -> Prop :=
  | linked_refl : linked x x
  | linked_to y z : linked x y -> d y z != oo -> linked x z
  | linked_from y z : linked x y -> d z y != oo -> linked x z.

End Premetric.

Arguments near_pairs {R X} d p x.

(* The universes of A.4.2, with the components of Definition A.1.1.           *)
Section ConnectedUniverses.

Variables (R : realFieldType) (X I : Type).
Variables (U : I -> X -> Prop) (d : premetric R X).

Definition component_meet (p : I * X) : X -> Prop :=
  meet (U p.1) (connected U d p.2).

Definition connected_index : Type := {p : X * X | connected U d p.1 p.2}.

Definition connected_pairs (p : connected_index) : X -> Prop :=
  pair_universe (sval p).

End ConnectedUniverses.

Arguments connected_pairs {R X I} U d p x.

Section Multiverse.

Variables (R : realFieldType) (X L I : Type).
Variables (U : I -> X -> Prop) (d : premetric R X) (D : premetric R L).
Variables (T : X -> L).
Implicit Types (e : ext R) (eps : I -> ext R).

Definition together (x x' : X) : Prop := exists2 i, U i x & U i x'.

Theorem multiverse_in_premetric (d' : premetric R X) e :
  (forall x x', x <> x' -> together x x' -> d' x x' = d x x') ->
  (forall x x', x <> x' -> ~ together x x' -> d' x x' = oo) ->
  satisfies U d D (fun _ => e) T <->
  satisfies (everything X) d' D (fun _ => e) T.
Proof.
move=> d_together d_apart; split=> sat.
  move=> _ x x' _ _; apply: lee_stable => not_le.
  have x_x' : x <> x'.
    by move=> eq_x; apply: not_le; rewrite eq_x dist_refl le0e.
  apply: (not_le); rewrite d_apart ?mule_oo ?leoo // => xx'.
  apply: not_le; rewrite d_together //; case: xx' => i xU x'U.
  exact: sat xU x'U.
move=> i x x' xU x'U; apply: lee_stable => not_le.
have x_x' : x <> x'.
  by move=> eq_x; apply: not_le; rewrite eq_x dist_refl le0e.
by apply: not_le; rewrite -d_together //; [apply: (sat tt) | exists i].
Qed.

Theorem vacuous_multiverse e :
  (forall x x', x <> x' -> d x x' <> oo \/ d x' x <> oo -> together x x') ->
  satisfies U d D (fun _ => e) T <->
  satisfies (everything X) d D (fun _ => e) T.
Proof.
move=> vacuous; apply: multiverse_in_premetric => // x x' x_x' apart.
by apply/eqP/negPn/negP=> /eqP d_fin; apply/apart/vacuous; last left.
Qed.

Theorem implicit_condition eps i j x y z :
  triangular D -> d x z = d x y +e d y z ->
  U i x -> U i y -> U j y -> U j z -> satisfies U d D eps T ->
  forall e, eps i <=e e -> eps j <=e e -> D (T x) (T z) <=e e *e d x z.
Proof.
move=> triD between xU yU yV zV sat e le_i le_j.
apply: lee_trans (triD _ (T y) _) _; rewrite between mule_addr.
by apply: lee_add; [apply: lee_trans (sat i x y xU yU) (lee_mul2r _ le_i)
                   | apply: lee_trans (sat j y z yV zV) (lee_mul2r _ le_j)].
Qed.

Theorem disjoint_no_implicit eps (C : X -> X -> ext R) :
  (forall i j x, U i x -> U j x -> i = j) -> triangular d ->
  is_constraint_matrix U d eps C ->
  forall x y z, C x z <=e C x y +e C y z.
Proof.
move=> disjoint tri_d infC x y z; apply: lee_stable => not_le.
have [low_xz _] := infC x z; have [_ great_xy] := infC x y.
have [_ great_yz] := infC y z.
have none_xy : ~ ~ (exists2 i, U i x & U i y).
  move=> none; apply: not_le; rewrite (_ : C x y = oo) ?leoo //.
  by apply/oole/great_xy => a [i [xU yU _]]; case: none; exists i.
have none_yz : ~ ~ (exists2 i, U i y & U i z).
  move=> none; apply: not_le; rewrite (_ : C y z = oo) ?adde_oo ?leoo //.
  by apply/oole/great_yz => a [i [yU zU _]]; case: none; exists i.
apply: none_xy => -[i xU yU]; apply: none_yz => -[j yV zV]; apply: not_le.
have eq_ij := disjoint _ _ _ yV yU; rewrite {j}eq_ij in yV zV.
apply: (@lee_trans _ (eps i *e d x z)); first by apply: low_xz; exists i.
apply: lee_trans (lee_mul2l _ (tri_d x y z)) _; rewrite mule_addr.
apply: lee_add.
  by apply: great_xy => _ [k [xW _ ->]]; rewrite (disjoint k i x) ?leexx.
by apply: great_yz => _ [k [yW _ ->]]; rewrite (disjoint k i y) ?leexx.
Qed.

Theorem near_pairs_suffice e :
  satisfies (everything X) d D (fun _ => e) T <->
  satisfies (near_pairs d) d D (fun _ => e) T.
Proof.
split=> sat i x x' xU x'U; first exact: (sat tt).
have [-> | d_fin] := eqVneq (d x x') oo; first by rewrite mule_oo leoo.
by apply: (sat (exist _ (x, x') d_fin)); [left | right].
Qed.

(* The printed multiverse meets the universes of D_0 with one another.        *)
Theorem meets_self eps (eps' : meets_index U U -> ext R) :
  (forall p, is_inf (budgets_above U (meets U U) eps p) (eps' p)) ->
  satisfies U d D eps T <-> satisfies (meets U U) d D eps' T.
Proof.
move=> inf_eps; apply: refine_cover => // [[[i j] ne]|i x x' xU x'U _ no].
  by exists i => x [].
have ne : exists y, meet (U (i, i).1) (U (i, i).2) y by exists x.
by apply: no; exists (exist _ (i, i) ne); split=> // y [].
Qed.

Theorem meets_near_pairs eps
    (eps' : meets_index U (near_pairs d) -> ext R) :
  (forall p, is_inf (budgets_above U (meets U (near_pairs d)) eps p)
                    (eps' p)) ->
  satisfies U d D eps T <->
  satisfies (meets U (near_pairs d)) d D eps' T.
Proof.
move=> inf_eps; apply: refine_cover => // [[[i j] ne]|i x x' xU x'U d_fin no].
  by exists i => x [].
pose xx' : near_index d := exist _ (x, x') d_fin.
have ne : exists y, meet (U (i, xx').1) (near_pairs d (i, xx').2) y.
  by exists x; split=> //; left.
apply: no; exists (exist _ (i, xx') ne); split=> [y []//||].
  by split=> //; left.
by split=> //; right.
Qed.

Theorem linked_classes e :
  satisfies (everything X) d D (fun _ => e) T <->
  satisfies (linked d) d D (fun _ => e) T.
Proof.
split=> sat i x x' xU x'U; first exact: (sat tt).
have [-> | d_fin] := eqVneq (d x x') oo; first by rewrite mule_oo leoo.
apply: (sat x); first exact: linked_refl.
exact: linked_to (linked_refl _ _) d_fin.
Qed.

Theorem meets_linked eps (eps' : meets_index U (linked d) -> ext R) :
  (forall p, is_inf (budgets_above U (meets U (linked d)) eps p)
                    (eps' p)) ->
  satisfies U d D eps T <-> satisfies (meets U (linked d)) d D eps' T.
Proof.
move=> inf_eps; apply: refine_cover => // [[[i j] ne]|i x x' xU x'U d_fin no].
  by exists i => x [].
have xx' : linked d x x' := linked_to (linked_refl d x) d_fin.
have ne : exists y, meet (U (i, x).1) (linked d (i, x).2) y.
  by exists x; split=> //; apply: linked_refl.
apply: no; exists (exist _ (i, x) ne); split=> [y []//||//].
by split=> //; apply: linked_refl.
Qed.

Theorem meets_linked_changes :
  (exists i x, U i x /\ forall j, ~ same (U j) (meet (U i) (linked d x))) ->
  ~ same_multiverse (meets U (linked d)) U.
Proof.
case=> i [x [xU not_in]] [sub _].
have ne : exists y, meet (U (i, x).1) (linked d (i, x).2) y.
  by exists x; split=> //; apply: linked_refl.
have [j same_j] := sub (exist _ (i, x) ne).
by apply: (not_in j) => y; split=> /same_j.
Qed.

Theorem component_meets eps :
  satisfies U d D eps T <-> satisfies (component_meet U d) d D (eps \o fst) T.
Proof.
split=> sat i x x'; first by case=> xU _ [x'U _]; apply: sat.
move=> xU x'U; have [-> | d_fin] := eqVneq (d x x') oo.
  by rewrite mule_oo leoo.
apply: lee_stable => not_le; apply: (universe_connected xU x'U d_fin) => conn.
by apply: not_le; apply: (sat (i, x)); split=> //; apply: connected_refl.
Qed.

Theorem component_meets_inf eps (eps' : I * X -> ext R) :
  (forall p, is_inf (budgets_above U (component_meet U d) eps p) (eps' p)) ->
  satisfies U d D eps T <-> satisfies (component_meet U d) d D eps' T.
Proof.
move=> inf_eps; apply: refine_cover => // [[i x]|i x x' xU x'U d_fin no].
  by exists i => y [].
apply: (universe_connected xU x'U d_fin) => conn; apply: no.
exists (i, x); split=> [y []//||//].
by split=> //; apply: connected_refl.
Qed.

Theorem connected_pairs_inf eps (eps' : connected_index U d -> ext R) :
  (forall p, is_inf (budgets_above U (connected_pairs U d) eps p) (eps' p)) ->
  satisfies U d D eps T <-> satisfies (connected_pairs U d) d D eps' T.
Proof.
move=> inf_eps; split=> [sat p x x' xU x'U|sat i x x' xU x'U].
  apply: le_inf_mul (inf_eps p) _ => _ [i sub ->].
  exact: sat (sub _ xU) (sub _ x'U).
have [-> | d_fin] := eqVneq (d x x') oo; first by rewrite mule_oo leoo.
apply: lee_stable => not_le; apply: (universe_connected xU x'U d_fin) => conn.
apply: not_le; pose p : connected_index U d := exist _ (x, x') conn.
apply: (@lee_trans _ (eps' p *e d x x')); first by apply: sat; [left | right].
apply: lee_mul2r; have [low _] := inf_eps p; apply: low; exists i => // y.
by case=> ->.
Qed.

End Multiverse.

(* Invariants through the input premetric.                                    *)
Section InvariantPremetric.

Variables (R : realFieldType) (X L : Type) (Y : eqType) (c : X -> Y).
Variables (d : premetric R X) (D : premetric R L) (T : X -> L).

Definition apart_unless_equal (x x' : X) : ext R :=
  if c x == c x' then d x x' else oo.

Lemma apart_unless_equal_refl x : apart_unless_equal x x = 0e.
Proof. by rewrite /apart_unless_equal eqxx dist_refl. Qed.

Definition invariant_premetric : premetric R X :=
  Premetric apart_unless_equal_refl.

Theorem invariants_in_premetric (e : ext R) :
  satisfies (invariant_universe c) d D (fun _ => e) T <->
  satisfies (everything X) invariant_premetric D (fun _ => e) T.
Proof.
apply: multiverse_in_premetric => x x' _; rewrite /= /apart_unless_equal.
  by case=> y -> ->; rewrite eqxx.
by move=> apart; case: eqP => // c_x; case: apart; exists x'.
Qed.

End InvariantPremetric.

Arguments invariant_premetric {R X Y} c d.

(* Counterexamples on three points 0, 1, 2 and the distance |x - x'|.         *)
Section Counterexamples.

Variable R : realFieldType.

Definition gap (x x' : 'I_3) : ext R := natx (x - x' + (x' - x))%N.

Lemma gap_refl x : gap x x = 0e.
Proof. by rewrite /gap subnn. Qed.

Definition gap_distance : premetric R 'I_3 := Premetric gap_refl.

(* With the universes {0, 1} and {1, 2}, the data sets 0 and 2 are connected  *)
(* but share no universe.                                                     *)
Lemma chain_satisfies :
  satisfies chain_universe (chain_distance R) gap_distance (fun _ => 1e) id.
Proof.
move=> i x x'; rewrite mul1e /= /off_diagonal /gap /chain_universe.
case: i; case: x x' => [[|[|[|//]]] ?] [[|[|[|//]]] ?] //= _ _;
  by rewrite -?val_eqE /= ?ler_nat.
Qed.

Theorem connected_pairs_refuted :
  ~ (forall (X L I : Type) (U : I -> X -> Prop) (d : premetric R X)
            (D : premetric R L) (T : X -> L) (e : ext R),
       satisfies U d D (fun _ => e) T <->
       satisfies (connected_pairs U d) d D (fun _ => e) T).
Proof.
move=> /(_ _ _ _ chain_universe (chain_distance R) gap_distance id 1e)[+ _].
move=> /(_ chain_satisfies) sat; pose pt n : 'I_3 := inord n.
have ptE n : (n < 3)%N -> nat_of_ord (pt n) = n by move=> lt_n; rewrite inordK.
have link m n i : (m < 3)%N -> (n < 3)%N -> m != n ->
    chain_universe i (pt m) -> chain_universe i (pt n) ->
    comparable chain_universe (chain_distance R) (pt m) (pt n).
  move=> m_lt n_lt m_n mU nU.
  have m_n' : pt m <> pt n.
    by move=> /(congr1 val); rewrite /= !ptE //; apply/eqP.
  split=> //; last by exists i.
  by left; rewrite /= /off_diagonal (introF eqP m_n').
have conn : connected chain_universe (chain_distance R) (pt 0%N) (pt 2%N).
  apply: (@connected_step _ _ _ _ _ _ (pt 1%N)).
    apply: connected_step (connected_refl _ _ _) _.
    by apply: (link _ _ true) => //; rewrite /chain_universe ptE.
  by apply: (link _ _ false) => //; rewrite /chain_universe ptE.
have := sat (exist _ (pt 0%N, pt 2%N) conn) (pt 0%N) (pt 2%N).
rewrite mul1e /= /off_diagonal /gap -val_eqE /= !ptE //= ler_nat.
by move=> /(_ (or_introl erefl) (or_intror erefl)).
Qed.

(* The universes {0, 1} with budget 0 and {0, 1, 2} with budget 1 meet the    *)
(* class {0, 1} in the same universe.                                         *)
Definition nested_universe (i : bool) (x : 'I_3) : Prop :=
  if i then True else nat_of_ord x <> 2%N.

Definition nested_distance : premetric R 'I_3 :=
  of_matrix (fun x x' : 'I_3 => if (x < 2)%N && (x' < 2)%N then 1e else oo).

Definition nested_budget (i : bool) : ext R := if i then 1e else 0e.

Lemma nested_linked x x' :
  linked nested_distance x x' -> (x < 2)%N = (x' < 2)%N.
Proof.
elim=> // y z _ ->; rewrite [dist _ _ _]/= /off_diagonal.
  by have [->|_] := eqVneq y z => //; case: ifP => // /andP[-> ->].
by have [->|_] := eqVneq z y => //; case: ifP => // /andP[-> ->].
Qed.

Lemma nested_satisfies :
  satisfies (everything 'I_3) nested_distance gap_distance (fun _ => 1e) id.
Proof.
move=> _ x x' _ _; rewrite mul1e /= /off_diagonal /gap.
case: x x' => [[|[|[|//]]] ?] [[|[|[|//]]] ?];
  by rewrite -?val_eqE //= ler_nat.
Qed.

Theorem meets_linked_budget_refuted :
  ~ (forall (X L I : Type) (U : I -> X -> Prop) (d : premetric R X)
            (D : premetric R L) (T : X -> L) (eps : I -> ext R)
            (eps' : meets_index U (linked d) -> ext R),
       (forall p, exists i x,
          same (meets U (linked d) p) (meet (U i) (linked d x)) /\
          eps' p = eps i) ->
       satisfies U d D eps T <->
       satisfies (meets U (linked d)) d D eps' T).
Proof.
move=> /(_ _ _ _ nested_universe nested_distance gap_distance id nested_budget).
move=> /(_ (fun _ => 1e)) equal.
have [|_ sat] := equal.
  move=> [[i x] [y [/= yU xy]]]; exists true, x; split=> // z.
  rewrite /meets /meet /=; split=> [[]//|[_ xz]]; split=> //.
  case: i yU => //=; rewrite /nested_universe => y_2 z_2; apply: y_2.
  have := nested_linked xy; rewrite (nested_linked xz) z_2.
  by case: {xy} y => [[|[|[|//]]] ?].
have: satisfies nested_universe nested_distance gap_distance nested_budget id.
  apply: sat => p x x' _ _.
  exact: (nested_satisfies (i := tt) (x := x) (x' := x') Logic.I Logic.I).
move=> /(_ false (inord 0) (inord 1)); rewrite /nested_universe !inordK //.
rewrite /= /off_diagonal /gap -val_eqE /= !inordK //= mul0r lern0.
by move=> imp; suff: false by []; apply: imp.
Qed.

(* The proof of Proposition A.3.3 ends with an equivalence; the universes     *)
(* {0, 1}, {0} and {1}, with 0 and 1 apart, show that it fails.               *)
Definition split_universe (i : option bool) (x : bool) : Prop :=
  if i is Some b then x = b else True.

Theorem meets_linked_changes_iff_refuted :
  ~ (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X),
       (forall i, exists x, U i x) ->
       ~ same_multiverse (meets U (linked d)) U ->
       exists i x, U i x /\ forall j, ~ same (U j) (meet (U i) (linked d x))).
Proof.
pose d : premetric R bool := of_matrix (fun _ _ => oo).
have linkedE x x' : linked d x x' -> x = x'.
  have apart y z : d y z != oo -> y = z.
    by rewrite [dist _ _ _]/= /off_diagonal; case: (eqVneq y z).
  by elim=> // y z _ -> /apart.
move=> /(_ _ _ split_universe d); case.
- by case=> [b|]; [exists b | exists true].
- case=> _ /(_ None)[[[i x] ne]] same_all.
  have [_ /(_ Logic.I)[_ /= /linkedE xt]] := same_all true.
  have [_ /(_ Logic.I)[_ /= /linkedE xf]] := same_all false.
  by rewrite xt in xf.
move=> i [x [xU not_in]]; apply: (not_in (Some x)) => y /=.
split=> [->|[_ /linkedE]//]; split=> //; exact: linked_refl.
Qed.

(* The last premetric before Proposition A.4.2: d x x' if a universe holds    *)
(* both, oo otherwise.                                                        *)
Theorem no_universe_premetric_refuted :
  ~ (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X)
            (f : X -> X -> ext R),
       (forall x x', together U x x' -> f x x' = d x x') ->
       (forall x x', ~ together U x x' -> f x x' = oo) ->
       forall x, f x x = 0e).
Proof.
move=> /(_ unit Empty_set (fun _ _ => True)).
move=> /(_ (of_matrix (fun _ _ => 0e)) (fun _ _ => oo)) refl.
by have := refl (fun _ _ '(ex_intro2 i _ _) => match i with end)
  (fun _ _ _ => erefl) tt.
Qed.

End Counterexamples.
