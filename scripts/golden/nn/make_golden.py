"""Golden values of torch.nn for `src/nn/golden.test.ts`.

    python scripts/golden/nn/make_golden.py        # needs torch 2.13; writes test/golden/pytorch-nn.tar
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from cases import Cases, target

torch.set_num_threads(1)
chosen = sys.argv[1:]


def group(build):
    if chosen and build.__name__ not in chosen:
        return
    torch.manual_seed(0)
    cases = Cases(build.__name__)
    build(cases)
    cases.write()


def corners(*shape):
    """Random numbers, and numbers at which functions have kinks."""
    x = torch.randn(*shape) * 3
    special = torch.tensor([0.0, 1.0, -1.0, 3.0, -3.0, 6.0, 0.5, -0.5, 40.0, -40.0, 90.0, -90.0])
    x.reshape(-1)[: special.numel()] = special
    return x


@group
def activations(c):
    x = corners(2, 3, 6)
    for js, m in [
        ('new nn.ReLU()', nn.ReLU()), ('new nn.ReLU6()', nn.ReLU6()),
        ('new nn.Tanh()', nn.Tanh()), ('new nn.Sigmoid()', nn.Sigmoid()), ('new nn.SiLU()', nn.SiLU()),
        ('new nn.Mish()', nn.Mish()), ('new nn.SELU()', nn.SELU()), ('new nn.ELU(0.7)', nn.ELU(0.7)),
        ('new nn.CELU({ alpha: 1.3 })', nn.CELU(1.3)), ('new nn.GELU()', nn.GELU()),
 ('new nn.LeakyReLU()', nn.LeakyReLU()),
        ('new nn.LeakyReLU(0.2)', nn.LeakyReLU(0.2)), ('new nn.Hardtanh()', nn.Hardtanh()),
        ('new nn.Hardtanh(-0.5, 3)', nn.Hardtanh(-0.5, 3.0)), ('new nn.Hardsigmoid()', nn.Hardsigmoid()),
        ('new nn.Hardswish()', nn.Hardswish()), ('new nn.Hardshrink()', nn.Hardshrink()),
        ('new nn.Softshrink(0.7)', nn.Softshrink(0.7)), ('new nn.Tanhshrink()', nn.Tanhshrink()),
        ('new nn.Softplus()', nn.Softplus()), ('new nn.Softplus({ beta: 2, threshold: 5 })', nn.Softplus(2.0, 5.0)),
        ('new nn.Softsign()', nn.Softsign()), ('new nn.LogSigmoid()', nn.LogSigmoid()),
        ('new nn.Threshold(0.1, 20)', nn.Threshold(0.1, 20)), ('new nn.PReLU()', nn.PReLU()),
        ('new nn.PReLU(3)', nn.PReLU(3)), ('new nn.GLU()', nn.GLU()), ('new nn.GLU({ dim: 2 })', nn.GLU(2)),
        ('new nn.Softmax(1)', nn.Softmax(1)), ('new nn.LogSoftmax({ dim: -1 })', nn.LogSoftmax(-1)),
        ('new nn.Softmin(0)', nn.Softmin(0)), ('new nn.Softmax2d()', nn.Softmax2d()),
    ]:
        c.add(js, m, [x])
    c.add("new nn.GELU({ approximate: 'tanh' })", nn.GELU(approximate='tanh'), [x.clamp(-6, 6)])
    c.add('new nn.RReLU(0.1, 0.3)', nn.RReLU(0.1, 0.3), [x], training=False)
    c.add('', None, [torch.randn(2, 0)], call='F.softmax(x0, 1)', run=lambda x: F.softmax(x, 1), grads=False)


@group
def convolution(c):
    for js, m, x in [
        ('new nn.Conv1d(4, 6, 3)', nn.Conv1d(4, 6, 3), torch.randn(2, 4, 9)),
        ('new nn.Conv1d(4, 6, 3, { stride: 2, padding: 1, groups: 2, bias: false })',
         nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2, bias=False), torch.randn(2, 4, 9)),
        ("new nn.Conv1d(3, 5, 4, { padding: 'same', dilation: 2 })", nn.Conv1d(3, 5, 4, padding='same', dilation=2), torch.randn(2, 3, 11)),
        ("new nn.Conv1d(3, 3, 3, { padding: 2, paddingMode: 'circular' })", nn.Conv1d(3, 3, 3, padding=2, padding_mode='circular'), torch.randn(1, 3, 6)),
        ('new nn.Conv1d(3, 2, 2)', nn.Conv1d(3, 2, 2), torch.randn(3, 5)),
        ('new nn.Conv2d(3, 4, 3, 2, 1)', nn.Conv2d(3, 4, 3, 2, 1), torch.randn(2, 3, 7, 6)),
        ('new nn.Conv2d(4, 4, [3, 2], { stride: [1, 2], padding: [2, 1], dilation: [2, 1], groups: 4 })',
         nn.Conv2d(4, 4, (3, 2), stride=(1, 2), padding=(2, 1), dilation=(2, 1), groups=4), torch.randn(2, 4, 6, 5)),
        ("new nn.Conv2d(2, 3, 3, { padding: 'same', paddingMode: 'reflect' })",
         nn.Conv2d(2, 3, 3, padding='same', padding_mode='reflect'), torch.randn(1, 2, 5, 5)),
        ("new nn.Conv2d(2, 3, [4, 3], { padding: 'same', paddingMode: 'replicate' })",
         nn.Conv2d(2, 3, (4, 3), padding='same', padding_mode='replicate'), torch.randn(1, 2, 5, 5)),
        ("new nn.Conv2d(2, 3, 3, { padding: 'valid' })", nn.Conv2d(2, 3, 3, padding='valid'), torch.randn(2, 5, 5)),
        ('new nn.Conv3d(2, 3, [2, 3, 1], { padding: [1, 0, 0], stride: [1, 2, 1] })',
         nn.Conv3d(2, 3, (2, 3, 1), padding=(1, 0, 0), stride=(1, 2, 1)), torch.randn(1, 2, 3, 5, 2)),
        ("new nn.Conv3d(2, 2, 2, { padding: 'same', groups: 2 })", nn.Conv3d(2, 2, 2, padding='same', groups=2), torch.randn(1, 2, 3, 3, 2)),
        ('new nn.ConvTranspose1d(4, 6, 3, { stride: 2, padding: 1, outputPadding: 1, groups: 2 })',
         nn.ConvTranspose1d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2), torch.randn(2, 4, 5)),
        ('new nn.ConvTranspose2d(3, 2, 4, 2, 1)', nn.ConvTranspose2d(3, 2, 4, 2, 1), torch.randn(2, 3, 3, 4)),
        ('new nn.ConvTranspose2d(2, 4, [3, 2], { dilation: [2, 1], groups: 2, bias: false })',
         nn.ConvTranspose2d(2, 4, (3, 2), dilation=(2, 1), groups=2, bias=False), torch.randn(2, 3, 3)),
        ('new nn.ConvTranspose3d(2, 3, 2, { stride: [2, 1, 1] })', nn.ConvTranspose3d(2, 3, 2, stride=(2, 1, 1)), torch.randn(1, 2, 2, 3, 2)),
    ]:
        c.add(js, m, [x])
    m = nn.ConvTranspose2d(2, 2, 3, stride=3)
    x = torch.randn(1, 2, 2, 3)
    c.add('new nn.ConvTranspose2d(2, 2, 3, { stride: 3 })', m, [x], call='m(x0, [7, 11])', run=lambda v: m(v, output_size=(7, 11)))


@group
def pooling(c):
    ties = torch.tensor([[[1.0, 2, 2, 1, 0, 0, 3, 3, 3, 1]]])
    image = torch.randn(2, 3, 7, 6)
    for js, m, x in [
        ('new nn.MaxPool1d(3)', nn.MaxPool1d(3), ties),
        ('new nn.MaxPool1d(3, { stride: 2, padding: 1, ceilMode: true })', nn.MaxPool1d(3, stride=2, padding=1, ceil_mode=True), ties),
        ('new nn.MaxPool1d(2, { dilation: 2 })', nn.MaxPool1d(2, dilation=2), torch.randn(2, 9)),
        ('new nn.MaxPool2d(2)', nn.MaxPool2d(2), image),
        ('new nn.MaxPool2d(3, 2, 1)', nn.MaxPool2d(3, 2, 1), image),
        ('new nn.MaxPool2d([3, 2], { stride: [2, 1], dilation: [1, 2], ceilMode: true })',
         nn.MaxPool2d((3, 2), stride=(2, 1), dilation=(1, 2), ceil_mode=True), image),
        ('new nn.MaxPool3d(2, { stride: 1 })', nn.MaxPool3d(2, stride=1), torch.randn(1, 2, 3, 3, 2)),
        ('new nn.AvgPool1d(3, { stride: 2, padding: 1 })', nn.AvgPool1d(3, stride=2, padding=1), torch.randn(2, 2, 8)),
        ('new nn.AvgPool1d(3, { stride: 2, padding: 1, ceilMode: true, countIncludePad: false })',
         nn.AvgPool1d(3, stride=2, padding=1, ceil_mode=True, count_include_pad=False), torch.randn(2, 2, 8)),
        ('new nn.AvgPool2d(2)', nn.AvgPool2d(2), image),
        ('new nn.AvgPool2d(3, { stride: 2, padding: 1, ceilMode: true })', nn.AvgPool2d(3, stride=2, padding=1, ceil_mode=True), image),
        ('new nn.AvgPool2d(3, { stride: [2, 3], padding: 1, countIncludePad: false })',
         nn.AvgPool2d(3, stride=(2, 3), padding=1, count_include_pad=False), image),
        ('new nn.AvgPool2d(2, { divisorOverride: 3 })', nn.AvgPool2d(2, divisor_override=3), image),
        ('new nn.AvgPool3d(2, { padding: 1 })', nn.AvgPool3d(2, padding=1), torch.randn(1, 2, 3, 3, 2)),
        ('new nn.LPPool1d(3, 2)', nn.LPPool1d(3, 2), torch.rand(2, 2, 6) + 0.1),
        ('new nn.LPPool2d(2, 3, { stride: 2 })', nn.LPPool2d(2, 3, stride=2), image),
        ('new nn.AdaptiveAvgPool1d(4)', nn.AdaptiveAvgPool1d(4), torch.randn(2, 2, 7)),
        ('new nn.AdaptiveAvgPool2d(1)', nn.AdaptiveAvgPool2d(1), image),
        ('new nn.AdaptiveAvgPool2d([3, 4])', nn.AdaptiveAvgPool2d((3, 4)), image),
        ('new nn.AdaptiveAvgPool2d([null, 3])', nn.AdaptiveAvgPool2d((None, 3)), image[0]),
        ('new nn.AdaptiveAvgPool2d(9)', nn.AdaptiveAvgPool2d(9), image),
        ('new nn.AdaptiveAvgPool3d([2, 3, 1])', nn.AdaptiveAvgPool3d((2, 3, 1)), torch.randn(1, 2, 3, 4, 3)),
        ('new nn.AdaptiveMaxPool1d(4)', nn.AdaptiveMaxPool1d(4), torch.randn(2, 2, 7)),
        ('new nn.AdaptiveMaxPool2d([3, 4])', nn.AdaptiveMaxPool2d((3, 4)), image),
        ('new nn.AdaptiveMaxPool2d([7, 3])', nn.AdaptiveMaxPool2d((7, 3)), image),
        ('new nn.AdaptiveMaxPool3d(2)', nn.AdaptiveMaxPool3d(2), torch.randn(1, 2, 3, 4, 3)),
    ]:
        c.add(js, m, [x])
    c.add('', None, [image], call='F.maxPool2dWithIndices(x0, 3, 2, 1)', run=lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True))
    pool, unpool = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)
    c.add('new nn.MaxUnpool2d(2)', unpool, [image], call='m(...F.maxPool2dWithIndices(x0, 2), [7, 6])', run=lambda x: unpool(*pool(x), output_size=(7, 6)))


@group
def normalization(c):
    for js, m, x in [
        ('new nn.LayerNorm(6)', nn.LayerNorm(6), torch.randn(2, 3, 6)),
        ('new nn.LayerNorm([3, 6], { eps: 0.1, bias: false })', nn.LayerNorm((3, 6), eps=0.1, bias=False), torch.randn(2, 3, 6)),
        ('new nn.LayerNorm(6, { elementwiseAffine: false })', nn.LayerNorm(6, elementwise_affine=False), torch.randn(2, 6)),
        ('new nn.RMSNorm(6)', nn.RMSNorm(6), torch.randn(2, 3, 6)),
        ('new nn.RMSNorm([3, 6], { eps: 1e-6 })', nn.RMSNorm((3, 6), eps=1e-6), torch.randn(2, 3, 6)),
        ('new nn.RMSNorm(6, { elementwiseAffine: false })', nn.RMSNorm(6, elementwise_affine=False), torch.randn(2, 3, 6)),
        ('new nn.GroupNorm(2, 4)', nn.GroupNorm(2, 4), torch.randn(2, 4, 3, 3)),
        ('new nn.GroupNorm(4, 4, { affine: false, eps: 0.01 })', nn.GroupNorm(4, 4, affine=False, eps=0.01), torch.randn(2, 4, 5)),
        ('new nn.GroupNorm(1, 6)', nn.GroupNorm(1, 6), torch.randn(3, 6)),
        ('new nn.BatchNorm1d(4)', nn.BatchNorm1d(4), torch.randn(5, 4)),
        ('new nn.BatchNorm1d(4, { momentum: 0.3 })', nn.BatchNorm1d(4, momentum=0.3), torch.randn(2, 4, 3)),
        ('new nn.BatchNorm1d(4, { momentum: null })', nn.BatchNorm1d(4, momentum=None), torch.randn(5, 4)),
        ('new nn.BatchNorm2d(3)', nn.BatchNorm2d(3), torch.randn(2, 3, 3, 2)),
        ('new nn.BatchNorm2d(3, { affine: false, eps: 0.001 })', nn.BatchNorm2d(3, affine=False, eps=1e-3), torch.randn(2, 3, 3, 2)),
        ('new nn.BatchNorm2d(3, { trackRunningStats: false })', nn.BatchNorm2d(3, track_running_stats=False), torch.randn(2, 3, 3, 2)),
        ('new nn.BatchNorm3d(2)', nn.BatchNorm3d(2), torch.randn(2, 2, 2, 2, 2)),
        ('new nn.InstanceNorm1d(3)', nn.InstanceNorm1d(3), torch.randn(2, 3, 5)),
        ('new nn.InstanceNorm2d(3, { affine: true, trackRunningStats: true })',
         nn.InstanceNorm2d(3, affine=True, track_running_stats=True), torch.randn(2, 3, 3, 3)),
        ('new nn.InstanceNorm2d(3, { affine: true })', nn.InstanceNorm2d(3, affine=True), torch.randn(3, 3, 3)),
        ('new nn.InstanceNorm3d(2)', nn.InstanceNorm3d(2), torch.randn(1, 2, 2, 2, 3)),
        ('new nn.LocalResponseNorm(3)', nn.LocalResponseNorm(3), torch.randn(2, 5, 3, 2)),
        ('new nn.LocalResponseNorm(2, { alpha: 0.1, beta: 0.5, k: 2 })', nn.LocalResponseNorm(2, 0.1, 0.5, 2.0), torch.randn(2, 5, 4)),
    ]:
        c.add(js, m, [x])
    for js, m, x in [
        ('new nn.BatchNorm2d(3)', nn.BatchNorm2d(3), torch.randn(2, 3, 3, 2)),
        ('new nn.BatchNorm2d(3, { trackRunningStats: false })', nn.BatchNorm2d(3, track_running_stats=False), torch.randn(2, 3, 3, 2)),
        ('new nn.InstanceNorm2d(3, { affine: true, trackRunningStats: true })',
         nn.InstanceNorm2d(3, affine=True, track_running_stats=True), torch.randn(2, 3, 3, 3)),
    ]:
        with torch.no_grad():
            for b in m.buffers():
                if b.is_floating_point():
                    b.add_(torch.rand_like(b))
        c.add(js, m, [x], training=False)
    x = torch.randn(3, 4)
    for js, run in [
        ('F.normalize(x0)', lambda v: F.normalize(v)), ('F.normalize(x0, 1, 0)', lambda v: F.normalize(v, p=1, dim=0)),
        ('F.normalize(x0, 3, 1)', lambda v: F.normalize(v, p=3, dim=1)),
    ]:
        c.add('', None, [x], call=js, run=run)


@group
def vision(c):
    x = torch.randn(2, 8, 4, 6)
    for js, m in [
        ('new nn.PixelShuffle(2)', nn.PixelShuffle(2)), ('new nn.PixelUnshuffle(2)', nn.PixelUnshuffle(2)),
        ('new nn.ChannelShuffle(4)', nn.ChannelShuffle(4)), ('new nn.Flatten()', nn.Flatten()),
        ('new nn.Flatten(2, -1)', nn.Flatten(2, -1)), ('new nn.Unflatten(1, [2, 4])', nn.Unflatten(1, (2, 4))),
        ('new nn.Unfold(3)', nn.Unfold(3)), ('new nn.Identity()', nn.Identity()),
        ('new nn.Unfold([2, 3], { dilation: [2, 1], padding: 1, stride: 2 })', nn.Unfold((2, 3), dilation=(2, 1), padding=1, stride=2)),
    ]:
        c.add(js, m, [x[:1]])
    c.add('new nn.Fold([4, 5], [2, 3], { padding: 1, stride: [2, 1] })', nn.Fold((4, 5), (2, 3), padding=1, stride=(2, 1)), [torch.randn(2, 12, 15)])
    image, line, volume = torch.randn(1, 2, 4, 5), torch.randn(2, 3, 5), torch.randn(1, 1, 2, 3, 3)
    for js, m, v in [
        ('new nn.Upsample({ scaleFactor: 2 })', nn.Upsample(scale_factor=2), image),
        ("new nn.Upsample({ scaleFactor: 2, mode: 'bilinear' })", nn.Upsample(scale_factor=2, mode='bilinear'), image),
        ('new nn.UpsamplingNearest2d({ scaleFactor: 3 })', nn.UpsamplingNearest2d(scale_factor=3), image),
        ('new nn.UpsamplingBilinear2d({ size: [7, 3] })', nn.UpsamplingBilinear2d(size=(7, 3)), image),
        ("new nn.Upsample({ size: 8, mode: 'linear' })", nn.Upsample(size=8, mode='linear'), line),
        ("new nn.Upsample({ scaleFactor: 2, mode: 'trilinear', alignCorners: true })", nn.Upsample(scale_factor=2, mode='trilinear', align_corners=True), volume),
    ]:
        c.add(js, m, [v])
    for js, run in [
        ("{ size: [3, 7] }", dict(size=(3, 7))), ("{ size: [3, 7], mode: 'nearest-exact' }", dict(size=(3, 7), mode='nearest-exact')),
        ("{ scaleFactor: 1.7 }", dict(scale_factor=1.7)), ("{ scaleFactor: [1.7, 0.6], mode: 'bilinear' }", dict(scale_factor=(1.7, 0.6), mode='bilinear')),
        ("{ scaleFactor: 1.7, mode: 'bilinear', recomputeScaleFactor: true }", dict(scale_factor=1.7, mode='bilinear', recompute_scale_factor=True)),
        ("{ size: [7, 9], mode: 'bicubic' }", dict(size=(7, 9), mode='bicubic')),
        ("{ size: [7, 2], mode: 'bicubic', alignCorners: true }", dict(size=(7, 2), mode='bicubic', align_corners=True)),
        ("{ size: [3, 2], mode: 'area' }", dict(size=(3, 2), mode='area')),
    ]:
        c.add('', None, [image], call=f'F.interpolate(x0, {js})', run=lambda v, kw=run: F.interpolate(v, **kw))
    for n, v in ((1, line), (2, image), (3, volume)):
        p = tuple(range(1, 2 * n + 1)) if n == 1 else (1, 2, 2, 1) if n == 2 else (1, 2, 2, 1, 1, 0)
        for name in ('ReflectionPad', 'ReplicationPad', 'CircularPad', 'ZeroPad'):
            cls = getattr(nn, f'{name}{n}d')
            c.add(f'new nn.{name}{n}d({list(p)})', cls(p), [v])
        c.add(f'new nn.ConstantPad{n}d({list(p)}, 2.5)', getattr(nn, f'ConstantPad{n}d')(p, 2.5), [v])
    c.add('new nn.ZeroPad2d(1)', nn.ZeroPad2d(1), [image])
    c.add('new nn.ZeroPad2d([-1, 1, 0, -1])', nn.ZeroPad2d((-1, 1, 0, -1)), [image])
    c.add('', None, [image], call='F.pad(x0, [1, -1])', run=lambda v: F.pad(v, (1, -1)))


@group
def linear(c):
    x = torch.randn(2, 3, 4)
    for js, m in [('new nn.Linear(4, 5)', nn.Linear(4, 5)), ('new nn.Linear(4, 5, { bias: false })', nn.Linear(4, 5, bias=False))]:
        c.add(js, m, [x])
    c.add('new nn.Bilinear(4, 3, 2)', nn.Bilinear(4, 3, 2), [x, torch.randn(2, 3, 3)], call='m(x0, x1)')
    c.add('new nn.Embedding(6, 3)', nn.Embedding(6, 3), [torch.tensor([[0, 5], [2, 2]])])
    c.add('new nn.Embedding(6, 3, { paddingIndex: 2 })', nn.Embedding(6, 3, padding_idx=2), [torch.tensor([[0, 5], [2, 2]])])
    c.add('new nn.Sequential(new nn.Linear(4, 5), new nn.ReLU(), new nn.Linear(5, 1))',
          nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 1)), [x])


@group
def losses(c):
    x, y = torch.randn(4, 3) * 2, target(torch.randn(4, 3))
    p, q = torch.rand(4, 3), target(torch.rand(4, 3))
    sign = target(torch.tensor([1.0, -1, 1, -1]))
    labels, w = torch.tensor([2, 0, -100, 1]), torch.tensor([0.5, 2.0, 1.0])
    picks = torch.tensor([2, 0, 1, 1])
    r = lambda kw: '{ ' + ', '.join(f"{k}: {v!r}" for k, v in kw.items()) + ' }'
    for name, a, b in [('MSELoss', x, y), ('L1Loss', x, y), ('SmoothL1Loss', x, y), ('HuberLoss', x, y), ('BCELoss', p, q),
                       ('BCEWithLogitsLoss', x, q), ('SoftMarginLoss', x, target(y.sign())), ('HingeEmbeddingLoss', x, target(y.sign())),
                       ('PoissonNLLLoss', x, q), ('MultiLabelSoftMarginLoss', x, target((y > 0).float())),
                       ('MultiMarginLoss', x, picks), ('CrossEntropyLoss', x, labels), ('CrossEntropyLoss', x, target(q.softmax(1))),
                       ('NLLLoss', p.log(), labels), ('MultiLabelMarginLoss', x, torch.tensor([[2, 0, -1], [1, -1, 0], [-1, 0, 1], [0, 1, 2]]))]:
        for reduction in ('mean', 'sum', 'none'):
            c.add(f"new nn.{name}({{ reduction: '{reduction}' }})", getattr(nn, name)(reduction=reduction), [a, target(b)], call='m(x0, x1)')
    for reduction in ('batchmean', 'mean', 'sum', 'none'):
        c.add(f"new nn.KLDivLoss({{ reduction: '{reduction}' }})", nn.KLDivLoss(reduction=reduction), [p.log(), target(torch.tensor([[0.0, 1, 0.5]] * 4))], call='m(x0, x1)')
    c.add('new nn.KLDivLoss({ logTarget: true })', nn.KLDivLoss(log_target=True), [p.log(), target(q.log())], call='m(x0, x1)')
    c.add('new nn.SmoothL1Loss({ beta: 0.3 })', nn.SmoothL1Loss(beta=0.3), [x, y], call='m(x0, x1)')
    c.add('new nn.HuberLoss({ delta: 0.3 })', nn.HuberLoss(delta=0.3), [x, y], call='m(x0, x1)')
    c.add('new nn.BCELoss()', nn.BCELoss(), [torch.tensor([0.3, 1.0, 0.2]), target(torch.tensor([1.0, 0.0, 0.5]))], call='m(x0, x1)', grads=False)
    c.add('new nn.PoissonNLLLoss({ logInput: false, full: true })', nn.PoissonNLLLoss(log_input=False, full=True), [p, target(q * 4)], call='m(x0, x1)')
    c.add('new nn.HingeEmbeddingLoss({ margin: 0.5 })', nn.HingeEmbeddingLoss(margin=0.5), [x, target(y.sign())], call='m(x0, x1)')
    c.add('new nn.MultiMarginLoss({ p: 2, margin: 0.5 })', nn.MultiMarginLoss(p=2, margin=0.5), [x, picks], call='m(x0, x1)')
    c.add('new nn.CrossEntropyLoss({ ignoreIndex: 2 })', nn.CrossEntropyLoss(ignore_index=2), [x, picks], call='m(x0, x1)')
    for js, kw in [('{ labelSmoothing: 0.2 }', dict(label_smoothing=0.2)), ('', {})]:
        c.add(f'new nn.CrossEntropyLoss({js})', nn.CrossEntropyLoss(**kw), [x, labels], call='m(x0, x1)')
    c.add('new nn.CrossEntropyLoss({ labelSmoothing: 0.2 })', nn.CrossEntropyLoss(label_smoothing=0.2), [x, target(q.softmax(1))], call='m(x0, x1)')
    ce = F.cross_entropy
    for js, kw in [('', {}), (", labelSmoothing: 0.3", dict(label_smoothing=0.3)), (", reduction: 'sum'", dict(reduction='sum')), (", reduction: 'none', labelSmoothing: 0.1", dict(reduction='none', label_smoothing=0.1))]:
        c.add('', None, [x, labels, target(w)], call=f'F.crossEntropy(x0, x1, {{ weight: x2{js} }})', run=lambda a, b, v, kw=kw: ce(a, b, weight=v, **kw))
        c.add('', None, [x, target(q.softmax(1)), target(w)], call=f'F.crossEntropy(x0, x1, {{ weight: x2{js} }})', run=lambda a, b, v, kw=kw: ce(a, b, weight=v, **kw))
    for js, kw in [('', {}), (", reduction: 'none'", dict(reduction='none')), (', ignoreIndex: 2', dict(ignore_index=2))]:
        c.add('', None, [p.log(), labels.clamp(min=0), target(w)], call=f'F.nllLoss(x0, x1, {{ weight: x2{js} }})', run=lambda a, b, v, kw=kw: F.nll_loss(a, b, weight=v, **kw))
    c.add('', None, [torch.randn(2, 3, 4), torch.randint(0, 3, (2, 4)), target(w)], call='F.crossEntropy(x0, x1, { weight: x2 })', run=lambda a, b, v: ce(a, b, weight=v))
    c.add('', None, [torch.randn(3), torch.tensor(1)], call='F.crossEntropy(x0, x1)', run=lambda a, b: ce(a, b))
    c.add('', None, [x, picks], call='F.crossEntropy(x0, x1.float())', run=lambda a, b: ce(a, b))
    c.add('', None, [x, q, target(w), target(p)], call='F.binaryCrossEntropyWithLogits(x0, x1, { posWeight: x2, weight: x3 })',
          run=lambda a, b, v, u: F.binary_cross_entropy_with_logits(a, b, pos_weight=v, weight=u))
    c.add('', None, [p, q, target(w)], call='F.binaryCrossEntropy(x0, x1, { weight: x2 })', run=lambda a, b, v: F.binary_cross_entropy(a, b, weight=v))
    c.add('new nn.GaussianNLLLoss()', nn.GaussianNLLLoss(), [x, y, p], call='m(x0, x1, x2)')
    c.add('new nn.GaussianNLLLoss({ full: true })', nn.GaussianNLLLoss(full=True), [x, y, p[:, :1]], call='m(x0, x1, x2)')
    c.add('new nn.MarginRankingLoss({ margin: 0.2 })', nn.MarginRankingLoss(margin=0.2), [x[:, 0], x[:, 1], sign], call='m(x0, x1, x2)')
    c.add('new nn.CosineEmbeddingLoss({ margin: 0.1 })', nn.CosineEmbeddingLoss(margin=0.1), [x, p, sign], call='m(x0, x1, x2)')
    z = torch.randn(4, 3)
    c.add('new nn.TripletMarginLoss()', nn.TripletMarginLoss(), [x, p, z], call='m(x0, x1, x2)')
    c.add('new nn.TripletMarginLoss({ p: 1, margin: 2, swap: true })', nn.TripletMarginLoss(p=1, margin=2.0, swap=True), [x, p, z], call='m(x0, x1, x2)')
    c.add('', None, [x, p, z], call='new nn.TripletMarginWithDistanceLoss()(x0, x1, x2)', run=nn.TripletMarginWithDistanceLoss())
    c.add('new nn.CosineSimilarity()', nn.CosineSimilarity(), [x, p], call='m(x0, x1)')
    c.add('new nn.PairwiseDistance({ p: 3, keepDim: true })', nn.PairwiseDistance(p=3, keepdim=True), [x, p], call='m(x0, x1)')
    logits = torch.randn(6, 3, 5)
    for js, kw in [('', {}), ("{ reduction: 'sum' }", dict(reduction='sum')), ("{ reduction: 'none', zeroInfinity: true, blank: 4 }", dict(reduction='none', zero_infinity=True, blank=4))]:
        t = torch.tensor([[1, 1, 2], [3, 2, 1], [2, 0, 0]]) if 'blank' in kw else torch.tensor([[1, 1, 2], [3, 4, 1], [2, 0, 0]])
        m = nn.CTCLoss(**kw)
        c.add(f'new nn.CTCLoss({js})', m, [logits, t], call='m(F.logSoftmax(x0, 2), x1, [6, 5, 4], [3, 3, 1])',
              run=lambda a, b, m=m: m(a.log_softmax(2), b, torch.tensor([6, 5, 4]), torch.tensor([3, 3, 1])))


@group
def bags(c):
    """Bags of rows of a table; without ties for the maximum."""
    even = torch.tensor([[1, 4, 4], [2, 0, 3], [2, 2, 2]])
    flat, offsets, last = torch.tensor([1, 4, 4, 2, 0, 3, 2]), torch.tensor([0, 3, 3, 5]), torch.tensor([0, 3, 3, 7])
    factors = torch.randn(7)
    for mode in ('sum', 'mean', 'max'):
        js = f"new nn.EmbeddingBag(5, 3, {{ mode: '{mode}' }})"
        if mode != 'max':
            c.add(js, nn.EmbeddingBag(5, 3, mode=mode), [even])
            c.add(f"new nn.EmbeddingBag(5, 3, {{ mode: '{mode}', paddingIndex: 2 }})", nn.EmbeddingBag(5, 3, mode=mode, padding_idx=2), [even])
        c.add(js, nn.EmbeddingBag(5, 3, mode=mode), [torch.tensor([[1, 4], [2, 0]])])
        c.add(f"new nn.EmbeddingBag(5, 3, {{ mode: '{mode}', paddingIndex: -3 }})", nn.EmbeddingBag(5, 3, mode=mode, padding_idx=-3), [torch.tensor([1, 4, 0, 2, 0, 3, 2]), offsets], call='m(x0, x1)')
        c.add(f"new nn.EmbeddingBag(5, 3, {{ mode: '{mode}', includeLastOffset: true }})", nn.EmbeddingBag(5, 3, mode=mode, include_last_offset=True), [torch.tensor([1, 4, 0, 2, 0, 3, 4]), last], call='m(x0, x1)')
    m = nn.EmbeddingBag(5, 3, mode='sum')
    c.add("new nn.EmbeddingBag(5, 3, { mode: 'sum' })", m, [flat, offsets, factors], call='m(x0, x1, x2)')


@group
def recurrent(c):
    x, packed = torch.randn(3, 3, 4), torch.randn(5, 3, 4)
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
    for js, m, v in [
        ('new nn.RNN(4, 3)', nn.RNN(4, 3), x),
        ("new nn.RNN(4, 3, { nonlinearity: 'relu', numLayers: 2, bidirectional: true })", nn.RNN(4, 3, 2, nonlinearity='relu', bidirectional=True), x),
        ('new nn.LSTM(4, 3)', nn.LSTM(4, 3), x), ('new nn.LSTM(4, 3, 2, { batchFirst: true })', nn.LSTM(4, 3, 2, batch_first=True), x),
        ('new nn.LSTM(4, 3, { numLayers: 2, bidirectional: true, bias: false })', nn.LSTM(4, 3, num_layers=2, bidirectional=True, bias=False), x),
        ('new nn.LSTM(4, 5, { projSize: 2, bidirectional: true })', nn.LSTM(4, 5, proj_size=2, bidirectional=True), x),
        ('new nn.LSTM(4, 3)', nn.LSTM(4, 3), x[:, 0]),
        ('new nn.GRU(4, 3)', nn.GRU(4, 3), x), ('new nn.GRU(4, 3, { numLayers: 2, bidirectional: true })', nn.GRU(4, 3, num_layers=2, bidirectional=True), x),
        ('new nn.GRU(1, 2)', nn.GRU(1, 2), torch.randn(70, 2, 1)),
        ('new nn.LSTM(1, 2, { bidirectional: true })', nn.LSTM(1, 2, bidirectional=True), torch.randn(70, 1, 1)),
        ('new nn.RNNCell(4, 3)', nn.RNNCell(4, 3), x[0]), ("new nn.RNNCell(4, 3, { nonlinearity: 'relu' })", nn.RNNCell(4, 3, nonlinearity='relu'), x[0]),
        ('new nn.LSTMCell(4, 3)', nn.LSTMCell(4, 3), x[0]), ('new nn.GRUCell(4, 3, { bias: false })', nn.GRUCell(4, 3, bias=False), x[0]),
    ]:
        c.add(js, m, [v])
    h, s = torch.randn(2, 3, 3), torch.randn(2, 3, 3)
    lstm = nn.LSTM(4, 3, bidirectional=True)
    c.add('new nn.LSTM(4, 3, { bidirectional: true })', lstm, [x, h, s], call='m(x0, [x1, x2])', run=lambda a, b, d: lstm(a, (b, d)))
    gru = nn.GRU(4, 3, 2)
    c.add('new nn.GRU(4, 3, 2)', gru, [x, h], call='m(x0, x1)')
    for cls in ('LSTM', 'GRU'):
        for lengths, js in (([5, 3, 1], '[5, 3, 1]'), ([2, 5, 4], '[2, 5, 4], { enforceSorted: false }')):
            m = getattr(nn, cls)(4, 3, num_layers=2, bidirectional=True)
            def run(a, m=m, lengths=lengths):
                y, last = m(pack_padded_sequence(a, torch.tensor(lengths), enforce_sorted=False))
                return pad_packed_sequence(y)[0], last
            c.add(f'new nn.{cls}(4, 3, {{ numLayers: 2, bidirectional: true }})', m, [packed],
                  call=f'(([y, last]) => [nn.utils.rnn.padPackedSequence(y)[0], last])(m.forward(nn.utils.rnn.packPaddedSequence(x0, {js})))', run=run)


@group
def attention(c):
    q, k, v = torch.randn(2, 2, 3, 4), torch.randn(2, 2, 5, 4), torch.randn(2, 2, 5, 6)
    sdpa = F.scaled_dot_product_attention
    allowed = torch.rand(3, 5) > 0.4
    allowed[1] = False
    bias = target(torch.randn(3, 5))
    c.add('', None, [q, k, v], call='F.scaledDotProductAttention(x0, x1, x2)', run=lambda a, b, d: sdpa(a, b, d))
    c.add('', None, [q, k, v], call='F.scaledDotProductAttention(x0, x1, x2, { isCausal: true, scale: 0.3 })', run=lambda a, b, d: sdpa(a, b, d, is_causal=True, scale=0.3))
    c.add('', None, [q, k, v, allowed], call='F.scaledDotProductAttention(x0, x1, x2, { mask: x3 })', run=lambda a, b, d, m: sdpa(a, b, d, attn_mask=m))
    c.add('', None, [q, k, v, bias], call='F.scaledDotProductAttention(x0, x1, x2, { mask: x3 })', run=lambda a, b, d, m: sdpa(a, b, d, attn_mask=m))
    c.add('', None, [q, k[:1, :1], v[:, :1]], call='F.scaledDotProductAttention(x0, x1, x2)', run=lambda a, b, d: sdpa(a, b, d))
    c.add('', None, [torch.randn(1, 4, 3, 4), k[:1], v[:1]], call='F.scaledDotProductAttention(x0, x1, x2, { enableGqa: true })', run=lambda a, b, d: sdpa(a, b, d, enable_gqa=True))
    x, y = torch.randn(3, 2, 4), torch.randn(5, 2, 4)
    padding = torch.tensor([[False, False, True, False, True], [False, True, False, False, False]])
    causal = torch.ones(3, 5).triu(1).bool()
    for js, m, call, run in [
        ('new nn.MultiheadAttention(4, 2)', nn.MultiheadAttention(4, 2), 'm(x0, x1, x1)', lambda m: lambda a, b: m(a, b, b)),
        ('new nn.MultiheadAttention(4, 2, { bias: false })', nn.MultiheadAttention(4, 2, bias=False), 'm(x0, x0, x0, { averageAttnWeights: false })', lambda m: lambda a, b: m(a, a, a, average_attn_weights=False)),
        ('new nn.MultiheadAttention(4, 2, { addBiasKv: true, addZeroAttn: true })', nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True), 'm(x0, x1, x1)', lambda m: lambda a, b: m(a, b, b)),
    ]:
        c.add(js, m, [x, y], call=call, run=run(m))
    m = nn.MultiheadAttention(4, 2)
    c.add('new nn.MultiheadAttention(4, 2)', m, [x, y, padding, causal], call='m(x0, x1, x1, { keyPaddingMask: x2, attnMask: x3 })', run=lambda a, b, p, z: m(a, b, b, key_padding_mask=p, attn_mask=z))
    m1 = nn.MultiheadAttention(4, 2)
    c.add('new nn.MultiheadAttention(4, 2)', m1, [x], call='m(x0, x0, x0, { needWeights: false })[0]', run=lambda a: m1(a, a, a, need_weights=False)[0])
    m2 = nn.MultiheadAttention(4, 2, kdim=3, vdim=6, batch_first=True)
    c.add('new nn.MultiheadAttention(4, 2, { kdim: 3, vdim: 6, batchFirst: true })', m2, [x, torch.randn(3, 5, 3), torch.randn(3, 5, 6)], call='m(x0, x1, x2)')
    m3 = nn.MultiheadAttention(4, 2)
    c.add('new nn.MultiheadAttention(4, 2)', m3, [x[:, 0]], call='m(x0, x0, x0)', run=lambda a: m3(a, a, a))
    kw = dict(dim_feedforward=6, dropout=0.0)
    for js, m, call in [
        ('new nn.TransformerEncoderLayer(4, 2, { dimFeedforward: 6, dropout: 0 })', nn.TransformerEncoderLayer(4, 2, **kw), 'm(x0)'),
        ("new nn.TransformerEncoderLayer(4, 2, { dimFeedforward: 6, dropout: 0, activation: 'gelu', normFirst: true, batchFirst: true })",
         nn.TransformerEncoderLayer(4, 2, **kw, activation='gelu', norm_first=True, batch_first=True), 'm(x0)'),
        ('new nn.TransformerEncoder(new nn.TransformerEncoderLayer(4, 2, { dimFeedforward: 6, dropout: 0 }), 2, new nn.LayerNorm(4))',
         nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, **kw), 2, nn.LayerNorm(4)), 'm(x0)'),
    ]:
        c.add(js, m, [x], call=call)
    for js, m in [
        ('new nn.TransformerDecoderLayer(4, 2, { dimFeedforward: 6, dropout: 0 })', nn.TransformerDecoderLayer(4, 2, **kw)),
        ('new nn.TransformerDecoder(new nn.TransformerDecoderLayer(4, 2, { dimFeedforward: 6, dropout: 0, normFirst: true }), 2)',
         nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, **kw, norm_first=True), 2)),
    ]:
        c.add(js, m, [x, y], call='m(x0, x1)')
    model = nn.Transformer(4, 2, 1, 1, 6, 0.0)
    mask = nn.Transformer.generate_square_subsequent_mask(3)
    c.add('new nn.Transformer({ dModel: 4, nhead: 2, numEncoderLayers: 1, numDecoderLayers: 1, dimFeedforward: 6, dropout: 0 })', model, [y, x],
          call='m(x0, x1, { tgtMask: nn.Transformer.generateSquareSubsequentMask(3) })', run=lambda a, b: model(a, b, tgt_mask=mask))
