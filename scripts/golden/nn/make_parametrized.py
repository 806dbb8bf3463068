"""Golden values of torch.nn.utils for `src/nn/golden.test.ts`: parametrized and normalized weights.

    python scripts/golden/nn/make_parametrized.py        # needs torch 2.13; writes parametrized.json in test/golden/pytorch-nn.tar
"""
import warnings

import torch
import torch.nn as nn
import torch.nn.utils as U
import torch.nn.utils.parametrizations as P

from cases import Cases

warnings.simplefilter('ignore')
torch.set_num_threads(1)
torch.manual_seed(0)
c = Cases('parametrized')
x = torch.randn(3, 4)
image = torch.randn(2, 2, 4, 4)

for js, m, given in [
    ('nn.utils.parametrizations.weightNorm(new nn.Linear(4, 3))', P.weight_norm(nn.Linear(4, 3)), x),
    ("nn.utils.parametrizations.weightNorm(new nn.Linear(4, 3), 'weight', null)", P.weight_norm(nn.Linear(4, 3), 'weight', None), x),
    ("nn.utils.parametrizations.weightNorm(new nn.Conv2d(2, 3, 2), 'weight', 1)", P.weight_norm(nn.Conv2d(2, 3, 2), 'weight', 1), image),
    ('nn.utils.weightNorm(new nn.Linear(4, 3))', U.weight_norm(nn.Linear(4, 3)), x),
    ("nn.utils.weightNorm(new nn.Conv2d(2, 3, 2), 'weight', null)", U.weight_norm(nn.Conv2d(2, 3, 2), 'weight', None), image),
]:
    c.add(js, m, [given])
for training in (True, False):
    for js, m, given in [
        ('nn.utils.parametrizations.spectralNorm(new nn.Linear(4, 3))', P.spectral_norm(nn.Linear(4, 3)), x),
        ("nn.utils.parametrizations.spectralNorm(new nn.ConvTranspose2d(2, 3, 2), 'weight', { nPowerIterations: 2 })",
         P.spectral_norm(nn.ConvTranspose2d(2, 3, 2), 'weight', 2), image),
        ('nn.utils.spectralNorm(new nn.Conv2d(2, 3, 2))', U.spectral_norm(nn.Conv2d(2, 3, 2)), image),
    ]:
        c.add(js, m, [given], training=training)
lstm = P.weight_norm(nn.LSTM(4, 3), 'weight_hh_l0')
c.add("nn.utils.parametrizations.weightNorm(new nn.LSTM(4, 3), 'weight_hh_l0')", lstm, [torch.randn(5, 2, 4)], call='m(x0)[0]', run=lambda a: lstm(a)[0])
c.write()
