"""Runs StableHLO programs with XLA, after JAX's own parser has read them.

    python run_programs.py DIRECTORY      for each DIRECTORY/NAME: program.mlir, in0.npy ... -> out0.npy ...
"""

import pathlib
import sys

import jax
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir

jax.config.update("jax_enable_x64", True)
client = jax.devices("cpu")[0].client
devices = xla_client.DeviceList(tuple(jax.devices("cpu")[:1]))
with mlir.make_ir_context():
    for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        module = ir.Module.parse((folder / "program.mlir").read_text())
        options = xla_client.CompileOptions()
        executable = client.compile_and_load(mlir.module_to_bytecode(module), devices, options)
        count = len(list(folder.glob("in*.npy")))
        inputs = [jax.device_put(np.load(folder / f"in{i}.npy")) for i in range(count)]
        outputs = executable.execute_sharded(inputs).disassemble_into_single_device_arrays()
        for i, output in enumerate(outputs):
            np.save(folder / f"out{i}.npy", np.asarray(output[0]))
        print(folder.name, flush=True)
