// A prediction adds up, changes with its inputs, and rejects invalid layouts.
import { describe, expect, test } from 'vitest';
import { machineOf } from '../hardware/index.ts';
import type { Layout } from './layout.ts';
import { modelOf } from './models/presets.ts';
import { predict } from './predict.ts';
import type { Workload } from './workload.ts';

const trn1 = machineOf('trn1.32xlarge');
const workload = (name: string, more: Partial<Workload> = {}): Workload => ({
  model: modelOf(name),
  run: { kind: 'training', sequence: 2048, optimizer: 'adamw' },
  precision: 'bf16',
  attention: 'unfused',
  ...more,
});
const layout = (more: Partial<Layout> = {}): Layout => ({
  data: 4,
  tensor: 8,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: true,
  zero1: false,
  microBatch: 1,
  microBatches: 16,
  recompute: 'selective',
  ...more,
});
const sum = (values: object): number => Object.values(values).reduce((all: number, own: number) => all + own, 0);

describe('a step', () => {
  const gpt = workload('gpt3-6.7b');
  const whole = predict({ workload: gpt, machine: trn1, nodes: 1, layout: layout() });

  test('recomputes every second layer, or per operation, and shards in groups, as PyTorch does', () => {
    const [none, half, full] = [{}, { recompute: 'full', recomputeEvery: 2 }, { recompute: 'full' }] as const;
    const fully = { data: 128, tensor: 1, zero1: true, shard: 'weights', sequenceParallel: false } as const;
    const llama = workload('llama3-8b', { precision: 'bf16-mixed', attention: 'blocked' });
    const run = { workload: llama, machine: machineOf('p5.48xlarge'), nodes: 16 };
    const of = (own: Partial<Layout>) => predict({ ...run, layout: layout({ ...fully, recompute: 'none', ...own }) });
    const three = [none, half, full].map(own => of(own).byPhase.recompute);
    expect(three[1]! / three[2]!).toBeCloseTo(0.5, 9);
    const selective = of({ recompute: 'selective' });
    expect(selective.byPhase.recompute).toBeGreaterThan(0);
    expect(selective.byPhase.recompute).toBeLessThan(three[2]!);
    const bytes = [none, half, full].map(own => of(own).memory.byKind.activations);
    expect(bytes[1]).toBeLessThan(0.6 * bytes[0]!);
    expect(selective.memory.byKind.activations).toBeLessThan(bytes[0]!);
    // Groups of 8 GPUs hold more each, and gather without the network.
    const hybrid = of({ replicas: 16 });
    expect(hybrid.memory.byKind['optimizer state'] / of({}).memory.byKind['optimizer state']).toBeCloseTo(16, 9);
    expect(hybrid.stepSeconds).toBeLessThan(of({}).stepSeconds);
    expect(() => of({ replicas: 3 })).toThrow('128 data-parallel devices cannot be 3 groups');
    expect(() => of({ recomputeEvery: 2 })).toThrow('recomputation is none');
  });

  test('is the sum of its phases, and of its bottlenecks', () => {
    expect(sum(whole.byPhase)).toBeCloseTo(whole.stepSeconds, 9);
    expect(sum(whole.byBound)).toBeCloseTo(whole.stepSeconds, 9);
    expect(sum(whole.memory.byKind)).toBeCloseTo(whole.memory.total, 0);
    expect(whole.samplesPerSecond).toBeCloseTo(64 / whole.stepSeconds, 9);
    expect(whole.tokensPerStep).toBe(64 * 2048);
  });

  test.each<[string, Partial<Layout>, number]>([
    ['one stage', {}, 1],
    ['a pipeline', { data: 4, pipeline: 8, microBatches: 64 }, 8],
    ['an interleaved pipeline', { data: 4, pipeline: 8, interleave: 2, microBatches: 64 }, 8],
    ['ZeRO-1 and full recomputation', { data: 16, zero1: true, recompute: 'full', sequenceParallel: false }, 4],
  ])('takes the same time when played: %s', (_, more, nodes) => {
    const own = predict({ workload: gpt, machine: trn1, nodes, layout: layout(more) });
    expect(Math.abs(own.timeline().seconds / own.stepSeconds - 1)).toBeLessThan(0.02);
  });

  test('with more work takes longer', () => {
    const seconds = (more: Partial<Layout>, of: Workload = gpt): number =>
      predict({ workload: of, machine: trn1, nodes: 1, layout: layout(more) }).stepSeconds;
    expect(seconds({ recompute: 'full' })).toBeGreaterThan(seconds({ recompute: 'selective' }));
    expect(seconds({ microBatches: 32 })).toBeGreaterThan(1.9 * seconds({ microBatches: 16 }));
    expect(seconds({}, workload('gpt3-6.7b', { precision: 'f32' }))).toBeGreaterThan(seconds({}));
    expect(seconds({}, workload('gpt3-6.7b', { attention: 'blocked' }))).toBeLessThan(seconds({}));
  });

  test('needs less memory if less has to be kept', () => {
    const bytes = (more: Partial<Layout>): number =>
      predict({ workload: gpt, machine: trn1, nodes: 1, layout: layout(more) }).memory.total;
    expect(bytes({ recompute: 'full' })).toBeLessThan(bytes({ recompute: 'selective' }));
    expect(bytes({ recompute: 'selective' })).toBeLessThan(bytes({ recompute: 'none' }));
    expect(bytes({ zero1: true })).toBeLessThan(bytes({ zero1: false }));
    expect(bytes({ data: 2, pipeline: 2 })).toBeLessThan(bytes({}));
  });

  test('that does not fit reports by how much, and how to make it fit', () => {
    const { memory } = predict({
      workload: workload('llama2-7b', { run: { kind: 'training', sequence: 4096, optimizer: 'adamw' } }),
      machine: trn1,
      nodes: 1,
      layout: layout({ recompute: 'none', data: 16, tensor: 2 }),
    });
    expect(memory.fits).toBe(false);
    expect(memory.spare).toBeCloseTo(memory.capacity - memory.total, 0);
    expect(memory.remedies.length).toBeGreaterThan(0);
  });

  test('of 405 billion parameters is planned without creating the model', () => {
    const large = predict({
      workload: workload('llama3-405b', { run: { kind: 'training', sequence: 8192, optimizer: 'adamw' } }),
      machine: trn1,
      nodes: 128,
      layout: layout({ data: 16, tensor: 32, pipeline: 8 }),
    });
    expect(large.modelFlops).toBeGreaterThan(6 * 400e9 * 8192 * large.samplesPerStep);
  });
});

