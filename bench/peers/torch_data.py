# PyTorch's DataLoader on the data of bench/data-loader.ts: epochs, timed. Images with Pillow; texts with the tokenizer of
# Hugging Face. Not part of the product.
import json
import os
import random
import sys
import time

import numpy
import torch
from torch.utils.data import DataLoader, Dataset

os.environ["TOKENIZERS_PARALLELISM"] = "false"
settings = json.loads(sys.argv[1])
torch.set_num_threads(1)


class Images(Dataset):
    def __init__(self, root):
        self.files = sorted(os.path.join(root, "a", name) for name in os.listdir(os.path.join(root, "a")))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        from PIL import Image

        with Image.open(self.files[i]) as image:
            image = image.convert("RGB")
        x, y = random.randint(0, image.width - 224), random.randint(0, image.height - 224)
        data = torch.from_numpy(numpy.array(image.crop((x, y, x + 224, y + 224))))
        return data.permute(2, 0, 1).float().div(255).sub(0.5).div(0.25).contiguous(), 0


class Texts(Dataset):
    def __init__(self, file, vocabulary):
        from tokenizers import BertWordPieceTokenizer

        self.lines = open(file).read().strip().split("\n")
        self.tokenizer = BertWordPieceTokenizer(vocabulary)
        self.tokenizer.enable_truncation(128)
        self.tokenizer.enable_padding(length=128)

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        text = json.loads(self.lines[i])["text"]
        return torch.tensor(self.tokenizer.encode(text).ids, dtype=torch.int32)


if settings["kind"] == "images":
    loader = DataLoader(Images(settings["images"]), batch_size=32, shuffle=True, num_workers=settings["numWorkers"])
else:
    loader = DataLoader(
        Texts(settings["jsonl"], settings["vocabulary"]), batch_size=64, num_workers=settings["numWorkers"]
    )
start = time.perf_counter()
for _ in range(settings["epochs"]):
    for _ in loader:
        pass
print(json.dumps({"seconds": (time.perf_counter() - start) / settings["epochs"]}))
