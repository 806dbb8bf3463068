"""Exports JAX programs as StableHLO, with inputs and the outputs that XLA gives: what Trenio must run alike.

    python export_programs.py DIRECTORY

writes for each program DIRECTORY/NAME/{program.mlir, program.mlir.bc, in0.npy ..., out0.npy ...}. Needs jax and numpy.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

jax.config.update("jax_platforms", "cpu")
# Locations name this file without its folder.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
rng = np.random.default_rng(20260813)


def normal(*shape, scale=1.0, dtype=np.float32):
    return (scale * rng.standard_normal(shape)).astype(dtype)


def integers(high, *shape, dtype=np.int32):
    return rng.integers(0, high, shape).astype(dtype)


programs = []


def program(name, args, platform="cpu", x64=False):
    """Registers a function of arrays under a name; `platform` chooses how its ops are lowered."""

    def register(function):
        programs.append((name, function, args, platform, x64))
        return function

    return register


# Training steps


def mlp_loss(params, x, y):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    logits = x @ w + b
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], axis=1))


mlp_params = [(normal(8, 16, scale=0.3), np.zeros(16, np.float32)), (normal(16, 4, scale=0.3), np.zeros(4, np.float32))]


@program("mlp_step", (mlp_params, normal(6, 8), integers(4, 6)))
def mlp_step(params, x, y):
    loss, grads = jax.value_and_grad(mlp_loss)(params, x, y)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * g + b


def transformer_loss(p, tokens, key):
    heads, width = 2, 16
    x = p["embedding"][tokens] + p["position"]
    for layer in p["layers"]:
        h = layer_norm(x, layer["g1"], layer["b1"])
        q, k, v = jnp.split(h @ layer["qkv"], 3, axis=-1)
        split = lambda t: t.reshape(t.shape[0], t.shape[1], heads, width // heads).transpose(0, 2, 1, 3)
        scores = jnp.einsum("bhqd,bhkd->bhqk", split(q), split(k)) / jnp.sqrt(width / heads)
        mask = jnp.tril(jnp.ones((tokens.shape[1], tokens.shape[1]), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
        key, sub = jax.random.split(key)
        keep = jax.random.bernoulli(sub, 0.9, weights.shape)
        weights = jnp.where(keep, weights / 0.9, 0.0)
        mixed = jnp.einsum("bhqk,bhkd->bhqd", weights, split(v)).transpose(0, 2, 1, 3).reshape(x.shape)
        x = x + mixed @ layer["out"]
        h = layer_norm(x, layer["g2"], layer["b2"])
        x = x + jax.nn.gelu(h @ layer["up"], approximate=False) @ layer["down"]
    logits = x[:, :-1] @ p["embedding"].T
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], axis=-1))


def transformer_params():
    layer = lambda: {
        "g1": np.ones(16, np.float32), "b1": np.zeros(16, np.float32),
        "g2": np.ones(16, np.float32), "b2": np.zeros(16, np.float32),
        "qkv": normal(16, 48, scale=0.2), "out": normal(16, 16, scale=0.2),
        "up": normal(16, 32, scale=0.2), "down": normal(32, 16, scale=0.2),
    }
    return {"embedding": normal(20, 16, scale=0.5), "position": normal(7, 16, scale=0.1), "layers": [layer(), layer()]}


def adam(params, grads, m, v, t):
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
    new = jax.tree.map(
        lambda p, m, v: p - 1e-2 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), params, m, v
    )
    return new, m, v


def zeros_like(params):
    return jax.tree.map(np.zeros_like, params)


transformer = transformer_params()


@program(
    "transformer_step",
    (transformer, zeros_like(transformer), zeros_like(transformer), np.float32(1), integers(20, 3, 7), np.array([0, 42], np.uint32)),
)
def transformer_step(params, m, v, t, tokens, key):
    loss, grads = jax.value_and_grad(transformer_loss)(params, tokens, key)
    return loss, *adam(params, grads, m, v, t)


def cnn_loss(p, images, labels):
    conv = lambda x, w, stride: lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    x = conv(images, p["w1"], 1)
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    x = jax.nn.relu((x - mean) * lax.rsqrt(variance + 1e-5) * p["g1"] + p["b1"])
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu(conv(x, p["w2"], 2))
    x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "VALID") / 4
    logits = x.reshape(x.shape[0], -1) @ p["dense"]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))


cnn_params = {
    "w1": normal(3, 3, 3, 4, scale=0.3), "g1": np.ones(4, np.float32), "b1": np.zeros(4, np.float32),
    "w2": normal(3, 3, 4, 6, scale=0.3), "dense": normal(6, 5, scale=0.3),
}


@program("cnn_step", (cnn_params, normal(2, 8, 8, 3), integers(5, 2)))
def cnn_step(params, images, labels):
    loss, grads = jax.value_and_grad(cnn_loss)(params, images, labels)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


@program("depthwise_convolution_gradient", (normal(2, 9, 9, 4), normal(3, 3, 1, 8, scale=0.3)))
def depthwise(x, w):
    def loss(x, w):
        y = lax.conv_general_dilated(
            x, w, (2, 1), [(1, 1), (2, 0)], rhs_dilation=(1, 2), feature_group_count=4,
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )
        return jnp.sum(jnp.tanh(y))

    return jax.value_and_grad(loss, argnums=(0, 1))(x, w)


@program("bf16_step", (normal(8, 16).astype(jnp.bfloat16), normal(16, 4, scale=0.3), normal(8, 4)))
def bf16_step(x, w, y):
    loss = lambda w: jnp.mean((jnp.dot(x, w.astype(jnp.bfloat16), preferred_element_type=jnp.float32) - y) ** 2)
    value, grad = jax.value_and_grad(loss)(w)
    return value, w - 0.1 * grad


# Order, control flow, indices


@program("sort_and_top_k", (normal(5, 9), integers(100, 5, 9)))
def sorts(x, y):
    return jnp.sort(x, axis=0), jnp.argsort(x, axis=1), lax.top_k(x, 3), lax.sort((y, x), num_keys=2, dimension=1)


@program("scan_and_while", (normal(4, 6), np.int32(9)))
def loops(x, n):
    def cell(carry, row):
        carry = jnp.tanh(carry + row)
        return carry, carry.sum()

    last, sums = lax.scan(cell, jnp.zeros(6), x)
    grad = jax.grad(lambda x: lax.scan(cell, jnp.zeros(6), x)[0].sum())(x)
    collatz = lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0))
    branch = lax.switch(n % 3, [lambda v: v.sum(), lambda v: v.max(), lambda v: v.min()], x)
    cond = lax.cond(n > 5, lambda v: v * 2, lambda v: v / 2, x)
    return last, sums, grad, collatz, branch, cond, jnp.cumsum(x, 1), lax.associative_scan(jnp.maximum, x, axis=0)


@program("indexing", (normal(7, 5), integers(7, 4), normal(4, 5)))
def indexing(x, i, u):
    return (
        x[i], x.at[i].add(u), x.at[i, i % 5].max(1.0), x[:, ::-2], jnp.roll(x, 2, 0), x.at[2:5].set(0), jnp.take(x, i, 0, mode="clip"),
        jax.grad(lambda x: (x[i] ** 2).sum())(x), jax.vmap(lambda r, j: lax.dynamic_slice(r, (j,), (2,)))(x[:4], i), jnp.pad(x, ((1, 2), (0, 1))),
    )


@program("reductions", (normal(3, 4, 5), integers(50, 3, 4)))
def reductions(x, y):
    return (
        x.sum((0, 2)), x.prod(1), x.max(), x.argmax(2), x.argmin(0), jax.nn.logsumexp(x, 1), x.std(2), (y > 25).any(1), (y > 3).all(),
        jnp.linalg.norm(x), jnp.median(x, 1), jnp.unique(y, size=8), y.sum(), jnp.bitwise_xor.reduce(y, 1),
    )


# Mathematics


@program("elementwise", (normal(40), np.linspace(0.1, 0.9, 40, dtype=np.float32), integers(31, 40)))
def elementwise(x, p, n):
    return (
        jnp.exp(x), jnp.expm1(x), jnp.log(p), jnp.log1p(p), jnp.sin(x), jnp.cos(x), jnp.tan(x), jnp.tanh(x), jnp.sqrt(p), lax.rsqrt(p), jnp.cbrt(x),
        jax.nn.sigmoid(x), jnp.arcsin(p), jnp.arccos(p), jnp.arctan(x), jnp.arctan2(x, p), jnp.sinh(x), jnp.cosh(x), jnp.arcsinh(x), jnp.arctanh(p),
        lax.erf(x), lax.erfc(x), lax.erf_inv(p), lax.lgamma(p), lax.digamma(p), x**3, p**x, jnp.floor(x), jnp.round(x), jnp.sign(x), x % p,
        n << 2, n >> 1, ~n, n & 6, lax.population_count(n), lax.clz(n), n // 7, n % 7, jnp.nextafter(x, p), lax.reduce_precision(x, 5, 3),
        jnp.logaddexp(x, p), jnp.clip(x, -0.5, 0.5), jax.nn.softplus(x), jax.nn.gelu(x), jnp.isnan(x / 0), x.astype(jnp.float16), x.astype(jnp.int8),
    )


@program("complex_numbers", (normal(5, 5), normal(5, 5)))
def complex_numbers(a, b):
    z = lax.complex(a, b)
    return jnp.abs(z), jnp.exp(z), jnp.log(z), z * jnp.conj(z), z @ z, jnp.sqrt(z), jnp.tanh(z), z / (z + 1), z.real, z.imag, jnp.sin(z), z.sum(0)


@program("linear_algebra", (normal(4, 4), normal(4, 3), normal(2, 5, 5)), platform="tpu")
def linear_algebra(a, b, batch):
    spd = a @ a.T + 4 * jnp.eye(4)
    l = jnp.linalg.cholesky(spd)
    many = jnp.linalg.cholesky(batch @ jnp.swapaxes(batch, 1, 2) + 5 * jnp.eye(5))
    solve = lambda **how: lax.linalg.triangular_solve(l, b, left_side=True, **how)
    grad = jax.grad(lambda s: jnp.log(jnp.diagonal(jnp.linalg.cholesky(s))).sum())(spd)
    return l, many, solve(lower=True), solve(lower=True, transpose_a=True), lax.linalg.triangular_solve(l, b.T, lower=True, unit_diagonal=True), grad


@program("einsum", (normal(2, 3, 4), normal(4, 5, 2), normal(3, 5)))
def einsums(a, b, c):
    return jnp.einsum("ijk,kli->ijl", a, b), jnp.einsum("ijk,kli,jl->", a, b, c), jnp.tensordot(a, b, 1), jnp.einsum("ijj->ij", a[:, :, :3])


@program("integers_64", (integers(1 << 40, 6, dtype=np.int64), integers(1000, 6, dtype=np.uint64)), x64=True)
def integers_64(a, b):
    return a * a, a // 7, a % 11, a << 3, b.astype(np.float64) / 3, jnp.cumsum(a), jnp.sort(-a), a.astype(np.int32), (a[:, None] * a[None, :]).sum(1)


@program("doubles", (normal(30, dtype=np.float64), normal(4, 4, dtype=np.float64)), x64=True)
def doubles(x, m):
    return jnp.exp(x), jnp.log(jnp.abs(x)), jnp.sin(x), jnp.tanh(x), jnp.cbrt(x), lax.erf(x), lax.lgamma(jnp.abs(x)), m @ m, jnp.arctan(x), jnp.expm1(x)


# Random numbers


@program("random", (np.array([7, 11], np.uint32),))
def random(key):
    keys = jax.random.split(key, 6)
    return (
        jax.random.bits(keys[0], (5,)), jax.random.uniform(keys[1], (4, 3)), jax.random.normal(keys[2], (7,)), jax.random.permutation(keys[3], 8),
        jax.random.categorical(keys[4], jnp.zeros((3, 4))), jax.random.randint(keys[5], (6,), 0, 100), jax.random.fold_in(key, 3),
        jax.random.gamma(keys[0], 2.0, (3,)),
    )


@program("remat", (normal(4, 4), normal(4, 4)))
def remat(x, w):
    block = jax.checkpoint(lambda x: jnp.tanh(x @ w) @ w)
    return jax.grad(lambda x: (block(block(x)) ** 2).sum())(x)


def write(directory, name, function, args, platform, x64):
    with jax.enable_x64(x64):
        jitted = jax.jit(function)
        exported = export.export(jitted, platforms=[platform], disabled_checks=[])(*args)
        folder = directory / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "program.mlir").write_text(exported.mlir_module())
        (folder / "program.mlir.bc").write_bytes(exported.mlir_module_serialized)
        # Arguments that the program does not use are left out of it.
        flat = jax.tree.leaves(args)
        kept = [flat[i] for i in exported.module_kept_var_idx]
        for i, array in enumerate(kept):
            np.save(folder / f"in{i}.npy", np.asarray(array))
        for i, array in enumerate(jax.tree.leaves(jitted(*args))):
            np.save(folder / f"out{i}.npy", np.asarray(array))


def write_dynamic(directory):
    """One program for all batch sizes and lengths."""
    batch, length = export.symbolic_shape("b, s")
    w, g = normal(6, 6, scale=0.4), normal(6)

    def attention(x):
        q = x @ w
        weights = jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, x) / 6**0.5, axis=-1)
        mixed = jnp.einsum("bqk,bkd->bqd", weights, x)
        return layer_norm(mixed + x, g, g), x.reshape(-1, 6).sum(0), jnp.arange(x.shape[1]) + x.shape[0]

    jitted = jax.jit(attention)
    exported = export.export(jitted)(jax.ShapeDtypeStruct((batch, length, 6), np.float32))
    for b, s in ((1, 1), (2, 5), (4, 3)):
        folder = directory / f"dynamic_attention_{b}_{s}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "program.mlir").write_text(exported.mlir_module())
        (folder / "program.mlir.bc").write_bytes(exported.mlir_module_serialized)
        x = normal(b, s, 6)
        np.save(folder / "in0.npy", x)
        for i, array in enumerate(jitted(x)):
            np.save(folder / f"out{i}.npy", np.asarray(array))


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    for entry in programs:
        write(target, *entry)
        print(entry[0], flush=True)
    write_dynamic(target)
    print("dynamic_attention", flush=True)
