# examples/packed-lstm in PyTorch: `packed_lstm.py --epochs 8 --sequences 640`.
import argparse

import torch
from randoms import random_numbers, shuffled

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--sequences", type=int, default=640)
options = parser.parse_args()
WORDS, PADDING, A, B, BATCH = 20, 0, 1, 2, 32


def sequences(count, seed):
    random = random_numbers(seed)

    def below(end):
        return int(random() * end)

    made = []
    for _ in range(count):
        ids = [0] * (5 + below(36))
        ids = [3 + below(WORDS - 3) for _ in ids]
        first = below(len(ids) - 1)
        second = first + 1 + below(len(ids) - first - 1)
        label = below(2)
        ids[first], ids[second] = (A, B) if label == 1 else (B, A)
        made.append((ids, label))
    return made


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(WORDS, 16, padding_idx=PADDING)
        self.lstm = torch.nn.LSTM(16, 64, batch_first=True)
        self.head = torch.nn.Linear(64, 2)

    def forward(self, ids, lengths):
        packed = torch.nn.utils.rnn.pack_padded_sequence(self.embedding(ids), lengths, batch_first=True)
        _, (hidden, _) = self.lstm(packed)
        return self.head(hidden[-1])


def batch_of(items):
    items = sorted(items, key=lambda item: -len(item[0]))
    lengths = [len(ids) for ids, _ in items]
    ids = torch.tensor([ids + [PADDING] * (lengths[0] - len(ids)) for ids, _ in items])
    return ids, lengths, torch.tensor([label for _, label in items])


def batches_of(items):
    for i in range(0, len(items), BATCH):
        yield batch_of(items[i : i + BATCH])


torch.manual_seed(1)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = torch.nn.CrossEntropyLoss()
count = options.sequences
training, test = sequences(count, 1), sequences(count // 4, 2)
order = random_numbers(3)

for epoch in range(1, options.epochs + 1):
    model.train()
    total = 0.0
    for ids, lengths, labels in batches_of(shuffled(training, order)):
        optimizer.zero_grad()
        loss = criterion(model(ids, lengths), labels)
        loss.backward()
        optimizer.step()
        if epoch == 1 and total == 0:
            print(f"first loss {loss.item():.3f}", flush=True)
        total += loss.item() * len(labels)
    model.eval()
    right = 0
    for ids, lengths, labels in batches_of(test):
        with torch.no_grad():
            found = model(ids, lengths).argmax(1)
        right += found.eq(labels).sum().item()
    print(f"epoch {epoch}: loss {total / count:.3f}, accuracy {100 * right / len(test):.1f} %", flush=True)
