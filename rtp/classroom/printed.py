"""Algorithm 1, "Rate Publication Mechanism", as the paper prints it: input, output, lines and comments."""

INPUT = (
    r"privacy parameter $\epsilon$, time horizon $T$, rate function parameters $(\alpha, \beta)$, "
    r"consumption bound for each household $u_i$, set of data generating models $\Theta$"
)
OUTPUT = r"published rates $\hat r^1, \cdots, \hat r^T$"
FORMULAS = (
    r"At each time step $t \in \{1, \cdots, T\}$:",
    r"**for** $\theta = (\mathbf A^{t,\theta}, \Pi^\theta) \in \Theta$ **do**",
    r"initialize: $P^{1|0,\theta} \gets \Pi^\theta$",
    r"$P^{t|t-1,\theta} \gets P^{t-1|t-1,\theta}\,\mathbf A^{t,\theta}$",
    r"$\mu^{t,\theta} \gets \{M^i \mid P_i^{t|t-1,\theta} \neq 0\}$",
    r"$\nu^{t,\theta} \gets \{(M^i, M^j) \in \mu^{t,\theta} \times \mu^{t,\theta} \mid$ "
    r"$\lVert M^i - M^j\rVert_1 = 1\}$",
    r"$\kappa^{t,\theta} \gets \{$*Entries that differ between pairs in* $\nu^{t,\theta}\}$",
    r"$\lambda^{t,\theta} \gets \alpha \times \max_{h \in \kappa^{t,\theta}} u_h$",
    r"**end for**",
    r"$\lambda^t \gets \max_{\theta \in \Theta} \lambda^{t,\theta}$",
    r"$r^t \gets \alpha \textstyle\sum_{i=1}^N X_i^t + \beta$",
    r"$N^t \sim Lap(\lambda^t / \epsilon)$",
    r"$\hat r^t \gets r^t + N^t$",
    r"**return** $\hat r^t$",
    r"Derive $P^{t|t,\theta}\ \forall \theta \in \Theta$ by Equation (3)",
    r"Go to time step $t + 1$",
)
COMMENTS = {
    3: "Prior at step 1",
    4: "Calculate prior",
    5: "Non-zero prior states",
    10: "Maximum over all models",
    11: "Optimal rate",
    12: "Noise to be added",
    13: "Noisy rate",
    14: "Publish rate",
}
# What the lab does otherwise than printed, and what a line leaves open.
NOTES = (
    "Line 4: the paper prints Aᵗ, but its Section II defines Aᵗ as driving step t to t + 1; so the prior of "
    "step t uses the matrix of step t − 1.",
    "Line 5 is decided by what is impossible, never by a number that has become too small for the computer: "
    "Laplace noise explains any rate.",
    "Line 15 is Bayes' rule, state by state: the prior times Pr[r̂|state], divided by the sum over all "
    "states. Pr[r̂|state] is exact, the density of a sum of uniform consumptions plus Laplace noise.",
)

LAWS_ASIDE = (
    "Algorithm 1 thinks here in sums of uniform consumptions: the laws of use that this street has are left "
    "aside on this page, and every house uses uniformly up to its bounds."
)
