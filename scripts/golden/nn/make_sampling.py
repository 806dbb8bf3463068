"""Golden values of torch.nn for `src/nn/golden.test.ts`: sampling, places of maxima, other names.

    python scripts/golden/nn/make_sampling.py        # needs torch 2.13; writes sampling.json and more.json in test/golden/pytorch-nn.tar
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

from cases import Cases, target

torch.set_num_threads(1)
torch.manual_seed(0)
c = Cases('sampling')
image, volume = torch.randn(2, 2, 3, 4), torch.randn(1, 2, 2, 3, 2)
# places inside and outside; some exactly on the corners
grid = torch.randn(2, 2, 3, 2) * 0.9
grid[0, 0, 0] = torch.tensor([-1.0, 1.0])
grid3 = torch.randn(1, 2, 1, 3, 3) * 0.9
for mode in ('bilinear', 'nearest', 'bicubic'):
    for padding in ('zeros', 'border', 'reflection'):
        for align in (False, True):
            options = f"{{ mode: '{mode}', paddingMode: '{padding}', alignCorners: {str(align).lower()} }}"
            run = lambda x, g, m=mode, p=padding, a=align: F.grid_sample(x, g, m, p, a)
            # the gradient of 'nearest' is 0 here, none there
            mark = target if mode == 'nearest' else (lambda g: g)
            c.add('', None, [image, mark(grid.clone())], call=f'F.gridSample(x0, x1, {options})', run=run)
            if mode != 'bicubic' and align == (padding == 'border'):
                c.add('', None, [volume, mark(grid3.clone())], call=f'F.gridSample(x0, x1, {options})', run=run)
c.add('', None, [image, grid], call='F.gridSample(x0, x1)', run=lambda x, g: F.grid_sample(x, g, align_corners=False))
for align in (False, True):
    js = f'{{ alignCorners: {str(align).lower()} }}'
    c.add('', None, [torch.randn(2, 2, 3)], call=f'F.affineGrid(x0, [2, 1, 3, 4], {js})', run=lambda t, a=align: F.affine_grid(t, [2, 1, 3, 4], a))
    c.add('', None, [torch.randn(1, 3, 4)], call=f'F.affineGrid(x0, [1, 1, 2, 1, 3], {js})', run=lambda t, a=align: F.affine_grid(t, [1, 1, 2, 1, 3], a))
c.write()

torch.manual_seed(0)
c = Cases('more')
x2, x3 = torch.randn(2, 3, 7, 6), torch.randn(1, 2, 5, 6, 4)
for n, x, size, js in ((1, torch.randn(2, 2, 7), 3, '3'), (2, x2, (3, 4), '[3, 4]'), (3, x3, (2, 3, 3), '[2, 3, 3]')):
    f = getattr(F, f'adaptive_max_pool{n}d_with_indices')
    c.add('', None, [x], call=f'F.adaptiveMaxPool{n}dWithIndices(x0, {js})', run=lambda a, f=f, s=size: f(a, s))
    pool, un = getattr(F, f'max_pool{n}d'), getattr(F, f'max_unpool{n}d')
    c.add('', None, [x], call=f'F.maxUnpool{n}d(...F.maxPool{n}dWithIndices(x0, 2), 2, {{ outputSize: [{", ".join(map(str, x.shape[2:]))}] }})',
          run=lambda a, p=pool, q=un: q(*p(a, 2, return_indices=True), 2, output_size=a.shape[2:]))
c.add('', None, [torch.randn(4, 3)], call='F.pdist(x0)', run=lambda a: F.pdist(a))
c.add('', None, [torch.randn(4, 3)], call='F.pdist(x0, 1)', run=lambda a: F.pdist(a, 1))
c.add('', None, [torch.randn(5, 2, 3), torch.randn(2, 3, 4), torch.randn(4)], call='F.convTbc(x0, x1, x2, 1)', run=lambda a, w, b: F.conv_tbc(a, w, b, 1))
c.add('', None, [torch.tensor([[0, 2], [1, 0]])], call='F.oneHot(x0)', run=lambda a: F.one_hot(a), grads=False)
c.add('', None, [torch.tensor([0, 2])], call='F.oneHot(x0, 4)', run=lambda a: F.one_hot(a, 4), grads=False)
for name, args in (('relu', ''), ('elu', ', 0.7'), ('celu', ', 1.2'), ('selu', ''), ('leaky_relu', ', 0.2'), ('hardtanh', ', -0.5, 0.7'), ('threshold', ', 0.1, 2')):
    js = name.replace('leaky_relu', 'leakyRelu')
    c.add('', None, [torch.randn(2, 4)], call=f'F.{js}_(x0.mul(1){args})', run=lambda a, n=name, r=args: eval(f'F.{n}_(a.mul(1){r})'))
labels = torch.tensor([1, 4, 0])
c.add('', None, [torch.randn(3, 4), torch.randn(5, 4), labels], call='F.linearCrossEntropy(x0, x1, x2, { labelSmoothing: 0.1 })',
      run=lambda x, w, t: F.linear_cross_entropy(x, w, t, label_smoothing=0.1))
c.add('', None, [torch.randn(3, 4), torch.randn(5, 2, 4), torch.randn(5, 2), torch.tensor([[1, 0], [4, 4], [2, 3]])],
      call="F.linearCrossEntropy(x0, x1, x3, { linearBias: x2, reduction: 'sum' })",
      run=lambda x, w, b, t: F.linear_cross_entropy(x, w, t, linear_bias=b, reduction='sum'))
m = nn.LinearCrossEntropyLoss(4, 5, bias=True, reduction='none')
c.add("new nn.LinearCrossEntropyLoss(4, 5, { bias: true, reduction: 'none' })", m, [torch.randn(3, 4), labels], call='m(x0, x1)')

# tables of vectors, as printed and with rows scaled back
index = torch.tensor([[0, 2, 2], [3, 2, 0]])
for js, m in [
    ('new nn.Embedding(5, 3, { maxNorm: 1 })', nn.Embedding(5, 3, max_norm=1)),
    ('new nn.Embedding(5, 3, { paddingIndex: 2, maxNorm: 0.7, normType: 1, scaleGradByFreq: true })',
     nn.Embedding(5, 3, padding_idx=2, max_norm=0.7, norm_type=1, scale_grad_by_freq=True)),
    ("new nn.EmbeddingBag(5, 3, { mode: 'sum', maxNorm: 1 })", nn.EmbeddingBag(5, 3, mode='sum', max_norm=1)),
    ('new nn.EmbeddingBag(5, 3, { maxNorm: 1.5, normType: 3 })', nn.EmbeddingBag(5, 3, max_norm=1.5, norm_type=3)),
]:
    before = {k: v.clone() for k, v in m.state_dict().items()}
    c.add(js, m, [index])
c.add('', None, [index, torch.randn(5, 3)], call='F.embedding(x0, x1, { scaleGradByFreq: true })', run=lambda i, w: F.embedding(i, w, scale_grad_by_freq=True))
c.write()
