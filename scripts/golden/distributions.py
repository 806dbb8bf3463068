# Writes test/golden/distributions.json: results of PyTorch's distributions, for contrib/distributions/distributions.test.ts.
#
#   python scripts/golden/distributions.py        (torch 2.13.0)
#
# A case is {name, parameters, value, results}: results are logProb, entropy, mean, mode, variance, cdf, icdf if they exist,
# and the gradients of the sum of logProb. A divergence is {name, p, other, q, kl}. A transform is {name, parameters, x, y,
# slope}, where y is the result and slope the logarithm of the Jacobian.
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
    ("Chi2", [[1, 3, 8]], positive), ("InverseGamma", [[1.5, 3, 7], [1, 3, 0.5]], positive),
    ("StudentT", [[1.5, 3, 8], [0.5, -1, 2], [1, 2, 0.5]], real), ("FisherSnedecor", [[3, 5, 8], [5, 6, 9]], positive),
    ("Dirichlet", [[[0.5, 2, 7], [1, 1, 1]]], probabilities),
    ("Binomial", [[5, 8, 3], unit], [2, 5, 3]), ("Poisson", [[0.5, 2, 12]], [0, 3, 10]),
    ("NegativeBinomial", [[5, 8, 3], unit], [2, 5, 3]), ("Multinomial", [5, probabilities], [[1, 3, 1], [0, 1, 4]]),
    ("MultivariateNormal", [[0.5, -1], [[2, 0.3], [0.3, 1]]], [[0.1, 0.2], [1, -3]]),
    ("LowRankMultivariateNormal", [[0.5, -1, 2], [[1, 0.5], [0.2, -1], [0.3, 2]], [1, 0.5, 2]], [[0.1, 0.2, 0.3], [1, -3, 2]]),
    ("Wishart", [4.5, [[2, 0.3], [0.3, 1]]], [[3, 0.5], [0.5, 2]]),
    ("Weibull", [[1, 2, 0.5], [1.5, 3, 2]], positive), ("Pareto", [[1, 0.5, 0.3], [1.5, 3, 4]], [1.5, 2, 3]),
    ("Kumaraswamy", [[0.5, 2, 7], [1, 3, 0.5]], unit), ("HalfCauchy", [[1, 2, 0.5]], positive),
    ("LogisticNormal", [[0.5, -1], [1, 0.5]], probabilities),
    ("RelaxedBernoulli", [0.7, unit], unit), ("RelaxedOneHotCategorical", [0.7, probabilities], probabilities),
    ("OneHotCategoricalStraightThrough", [probabilities], [[0, 0, 1], [1, 0, 0]]),
    ("VonMises", [[0.5, -1, 2], [1, 2, 0.5]], real),
]
# the second values are in range of the first
same = {
    "HalfNormal": [[2, 1, 0.3]], "Cauchy": [[0, 1, 1], [2, 1, 0.3]], "Dirichlet": [[[1, 3, 2], [0.5, 1, 2]]],
    "Binomial": [[5, 5, 3], [0.5, 0.2, 0.7]], "Poisson": [[1, 3, 4]], "Pareto": [[0.5, 0.7, 0.2], [1, 2, 5]],
    "MultivariateNormal": [[0, 1], [[1, -0.2], [-0.2, 2]]],
    "LowRankMultivariateNormal": [[0, 1, 1], [[0.4], [1], [2]], [1, 2, 0.7]],
}
kinds = {
    "Normal": [[0.5, -1, 2], [1, 2, 0.5]], "Laplace": [[0.5, -1, 2], [1, 2, 0.5]], "Gumbel": [[0.5, -1, 2], [1, 2, 0.5]],
    "Exponential": [[0.5, 1, 3]], "Gamma": [[1.5, 2, 7], [1, 3, 0.5]], "Beta": [[0.5, 2, 7], [1, 3, 0.5]],
    "Pareto": [[1, 0.5, 0.3], [2.5, 3, 1.5]], "Uniform": [[0.1, -0.5, 0.4], [0.9, 0.8, 2]],
    "Bernoulli": [[0.15, 0.5, 0.9]], "Poisson": [[0.5, 2, 12]], "Binomial": [[5, 8, 3], [0.15, 0.5, 0.9]],
}
matrix = [[0.3, -1, 0.2], [0.5, 0.7, 1.1], [-0.4, 0.2, 2]]
maps = [
    ("ExpTransform", [], real), ("PowerTransform", [1.5], positive), ("SigmoidTransform", [], real), ("SoftplusTransform", [], real),
    ("TanhTransform", [], real), ("AffineTransform", [0.5, -2], real), ("StickBreakingTransform", [], [real, positive]),
    ("LowerCholeskyTransform", [], matrix), ("PositiveDefiniteTransform", [], matrix), ("ReshapeTransform", [[3], [3, 1]], [real, positive]),
]
others = {
    "Normal": [[0, 1, 1], [2, 1, 0.3]], "LogNormal": [[0, 1, 1], [2, 1, 0.3]], "Laplace": [[0, 1, 1], [2, 1, 0.3]],
    "Gumbel": [[0, 1, 1], [2, 1, 0.8]], "Uniform": [[-3, 1, 0], [2, 4, 5]], "Exponential": [[1, 2, 0.5]],
    "Bernoulli": [[0.5, 0.2, 0.7]], "Geometric": [[0.5, 0.2, 0.7]], "Categorical": [[[0.3, 0.3, 0.4], [0.6, 0.2, 0.2]]],
    "OneHotCategorical": [[[0.3, 0.3, 0.4], [0.6, 0.2, 0.2]]], "Gamma": [[1, 1, 4], [2, 1, 1]], "Beta": [[1, 1, 4], [2, 1, 1]],
}
out, divergences, transforms = [], [], []


