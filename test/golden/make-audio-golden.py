"""Golden vectors: one forward and backward pass of tiny audio encoders, by Hugging Face transformers.

The oracle for Trenio's Wav2Vec2: random weights; logits, the CTC loss and the norms of gradients must agree. Run from the
repository's root, with torch, transformers and safetensors installed:

    python test/golden/make-audio-golden.py

It writes test/golden/audio/ (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import pathlib
import shutil
import tempfile

import safetensors.torch
import torch
import transformers
from transformers import AutoConfig, AutoModelForCTC

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
}

root = pathlib.Path(__file__).parent / "audio"
shutil.rmtree(root, ignore_errors=True)
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def make(name, fields):
    folder = root / name
    folder.mkdir(parents=True)
    torch.manual_seed(20261123)
    model = AutoModelForCTC.from_config(AutoConfig.for_model(**fields), attn_implementation="eager").eval()
    # Biases start at 0 and norms at 1, where many mistakes do not show: move them; others are larger than 0.02.
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key.endswith("bias") or "norm" in key or "original0" in key:
                parameter.add_(torch.rand_like(parameter) * 0.2)
            elif parameter.std() < 0.1:
                parameter.mul_(10.0)
    model.save_pretrained(folder)
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
        # Written as a model, so that the gradients have the names of files.
        for p in model.parameters():
            p.copy_(torch.zeros_like(p) if p.grad is None else p.grad)
    with tempfile.TemporaryDirectory() as directory:
        model.save_pretrained(directory)
        saved = safetensors.torch.load_file(f"{directory}/model.safetensors")
    norms = {key: float(saved[key].norm()) for key in sorted(saved) if "masked_spec_embed" not in key}
    safetensors.torch.save_file(batch, folder / "batch.safetensors")
    (folder / "gradients.json").write_text(json.dumps(norms, indent=1) + "\n")
    for path in folder.iterdir():
        path.chmod(0o644)
    print(f"{name}: loss {output.loss.item():.6f}")


for name, fields in models.items():
    make(name, fields)
(root / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
