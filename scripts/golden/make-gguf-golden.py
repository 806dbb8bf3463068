"""Writes test/golden/gguf.tar: tiny GGUF files with random weights and tokenizers, with the logits that transformers computes from them,
and the elements of random blocks of each quantized type as the gguf package widens them.

    pip install torch transformers gguf safetensors
    python scripts/golden/make-gguf-golden.py
"""

import json
import os
import shutil

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as T
from safetensors.torch import save_file
from tokenizers import Regex, Tokenizer, pre_tokenizers
from tokenizers.models import BPE
from transformers import AutoModelForCausalLM, AutoTokenizer, Gemma2Config, GemmaConfig, LlamaConfig, Phi3Config, Qwen2Config, Qwen3Config

from family import open_family

here = str(open_family("gguf"))
shutil.rmtree(here)
os.makedirs(here)
sizes = dict(
    vocab_size=300,
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)
models = {
    # name: configuration, architecture, type of matrices
    "llama": (LlamaConfig(**sizes, tie_word_embeddings=False), "llama", T.F32),
    "llama-q8": (LlamaConfig(**sizes, tie_word_embeddings=True), "llama", T.Q8_0),
    "qwen2-q4": (Qwen2Config(**sizes, tie_word_embeddings=True), "qwen2", T.Q4_0),
    "qwen3-bf16": (Qwen3Config(**{**sizes, "num_attention_heads": 2, "num_key_value_heads": 1}, head_dim=128, tie_word_embeddings=True), "qwen3", T.BF16),
    "gemma2": (Gemma2Config(**sizes, head_dim=8, query_pre_attn_scalar=8, sliding_window=4), "gemma2", T.F16),
    "phi3": (Phi3Config(**sizes, sliding_window=64), "phi3", T.F16),
    # The mixture of types of llama.cpp's Q4_K_M; a row has whole blocks of 256 elements.
    "llama-q4-k-m": (LlamaConfig(**{**sizes, "hidden_size": 256, "intermediate_size": 256, "num_key_value_heads": 1, "num_hidden_layers": 1}, tie_word_embeddings=True), "llama", "Q4_K_M"),
    "phi3-partial": (Phi3Config(**{**sizes, "num_hidden_layers": 1}, sliding_window=64, partial_rotary_factor=0.5), "phi3", T.F32),
}


