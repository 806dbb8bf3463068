# The protocol of Python peers: take the first step, report readiness, and take steps on request (bench/peer.ts).
import json
import os
import resource
import sys
import time

# An environment that picks OpenBLAS kernels for another CPU would slow a peer down.
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(name, None)

settings = json.loads(sys.argv[1])


def serve(name, step):
    """`step()` takes one step, waits for it, and returns its loss (or any number that depends on all of it)."""
    start = time.perf_counter()
    step()
    print(json.dumps({"ready": name, "firstMs": (time.perf_counter() - start) * 1e3}), flush=True)
    for line in sys.stdin:
        words = line.split()
        if len(words) != 2 or words[0] != "steps":
            break
        count = int(words[1])
        start, busy = time.perf_counter(), time.process_time()
        for _ in range(count):
            loss = step()
        ms = (time.perf_counter() - start) * 1e3 / count
        cpu_ms = (time.process_time() - busy) * 1e3 / count
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"ms": ms, "cpuMs": cpu_ms, "loss": float(loss), "peakBytes": rss}), flush=True)
