// The interconnects of chips within an instance, and between instances.
//
// The documents give NeuronLink as GB/s per chip, all links and both directions together: Trainium2's 1,024 inside an instance
// and 256 between instances are 4 links × 2 directions × 128 and 2 links × 2 × 64, which are what 32 and 16 lanes of PCI Express
// 5.0 carry; and Inferentia2's 192 on its ring of 2 links are half of Trainium1's 384 on a torus of 4. So one link of Trainium1
// carries 384 ÷ 4 links ÷ 2 directions = 48 GB/s each way. No document states that the figure counts both directions: facts
// derived from it are marked uncertain.
import { type Fact, factsOf } from './fact.ts';
import type { FabricFacts, NetworkFacts } from './instances/instance.ts';
import { sources } from './sources.ts';

const hop = factsOf(sources.neuronCollectives)(1.5, 'µs', { note: '1 to 2 for each hop', uncertain: true });
// Within a chip data is moved by DMA through memory: there are no links, but there are queues and semaphores.
const inside = factsOf(sources.neuronCollectives)(1.5, 'µs', { note: 'assumed to be that of a hop', uncertain: true });

const DIRECTIONS = 2;

/** One link in one direction, in each dimension, from the figures of a chip for each dimension of the torus. */
function linksOf(perDimension: readonly number[], source: string, note: string): Fact<readonly number[]> {
  // Two neighbors in every dimension.
  return factsOf(source)(
    perDimension.map(total => total / 2 / DIRECTIONS),
    'GB/s',
    { note, uncertain: true },
  );
}

/** 4 × 4 chips, row by row; `chipGBs` is all links of a chip, both directions. */
export function torus2d(name: string, chipGBs: number, source: string): FabricFacts {
  return {
    kind: 'torus',
    name,
    shape: factsOf(`${source}; neuron-ls and runtime-performance-tips.rst`)([4, 4], 'chips'),
    linkGBs: linksOf([chipGBs / 2, chipGBs / 2], source, `${chipGBs} GB/s per chip ÷ 4 links ÷ 2 directions`),
    latencyUs: hop,
  };
}

/**
 * Four 4 × 4 tori; chips at the same position in each are joined in a ring. Chips are numbered instance by instance, so that
 * dimension is the first.
 */
export function torus3d(
  name: string,
  insideGBs: number,
  betweenGBs: number,
  source: string,
  note: string,
): FabricFacts {
  return {
    kind: 'torus',
    name,
    shape: factsOf(source)([4, 4, 4], 'chips', { note: 'the first dimension joins four instances in rings' }),
    linkGBs: linksOf([betweenGBs, insideGBs / 2, insideGBs / 2], source, note),
    latencyUs: hop,
  };
}

export function ring(name: string, chips: number, chipGBs: number, source: string): FabricFacts {
  return {
    kind: 'torus',
    name,
    shape: factsOf(source)([chips], 'chips'),
    linkGBs: linksOf([chipGBs], source, `${chipGBs} GB/s per chip ÷ 2 links ÷ 2 directions`),
    latencyUs: hop,
  };
}

/** The cores of one chip communicate through its memory: each byte is written and read, so half of its bandwidth. */
export function oneChip(memoryGBs: number, source: string): FabricFacts {
  return {
    kind: 'none',
    name: 'one chip',
    chipGBs: factsOf(source)(memoryGBs / 2, 'GB/s', {
      note: 'half of the memory bandwidth: each byte is written and read',
    }),
    latencyUs: inside,
  };
}

const nvLinkLatency = factsOf('NCCL, src/graph/tuning.cc: hop of a ring over NVLink, simple protocol')(3.4, 'µs', {
  uncertain: true,
});
/** Every GPU to every other through switches, at the full rate of its links. `chipGBs` counts both directions. */
export function nvSwitch(generation: number, chipGBs: number, source: string): FabricFacts {
  return {
    kind: 'switch',
    name: `NVLink ${generation} with NVSwitch`,
    chipGBs: factsOf(source)(chipGBs / DIRECTIONS, 'GB/s', {
      note: `half of ${chipGBs} GB/s, which counts both directions`,
    }),
    latencyUs: nvLinkLatency,
  };
}

/** GPUs without direct links communicate through the host's memory. */
export const pcie4: FabricFacts = {
  kind: 'switch',
  name: 'PCI Express 4.0',
  chipGBs: factsOf('PCI Express 4.0, 16 lanes of 16 GT/s')(32, 'GB/s', {
    note: 'one direction; GPUs that communicate through the host reach less',
    uncertain: true,
  }),
  latencyUs: factsOf('NCCL, src/graph/tuning.cc: hop of a ring over PCI, simple protocol')(5.7, 'µs', {
    uncertain: true,
  }),
};

const efaLatency = factsOf(sources.neuronCollectives)(15, 'µs', {
  note: 'approximate: one hop between Trainium instances, assumed for all; NCCL assumes 14',
  uncertain: true,
});

export function efa(gbps: Fact<number>, interfaces: Fact<number>, version?: string): NetworkFacts {
  return { name: version ?? 'EFA', gbps, interfaces, latencyUs: efaLatency };
}

/** The network of sizes without EFA. */
export function ethernet(gbps: Fact<number>): NetworkFacts {
  return {
    name: 'Ethernet (ENA)',
    gbps,
    latencyUs: factsOf('TCP between instances of one placement group, usual figure')(50, 'µs', { uncertain: true }),
  };
}
