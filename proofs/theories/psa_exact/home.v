From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat insertion taking_out.

(******************************************************************************)
(* Orbits of permutations under the exchange of a point with its row          *)
(*                                                                            *)
(* A set P of permutations is closed under tperm i v * g for i, v in one row, *)
(* as in insertion.v. Here the orbit of a permutation that fixes i has all    *)
(* of its row: i is put behind v where v moves, forms a 2-cycle with v where  *)
(* v does not, and stays fixed for v = i. It is all of the permutations in    *)
(* which i has a point of its row before it.                                  *)
(*                                                                            *)
(* Definitions, for a row A                                                   *)
(*   home A i g == the point before i lies in A                               *)
(*   home_excess w m k == w k + k w (k + 1) + (m - k) w (k + 2): the orbit of *)
(*            a permutation that fixes i and j and moves k of the m other     *)
(*            points of their rows has at most this more mass, for masses w,  *)
(*            than where i and j are exchanged                                *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   home_sum == a sum over the permutations of P where i is home, orbit by   *)
(*            orbit                                                           *)
(*   home_foreign_eq == where i is home and j is not, the mass of P is what   *)
(*            it is with i and j exchanged                                    *)
(*   home_exchange_le == let i and j lie in two rows A and B, and let the     *)
(*            mass of g in P be as in exchange_le: then the mass of P is at   *)
(*            most r times what it is with i and j exchanged, provided that   *)
(*            this is so for the permutations where neither is home (ff_le),  *)
(*            and that the excess of those that fix i and j is at most r - 1  *)
(*            times (1 + a) (1 + b) w (a + b + 2) in sum (home_bases_le)      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Definition home (T : finType) (A : {set T}) (i : T) (g : {perm T}) : bool :=
  (g^-1)%g i \in A.

Definition home_excess (R : realFieldType) (w : nat -> R) m k : R :=
  w k + w k.+1 *+ k + w k.+2 *+ (m - k).

(* Exchanging a record with the records of its row                            *)
Section HomeOrbit.

Variables (R : realFieldType) (T : finType).
Implicit Types (A : {set T}) (i u : T) (g : {perm T}).

(* The permutations of P where i is home, by what is left with i fixed.       *)
Lemma home_sum A i (P : pred {perm T}) (F : {perm T} -> R) :
    (forall g u, u \in A -> P (tperm i u * g)%g = P g) ->
  \sum_(g | P g && home A i g) F g =
  \sum_(g | P g && (g i == i)) \sum_(u in A) F (tperm i u * g)%g.
Proof.
move=> P_A; rewrite exchange_big /=.
rewrite (partition_big (fun g => (g^-1)%g i) (mem A)) => [|g /andP[] //] /=.
apply: eq_bigr => u uA; rewrite (reindex_inj (mulgI (tperm i u))) /=.
apply: eq_bigl => g; rewrite P_A // /home invMg tpermV permM.
rewrite (can2_eq (tpermK i u) (tpermK i u)) tpermR.
rewrite (can2_eq (permKV g) (permK g)) [i == _]eq_sym.
by case: eqP => [gi|_]; rewrite ?andbF // -{2}gi permK tpermL uA andbT.
Qed.

(* Whether another record is home stays.                                      *)
Lemma home_tperm A i u j g : i \notin A -> u \notin A ->
  home A j (tperm i u * g)%g = home A j g.
Proof.
move=> iA uA; rewrite /home invMg tpermV permM.
by case: tpermP => [->|->|//]; rewrite (negbTE iA) (negbTE uA).
Qed.

Lemma foreign_moves A i g : i \in A -> ~~ home A i g -> g i != i.
Proof. by move=> iA; apply: contraNneq => gi; rewrite /home -{1}gi permK. Qed.

(* A fixed u moves after the exchange with i.                                 *)
Lemma card_movers_home A i u g : i \notin A -> u \in i |: A -> g i = i ->
  #|movers A (tperm i u * g)%g| =
  (#|movers A g| + ((u != i) && (g u == u)))%N.
Proof.
move=> iA /setU1P[-> | uA] gi; first by rewrite tperm1 mul1g eqxx addn0.
have ui : u != i by apply: contraNneq iA => <-.
rewrite ui; have [gu | gu] := eqVneq (g u) u; last first.
  by rewrite movers_tperm // addn0.
rewrite addn1; have -> : movers A (tperm i u * g)%g = u |: movers A g.
  apply/setP=> l; rewrite !inE permM; have [-> | lu] := eqVneq l u.
    by rewrite tpermR gi uA eq_sym ui.
  have [lA | //] := boolP (l \in A); rewrite tpermD // 1?eq_sym //.
  by apply: contraNneq iA => <-.
by rewrite cardsU1 inE gu eqxx andbF.
Qed.

(* A sum over a row: i, the points that move, and those that do not.          *)
Lemma row_sum A i g (f : bool -> bool -> R) : i \in A -> g i = i ->
  \sum_(u in A) f (u != i) ((u != i) && (g u == u)) =
  f false false + f true false *+ #|movers A g| +
  f true true *+ (#|A|.-1 - #|movers A g|).
Proof.
move=> iA gi; rewrite (bigD1 i) //= eqxx -addrA; congr (_ + _).
have AiE : movers A g = movers (A :\ i) g.
  apply/setP=> u; rewrite !inE.
  by have [->|//] := eqVneq u i; rewrite gi eqxx andbF.
rewrite (bigID (fun u => g u == u)) [RHS]addrC /=; congr (_ + _).
  rewrite (eq_bigr (fun=> f true true)) => [|u /andP[/andP[_ ->] ->]//].
  rewrite sumr_const (cardsD1 i) iA /= AiE -card_still; congr (_ *+ _).
  by apply: eq_card => u; rewrite unfold_in !inE [(u != i) && _]andbC.
rewrite (eq_bigr (fun=> f true false)) => [|u /andP[/andP[_ ->] /negbTE->]//].
rewrite sumr_const AiE; congr (_ *+ _).
by apply: eq_card => u; rewrite unfold_in !inE [(u != i) && _]andbC.
Qed.

Lemma movers_lt A i g : i \in A -> g i = i -> (#|movers A g| < #|A|)%N.
Proof.
move=> iA gi; apply/proper_card/properP; split; last first.
  by exists i => //; rewrite inE gi eqxx andbF.
by apply/subsetP=> u /setIdP[].
Qed.

End HomeOrbit.

(* One record is home and the other one is not.                               *)
Section OneHome.

(* As in the next section, without the symmetry of A and B.                   *)
Variables (R : realFieldType) (T : finType) (A B E : {set T}) (i j : T).
Variables (P : pred {perm T}) (c : {perm T} -> R) (w : nat -> R).
Hypotheses (iA : i \in A) (jB : j \in B) (iE : i \notin E).
Hypotheses (AE : A \subset i |: E) (rows : free_rows P c A B).

Let row := free_left rows.
Let AB0 v := @free_notin _ _ P c A B v row.
Let P_A g v := @free_pred _ _ _ _ _ _ row g i v iA.
Let c_A g v Pg := @free_mass _ _ _ _ _ _ row g i v Pg iA.

(* The exchanges with i and with the point l before j trade their masses, and *)
(* all others keep theirs.                                                    *)
Lemma home_foreign_eq :
  \sum_(g | P g && ~~ home B j g && home A i g)
    c g * w (#|movers E g| + (g i != i) + (g j != j))%N =
  \sum_(g | P g && ~~ home B j g && home A i g)
    c g * w (#|movers E g| + (g i != j) + (g j != i))%N.
Proof.
have Q_A (g : {perm T}) u : u \in A ->
    P (tperm i u * g)%g && ~~ home B j (tperm i u * g)%g =
    P g && ~~ home B j g.
  by move=> uA; rewrite P_A // home_tperm // AB0.
rewrite !(home_sum (P := fun g => P g && ~~ home B j g)) //.
apply: eq_bigr => g /andP[/andP[Pg j_out] /eqP gi].
have ij : i != j by apply: contraTneq jB => <-; apply: AB0.
have gj := foreign_moves jB j_out; set l := (g^-1)%g j.
have gl : g l = j by rewrite permKV.
have lA : l \in A.
  have := free_from rows Pg (_ : j \in A :|: B); rewrite !inE jB orbT.
  by rewrite [_ \in B](negbTE j_out) orbF => ->.
have li : l != i by apply: contraNneq ij => li; rewrite -gi -li gl.
have lj : j != l by apply: contraNneq (AB0 lA) => <-.
have gji : g j != i by rewrite -gi (inj_eq perm_inj) eq_sym.
have tA u : (tperm i l u \in A) = (u \in A).
  by case: tpermP => [->|->|//]; rewrite iA lA.
rewrite (reindex_inj (@perm_inj _ (tperm i l))) /=.
apply: eq_big => [u|u]; rewrite tA // => uA.
have uj : u != j by apply: contraTneq uA => ->; apply: contraL jB => /AB0.
have hE v : v \in A -> v != j -> [/\ c (tperm i v * g)%g = c g,
    (tperm i v * g)%g i = g v, (tperm i v * g)%g j = g j &
    #|movers E (tperm i v * g)%g| =
    (#|movers E g| + ((v != i) && (g v == v)))%N].
  move=> vA vj; split; rewrite ?c_A // ?permM ?tpermL ?tpermD //.
  by rewrite card_movers_home // (subsetP AE).
have tuA : tperm i l u \in A by rewrite tA.
have tuj : tperm i l u != j by case: tpermP; rewrite // eq_sym.
have [-> -> -> ->] := hE _ tuA tuj; have [-> -> -> ->] := hE u uA uj.
have -> : (g u != j) = (u != l) by rewrite -gl (inj_eq perm_inj).
have -> : (g (tperm i l u) != i) = (u != l).
  rewrite -[X in _ != X]gi (inj_eq perm_inj).
  by rewrite (can2_eq (tpermK i l) (tpermK i l)) tpermL.
rewrite gj gji; congr (_ * w (_ + _ + _ + _)%N).
by case: tpermP => [->|->|//]; rewrite eqxx // gl (negbTE lj) andbF.
Qed.

End OneHome.

(* Two records, in two rows A and B                                           *)
Section TwoHome.

Variables (R : realFieldType) (T : finType) (A B : {set T}) (i j : T).
Variables (P : pred {perm T}) (c : {perm T} -> R) (w : nat -> R) (r : R).
Hypotheses (iA : i \in A) (jB : j \in B) (rows : free_rows P c A B).
Hypothesis w_ge0 : forall k, 0 <= w k.

Let E := (A :|: B) :\: [set i; j].
Let mass g := c g * w (#|movers E g| + (g i != i) + (g j != j))%N.
Let mass' g := c g * w (#|movers E g| + (g i != j) + (g j != i))%N.
Let base g := P g && (g i == i) && (g j == j).

Let row := free_left rows.
Let row' := free_right rows.
Let c_ge0 := free_ge0 row.
Let AB0 := free_disjoint row.
Let notB v := @free_notin _ _ P c A B v row.
Let notA v := @free_notin _ _ P c B A v row'.
Let P_A g v := @free_pred _ _ _ _ _ _ row g i v iA.
Let P_B g v := @free_pred _ _ _ _ _ _ row' g j v jB.
Let c_A g v Pg := @free_mass _ _ _ _ _ _ row g i v Pg iA.
Let c_B g v Pg := @free_mass _ _ _ _ _ _ row' g j v Pg jB.
Let iE : i \notin E. Proof. by rewrite !inE eqxx. Qed.
Let jE : j \notin E. Proof. by rewrite !inE eqxx orbT. Qed.
Let ij : i != j.
Proof. by apply: contraNneq (notB iA) => ->. Qed.
Let AE : A \subset i |: E.
Proof.
apply/subsetP=> v vA; rewrite !inE vA; case: eqP => //= _.
by rewrite andbT; apply: contraTneq vA => ->; apply: notA.
Qed.
Let BE : B \subset j |: E.
Proof.
apply/subsetP=> v vB; rewrite !inE vB; case: eqP => //= _.
by rewrite orbF orbT andbT; apply: contraTneq vB => ->; apply: notB.
Qed.

Lemma card_rest : #|E| = (#|A :\ i| + #|B :\ j|)%N.
Proof.
rewrite [LHS]cardsDS; last by rewrite subUset !sub1set !inE iA jB orbT.
rewrite cards2 ij cardsU (disjoint_setI0 AB0) cards0 subn0.
by rewrite (cardsD1 i A) (cardsD1 j B) iA jB !addnS subSS subn1.
Qed.

(* The permutations of P where both are home, by what is left without them.   *)
Lemma both_home_sum (F : {perm T} -> R) :
  \sum_(g | P g && home B j g && home A i g) F g =
  \sum_(g | base g) \sum_(u in A) \sum_(v in B)
     F (tperm i u * (tperm j v * g))%g.
Proof.
have [iB jA] := (notB iA, notA jB).
rewrite (home_sum (P := fun g => P g && home B j g)) => [|g u uA]; last first.
  by rewrite P_A // home_tperm // notB.
rewrite (eq_bigl (fun g => P g && (g i == i) && home B j g)) => [|g].
  rewrite (home_sum (P := fun g => P g && (g i == i))) => [|g v vB].
    by apply: eq_bigr => g _; rewrite exchange_big.
  rewrite P_B // permM tpermD // 1?eq_sym //.
  by apply: contraTneq vB => <-.
by rewrite andbAC.
Qed.

(* One permutation of the orbit of g, which fixes i and j.                    *)
Lemma home_orbit_mass g u v (h := (tperm i u * (tperm j v * g))%g)
    (k := (#|movers E g| + ((u != i) && (g u == u)) +
       ((v != j) && (g v == v)))%N) :
    P g -> g i = i -> g j = j -> u \in A -> v \in B ->
  mass h = c g * w (k + (u != i) + (v != j))%N /\ mass' h = c g * w k.+2.
Proof.
move=> Pg gi gj uA vB.
have uj : u != j by apply: contraTneq uA => ->; apply: notA.
have vi : v != i by apply: contraTneq vB => ->; apply: notB.
have uv : u != v by apply: contraTneq uA => ->; apply: notA.
pose h' := (tperm j v * g)%g.
have h'u : h' u = g u by rewrite permM tpermD // eq_sym.
have h'i : h' i = i by rewrite permM tpermD // eq_sym.
have h'j : h' j = g v by rewrite permM tpermL.
have hi : h i = g u by rewrite permM tpermL.
have hj : h j = g v by rewrite permM tpermD // -/h' h'j.
have hE : #|movers E h| = k.
  rewrite card_movers_home ?(subsetP AE) // h'u /k addnAC.
  by rewrite card_movers_home ?(subsetP BE).
have ch : c h = c g by rewrite c_A ?P_B // c_B.
have gE l m : g m = m -> (g l == m) = (l == m).
  by move=> gm; rewrite -[X in _ == X]gm (inj_eq perm_inj).
rewrite /mass /mass' ch hE hi hj !gE // uj vi; split=> //.
by rewrite -addnA addn2.
Qed.

(* The orbit of g, which fixes i and j.                                       *)
Lemma home_orbit_le g (k := (#|movers A g| + #|movers B g|)%N)
    (orbit := fun F : {perm T} -> R => \sum_(u in A) \sum_(v in B)
       F (tperm i u * (tperm j v * g))%g) :
    P g -> g i = i -> g j = j ->
  orbit mass <= c g * home_excess w #|E| k + orbit mass' /\
  c g * (w k.+2 *+ (#|movers A g|.+1 * #|movers B g|.+1)) <= orbit mass'.
Proof.
move=> Pg gi gj.
set a := #|movers A g|; set b := #|movers B g|.
set a' := (#|A|.-1 - a)%N; set b' := (#|B|.-1 - b)%N.
pose X n (e f e' f' : bool) := c g * w (k + f + f' + n e e')%N.
have sumX n (F : {perm T} -> R) : (forall u v, u \in A -> v \in B ->
      F (tperm i u * (tperm j v * g))%g = X n (u != i)
        ((u != i) && (g u == u)) (v != j) ((v != j) && (g v == v))) ->
    orbit F = c g * (w (k + n false false) + w (k + n false true) *+ b +
      w (k.+1 + n false true) *+ b' + (w (k + n true false) +
      w (k + n true true) *+ b + w (k.+1 + n true true) *+ b') *+ a +
      (w (k.+1 + n true false) + w (k.+1 + n true true) *+ b +
      w (k.+2 + n true true) *+ b') *+ a').
  move=> FE; rewrite /orbit.
  under eq_bigr => u uA do
    (under eq_bigr => v vB do rewrite FE //; rewrite row_sum //).
  pose Y e f := X n e f false false + X n e f true false *+ b +
    X n e f true true *+ b'.
  rewrite (row_sum Y iA gi) /Y /X /= !addn0 !addn1.
  by rewrite -!mulrnAr -!mulrDr -!mulrnAr -!mulrDr.
have [kE EE] : k = #|movers E g| /\ (#|E| - k = a' + b')%N.
  split; first by rewrite (card_movers_rows AB0).
  have := movers_lt iA gi; have := movers_lt jB gj; rewrite card_rest /k.
  by rewrite /a' /b' (cardsD1 i A) (cardsD1 j B) iA jB -/a -/b; clear; lia.
rewrite (sumX (fun e e' => e + e')%N mass) => [|u v uA vB]; last first.
  by have [-> _] := home_orbit_mass Pg gi gj uA vB; rewrite /X kE !addnA.
rewrite (sumX (fun=> fun=> 2%N) mass') => [|u v uA vB]; last first.
  by have [_ ->] := home_orbit_mass Pg gi gj uA vB; rewrite /X kE addn2.
have -> : home_excess w #|E| k = w k + w k.+1 *+ (a + b) + w k.+2 *+ (a' + b').
  by rewrite /home_excess EE.
rewrite -mulrDr /= !addn0 !addn1 !addn2.
have W_ge0 l m : 0 <= w l *+ m by apply: mulrn_wge0.
split; apply: ler_wpmul2l => //; last first.
  rewrite [leRHS](_ : _ = w k.+2 *+ (a.+1 * b.+1) + (w k.+3 *+ (b' * a.+1) +
    w k.+3 *+ a' + w k.+3 *+ (b * a') + w k.+4 *+ (b' * a'))).
    by rewrite ler_addl !addr_ge0.
  move: (w _) (w _) (w _); clear => w2 w3 w4; ring.
set rhs := leRHS; set lhs := leLHS.
have -> : rhs = lhs + (w k.+2 *+ (a + b).+1 + w k.+3 *+ (a' + b')).
  rewrite /rhs /lhs.
  move: (w _) (w _) (w _) (w _) (w _); clear => w0 w1 w2 w3 w4; ring.
by rewrite ler_addl addr_ge0.
Qed.

Hypothesis r_ge1 : 1 <= r.

Hypothesis ff_le :
  \sum_(g | P g && ~~ home A i g && ~~ home B j g) mass g <=
  r * \sum_(g | P g && ~~ home A i g && ~~ home B j g) mass' g.
Hypothesis home_bases_le :
  \sum_(g | base g)
     c g * home_excess w #|E| (#|movers A g| + #|movers B g|) <=
  (r - 1) * \sum_(g | base g) c g *
    (w (#|movers A g| + #|movers B g|).+2 *+
       (#|movers A g|.+1 * #|movers B g|.+1)).

Lemma both_home_le :
  \sum_(g | P g && home B j g && home A i g) mass g <=
  r * \sum_(g | P g && home B j g && home A i g) mass' g.
Proof.
rewrite !both_home_sum -[r](subrK 1) mulrDl mul1r.
apply: (@le_trans _ _ (\sum_(g | base g) c g *
    home_excess w #|E| (#|movers A g| + #|movers B g|) +
  \sum_(g | base g) \sum_(u in A) \sum_(v in B)
    mass' (tperm i u * (tperm j v * g))%g)).
  rewrite -big_split /=; apply: ler_sum => g /andP[/andP[Pg /eqP gi] /eqP gj].
  by have [] := home_orbit_le Pg gi gj.
rewrite ler_add2r; apply: (le_trans home_bases_le).
rewrite ler_wpmul2l ?subr_ge0 //; apply: ler_sum => g.
by case/andP=> /andP[Pg /eqP gi] /eqP gj; have [] := home_orbit_le Pg gi gj.
Qed.

Lemma home_exchange_le :
  \sum_(g | P g) mass g <= r * \sum_(g | P g) mass' g.
Proof.
have mass'_ge0 g : 0 <= mass' g by apply: mulr_ge0.
have swap (F : {perm T} -> R) (Q Q' : pred {perm T}) :
    \sum_(g | P g && Q g && Q' g) F g = \sum_(g | P g && Q' g && Q g) F g.
  by apply: eq_bigl => g; rewrite andbAC.
rewrite (bigID (home B j)) [X in r * X](bigID (home B j)) /= mulrDr.
apply: ler_add; rewrite (bigID (home A i)) [X in r * X](bigID (home A i)) /=
  mulrDr; apply: ler_add; first exact: both_home_le.
- rewrite (swap mass) (swap mass').
  rewrite (eq_bigr (fun g => c g * w (#|movers E g| + (g j != j) +
    (g i != i))%N)) => [|g _]; last by rewrite addnAC.
  rewrite (home_foreign_eq w jB iA jE BE (free_rowsC rows)).
  rewrite (eq_bigr mass') => [|g _]; last by rewrite /mass' addnAC.
  by rewrite ler_pemull // sumr_ge0.
- rewrite (home_foreign_eq w iA jB iE AE rows).
  by rewrite ler_pemull // sumr_ge0 // => g _; apply: mass'_ge0.
by rewrite (swap mass) (swap mass').
Qed.

End TwoHome.
