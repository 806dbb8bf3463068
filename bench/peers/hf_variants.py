# Tiny random checkpoints with varied options, and what transformers computes with them, for bench/variants.ts. Not part of the product.
#
#   python bench/peers/hf_variants.py OUT [FILTER]    FILTER: a part of the names
#
# Each folder has a checkpoint as save_pretrained writes it, `case.json` (which class reads it, and what is compared) and
# `tensors.safetensors` (inputs and results).
import json
import pathlib
import shutil
import sys
import warnings
import zlib

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
torch.set_num_threads(1)
OUT = pathlib.Path(sys.argv[1])
FILTER = sys.argv[2] if len(sys.argv) > 2 else ""
made = 0


def build(name, cls, fields):
    torch.manual_seed(zlib.crc32(name.encode()))
    kind = getattr(transformers, cls)
    config = kind.config_class(**{k: v for k, v in fields.items() if k != "model_type"})
    config._attn_implementation = "eager"
    config._experts_implementation = "eager"
    if fields.get("model_type") not in (None, config.model_type):
        config = AutoConfig.for_model(**fields)
    model = kind._from_config(config, attn_implementation="eager", experts_implementation="eager") if hasattr(kind, "_from_config") else kind(config)
    model.eval()
    # Biases start at 0 and norms at 1, where many mistakes do not show: move them; others are larger than 0.02.
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key.endswith("bias") or "norm" in key.lower() or parameter.ndim < 2:
                parameter.add_(torch.randn_like(parameter) * 0.1)
            elif 0 < parameter.std() < 0.1:
                parameter.mul_(10.0)
        if getattr(model, "final_logits_bias", None) is not None:
            model.final_logits_bias.add_(torch.randn_like(model.final_logits_bias) * 0.1)
        for key, buffer in model.named_buffers():
            if key.endswith("running_mean"):
                buffer.add_(torch.randn_like(buffer) * 0.1)
            elif key.endswith("running_var"):
                buffer.mul_(1.3)
    return model


def save(name, reader, cls, fields, inputs, outputs, generations=(), after=None, loss=False):
    """inputs: transformers' name -> tensor; outputs: transformers' name -> Trenio's field ('' for the result itself)."""
    global made
    if FILTER not in name:
        return
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        model = build(name, cls, fields)
        with torch.no_grad():
            given = {k: v for k, v in inputs.items() if v is not None}
            result = model(**given)
            exact = model.double()(**{k: v.double() if v.is_floating_point() else v for k, v in given.items()})
        model.float()
    except Exception as error:
        shutil.rmtree(folder)
        print(f"SKIP {name}: {type(error).__name__} {str(error)[:150]}")
        return
    model.save_pretrained(folder)
    pick = lambda r, k: r[k] if not k.startswith("@") else getattr(r, k[1:])
    tensors = {f"in.{k}": v.contiguous() for k, v in given.items()}
    noise = {}
    for key in outputs:
        value = pick(result, key)
        tensors[f"out.{key}"] = value.float().contiguous()
        # Rows of padding alone are not numbers in f64.
        noise[key] = float((value.double() - pick(exact, key)).abs().nan_to_num(0).max())
    listed = []
    for i, options in enumerate(generations):
        torch.manual_seed(0)
        prompt = {k: v for k, v in given.items() if k in ("input_ids", "attention_mask", "input_features")}
        if "left" in options:
            options = {k: v for k, v in options.items() if k != "left"}
        try:
            with torch.no_grad():
                ids = model.generate(**prompt, **options)
        except Exception as error:
            print(f"SKIP generation {name} {options}: {type(error).__name__} {str(error)[:150]}")
            continue
        tensors[f"gen.{i}"] = ids.contiguous()
        listed.append({"options": options, "result": f"gen.{i}"})
    if after is not None:
        after(folder)
    safetensors.torch.save_file({k: (v.int() if v.dtype in (torch.int64, torch.bool) else v) for k, v in tensors.items()}, folder / "tensors.safetensors")
    (folder / "case.json").write_text(json.dumps({"reader": reader, "outputs": outputs, "noise": noise, "generations": listed}))
    made += 1


def tokens(vocab, batch=2, length=9, pad=0, side="right", lengths=None, low=3, top=None):
    mask = torch.ones(batch, length, dtype=torch.long)
    for i in range(1, batch):
        n = lengths[i] if lengths else max(2, length - 3 * i)
        if side == "right":
            mask[i, n:] = 0
        else:
            mask[i, : length - n] = 0
    ids = torch.randint(low, top or vocab, (batch, length))
    return torch.where(mask == 1, ids, torch.tensor(pad)), mask


GREEDY = dict(max_new_tokens=8, do_sample=False)
GENERATIONS = [
    GREEDY,
    dict(max_new_tokens=8, do_sample=False, num_beams=3),
]
MORE = GENERATIONS + [
    dict(max_new_tokens=7, do_sample=False, num_beams=4, length_penalty=2.0, early_stopping=True, num_return_sequences=2),
    dict(max_new_tokens=7, do_sample=False, num_beams=2, length_penalty=-1.0, early_stopping="never"),
    dict(max_new_tokens=9, do_sample=False, repetition_penalty=1.7),
    dict(max_new_tokens=9, do_sample=False, no_repeat_ngram_size=2),
    dict(max_new_tokens=9, do_sample=False, num_beams=3, no_repeat_ngram_size=2, repetition_penalty=1.3),
    dict(max_new_tokens=9, do_sample=False, min_new_tokens=6, eos_token_id=list(range(3, 30))),
    dict(max_new_tokens=9, do_sample=False, num_beams=3, eos_token_id=list(range(3, 15)), pad_token_id=0),
    dict(max_new_tokens=9, do_sample=False, eos_token_id=list(range(3, 20)), pad_token_id=1),
    dict(max_length=14, do_sample=False, min_length=12, eos_token_id=[5, 6, 7, 8, 9, 10, 11, 12]),
    dict(max_new_tokens=6, do_sample=False, suppress_tokens=[4, 5, 6, 7, 8, 9, 10, 11], begin_suppress_tokens=list(range(12, 25))),
]

