import { expect, test } from 'vitest';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { SequentialEngine } from './sequential-engine.ts';

const sizes = { vocab_size: 11, hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, initializer_range: 0.5 };
const never = new AbortController().signal;
const request = { prompt: [1, 2, 3], maxNewTokens: 4, temperature: 0, seed: 0 };

function tinyModel(): DecoderForCausalLM {
  setDefaultDevice(device('interpreter'));
  manualSeed(4);
  return new DecoderForCausalLM({ model_type: 'gpt2', max_position_embeddings: 32, ...sizes });
}
const generated = async (model: DecoderForCausalLM): Promise<readonly number[]> =>
  (
    (await model.generate(tensor([request.prompt], { dtype: 'i32' }), { maxNewTokens: 4 })).toArray() as number[][]
  )[0]!.slice(3);

test('a sequence has the tokens of generate, without the one that ends it', async () => {
  const model = tinyModel();
  const all = await generated(model);
  const engine = new SequentialEngine(model);
  expect(await Array.fromAsync(engine.generate(request, never))).toEqual(all);
  model.generationConfig = { eos_token_id: all[2]! };
  expect(await Array.fromAsync(engine.generate(request, never))).toEqual(all.slice(0, all.indexOf(all[2]!)));
});

test('sequences are generated in order, whether they are read or not, and an aborted one ends', async () => {
  const engine = new SequentialEngine(tinyModel());
  const unread = engine.generate(request, never);
  const aborted = engine.generate(request, AbortSignal.abort(new Error('gone')));
  const last = engine.generate({ ...request, temperature: 1 }, never);
  expect(await Array.fromAsync(last)).toHaveLength(4);
  await engine.whenIdle();
  await expect(Array.fromAsync(aborted)).rejects.toThrow('gone');
  expect(await Array.fromAsync(unread)).toHaveLength(4);
});
