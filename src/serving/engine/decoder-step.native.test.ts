// Choices of a compiled step: what is allowed, what is reported, and how often each token is chosen.
import { beforeAll, expect, test } from 'vitest';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { candidatesOf } from '../../models/generation/sample-token.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { DecoderStep } from './decoder-step.ts';
import type { Choice, Chosen } from './step-model.ts';

const vocabulary = 200;
const greedy: Choice = { temperature: 0, topK: 0, topP: 1, minP: 0, typicalP: 1, seed: 1n, choice: 0 };
const random: Choice = { ...greedy, temperature: 1 };

let step: DecoderStep;
/** The logits after the token 5, and their log-probabilities. */
let logits: Float32Array;
let logprobs: readonly number[];
let model: DecoderForCausalLM;
beforeAll(async () => {
  setDefaultDevice(device('cpu'));
  manualSeed(2);
  const sizes = { vocab_size: vocabulary, hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 2 };
  model = new DecoderForCausalLM({ model_type: 'gpt2', initializer_range: 0.4, ...sizes });
  model.eval();
  logits = model.forward(tensor([[5]], { dtype: 'i32' })).logits.literal().data as Float32Array;
  const total = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
  logprobs = [...logits].map(x => x - total);
  model.panelWeights();
  const more = { blocks: 34, blockSize: 16, mostSequences: 32, mostTokens: 64, positions: 64 };
  step = new DecoderStep(model, { ...more, dtype: 'f32' });
  await step.prepare();
});

/** The tokens after token 5, chosen in these ways, in one step. */
async function chosen(choices: readonly Choice[]): Promise<readonly Chosen[]> {
  const results = await step.run(choices.map((choice, i) => ({ ids: [5], from: 0, blocks: [i], choices: [choice] })));
  return results.map(([one]) => one!);
}
const byLogprob = (): number[] => [...logprobs.keys()].sort((a, b) => logprobs[b]! - logprobs[a]! || a - b);
/** The candidates whose surprise is closest to the expected one, with at least this share of the probability. */
function typical({ tokens, weights }: ReturnType<typeof candidatesOf>, share: number) {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const surprise = [...weights].map(w => -Math.log(w / total));
  const expected = surprise.reduce((sum, s, i) => sum + (weights[i]! / total) * s, 0);
  const order = [...surprise.keys()].sort(
    (a, b) => Math.abs(surprise[a]! - expected) - Math.abs(surprise[b]! - expected),
  );
  let [count, mass] = [0, 0];
  while (count < order.length && mass < share * total) mass += weights[order[count++]!]!;
  const kept = share < 1 ? order.slice(0, count) : order;
  return { tokens: kept.map(i => tokens[i]!), weights: kept.map(i => weights[i]!) };
}
const edit = (ids: number[], factors: number[], adds: number[]) => ({
  ids: Int32Array.from(ids),
  factors: Float32Array.from(factors),
  adds: Float32Array.from(adds),
});

test('the most probable token, its log-probability and those that follow', async () => {
  const [plain, reported] = await chosen([greedy, { ...greedy, top: 3 }]);
  const best = byLogprob();
  expect(plain).toEqual({ id: best[0] });
  expect(reported).toMatchObject({ id: best[0], rank: 1 });
  expect(reported!.top!.map(({ id }) => id)).toEqual(best.slice(0, 3));
  for (const { id, logprob } of [reported!, ...reported!.top!]) expect(logprob).toBeCloseTo(logprobs[id]!, 4);
});