# ---------------------------------------------------------------- decoders
V = 64
base = dict(vocab_size=V, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)


def causal(name, cls, fields, generations=GENERATIONS, side="left", batch=2, length=9, positions=False, after=None):
    ids, mask = tokens(V, batch, length, side=side)
    position_ids = (mask.cumsum(-1) - 1).clamp(min=0) if positions else None
    save(f"causal-{name}", "AutoModelForCausalLM", cls, fields, dict(input_ids=ids, attention_mask=mask, position_ids=position_ids), {"logits": ""}, generations, after)


def causals():
    kv = lambda n: dict(num_key_value_heads=n)
    yarn = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=16, rope_theta=10000.0)
    ropes = {
        "linear": dict(rope_type="linear", factor=3.0, rope_theta=5000.0),
        "dynamic": dict(rope_type="dynamic", factor=2.0, rope_theta=10000.0),
        "yarn": yarn,
        "yarn-betas": dict(yarn, beta_fast=8.0, beta_slow=2.0, attention_factor=1.2),
        "yarn-mscale": dict(yarn, mscale=1.2, mscale_all_dim=0.7),
        "yarn-truncate": dict(yarn, truncate=False),
        "llama3": dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16, rope_theta=10000.0),
        "longrope": dict(rope_type="longrope", short_factor=[1.0, 1.1, 1.3, 1.5], long_factor=[2.0, 3.0, 4.0, 6.0], factor=4.0, original_max_position_embeddings=16, rope_theta=10000.0),
    }
    L = "LlamaForCausalLM"
    causal("llama", L, dict(base, **kv(2)), MORE)
    for n in (1, 4):
        causal(f"llama-kv{n}", L, dict(base, **kv(n)))
    for tie in (True, False):
        for bias in (True, False):
            causal(f"llama-tie{tie}-bias{bias}", L, dict(base, **kv(2), tie_word_embeddings=tie, attention_bias=bias, mlp_bias=bias))
    for dim in (4, 16, 20):
        causal(f"llama-head{dim}", L, dict(base, **kv(2), head_dim=dim))
    for act in ("gelu", "relu", "gelu_pytorch_tanh", "gelu_new", "tanh", "quick_gelu", "relu2"):
        causal(f"llama-{act}", L, dict(base, **kv(2), hidden_act=act), GENERATIONS[:1])
    for kind, rope in ropes.items():
        for model, cls in (("llama", L), ("qwen2", "Qwen2ForCausalLM"), ("qwen3", "Qwen3ForCausalLM"), ("mistral", "MistralForCausalLM")):
            fields = dict(base, **kv(2), rope_parameters=rope, head_dim=8)
            causal(f"{model}-rope-{kind}", cls, fields)
            # Longer than in pre-training: the other factors of longrope, a larger base of dynamic.
            causal(f"{model}-rope-{kind}-long", cls, dict(fields, max_position_embeddings=24), [dict(max_new_tokens=4, do_sample=False)], length=20)
    causal("llama-theta", L, dict(base, **kv(2), rope_parameters=dict(rope_type="default", rope_theta=500000.0)))
    causal("llama-partial", L, dict(base, **kv(2), rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)))
    causal("llama-partial-field", L, dict(base, **kv(2), partial_rotary_factor=0.5))
    causal("llama-positions", L, dict(base, **kv(2)), positions=True)
    causal("llama-right", L, dict(base, **kv(2)), (), side="right")
    for batch, length in ((1, 1), (1, 17), (3, 13), (4, 5)):
        causal(f"llama-{batch}x{length}", L, dict(base, **kv(2)), batch=batch, length=length)
    causal("llama-deep", L, dict(base, **kv(2), num_hidden_layers=5))
    causal("llama-eps", L, dict(base, **kv(2), rms_norm_eps=1e-3))

    def old_rope(scaling, theta):
        def edit(folder):
            path = folder / "config.json"
            fields = json.loads(path.read_text())
            fields.pop("rope_parameters", None)
            fields["rope_theta"] = theta
            if scaling:
                fields["rope_scaling"] = scaling
            path.write_text(json.dumps(fields))
        return edit
    causal("llama-old-rope", L, dict(base, **kv(2), rope_parameters=ropes["llama3"]), after=old_rope({k: v for k, v in ropes["llama3"].items() if k != "rope_theta"}, 10000.0))
    causal("llama-old-linear", L, dict(base, **kv(2), rope_parameters=ropes["linear"]), after=old_rope(dict(type="linear", factor=3.0), 5000.0))

    def tied_both(folder):
        path = folder / "model.safetensors"
        t = safetensors.torch.load_file(path)
        t["lm_head.weight"] = t["model.embed_tokens.weight"].clone()
        safetensors.torch.save_file(t, path, {"format": "pt"})
    def tied_head(folder):
        path = folder / "model.safetensors"
        t = safetensors.torch.load_file(path)
        t["lm_head.weight"] = t.pop("model.embed_tokens.weight")
        safetensors.torch.save_file(t, path, {"format": "pt"})
    causal("llama-tied-both", L, dict(base, **kv(2), tie_word_embeddings=True), after=tied_both)
    causal("llama-tied-head", L, dict(base, **kv(2), tie_word_embeddings=True), after=tied_head)

    M = "MistralForCausalLM"
    for window in (None, 3, 5, 64):
        causal(f"mistral-window{window}", M, dict(base, **kv(2), sliding_window=window), length=12)
    causal("mistral-head", M, dict(base, **kv(2), head_dim=12, sliding_window=4))
    for window in (3, 6):
        for first in (0, 1, 2):
            causal(f"qwen2-window{window}-from{first}", "Qwen2ForCausalLM", dict(base, **kv(2), use_sliding_window=True, sliding_window=window, max_window_layers=first), length=12)
    causal("qwen2-types", "Qwen2ForCausalLM", dict(base, **kv(2), use_sliding_window=True, sliding_window=4, layer_types=["sliding_attention", "full_attention"]), length=12)
    for tie in (True, False):
        causal(f"qwen2-tie{tie}", "Qwen2ForCausalLM", dict(base, **kv(1), tie_word_embeddings=tie))
        causal(f"qwen3-tie{tie}", "Qwen3ForCausalLM", dict(base, **kv(2), head_dim=12, tie_word_embeddings=tie))
        causal(f"qwen3-bias-tie{tie}", "Qwen3ForCausalLM", dict(base, **kv(4), head_dim=8, attention_bias=True, tie_word_embeddings=tie))
    causal("qwen3-window", "Qwen3ForCausalLM", dict(base, **kv(2), head_dim=8, use_sliding_window=True, sliding_window=4, max_window_layers=1), length=12)
    moe = dict(base, **kv(2), moe_intermediate_size=20, num_experts=6, shared_expert_intermediate_size=24)
    for k in (1, 2, 6):
        for norm in (True, False):
            causal(f"qwen2moe-top{k}-norm{norm}", "Qwen2MoeForCausalLM", dict(moe, num_experts_per_tok=k, norm_topk_prob=norm))
            causal(f"qwen3moe-top{k}-norm{norm}", "Qwen3MoeForCausalLM", dict(moe, head_dim=8, num_experts_per_tok=k, norm_topk_prob=norm))
    causal("qwen2moe-sparse", "Qwen2MoeForCausalLM", dict(moe, num_hidden_layers=4, decoder_sparse_step=2, num_experts_per_tok=2))
    causal("qwen2moe-mlponly", "Qwen2MoeForCausalLM", dict(moe, num_hidden_layers=3, mlp_only_layers=[1], num_experts_per_tok=2))
    causal("qwen2moe-nobias", "Qwen2MoeForCausalLM", dict(moe, qkv_bias=False, num_experts_per_tok=2))
    causal("qwen3moe-sparse", "Qwen3MoeForCausalLM", dict(moe, head_dim=8, num_hidden_layers=4, decoder_sparse_step=2, mlp_only_layers=[3], num_experts_per_tok=2))
    for k in (1, 2, 3):
        causal(f"mixtral-top{k}", "MixtralForCausalLM", dict(base, **kv(2), num_local_experts=4, num_experts_per_tok=k), MORE[:5])
    causal("mixtral-window", "MixtralForCausalLM", dict(base, **kv(2), num_local_experts=3, sliding_window=4), length=12)
    for k in (2, 4):
        causal(f"gemma-kv{k}", "GemmaForCausalLM", dict(base, **kv(k), head_dim=8))
    causal("gemma-head", "GemmaForCausalLM", dict(base, **kv(1), head_dim=20))
    causal("gemma-act", "GemmaForCausalLM", dict(base, **kv(1), head_dim=8, hidden_act="gelu"))
    for cap in (None, 5.0):
        for window in (4, 64):
            for scalar in (8, 20):
                causal(f"gemma2-cap{cap}-window{window}-scalar{scalar}", "Gemma2ForCausalLM", dict(base, **kv(2), head_dim=8, attn_logit_softcapping=cap, final_logit_softcapping=cap, sliding_window=window, query_pre_attn_scalar=scalar), length=12)
    for pattern in (2, 3, 6):
        causal(f"gemma3-pattern{pattern}", "Gemma3ForCausalLM", dict(base, **kv(2), num_hidden_layers=6, head_dim=8, sliding_window=4, sliding_window_pattern=pattern, query_pre_attn_scalar=8), length=12)
    causal("gemma3-types", "Gemma3ForCausalLM", dict(base, **kv(1), head_dim=8, sliding_window=4, layer_types=["full_attention", "sliding_attention"]), length=12)
    causal("gemma3-cap", "Gemma3ForCausalLM", dict(base, **kv(1), head_dim=8, sliding_window=4, final_logit_softcapping=3.0))
    causal("gemma3-rope", "Gemma3ForCausalLM", dict(base, **kv(1), head_dim=8, sliding_window=4, num_hidden_layers=6, rope_parameters={"full_attention": dict(rope_type="linear", factor=8.0, rope_theta=1e6), "sliding_attention": dict(rope_type="default", rope_theta=1e4)}), length=12)
    for partial in (0.25, 0.5, 1.0):
        for qk in (True, False):
            causal(f"phi-partial{partial}-qk{qk}", "PhiForCausalLM", dict(base, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=partial), qk_layernorm=qk))
    causal("phi-kv", "PhiForCausalLM", dict(base, **kv(2)))
    for kind in ("longrope",):
        for length in (9, 20):
            causal(f"phi3-{kind}-{length}", "Phi3ForCausalLM", dict(base, **kv(2), rope_parameters={k: v for k, v in ropes[kind].items() if k not in ("factor",)}, original_max_position_embeddings=16), length=length)
    causal("phi3", "Phi3ForCausalLM", dict(base, **kv(2), sliding_window=None))
    causal("phi3-window", "Phi3ForCausalLM", dict(base, **kv(1), sliding_window=4), length=12)
    causal("phi3-partial", "Phi3ForCausalLM", dict(base, **kv(2), rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)))
    causal("phi3-tied", "Phi3ForCausalLM", dict(base, **kv(2), tie_word_embeddings=True))
    causal("smollm3", "SmolLM3ForCausalLM", dict(base, **kv(2), num_hidden_layers=5))
    causal("smollm3-norope", "SmolLM3ForCausalLM", dict(base, **kv(2), num_hidden_layers=3, no_rope_layers=[0, 1, 0]))
    causal("smollm3-window", "SmolLM3ForCausalLM", dict(base, **kv(2), num_hidden_layers=4, use_sliding_window=True, sliding_window=4), length=12)
    g2 = dict(vocab_size=V, n_embd=32, n_layer=2, n_head=4, n_positions=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)
    causal("gpt2", "GPT2LMHeadModel", g2, MORE)
    for extra in (dict(scale_attn_by_inverse_layer_idx=True), dict(scale_attn_weights=False), dict(reorder_and_upcast_attn=True), dict(n_inner=40), dict(activation_function="relu"), dict(tie_word_embeddings=False), dict(layer_norm_epsilon=1e-3), dict(activation_function="gelu")):
        causal("gpt2-" + "-".join(f"{k}{v}" for k, v in extra.items()), "GPT2LMHeadModel", dict(g2, **extra))
    causal("gpt2-right", "GPT2LMHeadModel", g2, (), side="right")
    # Near the named ones
    for parallel in (True, False):
        for partial in (0.25, 1.0):
            for bias in (True, False):
                causal(f"gptneox-par{parallel}-partial{partial}-bias{bias}", "GPTNeoXForCausalLM", dict(base, use_parallel_residual=parallel, rotary_pct=partial, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=partial), attention_bias=bias))
    causal("gptneox-tied", "GPTNeoXForCausalLM", dict(base, tie_word_embeddings=True, hidden_act="gelu_new"))
    gj = dict(vocab_size=V, n_embd=32, n_layer=2, n_head=4, n_positions=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)
    for rot in (4, 8):
        causal(f"gptj-rot{rot}", "GPTJForCausalLM", dict(gj, rotary_dim=rot))
    for bias in (True, False):
        for act in ("gelu", "gelu_pytorch_tanh"):
            causal(f"starcoder2-bias{bias}-{act}", "Starcoder2ForCausalLM", dict(base, **kv(2), use_bias=bias, hidden_act=act, sliding_window=4), length=12)
    for clip in (None, 0.5):
        causal(f"olmo-clip{clip}", "OlmoForCausalLM", dict(base, **kv(2), clip_qkv=clip))
    for n in (1, 4):
        causal(f"olmo2-kv{n}", "Olmo2ForCausalLM", dict(base, **kv(n)))
    causal("olmo2-bias", "Olmo2ForCausalLM", dict(base, **kv(2), attention_bias=True, tie_word_embeddings=True))
    causal("olmo3", "Olmo3ForCausalLM", dict(base, **kv(2), num_hidden_layers=4, sliding_window=4), length=12)
    for par in (True, False):
        for qk in (True, False):
            causal(f"stablelm-par{par}-qk{qk}", "StableLmForCausalLM", dict(base, **kv(2), use_parallel_residual=par, qk_layernorm=qk, use_qkv_bias=qk))
    for bias in (True, False):
        causal(f"granite-bias{bias}", "GraniteForCausalLM", dict(base, **kv(2), attention_bias=bias, mlp_bias=bias, embedding_multiplier=3.0, logits_scaling=2.0, residual_multiplier=0.5, attention_multiplier=0.3, tie_word_embeddings=bias))
    for qk in (True, False):
        causal(f"cohere-qk{qk}", "CohereForCausalLM", dict(base, **kv(2), use_qk_norm=qk, logit_scale=0.2))
    causal("cohere2", "Cohere2ForCausalLM", dict(base, **kv(2), num_hidden_layers=4, sliding_window=4, logit_scale=0.2), length=12)
    causal("glm", "GlmForCausalLM", dict(base, **kv(2), head_dim=8))
    causal("glm4", "Glm4ForCausalLM", dict(base, **kv(2), head_dim=8))
    causal("helium", "HeliumForCausalLM", dict(base, **kv(2), head_dim=8))
    causal("arcee", "ArceeForCausalLM", dict(base, **kv(2)))
    causal("nemotron", "NemotronForCausalLM", dict(base, **kv(2)))
    causal("ministral", "MinistralForCausalLM", dict(base, **kv(2), head_dim=8, sliding_window=4), length=12)
    causal("seed_oss", "SeedOssForCausalLM", dict(base, **kv(2), head_dim=8))
    causal("hunyuan", "HunYuanDenseV1ForCausalLM", dict(base, **kv(2), head_dim=8))
    causal("ernie45", "Ernie4_5ForCausalLM", dict(base, **kv(2), head_dim=8))
    causal("exaone4", "Exaone4ForCausalLM", dict(base, **kv(2), num_hidden_layers=4, sliding_window=4, sliding_window_pattern=4), length=12)
    causal("olmoe", "OlmoeForCausalLM", dict(base, **kv(2), num_experts=4, num_experts_per_tok=2))
    causal("granitemoe", "GraniteMoeForCausalLM", dict(base, **kv(2), num_local_experts=4, num_experts_per_tok=2))
    opt = dict(vocab_size=V, hidden_size=32, ffn_dim=48, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64, pad_token_id=1, bos_token_id=2, eos_token_id=2, word_embed_proj_dim=32)
    causal("opt", "OPTForCausalLM", opt)
    causal("opt-350m", "OPTForCausalLM", dict(opt, word_embed_proj_dim=20, do_layer_norm_before=False))
    causal("bloom", "BloomForCausalLM", dict(vocab_size=V, hidden_size=32, n_layer=2, n_head=4, pad_token_id=0, bos_token_id=1, eos_token_id=2))
    for new in (True, False):
        causal(f"falcon-new{new}", "FalconForCausalLM", dict(base, new_decoder_architecture=new, num_kv_heads=2, bias=False, multi_query=not new, parallel_attn=True, alibi=False))
    causal("gptneo", "GPTNeoForCausalLM", dict(vocab_size=V, hidden_size=32, num_layers=2, num_heads=4, intermediate_size=48, max_position_embeddings=64, attention_types=[[["global", "local"], 1]], window_size=4, pad_token_id=0, bos_token_id=1, eos_token_id=2), length=12)
    causal("bigcode", "GPTBigCodeForCausalLM", g2)


