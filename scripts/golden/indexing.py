"""Random indexing, read and written, by PyTorch: test/golden/pytorch-indexing.json.

    python scripts/golden/indexing.py

An entry of an index is a number, "start:stop:step", null, "...", {"ids": array} or {"mask": array}. Written are a number or a
tensor of the shape of the part. With the gradient of the part's weighted sum.
"""

import json
import random
from pathlib import Path

import torch


def entry(r, size):
    kind = r.choice(["number", "slice", "slice", "all", "ids", "ids2", "mask"])
    match kind:
        case "number":
            return r.randrange(-size, size)
        case "slice":
            start = r.choice(["", r.randrange(-size, size)])
            stop = r.choice(["", r.randrange(-size, size + 2)])
            return f"{start}:{stop}" + r.choice(["", ":2", ":"])
        case "all":
            return ":"
        case "ids":
            return {"ids": [r.randrange(-size, size) for _ in range(2)]}
        case "ids2":
            return {"ids": [[r.randrange(size)], [r.randrange(size)]]}
        case "mask":
            return {"mask": [r.random() < 0.5 for _ in range(size)]}


def torch_entry(e):
    if e == "...":
        return ...
    if isinstance(e, str):
        return slice(*[int(p) if p else None for p in e.split(":")])
    if isinstance(e, dict):
        return torch.tensor(e.get("ids", e.get("mask")))
    return e


def case(seed):
    r = random.Random(seed)
    shape = r.choice([[4], [3, 4], [2, 3, 4], [2, 2, 3, 2]])
    rank = len(shape)
    used = r.randint(1, rank)
    entries = [entry(r, shape[i]) for i in range(used)]
    if used < rank and r.random() < 0.3:
        at = r.randint(0, used)
        entries = [entry(r, shape[i]) for i in range(at)] + ["..."] + [entry(r, shape[rank - used + i]) for i in range(at, used)]
    if r.random() < 0.3:
        entries.insert(r.randint(0, len(entries)), None)
    x = torch.arange(float(torch.tensor(shape).prod())).reshape(shape).requires_grad_()
    index = tuple(torch_entry(e) for e in entries)
    part = x[index]
    weights = torch.arange(1.0, part.numel() + 1).reshape(part.shape)
    (part * weights).sum().backward()
    number, tensor = x.detach().clone(), x.detach().clone()
    number[index] = -1.0
    result = {"shape": shape, "index": entries, "part": part.tolist(), "gradient": x.grad.tolist(), "number": number.tolist()}
    # PyTorch does not define which of several values written to one element wins.
    flat = torch.arange(x.numel()).reshape(shape)[index].flatten()
    if len(set(flat.tolist())) == flat.numel():
        tensor[index] = -weights
        result["tensor"] = tensor.tolist()
    return result


if __name__ == "__main__":
    cases = []
    for seed in range(400):
        try:
            cases.append(case(seed))
        except IndexError:
            continue
        if len(cases) == 200:
            break
    path = Path(__file__).parents[2] / "test" / "golden" / "pytorch-indexing.json"
    path.write_text("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
    print(f"wrote {len(cases)} cases")
