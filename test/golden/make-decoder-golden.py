"""Golden vectors: one forward and backward pass of tiny decoder-only language models, by Hugging Face transformers.

The oracle for Trenio's decoders: random weights of each architecture, and of each kind of rotary positions; logits, loss and the
norm of every gradient must agree. Run from the repository's root, with torch, transformers and safetensors installed:

    python test/golden/make-decoder-golden.py

It writes test/golden/decoders/ (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import pathlib
import shutil

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM

BATCH, TIME = 2, 10
tiny = dict(
    vocab_size=40,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=32,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
)
short = dict(original_max_position_embeddings=8)
models = {
    "llama": dict(model_type="llama"),
    "llama3": dict(
        model_type="llama",
        rope_parameters=dict(
            rope_type="llama3", rope_theta=500.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, **short
        ),
    ),
    "llama-biases": dict(model_type="llama", attention_bias=True, mlp_bias=True, tie_word_embeddings=True, head_dim=6),
    "llama-linear": dict(model_type="llama", rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=4.0)),
    "llama-dynamic": dict(
        model_type="llama",
        max_position_embeddings=8,
        rope_parameters=dict(rope_type="dynamic", rope_theta=10000.0, factor=2.0),
    ),
    "llama-yarn": dict(
        model_type="llama",
        hidden_size=32,
        rope_parameters=dict(rope_type="yarn", rope_theta=100.0, factor=4.0, beta_fast=1.0, beta_slow=0.2, **short),
    ),
    "mistral": dict(model_type="mistral", sliding_window=4),
    "qwen2": dict(model_type="qwen2", use_sliding_window=True, sliding_window=3, max_window_layers=1),
    "qwen3": dict(model_type="qwen3", head_dim=6, attention_bias=True),
    "mixtral": dict(
        model_type="mixtral", num_local_experts=4, output_router_logits=True, router_aux_loss_coef=0.1, sliding_window=4
    ),
    "qwen2-moe": dict(
        model_type="qwen2_moe",
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=12,
        shared_expert_intermediate_size=20,
        decoder_sparse_step=2,
        num_hidden_layers=3,
    ),
    "qwen3-moe": dict(
        model_type="qwen3_moe",
        num_experts=5,
        num_experts_per_tok=3,
        moe_intermediate_size=12,
        norm_topk_prob=True,
        mlp_only_layers=[0],
        head_dim=6,
        output_router_logits=True,
        router_aux_loss_coef=0.1,
    ),
    "smollm3": dict(model_type="smollm3", no_rope_layer_interval=2),
    "gemma": dict(model_type="gemma", head_dim=6),
    "gemma2": dict(
        model_type="gemma2",
        head_dim=6,
        query_pre_attn_scalar=9,
        sliding_window=4,
        final_logit_softcapping=3.0,
        attn_logit_softcapping=2.0,
    ),
    "gemma3": dict(
        model_type="gemma3_text",
        head_dim=6,
        num_hidden_layers=3,
        sliding_window=4,
        sliding_window_pattern=3,
        query_pre_attn_scalar=9,
    ),
    "phi": dict(model_type="phi", qk_layernorm=True, num_key_value_heads=4, hidden_size=32),
    "phi3": dict(
        model_type="phi3",
        sliding_window=6,
        max_position_embeddings=32,
        original_max_position_embeddings=8,
        rope_parameters=dict(
            rope_type="longrope", rope_theta=10000.0, long_factor=[1.5, 3.0], short_factor=[1.0, 1.25], partial_rotary_factor=1.0
        ),
    ),
}

root = pathlib.Path(__file__).parent / "decoders"
shutil.rmtree(root, ignore_errors=True)
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def make(name, fields):
    folder = root / name
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    config = AutoConfig.for_model(**{**tiny, **fields})
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    # Biases start at 0 and norms at 0 or 1, where many mistakes do not show: move them; others are larger than 0.02, so that
    # attention is not uniform.
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key.endswith("bias") or "norm" in key:
                parameter.add_(torch.randn_like(parameter) * 0.1)
            else:
                parameter.mul_(10.0)
    model.save_pretrained(folder)
    model.train()
    lengths = torch.tensor([TIME, 6])
    mask = (torch.arange(TIME) < lengths[:, None]).to(torch.int32)
    ids = torch.randint(1, config.vocab_size, (BATCH, TIME), dtype=torch.int32) * mask
    labels = torch.where(mask == 1, ids, -100)
    output = model(input_ids=ids.long(), attention_mask=mask.long(), labels=labels.long())
    output.loss.backward()
    # Its loss is part of the loss, times router_aux_loss_coef.
    aux = {} if getattr(output, "aux_loss", None) is None else {"aux_loss": output.aux_loss.detach()}
    safetensors.torch.save_file(
        {
            **aux,
            "input_ids": ids.contiguous(),
            "attention_mask": mask.contiguous(),
            "labels": labels.to(torch.int32).contiguous(),
            "loss": output.loss.detach(),
            "logits": output.logits.detach().contiguous(),
        },
        folder / "batch.safetensors",
    )
    norms = {key: float(p.grad.norm()) for key, p in model.named_parameters()}
    (folder / "gradients.json").write_text(json.dumps(norms, indent=2) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)
    for path in folder.iterdir():
        path.chmod(0o644)
    print(f"{name}: loss {output.loss.item():.6f}")


for name, fields in models.items():
    make(name, fields)
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
