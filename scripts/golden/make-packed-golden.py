"""Golden vectors: logits of packed sequences, by Hugging Face transformers with position_ids and a block-diagonal mask.

The oracle for `positionIds` and `segmentIds`, on models of test/golden/decoders and gpt2-small. Run from the repository's root:

    python scripts/golden/make-packed-golden.py

It writes test/golden/packed.safetensors. Trenio and its tests never need Python.
"""

import pathlib

import safetensors.torch
import torch
from transformers import AutoModelForCausalLM

from family import open_family

root = pathlib.Path(__file__).parents[2] / "test/golden"
decoders = open_family("decoders", writes=False)
gpt2 = open_family("gpt2-small", writes=False)
torch.manual_seed(5)
segments = torch.tensor([[1, 1, 1, 2, 2, 2, 2, 2, 3, 3], [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]])
positions = torch.stack([torch.cat([torch.arange(int(n)) for n in row.unique(return_counts=True)[1]]) for row in segments])
ids = torch.randint(3, 40, segments.shape)
sees = (segments[:, :, None] == segments[:, None, :]) & torch.ones(10, 10).tril().bool()
result = {"ids": ids.int(), "positions": positions.int(), "segments": segments.int()}
for name in ("llama", "llama3", "gemma2", "phi", "gpt2-small"):
    folder = gpt2 if name.startswith("gpt2") else decoders / name
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    window = getattr(model.config, "sliding_window", None)
    mask = torch.zeros(2, 1, 10, 10).masked_fill(~sees[:, None], torch.finfo(torch.float32).min)
    masks = mask
    if name == "gemma2":
        near = torch.arange(10)[:, None] - torch.arange(10)[None] < window
        masks = {"full_attention": mask, "sliding_attention": mask.masked_fill(~near, torch.finfo(torch.float32).min)}
    with torch.no_grad():
        result[name] = model(input_ids=ids, attention_mask=masks, position_ids=positions).logits.contiguous()
safetensors.torch.save_file(result, root / "packed.safetensors")
(root / "packed.safetensors").chmod(0o644)
print({key: tuple(value.shape) for key, value in result.items()})
