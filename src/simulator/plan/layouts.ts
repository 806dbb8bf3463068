// All promising layouts of a workload on a number of devices: sizes that divide what they split, with all devices in use. Other
// constraints (rules of the machine, memory) are reported by the prediction.
//
//   devices = data × tensor × pipeline, for all divisors; then micro-batches, and options that trade time for memory

import type { Layout, Recomputation } from '../layout.ts';
import type { ProgramDivision, Workload } from '../workload.ts';

/** The given values; everything else is tried. */
export interface LayoutSpace {
  /** The number of data-parallel replicas. */
  readonly data?: number | undefined;
  /** The number of devices that share each layer. */
  readonly tensor?: number | undefined;
  /** The number of pipeline stages. */
  readonly pipeline?: number | undefined;
  /** The number of parts of the model in each pipeline stage. */
  readonly interleave?: number | undefined;
  /** The number of devices that the experts are distributed over. */
  readonly expert?: number | undefined;
  /** Whether the optimizer state is divided among data-parallel replicas. */
  readonly zero1?: boolean | undefined;
  /** Only with `zero1`; only tried if given. */
  readonly shard?: Layout['shard'];
  /** Groups of devices that each hold all shards; 1 by default. */
  readonly replicas?: number | undefined;
  /** Whether the sequence is divided where layers are not. */
  readonly sequenceParallel?: boolean | undefined;
  /** The number of samples per micro-batch. */
  readonly microBatch?: number | undefined;
  /** For a recorded program: the number of micro-batches per step. Models use the global batch instead. */
  readonly microBatches?: number | undefined;
  /** Which activations are computed again in the backward pass. */
  readonly recompute?: Recomputation | undefined;
  /** Full recomputation in every n-th layer only; 1 by default. */
  readonly recomputeEvery?: number | undefined;
  /** Samples per step on all devices. Undefined: several batch sizes are tried. */
  readonly globalBatch?: number | undefined;
}

const recomputations: readonly Recomputation[] = ['none', 'selective', 'full'];
/** Larger micro-batches are not tried: they need more memory and are not faster. */
const MOST_MICRO_BATCH = 256;
const freeMicroBatches = [1, 2, 4, 8, 16, 32, 64] as const;
/** If the global batch is free: micro-batches per step, in multiples of the stages. */
const freeMultiples = [1, 2, 4, 8, 16] as const;

/**
 * Cheapest options of each size first, so that among equally good layouts the simplest one is chosen.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * [...simulator.layoutsOf(workload, 8, { globalBatch: 64, tensor: 2, pipeline: 1 })].length > 1 // true
 */
export function* layoutsOf(workload: Workload, devices: number, space: LayoutSpace): Generator<Layout> {
  const { model } = workload;
  if (model.kind === 'program') {
    if (model.division !== undefined) yield* dividedLayout(model.division, model.samplesPerStep, devices);
    else yield* programLayouts(model.samplesPerStep, devices, space);
    return;
  }
  const { layers, heads, keyValueHeads, feedForward, experts } = model;
  const sequence = workload.run.sequence;
  const sharding = { shard: space.shard, replicas: space.replicas };
  const every = space.recomputeEvery === undefined ? {} : { recomputeEvery: space.recomputeEvery };
  for (const tensor of within(divisors(devices), space.tensor)) {
    if (heads % tensor !== 0 || feedForward % tensor !== 0) continue;
    // Key and value heads are split, or replicated if there are fewer of them than devices.
    if (keyValueHeads % tensor !== 0 && tensor % keyValueHeads !== 0) continue;
    for (const pipeline of within(divisors(devices / tensor), space.pipeline)) {
      // Stages may be uneven: 126 layers in 16 stages of 7 or 8.
      if (pipeline > layers) continue;
      const data = devices / (tensor * pipeline);
      if (space.data !== undefined && space.data !== data) continue;
      for (const interleave of interleavings(layers, pipeline, space.interleave)) {
        for (const expert of within(expertSizes(experts?.count, data), space.expert)) {
          for (const batch of batches(data, pipeline, interleave, space)) {
            for (const zero1 of choices(space.zero1, data > 1)) {
              for (const sequenceParallel of choices(space.sequenceParallel, tensor > 1 && sequence % tensor === 0)) {
                for (const recompute of space.recompute === undefined ? recomputations : [space.recompute]) {
                  const sizes = { data, tensor, pipeline, interleave, expert };
                  yield { ...sizes, sequenceParallel, zero1, ...(zero1 && sharding), recompute, ...every, ...batch };
                }
              }
            }
          }
        }
      }
    }
  }
}

