// How a layout does on more nodes. What splits the model stays; copies of it are added.
//
//   strong: the same global batch, so that each copy has less of it
//   weak:   each copy keeps its batch, so that the global batch grows
import { isTrenioError } from '../../base/errors.ts';
import type { Job } from '../job.ts';
import { globalBatchOf, type Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { Predict } from './predict-type.ts';

export interface ScalingPoint {
  readonly nodes: number;
  readonly samplesPerSecond: number;
  /** Throughput against that of the smallest number of nodes, times the ratio of nodes: 1 is perfect. */
  readonly efficiency: number;
  readonly fits: boolean;
}
export interface ScalingCurves {
  /** Where the batch cannot be shared among so many copies there is no point. */
  readonly strong: readonly ScalingPoint[];
  readonly weak: readonly ScalingPoint[];
}

/** From the layout of `base`, on `nodes` (ascending); numbers on which the model's parts do not come out even are left out. */
export function scalingOf(job: Job, base: Prediction, nodes: readonly number[], predict: Predict): ScalingCurves {
  const { machine, layout } = base;
  const globalBatch = globalBatchOf(layout);
  const split = layout.tensor * layout.pipeline;
  const curve = (layoutFor: (data: number) => Layout | undefined): readonly ScalingPoint[] => {
    const points: ScalingPoint[] = [];
    for (const count of nodes) {
      const data = (machine.devices * count) / split;
      const wanted = Number.isInteger(data) ? layoutFor(data) : undefined;
      if (wanted === undefined) continue;
      const prediction = attempt(() => predict(job, machine, count, wanted));
      if (prediction === undefined) continue;
      const { samplesPerSecond } = prediction;
      const first = points[0] ?? { nodes: count, samplesPerSecond };
      const efficiency = samplesPerSecond / count / (first.samplesPerSecond / first.nodes);
      points.push({ nodes: count, samplesPerSecond, efficiency, fits: prediction.memory.fits });
    }
    return points;
  };
  return {
    strong: curve(data => sharedBatch(layout, data, globalBatch)),
    weak: curve(data => ({ ...layout, data })),
  };
}

/** The largest micro-batch, up to the layout's own, with which the global batch comes out even. */
function sharedBatch(layout: Layout, data: number, globalBatch: number): Layout | undefined {
  const samples = globalBatch / data;
  if (!Number.isInteger(samples)) return undefined;
  let microBatch = Math.min(layout.microBatch, samples);
  while (samples % microBatch !== 0) microBatch--;
  return { ...layout, data, microBatch, microBatches: samples / microBatch };
}

function attempt(make: () => Prediction): Prediction | undefined {
  try {
    return make();
  } catch (error) {
    if (isTrenioError(error, 'LAYOUT_IMPOSSIBLE')) return undefined;
    throw error;
  }
}
