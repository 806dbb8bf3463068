"""Golden vectors: BERT's pre-training heads and loss, made with PyTorch and Hugging Face transformers.

Run from the repository's root, with torch, transformers and safetensors installed:

    python scripts/golden/make-bert-pretraining-golden.py

It writes test/golden/bert-pretraining.tar: the model, and in golden.safetensors one batch, its logits and some gradients, and its loss
in loss.json.
"""

import json

import safetensors.torch
import torch
from transformers import BertConfig, BertForPreTraining

from family import open_family

folder = open_family("bert-pretraining")
torch.set_num_threads(1)
torch.manual_seed(20240501)
config = BertConfig(
    vocab_size=60,
    hidden_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=32,
    max_position_embeddings=16,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    attn_implementation="eager",
)
model = BertForPreTraining(config)
with torch.no_grad():
    for name, parameter in model.named_parameters():
        if name.endswith("bias") or "LayerNorm" in name:
            parameter.add_(torch.randn_like(parameter) * 0.05)
        elif parameter.ndim == 2:
            parameter.mul_(4.0)
model.save_pretrained(folder)
model.train()

BATCH, LENGTH, PREDICTIONS = 3, 12, 4
attention_mask = (torch.arange(LENGTH) < torch.tensor([[12], [9], [7]])).long()
input_ids = torch.randint(1, config.vocab_size, (BATCH, LENGTH)) * attention_mask
token_type_ids = (torch.arange(LENGTH) >= torch.tensor([[6], [4], [3]])).long() * attention_mask
positions = torch.tensor([[1, 5, 7, 11], [2, 3, 8, 0], [4, 6, 0, 0]])
labels = torch.randint(1, config.vocab_size, (BATCH, PREDICTIONS))
labels[1, 3] = labels[2, 2] = labels[2, 3] = -100
next_sentence = torch.tensor([0, 1, 1])
# transformers wants a label for each token of the sequence.
every = torch.full((BATCH, LENGTH), -100)
for row in range(BATCH):
    for position, label in zip(positions[row], labels[row]):
        if label != -100:
            every[row, position] = label
output = model(
    input_ids=input_ids,
    attention_mask=attention_mask,
    token_type_ids=token_type_ids,
    labels=every,
    next_sentence_label=next_sentence,
)
output.loss.backward()
chosen = output.prediction_logits.gather(1, positions[:, :, None].expand(-1, -1, config.vocab_size))
named = dict(model.named_parameters())
gradients = [
    "bert.embeddings.word_embeddings.weight",
    "bert.encoder.layer.0.output.dense.weight",
    "cls.predictions.bias",
    "cls.predictions.transform.dense.weight",
    "cls.seq_relationship.weight",
]
safetensors.torch.save_file(
    {
        "input_ids": input_ids.int(),
        "attention_mask": attention_mask.int(),
        "token_type_ids": token_type_ids.int(),
        "positions": positions.int(),
        "labels": labels.int(),
        "next_sentence": next_sentence.int(),
        "prediction_logits": chosen.detach().contiguous(),
        "seq_relationship_logits": output.seq_relationship_logits.detach().contiguous(),
        **{f"gradient.{name}": named[name].grad.contiguous() for name in gradients},
    },
    folder / "golden.safetensors",
)
(folder / "loss.json").write_text(json.dumps({"loss": output.loss.item()}) + "\n")
