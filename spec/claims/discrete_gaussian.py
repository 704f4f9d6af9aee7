"""The discrete Gaussian N_Z(0, sigma^2) of article, Algorithm 2: its loss, and its sampler."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "gaussian.sum-maximal",
        "stirred, on article, Algorithm 2",
        "f(c) = sum over x in Z of exp(-(x-c)^2/(2 sigma^2)) is largest where c is an integer.",
    ),
    Claim(
        "gaussian.renyi-integer",
        "stirred, on article, Algorithm 2",
        "For integers m and alpha > 1, D_alpha(N_Z(m, sigma^2)||N_Z(0, sigma^2)) = alpha m^2/(2 sigma^2).",
    ),
    Claim(
        "gaussian.zcdp",
        "stirred, on article, Algorithm 2 (Canonne, Kamath and Steinke 2020, Theorem 4)",
        "For every integer m, D_NoR(N_Z(m, sigma^2), N_Z(0, sigma^2))^2 = m^2/(2 sigma^2): D_alpha <= alpha "
        "m^2/(2 sigma^2) for all real alpha > 1, with equality at alpha = 2.",
    ),
    Claim(
        "gaussian.diagonal",
        "stirred, on article, Algorithm 2, lines 3 and 4",
        "For independent discrete Gaussians with a diagonal Sigma, D_NoR^2 of a shift by integers m_i is the sum of "
        "m_i^2/(2 sigma_i^2).",
    ),
    Claim(
        "gaussian.not-pure",
        "dissertation, section 2.4.5",
        "Pure DP rules out Gaussian noise: for every m != 0 and every bound B some outcome x has ln(P(x)/Q(x)) > B, "
        "where P = N_Z(m, sigma^2) and Q = N_Z(0, sigma^2), so that D_Mult is infinite.",
    ),
    Claim(
        "gaussian.sampler",
        "stirred, on Canonne, Kamath and Steinke (2020), Algorithms 1 to 3",
        "The law of the program mechanisms.discrete_gaussian(sigma^2) on the query 0 is N_Z(0, sigma^2).",
    ),
)