# ---------------------------------------------------------------- encoders
enc = dict(vocab_size=V, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=40, pad_token_id=1, bos_token_id=0, eos_token_id=2)
HEADS = {
    "Model": ("AutoModel", {"last_hidden_state": "lastHiddenState"}),
    "ForMaskedLM": ("AutoModelForMaskedLM", {"logits": ""}),
    "ForSequenceClassification": ("AutoModelForSequenceClassification", {"logits": ""}),
    "ForTokenClassification": ("AutoModelForTokenClassification", {"logits": ""}),
    "ForQuestionAnswering": ("AutoModelForQuestionAnswering", {"start_logits": "startLogits", "end_logits": "endLogits"}),
    "ForMultipleChoice": ("AutoModelForMultipleChoice", {"logits": ""}),
}


def encoder(name, prefix, fields, types=True, heads=HEADS, batch=2, length=11, mask=True, pad=1):
    for head in heads:
        reader, outputs = HEADS[head]
        cls = prefix + head
        if not hasattr(transformers, cls):
            continue
        ids, m = tokens(V, batch, length, pad=pad)
        given = dict(input_ids=ids, attention_mask=m if mask else None)
        if types:
            given["token_type_ids"] = torch.randint(0, fields.get("type_vocab_size", 2), ids.shape)
        if head == "ForMultipleChoice":
            many = lambda x: None if x is None else torch.stack([x, x.roll(1, 0), x], 1)
            given = {k: many(v) for k, v in given.items()}
        own = dict(outputs)
        if head == "Model" and prefix in ("Bert", "Roberta", "XLMRoberta", "Albert", "MPNet", "Camembert"):
            own["pooler_output"] = "poolerOutput"
        save(f"encoder-{name}-{head}", reader, cls, dict(fields, num_labels=3) if head in ("ForSequenceClassification", "ForTokenClassification") else fields, given, own)