test.each<[string, Partial<Layout>, RegExp]>([
  ['more devices than there are', { data: 64 }, /64 × 8 × 1 .* is 512 devices, and 1 × trn1.32xlarge has 32/],
  ['stages', { tensor: 1, pipeline: 32, data: 1, interleave: 2 }, /32 layers cannot fill 32 stages × 2 chunks/],
  [
    'interleaved micro-batches',
    { pipeline: 4, data: 1, interleave: 2, microBatches: 6 },
    /in groups of 4, one per stage, but a step has 6 per copy/,
  ],
  ['zero', { microBatch: 0 }, /microBatch is 0/],
  ['a fraction', { data: 1.5 }, /data is 1.5/],
  ['experts', { expert: 2 }, /gpt3-6.7b has no experts/],
])('an impossible layout: %s', (_, more, message) => {
  expect(() => predict({ workload: workload('gpt3-6.7b'), machine: trn1, nodes: 1, layout: layout(more) })).toThrow(
    message,
  );
});

test('heads that cannot be divided among ranks', () => {
  expect(() =>
    predict({
      workload: workload('bert-base', { run: { kind: 'training', sequence: 128, optimizer: 'adamw' } }),
      machine: trn1,
      nodes: 1,
      layout: layout(),
    }),
  ).toThrow(/12 attention heads cannot be divided among 8 tensor-parallel devices.*1, 2, 3, 4, 6, 12/s);
});

test('an unknown model', () => {
  expect(() => modelOf('llama3-80b')).toThrow(/unknown model 'llama3-80b'.*did you mean llama3-8b/s);
});
