# examples/graph in PyTorch: `graph.py --epochs 8 --graphs 640`.
import argparse

import torch
from randoms import random_numbers, shuffled

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--graphs", type=int, default=640)
options = parser.parse_args()
COLORS, WIDTH, BATCH = 3, 32, 32


def graphs(count, seed):
    random = random_numbers(seed)
    made = []
    for _ in range(count):
        size = 8 + int(random() * 17)
        nodes = [int(random() * COLORS) for _ in range(size)]
        joined = [(i, j) for i in range(size) for j in range(i) if random() < 3 / size]
        conflicts = sum(nodes[i] == nodes[j] for i, j in joined)
        edges = [pair for i, j in joined for pair in ((i, j), (j, i))]
        made.append((nodes, edges, int(conflicts * 3 > len(joined))))
    return made


def batch_of(items):
    nodes, sources, targets, graph_of = [], [], [], []
    for index, (colors, edges, _) in enumerate(items):
        start = len(nodes)
        nodes += colors
        sources += [source + start for source, _ in edges]
        targets += [target + start for _, target in edges]
        graph_of += [index] * len(colors)
    return *map(torch.tensor, (nodes, sources, targets, graph_of)), torch.tensor([label for _, _, label in items])


def batches_of(items):
    for i in range(0, len(items), BATCH):
        yield batch_of(items[i : i + BATCH])


class MessagePassing(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.own = torch.nn.Linear(WIDTH, WIDTH)
        self.message = torch.nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, sources, targets):
        messages = self.message(x).index_select(0, sources)
        received = torch.zeros(x.shape).index_add(0, targets, messages)
        return (self.own(x) + received).relu()


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(COLORS, WIDTH)
        self.first, self.second = MessagePassing(), MessagePassing()
        self.head = torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, 2))

    def forward(self, nodes, sources, targets, graph_of, labels):
        x = self.embedding(nodes)
        x = self.first(x, sources, targets)
        x = self.second(x, sources, targets)
        index = graph_of.unsqueeze(1).expand(x.shape)
        sums = torch.zeros(len(labels), WIDTH).scatter_add(0, index, x)
        sizes = torch.zeros(len(labels)).index_add(0, graph_of, torch.ones(x.shape[0]))
        return self.head(sums / sizes.unsqueeze(1))


torch.manual_seed(1)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = torch.nn.CrossEntropyLoss()
count = options.graphs
training, test = graphs(count, 1), graphs(count // 4, 2)
order = random_numbers(3)

for epoch in range(1, options.epochs + 1):
    model.train()
    total = 0.0
    for batch in batches_of(shuffled(training, order)):
        labels = batch[-1]
        optimizer.zero_grad()
        loss = criterion(model(*batch), labels)
        loss.backward()
        optimizer.step()
        if epoch == 1 and total == 0:
            print(f"first loss {loss.item():.3f}", flush=True)
        total += loss.item() * len(labels)
    model.eval()
    right = 0
    for batch in batches_of(test):
        with torch.no_grad():
            found = model(*batch).argmax(1)
        right += found.eq(batch[-1]).sum().item()
    print(f"epoch {epoch}: loss {total / count:.3f}, accuracy {100 * right / len(test):.1f} %", flush=True)
