# bench/changing-shapes/generate.ts in PyTorch: `generate.py --epochs 4 --tokens 100`.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--tokens", type=int, default=100)
options = parser.parse_args()
LETTERS, BLOCK, WIDTH, HEADS = 65, 64, 96, 4
TEMPERATURE, TOP_K = 0.8, 20


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(WIDTH, 3 * WIDTH)
        self.out = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        query, key, value = (part.unflatten(-1, [HEADS, -1]).transpose(1, 2) for part in self.project(x).chunk(3, -1))
        mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.out(mixed.transpose(1, 2).flatten(2))


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.GELU(), torch.nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Gpt(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = torch.nn.Embedding(LETTERS, WIDTH), torch.nn.Embedding(BLOCK, WIDTH)
        self.blocks = torch.nn.Sequential(Block(), Block(), Block())
        self.norm, self.head = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, LETTERS)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        return self.head(self.norm(self.blocks(x))[:, -1])

    def generate(self, ids, count):
        for _ in range(count):
            seen = ids if ids.shape[1] <= BLOCK else ids[:, -BLOCK:]
            logits = self(seen) / TEMPERATURE
            best, _ = logits.topk(TOP_K)
            logits = logits.masked_fill(logits < best[:, [-1]], float("-inf"))
            following = torch.multinomial(logits.softmax(-1), 1)
            ids = torch.cat([ids, following], 1)
        return ids


torch.manual_seed(1)
model = Gpt().eval()
for epoch in range(1, options.epochs + 1):
    start = torch.tensor([[0]])
    with torch.no_grad():
        if epoch == 1:
            print(f"first token {model.generate(start, 1).flatten().tolist()}", flush=True)
        text = model.generate(start, options.tokens).flatten().tolist()
    print(f"epoch {epoch}: {len(text)} tokens", flush=True)