def encoders():
    few = ("Model", "ForMaskedLM", "ForSequenceClassification")
    encoder("bert", "Bert", enc)
    encoder("bert-nomask", "Bert", enc, mask=False, heads=few)
    encoder("bert-notypes", "Bert", enc, types=False, heads=few)
    encoder("bert-1x1", "Bert", enc, batch=1, length=1)
    encoder("bert-4x20", "Bert", enc, batch=4, length=20)
    for act in ("relu", "gelu_new", "silu"):
        encoder(f"bert-{act}", "Bert", dict(enc, hidden_act=act), heads=few)
    encoder("bert-untied", "Bert", dict(enc, tie_word_embeddings=False), heads=few)
    encoder("bert-eps", "Bert", dict(enc, layer_norm_eps=1e-3, type_vocab_size=5), heads=few)
    encoder("roberta", "Roberta", dict(enc, type_vocab_size=1))
    encoder("roberta-pad0", "Roberta", dict(enc, type_vocab_size=1, pad_token_id=0), pad=0)
    encoder("roberta-untied", "Roberta", dict(enc, type_vocab_size=1, tie_word_embeddings=False), heads=few)
    encoder("xlmr", "XLMRoberta", dict(enc, type_vocab_size=1))
    encoder("camembert", "Camembert", dict(enc, type_vocab_size=1))
    encoder("data2vec", "Data2VecText", dict(enc, type_vocab_size=1))
    encoder("xlmr-xl", "XLMRobertaXL", dict(enc, type_vocab_size=1))
    encoder("roberta-pre", "RobertaPreLayerNorm", dict(enc, type_vocab_size=1))
    encoder("ernie", "Ernie", dict(enc, use_task_id=False))
    encoder("megatron-bert", "MegatronBert", enc)
    encoder("rembert", "RemBert", dict(enc, input_embedding_size=20, output_embedding_size=24))
    encoder("bigbird", "BigBird", dict(enc, attention_type="original_full"))
    encoder("nomic", "NomicBert", dict(enc, head_dim=8), heads=few)
    encoder("eurobert", "EuroBert", dict(enc, num_key_value_heads=4), types=False, heads=few)
    encoder("esm", "Esm", dict(enc, position_embedding_type="rotary", mask_token_id=3, token_dropout=False, emb_layer_norm_before=False), types=False, heads=("Model", "ForMaskedLM", "ForSequenceClassification", "ForTokenClassification"))
    encoder("layoutlm-like", "LayoutLM", enc, heads=())
    d = dict(vocab_size=V, dim=32, hidden_dim=48, n_layers=2, n_heads=4, max_position_embeddings=40, pad_token_id=1)
    encoder("distilbert", "DistilBert", d, types=False)
    encoder("distilbert-sin", "DistilBert", dict(d, sinusoidal_pos_embds=True, activation="relu"), types=False, heads=few)
    encoder("mpnet", "MPNet", enc, types=False)
    encoder("electra", "Electra", dict(enc, embedding_size=20))
    encoder("electra-same", "Electra", dict(enc, embedding_size=32, summary_activation="relu"))
    for groups, inner in ((1, 1), (2, 1), (1, 2), (2, 2)):
        encoder(f"albert-g{groups}i{inner}", "Albert", dict(enc, embedding_size=20, num_hidden_layers=4, num_hidden_groups=groups, inner_group_num=inner))
    dv = dict(enc, relative_attention=True, position_buckets=4, max_relative_positions=-1, type_vocab_size=0)
    n = 0
    for types in (None, "p2c", "c2p", "p2c|c2p"):
        for share in (True, False):
            for buckets in (-1, 4):
                for norm in ("none", "layer_norm"):
                    n += 1
                    fields = dict(dv, pos_att_type=types.split("|") if types else [], share_att_key=share, position_buckets=buckets, norm_rel_ebd=norm)
                    encoder(f"deberta2-{types}-share{share}-b{buckets}-{norm}", "DebertaV2", fields, types=False, heads=("ForMaskedLM",) if n % 4 else HEADS, length=14)
    encoder("deberta2-abs", "DebertaV2", dict(dv, relative_attention=False), types=False)
    encoder("deberta2-nobias", "DebertaV2", dict(dv, pos_att_type=["p2c", "c2p"], position_biased_input=False, share_att_key=True), types=False)
    encoder("deberta2-conv", "DebertaV2", dict(dv, pos_att_type=["p2c", "c2p"], conv_kernel_size=3, conv_act="gelu"), types=False)
    encoder("deberta2-types", "DebertaV2", dict(dv, pos_att_type=["p2c", "c2p"], type_vocab_size=2), types=True)
    encoder("deberta2-newhead", "DebertaV2", dict(dv, pos_att_type=["p2c", "c2p"], legacy=False), types=False)
    encoder("deberta2-emb", "DebertaV2", dict(dv, pos_att_type=["c2p"], embedding_size=20), types=False, heads=("Model", "ForSequenceClassification"))
    encoder("deberta", "Deberta", dict(dv, pos_att_type=["p2c", "c2p"]), types=False)
    mb = dict(enc, num_hidden_layers=4, local_attention=6, global_attn_every_n_layers=3)
    for pooling in ("cls", "mean"):
        for bias in (True, False):
            encoder(f"modernbert-{pooling}-bias{bias}", "ModernBert", dict(mb, classifier_pooling=pooling, norm_bias=bias, attention_bias=bias, mlp_bias=bias, classifier_bias=bias, decoder_bias=bias), types=False, length=16)
    encoder("modernbert-every2", "ModernBert", dict(mb, global_attn_every_n_layers=2, local_attention=4, classifier_activation="relu"), types=False, length=16)
    for name, cls in (("pretraining", "BertForPreTraining"), ("nsp", "BertForNextSentencePrediction")):
        ids, m = tokens(V, 2, 11, pad=1)
        given = dict(input_ids=ids, attention_mask=m, token_type_ids=torch.randint(0, 2, ids.shape))
        out = {"prediction_logits": "predictionLogits", "seq_relationship_logits": "seqRelationshipLogits"} if name == "pretraining" else {"logits": ""}
        save(f"encoder-bert-{name}", "BertForPreTraining" if name == "pretraining" else "BertForNextSentencePrediction", cls, enc, given, out)
    # Classifiers of decoders: rerankers and reward models classify sequences.
    llamas = ("Llama", "Qwen2", "Qwen3", "Mistral", "Gemma", "Gemma2", "Phi3", "Olmo2", "StableLm", "Starcoder2", "Glm", "Nemotron", "SmolLM3", "Arcee")
    gpts = {
        "GPT2": {}, "GPTNeoX": dict(intermediate_size=48), "OPT": dict(ffn_dim=48, word_embed_proj_dim=20), "Bloom": {}, "Falcon": dict(ffn_hidden_size=48),
        "GPTJ": dict(rotary_dim=4), "GPTNeo": dict(attention_types=[[["global", "local"], 1]], window_size=4), "GPTBigCode": {},
    }
    plain = {k: v for k, v in base.items() if k != "intermediate_size"}
    for cls, fields in [*((cls, dict(base, num_key_value_heads=2, head_dim=8)) for cls in llamas), *((cls, {**plain, **own}) for cls, own in gpts.items())]:
        name = cls.lower()
        ids, m = tokens(V, 3, 9)
        given = dict(input_ids=ids, attention_mask=m)
        left, left_mask = tokens(V, 3, 9, side="left")
        answers = {"start_logits": "startLogits", "end_logits": "endLogits"}
        for kind, suffix, reader, outputs in (
            ("sequence", "ForSequenceClassification", "AutoModelForSequenceClassification", {"logits": ""}),
            ("tokens", "ForTokenClassification", "AutoModelForTokenClassification", {"logits": ""}),
            ("answers", "ForQuestionAnswering", "AutoModelForQuestionAnswering", answers),
        ):
            if hasattr(transformers, cls + suffix):
                save(f"decoder-{kind}-{name}", reader, cls + suffix, dict(fields, num_labels=3), given, outputs)
                if kind == "sequence":
                    padded = dict(input_ids=left, attention_mask=left_mask)
                    save(f"decoder-sequence-left-{name}", reader, cls + suffix, dict(fields, num_labels=1), padded, outputs)
        save(f"decoder-base-{name}", "AutoModel", f"{cls}Model", fields, given, {"last_hidden_state": ""})


