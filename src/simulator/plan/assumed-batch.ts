// The default global batch of a plan: about a million tokens, as in the training of large models, and a size that divides
// evenly among all machines. All of them use the same batch, because with different batches the training is not the same.
import type { Machine } from '../../hardware/machine.ts';
import type { Workload } from '../workload.ts';
import { type LayoutSpace, layoutsOf } from './layouts.ts';

const TOKENS = 2 ** 20;
/** As in the training of Llama 3 405B, 2,048 samples on 16,384 GPUs: with fewer, most devices would wait for the others. */
const DEVICES_A_SAMPLE = 8;
const powerOfTwo = (least: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(least)));

/**
 * Samples per step: among batches of one to two million tokens, the smallest that is divisible by the most ways to split each
 * number of devices. A power of two if the numbers of devices are.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * simulator.assumedBatch(workload, [machine], [1, 2], {}) // 1024
 */
export function assumedBatch(
  workload: Workload,
  machines: readonly Machine[],
  nodes: readonly number[],
  space: LayoutSpace,
): number {
  const counts = [...new Set(machines.flatMap(machine => nodes.map(count => machine.devices * count)))];
  const first = Math.max(
    2 ** Math.max(0, Math.round(Math.log2(TOKENS / workload.run.sequence))),
    powerOfTwo(Math.max(...counts) / DEVICES_A_SAMPLE),
  );
  const splits = counts.map(devices => copiesOf(workload, devices, space)).filter(copies => copies.length > 0);
  const shared = (batch: number): number =>
    Math.min(1, ...splits.map(copies => copies.filter(count => batch % count === 0).length / copies.length));
  let best = first;
  let bestShare = shared(first);
  for (let batch = first + 1; batch < 2 * first && bestShare < 1; batch++) {
    const share = shared(batch);
    if (share > bestShare) [best, bestShare] = [batch, share];
  }
  return best;
}

/** Samples of a step must be a multiple of these: one number for each way to split the model on the devices. */
function copiesOf(workload: Workload, devices: number, space: LayoutSpace): readonly number[] {
  const bySplit = new Map<string, number>();
  for (const { tensor, pipeline, data } of layoutsOf(workload, devices, { ...space, globalBatch: undefined }))
    bySplit.set(`${tensor} ${pipeline}`, data * (space.microBatch ?? 1));
  return [...bySplit.values()];
}
