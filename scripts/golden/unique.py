"""torch.unique and torch.unique_consecutive by PyTorch: test/golden/pytorch-unique.json.

    python scripts/golden/unique.py

Each case is asked for the result, the inverse and the counts. Not a number is the text "NaN".
"""

import json
import random
from pathlib import Path

import torch

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
    "i64": torch.int64, "i32": torch.int32, "i8": torch.int8, "ui8": torch.uint8, "i1": torch.bool,
}


def dump(x):
    return {"shape": list(x.shape), "data": ["NaN" if v != v else v for v in x.reshape(-1).tolist()]}


def case(name, dtype, shape, dim, data):
    made = torch.tensor([float(v) if v == "NaN" else v for v in data], dtype=DTYPES[dtype]).reshape(shape)
    options = {} if dim is None else {"dim": dim}
    try:
        given = getattr(torch, name)(made, return_inverse=True, return_counts=True, **options)
        outcome = {"results": [dump(x) for x in given]}
    except (RuntimeError, IndexError) as error:
        outcome = {"raises": str(error).splitlines()[0][:200]}
    head = {"function": name, "dtype": dtype, "shape": shape, "dim": dim, "data": data}
    return {**head, **outcome}


def main():
    r = random.Random(1)
    cases = []
    for name in ["unique", "unique_consecutive"]:
        for dtype in DTYPES:
            for shape in [[9], [3, 4]]:
                count = torch.Size(shape).numel()
                low = 0 if dtype in ("ui8", "i1") else -2
                data = [r.randrange(low, 3 if dtype != "i1" else 2) for _ in range(count)]
                scale = 0.5 if dtype[0] in "fb" else 1
                cases.append(case(name, dtype, shape, None, [v * scale for v in data]))
        for shape, dim in [([5, 2], 0), ([2, 5], 1), ([2, 6, 2], 1), ([2, 6, 2], -2), ([4, 1, 2], 0), ([6], 0)]:
            for dtype in ["f32", "i64"]:
                data = [r.randrange(2) for _ in range(torch.Size(shape).numel())]
                cases.append(case(name, dtype, shape, dim, data))
        cases.append(case(name, "f32", [], None, [3]))
        cases.append(case(name, "f32", [0], None, []))
        cases.append(case(name, "i64", [2, 0], 1, []))
        cases.append(case(name, "i64", [2, 0], 0, []))
        cases.append(case(name, "f32", [2, 2], 2, [1, 2, 3, 4]))
        cases.append(case(name, "f32", [5], None, [1, "NaN", 0, "NaN", 1]))
        cases.append(case(name, "i64", [3], None, [2**53 + 1, 2**53, 2**53 + 1]))
    path = Path(__file__).parents[2] / "test/golden/pytorch-unique.json"
    path.write_text("[\n" + ",\n".join("  " + json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
    print(f"wrote {len(cases)} cases")


main()