# ---------------------------------------------------------------- encoder-decoders
def seq2seq(name, cls, fields, generations=GENERATIONS, batch=2, length=10, target=5, reader="AutoModelForSeq2SeqLM"):
    ids, m = tokens(V, batch, length, pad=fields.get("pad_token_id", 0))
    dec = torch.randint(3, V, (batch, target))
    save(f"seq2seq-{name}", reader, cls, fields, dict(input_ids=ids, attention_mask=m, decoder_input_ids=dec), {"logits": ""}, generations)


def seq2seqs():
    t5 = dict(vocab_size=V, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, relative_attention_num_buckets=8, relative_attention_max_distance=12, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1)
    for proj in ("relu", "gated-gelu", "gated-silu", "gated-relu", "gelu"):
        for tie in (True, False):
            seq2seq(f"t5-{proj}-tie{tie}", "T5ForConditionalGeneration", dict(t5, feed_forward_proj=proj, tie_word_embeddings=tie), MORE if proj == "relu" else GENERATIONS)
    seq2seq("t5-layers", "T5ForConditionalGeneration", dict(t5, num_layers=3, num_decoder_layers=1))
    seq2seq("t5-kv", "T5ForConditionalGeneration", dict(t5, d_kv=5, num_heads=3))
    for tie in (True, False):
        seq2seq(f"mt5-tie{tie}", "MT5ForConditionalGeneration", dict(t5, feed_forward_proj="gated-gelu", tie_word_embeddings=tie))
    seq2seq("umt5", "UMT5ForConditionalGeneration", dict(t5, feed_forward_proj="gated-gelu", tie_word_embeddings=False))
    bart = dict(vocab_size=V, d_model=32, max_position_embeddings=40, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=48, decoder_ffn_dim=40, encoder_attention_heads=4, decoder_attention_heads=4, pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)
    forced = [dict(GREEDY, forced_bos_token_id=7), dict(max_new_tokens=8, do_sample=False, num_beams=3, forced_bos_token_id=9)]
    for scale in (True, False):
        for act in ("gelu", "relu"):
            seq2seq(f"bart-scale{scale}-{act}", "BartForConditionalGeneration", dict(bart, scale_embedding=scale, activation_function=act), MORE + forced)
            seq2seq(f"mbart-scale{scale}-{act}", "MBartForConditionalGeneration", dict(bart, scale_embedding=scale, activation_function=act), GENERATIONS + forced)
    seq2seq("bart-layers", "BartForConditionalGeneration", dict(bart, encoder_layers=3, decoder_layers=1))
    seq2seq("bart-heads", "BartForConditionalGeneration", dict(bart, encoder_attention_heads=2, decoder_attention_heads=8))
    for act in ("swish", "gelu"):
        for scale in (True, False):
            seq2seq(f"marian-{act}-scale{scale}", "MarianMTModel", dict(bart, decoder_vocab_size=V, activation_function=act, scale_embedding=scale, decoder_start_token_id=1, bos_token_id=None, eos_token_id=0, forced_eos_token_id=0), GENERATIONS + forced)
    seq2seq("pegasus", "PegasusForConditionalGeneration", dict(bart, activation_function="relu", scale_embedding=True, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, forced_eos_token_id=1), GENERATIONS + forced)
    seq2seq("m2m100", "M2M100ForConditionalGeneration", dict(bart, scale_embedding=True, activation_function="relu"), GENERATIONS + forced)
    seq2seq("blenderbot", "BlenderbotForConditionalGeneration", dict(bart, scale_embedding=True), GENERATIONS)
    seq2seq("blenderbot-small", "BlenderbotSmallForConditionalGeneration", dict(bart, scale_embedding=True), GENERATIONS)
    seq2seq("plbart", "PLBartForConditionalGeneration", bart, GENERATIONS)
    # Encoders alone: sentence-t5.
    ids, m = tokens(V, 2, 10)
    save("seq2seq-t5-encoder", "AutoModel", "T5EncoderModel", t5, dict(input_ids=ids, attention_mask=m), {"last_hidden_state": "lastHiddenState"})
    w = dict(vocab_size=V, d_model=32, num_mel_bins=6, max_source_positions=10, max_target_positions=24, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=48, decoder_ffn_dim=40, encoder_attention_heads=4, decoder_attention_heads=4, pad_token_id=1, bos_token_id=1, eos_token_id=1, decoder_start_token_id=2, begin_suppress_tokens=[5], suppress_tokens=[])
    for name, extra in dict(plain={}, scale=dict(scale_embedding=True), relu=dict(activation_function="relu"), layers=dict(encoder_layers=1, decoder_layers=3), untied=dict(tie_word_embeddings=False)).items():
        save(f"seq2seq-whisper-{name}", "AutoModelForSpeechSeq2Seq", "WhisperForConditionalGeneration", dict(w, **extra), dict(input_features=torch.randn(2, 6, 20), decoder_input_ids=torch.randint(3, V, (2, 5))), {"logits": ""}, GENERATIONS)
    for pool in (True, False):
        save(f"audio-whisper-classes-weighted{pool}", "AutoModelForAudioClassification", "WhisperForAudioClassification", dict(w, use_weighted_layer_sum=pool, classifier_proj_size=20, num_labels=4), dict(input_features=torch.randn(2, 6, 20)), {"logits": ""})


