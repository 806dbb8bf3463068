import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { device, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { AutoModelForCausalLM } from './auto/index.ts';
import { readSafetensors } from './safetensors.ts';

const load = (name: string) =>
  AutoModelForCausalLM.fromPretrained(goldenPath(name.startsWith('gpt2') ? name : `decoders/${name}`));
let packed: Awaited<ReturnType<typeof readSafetensors>>;
beforeAll(async () => {
  packed = await readSafetensors(fileURLToPath(new URL('../../test/golden/packed.safetensors', import.meta.url)));
});
const read = (name: string): Tensor => tensor(packed.get(name)!);
const difference = (a: Tensor, b: Tensor): number => {
  const [x, y] = [a.data as Float32Array, b.data as Float32Array];
  const largest = y.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return x.reduce((most, value, i) => Math.max(most, Math.abs(value - y[i]!)), 0) / largest;
};

test.each(['llama', 'llama3', 'gemma2', 'phi', 'gpt2-small'])('%s: logits match transformers', async name => {
  setDefaultDevice(device('interpreter'));
  const model = (await load(name)).eval();
  const inputs = { positionIds: read('positions'), segmentIds: read('segments') };
  const logits = model.forward({ inputIds: read('ids'), ...inputs });
  expect(difference(logits, read(name))).toBeLessThan(1e-5);
  const masked = model.forward({ inputIds: read('ids'), attentionMask: read('segments').gt(0), ...inputs });
  expect(masked.data).toEqual(logits.data);
});

test('each example has the logits that it has alone', async () => {
  setDefaultDevice(device('interpreter'));
  const model = (await load('llama')).eval();
  const [ids, logits] = [read('ids'), read('llama')];
  const alone = model.forward(ids.narrow(0, 0, 1).narrow(1, 3, 5));
  expect(difference(alone, logits.narrow(0, 0, 1).narrow(1, 3, 5))).toBeLessThan(1e-5);
  expect(() => model.forward({ inputIds: ids, segmentIds: ids.narrow(1, 0, 5) })).toThrow('tensor of segments has the');
});
