"""Golden vectors: one forward and backward pass of tiny encoder-decoders, by Hugging Face transformers.

The oracle for Trenio's encoder-decoders: random weights of each architecture; logits, loss and the norm of every gradient must
agree. Run from the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-seq2seq-golden.py [NAME ...]

It writes test/golden/seq2seq.tar, all of it or the models named, and test/golden/seq2seq-encoders.tar (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import shutil
import sys

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoModelForSpeechSeq2Seq, AutoModelForTextEncoding

from family import open_family

BATCH, SOURCE, TARGET = 2, 10, 7
tiny_t5 = dict(
    model_type="t5", vocab_size=40, d_model=16, d_kv=5, d_ff=24, num_layers=2, num_heads=3, dropout_rate=0.0,
    relative_attention_num_buckets=8, relative_attention_max_distance=12, decoder_start_token_id=0,
)
tiny_bart = dict(
    vocab_size=40, d_model=16, max_position_embeddings=24, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=24,
    decoder_ffn_dim=20, encoder_attention_heads=4, decoder_attention_heads=4, dropout=0.0,
)
models = {
    "t5": dict(**tiny_t5),
    "t5-gated": dict(**tiny_t5, feed_forward_proj="gated-gelu", tie_word_embeddings=False, num_decoder_layers=1),
    "umt5": dict(**{**tiny_t5, "model_type": "umt5"}, feed_forward_proj="gated-gelu"),
    "bart": dict(
        model_type="bart", vocab_size=40, d_model=16, max_position_embeddings=24, encoder_layers=2, decoder_layers=1,
        encoder_ffn_dim=24, decoder_ffn_dim=20, encoder_attention_heads=4, decoder_attention_heads=4, dropout=0.0,
        scale_embedding=True,
    ),
    "mbart": dict(model_type="mbart", **tiny_bart, scale_embedding=True, decoder_start_token_id=2),
    "marian": dict(
        model_type="marian", **tiny_bart, activation_function="swish", pad_token_id=1, eos_token_id=0, decoder_start_token_id=1,
        forced_eos_token_id=0, decoder_vocab_size=40,
    ),
    "pegasus": dict(model_type="pegasus", **tiny_bart, activation_function="relu", scale_embedding=True),
    "m2m100": dict(
        model_type="m2m_100", **tiny_bart, attention_dropout=0.0, encoder_layerdrop=0.0, decoder_layerdrop=0.0,
        decoder_start_token_id=2,
    ),
    "whisper": dict(
        model_type="whisper", vocab_size=40, d_model=16, num_mel_bins=6, max_source_positions=10, max_target_positions=12,
        encoder_layers=2, decoder_layers=1, encoder_ffn_dim=24, decoder_ffn_dim=20, encoder_attention_heads=4,
        decoder_attention_heads=4, pad_token_id=1, bos_token_id=1, eos_token_id=1, decoder_start_token_id=2,
    ),
}

root = open_family("seq2seq")
encoders = open_family("seq2seq-encoders")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def make(name, fields):
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    config = AutoConfig.for_model(**fields)
    is_audio = name == "whisper"
    cls = AutoModelForSpeechSeq2Seq if is_audio else AutoModelForSeq2SeqLM
    model = cls.from_config(config, attn_implementation="eager")
    model.eval()
    # Biases start at 0 and norms at 1, where many mistakes do not show: move them; others are larger than 0.02.
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key.endswith("bias") or "norm" in key:
                parameter.add_(torch.randn_like(parameter) * 0.1)
            elif parameter.std() < 0.1:
                parameter.mul_(10.0)
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias.add_(torch.randn_like(model.final_logits_bias) * 0.1)
    model.save_pretrained(folder)
    pad = config.pad_token_id
    mask = (torch.arange(SOURCE) < torch.tensor([SOURCE, 6])[:, None]).long()
    ids = torch.where(mask == 1, torch.randint(3, config.vocab_size, (BATCH, SOURCE)), pad)
    labels = torch.randint(3, config.vocab_size, (BATCH, TARGET))
    labels[1, 5:] = -100
    features = torch.randn(BATCH, 6, 20)
    inputs = {"input_features": features} if is_audio else {"input_ids": ids, "attention_mask": mask}
    output = model(**inputs, labels=labels)
    output.loss.backward()
    batch = {"labels": labels} if is_audio else {**inputs, "labels": labels}
    safetensors.torch.save_file(
        {
            **{key: value.to(torch.int32).contiguous() for key, value in batch.items()},
            "loss": output.loss.detach(),
            "logits": output.logits.detach().contiguous(),
            **({"input_features": features} if is_audio else {}),
        },
        folder / "batch.safetensors",
    )
    norms = {key: float(p.grad.norm()) for key, p in model.named_parameters() if p.grad is not None}
    (folder / "gradients.json").write_text(json.dumps(norms, indent=1) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)
    for path in folder.iterdir():
        path.chmod(0o644)
    print(f"{name}: loss {output.loss.item():.6f}")


@torch.no_grad()
def make_encoder(name):
    """The encoder alone, of the same sizes."""
    folder = encoders / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    config = AutoConfig.for_model(**models[name])
    model = AutoModelForTextEncoding.from_config(config, attn_implementation="eager").eval()
    for key, parameter in model.named_parameters():
        if "norm" in key:
            parameter.add_(torch.randn_like(parameter) * 0.1)
        elif parameter.std() < 0.1:
            parameter.mul_(10.0)
    model.save_pretrained(folder)
    mask = (torch.arange(SOURCE) < torch.tensor([SOURCE, 6])[:, None]).long()
    ids = torch.where(mask == 1, torch.randint(3, config.vocab_size, (BATCH, SOURCE)), config.pad_token_id)
    hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
    batch = {"input_ids": ids.to(torch.int32), "attention_mask": mask.to(torch.int32), "hidden": hidden.contiguous()}
    safetensors.torch.save_file(batch, folder / "batch.safetensors")
    (folder / "generation_config.json").unlink(missing_ok=True)
    for path in folder.iterdir():
        path.chmod(0o644)


for name, fields in models.items():
    if not sys.argv[1:] or name in sys.argv[1:]:
        make(name, fields)
for name in ("t5", "umt5"):
    make_encoder(name)
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
