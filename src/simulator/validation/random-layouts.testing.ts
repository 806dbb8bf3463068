// Random possible layouts of random workloads on random machines, on which the closed form and the timeline are
// compared. Whether they fit in memory does not matter.

import { machineOf } from '../../hardware/index.ts';
import type { Machine } from '../../hardware/machine.ts';
import { layoutProblem } from '../check-layout.ts';
import type { Layout } from '../layout.ts';
import { modelNames, modelOf } from '../models/presets.ts';
import { attentionKernels, precisions, type Workload } from '../workload.ts';

export interface RandomLayout {
  readonly workload: Workload;
  readonly machine: Machine;
  readonly nodes: number;
  readonly layout: Layout;
}

const machines = ['trn1.32xlarge', 'trn1n.32xlarge', 'trn2.48xlarge', 'p4d.24xlarge', 'p5.48xlarge'];
const powers = (most: number): readonly number[] => Array.from({ length: most + 1 }, (_, i) => 2 ** i);

/** The same ones for the same seed. */
export function randomLayouts(seed: number, count: number): readonly RandomLayout[] {
  const random = mulberry32(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const found: RandomLayout[] = [];
  while (found.length < count) {
    const model = modelOf(pick(modelNames));
    const machine = machineOf(pick(machines));
    const nodes = pick(powers(6));
    const devices = machine.devices * nodes;
    const tensor = pick(powers(5));
    // Any number of stages, so that stages of different lengths occur.
    const pipeline = random() < 0.5 ? pick(powers(6)) : 1 + Math.floor(random() * 40);
    const data = Math.floor(devices / (tensor * pipeline));
    const interleave = pick([1, 1, 2, 3, 4]);
    const workload: Workload = {
      model,
      run: {
        kind: 'training',
        sequence: model.patches === undefined ? pick([128, 512, 1024, 2048, 4096]) : model.positions,
        optimizer: 'adamw',
      },
      precision: pick(precisions),
      attention: pick(attentionKernels),
    };
    const layout: Layout = {
      data,
      tensor,
      pipeline,
      interleave,
      expert: model.experts === undefined ? 1 : pick([1, 2, 4, 8]),
      sequenceParallel: random() < 0.5,
      zero1: random() < 0.5,
      microBatch: pick([1, 1, 2, 4, 8]),
      microBatches: interleave > 1 ? pipeline * pick([1, 2, 3, 4, 8]) : 1 + Math.floor(random() ** 3 * 100),
      recompute: pick(['none', 'selective', 'full']),
    };
    // Whole copies of the model: devices that are left over are ignored here.
    const whole = { ...layout, data: Math.max(1, data) };
    const used = whole.data * tensor * pipeline;
    if (used > devices || devices % used !== 0) continue;
    if (layoutProblem({ workload, machine, nodes, layout: whole }) === undefined)
      found.push({ workload, machine, nodes, layout: whole });
  }
  return found;
}

/** Tommy Ettinger's generator: 32 bits of state. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
