"""Lower bounds for ε-private transcripts: Azize & Basu (2022, Theorem 3) and Azize et al. (2025, Theorem 1), for
Bernoulli arms.

Both are on liminf R(T)/ln T, for a policy with regret o(T^η) for every η > 0 on every Bernoulli instance (consistent)
that is ε-private towards one reward over the whole transcript. Re-derived here, in one step.

Let P, P′ be the laws of the selections on two instances that differ in arm a alone: mean p there, q here. Fix
selections s. Under P they have probability Σ_x P(x) π(s | x), x the rewards that s collects. Given x let z_t = x_t for
the other arms, and for arm a draw z_t from a maximal coupling of p with some r: it differs from x_t with probability
TV(p, r) = |p − r|, for each t on its own. With d the number of differences, ε-privacy towards groups says π(s | z) >=
e^−εd π(s | x), so

    P′(s) = E_z~r [π(s | z) Π (q/r)(z_t)] >= E_x,z [π(s | x) e^−εd Π (q/r)(z_t)],

and by Jensen's inequality under the weights P(x) π(s | x)/P(s), where t runs over the rounds that play a,

    ln P(s)/P′(s) <= E[Σ g(x_t) | s],  g(x) = E[ε 1{z ≠ x} + ln (r/q)(z) | x],  E_x~p g(x) = ε TV(p, r) + kl(r, q).

Averaged over s ~ P, since a round's reward is independent of whether a is played in it:

    KL(P, P′) <= E[N_a(T)] (ε TV(p, r) + kl(r, q)) for every r,  so  KL(P, P′) <= E[N_a(T)] d_ε(p, q).

If q is above all other means, a is the only best arm under P′ and N_a(T)/T has mean 1 − o(T^η−1) there, o(T^η−1) under
P. By data processing KL(P, P′) >= kl(E[N_a/T], E′[N_a/T]) = (1 + o(1)) ln T, so liminf E[N_a(T)]/ln T >= 1/d_ε(μ_a, q),
and q may fall to the best mean μ*. Where μ* = 1 no mean is above it, and nothing follows.

With r = p or r = q, d_ε <= min{kl, ε TV}: the constant 6 of 2022's 6 ε TV can be 1, and 2025 is at least as large
everywhere. The theorem of 2022 was read in its text; of that of 2025 an account.
"""

from dataclasses import replace

import numpy as np

from dpbandits.algorithms.kl import kl
from dpbandits.algorithms.private_kl import private_kl
from dpbandits.bounds.record import Bound, Term, total
from dpbandits.parameters import EPSILON, MEANS


def _rate(means, price) -> float:
    """Σ over arms below the best one of gap/price(mean, best); 0 where the best mean is 1."""
    means = np.asarray(means, float)
    best = means.max()
    return float(sum((best - p) / price(p, best) for p in means if p < best)) if best < 1 else 0.0


def azize_basu(epsilon, means):
    """Σ Δ_a/min{kl(μ_a, μ*), 6 ε Δ_a} over the suboptimal arms: for Bernoulli arms the total variation is the gap
    Δ_a.
    """
    return float(total(terms_2022(epsilon, means)))


def terms_2022(epsilon, means):
    """Arms at which the divergence is the smaller, and those at which 6ε TV is: the larger shares."""
    means = np.asarray(means, float)
    best = means.max()
    both = [(kl(p, best), 6 * epsilon * (best - p), best - p) for p in means if p < best < 1]
    learn, private = (
        float(sum(gap / min(own, other) for own, other, gap in both if bool(own <= other) is first))
        for first in (True, False)
    )
    return (
        Term(
            "learning, of the arms where it is the larger",
            r"\sum_a \frac{\Delta_a \ln T}{\mathrm{kl}(\mu_a, \mu^*)}",
            learn,
        ),
        Term("privacy, of the others", r"\sum_a \frac{\ln T}{6\varepsilon}", private),
    )


def azize_2025(epsilon, means):
    """Σ Δ_a/d_ε(μ_a, μ*) over the suboptimal arms, d_ε(p, q) = inf over r of ε·TV(p, r) + kl(r, q)."""
    return _rate(means, lambda p, best: private_kl(p, best, epsilon))


def terms_2025(epsilon, means):
    """It is one: learning and privacy stand in d_ε together."""
    formula = r"\sum_a \frac{\Delta_a \ln T}{d_\varepsilon(\mu_a, \mu^*)}"
    return (Term("learning and privacy together", formula, azize_2025(epsilon, means)),)


def _notes(horizon, value, epsilon, means):
    if max(means) >= 1:
        return ("void: the best mean is 1, and no arm can be better than that.",)
    if min(means) == max(means):
        return ("every arm is best, so the bound is 0.",)
    return (
        "holds in the limit of large T, for ε-private transcripts (δ = 0) of policies that do well on every Bernoulli"
        " instance.",
    )


RATE = r"\liminf_{T\to\infty} \frac{R(T)}{\ln T} \ge \sum_{a:\,\Delta_a > 0} "
FORMULA_2022 = RATE + r"\frac{\Delta_a}{\min\{\mathrm{kl}(\mu_a, \mu^*),\; 6\varepsilon\,\mathrm{TV}(\mu_a, \mu^*)\}}"
FORMULA_2025 = RATE + (
    r"\frac{\Delta_a}{d_\varepsilon(\mu_a, \mu^*)}, \qquad"
    r" d_\varepsilon(p, q) = \inf_r \varepsilon\,\mathrm{TV}(p, r) + \mathrm{kl}(r, q)"
)
SYMBOLS = "μ_a: mean of arm a; μ*: the best one; Δ_a: their distance, for Bernoulli arms also the total variation TV"


def _lower(name, title, paper, where, function, terms, formula):
    return Bound(
        name, title, paper, where, "lower", "stochastic", (EPSILON, replace(MEANS, required=False)), function, _notes,
        facts=("means",), asymptotic=True, scope="transcript", maximum=True, formula=formula, symbols=SYMBOLS,
        terms=terms,
    )  # fmt: skip


BOUNDS = (
    _lower(
        "azize-basu-lower",
        "Least regret of an ε-private transcript, KL or 6ε TV",
        "Azize & Basu 2022",
        "Theorem 3",
        azize_basu,
        terms_2022,
        FORMULA_2022,
    ),
    _lower(
        "azize-2025-lower",
        "Least regret of an ε-private transcript, d_ε",
        "Azize et al. 2025",
        "Theorem 1",
        azize_2025,
        terms_2025,
        FORMULA_2025,
    ),
)
