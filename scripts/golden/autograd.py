"""Gradients of what PyTorch's users write, by PyTorch: python scripts/golden/autograd.py writes test/golden/pytorch/autograd.json.

All numbers come from values(shape, k) = sin(0.7 i + k), which the test computes as well.
"""
import json
import math
import pathlib

import torch
from torch import func

torch.set_default_dtype(torch.float64)


def values(shape, k, grad=False):
    n = math.prod(shape)
    return torch.tensor([math.sin(0.7 * i + k) for i in range(n)]).reshape(shape).requires_grad_(grad)


def numbers(x):
    return x.tolist() if isinstance(x, torch.Tensor) else [numbers(y) for y in x]


cases = {'torch': torch.__version__}

# WGAN-GP
w1, w2, real, fake = values([3, 4], 1, True), values([4, 1], 2, True), values([5, 3], 3), values([5, 3], 4)
critic = lambda x: (x @ w1).tanh() @ w2
alpha = values([5, 1], 5).abs()
mixed = (alpha * real + (1 - alpha) * fake).requires_grad_()
(gradient,) = torch.autograd.grad(critic(mixed).sum(), [mixed], create_graph=True)
penalty = ((gradient.norm(dim=1) - 1) ** 2).mean()
loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
loss.backward()
cases['wgan_gp'] = numbers([loss, w1.grad, w2.grad])

# MAML: two inner steps
w, b = values([2, 2], 6, True), values([2], 7, True)
meta = 0
for task in range(2):
    x, y = values([4, 2], 8 + task), values([4, 2], 10 + task)
    fw, fb = w, b
    for _ in range(2):
        inner = ((x @ fw + fb).sigmoid() - y).square().mean()
        gw, gb = torch.autograd.grad(inner, [fw, fb], create_graph=True)
        fw, fb = fw - 0.3 * gw, fb - 0.3 * gb
    meta = meta + ((x @ fw + fb).sigmoid() - y).square().mean()
meta.backward()
cases['maml'] = numbers([meta, w.grad, b.grad])

# Hessian-vector product, Hessian, Jacobian
f = lambda x: (x.exp() * x.flip(0)).sum() + (x**3).sum().sin()
x, v = values([4], 12), values([4], 13)
cases['hvp'] = numbers(func.jvp(func.grad(f), (x,), (v,))[1])
cases['hessian'] = numbers(func.hessian(f)(x))
g = lambda a, c: (a @ c).softmax(-1)
a, c = values([2, 3], 14), values([3, 2], 15)
cases['jacrev'] = numbers(func.jacrev(g, argnums=(0, 1))(a, c))
cases['functional_hessian'] = numbers(torch.autograd.functional.hessian(lambda a, c: g(a, c)[:, 0].square().sum(), (a, c)))

# per-sample gradients
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.GELU(), torch.nn.LayerNorm(4), torch.nn.Linear(4, 2))
params = {n: values(list(p.shape), 16 + i) for i, (n, p) in enumerate(model.named_parameters())}
target = torch.tensor([0, 1, 1, 0, 1])
xs = values([5, 3], 30)
of_one = lambda p, x, t: torch.nn.functional.cross_entropy(func.functional_call(model, p, (x[None],)), t[None])
per_sample = func.vmap(func.grad(of_one), in_dims=(None, 0, 0))(params, xs, target)
cases['per_sample'] = {n: numbers(p) for n, p in per_sample.items()}

# per-sample gradients of a convolution
kernel, images = values([2, 1, 3, 3], 31), values([3, 1, 5, 5], 32)
conv = lambda k, x: torch.nn.functional.max_pool2d(torch.nn.functional.conv2d(x[None], k, padding=1), 2).square().sum()
cases['per_sample_conv'] = numbers(func.vmap(func.grad(conv), in_dims=(None, 0))(kernel, images))


# a custom autograd function, differentiated twice
class Cubed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return factor * x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * ctx.factor * x**2 * g, None


x = values([3], 33, True)
(first,) = torch.autograd.grad(Cubed.apply(x, 2.0).sin().sum(), [x], create_graph=True)
(second,) = torch.autograd.grad(first.square().sum(), [x])
cases['function'] = numbers([first, second])

# an RNN
wx, wh, h, steps = values([2, 3], 34, True), values([3, 3], 35, True), values([1, 3], 36), values([6, 1, 2], 37)
outputs = []
for step in steps:
    h = (step @ wx + h @ wh).tanh()
    outputs.append(h)
torch.stack(outputs).square().sum().backward()
cases['rnn'] = numbers([torch.stack(outputs), wx.grad, wh.grad])

path = pathlib.Path(__file__).parents[2] / 'test/golden/pytorch/autograd.json'
path.write_text(json.dumps(cases) + '\n')
