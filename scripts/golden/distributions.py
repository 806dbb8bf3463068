# Writes test/golden/distributions.json: what PyTorch's distributions give, for src/tensor/distributions/distributions.test.ts.
#
#   python scripts/golden/distributions.py        (torch 2.13.0)
#
# A case is {name, parameters, value, results}: results are logProb, entropy, mean, variance, cdf, icdf where there are
# any, and the gradients of the sum of logProb. A divergence is {name, p, q, kl}.
import json
import math
import torch
from torch import distributions as D

torch.set_default_dtype(torch.float64)


def text(x):
    return x if math.isfinite(x) else str(x).replace("inf", "Infinity").replace("nan", "NaN")


def dump(t):
    return {"shape": list(t.shape), "data": [text(float(x)) for x in t.detach().reshape(-1)]}


probabilities = [[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]]
real, positive, unit = [-1.3, 0.2, 2.5], [0.4, 1.1, 3.0], [0.15, 0.5, 0.9]
cases = [
    ("Normal", [[0.5, -1, 2], [1, 2, 0.5]], real), ("LogNormal", [[0.5, -1, 0], [1, 0.5, 0.7]], positive),
    ("HalfNormal", [[1, 2, 0.5]], positive), ("Laplace", [[0.5, -1, 2], [1, 2, 0.5]], real),
    ("Cauchy", [[0.5, -1, 2], [1, 2, 0.5]], real), ("Gumbel", [[0.5, -1, 2], [1, 2, 0.5]], real),
    ("Uniform", [[-2, 0, 1], [1, 3, 2]], real), ("Exponential", [[0.5, 1, 3]], positive),
    ("Bernoulli", [unit], [1, 0, 1]), ("Geometric", [unit], [0, 3, 1]),
    ("Categorical", [probabilities], [2, 0]), ("OneHotCategorical", [probabilities], [[0, 0, 1], [1, 0, 0]]),
    ("Gamma", [[0.5, 2, 7], [1, 3, 0.5]], positive), ("Beta", [[0.5, 2, 7], [1, 3, 0.5]], unit),
]
others = {
    "Normal": [[0, 1, 1], [2, 1, 0.3]], "LogNormal": [[0, 1, 1], [2, 1, 0.3]], "Laplace": [[0, 1, 1], [2, 1, 0.3]],
    "Gumbel": [[0, 1, 1], [2, 1, 0.8]], "Uniform": [[-3, 1, 0], [2, 4, 5]], "Exponential": [[1, 2, 0.5]],
    "Bernoulli": [[0.5, 0.2, 0.7]], "Geometric": [[0.5, 0.2, 0.7]], "Categorical": [[[0.3, 0.3, 0.4], [0.6, 0.2, 0.2]]],
    "OneHotCategorical": [[[0.3, 0.3, 0.4], [0.6, 0.2, 0.2]]], "Gamma": [[1, 1, 4], [2, 1, 1]], "Beta": [[1, 1, 4], [2, 1, 1]],
}
out, divergences = [], []
for name, parameters, value in cases:
    leaves = [torch.tensor(p, dtype=torch.float64, requires_grad=True) for p in parameters]
    made = getattr(D, name)(*leaves, validate_args=False)
    at = torch.tensor(value, dtype=torch.float64)
    log_prob = made.log_prob(at)
    results = {"logProb": dump(log_prob), "mean": dump(made.mean), "variance": dump(made.variance), "entropy": dump(made.entropy())}
    for method, argument in [("cdf", at), ("icdf", torch.tensor(unit))]:
        try:
            results[method] = dump(getattr(made, method)(argument))
        except NotImplementedError:
            pass
    if name == "Gamma":
        results.pop("cdf", None)  # needs the incomplete gamma function
    gradients = [dump(g) for g in torch.autograd.grad(log_prob.sum(), leaves)]
    out.append({"name": name, "parameters": parameters, "value": value, "results": results, "gradients": gradients})
    if name in others:
        q = getattr(D, name)(*[torch.tensor(p, dtype=torch.float64) for p in others[name]], validate_args=False)
        divergences.append({"name": name, "p": parameters, "q": others[name], "kl": dump(D.kl_divergence(made, q))})
with open("test/golden/distributions.json", "w") as file:
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in out)
    kls = ",\n".join(json.dumps(c, separators=(",", ":")) for c in divergences)
    file.write('{"torch": "2.13.0", "cases": [\n' + lines + '\n], "divergences": [\n' + kls + "\n]}\n")
print(len(out), "distributions,", len(divergences), "divergences")