# ---------------------------------------------------------------- images and audio
def vision():
    vit = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=16, patch_size=4, num_labels=5)
    image = lambda n=2, h=16, w=16, c=3: torch.randn(n, c, h, w)
    C, F = ("AutoModelForImageClassification", {"logits": ""}), ("AutoModel", {"last_hidden_state": "lastHiddenState", "pooler_output": "poolerOutput"})
    for extra in ({}, dict(qkv_bias=False), dict(hidden_act="relu"), dict(num_channels=1), dict(patch_size=8), dict(layer_norm_eps=1e-3)):
        tag = "-".join(f"{k}{v}" for k, v in extra.items()) or "plain"
        c = extra.get("num_channels", 3)
        save(f"vision-vit-{tag}", C[0], "ViTForImageClassification", dict(vit, **extra), dict(pixel_values=image(c=c)), C[1])
        save(f"vision-vit-{tag}-features", F[0], "ViTModel", dict(vit, **extra), dict(pixel_values=image(c=c)), F[1])
        save(f"vision-deit-{tag}", C[0], "DeiTForImageClassification", dict(vit, **extra), dict(pixel_values=image(c=c)), C[1])
        save(f"vision-deit-{tag}-features", F[0], "DeiTModel", dict(vit, **extra), dict(pixel_values=image(c=c)), F[1])
    save("vision-deit-teacher", C[0], "DeiTForImageClassificationWithTeacher", vit, dict(pixel_values=image()), C[1])
    for extra in ({}, dict(use_mean_pooling=False), dict(use_relative_position_bias=True), dict(use_shared_relative_position_bias=True), dict(use_absolute_position_embeddings=True)):
        tag = "-".join(f"{k}{v}" for k, v in extra.items()) or "plain"
        save(f"vision-beit-{tag}", C[0], "BeitForImageClassification", dict(vit, **extra), dict(pixel_values=image()), C[1])
    di = dict(vit, mlp_ratio=2)
    for extra in ({}, dict(use_swiglu_ffn=True), dict(layerscale_value=0.3), dict(qkv_bias=False), dict(use_mask_token=False)):
        tag = "-".join(f"{k}{v}" for k, v in extra.items()) or "plain"
        for model, cls in (("dinov2", "Dinov2"), ("dinov2r", "Dinov2WithRegisters")):
            for h, w in ((16, 16), (24, 32)):
                save(f"vision-{model}-{tag}-{h}x{w}", C[0], f"{cls}ForImageClassification", dict(di, **extra), dict(pixel_values=image(2, h, w)), C[1])
                save(f"vision-{model}-{tag}-{h}x{w}-features", F[0], f"{cls}Model", dict(di, **extra), dict(pixel_values=image(2, h, w)), F[1])
    cn = dict(hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1], num_labels=5, image_size=32)
    for model, cls in (("convnext", "ConvNext"), ("convnextv2", "ConvNextV2")):
        for extra in ({}, dict(layer_scale_init_value=0.0), dict(hidden_act="relu"), dict(depths=[2, 1, 1, 1]), dict(patch_size=2)):
            tag = "-".join(f"{k}{v}" for k, v in extra.items()) or "plain"
            save(f"vision-{model}-{tag}", C[0], f"{cls}ForImageClassification", dict(cn, **extra), dict(pixel_values=image(2, 32, 48)), C[1])
            save(f"vision-{model}-{tag}-features", F[0], f"{cls}Model", dict(cn, **extra), dict(pixel_values=image(2, 32, 32)), F[1])
    for layer in ("basic", "bottleneck"):
        for extra in ({}, dict(downsample_in_first_stage=True), dict(hidden_act="gelu"), dict(downsample_in_bottleneck=True)):
            tag = "-".join(f"{k}{v}" for k, v in extra.items()) or "plain"
            fields = dict(embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 2, 1, 1], layer_type=layer, num_labels=5, **extra)
            save(f"vision-resnet-{layer}-{tag}", C[0], "ResNetForImageClassification", fields, dict(pixel_values=image(2, 32, 32)), C[1])
    text = dict(vocab_size=V, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=16)
    see = dict(hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4, image_size=16, patch_size=4)
    both = {"logits_per_image": "logitsPerImage", "logits_per_text": "logitsPerText", "image_embeds": "imageEmbeds", "text_embeds": "textEmbeds"}
    for eos in (2, 40):
        for act in ("quick_gelu", "gelu"):
            ids, m = tokens(V, 3, 9, pad=1, low=3, top=40)
            ids[:, 5] = 63 if eos == 2 else 40
            t = dict(text, eos_token_id=eos, bos_token_id=0, pad_token_id=1, hidden_act=act)
            given = dict(input_ids=ids, attention_mask=torch.ones_like(m))
            save(f"clip-eos{eos}-{act}", "AutoModel", "CLIPModel", dict(text_config=dict(t, projection_dim=20), vision_config=dict(see, hidden_act=act), projection_dim=20), dict(given, pixel_values=image()), both)
            save(f"clip-text-eos{eos}-{act}", "AutoModel", "CLIPTextModel", t, given, F[1])
            save(f"clip-textproj-eos{eos}-{act}", "AutoModel", "CLIPTextModelWithProjection", dict(t, projection_dim=20), given, {"text_embeds": "textEmbeds", "last_hidden_state": "lastHiddenState"})
    for act in ("quick_gelu", "gelu"):
        save(f"clip-vision-{act}", "AutoModel", "CLIPVisionModel", dict(see, hidden_act=act), dict(pixel_values=image()), F[1])
        save(f"clip-visionproj-{act}", "AutoModel", "CLIPVisionModelWithProjection", dict(see, hidden_act=act, projection_dim=20), dict(pixel_values=image()), {"image_embeds": "imageEmbeds", "last_hidden_state": "lastHiddenState"})
    save("clip-classes", C[0], "CLIPForImageClassification", dict(text_config=dict(text, eos_token_id=2), vision_config=see, projection_dim=20, num_labels=5), dict(pixel_values=image()), C[1])
    sig = dict(text, hidden_size=24)
    ids, m = tokens(V, 3, 16, pad=1, low=3)
    save("siglip", "AutoModel", "SiglipModel", dict(text_config=dict(sig, projection_size=24), vision_config=see), dict(input_ids=ids, pixel_values=image()), both)
    save("siglip-text", "AutoModel", "SiglipTextModel", dict(sig, projection_size=24), dict(input_ids=ids), F[1])
    save("siglip-vision", "AutoModel", "SiglipVisionModel", see, dict(pixel_values=image()), F[1])
    save("siglip-vision-nohead", "AutoModel", "SiglipVisionModel", dict(see, vision_use_head=False), dict(pixel_values=image()), {"last_hidden_state": "lastHiddenState"})
    save("siglip-classes", C[0], "SiglipForImageClassification", dict(text_config=sig, vision_config=see, num_labels=5), dict(pixel_values=image()), C[1])


