# Training steps (AdamW) or forward passes of a workload in PyTorch, eager or compiled, f32 or bf16 autocast.
# A peer for bench/bert-base.ts, models.ts and inference.ts. Not part of the product.
import torch
from protocol import serve, settings

torch.manual_seed(0)
torch.set_num_threads(settings["threads"])
workload, config = settings["workload"], settings.get("config", {})
batch, train = settings["batch"], settings["train"]


def build():
    """The model, and its loss (or, for inference, a sum of its logits) as a function of nothing."""
    if workload == "mlp":
        sizes = settings["sizes"]
        layers = []
        for inputs, outputs in zip(sizes, sizes[1:]):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        model = torch.nn.Sequential(*layers[:-1])
        x = torch.randn(batch, sizes[0])
        labels = torch.randint(0, sizes[-1], (batch,))
        return model, lambda m: torch.nn.functional.cross_entropy(m(x), labels)
    import transformers

    if workload == "vit":
        model = transformers.ViTForImageClassification(transformers.ViTConfig(**config))
        images, labels = torch.randn(batch, 3, 224, 224), torch.randint(0, config["num_labels"], (batch,))
        return model, lambda m: m(pixel_values=images, labels=labels).loss
    if workload == "whisper":
        model = transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(**config))
        audio, labels = torch.randn(batch, 80, 3000), torch.randint(0, 50000, (batch, settings["sequence"]))
        return model, lambda m: m(input_features=audio, labels=labels, use_cache=False).loss
    if workload == "clip":
        model = transformers.CLIPModel(transformers.CLIPConfig())
        images = torch.randn(batch, 3, 224, 224)
        ids = torch.randint(0, 49000, (batch, settings["sequence"]))
        ids[:, -1] = 49407  # the end token
        return model, lambda m: m(input_ids=ids, pixel_values=images, return_loss=True).loss
    if workload == "llama":
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**config, use_cache=False))
        ids = torch.randint(0, config["vocab_size"], (batch, settings["sequence"]))
        return model, lambda m: m(input_ids=ids, labels=ids).loss
    ids = torch.randint(0, config["vocab_size"], (batch, settings["sequence"]))
    if workload == "gpt2":
        model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**config, use_cache=False))
        return model, lambda m: m(input_ids=ids, labels=ids).loss
    model = transformers.BertForSequenceClassification(transformers.BertConfig(**config))
    mask = torch.ones_like(ids)
    if not train:
        return model, lambda m: m(input_ids=ids, attention_mask=mask).logits.sum()
    labels = torch.randint(0, 2, (batch,))
    return model, lambda m: m(input_ids=ids, attention_mask=mask, labels=labels).loss


model, forward = build()
model.train(train)
called = torch.compile(model) if settings["compile"] else model
bf16 = settings["dtype"] == "bf16"
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True) if train else None


def step():
    if not train:
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            return forward(called).item()
    optimizer.zero_grad()
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        loss = forward(called)
    loss.backward()
    optimizer.step()
    return loss.item()


mode = "compiled" if settings["compile"] else "eager"
serve(f"PyTorch {torch.__version__.split('+')[0]} {mode}{' bf16 autocast' if bf16 else ''}", step)
