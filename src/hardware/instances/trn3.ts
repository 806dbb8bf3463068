// Trn3, sold as UltraServers: 64 Trainium3 in a torus (first generation) or 144 behind switches (second).
import { efa, torus3d } from '../fabrics.ts';
import { factsOf } from '../fact.ts';
import { sources } from '../sources.ts';
import type { Instance } from './instance.ts';

const page = factsOf(sources.trn3);

export const trn3Instances: readonly Instance[] = [
  {
    name: 'trn3-ultraserver-gen1',
    chip: 'trainium3',
    hosts: 4,
    chips: page(64),
    vcpus: page(768),
    hostMemoryGib: page(8192, 'GiB'),
    acceleratorMemoryGib: page(9216, 'GiB'),
    acceleratorMemoryGBs: page(313_600, 'GB/s'),
    peakPflops: { f8: page(161.1, 'PFLOPS', { note: 'MXFP8' }), bf16: page(42.9, 'PFLOPS') },
    fabric: torus3d(
      'NeuronLink-v4, 4 × 4 × 4 torus',
      2048,
      512,
      `${sources.trn3}; ${sources.trainium3}`,
      '2,560 GB/s per chip, shared out over the dimensions as on Trainium2',
    ),
    network: efa(
      page(12_800, 'Gbps'),
      factsOf('taken to be that of four trn2.48xlarge')(64, undefined, { uncertain: true }),
    ),
    prices: [],
  },
  {
    name: 'trn3-ultraserver-gen2',
    note: '36 sleds of 4 chips',
    chip: 'trainium3',
    hosts: 36,
    chips: page(144),
    vcpus: page(2304),
    hostMemoryGib: page(27_648, 'GiB'),
    acceleratorMemoryGib: page(20_736, 'GiB'),
    acceleratorMemoryGBs: page(705_600, 'GB/s'),
    peakPflops: { f8: page(362.4, 'PFLOPS', { note: 'MXFP8' }) },
    fabric: {
      kind: 'switch',
      name: 'NeuronSwitch-v1',
      chipGBs: page(704, 'GB/s', {
        note: '256 inside a sled, 320 inside a rack and 128 between racks, together; taken to be one direction',
        uncertain: true,
        alternatives: [{ value: 1280, note: `half of the 2,560 of a chip in ${sources.trainium3}` }],
      }),
      latencyUs: factsOf(sources.neuronCollectives)(1.5, 'µs', {
        note: 'assumed to be that of a hop',
        uncertain: true,
      }),
    },
    network: efa(page(28_800, 'Gbps'), factsOf('36 sleds, at least one each')(36, undefined, { uncertain: true })),
    prices: [],
  },
];