def audio():
    w = dict(vocab_size=12, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, conv_dim=[8, 12], conv_kernel=[6, 3], conv_stride=[4, 2], num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=4, classifier_proj_size=20, num_feat_extract_layers=2, apply_spec_augment=False, num_labels=4)
    sound = torch.randn(2, 120)
    mask = torch.ones(2, 120, dtype=torch.long)
    mask[1, 70:] = 0
    for model, cls in (("wav2vec2", "Wav2Vec2"), ("hubert", "Hubert"), ("data2vec-audio", "Data2VecAudio"), ("wavlm", "WavLM"), ("unispeech", "UniSpeech"), ("unispeech-sat", "UniSpeechSat")):
        for extra in ({}, dict(feat_extract_norm="layer", do_stable_layer_norm=True, conv_bias=True), dict(num_conv_pos_embeddings=5), dict(use_weighted_layer_sum=True), dict(feat_extract_activation="relu", hidden_act="gelu_new"), dict(feat_proj_layer_norm=False), dict(mask_time_prob=0.0)):
            tag = "-".join(f"{k}{v}" for k, v in extra.items())[:40] or "plain"
            fields = dict(w, **extra)
            for padded in (False, True):
                given = dict(input_values=sound, attention_mask=mask if padded else None)
                end = f"{tag}{'-padded' if padded else ''}"
                save(f"audio-{model}-{end}", "AutoModel", f"{cls}Model", fields, given, {"last_hidden_state": ""})
                save(f"audio-{model}-ctc-{end}", "AutoModelForCTC", f"{cls}ForCTC", fields, given, {"logits": ""})
                save(f"audio-{model}-classes-{end}", "AutoModelForAudioClassification", f"{cls}ForSequenceClassification", fields, given, {"logits": ""})


causals()
encoders()
seq2seqs()
vision()
audio()
print(f"{made} variants in {OUT}")
