"""Runs cases in PyTorch and writes their settings as text, inputs, parameters, outputs and gradients.

A case is a pair of expressions, one in Python and one in TypeScript. `m` is the module; x0, x1 … are the inputs. The cotangent of
element i of an output is cos(i).
"""
import json
import math
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(__file__), '..'))
from family import open_family

FOLDER = open_family('pytorch-nn')


def number(x):
    if isinstance(x, bool):
        return x
    x = float(x)
    if math.isnan(x):
        return 'NaN'
    if math.isinf(x):
        return 'Infinity' if x > 0 else '-Infinity'
    return int(x) if x.is_integer() and abs(x) < 1e15 else float(f'{x:.8g}')


def pack(t):
    t = t.detach()
    kind = {torch.float32: 'f32', torch.int64: 'i64', torch.int32: 'i32', torch.bool: 'i1', torch.bfloat16: 'bf16'}[t.dtype]
    return {'dtype': kind, 'shape': list(t.shape), 'data': [number(v) for v in t.reshape(-1).tolist()]}


def flat(out):
    if isinstance(out, torch.Tensor):
        return [out]
    if isinstance(out, (tuple, list)):
        return [t for one in out for t in flat(one)]
    if hasattr(out, 'data') and hasattr(out, 'batch_sizes'):
        return [out.data]
    if out is None:
        return []
    raise TypeError(type(out))


class Cases:
    def __init__(self, name):
        self.name = name
        self.cases = []

    def add(self, js, module, inputs, call='m(x0)', run=None, training=True, grads=True):
        """`module` is a module, or None with `run`, a function of the inputs."""
        inputs = [target(x.clone()) if getattr(x, 'is_target', False) else x.clone() for x in inputs]
        for x in inputs:
            if x.is_floating_point() and grads and not getattr(x, 'is_target', False):
                x.requires_grad_()
        case = {'js': js, 'call': call, 'training': training, 'inputs': [pack(x) for x in inputs]}
        if module is not None:
            module.train(training)
            case['text'] = str(module)
            with torch.no_grad():
                # Away from 0 and 1, so that mistakes show.
                for p in module.parameters():
                    p.add_(torch.rand_like(p) * 0.2 - 0.1)
            case['state'] = {k: pack(v) for k, v in module.state_dict().items()}
        out = run(*inputs) if run is not None else module(*inputs)
        outs = flat(out)
        case['outputs'] = [pack(o) for o in outs]
        if grads:
            loss = sum((o.float().reshape(-1) * torch.cos(torch.arange(o.numel(), dtype=torch.float32))).sum()
                       for o in outs if o.requires_grad)
            if isinstance(loss, torch.Tensor):
                loss.backward()
                case['inputGradients'] = [None if x.grad is None else pack(x.grad) for x in inputs]
                if module is not None:
                    case['gradients'] = {k: pack(p.grad) for k, p in module.named_parameters() if p.grad is not None}
        if module is not None:
            buffers = dict(module.named_buffers())
            if buffers:
                case['buffers'] = {k: pack(v) for k, v in buffers.items()}
        self.cases.append(case)

    def write(self):
        with open(os.path.join(FOLDER, f'{self.name}.json'), 'w') as file:
            file.write('[\n' + ',\n'.join(json.dumps(c, separators=(',', ':')) for c in self.cases) + '\n]\n')
        print(self.name, len(self.cases))


def target(x):
    """An input without a gradient."""
    x.is_target = True
    return x
