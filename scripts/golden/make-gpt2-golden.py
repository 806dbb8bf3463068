"""Golden vectors: one forward and backward pass of a small GPT-2, made with PyTorch and Hugging Face transformers.

The oracle for Trenio's GPT-2: same weights, same batch, so logits, loss and every gradient must agree.
Run from the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-gpt2-golden.py

It writes test/golden/gpt2-small.tar (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json

import safetensors.torch
import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel

from family import open_family

BATCH = 3
TIME = 12

folder = open_family("gpt2-small")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
torch.manual_seed(20240502)

config = GPT2Config(
    vocab_size=60,
    n_positions=16,
    n_embd=32,
    n_layer=2,
    n_head=4,
    resid_pdrop=0.0,
    embd_pdrop=0.0,
    attn_pdrop=0.0,
    bos_token_id=0,
    eos_token_id=0,
    attn_implementation="eager",
)
model = GPT2LMHeadModel(config)
# Biases start at 0 and LayerNorm weights at 1, where many mistakes do not show: move them.
with torch.no_grad():
    for name, parameter in model.named_parameters():
        if name.endswith("bias") or ".ln_" in name:
            parameter.add_(torch.randn_like(parameter) * 0.05)
        # Larger weights than GPT-2's 0.02, so that attention is not uniform and gradients are not tiny.
        else:
            parameter.mul_(4.0)
model.save_pretrained(folder)
model.train()

lengths = torch.tensor([TIME, 7, 10])
positions = torch.arange(TIME)
attention_mask = (positions < lengths[:, None]).to(torch.int32)
input_ids = torch.randint(1, config.vocab_size, (BATCH, TIME), dtype=torch.int32) * attention_mask
labels = torch.where(attention_mask == 1, input_ids, -100)

output = model(input_ids=input_ids.long(), attention_mask=attention_mask.long(), labels=labels.long())
output.loss.backward()
print(f"loss {output.loss.item():.7f}")
save = safetensors.torch.save_file
save(
    {
        "input_ids": input_ids.contiguous(),
        "attention_mask": attention_mask.contiguous(),
        "labels": labels.to(torch.int32).contiguous(),
        "loss": output.loss.detach(),
        "logits": output.logits.detach(),
    },
    folder / "batch.safetensors",
)
save({name: p.grad.clone() for name, p in model.named_parameters()}, folder / "gradients.safetensors")
(folder / "recipe.json").write_text(
    json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}, indent=2) + "\n"
)
(folder / "generation_config.json").unlink(missing_ok=True)
# transformers writes its files for the owner's eyes only.
for path in folder.iterdir():
    path.chmod(0o644)
