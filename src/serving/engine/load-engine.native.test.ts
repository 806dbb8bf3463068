// The engine around a compiled model: the tokens of `generate`, the same alone and together.
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { AutoModelForCausalLM } from '../../models/auto/index.ts';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { engineOf, loadEngine } from './load-engine.ts';
import type { PagedEngine } from './paged-engine.ts';
import { defaultSampling, type SamplingParameters } from './sampling-parameters.ts';
import type { Chosen } from './step-model.ts';

let model: DecoderForCausalLM;
let engine: PagedEngine;
beforeAll(async () => {
  setDefaultDevice(device('cpu'));
  manualSeed(1);
  const sizes = {
    vocab_size: 120,
    hidden_size: 32,
    intermediate_size: 64,
    num_hidden_layers: 1,
    num_attention_heads: 2,
  };
  const config = { model_type: 'llama', initializer_range: 0.4, max_position_embeddings: 96, ...sizes };
  model = new DecoderForCausalLM(config);
  model.eval();
  engine = await engineOf(model, { sequences: 4, tokens: 16, cacheBytes: 96 * 2 * 32 * 4 * 2 });
});

let count = 0;
async function generated(prompt: readonly number[], sampling: Partial<SamplingParameters>): Promise<readonly Chosen[]> {
  const tokens: Chosen[] = [];
  const request = { id: `${count++}`, prompt, sampling: { ...defaultSampling, ...sampling } };
  for await (const event of engine.submit(request)) tokens.push(...event.tokens);
  return tokens;
}

test('tokens are those of generate, and the same alone and together, with too few blocks for all', async () => {
  const prompts = Array.from({ length: 10 }, (_, i) =>
    Array.from({ length: 3 + 5 * i }, (_, j) => (j * j + (i >> 1)) % 120),
  );
  const samplings = prompts.map((_, i) => ({
    temperature: i % 3,
    seed: BigInt(i),
    maxTokens: 30,
    logprobs: i % 2,
    presencePenalty: i % 4 === 0 ? 1 : 0,
  }));
  const together = await Promise.all(prompts.map((prompt, i) => generated(prompt, samplings[i]!)));
  expect(engine.metrics.preemptions).toBeGreaterThan(0);
  for (const [i, prompt] of prompts.entries()) expect(await generated(prompt, samplings[i]!)).toEqual(together[i]);
  const greedy = await generated(prompts[2]!, { temperature: 0, maxTokens: 30 });
  const expected = await model.generate(tensor([[...prompts[2]!]], { dtype: 'i32' }), {
    maxNewTokens: 30,
    doSample: false,
  });
  expect(greedy.map(({ id }) => id)).toEqual((expected.toArray() as number[][])[0]!.slice(prompts[2]!.length));
  expect(engine.usedBlocks).toBe(0);
});

test('a GGUF file, whose weights stay quantized, gives the tokens of generate', async () => {
  const file = join(goldenPath('gguf'), 'llama-q8.gguf');
  const { engine } = await loadEngine(file, { sizes: { sequences: 2, tokens: 16, cacheBytes: 1 << 16 } });
  await expect(loadEngine(file, { dtype: 'bfloat16' })).rejects.toThrow('float32 with quantized weights');
  const prompt = [1, 5, 9, 7];
  const sampling = { ...defaultSampling, temperature: 0, maxTokens: 20 };
  const events = await Array.fromAsync(engine.submit({ id: 'a', prompt, sampling }));
  const whole = await AutoModelForCausalLM.fromPretrained(file);
  const options = { maxNewTokens: 20, doSample: false, eosTokenId: [] };
  const expected = await whole.generate(tensor([prompt], { dtype: 'i32' }), options);
  expect(events.flatMap(({ tokens }) => tokens.map(({ id }) => id))).toEqual(
    (expected.toArray() as number[][])[0]!.slice(prompt.length),
  );
});

test('a pool without room for one sequence is refused', async () => {
  await expect(engineOf(model, { positions: 64, cacheBytes: 1000 })).rejects.toThrow('sequence of 64 tokens');
});
