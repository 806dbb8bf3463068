# Matrix multiplies of PyTorch (which uses oneDNN), for bench/gemm.ts. Each input line: {"type", "batch", "m", "n", "k",
# "transposeA", "transposeB", "repeat", "threads"}; each output line: {"ns"} of one multiply. Not part of the product.
import json
import sys
import time

import torch

made = {}
print(json.dumps({"ready": f"PyTorch {torch.__version__.split('+')[0]}"}), flush=True)
for line in sys.stdin:
    s = json.loads(line)
    torch.set_num_threads(s["threads"])
    key = json.dumps([s[x] for x in ("type", "batch", "m", "n", "k", "transposeA", "transposeB")])
    if key not in made:
        dtype = torch.bfloat16 if s["type"] == "bf16" else torch.float32
        lead = [s["batch"]] if s["batch"] > 1 else []
        shape = lambda x, y, transposed: [*lead, y, x] if transposed else [*lead, x, y]
        a = torch.rand(shape(s["m"], s["k"], s["transposeA"])).sub(0.5).to(dtype)
        b = torch.rand(shape(s["k"], s["n"], s["transposeB"])).sub(0.5).to(dtype)
        a, b = (x.transpose(-1, -2) if t else x for x, t in ((a, s["transposeA"]), (b, s["transposeB"])))
        made[key] = (a, b, torch.empty([*lead, s["m"], s["n"]], dtype=dtype))
    a, b, out = made[key]
    clock = time.thread_time_ns if s["threads"] == 1 else time.perf_counter_ns
    start = clock()
    for _ in range(s["repeat"]):
        torch.matmul(a, b, out=out)
    print(json.dumps({"ns": (clock() - start) / s["repeat"]}), flush=True)
