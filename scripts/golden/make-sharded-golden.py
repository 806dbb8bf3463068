"""Programs of JAX with shardings, with inputs and the results of XLA on eight devices.

    python make-sharded-golden.py > test/golden/sharded-programs.json        # needs jax 0.10.2
"""

import json
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.shard_alike import shard_alike
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

auto, explicit = (AxisType.Auto,) * 2, (AxisType.Explicit,) * 2
mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=auto)
rng = np.random.default_rng(38)
programs = []


def at(*spec, on=mesh):
    return NamedSharding(on, P(*spec))


def numbers(*shape):
    """Eighths: short as text, and exact."""
    return (rng.integers(-16, 16, shape) / 8).astype(np.float32)


def add(name, function, *args, on=None):
    with jax.set_mesh(on) if on is not None else open(os.devnull):
        lowered = function.lower(*args)
        results = jax.tree.leaves(function(*args))
    short = lambda v: float(f"{v:.9g}") if isinstance(v, float) else v
    array = lambda x: {"shape": list(x.shape), "type": str(x.dtype), "data": [short(v) for v in np.asarray(x).ravel().tolist()]}
    tensors = [np.asarray(x) for x in jax.tree.leaves(args)]
    programs.append({"name": name, "program": lowered.as_text(), "inputs": [array(x) for x in tensors], "results": [array(np.asarray(x)) for x in results]})


x, w = numbers(8, 16), numbers(16, 32)


def manual(body, in_specs, out_specs, **options):
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **options))


def step(params, x, y):
    """A training step of two layers: along the batch, then columns and rows."""

    def loss(params):
        h = lax.with_sharding_constraint(jnp.tanh(x @ params[0]), at("data", "model"))
        return jnp.mean((lax.with_sharding_constraint(h @ params[1], at("data", None)) - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return value, jax.tree.map(lambda p, g: p - 0.125 * g, params, grads)


def common(kind):
    weights = (at(None, "model"), at("model", None))
    add(f"{kind}: training step", jax.jit(step, in_shardings=(weights, at("data"), at("data")), out_shardings=(at(), weights)), (numbers(16, 32), numbers(32, 16)), x, numbers(8, 16))
    add(f"{kind}: constraint", jax.jit(lambda a, b: lax.with_sharding_constraint(jnp.tanh(a @ b), at(("data", "model"), None)), in_shardings=(at("data"), at(None, "model"))), x, w)
    add(f"{kind}: open dim", jax.jit(lambda a: lax.with_sharding_constraint(jnp.tanh(a), at("data", P.UNCONSTRAINED))), x)
    add(f"{kind}: psum", manual(lambda a, b: lax.psum(a @ b, "model"), (P("data", "model"), P("model", None)), P("data", None)), x, w)
    add(f"{kind}: psum_scatter", manual(lambda a, b: lax.psum_scatter(a @ b, "model", scatter_dimension=1, tiled=True), (P("data", "model"), P("model", None)), P("data", "model")), x, w)
    add(f"{kind}: all_gather", manual(lambda a: lax.all_gather(a, "model", axis=1, tiled=True), (P("data", "model"),), P("data", None), check_vma=False), x)
    add(f"{kind}: ppermute", manual(lambda a: lax.ppermute(a, "model", [(i, (i + 1) % 4) for i in range(4)]), (P("data", "model"),), P("data", "model")), x)
    add(f"{kind}: all_to_all", manual(lambda a: lax.all_to_all(a, "model", 0, 1, tiled=True), (P("data", "model"),), P(("data", "model"), None)), x)
    add(f"{kind}: axis_index", manual(lambda a: a + lax.axis_index("model"), (P("data", "model"),), P("data", "model")), np.arange(128, dtype=np.int32).reshape(8, 16))
    add(f"{kind}: partly manual", jax.jit(jax.shard_map(lambda a, b: lax.psum(jnp.tanh(a @ b), "data"), mesh=mesh, in_specs=(P("data"), P()), out_specs=P(), axis_names={"data"}), in_shardings=(at("data", None), at(None, "model"))), x, w)
    scan = lambda a, w: lax.scan(lambda c, wi: (jax.checkpoint(lambda c, wi: jnp.tanh(c @ wi))(c, wi), None), a, w)[0].sum()
    add(f"{kind}: scan", jax.jit(jax.value_and_grad(scan), in_shardings=(at("data", None), at(None, None, "model"))), x, numbers(3, 16, 16) / 4)
    add(f"{kind}: random numbers", jax.jit(lambda k: lax.with_sharding_constraint(jax.random.normal(jax.random.wrap_key_data(k), (8, 16)), at("data", "model"))), np.array([0, 7], np.uint32))


common("Shardy")
add("Shardy: equal shardings", jax.jit(lambda a, b: shard_alike(jnp.sin(a), jnp.cos(b)), in_shardings=(at("data", "model"), None)), x, numbers(8, 16))
typed = jax.make_mesh((2, 4), ("data", "model"), axis_types=explicit)
with jax.set_mesh(typed):
    placed = lambda a, *spec: jax.device_put(a, at(*spec, on=typed))
    a, b = placed(x, "data", "model"), placed(w, "model", None)
    sum_of = lambda a, b, **unreduced: jnp.einsum("ij,jk->ik", a, b, out_sharding=P("data", None, **unreduced))
    add("explicit: product", jax.jit(jnp.dot), placed(x, "data", None), placed(w, None, "model"))
    add("explicit: contraction", jax.jit(sum_of), a, b)
    add("explicit: reshard", jax.jit(lambda a: jax.reshard(a, P(None, "data"))), a)
    add("explicit: unreduced", jax.jit(lambda a, b: jax.reshard(sum_of(a, b, unreduced={"model"}), P("data", "model"))), a, b)
jax.config.update("jax_use_shardy_partitioner", False)
common("GSPMD")
print(json.dumps(programs, separators=(",", ":")).replace('},{"name"', '},\n{"name"'))
