# Writes test/golden/printing.json: tensors and the text that PyTorch prints for them, for src/tensor/printing/format-tensor.test.ts.
#
#   python scripts/golden/printing.py        (torch 2.13.0)
#
# A case is {dtype, values or formula, shape, options, text}. A formula [factor, modulus, offset, divisor] is
# element i = ((i * factor) % modulus + offset) / divisor: for tensors too large to store.
import json
import math
import random
import torch

cases = []


def encode(value):
    if isinstance(value, complex):
        return [encode(value.real), encode(value.imag)]
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        if value == 0 and math.copysign(1, value) < 0:
            return "-0"
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 else value


def add(t, options=None, formula=None):
    torch.set_printoptions(profile="default", sci_mode=None)
    torch.set_printoptions(**(options or {}))
    text = repr(t)
    if t.numel() > torch._tensor_str.PRINT_OPTS.threshold and torch._tensor_str.PRINT_OPTS.edgeitems > 0:
        # Trenio prints the size of summarized tensors, as PyTorch does with edgeitems=0; the rule is PyTorch's.
        suffixes = ["size=" + str(tuple(t.shape))]
        if t.dtype not in (torch.float32, torch.complex64, torch.int64, torch.bool):
            suffixes.append("dtype=" + str(t.dtype))
        text = torch._tensor_str._add_suffixes("tensor(" + torch._tensor_str._tensor_str(t, 7), suffixes, 7, False)
    case = {"dtype": str(t.dtype).removeprefix("torch."), "shape": list(t.shape), "options": options or {}, "text": text}
    if formula is None:
        flat = t.reshape(-1)
        if flat.dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
            flat = flat.float()
        case["values"] = [encode(v) for v in flat.tolist()]
    else:
        case["formula"] = formula
    cases.append(case)


def large(shape, formula, dtype=torch.float32, options=None):
    factor, modulus, offset, divisor = formula
    i = torch.arange(math.prod(shape), dtype=torch.int64)
    x = ((i * factor) % modulus + offset).double() / divisor
    add(x.to(dtype).reshape(shape), options, formula)


nan, inf = math.nan, math.inf
for values in [
    [], [0.0], [-0.0], [1.0, 2.0, 3.0], [1.5, -2.25, 3.125], [1e-5, 1.0], [1e9, 1.0], [1e9, 2e9], [0.1, 1000.5],
    [nan, 1.0], [inf, -inf, 1.0], [nan, 1.5, -inf], [nan], [inf], [-inf, nan], [0.0, 0.0], [1e-4, 1e-3], [9.9e-5],
    [1e8], [1e8 + 8, 1.0], [99999.5, 100.0], [1e-45, 3e38], [0.03125, 0.5, -0.03125], [0.00005, 0.5], [2.5, 0.5, 1.5],
    [1000050.0, 1.0], [100005.0, 1e9, 100015.0], [9.99995, 0.001], [float(i) for i in range(30)],
    [i / 8 for i in range(40)], [-1.0, 10.0, -100.0], [-0.00001, 0.5, 1e-4], [123456.789, 200.0], [-0.0, 1.5],
]:
    add(torch.tensor(values, dtype=torch.float32))
    add(torch.tensor(values, dtype=torch.float64))
    add(torch.tensor(values, dtype=torch.bfloat16))
    add(torch.tensor(values, dtype=torch.float16))
for scalar in [3.0, 2.5, 1e-7, 1e10, nan, -inf, 0.0, -0.0]:
    add(torch.tensor(scalar))
    add(torch.tensor(scalar, dtype=torch.float64))
for dtype in [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64]:
    add(torch.tensor([1, 20, 100], dtype=dtype))
    add(torch.tensor([[1, 2], [3, 4]], dtype=dtype))
    add(torch.tensor(7, dtype=dtype))
    add(torch.tensor([], dtype=dtype))
add(torch.tensor([-(2**63), 2**63 - 1]))
add(torch.tensor([-5, 1000, 3]))
add(torch.tensor([True, False]))
add(torch.tensor([[True], [True]]))
add(torch.tensor(False))
add(torch.arange(60, dtype=torch.int64))
add(torch.arange(60, dtype=torch.int64).reshape(3, 20) * 1000)
for dtype in [torch.float8_e4m3fn, torch.float8_e5m2]:
    add(torch.tensor([0.5, 1.0, 448.0]).to(dtype))
