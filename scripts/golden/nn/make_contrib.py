"""Golden values of torch.nn for `contrib/nn/golden.test.ts`: fractional pooling, adaptive softmax, orthogonal weights.

    python scripts/golden/nn/make_contrib.py        # needs torch 2.13; writes contrib.json in test/golden/pytorch-nn.tar
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrizations as P

from cases import Cases, target

torch.set_num_threads(1)
torch.manual_seed(0)
c = Cases('contrib')
x2, x3 = torch.randn(2, 3, 7, 6), torch.randn(1, 2, 5, 6, 4)
u2, u3 = target(torch.rand(2, 3, 2)), target(torch.rand(1, 2, 3))
c.add('', None, [x2, u2], call='F.fractionalMaxPool2dWithIndices(x0, [3, 2], { outputSize: [4, 3], randomSamples: x1 })',
      run=lambda x, u: F.fractional_max_pool2d_with_indices(x, (3, 2), (4, 3), _random_samples=u))
c.add('', None, [x2, u2], call='F.fractionalMaxPool2d(x0, 2, { outputRatio: [0.5, 0.7], randomSamples: x1 })',
      run=lambda x, u: F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.7), _random_samples=u))
c.add('', None, [x3, u3], call='F.fractionalMaxPool3dWithIndices(x0, 2, { outputSize: [2, 3, 1], randomSamples: x1 })',
      run=lambda x, u: F.fractional_max_pool3d_with_indices(x, 2, (2, 3, 1), _random_samples=u))
for js, m in [
    ('new nn.AdaptiveLogSoftmaxWithLoss(16, 12, [3, 7])', nn.AdaptiveLogSoftmaxWithLoss(16, 12, [3, 7])),
    ('new nn.AdaptiveLogSoftmaxWithLoss(16, 12, [2], { divValue: 2, headBias: true })', nn.AdaptiveLogSoftmaxWithLoss(16, 12, [2], 2.0, True)),
]:
    words = torch.tensor([0, 11, 5, 3, 2])
    x = torch.randn(5, 16)
    c.add(js, m, [x, words], call='m(x0, x1)')
    m.zero_grad()
    c.add(js, m, [x], call='m.logProb(x0)', run=m.log_prob)
    c.add(js, m, [x], call='m.predict(x0)', run=m.predict)
m = nn.AdaptiveLogSoftmaxWithLoss(16, 12, [3, 7])
c.add('new nn.AdaptiveLogSoftmaxWithLoss(16, 12, [3, 7])', m, [torch.randn(16), torch.tensor(4)], call='m(x0, x1)')
x = torch.randn(3, 4)
for js, m, given in [
    ("nn.utils.parametrizations.orthogonal(new nn.Linear(4, 4))", P.orthogonal(nn.Linear(4, 4)), x),
    ("nn.utils.parametrizations.orthogonal(new nn.Linear(4, 3))", P.orthogonal(nn.Linear(4, 3)), x),
    ("nn.utils.parametrizations.orthogonal(new nn.Linear(4, 6), 'weight', { orthogonalMap: 'cayley' })", P.orthogonal(nn.Linear(4, 6), 'weight', 'cayley'), x),
    ("nn.utils.parametrizations.orthogonal(new nn.Linear(4, 3), 'weight', { useTrivialization: false })", P.orthogonal(nn.Linear(4, 3), use_trivialization=False), x),
]:
    c.add(js, m, [given])
c.write()
