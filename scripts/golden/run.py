"""Runs samples of rows with PyTorch: reads requests from standard input, writes results and gradients to standard output.

Started by write.ts. The gradient is that of the sum of all results, each element multiplied by a fixed weight (weight()).
"""
import json
import math
import os
import sys
import warnings

import torch

warnings.simplefilter("ignore")
torch.set_num_threads(1)
DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
    "ui8": torch.uint8, "i1": torch.bool, "c64": torch.complex64, "c128": torch.complex128,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def number(x):
    return float(x) if isinstance(x, str) else x


def is_tensor(value):
    return isinstance(value, dict) and "dtype" in value


def elements(numbers, dtype):
    """Complex numbers take two entries, the real and the imaginary part."""
    if not dtype.is_complex:
        return torch.tensor(numbers, dtype=dtype)
    return torch.view_as_complex(torch.tensor(numbers, dtype=dtype.to_real()).reshape(-1, 2))


def parts(tensor):
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


def build(value, leaves, wants_gradient):
    if is_tensor(value):
        made = elements([number(x) for x in value["data"]], DTYPES[value["dtype"]]).reshape(value["shape"])
        if wants_gradient and (made.is_floating_point() or made.is_complex()):
            made.requires_grad_()
            leaves.append(made)
        return made
    if isinstance(value, list):
        return [build(x, leaves, wants_gradient) for x in value]
    if isinstance(value, str) and value in DTYPES:
        return DTYPES[value]
    if isinstance(value, str) and isinstance(getattr(torch, value, None), torch.dtype):
        return getattr(torch, value)
    return value


def text(x):
    if isinstance(x, float):
        if math.isnan(x):
            return "NaN"
        if math.isinf(x):
            return "Infinity" if x > 0 else "-Infinity"
        if x == 0 and math.copysign(1, x) < 0:
            return "-0"
        if x == int(x) and abs(x) < 1e15:
            return int(x)
    return x


def dump(tensor):
    flat = parts(tensor.detach()).reshape(-1)
    if flat.dtype == torch.float32:
        data = [float(f"{x:.9g}") for x in flat.tolist()]
    else:
        data = flat.tolist()
    return {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data": [text(x) for x in data]}


def weight(count):
    return torch.tensor([((7 * i + 3) % 11) / 8 - 0.5 for i in range(count)], dtype=torch.float64)


def resolve(path):
    found = torch
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found


def invoke(torch_name, case, values):
    names = case["spelling"]
    if torch_name.startswith("Tensor."):
        rest = {names[k]: v for k, v in values.items() if k != case["self"]}
        method = getattr(values[case["self"]], torch_name.split(".")[1])
        if not callable(method):
            return method
        return call(method, [], rest)
    # the leading tensors by position: their names vary in PyTorch
    given = list(values.items())
    lead = 0
    while lead < len(given) and (isinstance(given[lead][1], (torch.Tensor, list)) or lead == 0):
        if lead > 0 and given[lead][0] not in case["places"][lead : lead + 1]:
            break  # one that comes before is left out
        lead += 1
    return call(resolve(torch_name), [v for _, v in given[:lead]], {names[k]: v for k, v in given[lead:]})


def call(function, positional, named):
    try:
        return function(*positional, **named)
    except TypeError as error:
        # some functions accept some arguments only by position
        try:
            if len(positional) == 1 and isinstance(positional[0], list):
                return function(*positional[0], **named)
            return function(*positional, *named.values())
        except TypeError:
            raise error


def with_signs(results, free):
    """Each vector divided by the sign (phase) of its first element: that of eigenvectors is arbitrary."""
    if not free:
        return results
    first, dim = free[0]
    sign = torch.sgn(results[first].detach().select(-1 if dim == -2 else -2, 0)).conj()
    signs = {i: sign.unsqueeze(-1 if d == -2 else -2) for i, d in free}
    return [x * signs[i] if i in signs else x for i, x in enumerate(results)]


def run(torch_name, case, wants_gradient, free_signs, uncompared):
    per_name = {}
    values = {}
    for name, value in case["arguments"].items():
        leaves = []
        values[name] = build(value, leaves, wants_gradient and name not in uncompared)
        if leaves:
            per_name[name] = leaves
    results = invoke(torch_name, case, values)
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    results = [x if isinstance(x, torch.Tensor) else torch.tensor(x) for x in results]
    results = with_signs(results, free_signs)
    outcome = {"results": [dump(x) for x in results]}
    flowing = [x for x in results if x.requires_grad]
    if flowing:
        total = sum((x.double() * weight(x.numel()).reshape(x.shape)).sum() for x in map(parts, flowing))
        total.backward()
        outcome["gradients"] = {
            name: [dump(leaf.grad if leaf.grad is not None else torch.zeros_like(leaf)) for leaf in leaves]
            for name, leaves in per_name.items()
        }
    return outcome


def answer(request, case):
    try:
        outcome = run(request["torch"], case, request["gradient"], request["signs"], request["uncompared"])
    except Exception as error:
        outcome = {"raises": (str(error) or type(error).__name__).splitlines()[0][:200]}
    return {"variant": case["variant"], "arguments": case["arguments"], "outcome": outcome}


def in_fork(work):
    """The value of a function that a process of its own computes; None where that process dies (some calls end PyTorch)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as end:
            json.dump(work(), end)
            end.flush()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as end:
        text = end.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main():
    answers = []
    for request in json.load(sys.stdin):
        cases = in_fork(lambda: [answer(request, case) for case in request["cases"]])
        if cases is None:
            died = {"raises": "PyTorch ends the process"}
            cases = [
                in_fork(lambda: answer(request, case))
                or {"variant": case["variant"], "arguments": case["arguments"], "outcome": died}
                for case in request["cases"]
            ]
        answers.append({"name": request["name"], "torch": request["torch"], "cases": cases})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
