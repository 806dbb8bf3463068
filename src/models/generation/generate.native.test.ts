// Tokens of `generate` compared with transformers' (test/golden/generation.json, written by make-generation-golden.py), the
// effect of each option, and the number of compiled programs.
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { device, manualSeed, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { AutoModelForCausalLM, type CausalLM } from '../auto/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { type GenerateOptions, generationConfig } from './generate-options.ts';

interface Case {
  readonly kind: string;
  readonly ids: readonly (readonly number[])[];
  readonly mask: readonly (readonly number[])[];
  readonly eos: readonly number[];
  readonly options: Readonly<Record<string, never>>;
  readonly new: readonly (readonly number[])[];
}
const { cases } = JSON.parse(
  readFileSync(new URL('../../../test/golden/generation.json', import.meta.url), 'utf8'),
) as {
  readonly cases: Readonly<Record<string, readonly Case[]>>;
};

const integers = (rows: readonly (readonly number[])[]): Tensor => tensor(rows, { dtype: 'int32' });
const rowsOf = (ids: Tensor): number[][] => {
  const [numbers, width] = [toNumbers(ids.literal()), ids.shape[1]!];
  return Array.from({ length: ids.shape[0]! }, (_, i) => numbers.slice(i * width, (i + 1) * width));
};
/** Up to the first token that ends a sequence. */
const untilEnd = (row: readonly number[], ends: readonly number[]): readonly number[] => {
  const at = row.findIndex(token => ends.includes(token));
  return at < 0 ? row : row.slice(0, at + 1);
};
const camelCase = (options: Case['options']): GenerateOptions =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
const folderOf = (name: string): string => goldenPath(name.startsWith('gpt2') ? name : `decoders/${name}`);

async function expectTokens(model: CausalLM, one: Case): Promise<void> {
  const { ids, mask, eos, options } = one;
  const inputs = { inputIds: integers(ids), attentionMask: integers(mask) };
  const result = await model.generate(inputs, { ...camelCase(options), eosTokenId: eos, padTokenId: 0 });
  const got = rowsOf(result).map(row => untilEnd(row.slice(ids[0]!.length), eos));
  expect(got, one.kind).toEqual(one.new);
}

beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(Object.keys(cases))('%s generates the tokens of transformers', async name => {
  const model = await AutoModelForCausalLM.fromPretrained(folderOf(name));
  for (const one of cases[name]!) await expectTokens(model, one);
});
// Compiling takes seconds: one of each kind.
test.each([
  ['gemma3', 'greedy'],
  ['gpt2-small', 'beams'],
])('compiled, %s generates the tokens of transformers: %s', async (name, kind) => {
  setDefaultDevice(device('cpu'));
  const model = await AutoModelForCausalLM.fromPretrained(folderOf(name));
  await expectTokens(model, cases[name]!.findLast(one => one.kind === kind)!);
});

describe('options', () => {
  const sizes = { vocab_size: 20, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
  const tiny = (fields: object = {}): DecoderForCausalLM => {
    manualSeed(3);
    return new DecoderForCausalLM({ model_type: 'llama', ...sizes, initializer_range: 0.5, ...fields });
  };
  const prompt = (): Tensor => integers([[3, 4, 5]]);
  const tokens = async (model: DecoderForCausalLM, options: GenerateOptions): Promise<number[]> =>
    Array.fromAsync(model.generateStream(prompt(), options));

  test('the seed and the row determine the sampled tokens', async () => {
    const model = tiny();
    const options = { doSample: true, maxNewTokens: 12, temperature: 2, topK: 0 };
    const once = await tokens(model, { ...options, seed: 1 });
    expect(await tokens(model, { ...options, seed: 1 })).toEqual(once);
    expect(await tokens(model, { ...options, seed: 2 })).not.toEqual(once);
    const both = rowsOf(await model.generate(prompt(), { ...options, seed: 1, numReturnSequences: 2 }));
    expect(both[0]!.slice(3)).toEqual(once);
    expect(both[1]).not.toEqual(both[0]);
  });
  test('sampling from a single candidate is greedy', async () => {
    const model = tiny();
    const greedy = await tokens(model, { maxNewTokens: 6 });
    for (const one of [{ topK: 1 }, { topP: 1e-9, topK: 0 }, { minP: 1, topK: 0 }, { temperature: 1e-4 }])
      expect(await tokens(model, { maxNewTokens: 6, doSample: true, ...one }), JSON.stringify(one)).toEqual(greedy);
  });
  test('large presence and frequency penalties prevent repetition', async () => {
    const model = tiny();
    for (const penalty of [{ presencePenalty: 1e6 }, { frequencyPenalty: 1e6 }]) {
      const found = await tokens(model, { maxNewTokens: 15, ...penalty });
      expect(new Set(found).size).toBe(15);
    }
  });
  test('a stop string that spans tokens ends a sequence', async () => {
    const model = tiny();
    const tokenizer = { decode: (ids: Iterable<number>): string => [...ids].map(id => `<${id}>`).join('') };
    const all = await tokens(model, { maxNewTokens: 10 });
    const stop = `${all[3]}><${all[4]}`;
    const text = tokenizer.decode(all.slice(0, 5));
    const found = await tokens(model, { maxNewTokens: 10, stopStrings: stop, tokenizer });
    expect(tokenizer.decode(found)).toBe(text.slice(0, text.indexOf(stop) + stop.length + 1));
    await expect(tokens(model, { stopStrings: 'x' })).rejects.toThrow('tokenizer is not set');
  });
  test('generation runs in evaluation mode and restores the mode', async () => {
    const model = tiny({ attention_dropout: 0.5, attention_bias: true }).train();
    const first = await tokens(model, { maxNewTokens: 8 });
    expect(model.training).toBe(true);
    expect(await tokens(model.eval(), { maxNewTokens: 8 })).toEqual(first);
  });
  test('padding may be on either side', async () => {
    const model = tiny();
    const alone = rowsOf(await model.generate(prompt(), { maxNewTokens: 5 }))[0]!.slice(3);
    const ids = integers([
      [3, 4, 5, 0, 0],
      [0, 0, 3, 4, 5],
    ]);
    for (const row of rowsOf(await model.generate(ids, { maxNewTokens: 5, padTokenId: 0 })))
      expect(row.slice(5)).toEqual(alone);
  });
  test('generation stops at the last position', async () => {
    expect(await tokens(tiny({ max_position_embeddings: 8 }), { maxNewTokens: 50 })).toHaveLength(5);
  });
  test('changed weights take effect', async () => {
    const model = tiny();
    await tokens(model, { maxNewTokens: 4 });
    model.lm_head!.weight.assign_(model.lm_head!.weight.mul(-1));
    const changed = await tokens(model, { maxNewTokens: 4 });
    const fresh = tiny();
    fresh.lm_head!.weight.assign_(fresh.lm_head!.weight.mul(-1));
    expect(changed).toEqual(await tokens(fresh, { maxNewTokens: 4 }));
  });
  test('an aborted signal rejects generation', async () => {
    const controller = new AbortController();
    const found: number[] = [];
    const reading = (async () => {
      for await (const token of tiny().generateStream(prompt(), { maxNewTokens: 50, signal: controller.signal }))
        if (found.push(token) === 3) controller.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(found).toHaveLength(3);
  });

  test.each<[GenerateOptions, string]>([
    [{ maxNewToken: 3 } as never, 'maxNewToken'],
    [{ maxNewTokens: 0 }, 'maxNewTokens is 0, expected 1 or more'],
    [{ maxLength: 3 }, 'maxLength is 3, expected more than the 3 tokens'],
    [{ doSample: true, temperature: 0 }, 'temperature is 0, expected above 0, with doSample'],
    [{ doSample: true, topK: -1 }, 'topK is -1'],
    [{ numBeams: 2 }, 'beam search cannot stream'],
    [{ numBeams: 2, doSample: true }, 'sampling in beam search is not supported'],
    [{ numReturnSequences: 2 }, 'numReturnSequences is 2, expected at most numBeams, 1'],
    [{ seed: -1 }, 'seed is -1'],
  ])('invalid options: %j', async (options, message) => {
    await expect(tokens(tiny(), options)).rejects.toThrow(message);
  });
  test('values that only sampling uses, and ids of no token, do not disturb other ways to choose tokens', async () => {
    const plain = await tokens(tiny(), { maxNewTokens: 4 });
    const file = { temperature: 0, top_k: -1, top_p: 2, typical_p: 0.5, bad_words_ids: [], no_repeat_ngram_size: -1 };
    const config = generationConfig({ ...file, suppress_tokens: [-1], eos_token_id: -1, pad_token_id: -1 });
    const model = tiny();
    model.generationConfig = config;
    expect(await tokens(model, { maxNewTokens: 4 })).toEqual(plain);
    await expect(tokens(model, { doSample: true, temperature: 1, topK: 5 })).rejects.toThrow('typical_p is 0.5');
    expect(() => generationConfig({ guidance_scale: 2 })).toThrow('guidance_scale');
  });
  test('invalid prompts are errors', async () => {
    const model = tiny({ max_position_embeddings: 4 });
    await expect(model.generate(integers([[1, 2, 3, 4, 5]]))).rejects.toThrow(
      'has 5 tokens, but the model has 4 positions',
    );
    await expect(model.generate(integers([[1, 20]]))).rejects.toThrow('token 20 is out of range');
    await expect(model.generate(integers([[0, 0]]), { padTokenId: 0 })).rejects.toThrow('empty in row 0');
    await expect(model.generate(tensor([1, 2]))).rejects.toThrow('token ids of a batch');
  });
});

test('a generation compiles nothing after its second token, at any position of its cache', async () => {
  const on = device('cpu');
  setDefaultDevice(on);
  const model = new DecoderForCausalLM({
    model_type: 'llama',
    vocab_size: 40,
    hidden_size: 8,
    intermediate_size: 16,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    max_position_embeddings: 512,
  }).eval();
  const counts: number[] = [];
  // Positions 5 to 305: past every length of a chunk or a cache up to 256.
  for await (const _ of model.generateStream(integers([[3, 4, 5, 6, 7]]), { maxNewTokens: 300, minNewTokens: 300 }))
    counts.push(on.history.length);
  expect(counts).toHaveLength(300);
  expect(new Set(counts.slice(1)).size).toBe(1);
});

test('later prompts of other lengths compile nothing', async () => {
  const on = device('cpu');
  setDefaultDevice(on);
  const model = await AutoModelForCausalLM.fromPretrained(folderOf('llama'));
  const generate = (length: number, maxNewTokens: number): Promise<Tensor> =>
    model.generate(integers([Array.from({ length }, (_, i) => 3 + (i % 30))]), { maxNewTokens });
  await generate(5, 2);
  const programs = on.history.length;
  for (const [length, more] of [
    [3, 25],
    [8, 6],
    [1, 27],
  ] as const)
    await generate(length, more);
  expect(on.history.length).toBe(programs);
});
