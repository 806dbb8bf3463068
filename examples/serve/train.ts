// Trains the model that this example serves: a small Llama that writes product reviews when it is asked to, and two adapters, for
// brief ones and for ones that begin with a verdict. Everything is written in the files of transformers and of PEFT.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AdamW,
  AutoTokenizer,
  addAdapter,
  DecoderForCausalLM,
  type Module,
  manualSeed,
  nn,
  type Parameter,
  tensor,
} from 'trenio';
import { includedReviews } from '../bert-polarity/included.ts';
import { trainTokenizer } from './tokenizer.ts';

const special = ['<s>', '</s>', '<|user|>', '<|assistant|>'];
const template =
  "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}</s>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";
const length = 96;
const batch = 16;

interface Review {
  readonly isGood: boolean;
  readonly text: string;
}

async function reviews(): Promise<readonly Review[]> {
  const lines = readFileSync(join(await includedReviews(), 'train.csv'), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap(line => {
    const [, polarity, text] = /^"([12])","[^"]*","(.*)"$/.exec(line) ?? [];
    return text === undefined || text.length < 40 ? [] : [{ isGood: polarity === '2', text }];
  });
}

/** The reviews that an adapter learns to write. */
const styles: Readonly<Record<string, (review: Review) => Review>> = {
  brief: review => ({ ...review, text: /^.*?[.!?]/.exec(review.text)?.[0] ?? review.text }),
  verdict: review => ({ ...review, text: `${review.isGood ? 'Love it!' : 'A waste!'} ${review.text}` }),
};
export const adapterNames = Object.keys(styles);

/** Writes the model to `folder`, and the adapters to `folder`/adapters. */
export async function train(folder: string, steps: number): Promise<void> {
  const all = await reviews();
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: object): void =>
    writeFileSync(join(folder, name), JSON.stringify(content, null, 1));
  write(
    'tokenizer.json',
    trainTokenizer(
      all.map(({ text }) => text),
      special,
      1024,
    ),
  );
  write('tokenizer_config.json', {
    ...{ tokenizer_class: 'PreTrainedTokenizerFast', bos_token: '<s>', eos_token: '</s>' },
    ...{ model_max_length: 512, chat_template: template },
  });
  const tokenizer = await AutoTokenizer.fromPretrained(folder);
  const rows = (only: readonly Review[]): readonly (readonly number[])[] =>
    only.map(({ text }) => {
      // The product, if the review names one.
      const [, product] = /\b[Tt]he ([a-z]+(?: (?:machine|pan|drive|maker))?)\b/.exec(text) ?? [];
      const asked = product === undefined ? 'Write a review.' : `Write a review of the ${product}.`;
      return tokenizer.encode(`<|user|>${asked}</s><|assistant|>${text}</s>`).slice(0, length + 1);
    });
  manualSeed(1);
  const model = new DecoderForCausalLM({
    ...{ model_type: 'llama', vocab_size: 1024, hidden_size: 128, intermediate_size: 352, num_hidden_layers: 4 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 512, tie_word_embeddings: true },
    ...{ bos_token_id: 0, eos_token_id: 1 },
  });
  learn('model', model, model.parameters(), rows(all), steps);
  await model.savePretrained(folder);
  for (const [name, styled] of Object.entries(styles)) {
    const adapter = addAdapter(model, { r: 8, lora_alpha: 16, target_modules: 'all-linear' });
    learn(name, model, adapter.parameters(), rows(all.map(styled)), Math.ceil(steps / 3));
    await adapter.savePretrained(join(folder, 'adapters', name));
    adapter.remove();
  }
}

function learn(
  name: string,
  model: DecoderForCausalLM & Module,
  parameters: readonly Parameter[],
  rows: readonly (readonly number[])[],
  steps: number,
): void {
  const optimizer = new AdamW(parameters, { lr: 3e-3, weightDecay: 0.01 });
  const criterion = new nn.CrossEntropyLoss({ ignoreIndex: -100 });
  let seed = 7;
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % n;
  };
  model.train();
  for (let step = 1; step <= steps; step++) {
    const chosen = Array.from({ length: batch }, () => rows[below(rows.length)]!);
    const inputs = chosen.flatMap(row => Array.from({ length }, (_, i) => row[i] ?? 1));
    const labels = chosen.flatMap(row => Array.from({ length }, (_, i) => row[i + 1] ?? -100));
    const { logits } = model.forward(tensor(inputs, { dtype: 'int64' }).reshape(batch, length));
    const loss = criterion(logits.reshape(batch * length, -1), tensor(labels, { dtype: 'int64' }));
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
    if (step % 50 === 0 || step === steps)
      console.log(`${name}: step ${step} of ${steps}, loss ${loss.item().toFixed(3)}`);
  }
  model.eval();
}
