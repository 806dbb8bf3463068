"""Random programs of views and in-place calls, run by PyTorch: test/golden/pytorch-views.json.

    python scripts/golden/views.py

Each program begins with one tensor of whole numbers. Left out, because Trenio differs by design: writing to expanded tensors (an
error), and to detached tensors of differentiable ones (what follows is differentiated as it is computed).
Each program begins with one tensor of whole numbers. A step is [call, tensor, ...arguments], where tensors are numbers of earlier
results; what PyTorch refuses is left out. At the end there are the elements, strides and contiguity of all tensors, and the
gradient of a weighted sum of them where the first tensor requires one.
"""

import json
import random
from pathlib import Path

import torch

CALLS = {
    "select": lambda x, dim, index: x.select(dim, index),
    "narrow": lambda x, dim, start, length: x.narrow(dim, start, length),
    "transpose": lambda x, i, j: x.transpose(i, j),
    "permute": lambda x, dims: x.permute(dims),
    "reshape": lambda x, shape: x.reshape(shape),
    "flatten": lambda x: x.flatten(),
    "unsqueeze": lambda x, dim: x.unsqueeze(dim),
    "squeeze": lambda x, dim: x.squeeze(dim),
    "expand": lambda x, shape: x.expand(shape),
    "diagonal": lambda x, offset: x.diagonal(offset),
    "slice": lambda x, dim, start, end, step: x[(slice(None),) * dim + (slice(start, end, step),)],
    "unbind": lambda x, dim, i: x.unbind(dim)[i],
    "split": lambda x, size, dim: x.split(size, dim)[-1],
    "detach": lambda x: x.detach(),
    "contiguous": lambda x: x.contiguous(),
    "clone": lambda x: x.clone(),
    "double": lambda x: x * 2 + 1,
    "fill_": lambda x, value: x.fill_(value),
    "zero_": lambda x: x.zero_(),
    "mul_": lambda x, value: x.mul_(value),
    "add_": lambda x, value: x.add_(value),
}


def arguments(call, x, r):
    rank = x.dim()
    dim = r.randrange(rank) if rank else 0
    size = x.shape[dim] if rank else 1
    match call:
        case "select" | "unbind":
            return [dim, r.randrange(size)]
        case "narrow":
            start = r.randrange(size)
            return [dim, start, r.randint(1, size - start)]
        case "transpose":
            return [dim, r.randrange(rank)]
        case "permute":
            return [r.sample(range(rank), rank)]
        case "reshape":
            n = x.numel()
            return [r.choice([[n], [1, n], [n // 2, 2] if n % 2 == 0 else [n], [2, n // 4, 2] if n % 4 == 0 else [n, 1]])]
        case "unsqueeze":
            return [r.randint(0, rank)]
        case "squeeze":
            return [dim]
        case "expand":
            return [[2, *x.shape]]
        case "diagonal":
            return [r.randint(-1, 1)]
        case "slice":
            start = r.randrange(size)
            return [dim, start, r.randint(start, size), r.randint(1, 2)]
        case "split":
            return [r.randint(1, size), dim]
        case "fill_" | "add_":
            return [r.randint(-5, 5)]
        case "mul_":
            return [r.choice([-1, 2, 3])]
    return []


def strides(t):
    """Strides of dims of size 1 are arbitrary."""
    return [stride if size != 1 else 0 for stride, size in zip(t.stride(), t.shape)]


def program(seed):
    r = random.Random(seed)
    requires_grad = r.random() < 0.5
    shape = r.choice([[2, 3, 4], [4, 4], [2, 1, 6], [8]])
    first = torch.arange(float(torch.tensor(shape).prod())).reshape(shape).requires_grad_(requires_grad)
    tensors = [first]
    detached = set()
    # The flattened matrix of a diagonal has no strides where it is not contiguous.
    without_strides = set()
    expanded = set()
    steps = []
    if requires_grad:
        steps.append(["double", 0])
        tensors.append(first * 2 + 1)
    for _ in range(r.randint(3, 12)):
        in_place = r.random() < 0.45
        call = r.choice([c for c in CALLS if c.endswith("_") == in_place])
        at = r.randrange(1 if requires_grad else 0, len(tensors))
        x = tensors[at]
        if x.numel() == 0 or (in_place and (at in detached or at in expanded)):
            continue
        try:
            given = arguments(call, tensors[at], r)
            made = CALLS[call](tensors[at], *given)
        except (RuntimeError, IndexError, ValueError):
            continue
        steps.append([call, at, *given])
        if not in_place:
            if (call == "detach" and requires_grad) or (at in detached and call not in ("clone", "double")):
                detached.add(len(tensors))
            if call == "expand" or (at in expanded and call not in ("clone", "double")):
                expanded.add(len(tensors))
            # In PyTorch, copies keep the strides of the original; in Trenio they are row-major.
            is_copy = call in ("clone", "double") and not x.is_contiguous()
            if call == "diagonal" or is_copy or at in without_strides:
                without_strides.add(len(tensors))
            tensors.append(made)
    result = {"shape": shape, "requiresGrad": requires_grad, "steps": steps}
    result["tensors"] = [
        {"data": t.tolist(), "grad": t.requires_grad}
        | ({} if i in without_strides else {"stride": strides(t), "offset": t.storage_offset()})
        for i, t in enumerate(tensors)
    ]
    if requires_grad:
        total = sum((t.sum() * (i + 1) for i, t in enumerate(tensors) if t.requires_grad), torch.zeros(()))
        total.backward()
        result["gradient"] = first.grad.tolist()
    return result


if __name__ == "__main__":
    programs = []
    for seed in range(220):
        try:
            programs.append(program(seed))
        except RuntimeError as error:
            # For example, a view from a multi-view function that was changed in place: its gradient raises an error at the end.
            print(f"seed {seed} left out: {str(error)[:80]}")
    path = Path(__file__).parents[2] / "test" / "golden" / "pytorch-views.json"
    path.write_text("[\n" + ",\n".join(json.dumps(p, separators=(",", ":")) for p in programs) + "\n]\n")
    print(f"wrote {len(programs)} programs")
