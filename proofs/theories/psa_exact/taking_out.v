From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify.
From Stirred Require Import compat insertion.

(******************************************************************************)
(* Double counts: taking records out of the cycles of a permutation           *)
(*                                                                            *)
(* D is a set of points that may take each other's place: a set Q of          *)
(* permutations is closed under tperm v u * g for v, u in D, and so is a      *)
(* weight c. Of the points of D that g moves, those whose predecessor lies in *)
(* D are removable (insertion.v) or in a 2-cycle, and come back by insertion. *)
(*                                                                            *)
(*   moving D Q c b == the sum of c over the permutations of Q that move b    *)
(*            points of D                                                     *)
(*   swapped D v g == v lies in a 2-cycle of g inside D                       *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   double_count == if at most a of the points of D that move come from      *)
(*            outside, (b+2-a) C(b+2) <= (b+1)(|D|-b-1) C(b+1) +              *)
(*            (|D|-b)(|D|-b-1) C(b), where C b = moving D Q c b               *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section TakingOut.

Variables (R : realFieldType) (T : finType) (D : {set T}).
Variables (Q : pred {perm T}) (c : {perm T} -> R).
Hypothesis Q_D : forall (g : {perm T}) v u, v \in D -> u \in D ->
  Q (tperm v u * g)%g = Q g.
Hypothesis c_D : forall g v u, Q g -> v \in D -> u \in D ->
  c (tperm v u * g)%g = c g.
Implicit Types (g : {perm T}) (u v : T).

Definition moving b := \sum_(g | Q g && (#|movers D g| == b)) c g.
Definition swapped v g :=
  ((g^-1)%g v \in D) && (g v == (g^-1)%g v) && (g v != v).

Lemma card_still g : #|[set v in D | g v == v]| = (#|D| - #|movers D g|)%N.
Proof.
rewrite -(cardsID [set v | g v == v] D) -[X in (_ + X - _)%N]/#|D :\: _|.
have -> : D :\: [set v | g v == v] = movers D g.
  by apply/setP=> v; rewrite !inE andbC.
rewrite addnK; apply: eq_card => v; by rewrite !inE.
Qed.

Lemma card_movers_removable v u g : v \in D -> u \in D -> g v = v -> g u != u ->
  #|movers D (tperm v u * g)%g| = #|movers D g|.+1.
Proof.
move=> vD uD gv gu; have vu : v != u by apply: contraNneq gu => <-; rewrite gv.
have -> : movers D (tperm v u * g)%g = v |: movers D g.
  apply/setP=> l; rewrite !inE permM; have [-> | lv] := eqVneq l v.
    by rewrite tpermL vD /= -[X in _ != X]gv (inj_eq perm_inj) eq_sym.
  have [-> | lu] := eqVneq l u; last by rewrite tpermD // eq_sym.
  by rewrite tpermR gv vu gu.
by rewrite cardsU1 inE gv eqxx andbF.
Qed.

Lemma card_movers_swapped v u g : v \in D -> u \in D -> v != u ->
  g v = v -> g u = u -> #|movers D (tperm v u * g)%g| = #|movers D g|.+2.
Proof.
move=> vD uD vu gv gu.
have -> : movers D (tperm v u * g)%g = v |: (u |: movers D g).
  apply/setP=> l; rewrite !inE permM; have [-> | lv] := eqVneq l v.
    by rewrite tpermL vD gu eq_sym vu.
  have [-> | lu] := eqVneq l u; last by rewrite tpermD // eq_sym.
  by rewrite tpermR gv vu uD.
by rewrite !cardsU1 !inE gv gu !eqxx (negbTE vu) !andbF.
Qed.

Let at_size b g := if #|movers D g| == b then c g else 0.

Lemma movingE b : moving b = \sum_(g | Q g) at_size b g.
Proof. by rewrite /moving big_mkcondr. Qed.

Lemma exchange_count b (q : T -> {perm T} -> bool) :
  \sum_(g | Q g && (#|movers D g| == b)) c g *+ #|[set v in D | q v g]| =
  \sum_(v in D) \sum_(g | Q g && q v g) at_size b g.
Proof.
rewrite (exchange_big_dep Q) /=; last by move=> v g _ /andP[].
rewrite big_mkcondr /=; apply: eq_bigr => g Qg; rewrite sumr_const /at_size.
case: eqP => _; last by rewrite mul0rn.
by congr (_ *+ _); apply: eq_card => v; rewrite !inE Qg.
Qed.

Lemma removable_moving b :
  \sum_(g | Q g && (#|movers D g| == b.+1)) c g *+
     #|[set v in D | removable D v g]| =
  moving b *+ (b * (#|D| - b)).
Proof.
rewrite exchange_count (eq_bigr (fun v => \sum_(g | Q g && (g v == v))
   at_size b g *+ b)) => [|v vD]; last first.
  rewrite removable_sum => [|g u gv uD _]; last by rewrite Q_D.
  apply: eq_bigr => g /andP[Qg /eqP gv].
  rewrite (eq_bigr (fun=> at_size b g)) => [|u /setIdP[uD gu]].
    rewrite sumr_const /at_size; case: eqP => [-> //|_].
    by rewrite !mul0rn.
  by rewrite /at_size card_movers_removable // eqSS c_D.
rewrite (exchange_big_dep Q) /=; last by move=> v g _ /andP[].
rewrite movingE -sumrMnl; apply: eq_bigr => g Qg; rewrite sumr_const.
rewrite (_ : #|_| = #|[set v in D | g v == v]|).
  rewrite card_still -mulrnA /at_size; case: eqP => [-> //|_].
  by rewrite !mul0rn.
by apply: eq_card => v; rewrite !inE Qg.
Qed.

Lemma swapped_moving b :
  \sum_(g | Q g && (#|movers D g| == b.+2)) c g *+ #|[set v in D | swapped v g]|
  = moving b *+ ((#|D| - b) * (#|D| - b).-1).
Proof.
rewrite exchange_count (eq_bigr (fun v => \sum_(g | Q g && (g v == v))
    at_size b g *+ (#|D| - b).-1)) => [|v vD].
  rewrite (exchange_big_dep Q) /=; last by move=> v g _ /andP[].
  rewrite movingE -sumrMnl; apply: eq_bigr => g Qg; rewrite sumr_const.
  transitivity (at_size b g *+ (#|D| - b).-1 *+ #|[set v in D | g v == v]|).
    by congr (_ *+ _); apply: eq_card => v; rewrite !inE Qg.
  rewrite card_still -mulrnA mulnC /at_size; case: eqP => [-> //|_].
  by rewrite !mul0rn.
transitivity (\sum_(u in D :\ v)
    \sum_(g | Q g && (g v == v) && (g u == u)) at_size b g); last first.
  rewrite (exchange_big_dep (fun g => Q g && (g v == v))) /=; last first.
    by move=> u g _ /andP[].
  apply: eq_bigr => g /andP[Qg gv]; rewrite sumr_const.
  rewrite (_ : #|_| = #|[set v in D | g v == v] :\ v|).
    rewrite /at_size; case: eqP => [<-|_]; last by rewrite !mul0rn.
    by rewrite -card_still [in RHS](cardsD1 v) !inE vD gv.
  apply: eq_card => u; rewrite !inE Qg gv /=.
  by rewrite unfold_in !inE -andbA.
rewrite (partition_big (fun g => (g^-1)%g v) (mem (D :\ v))) /=; last first.
  move=> g /andP[_ /andP[/andP[uD /eqP gv] gv_neq]].
  by rewrite !inE uD -gv gv_neq.
apply: eq_bigr => u; rewrite !inE => /andP[uv uD].
rewrite (reindex_inj (mulgI (tperm v u))) /=.
have predE (g : {perm T}) : Q (tperm v u * g)%g && swapped v (tperm v u * g)%g
    && (((tperm v u * g)^-1)%g v == u) = Q g && (g v == v) && (g u == u).
  rewrite Q_D // /swapped invMg tpermV !permM tpermL.
  have [gv | gv] := eqVneq (g v) v.
    have -> : (g^-1)%g v = v by rewrite -{1}gv permK.
    rewrite tpermL uD eqxx !andbT /= -[X in g u != X]gv (inj_eq perm_inj) uv.
    by rewrite andbT.
  rewrite !andbF /=; apply/negbTE; rewrite negb_and orbC; apply/orP; left.
  apply: contraNneq gv => uE; rewrite eq_sym -(canF_eq (permKV g)).
  by rewrite -(inj_eq (@perm_inj _ (tperm v u))) uE tpermL.
rewrite (eq_bigl _ _ predE); apply: eq_bigr => g /andP[/andP[Qg /eqP gv]].
move=> /eqP gu; rewrite /at_size card_movers_swapped ?c_D ?eqSS //.
by rewrite eq_sym.
Qed.

Hypothesis c_ge0 : forall g, 0 <= c g.

Lemma moving_ge0 b : 0 <= moving b.
Proof. exact: sumr_ge0. Qed.

(* More than #|D| points of D never move.                                     *)
Lemma moving_big b : (#|D| < b)%N -> moving b = 0.
Proof.
move=> lt_b; apply: big1 => g /andP[_ /eqP gb]; move: lt_b; rewrite -gb ltnNge.
by rewrite subset_leq_card //; apply/subsetP=> v /setIdP[].
Qed.

(* A point of D that moves is removable, in a 2-cycle, or the image of a      *)
(* point outside D: of at most a.                                             *)
Lemma movers_le (A : {set T}) g :
    (forall v, v \in D -> g v != v -> (g^-1)%g v \in A :|: D) ->
  (#|movers D g| <= #|[set v in D | removable D v g]| +
     #|[set v in D | swapped v g]| + #|movers A g|)%N.
Proof.
move=> from_rows; rewrite -[#|movers A g|](card_imset _ (@perm_inj _ g)).
set S1 := [set v in D | removable D v g]; set S2 := [set v in D | swapped v g].
set S3 := imset _ _; apply: (@leq_trans #|S1 :|: S2 :|: S3|); last first.
  apply: leq_trans (leq_card_setU _ _) _.
  by rewrite leq_add2r leq_card_setU.
apply: subset_leq_card; apply/subsetP=> v /setIdP[vD gv].
rewrite !inE vD /= /removable /swapped gv.
have := from_rows v vD gv; rewrite inE; case uD: (_ \in D).
  by move=> _ /=; case: eqP.
rewrite orbF /= => uA; apply/imsetP; exists ((g^-1)%g v); rewrite ?permKV //.
rewrite inE uA permKV; apply: contraNneq gv => gu.
by rewrite {1}gu permKV.
Qed.

Lemma double_count a b :
    (forall g, Q g -> (#|movers D g| <= #|[set v in D | removable D v g]| +
     #|[set v in D | swapped v g]| + a)%N) ->
  (b.+2%:R - a%:R) * moving b.+2 <=
  moving b.+1 *+ (b.+1 * (#|D| - b.+1)) +
  moving b *+ ((#|D| - b) * (#|D| - b).-1).
Proof.
move=> le_a; rewrite -removable_moving -swapped_moving -big_split /= mulr_sumr.
apply: ler_sum => g /andP[Qg /eqP gb]; rewrite -mulrnDr -[leRHS]mulr_natl.
rewrite ler_wpmul2r // ler_subl_addr -natrD ler_nat -gb.
exact: le_a.
Qed.

End TakingOut.
