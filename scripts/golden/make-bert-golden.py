"""Golden vectors: ten training steps of a small BERT classifier, made with PyTorch and Hugging Face transformers.

The oracle for Trenio's BERT: same initial weights, same batches, so losses, gradients and final weights must agree.
Run from the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-bert-golden.py

It writes test/golden/bert-small.tar (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json

import safetensors.torch
import torch
import transformers
from transformers import BertConfig, BertForSequenceClassification

from family import open_family

STEPS = 10
BATCH = 4
SEQUENCE = 16
LEARNING_RATE = 1e-3
WEIGHT_DECAY = 0.01

folder = open_family("bert-small")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
torch.manual_seed(20240501)

config = BertConfig(
    vocab_size=200,
    hidden_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=128,
    max_position_embeddings=32,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    num_labels=2,
    attn_implementation="eager",
)
model = BertForSequenceClassification(config)
# BERT starts with every bias 0 and every LayerNorm weight 1, where many mistakes do not show: move them.
with torch.no_grad():
    for name, parameter in model.named_parameters():
        if name.endswith("bias") or "LayerNorm" in name:
            parameter.add_(torch.randn_like(parameter) * 0.05)
        # Larger weights than BERT's 0.02, so that attention is not uniform and gradients are not tiny.
        elif parameter.ndim == 2:
            parameter.mul_(4.0)
model.save_pretrained(folder)
model.train()

lengths = torch.randint(4, SEQUENCE + 1, (STEPS, BATCH))
lengths[:, 0] = SEQUENCE  # one row a batch without padding
positions = torch.arange(SEQUENCE)
attention_mask = (positions < lengths[..., None]).to(torch.int32)
input_ids = torch.randint(1, config.vocab_size, (STEPS, BATCH, SEQUENCE), dtype=torch.int32) * attention_mask
# A second segment in the second half of each row: both token types get a gradient.
token_type_ids = ((positions >= lengths[..., None] // 2).to(torch.int32)) * attention_mask
labels = torch.randint(0, config.num_labels, (STEPS, BATCH), dtype=torch.int32)

optimizer = torch.optim.AdamW(
    model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=WEIGHT_DECAY, foreach=False
)
losses, logits = [], []
gradients = {}
for step in range(STEPS):
    optimizer.zero_grad()
    output = model(
        input_ids=input_ids[step].long(),
        attention_mask=attention_mask[step].long(),
        token_type_ids=token_type_ids[step].long(),
        labels=labels[step].long(),
    )
    output.loss.backward()
    losses.append(output.loss.detach().clone())
    logits.append(output.logits.detach().clone())
    gradients[step + 1] = {name: p.grad.clone() for name, p in model.named_parameters()}
    optimizer.step()
    print(f"step {step + 1}: loss {losses[-1].item():.7f}")

save = safetensors.torch.save_file
save(
    {
        "input_ids": input_ids.contiguous(),
        "attention_mask": attention_mask.contiguous(),
        "token_type_ids": token_type_ids.contiguous(),
        "labels": labels.contiguous(),
        "losses": torch.stack(losses),
        "logits": torch.stack(logits),
    },
    folder / "steps.safetensors",
)
save(gradients[1], folder / "gradients-step-1.safetensors")
save(gradients[STEPS], folder / "gradients-step-10.safetensors")
save({name: p.detach().clone() for name, p in model.named_parameters()}, folder / "final.safetensors")
(folder / "recipe.json").write_text(
    json.dumps(
        {
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "steps": STEPS,
            "optimizer": "AdamW",
            "learningRate": LEARNING_RATE,
            "betas": [0.9, 0.999],
            "eps": 1e-8,
            "weightDecay": WEIGHT_DECAY,
            "gradientClipping": None,
            "losses": [loss.item() for loss in losses],
        },
        indent=2,
    )
    + "\n"
)
# transformers writes its files for the owner's eyes only.
for path in folder.iterdir():
    path.chmod(0o644)
