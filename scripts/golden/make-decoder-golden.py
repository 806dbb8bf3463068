"""Golden vectors: one forward and backward pass of tiny decoder-only language models, by Hugging Face transformers.

The oracle for Trenio's decoders: random weights of each architecture, and of each kind of rotary positions; logits, loss and the
norm of every gradient must agree. Run from the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-decoder-golden.py [NAME ...]

It writes test/golden/decoders.tar, all of it or the models named, (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import shutil
import sys

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM

from family import open_family

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
    "gpt-oss": dict(
        model_type="gpt_oss",
        hidden_size=32,
        intermediate_size=32,
        num_local_experts=4,
        num_experts_per_tok=2,
        head_dim=8,
        sliding_window=4,
        output_router_logits=True,
        router_aux_loss_coef=0.1,
        rope_parameters=dict(
            rope_type="yarn", rope_theta=100.0, factor=4.0, beta_fast=1.0, beta_slow=0.2, truncate=False, **short
        ),
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
    "olmo": dict(model_type="olmo", clip_qkv=0.7),
    "olmo2": dict(model_type="olmo2"),
    "olmo3": dict(model_type="olmo3", sliding_window=4, num_hidden_layers=4),
    "olmoe": dict(
        model_type="olmoe", num_experts=4, num_experts_per_tok=2, intermediate_size=12, clip_qkv=0.9, num_hidden_layers=1
    ),
    "exaone4": dict(model_type="exaone4", sliding_window=4, sliding_window_pattern=2),
    "exaone4-letters": dict(
        model_type="exaone4",
        sliding_window=4,
        sliding_window_pattern="LG",
        layer_types=["sliding_attention", "full_attention", "full_attention"],
        num_hidden_layers=3,
    ),
    "helium": dict(model_type="helium", head_dim=4, num_hidden_layers=1),
    "granite": dict(
        model_type="granite", embedding_multiplier=3.0, logits_scaling=2.0, residual_multiplier=0.4, attention_multiplier=0.3
    ),
    "stablelm": dict(model_type="stablelm", use_qkv_bias=True, hidden_size=32),
    "stablelm-2": dict(model_type="stablelm", use_parallel_residual=True, qk_layernorm=True, hidden_size=32),
    "starcoder2": dict(model_type="starcoder2", sliding_window=4),
    "cohere": dict(model_type="cohere", logit_scale=0.3),
    "cohere-norms": dict(model_type="cohere", use_qk_norm=True),
    "cohere2": dict(model_type="cohere2", sliding_window=3, num_hidden_layers=4),
    "glm": dict(model_type="glm", head_dim=8),
    "glm4": dict(model_type="glm4", head_dim=8, attention_bias=False),
    "nemotron": dict(model_type="nemotron", head_dim=8),
    "arcee": dict(model_type="arcee", head_dim=4),
    "seed-oss": dict(model_type="seed_oss", head_dim=6, attention_dropout=0.0, residual_dropout=0.0),
    "ernie4-5": dict(model_type="ernie4_5", head_dim=6, use_bias=True),
    "gpt-neox": dict(model_type="gpt_neox", hidden_size=32),
    "gpt-neox-serial": dict(model_type="gpt_neox", hidden_size=32, use_parallel_residual=False, attention_bias=False),
    "opt": dict(model_type="opt", ffn_dim=24, dropout=0.0),
    "opt-after": dict(model_type="opt", ffn_dim=24, dropout=0.0, do_layer_norm_before=False, word_embed_proj_dim=12),
    "bloom": dict(model_type="bloom"),
    "bloom-12-heads": dict(model_type="bloom", num_attention_heads=12, hidden_size=24),
    "falcon": dict(model_type="falcon", ffn_hidden_size=40),
    "falcon-new": dict(model_type="falcon", ffn_hidden_size=64, new_decoder_architecture=True, num_kv_heads=2),
    "falcon-rw": dict(
        model_type="falcon", ffn_hidden_size=64, multi_query=False, parallel_attn=False, bias=True, tie_word_embeddings=False
    ),
    "falcon-alibi": dict(
        model_type="falcon", ffn_hidden_size=64, multi_query=False, parallel_attn=False, bias=True, alibi=True,
        num_attention_heads=6, hidden_size=24,
    ),
    "mpt": dict(model_type="mpt", d_model=24, n_heads=6, n_layers=1, max_seq_len=32, attn_config=dict(clip_qkv=0.9, softmax_scale=0.6)),
    "mpt-logit-scale": dict(
        model_type="mpt", d_model=24, n_heads=4, n_layers=1, max_seq_len=32, logit_scale="inv_sqrt_d_model"
    ),
    "gptj": dict(model_type="gptj", hidden_size=32, rotary_dim=4),
    "gpt-neo": dict(
        model_type="gpt_neo", num_hidden_layers=2, attention_types=[[["global", "local"], 1]], window_size=4
    ),
    "gpt-bigcode": dict(model_type="gpt_bigcode", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0),
    "gpt-bigcode-heads": dict(
        model_type="gpt_bigcode", multi_query=False, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, n_inner=20
    ),
}

# They have no such fields.
joined_heads = {"mpt", "gpt_neox", "opt", "bloom", "falcon", "gptj", "gpt_neo", "gpt_bigcode"}
own_widths = {"mpt", "opt", "bloom", "falcon", "gptj", "gpt_bigcode"}

root = open_family("decoders")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def make(name, fields):
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    sizes = {**tiny, **fields}
    if sizes["model_type"] in joined_heads:
        del sizes["num_key_value_heads"]
    if sizes["model_type"] in own_widths:
        del sizes["intermediate_size"]
    if sizes["model_type"] == "mpt":
        for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings"):
            del sizes[key]
    config = AutoConfig.for_model(**sizes)
    # With linear biases, the eager attention of transformers 5.17 adds them twice.
    attention = "sdpa" if getattr(config, "alibi", False) else "eager"
    model = AutoModelForCausalLM.from_config(config, attn_implementation=attention)
    # Biases start at 0 and norms at 0 or 1, where many mistakes do not show: move them; others are larger than 0.02, so that
    # attention is not uniform.
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key.endswith("bias") or "norm" in key or "ln_" in key:
                parameter.add_(torch.randn_like(parameter) * 0.1)
            elif "mlp.experts.gate_up_proj" in key and parameter.ndim == 3 and sizes["model_type"] == "gpt_oss":
                parameter.mul_(80.0)  # so that some values reach the limit of the activation
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
    if not sys.argv[1:] or name in sys.argv[1:]:
        make(name, fields)
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
