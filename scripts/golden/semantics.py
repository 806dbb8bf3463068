"""Edge semantics of tensors, as PyTorch 2.13 has them: writes test/golden/semantics.json.

    python scripts/golden/semantics.py

A case is an expression in TypeScript and one in Python, of inputs x0, x1 …; lists of results are compared one by one. The
cotangent of element i of a result is i + 1. Where PyTorch raises, so must Trenio.
"""
import json
import math
import os

import torch
import torch.nn.functional as F

nan, inf = math.nan, math.inf
names = {torch.float32: 'float32', torch.float64: 'float64', torch.float16: 'float16', torch.bfloat16: 'bfloat16',
         torch.int64: 'int64', torch.int32: 'int32', torch.int16: 'int16', torch.int8: 'int8', torch.uint8: 'uint8', torch.bool: 'bool'}
types = {name: dtype for dtype, name in names.items()}


def number(x):
    if isinstance(x, bool):
        return x
    if isinstance(x, int):
        return x
    if math.isnan(x):
        return 'NaN'
    if math.isinf(x):
        return 'Infinity' if x > 0 else '-Infinity'
    return float(f'{x:.9g}')


def pack(t):
    t = t.detach()
    return {'dtype': names[t.dtype], 'shape': list(t.shape), 'data': [number(v) for v in t.reshape(-1).tolist()]}


def t(data, dtype='float32'):
    return torch.tensor(data, dtype=types[dtype])


cases = []


def case(js, run, *inputs, grads=True):
    """`run` is a function of the inputs."""
    inputs = [x.clone() for x in inputs]
    wanted = [grads and x.is_floating_point() for x in inputs]
    one = {'js': js, 'inputs': [{**pack(x), 'grad': w} for x, w in zip(inputs, wanted)]}
    for x, w in zip(inputs, wanted):
        if w:
            x.requires_grad_()
    try:
        out = run(*inputs)
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        one['raises'] = str(error).split('\n')[0]
        cases.append(one)
        return
    outs = [o if isinstance(o, torch.Tensor) else torch.tensor(o) for o in (out if isinstance(out, (tuple, list)) else [out])]
    one['outputs'] = [pack(o) for o in outs]
    flowing = [o for o in outs if o.requires_grad]
    if flowing:
        torch.autograd.backward(flowing, [(torch.arange(o.numel()) + 1).reshape(o.shape).to(o.dtype) for o in flowing])
        one['gradients'] = [pack(x.grad) if x.grad is not None else None for x in inputs]
    cases.append(one)


