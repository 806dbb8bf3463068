// Adapters in slots compared with the same adapters added to their models (adapter.test.ts compares those with PEFT).
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { device, manualSeed, noGrad, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { addAdapter, loadAdapter } from './adapter.ts';
import { AdapterSlots } from './adapter-slots.ts';

const sizes = { vocab_size: 90, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 2 };
const base = (): DecoderForCausalLM => {
  manualSeed(7);
  return new DecoderForCausalLM({ model_type: 'llama', initializer_range: 0.3, ...sizes }).eval();
};
let folder: string;
beforeAll(async () => {
  setDefaultDevice(device('cpu'));
  folder = await mkdtemp(join(tmpdir(), 'trenio-slots-'));
  for (const [i, r] of [8, 3, 16].entries()) {
    const model = base();
    manualSeed(100 + i);
    const target_modules = i === 1 ? ['q_proj', 'down_proj'] : 'all-linear';
    await addAdapter(model, { r, target_modules, lora_alpha: 24, init_lora_weights: false }).savePretrained(pathOf(i));
  }
});
afterAll(() => rm(folder, { recursive: true }));
const pathOf = (i: number): string => join(folder, `adapter-${i}`);

const ids = [3, 17, 44, 5, 80, 3];
/** The logits after each token alone, [N, V]. */
const logitsOf = (model: DecoderForCausalLM): Float32Array =>
  noGrad(() => model.forward(tensor(ids, { dtype: 'i32' }).reshape(-1, 1))).logits.literal().data as Float32Array;
const rowsOf = (logits: Float32Array): number[][] =>
  ids.map((_, i) => [...logits.subarray(i * sizes.vocab_size, (i + 1) * sizes.vocab_size)]);
const largestDifference = (got: ArrayLike<number>, want: ArrayLike<number>): number =>
  Array.from(got, (value, i) => Math.abs(value - want[i]!)).reduce((a, b) => Math.max(a, b));
const warn = (): void => {};

interface Served {
  readonly model: DecoderForCausalLM;
  readonly slots: AdapterSlots;
}
function served(rank: number, count: number, dtype: 'f32' | 'bf16' = 'f32'): Served {
  const model = base().to(dtype);
  model.panelWeights();
  return { model, slots: new AdapterSlots(model, { count, rank, device: device('cpu'), dtype }) };
}
const within = ({ model, slots }: Served, used: readonly number[]): number[][] =>
  rowsOf(slots.within(tensor(used, { dtype: 'i32' }), () => noGrad(() => logitsOf(model))));

describe.each([16, 64])('slots of rank %i', rank => {
  test('each row has the logits of its own adapter', async () => {
    const all = served(rank, 3);
    await all.slots.prepare();
    // In another order than their numbers.
    for (const [slot, adapter] of [2, 0, 1].entries()) await all.slots.load(slot, pathOf(adapter), warn);
    const used = [-1, 0, 1, 2, 1, -1];
    const expected: number[][][] = [rowsOf(logitsOf(base()))];
    for (const adapter of [2, 0, 1]) {
      const model = base();
      await loadAdapter(model, pathOf(adapter), { onWarning: warn });
      expected.push(rowsOf(logitsOf(model.eval())));
    }
    const got = within(all, used);
    used.forEach((slot, row) => {
      const want = expected[slot + 1]![row]!;
      expect(largestDifference(got[row]!, want)).toBeLessThan(2e-5);
    });
  });
});

test.each(['f32', 'bf16'] as const)(
  '%s: the bits of a row depend neither on the slot nor on other adapters',
  async dtype => {
    const [one, all] = [served(16, 1, dtype), served(16, 4, dtype)];
    await one.slots.load(0, pathOf(0), warn);
    for (const [slot, adapter] of [1, 2, 1, 0].entries()) await all.slots.load(slot, pathOf(adapter), warn);
    const alone = within(one, [0, -1, 0, 0, 0, 0]);
    expect(within(all, [3, -1, 0, 3, 1, 3])).toEqual(
      alone.map((row, i) => (i === 2 || i === 4 ? expect.anything() : row)),
    );
    // The slot is used again by an adapter that has fewer layers and a lower rank.
    await all.slots.load(3, pathOf(1), warn);
    await one.slots.load(0, pathOf(1), warn);
    expect(within(all, [3, 3, 0, 0, 1, 2])[0]).toEqual(within(one, [0, 0, 0, 0, 0, 0])[0]);
  },
);

test('what cannot be served is refused, and changes nothing', async () => {
  const all = served(8, 1);
  await all.slots.load(0, pathOf(0), warn);
  const before = within(all, [0, 0, 0, 0, 0, 0]);
  const changed = async (name: string, fields: object): Promise<string> => {
    const copy = join(folder, name);
    await cp(pathOf(1), copy, { recursive: true });
    const file = join(copy, 'adapter_config.json');
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...fields }));
    return copy;
  };
  await expect(all.slots.load(0, pathOf(2), warn)).rejects.toThrow(
    'has rank 16, at most 8 is served (--max-lora-rank)',
  );
  await expect(all.slots.load(0, await changed('dora', { use_dora: true }), warn)).rejects.toThrow('use_dora');
  await expect(all.slots.load(0, await changed('other', { target_modules: ['v_proj'] }), warn)).rejects.toThrow(
    expect.objectContaining({ code: 'ADAPTER_MISMATCH' }),
  );
  await expect(all.slots.load(0, join(folder, 'none'), warn)).rejects.toThrow('adapter_config.json');
  const model = base();
  const adapter = addAdapter(model, { r: 2, target_modules: ['q_proj'], init_lora_weights: false });
  noGrad(() => adapter.parameters()[0]!.fill_(Number.POSITIVE_INFINITY));
  await adapter.savePretrained(join(folder, 'infinite'));
  await expect(all.slots.load(0, join(folder, 'infinite'), warn)).rejects.toThrow('has values that are not finite');
  expect(within(all, [0, 0, 0, 0, 0, 0])).toEqual(before);
});

test('layers that are one in files are adapted each', async () => {
  const directory = goldenPath('lora/phi3-lora');
  const load = (): Promise<DecoderForCausalLM> => DecoderForCausalLM.fromPretrained(goldenPath('decoders/phi3'));
  const [model, adapted] = [(await load()).eval(), (await load()).eval()];
  await loadAdapter(adapted, directory, { onWarning: warn });
  model.panelWeights();
  const slots = new AdapterSlots(model, { count: 2, rank: 8, device: device('cpu'), dtype: 'f32' });
  await slots.load(1, directory, warn);
  const input = tensor([[3], [4]], { dtype: 'i32' });
  const logits = (one: DecoderForCausalLM): Tensor => noGrad(() => one.forward(input)).logits;
  const got = slots.within(tensor([1, 1], { dtype: 'i32' }), () => logits(model).literal().data as Float32Array);
  const want = logits(adapted).literal().data as Float32Array;
  expect(largestDifference(got, want)).toBeLessThan(2e-5);
});
