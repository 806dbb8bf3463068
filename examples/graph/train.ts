// Message passing over random graphs: do many edges of a colored graph join nodes of one color? Each batch joins its graphs into
// one, with another number of nodes and edges.
//
//   node examples/graph/train.ts [--epochs 8] [--graphs 640]
import { parseArgs } from 'node:util';
import { Adam, device, manualSeed, nn, noGrad, ones, type Tensor, tensor, zeros } from 'trenio';
import { countOf } from '../count-of.ts';
import { randomNumbers, shuffled } from '../random.ts';

const { values: options } = parseArgs({
  options: { epochs: { type: 'string', default: '8' }, graphs: { type: 'string', default: '640' } },
});
const epochs = countOf('--epochs', options.epochs);
const colors = 3;
const width = 32;
const batchSize = 32;

interface Graph {
  /** The color of each node. */
  readonly nodes: readonly number[];
  /** Both directions of each edge. */
  readonly edges: readonly (readonly [source: number, target: number])[];
  /** 1 if more than a third of the edges join nodes of one color. */
  readonly label: number;
}
function graphs(count: number, seed: number): readonly Graph[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const nodes = Array.from({ length: 8 + Math.floor(random() * 17) }, () => Math.floor(random() * colors));
    const pairs = nodes.flatMap((_, i) => nodes.slice(0, i).map((__, j) => [i, j] as const));
    const joined = pairs.filter(() => random() < 3 / nodes.length);
    const conflicts = joined.filter(([i, j]) => nodes[i] === nodes[j]);
    const edges = joined.flatMap(([i, j]) => [[i, j] as const, [j, i] as const]);
    return { nodes, edges, label: conflicts.length * 3 > joined.length ? 1 : 0 };
  });
}

/** N nodes and E edges of B graphs. */
interface Batch {
  /** [N] */
  readonly nodes: Tensor;
  /** [E] */
  readonly sources: Tensor;
  /** [E] */
  readonly targets: Tensor;
  /** The graph of each node, [N] */
  readonly graphOf: Tensor;
  /** [B] */
  readonly labels: Tensor;
}
const integers = (values: readonly number[]): Tensor => tensor(values, { dtype: 'int64' });
function batchOf(items: readonly Graph[]): Batch {
  const starts: number[] = [];
  let count = 0;
  for (const { nodes } of items) {
    starts.push(count);
    count += nodes.length;
  }
  const edges = items.flatMap((graph, i) => graph.edges.map(pair => pair.map(node => node + starts[i]!)));
  return {
    nodes: integers(items.flatMap(({ nodes }) => nodes)),
    sources: integers(edges.map(([source]) => source!)),
    targets: integers(edges.map(([, target]) => target!)),
    graphOf: integers(items.flatMap(({ nodes }, i) => nodes.map(() => i))),
    labels: integers(items.map(({ label }) => label)),
  };
}
function* batchesOf(items: readonly Graph[]): Generator<Batch> {
  for (let i = 0; i < items.length; i += batchSize) yield batchOf(items.slice(i, i + batchSize));
}

/** Each node gets the sum of what its neighbors send. */
class MessagePassing extends nn.Module {
  own = new nn.Linear(width, width);
  message = new nn.Linear(width, width, { bias: false });

  /** [N, width] → [N, width] */
  override forward(x: Tensor, sources: Tensor, targets: Tensor): Tensor {
    const messages = this.message(x).indexSelect(0, sources); // [E, width]
    const received = zeros(x.shape).indexAdd(0, targets, messages);
    return this.own(x).add(received).relu();
  }
}

class Classifier extends nn.Module {
  embedding = new nn.Embedding(colors, width);
  first = new MessagePassing();
  second = new MessagePassing();
  head = new nn.Sequential(new nn.Linear(width, width), new nn.ReLU(), new nn.Linear(width, 2));

  /** Logits [B, 2] */
  override forward({ nodes, sources, targets, graphOf, labels }: Batch): Tensor {
    let x = this.embedding(nodes);
    x = this.first(x, sources, targets);
    x = this.second(x, sources, targets);
    const graphCount = labels.shape[0]!;
    const index = graphOf.unsqueeze(1).expand(x.shape);
    const sums = zeros(graphCount, width).scatterAdd(0, index, x);
    const sizes = zeros(graphCount).indexAdd(0, graphOf, ones(x.shape[0]!));
    return this.head(sums.div(sizes.unsqueeze(1)));
  }
}

manualSeed(1);
const model = new Classifier();
const optimizer = new Adam(model.parameters(), { lr: 5e-3 });
const criterion = new nn.CrossEntropyLoss();
const count = countOf('--graphs', options.graphs);
const training = graphs(count, 1);
const test = graphs(count / 4, 2);
const order = randomNumbers(3);

for (let epoch = 1; epoch <= epochs; epoch++) {
  model.train();
  let total = 0;
  for (const batch of batchesOf(shuffled(training, order))) {
    optimizer.zeroGrad();
    const loss = criterion(model(batch), batch.labels);
    loss.backward();
    optimizer.step();
    if (epoch === 1 && total === 0) console.log(`first loss ${loss.item().toFixed(3)}`);
    total += loss.item() * batch.labels.shape[0]!;
  }
  model.eval();
  let right = 0;
  for (const batch of batchesOf(test)) {
    const found = noGrad(() => model(batch).argmax(1));
    right += found.eq(batch.labels).sum().item();
  }
  const accuracy = ((100 * right) / test.length).toFixed(1);
  console.log(`epoch ${epoch}: loss ${(total / count).toFixed(3)}, accuracy ${accuracy} %`);
}
console.log(`${device().metrics.compiles} programs compiled`);