edges = t([-2.0, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0])
# gradients at kinks
case('x0.relu()', lambda x: x.relu(), edges)
case('nn.functional.relu6(x0)', lambda x: F.relu6(x), t([-1.0, 0.0, 3.0, 6.0, 7.0]))
case('x0.clamp(-1, 1)', lambda x: x.clamp(-1, 1), edges)
case('x0.clampMin(0)', lambda x: x.clamp_min(0), edges)
case('x0.clampMax(1)', lambda x: x.clamp_max(1), edges)
case('nn.functional.hardtanh(x0)', lambda x: F.hardtanh(x), edges)
case('nn.functional.leakyRelu(x0)', lambda x: F.leaky_relu(x), edges)
case('nn.functional.elu(x0)', lambda x: F.elu(x), edges)
case('nn.functional.hardswish(x0)', lambda x: F.hardswish(x), t([-4.0, -3.0, 0.0, 3.0, 4.0]))
case('nn.functional.hardsigmoid(x0)', lambda x: F.hardsigmoid(x), t([-4.0, -3.0, 0.0, 3.0, 4.0]))
case('nn.functional.softshrink(x0)', lambda x: F.softshrink(x), t([-1.0, -0.5, 0.0, 0.5, 1.0]))
case('nn.functional.threshold(x0, 1, 20)', lambda x: F.threshold(x, 1, 20), edges)
case('x0.abs()', lambda x: x.abs(), edges)
case('x0.sqrt()', lambda x: x.sqrt(), t([0.0, 4.0]))
case('x0.pow(0)', lambda x: x.pow(0), t([0.0, 4.0]))
case('x0.pow(0.5)', lambda x: x.pow(0.5), t([0.0, 4.0]))
case('x0.pow(x1)', lambda x, y: x.pow(y), t([0.0, 0.0, 2.0]), t([0.0, 2.0, 3.0]))
case('nn.functional.huberLoss(x0, x1)', lambda x, y: F.huber_loss(x, y), t([0.0, 1.0, 3.0]), t([0.0, 0.0, 0.0]))
case('nn.functional.smoothL1Loss(x0, x1)', lambda x, y: F.smooth_l1_loss(x, y), t([0.0, 1.0, 3.0]), t([0.0, 0.0, 0.0]))
case('nn.functional.l1Loss(x0, x1)', lambda x, y: F.l1_loss(x, y), t([0.0, 1.0, 3.0]), t([0.0, 0.0, 0.0]))
# ties
ties = t([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
case('x0.max()', lambda x: x.max(), ties)
case('x0.min()', lambda x: x.min(), ties)
case('x0.max(1)', lambda x: x.max(1), ties)
case('x0.min(1)', lambda x: x.min(1), ties)
case('x0.max(0, true)', lambda x: x.max(0, True), ties)
case('x0.amax(1)', lambda x: x.amax(1), ties)
case('x0.amin([0, 1])', lambda x: x.amin((0, 1)), ties)
case('x0.maximum(x1)', lambda x, y: torch.maximum(x, y), t([1.0, 2.0, 0.0]), t([1.0, 1.0, 1.0]))
case('x0.maximum(x1)', lambda x, y: torch.maximum(x, y), t([nan, 1.0]), t([1.0, nan]), grads=False)
case('x0.argmax()', lambda x: x.argmax(), t([1.0, nan, 3.0, nan]))
case('x0.argmin()', lambda x: x.argmin(), t([1.0, nan, 3.0, nan]))
case('x0.argmax(1)', lambda x: x.argmax(1), t([[1.0, nan, 3.0], [2.0, 2.0, 1.0]]))
case('x0.argmax(1)', lambda x: x.argmax(1), t([[1, 3, 3], [2, 2, 1]], 'int32'))
case('x0.max(0)', lambda x: x.max(0), t([1.0, nan, 3.0]))
case('nn.functional.maxPool1d(x0, 2)', lambda x: F.max_pool1d(x, 2), t([[[1.0, 1.0, 0.0, 2.0]]]))
# norms and spreads
zeros = t([[0.0, 0.0], [3.0, 4.0]])
case('x0.norm()', lambda x: x.norm(), t([0.0, 0.0]))
case('x0.norm(2, 1)', lambda x: x.norm(2, 1), zeros)
case('x0.norm(1, 1)', lambda x: x.norm(1, 1), zeros)
case('x0.norm(3, 1)', lambda x: x.norm(3, 1), zeros)
case('x0.norm(Infinity, 1)', lambda x: x.norm(inf, 1), zeros)
case('x0.norm(0.5, 1)', lambda x: x.norm(0.5, 1), t([[1.0, 2.0], [3.0, 4.0]]))
case('x0.std()', lambda x: x.std(), t([2.0, 2.0, 2.0]))
case('x0.std(1)', lambda x: x.std(1), t([[2.0, 2.0], [1.0, 3.0]]))
case('x0.var()', lambda x: x.var(), t([2.0, 2.0, 2.0]))
case('x0.std()', lambda x: x.std(), t([2.0]), grads=False)
case('nn.functional.normalize(x0)', lambda x: F.normalize(x), zeros)
case('nn.functional.cosineSimilarity(x0, x1)', lambda x, y: F.cosine_similarity(x, y), zeros, t([[1.0, 2.0], [4.0, 3.0]]))
case('x0.prod()', lambda x: x.prod(), t([0.0, 2.0, 3.0]))
case('x0.prod()', lambda x: x.prod(), t([0.0, 2.0, 0.0]))
case('x0.logsumexp(0)', lambda x: x.logsumexp(0), t([-inf, -inf]), grads=False)
case('x0.logsumexp(0)', lambda x: x.logsumexp(0), t([1.0, -inf]))
# saturation
wide = t([-inf, -90.0, -10.0, -1e-4, 0.0, 1e-4, 10.0, 90.0, inf])
case('x0.tanh()', lambda x: x.tanh(), wide)
case('x0.sigmoid()', lambda x: x.sigmoid(), wide)
case("nn.functional.gelu(x0, { approximate: 'tanh' })", lambda x: F.gelu(x, approximate='tanh'), t([-90.0, -10.0, -1.0, 0.0, 1.0, 10.0, 90.0]))
case("nn.functional.gelu(x0, { approximate: 'tanh' })", lambda x: F.gelu(x, approximate='tanh'), t([-inf, inf]), grads=False)
case('nn.functional.gelu(x0)', lambda x: F.gelu(x), t([-90.0, -10.0, -1.0, 0.0, 1.0, 10.0, 90.0]))
case('nn.functional.silu(x0)', lambda x: F.silu(x), t([-200.0, -90.0, 0.0, 90.0]))
case('nn.functional.softplus(x0)', lambda x: F.softplus(x), t([-200.0, -1.0, 0.0, 20.0, 21.0, 200.0]))
case('nn.functional.logsigmoid(x0)', lambda x: F.logsigmoid(x), t([-200.0, -1.0, 0.0, 20.0, 200.0]))
case('nn.functional.mish(x0)', lambda x: F.mish(x), t([-200.0, -1.0, 0.0, 20.0, 200.0]))
case('x0.softmax(-1)', lambda x: x.softmax(-1), t([[-inf, 0.0, 1.0], [1000.0, -1000.0, 1000.0]]))
case('x0.softmax(-1)', lambda x: x.softmax(-1), t([[-inf, -inf]]), grads=False)
case('x0.logSoftmax(-1)', lambda x: x.log_softmax(-1), t([[1000.0, 0.0, -1000.0]]))
case('x0.softmax(0)', lambda x: x.softmax(0), torch.zeros(0, 3))
case('x0.softmax(1)', lambda x: x.softmax(1), torch.zeros(3, 0))
case('x0.logSoftmax(0)', lambda x: x.log_softmax(0), torch.zeros(0))
case('x0.softmax(0)', lambda x: x.softmax(0), t(3.0))
# data types of results
i32, i64, u8, flag = t([7, -7, 5], 'int32'), t([7, -7, 5], 'int64'), t([250, 3, 7], 'uint8'), t([True, False, True], 'bool')
for x in (i32, i64, u8, flag, t([7, -7, 5], 'int16')):
    case('x0.sum()', lambda x: x.sum(), x)
    case('x0.sum(0)', lambda x: x.sum(0), x)
    case('x0.prod()', lambda x: x.prod(), x)
    if x is not flag:
        case('x0.argmax()', lambda x: x.argmax(), x)
    if x is not u8:  # booleans here, as of all types
        case('x0.all()', lambda x: x.all(), x)
        case('x0.any()', lambda x: x.any(), x)
    case('x0.sin()', lambda x: x.sin(), x)
    case('x0.div(2)', lambda x: x.div(2), x)
    case('x0.add(1.5)', lambda x: x.add(1.5), x)
    case('x0.mul(2)', lambda x: x.mul(2), x)
    case('x0.mul(true)', lambda x: x.mul(True), x)
for x in (i32, u8, flag, t([2.5, -2.5, 3.5])):
    if x is not flag:
        case('x0.floor()', lambda x: x.floor(), x)
    if x is not flag:
        case('x0.ceil()', lambda x: x.ceil(), x)
    if x is not flag:
        case('x0.round()', lambda x: x.round(), x)
    if x is not flag:
        case('x0.trunc()', lambda x: x.trunc(), x)
    case('x0.floorDivide(2)', lambda x: x.floor_divide(2), x, grads=False)
    case('x0.maskedFill(x1, 2)', lambda x, m: x.masked_fill(m, 2), x, flag)
    case('x0.maskedFill(x1, 2.5)', lambda x, m: x.masked_fill(m, 2.5), x, flag)
    case('x0.remainder(3)', lambda x: x.remainder(3), x)
    if x is not flag:
        case('x0.abs()', lambda x: x.abs(), x)
    case('x0.sign()', lambda x: x.sign(), x)
case('x0.floorDivide(x1)', lambda x, y: x.floor_divide(y), i32, t([2.0, 2.0, -2.0]), grads=False)
case('x0.floorDivide(x1)', lambda x, y: x.floor_divide(y), i32, t([2, 2, -2], 'int64'), grads=False)
case('x0.floorDivide(x1)', lambda x, y: x.floor_divide(y), t([1.0, -1.0, 0.0, inf]), t([0.0, 0.0, 0.0, 2.0]), grads=False)
case('x0.div(x1)', lambda x, y: x.div(y), i32, i64)
case('x0.add(x1)', lambda x, y: x.add(y), i32, t([1.0, 2.0, 3.0], 'float16'))
case('x0.add(x1)', lambda x, y: x.add(y), u8, t([1, 2, -3], 'int8'))
case('x0.add(x1)', lambda x, y: x.add(y), flag, flag)
case('x0.add(x1)', lambda x, y: x.add(y), t([1.0, 2.0, 3.0], 'bfloat16'), t([1.0, 2.0, 3.0], 'float16'))
case('x0.add(x1)', lambda x, y: x.add(y), t([1.0, 2.0], 'float32'), t(3.0, 'float64'))
case('x0.add(x1)', lambda x, y: x.add(y), t([1, 2], 'int32'), t(3, 'int64'))
case('x0.add(x1)', lambda x, y: x.add(y), t([1.0, 2.0], 'bfloat16'), t(3.0, 'float32'))
case('x0.add(x1)', lambda x, y: x.add(y), t([1, 2], 'int32'), t(3.5, 'float32'))
case('x0.clamp(3, 6)', lambda x: x.clamp(3, 6), u8)
case('x0.clamp(-5, 300)', lambda x: x.clamp(-5, 300), t([250, 3, 7], 'int32'))
case('x0.clamp(2, 300)', lambda x: x.clamp(2, 255), u8)
case('x0.clamp(-5, 7)', lambda x: x.clamp(0, 7), u8)
case('x0.clamp(x1, x2)', lambda x, a, b: x.clamp(a, b), t([0.0, 1.0, 5.0]), t([0.5, 1.0, 1.0]), t([2.0, 2.0, 5.0]))
case('x0.clamp(0.5, 5.5)', lambda x: x.clamp(0.5, 5.5), i32)
case('x0.mean()', lambda x: x.mean(), t([1.0, 2.0], 'bfloat16'))
case('x0.where(x1, 0)', lambda x, m: x.where(m, torch.tensor(0.)), t([1.0, 2.0, 3.0]), flag)
case('x0.eq(x1)', lambda x, y: x.eq(y), i32, t([7.0, 1.0, 5.0]))
case('x0.bitwiseNot()', lambda x: x.bitwise_not(), flag)
case('x0.neg()', lambda x: x.neg(), u8)
case('arange(5)', lambda: torch.arange(5))
case('arange(1, 4)', lambda: torch.arange(1, 4))
case('arange(0, 1, 0.25)', lambda: torch.arange(0, 1, 0.25))
case('arange(0.5, 3)', lambda: torch.arange(0.5, 3))
case('tensor([true, false])', lambda: torch.tensor([True, False]))
case('randint(0, 1, [3])', lambda: torch.randint(0, 1, [3]))
case('randperm(1)', lambda: torch.randperm(1))
case('full([2], true)', lambda: torch.full([2], True))
# losses
logits = t([[1.0, 2.0, 0.5], [0.1, -1.0, 3.0], [0.0, 0.0, 0.0]])
case('nn.functional.crossEntropy(x0, tensor([0, 1, 0]))', lambda x: F.cross_entropy(x, torch.tensor([0, 1, 0])), logits)
case('nn.functional.nllLoss(x0, x1)', lambda x, y: F.nll_loss(x, y), logits, t([0, -100, 2], 'int64'))
case("nn.functional.nllLoss(x0, x1, { reduction: 'none' })", lambda x, y: F.nll_loss(x, y, reduction='none'), logits, t([0, -100, 2], 'int64'))
case('nn.functional.crossEntropy(x0, x1)', lambda x, y: F.cross_entropy(x, y), logits, t([0, -100, 2], 'int64'))
case('nn.functional.crossEntropy(x0, x1)', lambda x, y: F.cross_entropy(x, y), logits, t([-100, -100, -100], 'int64'), grads=False)
case('nn.functional.binaryCrossEntropy(x0, x1)', lambda x, y: F.binary_cross_entropy(x, y), t([0.0, 1.0, 0.5]), t([0.0, 0.0, 1.0]), grads=False)
case('nn.functional.binaryCrossEntropyWithLogits(x0, x1)', lambda x, y: F.binary_cross_entropy_with_logits(x, y), t([-200.0, 200.0, 0.0]), t([1.0, 0.0, 1.0]))
case('nn.functional.klDiv(x0, x1)', lambda x, y: F.kl_div(x, y, reduction='mean'), t([-1.0, -2.0]), t([0.0, 0.5]), grads=False)
case('nn.functional.embedding(tensor([0, 2]), x0)', lambda w: F.embedding(torch.tensor([0, 2]), w), logits)
case('x0.indexSelect(0, tensor([2, 0]))', lambda x: x.index_select(0, torch.tensor([2, 0])), logits)
case('x0.gather(1, tensor([[2], [0], [1]]))', lambda x: x.gather(1, torch.tensor([[2], [0], [1]])), logits)
case("oneHot(tensor([0, 2]), 3, 'int64')", lambda: F.one_hot(torch.tensor([0, 2]), 3))
# attention
torch.manual_seed(0)
q, k, v = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4)
mask = t([[[True, True, False], [False, False, False], [True, False, False]]], 'bool')
case('nn.functional.scaledDotProductAttention(x0, x1, x2, { mask: x3 })', lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m), q, k, v, mask)
case('nn.functional.scaledDotProductAttention(x0, x1, x2)', lambda q, k, v: F.scaled_dot_product_attention(q, k, v), q, k[:, :1], v[0])
case('nn.functional.scaledDotProductAttention(x0, x1, x2, { isCausal: true })', lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), q[0, 0], k[0, 0], v[0, 0])
# shapes
six = torch.arange(6.0)
grid = torch.arange(6.0).reshape(1, 2, 3)
case('x0.split([1, 5])', lambda x: x.split([1, 5]), six)
case('x0.split([1, 4])', lambda x: x.split([1, 4]), six)
case('x0.split(4)', lambda x: x.split(4), six)
case('x0.split(0)', lambda x: x.split(0), six)
case('x0.split(2, 1)', lambda x: x.split(2, 1), six)
case('x0.chunk(0)', lambda x: x.chunk(0), six)
case('x0.chunk(4)', lambda x: x.chunk(4), six)
case('x0.chunk(10)', lambda x: x.chunk(10), six)
case('x0.sum([])', lambda x: x.sum([]), grid)
case('x0.mean([])', lambda x: x.mean([]), grid)
case('x0.amax([])', lambda x: x.amax([]), grid)
case('x0.var([])', lambda x: x.var([]), grid, grads=False)
case('x0.norm(2, [])', lambda x: x.norm(2, []), grid)
case('x0.all([])', lambda x: x.all([]), grid)
case('x0.sum([1, 1])', lambda x: x.sum([1, 1]), grid)
case('x0.sum([1, -2])', lambda x: x.sum([1, -2]), grid)
case('x0.amax([1, 1])', lambda x: x.amax([1, 1]), grid)
case('x0.mean([0, 0])', lambda x: x.mean([0, 0]), grid)
case('x0.flip([1, 1])', lambda x: x.flip([1, 1]), grid)
case('x0.permute([0, 0, 1])', lambda x: x.permute([0, 0, 1]), grid)
case('x0.squeeze([0, 0])', lambda x: x.squeeze([0, 0]), grid)
case('x0.flatten(1, 0)', lambda x: x.flatten(1, 0), grid)
case('x0.flatten(1, 2)', lambda x: x.flatten(1, 2), grid)
case('x0.flatten()', lambda x: x.flatten(), t(3.0))
case('x0.squeeze([0, 2])', lambda x: x.squeeze([0, 2]), torch.zeros(1, 3, 1, 2))
case('x0.squeeze(1)', lambda x: x.squeeze(1), torch.zeros(1, 3, 1, 2))
case('x0.squeeze([0, 1])', lambda x: x.squeeze([0, 1]), torch.zeros(1, 3, 1, 2))
case('x0.t()', lambda x: x.t(), six)
case('x0.t()', lambda x: x.t(), t(3.0))
case('x0.t()', lambda x: x.t(), grid)
case('x0.reshape([-1])', lambda x: x.reshape([-1]), torch.zeros(0, 3))
case('x0.reshape([-1, 0])', lambda x: x.reshape([-1, 0]), torch.zeros(0, 3))
case('x0.reshape([2, -1, -1])', lambda x: x.reshape([2, -1, -1]), six)
case('x0.sum()', lambda x: x.sum(), torch.zeros(0, 3))
case('x0.mean()', lambda x: x.mean(), torch.zeros(0), grads=False)
case('x0.max()', lambda x: x.max(), torch.zeros(0))
case('x0.amax(0)', lambda x: x.amax(0), torch.zeros(0, 3))
case('x0.argmax()', lambda x: x.argmax(), torch.zeros(0))
case('x0.prod()', lambda x: x.prod(), torch.zeros(0))
case('x0.all()', lambda x: x.all(), torch.zeros(0))
case('x0.expand([2, -1, 3])', lambda x: x.expand([2, -1, 3]), grid)
case('x0.expand([3, 3])', lambda x: x.expand([3, 3]), grid)
case('x0.narrow(0, 2, 3)', lambda x: x.narrow(0, 2, 3), six)
case('x0.narrow(0, -2, 2)', lambda x: x.narrow(0, -2, 2), six)
case('x0.narrow(0, 4, 3)', lambda x: x.narrow(0, 4, 3), six)
case('x0.select(0, -1)', lambda x: x.select(0, -1), six)
case('x0.select(0, 6)', lambda x: x.select(0, 6), six)
case('x0.unbind(1)', lambda x: x.unbind(1), grid)
case('x0.roll(7)', lambda x: x.roll(7), six)
case('x0.roll(-1, 2)', lambda x: x.roll(-1, 2), grid)
case('x0.repeat([2, 1, 1])', lambda x: x.repeat([2, 1, 1]), grid)
case('x0.repeat([2])', lambda x: x.repeat([2]), grid)
case('x0.unflatten(0, [2, -1])', lambda x: x.unflatten(0, [2, -1]), six)
case('cat([x0, x1])', lambda x, y: torch.cat([x, y]), six, torch.zeros(0))
case('cat([x0, x1])', lambda x, y: torch.cat([x, y]), t([1, 2], 'int64'), t([1.5]))
case('stack([x0, x0], -1)', lambda x: torch.stack([x, x], -1), t([1.0, 2.0]))
case('x0.matmul(x1)', lambda x, y: x.matmul(y), torch.zeros(2, 0), torch.zeros(0, 3))
case('x0.tril(-1)', lambda x: x.tril(-1), torch.ones(3, 3))
case('x0.diagonal()', lambda x: x.diagonal(), torch.ones(2, 3))
# layers
w1, b1 = torch.randn(2, 3, 2), torch.randn(2)
w2 = torch.randn(2, 3, 2, 2)
case('nn.functional.conv1d(x0, x1, x2)', lambda x, w, b: F.conv1d(x, w, b), torch.randn(3, 5), w1, b1)
case('nn.functional.conv2d(x0, x1)', lambda x, w: F.conv2d(x, w), torch.randn(3, 4, 4), w2)
case('nn.functional.maxPool2d(x0, 2)', lambda x: F.max_pool2d(x, 2), torch.randn(3, 4, 4))
case('nn.functional.avgPool2d(x0, 2)', lambda x: F.avg_pool2d(x, 2), torch.randn(3, 4, 4))
case('nn.functional.adaptiveAvgPool1d(x0, 3)', lambda x: F.adaptive_avg_pool1d(x, 3), torch.randn(1, 2, 7))
case('nn.functional.adaptiveAvgPool2d(x0, [3, 2])', lambda x: F.adaptive_avg_pool2d(x, [3, 2]), torch.randn(1, 2, 7, 5))
case('nn.functional.adaptiveMaxPool2d(x0, [3, 2])', lambda x: F.adaptive_max_pool2d(x, [3, 2]), torch.randn(1, 2, 7, 5))
case('nn.functional.adaptiveAvgPool2d(x0, [null, 2])', lambda x: F.adaptive_avg_pool2d(x, [None, 2]), torch.randn(2, 4, 5))
case('nn.functional.layerNorm(x0, [3])', lambda x: F.layer_norm(x, [3]), t([[2.0, 2.0, 2.0], [1.0, 2.0, 4.0]]))
# in place
case('clone(x0).add_(x1)', lambda x, y: x.clone().add_(y), t([1.0, 2.0], 'bfloat16'), t([0.5, 3.0]))
case('clone(x0).add_(1.5)', lambda x: x.clone().add_(1.5), t([1, 2], 'int32'))
case('clone(x0).add_(x1)', lambda x, y: x.clone().add_(y), t([1, 2], 'int32'), t([0.5, 3.0]))
case('clone(x0).add_(x1)', lambda x, y: x.clone().add_(y), t([1, 2], 'int32'), t([3, 4], 'int64'))
case('clone(x0).add_(x1)', lambda x, y: x.clone().add_(y), t([1.0, 2.0]), t([[3.0, 4.0]]))
case('clone(x0).div_(2)', lambda x: x.clone().div_(2), t([1, 2], 'int32'))
case('clone(x0).mul_(x1)', lambda x, y: x.clone().mul_(y), t([1.0, 2.0]), t([3, 4], 'int64'))
case('clone(x0).clamp_(0, 1)', lambda x: x.clone().clamp_(0, 1), edges)

folder = os.path.join(os.path.dirname(__file__), '..', '..', 'test', 'golden')
with open(os.path.join(folder, 'semantics.json'), 'w') as file:
    file.write('[\n' + ',\n'.join(json.dumps(c, separators=(',', ':')) for c in cases) + '\n]\n')
print(len(cases))
