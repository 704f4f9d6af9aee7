"""Blackwell's theorem on general measurable spaces, on paper: dissertation, Theorem A.6.2."""

from __future__ import annotations

from verify.ledger.answers import argued
from verify.ledger.statement import state

state(
    "tradeoff.blackwell.standard",
    "dissertation, Theorem A.6.2",
    claim="For P, Q on any measurable space and P', Q' on a standard Borel space, such as R^k or a countable set, "
    "Tr(P, Q) >= Tr(P', Q') everywhere iff there exists a Markov kernel kappa with P' = kappa o P and Q' = kappa o Q.",
    repairs="tradeoff.blackwell",
    checks=[
        argued(
            "all laws P, Q; all laws P', Q' on a standard Borel space",
            proof="""If: a decision rule phi' for P', Q' gives phi(w) = int phi' dkappa(., w) for P, Q, with its size
            and power. Only if: let v = (P+Q)/2 and h = dQ/d(P+Q), so that dQ/dv = 2h and dP/dv = 2(1-h); let m be the
            law of h under v, on [0, 1], of mean 1/2; likewise v', h', m'. For c = g/(1+g) with g >= 0, sup_a (Tr(P,
            Q)(a) - g a) = sup_phi (E_Q phi - g E_P phi) = int (2h - 2g(1-h))^+ dv = 2(1+g) int (t-c)^+ dm(t). So int
            (t-c)^+ dm >= int (t-c)^+ dm' for 0 <= c < 1, and with equality for other c, as the means are equal. Hence
            m' is below m in the convex order, and by Strassen's theorem there are variables s of law m' and t of law
            m with E[t | s] = s. Let K be a regular conditional law of s given t. It sends the law 2t m(dt) of h under
            Q to that of h' under Q', since int 2t K(t, B) m(dt) = E[2t; s in B] = E[2s; s in B], and likewise 2(1-t)
            m(dt) to that of h' under P'. Let R be a regular conditional law of v' given h', which exists on a
            standard Borel space. As dQ'/dv' and dP'/dv' are functions of h', R sends the laws of h' under Q' and P'
            to Q' and P'. So kappa(., w) = int K(h(w), ds) R(s, .) is the kernel.""",
        )
    ],
)

state(
    "tradeoff.blackwell.any-space",
    "dissertation, Theorem A.6.2",
    claim="On some measurable space 1 does not imply 2: there are laws with Tr(P, Q) = Tr(P', Q') and no Markov kernel "
    "kappa with P' = kappa o P and Q' = kappa o Q.",
    checks=[
        argued(
            "one pair of laws on [0, 1] with its Borel sets and one with a set more, by the axiom of choice",
            proof="""Let N in [0, 1] have inner Lebesgue measure 0 and outer measure 1, such as a Bernstein set. The
            sets (A n N) u (B - N) with Borel sets A, B are a sigma-algebra F', and P' of such a set = (l(A) +
            l(B))/2, with Lebesgue measure l, is well defined on it, since Borel sets that agree on N or off N differ
            by a null set; P' = l on Borel sets. Let dQ'/dP' = 2w, and P = l, Q with dQ/dP = 2w on the Borel sets of
            [0, 1]. The likelihood ratio has the same law under P and P', so Tr(P, Q) = Tr(P', Q'). Let kappa be a
            kernel as in 2, and phi(w) = kappa([c, 1], w) for a rational c. Then E_P phi = P'([c, 1]) = E_P 1_[c, 1]
            and E_Q phi = Q'([c, 1]) = E_Q 1_[c, 1], so int (1_[c, 1] - phi)(w - c) dl = 0, whose integrand is nowhere
            negative: phi = 1_[c, 1] almost everywhere. So for almost all w and all rational c at once kappa([c, 1],
            w) = 1 for c <= w and 0 for c > w, and thus kappa({w}, w) = 1 and kappa(N, w) = 1_N(w). But kappa(N, .) is
            a Borel function, so that N would be Lebesgue measurable, which a set of inner measure 0 and outer measure
            1 is not.""",
        )
    ],
)
