"""How JAX lays tensors over meshes: for random partition specs, its GSPMD and Shardy texts and the block of each device.

    python scripts/golden/make-sharding-golden.py > test/golden/shardings.json        # needs jax 0.10.2
"""
import json
import os
import random

os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=24'
os.environ['JAX_PLATFORMS'] = 'cpu'

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

random.seed(7)
devices = jax.devices()
cases = []
for sizes in [(2, 4), (4, 2), (2, 2, 2), (8,), (3, 2), (2, 3, 4), (1, 4), (2, 1, 3)]:
    count = int(np.prod(sizes))
    names = tuple('abcd'[: len(sizes)])
    for permuted in (False, True):
        ids = list(range(count))
        if permuted:
            random.shuffle(ids)
        mesh = Mesh(np.array([devices[i] for i in ids]).reshape(sizes), names)
        for rank in (1, 2, 3):
            for _ in range(2):
                dims = [[] for _ in range(rank)]
                for axis in random.sample(names, len(names)):
                    dim = random.randrange(rank + 1)
                    if dim < rank:
                        dims[dim].append(axis)
                sharding = NamedSharding(mesh, PartitionSpec(*[tuple(axes) if axes else None for axes in dims]))
                # Every block has two elements in each dim.
                shape = [2 * int(np.prod([sizes[names.index(a)] for a in axes], dtype=int)) for axes in dims]
                slices = sharding.devices_indices_map(tuple(shape))
                cases.append({
                    'axes': [{'name': name, 'size': size} for name, size in zip(names, sizes)],
                    # JAX's text numbers the positions of the mesh; the assignment of devices is stored separately.
                    **({'deviceIds': ids} if permuted else {}),
                    'dims': dims,
                    'gspmd': str(sharding._to_xla_hlo_sharding(rank)),
                    'blocks': [[(s.start or 0) // 2 for s in slices[devices[i]]] for i in range(count)],
                })
print('[\n' + ',\n'.join(json.dumps(case) for case in cases) + '\n]')