/** A program in parts has the layout it was recorded with. */
function* dividedLayout(division: ProgramDivision, samples: number, devices: number): Generator<Layout> {
  if (division.devices !== devices) return;
  yield {
    data: devices,
    tensor: 1,
    pipeline: 1,
    interleave: 1,
    expert: 1,
    sequenceParallel: false,
    zero1: false,
    microBatch: samples,
    microBatches: 1,
    recompute: 'none',
    mesh: division.layout,
  };
}

/** A recorded program is data parallel, with the batch it was recorded with. */
function* programLayouts(samples: number, devices: number, space: LayoutSpace): Generator<Layout> {
  const { tensor = 1, pipeline = 1, interleave = 1, expert = 1, microBatch = samples, recompute = 'none' } = space;
  if (tensor * pipeline * interleave * expert !== 1 || microBatch !== samples || recompute !== 'none') return;
  if (space.globalBatch !== undefined && space.globalBatch % (devices * samples) !== 0) return;
  if (space.data !== undefined && space.data !== devices) return;
  const counts: readonly number[] =
    space.globalBatch !== undefined
      ? [space.globalBatch / (devices * samples)]
      : space.microBatches === undefined
        ? freeMultiples
        : [space.microBatches];
  for (const microBatches of counts) {
    for (const zero1 of choices(space.zero1, devices > 1)) {
      yield {
        data: devices,
        tensor: 1,
        pipeline: 1,
        interleave: 1,
        expert: 1,
        sequenceParallel: false,
        zero1,
        microBatch: samples,
        microBatches,
        recompute: 'none',
      };
    }
  }
}

function* batches(
  data: number,
  pipeline: number,
  interleave: number,
  { globalBatch, microBatch }: LayoutSpace,
): Generator<Pick<Layout, 'microBatch' | 'microBatches'>> {
  if (globalBatch === undefined) {
    for (const size of microBatch === undefined ? freeMicroBatches : [microBatch])
      for (const multiple of freeMultiples) yield { microBatch: size, microBatches: multiple * pipeline };
    return;
  }
  if (globalBatch % data !== 0) return;
  const samples = globalBatch / data;
  for (const size of within(divisors(samples), microBatch)) {
    const microBatches = samples / size;
    // The interleaved schedule processes micro-batches in groups, one per stage.
    if (size > MOST_MICRO_BATCH || (interleave > 1 && microBatches % pipeline !== 0)) continue;
    yield { microBatch: size, microBatches };
  }
}

/** Without, then with; only the given value, or only without if it makes no difference. */
function choices(given: boolean | undefined, possible: boolean): readonly boolean[] {
  if (given !== undefined) return given && !possible ? [] : [given];
  return possible ? [false, true] : [false];
}

function interleavings(layers: number, pipeline: number, given: number | undefined): readonly number[] {
  return within(pipeline === 1 ? [1] : divisors(Math.floor(layers / pipeline)), given);
}

function expertSizes(experts: number | undefined, data: number): readonly number[] {
  return experts === undefined ? [1] : divisors(experts).filter(size => data % size === 0);
}

const within = (sizes: readonly number[], given: number | undefined): readonly number[] =>
  given === undefined ? sizes : sizes.filter(size => size === given);

/** All divisors of a positive integer, ascending. */
export function divisors(n: number): readonly number[] {
  const small: number[] = [];
  const large: number[] = [];
  for (let d = 1; d * d <= n; d++) {
    if (n % d !== 0) continue;
    small.push(d);
    if (d * d !== n) large.push(n / d);
  }
  return [...small, ...large.reverse()];
}
