// The scaling of a layout to more nodes. The split of the model is unchanged; copies of it are added.
//
//   strong: the same global batch, so that each copy has less of it
//   weak:   each copy keeps its batch, so that the global batch grows
import { isTrenioError } from '../../base/errors.ts';
import { globalBatchOf, type Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { StepQuestion } from '../question.ts';
import { type Phase, phases } from '../run.ts';
import { formatLayout } from './format.ts';
import type { Predict } from './predict-type.ts';

/** The throughput on a number of nodes. */
export interface ScalingPoint {
  /** The number of instances. */
  readonly nodes: number;
  /** Samples per second on all devices. */
  readonly samplesPerSecond: number;
  /** Throughput against that of the smallest number of nodes, times the ratio of nodes: 1 is perfect. */
  readonly efficiency: number;
  /** Whether the model fits into memory. */
  readonly fits: boolean;
  /** The reason, if a node does more work than a node of the previous point. */
  readonly why: string | undefined;
}
/** Throughput by number of nodes, with a fixed global batch (strong) and a fixed batch per node (weak). */
export interface ScalingCurves {
  /** No point if the batch cannot be divided among this many copies. */
  readonly strong: readonly ScalingPoint[];
  /** The curve for a fixed number of samples per device. */
  readonly weak: readonly ScalingPoint[];
}

/**
 * From the layout of a question, on `nodes` (ascending); numbers that the parts of the model cannot be divided by are omitted.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const { strong } = simulator.scalingOf({ ...question, layout: prediction.layout }, [1, 2], simulator.predict);
 * strong.map(({ nodes }) => nodes) // [1, 2]
 */
export function scalingOf(base: StepQuestion, nodes: readonly number[], predict: Predict): ScalingCurves {
  const { machine, layout } = base;
  const globalBatch = globalBatchOf(layout);
  const split = layout.tensor * layout.pipeline;
  const curve = (layoutFor: (data: number) => Layout | undefined): readonly ScalingPoint[] => {
    const points: ScalingPoint[] = [];
    let before: Prediction | undefined;
    for (const count of nodes) {
      const data = (machine.devices * count) / split;
      const wanted = Number.isInteger(data) ? layoutFor(data) : undefined;
      if (wanted === undefined) continue;
      const prediction = attempt(() => predict({ ...base, nodes: count, layout: wanted }));
      if (prediction === undefined) continue;
      const { samplesPerSecond } = prediction;
      const first = points[0] ?? { nodes: count, samplesPerSecond };
      const efficiency = samplesPerSecond / count / (first.samplesPerSecond / first.nodes);
      const why = before && whySuperLinear(before, prediction);
      points.push({ nodes: count, samplesPerSecond, efficiency, fits: prediction.memory.fits, why });
      before = prediction;
    }
    return points;
  };
  return {
    strong: curve(data => sharedBatch(layout, data, globalBatch)),
    weak: curve(data => ({ ...layout, data })),
  };
}

/** Less than a table shows. */
const EQUAL = 5e-4;

/**
 * Why throughput grows by more than the number of nodes, in one sentence; undefined if it does not. The usual reason: work that
 * each copy of the model did alone is divided among more copies.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.whySuperLinear(prediction, prediction) // undefined
 */
export function whySuperLinear(few: Prediction, many: Prediction): string | undefined {
  const perNode = ({ samplesPerSecond, nodes }: Prediction): number => samplesPerSecond / nodes;
  if (perNode(many) <= perNode(few) * (1 + EQUAL)) return undefined;
  const from = few.layout;
  const to = many.layout;
  const nodeSeconds = (p: Prediction, phase: Phase): number => (p.byPhase[phase] * p.nodes) / p.samplesPerStep;
  const saved = (phase: Phase): number => nodeSeconds(few, phase) - nodeSeconds(many, phase);
  const most = phases.reduce((best, phase) => (saved(phase) > saved(best) ? phase : best));
  const times = (many.samplesPerSecond / few.samplesPerSecond).toPrecision(4);
  const start = `${few.nodes} to ${many.nodes} nodes is ${times} × the throughput`;
  if (splitOf(from) !== splitOf(to)) return `${start}: another layout, ${formatLayout(to)}, is the best there`;
  if (most === 'optimizer' && to.zero1)
    return `${start}: ZeRO-1 shares the optimizer's work among ${to.data} copies instead of ${from.data}`;
  if (most === 'backward' && to.microBatches === 1 && from.microBatches > 1)
    return `${start}: with one micro-batch a step no gradients have to be added up`;
  return `${start}: the ${most} takes less of each node's time`;
}
const splitOf = ({ data: _, microBatches: __, ...split }: Layout): string => Object.values(split).join();

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