test('edits and masks change what is chosen, not what is reported', async () => {
  const best = byLogprob();
  const mask = new Uint32Array(Math.ceil(vocabulary / 32));
  mask[Math.floor(best[7]! / 32)] = 1 << (best[7]! % 32);
  const results = await chosen([
    { ...greedy, edits: edit([best[0]!], [1], [Number.NEGATIVE_INFINITY]), top: 0 },
    { ...greedy, edits: edit([best[0]!], [1e6], [0]) },
    { ...greedy, edits: edit([best[9]!], [1], [50]) },
    { ...random, mask, top: 0 },
    greedy,
  ]);
  expect(results.map(({ id }) => id)).toEqual([best[1], best[1], best[9], best[7], best[0]]);
  expect(results[0]).toMatchObject({ rank: 2, top: [] });
  expect(results[0]!.logprob).toBeCloseTo(logprobs[best[1]!]!, 4);
  expect(results[3]!.rank).toBe(8);
});

test('limits that leave one token', async () => {
  const results = await chosen(
    [{ topK: 1 }, { topP: 1e-6 }, { minP: 1 }].map(limit => ({ ...random, temperature: 3, ...limit })),
  );
  expect(results.map(({ id }) => id)).toEqual([0, 0, 0].map(() => byLogprob()[0]));
});

test.each([
  ['all', {}],
  ['top-k', { topK: 5 }],
  ['top-p', { topP: 0.6 }],
  ['top-k and top-p, warm', { topK: 20, topP: 0.8, temperature: 1.7 }],
  ['min-p', { minP: 0.3, temperature: 0.7 }],
  ['typical', { topK: 30, typicalP: 0.5 }],
])('tokens are chosen as often as they are probable: %s', async (_, limits) => {
  const choice = { ...random, ...limits };
  const { tokens, weights } = typical(candidatesOf(logits, choice), choice.typicalP);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const counts = new Map<number, number>();
  const samples = 3200;
  for (let turn = 0; turn < samples / 32; turn++) {
    const choices = Array.from({ length: 32 }, (_, i) => ({ ...choice, seed: BigInt(turn), choice: i }));
    for (const { id } of await chosen(choices)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  expect([...counts.keys()].every(id => tokens.includes(id))).toBe(true);
  // Tokens that are expected fewer than five times count together.
  let [chi, cells, rareWanted, rareSeen] = [0, 0, 0, 0];
  tokens.forEach((id, i) => {
    const wanted = (samples * weights[i]!) / total;
    const seen = counts.get(id) ?? 0;
    if (wanted < 5) {
      rareWanted += wanted;
      rareSeen += seen;
      return;
    }
    chi += (seen - wanted) ** 2 / wanted;
    cells++;
  });
  if (rareWanted > 5) {
    chi += (rareSeen - rareWanted) ** 2 / rareWanted;
    cells++;
  }
  // Wilson and Hilferty's approximation of p > 0.001.
  const freedom = Math.max(1, cells - 1);
  const normal = (Math.cbrt(chi / freedom) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom));
  expect(normal).toBeLessThan(3.1);
});

test('given tokens are taken, and their log-probabilities reported: more than a step chooses', async () => {
  const ids = Array.from({ length: 50 }, (_, i) => (i * 37) % vocabulary);
  const choices = ids.map((_, i): Choice => (i < 49 ? { ...greedy, given: ids[i + 1], top: 2 } : greedy));
  const blocks = [3, 1, 2, 0];
  const [chosen, other] = await step.run([
    { ids, from: 0, blocks, choices },
    { ids: [5], from: 0, blocks: [9], choices: [{ ...greedy, top: 0 }] },
  ]);
  expect(chosen!.slice(0, 49).map(({ id }) => id)).toEqual(ids.slice(1));
  expect(other).toEqual((await step.run([{ ids: [5], from: 0, blocks: [9], choices: [{ ...greedy, top: 0 }] }]))[0]);
  const whole = model.forward(tensor([ids], { dtype: 'i32' })).logits.literal().data as Float32Array;
  for (const [i, { id, logprob, rank, top }] of chosen!.slice(0, 49).entries()) {
    const row = whole.subarray(i * vocabulary, (i + 1) * vocabulary);
    const total = Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0));
    expect(logprob).toBeCloseTo(row[id]! - total, 3);
    expect(rank).toBe(row.filter(x => x >= row[id]!).length);
    expect(top).toHaveLength(2);
  }
});
