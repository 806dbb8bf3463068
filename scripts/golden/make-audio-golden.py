"""Golden vectors: one forward and backward pass of tiny audio encoders, by Hugging Face transformers.

The oracle for Trenio's Wav2Vec2: random weights; logits, the CTC loss and the norms of gradients must agree. Run from the
repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-audio-golden.py [NAME ...]

It writes test/golden/audio.tar, all of it or the models named (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import shutil
import sys
import tempfile

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModelForAudioClassification, AutoModelForCTC

from family import open_family

tiny = dict(
    model_type="wav2vec2",
    vocab_size=12,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    conv_dim=[8, 8],
    conv_kernel=[10, 3],
    conv_stride=[5, 2],
    num_conv_pos_embedding_groups=2,
)
models = {
    "wav2vec2": dict(**tiny, num_conv_pos_embeddings=4),
    "wav2vec2-stable": dict(
        **tiny,
        num_conv_pos_embeddings=5,
        feat_extract_norm="layer",
        conv_bias=True,
        do_stable_layer_norm=True,
        mask_time_prob=0.0,
        ctc_loss_reduction="mean",
    ),
    "whisper-classifier": dict(
        model_type="whisper",
        vocab_size=12,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        d_model=16,
        encoder_layers=2,
        encoder_attention_heads=4,
        encoder_ffn_dim=24,
        decoder_layers=1,
        decoder_attention_heads=4,
        decoder_ffn_dim=24,
        num_mel_bins=6,
        max_source_positions=8,
        classifier_proj_size=12,
        use_weighted_layer_sum=True,
        num_labels=3,
    ),
}

root = open_family("audio")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def make(name, fields):
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    is_whisper = fields["model_type"] == "whisper"
    cls = AutoModelForAudioClassification if is_whisper else AutoModelForCTC
    model = cls.from_config(AutoConfig.for_model(**fields), attn_implementation="eager").eval()
    # Biases start at 0 and norms at 1, where many mistakes do not show: move them; others are larger than 0.02.
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if "layer_weights" in key:
                parameter.copy_(torch.randn_like(parameter))
            elif key.endswith("bias") or "norm" in key or "original0" in key:
                parameter.add_(torch.rand_like(parameter) * 0.2)
            elif parameter.std() < 0.1:
                parameter.mul_(10.0)
    model.save_pretrained(folder)
    if is_whisper:
        features, labels = torch.randn(2, 6, 16), torch.tensor([2, 0])
        output = model(input_features=features, labels=labels)
        output.loss.backward()
        batch = {"input_features": features, "labels": labels.to(torch.int32)}
        batch.update(loss=output.loss.detach(), logits=output.logits.detach().contiguous())
        return write(folder, model, batch)
    mask = torch.ones(2, 160, dtype=torch.long)
    mask[1, 121:] = 0
    values = torch.randn(2, 160) * mask
    labels = torch.tensor([[3, 4, 4, 5], [6, 7, -100, -100]])
    output = model(input_values=values, attention_mask=mask, labels=labels)
    output.loss.backward()
    batch = {
        "input_values": values,
        "attention_mask": mask.to(torch.int32),
        "labels": labels.to(torch.int32),
        "loss": output.loss.detach(),
        "logits": output.logits.detach().contiguous(),
    }
    with torch.no_grad():
        batch["unmasked_logits"] = model(input_values=values).logits.contiguous()
    write(folder, model, batch)


def write(folder, model, batch):
    with torch.no_grad():
        # Written as a model, so that the gradients have the names of files.
        for p in model.parameters():
            p.copy_(torch.zeros_like(p) if p.grad is None else p.grad)
    with tempfile.TemporaryDirectory() as directory:
        model.save_pretrained(directory)
        saved = safetensors.torch.load_file(f"{directory}/model.safetensors")
    constant = ("masked_spec_embed", "embed_positions")
    norms = {key: float(saved[key].norm()) for key in sorted(saved) if not any(name in key for name in constant)}
    safetensors.torch.save_file(batch, folder / "batch.safetensors")
    (folder / "gradients.json").write_text(json.dumps(norms, indent=1) + "\n")
    for path in folder.iterdir():
        path.chmod(0o644)
    print(f"{folder.name}: loss {batch['loss'].item():.6f}")


for name, fields in models.items():
    if not sys.argv[1:] or name in sys.argv[1:]:
        make(name, fields)
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
