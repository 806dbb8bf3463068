# Seconds that torch.compile takes until the first BERT-base training step is done, with an empty cache, without creating the model.
# A peer for bench/compile.ts. Not part of the product.
import json
import os
import sys
import tempfile
import time

args = json.loads(sys.argv[1])
with tempfile.TemporaryDirectory() as cache:
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    model = BertForSequenceClassification(BertConfig(**args["config"]))
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    ids = torch.randint(0, args["config"]["vocab_size"], (args["batch"], args["sequence"]))
    mask = torch.ones_like(ids)
    labels = torch.randint(0, 2, (args["batch"],))
    start = time.perf_counter()
    compiled = torch.compile(model)
    loss = compiled(input_ids=ids, attention_mask=mask, labels=labels).loss
    loss.backward()
    optimizer.step()
    loss.item()
    print(time.perf_counter() - start)
