// The answer of the simulator.
import type { Machine } from '../hardware/machine.ts';
import type { Layout } from './layout.ts';
import type { MemoryKind, Phase } from './run.ts';
import type { Timeline } from './timeline/timeline.ts';

/** The bottlenecks of a step. */
export const bounds = [
  'tensor engine',
  'vector engine',
  'scalar engine',
  'memory',
  'intra-node links',
  'network',
  'bubble',
  'launch',
  'host',
  'stragglers',
  'storage',
] as const;
/** The bottleneck that limits the time of a step. */
export type Bound = (typeof bounds)[number];

/** Bytes of the fullest device. */
export interface MemoryEstimate {
  /** Bytes by kind. */
  readonly byKind: Readonly<Record<MemoryKind, number>>;
  /** All bytes together. */
  readonly total: number;
  /** The memory of a device in bytes. */
  readonly capacity: number;
  /** Whether it fits. */
  readonly fits: boolean;
  /** The capacity minus the need: negative if it does not fit. */
  readonly spare: number;
  /** Changes of the layout that would make it fit, the mildest first, each as a sentence. Empty if it fits. */
  readonly remedies: readonly string[];
}

/** How the samples of a step are read from storage. */
export interface DataLoading {
  /** The size of a sample on storage in bytes. */
  readonly sampleBytes: number;
  /** Bytes that all instances read in a step. */
  readonly stepBytes: number;
  /** Bytes of the instance that reads the most. */
  readonly nodeBytes: number;
  /** The bandwidth of one instance to the storage, in bytes per second. */
  readonly nodeBandwidth: number;
  /** The bandwidth of the storage, in bytes per second. */
  readonly storageBandwidth: number;
  /** The time to read the samples of a step. */
  readonly readSeconds: number;
  /** The part of that time for which the step waits. */
  readonly waitSeconds: number;
}

/** Time and memory of a step. */
export interface Prediction {
  /** The machine. */
  readonly machine: Machine;
  /** The number of instances. */
  readonly nodes: number;
  /** How the work is divided among devices. */
  readonly layout: Layout;
  /** The model: `bert-large`, or the name of the script. */
  readonly model: string;
  /** The time of a step in seconds. */
  readonly stepSeconds: number;
  /** Exposed time only: they sum to `stepSeconds`. */
  readonly byPhase: Readonly<Record<Phase, number>>;
  /** The same time by bottleneck. */
  readonly byBound: Readonly<Record<Bound, number>>;
  /** The number of samples per step on all devices. */
  readonly samplesPerStep: number;
  /** The number of tokens per step on all devices; undefined if samples have none. */
  readonly tokensPerStep: number | undefined;
  /** Samples per second on all devices. */
  readonly samplesPerSecond: number;
  /** FLOPs of the model's multiplies in one step, without recomputation; and with it. */
  readonly modelFlops: number;
  /** Floating-point operations per step, with recomputation. */
  readonly hardwareFlops: number;
  /** modelFlops ÷ (time × peak of all devices in the workload's format), in [0, 1]. */
  readonly mfu: number;
  /** How the samples of a step are read from storage; undefined if their size is not known. */
  readonly dataLoading: DataLoading | undefined;
  /** The memory of a device. */
  readonly memory: MemoryEstimate;
  /** Joules per step, if the power of the device is published. */
  readonly joules: number | undefined;
  /** The assumptions made for missing inputs, one sentence each. */
  readonly assumptions: readonly string[];
  /** The timeline of the step, computed on access. */
  readonly timeline: () => Timeline;
}
