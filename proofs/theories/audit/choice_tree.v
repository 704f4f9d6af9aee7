From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law.

(******************************************************************************)
(* Choice trees: every random choice that a program makes on one data set,    *)
(* with whole numbers for weights, and the law of its output. The law is      *)
(* computed in binary numbers over one denominator.                           *)
(*                                                                            *)
(*   tree == Give t: the program ends with output t, or the attempt with      *)
(*            result t;                                                       *)
(*           Restart: the attempt, or outside of one the program, begins anew;*)
(*           Choose ws ts: goes on with one of ts, by the weights ws;         *)
(*           Attempt b ts: attempts b, and goes on with the tree of ts that   *)
(*            its result names                                                *)
(*   well_formed n T == every output is at most n, every choice has as many   *)
(*            weights as branches, every result of an attempt has its branch; *)
(*            of other trees tree_law says nothing about a program            *)
(*   ratN n == the binary number n as a rational number                       *)
(*   mixture ws ss == the mean of ss by the weights ws                        *)
(*   share T t == the probability that T ends with t before it restarts       *)
(*   tree_law n T == the law of the output of T on 0, ..., n: its shares,     *)
(*            divided by their sum; 0 for certain if no share is positive     *)
(*   weighed T == the shares of T over one denominator: (the denominator, the *)
(*            numerators by output)                                           *)
(*   masses n T == the weights of 0, ..., n in the law of T                   *)
(*   total v == the sum of a list of binary numbers                           *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   tree_lawE == the law of a tree is that of its masses                     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Inductive tree : Type :=
  | Give of nat
  | Restart
  | Choose of seq N & seq tree
  | Attempt of tree & seq tree.

Fixpoint well_formed (n : nat) (T : tree) : bool :=
  match T with
  | Give t => (t <= n)%N
  | Restart => true
  | Choose ws ts => (size ws == size ts) && all (well_formed n) ts
  | Attempt b ts =>
      [&& (0 < size ts)%N, well_formed (size ts).-1 b & all (well_formed n) ts]
  end.

Definition ratN (n : N) : rat := (nat_of_bin n)%:R.

Definition mixture (ws ss : seq rat) : rat :=
  (\sum_(p <- zip ws ss) p.1 * p.2) / (\sum_(p <- zip ws ss) p.1).

Fixpoint share (T : tree) (t : nat) : rat :=
  match T with
  | Give u => (t == u)%:R
  | Restart => 0
  | Choose ws ts => mixture (map ratN ws) [seq share T t | T <- ts]
  | Attempt b ts =>
      mixture [seq share b i | i <- iota 0 (size ts)] [seq share T t | T <- ts]
  end.

(* Binary numbers                                                             *)

Lemma ratN_ge0 n : 0 <= ratN n.
Proof. exact: ler0n. Qed.

Lemma ratND m n : ratN (m + n)%num = ratN m + ratN n.
Proof. by rewrite /ratN nat_of_add_bin natrD. Qed.

Lemma ratNM m n : ratN (m * n)%num = ratN m * ratN n.
Proof. by rewrite /ratN nat_of_mul_bin natrM. Qed.

Lemma ratN_le m n : N.leb m n -> ratN m <= ratN n.
Proof.
move=> /N.leb_le/N.sub_add <-.
by rewrite ratND ler_addr ratN_ge0.
Qed.

Lemma ratN_lt m n : N.ltb m n -> ratN m < ratN n.
Proof.
move=> /N.ltb_lt/N.le_succ_l/N.leb_le/ratN_le.
rewrite -N.add_1_l ratND; apply: lt_le_trans.
by rewrite ltr_addr ltr01.
Qed.

Lemma ratN_eq0 n : (ratN n == 0) = N.eqb n 0.
Proof.
case: n => [|p] //=; rewrite /ratN pnatr_eq0.
apply/negbTE; rewrite -lt0n; elim: p => //= p.
by rewrite NatTrec.doubleE double_gt0.
Qed.

(* Vectors of binary numbers                                                  *)

Definition total (v : seq N) : N := foldr N.add 0%num v.

Lemma totalE v : ratN (total v) = \sum_(x <- v) ratN x.
Proof.
by elim: v => [|x v IHv]; rewrite ?big_nil // big_cons -IHv -ratND.
Qed.

Fixpoint add_vectors (u v : seq N) : seq N :=
  match u, v with
  | x :: u', y :: v' => (x + y)%num :: add_vectors u' v'
  | [::], _ => v
  | _, [::] => u
  end.

Lemma nth_add_vectors u v i :
  ratN (nth 0%num (add_vectors u v) i) =
  ratN (nth 0%num u i) + ratN (nth 0%num v i).
Proof.
elim: u v i => [|x u IHu] [|y v] [|i] //=; rewrite ?addr0 ?add0r //.
exact: ratND.
Qed.

Definition scale (c : N) (v : seq N) : seq N := [seq (c * x)%num | x <- v].

Lemma nth_scale c v i :
  ratN (nth 0%num (scale c v) i) = ratN c * ratN (nth 0%num v i).
Proof.
have [lt_iv | le_vi] := ltnP i (size v).
  by rewrite (nth_map 0%num) ?ratNM.
by rewrite !nth_default ?size_map // mulr0.
Qed.

(* Shares over one denominator                                                *)

Definition weights : Type := (N * seq N)%type.

Definition denominator (vs : seq weights) : N :=
  foldr (fun v => N.lcm v.1) 1%num vs.

Definition mixed_weights (ws : seq N) (vs : seq weights) : weights :=
  let d := denominator vs in
  ((d * total [seq p.1 | p <- zip ws vs])%num,
   foldr (fun p => add_vectors (scale (p.1 * (d / p.2.1)) p.2.2)) [::]
     (zip ws vs)).

Fixpoint weighed (T : tree) : weights :=
  match T with
  | Give u => (1%num, ncons u 0%num [:: 1%num])
  | Restart => (1%num, [::])
  | Choose ws ts => mixed_weights ws (map weighed ts)
  | Attempt b ts =>
      let: (d, results) := weighed b in
      if N.eqb d 0 then (0%num, [::])
      else mixed_weights (mkseq (nth 0%num results) (size ts)) (map weighed ts)
  end.

Lemma denominator_neq0 vs v : denominator vs <> 0%num -> v \in vs ->
  exists2 c, denominator vs = (c * v.1)%num & v.1 <> 0%num.
Proof.
elim: vs => //= u vs IHvs d_n0; rewrite inE => /predU1P[-> | v_in].
  have [c dE] := N.divide_lcm_l u.1 (denominator vs).
  by exists c => // u0; apply: d_n0; rewrite dE u0 N.mul_0_r.
have [c dE] := N.divide_lcm_r u.1 (denominator vs).
have dvs_n0 : denominator vs <> 0%num.
  by move=> d0; apply: d_n0; rewrite dE d0 N.mul_0_r.
have [c' d'E v_n0] := IHvs dvs_n0 v_in; exists (c * c')%num => //.
by rewrite dE d'E N.mul_assoc.
Qed.

Definition represents (T : tree) (v : weights) : Prop :=
  v.1 <> 0%num ->
  forall t, share T t = ratN (nth 0%num v.2 t) / ratN v.1.

Lemma ratN_neq0 n : n <> 0%num -> ratN n != 0.
Proof. by move=> n_n0; rewrite ratN_eq0; apply/negP => /N.eqb_eq. Qed.

Lemma sum_mixed (d : N) (f : rat) (ws : seq N) (ts : seq tree) t :
  ratN d != 0 ->
  (forall T, List.In T ts ->
     [/\ ratN d = ratN (d / (weighed T).1)%num * ratN (weighed T).1,
         ratN (weighed T).1 != 0 &
         share T t = ratN (nth 0%num (weighed T).2 t) / ratN (weighed T).1]) ->
  \sum_(p <- zip [seq f * ratN w | w <- ws] [seq share T t | T <- ts])
    p.1 * p.2 =
  f * (ratN (nth 0%num (foldr (fun p => add_vectors
         (scale (p.1 * (d / p.2.1)) p.2.2)) [::]
         (zip ws (map weighed ts))) t) / ratN d).
Proof.
move=> d_n0; elim: ws ts => [|w ws IHws] [|T ts] rep /=;
  rewrite ?big_nil ?nth_nil ?mul0r ?mulr0 //.
rewrite big_cons /= IHws => [|S S_in]; last by apply: rep; right.
have [dE T_n0 ->] := rep T (or_introl erefl).
rewrite nth_add_vectors nth_scale ratNM mulrDl mulrDr; congr (_ + _).
set q := ratN (d / _)%num in dE *; have q_n0 : q != 0.
  by apply: contra d_n0 => /eqP q0; rewrite dE q0 mul0r.
rewrite dE invfM -!mulrA; congr (_ * (_ * _)).
by rewrite [in RHS]mulrCA mulVKf.
Qed.

Lemma mixedP (ws : seq N) (ts : seq tree) (f : rat) t :
  (forall T, List.In T ts -> represents T (weighed T)) -> f != 0 ->
  (mixed_weights ws (map weighed ts)).1 <> 0%num ->
  mixture [seq f * ratN w | w <- ws] [seq share T t | T <- ts] =
  ratN (nth 0%num (mixed_weights ws (map weighed ts)).2 t) /
  ratN (mixed_weights ws (map weighed ts)).1.
Proof.
move=> rep f_n0 /=; set d := denominator _; set sum := total _ => ds_n0.
have d_n0 : d <> 0%num by move=> d0; apply: ds_n0; rewrite d0.
have s_n0 : sum <> 0%num.
  by move=> s0; apply: ds_n0; rewrite s0 N.mul_0_r.
have sumE : \sum_(p <- zip [seq f * ratN w | w <- ws]
    [seq share T t | T <- ts]) p.1 = f * ratN sum.
  rewrite totalE big_map big_distrr /=.
  by elim: (ws) (ts) => [|w ws' IHws] [|T ts'];
    rewrite ?big_nil //= !big_cons /= IHws.
rewrite /mixture sumE ratNM (@sum_mixed d) ?ratN_neq0 // => [|T T_in].
  rewrite -mulf_div divff // mul1r -mulrA -invfM.
  by rewrite (mulrC (ratN d)) invfM.
have v_in : weighed T \in map weighed ts.
  elim: (ts) T_in => //= S ts' IHts [-> | /IHts T_in]; rewrite inE ?eqxx //.
  by rewrite T_in orbT.
have [c dE T_n0] := denominator_neq0 d_n0 v_in.
split; [|exact: ratN_neq0 | exact: rep].
by rewrite /d dE N.div_mul // ratNM.
Qed.

Lemma tree_rect_all (P : tree -> Prop) :
  (forall t, P (Give t)) -> P Restart ->
  (forall ws ts, (forall T, List.In T ts -> P T) -> P (Choose ws ts)) ->
  (forall b ts, P b -> (forall T, List.In T ts -> P T) -> P (Attempt b ts)) ->
  forall T, P T.
Proof.
move=> PG PR PC PA; fix IH 1; case=> [t||ws ts|b ts]; first exact: PG.
- exact: PR.
- apply: PC; elim: ts => [S [] | T ts IHts S [eqTS | T_in]].
    by rewrite -eqTS; apply: (IH T).
  exact: (IHts S T_in).
- apply: PA; first exact: (IH b).
  elim: ts => [S [] | T ts IHts S [eqTS | T_in]].
    by rewrite -eqTS; apply: (IH T).
  exact: (IHts S T_in).
Qed.

Lemma weighedP T : represents T (weighed T).
Proof.
elim/tree_rect_all: T => [u||ws ts IHts|b ts IHb IHts] /=.
- move=> _ t; rewrite -[X in _ / X]/(1 : rat) divr1 nth_ncons [LHS]/=.
  have [lt_tu | lt_ut | ->] := ltngtP t u; rewrite ?subnn //.
  by rewrite nth_default //= subn_gt0.
- by move=> _ t; rewrite nth_nil mul0r.
- move=> n0 t; rewrite -(mixedP t IHts (oner_neq0 _) n0); congr mixture.
  by apply: eq_map => w; rewrite mul1r.
move: IHb; case: (weighed b) => d results IHb.
case: N.eqb_spec => [_ n0 | b_n0 n0 t]; first by case: n0.
have d_n0 : (ratN d)^-1 != 0 by rewrite invr_neq0 ?(ratN_neq0 b_n0).
rewrite -(mixedP t IHts d_n0 n0).
congr mixture; rewrite /mkseq -map_comp; apply: eq_map => i.
by apply: etrans (IHb b_n0 i) _; rewrite mulrC.
Qed.

(* The law of a tree                                                          *)

Section TreeLaw.

Variable n : nat.
Implicit Types (T : tree) (t : 'I_n.+1).

Lemma mixture_ge0 (ws ss : seq rat) :
  all (fun w => 0 <= w) ws -> all (fun s => 0 <= s) ss -> 0 <= mixture ws ss.
Proof.
have mem_zip (p : rat * rat) (us vs : seq rat) : p \in zip us vs ->
    p.1 \in us /\ p.2 \in vs.
  elim: us vs => [|u us IHus] [|v vs] //=; rewrite inE => /predU1P[-> | p_in].
    by rewrite !inE !eqxx.
  by rewrite !inE; have [-> ->] := IHus _ p_in; rewrite !orbT.
move=> /allP ws_ge0 /allP ss_ge0; rewrite /mixture divr_ge0 // big_seq_cond;
  apply: sumr_ge0 => p; rewrite andbT => /mem_zip[/ws_ge0 ? /ss_ge0 ?] //.
exact: mulr_ge0.
Qed.

Lemma all_shares_ge0 (ts : seq tree) i :
  (forall T, List.In T ts -> forall j, 0 <= share T j) ->
  all (fun s => 0 <= s) [seq share T i | T <- ts].
Proof.
elim: ts => //= T ts IHts ts_ge0; rewrite ts_ge0 ?IHts //; last by left.
by move=> S S_in; apply: ts_ge0; right.
Qed.

Lemma share_ge0 T i : 0 <= share T i.
Proof.
elim/tree_rect_all: T i => [u||ws ts IHts|b ts IHb IHts] i.
- exact: ler0n.
- exact: lexx.
- apply: mixture_ge0; last exact: all_shares_ge0.
  by apply/allP => _ /mapP[w _ ->]; apply: ratN_ge0.
- apply: mixture_ge0; last exact: all_shares_ge0.
  by apply/allP => _ /mapP[j _ ->]; apply: IHb.
Qed.

Definition normalised (f : 'I_n.+1 -> rat) (t : 'I_n.+1) : rat :=
  if \sum_u f u == 0 then (t == ord0)%:R else f t / \sum_u f u.

Lemma normalised_ge0 T t : 0 <= normalised (share T) t.
Proof.
rewrite /normalised; case: ifP => _; first exact: ler0n.
by rewrite divr_ge0 ?share_ge0 ?sumr_ge0 // => u _; apply: share_ge0.
Qed.

Lemma normalised_sum1 T : \sum_t normalised (share T) t = 1.
Proof.
rewrite /normalised; case: eqP => [_ | /eqP n0]; first exact: dirac_sum1.
by rewrite -mulr_suml divff.
Qed.

Definition tree_law T : law rat_realFieldType [finType of 'I_n.+1] :=
  mk_law (normalised (share T)) (normalised_ge0 T) (normalised_sum1 T).

Definition masses T : seq N := mkseq (nth 0%num (weighed T).2) n.+1.

Lemma nth_masses T t : nth 0%num (masses T) t = nth 0%num (weighed T).2 t.
Proof. by rewrite nth_mkseq. Qed.

Lemma total_masses T :
  ratN (total (masses T)) = \sum_(t < n.+1) ratN (nth 0%num (masses T) t).
Proof.
rewrite totalE (big_nth 0%num) size_mkseq big_mkord.
by apply: eq_bigr.
Qed.

(* The law of a tree is that of its masses.                                   *)
Theorem tree_lawE T t :
  (weighed T).1 <> 0%num -> total (masses T) <> 0%num ->
  tree_law T t =
  ratN (nth 0%num (masses T) t) / ratN (total (masses T)).
Proof.
move=> w_n0 s_n0; rewrite mk_lawE /normalised.
have shareE u :
    share T u = ratN (nth 0%num (weighed T).2 u) / ratN (weighed T).1.
  exact: weighedP.
have sumE : \sum_(u < n.+1) share T u =
    ratN (total (masses T)) / ratN (weighed T).1.
  rewrite total_masses mulr_suml; apply: eq_bigr => u _.
  by rewrite nth_masses shareE.
rewrite sumE mulf_eq0 invr_eq0 (negbTE (ratN_neq0 w_n0)).
rewrite (negbTE (ratN_neq0 s_n0)) /= shareE nth_masses.
by rewrite -mulf_div divff ?mulr1 // invr_eq0 ratN_neq0.
Qed.

End TreeLaw.
