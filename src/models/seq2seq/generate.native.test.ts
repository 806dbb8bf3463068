// Tokens that encoder–decoders generate, compared with transformers' (test/golden/seq2seq-generation.json, written by
// make-seq2seq-generation-golden.py); streaming, sampling, the number of compiled programs, and invalid inputs.
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { device, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import type { GenerationConfig } from '../generation/generate-options.ts';
import type { Seq2SeqGenerateInputs, Seq2SeqGenerateOptions } from './generation-inputs.ts';
import { Seq2SeqForConditionalGeneration } from './seq2seq.ts';

interface Case {
  readonly kind: string;
  readonly ids?: readonly (readonly number[])[];
  readonly mask?: readonly (readonly number[])[];
  readonly features?: readonly number[];
  readonly config?: GenerationConfig;
  readonly eos?: readonly number[];
  readonly options: Readonly<Record<string, never>>;
  readonly new: readonly (readonly number[])[];
}
const { cases } = JSON.parse(
  readFileSync(new URL('../../../test/golden/seq2seq-generation.json', import.meta.url), 'utf8'),
) as {
  readonly cases: Readonly<Record<string, readonly Case[]>>;
};

const integers = (rows: readonly (readonly number[])[]): Tensor => tensor(rows, { dtype: 'int32' });
const rowsOf = (ids: Tensor): number[][] => {
  const [numbers, width] = [toNumbers(ids.literal()), ids.shape[1]!];
  return Array.from({ length: ids.shape[0]! }, (_, i) => numbers.slice(i * width, (i + 1) * width));
};
const untilEnd = (row: readonly number[], ends: readonly number[]): readonly number[] => {
  const at = row.findIndex(token => ends.includes(token));
  return at < 0 ? row : row.slice(0, at + 1);
};
const load = (name: string) => Seq2SeqForConditionalGeneration.fromPretrained(goldenPath(`seq2seq/${name}`));

function callOf({ ids, mask, features, eos, options }: Case): [Seq2SeqGenerateInputs, Seq2SeqGenerateOptions] {
  const { decoder_input_ids: decoder, ...rest } = options;
  const named = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name.replace(/_(.)/g, (_, c: string) => c.toUpperCase()), value]),
  );
  if (features !== undefined) return [{ inputFeatures: tensor([...features]).reshape(2, 6, 20) }, named];
  const inputs = { inputIds: integers(ids!), attentionMask: integers(mask!) };
  return [
    decoder === undefined ? inputs : { ...inputs, decoderInputIds: integers(decoder) },
    { ...named, eosTokenId: eos },
  ];
}

async function expectTokens(model: Seq2SeqForConditionalGeneration, one: Case): Promise<void> {
  if (one.config !== undefined) model.generationConfig = one.config;
  const result = rowsOf(await model.generate(...callOf(one)));
  // The oracle's tokens of Whisper include the first ones.
  const skip =
    one.features === undefined ? 1 + ((one.options.decoder_input_ids?.[0] as unknown as number[])?.length ?? 0) : 0;
  expect(
    result.map(row => untilEnd(row.slice(skip), one.eos ?? [1])),
    one.kind,
  ).toEqual(one.new);
}

beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(Object.keys(cases))('%s generates the tokens of transformers', async name => {
  const model = await load(name);
  for (const one of cases[name]!) await expectTokens(model, one);
});
// Compiling takes seconds: one of each kind.
test.each([
  ['t5', 'beams'],
  ['whisper', 'detected'],
])('compiled, %s generates the tokens of transformers: %s', async (name, kind) => {
  setDefaultDevice(device('cpu'));
  await expectTokens(await load(name), cases[name]!.find(one => one.kind === kind)!);
});

test('tokens are streamed, and later sources of other lengths compile nothing', async () => {
  const on = device('cpu');
  setDefaultDevice(on);
  const model = await load('bart');
  const options = { maxNewTokens: 6, eosTokenId: 39, forcedEosTokenId: 9 };
  const source = (length: number): Tensor => integers([Array.from({ length }, (_, i) => 3 + (i % 30))]);
  const all = rowsOf(await model.generate(source(5), options))[0]!;
  const programs = on.history.length;
  expect(await Array.fromAsync(model.generateStream(source(5), options))).toEqual(all.slice(1));
  expect(all.at(-1)).toBe(9);
  for (const length of [3, 8, 1]) await model.generate(source(length), { maxNewTokens: 15 });
  expect(on.history.length).toBe(programs);
});

test('the seed determines sampled tokens', async () => {
  const model = await load('t5');
  const options = { doSample: true, maxNewTokens: 9, temperature: 2, topK: 0 };
  const sample = async (seed: number) => rowsOf(await model.generate(integers([[5, 6, 7]]), { ...options, seed }));
  expect(await sample(1)).toEqual(await sample(1));
  expect(await sample(2)).not.toEqual(await sample(1));
});

test('inputs and options that do not fit are errors', async () => {
  const [bart, whisper] = [await load('bart'), await load('whisper')];
  const ids = (length: number) => integers([new Array<number>(length).fill(3)]);
  await expect(bart.generate(ids(25))).rejects.toThrow('has 25 tokens, but the model has 24 positions');
  await expect(bart.generate({ inputIds: ids(3), attentionMask: ids(4) })).rejects.toThrow(
    'the attention mask has the',
  );
  await expect(bart.generate(integers([[3, 40]]))).rejects.toThrow('token 40 is out of range');
  await expect(bart.generate(ids(3), { language: 'en' })).rejects.toThrow('this model reads text');
  await expect(whisper.generate({ inputIds: ids(3) })).rejects.toThrow('give inputFeatures');
  const features = tensor(new Float32Array(120), { shape: [1, 6, 20] });
  await expect(whisper.generate(features, { language: 'en' })).rejects.toThrow('a multilingual model');
  whisper.generationConfig = cases.whisper!.find(({ kind }) => kind === 'detected')!.config!;
  await expect(whisper.generate(features, { language: 'ens' })).rejects.toThrow(
    'language is ens, expected one of <|en|>',
  );
});
