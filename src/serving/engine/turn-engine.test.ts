import { expect, test } from 'vitest';
import { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { TurnEngine } from './turn-engine.ts';

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
  const engine = new TurnEngine(model);
  expect(await Array.fromAsync(engine.generate(request, never))).toEqual(all);
  model.generationConfig = { eos_token_id: all[2]! };
  expect(await Array.fromAsync(engine.generate(request, never))).toEqual(all.slice(0, all.indexOf(all[2]!)));
});

test('sequences are generated whether they are read or not, and an aborted one ends', async () => {
  const engine = new TurnEngine(tinyModel());
  const unread = engine.generate(request, never);
  const aborted = engine.generate(request, AbortSignal.abort(new Error('gone')));
  const last = engine.generate({ ...request, temperature: 1 }, never);
  expect(await Array.fromAsync(last)).toHaveLength(4);
  await engine.whenIdle();
  await expect(Array.fromAsync(aborted)).rejects.toThrow('gone');
  expect(await Array.fromAsync(unread)).toHaveLength(4);
});

test('a short answer does not wait for a long one, and each has the tokens that it has alone', async () => {
  const model = tinyModel();
  const long = { prompt: [4, 5], maxNewTokens: 20, temperature: 0.8, seed: 3 };
  const alone = await Array.fromAsync(new TurnEngine(model).generate(long, never));
  const short = await generated(model);
  const engine = new TurnEngine(model);
  const ended: string[] = [];
  const read = async (name: string, tokens: AsyncIterable<number>): Promise<readonly number[]> => {
    const all = await Array.fromAsync(tokens);
    ended.push(name);
    return all;
  };
  const both = [read('long', engine.generate(long, never)), read('short', engine.generate(request, never))];
  expect(await Promise.all(both)).toEqual([alone, short]);
  expect(ended).toEqual(['short', 'long']);
});
