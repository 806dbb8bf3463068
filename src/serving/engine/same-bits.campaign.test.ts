// Generations of a real model have the ids and the log-probabilities that they have alone: among others, with little room in
// steps and in the pool, from a warm cache, with drafts, and with adapters beside other adapters.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { addAdapter } from '../../models/adapters/adapter.ts';
import { quantizeWeights } from '../../models/adapters/quantized-linear.ts';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { randomFraction } from '../../models/generation/sample-token.ts';
import { device, manualSeed, setDefaultDevice } from '../../tensor/index.ts';
import { DecoderStep } from './decoder-step.ts';
import type { GenerationEvent } from './generation.ts';
import { PagedEngine, type PagedEngineOptions } from './paged-engine.ts';
import { type Asked, requestOf } from './same-tokens.testing.ts';
import type { StepModel } from './step-model.ts';

const sizes = { blocks: 160, blockSize: 16, mostSequences: 16, mostTokens: 64, positions: 192 };
const steps = new Map<string, DecoderStep>();
const folder = mkdtempSync(join(tmpdir(), 'trenio-same-bits-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  setDefaultDevice(device('cpu'));
  for (const kind of ['f32', 'bf16', 'q8_0', 'q4_0'] as const) {
    const quantization = kind === 'f32' || kind === 'bf16' ? undefined : kind;
    const dtype = kind === 'bf16' ? 'bf16' : 'f32';
    manualSeed(7);
    const model = new DecoderForCausalLM({
      model_type: 'llama',
      vocab_size: 320,
      hidden_size: 64,
      intermediate_size: 160,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      max_position_embeddings: 192,
      tie_word_embeddings: kind === 'bf16' || kind === 'q4_0',
      initializer_range: 0.25,
    });
    model.to(dtype).eval();
    if (quantization !== undefined) quantizeWeights(model, quantization);
    expect(model.panelWeights(quantization)).toEqual([]);
    steps.set(kind, new DecoderStep(model, { ...sizes, dtype, adapters: { count: 3, rank: 8 } }));
    for (const slot of [0, 1, 2]) {
      const other = new DecoderForCausalLM(model.config);
      const options = { r: 8 >> slot, target_modules: slot === 1 ? ['q_proj', 'up_proj'] : 'all-linear' };
      await addAdapter(other, { ...options, init_lora_weights: false }).savePretrained(join(folder, `${slot}`));
      await steps.get(kind)!.adapters!.load(slot, join(folder, `${slot}`), () => {});
    }
  }
}, 600_000);

/** A part of a model's pool, and of the room in its steps. */
const limited = (step: DecoderStep, limits: Partial<StepModel>): StepModel => ({
  ...sizes,
  vocabulary: step.vocabulary,
  ...limits,
  padded: tokens => step.padded(tokens),
  run: parts => step.run(parts),
});

interface Answer {
  readonly ids: readonly number[];
  readonly logprobs: readonly (number | undefined)[];
}
async function answersOf(events: AsyncIterable<GenerationEvent>): Promise<readonly Answer[]> {
  const answers: { ids: number[]; logprobs: (number | undefined)[] }[] = [];
  for await (const { choice, tokens } of events) {
    answers[choice] ??= { ids: [], logprobs: [] };
    answers[choice].ids.push(...tokens.map(({ id }) => id));
    answers[choice].logprobs.push(...tokens.map(({ logprob }) => logprob));
  }
  return answers;
}

/** A random request; prompts begin alike, and some repeat themselves. */
function asked(seed: number): Asked {
  let draws = 0;
  const below = (n: number): number => Math.floor(randomFraction(seed, 0, draws++) * n);
  const [start, period, length] = [below(3), [1000, 5, 11][below(3)]!, 1 + below(90)];
  const prompt = Array.from({ length }, (_, i) => (start * 131 + (i % period) * 37) % 320);
  const sampling = {
    temperature: [0, 1, 0.6][below(3)]!,
    topK: [0, 8][below(2)]!,
    topP: [1, 0.8][below(2)]!,
    presencePenalty: [0, 0, 1.2][below(3)]!,
    repetitionPenalty: [1, 1, 1.3][below(3)]!,
    maxTokens: 1 + below(24),
    n: 1 + below(2),
    seed: BigInt(below(1000)),
    // Two tokens repeat themselves: drafts are right.
    allowedIds: [undefined, [3, 40]][below(2)],
    logprobs: 0,
  };
  const slot = below(4);
  const adapter = slot === 3 ? undefined : { name: `${slot}`, directory: '', slot, key: `${slot}` };
  return { prompt, sampling, adapter };
}

const settings: readonly (readonly [Partial<StepModel>, PagedEngineOptions])[] = [
  [{ mostTokens: 64 }, { speculation: false }],
  [{ mostTokens: 16 }, { speculation: true }],
  // Sequences are preempted.
  [
    { mostTokens: 33, blocks: 16 },
    { speculation: true, prefixCache: true },
  ],
  [
    { mostTokens: 64, mostSequences: 5, blocks: 20 },
    { speculation: false, prefixCache: false },
  ],
];

test('ids and log-probabilities are those alone', async () => {
  let [preempted, cached, accepted, generations] = [0, 0, 0, 0];
  const rounds = Math.max(1, Math.round(budget(2000) / 96));
  const start = campaignSeed * 10_000;
  for (let round = 0; round < rounds; round++)
    for (const [kind, step] of steps) {
      const all = Array.from({ length: 6 }, (_, i) => asked(start + 6 * round + i));
      const expected: (readonly Answer[])[] = [];
      for (const one of all) {
        const engine = new PagedEngine(limited(step, {}), { speculation: false, prefixCache: false });
        expected.push(await answersOf(engine.submit(requestOf(one))));
      }
      for (const [limits, options] of settings) {
        const engine = new PagedEngine(limited(step, limits), options);
        // The second time, beginnings are in the cache.
        for (const _ of [0, 1]) {
          const answers = await Promise.all(all.map(one => answersOf(engine.submit(requestOf(one)))));
          expect({ kind, limits, answers }).toEqual({ kind, limits, answers: expected });
          generations += all.length;
        }
        preempted += engine.metrics.preemptions;
        cached += engine.metrics.cachedTokens;
        accepted += engine.metrics.acceptedTokens;
      }
    }
  console.log(
    `${generations} generations, ${preempted} preempted, ${cached} tokens cached, ${accepted} drafts accepted`,
  );
  expect(Math.min(preempted, cached, accepted)).toBeGreaterThan(0);
}, 3_600_000);
