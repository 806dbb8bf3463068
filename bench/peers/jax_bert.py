# A training step of a BERT classifier in JAX: forward, backward and AdamW under one jit, dropout on, state donated.
# A peer for bench/bert-base.ts and models.ts. Not part of the product. B batch, S sequence, H hidden size, N heads.
import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from protocol import serve, settings

c = settings["config"]
batch, sequence, layers, heads, width = (
    settings["batch"],
    settings["sequence"],
    c["num_hidden_layers"],
    c["num_attention_heads"],
    c["hidden_size"],
)
rate, eps = 0.1, 1e-12
rng = np.random.default_rng(0)


def normal(*shape):
    return jnp.asarray(rng.normal(0, 0.02, shape), jnp.float32)


def dense(inputs, outputs):
    return {"w": normal(inputs, outputs), "b": jnp.zeros(outputs)}


def norm_start():
    return {"w": jnp.ones(width), "b": jnp.zeros(width)}


params = {
    "word": normal(c["vocab_size"], width),
    "position": normal(c["max_position_embeddings"], width),
    "type": normal(2, width),
    "norm": norm_start(),
    "layers": [
        {
            "q": dense(width, width),
            "k": dense(width, width),
            "v": dense(width, width),
            "out": dense(width, width),
            "norm1": norm_start(),
            "up": dense(width, c["intermediate_size"]),
            "down": dense(c["intermediate_size"], width),
            "norm2": norm_start(),
        }
        for _ in range(layers)
    ],
    "pooler": dense(width, width),
    "classifier": dense(width, 2),
}


def apply(p, x):
    return x @ p["w"] + p["b"]


def norm(p, x):
    mean = x.mean(-1, keepdims=True)
    var = jnp.square(x - mean).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(var + eps) * p["w"] + p["b"]


def loss_of(params, ids, mask, labels, key):
    keys = iter(jax.random.split(key, 2 + 3 * layers))

    def dropout(x):
        return jnp.where(jax.random.bernoulli(next(keys), 1 - rate, x.shape), x / (1 - rate), 0)

    def split(x):  # [B, S, H] → [B, N, S, H/N]
        return x.reshape(batch, sequence, heads, width // heads).transpose(0, 2, 1, 3)

    bias = jnp.where(mask == 0, jnp.finfo(jnp.float32).min, 0)[:, None, None, :]
    x = dropout(norm(params["norm"], params["word"][ids] + params["position"][:sequence] + params["type"][0]))
    for p in params["layers"]:
        q, k, v = (split(apply(p[name], x)) for name in "qkv")
        scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(width // heads) + bias
        mixed = dropout(jax.nn.softmax(scores)) @ v
        x = norm(p["norm1"], x + dropout(apply(p["out"], mixed.transpose(0, 2, 1, 3).reshape(x.shape))))
        x = norm(p["norm2"], x + dropout(apply(p["down"], jax.nn.gelu(apply(p["up"], x), approximate=False))))
    logits = apply(params["classifier"], dropout(jnp.tanh(apply(params["pooler"], x[:, 0]))))
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()


@partial(jax.jit, donate_argnums=(0, 1, 2))
def train(params, m, v, t, ids, mask, labels, key):
    lr, b1, b2, decay = 1e-5, 0.9, 0.999, 0.01
    loss, grads = jax.value_and_grad(loss_of)(params, ids, mask, labels, jax.random.fold_in(key, t))
    m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, m, grads)
    v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, v, grads)
    f1, f2 = 1 - b1**t, 1 - b2**t
    params = jax.tree.map(
        lambda p, m, v: p * (1 - lr * decay) - lr * (m / f1) / (jnp.sqrt(v / f2) + 1e-8), params, m, v
    )
    return params, m, v, loss


ids = jnp.asarray(rng.integers(0, c["vocab_size"], (batch, sequence)), jnp.int32)
mask = jnp.ones_like(ids)
labels = jnp.asarray(rng.integers(0, 2, batch), jnp.int32)
state = [params, jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)]
key = jax.random.key(0, impl="rbg")
count = 0


def step():
    global count
    count += 1
    *state[:], loss = train(*state, jnp.float32(count), ids, mask, labels, key)
    return loss.item()


serve(f"JAX {jax.__version__}", step)
