// All constants of the collective model. Bandwidths, sizes and hop latencies are facts of the machine
// (src/hardware); these constants are the efficiency and the start-up cost of the communication software.
//
// They describe a software stack and are not fitted to rows. `collective-time.test.ts` compares the model with public tables.
import type { Machine } from '../../hardware/machine.ts';

/** The algorithms for ranks of one instance; the fastest is used for each size. */
export type LocalAlgorithm = 'ring' | 'paired ring' | 'mesh' | 'halving-doubling' | 'torus' | 'tree' | 'direct';

/** The algorithms for a group that spans several instances; the fastest is used. */
export type NetworkAlgorithm = 'flat ring' | 'hierarchical ring' | 'hierarchical halving-doubling';

export interface CommunicationStack {
  readonly name: string;
  /** Its algorithms for all-reduce, reduce-scatter and all-gather within an instance. */
  readonly local: readonly LocalAlgorithm[];
  /** Its algorithms across instances. */
  readonly network: readonly NetworkAlgorithm[];
  /** Those for reduce-scatter and all-gather, if they are fewer. */
  readonly networkOneWay?: readonly NetworkAlgorithm[];
  /** Seconds to start any collective: notification, descriptors, synchronization of the group. */
  readonly start: number;
  /** Seconds per step of a ring in addition to the hop, for steps that reduce and for steps that copy. */
  readonly reduceStep: number;
  readonly gatherStep: number;
  /** Achieved share of the link bandwidth between chips. */
  readonly linkEfficiency: number;
  /** Remaining share of that if data is routed over other chips and shares links with other data. */
  readonly routedEfficiency: number;
  /** Achieved share of the memory bandwidth of a device, including reductions. */
  readonly memoryEfficiency: number;
  /** Achieved share of the network card's bandwidth. */
  readonly networkEfficiency: number;
  /** Remaining share of that for halving and doubling between instances, where every rank has several partners in turn. */
  readonly collectiveEfficiency: number;
}

/**
 * Neuron as documented since December 2025 (neuron-runtime/explore, "Intra-node" and "Inter-node collective
 * communications"): mesh below about 1 MB, recursive halving and doubling to about 56 MB, paired rings ("KangaRing") above;
 * hierarchical between instances.
 */
export const neuronStack: CommunicationStack = {
  name: 'neuron',
  local: ['ring', 'paired ring', 'mesh', 'halving-doubling', 'torus'],
  network: ['flat ring', 'hierarchical ring', 'hierarchical halving-doubling'],
  // The smallest messages in five tables of nccom-test of 2025 and 2026 take 6, 10, 16, 101 and 300 µs: their median.
  start: 15e-6,
  reduceStep: 0,
  gatherStep: 0,
  // Not visible in any table (the memory is slower): assumed as for NVLink.
  linkEfficiency: 0.8,
  // With this value the crossovers of the three algorithms on a trn2.48xlarge are near the documented sizes.
  routedEfficiency: 0.5,
  // nccom-test, all-reduce of 2 ranks, which share a chip: 18.9 ms for 1 GiB, for which each rank accesses its memory 5/2
  // times, 410 GB/s per rank.
  memoryEfficiency: 0.345,
  // The efficiency of EFA with NCCL, below: no table of Neuron's isolates it.
  networkEfficiency: 0.8,
  collectiveEfficiency: 0.9,
};

/**
 * Neuron from 2023 to 2025, when most of the published Trainium1 rows were measured: rings only, within an instance and
 * between instances (hierarchical since aws-neuronx-collectives 2.12, March 2023).
 */
export const neuronRingStack: CommunicationStack = {
  ...neuronStack,
  name: 'neuron-rings',
  local: ['ring'],
  network: ['flat ring', 'hierarchical ring'],
  // nccom-test, all-reduce of 2 ranks: 58 µs up to 256 KB, less one step of each kind.
  start: 38e-6,
  // All-reduce of 64 ranks on two instances: 1,315 µs from 64 KB to 4 MB in 63 steps of each kind.
  reduceStep: 14.5e-6,
  // All-gather of 32 ranks (2023): 150 µs up to 64 KB in 31 steps.
  gatherStep: 2e-6,
};

/** Neuron before March 2023: one ring through all ranks of all instances. */
export const neuronFlatRingStack: CommunicationStack = {
  ...neuronRingStack,
  name: 'neuron-flat-rings',
  network: ['flat ring'],
};

/** NCCL: rings and trees. */
export const ncclStack: CommunicationStack = {
  name: 'nccl',
  local: ['ring', 'tree'],
  network: ['flat ring', 'hierarchical ring', 'hierarchical halving-doubling'],
  networkOneWay: ['flat ring'],
  // Base latency of the simple protocol's ring in NCCL's own tuning table (8.4 µs), and a kernel launch.
  start: 12e-6,
  reduceStep: 0,
  gatherStep: 0,
  // Bus bandwidth of all-reduce on 8 GPUs: about 230 of 300 GB/s (A100), 360 of 450 GB/s (H100).
  linkEfficiency: 0.78,
  routedEfficiency: 1,
  // Never the limit: a GPU's memory is several times faster than its links.
  memoryEfficiency: 0.8,
  // EFA: 1 GiB in 35.2 ms on two p4d.24xlarge (NVIDIA/nccl, issue 527), of which 8 ms are within the instances.
  networkEfficiency: 0.8,
  collectiveEfficiency: 0.9,
};

/** Ranks of this machine: gradients are summed in shared memory, one part per rank (src/runtime). */
export const sharedMemoryStack: CommunicationStack = {
  name: 'shared-memory',
  local: ['direct'],
  network: ['hierarchical ring'],
  // Two barriers of spinning processes.
  start: 10e-6,
  reduceStep: 0,
  gatherStep: 0,
  linkEfficiency: 1,
  routedEfficiency: 1,
  memoryEfficiency: 0.8,
  networkEfficiency: 0.8,
  collectiveEfficiency: 0.9,
};

/** The communication software of a machine's ranks. */
export function stackOf(machine: Machine): CommunicationStack {
  switch (machine.device.kind) {
    case 'neuron-core':
      return neuronStack;
    case 'gpu':
      return ncclStack;
    case 'cpu':
      return sharedMemoryStack;
  }
}