def tensors(parameters):
    return [torch.tensor(p, dtype=torch.float64) for p in parameters]


def build(name, parameters):
    given = [int(p) if name == "Multinomial" and i == 0 else p for i, p in enumerate(parameters)]
    return getattr(D, name)(*given, validate_args=False)


def divergence(name, p, other, q):
    try:
        kl = D.kl_divergence(build(name, tensors(p)), build(other, tensors(q)))
    except NotImplementedError:
        return
    divergences.append({"name": name, "p": p, "other": other, "q": q, "kl": dump(kl)})


for name, parameters, value in cases:
    leaves = [p.requires_grad_() for p in tensors(parameters)]
    made = build(name, leaves)
    at = torch.tensor(value, dtype=torch.float64)
    log_prob = made.log_prob(at)
    results = {"logProb": dump(log_prob)}
    for method, argument in [("mean", None), ("variance", None), ("mode", None), ("entropy", None), ("cdf", at), ("icdf", torch.tensor(unit))]:
        try:
            member = getattr(made, method)
            results[method] = dump(member if isinstance(member, torch.Tensor) else member() if argument is None else member(argument))
        except (NotImplementedError, RuntimeError):
            pass
    if name == "Kumaraswamy":
        results.pop("mode")  # PyTorch's is NaN everywhere
    gradients = torch.autograd.grad(log_prob.sum(), leaves, allow_unused=True)
    gradients = [dump(torch.zeros_like(leaf) if g is None else g) for g, leaf in zip(gradients, leaves)]
    out.append({"name": name, "parameters": parameters, "value": value, "results": results, "gradients": gradients})
    if name in others or name in same:
        divergence(name, parameters, name, others.get(name) or same[name])
for name, p in kinds.items():
    for other, q in kinds.items():
        if name != other:
            divergence(name, p, other, q)
multivariate, low = [[0.5, -1, 2], [[2, 0.3, 0], [0.3, 1, 0.2], [0, 0.2, 3]]], same["LowRankMultivariateNormal"]
divergence("MultivariateNormal", multivariate, "LowRankMultivariateNormal", low)
divergence("LowRankMultivariateNormal", low, "MultivariateNormal", multivariate)
for name, parameters, x in maps:
    made = getattr(D, name)(*parameters)
    at = torch.tensor(x, dtype=torch.float64)
    y = made(at)
    try:
        slope = dump(made.log_abs_det_jacobian(at, y))
    except NotImplementedError:
        slope = None
    transforms.append({"name": name, "parameters": parameters, "x": x, "y": dump(y), "slope": slope})
with open("test/golden/distributions.json", "w") as file:
    lists = {"cases": out, "divergences": divergences, "transforms": transforms}
    text_of = lambda entries: ",\n".join(json.dumps(c, separators=(",", ":")) for c in entries)
    body = ", ".join(f'"{name}": [\n{text_of(entries)}\n]' for name, entries in lists.items())
    file.write('{"torch": "2.13.0", ' + body + "}\n")
print(len(out), "distributions,", len(divergences), "divergences,", len(transforms), "transforms")
