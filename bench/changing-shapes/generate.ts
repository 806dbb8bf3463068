// nanoGPT's generation: the text grows by one token each step (`cat`), and is cropped to the block size.
//
//   node bench/changing-shapes/generate.ts [--epochs 4] [--tokens 100]
import { parseArgs } from 'node:util';
import { arange, cat, device, manualSeed, multinomial, nn, noGrad, type Tensor, tensor } from 'trenio';

const { values: options } = parseArgs({
  options: { epochs: { type: 'string', default: '4' }, tokens: { type: 'string', default: '100' } },
});
const [letters, block, width, heads] = [65, 64, 96, 4];
const [temperature, topK] = [0.8, 20];

class Attention extends nn.Module {
  project = new nn.Linear(width, 3 * width);
  out = new nn.Linear(width, width);

  override forward(x: Tensor): Tensor {
    const split = (part: Tensor): Tensor => part.unflatten(-1, [heads, -1]).transpose(1, 2);
    const [query, key, value] = this.project(x).chunk(3, -1).map(split);
    const mixed = nn.functional.scaledDotProductAttention(query!, key!, value!, { isCausal: true });
    return this.out(mixed.transpose(1, 2).flatten(2));
  }
}

class Block extends nn.Module {
  norm1 = new nn.LayerNorm(width);
  attention = new Attention();
  norm2 = new nn.LayerNorm(width);
  mlp = new nn.Sequential(new nn.Linear(width, 4 * width), new nn.GELU(), new nn.Linear(4 * width, width));

  override forward(x: Tensor): Tensor {
    x = x.add(this.attention(this.norm1(x)));
    return x.add(this.mlp(this.norm2(x)));
  }
}

class Gpt extends nn.Module {
  tokens = new nn.Embedding(letters, width);
  positions = new nn.Embedding(block, width);
  blocks = new nn.Sequential(new Block(), new Block(), new Block());
  norm = new nn.LayerNorm(width);
  head = new nn.Linear(width, letters);

  /** ids [B, T] → logits of the next token, [B, letters] */
  override forward(ids: Tensor): Tensor {
    const x = this.tokens(ids).add(this.positions(arange(ids.shape[1]!)));
    return this.head(this.norm(this.blocks(x)).at(':', -1));
  }

  /** ids [B, T] → [B, T + count] */
  generate(ids: Tensor, count: number): Tensor {
    for (let i = 0; i < count; i++) {
      const seen = ids.shape[1]! <= block ? ids : ids.at(':', `-${block}:`);
      let logits = this.forward(seen).div(temperature);
      const [best] = logits.topk(topK);
      logits = logits.maskedFill(logits.lt(best.at(':', [-1])), Number.NEGATIVE_INFINITY);
      const next = multinomial(logits.softmax(-1), 1);
      ids = cat([ids, next], 1);
    }
    return ids;
  }
}

manualSeed(1);
const model = new Gpt();
model.eval();
const ids = (text: Tensor): readonly number[] => text.flatten().toArray() as number[];
for (let epoch = 1; epoch <= Number(options.epochs); epoch++) {
  const start = tensor([[0]], { dtype: 'int64' });
  if (epoch === 1) console.log(`first token ${ids(noGrad(() => model.generate(start, 1)))}`);
  const text = ids(noGrad(() => model.generate(start, Number(options.tokens))));
  console.log(`epoch ${epoch}: ${text.length} tokens`);
}
console.log(`${device().metrics.compiles} programs compiled`);