for dtype in [torch.complex64, torch.complex128]:
    add(torch.tensor([1 + 2j, -1.5 - 0.5j, 0j], dtype=dtype))
    add(torch.tensor(3 - 4j, dtype=dtype))
    add(torch.tensor([[1e-6 + 1j, 2 + 1e9j], [complex(nan, 1), complex(1, -inf)]], dtype=dtype))
    add(torch.tensor([complex(i, -i / 4) for i in range(20)], dtype=dtype))
    add(torch.tensor([complex(1, -0.0), complex(2, 12)], dtype=dtype))
# shapes
add(torch.zeros(2, 3)); add(torch.zeros(2, 0, 3)); add(torch.zeros(0)); add(torch.zeros(0, 4, dtype=torch.int32))
add(torch.zeros(3, 0, dtype=torch.bool))
for shape in [(2, 3), (2, 2, 2), (1, 1, 1, 1), (2, 1, 2, 2), (3, 1), (1, 3), (2, 2, 1, 1, 2)]:
    n = math.prod(shape)
    add(torch.arange(n, dtype=torch.float32).reshape(shape) / 3)
    add(torch.arange(n).reshape(shape))
# lines
add(torch.arange(100, dtype=torch.float32).reshape(4, 25) / 7)
add(torch.arange(100, dtype=torch.float32).reshape(2, 2, 25) / 7)
add((torch.arange(64, dtype=torch.float64) - 32) / 5)
add(torch.arange(17, dtype=torch.float16) / 5)
add(torch.arange(15, dtype=torch.bfloat16) / 5)
# summaries
rule = [7919, 1009, -500, 8]
for shape in [(1001,), (2000,), (40, 30), (2, 600), (600, 2), (6, 200), (7, 200), (3, 1, 400), (10, 11, 12), (2, 3, 4, 50),
              (8, 8, 8, 8), (1, 1200), (1200, 1), (7, 7, 7, 7)]:
    large(shape, rule)
large((40, 30), rule, torch.float64)
large((40, 30), [7919, 1009, -500, 1], torch.int32)
large((40, 30), [7919, 1009, -500, 1], torch.int64)
large((1500,), [7919, 1009, -500, 1])
large((50, 50), [7919, 1009, 1, 100000])
large((50, 50), [1, 2, 0, 1], torch.bool)
large((1200,), [7919, 1009, -500, 8], torch.complex64)
# options
options = [
    {"precision": 2}, {"precision": 8}, {"precision": 0}, {"linewidth": 30}, {"linewidth": 10}, {"threshold": 5}, {"threshold": 5, "edgeitems": 1},
    {"edgeitems": 2, "threshold": 3}, {"sci_mode": True}, {"sci_mode": False}, {"profile": "short"}, {"profile": "full"},
    {"threshold": 5, "edgeitems": 0}, {"sci_mode": True, "precision": 0}, {"linewidth": 200, "precision": 10},
]
for option in options:
    add(torch.tensor([[1.5, 2e-5, -3.25], [1e6, 5.0, 0.5]]), option)
    add(torch.tensor([1.0, 20.0, -300.0, 1e9]), option)
    add(torch.arange(24, dtype=torch.float64).reshape(4, 6) / 9, option)
    add(torch.arange(24).reshape(2, 3, 4), option)
    add(torch.tensor([1e-300, 1e300, 2.0], dtype=torch.float64), option)
# anything
r = random.Random(0)
for _ in range(150):
    dims = [r.randint(1, 5) for _ in range(r.randint(0, 3))]
    scale = 10.0 ** r.randint(-6, 8)
    n = math.prod(dims)
    kind = r.randint(0, 3)
    values = [r.gauss(0, 1) * scale if kind == 0 else r.uniform(0, scale) if kind == 1 else float(r.randint(-20, 20)) * scale
              if kind == 2 else r.choice([nan, inf, -inf, 0.0, -0.0, r.gauss(0, 1) * scale]) for _ in range(n)]
    option = {"precision": r.randint(0, 6)} if r.random() < 0.3 else {}
    if r.random() < 0.2:
        option["linewidth"] = r.randint(5, 60)
    add(torch.tensor(values, dtype=r.choice([torch.float32, torch.float64, torch.float16, torch.bfloat16])).reshape(dims), option)

with open("test/golden/printing.json", "w") as out:
    out.write('{"torch": "' + torch.__version__.split("+")[0] + '", "cases": [\n')
    out.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    out.write("\n]}\n")
print(len(cases), "cases")
