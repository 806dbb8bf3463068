# Greedy decoding at batch 1 by transformers' generate, random weights. A peer for bench/generate.ts. Not part of the product.
import torch
import transformers
from protocol import serve, settings

torch.manual_seed(0)
torch.set_num_threads(settings["threads"])
config = transformers.AutoConfig.for_model(**settings["config"])
dtype = torch.bfloat16 if settings["dtype"] == "bf16" else torch.float32
model = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
model.generation_config.pad_token_id = 0
ids = torch.randint(3, 1000, (1, settings["prompt"]))


def tokens():
    with torch.no_grad():
        return model.generate(ids, max_new_tokens=settings["tokens"], min_new_tokens=settings["tokens"], do_sample=False)


serve(f"transformers {transformers.__version__}", lambda: float(tokens()[0, -1]))
