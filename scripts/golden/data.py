# Writes test/golden/data.json: the results of PyTorch's collate, samplers and splits, for src/data/*.test.ts.
#
#   python scripts/golden/data.py        (torch 2.13.0)
import json
import numpy as np
import torch
from torch.utils.data import BatchSampler, ConcatDataset, DistributedSampler, SequentialSampler, WeightedRandomSampler, default_collate, random_split


def plain(batch):
    if isinstance(batch, torch.Tensor):
        return {"dtype": str(batch.dtype).removeprefix("torch."), "shape": list(batch.shape), "values": batch.reshape(-1).tolist()}
    if isinstance(batch, dict):
        return {"object": {k: plain(v) for k, v in batch.items()}}
    if isinstance(batch, (list, tuple)):
        return [plain(v) for v in batch]
    return batch


f32 = lambda *v: np.array(v, dtype=np.float32)
# The names match the items in collate.test.ts.
collate = {
    "integers": [1, 2, 3],
    "booleans": [True, False],
    "texts": ["a", "b"],
    "typed arrays": [f32(1, 2), f32(3, 4)],
    "bytes": [np.array([1, 2], dtype=np.uint8), np.array([3, 4], dtype=np.uint8)],
    "tuples": [(f32(1, 2), 0), (f32(3, 4), 1), (f32(5, 6), 2)],
    "objects": [{"x": f32(1), "y": 0, "name": "a"}, {"x": f32(2), "y": 5, "name": "b"}],
    "nested": [({"a": 1, "b": (2, "x")}, f32(1)), ({"a": 3, "b": (4, "y")}, f32(2))],
    "tensors": [(torch.ones(2, 3), torch.tensor(4)), (torch.zeros(2, 3), torch.tensor(5))],
    "one": [(f32(1, 2), 7)],
}
distributed = [
    {"items": n, "replicas": r, "dropLast": d, "shares": [list(DistributedSampler(range(n), r, k, shuffle=False, drop_last=d)) for k in range(r)]}
    for n, r in [(10, 2), (10, 3), (7, 4), (3, 5), (8, 1)] for d in [False, True] if n >= r or not d
]
batches = [
    {"items": n, "size": s, "dropLast": d, "batches": [list(b) for b in BatchSampler(SequentialSampler(range(n)), s, d)]}
    for n, s in [(10, 3), (9, 3), (2, 5)] for d in [False, True]
]
splits = [
    {"items": n, "lengths": f, "counts": [len(s) for s in random_split(range(n), f)]}
    for n, f in [(10, [0.9, 0.1]), (11, [0.5, 0.5]), (10, [0.3, 0.3, 0.4]), (101, [0.33, 0.33, 0.34]), (10, [7, 3])]
]
torch.manual_seed(0)
weights = [0.1, 0.0, 0.4, 2.0, 1.5]
runs = 20000
first = torch.zeros(5)
for index in WeightedRandomSampler(weights, runs, replacement=True):
    first[index] += 1
# Without replacement: how often each index is at each of three positions.
places = torch.zeros(3, 5)
for _ in range(runs):
    for place, index in enumerate(WeightedRandomSampler(weights, 3, replacement=False)):
        places[place, index] += 1
weighted = {"weights": weights, "with": (first / runs).tolist(), "without": (places / runs).tolist(), "runs": runs}
with open("test/golden/data.json", "w") as out:
    json.dump({"torch": torch.__version__.split("+")[0], "collate": {k: plain(default_collate(v)) for k, v in collate.items()},
               "distributed": distributed, "batches": batches, "splits": splits, "weighted": weighted}, out)
    out.write("\n")
