# One BERT-base classification training step in PyTorch, on demand: reads "step" lines, answers with milliseconds.
# A peer for bench/bert-base.ts, which interleaves it with Trenio's own steps. Not part of the product.
import json
import resource
import sys
import time

import torch
from transformers import BertConfig, BertForSequenceClassification

args = json.loads(sys.argv[1])
torch.manual_seed(0)
torch.set_num_threads(args["threads"])
model = BertForSequenceClassification(BertConfig(**args["config"]))
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
ids = torch.randint(0, args["config"]["vocab_size"], (args["batch"], args["sequence"]))
mask = torch.ones_like(ids)
labels = torch.randint(0, 2, (args["batch"],))


def step():
    optimizer.zero_grad()
    loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
    loss.backward()
    optimizer.step()
    return loss.item()


step()
print(json.dumps({"ready": torch.__version__}), flush=True)
for line in sys.stdin:
    if line.strip() != "step":
        break
    start = time.perf_counter()
    loss = step()
    ms = (time.perf_counter() - start) * 1e3
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"ms": ms, "loss": loss, "peakBytes": rss}), flush=True)
