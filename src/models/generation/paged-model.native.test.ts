// Sequences that share steps have the tokens of `generate`, and the bits that they have alone.
import { expect, test } from 'vitest';
import { toNumbers } from '../../hlo/literal.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { PagedModel, type RowChoice } from './paged-model.ts';

const sizes = { positions: 96, blocks: 24, blockSize: 16, mostSequences: 4, mostTokens: 16, mostChoices: 4 } as const;
const greedy: RowChoice = { temperature: 0, topK: 0, topP: 1, minP: 0, typicalP: 1, seed: 1n, choice: 0 };
const random: RowChoice = { ...greedy, temperature: 1, topK: 40, topP: 0.95 };

const common = {
  vocab_size: 300,
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  max_position_embeddings: 128,
  initializer_range: 0.3,
};
const llama = { ...common, model_type: 'llama', intermediate_size: 96, num_key_value_heads: 2 };
const models = {
  'llama in bf16, with tied embeddings': { config: { ...llama, tie_word_embeddings: true }, dtype: 'bf16' },
  'gpt2, with learned positions': { config: { ...common, model_type: 'gpt2' }, dtype: 'f32' },
  'bloom, with biases by distance': { config: { ...common, model_type: 'bloom' }, dtype: 'f32' },
  'gemma2, with windows and soft caps': {
    config: {
      ...llama,
      model_type: 'gemma2',
      head_dim: 16,
      sliding_window: 8,
      attn_logit_softcapping: 5,
      final_logit_softcapping: 9,
      query_pre_attn_scalar: 16,
    },
    dtype: 'f32',
  },
} as const;

function modelOf(name: keyof typeof models): DecoderForCausalLM {
  setDefaultDevice(device('cpu'));
  manualSeed(4);
  const { config, dtype } = models[name];
  return new DecoderForCausalLM(config).to(dtype).eval();
}

interface Sequence {
  readonly ids: number[];
  readonly blocks: readonly number[];
  computed: number;
  readonly logprobs: number[];
  readonly choice: RowChoice;
}
/** One step over these sequences, with at most `chunk` tokens of each. */
async function step(paged: PagedModel, sequences: readonly Sequence[], chunk: number): Promise<void> {
  const parts = sequences.map(s => ({ s, from: s.computed, to: Math.min(s.ids.length, s.computed + chunk) }));
  const tokens = parts.flatMap(({ s, from, to }, i) =>
    s.ids.slice(from, to).map((id, n) => ({ id, position: from + n, sequence: i })),
  );
  const done = parts.filter(({ s, to }) => to === s.ids.length);
  const last = done.map(({ s, to }) => tokens.findIndex(t => sequences[t.sequence] === s && t.position === to - 1));
  const list = (of: (t: (typeof tokens)[number]) => number): Int32Array => Int32Array.from(tokens, of);
  const { ids, chosen } = paged.run(
    {
      ids: list(t => t.id),
      positions: list(t => t.position),
      sequences: list(t => t.sequence),
      tables: sequences.map(s => s.blocks),
      last: Int32Array.from(last),
    },
    done.map(({ s }) => s.choice),
    'chosen',
  );
  await ids.ready();
  const [next, logprobs] = [toNumbers(ids.literal()), toNumbers(chosen!.logprobs.literal())];
  for (const { s, to } of parts) s.computed = to;
  done.forEach(({ s }, i) => {
    s.ids.push(next[i]!);
    s.logprobs.push(logprobs[i]!);
  });
}
const sequence = (prompt: readonly number[], blocks: readonly number[], choice: RowChoice): Sequence => ({
  ids: [...prompt],
  blocks,
  computed: 0,
  logprobs: [],
  choice,
});
const prompts = [
  [1, 2, 3, 4, 5],
  Array.from({ length: 40 }, (_, i) => (i * 37) % 300),
  [7],
  Array.from({ length: 19 }, (_, i) => (i * 11) % 300),
];
const tables = [
  [3, 9, 1],
  [0, 5, 7, 2, 11, 4],
  [8, 6],
  [10, 12, 13],
];
const wanted = 8;

async function alone(model: DecoderForCausalLM, prompt: readonly number[], choice: RowChoice): Promise<Sequence> {
  const one = sequence(prompt, [0, 1, 2, 3, 4, 5], choice);
  const paged = pagedOf(model);
  while (one.logprobs.length < wanted) await step(paged, [one], 16);
  return one;
}
const pagedOf = (model: DecoderForCausalLM): PagedModel =>
  new PagedModel(model.generative(), { ...sizes, dtype: model.generative().dtype });

const names = Object.keys(models) as (keyof typeof models)[];

test.each(names)('%s: greedy tokens are those of generate', async name => {
  const model = modelOf(name);
  for (const prompt of prompts.slice(0, 1)) {
    const all = await model.generate(tensor([prompt], { dtype: 'i32' }), { maxNewTokens: wanted });
    expect((await alone(model, prompt, greedy)).ids).toEqual((all.toArray() as number[][])[0]);
  }
});

test.each(names)('%s: sequences together, in chunks, have the ids and the bits that they have alone', async name => {
  const model = modelOf(name);
  model.panelWeights();
  const choices = prompts.map((_, i) => ({ ...(i % 2 === 0 ? random : greedy), seed: BigInt(i) }));
  const expected: Sequence[] = [];
  for (const [i, prompt] of prompts.entries()) expected.push(await alone(model, prompt, choices[i]!));
  for (const chunk of [1, 7]) {
    const paged = pagedOf(model);
    const all = prompts.map((prompt, i) => sequence(prompt, tables[i]!, choices[i]!));
    // They start one after another.
    for (let turn = 0; all.some(s => s.logprobs.length < wanted); turn++) {
      const running = all.filter((s, i) => i <= turn && s.logprobs.length < wanted);
      await step(paged, running.slice(0, Math.min(4, Math.floor(16 / chunk))), chunk);
    }
    expect(all.map(s => s.ids)).toEqual(expected.map(s => s.ids));
    expect(all.map(s => s.logprobs)).toEqual(expected.map(s => s.logprobs));
  }
});
