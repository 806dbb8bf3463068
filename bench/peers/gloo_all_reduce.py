# One of two ranks of torch's gloo that all-reduce arrays; rank 0 prints a line of JSON for each size.
#   gloo_all_reduce.py RANK ADDRESS PORT ROUNDS BYTES,BYTES…
import json, os, sys, time
import torch, torch.distributed as dist

rank, address, port, rounds = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
torch.set_num_threads(1)
dist.init_process_group("gloo", init_method=f"tcp://{address}:{port}", rank=rank, world_size=2)
for size in map(int, sys.argv[5].split(",")):
    x = torch.zeros(size // 4)
    repeats = 200 if size <= 65536 else 20
    times = []
    for round in range(-2, rounds):
        dist.barrier()
        start = time.perf_counter()
        for _ in range(repeats):
            dist.all_reduce(x)
        if round >= 0:
            times.append((time.perf_counter() - start) / repeats * 1000)
    times.sort()
    if rank == 0:
        print(json.dumps({"bytes": size, "ms": times[len(times) // 2], "best": times[0]}), flush=True)
dist.barrier()
sys.stdout.flush()
# gloo's threads cannot be ended in every version.
os._exit(0)
