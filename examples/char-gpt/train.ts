// A small GPT that learns to write product reviews, letter by letter, and then writes some.
//
//   node examples/char-gpt/train.ts [--steps 400] [--file TEXT]
//
// The text grows during generation, but the model always sees a window of the same length, padded on the right, so the program
// that computes the next letter is compiled once.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AdamW, arange, manualSeed, multinomial, nn, noGrad, type Tensor, tensor } from 'trenio';
import { includedReviews } from '../bert-polarity/included.ts';
import { countOf } from '../count-of.ts';

const { values: options } = parseArgs({
  options: { steps: { type: 'string', default: '400' }, file: { type: 'string' } },
});
const steps = countOf('--steps', options.steps);
const corpus = options.file ?? `${await includedReviews()}/train.csv`;
const text = readFileSync(corpus, 'utf8').slice(0, 400_000);
const letters = [...new Set(text)].sort();
const idOf = new Map(letters.map((letter, id) => [letter, id]));
const ids = Int32Array.from(text, letter => idOf.get(letter)!);

const window = 64;
const batch = 16;
const width = 96;

const heads = 4;

class CausalAttention extends nn.Module {
  project = new nn.Linear(width, 3 * width);
  out = new nn.Linear(width, width);

  override forward(x: Tensor): Tensor {
    const split = (part: Tensor): Tensor => part.unflatten(-1, [heads, -1]).transpose(1, 2); // [B, heads, window, E]
    const [query, key, value] = this.project(x).chunk(3, -1).map(split);
    const mixed = nn.functional.scaledDotProductAttention(query!, key!, value!, { isCausal: true });
    return this.out(mixed.transpose(1, 2).flatten(2));
  }
}

class Block extends nn.Module {
  norm1 = new nn.LayerNorm(width);
  attention = new CausalAttention();
  norm2 = new nn.LayerNorm(width);
  mlp = new nn.Sequential(new nn.Linear(width, 4 * width), new nn.GELU(), new nn.Linear(4 * width, width));

  override forward(x: Tensor): Tensor {
    x = x.add(this.attention(this.norm1(x)));
    return x.add(this.mlp(this.norm2(x)));
  }
}

class CharGpt extends nn.Module {
  tokens = new nn.Embedding(letters.length, width);
  positions = new nn.Embedding(window, width);
  blocks = new nn.Sequential(new Block(), new Block(), new Block());
  norm = new nn.LayerNorm(width);
  head = new nn.Linear(width, letters.length);

  /** ids [B, window] → logits [B, window, letters] */
  override forward(input: Tensor): Tensor {
    const x = this.tokens(input).add(this.positions(arange(window)));
    return this.head(this.norm(this.blocks(x)));
  }
}

manualSeed(1);
const model = new CharGpt();
const optimizer = new AdamW(model.parameters(), { lr: 3e-3, weightDecay: 0.01 });
const criterion = new nn.CrossEntropyLoss();

let seed = 1;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return seed % below;
};
for (let step = 1; step <= steps; step++) {
  const starts = Array.from({ length: batch }, () => random(ids.length - window - 1));
  const windows = (shift: number): Tensor =>
    tensor(
      starts.map(start => [...ids.subarray(start + shift, start + shift + window)]),
      { dtype: 'int32' },
    );
  const logits = model(windows(0));
  const loss = criterion(logits.reshape(batch * window, letters.length), windows(1).reshape(batch * window));
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  if (step % 50 === 0) console.log(`step ${step}: loss ${loss.item().toFixed(3)}`);
}

model.eval();
const written = [...'The '].map(letter => idOf.get(letter) ?? 0);
while (written.length < 240) {
  const seen = written.slice(-window);
  const padded = Int32Array.from({ length: window }, (_, i) => seen[i] ?? 0);
  const logits = noGrad(() => model(tensor(padded).reshape(1, window)));
  const next = logits.at(0, seen.length - 1).softmax(-1);
  written.push(multinomial(next, 1).item());
}
console.log(written.map(id => letters[id]).join(''));
