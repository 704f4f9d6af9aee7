(******************************************************************************)
(* Orbits of permutations under the insertion of two points into cycles       *)
(*                                                                            *)
(* A "row" is a set of points that may take each other's place: a set P of    *)
(* permutations is closed under tperm i v * g for i, v in one row. The point  *)
(* i is taken out of its cycle in g if the point before it is in its row and  *)
(* the cycle is longer than 2; conversely a fixed i is put behind any point v *)
(* of its row that moves: tperm i v * g. Both keep g in P.                    *)
(*                                                                            *)
(*   free_row Q c A B == A has no point of B, and neither Q nor the mass c,   *)
(*            which is not negative, tells the points of A apart              *)
(*   free_rows Q c A B == the same of both, and no permutation of Q takes a   *)
(*            point from outside of them into them                            *)
(*                                                                            *)
(* Definitions, for a row A                                                   *)
(*   removable A i g == i can be taken out of its cycle                       *)
(*   loose A i g == i is fixed or removable                                   *)
(*   movers A g == the points of A that g moves                               *)
(*   orbit_in w a b, orbit_out w a b == the mass of the orbit of a            *)
(*            permutation that fixes i and j, and moves a and b points of     *)
(*            their rows, for masses w, in the two data sets                  *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   removable_sum, loose_sum == a sum over the permutations of P where i is  *)
(*            removable or loose, orbit by orbit: the permutation that fixes  *)
(*            i, and i behind each mover                                      *)
(*   exchange_le == let i and j lie in two rows A and B, and let the mass of  *)
(*            g in P be c g * w k, where k points of the rows move and c is   *)
(*            constant on orbits; then the mass of P is at most r times what  *)
(*            it is if k counts the points that g * tperm i j moves, provided *)
(*            that w_step and w_fall hold for w (orbits with one loose point  *)
(*            and none) and bases_le for the sum over the others              *)
(*   bases_le_orbits == bases_le holds if it does so orbit by orbit           *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* Taking a record out of its cycle, and putting it into one                  *)
Section Insertion.

Variables (R : realFieldType) (T : finType).
Implicit Types (A : {set T}) (i v : T) (f g : {perm T}).

Definition removable A i g : bool :=
  ((g^-1)%g i \in A) && (g i != (g^-1)%g i).
Definition loose A i g : bool := (g i == i) || removable A i g.
Definition movers A g : {set T} := [set v in A | g v != v].

Lemma fixed_not_removable A i g : g i = i -> removable A i g = false.
Proof.
move=> gi; have gVi : (g^-1)%g i = i by rewrite -{1}gi permK.
by rewrite /removable gVi gi eqxx andbF.
Qed.

(* The permutations of P where i is removable, by what is left without i.     *)
Lemma removable_sum A i (P : pred {perm T}) (F : {perm T} -> R) :
    (forall g v, g i = i -> v \in A -> g v != v ->
       P (tperm i v * g)%g = P g) ->
  \sum_(g | P g && removable A i g) F g =
  \sum_(g | P g && (g i == i)) \sum_(v in movers A g) F (tperm i v * g)%g.
Proof.
move=> P_tperm.
under [RHS]eq_bigr do rewrite (eq_bigl _ _ (fun v => in_set _ v)).
rewrite (exchange_big_dep (mem A)) => [|g v _ /andP[] //] /=.
have tF v : \sum_(g | P g && (g i == i) && ((v \in A) && (g v != v)))
      F (tperm i v * g)%g =
    \sum_(g | P g && removable A i g && (v == (g^-1)%g i)) F g * (v \in A)%:R.
  rewrite (reindex_inj (mulgI (tperm i v))) /=.
  rewrite [LHS](big_mkcond _) [RHS](big_mkcond _).
  apply: eq_bigr => g _; rewrite mulgA tperm2 mul1g !permM tpermL tpermR.
  rewrite (can2_eq (permK g) (permKV g)).
  have [vE | _] := eqVneq v _; last by rewrite !(andbF, andFb).
  have gv : g v = i by rewrite vE permKV.
  rewrite !andbT /removable -vE; case vA: (v \in A); last by rewrite !andbF.
  rewrite /= mulr1; have [gi | gi] := eqVneq (g i) v; first by rewrite !andbF.
  rewrite !andbT -(P_tperm (tperm i v * g)%g v) ?vA //.
  - by rewrite mulgA tperm2 mul1g.
  - by rewrite permM tpermL.
  by rewrite permM tpermR.
rewrite (eq_bigr (fun v => \sum_(g | P g && removable A i g &&
    (v == (g^-1)%g i)) F g * (v \in A)%:R)); last first.
  move=> v vA; rewrite -tF; apply: eq_bigl => g.
  by rewrite vA.
rewrite (exchange_big_dep (fun g => P g && removable A i g)) /=; last first.
  by move=> v g _ /andP[].
apply: eq_bigr => g Pg; have /andP[_ /andP[gA _]] := Pg.
rewrite (big_pred1 ((g^-1)%g i)) => [|v]; first by rewrite gA mulr1.
rewrite Pg /=; have [->|_] := eqVneq v _; first by rewrite gA.
by rewrite andbF.
Qed.

(* The permutations of P where i is loose.                                    *)
Lemma loose_sum A i (P : pred {perm T}) (F : {perm T} -> R) :
    (forall g v, g i = i -> v \in A -> g v != v ->
       P (tperm i v * g)%g = P g) ->
  \sum_(g | P g && loose A i g) F g =
  \sum_(g | P g && (g i == i))
     (F g + \sum_(v in movers A g) F (tperm i v * g)%g).
Proof.
move=> P_tperm; rewrite big_split /= -removable_sum //.
rewrite (bigID (fun g : {perm T} => g i == i)) /=; congr (_ + _).
  apply: eq_bigl => g; rewrite /loose.
  by case: (g i == i); rewrite ?andbF ?andbT.
apply: eq_bigl => g; rewrite /loose; case: eqP => [gi|_] /=.
  by rewrite fixed_not_removable ?andbF.
by rewrite andbT.
Qed.

Lemma movers_tperm A i v g : i \notin A -> g i = i -> g v != v ->
  movers A (tperm i v * g)%g = movers A g.
Proof.
move=> iA gi gv; apply/setP=> l; rewrite !inE permM.
have [lA | //] := boolP (l \in A).
case: tpermP => [l_i|->|//]; first by rewrite -l_i lA in iA.
by rewrite gi gv; apply: contraNneq gv => <-; rewrite gi.
Qed.

Lemma loose_tperm A j i v g :
    j \in A -> i \notin A -> v \notin A -> g i = i ->
  loose A j (tperm i v * g)%g = loose A j g.
Proof.
move=> jA iA vA gi; have ij : i != j by apply: contraNneq iA => ->.
have vj : v != j by apply: contraNneq vA => ->.
rewrite /loose /removable invMg tpermV !permM tpermD //.
congr (_ || _); case: tpermP => [e|->|//].
  by case/eqP: ij; rewrite -{1}gi -e permKV.
by rewrite (negbTE iA) (negbTE vA).
Qed.

End Insertion.

(* Points that may take each other's place                                    *)
Record free_row (R : realFieldType) (T : finType) (Q : pred {perm T})
    (c : {perm T} -> R) (A B : {set T}) : Prop := FreeRow {
  free_ge0 : forall g, 0 <= c g;
  free_disjoint : [disjoint A & B];
  free_pred : forall (g : {perm T}) v u, v \in A -> u \in A ->
    Q (tperm v u * g)%g = Q g;
  free_mass : forall (g : {perm T}) v u, Q g -> v \in A -> u \in A ->
    c (tperm v u * g)%g = c g }.

Record free_rows (R : realFieldType) (T : finType) (Q : pred {perm T})
    (c : {perm T} -> R) (A B : {set T}) : Prop := FreeRows {
  free_left : free_row Q c A B;
  free_right : free_row Q c B A;
  free_from : forall (g : {perm T}) v, Q g -> v \in A :|: B ->
    (g^-1)%g v \in A :|: B }.

Lemma free_rowsC (R : realFieldType) (T : finType) (Q : pred {perm T})
    (c : {perm T} -> R) (A B : {set T}) :
  free_rows Q c A B -> free_rows Q c B A.
Proof. by case=> *; split; rewrite // [B :|: A]setUC. Qed.

Lemma free_notin (R : realFieldType) (T : finType) (Q : pred {perm T})
    (c : {perm T} -> R) (A B : {set T}) v :
  free_row Q c A B -> v \in A -> v \notin B.
Proof. by move=> row vA; rewrite (disjointFr (free_disjoint row) vA). Qed.

(* With both records fixed, a + b records of the two rows move.               *)
Lemma card_movers_rows (T : finType) (A B : {set T}) i j (g : {perm T}) :
    [disjoint A & B] -> g i = i -> g j = j ->
  #|movers ((A :|: B) :\: [set i; j]) g| = (#|movers A g| + #|movers B g|)%N.
Proof.
move=> AB0 gi gj; have I0 : movers A g :&: movers B g = set0.
  apply/setP=> v; rewrite !inE; case vA: (v \in A) => //=.
  by rewrite (disjointFr AB0 vA) /= andbF.
rewrite -cardsUI I0 cards0 addn0; apply: eq_card => v; rewrite !inE -andb_orl.
have [->|_] := eqVneq v i; first by rewrite gi eqxx !andbF.
by have [->|_] := eqVneq v j; first by rewrite gj eqxx !andbF.
Qed.

(* One record is loose and the other one is not.                              *)
Section OneLoose.

(* As in the next section, without the symmetry of A and B.                   *)
Variables (R : realFieldType) (T : finType) (A B E : {set T}) (i j : T).
Variables (P : pred {perm T}) (c : {perm T} -> R) (w : nat -> R) (r : R).
Hypotheses (iA : i \in A) (jB : j \in B) (iE : i \notin E).
Hypothesis row : free_row P c A B.
Hypothesis w_ge0 : forall k, 0 <= w k.
Hypothesis P_moved : forall g, P g ->
  (#|movers E g| + (g i != i) + (g j != j) != 1)%N.
Hypothesis w_step : forall k, (0 < k <= #|E|)%N -> w k.+1 <= r * w k.+2.
Hypothesis r_ge1 : 1 <= r.

Let mass g := c g * w (#|movers E g| + (g i != i) + (g j != j))%N.
Let mass' g := c g * w (#|movers E g| + (g i != j) + (g j != i))%N.

Let c_ge0 := free_ge0 row.
Let AB0 v := @free_notin _ _ P c A B v row.
Let P_A g v := @free_pred _ _ _ _ _ _ row g i v iA.
Let c_A g v Pg := @free_mass _ _ _ _ _ _ row g i v Pg iA.

Lemma one_loose_le :
  \sum_(g | P g && ~~ loose B j g && loose A i g) mass g <=
  r * \sum_(g | P g && ~~ loose B j g && loose A i g) mass' g.
Proof.
have iB : i \notin B := AB0 iA.
have Q_A (g : {perm T}) v : g i = i -> v \in A -> g v != v ->
    P (tperm i v * g)%g && ~~ loose B j (tperm i v * g)%g =
    P g && ~~ loose B j g.
  by move=> gi vA gv; rewrite P_A // loose_tperm // AB0.
rewrite !(loose_sum _ Q_A) /= mulr_sumr; apply: ler_sum => g.
case/andP=> /andP[Pg j_tight] /eqP gi.
have ij : i != j by apply: contraNneq iB => ->.
have gj : g j != j by apply: contraNneq j_tight => gj; rewrite /loose gj eqxx.
have gji : g j != i by rewrite -gi (inj_eq perm_inj) eq_sym.
set u := #|movers E g|.
have u_gt0 : (0 < u)%N.
  by have := P_moved Pg; rewrite gi eqxx gj -/u addn0; case: u.
have u_le : (u <= #|E|)%N.
  by apply: subset_leq_card; apply/subsetP=> v /setIdP[].
have massE : mass g = c g * w u.+1.
  by rewrite /mass gi eqxx gj addn0 addn1.
have mass'E : mass' g = c g * w u.+2.
  by rewrite /mass' gi ij gji -addnA addn2.
pose W v := w (u + (g v != j)).+1.
have mE v : v \in movers A g -> mass (tperm i v * g)%g = c g * w u.+2.
  case/setIdP=> vA gv.
  have vi : v != i by apply: contraNneq gv => ->; rewrite gi.
  have vj : v != j by apply: contraTneq vA => ->; apply: contraL jB => /AB0.
  rewrite /mass c_A // movers_tperm // !permM tpermL (tpermD ij vj) gj.
  by rewrite -gi (inj_eq perm_inj) vi -addnA addn2.
have m'E v : v \in movers A g -> mass' (tperm i v * g)%g = c g * W v.
  case/setIdP=> vA gv.
  have vi : v != i by apply: contraNneq gv => ->; rewrite gi.
  have vj : v != j by apply: contraTneq vA => ->; apply: contraL jB => /AB0.
  rewrite /mass' c_A // movers_tperm // !permM tpermL (tpermD ij vj) gji.
  by rewrite addn1.
rewrite (eq_bigr _ mE) (eq_bigr _ m'E) -!mulr_sumr massE mass'E -!mulrDr.
rewrite mulrCA ler_wpmul2l //; have r_ge0 : 0 <= r := le_trans ler01 r_ge1.
have [/existsP[v0 /andP[v0A /eqP v0j]] | no_v] :=
    boolP [exists v, (v \in A) && (g v == j)]; last first.
  rewrite [X in r * (_ + X)](eq_bigr (fun=> w u.+2)) => [|v /setIdP[vA gv]].
    rewrite mulrDr ler_add ?w_step ?u_gt0 //.
    by rewrite ler_pemull // sumr_ge0.
  rewrite /W (_ : g v != j) ?addn1 //.
  by move/existsPn: no_v => /(_ v); rewrite vA.
have gv0 : v0 \in movers A g.
  by rewrite inE v0A v0j; apply: contraTneq jB => ->; apply: AB0.
rewrite (bigD1 v0 gv0) [X in r * (_ + X)](bigD1 v0 gv0) /=.
rewrite {1}/W v0j eqxx addn0 [leLHS]addrCA.
rewrite [X in r * (_ + (_ + X))](eq_bigr (fun=> w u.+2)) => [|v]; last first.
  case/andP=> _ vv0; rewrite /W (_ : g v != j) ?addn1 //.
  by rewrite -v0j (inj_eq perm_inj).
by rewrite ler_pemull // !addr_ge0 // sumr_ge0.
Qed.

End OneLoose.

(* The mass of the orbit of a base that moves a and b records of two rows,    *)
(* in the data set of w and in the one where i and j are exchanged            *)
Definition orbit_in (R : realFieldType) (w : nat -> R) a b : R :=
  w (a + b)%N + w (a + b).+1 *+ a + (w (a + b).+1 + w (a + b).+2 *+ a) *+ b.
Definition orbit_out (R : realFieldType) (w : nat -> R) a b : R :=
  w (a + b).+2 + w (a + b).+2 *+ a + (w (a + b).+2 + w (a + b).+2 *+ a) *+ b.

(* Two records, in two rows A and B                                           *)
Section TwoRecords.

Variables (R : realFieldType) (T : finType) (A B : {set T}) (i j : T).
Variables (P : pred {perm T}) (c : {perm T} -> R) (w : nat -> R) (r : R).
Hypotheses (iA : i \in A) (jB : j \in B).
Hypotheses (row : free_row P c A B) (row' : free_row P c B A).

Let E := (A :|: B) :\: [set i; j].
Let mass g := c g * w (#|movers E g| + (g i != i) + (g j != j))%N.
Let mass' g := c g * w (#|movers E g| + (g i != j) + (g j != i))%N.

Let c_ge0 := free_ge0 row.
Let notB v := @free_notin _ _ P c A B v row.
Let notA v := @free_notin _ _ P c B A v row'.
Let P_A g v := @free_pred _ _ _ _ _ _ row g i v iA.
Let P_B g v := @free_pred _ _ _ _ _ _ row' g j v jB.
Let c_A g v Pg := @free_mass _ _ _ _ _ _ row g i v Pg iA.
Let c_B g v Pg := @free_mass _ _ _ _ _ _ row' g j v Pg jB.

(* The permutations of P where both are loose, by what is left without them.  *)
Lemma two_loose_sum (F : {perm T} -> R) :
  \sum_(g | P g && loose B j g && loose A i g) F g =
  \sum_(g | P g && (g i == i) && (g j == j))
     (F g + \sum_(v in movers A g) F (tperm i v * g)%g +
      \sum_(w in movers B g) (F (tperm j w * g)%g +
        \sum_(v in movers A g) F (tperm i v * (tperm j w * g))%g)).
Proof.
have [iB jA] := (notB iA, notA jB).
have ij : i != j by apply: contraNneq iB => ->.
rewrite (loose_sum (P := fun g => P g && loose B j g)) => [|g v gi vA gv].
  rewrite (eq_bigl (fun g => P g && (g i == i) && loose B j g)) => [|g].
    rewrite (loose_sum (P := fun g => P g && (g i == i))) => [|g v gj vB gv].
      apply: eq_bigr => g /andP[/andP[Pg /eqP gi] /eqP gj].
      congr (_ + _); apply: eq_bigr => v /setIdP[vB gv].
      by rewrite movers_tperm.
    rewrite P_B // permM tpermD // 1?eq_sym //.
    by apply: contraTneq vB => <-.
  by rewrite andbAC.
by rewrite P_A // loose_tperm // notB.
Qed.

Let iE : i \notin E. Proof. by rewrite !inE eqxx. Qed.
Let jE : j \notin E. Proof. by rewrite !inE eqxx orbT. Qed.
Let ij : i != j.
Proof. by apply: contraNneq (notB iA) => ->. Qed.

(* The mass of the orbit of g, which fixes i and j.                           *)
Lemma orbit_mass g : P g -> g i = i -> g j = j ->
  let orbit F := F g + \sum_(v in movers A g) F (tperm i v * g)%g +
    \sum_(w in movers B g) (F (tperm j w * g)%g +
      \sum_(v in movers A g) F (tperm i v * (tperm j w * g))%g) in
  orbit mass = c g * orbit_in w #|movers A g| #|movers B g| /\
  orbit mass' = c g * orbit_out w #|movers A g| #|movers B g|.
Proof.
move=> Pg gi gj /=; have [iB jA] := (notB iA, notA jB).
rewrite /orbit_in /orbit_out -(card_movers_rows (free_disjoint row) gi gj).
set u := #|movers E g|.
have moverA v : v \in movers A g -> [/\ v \in A, v != i, v != j & g v != v].
  case/setIdP=> vA gv; split=> //.
    by apply: contraNneq gv => ->; rewrite gi.
  by apply: contraTneq vA => ->.
have moverB v : v \in movers B g -> [/\ v \in B, v != i, v != j & g v != v].
  case/setIdP=> vB gv; split=> //; first by apply: contraTneq vB => ->.
  by apply: contraNneq gv => ->; rewrite gj.
have gvi v : v != i -> g v != i by rewrite -{2}gi (inj_eq perm_inj).
have gvj v : v != j -> g v != j by rewrite -{2}gj (inj_eq perm_inj).
have m0 : mass g = c g * w u by rewrite /mass gi gj !eqxx !addn0.
have m'0 : mass' g = c g * w u.+2.
  by rewrite /mass' gi gj ij eq_sym ij -addnA addn2.
have ji : j != i by rewrite eq_sym.
have mA v : v \in movers A g -> mass (tperm i v * g)%g = c g * w u.+1.
  case/moverA=> vA vi vj gv.
  rewrite /mass c_A // movers_tperm // !permM tpermL tpermD // gj eqxx.
  by rewrite gvi // addn0 addn1.
have m'A v : v \in movers A g -> mass' (tperm i v * g)%g = c g * w u.+2.
  case/moverA=> vA vi vj gv.
  rewrite /mass' c_A // movers_tperm // !permM tpermL tpermD // gj ji.
  by rewrite gvj // -addnA addn2.
have mB v : v \in movers B g -> mass (tperm j v * g)%g = c g * w u.+1.
  case/moverB=> vB vi vj gv.
  rewrite /mass c_B // movers_tperm // !permM tpermL tpermD // gi eqxx.
  by rewrite gvj // addn0 addn1.
have m'B v : v \in movers B g -> mass' (tperm j v * g)%g = c g * w u.+2.
  case/moverB=> vB vi vj gv.
  rewrite /mass' c_B // movers_tperm // !permM tpermL tpermD // gi ij.
  by rewrite gvi // -addnA addn2.
have AB l v (h := (tperm j l * g)%g) : l \in movers B g -> v \in movers A g ->
    [/\ c (tperm i v * h)%g = c g, movers E (tperm i v * h)%g = movers E g,
        (tperm i v * h)%g i = g v & (tperm i v * h)%g j = g l].
  move=> /moverB[lB li lj gl] /moverA[vA vi vj gv].
  have lv : l != v by apply: contraNneq (notB vA) => <-.
  have hi : h i = i by rewrite permM tpermD.
  have hv : h v = g v by rewrite permM tpermD // eq_sym.
  have hj : h j = g l by rewrite permM tpermL.
  have Ph : P h by rewrite P_B.
  have ch : c h = c g by rewrite c_B.
  have Eh : movers E h = movers E g by rewrite movers_tperm.
  move: h hi hv hj Ph ch Eh => h hi hv hj Ph ch Eh.
  by rewrite c_A // movers_tperm ?hv // !permM tpermL tpermD // hv hj.
have mAB l v : l \in movers B g -> v \in movers A g ->
    mass (tperm i v * (tperm j l * g))%g = c g * w u.+2.
  move=> gl gv; rewrite /mass; have [-> -> -> ->] := AB l v gl gv.
  case/moverA: gv => vA vi vj gv; case/moverB: gl => lB li lj gl.
  by rewrite gvi // gvj // -addnA addn2.
have m'AB l v : l \in movers B g -> v \in movers A g ->
    mass' (tperm i v * (tperm j l * g))%g = c g * w u.+2.
  move=> gl gv; rewrite /mass'; have [-> -> -> ->] := AB l v gl gv.
  case/moverA: gv => vA vi vj gv; case/moverB: gl => lB li lj gl.
  by rewrite gvi // gvj // -addnA addn2.
rewrite m0 m'0 (eq_bigr _ mA) (eq_bigr _ m'A) !sumr_const; split.
  rewrite [X in _ + X](eq_bigr
    (fun=> c g * (w u.+1 + w u.+2 *+ #|movers A g|))) => [|l gl]; last first.
    rewrite (eq_bigr _ (mAB l^~ gl)) sumr_const mB //.
    by rewrite mulrDr mulrnAr.
  by rewrite sumr_const -!mulrnAr -!mulrDr.
rewrite [X in _ + X](eq_bigr
  (fun=> c g * (w u.+2 + w u.+2 *+ #|movers A g|))) => [|l gl]; last first.
  rewrite (eq_bigr _ (m'AB l^~ gl)) sumr_const m'B //.
  by rewrite mulrDr mulrnAr.
by rewrite sumr_const -!mulrnAr -!mulrDr.
Qed.

Hypothesis w_ge0 : forall k, 0 <= w k.
Hypothesis P_moved : forall g, P g ->
  (#|movers E g| + (g i != i) + (g j != j) != 1)%N.
Hypothesis P_moved' : forall g, P g ->
  (#|movers E g| + (g i != j) + (g j != i) != 1)%N.
Hypothesis r_ge1 : 1 <= r.
Hypothesis w_step : forall k, (0 < k <= #|E|)%N -> w k.+1 <= r * w k.+2.
Hypothesis w_fall : forall k e, (k <= #|E|)%N -> (e <= 2)%N -> (k + e != 1)%N ->
  w k.+2 <= r * w (k + e)%N.
Let base g := P g && (g i == i) && (g j == j).
Hypothesis bases_le :
  \sum_(g | base g) c g * orbit_in w #|movers A g| #|movers B g| <=
  r * \sum_(g | base g) c g * orbit_out w #|movers A g| #|movers B g|.

Lemma two_loose_le :
  \sum_(g | P g && loose B j g && loose A i g) mass g <=
  r * \sum_(g | P g && loose B j g && loose A i g) mass' g.
Proof.
rewrite !two_loose_sum; move: bases_le; congr (_ <= r * _); apply: eq_bigr => g;
  case/andP=> /andP[Pg /eqP gi] /eqP gj; have [e e'] := orbit_mass Pg gi gj.
  by rewrite e.
by rewrite e'.
Qed.

(* Neither record is loose: nothing to insert.                                *)
Lemma tight_le g : P g -> ~~ loose A i g -> ~~ loose B j g ->
  mass g <= r * mass' g.
Proof.
move=> Pg /norP[gi _] /norP[gj _]; rewrite /mass /mass' gi gj mulrCA.
rewrite ler_wpmul2l // -!addnA addn2 w_fall //.
- by apply: subset_leq_card; apply/subsetP=> v /setIdP[].
- by case: (g i != j); case: (g j != i).
by rewrite addnA P_moved'.
Qed.

Lemma exchange_le :
  \sum_(g | P g) mass g <= r * \sum_(g | P g) mass' g.
Proof.
rewrite (bigID (loose B j)) [X in r * X](bigID (loose B j)) /= mulrDr.
apply: ler_add; rewrite (bigID (loose A i)) [X in r * X](bigID (loose A i)) /=
  mulrDr; apply: ler_add.
- exact: two_loose_le.
- have swap (F : {perm T} -> R) :
      \sum_(g | P g && loose B j g && ~~ loose A i g) F g =
      \sum_(g | P g && ~~ loose A i g && loose B j g) F g.
    by apply: eq_bigl => g; rewrite andbAC.
  rewrite !swap.
  rewrite (eq_bigr (fun g => c g * w (#|movers E g| + (g j != j) +
    (g i != i))%N)) => [|g _]; last by rewrite addnAC.
  rewrite [X in _ <= r * X](eq_bigr (fun g => c g * w (#|movers E g| +
    (g j != i) + (g i != j))%N)) => [|g _]; last by rewrite /mass' addnAC.
  apply: one_loose_le => //.
  by move=> g Pg; rewrite addnAC P_moved.
- exact: one_loose_le.
rewrite mulr_sumr; apply: ler_sum => g /andP[/andP[Pg j_tight] i_tight].
exact: tight_le.
Qed.

End TwoRecords.

(* The inequality for bases, orbit by orbit                                   *)
Lemma bases_le_orbits (R : realFieldType) (T : finType) (A B : {set T})
    (i j : T) (Q : pred {perm T}) (c : {perm T} -> R) (w : nat -> R) (r : R) :
    [disjoint A & B] -> (forall g, 0 <= c g) ->
    (forall g, Q g -> [/\ g i = i, g j = j &
       (#|movers ((A :|: B) :\: [set i; j]) g| != 1)%N]) ->
    (forall a b, (a + b <= #|(A :|: B) :\: [set i; j]|)%N -> (a + b != 1)%N ->
       orbit_in w a b <= r * orbit_out w a b) ->
  \sum_(g | Q g) c g * orbit_in w #|movers A g| #|movers B g| <=
  r * \sum_(g | Q g) c g * orbit_out w #|movers A g| #|movers B g|.
Proof.
move=> AB0 c_ge0 Q_fix w_orbit; rewrite mulr_sumr; apply: ler_sum => g Qg.
have [gi gj g1] := Q_fix g Qg; rewrite mulrCA ler_wpmul2l //.
have uE := card_movers_rows AB0 gi gj.
apply: w_orbit; rewrite -uE //.
by apply: subset_leq_card; apply/subsetP=> v /setIdP[].
Qed.