def interleaved(weight, heads):
    """The order of rows in which llama.cpp stores the queries and keys of its architecture llama."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(weight.shape)


def byte_tokens():
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names, extra = {}, 0
    for byte in range(256):
        if byte in visible:
            names[byte] = chr(byte)
        else:
            names[byte] = chr(256 + extra)
            extra += 1
    return [names[byte] for byte in range(256)]


def add_tokenizer(writer, architecture):
    specials = ["<unk>", "<s>", "</s>", "<|user|>"]
    if architecture in ("llama", "gemma2"):
        words = ["\u2581", "e", "t", "h", "o", "l", "\u2581t", "he", "\u2581the", "lo", "hel", "hello", "\u2581hello"]
        tokens = specials + [f"<0x{byte:02X}>" for byte in range(256)] + words
        scores = [0.0] * 260 + [-float(len(words) - i) if len(word) == 1 else float(-100 + i) for i, word in enumerate(words)]
        types = [2, 3, 3, 3] + [6] * 256 + [1] * len(words)
        writer.add_tokenizer_model("llama")
        writer.add_token_scores(scores + [-1000.0] * (300 - len(tokens)))
        writer.add_add_space_prefix(architecture == "llama")
    else:
        merges = ["h e", "l l", "he ll", "hell o", "\u0120 t", "\u0120t he", "1 2", "12 3"]
        tokens = specials + byte_tokens() + [merge.replace(" ", "") for merge in merges]
        types = [3, 3, 3, 3] + [1] * (256 + len(merges))
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("qwen2" if architecture.startswith("qwen") else "llama-bpe")
        writer.add_token_merges(merges)
    rest = 300 - len(tokens)
    writer.add_token_list(tokens + [f"[unused{i}]" for i in range(rest)])
    writer.add_token_types(types + [5] * rest)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(architecture == "llama")
    writer.add_chat_template("{% for m in messages %}<|user|>{{ m['content'] }}</s>{% endfor %}")


def random_blocks(kind, shape):
    """Random bytes with small scales: the gguf package does not quantize to these types."""
    rng = np.random.default_rng(shape[0])
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (shape[0], shape[1] // elements, size), dtype=np.uint8)
    for place, scale in {T.Q4_K: [(0, 3e-4), (2, 2e-3)], T.Q6_K: [(208, 2e-5)]}[kind]:
        scales = (scale * rng.uniform(0.5, 1.5, data.shape[:2])).astype(np.float16)
        data[..., place : place + 2] = scales[..., None].view(np.uint8)
    return data.reshape(shape[0], -1)


def write(name, config, architecture, matrices):
    torch.manual_seed(sum(map(ord, name)))
    model = AutoModelForCausalLM.from_config(config).float()
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    path = os.path.join(here, f"{name}.gguf")
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    writer.add_key_length(head_dim)
    writer.add_value_length(head_dim)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    partial = config.rope_parameters.get("partial_rotary_factor", 1)
    writer.add_rope_dimension_count(int(head_dim * partial))
    writer.add_vocab_size(config.vocab_size)
    if architecture in ("gemma2", "phi3"):
        writer.add_sliding_window(config.sliding_window)
    if architecture == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
    add_tokenizer(writer, architecture)
    arch = next(key for key, value in gguf.MODEL_ARCH_NAMES.items() if value == architecture)
    names = gguf.get_tensor_name_map(arch, config.num_hidden_layers)
    for key, tensor in model.state_dict().items():
        if key == "lm_head.weight" and config.tie_word_embeddings:
            continue
        data = tensor.numpy()
        if architecture == "llama" and "q_proj" in key:
            data = interleaved(data, config.num_attention_heads)
        if architecture == "llama" and "k_proj" in key:
            data = interleaved(data, config.num_key_value_heads)
        if architecture == "gemma2" and key.endswith("norm.weight"):
            data = data + 1
        kind = matrices if data.ndim == 2 else T.F32
        if kind == "Q4_K_M":
            kind = T.Q6_K if any(part in key for part in ("embed_tokens", "v_proj", "down_proj")) else T.Q4_K
            data = random_blocks(kind, data.shape)
        else:
            data = gguf.quants.quantize(data, kind)
        writer.add_tensor(names.get_name(key, (".weight", ".bias")), data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

    # transformers ignores the number of rotated dims: the logits are those of the model that was written.
    if partial == 1:
        read = AutoModelForCausalLM.from_pretrained(here, gguf_file=f"{name}.gguf", dtype=torch.float32).eval()
    else:
        read = model.eval()
    read.config._attn_implementation = "eager"
    ids = torch.randint(0, config.vocab_size, (2, 12))
    with torch.no_grad():
        logits = read(ids).logits
    save_file({"input_ids": ids, "logits": logits.contiguous()}, os.path.join(here, f"{name}.safetensors"))


for name, (config, architecture, matrices) in models.items():
    write(name, config, architecture, matrices)

def llama3_tokenizer(tokens, merges):
    """The tokenizer of Llama 3, as its tokenizer.json defines it: transformers builds another one from GGUF files."""
    model = BPE({token: i for i, token in enumerate(tokens)}, [tuple(merge.split(" ")) for merge in merges], ignore_merges=True)
    tokenizer = Tokenizer(model)
    words = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    split = pre_tokenizers.Split(Regex(words), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return tokenizer


texts = ["hello the 1234", "Hello,  world!\n\n 12 3's", "h\u00e9llo \u4f60\u597d", "<|user|>hello the</s> the"]
tokens = {}
# transformers does not know the special tokens of other architectures.
for name, count in {"llama": 4, "qwen2-q4": 3}.items():
    tokenizer = AutoTokenizer.from_pretrained(here, gguf_file=f"{name}.gguf")
    tokens[name] = [tokenizer.encode(text, add_special_tokens=False) for text in texts[:count]]
fields = gguf.GGUFReader(os.path.join(here, "phi3.gguf")).fields
strings = [fields[f"tokenizer.ggml.{key}"].contents() for key in ("tokens", "merges")]
tokens["phi3"] = [llama3_tokenizer(*strings).encode(text).ids for text in texts[:3]]
with open(os.path.join(here, "tokens.json"), "w") as file:
    json.dump({"texts": texts, "tokens": tokens}, file, indent=1)
    file.write("\n")

rng = np.random.default_rng(0)
blocks = {}
for kind in (T.Q8_0, T.Q4_0, T.Q4_K, T.Q6_K):
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (3, size), dtype=np.uint8)
    # The scales, which are of type f16, are finite.
    places = {T.Q8_0: [0], T.Q4_0: [0], T.Q4_K: [0, 2], T.Q6_K: [208]}[kind]
    for place in places:
        scales = (rng.standard_normal(3) / 16).astype(np.float16)
        data[:, place : place + 2] = scales.view(np.uint8).reshape(3, 2)
    values = gguf.quants.dequantize(data, kind).reshape(-1)
    blocks[kind.name] = {"data": data.tobytes().hex(), "bits": values.astype(np.float32).tobytes().hex()}
with open(os.path.join(here, "blocks.json"), "w") as file:
    json.dump(blocks, file, indent=1)
    file.write("\n")
