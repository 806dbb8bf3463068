// Trn2: 1 or 16 Trainium2; four trn2u.48xlarge make an UltraServer.
import { efa, oneChip, torus2d, torus3d } from '../fabrics.ts';
import { atLaunch, factsOf } from '../fact.ts';
import { quoted, spot } from '../prices.ts';
import { sources } from '../sources.ts';
import { host, karpenter } from './host.ts';
import type { Instance } from './instance.ts';

const page = factsOf(sources.trn2);
const skyPilot = factsOf(sources.skyPilot);
const CAPACITY_BLOCKS = 'a third party’s quotation of the EC2 Capacity Blocks page';

const sixteenChips = {
  chip: 'trainium2',
  hosts: 1,
  chips: page(16),
  acceleratorMemoryGib: page(1536, 'GiB'),
  acceleratorMemoryGBs: page(46_400, 'GB/s'),
  peakPflops: {
    f8: page(20.8, 'PFLOPS'),
    bf16: page(10.7, 'PFLOPS'),
    f32: page(2.9, 'PFLOPS'),
    sparse: page(41, 'PFLOPS', { alternatives: [atLaunch(83.2, sources.trn2Launch)] }),
  },
  fabric: torus2d('NeuronLink-v3, 4 × 4 torus', 1024, sources.trn2),
  network: efa(page(3200, 'Gbps'), karpenter(16), 'EFAv3'),
  regions: skyPilot('us-east-2'),
} as const satisfies Partial<Instance>;

export const trn2Instances: readonly Instance[] = [
  {
    name: 'trn2.3xlarge',
    chip: 'trainium2',
    hosts: 1,
    chips: page(1),
    vcpus: factsOf(`${sources.trn2}; ${sources.skyPilot}`)(12),
    hostMemoryGib: factsOf(`${sources.trn2}; ${sources.skyPilot}`)(128, 'GiB'),
    acceleratorMemoryGib: factsOf(sources.trainium2)(96, 'GiB'),
    fabric: oneChip(2900, sources.trainium2),
    regions: skyPilot('ap-southeast-4'),
    prices: [quoted('capacity-block', 2.235, CAPACITY_BLOCKS, '2026-05'), spot('ap-southeast-4', [2.7396])],
  },
  {
    name: 'trn2.48xlarge',
    ...sixteenChips,
    ...host(192, 2048, 7600, 80),
    prices: [quoted('capacity-block', 35.7608, CAPACITY_BLOCKS, '2026-05'), spot('us-east-2', [23.0631])],
  },
  {
    name: 'trn2u.48xlarge',
    note: 'a quarter of an UltraServer; alone it is a trn2.48xlarge',
    ...sixteenChips,
    ...host(192, 2048, 7600, 80),
    localStorageGb: factsOf('taken to be that of trn2.48xlarge')(7600, 'GB', { uncertain: true }),
    prices: [],
  },
  {
    name: 'trn2-ultraserver',
    aliases: ['u-trn2x64'],
    note: 'four trn2u.48xlarge joined by NeuronLink; sold by capacity blocks, whose price is not public',
    chip: 'trainium2',
    hosts: 4,
    chips: page(64),
    vcpus: page(768),
    hostMemoryGib: page(8192, 'GiB'),
    acceleratorMemoryGib: page(6144, 'GiB'),
    acceleratorMemoryGBs: page(185_600, 'GB/s'),
    peakPflops: {
      f8: page(83.2, 'PFLOPS'),
      bf16: page(42.8, 'PFLOPS'),
      f32: page(11.6, 'PFLOPS'),
      sparse: page(164, 'PFLOPS', { alternatives: [atLaunch(332.8, `${sources.trn2Launch}: 332 PFLOPS`)] }),
    },
    fabric: torus3d(
      'NeuronLink-v3, 4 × 4 × 4 torus',
      1024,
      256,
      sources.trn2,
      'between instances 256 GB/s per chip ÷ 2 links ÷ 2 directions, inside them 1,024 ÷ 4 ÷ 2',
    ),
    network: efa(
      page(12_800, 'Gbps', {
        note: '4 × 3,200',
        uncertain: true,
        alternatives: [{ value: 3200, note: 'as listed: of one of its instances' }],
      }),
      factsOf(`4 × ${sources.karpenter}`)(64),
      'EFAv3',
    ),
    regions: skyPilot('us-east-2'),
    prices: [],
  },
];
