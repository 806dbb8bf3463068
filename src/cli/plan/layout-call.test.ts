// The calls that make the layout of a plan.
import { expect, test } from 'vitest';
import type { Layout } from '../../simulator/layout.ts';
import { layoutCall } from './layout-call.ts';

const one: Layout = {
  ...{ data: 1, tensor: 1, pipeline: 1, interleave: 1, expert: 1, sequenceParallel: false, zero1: false },
  ...{ microBatch: 1, microBatches: 1, recompute: 'none' },
};
const run = (layout: string, calls: string): string =>
  `trenio run --layout ${layout}, and in the script: const mesh = initDeviceMesh(); ${calls}`;

test.each<readonly [layout: Partial<Layout>, call: string | undefined]>([
  [{}, undefined],
  [{ pipeline: 2, interleave: 4 }, undefined],
  [
    { data: 4, pipeline: 2, interleave: 2, microBatches: 8 },
    run(
      'pp=2,dp_replicate=4',
      "parallelize(model, mesh, { pipeline: { microBatches: 8, schedule: 'Interleaved1F1B' } })",
    ),
  ],
  [{ data: 4, mesh: 'dp_shard=2,tp=2' }, 'trenio run --layout dp_shard=2,tp=2 train.ts'],
  [{ data: 4 }, run('dp_replicate=4', 'parallelize(model, mesh)')],
  [{ data: 8, tensor: 4, zero1: true, shard: 'weights' }, run('dp_shard=8,tp=4', 'parallelize(model, mesh)')],
  [
    { data: 2, tensor: 8, sequenceParallel: true, zero1: true },
    run(
      'dp_shard=2,tp=8',
      'parallelize(model, mesh, { sequenceParallel: true, fullyShard: false }); zero1(optimizer, mesh)',
    ),
  ],
  [
    { data: 8, expert: 4, zero1: true, shard: 'gradients' },
    run('dp_shard=2,ep=4', 'parallelize(model, mesh, { reshardAfterForward: false })'),
  ],
])('%j', (layout, call) => {
  expect(layoutCall({ ...one, ...layout }, 'train.ts')).toBe(call);
});
