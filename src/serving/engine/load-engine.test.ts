// The sizes of an engine, and models without a C compiler: each step of theirs copies the pool, so it is small.
import { beforeEach, expect, test } from 'vitest';
import { quantizeWeights } from '../../models/adapters/quantized-linear.ts';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { Linear } from '../../nn/index.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { engineOf } from './load-engine.ts';
import { samplingParameters } from './sampling-parameters.ts';

const sizes = { vocab_size: 40, hidden_size: 64, intermediate_size: 32, num_hidden_layers: 1, num_attention_heads: 2 };
const llama = { model_type: 'llama', initializer_range: 0.4, max_position_embeddings: 4096, ...sizes };
const few = { sequences: 2, tokens: 4 };

beforeEach(() => {
  setDefaultDevice(device('kernels'));
  manualSeed(1);
});

test('without a C compiler: a small pool, and the tokens of generate', async () => {
  const model = new DecoderForCausalLM({ ...llama, num_hidden_layers: 2, hidden_size: 512 }).eval();
  const prompt = [5, 6, 7, 8, 9];
  const all = await model.generate(tensor([prompt], { dtype: 'i32' }), { maxNewTokens: 3 });
  const engine = await engineOf(model, few);
  // 16 MiB of 8 KiB for each token.
  expect([engine.blocks * engine.blockSize, engine.positions]).toEqual([2048, 2048]);
  const sampling = samplingParameters({ temperature: 1e-9, maxTokens: 3 }, 40);
  const tokens = await Array.fromAsync(engine.submit({ id: 'a', prompt, sampling }), event => event.tokens[0]!.id);
  expect(tokens).toEqual((all.toArray() as number[][])[0]!.slice(prompt.length));
});

test('sequences are not so long that the rotations of short ones would change, unless that is asked for', async () => {
  const rope_parameters = {
    rope_type: 'longrope' as const,
    rope_theta: 10_000,
    original_max_position_embeddings: 32,
    short_factor: new Array<number>(16).fill(1),
    long_factor: new Array<number>(16).fill(4),
  };
  const config = { ...llama, model_type: 'phi3', max_position_embeddings: 128, rope_parameters };
  const model = (): DecoderForCausalLM => new DecoderForCausalLM(config).eval();
  expect((await engineOf(model(), few)).positions).toBe(32);
  expect((await engineOf(model(), { ...few, positions: 128 })).positions).toBe(128);
  await expect(engineOf(model(), { ...few, positions: 129 })).rejects.toThrow('at most 128');
});

test('what has other bits beside other requests is named', async () => {
  const lines: string[] = [];
  const model = quantizeWeights(new DecoderForCausalLM(llama).eval(), 'int8');
  await engineOf(model, { ...few, cacheBytes: 1 << 16 }, { log: line => lines.push(line) });
  expect(lines).toEqual([
    'engine: the same bits beside other requests are not promised for weights that are quantized in another form than 16 interleaved rows',
  ]);
  expect([...model.modules()].some(module => module instanceof Linear)).toBe(false);
});
