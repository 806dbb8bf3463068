// An LSTM over sequences of different lengths, packed without padding: does the word A come before the word B? The lengths of
// each batch are different.
//
//   node examples/packed-lstm/train.ts [--epochs 8] [--sequences 640]
import { parseArgs } from 'node:util';
import { Adam, device, manualSeed, nn, noGrad, type Tensor, tensor } from 'trenio';
import { countOf } from '../count-of.ts';
import { randomNumbers, shuffled } from '../random.ts';

const { values: options } = parseArgs({
  options: { epochs: { type: 'string', default: '8' }, sequences: { type: 'string', default: '640' } },
});
const epochs = countOf('--epochs', options.epochs);
const words = 20;
const [padding, a, b] = [0, 1, 2];
const batchSize = 32;

interface Sequence {
  readonly ids: readonly number[];
  /** 1 if A comes before B. */
  readonly label: number;
}
function sequences(count: number, seed: number): readonly Sequence[] {
  const random = randomNumbers(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return Array.from({ length: count }, () => {
    const ids = Array.from({ length: 5 + below(36) }, () => 3 + below(words - 3));
    const first = below(ids.length - 1);
    const second = first + 1 + below(ids.length - first - 1);
    const label = below(2);
    ids[first] = label === 1 ? a : b;
    ids[second] = label === 1 ? b : a;
    return { ids, label };
  });
}

class Classifier extends nn.Module {
  embedding = new nn.Embedding(words, 16, { paddingIdx: padding });
  lstm = new nn.LSTM(16, 64, { batchFirst: true });
  head = new nn.Linear(64, 2);

  /** ids [B, T], the longest sequence first → logits [B, 2] */
  override forward(ids: Tensor, lengths: readonly number[]): Tensor {
    const packed = nn.utils.rnn.packPaddedSequence(this.embedding(ids), lengths, { batchFirst: true });
    const [, [hidden]] = this.lstm(packed);
    return this.head(hidden.at(-1));
  }
}

interface Batch {
  /** [B, the longest length] */
  readonly ids: Tensor;
  readonly lengths: readonly number[];
  readonly labels: Tensor;
}
/** Sorts by length, longest first, and pads to the longest. */
function batchOf(items: readonly Sequence[]): Batch {
  const sorted = items.toSorted((x, y) => y.ids.length - x.ids.length);
  const lengths = sorted.map(({ ids }) => ids.length);
  const padded = sorted.map(({ ids }) => [...ids, ...new Array<number>(lengths[0]! - ids.length).fill(padding)]);
  const labels = tensor(
    sorted.map(({ label }) => label),
    { dtype: 'int64' },
  );
  return { ids: tensor(padded, { dtype: 'int64' }), lengths, labels };
}
function* batchesOf(items: readonly Sequence[]): Generator<Batch> {
  for (let i = 0; i < items.length; i += batchSize) yield batchOf(items.slice(i, i + batchSize));
}

manualSeed(1);
const model = new Classifier();
const optimizer = new Adam(model.parameters(), { lr: 5e-3 });
const criterion = new nn.CrossEntropyLoss();
const count = countOf('--sequences', options.sequences);
const training = sequences(count, 1);
const test = sequences(count / 4, 2);
const order = randomNumbers(3);

for (let epoch = 1; epoch <= epochs; epoch++) {
  model.train();
  let total = 0;
  for (const { ids, lengths, labels } of batchesOf(shuffled(training, order))) {
    optimizer.zeroGrad();
    const loss = criterion(model(ids, lengths), labels);
    loss.backward();
    optimizer.step();
    if (epoch === 1 && total === 0) console.log(`first loss ${loss.item().toFixed(3)}`);
    total += loss.item() * labels.shape[0]!;
  }
  model.eval();
  let right = 0;
  for (const { ids, lengths, labels } of batchesOf(test)) {
    const found = noGrad(() => model(ids, lengths).argmax(1));
    right += found.eq(labels).sum().item();
  }
  const accuracy = ((100 * right) / test.length).toFixed(1);
  console.log(`epoch ${epoch}: loss ${(total / count).toFixed(3)}, accuracy ${accuracy} %`);
}
console.log(`${device().metrics.compiles} programs compiled`);
